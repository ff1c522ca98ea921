#include "scene_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder_of_scenes(void)
{
    const char *given = getenv("ABUT_SCENES");
    return given ? given : ABUT_SCENES_DIR;
}

static const char *text_of(const abut_scene *scene, const char *name)
{
    const abut_scene_custom *custom = abut_scene_find_custom(scene, name);
    return custom ? custom->text : NULL;
}

static bool fail(scene_run *r, const char *why)
{
    if (r->error.text[0] == '\0') snprintf(r->error.text, sizeof r->error.text, "%.120s: %s", r->path, why);
    return false;
}

/* Begins as the scene asks. */
static bool prepare(scene_run *r)
{
    const abut_scene *scene = r->scene;
    const abut_scene_custom *seconds = abut_scene_find_custom(scene, "abut_seconds");
    const char *control = text_of(scene, "abut_control");
    r->seconds = seconds && seconds->count == 1 ? seconds->numbers[0] : 5;
    r->steps = (long)(r->seconds / r->step + 0.5);
    r->keyframe = text_of(scene, "abut_keyframe");
    for (int i = 0; r->keyframe && i < scene->keyframe_count; ++i)
        if (strcmp(scene->keyframes[i].name, r->keyframe) == 0 &&
            abut_simulation_reset(r->simulation, i) != ABUT_OK)
            return fail(r, "its keyframe is not valid");
    if (!control) return true;
    snprintf(r->control_path, sizeof r->control_path, "%.500s/%.500s", folder_of_scenes(), control);
    return abuti_control_read(&r->control, r->control_path, scene->actuator_count, &r->error);
}

bool scene_run_open(scene_run *r, const char *name, const char *model)
{
    *r = (scene_run){.step = 0};
    snprintf(r->path, sizeof r->path, "%.500s/%.200s.xml", folder_of_scenes(), name);
    abut_world_def def;
    if (abut_scene_load(r->path, NULL, &r->scene, &r->error) != ABUT_OK ||
        abut_scene_world_def(r->scene, &def, &r->error) != ABUT_OK)
        return fail(r, "it cannot be read");
    if (model && !abut_contact_model_from_name(model, &def.model)) return fail(r, "no such model");
    if (def.model == ABUT_VISCOUS)
        def.contact.accel.impact_seconds = def.step; /* impacts have friction, too */
    r->step = def.step;
    if (abut_simulation_create(r->scene, &def, &r->simulation, &r->error) != ABUT_OK)
        return fail(r, "it cannot be run");
    return prepare(r);
}

bool scene_run_step(scene_run *r)
{
    abuti_control_apply(&r->control, (double)r->at++ * r->step, r->simulation->ctrl);
    return abut_simulation_step(r->simulation, &r->report) == ABUT_OK;
}

/* The velocity of a body at a point. */
static void velocity_at(const scene_run *r, abut_body_id body, const double point[3], double velocity[3])
{
    abut_body_state s;
    memset(velocity, 0, 3 * sizeof *velocity);
    if (abut_body_get_state(r->simulation->world, body, &s) != ABUT_OK) return;
    const double *w = s.velocity + 3;
    const double arm[3] = {point[0] - s.com[0], point[1] - s.com[1], point[2] - s.com[2]};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        velocity[k] = s.velocity[k] + w[i] * arm[j] - w[j] * arm[i];
    }
}

double scene_run_slip(const scene_run *r)
{
    double most = 0;
    for (int i = 0; i < abut_world_contact_count(r->simulation->world); ++i) {
        abut_world_contact c;
        double a[3], b[3], along = 0, square = 0;
        if (abut_world_get_contact(r->simulation->world, i, &c) != ABUT_OK || !(c.impulse[0] > 0)) continue;
        velocity_at(r, c.bodies[0], c.point, a);
        velocity_at(r, c.bodies[1], c.point, b);
        for (int k = 0; k < 3; ++k) along += c.normal[k] * (a[k] - b[k]);
        for (int k = 0; k < 3; ++k) square += pow(a[k] - b[k] - along * c.normal[k], 2);
        most = fmax(most, sqrt(square));
    }
    return most;
}

void scene_run_places(const scene_run *r, double *places)
{
    for (int i = 0; i < scene_run_bodies(r); ++i) {
        abut_body_state s;
        if (abut_body_get_state(r->simulation->world, r->simulation->bodies[i + 1], &s) == ABUT_OK)
            memcpy(places + 3 * i, s.position, sizeof s.position);
    }
}

int scene_run_bodies(const scene_run *r)
{
    return r->scene->body_count - 1;
}

void scene_run_close(scene_run *r)
{
    abuti_control_release(&r->control);
    abut_simulation_destroy(r->simulation);
    abut_scene_destroy(r->scene);
}
