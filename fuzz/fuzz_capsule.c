#include "fuzz_contact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abuti_text text;
    abut_error error;
    abuti_contact_data problem = {0};
    bool fine =
        abuti_text_open_memory(&text, "f", data, size, &error) && abuti_contact_read_capsule(&text, &problem);
    fuzz_judge(fine, &error, &problem);
    return 0;
}
