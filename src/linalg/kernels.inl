/* Included by linalg/kernels_avx2.c, linalg/kernels_avx512.c and linalg/kernels_plain.c.
 *
 * The kernels themselves (kernels.h). Each of these files is compiled for an instruction set and defines
 * KERNELS_TABLE, the name of the table, and KERNELS_NAME, the variant's name. */
#include "linalg/kernels.h"
#include "linalg/lanes.h"
#include <math.h>

/* Adds the products past the last whole block to the lanes they belong to, and folds. */
static inline double finish_dot(int whole, int n, const double *x, const double *y, lanes sum)
{
    if (whole == n) return lanes_sum(sum);
    double tail[ABUTI_LANES];
    lanes_store_any(tail, sum);
    for (int i = whole; i < n; ++i) tail[i - whole] = abuti_madd(x[i], y[i], tail[i - whole]);
    return lanes_sum(lanes_load_any(tail));
}

static double dot(int n, const double *x, const double *y)
{
    int whole = n - n % ABUTI_LANES;
    lanes sum = lanes_all(0);
    for (int i = 0; i < whole; i += ABUTI_LANES)
        sum = lanes_madd(lanes_load_any(x + i), lanes_load_any(y + i), sum);
    return finish_dot(whole, n, x, y, sum);
}

static void axpy(int n, double a, const double *x, double *y)
{
    int i = 0;
    lanes factor = lanes_all(a);
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES)
        lanes_store_any(y + i, lanes_madd(factor, lanes_load_any(x + i), lanes_load_any(y + i)));
    for (; i < n; ++i) y[i] = abuti_madd(a, x[i], y[i]);
}

static void scaled_copy(int n, double a, const double *x, double *y)
{
    int i = 0;
    lanes factor = lanes_all(a);
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES)
        lanes_store_any(y + i, lanes_mul(factor, lanes_load_any(x + i)));
    for (; i < n; ++i) y[i] = a * x[i];
}

static double max_abs(int n, const double *x)
{
    double most[ABUTI_LANES] = {0}, all = 0;
    int i = 0;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; ++l) {
            double size = fabs(x[i + l]);
            most[l] = size > most[l] ? size : most[l];
        }
    }
    for (; i < n; ++i) all = fabs(x[i]) > all ? fabs(x[i]) : all;
    for (int l = 0; l < ABUTI_LANES; ++l) all = most[l] > all ? most[l] : all;
    return all;
}

static void rank_one(int rows, int cols, double *A, int ld, const double *x, const double *y)
{
    for (int i = 0; i < rows; ++i) axpy(cols, x[i], y, A + (long)i * ld);
}

/* Four rows at a time: four independent chains of additions hide each other's latency. */
static void multiply(int rows, int cols, const double *A, int ld, const double *x, double *y)
{
    int whole = cols - cols % ABUTI_LANES, i = 0;
    for (; i + 4 <= rows; i += 4) {
        const double *a = A + (long)i * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        lanes sa = lanes_all(0), sb = sa, sc = sa, sd = sa;
        for (int j = 0; j < whole; j += ABUTI_LANES) {
            lanes v = lanes_load_any(x + j);
            sa = lanes_madd(lanes_load_any(a + j), v, sa);
            sb = lanes_madd(lanes_load_any(b + j), v, sb);
            sc = lanes_madd(lanes_load_any(c + j), v, sc);
            sd = lanes_madd(lanes_load_any(d + j), v, sd);
        }
        y[i] = finish_dot(whole, cols, a, x, sa);
        y[i + 1] = finish_dot(whole, cols, b, x, sb);
        y[i + 2] = finish_dot(whole, cols, c, x, sc);
        y[i + 3] = finish_dot(whole, cols, d, x, sd);
    }
    for (; i < rows; ++i) y[i] = dot(cols, A + (long)i * ld, x);
}

/* Two rows and two vectors at a time. */
static void multiply_two(int rows, int cols, const double *A, int ld, const double *x1, const double *x2,
                         double *y1, double *y2)
{
    int whole = cols - cols % ABUTI_LANES, i = 0;
    for (; i + 2 <= rows; i += 2) {
        const double *a = A + (long)i * ld, *b = a + ld;
        lanes a1 = lanes_all(0), a2 = a1, b1 = a1, b2 = a1;
        for (int j = 0; j < whole; j += ABUTI_LANES) {
            lanes v1 = lanes_load_any(x1 + j), v2 = lanes_load_any(x2 + j), va = lanes_load_any(a + j),
                  vb = lanes_load_any(b + j);
            a1 = lanes_madd(va, v1, a1);
            a2 = lanes_madd(va, v2, a2);
            b1 = lanes_madd(vb, v1, b1);
            b2 = lanes_madd(vb, v2, b2);
        }
        y1[i] = finish_dot(whole, cols, a, x1, a1);
        y2[i] = finish_dot(whole, cols, a, x2, a2);
        y1[i + 1] = finish_dot(whole, cols, b, x1, b1);
        y2[i + 1] = finish_dot(whole, cols, b, x2, b2);
    }
    for (; i < rows; ++i) {
        y1[i] = dot(cols, A + (long)i * ld, x1);
        y2[i] = dot(cols, A + (long)i * ld, x2);
    }
}

