/* Sleep. Trees that contacts or rows join are one group, which is asleep or awake as a whole. Which trees are joined is
 * found anew from the contacts at hand, so only `asleep` and `still` of each tree have to be remembered. */
#include "world/sleep.h"
#include "base/groups.h"
#include "world/energy.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/read.h"
#include <math.h>

static int tree_of(const abut_world *world, int body)
{
    return abuti_body_moves(world, body) ? world->bodies.items[body].tree : ABUTI_GROUND;
}

bool abuti_find_groups(abut_world *world)
{
    int trees = world->trees.count;
    if (!abuti_list_resize(world, &world->joined, trees)) return false;
    int *group = world->joined.items;
    for (int t = 0; t < trees; ++t) group[t] = t;
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        int a = tree_of(world, touch->bodies[0]), b = tree_of(world, touch->bodies[1]);
        if (a != ABUTI_GROUND && b != ABUTI_GROUND) abuti_group_join(group, a, b);
    }
    for (int i = 0; i < world->rows.count; ++i) {
        const abuti_row *row = &world->rows.items[i];
        for (int k = row->first + 1; k < row->first + row->count; ++k) {
            abuti_group_join(group, world->dofs.items[world->entries.items[row->first].index].tree,
                             world->dofs.items[world->entries.items[k].index].tree);
        }
    }
    for (int t = 0; t < trees; ++t) group[t] = abuti_group_root(group, t);
    return true;
}

static bool is_pushed(const abut_world *world, const abuti_world_body *body)
{
    for (int k = 0; k < 6; ++k) {
        if (body->applied[k] != 0) return true;
    }
    for (int j = body->first_joint; j >= 0; j = world->joints.items[j].next) {
        const abuti_world_joint *joint = &world->joints.items[j];
        for (int d = joint->dof; d < world->dofs.count && world->dofs.items[d].joint == j; ++d) {
            if (world->applied.items[world->dofs.items[d].velocity] != 0) return true;
        }
    }
    return false;
}

/* Whether the surface at a contact moves by itself: belts, and kinematic bodies. */
static bool is_carried(const abuti_touch *touch)
{
    return touch->surface[0] != 0 || touch->surface[1] != 0 || touch->surface[2] != 0;
}

bool abuti_wake_touched(abut_world *world)
{
    if (world->def.sleep_seconds == 0) return true;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (abuti_body_moves(world, i) && is_pushed(world, &world->bodies.items[i]))
            abuti_wake_body(world, i);
    }
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        for (int side = 0; side < 2 && is_carried(touch); ++side) abuti_wake_body(world, touch->bodies[side]);
    }
    if (!abuti_find_groups(world)) return false;
    int *group = world->joined.items;
    /* The lowest tree of a group is awake if any of it is; then all of it is. */
    for (int t = 0; t < world->trees.count; ++t) {
        if (!world->trees.items[t].asleep) world->trees.items[group[t]].asleep = false;
    }
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_world_tree *tree = &world->trees.items[t];
        if (tree->asleep && !world->trees.items[group[t]].asleep) {
            tree->asleep = false;
            tree->still = 0;
        }
    }
    return true;
}

/* kg: all bodies of a tree. */
static double mass_of(const abut_world *world, int tree)
{
    double mass = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (world->bodies.items[i].tree == tree) mass += world->bodies.items[i].mass;
    }
    return mass;
}

/* How long each tree has hardly moved. */
static void watch(abut_world *world)
{
    double speed = world->def.sleep_speed;
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_world_tree *tree = &world->trees.items[t];
        bool still = 2 * world->energy.items[t].kinetic <= speed * speed * mass_of(world, t);
        tree->still = still ? tree->still + world->def.step : 0;
    }
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        for (int side = 0; side < 2 && is_carried(touch); ++side) {
            int tree = tree_of(world, touch->bodies[side]);
            if (tree != ABUTI_GROUND) world->trees.items[tree].still = 0;
        }
    }
}

static void stop(abut_world *world, abuti_world_tree *tree)
{
    tree->asleep = true;
    for (int d = tree->first_dof; d < tree->first_dof + tree->dof_count; ++d)
        world->velocities.items[world->dofs.items[d].velocity] = 0;
}

bool abuti_fall_asleep(abut_world *world, int *asleep)
{
    *asleep = 0;
    if (world->def.sleep_seconds == 0) return true;
    if (!abuti_find_energy(world)) return false;
    watch(world);
    if (!abuti_find_groups(world)) return false;
    int *group = world->joined.items;
    /* A group has been still for as long as the most restless of it. */
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_world_tree *lowest = &world->trees.items[group[t]];
        lowest->still = fmin(lowest->still, world->trees.items[t].still);
    }
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_world_tree *tree = &world->trees.items[t];
        bool rests = world->trees.items[group[t]].still >= world->def.sleep_seconds;
        if (rests && !tree->asleep) stop(world, tree);
        *asleep += tree->asleep;
    }
    abuti_move(world); /* velocities of bodies follow */
    return true;
}

void abuti_wake_body(abut_world *world, int body)
{
    if (!abuti_body_moves(world, body)) return;
    abuti_world_tree *tree = &world->trees.items[world->bodies.items[body].tree];
    tree->asleep = false;
    tree->still = 0;
}

void abuti_wake_all(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        world->trees.items[t].asleep = false;
        world->trees.items[t].still = 0;
    }
}

void abuti_wake_motor(abut_world *world, const abut_motor_def *def)
{
    int body = def->body.index - 1;
    if (!world->built) return; /* what is built anew is awake */
    if (def->target == ABUT_MOTOR_JOINT) body = world->joints.items[def->joint.index - 1].body;
    if (def->target == ABUT_MOTOR_TENDON) {
        const abuti_world_tendon *tendon = &world->tendons.items[def->tendon.index - 1];
        body = world->joints.items[world->tendon_terms.items[tendon->first].index].body;
    }
    abuti_wake_body(world, body);
}

abut_status abut_body_is_asleep(abut_world *world, abut_body_id id, bool *asleep)
{
    if (!world || !asleep || id.index < 1 || id.index > world->bodies.count || !abuti_refresh(world))
        return ABUT_INVALID_ARGUMENT;
    *asleep = abuti_body_moves(world, id.index - 1) && abuti_body_idles(world, id.index - 1);
    return ABUT_OK;
}

abut_status abut_body_wake(abut_world *world, abut_body_id id)
{
    if (!world || id.index < 1 || id.index > world->bodies.count || !abuti_refresh(world))
        return ABUT_INVALID_ARGUMENT;
    abuti_wake_body(world, id.index - 1);
    return ABUT_OK;
}
