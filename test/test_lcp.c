/* The public face of the LCP room: textbook problems by every method, families against each other, scales,
 * misuse, memory, and that nothing is kept between calls. */
#include "alloc_count.h"
#include "golden_lcp.h"
#include "lcp_bed.h"
#include "lcp_families.h"

static bool is_symmetric(int n, const double *M)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            if (M[i * n + j] != M[j * n + i]) return false;
        }
    }
    return true;
}

/* Is z one of the known solutions, or any solution where there is a continuum? */
static bool is_known(const golden_lcp *g, const double *z)
{
    if (strcmp(g->expect, "continuum") == 0) return true;
    for (int k = 0; k < g->solution_count; ++k) {
        if (lcp_bed_distance(g->n, z, g->solutions + k * g->n) <= 1e-12) return true;
    }
    return false;
}

static void check_textbook(lcp_bed *bed, const golden_lcp *g, abut_lcp_method method)
{
    abut_lcp_problem problem = {.n = g->n, .M = g->M, .ld = g->n, .q = g->q};
    const char *name = abut_lcp_method_name(method);
    abut_outcome outcome = lcp_bed_solve(bed, &problem, method);
    if (strcmp(g->expect, "infeasible") == 0) {
        CHECK_MSG(outcome == ABUT_INFEASIBLE, "%s by %s: %s", g->name, name, abut_outcome_name(outcome));
        return;
    }
    CHECK_MSG(outcome == ABUT_SOLVED, "%s by %s: %s", g->name, name, abut_outcome_name(outcome));
    if (outcome == ABUT_SOLVED) CHECK_MSG(is_known(g, bed->result.z), "%s by %s", g->name, name);
}

static void test_textbook(void)
{
    lcp_bed bed = lcp_bed_make(16);
    for (int k = 0; k < GOLDEN_LCP_COUNT; ++k) {
        const golden_lcp *g = &golden_lcps[k];
        abut_lcp_problem problem = {.n = g->n, .M = g->M, .ld = g->n, .q = g->q};
        check_textbook(&bed, g, ABUT_LCP_AUTO);
        check_textbook(&bed, g, ABUT_LCP_ENUMERATE);
        if (strcmp(g->name, "ray_but_solvable") == 0) {
            /* copositive but not plus: a ray for every cover, and nothing proved by it */
            CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_LEMKE), ABUT_RAY);
        } else {
            check_textbook(&bed, g, ABUT_LCP_LEMKE);
            if (strcmp(g->outcome, "solved") == 0) CHECK_EQ_INT(bed.result.pivots, g->pivots);
        }
        if (strncmp(g->name, "psd_", 4) == 0 && is_symmetric(g->n, g->M))
            check_textbook(&bed, g, ABUT_LCP_DANTZIG);
    }
    lcp_bed_free(&bed);
}

/* The equations of motion of an immobile system: nothing moves whatever the forces, and noise of either sign
 * in q asks for nothing more than an honest answer at any scale. */
static void test_zero_matrix(void)
{
    lcp_bed bed = lcp_bed_make(2);
    double M[4] = {0}, q[2] = {1e-17, 0};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    CHECK(bed.result.z[0] == 0 && bed.result.z[1] == 0);
    q[0] = -1e-17;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_INFEASIBLE);
    q[0] = 0;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    CHECK(bed.result.residual == 0);
    lcp_bed_free(&bed);
}

