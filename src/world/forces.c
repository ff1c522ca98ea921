/* Forces on trees: springs, dampers, motors, what callers apply; and the mass matrix that takes springs and dampers at
 * the end of the step:
 *
 *     M (v+ - v) = h (f - K (q + h v+ - q0) - D v+)                     is
 *     (M + h D + h^2 K) (v+ - v) = h (f - K (q - q0) - (D + h K) v)
 *
 * K and D are sums of k r r' and d r r' over rows r: one entry of a joint's coordinate, a few of a tendon or motor. */
#include "base/angle.h"
#include "base/space.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/mechanics.h"
#include "world/topology.h"
#include <string.h>

/* A spring and a damper along a row: force -stiffness * stretch - damping * velocity. */
typedef struct give {
    double stiffness, damping, stretch;
} give;

/* Adds a spring and damper to the force, and with `implicit` to the implicit matrix. */
static void add_give(abut_world *world, const abuti_entry *row, int count, const give *g, bool implicit)
{
    double h = implicit ? world->span : 0, velocity = 0;
    for (int i = 0; i < count; ++i) {
        velocity += row[i].value * world->velocities.items[world->dofs.items[row[i].index].velocity];
    }
    double force = -g->stiffness * g->stretch - (g->damping + h * g->stiffness) * velocity;
    for (int i = 0; i < count; ++i) world->force.items[row[i].index] += force * row[i].value;
    if (!implicit) return;
    double weight = h * g->damping + h * h * g->stiffness;
    for (int i = 0; i < count; ++i) {
        const abuti_world_tree *tree = &world->trees.items[world->dofs.items[row[i].index].tree];
        double *line =
            world->implicit.items + tree->matrix + (row[i].index - tree->first_dof) * tree->dof_count;
        for (int j = 0; j < count; ++j)
            line[row[j].index - tree->first_dof] += weight * row[i].value * row[j].value;
    }
}

double abuti_joint_stretch(const abut_world *world, const abuti_world_joint *joint, int dof)
{
    int k = dof - joint->dof;
    const double *q = world->positions.items + joint->position;
    const abut_joint_def *def = &joint->def;
    if (def->kind == ABUT_JOINT_HINGE || def->kind == ABUT_JOINT_SLIDE) return q[0] - def->spring_reference;
    const abuti_world_body *body = &world->bodies.items[joint->body];
    double turn[4], vector[3];
    if (def->kind == ABUT_JOINT_BALL) {
        memcpy(turn, q, sizeof turn);
    } else {
        if (k < 3) return q[k] - body->def.position[k];
        double back[4];
        abuti_quat_conjugate(back, body->def.rotation);
        abuti_quat_multiply(turn, back, q + 3);
    }
    abuti_quat_to_vector(vector, turn);
    return vector[k % 3];
}

static void add_joint_forces(abut_world *world, bool implicit)
{
    for (int d = 0; d < world->dofs.count; ++d) {
        const abuti_world_joint *joint = &world->joints.items[world->dofs.items[d].joint];
        if (joint->def.stiffness == 0 && joint->def.damping == 0) continue;
        give g = {joint->def.stiffness, joint->def.damping, 0};
        if (g.stiffness > 0) g.stretch = abuti_joint_stretch(world, joint, d);
        add_give(world, &(abuti_entry){d, 1}, 1, &g, implicit);
    }
}

double abuti_tendon_length(const abut_world *world, int tendon)
{
    const abuti_world_tendon *t = &world->tendons.items[tendon];
    double length = 0;
    for (int k = t->first; k < t->first + t->count; ++k) {
        const abuti_entry *term = &world->tendon_terms.items[k];
        length += term->value * world->positions.items[world->joints.items[term->index].position];
    }
    return length;
}

double abuti_tendon_reference(const abut_world *world, int tendon)
{
    const abuti_world_tendon *t = &world->tendons.items[tendon];
    double length = 0;
    for (int k = t->first; k < t->first + t->count; ++k) {
        const abuti_entry *term = &world->tendon_terms.items[k];
        length += term->value * world->joints.items[term->index].def.reference;
    }
    return length;
}

bool abuti_push_tendon_row(abut_world *world, int tendon, double scale)
{
    const abuti_world_tendon *t = &world->tendons.items[tendon];
    for (int k = t->first; k < t->first + t->count; ++k) {
        const abuti_entry *term = &world->tendon_terms.items[k];
        if (!abuti_list_push(world, &world->entries)) return false;
        *abuti_list_last(&world->entries) =
            (abuti_entry){world->joints.items[term->index].dof, scale * term->value};
    }
    return true;
}

