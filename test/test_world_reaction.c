/* What joints carry (abut_joint_get_reaction): weights that hang, bodies that swing, are lifted, lie on something, or are held by
 * loops and motors beside their joints. */

#include "abut/world.h"
#include "check.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81

static abut_world *make_world(double step, abut_contact_model model)
{
    abut_world_def def = abut_world_default_def();
    abut_world *world = NULL;
    def.step = step;
    def.model = model;
    def.gravity[2] = -GRAVITY;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_OK);
    return world;
}

/* A body of mass `mass`, its centre `below` its joint, which is `offset` from the parent's origin. */
static abut_body_id add_link(abut_world *world, abut_body_id parent, double mass, const double offset[3],
                             double below, abut_joint_kind kind, const double axis[3], abut_joint_id *joint)
{
    abut_body_def body = abut_body_default_def();
    abut_joint_def def = abut_joint_default_def(kind);
    abut_body_id id;
    body.parent = parent;
    body.mass = mass;
    body.com[2] = -below;
    for (int k = 0; k < 3; ++k) body.inertia[k] = 0.01, body.position[k] = offset[k];
    if (axis) memcpy(def.axis, axis, sizeof def.axis);
    CHECK_EQ_INT(abut_world_add_body(world, &body, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_joint(world, id, &def, joint, NULL), ABUT_OK);
    return id;
}

static void check_force(const abut_world *world, abut_joint_id joint, double x, double y, double z,
                        double tolerance)
{
    double force[3];
    CHECK_EQ_INT(abut_joint_get_reaction(world, joint, force), ABUT_OK);
    CHECK_NEAR(force[0], x, tolerance);
    CHECK_NEAR(force[1], y, tolerance);
    CHECK_NEAR(force[2], z, tolerance);
}

static const double here[3] = {0, 0, 0}, down[3] = {0, 0, -1}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* Each joint of a chain at rest carries what hangs below it; a ball at the end, too. */
static void test_chain_hangs(void)
{
    abut_world *world = make_world(0.01, ABUT_COULOMB);
    abut_joint_id joints[3];
    abut_body_id a = add_link(world, (abut_body_id){0}, 1, here, 0.5, ABUT_JOINT_HINGE, y_axis, &joints[0]);
    abut_body_id b = add_link(world, a, 2, down, 0.5, ABUT_JOINT_HINGE, y_axis, &joints[1]);
    add_link(world, b, 4, down, 0.5, ABUT_JOINT_BALL, NULL, &joints[2]);
    for (int i = 0; i < 20; ++i) CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
    check_force(world, joints[0], 0, 0, 7 * GRAVITY, 1e-9);
    check_force(world, joints[1], 0, 0, 6 * GRAVITY, 1e-9);
    check_force(world, joints[2], 0, 0, 4 * GRAVITY, 1e-9);
    /* Pushed to the side by 3 N for a step: the force goes up through all of them. */
    CHECK_EQ_INT(abut_body_apply_force(world, a, (double[3]){0, 3, 0}, NULL, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
    check_force(world, joints[0], 0, -3, 7 * GRAVITY, 1e-9);
    check_force(world, joints[1], 0, 0, 6 * GRAVITY, 1e-9);
    CHECK_EQ_INT(abut_joint_get_reaction(world, (abut_joint_id){4}, (double[3]){0}), ABUT_INVALID_ARGUMENT);
    abut_world_destroy(world);
}

/* At its lowest point a pendulum pulls with its weight and m v^2 / l, to the first order of the step. */
static void test_pendulum_swings(void)
{
    for (int k = 0; k < 2; ++k) {
        double step = 1e-4, length = 0.5, q = 1, v = 0, before = q;
        abut_world *world = make_world(step, k ? ABUT_COULOMB_ACCEL : ABUT_COULOMB);
        abut_joint_id joint;
        add_link(world, (abut_body_id){0}, 2, here, length, ABUT_JOINT_HINGE, y_axis, &joint);
        CHECK_EQ_INT(abut_world_set_positions(world, &q), ABUT_OK);
        for (int i = 0; i < 20000 && q > 0; ++i) {
            before = q;
            CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
            abut_world_get_positions(world, &q);
            abut_world_get_velocities(world, &v);
        }
        CHECK(before > 0 && q <= 0);
        double force[3];
        CHECK_EQ_INT(abut_joint_get_reaction(world, joint, force), ABUT_OK);
        CHECK_NEAR(force[2], 2 * (GRAVITY + v * v * length), 0.01);
        CHECK_NEAR(force[0], 0, 0.02);
        CHECK_NEAR(force[1], 0, 1e-9);
        abut_world_destroy(world);
    }
}

/* A motor that lifts: the force of the motor, on top of the weight what it accelerates with. */
static void test_motor_lifts(void)
{
    abut_world *world = make_world(0.01, ABUT_COULOMB);
    abut_joint_id joint, other;
    add_link(world, (abut_body_id){0}, 3, here, 0, ABUT_JOINT_SLIDE, z_axis, &joint);
    abut_motor_def motor = abut_motor_default_def();
    abut_motor_id id;
    motor.joint = joint;
    CHECK_EQ_INT(abut_world_add_motor(world, &motor, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_motor_set_control(world, id, 50), ABUT_OK);
    /* Another, 10 m away, is held up by a motor at its body: its joint has nothing to carry but what is aside. */
    abut_body_id hovering =
        add_link(world, (abut_body_id){0}, 1, (double[3]){10, 0, 0}, 0, ABUT_JOINT_SLIDE, z_axis, &other);
    abut_motor_def jet = abut_motor_default_def();
    jet.target = ABUT_MOTOR_SITE;
    jet.body = hovering;
    memcpy(jet.gear, (double[6]){2, 0, GRAVITY, 0, 0, 0}, sizeof jet.gear);
    CHECK_EQ_INT(abut_world_add_motor(world, &jet, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_motor_set_control(world, id, 1), ABUT_OK);
    for (int i = 0; i < 3; ++i) CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
    check_force(world, joint, 0, 0, 50, 1e-9);
    check_force(world, other, -2, 0, 0, 1e-9);
    abut_world_destroy(world);
}

/* Held up by loops beside its joint: the joint carries the rest. */
static void test_loops_help(void)
{
    for (int k = 0; k < 2; ++k) {
        abut_world *world = make_world(0.01, ABUT_COULOMB);
        abut_joint_id joint;
        /* A beam of 2 kg along x, hinged at its end: half of it hangs on the other end. */
        abut_body_def body = abut_body_default_def();
        abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
        abut_loop_def loop = abut_loop_default_def(k ? ABUT_LOOP_DISTANCE : ABUT_LOOP_CONNECT);
        abut_body_id beam;
        body.mass = 2;
        body.com[0] = 0.5;
        for (int i = 0; i < 3; ++i) body.inertia[i] = 0.1;
        memcpy(hinge.axis, y_axis, sizeof hinge.axis);
        CHECK_EQ_INT(abut_world_add_body(world, &body, &beam, NULL), ABUT_OK);
        CHECK_EQ_INT(abut_world_add_joint(world, beam, &hinge, &joint, NULL), ABUT_OK);
        loop.bodies[0] = beam;
        loop.points[0][0] = loop.points[1][0] = 1;
        loop.points[1][2] = k;
        loop.distance = k;
        CHECK_EQ_INT(abut_world_add_loop(world, &loop, NULL, NULL), ABUT_OK);
        for (int i = 0; i < 20; ++i) CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
        double force[3];
        CHECK_EQ_INT(abut_joint_get_reaction(world, joint, force), ABUT_OK);
        CHECK_NEAR(force[2], GRAVITY, 1e-8);
        abut_world_destroy(world);
    }
}

/* What the floor carries, the joint need not. */
static void test_contacts_carry(void)
{
    abut_world *world = make_world(0.01, ABUT_COULOMB);
    abut_collider_def floor = abut_collider_default_def(), ball = abut_collider_default_def();
    abut_joint_id hinge, free;
    floor.shape.kind = ABUT_PLANE;
    ball.shape = (abut_shape){.kind = ABUT_SPHERE, .radius = 0.1};
    ball.density = 0;
    floor.friction = ball.friction = 0;
    CHECK_EQ_INT(abut_world_add_collider(world, (abut_body_id){0}, &floor, NULL, NULL), ABUT_OK);
    /* A lever, hinged 0.1 m over the floor, whose ball lies on it 1 m away. */
    abut_body_def lever = abut_body_default_def();
    abut_joint_def turns = abut_joint_default_def(ABUT_JOINT_HINGE);
    abut_body_id id;
    lever.mass = 2;
    lever.com[0] = 0.25;
    lever.position[2] = 0.1;
    for (int i = 0; i < 3; ++i) lever.inertia[i] = 0.1;
    memcpy(turns.axis, y_axis, sizeof turns.axis);
    ball.position[0] = 1;
    CHECK_EQ_INT(abut_world_add_body(world, &lever, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_joint(world, id, &turns, &hinge, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_collider(world, id, &ball, NULL, NULL), ABUT_OK);
    /* And a ball by itself, whose free joint carries nothing. */
    abut_body_def loose = abut_body_default_def();
    abut_joint_def moves = abut_joint_default_def(ABUT_JOINT_FREE);
    loose.mass = 1;
    loose.position[1] = 5;
    loose.position[2] = 0.1;
    for (int i = 0; i < 3; ++i) loose.inertia[i] = 0.1;
    ball.position[0] = 0;
    CHECK_EQ_INT(abut_world_add_body(world, &loose, &id, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_joint(world, id, &moves, &free, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_collider(world, id, &ball, NULL, NULL), ABUT_OK);
    for (int i = 0; i < 20; ++i) CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
    /* A quarter of the way out: the floor has a quarter of the weight. */
    double force[3];
    CHECK_EQ_INT(abut_joint_get_reaction(world, hinge, force), ABUT_OK);
    CHECK_NEAR(force[2], 0.75 * 2 * GRAVITY, 1e-8);
    check_force(world, free, 0, 0, 0, 0);
    abut_world_destroy(world);
}

int main(void)
{
    RUN(test_chain_hangs);
    RUN(test_pendulum_swings);
    RUN(test_motor_lifts);
    RUN(test_loops_help);
    RUN(test_contacts_carry);
    return check_report();
}
