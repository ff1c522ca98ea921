/* The factors of large islands: order, shape, numbers; against plain dense elimination. */
#include "check.h"
#include "contact/sparse/sparse.h"
#include "contact_trial.h"
#include "family_piles.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

typedef struct bed {
    sparse_matrix matrix;
    void *memory;
    int nodes, pairs, *pair[2];
} bed;

static bed bed_make(int nodes, int pairs)
{
    bed b = {.nodes = nodes, .pairs = pairs};
    const sparse_extent extent = {.bodies = nodes, .pairs = pairs, .numbers = 6 * nodes, .largest = 6};
    abuti_arena arena = {0};
    abuti_sparse_matrix_layout(&b.matrix, &arena, &extent);
    size_t size = (arena.used + 63) / 64 * 64;
    b.memory = aligned_alloc(64, size);
    memset(b.memory, 0, size);
    arena = (abuti_arena){.base = b.memory, .capacity = size};
    abuti_sparse_matrix_layout(&b.matrix, &arena, &extent);
    for (int side = 0; side < 2; ++side) b.pair[side] = calloc((size_t)pairs + 1, sizeof(int));
    return b;
}

static void bed_free(bed *b)
{
    free(b->memory);
    free(b->pair[0]);
    free(b->pair[1]);
}

/* Pairs of a random graph: a chain, so that it hangs together, and links to nodes within `reach`. */
static void random_pairs(bed *b, int reach, bench_random *random)
{
    for (int i = 0; i < b->pairs; ++i) {
        int a = i < b->nodes - 1 ? i : bench_below(random, b->nodes);
        int c = i < b->nodes - 1 ? i + 1 : a + 1 + bench_below(random, reach);
        b->pair[0][i] = a;
        b->pair[1][i] = c < b->nodes ? c : b->nodes; /* the last stands for the world */
    }
}

static bool shape(bed *b)
{
    abuti_system system = {
        .bodies = b->nodes, .n = b->pairs, .dim = 6, .stride = 8, .body = {b->pair[0], b->pair[1]}};
    abuti_sparse_graph_make(&b->matrix.graph, &system);
    CHECK(abuti_sparse_graph_same(&b->matrix.graph, &system));
    abuti_sparse_order(&b->matrix.graph, &b->matrix.scratch, b->matrix.order);
    if (!abuti_sparse_shape_make(&b->matrix.shape, &b->matrix.graph, b->matrix.order, &b->matrix.scratch))
        return false;
    b->matrix.aside = b->matrix.numbers + b->matrix.shape.numbers;
    return true;
}

static void check_order(const bed *b)
{
    int *seen = calloc((size_t)b->nodes, sizeof(int));
    for (int k = 0; k < b->nodes; ++k) seen[b->matrix.order[k]]++;
    for (int k = 0; k < b->nodes; ++k) CHECK(seen[k] == 1);
    for (int k = 0; k < b->nodes; ++k) CHECK(b->matrix.shape.position[b->matrix.shape.node_at[k]] == k);
    free(seen);
}

/* Writes a number of the matrix where factors want it, and into the dense copy. */
static void put(bed *b, double *dense, int a, int c, int row, int column, double value)
{
    const sparse_shape *h = &b->matrix.shape;
    uint8_t upper;
    size_t place = abuti_sparse_place(h, a, c, &upper);
    int low = upper ? c : a, s = h->super_of[h->position[low]];
    size_t width = (size_t)h->width[s], apart = width * (size_t)h->pivots[s];
    dense[(size_t)(6 * a + row) * 6 * (size_t)b->nodes + (size_t)(6 * c + column)] += value;
    if (a == c || !upper) b->matrix.numbers[place + (size_t)row * width + (size_t)column] += value;
    if (a == c || upper) b->matrix.numbers[place + apart + (size_t)column * width + (size_t)row] += value;
}

static void assemble(bed *b, double *dense, bench_random *random)
{
    const sparse_shape *h = &b->matrix.shape;
    memset(b->matrix.numbers, 0, h->numbers * sizeof(double));
    for (int s = 0; s < h->supernodes; ++s) {
        for (int c = 0; c < h->pivots[s]; ++c)
            b->matrix.numbers[h->begin[s] + (size_t)c * (size_t)(h->width[s] + 1)] = 1.0;
    }
    for (int i = 0; i < 6 * b->nodes; ++i) dense[(size_t)i * 6 * (size_t)b->nodes + (size_t)i] = 1.0;
    for (int i = 0; i < b->nodes; ++i) {
        for (int r = 0; r < 6; ++r) put(b, dense, i, i, r, r, 30.0);
        for (int r = 0; r < 36; ++r) put(b, dense, i, i, r / 6, r % 6, bench_uniform(random, -1.0, 1.0));
    }
    for (int i = 0; i < b->pairs; ++i) {
        int a = b->pair[0][i], c = b->pair[1][i];
        if (a == b->nodes || c == b->nodes) continue;
        for (int r = 0; r < 36; ++r) {
            put(b, dense, a, c, r / 6, r % 6, bench_uniform(random, -1.0, 1.0));
            put(b, dense, c, a, r / 6, r % 6, bench_uniform(random, -1.0, 1.0));
        }
    }
}

