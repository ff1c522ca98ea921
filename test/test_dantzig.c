/* Dantzig: definite, semidefinite of every rank, redundant and degenerate problems; warm starts; witnesses;
 * matrices it must refuse; its trace and its limit. */
#include "golden_lcp.h"
#include "lcp_bed.h"
#include "lcp_families.h"

/* w is unique for semidefinite M even where z is not. */
static void check_same_w(lcp_bed *bed, const abut_lcp_problem *problem, double tolerance)
{
    static double w[400];
    if (lcp_bed_solve(bed, problem, ABUT_LCP_DANTZIG) != ABUT_SOLVED) return;
    CHECK_EQ_INT(bed->result.method, ABUT_LCP_DANTZIG);
    memcpy(w, bed->result.w, (size_t)problem->n * sizeof(double));
    double size = 0;
    for (int i = 0; i < problem->n; ++i) size = fmax(size, fabs(problem->q[i]));
    CHECK_EQ_INT(lcp_bed_solve(bed, problem, ABUT_LCP_LEMKE), ABUT_SOLVED);
    if (bed->result.outcome != ABUT_SOLVED) return;
    for (int i = 0; i < problem->n; ++i) CHECK_NEAR(bed->result.w[i], w[i], tolerance * size);
}

/* Every rank from 1 to n, so every degree of redundancy. */
static void test_every_rank(void)
{
    uint64_t seed = check_seed(61);
    lcp_bed bed = lcp_bed_make(24);
    for (int n = 1; n <= 24; n += 1 + n / 8) {
        for (int rank = 1; rank <= n; ++rank) {
            bench_random random = bench_random_stream(seed, (uint64_t)(100 * n + rank));
            double a[24], N[24 * 24];
            for (int k = 0; k < rank; ++k) a[k] = bench_normal(&random);
            for (int k = 0; k < n * rank; ++k) N[k] = bench_normal(&random);
            for (int i = 0; i < n; ++i) {
                bed.q[i] = 0;
                for (int k = 0; k < rank; ++k) bed.q[i] += N[i * rank + k] * a[k];
                for (int j = 0; j <= i; ++j) {
                    double sum = 0;
                    for (int k = 0; k < rank; ++k) sum += N[i * rank + k] * N[j * rank + k];
                    bed.M[i * n + j] = bed.M[j * n + i] = sum;
                }
            }
            abut_lcp_problem problem = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
            CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG) == ABUT_SOLVED, "n %d, rank %d", n,
                      rank);
            /* redundant rows never meet in the basis */
            int positive = 0;
            for (int i = 0; bed.result.z && i < n; ++i) positive += bed.result.z[i] > 0;
            CHECK(positive <= rank);
            check_same_w(&bed, &problem, 1e-9);
        }
    }
    lcp_bed_free(&bed);
}

/* Copies of rows change nothing in w, and exact ties nothing in the outcome. */
static void test_redundant(void)
{
    uint64_t seed = check_seed(62);
    lcp_bed bed = lcp_bed_make(120);
    const char *names[] = {"duplicated", "ties", "semidefinite"};
    for (int f = 0; f < 3; ++f) {
        for (int i = 0; i < 40; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)(1000 * f + i));
            int n = 1 + 3 * i;
            lcp_family_find(names[f])->make(&random, n, bed.M, bed.q, bed.scratch);
            abut_lcp_problem problem = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
            CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG) == ABUT_SOLVED, "%s %d", names[f], i);
            if (i % 4 == 0) check_same_w(&bed, &problem, 1e-9);
        }
    }
    lcp_bed_free(&bed);
}

/* Drumwright's rule of the most negative index repeats a set after 8 pivots here; 5 contacts, 3 degrees of
 * freedom. */
static void test_drumwright_cycle(void)
{
    lcp_bed bed = lcp_bed_make(5);
    static const double N[5][3] = {{-2, 0, 3}, {3, -3, -3}, {-1, -2, -2}, {2, -3, 3}, {-3, -3, -1}};
    static const double q[5] = {6, -9, -15, 12, -19};
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            bed.M[i * 5 + j] = N[i][0] * N[j][0] + N[i][1] * N[j][1] + N[i][2] * N[j][2];
        }
    }
    abut_lcp_problem problem = {.n = 5, .M = bed.M, .ld = 5, .q = q};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_SOLVED);
    static const double expected[5] = {0, 0, 1.52, 0, 0.12};
    if (bed.result.z) CHECK(lcp_bed_distance(5, bed.result.z, expected) <= 1e-12);
    lcp_bed_free(&bed);
}

/* q leaves the range of M: by rounding it is still solved, clearly it is infeasible, and the witness says so.
 */
static void test_out_of_range(void)
{
    uint64_t seed = check_seed(63);
    lcp_bed bed = lcp_bed_make(60);
    int infeasible = 0;
    for (int i = 0; i < 120; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 2 + i % 59;
        lcp_family_find("semidefinite-any-q")->make(&random, n, bed.M, bed.q, bed.scratch);
        abut_lcp_problem problem = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
        abut_outcome outcome = lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG);
        CHECK_MSG(outcome == ABUT_SOLVED || outcome == ABUT_INFEASIBLE, "problem %d", i);
        infeasible += outcome == ABUT_INFEASIBLE;
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_LEMKE), outcome);
    }
    CHECK(infeasible > 20 && infeasible < 100);

    /* two opposite contacts: z_0 - z_1 - 1 >= 0 and -(z_0 - z_1) + 1 - e >= 0 contradict each other by e */
    double M[4] = {1, -1, -1, 1}, q[2] = {-1, 1};
    abut_lcp_problem opposite = {.n = 2, .M = M, .ld = 2, .q = q};
    q[1] = 1 - 1e-12;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &opposite, ABUT_LCP_DANTZIG), ABUT_SOLVED);
    q[1] = 1 - 1e-6;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &opposite, ABUT_LCP_DANTZIG), ABUT_INFEASIBLE);
    lcp_bed_free(&bed);
}

