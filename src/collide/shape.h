/* What each kind of shape answers for itself, in its own frame: one file a shape, one table (shape.c). */
#ifndef ABUTI_COLLIDE_SHAPE_H
#define ABUTI_COLLIDE_SHAPE_H

#include "abut/shape.h"
#include "base/space.h"

/* A ray against a shape in its own frame. fraction, point and normal are written when it is hit. */
typedef bool (*abuti_ray_function)(const abut_shape *shape, const abut_ray *ray, abut_ray_hit *hit);

typedef struct abuti_shape_kind {
    const char *name;
    /* The name of the first number that is out of range; NULL when all are in it. */
    const char *(*check)(const abut_shape *shape);
    /* The box that holds it in its own frame; NULL for what is convex, and for planes. */
    void (*bounds)(const abut_shape *shape, double low[3], double high[3]);
    /* For density 1; NULL without a volume. */
    void (*mass)(const abut_shape *shape, abut_mass *mass);
    abuti_ray_function ray;
} abuti_shape_kind;

extern const abuti_shape_kind abuti_sphere, abuti_capsule, abuti_box, abuti_cylinder, abuti_ellipsoid,
    abuti_plane, abuti_convex, abuti_heightfield, abuti_mesh;

static inline bool abuti_is_length(double x)
{
    return x >= 1e-100 && x <= 1e100;
}

/* The hit at a fraction with a normal, all in the frame of the ray. */
static inline void abuti_ray_set(const abut_ray *ray, double fraction, const double normal[3],
                                 abut_ray_hit *hit)
{
    hit->fraction = fraction;
    abuti_v3_add_scaled(hit->point, ray->origin, fraction, ray->direction);
    abuti_v3_copy(hit->normal, normal);
}

/* A ray that begins inside. */
static inline void abuti_ray_inside(const abut_ray *ray, abut_ray_hit *hit)
{
    double back[3];
    abuti_v3_scale(back, -1, ray->direction);
    abuti_v3_normalise(back);
    abuti_ray_set(ray, 0, back, hit);
}

/* sphere.c: where origin + t direction enters |x - centre| = radius, outside of it; false where it does not. */
bool abuti_ray_ball(const abut_ray *ray, const double centre[3], double radius, double *t);

#endif