static bool add_tendon_forces(abut_world *world, bool implicit)
{
    for (int i = 0; i < world->tendons.count; ++i) {
        const abut_tendon_def *def = &world->tendons.items[i].def;
        if (def->stiffness == 0 && def->damping == 0) continue;
        int first = world->entries.count;
        if (!abuti_push_tendon_row(world, i, 1)) return false;
        double length = abuti_tendon_length(world, i);
        give g = {def->stiffness, def->damping, 0};
        if (length > def->spring_upper)
            g.stretch = length - def->spring_upper;
        else if (length < def->spring_lower)
            g.stretch = length - def->spring_lower;
        else
            g.stiffness = 0; /* slack between the two */
        add_give(world, world->entries.items + first, world->entries.count - first, &g, implicit);
        world->entries.count = first;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Motors */

double abuti_motor_control(const abuti_world_motor *motor)
{
    double control = motor->control;
    if (!motor->def.control_limited) return control;
    if (control < motor->def.control_lower) return motor->def.control_lower;
    return control > motor->def.control_upper ? motor->def.control_upper : control;
}

bool abuti_motor_is_row(const abut_world *world, const abuti_world_motor *motor, double *give_way)
{
    const abut_motor_def *def = &motor->def;
    *give_way = -(def->bias[1] * world->span + def->bias[2]);
    return def->force_limited && def->bias[1] <= 0 && def->bias[2] <= 0 && *give_way > 0;
}

/* The row of a wrench at a site, in the axes of the site, against a reference body if one is named. */
static bool push_site_row(abut_world *world, const abut_motor_def *def)
{
    const abuti_world_body *body = &world->bodies.items[def->body.index - 1];
    double point[3], arm[3], turn[4], frame[9], axis[3];
    abuti_m3_apply(arm, body->frame, def->position);
    abuti_v3_add(point, body->position, arm);
    abuti_quat_multiply(turn, body->rotation, def->rotation);
    abuti_m3_from_quat(frame, turn);
    for (int part = 0; part < 2; ++part) {
        abuti_m3_apply(axis, frame, def->gear + 3 * part);
        bool fine = true;
        for (int side = 0; side < 2 && fine; ++side) {
            int b = (side ? def->reference_body.index : def->body.index) - 1;
            double sign = side ? -1 : 1;
            if (side && def->reference_body.index == 0) continue;
            fine = part == 0 ? abuti_push_point_row(world, b, point, axis, sign)
                             : abuti_push_turn_row(world, b, axis, sign);
        }
        if (!fine) return false;
    }
    return true;
}

bool abuti_motor_row(abut_world *world, int motor, int *first, double *length)
{
    const abut_motor_def *def = &world->motors.items[motor].def;
    *first = world->entries.count;
    *length = 0;
    if (def->target == ABUT_MOTOR_SITE) return push_site_row(world, def);
    if (def->target == ABUT_MOTOR_TENDON) {
        *length = def->gear[0] * abuti_tendon_length(world, def->tendon.index - 1);
        return abuti_push_tendon_row(world, def->tendon.index - 1, def->gear[0]);
    }
    const abuti_world_joint *joint = &world->joints.items[def->joint.index - 1];
    int count = abuti_joint_dofs(joint->def.kind);
    if (count == 1) *length = def->gear[0] * world->positions.items[joint->position];
    for (int k = 0; k < count; ++k) {
        if (!abuti_list_push(world, &world->entries)) return false;
        *abuti_list_last(&world->entries) = (abuti_entry){joint->dof + k, def->gear[k]};
    }
    return true;
}

static double cut(double x, double lower, double upper)
{
    return x < lower ? lower : x > upper ? upper : x;
}

/* Adds motors that are no rows. Those without bounds give way implicitly; the others push with what they can. */
static bool add_motor_forces(abut_world *world, bool implicit)
{
    for (int i = 0; i < world->motors.count; ++i) {
        abuti_world_motor *motor = &world->motors.items[i];
        const abut_motor_def *def = &motor->def;
        double give_way, length, velocity = 0;
        if (implicit && abuti_motor_is_row(world, motor, &give_way)) continue;
        int first;
        if (!abuti_motor_row(world, i, &first, &length)) return false;
        const abuti_entry *row = world->entries.items + first;
        int count = world->entries.count - first;
        for (int k = 0; k < count; ++k) {
            velocity += row[k].value * world->velocities.items[world->dofs.items[row[k].index].velocity];
        }
        double constant = def->gain * abuti_motor_control(motor) + def->bias[0];
        motor->force = constant + def->bias[1] * length + def->bias[2] * velocity;
        if (implicit && !def->force_limited && def->bias[1] <= 0 && def->bias[2] <= 0) {
            give g = {-def->bias[1], -def->bias[2], length};
            add_give(world, row, count, &g, implicit);
            for (int k = 0; k < count; ++k) world->force.items[row[k].index] += constant * row[k].value;
        } else {
            if (def->force_limited) motor->force = cut(motor->force, def->force_lower, def->force_upper);
            for (int k = 0; k < count; ++k) world->force.items[row[k].index] += motor->force * row[k].value;
        }
        world->entries.count = first;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * What callers apply, and gravity that a body does not feel */

static bool add_applied(abut_world *world)
{
    for (int d = 0; d < world->dofs.count; ++d) {
        world->force.items[d] += world->applied.items[world->dofs.items[d].velocity];
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree == ABUTI_GROUND) continue;
        double force[3];
        abuti_v3_add_scaled(force, body->applied, (body->def.gravity_scale - 1) * body->mass,
                            world->def.gravity);
        int first = world->entries.count;
        bool fine = abuti_push_point_row(world, i, body->world_com, force, 1) &&
                    abuti_push_turn_row(world, i, body->applied + 3, 1);
        if (!fine) return false;
        for (int k = first; k < world->entries.count; ++k) {
            world->force.items[world->entries.items[k].index] += world->entries.items[k].value;
        }
        world->entries.count = first;
    }
    return true;
}

bool abuti_find_forces(abut_world *world, bool implicit)
{
    int size = abuti_matrix_size(world), dofs = world->dofs.count;
    if (!abuti_list_resize(world, &world->force, dofs)) return false;
    if (!abuti_list_resize(world, &world->implicit, size)) return false;
    if (size > 0) memcpy(world->implicit.items, world->mass.items, (size_t)size * sizeof(double));
    for (int d = 0; d < dofs; ++d) world->force.items[d] = -world->bias.items[d];
    add_joint_forces(world, implicit);
    return add_tendon_forces(world, implicit) && add_motor_forces(world, implicit) && add_applied(world);
}
