/* The elimination tree, supernodes, and where their numbers lie. */
#include "contact/sparse/graph.h"
#include "linalg/kernels.h"
#include <string.h>

/* A supernode is merged with the one above it while the blocks of zeros that this stores are few, or a small part of
 * the whole: wide panels are worth more than the zeros cost. */
#define MERGE_SHARE 0.15
#define MERGE_FEW 8

void abuti_sparse_shape_layout(sparse_shape *h, abuti_arena *arena, int bodies, int rows, size_t numbers)
{
    int **const by_node[] = {&h->position, &h->node_at, &h->super_of, &h->column,   &h->first,
                             &h->parent,   &h->pivots,  &h->width,    &h->row_first};
    for (size_t k = 0; k < sizeof by_node / sizeof *by_node; ++k)
        *by_node[k] = abuti_take(arena, bodies + 2, int);
    h->begin = abuti_take(arena, bodies + 2, size_t);
    h->row = abuti_take(arena, rows, int);
    h->row_column = abuti_take(arena, rows, int);
    h->row_room = rows;
    h->number_room = numbers;
}

/* ---- the tree of single positions ---- */

/* parent[k] of Liu's algorithm; `root` holds short cuts. */
static void find_tree(const sparse_graph *g, const int *node_at, const int *position, int *parent, int *root)
{
    for (int k = 0; k < g->nodes; ++k) {
        int node = node_at[k];
        parent[k] = root[k] = -1;
        for (int q = g->first[node]; q < g->first[node + 1]; ++q) {
            int at = position[g->link[q]];
            while (at < k && at >= 0) {
                int up = root[at];
                root[at] = k;
                if (up < 0) parent[at] = k;
                if (up < 0) break;
                at = up;
            }
        }
    }
}

/* Numbers the tree so that every subtree is a run that ends at its root; fills old[new position]. The child with
 * the largest column comes last, next to its parent. */
static void find_postorder(int m, const int *parent, const int *count, int *child, int *sibling, int *stack,
                           int *old)
{
    int at = 0;
    for (int k = 0; k < m; ++k) child[k] = -1;
    for (int k = m - 1; k >= 0; --k) {
        if (parent[k] < 0) continue;
        sibling[k] = child[parent[k]];
        child[parent[k]] = k;
    }
    for (int k = 0; k < m; ++k) { /* the largest child to the end of the list */
        int best = -1;
        for (int c = child[k]; c >= 0; c = sibling[c]) best = best < 0 || count[c] >= count[best] ? c : best;
        if (best < 0 || sibling[best] < 0) continue;
        int *link = &child[k];
        while (*link != best) link = &sibling[*link];
        *link = sibling[best];
        while (*link >= 0) link = &sibling[*link];
        *link = best;
        sibling[best] = -1;
    }
    for (int root = 0; root < m; ++root) {
        if (parent[root] >= 0) continue;
        int top = 0;
        stack[top++] = root;
        while (top > 0) {
            int k = stack[top - 1], c = child[k];
            if (c >= 0) {
                child[k] = sibling[c];
                stack[top++] = c;
            } else {
                old[at++] = k;
                --top;
            }
        }
    }
}

/* count[k]: rows below position k in the factor. Row i fills the paths from its neighbours up to i. */
static void count_columns(const sparse_graph *g, const int *node_at, const int *position, const int *parent,
                          int *count, int *mark)
{
    for (int k = 0; k < g->nodes; ++k) {
        count[k] = 0;
        mark[k] = -1;
    }
    for (int i = 0; i < g->nodes; ++i) {
        int node = node_at[i];
        mark[i] = i;
        for (int q = g->first[node]; q < g->first[node + 1]; ++q) {
            for (int at = position[g->link[q]]; at < i && mark[at] != i; at = parent[at]) {
                count[at]++;
                mark[at] = i;
            }
        }
    }
}

static void set_positions(sparse_shape *h, const int *node_at)
{
    for (int k = 0; k < h->nodes; ++k) {
        h->node_at[k] = node_at[k];
        h->position[node_at[k]] = k;
    }
}

/* ---- supernodes ---- */

/* Blocks of a supernode of `own` positions with `below` rows. */
static double blocks_of(double own, double below)
{
    return own * (own + 1.0) / 2.0 + own * below;
}

/* Runs of positions: first those that have the same rows, then, from below, those that are worth merging with
 * the run above them. `zeros` counts the blocks of zeros that each run stores. */
static void find_supernodes(sparse_shape *h, const int *parent, const int *count, int *begin_of,
                            double *zeros)
{
    int m = h->nodes, runs = 0;
    for (int k = 0; k < m; ++k) {
        if (k > 0 && parent[k - 1] == k && count[k - 1] == count[k] + 1) continue;
        begin_of[runs++] = k;
    }
    /* Runs so far on a stack; a new one takes in those before it that lead to it. */
    int top = 0;
    for (int s = 0; s < runs; ++s) {
        int begin = begin_of[s], end = s + 1 < runs ? begin_of[s + 1] : m;
        double waste = 0.0, below = count[end - 1];
        while (top > 0 && parent[begin - 1] >= begin && parent[begin - 1] < end) {
            int lower = h->first[top - 1];
            double low_own = begin - lower, low_below = count[begin - 1], own = end - begin;
            double together = blocks_of(low_own + own, below);
            double extra =
                together - blocks_of(low_own, low_below) - blocks_of(own, below) + zeros[top - 1] + waste;
            if (!(extra <= MERGE_SHARE * together || (extra <= MERGE_FEW && low_own + own <= 4))) break;
            waste = extra;
            begin = lower;
            --top;
        }
        h->first[top] = begin;
        zeros[top++] = waste;
    }
    h->supernodes = top;
    h->first[top] = m;
    for (int s = 0; s < top; ++s) {
        for (int k = h->first[s]; k < h->first[s + 1]; ++k) h->super_of[k] = s;
        int up = parent[h->first[s + 1] - 1];
        h->parent[s] = up; /* a position for now */
    }
    for (int s = 0; s < top; ++s) h->parent[s] = h->parent[s] < 0 ? -1 : h->super_of[h->parent[s]];
}

