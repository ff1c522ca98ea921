/* Islands as things: towers of cubes, stepped in closed loop side by side. Each finds what was kept of it again, whoever
 * stands beside it and in whatever order they come, and has the bits that it has alone in a workspace of its own. */
#include "check.h"
#include "contact/faces/faces.h"
#include "contact/rest/rest.h"
#include "contact/share.h"
#include "contact/sparse/sparse.h"
#include "contact/workspace.h"
#include "contact_families.h"
#include "contact_trial.h"

#include <math.h>
#include <string.h>

enum { CUBES = 24, TOWERS = 5, STEPS = 60 };
static const double side = 0.2, mass = 1.6, step_size = 0.004;

typedef struct cube {
    double at[3], turn[3][3], velocity[6];
} cube;

/* A tower that is pushed to and fro at its top: gently, so that all of it rests, or so that the top slides. */
#define GENTLY 2.5
#define STRONGLY 30.0
typedef struct tower {
    int cubes, tag;
    double x, push;
    cube cube[CUBES];
} tower;

static tower tower_of(int cubes, int tag, double push)
{
    tower t = {.cubes = cubes, .tag = tag, .x = 3.0 * tag, .push = push};
    for (int i = 0; i < cubes; ++i) {
        /* Each cube lies a little aside of the one below it. */
        t.cube[i] =
            (cube){.at = {t.x + 0.01 * sin(1.0 + i + tag), 0.01 * cos(2.0 * i + tag), (i + 0.5) * side}};
        for (int c = 0; c < 3; ++c) t.cube[i].turn[c][c] = 1.0;
    }
    return t;
}

/* The contacts of the lower corners of a cube with what is below it. */
static void add_corners(contact_case *c, const tower *t, int i, int first, bool keys)
{
    const cube *above = &t->cube[i], *below = i > 0 ? &t->cube[i - 1] : NULL;
    for (int corner = 0; corner < 4; ++corner) {
        double arm[3] = {corner & 1 ? 0.09 : -0.09, corner & 2 ? 0.09 : -0.09, -0.5 * side}, point[3];
        double normal[3] = {0, 0, 1}, gap = 0.0;
        for (int k = 0; k < 3; ++k) {
            point[k] = above->at[k];
            for (int l = 0; l < 3; ++l) point[k] += above->turn[k][l] * arm[l];
            if (below) normal[k] = below->turn[k][2];
        }
        for (int k = 0; k < 3; ++k)
            gap += normal[k] * (point[k] - (below ? below->at[k] + 0.5 * side * normal[k] : 0.0));
        int at = contact_case_add(c, first + i, i > 0 ? first + i - 1 : ABUT_WORLD, 0.5, point, normal);
        c->contacts[at].gap = gap;
        if (keys) c->contacts[at].key = ((uint64_t)t->tag << 32) + (uint64_t)(4 * i + corner + 1);
    }
}

static void add_tower(contact_case *c, const tower *t, int step, bool keys)
{
    const double moment = mass * side * side / 6.0, inertia[3] = {moment, moment, moment};
    int first = c->problem.body_count;
    for (int i = 0; i < t->cubes; ++i) {
        int body = contact_case_body(c, mass, inertia, t->cube[i].at);
        memcpy(c->bodies[body].velocity, t->cube[i].velocity, sizeof t->cube[i].velocity);
        memset(c->bodies[body].force, 0, sizeof c->bodies[body].force);
        c->bodies[body].force[2] = -9.81 * mass;
        if (i == t->cubes - 1) c->bodies[body].force[0] = t->push * sin(0.2 * step + t->tag);
    }
    for (int i = 0; i < t->cubes; ++i) add_corners(c, t, i, first, keys);
}

/* One step of one cube with its new velocity. */
static void move(cube *b, const double velocity[6])
{
    const double *w = velocity + 3, angle = step_size * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    memcpy(b->velocity, velocity, sizeof b->velocity);
    for (int k = 0; k < 3; ++k) b->at[k] += step_size * velocity[k];
    if (angle == 0.0) return;
    for (int column = 0; column < 3; ++column) {
        double x[3], cross[3], along = 0.0;
        for (int k = 0; k < 3; ++k) x[k] = b->turn[k][column];
        for (int k = 0; k < 3; ++k) {
            along += step_size * w[k] / angle * x[k];
            cross[k] =
                step_size / angle * (w[(k + 1) % 3] * x[(k + 2) % 3] - w[(k + 2) % 3] * x[(k + 1) % 3]);
        }
        for (int k = 0; k < 3; ++k)
            b->turn[k][column] = x[k] * cos(angle) + cross[k] * sin(angle) +
                                 step_size * w[k] / angle * along * (1.0 - cos(angle));
    }
}

