/* Slots from step to step, for each island.
 *
 * An answer whose states were checked leaves slots behind: which rows act, in which order, and which blocks of R'C they
 * fill (faces/order.inl); for one block of at most eight numbers the inverse of R'C as well. The next step of the same
 * island goes on from them if its states are the same. All islands work in the same arrays. When another one comes,
 * what the last one may go on from is copied to its home, without what the next step makes anew in any case, and comes
 * back from there when that island is next. A single island never leaves its arrays. */
#include "contact/faces/faces.h"
#include "linalg/kernels.h"
#include <string.h>

/* Sizes of pieces are multiples of this, so that a state which changes does not always take another piece. */
#define GRAIN 1024

/* What stands at the front of a piece. */
typedef struct kept_slots {
    faces_left kept; /* what else there is; nothing: the order alone */
    faces_order order;
    int n, dim;                  /* of the system, */
    int lanes, width;            /* and what its arrays are long by */
    const faces_basis *basis;    /* the representation */
    int seats, active;           /* how many there are, */
    int top, used;               /* and slots */
    int chunks, panels, entries; /* of a band, */
    int linked;                  /* and blocks beside its diagonal */
    faces_inverse inverse;
    unsigned free_seats, free_slots;
} kept_slots;

/* Which way numbers go, and how far they have got. */
typedef struct carrier {
    enum { COUNT, LAY_ASIDE, TAKE_UP } way;
    unsigned char *piece;
    size_t used;
} carrier;

static void carry(carrier *c, void *array, size_t bytes)
{
    unsigned char *at = c->way == COUNT ? NULL : c->piece + c->used;
    if (c->way == LAY_ASIDE) memcpy(at, array, bytes);
    if (c->way == TAKE_UP) memcpy(array, at, bytes);
    c->used += abuti_aligned(bytes);
}

static void carry_ints(carrier *c, int *array, int count)
{
    carry(c, array, (size_t)count * sizeof *array);
}

static void carry_numbers(carrier *c, double *array, size_t count)
{
    carry(c, array, count * sizeof *array);
}

/* The order of contacts and joint rows, and the pairs of bodies that it belongs to. */
static void carry_order(carrier *c, const faces *f, const kept_slots *k)
{
    int all = k->order.n + k->order.joints;
    carry_ints(c, f->order.at, all);
    carry_ints(c, f->order.pair, 2 * all);
}

/* The states of the answer, and the states, seats and slots that belong to it. */
static void carry_states(carrier *c, const faces *f, const kept_slots *k)
{
    size_t lanes = (size_t)k->lanes;
    carry(c, f->memory.told, (size_t)k->n * sizeof *f->memory.told);
    carry_numbers(c, f->memory.mu, (size_t)k->n);
    carry_ints(c, f->memory.directions, k->n);
    carry(c, f->state, lanes);
    carry(c, f->face, lanes);
    carry_numbers(c, f->slack.open, lanes);
    carry_ints(c, f->seats.of, k->lanes);
    carry_ints(c, f->seats.active, k->active);
    carry_ints(c, f->seats.active_at, k->lanes);
    carry_ints(c, f->seats.contact, k->seats);
    for (int kind = 0; kind < FACES_KINDS; ++kind) {
        carry_ints(c, f->seats.slot[kind], k->seats);
        for (int w = 0; w < 4; ++w) carry_numbers(c, f->slack.weight[kind][w], (size_t)k->seats);
    }
    carry_ints(c, f->slots.contact, k->top);
    carry_ints(c, f->slots.kind, k->top);
    for (int side = 0; side < 2; ++side) carry_ints(c, f->slots.body[side], k->top);
}

/* Where the slots of a band lie, and which of its blocks are not zero. */
static void carry_band(carrier *c, const faces *f, const kept_slots *k)
{
    const faces_band *band = &f->band;
    carry(c, band->wanted, (size_t)k->lanes);
    for (int side = 0; side < 2; ++side) carry_ints(c, band->slot_panel[side], k->top);
    carry_ints(c, band->count, k->chunks);
    carry_ints(c, band->low, k->chunks);
    carry_ints(c, band->high, k->chunks);
    carry_ints(c, band->first, k->chunks);
    carry_ints(c, band->panel_first, k->chunks + 1);
    carry_ints(c, band->panel_body, k->panels);
    carry_ints(c, band->entry_first, k->order.bodies + 2);
    carry_ints(c, band->entry, k->entries);
    carry(c, band->linked, (size_t)k->linked);
}

