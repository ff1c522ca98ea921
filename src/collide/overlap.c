/* Overlaps of polygons, segments and points by clipping (overlap.h).
 *
 * A vertex that lies within the tolerance of a side is on it: it is kept, and no crossing is made beside it. So faces
 * that fit exactly, parallel edges and corners on edges give the same vertices whatever way rounding goes. */
#include "collide/overlap.h"

/* Sharp edges must be so parallel to touch along a line; surfaces that are round about their lines may lean. */
#define PARALLEL_SHARP 1e-6
#define PARALLEL_ROUND 2e-2
/* Sharp segments that are further beside each other than this part of their lengths have no part in common. */
#define ASIDE 1e-4

enum { ROOM = 2 * ABUTI_POLYGON_MAX + 4 };

void abuti_overlap_begin(abuti_overlap *o, const abuti_feature *a, const abuti_feature *b,
                         const double normal[3], const double tangent[3], double tolerance, bool rounded)
{
    o->a = a;
    o->b = b;
    o->tolerance = tolerance;
    o->rounded = rounded;
    o->count = 0;
    abuti_v3_copy(o->axes[2], normal);
    abuti_v3_add_scaled(o->axes[0], tangent, -abuti_v3_dot(tangent, normal), normal);
    abuti_v3_normalise(o->axes[0]);
    abuti_v3_cross(o->axes[1], normal, o->axes[0]);
}

void abuti_overlap_add(abuti_overlap *o, const double at[2], uint32_t name_a, uint32_t name_b)
{
    if (o->count >= ABUT_MANIFOLD_POINTS) return;
    abuti_vertex *v = &o->vertices[o->count++];
    v->at[0] = at[0];
    v->at[1] = at[1];
    v->name_a = name_a;
    v->name_b = name_b;
}

double abuti_overlap_height(const abuti_overlap *o, const abuti_feature *f, const double at[2])
{
    const double *n = o->axes[2], *p = f->points[0];
    double first[2];
    abuti_overlap_flat(o, p, first);
    double dx = at[0] - first[0], dy = at[1] - first[1], height = abuti_v3_dot(n, p);
    if (f->count == 2) {
        double end[2];
        abuti_overlap_flat(o, f->points[1], end);
        double ex = end[0] - first[0], ey = end[1] - first[1], square = ex * ex + ey * ey;
        double t = square > 0 ? (dx * ex + dy * ey) / square : 0;
        return height + t * (abuti_v3_dot(n, f->points[1]) - height);
    }
    if (f->count < 2) return height;
    double mu = abuti_v3_dot(f->normal, o->axes[0]), mv = abuti_v3_dot(f->normal, o->axes[1]);
    return height - (mu * dx + mv * dy) / abuti_v3_dot(f->normal, n);
}

/* The signed distance of a place from side i of a polygon, positive outside; a polygon that looks along n is
 * counterclockwise, one that looks against it clockwise. */
static double beyond(const abuti_overlap *o, const abuti_feature *f, int i, const double at[2])
{
    double p[2], q[2];
    abuti_overlap_flat(o, f->points[i], p);
    abuti_overlap_flat(o, f->points[(i + 1) % f->count], q);
    double ex = q[0] - p[0], ey = q[1] - p[1], length = sqrt(ex * ex + ey * ey);
    double outside = (at[0] - p[0]) * ey - (at[1] - p[1]) * ex;
    if (abuti_v3_dot(f->normal, o->axes[2]) < 0) outside = -outside;
    return length > 0 ? outside / length : 0;
}

bool abuti_overlap_inside(const abuti_overlap *o, const abuti_feature *f, const double at[2], double slack)
{
    for (int i = 0; i < f->count; ++i) {
        if (!(beyond(o, f, i, at) <= slack)) return false;
    }
    return true;
}

/* A vertex of the polygon that is being clipped, and where the edge that leaves it comes from. */
typedef struct corner {
    double at[2];
    uint32_t name_a, name_b;
    int edge_a, side_b; /* the edge of A, or -1 and the side of B */
} corner;

