/* Lemke's algorithm, called as the front of the LCP room calls it: the textbook problems, the classes theory
 * speaks of, rays and witnesses, limits, the trace. Every answer is measured by sums written out here. */
#include "check.h"
#include "dense.h"
#include "golden_lcp.h"
#include "lcp/equilibrate.h"
#include "lcp/lemke_basis.h"
#include "lcp/solver.h"
#include "lcp_families.h"
#include "linalg/kernels.h"

enum { MOST = 304 };

/* One problem with the solver's scratch and the room for its answer; the scratch is reused, on purpose. */
typedef struct bed {
    abuti_arena arena, scales_arena;
    void *scratch;
    abuti_scales scales;
    double *made_M, made_q[MOST], *making; /* a problem as its family makes it */
    double *M, q[MOST], ones[MOST], z[MOST], ray[MOST], witness[MOST];
    abuti_lcp problem;
    abut_lcp_options options;
    abuti_lcp_answer answer;
    abut_outcome outcome;
} bed;

static bed *make_bed(void)
{
    bed *b = calloc(1, sizeof *b);
    DENSE_LAYOUT(b->scratch = abuti_lcp_lemke.layout(&b->arena, MOST), b->arena);
    DENSE_LAYOUT(abuti_scales_layout(&b->scales, &b->scales_arena, MOST), b->scales_arena);
    b->M = calloc((size_t)MOST * MOST, sizeof(double));
    b->made_M = calloc((size_t)MOST * MOST, sizeof(double));
    b->making = calloc(2 * (size_t)MOST * MOST + 4 * MOST, sizeof(double));
    for (int i = 0; i < MOST; ++i) b->ones[i] = 1;
    b->options = (abut_lcp_options){.method = ABUT_LCP_LEMKE, .tolerance = 1e-9, .max_covers = 8};
    return b;
}

static void free_bed(bed *b)
{
    dense_free(b->arena.base);
    dense_free(b->scales_arena.base);
    free(b->M);
    free(b->made_M);
    free(b->making);
    free(b);
}

static void solve(bed *b, int n, bool symmetric)
{
    b->problem = (abuti_lcp){.n = n,
                             .deadline = INFINITY,
                             .ld = abuti_padded(n),
                             .M = b->M,
                             .q = b->q,
                             .cover = b->ones,
                             .row_scale = b->ones,
                             .column_scale = b->ones,
                             .symmetric = symmetric};
    memset(b->z, 0xff, sizeof b->z); /* NaN */
    b->answer = (abuti_lcp_answer){.z = b->z, .ray = b->ray, .witness = b->witness};
    b->outcome = abuti_lcp_lemke.run(&b->problem, b->scratch, &b->options, &b->answer);
}

/* max |min(z, Mz + q)| / max |q|. */
static double residual(const bed *b)
{
    int n = b->problem.n, ld = b->problem.ld;
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        double w = b->q[i];
        for (int j = 0; j < n; ++j) w += b->M[i * ld + j] * b->z[j];
        double least = fabs(b->z[i] < w ? b->z[i] : w);
        if (!(least <= worst)) worst = least;
    }
    return worst > 0 ? worst / dense_max_abs(n, b->q) : worst;
}

/* -q'u |M| / (|q| max(M'u, rounding)) of the witness; infinite when M'u <= 0 altogether. */
static double witness_strength(const bed *b)
{
    int n = b->problem.n, ld = b->problem.ld;
    double gain = 0, most = 0, size = dense_max_abs(n * ld, b->M);
    for (int i = 0; i < n; ++i) {
        if (!(b->witness[i] >= 0)) return 0;
        gain -= b->q[i] * b->witness[i];
    }
    for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += b->M[i * ld + j] * b->witness[i];
        if (!(sum <= most)) most = sum;
    }
    if (!(gain > 0)) return 0;
    return most > 0 ? gain * size / (dense_max_abs(n, b->q) * most) : INFINITY;
}

/* The verifier's residual, which brings rows and columns to one scale in its own way. */
static double verified_residual(const bed *b)
{
    static double w[MOST], scratch[3 * MOST];
    abut_lcp_check check;
    abut_lcp_problem problem = {.n = b->problem.n, .M = b->M, .ld = b->problem.ld, .q = b->q};
    CHECK_EQ_INT(abut_lcp_verify(&problem, b->z, w, scratch, &check), ABUT_OK);
    return check.residual;
}

