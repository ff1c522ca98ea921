/* Sharaf's two phases: the paper's examples with their printed intermediate numbers, the problems on
 * which the published method fails, and random problems of every class. */
#include "abut/lcp.h"
#include "check.h"
#include "psd_classes.h"

#include <stdlib.h>

enum { max_records = 64, max_n = 40 };

/* A trace kept for the checks. */
typedef struct story {
    int count;
    struct {
        char step[16];
        double f, threshold, length;
        int set_count, set[8];
        double z[8];
    } record[max_records];
    int n;
} story;

static void listen(const abut_lcp_trace *t, void *context)
{
    story *s = context;
    if (s->count == max_records) return;
    int k = s->count++;
    snprintf(s->record[k].step, sizeof s->record[k].step, "%s", t->step);
    s->record[k].f = t->objective;
    s->record[k].threshold = t->threshold;
    s->record[k].length = t->length;
    s->record[k].set_count = t->set_count;
    for (int i = 0; i < t->set_count && i < 8; ++i) s->record[k].set[i] = t->set[i];
    for (int i = 0; i < s->n && i < 8; ++i) s->record[k].z[i] = t->z[i];
}

/* One solve through the public door; the verifier's residual is checked again by a fresh call. */
static abut_lcp_result solve(int n, const double *M, const double *q, abut_lcp_options options,
                             abut_lcp_workspace *work)
{
    abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q};
    abut_lcp_result result;
    options.method = ABUT_LCP_ACTIVE_SET;
    CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_OK);
    if (result.outcome == ABUT_SOLVED) {
        double *w = malloc(4 * (size_t)n * sizeof *w);
        abut_lcp_check check;
        CHECK_EQ_INT(abut_lcp_verify(&problem, result.z, w, w + n, &check), ABUT_OK);
        CHECK_MSG(check.residual <= 1e-10, "residual %.3g, phase %d, stall %d", check.residual,
                  (int)result.phase, (int)result.stall);
        CHECK(check.residual == result.residual);
        free(w);
    }
    return result;
}

static abut_lcp_workspace *workspace(int n)
{
    abut_lcp_limits limits = {.n = n};
    abut_lcp_workspace *work = NULL;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    return work;
}

