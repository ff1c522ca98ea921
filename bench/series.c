#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bench_series bench_begin(bench *b, const char *family, int size, const char *solver)
{
    bench_series series = {.row = {.size = size}};
    snprintf(series.row.family, sizeof series.row.family, "%s", family);
    snprintf(series.row.solver, sizeof series.row.solver, "%s", solver);
    if (b->progress) fprintf(stderr, "\r\033[K%s %d %s", family, size, solver);
    return series;
}

void bench_add(bench_series *series, double us, bool solved, double residual, int pivots)
{
    bench_row *row = &series->row;
    if (row->count == series->capacity) {
        int capacity = series->capacity == 0 ? 64 : 2 * series->capacity;
        double *grown = realloc(series->us, (size_t)capacity * sizeof *grown);
        if (!grown) return; /* the row then counts fewer problems */
        series->us = grown;
        series->capacity = capacity;
    }
    series->us[row->count++] = us;
    series->pivot_sum += pivots;
    if (solved) {
        row->solved++;
        row->worst_residual = fmax(row->worst_residual, residual);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(double *values, int count, double share)
{
    if (count == 0) return NAN;
    qsort(values, (size_t)count, sizeof *values, ascending);
    int rank = (int)ceil(share * count) - 1;
    return values[rank < 0 ? 0 : rank];
}

bench_row *bench_end(bench *b, bench_series *series)
{
    static bench_row nowhere; /* takes the row when memory has run out */
    bench_row *row = &series->row;
    if (row->count > 0) {
        row->p50_us = bench_quantile(series->us, row->count, 0.50);
        row->p99_us = bench_quantile(series->us, row->count, 0.99);
        row->pivots = series->pivot_sum / row->count;
    }
    free(series->us);
    series->us = NULL;
    if (b->row_count == b->row_capacity) {
        int capacity = b->row_capacity == 0 ? 32 : 2 * b->row_capacity;
        bench_row *grown = realloc(b->rows, (size_t)capacity * sizeof *grown);
        if (!grown) {
            b->failed = true;
            return &nowhere;
        }
        b->rows = grown;
        b->row_capacity = capacity;
    }
    b->rows[b->row_count] = *row;
    return &b->rows[b->row_count++];
}

void bench_extra(bench_row *row, const char *name, double value)
{
    if (row->extra_count == BENCH_EXTRA_MAX) return;
    snprintf(row->extra[row->extra_count].name, BENCH_NAME_MAX, "%s", name);
    row->extra[row->extra_count++].value = value;
}

void bench_note(bench *b, const char *format, ...)
{
    if (b->note_count == b->note_capacity) {
        int capacity = b->note_capacity == 0 ? 8 : 2 * b->note_capacity;
        void *grown = realloc(b->notes, (size_t)capacity * sizeof *b->notes);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->notes = grown;
        b->note_capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->notes[b->note_count++], sizeof *b->notes, format, arguments);
    va_end(arguments);
}

int bench_count(const bench *b, int usual)
{
    return b->wanted > 0 ? b->wanted : usual;
}

int bench_rotated(int at, int count, int rounds)
{
    int round = at / count;
    return (int)((at % count + (long long)round * count / rounds) % count);
}

double bench_exponent(const bench *b, const char *family, const char *solver, int low, int high)
{
    double count = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < b->row_count; ++i) {
        const bench_row *row = &b->rows[i];
        if (strcmp(row->family, family) != 0 || strcmp(row->solver, solver) != 0 || row->size < low ||
            row->size > high || !(row->p50_us > 0))
            continue;
        double x = log(row->size), y = log(row->p50_us);
        count += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double spread = count * sxx - sx * sx;
    return count >= 2 && spread > 0 ? (count * sxy - sx * sy) / spread : NAN;
}

void bench_free(bench *b)
{
    free(b->rows);
    free(b->notes);
    *b = (bench){0};
}