/* Every family by every method that applies; unique solutions must agree. */
static void check_family(lcp_bed *bed, const lcp_family *family, uint64_t seed, int index, int n, bool tiny)
{
    bench_random random = bench_random_stream(seed, (uint64_t)index);
    family->make(&random, n, bed->M, bed->q, bed->scratch);
    abut_lcp_problem problem = {.n = n, .M = bed->M, .ld = n, .q = bed->q};
    static double first[512];
    abut_outcome agreed = lcp_bed_solve(bed, &problem, ABUT_LCP_AUTO);
    if (agreed == ABUT_SOLVED) memcpy(first, bed->result.z, (size_t)n * sizeof(double));
    if (family->solvable)
        CHECK_MSG(agreed == ABUT_SOLVED, "%s %d, n = %d: %s", family->name, index, n,
                  abut_outcome_name(agreed));
    const abut_lcp_method methods[] = {ABUT_LCP_LEMKE, ABUT_LCP_DANTZIG, ABUT_LCP_ENUMERATE};
    for (int k = 0; k < 3; ++k) {
        if (methods[k] == ABUT_LCP_DANTZIG && !family->semidefinite) continue;
        if (methods[k] == ABUT_LCP_ENUMERATE && !tiny) continue;
        abut_outcome outcome = lcp_bed_solve(bed, &problem, methods[k]);
        const char *name = abut_lcp_method_name(methods[k]);
        if (family->semidefinite || family->solvable)
            CHECK_MSG(outcome == agreed, "%s %d, n = %d: %s says %s, auto %s", family->name, index, n, name,
                      abut_outcome_name(outcome), abut_outcome_name(agreed));
        /* solved and infeasible exclude each other for any matrix */
        CHECK(!(outcome == ABUT_SOLVED && agreed == ABUT_INFEASIBLE));
        CHECK(!(outcome == ABUT_INFEASIBLE && agreed == ABUT_SOLVED));
        if (family->unique && outcome == ABUT_SOLVED && strcmp(family->name, "badly-scaled") != 0)
            CHECK_MSG(lcp_bed_distance(n, first, bed->result.z) <= 1e-9, "%s %d by %s", family->name, index,
                      name);
    }
}

static void test_families_tiny(void)
{
    uint64_t seed = check_seed(20251);
    lcp_bed bed = lcp_bed_make(9);
    for (int f = 0; f < lcp_family_count; ++f) {
        for (int i = 0; i < 60; ++i) check_family(&bed, &lcp_families[f], seed, i, 1 + i % 9, true);
    }
    lcp_bed_free(&bed);
}

static void test_families_large(void)
{
    uint64_t seed = check_seed(20252);
    static const int sizes[] = {17, 40, 97, 160, 300};
    lcp_bed bed = lcp_bed_make(300);
    for (int f = 0; f < lcp_family_count; ++f) {
        bool bounded = lcp_families[f].solvable || lcp_families[f].semidefinite;
        for (int i = 0; i < (bounded ? 5 : 2); ++i)
            check_family(&bed, &lcp_families[f], seed, i, sizes[i], false);
    }
    lcp_bed_free(&bed);
}

/* Enumeration finds what the others find: their solution is among its corners, or on a continuum of them. */
typedef struct nearest_point {
    const double *z;
    int n;
    double distance;
} nearest_point;

static bool remember_nearest(const double *z, const double *w, double residual, void *context)
{
    nearest_point *nearest = context;
    (void)w;
    (void)residual;
    nearest->distance = fmin(nearest->distance, lcp_bed_distance(nearest->n, z, nearest->z));
    return true;
}

static void test_against_all_solutions(void)
{
    uint64_t seed = check_seed(20253);
    lcp_bed bed = lcp_bed_make(8);
    double z[8];
    int solved = 0;
    for (int i = 0; i < 300; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 1 + i % 8, count = 0;
        lcp_family_find("any")->make(&random, n, bed.M, bed.q, bed.scratch);
        abut_lcp_problem problem = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
        abut_outcome outcome = lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO);
        if (outcome == ABUT_SOLVED) memcpy(z, bed.result.z, sizeof z);
        nearest_point nearest = {z, n, INFINITY};
        CHECK_EQ_INT(abut_lcp_enumerate(bed.work, &problem, &bed.options, remember_nearest, &nearest, &count),
                     ABUT_OK);
        /* auto ends with enumeration at this size, so it misses no solution */
        CHECK_MSG((count > 0) == (outcome == ABUT_SOLVED), "problem %d", i);
        if (outcome == ABUT_SOLVED)
            CHECK_MSG(nearest.distance <= 1e-9, "problem %d: %g", i, nearest.distance);
        solved += outcome == ABUT_SOLVED;
    }
    CHECK(solved > 50);
    lcp_bed_free(&bed);
}

