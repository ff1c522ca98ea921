/* The length of a vector in the plane, with the same bits everywhere.
 *
 * C leaves the last bits of hypot to the library: glibc, musl and others round it differently, and a factor
 * that is updated with it then differs too. Products, sums and square roots are rounded in one way only. */
#ifndef ABUTI_BASE_LENGTH_H
#define ABUTI_BASE_LENGTH_H

#include <math.h>

/* sqrt(x^2 + y^2), within two units in the last place; also where the squares overflow or underflow. */
static inline double abuti_length(double x, double y)
{
    double square = x * x + y * y;
    if (square >= 0x1p-900 && square <= 0x1p900) return sqrt(square);
    /* Every other finite pair comes into range when it is multiplied by 2^-600 or by 2^600, which is exact. */
    double scale = square > 1 ? 0x1p-600 : 0x1p600;
    x *= scale;
    y *= scale;
    return sqrt(x * x + y * y) / scale;
}

#endif
