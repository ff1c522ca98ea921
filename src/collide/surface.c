/* Surfaces of triangles: each triangle is a core of its own, and the directions in which it may push are those that its
 * surroundings leave it (surface.h).
 *
 * A shape that slides over a floor of triangles would stumble over the edges between them if each triangle were alone:
 * the nearest way out of a triangle near its edge is sideways. But across an edge in a plane or in a valley no
 * direction leads out of the surface, and across a ridge only those between the normals of its two sides do. A
 * direction that is none of these is replaced by the normal of the triangle, or by the normal on the other side of a
 * ridge where this is the shorter way out. Where nothing stands over the triangle then, contacts are left to its
 * neighbours. An overlap along such a replacement is left to them, too, where a shorter way that one of them says leads
 * out of this triangle as well; for this the triangles are asked a second time. */
#include "collide/surface.h"
#include "collide/gjk.h"

/* At a ridge whose normals have a larger cosine, both sides are faces of one manifold; the edge of a sharper ridge
 * stands alone. */
#define SHARP 0.766
/* Gaps that differ by less than this part of the sizes are equal. */
#define EQUAL 1e-13
/* How many directions that lead out of an overlap are remembered. */
enum { SPEAKERS = 64 };

/* A direction that leads out of an overlap with a triangle. */
typedef struct speaker {
    double normal[3], gap; /* of the shapes */
} speaker;

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
    /* Directions of triangles in which nothing was replaced. Overlaps with the others wait until these are known. */
    int speaker_count;
    bool waits, second_round;
    speaker speakers[SPEAKERS];
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

/* How a triangle may push: directions that are its own, and then those that take their place where none of them leads
 * out, the shortest way first. */
typedef struct push {
    abuti_axis ways[6];
    int own, count;
    /* The one in which the shape stands over the triangle. */
    int used;
    /* m: gaps below this do not belong to this triangle where its own directions were replaced. */
    double least;
    /* The shape and the triangle have points in common. */
    bool overlaps;
} push;

static bool is_sharp(const abuti_core *core)
{
    return core->kind == ABUTI_POLYTOPE && !(core->radius > 0);
}

/* The direction of the signed distance of A from the triangle, up to `reach` between the cores. Faces and edges part things that are apart by less than
 * their distance where a corner is nearest to an edge or a corner. */
static void shortest_way(const surface_query *q, const abuti_core *core, double touching, double reach,
                         abuti_axis *axis)
{
    bool sharp = is_sharp(q->a);
    abuti_axis nearest;
    if (sharp) {
        abuti_axis_of_faces(q->a, core, q->rel, NULL, false, axis);
        if (!(axis->gap > touching)) return;
    }
    abuti_axis_of_distance(q->a, core, q->rel, reach, &nearest);
    bool over = sharp && axis->kind == ABUTI_AXIS_FACE_B && nearest.gap <= axis->gap + touching;
    if (!over) *axis = nearest;
}

/* A triangle whose directions are asked about. */
typedef struct directions_of {
    const surface_query *query;
    const abuti_triangle *triangle;
    double size;
} directions_of;

static bool leads_out(void *context, const double normal[3])
{
    const directions_of *of = context;
    double n[3];
    abuti_m3_apply_transposed(n, of->query->rel->R, normal);
    return abuti_triangle_allows(of->triangle, n, of->size);
}

/* The normal across edge k as a direction of A and the triangle. */
static abuti_axis axis_beyond(const surface_query *q, const abuti_triangle *t, const abuti_core *core, int k)
{
    abuti_axis beyond = {.kind = ABUTI_AXIS_FACE_A, .feature_a = -1, .feature_b = -1};
    abuti_m3_apply(beyond.normal, q->rel->R, t->neighbour_normal[k]);
    beyond.gap = abuti_gap_along(q->a, core, q->rel, beyond.normal);
    return beyond;
}

/* Where an edge lies on a corner, or the axis of something round goes through one, many directions part the two equally
 * well, and which of them was found is rounding: one of them may lead out. Of round things the normals beyond ridges are
 * looked at. */
