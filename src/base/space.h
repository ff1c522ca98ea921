/* Vectors, matrices and rotations of space, as small functions on arrays.
 *
 * A vector is 3 doubles, a matrix 9, row by row, a quaternion 4: (w, x, y, z), of length 1. Where an argument is named
 * `out` it may be one of the inputs. Nothing here asks libm for more than sqrt, so bits are the same everywhere. */
#ifndef ABUTI_BASE_SPACE_H
#define ABUTI_BASE_SPACE_H

#include <math.h>

static inline void abuti_v3_set(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void abuti_v3_copy(double out[3], const double a[3])
{
    abuti_v3_set(out, a[0], a[1], a[2]);
}

static inline double abuti_v3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void abuti_v3_cross(double out[3], const double a[3], const double b[3])
{
    abuti_v3_set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

static inline void abuti_v3_add(double out[3], const double a[3], const double b[3])
{
    abuti_v3_set(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

static inline void abuti_v3_sub(double out[3], const double a[3], const double b[3])
{
    abuti_v3_set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/* out = a + s b */
static inline void abuti_v3_add_scaled(double out[3], const double a[3], double s, const double b[3])
{
    abuti_v3_set(out, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}

static inline void abuti_v3_scale(double out[3], double s, const double a[3])
{
    abuti_v3_set(out, s * a[0], s * a[1], s * a[2]);
}

static inline double abuti_v3_length(const double a[3])
{
    return sqrt(abuti_v3_dot(a, a));
}

/* Makes the length 1 and returns what it was; a vector of length 0 stays as it is. */
static inline double abuti_v3_normalise(double a[3])
{
    double length = abuti_v3_length(a);
    if (length > 0) abuti_v3_scale(a, 1 / length, a);
    return length;
}

/* out = m a */
static inline void abuti_m3_apply(double out[3], const double m[9], const double a[3])
{
    abuti_v3_set(out, abuti_v3_dot(m, a), abuti_v3_dot(m + 3, a), abuti_v3_dot(m + 6, a));
}

/* out = m' a */
static inline void abuti_m3_apply_transposed(double out[3], const double m[9], const double a[3])
{
    abuti_v3_set(out, m[0] * a[0] + m[3] * a[1] + m[6] * a[2], m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
                 m[2] * a[0] + m[5] * a[1] + m[8] * a[2]);
}

/* out = a b; not in place. */
static inline void abuti_m3_multiply(double out[9], const double a[9], const double b[9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

/* The rotation of a quaternion as a matrix. */
static inline void abuti_m3_from_quat(double out[9], const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y,
           wz = w * z;
    out[0] = 1 - 2 * (yy + zz);
    out[1] = 2 * (xy - wz);
    out[2] = 2 * (xz + wy);
    out[3] = 2 * (xy + wz);
    out[4] = 1 - 2 * (xx + zz);
    out[5] = 2 * (yz - wx);
    out[6] = 2 * (xz - wy);
    out[7] = 2 * (yz + wx);
    out[8] = 1 - 2 * (xx + yy);
}

/* out = a b: first b turns, then a. */
static inline void abuti_quat_multiply(double out[4], const double a[4], const double b[4])
{
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

static inline void abuti_quat_conjugate(double out[4], const double q[4])
{
    out[0] = q[0];
    for (int k = 1; k < 4; ++k) out[k] = -q[k];
}

static inline void abuti_quat_apply(double out[3], const double q[4], const double a[3])
{
    double m[9];
    abuti_m3_from_quat(m, q);
    double turned[3];
    abuti_m3_apply(turned, m, a);
    abuti_v3_copy(out, turned);
}

/* Makes the length 1; a quaternion of length 0 becomes the one of no rotation. */
static inline void abuti_quat_normalise(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (length > 0) {
        for (int k = 0; k < 4; ++k) q[k] /= length;
    } else {
        q[0] = 1;
        q[1] = q[2] = q[3] = 0;
    }
}

#endif
