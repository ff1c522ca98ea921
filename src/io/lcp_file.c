#include "io/lcp_file.h"
#include "io/format.h"

#include <stdlib.h>

void abuti_lcp_data_release(abuti_lcp_data *data)
{
    free(data->M);
    free(data->q);
    free(data->free_indices);
    free(data->start);
    *data = (abuti_lcp_data){0};
}

abut_lcp_problem abuti_lcp_data_problem(const abuti_lcp_data *data)
{
    return (abut_lcp_problem){.n = data->n,
                              .M = data->M,
                              .ld = data->n,
                              .q = data->q,
                              .free_count = data->free_count,
                              .free = data->free_indices};
}

bool abuti_lcp_read(const char *path, const char *q_path, abuti_lcp_data *data, abut_error *error)
{
    abuti_text text;
    *data = (abuti_lcp_data){0};
    if (!abuti_text_open(&text, path, error)) return false;
    const abuti_format *format = abuti_format_of(ABUTI_KIND_LCP, &text, path);
    bool fine = false;
    if (q_path && !(format && format->takes_q)) {
        abuti_text_fail_whole(&text, "holds q itself; a q file goes with a Matrix Market file only");
    } else if (format) {
        fine = format->read_lcp(
            &(abuti_source){.text = &text, .path = path, .q_path = q_path, .error = error}, data);
    } else {
        char all[256];
        abuti_format_list(ABUTI_KIND_LCP, true, all, sizeof all);
        abuti_text_fail_whole(&text, "not an LCP file; expected %s", all);
    }
    abuti_text_close(&text);
    return fine;
}