/* What every outcome owes its reader. */
static void check_honest(const bed *b, const char *name, int n, int index)
{
    if (b->outcome == ABUT_SOLVED)
        CHECK_MSG(verified_residual(b) <= 1e-9, "%s n %d index %d: verifier's residual %.3g", name, n, index,
                  verified_residual(b));
    if (b->outcome == ABUT_SOLVED)
        CHECK_MSG(residual(b) <= 1e-10, "%s n %d index %d: residual %.3g", name, n, index, residual(b));
    if (b->outcome == ABUT_RAY) {
        CHECK_MSG(dense_max_abs(n, b->ray) > 0, "%s n %d index %d: the ray is zero", name, n, index);
        for (int i = 0; i < n; ++i) CHECK(b->ray[i] >= 0);
        if (b->answer.has_witness)
            CHECK_MSG(witness_strength(b) >= 1e6 * (1 - 1e-9), "%s n %d index %d: strength %.3g", name, n,
                      index, witness_strength(b));
    }
}

static void load_golden(bed *b, const golden_lcp *g)
{
    int ld = abuti_padded(g->n);
    memset(b->M, 0, (size_t)g->n * (size_t)ld * sizeof(double));
    for (int i = 0; i < g->n; ++i) {
        memcpy(b->M + i * ld, g->M + i * g->n, (size_t)g->n * sizeof(double));
        b->q[i] = g->q[i];
    }
}

static void test_textbook(void)
{
    bed *b = make_bed();
    for (int k = 0; k < GOLDEN_LCP_COUNT; ++k) {
        const golden_lcp *g = &golden_lcps[k];
        b->options.max_covers = 0;
        load_golden(b, g);
        solve(b, g->n, false);
        CHECK_MSG(strcmp(abut_outcome_name(b->outcome), g->outcome) == 0, "%s: %s", g->name,
                  abut_outcome_name(b->outcome));
        CHECK_MSG(b->answer.pivots == g->pivots, "%s: %d pivots, not %d", g->name, b->answer.pivots,
                  g->pivots);
        check_honest(b, g->name, g->n, k);
        if (strcmp(g->expect, "infeasible") == 0) CHECK_MSG(b->answer.has_witness, "%s", g->name);
        for (int i = 0; i < g->n && strcmp(g->expect, "unique") == 0 && b->outcome == ABUT_SOLVED; ++i)
            CHECK_NEAR(b->z[i], g->solutions[i], 1e-12 * (1 + fabs(g->solutions[i])));
        b->options.max_covers = 8;
        solve(b, g->n, false);
        CHECK_MSG(strcmp(abut_outcome_name(b->outcome), g->outcome) == 0, "%s", g->name);
    }
    free_bed(b);
}

/* Problem `index` of a family, brought to one scale as the front does; returns whether M is symmetric. */
static bool load_family(bed *b, const lcp_family *family, uint64_t seed, int index, int n)
{
    bench_random random = bench_random_stream(seed, (uint64_t)index);
    family->make(&random, n, b->made_M, b->made_q, b->making);
    return abuti_equilibrate(&b->scales, n, b->made_M, n, b->made_q, b->M, abuti_padded(n), b->q);
}

static void check_family(bed *b, const lcp_family *family, uint64_t seed, int index, int n)
{
    solve(b, n, load_family(b, family, seed, index, n));
    check_honest(b, family->name, n, index);
    bool proved = b->outcome == ABUT_RAY && b->answer.has_witness;
    CHECK_MSG(b->outcome == ABUT_SOLVED || !family->solvable, "%s n %d index %d: %s", family->name, n, index,
              abut_outcome_name(b->outcome));
    CHECK_MSG(b->outcome == ABUT_SOLVED || proved || !family->decided, "%s n %d index %d: %s without witness",
              family->name, n, index, abut_outcome_name(b->outcome));
}

