/* The first door: bodies and contacts in maximal coordinates, six numbers a body.
 *
 * With M = G G', G = diag(sqrt(m) I, L) and inertia = L L', the Jacobian row of a unit impulse a at the arm r
 * becomes
 *
 *     (a / sqrt(m), L^-1 (r x a)),        k = (sqrt(m) v + step f / sqrt(m), L' w + step L^-1 torque),
 *
 * for the body that receives +a, and its negative for the other (Lloyd 2005, section 3, in the coordinates of
 * eq. (22)). */
#include "contact/build/build.h"
#include "contact/build/validate.h"
#include <string.h>

/* The sides of a pair of bodies: side 0 is A if A moves, else B; side 1 is B when both move. */
typedef struct pair_sides {
    int block[2]; /* `none` where nothing moves */
    double sign[2];
    bool given; /* a body of the pair is moved by no impulse, and is not the world */
} pair_sides;

static pair_sides sides_of(const int *block, const int pair[2], int none)
{
    int a = block[pair[0]], b = pair[1] >= 0 ? block[pair[1]] : -1;
    pair_sides s = {{a >= 0 ? a : b >= 0 ? b : none, a >= 0 && b >= 0 ? b : none}, {1.0, -1.0}, false};
    if (a < 0) s.sign[0] = b >= 0 ? -1.0 : 0.0;
    if (s.block[1] == none) s.sign[1] = 0.0;
    s.given = a < 0 || (pair[1] >= 0 && b < 0);
    return s;
}

/* Eight contacts. */
typedef struct eight {
    const void *contact[ABUTI_LANES]; /* abut_contact */
    abut_contact padding;             /* stands in for lanes past the last contact: a valid frame */
    int count;
    bool one_pair;               /* full lanes, and all have the same two bodies */
    bool same, planar;           /* the same number of directions, some planar */
    bool two_points;             /* some have */
    double spatial[ABUTI_LANES]; /* where some are planar: 1 for those that are not */
} eight;

/* The bodies on the sides of eight contacts. */
typedef struct two_sides {
    abuti_body_chunk side[2];
    const int *pair; /* that all eight have; NULL: not all the same */
} two_sides;

static const abut_contact *contact_of(const eight *e, int l)
{
    return e->contact[l];
}

static int directions_of(const abut_contact *contact)
{
    return contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT;
}

/* Eight contacts from `first` on. */
static void take_eight(eight *e, const abut_contact_problem *problem, const abuti_island *island, int first)
{
    const int *index = island->contact + first;
    const abut_contact *contacts = problem->contacts, *head = &contacts[index[0]];
    int left = island->contacts - first, differ = 0, turns = 0, planar = 0, two_points = 0;
    e->count = left < ABUTI_LANES ? left : ABUTI_LANES;
    for (int l = 0; l < e->count; ++l) {
        const abut_contact *c = &contacts[index[l]];
        e->contact[l] = c;
        differ |= (c->bodies[0] ^ head->bodies[0]) | (c->bodies[1] ^ head->bodies[1]);
        turns |= c->directions ^ head->directions;
        planar |= c->directions == ABUT_DIRECTIONS_MIN;
        two_points |= c->two_points;
    }
    e->two_points = two_points;
    e->one_pair = !differ && !two_points && left >= ABUTI_LANES;
    e->same = !turns && left >= ABUTI_LANES;
    e->planar = planar;
    if (left >= ABUTI_LANES) return;
    e->padding = (abut_contact){.normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}};
    for (int l = left; l < ABUTI_LANES; ++l) e->contact[l] = &e->padding;
}

static void fill(int *out, int value)
{
    for (int l = 0; l < ABUTI_LANES; ++l) out[l] = value;
}

/* Directions of eight contacts, and, where some are planar, which are not. */
static void take_directions(eight *e, int *directions)
{
    fill(directions, directions_of(contact_of(e, 0)));
    for (int l = 0; l < ABUTI_LANES && !e->same; ++l) directions[l] = directions_of(contact_of(e, l));
    for (int l = 0; l < ABUTI_LANES && e->planar; ++l)
        e->spatial[l] = directions[l] == ABUT_DIRECTIONS_MIN ? 0.0 : 1.0;
}

