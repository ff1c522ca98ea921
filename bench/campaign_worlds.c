#include "campaign_worlds.h"
#include "abut/world.h"
#include "io/contact_file.h"
#include "world_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding may add this part of the energy (of 1 J, if that is more). */
static const double rise_limit = 1e-9;

/* Over a run trees in gravity may gain this part of the largest kinetic energy so far, because the step is of first
 * order. */
static const double order_limit = 0.01;

/* What may become of the energy. Free bodies gain none in any step. Trees have no more than at the beginning, within
 * the order of their integrator. Movers do work, so that any energy is right. */
typedef enum energy_rule { NO_STEP_GAINS, WITHIN_ORDER, WORK_IS_DONE } energy_rule;

/* A kind of world: how it is made, how long it runs, and its rule. */
typedef struct world_kind {
    const char *name;
    void (*make)(world_scene *scene, bench_random *random);
    int steps;
    energy_rule rule;
} world_kind;

typedef struct state {
    const world_kind *kind;
    world_scene *scene; /* the last world, as it was after the step that must not happen */
} state;

static void make_drops(world_scene *scene, bench_random *random)
{
    world_scene_fill(scene, "drops", 6 + bench_below(random, 7), (unsigned)bench_random_bits(random));
}

/* A ring of links that hangs on the ground at both of its ends; each hinge may turn some way to either side. */
static void make_rings(world_scene *scene, bench_random *random)
{
    enum { LINKS_MAX = 9 };
    int links = 4 + bench_below(random, LINKS_MAX - 3);
    double length = 0.3, turn = 6.283185307179586 / (links + 1);
    abut_body_id link = {0};
    abut_loop_def loop = abut_loop_default_def(ABUT_LOOP_CONNECT);
    for (int i = 0; i < links; ++i) {
        abut_body_def body = abut_body_default_def();
        abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
        double mass = bench_uniform(random, 0.2, 2), range = bench_uniform(random, 0.05, 0.8);
        body.parent = link;
        body.position[0] = i ? length : 0;
        body.position[2] = i ? 0 : 5;
        body.rotation[0] = cos(0.5 * turn);
        body.rotation[2] = sin(0.5 * turn);
        body.mass = mass;
        body.com[0] = 0.5 * length;
        for (int k = 0; k < 3; ++k) body.inertia[k] = mass * (k == 0 ? 0.001 : 0.009);
        memcpy(hinge.axis, (double[3]){0, 1, 0}, sizeof hinge.axis);
        hinge.limited = bench_below(random, 4) > 0;
        hinge.lower = -range;
        hinge.upper = range;
        bool fine = abut_world_add_body(scene->world, &body, &link, NULL) == ABUT_OK &&
                    abut_world_add_joint(scene->world, link, &hinge, NULL, NULL) == ABUT_OK;
        if (!fine) scene->failures++;
    }
    abut_body_state end;
    if (abut_body_get_state(scene->world, link, &end) != ABUT_OK) scene->failures++;
    double x = 1 - 2 * end.rotation[2] * end.rotation[2], z = -2 * end.rotation[0] * end.rotation[2];
    loop.bodies[0] = link;
    loop.points[0][0] = length;
    loop.points[1][0] = end.position[0] + x * length;
    loop.points[1][2] = end.position[2] + z * length;
    if (abut_world_add_loop(scene->world, &loop, NULL, NULL) != ABUT_OK) scene->failures++;
    double speeds[LINKS_MAX];
    for (int i = 0; i < links; ++i) speeds[i] = bench_uniform(random, -3, 3);
    if (abut_world_set_velocities(scene->world, speeds) != ABUT_OK) scene->failures++;
}

