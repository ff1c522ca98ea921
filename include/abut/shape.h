/* abut/shape.h: shapes, and where two of them touch. Usable alone, by someone who has their own engine.
 *
 *     abut_shape box = {.kind = ABUT_BOX, .half = {0.1, 0.1, 0.1}}, floor = {.kind = ABUT_PLANE};
 *     abut_pose at = {.position = {0, 0, 0.1}, .rotation = {1, 0, 0, 0}}, origin = {.rotation = {1, 0, 0, 0}};
 *     abut_pair_memory memory = {0};                     // kept with the pair from step to step
 *     abut_manifold_point points[ABUT_MANIFOLD_POINTS];
 *     int count;
 *     abut_shape_manifold(&box, &at, &floor, &origin, 0.01, &memory, points, ABUT_MANIFOLD_POINTS, &count);
 *     // count is 4: the corners of the lower face; each has point, normal, tangent, gap and key
 *
 * A shape is a plain struct that the caller fills in; convex meshes and triangle meshes are prepared once, by
 * functions that take an allocator. Everything else allocates nothing, keeps no state and uses no globals: the same
 * shapes may be asked about from many threads. Results are the same bits on every machine.
 *
 * Conventions: SI units, right-handed, z up. A pose turns by `rotation` (w, x, y, z), then moves by `position`. A
 * rotation should have length 1; it is made so. The normal of a contact points from shape B towards shape A; a gap is
 * the distance along it, negative where the shapes overlap.
 *
 * Finite input gives finite output. Lengths below 1e-100 or above 1e100 are refused by abut_shape_check; the queries
 * below do not repeat that check. */
#ifndef ABUT_SHAPE_H
#define ABUT_SHAPE_H

#include "abut/base.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum abut_shape_kind {
    ABUT_SPHERE, /* radius */
    /* radius, half_length: what is within `radius` of the segment from -half_length to +half_length on the z axis. */
    ABUT_CAPSULE,
    ABUT_BOX,         /* half: half of its edges */
    ABUT_CYLINDER,    /* radius, half_length: its axis is z */
    ABUT_ELLIPSOID,   /* half: its half axes */
    ABUT_PLANE,       /* the solid half-space z <= 0 */
    ABUT_CONVEX,      /* convex: a convex polyhedron */
    ABUT_HEIGHTFIELD, /* heightfield: solid below its surface */
    ABUT_MESH,        /* mesh: triangles, solid behind each */
    ABUT_SHAPE_KINDS
} abut_shape_kind;

/* "sphere", "capsule", "box", ... Never NULL. */
ABUT_API const char *abut_shape_kind_name(abut_shape_kind kind);

typedef struct abut_convex abut_convex;
typedef struct abut_mesh abut_mesh;

/* Heights over a grid. The array is borrowed. Vertex (r, c) is at
 *
 *     x = (c - (columns - 1) / 2) spacing[0],   y = (r - (rows - 1) / 2) spacing[1],   z = heights[r * columns + c]
 *
 * so that the middle of the grid is the origin. Each cell is two triangles, split from (r, c) to (r + 1, c + 1). What
 * is below the surface is solid; beyond the border there is nothing. */
typedef struct abut_heightfield {
    /* Both >= 2. */
    int rows, columns;
    /* m, > 0: between columns, between rows. */
    double spacing[2];
    /* m: rows x columns. */
    const double *heights;
} abut_heightfield;

/* A shape in its own frame. Fields that its kind does not name are not read. */
typedef struct abut_shape {
    /* Which of the fields below are read. */
    abut_shape_kind kind;
    /* m, > 0: sphere, capsule, cylinder. */
    double radius;
    /* m, > 0: capsule, cylinder. */
    double half_length;
    /* m, > 0: half edges of a box or half axes of an ellipsoid, along x, y, z. */
    double half[3];
    /* Made by abut_convex_create, borrowed. */
    const abut_convex *convex;
    /* Borrowed. */
    const abut_heightfield *heightfield;
    /* Made by abut_mesh_create, borrowed. */
    const abut_mesh *mesh;
} abut_shape;

