/* The passes of lane_kernel.h, written once; lane_kernel.c, lane_kernel_avx2.c and lane_kernel_avx512.c name
 * the table (LANE_KERNEL) and bring the compiler's flags. */
#include "contact/lane_kernel.h"
#include "contact/thresholds.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES for (int l = 0; l < ABUTI_LANES; ++l)

/* 1 / sqrt(x) for a square x that was found to be 1 up to 2 ABUTI_UNIT_NORMAL: three terms of the binomial
 * series are exact to rounding there. */
static inline double inverse_root_near_one(double x)
{
    double e = x - 1.0;
    return 1.0 - e * (0.5 - 0.375 * e);
}

static inline void make_frame(abuti_frame_chunk *restrict f, double *restrict bad)
{
    LANES
    {
        double x = f->axis[0][0][l], y = f->axis[0][1][l], z = f->axis[0][2][l];
        double square = x * x + y * y + z * z;
        double wrong = fabs(square - 1.0) <= 2.0 * ABUTI_UNIT_NORMAL ? 0.0 : 1.0;
        double scale = inverse_root_near_one(square);
        x *= scale, y *= scale, z *= scale;
        /* An absent tangent is the axis with the least |n_k|, the lowest k on a tie. */
        double ax = fabs(x), ay = fabs(y), az = fabs(z);
        double tx = f->axis[1][0][l], ty = f->axis[1][1][l], tz = f->axis[1][2][l];
        double given = tx * tx + ty * ty + tz * tz;
        double least_yz = ay <= az ? ay : az;
        double ex = ax <= least_yz ? 1.0 : 0.0;
        double ey = ay <= az ? 1.0 - ex : 0.0;
        double ez = 1.0 - ex - ey;
        tx = given == 0.0 ? ex : tx;
        ty = given == 0.0 ? ey : ty;
        tz = given == 0.0 ? ez : tz;
        given = given == 0.0 ? 1.0 : given;
        double along = tx * x + ty * y + tz * z;
        tx -= along * x, ty -= along * y, tz -= along * z;
        double left = tx * tx + ty * ty + tz * tz;
        wrong = left > ABUTI_TANGENT_LEFT * given ? wrong : 1.0;
        wrong = given <= ABUTI_LARGEST ? wrong : 1.0;
        double shrink = 1.0 / sqrt(left);
        tx *= shrink, ty *= shrink, tz *= shrink;
        f->axis[0][0][l] = x, f->axis[0][1][l] = y, f->axis[0][2][l] = z;
        f->axis[1][0][l] = tx, f->axis[1][1][l] = ty, f->axis[1][2][l] = tz;
        f->axis[2][0][l] = y * tz - z * ty;
        f->axis[2][1][l] = z * tx - x * tz;
        f->axis[2][2][l] = x * ty - y * tx;
        bad[l] += wrong;
    }
}

/* All chunks in one walk, so that the roots of one overlap with the arithmetic of the next. */
static bool frames_pass(abuti_frame_chunk *frames, int chunks)
{
    double bad[ABUTI_LANES], sum = 0.0;
    LANES bad[l] = 0.0;
    for (int k = 0; k < chunks; ++k) make_frame(&frames[k], bad);
    LANES sum += bad[l];
    return sum == 0.0;
}

/* The rows of the three axes on one side; their squares are added. */
static inline void side_rows(const abuti_frame_chunk *restrict f, const abuti_body_chunk *restrict b,
                             double row[3][6][ABUTI_LANES], double square[3][ABUTI_LANES])
{
    for (int axis = 0; axis < 3; ++axis) {
        LANES
        {
            double x = f->point[0][l] - b->com[0][l], y = f->point[1][l] - b->com[1][l],
                   z = f->point[2][l] - b->com[2][l];
            double ax = f->axis[axis][0][l], ay = f->axis[axis][1][l], az = f->axis[axis][2][l];
            double mx = y * az - z * ay, my = z * ax - x * az, mz = x * ay - y * ax;
            double r0 = ax * b->root[l], r1 = ay * b->root[l], r2 = az * b->root[l];
            double r3 = b->inverse[0][l] * mx;
            double r4 = b->inverse[1][l] * mx + b->inverse[2][l] * my;
            double r5 = b->inverse[3][l] * mx + b->inverse[4][l] * my + b->inverse[5][l] * mz;
            row[axis][0][l] = r0, row[axis][1][l] = r1, row[axis][2][l] = r2;
            row[axis][3][l] = r3, row[axis][4][l] = r4, row[axis][5][l] = r5;
            square[axis][l] += (r0 * r0 + r1 * r1) + (r2 * r2 + r3 * r3) + (r4 * r4 + r5 * r5);
        }
    }
}

