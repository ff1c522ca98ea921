/* What every LCP reader must hold, whatever the bytes: a problem that validates, or one line of error. */
#ifndef ABUT_FUZZ_LCP_H
#define ABUT_FUZZ_LCP_H

#include "io/lcp_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void fuzz_judge(bool fine, const abut_error *error, abuti_lcp_data *data)
{
    if (fine) {
        abut_lcp_problem problem = abuti_lcp_data_problem(data);
        if (abut_lcp_validate(&problem, NULL) != ABUT_OK) abort();
    } else if (error->text[0] == '\0' || strchr(error->text, '\n') || data->M) {
        abort();
    }
    abuti_lcp_data_release(data);
}

/* Runs one reader over the bytes. */
static inline int fuzz_read(const uint8_t *bytes, size_t size, bool (*read)(abuti_text *, abuti_lcp_data *))
{
    abuti_text text;
    abut_error error;
    abuti_lcp_data data = {0};
    bool fine = abuti_text_open_memory(&text, "f", bytes, size, &error) && read(&text, &data);
    fuzz_judge(fine, &error, &data);
    return 0;
}

#endif
