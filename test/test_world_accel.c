/* Worlds at the acceleration level: impacts at first touch, forces afterwards, by both integrators. */
#include "check.h"
#include "world_scene.h"
#include <math.h>
#include <string.h>

#define G 9.81

static const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};
static const abut_integrator both[2] = {ABUT_SEMI_IMPLICIT_EULER, ABUT_RUNGE_KUTTA};

/* A scene whose world has another model than the usual one. */
static world_scene *scene_of(abut_contact_model model, abut_integrator integrator, double step,
                             const double *gravity)
{
    abut_world_def def = abut_world_default_def();
    def.step = step;
    def.model = model;
    def.integrator = integrator;
    if (gravity) memcpy(def.gravity, gravity, sizeof def.gravity);
    world_scene *s = world_scene_create_from(&def);
    CHECK(s);
    return s;
}

/* Every step is verified, by forces or by impulses. */
static void run(world_scene *s, double seconds)
{
    world_scene_run(s, (int)lround(seconds / s->step), NULL);
    CHECK_EQ_INT(s->failures, 0);
    CHECK_EQ_INT(s->unsolved, 0);
    CHECK_MSG(s->residual <= 1e-9, "residual %g", s->residual);
    CHECK_MSG(s->penetration <= 2e-9, "%g deep", s->penetration);
}

static abut_body_state state_of(const world_scene *s, abut_body_id id)
{
    abut_body_state state;
    CHECK_EQ_INT(abut_body_get_state(s->world, id, &state), ABUT_OK);
    return state;
}

static void give_speed(world_scene *s, double vx)
{
    double v[6] = {vx, 0, 0, 0, 0, 0};
    CHECK_EQ_INT(abut_world_set_velocities(s->world, v), ABUT_OK);
}

static void sticky_plane(world_scene *s, double friction, double viscous, double restitution)
{
    abut_collider_def floor = abut_collider_default_def();
    floor.shape.kind = ABUT_PLANE;
    floor.friction = friction;
    floor.viscous = viscous;
    floor.restitution = restitution;
    CHECK_EQ_INT(abut_world_add_collider(s->world, (abut_body_id){0}, &floor, NULL, NULL), ABUT_OK);
}

static world_scene *on_slope(abut_integrator integrator, double tangent, double mu)
{
    double cosine = 1 / sqrt(1 + tangent * tangent), gravity[3] = {G * tangent * cosine, 0, -G * cosine};
    world_scene *s = scene_of(ABUT_COULOMB_ACCEL, integrator, 0.004, gravity);
    world_scene_plane(s, origin, up, 0);
    world_scene_box(s, 0.2, 0.2, 0.1, 0, 0, 0.1, 1000, mu);
    return s;
}

static void test_slope_at_the_limit(void)
{
    double mu = 0.5, tangent = mu * (1 + 1e-3), cosine = 1 / sqrt(1 + tangent * tangent);
    for (int i = 0; i < 2; ++i) {
        world_scene *s = on_slope(both[i], mu * (1 - 1e-6), mu);
        run(s, 4);
        CHECK_MSG(world_scene_drift(s) < 1e-9, "it crept %g m", world_scene_drift(s));
        world_scene_destroy(s);
        s = on_slope(both[i], tangent, mu);
        run(s, 2);
        double acceleration = G * cosine * (tangent - mu);
        CHECK_NEAR(state_of(s, s->bodies[0]).velocity[0] / 2, acceleration, 1e-6 * acceleration);
        world_scene_destroy(s);
    }
}