/* Bodies on a floor before a wall, and a mover that comes towards it and goes on. */
static void make_squeezes(world_scene *scene, bench_random *random)
{
    abut_body_def mover = abut_body_default_def();
    abut_collider_def plate = abut_collider_default_def();
    abut_body_id id;
    int bodies = 1 + bench_below(random, 3);
    double speed = bench_uniform(random, 0.1, 1);
    world_scene_plane(scene, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, 0.5);
    world_scene_plane(scene, (double[3]){0.6, 0, 0}, (double[3]){-1, 0, 0}, 0.5);
    mover.kind = ABUT_KINEMATIC;
    mover.position[0] = -0.8;
    mover.position[2] = 0.5;
    plate.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 1, 0.45}};
    bool fine = abut_world_add_body(scene->world, &mover, &id, NULL) == ABUT_OK &&
                abut_world_add_collider(scene->world, id, &plate, NULL, NULL) == ABUT_OK &&
                abut_body_set_motion(scene->world, id, mover.position, (double[4]){1, 0, 0, 0},
                                     (double[6]){speed, 0, 0, 0, 0, 0}) == ABUT_OK;
    if (!fine) scene->failures++;
    for (int i = 0; i < bodies; ++i) {
        double r = bench_uniform(random, 0.08, 0.15), rotation[4], x = 0.35 * i - 0.4;
        abut_shape shapes[3] = {{.kind = ABUT_SPHERE, .radius = r},
                                {.kind = ABUT_BOX, .half = {r, r, r}},
                                {.kind = ABUT_CYLINDER, .radius = r, .half_length = r}};
        int shape = bench_below(random, 3);
        for (int k = 0; k < 4; ++k)
            rotation[k] = bench_below(random, 2) ? k == 0 : bench_uniform(random, -1, 1);
        if (!(fabs(rotation[0]) + fabs(rotation[1]) > 0)) rotation[0] = 1;
        world_scene_add(scene, &shapes[shape], (double[3]){x, 0, 0.27}, rotation, 1000, 0.5);
    }
}

static const world_kind kinds[] = {{"drops", make_drops, 960, NO_STEP_GAINS},
                                   {"rings", make_rings, 960, WITHIN_ORDER},
                                   {"squeezes", make_squeezes, 480, WORK_IS_DONE},
                                   {0}};

void worlds_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    world_scene_destroy(s->scene);
    free(s);
}

void *worlds_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    for (s->kind = kinds; s->kind->name && strcmp(s->kind->name, family->name) != 0;) s->kind++;
    if (s->kind->name) return s;
    free(s);
    return NULL;
}

/* J: the energy that no step may pass, but for the order's share of `kinetic`, the largest kinetic energy so far. */
typedef struct energy_bound {
    double most, kinetic;
} energy_bound;

/* Takes one step; false when something happened that must not. */
static bool step_is_right(const state *s, energy_bound *bound, stress_verdict *verdict)
{
    abut_step_report report;
    if (abut_world_step(s->scene->world, &report) != ABUT_OK) return false;
    double now = report.kinetic + report.potential;
    bool gained = now > bound->most + (s->kind->rule == WITHIN_ORDER ? order_limit * bound->kinetic : 0);
    bound->kinetic = fmax(bound->kinetic, report.kinetic);
    if (s->kind->rule == NO_STEP_GAINS || (s->kind->rule == WITHIN_ORDER && report.steps == 1))
        bound->most = now + rise_limit * fmax(1, fabs(now));
    verdict->residual = fmax(verdict->residual, report.residual);
    if (report.outcome != ABUT_SOLVED) verdict->outcome = report.outcome;
    bool counted = report.outcome == ABUT_SOLVED || report.unsolved > 0;
    return isfinite(now) && counted && !gained;
}

stress_verdict worlds_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    stress_verdict verdict = {.outcome = ABUT_SOLVED};
    world_scene_destroy(s->scene);
    s->scene = world_scene_create(1.0 / 240, NULL);
    if (!s->scene) return (stress_verdict){.outcome = ABUT_FAILED};
    s->kind->make(s->scene, random);
    energy_bound bound = {.most = INFINITY};
    bool right = s->scene->failures == 0;
    for (int i = 0; right && i < s->kind->steps; ++i) right = step_is_right(s, &bound, &verdict);
    verdict.accepted = right && world_scene_outside(s->scene) == 0;
    return verdict;
}

bool worlds_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    abut_contact_options options = abut_contact_default_options();
    const abut_contact_problem *problem = s->scene ? abut_world_last_problem(s->scene->world) : NULL;
    return problem && abuti_contact_write_capsule(file, problem, &options, &error);
}
