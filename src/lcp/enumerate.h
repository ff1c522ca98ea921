/* The walk over all complementary bases, for `enumerate` and for abut_lcp_enumerate. */
#ifndef ABUTI_LCP_ENUMERATE_H
#define ABUTI_LCP_ENUMERATE_H

#include "lcp/solver.h"

typedef enum abuti_verdict {
    ABUTI_REJECTED, /* not a solution after all */
    ABUTI_ACCEPTED, /* a solution; equal points will not be shown again */
    ABUTI_STOP,     /* a solution, and enough of them */
} abuti_verdict;

/* Judges a candidate z >= 0 (n numbers, in the units of the problem it was found in). */
typedef abuti_verdict (*abuti_judge)(const double *z, void *context);

/* Shows every corner of the solution set to `judge` as a candidate, in the order of the bases read as binary
 * numbers (bit i set: z_i basic). Returns the number of bases tried. `scratch` is that of the solver
 * abuti_lcp_enumeration. */
int abuti_enumerate(const abuti_lcp *problem, void *scratch, abuti_judge judge, void *context);

#endif
