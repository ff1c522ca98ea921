/* Trees without contacts: free flight, pendulums, chains, linkages, springs, limits, motors. */
#include "abut/world.h"
#include "check.h"
#include <math.h>
#include <string.h>

#define G 9.81

static abut_world *make_world(double step)
{
    abut_world_def def = abut_world_default_def();
    def.step = step;
    abut_world *world = NULL;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_OK);
    return world;
}

static abut_body_id add_body(abut_world *world, abut_body_id parent, const double position[3], double mass,
                             const double com[3], double moment)
{
    abut_body_def def = abut_body_default_def();
    abut_body_id id = {0};
    def.parent = parent;
    def.mass = mass;
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.com, com, sizeof def.com);
    for (int k = 0; k < 3; ++k) def.inertia[k] = moment;
    CHECK_EQ_INT(abut_world_add_body(world, &def, &id, NULL), ABUT_OK);
    return id;
}

static abut_joint_id add_hinge(abut_world *world, abut_body_id body, const double axis[3])
{
    abut_joint_def def = abut_joint_default_def(ABUT_JOINT_HINGE);
    abut_joint_id id = {0};
    memcpy(def.axis, axis, sizeof def.axis);
    CHECK_EQ_INT(abut_world_add_joint(world, body, &def, &id, NULL), ABUT_OK);
    return id;
}

/* Steps for some time; every step must be solved. Returns the last report. */
static abut_step_report run(abut_world *world, double seconds, double step)
{
    abut_step_report report = {0};
    int steps = (int)lround(seconds / step), unsolved = 0;
    for (int i = 0; i < steps; ++i) {
        CHECK_EQ_INT(abut_world_step(world, &report), ABUT_OK);
        unsolved += report.unsolved + (report.outcome != ABUT_SOLVED);
    }
    CHECK_EQ_INT(unsolved, 0);
    return report;
}

static const double zero[3] = {0, 0, 0}, y_axis[3] = {0, 1, 0};

/* Dzhanibekov: a brick that turns about its middle axis. */
static void test_thrown_brick_keeps_momentum_and_energy(void)
{
    abut_world *world = make_world(1e-3);
    abut_body_def def = abut_body_default_def();
    def.mass = 2;
    def.inertia[0] = 0.02;
    def.inertia[1] = 0.05;
    def.inertia[2] = 0.06;
    def.com[0] = 0.03;
    def.gravity_scale = 0;
    abut_body_id id;
    CHECK_EQ_INT(abut_world_add_body(world, &def, &id, NULL), ABUT_OK);
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
    CHECK_EQ_INT(abut_world_add_joint(world, id, &joint, NULL, NULL), ABUT_OK);
    double v[6] = {0.1, 0.2, -0.1, 0.01, 8, 0.02};
    CHECK_EQ_INT(abut_world_set_velocities(world, v), ABUT_OK);
    abut_body_state before, after;
    abut_body_get_state(world, id, &before);
    abut_step_report first = run(world, 1e-3, 1e-3), last = run(world, 60, 1e-3);
    abut_body_get_state(world, id, &after);
    CHECK(fabs(last.kinetic / first.kinetic - 1) <= 1e-6);
    double momentum[2][3];
    for (int i = 0; i < 2; ++i) {
        const abut_body_state *s = i ? &after : &before;
        const double *I = s->inertia, *w = s->velocity + 3;
        momentum[i][0] = I[0] * w[0] + I[3] * w[1] + I[4] * w[2];
        momentum[i][1] = I[3] * w[0] + I[1] * w[1] + I[5] * w[2];
        momentum[i][2] = I[4] * w[0] + I[5] * w[1] + I[2] * w[2];
    }
    for (int k = 0; k < 3; ++k) CHECK_NEAR(momentum[1][k], momentum[0][k], 1e-12 * 0.4);
    /* The centre of mass goes straight. */
    for (int k = 0; k < 3; ++k) CHECK_NEAR(after.com[k], before.com[k] + 60.001 * before.velocity[k], 1e-9);
    abut_world_destroy(world);
}

