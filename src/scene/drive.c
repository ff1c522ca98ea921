/* What drives a step: states of actuators, controls, and the forces that the world does not compute by itself. */
#include "base/angle.h"
#include "base/space.h"
#include "scene/simulation.h"

#include <math.h>
#include <string.h>

static double clamp(double value, const double range[2])
{
    return value < range[0] ? range[0] : value > range[1] ? range[1] : value;
}

/* The input of an actuator's force, and its state moved on by the step. */
static double input_of(abut_simulation *simulation, int index, double step)
{
    const abut_scene_actuator *actuator = &simulation->scene->actuators[index];
    double ctrl = simulation->ctrl[index], *act = &simulation->act[index], before = *act;
    if (actuator->ctrl_limited && simulation->scene->clamp_ctrl) ctrl = clamp(ctrl, actuator->ctrl_range);
    double time = actuator->time_constant > 1e-15 ? actuator->time_constant : 1e-15;
    switch (actuator->dynamics) {
    case ABUT_SCENE_DIRECT: return ctrl;
    case ABUT_SCENE_INTEGRATOR: *act += step * ctrl; break;
    case ABUT_SCENE_FILTER: *act += step * (ctrl - *act) / time; break;
    case ABUT_SCENE_FILTER_EXACT: *act += (ctrl - *act) * (1 - exp(-step / time)); break;
    }
    if (actuator->act_limited) *act = clamp(*act, actuator->act_range);
    return actuator->early ? *act : before;
}

/* Length and velocity of what an actuator acts on; of wrenches none. */
static void measure(const abut_simulation *simulation, const abut_scene_actuator *actuator, double *length,
                    double *velocity)
{
    const abut_scene *scene = simulation->scene;
    const abuti_simulation *inside = abuti_inside(simulation);
    *length = *velocity = 0;
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        const abut_scene_tendon *tendon = &scene->tendons[actuator->target];
        for (int i = 0; i < tendon->count; i++) {
            const abut_scene_joint *joint = &scene->joints[tendon->joints[i]];
            *length += actuator->gear[0] * tendon->coefs[i] * inside->q[joint->qpos];
            *velocity += actuator->gear[0] * tendon->coefs[i] * inside->v[joint->qvel];
        }
    } else if (actuator->transmission != ABUT_SCENE_ON_SITE) {
        const abut_scene_joint *joint = &scene->joints[actuator->target];
        if (joint->type != ABUT_SCENE_HINGE && joint->type != ABUT_SCENE_SLIDE) return;
        *length = actuator->gear[0] * inside->q[joint->qpos];
        *velocity = actuator->gear[0] * inside->v[joint->qvel];
    }
}

/* ---- between two sites ---- */

typedef struct site_state {
    double pos[3], quat[4], linear[3], angular[3];
} site_state;

static abut_status look_at_site(abut_simulation *simulation, int index, site_state *state)
{
    const abut_scene_site *site = &simulation->scene->sites[index];
    abut_body_state body = {.rotation = {1, 0, 0, 0}};
    if (site->body > 0) {
        abut_status status = abut_body_get_state(simulation->world, simulation->bodies[site->body], &body);
        if (status != ABUT_OK) return status;
    }
    double arm[3];
    abuti_quat_apply(state->pos, body.rotation, site->pose.pos);
    abuti_v3_add(state->pos, state->pos, body.position);
    abuti_quat_multiply(state->quat, body.rotation, site->pose.quat);
    abuti_v3_copy(state->angular, body.velocity + 3);
    abuti_v3_sub(arm, state->pos, body.com);
    abuti_v3_cross(state->linear, state->angular, arm);
    abuti_v3_add(state->linear, state->linear, body.velocity);
    return ABUT_OK;
}