/* Powers of two take the very same pivots, other factors give the same outcome. */
static void test_scales(void)
{
    uint64_t seed = check_seed(20254);
    lcp_bed bed = lcp_bed_make(12);
    static const double factors[] = {0x1p27, 0x1p-27, 0x1p200, 0x1p-300, 1e8, 1e-8, 3e100};
    double M[144], q[12], z[12];
    for (int f = 0; f < lcp_family_count; ++f) {
        for (int i = 0; i < 14; ++i) {
            int n = 3 + i % 10, exponent;
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            lcp_families[f].make(&random, n, M, q, bed.scratch);
            abut_lcp_problem plain = {.n = n, .M = M, .ld = n, .q = q};
            abut_outcome outcome = lcp_bed_solve(&bed, &plain, ABUT_LCP_AUTO);
            int pivots = bed.result.pivots;
            double residual = bed.result.residual, factor = factors[i % 7];
            if (outcome == ABUT_SOLVED) memcpy(z, bed.result.z, sizeof z);
            bool exact = frexp(factor, &exponent) == 0.5;
            for (int part = 1; part <= 3; ++part) { /* M, q, both */
                double by_M = part & 1 ? factor : 1, by_q = part & 2 ? factor : 1;
                for (int k = 0; k < n * n; ++k) bed.M[k] = M[k] * by_M;
                for (int k = 0; k < n; ++k) bed.q[k] = q[k] * by_q;
                abut_lcp_problem scaled = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
                abut_outcome again = lcp_bed_solve(&bed, &scaled, ABUT_LCP_AUTO);
                CHECK_MSG(again == outcome, "%s %d by %g: %s", lcp_families[f].name, i, factor,
                          abut_outcome_name(again));
                if (!exact || again != outcome) continue;
                CHECK_EQ_INT(bed.result.pivots, pivots);
                CHECK(bed.result.residual == residual);
                for (int k = 0; outcome == ABUT_SOLVED && k < n; ++k)
                    CHECK(bed.result.z[k] == z[k] * (by_q / by_M));
            }
        }
    }
    lcp_bed_free(&bed);
}

static void test_extreme_numbers(void)
{
    lcp_bed bed = lcp_bed_make(2);
    double M[4] = {1e300, 0, 0, 1e-300}, q[2] = {-1, -1};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    if (bed.result.z) {
        CHECK_NEAR(bed.result.z[0] * 1e300, 1, 1e-15);
        CHECK_NEAR(bed.result.z[1] * 1e-300, 1, 1e-15);
    }
    /* z = 1e600 is no number: no crash, no wrong `solved` */
    double tiny[1] = {1e-300}, huge[1] = {-1e300};
    abut_lcp_problem beyond = {.n = 1, .M = tiny, .ld = 1, .q = huge};
    CHECK(lcp_bed_solve(&bed, &beyond, ABUT_LCP_AUTO) != ABUT_SOLVED);
    double subnormal[1] = {5e-324}, small[1] = {-5e-324};
    abut_lcp_problem bottom = {.n = 1, .M = subnormal, .ld = 1, .q = small};
    /* the reciprocal of a subnormal is no number either; any honest outcome will do */
    if (lcp_bed_solve(&bed, &bottom, ABUT_LCP_AUTO) == ABUT_SOLVED) CHECK(bed.result.z[0] == 1);
    lcp_bed_free(&bed);
}

static void test_leading_dimension_and_reuse(void)
{
    uint64_t seed = check_seed(20255);
    lcp_bed bed = lcp_bed_make(40), other = lcp_bed_make(40);
    double *wide = calloc(40 * 60, sizeof(double));
    for (int i = 0; i < 40; ++i) {
        const lcp_family *family = &lcp_families[i % lcp_family_count];
        int n = 1 + (i * 7) % 40;
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        family->make(&random, n, bed.M, bed.q, bed.scratch);
        for (int k = 0; k < 40 * 60; ++k) wide[k] = NAN; /* nobody may look beyond column n */
        for (int k = 0; k < n * n; ++k) wide[k / n * 60 + k % n] = bed.M[k];
        abut_lcp_problem tight = {.n = n, .M = bed.M, .ld = n, .q = bed.q};
        abut_lcp_problem loose = {.n = n, .M = wide, .ld = 60, .q = bed.q};
        /* `bed` has solved other problems before, `other` is fresh */
        lcp_bed_free(&other);
        other = lcp_bed_make(40);
        abut_outcome a = lcp_bed_solve(&bed, &tight, ABUT_LCP_AUTO);
        abut_outcome b = lcp_bed_solve(&other, &loose, ABUT_LCP_AUTO);
        CHECK_EQ_INT(a, b);
        CHECK_EQ_INT(bed.result.pivots, other.result.pivots);
        if (a == ABUT_SOLVED && b == ABUT_SOLVED)
            CHECK(memcmp(bed.result.z, other.result.z, (size_t)n * sizeof(double)) == 0);
    }
    free(wide);
    lcp_bed_free(&bed);
    lcp_bed_free(&other);
}