/* Two rows that nearly depend on each other once let a third, dependent one into the basis, where rounding
 * was taken for its pivot: z of 1e8 and more, and no verdict. Both are infeasible. */
static void test_nearly_dependent(void)
{
    lcp_bed bed = lcp_bed_make(12);
    static const uint64_t indices[] = {551, 2412};
    for (int k = 0; k < 2; ++k) {
        bench_random random = bench_random_stream(11, indices[k]);
        int n = 1 + bench_below(&random, 12);
        lcp_family_find("semidefinite-any-q")->make(&random, n, bed.M, bed.q, bed.scratch);
        abut_lcp_problem problem = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_INFEASIBLE);
    }
    lcp_bed_free(&bed);
}

/* Symmetric matrices that are not semidefinite: solved if the way happens to avoid the trouble, else failed;
 * `auto` goes on with another method. */
static void test_indefinite(void)
{
    lcp_bed bed = lcp_bed_make(12);
    double M[4] = {1, 2, 2, 1}, q[2] = {-1, -1};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    double zero_diagonal[4] = {0, 1, 1, 0};
    problem.M = zero_diagonal;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_FAILED);
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    CHECK_EQ_INT(bed.result.method, ABUT_LCP_ENUMERATE);

    uint64_t seed = check_seed(64);
    int solved = 0;
    for (int i = 0; i < 200; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 2 + i % 11;
        for (int a = 0; a < n; ++a) {
            bed.q[a] = bench_normal(&random);
            for (int b = 0; b <= a; ++b)
                bed.M[a * n + b] = bed.M[b * n + a] = bench_normal(&random) + 3 * (a == b);
        }
        abut_lcp_problem any = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
        abut_outcome outcome = lcp_bed_solve(&bed, &any, ABUT_LCP_DANTZIG);
        CHECK(outcome == ABUT_SOLVED || outcome == ABUT_FAILED || outcome == ABUT_INFEASIBLE);
        solved += outcome == ABUT_SOLVED;
        if (outcome == ABUT_SOLVED) CHECK_EQ_INT(lcp_bed_solve(&bed, &any, ABUT_LCP_AUTO), ABUT_SOLVED);
    }
    CHECK(solved > 0);
    lcp_bed_free(&bed);
}

/* From the solution itself no pivot is needed beyond building the set; from nonsense it still arrives. */
static void test_warm_start(void)
{
    uint64_t seed = check_seed(65);
    lcp_bed bed = lcp_bed_make(80);
    double start[80], cold[80];
    for (int i = 0; i < 40; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 10 + i * 70 / 40, basic = 0;
        lcp_family_find(i % 2 ? "definite" : "semidefinite")->make(&random, n, bed.M, bed.q, bed.scratch);
        abut_lcp_problem problem = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
        bed.options.start = NULL;
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_SOLVED);
        if (!bed.result.w) continue;
        memcpy(start, bed.result.z, (size_t)n * sizeof(double));
        memcpy(cold, bed.result.w, (size_t)n * sizeof(double));
        for (int k = 0; k < n; ++k) basic += start[k] > 0;
        bed.options.start = start;
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_SOLVED);
        CHECK_MSG(bed.result.pivots <= basic, "problem %d: %d pivots for %d basic", i, bed.result.pivots,
                  basic);
        for (int k = 0; k < n; ++k) start[k] = bench_normal(&random);
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_SOLVED);
        double size = 0;
        for (int k = 0; k < n; ++k) size = fmax(size, fabs(bed.q[k]));
        for (int k = 0; bed.result.w && k < n; ++k) CHECK_NEAR(bed.result.w[k], cold[k], 1e-9 * size);
    }
    lcp_bed_free(&bed);
}

typedef struct trace_log {
    int records, n;
    bool fine;
} trace_log;

static void log_record(const abut_lcp_trace *record, void *context)
{
    trace_log *log = context;
    log->fine &= record->method == ABUT_LCP_DANTZIG && record->iteration == log->records;
    log->fine &= record->set_count >= 0 && record->set_count <= log->n && record->z;
    for (int k = 0; k < record->set_count; ++k) log->fine &= record->set[k] >= 0 && record->set[k] < log->n;
    log->records++;
}

static void test_trace_and_limit(void)
{
    lcp_bed bed = lcp_bed_make(50);
    bench_random random = bench_random_stream(66, 0);
    lcp_family_find("definite")->make(&random, 50, bed.M, bed.q, bed.scratch);
    abut_lcp_problem problem = {.n = 50, .M = bed.M, .ld = 50, .q = bed.q};
    trace_log log = {.n = 50, .fine = true};
    bed.options.trace = log_record;
    bed.options.trace_context = &log;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_SOLVED);
    CHECK(log.records > 0 && log.fine);
    bed.options.trace = NULL;
    bed.options.max_pivots = 2;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_DANTZIG), ABUT_LIMIT);
    CHECK(bed.result.residual > bed.options.tolerance);
    lcp_bed_free(&bed);
}

int main(void)
{
    RUN(test_every_rank);
    RUN(test_redundant);
    RUN(test_drumwright_cycle);
    RUN(test_out_of_range);
    RUN(test_nearly_dependent);
    RUN(test_indefinite);
    RUN(test_warm_start);
    RUN(test_trace_and_limit);
    return check_report();
}
