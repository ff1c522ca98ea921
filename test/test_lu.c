/* LU with partial pivoting: solutions, inverse, singular matrices. */
#include "check.h"
#include "dense.h"
#include "linalg/lu.h"

enum { MOST = 60 };

static void load(abuti_lu *lu, int n, const double *A)
{
    abuti_lu_start(lu, n);
    for (int i = 0; i < n; ++i) memcpy(abuti_lu_row(lu, i), A + i * n, (size_t)n * sizeof(double));
}

/* max |b - A x| */
static double residual(int n, const double *A, const double *b, const double *x)
{
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        long double sum = -b[i];
        for (int j = 0; j < n; ++j) sum += (long double)A[i * n + j] * x[j];
        if (!(fabsl(sum) <= worst)) worst = (double)fabsl(sum);
    }
    return worst;
}

static void check_one(abuti_lu *lu, bench_random *random, int n)
{
    static double A[MOST * MOST], H[MOST * 64], b[MOST], x[MOST];
    dense_random(random, n, 0, A);
    if (n > 1) A[0] = 0; /* needs a row exchange */
    for (int i = 0; i < n; ++i) b[i] = bench_normal(random);
    load(lu, n, A);
    CHECK(abuti_lu_factor(lu));
    abuti_lu_solve(lu, b, x);
    /* Backward stable: residual of n roundings times the growth of the solution. */
    double unit = 1e-15 * n * dense_max_abs(n * n, A);
    CHECK_NEAR(residual(n, A, b, x), 0, unit * (1 + n * dense_max_abs(n, x)));

    int ld = abuti_padded(n);
    abuti_lu_invert(lu, H, ld);
    double inverse_size = 0, error = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < ld; ++j) {
            long double sum = i == j ? -1 : 0;
            for (int k = 0; k < n && j < n; ++k) sum += (long double)A[i * n + k] * H[k * ld + j];
            error = fmax(error, (double)fabsl(sum));
            inverse_size = fmax(inverse_size, fabs(H[i * ld + j]));
            if (j >= n) CHECK(H[i * ld + j] == 0);
        }
    }
    CHECK_NEAR(error, 0, unit * n * inverse_size);
}

static void test_random(void)
{
    bench_random random = bench_random_stream(check_seed(11), 0);
    abuti_lu lu;
    abuti_arena arena;
    DENSE_LAYOUT(abuti_lu_layout(&lu, &arena, MOST), arena);
    for (int n = 1; n <= MOST; ++n) check_one(&lu, &random, n);
    for (int round = 0; round < 200; ++round) check_one(&lu, &random, 1 + round % 9);
    dense_free(arena.base);
}

static void test_singular(void)
{
    bench_random random = bench_random_stream(check_seed(12), 0);
    abuti_lu lu;
    abuti_arena arena;
    DENSE_LAYOUT(abuti_lu_layout(&lu, &arena, MOST), arena);
    static double A[MOST * MOST];
    for (int n = 1; n <= MOST; ++n) {
        dense_random(&random, n, 0, A);
        for (int j = 0; j < n; ++j)
            A[(n - 1) * n + j] = n > 1 ? A[j] : 0; /* the last row repeats the first */
        load(&lu, n, A);
        CHECK(!abuti_lu_factor(&lu));
        A[0] = NAN;
        load(&lu, n, A);
        CHECK(!abuti_lu_factor(&lu));
    }
    load(&lu, 0, A);
    CHECK(abuti_lu_factor(&lu));
    dense_free(arena.base);
}

int main(void)
{
    RUN(test_random);
    RUN(test_singular);
    return check_report();
}
