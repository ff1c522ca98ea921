/* Surfaces of triangles: each triangle is a core of its own, and the directions in which it may push are those that its
 * surroundings leave it (surface.h).
 *
 * A shape that slides over a floor of triangles would stumble over the edges between them if each triangle were alone:
 * the nearest way out of a triangle near its edge is sideways. But across an edge in a plane or in a valley no
 * direction leads out of the surface, and across a ridge only those between the normals of its two sides do. A
 * direction that is none of these is replaced by the normal of the triangle, or by the normal on the other side of a
 * ridge where this is the shorter way out. Where nothing stands over the triangle then, contacts are left to its
 * neighbours. */
#include "collide/surface.h"
#include "collide/gjk.h"

/* Edges whose normals differ by less than this sine are flat. */
#define FLAT 1e-9
/* At a ridge whose normals have a larger cosine, both sides are faces of one manifold; the edge of a sharper ridge
 * stands alone. */
#define SHARP 0.766
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

/* Whether a direction leads out of the surface. Nothing round the corner that is farthest in this direction may be
 * farther, and across an edge the direction must be between the normals. A direction against the normal leads out
 * across sharp ridges, and a little across borders. */
static bool allowed(const abuti_triangle *t, const double n[3], double size)
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

typedef struct surface_query {
    const abuti_core *a;
    const abuti_relative *rel; /* the surface in A's frame */
    double margin;
    abuti_touch_visitor visit;
    void *context;
    abuti_axis *nearest;
    bool found;
    /* Whether some triangle has told that the shape overlaps it. Otherwise there may be a spare touch: of the triangles
     * that the shape overlaps without being over them, that of the one it is least behind, with its name in the whole
     * surface. */
    bool spoken, has_spare;
    abuti_touch spare;
    /* m: the least gap that a manifold has told; and the deepest of the touches that it has left out. */
    double told;
    bool has_left_out;
    abuti_touch left_out;
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

/* How a triangle may push: directions, the shortest way first. */
typedef struct push {
    abuti_axis ways[4];
    int count;
    /* Nothing was replaced: the direction is that of this triangle alone. */
    bool alone;
    /* m: gaps below this do not belong to this triangle. */
    double least;
    /* The shape and the triangle have points in common. */
    bool overlaps;
} push;

/* The direction of the signed distance of A from the triangle. Faces and edges part things that are apart by less than
 * their distance where a corner is nearest to an edge or a corner. */
static void shortest_way(const surface_query *q, const abuti_core *core, double touching, abuti_axis *axis)
{
    bool sharp = q->a->kind == ABUTI_POLYTOPE && !(q->a->radius > 0);
    abuti_axis nearest;
    if (sharp) {
        abuti_axis_of_faces(q->a, core, q->rel, NULL, false, axis);
        if (!(axis->gap > touching)) return;
    }
    abuti_axis_of_distance(q->a, core, q->rel, &nearest);
    bool over = sharp && axis->kind == ABUTI_AXIS_FACE_B && nearest.gap <= axis->gap + touching;
    if (!over) *axis = nearest;
}

/* Adds a direction to the others, in the order of the largest gap; of equal ones the first stays first. */
static void add_way(push *p, const abuti_axis *axis, double touching)
{
    int place = p->count++;
    for (; place > 0 && axis->gap > p->ways[place - 1].gap + touching; --place)
        p->ways[place] = p->ways[place - 1];
    p->ways[place] = *axis;
}

/* Replaces a direction that does not lead out by the normal of the triangle. Before it come the normals on the other
 * sides of sharp ridges, which are the last directions that lead out across them, where these are shorter ways. */
static void replace(const surface_query *q, const abuti_triangle *t, const abuti_core *core, double touching,
                    const abuti_axis *face, push *out)
{
    out->count = 0;
    out->alone = false;
    add_way(out, face, touching);
    for (int k = 0; k < 3; ++k) {
        abuti_axis beyond = {.kind = ABUTI_AXIS_FACE_A, .feature_a = -1, .feature_b = -1};
        if (t->side[k] != ABUTI_CONVEX_EDGE || abuti_v3_dot(t->normal, t->neighbour_normal[k]) > SHARP)
            continue;
        abuti_m3_apply(beyond.normal, q->rel->R, t->neighbour_normal[k]);
        beyond.gap = abuti_gap_along(q->a, core, q->rel, beyond.normal);
        if (beyond.gap > face->gap + touching) add_way(out, &beyond, touching);
    }
}

/* The directions in which a triangle may push; false when it does not, up to the margin. */
static bool find_push(const surface_query *q, const abuti_triangle *t, const abuti_core *core, double margin,
                      push *out)
{
    abuti_axis face, *axis = &out->ways[0];
    double farthest, n[3], touching = ABUTI_TOUCHING * (q->a->size + core->size);
    before_plane(q, t, &face, &farthest);
    bool behind = farthest < touching;
    out->count = 1;
    out->alone = true;
    out->overlaps = false;
    out->least = -INFINITY;
    if (face.gap - q->a->radius > margin || (behind && !t->solid)) return false;
    shortest_way(q, core, touching, axis);
    /* A direction that will be replaced may separate them by more than the normal does; only what is apart is far
     * away. */
    if (axis->gap - q->a->radius > (behind ? q->margin : fmax(margin, 0))) return false;
    if (axis->kind == ABUTI_AXIS_FACE_B && axis->feature_b == 0) return true;
    abuti_m3_apply_transposed(n, q->rel->R, axis->normal);
    if (allowed(t, n, core->size)) return true;
    /* Without a point in common there is no overlap, however deep behind its plane the shape is beside the triangle. */
    out->overlaps = axis->gap - q->a->radius < -touching;
    if (!out->overlaps && !behind) out->least = -touching;
    replace(q, t, core, touching, &face, out);
    return true;
}

/* Whether a touch lies inside a flat part, where it only repeats what the corners of A tell. */
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

/* Deep in a valley a shape may be beside all triangles that it overlaps. Then the touch of the triangle that it is
 * least behind is used. */
static void keep_spare(surface_query *q, const abuti_triangle *t, const abuti_touch *touch)
{
    if (q->has_spare && !(touch->gap > q->spare.gap + ABUTI_TOUCHING * q->a->size)) return;
    q->has_spare = true;
    q->spare = *touch;
    q->spare.name_b = global_name(t, touch->name_b);
}

static void cut_to_reach(surface_query *q, double reach, abuti_touches *touches)
{
    int kept = 0;
    for (int i = 0; i < touches->count; ++i) {
        q->spoken = q->spoken || touches->at[i].gap <= 0;
        if (touches->at[i].gap <= reach) touches->at[kept++] = touches->at[i];
    }
    touches->count = kept;
}

/* Where the shape touches this triangle, up to `reach`: along the first of its directions in which it stands over
 * it. */
static void find_touches(surface_query *q, const abuti_triangle *t, double reach, abuti_touches *out)
{
    abuti_core core;
    push p;
    double corners[3][3];
    out->count = 0;
    for (int k = 0; k < 3; ++k) abuti_v3_copy(corners[k], t->corners[k]);
    abuti_core_triangle(corners, t->normal, &core);
    if (!find_push(q, t, &core, reach, &p)) return;
    for (int way = 0, kept = 0; way < p.count && kept == 0; ++way) {
        /* The choice among several directions does not depend on how far is looked. */
        abuti_manifold_along(q->a, &core, q->rel, p.alone ? reach : INFINITY, &p.ways[way], out);
        for (int i = 0; i < out->count; ++i) {
            /* Beside the triangle there is nothing of it. */
            bool beside = !out->at[i].over && (!p.alone || p.ways[way].kind == ABUTI_AXIS_FACE_B);
            if (beside && p.overlaps) keep_spare(q, t, &out->at[i]);
            if (!beside && out->at[i].gap >= p.least) out->at[kept++] = out->at[i];
        }
        out->count = kept;
    }
    cut_to_reach(q, reach, out);
}

/* Of equally deep ones the first stays. */
static void keep_deepest(surface_query *q, const abuti_touch *touch)
{
    if (q->has_left_out && touch->gap >= q->left_out.gap - ABUTI_TOUCHING * q->a->size) return;
    q->has_left_out = true;
    q->left_out = *touch;
}

static bool visit_manifold(void *context, const abuti_triangle *t)
{
    surface_query *q = context;
    abuti_touches touches;
    find_touches(q, t, q->margin, &touches);
    for (int i = 0; i < touches.count; ++i) {
        abuti_touch *touch = &touches.at[i];
        bool leave_out = needless(t, touch->name_a, touch->name_b);
        touch->name_b = global_name(t, touch->name_b);
        if (leave_out) {
            keep_deepest(q, touch);
        } else {
            q->told = fmin(q->told, touch->gap);
            q->visit(q->context, touch);
        }
    }
    return true;
}

static void take_nearest(surface_query *q, const abuti_touch *touch)
{
    q->found = true;
    q->nearest->kind = ABUTI_AXIS_POINTS;
    q->nearest->gap = touch->gap + q->a->radius;
    abuti_v3_copy(q->nearest->normal, touch->normal);
    abuti_v3_add_scaled(q->nearest->a, touch->point, 0.5 * touch->gap + q->a->radius, touch->normal);
}

static bool visit_axis(void *context, const abuti_triangle *t)
{
    surface_query *q = context;
    abuti_touches touches;
    find_touches(q, t, q->found ? q->nearest->gap - q->a->radius : q->margin, &touches);
    for (int i = 0; i < touches.count; ++i) {
        const abuti_touch *touch = &touches.at[i];
        if (!q->found || touch->gap + q->a->radius < q->nearest->gap) take_nearest(q, touch);
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
    surface_query q = {
        .a = a, .rel = rel, .margin = margin, .visit = visit, .context = context, .told = INFINITY};
    walk(&q, surface, visit_manifold);
    if (!q.spoken && q.has_spare) {
        q.told = fmin(q.told, q.spare.gap);
        visit(context, &q.spare);
    }
    /* A rim that is lowest on an edge inside of what is flat has no corner that says so. */
    if (q.has_left_out && q.left_out.gap < q.told - ABUTI_TOUCHING * a->size) visit(context, &q.left_out);
}

bool abuti_surface_axis(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                        double reach, abuti_axis *axis)
{
    surface_query q = {.a = a, .rel = rel, .margin = reach, .nearest = axis};
    axis->feature_a = axis->feature_b = -1;
    walk(&q, surface, visit_axis);
    if (!q.spoken && q.has_spare) take_nearest(&q, &q.spare);
    return q.found;
}
