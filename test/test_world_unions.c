/* Things made of several convex shapes: with unions nothing is held by faces beside which it is. */
#include "abut/world.h"
#include "check.h"

#include <math.h>

static const double step = 1.0 / 240, g = 9.81;

static int threads = 1;

static abut_world *make_world(double gravity)
{
    abut_world_def def = abut_world_default_def();
    abut_world *world = NULL;
    def.step = step;
    def.threads = threads;
    def.gravity[2] = -gravity;
    CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_OK);
    return world;
}

static void add_box(abut_world *world, abut_body_id body, const double half[3], double x, double y, double z,
                    double friction, bool unions)
{
    abut_collider_def box = abut_collider_default_def();
    box.shape.kind = ABUT_BOX;
    memcpy(box.shape.half, half, sizeof box.shape.half);
    memcpy(box.position, (double[3]){x, y, z}, sizeof box.position);
    box.friction = friction;
    box.unions = unions;
    CHECK_EQ_INT(abut_world_add_collider(world, body, &box, NULL, NULL), ABUT_OK);
}

static abut_body_id add_free(abut_world *world, double x, double y, double z)
{
    abut_body_def def = abut_body_default_def();
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
    abut_body_id body = {0};
    memcpy(def.position, (double[3]){x, y, z}, sizeof def.position);
    CHECK_EQ_INT(abut_world_add_body(world, &def, &body, NULL), ABUT_OK);
    CHECK_EQ_INT(abut_world_add_joint(world, body, &joint, NULL, NULL), ABUT_OK);
    return body;
}

/* A floor of slabs, 1 m long each, from x = -0.5 on. */
static void add_slabs(abut_world *world, int count, double friction)
{
    for (int i = 0; i < count; ++i)
        add_box(world, (abut_body_id){0}, (double[3]){0.5, 1, 0.2}, i, 0, -0.2, friction, false);
}

static abut_body_state run(abut_world *world, abut_body_id body, int steps)
{
    abut_body_state state = {0};
    for (int i = 0; i < steps; ++i) {
        abut_step_report report;
        CHECK_EQ_INT(abut_world_step(world, &report), ABUT_OK);
        CHECK_MSG(report.outcome == ABUT_SOLVED && report.unsolved == 0, "step %d: outcome %d", i,
                  (int)report.outcome);
        CHECK_MSG(report.penetration < 1e-9, "step %d: overlap %g", i, report.penetration);
    }
    CHECK_EQ_INT(abut_body_get_state(world, body, &state), ABUT_OK);
    return state;
}

/* The speed at which a block gets over two seams between slabs. */
static abut_body_state slide(double speed, double friction, bool unions, int steps)
{
    abut_world *world = make_world(g);
    add_slabs(world, 3, friction);
    abut_body_id body = add_free(world, -0.2, 0, 0.1);
    add_box(world, body, (double[3]){0.1, 0.1, 0.1}, 0, 0, 0, friction, unions);
    CHECK_EQ_INT(abut_world_set_velocities(world, (double[6]){speed}), ABUT_OK);
    abut_body_state state = run(world, body, steps);
    abut_world_destroy(world);
    return state;
}

static void test_over_seams(void)
{
    abut_body_state passed = slide(2, 0, true, 240), slow = slide(0.5, 0, true, 480),
                    rubbed = slide(3, 0.3, true, 120), caught = slide(2, 0, false, 240);
    CHECK_NEAR(passed.velocity[0], 2, 1e-9);
    CHECK_NEAR(passed.position[0], 1.8, 1e-9);
    CHECK_NEAR(passed.position[2], 0.1, 1e-9);
    CHECK_NEAR(slow.velocity[0], 0.5, 1e-9);
    CHECK_NEAR(rubbed.velocity[0], 3 - 0.3 * g * 0.5, 1e-9);
    CHECK_NEAR(rubbed.position[2], 0.1, 1e-9);
    threads = 3;
    abut_body_state shared = slide(3, 0.3, true, 120);
    threads = 1;
    CHECK(memcmp(&shared, &rubbed, sizeof shared) == 0);
    /* Without unions the second slab is a wall as long as the block is before it. */
    CHECK(caught.velocity[0] < 1.5);
}

