/* How far a convex thing is from a triangle, by Wolfe's method for the point of least norm, over differences of support points.
 * Two points prove that the distance is no larger, a direction that it is no smaller; the two meet to rounding, at bends too. */
#ifndef ABUT_TEST_COLLIDE_NEAREST_H
#define ABUT_TEST_COLLIDE_NEAREST_H

#include "collide_oracle.h"
#include "collide_search.h"

typedef struct triangle {
    double corners[3][3], normal[3];
} triangle;

/* A polytope of at most four differences, the weights of its point of least norm, and this point. */
typedef struct corral {
    int count;
    double points[5][3], weights[5], least[3];
} corral;

typedef struct nearest {
    double most; /* m: two points are so near; <= 0: the two have a point in common */
    double
        gap; /* m: along `direction` the two are parted by so much; < 0: no direction was found that parts them */
    double direction[3]; /* from the triangle to the thing */
} nearest;

/* The farthest point of a posed shape in a direction. */
static inline void support_point(const abut_shape *s, const abut_pose *pose, const double n[3], double out[3])
{
    double back[4], d[3], p[3] = {0, 0, 0};
    abuti_quat_conjugate(back, pose->rotation);
    abuti_quat_apply(d, back, n);
    double across = sqrt(d[0] * d[0] + d[1] * d[1]), length = abuti_v3_length(d);
    if (s->kind == ABUT_SPHERE || s->kind == ABUT_CAPSULE) abuti_v3_scale(p, s->radius / length, d);
    if (s->kind == ABUT_CYLINDER && across > 0)
        abuti_v3_set(p, s->radius * d[0] / across, s->radius * d[1] / across, 0);
    if (s->kind == ABUT_CAPSULE || s->kind == ABUT_CYLINDER) p[2] += copysign(s->half_length, d[2]);
    for (int k = 0; k < 3 && s->kind == ABUT_BOX; ++k) p[k] = copysign(s->half[k], d[k]);
    if (s->kind == ABUT_ELLIPSOID) {
        for (int k = 0; k < 3; ++k) p[k] = s->half[k] * d[k];
        double scale = abuti_v3_length(p);
        for (int k = 0; k < 3; ++k) p[k] *= s->half[k] / scale;
    }
    if (s->kind == ABUT_CONVEX) {
        abut_convex_def def = abut_convex_get(s->convex);
        int best = 0;
        for (int i = 1; i < def.vertex_count; ++i)
            if (abuti_v3_dot(def.vertices[i], d) > abuti_v3_dot(def.vertices[best], d)) best = i;
        abuti_v3_copy(p, def.vertices[best]);
    }
    abuti_quat_apply(out, pose->rotation, p);
    abuti_v3_add(out, out, pose->position);
}

/* How far a convex thing is from a triangle along a direction. */
static inline double gap_along(const posed *a, const triangle *t, const double n[3])
{
    double into[3] = {-n[0], -n[1], -n[2]}, most = -INFINITY;
    for (int k = 0; k < 3; ++k) most = fmax(most, abuti_v3_dot(n, t->corners[k]));
    return -search_support(&a->shape, &a->pose, into) - most;
}

/* The weights of the point of least norm in the plane, line or point that goes through all of the points: `spans` are made square
 * to each other, and each says how much of it the first point needs. */
static inline void affine_weights(const corral *c, double weights[5])
{
    double spans[4][3], tops[4][4] = {{0}}, y[4], rest[3];
    int n = c->count - 1;
    abuti_v3_copy(rest, c->points[0]);
    for (int i = 0; i < n; ++i) {
        abuti_v3_sub(spans[i], c->points[i + 1], c->points[0]);
        for (int again = 0; again < 2; ++again) {
            for (int k = 0; k < i; ++k) {
                double part = abuti_v3_dot(spans[i], spans[k]);
                tops[k][i] += part;
                abuti_v3_add_scaled(spans[i], spans[i], -part, spans[k]);
            }
        }
        tops[i][i] = abuti_v3_normalise(spans[i]);
        y[i] = -abuti_v3_dot(spans[i], rest);
        abuti_v3_add_scaled(rest, rest, y[i], spans[i]);
    }
    weights[0] = 1;
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) y[i] -= tops[i][k] * y[k];
        y[i] /= tops[i][i];
        weights[i + 1] = y[i];
        weights[0] -= y[i];
    }
}

/* Goes to the point of least norm of the polytope; points without a weight are dropped on the way. */
static inline void shrink(corral *c)
{
    for (;;) {
        double wanted[5], part = 1;
        int out = -1, kept = 0;
        affine_weights(c, wanted);
        for (int i = 0; i < c->count; ++i) {
            if (wanted[i] > 0 || c->weights[i] - wanted[i] <= 0) continue;
            double stop = c->weights[i] / (c->weights[i] - wanted[i]);
            if (stop < part || out < 0) out = i, part = fmin(stop, part);
        }
        for (int i = 0; i < c->count; ++i) c->weights[i] += part * (wanted[i] - c->weights[i]);
        if (out < 0) break;
        c->weights[out] = 0;
        for (int i = 0; i < c->count; ++i) {
            if (i == out) continue;
            memmove(c->points[kept], c->points[i], sizeof c->points[i]);
            c->weights[kept++] = c->weights[i];
        }
        c->count = kept;
    }
    abuti_v3_set(c->least, 0, 0, 0);
    for (int i = 0; i < c->count; ++i) abuti_v3_add_scaled(c->least, c->least, c->weights[i], c->points[i]);
}

