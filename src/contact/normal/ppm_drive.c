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
#include "contact/normal/normal.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Makes a set with z >= 0 to start from: contacts with negative z leave, the worst first. */
static void drop_negatives(abuti_normal *s)
{
    while (!abuti_normal_spent(s)) {
        abuti_ppm_solve(s);
        int worst = -1;
        for (int j = 0; j < s->set_count; ++j)
            if (s->z[s->set[j]] < 0.0 && (worst < 0 || s->z[s->set[j]] < s->z[s->set[worst]])) worst = j;
        if (worst < 0) return;
        abuti_ppm_remove(s, worst);
        s->pivots++;
    }
}

/* Of two contacts that oppose each other up to a hair, one cannot be lifted without forces of the inverse size of that
 * hair. Its velocity counts as rounding up to this many times the tolerance; the verifier has the last word. */
static const double blur = 100.0;

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
    double velocity = s->w[d];
    for (;;) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
        double rate = abuti_ppm_remainder(s, d);
        double step = rate > 0.0 ? -velocity / rate : DBL_MAX;
        int blocking = -1;
        for (int j = 0; j < s->set_count; ++j) {
            if (!(s->unknowns[j] > 0.0)) continue;
            double limit = s->z[s->set[j]] / s->unknowns[j];
            if (limit < step) {
                step = limit;
                blocking = j;
            }
        }
        if (!(step < DBL_MAX)) {
            if (!(s->z[d] == 0.0 && velocity >= -blur * s->tolerance)) return ray(s, d);
            s->immobile[d] = s->blurred[d] = true;
            return ABUT_SOLVED;
        }
        s->z[d] += step;
        velocity += step * rate;
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

abut_outcome abuti_ppm_drive(abuti_normal *s)
{
    const int most = 20 * (s->n + s->dof) + 100;
    drop_negatives(s);
    for (int turn = 0; turn < most; ++turn) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
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
