/* The passes of lloyd_passes.h; the including file names their table, LLOYD_PASSES. */
#include "contact/lloyd_passes.h"
#include "linalg/kernels.h"
#include <math.h>
#include <stdbool.h>

#define LANES for (int l = 0; l < ABUTI_LANES; l++)

static void add_products(int lanes, int dim, const double *restrict rows, const double *restrict v,
                         double *restrict u)
{
    for (int i = 0; i < lanes; i += ABUTI_LANES) {
        double sum[ABUTI_LANES];
        LANES sum[l] = u[i + l];
        for (int c = 0; c < dim; c++) {
            const double *restrict row = rows + (long)c * lanes + i, *restrict at = v + (long)c * lanes + i;
            LANES sum[l] += row[l] * at[l];
        }
        LANES u[i + l] = sum[l];
    }
}

static void normals(int lanes, const double *restrict u, const double *restrict cover, double z0,
                    double *restrict out)
{
    for (int i = 0; i < lanes; i++) out[i] = u[i] + cover[i] * z0;
}

static void cones(int lanes, const double *restrict mu, const double *restrict theta,
                  const double *restrict sum, const double *restrict cover, double z0, double *restrict out)
{
    for (int i = 0; i < lanes; i++) out[i] = mu[i] * theta[i] - sum[i] + cover[i] * z0;
}

static void tangents(int count, const double *restrict dx, const double *restrict dy,
                     const double *restrict cover, const double *restrict real, const double u[2], double z0,
                     double shift, double *restrict out)
{
    double ux = u[0], uy = u[1];
    for (int i = 0; i < count; i += ABUTI_LANES)
        LANES out[i + l] = dx[i + l] * ux + dy[i + l] * uy + cover[i + l] * z0 + real[i + l] * shift;
}

static void reaches(int lanes, const double *restrict x, const double *restrict y, double factor,
                    double *restrict reach)
{
    for (int i = 0; i < lanes; i++) {
        double a = x[i] * factor, b = y[i] * factor, r = a * a + b * b;
        reach[i] = r > reach[i] ? r : reach[i];
    }
}

static double longest_step(int count, const double *restrict value, const double *restrict rate,
                           const double *restrict cover, const abuti_lloyd_limits *limits)
{
    double noise = limits->noise, cover_noise = limits->cover_noise, slack = limits->slack;
    double least[ABUTI_LANES];
    LANES least[l] = INFINITY;
    for (int i = 0; i < count; i += ABUTI_LANES) {
        double step[ABUTI_LANES];
        LANES
        {
            double fall = -rate[i + l], held = value[i + l] > 0 ? value[i + l] : 0;
            double quotient = (held + slack) / fall;
            step[l] = fall > noise + cover_noise * cover[i + l] ? quotient : INFINITY;
        }
        LANES least[l] = step[l] < least[l] ? step[l] : least[l];
    }
    double all = INFINITY;
    LANES all = least[l] < all ? least[l] : all;
    return all;
}

static int steepest(int count, const double *restrict value, const double *restrict rate,
                    const double *restrict cover, const abuti_lloyd_limits *limits)
{
    double noise = limits->noise, cover_noise = limits->cover_noise, longest = limits->longest;
    double most[ABUTI_LANES] = {0}, where[ABUTI_LANES];
    LANES where[l] = -1;
    for (int i = 0; i < count; i += ABUTI_LANES) {
        double fall[ABUTI_LANES], at = i;
        LANES
        {
            double down = -rate[i + l], held = value[i + l] > 0 ? value[i + l] : 0;
            double kept = held <= longest * down ? down : 0;
            fall[l] = down > noise + cover_noise * cover[i + l] ? kept : 0;
        }
        LANES where[l] = fall[l] > most[l] ? at + l : where[l];
        LANES most[l] = fall[l] > most[l] ? fall[l] : most[l];
    }
    double top = 0;
    int index = -1;
    LANES
    {
        bool better = most[l] > top || (most[l] == top && index >= 0 && where[l] >= 0 && where[l] < index);
        index = better ? (int)where[l] : index;
        top = better ? most[l] : top;
    }
    return index;
}

const abuti_lloyd_passes LLOYD_PASSES = {add_products, normals,      cones,   tangents,
                                         reaches,      longest_step, steepest};
