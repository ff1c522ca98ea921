/* How far a point is from the surface of a shape, for tests that ask whether the points of manifolds lie on both surfaces. */
#ifndef ABUT_TEST_COLLIDE_ON_H
#define ABUT_TEST_COLLIDE_ON_H

#include "collide_search.h"

/* The distance of a point from the surface of an ellipsoid, right to the second order in itself. */
static inline double off_ellipsoid(const double half[3], const double q[3])
{
    double square = 0, slope = 0;
    for (int k = 0; k < 3; ++k) {
        square += pow(q[k] / half[k], 2);
        slope += pow(q[k] / (half[k] * half[k]), 2);
    }
    return slope > 0 ? fabs(square - 1) / (2 * sqrt(slope)) : fmin(half[0], fmin(half[1], half[2]));
}

/* The distance from the surface of a solid of which so much is given for two directions across each other: how far the point is
 * beyond each of its two sides, negative inside. */
static inline double off_sides(double x, double y)
{
    return x > 0 && y > 0 ? sqrt(x * x + y * y) : fabs(fmax(x, y));
}

static inline double off_box(const double half[3], const double q[3])
{
    double most = -INFINITY, outside = 0;
    for (int k = 0; k < 3; ++k) {
        double beyond = fabs(q[k]) - half[k];
        most = fmax(most, beyond);
        outside += beyond > 0 ? beyond * beyond : 0;
    }
    return most > 0 ? sqrt(outside) : -most;
}

/* How far a point is beyond the face of a polyhedron that it is most beyond. */
static inline double off_convex(const abut_convex *convex, const double q[3])
{
    abut_convex_def def = abut_convex_get(convex);
    double most = -INFINITY;
    const int *v = def.face_vertices;
    for (int f = 0; f < def.face_count; v += def.face_sizes[f++]) {
        double e[3], g[3], n[3], from[3];
        abuti_v3_sub(e, def.vertices[v[1]], def.vertices[v[0]]);
        abuti_v3_sub(g, def.vertices[v[2]], def.vertices[v[0]]);
        abuti_v3_cross(n, e, g);
        abuti_v3_normalise(n);
        abuti_v3_sub(from, q, def.vertices[v[0]]);
        most = fmax(most, abuti_v3_dot(from, n));
    }
    return fabs(most);
}

/* A capsule is also its two balls: its upper end, where it leans over a face, has the gap of its ball, which tells how far the
 * capsule may sink and turn until it lies on that face. */
static inline double off_capsule(double radius, double half_length, const double q[3])
{
    double least = INFINITY;
    double inside = fmin(fmax(q[2], -half_length), half_length),
           ends[3] = {inside, -half_length, half_length};
    for (int i = 0; i < 3; ++i) {
        double from[3] = {q[0], q[1], q[2] - ends[i]};
        least = fmin(least, fabs(abuti_v3_length(from) - radius));
    }
    return least;
}

/* m: how far a point of the world is from the surface of a posed shape that is convex, or of a plane. */
static inline double off_surface(const posed *p, const double point[3])
{
    const abut_shape *s = &p->shape;
    double from[3], q[3], back[4];
    abuti_v3_sub(from, point, p->pose.position);
    abuti_quat_conjugate(back, p->pose.rotation);
    abuti_quat_apply(q, back, from);
    switch (s->kind) {
    case ABUT_SPHERE: return fabs(abuti_v3_length(q) - s->radius);
    case ABUT_CAPSULE: return off_capsule(s->radius, s->half_length, q);
    case ABUT_BOX: return off_box(s->half, q);
    case ABUT_CYLINDER:
        return off_sides(sqrt(q[0] * q[0] + q[1] * q[1]) - s->radius, fabs(q[2]) - s->half_length);
    case ABUT_ELLIPSOID: return off_ellipsoid(s->half, q);
    case ABUT_PLANE: return fabs(q[2]);
    default: return off_convex(s->convex, q);
    }
}

/* The points on A and on B that a point of a manifold stands for. */
static inline void manifold_sides(const abut_manifold_point *p, double on_a[3], double on_b[3])
{
    abuti_v3_add_scaled(on_a, p->point, 0.5 * p->gap, p->normal);
    abuti_v3_add_scaled(on_b, p->point, -0.5 * p->gap, p->normal);
}

#endif
