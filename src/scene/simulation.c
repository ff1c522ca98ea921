#include "scene/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

abuti_simulation *abuti_inside(const abut_simulation *simulation)
{
    return simulation->memory;
}

abut_status abuti_decline(abut_error *error, abut_status status, const char *what, const char *name,
                          const char *why)
{
    if (error)
        snprintf(error->text, sizeof error->text, "%s%s%.60s%s: %.150s", what, *name ? " '" : "", name,
                 *name ? "'" : "", why);
    return status;
}

/* ---- the world's definition ---- */

abut_status abut_scene_world_def(const abut_scene *scene, abut_world_def *def, abut_error *error)
{
    if (!scene || !def) return ABUT_INVALID_ARGUMENT;
    *def = abut_world_default_def();
    memcpy(def->gravity, scene->gravity, sizeof def->gravity);
    def->step = scene->timestep;
    const abut_scene_custom *custom = abut_scene_find_custom(scene, "abut_model");
    if (custom && (!custom->text || !abut_contact_model_from_name(custom->text, &def->model)))
        return abuti_decline(error, ABUT_INVALID_ARGUMENT, "custom", "abut_model",
                             "expected a text, the name of a model");
    custom = abut_scene_find_custom(scene, "abut_solver");
    if (custom && (!custom->text || !abut_contact_solver_from_name(custom->text, &def->contact.solver)))
        return abuti_decline(error, ABUT_INVALID_ARGUMENT, "custom", "abut_solver",
                             "expected a text, the name of a solver");
    custom = abut_scene_find_custom(scene, "abut_cone");
    if (custom && (!custom->text || !abut_contact_cone_from_name(custom->text, &def->cone) ||
                   def->cone == ABUT_CONE_ELLIPSE))
        return abuti_decline(error, ABUT_INVALID_ARGUMENT, "custom", "abut_cone",
                             "expected a text, polygon or circle");
    custom = abut_scene_find_custom(scene, "abut_directions");
    if (!custom) return ABUT_OK;
    if (custom->count != 1 || !(custom->numbers[0] >= 2 && custom->numbers[0] <= 64))
        return abuti_decline(error, ABUT_INVALID_ARGUMENT, "custom", "abut_directions",
                             "expected a number from 2 to 64");
    def->directions = (int)custom->numbers[0];
    return ABUT_OK;
}

/* ---- bodies and joints ---- */

/* Whether something that hangs on it has joints. */
static bool carries_joints(const abut_scene *scene, int body)
{
    for (int i = body + 1; i < scene->body_count; ++i) {
        int above = i;
        while (above > body) above = scene->bodies[above].parent;
        if (above == body && scene->bodies[i].joint_count > 0) return true;
    }
    return false;
}

static abut_status add_body(abut_simulation *simulation, int index, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    const abut_scene_body *body = &scene->bodies[index];
    abuti_simulation *inside = abuti_inside(simulation);
    inside->moves[index] = body->joint_count > 0 || inside->moves[body->parent];
    abut_body_def def = abut_body_default_def();
    def.parent = simulation->bodies[body->parent];
    memcpy(def.position, body->pose.pos, sizeof def.position);
    memcpy(def.rotation, body->pose.quat, sizeof def.rotation);
    def.mass = body->mass;
    memcpy(def.com, body->com, sizeof def.com);
    memcpy(def.inertia, body->inertia, sizeof def.inertia);
    def.gravity_scale = 1 - body->gravcomp;
    if (!inside->moves[index]) {
        /* A body that stands still needs no inertia, and the file need not give one. */
        def.mass = 0;
        if (body->mocap && !carries_joints(scene, index)) def.kind = ABUT_KINEMATIC;
    }
    abut_error why = {""};
    abut_status status = abut_world_add_body(simulation->world, &def, &simulation->bodies[index], &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "body", body->name, why.text);
}

