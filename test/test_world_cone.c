/* Worlds with circles: a box starts and slides alike at every angle, drops and hands are verified and gain no energy, and
 * what the world refuses. */
#include "check.h"
#include "world_scene.h"
#include <math.h>
#include <string.h>

#define G 9.81

static const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};

/* A scene of this name, or none, in a world with circles. */
static world_scene *make(const char *name, int size, double step, unsigned seed)
{
    abut_world_def def = abut_world_default_def();
    def.step = step;
    def.cone = ABUT_CONE_CIRCLE;
    world_scene *s = world_scene_create_from(&def);
    CHECK(s);
    if (name) CHECK(world_scene_fill(s, name, size, seed));
    return s;
}

static abut_body_state state_of(const world_scene *s, abut_body_id id)
{
    abut_body_state state;
    CHECK_EQ_INT(abut_body_get_state(s->world, id, &state), ABUT_OK);
    return state;
}

/* The speed of a box of 8 kg after one step of a push at an angle. */
static double pushed(double angle, double force)
{
    world_scene *s = make(NULL, 0, 0.002, 0);
    world_scene_plane(s, origin, up, 0.5);
    abut_body_id box = world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
    double push[3] = {force * cos(angle), force * sin(angle), 0};
    CHECK_EQ_INT(abut_body_apply_force(s->world, box, push, NULL, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_step(s->world, NULL), ABUT_OK);
    abut_body_state now = state_of(s, box);
    world_scene_destroy(s);
    return hypot(now.velocity[0], now.velocity[1]);
}

static void test_every_angle_is_alike(void)
{
    double limit = 0.5 * 8 * G;
    for (int k = 0; k < 36; ++k) {
        double angle = 0.1745 * k;
        CHECK_MSG(pushed(angle, limit * (1 - 1e-6)) <= 1e-11, "%g rad", angle);
        CHECK_NEAR(pushed(angle, 1.5 * limit), 0.002 * 0.5 * limit / 8, 1e-10);
    }
}

/* Every step is verified, none gains energy; what should rest does. */
static void test_scenes(void)
{
    static const struct {
        const char *name;
        int size;
        double seconds;
        bool rests;
    } scenes[] = {{"stack", 10, 1, true}, {"arch", 9, 1, true},    {"cards", 2, 1, true},
                  {"grasp", 3, 1, true},  {"wall", 12, 0.5, true}, {"drops", 8, 2, false}};
    unsigned seed = (unsigned)check_seed(7);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        world_scene *s = make(scenes[i].name, scenes[i].size, 1.0 / 240, scenes[i].rests ? 0 : seed);
        world_scene_run(s, (int)lround(scenes[i].seconds / s->step), NULL);
        CHECK_EQ_INT(s->failures + s->unsolved, 0);
        CHECK_MSG(s->residual <= 1e-9, "%s: residual %g", scenes[i].name, s->residual);
        CHECK_MSG(s->rise <= 1e-9, "%s gains %g J", scenes[i].name, s->rise);
        CHECK_MSG(!scenes[i].rests || world_scene_drift(s) < 1e-8, "%s drifts by %g", scenes[i].name,
                  world_scene_drift(s));
        world_scene_destroy(s);
    }
}

/* Six dominoes, the first pushed over: redundant contacts that slip slowly, where Newton's method from a polygon's answer often
 * leads nowhere. Every step is solved, verified, and gains no energy once nothing pushes. */
static void test_dominoes(void)
{
    world_scene *s = make(NULL, 0, 1.0 / 240, 0);
    abut_body_id first = {0};
    world_scene_plane(s, origin, up, 0.5);
    for (int k = 0; k < 6; ++k) {
        abut_body_id box = world_scene_box(s, 0.01, 0.05, 0.1, 0.08 * k, 0, 0.1, 500, 0.5);
        if (k == 0) first = box;
    }
    for (int step = 0; step < 24; ++step) {
        double push[3] = {0.6, 0, 0}, at[3] = {state_of(s, first).position[0], 0.01, 0.19};
        CHECK_EQ_INT(abut_body_apply_force(s->world, first, push, at, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_step(s->world, NULL), ABUT_OK);
    }
    world_scene_run(s, 360, NULL);
    CHECK_EQ_INT(s->failures + s->unsolved, 0);
    CHECK_MSG(s->residual <= 1e-9 && s->rise <= 1e-9, "residual %g, gains %g J", s->residual, s->rise);
    CHECK(state_of(s, first).position[2] < 0.09); /* it fell */
    world_scene_destroy(s);
}

static void test_refused(void)
{
    abut_world_def def = abut_world_default_def();
    abut_world *world = NULL;
    abut_error error;
    def.cone = ABUT_CONE_ELLIPSE;
    CHECK(abut_world_create(&def, NULL, &world, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "cone") != NULL);
    def.cone = ABUT_CONE_CIRCLE;
    def.contact.solver = ABUT_SOLVER_REDUCED;
    CHECK(abut_world_create(&def, NULL, &world, &error) == ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "cone") != NULL);
}

int main(void)
{
    RUN(test_every_angle_is_alike);
    RUN(test_scenes);
    RUN(test_dominoes);
    RUN(test_refused);
    return check_report();
}
