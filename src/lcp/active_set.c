/* Sharaf's two-phase active set for positive (semi)definite LCPs, as corrected by experiment.
 *
 *     phase 1   deep-cut ellipsoids find a feasible point of M z + q >= 0, z >= 0; one step of
 *               steepest descent of f(z) = z'(M z + q) takes it to the boundary;
 *     phase 2   the threshold V_th = f / (n - rho) guesses which rows are active; the square
 *               subsystem gives a complementary point, which is the answer if it is feasible, else
 *               the point moves towards it until a row blocks.
 *
 * The paper's claim that phase 2 converges does not hold: a variable that reaches zero stays there
 * (M = [14 5; 5 14], q = (-7, -6) stalls). Moreover, a residual that is small in the caller's units need not
 * be small to the verifier, which judges each row by its own scale. So this file detects stalls and measures
 * the point. When the point is no solution, the result names the stall, and driving or Lemke finishes the
 * problem from the current set.
 *
 * options.active_set.alone is the paper's algorithm and nothing more: one ellipsoid, its k*, no help. */
#include "lcp/active_set.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* A start counts as feasible when no row misses by more than this part of max |q|. That admits the last z of a
 * slowly changing problem, and a z that was printed with five digits. The final point is measured anyway. */
static const double start_slack = 1e-4;
/* A residual above this part of the tolerance is left to the fallback: the verifier scales in its own way and
 * may see a little more. */
static const double safely = 0.05;

static void *layout(abuti_arena *arena, int n)
{
    abuti_active_set plan = {0};
    abuti_active_set *s = abuti_take(arena, 1, abuti_active_set);
    size_t rows = (size_t)n, ld = (size_t)abuti_padded(n);
    plan.M = abuti_take(arena, rows * ld, double);
    plan.q = abuti_take(arena, rows, double);
    plan.z = abuti_take(arena, rows, double);
    plan.w = abuti_take(arena, rows, double);
    plan.direction = abuti_take(arena, rows, double);
    plan.rate = abuti_take(arena, rows, double);
    plan.set = abuti_take(arena, rows, int);
    plan.B = abuti_take(arena, rows * ld, double);
    plan.g = abuti_take(arena, rows, double);
    plan.reduced.LU = abuti_take(arena, rows * ld, double);
    plan.reduced.row = abuti_take(arena, rows, int);
    plan.reduced.column = abuti_take(arena, rows, int);
    plan.reduced.work = abuti_take(arena, rows, double);
    plan.x = abuti_take(arena, rows, double);
    plan.transformed = abuti_take(arena, rows * ld, double);
    plan.transformed_q = abuti_take(arena, rows, double);
    plan.ones = abuti_take(arena, rows, double);
    plan.dantzig = abuti_lcp_dantzig.layout(arena, n);
    plan.lemke = abuti_lcp_lemke.layout(arena, n);
    if (s) *s = plan;
    return s;
}

/* Back to the caller's units: exact, since all scales are powers of two. */
static void load(abuti_active_set *s, const abuti_lcp *problem)
{
    s->n = problem->n;
    s->ld = problem->ld;
    s->size = 0.0;
    s->set_count = 0;
    s->records = 0;
    for (int i = 0; i < s->n; ++i) {
        const double *from = problem->M + (size_t)i * (size_t)problem->ld;
        double *to = s->M + (size_t)i * (size_t)s->ld;
        for (int j = 0; j < s->n; ++j) to[j] = from[j] / problem->row_scale[i] / problem->column_scale[j];
        s->q[i] = problem->q[i] / problem->row_scale[i];
        s->size = fmax(s->size, fabs(s->q[i]));
    }
}

void abuti_active_set_slacks(abuti_active_set *s)
{
    for (int i = 0; i < s->n; ++i) {
        const double *row = s->M + (size_t)i * (size_t)s->ld;
        double sum = 0.0;
        for (int j = 0; j < s->n; ++j) sum += row[j] * s->z[j];
        s->w[i] = sum + s->q[i];
    }
}

double abuti_active_set_blocking_step(abuti_active_set *s, double cap)
{
    double step = cap, size = 0.0;
    for (int i = 0; i < s->n; ++i) {
        const double *row = s->M + (size_t)i * (size_t)s->ld;
        double sum = 0.0;
        for (int j = 0; j < s->n; ++j) sum += row[j] * s->direction[j];
        s->rate[i] = sum;
        size = fmax(size, fabs(sum));
    }
    /* A slack that changes by rounding only does not block. */
    const double still = 1e-13 * size;
    for (int i = 0; i < s->n; ++i) {
        if (s->rate[i] < -still) step = fmin(step, fmax(s->w[i], 0.0) / -s->rate[i]);
        if (s->direction[i] < 0.0) step = fmin(step, fmax(s->z[i], 0.0) / -s->direction[i]);
    }
    return step;
}