static bool equal_way(const surface_query *q, const abuti_triangle *t, const abuti_core *core,
                      double touching, const abuti_axis *axis, abuti_axis *other)
{
    directions_of of = {q, t, core->size};
    double equal = EQUAL * (q->a->size + core->size);
    if (is_sharp(q->a)) {
        if (axis->kind == ABUTI_AXIS_POINTS || leads_out(&of, axis->normal)) return false;
        return abuti_axis_of_faces_where(q->a, core, q->rel, leads_out, &of, other) &&
               other->gap >= axis->gap - equal;
    }
    for (int k = 0; k < 3 && axis->gap - q->a->radius <= touching; ++k) {
        if (t->side[k] != ABUTI_CONVEX_EDGE) continue;
        *other = axis_beyond(q, t, core, k);
        if (other->gap >= axis->gap - equal && leads_out(&of, other->normal)) return true;
    }
    return false;
}

/* Adds a direction to the others, in the order of the largest gap; of equal ones the first stays first. */
static void add_way(push *p, const abuti_axis *axis, double touching)
{
    int place = p->count++;
    for (; place > p->own && axis->gap > p->ways[place - 1].gap + touching; --place)
        p->ways[place] = p->ways[place - 1];
    p->ways[place] = *axis;
}

/* Replaces a direction that does not lead out by the normal of the triangle. Before it come the normals on the other
 * sides of sharp ridges, which are the last directions that lead out across them, where these are shorter ways. */
static void replace(const surface_query *q, const abuti_triangle *t, const abuti_core *core, double touching,
                    const abuti_axis *face, push *out)
{
    add_way(out, face, touching);
    for (int k = 0; k < 3; ++k) {
        if (t->side[k] != ABUTI_CONVEX_EDGE || abuti_v3_dot(t->normal, t->neighbour_normal[k]) > SHARP)
            continue;
        abuti_axis beyond = axis_beyond(q, t, core, k);
        if (beyond.gap > face->gap + touching) add_way(out, &beyond, touching);
    }
}

/* The directions in which a triangle may push; false when it does not, up to the margin. */
static bool find_push(const surface_query *q, const abuti_triangle *t, const abuti_core *core, double margin,
                      push *out)
{
    abuti_axis face, nearest;
    double farthest, n[3], touching = ABUTI_TOUCHING * (q->a->size + core->size);
    before_plane(q, t, &face, &farthest);
    bool behind = farthest < touching;
    out->count = out->own = 0;
    out->overlaps = false;
    out->least = -INFINITY;
    if (face.gap - q->a->radius > margin || (behind && !t->solid)) return false;
    /* A direction that will be replaced may separate them by more than the normal does; only what is apart is far
     * away. */
    double reach = (behind ? q->margin : fmax(margin, 0)) + q->a->radius;
    shortest_way(q, core, touching, reach, &nearest);
    if (nearest.gap > reach) return false;
    bool over = nearest.kind == ABUTI_AXIS_FACE_B && nearest.feature_b == 0;
    abuti_m3_apply_transposed(n, q->rel->R, nearest.normal);
    if (!over && equal_way(q, t, core, touching, &nearest, &out->ways[0])) out->own = 1;
    bool leads_out = over || abuti_triangle_allows(t, n, core->size);
    if (leads_out) out->ways[out->own++] = nearest;
    out->count = out->own;
    if (leads_out || (out->own > 0 && is_sharp(q->a))) return true;
    /* Without a point in common there is no overlap, however deep behind its plane the shape is beside the triangle. */
    out->overlaps = nearest.gap - q->a->radius < -touching;
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
        q->spoken = q->spoken || touches->at[i].gap < -ABUTI_TOUCHING * q->a->size;
        if (touches->at[i].gap <= reach) touches->at[kept++] = touches->at[i];
    }
    touches->count = kept;
}

