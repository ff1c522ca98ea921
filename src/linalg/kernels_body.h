/* The kernels themselves (kernels.h), included by one file an instruction set, which defines
 * KERNELS_TABLE, the name of the table, and KERNELS_NAME, the variant's name.
 *
 * Inner loops run over exactly ABUTI_LANES elements: compilers turn these into vector instructions
 * without reordering a single operation. */
#include "linalg/kernels.h"
#include <math.h>

#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
/* Asked for by name, since contraction is off: one rounding. */
static inline double multiply_add(double a, double b, double c)
{
    return fma(a, b, c);
}
#else
static inline double multiply_add(double a, double b, double c)
{
    return a * b + c;
}
#endif

/* Eight partial sums, added as a tree: the order a vector register is folded in. */
static inline double fold(const double s[ABUTI_LANES])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static double dot(int n, const double *restrict x, const double *restrict y)
{
    double sum[ABUTI_LANES] = {0};
    int i = 0;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; l++) sum[l] = multiply_add(x[i + l], y[i + l], sum[l]);
    }
    for (int l = 0; i < n; i++, l++) sum[l] = multiply_add(x[i], y[i], sum[l]);
    return fold(sum);
}

static void axpy(int n, double a, const double *restrict x, double *restrict y)
{
    int i = 0;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; l++) y[i + l] = multiply_add(a, x[i + l], y[i + l]);
    }
    for (; i < n; i++) y[i] = multiply_add(a, x[i], y[i]);
}

static void scaled_copy(int n, double a, const double *restrict x, double *restrict y)
{
    int i = 0;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; l++) y[i + l] = a * x[i + l];
    }
    for (; i < n; i++) y[i] = a * x[i];
}

static double max_abs(int n, const double *x)
{
    double most[ABUTI_LANES] = {0};
    int i = 0;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; l++) {
            double size = fabs(x[i + l]);
            most[l] = size > most[l] ? size : most[l];
        }
    }
    double all = 0;
    for (; i < n; i++) all = fabs(x[i]) > all ? fabs(x[i]) : all;
    for (int l = 0; l < ABUTI_LANES; l++) all = most[l] > all ? most[l] : all;
    return all;
}

static void rank_one(int rows, int cols, double *restrict A, int ld, const double *restrict x,
                     const double *restrict y)
{
    for (int i = 0; i < rows; i++) axpy(cols, x[i], y, A + (long)i * ld);
}

/* Four rows at a time: four independent chains of additions hide each other's latency. */
static void multiply(int rows, int cols, const double *restrict A, int ld, const double *restrict x,
                     double *restrict y)
{
    int whole = cols - cols % ABUTI_LANES, i = 0;
    for (; i + 4 <= rows; i += 4) {
        const double *a = A + (long)i * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        double s[4][ABUTI_LANES] = {{0}};
        for (int j = 0; j < whole; j += ABUTI_LANES) {
            for (int l = 0; l < ABUTI_LANES; l++) s[0][l] = multiply_add(a[j + l], x[j + l], s[0][l]);
            for (int l = 0; l < ABUTI_LANES; l++) s[1][l] = multiply_add(b[j + l], x[j + l], s[1][l]);
            for (int l = 0; l < ABUTI_LANES; l++) s[2][l] = multiply_add(c[j + l], x[j + l], s[2][l]);
            for (int l = 0; l < ABUTI_LANES; l++) s[3][l] = multiply_add(d[j + l], x[j + l], s[3][l]);
        }
        for (int j = whole, l = 0; j < cols; j++, l++) {
            s[0][l] = multiply_add(a[j], x[j], s[0][l]);
            s[1][l] = multiply_add(b[j], x[j], s[1][l]);
            s[2][l] = multiply_add(c[j], x[j], s[2][l]);
            s[3][l] = multiply_add(d[j], x[j], s[3][l]);
        }
        for (int r = 0; r < 4; r++) y[i + r] = fold(s[r]);
    }
    for (; i < rows; i++) y[i] = dot(cols, A + (long)i * ld, x);
}

/* y += x0 a + x1 b + x2 c + x3 d, rounded as four axpy would: y stays in registers meanwhile. */
static inline double add_four(double y, double x0, double a, double x1, double b, double x2, double c,
                              double x3, double d)
{
    return multiply_add(x3, d, multiply_add(x2, c, multiply_add(x1, b, multiply_add(x0, a, y))));
}

static void add_transposed(int rows, int cols, const double *restrict A, int ld, const double *restrict x,
                           double *restrict y)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        const double *a = A + (long)i * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        double x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
        int j = 0;
        for (; j + ABUTI_LANES <= cols; j += ABUTI_LANES) {
            for (int l = j; l < j + ABUTI_LANES; l++)
                y[l] = add_four(y[l], x0, a[l], x1, b[l], x2, c[l], x3, d[l]);
        }
        for (; j < cols; j++) y[j] = add_four(y[j], x0, a[j], x1, b[j], x2, c[j], x3, d[j]);
    }
    for (; i < rows; i++) axpy(cols, x[i], A + (long)i * ld, y);
}

/* One ratio, or the best so far if i does not fall or is no better; divisions by what does not fall are made
 * and thrown away, so that there is no branch. */
static inline double better_ratio(double best, double value, double rate, double size, const double floor[2],
                                  const double slack[2])
{
    double fall = -rate, room = value > 0 ? value : 0;
    double ratio = (room + multiply_add(slack[1], size, slack[0])) / fall;
    ratio = fall > multiply_add(floor[1], size, floor[0]) ? ratio : INFINITY;
    return ratio < best ? ratio : best;
}

static double least_ratio(int n, const double *restrict value, const double *restrict rate,
                          const double *restrict size, const double floor[2], const double slack[2])
{
    double best[ABUTI_LANES], all = INFINITY;
    const double f[2] = {floor[0], floor[1]}, s[2] = {slack[0], slack[1]};
    int i = 0;
    for (int l = 0; l < ABUTI_LANES; l++) best[l] = INFINITY;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; l++)
            best[l] = better_ratio(best[l], value[i + l], rate[i + l], size[i + l], f, s);
    }
    for (; i < n; i++) all = better_ratio(all, value[i], rate[i], size[i], f, s);
    for (int l = 0; l < ABUTI_LANES; l++) all = best[l] < all ? best[l] : all;
    return all;
}

const abuti_kernels KERNELS_TABLE = {
    .name = KERNELS_NAME,
    .dot = dot,
    .axpy = axpy,
    .scaled_copy = scaled_copy,
    .max_abs = max_abs,
    .rank_one = rank_one,
    .multiply = multiply,
    .add_transposed = add_transposed,
    .least_ratio = least_ratio,
};
