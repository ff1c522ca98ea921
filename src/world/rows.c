/* The joint rows of a step. A row is a velocity: entries on freedoms times the velocities.
 *
 *     loop      row.v = 0                               what has opened is closed by projection, not by velocity
 *     limit     row.v >= -distance / h, impulse >= 0    the coordinate arrives at its limit exactly
 *     friction  row.v = 0, |impulse| <= h friction
 *     motor     row.v + impulse / (h g) = a / g         force = a - g row.v within its bounds: bounded and compliant */
#include "world/rows.h"
#include "base/angle.h"
#include "base/space.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/mechanics.h"
#include "world/topology.h"
#include <math.h>
#include <string.h>

/* rad or m: limits nearer than this, or than the motion of two steps, have a row. */
#define LIMIT_NEAR 0.05

uint64_t abuti_row_key(abuti_row_kind kind, int owner, int part)
{
    return 1 + ((uint64_t)kind << 48 | (uint64_t)owner << 8 | (uint64_t)part);
}

int abuti_row_part(uint64_t key)
{
    return (int)((key - 1) & 0xff);
}

/* Begins a row; its entries are what is pushed from here on. */
static abuti_row *begin_row(abut_world *world, abuti_row_kind kind, int owner, int part)
{
    if (!abuti_list_push(world, &world->rows)) return NULL;
    abuti_row *row = abuti_list_last(&world->rows);
    *row = (abuti_row){
        .kind = kind, .owner = owner, .first = world->entries.count, .key = abuti_row_key(kind, owner, part)};
    return row;
}

static void end_row(abut_world *world)
{
    abuti_row *row = abuti_list_last(&world->rows);
    row->count = world->entries.count - row->first;
}

/* ------------------------------------------------------------------------------------------------
 * Loops */

static void loop_point(const abut_world *world, const abut_loop_def *loop, int side, double point[3])
{
    int body = loop->bodies[side].index - 1;
    abuti_v3_copy(point, loop->points[side]);
    if (body == ABUTI_GROUND) return;
    const abuti_world_body *b = &world->bodies.items[body];
    abuti_m3_apply(point, b->frame, loop->points[side]);
    abuti_v3_add(point, b->position, point);
}

/* The velocity of A's point less that of B's, along a direction. */
static bool point_row(abut_world *world, int owner, int part, double points[2][3], const double direction[3],
                      double error)
{
    const abut_loop_def *loop = &world->loops.items[owner];
    abuti_row *row = begin_row(world, ABUTI_ROW_LOOP, owner, part);
    if (!row) return false;
    row->error = error;
    row->compliance = loop->compliance;
    double moved[2][3];
    for (int side = 0; side < 2; ++side) {
        int body = loop->bodies[side].index - 1;
        if (!abuti_push_point_row(world, body, points[side], direction, side ? -1 : 1)) return false;
        abuti_point_velocity(world, body, points[side], moved[side]);
        /* What a kinematic body does stands on the right-hand side. */
        bool free_to_move = body != ABUTI_GROUND && world->bodies.items[body].tree != ABUTI_GROUND;
        if (!free_to_move) row->target += (side ? 1 : -1) * abuti_v3_dot(moved[side], direction);
    }
    end_row(world);
    return true;
}

static bool connect_rows(abut_world *world, int owner)
{
    const abut_loop_def *loop = &world->loops.items[owner];
    double points[2][3], apart[3];
    for (int side = 0; side < 2; ++side) loop_point(world, loop, side, points[side]);
    abuti_v3_sub(apart, points[0], points[1]);
    /* Where the two have come apart a force acts half way between them: two forces along one line turn nothing. */
    for (int k = 0; k < 3; ++k) points[0][k] = points[1][k] = 0.5 * (points[0][k] + points[1][k]);
    for (int k = 0; k < 3; ++k) {
        if (!point_row(world, owner, k, points, (double[3]){k == 0, k == 1, k == 2}, apart[k])) return false;
    }
    return true;
}

double abuti_loop_direction(const abut_world *world, const abut_loop_def *loop, double direction[3])
{
    double points[2][3];
    for (int side = 0; side < 2; ++side) loop_point(world, loop, side, points[side]);
    abuti_v3_sub(direction, points[0], points[1]);
    double length = abuti_v3_normalise(direction);
    if (length == 0) abuti_v3_set(direction, 0, 0, 1);
    return length;
}

static bool distance_rows(abut_world *world, int owner)
{
    const abut_loop_def *loop = &world->loops.items[owner];
    double points[2][3], apart[3];
    for (int side = 0; side < 2; ++side) loop_point(world, loop, side, points[side]);
    double length = abuti_loop_direction(world, loop, apart);
    return point_row(world, owner, 0, points, apart, length - loop->distance);
}

