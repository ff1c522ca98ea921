/* Islands in threads: the same bits for every number of them. Two worlds in two threads. */
#include "abut/threads.h"
#include "check.h"
#include "world_scene.h"
#include <stdint.h>
#include <string.h>

#define MOST_NUMBERS 4096
#define SKIPPED 77

static uint64_t add_to_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* All positions and velocities, and the impulses of all contacts. */
static uint64_t hash_of(world_scene *s)
{
    static double numbers[MOST_NUMBERS];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    CHECK(abut_world_position_count(s->world) <= MOST_NUMBERS);
    abut_world_get_positions(s->world, numbers);
    hash = add_to_hash(hash, numbers, (size_t)abut_world_position_count(s->world) * sizeof *numbers);
    abut_world_get_velocities(s->world, numbers);
    hash = add_to_hash(hash, numbers, (size_t)abut_world_velocity_count(s->world) * sizeof *numbers);
    for (int i = 0; i < abut_world_contact_count(s->world); ++i) {
        abut_world_contact contact;
        CHECK_EQ_INT(abut_world_get_contact(s->world, i, &contact), ABUT_OK);
        hash = add_to_hash(hash, contact.impulse, sizeof contact.impulse);
    }
    return hash;
}

/* Several islands: a wall, a stack, boxes apart, a chain through blocks if asked, a heap that falls. */
static void fill(world_scene *s, bool blocks)
{
    CHECK(world_scene_fill(s, "drops", 24, 5));
    for (int i = 0; i < 12; ++i) world_scene_box(s, 0.1, 0.1, 0.1, 6 + 0.5 * i, 0, 0.1 + 0.01 * i, 1000, 0.5);
    for (int i = 0; i < 5; ++i) world_scene_box(s, 0.1, 0.1, 0.1, 20, 0, 0.1 + 0.2 * i, 1000, 0.5);
    if (blocks) CHECK(world_scene_fill(s, "grasp", 2, 0));
}

static abut_contact_model model;

static uint64_t run(int threads, abut_threads *pool, bool blocks, int steps)
{
    abut_world_def def = abut_world_default_def();
    def.step = 1.0 / 240;
    def.model = model;
    def.threads = threads;
    def.runner = abut_threads_runner(pool);
    world_scene *s = world_scene_create_from(&def);
    uint64_t hash = 0;
    fill(s, blocks);
    for (int i = 0; i < steps; ++i) {
        abut_step_report report;
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        uint64_t now = hash_of(s);
        hash = add_to_hash(hash, &now, sizeof now);
        hash = add_to_hash(hash, &report.residual, sizeof report.residual);
        CHECK(report.residual <= 1e-9);
    }
    world_scene_destroy(s);
    return hash;
}

static abut_threads *two, *four;

static void test_same_bits_for_every_number(void)
{
    static const abut_contact_model models[3] = {ABUT_COULOMB, ABUT_NO_SLIP, ABUT_VISCOUS};
    for (int k = 0; k < 3; ++k) {
        model = models[k];
        int steps = k == 0 ? 150 : 60;
        for (int blocks = 0; blocks < (k == 0 ? 2 : 1); ++blocks) {
            uint64_t one = run(1, NULL, blocks, steps);
            CHECK_MSG(run(2, two, blocks, steps) == one, "model %d: two threads", k);
            if (k > 0) continue;
            CHECK_MSG(run(3, NULL, blocks, steps) == one, "three parts, one after the other");
            CHECK_MSG(run(4, four, blocks, steps) == one, "four threads");
        }
    }
    model = ABUT_COULOMB;
}

