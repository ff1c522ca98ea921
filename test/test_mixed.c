/* Mixed problems: free variables with equality rows, regular and singular, solvable and not, and what is
 * recovered. */
#include "golden/viscous.h"
#include "lcp_bed.h"
#include "lcp_families.h"

enum { MOST = 60 };

/* A random mixed problem with a known solution: M any matrix whose part on the complementary variables, once
 * the free ones are eliminated, is of the given family. Free variables are spread over the indices. */
typedef struct mixed_problem {
    int n, free_count, is_free[MOST], free[MOST];
    double M[MOST * MOST], q[MOST];
} mixed_problem;

static abut_lcp_problem view(const mixed_problem *m)
{
    return (abut_lcp_problem){
        .n = m->n, .M = m->M, .ld = m->n, .q = m->q, .free_count = m->free_count, .free = m->free};
}

static void choose_free(mixed_problem *m, bench_random *random, int n, int free_count)
{
    m->n = n;
    m->free_count = 0;
    memset(m->is_free, 0, sizeof m->is_free);
    for (int left = free_count; left > 0;) {
        int i = bench_below(random, n);
        if (m->is_free[i]) continue;
        m->is_free[i] = 1;
        left--;
    }
    for (int i = 0; i < n; ++i) {
        if (m->is_free[i]) m->free[m->free_count++] = i;
    }
}

/* Positive definite and unsymmetric as a whole: so are the free block and what remains; the solution is
 * unique. */
static void make_definite(mixed_problem *m, bench_random *random, int n, int free_count, double *scratch)
{
    lcp_family_find("p")->make(random, n, m->M, m->q, scratch);
    choose_free(m, random, n, free_count);
}

static void test_definite(void)
{
    uint64_t seed = check_seed(81);
    lcp_bed bed = lcp_bed_make(MOST);
    static mixed_problem m;
    for (int i = 0; i < 150; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int n = 1 + i % MOST, free_count = bench_below(&random, n + 1);
        make_definite(&m, &random, n, free_count, bed.scratch);
        abut_lcp_problem problem = view(&m);
        CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO) == ABUT_SOLVED, "problem %d", i);
        double z[MOST];
        if (!bed.result.z) continue;
        memcpy(z, bed.result.z, (size_t)n * sizeof(double));
        if (n - free_count > 8) continue;
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_ENUMERATE), ABUT_SOLVED);
        if (bed.result.z) CHECK(lcp_bed_distance(n, z, bed.result.z) <= 1e-10);
    }
    lcp_bed_free(&bed);
}

/* Forces between bodies with joints: [I -J' -N'; J 0 0; N 0 0]. The reduced matrix N P N' is symmetric
 * semidefinite, so dantzig applies to it; with dependent joint rows the free block is singular, and nothing
 * may change. */
static void make_contact(mixed_problem *m, bench_random *random, int dofs, int joints, int contacts,
                         bool redundant)
{
    int n = dofs + joints + contacts;
    m->n = n;
    m->free_count = dofs + joints;
    for (int k = 0; k < m->free_count; ++k) m->free[k] = k;
    for (int i = 0; i < n; ++i) m->is_free[i] = i < m->free_count;
    memset(m->M, 0, sizeof m->M);
    for (int i = 0; i < dofs; ++i) {
        m->M[i * n + i] = bench_uniform(random, 0.5, 2);
        m->q[i] = bench_normal(random);
    }
    double motion[MOST]; /* one that joints and contacts allow */
    for (int k = 0; k < dofs; ++k) motion[k] = bench_normal(random);
    for (int i = dofs; i < n; ++i) {
        bool joint = i < dofs + joints;
        bool copy = redundant && (i == dofs + joints - 1 || i == n - 1) && i > dofs;
        double speed = 0;
        for (int k = 0; k < dofs; ++k) {
            m->M[i * n + k] = copy ? m->M[(i - 1) * n + k] : bench_normal(random);
            speed += m->M[i * n + k] * motion[k];
        }
        for (int k = 0; k < dofs; ++k) {
            if (!joint && speed < 0) m->M[i * n + k] *= -1;
            m->M[k * n + i] = -m->M[i * n + k];
        }
        m->q[i] = joint ? -speed : 0;
    }
}

