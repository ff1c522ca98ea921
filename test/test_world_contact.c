/* Worlds with contact, against what mechanics says: slopes, rolling, stacks, arches, grasps, drops. */
#include "check.h"
#include "world_scene.h"
#include <math.h>
#include <string.h>

#define G 9.81

static const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};

/* Runs; every step must be verified as it was asked. */
static void run(world_scene *s, double seconds)
{
    world_scene_run(s, (int)lround(seconds / s->step), NULL);
    CHECK_EQ_INT(s->failures, 0);
    CHECK_EQ_INT(s->unsolved, 0);
    CHECK_MSG(s->residual <= 1e-9, "residual %g", s->residual);
}

static abut_body_state state_of(const world_scene *s, abut_body_id id)
{
    abut_body_state state;
    CHECK_EQ_INT(abut_body_get_state(s->world, id, &state), ABUT_OK);
    return state;
}

/* Gravity as on a slope: x points down it. */
static world_scene *on_slope(double tangent, double mu)
{
    double cosine = 1 / sqrt(1 + tangent * tangent), gravity[3] = {G * tangent * cosine, 0, -G * cosine};
    world_scene *s = world_scene_create(0.004, gravity);
    world_scene_plane(s, origin, up, 0);
    world_scene_box(s, 0.2, 0.2, 0.1, 0, 0, 0.1, 1000, mu);
    return s;
}

static void test_slope_at_the_limit(void)
{
    double mu = 0.5, tangent = mu * (1 + 1e-3), cosine = 1 / sqrt(1 + tangent * tangent);
    world_scene *s = on_slope(mu * (1 - 1e-6), mu);
    run(s, 10);
    CHECK_MSG(world_scene_drift(s) < 1e-9, "it crept %g m", world_scene_drift(s));
    world_scene_destroy(s);
    s = on_slope(tangent, mu);
    run(s, 2);
    double acceleration = G * cosine * (tangent - mu);
    CHECK_NEAR(state_of(s, s->bodies[0]).velocity[0] / 2, acceleration, 1e-6 * acceleration);
    world_scene_destroy(s);
}

/* A ball that is thrown without spin loses two sevenths of its speed until it rolls. */
static void test_sphere_two_sevenths(void)
{
    world_scene *s = world_scene_create(0.001, NULL);
    abut_shape ball = {.kind = ABUT_SPHERE, .radius = 0.1};
    double v[6] = {2, 0, 0, 0, 0, 0};
    world_scene_plane(s, origin, up, 0.3);
    abut_body_id id = world_scene_add(s, &ball, (double[3]){0, 0, 0.1}, NULL, 1000, 0);
    CHECK_EQ_INT(abut_world_set_velocities(s->world, v), ABUT_OK);
    run(s, 2);
    CHECK_NEAR(state_of(s, id).velocity[0], 2 * 5.0 / 7, 1e-6);
    CHECK_NEAR(state_of(s, id).velocity[4], 2 * 5.0 / 7 / 0.1, 1e-5);
    world_scene_destroy(s);
}

/* A box that falls lands exactly, without bounce, without sinking in, and rests. */
static void test_landing_is_exact(void)
{
    world_scene *s = world_scene_create(0.01, NULL);
    world_scene_plane(s, origin, up, 0.5);
    abut_body_id box = world_scene_box(s, 0.1, 0.15, 0.2, 0, 0, 1.0, 500, 0.5);
    run(s, 2);
    abut_body_state end = state_of(s, box);
    CHECK_NEAR(end.com[2], 0.2, 1e-9);
    CHECK_MSG(s->penetration <= 1e-9, "%g", s->penetration);
    for (int k = 0; k < 6; ++k) CHECK_NEAR(end.velocity[k], 0, 1e-9);
    world_scene_destroy(s);
}

