/* Free variables are eliminated before the solvers see a problem, and recovered afterwards. */
#ifndef ABUTI_LCP_MIXED_H
#define ABUTI_LCP_MIXED_H

#include "lcp/equilibrate.h"
#include "lcp/solver.h"

/* A complementary pair of the reduced problem: basic variable of `row`, nonbasic one of `column`. */
typedef struct abuti_pair {
    int index; /* i of z_i and w_i in the caller's problem */
    int row, column;
    bool swapped; /* z_i is the basic one */
} abuti_pair;

typedef struct abuti_mixed {
    int n, ld;
    double *table;               /* n x ld: basic = table nonbasic + constant, in scaled units */
    double *constant;            /* n */
    double *size;                /* n: of the largest term that went into each constant */
    int *row_variable;           /* n: z_i is i, w_i is n + i */
    int *column_variable;        /* n */
    bool *is_free;               /* n */
    abuti_scales scales;         /* of the whole problem */
    abuti_pair *pairs;           /* the reduced problem */
    int count;                   /* its size, n - free_count */
    double *q;                   /* its constants: count */
    double *values, *correction; /* scratch: n each */
} abuti_mixed;

void abuti_mixed_layout(abuti_mixed *mixed, abuti_arena *arena, int n);

/* Eliminates the free variables. Writes the reduced matrix (count x count, leading dimension ld) to
 * `M`; its constants are in mixed->q. Returns false when the equations contradict each other; then
 * `witness` (n numbers, caller's units) says why. */
bool abuti_mixed_reduce(abuti_mixed *mixed, const abut_lcp_problem *problem, double *M, int ld,
                        double *witness);

/* A vector over the caller's rows (as the cover) or variables (as a start) in the reduced problem's units. */
void abuti_mixed_take_rows(const abuti_mixed *mixed, const double *full, double *reduced);
void abuti_mixed_take_variables(const abuti_mixed *mixed, const double *full, double *reduced);

/* A solution of the reduced problem to the caller's z, free variables recovered and refined. */
void abuti_mixed_restore(abuti_mixed *mixed, const abut_lcp_problem *problem, const double *reduced,
                         double *z);
/* A direction of the reduced problem (no constants) to the caller's z, up to a positive factor. */
void abuti_mixed_restore_ray(abuti_mixed *mixed, const double *reduced, double *ray);
/* A Farkas witness of the reduced problem to one of the caller's problem. */
void abuti_mixed_restore_witness(abuti_mixed *mixed, const double *reduced, double *witness);

#endif
