/* Manifolds of capsules and spheres. Each point has the normal of its own nearest points, so that all points are on
 * both surfaces and every gap is a distance.
 *
 * Over a face the ends of a segment look straight down on it; where the segment leaves the face it is nearest to an
 * edge; beside another segment each end is nearest to a point of it. The closest points of all stand among these, or
 * are added. */
#include "collide/manifold.h"

/* The closest points are there when some gap is so near to theirs, as a part of the size. */
#define SAME_GAP 1e-9
/* Cores that are nearer than this part of their radii give no direction. */
#define APART 1e-6
/* Directions that lean from the pair's by a larger cosine belong to it; those across it, or against it, do not. */
#define ACROSS 1e-6
/* Where the nearest point of an edge gives no direction, and on the rim of a disc, lines that lean by less than this
 * count as parallel to the face. */
#define ALONG 1e-3
/* Edges that lean by less than this sine from across the direction may be what a segment lies along. */
#define BESIDE 0.02
/* Segments with less than this square of the sine of their angle are parallel: the middle of one is as near as any. */
#define PARALLEL 1e-14

void abuti_nearest_on_segments(const double p0[3], const double p1[3], const double q0[3], const double q1[3],
                               double a[3], double b[3])
{
    double d[3], e[3], r[3];
    abuti_v3_sub(d, p1, p0);
    abuti_v3_sub(e, q1, q0);
    abuti_v3_sub(r, p0, q0);
    double dd = abuti_v3_dot(d, d), ee = abuti_v3_dot(e, e), de = abuti_v3_dot(d, e), dr = abuti_v3_dot(d, r),
           er = abuti_v3_dot(e, r), det = dd * ee - de * de;
    double s = det > PARALLEL * dd * ee ? fmin(fmax((de * er - ee * dr) / det, 0), 1) : 0.5;
    double t = fmin(fmax((de * s + er) / ee, 0), 1);
    s = fmin(fmax((de * t - dr) / dd, 0), 1);
    abuti_v3_add_scaled(a, p0, s, d);
    abuti_v3_add_scaled(b, q0, t, e);
}

void abuti_nearest_on_line(const double p0[3], const double p1[3], const double point[3], double out[3])
{
    double d[3], from[3];
    abuti_v3_sub(d, p1, p0);
    abuti_v3_sub(from, point, p0);
    double t = fmin(fmax(abuti_v3_dot(from, d) / abuti_v3_dot(d, d), 0), 1);
    abuti_v3_add_scaled(out, p0, t, d);
}

/* A touch of two points of the cores; false where they are too near to give a direction. */
static bool add_points(const abuti_contact_pair *p, const double a[3], const double b[3], uint32_t name_a,
                       uint32_t name_b, abuti_touches *out)
{
    double n[3], on_a[3];
    abuti_v3_sub(n, a, b);
    double apart = abuti_v3_normalise(n);
    if (!(apart > APART * p->radius) || !(abuti_v3_dot(n, p->axis->normal) > ACROSS)) return false;
    abuti_v3_add_scaled(on_a, a, -p->a->radius, n);
    abuti_touch_add(p, on_a, n, apart - p->radius, name_a, name_b, out);
    return true;
}

static void place(const abuti_overlap *o, const abuti_feature *f, const double at[2], double out[3])
{
    double height = abuti_overlap_height(o, f, at);
    for (int k = 0; k < 3; ++k)
        out[k] = at[0] * o->axes[0][k] + at[1] * o->axes[1][k] + height * o->axes[2][k];
}

/* A touch along the normal of the overlap: over the inside of a face, or deep. Along this normal the surface is beyond
 * the core by the radius times `lean`. */
static void add_along(const abuti_contact_pair *p, const abuti_overlap *o, const abuti_vertex *v, double lean,
                      abuti_touches *out)
{
    double a[3], b[3], on_a[3];
    place(o, o->a, v->at, a);
    place(o, o->b, v->at, b);
    abuti_v3_add_scaled(on_a, a, -lean * p->a->radius, o->axes[2]);
    abuti_v3_sub(b, a, b);
    abuti_touch_add(p, on_a, o->axes[2], abuti_v3_dot(b, o->axes[2]) - lean * p->radius, v->name_a, v->name_b,
                    out);
}

/* Where a segment leaves a polygon, the edge it crosses. */
static int edge_named(const abuti_feature *f, uint32_t name)
{
    for (int i = 0; i < f->count; ++i) {
        if (f->edges[i] == name) return i;
    }
    return -1;
}