/* An island without an answer is found among the others, whoever solves it. */
static void test_safe_step_in_threads(void)
{
    uint64_t hashes[2];
    for (int threads = 1; threads <= 2; ++threads) {
        abut_world_def def = abut_world_default_def();
        def.threads = threads;
        def.runner = abut_threads_runner(threads > 1 ? two : NULL);
        world_scene *s = world_scene_create_from(&def);
        abut_collider_def face = abut_collider_default_def();
        int unsolved = 0;
        face.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.1, 0.1}};
        world_scene_plane(s, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, 0.5);
        for (int i = 0; i < 3; ++i) world_scene_box(s, 0.1, 0.1, 0.1, 3.0 * i, 0, 0.1, 1000, 0.5);
        for (int i = 0; i < 2; ++i) {
            abut_body_def finger = abut_body_default_def();
            abut_body_id id;
            finger.kind = ABUT_KINEMATIC;
            finger.position[0] = 3 + (i ? 0.2 : -0.2);
            finger.position[2] = 0.11;
            CHECK_EQ_INT(abut_world_add_body(s->world, &finger, &id, NULL), ABUT_OK);
            CHECK_EQ_INT(abut_world_add_collider(s->world, id, &face, NULL, NULL), ABUT_OK);
            double turn[4] = {1, 0, 0, 0}, velocity[6] = {i ? -0.01 : 0.01, 0, 0, 0, 0, 0};
            CHECK_EQ_INT(abut_body_set_motion(s->world, id, finger.position, turn, velocity), ABUT_OK);
        }
        for (int i = 0; i < 20; ++i) {
            abut_step_report report;
            CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
            unsolved += report.unsolved;
        }
        CHECK(unsolved > 0);
        /* What is handed out for a capsule is the problem that failed: it is rigid. */
        const abut_contact_problem *last = abut_world_last_problem(s->world);
        for (int i = 0; i < last->contact_count; ++i) CHECK(last->contacts[i].compliance == 0);
        hashes[threads - 1] = hash_of(s);
        world_scene_destroy(s);
    }
    CHECK(hashes[0] == hashes[1]);
}

/* Worlds share nothing. */
typedef struct pair_of_worlds {
    world_scene *scenes[2];
    int stepped[2]; /* CHECK is for one thread */
} pair_of_worlds;

static void step_one(void *data, int index)
{
    pair_of_worlds *p = data;
    for (int i = 0; i < 200; ++i)
        p->stepped[index] += abut_world_step(p->scenes[index]->world, NULL) == ABUT_OK;
}

static void test_two_worlds_in_two_threads(void)
{
    pair_of_worlds together = {.stepped = {0, 0}}, alone = together;
    abut_runner runner = abut_threads_runner(two);
    for (int i = 0; i < 2; ++i) {
        together.scenes[i] = world_scene_make("drops", 12, 1.0 / 240, (unsigned)i);
        alone.scenes[i] = world_scene_make("drops", 12, 1.0 / 240, (unsigned)i);
        step_one(&alone, i);
    }
    runner.run(runner.context, step_one, &together, 2);
    for (int i = 0; i < 2; ++i) {
        CHECK_EQ_INT(together.stepped[i], 200);
        CHECK_EQ_INT(alone.stepped[i], 200);
        CHECK(hash_of(together.scenes[i]) == hash_of(alone.scenes[i]));
        world_scene_destroy(together.scenes[i]);
        world_scene_destroy(alone.scenes[i]);
    }
}

static void test_refusals(void)
{
    abut_world_def def = abut_world_default_def();
    abut_world *world = NULL;
    abut_threads *none = NULL;
    def.threads = 0;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_INVALID_ARGUMENT);
    def.threads = ABUT_THREADS_MAX + 1;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_threads_create(0, &none), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_threads_create(2, NULL), ABUT_INVALID_ARGUMENT);
    abut_threads_destroy(NULL);
}

int main(void)
{
    if (abut_threads_create(2, &two) == ABUT_UNSUPPORTED) return SKIPPED;
    CHECK_EQ_INT(abut_threads_create(4, &four), ABUT_OK);
    RUN(test_same_bits_for_every_number);
    RUN(test_safe_step_in_threads);
    RUN(test_two_worlds_in_two_threads);
    RUN(test_refusals);
    abut_threads_destroy(two);
    abut_threads_destroy(four);
    return check_report();
}
