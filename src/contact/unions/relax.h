/* A dense tableau for the relaxations of unions/branch.c: is there a point with
 *
 *     w = B z + b,        every z_k and w_k zero, or of one sign, or free?
 *
 * All bounds are 0 or infinite, so the variables that are not basic always stand at 0, whatever the bounds
 * are: bounds may change between calls, and the next call goes on from the basis at hand. */
#ifndef ABUTI_CONTACT_UNIONS_RELAX_H
#define ABUTI_CONTACT_UNIONS_RELAX_H

#include "base/arena.h"
#include <stdbool.h>

/* What a variable may be, or'ed. */
enum { ABUTI_ZERO = 0, ABUTI_NEGATIVE = 1, ABUTI_POSITIVE = 2, ABUTI_FREE = 3 };

typedef enum abuti_relax_verdict { ABUTI_FEASIBLE, ABUTI_EMPTY, ABUTI_UNDECIDED } abuti_relax_verdict;

typedef struct abuti_relax {
    int n;                 /* rows; variable k < n is z_k, n + k is w_k */
    double *T;             /* n x n: basic = beta + T nonbasic */
    double *beta;          /* [row] */
    int *basic, *nonbasic; /* [row], [column]: variables */
    int *row;              /* [variable]: where it is basic; -1: it is not */
    unsigned char *may_be; /* [variable] */
    /* slope[column]: of the sum of infeasibilities; side[row]: +1 or -1 outside its bound, else 0. */
    double *slope, *side;
    double tolerance;  /* what counts as zero; entries are of order one */
    int pivots, total; /* since the last start; since `total` was set to 0 */
} abuti_relax;

void abuti_relax_layout(abuti_relax *relax, abuti_arena *arena, int rows);
/* Starts from w basic. */
void abuti_relax_start(abuti_relax *relax, int n, const double *B, const double *b);
/* Makes the tableau of the present basis anew from B and b, without the rounding of the way to it. */
void abuti_relax_refresh(abuti_relax *relax, const double *B, const double *b);
/* Looks for a point within the bounds; at most `most` pivots. */
abuti_relax_verdict abuti_relax_run(abuti_relax *relax, int most);

static inline double abuti_relax_value(const abuti_relax *relax, int variable)
{
    return relax->row[variable] >= 0 ? relax->beta[relax->row[variable]] : 0.0;
}

#endif
