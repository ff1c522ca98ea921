/* Gilbert, Johnson, Keerthi (1988): the point nearest to the origin of the difference A - B, as a simplex of support
 * points that is renewed until no support point is nearer. */
#include "collide/gjk.h"
#include "collide/axis.h"

#define ITERATIONS 100
/* The bound |v|^2 - v.w on the error, as a part of |v|^2. */
#define CONVERGED 1e-14
/* Distances below this part of the sizes are looked at twice. */
#define NEAR 1e-6
/* A tetrahedron with less of the volume its edges span counts as flat. */
#define FLAT 1e-13
/* A direction parts the cores when their supports along it are apart by more than this part of the distance so far. */
#define PARTED 1e-9

/* Weights of the point of a segment nearest to the origin. */
static void nearest_on_segment(const double p[3], const double q[3], double w[2])
{
    double along[3];
    abuti_v3_sub(along, q, p);
    double square = abuti_v3_dot(along, along), t = -abuti_v3_dot(p, along);
    w[1] = t <= 0 || !(square > 0) ? 0 : t >= square ? 1 : t / square;
    w[0] = 1 - w[1];
}

/* Weights of the point of a triangle nearest to the origin, by the regions of its corners and edges. */
static void nearest_on_triangle(const double p[3], const double q[3], const double r[3], double w[3])
{
    double pq[3], pr[3];
    abuti_v3_sub(pq, q, p);
    abuti_v3_sub(pr, r, p);
    double d1 = -abuti_v3_dot(pq, p), d2 = -abuti_v3_dot(pr, p);
    double d3 = -abuti_v3_dot(pq, q), d4 = -abuti_v3_dot(pr, q);
    double d5 = -abuti_v3_dot(pq, r), d6 = -abuti_v3_dot(pr, r);
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    w[0] = w[1] = w[2] = 0;
    if (d1 <= 0 && d2 <= 0) {
        w[0] = 1;
    } else if (d3 >= 0 && d4 <= d3) {
        w[1] = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w[2] = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        w[1] = d1 / (d1 - d3);
        w[0] = 1 - w[1];
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w[2] = d2 / (d2 - d6);
        w[0] = 1 - w[2];
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        w[1] = 1 - w[2];
    } else {
        double sum = va + vb + vc;
        w[1] = vb / sum;
        w[2] = vc / sum;
        w[0] = 1 - w[1] - w[2];
    }
}

static void combine(double out[3], int count, double (*points)[3], const double *weight)
{
    abuti_v3_set(out, 0, 0, 0);
    for (int i = 0; i < count; ++i) abuti_v3_add_scaled(out, out, weight[i], points[i]);
}

/* The nearest point of the faces that the origin is outside of; false when it is inside. */
static bool nearest_on_tetrahedron(double p[4][3], double weight[4])
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    bool outside = false;
    double least = 0;
    for (int f = 0; f < 4; ++f) {
        const int *i = faces[f];
        double e[3], g[3], h[3], n[3], w[3], v[3];
        abuti_v3_sub(e, p[i[1]], p[i[0]]);
        abuti_v3_sub(g, p[i[2]], p[i[0]]);
        abuti_v3_sub(h, p[i[3]], p[i[0]]);
        abuti_v3_cross(n, e, g);
        double volume = abuti_v3_dot(n, h), side = -abuti_v3_dot(n, p[i[0]]);
        bool flat = fabs(volume) <= FLAT * abuti_v3_length(n) * abuti_v3_length(h);
        if (!flat && (volume > 0 ? side >= 0 : side <= 0)) continue;
        nearest_on_triangle(p[i[0]], p[i[1]], p[i[2]], w);
        for (int k = 0; k < 3; ++k) v[k] = w[0] * p[i[0]][k] + w[1] * p[i[1]][k] + w[2] * p[i[2]][k];
        double square = abuti_v3_dot(v, v);
        if (!outside || square < least) {
            least = square;
            weight[i[0]] = w[0];
            weight[i[1]] = w[1];
            weight[i[2]] = w[2];
            weight[i[3]] = 0;
        }
        outside = true;
    }
    return outside;
}

