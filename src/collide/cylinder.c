/* Cylinders about the z axis. */
#include "base/angle.h"
#include "collide/shape.h"

static const char *check(const abut_shape *s)
{
    if (!abuti_is_length(s->radius)) return "radius";
    return abuti_is_length(s->half_length) ? NULL : "half_length";
}

static void mass(const abut_shape *s, abut_mass *m)
{
    double r = s->radius, h = s->half_length;
    m->mass = 2 * ABUTI_PI * r * r * h;
    m->inertia[0] = m->inertia[1] = m->mass * (r * r / 4 + h * h / 3);
    m->inertia[2] = 0.5 * m->mass * r * r;
}

static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    const double *o = ray->origin, *d = ray->direction;
    double r = s->radius, h = s->half_length, normal[3] = {0, 0, 0}, t;
    bool outside_cap = fabs(o[2]) > h, outside_side = o[0] * o[0] + o[1] * o[1] > r * r;
    if (!outside_cap && !outside_side) {
        abuti_ray_inside(ray, hit);
        return true;
    }
    if (outside_cap && d[2] * o[2] < 0) {
        t = ((o[2] > 0 ? h : -h) - o[2]) / d[2];
        double x = o[0] + t * d[0], y = o[1] + t * d[1];
        if (t <= 1 && x * x + y * y <= r * r) {
            normal[2] = o[2] > 0 ? 1 : -1;
            abuti_ray_set(ray, t, normal, hit);
            return true;
        }
    }
    abut_ray flat = {.origin = {o[0], o[1], 0}, .direction = {d[0], d[1], 0}};
    static const double origin[3];
    if (!outside_side || !(d[0] * d[0] + d[1] * d[1] > 0) || !abuti_ray_ball(&flat, origin, r, &t))
        return false;
    if (fabs(o[2] + t * d[2]) > h) return false;
    abuti_v3_set(normal, o[0] + t * d[0], o[1] + t * d[1], 0);
    abuti_v3_normalise(normal);
    abuti_ray_set(ray, t, normal, hit);
    return true;
}

const abuti_shape_kind abuti_cylinder = {.name = "cylinder", .check = check, .mass = mass, .ray = ray};
