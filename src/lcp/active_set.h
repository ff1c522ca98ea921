/* Sharaf's two-phase active set: what its three files share.
 *
 * The method is not invariant under scaling (its threshold compares a slack with z'w), so it works
 * in the caller's units, on M and q as they were given: the numbers of a trace are then those a
 * reader of the paper computes by hand. The constraints are A z <= b with A = (-M; -I), b = (q; 0):
 * rows 0 .. n-1 are the slacks w, rows n .. 2n-1 the signs of z. */
#ifndef ABUTI_ACTIVE_SET_H
#define ABUTI_ACTIVE_SET_H

#include "lcp/solver.h"
#include "linalg/complete.h"

typedef struct abuti_active_set {
    int n;
    int ld;
    double *M;   /* n x ld, caller's units */
    double *q;   /* n */
    double size; /* max |q|: what slacks are compared with */

    double *z;         /* n: the current point */
    double *w;         /* n: M z + q */
    double *direction; /* n */
    double *rate;      /* n: M times direction */
    int *set;          /* n: working set */
    int set_count;

    double *B; /* n x ld: the ellipsoid */
    double *g; /* n: B A_i' / sqrt(A_i B A_i') */

    abuti_complete reduced; /* M_SS of the working set */
    double *x;              /* n: its solution, then the complementary point */

    void *dantzig; /* scratch of the solvers that finish what the phases leave open */
    void *lemke;
    double *transformed;   /* n x ld: principal transform of M on the working set */
    double *transformed_q; /* n */
    double *ones;          /* n: cover for the transformed problem */

    const abuti_lcp *problem;
    const abut_lcp_options *options;
    abuti_lcp_answer *answer;
    int records; /* trace records so far */
} abuti_active_set;

/* w = M z + q. */
void abuti_active_set_slacks(abuti_active_set *s);

/* The largest step along `direction` from z that keeps A z <= b, at most `cap`; slacks below zero
 * by rounding count as zero, so the step may be 0. Sets `rate`. */
double abuti_active_set_blocking_step(abuti_active_set *s, double cap);

/* One line of the story, if anybody listens. */
void abuti_active_set_trace(abuti_active_set *s, const char *step, double objective, double threshold,
                            double length);

/* Phase 1, active_set_ellipsoid.c: a feasible point on the boundary, in z. False: none was found, answer->stall says
 * so. */
bool abuti_active_set_phase1(abuti_active_set *s);

/* Phase 2, active_set_threshold.c: from a feasible z to the solution, in z. False: answer->stall says why not. */
bool abuti_active_set_phase2(abuti_active_set *s);

/* Solves M_SS x = -q_S on the working set into x (zero elsewhere) and takes it as z when it is feasible.
 * False: it is not (x stands), or the system is inconsistent (answer->stall says so). */
bool abuti_active_set_try_set(abuti_active_set *s);

/* Whether answer->z, in the units of `problem`, safely solves it. */
bool abuti_active_set_solves(const abuti_active_set *s, const abuti_lcp *problem);

/* active_set_fallback.c: driving or Lemke, started from the working set. `problem` is the equilibrated one. */
abut_outcome abuti_active_set_fallback(abuti_active_set *s, const abuti_lcp *problem);

#endif
