#include "io/siconos_matrix.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- storage 0: all entries, column by column ---- */

static void transpose(double *matrix, int n)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) {
            double *below = matrix + (size_t)i * (size_t)n + (size_t)j;
            double *above = matrix + (size_t)j * (size_t)n + (size_t)i, held = *below;
            *below = *above;
            *above = held;
        }
}

static bool read_dense(abuti_text *text, const char *label, int n, double **matrix)
{
    int rows, columns;
    bool fine = abuti_text_integer(text, "rows", n, n, &rows) &&
                abuti_text_integer(text, "columns", n, n, &columns) &&
                abuti_text_numbers(text, label, (size_t)n * (size_t)n, n, matrix);
    if (fine) transpose(*matrix, n);
    return fine;
}

/* ---- storages 1 and 2 ---- */

/* Room for n x n zeros, asked for only when the file is long enough for the numbers that are still due. */
static bool make_zero(abuti_text *text, const char *label, int n, size_t due, double **matrix)
{
    if (!abuti_text_has_room(text, label, due)) return false;
    *matrix = calloc((size_t)n * (size_t)n, sizeof(double));
    return *matrix || abuti_text_out_of_memory(text);
}

/* ---- storage 1: sparse blocks ---- */

typedef struct blocks {
    int count, rows, columns;  /* in blocks */
    int *row_end, *column_end; /* cumulative sizes */
    int pointer_length;        /* block rows + 1, or less: rows after the last filled one are left out */
    int index_length;
    int *row_pointer, *column_index;
} blocks;

static void release_blocks(blocks *b)
{
    free(b->row_end);
    free(b->column_end);
    free(b->row_pointer);
    free(b->column_index);
}

/* Cumulative sizes must rise to n. */
static bool read_ends(abuti_text *text, const char *label, int count, int n, int **ends)
{
    if (!abuti_text_integers(text, label, (size_t)count, 1, n, ends)) return false;
    for (int i = 0; i < count; ++i) {
        int before = i == 0 ? 0 : (*ends)[i - 1];
        if ((*ends)[i] <= before)
            return abuti_text_fail(text, "%s[%d]: expected more than %d", label, i, before);
    }
    if ((*ends)[count - 1] != n)
        return abuti_text_fail(text, "%s end at %d; expected n = %d", label, (*ends)[count - 1], n);
    return true;
}

static bool read_block_structure(abuti_text *text, int n, blocks *b)
{
    if (!abuti_text_integer(text, "block count", 0, INT_MAX, &b->count) ||
        !abuti_text_integer(text, "block rows", 1, n, &b->rows) ||
        !abuti_text_integer(text, "block columns", 1, n, &b->columns) ||
        !read_ends(text, "row sizes", b->rows, n, &b->row_end) ||
        !read_ends(text, "column sizes", b->columns, n, &b->column_end) ||
        !abuti_text_integer(text, "first index length", 1, b->rows + 1, &b->pointer_length) ||
        !abuti_text_integer(text, "second index length", b->count, b->count, &b->index_length) ||
        !abuti_text_integers(text, "row pointer", (size_t)b->pointer_length, 0, b->count, &b->row_pointer) ||
        !abuti_text_integers(text, "column index", (size_t)b->index_length, 0, b->columns - 1,
                             &b->column_index))
        return false;
    for (int i = 0; i + 1 < b->pointer_length; ++i)
        if (b->row_pointer[i + 1] < b->row_pointer[i])
            return abuti_text_fail(text, "row pointer[%d]: %d; expected at least %d", i + 1,
                                   b->row_pointer[i + 1], b->row_pointer[i]);
    if (b->row_pointer[0] != 0 || b->row_pointer[b->pointer_length - 1] != b->count)
        return abuti_text_fail(text, "the row pointer runs from %d to %d; expected 0 to %d",
                               b->row_pointer[0], b->row_pointer[b->pointer_length - 1], b->count);
    return true;
}

static bool read_block(abuti_text *text, const char *label, const blocks *b, int block, int block_row, int n,
                       double *matrix)
{
    int number, column = b->column_index[block];
    int r0 = block_row == 0 ? 0 : b->row_end[block_row - 1], r1 = b->row_end[block_row];
    int c0 = column == 0 ? 0 : b->column_end[column - 1], c1 = b->column_end[column];
    if (!abuti_text_integer(text, "block number", block, block, &number)) return false;
    for (int j = c0; j < c1; ++j)
        for (int i = r0; i < r1; ++i) {
            char each[ABUTI_LABEL_MAX];
            double value;
            snprintf(each, sizeof each, "%s[%d][%d]", label, i, j);
            if (!abuti_text_number(text, each, &value)) return false;
            matrix[(size_t)i * (size_t)n + (size_t)j] = value;
        }
    return true;
}

static bool read_blocks(abuti_text *text, const char *label, int n, int tail, double **matrix)
{
    blocks b = {0};
    bool fine = read_block_structure(text, n, &b) &&
                make_zero(text, label, n, 2 * (size_t)b.count + (size_t)tail, matrix);
    for (int i = 0; fine && i + 1 < b.pointer_length; ++i)
        for (int k = b.row_pointer[i]; fine && k < b.row_pointer[i + 1]; ++k)
            fine = read_block(text, label, &b, k, i, n, *matrix);
    release_blocks(&b);
    return fine;
}

/* ---- storage 2: what cs_print wrote ---- */

