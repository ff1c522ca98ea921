/* The step, as a list of stages, each of which is timed. */
#include "base/clock.h"
#include "world/accel.h"
#include "world/energy.h"
#include "world/locate.h"
#include "world/project.h"
#include "world/reaction.h"
#include "world/read.h"
#include "world/remember.h"
#include "world/rows.h"
#include "world/sleep.h"
#include "world/stride.h"
#include "world/topology.h"
#include <math.h>
#include <string.h>

static abut_status memory_or(bool fine)
{
    return fine ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/* Ends the step: forces that were applied have acted, and time has passed. */
static void end_time(abut_world *world)
{
    for (int i = 0; i < world->applied.count; ++i) world->applied.items[i] = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        memset(world->bodies.items[i].applied, 0, sizeof world->bodies.items[i].applied);
    }
    world->time += world->def.step;
    world->steps++;
}

/* Tells the caller what happened. */
static bool fill_report(abut_world *world, abut_step_report *report)
{
    report->time = world->time;
    report->steps = world->steps;
    report->penetration = abuti_penetration(world);
    report->loop_error = abuti_worst_row(world);
    if (!abuti_find_energy(world)) return false;
    for (int t = 0; t < world->trees.count; ++t) {
        report->kinetic += world->energy.items[t].kinetic;
        report->potential += world->energy.items[t].potential;
    }
    return true;
}

static bool has_forces(const abut_world *world)
{
    return abut_contact_model_info(world->def.model)->acceleration;
}

/* Impulses over the whole step. */
static abut_status step_by_impulses(abut_world *world, abut_step_report *told)
{
    world->span = world->def.step;
    world->by_forces = false;
    for (int i = 0; i < world->touches.count; ++i)
        world->touches.items[i].approach = abuti_approach(world, &world->touches.items[i]);
    abut_status status = abuti_stride(world, told);
    if (status != ABUT_OK) return status;
    return memory_or(abuti_remember(world, &world->touches, &world->rows));
}

/* Wakes what is touched; rows tell what loops join. */
static bool wake(abut_world *world)
{
    return world->def.sleep_seconds == 0 || (abuti_find_rows(world) && abuti_wake_touched(world));
}

abut_status abut_world_step(abut_world *world, abut_step_report *report)
{
    if (!world) return ABUT_INVALID_ARGUMENT;
    abut_step_report told = {0};
    double last = abuti_clock();
    abut_status status = memory_or(abuti_build_topology(world));
    if (status == ABUT_OK && !world->posed) status = abuti_locate(world);
    if (status == ABUT_OK) status = memory_or(wake(world));
    if (status == ABUT_OK) abuti_note_motion(world);
    abuti_mark(&told.seconds[ABUT_STEP_FORCES], &last);
    if (status == ABUT_OK)
        status = has_forces(world) ? abuti_step_by_forces(world, &told) : step_by_impulses(world, &told);
    if (status != ABUT_OK) return status;
    end_time(world);
    last = abuti_clock();
    status = abuti_locate(world);
    told.seconds[ABUT_STEP_BROAD] += world->broad_seconds;
    abuti_mark(&told.seconds[ABUT_STEP_NARROW], &last);
    told.seconds[ABUT_STEP_NARROW] -= world->broad_seconds;
    if (status == ABUT_OK) status = memory_or(abuti_find_rows(world));
    if (status == ABUT_OK) abuti_find_reactions(world);
    if (status == ABUT_OK) status = abuti_project(world);
    abuti_mark(&told.seconds[ABUT_STEP_PROJECT], &last);
    if (status == ABUT_OK) status = memory_or(abuti_fall_asleep(world, &told.asleep));
    if (status == ABUT_OK && report) status = memory_or(fill_report(world, &told));
    if (report && status == ABUT_OK) *report = told;
    return status;
}