/* A thin rod that spins about itself by radians a step, and tumbles: it neither gains nor loses. */
static void test_fast_spin_keeps_energy(void)
{
    for (double speed = 10; speed < 1e5; speed *= 10) {
        abut_world *world = make_world(1.0 / 240);
        abut_body_def def = abut_body_default_def();
        abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
        abut_body_id id;
        abut_step_report report;
        double v[6] = {0, 0, 0, 3, 2, speed}, first = 0;
        def.mass = 0.15;
        def.inertia[0] = 0.018;
        def.inertia[1] = 0.018001;
        def.inertia[2] = 2.7e-6;
        def.gravity_scale = 0;
        CHECK_EQ_INT(abut_world_add_body(world, &def, &id, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_add_joint(world, id, &joint, NULL, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_set_velocities(world, v), ABUT_OK);
        for (int i = 0; i < 48; ++i) {
            CHECK_EQ_INT(abut_world_step(world, &report), ABUT_OK);
            if (i == 0) first = report.kinetic;
            CHECK_MSG(fabs(report.kinetic - first) <= 1e-9 * first, "%g rad/s: %g J, at first %g", speed,
                      report.kinetic, first);
        }
        abut_world_destroy(world);
    }
}

static void test_pendulum_has_its_period(void)
{
    double step = 1e-4, length = 0.5;
    abut_world *world = make_world(step);
    abut_body_id bob = add_body(world, (abut_body_id){0}, zero, 1, (double[3]){0, 0, -length}, 1e-9);
    add_hinge(world, bob, y_axis);
    double q = 1e-3, v;
    abut_world_set_positions(world, &q);
    /* A quarter of the period later it passes the lowest point. */
    double time = 0, before = q;
    for (int i = 0; i < 100000 && q > 0; ++i) {
        before = q;
        CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
        abut_world_get_positions(world, &q);
        abut_world_get_velocities(world, &v);
        time += step;
    }
    time -= step * q / (q - before);
    CHECK_NEAR(time, 0.5 * 3.14159265358979 * sqrt(length / G), 2 * step);
    abut_world_destroy(world);
}

/* Energy of a double pendulum, and of a chain of ten, at three steps: the error falls with the step. */
static double energy_error(int links, double step, double seconds)
{
    abut_world *world = make_world(step);
    abut_body_id body = {0};
    for (int i = 0; i < links; ++i) {
        double at[3] = {0, 0, i ? -0.3 : 0};
        body = add_body(world, body, at, 1, (double[3]){0, 0, -0.15}, 0.01);
        add_hinge(world, body, y_axis);
    }
    double q[16] = {1.2, 0.5};
    abut_world_set_positions(world, q);
    abut_step_report first, report;
    CHECK_EQ_INT(abut_world_step(world, &first), ABUT_OK);
    double worst = 0, start = first.kinetic + first.potential;
    for (int i = 0; i < (int)lround(seconds / step); ++i) {
        CHECK_EQ_INT(abut_world_step(world, &report), ABUT_OK);
        worst = fmax(worst, fabs(report.kinetic + report.potential - start));
    }
    abut_world_destroy(world);
    return worst;
}

static void test_energy_error_falls_with_the_step(void)
{
    for (int links = 1; links <= 8; links *= 2) {
        double coarse = energy_error(links, 1e-3, 0.5), fine = energy_error(links, 2.5e-4, 0.5);
        CHECK_MSG(fine <= 0.3 * coarse, "%d links: %g, %g", links, coarse, fine);
        CHECK(coarse < 0.05 * links * G);
    }
}

/* A spring far too stiff for explicit steps, and a damper too strong for them, stay quiet. */
static void test_stiff_springs_and_dampers(void)
{
    abut_world *world = make_world(0.01);
    abut_body_id body = add_body(world, (abut_body_id){0}, zero, 1, zero, 0.1);
    abut_joint_def slide = abut_joint_default_def(ABUT_JOINT_SLIDE);
    slide.stiffness = 1e7;
    slide.damping = 1e3;
    CHECK_EQ_INT(abut_world_add_joint(world, body, &slide, NULL, NULL), ABUT_OK);
    run(world, 5, 0.01);
    double q;
    abut_world_get_positions(world, &q);
    CHECK_NEAR(q, -G / 1e7, 1e-12);
    abut_world_destroy(world);
}

/* Falls onto its limit, and stays exactly there. */
static void test_limit_is_reached_exactly(void)
{
    abut_world *world = make_world(0.01);
    abut_body_id body = add_body(world, (abut_body_id){0}, zero, 1, zero, 0.1);
    abut_joint_def slide = abut_joint_default_def(ABUT_JOINT_SLIDE);
    slide.limited = true;
    slide.lower = -0.37;
    slide.upper = 0.1;
    CHECK_EQ_INT(abut_world_add_joint(world, body, &slide, NULL, NULL), ABUT_OK);
    double q, v;
    for (int i = 0; i < 200; ++i) {
        CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
        abut_world_get_positions(world, &q);
        CHECK(q >= -0.37 - 1e-9);
    }
    abut_world_get_velocities(world, &v);
    CHECK_NEAR(q, -0.37, 1e-12);
    CHECK_NEAR(v, 0, 1e-10);
    abut_world_destroy(world);
}

/* Dry friction holds up to its bound, and beyond it slides with what is left. */
/* A ball that turns by a third of a radian a step, mostly across its axis, does not pass its limit. */
static void test_fast_ball_keeps_its_limit(void)
{
    for (int k = 0; k < 12; ++k) {
        abut_world *world = make_world(1.0 / 60);
        const double high[3] = {0, 0, 2}, none[3] = {0, 0, 0};
        abut_body_id body = add_body(world, (abut_body_id){0}, high, 1, none, 0.02);
        abut_joint_def def = abut_joint_default_def(ABUT_JOINT_BALL);
        def.limited = true;
        def.upper = 0.3 + 0.2 * (k % 6);
        def.anchor[2] = 0.2 + 0.1 * (k / 6);
        CHECK_EQ_INT(abut_world_add_joint(world, body, &def, NULL, NULL), ABUT_OK);
        double v[3] = {20 * sin(k), 20 * sin(1.3 + k), 20 * sin(2.6 + k)}, q[4], reached = 0;
        CHECK_EQ_INT(abut_world_set_velocities(world, v), ABUT_OK);
        for (int i = 0; i < 300; ++i) {
            abut_step_report report;
            CHECK_EQ_INT(abut_world_step(world, &report), ABUT_OK);
            CHECK(report.loop_error <= 1e-12);
            abut_world_get_positions(world, q);
            reached = fmax(reached, 2 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0])));
        }
        CHECK_MSG(fabs(reached - def.upper) <= 1e-12, "(%d) limit %g, reached %.15g", k, def.upper, reached);
        abut_world_destroy(world);
    }
}