/* Towers that one workspace solves. */
typedef struct yard {
    int towers;
    tower tower[TOWERS];
    contact_case *c;
    contact_trial *trial;
    bool keys;
} yard;

static yard yard_of(const int *sizes, int towers, int first_tag, double push, bool keys)
{
    yard y = {.towers = towers, .keys = keys, .c = contact_case_create()};
    y.trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    y.trial->options.warm = true;
    for (int k = 0; k < towers; ++k) y.tower[k] = tower_of(sizes[k], first_tag + k, push);
    return y;
}

static void leave(yard *y)
{
    contact_trial_destroy(y->trial);
    contact_case_destroy(y->c);
}

/* The problem of a step, with the towers from `first` on, then those before it. */
static void make(yard *y, int step, int first)
{
    contact_case_clear(y->c);
    y->c->problem.step = step_size;
    for (int k = 0; k < y->towers; ++k) add_tower(y->c, &y->tower[(first + k) % y->towers], step, y->keys);
}

static void follow(yard *y, int first, const double *velocity)
{
    for (int k = 0; k < y->towers; ++k) {
        tower *t = &y->tower[(first + k) % y->towers];
        for (int i = 0; i < t->cubes; ++i, velocity += 6) move(&t->cube[i], velocity);
    }
}

static void take_step(yard *y, int step, int first)
{
    make(y, step, first);
    CHECK(contact_trial_run(y->trial, &y->c->problem));
    CHECK_EQ_INT(y->trial->result.outcome, ABUT_SOLVED);
    CHECK(y->trial->check.residual <= 1e-9);
    CHECK_EQ_INT(y->trial->result.islands, y->towers);
    if (y->trial->result.velocity) follow(y, first, y->trial->result.velocity);
}

static uint64_t tenants(const yard *y)
{
    return y->trial->work->homes.tenants;
}

/* The home of the island of tower k when the towers come from `first` on. */
static abuti_home *home_of(const yard *y, int k, int first)
{
    abuti_homes *homes = &y->trial->work->homes;
    return &homes->home[homes->of_island[(k - first + y->towers) % y->towers]];
}

static void *scratch_of(const yard *y, const abuti_family *family)
{
    const abuti_room *room = &y->trial->work->room;
    return room->place[abuti_room_find(room, family)].scratch;
}

static void same_motion(const tower *a, const tower *b, int step)
{
    CHECK_MSG(memcmp(a->cube, b->cube, (size_t)a->cubes * sizeof *a->cube) == 0, "step %d: tower of %d", step,
              a->cubes);
}

/* Towers side by side move as each does alone, to the last bit, in steps that take as many pivots in the same stages;
 * and no island is ever new after the first step. `turning`: they come in another order in every step. */
static void side_by_side_pushed(const int *sizes, int towers, double push, bool keys, bool turning)
{
    yard all = yard_of(sizes, towers, 1, push, keys), alone[TOWERS];
    int slots = 0, factors = 0;
    for (int k = 0; k < towers; ++k) alone[k] = yard_of(&sizes[k], 1, 1 + k, push, keys);
    for (int step = 0; step < STEPS; ++step) {
        int first = turning ? step % towers : 0;
        take_step(&all, step, first);
        CHECK_EQ_INT((int)tenants(&all), towers);
        for (int k = 0; k < towers; ++k) {
            take_step(&alone[k], step, 0);
            const abut_island_result *here = &all.trial->result.island[(k - first + towers) % towers],
                                     *there = alone[k].trial->result.island;
            CHECK_STR(here->stage, there->stage);
            CHECK_EQ_INT(here->pivots, there->pivots);
            same_motion(&all.tower[k], &alone[k].tower[0], step);
            slots += abuti_home_kept(home_of(&all, k, first), ABUTI_KEPT_SLOTS) != NULL;
            factors += abuti_home_kept(home_of(&all, k, first), ABUTI_KEPT_FACTORS) != NULL;
        }
    }
    CHECK_MSG(slots + factors > 0, "%d of slots, %d of factors", slots, factors);
    for (int k = 0; k < towers; ++k) leave(&alone[k]);
    leave(&all);
}

static void side_by_side(const int *sizes, int towers, bool keys, bool turning)
{
    side_by_side_pushed(sizes, towers, GENTLY, keys, turning);
    side_by_side_pushed(sizes, towers, STRONGLY, keys, turning);
}

static void test_two(void)
{
    side_by_side((const int[]){4, 7}, 2, true, false);
    side_by_side((const int[]){6, 6}, 2, true, false);
    side_by_side((const int[]){12, 20}, 2, true, false);
}

static void test_five_of_unlike_sizes(void)
{
    side_by_side((const int[]){1, 5, 20, 3, 12}, 5, true, false);
}

static void test_any_order(void)
{
    side_by_side((const int[]){1, 5, 20, 3, 12}, 5, true, true);
}

