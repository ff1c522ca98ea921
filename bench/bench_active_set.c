/* `abut bench active-set`: how often Sharaf's two phases suffice alone, and what they cost. */
#include "abut/contact.h"
#include "abut/lcp.h"
#include "bench.h"
#include "psd_classes.h"
#include "timer.h"

#include <math.h>
#include <stdlib.h>

/* One problem, asked in two ways. */
typedef struct asked {
    psd_problem problem;
    abut_lcp_workspace *lcp;
    double *scratch; /* 4 n */
    double *identity;
    double *force;
    abut_contact *contacts;
    abut_contact_workspace *contact;
} asked;

static bool ask_open(asked *a, int n)
{
    *a = (asked){0};
    abut_lcp_limits limits = {.n = n};
    const size_t rows = (size_t)n + 3;
    a->scratch = malloc(4 * rows * sizeof *a->scratch);
    a->identity = calloc(rows * rows, sizeof *a->identity);
    a->force = calloc(rows, sizeof *a->force);
    a->contacts = calloc(rows, sizeof *a->contacts);
    abut_contact_limits contact = {.contacts = n, .nv = n + 3, .solvers = 1u << ABUT_SOLVER_PPM};
    return psd_open(&a->problem, n) && a->scratch && a->identity && a->force && a->contacts &&
           abut_lcp_workspace_create(&limits, NULL, &a->lcp) == ABUT_OK &&
           abut_contact_workspace_create(&contact, NULL, &a->contact) == ABUT_OK;
}

static void ask_close(asked *a)
{
    psd_close(&a->problem);
    abut_lcp_workspace_destroy(a->lcp);
    abut_contact_workspace_destroy(a->contact);
    free(a->scratch);
    free(a->identity);
    free(a->force);
    free(a->contacts);
}

/* As an LCP; every answer is verified again outside the clock. */
static abut_lcp_result solve_lcp(asked *a, bench_series *series, const abut_lcp_options *options)
{
    const psd_problem *p = &a->problem;
    abut_lcp_problem problem = {.n = p->n, .M = p->M, .ld = p->n, .q = p->q};
    abut_lcp_result result;
    abut_lcp_check check = {.residual = INFINITY};
    double start = bench_now_us();
    abut_status status = abut_lcp_solve(a->lcp, &problem, options, &result);
    double us = bench_now_us() - start;
    bool solved = status == ABUT_OK && result.outcome == ABUT_SOLVED;
    if (solved) abut_lcp_verify(&problem, result.z, a->scratch, a->scratch + p->n, &check);
    bench_add(series, us, solved && check.residual <= 1e-10, check.residual, result.pivots);
    return result;
}

/* As frictionless contact of a body with unit mass in `dof` coordinates. */
static void solve_rows(asked *a, bench_series *series)
{
    const psd_problem *p = &a->problem;
    for (int i = 0; i < p->dof * p->dof; ++i) a->identity[i] = 0.0;
    for (int i = 0; i < p->dof; ++i) a->identity[i * p->dof + i] = 1.0;
    for (int i = 0; i < p->n; ++i) a->contacts[i].gap = p->offset[i];
    abut_generalised rows = {
        .nv = p->dof, .mass_matrix = a->identity, .velocity = p->v, .force = a->force, .normal_rows = p->J};
    abut_contact_problem problem = {.model = ABUT_FRICTIONLESS,
                                    .step = 1.0,
                                    .contact_count = p->n,
                                    .contacts = a->contacts,
                                    .generalised = &rows};
    abut_contact_options options = abut_contact_default_options();
    options.solver = ABUT_SOLVER_PPM;
    abut_contact_result result = {0};
    double start = bench_now_us();
    abut_status status = abut_contact_solve(a->contact, &problem, &options, &result);
    double us = bench_now_us() - start;
    bool solved = status == ABUT_OK && result.outcome == ABUT_SOLVED;
    bench_add(series, us, solved && result.residual <= 1e-10, result.residual, result.pivots);
}

/* The share that phases 1 and 2 solve alone, and their iterations. */
static void run_phases(bench *b, asked *a, psd_class c, int n, int count)
{
    double alone = 0, cuts = 0, steps = 0, trivial = 0;
    bench_series series = bench_begin(b, psd_class_name(c), n, "active-set");
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_ACTIVE_SET;
    for (int i = 0; i < count; ++i) {
        bench_random random = bench_random_stream(b->seed + (uint64_t)c, (uint64_t)(i + 100000 * n));
        psd_make(&a->problem, c, n, &random);
        abut_lcp_result result = solve_lcp(a, &series, &options);
        trivial += result.phase == ABUT_LCP_PHASE_NONE;
        alone += result.phase == ABUT_LCP_PHASE_THRESHOLD;
        cuts += result.cuts;
        steps += result.steps;
    }
    bench_row *row = bench_end(b, &series);
    bench_extra(row, "alone_percent", 100.0 * alone / fmax(count - trivial, 1));
    bench_extra(row, "cuts", cuts / count);
    bench_extra(row, "steps", steps / count);
}

static void run_other(bench *b, asked *a, psd_class c, int n, int count, abut_lcp_method method)
{
    bench_series series = bench_begin(b, psd_class_name(c), n, abut_lcp_method_name(method));
    abut_lcp_options options = abut_lcp_default_options();
    options.method = method;
    for (int i = 0; i < count; ++i) {
        bench_random random = bench_random_stream(b->seed + (uint64_t)c, (uint64_t)(i + 100000 * n));
        psd_make(&a->problem, c, n, &random);
        solve_lcp(a, &series, &options);
    }
    bench_end(b, &series);
}

static void run_ppm(bench *b, asked *a, psd_class c, int n, int count)
{
    bench_series series = bench_begin(b, psd_class_name(c), n, "ppm");
    for (int i = 0; i < count; ++i) {
        bench_random random = bench_random_stream(b->seed + (uint64_t)c, (uint64_t)(i + 100000 * n));
        psd_make(&a->problem, c, n, &random);
        solve_rows(a, &series);
    }
    bench_end(b, &series);
}

void bench_run_active_set(bench *b);

void bench_run_active_set(bench *b)
{
    static const int sizes[] = {2, 4, 8, 20, 50, 100, 200};
    for (psd_class c = 0; c < PSD_CLASS_COUNT; ++c) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            const int n = sizes[k], count = bench_count(b, n <= 8 ? 200 : n <= 50 ? 40 : 10);
            asked a;
            if (!ask_open(&a, n)) {
                b->failed = true;
                ask_close(&a);
                return;
            }
            run_phases(b, &a, c, n, count);
            if (c != PSD_UNSYMMETRIC) run_other(b, &a, c, n, count, ABUT_LCP_DANTZIG);
            run_other(b, &a, c, n, count, ABUT_LCP_LEMKE);
            if (c != PSD_UNSYMMETRIC) run_ppm(b, &a, c, n, count);
            ask_close(&a);
        }
    }
    bench_note(b,
               "alone_percent: of the problems with some q < 0, those that phases 1 and 2 solved without the "
               "fallback; every problem was solved and verified in the end");
}
