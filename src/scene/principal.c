/* Principal axes of meshes as MuJoCo finds them. It turns a matrix of inertia by Jacobi's rotations until the next one
 * is smaller than about 3e-7 rad, and keeps the diagonal; what is left beside it is lost. This file does the same, so
 * that nine digits agree with MuJoCo for nearly every mesh; exact axes would agree in seven. */
#include "scene/reader.h"

#include "base/space.h"
#include <math.h>

/* A rotation whose cosine is nearer to 1 than this is not taken. */
#define SMALL 4e-14
#define ROTATIONS_MAX 500

void abuti_inertia_settle(double inertia[6])
{
    /* For each axis, the place of the entry of the two other axes: x: yz, y: xz, z: xy. */
    static const int beside[3] = {5, 4, 3};
    double quat[4] = {1, 0, 0, 0}, now[6], back[4];
    for (int round = 0; round < ROTATIONS_MAX; ++round) {
        abuti_quat_conjugate(back, quat);
        abuti_inertia_turn(now, inertia, back);
        int axis = fabs(now[3]) > fabs(now[4]) && fabs(now[3]) > fabs(now[5]) ? 2
                   : fabs(now[4]) > fabs(now[5])                              ? 1
                                                                              : 0;
        double entry = now[beside[axis]];
        if (entry == 0) break;
        /* The rotation about this axis that makes the entry vanish: tan(angle) = t, the smaller solution. */
        int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
        double tau = (now[b] - now[a]) / (2 * entry);
        double t = tau >= 0 ? 1 / (tau + sqrt(1 + tau * tau)) : -1 / (-tau + sqrt(1 + tau * tau));
        double cosine = 1 / sqrt(1 + t * t);
        if (cosine > 1 - SMALL) break;
        double half = sqrt(0.5 - 0.5 * cosine), turn[4] = {0};
        turn[1 + axis] = (tau >= 0 ? -half : half) * (axis == 1 ? -1 : 1);
        turn[0] = sqrt(1 - half * half);
        abuti_quat_multiply(quat, quat, turn);
        abuti_quat_normalise(quat);
    }
    now[3] = now[4] = now[5] = 0;
    abuti_inertia_turn(inertia, now, quat);
}