/* The name of the corner of B between two sides that follow each other. */
static uint32_t between(const abuti_feature *b, int i, int j)
{
    return b->vertices[(i + 1) % b->count == j ? j : i];
}

static corner crossing(const abuti_overlap *o, const corner *p, const corner *q, double dp, double dq,
                       int side)
{
    double t = dp / (dp - dq);
    corner c = *p;
    c.at[0] = p->at[0] + t * (q->at[0] - p->at[0]);
    c.at[1] = p->at[1] + t * (q->at[1] - p->at[1]);
    if (p->edge_a >= 0) {
        c.name_a = o->a->edges[p->edge_a];
        c.name_b = o->b->edges[side];
    } else {
        c.name_a = o->a->name;
        c.name_b = between(o->b, p->side_b, side);
    }
    return c;
}

/* What of a polygon is not beyond one side of B. */
static int clip(const abuti_overlap *o, int side, const corner *in, int count, corner *out)
{
    int kept = 0;
    double tolerance = o->tolerance;
    for (int i = 0; i < count && kept + 2 < ROOM; ++i) {
        const corner *p = &in[i], *q = &in[(i + 1) % count];
        double dp = beyond(o, o->b, side, p->at), dq = beyond(o, o->b, side, q->at);
        bool leaves = dp <= tolerance && dq > tolerance;
        if (dp <= tolerance) {
            out[kept] = *p;
            if (leaves && dp >= -tolerance) { /* from here on along the side */
                out[kept].edge_a = -1;
                out[kept].side_b = side;
            }
            kept++;
        }
        if (leaves && dp < -tolerance) {
            out[kept] = crossing(o, p, q, dp, dq, side);
            out[kept].edge_a = -1;
            out[kept++].side_b = side;
        } else if (dp > tolerance && dq < -tolerance) {
            out[kept++] = crossing(o, p, q, dp, dq, side);
        }
    }
    return kept;
}

static void polygon_polygon(abuti_overlap *o)
{
    corner one[ROOM], two[ROOM], *in = one, *out = two;
    int count = o->a->count;
    for (int i = 0; i < count; ++i) {
        abuti_overlap_flat(o, o->a->points[i], in[i].at);
        in[i].name_a = o->a->vertices[i];
        in[i].name_b = o->b->name;
        in[i].edge_a = i;
        in[i].side_b = -1;
    }
    for (int side = 0; side < o->b->count && count > 0; ++side) {
        count = clip(o, side, in, count, out);
        corner *swap = in;
        in = out;
        out = swap;
    }
    for (int i = 0; i < count; ++i) abuti_overlap_add(o, in[i].at, in[i].name_a, in[i].name_b);
}

/* Names the pair in the order A, B. */
static void add_ordered(abuti_overlap *o, bool segment_is_a, const double at[2], uint32_t segment,
                        uint32_t other)
{
    if (segment_is_a) {
        abuti_overlap_add(o, at, segment, other);
    } else {
        abuti_overlap_add(o, at, other, segment);
    }
}

static void polygon_segment(abuti_overlap *o)
{
    bool segment_is_a = o->a->count == 2;
    const abuti_feature *s = segment_is_a ? o->a : o->b, *f = segment_is_a ? o->b : o->a;
    double p[2], q[2], t[2] = {0, 1};
    int side[2] = {-1, -1};
    abuti_overlap_flat(o, s->points[0], p);
    abuti_overlap_flat(o, s->points[1], q);
    double length = sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]));
    /* Through a corner of the polygon the first of its two sides cuts. */
    double slack = length > 0 ? o->tolerance / length : 0;
    for (int i = 0; i < f->count; ++i) {
        double dp = beyond(o, f, i, p), dq = beyond(o, f, i, q);
        if (dp > o->tolerance && dq > o->tolerance) return;
        if (dp > o->tolerance && dp / (dp - dq) > t[0] + (side[0] < 0 ? 0 : slack)) {
            t[0] = dp / (dp - dq);
            side[0] = i;
        } else if (dq > o->tolerance && dp / (dp - dq) < t[1] - (side[1] < 0 ? 0 : slack)) {
            t[1] = dp / (dp - dq);
            side[1] = i;
        }
    }
    if ((t[1] - t[0]) * length < -o->tolerance) return;
    for (int end = 0; end < 2; ++end) {
        double at[2] = {p[0] + t[end] * (q[0] - p[0]), p[1] + t[end] * (q[1] - p[1])};
        bool cut = side[end] >= 0;
        add_ordered(o, segment_is_a, at, cut ? s->name : s->vertices[end],
                    cut ? f->edges[side[end]] : f->name);
        if (!((t[1] - t[0]) * length > o->tolerance)) return;
    }
}

