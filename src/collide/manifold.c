/* From two cores to a manifold: the direction, the two features along it, their overlap, a gap for each vertex. */
#include "collide/manifold.h"
#include "collide/gjk.h"
#include "collide/overlap.h"

/* A face that does not give the direction takes part as a whole up to 40 degrees; an edge up to nearly 30. Beyond that,
 * an edge or a corner stands for it: other points would be high above. No sum of simple angles comes to these, so that
 * rounding does not decide. */
#define LEAN_COSINE 0.766
#define LEAN_SINE 0.4931
/* Where neither gives the direction, features that are across it up to these angles take part. */
#define NEAR_COSINE 0.99875
#define NEAR_SINE 0.05
/* Shapes that are round about their cores keep their faces and lines longer: each of their points has its own
 * normal. */
#define ROUND_COSINE 0.955
#define ROUND_SINE 0.3
/* A sphere touches one point, which is on the face or edge that is straight before it. */
#define POINT_COSINE (1 - 1e-12)
#define POINT_SINE 1e-6
/* Of three axes across each other one always leans from a plane by a sine of less than 0.578. This number is a little
 * larger, and no multiple of a simple angle has this sine. */
#define ACROSS 0.5931
/* Points that are nearer to a side than this part of the size are on it. */
#define ON_SIDE 1e-9

static void turn_feature(const abuti_relative *rel, abuti_feature *f)
{
    for (int i = 0; i < f->count; ++i) abuti_to_a(f->points[i], rel, f->points[i]);
    if (f->count > 2) abuti_m3_apply(f->normal, rel->R, f->normal);
    if (f->disc) abuti_to_a(f->centre, rel, f->centre);
}

static void find_features(abuti_contact_pair *p)
{
    const abuti_axis *axis = p->axis;
    bool face = axis->kind == ABUTI_AXIS_FACE_A || axis->kind == ABUTI_AXIS_FACE_B, round = p->radius > 0;
    bool point = p->a->vertex_count == 1 || p->b->vertex_count == 1;
    double cosine = face ? LEAN_COSINE : point ? POINT_COSINE : round ? ROUND_COSINE : NEAR_COSINE;
    double sine = face ? LEAN_SINE : point ? POINT_SINE : round ? ROUND_SINE : NEAR_SINE;
    abuti_lean a = {-1, -1, -1, cosine, sine}, b = a;
    if (axis->kind == ABUTI_AXIS_FACE_A) a.face = axis->feature_a;
    if (axis->kind == ABUTI_AXIS_FACE_B) b.face = axis->feature_b;
    if (axis->kind == ABUTI_AXIS_EDGES) {
        a.edge = axis->feature_a;
        b.edge = axis->feature_b;
    }
    double into[3], turned[3];
    abuti_v3_scale(into, -1, axis->normal);
    abuti_m3_apply_transposed(turned, p->rel->R, axis->normal);
    abuti_core_feature(p->a, into, &a, &p->fa);
    abuti_core_feature(p->b, turned, &b, &p->fb);
    turn_feature(p->rel, &p->fb);
}

/* The direction of a feature's first edge, or of a disc's first rim point; false for a point. */
static bool feature_direction(const abuti_feature *f, double out[3])
{
    if (f->count < 2) return false;
    abuti_v3_sub(out, f->points[f->disc ? 0 : 1], f->disc ? f->centre : f->points[0]);
    return abuti_v3_normalise(out) > 0;
}

/* Across n: a direction of a face, then of an edge; where both are points, an axis of B. */
static void find_tangent(abuti_contact_pair *p)
{
    const double *n = p->axis->normal;
    double t[3] = {1, 0, 0};
    bool b_first = p->axis->kind == ABUTI_AXIS_FACE_B ||
                   (p->axis->kind != ABUTI_AXIS_FACE_A && p->fb.count > 2 && p->fa.count <= 2);
    const abuti_feature *first = b_first ? &p->fb : &p->fa, *second = b_first ? &p->fa : &p->fb;
    for (int i = 0; i < 5; ++i) {
        if (i < 2) {
            if (!feature_direction(i == 0 ? first : second, t)) continue;
        } else {
            abuti_v3_set(t, p->rel->R[i - 2], p->rel->R[i + 1], p->rel->R[i + 4]);
        }
        double along = abuti_v3_dot(t, n);
        if (i >= 2 && fabs(along) > ACROSS) continue;
        abuti_v3_add_scaled(t, t, -along, n);
        if (abuti_v3_normalise(t) > 0.05) break;
    }
    abuti_v3_copy(p->tangent, t);
}

void abuti_touch_add(const abuti_contact_pair *p, const double on_a[3], const double n[3], double gap,
                     uint32_t name_a, uint32_t name_b, abuti_touches *out)
{
    if (!(gap <= p->margin)) return;
    int place = 0;
    while (place < out->count && (out->at[place].name_a != name_a || out->at[place].name_b != name_b))
        place++;
    /* Where two touches have one name the deeper stays. */
    if (place >= ABUT_MANIFOLD_POINTS || (place < out->count && out->at[place].gap <= gap)) return;
    if (place == out->count) out->count++;
    abuti_touch *t = &out->at[place];
    abuti_v3_add_scaled(t->point, on_a, -0.5 * gap, n);
    abuti_v3_copy(t->normal, n);
    abuti_v3_add_scaled(t->tangent, p->tangent, -abuti_v3_dot(p->tangent, n), n);
    abuti_v3_normalise(t->tangent);
    t->gap = gap;
    t->over = true;
    t->name_a = name_a;
    t->name_b = name_b;
}