/* The turn that is left between the frames: B against A times the rotation to be kept, in the axes of the latter. */
static bool turn_rows(abut_world *world, int owner)
{
    const abut_loop_def *loop = &world->loops.items[owner];
    static const double none[4] = {1, 0, 0, 0};
    int a = loop->bodies[0].index - 1, b = loop->bodies[1].index - 1;
    double kept[4], back[4], left[4], vector[3], frame[9];
    abuti_quat_multiply(kept, world->bodies.items[a].rotation, loop->rotation);
    abuti_quat_conjugate(back, kept);
    abuti_quat_multiply(left, back, b == ABUTI_GROUND ? none : world->bodies.items[b].rotation);
    abuti_quat_to_vector(vector, left);
    abuti_m3_from_quat(frame, kept);
    for (int k = 0; k < 3; ++k) {
        abuti_row *row = begin_row(world, ABUTI_ROW_LOOP, owner, 3 + k);
        if (!row) return false;
        row->error = vector[k];
        row->compliance = loop->compliance;
        double axis[3] = {frame[k], frame[3 + k], frame[6 + k]};
        if (!abuti_push_turn_row(world, b, axis, 1) || !abuti_push_turn_row(world, a, axis, -1)) return false;
        end_row(world);
    }
    return true;
}

/* The coordinate of a joint or tendon from its reference on. */
static double coordinate(const abut_world *world, abut_joint_id joint, abut_tendon_id tendon)
{
    if (joint.index > 0) {
        const abuti_world_joint *j = &world->joints.items[joint.index - 1];
        return world->positions.items[j->position] - j->def.reference;
    }
    if (tendon.index > 0)
        return abuti_tendon_length(world, tendon.index - 1) - abuti_tendon_reference(world, tendon.index - 1);
    return 0;
}

static bool push_coordinate(abut_world *world, abut_joint_id joint, abut_tendon_id tendon, double scale)
{
    if (tendon.index > 0) return abuti_push_tendon_row(world, tendon.index - 1, scale);
    if (joint.index == 0) return true;
    if (!abuti_list_push(world, &world->entries)) return false;
    *abuti_list_last(&world->entries) = (abuti_entry){world->joints.items[joint.index - 1].dof, scale};
    return true;
}

static bool couple_rows(abut_world *world, int owner)
{
    const abut_loop_def *loop = &world->loops.items[owner];
    const double *c = loop->polynomial;
    double x = coordinate(world, loop->joints[1], loop->tendons[1]);
    double value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    double slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
    abuti_row *row = begin_row(world, ABUTI_ROW_LOOP, owner, 0);
    if (!row) return false;
    row->error = coordinate(world, loop->joints[0], loop->tendons[0]) - value;
    row->compliance = loop->compliance;
    if (!push_coordinate(world, loop->joints[0], loop->tendons[0], 1)) return false;
    if (!push_coordinate(world, loop->joints[1], loop->tendons[1], -slope)) return false;
    end_row(world);
    return true;
}

