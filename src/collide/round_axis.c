/* The direction of the signed distance where a cylinder or an ellipsoid takes part (axis.h).
 *
 * GJK, or the expanding polytope where cores overlap, says about where. There the direction is made exact: it maximises
 * the gap along n, which is smooth except where a face, an edge or the line on a cylinder's side comes to lie across n.
 * So it is one of
 *
 *     the normal of a face or cap,      the cross product of two edges or lines,
 *     a direction across one edge or line, found by Newton's method in one unknown,
 *     a free direction, found by Newton's method in two,
 *
 * and the best of those near the first guess is taken. Every candidate is judged by the supports themselves, so that a
 * Newton step that went astray costs accuracy but never gives a wrong gap. */
#include "collide/axis.h"
#include "collide/epa.h"
#include "collide/gjk.h"
#include "collide/manifold.h"

enum { NEWTON = 30, LINES = ABUT_FACE_MAX + 8, ROUNDS = 6 };

/* Edges that lean by less than this sine, and faces by less than this cosine, are candidates. */
#define LINE_SINE 0.3
#define FACE_COSINE 0.9
/* Candidates that differ by less than this part of the sizes are equally good: those with fewer freedoms are taken. */
#define BETTER 1e-12
/* A direction along which the cores overlap by less than this part of the size is where they met. */
#define SHALLOW 1e-8
/* Cores that overlap by less than this part of the size have one best direction; deeper ones may have several. */
#define DEEP 2e-2
/* Lines whose cross product is shorter are parallel. */
#define PARALLEL 1e-7
/* Corners that lie lower than the farthest by less than this part of the size count as equally far. They are those of
 * an edge or a face across the direction, among which rounding would choose. */
#define AS_FAR 1e-6
/* Straight before a cap, Newton's method starts from a direction that leans by this much to where the other shape
 * is. */
#define TILT 1e-3
/* Centres that are nearer than this part of the sizes are one point. */
#define CENTRED 1e-9
/* Where the gap is curved this much less along one direction than along the other, it is flat there, and there is a
 * whole circle of best directions, or none. */
#define STRAIGHT 1e-9

/* An edge, or the line on a cylinder's side: a unit vector in A's frame, and one of its points (none on a cylinder,
 * whose line goes round with the direction). */
typedef struct line {
    double along[3], point[3];
    bool fixed;
} line;

/* Where a candidate comes from, in the order from what is known exactly to what a search has left. Of equally good ones
 * the first is taken. Newton's method stops short where it ends at a crossing, a face or a line, since the gap has a
 * bend there. */
typedef enum origin { FROM_FACE, FROM_CROSSING, FROM_LINE, FROM_CORNER, FROM_GUESS } origin;

typedef struct search {
    const abuti_core *a, *b;
    const abuti_relative *rel;
    double better;
    abuti_axis best;
    origin from; /* the best */
    int lines_a, lines_b;
    line line_a[LINES], line_b[LINES];
} search;

/* Points of A and of B, in A's frame, that stand for the farthest ones while Newton's method runs; NULL for none. */
typedef struct pinned {
    const double *a, *b;
} pinned;

/* The support point of a core and the second derivative of its support function there, at a direction of its frame. */
static void support_derivative(const abuti_core *core, const double d[3], double point[3], double H[9])
{
    abuti_core_support(core, d, point);
    for (int k = 0; k < 9; ++k) H[k] = 0;
    if (core->kind == ABUTI_CYLINDER) {
        double square = d[0] * d[0] + d[1] * d[1];
        if (!(square > 0)) return;
        double scale = core->half[0] / (square * sqrt(square));
        H[0] = scale * d[1] * d[1];
        H[1] = H[3] = -scale * d[0] * d[1];
        H[4] = scale * d[0] * d[0];
    } else if (core->kind == ABUTI_ELLIPSOID) {
        double h = abuti_v3_dot(point, d);
        if (!(h > 0)) return;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)
                H[3 * i + j] = ((i == j ? core->half[i] * core->half[i] : 0) - point[i] * point[j]) / h;
        }
    }
}

