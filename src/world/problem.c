/* The contact problem of a step.
 *
 * Trees are blocks of the second door, in their order. Where every tree is a free body, and no surface moves by itself,
 * the problem goes through the first door: body t is tree t, and kinematic bodies stand behind them.
 *
 *     velocities      M + h D + h^2 K, v and forces of the step; gaps that are open land exactly, overlaps are left to
 *                     projection; rows with their targets and bounds
 *     forces          M + h D + h^2 K (Runge-Kutta: M) and forces; contacts that act, with their drift; rows so
 *                     that the velocity after the step is that of `velocities` (Runge-Kutta: drift alone)
 *     impacts         M and v, no forces; contacts that act, rows of loops and of limits that are reached
 *     landings        M and v, no forces; all contacts, rows of loops and limits
 *     kept            M and v, no forces; rows of loops, and of contacts that carry a force
 *     displacements   the same matrix, nothing moves and nothing acts, step 1; gaps and errors as they are,
 *                     no friction; rows of loops and limits alone */
#include "world/problem.h"
#include "base/space.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/remember.h"
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Contacts */

/* The tree or, through the first door, the body that stands for a body of the world. */
static int stand_in(const abut_world *world, const abuti_world_problem *p, int body)
{
    if (body == ABUTI_GROUND) return ABUT_WORLD;
    const abuti_world_body *b = &world->bodies.items[body];
    if (b->tree != ABUTI_GROUND) return b->tree;
    if (p->problem.generalised || b->anchor == ABUTI_GROUND) return ABUT_WORLD;
    return world->trees.count + world->groups.items[b->anchor];
}

static bool add_contact(abut_world *world, abuti_question question, const abuti_touch *touch,
                        abuti_world_problem *p)
{
    bool room = abuti_list_push(world, &p->contacts) && abuti_list_push(world, &p->faces) &&
                abuti_list_push(world, &p->impulses) && abuti_list_push(world, &p->touch_of);
    if (!room) return false;
    *abuti_list_last(&p->faces) = touch->face;
    abuti_v3_copy(abuti_list_last(&p->impulses)->along, touch->impulse);
    *abuti_list_last(&p->touch_of) = (int)(touch - world->touches.items);
    abut_contact *c = abuti_list_last(&p->contacts);
    *c = (abut_contact){.friction = touch->friction,
                        .directions = world->def.directions,
                        .cone = world->def.cone,
                        .gap = touch->gap,
                        .restitution = touch->restitution,
                        .viscous = touch->viscous,
                        .compliance = touch->compliance,
                        .group = touch->group,
                        .key = touch->key};
    c->bodies[0] = stand_in(world, p, touch->bodies[0]);
    c->bodies[1] = stand_in(world, p, touch->bodies[1]);
    if (c->bodies[0] == c->bodies[1])
        c->bodies[1] = ABUT_WORLD; /* two links of one tree: the row on the tree is their difference */
    abuti_v3_copy(c->normal, touch->normal);
    abuti_v3_copy(c->tangent, touch->tangent);
    abuti_v3_copy(c->point, touch->points[0]);
    abuti_v3_copy(c->second_point, touch->points[1]);
    c->two_points = touch->gap != 0;
    if (question == ABUTI_DISPLACEMENTS) {
        c->friction = c->restitution = c->viscous = c->compliance = 0;
        return true;
    }
    if (c->gap < 0 || question == ABUTI_IMPACTS) c->gap = 0;
    if (p->problem.generalised) abuti_v3_copy(c->surface, touch->surface);
    if (question == ABUTI_IMPACTS || question == ABUTI_LANDINGS)
        c->viscous *= world->def.contact.accel.impact_seconds / world->span;
    if (question == ABUTI_LANDINGS && p->problem.generalised && c->viscous > 0 && c->restitution == 0 &&
        c->gap > 0) {
        /* Viscous friction acts only at a contact without a gap. A foot that slides over the edge of a facet leaves the
         * ground a little in every step and lands again. So the gap becomes a speed of the ground, and the foot is
         * dragged like one that touches. */
        c->surface[0] += c->gap / world->span;
        c->gap = 0;
    }
    if (question == ABUTI_FORCES) {
        c->gap = c->restitution = 0;
        c->two_points = false;
        abuti_v3_copy(c->drift, touch->drift);
    }
    return true;
}