/* The inverse of a basis of eight, with the rows that it was made for. */
static void carry_eight(carrier *c, const faces *f, const kept_slots *k)
{
    size_t square = ABUTI_LANES * ABUTI_LANES, rows = (size_t)ABUTI_LANES * (size_t)k->width;
    double *const squares[] = {f->inverse.B, f->inverse.BT,       f->eight.RT,
                               f->eight.CT,  f->eight.tangent[0], f->eight.tangent[1]};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; ++i) carry_numbers(c, squares[i], square);
    carry_ints(c, f->eight.component_at, ABUTI_LANES);
    carry_numbers(c, f->eight.component_used, ABUTI_LANES);
    carry_numbers(c, f->seats.rows, 3 * rows);
    carry_numbers(c, f->slots.R, rows);
    carry_numbers(c, f->slots.C, rows);
    carry_numbers(c, f->memory.rows, (size_t)(3 * k->dim) * (size_t)k->lanes);
}

static void carry_all(carrier *c, const faces *f, const kept_slots *k)
{
    c->used = abuti_aligned(sizeof *k);
    carry_order(c, f, k);
    if (k->kept != FACES_LEFT_NOTHING) carry_states(c, f, k);
    if (k->kept == FACES_LEFT_BAND) carry_band(c, f, k);
    if (k->kept == FACES_LEFT_INVERSE) carry_eight(c, f, k);
}

/* What there is to carry of the island at hand. */
static kept_slots describe(const faces *f)
{
    const faces_band *band = &f->band;
    kept_slots k = {.kept = f->memory.kept,
                    .order = f->order,
                    .n = f->memory.n,
                    .dim = f->memory.dim,
                    .lanes = f->lanes,
                    .width = f->width,
                    .basis = f->basis,
                    .seats = f->seats.count,
                    .active = f->seats.active_count,
                    .top = f->slots.top,
                    .used = f->slots.used,
                    .inverse = f->inverse,
                    .free_seats = f->eight.free_seats,
                    .free_slots = f->eight.free_slots};
    if (k.kept != FACES_LEFT_BAND || band->chunks == 0) return k;
    int last = band->chunks - 1;
    k.chunks = band->chunks;
    k.panels = band->panel_first[band->chunks];
    k.entries = band->entry_first[f->order.bodies];
    k.linked = band->first[last] + last - band->low[last];
    return k;
}

/* Copies what the island at hand may go on from to its home. */
static void lay_aside(faces *f, abuti_home *home)
{
    kept_slots k = describe(f);
    carrier c = {.way = COUNT};
    carry_all(&c, f, &k);
    c.piece = abuti_home_lend(home, ABUTI_KEPT_SLOTS, (c.used + GRAIN - 1) / GRAIN * GRAIN);
    if (!c.piece) return;
    memcpy(c.piece, &k, sizeof k);
    c.way = LAY_ASIDE;
    carry_all(&c, f, &k);
}

/* Brings back what the island that comes next has at home. */
static void take_up(faces *f, unsigned char *piece)
{
    kept_slots k;
    memcpy(&k, piece, sizeof k);
    if (k.kept != FACES_LEFT_NOTHING && f->basis) f->basis->clear(f);
    carrier c = {.way = TAKE_UP, .piece = piece};
    carry_all(&c, f, &k);
    f->order.n = k.order.n;
    f->order.joints = k.order.joints;
    f->order.bodies = k.order.bodies;
    if (k.kept == FACES_LEFT_NOTHING) return;
    f->memory.kept = k.kept;
    f->memory.n = k.n;
    f->memory.dim = k.dim;
    f->basis = k.basis;
    f->parts = 1;
    f->regular = true;
    f->rests = false;
    f->slack.urgency = 1.0;
    f->since_refresh = 0;
    f->seats.count = k.seats;
    f->seats.active_count = k.active;
    f->slots.top = k.top;
    f->slots.used = k.used;
    f->band.chunks = k.chunks;
    f->band.laid_out = k.kept == FACES_LEFT_BAND;
    f->band.set_aside = 0;
    f->inverse = k.inverse;
    f->eight.free_seats = k.free_seats;
    f->eight.free_slots = k.free_slots;
}

/* Whether the slots at hand are worth laying aside. Islands that are checked in the room sparse/ have no use for them. */
static bool worth_it(const faces *f)
{
    bool ordered = f->order.n + f->order.joints > 0 && f->order.bodies < ABUTI_LARGE_WARM;
    return f->memory.kept == FACES_LEFT_BAND ? ordered : f->memory.kept == FACES_LEFT_INVERSE || ordered;
}

void abuti_faces_host(void *scratch, abuti_home *home)
{
    faces *f = scratch;
    abuti_home *last = abuti_holder_home(&f->memory.holder);
    if (last && worth_it(f)) lay_aside(f, last);
    f->memory.home = home;
    f->memory.holder = abuti_holder_of(home);
    f->memory.kept = FACES_LEFT_NOTHING;
    f->order.n = f->order.joints = 0;
    unsigned char *piece = home ? abuti_home_kept(home, ABUTI_KEPT_SLOTS) : NULL;
    if (piece) take_up(f, piece);
}
