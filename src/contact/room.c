/* The room that families share; see room.h. */
#include "contact/room.h"
#include "contact/faces/faces.h"
#include "contact/system/farkas.h"
#include <string.h>

/* The time that clearing memory takes: 2 GB/s, for memory that was never touched before. */
#define SECONDS_A_BYTE 0.5e-9

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The limits that a family is laid out for. Circles are found from finer polygons, so `faces` gets more directions. */
static abut_contact_limits limits_of(const abuti_room *room, const abuti_family *family)
{
    abut_contact_limits limits = room->limits;
    if (family == &abuti_faces_family && limits.directions < room->finest) limits.directions = room->finest;
    return limits;
}

static size_t size_of(const abuti_family *family, const abut_contact_limits *limits, int *overflow)
{
    abuti_arena counting = {0};
    (void)family->layout(&counting, limits);
    *overflow |= counting.overflow;
    return abuti_aligned(counting.used);
}

/* What a late family adds to the size of the block. Helpers get room for the largest island that they are tried on, so
 * that whether they are tried depends on the island alone. A family that answers a model by itself takes what there
 * is, unless the limits name it. */
static size_t wanted_by(const abuti_room *room, const abuti_family *family, size_t early, int *overflow)
{
    const abut_contact_limits limits = limits_of(room, family);
    size_t need = size_of(family, &limits, overflow);
    bool named = limits.solvers & 1u << family->solver;
    size_t enough = larger(early, limits.bodies == 1 && limits.nv <= 6 ? ABUTI_ROOM_ONE : ABUTI_ROOM_SEVERAL);
    return family->answers && !named ? smaller(need, enough) : need;
}

static void lay_early(abuti_room *room, abuti_place *place)
{
    abut_contact_limits limits = limits_of(room, place->family);
    abuti_arena arena = {.base = room->block + place->begin, .capacity = place->end - place->begin};
    place->scratch = place->family->layout(&arena, &limits);
    place->covered = false;
    place->seen = 0;
    place->host = (abuti_holder){NULL, 0};
}

/* How many bytes the shelf has. */
static size_t shelf_for(const abut_contact_limits *limits)
{
    int bodies = limits->bodies > limits->blocks ? limits->bodies : limits->blocks;
    return abuti_aligned(ABUTI_SHELF_LEAST + ABUTI_SHELF_A_BODY * (size_t)bodies);
}

void abuti_room_layout(abuti_room *room, abuti_arena *arena, const abut_contact_limits *limits,
                       unsigned served, abuti_homes *homes)
{
    const abuti_family *families[ABUTI_FAMILIES_MAX];
    size_t early = room->shelf = served & 1u << ABUT_SOLVER_FACES ? shelf_for(limits) : 0;
    room->limits = *limits;
    room->homes = homes;
    room->home = NULL;
    room->guest = -1;
    room->families = abuti_families(served, families);
    for (int i = 0; i < room->families; ++i) room->place[i] = (abuti_place){.family = families[i]};
    room->place[room->families++] = (abuti_place){.family = &abuti_farkas_family};
    for (int i = 0; i < room->families; ++i) {
        abuti_place *place = &room->place[i];
        if (place->family->late) continue;
        abut_contact_limits theirs = limits_of(room, place->family);
        place->begin = early;
        place->end = early += size_of(place->family, &theirs, &arena->overflow);
    }
    room->size = early += ABUTI_ROOM_TAIL;
    for (int i = 0; i < room->families; ++i) {
        const abuti_family *family = room->place[i].family;
        if (family->late) room->size = larger(room->size, wanted_by(room, family, early, &arena->overflow));
    }
    room->block = abuti_take(arena, room->size, unsigned char);
    if (room->block) abuti_homes_furnish(homes, room->block, room->shelf);
    for (int i = 0; i < room->families && room->block; ++i) {
        if (!room->place[i].family->late) lay_early(room, &room->place[i]);
    }
}

int abuti_room_find(const abuti_room *room, const abuti_family *family)
{
    for (int i = 0; i < room->families; ++i) {
        if (room->place[i].family == family) return i;
    }
    return -1;
}