static void test_no_keys(void)
{
    side_by_side((const int[]){5, 20, 3}, 3, false, false);
}

/* What is kept is what the next step works with. Slots: when the stages of the tower that comes last begin, its slots of
 * the step before are there, though another tower was solved in between. */
static void test_slots_come_back(void)
{
    const int sizes[] = {3, 5, 8};
    yard y = yard_of(sizes, 3, 1, STRONGLY, true);
    int checked = 0, stood = 0;
    for (int step = 0; step < STEPS; ++step) {
        take_step(&y, step, step % 3);
        const faces *f = scratch_of(&y, &abuti_faces_family);
        bool check = strcmp(y.trial->result.island[2].stage, "faces-check") == 0;
        checked += check && step > 2;
        stood += check && step > 2 && f->memory.stood == FACES_LEFT_BAND;
    }
    CHECK_MSG(checked > STEPS / 4 && stood > 2 * checked / 3, "%d of %d checks had slots", stood, checked);
    leave(&y);
}

/* Factors: numbers that are spoilt at home are met in the next step. */
static void test_factors_come_back(void)
{
    const int sizes[] = {12, 15};
    yard y = yard_of(sizes, 2, 1, GENTLY, true), same = yard_of(sizes, 2, 1, GENTLY, true);
    int differs = 0, held = 0;
    for (int step = 0; step < STEPS; ++step) {
        take_step(&y, step, 0);
        take_step(&same, step, 0);
        for (int k = 0; k < 2; ++k) {
            differs += memcmp(y.tower[k].cube, same.tower[k].cube, sizeof y.tower[k].cube) != 0;
            y.tower[k] = same.tower[k];
            sparse_kept *kept = abuti_home_kept(home_of(&y, k, 0), ABUTI_KEPT_FACTORS);
            if (!kept || !kept->held || step % 2) continue;
            ++held;
            kept->matrix.numbers[0] *= 1.0 + 1e-6;
        }
    }
    CHECK_MSG(held > 5 && differs > held / 3, "%d factors spoilt, %d motions differ", held, differs);
    leave(&y);
    leave(&same);
}

/* Two towers are one island while something lies across them; the larger one's home is that of both, and the larger one
 * has it when they are two again. */
static void test_merge_and_split(void)
{
    const int sizes[] = {4, 9};
    yard y = yard_of(sizes, 2, 1, GENTLY, true);
    uint64_t small = 0, large = 0;
    for (int step = 0; step < 30; ++step) {
        bool joined = step == 0 || (step >= 10 && step < 20);
        make(&y, step, 0);
        if (joined) { /* the tops touch, and hardly push each other */
            int at = contact_case_add(y.c, 3, 12, 0.1, (double[3]){3, 0, 0.7}, (double[3]){-1, 0, 0});
            y.c->contacts[at].key = 77;
        }
        CHECK(contact_trial_run(y.trial, &y.c->problem) && y.trial->result.outcome == ABUT_SOLVED);
        CHECK(y.trial->check.residual <= 1e-9);
        CHECK_EQ_INT(y.trial->result.islands, joined ? 1 : 2);
        follow(&y, 0, y.trial->result.velocity);
        if (step == 9) small = home_of(&y, 0, 0)->tenant, large = home_of(&y, 1, 0)->tenant;
        if (joined && step > 0) CHECK(home_of(&y, 0, 0)->tenant == large);
        if (step < 20) continue;
        CHECK(home_of(&y, 1, 0)->tenant == large);
        CHECK(home_of(&y, 0, 0)->tenant != small && home_of(&y, 0, 0)->tenant != large);
        CHECK_EQ_INT((int)tenants(&y), 3);
    }
    leave(&y);
}

/* An island that is away for a step is new, as its states are. */
static void test_away(void)
{
    const int sizes[] = {5, 3, 4};
    yard y = yard_of(sizes, 3, 1, GENTLY, true);
    for (int step = 0; step < 12; ++step) {
        y.towers = step % 4 == 2 ? 2 : 3; /* the last one hangs in the air */
        take_step(&y, step, 0);
    }
    CHECK_EQ_INT((int)tenants(&y), 6);
    leave(&y);
}

