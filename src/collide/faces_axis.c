/* Separating directions of two polytopes: faces of A, faces of B, crossing edges (axis.h). */
#include "collide/axis.h"

/* Edges whose cross product is shorter than this part of their lengths are parallel, and faces take their place. */
#define PARALLEL 1e-7
/* Another direction must be better by this part of the sizes, and of the gap, to be taken instead. */
#define CLEARLY 1e-6
#define CLEARLY_RELATIVE 1e-2
/* The same where the best is asked for. It is above rounding, so that equal directions stay equal in every pose. */
#define EXACTLY 1e-13
/* Arcs of normals are made longer by this, so that edges at their ends are not lost to rounding. */
#define ARC 1e-12

typedef struct pair {
    const abuti_core *a, *b;
    const abuti_relative *rel;
    abuti_direction_accepts accepts; /* or NULL: every direction */
    void *context;
} pair;

double abuti_gap_along(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, const double n[3])
{
    double against[3], turned[3], p[3], q[3], q_a[3];
    abuti_v3_scale(against, -1, n);
    abuti_core_support(a, against, p);
    abuti_m3_apply_transposed(turned, rel->R, n);
    abuti_core_support(b, turned, q);
    abuti_to_a(q_a, rel, q);
    abuti_v3_sub(p, p, q_a);
    return abuti_v3_dot(p, n);
}

/* The gap before face f of A. */
static double gap_face_a(const pair *p, int f, double n[3])
{
    double turned[3], q[3];
    abuti_v3_scale(n, -1, p->a->normals[f]);
    abuti_m3_apply_transposed(turned, p->rel->R, n);
    abuti_core_support(p->b, turned, q);
    abuti_to_a(q, p->rel, q);
    abuti_v3_sub(q, p->a->vertices[p->a->faces.vertex[p->a->faces.start[f]]], q);
    return abuti_v3_dot(q, n);
}

/* The gap before face f of B. */
static double gap_face_b(const pair *p, int f, double n[3])
{
    double against[3], q[3], on[3];
    abuti_m3_apply(n, p->rel->R, p->b->normals[f]);
    abuti_v3_scale(against, -1, n);
    abuti_core_support(p->a, against, q);
    abuti_to_a(on, p->rel, p->b->vertices[p->b->faces.vertex[p->b->faces.start[f]]]);
    abuti_v3_sub(q, q, on);
    return abuti_v3_dot(q, n);
}

/* Whether a direction across an edge (unit vector e) is between the normals of its two faces. A segment has no faces,
 * and every direction across it counts. */
static bool on_arc(const abuti_core *core, const abuti_edge *edge, const double e[3], const double n[3])
{
    if (edge->f[0] < 0) return true;
    double u[3], w[3];
    abuti_v3_cross(u, e, core->normals[edge->f[0]]);
    abuti_v3_cross(w, core->normals[edge->f[1]], e);
    return abuti_v3_dot(u, n) >= -ARC && abuti_v3_dot(w, n) >= -ARC;
}

static void edge_direction(const abuti_core *core, int edge, double e[3])
{
    abuti_v3_sub(e, core->vertices[core->edges[edge].v[1]], core->vertices[core->edges[edge].v[0]]);
    abuti_v3_normalise(e);
}

/* The gap of two edges along n, when n is a direction of both; false when it is not. The normal is from B to A: out of
 * B, into A. */
static bool gap_edges(const pair *p, int i, int j, const double ea[3], const double eb_local[3],
                      const double n[3], double *gap)
{
    double into[3], turned[3], on_b[3], apart[3];
    abuti_v3_scale(into, -1, n);
    if (!on_arc(p->a, &p->a->edges[i], ea, into)) return false;
    abuti_m3_apply_transposed(turned, p->rel->R, n);
    if (!on_arc(p->b, &p->b->edges[j], eb_local, turned)) return false;
    abuti_to_a(on_b, p->rel, p->b->vertices[p->b->edges[j].v[0]]);
    abuti_v3_sub(apart, p->a->vertices[p->a->edges[i].v[0]], on_b);
    *gap = abuti_v3_dot(apart, n);
    return true;
}

/* Of the four parallel edges of a box the one that is farthest in a direction; of other cores the edge itself. */
static int box_edge_along(const abuti_core *core, int group, const double d[3])
{
    if (!core->box) return group;
    double point[3];
    int vertex = abuti_core_support(core, d, point);
    for (int i = 4 * group; i < 4 * group + 4; ++i) {
        if (core->edges[i].v[0] == (vertex & ~(1 << group))) return i;
    }
    return 4 * group;
}

static int group_count(const abuti_core *core)
{
    return core->box ? 3 : core->edge_count;
}

/* Takes a direction that is better than the best so far by more than `clearly`: of equal ones the first stays. */
static void consider(const pair *p, abuti_axis *best, abuti_axis_kind kind, int fa, int fb, const double n[3],
                     double gap, double clearly)
{
    if (best->kind != ABUTI_AXIS_NONE && !(gap > best->gap + clearly)) return;
    if (p->accepts && !p->accepts(p->context, n)) return;
    best->kind = kind;
    best->feature_a = fa;
    best->feature_b = fb;
    best->gap = gap;
    abuti_v3_copy(best->normal, n);
}

