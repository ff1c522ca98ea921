/* One posed shape: the table of kinds, bounds, mass, rays (abut/shape.h). */
#include "collide/shape.h"
#include "collide/core.h"

#include <stdio.h>

#define UNBOUNDED 1e100

static const abuti_shape_kind *const kinds[ABUT_SHAPE_KINDS] = {
    [ABUT_SPHERE] = &abuti_sphere,     [ABUT_CAPSULE] = &abuti_capsule,         [ABUT_BOX] = &abuti_box,
    [ABUT_CYLINDER] = &abuti_cylinder, [ABUT_ELLIPSOID] = &abuti_ellipsoid,     [ABUT_PLANE] = &abuti_plane,
    [ABUT_CONVEX] = &abuti_convex,     [ABUT_HEIGHTFIELD] = &abuti_heightfield, [ABUT_MESH] = &abuti_mesh,
};

static bool known(abut_shape_kind kind)
{
    return (unsigned)kind < ABUT_SHAPE_KINDS && kinds[kind];
}

const char *abut_shape_kind_name(abut_shape_kind kind)
{
    return known(kind) ? kinds[kind]->name : "unknown";
}

abut_status abut_shape_check(const abut_shape *shape, abut_error *error)
{
    if (error) error->text[0] = 0;
    if (!shape) return ABUT_INVALID_ARGUMENT;
    if (!known(shape->kind)) {
        if (error)
            snprintf(error->text, sizeof error->text, "shape.kind: %d is no kind of shape", (int)shape->kind);
        return ABUT_INVALID_ARGUMENT;
    }
    const char *bad = kinds[shape->kind]->check(shape);
    if (!bad) return ABUT_OK;
    if (error)
        snprintf(error->text, sizeof error->text,
                 "%s.%s: expected a length from 1e-100 to 1e100, or a shape that is there",
                 kinds[shape->kind]->name, bad);
    return ABUT_INVALID_ARGUMENT;
}

static void pose_matrix(const abut_pose *pose, double R[9])
{
    double q[4];
    abuti_pose_rotation(pose, q);
    abuti_m3_from_quat(R, q);
}

/* The extent of the box low .. high, turned, along axis k of the world. */
static void turned_extent(const double R[9], int k, const double low[3], const double high[3], double *from,
                          double *to)
{
    *from = *to = 0;
    for (int i = 0; i < 3; ++i) {
        double r = R[3 * k + i];
        *from += r > 0 ? r * low[i] : r * high[i];
        *to += r > 0 ? r * high[i] : r * low[i];
    }
}

void abut_shape_bounds(const abut_shape *shape, const abut_pose *pose, double low[3], double high[3])
{
    abuti_core core;
    double R[9], own_low[3], own_high[3];
    bool convex = abuti_core_make(shape, &core);
    const abuti_shape_kind *kind = kinds[shape->kind];
    pose_matrix(pose, R);
    if (!convex && kind->bounds) kind->bounds(shape, own_low, own_high);
    for (int k = 0; k < 3; ++k) {
        double from = -UNBOUNDED, to = UNBOUNDED, point[3];
        if (convex) {
            double up[3] = {R[3 * k], R[3 * k + 1], R[3 * k + 2]}, down[3] = {-up[0], -up[1], -up[2]};
            abuti_core_support(&core, up, point);
            to = abuti_v3_dot(up, point) + core.radius;
            abuti_core_support(&core, down, point);
            from = abuti_v3_dot(up, point) - core.radius;
        } else if (kind->bounds) {
            turned_extent(R, k, own_low, own_high, &from, &to);
        }
        low[k] = pose->position[k] + from;
        high[k] = pose->position[k] + to;
    }
}

double abut_shape_radius(const abut_shape *shape)
{
    abuti_core core;
    double low[3], high[3];
    if (abuti_core_make(shape, &core)) return core.size;
    if (!kinds[shape->kind]->bounds) return UNBOUNDED;
    kinds[shape->kind]->bounds(shape, low, high);
    for (int k = 0; k < 3; ++k) low[k] = fmax(fabs(low[k]), fabs(high[k]));
    return abuti_v3_length(low);
}

abut_status abut_shape_mass(const abut_shape *shape, double density, abut_mass *mass)
{
    if (!mass || !(density >= 0) || !(density <= 1e100)) return ABUT_INVALID_ARGUMENT;
    abut_status status = abut_shape_check(shape, NULL);
    if (status != ABUT_OK) return status;
    if (!kinds[shape->kind]->mass) return ABUT_UNSUPPORTED;
    *mass = (abut_mass){0};
    kinds[shape->kind]->mass(shape, mass);
    mass->mass *= density;
    for (int k = 0; k < 6; ++k) mass->inertia[k] *= density;
    return ABUT_OK;
}

void abut_mass_move(abut_mass *mass, const abut_pose *pose)
{
    double R[9], half[9], turned[9], c[3];
    const double *i = mass->inertia;
    const double full[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    pose_matrix(pose, R);
    abuti_m3_multiply(half, R, full);
    const double back[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    abuti_m3_multiply(turned, half, back);
    const int at[6] = {0, 4, 8, 1, 2, 5};
    for (int k = 0; k < 6; ++k) mass->inertia[k] = turned[at[k]];
    abuti_m3_apply(c, R, mass->com);
    abuti_v3_add(mass->com, c, pose->position);
}

void abut_mass_add(abut_mass *sum, const abut_mass *part)
{
    double total = sum->mass + part->mass, d[3];
    abuti_v3_sub(d, part->com, sum->com);
    /* Steiner's rule for two: the reduced mass times the distance. */
    double reduced = total > 0 ? sum->mass * part->mass / total : 0,
           share = total > 0 ? part->mass / total : 0.5;
    double square = abuti_v3_dot(d, d);
    for (int k = 0; k < 3; ++k) sum->inertia[k] += part->inertia[k] + reduced * (square - d[k] * d[k]);
    sum->inertia[3] += part->inertia[3] - reduced * d[0] * d[1];
    sum->inertia[4] += part->inertia[4] - reduced * d[0] * d[2];
    sum->inertia[5] += part->inertia[5] - reduced * d[1] * d[2];
    abuti_v3_add_scaled(sum->com, sum->com, share, d);
    sum->mass = total;
}

bool abut_shape_ray(const abut_shape *shape, const abut_pose *pose, const abut_ray *ray, abut_ray_hit *hit)
{
    double R[9], from[3];
    abut_ray own;
    abut_ray_hit found;
    pose_matrix(pose, R);
    abuti_v3_sub(from, ray->origin, pose->position);
    abuti_m3_apply_transposed(own.origin, R, from);
    abuti_m3_apply_transposed(own.direction, R, ray->direction);
    double square = abuti_v3_dot(own.direction, own.direction);
    if (!(square >= 1e-200 && square <= 1e200)) return false;
    if (!known(shape->kind) || !kinds[shape->kind]->ray(shape, &own, &found)) return false;
    hit->fraction = found.fraction;
    abuti_v3_add_scaled(hit->point, ray->origin, found.fraction, ray->direction);
    abuti_m3_apply(hit->normal, R, found.normal);
    return true;
}