/* Pushes on the one and against the other, along gear in the reference's frame. */
static abut_status drive_site(abut_simulation *simulation, const abut_scene_actuator *actuator, double input)
{
    const abut_scene *scene = simulation->scene;
    site_state site, reference;
    double difference[3], back[4], turned[4], angle[3], force[3], torque[3], relative[3], spin[3];
    abut_status status = look_at_site(simulation, actuator->target, &site);
    if (status == ABUT_OK) status = look_at_site(simulation, actuator->reference, &reference);
    if (status != ABUT_OK) return status;
    abuti_v3_sub(difference, site.pos, reference.pos);
    abuti_quat_conjugate(back, reference.quat);
    abuti_quat_apply(difference, back, difference);
    abuti_quat_multiply(turned, back, site.quat);
    abuti_quat_to_vector(angle, turned);
    abuti_v3_sub(relative, site.linear, reference.linear);
    abuti_v3_sub(spin, site.angular, reference.angular);
    abuti_quat_apply(force, reference.quat, actuator->gear);
    abuti_quat_apply(torque, reference.quat, actuator->gear + 3);
    double length = abuti_v3_dot(actuator->gear, difference) + abuti_v3_dot(actuator->gear + 3, angle);
    double velocity = abuti_v3_dot(force, relative) + abuti_v3_dot(torque, spin);
    double size = (actuator->gain[0] + actuator->gain[1] * length + actuator->gain[2] * velocity) * input +
                  actuator->bias[0] + actuator->bias[1] * length + actuator->bias[2] * velocity;
    if (actuator->force_limited) size = clamp(size, actuator->force_range);
    const int bodies[2] = {scene->sites[actuator->target].body, scene->sites[actuator->reference].body};
    for (int i = 0; i < 2; i++) {
        if (!abuti_inside(simulation)->moves[bodies[i]]) continue;
        double sign = i == 0 ? size : -size, f[3], t[3];
        abuti_v3_scale(f, sign, force);
        abuti_v3_scale(t, sign, torque);
        status = abut_body_apply_force(simulation->world, simulation->bodies[bodies[i]], f, site.pos, t);
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

/* ---- springs and dampers beyond the linear ---- */

static abut_status add_curved(abut_simulation *simulation)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    memset(inside->forces, 0, (size_t)scene->nv * sizeof *inside->forces);
    for (int i = 0; i < scene->joint_count; i++) {
        const abut_scene_joint *joint = &scene->joints[i];
        if (joint->type != ABUT_SCENE_HINGE && joint->type != ABUT_SCENE_SLIDE) continue;
        double x = inside->q[joint->qpos] - joint->springref, v = inside->v[joint->qvel];
        double spring =
            scene->springs ? (joint->stiffness[1] * fabs(x) + joint->stiffness[2] * x * x) * x : 0;
        double damper = scene->dampers ? (joint->damping[1] * fabs(v) + joint->damping[2] * v * v) * v : 0;
        inside->forces[joint->qvel] = -spring - damper;
    }
    return abut_world_apply_forces(simulation->world, inside->forces);
}

abut_status abuti_drive(abut_simulation *simulation, double step)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    abut_status status = ABUT_OK;
    abut_world_get_positions(simulation->world, inside->q);
    abut_world_get_velocities(simulation->world, inside->v);
    for (int i = 0; status == ABUT_OK && scene->actuation && i < scene->actuator_count; i++) {
        const abut_scene_actuator *actuator = &scene->actuators[i];
        double length, velocity, input = input_of(simulation, i, step);
        if (actuator->transmission == ABUT_SCENE_ON_SITE && actuator->reference >= 0) {
            status = drive_site(simulation, actuator, input);
        } else if (simulation->motors[i].index != 0) {
            measure(simulation, actuator, &length, &velocity);
            double gain = actuator->gain[0] + actuator->gain[1] * length + actuator->gain[2] * velocity;
            status = abut_motor_set_control(simulation->world, simulation->motors[i], gain * input);
        }
    }
    return status == ABUT_OK && inside->extra ? add_curved(simulation) : status;
}
