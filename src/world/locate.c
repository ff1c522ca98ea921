/* Poses, velocities and contacts at the present positions.
 *
 * Colliders are kept in a dynamic tree by boxes that hold where they get in the coming step. Each pair of boxes that
 * meet is looked at closely; its contacts are kept up to the distance that the two can close in a step. */
#include "world/locate.h"
#include "base/clock.h"
#include "base/space.h"
#include "world/colliders.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/near.h"
#include "world/problem.h"
#include "world/remember.h"
#include <math.h>

/* ------------------------------------------------------------------------------------------------
 * How far a collider gets */

/* m: no point of the collider moves farther in a step, gravity of the step included. */
static double reach_of(const abut_world *world, const abuti_world_collider *collider)
{
    if (collider->body == ABUTI_GROUND) return 0;
    const abuti_world_body *body = &world->bodies.items[collider->body];
    int anchor = body->anchor;
    if (anchor == ABUTI_GROUND) return 0;
    const abuti_world_body *mover = body->tree == ABUTI_GROUND ? &world->bodies.items[anchor] : body;
    double velocity[3], radius = abut_shape_radius(&collider->def.shape), h = world->def.step;
    abuti_point_velocity(world, collider->body, collider->position, velocity);
    if (radius > 1e50) radius = 0; /* a plane: it turns, if at all, with what it is fixed to */
    double speed = abuti_v3_length(velocity) + abuti_v3_length(mover->velocity) * radius;
    return h * (speed + h * abuti_v3_length(world->def.gravity));
}

/* Twice what can be closed in a step at the present speed, since contacts speed things up. */
static double margin_of(const abut_world *world, const abuti_world_collider *collider)
{
    return collider->def.margin + 2 * reach_of(world, collider) + 0.5 * world->def.margin;
}

/* ------------------------------------------------------------------------------------------------
 * Which pairs may touch */

static int anchor_of(const abut_world *world, int body)
{
    return body == ABUTI_GROUND ? ABUTI_GROUND : world->bodies.items[body].anchor;
}

/* Whether the joint that moves `child` hangs on `parent`. */
static bool hangs_on(const abut_world *world, int child, int parent)
{
    if (child == ABUTI_GROUND || parent == ABUTI_GROUND) return false;
    return anchor_of(world, world->bodies.items[child].parent) == parent;
}

static bool may_touch(const abut_world *world, const abuti_world_collider *a, const abuti_world_collider *b)
{
    if (!abuti_body_moves(world, a->body) && !abuti_body_moves(world, b->body)) return false;
    int first = anchor_of(world, a->body), second = anchor_of(world, b->body);
    if (first == second) return false;
    if (abuti_has_pair(&world->included, (int)(a - world->colliders.items),
                       (int)(b - world->colliders.items)))
        return true;
    if (!(a->def.category & b->def.mask) && !(b->def.category & a->def.mask)) return false;
    if (hangs_on(world, first, second) || hangs_on(world, second, first)) return false;
    return !abuti_has_pair(&world->excluded, a->body, b->body);
}

/* What the pair remembers from when it was last looked at. */
static abut_pair_memory recall(const abut_world *world, int a, int b, bool *touches)
{
    int low = 0, high = world->pairs.count;
    while (low < high) {
        int middle = (low + high) / 2;
        const abuti_pair *pair = &world->pairs.items[middle];
        bool before = pair->colliders[0] < a || (pair->colliders[0] == a && pair->colliders[1] < b);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    *touches = false;
    if (low == world->pairs.count) return (abut_pair_memory){0};
    const abuti_pair *pair = &world->pairs.items[low];
    if (pair->colliders[0] != a || pair->colliders[1] != b) return (abut_pair_memory){0};
    *touches = pair->touches;
    return pair->memory;
}

/* ------------------------------------------------------------------------------------------------
 * Contacts of a pair */

/* Mixes the names of two colliders into the name of their features. */
static uint64_t key_of(int a, int b, uint64_t feature)
{
    uint64_t key = feature + 0x9e3779b97f4a7c15u * (((uint64_t)(uint32_t)a << 32 | (uint32_t)b) + 1);
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 27) * 0x94d049bb133111ebu;
    key ^= key >> 31;
    return key ? key : 1;
}

