/* Convex hulls of points: faces with all their vertices. */
#ifndef ABUTI_SCENE_HULL_H
#define ABUTI_SCENE_HULL_H

#include "scene/pool.h"

typedef struct abuti_hull {
    int face_count;
    int *face_sizes;    /* vertices of each */
    int *face_vertices; /* indices of points, face after face, anticlockwise from outside */
} abuti_hull;

/* False: the points lie in a plane, or there is no memory, or the library was left out. */
bool abuti_hull_make(abuti_pool *pool, const double *points, int count, abuti_hull *hull);
/* A sentence when the library was left out of this build, else NULL. */
const char *abuti_hull_left_out(void);

#endif