static abut_status add_joint(abut_simulation *simulation, int index, abut_error *error)
{
    static const abut_joint_kind kinds[] = {[ABUT_SCENE_FREE] = ABUT_JOINT_FREE,
                                            [ABUT_SCENE_BALL] = ABUT_JOINT_BALL,
                                            [ABUT_SCENE_SLIDE] = ABUT_JOINT_SLIDE,
                                            [ABUT_SCENE_HINGE] = ABUT_JOINT_HINGE};
    const abut_scene *scene = simulation->scene;
    const abut_scene_joint *joint = &scene->joints[index];
    abut_joint_def def = abut_joint_default_def(kinds[joint->type]);
    memcpy(def.anchor, joint->pos, sizeof def.anchor);
    memcpy(def.axis, joint->axis, sizeof def.axis);
    def.reference = joint->ref;
    def.limited = joint->limited && scene->limits;
    def.lower = joint->range[0];
    def.upper = joint->range[1];
    def.stiffness = scene->springs ? joint->stiffness[0] : 0;
    def.spring_reference = joint->springref;
    def.damping = scene->dampers ? joint->damping[0] : 0;
    def.armature = joint->armature;
    def.dry_friction = scene->friction_on ? joint->frictionloss : 0;
    abut_error why = {""};
    abut_status status = abut_world_add_joint(simulation->world, simulation->bodies[joint->body], &def,
                                              &simulation->joints[index], &why);
    if (status != ABUT_OK) return abuti_decline(error, status, "joint", joint->name, why.text);
    for (int k = 1; k < 3; ++k)
        if (joint->stiffness[k] != 0 || joint->damping[k] != 0) abuti_inside(simulation)->extra = true;
    return ABUT_OK;
}

/* ---- the whole ---- */

static abut_status take_memory(abut_simulation *simulation, abuti_pool *pool)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    size_t nq = (size_t)scene->nq + 1, nv = (size_t)scene->nv + 1, bodies = (size_t)scene->body_count;
    size_t actuators = (size_t)scene->actuator_count + 1;
#define TAKE(array, count) ((array) = abuti_pool_take(pool, (size_t)(count) * sizeof *(array))) == NULL
    if (TAKE(simulation->bodies, bodies) || TAKE(simulation->joints, scene->joint_count + 1) ||
        TAKE(simulation->colliders, scene->geom_count + 1) ||
        TAKE(simulation->tendons, scene->tendon_count + 1) || TAKE(simulation->motors, actuators) ||
        TAKE(simulation->ctrl, actuators) || TAKE(simulation->act, actuators) ||
        TAKE(inside->convexes, scene->mesh_count + 1) || TAKE(inside->fields, scene->hfield_count + 1) ||
        TAKE(inside->q, nq) || TAKE(inside->v, nv) || TAKE(inside->forces, nv) ||
        TAKE(inside->boxes, bodies) || TAKE(inside->box_axes, bodies) ||
        TAKE(inside->paired, scene->geom_count + 1) || TAKE(inside->driven, actuators) ||
        TAKE(inside->peaks, actuators) || TAKE(inside->moves, bodies))
        return ABUT_OUT_OF_MEMORY;
#undef TAKE
    return ABUT_OK;
}

static abut_status fill(abut_simulation *simulation, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    abut_status status = ABUT_OK;
    for (int i = 1; status == ABUT_OK && i < scene->body_count; ++i) status = add_body(simulation, i, error);
    for (int i = 0; status == ABUT_OK && i < scene->joint_count; ++i)
        status = add_joint(simulation, i, error);
    if (status == ABUT_OK && scene->contacts) status = abuti_add_colliders(simulation, error);
    if (status == ABUT_OK) status = abuti_add_attachments(simulation, error);
    if (status == ABUT_OK && (scene->density > 0 || scene->viscosity > 0)) abuti_measure_boxes(simulation);
    return status;
}