/* A box slides, stops where mechanics says, and stays there; a ball loses two sevenths of its speed. */
static void test_sliding_ends(void)
{
    for (int i = 0; i < 2; ++i) {
        world_scene *s = scene_of(ABUT_COULOMB_ACCEL, both[i], 0.004, NULL);
        world_scene_plane(s, origin, up, 0.3);
        abut_body_id box = world_scene_box(s, 0.2, 0.2, 0.1, 0, 0, 0.1, 1000, 0.3);
        give_speed(s, 2);
        run(s, 2);
        double way = 2 / (0.3 * G),
               error = i ? 1e-4 : 0.5 * 0.004 * 2 + 1e-4; /* Euler: half a step of the speed */
        CHECK_NEAR(state_of(s, box).com[0], way, error);
        CHECK_NEAR(state_of(s, box).velocity[0], 0, 1e-9);
        world_scene_destroy(s);
        s = scene_of(ABUT_COULOMB_ACCEL, both[i], 0.004, NULL);
        abut_shape ball = {.kind = ABUT_SPHERE, .radius = 0.1};
        world_scene_plane(s, origin, up, 0.3);
        abut_body_id id = world_scene_add(s, &ball, (double[3]){0, 0, 0.1}, NULL, 1000, 0);
        give_speed(s, 2);
        run(s, 2);
        CHECK_NEAR(state_of(s, id).velocity[0], 2 * 5.0 / 7, 1e-6);
        world_scene_destroy(s);
    }
}

/* Runge-Kutta steps find the instant of a touch: a bounce comes to where mechanics says, whatever the step. */
static void test_bounce_between_steps(void)
{
    for (int model = 0; model < 2; ++model) {
        for (double step = 0.01; step > 1e-3; step /= 2.5) {
            world_scene *s =
                scene_of(model ? ABUT_VISCOUS : ABUT_COULOMB_ACCEL, ABUT_RUNGE_KUTTA, step, NULL);
            abut_shape ball = {.kind = ABUT_SPHERE, .radius = 0.1};
            sticky_plane(s, 0.3, 1, 0.5);
            abut_body_id id = world_scene_add(s, &ball, (double[3]){0, 0, 1.1}, NULL, 1000, 0);
            double end = step * (int)lround(0.7 / step), touch = sqrt(2 / G), after = end - touch;
            run(s, end);
            CHECK_NEAR(state_of(s, id).com[2], 0.1 + 0.5 * G * touch * after - 0.5 * G * after * after, 2e-8);
            world_scene_destroy(s);
        }
    }
}

/* A viscous floor: the speed of a box on a slope tends to what its four contacts bear. */
static void test_viscous_slope(void)
{
    for (int i = 0; i < 2; ++i) {
        double gravity[3] = {1, 0, -G}, mass = 32, brake = 80, step = 0.004;
        world_scene *s = scene_of(ABUT_VISCOUS, both[i], step, gravity);
        sticky_plane(s, 7, 20, 0); /* Coulomb's coefficient is not read */
        abut_body_id box = world_scene_box(s, 0.2, 0.2, 0.1, 0, 0, 0.1, 1000, 7);
        run(s, 0.8);
        double speed = mass / brake * (1 - exp(-brake / mass * 0.8));
        CHECK_NEAR(state_of(s, box).velocity[0], speed, (i ? 1e-9 : step) * speed);
        CHECK_NEAR(state_of(s, box).com[2], 0.1, 1e-9);
        world_scene_destroy(s);
    }
}

/* A first touch without friction keeps the tangential speed; with viscous friction over a time it is braked. */
static void test_viscous_impact(void)
{
    for (int braked = 0; braked < 2; ++braked) {
        abut_world_def def = abut_world_default_def();
        def.step = 0.004;
        def.model = ABUT_VISCOUS;
        def.integrator = ABUT_RUNGE_KUTTA;
        def.contact.accel.impact_seconds = braked ? 0.1 : 0;
        world_scene *s = world_scene_create_from(&def);
        sticky_plane(s, 0, 20, 0);
        abut_body_id box = world_scene_box(s, 0.2, 0.2, 0.1, 0, 0, 0.1 + 0.5 * G * 0.01, 1000, 0);
        give_speed(s, 1);
        run(s, 0.1); /* down to the floor, which it meets at this instant */
        run(s, 0.004);
        double after = braked ? 1 / (1 + 0.1 * 80 / 32) : 1; /* 32 kg, four contacts of 20 N s/m */
        CHECK_NEAR(state_of(s, box).velocity[0], after * exp(-80.0 / 32 * 0.004), 1e-3);
        world_scene_destroy(s);
    }
}