/* Things of a millimetre overlap by no more of their size than others. */
static void test_small_things(void)
{
    world_scene *s = world_scene_create(0.001, NULL);
    abut_shape disc = {.kind = ABUT_CYLINDER, .radius = 8e-4, .half_length = 6e-4};
    world_scene_plane(s, origin, up, 0.5);
    for (int i = 0; i < 8; ++i) {
        double at[3] = {3e-4 * (i % 3), 2e-4 * (i % 2), 1e-3 + 2.2e-3 * i};
        double lying[4] = {0.70710678118654757, 0.70710678118654757, 0, 0};
        if (i % 2) {
            world_scene_box(s, 1e-3, 8e-4, 6e-4, at[0], at[1], at[2], 1000, 0.5);
        } else {
            world_scene_add(s, &disc, at, i % 3 == 0 ? lying : NULL, 1000, 0.5);
        }
    }
    for (int i = 0; i < 400; ++i) {
        abut_step_report report;
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        CHECK_MSG(report.penetration <= 1e-11 && report.unsolved == 0, "step %d: overlap %g", i,
                  report.penetration);
    }
    world_scene_destroy(s);
}

static void test_restitution_bounces(void)
{
    world_scene *s = world_scene_create(0.001, NULL);
    abut_collider_def floor = abut_collider_default_def();
    abut_shape ball = {.kind = ABUT_SPHERE, .radius = 0.1};
    floor.shape.kind = ABUT_PLANE;
    floor.restitution = 0.5;
    CHECK_EQ_INT(abut_world_add_collider(s->world, (abut_body_id){0}, &floor, NULL, NULL), ABUT_OK);
    abut_body_id id = world_scene_add(s, &ball, (double[3]){0, 0, 1.1}, NULL, 1000, 0);
    double highest = 0;
    bool bounced = false;
    for (int i = 0; i < 1000; ++i) {
        CHECK_EQ_INT(abut_world_step(s->world, NULL), ABUT_OK);
        abut_body_state now = state_of(s, id);
        bounced = bounced || now.velocity[2] > 0;
        if (bounced) highest = fmax(highest, now.com[2] - 0.1);
    }
    CHECK_NEAR(highest, 0.25, 0.01);
    world_scene_destroy(s);
}

/* What must rest, rests: no creep, no turn, no sinking. The long runs are in `abut bench world`. */
static void test_resting_scenes_rest(void)
{
    static const struct {
        const char *name;
        int size;
        double seconds;
    } scenes[] = {{"stack", 10, 4}, {"heavy-on-light", 2, 4}, {"arch", 9, 3}, {"cards", 2, 4},
                  {"grasp", 2, 3},  {"grasp", 3, 2},          {"wall", 12, 1}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        world_scene *s = world_scene_make(scenes[i].name, scenes[i].size, 1.0 / 240, 0);
        run(s, scenes[i].seconds);
        CHECK_MSG(world_scene_drift(s) < 1e-8, "%s drifts by %g", scenes[i].name, world_scene_drift(s));
        CHECK_MSG(world_scene_turn(s) < 1e-8, "%s turns by %g", scenes[i].name, world_scene_turn(s));
        CHECK_MSG(s->penetration < 2e-9, "%s sinks by %g", scenes[i].name, s->penetration);
        CHECK_MSG(s->rise <= 1e-9, "%s gains %g J", scenes[i].name, s->rise);
        world_scene_destroy(s);
    }
}

