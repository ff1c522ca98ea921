/* Solving in tests: every answer goes through the verifier again, and what a result may and may not contain
 * is checked for every outcome. */
#ifndef ABUT_TEST_LCP_BED_H
#define ABUT_TEST_LCP_BED_H

#include "abut/lcp.h"
#include "check.h"

#include <stdlib.h>

#define BED_SCALE_FLOOR 1e-300

/* A workspace, and room for one problem up to size `most`. */
typedef struct lcp_bed {
    int most;
    abut_lcp_workspace *work;
    double *M, *q, *scratch; /* most^2, most, 2 most^2 + 4 most: for the makers of families */
    double *w, *verify;      /* most, 3 most */
    abut_lcp_options options;
    abut_lcp_result result;
    abut_status status;
} lcp_bed;

static inline lcp_bed lcp_bed_make(int most)
{
    lcp_bed bed = {.most = most, .options = abut_lcp_default_options()};
    size_t n = (size_t)most;
    abut_lcp_limits limits = {.n = most};
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &bed.work), ABUT_OK);
    bed.M = calloc(n * n, sizeof(double));
    bed.q = calloc(n, sizeof(double));
    bed.scratch = calloc(2 * n * n + 4 * n, sizeof(double));
    bed.w = calloc(n, sizeof(double));
    bed.verify = calloc(3 * n, sizeof(double));
    return bed;
}

static inline void lcp_bed_free(lcp_bed *bed)
{
    abut_lcp_workspace_destroy(bed->work);
    free(bed->M);
    free(bed->q);
    free(bed->scratch);
    free(bed->w);
    free(bed->verify);
}

/* What must hold for a result whatever its outcome. */
static inline void lcp_bed_check(lcp_bed *bed, const abut_lcp_problem *problem)
{
    const abut_lcp_result *r = &bed->result;
    bool has_point = r->outcome == ABUT_SOLVED || r->outcome == ABUT_LIMIT;
    CHECK_EQ_INT(r->n, problem->n);
    CHECK(r->method != ABUT_LCP_AUTO);
    CHECK((r->z != NULL) == has_point);
    CHECK((r->w != NULL) == has_point);
    CHECK((r->ray != NULL) == (r->outcome == ABUT_RAY));
    CHECK((r->witness != NULL) == (r->outcome == ABUT_INFEASIBLE));
    if (has_point) {
        abut_lcp_check check;
        CHECK_EQ_INT(abut_lcp_verify(problem, r->z, bed->w, bed->verify, &check), ABUT_OK);
        CHECK(check.residual == r->residual);
        if (r->outcome == ABUT_SOLVED) CHECK(check.residual <= bed->options.tolerance);
    } else {
        CHECK(r->residual == INFINITY);
    }
    if (r->outcome == ABUT_INFEASIBLE) {
        double bound = 0;
        CHECK(abut_lcp_verify_witness(problem, r->witness, &bound));
        CHECK(bound == r->witness_bound && bound > 0);
    }
    if (r->outcome == ABUT_RAY) {
        double most = 0;
        for (int i = 0; i < problem->n; ++i) {
            CHECK(isfinite(r->ray[i]));
            most = fmax(most, fabs(r->ray[i]));
        }
        CHECK(most > 0);
    }
}

static inline abut_outcome lcp_bed_solve(lcp_bed *bed, const abut_lcp_problem *problem,
                                         abut_lcp_method method)
{
    bed->options.method = method;
    bed->status = abut_lcp_solve(bed->work, problem, &bed->options, &bed->result);
    CHECK_EQ_INT(bed->status, ABUT_OK);
    if (bed->status == ABUT_OK) lcp_bed_check(bed, problem);
    return bed->result.outcome;
}

/* max |a - b| relative to the larger of max |a| and max |b| */
static inline double lcp_bed_distance(int n, const double *a, const double *b)
{
    double size = BED_SCALE_FLOOR, worst = 0;
    for (int i = 0; i < n; ++i) size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    for (int i = 0; i < n; ++i) {
        double d = fabs(a[i] - b[i]) / size;
        if (!(d <= worst)) worst = d;
    }
    return worst;
}

#endif
