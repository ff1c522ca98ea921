/* Sines, cosines and angles with the same bits everywhere: angle.h. */
#include "base/angle.h"
#include "base/space.h"
#include <math.h>

/* pi/2 in three parts of 33, 33 and 53 bits: a multiple below 2^20 of the first two is exact. */
#define HALF_PI_HIGH 0x1.921fb544p+0
#define HALF_PI_MIDDLE 0x1.0b4611a6p-34
#define HALF_PI_LOW 0x1.3198a2e037073p-69

/* Taylor's series for |x| <= pi/4; the first term left out is below 1e-19 of the value. */
static double series(double start, double square, double first, int terms)
{
    double sum = 0, factors[12], k = first;
    for (int i = 0; i < terms; ++i, k += 2) factors[i] = -square / (k * (k + 1));
    for (int i = terms - 1; i >= 0; --i) sum = factors[i] * (1 + sum);
    return start + start * sum;
}

void abuti_sine_cosine(double angle, double *sine, double *cosine)
{
    double turns = floor(angle / HALF_PI_HIGH + 0.5);
    double x = ((angle - turns * HALF_PI_HIGH) - turns * HALF_PI_MIDDLE) - turns * HALF_PI_LOW;
    double s = series(x, x * x, 2, 9), c = series(1, x * x, 1, 9);
    double quarter = turns - 4 * floor(turns / 4);
    if (quarter == 0) {
        *sine = s;
        *cosine = c;
    } else if (quarter == 1) {
        *sine = c;
        *cosine = -s;
    } else if (quarter == 2) {
        *sine = -s;
        *cosine = -c;
    } else {
        *sine = -c;
        *cosine = s;
    }
}

/* atan t for 0 <= t <= 1: atan t = 2 atan(t / (1 + sqrt(1 + t^2))), three times, then its series. */
static double small_angle(double t)
{
    for (int k = 0; k < 3; ++k) t = t / (1 + sqrt(1 + t * t));
    double square = t * t, sum = 0;
    for (int k = 21; k >= 3; k -= 2) sum = square * (1.0 / k - sum);
    return 8 * (t - t * sum);
}

double abuti_angle_of(double y, double x)
{
    double a = fabs(x), b = fabs(y);
    if (a == 0 && b == 0) return 0;
    double angle = b <= a ? small_angle(b / a) : HALF_PI_HIGH + HALF_PI_MIDDLE - small_angle(a / b);
    if (x < 0) angle = ABUTI_PI - angle;
    return y < 0 ? -angle : angle;
}

void abuti_quat_from_vector(double out[4], const double vector[3])
{
    double angle = abuti_v3_length(vector), s, c;
    abuti_sine_cosine(0.5 * angle, &s, &c);
    /* sin(angle / 2) / angle tends to 1/2. */
    double scale = angle > 1e-150 ? s / angle : 0.5;
    out[0] = c;
    for (int k = 0; k < 3; ++k) out[k + 1] = scale * vector[k];
}

void abuti_quat_to_vector(double out[3], const double q[4])
{
    double s = abuti_v3_length(q + 1);
    double sign = q[0] < 0 ? -1 : 1;
    double angle = 2 * abuti_angle_of(s, sign * q[0]);
    abuti_v3_scale(out, s > 1e-150 ? sign * angle / s : 2 * sign, q + 1);
}