abut_status abut_simulation_create(const abut_scene *scene, const abut_world_def *def,
                                   abut_simulation **simulation, abut_error *error)
{
    if (!scene || !def || !simulation) return ABUT_INVALID_ARGUMENT;
    *simulation = NULL;
    if (error) error->text[0] = '\0';
    abut_simulation *made = calloc(1, sizeof *made);
    abuti_simulation *inside = calloc(1, sizeof *inside);
    abut_status status = made && inside ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    if (status != ABUT_OK) {
        free(made);
        free(inside);
        return abuti_decline(error, status, "simulation", "", "out of memory");
    }
    made->scene = scene;
    made->memory = inside;
    inside->step = def->step;
    status = take_memory(made, &inside->pool);
    if (status == ABUT_OK) status = abut_world_create(def, NULL, &made->world, error);
    if (status == ABUT_OK) status = fill(made, error);
    if (status == ABUT_OK) status = abut_simulation_reset(made, -1);
    if (status == ABUT_OK) status = abuti_muscle_peaks(made);
    if (status == ABUT_OK) *simulation = made;
    if (status != ABUT_OK) abut_simulation_destroy(made);
    return status;
}

void abut_simulation_destroy(abut_simulation *simulation)
{
    if (!simulation) return;
    abuti_simulation *inside = abuti_inside(simulation);
    if (simulation->world) abut_world_destroy(simulation->world);
    for (int i = 0; inside->convexes && i < simulation->scene->mesh_count; ++i)
        abut_convex_destroy(inside->convexes[i]);
    abuti_pool_release(&inside->pool);
    free(inside);
    free(simulation);
}

/* Mocap bodies stand where the keyframe says, and stay. */
static abut_status place_mocap(abut_simulation *simulation, const abut_scene_keyframe *key)
{
    const abut_scene *scene = simulation->scene;
    static const double still[6] = {0};
    int at = 0;
    for (int i = 1; i < scene->body_count; ++i) {
        const abut_scene_body *body = &scene->bodies[i];
        if (!body->mocap) continue;
        const double *pos = key && key->mocap_pos ? key->mocap_pos + 3 * at : body->pose.pos;
        const double *quat = key && key->mocap_quat ? key->mocap_quat + 4 * at : body->pose.quat;
        at++;
        if (carries_joints(scene, i)) continue;
        abut_status status = abut_body_set_motion(simulation->world, simulation->bodies[i], pos, quat, still);
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

abut_status abut_simulation_reset(abut_simulation *simulation, int keyframe)
{
    if (!simulation || keyframe >= simulation->scene->keyframe_count) return ABUT_INVALID_ARGUMENT;
    const abut_scene *scene = simulation->scene;
    const abut_scene_keyframe *key = keyframe >= 0 ? &scene->keyframes[keyframe] : NULL;
    abuti_simulation *inside = abuti_inside(simulation);
    memset(inside->v, 0, ((size_t)scene->nv + 1) * sizeof *inside->v);
    memset(simulation->act, 0, ((size_t)scene->actuator_count + 1) * sizeof *simulation->act);
    memset(simulation->ctrl, 0, ((size_t)scene->actuator_count + 1) * sizeof *simulation->ctrl);
    if (key && key->qvel) memcpy(inside->v, key->qvel, (size_t)scene->nv * sizeof *inside->v);
    if (key && key->ctrl)
        memcpy(simulation->ctrl, key->ctrl, (size_t)scene->actuator_count * sizeof *simulation->ctrl);
    for (int i = 0, at = 0; key && key->act && i < scene->actuator_count; ++i)
        if (scene->actuators[i].dynamics != ABUT_SCENE_DIRECT) simulation->act[i] = key->act[at++];
    abut_status status =
        abut_world_set_positions(simulation->world, key && key->qpos ? key->qpos : scene->qpos0);
    if (status == ABUT_OK) status = abut_world_set_velocities(simulation->world, inside->v);
    return status == ABUT_OK ? place_mocap(simulation, key) : status;
}

abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report)
{
    if (!simulation) return ABUT_INVALID_ARGUMENT;
    double step = abuti_inside(simulation)->step;
    abut_status status = abuti_drive(simulation, step);
    if (status == ABUT_OK) status = abuti_apply_drag(simulation, step);
    if (status != ABUT_OK || simulation->scene->nv > 0)
        return status == ABUT_OK ? abut_world_step(simulation->world, report) : status;
    /* Where nothing can move, only time passes. */
    simulation->still_steps++;
    if (report)
        *report = (abut_step_report){.time = (double)simulation->still_steps * step,
                                     .steps = simulation->still_steps};
    return ABUT_OK;
}