/* The force at which a box starts to slide is the same along an edge and along the diagonal, with 32 directions. */
static double starting_force(double angle)
{
    double low = 0, high = 100;
    for (int i = 0; i < 22; ++i) {
        double force = 0.5 * (low + high);
        abut_world_def def = abut_world_default_def();
        abut_world *world = NULL;
        def.directions = 32;
        CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_OK);
        world_scene s = {.world = world, .step = def.step};
        world_scene_plane(&s, origin, up, 0.5);
        abut_body_id box = world_scene_box(&s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
        double push[3] = {force * cos(angle), force * sin(angle), 0};
        CHECK_EQ_INT(abut_body_apply_force(world, box, push, NULL, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
        abut_body_state now = state_of(&s, box);
        bool moves = hypot(now.velocity[0], now.velocity[1]) > 1e-9;
        if (moves)
            high = force;
        else
            low = force;
        abut_world_destroy(world);
    }
    return high;
}

static void test_diagonal_push_starts_like_an_axial_one(void)
{
    double axial = starting_force(0), diagonal = starting_force(0.78539816339744831),
           odd = starting_force(0.1);
    CHECK_NEAR(axial, 0.5 * 8 * G, 1e-3 * axial);
    CHECK_NEAR(diagonal, axial, 0.005 * axial);
    CHECK_NEAR(odd, axial, 0.005 * axial);
}

/* Random shapes dropped into a box of planes: nothing leaves, nothing gains energy, no step is unverified. */
static void test_random_drops(void)
{
    unsigned seed = (unsigned)check_seed(7);
    for (unsigned round = 0; round < 8; ++round) {
        world_scene *s = world_scene_make("drops", 8, 0.005, seed + round);
        run(s, 2.5);
        CHECK_MSG(s->rise <= 1e-9, "round %u: a step gained %g J", round, s->rise);
        CHECK_MSG(s->penetration <= 1e-8, "round %u: %g deep", round, s->penetration);
        for (int i = 0; i < s->count; ++i) {
            abut_body_state end = state_of(s, s->bodies[i]);
            CHECK(fabs(end.com[0]) < 1.2 && fabs(end.com[1]) < 1.2 && end.com[2] > 0);
        }
        world_scene_destroy(s);
    }
}

/* A far-away pendulum sends the world through blocks instead of bodies; the boxes do the same. */
static void test_both_doors_move_alike(void)
{
    world_scene *scenes[2];
    abut_body_state ends[2][4];
    for (int i = 0; i < 2; ++i) {
        world_scene *s = scenes[i] = world_scene_create(0.005, NULL);
        world_scene_plane(s, origin, up, 0.4);
        for (int k = 0; k < 4; ++k)
            world_scene_box(s, 0.1, 0.12, 0.1, 0.03 * k, 0.01 * k, 0.15 + 0.25 * k, 1000, 0.4);
        if (i == 1) {
            abut_body_def body = abut_body_default_def();
            abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
            abut_body_id id;
            body.position[0] = 100;
            body.position[2] = 10;
            body.mass = 1;
            body.com[0] = 0.3;
            for (int k = 0; k < 3; ++k) body.inertia[k] = 0.1;
            hinge.axis[1] = 1;
            CHECK_EQ_INT(abut_world_add_body(s->world, &body, &id, NULL), ABUT_OK);
            CHECK_EQ_INT(abut_world_add_joint(s->world, id, &hinge, NULL, NULL), ABUT_OK);
        }
        run(s, 0.6);
        for (int k = 0; k < 4; ++k) ends[i][k] = state_of(s, s->bodies[k]);
    }
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 3; ++j) CHECK_NEAR(ends[1][k].com[j], ends[0][k].com[j], 1e-7);
    }
    for (int i = 0; i < 2; ++i) world_scene_destroy(scenes[i]);
}

/* A belt carries a box along until the box moves with it; a kinematic wall pushes one before it. */
static void test_belts_and_pushers(void)
{
    world_scene *s = world_scene_create(0.005, NULL);
    abut_collider_def belt = abut_collider_default_def();
    belt.shape.kind = ABUT_PLANE;
    belt.friction = 0.5;
    belt.surface_velocity[0] = 0.7;
    CHECK_EQ_INT(abut_world_add_collider(s->world, (abut_body_id){0}, &belt, NULL, NULL), ABUT_OK);
    abut_body_id box = world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
    run(s, 1);
    CHECK_NEAR(state_of(s, box).velocity[0], 0.7, 1e-9);
    world_scene_destroy(s);

    s = world_scene_create(0.005, NULL);
    world_scene_plane(s, origin, up, 0.5);
    box = world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
    abut_body_def wall = abut_body_default_def();
    abut_collider_def face = abut_collider_default_def();
    abut_body_id id;
    wall.kind = ABUT_KINEMATIC;
    wall.position[0] = -0.3;
    wall.position[2] = 0.1;
    face.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.3, 0.09}};
    CHECK_EQ_INT(abut_world_add_body(s->world, &wall, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_collider(s->world, id, &face, NULL, NULL), ABUT_OK);
    double turn[4] = {1, 0, 0, 0}, velocity[6] = {0.25, 0, 0, 0, 0, 0};
    CHECK_EQ_INT(abut_body_set_motion(s->world, id, wall.position, turn, velocity), ABUT_OK);
    run(s, 2);
    CHECK_NEAR(state_of(s, box).com[0], -0.3 + 0.5 + 0.2, 1e-6);
    CHECK_NEAR(state_of(s, box).velocity[0], 0.25, 1e-9);
    world_scene_destroy(s);
}