/* Whether a contact belongs into the problem. */
static bool takes_part(const abut_world *world, const abuti_touch *touch, abuti_question question)
{
    if (abuti_touch_idles(world, touch)) return false;
    if (question == ABUTI_KEPT) return false; /* they are rows there */
    return touch->acts || (question != ABUTI_FORCES && question != ABUTI_IMPACTS);
}

/* One row of a contact on its blocks: A's part, then B's. */
static bool push_contact_row(abut_world *world, const abut_contact *c, const abuti_touch *touch,
                             const double axis[3], abuti_world_problem *p, bool tangent)
{
    double sign = 1;
    for (int side = 0; side < 2; side++, sign = -1) {
        int block = c->bodies[side];
        if (block == ABUT_WORLD) continue;
        int size = world->trees.items[block].dof_count;
        double *row;
        if (tangent) {
            if (!abuti_list_resize(world, &p->tangent_rows, p->tangent_rows.count + size)) return false;
            row = p->tangent_rows.items + p->tangent_rows.count - size;
        } else {
            if (!abuti_list_resize(world, &p->normal_rows, p->normal_rows.count + size)) return false;
            row = p->normal_rows.items + p->normal_rows.count - size;
        }
        memset(row, 0, (size_t)size * sizeof *row);
        abuti_add_point_row(world, touch->bodies[side], touch->points[side], axis, sign, row);
        bool inside = side == 0 && c->bodies[1] == ABUT_WORLD && touch->bodies[1] != ABUTI_GROUND &&
                      world->bodies.items[touch->bodies[1]].tree == block;
        if (inside) abuti_add_point_row(world, touch->bodies[1], touch->points[1], axis, -1, row);
    }
    return true;
}

