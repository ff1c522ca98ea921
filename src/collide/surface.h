/* Surfaces of triangles (meshes, heightfields) against a convex core. */
#ifndef ABUTI_COLLIDE_SURFACE_H
#define ABUTI_COLLIDE_SURFACE_H

#include "collide/manifold.h"

/* What is on the other side of an edge. */
typedef enum abuti_edge_side {
    ABUTI_BORDER,
    ABUTI_FLAT,
    ABUTI_CONVEX_EDGE,
    ABUTI_CONCAVE_EDGE
} abuti_edge_side;

/* One triangle in the frame of its surface, with names that are its own in the whole surface. */
typedef struct abuti_triangle {
    double corners[3][3], normal[3];
    int vertex[3], edge[3], face;
    abuti_edge_side side[3];       /* across the edge from corner k to k + 1 */
    double neighbour_normal[3][3]; /* there */
    bool flat_vertex[3];           /* everything round the corner is in one plane */
    bool solid;                    /* a shape that is wholly behind it touches it all the same */
    const abut_mesh *mesh;         /* what it is of: one of the two */
    const abut_heightfield *field;
} abuti_triangle;

/* Visits the triangles whose bounds meet low .. high, all in the surface's frame, in a fixed order, until
 * `visit` returns false. */
typedef bool (*abuti_triangle_visitor)(void *context, const abuti_triangle *triangle);
void abuti_mesh_walk(const abut_mesh *mesh, const double low[3], const double high[3],
                     abuti_triangle_visitor visit, void *context);
void abuti_heightfield_walk(const abut_heightfield *field, const double low[3], const double high[3],
                            abuti_triangle_visitor visit, void *context);

/* Whether none of the vertices that edges join to this one is higher along a direction than it, up to this part of
 * their distance. */
bool abuti_mesh_highest(const abut_mesh *mesh, int vertex, const double direction[3], double slack);
bool abuti_heightfield_highest(const abut_heightfield *field, int vertex, const double direction[3],
                               double slack);
/* Whether the way from one point to another rises along a direction by more than this part of it. */
static inline bool abuti_rises(const double from[3], const double to[3], const double direction[3],
                               double slack)
{
    double way[3];
    abuti_v3_sub(way, to, from);
    return abuti_v3_dot(way, direction) > slack * abuti_v3_length(way);
}

/* Calls back for every touch of a core A with a heightfield or mesh B. Touches of neighbours may have one name. */
typedef void (*abuti_touch_visitor)(void *context, const abuti_touch *touch);
void abuti_surface_manifold(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                            double margin, abuti_touch_visitor visit, void *context);

/* The direction of the nearest triangle, or of the deepest; false when none is within reach. */
bool abuti_surface_axis(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                        double reach, abuti_axis *axis);

/* Fills in side and neighbour normal of edge k; has is false at the border. */
void abuti_triangle_neighbour(abuti_triangle *t, int k, bool has, const double normal[3]);

/* The unit normal of three corners; false without an area. */
bool abuti_triangle_normal(double corners[3][3], double normal[3]);

/* Whether a direction (in the surface's frame) leads out of the surface where it leaves the triangle. `size` is that of
 * the triangle as a core. */
bool abuti_triangle_allows(const abuti_triangle *t, const double n[3], double size);

/* Where a ray meets a triangle from its front; t is lowered where it does. */
bool abuti_triangle_ray(const abuti_triangle *triangle, const abut_ray *ray, double *t);

#endif
