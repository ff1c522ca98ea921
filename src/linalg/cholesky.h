/* The Cholesky factor A_SS = L L' of a symmetric positive definite block, kept while the block grows and shrinks
 * by one row at a time. An insertion, deletion or solve costs O(k^2). The caller keeps the list S in the same
 * order. */
#ifndef ABUTI_CHOLESKY_H
#define ABUTI_CHOLESKY_H

#include <stdbool.h>

typedef struct abuti_cholesky {
    int k;     /* rows now */
    int ld;    /* room for so many rows */
    double *L; /* ld x ld, row-major; what stands above the diagonal is not read */
} abuti_cholesky;

/* Appends a row: `row` holds its products with the k rows that are there, `diagonal` its product with itself.
 * When it depends on the others, which means that what is left of the diagonal is not above tolerance *
 * diagonal, the factor does not change and the answer is false. `row` is overwritten. */
bool abuti_cholesky_insert(abuti_cholesky *c, double *row, double diagonal, double tolerance);

/* Appends many rows at once, much faster than one by one: index[0 .. k-1] are the rows of A that are there,
 * index[k .. count-1] those to come; A is symmetric with leading dimension lda. Rows that depend on others
 * (as above, or beyond what rounding lets one tell) are taken out of the list; each time the last row of the list
 * takes the free place. Returns how many rows the list and the factor have then. `work` holds `count` numbers. */
int abuti_cholesky_append(abuti_cholesky *c, const double *A, int lda, int *index, int count,
                          double tolerance, double *work);

/* Appends a row whose entries in terms of L are known: `row` = L^-1 products, `pivot` > 0 its own. */
void abuti_cholesky_extend(abuti_cholesky *c, const double *row, double pivot);

/* Takes row p out; the rows behind it move up by one. */
void abuti_cholesky_delete(abuti_cholesky *c, int p);

/* Solves L L' x = b in place. */
void abuti_cholesky_solve(const abuti_cholesky *c, double *x);

/* The halves of a solve: L x = b, and L' x = b. */
void abuti_cholesky_forward(const abuti_cholesky *c, double *x);
void abuti_cholesky_backward(const abuti_cholesky *c, double *x);

#endif
