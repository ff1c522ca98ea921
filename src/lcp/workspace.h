/* What a workspace holds, for the files of the front: lcp.c and front.c. */
#ifndef ABUTI_LCP_WORKSPACE_H
#define ABUTI_LCP_WORKSPACE_H

#include "lcp/equilibrate.h"
#include "lcp/mixed.h"
#include "lcp/solver.h"

struct abut_lcp_workspace {
    abut_allocator allocator;
    size_t size;
    int n;            /* the limit */
    unsigned methods; /* 1u << method for every method that has scratch */

    /* The problem at hand: caller's problem -> (mixed) -> plain -> equilibrated. */
    const abut_lcp_problem *problem;
    bool is_mixed;
    abuti_mixed mixed;
    abuti_scales scales;
    abuti_lcp plain;
    double *M, *q, *cover, *start, *row_scale, *column_scale;

    abuti_lcp_answer answer; /* a solver's, in equilibrated units */

    /* In the caller's units: a trial is copied to the result's arrays when it is accepted. */
    double *trial_z, *trial_w;
    double *z, *w, *ray, *witness;
    double *unscaled;      /* n: between equilibrated and caller's units */
    double *trial_witness; /* n */
    double *scratch;       /* 3 n: the verifier's */

    /* What a trace of a mixed problem is translated with. */
    const abut_lcp_options *caller_options;
    int *trace_set; /* n */

    void *solver_scratch[ABUT_LCP_METHOD_COUNT];
};

/* front.c: the way in. Sets up `plain`; false when the equations of a mixed problem contradict each
 * other, with the reason in workspace->witness. */
bool abuti_front_prepare(abut_lcp_workspace *workspace, const abut_lcp_problem *problem,
                         const abut_lcp_options *options);

/* The options the solvers get: the caller's, or a copy in `translated` whose trace speaks of the caller's
 * variables where free ones were eliminated. */
const abut_lcp_options *abuti_front_options(abut_lcp_workspace *workspace, const abut_lcp_options *options,
                                            abut_lcp_options *translated);

/* The way out: answers in equilibrated units to the caller's. */
void abuti_front_restore_z(abut_lcp_workspace *workspace, const double *z, double *caller_z);
void abuti_front_restore_ray(abut_lcp_workspace *workspace, const double *ray, double *caller_ray);
void abuti_front_restore_witness(abut_lcp_workspace *workspace, const double *u, double *caller_u);

#endif