void abuti_active_set_trace(abuti_active_set *s, const char *step, double objective, double threshold,
                            double length)
{
    if (!s->options->trace) return;
    abut_lcp_trace record = {
        .method = ABUT_LCP_ACTIVE_SET,
        .step = step,
        .iteration = s->records++,
        .entering = -1,
        .leaving = -1,
        .z0 = NAN,
        .objective = objective,
        .threshold = threshold,
        .length = length,
        .set_count = s->set_count,
        .set = s->set,
        .z = s->z,
    };
    s->options->trace(&record, s->options->trace_context);
}

/* The start the caller gave, when it is feasible enough to skip phase 1. */
static bool take_start(abuti_active_set *s, const abuti_lcp *problem)
{
    if (!problem->start) return false;
    for (int i = 0; i < s->n; ++i) s->z[i] = fmax(problem->start[i] * problem->column_scale[i], 0.0);
    abuti_active_set_slacks(s);
    for (int i = 0; i < s->n; ++i)
        if (!(s->w[i] >= -start_slack * s->size)) return false;
    return true;
}

/* The support of the caller's start is tried first as a working set, since the same rows often stay active. */
static bool support_solves(abuti_active_set *s, const abuti_lcp *problem)
{
    if (!problem->start || s->options->active_set.alone) return false;
    s->set_count = 0;
    for (int i = 0; i < s->n; ++i)
        if (problem->start[i] > 0.0) s->set[s->set_count++] = i;
    if (s->set_count == 0) return false;
    s->answer->steps++;
    s->answer->pivots++;
    return abuti_active_set_try_set(s);
}

bool abuti_active_set_solves(const abuti_active_set *s, const abuti_lcp *problem)
{
    const double *z = s->answer->z;
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < s->n; ++i) {
        const double *row = problem->M + (size_t)i * (size_t)problem->ld;
        double w = problem->q[i];
        for (int j = 0; j < s->n; ++j) w += row[j] * z[j];
        double wrong = fabs(fmin(z[i], w));
        if (!(wrong <= worst)) worst = wrong;
        size = fmax(size, fabs(problem->q[i]));
    }
    return worst <= safely * s->options->tolerance * size;
}

/* Whether the point of the phases is an answer, measured as answers are. */
static bool accepted(abuti_active_set *s, const abuti_lcp *problem)
{
    for (int i = 0; i < s->n; ++i) s->answer->z[i] = s->z[i] / problem->column_scale[i];
    if (abuti_active_set_solves(s, problem)) return true;
    s->answer->stall = ABUT_LCP_STALL_INEXACT;
    return false;
}

/* Runs the two phases. True: z solves the problem; else answer->phase and answer->stall say how far they came. */
static bool run_phases(abuti_active_set *s, const abuti_lcp *problem)
{
    s->answer->phase = ABUT_LCP_PHASE_THRESHOLD;
    if (support_solves(s, problem) && accepted(s, problem)) {
        s->answer->stall = ABUT_LCP_STALL_NONE;
        return true;
    }
    if (!take_start(s, problem) && !abuti_active_set_phase1(s)) {
        s->answer->phase = ABUT_LCP_PHASE_ELLIPSOID;
        return false;
    }
    return abuti_active_set_phase2(s) && accepted(s, problem);
}

static abut_outcome run(const abuti_lcp *problem, void *scratch, const abut_lcp_options *options,
                        abuti_lcp_answer *answer)
{
    abuti_active_set *s = scratch;
    s->problem = problem;
    s->options = options;
    s->answer = answer;
    load(s, problem);

    /* z = 0 answers when q >= 0. */
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    bool trivial = true;
    for (int i = 0; i < s->n; ++i) {
        answer->z[i] = 0.0;
        trivial = trivial && s->q[i] >= 0.0;
    }
    if (trivial) return ABUT_SOLVED;

    if (run_phases(s, problem)) return ABUT_SOLVED;
    if (options->active_set.alone) return abuti_lcp_late(problem) ? ABUT_LIMIT : ABUT_FAILED;
    answer->phase = ABUT_LCP_PHASE_FALLBACK;
    abuti_active_set_trace(s, "fallback", NAN, NAN, NAN);
    return abuti_active_set_fallback(s, problem);
}

const abuti_lcp_solver abuti_lcp_active_set = {
    .method = ABUT_LCP_ACTIVE_SET,
    .name = "active-set",
    .needs_symmetric = false,
    .max_n = 0,
    .layout = layout,
    .run = run,
};
