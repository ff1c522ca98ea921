/* Shapes that bodies carry: added, weighed, and asked about. */

#include "world/colliders.h"
#include "base/space.h"
#include "world/check.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/read.h"
#include "world/sleep.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

abut_collider_def abut_collider_default_def(void)
{
    return (abut_collider_def){.shape = {.kind = ABUT_SPHERE, .radius = 0.5},
                               .rotation = {1, 0, 0, 0},
                               .density = 1000,
                               .friction = 1,
                               .category = 1,
                               .mask = 1};
}

static abut_status check_collider(const abut_world *world, abut_body_id body, const abut_collider_def *def,
                                  abut_error *error)
{
    if (body.index < 0 || body.index > world->bodies.count) {
        return abuti_invalid(error, "body: %d; expected the id of a body, or {0} for the ground",
                             (int)body.index);
    }
    abut_status status = abut_shape_check(&def->shape, error);
    if (status != ABUT_OK) return status;
    const double least_zero[] = {def->density, def->mass,       def->friction,
                                 def->viscous, def->compliance, def->margin};
    static const char *const names[] = {"density", "mass", "friction", "viscous", "compliance", "margin"};
    for (int k = 0; k < 6; ++k) {
        if (!abuti_at_least(least_zero[k], 0))
            return abuti_invalid(error, "%s: %g; expected >= 0", names[k], least_zero[k]);
    }
    if (!(def->restitution >= 0 && def->restitution <= 1)) {
        return abuti_invalid(error, "restitution: %g; expected 0 to 1", def->restitution);
    }
    if (!abuti_finite(def->position, 3) || !abuti_finite(def->surface_velocity, 6)) {
        return abuti_invalid(error, "position, surface_velocity: expected finite numbers");
    }
    return ABUT_OK;
}

/* A collider's mass in the frame of its body; shapes without one (planes, meshes) have none. */
static bool weigh(const abut_collider_def *def, abut_mass *mass)
{
    if (abut_shape_mass(&def->shape, def->mass > 0 ? 1 : def->density, mass) != ABUT_OK) return false;
    if (def->mass > 0 && mass->mass > 0) {
        double scale = def->mass / mass->mass;
        mass->mass = def->mass;
        for (int k = 0; k < 6; ++k) mass->inertia[k] *= scale;
    }
    abut_pose pose;
    abuti_v3_copy(pose.position, def->position);
    memcpy(pose.rotation, def->rotation, sizeof pose.rotation);
    abut_mass_move(mass, &pose);
    return mass->mass > 0;
}

/* A body without a mass of its own weighs what its colliders weigh. */
static void add_mass(abut_world *world, int body, const abut_collider_def *def)
{
    abut_mass part, sum = {0};
    if (body == ABUTI_GROUND || world->bodies.items[body].def.mass > 0 || !weigh(def, &part)) return;
    abuti_world_body *b = &world->bodies.items[body];
    sum.mass = b->mass;
    abuti_v3_copy(sum.com, b->com);
    memcpy(sum.inertia, b->inertia, sizeof sum.inertia);
    if (sum.mass > 0)
        abut_mass_add(&sum, &part);
    else
        sum = part;
    b->mass = sum.mass;
    abuti_v3_copy(b->com, sum.com);
    memcpy(b->inertia, sum.inertia, sizeof b->inertia);
}

/* m: half the diagonal of a shape's bounds. */
static double size_of(const abut_shape *shape)
{
    const abut_pose origin = {.rotation = {1, 0, 0, 0}};
    double low[3], high[3], across[3];
    abut_shape_bounds(shape, &origin, low, high);
    abuti_v3_sub(across, high, low);
    return 0.5 * abuti_v3_length(across);
}

