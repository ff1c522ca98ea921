/* Triangle meshes that were prepared (abut_mesh_create). */
#ifndef ABUTI_COLLIDE_MESH_H
#define ABUTI_COLLIDE_MESH_H

#include "collide/surface.h"

/* A node of the tree of bounds, in depth-first order: its first child follows it. */
typedef struct abuti_mesh_node {
    double low[3], high[3];
    int32_t first, count; /* a leaf: triangles order[first] ..; count is 0 for others */
    int32_t right;        /* the second child */
} abuti_mesh_node;

typedef struct abuti_mesh_edge {
    int32_t v[2], triangle, side;
} abuti_mesh_edge;

struct abut_mesh {
    abut_allocator allocator;
    size_t bytes;
    int vertex_count, triangle_count, node_count;
    double (*vertices)[3];
    int (*triangles)[3];
    double (*normals)[3]; /* all zero without an area */
    int32_t (*neighbour)[3], (*edge)[3];
    bool *flat; /* of vertices: all round is in one plane */
    /* Of vertices: those that edges join to them, each once for every triangle. */
    int32_t *around_start, *around;
    int32_t *order;
    abuti_mesh_node *nodes;
    abuti_mesh_edge *edges; /* room to sort them */
};

#endif
