/* Where bodies are and how they move, from the coordinates of their joints. */
#include "world/kinematics.h"
#include "base/angle.h"
#include "base/space.h"
#include "world/list.h"
#include "world/spatial.h"
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Poses */

/* The body's frame where it touches its parent's, before its joints move. */
static void begin_frame(const abut_world *world, abuti_world_body *body)
{
    const abut_body_def *def = &body->def;
    if (body->parent == ABUTI_GROUND) {
        abuti_v3_copy(body->position, def->position);
        memcpy(body->rotation, def->rotation, sizeof body->rotation);
        return;
    }
    const abuti_world_body *parent = &world->bodies.items[body->parent];
    double arm[3];
    abuti_m3_apply(arm, parent->frame, def->position);
    abuti_v3_add(body->position, parent->position, arm);
    abuti_quat_multiply(body->rotation, parent->rotation, def->rotation);
}

/* Turns the body about a point of it that stays where it is. */
static void turn_about(abuti_world_body *body, const double anchor[3], const double turn[4])
{
    double before[3], after[3];
    abuti_quat_apply(before, body->rotation, anchor);
    abuti_quat_multiply(body->rotation, body->rotation, turn);
    abuti_quat_apply(after, body->rotation, anchor);
    for (int k = 0; k < 3; ++k) body->position[k] += before[k] - after[k];
}

/* Motions of three freedoms: turns about the axes of the body through a point. */
static void turn_motions(const abut_world *world, abuti_dof *dofs, const double frame[9],
                         const double point[3])
{
    double arm[3];
    abuti_v3_sub(arm, world->trees.items[dofs[0].tree].reference, point);
    for (int k = 0; k < 3; ++k) {
        abuti_v3_set(dofs[k].motion, frame[k], frame[3 + k], frame[6 + k]);
        abuti_v3_cross(dofs[k].motion + 3, dofs[k].motion, arm);
    }
}

static void slide_motion(abuti_dof *dof, const double axis[3])
{
    abuti_v3_set(dof->motion, 0, 0, 0);
    abuti_v3_copy(dof->motion + 3, axis);
}

static const double world_axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Moves the body's frame by one joint and notes the motions of the joint's freedoms. */
static void pose_joint(abut_world *world, abuti_world_body *body, const abuti_world_joint *joint)
{
    const abut_joint_def *def = &joint->def;
    const double *q = world->positions.items + joint->position;
    abuti_dof *dofs = world->dofs.items + joint->dof;
    double *reference = world->trees.items[dofs[0].tree].reference;
    double axis[3], anchor[3], turn[4], frame[9], vector[3], arm[3];
    abuti_quat_apply(axis, body->rotation, def->axis);
    switch (def->kind) {
    case ABUT_JOINT_FREE:
        abuti_v3_copy(body->position, q);
        memcpy(body->rotation, q + 3, sizeof body->rotation);
        abuti_m3_from_quat(frame, body->rotation);
        if (world->trees.items[dofs[0].tree].first_dof == joint->dof) {
            abuti_m3_apply(arm, frame, body->com);
            abuti_v3_add(reference, body->position, arm);
        }
        for (int k = 0; k < 3; ++k) slide_motion(&dofs[k], (double[3]){k == 0, k == 1, k == 2});
        if (joint->at_com)
            turn_motions(world, dofs + 3, world_axes, reference);
        else
            turn_motions(world, dofs + 3, frame, body->position);
        break;
    case ABUT_JOINT_BALL:
        turn_about(body, def->anchor, q);
        abuti_m3_from_quat(frame, body->rotation);
        abuti_m3_apply(arm, frame, def->anchor);
        abuti_v3_add(anchor, body->position, arm);
        turn_motions(world, dofs, frame, anchor);
        break;
    case ABUT_JOINT_HINGE:
        abuti_v3_scale(vector, q[0] - def->reference, def->axis);
        abuti_quat_from_vector(turn, vector);
        turn_about(body, def->anchor, turn);
        abuti_quat_apply(arm, body->rotation, def->anchor);
        abuti_v3_add(anchor, body->position, arm);
        abuti_v3_copy(dofs->motion, axis);
        abuti_v3_sub(arm, reference, anchor);
        abuti_v3_cross(dofs->motion + 3, axis, arm);
        break;
    case ABUT_JOINT_SLIDE:
        abuti_v3_add_scaled(body->position, body->position, q[0] - def->reference, axis);
        slide_motion(dofs, axis);
        break;
    }
}