typedef struct abut_pose {
    /* m. */
    double position[3];
    /* Quaternion (w, x, y, z). */
    double rotation[4];
} abut_pose;

/* Whether every number that the kind names is in its range; the message says which is not. */
ABUT_API abut_status abut_shape_check(const abut_shape *shape, abut_error *error);

/* ---- Shapes that are prepared ---- */

/* A convex polyhedron by its vertices and faces, copied. Scenes find hulls of points with qhull (docs/mjcf.md);
 * a caller who has the faces does not need it. */
typedef struct abut_convex_def {
    /* 4 .. ABUT_CONVEX_MAX. */
    int vertex_count;
    /* m. */
    const double (*vertices)[3];
    /* 4 .. ABUT_CONVEX_MAX. */
    int face_count;
    /* How many vertices each face has, 3 .. ABUT_FACE_MAX. */
    const int *face_sizes;
    /* The vertices of face 0, then those of face 1, and so on; counterclockwise when seen from outside. Triangles in
     * one plane should be one face; each edge must belong to two faces. */
    const int *face_vertices;
} abut_convex_def;

#define ABUT_CONVEX_MAX 4096
#define ABUT_FACE_MAX 32

/* Returns ABUT_INVALID_ARGUMENT, with a message, when the faces are not closed or not convex (a vertex lies outside of
 * a face by more than 1e-7 of the size). */
ABUT_API abut_status abut_convex_create(const abut_convex_def *def, const abut_allocator *allocator,
                                        abut_convex **convex, abut_error *error);
/* NULL is accepted. */
ABUT_API void abut_convex_destroy(abut_convex *convex);
/* What it was made of; the pointers are valid as long as it is. */
ABUT_API abut_convex_def abut_convex_get(const abut_convex *convex);

/* A surface of triangles for things that do not move, copied. */
typedef struct abut_mesh_def {
    /* 3 .. ABUT_MESH_MAX. */
    int vertex_count;
    /* m. */
    const double (*vertices)[3];
    /* 1 .. ABUT_MESH_MAX. */
    int triangle_count;
    /* Counterclockwise when seen from outside, where things are that touch it. Triangles without area are left out of
     * contacts. Edges that two triangles share, by the indices of their vertices, are inner edges. */
    const int (*triangles)[3];
} abut_mesh_def;

#define ABUT_MESH_MAX 5000000

ABUT_API abut_status abut_mesh_create(const abut_mesh_def *def, const abut_allocator *allocator,
                                      abut_mesh **mesh, abut_error *error);
/* NULL is accepted. */
ABUT_API void abut_mesh_destroy(abut_mesh *mesh);
/* What it was made of; the pointers are valid as long as it is. */
ABUT_API abut_mesh_def abut_mesh_get(const abut_mesh *mesh);

/* ---- One shape ---- */

/* The smallest box along the world's axes that holds the shape. A plane has bounds of +-1e100. */
ABUT_API void abut_shape_bounds(const abut_shape *shape, const abut_pose *pose, double low[3],
                                double high[3]);

/* The radius of a ball about the origin of its own frame that holds the shape; 1e100 for a plane. */
ABUT_API double abut_shape_radius(const abut_shape *shape);

typedef struct abut_mass {
    /* kg. */
    double mass;
    /* m: the centre of mass, in the frame of the shape. */
    double com[3];
    /* kg m^2: xx, yy, zz, xy, xz, yz about the centre of mass, in the axes of the shape. */
    double inertia[6];
} abut_mass;

/* The mass of the solid shape; density in kg/m^3 (>= 0). ABUT_UNSUPPORTED for planes, heightfields and meshes. */
ABUT_API abut_status abut_shape_mass(const abut_shape *shape, double density, abut_mass *mass);

/* The same mass in another frame: turned and moved by the pose. */
ABUT_API void abut_mass_move(abut_mass *mass, const abut_pose *pose);
/* sum += part, both in one frame. */
ABUT_API void abut_mass_add(abut_mass *sum, const abut_mass *part);

typedef struct abut_ray {
    /* m. */
    double origin[3];
    /* m: the ray ends at origin + direction. A length outside of 1e-100 .. 1e100 hits nothing. */
    double direction[3];
} abut_ray;

