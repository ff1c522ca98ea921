/* The public face of the LCP room: options, workspaces, and the flow of a solve.
 *
 *     validate -> front.c: eliminate free variables, equilibrate -> one solver or, for `auto`, several
 *     -> front.c: back to the caller's units -> verify.c decides
 *
 * A solver's word is never taken: `solved` needs the verifier's residual, and `infeasible` needs a witness
 * that the verifier accepts. */
#include "abut/lcp.h"
#include "base/invalid.h"
#include "lcp/enumerate.h"
#include "lcp/workspace.h"
#include "linalg/kernels.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Up to this size `auto` ends with enumeration. It tries 4096 bases, which takes some milliseconds, or tenths
 * of a second where most of them are singular. */
#define AUTO_ENUMERATE_MAX 12

static unsigned bit(abut_lcp_method method)
{
    return 1u << method;
}

/* ---- options and validation -------------------------------------------------------------------- */

abut_lcp_options abut_lcp_default_options(void)
{
    return (abut_lcp_options){.method = ABUT_LCP_AUTO, .tolerance = 1e-9, .max_covers = 8};
}

static bool all_finite(int n, const double *x)
{
    bool fine = true;
    for (int i = 0; i < n; ++i) fine &= fabs(x[i]) <= DBL_MAX;
    return fine;
}

static bool all_positive(int n, const double *x)
{
    bool fine = true;
    for (int i = 0; i < n; ++i) fine &= x[i] > 0;
    return fine;
}

static int first_not_finite(int n, const double *x)
{
    int i = 0;
    while (i < n && fabs(x[i]) <= DBL_MAX) i++;
    return i;
}

static abut_status validate_free(const abut_lcp_problem *problem, abut_error *error)
{
    if (problem->free_count < 0 || problem->free_count > problem->n)
        return abuti_invalid(error, "free_count is %d; expected 0 .. %d", problem->free_count, problem->n);
    if (problem->free_count > 0 && !problem->free)
        return abuti_invalid(error, "free is NULL; expected %d indices", problem->free_count);
    for (int k = 0; k < problem->free_count; ++k) {
        int index = problem->free[k], least = k == 0 ? 0 : problem->free[k - 1] + 1;
        if (index < least || index >= problem->n)
            return abuti_invalid(error, "free[%d] is %d; expected ascending indices in 0 .. %d", k, index,
                                 problem->n - 1);
    }
    return ABUT_OK;
}

abut_status abut_lcp_validate(const abut_lcp_problem *problem, abut_error *error)
{
    if (error) error->text[0] = '\0';
    if (!problem) return abuti_invalid(error, "problem is NULL");
    int n = problem->n;
    if (n < 1) return abuti_invalid(error, "n is %d; expected at least 1", n);
    if (n > ABUT_COUNT_MAX) return abuti_invalid(error, "n is %d; expected at most %d", n, ABUT_COUNT_MAX);
    if (problem->ld < n) return abuti_invalid(error, "ld is %d; expected at least n = %d", problem->ld, n);
    if (!problem->M) return abuti_invalid(error, "M is NULL");
    if (!problem->q) return abuti_invalid(error, "q is NULL");
    for (int i = 0; i < n; ++i) {
        const double *row = problem->M + (ptrdiff_t)i * problem->ld;
        if (!all_finite(n, row))
            return abuti_invalid(error, "M[%d][%d] is not finite", i, first_not_finite(n, row));
    }
    if (!all_finite(n, problem->q))
        return abuti_invalid(error, "q[%d] is not finite", first_not_finite(n, problem->q));
    return validate_free(problem, error);
}

static abut_status validate_options(const abut_lcp_options *options, int n)
{
    const abut_lcp_active_set_options *active_set = &options->active_set;
    bool fine = (unsigned)options->method < ABUT_LCP_METHOD_COUNT;
    fine &= options->tolerance >= 1e-15 && options->tolerance <= 1e-3;
    fine &= options->max_pivots >= 0 && options->max_covers >= 0;
    fine &= options->max_seconds >= 0 && options->max_seconds <= DBL_MAX;
    fine &= active_set->radius >= 0 && active_set->radius <= DBL_MAX && active_set->max_cuts >= 0;
    fine &= active_set->cut == ABUT_LCP_CUT_VIOLATION || active_set->cut == ABUT_LCP_CUT_DEPTH;
    if (fine && options->cover) fine = all_finite(n, options->cover) && all_positive(n, options->cover);
    if (fine && options->start) fine = all_finite(n, options->start);
    return fine ? ABUT_OK : ABUT_INVALID_ARGUMENT;
}

/* ---- workspace --------------------------------------------------------------------------------- */

