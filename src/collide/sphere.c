/* Spheres. */
#include "base/angle.h"
#include "collide/shape.h"

static const char *check(const abut_shape *s)
{
    return abuti_is_length(s->radius) ? NULL : "radius";
}

static void mass(const abut_shape *s, abut_mass *m)
{
    double r = s->radius;
    m->mass = 4.0 / 3.0 * ABUTI_PI * r * r * r;
    for (int k = 0; k < 3; ++k) m->inertia[k] = 0.4 * m->mass * r * r;
}

bool abuti_ray_ball(const abut_ray *ray, const double centre[3], double radius, double *t)
{
    double from[3], nearest[3];
    const double *d = ray->direction;
    abuti_v3_sub(from, ray->origin, centre);
    double square = abuti_v3_dot(d, d), middle = -abuti_v3_dot(from, d) / square;
    abuti_v3_add_scaled(nearest, from, middle, d);
    double distance = abuti_v3_length(nearest);
    if (!(distance <= radius)) return false;
    *t = middle - sqrt((radius - distance) * (radius + distance) / square);
    return *t >= 0 && *t <= 1;
}

static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    static const double origin[3];
    double t, normal[3];
    if (abuti_v3_dot(ray->origin, ray->origin) <= s->radius * s->radius) {
        abuti_ray_inside(ray, hit);
        return true;
    }
    if (!abuti_ray_ball(ray, origin, s->radius, &t)) return false;
    abuti_v3_add_scaled(normal, ray->origin, t, ray->direction);
    abuti_v3_normalise(normal);
    abuti_ray_set(ray, t, normal, hit);
    return true;
}

const abuti_shape_kind abuti_sphere = {.name = "sphere", .check = check, .mass = mass, .ray = ray};
