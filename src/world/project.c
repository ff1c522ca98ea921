/* Overlaps and open loops are undone after a step, by displacements d and not by velocities, which would be energy:
 *
 *     minimise 1/2 d'M d   with   gap_i + n_i J d >= 0,   loop_j + J_j d = 0,   no sliding where a contact sticks
 *
 * This is the frictionless contact problem with displacements in place of velocities and a step of 1. */
#include "world/project.h"
#include "base/space.h"
#include "world/free.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/mechanics.h"
#include "world/rows.h"
#include "world/settle.h"
#include "world/solve.h"
#include <math.h>
#include <string.h>

/* The problem is linear in d, and the gaps are not; so it is repeated, at most so often. Two rounds are enough, except
 * where edges of fast spinning things have got deep into each other. */
#define ROUNDS 16
/* Displacements that gain more energy than can be paid without momentum are tried again, smaller, at most so often. In the
 * last attempt those that still cannot pay stay where they are. */
#define ATTEMPTS 6
/* Overlaps that are a smaller part of the smallest size are left alone, if they are below the slop as well. */
#define PART_OF_SIZE 1e-8

double abuti_penetration(const abut_world *world)
{
    double deepest = 0;
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        double gap = touch->gap;
        while (touch->group > 0 && i + 1 < world->touches.count &&
               world->touches.items[i + 1].group == touch->group)
            gap = fmax(gap, world->touches.items[++i].gap); /* one side that is open is enough */
        if (touch->compliance == 0 && -gap > deepest) deepest = -gap;
    }
    return deepest;
}

/* Contacts that stick are held by joint rows, three for each face, whose cost grows with their cube. Faces beyond this
 * number are not held; they then slide by about the overlap that is undone. */
#define HELD_MOST 100

/* The answer's displacements (or velocities) in world->free_motion; false where there is none. */
static bool find_nearest(abut_world *world, abuti_question question, bool hold, abut_status *status)
{
    abuti_world_problem *p = &world->position_problem;
    *status = ABUT_OUT_OF_MEMORY;
    if (!abuti_list_resize(world, &world->free_motion, world->velocities.count)) return false;
    if (!abuti_build_problem(world, question, hold, p)) return false;
    abut_contact_options options = abut_contact_default_options();
    options.max_seconds = world->def.contact.max_seconds;
    abut_contact_result result;
    *status = abuti_solve(world, &p->problem, &options, &world->position_crew, &result);
    if (*status != ABUT_OK || result.outcome != ABUT_SOLVED) return false;
    abuti_take_velocities(world, result.velocity, world->free_motion.items);
    return true;
}

/* m: the most that the displacements move a point at which bodies touch, or a coordinate with a limit or in a loop. */
static double largest_move(abut_world *world)
{
    double largest = 0, *kept = world->velocities.items;
    world->velocities.items = world->free_motion.items; /* displacements stand in for velocities */
    abuti_move(world);
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        for (int side = 0; side < 2; ++side) {
            double move[3];
            if (touch->bodies[side] == ABUTI_GROUND ||
                world->bodies.items[touch->bodies[side]].tree == ABUTI_GROUND)
                continue;
            abuti_point_velocity(world, touch->bodies[side], touch->points[side], move);
            largest = fmax(largest, abuti_v3_length(move));
        }
    }
    for (int k = 0; k < world->entries.count; ++k) {
        largest =
            fmax(largest,
                 fabs(world->velocities.items[world->dofs.items[world->entries.items[k].index].velocity]));
    }
    world->velocities.items = kept;
    abuti_move(world);
    return largest;
}

