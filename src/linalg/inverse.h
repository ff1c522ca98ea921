/* The inverse H of a small square matrix B, kept up to date while B gains, loses or changes a row or a
 * column; each change costs one rank-one update, O(m^2).
 *
 * B itself is not stored: its owner knows it. Rows of H belong to columns of B and the other way
 * round. Every change divides by one number, its pivot; the owner learns it beforehand from the
 * vectors it passes in, and should rebuild (abuti_inverse_rebuild) rather than divide by a pivot that
 * is small beside what it was computed from. Errors of H stay in H until it is rebuilt, so owners watch
 * the residuals of what they solve.
 *
 * With m the order of B:
 *
 *     change of B                         vectors                            pivot
 *     [B a; b' d]          border         v = H a, u = H' b                  d - b'v
 *     column j := a        replace_column v = H a                            v[j]
 *     row i := b'          replace_row    u = H' b                           u[i]
 *     drop row i, column j remove         -                                  H[j][i]
 *
 * remove moves the last row of B into place i and the last column into place j. */
#ifndef ABUTI_LINALG_INVERSE_H
#define ABUTI_LINALG_INVERSE_H

#include "base/arena.h"
#include "linalg/kernels.h"
#include "linalg/lu.h"
#include <stdbool.h>

typedef struct abuti_inverse {
    const abuti_kernels *kernels;
    int m;        /* order of B */
    int ld;       /* leading dimension of H; fixed by the capacity */
    double *H;    /* m rows; columns m .. abuti_padded(m)-1 are zero */
    double *work; /* two vectors of `ld` numbers */
} abuti_inverse;

void abuti_inverse_layout(abuti_inverse *inverse, abuti_arena *arena, int capacity);

/* B = [b]; b is not zero. */
void abuti_inverse_start(abuti_inverse *inverse, double b);

/* H = B^-1 from a factored B. */
void abuti_inverse_rebuild(abuti_inverse *inverse, abuti_lu *factored);

static inline const double *abuti_inverse_row(const abuti_inverse *inverse, int j)
{
    return inverse->H + (size_t)j * (size_t)inverse->ld;
}

/* x = H b (one, or two in one pass) and x = H' b. Vectors of abuti_padded(m) numbers, padding zero in and
 * out. */
void abuti_inverse_solve(const abuti_inverse *inverse, const double *b, double *x);
void abuti_inverse_solve_two(const abuti_inverse *inverse, const double *b1, const double *b2, double *x1,
                             double *x2);
void abuti_inverse_solve_transposed(const abuti_inverse *inverse, const double *b, double *x);

/* The changes; v and u are padded vectors as above and are only read. */
void abuti_inverse_border(abuti_inverse *inverse, const double *v, const double *u, double pivot);
void abuti_inverse_replace_column(abuti_inverse *inverse, int j, const double *v);
void abuti_inverse_replace_row(abuti_inverse *inverse, int i, const double *u);
void abuti_inverse_remove(abuti_inverse *inverse, int i, int j);

#endif
