/* Signed distances by search: support functions written out, and a random search for a direction that parts two shapes by
 * more than is claimed. */
#ifndef ABUT_TEST_COLLIDE_SEARCH_H
#define ABUT_TEST_COLLIDE_SEARCH_H

#include "collide_random.h"
#include "collide_solids.h"

#include <math.h>

enum { DIRECTIONS = 200 };

/* The support function of a posed shape. */
static inline double search_support(const abut_shape *s, const abut_pose *pose, const double n[3])
{
    double back[4], d[3], h = 0;
    abuti_quat_conjugate(back, pose->rotation);
    abuti_quat_apply(d, back, n);
    if (s->kind == ABUT_SPHERE) h = s->radius;
    if (s->kind == ABUT_CAPSULE) h = s->radius + s->half_length * fabs(d[2]);
    if (s->kind == ABUT_BOX) h = s->half[0] * fabs(d[0]) + s->half[1] * fabs(d[1]) + s->half[2] * fabs(d[2]);
    if (s->kind == ABUT_CYLINDER)
        h = s->radius * sqrt(d[0] * d[0] + d[1] * d[1]) + s->half_length * fabs(d[2]);
    if (s->kind == ABUT_ELLIPSOID)
        h = sqrt(pow(s->half[0] * d[0], 2) + pow(s->half[1] * d[1], 2) + pow(s->half[2] * d[2], 2));
    if (s->kind == ABUT_CONVEX) {
        abut_convex_def def = abut_convex_get(s->convex);
        h = -INFINITY;
        for (int i = 0; i < def.vertex_count; ++i) h = fmax(h, abuti_v3_dot(def.vertices[i], d));
    }
    return h + abuti_v3_dot(n, pose->position);
}

typedef struct posed {
    abut_shape shape;
    abut_pose pose;
} posed;

static inline double search_gap(const posed *a, const posed *b, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    return -search_support(&a->shape, &a->pose, back) - search_support(&b->shape, &b->pose, n);
}

/* A search for a better direction than `best`: many starts, each improved by smaller and smaller random steps. */
static inline double search_better(const posed *a, const posed *b, uint64_t *state, double best)
{
    for (int i = 0; i < DIRECTIONS; ++i) {
        double n[3];
        random_direction(state, n);
        double here = search_gap(a, b, n);
        if (here < best - 0.4) continue;
        for (double step = 0.3; step > 1e-6; step *= 0.7) {
            for (int k = 0; k < 4; ++k) {
                double m[3], d[3];
                random_direction(state, d);
                abuti_v3_add_scaled(m, n, step, d);
                abuti_v3_normalise(m);
                double there = search_gap(a, b, m);
                if (there > here) {
                    here = there;
                    abuti_v3_copy(n, m);
                }
            }
        }
        best = fmax(best, here);
    }
    return best;
}

/* Whether a point is on or inside a shape, up to 1e-9. */
static inline bool search_contains(const abut_shape *s, const abut_pose *pose, const double point[3])
{
    double from[3], q[3], back[4], square = 0;
    abuti_v3_sub(from, point, pose->position);
    abuti_quat_conjugate(back, pose->rotation);
    abuti_quat_apply(q, back, from);
    switch (s->kind) {
    case ABUT_SPHERE: return abuti_v3_length(q) < s->radius + 1e-9;
    case ABUT_CAPSULE:
        q[2] -= fmin(fmax(q[2], -s->half_length), s->half_length);
        return abuti_v3_length(q) < s->radius + 1e-9;
    case ABUT_BOX:
        return fabs(q[0]) < s->half[0] + 1e-9 && fabs(q[1]) < s->half[1] + 1e-9 &&
               fabs(q[2]) < s->half[2] + 1e-9;
    case ABUT_CYLINDER:
        return sqrt(q[0] * q[0] + q[1] * q[1]) < s->radius + 1e-9 && fabs(q[2]) < s->half_length + 1e-9;
    case ABUT_ELLIPSOID:
        for (int k = 0; k < 3; ++k) square += pow(q[k] / s->half[k], 2);
        return square < 1 + 1e-8;
    default: return solid_contains(s->convex, q);
    }
}

#endif