/* Where all eight contacts have one pair of bodies: takes their blocks, and the bodies themselves unless they are there
 * already. */
static bool take_pair(abuti_build *build, const abuti_islands *islands, const eight *e, int first,
                      two_sides *sides)
{
    static const abuti_factor nothing = {.inverse_root = 0.0};
    static const double signs[2][ABUTI_LANES] = {{1, 1, 1, 1, 1, 1, 1, 1}, {-1, -1, -1, -1, -1, -1, -1, -1}};
    const abuti_system *s = &build->system;
    const int *pair = contact_of(e, 0)->bodies;
    pair_sides p = sides_of(islands->block, pair, s->bodies);
    bool there = sides->pair && sides->pair[0] == pair[0] && sides->pair[1] == pair[1];
    sides->pair = pair;
    for (int side = 0; side < 2; ++side) {
        fill(build->store.body[side] + first, p.block[side]);
        if (there || side >= s->sides) continue;
        const abuti_factor *factor = p.sign[side] != 0.0 ? &build->factor[p.block[side]] : &nothing;
        const void *all[ABUTI_LANES];
        for (int l = 0; l < ABUTI_LANES; ++l) all[l] = factor;
        build->kernel->bodies(all, signs[p.sign[side] < 0.0], &sides->side[side]);
    }
    return p.given;
}

/* The arm at B is second_point - com = point - (com + point - second_point). B is the body that is pushed back. */
static void shift_arms(const eight *e, const double sign[ABUTI_LANES], abuti_body_chunk *side)
{
    for (int l = 0; l < e->count; ++l) {
        const abut_contact *contact = contact_of(e, l);
        for (int c = 0; contact->two_points && sign[l] < 0.0 && c < 3; ++c)
            side->com[c][l] += contact->point[c] - contact->second_point[c];
    }
}

/* Puts the blocks of eight contacts into the system, and the bodies themselves into `sides`. True when the motion of
 * one of the bodies is given. */
static bool take_sides(abuti_build *build, const abuti_islands *islands, const eight *e, int first,
                       two_sides *sides)
{
    static const abuti_factor nothing = {.inverse_root = 0.0};
    const abuti_system *s = &build->system;
    if (e->one_pair) return take_pair(build, islands, e, first, sides);
    const void *factor[2][ABUTI_LANES];
    double sign[2][ABUTI_LANES];
    bool given = false;
    sides->pair = NULL;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        pair_sides p = {{s->bodies, s->bodies}, {0.0, 0.0}, false};
        if (l < e->count) p = sides_of(islands->block, contact_of(e, l)->bodies, s->bodies);
        given |= p.given;
        for (int side = 0; side < 2; ++side) {
            build->store.body[side][first + l] = p.block[side];
            factor[side][l] = p.sign[side] != 0.0 ? &build->factor[p.block[side]] : &nothing;
            sign[side][l] = p.sign[side];
        }
    }
    for (int side = 0; side < s->sides; ++side) {
        build->kernel->bodies(factor[side], sign[side], &sides->side[side]);
        if (e->two_points) shift_arms(e, sign[side], &sides->side[side]);
    }
    return given;
}

static bool any(const double *lanes)
{
    double sum = 0.0;
    for (int l = 0; l < ABUTI_LANES; ++l) sum += lanes[l];
    return sum != 0.0;
}

/* Eight contacts from `first` on out of their structs, and their frames. */
static void make_frames(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island,
                        int first, eight *e, abuti_contact_walk *walk)
{
    const abuti_system_store *store = &build->store;
    take_eight(e, problem, island, first);
    take_directions(e, store->directions + first);
    build->kernel->contacts(e->contact, &build->frames[first / ABUTI_LANES], store->mu + first, walk);
}

