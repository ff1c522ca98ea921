/* What joints carry. Coordinates of joints need no forces that hold bodies together, so these forces are found
 * afterwards, by Newton's law for all that hangs on a body:
 *
 *     force through its joints = change of momentum / h - gravity - contacts - loops - what else pushes from outside
 *
 * Springs, motors, limits and friction of the joints themselves are part of it. */
#include "world/reaction.h"
#include "base/space.h"
#include "world/kinematics.h"
#include "world/rows.h"

/* Whether a body hangs on joints that carry something: those of free bodies do not. */
static bool hangs(const abut_world *world, int body)
{
    return abuti_body_moves(world, body) && !world->trees.items[world->bodies.items[body].tree].free_body &&
           !abuti_body_idles(world, body);
}

void abuti_note_motion(abut_world *world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        if (!hangs(world, i)) continue;
        abuti_point_velocity(world, i, body->world_com, body->before);
        abuti_v3_copy(body->pushed, body->applied);
    }
}

/* Takes off a force that acts on one body and against another, which their joints do not carry. */
static void take_off(abut_world *world, const int bodies[2], const double force[3])
{
    for (int side = 0; side < 2; ++side) {
        if (bodies[side] == ABUTI_GROUND || !hangs(world, bodies[side])) continue;
        double *reaction = world->bodies.items[bodies[side]].reaction;
        abuti_v3_add_scaled(reaction, reaction, side ? 1 : -1, force);
    }
}

static void take_off_contacts(abut_world *world)
{
    for (int i = 0; i < world->solved.count; ++i) {
        const abuti_touch *touch = &world->solved.items[i];
        double across[3], force[3];
        abuti_v3_cross(across, touch->normal, touch->tangent);
        abuti_v3_scale(force, touch->impulse[0] / world->def.step, touch->normal);
        abuti_v3_add_scaled(force, force, touch->impulse[1] / world->def.step, touch->tangent);
        abuti_v3_add_scaled(force, force, touch->impulse[2] / world->def.step, across);
        take_off(world, touch->bodies, force);
    }
}

static void take_off_loops(abut_world *world)
{
    for (int i = 0; i < world->solved_rows.count; ++i) {
        const abuti_row *row = &world->solved_rows.items[i];
        if (row->kind != ABUTI_ROW_LOOP) continue;
        const abut_loop_def *loop = &world->loops.items[row->owner];
        int part = abuti_row_part(row->key), bodies[2];
        double force[3] = {part == 0, part == 1, part == 2};
        if (loop->kind == ABUT_LOOP_COUPLE || part > 2) continue; /* between coordinates, or a torque */
        if (loop->kind == ABUT_LOOP_DISTANCE) abuti_loop_direction(world, loop, force);
        for (int side = 0; side < 2; ++side) bodies[side] = loop->bodies[side].index - 1;
        abuti_v3_scale(force, row->impulse / world->def.step, force);
        take_off(world, bodies, force);
    }
}

/* Motors that push at a place of a body. */
static void take_off_motors(abut_world *world)
{
    for (int i = 0; i < world->motors.count; ++i) {
        const abuti_world_motor *motor = &world->motors.items[i];
        if (motor->def.target != ABUT_MOTOR_SITE) continue;
        int bodies[2] = {motor->def.body.index - 1, motor->def.reference_body.index - 1};
        double turn[4], force[3];
        abuti_quat_multiply(turn, world->bodies.items[bodies[0]].rotation, motor->def.rotation);
        abuti_quat_apply(force, turn, motor->def.gear);
        abuti_v3_scale(force, motor->force, force);
        take_off(world, bodies, force);
    }
}

/* What a body takes by itself. */
static void begin(abut_world *world, int index)
{
    abuti_world_body *body = &world->bodies.items[index];
    double after[3];
    abuti_point_velocity(world, index, body->world_com, after);
    abuti_v3_sub(body->reaction, after, body->before);
    abuti_v3_scale(body->reaction, body->mass / world->def.step, body->reaction);
    abuti_v3_add_scaled(body->reaction, body->reaction, -body->mass * body->def.gravity_scale,
                        world->def.gravity);
    abuti_v3_sub(body->reaction, body->reaction, body->pushed);
}

void abuti_find_reactions(abut_world *world)
{
    for (int i = 0; i < world->bodies.count; ++i)
        if (hangs(world, i)) begin(world, i);
    take_off_contacts(world);
    take_off_loops(world);
    take_off_motors(world);
    for (int i = world->bodies.count - 1; i >= 0; --i) {
        abuti_world_body *body = &world->bodies.items[i];
        if (!hangs(world, i) || body->parent == ABUTI_GROUND || !hangs(world, body->parent)) continue;
        double *above = world->bodies.items[body->parent].reaction;
        abuti_v3_add(above, above, body->reaction);
    }
}