static bool loop_rows(abut_world *world, int owner)
{
    if (!world->loops.items[owner].active) return true;
    switch (world->loops.items[owner].kind) {
    case ABUT_LOOP_CONNECT: return connect_rows(world, owner);
    case ABUT_LOOP_WELD: return connect_rows(world, owner) && turn_rows(world, owner);
    case ABUT_LOOP_DISTANCE: return distance_rows(world, owner);
    case ABUT_LOOP_COUPLE: return couple_rows(world, owner);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Limits */

/* A one-sided row whose entries were pushed since begin_row: it is kept when the limit is near. */
static void end_limit(abut_world *world, double distance)
{
    end_row(world);
    abuti_row *row = abuti_list_last(&world->rows);
    double velocity = 0;
    for (int k = row->first; k < row->first + row->count; ++k) {
        const abuti_entry *entry = &world->entries.items[k];
        velocity += entry->value * world->velocities.items[world->dofs.items[entry->index].velocity];
    }
    if (distance > LIMIT_NEAR + 2 * world->span * fabs(velocity)) {
        world->entries.count = row->first;
        world->rows.count--;
        return;
    }
    row->error = distance;
    row->target = distance > 0 ? -distance / world->span : 0;
    row->bounded = true;
    row->lower = 0;
    row->upper = INFINITY;
}

/* Both ends of a coordinate: `owner` is a joint, or a tendon behind all joints. */
static bool scalar_limits(abut_world *world, int owner, abut_joint_id joint, abut_tendon_id tendon,
                          double value, double lower, double upper)
{
    for (int end = 0; end < 2; ++end) {
        if (!begin_row(world, ABUTI_ROW_LIMIT, owner, end)) return false;
        if (!push_coordinate(world, joint, tendon, end ? -1 : 1)) return false;
        end_limit(world, end ? upper - value : value - lower);
    }
    return true;
}

/* The angle of a ball's rotation stays below its limit. */
static bool ball_limit(abut_world *world, int owner)
{
    const abuti_world_joint *joint = &world->joints.items[owner];
    double vector[3];
    abuti_quat_to_vector(vector, world->positions.items + joint->position);
    double angle = abuti_v3_normalise(vector);
    if (!begin_row(world, ABUTI_ROW_LIMIT, owner, 0)) return false;
    for (int k = 0; k < 3; ++k) {
        if (!abuti_list_push(world, &world->entries)) return false;
        *abuti_list_last(&world->entries) = (abuti_entry){joint->dof + k, -vector[k]};
    }
    end_limit(world, joint->def.upper - angle);
    return true;
}

static bool joint_limits(abut_world *world, int owner)
{
    const abuti_world_joint *joint = &world->joints.items[owner];
    const abut_joint_def *def = &joint->def;
    if (!def->limited || def->kind == ABUT_JOINT_FREE) return true;
    if (def->kind == ABUT_JOINT_BALL) return ball_limit(world, owner);
    return scalar_limits(world, owner, (abut_joint_id){owner + 1}, (abut_tendon_id){0},
                         world->positions.items[joint->position], def->lower, def->upper);
}

/* ------------------------------------------------------------------------------------------------
 * Dry friction and motors */

static void end_friction(abut_world *world, double friction)
{
    end_row(world);
    abuti_row *row = abuti_list_last(&world->rows);
    row->bounded = true;
    row->upper = world->span * friction;
    row->lower = -row->upper;
}

static bool joint_friction(abut_world *world, int owner)
{
    const abuti_world_joint *joint = &world->joints.items[owner];
    if (joint->def.dry_friction == 0) return true;
    for (int k = 0; k < abuti_joint_dofs(joint->def.kind); ++k) {
        if (!begin_row(world, ABUTI_ROW_FRICTION, owner, k)) return false;
        if (!abuti_list_push(world, &world->entries)) return false;
        *abuti_list_last(&world->entries) = (abuti_entry){joint->dof + k, 1};
        end_friction(world, joint->def.dry_friction);
    }
    return true;
}

static bool tendon_rows(abut_world *world, int tendon)
{
    const abut_tendon_def *def = &world->tendons.items[tendon].def;
    int owner = world->joints.count + tendon;
    abut_tendon_id id = {tendon + 1};
    if (def->limited && !scalar_limits(world, owner, (abut_joint_id){0}, id,
                                       abuti_tendon_length(world, tendon), def->lower, def->upper)) {
        return false;
    }
    if (def->dry_friction == 0) return true;
    if (!begin_row(world, ABUTI_ROW_FRICTION, owner, 0) || !abuti_push_tendon_row(world, tendon, 1))
        return false;
    end_friction(world, def->dry_friction);
    return true;
}

static bool motor_rows(abut_world *world, int owner)
{
    const abuti_world_motor *motor = &world->motors.items[owner];
    const abut_motor_def *def = &motor->def;
    double give, length, h = world->span;
    int first;
    if (!abuti_motor_is_row(world, motor, &give)) return true;
    if (!begin_row(world, ABUTI_ROW_MOTOR, owner, 0) || !abuti_motor_row(world, owner, &first, &length))
        return false;
    end_row(world);
    abuti_row *row = abuti_list_last(&world->rows);
    row->target = (def->gain * abuti_motor_control(motor) + def->bias[0] + def->bias[1] * length) / give;
    row->compliance = 1 / (h * give);
    row->bounded = true;
    row->lower = h * def->force_lower;
    row->upper = h * def->force_upper;
    return true;
}

bool abuti_find_rows(abut_world *world)
{
    world->rows.count = world->entries.count = 0;
    bool fine = true;
    for (int i = 0; i < world->loops.count && fine; ++i) fine = loop_rows(world, i);
    for (int i = 0; i < world->joints.count && fine; ++i)
        fine = joint_limits(world, i) && joint_friction(world, i);
    for (int i = 0; i < world->tendons.count && fine; ++i) fine = tendon_rows(world, i);
    for (int i = 0; i < world->motors.count && fine; ++i) fine = motor_rows(world, i);
    return fine;
}

double abuti_worst_row(const abut_world *world)
{
    double worst = 0;
    for (int i = 0; i < world->rows.count; ++i) {
        const abuti_row *row = &world->rows.items[i];
        double error = row->kind == ABUTI_ROW_LOOP    ? fabs(row->error)
                       : row->kind == ABUTI_ROW_LIMIT ? -row->error
                                                      : 0;
        if (row->compliance == 0 && error > worst) worst = error;
    }
    return worst;
}
