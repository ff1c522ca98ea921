/* Islands that rest fall asleep, cost nothing to solve, keep their forces, and wake when something comes, pushes or moves. */
#include "check.h"
#include "world_scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

static world_scene *sleepy_scene(abut_contact_model model)
{
    abut_world_def def = abut_world_default_def();
    def.step = 0.005;
    def.model = model;
    def.sleep_seconds = 0.25;
    world_scene *s = world_scene_create_from(&def);
    world_scene_plane(s, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, 0.5);
    return s;
}

static abut_step_report step(world_scene *s, int steps)
{
    abut_step_report report = {0};
    for (int i = 0; i < steps; ++i) {
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        CHECK(report.residual <= 1e-9 && report.penetration <= 2e-9);
    }
    return report;
}

static bool sleeps(const world_scene *s, int body)
{
    bool asleep = false;
    CHECK_EQ_INT(abut_body_is_asleep(s->world, s->bodies[body], &asleep), ABUT_OK);
    return asleep;
}

/* Two stacks and a box that comes down on the first. */
static void fill(world_scene *s, double height)
{
    for (int i = 0; i < 6; ++i)
        world_scene_box(s, 0.1, 0.1, 0.1, 3.0 * (i % 2), 0, 0.1 + 0.2 * (i / 2), 1000, 0.5);
    if (height > 0) world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, height, 1000, 0.5);
}

static double pressed(const world_scene *s)
{
    double sum = 0;
    abut_world_contact contact;
    for (int i = 0; i < abut_world_contact_count(s->world); ++i) {
        CHECK_EQ_INT(abut_world_get_contact(s->world, i, &contact), ABUT_OK);
        if (contact.colliders[0].index == 1 || contact.colliders[1].index == 1) sum += contact.impulse[0];
    }
    return sum;
}

static void test_rest_falls_asleep(void)
{
    static const abut_contact_model models[3] = {ABUT_COULOMB, ABUT_VISCOUS, ABUT_COULOMB_ACCEL};
    for (int m = 0; m < 3; ++m) {
        world_scene *s = sleepy_scene(models[m]);
        fill(s, 0);
        abut_step_report report = step(s, 40);
        CHECK_EQ_INT(report.asleep, 0);
        double weight = pressed(s);
        report = step(s, 20);
        CHECK_EQ_INT(report.asleep, 6);
        CHECK(sleeps(s, 0) && sleeps(s, 5));
        report = step(s, 100);
        CHECK_EQ_INT(report.contacts, 0);     /* nothing is solved, */
        CHECK_NEAR(pressed(s), weight, 1e-9); /* and forces are told as they were */
        CHECK_NEAR(weight, 6 * 8 * G * 0.005, 1e-9);
        CHECK_EQ_INT(abut_world_event_count(s->world), 0);
        CHECK(world_scene_drift(s) < 10 && report.kinetic == 0);
        world_scene_destroy(s);
    }
}

/* What falls on one stack wakes it, the other sleeps on; at the end all sleep, and rest where they would have rested. */
static void test_touch_wakes(void)
{
    world_scene *s = sleepy_scene(ABUT_COULOMB);
    fill(s, 6);
    abut_step_report report = step(s, 80);
    CHECK_EQ_INT(report.asleep, 6);
    for (int i = 0; i < 400 && sleeps(s, 0); ++i) step(s, 1);
    CHECK(!sleeps(s, 0) && !sleeps(s, 4) && sleeps(s, 1) && sleeps(s, 5));
    report = step(s, 400);
    CHECK_EQ_INT(report.asleep, 7);
    abut_body_state top;
    CHECK_EQ_INT(abut_body_get_state(s->world, s->bodies[6], &top), ABUT_OK);
    CHECK_NEAR(top.com[2], 0.7, 1e-8);
    world_scene_destroy(s);
}

static void test_push_move_and_call_wake(void)
{
    world_scene *s = sleepy_scene(ABUT_COULOMB);
    double push[3] = {200, 0, 0}, kick[3] = {1, 0, 0}, at[3] = {0, 0, 0.5};
    fill(s, 0);
    step(s, 80);
    CHECK_EQ_INT(abut_body_apply_force(s->world, s->bodies[4], push, NULL, NULL), ABUT_OK);
    step(s, 1);
    CHECK(!sleeps(s, 0) && !sleeps(s, 2) && !sleeps(s, 4) && sleeps(s, 1));
    step(s, 400);
    CHECK(sleeps(s, 0));
    CHECK_EQ_INT(abut_body_apply_impulse(s->world, s->bodies[4], kick, at), ABUT_OK);
    CHECK(!sleeps(s, 4));
    step(s, 400);
    CHECK_EQ_INT(abut_body_wake(s->world, s->bodies[1]), ABUT_OK);
    step(s, 1);
    CHECK(!sleeps(s, 1) && !sleeps(s, 5) && sleeps(s, 0));
    step(s, 100);
    int count = abut_world_position_count(s->world);
    double *q = malloc((size_t)count * sizeof *q);
    abut_world_get_positions(s->world, q);
    q[2] += 0.0;
    CHECK_EQ_INT(abut_world_set_positions(s->world, q), ABUT_OK);
    CHECK(!sleeps(s, 1));
    free(q);
    world_scene_destroy(s);
}

/* A snapshot holds who sleeps: the run goes on bit by bit. Questions wake nobody. */
static void test_snapshot_of_sleepers(void)
{
    world_scene *s = sleepy_scene(ABUT_COULOMB);
    fill(s, 3);
    step(s, 80);
    void *snapshot = malloc(abut_world_snapshot_size(s->world));
    int count = abut_world_position_count(s->world), freedoms = abut_world_velocity_count(s->world);
    double *ends[2], *bias = malloc((size_t)freedoms * sizeof *bias);
    CHECK_EQ_INT(abut_world_save(s->world, snapshot), ABUT_OK);
    CHECK_EQ_INT(abut_world_get_bias(s->world, bias), ABUT_OK);
    CHECK(sleeps(s, 0));
    for (int i = 0; i < 2; ++i) {
        CHECK_EQ_INT(abut_world_restore(s->world, snapshot), ABUT_OK);
        CHECK(sleeps(s, 0) && sleeps(s, 1) && !sleeps(s, 6));
        step(s, 200);
        ends[i] = malloc((size_t)count * sizeof *ends[i]);
        abut_world_get_positions(s->world, ends[i]);
    }
    CHECK(memcmp(ends[0], ends[1], (size_t)count * sizeof **ends) == 0);
    free(ends[0]);
    free(ends[1]);
    free(bias);
    free(snapshot);
    world_scene_destroy(s);
}

int main(void)
{
    RUN(test_rest_falls_asleep);
    RUN(test_touch_wakes);
    RUN(test_push_move_and_call_wake);
    RUN(test_snapshot_of_sleepers);
    return check_report();
}