static void test_against_dense(int nodes, int pairs, int reach, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, (uint64_t)nodes);
    bed b = bed_make(nodes, pairs);
    size_t n = 6 * (size_t)nodes;
    double *dense = calloc(n * n, sizeof(double)), *x = calloc(n, sizeof(double));
    double *v = aligned_alloc(64, 8 * (size_t)(nodes + 1) * sizeof(double));
    memset(v, 0, 8 * (size_t)(nodes + 1) * sizeof(double));
    random_pairs(&b, reach, &random);
    CHECK(shape(&b));
    check_order(&b);
    assemble(&b, dense, &random);
    for (size_t i = 0; i < n; ++i) x[i] = bench_uniform(&random, -1.0, 1.0);
    for (size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (size_t j = 0; j < n; ++j) sum += dense[i * n + j] * x[j];
        v[i / 6 * 8 + i % 6] = sum;
    }
    const sparse_kernels *kernels = abuti_sparse_kernels();
    kernels->factor(&b.matrix);
    kernels->solve(&b.matrix, v);
    double worst = 0.0;
    for (size_t i = 0; i < n; ++i) worst = fmax(worst, fabs(v[i / 6 * 8 + i % 6] - x[i]));
    CHECK(worst <= 1e-11);
    free(dense);
    free(x);
    free(v);
    bed_free(&b);
}

static void test_factors(void)
{
    uint64_t seed = check_seed(15);
    test_against_dense(2, 1, 1, seed);
    test_against_dense(7, 6, 1, seed);
    test_against_dense(12, 40, 11, seed);
    test_against_dense(40, 100, 6, seed);
    test_against_dense(60, 240, 59, seed);
    for (uint64_t k = 0; k < 20; ++k)
        test_against_dense(20 + 3 * (int)k, 60 + 10 * (int)k, 1 + 2 * (int)k, seed + k);
}

/* A wall of bricks fills in far less than a dense matrix. */
static void test_order_saves(void)
{
    enum { SIDE = 40 };
    bed b = bed_make(SIDE * SIDE, 2 * SIDE * SIDE);
    int at = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        b.pair[0][at] = i;
        b.pair[1][at++] = i % SIDE + 1 < SIDE ? i + 1 : b.nodes;
        b.pair[0][at] = i;
        b.pair[1][at++] = i + SIDE < SIDE * SIDE ? i + SIDE : b.nodes;
    }
    CHECK(shape(&b));
    check_order(&b);
    double dense = 2.0 * 36.0 * SIDE * SIDE * SIDE * SIDE / 2.0;
    CHECK_MSG((double)b.matrix.shape.numbers < 0.06 * dense, "%g", (double)b.matrix.shape.numbers / dense);
    bed_free(&b);
}

/* Every family of piles by default. Walls, towers, pyramids, chains and nets are solved, all of them; of heaps, bins and
 * clusters one may end with a point near an answer. */
