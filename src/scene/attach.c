/* Tendons, actuators and equalities of a scene become tendons, motors and loops. */
#include "base/space.h"
#include "scene/simulation.h"

#include <math.h>
#include <string.h>

static abut_status add_tendon(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    const abut_scene_tendon *tendon = &scene->tendons[index];
    abuti_simulation *inside = abuti_inside(simulation);
    abut_joint_id *joints = abuti_pool_take(&inside->pool, (size_t)tendon->count * sizeof *joints);
    if (!joints) return abuti_decline(error, ABUT_OUT_OF_MEMORY, "tendon", tendon->name, "no memory");
    for (int i = 0; i < tendon->count; ++i) joints[i] = simulation->joints[tendon->joints[i]];
    abut_tendon_def def = abut_tendon_default_def();
    def.count = tendon->count;
    def.joints = joints;
    def.coefficients = tendon->coefs;
    def.limited = tendon->limited && scene->limits;
    def.lower = tendon->range[0];
    def.upper = tendon->range[1];
    def.stiffness = scene->springs ? tendon->stiffness[0] : 0;
    def.spring_lower = tendon->spring_range[0];
    def.spring_upper = tendon->spring_range[1];
    def.damping = scene->dampers ? tendon->damping[0] : 0;
    def.dry_friction = scene->friction_on ? tendon->frictionloss : 0;
    def.armature = tendon->armature;
    for (int k = 1; k < 3; ++k)
        if (tendon->stiffness[k] != 0 || tendon->damping[k] != 0) inside->extra = true;
    abut_error why = {""};
    abut_status status = abut_world_add_tendon(simulation->world, &def, &simulation->tendons[index], &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "tendon", tendon->name, why.text);
}

/* ---- motors ---- */

void abuti_force_bounds(const abut_scene *scene, const abut_scene_actuator *actuator, double bounds[2])
{
    bounds[0] = actuator->force_limited ? actuator->force_range[0] : -HUGE_VAL;
    bounds[1] = actuator->force_limited ? actuator->force_range[1] : HUGE_VAL;
    double gear = actuator->gear[0];
    const double *range = NULL;
    if (actuator->transmission <= ABUT_SCENE_ON_JOINT_PARENT &&
        scene->joints[actuator->target].actuator_limited)
        range = scene->joints[actuator->target].actuator_range;
    if (actuator->transmission == ABUT_SCENE_ON_TENDON && scene->tendons[actuator->target].actuator_limited) {
        /* A tendon's range bounds the forces of actuators before their gear. */
        range = scene->tendons[actuator->target].actuator_range;
        gear = 1;
    }
    if (!range || gear == 0) return;
    bounds[0] = fmax(bounds[0], range[gear > 0 ? 0 : 1] / gear);
    bounds[1] = fmin(bounds[1], range[gear > 0 ? 1 : 0] / gear);
}

/* Whether an actuator's force is computed at the beginning of the step (drive.c), and not by the world at the end. */
static bool drives_here(const abut_scene *scene, const abut_scene_actuator *actuator)
{
    bool of_lengths = actuator->bias[1] != 0 || actuator->gain[1] != 0;
    if (actuator->muscle_gain || actuator->muscle_bias) return true;
    switch (actuator->transmission) {
    case ABUT_SCENE_ON_JOINT: return scene->joints[actuator->target].type == ABUT_SCENE_BALL && of_lengths;
    case ABUT_SCENE_ON_JOINT_PARENT: return scene->joints[actuator->target].type <= ABUT_SCENE_BALL;
    case ABUT_SCENE_ON_TENDON: return false;
    case ABUT_SCENE_ON_SITE: return actuator->reference >= 0;
    case ABUT_SCENE_ON_CRANK:
    case ABUT_SCENE_ON_BODY: return true;
    }
    return true;
}