static void test_dry_friction(void)
{
    for (int slips = 0; slips < 2; ++slips) {
        abut_world *world = make_world(0.01);
        abut_body_id body = add_body(world, (abut_body_id){0}, zero, 1, zero, 0.1);
        abut_joint_def slide = abut_joint_default_def(ABUT_JOINT_SLIDE);
        slide.dry_friction = slips ? G - 1 : G + 1;
        CHECK_EQ_INT(abut_world_add_joint(world, body, &slide, NULL, NULL), ABUT_OK);
        run(world, 1, 0.01);
        double v;
        abut_world_get_velocities(world, &v);
        CHECK_NEAR(v, slips ? -1 : 0, 1e-9);
        abut_world_destroy(world);
    }
}

/* A position servo with a bounded force: it holds, and when the load is more than its force, gives way. */
static void test_bounded_servo(void)
{
    for (int weak = 0; weak < 2; ++weak) {
        abut_world *world = make_world(0.01);
        abut_body_id body = add_body(world, (abut_body_id){0}, zero, 1, zero, 0.1);
        abut_joint_def slide = abut_joint_default_def(ABUT_JOINT_SLIDE);
        abut_joint_id joint;
        CHECK_EQ_INT(abut_world_add_joint(world, body, &slide, &joint, NULL), ABUT_OK);
        abut_motor_def motor = abut_motor_default_def();
        motor.joint = joint;
        motor.gain = 1e4;
        motor.bias[1] = -1e4;
        motor.bias[2] = -200;
        motor.force_limited = true;
        motor.force_upper = weak ? G / 2 : 3 * G;
        motor.force_lower = -motor.force_upper;
        abut_motor_id id;
        CHECK_EQ_INT(abut_world_add_motor(world, &motor, &id, NULL), ABUT_OK);
        abut_motor_set_control(world, id, 0.5);
        run(world, 3, 0.01);
        double q, v, force;
        abut_world_get_positions(world, &q);
        abut_world_get_velocities(world, &v);
        abut_motor_get_force(world, id, &force);
        if (weak)
            CHECK_NEAR(v, -3 * G / 2, 1e-9);
        else
            CHECK_NEAR(q, 0.5 - G / 1e4, 1e-6);
        CHECK_NEAR(force, weak ? G / 2 : G, 1e-4);
        abut_world_destroy(world);
    }
}

