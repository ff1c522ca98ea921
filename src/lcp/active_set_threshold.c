/* Phase 2: the threshold on the slacks guesses the active rows, section 5.2.
 *
 * f is convex for positive semidefinite M, so it falls along every accepted step:
 * f(z + s d) <= (1 - s) f(z). What fails is s = 0, never ascent. */
#include "lcp/active_set.h"
#include <math.h>

/* Shorter steps than this make no progress that floating point could see. */
static const double least_step = 1e-12;
/* A z_i below this part of the largest counts as zero, and its row stays out of the working set. */
static const double zero_part = 1e-12;
/* Rank test and consistency of the reduced system, relative to its largest pivot and right side. */
static const double rank_tolerance = 1e-11;
static const double consistency_tolerance = 1e-9;
/* A complementary point counts as feasible when it misses w >= 0 by at most this part of max |q|, and z >= 0 by
 * at most this part of max |z|. The verifier decides afterwards. */
static const double feasible_slack = 1e-11;

static double largest(const double *x, int n)
{
    double size = 0.0;
    for (int i = 0; i < n; ++i) size = fmax(size, fabs(x[i]));
    return size;
}

static double complementarity(const abuti_active_set *s)
{
    double f = 0.0;
    for (int i = 0; i < s->n; ++i) f += s->z[i] * s->w[i];
    return f;
}

/* Whether one of each pair is zero and none is negative, within feasible_slack. This is asked because a blocking
 * step can end on the answer. A start may miss rows by more than that; then it is not complementary. */
static bool is_complementary(const abuti_active_set *s)
{
    const double slack = feasible_slack * s->size, zero = feasible_slack * largest(s->z, s->n);
    for (int i = 0; i < s->n; ++i) {
        if (!(s->w[i] >= -slack)) return false;
        if (s->z[i] > zero && s->w[i] > slack) return false;
    }
    return true;
}

/* S = {i: w_i <= V_th, z_i > 0} with V_th = f / (n - rho) and the smallest rho for which S is not empty. Returns
 * V_th, or NaN when there is none. f is below zero only where a start misses rows; those rows are active. */
static double choose_working_set(abuti_active_set *s, double f)
{
    const double zero = zero_part * largest(s->z, s->n);
    for (int rho = 0; rho < s->n; ++rho) {
        double threshold = f / (s->n - rho);
        s->set_count = 0;
        for (int i = 0; i < s->n; ++i)
            if (s->w[i] <= fmax(threshold, 0.0) && s->z[i] > zero) s->set[s->set_count++] = i;
        if (s->set_count > 0) return threshold;
    }
    return NAN;
}

/* M_SS x = -q_S, zero elsewhere. */
static bool solve_reduced(abuti_active_set *s)
{
    abuti_complete *c = &s->reduced;
    c->n = s->set_count;
    c->ld = s->ld;
    for (int i = 0; i < s->set_count; ++i) {
        const double *row = s->M + (size_t)s->set[i] * (size_t)s->ld;
        for (int j = 0; j < s->set_count; ++j) c->LU[(size_t)i * (size_t)c->ld + (size_t)j] = row[s->set[j]];
        s->g[i] = -s->q[s->set[i]];
    }
    abuti_complete_factor(c, rank_tolerance);
    bool consistent = abuti_complete_solve(c, s->g, s->g, consistency_tolerance);
    for (int i = 0; i < s->n; ++i) s->x[i] = 0.0;
    for (int i = 0; i < s->set_count; ++i) s->x[s->set[i]] = s->g[i];
    return consistent;
}

static bool complementary_point_is_feasible(const abuti_active_set *s)
{
    const double slack = feasible_slack * s->size, zero = feasible_slack * largest(s->x, s->n);
    for (int i = 0; i < s->n; ++i) {
        const double *row = s->M + (size_t)i * (size_t)s->ld;
        double w = s->q[i], terms = fabs(s->q[i]);
        for (int j = 0; j < s->n; ++j) {
            w += row[j] * s->x[j];
            terms += fabs(row[j] * s->x[j]);
        }
        if (!(w >= -fmax(slack, 1e-14 * terms) && s->x[i] >= -zero)) return false;
    }
    return true;
}

bool abuti_active_set_try_set(abuti_active_set *s)
{
    if (!solve_reduced(s)) {
        s->answer->stall = ABUT_LCP_STALL_INCONSISTENT;
        return false;
    }
    if (!complementary_point_is_feasible(s)) return false;
    for (int i = 0; i < s->n; ++i) s->z[i] = fmax(s->x[i], 0.0);
    abuti_active_set_slacks(s);
    return true;
}

bool abuti_active_set_phase2(abuti_active_set *s)
{
    abuti_lcp_answer *answer = s->answer;
    const int max_steps = s->options->max_pivots > 0 ? s->options->max_pivots : 20 * s->n + 50;
    answer->stall = ABUT_LCP_STALL_NONE;
    for (int k = 0; k < max_steps && !abuti_lcp_late(s->problem); ++k) {
        double f = complementarity(s);
        if (is_complementary(s)) {
            s->set_count = 0;
            abuti_active_set_trace(s, "solution", f, NAN, 0.0);
            return true;
        }
        double threshold = choose_working_set(s, f);
        if (isnan(threshold)) {
            answer->stall = ABUT_LCP_STALL_EMPTY_SET;
            abuti_active_set_trace(s, "empty-set", f, NAN, NAN);
            return false;
        }
        answer->steps++;
        answer->pivots++;
        if (abuti_active_set_try_set(s)) {
            abuti_active_set_trace(s, "solution", f, threshold, 1.0);
            return true;
        }
        if (answer->stall == ABUT_LCP_STALL_INCONSISTENT) {
            abuti_active_set_trace(s, "inconsistent", f, threshold, NAN);
            return false;
        }
        /* Towards the complementary point until a row blocks. */
        for (int i = 0; i < s->n; ++i) s->direction[i] = s->x[i] - s->z[i];
        double step = abuti_active_set_blocking_step(s, 1.0);
        if (!(step >= least_step)) {
            answer->stall = ABUT_LCP_STALL_ZERO_STEP;
            abuti_active_set_trace(s, "stall", f, threshold, step);
            return false;
        }
        for (int i = 0; i < s->n; ++i) s->z[i] = fmax(s->z[i] + step * s->direction[i], 0.0);
        abuti_active_set_slacks(s);
        abuti_active_set_trace(s, "working-set", f, threshold, step);
    }
    answer->stall = ABUT_LCP_STALL_ZERO_STEP;
    return false;
}
