/* The step, as a list of stages, each of which is timed. */
#include "base/angle.h"
#include "base/clock.h"
#include "base/space.h"
#include "world/energy.h"
#include "world/free.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/mechanics.h"
#include "world/project.h"
#include "world/read.h"
#include "world/remember.h"
#include "world/rows.h"
#include "world/solve.h"
#include "world/topology.h"
#include <string.h>

static abut_status memory_or(bool fine)
{
    return fine ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/* Mass matrices, everything that acts, and the rows of joints. */
static abut_status find_forces(abut_world *world)
{
    bool fine = abuti_find_mass(world) && abuti_find_bias(world) && abuti_find_forces(world, true);
    if (!fine) return ABUT_OUT_OF_MEMORY;
    abuti_find_free_forces(world);
    return memory_or(abuti_find_rows(world));
}

/* Kinematic bodies go on as they were told. */
static void advance_told(abut_world *world)
{
    for (int i = 0; i < world->bodies.count; i++) {
        abuti_world_body *body = &world->bodies.items[i];
        if (body->def.kind != ABUT_KINEMATIC) continue;
        double vector[3], turn[4];
        abuti_v3_add_scaled(body->def.position, body->def.position, world->def.step, body->velocity + 3);
        abuti_v3_scale(vector, world->def.step, body->velocity);
        abuti_quat_from_vector(turn, vector);
        abuti_quat_multiply(body->def.rotation, turn, body->def.rotation);
        abuti_quat_normalise(body->def.rotation);
    }
}

/* The answer's impulses, back to contacts, rows and motors. */
static void take_impulses(abut_world *world)
{
    const abut_contact_result *result = &world->result;
    const abuti_world_problem *p = &world->velocity_problem;
    for (int i = 0; i < world->touches.count; i++) {
        abuti_touch *touch = &world->touches.items[i];
        memset(touch->impulse, 0, sizeof touch->impulse);
        touch->face = (abut_contact_face){.state = ABUT_NEW};
        if (!result->contacts) continue;
        const abut_contact_answer *answer = &result->contacts[i];
        abuti_v3_set(touch->impulse, answer->normal, answer->tangent[0], answer->tangent[1]);
        touch->face = result->faces[i];
    }
    for (int j = 0; j < p->row_of.count; j++) {
        abuti_row *row = &world->rows.items[p->row_of.items[j]];
        row->impulse = result->joints ? result->joints[j] : 0;
        row->face = result->joint_faces ? result->joint_faces[j] : (abut_contact_face){.state = ABUT_NEW};
        if (row->kind == ABUTI_ROW_MOTOR)
            world->motors.items[row->owner].force = row->impulse / world->def.step;
    }
}

/* New velocities, then new positions with them; what was applied has acted. */
static void integrate(abut_world *world)
{
    if (world->result.velocity) abuti_take_velocities(world, world->result.velocity, world->velocities.items);
    abuti_turn_free_bodies(world);
    abuti_advance(world, world->velocities.items, world->def.step, 1);
    advance_told(world);
    for (int i = 0; i < world->applied.count; i++) world->applied.items[i] = 0;
    for (int i = 0; i < world->bodies.count; i++) {
        memset(world->bodies.items[i].applied, 0, sizeof world->bodies.items[i].applied);
    }
    world->time += world->def.step;
    world->steps++;
}

/* What happened, for the caller. */
static bool fill_report(abut_world *world, int unsolved, abut_step_report *report)
{
    const abut_contact_result *result = &world->result;
    report->time = world->time;
    report->steps = world->steps;
    report->contacts = world->velocity_problem.problem.contact_count;
    report->rows = world->velocity_problem.problem.joint_count;
    report->islands = result->islands;
    report->pivots = result->pivots;
    report->outcome = result->outcome;
    report->residual = result->residual;
    report->unsolved = unsolved;
    report->penetration = abuti_penetration(world);
    report->loop_error = abuti_worst_row(world);
    report->solver_stage = result->stage;
    if (!abuti_find_energy(world)) return false;
    for (int t = 0; t < world->trees.count; t++) {
        report->kinetic += world->energy.items[t].kinetic;
        report->potential += world->energy.items[t].potential;
    }
    return true;
}

/* Adds the time since the last mark to a stage. */
static void mark(double *seconds, double *last)
{
    double now = abuti_clock();
    *seconds += now - *last;
    *last = now;
}

abut_status abut_world_step(abut_world *world, abut_step_report *report)
{
    if (!world) return ABUT_INVALID_ARGUMENT;
    abut_step_report told = {0};
    double last = abuti_clock();
    int unsolved = 0;
    abut_status status = memory_or(abuti_build_topology(world));
    if (status == ABUT_OK && !world->posed) status = abuti_locate(world);
    if (status == ABUT_OK) status = find_forces(world);
    mark(&told.seconds[ABUT_STEP_FORCES], &last);
    if (status == ABUT_OK)
        status = memory_or(abuti_build_problem(world, ABUTI_VELOCITIES, false, &world->velocity_problem));
    mark(&told.seconds[ABUT_STEP_PROBLEM], &last);
    if (status == ABUT_OK) status = abuti_solve_step(world, &unsolved);
    mark(&told.seconds[ABUT_STEP_SOLVE], &last);
    if (status != ABUT_OK) return status;
    take_impulses(world);
    status = memory_or(abuti_remember(world));
    integrate(world);
    mark(&told.seconds[ABUT_STEP_INTEGRATE], &last);
    if (status == ABUT_OK) status = abuti_locate(world);
    told.seconds[ABUT_STEP_BROAD] = world->broad_seconds;
    mark(&told.seconds[ABUT_STEP_NARROW], &last);
    told.seconds[ABUT_STEP_NARROW] -= world->broad_seconds;
    if (status == ABUT_OK) status = memory_or(abuti_find_rows(world));
    if (status == ABUT_OK) status = abuti_project(world);
    mark(&told.seconds[ABUT_STEP_PROJECT], &last);
    if (status == ABUT_OK && report) status = memory_or(fill_report(world, unsolved, &told));
    if (report && status == ABUT_OK) *report = told;
    return status;
}
