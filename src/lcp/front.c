/* The way of a problem into the solvers and of their answers out of them:
 *
 *     caller's M, q  --mixed.c-->  plain M, q  --equilibrate.c-->  what the solvers see
 *
 * Problems without free variables skip the first arrow. */
#include "lcp/workspace.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* The covering vector is e in the caller's units, unless the caller gave one. Here it is scaled with the rows and
 * brought near 1 by one common power of two, which does not change Lemke's path. */
static void prepare_cover(abut_lcp_workspace *ws, const double *cover, int n)
{
    double *reduced = ws->cover;
    if (ws->is_mixed) {
        for (int i = 0; i < ws->problem->n; ++i) ws->unscaled[i] = cover ? cover[i] : 1;
        abuti_mixed_take_rows(&ws->mixed, ws->unscaled, reduced);
    } else {
        for (int i = 0; i < n; ++i) reduced[i] = cover ? cover[i] : 1;
    }
    abuti_apply_direction(n, ws->scales.row, reduced, ws->cover);
}

static void prepare_start(abut_lcp_workspace *ws, const double *start, int n)
{
    if (ws->is_mixed) {
        abuti_mixed_take_variables(&ws->mixed, start, ws->unscaled);
        start = ws->unscaled;
    }
    abuti_apply_scale(n, ws->scales.column, -1, start, ws->start);
}

bool abuti_front_prepare(abut_lcp_workspace *ws, const abut_lcp_problem *problem,
                         const abut_lcp_options *options)
{
    ws->problem = problem;
    ws->is_mixed = problem->free_count > 0;
    int n = problem->n - problem->free_count;
    int ld = abuti_padded(n);
    ws->plain =
        (abuti_lcp){.n = n, .ld = ld, .M = ws->M, .q = ws->q, .cover = ws->cover, .deadline = INFINITY};
    ws->plain.row_scale = ws->row_scale;
    ws->plain.column_scale = ws->column_scale;

    const double *M = problem->M, *q = problem->q;
    int ld_in = problem->ld;
    if (ws->is_mixed) {
        if (!abuti_mixed_reduce(&ws->mixed, problem, ws->M, ld, ws->witness)) return false;
        M = ws->M;
        q = ws->mixed.q;
        ld_in = ld;
    }
    if (n == 0) return true;
    ws->plain.symmetric = abuti_equilibrate(&ws->scales, n, M, ld_in, q, ws->M, ld, ws->q);
    for (int i = 0; i < n; ++i) {
        ws->row_scale[i] = ldexp(1, ws->scales.row[i]);
        ws->column_scale[i] = ldexp(1, ws->scales.column[i]);
    }
    prepare_cover(ws, options->cover, n);
    if (options->start) {
        prepare_start(ws, options->start, n);
        ws->plain.start = ws->start;
    }
    return true;
}

/* -0 becomes 0, everything else stays: fmax(-0.0, 0.0) may be either, so compilers differ there. */
static void settle_zeros(int n, double *x)
{
    for (int i = 0; i < n; ++i) x[i] += 0.0;
}

/* A variable of the reduced problem (z_a is a, w_a is n + a, z0 is 2 n, none is -1) in the caller's numbers.
 * The nonbasic variable of a swapped pair is w. */
static int caller_variable(const abut_lcp_workspace *ws, int variable)
{
    int reduced = ws->plain.n, n = ws->problem->n;
    if (variable < 0) return variable;
    if (variable >= 2 * reduced) return 2 * n;
    const abuti_pair *pair = &ws->mixed.pairs[variable % reduced];
    return pair->index + ((variable >= reduced) != pair->swapped ? n : 0);
}

static void translate_trace(const abut_lcp_trace *record, void *context)
{
    abut_lcp_workspace *ws = context;
    abut_lcp_trace translated = *record;
    translated.entering = caller_variable(ws, record->entering);
    translated.leaving = caller_variable(ws, record->leaving);
    if (record->set) {
        for (int k = 0; k < record->set_count; ++k) ws->trace_set[k] = ws->mixed.pairs[record->set[k]].index;
        translated.set = ws->trace_set;
    }
    if (record->z) {
        abuti_mixed_restore(&ws->mixed, ws->problem, record->z, ws->trial_z);
        translated.z = ws->trial_z;
    }
    ws->caller_options->trace(&translated, ws->caller_options->trace_context);
}

const abut_lcp_options *abuti_front_options(abut_lcp_workspace *ws, const abut_lcp_options *options,
                                            abut_lcp_options *translated)
{
    if (!ws->is_mixed || !options->trace) return options;
    ws->caller_options = options;
    *translated = *options;
    translated->trace = translate_trace;
    translated->trace_context = ws;
    return translated;
}

void abuti_front_restore_z(abut_lcp_workspace *ws, const double *z, double *caller_z)
{
    double *out = ws->is_mixed ? ws->unscaled : caller_z;
    abuti_apply_scale(ws->plain.n, ws->scales.column, 1, z, out);
    if (ws->is_mixed) abuti_mixed_restore(&ws->mixed, ws->problem, out, caller_z);
    settle_zeros(ws->problem->n, caller_z);
}

void abuti_front_restore_ray(abut_lcp_workspace *ws, const double *ray, double *caller_ray)
{
    double *out = ws->is_mixed ? ws->unscaled : caller_ray;
    abuti_apply_direction(ws->plain.n, ws->scales.column, ray, out);
    if (ws->is_mixed) abuti_mixed_restore_ray(&ws->mixed, out, caller_ray);
    settle_zeros(ws->problem->n, caller_ray);
}

void abuti_front_restore_witness(abut_lcp_workspace *ws, const double *u, double *caller_u)
{
    double *out = ws->is_mixed ? ws->unscaled : caller_u;
    abuti_apply_direction(ws->plain.n, ws->scales.row, u, out);
    if (ws->is_mixed) abuti_mixed_restore_witness(&ws->mixed, out, caller_u);
    settle_zeros(ws->problem->n, caller_u);
}
