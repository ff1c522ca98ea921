/* Velocity-product terms. With u = J(q) v the velocity at a contact, du/dt = J a + (dJ/dt) v, and the second part is
 * how u changes while the freedoms go on without acceleration. Contact points wander over round shapes and normals turn
 * with faces, so (dJ/dt) v has another formula for each pair of features. Here it is taken from where the shapes
 * themselves get to,
 *
 *     drift = (u(q + v tau) - u(q - v tau)) / 2 tau
 *
 * with the contacts found anew at both places and known again by their keys. Rows of loops and limits go the same
 * way. */
#include "world/drift.h"
#include "base/space.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/problem.h"
#include "world/rows.h"
#include "world/stride.h"
#include <string.h>

/* tau in steps. The error of the difference is of the order (turn in tau)^2; its rounding is 1e-16 of the velocity /
 * tau. */
#define TAU 1e-3

void abuti_contact_velocity(const abut_world *world, const abuti_touch *touch, double u[3])
{
    double relative[3] = {0, 0, 0}, across[3];
    for (int side = 0; side < 2; ++side) {
        double velocity[3];
        if (!abuti_body_moves(world, touch->bodies[side])) continue; /* in `surface` */
        abuti_point_velocity(world, touch->bodies[side], touch->points[side], velocity);
        abuti_v3_add_scaled(relative, relative, side ? -1 : 1, velocity);
    }
    abuti_v3_cross(across, touch->normal, touch->tangent);
    abuti_v3_set(u, abuti_v3_dot(relative, touch->normal), abuti_v3_dot(relative, touch->tangent),
                 abuti_v3_dot(relative, across));
    abuti_v3_add(u, u, touch->surface);
}

/* A list of touches, rows or entries takes the place of another. */
#define SWAP_LISTS(a, b)                                                                                     \
    do {                                                                                                     \
        unsigned char kept[sizeof(a)];                                                                       \
        memcpy(kept, &(a), sizeof(a));                                                                       \
        memcpy(&(a), &(b), sizeof(a));                                                                       \
        memcpy(&(b), kept, sizeof(a));                                                                       \
    } while (0)

static void swap_places(abut_world *world)
{
    SWAP_LISTS(world->touches, world->displaced);
    SWAP_LISTS(world->rows, world->displaced_rows);
    SWAP_LISTS(world->entries, world->displaced_entries);
}

/* The item with this key; places rarely change, so the search begins at `guess`. */
static const abuti_touch *find_touch(const abuti_touch *items, int count, uint64_t key, int guess)
{
    for (int k = 0; k < count; ++k) {
        const abuti_touch *touch = &items[(guess + k) % count];
        if (touch->key == key) return touch;
    }
    return NULL;
}

static const abuti_row *find_row(const abuti_row *items, int count, uint64_t key, int guess)
{
    for (int k = 0; k < count; ++k) {
        const abuti_row *row = &items[(guess + k) % count];
        if (row->key == key) return row;
    }
    return NULL;
}

static bool lasts(const abuti_row *row)
{
    return row->kind == ABUTI_ROW_LOOP || row->kind == ABUTI_ROW_LIMIT;
}

/* A row's velocity less what the row asks for; for a limit, its velocity. */
static double excess(const abut_world *world, const abuti_row *row)
{
    return abuti_row_velocity(world, row) - (row->kind == ABUTI_ROW_LOOP ? row->target : 0);
}

/* Adds sign * (velocity here) / 2 tau to the drift of everything that is found again here. The lists world->touches and
 * rows hold what is displaced, world->displaced what gets the drift. */
static void add_side(abut_world *world, double sign, double tau)
{
    for (int i = 0; i < world->displaced.count; ++i) {
        abuti_touch *touch = &world->displaced.items[i];
        double u[3];
        if (!touch->acts) continue;
        const abuti_touch *here = find_touch(world->touches.items, world->touches.count, touch->key, i);
        if (!here) continue;
        abuti_contact_velocity(world, here, u);
        abuti_v3_add_scaled(touch->drift, touch->drift, sign / (2 * tau), u);
        touch->sides |= sign > 0 ? 1 : 2;
    }
    for (int i = 0; i < world->displaced_rows.count; ++i) {
        abuti_row *row = &world->displaced_rows.items[i];
        if (!lasts(row)) continue;
        const abuti_row *here = find_row(world->rows.items, world->rows.count, row->key, i);
        if (!here) continue;
        row->drift += sign * excess(world, here) / (2 * tau);
        row->sides |= sign > 0 ? 1 : 2;
    }
}

