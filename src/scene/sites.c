/* Actuators that act between sites, and on what a body touches. */
#include "base/angle.h"
#include "base/space.h"
#include "scene/simulation.h"

#include <math.h>
#include <string.h>

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

/* The opposite wrench on the second body. */
static void oppose(abuti_pull *pull)
{
    abuti_v3_scale(pull->forces[1], -1, pull->forces[0]);
    abuti_v3_scale(pull->torques[1], -1, pull->torques[0]);
}

/* The nearest body that both a and b hang on, where each counts as hanging on itself. */
static int common_body(const abut_scene *scene, int a, int b)
{
    while (a != b) {
        if (a > b)
            a = scene->bodies[a].parent;
        else
            b = scene->bodies[b].parent;
    }
    return a;
}

/* The body that carries both sites is pull->bodies[2]. The actuator must not move it as a whole, so it takes the
 * moment of the two forces, which act at different points; and its turning does not count as velocity. */
static abut_status leave_common(abut_simulation *simulation, const double arm[3], abuti_pull *pull)
{
    abut_body_state state;
    double turning[3];
    pull->bodies[2] = common_body(simulation->scene, pull->bodies[0], pull->bodies[1]);
    if (!abuti_inside(simulation)->moves[pull->bodies[2]]) return ABUT_OK;
    abut_status status = abut_body_get_state(simulation->world, simulation->bodies[pull->bodies[2]], &state);
    if (status != ABUT_OK) return status;
    abuti_v3_cross(pull->torques[2], pull->forces[0], arm);
    abuti_v3_cross(turning, state.velocity + 3, arm);
    pull->velocity -= abuti_v3_dot(pull->forces[0], turning);
    return ABUT_OK;
}

static abut_status pull_of_one(abut_simulation *simulation, const abut_scene_actuator *actuator,
                               abuti_pull *pull)
{
    site_state site;
    abut_status status = look_at_site(simulation, actuator->target, &site);
    if (status != ABUT_OK) return status;
    pull->bodies[0] = simulation->scene->sites[actuator->target].body;
    abuti_v3_copy(pull->points[0], site.pos);
    abuti_quat_apply(pull->forces[0], site.quat, actuator->gear);
    abuti_quat_apply(pull->torques[0], site.quat, actuator->gear + 3);
    pull->velocity =
        abuti_v3_dot(pull->forces[0], site.linear) + abuti_v3_dot(pull->torques[0], site.angular);
    return ABUT_OK;
}

/* A wrench at the site, along gear in the frame of the site. With a reference site, gear is in the frame of the
 * reference, and the opposite wrench acts on the body of the reference. */
abut_status abuti_pull_of_sites(abut_simulation *simulation, const abut_scene_actuator *actuator,
                                abuti_pull *pull)
{
    const abut_scene *scene = simulation->scene;
    site_state site, reference;
    double arm[3], difference[3], back[4], turned[4], angle[3], relative[3], spin[3];
    *pull = (abuti_pull){0};
    if (actuator->reference < 0) return pull_of_one(simulation, actuator, pull);
    abut_status status = look_at_site(simulation, actuator->target, &site);
    if (status == ABUT_OK) status = look_at_site(simulation, actuator->reference, &reference);
    if (status != ABUT_OK) return status;
    pull->bodies[0] = scene->sites[actuator->target].body;
    pull->bodies[1] = scene->sites[actuator->reference].body;
    abuti_v3_copy(pull->points[0], site.pos);
    abuti_v3_copy(pull->points[1], reference.pos);
    abuti_v3_sub(arm, site.pos, reference.pos);
    abuti_quat_conjugate(back, reference.quat);
    abuti_quat_apply(difference, back, arm);
    abuti_quat_multiply(turned, back, site.quat);
    abuti_quat_to_vector(angle, turned);
    abuti_quat_apply(pull->forces[0], reference.quat, actuator->gear);
    abuti_quat_apply(pull->torques[0], reference.quat, actuator->gear + 3);
    oppose(pull);
    abuti_v3_sub(relative, site.linear, reference.linear);
    abuti_v3_sub(spin, site.angular, reference.angular);
    pull->length = abuti_v3_dot(actuator->gear, difference) + abuti_v3_dot(actuator->gear + 3, angle);
    pull->velocity = abuti_v3_dot(pull->forces[0], relative) + abuti_v3_dot(pull->torques[0], spin);
    return leave_common(simulation, arm, pull);
}