/* An L of two boxes, its long leg on the floor, over seams that both of its boxes meet. */
static void test_compound_slides(void)
{
    abut_world *world = make_world(g);
    add_slabs(world, 4, 0);
    abut_body_id body = add_free(world, 0, 0, 0);
    add_box(world, body, (double[3]){0.3, 0.1, 0.05}, 0, 0, 0.05, 0, true);
    add_box(world, body, (double[3]){0.05, 0.1, 0.2}, -0.25, 0, 0.3, 0, true);
    CHECK_EQ_INT(abut_world_set_velocities(world, (double[6]){1.5, 0.1}), ABUT_OK);
    abut_body_state state = run(world, body, 400);
    CHECK_NEAR(state.velocity[0], 1.5, 1e-9);
    CHECK_NEAR(state.velocity[1], 0.1, 1e-9);
    CHECK_NEAR(state.position[2], 0, 1e-9);
    abut_world_destroy(world);
}

/* Past an outer corner: a block that flies by in free space keeps its velocity to rounding, on every side of the corner; one that
 * flies at a face stops at it. */
static void test_past_a_corner(void)
{
    static const double starts[4][4] = {
        /* x, z, speed along x, speed along z; the block has half edges of 0.1, the corner is at (0.5, 0) */
        {1.2, 0.35, -2, 0},
        {0.605, 1, 0, -4},
        {1.3, 0.8, -3, -3.2},
        {0.8, -0.4, -1.9, 4}};
    for (int i = 0; i < 4; ++i) {
        abut_world *world = make_world(0);
        add_slabs(world, 1, 0.5);
        abut_body_id body = add_free(world, starts[i][0], 0, starts[i][1]);
        add_box(world, body, (double[3]){0.1, 0.1, 0.1}, 0, 0, 0, 0.5, true);
        double velocity[6] = {starts[i][2], 0, starts[i][3]};
        CHECK_EQ_INT(abut_world_set_velocities(world, velocity), ABUT_OK);
        /* The third would end in the slab's side or on its top: until then it is free. */
        abut_body_state state = run(world, body, i < 2 ? 120 : 24);
        for (int k = 0; k < 6; ++k) CHECK_NEAR(state.velocity[k], velocity[k], 1e-9);
        abut_world_destroy(world);
    }
    abut_world *world = make_world(0);
    add_slabs(world, 1, 0);
    abut_body_id body = add_free(world, 1, 0, -0.2);
    add_box(world, body, (double[3]){0.1, 0.1, 0.1}, 0, 0, 0, 0, true);
    CHECK_EQ_INT(abut_world_set_velocities(world, (double[6]){-2}), ABUT_OK);
    abut_body_state state = run(world, body, 120);
    CHECK_NEAR(state.position[0], 0.6, 1e-9);
    abut_world_destroy(world);
}

/* Sides: none where one face parts the two, one for each that does beside a corner. */
static void test_sides(void)
{
    abut_shape box = {.kind = ABUT_BOX, .half = {0.5, 0.5, 0.5}}, ball = {.kind = ABUT_SPHERE, .radius = 0.5};
    abut_pose at = {.rotation = {1, 0, 0, 0}}, other = at;
    abut_manifold_point sides[ABUT_CORNER_SIDES];
    int count = -1;
    static const double places[4][3] = {{0, 0, 1.01}, {1.01, 0, 1.02}, {1.01, 1.03, 1.02}, {1.5, 0, 1.02}};
    static const int expected[4] = {0, 2, 3, 0};
    for (int i = 0; i < 4; ++i) {
        memcpy(at.position, places[i], sizeof at.position);
        CHECK_EQ_INT(abut_shape_corner(&box, &at, &box, &other, 0.1, sides, &count), ABUT_OK);
        CHECK_EQ_INT(count, expected[i]);
        for (int k = 0; k < count; ++k) {
            double along = 0;
            for (int j = 0; j < 3; ++j) along += sides[k].normal[j] * places[i][j];
            CHECK_NEAR(sides[k].gap, along - 1, 1e-12);
        }
    }
    CHECK_EQ_INT(abut_shape_corner(&ball, &at, &box, &other, 0.1, sides, &count), ABUT_OK);
    CHECK_EQ_INT(count, 0);
    CHECK_EQ_INT(abut_shape_corner(NULL, &at, &box, &other, 0.1, sides, &count), ABUT_INVALID_ARGUMENT);
}