/* The points of a segment over a face, which is a polygon or a disc. */
static void segment_over_face(const abuti_contact_pair *p, double tolerance, abuti_touches *out)
{
    bool face_is_a = p->fa.count > 2;
    const abuti_feature *face = face_is_a ? &p->fa : &p->fb, *line = face_is_a ? &p->fb : &p->fa;
    double n[3], direction[3];
    abuti_v3_scale(n, face_is_a ? -1 : 1, face->normal);
    abuti_v3_sub(direction, line->points[1], line->points[0]);
    abuti_v3_normalise(direction);
    double sine = fabs(abuti_v3_dot(direction, n)), lean = 1 / sqrt((1 - sine) * (1 + sine));
    bool deep = p->axis->kind != ABUTI_AXIS_POINTS, along = sine < ALONG;
    abuti_overlap o;
    abuti_overlap_begin(&o, &p->fa, &p->fb, n, p->tangent, tolerance, true);
    abuti_overlap_find(&o);
    for (int i = 0; i < o.count; ++i) {
        const abuti_vertex *v = &o.vertices[i];
        bool inside = (face_is_a ? v->name_a : v->name_b) == face->name;
        bool end = (face_is_a ? v->name_b : v->name_a) != line->name;
        int edge = edge_named(face, face_is_a ? v->name_a : v->name_b);
        if (inside && end) {
            add_along(p, &o, v, 1, out);
        } else if (deep || face->disc) {
            if (along) add_along(p, &o, v, lean, out);
        } else if (edge >= 0) {
            double on_line[3], on_edge[3];
            abuti_nearest_on_segments(line->points[0], line->points[1], face->points[edge],
                                      face->points[(edge + 1) % face->count], on_line, on_edge);
            add_points(p, face_is_a ? on_edge : on_line, face_is_a ? on_line : on_edge, v->name_a, v->name_b,
                       out);
        }
    }
}

/* A point over a face that gives the direction. */
static void point_over_face(const abuti_contact_pair *p, double tolerance, abuti_touches *out)
{
    abuti_overlap o;
    abuti_overlap_begin(&o, &p->fa, &p->fb, p->axis->normal, p->tangent, tolerance, true);
    abuti_overlap_find(&o);
    for (int i = 0; i < o.count; ++i) add_along(p, &o, &o.vertices[i], 1, out);
}

/* Two segments that are nearly parallel: each end of their common part. */
static void segment_beside_segment(const abuti_contact_pair *p, double tolerance, abuti_touches *out)
{
    abuti_overlap o;
    /* The line on a cylinder's side is no edge: beside it the surface falls away, so that it must be parallel. */
    bool lean = p->a->kind == ABUTI_POLYTOPE && p->b->kind == ABUTI_POLYTOPE;
    abuti_overlap_begin(&o, &p->fa, &p->fb, p->axis->normal, p->tangent, tolerance, lean);
    abuti_overlap_find(&o);
    for (int i = 0; i < o.count; ++i) {
        const abuti_vertex *v = &o.vertices[i];
        bool end_of_a = v->name_b == p->fb.name;
        double a[3], b[3];
        if (end_of_a) {
            abuti_v3_copy(a, p->fa.points[v->name_a == p->fa.vertices[0] ? 0 : 1]);
            abuti_nearest_on_line(p->fb.points[0], p->fb.points[1], a, b);
        } else {
            abuti_v3_copy(b, p->fb.points[v->name_b == p->fb.vertices[0] ? 0 : 1]);
            abuti_nearest_on_line(p->fa.points[0], p->fa.points[1], b, a);
        }
        if (!add_points(p, a, b, v->name_a, v->name_b, out)) add_along(p, &o, v, 1, out);
    }
}

/* A segment that is beside a face, not over it, may lie along one of its edges. */
static void segment_beside_face(const abuti_contact_pair *p, double tolerance, abuti_touches *out)
{
    abuti_contact_pair q = *p;
    bool face_is_a = p->fa.count > 2;
    const abuti_core *core = face_is_a ? p->a : p->b;
    abuti_feature *edge = face_is_a ? &q.fa : &q.fb;
    abuti_lean lean = {-1, -1, -1, 2, BESIDE};
    double d[3];
    if (core->kind != ABUTI_POLYTOPE) return;
    if (face_is_a) {
        abuti_v3_scale(d, -1, p->axis->normal);
    } else {
        abuti_m3_apply_transposed(d, p->rel->R, p->axis->normal);
    }
    abuti_core_feature(core, d, &lean, edge);
    if (edge->count != 2) return;
    for (int i = 0; !face_is_a && i < 2; ++i) abuti_to_a(edge->points[i], p->rel, edge->points[i]);
    segment_beside_segment(&q, tolerance, out);
}

void abuti_manifold_rounded(const abuti_contact_pair *p, double tolerance, abuti_touches *out)
{
    if (p->fa.count == 2 && p->fb.count == 2) {
        segment_beside_segment(p, tolerance, out);
    } else if ((p->fa.count == 2 && p->fb.count > 2) || (p->fb.count == 2 && p->fa.count > 2)) {
        segment_over_face(p, tolerance, out);
        if (out->count == 0 && p->axis->kind == ABUTI_AXIS_POINTS) segment_beside_face(p, tolerance, out);
    } else if (p->axis->kind == ABUTI_AXIS_FACE_A || p->axis->kind == ABUTI_AXIS_FACE_B) {
        point_over_face(p, tolerance, out);
    }
    double least = p->axis->gap - p->radius, same = SAME_GAP * fmin(p->a->size, p->b->size);
    for (int i = 0; i < out->count; ++i) {
        if (fabs(out->at[i].gap - least) <= same) return;
    }
    abuti_touch_single(p, out);
}