typedef struct abut_ray_hit {
    /* 0 .. 1: origin + fraction * direction. 0 for a ray that begins inside. */
    double fraction;
    /* m, in the world. */
    double point[3];
    /* Unit vector out of the shape; against the ray where it begins inside. */
    double normal[3];
} abut_ray_hit;

/* Whether the ray meets the shape, and where first. Surfaces of meshes and heightfields are met from outside only. */
ABUT_API bool abut_shape_ray(const abut_shape *shape, const abut_pose *pose, const abut_ray *ray,
                             abut_ray_hit *hit);

/* ---- Two shapes ---- */

typedef struct abut_closest {
    /* m: how far the shapes are apart; where they overlap, minus the length of the shortest move that parts them. */
    double distance;
    /* Unit vector from B towards A: A moves along it to get away. */
    double normal[3];
    /* m, in the world: the points on A and on B, with point_a = point_b + distance * normal. */
    double point_a[3], point_b[3];
} abut_closest;

/* The closest points of two shapes, at least one of them convex (sphere, capsule, box, cylinder, ellipsoid, convex).
 * Where the shapes overlap, these are the points of deepest penetration. The distance from a mesh or heightfield is
 * that of its nearest triangle, up to `reach`; beyond it the distance is `reach` and nothing else is written. The same
 * is written when neither shape is convex, and the status is then ABUT_UNSUPPORTED. */
ABUT_API abut_status abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                         const abut_pose *pose_b, double reach, abut_closest *closest);

/* Whether two shapes have a point in common. False when neither is convex. */
ABUT_API bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                 const abut_pose *pose_b);

/* What a pair of shapes remembers from step to step: when two directions separate them about equally well, the one of
 * the last step is kept. It is all zero at the start, and is part of the state of a simulation, as positions are. */
typedef struct abut_pair_memory {
    /* Where the direction of the last step came from, and which features of A and B gave it. Not for callers. */
    int32_t kind, feature_a, feature_b;
} abut_pair_memory;

typedef struct abut_manifold_point {
    /* m, in the world: halfway between the surfaces; point + gap / 2 normal is on A, point - gap / 2 normal on B. */
    double point[3];
    /* Unit vector from B towards A. */
    double normal[3];
    /* Unit vector across the normal, fixed to a feature of one of the shapes: it turns with them. */
    double tangent[3];
    /* m, <= margin. A gap that is smaller than the rounding of the positions is 0. */
    double gap;
    /* Names the feature of A (corner, edge, face) and that of B. It stays the same from step to step as long as these
     * two meet, differs from the key of every other point of the manifold, and is never 0. */
    uint64_t key;
} abut_manifold_point;

/* Room that holds every manifold of two convex shapes or of one and a plane. */
#define ABUT_MANIFOLD_POINTS 96

/* All points at which the shapes touch or come closer than margin (m, >= 0): the vertices of the overlap of their two
 * supporting faces, each with its signed gap. *count gets how many there are. When there are more than `capacity`, the
 * first ones are written and the status is ABUT_TOO_LARGE. When neither shape is convex, *count is 0 and the status is
 * ABUT_UNSUPPORTED. `memory` may be NULL. */
ABUT_API abut_status abut_shape_manifold(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                         const abut_pose *pose_b, double margin, abut_pair_memory *memory,
                                         abut_manifold_point *points, int capacity, int *count);

/* The most sides that one union (union.h) has. */
#define ABUT_CORNER_SIDES 8

/* The sides of a union for a pair beside a corner that juts out. The pair is two boxes or convex polyhedra, and two or
 * more of their faces separate them, or touch. A manifold knows one of these directions and makes an infinite wall of
 * it, and things that would pass the corner stumble at the wall. One point for each of the faces, all with one `group`
 * number, lets them pass.
 *
 * Writes at most ABUT_CORNER_SIDES points. *count is 0 where the pair is not beside a corner, or further apart than
 * margin; abut_shape_manifold then has the contacts. */
ABUT_API abut_status abut_shape_corner(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                       const abut_pose *pose_b, double margin, abut_manifold_point *points,
                                       int *count);

#ifdef __cplusplus
}
#endif

#endif