/* The thing less the triangle, farthest against a direction. */
static inline void difference_against(const posed *a, const triangle *t, const double n[3], double out[3])
{
    double into[3] = {-n[0], -n[1], -n[2]};
    int best = 0;
    for (int k = 1; k < 3; ++k)
        if (abuti_v3_dot(n, t->corners[k]) > abuti_v3_dot(n, t->corners[best])) best = k;
    support_point(&a->shape, &a->pose, into, out);
    abuti_v3_sub(out, out, t->corners[best]);
}

/* Ends early where a direction parts the two by `enough`. */
static inline nearest nearest_of_core(const posed *a, const triangle *t, const double start[3], double enough)
{
    enum { ROUNDS = 2000 };
    const double rounding = 1e-14;
    corral c = {.count = 1, .weights = {1}};
    nearest best = {.gap = gap_along(a, t, start)};
    abuti_v3_copy(best.direction, start);
    best.most = INFINITY;
    if (best.gap >= enough) return best;
    difference_against(a, t, start, c.points[0]);
    abuti_v3_copy(c.least, c.points[0]);
    for (int round = 0; round < ROUNDS; ++round) {
        double n[3], w[3];
        abuti_v3_copy(n, c.least);
        best.most = abuti_v3_normalise(n);
        if (best.most < rounding || c.count == 4) {
            best.most = 0;
            break;
        }
        double gap = gap_along(a, t, n);
        if (gap > best.gap) abuti_v3_copy(best.direction, n);
        best.gap = fmax(best.gap, gap);
        if (best.gap > best.most - rounding || best.gap >= enough) break;
        difference_against(a, t, n, w);
        /* A point that is there already makes the polytope no larger. */
        bool there = false;
        for (int i = 0; i < c.count; ++i) there = there || memcmp(c.points[i], w, sizeof w) == 0;
        if (there) break;
        corral before = c;
        abuti_v3_copy(c.points[c.count], w);
        c.weights[c.count++] = 0;
        shrink(&c);
        /* Points that are in one plane to rounding lead no further. */
        if (isfinite(c.least[0] + c.least[1] + c.least[2])) continue;
        c = before;
        break;
    }
    return best;
}

/* Spheres and capsules are as far as their cores, less the radius. `start` is any direction to begin with. The search ends where the
 * two are parted by `enough`, and then `most` is a bound. */
static inline nearest nearest_enough(const posed *a, const triangle *t, const double start[3], double enough)
{
    posed core = *a;
    bool rounded = a->shape.kind == ABUT_SPHERE || a->shape.kind == ABUT_CAPSULE;
    if (rounded) core.shape.radius = 0;
    nearest best = nearest_of_core(&core, t, start, enough + (rounded ? a->shape.radius : 0));
    if (rounded) best.most -= a->shape.radius;
    if (rounded) best.gap -= a->shape.radius;
    return best;
}

static inline nearest nearest_of(const posed *a, const triangle *t, const double start[3])
{
    return nearest_enough(a, t, start, INFINITY);
}

/* The direction of a face or of two crossing edges that parts a box or polyhedron best from a triangle. */
static inline void part_by_faces(const posed *a, const triangle *t, nearest *best)
{
    static oracle_body of_a;
    oracle_body of_t = {.vertices = 3, .edges = 3, .edge = {{0, 1}, {1, 2}, {2, 0}}, .faces = 2};
    static const int sides[2][3] = {{0, 1, 2}, {0, 2, 1}};
    double n[3];
    oracle_make(&a->shape, &a->pose, &of_a);
    memcpy(of_t.vertex, t->corners, sizeof t->corners);
    memcpy(of_t.face, sides, sizeof sides);
    double gap = oracle_axes(&of_a, &of_t, n);
    if (!(gap > best->gap)) return;
    best->gap = gap;
    abuti_v3_copy(best->direction, n);
}

/* The same for things that touch, or overlap a little, where the point of least norm has no direction: the thing is moved away
 * along the best direction so far, which is a step up the gap along n, until that is no longer better. */
static inline nearest nearest_or_parted(const posed *a, const triangle *t, const double start[3],
                                        double enough)
{
    enum { STEPS = 50 };
    const double away = 0.05, apart = 1e-3;
    nearest best = nearest_enough(a, t, start, enough);
    for (int i = 0; i < STEPS && best.most < apart && best.gap < enough; ++i) {
        posed moved = *a;
        abuti_v3_add_scaled(moved.pose.position, a->pose.position, away - best.gap, best.direction);
        nearest next = nearest_of(&moved, t, best.direction);
        double gap = gap_along(a, t, next.direction);
        if (!(gap > best.gap)) break;
        best.gap = gap;
        abuti_v3_copy(best.direction, next.direction);
    }
    bool sharp = a->shape.kind == ABUT_BOX || a->shape.kind == ABUT_CONVEX;
    if (sharp && best.most < apart && best.gap < enough) part_by_faces(a, t, &best);
    return best;
}

#endif