/* Contacts and rows that were found again on one side only get the difference to where they are now, divided by tau. */
static void mend_sides(abut_world *world, double tau)
{
    for (int i = 0; i < world->touches.count; ++i) {
        abuti_touch *touch = &world->touches.items[i];
        if (touch->sides == 0 || touch->sides == 3) continue;
        double u[3];
        abuti_contact_velocity(world, touch, u);
        abuti_v3_scale(touch->drift, 2, touch->drift);
        abuti_v3_add_scaled(touch->drift, touch->drift, (touch->sides == 1 ? -1 : 1) / tau, u);
    }
    for (int i = 0; i < world->rows.count; ++i) {
        abuti_row *row = &world->rows.items[i];
        if (row->sides == 0 || row->sides == 3) continue;
        row->drift = 2 * row->drift + (row->sides == 1 ? -1 : 1) * excess(world, row) / tau;
    }
}

static bool keep_positions(abut_world *world)
{
    int bodies = world->bodies.count;
    if (!abuti_list_resize(world, &world->kept_positions, world->positions.count)) return false;
    if (!abuti_list_resize(world, &world->kept_told, 7 * bodies)) return false;
    for (int i = 0; i < world->positions.count; ++i)
        world->kept_positions.items[i] = world->positions.items[i];
    for (int i = 0; i < bodies; ++i) {
        memcpy(world->kept_told.items + 7 * i, world->bodies.items[i].def.position, 3 * sizeof(double));
        memcpy(world->kept_told.items + 7 * i + 3, world->bodies.items[i].def.rotation, 4 * sizeof(double));
    }
    return true;
}

static void restore_positions(abut_world *world)
{
    for (int i = 0; i < world->positions.count; ++i)
        world->positions.items[i] = world->kept_positions.items[i];
    for (int i = 0; i < world->bodies.count; ++i) {
        memcpy(world->bodies.items[i].def.position, world->kept_told.items + 7 * i, 3 * sizeof(double));
        memcpy(world->bodies.items[i].def.rotation, world->kept_told.items + 7 * i + 3, 4 * sizeof(double));
    }
}

/* Whether anything has a drift at all. */
static bool clear_drift(abut_world *world)
{
    bool any = false;
    for (int i = 0; i < world->touches.count; ++i) {
        any = any || world->touches.items[i].acts;
        abuti_v3_set(world->touches.items[i].drift, 0, 0, 0);
        world->touches.items[i].sides = 0;
    }
    for (int i = 0; i < world->rows.count; ++i) {
        any = any || lasts(&world->rows.items[i]);
        world->rows.items[i].drift = world->rows.items[i].sides = 0;
    }
    return any;
}

abut_status abuti_find_drift(abut_world *world)
{
    double tau = TAU * world->def.step;
    if (!clear_drift(world)) return ABUT_OK;
    if (!keep_positions(world)) return ABUT_OUT_OF_MEMORY;
    abut_status status = ABUT_OK;
    swap_places(world);
    for (int side = 0; side < 2 && status == ABUT_OK; ++side) {
        double sign = side ? -1 : 1;
        abuti_advance(world, world->velocities.items, sign * tau, 0);
        abuti_advance_told(world, sign * tau);
        status = abuti_glance(world);
        if (status == ABUT_OK && !abuti_find_rows(world)) status = ABUT_OUT_OF_MEMORY;
        if (status == ABUT_OK) add_side(world, sign, tau);
        restore_positions(world);
    }
    swap_places(world);
    abuti_pose(world);
    abuti_move(world);
    if (status == ABUT_OK) mend_sides(world, tau);
    return status;
}
