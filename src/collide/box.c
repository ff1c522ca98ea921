/* Boxes. */
#include "collide/shape.h"

static const char *check(const abut_shape *s)
{
    static const char *const names[3] = {"half[0]", "half[1]", "half[2]"};
    for (int k = 0; k < 3; ++k) {
        if (!abuti_is_length(s->half[k])) return names[k];
    }
    return NULL;
}

static void mass(const abut_shape *s, abut_mass *m)
{
    double x = s->half[0] * s->half[0], y = s->half[1] * s->half[1], z = s->half[2] * s->half[2];
    m->mass = 8 * s->half[0] * s->half[1] * s->half[2];
    m->inertia[0] = m->mass * (y + z) / 3;
    m->inertia[1] = m->mass * (x + z) / 3;
    m->inertia[2] = m->mass * (x + y) / 3;
}

/* The ray enters where it has crossed the nearer plane of every axis. */
static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    double enter = 0, leave = 1, normal[3] = {0, 0, 0};
    int axis = -1;
    for (int k = 0; k < 3; ++k) {
        double o = ray->origin[k], d = ray->direction[k], h = s->half[k];
        if (d == 0) {
            if (fabs(o) > h) return false;
            continue;
        }
        double near = ((d > 0 ? -h : h) - o) / d, far = ((d > 0 ? h : -h) - o) / d;
        if (near > enter) {
            enter = near;
            axis = k;
        }
        leave = fmin(leave, far);
    }
    if (!(enter <= leave)) return false;
    if (axis < 0) {
        abuti_ray_inside(ray, hit);
        return true;
    }
    normal[axis] = ray->direction[axis] > 0 ? -1 : 1;
    abuti_ray_set(ray, enter, normal, hit);
    return true;
}

const abuti_shape_kind abuti_box = {.name = "box", .check = check, .mass = mass, .ray = ray};