/* Visits, for each position i in order, the supernodes below that have it as a row: they lie on the paths from its
 * neighbours up the tree. With `fill` their rows are written, else counted. */
static void walk_rows(sparse_shape *h, const sparse_graph *g, int *mark, int *at_row, bool fill)
{
    for (int s = 0; s < h->supernodes; ++s) mark[s] = -1;
    for (int i = 0; i < h->nodes; ++i) {
        int node = h->node_at[i];
        mark[h->super_of[i]] = i;
        for (int q = g->first[node]; q < g->first[node + 1]; ++q) {
            if (h->position[g->link[q]] >= i) continue;
            for (int s = h->super_of[h->position[g->link[q]]]; mark[s] != i; s = h->parent[s]) {
                mark[s] = i;
                if (fill) h->row[at_row[s]] = i;
                at_row[s]++;
            }
        }
    }
}

/* The rows below each supernode, in order. False: no room. */
static bool find_rows(sparse_shape *h, const sparse_graph *g, int *mark, int *at_row)
{
    size_t used = 0;
    for (int s = 0; s < h->supernodes; ++s) at_row[s] = 0;
    walk_rows(h, g, mark, at_row, false);
    for (int s = 0; s < h->supernodes; ++s) {
        h->row_first[s] = (int)used;
        used += (size_t)at_row[s];
        if (used > (size_t)h->row_room) return false;
        at_row[s] = h->row_first[s];
    }
    h->row_first[h->supernodes] = (int)used;
    walk_rows(h, g, mark, at_row, true);
    return true;
}

/* Finds columns, widths and places, and how much room the updates take that wait for their parents. False: no room. */
static bool find_places(sparse_shape *h, const sparse_graph *g, size_t *waiting)
{
    size_t used = 0, stack = 0, most = 0, panel = 0;
    h->widest = 0;
    for (int s = 0; s < h->supernodes; ++s) {
        int own = 0, below = 0;
        for (int k = h->first[s]; k < h->first[s + 1]; ++k) {
            h->column[k] = own;
            own += g->size[h->node_at[k]];
        }
        h->pivots[s] = abuti_padded(own);
        for (int q = h->row_first[s]; q < h->row_first[s + 1]; ++q) {
            h->row_column[q] = h->pivots[s] + below;
            below += g->size[h->node_at[h->row[q]]];
        }
        int rest = abuti_padded(below);
        h->width[s] = h->pivots[s] + rest;
        if (h->width[s] > h->widest) h->widest = h->width[s];
        h->begin[s] = used;
        size_t each = (size_t)h->pivots[s] * (size_t)h->width[s];
        used += 2 * each;
        if (each > panel) panel = each;
        /* Its update is made while those of its children are still there. */
        stack += (size_t)rest * (size_t)rest;
        if (stack > most) most = stack;
        stack -= waiting[s];
        if (h->parent[s] >= 0) waiting[h->parent[s]] += (size_t)rest * (size_t)rest;
    }
    h->numbers = used;
    h->stack = most;
    h->panel = panel;
    return used + abuti_sparse_aside(h) <= h->number_room;
}

bool abuti_sparse_shape_make(sparse_shape *h, const sparse_graph *g, const int *order, sparse_scratch *w)
{
    int m = g->nodes;
    int *parent = w->where, *count = w->length, *mark = w->elements, *child = w->degree, *sibling = w->weight;
    int *stack = w->head, *old = w->next, *again = w->last;
    h->nodes = m;
    set_positions(h, order);
    find_tree(g, h->node_at, h->position, parent, mark);
    count_columns(g, h->node_at, h->position, parent, count, mark);
    find_postorder(m, parent, count, child, sibling, stack, old);
    for (int k = 0; k < m; ++k) again[k] = order[old[k]];
    set_positions(h, again);
    find_tree(g, h->node_at, h->position, parent, mark);
    count_columns(g, h->node_at, h->position, parent, count, mark);
    /* `begin` is not in use yet: room for numbers of eight bytes by run. */
    find_supernodes(h, parent, count, child, (double *)(void *)h->begin);
    if (!find_rows(h, g, mark, child)) return false;
    size_t *waiting = (size_t *)(void *)w->pool[0];
    memset(waiting, 0, (size_t)h->supernodes * sizeof *waiting);
    return find_places(h, g, waiting);
}

int abuti_sparse_column(const sparse_shape *h, int s, int row)
{
    if (row < h->first[s + 1]) return h->column[row];
    int low = h->row_first[s], high = h->row_first[s + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (h->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return h->row_column[low];
}

size_t abuti_sparse_place(const sparse_shape *h, int a, int b, uint8_t *upper)
{
    int pa = h->position[a], pb = h->position[b];
    *upper = pa <= pb ? 0 : 1;
    int low = pa <= pb ? pa : pb, high = pa <= pb ? pb : pa, s = h->super_of[low];
    return h->begin[s] + (size_t)h->column[low] * (size_t)h->width[s] +
           (size_t)abuti_sparse_column(h, s, high);
}