static void test_events_and_questions(void)
{
    world_scene *s = world_scene_create(0.01, NULL);
    world_scene_plane(s, origin, up, 0.5);
    world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.5, 1000, 0.5);
    int hits = 0, others = 0;
    for (int i = 0; i < 100; ++i) {
        CHECK_EQ_INT(abut_world_step(s->world, NULL), ABUT_OK);
        const abut_contact_event *events = abut_world_events(s->world);
        for (int k = 0; k < abut_world_event_count(s->world); ++k) {
            if (events[k].kind == ABUT_EVENT_HIT) {
                hits++;
                CHECK_NEAR(events[k].speed, sqrt(2 * G * 0.4), 0.2);
            } else {
                others++;
            }
        }
    }
    CHECK_EQ_INT(hits, 1);
    CHECK_EQ_INT(others, 0);
    abut_world_contact contact;
    double weight = 0;
    for (int i = 0; i < abut_world_contact_count(s->world); ++i) {
        CHECK_EQ_INT(abut_world_get_contact(s->world, i, &contact), ABUT_OK);
        weight += contact.impulse[0];
    }
    CHECK_NEAR(weight, 8 * G * 0.01, 1e-9);
    abut_ray ray = {.origin = {0, 0, 5}, .direction = {0, 0, -10}};
    abut_world_hit hit;
    CHECK(abut_world_cast_ray(s->world, &ray, &hit));
    CHECK_EQ_INT(hit.collider.index, 2);
    CHECK_NEAR(hit.hit.point[2], 0.2, 1e-8);
    abut_shape probe = {.kind = ABUT_SPHERE, .radius = 0.05};
    abut_pose at = {.position = {0, 0, 0.22}, .rotation = {1, 0, 0, 0}};
    abut_collider_id ids[4];
    CHECK_EQ_INT(abut_world_find_overlaps(s->world, &probe, &at, ids, 4), 1);
    world_scene_destroy(s);
}

/* Fingers that close on a block by position cannot be satisfied when rigid: the island takes the safe step, others go on. */
static void test_no_answer_takes_the_safe_step(void)
{
    world_scene *s = world_scene_create(0.01, NULL);
    abut_collider_def face = abut_collider_default_def();
    face.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.1, 0.1}};
    world_scene_plane(s, origin, up, 0.5);
    abut_body_id block = world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1, 1000, 0.5);
    abut_body_id bystander = world_scene_box(s, 0.1, 0.1, 0.1, 3, 0, 0.1, 1000, 0.5);
    for (int i = 0; i < 2; ++i) {
        abut_body_def finger = abut_body_default_def();
        abut_body_id id;
        finger.kind = ABUT_KINEMATIC;
        finger.position[0] = i ? 0.2 : -0.2;
        finger.position[2] = 0.11;
        CHECK_EQ_INT(abut_world_add_body(s->world, &finger, &id, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_add_collider(s->world, id, &face, NULL, NULL), ABUT_OK);
        double turn[4] = {1, 0, 0, 0}, velocity[6] = {i ? -0.01 : 0.01, 0, 0, 0, 0, 0};
        CHECK_EQ_INT(abut_body_set_motion(s->world, id, finger.position, turn, velocity), ABUT_OK);
    }
    abut_step_report report;
    int unsolved = 0;
    for (int i = 0; i < 20; ++i) {
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        CHECK(isfinite(report.kinetic) && report.kinetic < 1);
        unsolved += report.unsolved;
    }
    CHECK(unsolved > 0);
    CHECK_NEAR(state_of(s, bystander).com[2], 0.1, 1e-9);
    CHECK(fabs(state_of(s, block).com[0]) < 0.05);
    world_scene_destroy(s);
}

int main(void)
{
    RUN(test_slope_at_the_limit);
    RUN(test_sphere_two_sevenths);
    RUN(test_landing_is_exact);
    RUN(test_small_things);
    RUN(test_restitution_bounces);
    RUN(test_resting_scenes_rest);
    RUN(test_diagonal_push_starts_like_an_axial_one);
    RUN(test_random_drops);
    RUN(test_both_doors_move_alike);
    RUN(test_belts_and_pushers);
    RUN(test_events_and_questions);
    RUN(test_no_answer_takes_the_safe_step);
    return check_report();
}