abut_status abut_world_add_collider(abut_world *world, abut_body_id body, const abut_collider_def *def,
                                    abut_collider_id *id, abut_error *error)
{
    if (!world || !def) return abuti_invalid(error, "a world and a definition are needed");
    abut_status status = check_collider(world, body, def, error);
    if (status != ABUT_OK) return status;
    abuti_world_collider collider = {.def = *def, .body = body.index - 1, .proxy = -1};
    if (!abuti_unit(collider.def.rotation, 4))
        return abuti_invalid(error, "rotation: expected a quaternion of length > 0");
    if (!abuti_list_push(world, &world->colliders)) return abuti_no_memory(error);
    *abuti_list_last(&world->colliders) = collider;
    add_mass(world, collider.body, &collider.def);
    world->smallest = fmin(world->smallest, size_of(&def->shape));
    if (id) *id = (abut_collider_id){world->colliders.count};
    world->built = false;
    return ABUT_OK;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

uint64_t abuti_pair_of_bodies(int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    return (uint64_t)(uint32_t)(low + 1) << 32 | (uint32_t)(high + 1);
}

/* Puts a pair into a list that is kept sorted. What touches what may change with it. */
static abut_status add_pair(abut_world *world, abuti_pairs *pairs, int a, int b)
{
    if (!abuti_list_push(world, pairs)) return ABUT_OUT_OF_MEMORY;
    *abuti_list_last(pairs) = abuti_pair_of_bodies(a, b);
    qsort(pairs->items, (size_t)pairs->count, sizeof(uint64_t), compare_keys);
    world->posed = false;
    abuti_wake_all(world);
    return ABUT_OK;
}

bool abuti_has_pair(const abuti_pairs *pairs, int a, int b)
{
    uint64_t key = abuti_pair_of_bodies(a, b);
    return pairs->count > 0 && bsearch(&key, pairs->items, (size_t)pairs->count, sizeof key, compare_keys);
}

abut_status abut_world_exclude(abut_world *world, abut_body_id a, abut_body_id b)
{
    if (!world || a.index < 0 || b.index < 0 || a.index > world->bodies.count ||
        b.index > world->bodies.count) {
        return ABUT_INVALID_ARGUMENT;
    }
    return add_pair(world, &world->excluded, a.index - 1, b.index - 1);
}

abut_status abut_world_include(abut_world *world, abut_collider_id a, abut_collider_id b)
{
    if (!world || a.index < 1 || b.index < 1 || a.index > world->colliders.count ||
        b.index > world->colliders.count || a.index == b.index) {
        return ABUT_INVALID_ARGUMENT;
    }
    return add_pair(world, &world->included, a.index - 1, b.index - 1);
}

/* Compares by pair, which stands first. */
static abuti_pair_friction *find_pair(const abut_world *world, uint64_t pair)
{
    if (world->pair_frictions.count == 0) return NULL;
    return bsearch(&pair, world->pair_frictions.items, (size_t)world->pair_frictions.count,
                   sizeof(abuti_pair_friction), compare_keys);
}

abut_status abut_world_set_pair_friction(abut_world *world, abut_collider_id a, abut_collider_id b,
                                         double friction)
{
    if (!world || a.index < 1 || b.index < 1 || a.index > world->colliders.count ||
        b.index > world->colliders.count || !(friction >= 0 && friction <= DBL_MAX)) {
        return ABUT_INVALID_ARGUMENT;
    }
    abuti_pair_friction entry = {abuti_pair_of_bodies(a.index - 1, b.index - 1), friction};
    abuti_pair_friction *known = find_pair(world, entry.pair);
    if (known) {
        *known = entry;
    } else {
        if (!abuti_list_push(world, &world->pair_frictions)) return ABUT_OUT_OF_MEMORY;
        *abuti_list_last(&world->pair_frictions) = entry;
        qsort(world->pair_frictions.items, (size_t)world->pair_frictions.count, sizeof entry, compare_keys);
    }
    world->posed = false;
    abuti_wake_all(world);
    return ABUT_OK;
}

const double *abuti_friction_of_pair(const abut_world *world, int a, int b)
{
    const abuti_pair_friction *found = find_pair(world, abuti_pair_of_bodies(a, b));
    return found ? &found->friction : NULL;
}

/* ------------------------------------------------------------------------------------------------
 * Questions */

abut_pose abuti_collider_pose(const abuti_world_collider *collider)
{
    abut_pose pose;
    abuti_v3_copy(pose.position, collider->position);
    memcpy(pose.rotation, collider->rotation, sizeof pose.rotation);
    return pose;
}

static const abuti_world_collider *find_collider(abut_world *world, abut_collider_id id)
{
    if (!world || id.index < 1 || id.index > world->colliders.count || !abuti_refresh(world)) return NULL;
    return &world->colliders.items[id.index - 1];
}

abut_status abut_collider_get_pose(abut_world *world, abut_collider_id id, abut_pose *pose)
{
    const abuti_world_collider *collider = find_collider(world, id);
    if (!collider || !pose) return ABUT_INVALID_ARGUMENT;
    *pose = abuti_collider_pose(collider);
    return ABUT_OK;
}

abut_status abut_world_get_closest(abut_world *world, abut_collider_id a, abut_collider_id b, double reach,
                                   abut_closest *closest)
{
    const abuti_world_collider *first = find_collider(world, a), *second = find_collider(world, b);
    if (!first || !second || !closest) return ABUT_INVALID_ARGUMENT;
    abut_pose pose_a = abuti_collider_pose(first), pose_b = abuti_collider_pose(second);
    return abut_shape_distance(&first->def.shape, &pose_a, &second->def.shape, &pose_b, reach, closest);
}

bool abut_world_cast_ray(abut_world *world, const abut_ray *ray, abut_world_hit *hit)
{
    if (!world || !ray || !hit || !abuti_refresh(world)) return false;
    bool found = false;
    for (int i = 0; i < world->colliders.count; ++i) {
        abut_pose pose = abuti_collider_pose(&world->colliders.items[i]);
        abut_ray_hit here;
        if (!abut_shape_ray(&world->colliders.items[i].def.shape, &pose, ray, &here)) continue;
        if (found && here.fraction >= hit->hit.fraction) continue;
        found = true;
        *hit = (abut_world_hit){.collider = {i + 1}, .hit = here};
    }
    return found;
}

int abut_world_find_overlaps(abut_world *world, const abut_shape *shape, const abut_pose *pose,
                             abut_collider_id *ids, int capacity)
{
    if (!world || !shape || !pose || (capacity > 0 && !ids) || !abuti_refresh(world)) return 0;
    int count = 0;
    for (int i = 0; i < world->colliders.count; ++i) {
        abut_pose at = abuti_collider_pose(&world->colliders.items[i]);
        if (!abut_shape_overlap(&world->colliders.items[i].def.shape, &at, shape, pose)) continue;
        if (count < capacity) ids[count] = (abut_collider_id){i + 1};
        count++;
    }
    return count;
}
