/* Displacements undo overlaps and open loops without a change of velocities; but displaced bodies have another momentum
 * and another energy at these velocities. Trees that touch each other, or are joined by loops, settle together:
 *
 *     momentum   Where the ground holds none of them, and none is near it, a rigid motion of all of them restores their
 *                momentum. By this, things that touch or are joined do not move against each other.
 *     energy     What they have gained, by being lifted against gravity or otherwise, is taken from their motion,
 *                as far as they move. Where none is held it is taken from their motion beside the rigid one
 *                that has their momentum; and where that is too little, they are displaced less far. */
#include "world/settle.h"
#include "base/space.h"
#include "world/energy.h"
#include "world/flight.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/sleep.h"
#include "world/spatial.h"
#include <math.h>
#include <string.h>

/* How much smaller the next displacement is of those that cannot pay for it. */
#define SMALLER 0.25
/* A gain that is a smaller part of the kinetic energy is rounding. */
#define ROUNDING 1e-13

bool abuti_note_before(abut_world *world)
{
    if (!abuti_find_energy(world)) return false;
    if (!abuti_list_resize(world, &world->flights, world->trees.count)) return false;
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_flight *flight = &world->flights.items[t];
        abuti_v3_copy(flight->point, world->trees.items[t].reference);
        abuti_tree_momentum(world, t, flight->point, flight->momentum);
        flight->kinetic = world->energy.items[t].kinetic;
        flight->potential = world->energy.items[t].potential;
    }
    return true;
}

/* Moves what is known about one point to another. */
static void shift_momentum(const double from[3], const double to[3], double momentum[6])
{
    double arm[3], turn[3];
    abuti_v3_sub(arm, from, to);
    abuti_v3_cross(turn, arm, momentum + 3);
    abuti_v3_add(momentum, momentum, turn);
}

static abuti_party *party_of_body(abut_world *world, int body)
{
    if (!abuti_body_moves(world, body)) return NULL;
    return &world->parties.items[world->joined.items[world->bodies.items[body].tree]];
}

/* Finds which groups the ground, or a body whose motion is given, may have pushed. */
static void find_held(abut_world *world)
{
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        abuti_party *first = party_of_body(world, touch->bodies[0]),
                    *second = party_of_body(world, touch->bodies[1]);
        if (first && !second) first->held = true;
    }
    for (int i = 0; i < world->loops.count; ++i) {
        const abut_loop_def *loop = &world->loops.items[i];
        if (!loop->active || loop->kind == ABUT_LOOP_COUPLE) continue;
        abuti_party *first = party_of_body(world, loop->bodies[0].index - 1),
                    *second = party_of_body(world, loop->bodies[1].index - 1);
        if (first && !second) first->held = true;
        if (second && !first) second->held = true;
    }
    for (int t = 0; t < world->trees.count; ++t) {
        if (!abuti_tree_floats(world, t)) world->parties.items[world->joined.items[t]].held = true;
    }
}

/* The groups, the lowest tree of each standing for it: inertia, momentum before, and the momentum they lack. */
static bool gather(abut_world *world)
{
    if (!abuti_find_groups(world) || !abuti_list_resize(world, &world->parties, world->trees.count))
        return false;
    for (int t = 0; t < world->trees.count; ++t) world->parties.items[t] = (abuti_party){0};
    find_held(world);
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_party *party = &world->parties.items[world->joined.items[t]];
        const abuti_flight *before = &world->flights.items[t];
        if (party->held) continue;
        if (world->joined.items[t] == t) abuti_v3_copy(party->point, before->point);
        double inertia[10], momentum[6], now[6];
        memcpy(momentum, before->momentum, sizeof momentum);
        shift_momentum(before->point, party->point, momentum);
        abuti_tree_inertia(world, t, party->point, inertia);
        abuti_tree_momentum(world, t, party->point, now);
        for (int k = 0; k < 10; ++k) party->inertia[k] += inertia[k];
        abuti_s6_add_scaled(party->momentum, 1, momentum);
        abuti_s6_add_scaled(party->lack, 1, momentum);
        abuti_s6_add_scaled(party->lack, -1, now);
    }
    return true;
}

static void restore_momentum(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_party *party = &world->parties.items[world->joined.items[t]];
        double motion[6];
        if (party->held) continue;
        abuti_motion_of(party->inertia, party->lack, motion);
        abuti_add_motion(world, t, party->point, motion);
    }
    abuti_move(world);
}

/* What each group has gained, and the energy that it may pay with. */
static bool find_gain(abut_world *world)
{
    if (!abuti_find_energy(world)) return false;
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_energy *now = &world->energy.items[t];
        const abuti_flight *before = &world->flights.items[t];
        abuti_party *party = &world->parties.items[world->joined.items[t]];
        party->gain += now->kinetic + now->potential - before->kinetic - before->potential;
        party->kinetic += now->kinetic;
    }
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_party *party = &world->parties.items[t];
        party->beside = party->kinetic;
        if (world->joined.items[t] != t || party->held || !(party->kinetic > 0)) continue;
        abuti_motion_of(party->inertia, party->momentum, party->motion);
        party->beside -= fmin(0.5 * abuti_s6_dot(party->motion, party->momentum), party->kinetic);
    }
    return true;
}

/* Makes the displacements smaller of those that cannot pay for them without their momentum; false where all can. */
static bool any_poor(abut_world *world, bool last)
{
    bool any = false;
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_party *party = &world->parties.items[world->joined.items[t]];
        bool poor = !party->held && party->gain > party->beside + ROUNDING * party->kinetic;
        if (!poor || !(world->shares.items[t] > 0)) continue;
        any = true;
        world->shares.items[t] = last ? 0 : SMALLER * world->shares.items[t];
    }
    return any;
}

/* Takes a group's gain from its motion. */
static void take_gain(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_party *party = &world->parties.items[world->joined.items[t]];
        if (!(party->gain > 0) || !(party->kinetic > 0)) continue;
        double share = party->gain < party->beside ? sqrt(1 - party->gain / party->beside) : 0;
        abuti_scale_motion(world, t, party->point, party->held ? NULL : party->motion, share);
    }
    abuti_move(world);
}

bool abuti_settle(abut_world *world, bool last, bool *poor)
{
    if (!gather(world)) return false;
    restore_momentum(world);
    if (!find_gain(world)) return false;
    *poor = any_poor(world, last);
    if (!*poor) take_gain(world);
    return true;
}