/* Remembers a direction that leads out of an overlap. */
static void hear(surface_query *q, const abuti_axis *axis)
{
    double gap = axis->gap - q->a->radius;
    if (gap > ABUTI_TOUCHING * q->a->size || q->speaker_count == SPEAKERS || q->second_round) return;
    speaker *s = &q->speakers[q->speaker_count++];
    abuti_v3_copy(s->normal, axis->normal);
    s->gap = gap;
}

/* The touches along one direction of a push that belong to the triangle. */
static void touches_along(surface_query *q, const abuti_triangle *t, const abuti_core *core, double reach,
                          const push *p, int way, abuti_touches *out)
{
    const abuti_axis *axis = &p->ways[way];
    bool own = way < p->own, face = axis->kind == ABUTI_AXIS_FACE_A || axis->kind == ABUTI_AXIS_FACE_B;
    int kept = 0;
    /* The choice among several directions does not depend on how far is looked. */
    abuti_manifold_along(q->a, core, q->rel, p->count == 1 && own ? reach : INFINITY, axis, out);
    for (int i = 0; i < out->count; ++i) {
        /* Beside the triangle there is nothing of it. */
        bool beside = !out->at[i].over && (!own || face);
        if (beside && p->overlaps) keep_spare(q, t, &out->at[i]);
        if (!beside && (own || out->at[i].gap >= p->least)) out->at[kept++] = out->at[i];
    }
    out->count = kept;
}

/* A face of A that is nearly the best direction, and was preferred for that, may be beside the triangle. Then the best is
 * asked for. */
static void ask_exactly(surface_query *q, const abuti_triangle *t, const abuti_core *core, double reach,
                        push *p, abuti_touches *out)
{
    directions_of of = {q, t, core->size};
    abuti_axis *axis = &p->ways[0];
    abuti_axis_of_distance(q->a, core, q->rel, reach, axis);
    if (axis->gap <= reach && leads_out(&of, axis->normal)) touches_along(q, t, core, reach, p, 0, out);
}

/* Where the shape touches this triangle, up to `reach`: along the first of its directions in which it stands over
 * it. */
static void find_touches(surface_query *q, const abuti_triangle *t, double reach, push *p, abuti_touches *out)
{
    abuti_core core;
    double corners[3][3];
    out->count = 0;
    for (int k = 0; k < 3; ++k) abuti_v3_copy(corners[k], t->corners[k]);
    abuti_core_triangle(corners, t->normal, &core);
    if (!find_push(q, t, &core, reach, p)) return;
    for (p->used = 0; p->used < p->count; ++p->used) {
        touches_along(q, t, &core, reach, p, p->used, out);
        if (out->count > 0) break;
    }
    if (out->count == 0 && p->own == 1 && p->count == 1 && is_sharp(q->a)) {
        p->used = 0;
        ask_exactly(q, t, &core, reach, p, out);
    }
    if (p->used < p->own && out->count > 0) hear(q, &p->ways[p->used]);
    cut_to_reach(q, reach, out);
}

/* Of equally deep ones the first stays. */
static void keep_deepest(surface_query *q, const abuti_touch *touch)
{
    if (q->has_left_out && touch->gap >= q->left_out.gap - ABUTI_TOUCHING * q->a->size) return;
    q->has_left_out = true;
    q->left_out = *touch;
}

static void take_nearest(surface_query *q, const abuti_touch *touch)
{
    if (q->found && touch->gap + q->a->radius >= q->nearest->gap) return;
    q->found = true;
    q->nearest->kind = ABUTI_AXIS_POINTS;
    q->nearest->gap = touch->gap + q->a->radius;
    abuti_v3_copy(q->nearest->normal, touch->normal);
    abuti_v3_add_scaled(q->nearest->a, touch->point, 0.5 * touch->gap + q->a->radius, touch->normal);
}

static void say(surface_query *q, const abuti_touch *touch, bool left_out)
{
    if (q->nearest) {
        take_nearest(q, touch);
    } else if (left_out) {
        keep_deepest(q, touch);
    } else {
        q->told = fmin(q->told, touch->gap);
        q->visit(q->context, touch);
    }
}

