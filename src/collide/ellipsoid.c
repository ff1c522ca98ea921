/* Ellipsoids: balls of radius 1, stretched. */
#include "base/angle.h"
#include "collide/shape.h"

static const char *check(const abut_shape *s)
{
    return abuti_box.check(s);
}

static void mass(const abut_shape *s, abut_mass *m)
{
    double x = s->half[0] * s->half[0], y = s->half[1] * s->half[1], z = s->half[2] * s->half[2];
    m->mass = 4.0 / 3.0 * ABUTI_PI * s->half[0] * s->half[1] * s->half[2];
    m->inertia[0] = m->mass * (y + z) / 5;
    m->inertia[1] = m->mass * (x + z) / 5;
    m->inertia[2] = m->mass * (x + y) / 5;
}

static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    static const double origin[3];
    abut_ray unit;
    double t, normal[3];
    for (int k = 0; k < 3; ++k) {
        unit.origin[k] = ray->origin[k] / s->half[k];
        unit.direction[k] = ray->direction[k] / s->half[k];
    }
    if (abuti_v3_dot(unit.origin, unit.origin) <= 1) {
        abuti_ray_inside(ray, hit);
        return true;
    }
    if (!abuti_ray_ball(&unit, origin, 1, &t)) return false;
    for (int k = 0; k < 3; ++k) normal[k] = (unit.origin[k] + t * unit.direction[k]) / s->half[k];
    abuti_v3_normalise(normal);
    abuti_ray_set(ray, t, normal, hit);
    return true;
}

const abuti_shape_kind abuti_ellipsoid = {.name = "ellipsoid", .check = check, .mass = mass, .ray = ray};