/* Gradient w = a - b of the gap, and H with -H its second derivative, at a unit vector n from B to A. */
static void derivatives(const search *s, pinned pin, const double n[3], double w[3], double H[9])
{
    double into[3], turned[3], a[3], b[3], Ha[9], Hb[9], RH[9], back[9];
    const double *R = s->rel->R;
    abuti_v3_scale(into, -1, n);
    support_derivative(s->a, into, a, Ha);
    abuti_m3_apply_transposed(turned, R, n);
    support_derivative(s->b, turned, b, Hb);
    abuti_to_a(b, s->rel, b);
    abuti_v3_sub(w, pin.a ? pin.a : a, pin.b ? pin.b : b);
    const double transposed[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    abuti_m3_multiply(RH, R, Hb);
    abuti_m3_multiply(back, RH, transposed);
    for (int k = 0; k < 9; ++k) H[k] = Ha[k] + back[k];
}

static double quadratic(const double H[9], const double u[3], const double v[3])
{
    double Hv[3];
    abuti_m3_apply(Hv, H, v);
    return abuti_v3_dot(u, Hv);
}

static bool step_along(double n[3], const double u[3], double x, const double v[3], double y)
{
    double length = sqrt(x * x + y * y), limit = length > 0.3 ? 0.3 / length : 1;
    abuti_v3_add_scaled(n, n, limit * x, u);
    abuti_v3_add_scaled(n, n, limit * y, v);
    abuti_v3_normalise(n);
    return length > 1e-16;
}

static void across(const double n[3], double u[3], double v[3])
{
    double axis[3] = {0, 0, 0};
    axis[fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2] = 1;
    abuti_v3_cross(u, n, axis);
    abuti_v3_normalise(u);
    abuti_v3_cross(v, n, u);
}

/* Newton's method on the sphere: (H + gap I) step = w across n. */
static void newton_free(const search *s, pinned pin, double n[3])
{
    for (int i = 0; i < NEWTON; ++i) {
        double w[3], H[9], u[3], v[3];
        derivatives(s, pin, n, w, H);
        across(n, u, v);
        double gap = abuti_v3_dot(n, w), p = quadratic(H, u, u) + gap, q = quadratic(H, u, v),
               r = quadratic(H, v, v) + gap, det = p * r - q * q;
        double x = abuti_v3_dot(u, w), y = abuti_v3_dot(v, w);
        double trace = p + r;
        if (!(trace > 0)) return;
        if (det > STRAIGHT * trace * trace) {
            if (!step_along(n, u, (r * x - q * y) / det, v, (p * y - q * x) / det)) return;
        } else { /* on a circle of best directions, where the gap is flat along the circle, or bent the other way */
            double most = 0.5 * (trace + sqrt((p - r) * (p - r) + 4 * q * q)), least = trace - most;
            double a = ((p - least) * x + q * y) / (most - least),
                   b = (q * x + (r - least) * y) / (most - least),
                   slow = least < -STRAIGHT * most ? -1 / least : 0;
            if (!step_along(n, u, a / most + slow * (x - a), v, b / most + slow * (y - b))) return;
        }
    }
}

/* The same on the circle across a line. */
static void newton_across(const search *s, pinned pin, const double line[3], double n[3])
{
    static const double none[3];
    abuti_v3_add_scaled(n, n, -abuti_v3_dot(n, line), line);
    if (!(abuti_v3_normalise(n) > 0)) return;
    for (int i = 0; i < NEWTON; ++i) {
        double w[3], H[9], t[3];
        derivatives(s, pin, n, w, H);
        abuti_v3_cross(t, n, line);
        double curvature = quadratic(H, t, t) + abuti_v3_dot(n, w);
        if (!(curvature > 0)) return;
        bool on = step_along(n, t, abuti_v3_dot(t, w) / curvature, none, 0);
        abuti_v3_add_scaled(n, n, -abuti_v3_dot(n, line), line);
        abuti_v3_normalise(n);
        if (!on) return;
    }
}

static void judge_as(search *s, origin from, abuti_axis_kind kind, int fa, int fb, const double n[3])
{
    double gap = abuti_gap_along(s->a, s->b, s->rel, n);
    bool first = s->best.kind == ABUTI_AXIS_NONE, equal = fabs(gap - s->best.gap) <= s->better,
         before = from < s->from ||
                  (from == s->from && from != FROM_FACE && abuti_direction_before(n, s->best.normal));
    if (!first && !(equal ? before : gap > s->best.gap)) return;
    s->from = from;
    s->best.kind = kind;
    s->best.feature_a = fa;
    s->best.feature_b = fb;
    s->best.gap = gap;
    abuti_v3_copy(s->best.normal, n);
}

static void judge(search *s, origin from, const double n[3])
{
    judge_as(s, from, ABUTI_AXIS_POINTS, -1, -1, n);
}

/* Faces and caps of one core that look about along d (in A's frame), as far as the cosine says. */
static void judge_faces(search *s, bool of_a, const double d[3], double cosine)
{
    const abuti_core *core = of_a ? s->a : s->b;
    int count = core->kind == ABUTI_CYLINDER ? 2 : core->face_count;
    for (int f = 0; f < count; ++f) {
        double n[3] = {0, 0, f == 0 ? 1 : -1};
        if (core->kind == ABUTI_POLYTOPE) abuti_v3_copy(n, core->normals[f]);
        if (!of_a) abuti_m3_apply(n, s->rel->R, n);
        if (abuti_v3_dot(n, d) < cosine) continue;
        if (of_a) abuti_v3_scale(n, -1, n);
        judge_as(s, FROM_FACE, of_a ? ABUTI_AXIS_FACE_A : ABUTI_AXIS_FACE_B, of_a ? f : -1, of_a ? -1 : f, n);
    }
}

/* The height from which on corners of a polytope count as equally far as the farthest. */
static double far_enough(const abuti_core *core, const double d[3])
{
    double point[3];
    abuti_core_support(core, d, point);
    return abuti_v3_dot(point, d) - AS_FAR * core->size;
}

/* Edges at the farthest corners, or a cylinder's axis, that are about across d; in the frame of the core. */
static int find_lines(const abuti_core *core, const double d[3], line lines[LINES])
{
    int count = 0;
    if (core->kind == ABUTI_CYLINDER && fabs(d[2]) < LINE_SINE) {
        lines[count].fixed = false;
        abuti_v3_set(lines[count++].along, 0, 0, 1);
    }
    if (core->kind != ABUTI_POLYTOPE) return count;
    double far = far_enough(core, d);
    for (int i = 0; i < core->edge_count && count < LINES; ++i) {
        const double *p = core->vertices[core->edges[i].v[0]], *q = core->vertices[core->edges[i].v[1]];
        if (fmax(abuti_v3_dot(p, d), abuti_v3_dot(q, d)) < far) continue;
        line *l = &lines[count];
        l->fixed = true;
        abuti_v3_copy(l->point, p);
        abuti_v3_sub(l->along, q, p);
        abuti_v3_normalise(l->along);
        if (fabs(abuti_v3_dot(l->along, d)) < LINE_SINE) count++;
    }
    return count;
}

static void find_lines_of_both(search *s, const double into[3], const double turned[3])
{
    s->lines_a = find_lines(s->a, into, s->line_a);
    s->lines_b = find_lines(s->b, turned, s->line_b);
    for (int j = 0; j < s->lines_b; ++j) {
        line *l = &s->line_b[j];
        abuti_m3_apply(l->along, s->rel->R, l->along);
        if (l->fixed) abuti_to_a(l->point, s->rel, l->point);
    }
}

/* Two lines that cross, and each line with whatever the other shape has before it. */
static void judge_lines(search *s, const double guess[3])
{
    double n[3];
    for (int i = 0; i < s->lines_a; ++i) {
        for (int j = 0; j < s->lines_b; ++j) {
            abuti_v3_cross(n, s->line_a[i].along, s->line_b[j].along);
            if (!(abuti_v3_normalise(n) > PARALLEL)) continue;
            if (abuti_v3_dot(n, guess) < 0) abuti_v3_scale(n, -1, n);
            judge(s, FROM_CROSSING, n);
        }
    }
    for (int i = 0; i < s->lines_a + s->lines_b; ++i) {
        bool of_a = i < s->lines_a;
        const line *l = of_a ? &s->line_a[i] : &s->line_b[i - s->lines_a];
        const double *point = l->fixed ? l->point : NULL;
        abuti_v3_copy(n, guess);
        newton_across(s, (pinned){of_a ? point : NULL, of_a ? NULL : point}, l->along, n);
        judge(s, FROM_LINE, n);
    }
}

/* Judges each corner of a polytope that is as far as the farthest, with what is round on the other shape. The corners
 * of a whole face are left to its edges, which lead to them. */
static void judge_corners(search *s, bool of_a, const double d[3], const double guess[3])
{
    const abuti_core *core = of_a ? s->a : s->b;
    int corners[2], count = 0;
    if (core->kind != ABUTI_POLYTOPE) return;
    double far = far_enough(core, d);
    for (int i = 0; i < core->vertex_count; ++i) {
        if (abuti_v3_dot(core->vertices[i], d) < far) continue;
        if (count == 2) return;
        corners[count++] = i;
    }
    for (int i = 0; i < count; ++i) {
        double n[3], point[3];
        abuti_v3_copy(point, core->vertices[corners[i]]);
        if (!of_a) abuti_to_a(point, s->rel, point);
        abuti_v3_copy(n, guess);
        newton_free(s, (pinned){of_a ? point : NULL, of_a ? NULL : point}, n);
        judge(s, FROM_CORNER, n);
    }
}

/* Leans a direction that is straight before a cap to where the other shape's farthest point is. All points of the rim
 * are equally far there, and nothing but rounding would choose the farthest. */
static void lean_from_caps(const search *s, double n[3])
{
    double d[3], other[3], radial[3];
    for (int of_a = 0; of_a < 2; ++of_a) {
        const abuti_core *core = of_a ? s->a : s->b;
        if (core->kind != ABUTI_CYLINDER) continue;
        if (of_a) {
            abuti_v3_scale(d, -1, n);
        } else {
            abuti_m3_apply_transposed(d, s->rel->R, n);
        }
        if (d[0] * d[0] + d[1] * d[1] > TILT * TILT) continue;
        if (of_a) {
            abuti_m3_apply_transposed(radial, s->rel->R, n);
            abuti_core_support(s->b, radial, other);
            abuti_to_a(other, s->rel, other);
        } else {
            abuti_v3_scale(radial, -1, n);
            abuti_core_support(s->a, radial, other);
            abuti_v3_sub(other, other, s->rel->t);
            abuti_m3_apply_transposed(other, s->rel->R, other);
        }
        abuti_v3_set(radial, other[0], other[1], 0);
        if (!(abuti_v3_normalise(radial) > TILT * core->size)) continue;
        if (!of_a) abuti_m3_apply(radial, s->rel->R, radial);
        abuti_v3_add_scaled(n, n, of_a ? -TILT : TILT, radial);
        abuti_v3_normalise(n);
    }
}

/* All candidates near a direction. */
static void judge_near(search *s, const double guess[3])
{
    double into[3], turned[3], n[3];
    abuti_v3_scale(into, -1, guess);
    abuti_m3_apply_transposed(turned, s->rel->R, guess);
    judge_faces(s, true, into, FACE_COSINE);
    judge_faces(s, false, guess, FACE_COSINE);
    find_lines_of_both(s, into, turned);
    judge_lines(s, guess);
    abuti_v3_copy(n, guess);
    lean_from_caps(s, n);
    judge_corners(s, true, into, n);
    judge_corners(s, false, turned, n);
    if (s->a->kind != ABUTI_POLYTOPE && s->b->kind != ABUTI_POLYTOPE) {
        newton_free(s, (pinned){NULL, NULL}, n);
        judge(s, FROM_CORNER, n);
    }
    judge(s, FROM_GUESS, guess);
}

/* The nearest points of what is straight before the direction. */
static void find_points(search *s)
{
    abuti_axis *axis = &s->best;
    abuti_lean lean = {-1, -1, -1, 2, 1e-9};
    abuti_feature fa, fb;
    double into[3], turned[3];
    abuti_v3_scale(into, -1, axis->normal);
    abuti_m3_apply_transposed(turned, s->rel->R, axis->normal);
    abuti_core_feature(s->a, into, &lean, &fa);
    abuti_core_feature(s->b, turned, &lean, &fb);
    for (int i = 0; i < fb.count; ++i) abuti_to_a(fb.points[i], s->rel, fb.points[i]);
    if (fa.count == 2 && fb.count == 2) {
        abuti_nearest_on_segments(fa.points[0], fa.points[1], fb.points[0], fb.points[1], axis->a, axis->b);
        return;
    }
    abuti_v3_copy(axis->a, fa.points[0]);
    abuti_v3_copy(axis->b, fb.points[0]);
    if (fa.count == 2) abuti_nearest_on_line(fa.points[0], fa.points[1], axis->b, axis->a);
    if (fb.count == 2) abuti_nearest_on_line(fb.points[0], fb.points[1], axis->a, axis->b);
}

/* The best near a guess, and again near that, until it stays. */
static void improve(search *s, const double guess[3])
{
    double n[3];
    abuti_v3_copy(n, guess);
    for (int round = 0; round < ROUNDS; ++round) {
        double before = s->best.gap;
        bool first = s->best.kind == ABUTI_AXIS_NONE;
        judge_near(s, n);
        if (!first && !(s->best.gap > before + s->better)) return;
        abuti_v3_copy(n, s->best.normal);
    }
}

/* Improves from the line between the centres and from the axes of the cores. Where much is parallel, centred or square,
 * the best direction is one of these or near to one, and of several that are equally good the first is taken. */
static void improve_axes(search *s)
{
    const double *R = s->rel->R, size = s->a->size + s->b->size;
    for (int k = 0; k < 14; ++k) {
        int axis = k / 2;
        double n[3], length;
        abuti_v3_copy(n, s->rel->t);
        if (axis >= 1 && axis < 4) abuti_v3_set(n, axis == 1, axis == 2, axis == 3);
        if (axis >= 4) abuti_v3_set(n, R[axis - 4], R[axis - 1], R[axis + 2]);
        length = abuti_v3_normalise(n);
        if (!(length > (axis == 0 ? CENTRED * size : 0))) continue;
        if (k % 2 == 0) abuti_v3_scale(n, -1, n);
        improve(s, n);
    }
}

/* Whether the cores overlap by less than this part of the size along the best direction so far. */
static bool overlaps_less(const search *s, double part)
{
    return s->best.kind != ABUTI_AXIS_NONE && s->best.gap >= -part * fmin(s->a->size, s->b->size);
}

/* Cores that overlap. The search begins with the best face and, where that is nearly enough, the line between the
 * centres; it goes on with what the expanding polytope finds, and, where the cores are deep in each other, with all
 * directions that may be best, in a fixed order. */
static void search_inside(search *s)
{
    static const double any[3];
    double guess[3];
    judge_faces(s, true, any, -1);
    judge_faces(s, false, any, -1);
    if (s->best.kind != ABUTI_AXIS_NONE) {
        abuti_v3_copy(guess, s->best.normal);
        improve(s, guess);
    }
    if (overlaps_less(s, SHALLOW)) return;
    abuti_v3_scale(guess, -1, s->rel->t);
    if (abuti_v3_normalise(guess) > CENTRED * (s->a->size + s->b->size)) improve(s, guess);
    if (overlaps_less(s, SHALLOW)) return;
    abuti_axis before = s->best;
    abuti_epa_run(s->a, s->b, s->rel, guess);
    improve(s, guess);
    if (overlaps_less(s, DEEP)) return;
    s->best = before;
    improve_axes(s);
    improve(s, guess);
    if (s->best.kind == ABUTI_AXIS_POINTS) abuti_axis_among_equals(s->a, s->b, s->rel, s->better, &s->best);
}

void abuti_axis_of_round(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double reach,
                         abuti_axis *axis)
{
    abuti_gjk g;
    abuti_gjk_run(a, b, rel, &g);
    double parted = g.touching ? 0 : abuti_gap_along(a, b, rel, g.normal);
    if (parted > reach) {
        *axis = (abuti_axis){.kind = ABUTI_AXIS_POINTS, .feature_a = -1, .feature_b = -1, .gap = parted};
        abuti_v3_copy(axis->normal, g.normal);
        return;
    }
    search s = {
        .a = a, .b = b, .rel = rel, .better = BETTER * fmin(a->size, b->size), .best.kind = ABUTI_AXIS_NONE};
    if (g.touching) {
        search_inside(&s);
    } else {
        improve(&s, g.normal);
    }
    if (s.best.kind == ABUTI_AXIS_POINTS) find_points(&s);
    *axis = s.best;
}