static void consider_edges(const pair *p, double clearly, abuti_axis *best)
{
    int groups_a = group_count(p->a), groups_b = group_count(p->b);
    for (int j = 0; j < groups_b; ++j) {
        double eb_local[3], eb[3];
        edge_direction(p->b, p->b->box ? 4 * j : j, eb_local);
        abuti_m3_apply(eb, p->rel->R, eb_local);
        for (int i = 0; i < groups_a; ++i) {
            double ea[3], n[3];
            edge_direction(p->a, p->a->box ? 4 * i : i, ea);
            abuti_v3_cross(n, ea, eb);
            if (!(abuti_v3_normalise(n) > PARALLEL)) continue;
            for (int sign = 0; sign < 2; ++sign) {
                double into[3], turned[3], gap;
                abuti_v3_scale(into, -1, n);
                abuti_m3_apply_transposed(turned, p->rel->R, n);
                int edge_a = box_edge_along(p->a, i, into), edge_b = box_edge_along(p->b, j, turned);
                if (gap_edges(p, edge_a, edge_b, ea, eb_local, n, &gap))
                    consider(p, best, ABUTI_AXIS_EDGES, edge_a, edge_b, n, gap, clearly);
                abuti_v3_copy(n, into);
            }
        }
    }
}

static void consider_faces(const pair *p, double clearly, abuti_axis *best)
{
    double n[3];
    for (int f = 0; f < p->a->face_count; ++f) {
        double gap = gap_face_a(p, f, n);
        consider(p, best, ABUTI_AXIS_FACE_A, f, -1, n, gap, clearly);
    }
    for (int f = 0; f < p->b->face_count; ++f) {
        double gap = gap_face_b(p, f, n);
        consider(p, best, ABUTI_AXIS_FACE_B, -1, f, n, gap, clearly);
    }
}

/* Whether the remembered direction still is one; its gap and normal now. */
static bool recall(const pair *p, const abut_pair_memory *m, abuti_axis *axis)
{
    axis->kind = (abuti_axis_kind)m->kind;
    axis->feature_a = m->feature_a;
    axis->feature_b = m->feature_b;
    if (m->kind == ABUTI_AXIS_FACE_A && m->feature_a >= 0 && m->feature_a < p->a->face_count) {
        axis->gap = gap_face_a(p, m->feature_a, axis->normal);
        return true;
    }
    if (m->kind == ABUTI_AXIS_FACE_B && m->feature_b >= 0 && m->feature_b < p->b->face_count) {
        axis->gap = gap_face_b(p, m->feature_b, axis->normal);
        return true;
    }
    return false;
}

/* Where two cores have no other direction, any direction across them is taken. */
static void consider_any(const pair *p, abuti_axis *best)
{
    double n[3] = {0, 0, 1}, e[3] = {0, 0, 1};
    if (best->kind != ABUTI_AXIS_NONE) return;
    if (p->a->edge_count > 0 || p->b->edge_count > 0) {
        const abuti_core *core = p->a->edge_count > 0 ? p->a : p->b;
        edge_direction(core, 0, e);
        double least[3] = {0, 0, 0};
        int k = fabs(e[0]) <= fabs(e[1]) && fabs(e[0]) <= fabs(e[2]) ? 0 : fabs(e[1]) <= fabs(e[2]) ? 1 : 2;
        least[k] = 1;
        abuti_v3_cross(n, e, least);
        abuti_v3_normalise(n);
        if (core == p->b) abuti_m3_apply(n, p->rel->R, n);
    }
    consider(p, best, ABUTI_AXIS_POINTS, -1, -1, n, abuti_gap_along(p->a, p->b, p->rel, n), 0);
    double against[3], turned[3];
    abuti_v3_scale(against, -1, n);
    abuti_m3_apply_transposed(turned, p->rel->R, n);
    abuti_core_support(p->a, against, best->a);
    abuti_core_support(p->b, turned, best->b);
    abuti_to_a(best->b, p->rel, best->b);
}

void abuti_axis_of_faces(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                         const abut_pair_memory *memory, bool exact, abuti_axis *axis)
{
    const pair p = {.a = a, .b = b, .rel = rel};
    abuti_axis face = {.kind = ABUTI_AXIS_NONE}, edge = {.kind = ABUTI_AXIS_NONE}, before;
    double clearly = (exact ? EXACTLY : CLEARLY) * fmin(a->size, b->size);
    consider_faces(&p, clearly, &face);
    if (!exact && memory && recall(&p, memory, &before) &&
        before.gap >= face.gap - CLEARLY_RELATIVE * fabs(face.gap) - clearly)
        face = before;
    consider_edges(&p, clearly, &edge);
    *axis = face;
    double needed = clearly + (exact ? 0 : CLEARLY_RELATIVE * fabs(face.gap));
    if (face.kind == ABUTI_AXIS_NONE || (edge.kind != ABUTI_AXIS_NONE && edge.gap > face.gap + needed))
        *axis = edge;
    consider_any(&p, axis);
}

bool abuti_axis_of_faces_where(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                               abuti_direction_accepts accepts, void *context, abuti_axis *axis)
{
    const pair p = {a, b, rel, accepts, context};
    double clearly = CLEARLY * fmin(a->size, b->size);
    axis->kind = ABUTI_AXIS_NONE;
    consider_faces(&p, clearly, axis);
    consider_edges(&p, clearly, axis);
    return axis->kind != ABUTI_AXIS_NONE;
}
