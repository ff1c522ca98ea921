/* What the end of Lemke's path on a ray tells: the ray, and a proof of infeasibility where there is one. */
#include "lcp/lemke_basis.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Entries of a direction or a multiplier below this part of the largest are rounding noise. */
#define NOISE 1e-13
/* The linear program behind a proof takes a few pivots a variable; beyond this it is given up. */
#define FARKAS_PIVOTS_PER_VARIABLE 10

/* Noise to zero, largest entry to one; false when an entry is negative or all are zero. */
static bool clean(int n, double *u)
{
    double size = 0, least = 0;
    for (int i = 0; i < n; ++i) size = fmax(size, fabs(u[i]));
    for (int i = 0; i < n; ++i) least = fmin(least, u[i]);
    if (!(size > 0 && isfinite(size)) || least < -NOISE * size) return false;
    for (int i = 0; i < n; ++i) u[i] = u[i] > NOISE * size ? u[i] / size : 0;
    return true;
}

void abuti_lemke_ray(const abuti_lemke *s, double *ray)
{
    memset(ray, 0, (size_t)s->n * sizeof(double));
    for (int j = 0; j < s->inverse.m; ++j) {
        if (s->column[j] < s->n && s->dx[j] > NOISE * s->dz_size) ray[s->column[j]] = s->dx[j];
    }
    if (!s->driving_w) ray[s->missing] = 1;
}

double abuti_lemke_strength(abuti_lemke *s, double *u)
{
    const abuti_lcp *p = s->problem;
    if (!clean(s->n, u)) return 0;
    const abuti_kernels *k = s->inverse.kernels;
    double *image = s->scratch, matrix_size = 0, sum = 0, most = 0;
    memset(image, 0, (size_t)s->n * sizeof(double));
    k->add_transposed(p->n, p->n, p->M, p->ld, u, image);
    for (int i = 0; i < p->n; ++i) {
        matrix_size = fmax(matrix_size, k->max_abs(p->n, p->M + (size_t)i * (size_t)p->ld));
        sum += u[i];
        most = fmax(most, image[i]);
    }
    double gain = -k->dot(p->n, p->q, u) / s->q_size;
    double rounding = DBL_EPSILON * sum * matrix_size;
    if (!(gain > 0)) return 0;
    return matrix_size > 0 ? gain * matrix_size / fmax(most, rounding) : INFINITY;
}

/* The z0 row u of H as a vector over the rows of M, and M'u. */
static void multipliers(const abuti_lemke *s, double *u, double *image)
{
    const abuti_lcp *p = s->problem;
    const double *z0_row = abuti_inverse_row(&s->inverse, ABUTI_LEMKE_Z0);
    memset(u, 0, (size_t)s->n * sizeof(double));
    memset(image, 0, (size_t)s->n * sizeof(double));
    for (int t = 0; t < s->inverse.m; ++t) {
        int i = s->row[t];
        u[i] = z0_row[t];
        s->inverse.kernels->axpy(s->n, u[i], p->M + (size_t)i * (size_t)p->ld, image);
    }
}

/* Sets the driving variable to the one whose growth lowers z0 fastest; false when there is none. */
static bool choose_descent(abuti_lemke *s, const double *u, const double *image)
{
    double size = s->inverse.kernels->max_abs(s->n, u), best = NOISE * s->n * size;
    bool found = false;
    for (int i = 0; i < s->n; ++i) {
        double by_w = -u[i], by_z = s->column_slot[i] < 0 ? image[i] : 0;
        if (!(fmax(by_w, by_z) > best)) continue;
        best = fmax(by_w, by_z);
        s->missing = i;
        s->driving_w = by_w >= by_z;
        found = true;
    }
    return found;
}

/* Lowers z0 as far as it goes, by the simplex method from the basis the ray left us, with the same moves
 * of the basis; complementarity no longer matters. With u the z0 row of H we have u'M_j = 0 for basic
 * z_j and u'c = 1, so that every feasible point has
 *
 *     z0 = -q'u - (M'u)'z + u'w.
 *
 * When no variable lowers z0 any more, u >= 0 and M'u <= 0; then -q'u, the present z0, is a lower bound
 * for it, and if it is positive, u proves that z0 = 0 is out of reach: Farkas. When z0 does leave, the
 * inequalities have a solution, and only complementarity failed. */
static bool lower_z0(abuti_lemke *s, double *u)
{
    double *image = s->lu.A;
    for (int pivots = 0; pivots < FARKAS_PIVOTS_PER_VARIABLE * (s->n + 1); ++pivots) {
        multipliers(s, u, image);
        if (!choose_descent(s, u, image)) return true;
        if (!abuti_lemke_evaluate(s)) return false;
        abuti_lemke_leaving leaving = abuti_lemke_ratio_test(s, false);
        if (leaving.kind == ABUTI_LEMKE_NONE) return false;
        if (abuti_lemke_is_z0(leaving)) return false;
        abuti_lemke_pivot(s, leaving);
    }
    return false;
}

/* For positive semidefinite M the ray itself is the proof: complementarity along it gives
 * dz'(M + M')dz = 0, hence M'dz = -M dz = -dw <= 0, while q'dz < 0 (Cottle, Pang and Stone, 4.4). For
 * other matrices a linear program decides. */
double abuti_lemke_witness(abuti_lemke *s, const double *ray, double *u)
{
    memcpy(u, ray, (size_t)s->n * sizeof(double));
    double strength = abuti_lemke_strength(s, u);
    if (strength >= ABUTI_LEMKE_PROOF) return strength;
    return lower_z0(s, u) ? abuti_lemke_strength(s, u) : 0;
}
