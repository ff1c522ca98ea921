/* Tendons, actuators and equalities of a scene become tendons, motors and loops. */
#include "base/space.h"
#include "scene/simulation.h"

#include <string.h>

static abut_status add_tendon(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    const abut_scene_tendon *tendon = &scene->tendons[index];
    abuti_simulation *inside = abuti_inside(simulation);
    if (tendon->armature != 0)
        return abuti_decline(error, ABUT_UNSUPPORTED, "tendon", tendon->name, "armature is not supported");
    if (tendon->stiffness[1] != 0 || tendon->stiffness[2] != 0 || tendon->damping[1] != 0 ||
        tendon->damping[2] != 0)
        return abuti_decline(error, ABUT_UNSUPPORTED, "tendon", tendon->name,
                             "springs and dampers must be linear");
    abut_joint_id *joints = abuti_pool_take(&inside->pool, (size_t)tendon->count * sizeof *joints);
    if (joints == NULL) return abuti_decline(error, ABUT_OUT_OF_MEMORY, "tendon", tendon->name, "no memory");
    for (int i = 0; i < tendon->count; i++) joints[i] = simulation->joints[tendon->joints[i]];
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
    abut_error why = {""};
    abut_status status = abut_world_add_tendon(simulation->world, &def, &simulation->tendons[index], &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "tendon", tendon->name, why.text);
}

/* ---- motors ---- */

/* The force of an actuator stays in its own range, and in that of the joint it alone acts on. */
static void limit_force(const abut_scene *scene, const abut_scene_actuator *actuator, abut_motor_def *def)
{
    def->force_limited = actuator->force_limited;
    def->force_lower = actuator->force_range[0];
    def->force_upper = actuator->force_range[1];
    if (actuator->transmission != ABUT_SCENE_ON_JOINT && actuator->transmission != ABUT_SCENE_ON_JOINT_PARENT)
        return;
    const abut_scene_joint *joint = &scene->joints[actuator->target];
    double gear = actuator->gear[0];
    if (!joint->actuator_limited || gear == 0) return;
    double low = joint->actuator_range[gear > 0 ? 0 : 1] / gear,
           high = joint->actuator_range[gear > 0 ? 1 : 0] / gear;
    if (!def->force_limited || low > def->force_lower) def->force_lower = low;
    if (!def->force_limited || high < def->force_upper) def->force_upper = high;
    def->force_limited = true;
}

static abut_status add_motor(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    const abut_scene_actuator *actuator = &scene->actuators[index];
    abut_motor_def def = abut_motor_default_def();
    memcpy(def.gear, actuator->gear, sizeof def.gear);
    memcpy(def.bias, actuator->bias, sizeof def.bias);
    limit_force(scene, actuator, &def);
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        def.target = ABUT_MOTOR_TENDON;
        def.tendon = simulation->tendons[actuator->target];
    } else if (actuator->transmission == ABUT_SCENE_ON_SITE) {
        const abut_scene_site *site = &scene->sites[actuator->target];
        /* Between two sites: drive.c. On what does not move: nothing to do. */
        if (actuator->reference >= 0 || !abuti_inside(simulation)->moves[site->body]) return ABUT_OK;
        def.target = ABUT_MOTOR_SITE;
        def.body = simulation->bodies[site->body];
        memcpy(def.position, site->pose.pos, sizeof def.position);
        memcpy(def.rotation, site->pose.quat, sizeof def.rotation);
        def.bias[1] = 0; /* its length is zero */
    } else {
        abut_scene_joint_type type = scene->joints[actuator->target].type;
        if (actuator->transmission == ABUT_SCENE_ON_JOINT_PARENT &&
            (type == ABUT_SCENE_FREE || type == ABUT_SCENE_BALL))
            return abuti_decline(error, ABUT_UNSUPPORTED, "actuator", actuator->name,
                                 "a torque in the parent's frame is not supported");
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
    /* The world stands second. */
    bool turned = equality->first == 0;
    int bodies[2] = {turned ? equality->second : equality->first,
                     turned ? equality->first : equality->second};
    const abut_scene_pose *frames[2] = {&equality->frames[turned ? 1 : 0], &equality->frames[turned ? 0 : 1]};
    double back[4];
    for (int i = 0; i < 2; i++) {
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
        for (int i = 0; i < 2; i++) {
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
    for (int i = 0; status == ABUT_OK && i < scene->tendon_count; i++)
        status = add_tendon(simulation, i, error);
    for (int i = 0; status == ABUT_OK && scene->actuation && i < scene->actuator_count; i++)
        status = add_motor(simulation, i, error);
    for (int i = 0; status == ABUT_OK && scene->equalities_on && i < scene->equality_count; i++)
        status = add_loop(simulation, i, error);
    return status;
}
