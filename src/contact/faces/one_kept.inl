/* Included by faces/core.inl.
 *
 * One body: the basis of its island stays for the next step, if its geometry does.
 *
 * It lies at the island's home (system/homes.h). Islands may change from step to step, so that a home alone is never
 * believed: the basis that lies there is used again only where the states and the rows at hand would give the same one
 * anew. All other bases are made in one common place, which stays in the caches. They are laid into the island's own
 * when its geometry has not changed for a step. */

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
    faces_place *place = memory->home ? abuti_home_kept(memory->home, ABUTI_KEPT_ONE) : NULL;
    double mark = one_mark(f->system, context->start);
    bool still = place && place->mark == mark;
    bool stands = still && place->kept && one_stands(f, &place->one, context->start);
    if (!place && memory->home) place = abuti_home_lend(memory->home, ABUTI_KEPT_ONE, sizeof *place);
    if (place) place->mark = mark;
    if (place) place->kept = false; /* until it is an answer's again */
    memory->at = still ? place : NULL;
    f->one = stands ? &place->one : memory->common;
    return stands;
}

/* Keeps the basis at hand, if that is worth it, with the states of the answer that it belongs to. */
static void one_keep(faces *f, const abuti_answer *answer)
{
    faces_memory *memory = &f->memory;
    if (!memory->at) return;
    faces_one *own = &memory->at->one;
    if (f->one != own) *own = *f->one;
    for (unsigned left = one_seats(own); left; left &= left - 1u) {
        int seat = __builtin_ctz(left), contact = own->contact[seat];
        own->told[seat] = answer->face[contact];
        own->mu[seat] = f->mu[contact];
        own->directions[seat] = f->system->directions[contact];
    }
    memory->at->kept = true;
}
