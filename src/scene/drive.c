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

/* Returns the input of an actuator's force, and moves the actuator's state on by the step. */
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
    case ABUT_SCENE_MUSCLE: *act += step * abuti_muscle_rate(actuator, ctrl, *act); break;
    }
    if (actuator->act_limited) *act = clamp(*act, actuator->act_range);
    return actuator->early ? *act : before;
}

/* What a force of one on a joint or tendon does to the coordinates, as terms (coordinate, weight), with the length and
 * velocity that go with it. */
typedef struct terms {
    int count;
    const int *joints; /* of a tendon; NULL: coordinates first, first + 1, ... */
    int first;
    const double *weights;
    double scale, turned[6];
    double length, velocity;
} terms;

/* The terms of balls and free joints. Gear is given in the axes of the body; where it is given in those of the
 * parent, it is turned into those of the body. */
static void measure_turning(const abuti_simulation *inside, const abut_scene_joint *joint,
                            const abut_scene_actuator *actuator, terms *t)
{
    bool free = joint->type == ABUT_SCENE_FREE;
    const double *quat = inside->q + joint->qpos + (free ? 3 : 0);
    t->count = free ? 6 : 3;
    memcpy(t->turned, actuator->gear, sizeof t->turned);
    if (actuator->transmission == ABUT_SCENE_ON_JOINT_PARENT) {
        double back[4];
        abuti_quat_conjugate(back, quat);
        abuti_quat_apply(t->turned + (free ? 3 : 0), back, actuator->gear + (free ? 3 : 0));
    }
    t->weights = t->turned;
    if (free) return;
    double angle[3];
    abuti_quat_to_vector(angle, quat);
    t->length = abuti_v3_dot(t->turned, angle);
}

static void measure(const abut_simulation *simulation, const abut_scene_actuator *actuator, terms *t)
{
    const abut_scene *scene = simulation->scene;
    const abuti_simulation *inside = abuti_inside(simulation);
    *t = (terms){.count = 1, .scale = 1};
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        const abut_scene_tendon *tendon = &scene->tendons[actuator->target];
        *t = (terms){.count = tendon->count,
                     .joints = tendon->joints,
                     .weights = tendon->coefs,
                     .scale = actuator->gear[0]};
        for (int i = 0; i < t->count; ++i)
            t->length += t->scale * tendon->coefs[i] * inside->q[scene->joints[tendon->joints[i]].qpos];
    } else {
        const abut_scene_joint *joint = &scene->joints[actuator->target];
        t->first = joint->qvel;
        t->weights = actuator->gear;
        if (joint->type == ABUT_SCENE_HINGE || joint->type == ABUT_SCENE_SLIDE)
            t->length = actuator->gear[0] * inside->q[joint->qpos];
        else
            measure_turning(inside, joint, actuator, t);
    }
    for (int i = 0; i < t->count; ++i) {
        int at = t->joints ? scene->joints[t->joints[i]].qvel : t->first + i;
        t->velocity += t->scale * t->weights[i] * inside->v[at];
    }
}

static void add_terms(abut_simulation *simulation, const terms *t, double force)
{
    const abut_scene *scene = simulation->scene;
    for (int i = 0; i < t->count; ++i) {
        int at = t->joints ? scene->joints[t->joints[i]].qvel : t->first + i;
        abuti_inside(simulation)->forces[at] += force * t->scale * t->weights[i];
    }
}

/* The force of an actuator whose input, length and velocity are known. */
static double force_of(const abut_simulation *simulation, int index, double input, double length,
                       double velocity)
{
    const abut_scene_actuator *actuator = &simulation->scene->actuators[index];
    double peak = abuti_inside(simulation)->peaks[index], bounds[2];
    double gain = actuator->gain[0] + actuator->gain[1] * length + actuator->gain[2] * velocity;
    double bias = actuator->bias[0] + actuator->bias[1] * length + actuator->bias[2] * velocity;
    if (actuator->muscle_gain) gain = abuti_muscle_gain(actuator, peak, length, velocity);
    if (actuator->muscle_bias) bias = abuti_muscle_bias(actuator, peak, length);
    abuti_force_bounds(simulation->scene, actuator, bounds);
    return clamp(gain * input + bias, bounds);
}

/* An actuator whose force is computed here. */
static abut_status drive_here(abut_simulation *simulation, int index, double input)
{
    const abut_scene_actuator *actuator = &simulation->scene->actuators[index];
    abuti_pull pull = {0};
    abut_status status = ABUT_OK;
    if (actuator->transmission == ABUT_SCENE_ON_BODY)
        return abuti_adhere(simulation, actuator->target, force_of(simulation, index, input, 0, 0));
    if (actuator->transmission <= ABUT_SCENE_ON_TENDON) {
        terms t;
        measure(simulation, actuator, &t);
        add_terms(simulation, &t, force_of(simulation, index, input, t.length, t.velocity));
        return ABUT_OK;
    }
    status = actuator->transmission == ABUT_SCENE_ON_CRANK ? abuti_pull_of_crank(simulation, actuator, &pull)
                                                           : abuti_pull_of_sites(simulation, actuator, &pull);
    if (status != ABUT_OK) return status;
    return abuti_pull_by(simulation, &pull, force_of(simulation, index, input, pull.length, pull.velocity));
}

