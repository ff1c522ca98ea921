/* Included by lloyd/passes.c, lloyd/passes_avx2.c and lloyd/passes_avx512.c.
 *
 * The passes of lloyd/passes.h; the including file names their table, LLOYD_PASSES, and says how many doubles
 * a register holds, LLOYD_WIDTH. */
#include "contact/lloyd/passes.h"
#include "linalg/kernels.h"
#include <math.h>

#define LANES for (int l = 0; l < ABUTI_LANES; ++l)

static void add_products(int lanes, int dim, const double *restrict rows, const double *restrict v,
                         double *restrict u)
{
    for (int i = 0; i < lanes; i += ABUTI_LANES) {
        double sum[ABUTI_LANES];
        LANES sum[l] = u[i + l];
        for (int c = 0; c < dim; ++c) {
            const double *restrict row = rows + (long)c * lanes + i, *restrict at = v + (long)c * lanes + i;
            LANES sum[l] += row[l] * at[l];
        }
        LANES u[i + l] = sum[l];
    }
}

static void normals(int lanes, const double *restrict u, const double *restrict cover, double z0,
                    double *restrict out)
{
    for (int i = 0; i < lanes; ++i) out[i] = u[i] + cover[i] * z0;
}

static void cones(int lanes, const double *restrict mu, const double *restrict theta,
                  const double *restrict sum, const double *restrict cover, double z0, double *restrict out)
{
    for (int i = 0; i < lanes; ++i) out[i] = mu[i] * theta[i] - sum[i] + cover[i] * z0;
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
    for (int i = 0; i < lanes; ++i) {
        double a = x[i] * factor, b = y[i] * factor, r = a * a + b * b;
        reach[i] = r > reach[i] ? r : reach[i];
    }
}

/* One register of lanes, loaded from any array of doubles. The ratio test keeps several at once, which
 * compilers do not do with arrays of lanes. Minima and maxima do not depend on their order. */
typedef double vec __attribute__((vector_size(8 * LLOYD_WIDTH), aligned(8), may_alias));
typedef long long mask __attribute__((vector_size(8 * LLOYD_WIDTH), aligned(8), may_alias));

static inline vec choose(mask which, vec a, vec b)
{
    return (vec)(((mask)a & which) | ((mask)b & ~which));
}

static inline vec load(const double *x)
{
    return *(const vec *)x;
}

static inline vec size_of(vec x)
{
    const vec zero = {0};
    return choose(x > zero, x, -x);
}

static double longest_step(int count, const double *restrict value, const double *restrict rate,
                           const double *restrict cover, const abuti_lloyd_limits *limits)
{
    const vec zero = {0};
    double noise = limits->noise, cover_noise = limits->cover_noise, slack = limits->slack;
    vec least = zero + INFINITY;
    for (int i = 0; i < count; i += LLOYD_WIDTH) {
        vec fall = -load(rate + i), held = load(value + i);
        held = choose(held > zero, held, zero);
        vec step = choose(fall > noise + cover_noise * size_of(load(cover + i)), (held + slack) / fall,
                          zero + INFINITY);
        least = choose(step < least, step, least);
    }
    double all = INFINITY;
    for (int l = 0; l < LLOYD_WIDTH; ++l) all = least[l] < all ? least[l] : all;
    return all;
}

static int steepest(int count, const double *restrict value, const double *restrict rate,
                    const double *restrict cover, const abuti_lloyd_limits *limits)
{
    const vec zero = {0};
    double noise = limits->noise, cover_noise = limits->cover_noise, longest = limits->longest;
    vec most = zero, where = zero - 1;
    for (int i = 0; i < count; i += LLOYD_WIDTH) {
        vec fall = -load(rate + i), first = zero + i;
        mask chosen = (fall > most) & (fall > noise + cover_noise * size_of(load(cover + i))) &
                      (load(value + i) <= longest * fall);
        where = choose(chosen, first, where);
        most = choose(chosen, fall, most);
    }
    double top = 0;
    int index = -1;
    for (int l = 0; l < LLOYD_WIDTH; ++l) {
        int at = (int)where[l] + l;
        if (where[l] < 0 || most[l] < top || (most[l] == top && at > index)) continue;
        index = at;
        top = most[l];
    }
    return index;
}

const abuti_lloyd_passes LLOYD_PASSES = {add_products, normals,      cones,   tangents,
                                         reaches,      longest_step, steepest};