/* m/s: how fast the surface of a collider moves at a point, beside what freedoms do: belts and kinematic bodies. */
static void surface_velocity(const abut_world *world, int index, const double point[3], double velocity[3])
{
    const abuti_world_collider *collider = &world->colliders.items[index];
    const double *given = collider->def.surface_velocity;
    double arm[3], turn[3], linear[3];
    abuti_v3_set(velocity, 0, 0, 0);
    if (!abuti_body_moves(world, collider->body))
        abuti_point_velocity(world, collider->body, point, velocity);
    abuti_quat_apply(linear, collider->rotation, given);
    abuti_quat_apply(turn, collider->rotation, given + 3);
    abuti_v3_sub(arm, point, collider->position);
    abuti_v3_cross(arm, turn, arm);
    abuti_v3_add(velocity, velocity, linear);
    abuti_v3_add(velocity, velocity, arm);
}

static void find_surface(const abut_world *world, abuti_touch *touch)
{
    double first[3], second[3], across[3];
    surface_velocity(world, touch->colliders[0], touch->points[0], first);
    surface_velocity(world, touch->colliders[1], touch->points[1], second);
    abuti_v3_sub(first, first, second);
    abuti_v3_cross(across, touch->normal, touch->tangent);
    abuti_v3_set(touch->surface, abuti_v3_dot(first, touch->normal), abuti_v3_dot(first, touch->tangent),
                 abuti_v3_dot(first, across));
}

/* Friction, restitution, viscosity and compliance of two colliders together. */
static void mix_materials(const abut_collider_def *a, const abut_collider_def *b, abuti_touch *touch)
{
    if (a->priority != b->priority) {
        const abut_collider_def *one = a->priority > b->priority ? a : b;
        touch->friction = one->friction;
        touch->restitution = one->restitution;
        touch->viscous = one->viscous;
        touch->compliance = one->compliance;
        return;
    }
    touch->friction = fmax(a->friction, b->friction);
    touch->restitution = fmax(a->restitution, b->restitution);
    touch->viscous = a->viscous + b->viscous;
    touch->compliance = a->compliance + b->compliance;
}

/* Finds the points of the two surfaces. Where both bodies move freely, the two impulses must act along one line, or
 * they would turn the pair; so both points are half way between the surfaces. */
static void find_points(const abut_world *world, const abut_manifold_point *point, abuti_touch *touch)
{
    bool both = abuti_body_moves(world, touch->bodies[0]) && abuti_body_moves(world, touch->bodies[1]);
    double half = both ? 0 : 0.5 * point->gap;
    abuti_v3_add_scaled(touch->points[0], point->point, half, touch->normal);
    abuti_v3_add_scaled(touch->points[1], point->point, -half, touch->normal);
}

static bool add_touch(abut_world *world, int a, int b, const abut_manifold_point *point)
{
    if (!abuti_list_push(world, &world->touches)) return false;
    abuti_touch *touch = abuti_list_last(&world->touches);
    const abuti_world_collider *first = &world->colliders.items[a], *second = &world->colliders.items[b];
    bool swap = !abuti_body_moves(world, first->body); /* what moves stands first */
    *touch = (abuti_touch){.colliders = {swap ? b : a, swap ? a : b},
                           .bodies = {swap ? second->body : first->body, swap ? first->body : second->body},
                           .gap = point->gap,
                           .key = key_of(a, b, point->key)};
    double sign = swap ? -1 : 1;
    abuti_v3_scale(touch->normal, sign, point->normal);
    abuti_v3_copy(touch->tangent, point->tangent);
    find_points(world, point, touch);
    mix_materials(&first->def, &second->def, touch);
    const double *friction = abuti_friction_of_pair(world, a, b);
    if (friction) touch->friction = *friction;
    find_surface(world, touch);
    abuti_recall(world, touch);
    return true;
}

/* Whether the contact problem takes unions: through the first door, where nothing gives way, and neither for forces nor
 * for contacts that are held. */
static bool knows_unions(const abut_world *world)
{
    const abut_model_info *model = abut_contact_model_info(world->def.model);
    if (!model->unions || model->friction == ABUT_LAW_HELD) return false;
    for (int i = 0; i < world->colliders.count; ++i) {
        if (world->colliders.items[i].def.compliance > 0) return false;
    }
    for (int i = 0; i < world->loops.count; ++i) {
        if (world->loops.items[i].compliance > 0) return false;
    }
    return abuti_goes_through_first_door(world);
}

/* Whether a pair of colliders asks for unions, and the problem takes them. */
static bool wants_unions(const abut_world *world, const abuti_world_collider *a,
                         const abuti_world_collider *b)
{
    return (a->def.unions || b->def.unions) && knows_unions(world);
}

