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

enum { NEWTON = 30, LINES = 12, ROUNDS = 4 };

/* Edges that lean by less than this sine, and faces by less than this cosine, are candidates. */
#define LINE_SINE 0.3
#define FACE_COSINE 0.9
/* Candidates with fewer freedoms come first; others must be better by this part of the sizes. */
#define BETTER 1e-12
/* A face before which the cores overlap by less than this part of the sizes is where they met. */
#define SHALLOW 1e-4
/* Lines whose cross product is shorter are parallel. */
#define PARALLEL 1e-7

typedef struct search {
    const abuti_core *a, *b;
    const abuti_relative *rel;
    double better;
    abuti_axis best;
    int lines_a, lines_b;
    double line_a[LINES][3], line_b[LINES][3]; /* unit vectors in A's frame */
} search;

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
static void derivatives(const search *s, const double n[3], double w[3], double H[9])
{
    double into[3], turned[3], a[3], b[3], Ha[9], Hb[9], RH[9], back[9];
    const double *R = s->rel->R;
    abuti_v3_scale(into, -1, n);
    support_derivative(s->a, into, a, Ha);
    abuti_m3_apply_transposed(turned, R, n);
    support_derivative(s->b, turned, b, Hb);
    abuti_to_a(b, s->rel, b);
    abuti_v3_sub(w, a, b);
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
static void newton_free(const search *s, double n[3])
{
    for (int i = 0; i < NEWTON; ++i) {
        double w[3], H[9], u[3], v[3];
        derivatives(s, n, w, H);
        across(n, u, v);
        double gap = abuti_v3_dot(n, w), p = quadratic(H, u, u) + gap, q = quadratic(H, u, v),
               r = quadratic(H, v, v) + gap, det = p * r - q * q;
        double x = abuti_v3_dot(u, w), y = abuti_v3_dot(v, w);
        if (!(p > 0 && det > 1e-14 * (p * p + r * r))) return;
        if (!step_along(n, u, (r * x - q * y) / det, v, (p * y - q * x) / det)) return;
    }
}

/* The same on the circle across a line. */
static void newton_across(const search *s, const double line[3], double n[3])
{
    static const double none[3];
    abuti_v3_add_scaled(n, n, -abuti_v3_dot(n, line), line);
    if (!(abuti_v3_normalise(n) > 0)) return;
    for (int i = 0; i < NEWTON; ++i) {
        double w[3], H[9], t[3];
        derivatives(s, n, w, H);
        abuti_v3_cross(t, n, line);
        double curvature = quadratic(H, t, t) + abuti_v3_dot(n, w);
        if (!(curvature > 0)) return;
        bool on = step_along(n, t, abuti_v3_dot(t, w) / curvature, none, 0);
        abuti_v3_add_scaled(n, n, -abuti_v3_dot(n, line), line);
        abuti_v3_normalise(n);
        if (!on) return;
    }
}

static void judge(search *s, abuti_axis_kind kind, int fa, int fb, const double n[3])
{
    double gap = abuti_gap_along(s->a, s->b, s->rel, n);
    if (s->best.kind != ABUTI_AXIS_NONE && !(gap > s->best.gap + s->better)) return;
    s->best.kind = kind;
    s->best.feature_a = fa;
    s->best.feature_b = fb;
    s->best.gap = gap;
    abuti_v3_copy(s->best.normal, n);
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
        judge(s, of_a ? ABUTI_AXIS_FACE_A : ABUTI_AXIS_FACE_B, of_a ? f : -1, of_a ? -1 : f, n);
    }
}

/* Edges at the farthest corner, or a cylinder's axis, that are about across d; in A's frame. */
static int find_lines(const abuti_core *core, const double d[3], double lines[LINES][3])
{
    int count = 0;
    double point[3];
    if (core->kind == ABUTI_CYLINDER && fabs(d[2]) < LINE_SINE) abuti_v3_set(lines[count++], 0, 0, 1);
    if (core->kind != ABUTI_POLYTOPE) return count;
    int vertex = abuti_core_support(core, d, point);
    for (int i = 0; i < core->edge_count && count < LINES; ++i) {
        const int32_t *v = core->edges[i].v;
        if (v[0] != vertex && v[1] != vertex) continue;
        abuti_v3_sub(lines[count], core->vertices[v[1]], core->vertices[v[0]]);
        abuti_v3_normalise(lines[count]);
        if (fabs(abuti_v3_dot(lines[count], d)) < LINE_SINE) count++;
    }
    return count;
}