static void test_families(void)
{
    uint64_t seed = check_seed(31);
    bed *b = make_bed();
    for (int f = 0; f < lcp_family_count; ++f) {
        const lcp_family *family = &lcp_families[f];
        for (int index = 0; index < 400; ++index) check_family(b, family, seed, index, 1 + index % 20);
        for (int index = 400; index < 430; ++index) check_family(b, family, seed, index, 21 + index * 7 % 60);
        if (!family->decided) continue; /* no theory bounds the pivots of what has no structure */
        check_family(b, family, seed, 500, 150);
        check_family(b, family, seed, 501, 300);
    }
    free_bed(b);
}

/* A power of two on q changes exponents only: the same pivots, the same bits. Any other factor: the same
 * outcome. */
static void test_scales(void)
{
    uint64_t seed = check_seed(32);
    bed *b = make_bed();
    for (int family = 0; family < lcp_family_count; ++family) {
        for (int index = 0; index < 20; ++index) {
            int n = 5 + 3 * index;
            double z[MOST], q[MOST];
            load_family(b, &lcp_families[family], seed, index, n);
            memcpy(q, b->q, sizeof q);
            solve(b, n, false);
            memcpy(z, b->z, sizeof z);
            abut_outcome outcome = b->outcome;
            int pivots = b->answer.pivots;
            const double factors[] = {0x1p27, 0x1p-27, 1e8, 1e-8};
            for (int f = 0; f < 4; ++f) {
                for (int i = 0; i < n; ++i) b->q[i] = factors[f] * q[i];
                solve(b, n, false);
                CHECK_EQ_INT(b->outcome, outcome);
                check_honest(b, lcp_families[family].name, n, index);
                if (f > 1) continue;
                CHECK_EQ_INT(b->answer.pivots, pivots);
                for (int i = 0; i < n && outcome == ABUT_SOLVED; ++i) CHECK(b->z[i] == factors[f] * z[i]);
            }
        }
    }
    free_bed(b);
}

/* Through the front: units of rows and columns, of M and of q. Powers of two leave pivots and bits alone. */
static void test_units(void)
{
    uint64_t seed = check_seed(34);
    enum { N = 40 };
    static double M[N * N], q[N], scaled[N * N], scaled_q[N], z[N], making[2 * N * N + 4 * N];
    abut_lcp_limits limits = {.n = N, .methods = 1u << ABUT_LCP_LEMKE};
    abut_lcp_workspace *work = NULL;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_LEMKE;
    abut_lcp_problem problem = {.M = scaled, .q = scaled_q};
    const double factors[][2] = {{1, 1},   {0x1p27, 1}, {0x1p-27, 1}, {0x1p27, 0x1p-27}, {0x1p-27, 0x1p-27},
                                 {1e8, 1}, {1e-8, 1},   {1e8, 1e-8},  {1e-8, 1e-8},      {1, 1e8}};
    for (int k = 0; k < 40 * lcp_family_count; ++k) {
        int n = problem.n = problem.ld = 1 + k / lcp_family_count, pivots = 0;
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        lcp_families[k % lcp_family_count].make(&random, n, M, q, making);
        abut_outcome outcome = ABUT_FAILED;
        for (int f = 0; f < 10; ++f) {
            for (int i = 0; i < n * n; ++i) scaled[i] = factors[f][0] * M[i];
            for (int i = 0; i < n; ++i) scaled_q[i] = factors[f][1] * q[i];
            abut_lcp_result result;
            CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_OK);
            if (f == 0) {
                outcome = result.outcome;
                pivots = result.pivots;
                if (result.z) memcpy(z, result.z, sizeof z);
            }
            CHECK_EQ_INT(result.outcome, outcome);
            CHECK(outcome != ABUT_SOLVED || result.residual <= 1e-10);
            if (f < 5) CHECK_EQ_INT(result.pivots, pivots);
            for (int i = 0; i < n && f < 5 && outcome == ABUT_SOLVED; ++i)
                CHECK(result.z[i] == z[i] * factors[f][1] / factors[f][0]);
        }
    }
    abut_lcp_workspace_destroy(work);
}

