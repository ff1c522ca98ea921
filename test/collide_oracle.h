/* Slow and plain answers about polytopes with radii, for tests: the distance of every vertex from every face and of every
 * edge from every edge where they are apart; every face normal and every cross product of edges where they overlap. */
#ifndef ABUT_TEST_COLLIDE_ORACLE_H
#define ABUT_TEST_COLLIDE_ORACLE_H

#include "abut/shape.h"
#include "base/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ORACLE_MOST = 64 };

typedef struct oracle_body {
    int vertices, edges, faces;
    double vertex[ORACLE_MOST][3];
    int edge[3 * ORACLE_MOST][2];
    int face[2 * ORACLE_MOST][3]; /* three vertices of each, counterclockwise */
    double radius;
} oracle_body;

static inline double oracle_radius(const abut_shape *s)
{
    return s->kind == ABUT_SPHERE || s->kind == ABUT_CAPSULE ? s->radius : 0;
}

static inline void oracle_place(const abut_pose *pose, const double in[3], double out[3])
{
    double turned[3];
    abuti_quat_apply(turned, pose->rotation, in);
    abuti_v3_add(out, turned, pose->position);
}

/* Sphere, capsule, box or convex in the world. */
static inline void oracle_make(const abut_shape *s, const abut_pose *pose, oracle_body *o)
{
    memset(o, 0, sizeof *o);
    if (s->kind == ABUT_SPHERE || s->kind == ABUT_CAPSULE) {
        o->radius = s->radius;
        o->vertices = s->kind == ABUT_SPHERE ? 1 : 2;
        o->edges = o->vertices - 1;
        o->edge[0][1] = 1;
        for (int i = 0; i < o->vertices; ++i) {
            double z = s->kind == ABUT_SPHERE ? 0 : i ? s->half_length : -s->half_length, p[3] = {0, 0, z};
            oracle_place(pose, p, o->vertex[i]);
        }
    } else if (s->kind == ABUT_BOX) {
        o->vertices = 8;
        for (int i = 0; i < 8; ++i) {
            double p[3];
            for (int k = 0; k < 3; ++k) p[k] = i >> k & 1 ? s->half[k] : -s->half[k];
            oracle_place(pose, p, o->vertex[i]);
            for (int k = 0; k < 3; ++k) {
                if (i >> k & 1) continue;
                o->edge[o->edges][0] = i;
                o->edge[o->edges++][1] = i | 1 << k;
            }
        }
        static const int faces[6][3] = {{0, 4, 6}, {1, 3, 7}, {0, 1, 5}, {2, 6, 7}, {0, 2, 3}, {4, 5, 7}};
        memcpy(o->face, faces, sizeof faces);
        o->faces = 6;
    } else {
        abut_convex_def def = abut_convex_get(s->convex);
        o->vertices = def.vertex_count;
        for (int i = 0; i < o->vertices; ++i) oracle_place(pose, def.vertices[i], o->vertex[i]);
        const int *v = def.face_vertices;
        for (int f = 0; f < def.face_count; v += def.face_sizes[f++]) {
            for (int k = 0; k < 3; ++k) o->face[f][k] = v[k];
            for (int k = 0; k < def.face_sizes[f]; ++k) {
                int p = v[k], q = v[(k + 1) % def.face_sizes[f]];
                if (p > q) continue;
                o->edge[o->edges][0] = p;
                o->edge[o->edges++][1] = q;
            }
        }
        o->faces = def.face_count;
    }
}

static inline double oracle_gap(const oracle_body *a, const oracle_body *b, const double n[3])
{
    double least = DBL_MAX, most = -DBL_MAX;
    for (int i = 0; i < a->vertices; ++i) least = fmin(least, abuti_v3_dot(n, a->vertex[i]));
    for (int i = 0; i < b->vertices; ++i) most = fmax(most, abuti_v3_dot(n, b->vertex[i]));
    return least - most;
}

static inline void oracle_face_normal(const oracle_body *o, int f, double n[3])
{
    double e[3], g[3];
    abuti_v3_sub(e, o->vertex[o->face[f][1]], o->vertex[o->face[f][0]]);
    abuti_v3_sub(g, o->vertex[o->face[f][2]], o->vertex[o->face[f][0]]);
    abuti_v3_cross(n, e, g);
    abuti_v3_normalise(n);
}

/* The largest gap along normals of faces and cross products of edges; -infinity without any. */
static inline double oracle_axes(const oracle_body *a, const oracle_body *b, double best_normal[3])
{
    double best = -INFINITY, n[3], gap;
    for (int pass = 0; pass < 2; ++pass) {
        const oracle_body *o = pass ? b : a;
        for (int f = 0; f < o->faces; ++f) {
            oracle_face_normal(o, f, n);
            if (!pass) abuti_v3_scale(n, -1, n);
            if ((gap = oracle_gap(a, b, n)) > best) best = gap, abuti_v3_copy(best_normal, n);
        }
    }
    for (int i = 0; i < a->edges; ++i) {
        for (int j = 0; j < b->edges; ++j) {
            double e[3], f[3];
            abuti_v3_sub(e, a->vertex[a->edge[i][1]], a->vertex[a->edge[i][0]]);
            abuti_v3_sub(f, b->vertex[b->edge[j][1]], b->vertex[b->edge[j][0]]);
            abuti_v3_cross(n, e, f);
            if (abuti_v3_normalise(n) < 1e-9 * abuti_v3_length(e) * abuti_v3_length(f)) continue;
            for (int sign = 0; sign < 2; ++sign) {
                if ((gap = oracle_gap(a, b, n)) > best) best = gap, abuti_v3_copy(best_normal, n);
                abuti_v3_scale(n, -1, n);
            }
        }
    }
    return best;
}

