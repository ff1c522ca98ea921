/* The inner loops of the dense linear algebra, in several widths, chosen at run time.
 *
 * There is one body of code, kernels.inl, written in blocks of eight doubles (lanes.h). It is compiled
 * once for any machine (kernels_plain.c), once for AVX2 with FMA and once for AVX-512. Every kernel adds in
 * one fixed order that does not depend on the vector width: dot products keep eight partial sums, element i
 * in sum i mod 8, everything else works lane by lane. So the variants with fused multiply-add give the same
 * bits, with every compiler and at every optimisation level; the plain one rounds twice where they round
 * once.
 *
 * Any count is allowed, 0 too. Multiples of ABUTI_LANES run without a scalar tail, so matrices keep
 * their rows padded (abuti_padded) with zeros; a padded count then gives the same bits as the bare
 * one. Arrays that are written must not overlap those that are read. Matrices are row-major. */
#ifndef ABUTI_LINALG_KERNELS_H
#define ABUTI_LINALG_KERNELS_H

#include "linalg/lanes.h"

/* n rounded up to a multiple of ABUTI_LANES. */
static inline int abuti_padded(int n)
{
    return (n + ABUTI_LANES - 1) / ABUTI_LANES * ABUTI_LANES;
}

/* A leading dimension for rows of n numbers: padded, and an odd number of cache lines, so that a
 * walk down a column does not fall on a few cache sets only. */
static inline int abuti_leading_dimension(int n)
{
    return (abuti_padded(n) / ABUTI_LANES | 1) * ABUTI_LANES;
}

typedef struct abuti_kernels {
    const char *name; /* "plain", "avx2", "avx512" */

    /* x'y */
    double (*dot)(int n, const double *x, const double *y);
    /* y += a x */
    void (*axpy)(int n, double a, const double *x, double *y);
    /* y = a x */
    void (*scaled_copy)(int n, double a, const double *x, double *y);
    /* max |x_i|, 0 for n = 0; a NaN is passed over: test sums or results for it, not this */
    double (*max_abs)(int n, const double *x);
    /* A += x y' on `rows` x `cols` */
    void (*rank_one)(int rows, int cols, double *A, int ld, const double *x, const double *y);
    /* y = A x, each y_i with the bits of dot */
    void (*multiply)(int rows, int cols, const double *A, int ld, const double *x, double *y);
    /* y1 = A x1 and y2 = A x2 in one pass over A */
    void (*multiply_two)(int rows, int cols, const double *A, int ld, const double *x1, const double *x2,
                         double *y1, double *y2);
    /* y += A' x: `cols` numbers, the rows of A added in their order */
    void (*add_transposed)(int rows, int cols, const double *A, int ld, const double *x, double *y);
    /* y1 += A' x1 and y2 += A' x2 in one pass over A */
    void (*add_transposed_two)(int rows, int cols, const double *A, int ld, const double *x1,
                               const double *x2, double *y1, double *y2);
    /* The first half of a ratio test with tolerances: over all i that fall, -rate_i > floor[0] + floor[1]
     * size_i, the least (max(value_i, 0) + slack[0] + slack[1] size_i) / -rate_i; infinity when none
     * falls. floor and slack are not negative. */
    double (*least_ratio)(int n, const double *value, const double *rate, const double *size,
                          const double floor[2], const double slack[2]);
} abuti_kernels;

/* The widest variant this processor runs. */
const abuti_kernels *abuti_kernels_get(void);

/* Every variant this processor runs, narrowest first; NULL past the last. For tests. */
const abuti_kernels *abuti_kernels_variant(int index);

#endif