/* A rod of fixed length leads from the crank's pin to a slider on the z axis of the slider's site. The actuator's
 * length is how far along that axis the slider is. With a the axis, v the way from the slider's site to the pin, and r
 * the length of the rod: length = a.v - sqrt((a.v)^2 + r^2 - v.v), or a.v where the rod is too short. */
abut_status abuti_pull_of_crank(abut_simulation *simulation, const abut_scene_actuator *actuator,
                                abuti_pull *pull)
{
    const abut_scene *scene = simulation->scene;
    site_state slider, pin;
    abut_status status = look_at_site(simulation, actuator->target, &slider);
    if (status == ABUT_OK) status = look_at_site(simulation, actuator->reference, &pin);
    if (status != ABUT_OK) return status;
    *pull =
        (abuti_pull){.bodies = {scene->sites[actuator->reference].body, scene->sites[actuator->target].body}};
    double axis[3], arm[3], along_arm[3], along_axis[3], turning[3], relative[3];
    double gear = actuator->gear[0], rod = actuator->crank_length;
    abuti_quat_apply(axis, slider.quat, (const double[3]){0, 0, 1});
    abuti_v3_sub(arm, pin.pos, slider.pos);
    double along = abuti_v3_dot(axis, arm), under = along * along + rod * rod - abuti_v3_dot(arm, arm);
    double root = under > 0 ? sqrt(under) : 0, stretch = under > 0 ? 1 - along / root : 1;
    /* Derivatives of the length by v and by a. */
    for (int k = 0; k < 3; ++k) {
        along_arm[k] = gear * (axis[k] * stretch + (under > 0 ? arm[k] / root : 0));
        along_axis[k] = gear * arm[k] * stretch;
    }
    abuti_v3_copy(pull->forces[0], along_arm);
    oppose(pull);
    abuti_v3_cross(pull->torques[1], axis, along_axis);
    abuti_v3_copy(pull->points[0], pin.pos);
    abuti_v3_copy(pull->points[1], slider.pos);
    abuti_v3_sub(relative, pin.linear, slider.linear);
    abuti_v3_cross(turning, slider.angular, axis);
    pull->length = gear * (along - root);
    pull->velocity = abuti_v3_dot(along_arm, relative) + abuti_v3_dot(along_axis, turning);
    return ABUT_OK;
}

abut_status abuti_pull_by(abut_simulation *simulation, const abuti_pull *pull, double size)
{
    for (int i = 0; i < 3; ++i) {
        double force[3], torque[3];
        if (!abuti_inside(simulation)->moves[pull->bodies[i]]) continue;
        abuti_v3_scale(force, size, pull->forces[i]);
        abuti_v3_scale(torque, size, pull->torques[i]);
        abut_status status = abut_body_apply_force(simulation->world, simulation->bodies[pull->bodies[i]],
                                                   force, pull->points[i], torque);
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

static bool same(abut_body_id a, abut_body_id b)
{
    return a.index == b.index;
}

abut_status abuti_adhere(abut_simulation *simulation, int body, double size)
{
    const abut_world *world = simulation->world;
    abut_body_id id = simulation->bodies[body];
    abut_world_contact contact;
    int count = abut_world_contact_count(world), mine = 0;
    /* The first pass counts the contacts of the body, the second gives each its part of the force. */
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < count; ++i) {
            abut_status status = abut_world_get_contact(world, i, &contact);
            if (status != ABUT_OK) return status;
            if (!same(contact.bodies[0], id) && !same(contact.bodies[1], id)) continue;
            if (pass == 0) mine++;
            for (int side = 0; pass == 1 && side < 2; ++side) {
                double force[3];
                if (contact.bodies[side].index == 0) continue;
                /* The normal points towards the first body, which is pulled against it; the second is pulled along. */
                abuti_v3_scale(force, (side == 0 ? -size : size) / mine, contact.normal);
                status = abut_body_apply_force(simulation->world, contact.bodies[side], force, contact.point,
                                               NULL);
                if (status != ABUT_OK) return status;
            }
        }
    }
    return ABUT_OK;
}
