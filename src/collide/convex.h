/* Convex polyhedra that were prepared (abut_convex_create). */
#ifndef ABUTI_COLLIDE_CONVEX_H
#define ABUTI_COLLIDE_CONVEX_H

#include "collide/core.h"

struct abut_convex {
    abut_allocator allocator;
    size_t bytes;
    int vertex_count, edge_count, face_count;
    double (*vertices)[3];
    double (*normals)[3];
    abuti_edge *edges;
    int32_t *start, *face_vertex, *face_edge;
    int *sizes;
    /* The radius of a ball about the origin that holds it. */
    double size;
};

/* Fills in a cleared core. */
void abuti_convex_core(const abut_convex *convex, abuti_core *core);

#endif