/* Where the contact problem takes no unions they are not asked for, and every step has an answer. */
static void test_where_there_are_none(void)
{
    for (int form = 0; form < 5; ++form) {
        abut_world_def def = abut_world_default_def();
        abut_world *world = NULL;
        def.step = step;
        if (form == 3) def.model = ABUT_NO_SLIP;
        CHECK_EQ_INT(abut_world_create(&def, NULL, &world, NULL), ABUT_OK);
        add_slabs(world, 3, 0.1);
        abut_body_id body = add_free(world, -0.2, 0, 0.1);
        add_box(world, body, (double[3]){0.1, 0.1, 0.1}, 0, 0, 0, 0.1, true);
        abut_collider_def far = abut_collider_default_def();
        far.shape = (abut_shape){.kind = ABUT_SPHERE, .radius = 0.1};
        far.position[2] = -10;
        if (form == 1) far.compliance = 1e-3;
        if (form == 2) far.surface_velocity[0] = 1;
        CHECK_EQ_INT(abut_world_add_collider(world, (abut_body_id){0}, &far, NULL, NULL), ABUT_OK);
        if (form == 4) { /* a tree beside it */
            abut_body_def link = abut_body_default_def();
            abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
            link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
            link.position[2] = 3;
            abut_body_id arm = {0};
            CHECK_EQ_INT(abut_world_add_body(world, &link, &arm, NULL), ABUT_OK);
            CHECK_EQ_INT(abut_world_add_joint(world, arm, &hinge, NULL, NULL), ABUT_OK);
        }
        double v[7] = {2};
        CHECK_EQ_INT(abut_world_set_velocities(world, v), ABUT_OK);
        for (int i = 0; i < 240; ++i) CHECK_EQ_INT(abut_world_step(world, NULL), ABUT_OK);
        abut_world_destroy(world);
    }
}

/* A block that slides over a seam is squeezed there: the safe step, and the world goes on. */
static void test_squeezed(void)
{
    abut_world *world = make_world(g);
    abut_body_def def = abut_body_default_def();
    abut_body_id mover = {0};
    add_slabs(world, 3, 0.5);
    add_box(world, (abut_body_id){0}, (double[3]){0.1, 1, 1}, 0.75, 0, 0, 0.5, true);
    def.kind = ABUT_KINEMATIC;
    def.position[0] = -0.2;
    def.position[2] = 0.6;
    CHECK_EQ_INT(abut_world_add_body(world, &def, &mover, NULL), ABUT_OK);
    add_box(world, mover, (double[3]){0.1, 1, 0.5}, 0, 0, 0, 0.5, true);
    for (int i = 0; i < 3; ++i) {
        abut_body_id body = add_free(world, 0.1 + 0.22 * i, 0.05 * i, 0.1);
        add_box(world, body, (double[3]){0.1, 0.1, 0.1}, 0, 0, 0, 0.5, true);
    }
    double rotation[4] = {1, 0, 0, 0}, velocity[6] = {0.3};
    CHECK_EQ_INT(abut_body_set_motion(world, mover, def.position, rotation, velocity), ABUT_OK);
    int unsolved = 0;
    for (int i = 0; i < 240; ++i) {
        abut_step_report report;
        CHECK_EQ_INT(abut_world_step(world, &report), ABUT_OK);
        CHECK(isfinite(report.kinetic));
        unsolved += report.unsolved;
    }
    CHECK(unsolved > 0);
    abut_world_destroy(world);
}

int main(void)
{
    RUN(test_sides);
    RUN(test_over_seams);
    RUN(test_compound_slides);
    RUN(test_past_a_corner);
    RUN(test_where_there_are_none);
    RUN(test_squeezed);
    return check_report();
}