static void layout(abut_lcp_workspace *ws, abuti_arena *arena)
{
    int n = ws->n;
    abuti_scales_layout(&ws->scales, arena, n);
    abuti_mixed_layout(&ws->mixed, arena, n);
    ws->M = abuti_take(arena, (size_t)n * (size_t)abuti_padded(n), double);
    double **vectors[] = {&ws->q,
                          &ws->cover,
                          &ws->start,
                          &ws->row_scale,
                          &ws->column_scale,
                          &ws->trial_z,
                          &ws->trial_w,
                          &ws->z,
                          &ws->w,
                          &ws->ray,
                          &ws->witness,
                          &ws->unscaled,
                          &ws->trial_witness,
                          &ws->answer.z,
                          &ws->answer.ray,
                          &ws->answer.witness};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; ++k)
        *vectors[k] = abuti_take(arena, n, double);
    ws->scratch = abuti_take(arena, 3 * (size_t)n, double);
    ws->trace_set = abuti_take(arena, n, int);

    for (int k = 0; k < ABUT_LCP_METHOD_COUNT; ++k) {
        const abuti_lcp_solver *solver = abuti_lcp_solver_for((abut_lcp_method)k);
        if (!solver || !(ws->methods & bit(solver->method))) continue;
        int most = solver->max_n > 0 && n > solver->max_n ? solver->max_n : n;
        ws->solver_scratch[k] = solver->layout(arena, most);
    }
}

abut_status abut_lcp_workspace_create(const abut_lcp_limits *limits, const abut_allocator *allocator,
                                      abut_lcp_workspace **workspace)
{
    if (!workspace) return ABUT_INVALID_ARGUMENT;
    *workspace = NULL;
    unsigned all = (1u << ABUT_LCP_METHOD_COUNT) - 1;
    if (!limits || limits->n < 1 || limits->n > ABUT_COUNT_MAX || (limits->methods & ~all))
        return ABUT_INVALID_ARGUMENT;
    if (!abuti_valid_allocator(allocator)) return ABUT_INVALID_ARGUMENT;

    /* The bytes of a matrix of doubles must fit size_t; the factor 64 leaves room for padded rows. */
    if ((size_t)limits->n > SIZE_MAX / 64 / (size_t)limits->n) return ABUT_OUT_OF_MEMORY;

    abut_lcp_workspace measure = {.n = limits->n, .methods = limits->methods ? limits->methods : all};
    if (measure.methods & bit(ABUT_LCP_AUTO))
        measure.methods |= bit(ABUT_LCP_LEMKE) | bit(ABUT_LCP_DANTZIG) | bit(ABUT_LCP_ENUMERATE);
    measure.allocator = abuti_allocator_or_default(allocator);

    abuti_arena count = {0};
    abuti_take(&count, 1, abut_lcp_workspace);
    layout(&measure, &count);
    if (count.overflow) return ABUT_OUT_OF_MEMORY;
    unsigned char *block = abuti_allocate(&measure.allocator, count.used);
    if (!block) return ABUT_OUT_OF_MEMORY;

    abuti_arena arena = {.base = block, .capacity = count.used};
    abut_lcp_workspace *ws = abuti_take(&arena, 1, abut_lcp_workspace);
    *ws = measure;
    ws->size = count.used;
    layout(ws, &arena);
    *workspace = ws;
    return ABUT_OK;
}

void abut_lcp_workspace_destroy(abut_lcp_workspace *workspace)
{
    if (!workspace) return;
    abut_allocator allocator = workspace->allocator;
    abuti_release(&allocator, workspace, workspace->size);
}

/* ---- judging ----------------------------------------------------------------------------------- */

/* The residual of a z in equilibrated units; leaves it in trial_z and trial_w. */
static double judge_z(abut_lcp_workspace *ws, const double *z)
{
    abut_lcp_check check;
    abuti_front_restore_z(ws, z, ws->trial_z);
    if (abut_lcp_verify(ws->problem, ws->trial_z, ws->trial_w, ws->scratch, &check) != ABUT_OK)
        return INFINITY;
    return check.residual;
}

static void keep_z(abut_lcp_workspace *ws, double residual, abut_lcp_result *result)
{
    size_t bytes = (size_t)ws->problem->n * sizeof(double);
    memcpy(ws->z, ws->trial_z, bytes);
    memcpy(ws->w, ws->trial_w, bytes);
    result->z = ws->z;
    result->w = ws->w;
    result->residual = residual;
}