/* Covering vectors over sixteen orders of magnitude, as badly scaled rows bring them. */
static void test_uneven_covers(void)
{
    uint64_t seed = check_seed(33);
    bed *b = make_bed();
    for (int index = 0; index < 200; ++index) {
        bench_random random = bench_random_stream(seed, (uint64_t)index);
        for (int i = 0; i < MOST; ++i) b->ones[i] = ldexp(1, bench_below(&random, 53) - 26);
        check_family(b, &lcp_families[index % lcp_family_count], seed, index, 1 + index / 5);
    }
    free_bed(b);
}

/* The path of the lexicographic rule, walked here move by move. Returns the pivots, or -1 when it does not
 * end. */
static int lexicographic_path(abuti_lemke *s, const abuti_lcp *problem, bool *ray)
{
    int n = problem->n, first = 0;
    s->problem = problem;
    s->n = n;
    s->q_size = dense_max_abs(n, problem->q);
    s->cover_size = 1;
    s->lines = (abuti_lemke_lines){.pivot = 1e-9, .q = 1e-12, .z = 1e-15};
    for (int i = 0; i < n; ++i) s->cover[i] = 1;
    for (int i = 0; i < n; ++i) first = problem->q[i] <= problem->q[first] ? i : first;
    abuti_lemke_start(s, first);
    for (int pivots = 1; pivots < 5000; ++pivots) {
        if (!abuti_lemke_evaluate(s)) return -1;
        abuti_lemke_leaving leaving = abuti_lemke_ratio_test(s, true);
        *ray = leaving.kind == ABUTI_LEMKE_NONE;
        if (*ray) return pivots;
        if (abuti_lemke_is_z0(leaving)) return pivots + 1;
        abuti_lemke_pivot(s, leaving);
    }
    return -1;
}

/* It takes the textbook's number of pivots, and ends where all ratios tie. */
static void test_lexicographic_rule(void)
{
    uint64_t seed = check_seed(35);
    bed *b = make_bed();
    abuti_lemke s = {0};
    abuti_arena arena;
    bool ray = false;
    DENSE_LAYOUT(abuti_lemke_basis_layout(&s, &arena, 16), arena);
    for (int k = 0; k < GOLDEN_LCP_COUNT; ++k) {
        const golden_lcp *g = &golden_lcps[k];
        if (g->pivots == 0) continue;
        load_golden(b, g);
        abuti_lcp problem = {.n = g->n, .ld = abuti_padded(g->n), .M = b->M, .q = b->q, .deadline = INFINITY};
        CHECK_EQ_INT(lexicographic_path(&s, &problem, &ray), g->pivots);
        CHECK_EQ_INT(ray, strcmp(g->outcome, "ray") == 0);
    }
    for (int index = 0; index < 2000; ++index) {
        bench_random random = bench_random_stream(seed, (uint64_t)index);
        int n = 2 + bench_below(&random, 7), ld = 8;
        memset(b->M, 0, 64 * sizeof(double));
        for (int i = 0; i < n; ++i) {
            b->q[i] = -1;
            for (int j = 0; j < n; ++j) b->M[i * ld + j] = bench_below(&random, 4) - 1;
        }
        abuti_lcp problem = {.n = n, .ld = ld, .M = b->M, .q = b->q, .deadline = INFINITY};
        CHECK_MSG(lexicographic_path(&s, &problem, &ray) > 0, "index %d", index);
    }
    dense_free(arena.base);
    free_bed(b);
}

/* With q = -e every ratio ties at first, and the largest pivot alone does cycle: on the first of these and on
 * many others. The path is then walked again by the lexicographic rule. */
static void test_cycles(void)
{
    uint64_t seed = check_seed(36);
    bed *b = make_bed();
    const double cycling[3][3] = {{1, 1, 2}, {1, 1, 0}, {2, 2, 1}};
    b->options.max_covers = 0;
    int solved = 0;
    for (int index = 0; index < 2000; ++index) {
        bench_random random = bench_random_stream(seed, (uint64_t)index);
        int n = index == 0 ? 3 : 2 + bench_below(&random, 7), ld = 8;
        memset(b->M, 0, 64 * sizeof(double));
        for (int i = 0; i < n; ++i) {
            b->q[i] = -1;
            for (int j = 0; j < n; ++j) {
                int entry = bench_below(&random, 4) - 1;
                b->M[i * ld + j] = index == 0 ? cycling[i][j] : i == j && index % 2 ? 1 : entry;
            }
        }
        solve(b, n, false);
        check_honest(b, "cycling", n, index);
        CHECK_MSG(b->outcome == ABUT_SOLVED || b->outcome == ABUT_RAY, "index %d: %s", index,
                  abut_outcome_name(b->outcome));
        if (index == 0) CHECK(b->outcome == ABUT_SOLVED && b->answer.pivots > 5);
        solved += b->outcome == ABUT_SOLVED;
    }
    CHECK(solved > 300);
    free_bed(b);
}

