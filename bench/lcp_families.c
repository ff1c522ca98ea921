/* Random LCPs by matrix class. Where a family is solvable by construction, a solution is chosen first
 * and q follows from it, or the class guarantees one for every q. */
#include "lcp_families.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void fill_normal(bench_random *random, int count, double *x)
{
    for (int i = 0; i < count; ++i) x[i] = bench_normal(random);
}

/* M = N N' for N of n rows and `rank` columns, exactly symmetric. */
static void gram(int n, int rank, const double *N, double *M)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = 0; k < rank; ++k) sum += N[i * rank + k] * N[j * rank + k];
            M[i * n + j] = M[j * n + i] = sum;
        }
    }
}

/* q = w - M z for complementary z, w >= 0 of which about a tenth are both zero: degenerate, solvable. */
static void q_from_solution(bench_random *random, int n, const double *M, double *q, double *z)
{
    for (int i = 0; i < n; ++i) z[i] = bench_below(random, 2) ? bench_uniform(random, 0, 2) : 0;
    for (int i = 0; i < n; ++i) {
        double w = z[i] == 0 && bench_below(random, 5) ? bench_uniform(random, 0, 2) : 0;
        for (int j = 0; j < n; ++j) w -= M[i * n + j] * z[j];
        q[i] = w;
    }
}

static void make_definite(bench_random *random, int n, double *M, double *q, double *scratch)
{
    fill_normal(random, n * n, scratch);
    gram(n, n, scratch, M);
    for (int i = 0; i < n; ++i) M[i * n + i] += 0.01 * n;
    fill_normal(random, n, q);
}

/* Rank 1 .. n, q in the range of M plus a nonnegative part: what redundant contacts give. */
static void make_semidefinite(bench_random *random, int n, double *M, double *q, double *scratch)
{
    int rank = 1 + bench_below(random, n);
    double *a = scratch + (ptrdiff_t)n * n;
    fill_normal(random, n * rank, scratch);
    fill_normal(random, rank, a);
    gram(n, rank, scratch, M);
    for (int i = 0; i < n; ++i) {
        q[i] = bench_below(random, 4) ? 0 : bench_uniform(random, 0, 1);
        for (int k = 0; k < rank; ++k) q[i] += scratch[i * rank + k] * a[k];
    }
}

/* Any q. Where the part of q outside the range of M cannot be met by w >= 0, the problem is infeasible. */
static void make_semidefinite_any_q(bench_random *random, int n, double *M, double *q, double *scratch)
{
    int rank = 1 + bench_below(random, n);
    fill_normal(random, n * rank, scratch);
    gram(n, rank, scratch, M);
    fill_normal(random, n, q);
}

/* Every row stands there two or three times: copies of one contact. */
static void make_duplicated(bench_random *random, int n, double *M, double *q, double *scratch)
{
    int distinct = (n + 2) / 3, rank = distinct < 6 ? distinct : 6;
    double *N = scratch, *rows = scratch + (ptrdiff_t)n * n, a[6];
    fill_normal(random, distinct * rank, N);
    fill_normal(random, rank, a);
    for (int i = 0; i < n; ++i) {
        int source = i < distinct ? i : bench_below(random, distinct);
        memcpy(rows + (ptrdiff_t)i * rank, N + (ptrdiff_t)source * rank, (size_t)rank * sizeof *rows);
    }
    gram(n, rank, rows, M);
    for (int i = 0; i < n; ++i) {
        q[i] = 0;
        for (int k = 0; k < rank; ++k) q[i] += rows[i * rank + k] * a[k];
    }
}

/* Small integers only: all arithmetic is exact for a while, and ratios tie exactly. */
static void make_ties(bench_random *random, int n, double *M, double *q, double *scratch)
{
    int rank = 1 + bench_below(random, n);
    double *z = scratch + (ptrdiff_t)n * n;
    for (int i = 0; i < n * rank; ++i) scratch[i] = bench_below(random, 3) - 1;
    gram(n, rank, scratch, M);
    for (int i = 0; i < n; ++i) z[i] = bench_below(random, 2);
    for (int i = 0; i < n; ++i) {
        q[i] = z[i] == 0 ? bench_below(random, 2) : 0;
        for (int j = 0; j < n; ++j) q[i] -= M[i * n + j] * z[j];
    }
}

/* D (N N') D with D from 1e-8 to 1e8: one scale a variable, as with masses of grams and tons. */
static void make_badly_scaled(bench_random *random, int n, double *M, double *q, double *scratch)
{
    double *d = scratch + 2 * (ptrdiff_t)n * n;
    make_definite(random, n, M, q, scratch);
    double scale = pow(10, bench_uniform(random, -8, 8));
    for (int i = 0; i < n; ++i) d[i] = pow(10, bench_uniform(random, -8, 8));
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) M[i * n + j] *= d[i] * d[j];
        q[i] *= d[i] * scale;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) M[i * n + j] = M[j * n + i];
    }
}

/* Positive definite but not symmetric, hence P. */
static void make_p(bench_random *random, int n, double *M, double *q, double *scratch)
{
    make_definite(random, n, M, q, scratch);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            double skew = bench_normal(random) * n;
            M[i * n + j] += skew;
            M[j * n + i] -= skew;
        }
    }
}

