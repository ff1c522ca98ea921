/* Trees in flight keep momentum and kinetic energy.
 *
 * The solve takes velocity-product forces c where the step begins,
 *
 *     M(q) (v+ - v) = g - h c(q, v),     g the impulses of everything else,
 *
 * and positions then go to q+ = q + h v+. At q+ the momentum of v+, and its kinetic energy, are right up to an error of
 * the order h^2, but over many steps of a fast chain these errors grow without bound. What both must be is known:
 *
 *     momentum          A(q) v + that of g            = A(q) v+ + h (c at the root)        (trees that float)
 *     kinetic energy    T(q, v) + (v + v+)/2 . g      = T(q, v+) + h c . (v + v+)/2
 *
 * Loops do no work. But where the step begins, velocities are still those that kept the loops one step before, and what
 * the impulses of a tree's loops would therefore add to its energy is taken off. (What they take away is left, since it
 * may be that of a loop that has just been closed.)
 *
 * So after each step the centre of mass of a floating tree is put on its course, a rigid motion of the whole tree
 * restores the momentum, and a factor on its motion relative to the rigid one that has this momentum restores the
 * energy. Both changes are as small as the integrator's error; neither changes what touches or closes within the tree.
 * Free bodies have a rule of their own, which keeps both (free.c). */
#include "world/flight.h"
#include "world/energy.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/mechanics.h"
#include "world/spatial.h"
#include <math.h>
#include <string.h>

/* The largest factors by which a motion is sped up, or slowed down, after a step to restore its energy. What it lacks
 * beyond that is lost. */
#define FASTER_MOST 1.25
#define SLOWER_MOST 0.8
/* The largest part of its energy that a tree may have too much. Beyond that it is slowed down however much it takes. */
#define OWED_MOST 1e-3

/* The smallest part of the way of a step that a tree goes. */
#define SHORTEST 1e-3

static bool flies(const abuti_world_tree *tree)
{
    return !tree->free_body && !tree->asleep;
}

static bool any_flies(const abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        if (flies(&world->trees.items[t])) return true;
    }
    return false;
}

bool abuti_tree_floats(const abut_world *world, int tree)
{
    const abuti_world_tree *t = &world->trees.items[tree];
    const abuti_world_joint *root = &world->joints.items[world->dofs.items[t->first_dof].joint];
    if (root->def.kind != ABUT_JOINT_FREE || root->def.armature > 0 || root->body != t->body) return false;
    for (int d = t->first_dof + 6; d < t->first_dof + t->dof_count; ++d) {
        if (world->dofs.items[d].parent < 0) return false;
    }
    return true;
}

void abuti_tree_inertia(const abut_world *world, int tree, const double point[3], double inertia[10])
{
    memset(inertia, 0, 10 * sizeof *inertia);
    const abuti_world_tree *t = &world->trees.items[tree];
    for (int i = t->body; i <= t->last_body; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree != tree) continue;
        double arm[3], moments[6];
        abuti_v3_sub(arm, body->world_com, point);
        memcpy(moments, body->world_inertia, sizeof moments);
        abuti_symmetric_shift(moments, body->mass, arm);
        inertia[0] += body->mass;
        abuti_v3_add_scaled(inertia + 1, inertia + 1, body->mass, arm);
        for (int k = 0; k < 6; ++k) inertia[4 + k] += moments[k];
    }
}

void abuti_tree_momentum(const abut_world *world, int tree, const double point[3], double momentum[6])
{
    memset(momentum, 0, 6 * sizeof *momentum);
    const abuti_world_tree *t = &world->trees.items[tree];
    for (int i = t->body; i <= t->last_body; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->tree != tree) continue;
        double arm[3], velocity[3], spin[3], turn[3];
        abuti_v3_sub(arm, body->world_com, point);
        abuti_point_velocity(world, i, body->world_com, velocity);
        abuti_symmetric_apply(spin, body->world_inertia, body->velocity);
        abuti_v3_cross(turn, arm, velocity);
        abuti_v3_add(momentum, momentum, spin);
        abuti_v3_add_scaled(momentum, momentum, body->mass, turn);
        abuti_v3_add_scaled(momentum + 3, momentum + 3, body->mass, velocity);
    }
}

void abuti_motion_of(const double inertia[10], const double momentum[6], double motion[6])
{
    double com[3], moments[6], angular[3], back[3];
    abuti_v3_scale(com, 1 / inertia[0], inertia + 1);
    memcpy(moments, inertia + 4, sizeof moments);
    abuti_symmetric_shift(moments, -inertia[0], com);
    abuti_v3_cross(angular, com, momentum + 3);
    abuti_v3_sub(angular, momentum, angular);
    abuti_symmetric_solve(motion, moments, angular);
    abuti_v3_cross(back, motion, com);
    for (int k = 0; k < 3; ++k) motion[3 + k] = momentum[3 + k] / inertia[0] - back[k];
}