static void test_joints_and_contacts(void)
{
    uint64_t seed = check_seed(82);
    lcp_bed bed = lcp_bed_make(MOST);
    static mixed_problem m;
    for (int i = 0; i < 200; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int joints = 2 + bench_below(&random, 4), contacts = 1 + bench_below(&random, 20);
        bool redundant = i % 2;
        make_contact(&m, &random, 12, joints, contacts, redundant && contacts > 1);
        abut_lcp_problem problem = view(&m);
        CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO) == ABUT_SOLVED, "problem %d", i);
        CHECK_EQ_INT(bed.result.method, ABUT_LCP_DANTZIG);
        double v[12];
        if (!bed.result.z) continue;
        memcpy(v, bed.result.z, sizeof v);
        CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_LEMKE) == ABUT_SOLVED, "problem %d", i);
        if (bed.result.z) CHECK(lcp_bed_distance(12, v, bed.result.z) <= 1e-9); /* motion is unique */
    }
    lcp_bed_free(&bed);
}

/* Contradicting equations: infeasible, with a witness over the whole problem. */
/* Drumwright's viscous model as the mixed problem it is, eqs. (4)-(7) and (39), (40) corrected:
 *
 *     M vdot - J' fj - N' fn + f* = 0,   J vdot + Jdot v = 0,   w = N vdot + Ndot v,   0 <= fn perp w >= 0,
 *
 * with f* = -f + S' mu S v + T' mu T v. The free variables vdot and fj are recovered with the answer. */
static void test_viscous(void)
{
    enum { DOFS = 8, JOINTS = 2, CONTACTS = 4, FREE = DOFS + JOINTS, N = FREE + CONTACTS };
    lcp_bed bed = lcp_bed_make(N);
    static mixed_problem m = {.n = N, .free_count = FREE};
    double expected[N];
    for (int i = 0; i < FREE; ++i) m.free[i] = i;
    for (int i = 0; i < DOFS; ++i) {
        for (int j = 0; j < DOFS; ++j) m.M[i * N + j] = golden_viscous_M[DOFS * i + j];
        for (int j = 0; j < JOINTS; ++j) {
            m.M[(DOFS + j) * N + i] = golden_viscous_J[DOFS * j + i];
            m.M[i * N + DOFS + j] = -golden_viscous_J[DOFS * j + i];
        }
        for (int k = 0; k < CONTACTS; ++k) {
            m.M[(FREE + k) * N + i] = golden_viscous_N[DOFS * k + i];
            m.M[i * N + FREE + k] = -golden_viscous_N[DOFS * k + i];
        }
        m.q[i] = -golden_viscous_force[i];
        expected[i] = golden_viscous_acceleration[i];
    }
    for (int k = 0; k < CONTACTS; ++k) {
        const double *rows[2] = {golden_viscous_S + (ptrdiff_t)DOFS * k,
                                 golden_viscous_T + (ptrdiff_t)DOFS * k};
        for (int r = 0; r < 2; ++r) {
            double slip = 0;
            for (int i = 0; i < DOFS; ++i) slip += rows[r][i] * golden_viscous_velocity[i];
            for (int i = 0; i < DOFS; ++i) m.q[i] += golden_viscous_viscous[k] * slip * rows[r][i];
        }
        m.q[FREE + k] = golden_viscous_drift[k];
        expected[FREE + k] = golden_viscous_normal[k];
    }
    for (int j = 0; j < JOINTS; ++j) {
        m.q[DOFS + j] = golden_viscous_joint_drift[j];
        expected[DOFS + j] = golden_viscous_joint[j];
    }
    abut_lcp_problem problem = view(&m);
    for (int method = 0; method < ABUT_LCP_METHOD_COUNT; ++method) {
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, (abut_lcp_method)method), ABUT_SOLVED);
        if (!bed.result.z) continue;
        CHECK(bed.result.residual <= 1e-14);
        CHECK_MSG(lcp_bed_distance(N, bed.result.z, expected) <= 1e-13, "%s: %g",
                  abut_lcp_method_name((abut_lcp_method)method), lcp_bed_distance(N, bed.result.z, expected));
    }
    lcp_bed_free(&bed);
}

