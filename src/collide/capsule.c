/* Capsules: a segment on the z axis with a radius. */
#include "base/angle.h"
#include "collide/shape.h"

static const char *check(const abut_shape *s)
{
    if (!abuti_is_length(s->radius)) return "radius";
    return abuti_is_length(s->half_length) ? NULL : "half_length";
}

/* A cylinder and two half balls, whose centres of mass are 3/8 r beyond its ends. */
static void mass(const abut_shape *s, abut_mass *m)
{
    double r = s->radius, h = s->half_length, middle = 2 * ABUTI_PI * r * r * h,
           ends = 4.0 / 3.0 * ABUTI_PI * r * r * r;
    m->mass = middle + ends;
    m->inertia[2] = 0.5 * middle * r * r + 0.4 * ends * r * r;
    m->inertia[0] = m->inertia[1] =
        middle * (r * r / 4 + h * h / 3) + ends * (0.4 * r * r + h * h + 0.75 * h * r);
}

/* How far along the axis, within the segment. */
static double on_segment(const abut_shape *s, double z)
{
    return fmin(fmax(z, -s->half_length), s->half_length);
}

static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    const double *o = ray->origin, *d = ray->direction;
    double r = s->radius, from[3] = {o[0], o[1], o[2] - on_segment(s, o[2])};
    if (abuti_v3_dot(from, from) <= r * r) {
        abuti_ray_inside(ray, hit);
        return true;
    }
    double best = 2, t;
    for (int end = -1; end <= 1; end += 2) {
        double centre[3] = {0, 0, end * s->half_length};
        if (abuti_ray_ball(ray, centre, r, &t)) best = fmin(best, t);
    }
    /* The side: the ball's formula in the plane across the axis. */
    abut_ray flat = {.origin = {o[0], o[1], 0}, .direction = {d[0], d[1], 0}};
    static const double origin[3];
    if (d[0] * d[0] + d[1] * d[1] > 0 && abuti_ray_ball(&flat, origin, r, &t) &&
        fabs(o[2] + t * d[2]) <= s->half_length)
        best = fmin(best, t);
    if (best > 1) return false;
    double normal[3];
    abuti_v3_add_scaled(normal, o, best, d);
    normal[2] -= on_segment(s, normal[2]);
    abuti_v3_normalise(normal);
    abuti_ray_set(ray, best, normal, hit);
    return true;
}

const abuti_shape_kind abuti_capsule = {.name = "capsule", .check = check, .mass = mass, .ray = ray};
