/* Which blocks of a system meet, the order in which they are eliminated, and where the factors lie.
 *
 * The matrix I + J'K J has one block of rows and columns for each body, and a block off the diagonal wherever
 * two bodies share a contact or a joint row. All of this depends on the pairs of bodies alone: it is found
 * once for a structure and kept while the pairs stay. Sizes of blocks may differ.
 *
 *     sparse/graph.c     neighbours from contacts and joint rows; whether they are still the same
 *     sparse/order.c     an order of elimination that keeps the fill small (minimum degree)
 *     sparse/shape.c     the elimination tree, supernodes, the rows of each, and where their numbers lie */
#ifndef ABUTI_CONTACT_SPARSE_GRAPH_H
#define ABUTI_CONTACT_SPARSE_GRAPH_H

#include "base/arena.h"
#include "contact/system/system.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The neighbours of each node, each once; a node is not its own neighbour. */
typedef struct sparse_graph {
    int nodes;
    int *first;    /* [nodes + 1] */
    int *link;     /* neighbours of node i from first[i] to first[i + 1] */
    int *size;     /* [node]: numbers of its block */
    int *at;       /* [node]: where they begin in velocities */
    int *pair[2];  /* [contact, then joint]: the two bodies that the graph was made from */
    int n, joints; /* how many of them there were */
    int dim;
    int *mark; /* [node + 1]: scratch */
} sparse_graph;

/* The supernodes: runs of positions with the same rows below them. Supernode s owns the positions from first[s] to
 * first[s + 1]. Its numbers are two arrays of `pivots[s]` rows and `width[s]` columns, U and, transposed, L;
 * columns are first its own numbers, padded to a multiple of eight, then those of its rows, padded likewise. */
typedef struct sparse_shape {
    int nodes, supernodes;
    int *position;            /* [node] */
    int *node_at;             /* [position] */
    int *super_of;            /* [position] */
    int *column;              /* [position]: where the node's columns are in its own supernode */
    int *first;               /* [supernode + 1] */
    int *parent;              /* [supernode]: the supernode above, or -1 */
    int *row_first;           /* [supernode + 1]: its rows in `row` */
    int *row, *row_column;    /* positions below, in order, and the column of each */
    int *pivots, *width;      /* [supernode] */
    size_t *begin;            /* [supernode]: its U in the numbers; L follows */
    size_t numbers, stack;    /* what the factors take, and the updates that wait for their parents */
    size_t panel;             /* the largest pivots x width of any supernode */
    int widest;               /* the largest width */
    int row_room, parts_room; /* rows there is room for */
    size_t number_room;
} sparse_shape;

/* Scratch for ordering and shape. */
typedef struct sparse_scratch {
    int *pool[2];
    int pool_room;
    int *where, *length, *elements, *degree, *weight, *head, *next, *last, *seen, *left, *into, *work;
} sparse_scratch;

void abuti_sparse_graph_layout(sparse_graph *g, abuti_arena *arena, int bodies, int pairs);
void abuti_sparse_scratch_layout(sparse_scratch *w, abuti_arena *arena, int bodies, int pairs);
/* `rows` is how many rows of supernodes there is room for, `numbers` how many numbers of factors and stack. */
void abuti_sparse_shape_layout(sparse_shape *h, abuti_arena *arena, int bodies, int rows, size_t numbers);

/* Whether the system's pairs are those of the graph. */
bool abuti_sparse_graph_same(const sparse_graph *g, const abuti_system *s);
void abuti_sparse_graph_make(sparse_graph *g, const abuti_system *s);

/* order[k] is the node to eliminate as number k. */
void abuti_sparse_order(const sparse_graph *g, sparse_scratch *w, int *order);

/* The shape of the factors for an order, which is refined to a postorder of its tree. False: no room. */
bool abuti_sparse_shape_make(sparse_shape *h, const sparse_graph *g, const int *order, sparse_scratch *w);

/* How many numbers a factorisation needs besides its factors: updates that wait, packed panels. */
static inline size_t abuti_sparse_aside(const sparse_shape *h)
{
    return h->stack + h->panel + 16 * (size_t)h->widest + 64;
}

/* The column at which the numbers of position `row` begin in supernode s, to which it must belong. */
int abuti_sparse_column(const sparse_shape *h, int s, int row);

/* Where the block of nodes a and b begins in U: the rows are those of the node that is eliminated first, which is a
 * (`upper` 0) or b (1). Its transposed counterpart of L lies pivots x width numbers further on. */
size_t abuti_sparse_place(const sparse_shape *h, int a, int b, uint8_t *upper);

#endif
