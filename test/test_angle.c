/* Sines, cosines, angles and rotation vectors against libm, and against each other. */
#include "base/angle.h"
#include "base/space.h"
#include "check.h"
#include <math.h>

static void test_sine_and_cosine(void)
{
    double worst = 0;
    for (int i = -200000; i <= 200000; ++i) {
        double x = i * 1e-4 + i * (double)i * 1e-9, s, c;
        abuti_sine_cosine(x, &s, &c);
        worst = fmax(worst, fmax(fabs(s - sin(x)), fabs(c - cos(x))));
    }
    CHECK(worst <= 4e-16);
    double s, c;
    abuti_sine_cosine(0, &s, &c);
    CHECK(s == 0 && c == 1);
    abuti_sine_cosine(1e6, &s, &c);
    CHECK(fabs(s - sin(1e6)) <= 4e-16);
}

static void test_angle_of(void)
{
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        double x = ldexp(cos(i * 0.37), i % 40 - 20), y = ldexp(sin(i * 0.37), i % 40 - 20);
        worst = fmax(worst, fabs(abuti_angle_of(y, x) - atan2(y, x)));
    }
    CHECK(worst <= 1e-15);
    CHECK(abuti_angle_of(0, 0) == 0 && abuti_angle_of(0, 1) == 0);
    CHECK(fabs(abuti_angle_of(1, 0) - ABUTI_PI / 2) <= 1e-15);
    CHECK(fabs(abuti_angle_of(1e-300, -1) - ABUTI_PI) <= 1e-15);
}

static void test_rotation_vectors_return(void)
{
    for (int i = 0; i < 1000; ++i) {
        double v[3] = {sin(i), cos(2.0 * i), sin(3.0 * i + 1)}, q[4], back[3];
        abuti_v3_normalise(v);
        abuti_v3_scale(v, ABUTI_PI * (i % 100) / 100.0 * (i % 3 ? 1 : 1e-9), v);
        abuti_quat_from_vector(q, v);
        CHECK(fabs(q[0] * q[0] + abuti_v3_dot(q + 1, q + 1) - 1) <= 1e-15);
        abuti_quat_to_vector(back, q);
        abuti_v3_sub(back, back, v);
        CHECK(abuti_v3_length(back) <= 1e-14 * (1 + abuti_v3_length(v)));
    }
}

int main(void)
{
    RUN(test_sine_and_cosine);
    RUN(test_angle_of);
    RUN(test_rotation_vectors_return);
    return check_report();
}
