/* The convex core of a shape: a polytope, a cylinder or an ellipsoid in the shape's own frame. The shape is everything
 * within `radius` of its core: a sphere is a point with a radius, a capsule a segment with one.
 *
 * A core answers two questions, and every pair of convex shapes is one procedure on the answers:
 *
 *     support   the farthest point in a direction
 *     feature   what lies within a small angle of the farthest: a polygon, a disc, a segment or a point
 */
#ifndef ABUTI_COLLIDE_CORE_H
#define ABUTI_COLLIDE_CORE_H

#include "abut/shape.h"
#include "base/space.h"

#include <stdint.h>

typedef enum abuti_core_kind { ABUTI_POLYTOPE, ABUTI_CYLINDER, ABUTI_ELLIPSOID } abuti_core_kind;

/* An edge runs counterclockwise from v[0] to v[1] round face f[0], and backwards round f[1]; f is -1 without faces. */
typedef struct abuti_edge {
    int32_t v[2], f[2];
} abuti_edge;

/* The faces of a polytope: face f has vertices vertex[start[f]] .. and, from each to the next, edge[...]. */
typedef struct abuti_faces {
    const int32_t *start, *vertex, *edge;
} abuti_faces;

typedef struct abuti_core {
    abuti_core_kind kind;
    /* How far the shape reaches beyond the core. */
    double radius;
    /* The radius of a ball about the origin that holds the shape. */
    double size;
    /* Cylinder: radius, radius, half length; ellipsoid: half axes; box: half edges. */
    double half[3];
    bool box;
    int vertex_count, edge_count, face_count;
    const double (*vertices)[3];
    const double (*normals)[3];
    const abuti_edge *edges;
    abuti_faces faces;
    /* Room for the vertices and normals of small polytopes. */
    double own_vertices[8][3], own_normals[2][3];
} abuti_core;

/* Where B is, seen from A: x_A = R x_B + t. */
typedef struct abuti_relative {
    double R[9], t[3];
} abuti_relative;

/* Fills in the core of a convex shape; false for planes, heightfields and meshes. The core points into itself and must
 * not be copied. */
bool abuti_core_make(const abut_shape *shape, abuti_core *core);
/* A triangle as a core: two faces, back to back. */
void abuti_core_triangle(double corners[3][3], const double normal[3], abuti_core *core);
void abuti_core_point(double radius, abuti_core *core);
void abuti_core_segment(double radius, double half_length, abuti_core *core);

/* The farthest point in a direction (any length), without the radius; returns the vertex of a polytope, else -1. */
int abuti_core_support(const abuti_core *core, const double direction[3], double point[3]);

/* The number of rim points that stand for a cylinder's cap. */
#define ABUTI_RIM 16
/* The k-th rim point of the upper (0 .. 15) or lower cap (16 .. 31). */
void abuti_cylinder_rim(const abuti_core *core, int k, double point[3]);

/* Names of features inside a key: two bits of kind, 28 of index. */
typedef enum abuti_feature_kind { ABUTI_NONE, ABUTI_VERTEX, ABUTI_EDGE, ABUTI_FACE } abuti_feature_kind;

static inline uint32_t abuti_feature_name(abuti_feature_kind kind, int index)
{
    return (uint32_t)kind << 28 | ((uint32_t)index & 0xfffffffu);
}

/* Features of a cylinder: rim points are vertices 0 .. 31, the farthest point of each rim 32 and 33; rims are edges 0
 * and 1, the line on its side edge 2; caps are faces 0 and 1. */
enum { ABUTI_RIM_FARTHEST = 32, ABUTI_SIDE_LINE = 2 };

#define ABUTI_POLYGON_MAX ABUT_FACE_MAX

/* What lies within a small angle of the farthest point: a point, a segment, a polygon (counterclockwise about
 * `normal`), or a disc, whose polygon is its rim points. */
typedef struct abuti_feature {
    int count;
    bool disc;
    double points[ABUTI_POLYGON_MAX + 1][3];
    uint32_t vertices[ABUTI_POLYGON_MAX + 1]; /* names of the points */
    uint32_t edges[ABUTI_POLYGON_MAX + 1];    /* names of the edges from each to the next */
    uint32_t name;                            /* of the whole */
    double normal[3];                         /* of a polygon or disc, out of the shape */
    double centre[3], radius;                 /* of a disc */
} abuti_feature;

/* How far features may lean, as sines and cosines. `face` is the face that is known to be meant, or -1. */
typedef struct abuti_lean {
    int face, edge, vertex;
    double face_cosine, edge_sine;
} abuti_lean;

void abuti_core_feature(const abuti_core *core, const double direction[3], const abuti_lean *lean,
                        abuti_feature *feature);

/* The rotation of a pose, made of length 1 whatever its length was. It is divided by its largest number first, so that
 * squares neither overflow nor vanish. */
static inline void abuti_pose_rotation(const abut_pose *pose, double q[4])
{
    double most = 0;
    for (int k = 0; k < 4; ++k) most = fmax(most, fabs(pose->rotation[k]));
    for (int k = 0; k < 4; ++k) q[k] = most > 0 ? pose->rotation[k] / most : 0;
    abuti_quat_normalise(q);
}

static inline void abuti_to_a(double out[3], const abuti_relative *rel, const double b[3])
{
    double turned[3];
    abuti_m3_apply(turned, rel->R, b);
    abuti_v3_add(out, turned, rel->t);
}

#endif
