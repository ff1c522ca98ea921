/* Cold solves of many bodies: what holds in every round of the interior point, the springs' solve against the
 * equations themselves, and the faces that are read off where they are known beforehand.
 *
 * The solver's own steps are compiled into this program and taken one at a time. */
#define FACES_VARIANT abuti_faces_inside
#include "contact/faces/core.inl"

#include "check.h"
#include "contact/build/build.h"
#include "contact_families.h"
#include "contact_trial.h"
#include <limits.h>

enum { BODIES = 64, CONTACTS = 512, JOINTS = 128 };

static struct {
    abuti_islands islands;
    abuti_build build;
    faces *f;
    contact_case *c;
} bed;

static const abut_contact_limits limits = {
    .bodies = BODIES, .contacts = CONTACTS, .joints = JOINTS, .directions = 64};

static void lay_out(abuti_arena *arena)
{
    abuti_islands_layout(&bed.islands, arena, &limits);
    abuti_build_layout(&bed.build, arena, &limits);
    bed.f = abuti_faces_family.layout(arena, &limits);
}

/* The case at hand as a system; false when it is more than one island or nothing for springs. */
static bool load(void)
{
    abuti_islands_find(&bed.islands, &bed.c->problem);
    if (bed.islands.count != 1 ||
        abuti_build_bodies(&bed.build, &bed.c->problem, &bed.islands, bed.islands.island) != ABUT_OK)
        return false;
    return begin(bed.f, &bed.build.system) && springs_serve(&bed.build.system) && springs_begin(bed.f);
}

static bool make(const char *family, int size, uint64_t seed, int i)
{
    bench_random random = bench_random_stream(seed, (uint64_t)i);
    return contact_family_make(contact_family_find(family), size, &random, bed.c) && load();
}

/* A stack of cubes on four corners each; the topmost is pushed by `push`. */
static bool make_cubes(int m, double push, double mu)
{
    double inertia[3];
    contact_case_clear(bed.c);
    contact_block_inertia(1, 1, 1, 1, inertia);
    for (int i = 0; i < m; ++i) {
        int body = contact_case_body(bed.c, 1, inertia, (double[3]){0, 0, i + 0.5});
        bed.c->bodies[body].force[2] = -CONTACT_GRAVITY;
        for (int k = 0; k < 4; ++k)
            contact_case_add(bed.c, body, i - 1, i == m - 1 ? mu : 0.5,
                             (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, i}, (double[3]){0, 0, 1});
    }
    bed.c->bodies[m - 1].force[0] = push;
    bed.c->problem.step = CONTACT_STEP;
    return load();
}

static abuti_stage_context unlimited(const abut_contact_options *options)
{
    return (abuti_stage_context){.options = options, .pivots_left = INT_MAX, .deadline = INFINITY};
}

/* max |dv - J'(r - K J dv)| over all bodies, for springs and forces that are drawn. */
static double spring_error(faces *f, bench_random *random)
{
    const abuti_system *s = f->system;
    faces_springs *g = &f->springs;
    static double x[3][CONTACTS], joint[JOINTS], v[8 * (BODIES + 1)];
    double *const out[3] = {x[0], x[1], x[2]}, worst = 0.0;
    for (int i = 0; i < f->lanes; ++i) {
        bool live = i < s->n;
        double stiff = live ? exp(bench_uniform(random, -4, 4)) : 0.0, mu = bench_uniform(random, 0, 0.3);
        g->K[K_NN][i] = stiff;
        g->K[K_XN][i] = mu * stiff;
        g->K[K_YN][i] = -mu * stiff;
        g->K[K_XX][i] = g->K[K_YY][i] = 0.7 * stiff;
        g->K[K_XY][i] = 0.2 * stiff;
        for (int axis = 0; axis < 3; ++axis) g->r[axis][i] = live ? bench_uniform(random, -1, 1) : 0.0;
    }
    g->joint_stiffness = 30.0;
    for (int j = 0; j < s->joints; ++j) g->joint_r[j] = bench_uniform(random, -1, 1);
    springs_factor(f);
    springs_solve(f);
    for (int i = 0; i < s->n; ++i) {
        double un = f->un[1][i], ux = f->ut[1][0][i], uy = f->ut[1][1][i];
        x[0][i] = g->r[0][i] - g->K[K_NN][i] * un;
        x[1][i] = g->r[1][i] - g->K[K_XN][i] * un - g->K[K_XX][i] * ux - g->K[K_XY][i] * uy;
        x[2][i] = g->r[2][i] - g->K[K_YN][i] * un - g->K[K_XY][i] * ux - g->K[K_YY][i] * uy;
    }
    for (int j = 0; j < s->joints; ++j)
        joint[j] = g->joint_r[j] - g->joint_stiffness * joint_velocity(f, j, 1);
    memset(v, 0, sizeof v);
    push_bodies(f, out, joint, v);
    for (int c = 0; c < s->bodies * s->stride; ++c) worst = fmax(worst, fabs(v[c] - f->v[1][c]));
    return worst;
}