static void finish_frame(abuti_world_body *body)
{
    double arm[3];
    abuti_quat_normalise(body->rotation);
    abuti_m3_from_quat(body->frame, body->rotation);
    abuti_m3_apply(arm, body->frame, body->com);
    abuti_v3_add(body->world_com, body->position, arm);
    abuti_symmetric_turn(body->world_inertia, body->frame, body->inertia);
}

static void pose_collider(const abut_world *world, abuti_world_collider *collider)
{
    const abut_collider_def *def = &collider->def;
    abuti_v3_copy(collider->position, def->position);
    memcpy(collider->rotation, def->rotation, sizeof collider->rotation);
    if (collider->body == ABUTI_GROUND) return;
    const abuti_world_body *body = &world->bodies.items[collider->body];
    double arm[3];
    abuti_m3_apply(arm, body->frame, def->position);
    abuti_v3_add(collider->position, body->position, arm);
    abuti_quat_multiply(collider->rotation, body->rotation, def->rotation);
}

void abuti_pose(abut_world *world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        begin_frame(world, body);
        /* The reference of a tree is a point near its first body, chosen before its joints move. */
        if (body->tree != ABUTI_GROUND && world->trees.items[body->tree].body == i) {
            abuti_v3_copy(world->trees.items[body->tree].reference, body->position);
        }
        for (int j = body->first_joint; j >= 0; j = world->joints.items[j].next) {
            pose_joint(world, body, &world->joints.items[j]);
        }
        finish_frame(body);
    }
    for (int i = 0; i < world->colliders.count; ++i) pose_collider(world, &world->colliders.items[i]);
}

/* ------------------------------------------------------------------------------------------------
 * Velocities */

/* Adds the motion of `count` freedoms that turn or move together: their change is that of what they hang on. */
static void add_motions(const abut_world *world, abuti_dof *dofs, int count, double velocity[6])
{
    for (int k = 0; k < count; ++k) abuti_s6_cross_motion(dofs[k].motion_dot, velocity, dofs[k].motion);
    for (int k = 0; k < count; ++k) {
        abuti_s6_add_scaled(velocity, world->velocities.items[dofs[k].velocity], dofs[k].motion);
    }
}

static void move_joint(const abut_world *world, const abuti_world_joint *joint, double velocity[6])
{
    abuti_dof *dofs = world->dofs.items + joint->dof;
    switch (joint->def.kind) {
    case ABUT_JOINT_FREE:
        /* The first three are axes of the world, which do not change. */
        add_motions(world, dofs, 3, velocity);
        add_motions(world, dofs + 3, 3, velocity);
        break;
    case ABUT_JOINT_BALL: add_motions(world, dofs, 3, velocity); break;
    case ABUT_JOINT_HINGE:
    case ABUT_JOINT_SLIDE: add_motions(world, dofs, 1, velocity); break;
    }
}

void abuti_move(abut_world *world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        if (body->tree == ABUTI_GROUND) continue; /* kinematic bodies keep what they were told */
        memset(body->velocity, 0, sizeof body->velocity);
        if (body->parent != ABUTI_GROUND && world->bodies.items[body->parent].tree != ABUTI_GROUND) {
            memcpy(body->velocity, world->bodies.items[body->parent].velocity, sizeof body->velocity);
        }
        for (int j = body->first_joint; j >= 0; j = world->joints.items[j].next) {
            move_joint(world, &world->joints.items[j], body->velocity);
        }
    }
}

