/* What callers read out of a world, and what they write into its state. */
#include "world/read.h"
#include "base/space.h"
#include "world/check.h"
#include "world/free.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/rows.h"
#include "world/sleep.h"
#include "world/topology.h"
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Coordinates */

bool abuti_refresh(abut_world *world)
{
    if (!abuti_build_topology(world)) return false;
    if (!world->posed) {
        abuti_pose(world);
        abuti_move(world);
    }
    return true;
}

int abut_world_position_count(const abut_world *world)
{
    return world ? world->positions.count : 0;
}

int abut_world_velocity_count(const abut_world *world)
{
    return world ? world->velocities.count : 0;
}

void abut_world_get_positions(const abut_world *world, double *positions)
{
    for (int i = 0; i < world->positions.count; ++i) positions[i] = world->positions.items[i];
}

void abut_world_get_velocities(const abut_world *world, double *velocities)
{
    for (int i = 0; i < world->velocities.count; ++i) velocities[i] = world->velocities.items[i];
    for (int j = 0; j < world->joints.count; ++j) {
        const abuti_world_joint *joint = &world->joints.items[j];
        double *v = velocities + joint->velocity;
        if (joint->at_com) abuti_velocity_from_com(world, joint, v, v);
    }
}

/* Where the quaternion of a joint begins among the coordinates; -1: it has none. */
static int quaternion_of(const abuti_world_joint *joint)
{
    if (joint->def.kind == ABUT_JOINT_FREE) return joint->position + 3;
    return joint->def.kind == ABUT_JOINT_BALL ? joint->position : -1;
}

/* Whether coordinates are those of a pose: finite, with quaternions that have a length. */
static bool are_positions(const abut_world *world, const double *positions)
{
    if (!abuti_finite(positions, world->positions.count)) return false;
    for (int j = 0; j < world->joints.count; ++j) {
        int at = quaternion_of(&world->joints.items[j]);
        double turn[4];
        if (at < 0) continue;
        memcpy(turn, positions + at, sizeof turn);
        if (!abuti_unit(turn, 4)) return false;
    }
    return true;
}

abut_status abut_world_set_positions(abut_world *world, const double *positions)
{
    if (!world || !positions || !are_positions(world, positions)) return ABUT_INVALID_ARGUMENT;
    double *kept = world->positions.items;
    for (int i = 0; i < world->positions.count; ++i) kept[i] = positions[i];
    for (int j = 0; j < world->joints.count; ++j) {
        int at = quaternion_of(&world->joints.items[j]);
        if (at >= 0) abuti_quat_normalise(kept + at);
    }
    world->posed = false;
    abuti_forget_flight(world, NULL);
    abuti_wake_all(world);
    return ABUT_OK;
}

abut_status abut_world_set_velocities(abut_world *world, const double *velocities)
{
    if (!world || !velocities || !abuti_finite(velocities, world->velocities.count))
        return ABUT_INVALID_ARGUMENT;
    for (int i = 0; i < world->velocities.count; ++i) world->velocities.items[i] = velocities[i];
    for (int j = 0; j < world->joints.count; ++j) {
        const abuti_world_joint *joint = &world->joints.items[j];
        double *v = world->velocities.items + joint->velocity;
        if (joint->at_com) abuti_velocity_to_com(world, joint, v, v);
    }
    for (int t = 0; t < world->trees.count; ++t) world->trees.items[t].owed = 0;
    world->posed = false;
    abuti_wake_all(world);
    return ABUT_OK;
}

