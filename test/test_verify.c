/* The verifier against wrong answers: what must be rejected is rejected, what is right is accepted, and the
 * figures are those of the definition. */
#include "abut/lcp.h"
#include "check.h"
#include "lcp_families.h"

enum { MOST = 40 };

static const double tolerance = 1e-9;

static double residual_of(const abut_lcp_problem *problem, const double *z)
{
    static double w[MOST], scratch[3 * MOST];
    abut_lcp_check check;
    CHECK_EQ_INT(abut_lcp_verify(problem, z, w, scratch, &check), ABUT_OK);
    return check.residual;
}

/* M = [2 1; 1 2], q = (-5, -6), z = (4/3, 7/3) */
static void test_figures(void)
{
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, z[2] = {4. / 3, 7. / 3}, w[2], scratch[6];
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    abut_lcp_check check;
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, &check), ABUT_OK);
    CHECK(check.residual <= 1e-16);
    CHECK_NEAR(w[0], 0, 1e-15);
    CHECK_NEAR(check.min_z, 4. / 3, 0);
    CHECK_NEAR(check.equation, 0, 0);

    /* rows and columns of M are of order one already: the residual is max |min(z, w)| / max |q| */
    z[0] = 1;
    z[1] = 0;
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, &check), ABUT_OK);
    CHECK_NEAR(check.residual, 5. / 6, 1e-15);
    CHECK_EQ_INT(check.worst, 1);
    CHECK_NEAR(check.min_w, -5, 0);
    CHECK_NEAR(check.complementarity, 3, 0);

    int first[1] = {0};
    problem.free_count = 1;
    problem.free = first;
    z[0] = 2.5;
    q[1] = 1;
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, &check), ABUT_OK);
    CHECK(check.residual == 0);
    CHECK_EQ_INT(check.worst, -1);
    z[0] = -1;
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, &check), ABUT_OK);
    CHECK_NEAR(check.equation, 7, 0);
    CHECK_NEAR(check.residual, 7. / 5, 1e-15);
}

static void test_zero_q(void)
{
    double M[1] = {1}, q[1] = {0}, z[1] = {0};
    abut_lcp_problem problem = {.n = 1, .M = M, .ld = 1, .q = q};
    CHECK(residual_of(&problem, z) == 0);
    z[0] = 1e-300;
    CHECK(residual_of(&problem, z) == INFINITY);
}

/* Right answers of all families, then spoiled ones. */
static void spoil(const abut_lcp_problem *problem, const double *right, bench_random *random)
{
    int n = problem->n, i = bench_below(random, n);
    double z[MOST], most = 0;
    for (int k = 0; k < n; ++k) most = fmax(most, right[k]);
    if (most == 0) return;

    memcpy(z, right, sizeof z);
    for (int k = 0; k < n; ++k) {
        if (right[k] > right[i]) i = k;
    }
    z[i] *= 1 + 1e-4; /* the largest: M_ii z_i moves w_i visibly, unless column i is tiny */
    double spoiled = residual_of(problem, z);
    CHECK_MSG(!(spoiled <= tolerance), "largest z perturbed: %g", spoiled);

    memcpy(z, right, sizeof z);
    z[i] = -z[i];
    CHECK(!(residual_of(problem, z) <= tolerance));
    z[i] = NAN;
    CHECK(residual_of(problem, z) == INFINITY);
    z[i] = INFINITY;
    CHECK(residual_of(problem, z) == INFINITY);
    for (int k = 0; k < n; ++k) z[k] = 0;
    CHECK(!(residual_of(problem, z) <= tolerance));
}

static void test_spoiled_answers(void)
{
    uint64_t seed = check_seed(771);
    static double M[MOST * MOST], q[MOST], scratch[2 * MOST * MOST + 4 * MOST], right[MOST];
    abut_lcp_limits limits = {.n = MOST};
    abut_lcp_workspace *work = NULL;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    int spoiled = 0;
    const char *names[] = {"definite", "p", "z", "badly-scaled"};
    for (int f = 0; f < 4; ++f) {
        for (int i = 0; i < 30; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)(100 * f + i));
            int n = 1 + i % MOST;
            lcp_family_find(names[f])->make(&random, n, M, q, scratch);
            abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q};
            abut_lcp_options options = abut_lcp_default_options();
            abut_lcp_result result;
            CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_OK);
            CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
            if (result.outcome != ABUT_SOLVED) continue;
            memcpy(right, result.z, (size_t)n * sizeof(double));
            CHECK(residual_of(&problem, right) <= tolerance);
            /* in caller's units of very different size the largest z may be a small one in scaled units */
            if (strcmp(names[f], "badly-scaled") != 0) spoil(&problem, right, &random);
            spoiled++;
        }
    }
    CHECK(spoiled == 120);
    abut_lcp_workspace_destroy(work);
}

/* A row in micro-units cannot hide its violation behind one in mega-units. */
static void test_scale_hides_nothing(void)
{
    double M[4] = {1e6, 0, 0, 1e-6}, q[2] = {-1e6, -1e-6}, z[2] = {1, 0};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    double right[2] = {1, 1};
    CHECK(residual_of(&problem, right) <= 1e-15);
    CHECK(!(residual_of(&problem, z) <= 1e-7)); /* w_1 = -1e-6 only, but all of its row */
    double swapped[2] = {0, 1};
    CHECK(!(residual_of(&problem, swapped) <= 1e-7));
}

