#include "fuzz_lcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input holds both files, M first, with a zero byte between them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t first = zero ? (size_t)(zero - data) : size;
    const uint8_t *second = zero ? zero + 1 : data + size;
    abuti_text text, q_text;
    abut_error error;
    abuti_lcp_data problem = {0};
    bool fine = abuti_text_open_memory(&text, "f", data, first, &error) &&
                abuti_text_open_memory(&q_text, "q", second, (size_t)(data + size - second), &error) &&
                abuti_lcp_read_matrix_market(&text, &q_text, &problem);
    fuzz_judge(fine, &error, &problem);
    return 0;
}