/* cs_print writes indices as %g. */
static bool read_index(abuti_text *text, const char *label, int high, int *index)
{
    double value;
    if (!abuti_text_number(text, label, &value)) return false;
    if (!(value >= 0 && value <= high) || value != floor(value))
        return abuti_text_fail(text, "%s: %g; expected a whole number from 0 to %d", label, value, high);
    *index = (int)value;
    return true;
}

/* "1334-by-1334, nzmax: 3822 nnz: 3822, 1-norm: 7152.83", with "triplet:" before it for triplets. */
static bool read_cs_head(abuti_text *text, int n, bool triplets, int *entries)
{
    char sizes[64], quote[40], *end = NULL;
    double ignored;
    if (!abuti_text_expect(text, "CSparse")) return false;
    abuti_text_skip_line(text);
    if (triplets && !abuti_text_expect(text, "triplet:")) return false;
    snprintf(sizes, sizeof sizes, "%d-by-%d,", n, n);
    if (!abuti_text_expect(text, sizes) || !abuti_text_expect(text, "nzmax:") ||
        !abuti_text_number(text, "nzmax", &ignored) || !abuti_text_expect(text, "nnz:"))
        return false;
    double count = abuti_text_word(text) ? strtod(text->word, &end) : NAN;
    if (!(count >= 0 && count <= (double)n * n) || !(*end == '\0' || strcmp(end, ",") == 0))
        return abuti_text_fail(text, "nnz: '%s'; expected a whole number from 0 to n * n",
                               abuti_text_quote(text, quote));
    *entries = (int)count;
    abuti_text_skip_line(text);
    return true;
}

static bool read_value(abuti_text *text, const char *label, int i, int j, int n, double *matrix)
{
    char each[ABUTI_LABEL_MAX];
    double value;
    snprintf(each, sizeof each, "%s[%d][%d]", label, i, j);
    if (!abuti_text_expect(text, ":") || !abuti_text_number(text, each, &value)) return false;
    matrix[(size_t)i * (size_t)n + (size_t)j] += value;
    return true;
}

static bool read_cs_triplets(abuti_text *text, const char *label, int n, int entries, double *matrix)
{
    for (int e = 0; e < entries; ++e) {
        int i = 0, j = 0;
        if (!read_index(text, "row", n - 1, &i) || !read_index(text, "column", n - 1, &j) ||
            !read_value(text, label, i, j, n, matrix))
            return false;
    }
    return true;
}

/* "    col 0 : locations 0 to 1", then a line "      row : value" for each location. */
static bool read_cs_columns(abuti_text *text, const char *label, int n, int entries, double *matrix)
{
    int seen = 0;
    for (int j = 0; j < n; ++j) {
        int column = 0, first = 0, last = 0, i = 0;
        if (!abuti_text_expect(text, "col") || !read_index(text, "column", n - 1, &column) ||
            !abuti_text_expect(text, ":") || !abuti_text_expect(text, "locations") ||
            !read_index(text, "first location", entries, &first) || !abuti_text_expect(text, "to"))
            return false;
        /* An empty column ends at location first - 1, which is -1 at the very front. */
        char *end = NULL;
        double number = abuti_text_word(text) ? strtod(text->word, &end) : NAN;
        if (!(number >= -1 && number < entries) || *end != '\0' || number != floor(number))
            return abuti_text_fail(text, "last location; expected a whole number below %d", entries);
        last = (int)number;
        if (column != j || first != seen || last < first - 1)
            return abuti_text_fail(text,
                                   "column %d, locations %d to %d; expected column %d from location %d on",
                                   column, first, last, j, seen);
        for (; seen <= last; ++seen)
            if (!read_index(text, "row", n - 1, &i) || !read_value(text, label, i, j, n, matrix))
                return false;
    }
    return seen == entries || abuti_text_fail(text, "%d entries; expected nnz = %d", seen, entries);
}

static bool read_cs(abuti_text *text, const char *label, int n, int tail, double **matrix)
{
    int origin = 0, entries = 0;
    if (!abuti_text_integer(text, "sparse origin", 1, 2, &origin) ||
        !read_cs_head(text, n, origin == 1, &entries) ||
        !make_zero(text, label, n, 3 * (size_t)entries + (size_t)tail, matrix))
        return false;
    return origin == 1 ? read_cs_triplets(text, label, n, entries, *matrix)
                       : read_cs_columns(text, label, n, entries, *matrix);
}

/* ---- all storages ---- */

bool abuti_siconos_matrix(abuti_text *text, const char *label, int n, int tail, double **matrix)
{
    int storage, rows, columns;
    *matrix = NULL;
    if (!abuti_text_integer(text, "storage", 0, 2, &storage) ||
        !abuti_text_integer(text, "rows", n, n, &rows) ||
        !abuti_text_integer(text, "columns", n, n, &columns))
        return false;
    bool fine = storage == 0   ? read_dense(text, label, n, matrix)
                : storage == 1 ? read_blocks(text, label, n, tail, matrix)
                               : read_cs(text, label, n, tail, matrix);
    if (!fine) {
        free(*matrix);
        *matrix = NULL;
    }
    return fine;
}

void abuti_siconos_vector_write(FILE *file, const double *values, int count)
{
    for (int i = 0; i < count; ++i) fprintf(file, "%s%.17g", i > 0 ? " " : "", values[i]);
    fputc('\n', file);
}

void abuti_siconos_matrix_write(FILE *file, const double *matrix, int n, int ld)
{
    fprintf(file, "0\n%d\n%d\n%d\t%d\n", n, n, n, n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            fprintf(file, "%.17g%c", matrix[(size_t)i * (size_t)ld + (size_t)j], i + 1 < n ? ' ' : '\n');
}
