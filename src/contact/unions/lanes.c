/* The reduced system of a choice of sides, as lanes of the island's system.
 *
 * The whole island is built once; a choice then copies the lanes of the ordinary contacts and of the chosen
 * sides. Blocks, k, joint rows and units are the whole island's, so an answer goes back lane by lane. */
#include "contact/unions/unions.h"
#include "linalg/kernels.h"
#include <string.h>

void abuti_unions_layout_lanes(abuti_unions *u, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t lanes = (size_t)abuti_padded(limits->contacts), numbers = limits->bodies > 0 ? 12 : 0;
    size_t projected = limits->joints > 0 ? 8 * (size_t)limits->bodies : 0;
    if (projected > numbers) numbers = projected;
    if ((size_t)abuti_padded(limits->nv) > numbers) numbers = (size_t)abuti_padded(limits->nv);
    abuti_system_store *s = &u->store;
    for (int side = 0; side < 2; ++side) {
        s->body[side] = abuti_take(arena, lanes, int);
        s->size[side] = abuti_take(arena, lanes, double);
    }
    s->rows = abuti_take(arena, 3 * numbers * lanes, double);
    for (int axis = 0; axis < 3; ++axis) s->offset[axis] = abuti_take(arena, lanes, double);
    s->mu = abuti_take(arena, lanes, double);
    s->row_scale = abuti_take(arena, lanes, double);
    s->directions = abuti_take(arena, lanes, int);
    s->index = abuti_take(arena, lanes, int);
    u->lane = abuti_take(arena, lanes, int);
    u->round = abuti_take(arena, limits->cones ? lanes : 0, bool);
}

static void take_lane(abuti_unions *u, int lane)
{
    int at = u->system.n++;
    u->lane[at] = lane;
    u->start[at] = u->warm ? u->remembered[u->whole->index[lane]] : (abut_contact_face){0};
}

/* Lets the system's arrays point into the store, except those that all choices share. */
static void point_at_store(abuti_unions *u)
{
    abuti_system *s = &u->system;
    for (int side = 0; side < 2; ++side) {
        s->body[side] = u->store.body[side];
        s->size[side] = u->store.size[side];
    }
    for (int axis = 0; axis < 3; ++axis) s->offset[axis] = u->store.offset[axis];
    s->rows = u->store.rows;
    s->mu = u->store.mu;
    s->row_scale = u->store.row_scale;
    s->directions = u->store.directions;
    s->index = u->store.index;
    s->round = u->whole->round ? u->round : NULL;
}

static void copy_lane(abuti_unions *u, int to, int from)
{
    const abuti_system *w = u->whole;
    abuti_system_store *s = &u->store;
    for (int side = 0; side < 2; ++side) {
        s->body[side][to] = w->body[side][from];
        s->size[side][to] = w->size[side][from];
    }
    for (int axis = 0; axis < 3; ++axis) s->offset[axis][to] = w->offset[axis][from];
    s->mu[to] = w->mu[from];
    s->row_scale[to] = w->row_scale[from];
    s->directions[to] = w->directions[from];
    s->index[to] = w->index[from];
    if (w->round) u->round[to] = w->round[from];
}

/* A lane without a contact, as system.h has it. */
static void clear_lane(abuti_unions *u, int lane)
{
    abuti_system_store *s = &u->store;
    for (int side = 0; side < 2; ++side) {
        s->body[side][lane] = u->whole->bodies;
        s->size[side][lane] = 0.0;
    }
    for (int axis = 0; axis < 3; ++axis) s->offset[axis][lane] = 0.0;
    s->mu[lane] = 0.0;
    s->row_scale[lane] = 1.0;
    s->directions[lane] = ABUT_DIRECTIONS_DEFAULT;
    s->index[lane] = -1;
    if (u->whole->round) u->round[lane] = false;
    u->start[lane] = (abut_contact_face){0};
}

void abuti_unions_gather(abuti_unions *u)
{
    const abuti_system *w = u->whole;
    u->system = *w;
    u->system.n = 0;
    for (int i = 0; i < u->ordinary_count; ++i) take_lane(u, u->ordinary_lane[i]);
    for (int g = 0; g < u->groups; ++g) {
        int begin = u->first[g];
        for (int k = 0; k < u->chosen[g]; ++k)
            take_lane(u, u->side_lane[u->order[begin + u->combination[begin + k]]]);
    }
    abuti_system *s = &u->system;
    s->lanes = abuti_padded(s->n);
    point_at_store(u);
    for (int i = 0; i < s->n; ++i) copy_lane(u, i, u->lane[i]);
    for (int i = s->n; i < s->lanes; ++i) clear_lane(u, i);
    size_t streams = (size_t)(3 * w->sides * w->dim), lanes = (size_t)s->lanes, all = (size_t)w->lanes;
    memset(u->store.rows, 0, streams * lanes * sizeof(double));
    for (size_t row = 0; row < streams; ++row) {
        const double *from = w->rows + row * all;
        double *to = u->store.rows + row * lanes;
        for (int i = 0; i < s->n; ++i) to[i] = from[u->lane[i]];
    }
}

void abuti_unions_scatter(const abuti_unions *u, const abuti_answer *reduced, abuti_answer *whole)
{
    size_t lanes = (size_t)u->whole->lanes;
    memset(whole->theta, 0, lanes * sizeof(double));
    for (int t = 0; t < 2; ++t) memset(whole->f[t], 0, lanes * sizeof(double));
    memset(whole->face, 0, lanes * sizeof *whole->face);
    memset(whole->glued, 0, lanes * sizeof *whole->glued);
    for (int i = 0; i < u->system.n; ++i) {
        int lane = u->lane[i];
        whole->theta[lane] = reduced->theta[i];
        for (int t = 0; t < 2; ++t) whole->f[t][lane] = reduced->f[t][i];
        whole->face[lane] = reduced->face[i];
        whole->glued[lane] = reduced->glued[i];
    }
    for (int j = 0; j < u->whole->joints; ++j) whole->joint[j] = reduced->joint[j];
}