/* Where one segment ends along the other, as an end of the common part. */
typedef struct limit {
    double along;
    uint32_t name_a, name_b;
} limit;

/* Parallel segments overlap in two points; crossing ones in none that is found here. */
static void segment_segment(abuti_overlap *o)
{
    double p[2], q[2], r[2], s[2];
    abuti_overlap_flat(o, o->a->points[0], p);
    abuti_overlap_flat(o, o->a->points[1], q);
    abuti_overlap_flat(o, o->b->points[0], r);
    abuti_overlap_flat(o, o->b->points[1], s);
    double ex = q[0] - p[0], ey = q[1] - p[1], fx = s[0] - r[0], fy = s[1] - r[1];
    double e = sqrt(ex * ex + ey * ey), f = sqrt(fx * fx + fy * fy);
    if (!(e > 0 && f > 0)) return;
    if (fabs(ex * fy - ey * fx) > (o->rounded ? PARALLEL_ROUND : PARALLEL_SHARP) * e * f) return;
    ex /= e;
    ey /= e;
    /* Along a direction that is not the nearest way, parallel segments may be beside each other. */
    double aside = (r[0] - p[0]) * ey - (r[1] - p[1]) * ex;
    if (!o->rounded && fabs(aside) > ASIDE * (e + f)) return;
    double b0 = (r[0] - p[0]) * ex + (r[1] - p[1]) * ey, b1 = (s[0] - p[0]) * ex + (s[1] - p[1]) * ey;
    int first = b0 <= b1 ? 0 : 1;
    limit low = {0, o->a->vertices[0], o->b->name}, high = {e, o->a->vertices[1], o->b->name};
    if (fmin(b0, b1) > o->tolerance) low = (limit){fmin(b0, b1), o->a->name, o->b->vertices[first]};
    if (fmax(b0, b1) < e - o->tolerance) high = (limit){fmax(b0, b1), o->a->name, o->b->vertices[1 - first]};
    if (high.along - low.along < -o->tolerance) return;
    double at[2] = {p[0] + low.along * ex, p[1] + low.along * ey};
    abuti_overlap_add(o, at, low.name_a, low.name_b);
    if (!(high.along - low.along > o->tolerance)) return;
    at[0] = p[0] + high.along * ex;
    at[1] = p[1] + high.along * ey;
    abuti_overlap_add(o, at, high.name_a, high.name_b);
}

static void point_other(abuti_overlap *o)
{
    bool point_is_a = o->a->count == 1;
    const abuti_feature *p = point_is_a ? o->a : o->b, *f = point_is_a ? o->b : o->a;
    double at[2];
    abuti_overlap_flat(o, p->points[0], at);
    if (f->count < 3) return;
    if (!f->disc && !abuti_overlap_inside(o, f, at, o->tolerance)) return;
    add_ordered(o, point_is_a, at, p->name, f->name);
}

void abuti_overlap_find(abuti_overlap *o)
{
    o->count = 0;
    if (o->a->count == 1 || o->b->count == 1) {
        point_other(o);
    } else if (o->a->disc || o->b->disc) {
        abuti_overlap_disc(o);
    } else if (o->a->count == 2 && o->b->count == 2) {
        segment_segment(o);
    } else if (o->a->count == 2 || o->b->count == 2) {
        polygon_segment(o);
    } else {
        polygon_polygon(o);
    }
}
