#include "io/lcp_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

typedef enum format { JSON, MATRIX_MARKET, SICONOS, UNKNOWN } format;

/* By the extension first, so that the errors of a broken .json speak of JSON. */
static format format_of(abuti_text *text, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".json") == 0) return JSON;
    if (dot != NULL && strcasecmp(dot, ".mtx") == 0) return MATRIX_MARKET;
    if (dot != NULL && strcasecmp(dot, ".dat") == 0) return SICONOS;
    const unsigned char *bytes;
    size_t count = abuti_text_head(text, &bytes), i = 0;
    while (i < count && isspace(bytes[i])) i++;
    if (i == count) return UNKNOWN;
    if (bytes[i] == '{') return JSON;
    if (bytes[i] == '%') return MATRIX_MARKET;
    return isdigit(bytes[i]) ? SICONOS : UNKNOWN;
}

static bool read_matrix_market(abuti_text *text, const char *q_path, abuti_lcp_data *data)
{
    if (q_path == NULL)
        return abuti_text_fail_whole(
            text, "a Matrix Market file holds M alone; expected q in a second file (--q FILE)");
    abuti_text q_text;
    if (!abuti_text_open(&q_text, q_path, text->error)) return false;
    bool fine = abuti_lcp_read_matrix_market(text, &q_text, data);
    abuti_text_close(&q_text);
    return fine;
}

bool abuti_lcp_read(const char *path, const char *q_path, abuti_lcp_data *data, abut_error *error)
{
    abuti_text text;
    *data = (abuti_lcp_data){0};
    if (!abuti_text_open(&text, path, error)) return false;
    format kind = format_of(&text, path);
    bool fine = false;
    if (q_path != NULL && kind != MATRIX_MARKET)
        abuti_text_fail_whole(&text, "holds q itself; a q file goes with a Matrix Market file only");
    else if (kind == JSON)
        fine = abuti_lcp_read_json(&text, data);
    else if (kind == MATRIX_MARKET)
        fine = read_matrix_market(&text, q_path, data);
    else if (kind == SICONOS)
        fine = abuti_lcp_read_siconos(&text, data);
    else
        abuti_text_fail_whole(&text,
                              "not an LCP file; expected JSON, Matrix Market (.mtx) or Siconos (.dat)");
    abuti_text_close(&text);
    return fine;
}
