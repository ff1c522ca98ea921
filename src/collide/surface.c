/* Surfaces of triangles: each triangle is a core of its own, and the directions in which it may push are those that its
 * surroundings leave it (surface.h).
 *
 * A shape that slides over a floor of triangles would stumble over the edges between them if each triangle were alone: the
 * nearest way out of a triangle near its edge is sideways. But across an edge in a plane or in a valley no direction leads
 * out of the surface, and across a ridge only those between the normals of its two sides do. A direction that is none of
 * these is replaced by the normal of the triangle, and where nothing stands over the triangle then, its neighbours
 * speak. */
#include "collide/surface.h"
#include "collide/gjk.h"

/* Edges whose normals differ by less than this sine are flat. */
#define FLAT 1e-9
/* Directions may lean so much beyond what is allowed. */
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
    /* Folded back onto itself is a ridge as sharp as can be. */
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

/* The direction must be allowed across every edge that the triangle's farthest corners in it are on. */
static bool allowed(const abuti_triangle *t, const double n[3], double size)
{
    double along[3], most = -INFINITY;
    if (abuti_v3_dot(n, t->normal) < -ALLOWED) return false;
    for (int k = 0; k < 3; ++k) {
        along[k] = abuti_v3_dot(t->corners[k], n);
        most = fmax(most, along[k]);
    }
    int far = 0;
    for (int k = 0; k < 3; ++k) far |= (along[k] >= most - ALLOWED * size) << k;
    for (int k = 0; k < 3; ++k) {
        int ends = 1 << k | 1 << (k + 1) % 3;
        bool touched = far == 7 || far == ends || ((far & ends) != 0 && (far & (far - 1)) == 0);
        if (touched && !allowed_across(t, k, n)) return false;
    }
    return true;
}

typedef struct surface_query {
    const abuti_core *a;
    const abuti_relative *rel; /* the surface in A's frame */
    double margin;
    abuti_touch_visitor visit;
    void *context;
    abuti_axis *nearest;
    bool found;
} surface_query;

/* The plane of the triangle in A's frame: how far A's nearest and farthest points are before it. */
static void before_plane(const surface_query *q, const abuti_triangle *t, abuti_axis *face, double *farthest)
{
    double n[3], into[3], on[3], point[3];
    abuti_m3_apply(n, q->rel->R, t->normal);
    abuti_v3_scale(into, -1, n);
    abuti_to_a(on, q->rel, t->corners[0]);
    abuti_core_support(q->a, into, point);
    abuti_v3_sub(point, point, on);
    *face = (abuti_axis){
        .kind = ABUTI_AXIS_FACE_B, .feature_a = -1, .feature_b = 0, .gap = abuti_v3_dot(point, n)};
    abuti_v3_copy(face->normal, n);
    abuti_core_support(q->a, n, point);
    abuti_v3_sub(point, point, on);
    *farthest = abuti_v3_dot(point, n) + q->a->radius;
}

/* The direction in which a triangle pushes; false when it is too far away. *alone says that nothing was replaced. */
static bool find_axis(const surface_query *q, const abuti_triangle *t, const abuti_core *core, double margin,
                      abuti_axis *axis, bool *alone)
{
    abuti_axis face;
    double farthest, n[3];
    before_plane(q, t, &face, &farthest);
    *alone = true;
    if (face.gap - q->a->radius > margin || (farthest < 0 && !t->solid)) return false;
    if (q->a->kind == ABUTI_POLYTOPE && !(q->a->radius > 0)) {
        abuti_axis_of_faces(q->a, core, q->rel, NULL, false, axis);
        if (axis->gap > ABUTI_TOUCHING * (q->a->size + core->size) && axis->kind != ABUTI_AXIS_FACE_B)
            abuti_axis_of_distance(q->a, core, q->rel, axis);
    } else {
        abuti_axis_of_distance(q->a, core, q->rel, axis);
    }
    /* A direction that will be replaced may part them by more than the normal does; only what is apart is far away. */
    if (axis->gap - q->a->radius > fmax(margin, 0)) return false;
    if (axis->kind == ABUTI_AXIS_FACE_B && axis->feature_b == 0) return true;
    abuti_m3_apply_transposed(n, q->rel->R, axis->normal);
    if (allowed(t, n, core->size)) return true;
    *axis = face;
    *alone = false;
    return true;
}

/* Whether a touch is inside of what is flat, where it only repeats what the corners of A say. */
static bool needless(const abuti_triangle *t, uint32_t name_a, uint32_t name_b)
{
    int kind = (int)(name_b >> 28), i = (int)(name_b & 0xfffffffu);
    if (name_a >> 28 == ABUTI_VERTEX) return false;
    return (kind == ABUTI_EDGE && t->side[i] == ABUTI_FLAT) || (kind == ABUTI_VERTEX && t->flat_vertex[i]);
}

