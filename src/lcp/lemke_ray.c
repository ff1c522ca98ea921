/* What the end of Lemke's path on a ray tells: the ray, and a proof of infeasibility where there is one. */
#include "lcp/lemke_basis.h"
#include <math.h>
#include <string.h>

/* Entries of a direction or a multiplier below this part of the largest are rounding noise. */
#define NOISE 1e-13
/* A vector is worth handing to the verifier when -q'u |M| / |q| exceeds max(M'u, 0) by this factor; it
 * asks for 1e6 in the caller's units. */
#define WORTH 1e5

/* Noise to zero, largest entry to one; false when an entry is negative or all are zero. */
static bool clean(int n, double *u)
{
    double size = 0, least = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(u[i]));
    for (int i = 0; i < n; i++) least = fmin(least, u[i]);
    if (!(size > 0 && isfinite(size)) || least < -NOISE * size) return false;
    for (int i = 0; i < n; i++) u[i] = u[i] > NOISE * size ? u[i] / size : 0;
    return true;
}

void abuti_lemke_ray(const abuti_lemke *s, double *ray)
{
    memset(ray, 0, (size_t)s->n * sizeof(double));
    for (int j = 0; j < s->inverse.m; j++) {
        if (s->column[j] < s->n && s->dx[j] > NOISE * s->dz_size) ray[s->column[j]] = s->dx[j];
    }
    if (!s->driving_w) ray[s->missing] = 1;
}

/* How well u proves infeasibility: -q'u |M| / (|q| max(M'u, rounding)); 0 when it proves nothing. */
static double strength(abuti_lemke *s, const double *u)
{
    const abuti_lcp *p = s->problem;
    const abuti_kernels *k = s->inverse.kernels;
    double *image = s->scratch, matrix_size = 0, sum = 0, most = 0;
    memset(image, 0, (size_t)p->n * sizeof(double));
    k->add_transposed(p->n, p->n, p->M, p->ld, u, image);
    for (int i = 0; i < p->n; i++) {
        matrix_size = fmax(matrix_size, k->max_abs(p->n, p->M + (size_t)i * (size_t)p->ld));
        sum += u[i];
        most = fmax(most, image[i]);
    }
    double gain = -k->dot(p->n, p->q, u) / s->q_size;
    double rounding = 1e-16 * sum * matrix_size;
    if (matrix_size == 0) return gain > 0 ? INFINITY : 0;
    return gain > 0 ? gain * matrix_size / fmax(most, rounding) : 0;
}

/* Two vectors can prove that w = q + Mz has no solution z, w >= 0.
 *
 * The ray itself: for positive semidefinite M complementarity along the ray gives dz'(M + M')dz = 0,
 * hence M'dz = -M dz = -dw <= 0, while q'dz < 0 (Cottle, Pang, Stone, section 4.4).
 *
 * The z0 row u of H, as a vector over the rows of B: u'M_j = 0 for basic z_j and u'c = 1, so that every
 * feasible point has z0 = -q'u - (M'u)'z + u'w. If u >= 0 and M'u <= 0, z0 cannot fall below -q'u, its
 * present value, which is positive: least z0 is a linear program, and this basis is optimal for it. */
bool abuti_lemke_witness(abuti_lemke *s, const double *ray, double *u)
{
    int n = s->n;
    double *other = s->lu.A;
    const double *z0_row = abuti_inverse_row(&s->inverse, abuti_lemke_z0_slot(s));
    memset(other, 0, (size_t)n * sizeof(double));
    for (int t = 0; t < s->inverse.m; t++) other[s->row[t]] = z0_row[t];
    memcpy(u, ray, (size_t)n * sizeof(double));

    double ray_strength = clean(n, u) ? strength(s, u) : 0;
    double row_strength = clean(n, other) ? strength(s, other) : 0;
    if (row_strength > ray_strength) memcpy(u, other, (size_t)n * sizeof(double));
    return fmax(ray_strength, row_strength) >= WORTH;
}