void abuti_add_motion(abut_world *world, int tree, const double point[3], const double motion[6])
{
    const abuti_world_tree *t = &world->trees.items[tree];
    const abuti_world_body *body = &world->bodies.items[t->body];
    double *v = world->velocities.items + world->joints.items[body->first_joint].velocity, arm[3], turn[3];
    bool at_com = world->joints.items[body->first_joint].at_com;
    abuti_v3_sub(arm, at_com ? body->world_com : body->position, point);
    abuti_v3_cross(turn, motion, arm);
    for (int k = 0; k < 3; ++k) v[k] += motion[3 + k] + turn[k];
    abuti_v3_copy(turn, motion);
    if (!at_com) abuti_m3_apply_transposed(turn, body->frame, motion);
    abuti_v3_add(v + 3, v + 3, turn);
}

void abuti_scale_motion(abut_world *world, int tree, const double point[3], const double motion[6],
                        double share)
{
    const abuti_world_tree *t = &world->trees.items[tree];
    double back[6];
    for (int k = 0; motion && k < 6; ++k) back[k] = -motion[k];
    if (motion) abuti_add_motion(world, tree, point, back);
    for (int d = t->first_dof; d < t->first_dof + t->dof_count; ++d)
        world->velocities.items[world->dofs.items[d].velocity] *= share;
    if (motion) abuti_add_motion(world, tree, point, motion);
}

/* Notes velocities and bias without gravity, by freedom; and this bias at the root of trees that float. */
bool abuti_begin_flight(abut_world *world)
{
    if (!any_flies(world)) return true;
    if (!abuti_list_resize(world, &world->turning, world->dofs.count)) return false;
    if (!abuti_list_resize(world, &world->flights, world->trees.count)) return false;
    if (!abuti_list_resize(world, &world->begun, world->dofs.count)) return false;
    for (int d = 0; d < world->dofs.count; ++d)
        world->begun.items[d] = world->velocities.items[world->dofs.items[d].velocity];
    double up[6] = {0}, weight[6];
    abuti_v3_scale(up + 3, -1, world->def.gravity);
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_world_tree *tree = &world->trees.items[t];
        abuti_flight *flight = &world->flights.items[t];
        if (!flies(tree)) continue;
        for (int d = tree->first_dof; d < tree->first_dof + tree->dof_count; ++d) {
            const abuti_dof *dof = &world->dofs.items[d];
            abuti_inertia_apply(weight, world->composite.items + 10 * dof->body, up);
            world->turning.items[d] = world->bias.items[d] - abuti_s6_dot(dof->motion, weight);
        }
        abuti_inertia_apply(weight, world->composite.items + 10 * tree->body, up);
        for (int k = 0; k < 6; ++k) flight->momentum[k] = world->wrench.items[6 * tree->body + k] - weight[k];
    }
    return true;
}

/* Adds to each tree what loops did to its energy because they were not kept when the step began. */
static void add_work_of_loops(abut_world *world)
{
    for (int i = 0; i < world->rows.count; ++i) {
        const abuti_row *row = &world->rows.items[i];
        double off = -row->target;
        if (row->kind != ABUTI_ROW_LOOP || row->count == 0) continue;
        const abuti_entry *first = &world->entries.items[row->first], *last = first + row->count - 1;
        for (const abuti_entry *e = first; e <= last; ++e) {
            off += e->value * world->begun.items[e->index];
        }
        /* Of two trees each takes a half. */
        world->flights.items[world->dofs.items[first->index].tree].loops += 0.25 * row->impulse * off;
        world->flights.items[world->dofs.items[last->index].tree].loops += 0.25 * row->impulse * off;
    }
}

bool abuti_expect_flight(abut_world *world)
{
    if (!any_flies(world)) return true;
    abuti_move(world);
    if (!abuti_find_energy(world)) return false;
    double h = world->span;
    for (int t = 0; t < world->trees.count; ++t) world->flights.items[t].loops = 0;
    add_work_of_loops(world);
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_world_tree *tree = &world->trees.items[t];
        abuti_flight *flight = &world->flights.items[t];
        if (!flies(tree)) continue;
        double power = 0;
        for (int d = tree->first_dof; d < tree->first_dof + tree->dof_count; ++d)
            power += world->turning.items[d] *
                     (world->begun.items[d] + world->velocities.items[world->dofs.items[d].velocity]);
        flight->kinetic = world->energy.items[t].kinetic + 0.5 * h * power - fmax(flight->loops, 0);
        double momentum[6];
        abuti_v3_copy(flight->point, tree->reference);
        abuti_tree_momentum(world, t, flight->point, momentum);
        for (int k = 0; k < 6; ++k) flight->momentum[k] = momentum[k] + h * flight->momentum[k];
        double inertia[10];
        abuti_tree_inertia(world, t, flight->point, inertia);
        for (int k = 0; k < 3; ++k)
            flight->course[k] = (inertia[1 + k] + h * flight->momentum[3 + k]) / inertia[0];
    }
    return true;
}

