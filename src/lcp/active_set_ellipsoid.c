/* Phase 1: a feasible point of A z <= b by deep-cut ellipsoids, eqs (2), (3), then the step of
 * steepest descent to the boundary.
 *
 * An ellipsoid that lies wholly outside a half-space (alpha > 1), or too many cuts, prove only that no
 * feasible point lies in the *first* ellipsoid, which the paper overlooks. So the radius grows tenfold and the
 * phase starts again, a few times. If no point is found even then, the fallback decides, never this file.
 *
 * With options.active_set.alone the phase is the paper's: one ellipsoid, k* cuts at most, and the whole step
 * in the direction -(2 M z + q). Only its rule that skips rows with a step of zero is not followed, because
 * it leaves the feasible set. */
#include "lcp/active_set.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* A feasible point may miss rows by this part of max |q|, and bounds by this part of the radius. Redundant
 * contacts have feasible sets without interior, which no point could hit otherwise. */
static const double feasible_slack = 1e-10;
/* Beyond this depth the next ellipsoid is flat in floating point: B would lose definiteness. */
static const double deepest_cut = 1.0 - 1e-12;
static const double growth = 10.0;
static const int growths = 6;

typedef struct cut {
    int row;      /* 0 .. 2n-1, or -1: the centre is feasible */
    double alpha; /* its depth */
} cut;

static double radius_from_data(const abuti_active_set *s)
{
    double least = DBL_MAX;
    for (int i = 0; i < s->n; ++i) {
        double diagonal = fabs(s->M[(size_t)i * (size_t)s->ld + (size_t)i]);
        if (diagonal > 0.0) least = fmin(least, diagonal);
    }
    return least < DBL_MAX ? 10.0 * s->size / least : 10.0 * s->size;
}

static void first_ellipsoid(abuti_active_set *s, double radius)
{
    memset(s->B, 0, (size_t)s->n * (size_t)s->ld * sizeof *s->B);
    for (int i = 0; i < s->n; ++i) {
        s->B[(size_t)i * (size_t)s->ld + (size_t)i] = radius * radius;
        s->z[i] = 0.0;
    }
}

static double violation(const abuti_active_set *s, int row)
{
    return row < s->n ? -s->w[row] : -s->z[row - s->n];
}

/* g = B A_i'; returns A_i B A_i'. */
static double ellipsoid_times_row(abuti_active_set *s, int row)
{
    const size_t n = (size_t)s->n, ld = (size_t)s->ld;
    if (row >= s->n) {
        const size_t i = (size_t)row - n;
        for (size_t j = 0; j < n; ++j) s->g[j] = -s->B[j * ld + i];
        return s->B[i * ld + i];
    }
    const double *m = s->M + (size_t)row * ld;
    double product = 0.0;
    for (size_t j = 0; j < n; ++j) {
        double sum = 0.0;
        for (size_t l = 0; l < n; ++l) sum += s->B[j * ld + l] * m[l];
        s->g[j] = -sum;
        product += m[j] * sum;
    }
    return product;
}

/* The cut: the row that is violated most, or the deepest one. Leaves B A_i' / sqrt(A_i B A_i') in g. */
static cut choose_cut(abuti_active_set *s, double radius)
{
    cut chosen = {-1, 0.0};
    double best = 0.0;
    const bool by_depth = s->options->active_set.cut == ABUT_LCP_CUT_DEPTH;
    for (int row = 0; row < 2 * s->n; ++row) {
        double missed = violation(s, row);
        if (missed <= feasible_slack * (row < s->n ? s->size : radius)) continue;
        double measure = missed;
        if (by_depth) measure = missed / sqrt(ellipsoid_times_row(s, row));
        if (!(measure > best)) continue;
        best = measure;
        chosen.row = row;
    }
    if (chosen.row < 0) return chosen;
    double length = sqrt(ellipsoid_times_row(s, chosen.row));
    chosen.alpha = violation(s, chosen.row) / length;
    for (int j = 0; j < s->n; ++j) s->g[j] /= length;
    return chosen;
}

/* Eqs (2), (3) with the deep-cut parameters. In one dimension the ellipsoid is an interval. */
static void apply_cut(abuti_active_set *s, double alpha)
{
    const double n = s->n;
    const double tau = (1.0 + n * alpha) / (n + 1.0);
    for (int j = 0; j < s->n; ++j) s->z[j] -= tau * s->g[j];
    if (s->n == 1) {
        s->B[0] *= (1.0 - alpha) * (1.0 - alpha) / 4.0;
        return;
    }
    const double sigma = 2.0 * (1.0 + n * alpha) / ((n + 1.0) * (1.0 + alpha));
    const double delta = n * n * (1.0 - alpha * alpha) / (n * n - 1.0);
    /* Both triangles get the same products in the same order, so B stays symmetric to the bit. */
    for (int i = 0; i < s->n; ++i) {
        double *row = s->B + (size_t)i * (size_t)s->ld;
        for (int j = 0; j < s->n; ++j) row[j] = delta * (row[j] - sigma * (s->g[i] * s->g[j]));
    }
}