/* 2^-h for h = floor((e + 1) / 2), square in [2^e, 2^(e+1)): the biased exponent of the result is 1534 -
 * floor(biased / 2). */
static inline void choose_scale(double square[3][ABUTI_LANES], abuti_scale_chunk *restrict s)
{
    double size[ABUTI_LANES];
    uint64_t bits[ABUTI_LANES];
    LANES
    {
        double tangent = square[2][l] * s->spatial[l];
        tangent = square[1][l] > tangent ? square[1][l] : tangent;
        square[1][l] = tangent;
        double base = square[0][l] > 0.0 ? square[0][l] : tangent;
        size[l] = base > 0.0 && base <= 0x1p1022 ? base : 1.0;
    }
    memcpy(bits, size, sizeof bits);
    LANES bits[l] = (1534u - (bits[l] >> 53)) << 52;
    memcpy(s->scale, bits, sizeof bits);
    LANES
    {
        s->size[0][l] = sqrt(square[0][l]) * s->scale[l];
        s->size[1][l] = sqrt(square[1][l]) * s->scale[l];
    }
}

static void rows_pass(const abuti_frame_chunk *restrict frames, const abuti_body_chunk *restrict first,
                      const abuti_body_chunk *restrict second, double *restrict rows, size_t lanes,
                      abuti_scale_chunk *restrict scale)
{
    double row[2][3][6][ABUTI_LANES], square[3][ABUTI_LANES];
    for (size_t axis = 0; axis < 3; ++axis) {
        LANES square[axis][l] = 0.0;
    }
    side_rows(frames, first, row[0], square);
    if (second) side_rows(frames, second, row[1], square);
    choose_scale(square, scale);
    size_t sides = second ? 2 : 1;
    for (size_t axis = 0; axis < 3; ++axis) {
        for (size_t side = 0; side < sides; ++side) {
            double *out = rows + (axis * sides + side) * 6 * lanes;
            for (size_t c = 0; c < 6; ++c) {
                LANES out[c * lanes + (size_t)l] = row[side][axis][c][l] * scale->scale[l];
            }
        }
    }
}

static void velocity_pass(const double *restrict row, size_t lanes, const double *restrict v,
                          double *restrict u)
{
    double sum[ABUTI_LANES];
    LANES sum[l] = u[l];
    for (size_t c = 0; c < 6; ++c) {
        LANES sum[l] += row[c * lanes + (size_t)l] * v[c * ABUTI_LANES + (size_t)l];
    }
    LANES u[l] = sum[l];
}

static void impulse_pass(const double *restrict row, size_t lanes, const double *restrict p,
                         double *restrict sum)
{
    double part[6][ABUTI_LANES];
    for (size_t c = 0; c < 6; ++c) {
        LANES part[c][l] = 0.0;
    }
    for (size_t first = 0; first < lanes; first += ABUTI_LANES) {
        for (size_t c = 0; c < 6; ++c) {
            LANES part[c][l] += row[c * lanes + first + (size_t)l] * p[first + (size_t)l];
        }
    }
    for (size_t c = 0; c < 6; ++c) {
        double *s = part[c];
        sum[c] += ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
}

static void slip_pass(int d, const double *restrict directions, int count, const double *restrict x,
                      const double *restrict y, double *restrict slip)
{
    for (int lane = 0; lane < count; ++lane) slip[lane] = 0.0;
    for (int j = 0; j < d; ++j) {
        double c = directions[2 * j], s = directions[2 * j + 1];
        for (int lane = 0; lane < count; ++lane) {
            double against = -(c * x[lane] + s * y[lane]);
            slip[lane] = against > slip[lane] ? against : slip[lane];
        }
    }
}

const abuti_lane_kernel LANE_KERNEL = {frames_pass, rows_pass, velocity_pass, impulse_pass, slip_pass};
