/* Equilibration: exact, reversible, blind to units, and never out of range. */
#include "check.h"
#include "lcp/equilibrate.h"
#include "lcp_families.h"

enum { MOST = 48, LD = 56 };

typedef struct bed {
    void *block;
    abuti_scales scales;
    double M[MOST * MOST], q[MOST], scratch[2 * MOST * MOST + 4 * MOST];
    double M_out[MOST * LD], q_out[MOST];
} bed;

static bed *make_bed(void)
{
    bed *b = calloc(1, sizeof *b);
    abuti_arena count = {0};
    abuti_scales_layout(&b->scales, &count, MOST);
    b->block = malloc(count.used + ABUTI_ALIGNMENT);
    abuti_arena arena = {.base = b->block, .capacity = count.used};
    abuti_scales_layout(&b->scales, &arena, MOST);
    CHECK(!arena.overflow);
    return b;
}

static void free_bed(bed *b)
{
    free(b->block);
    free(b);
}

static int ld_of(int n)
{
    return (n + 7) / 8 * 8;
}

static bool equilibrate(bed *b, int n)
{
    memset(b->M_out, 0xff, sizeof b->M_out); /* NaN: everything must be written */
    return abuti_equilibrate(&b->scales, n, b->M, n, b->q, b->M_out, ld_of(n), b->q_out);
}

/* Every nonzero row and column has its largest entry in [1/2, 4), q in [1, 2). */
static void check_range(const bed *b, int n)
{
    int ld = ld_of(n);
    double most_q = 0;
    for (int i = 0; i < n; ++i) {
        double row = 0, column = 0, row_in = 0, column_in = 0;
        for (int j = 0; j < n; ++j) {
            row = fmax(row, fabs(b->M_out[i * ld + j]));
            column = fmax(column, fabs(b->M_out[j * ld + i]));
            row_in = fmax(row_in, fabs(b->M[i * n + j]));
            column_in = fmax(column_in, fabs(b->M[j * n + i]));
        }
        CHECK_MSG(row_in == 0 ? row == 0 : row >= 0.5 && row < 4, "row %d: %g", i, row);
        CHECK_MSG(column_in == 0 ? column == 0 : column >= 0.5 && column < 4, "column %d: %g", i, column);
        most_q = fmax(most_q, fabs(b->q_out[i]));
        for (int j = n; j < ld; ++j) CHECK(b->M_out[i * ld + j] == 0);
    }
    double most_in = 0;
    for (int i = 0; i < n; ++i) most_in = fmax(most_in, fabs(b->q[i]));
    CHECK(most_in == 0 ? most_q == 0 : most_q >= 1 && most_q < 2);
}

static void check_exact(const bed *b, int n)
{
    int ld = ld_of(n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            int shift = b->scales.row[i] + b->scales.column[j];
            CHECK(b->M_out[i * ld + j] == ldexp(b->M[i * n + j], shift));
        }
        CHECK(b->q_out[i] == ldexp(b->q[i], b->scales.row[i]));
    }
}

static void test_families(void)
{
    uint64_t seed = check_seed(31);
    bed *b = make_bed();
    for (int f = 0; f < lcp_family_count; ++f) {
        for (int i = 0; i < 10; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            int n = 1 + (i * 5) % MOST;
            lcp_families[f].make(&random, n, b->M, b->q, b->scratch);
            bool symmetric = equilibrate(b, n);
            check_range(b, n);
            check_exact(b, n);
            if (lcp_families[f].semidefinite) {
                CHECK(symmetric);
                for (int k = 1; k < n; ++k)
                    CHECK_EQ_INT(b->scales.row[k] - b->scales.column[k],
                                 b->scales.row[0] - b->scales.column[0]);
            }
        }
    }
    free_bed(b);
}

/* (2^a M, 2^b q) becomes the very same problem. */
static void test_units(void)
{
    uint64_t seed = check_seed(32);
    static double M[MOST * LD], q[MOST];
    bed *b = make_bed();
    static const int powers[][2] = {{1, 0},   {27, 0},     {-27, 0},    {0, 27},
                                    {0, -27}, {400, -300}, {-401, 333}, {13, 13}};
    for (int i = 0; i < 40; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 1 + i % MOST;
        lcp_families[i % lcp_family_count].make(&random, n, b->M, b->q, b->scratch);
        equilibrate(b, n);
        memcpy(M, b->M_out, sizeof M);
        memcpy(q, b->q_out, sizeof q);
        const int *power = powers[i % 8];
        for (int k = 0; k < n * n; ++k) b->M[k] = ldexp(b->M[k], power[0]);
        for (int k = 0; k < n; ++k) b->q[k] = ldexp(b->q[k], power[1]);
        equilibrate(b, n);
        CHECK(memcmp(M, b->M_out, (size_t)n * (size_t)ld_of(n) * sizeof(double)) == 0);
        CHECK(memcmp(q, b->q_out, (size_t)n * sizeof(double)) == 0);
    }
    free_bed(b);
}

static void test_zeros_and_extremes(void)
{
    bed *b = make_bed();
    equilibrate(b, 3); /* all zero */
    check_range(b, 3);
    for (int i = 0; i < 3; ++i) CHECK_EQ_INT(b->scales.row[i] + b->scales.column[i], 0);

    /* a zero row, a zero column, the widest range of doubles */
    const double M[9] = {1e308, 0, 1e-308, 0, 0, 0, 1e-308, 0, 1e-300}, q[3] = {1e-308, -1e308, 0};
    memcpy(b->M, M, sizeof M);
    memcpy(b->q, q, sizeof q);
    equilibrate(b, 3);
    for (int i = 0; i < 9; ++i) CHECK(isfinite(b->M_out[i / 3 * 8 + i % 3]));
    for (int i = 0; i < 3; ++i) CHECK(isfinite(b->q_out[i]));
    check_range(b, 3);
    free_bed(b);
}

static void test_directions(void)
{
    int exponents[3] = {1500, -1500, 0};
    double x[3] = {1, 1, 0}, out[3];
    abuti_apply_direction(3, exponents, x, out);
    CHECK(out[0] == 1 && out[1] == 0 && out[2] == 0);
    exponents[0] = -1500;
    abuti_apply_direction(3, exponents, x, out);
    CHECK(out[0] == 1 && out[1] == 1);
}

int main(void)
{
    RUN(test_families);
    RUN(test_units);
    RUN(test_zeros_and_extremes);
    RUN(test_directions);
    return check_report();
}