/* A four-bar linkage keeps its loop closed and its energy to the order of the step. */
static void test_four_bar_linkage_stays_closed(void)
{
    abut_world *world = make_world(1e-3);
    abut_body_id crank = add_body(world, (abut_body_id){0}, zero, 1, (double[3]){0, 0, -0.15}, 0.01);
    abut_body_id coupler = add_body(world, crank, (double[3]){0, 0, -0.3}, 1, (double[3]){0.25, 0, 0}, 0.02);
    abut_body_id rocker =
        add_body(world, (abut_body_id){0}, (double[3]){0.5, 0, 0}, 1, (double[3]){0, 0, -0.15}, 0.01);
    add_hinge(world, crank, y_axis);
    add_hinge(world, coupler, y_axis);
    add_hinge(world, rocker, y_axis);
    abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
    loop.bodies[0] = coupler;
    loop.bodies[1] = rocker;
    loop.points[0][0] = 0.5;
    loop.points[1][2] = -0.3;
    CHECK_EQ_INT(abut_world_add_loop(world, &loop, NULL, NULL), ABUT_OK);
    double v[3] = {3, -3, 3};
    CHECK_EQ_INT(abut_world_set_velocities(world, v), ABUT_OK);
    abut_step_report first = run(world, 1e-3, 1e-3), last = first;
    double worst = 0;
    for (int i = 0; i < 5000; ++i) {
        CHECK_EQ_INT(abut_world_step(world, &last), ABUT_OK);
        CHECK(last.outcome == ABUT_SOLVED);
        worst = fmax(worst, last.loop_error);
    }
    CHECK_MSG(worst <= 1e-9, "loop open by %g", worst);
    CHECK(fabs(last.kinetic + last.potential - first.kinetic - first.potential) < 0.05 * first.kinetic);
    abut_world_destroy(world);
}

static void test_snapshot_repeats_bit_by_bit(void)
{
    abut_world *world = make_world(1e-3);
    abut_body_id body = {0};
    for (int i = 0; i < 4; ++i) {
        double at[3] = {0, 0, i ? -0.3 : 0}, axis[3] = {0.1 * i, 1, 0};
        body = add_body(world, body, at, 1, (double[3]){0, 0.02, -0.15}, 0.01);
        add_hinge(world, body, axis);
    }
    double q[4] = {1, 0.5, -0.3, 0.2}, ends[2][4];
    abut_world_set_positions(world, q);
    run(world, 0.1, 1e-3);
    void *snapshot = malloc(abut_world_snapshot_size(world));
    CHECK_EQ_INT(abut_world_save(world, snapshot), ABUT_OK);
    for (int i = 0; i < 2; ++i) {
        run(world, 0.5, 1e-3);
        abut_world_get_positions(world, ends[i]);
        CHECK_EQ_INT(abut_world_restore(world, snapshot), ABUT_OK);
    }
    CHECK(memcmp(ends[0], ends[1], sizeof ends[0]) == 0);
    free(snapshot);
    abut_world_destroy(world);
}