/* The sides of a union, where the two are beside a corner. */
static abut_status look_for_corner(abut_world *world, int a, int b, double margin, bool *found)
{
    const abuti_world_collider *first = &world->colliders.items[a], *second = &world->colliders.items[b];
    abut_pose pose_a = abuti_collider_pose(first), pose_b = abuti_collider_pose(second);
    abut_manifold_point sides[ABUT_CORNER_SIDES];
    int count = 0;
    abut_status status =
        abut_shape_corner(&first->def.shape, &pose_a, &second->def.shape, &pose_b, margin, sides, &count);
    *found = count > 0;
    if (count > 0) world->unions++;
    for (int i = 0; status == ABUT_OK && i < count; ++i) {
        if (!add_touch(world, a, b, &sides[i])) return ABUT_OUT_OF_MEMORY;
        abuti_touch *touch = abuti_list_last(&world->touches);
        touch->group = world->unions;
        touch->viscous = 0;
    }
    return status;
}

/* Finds the manifold of two colliders. Pairs for which there is none (two meshes) have no contacts. */
static abut_status look_closely(abut_world *world, int a, int b, double margin, abut_pair_memory *memory)
{
    const abuti_world_collider *first = &world->colliders.items[a], *second = &world->colliders.items[b];
    abut_pose pose_a = abuti_collider_pose(first), pose_b = abuti_collider_pose(second);
    bool corner = false;
    if (wants_unions(world, first, second)) {
        abut_status status = look_for_corner(world, a, b, margin, &corner);
        if (status != ABUT_OK || corner) return status;
    }
    int count = 0,
        room = world->points.capacity < ABUT_MANIFOLD_POINTS ? ABUT_MANIFOLD_POINTS : world->points.capacity;
    for (;;) {
        if (!abuti_list_resize(world, &world->points, room)) return ABUT_OUT_OF_MEMORY;
        abut_pair_memory before = *memory;
        abut_status status = abut_shape_manifold(&first->def.shape, &pose_a, &second->def.shape, &pose_b,
                                                 margin, memory, world->points.items, room, &count);
        if (status == ABUT_UNSUPPORTED) return ABUT_OK;
        if (status != ABUT_TOO_LARGE) break;
        *memory = before;
        room = count;
    }
    for (int i = 0; i < count; ++i) {
        if (!add_touch(world, a, b, &world->points.items[i])) return ABUT_OUT_OF_MEMORY;
    }
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * All of it */

static void swap_pairs(abut_world *world)
{
    abuti_pair *items = world->pairs.items;
    int capacity = world->pairs.capacity, count = world->pairs.count;
    world->pairs.items = world->next_pairs.items;
    world->pairs.capacity = world->next_pairs.capacity;
    world->pairs.count = world->next_pairs.count;
    world->next_pairs.items = items;
    world->next_pairs.capacity = capacity;
    world->next_pairs.count = count;
}

static abut_status find_contacts(abut_world *world)
{
    world->touches.count = world->next_pairs.count = world->unions = 0;
    for (int i = 0; i < world->near.count; ++i) {
        int a = (int)(world->near.items[i] >> 32), b = (int)(world->near.items[i] & 0xffffffffu);
        const abuti_world_collider *first = &world->colliders.items[a], *second = &world->colliders.items[b];
        if (!may_touch(world, first, second)) continue;
        if (!abuti_list_push(world, &world->next_pairs)) return ABUT_OUT_OF_MEMORY;
        abuti_pair *pair = abuti_list_last(&world->next_pairs);
        *pair = (abuti_pair){.colliders = {a, b}};
        pair->memory = recall(world, a, b, &pair->touches);
        double margin = margin_of(world, first) + margin_of(world, second);
        abut_status status = look_closely(world, a, b, margin, &pair->memory);
        if (status != ABUT_OK) return status;
    }
    swap_pairs(world); /* what was looked at now is what the next look remembers */
    return ABUT_OK;
}

abut_status abuti_locate(abut_world *world)
{
    abuti_pose(world);
    abuti_move(world);
    double start = abuti_clock();
    if (!abuti_find_near(world, margin_of)) return ABUT_OUT_OF_MEMORY;
    world->broad_seconds = abuti_clock() - start;
    abut_status status = find_contacts(world);
    world->posed = status == ABUT_OK;
    return status;
}

abut_status abuti_glance(abut_world *world)
{
    abuti_pose(world);
    abuti_move(world);
    if (!abuti_find_near(world, margin_of)) return ABUT_OUT_OF_MEMORY;
    abut_status status = find_contacts(world);
    if (status == ABUT_OK) swap_pairs(world);
    return status;
}
