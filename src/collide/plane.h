/* Planes against cores. */
#ifndef ABUTI_COLLIDE_PLANE_H
#define ABUTI_COLLIDE_PLANE_H

#include "collide/manifold.h"

/* Visits the touches of a core A with the half-space B, one after the other, which needs no room. A polytope has one
 * touch for every vertex within the margin. */
typedef struct abuti_plane_walk {
    const abuti_core *core;
    double normal[3], tangent[3], offset; /* the plane in A's frame: n.x = offset */
    double margin;
    int next;
} abuti_plane_walk;

abuti_plane_walk abuti_plane_begin(const abuti_core *core, const abuti_relative *rel, double margin);
/* False at the end. */
bool abuti_plane_next(abuti_plane_walk *walk, abuti_touch *touch);
/* The deepest point. */
void abuti_plane_axis(const abuti_core *core, const abuti_relative *rel, abuti_axis *axis);

#endif