/* A world in which nothing moves by forces lets time pass, and kinematic bodies go on. */
static void test_nothing_to_solve(void)
{
    abut_world *world = make_world(0.01);
    run(world, 0.1, 0.01);
    abut_body_def def = abut_body_default_def();
    abut_body_id id;
    double velocity[6] = {1, 0, 0, 0, 0, 0};
    def.kind = ABUT_KINEMATIC;
    CHECK_EQ_INT(abut_world_add_body(world, &def, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_body_set_motion(world, id, def.position, def.rotation, velocity), ABUT_OK);
    abut_step_report report = run(world, 1, 0.01);
    abut_body_state state;
    abut_body_get_state(world, id, &state);
    CHECK_NEAR(state.position[0], 1, 1e-12);
    CHECK_NEAR(report.time, 1.1, 1e-12);
    abut_world_destroy(world);
}

static void test_bad_definitions_are_refused(void)
{
    abut_world *world = make_world(1e-3);
    abut_error error;
    abut_body_def body = abut_body_default_def();
    body.mass = -1;
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "mass"));
    body = abut_body_default_def();
    body.parent.index = 7;
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "parent"));
    body = abut_body_default_def();
    body.position[1] = NAN;
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_INVALID_ARGUMENT);
    /* Moments of no body: of a box of no height, 1, 1, 2, a millionth more; the same, turned by 45 degrees about x. */
    body = abut_body_default_def();
    body.mass = 1;
    memcpy(body.inertia, (double[6]){1, 1, 2}, sizeof body.inertia);
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_OK);
    memcpy(body.inertia, (double[6]){1, 1, 2 + 1e-6}, sizeof body.inertia);
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "inertia") && strstr(error.text, "sum"));
    memcpy(body.inertia, (double[6]){1, 1.5, 1.5, 0, 0, 0.5}, sizeof body.inertia);
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_OK);
    memcpy(body.inertia, (double[6]){1, 1.5, 1.5, 0, 0, 0.5 + 1e-6}, sizeof body.inertia);
    CHECK_EQ_INT(abut_world_add_body(world, &body, NULL, &error), ABUT_INVALID_ARGUMENT);
    abut_body_id id = add_body(world, (abut_body_id){0}, zero, 1, zero, 1);
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_HINGE);
    memset(joint.axis, 0, sizeof joint.axis);
    CHECK_EQ_INT(abut_world_add_joint(world, id, &joint, NULL, &error), ABUT_INVALID_ARGUMENT);
    CHECK(strstr(error.text, "axis"));
    abut_world_destroy(world);
}

