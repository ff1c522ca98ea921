/* Damping ratios of servos: they follow from the inertia that an actuator feels at the reference configuration. */
#include "scene/reader.h"

#include "base/space.h"
#include <math.h>

/* The velocity at a site, along gear in its frame, that one velocity of a joint makes. */
static double site_moment(const abuti_reader *reader, const abut_scene_actuator *actuator,
                          const abut_scene_joint *joint, int k, const abut_scene_pose *frame,
                          const double point[3])
{
    const abut_scene_pose *pose = &reader->poses[joint->body];
    double axis[3], at[3], arm[3], linear[3] = {0, 0, 0}, force[3], torque[3];
    bool free = joint->type == ABUT_SCENE_FREE, slides = joint->type == ABUT_SCENE_SLIDE || (free && k < 3);
    abuti_v3_copy(axis, joint->axis);
    if (free || joint->type == ABUT_SCENE_BALL)
        for (int d = 0; d < 3; ++d) axis[d] = d == k % 3;
    if (!(free && k < 3)) abuti_quat_apply(axis, pose->quat, axis);
    abuti_quat_apply(at, pose->quat, joint->pos);
    abuti_v3_add(at, at, pose->pos);
    abuti_v3_sub(arm, point, at);
    abuti_v3_cross(linear, axis, arm);
    abuti_quat_apply(force, frame->quat, actuator->gear);
    abuti_quat_apply(torque, frame->quat, actuator->gear + 3);
    if (slides) return abuti_v3_dot(force, axis);
    return abuti_v3_dot(force, linear) + abuti_v3_dot(torque, axis);
}

static bool hangs_on(const abuti_reader *reader, int body, int ancestor)
{
    const abut_scene_body *bodies = reader->bodies.items;
    for (; body > 0; body = bodies[body].parent)
        if (body == ancestor) return true;
    return false;
}

static double site_mass(const abuti_reader *reader, const abut_scene_actuator *actuator)
{
    static const int widths[] = {6, 3, 1, 1};
    const abut_scene_site *sites = reader->sites.items, *site = &sites[actuator->target];
    const abut_scene_site *reference = actuator->reference >= 0 ? &sites[actuator->reference] : site;
    const abut_scene_joint *joints = reader->joints.items;
    abut_scene_pose at, frame;
    abuti_pose_compose(&at, &reader->poses[site->body], &site->pose);
    abuti_pose_compose(&frame, &reader->poses[reference->body], &reference->pose);
    double mass = 0;
    for (int j = 0; j < reader->joints.count; ++j) {
        bool mine = hangs_on(reader, site->body, joints[j].body);
        bool other = actuator->reference >= 0 && hangs_on(reader, reference->body, joints[j].body);
        if (mine == other) continue;
        const double *point = mine ? at.pos : frame.pos;
        for (int k = 0; k < widths[joints[j].type]; ++k) {
            double moment = site_moment(reader, actuator, &joints[j], k, &frame, point);
            if (moment * moment > ABUTI_TINY) mass += reader->m0[joints[j].qvel + k] / (moment * moment);
        }
    }
    return mass;
}

/* The inertia behind an actuator at the reference. */
static double felt_mass(const abuti_reader *reader, const abut_scene_actuator *actuator)
{
    const abut_scene_joint *joints = reader->joints.items;
    const abut_scene_tendon *tendons = reader->tendons.items;
    double mass = 0;
    if (actuator->transmission == ABUT_SCENE_ON_SITE) return site_mass(reader, actuator);
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        const abut_scene_tendon *tendon = &tendons[actuator->target];
        for (int i = 0; i < tendon->count; ++i) {
            double moment = tendon->coefs[i] * actuator->gear[0];
            if (moment * moment > ABUTI_TINY)
                mass += reader->m0[joints[tendon->joints[i]].qvel] / (moment * moment);
        }
        return mass;
    }
    const abut_scene_joint *joint = &joints[actuator->target];
    int width = joint->type == ABUT_SCENE_FREE ? 6 : joint->type == ABUT_SCENE_BALL ? 3 : 1;
    for (int k = 0; k < width; ++k) {
        double moment = actuator->gear[k];
        if (moment * moment > ABUTI_TINY) mass += reader->m0[joint->qvel + k] / (moment * moment);
    }
    return mass;
}

/* A positive bias on velocity in a servo is a damping ratio. It becomes a damping by the inertia that the actuator
 * feels; that is known when all actuators are there. */
void abuti_actuators_finish(abuti_reader *reader)
{
    abut_scene_actuator *actuators = reader->actuators.items;
    for (int i = 0; i < reader->actuators.count; ++i) {
        abut_scene_actuator *actuator = &actuators[i];
        bool fixed = actuator->gain[1] == 0 && actuator->gain[2] == 0 && !actuator->muscle_gain;
        if (fixed && actuator->bias[2] > 0 && actuator->gain[0] == -actuator->bias[1])
            actuator->bias[2] *= -2 * sqrt(actuator->gain[0] * felt_mass(reader, actuator));
    }
}