/* Their scaled rows and sizes. */
static void make_rows(abuti_build *build, const eight *e, int first, const two_sides *sides)
{
    const abuti_system *s = &build->system;
    const abuti_system_store *store = &build->store;
    abuti_row_lanes out = {e->planar ? e->spatial : NULL,
                           store->rows + first,
                           (size_t)s->lanes,
                           store->row_scale + first,
                           {store->size[0] + first, store->size[1] + first}};
    build->kernel->rows(&build->frames[first / ABUTI_LANES], &sides->side[0],
                        s->sides == 2 ? &sides->side[1] : NULL, &out);
}

/* Makes all contacts. Four times eight go through each step together: within one eight each operation waits for the one
 * before, and the other three fill the waiting. False when some number is not what it should be. */
static bool make_contacts(abuti_build *build, const abut_contact_problem *problem,
                          const abuti_islands *islands, const abuti_island *island, bool *offsets)
{
    enum { TOGETHER = 4, STRIDE = TOGETHER * ABUTI_LANES };
    const abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    abuti_pad_lanes(build);
    abuti_contact_walk walk = {{0.0}, {0.0}};
    eight e[TOGETHER];
    two_sides sides;
    sides.pair = NULL;
    for (int first = 0; first < s->lanes; first += STRIDE) {
        int end = s->lanes - first < STRIDE ? s->lanes : first + STRIDE;
        for (int at = first, i = 0; at < end; at += ABUTI_LANES, ++i)
            make_frames(build, problem, island, at, &e[i], &walk);
        for (int at = first, i = 0; at < end; at += ABUTI_LANES, ++i) {
            *offsets |= take_sides(build, islands, &e[i], at, &sides);
            make_rows(build, &e[i], at, &sides);
        }
    }
    memcpy(store->index, island->contact, (size_t)s->n * sizeof(int));
    if (abuti_model_of(problem->model)->friction == ABUT_LAW_NONE)
        memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    *offsets |= any(walk.offsets);
    return !any(walk.bad);
}

/* Whether some contact or joint of the island moves two blocks. */
static int sides_needed(const abut_contact_problem *problem, const abuti_islands *islands,
                        const abuti_island *island)
{
    for (int i = 0; i < island->contacts && island->bodies > 1; ++i) {
        const int *pair = problem->contacts[island->contact[i]].bodies;
        if (pair[0] >= 0 && pair[1] >= 0 && islands->block[pair[0]] >= 0 && islands->block[pair[1]] >= 0)
            return 2;
    }
    for (int i = 0; i < island->joints && island->bodies > 1; ++i) {
        const int *pair = problem->joints[island->joint[i]].bodies;
        if (pair[0] >= 0 && pair[1] >= 0 && islands->block[pair[0]] >= 0 && islands->block[pair[1]] >= 0)
            return 2;
    }
    return 1;
}

abut_status abuti_build_bodies(abuti_build *build, const abut_contact_problem *problem,
                               const abuti_islands *islands, const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    *s = (abuti_system){.model = problem->model,
                        .n = island->contacts,
                        .lanes = abuti_padded(island->contacts),
                        .bodies = island->bodies,
                        .dim = 6,
                        .stride = 8,
                        .sides = sides_needed(problem, islands, island),
                        .joints = island->joints};
    abuti_point_system(build);
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    for (int b = 0; b < s->bodies; ++b) {
        const abut_body *body = &problem->bodies[island->body[b]];
        if (!abuti_valid_body(body, &build->factor[b])) return ABUT_INVALID_ARGUMENT;
        abuti_body_k(body, &build->factor[b], problem->step, acceleration, store->k + (size_t)b * 8);
    }
    memset(store->k + (size_t)s->bodies * 8, 0, 8 * sizeof(double));

    bool offsets = acceleration;
    if (!make_contacts(build, problem, islands, island, &offsets)) return ABUT_INVALID_ARGUMENT;
    if (offsets) abuti_body_offsets(build, problem, island);
    for (int j = 0; j < s->joints; ++j) {
        if (!abuti_valid_joint(&problem->joints[island->joint[j]])) return ABUT_INVALID_ARGUMENT;
        abuti_body_joint(build, problem, islands, j, island->joint[j]);
    }
    abuti_scale_right_sides(build);
    abuti_damp_rows(build, problem);
    return ABUT_OK;
}