static bool add_contacts(abut_world *world, abuti_question question, abuti_world_problem *p)
{
    p->contacts.count = p->faces.count = p->impulses.count = p->touch_of.count = 0;
    p->normal_rows.count = p->tangent_rows.count = 0;
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        if (!takes_part(world, touch, question)) continue;
        if (!add_contact(world, question, touch, p)) return false;
        if (!p->problem.generalised) continue;
        const abut_contact *c = abuti_list_last(&p->contacts);
        double across[3];
        abuti_v3_cross(across, touch->normal, touch->tangent);
        if (!push_contact_row(world, c, touch, touch->normal, p, false)) return false;
        if (!push_contact_row(world, c, touch, touch->tangent, p, true)) return false;
        if (!push_contact_row(world, c, touch, across, p, true)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Joint rows */

/* Which two trees the entries lie on; ABUT_WORLD where there is none. */
static void trees_of(const abut_world *world, const abuti_entry *entries, int count, int trees[2])
{
    trees[0] = trees[1] = ABUT_WORLD;
    for (int k = 0; k < count; ++k) {
        int tree = world->dofs.items[entries[k].index].tree;
        if (trees[0] == ABUT_WORLD || trees[0] == tree)
            trees[0] = tree;
        else
            trees[1] = tree;
    }
}

static bool push_joint(abut_world *world, const abut_joint *joint, const abuti_entry *entries, int count,
                       abuti_world_problem *p)
{
    if (!abuti_list_push(world, &p->joints)) return false;
    abut_joint *j = abuti_list_last(&p->joints);
    *j = *joint;
    trees_of(world, entries, count, j->bodies);
    if (j->bodies[0] == ABUT_WORLD) { /* nothing that moves is on it */
        p->joints.count--;
        return true;
    }
    for (int side = 0; side < 2; ++side) {
        int tree = j->bodies[side];
        if (tree == ABUT_WORLD) continue;
        const abuti_world_tree *t = &world->trees.items[tree];
        double *row = j->jacobian[side];
        if (p->problem.generalised) {
            if (!abuti_list_resize(world, &p->joint_rows, p->joint_rows.count + t->dof_count)) return false;
            row = p->joint_rows.items + p->joint_rows.count - t->dof_count;
        }
        memset(row, 0, (size_t)t->dof_count * sizeof *row);
        for (int k = 0; k < count; ++k) {
            int local = entries[k].index - t->first_dof;
            if (local >= 0 && local < t->dof_count) row[local] += entries[k].value;
        }
    }
    return true;
}

double abuti_row_velocity(const abut_world *world, const abuti_row *row)
{
    double velocity = 0;
    for (int k = row->first; k < row->first + row->count; ++k) {
        const abuti_entry *entry = &world->entries.items[k];
        velocity += entry->value * world->velocities.items[world->dofs.items[entry->index].velocity];
    }
    return velocity;
}

/* At the acceleration level a row asks for what its velocity row asks for at the end of the step:
 * row.(v + h a) + compliance h f = target, which is row.a + compliance f = (target - row.v) / h. Runge-Kutta steps keep
 * loops and limits by drift alone, and motors are forces there. False when the row has no part in the problem. */
static bool row_of_forces(const abut_world *world, const abuti_row *row, abut_joint *joint)
{
    double h = world->span, velocity = abuti_row_velocity(world, row);
    bool runge = world->def.integrator == ABUT_RUNGE_KUTTA;
    joint->lower /= h;
    joint->upper /= h;
    joint->target = (row->target - velocity) / h;
    if (row->kind == ABUTI_ROW_FRICTION) return true;
    if (row->kind == ABUTI_ROW_MOTOR) return !runge;
    if (!runge) {
        joint->drift = row->drift;
        return true;
    }
    joint->target = -row->drift;
    joint->compliance = 0;
    return row->kind == ABUTI_ROW_LOOP ||
           (row->error <= world->def.slop && velocity <= world->def.contact.accel.slide_threshold);
}

/* Writes what a row asks for in this problem. False when it has no part in it. */
static bool fill_joint(const abut_world *world, const abuti_row *row, abuti_question question,
                       abut_joint *joint)
{
    *joint = (abut_joint){.target = row->target,
                          .bounded = row->bounded,
                          .lower = row->lower,
                          .upper = row->upper,
                          .compliance = row->compliance,
                          .key = row->key};
    bool lasting = row->kind == ABUTI_ROW_LOOP || row->kind == ABUTI_ROW_LIMIT;
    switch (question) {
    case ABUTI_VELOCITIES: return true;
    case ABUTI_FORCES: return row_of_forces(world, row, joint);
    case ABUTI_LANDINGS: return lasting;
    case ABUTI_KEPT: return row->kind == ABUTI_ROW_LOOP;
    case ABUTI_IMPACTS:
        if (row->kind == ABUTI_ROW_LIMIT) joint->target = 0;
        return row->kind == ABUTI_ROW_LOOP || (row->kind == ABUTI_ROW_LIMIT && row->error <= world->def.slop);
    case ABUTI_DISPLACEMENTS: joint->target = -row->error; return lasting && row->compliance == 0;
    }
    return false;
}

/* Whether all that a row acts on sleeps. */
static bool row_idles(const abut_world *world, const abuti_row *row)
{
    for (int k = row->first; k < row->first + row->count; ++k) {
        const abuti_dof *dof = &world->dofs.items[world->entries.items[k].index];
        if (!world->trees.items[dof->tree].asleep) return false;
    }
    return row->count > 0;
}

static bool add_rows(abut_world *world, abuti_question question, abuti_world_problem *p)
{
    p->joints.count = p->joint_rows.count = p->row_of.count = p->joint_faces.count = 0;
    p->joint_impulses.count = 0;
    for (int i = 0; i < world->rows.count; ++i) {
        const abuti_row *row = &world->rows.items[i];
        abut_joint joint;
        if (row_idles(world, row) || !fill_joint(world, row, question, &joint)) continue;
        int before = p->joints.count;
        if (!push_joint(world, &joint, world->entries.items + row->first, row->count, p)) return false;
        if (p->joints.count == before) continue;
        if (!abuti_list_push(world, &p->row_of) || !abuti_list_push(world, &p->joint_faces) ||
            !abuti_list_push(world, &p->joint_impulses))
            return false;
        *abuti_list_last(&p->row_of) = i;
        *abuti_list_last(&p->joint_faces) =
            abuti_recall_row(world, row->key, abuti_list_last(&p->joint_impulses));
    }
    return true;
}

static bool holds(const abut_world *world, const abuti_touch *touch)
{
    return touch->face.state == ABUT_STICK && touch->group == 0 && !abuti_touch_idles(world, touch);
}

/* Normals whose product is larger than this are those of one face. */
#define SAME_FACE (1 - 1e-9)

/* Whether two contacts that stick lie on one face of one pair of colliders. */
static bool share_face(const abuti_touch *a, const abuti_touch *b)
{
    return a->colliders[0] == b->colliders[0] && a->colliders[1] == b->colliders[1] &&
           abuti_v3_dot(a->normal, b->normal) > SAME_FACE;
}

/* Whether no contact before this one holds its face. Contacts stand pair by pair. */
static bool is_first_of_face(const abut_world *world, int i)
{
    const abuti_touch *touch = &world->touches.items[i];
    for (int k = i - 1; k >= 0 && world->touches.items[k].colliders[0] == touch->colliders[0] &&
                        world->touches.items[k].colliders[1] == touch->colliders[1];
         k--) {
        if (holds(world, &world->touches.items[k]) && share_face(&world->touches.items[k], touch))
            return false;
    }
    return true;
}

int abuti_faces_that_hold(const abut_world *world)
{
    int faces = 0;
    for (int i = 0; i < world->touches.count; ++i)
        faces += holds(world, &world->touches.items[i]) && is_first_of_face(world, i);
    return faces;
}

/* No sliding along an axis at a contact. */
static bool hold_along(abut_world *world, const abuti_touch *touch, const double axis[3],
                       abuti_world_problem *p)
{
    int first = world->entries.count;
    bool fine =
        abuti_push_point_row(world, touch->bodies[0], touch->points[0], axis, 1) &&
        abuti_push_point_row(world, touch->bodies[1], touch->points[1], axis, -1) &&
        push_joint(world, &(abut_joint){0}, world->entries.items + first, world->entries.count - first, p);
    world->entries.count = first;
    return fine;
}

/* Holds contacts that stick where they are while overlaps are undone. Three rows are enough for all contacts of one
 * face: two at the first contact, and one at the farthest from it, across the line between the two. */
static bool hold_sticking(abut_world *world, abuti_world_problem *p)
{
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i], *far = NULL;
        if (!holds(world, touch) || !is_first_of_face(world, i)) continue;
        double across[3], way[3], farthest[3] = {0}, most = 0;
        abuti_v3_cross(across, touch->normal, touch->tangent);
        if (!hold_along(world, touch, touch->tangent, p) || !hold_along(world, touch, across, p))
            return false;
        for (int k = i + 1; k < world->touches.count && share_face(touch, &world->touches.items[k]); ++k) {
            if (!holds(world, &world->touches.items[k])) continue;
            abuti_v3_sub(way, world->touches.items[k].points[0], touch->points[0]);
            double length = abuti_v3_length(way);
            if (length <= most) continue;
            most = length;
            far = &world->touches.items[k];
            abuti_v3_copy(farthest, way);
        }
        if (!far) continue;
        abuti_v3_cross(across, touch->normal, farthest);
        abuti_v3_normalise(across);
        if (!hold_along(world, far, across, p)) return false;
    }
    return true;
}