/* The body whose velocity an immovable body shares: a kinematic one it is fixed to, or none. */
static const abuti_world_body *carrier(const abut_world *world, int body)
{
    int anchor = world->bodies.items[body].anchor;
    return anchor == ABUTI_GROUND ? NULL : &world->bodies.items[anchor];
}

void abuti_point_velocity(const abut_world *world, int body, const double point[3], double velocity[3])
{
    abuti_v3_set(velocity, 0, 0, 0);
    if (body == ABUTI_GROUND) return;
    const abuti_world_body *b = &world->bodies.items[body];
    const double *origin;
    if (b->tree != ABUTI_GROUND) {
        origin = world->trees.items[b->tree].reference;
    } else {
        b = carrier(world, body);
        if (!b || b->def.kind != ABUT_KINEMATIC) return;
        origin = b->position;
    }
    double arm[3];
    abuti_v3_sub(arm, point, origin);
    abuti_v3_cross(velocity, b->velocity, arm);
    abuti_v3_add(velocity, velocity, b->velocity + 3);
}

/* ------------------------------------------------------------------------------------------------
 * Rows */

/* The wrench about the tree's reference of a unit force along `direction` at `point`. */
static void wrench_of(const abut_world *world, int tree, const double point[3], const double direction[3],
                      double wrench[6])
{
    double arm[3];
    abuti_v3_sub(arm, point, world->trees.items[tree].reference);
    abuti_v3_cross(wrench, arm, direction);
    abuti_v3_copy(wrench + 3, direction);
}

static bool push_wrench(abut_world *world, int body, const double wrench[6], double scale)
{
    for (int d = world->bodies.items[body].last_dof; d >= 0; d = world->dofs.items[d].parent) {
        if (!abuti_list_push(world, &world->entries)) return false;
        *abuti_list_last(&world->entries) =
            (abuti_entry){d, scale * abuti_s6_dot(wrench, world->dofs.items[d].motion)};
    }
    return true;
}

bool abuti_push_point_row(abut_world *world, int body, const double point[3], const double direction[3],
                          double scale)
{
    if (!abuti_body_moves(world, body)) return true;
    double wrench[6];
    wrench_of(world, world->bodies.items[body].tree, point, direction, wrench);
    return push_wrench(world, body, wrench, scale);
}

bool abuti_push_turn_row(abut_world *world, int body, const double direction[3], double scale)
{
    if (!abuti_body_moves(world, body)) return true;
    double wrench[6] = {direction[0], direction[1], direction[2], 0, 0, 0};
    return push_wrench(world, body, wrench, scale);
}

void abuti_add_point_row(const abut_world *world, int body, const double point[3], const double direction[3],
                         double scale, double *row)
{
    const abuti_world_body *b = &world->bodies.items[body];
    double wrench[6];
    wrench_of(world, b->tree, point, direction, wrench);
    int first = world->trees.items[b->tree].first_dof;
    for (int d = b->last_dof; d >= 0; d = world->dofs.items[d].parent) {
        row[d - first] += scale * abuti_s6_dot(wrench, world->dofs.items[d].motion);
    }
}

/* ------------------------------------------------------------------------------------------------
 * Velocities of free joints, as callers see them and at the centre of mass */

void abuti_velocity_to_com(const abut_world *world, const abuti_world_joint *joint, const double in[6],
                           double out[6])
{
    const double *q = world->positions.items + joint->position;
    double arm[3], turn[3], extra[3];
    abuti_quat_apply(arm, q + 3, world->bodies.items[joint->body].com);
    abuti_quat_apply(turn, q + 3, in + 3);
    abuti_v3_cross(extra, turn, arm);
    abuti_v3_add(out, in, extra);
    abuti_v3_copy(out + 3, turn);
}

void abuti_velocity_from_com(const abut_world *world, const abuti_world_joint *joint, const double in[6],
                             double out[6])
{
    const double *q = world->positions.items + joint->position;
    double arm[3], extra[3], back[4];
    abuti_quat_apply(arm, q + 3, world->bodies.items[joint->body].com);
    abuti_v3_cross(extra, in + 3, arm);
    abuti_v3_sub(out, in, extra);
    abuti_quat_conjugate(back, q + 3);
    abuti_quat_apply(out + 3, back, in + 3);
}

