/* bench.h: the frame of `abut bench NAME`.
 *
 * A benchmark is one row in the table of benches.c: a name, a sentence, a function. The function
 * makes problems, solves each under the clock, has every answer verified outside the clock, and
 * reports series; the frame computes medians and prints them as a table, as JSON or as CSV.
 *
 *     void bench_run_example(bench *b) {
 *         bench_series s = bench_begin(b, "peg", n, "lemke");
 *         for (int i = 0; i < bench_count(b, 20); ++i) {
 *             ... make problem i from bench_random_stream(b->seed, i) ...
 *             double start = bench_now_us();
 *             ... solve ...
 *             double us = bench_now_us() - start;
 *             bench_add(&s, us, result.outcome == ABUT_SOLVED, result.residual, result.pivots);
 *         }
 *         bench_row *row = bench_end(b, &s);
 *         bench_extra(row, "limit_us", 4000);            // a further column, where there is one
 *         bench_note(b, "lemke: exponent %.2f", e);      // a sentence under the table
 *     }
 */
#ifndef ABUT_BENCH_H
#define ABUT_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define BENCH_EXTRA_MAX 24
#define BENCH_NAME_MAX 48

/* One line of the result; the names of the fields are those of the JSON and CSV output. */
typedef struct bench_row {
    char family[BENCH_NAME_MAX];
    int size;
    char solver[BENCH_NAME_MAX];
    int count;             /* problems */
    int solved;            /* of these, solved and accepted by the verifier */
    double worst_residual; /* over the solved ones */
    double pivots;         /* mean */
    double p50_us, p99_us; /* of one solve */
    int extra_count;
    struct {
        char name[BENCH_NAME_MAX];
        double value;
    } extra[BENCH_EXTRA_MAX];
} bench_row;

/* The running report. */
typedef struct bench {
    const char *name;
    uint64_t seed;       /* of all random problems */
    int wanted;          /* problems a row; 0: what the benchmark thinks right */
    double yardstick_us; /* the median time of one plain 50 x 50 Gaussian elimination, measured now */
    bool progress;       /* tell a terminal which row is running */
    bool failed;         /* out of memory, or a problem that could not be made */
    bench_row *rows;
    int row_count, row_capacity;
    char (*notes)[256];
    int note_count, note_capacity;
} bench;

/* Measurements of one row while it runs. */
typedef struct bench_series {
    bench_row row;
    double *us;
    int capacity;
    double pivot_sum;
} bench_series;

bench_series bench_begin(bench *b, const char *family, int size, const char *solver);
void bench_add(bench_series *series, double us, bool solved, double residual, int pivots);
/* Files the row and forgets the series. The row is valid until the next bench_end; never NULL. */
bench_row *bench_end(bench *b, bench_series *series);
/* Sorts the values and returns the smallest that at least `share` of them do not exceed; NaN when there are none. */
double bench_quantile(double *values, int count, double share);
void bench_extra(bench_row *row, const char *name, double value);
void bench_note(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How many problems a row shall have: the user's wish, or the usual count. */
int bench_count(const bench *b, int usual);
/* The problem to solve at place `at` of `rounds` rounds over `count` problems. Each problem has its turn once a round,
 * and each round begins with another one. */
int bench_rotated(int at, int count, int rounds);

/* Slope of log(p50) over log(size), by least squares over the rows of a family and solver with
 * sizes in low .. high; NaN with fewer than two rows. */
double bench_exponent(const bench *b, const char *family, const char *solver, int low, int high);

/* The table of benchmarks, in benches.c; ends with a NULL name. */
typedef struct bench_entry {
    const char *name;
    const char *summary;
    void (*run)(bench *b);
} bench_entry;
extern const bench_entry bench_entries[];

/* yardstick.c: median time in us of one plain Gaussian elimination with partial pivoting. */
double bench_yardstick_us(int n, int repetitions);
/* Solves A x = b of size n in place (A row-major, overwritten; b becomes x); false when singular. */
bool bench_gaussian_elimination(int n, double *a, double *b);

/* report.c */
const char *bench_machine(void);
void bench_print_table(const bench *b, FILE *file);
void bench_print_json(const bench *b, FILE *file);
void bench_print_csv(const bench *b, FILE *file);
void bench_free(bench *b);

#endif