typedef enum search {
    found,   /* the centre is feasible */
    outside, /* a half-space misses the ellipsoid: the first one was too small, or there is no feasible point
              */
    spent,   /* the cuts allowed are used up; a larger ball would need more still */
} search;

/* The paper's k* = 2 (n + 1)^2 (13 L + 1) with the length L of the data,
 *
 *     L = ceil(1 + log2 n + sum_ij (1 + log2(|m_ij| + 1)) + sum_i (1 + log2(|q_i| + 1))).
 *
 * The sum of logarithms is that of one product, whose exponent and fraction are kept apart: with the fraction
 * in (1/2, 1] the exponent is the sum, rounded up. */
static int paper_limit(const abuti_active_set *s)
{
    const double n = s->n;
    int exponent, step;
    double fraction = frexp(n, &exponent), total = 1.0 + n * n + n + exponent;
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j <= s->n; ++j) {
            double entry = j < s->n ? s->M[(size_t)i * (size_t)s->ld + (size_t)j] : s->q[i];
            fraction = frexp(fraction * (fabs(entry) + 1.0), &step);
            total += step;
        }
    }
    double length = fraction == 0.5 ? total - 1.0 : total;
    return (int)fmin(2.0 * (n + 1.0) * (n + 1.0) * (13.0 * length + 1.0), INT_MAX);
}

/* One run from a ball of this radius. */
static search shrink_ellipsoid(abuti_active_set *s, double radius, int max_cuts)
{
    first_ellipsoid(s, radius);
    for (int k = 0; k < max_cuts && !abuti_lcp_late(s->problem); ++k) {
        abuti_active_set_slacks(s);
        cut next = choose_cut(s, radius);
        if (next.row < 0) return found;
        if (!(next.alpha <= deepest_cut)) return outside;
        apply_cut(s, next.alpha);
        s->answer->cuts++;
        s->set[0] = next.row;
        s->set_count = 1;
        abuti_active_set_trace(s, "cut", NAN, NAN, next.alpha);
    }
    return spent;
}

/* z + lambda d with the paper's d = -(2 M z + q) where that descends (always for symmetric M), else the true
 * gradient -((M + M') z + q); lambda stops at the first row and at the minimum of f along d. With
 * options.active_set.alone d is always the paper's, and lambda stops only at the first row. */
static void step_to_boundary(abuti_active_set *s)
{
    const bool alone = s->options->active_set.alone;
    const size_t n = (size_t)s->n, ld = (size_t)s->ld;
    double *gradient = s->g;
    for (size_t i = 0; i < n; ++i) {
        gradient[i] = s->w[i];
        for (size_t j = 0; j < n; ++j) gradient[i] += s->M[j * ld + i] * s->z[j];
    }
    double slope = 0.0;
    for (size_t i = 0; i < n; ++i) {
        s->direction[i] = -(2.0 * s->w[i] - s->q[i]);
        slope += gradient[i] * s->direction[i];
    }
    if (!(slope < 0.0) && !alone) {
        slope = 0.0;
        for (size_t i = 0; i < n; ++i) {
            s->direction[i] = -gradient[i];
            slope -= gradient[i] * gradient[i];
        }
    }
    double step = abuti_active_set_blocking_step(s, DBL_MAX);
    double curvature = 0.0;
    for (size_t i = 0; i < n; ++i) curvature += s->direction[i] * s->rate[i];
    if (curvature > 0.0 && !alone) step = fmin(step, -slope / (2.0 * curvature));
    if (!(step < DBL_MAX)) step = 0.0;
    for (size_t i = 0; i < n; ++i) s->z[i] = fmax(s->z[i] + step * s->direction[i], 0.0);
    abuti_active_set_slacks(s);
    s->set_count = 0;
    double f = 0.0;
    for (size_t i = 0; i < n; ++i) f += s->z[i] * s->w[i];
    abuti_active_set_trace(s, "boundary", f, NAN, step);
}

bool abuti_active_set_phase1(abuti_active_set *s)
{
    const abut_lcp_active_set_options *o = &s->options->active_set;
    double radius = o->radius > 0.0 ? o->radius : radius_from_data(s);
    int max_cuts = o->max_cuts > 0 ? o->max_cuts : o->alone ? paper_limit(s) : 40 * (s->n + 1);
    for (int k = 0; k <= (o->alone ? 0 : growths); ++k, radius *= growth) {
        search result = shrink_ellipsoid(s, radius, max_cuts);
        if (result == spent) break;
        if (result == outside) continue;
        for (int i = 0; i < s->n; ++i) s->z[i] = fmax(s->z[i], 0.0);
        abuti_active_set_slacks(s);
        step_to_boundary(s);
        return true;
    }
    s->answer->stall = ABUT_LCP_STALL_NOT_FEASIBLE;
    s->set_count = 0;
    return false;
}