/* Four blocks of lanes of y stay in registers while all rows pass by. */
static void add_transposed(int rows, int cols, const double *A, int ld, const double *x, double *y)
{
    int j = 0;
    for (; j + 4 * ABUTI_LANES <= cols; j += 4 * ABUTI_LANES) {
        double *out = y + j;
        lanes a = lanes_load_any(out), b = lanes_load_any(out + ABUTI_LANES);
        lanes c = lanes_load_any(out + 2 * ABUTI_LANES), d = lanes_load_any(out + 3 * ABUTI_LANES);
        for (int i = 0; i < rows; ++i) {
            const double *row = A + (long)i * ld + j;
            lanes v = lanes_all(x[i]);
            a = lanes_madd(v, lanes_load_any(row), a);
            b = lanes_madd(v, lanes_load_any(row + ABUTI_LANES), b);
            c = lanes_madd(v, lanes_load_any(row + 2 * ABUTI_LANES), c);
            d = lanes_madd(v, lanes_load_any(row + 3 * ABUTI_LANES), d);
        }
        lanes_store_any(out, a);
        lanes_store_any(out + ABUTI_LANES, b);
        lanes_store_any(out + 2 * ABUTI_LANES, c);
        lanes_store_any(out + 3 * ABUTI_LANES, d);
    }
    for (; j + ABUTI_LANES <= cols; j += ABUTI_LANES) {
        lanes sum = lanes_load_any(y + j);
        for (int i = 0; i < rows; ++i)
            sum = lanes_madd(lanes_all(x[i]), lanes_load_any(A + (long)i * ld + j), sum);
        lanes_store_any(y + j, sum);
    }
    for (int i = 0; i < rows && j < cols; ++i) axpy(cols - j, x[i], A + (long)i * ld + j, y + j);
}

/* Two blocks of lanes of both y. */
static void add_transposed_two(int rows, int cols, const double *A, int ld, const double *x1,
                               const double *x2, double *y1, double *y2)
{
    int j = 0;
    for (; j + 2 * ABUTI_LANES <= cols; j += 2 * ABUTI_LANES) {
        lanes a1 = lanes_load_any(y1 + j), b1 = lanes_load_any(y1 + j + ABUTI_LANES);
        lanes a2 = lanes_load_any(y2 + j), b2 = lanes_load_any(y2 + j + ABUTI_LANES);
        for (int i = 0; i < rows; ++i) {
            const double *row = A + (long)i * ld + j;
            lanes v1 = lanes_all(x1[i]), v2 = lanes_all(x2[i]);
            lanes a = lanes_load_any(row), b = lanes_load_any(row + ABUTI_LANES);
            a1 = lanes_madd(v1, a, a1);
            b1 = lanes_madd(v1, b, b1);
            a2 = lanes_madd(v2, a, a2);
            b2 = lanes_madd(v2, b, b2);
        }
        lanes_store_any(y1 + j, a1);
        lanes_store_any(y1 + j + ABUTI_LANES, b1);
        lanes_store_any(y2 + j, a2);
        lanes_store_any(y2 + j + ABUTI_LANES, b2);
    }
    add_transposed(rows, cols - j, A + j, ld, x1, y1 + j);
    add_transposed(rows, cols - j, A + j, ld, x2, y2 + j);
}

/* The ratio of one variable, or the best so far when the variable does not fall or its ratio is no better. A
 * variable that does not fall is divided by as well and the quotient thrown away, so that there is no branch. */
static inline double better_ratio(double best, double value, double rate, double size, const double floor[2],
                                  const double slack[2])
{
    double fall = -rate, room = value > 0 ? value : 0;
    double ratio = (room + abuti_madd(slack[1], size, slack[0])) / fall;
    ratio = fall > abuti_madd(floor[1], size, floor[0]) ? ratio : INFINITY;
    return ratio < best ? ratio : best;
}

static double least_ratio(int n, const double *value, const double *rate, const double *size,
                          const double floor[2], const double slack[2])
{
    double best[ABUTI_LANES], all = INFINITY;
    const double f[2] = {floor[0], floor[1]}, s[2] = {slack[0], slack[1]};
    int i = 0;
    for (int l = 0; l < ABUTI_LANES; ++l) best[l] = INFINITY;
    for (; i + ABUTI_LANES <= n; i += ABUTI_LANES) {
        for (int l = 0; l < ABUTI_LANES; ++l)
            best[l] = better_ratio(best[l], value[i + l], rate[i + l], size[i + l], f, s);
    }
    for (; i < n; ++i) all = better_ratio(all, value[i], rate[i], size[i], f, s);
    for (int l = 0; l < ABUTI_LANES; ++l) all = best[l] < all ? best[l] : all;
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
    .multiply_two = multiply_two,
    .add_transposed = add_transposed,
    .add_transposed_two = add_transposed_two,
    .least_ratio = least_ratio,
};
