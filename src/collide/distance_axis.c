/* The direction of the signed distance of two cores: closest points where they are apart, faces and edges, or the
 * search for round ones, where they overlap (axis.h). */
#include "collide/axis.h"
#include "collide/gjk.h"

/* How many different vertices of a polytope the simplex has; the first of each in `first`. */
static int different(const int *vertex, int count, int first[4])
{
    int n = 0;
    for (int i = 0; i < count; ++i) {
        bool seen = false;
        for (int k = 0; k < n; ++k) seen = seen || vertex[first[k]] == vertex[i];
        if (!seen) first[n++] = i;
    }
    return n;
}

/* Where a corner faces a triangle of the other, or two edges cross, their cross product is the direction, without the
 * rounding of a short difference of points. */
static void sharpen(const abuti_gjk *g, abuti_axis *axis)
{
    int fa[4], fb[4], na = different(g->vertex_a, g->count, fa), nb = different(g->vertex_b, g->count, fb);
    double e[3], f[3], n[3];
    if (na == 3 && nb == 1) {
        abuti_v3_sub(e, g->on_a[fa[1]], g->on_a[fa[0]]);
        abuti_v3_sub(f, g->on_a[fa[2]], g->on_a[fa[0]]);
    } else if (na == 1 && nb == 3) {
        abuti_v3_sub(e, g->on_b[fb[1]], g->on_b[fb[0]]);
        abuti_v3_sub(f, g->on_b[fb[2]], g->on_b[fb[0]]);
    } else if (na == 2 && nb == 2) {
        abuti_v3_sub(e, g->on_a[fa[1]], g->on_a[fa[0]]);
        abuti_v3_sub(f, g->on_b[fb[1]], g->on_b[fb[0]]);
    } else {
        return;
    }
    abuti_v3_cross(n, e, f);
    if (!(abuti_v3_normalise(n) > 1e-4 * abuti_v3_length(e) * abuti_v3_length(f))) return;
    if (abuti_v3_dot(n, axis->normal) < 0) abuti_v3_scale(n, -1, n);
    abuti_v3_copy(axis->normal, n);
    abuti_v3_sub(e, axis->a, axis->b);
    axis->gap = abuti_v3_dot(e, n);
}

void abuti_axis_of_distance(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double reach,
                            abuti_axis *axis)
{
    if (a->kind != ABUTI_POLYTOPE || b->kind != ABUTI_POLYTOPE) {
        abuti_axis_of_round(a, b, rel, reach, axis);
        return;
    }
    abuti_gjk g;
    abuti_gjk_run(a, b, rel, &g);
    if (g.touching) {
        abuti_axis_of_faces(a, b, rel, NULL, true, axis);
        return;
    }
    axis->kind = ABUTI_AXIS_POINTS;
    axis->feature_a = axis->feature_b = -1;
    axis->gap = g.distance;
    abuti_v3_copy(axis->normal, g.normal);
    abuti_v3_copy(axis->a, g.a);
    abuti_v3_copy(axis->b, g.b);
    sharpen(&g, axis);
}