/* Cancellation: w_0 = 1e17 - 1e17 + (-1), which plain sums may take for 0. */
static void test_cancellation(void)
{
    double M[9] = {1, -1, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, z[3] = {1e17, 1e17, 0}, w[3], scratch[9];
    abut_lcp_problem problem = {.n = 3, .M = M, .ld = 3, .q = q};
    abut_lcp_check check;
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, &check), ABUT_OK);
    CHECK(w[0] == -1);
}

/* Multiplying a problem by a power of two changes no bit of the residual. (M = 0, as a linear programme of
 * one variable has it, has no scale that could relate z to w.) */
static void test_invariance(void)
{
    uint64_t seed = check_seed(772);
    static double M[MOST * MOST], q[MOST], scratch[2 * MOST * MOST + 4 * MOST], z[MOST];
    for (int i = 0; i < 60; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 2 + i % (MOST - 1);
        lcp_families[i % lcp_family_count].make(&random, n, M, q, scratch);
        for (int k = 0; k < n; ++k) z[k] = fabs(bench_normal(&random));
        abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q};
        double before = residual_of(&problem, z);
        for (int k = 0; k < n * n; ++k) M[k] *= 0x1p-31;
        for (int k = 0; k < n; ++k) q[k] *= 0x1p-31;
        CHECK(residual_of(&problem, z) == before);
        for (int k = 0; k < n; ++k) {
            q[k] *= 0x1p101;
            z[k] *= 0x1p101;
        }
        CHECK(residual_of(&problem, z) == before);
    }
}

static void test_witnesses(void)
{
    double M[4] = {1, -1, -1, 1}, q[2] = {-1, -1}, bound;
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    double proof[2] = {1, 1};
    CHECK(abut_lcp_verify_witness(&problem, proof, &bound));
    CHECK(bound >= 1e6);
    CHECK(abut_lcp_verify_witness(&problem, proof, NULL));
    double huge[2] = {1e300, 1e300}, tiny[2] = {1e-300, 1e-300};
    CHECK(abut_lcp_verify_witness(&problem, huge, &bound));
    CHECK(abut_lcp_verify_witness(&problem, tiny, &bound));

    /* no proofs: wrong signs, wrong direction, nothing, nonsense */
    const double fakes[][2] = {{1, 0},  {0, 1},   {-1, -1},      {0, 0},
                               {1, -1}, {NAN, 1}, {1, INFINITY}, {1, 1.001}};
    for (size_t k = 0; k < sizeof fakes / sizeof fakes[0]; ++k)
        CHECK_MSG(!abut_lcp_verify_witness(&problem, fakes[k], &bound), "fake %zu", k);
    CHECK(!abut_lcp_verify_witness(&problem, NULL, &bound));
    CHECK(!abut_lcp_verify_witness(NULL, proof, &bound));

    /* M'u = 1e-5 only: a solution of 1-norm 2e5 exists and has to be found, not denied */
    M[0] = M[3] = 1 + 1e-5;
    CHECK(!abut_lcp_verify_witness(&problem, proof, &bound));
    CHECK_NEAR(bound, 2e5, 1);
    /* q'u >= 0 */
    M[0] = M[3] = 1;
    q[0] = 1;
    CHECK(!abut_lcp_verify_witness(&problem, proof, &bound));
    /* no bound: M'u < 0 */
    double negative[1] = {-1}, below[1] = {-1}, one[1] = {1};
    abut_lcp_problem no_way = {.n = 1, .M = negative, .ld = 1, .q = below};
    CHECK(abut_lcp_verify_witness(&no_way, one, &bound));
    CHECK(bound == INFINITY);
}

/* A free variable's column must vanish, its multiplier may have any sign. */
static void test_witness_of_equations(void)
{
    /* x free: x + y = 1 and the row of y: -x - y + 0.5 >= 0 */
    double M[4] = {1, 1, -1, -1}, q[2] = {-1, 0.5}, bound;
    int first[1] = {0};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q, .free_count = 1, .free = first};
    double proof[2] = {1, 1};
    CHECK(abut_lcp_verify_witness(&problem, proof, &bound));
    double other[2] = {0, 1}; /* -x - y + 0.5 alone says nothing: x can be as negative as it likes */
    CHECK(!abut_lcp_verify_witness(&problem, other, &bound));
    /* the same with the sign of the equation turned */
    M[0] = M[1] = -1;
    q[0] = 1;
    double turned[2] = {-1, 1};
    CHECK(abut_lcp_verify_witness(&problem, turned, &bound));
    problem.free_count = 0;
    CHECK(!abut_lcp_verify_witness(&problem, turned, &bound));
}

static void test_misuse(void)
{
    double M[1] = {1}, q[1] = {NAN}, z[1] = {0}, w[1], scratch[3];
    abut_lcp_check check;
    abut_lcp_problem problem = {.n = 1, .M = M, .ld = 1, .q = q};
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, &check), ABUT_INVALID_ARGUMENT);
    q[0] = 1;
    CHECK_EQ_INT(abut_lcp_verify(&problem, NULL, w, scratch, &check), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, NULL, scratch, &check), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, NULL, &check), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_lcp_verify(&problem, z, w, scratch, NULL), ABUT_INVALID_ARGUMENT);
}

int main(void)
{
    RUN(test_figures);
    RUN(test_zero_q);
    RUN(test_spoiled_answers);
    RUN(test_scale_hides_nothing);
    RUN(test_cancellation);
    RUN(test_invariance);
    RUN(test_witnesses);
    RUN(test_witness_of_equations);
    RUN(test_misuse);
    return check_report();
}
