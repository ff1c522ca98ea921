/* Which bodies move together: trees, their freedoms, and what each body hangs on.
 *
 * A tree is what joints connect, from the ground outwards. Freedoms are numbered tree by tree, in each tree by body and
 * by joint, so a freedom comes after the one it hangs on. A tendon couples the trees of its joints: they become one
 * block. */
#include "world/topology.h"
#include "base/groups.h"
#include "world/kinematics.h"
#include "world/list.h"

static const int dofs_of[] = {
    [ABUT_JOINT_FREE] = 6, [ABUT_JOINT_BALL] = 3, [ABUT_JOINT_HINGE] = 1, [ABUT_JOINT_SLIDE] = 1};
static const int positions_of[] = {
    [ABUT_JOINT_FREE] = 7, [ABUT_JOINT_BALL] = 4, [ABUT_JOINT_HINGE] = 1, [ABUT_JOINT_SLIDE] = 1};

int abuti_joint_dofs(abut_joint_kind kind)
{
    return dofs_of[kind];
}

int abuti_joint_positions(abut_joint_kind kind)
{
    return positions_of[kind];
}

/* What each body is fixed to, and which bodies belong to one tree. */
static void group_bodies(abut_world *world, int *group)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        group[i] = i;
        int above = body->parent == ABUTI_GROUND ? ABUTI_GROUND : world->bodies.items[body->parent].anchor;
        body->anchor = body->first_joint >= 0 ? i : above;
        if (body->def.kind != ABUT_DYNAMIC)
            body->anchor = body->def.kind == ABUT_KINEMATIC ? i : ABUTI_GROUND;
        if (above != ABUTI_GROUND && world->bodies.items[above].def.kind == ABUT_DYNAMIC)
            abuti_group_join(group, i, body->parent);
        body->tree = ABUTI_GROUND;
        body->last_dof = -1;
    }
}

static void group_tendons(abut_world *world, int *group)
{
    for (int i = 0; i < world->tendons.count; ++i) {
        const abuti_world_tendon *tendon = &world->tendons.items[i];
        const abuti_entry *terms = world->tendon_terms.items + tendon->first;
        for (int k = 1; k < tendon->count; ++k) {
            abuti_group_join(group, world->joints.items[terms[0].index].body,
                             world->joints.items[terms[k].index].body);
        }
    }
}

static bool plain_free_body(const abut_world *world, int body)
{
    const abuti_world_body *b = &world->bodies.items[body];
    if (b->parent != ABUTI_GROUND || b->first_joint < 0) return false;
    const abuti_world_joint *joint = &world->joints.items[b->first_joint];
    const abut_joint_def *def = &joint->def;
    for (int i = 0; i < world->motors.count; ++i) {
        if (world->motors.items[i].def.joint.index == b->first_joint + 1) return false;
    }
    return def->kind == ABUT_JOINT_FREE && joint->next < 0 && def->stiffness == 0 && def->damping == 0 &&
           def->armature == 0 && def->dry_friction == 0;
}

/* The freedoms of one body's joints, after those of what it hangs on. */
static bool number_joints(abut_world *world, int body, int tree)
{
    abuti_world_body *b = &world->bodies.items[body];
    b->tree = tree;
    b->last_dof = b->parent == ABUTI_GROUND ? -1 : world->bodies.items[b->parent].last_dof;
    for (int j = b->first_joint; j >= 0; j = world->joints.items[j].next) {
        abuti_world_joint *joint = &world->joints.items[j];
        joint->dof = world->dofs.count;
        for (int k = 0; k < abuti_joint_dofs(joint->def.kind); ++k) {
            if (!abuti_list_push(world, &world->dofs)) return false;
            *abuti_list_last(&world->dofs) = (abuti_dof){.joint = j,
                                                         .body = body,
                                                         .tree = tree,
                                                         .parent = b->last_dof,
                                                         .velocity = joint->velocity + k};
            b->last_dof = world->dofs.count - 1;
        }
    }
    return true;
}

/* All bodies of one group, which is one tree (or several that tendons couple). */
static bool number_group(abut_world *world, const int *group, int root)
{
    int tree = world->trees.count, members = 0, first = world->dofs.count;
    if (!abuti_list_push(world, &world->trees)) return false;
    abuti_world_tree *t = abuti_list_last(&world->trees);
    *t = (abuti_world_tree){.first_dof = first, .body = root};
    for (int i = root; i < world->bodies.count; ++i) {
        if (group[i] != root) continue;
        members++;
        world->trees.items[tree].last_body = i;
        if (!number_joints(world, i, tree)) return false;
    }
    t = &world->trees.items[tree];
    t->dof_count = world->dofs.count - first;
    t->free_body = members == 1 && plain_free_body(world, root);
    return true;
}

void abuti_keep_free_velocities(abut_world *world)
{
    for (int j = 0; j < world->joints.count; ++j) {
        abuti_world_joint *joint = &world->joints.items[j];
        bool at_com = world->trees.items[world->bodies.items[joint->body].tree].free_body;
        if (joint->at_com == at_com) continue;
        double *v = world->velocities.items + joint->velocity;
        if (at_com)
            abuti_velocity_to_com(world, joint, v, v);
        else
            abuti_velocity_from_com(world, joint, v, v);
        joint->at_com = at_com;
    }
}

static void place_matrices(abut_world *world)
{
    int size = 0;
    for (int i = 0; i < world->trees.count; ++i) {
        abuti_world_tree *tree = &world->trees.items[i];
        tree->matrix = size;
        size += tree->dof_count * tree->dof_count;
    }
    for (int i = 0; i < world->tendons.count; ++i) {
        const abuti_entry *term = world->tendon_terms.items + world->tendons.items[i].first;
        world->trees.items[world->bodies.items[world->joints.items[term->index].body].tree].coupled = true;
    }
}

int abuti_matrix_size(const abut_world *world)
{
    if (world->trees.count == 0) return 0;
    const abuti_world_tree *last = &world->trees.items[world->trees.count - 1];
    return last->matrix + last->dof_count * last->dof_count;
}

bool abuti_build_topology(abut_world *world)
{
    if (world->built) return true;
    int count = world->bodies.count;
    if (!abuti_list_resize(world, &world->groups, count)) return false;
    int *group = world->groups.items;
    world->trees.count = world->dofs.count = 0;
    group_bodies(world, group);
    group_tendons(world, group);
    for (int i = 0; i < count; ++i) group[i] = abuti_group_root(group, i);
    for (int i = 0; i < count; ++i) {
        bool moves = world->bodies.items[i].first_joint >= 0;
        if (moves && group[i] == i && !number_group(world, group, i)) return false;
    }
    place_matrices(world);
    abuti_keep_free_velocities(world);
    world->built = true;
    world->posed = false;
    return true;
}
