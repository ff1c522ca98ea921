/* Dense LU factorisation with partial pivoting: P A = L U, and what one does with it.
 *
 *     abuti_lu lu;
 *     abuti_lu_layout(&lu, arena, capacity);          once, inside a workspace's layout
 *     abuti_lu_start(&lu, n);                          then fill abuti_lu_row(&lu, i)[0 .. n-1]
 *     if (abuti_lu_factor(&lu)) abuti_lu_solve(&lu, b, x);
 */
#ifndef ABUTI_LINALG_LU_H
#define ABUTI_LINALG_LU_H

#include "base/arena.h"
#include "linalg/kernels.h"
#include <stdbool.h>

typedef struct abuti_lu {
    const abuti_kernels *kernels;
    int n;            /* order of the present matrix */
    int ld;           /* leading dimension; fixed by the capacity */
    double *A;        /* A before, L (unit diagonal, below) and U after the factorisation */
    int *permutation; /* row i of L U is row permutation[i] of A */
    double *work;     /* scratch, `ld` numbers */
} abuti_lu;

/* Room for matrices up to order `capacity`. */
void abuti_lu_layout(abuti_lu *lu, abuti_arena *arena, int capacity);

/* Begins a matrix of order n, all zero. */
void abuti_lu_start(abuti_lu *lu, int n);
static inline double *abuti_lu_row(abuti_lu *lu, int i)
{
    return lu->A + (size_t)i * (size_t)lu->ld;
}

/* A pivot below this part of the matrix's largest entry, times n, is rounding noise. */
#define ABUTI_LU_SINGULAR 2e-16

/* Factors in place. False when the matrix is singular to working precision or holds NaN. */
bool abuti_lu_factor(abuti_lu *lu);

/* x = A^-1 b; x and b are different arrays of n numbers. */
void abuti_lu_solve(const abuti_lu *lu, const double *b, double *x);

/* H = A^-1: n rows of abuti_padded(n) numbers (padding zero), leading dimension ldh. */
void abuti_lu_invert(abuti_lu *lu, double *H, int ldh);

#endif
