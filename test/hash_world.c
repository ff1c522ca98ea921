/* Prints a hash every two seconds of a world that has everything a step can do: boxes and round things that fall on a floor, a
 * pendulum with a spring, a closed loop, a servo with a bounded force (test/hashes). */
#include "abut/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_NUMBERS 128

static uint64_t hash;

static void add(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void add_faller(abut_world *world, abut_shape shape, double x, double z, double lean)
{
    abut_body_def body = abut_body_default_def();
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
    abut_collider_def collider = abut_collider_default_def();
    abut_body_id id;
    body.position[0] = x;
    body.position[1] = 0.25 * lean;
    body.position[2] = z;
    body.rotation[1] = lean;
    body.rotation[2] = 0.5 * lean;
    collider.shape = shape;
    collider.friction = 0.375;
    abut_world_add_body(world, &body, &id, NULL);
    abut_world_add_joint(world, id, &joint, NULL, NULL);
    abut_world_add_collider(world, id, &collider, NULL, NULL);
}

static abut_body_id add_link(abut_world *world, abut_body_id parent, double x, double z, double stiffness,
                             abut_joint_id *joint)
{
    abut_body_def body = abut_body_default_def();
    abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
    abut_body_id id;
    body.parent = parent;
    body.position[0] = x;
    body.position[2] = z;
    body.mass = 0.5;
    body.com[0] = 0.125;
    for (int k = 0; k < 3; ++k) body.inertia[k] = 0.0078125 * (k + 2);
    hinge.axis[1] = 1;
    hinge.axis[2] = 0;
    hinge.stiffness = stiffness;
    hinge.damping = 0.0625;
    abut_world_add_body(world, &body, &id, NULL);
    abut_world_add_joint(world, id, &hinge, joint, NULL);
    return id;
}

static void build(abut_world *world)
{
    abut_collider_def floor = abut_collider_default_def();
    floor.shape.kind = ABUT_PLANE;
    abut_world_add_collider(world, (abut_body_id){0}, &floor, NULL, NULL);
    add_faller(world, (abut_shape){.kind = ABUT_BOX, .half = {0.25, 0.125, 0.125}}, 0, 0.5, 0.25);
    add_faller(world, (abut_shape){.kind = ABUT_BOX, .half = {0.125, 0.25, 0.125}}, 0.0625, 1, -0.125);
    add_faller(world, (abut_shape){.kind = ABUT_SPHERE, .radius = 0.125}, -0.0625, 1.5, 0);
    add_faller(world, (abut_shape){.kind = ABUT_CAPSULE, .radius = 0.125, .half_length = 0.125}, 0.125, 2,
               0.5);
    abut_joint_id joints[3];
    abut_body_id crank = add_link(world, (abut_body_id){0}, 3, 1, 0, &joints[0]);
    abut_body_id rod = add_link(world, crank, 0.25, 0, 2, &joints[1]);
    abut_body_id rocker = add_link(world, (abut_body_id){0}, 3.5, 1, 0, &joints[2]);
    abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
    loop.bodies[0] = rod;
    loop.bodies[1] = rocker;
    loop.points[0][0] = 0.5;
    loop.points[1][0] = 0.25;
    abut_world_add_loop(world, &loop, NULL, NULL);
    abut_motor_def motor = abut_motor_default_def();
    motor.joint = joints[0];
    motor.gain = 8;
    motor.bias[2] = -8;
    motor.force_limited = true;
    motor.force_lower = -2;
    motor.force_upper = 2;
    abut_motor_id id;
    abut_world_add_motor(world, &motor, &id, NULL);
    abut_motor_set_control(world, id, 2);
}

/* Ten seconds, islands solved in so many parts; prints if asked. The hash of all of it. */
static uint64_t run(int parts, bool prints)
{
    abut_world_def def = abut_world_default_def();
    abut_world *world = NULL;
    double numbers[MOST_NUMBERS];
    def.step = 0.0078125;
    def.threads = parts;
    hash = 0;
    if (abut_world_create(&def, NULL, &world, NULL) != ABUT_OK) return 0;
    build(world);
    if (abut_world_position_count(world) > MOST_NUMBERS) return 0;
    for (int step = 1; step <= 1280; ++step) {
        if (abut_world_step(world, NULL) != ABUT_OK) return 0;
        abut_world_get_positions(world, numbers);
        add(numbers, (size_t)abut_world_position_count(world) * sizeof *numbers);
        abut_world_get_velocities(world, numbers);
        add(numbers, (size_t)abut_world_velocity_count(world) * sizeof *numbers);
        if (prints && step % 256 == 0) printf("%d s %016" PRIx64 "\n", step / 128, hash);
    }
    abut_world_destroy(world);
    return hash;
}

int main(void)
{
    uint64_t one = run(1, true);
    return one != 0 && run(2, false) == one ? 0 : 1;
}
