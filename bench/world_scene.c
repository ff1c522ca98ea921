/* Worlds for tests and benchmarks: world_scene.h. */
#include "world_scene.h"
#include "timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

world_scene *world_scene_create_from(const abut_world_def *def)
{
    world_scene *scene = calloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->step = def->step;
    if (abut_world_create(def, NULL, &scene->world, NULL) != ABUT_OK) {
        free(scene);
        return NULL;
    }
    return scene;
}

world_scene *world_scene_create(double step, const double gravity[3])
{
    abut_world_def def = abut_world_default_def();
    def.step = step;
    if (gravity) memcpy(def.gravity, gravity, sizeof def.gravity);
    return world_scene_create_from(&def);
}

void world_scene_destroy(world_scene *scene)
{
    if (!scene) return;
    abut_world_destroy(scene->world);
    for (int i = 0; i < scene->convex_count; ++i) abut_convex_destroy(scene->convex[i]);
    free(scene);
}

/* The rotation that takes z to a unit vector. */
static void turn_to(const double axis[3], double rotation[4])
{
    double w = 1 + axis[2];
    if (w < 1e-9) {
        memcpy(rotation, (double[4]){0, 1, 0, 0}, 4 * sizeof *rotation);
        return;
    }
    double length = sqrt(w * w + axis[0] * axis[0] + axis[1] * axis[1]);
    rotation[0] = w / length;
    rotation[1] = -axis[1] / length;
    rotation[2] = axis[0] / length;
    rotation[3] = 0;
}

void world_scene_plane(world_scene *scene, const double point[3], const double normal[3], double friction)
{
    abut_collider_def def = abut_collider_default_def();
    def.shape.kind = ABUT_PLANE;
    def.friction = friction;
    memcpy(def.position, point, sizeof def.position);
    turn_to(normal, def.rotation);
    if (abut_world_add_collider(scene->world, (abut_body_id){0}, &def, NULL, NULL) != ABUT_OK)
        scene->failures++;
}

abut_body_id world_scene_add(world_scene *scene, const abut_shape *shape, const double position[3],
                             const double rotation[4], double density, double friction)
{
    abut_body_def body = abut_body_default_def();
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
    abut_collider_def collider = abut_collider_default_def();
    abut_body_id id = {0};
    memcpy(body.position, position, sizeof body.position);
    if (rotation) memcpy(body.rotation, rotation, sizeof body.rotation);
    collider.shape = *shape;
    collider.density = density;
    collider.friction = friction;
    bool fine = scene->count < WORLD_SCENE_BODIES &&
                abut_world_add_body(scene->world, &body, &id, NULL) == ABUT_OK &&
                abut_world_add_joint(scene->world, id, &joint, NULL, NULL) == ABUT_OK &&
                abut_world_add_collider(scene->world, id, &collider, NULL, NULL) == ABUT_OK;
    if (!fine)
        scene->failures++;
    else
        scene->bodies[scene->count++] = id;
    return id;
}

abut_body_id world_scene_box(world_scene *scene, double hx, double hy, double hz, double x, double y,
                             double z, double density, double friction)
{
    abut_shape shape = {.kind = ABUT_BOX, .half = {hx, hy, hz}};
    return world_scene_add(scene, &shape, (double[3]){x, y, z}, NULL, density, friction);
}

/* ------------------------------------------------------------------------------------------------
 * Running */

static void note(world_scene *scene, const abut_step_report *report, double *energy)
{
    scene->steps++;
    scene->unsolved += report->unsolved + (report->outcome != ABUT_SOLVED && report->unsolved == 0);
    scene->residual = fmax(scene->residual, report->residual);
    scene->penetration = fmax(scene->penetration, report->penetration);
    scene->loop_error = fmax(scene->loop_error, report->loop_error);
    scene->contacts += report->contacts;
    scene->pivots += report->pivots;
    double now = report->kinetic + report->potential;
    if (now - *energy > scene->rise) scene->rise = now - *energy;
    *energy = now;
    for (int k = 0; k < ABUT_STEP_STAGES; ++k) scene->seconds[k] += report->seconds[k];
}

void world_scene_run(world_scene *scene, int steps, double *us)
{
    for (int i = 0; i < scene->count; ++i) {
        if (abut_body_get_state(scene->world, scene->bodies[i], &scene->start[i]) != ABUT_OK)
            scene->failures++;
    }
    double energy = INFINITY;
    for (int i = 0; i < steps; ++i) {
        abut_step_report report;
        double start = bench_now_us();
        abut_status status = abut_world_step(scene->world, &report);
        if (us) us[i] = bench_now_us() - start;
        if (status == ABUT_OK)
            note(scene, &report, &energy);
        else
            scene->failures++;
    }
}

double world_scene_drift(const world_scene *scene)
{
    double most = 0;
    for (int i = 0; i < scene->count; ++i) {
        abut_body_state now;
        abut_body_get_state(scene->world, scene->bodies[i], &now);
        double square = 0;
        for (int k = 0; k < 3; ++k) square += pow(now.com[k] - scene->start[i].com[k], 2);
        most = fmax(most, sqrt(square));
    }
    return most;
}

double world_scene_turn(const world_scene *scene)
{
    double most = 0;
    for (int i = 0; i < scene->count; ++i) {
        abut_body_state now;
        abut_body_get_state(scene->world, scene->bodies[i], &now);
        const double *a = now.rotation, *b = scene->start[i].rotation;
        /* The vector part of a times the conjugate of b. */
        double x = -a[0] * b[1] + a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
        double y = -a[0] * b[2] + a[1] * b[3] + a[2] * b[0] - a[3] * b[1];
        double z = -a[0] * b[3] - a[1] * b[2] + a[2] * b[1] + a[3] * b[0];
        most = fmax(most, 2 * sqrt(x * x + y * y + z * z));
    }
    return most;
}

int world_scene_outside(const world_scene *scene)
{
    int outside = 0;
    for (int i = 0; i < scene->count; ++i) {
        abut_body_state now;
        abut_body_get_state(scene->world, scene->bodies[i], &now);
        double x = fabs(now.com[0]), y = fabs(now.com[1]);
        bool inside = scene->wide == 0 || (x < scene->wide && y < scene->wide && now.com[2] > 0);
        outside += !(inside && isfinite(x + y + now.com[2]));
    }
    return outside;
}