/* Positions, or contacts and rows at them, are to be found anew. */
static abut_status locate_all(abut_world *world)
{
    abut_status status = abuti_locate(world);
    if (status != ABUT_OK) return status;
    return abuti_find_rows(world) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/* The displacements of trees that take a part of them. */
static void take_shares(abut_world *world)
{
    for (int d = 0; d < world->dofs.count; ++d)
        world->free_motion.items[world->dofs.items[d].velocity] *=
            world->shares.items[world->dofs.items[d].tree];
}

/* m: what is left alone. */
static double tolerance(const abut_world *world)
{
    return fmin(world->def.slop, PART_OF_SIZE * world->smallest);
}

static abut_status undo_overlaps(abut_world *world, int rounds)
{
    for (int round = 0; round < rounds; ++round) {
        double worst = fmax(abuti_penetration(world), abuti_worst_row(world));
        if (worst <= tolerance(world)) return ABUT_OK;
        if (!abuti_find_mass(world)) return ABUT_OUT_OF_MEMORY;
        abut_status status;
        bool hold = abuti_faces_that_hold(world) <= HELD_MOST,
             found = find_nearest(world, ABUTI_DISPLACEMENTS, hold, &status);
        if (!found && hold && status == ABUT_OK)
            found = find_nearest(world, ABUTI_DISPLACEMENTS, false, &status);
        if (status != ABUT_OK) return status;
        if (!found) return ABUT_OK; /* what cannot be undone stays, and the report tells it */
        take_shares(world);
        double largest = largest_move(world);
        double share = largest > world->def.projection_max ? world->def.projection_max / largest : 1;
        abuti_advance(world, world->free_motion.items, share, 0);
        abuti_forget_flight(world, world->free_motion.items);
        status = locate_all(world);
        if (status != ABUT_OK) return status;
        if (share < 1) return ABUT_OK;
    }
    return ABUT_OK;
}

static bool note_unmoved(abut_world *world)
{
    size_t positions = (size_t)world->positions.count, velocities = (size_t)world->velocities.count;
    if (!abuti_list_resize(world, &world->shares, world->trees.count) ||
        !abuti_list_resize(world, &world->unmoved_positions, world->positions.count) ||
        !abuti_list_resize(world, &world->unmoved_velocities, world->velocities.count))
        return false;
    for (int t = 0; t < world->trees.count; ++t) world->shares.items[t] = 1;
    memcpy(world->unmoved_positions.items, world->positions.items, positions * sizeof(double));
    memcpy(world->unmoved_velocities.items, world->velocities.items, velocities * sizeof(double));
    return true;
}

/* Back to where all was. */
static abut_status go_back(abut_world *world)
{
    size_t positions = (size_t)world->positions.count, velocities = (size_t)world->velocities.count;
    memcpy(world->positions.items, world->unmoved_positions.items, positions * sizeof(double));
    memcpy(world->velocities.items, world->unmoved_velocities.items, velocities * sizeof(double));
    abut_status status = locate_all(world);
    abuti_move(world);
    return status;
}

abut_status abuti_project(abut_world *world)
{
    double worst = fmax(abuti_penetration(world), abuti_worst_row(world));
    if (worst <= tolerance(world)) return ABUT_OK;
    if (!abuti_note_before(world) || !note_unmoved(world)) return ABUT_OUT_OF_MEMORY;
    bool poor = true;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        abut_status status = undo_overlaps(world, attempt == 0 ? ROUNDS : 1);
        if (status != ABUT_OK) return status;
        if (!abuti_settle(world, attempt + 2 == ATTEMPTS, &poor)) return ABUT_OUT_OF_MEMORY;
        if (!poor) break;
        status = go_back(world);
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

abut_status abuti_keep_velocities(abut_world *world)
{
    abut_status status;
    if (world->trees.count == 0) return ABUT_OK;
    if (!abuti_find_mass(world) || !abuti_find_rows(world)) return ABUT_OUT_OF_MEMORY;
    if (!find_nearest(world, ABUTI_KEPT, false, &status)) return status;
    for (int d = 0; d < world->dofs.count; ++d) {
        int k = world->dofs.items[d].velocity;
        world->velocities.items[k] = world->free_motion.items[k];
    }
    abuti_move(world);
    return ABUT_OK;
}
