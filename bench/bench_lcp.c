/* abut bench lcp: dense LCPs.
 *
 * Pegs: the LCP of Lloyd's eq. (8), size n (2 + d), by lemke. The time of a pivot is O(n^2) and the number of
 * pivots grows like n, so the exponent should stay near 3.
 *
 * Positive definite M with q of random sign, by dantzig, beside one plain Gaussian elimination of the same
 * size: Baraff's yardstick for driving. LAPACK's dgesv stands beside both, to say what tuned elimination
 * takes here. */
#include "bench.h"
#include "contact_families.h"
#include "lapack.h"
#include "timer.h"

#include "abut/lcp.h"
#include "io/contact_lcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_lcp(bench *b);

/* Every answer must be this good; the library's own default is weaker. */
static const double residual_wanted = 1e-10;

/* One solve under the clock, judged by an own call of the verifier. */
static void solve_one(bench_series *series, abut_lcp_workspace *work, const abut_lcp_problem *problem,
                      abut_lcp_method method, double *scratch)
{
    abut_lcp_options options = abut_lcp_default_options();
    options.method = method;
    options.tolerance = residual_wanted;
    abut_lcp_result result;
    double start = bench_now_us();
    abut_status status = abut_lcp_solve(work, problem, &options, &result);
    double us = bench_now_us() - start;
    abut_lcp_check check = {.residual = INFINITY};
    if (status == ABUT_OK && result.z)
        abut_lcp_verify(problem, result.z, scratch, scratch + problem->n, &check);
    bool solved = status == ABUT_OK && result.outcome == ABUT_SOLVED && result.method == method &&
                  check.residual <= residual_wanted;
    bench_add(series, us, solved, check.residual, status == ABUT_OK ? result.pivots : 0);
}

/* ---- pegs ---- */

static void run_pegs(bench *b, int n, int count)
{
    const contact_family *family = contact_family_find("pegs");
    int size = n * (2 + ABUT_DIRECTIONS_DEFAULT);
    abut_lcp_limits limits = {.n = size, .methods = 1u << ABUT_LCP_LEMKE};
    abut_lcp_workspace *work = NULL;
    contact_case *c = contact_case_create();
    double *scratch = malloc(4 * (size_t)size * sizeof(double));
    b->failed =
        b->failed || !family || !c || !scratch || abut_lcp_workspace_create(&limits, NULL, &work) != ABUT_OK;
    bench_series series = bench_begin(b, "peg", size, "lemke");
    for (int i = 0; i < count && !b->failed; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(1000 * n + i));
        abuti_lcp_data lcp = {0};
        abut_error error;
        b->failed = !contact_family_make(family, n, &random, c) ||
                    !abuti_contact_lcp(&c->problem, NULL, &lcp, &error);
        abut_lcp_problem problem = abuti_lcp_data_problem(&lcp);
        if (!b->failed) solve_one(&series, work, &problem, ABUT_LCP_LEMKE, scratch);
        abuti_lcp_data_release(&lcp);
    }
    bench_extra(bench_end(b, &series), "contacts", n);
    abut_lcp_workspace_destroy(work);
    contact_case_destroy(c);
    free(scratch);
}

/* ---- positive definite M ---- */

/* M = B B' / n + I / 10 with B normal: condition number about 40. q is uniform in -1 .. 1. */
static void make_definite(int n, double *M, double *q, double *factor, bench_random *random)
{
    for (int i = 0; i < n * n; ++i) factor[i] = bench_normal(random);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += factor[i * n + k] * factor[j * n + k];
            M[i * n + j] = M[j * n + i] = sum / n + (i == j ? 0.1 : 0);
        }
    for (int i = 0; i < n; ++i) q[i] = bench_uniform(random, -1, 1);
}

/* One linear system M x = q under the clock; its residual is relative to q. */
static void eliminate_one(bench_series *series, const abut_lcp_problem *problem,
                          bool (*solve)(int, double *, double *), double *a, double *x)
{
    int n = problem->n;
    memcpy(a, problem->M, (size_t)n * (size_t)n * sizeof(double));
    memcpy(x, problem->q, (size_t)n * sizeof(double));
    double start = bench_now_us();
    bool regular = solve(n, a, x);
    double us = bench_now_us() - start, worst = 0, scale = 0;
    for (int i = 0; i < n; ++i) {
        double r = -problem->q[i];
        for (int j = 0; j < n; ++j) r += problem->M[i * n + j] * x[j];
        worst = fmax(worst, fabs(r));
        scale = fmax(scale, fabs(problem->q[i]));
    }
    bench_add(series, us, regular && worst <= residual_wanted * scale, worst / scale, n);
}

static void run_definite(bench *b, int n, int count)
{
    size_t entries = (size_t)n * (size_t)n;
    abut_lcp_limits limits = {.n = n, .methods = 1u << ABUT_LCP_DANTZIG};
    abut_lcp_workspace *work = NULL;
    double *M = malloc((2 * entries + 6 * (size_t)n) * sizeof(double));
    if (!M || abut_lcp_workspace_create(&limits, NULL, &work) != ABUT_OK) {
        b->failed = true;
        free(M);
        return;
    }
    double *a = M + entries, *q = a + entries, *x = q + n, *scratch = x + n;
    abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q};
    bench_series driving = bench_begin(b, "definite", n, "dantzig");
    bench_series plain = bench_begin(b, "definite", n, "elimination");
    bench_series lapack = bench_begin(b, "definite", n, "dgesv");
    bool has_lapack = bench_lapack_load();
    for (int i = 0; i < count; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(1000000 + 1000 * n + i));
        make_definite(n, M, q, a, &random);
        solve_one(&driving, work, &problem, ABUT_LCP_DANTZIG, scratch);
        eliminate_one(&plain, &problem, bench_gaussian_elimination, a, x);
        if (has_lapack) eliminate_one(&lapack, &problem, bench_lapack_solve, a, x);
    }
    double plain_us = bench_end(b, &plain)->p50_us;
    bench_row *row = bench_end(b, &driving);
    bench_extra(row, "eliminations", row->p50_us / plain_us);
    if (has_lapack) bench_end(b, &lapack);
    abut_lcp_workspace_destroy(work);
    free(M);
}

void bench_run_lcp(bench *b)
{
    static const int contacts[] = {8, 12, 16, 20, 24, 28, 32};
    static const int sizes[] = {100, 200, 300, 400};
    for (size_t i = 0; i < sizeof contacts / sizeof contacts[0]; ++i)
        run_pegs(b, contacts[i], bench_count(b, 40));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) run_definite(b, sizes[i], bench_count(b, 20));
    bench_note(b, "peg: Lloyd's eq. (8) with d = 8; lemke grows like size^%.2f (wanted: at most 3.1)",
               bench_exponent(b, "peg", "lemke", 80, 320));
    bench_note(b, "definite: column `eliminations` is dantzig in plain Gaussian eliminations of its size "
                  "(wanted: at most 3)");
    if (bench_lapack_load())
        bench_note(b, "dgesv: LAPACK on %s; one thread; it takes part in this table only",
                   bench_lapack_name());
}
