/* Tests of LCP readers: one table of good texts, one of bad texts with the message each must get. */
#ifndef ABUT_TEST_LCP_IO_CASE_H
#define ABUT_TEST_LCP_IO_CASE_H

#include "io/lcp_file.h"
#include "io_case.h"

typedef struct bad_text {
    const char *input, *message;
} bad_text;

typedef bool (*lcp_reader)(abuti_text *text, abuti_lcp_data *data);

static inline bool read_lcp_string(lcp_reader reader, const char *input, abuti_lcp_data *data,
                                   abut_error *error)
{
    abuti_text text;
    *data = (abuti_lcp_data){0};
    return abuti_text_open_memory(&text, "f", input, strlen(input), error) && reader(&text, data);
}

static inline void check_bad_lcps(lcp_reader reader, const bad_text *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        abuti_lcp_data data;
        abut_error error;
        CHECK_MSG(!read_lcp_string(reader, cases[i].input, &data, &error), "accepted <%s>", cases[i].input);
        check_message(&error, cases[i].message, cases[i].input);
        CHECK(!data.M && !data.q && data.n == 0);
        abuti_lcp_data_release(&data);
    }
}

/* Every prefix of a good text is either refused with a message or means the same problem. */
static inline void check_truncations(lcp_reader reader, const char *good)
{
    char *cut = strdup(good);
    abuti_lcp_data whole, part;
    abut_error error;
    CHECK(read_lcp_string(reader, good, &whole, &error));
    for (size_t length = strlen(good); length-- > 0;) {
        cut[length] = '\0';
        if (!read_lcp_string(reader, cut, &part, &error)) {
            CHECK_MSG(error.text[0] != '\0', "no message for <%s>", cut);
        } else {
            CHECK_MSG(part.n == whole.n, "<%s>", cut);
            abuti_lcp_data_release(&part);
        }
    }
    abuti_lcp_data_release(&whole);
    free(cut);
}

static inline void check_same_lcp(const abuti_lcp_data *a, const abuti_lcp_data *b)
{
    CHECK_EQ_INT(a->n, b->n);
    CHECK_EQ_INT(a->free_count, b->free_count);
    if (a->n != b->n || a->free_count != b->free_count) return;
    size_t n = (size_t)a->n;
    CHECK(memcmp(a->M, b->M, n * n * sizeof(double)) == 0);
    CHECK(memcmp(a->q, b->q, n * sizeof(double)) == 0);
    for (int i = 0; i < a->free_count; ++i) CHECK_EQ_INT(a->free_indices[i], b->free_indices[i]);
}

/* Numbers that are hard to write: they must come back bit by bit. */
static inline abuti_lcp_data awkward_lcp(bool mixed)
{
    static const double M[9] = {0.1, -1e-300, 3, 1.0 / 3, 1e300, 5e-324, -0.0, 1234567890123456789.0, 2};
    static const double q[3] = {-1e-17, 0.30000000000000004, 1e22};
    abuti_lcp_data data = {.n = 3, .M = malloc(sizeof M), .q = malloc(sizeof q)};
    memcpy(data.M, M, sizeof M);
    memcpy(data.q, q, sizeof q);
    if (mixed) {
        data.free_count = 2;
        data.free_indices = malloc(2 * sizeof(int));
        data.free_indices[0] = 0;
        data.free_indices[1] = 2;
    }
    return data;
}

#endif