/* Nonnegative with a positive diagonal: strictly copositive, so Lemke ends at a solution. */
static void make_copositive(bench_random *random, int n, double *M, double *q, double *scratch)
{
    (void)scratch;
    for (int i = 0; i < n * n; ++i) M[i] = bench_below(random, 2) ? bench_uniform(random, 0, 1) : 0;
    for (int i = 0; i < n; ++i) M[i * n + i] = bench_uniform(random, 0.1, 1);
    fill_normal(random, n, q);
}

/* An M-matrix: off-diagonal entries <= 0, diagonally dominant, hence P. */
static void make_z(bench_random *random, int n, double *M, double *q, double *scratch)
{
    (void)scratch;
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < n; ++j) {
            M[i * n + j] = i != j && bench_below(random, 2) ? -bench_uniform(random, 0, 1) : 0;
            sum -= M[i * n + j];
        }
        M[i * n + i] = sum * bench_uniform(random, 1.01, 1.5) + 0.01;
    }
    fill_normal(random, n, q);
}

/* Off-diagonal entries <= 0 and any diagonal: a solution, or none at all. */
static void make_z_any_q(bench_random *random, int n, double *M, double *q, double *scratch)
{
    (void)scratch;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) M[i * n + j] = -bench_uniform(random, 0, 1) / n;
        M[i * n + i] = bench_uniform(random, 0, 1);
    }
    fill_normal(random, n, q);
}

/* M = [0 -A'; A 0] */
static void fill_programme(bench_random *random, int n, double *M)
{
    for (int i = 0; i < n; ++i) {
        M[i * n + i] = 0;
        for (int j = 0; j < i; ++j) {
            bool coupled = (i < (n + 1) / 2) != (j < (n + 1) / 2);
            double value = coupled ? bench_normal(random) : 0;
            M[i * n + j] = value;
            M[j * n + i] = -value;
        }
    }
}

/* The optimality conditions of a linear programme with a solution. */
static void make_skew(bench_random *random, int n, double *M, double *q, double *scratch)
{
    fill_programme(random, n, M);
    q_from_solution(random, n, M, q, scratch);
}

/* Of one that may have none. */
static void make_skew_any_q(bench_random *random, int n, double *M, double *q, double *scratch)
{
    (void)scratch;
    fill_programme(random, n, M);
    fill_normal(random, n, q);
}

/* Positive semidefinite, neither symmetric nor skew, with a chosen degenerate solution. */
static void make_unsymmetric(bench_random *random, int n, double *M, double *q, double *scratch)
{
    int rank = 1 + bench_below(random, n);
    fill_normal(random, n * rank, scratch);
    gram(n, rank, scratch, M);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            double skew = bench_normal(random);
            M[i * n + j] += skew;
            M[j * n + i] -= skew;
        }
    }
    q_from_solution(random, n, M, q, scratch);
}

/* Anything: solutions, none, or several. */
static void make_any(bench_random *random, int n, double *M, double *q, double *scratch)
{
    (void)scratch;
    fill_normal(random, n * n, M);
    fill_normal(random, n, q);
}

#define DECIDED .decided = true
#define SOLVABLE DECIDED, .solvable = true
#define UNIQUE SOLVABLE, .unique = true

/* clang-format off */
const lcp_family lcp_families[] = {
    {"definite", "symmetric positive definite, q of random sign", .semidefinite = true, UNIQUE, .make = make_definite},
    {"semidefinite", "symmetric of every rank, q in its range", .semidefinite = true, SOLVABLE, .make = make_semidefinite},
    {"semidefinite-any-q", "symmetric of every rank, any q", .semidefinite = true, DECIDED, .make = make_semidefinite_any_q},
    {"duplicated", "rank 6 at most, every row several times", .semidefinite = true, SOLVABLE, .make = make_duplicated},
    {"ties", "small integers, exact ties", .semidefinite = true, SOLVABLE, .make = make_ties},
    {"badly-scaled", "positive definite, scales from 1e-8 to 1e8", .semidefinite = true, UNIQUE, .make = make_badly_scaled},
    {"p", "positive definite, unsymmetric", UNIQUE, .make = make_p},
    {"copositive", "nonnegative, positive diagonal", SOLVABLE, .make = make_copositive},
    {"z", "M-matrix", UNIQUE, .make = make_z},
    {"skew", "a linear programme's optimality conditions", SOLVABLE, .make = make_skew},
    {"unsymmetric", "semidefinite and unsymmetric, degenerate", SOLVABLE, .make = make_unsymmetric},
    {"z-any-q", "nonpositive off the diagonal, any q", DECIDED, .make = make_z_any_q},
    {"skew-any-q", "a linear programme, any q", DECIDED, .make = make_skew_any_q},
    {"any", "normal random numbers", .make = make_any},
};
/* clang-format on */
const int lcp_family_count = (int)(sizeof lcp_families / sizeof lcp_families[0]);

const lcp_family *lcp_family_find(const char *name)
{
    for (int k = 0; k < lcp_family_count; ++k) {
        if (strcmp(lcp_families[k].name, name) == 0) return &lcp_families[k];
    }
    return NULL;
}