/* Contacts that carry a force neither open nor close: each gets a row. */
static bool keep_carrying(abut_world *world, abuti_world_problem *p)
{
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        if (!touch->carries) continue;
        int first = world->entries.count;
        abut_joint row = {.target = -touch->surface[0]};
        bool fine = abuti_push_point_row(world, touch->bodies[0], touch->points[0], touch->normal, 1) &&
                    abuti_push_point_row(world, touch->bodies[1], touch->points[1], touch->normal, -1) &&
                    push_joint(world, &row, world->entries.items + first, world->entries.count - first, p);
        world->entries.count = first;
        if (!fine) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * What moves */

static bool add_blocks(abut_world *world, abuti_question question, abuti_world_problem *p)
{
    int trees = world->trees.count, dofs = world->dofs.count;
    bool fine = abuti_list_resize(world, &p->sizes, trees) && abuti_list_resize(world, &p->parents, dofs) &&
                abuti_list_resize(world, &p->velocity, dofs) && abuti_list_resize(world, &p->force, dofs);
    if (!fine) return false;
    bool branches = true;
    for (int t = 0; t < trees; ++t) {
        p->sizes.items[t] = world->trees.items[t].dof_count;
        branches = branches && !world->trees.items[t].coupled;
    }
    bool moves = question != ABUTI_DISPLACEMENTS;
    bool pushed = question == ABUTI_VELOCITIES || question == ABUTI_FORCES;
    for (int d = 0; d < dofs; ++d) {
        const abuti_dof *dof = &world->dofs.items[d];
        p->parents.items[d] = dof->parent < 0 ? -1 : dof->parent - world->trees.items[dof->tree].first_dof;
        p->velocity.items[d] = moves ? world->velocities.items[dof->velocity] : 0;
        p->force.items[d] = pushed && !world->trees.items[dof->tree].asleep ? world->force.items[d] : 0;
    }
    p->blocks = (abut_generalised){.nv = dofs,
                                   .mass_matrix = pushed ? world->implicit.items : world->mass.items,
                                   .velocity = p->velocity.items,
                                   .force = p->force.items,
                                   .block_count = trees,
                                   .block_sizes = p->sizes.items,
                                   .parents = branches ? p->parents.items : NULL};
    return true;
}

static abut_body moving_body(const abut_world *world, const abuti_world_tree *tree, bool moves, bool pushed)
{
    const abuti_world_body *body = &world->bodies.items[tree->body];
    abut_body b = {.mass = body->mass, .kind = ABUT_DYNAMIC};
    memcpy(b.inertia, body->world_inertia, sizeof b.inertia);
    abuti_v3_copy(b.com, body->world_com);
    if (!moves) return b;
    memcpy(b.velocity, world->velocities.items + world->joints.items[body->first_joint].velocity,
           sizeof b.velocity);
    if (pushed && !tree->asleep) memcpy(b.force, world->force.items + tree->first_dof, sizeof b.force);
    return b;
}

static abut_body told_body(const abuti_world_body *body, bool moves)
{
    abut_body b = {.mass = 1, .inertia = {1, 1, 1}, .kind = ABUT_KINEMATIC};
    abuti_v3_copy(b.com, body->position);
    if (!moves) return b;
    abuti_v3_copy(b.velocity, body->velocity + 3);
    abuti_v3_copy(b.velocity + 3, body->velocity);
    return b;
}

/* Body t is tree t; world->groups tells for each kinematic body which one after those it is. */
static bool add_bodies(abut_world *world, abuti_question question, abuti_world_problem *p)
{
    bool moves = question != ABUTI_DISPLACEMENTS;
    bool pushed = question == ABUTI_VELOCITIES || question == ABUTI_FORCES;
    p->bodies.count = 0;
    for (int t = 0; t < world->trees.count; ++t) {
        if (!abuti_list_push(world, &p->bodies)) return false;
        *abuti_list_last(&p->bodies) = moving_body(world, &world->trees.items[t], moves, pushed);
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        if (body->def.kind != ABUT_KINEMATIC) continue;
        world->groups.items[i] = p->bodies.count - world->trees.count;
        if (!abuti_list_push(world, &p->bodies)) return false;
        *abuti_list_last(&p->bodies) = told_body(body, moves);
    }
    return true;
}

bool abuti_goes_through_first_door(const abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        if (!world->trees.items[t].free_body) return false;
    }
    for (int i = 0; i < world->colliders.count; ++i) {
        const double *surface = world->colliders.items[i].def.surface_velocity;
        for (int k = 0; k < 6; ++k) {
            if (surface[k] != 0) return false;
        }
    }
    return true;
}