static void test_piles(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(4);
    int unsolved = 0;
    for (int f = 0; f < pile_family_count; ++f) {
        for (int k = 0; k < 3; ++k) {
            bench_random random = bench_random_stream(seed, (uint64_t)(10 * f + k));
            contact_case_clear(c);
            pile_families[f].make(c, k < 2 ? 30 : 60, &random);
            CHECK(contact_trial_run(trial, &c->problem));
            bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
            bool loose = strcmp(pile_families[f].name, "heap") == 0 ||
                         strcmp(pile_families[f].name, "bin") == 0 ||
                         strcmp(pile_families[f].name, "cluster") == 0;
            bool near = trial->result.outcome == ABUT_LIMIT && trial->check.residual <= 1e-6;
            CHECK_MSG(solved || (loose && near), "%s %d: %s, %g", pile_families[f].name, k,
                      abut_outcome_name(trial->result.outcome), trial->check.residual);
            unsolved += !solved;
        }
    }
    CHECK(unsolved <= 1);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

static int family_named(const char *name)
{
    for (int f = 0; f < pile_family_count; ++f) {
        if (strcmp(pile_families[f].name, name) == 0) return f;
    }
    return 0;
}

/* Corners that are off by a millionth of a diameter and less: which of them carry is a matter of velocities that are
 * small beside impulses, and rows nearly depend on each other. All are solved, within some hundred rounds. */
static void test_uneven_corners(void)
{
    static const double gaps[] = {1e-7, 1e-8, 1e-9};
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(1);
    for (int k = 0; k < 9; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case_clear(c);
        pile_families[family_named("heap")].make(c, 40, &random);
        for (int i = 0; i < c->problem.contact_count; ++i)
            c->contacts[i].gap = gaps[k % 3] * bench_uniform(&random, -1.0, 1.0);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
        CHECK_MSG(trial->check.residual <= 1e-9, "%d: %g", k, trial->check.residual);
        CHECK_MSG(trial->result.pivots <= 1000, "%d: %d rounds", k, trial->result.pivots);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* The same pile again, from its own states: a check and no more. */
static void test_at_rest(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    bench_random random = bench_random_stream(check_seed(5), 0);
    contact_make_wall(c, 60, &random);
    trial->options.warm = true;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(trial->check.residual <= 1e-9 && trial->result.pivots <= 2);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* A pile that moves on a little from step to step: every step has an answer, and from the impulses of the last one, or from its
 * states, it takes no more rounds than some from nothing do. */
static void test_moves_on(void)
{
    enum { STEPS = 6 };
    contact_case *c = contact_case_create();
    contact_trial *warm = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *cold = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(9);
    int rounds[2] = {0, 0};
    warm->options.warm = true;
    for (int pile = 0; pile < 4; ++pile) {
        bench_random random = bench_random_stream(seed, (uint64_t)pile);
        contact_case_clear(c);
        pile_families[pile % 2 ? 5 : 4].make(c, 40, &random);
        for (int step = 0; step < STEPS; ++step) {
            for (int i = 0; i < c->problem.body_count && step > 0; ++i) {
                for (int k = 0; k < 6; ++k) c->bodies[i].velocity[k] += bench_uniform(&random, -0.01, 0.01);
            }
            CHECK(contact_trial_run(warm, &c->problem) && contact_trial_run(cold, &c->problem));
            CHECK_EQ_INT(warm->result.outcome, ABUT_SOLVED);
            CHECK(warm->check.residual <= 1e-9);
            rounds[0] += step > 0 ? warm->result.pivots : 0;
            rounds[1] += step > 0 ? cold->result.pivots : 0;
        }
    }
    CHECK_MSG(rounds[0] <= 1.5 * rounds[1], "%d rounds warm, %d cold", rounds[0], rounds[1]);
    contact_trial_destroy(cold);
    contact_trial_destroy(warm);
    contact_case_destroy(c);
}

/* A budget ends a hard pile with a point and its residual. */
static void test_budget(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    bench_random random = bench_random_stream(check_seed(6), 0);
    contact_make_wall(c, 60, &random);
    trial->options.max_pivots = 3;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_LIMIT);
    CHECK(trial->result.pivots <= 5 && trial->result.residual < INFINITY);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* A combination of joint rows that are there already, of whole links, whose offset is off by `wrong`. */
static void repeat_rows(contact_case *c, double wrong)
{
    int rows = c->problem.joint_count;
    for (int j = 0; j + 6 < rows; j += 7) {
        abut_joint joint = c->joints[j];
        for (int k = 0; k < 6; ++k)
            for (int side = 0; side < 2; ++side)
                joint.jacobian[side][k] = 2.0 * c->joints[j].jacobian[side][k] -
                                          (j % 3 < 2 ? c->joints[j + 1].jacobian[side][k] : 0.0);
        contact_case_joint(c, joint.bodies[0], joint.bodies[1], joint.jacobian[0], joint.jacobian[1],
                           j + 13 < rows ? 0.0 : wrong);
    }
}

/* Rows that depend on others of a large island are found and dropped, and so are those that contradict them. */
static void test_joint_rows(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(7);
    for (int f = pile_family_count - 2; f < pile_family_count; ++f) {
        double velocity[6 * 50];
        for (int kind = 0; kind < 3; ++kind) {
            bench_random random = bench_random_stream(seed, (uint64_t)f);
            contact_case_clear(c);
            pile_families[f].make(c, 49, &random);
            if (kind > 0) repeat_rows(c, kind == 2 ? 1e-3 : 0.0);
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK_EQ_INT(trial->result.outcome, kind == 2 ? ABUT_INFEASIBLE : ABUT_SOLVED);
            if (kind == 2) continue;
            CHECK(trial->check.residual <= 1e-9);
            for (int i = 0; i < 6 * c->problem.body_count; ++i) {
                if (kind == 1) CHECK_NEAR(trial->result.velocity[i], velocity[i], 1e-9);
                velocity[i] = trial->result.velocity[i];
            }
        }
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Long chains and wide nets take memory and time that grow with the bodies. */
static void test_many_joints(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(8);
    for (int f = pile_family_count - 2; f < pile_family_count; ++f) {
        bench_random random = bench_random_stream(seed, (uint64_t)f);
        contact_case_clear(c);
        pile_families[f].make(c, 300, &random);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
        CHECK(trial->check.residual <= 1e-9);
    }
    CHECK(abut_contact_workspace_bytes(&trial->limits) < (size_t)200 << 20);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_factors);
    RUN(test_order_saves);
    RUN(test_piles);
    RUN(test_uneven_corners);
    RUN(test_at_rest);
    RUN(test_moves_on);
    RUN(test_budget);
    RUN(test_joint_rows);
    RUN(test_many_joints);
    return check_report();
}
