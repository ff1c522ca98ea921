/* Snapshots: everything that a step depends on and that steps change, bit by bit, in one block. */
#include "world/list.h"
#include "world/read.h"
#include "world/sleep.h"
#include "world/topology.h"
#include <string.h>

/* The front of a snapshot. Counts that differ from the world's tell that it is a snapshot of another world. */
typedef struct header {
    int bodies, joints, colliders, motors, loops, positions, velocities;
    int trees; /* 0: it had not been stepped, all is awake */
    int pairs, known, known_rows;
    double time;
    long steps;
} header;

static header header_of(const abut_world *world)
{
    return (header){.bodies = world->bodies.count,
                    .joints = world->joints.count,
                    .colliders = world->colliders.count,
                    .motors = world->motors.count,
                    .loops = world->loops.count,
                    .positions = world->positions.count,
                    .velocities = world->velocities.count,
                    .trees = world->built ? world->trees.count : 0,
                    .pairs = world->pairs.count,
                    .known = world->known.count,
                    .known_rows = world->known_rows.count,
                    .time = world->time,
                    .steps = world->steps};
}

/* What a body has that steps or callers change. */
typedef struct body_part {
    double position[3], rotation[4], velocity[6], applied[6], momentum[3], flown[3];
} body_part;

/* A block that is written front to back, or only measured when it is NULL. */
typedef struct cursor {
    unsigned char *at;
    size_t used;
} cursor;

static void put(cursor *c, const void *data, size_t size)
{
    if (c->at && size > 0) memcpy(c->at + c->used, data, size);
    c->used += size;
}

static void get(const unsigned char **at, void *data, size_t size)
{
    if (size > 0) memcpy(data, *at, size);
    *at += size;
}

static size_t write_all(const abut_world *world, void *snapshot)
{
    cursor c = {.at = snapshot};
    header h = header_of(world);
    put(&c, &h, sizeof h);
    put(&c, world->positions.items, (size_t)h.positions * sizeof(double));
    put(&c, world->velocities.items, (size_t)h.velocities * sizeof(double));
    put(&c, world->applied.items, (size_t)h.velocities * sizeof(double));
    for (int i = 0; i < h.bodies; ++i) {
        const abuti_world_body *body = &world->bodies.items[i];
        body_part part;
        memcpy(part.position, body->def.position, sizeof part.position);
        memcpy(part.rotation, body->def.rotation, sizeof part.rotation);
        memcpy(part.velocity, body->velocity, sizeof part.velocity);
        memcpy(part.applied, body->applied, sizeof part.applied);
        memcpy(part.momentum, body->momentum, sizeof part.momentum);
        memcpy(part.flown, body->flown, sizeof part.flown);
        put(&c, &part, sizeof part);
    }
    for (int i = 0; i < h.joints; ++i) put(&c, &world->joints.items[i].at_com, sizeof(bool));
    for (int i = 0; i < h.motors; ++i) {
        put(&c, &world->motors.items[i].control, sizeof(double));
        put(&c, &world->motors.items[i].force, sizeof(double));
    }
    for (int i = 0; i < h.loops; ++i) put(&c, &world->loops.items[i].active, sizeof(bool));
    for (int i = 0; i < h.trees; ++i) {
        put(&c, &world->trees.items[i].asleep, sizeof(bool));
        put(&c, &world->trees.items[i].still, sizeof(double));
        put(&c, &world->trees.items[i].owed, sizeof(double));
    }
    put(&c, world->pairs.items, (size_t)h.pairs * sizeof(abuti_pair));
    put(&c, world->known.items, (size_t)h.known * sizeof(abuti_known));
    put(&c, world->known_rows.items, (size_t)h.known_rows * sizeof(abuti_known));
    return c.used;
}

size_t abut_world_snapshot_size(const abut_world *world)
{
    return world ? write_all(world, NULL) : 0;
}

abut_status abut_world_save(const abut_world *world, void *snapshot)
{
    if (!world || !snapshot) return ABUT_INVALID_ARGUMENT;
    write_all(world, snapshot);
    return ABUT_OK;
}

static bool fits(const abut_world *world, const header *h)
{
    header own = header_of(world);
    return own.bodies == h->bodies && own.joints == h->joints && own.colliders == h->colliders &&
           own.motors == h->motors && own.loops == h->loops && own.positions == h->positions &&
           own.velocities == h->velocities;
}

abut_status abut_world_restore(abut_world *world, const void *snapshot)
{
    if (!world || !snapshot) return ABUT_INVALID_ARGUMENT;
    const unsigned char *at = snapshot;
    header h;
    get(&at, &h, sizeof h);
    if (!fits(world, &h)) return ABUT_INVALID_ARGUMENT;
    if (!abuti_build_topology(world)) return ABUT_OUT_OF_MEMORY;
    if (h.trees > 0 && h.trees != world->trees.count) return ABUT_INVALID_ARGUMENT;
    bool room = abuti_list_resize(world, &world->pairs, h.pairs) &&
                abuti_list_resize(world, &world->known, h.known) &&
                abuti_list_resize(world, &world->known_rows, h.known_rows);
    if (!room) return ABUT_OUT_OF_MEMORY;
    get(&at, world->positions.items, (size_t)h.positions * sizeof(double));
    get(&at, world->velocities.items, (size_t)h.velocities * sizeof(double));
    get(&at, world->applied.items, (size_t)h.velocities * sizeof(double));
    for (int i = 0; i < h.bodies; ++i) {
        abuti_world_body *body = &world->bodies.items[i];
        body_part part;
        get(&at, &part, sizeof part);
        memcpy(body->def.position, part.position, sizeof part.position);
        memcpy(body->def.rotation, part.rotation, sizeof part.rotation);
        memcpy(body->velocity, part.velocity, sizeof part.velocity);
        memcpy(body->applied, part.applied, sizeof part.applied);
        memcpy(body->momentum, part.momentum, sizeof part.momentum);
        memcpy(body->flown, part.flown, sizeof part.flown);
    }
    for (int i = 0; i < h.joints; ++i) get(&at, &world->joints.items[i].at_com, sizeof(bool));
    for (int i = 0; i < h.motors; ++i) {
        get(&at, &world->motors.items[i].control, sizeof(double));
        get(&at, &world->motors.items[i].force, sizeof(double));
    }
    for (int i = 0; i < h.loops; ++i) get(&at, &world->loops.items[i].active, sizeof(bool));
    abuti_wake_all(world);
    for (int i = 0; i < world->trees.count; ++i) world->trees.items[i].owed = 0;
    for (int i = 0; i < h.trees; ++i) {
        get(&at, &world->trees.items[i].asleep, sizeof(bool));
        get(&at, &world->trees.items[i].still, sizeof(double));
        get(&at, &world->trees.items[i].owed, sizeof(double));
    }
    get(&at, world->pairs.items, (size_t)h.pairs * sizeof(abuti_pair));
    get(&at, world->known.items, (size_t)h.known * sizeof(abuti_known));
    get(&at, world->known_rows.items, (size_t)h.known_rows * sizeof(abuti_known));
    world->time = h.time;
    world->steps = h.steps;
    world->posed = false;
    return ABUT_OK;
}
