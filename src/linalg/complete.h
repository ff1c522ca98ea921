/* Gaussian elimination with complete pivoting: square systems whose rank is not known beforehand.
 *
 * It is slower than partial pivoting (every step searches the whole remaining block), but it reveals the rank
 * reliably, which is what redundant contacts and dependent equations ask for. */
#ifndef ABUTI_COMPLETE_H
#define ABUTI_COMPLETE_H

#include <stdbool.h>

typedef struct abuti_complete {
    int n;
    int ld;
    int rank;     /* set by factor */
    double *LU;   /* n x ld: the factors, over the permuted matrix */
    int *row;     /* n: row[i] is the row of A that stands at place i */
    int *column;  /* n: column[j] is the column of A that stands at place j */
    double *work; /* n */
} abuti_complete;

/* Factors the matrix that stands in c->LU. A pivot below `tolerance` times the first one ends the
 * elimination: the rest counts as zero. Returns the rank. */
int abuti_complete_factor(abuti_complete *c, double tolerance);

/* Solves A x = b for the basic solution (unknowns outside the rank are 0). Returns false when the
 * system is inconsistent: an equation that was eliminated leaves more than `tolerance` * max |b|. b and x
 * may be the same array. */
bool abuti_complete_solve(const abuti_complete *c, const double *b, double *x, double tolerance);

#endif