/* ------------------------------------------------------------------------------------------------
 * Positions over time */

/* q = q exp(turn), for a turn in the axes of the body. */
static void turn_by(double q[4], const double velocity[3], double seconds)
{
    double vector[3], turn[4];
    abuti_v3_scale(vector, seconds, velocity);
    abuti_quat_from_vector(turn, vector);
    abuti_quat_multiply(q, q, turn);
    abuti_quat_normalise(q);
}

void abuti_turn_by_cayley(double out[4], const double q[4], const double velocity[3], double seconds)
{
    double turn[4] = {1, 0.5 * seconds * velocity[0], 0.5 * seconds * velocity[1],
                      0.5 * seconds * velocity[2]};
    abuti_quat_multiply(out, turn, q);
    abuti_quat_normalise(out);
}

/* A free body: its centre of mass goes straight, and it turns about it in world axes. */
static void advance_at_com(const abut_world *world, const abuti_world_joint *joint, double q[7],
                           const double v[6], double seconds, double spin_scale)
{
    const abuti_world_body *body = &world->bodies.items[joint->body];
    double com[3], arm[3], turn[3];
    abuti_quat_apply(arm, q + 3, body->com);
    abuti_v3_add(com, q, arm);
    abuti_v3_add_scaled(com, com, seconds, v);
    abuti_v3_add_scaled(turn, v + 3, spin_scale, world->trees.items[body->tree].spin);
    abuti_turn_by_cayley(q + 3, q + 3, turn, seconds);
    abuti_quat_apply(arm, q + 3, body->com);
    abuti_v3_sub(q, com, arm);
}

/* A ball that turns across its axis passes its limit by the square of that turn, which the limit's row, being linear, does
 * not see: it is turned as far as its limit, or as far as it was beyond it. */
static void turn_ball(const abut_joint_def *def, double q[4], const double v[3], double seconds)
{
    double before[3], after[3];
    abuti_quat_to_vector(before, q);
    turn_by(q, v, seconds);
    if (!def->limited) return;
    double limit = fmax(def->upper, abuti_v3_length(before));
    abuti_quat_to_vector(after, q);
    double angle = abuti_v3_normalise(after);
    if (!(angle > limit)) return;
    abuti_v3_scale(after, limit, after);
    abuti_quat_from_vector(q, after);
}

static void advance_joint(abut_world *world, const abuti_world_joint *joint, const double *velocities,
                          double seconds, double spin_scale)
{
    double *q = world->positions.items + joint->position;
    const double *v = velocities + joint->velocity;
    if (abuti_body_idles(world, joint->body)) return;
    switch (joint->def.kind) {
    case ABUT_JOINT_FREE:
        if (joint->at_com) {
            advance_at_com(world, joint, q, v, seconds, spin_scale);
            break;
        }
        abuti_v3_add_scaled(q, q, seconds, v);
        turn_by(q + 3, v + 3, seconds);
        break;
    case ABUT_JOINT_BALL: turn_ball(&joint->def, q, v, seconds); break;
    case ABUT_JOINT_HINGE:
    case ABUT_JOINT_SLIDE: q[0] += seconds * v[0]; break;
    }
}

void abuti_advance(abut_world *world, const double *velocities, double seconds, double spin_scale)
{
    for (int j = 0; j < world->joints.count; ++j)
        advance_joint(world, &world->joints.items[j], velocities, seconds, spin_scale);
}

void abuti_advance_tree(abut_world *world, int tree, const double *velocities, double seconds)
{
    for (int j = 0; j < world->joints.count; ++j) {
        const abuti_world_joint *joint = &world->joints.items[j];
        if (world->bodies.items[joint->body].tree == tree)
            advance_joint(world, joint, velocities, seconds, 0);
    }
}