/* How much an outcome tells; a later stage replaces an earlier one only with something better. */
static int worth(abut_outcome outcome)
{
    switch (outcome) {
    case ABUT_SOLVED: return 4;
    case ABUT_INFEASIBLE: return 3;
    case ABUT_LIMIT: return 2;
    case ABUT_RAY: return 1;
    case ABUT_FAILED: return 0;
    }
    return 0;
}

/* What the verifier makes of a solver's outcome; `residual` is that of its point, if it has one. */
static abut_outcome verdict(abut_lcp_workspace *ws, abut_outcome claim, double tolerance, double *residual,
                            double *bound)
{
    abuti_lcp_answer *answer = &ws->answer;
    *residual = INFINITY;
    if (claim == ABUT_SOLVED || claim == ABUT_LIMIT) {
        *residual = judge_z(ws, answer->z);
        if (*residual <= tolerance) return ABUT_SOLVED;
    }
    if (answer->has_witness) {
        abuti_front_restore_witness(ws, answer->witness, ws->trial_witness);
        if (abut_lcp_verify_witness(ws->problem, ws->trial_witness, bound)) return ABUT_INFEASIBLE;
    }
    return claim == ABUT_LIMIT || claim == ABUT_RAY ? claim : ABUT_FAILED;
}

/* Takes a stage's outcome into the result, if it is better than what stands there. */
static void report(abut_lcp_workspace *ws, abut_lcp_method method, abut_outcome claim, double tolerance,
                   bool first, abut_lcp_result *result)
{
    const abuti_lcp_answer *answer = &ws->answer;
    double residual, bound = 0;
    abut_outcome outcome = verdict(ws, claim, tolerance, &residual, &bound);
    result->pivots += answer->pivots;
    result->covers += answer->covers;
    if (!first && worth(outcome) <= worth(result->outcome)) return;
    result->outcome = outcome;
    result->method = method;
    result->residual = INFINITY;
    result->z = result->w = result->ray = result->witness = NULL;
    result->witness_bound = 0;
    result->phase = answer->phase;
    result->stall = answer->stall;
    result->cuts = answer->cuts;
    result->steps = answer->steps;
    if (outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) keep_z(ws, residual, result);
    if (outcome == ABUT_RAY) {
        abuti_front_restore_ray(ws, answer->ray, ws->ray);
        result->ray = ws->ray;
    }
    if (outcome == ABUT_INFEASIBLE) {
        memcpy(ws->witness, ws->trial_witness, (size_t)ws->problem->n * sizeof(double));
        result->witness = ws->witness;
        result->witness_bound = bound;
    }
}

/* ---- solving ----------------------------------------------------------------------------------- */

static void clear_answer(abuti_lcp_answer *answer, int n)
{
    *answer = (abuti_lcp_answer){.z = answer->z, .ray = answer->ray, .witness = answer->witness};
    for (int i = 0; i < n; ++i) answer->z[i] = answer->ray[i] = answer->witness[i] = 0;
}

/* A symmetric matrix that is positive semidefinite has no negative diagonal entry, and only zeros
 * beside a zero one. Whether it is semidefinite beyond that, `dantzig` finds out. */
static bool may_be_semidefinite(const abuti_lcp *plain)
{
    for (int i = 0; i < plain->n; ++i) {
        const double *row = plain->M + (ptrdiff_t)i * plain->ld;
        if (row[i] > 0) continue;
        for (int j = 0; j < plain->n; ++j) {
            if (row[j] != 0) return false;
        }
    }
    return plain->symmetric;
}

/* The stages to try, in order; returns their number. */
static int plan(const abut_lcp_workspace *ws, abut_lcp_method asked,
                abut_lcp_method stages[ABUT_LCP_METHOD_COUNT])
{
    int count = 0;
    if (asked != ABUT_LCP_AUTO) {
        stages[count++] = asked;
        return count;
    }
    if (may_be_semidefinite(&ws->plain)) stages[count++] = ABUT_LCP_DANTZIG;
    stages[count++] = ABUT_LCP_LEMKE;
    if (ws->plain.n <= AUTO_ENUMERATE_MAX) stages[count++] = ABUT_LCP_ENUMERATE;
    return count;
}

static bool is_nonnegative(int n, const double *x)
{
    bool fine = true;
    for (int i = 0; i < n; ++i) fine &= x[i] >= 0;
    return fine;
}