/* Example 1: two cuts (rows 3 and 1), boundary point, one working-set step. */
static void test_example_1(void)
{
    const double M[] = {1, 0, 0, 2, 1, 0, 2, 2, 1}, q[] = {-8, -12, -14};
    story s = {.n = 3};
    abut_lcp_workspace *work = workspace(3);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.radius = 10.0;
    options.active_set.alone = true;
    options.trace = listen;
    options.trace_context = &s;
    abut_lcp_result r = solve(3, M, q, options, work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(r.method, ABUT_LCP_ACTIVE_SET);
    CHECK_EQ_INT(r.phase, ABUT_LCP_PHASE_THRESHOLD);
    CHECK_EQ_INT(r.cuts, 2);
    CHECK_EQ_INT(r.steps, 1);
    CHECK_NEAR(r.z[0], 8.0, 1e-12);
    CHECK_NEAR(r.z[1], 0.0, 0.0);
    CHECK_NEAR(r.z[2], 0.0, 0.0);
    CHECK_EQ_INT(s.count, 4);
    CHECK_STR(s.record[0].step, "cut");
    CHECK_EQ_INT(s.record[0].set[0], 2);
    CHECK_NEAR(s.record[0].length, 0.466667, 1e-6);
    CHECK_EQ_INT(s.record[1].set[0], 0);
    CHECK_NEAR(s.record[1].length, 0.534522, 1e-6);
    CHECK_NEAR(s.record[1].z[0], 8.8708, 5e-5); /* the paper prints four digits */
    CHECK_NEAR(s.record[1].z[1], 1.2167, 5e-5);
    CHECK_NEAR(s.record[1].z[2], 0.6083, 5e-5);
    CHECK_STR(s.record[2].step, "boundary");
    CHECK_NEAR(s.record[2].z[0], 8.6559, 5e-5);
    CHECK_NEAR(s.record[2].z[1], 0.6447, 5e-5);
    CHECK_NEAR(s.record[2].z[2], 0.0, 1e-12);
    CHECK_NEAR(s.record[2].f, 9.5174, 5e-5);
    CHECK_STR(s.record[3].step, "solution");
    CHECK_NEAR(s.record[3].threshold, 3.1725, 5e-5);
    CHECK_EQ_INT(s.record[3].set_count, 1);
    CHECK_EQ_INT(s.record[3].set[0], 0);
    abut_lcp_workspace_destroy(work);
}

/* Example 2 from the printed starting point: working sets {1,2,3} and {1,2}. The printed f0 has two
 * digits transposed: 27.8535 is what the printed point gives. */
static void test_example_2(void)
{
    const double M[] = {5, 1, 1, 1, 2, 1, 3, 1, 2, 1, 1, 1, 3, 0, 2, 1, 2, 0, 4, 0, 2, 1, 2, 0, 5};
    const double q[] = {-10, -15, -5, 10, -5}, start[] = {1.0805, 3.5788, 0.6758, 0.8959, 0.7153};
    const double after[] = {1.1022, 4.3892, 0, 0.2610, 0.2084}, end[] = {15.0 / 14, 65.0 / 14, 0, 0, 0};
    story s = {.n = 5};
    abut_lcp_workspace *work = workspace(5);
    abut_lcp_options options = abut_lcp_default_options();
    options.start = start;
    options.active_set.alone = true;
    options.trace = listen;
    options.trace_context = &s;
    abut_lcp_result r = solve(5, M, q, options, work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(r.cuts, 0);
    CHECK_EQ_INT(r.steps, 2);
    CHECK_EQ_INT(s.count, 2);
    CHECK_NEAR(s.record[0].f, 27.8535, 5e-5);
    CHECK_NEAR(s.record[0].threshold, 5.5707, 5e-5);
    CHECK_EQ_INT(s.record[0].set_count, 3);
    CHECK_NEAR(s.record[0].length, 0.708699, 1e-6);
    CHECK_NEAR(s.record[1].f, 6.6466, 2e-4); /* the start has four digits, one row is missed by 2e-4 */
    CHECK_NEAR(s.record[1].threshold, 1.3293, 5e-5);
    CHECK_EQ_INT(s.record[1].set_count, 2);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(s.record[0].z[i], after[i], 6e-5);
        CHECK_NEAR(r.z[i], end[i], 1e-12);
    }
    abut_lcp_workspace_destroy(work);
}

/* The stack of section 6.2 as printed: a boundary point after one cut, then reduced systems with the rows 1
 * and 2 only, z = (1, 1, 0), and the force J'z on the bodies. (The paper counts two such systems; from no
 * radius does the first one miss, since its solution is the answer.) */
static void test_published_stack(void)
{
    const double J[3][4] = {{1, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 1}}, inverse_mass[] = {1, 1, 1, 0};
    const double v[] = {0, -1, 0, 0}, force[] = {-1, -1, -1, -1}, expected[] = {1, 2, 1, 0};
    double M[9], q[3];
    for (int i = 0; i < 3; ++i) {
        q[i] = 0;
        for (int c = 0; c < 4; ++c) q[i] += J[i][c] * (v[c] + inverse_mass[c] * force[c]);
        for (int j = 0; j < 3; ++j) {
            M[3 * i + j] = 0;
            for (int c = 0; c < 4; ++c) M[3 * i + j] += J[i][c] * inverse_mass[c] * J[j][c];
        }
    }
    story s = {.n = 3};
    abut_lcp_workspace *work = workspace(3);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.radius = 10.0; /* as in Example 1 */
    options.active_set.alone = true;
    options.trace = listen;
    options.trace_context = &s;
    abut_lcp_result r = solve(3, M, q, options, work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(r.cuts, 1);
    int systems = 0;
    for (int k = 0; k < s.count; ++k) {
        if (isnan(s.record[k].threshold)) continue;
        systems++;
        CHECK_EQ_INT(s.record[k].set_count, 2);
        CHECK(s.record[k].set[0] == 0 && s.record[k].set[1] == 1);
    }
    CHECK_EQ_INT(systems, r.steps);
    CHECK(systems >= 1 && systems <= 2);
    for (int c = 0; c < 4; ++c) {
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += J[i][c] * r.z[i];
        CHECK_NEAR(sum, expected[c], 1e-12);
    }
    for (int i = 0; i < 3; ++i) CHECK_NEAR(r.w[i], 0, 1e-12);
    abut_lcp_workspace_destroy(work);
}

/* The cut as the paper's text has it, the largest alpha: row 1 first, after which the centre (8.5, 0, 0) of
 * Example 1 is feasible. */
static void test_depth_cut(void)
{
    const double M[] = {1, 0, 0, 2, 1, 0, 2, 2, 1}, q[] = {-8, -12, -14};
    story s = {.n = 3};
    abut_lcp_workspace *work = workspace(3);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.radius = 10.0;
    options.active_set.alone = true;
    options.active_set.cut = ABUT_LCP_CUT_DEPTH;
    options.trace = listen;
    options.trace_context = &s;
    abut_lcp_result r = solve(3, M, q, options, work);
    CHECK_EQ_INT(r.cuts, 1);
    CHECK_STR(s.record[0].step, "cut");
    CHECK_EQ_INT(s.record[0].set[0], 0);
    CHECK_NEAR(s.record[0].length, 0.8, 1e-12);
    CHECK_NEAR(s.record[0].z[0], 8.5, 1e-12);
    CHECK_NEAR(s.record[0].z[1], 0, 0);
    CHECK_NEAR(s.record[0].z[2], 0, 0);
    abut_lcp_workspace_destroy(work);
}

/* Example 2 in a ball that its solution, |z| = 4.76, lies outside of. The paper then says infeasible; alone,
 * so do we. Otherwise the ball grows until the phases reach the answer, without the fallback. */
static void test_small_ball(void)
{
    const double M[] = {5, 1, 1, 1, 2, 1, 3, 1, 2, 1, 1, 1, 3, 0, 2, 1, 2, 0, 4, 0, 2, 1, 2, 0, 5};
    const double q[] = {-10, -15, -5, 10, -5}, end[] = {15.0 / 14, 65.0 / 14, 0, 0, 0};
    abut_lcp_workspace *work = workspace(5);
    for (double radius = 0.01; radius < 3.2; radius *= 3) {
        abut_lcp_options options = abut_lcp_default_options();
        options.active_set.radius = radius;
        abut_lcp_result r = solve(5, M, q, options, work);
        CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(r.phase, ABUT_LCP_PHASE_THRESHOLD);
        for (int i = 0; i < 5; ++i) CHECK_NEAR(r.z[i], end[i], 1e-12);
        options.active_set.alone = true;
        r = solve(5, M, q, options, work);
        CHECK_EQ_INT(r.outcome, ABUT_FAILED);
        CHECK_EQ_INT(r.phase, ABUT_LCP_PHASE_ELLIPSOID);
        CHECK_EQ_INT(r.stall, ABUT_LCP_STALL_NOT_FEASIBLE);
    }
    abut_lcp_workspace_destroy(work);
}

/* Cuts: k* of the paper when alone, which finds the thin cone of a high stack from afar; 40 (n + 1)
 * otherwise; or what the caller allows. */
static void test_cut_limits(void)
{
    enum { n = 25 };
    psd_problem p;
    CHECK(psd_open(&p, n));
    bench_random random = bench_random_stream(1, 1);
    psd_make(&p, PSD_STACK, n, &random);
    abut_lcp_workspace *work = workspace(n);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.radius = 1e9;
    abut_lcp_result r = solve(n, p.M, p.q, options, work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(r.phase, ABUT_LCP_PHASE_FALLBACK);
    CHECK_EQ_INT(r.stall, ABUT_LCP_STALL_NOT_FEASIBLE);
    CHECK_EQ_INT(r.cuts, 40 * (n + 1));
    options.active_set.alone = true;
    r = solve(n, p.M, p.q, options, work);
    CHECK(r.stall != ABUT_LCP_STALL_NOT_FEASIBLE);
    CHECK(r.cuts > 40 * (n + 1));
    options.active_set.max_cuts = 17;
    r = solve(n, p.M, p.q, options, work);
    CHECK_EQ_INT(r.stall, ABUT_LCP_STALL_NOT_FEASIBLE);
    CHECK_EQ_INT(r.cuts, 17);
    abut_lcp_workspace_destroy(work);
    psd_close(&p);
}

static void test_stack(void)
{
    const double printed[] = {2, 1, 0, 1, 2, 1, 0, 1, 1}, printed_q[] = {-3, -3, -1};
    const double physical[] = {2, -1, 0, -1, 2, -1, 0, -1, 1}, physical_q[] = {1, -1, -1};
    const double printed_z[] = {1, 1, 0}, physical_z[] = {1, 3, 4};
    abut_lcp_workspace *work = workspace(3);
    abut_lcp_result r = solve(3, printed, printed_q, abut_lcp_default_options(), work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(r.z[i], printed_z[i], 1e-12);
    r = solve(3, physical, physical_q, abut_lcp_default_options(), work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(r.z[i], physical_z[i], 1e-12);
    abut_lcp_workspace_destroy(work);
}

/* Positive definite problems on which the published algorithm does not finish. Two stall: alone the
 * method says so, with the fallback it is right. The third leaves the feasible set by the printed step rule;
 * with zero steps allowed it needs no fallback. */
static void test_known_failures(void)
{
    const struct {
        double M[4], q[2], z[2];
        bool stalls;
    } cases[] = {
        {{14, 5, 5, 14}, {-7, -6}, {0.3976608187134503, 0.2865497076023392}, true},
        {{11, -5, -5, 6}, {2, -2}, {0.0, 1.0 / 3}, true},
        {{8, 0, 0, 18}, {6, -8}, {0.0, 4.0 / 9}, false},
    };
    abut_lcp_workspace *work = workspace(2);
    for (int k = 0; k < 3; ++k) {
        abut_lcp_options options = abut_lcp_default_options();
        options.active_set.radius = 10.0;
        abut_lcp_result r = solve(2, cases[k].M, cases[k].q, options, work);
        CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(r.phase, cases[k].stalls ? ABUT_LCP_PHASE_FALLBACK : ABUT_LCP_PHASE_THRESHOLD);
        for (int i = 0; i < 2; ++i) CHECK_NEAR(r.z[i], cases[k].z[i], 1e-12);
        if (!cases[k].stalls) continue;
        options.active_set.alone = true;
        r = solve(2, cases[k].M, cases[k].q, options, work);
        CHECK_EQ_INT(r.outcome, ABUT_FAILED);
        CHECK(r.stall != ABUT_LCP_STALL_NONE);
        CHECK(!r.z);
    }
    abut_lcp_workspace_destroy(work);
}

/* The stall of the note, step by step: (1.44997, 0) then (1.2, 0)... and no further. */
static void test_stall_path(void)
{
    const double M[] = {14, 5, 5, 14}, q[] = {-7, -6};
    story s = {.n = 2};
    abut_lcp_workspace *work = workspace(2);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.radius = 10.0;
    options.active_set.alone = true;
    options.trace = listen;
    options.trace_context = &s;
    abut_lcp_result r = solve(2, M, q, options, work);
    CHECK_EQ_INT(r.stall, ABUT_LCP_STALL_ZERO_STEP);
    bool on_boundary = false, frozen = false;
    for (int k = 0; k < s.count; ++k) {
        if (strcmp(s.record[k].step, "boundary") == 0)
            on_boundary = fabs(s.record[k].z[0] - 1.44997) < 1e-4 && s.record[k].z[1] == 0.0;
        if (strcmp(s.record[k].step, "stall") == 0) frozen = s.record[k].z[1] == 0.0;
    }
    CHECK(on_boundary);
    CHECK(frozen);
    abut_lcp_workspace_destroy(work);
}

/* The same matrix from the radius that the data suggest: the blocking step ends where both slacks vanish,
 * which is the answer and no stall. */
static void test_step_onto_the_answer(void)
{
    const double M[] = {14, 5, 5, 14}, q[] = {-7, -6};
    story s = {.n = 2};
    abut_lcp_workspace *work = workspace(2);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.alone = true;
    options.trace = listen;
    options.trace_context = &s;
    abut_lcp_result r = solve(2, M, q, options, work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(r.phase, ABUT_LCP_PHASE_THRESHOLD);
    CHECK_EQ_INT(r.stall, ABUT_LCP_STALL_NONE);
    CHECK_EQ_INT(r.steps, 1);
    CHECK_STR(s.record[s.count - 1].step, "solution");
    abut_lcp_workspace_destroy(work);
}

/* f never grows from record to record of phase 2, and z stays nonnegative. */
static void watch(const abut_lcp_trace *t, void *context)
{
    double *last = context;
    if (isnan(t->objective)) return;
    CHECK(t->objective <= *last * (1.0 + 1e-9) + 1e-12);
    *last = t->objective;
}

/* Every class of positive semidefinite problems ends solved; a start from the answer needs no cuts. */
static void test_classes(void)
{
    psd_problem p;
    abut_lcp_workspace *work = workspace(max_n);
    CHECK(psd_open(&p, max_n));
    uint64_t seed = check_seed(8);
    for (psd_class c = 0; c < PSD_CLASS_COUNT; ++c) {
        int phases = 0;
        for (int i = 0; i < 400; ++i) {
            bench_random random = bench_random_stream(seed + (uint64_t)c, (uint64_t)i);
            psd_make(&p, c, 1 + bench_below(&random, i % 4 ? 8 : max_n), &random);
            abut_lcp_options options = abut_lcp_default_options();
            double last = INFINITY, start[max_n];
            options.trace = watch;
            options.trace_context = &last;
            abut_lcp_result r = solve(p.n, p.M, p.q, options, work);
            CHECK_MSG(r.outcome == ABUT_SOLVED, "%s %d", psd_class_name(c), i);
            if (r.outcome != ABUT_SOLVED) continue;
            phases += r.phase == ABUT_LCP_PHASE_THRESHOLD;
            for (int j = 0; j < p.n; ++j) start[j] = r.z[j];
            options.trace = NULL;
            options.start = start;
            r = solve(p.n, p.M, p.q, options, work);
            CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
            CHECK_EQ_INT(r.cuts, 0);
        }
        CHECK_MSG(phases > 0, "%s: the phases never suffice", psd_class_name(c));
    }
    psd_close(&p);
    abut_lcp_workspace_destroy(work);
}

/* The answer of a problem that was a little different: one row missed by 1e-6, and definite problems whose q
 * changed by as much. The phases themselves take the start up where its set is still right. */
static void test_near_starts(void)
{
    const double five = 5, q5 = -2.000002, start5 = 0.4;
    psd_problem p;
    abut_lcp_workspace *work = workspace(max_n);
    abut_lcp_options options = abut_lcp_default_options();
    CHECK(psd_open(&p, max_n));
    options.start = &start5;
    for (int alone = 0; alone < 2; ++alone) {
        options.active_set.alone = alone;
        abut_lcp_result r = solve(1, &five, &q5, options, work);
        CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(r.phase, ABUT_LCP_PHASE_THRESHOLD);
        CHECK(r.outcome != ABUT_SOLVED || fabs(r.z[0] - 0.4000004) < 1e-15);
    }
    uint64_t seed = check_seed(9);
    int phases = 0, nontrivial = 0;
    for (int i = 0; i < 600; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        double start[max_n];
        psd_make(&p, i % 2 ? PSD_DEFINITE : PSD_UNSYMMETRIC, 1 + bench_below(&random, 8), &random);
        abut_lcp_result r = solve(p.n, p.M, p.q, abut_lcp_default_options(), work);
        CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
        if (r.outcome != ABUT_SOLVED) continue;
        for (int j = 0; j < p.n; ++j) start[j] = r.z[j];
        for (int j = 0; j < p.n; ++j) p.q[j] += 1e-6 * bench_uniform(&random, -1, 1);
        options = abut_lcp_default_options();
        options.start = start;
        r = solve(p.n, p.M, p.q, options, work);
        CHECK_MSG(r.outcome == ABUT_SOLVED, "index %d: %s", i, abut_outcome_name(r.outcome));
        if (r.phase == ABUT_LCP_PHASE_NONE) continue;
        nontrivial++;
        phases += r.phase == ABUT_LCP_PHASE_THRESHOLD && r.cuts == 0;
    }
    CHECK_MSG(phases * 100 >= 95 * nontrivial, "%d of %d", phases, nontrivial);
    psd_close(&p);
    abut_lcp_workspace_destroy(work);
}

/* The skew part of M alone, with a q that has a solution: of each pair one is positive. */
static void make_skew(psd_problem *p, bench_random *random)
{
    const int n = p->n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            p->M[i * n + j] = 0.5 * (p->M[i * n + j] - p->M[j * n + i]);
            p->M[j * n + i] = -p->M[i * n + j];
        }
        p->M[i * n + i] = p->q[i] = 0;
    }
    for (int j = 0; j < n; ++j) {
        double pair = bench_uniform(random, -1, 1);
        for (int i = 0; i < n && pair > 0; ++i) p->q[i] -= p->M[i * n + j] * pair;
        if (pair <= 0) p->q[j] -= pair;
    }
}

/* Rows and columns in very different units: what the phases take for zero is none where the answer is judged,
 * and then the fallback goes on. */
static void test_units(void)
{
    const double M[] = {1e8, 10, 10, 1e-4}, q[] = {-1e4, -1e-2};
    const double skew[] = {0, 1e6, 0, -1e6, 0, 1e-3, 0, -1e-3, 0}, skew_q[] = {-1e4, 1e2, 1e-4};
    psd_problem p;
    abut_lcp_workspace *work = workspace(max_n);
    CHECK(psd_open(&p, max_n));
    abut_lcp_result r = solve(2, M, q, abut_lcp_default_options(), work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    r = solve(3, skew, skew_q, abut_lcp_default_options(), work);
    CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
    uint64_t seed = check_seed(10);
    for (int i = 0; i < 2000; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        double unit[8];
        psd_class class = (psd_class)(i % PSD_CLASS_COUNT);
        psd_make(&p, class, 1 + bench_below(&random, 8), &random);
        if (i % 10 == 1) make_skew(&p, &random);
        for (int j = 0; j < p.n; ++j) unit[j] = pow(10, bench_uniform(&random, -6, 6));
        for (int j = 0; j < p.n; ++j) {
            for (int k = 0; k < p.n; ++k) p.M[j * p.n + k] *= unit[j] * unit[k];
            p.q[j] *= unit[j];
        }
        r = solve(p.n, p.M, p.q, abut_lcp_default_options(), work);
        CHECK_MSG(r.outcome == ABUT_SOLVED, "%s %d: %s", psd_class_name(class), i,
                  abut_outcome_name(r.outcome));
    }
    psd_close(&p);
    abut_lcp_workspace_destroy(work);
}

/* Murty's matrix, on which Lemke's path from z = 0 is long. Where the phases stall their set is almost right,
 * and Lemke from that set has a short way. */
static void test_lemke_from_set(void)
{
    enum { n = 8 };
    double M[n * n], q[n];
    abut_lcp_workspace *work = workspace(n);
    uint64_t seed = check_seed(11);
    int stalled = 0, from_set = 0, cold = 0;
    for (int i = 0; i < n * n; ++i) M[i] = i % n < i / n ? 2 : i % n == i / n;
    for (int k = 0; k < 400; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        for (int i = 0; i < n; ++i) q[i] = -(256 - ldexp(1, n - 1 - i)) * bench_uniform(&random, 0.7, 1.3);
        abut_lcp_options options = abut_lcp_default_options();
        abut_lcp_result r = solve(n, M, q, options, work);
        CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
        if (r.phase != ABUT_LCP_PHASE_FALLBACK || r.stall == ABUT_LCP_STALL_NOT_FEASIBLE) continue;
        stalled++;
        from_set += r.pivots - r.steps;
        abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q};
        options.method = ABUT_LCP_LEMKE;
        CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &r), ABUT_OK);
        cold += r.pivots;
    }
    CHECK_MSG(stalled > 50 && 2 * from_set < cold, "%d stalled: %d pivots from the set, %d cold", stalled,
              from_set, cold);
    abut_lcp_workspace_destroy(work);
}

/* No solution: said only with a witness, which the verifier has checked. */
static void test_infeasible(void)
{
    const double M[] = {1, -1, -1, 1}, q[] = {-1, 0};
    abut_lcp_workspace *work = workspace(2);
    abut_lcp_result r = solve(2, M, q, abut_lcp_default_options(), work);
    CHECK_EQ_INT(r.outcome, ABUT_INFEASIBLE);
    CHECK(r.witness);
    abut_lcp_options options = abut_lcp_default_options();
    options.active_set.alone = true;
    r = solve(2, M, q, options, work);
    CHECK_EQ_INT(r.outcome, ABUT_FAILED);
    CHECK_EQ_INT(r.stall, ABUT_LCP_STALL_NOT_FEASIBLE);
    abut_lcp_workspace_destroy(work);
}

int main(void)
{
    RUN(test_example_1);
    RUN(test_example_2);
    RUN(test_published_stack);
    RUN(test_depth_cut);
    RUN(test_small_ball);
    RUN(test_cut_limits);
    RUN(test_stack);
    RUN(test_known_failures);
    RUN(test_stall_path);
    RUN(test_step_onto_the_answer);
    RUN(test_classes);
    RUN(test_near_starts);
    RUN(test_units);
    RUN(test_lemke_from_set);
    RUN(test_infeasible);
    return check_report();
}