static uint32_t global_name(const abuti_triangle *t, uint32_t name_b)
{
    abuti_feature_kind kind = (abuti_feature_kind)(name_b >> 28);
    int i = (int)(name_b & 0xfffffffu);
    return abuti_feature_name(kind, kind == ABUTI_FACE   ? t->face
                                    : kind == ABUTI_EDGE ? t->edge[i]
                                                         : t->vertex[i]);
}

/* Where the shape touches this triangle, up to `reach`. False: nowhere. */
static bool find_touches(surface_query *q, const abuti_triangle *t, double reach, abuti_touches *touches,
                         abuti_axis *axis, bool *alone)
{
    abuti_core core;
    double corners[3][3];
    for (int k = 0; k < 3; ++k) abuti_v3_copy(corners[k], t->corners[k]);
    abuti_core_triangle(corners, t->normal, &core);
    if (!find_axis(q, t, &core, reach, axis, alone)) return false;
    abuti_manifold_along(q->a, &core, q->rel, reach, axis, touches);
    return true;
}

static bool visit_manifold(void *context, const abuti_triangle *t)
{
    surface_query *q = context;
    abuti_axis axis;
    abuti_touches touches;
    bool alone;
    if (!find_touches(q, t, q->margin, &touches, &axis, &alone)) return true;
    for (int i = 0; i < touches.count; ++i) {
        abuti_touch touch = touches.at[i];
        /* Beside the triangle there is nothing of it. */
        if (!touch.over && (!alone || axis.kind == ABUTI_AXIS_FACE_B)) continue;
        if (needless(t, touch.name_a, touch.name_b)) continue;
        touch.name_b = global_name(t, touch.name_b);
        q->visit(q->context, &touch);
    }
    return true;
}

static bool visit_axis(void *context, const abuti_triangle *t)
{
    surface_query *q = context;
    abuti_axis axis;
    abuti_touches touches;
    bool alone;
    double reach = q->found ? q->nearest->gap - q->a->radius : q->margin;
    if (!find_touches(q, t, reach, &touches, &axis, &alone)) return true;
    for (int i = 0; i < touches.count; ++i) {
        const abuti_touch *touch = &touches.at[i];
        if (!touch->over && (!alone || axis.kind == ABUTI_AXIS_FACE_B)) continue;
        double gap = touch->gap + q->a->radius;
        if (q->found && !(gap < q->nearest->gap)) continue;
        q->found = true;
        q->nearest->kind = ABUTI_AXIS_POINTS;
        q->nearest->gap = gap;
        abuti_v3_copy(q->nearest->normal, touch->normal);
        abuti_v3_add_scaled(q->nearest->a, touch->point, 0.5 * touch->gap + q->a->radius, touch->normal);
    }
    return true;
}

/* Bounds of A in the surface's frame, with the margin. */
static void bounds(const surface_query *q, double low[3], double high[3])
{
    const double *R = q->rel->R;
    double centre[3];
    abuti_m3_apply_transposed(centre, R, q->rel->t);
    for (int k = 0; k < 3; ++k) {
        double up[3] = {R[k], R[3 + k], R[6 + k]}, down[3] = {-up[0], -up[1], -up[2]}, point[3];
        abuti_core_support(q->a, up, point);
        high[k] = abuti_v3_dot(point, up) - centre[k] + q->a->radius + q->margin;
        abuti_core_support(q->a, down, point);
        low[k] = abuti_v3_dot(point, up) - centre[k] - q->a->radius - q->margin;
    }
}

static void walk(surface_query *q, const abut_shape *surface, abuti_triangle_visitor visit)
{
    double low[3], high[3];
    bounds(q, low, high);
    if (surface->kind == ABUT_MESH) {
        abuti_mesh_walk(surface->mesh, low, high, visit, q);
    } else {
        abuti_heightfield_walk(surface->heightfield, low, high, visit, q);
    }
}

void abuti_surface_manifold(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                            double margin, abuti_touch_visitor visit, void *context)
{
    surface_query q = {.a = a, .rel = rel, .margin = margin, .visit = visit, .context = context};
    walk(&q, surface, visit_manifold);
}

bool abuti_surface_axis(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                        double reach, abuti_axis *axis)
{
    surface_query q = {.a = a, .rel = rel, .margin = reach, .nearest = axis};
    axis->feature_a = axis->feature_b = -1;
    walk(&q, surface, visit_axis);
    return q.found;
}