/* Finds the weights, drops what has none; false when the origin is inside. */
static bool reduce(abuti_gjk *g)
{
    double w[4] = {1, 0, 0, 0};
    if (g->count == 2) nearest_on_segment(g->difference[0], g->difference[1], w);
    if (g->count == 3) nearest_on_triangle(g->difference[0], g->difference[1], g->difference[2], w);
    if (g->count == 4 && !nearest_on_tetrahedron(g->difference, w)) return false;
    int kept = 0;
    for (int i = 0; i < g->count; ++i) {
        if (!(w[i] > 0)) continue;
        abuti_v3_copy(g->on_a[kept], g->on_a[i]);
        abuti_v3_copy(g->on_b[kept], g->on_b[i]);
        abuti_v3_copy(g->difference[kept], g->difference[i]);
        g->vertex_a[kept] = g->vertex_a[i];
        g->vertex_b[kept] = g->vertex_b[i];
        g->weight[kept++] = w[i];
    }
    g->count = kept;
    return true;
}

/* Adds the support point against v; false when the simplex has its vertices already. */
static bool add_support(const abuti_core *a, const abuti_core *b, const abuti_relative *rel,
                        const double v[3], abuti_gjk *g)
{
    double against[3], turned[3], local[3];
    int i = g->count;
    abuti_v3_scale(against, -1, v);
    g->vertex_a[i] = abuti_core_support(a, against, g->on_a[i]);
    abuti_m3_apply_transposed(turned, rel->R, v);
    g->vertex_b[i] = abuti_core_support(b, turned, local);
    abuti_to_a(g->on_b[i], rel, local);
    abuti_v3_sub(g->difference[i], g->on_a[i], g->on_b[i]);
    for (int k = 0; k < i; ++k) {
        double *p = g->difference[k], *q = g->difference[i];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) return false;
    }
    return true;
}

/* Normal and closest points from the weights. */
static void finish(abuti_gjk *g, const double v[3])
{
    combine(g->a, g->count, g->on_a, g->weight);
    combine(g->b, g->count, g->on_b, g->weight);
    abuti_v3_copy(g->normal, v);
    g->distance = abuti_v3_normalise(g->normal);
}

void abuti_gjk_run(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, abuti_gjk *g)
{
    double v[3], touch = ABUTI_TOUCHING * (a->size + b->size);
    bool parted = false;
    g->touching = false;
    g->count = 0;
    abuti_v3_scale(v, -1, rel->t);
    if (!(abuti_v3_dot(v, v) > 0)) abuti_v3_set(v, 1, 0, 0);
    add_support(a, b, rel, v, g);
    g->count = 1;
    g->weight[0] = 1;
    abuti_v3_copy(v, g->difference[0]);
    for (int i = 0; i < ITERATIONS; ++i) {
        double square = abuti_v3_dot(v, v);
        if (square <= touch * touch) {
            g->touching = true;
            break;
        }
        if (!add_support(a, b, rel, v, g)) break;
        double along = abuti_v3_dot(v, g->difference[g->count]);
        if (square - along <= CONVERGED * square) break;
        /* Nothing is beyond the newest point: a plane that parts the cores proves that they do not touch, whatever a
         * flat tetrahedron may say. */
        parted = parted || along > PARTED * square;
        abuti_gjk before = *g;
        g->count++;
        bool inside = !reduce(g);
        if (inside && parted) {
            *g = before;
            break;
        }
        if (inside) {
            g->touching = true;
            break;
        }
        double next[3];
        combine(next, g->count, g->difference, g->weight);
        if (!(abuti_v3_dot(next, next) < square)) {
            *g = before;
            break;
        }
        abuti_v3_copy(v, next);
    }
    finish(g, v);
    /* So near to each other that rounding ended the search: the direction must part them, or it means nothing. */
    if (!g->touching && g->distance <= NEAR * (a->size + b->size))
        g->touching = !(abuti_gap_along(a, b, rel, g->normal) > 0.5 * g->distance);
}
