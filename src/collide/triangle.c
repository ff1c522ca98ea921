/* Triangles of a surface: what is beyond their edges, and which directions their surroundings leave them (surface.h).
 */
#include "collide/surface.h"

/* Edges whose normals differ by less than this sine are flat. */
#define FLAT 1e-9
/* A border holds things that tip over it until they lean by this sine behind the triangle. What is under the triangle
 * is not touched. */
#define BEYOND_BORDER 0.7
/* Directions may lean by this much beyond what is allowed. */
#define ALLOWED 1e-9

bool abuti_triangle_normal(double corners[3][3], double normal[3])
{
    double e[3], f[3];
    abuti_v3_sub(e, corners[1], corners[0]);
    abuti_v3_sub(f, corners[2], corners[0]);
    abuti_v3_cross(normal, e, f);
    double longest = fmax(abuti_v3_dot(e, e), abuti_v3_dot(f, f));
    return abuti_v3_normalise(normal) > 1e-14 * longest;
}

static void edge_direction(const abuti_triangle *t, int k, double e[3])
{
    abuti_v3_sub(e, t->corners[(k + 1) % 3], t->corners[k]);
    abuti_v3_normalise(e);
}

void abuti_triangle_neighbour(abuti_triangle *t, int k, bool has, const double normal[3])
{
    double e[3], cross[3];
    t->side[k] = ABUTI_BORDER;
    if (!has) return;
    abuti_v3_copy(t->neighbour_normal[k], normal);
    edge_direction(t, k, e);
    abuti_v3_cross(cross, t->normal, normal);
    double turn = abuti_v3_dot(cross, e);
    /* A surface that is folded back onto itself is a ridge as sharp as can be. */
    bool back = abuti_v3_dot(t->normal, normal) < 0;
    t->side[k] = fabs(turn) <= FLAT && !back           ? ABUTI_FLAT
                 : turn > 0 || (back && turn >= -FLAT) ? ABUTI_CONVEX_EDGE
                                                       : ABUTI_CONCAVE_EDGE;
}

bool abuti_triangle_ray(const abuti_triangle *triangle, const abut_ray *ray, double *t)
{
    const double *n = triangle->normal;
    double rate = abuti_v3_dot(n, ray->direction), from[3], point[3];
    if (!(rate < 0)) return false;
    abuti_v3_sub(from, ray->origin, triangle->corners[0]);
    double at = abuti_v3_dot(n, from) / -rate;
    if (!(at >= 0 && at < *t)) return false;
    abuti_v3_add_scaled(point, ray->origin, at, ray->direction);
    for (int k = 0; k < 3; ++k) {
        double e[3], out[3];
        abuti_v3_sub(e, triangle->corners[(k + 1) % 3], triangle->corners[k]);
        abuti_v3_cross(out, e, n);
        abuti_v3_sub(from, point, triangle->corners[k]);
        /* Rays through the edge between two triangles must not slip through. */
        if (abuti_v3_dot(from, out) > 1e-12 * abuti_v3_dot(e, e)) return false;
    }
    *t = at;
    return true;
}

/* Whether a direction (in the surface's frame) leads out of the surface across edge k. */
static bool allowed_across(const abuti_triangle *t, int k, const double n[3])
{
    double e[3], limit[3];
    if (t->side[k] == ABUTI_BORDER) return true;
    edge_direction(t, k, e);
    abuti_v3_cross(limit, t->side[k] == ABUTI_CONVEX_EDGE ? t->neighbour_normal[k] : t->normal, e);
    return abuti_v3_dot(n, limit) >= -ALLOWED;
}

/* Whether a corner is as high along a direction as all that is round it in the surface. */
static bool highest(const abuti_triangle *t, int k, const double n[3])
{
    return t->mesh ? abuti_mesh_highest(t->mesh, t->vertex[k], n, ALLOWED)
                   : abuti_heightfield_highest(t->field, t->vertex[k], n, ALLOWED);
}

/* Nothing round the corner that is farthest in this direction may be farther, and across an edge the direction must be
 * between the normals. A direction against the normal leads out across sharp ridges, and a little across borders. */
bool abuti_triangle_allows(const abuti_triangle *t, const double n[3], double size)
{
    double along[3], most = -INFINITY;
    bool back = abuti_v3_dot(n, t->normal) < -ALLOWED, border = false,
         under = abuti_v3_dot(n, t->normal) < -BEYOND_BORDER;
    for (int k = 0; k < 3; ++k) {
        along[k] = abuti_v3_dot(t->corners[k], n);
        most = fmax(most, along[k]);
        border = border || t->side[k] == ABUTI_BORDER;
    }
    int far = 0;
    for (int k = 0; k < 3; ++k) far |= (along[k] >= most - ALLOWED * size) << k;
    for (int k = 0; k < 3; ++k) {
        int ends = 1 << k | 1 << (k + 1) % 3;
        if (far == 1 << k && ((under && border) || !highest(t, k, n))) return false;
        if (far != 7 && far != ends) continue;
        bool open = t->side[k] == ABUTI_BORDER ? !under : t->side[k] == ABUTI_CONVEX_EDGE;
        if (!allowed_across(t, k, n) || (back && !open)) return false;
    }
    return true;
}
