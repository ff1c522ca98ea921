/* The broad phase: a dynamic tree of bounds (Catto's dynamic tree; surface area heuristic, rotations of AVL kind).
 *
 *     abuti_tree tree;
 *     abuti_tree_begin(&tree, NULL);
 *     abuti_tree_reserve(&tree, bodies);                            // the only call that allocates
 *     int leaf = abuti_tree_insert(&tree, low, high, user);
 *     abuti_tree_move(&tree, leaf, low, high);                      // nothing happens while the fat bounds hold it
 *     abuti_tree_query(&tree, low, high, visit, context);
 *
 * Bounds of leaves are fattened by the caller. The same calls give the same tree, and visits in the same order. */
#ifndef ABUTI_COLLIDE_TREE_H
#define ABUTI_COLLIDE_TREE_H

#include "abut/base.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct abuti_tree_node {
    double low[3], high[3];
    int32_t parent;   /* of a free node: the next free one */
    int32_t child[2]; /* -1: a leaf */
    int32_t height;   /* 0 for leaves, -1 for free nodes */
    int32_t user;
} abuti_tree_node;

typedef struct abuti_tree {
    abut_allocator allocator;
    abuti_tree_node *nodes;
    int capacity, root, free, leaf_count;
} abuti_tree;

void abuti_tree_begin(abuti_tree *tree, const abut_allocator *allocator);
void abuti_tree_end(abuti_tree *tree);

/* Makes room for so many leaves in all. */
abut_status abuti_tree_reserve(abuti_tree *tree, int leaves);

/* Returns the leaf; -1 when there is no room. */
int abuti_tree_insert(abuti_tree *tree, const double low[3], const double high[3], int user);
void abuti_tree_remove(abuti_tree *tree, int leaf);
/* Gives the leaf new bounds if `inner` is not within the old ones; true when it did. */
bool abuti_tree_move(abuti_tree *tree, int leaf, const double inner_low[3], const double inner_high[3],
                     const double low[3], const double high[3]);

static inline int abuti_tree_user(const abuti_tree *tree, int leaf)
{
    return tree->nodes[leaf].user;
}

/* Visits the leaves whose bounds meet low .. high, until `visit` returns false. */
typedef bool (*abuti_tree_visitor)(void *context, int leaf, int user);
void abuti_tree_query(const abuti_tree *tree, const double low[3], const double high[3],
                      abuti_tree_visitor visit, void *context);

/* Visits the leaves whose bounds origin + t direction, 0 <= t <= *most, meets; visit may lower *most. */
void abuti_tree_ray(const abuti_tree *tree, const double origin[3], const double direction[3],
                    const double *most, abuti_tree_visitor visit, void *context);

#endif
