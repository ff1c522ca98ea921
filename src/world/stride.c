/* A stride: one stretch of time at the velocity level, by impulses; see stride.h. */
#include "world/stride.h"
#include "base/angle.h"
#include "base/clock.h"
#include "base/space.h"
#include "world/flight.h"
#include "world/free.h"
#include "world/kinematics.h"
#include "world/mechanics.h"
#include "world/rows.h"
#include "world/solve.h"
#include <math.h>
#include <string.h>

static abut_status memory_or(bool fine)
{
    return fine ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

abut_status abuti_find_step_forces(abut_world *world)
{
    bool fine = abuti_find_mass(world) && abuti_find_bias(world) && abuti_find_forces(world, true);
    if (!fine) return ABUT_OUT_OF_MEMORY;
    if (!abuti_begin_flight(world)) return ABUT_OUT_OF_MEMORY;
    abuti_find_free_forces(world);
    return memory_or(abuti_find_rows(world));
}

void abuti_advance_told(abut_world *world, double seconds)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        if (body->def.kind != ABUT_KINEMATIC) continue;
        double vector[3], turn[4];
        abuti_v3_add_scaled(body->def.position, body->def.position, seconds, body->velocity + 3);
        abuti_v3_scale(vector, seconds, body->velocity);
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
    for (int i = 0; i < p->touch_of.count; ++i) {
        abuti_touch *touch = &world->touches.items[p->touch_of.items[i]];
        memset(touch->impulse, 0, sizeof touch->impulse);
        touch->face = (abut_contact_face){.state = ABUT_NEW};
        if (!result->contacts) continue;
        const abut_contact_answer *answer = &result->contacts[i];
        abuti_v3_set(touch->impulse, answer->normal, answer->tangent[0], answer->tangent[1]);
        touch->face = result->faces[i];
    }
    for (int j = 0; j < p->row_of.count; ++j) {
        abuti_row *row = &world->rows.items[p->row_of.items[j]];
        row->impulse = result->joints ? result->joints[j] : 0;
        row->face = result->joint_faces ? result->joint_faces[j] : (abut_contact_face){.state = ABUT_NEW};
        if (row->kind == ABUTI_ROW_MOTOR) world->motors.items[row->owner].force = row->impulse / world->span;
    }
}

abut_status abuti_advance_all(abut_world *world)
{
    if (!abuti_expect_flight(world)) return ABUT_OUT_OF_MEMORY;
    abuti_turn_free_bodies(world);
    abuti_advance(world, world->velocities.items, world->span, 1);
    abuti_advance_told(world, world->span);
    return memory_or(abuti_end_flight(world));
}

void abuti_mark(double *seconds, double *last)
{
    double now = abuti_clock();
    *seconds += now - *last;
    *last = now;
}

void abuti_note_result(const abut_contact_result *result, abut_step_report *told)
{
    told->islands = result->islands > told->islands ? result->islands : told->islands;
    told->pivots += result->pivots;
    if (result->outcome > told->outcome) told->outcome = result->outcome;
    told->residual = fmax(told->residual, result->residual);
    told->solver_stage = result->stage;
}

abut_status abuti_stride(abut_world *world, abut_step_report *told)
{
    double last = abuti_clock();
    int unsolved = 0;
    abut_status status = abuti_find_step_forces(world);
    abuti_mark(&told->seconds[ABUT_STEP_FORCES], &last);
    if (status == ABUT_OK)
        status = memory_or(abuti_build_problem(world, ABUTI_VELOCITIES, false, &world->velocity_problem));
    abuti_mark(&told->seconds[ABUT_STEP_PROBLEM], &last);
    if (status == ABUT_OK) status = abuti_solve_step(world, &unsolved);
    abuti_mark(&told->seconds[ABUT_STEP_SOLVE], &last);
    if (status != ABUT_OK) return status;
    told->contacts = world->velocity_problem.problem.contact_count;
    told->rows = world->velocity_problem.problem.joint_count;
    told->unsolved += unsolved;
    abuti_note_result(&world->result, told);
    take_impulses(world);
    if (world->result.velocity) abuti_take_velocities(world, world->result.velocity, world->velocities.items);
    status = abuti_advance_all(world);
    abuti_mark(&told->seconds[ABUT_STEP_INTEGRATE], &last);
    return status;
}
