/* Spatial vectors: 6 numbers, angular then linear, about one point. Inertias: 10 numbers, about the same point: mass;
 * mass times the centre of mass; the moments xx, yy, zz, xy, xz, yz. (Featherstone, Rigid Body Dynamics Algorithms, ch.
 * 2.) */
#ifndef ABUTI_WORLD_SPATIAL_H
#define ABUTI_WORLD_SPATIAL_H

#include "base/space.h"

static inline double abuti_s6_dot(const double a[6], const double b[6])
{
    return abuti_v3_dot(a, b) + abuti_v3_dot(a + 3, b + 3);
}

static inline void abuti_s6_add_scaled(double out[6], double s, const double a[6])
{
    for (int k = 0; k < 6; ++k) out[k] += s * a[k];
}

/* out = v x m, how a motion m that is carried along by v changes; not in place. */
static inline void abuti_s6_cross_motion(double out[6], const double v[6], const double m[6])
{
    double a[3], b[3];
    abuti_v3_cross(out, v, m);
    abuti_v3_cross(a, v, m + 3);
    abuti_v3_cross(b, v + 3, m);
    abuti_v3_add(out + 3, a, b);
}

/* out = v x* f, the same for a force f (torque, force); not in place. */
static inline void abuti_s6_cross_force(double out[6], const double v[6], const double f[6])
{
    double a[3], b[3];
    abuti_v3_cross(a, v, f);
    abuti_v3_cross(b, v + 3, f + 3);
    abuti_v3_add(out, a, b);
    abuti_v3_cross(out + 3, v, f + 3);
}

/* out = S a for a symmetric S: xx, yy, zz, xy, xz, yz. */
static inline void abuti_symmetric_apply(double out[3], const double s[6], const double a[3])
{
    abuti_v3_set(out, s[0] * a[0] + s[3] * a[1] + s[4] * a[2], s[3] * a[0] + s[1] * a[1] + s[5] * a[2],
                 s[4] * a[0] + s[5] * a[1] + s[2] * a[2]);
}

/* Solves I x = a for a symmetric positive definite I (xx, yy, zz, xy, xz, yz), by its adjugate. */
static inline void abuti_symmetric_solve(double x[3], const double s[6], const double a[3])
{
    double adjugate[6] = {s[1] * s[2] - s[5] * s[5], s[0] * s[2] - s[4] * s[4], s[0] * s[1] - s[3] * s[3],
                          s[4] * s[5] - s[3] * s[2], s[3] * s[5] - s[4] * s[1], s[3] * s[4] - s[5] * s[0]};
    double determinant = s[0] * adjugate[0] + s[3] * adjugate[3] + s[4] * adjugate[4];
    abuti_symmetric_apply(x, adjugate, a);
    abuti_v3_scale(x, 1 / determinant, x);
}

/* out = R S R' */
static inline void abuti_symmetric_turn(double out[6], const double r[9], const double s[6])
{
    double columns[9];
    for (int i = 0; i < 3; ++i) abuti_symmetric_apply(columns + 3 * i, s, r + 3 * i); /* row i: (S R')' */
    out[0] = abuti_v3_dot(r, columns);
    out[1] = abuti_v3_dot(r + 3, columns + 3);
    out[2] = abuti_v3_dot(r + 6, columns + 6);
    out[3] = abuti_v3_dot(r, columns + 3);
    out[4] = abuti_v3_dot(r, columns + 6);
    out[5] = abuti_v3_dot(r + 3, columns + 6);
}

/* Adds mass (|c|^2 I - c c'): moments about a point at distance c from the centre of mass. */
static inline void abuti_symmetric_shift(double s[6], double mass, const double c[3])
{
    double xx = c[0] * c[0], yy = c[1] * c[1], zz = c[2] * c[2];
    s[0] += mass * (yy + zz);
    s[1] += mass * (xx + zz);
    s[2] += mass * (xx + yy);
    s[3] -= mass * c[0] * c[1];
    s[4] -= mass * c[0] * c[2];
    s[5] -= mass * c[1] * c[2];
}

/* The momentum of an inertia that moves with v: (angular, linear). */
static inline void abuti_inertia_apply(double out[6], const double inertia[10], const double v[6])
{
    double a[3];
    abuti_symmetric_apply(out, inertia + 4, v);
    abuti_v3_cross(a, inertia + 1, v + 3);
    abuti_v3_add(out, out, a);
    abuti_v3_cross(a, v, inertia + 1);
    for (int k = 0; k < 3; ++k) out[3 + k] = inertia[0] * v[3 + k] + a[k];
}

#endif