static void test_springs(void)
{
    static const struct {
        const char *family;
        int size;
    } runs[] = {{"towers", 2}, {"towers", 30}, {"walls", 4}, {"walls", 40}, {"chains", 8}, {"loops", 6}};
    uint64_t seed = check_seed(1);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        int looked_at = 0;
        for (int i = 0; i < 10; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            if (!make(runs[r].family, runs[r].size, seed, i)) continue;
            double error = spring_error(bed.f, &random);
            looked_at++;
            CHECK_MSG(error <= 1e-11, "%s %d: %g", runs[r].family, runs[r].size, error);
        }
        CHECK(looked_at > 0);
    }
}

/* Pairs stay positive, equations are owed the less the further the steps go, and products fall. */
static void test_rounds(void)
{
    uint64_t seed = check_seed(2);
    for (int i = 0; i < 20; ++i) {
        faces *f = bed.f;
        faces_interior *in = &f->interior;
        CHECK(make(i % 2 ? "towers" : "walls", 8, seed, i));
        interior_begin(f);
        interior_impulses(f);
        velocity_of_impulses(f);
        double owed = 0.0, gap = advance(f, 0.0), first = gap;
        for (int k = 0; k < f->system->n; ++k) owed = fmax(owed, fabs(f->un[0][k] - in->nu[k]));
        for (int round = 0; round < 6; ++round) {
            double product, reach = fmin(1.0, newton_step(f, 0.0, false, &product));
            double length = fmin(1.0, 0.99 * newton_step(f, 0.2 * gap, true, &product));
            CHECK(reach > 0.0 && length > 0.0);
            gap = advance(f, length);
            owed *= 1.0 - length;
            interior_impulses(f);
            velocity_of_impulses(f);
            for (int k = 0; k < f->system->n; ++k) {
                CHECK(in->theta[k] > 0.0 && in->nu[k] > 0.0 && in->lambda[k] > 0.0 && in->gamma[k] > 0.0);
                CHECK(fabs(f->un[0][k] - in->nu[k]) <= 1.000001 * owed + 1e-10);
                double sum = 0.0;
                for (int j = 0; j < (int)in->count[k]; ++j) {
                    CHECK(in->phi[j * f->lanes + k] > 0.0 && in->sigma[j * f->lanes + k] > 0.0);
                    sum += in->phi[j * f->lanes + k];
                }
                CHECK(fabs(f->mu[k] * in->theta[k] - sum - in->gamma[k]) <= 1e-10);
            }
        }
        CHECK(gap < 0.05 * first);
    }
}

/* How many contacts of interface `of` are in a state. */
static int in_state(int of, abut_contact_state state)
{
    int count = 0;
    for (int i = 0; i < bed.f->system->n; ++i)
        count += bed.f->system->index[i] / 4 == of && bed.f->state[i] == state;
    return count;
}