static inline double oracle_segments(const double p[3], const double q[3], const double r[3],
                                     const double s[3])
{
    double d[3], e[3], w[3];
    abuti_v3_sub(d, q, p);
    abuti_v3_sub(e, s, r);
    abuti_v3_sub(w, p, r);
    double dd = abuti_v3_dot(d, d), ee = abuti_v3_dot(e, e), de = abuti_v3_dot(d, e), dw = abuti_v3_dot(d, w),
           ew = abuti_v3_dot(e, w), det = dd * ee - de * de, best = DBL_MAX;
    /* The crossing of the lines, and each end against the other segment. */
    double tries[5][2] = {{det > 0 ? (de * ew - ee * dw) / det : 0, det > 0 ? (dd * ew - de * dw) / det : 0},
                          {0, ew / ee},
                          {1, (ew + de) / ee},
                          {-dw / dd, 0},
                          {(de - dw) / dd, 1}};
    for (int i = 0; i < 5; ++i) {
        double x = fmin(fmax(tries[i][0], 0), 1), y = fmin(fmax(tries[i][1], 0), 1), v[3];
        for (int k = 0; k < 3; ++k) v[k] = w[k] + x * d[k] - y * e[k];
        best = fmin(best, abuti_v3_length(v));
    }
    return best;
}

/* From a point to a face of a convex polytope, over whose inside it must be; infinite otherwise. */
static inline double oracle_over_face(const oracle_body *o, int f, const double p[3])
{
    double n[3], from[3], foot[3];
    oracle_face_normal(o, f, n);
    abuti_v3_sub(from, p, o->vertex[o->face[f][0]]);
    double above = abuti_v3_dot(from, n);
    if (above < 0) return DBL_MAX;
    abuti_v3_add_scaled(foot, p, -above, n);
    for (int g = 0; g < o->faces; ++g) {
        double m[3];
        oracle_face_normal(o, g, m);
        abuti_v3_sub(from, foot, o->vertex[o->face[g][0]]);
        if (g != f && abuti_v3_dot(from, m) > 0) return DBL_MAX;
    }
    return above;
}

/* The distance of two that are apart. */
static inline double oracle_apart(const oracle_body *a, const oracle_body *b)
{
    double best = DBL_MAX, v[3];
    for (int i = 0; i < a->vertices; ++i) {
        for (int j = 0; j < b->vertices; ++j) {
            abuti_v3_sub(v, a->vertex[i], b->vertex[j]);
            best = fmin(best, abuti_v3_length(v));
        }
        for (int f = 0; f < b->faces; ++f) best = fmin(best, oracle_over_face(b, f, a->vertex[i]));
    }
    for (int j = 0; j < b->vertices; ++j) {
        for (int f = 0; f < a->faces; ++f) best = fmin(best, oracle_over_face(a, f, b->vertex[j]));
    }
    for (int pass = 0; pass < 2; ++pass) { /* points without edges against edges */
        const oracle_body *p = pass ? b : a, *q = pass ? a : b;
        for (int i = 0; i < p->vertices; ++i) {
            for (int j = 0; j < q->edges; ++j) {
                double d[3], w[3];
                abuti_v3_sub(d, q->vertex[q->edge[j][1]], q->vertex[q->edge[j][0]]);
                abuti_v3_sub(w, p->vertex[i], q->vertex[q->edge[j][0]]);
                double t = fmin(fmax(abuti_v3_dot(w, d) / abuti_v3_dot(d, d), 0), 1);
                abuti_v3_add_scaled(w, w, -t, d);
                best = fmin(best, abuti_v3_length(w));
            }
        }
    }
    for (int i = 0; i < a->edges; ++i) {
        for (int j = 0; j < b->edges; ++j)
            best = fmin(best, oracle_segments(a->vertex[a->edge[i][0]], a->vertex[a->edge[i][1]],
                                              b->vertex[b->edge[j][0]], b->vertex[b->edge[j][1]]));
    }
    return best;
}

/* The signed distance. */
static inline double oracle_distance(const oracle_body *a, const oracle_body *b)
{
    double n[3], axes = oracle_axes(a, b, n), radii = a->radius + b->radius;
    bool solid = a->faces > 0 || b->faces > 0;
    if (!solid || axes > 0) return oracle_apart(a, b) - radii;
    return axes - radii;
}

#endif
