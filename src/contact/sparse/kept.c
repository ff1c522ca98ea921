/* Matrices of islands from step to step: structure and factors, shared or at home (sparse_lodging). */
#include "contact/sparse/sparse.h"
#include <string.h>

/* A copy of an array in the arena; while the arena counts, the array itself. */
static void *copied(abuti_arena *arena, const void *array, int count, size_t size)
{
    void *to = abuti_arena_take(arena, (size_t)count, size);
    if (to && count > 0) memcpy(to, array, (size_t)count * size);
    return to ? to : (void *)(uintptr_t)array;
}

static void copy_ints(abuti_arena *arena, int **array, int count)
{
    *array = copied(arena, *array, count, sizeof(int));
}

static void copy_places(abuti_arena *arena, size_t **array, int count)
{
    *array = copied(arena, *array, count, sizeof(size_t));
}

static void copy_bytes(abuti_arena *arena, uint8_t **array, int count)
{
    *array = copied(arena, *array, count, 1);
}

/* Copies structure and states into the arena, and with them the factors or (`order`) none. Scratch stays shared. */
static sparse_kept *copy_kept(const sparse_kept *from, abuti_arena *arena, bool order)
{
    sparse_kept *taken = abuti_take(arena, 1, sparse_kept), kept = *from;
    sparse_matrix *m = &kept.matrix;
    sparse_graph *g = &m->graph;
    sparse_shape *h = &m->shape;
    int nodes = g->nodes, pairs = g->n + g->joints, supers = h->supernodes, rows = h->row_first[supers];
    int **const by_node[] = {&g->size, &g->at, &h->position, &h->node_at, &h->super_of, &h->column};
    int **const by_super[] = {&h->parent, &h->pivots, &h->width};
    for (size_t i = 0; i < sizeof by_node / sizeof *by_node; ++i) copy_ints(arena, by_node[i], nodes);
    for (size_t i = 0; i < sizeof by_super / sizeof *by_super; ++i) copy_ints(arena, by_super[i], supers);
    for (int side = 0; side < 2; ++side) copy_ints(arena, &g->pair[side], pairs);
    copy_ints(arena, &h->first, supers + 1);
    copy_ints(arena, &h->row_first, supers + 1);
    copy_ints(arena, &h->row, rows);
    copy_ints(arena, &h->row_column, rows);
    copy_places(arena, &h->begin, supers);
    copy_places(arena, &m->place, pairs);
    copy_places(arena, &m->own, nodes);
    copy_bytes(arena, &m->upper, pairs);
    if (!order) {
        double *numbers = abuti_take(arena, h->numbers, double);
        if (numbers && kept.held) memcpy(numbers, m->numbers, h->numbers * sizeof(double));
        m->numbers = numbers;
        copy_bytes(arena, &kept.held_state, g->n);
        copy_bytes(arena, &kept.held_face, g->n);
    }
    if (taken) *taken = kept;
    return taken;
}

/* What is kept in the shared place moves to the home of its island, if there is room. */
static void move_out(sparse_lodging *at)
{
    abuti_home *home = abuti_holder_home(&at->holder);
    bool order = at->keeper == ABUTI_KEPT_ORDER;
    abuti_arena arena = {0};
    if (!home || !at->shared.matrix.shaped) return;
    (void)copy_kept(&at->shared, &arena, order);
    size_t size = arena.used;
    unsigned char *piece = abuti_home_lend(home, at->keeper, size);
    arena = (abuti_arena){.base = piece, .capacity = size};
    if (piece) (void)copy_kept(&at->shared, &arena, order);
}

/* Factors at home are made with the help of the last of the shared numbers, which mostly belong to nobody. */
static void borrow_numbers(sparse_lodging *at)
{
    sparse_matrix *shared = &at->shared.matrix, *own = &at->own->matrix;
    size_t begin = (shared->shape.number_room - abuti_sparse_aside(&own->shape)) & ~(size_t)7;
    own->aside = shared->numbers + begin;
    if (shared->shaped && begin < shared->shape.numbers) at->shared.held = false;
}

void abuti_sparse_lodge(sparse_lodging *at)
{
    sparse_kept *own = at->home ? abuti_home_kept(at->home, at->keeper) : NULL;
    at->own = own ? own : &at->shared;
    if (own && at->keeper == ABUTI_KEPT_FACTORS) borrow_numbers(at);
    if (own || abuti_holds(&at->holder, at->home)) return;
    move_out(at);
    at->holder = abuti_holder_of(at->home);
    at->shared.held = false;
    at->shared.held_rows = 0.0;
}

/* Makes order, shape and places of a system's matrix. False: there is no room. */
static bool make_structure(sparse_matrix *m, const abuti_system *s)
{
    uint8_t same;
    m->shaped = false;
    abuti_sparse_graph_make(&m->graph, s);
    abuti_sparse_order(&m->graph, &m->scratch, m->order);
    if (!abuti_sparse_shape_make(&m->shape, &m->graph, m->order, &m->scratch)) return false;
    for (int i = 0; i < s->n + s->joints; ++i) {
        int a = m->graph.pair[0][i], b = m->graph.pair[1][i];
        m->place[i] = a < s->bodies && b < s->bodies ? abuti_sparse_place(&m->shape, a, b, &m->upper[i]) : 0;
    }
    for (int i = 0; i < s->bodies; ++i) m->own[i] = abuti_sparse_place(&m->shape, i, i, &same);
    m->aside = m->numbers + m->shape.numbers;
    m->shaped = true;
    return true;
}

bool abuti_sparse_structure(sparse_lodging *at, const abuti_system *s)
{
    if (at->own->matrix.shaped && abuti_sparse_graph_same(&at->own->matrix.graph, s)) return true;
    if (at->own != &at->shared) {
        double rows = at->own->held_rows;
        abuti_home_return(at->home, at->keeper);
        abuti_sparse_lodge(at);
        at->own->held_rows = rows;
        if (at->own->matrix.shaped && abuti_sparse_graph_same(&at->own->matrix.graph, s)) return true;
    }
    at->own->held = false;
    return make_structure(&at->own->matrix, s);
}
