/* A step allocates nothing once it has seen its sizes, at whichever level and in however many parts it is solved. */
#include "alloc_count.h"
#include "check.h"
#include "world_scene.h"
#include <stdlib.h>
#include <string.h>

/* A scene whose world takes its memory from an allocator that counts. */
static world_scene *counted_scene(abut_world_def def, alloc_count *count, abut_allocator *allocator)
{
    world_scene *s = calloc(1, sizeof *s);
    *allocator = alloc_counting(count);
    s->step = def.step;
    CHECK_EQ_INT(abut_world_create(&def, allocator, &s->world, NULL), ABUT_OK);
    return s;
}

static void step(world_scene *s, int steps)
{
    for (int i = 0; i < steps; ++i) {
        abut_step_report report;
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        CHECK(report.residual <= 1e-9);
    }
}

/* A run, gone through twice from one snapshot: the second time nothing is new. */
static void check_second_run(abut_world_def def, const char *name, int size, int steps)
{
    alloc_count count = {0};
    abut_allocator allocator;
    world_scene *s = counted_scene(def, &count, &allocator);
    CHECK(world_scene_fill(s, name, size, 3));
    step(s, 1);
    void *snapshot = malloc(abut_world_snapshot_size(s->world));
    CHECK_EQ_INT(abut_world_save(s->world, snapshot), ABUT_OK);
    step(s, steps);
    CHECK_EQ_INT(abut_world_restore(s->world, snapshot), ABUT_OK);
    long before = count.requests;
    step(s, steps);
    CHECK_MSG(count.requests == before, "%s: %ld allocations in steps whose sizes were seen", name,
              count.requests - before);
    world_scene_destroy(s);
    free(snapshot);
    CHECK(alloc_balanced(&count));
}

static void test_steps_allocate_nothing(void)
{
    abut_world_def def = abut_world_default_def();
    def.step = 1.0 / 240;
    check_second_run(def, "drops", 12, 300);
    check_second_run(def, "stack", 5, 60);
    check_second_run(def, "grasp", 2, 60);
    def.threads = 2;
    check_second_run(def, "drops", 8, 200);
    def.threads = 1;
    def.model = ABUT_NO_SLIP;
    check_second_run(def, "drops", 6, 150);
}

static void test_acceleration_level_allocates_nothing(void)
{
    abut_world_def def = abut_world_default_def();
    def.step = 1.0 / 240;
    def.model = ABUT_VISCOUS;
    check_second_run(def, "drops", 6, 200);
    def.model = ABUT_COULOMB_ACCEL;
    check_second_run(def, "stack", 3, 60);
    def.integrator = ABUT_RUNGE_KUTTA;
    check_second_run(def, "chain", 5, 60);
    check_second_run(def, "stack", 2, 30);
}

/* Without memory a step says so, and leaks nothing. */
static void test_every_allocation_may_fail(void)
{
    for (long k = 1;; ++k) {
        alloc_count count = {.fail_at = k};
        abut_allocator allocator = alloc_counting(&count);
        abut_world_def def = abut_world_default_def();
        abut_world *world = NULL;
        abut_status status = abut_world_create(&def, &allocator, &world, NULL);
        world_scene s = {.world = world, .step = def.step};
        if (status == ABUT_OK) {
            world_scene_plane(&s, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, 0.5);
            world_scene_box(&s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
        }
        for (int i = 0; i < 3 && status == ABUT_OK && s.failures == 0; ++i)
            status = abut_world_step(world, NULL);
        if (count.refused == 0) CHECK_EQ_INT(status, ABUT_OK);
        CHECK(count.refused == 0 || status == ABUT_OUT_OF_MEMORY || s.failures > 0);
        abut_world_destroy(world);
        CHECK_MSG(alloc_balanced(&count), "request %ld", k);
        if (count.refused == 0) break;
    }
}

int main(void)
{
    RUN(test_steps_allocate_nothing);
    RUN(test_acceleration_level_allocates_nothing);
    RUN(test_every_allocation_may_fail);
    return check_report();
}