/* All candidates near a direction. */
static void judge_near(search *s, const double guess[3])
{
    double into[3], turned[3], n[3];
    abuti_v3_scale(into, -1, guess);
    abuti_m3_apply_transposed(turned, s->rel->R, guess);
    judge_faces(s, true, into, FACE_COSINE);
    judge_faces(s, false, guess, FACE_COSINE);
    s->lines_a = find_lines(s->a, into, s->line_a);
    s->lines_b = find_lines(s->b, turned, s->line_b);
    for (int j = 0; j < s->lines_b; ++j) abuti_m3_apply(s->line_b[j], s->rel->R, s->line_b[j]);
    for (int i = 0; i < s->lines_a; ++i) {
        for (int j = 0; j < s->lines_b; ++j) {
            abuti_v3_cross(n, s->line_a[i], s->line_b[j]);
            if (!(abuti_v3_normalise(n) > PARALLEL)) continue;
            if (abuti_v3_dot(n, guess) < 0) abuti_v3_scale(n, -1, n);
            judge(s, ABUTI_AXIS_POINTS, -1, -1, n);
        }
    }
    for (int i = 0; i < s->lines_a + s->lines_b; ++i) {
        abuti_v3_copy(n, guess);
        newton_across(s, i < s->lines_a ? s->line_a[i] : s->line_b[i - s->lines_a], n);
        judge(s, ABUTI_AXIS_POINTS, -1, -1, n);
    }
    abuti_v3_copy(n, guess);
    newton_free(s, n);
    judge(s, ABUTI_AXIS_POINTS, -1, -1, n);
    judge(s, ABUTI_AXIS_POINTS, -1, -1, guess);
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

/* The axes of the cores, and the line between their centres: where much is parallel, centred or square, the best direction
 * is often one of these. */
static void judge_axes(search *s)
{
    const double *R = s->rel->R;
    double n[3];
    for (int k = 0; k < 7; ++k) {
        if (k < 3) abuti_v3_set(n, k == 0, k == 1, k == 2);
        if (k >= 3 && k < 6) abuti_v3_set(n, R[k - 3], R[k], R[k + 3]);
        if (k == 6) abuti_v3_copy(n, s->rel->t);
        if (!(abuti_v3_normalise(n) > 0)) continue;
        judge(s, ABUTI_AXIS_POINTS, -1, -1, n);
        abuti_v3_scale(n, -1, n);
        judge(s, ABUTI_AXIS_POINTS, -1, -1, n);
    }
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

/* Cores that overlap: from the best face where that is nearly enough, else from everywhere that may be best. */
static void search_inside(search *s)
{
    static const double any[3];
    double guess[3];
    judge_faces(s, true, any, -1);
    judge_faces(s, false, any, -1);
    if (!(s->best.kind != ABUTI_AXIS_NONE && s->best.gap >= -SHALLOW * fmin(s->a->size, s->b->size))) {
        abuti_epa_run(s->a, s->b, s->rel, guess);
        improve(s, guess);
        abuti_v3_scale(guess, -1, s->rel->t);
        if (abuti_v3_normalise(guess) > 0) improve(s, guess);
        judge_axes(s);
    }
    abuti_v3_copy(guess, s->best.normal);
    improve(s, guess);
}

void abuti_axis_of_round(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                         abuti_axis *axis)
{
    search s = {
        .a = a, .b = b, .rel = rel, .better = BETTER * fmin(a->size, b->size), .best.kind = ABUTI_AXIS_NONE};
    abuti_gjk g;
    abuti_gjk_run(a, b, rel, &g);
    if (g.touching) {
        search_inside(&s);
    } else {
        improve(&s, g.normal);
    }
    if (s.best.kind == ABUTI_AXIS_POINTS) find_points(&s);
    *axis = s.best;
}
