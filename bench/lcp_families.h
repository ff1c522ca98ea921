/* Families of random LCPs, shared by tests, benchmarks and campaigns. Every problem is made from a
 * random stream alone, the same on every machine. */
#ifndef ABUT_BENCH_LCP_FAMILIES_H
#define ABUT_BENCH_LCP_FAMILIES_H

#include "random.h"

#include <stdbool.h>

typedef struct lcp_family {
    const char *name;
    const char *summary;
    bool semidefinite; /* M is symmetric positive semidefinite: `dantzig` applies */
    bool solvable;     /* a solution exists by construction, and Lemke's path reaches one */
    bool unique;       /* the solution is unique */
    bool decided; /* solved, or proved infeasible: what Lemke's method owes semidefinite and Z matrices */
    /* Fills M (n x n, row-major, leading dimension n) and q. `scratch` holds 2 n n + 4 n numbers. */
    void (*make)(bench_random *random, int n, double *M, double *q, double *scratch);
} lcp_family;

extern const lcp_family lcp_families[];
extern const int lcp_family_count;

/* The family of that name, or NULL. */
const lcp_family *lcp_family_find(const char *name);

#endif
