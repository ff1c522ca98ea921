/* Included by faces/core.inl.
 *
 * One body: the basis of its island stays for the next step, if its geometry does.
 *
 * Every island of one body has a place of its own, which is found by the island's name (system.h). Names may collide
 * and islands may change, so a name alone is never believed: the basis that lies there is used again only where the
 * states and the rows at hand would give the same one anew. All other bases are made in one common place, which stays
 * in the caches. They are laid into their own place when the geometry of their island has not changed for a step. */

/* How many places, side by side, a name may have. */
enum { ONE_WAYS = 4 };

/* The place of an island: the one that has its name, else the one that has not been asked for for the longest time. */
static faces_place *one_place(faces *f, uint64_t name)
{
    faces_memory *memory = &f->memory;
    uint64_t count = (uint64_t)memory->places;
    uint64_t home = (name * UINT64_C(0x9e3779b97f4a7c15) >> 32) % count;
    faces_place *oldest = &memory->place[home];
    for (uint64_t way = 0; way < ONE_WAYS && way < count; ++way) {
        faces_place *place = &memory->place[(home + way) % count];
        if (place->name == name) return place;
        if (place->asked < oldest->asked) oldest = place;
    }
    *oldest = (faces_place){.name = name};
    return oldest;
}

/* A number that changes when the geometry does: from the row of the first contact that acts. */
static double one_mark(const abuti_system *s, const abut_contact_face *start)
{
    double row[SIX];
    int contact = 0;
    while (contact < s->n - 1 && start[contact].state == ABUT_OPEN) ++contact;
    contact_row(s, contact, ABUTI_NORMAL, row);
    return row[0] + 2.0 * row[1] + 3.0 * row[2] + 5.0 * row[3] + 7.0 * row[4] + 11.0 * row[5];
}

/* Whether a seat is as its contact would take it now. */
static bool one_seat_stands(const faces *f, const faces_one *o, int seat, const abut_contact_face *start)
{
    const abuti_system *s = f->system;
    int contact = o->contact[seat], slot = o->slot[0][seat];
    if (contact >= s->n || memcmp(&start[contact], &o->told[seat], sizeof *start) != 0 ||
        o->mu[seat] != f->mu[contact] || o->directions[seat] != s->directions[contact])
        return false;
    double rows[3][SIX];
    bool same = true;
    for (int axis = 0; axis < 3; ++axis) contact_row(s, contact, axis, rows[axis]);
    for (int c = 0; c < SIX; ++c)
        same &= o->R[c][slot] == rows[0][c] && o->tangent[0][c][seat] == rows[1][c] &&
                o->tangent[1][c][seat] == rows[2][c];
    return same;
}

/* Whether a kept basis is the one that these states would give anew. */
static bool one_stands(const faces *f, const faces_one *o, const abut_contact_face *start)
{
    unsigned seats = one_seats(o);
    int active = 0;
    for (int i = 0; i < f->system->n; ++i) active += start[i].state != ABUT_OPEN;
    for (; seats; seats &= seats - 1u, --active) {
        if (!one_seat_stands(f, o, __builtin_ctz(seats), start)) return false;
    }
    return active == 0;
}

/* Looks for the basis of the island at hand. True when it stands; it is then f->one. Otherwise f->one is the common
 * place. */
static bool one_find(faces *f, const abuti_stage_context *context)
{
    faces_memory *memory = &f->memory;
    faces_place *place = one_place(f, context->island);
    faces_one *own = &memory->one[place - memory->place];
    double mark = one_mark(f->system, context->start);
    bool still = place->mark == mark && place->asked > 0;
    bool stands = still && place->kept && one_stands(f, own, context->start);
    place->mark = mark;
    place->asked = ++memory->clock;
    place->kept = false; /* until it is an answer's again */
    memory->at = still ? place : NULL;
    f->one = stands ? own : memory->common;
    return stands;
}

/* Keeps the basis at hand, if that is worth it, with the states of the answer that it belongs to. */
static void one_keep(faces *f, const abuti_answer *answer)
{
    faces_memory *memory = &f->memory;
    if (!memory->at) return;
    faces_one *own = &memory->one[memory->at - memory->place];
    if (f->one != own) *own = *f->one;
    for (unsigned left = one_seats(own); left; left &= left - 1u) {
        int seat = __builtin_ctz(left), contact = own->contact[seat];
        own->told[seat] = answer->face[contact];
        own->mu[seat] = f->mu[contact];
        own->directions[seat] = f->system->directions[contact];
    }
    memory->at->kept = true;
}