/* ---- springs and dampers beyond the linear ---- */

static double curved_spring(const double numbers[3], double x)
{
    return (numbers[1] * x + numbers[2] * x * x) * x;
}

static double curved_damper(const double numbers[3], double v)
{
    return (numbers[1] * fabs(v) + numbers[2] * v * v) * v;
}

/* Balls and free joints spring back along the way to the reference: a straight line for the position, a rotation
 * for the orientation. */
static void add_curved_turn(const abut_scene *scene, const abut_scene_joint *joint, const double *q,
                            double *forces)
{
    bool free = joint->type == ABUT_SCENE_FREE;
    const double *reference = scene->qpos0 + joint->qpos;
    double way[6] = {0}, back[4], turn[4];
    if (free) abuti_v3_sub(way, q, reference);
    abuti_quat_conjugate(back, reference + (free ? 3 : 0));
    abuti_quat_multiply(turn, back, q + (free ? 3 : 0));
    abuti_quat_to_vector(way + (free ? 3 : 0), turn);
    for (int part = 0; part < (free ? 2 : 1); ++part) {
        double length = abuti_v3_length(way + 3 * part),
               weight = joint->stiffness[1] * length + joint->stiffness[2] * length * length;
        for (int k = 3 * part; k < 3 * part + 3; ++k) forces[k] -= weight * way[k];
    }
}

static void add_curved_joint(abut_simulation *simulation, const abut_scene_joint *joint)
{
    static const int widths[] = {6, 3, 1, 1};
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    double *forces = inside->forces + joint->qvel;
    for (int k = 0; scene->dampers && k < widths[joint->type]; ++k)
        forces[k] -= curved_damper(joint->damping, inside->v[joint->qvel + k]);
    if (scene->springs && (joint->type == ABUT_SCENE_HINGE || joint->type == ABUT_SCENE_SLIDE))
        forces[0] -= curved_spring(joint->stiffness, inside->q[joint->qpos] - joint->springref);
    else if (scene->springs)
        add_curved_turn(scene, joint, inside->q + joint->qpos, forces);
}

static void add_curved(abut_simulation *simulation)
{
    const abut_scene *scene = simulation->scene;
    for (int i = 0; i < scene->joint_count; ++i) add_curved_joint(simulation, &scene->joints[i]);
    for (int i = 0; i < scene->tendon_count; ++i) {
        const abut_scene_tendon *tendon = &scene->tendons[i];
        const abut_scene_actuator along = {.transmission = ABUT_SCENE_ON_TENDON, .target = i, .gear = {1}};
        terms t;
        measure(simulation, &along, &t);
        double x = t.length - clamp(t.length, tendon->spring_range), force = 0;
        if (scene->springs) force -= curved_spring(tendon->stiffness, x);
        if (scene->dampers) force -= curved_damper(tendon->damping, t.velocity);
        add_terms(simulation, &t, force);
    }
}

abut_status abuti_drive(abut_simulation *simulation, double step)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    abut_status status = ABUT_OK;
    abut_world_get_positions(simulation->world, inside->q);
    abut_world_get_velocities(simulation->world, inside->v);
    memset(inside->forces, 0, (size_t)scene->nv * sizeof *inside->forces);
    for (int i = 0; status == ABUT_OK && scene->actuation && i < scene->actuator_count; ++i) {
        const abut_scene_actuator *actuator = &scene->actuators[i];
        double input = input_of(simulation, i, step), gain = actuator->gain[0];
        if (inside->driven[i]) {
            status = drive_here(simulation, i, input);
        } else if (simulation->motors[i].index != 0) {
            if (actuator->gain[1] != 0 || actuator->gain[2] != 0) {
                abuti_pull pull = {0};
                terms t = {0};
                if (actuator->transmission == ABUT_SCENE_ON_SITE)
                    status = abuti_pull_of_sites(simulation, actuator, &pull);
                else
                    measure(simulation, actuator, &t);
                gain += actuator->gain[1] * (t.length + pull.length) +
                        actuator->gain[2] * (t.velocity + pull.velocity);
            }
            if (status == ABUT_OK)
                status = abut_motor_set_control(simulation->world, simulation->motors[i], gain * input);
        }
    }
    if (inside->extra) add_curved(simulation);
    for (int i = 0; status == ABUT_OK && i < scene->nv; ++i)
        if (inside->forces[i] != 0) return abut_world_apply_forces(simulation->world, inside->forces);
    return status;
}
