/* Random LCPs of the classes the theory speaks of, of every size, for the tests of solvers. Each is made from
 * its seed and index alone. `solvable` says what theory promises: a solution that Lemke's path reaches. */
#ifndef ABUT_TEST_LCP_FAMILY_H
#define ABUT_TEST_LCP_FAMILY_H

#include "random.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef enum lcp_family {
    LCP_P,               /* positive definite, not symmetric: one solution for every q */
    LCP_PD,              /* symmetric positive definite */
    LCP_PSD_FEASIBLE,    /* V V' of any rank, q so that a feasible point exists: solvable */
    LCP_PSD_ANY,         /* V V' of any rank, any q: solvable or infeasible */
    LCP_PSD_UNSYMMETRIC, /* V V' plus skew, feasible: solvable */
    LCP_COPOSITIVE,      /* positive entries: strictly copositive, solvable for every q */
    LCP_Z,               /* nonpositive off the diagonal, an M-matrix: one solution for every q */
    LCP_Z_ANY,           /* nonpositive off the diagonal, any q: solvable or infeasible */
    LCP_SKEW,            /* a linear program with primal and dual feasible points: solvable */
    LCP_SKEW_ANY,        /* a linear program that may have none */
    LCP_DUPLICATES,      /* V V' with every row of V there twice or more, feasible: solvable */
    LCP_TIES,            /* V V' and q of small whole numbers, feasible: exact ties everywhere */
    LCP_FAMILY_COUNT
} lcp_family;

static const char *const lcp_family_names[LCP_FAMILY_COUNT] = {
    "P",        "positive definite", "PSD feasible", "PSD any q",  "PSD unsymmetric", "copositive",
    "M-matrix", "Z any q",           "skew",         "skew any q", "duplicates",      "ties"};

static inline bool lcp_family_solvable(lcp_family family)
{
    return family != LCP_PSD_ANY && family != LCP_Z_ANY && family != LCP_SKEW_ANY;
}

static inline bool lcp_family_symmetric(lcp_family family)
{
    return family == LCP_PD || family == LCP_PSD_FEASIBLE || family == LCP_PSD_ANY ||
           family == LCP_DUPLICATES || family == LCP_TIES;
}

/* Adds V V' / rank with an n x rank V of normal numbers (or of -1, 0, 1 and without the division); each row
 * of V stands `copies` times. M has leading dimension ld. */
static inline void lcp_family_gram(bench_random *random, int n, int rank, int copies, bool whole, double *M,
                                   int ld)
{
    for (int k = 0; k < rank; k++) {
        double v[512];
        for (int i = 0; i < n; i++) {
            if (i % copies)
                v[i] = v[i - 1];
            else
                v[i] = whole ? bench_below(random, 3) - 1 : bench_normal(random);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) M[i * ld + j] += whole ? v[i] * v[j] : v[i] * v[j] / rank;
        }
    }
}

static inline void lcp_family_skew(bench_random *random, int n, double *M, int ld)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double x = bench_normal(random) / sqrt(n);
            M[i * ld + j] += x;
            M[j * ld + i] -= x;
        }
    }
}

/* M = [0 -A'; A 0]. */
static inline void lcp_family_program(bench_random *random, int n, double *M, int ld)
{
    int rows = n / 2, columns = n - rows;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            double x = bench_normal(random);
            M[(columns + i) * ld + j] = x;
            M[j * ld + columns + i] = -x;
        }
    }
}

/* q = w - M z for some z, w >= 0, about half of each zero; whole numbers when asked. */
static inline void lcp_family_feasible(bench_random *random, int n, bool whole, const double *M, int ld,
                                       double *q)
{
    double z[512];
    for (int i = 0; i < n; i++) {
        double size = whole ? bench_below(random, 3) : fabs(bench_normal(random));
        bool z_side = bench_below(random, 2);
        z[i] = z_side ? size : 0;
        q[i] = z_side ? 0 : size;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += M[i * ld + j] * z[j];
        q[i] -= sum;
    }
}

/* Problem `index` of a family, n <= 512; M with leading dimension ld >= n, padding set to zero. */
static inline void lcp_family_make(lcp_family family, uint64_t seed, uint64_t index, int n, double *M, int ld,
                                   double *q)
{
    bench_random random = bench_random_stream(seed + 1000 * (uint64_t)family, index);
    bool whole = family == LCP_TIES;
    int rank = 1 + bench_below(&random, n),
        copies = family == LCP_DUPLICATES ? 2 + bench_below(&random, 3) : 1;
    memset(M, 0, (size_t)n * (size_t)ld * sizeof(double));
    for (int i = 0; i < n; i++) q[i] = bench_normal(&random);
    switch (family) {
    case LCP_P:
    case LCP_PD:
        lcp_family_gram(&random, n, n, 1, false, M, ld);
        for (int i = 0; i < n; i++) M[i * ld + i] += 0.1;
        if (family == LCP_P) lcp_family_skew(&random, n, M, ld);
        break;
    case LCP_COPOSITIVE:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) M[i * ld + j] = bench_uniform(&random, 0, 1) + (i == j);
        }
        break;
    case LCP_Z:
    case LCP_Z_ANY:
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += M[i * ld + j] = i == j ? 0 : -bench_uniform(&random, 0, 1) / n;
            M[i * ld + i] = family == LCP_Z ? 0.05 - sum : bench_uniform(&random, 0, 1);
        }
        break;
    case LCP_SKEW:
    case LCP_SKEW_ANY: lcp_family_program(&random, n, M, ld); break;
    default:
        lcp_family_gram(&random, n, rank, copies, whole, M, ld);
        if (family == LCP_PSD_UNSYMMETRIC) lcp_family_skew(&random, n, M, ld);
    }
    if (family == LCP_PSD_FEASIBLE || family == LCP_PSD_UNSYMMETRIC || family == LCP_SKEW ||
        family == LCP_DUPLICATES || whole)
        lcp_family_feasible(&random, n, whole, M, ld, q);
}

#endif