static void run_stages(abut_lcp_workspace *ws, const abut_lcp_options *options, abut_lcp_result *result)
{
    abut_lcp_method stages[ABUT_LCP_METHOD_COUNT];
    int count = plan(ws, options->method, stages);
    bool trivial = is_nonnegative(ws->plain.n, ws->q);
    abut_lcp_options translated;
    const abut_lcp_options *given = abuti_front_options(ws, options, &translated);
    for (int k = 0; k < count; ++k) {
        const abuti_lcp_solver *solver = abuti_lcp_solver_for(stages[k]);
        clear_answer(&ws->answer, ws->plain.n);
        abut_outcome claim = ABUT_SOLVED; /* z = 0 when q >= 0 */
        if (!trivial) claim = solver->run(&ws->plain, ws->solver_scratch[stages[k]], given, &ws->answer);
        report(ws, stages[k], claim, options->tolerance, k == 0, result);
        if (result->outcome == ABUT_SOLVED || result->outcome == ABUT_INFEASIBLE) return;
    }
}

/* The equations of a mixed problem contradict each other: ws->witness says why. */
static void report_contradiction(abut_lcp_workspace *ws, abut_lcp_result *result)
{
    if (!abut_lcp_verify_witness(ws->problem, ws->witness, &result->witness_bound)) return;
    result->outcome = ABUT_INFEASIBLE;
    result->witness = ws->witness;
}

/* The checks that both public calls make. */
static abut_status admit(const abut_lcp_workspace *ws, const abut_lcp_problem *problem,
                         const abut_lcp_options *options, abut_lcp_method method)
{
    if (!ws || !options || !problem) return ABUT_INVALID_ARGUMENT;
    if (problem->n > ws->n) return ABUT_TOO_LARGE; /* before an array is read */
    abut_status status = abut_lcp_validate(problem, NULL);
    if (status != ABUT_OK) return status;
    status = validate_options(options, problem->n);
    if (status != ABUT_OK) return status;
    if (!(ws->methods & bit(method))) return ABUT_TOO_LARGE;
    if (method == ABUT_LCP_AUTO) return ABUT_OK;
    const abuti_lcp_solver *solver = abuti_lcp_solver_for(method);
    if (!solver) return ABUT_UNSUPPORTED;
    if (solver->max_n > 0 && problem->n - problem->free_count > solver->max_n) return ABUT_UNSUPPORTED;
    return ABUT_OK;
}

abut_status abut_lcp_solve(abut_lcp_workspace *workspace, const abut_lcp_problem *problem,
                           const abut_lcp_options *options, abut_lcp_result *result)
{
    if (!result) return ABUT_INVALID_ARGUMENT;
    *result = (abut_lcp_result){.outcome = ABUT_FAILED, .residual = INFINITY};
    abut_status status = admit(workspace, problem, options, options ? options->method : ABUT_LCP_AUTO);
    if (status != ABUT_OK) return status;

    double deadline = options->max_seconds > 0 ? abuti_clock() + options->max_seconds : INFINITY;
    result->n = problem->n;
    result->method = options->method == ABUT_LCP_AUTO ? ABUT_LCP_LEMKE : options->method;
    if (!abuti_front_prepare(workspace, problem, options)) {
        report_contradiction(workspace, result);
        return ABUT_OK;
    }
    if (options->method != ABUT_LCP_AUTO && workspace->plain.n > 0 && !workspace->plain.symmetric &&
        abuti_lcp_solver_for(options->method)->needs_symmetric) {
        return ABUT_UNSUPPORTED;
    }
    workspace->plain.deadline = deadline;
    run_stages(workspace, options, result);
    return ABUT_OK;
}

/* ---- all solutions ----------------------------------------------------------------------------- */

typedef struct enumeration_visit {
    abut_lcp_workspace *ws;
    double tolerance;
    abut_lcp_visit visit;
    void *context;
    int count;
} enumeration_visit;

static abuti_verdict show(const double *z, void *context)
{
    enumeration_visit *v = context;
    double residual = judge_z(v->ws, z);
    if (!(residual <= v->tolerance)) return ABUTI_REJECTED;
    v->count++;
    if (v->visit && !v->visit(v->ws->trial_z, v->ws->trial_w, residual, v->context)) return ABUTI_STOP;
    return ABUTI_ACCEPTED;
}

abut_status abut_lcp_enumerate(abut_lcp_workspace *workspace, const abut_lcp_problem *problem,
                               const abut_lcp_options *options, abut_lcp_visit visit, void *context,
                               int *count)
{
    if (!count) return ABUT_INVALID_ARGUMENT;
    *count = 0;
    abut_status status = admit(workspace, problem, options, ABUT_LCP_ENUMERATE);
    if (status != ABUT_OK) return status;
    if (!abuti_front_prepare(workspace, problem, options)) return ABUT_OK;
    enumeration_visit v = {workspace, options->tolerance, visit, context, 0};
    abuti_enumerate(&workspace->plain, workspace->solver_scratch[ABUT_LCP_ENUMERATE], show, &v);
    *count = v.count;
    return ABUT_OK;
}