/* Calls that share their islands come to the bits of one call, and each of them finds its islands again. */
static void test_shares(void)
{
    const int sizes[] = {6, 11, 3, 14, 1};
    enum { MOST = 4 * 64 };
    static abut_contact_face faces[MOST];
    static double impulses[3 * MOST];
    yard y = yard_of(sizes, TOWERS, 1, STRONGLY, true);
    abut_contact_workspace *work[2] = {NULL, NULL};
    abut_contact_result result[2];
    abut_contact_options options = abut_contact_default_options();
    for (int step = 0; step < 30; ++step) {
        make(&y, step, 0);
        y.trial->options = options;
        CHECK(contact_trial_run(y.trial, &y.c->problem) && y.trial->result.outcome == ABUT_SOLVED);
        abut_contact_limits limits = abut_contact_limits_for(&y.c->problem, &options);
        for (int p = 0; p < 2; ++p) {
            if (!work[p]) CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work[p]), ABUT_OK);
            CHECK_EQ_INT(abuti_contact_solve_share(work[p], &y.c->problem, &options, p, 2, &result[p]),
                         ABUT_OK);
        }
        abuti_contact_gather(work, result, 2, &y.c->problem);
        size_t bytes = 6 * (size_t)y.c->problem.body_count * sizeof(double);
        CHECK_MSG(memcmp(result[0].velocity, y.trial->result.velocity, bytes) == 0, "step %d", step);
        CHECK_EQ_INT((int)(work[0]->homes.tenants + work[1]->homes.tenants), TOWERS);
        CHECK(y.c->problem.contact_count <= MOST);
        for (int i = 0; i < y.c->problem.contact_count; ++i) {
            const abut_contact_answer *answer = &y.trial->result.contacts[i];
            faces[i] = y.trial->result.faces[i];
            impulses[3 * i] = answer->normal;
            for (int k = 0; k < 2; ++k) impulses[3 * i + 1 + k] = answer->tangent[k];
        }
        options.start = faces;
        options.start_impulses = impulses;
        follow(&y, 0, y.trial->result.velocity);
    }
    for (int p = 0; p < 2; ++p) abut_contact_workspace_destroy(work[p]);
    leave(&y);
}

/* ---- the shelf ---- */

/* Pieces do not overlap, keep what is in them, and are taken from islands that are gone alone, the longest gone first. */
static void test_shelf(void)
{
    enum { HOMES = 20, SHELF = 1 << 16 };
    static _Alignas(64) unsigned char memory[SHELF];
    static abuti_home home[HOMES];
    abuti_homes homes = {.count = HOMES, .home = home, .first = -1, .last = -1, .calls = 1};
    bench_random random = bench_random_stream(check_seed(13), 0);
    int refused = 0;
    abuti_homes_furnish(&homes, memory, SHELF);
    for (int h = 0; h < HOMES; ++h) home[h] = (abuti_home){.all = &homes, .tenant = (uint64_t)h + 1};
    for (int k = 0; k < 20000; ++k) {
        abuti_home *at = &home[bench_below(&random, HOMES)];
        abuti_keeper keeper = (abuti_keeper)bench_below(&random, ABUTI_KEEPERS);
        if (k % 7 == 0) homes.calls++;
        at->seen = homes.calls;
        if (k % 5 == 0) abuti_home_return(at, keeper);
        size_t size = 1 + (size_t)bench_below(&random, 6000);
        unsigned char *piece = abuti_home_lend(at, keeper, size);
        refused += !piece;
        if (piece) memset(piece, (int)(at - home) * ABUTI_KEEPERS + (int)keeper, size);
        size_t end = 0;
        for (int n = homes.first; n >= 0; n = home[n / ABUTI_KEEPERS].piece[n % ABUTI_KEEPERS].after) {
            const abuti_piece *p = &home[n / ABUTI_KEEPERS].piece[n % ABUTI_KEEPERS];
            CHECK(p->size > 0 && p->begin >= end && p->begin % ABUTI_ALIGNMENT == 0);
            CHECK_EQ_INT(memory[p->begin], n);
            CHECK(piece || home[n / ABUTI_KEEPERS].seen == homes.calls);
            end = p->begin + p->size;
        }
        CHECK(end <= SHELF);
    }
    CHECK(refused > 0 && refused < 1000);
    for (int h = 0; h < HOMES; ++h) home[h].seen = homes.calls;
    abuti_homes_clear(&homes);
    for (int h = 0; h < HOMES; ++h) (void)abuti_home_lend(&home[h], ABUTI_KEPT_ONE, 5000);
    int lent = 0;
    for (int h = 0; h < HOMES; ++h) lent += abuti_home_kept(&home[h], ABUTI_KEPT_ONE) != NULL;
    CHECK_EQ_INT(lent, SHELF / 5056); /* and those who have a piece keep it */
    CHECK(abuti_home_kept(&home[0], ABUTI_KEPT_ONE) && !abuti_home_kept(&home[HOMES - 1], ABUTI_KEPT_ONE));
}

int main(void)
{
    RUN(test_two);
    RUN(test_five_of_unlike_sizes);
    RUN(test_any_order);
    RUN(test_no_keys);
    RUN(test_slots_come_back);
    RUN(test_factors_come_back);
    RUN(test_merge_and_split);
    RUN(test_away);
    RUN(test_shares);
    RUN(test_shelf);
    return check_report();
}
