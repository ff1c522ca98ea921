/* What the two phases leave open is finished from where they stand.
 *
 * Symmetric M: Dantzig's driving, started from the support of the current point. Otherwise (or if driving
 * fails) Lemke on the principal transform of (M, q) with respect to the working set S,
 *
 *     M~ = [ M_SS^-1            -M_SS^-1 M_SN              ]      q~ = [ -M_SS^-1 q_S            ]
 *          [ M_NS M_SS^-1   M_NN - M_NS M_SS^-1 M_SN       ]           [ q_N - M_NS M_SS^-1 q_S  ],
 *
 * which is again positive semidefinite, and whose solution (w_S, z_N) gives back z. Every answer is measured
 * before it is believed. If that way ends on a ray, or M_SS is singular, Lemke starts cold; a ray of Lemke's
 * on a positive semidefinite M yields the witness that there is no solution. */
#include "lcp/active_set.h"
#include <math.h>
#include <string.h>

/* The transform is trusted only for blocks that are clearly regular. */
static const double rank_tolerance = 1e-9;

static double *row_of(double *A, const abuti_active_set *s, int i)
{
    return A + (size_t)i * (size_t)s->ld;
}

/* Exchanges z_k and w_k in (M~, q~): one Gauss-Jordan step on a diagonal pivot. */
static void exchange(abuti_active_set *s, int k)
{
    double *pivot_row = row_of(s->transformed, s, k);
    const double pivot = pivot_row[k];
    for (int j = 0; j < s->n; ++j)
        if (j != k) pivot_row[j] /= -pivot;
    s->transformed_q[k] /= -pivot;
    pivot_row[k] = 1.0 / pivot;
    for (int i = 0; i < s->n; ++i) {
        if (i == k) continue;
        double *row = row_of(s->transformed, s, i);
        const double factor = row[k];
        for (int j = 0; j < s->n; ++j)
            if (j != k) row[j] += factor * pivot_row[j];
        s->transformed_q[i] += factor * s->transformed_q[k];
        row[k] = factor * pivot_row[k];
    }
}

/* Transforms on the largest regular part of the support of z. The next pivot is always the largest diagonal
 * entry that is left, so that redundant rows stay out. Marks the exchanged indices in `exchanged` and returns
 * their number. */
static int transform(abuti_active_set *s, const abuti_lcp *problem, const double *z, int *exchanged)
{
    int done = 0;
    memcpy(s->transformed, problem->M, (size_t)s->n * (size_t)s->ld * sizeof(double));
    memcpy(s->transformed_q, problem->q, (size_t)s->n * sizeof(double));
    for (int i = 0; i < s->n; ++i) exchanged[i] = 0;
    for (;;) {
        int best = -1;
        double largest = rank_tolerance;
        for (int i = 0; i < s->n; ++i) {
            double diagonal = s->transformed[(size_t)i * (size_t)s->ld + (size_t)i];
            if (z[i] > 0.0 && !exchanged[i] && diagonal > largest) {
                largest = diagonal;
                best = i;
            }
        }
        if (best < 0) return done;
        exchange(s, best);
        exchanged[best] = 1;
        done++;
    }
}

/* Lemke from the current set. The answer's z is then in the units of `problem`. */
static abut_outcome lemke_from_set(abuti_active_set *s, const abuti_lcp *problem, abut_lcp_options options)
{
    abuti_lcp_answer *answer = s->answer;
    for (int i = 0; i < s->n; ++i) s->x[i] = s->z[i];
    if (transform(s, problem, s->x, s->set) == 0) return ABUT_FAILED;
    for (int i = 0; i < s->n; ++i) s->ones[i] = 1.0;
    abuti_lcp moved = *problem;
    moved.M = s->transformed;
    moved.q = s->transformed_q;
    moved.cover = s->ones;
    moved.start = NULL;
    moved.symmetric = false;
    options.max_covers = 0;
    abut_outcome outcome = abuti_lcp_lemke.run(&moved, s->lemke, &options, answer);
    if (outcome != ABUT_SOLVED) return ABUT_FAILED;
    /* z_S is the slack of an exchanged row, z_N the variable itself. */
    memcpy(s->x, answer->z, (size_t)s->n * sizeof *s->x);
    for (int i = 0; i < s->n; ++i) {
        if (!s->set[i]) continue;
        const double *row = row_of(s->transformed, s, i);
        double w = s->transformed_q[i];
        for (int j = 0; j < s->n; ++j) w += row[j] * s->x[j];
        answer->z[i] = fmax(w, 0.0);
    }
    return ABUT_SOLVED;
}

/* Sets options->max_pivots to the pivots that the runs so far have left. False: none are left, and the answer
 * is the point of the phases. */
static bool has_pivots_left(const abuti_active_set *s, const abuti_lcp *problem, int used,
                            abut_lcp_options *options)
{
    if (s->options->max_pivots == 0) return true;
    options->max_pivots = s->options->max_pivots - used;
    if (options->max_pivots > 0) return true;
    for (int i = 0; i < s->n; ++i) s->answer->z[i] = fmax(s->z[i] / problem->column_scale[i], 0.0);
    return false;
}

abut_outcome abuti_active_set_fallback(abuti_active_set *s, const abuti_lcp *problem)
{
    abut_lcp_options options = *s->options;
    options.trace = NULL;
    int *pivots = &s->answer->pivots, before = *pivots; /* every run counts from 0 */
    if (!has_pivots_left(s, problem, before, &options)) return ABUT_LIMIT;
    if (problem->symmetric) {
        for (int i = 0; i < s->n; ++i) s->x[i] = s->z[i] / problem->column_scale[i];
        abuti_lcp from_here = *problem;
        from_here.start = s->x;
        abut_outcome outcome = abuti_lcp_dantzig.run(&from_here, s->dantzig, &options, s->answer);
        *pivots = before += *pivots;
        if (outcome == ABUT_LIMIT) return outcome;
        if (outcome == ABUT_SOLVED && abuti_active_set_solves(s, problem)) return outcome;
        if (outcome == ABUT_INFEASIBLE && s->answer->has_witness) return outcome;
    }
    if (!has_pivots_left(s, problem, before, &options)) return ABUT_LIMIT;
    *pivots = 0;
    abut_outcome outcome = lemke_from_set(s, problem, options);
    *pivots = before += *pivots;
    if (outcome == ABUT_SOLVED && abuti_active_set_solves(s, problem)) return outcome;
    if (!has_pivots_left(s, problem, before, &options)) return ABUT_LIMIT;
    outcome = abuti_lcp_lemke.run(problem, s->lemke, &options, s->answer);
    *pivots += before;
    return outcome;
}