static void test_misuse(void)
{
    lcp_bed bed = lcp_bed_make(3);
    double M[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1}, q[3] = {-1, -1, -1}, cover[3] = {1, 0, 1},
           start[3] = {0, NAN, 0};
    int free_twice[2] = {1, 1}, free_beyond[1] = {3}, free_fine[1] = {0};
    abut_lcp_problem good = {.n = 3, .M = M, .ld = 3, .q = q};
    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_result result;
    abut_error error;

    CHECK_EQ_INT(abut_lcp_validate(&good, &error), ABUT_OK);
    CHECK_STR(error.text, "");
    const struct {
        abut_lcp_problem problem;
        const char *text;
    } bad[] = {
        {{.n = 0, .M = M, .ld = 3, .q = q}, "n is 0; expected at least 1"},
        {{.n = 3, .M = M, .ld = 2, .q = q}, "ld is 2; expected at least n = 3"},
        {{.n = 3, .M = NULL, .ld = 3, .q = q}, "M is NULL"},
        {{.n = 3, .M = M, .ld = 3, .q = NULL}, "q is NULL"},
        {{.n = 3, .M = M, .ld = 3, .q = q, .free_count = 4, .free = free_fine},
         "free_count is 4; expected 0 .. 3"},
        {{.n = 3, .M = M, .ld = 3, .q = q, .free_count = 1}, "free is NULL; expected 1 indices"},
        {{.n = 3, .M = M, .ld = 3, .q = q, .free_count = 2, .free = free_twice},
         "free[1] is 1; expected ascending indices in 0 .. 2"},
        {{.n = 3, .M = M, .ld = 3, .q = q, .free_count = 1, .free = free_beyond},
         "free[0] is 3; expected ascending indices in 0 .. 2"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        CHECK_EQ_INT(abut_lcp_validate(&bad[k].problem, &error), ABUT_INVALID_ARGUMENT);
        CHECK_STR(error.text, bad[k].text);
        CHECK_EQ_INT(abut_lcp_solve(bed.work, &bad[k].problem, &options, &result), ABUT_INVALID_ARGUMENT);
        CHECK(!result.z && result.outcome != ABUT_SOLVED);
    }
    M[6] = NAN;
    CHECK_EQ_INT(abut_lcp_validate(&good, &error), ABUT_INVALID_ARGUMENT);
    CHECK_STR(error.text, "M[2][0] is not finite");
    M[6] = 0;
    q[1] = INFINITY;
    CHECK_EQ_INT(abut_lcp_validate(&good, &error), ABUT_INVALID_ARGUMENT);
    CHECK_STR(error.text, "q[1] is not finite");
    q[1] = -1;

    CHECK_EQ_INT(abut_lcp_solve(NULL, &good, &options, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_lcp_solve(bed.work, NULL, &options, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_lcp_solve(bed.work, &good, NULL, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_lcp_solve(bed.work, &good, &options, NULL), ABUT_INVALID_ARGUMENT);
#define REFUSED(field, value)                                                                                \
    do {                                                                                                     \
        options = abut_lcp_default_options();                                                                \
        options.field = value;                                                                               \
        CHECK_EQ_INT(abut_lcp_solve(bed.work, &good, &options, &result), ABUT_INVALID_ARGUMENT);             \
    } while (0)
    REFUSED(method, ABUT_LCP_METHOD_COUNT);
    REFUSED(tolerance, 0);
    REFUSED(tolerance, NAN);
    REFUSED(tolerance, 0.1);
    REFUSED(max_pivots, -1);
    REFUSED(max_covers, -1);
    REFUSED(cover, cover);
    REFUSED(start, start);
    REFUSED(active_set.radius, -1);
    REFUSED(active_set.max_cuts, -1);
#undef REFUSED
    lcp_bed_free(&bed);
}

static void test_refused_pairs(void)
{
    lcp_bed bed = lcp_bed_make(20);
    for (int i = 0; i < 20; ++i) {
        bed.M[i * 20 + i] = 1;
        bed.q[i] = -1;
    }
    abut_lcp_problem problem = {.n = 20, .M = bed.M, .ld = 20, .q = bed.q};
    abut_lcp_result result;
    abut_lcp_options options = abut_lcp_default_options();
    int count;
    options.method = ABUT_LCP_ENUMERATE;
    CHECK_EQ_INT(abut_lcp_solve(bed.work, &problem, &options, &result), ABUT_UNSUPPORTED);
    CHECK_EQ_INT(abut_lcp_enumerate(bed.work, &problem, &options, NULL, NULL, &count), ABUT_UNSUPPORTED);
    bed.M[1] = 0.5; /* not symmetric */
    options.method = ABUT_LCP_DANTZIG;
    CHECK_EQ_INT(abut_lcp_solve(bed.work, &problem, &options, &result), ABUT_UNSUPPORTED);

    /* a workspace for one method only, and too small a one */
    abut_lcp_workspace *work = NULL;
    abut_lcp_limits limits = {.n = 20, .methods = 1u << ABUT_LCP_DANTZIG};
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    options.method = ABUT_LCP_LEMKE;
    CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    abut_lcp_workspace_destroy(work);
    limits = (abut_lcp_limits){.n = 19};
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    abut_lcp_workspace_destroy(work);
    abut_lcp_workspace_destroy(NULL);
    limits.n = 0;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_INVALID_ARGUMENT);
    CHECK(!work);
    lcp_bed_free(&bed);
}

static void test_method_names(void)
{
    for (int k = 0; k < ABUT_LCP_METHOD_COUNT; ++k) {
        abut_lcp_method method = ABUT_LCP_METHOD_COUNT;
        CHECK(abut_lcp_method_from_name(abut_lcp_method_name((abut_lcp_method)k), &method));
        CHECK_EQ_INT(method, k);
    }
    CHECK(!abut_lcp_method_from_name("simplex", NULL));
    CHECK(!abut_lcp_method_from_name(NULL, NULL));
}

/* One allocation at creation, none in solve, and an honest status when it fails. */
static void test_memory(void)
{
    alloc_count count = {0};
    abut_allocator allocator = alloc_counting(&count);
    abut_lcp_workspace *work = NULL;
    abut_lcp_limits limits = {.n = 30};
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, &allocator, &work), ABUT_OK);
    CHECK_EQ_INT(count.requests, 1);
    lcp_bed bed = lcp_bed_make(30);
    abut_lcp_options options = abut_lcp_default_options();
    for (int f = 0; f < lcp_family_count; ++f) {
        bench_random random = bench_random_stream(7, (uint64_t)f);
        lcp_families[f].make(&random, 30, bed.M, bed.q, bed.scratch);
        abut_lcp_problem problem = {.n = 30, .M = bed.M, .ld = 30, .q = bed.q};
        abut_lcp_result result;
        CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_OK);
    }
    CHECK_EQ_INT(count.requests, 1);
    abut_lcp_workspace_destroy(work);
    CHECK(alloc_balanced(&count));
    lcp_bed_free(&bed);

    for (long k = 1;; ++k) {
        count = (alloc_count){.fail_at = k};
        allocator = alloc_counting(&count);
        abut_status status = abut_lcp_workspace_create(&limits, &allocator, &work);
        if (count.refused == 0) {
            CHECK_EQ_INT(status, ABUT_OK);
            abut_lcp_workspace_destroy(work);
            CHECK(alloc_balanced(&count));
            break;
        }
        CHECK_EQ_INT(status, ABUT_OUT_OF_MEMORY);
        CHECK(!work);
        CHECK(alloc_balanced(&count));
    }
    limits.n = ABUT_COUNT_MAX;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OUT_OF_MEMORY);
    CHECK(!work);
}

int main(void)
{
    RUN(test_textbook);
    RUN(test_zero_matrix);
    RUN(test_families_tiny);
    RUN(test_families_large);
    RUN(test_against_all_solutions);
    RUN(test_scales);
    RUN(test_extreme_numbers);
    RUN(test_leading_dimension_and_reuse);
    RUN(test_misuse);
    RUN(test_refused_pairs);
    RUN(test_method_names);
    RUN(test_memory);
    return check_report();
}