static void add_vertices(const abuti_contact_pair *p, const abuti_overlap *o, abuti_touches *out)
{
    const double *n = p->axis->normal;
    for (int i = 0; i < o->count; ++i) {
        const abuti_vertex *v = &o->vertices[i];
        double high = abuti_overlap_height(o, &p->fa, v->at), low = abuti_overlap_height(o, &p->fb, v->at),
               on_a[3];
        for (int k = 0; k < 3; ++k)
            on_a[k] = v->at[0] * o->axes[0][k] + v->at[1] * o->axes[1][k] + (high - p->a->radius) * n[k];
        abuti_touch_add(p, on_a, n, high - low - p->radius, v->name_a, v->name_b, out);
    }
}

/* The nearest points of the two edges that gave the direction. */
static void crossing_edges(const abuti_contact_pair *p, double a[3], double b[3])
{
    const int32_t *va = p->a->edges[p->axis->feature_a].v, *vb = p->b->edges[p->axis->feature_b].v;
    double q0[3], q1[3];
    abuti_to_a(q0, p->rel, p->b->vertices[vb[0]]);
    abuti_to_a(q1, p->rel, p->b->vertices[vb[1]]);
    abuti_nearest_on_segments(p->a->vertices[va[0]], p->a->vertices[va[1]], q0, q1, a, b);
}

/* The first of the lowest points of a feature, seen along a direction. */
static void lowest_point(const abuti_feature *f, const double direction[3], double slack, double out[3])
{
    double least = INFINITY;
    int i = 0;
    for (int k = 0; k < f->count; ++k) least = fmin(least, abuti_v3_dot(f->points[k], direction));
    while (i + 1 < f->count && abuti_v3_dot(f->points[i], direction) > least + slack) i++;
    abuti_v3_copy(out, f->points[i]);
}

void abuti_touch_single(const abuti_contact_pair *p, abuti_touches *out)
{
    const double *n = p->axis->normal;
    double a[3], b[3], on_a[3];
    uint32_t name_a = p->fa.name, name_b = p->fb.name;
    if (p->axis->kind == ABUTI_AXIS_EDGES) {
        crossing_edges(p, a, b);
        name_a = abuti_feature_name(ABUTI_EDGE, p->axis->feature_a);
        name_b = abuti_feature_name(ABUTI_EDGE, p->axis->feature_b);
    } else if (p->axis->kind == ABUTI_AXIS_POINTS) {
        abuti_v3_copy(a, p->axis->a);
        abuti_v3_copy(b, p->axis->b);
    } else {
        /* The corner that is farthest, over the face's plane though not over the face. */
        double slack = ON_SIDE * fmin(p->a->size, p->b->size), down[3];
        abuti_v3_scale(down, -1, n);
        if (p->axis->kind == ABUTI_AXIS_FACE_B) {
            lowest_point(&p->fa, n, slack, a);
        } else {
            lowest_point(&p->fb, down, slack, b);
            abuti_v3_add_scaled(a, b, p->axis->gap, n);
        }
    }
    abuti_v3_add_scaled(on_a, a, -p->a->radius, n);
    int before = out->count;
    abuti_touch_add(p, on_a, n, p->axis->gap - p->radius, name_a, name_b, out);
    if (out->count > before) out->at[before].over = false;
}

void abuti_manifold_along(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                          const abuti_axis *axis, abuti_touches *touches)
{
    abuti_contact_pair p = {
        .a = a, .b = b, .rel = rel, .margin = margin, .radius = a->radius + b->radius, .axis = axis};
    touches->count = 0;
    find_features(&p);
    find_tangent(&p);
    double tolerance = ON_SIDE * fmin(a->size, b->size);
    if (p.radius > 0) {
        abuti_manifold_rounded(&p, tolerance, touches);
        return;
    }
    abuti_overlap o;
    abuti_overlap_begin(&o, &p.fa, &p.fb, axis->normal, p.tangent, tolerance, false);
    abuti_overlap_find(&o);
    add_vertices(&p, &o, touches);
    if (o.count == 0) abuti_touch_single(&p, touches);
}

/* Sharp polytopes: faces and edges first; where these overlap nowhere, the closest points. */
static void find_axis(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double reach,
                      const abut_pair_memory *memory, abuti_axis *axis)
{
    bool sharp = a->kind == ABUTI_POLYTOPE && b->kind == ABUTI_POLYTOPE && !(a->radius + b->radius > 0);
    if (sharp) {
        abuti_axis_of_faces(a, b, rel, memory, false, axis);
    } else {
        abuti_axis_of_distance(a, b, rel, reach, axis);
    }
}

static void remember(abut_pair_memory *memory, const abuti_axis *axis)
{
    if (!memory) return;
    memory->kind = (int32_t)axis->kind;
    memory->feature_a = axis->feature_a;
    memory->feature_b = axis->feature_b;
}

void abuti_manifold_find(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                         abut_pair_memory *memory, abuti_touches *touches)
{
    abuti_axis axis;
    double reach = margin + a->radius + b->radius;
    touches->count = 0;
    find_axis(a, b, rel, reach, memory, &axis);
    remember(memory, &axis);
    if (axis.gap > reach) return;
    abuti_manifold_along(a, b, rel, margin, &axis, touches);
    bool apart = axis.gap > ABUTI_TOUCHING * (a->size + b->size);
    bool alone = touches->count == 0 || (touches->count == 1 && axis.kind != ABUTI_AXIS_POINTS);
    if (!apart || !alone || axis.kind == ABUTI_AXIS_POINTS) return;
    /* Corners and edges beside each other: the nearest points say more than a plane that both are beyond. */
    abuti_axis_of_distance(a, b, rel, reach, &axis);
    if (axis.gap > reach) {
        touches->count = 0;
        return;
    }
    abuti_manifold_along(a, b, rel, margin, &axis, touches);
}
