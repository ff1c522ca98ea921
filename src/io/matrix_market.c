/* Matrix Market: M as a coordinate or array file, q as an array file or as plain numbers.
 *
 *     %%MatrixMarket matrix coordinate real general
 *     % comment
 *     rows columns entries
 *     i j value          (from 1; `symmetric` and `skew-symmetric` give the lower triangle)
 *
 * Repeated coordinates add up, as sparse assembly means them. */
#include "io/lcp_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct banner {
    bool coordinate;
    bool pattern; /* entries without values: ones */
    symmetry symmetry;
} banner;

typedef struct choice {
    const char *name;
    int value;
} choice;

static bool header_word(abuti_text *text, const choice *choices, const char *expected, int *value)
{
    char quote[40];
    bool found = abuti_text_word_in_line(text);
    for (const choice *c = choices; found && c->name; ++c)
        if (strcasecmp(text->word, c->name) == 0) {
            *value = c->value;
            return true;
        }
    return abuti_text_fail(text, "Matrix Market header: '%s'; expected %s", abuti_text_quote(text, quote),
                           expected);
}

static bool read_banner(abuti_text *text, banner *out)
{
    static const choice starts[] = {{"%%MatrixMarket", 0}, {0}};
    static const choice objects[] = {{"matrix", 0}, {0}};
    static const choice layouts[] = {{"coordinate", 1}, {"array", 0}, {0}};
    static const choice fields[] = {{"real", 0}, {"double", 0}, {"integer", 0}, {"pattern", 1}, {0}};
    static const choice symmetries[] = {
        {"general", GENERAL}, {"symmetric", SYMMETRIC}, {"skew-symmetric", SKEW}, {0}};
    int ignored, coordinate = 0, pattern = 0, kind = GENERAL;
    if (!header_word(text, starts, "%%MatrixMarket", &ignored) ||
        !header_word(text, objects, "matrix", &ignored) ||
        !header_word(text, layouts, "coordinate or array", &coordinate) ||
        !header_word(text, fields, "real, integer or pattern", &pattern) ||
        !header_word(text, symmetries, "general, symmetric or skew-symmetric", &kind))
        return false;
    if (pattern && !coordinate)
        return abuti_text_fail(text, "Matrix Market header: an array cannot be a pattern");
    *out = (banner){.coordinate = coordinate, .pattern = pattern, .symmetry = (symmetry)kind};
    abuti_text_skip_line(text);
    while (abuti_text_peek(text) == '%') abuti_text_skip_line(text);
    return true;
}

/* ---- M ---- */

static bool read_entry(abuti_text *text, const banner *head, int n, double *M)
{
    int i, j;
    double value = 1;
    if (!abuti_text_integer(text, "row", 1, n, &i) || !abuti_text_integer(text, "column", 1, n, &j))
        return false;
    if (head->symmetry != GENERAL && j > i)
        return abuti_text_fail(text, "column %d after row %d; expected the lower triangle only", j, i);
    if (head->symmetry == SKEW && i == j)
        return abuti_text_fail(text, "row %d, column %d; expected no diagonal in a skew-symmetric matrix", i,
                               j);
    if (!head->pattern && !abuti_text_number(text, "value", &value)) return false;
    size_t size = (size_t)n, row = (size_t)(i - 1), column = (size_t)(j - 1);
    M[row * size + column] += value;
    if (head->symmetry != GENERAL && i != j)
        M[column * size + row] += head->symmetry == SKEW ? -value : value;
    return true;
}

static bool read_coordinates(abuti_text *text, const banner *head, int entries, abuti_lcp_data *data)
{
    for (int e = 0; e < entries; ++e)
        if (!read_entry(text, head, data->n, data->M)) return false;
    return true;
}

/* Reads entries column by column: all of a general matrix, the lower triangle of a symmetric one, and the lower
 * triangle without the diagonal of a skew one. */
static bool read_array(abuti_text *text, const banner *head, abuti_lcp_data *data)
{
    size_t n = (size_t)data->n;
    for (size_t j = 0; j < n; ++j)
        for (size_t i = head->symmetry == GENERAL ? 0 : j + (head->symmetry == SKEW); i < n; ++i) {
            char label[ABUTI_LABEL_MAX];
            double value;
            snprintf(label, sizeof label, "M[%zu][%zu]", i, j);
            if (!abuti_text_number(text, label, &value)) return false;
            data->M[i * n + j] = value;
            if (head->symmetry != GENERAL && i != j)
                data->M[j * n + i] = head->symmetry == SKEW ? -value : value;
        }
    return true;
}