/* The limits that fit an island's system. A system of long rows, or of a problem without bodies, is a block, whose size
 * nv gives. */
static abut_contact_limits limits_for(const abuti_room *room, const abuti_system *s)
{
    bool block = s->dim > 6 || room->limits.bodies == 0;
    abut_contact_limits limits = {.bodies = block ? 0 : s->bodies,
                                  .contacts = s->n,
                                  .joints = s->joints,
                                  .directions = ABUT_DIRECTIONS_MIN,
                                  .nv = block ? s->bodies * s->dim : 0,
                                  .local = s->W,
                                  .solvers = room->limits.solvers};
    for (int i = 0; i < s->n; ++i)
        if (s->directions[i] > limits.directions) limits.directions = s->directions[i];
    /* Polygons of coulomb-accel are those of its options, which the workspace has admitted. */
    if (abuti_is_coulomb_accel(s->model) && room->limits.directions > limits.directions)
        limits.directions = room->limits.directions;
    return limits;
}

/* Whether what was laid out for `have` will do for `need`. Helpers are laid out for exactly this island, because
 * whether one is tried must not depend on which island it was tried on before. */
static bool serves(const abuti_family *family, const abut_contact_limits *have,
                   const abut_contact_limits *need)
{
    bool holds = need->bodies <= have->bodies && need->contacts <= have->contacts &&
                 need->joints <= have->joints && need->directions <= have->directions &&
                 need->nv <= have->nv && need->local == have->local;
    bool same = need->bodies == have->bodies && need->contacts == have->contacts &&
                need->joints == have->joints && need->directions == have->directions && need->nv == have->nv;
    return family->answers ? holds : holds && same;
}

double abuti_room_delay(const abuti_room *room, int at, const abuti_system *s)
{
    const abuti_place *place = &room->place[at];
    abut_contact_limits need = limits_for(room, s);
    int overflow = 0;
    if (!place->family->late)
        return place->covered ? SECONDS_A_BYTE * (double)(place->end - place->begin) : 0.0;
    if (room->guest == at && serves(place->family, &room->guest_limits, &need)) return 0.0;
    return SECONDS_A_BYTE * (double)size_of(place->family, &need, &overflow);
}

/* Lays a late family out at the end of the block; what lies there is lost. */
static void *enter_late(abuti_room *room, int at, const abuti_system *s)
{
    abuti_place *place = &room->place[at];
    abut_contact_limits need = limits_for(room, s);
    if (room->guest == at && serves(place->family, &room->guest_limits, &need)) return place->scratch;
    int overflow = 0;
    size_t size = size_of(place->family, &need, &overflow);
    if (overflow || size > room->size) return NULL;
    room->guest = at;
    room->guest_limits = need;
    room->guest_begin = (room->size - size) & ~(size_t)(ABUTI_ALIGNMENT - 1);
    for (int i = 0; i < room->families; ++i) {
        abuti_place *other = &room->place[i];
        if (!other->family->late && other->end > room->guest_begin) other->covered = true;
    }
    if (room->guest_begin < room->shelf) abuti_homes_clear(room->homes);
    unsigned char *memory = room->block + room->guest_begin;
    memset(memory, 0, room->size - room->guest_begin);
    abuti_arena arena = {.base = memory, .capacity = room->size - room->guest_begin};
    place->scratch = place->family->layout(&arena, &need);
    place->seen = 0;
    return place->scratch;
}

void *abuti_room_enter(abuti_room *room, int at, const abuti_system *s)
{
    abuti_place *place = &room->place[at];
    if (place->family->late) return enter_late(room, at, s);
    if (place->covered) {
        memset(room->block + place->begin, 0, place->end - place->begin);
        lay_early(room, place);
        if (room->guest >= 0 && room->guest_begin < place->end) room->guest = -1;
    }
    if (place->family->host && !abuti_holds(&place->host, room->home)) {
        place->family->host(place->scratch, room->home);
        place->host = abuti_holder_of(room->home);
    }
    return place->scratch;
}
