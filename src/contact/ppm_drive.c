/* Driving, for the problems on which principal pivoting repeats itself or meets a dependent row.
 *
 * Dantzig's method (notes of Baraff's section on frictionless contact, Drumwright's fallback): keep
 * z >= 0 and w = 0 on the set; take the worst w_d, raise z_d, and let the set follow,
 *
 *     dz_d = 1,   dz_S = -F_SS^-1 F_Sd,   dw_d = F_dd - F_dS F_SS^-1 F_Sd >= 0,
 *
 * until w_d = 0 (d joins the set) or some z_j = 0 (j leaves it, and the drive goes on). For a row that
 * depends on the set dw_d = 0: the drive runs along a self-stress until a z_j blocks, which makes d
 * independent. If nothing blocks there is no solution: the direction is the ray. */
#include "contact/normal.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Below this part of F_dd the driven velocity does not rise: the row depends on the set. */
static const double still = 1e-10;

/* A set with z >= 0 to start from: negatives leave, the worst first. */
static void drop_negatives(abuti_normal *s)
{
    for (;;) {
        abuti_ppm_solve(s);
        int worst = -1;
        for (int j = 0; j < s->set_count; ++j)
            if (s->z[s->set[j]] < 0.0 && (worst < 0 || s->z[s->set[j]] < s->z[s->set[worst]])) worst = j;
        if (worst < 0) return;
        abuti_ppm_remove(s, worst);
        s->pivots++;
    }
}

/* unknowns = F_SS^-1 F_Sd; returns dw_d. */
static double drive_rates(abuti_normal *s, int d)
{
    const double *row = abuti_normal_row(s, d);
    for (int j = 0; j < s->set_count; ++j)
        s->column[j] = s->unknowns[j] = abuti_normal_dot(s, abuti_normal_row(s, s->set[j]), row);
    abuti_cholesky_solve(&s->F, s->unknowns);
    double rate = abuti_normal_dot(s, row, row);
    for (int j = 0; j < s->set_count; ++j) rate -= s->column[j] * s->unknowns[j];
    return rate;
}

static abut_outcome ray(abuti_normal *s, int d)
{
    memset(s->ray, 0, (size_t)s->n * sizeof *s->ray);
    s->ray[d] = 1.0;
    for (int j = 0; j < s->set_count; ++j) s->ray[s->set[j]] = -s->unknowns[j];
    return ABUT_RAY;
}

/* Drives w_d to zero. */
static abut_outcome drive(abuti_normal *s, int d)
{
    const double size = abuti_normal_dot(s, abuti_normal_row(s, d), abuti_normal_row(s, d));
    double velocity = s->w[d];
    for (;;) {
        double rate = drive_rates(s, d);
        double full = rate > still * size ? -velocity / rate : DBL_MAX, step = full;
        int blocking = -1;
        for (int j = 0; j < s->set_count; ++j) {
            if (!(s->unknowns[j] > 0.0)) continue;
            double limit = s->z[s->set[j]] / s->unknowns[j];
            if (limit < step) {
                step = limit;
                blocking = j;
            }
        }
        if (!(step < DBL_MAX)) return ray(s, d);
        s->z[d] += step;
        velocity += step * fmax(rate, 0.0);
        for (int j = 0; j < s->set_count; ++j)
            s->z[s->set[j]] = fmax(s->z[s->set[j]] - step * s->unknowns[j], 0.0);
        s->pivots++;
        if (blocking < 0) return abuti_ppm_insert(s, d) ? ABUT_SOLVED : ABUT_FAILED;
        abuti_ppm_remove(s, blocking);
    }
}

static int worst_velocity(const abuti_normal *s)
{
    int d = -1;
    for (int i = 0; i < s->n; ++i)
        if (s->w[i] < -s->tolerance && !s->immobile[i] && (d < 0 || s->w[i] < s->w[d])) d = i;
    return d;
}

abut_outcome abuti_ppm_drive(abuti_normal *s, const abuti_stage_context *context)
{
    const int most = 20 * (s->n + s->dof) + 100;
    drop_negatives(s);
    for (int turn = 0; turn < most; ++turn) {
        if (s->pivots >= context->pivots_left) return ABUT_LIMIT;
        abuti_normal_velocities(s);
        for (int j = 0; j < s->set_count; ++j) s->w[s->set[j]] = 0.0;
        int d = worst_velocity(s);
        if (d < 0) {
            drop_negatives(s);
            abuti_normal_velocities(s);
            return worst_velocity(s) < 0 ? ABUT_SOLVED : ABUT_FAILED;
        }
        abut_outcome outcome = drive(s, d);
        if (outcome != ABUT_SOLVED) return outcome;
    }
    return ABUT_FAILED;
}