/* Gravity alone: all corners stick and share alike. Pushed beyond friction the topmost slides, all the rest
 * sticks. */
static void test_faces_known(void)
{
    abut_contact_options options = abut_contact_default_options();
    abuti_stage_context context = unlimited(&options);
    for (int m = 2; m <= 40; m += 19) {
        CHECK(make_cubes(m, 0.0, 0.25));
        CHECK_EQ_INT(walk_inside(bed.f, &context), FLIPS_DONE);
        for (int k = 0; k < m; ++k) CHECK_EQ_INT(in_state(k, ABUT_STICK), 4);
        const double *theta = bed.f->springs.x[0];
        for (int i = 0; i < bed.f->system->n; ++i)
            CHECK(fabs(theta[i] - theta[i / 4 * 4]) <=
                  1e-6 * fabs(theta[i])); /* as near as the rounds come */
        CHECK(make_cubes(m, 0.5 * CONTACT_GRAVITY, 0.25));
        CHECK_EQ_INT(walk_inside(bed.f, &context), FLIPS_DONE);
        CHECK_EQ_INT(in_state(m - 1, ABUT_STICK) + in_state(m - 1, ABUT_OPEN), 0);
        for (int k = 0; k + 1 < m; ++k) CHECK(in_state(k, ABUT_STICK) >= 3);
    }
}

/* With the face of one contact wrong the springs find right ones, or say that they have not: what they call
 * done holds. */
static void test_settle(void)
{
    abut_contact_options options = abut_contact_default_options();
    abuti_stage_context context = unlimited(&options);
    uint64_t seed = check_seed(3);
    int mended = 0;
    for (int i = 0; i < 40; ++i) {
        faces *f = bed.f;
        CHECK(make("towers", 6, seed, i));
        CHECK_EQ_INT(walk_inside(f, &context), FLIPS_DONE);
        settle_error before = worst_error(f);
        CHECK(before.rows <= f->zero && before.slack <= f->zero);
        int at = i % f->system->n;
        f->state[at] = f->state[at] == ABUT_OPEN ? ABUT_STICK : ABUT_OPEN;
        f->face[at] = 0;
        flips end = settle(f, FACES_SETTLE_ROUNDS, &context);
        settle_error after = worst_error(f);
        mended += end == FLIPS_DONE;
        if (end == FLIPS_DONE) CHECK(after.rows <= f->zero && after.slack <= f->zero);
    }
    CHECK_MSG(mended > 0, "%d of 40", mended);
}

/* Hundreds of bodies, more rows than a dense inverse is kept for; wide ones are left to the room of large islands. */
static void test_large(void)
{
    static const struct {
        const char *family;
        int size;
        const char *stage;
    } runs[] = {{"towers", 200, "faces-narrow"}, {"walls", 400, "sparse-interior"}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_FACES, true);
        bench_random random = bench_random_stream(check_seed(4), r);
        CHECK(contact_family_make(contact_family_find(runs[r].family), runs[r].size, &random, bed.c));
        CHECK(contact_trial_run(trial, &bed.c->problem));
        CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
        CHECK_STR(trial->result.stage, runs[r].stage);
        CHECK_MSG(trial->check.residual <= 1e-10, "%s: %g", runs[r].family, trial->check.residual);
        contact_trial_destroy(trial);
    }
}

int main(void)
{
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    abuti_arena arena = {0};
    lay_out(&arena);
    size_t size = arena.used;
    void *memory = abuti_allocate(&allocator, size);
    bed.c = contact_case_create();
    if (!memory || !bed.c) return 1;
    arena = (abuti_arena){.base = memory, .capacity = size};
    lay_out(&arena);
    RUN(test_springs);
    RUN(test_rounds);
    RUN(test_faces_known);
    RUN(test_settle);
    RUN(test_large);
    contact_case_destroy(bed.c);
    abuti_release(&allocator, memory, size);
    return check_report();
}
