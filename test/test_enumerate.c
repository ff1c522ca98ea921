/* Enumeration: all solutions, each once, in order; and its honesty when there is none. */
#include "golden_lcp.h"
#include "lcp_bed.h"
#include "lcp_families.h"

enum { LIST = 70000 };

typedef struct point_list {
    int n, count, stop_after;
    double (*points)[16];
    double worst;
} point_list;

static bool collect(const double *z, const double *w, double residual, void *context)
{
    point_list *list = context;
    (void)w;
    memcpy(list->points[list->count++], z, (size_t)list->n * sizeof(double));
    list->worst = fmax(list->worst, residual);
    return list->count != list->stop_after;
}

static point_list list_all(lcp_bed *bed, int n, const double *M, const double *q, int stop_after)
{
    static double points[LIST][16];
    point_list list = {.n = n, .stop_after = stop_after, .points = points};
    abut_lcp_problem problem = {.n = n, .M = M, .ld = n, .q = q};
    int count = -1;
    CHECK_EQ_INT(abut_lcp_enumerate(bed->work, &problem, &bed->options, collect, &list, &count), ABUT_OK);
    CHECK_EQ_INT(count, list.count);
    CHECK(list.worst <= bed->options.tolerance);
    return list;
}

static void test_textbook(void)
{
    lcp_bed bed = lcp_bed_make(16);
    for (int k = 0; k < GOLDEN_LCP_COUNT; ++k) {
        const golden_lcp *g = &golden_lcps[k];
        point_list list = list_all(&bed, g->n, g->M, g->q, 0);
        if (strcmp(g->expect, "unique") == 0 || strcmp(g->expect, "infeasible") == 0)
            CHECK_EQ_INT(list.count, g->solution_count);
        if (strcmp(g->expect, "unique") == 0 && list.count == 1)
            CHECK(lcp_bed_distance(g->n, list.points[0], g->solutions) <= 1e-14);
        if (strcmp(g->name, "psd_rank1_continuum") == 0) CHECK_EQ_INT(list.count, 2); /* its two corners */
    }
    lcp_bed_free(&bed);
}

/* M = -I, q = 1: every one of the 2^n points of {0, 1}^n is a solution, in binary order. */
static void test_as_many_as_bases(void)
{
    lcp_bed bed = lcp_bed_make(16);
    for (int n = 1; n <= 16; n += 5) {
        double M[256] = {0}, q[16];
        for (int i = 0; i < n; ++i) {
            M[i * n + i] = -1;
            q[i] = 1;
        }
        point_list list = list_all(&bed, n, M, q, 0);
        CHECK_EQ_INT(list.count, 1 << n);
        bool in_order = true;
        for (int k = 0; k < list.count; ++k) {
            for (int i = 0; i < n; ++i) in_order &= list.points[k][i] == (k >> i & 1);
        }
        CHECK(in_order);
        CHECK_EQ_INT(list_all(&bed, n, M, q, 1).count, 1); /* the visitor may stop it */
    }
    lcp_bed_free(&bed);
}

/* Degenerate points appear at many bases and are given once. */
static void test_degenerate_once(void)
{
    lcp_bed bed = lcp_bed_make(8);
    double identity[64] = {0}, q[8] = {0};
    for (int i = 0; i < 8; ++i) identity[i * 9] = 1;
    CHECK_EQ_INT(list_all(&bed, 8, identity, q, 0).count, 1); /* q = 0: z = 0 at all 256 bases */
    for (int i = 0; i < 8; ++i) q[i] = i < 3 ? -1 : 0;
    point_list list = list_all(&bed, 8, identity, q, 0);
    CHECK_EQ_INT(list.count, 1);
    for (int i = 0; i < 8; ++i) CHECK(list.points[0][i] == (i < 3));

    uint64_t seed = check_seed(41);
    for (int i = 0; i < 100; ++i) { /* no two of the points given are equal */
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 1 + i % 8;
        lcp_family_find(i % 2 ? "ties" : "duplicated")->make(&random, n, bed.M, bed.q, bed.scratch);
        list = list_all(&bed, n, bed.M, bed.q, 0);
        CHECK(list.count >= 1);
        for (int a = 0; a < list.count; ++a) {
            for (int b = 0; b < a; ++b) CHECK(lcp_bed_distance(n, list.points[a], list.points[b]) > 1e-9);
        }
    }
    lcp_bed_free(&bed);
}