/* Energy of a rod that falls over on a frictionless floor, and of a chain: the error falls as the fourth power of the step. */
static double energy_error(bool chain, double step)
{
    world_scene *s = scene_of(chain ? ABUT_VISCOUS : ABUT_COULOMB_ACCEL, ABUT_RUNGE_KUTTA, step, NULL);
    abut_step_report report;
    if (chain) {
        CHECK(world_scene_fill(s, "chain", 3, 0));
    } else {
        abut_shape rod = {.kind = ABUT_CAPSULE, .radius = 0.05, .half_length = 0.5};
        double turn[4] = {cos(0.15), 0, sin(0.15), 0};
        world_scene_plane(s, origin, up, 0);
        world_scene_add(s, &rod, (double[3]){0, 0, 0.5 * cos(0.3) + 0.05}, turn, 1000, 0);
    }
    double first = 0;
    for (int i = 0; i < (int)lround(0.4 / step); ++i) {
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        CHECK(!report.by_impulses);
        if (i == 0) first = report.kinetic + report.potential;
    }
    double error = fabs(report.kinetic + report.potential - first) / fabs(first);
    world_scene_destroy(s);
    return error;
}

static void test_runge_kutta_is_of_fourth_order(void)
{
    for (int chain = 0; chain < 2; ++chain) {
        double coarse = energy_error(chain, 0.02), middle = energy_error(chain, 0.01),
               fine = energy_error(chain, 0.005);
        CHECK_MSG(coarse > 100 * fine, "chain %d: %g %g %g", chain, coarse, middle, fine);
    }
}

/* Boxes and balls fall on each other; nothing sinks in, and all is verified. */
static void test_pile(void)
{
    for (int i = 0; i < 4; ++i) {
        world_scene *s = scene_of(i < 2 ? ABUT_COULOMB_ACCEL : ABUT_VISCOUS, both[i % 2], 0.004, NULL);
        abut_shape ball = {.kind = ABUT_SPHERE, .radius = 0.1},
                   box = {.kind = ABUT_BOX, .half = {0.2, 0.2, 0.1}};
        sticky_plane(s, 0.3, 5, 0);
        for (int k = 0; k < 4; ++k)
            world_scene_add(s, k % 2 ? &ball : &box, (double[3]){0.05 * k, 0, 0.3 + 0.3 * k}, NULL, 1000,
                            0.3);
        run(s, 1.2);
        /* Forces of the beginning of a step gain energy in the order of the rule; 450 J come down here. */
        CHECK_MSG(s->rise <= 1e-4 * 450, "a step gained %g J", s->rise);
        world_scene_destroy(s);
    }
}

