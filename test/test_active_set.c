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
        CHECK(check.residual <= 1e-10);
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
        CHECK(r.z == NULL);
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

/* No solution: said only with a witness, which the verifier has checked. */
static void test_infeasible(void)
{
    const double M[] = {1, -1, -1, 1}, q[] = {-1, 0};
    abut_lcp_workspace *work = workspace(2);
    abut_lcp_result r = solve(2, M, q, abut_lcp_default_options(), work);
    CHECK_EQ_INT(r.outcome, ABUT_INFEASIBLE);
    CHECK(r.witness != NULL);
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
    RUN(test_stack);
    RUN(test_known_failures);
    RUN(test_stall_path);
    RUN(test_step_onto_the_answer);
    RUN(test_classes);
    RUN(test_infeasible);
    return check_report();
}