abut_contact_model abuti_velocity_model(const abut_world *world)
{
    return abut_contact_model_info(world->def.model)->impact;
}

static abut_contact_model model_of(const abut_world *world, abuti_question question)
{
    if (question == ABUTI_DISPLACEMENTS) return ABUT_FRICTIONLESS;
    return question == ABUTI_FORCES ? world->def.model : abuti_velocity_model(world);
}

bool abuti_build_problem(abut_world *world, abuti_question question, bool hold, abuti_world_problem *p)
{
    bool first_door = abuti_goes_through_first_door(world);
    p->problem = (abut_contact_problem){.model = model_of(world, question),
                                        .step = question == ABUTI_DISPLACEMENTS ? 1 : world->span,
                                        .generalised = first_door ? NULL : &p->blocks};
    bool fine = first_door ? add_bodies(world, question, p) : add_blocks(world, question, p);
    fine = fine && add_contacts(world, question, p) && add_rows(world, question, p);
    if (fine && hold) fine = hold_sticking(world, p);
    if (fine && question == ABUTI_KEPT) fine = keep_carrying(world, p);
    if (!fine) return false;
    p->problem.contact_count = p->contacts.count;
    p->problem.contacts = p->contacts.items;
    p->problem.joint_count = p->joints.count;
    p->problem.joints = p->joints.items;
    p->problem.body_count = first_door ? p->bodies.count : 0;
    p->problem.bodies = first_door ? p->bodies.items : NULL;
    p->blocks.normal_rows = p->normal_rows.items;
    p->blocks.tangent_rows = p->tangent_rows.items;
    p->blocks.joint_rows = p->joint_rows.items;
    return true;
}

void abuti_take_velocities(const abut_world *world, const double *answer, double *velocities)
{
    for (int d = 0; d < world->dofs.count; ++d) {
        const abuti_dof *dof = &world->dofs.items[d];
        /* Trees of the first door have six freedoms each, so both doors have one order. */
        velocities[dof->velocity] = answer[d];
    }
}