static abut_status add_motor(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    const abut_scene_actuator *actuator = &scene->actuators[index];
    abuti_simulation *inside = abuti_inside(simulation);
    abut_motor_def def = abut_motor_default_def();
    double bounds[2];
    inside->driven[index] = drives_here(scene, actuator);
    if (inside->driven[index]) return abuti_muscle_prepare(simulation, index, error);
    memcpy(def.gear, actuator->gear, sizeof def.gear);
    memcpy(def.bias, actuator->bias, sizeof def.bias);
    abuti_force_bounds(scene, actuator, bounds);
    def.force_limited = isfinite(bounds[0]) && isfinite(bounds[1]);
    if (def.force_limited) {
        def.force_lower = bounds[0];
        def.force_upper = bounds[1];
    }
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        def.target = ABUT_MOTOR_TENDON;
        def.tendon = simulation->tendons[actuator->target];
    } else if (actuator->transmission == ABUT_SCENE_ON_SITE) {
        const abut_scene_site *site = &scene->sites[actuator->target];
        if (!inside->moves[site->body]) return ABUT_OK;
        def.target = ABUT_MOTOR_SITE;
        def.body = simulation->bodies[site->body];
        memcpy(def.position, site->pose.pos, sizeof def.position);
        memcpy(def.rotation, site->pose.quat, sizeof def.rotation);
        def.bias[1] = 0; /* its length is zero */
    } else {
        def.joint = simulation->joints[actuator->target];
    }
    abut_error why = {""};
    abut_status status = abut_world_add_motor(simulation->world, &def, &simulation->motors[index], &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "actuator", actuator->name, why.text);
}

/* ---- loops ---- */

static void set_bodies(const abut_simulation *simulation, const abut_scene_equality *equality,
                       abut_loop_def *def)
{
    /* A loop names the world as its second body. */
    bool turned = equality->first == 0;
    int bodies[2] = {turned ? equality->second : equality->first,
                     turned ? equality->first : equality->second};
    const abut_scene_pose *frames[2] = {&equality->frames[turned ? 1 : 0], &equality->frames[turned ? 0 : 1]};
    double back[4];
    for (int i = 0; i < 2; ++i) {
        def->bodies[i] = simulation->bodies[bodies[i]];
        memcpy(def->points[i], frames[i]->pos, sizeof def->points[i]);
    }
    abuti_quat_conjugate(back, frames[1]->quat);
    abuti_quat_multiply(def->rotation, frames[0]->quat, back);
}

static abut_status add_loop(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene_equality *equality = &simulation->scene->equalities[index];
    const bool *moves = abuti_inside(simulation)->moves;
    bool of_bodies = equality->type == ABUT_SCENE_CONNECT || equality->type == ABUT_SCENE_WELD;
    if (of_bodies && !moves[equality->first] && !moves[equality->second]) return ABUT_OK;
    abut_loop_kind kind = equality->type == ABUT_SCENE_CONNECT ? ABUT_LOOP_CONNECT
                          : equality->type != ABUT_SCENE_WELD  ? ABUT_LOOP_COUPLE
                          : equality->rotation                 ? ABUT_LOOP_WELD
                                                               : ABUT_LOOP_CONNECT;
    abut_loop_def def = abut_loop_default_def(kind);
    def.active = equality->active;
    if (of_bodies) {
        set_bodies(simulation, equality, &def);
    } else {
        int both[2] = {equality->first, equality->second};
        for (int i = 0; i < 2; ++i) {
            if (both[i] >= 0 && equality->type == ABUT_SCENE_COUPLE)
                def.joints[i] = simulation->joints[both[i]];
            if (both[i] >= 0 && equality->type == ABUT_SCENE_TENDONS)
                def.tendons[i] = simulation->tendons[both[i]];
        }
        memcpy(def.polynomial, equality->coefs, sizeof def.polynomial);
    }
    abut_error why = {""};
    abut_status status = abut_world_add_loop(simulation->world, &def, NULL, &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "equality", equality->name, why.text);
}

abut_status abuti_add_attachments(abut_simulation *simulation, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    abut_status status = ABUT_OK;
    for (int i = 0; status == ABUT_OK && i < scene->tendon_count; ++i)
        status = add_tendon(simulation, i, error);
    for (int i = 0; status == ABUT_OK && scene->actuation && i < scene->actuator_count; ++i)
        status = add_motor(simulation, i, error);
    for (int i = 0; status == ABUT_OK && scene->equalities_on && i < scene->equality_count; ++i)
        status = add_loop(simulation, i, error);
    return status;
}