static void test_contradiction(void)
{
    uint64_t seed = check_seed(83);
    lcp_bed bed = lcp_bed_make(MOST);
    static mixed_problem m;
    for (int i = 0; i < 60; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        make_contact(&m, &random, 10, 3, 5, true);
        m.q[12] += i % 2 ? 1 : -1; /* the copy of a joint row asks for another velocity */
        abut_lcp_problem problem = view(&m);
        CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO) == ABUT_INFEASIBLE, "problem %d", i);
    }
    lcp_bed_free(&bed);
}

/* A contact that the joints hold back: x = 1 by equation, and the row of y, -x + 0.5 >= 0, cannot be. */
static void test_infeasible_after_elimination(void)
{
    lcp_bed bed = lcp_bed_make(3);
    double M[9] = {1, 0, 0, -1, 0, 0, 0, 0, 1}, q[3] = {-1, 0.5, -1};
    int first[1] = {0};
    abut_lcp_problem problem = {.n = 3, .M = M, .ld = 3, .q = q, .free_count = 1, .free = first};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_INFEASIBLE);
    lcp_bed_free(&bed);
}

/* Equality constraints of a quadratic programme: the free block is zero, its equations determine
 * complementary variables. min x'Hx / 2 + g'x, A x = b, x >= 0. */
static void test_multipliers(void)
{
    uint64_t seed = check_seed(84);
    lcp_bed bed = lcp_bed_make(MOST);
    for (int i = 0; i < 150; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int x = 2 + i % 20, equations = 1 + bench_below(&random, x - 1), n = x + equations, free[MOST];
        double N[22 * 10], point[22];
        memset(bed.M, 0, (size_t)(n * n) * sizeof(double));
        for (int k = 0; k < 10 * x; ++k) N[k] = bench_normal(&random);
        for (int a = 0; a < x; ++a) {
            for (int b = 0; b < x; ++b) {
                for (int k = 0; k < 10; ++k)
                    bed.M[a * n + b] += N[(a * 10 + k) % 440] * N[(b * 10 + k) % 440];
            }
            bed.q[a] = bench_normal(&random);
            point[a] = bench_below(&random, 2) ? fabs(bench_normal(&random)) : 0;
        }
        for (int e = 0; e < equations; ++e) {
            free[e] = x + e;
            bed.q[x + e] = 0;
            for (int k = 0; k < x; ++k) {
                double entry = bench_normal(&random);
                bed.M[(x + e) * n + k] = entry;
                bed.M[k * n + x + e] = -entry;
                bed.q[x + e] -= entry * point[k];
            }
        }
        for (int a = 0; a < x; ++a) { /* exactly symmetric H, positive definite */
            for (int b = 0; b < a; ++b) bed.M[a * n + b] = bed.M[b * n + a];
            bed.M[a * n + a] += 1;
        }
        abut_lcp_problem problem = {
            .n = n, .M = bed.M, .ld = n, .q = bed.q, .free_count = equations, .free = free};
        CHECK_MSG(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO) == ABUT_SOLVED, "problem %d: %s", i,
                  abut_outcome_name(bed.result.outcome));
    }
    lcp_bed_free(&bed);
}

/* Everything free: a linear system. Nothing to choose, so a singular but consistent one has its basic
 * solution. */
/* Elimination cancels the last row and its constant: w_2 = 0 for every z_2. What rounding leaves of them, at
 * scales that are no powers of two, is no reason for a ray. */
static void test_cancelled_row(void)
{
    lcp_bed bed = lcp_bed_make(3);
    static const double M[9] = {3, 1, -1, 1, 1, 1, -1, 1, 3}, q[3] = {0, -1, -2};
    static const int free_variables[2] = {0, 1};
    static const double scales[] = {1, 3, 0.1, 1e-8, 1e8, 7e15, 1e-150, 1e150};
    for (size_t a = 0; a < sizeof scales / sizeof scales[0]; ++a) {
        for (size_t b = 0; b < sizeof scales / sizeof scales[0]; ++b) {
            for (int k = 0; k < 9; ++k) bed.M[k] = scales[a] * M[k];
            for (int k = 0; k < 3; ++k) bed.q[k] = scales[b] * q[k];
            abut_lcp_problem problem = {
                .n = 3, .M = bed.M, .ld = 3, .q = bed.q, .free_count = 2, .free = free_variables};
            for (int method = 0; method < ABUT_LCP_METHOD_COUNT; ++method)
                CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, (abut_lcp_method)method), ABUT_SOLVED);
        }
    }
    lcp_bed_free(&bed);
}