/* A pendulum with a limit, a spring and a servo of bounded force: what the velocity level does, this does as well. */
static void test_trees_move_alike(void)
{
    static const abut_contact_model models[2] = {ABUT_COULOMB, ABUT_COULOMB_ACCEL};
    double ends[2];
    for (int i = 0; i < 2; ++i) {
        world_scene *s = scene_of(models[i], ABUT_SEMI_IMPLICIT_EULER, 0.001, NULL);
        abut_body_def body = abut_body_default_def();
        abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
        abut_motor_def motor = abut_motor_default_def();
        abut_motor_id id;
        abut_body_id link;
        body.mass = 1;
        body.com[0] = 0.5;
        for (int k = 0; k < 3; ++k) body.inertia[k] = 0.1;
        memcpy(hinge.axis, (double[3]){0, 1, 0}, sizeof hinge.axis);
        hinge.limited = true;
        hinge.lower = -2;
        hinge.upper = 0.8;
        hinge.dry_friction = 0.2;
        hinge.damping = 0.1;
        CHECK_EQ_INT(abut_world_add_body(s->world, &body, &link, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_add_joint(s->world, link, &hinge, &motor.joint, NULL), ABUT_OK);
        motor.gain = 10;
        motor.bias[1] = -10;
        motor.bias[2] = -1;
        motor.force_limited = true;
        motor.force_lower = -1;
        motor.force_upper = 1;
        CHECK_EQ_INT(abut_world_add_motor(s->world, &motor, &id, NULL), ABUT_OK);
        run(s, 1);
        abut_world_get_positions(s->world, &ends[i]);
        world_scene_destroy(s);
    }
    CHECK_NEAR(ends[0], 0.8, 1e-9);
    CHECK_NEAR(ends[1], ends[0], 1e-9);
}

/* Painleve: a rod that slides on its tip with much friction. Where forces have no answer, impulses have. */
static void test_rod_that_forces_cannot_answer(void)
{
    int by_impulses = 0;
    for (int i = 0; i < 2; ++i) {
        world_scene *s = scene_of(ABUT_COULOMB_ACCEL, both[i], 0.002, NULL);
        abut_shape rod = {.kind = ABUT_CAPSULE, .radius = 0.01, .half_length = 0.5};
        double lean = 0.6, turn[4] = {cos(0.5 * lean), 0, sin(0.5 * lean), 0};
        world_scene_plane(s, origin, up, 3);
        world_scene_add(s, &rod, (double[3]){0, 0, 0.5 * cos(lean) + 0.01}, turn, 1000, 0);
        give_speed(s, -3);
        for (int k = 0; k < 300; ++k) {
            abut_step_report report;
            CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
            CHECK(report.residual <= 1e-9);
            by_impulses += report.by_impulses;
        }
        world_scene_destroy(s);
    }
    CHECK(by_impulses > 0);
}

/* Where nothing moves by forces, time passes all the same. */
static void test_nothing_moves(void)
{
    for (int i = 0; i < 2; ++i) {
        world_scene *s = scene_of(ABUT_VISCOUS, both[i], 0.01, NULL);
        abut_step_report report;
        world_scene_plane(s, origin, up, 0.5);
        CHECK_EQ_INT(abut_world_step(s->world, &report), ABUT_OK);
        CHECK_NEAR(report.time, 0.01, 0);
        CHECK_EQ_INT(report.events, 0);
        world_scene_destroy(s);
    }
}

static void test_no_slip_and_refusals(void)
{
    double gravity[3] = {20, 0, -G};
    world_scene *s = scene_of(ABUT_NO_SLIP, ABUT_SEMI_IMPLICIT_EULER, 0.004, gravity);
    world_scene_plane(s, origin, up, 0);
    world_scene_box(s, 0.3, 0.3, 0.1, 0, 0, 0.1, 1000, 0);
    run(s, 1);
    CHECK(world_scene_drift(s) < 1e-9);
    world_scene_destroy(s);
    abut_world_def def = abut_world_default_def();
    abut_world *world = NULL;
    def.integrator = ABUT_RUNGE_KUTTA;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_INVALID_ARGUMENT);
    def.integrator = (abut_integrator)7;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_INVALID_ARGUMENT);
}

int main(void)
{
    RUN(test_slope_at_the_limit);
    RUN(test_sliding_ends);
    RUN(test_bounce_between_steps);
    RUN(test_viscous_slope);
    RUN(test_viscous_impact);
    RUN(test_runge_kutta_is_of_fourth_order);
    RUN(test_pile);
    RUN(test_trees_move_alike);
    RUN(test_rod_that_forces_cannot_answer);
    RUN(test_nothing_moves);
    RUN(test_no_slip_and_refusals);
    return check_report();
}
