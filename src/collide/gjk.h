/* The distance of two cores that are apart: Gilbert, Johnson and Keerthi's algorithm. */
#ifndef ABUTI_COLLIDE_GJK_H
#define ABUTI_COLLIDE_GJK_H

#include "collide/core.h"

/* Cores that are nearer than this part of their sizes count as touching: the direction between their closest points is
 * then better taken from their features. */
#define ABUTI_TOUCHING 1e-9

typedef struct abuti_gjk {
    /* The cores overlap, or are too near to tell; `distance` and `normal` mean nothing then. */
    bool touching;
    double distance;
    /* Unit vector from B to A, and the closest points, in A's frame. */
    double normal[3], a[3], b[3];
    /* The simplex: points of A and of B, with their vertices (-1 on round shapes). */
    int count;
    double on_a[4][3], on_b[4][3], difference[4][3], weight[4];
    int vertex_a[4], vertex_b[4];
} abuti_gjk;

void abuti_gjk_run(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, abuti_gjk *g);

#endif