/* How many numbers must follow the size line. */
static long long numbers_due(const banner *head, int n, int entries)
{
    long long size = n;
    if (head->coordinate) return (long long)entries * (head->pattern ? 2 : 3);
    if (head->symmetry == GENERAL) return size * size;
    return head->symmetry == SYMMETRIC ? size * (size + 1) / 2 : size * (size - 1) / 2;
}

static bool nothing_follows(abuti_text *text)
{
    char quote[40];
    if (!abuti_text_word(text)) return true;
    return abuti_text_fail(text, "'%s'; expected the end of the file", abuti_text_quote(text, quote));
}

static bool read_sizes(abuti_text *text, const banner *head, abuti_lcp_data *data, int *entries)
{
    int columns;
    *entries = 0;
    if (!abuti_text_integer(text, "rows", 1, ABUTI_DENSE_MAX_N, &data->n) ||
        !abuti_text_integer(text, "columns", 1, ABUTI_DENSE_MAX_N, &columns))
        return false;
    if (columns != data->n)
        return abuti_text_fail(text, "%d rows and %d columns; expected a square matrix", data->n, columns);
    if (head->coordinate &&
        !abuti_text_integer(text, "entries", 0, ABUTI_DENSE_MAX_N * ABUTI_DENSE_MAX_N, entries))
        return false;
    return abuti_text_has_room(text, "M", (size_t)numbers_due(head, data->n, *entries));
}

/* ---- q ---- */

static bool read_q(abuti_text *text, abuti_lcp_data *data)
{
    if (abuti_text_peek(text) == '%') {
        banner head;
        int rows, columns;
        if (!read_banner(text, &head)) return false;
        if (head.coordinate || head.symmetry != GENERAL)
            return abuti_text_fail_whole(text, "expected q as a general array");
        if (!abuti_text_integer(text, "rows", 1, ABUTI_DENSE_MAX_N, &rows) ||
            !abuti_text_integer(text, "columns", 1, ABUTI_DENSE_MAX_N, &columns))
            return false;
        bool vector = (rows == data->n && columns == 1) || (rows == 1 && columns == data->n);
        if (!vector)
            return abuti_text_fail(text, "q is %d by %d; expected %d by 1, as M has %d rows", rows, columns,
                                   data->n, data->n);
    }
    return abuti_text_numbers(text, "q", (size_t)data->n, 0, &data->q) && nothing_follows(text);
}

bool abuti_lcp_read_matrix_market(abuti_text *text, abuti_text *q_text, abuti_lcp_data *data)
{
    banner head;
    int entries;
    *data = (abuti_lcp_data){0};
    /* q comes first: M gets its n x n numbers only when there are n of q. */
    bool fine = read_banner(text, &head) && read_sizes(text, &head, data, &entries) && read_q(q_text, data);
    if (fine) {
        data->M = calloc((size_t)data->n * (size_t)data->n, sizeof(double));
        fine = data->M || abuti_text_out_of_memory(text);
    }
    fine = fine &&
           (head.coordinate ? read_coordinates(text, &head, entries, data) : read_array(text, &head, data)) &&
           nothing_follows(text);
    if (!fine) abuti_lcp_data_release(data);
    return fine;
}

bool abuti_lcp_write_matrix_market(FILE *file, FILE *q_file, const abut_lcp_problem *problem)
{
    if (problem->free_count > 0) return false;
    fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", problem->n, problem->n);
    for (int j = 0; j < problem->n; ++j)
        for (int i = 0; i < problem->n; ++i)
            fprintf(file, "%.17g\n", problem->M[(size_t)i * (size_t)problem->ld + (size_t)j]);
    fprintf(q_file, "%%%%MatrixMarket matrix array real general\n%d 1\n", problem->n);
    for (int i = 0; i < problem->n; ++i) fprintf(q_file, "%.17g\n", problem->q[i]);
    return !ferror(file) && !ferror(q_file);
}
