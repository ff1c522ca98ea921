/* Sines, cosines and angles with the same bits everywhere.
 *
 * C leaves the last bits of sin, cos and atan2 to the library. These are made of sums, products, quotients and square
 * roots, which are rounded in one way only; they are right to a few units in the last place for |angle| up to 1e6. */
#ifndef ABUTI_BASE_ANGLE_H
#define ABUTI_BASE_ANGLE_H

#define ABUTI_PI 3.14159265358979323846

void abuti_sine_cosine(double angle, double *sine, double *cosine);

/* The angle of the point (x, y), -pi .. pi; 0 for the origin. */
double abuti_angle_of(double y, double x);

/* The quaternion that turns by the rotation vector (axis times angle). */
void abuti_quat_from_vector(double out[4], const double vector[3]);

/* The rotation vector of a quaternion, of length 0 .. pi. */
void abuti_quat_to_vector(double out[3], const double q[4]);

#endif