/* A free body with a ball on it: coordinates with a quaternion of no length are refused, and nothing is written. */
static void test_bad_positions_are_refused(void)
{
    abut_world *world = make_world(1e-3);
    abut_body_id free = add_body(world, (abut_body_id){0}, zero, 1, zero, 1);
    abut_body_id ball = add_body(world, free, (double[3]){1, 0, 0}, 1, zero, 1);
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
    CHECK_EQ_INT(abut_world_add_joint(world, free, &joint, NULL, NULL), ABUT_OK);
    joint = abut_joint_default_def(ABUT_JOINT_BALL);
    CHECK_EQ_INT(abut_world_add_joint(world, ball, &joint, NULL, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_position_count(world), 11);
    double good[11] = {1, 2, 3, 2, 0, 0, 0, 0, 0.5, 0, 0}, bad[11], kept[11];
    CHECK_EQ_INT(abut_world_set_positions(world, good), ABUT_OK);
    abut_world_get_positions(world, kept);
    CHECK_NEAR(kept[3], 1, 0);
    CHECK_NEAR(kept[8], 1, 0);
    for (int first = 3; first <= 7; first += 4) {
        memcpy(bad, good, sizeof bad);
        bad[0] = 7;
        for (int k = 0; k < 4; ++k) bad[first + k] = 0;
        CHECK_EQ_INT(abut_world_set_positions(world, bad), ABUT_INVALID_ARGUMENT);
        abut_world_get_positions(world, bad);
        CHECK(memcmp(bad, kept, sizeof bad) == 0);
    }
    memcpy(bad, good, sizeof bad);
    bad[8] = NAN;
    CHECK_EQ_INT(abut_world_set_positions(world, bad), ABUT_INVALID_ARGUMENT);
    abut_world_destroy(world);
}

/* A pendulum that leans on its limit, with dry friction in a second one; a weight that hangs on a loop. */
static void test_forces_of_joints(void)
{
    static const abut_contact_model models[3] = {ABUT_COULOMB, ABUT_COULOMB_ACCEL, ABUT_VISCOUS};
    for (int m = 0; m < 3; ++m) {
        abut_world_def def = abut_world_default_def();
        abut_world *world = NULL;
        abut_joint_id joints[2];
        def.model = models[m];
        CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_OK);
        for (int i = 0; i < 2; ++i) {
            abut_body_def body = abut_body_default_def();
            abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
            abut_body_id link;
            body.mass = 2;
            body.com[0] = 0.5;
            for (int k = 0; k < 3; ++k) body.inertia[k] = 0.1;
            memcpy(hinge.axis, (double[3]){0, 1, 0}, sizeof hinge.axis);
            hinge.limited = i == 0;
            hinge.lower = -1;
            hinge.dry_friction = i ? 20 : 0;
            CHECK_EQ_INT(abut_world_add_body(world, &body, &link, NULL), ABUT_OK);
            CHECK_EQ_INT(abut_world_add_joint(world, link, &hinge, &joints[i], NULL), ABUT_OK);
        }
        abut_body_def ball = abut_body_default_def();
        abut_joint_def free = abut_joint_default_def(ABUT_JOINT_FREE);
        abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
        abut_loop_id hook;
        abut_body_id hanging;
        ball.mass = 3;
        for (int k = 0; k < 3; ++k) ball.inertia[k] = 0.1;
        CHECK_EQ_INT(abut_world_add_body(world, &ball, &hanging, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_add_joint(world, hanging, &free, NULL, NULL), ABUT_OK);
        loop.bodies[0] = hanging;
        CHECK_EQ_INT(abut_world_add_loop(world, &loop, &hook, NULL), ABUT_OK);
        for (int i = 0; i < 50; ++i) CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
        double limit, friction[6], force[6];
        CHECK_EQ_INT(abut_joint_get_forces(world, joints[0], &limit, friction), ABUT_OK);
        CHECK_NEAR(limit, -2 * 9.81 * 0.5, 1e-9); /* the upper one, 0: gravity turns it on about y */
        CHECK_EQ_INT(abut_joint_get_forces(world, joints[1], &limit, friction), ABUT_OK);
        CHECK_NEAR(limit, 0, 0);
        CHECK_NEAR(friction[0], -2 * 9.81 * 0.5, 1e-9);
        CHECK_EQ_INT(abut_loop_get_force(world, hook, force), ABUT_OK);
        CHECK_NEAR(force[2], 3 * 9.81, 1e-8);
        CHECK_EQ_INT(abut_loop_get_force(world, (abut_loop_id){2}, force), ABUT_INVALID_ARGUMENT);
        abut_world_destroy(world);
    }
}

int main(void)
{
    RUN(test_thrown_brick_keeps_momentum_and_energy);
    RUN(test_fast_spin_keeps_energy);
    RUN(test_pendulum_has_its_period);
    RUN(test_energy_error_falls_with_the_step);
    RUN(test_stiff_springs_and_dampers);
    RUN(test_limit_is_reached_exactly);
    RUN(test_fast_ball_keeps_its_limit);
    RUN(test_dry_friction);
    RUN(test_bounded_servo);
    RUN(test_four_bar_linkage_stays_closed);
    RUN(test_snapshot_repeats_bit_by_bit);
    RUN(test_forces_of_joints);
    RUN(test_nothing_to_solve);
    RUN(test_bad_definitions_are_refused);
    RUN(test_bad_positions_are_refused);
    return check_report();
}