typedef struct story {
    int records;
    int entering, leaving; /* of the last record */
    double z0;
    int broken; /* records whose entering variable is not the complement of what left before */
} story;

static void listen(const abut_lcp_trace *record, void *context)
{
    story *told = context;
    int n = 3, complement = told->leaving < n ? told->leaving + n : told->leaving - n;
    if (told->records == 0 ? record->entering != 2 * n : record->entering != complement) told->broken++;
    if (record->iteration != told->records || record->method != ABUT_LCP_LEMKE || !record->z) told->broken++;
    told->records++;
    told->entering = record->entering;
    told->leaving = record->leaving;
    told->z0 = record->z0;
}

static void test_trace(void)
{
    bed *b = make_bed();
    story told = {0};
    b->options.trace = listen;
    b->options.trace_context = &told;
    for (int k = 0; k < GOLDEN_LCP_COUNT; ++k) {
        if (strcmp(golden_lcps[k].name, "kostreva_cycle") == 0) load_golden(b, &golden_lcps[k]);
    }
    solve(b, 3, false);
    CHECK_EQ_INT(told.records, b->answer.pivots);
    CHECK_EQ_INT(told.broken, 0);
    CHECK_EQ_INT(told.leaving, 6);
    CHECK_NEAR(told.z0, 0, 1e-15);
    free_bed(b);
}

/* A budget of pivots ends in `limit`, with a finite point that is no worse than z = 0. */
static void test_limit(void)
{
    bed *b = make_bed();
    const golden_lcp *murty = &golden_lcps[8];
    for (int budget = 1; budget < 40; ++budget) {
        load_golden(b, murty);
        b->options.max_pivots = budget;
        solve(b, murty->n, false);
        CHECK_EQ_INT(b->outcome, ABUT_LIMIT);
        CHECK_EQ_INT(b->answer.pivots, budget);
        CHECK(residual(b) <= 1);
    }
    free_bed(b);
}

/* One variable: every sign of m and q. */
static void test_one_variable(void)
{
    bed *b = make_bed();
    const double values[] = {-1, 0, 1};
    for (int k = 0; k < 9; ++k) {
        double m = values[k / 3], q = values[k % 3];
        memset(b->M, 0, 8 * sizeof(double));
        b->M[0] = m;
        b->q[0] = q;
        solve(b, 1, true);
        if (q >= 0)
            CHECK(b->outcome == ABUT_SOLVED && b->z[0] == 0 && b->answer.pivots == 0);
        else if (m > 0)
            CHECK(b->outcome == ABUT_SOLVED && b->z[0] == 1);
        else
            CHECK(b->outcome == ABUT_RAY && b->answer.has_witness && b->witness[0] > 0);
    }
    free_bed(b);
}

/* Noise below zero in q beside a real entry is no reason for a ray. */
static void test_noise(void)
{
    bed *b = make_bed();
    memset(b->M, 0, 16 * sizeof(double));
    b->q[0] = -1e-17;
    b->q[1] = 1;
    solve(b, 2, true);
    CHECK(b->outcome == ABUT_SOLVED && b->z[0] == 0 && b->z[1] == 0);
    b->q[0] = -1e-12;
    solve(b, 2, true);
    CHECK(b->outcome == ABUT_SOLVED);
    free_bed(b);
}

int main(void)
{
    RUN(test_textbook);
    RUN(test_families);
    RUN(test_scales);
    RUN(test_units);
    RUN(test_uneven_covers);
    RUN(test_lexicographic_rule);
    RUN(test_cycles);
    RUN(test_trace);
    RUN(test_limit);
    RUN(test_one_variable);
    RUN(test_noise);
    return check_report();
}