abut_status abut_world_apply_forces(abut_world *world, const double *forces)
{
    if (!world || !forces || !abuti_finite(forces, world->applied.count)) return ABUT_INVALID_ARGUMENT;
    if (!abuti_refresh(world)) return ABUT_OUT_OF_MEMORY;
    for (int j = 0; j < world->joints.count; ++j) {
        const abuti_world_joint *joint = &world->joints.items[j];
        const double *f = forces + joint->velocity;
        double *sum = world->applied.items + joint->velocity, moved[6];
        int count = abuti_joint_dofs(joint->def.kind);
        if (joint->at_com) {
            /* The same power: force at the origin, torque in body axes, to those of the centre of mass. */
            const abuti_world_body *body = &world->bodies.items[joint->body];
            double arm[3], turn[3];
            abuti_v3_sub(arm, body->world_com, body->position);
            abuti_v3_copy(moved, f);
            abuti_m3_apply(moved + 3, body->frame, f + 3);
            abuti_v3_cross(turn, arm, f);
            abuti_v3_sub(moved + 3, moved + 3, turn);
            f = moved;
        }
        for (int k = 0; k < count; ++k) sum[k] += f[k];
    }
    return ABUT_OK;
}

abut_status abut_joint_get_offsets(const abut_world *world, abut_joint_id id, int *position, int *velocity)
{
    if (!world || id.index < 1 || id.index > world->joints.count) return ABUT_INVALID_ARGUMENT;
    if (position) *position = world->joints.items[id.index - 1].position;
    if (velocity) *velocity = world->joints.items[id.index - 1].velocity;
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * Bodies */

abut_status abut_body_get_state(abut_world *world, abut_body_id id, abut_body_state *state)
{
    if (!world || !state || id.index < 1 || id.index > world->bodies.count) return ABUT_INVALID_ARGUMENT;
    if (!abuti_refresh(world)) return ABUT_OUT_OF_MEMORY;
    const abuti_world_body *body = &world->bodies.items[id.index - 1];
    *state = (abut_body_state){.mass = body->mass};
    abuti_v3_copy(state->position, body->position);
    memcpy(state->rotation, body->rotation, sizeof state->rotation);
    abuti_v3_copy(state->com, body->world_com);
    memcpy(state->inertia, body->world_inertia, sizeof state->inertia);
    abuti_point_velocity(world, id.index - 1, body->world_com, state->velocity);
    if (body->tree != ABUTI_GROUND || body->def.kind == ABUT_KINEMATIC)
        abuti_v3_copy(state->velocity + 3, body->velocity);
    return ABUT_OK;
}

abut_status abut_body_set_motion(abut_world *world, abut_body_id id, const double position[3],
                                 const double rotation[4], const double velocity[6])
{
    if (!world || id.index < 1 || id.index > world->bodies.count) return ABUT_INVALID_ARGUMENT;
    abuti_world_body *body = &world->bodies.items[id.index - 1];
    double turn[4];
    if (body->def.kind != ABUT_KINEMATIC || !abuti_finite(position, 3) || !abuti_finite(velocity, 6)) {
        return ABUT_INVALID_ARGUMENT;
    }
    memcpy(turn, rotation, sizeof turn);
    if (!abuti_unit(turn, 4)) return ABUT_INVALID_ARGUMENT;
    abuti_v3_copy(body->def.position, position);
    memcpy(body->def.rotation, turn, sizeof turn);
    abuti_v3_copy(body->velocity + 3, velocity);
    abuti_v3_copy(body->velocity, velocity + 3);
    world->posed = false;
    abuti_wake_all(world);
    return ABUT_OK;
}

abut_status abut_body_apply_force(abut_world *world, abut_body_id id, const double force[3],
                                  const double point[3], const double torque[3])
{
    if (!world || id.index < 1 || id.index > world->bodies.count) return ABUT_INVALID_ARGUMENT;
    if ((force && !abuti_finite(force, 3)) || (point && !abuti_finite(point, 3)) ||
        (torque && !abuti_finite(torque, 3))) {
        return ABUT_INVALID_ARGUMENT;
    }
    if (!abuti_refresh(world)) return ABUT_OUT_OF_MEMORY;
    abuti_world_body *body = &world->bodies.items[id.index - 1];
    if (torque) abuti_v3_add(body->applied + 3, body->applied + 3, torque);
    if (!force) return ABUT_OK;
    abuti_v3_add(body->applied, body->applied, force);
    if (!point) return ABUT_OK;
    double arm[3], turn[3];
    abuti_v3_sub(arm, point, body->world_com);
    abuti_v3_cross(turn, arm, force);
    abuti_v3_add(body->applied + 3, body->applied + 3, turn);
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * The last step */

const abut_contact_problem *abut_world_last_problem(const abut_world *world)
{
    if (!world || world->steps == 0) return NULL;
    return world->by_forces ? &world->force_problem.problem : &world->velocity_problem.problem;
}

const abut_contact_result *abut_world_last_result(const abut_world *world)
{
    if (!world || world->steps == 0) return NULL;
    return world->by_forces ? &world->force_result : &world->result;
}

int abut_world_contact_count(const abut_world *world)
{
    return world ? world->solved.count : 0;
}

abut_status abut_world_get_contact(const abut_world *world, int index, abut_world_contact *contact)
{
    if (!world || !contact || index < 0 || index >= world->solved.count) return ABUT_INVALID_ARGUMENT;
    const abuti_touch *touch = &world->solved.items[index];
    *contact = (abut_world_contact){.gap = touch->gap,
                                    .friction = touch->friction,
                                    .state = (abut_contact_state)touch->face.state,
                                    .key = touch->key};
    for (int side = 0; side < 2; ++side) {
        contact->colliders[side].index = touch->colliders[side] + 1;
        contact->bodies[side].index = touch->bodies[side] + 1;
    }
    for (int k = 0; k < 3; ++k) contact->point[k] = 0.5 * (touch->points[0][k] + touch->points[1][k]);
    abuti_v3_copy(contact->normal, touch->normal);
    abuti_v3_copy(contact->tangent, touch->tangent);
    abuti_v3_copy(contact->impulse, touch->impulse);
    return ABUT_OK;
}

/* N or N m: the row `part` of an owner in the last step; 0 where it had none. Parts are numbered as in rows.c. */
static double row_force(const abut_world *world, abuti_row_kind kind, int owner, int part)
{
    uint64_t key = abuti_row_key(kind, owner, part);
    for (int i = 0; i < world->solved_rows.count; ++i) {
        const abuti_row *row = &world->solved_rows.items[i];
        if (row->key == key) return row->impulse / world->def.step;
    }
    return 0;
}

abut_status abut_loop_get_force(const abut_world *world, abut_loop_id id, double force[6])
{
    if (!world || !force || id.index < 1 || id.index > world->loops.count) return ABUT_INVALID_ARGUMENT;
    for (int k = 0; k < 6; ++k) force[k] = row_force(world, ABUTI_ROW_LOOP, id.index - 1, k);
    return ABUT_OK;
}

abut_status abut_joint_get_forces(const abut_world *world, abut_joint_id id, double *limit,
                                  double friction[6])
{
    if (!world || !limit || !friction || id.index < 1 || id.index > world->joints.count)
        return ABUT_INVALID_ARGUMENT;
    int owner = id.index - 1;
    bool ball = world->joints.items[owner].def.kind == ABUT_JOINT_BALL;
    double lower = row_force(world, ABUTI_ROW_LIMIT, owner, 0),
           upper = row_force(world, ABUTI_ROW_LIMIT, owner, 1);
    *limit = ball ? -lower : lower - upper;
    for (int k = 0; k < 6; ++k) friction[k] = row_force(world, ABUTI_ROW_FRICTION, owner, k);
    return ABUT_OK;
}

abut_status abut_joint_get_reaction(const abut_world *world, abut_joint_id id, double force[3])
{
    if (!world || !force || id.index < 1 || id.index > world->joints.count) return ABUT_INVALID_ARGUMENT;
    abuti_v3_copy(force, world->bodies.items[world->joints.items[id.index - 1].body].reaction);
    return ABUT_OK;
}

int abut_world_event_count(const abut_world *world)
{
    return world ? world->events.count : 0;
}

const abut_contact_event *abut_world_events(const abut_world *world)
{
    return world ? world->events.items : NULL;
}
