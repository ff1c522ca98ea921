/* Planes: every corner of a polytope, the rim and the lowest points of a cylinder, the lowest point of what is
 * round. */
#include "collide/plane.h"
#include "collide/shape.h"

/* The caps of a cylinder that leans by less than 40 degrees take part with their rims. */
#define CAP_COSINE 0.766
/* Where a cap leans by less than this, any rim point is as good as the lowest (feature.c). */
#define LEANS 1e-9

abuti_plane_walk abuti_plane_begin(const abuti_core *core, const abuti_relative *rel, double margin)
{
    abuti_plane_walk w = {.core = core, .margin = margin};
    abuti_v3_set(w.normal, rel->R[2], rel->R[5], rel->R[8]);
    abuti_v3_set(w.tangent, rel->R[0], rel->R[3], rel->R[6]);
    w.offset = abuti_v3_dot(w.normal, rel->t);
    return w;
}

/* Candidate k of a cylinder: rim points, then the lowest points of both rims; false where there is none. */
static bool cylinder_candidate(const abuti_plane_walk *w, int k, double point[3])
{
    double down[3], across = w->normal[0] * w->normal[0] + w->normal[1] * w->normal[1];
    bool cap = fabs(w->normal[2]) >= CAP_COSINE;
    if (k < ABUTI_RIM_FARTHEST) {
        /* The cap that looks down. */
        if (!cap || (k < ABUTI_RIM) != (w->normal[2] < 0)) return false;
        abuti_cylinder_rim(w->core, k, point);
        return true;
    }
    if (!(across > LEANS * LEANS)) return false;
    abuti_v3_scale(down, -1, w->normal);
    abuti_core_support(w->core, down, point);
    point[2] = k == ABUTI_RIM_FARTHEST ? w->core->half[2] : -w->core->half[2];
    return true;
}

static int candidates(const abuti_core *core)
{
    if (core->kind == ABUTI_POLYTOPE) return core->vertex_count;
    return core->kind == ABUTI_CYLINDER ? ABUTI_RIM_FARTHEST + 2 : 1;
}

static bool candidate(const abuti_plane_walk *w, int k, double point[3])
{
    double down[3];
    if (w->core->kind == ABUTI_CYLINDER) return cylinder_candidate(w, k, point);
    if (w->core->kind == ABUTI_POLYTOPE) {
        abuti_v3_copy(point, w->core->vertices[k]);
        return true;
    }
    abuti_v3_scale(down, -1, w->normal);
    abuti_core_support(w->core, down, point);
    return true;
}

bool abuti_plane_next(abuti_plane_walk *w, abuti_touch *touch)
{
    for (int count = candidates(w->core); w->next < count;) {
        double point[3];
        int k = w->next++;
        if (!candidate(w, k, point)) continue;
        touch->gap = abuti_v3_dot(w->normal, point) - w->offset - w->core->radius;
        if (!(touch->gap <= w->margin)) continue;
        abuti_v3_add_scaled(touch->point, point, -w->core->radius - 0.5 * touch->gap, w->normal);
        abuti_v3_copy(touch->normal, w->normal);
        abuti_v3_copy(touch->tangent, w->tangent);
        touch->name_a = abuti_feature_name(ABUTI_VERTEX, k);
        touch->name_b = abuti_feature_name(ABUTI_FACE, 0);
        return true;
    }
    return false;
}

void abuti_plane_axis(const abuti_core *core, const abuti_relative *rel, abuti_axis *axis)
{
    abuti_plane_walk w = abuti_plane_begin(core, rel, 0);
    double down[3];
    abuti_v3_scale(down, -1, w.normal);
    axis->kind = ABUTI_AXIS_POINTS;
    axis->feature_a = axis->feature_b = -1;
    abuti_v3_copy(axis->normal, w.normal);
    abuti_core_support(core, down, axis->a);
    axis->gap = abuti_v3_dot(w.normal, axis->a) - w.offset;
    abuti_v3_add_scaled(axis->b, axis->a, -axis->gap, w.normal);
}

static const char *check(const abut_shape *s)
{
    (void)s;
    return NULL;
}

static bool ray(const abut_shape *s, const abut_ray *ray, abut_ray_hit *hit)
{
    static const double up[3] = {0, 0, 1};
    (void)s;
    if (ray->origin[2] <= 0) {
        abuti_ray_inside(ray, hit);
        return true;
    }
    if (!(ray->origin[2] + ray->direction[2] <= 0)) return false;
    abuti_ray_set(ray, ray->origin[2] / -ray->direction[2], up, hit);
    return true;
}

const abuti_shape_kind abuti_plane = {.name = "plane", .check = check, .ray = ray};