static void test_all_free(void)
{
    lcp_bed bed = lcp_bed_make(3);
    double M[9] = {2, 1, 0, 1, 3, 0, 0, 0, 4}, q[3] = {-3, -4, 8};
    int all[3] = {0, 1, 2};
    abut_lcp_problem problem = {.n = 3, .M = M, .ld = 3, .q = q, .free_count = 3, .free = all};
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    const double expected[3] = {1, 1, -2};
    if (bed.result.z) CHECK(lcp_bed_distance(3, bed.result.z, expected) <= 1e-15);

    double singular[9] = {1, 1, 0, 1, 1, 0, 0, 0, 0}, consistent[3] = {-2, -2, 0}, not_so[3] = {-2, -3, 0};
    problem.M = singular;
    problem.q = consistent;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
    problem.q = not_so;
    CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_INFEASIBLE);
    lcp_bed_free(&bed);
}

/* Powers of two take the same way. */
static void test_units(void)
{
    uint64_t seed = check_seed(85);
    lcp_bed bed = lcp_bed_make(MOST);
    static mixed_problem m;
    for (int i = 0; i < 40; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        double z[MOST];
        make_definite(&m, &random, 2 + i, 1 + i / 2, bed.scratch);
        abut_lcp_problem problem = view(&m);
        if (lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO) != ABUT_SOLVED) continue;
        int pivots = bed.result.pivots;
        memcpy(z, bed.result.z, (size_t)m.n * sizeof(double));
        for (int k = 0; k < m.n * m.n; ++k) m.M[k] *= 0x1p-27;
        for (int k = 0; k < m.n; ++k) m.q[k] *= 0x1p40;
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
        CHECK_EQ_INT(bed.result.pivots, pivots);
        for (int k = 0; bed.result.z && k < m.n; ++k) CHECK(bed.result.z[k] == z[k] * 0x1p67);
    }
    lcp_bed_free(&bed);
}

/* The trace speaks of the caller's variables, free ones recovered. */
typedef struct trace_check {
    const abut_lcp_problem *problem;
    int records;
    bool fine;
} trace_check;

static void check_record(const abut_lcp_trace *record, void *context)
{
    trace_check *t = context;
    const abut_lcp_problem *p = t->problem;
    int n = p->n;
    t->records++;
    t->fine &= record->entering >= -1 && record->entering <= 2 * n && record->leaving <= 2 * n;
    for (int k = 0; k < p->free_count; ++k) { /* free variables take no part, and their equations hold */
        int f = p->free[k];
        double w = p->q[f];
        for (int j = 0; record->z && j < n; ++j) w += p->M[f * n + j] * record->z[j];
        t->fine &= record->entering % n != f || record->entering < 0 || record->entering == 2 * n;
        t->fine &= !record->z || fabs(w) <= 1e-8;
        for (int j = 0; record->set && j < record->set_count; ++j) t->fine &= record->set[j] != f;
    }
}

static void test_trace(void)
{
    lcp_bed bed = lcp_bed_make(MOST);
    static mixed_problem m;
    for (int i = 0; i < 10; ++i) {
        bench_random random = bench_random_stream(86, (uint64_t)i);
        if (i % 2) {
            make_contact(&m, &random, 8, 2, 6, false);
        } else {
            make_definite(&m, &random, 12, 5, bed.scratch);
        }
        abut_lcp_problem problem = view(&m);
        trace_check check = {&problem, 0, true};
        bed.options.trace = check_record;
        bed.options.trace_context = &check;
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_AUTO), ABUT_SOLVED);
        CHECK(check.fine);
        if (bed.result.pivots > 0) CHECK(check.records > 0);
        CHECK_EQ_INT(lcp_bed_solve(&bed, &problem, ABUT_LCP_LEMKE), ABUT_SOLVED);
        CHECK(check.fine);
    }
    lcp_bed_free(&bed);
}

int main(void)
{
    RUN(test_definite);
    RUN(test_joints_and_contacts);
    RUN(test_viscous);
    RUN(test_contradiction);
    RUN(test_infeasible_after_elimination);
    RUN(test_multipliers);
    RUN(test_cancelled_row);
    RUN(test_all_free);
    RUN(test_units);
    RUN(test_trace);
    return check_report();
}
