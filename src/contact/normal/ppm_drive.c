/* Driving, for the problems on which principal pivoting repeats itself or meets a dependent row.
 *
 * Dantzig's method (notes of Baraff's section on frictionless contact, Drumwright's fallback): keep
 * z >= 0 and w = 0 on the set; take the worst w_d, raise z_d, and let the set follow,
 *
 *     dz_d = 1,   dz_S = -F_SS^-1 F_Sd,   dw_d = F_dd - F_dS F_SS^-1 F_Sd >= 0,
 *
 * until w_d = 0 (d joins the set) or some z_j = 0 (j leaves it, and the drive goes on). For a row that
 * depends on the set dw_d = 0: the drive runs along a self-stress until a z_j blocks, which makes d
 * independent. If nothing blocks there is no solution: the direction is the ray.
 *
 * A row with two bounds is driven up or down, from where it is, until w_d = 0 or it meets a bound; in the set it blocks at
 * both. What is driven lowers |v - k|^2 / 2 plus what bounds cost, which is convex, so that no set comes twice. */
#include "contact/normal/normal.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* How far z of lane i is beyond its bounds. */
static double beyond(const abuti_normal *s, int i)
{
    return fmax(abuti_normal_least(s, i) - s->z[i], s->z[i] - s->half[i]);
}

/* Makes a set with z within its bounds to start from: what is beyond them leaves, the worst first. */
static void drop_negatives(abuti_normal *s)
{
    while (!abuti_normal_spent(s)) {
        abuti_ppm_solve(s);
        int worst = -1;
        for (int j = 0; j < s->set_count; ++j) {
            double by = beyond(s, s->set[j]);
            if (by > 0.0 && (worst < 0 || by > beyond(s, s->set[worst]))) worst = j;
        }
        if (worst < 0) return;
        int i = s->set[worst];
        abuti_ppm_remove(s, worst, s->z[i] > 0.0 ? s->half[i] : abuti_normal_least(s, i));
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

/* How far z of lane i can go at a rate before it meets a bound. */
static double way(const abuti_normal *s, int i, double rate)
{
    if (rate < 0.0) return (s->z[i] - abuti_normal_least(s, i)) / -rate;
    return rate > 0.0 ? (s->half[i] - s->z[i]) / rate : INFINITY;
}

/* Drives w_d to zero, or z_d to a bound: upwards (1) where it is negative, downwards (-1) where it is positive. */
static abut_outcome drive(abuti_normal *s, int d)
{
    double velocity = s->w[d], sense = velocity < 0.0 ? 1.0 : -1.0;
    abuti_normal_push(s, d, 0.0); /* it counts no more where it was */
    for (;;) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
        double rate = abuti_ppm_remainder(s, d), own = way(s, d, sense);
        double step = rate > 0.0 ? -sense * velocity / rate : DBL_MAX;
        int blocking = -1;
        for (int j = 0; j < s->set_count; ++j) {
            double limit = way(s, s->set[j], -sense * s->unknowns[j]);
            if (limit < step) {
                step = limit;
                blocking = j;
            }
        }
        bool bound = own <= step;
        if (bound) step = own;
        if (!(step < DBL_MAX)) {
            if (!(s->z[d] == 0.0 && velocity >= -blur * s->tolerance)) return ray(s, d);
            s->immobile[d] = s->blurred[d] = true;
            return ABUT_SOLVED;
        }
        s->z[d] += sense * step;
        velocity += sense * step * rate;
        for (int j = 0; j < s->set_count; ++j) {
            int i = s->set[j];
            s->z[i] =
                fmin(fmax(s->z[i] - sense * step * s->unknowns[j], abuti_normal_least(s, i)), s->half[i]);
        }
        s->pivots++;
        if (bound) {
            s->z[d] = sense * s->half[d];
            abuti_normal_push(s, d, s->z[d]);
            return ABUT_SOLVED;
        }
        if (blocking < 0) return abuti_ppm_insert(s, d) ? ABUT_SOLVED : ABUT_FAILED;
        int i = s->set[blocking];
        bool up = -sense * s->unknowns[blocking] > 0.0;
        abuti_ppm_remove(s, blocking, up ? s->half[i] : abuti_normal_least(s, i));
    }
}

/* How wrong w of lane i is, where it is not in the set: against contacts, or against a row that could push more. */
static double wrong(const abuti_normal *s, int i)
{
    if (s->immobile[i]) return 0.0;
    bool up = s->w[i] < 0.0;
    double room = up ? s->half[i] - s->z[i] : s->z[i] - abuti_normal_least(s, i);
    return room > 0.0 ? fabs(s->w[i]) : 0.0;
}

static int worst_velocity(const abuti_normal *s)
{
    int d = -1;
    double most = s->tolerance;
    for (int i = 0; i < s->n; ++i) {
        double by = wrong(s, i);
        if (!(by > most)) continue;
        most = by;
        d = i;
    }
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