/* The rigid motion that the tree lacks. */
static void restore_momentum(abut_world *world, int t, const double inertia[10])
{
    const abuti_flight *flight = &world->flights.items[t];
    double lack[6], motion[6];
    abuti_tree_momentum(world, t, flight->point, lack);
    for (int k = 0; k < 6; ++k) lack[k] = flight->momentum[k] - lack[k];
    abuti_motion_of(inertia, lack, motion);
    abuti_add_motion(world, t, flight->point, motion);
}

/* Puts a factor on all motion of a floating tree beside the rigid one. Where a chain swings back this motion is slow,
 * and no factor near 1 is enough; the energy that is then too much is owed, and taken off when the motion is fast
 * again. */
static void restore_energy(abut_world *world, int t, bool floats, const double inertia[10])
{
    const abuti_flight *flight = &world->flights.items[t];
    double motion[6] = {0}, rigid = 0, *owed = &world->trees.items[t].owed;
    double total = flight->kinetic - *owed;
    if (floats) {
        abuti_motion_of(inertia, flight->momentum, motion);
        rigid = 0.5 * abuti_s6_dot(motion, flight->momentum);
    }
    double have = world->energy.items[t].kinetic - rigid, want = fmax(total - rigid, 0);
    if (!(have > 0)) return;
    double least = fmin(SLOWER_MOST * SLOWER_MOST * have, want + OWED_MOST * flight->kinetic);
    double share = fmin(sqrt(fmax(want, least) / have), FASTER_MOST);
    *owed = fmin(fmax(rigid + share * share * have - total, 0), OWED_MOST * flight->kinetic);
    abuti_scale_motion(world, t, flight->point, floats ? motion : NULL, share);
}

/* J: the least kinetic energy that a floating tree can have with the momentum that it must have, where it is. */
static double least_energy(const abut_world *world, int t)
{
    const abuti_flight *flight = &world->flights.items[t];
    double inertia[10], motion[6];
    abuti_tree_inertia(world, t, flight->point, inertia);
    abuti_motion_of(inertia, flight->momentum, motion);
    return 0.5 * abuti_s6_dot(motion, flight->momentum);
}

/* Where a tree has drawn its masses together, its momentum may need more energy than there is: no motion leads there,
 * and the step was too long for it. Then the tree goes only a part of the way. */
static void shorten_flight(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        if (!flies(&world->trees.items[t]) || !abuti_tree_floats(world, t)) continue;
        for (double part = 0.5; part > SHORTEST; part *= 0.5) {
            if (least_energy(world, t) <= world->flights.items[t].kinetic) break;
            /* Half of the way that it has gone is gone back. */
            abuti_advance_tree(world, t, world->velocities.items, -part * world->span);
            abuti_pose(world);
        }
    }
}

/* Puts the centre of mass of a floating tree back on its course, which its momentum alone sets, and from which turning
 * joints have taken it. */
static void hold_course(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_world_tree *tree = &world->trees.items[t];
        const abuti_flight *flight = &world->flights.items[t];
        if (!flies(tree) || !abuti_tree_floats(world, t)) continue;
        double inertia[10];
        abuti_tree_inertia(world, t, flight->point, inertia);
        double *q = world->positions.items +
                    world->joints.items[world->bodies.items[tree->body].first_joint].position;
        for (int k = 0; k < 3; ++k) q[k] += flight->course[k] - inertia[1 + k] / inertia[0];
    }
    abuti_pose(world);
}

bool abuti_end_flight(abut_world *world)
{
    if (!any_flies(world)) return true;
    abuti_pose(world);
    hold_course(world);
    shorten_flight(world);
    hold_course(world);
    abuti_move(world);
    for (int pass = 0; pass < 2; ++pass) {
        for (int t = 0; t < world->trees.count; ++t) {
            double inertia[10];
            bool floats = abuti_tree_floats(world, t);
            if (!flies(&world->trees.items[t])) continue;
            if (floats) abuti_tree_inertia(world, t, world->flights.items[t].point, inertia);
            if (pass == 0 && floats) restore_momentum(world, t, inertia);
            if (pass == 1) restore_energy(world, t, floats, inertia);
        }
        abuti_move(world);
        if (pass == 0 && !abuti_find_energy(world)) return false;
    }
    return true;
}