/* Corners that no regular basis holds. In the first problem w_0 = 0 for every z, and the second row asks for
 * z_0 >= 1; in the others the corner lies where a w outside the support vanishes too, and that row is needed
 * to find it. The corners were found by exact arithmetic. */
static void test_singular_bases(void)
{
    static const struct {
        int n;
        double M[16], q[4];
        int count;
        double corners[3][4];
    } cases[] = {
        {2, {0, 0, 1, 0}, {0, -1}, 1, {{1, 0}}},
        {2, {-1, 1, 0, 0}, {-2, 0}, 1, {{0, 2}}},
        {4, {1, 0, 0, 0, 0, 1, 1, -1, 0, -1, 0, 1, 0, 0, 0, 0}, {-2, -2, -2, 0}, 1, {{2, 0, 4, 2}}},
        {4,
         {-1, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, -1, 0, 0, -1, -1},
         {1, -1, 0, 1},
         3,
         {{1, 0, 0, 0}, {1, 1, 1, 0}, {1, 1, 0, 1}}},
        {4,
         {1, 0, 1, 0, 0, 0, -1, 1, -1, -1, 0, 0, 0, 0, 0, 0},
         {-1, -1, 1, 0},
         2,
         {{1, 0, 0, 1}, {0, 1, 1, 2}}},
    };
    lcp_bed bed = lcp_bed_make(4);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        int n = cases[k].n;
        point_list list = list_all(&bed, n, cases[k].M, cases[k].q, 0);
        CHECK_EQ_INT(list.count, cases[k].count);
        for (int a = 0; a < list.count && a < cases[k].count; ++a)
            CHECK(lcp_bed_distance(n, list.points[a], cases[k].corners[a]) <= 1e-15);
        abut_lcp_problem problem = {.n = n, .M = cases[k].M, .ld = n, .q = cases[k].q};
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    }
    lcp_bed_free(&bed);
}

/* Infeasible inequalities have a witness. Here they have a solution, z_1 >= 1, but w_1 = 1 asks for z_1 = 0:
 * nothing can be proved by a witness, and nobody may claim one. */
static void test_no_solution(void)
{
    lcp_bed bed = lcp_bed_make(2);
    double hopeless[1] = {-1}, below[1] = {-1};
    abut_lcp_problem infeasible = {.n = 1, .M = hopeless, .ld = 1, .q = below};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &infeasible, ABUT_LCP_ENUMERATE), ABUT_INFEASIBLE);

    double M[4] = {0, 1, 0, 0}, q[2] = {-1, 1};
    abut_lcp_problem feasible = {.n = 2, .M = M, .ld = 2, .q = q};
    CHECK_EQ_INT(list_all(&bed, 2, M, q, 0).count, 0);
    CHECK_EQ_INT(lcp_bed_solve(&bed, &feasible, ABUT_LCP_ENUMERATE), ABUT_FAILED);
    CHECK_EQ_INT(lcp_bed_solve(&bed, &feasible, ABUT_LCP_LEMKE), ABUT_RAY);
    CHECK_EQ_INT(lcp_bed_solve(&bed, &feasible, ABUT_LCP_AUTO), ABUT_RAY);
    lcp_bed_free(&bed);
}

int main(void)
{
    RUN(test_textbook);
    RUN(test_as_many_as_bases);
    RUN(test_degenerate_once);
    RUN(test_singular_bases);
    RUN(test_no_solution);
    return check_report();
}