/* Whether a shorter way that another triangle has said leads out of this one, too. */
static bool led_out(const surface_query *q, const abuti_triangle *t, double gap)
{
    abuti_core core;
    double corners[3][3], slack = ABUTI_TOUCHING * q->a->size;
    for (int k = 0; k < 3; ++k) abuti_v3_copy(corners[k], t->corners[k]);
    abuti_core_triangle(corners, t->normal, &core);
    for (int i = 0; i < q->speaker_count; ++i) {
        const speaker *s = &q->speakers[i];
        bool shorter = s->gap > gap + slack;
        if (shorter && abuti_gap_along(q->a, &core, q->rel, s->normal) - q->a->radius >= s->gap - slack)
            return true;
    }
    return false;
}

/* Whether it is this touch's turn: overlaps along directions that took the place of others come in the second round,
 * where no shorter way is known. */
static bool may_speak(surface_query *q, const abuti_triangle *t, const push *p, const abuti_touch *touch)
{
    bool second = p->used >= p->own && touch->gap < -ABUTI_TOUCHING * q->a->size;
    q->waits = q->waits || second;
    return second == q->second_round && !(second && led_out(q, t, touch->gap));
}

static bool visit_triangle(void *context, const abuti_triangle *t)
{
    surface_query *q = context;
    abuti_touches touches;
    push p;
    /* What overlaps is asked about whole: a triangle may leave its word to another that is less deep. */
    double reach = q->nearest && q->found ? fmax(q->nearest->gap - q->a->radius, 0) : q->margin;
    find_touches(q, t, reach, &p, &touches);
    for (int i = 0; i < touches.count; ++i) {
        abuti_touch *touch = &touches.at[i];
        bool left_out = needless(t, touch->name_a, touch->name_b);
        touch->name_b = global_name(t, touch->name_b);
        if (may_speak(q, t, &p, touch)) say(q, touch, left_out);
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

static void walk(surface_query *q, const abut_shape *surface)
{
    double low[3], high[3];
    bounds(q, low, high);
    if (surface->kind == ABUT_MESH) {
        abuti_mesh_walk(surface->mesh, low, high, visit_triangle, q);
    } else {
        abuti_heightfield_walk(surface->heightfield, low, high, visit_triangle, q);
    }
}

/* Asks the triangles within the margin, a second time where some of them wait for others. */
static void ask(surface_query *q, const abut_shape *surface)
{
    walk(q, surface);
    q->second_round = q->waits;
    if (q->second_round) walk(q, surface);
    if (!q->spoken && q->has_spare) say(q, &q->spare, false);
}

/* The room for speakers, which is large, is not cleared. */
static void begin(surface_query *q, const abuti_core *a, const abuti_relative *rel, double margin)
{
    q->a = a;
    q->rel = rel;
    q->margin = margin;
    q->visit = NULL;
    q->context = NULL;
    q->nearest = NULL;
    q->found = q->spoken = q->has_spare = q->has_left_out = q->waits = q->second_round = false;
    q->told = INFINITY;
    q->speaker_count = 0;
}

void abuti_surface_manifold(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                            double margin, abuti_touch_visitor visit, void *context)
{
    surface_query q;
    begin(&q, a, rel, margin);
    q.visit = visit;
    q.context = context;
    ask(&q, surface);
    /* A rim that is lowest on an edge inside of what is flat has no corner that says so. */
    if (q.has_left_out && q.left_out.gap < q.told - ABUTI_TOUCHING * a->size) visit(context, &q.left_out);
}

bool abuti_surface_axis(const abuti_core *a, const abut_shape *surface, const abuti_relative *rel,
                        double reach, abuti_axis *axis)
{
    surface_query q;
    begin(&q, a, rel, reach);
    q.nearest = axis;
    axis->feature_a = axis->feature_b = -1;
    ask(&q, surface);
    return q.found;
}
