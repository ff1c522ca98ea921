/* Included by build/lanes.c, build/lanes_avx2.c and build/lanes_avx512.c.
 *
 * The passes of build/lanes.h, written once. The three files that include this one name the table (LANE_KERNEL) and
 * are compiled with the flags of their vector width. */
#include "base/columns.h"
#include "contact/build/lanes.h"
#include "contact/system/thresholds.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES for (int l = 0; l < ABUTI_LANES; ++l)

/* How far a square may be from 1 for the series below. */
#define NEAR_ONE (2.0 * ABUTI_UNIT_NORMAL)

/* 1 / sqrt(x) for a square x that is 1 up to NEAR_ONE: three terms of the binomial series are exact to
 * rounding there. */
static inline double inverse_root_near_one(double x)
{
    double e = x - 1.0;
    return 1.0 - e * (0.5 - 0.375 * e);
}

/* Mends tangents that were not given, or are not nearly unit. Where none was given, the axis with the least |n_k| (the
 * lowest k on a tie) takes its place. The part along n is taken out, and roots take the place of the series. */
static inline void mend_tangents(const void *const *row, abuti_frame_chunk *restrict f,
                                 double *restrict given, double *restrict square, double *restrict shrink)
{
    double normal[4][ABUTI_LANES]; /* as given: rounding may make two numbers equal that are not */
    abuti_columns4(row, offsetof(abut_contact, normal), normal);
    LANES
    {
        double x = f->axis[0][0][l], y = f->axis[0][1][l], z = f->axis[0][2][l];
        double ax = fabs(normal[0][l]), ay = fabs(normal[1][l]), az = fabs(normal[2][l]);
        double least_yz = ay <= az ? ay : az;
        double ex = ax <= least_yz ? 1.0 : 0.0;
        double ey = ay <= az ? 1.0 - ex : 0.0;
        double ez = 1.0 - ex - ey;
        double along = ex * x + ey * y + ez * z;
        ex -= along * x, ey -= along * y, ez -= along * z;
        bool absent = given[l] == 0.0;
        f->axis[1][0][l] = absent ? ex : f->axis[1][0][l];
        f->axis[1][1][l] = absent ? ey : f->axis[1][1][l];
        f->axis[1][2][l] = absent ? ez : f->axis[1][2][l];
        square[l] = absent ? ex * ex + ey * ey + ez * ez : square[l];
        given[l] = absent ? 1.0 : given[l];
        double near_one = inverse_root_near_one(square[l]);
        shrink[l] = fabs(square[l] - 1.0) <= NEAR_ONE ? near_one : 1.0 / sqrt(square[l]);
    }
}

/* Makes the frame: n of length one; t without its part along n, of length one; and n x t. */
static inline void make_frame(const void *const *row, abuti_frame_chunk *restrict f, double *restrict bad)
{
    double given[ABUTI_LANES], square[ABUTI_LANES], shrink[ABUTI_LANES];
    uint64_t far = 0;
    LANES
    {
        double x = f->axis[0][0][l], y = f->axis[0][1][l], z = f->axis[0][2][l];
        double length2 = x * x + y * y + z * z;
        bad[l] += fabs(length2 - 1.0) <= NEAR_ONE ? 0.0 : 1.0;
        double scale = inverse_root_near_one(length2);
        x *= scale, y *= scale, z *= scale;
        double tx = f->axis[1][0][l], ty = f->axis[1][1][l], tz = f->axis[1][2][l];
        given[l] = tx * tx + ty * ty + tz * tz;
        double along = tx * x + ty * y + tz * z;
        tx -= along * x, ty -= along * y, tz -= along * z;
        square[l] = tx * tx + ty * ty + tz * tz;
        shrink[l] = inverse_root_near_one(square[l]);
        f->axis[0][0][l] = x, f->axis[0][1][l] = y, f->axis[0][2][l] = z;
        f->axis[1][0][l] = tx, f->axis[1][1][l] = ty, f->axis[1][2][l] = tz;
    }
    LANES far |= fabs(square[l] - 1.0) <= NEAR_ONE ? 0u : 1u;
    if (far) mend_tangents(row, f, given, square, shrink);
    LANES
    {
        double x = f->axis[0][0][l], y = f->axis[0][1][l], z = f->axis[0][2][l];
        double tx = f->axis[1][0][l] * shrink[l], ty = f->axis[1][1][l] * shrink[l],
               tz = f->axis[1][2][l] * shrink[l];
        double wrong = square[l] > ABUTI_TANGENT_LEFT * given[l] ? 0.0 : 1.0;
        bad[l] += given[l] <= ABUTI_LARGEST ? wrong : 1.0;
        f->axis[1][0][l] = tx, f->axis[1][1][l] = ty, f->axis[1][2][l] = tz;
        f->axis[2][0][l] = y * tz - z * ty;
        f->axis[2][1][l] = z * tx - x * tz;
        f->axis[2][2][l] = x * ty - y * tx;
    }
}

/* Looks at gap, restitution, viscosity and drift, where some contacts have any. */
static inline void look_at_extras(const void *const *row, abuti_contact_walk *restrict walk)
{
    double bounce[4][ABUTI_LANES], drift[4][ABUTI_LANES];
    abuti_columns4(row, offsetof(abut_contact, gap), bounce);  /* gap, restitution, viscous */
    abuti_columns4(row, offsetof(abut_contact, drift), drift); /* drift */
    LANES
    {
        double sum =
            fabs(bounce[0][l]) + bounce[2][l] + fabs(drift[0][l]) + fabs(drift[1][l]) + fabs(drift[2][l]);
        double wrong = sum <= ABUTI_LARGEST ? 0.0 : 1.0;
        wrong = bounce[2][l] >= 0.0 ? wrong : 1.0;
        wrong = bounce[1][l] >= 0.0 ? wrong : 1.0;
        wrong = bounce[1][l] <= 1.0 ? wrong : 1.0;
        walk->bad[l] += wrong;
        double offset = bounce[0][l] != 0.0 ? 1.0 : 0.0;
        offset = bounce[1][l] != 0.0 ? 1.0 : offset;
        walk->offsets[l] += bounce[2][l] != 0.0 ? 1.0 : offset;
    }
}

/* The fields come in fours that lie side by side in the struct. */
static void contacts_pass(const void *const *row, abuti_frame_chunk *restrict f, double *restrict mu,
                          abuti_contact_walk *restrict walk)
{
    double place[4][ABUTI_LANES], frame[4][ABUTI_LANES], rest[4][ABUTI_LANES];
    abuti_columns4(row, offsetof(abut_contact, point), place);     /* point, n_x */
    abuti_columns4(row, offsetof(abut_contact, normal[1]), frame); /* n_y, n_z, t_x, t_y */
    abuti_columns4(row, offsetof(abut_contact, tangent[2]), rest); /* t_z, friction */
    memcpy(f->point, place, sizeof f->point);
    memcpy(f->axis[0][0], place[3], sizeof place[3]);
    memcpy(f->axis[0][1], frame, sizeof frame);
    memcpy(f->axis[1][2], rest[0], sizeof rest[0]);
    LANES
    {
        double sum = fabs(place[0][l]) + fabs(place[1][l]) + fabs(place[2][l]) + rest[1][l];
        double wrong = sum <= ABUTI_LARGEST ? 0.0 : 1.0;
        walk->bad[l] += rest[1][l] >= 0.0 ? wrong : 1.0;
        mu[l] = rest[1][l];
    }
    if (abuti_any3(row, offsetof(abut_contact, gap), offsetof(abut_contact, drift)))
        look_at_extras(row, walk);
    make_frame(row, f, walk->bad);
}

/* Velocity at the contacts of the bodies on one side, added to w, or taken from it. */
static inline void add_point_velocity(const abuti_frame_chunk *restrict f, const void *const *body,
                                      double sign, double w[3][ABUTI_LANES])
{
    double place[4][ABUTI_LANES], v[4][ABUTI_LANES], rest[4][ABUTI_LANES];
    abuti_columns4(body, offsetof(abut_body, com), place);        /* com, v_0 */
    abuti_columns4(body, offsetof(abut_body, velocity[1]), v);    /* v_1 .. v_4 */
    abuti_columns4(body, offsetof(abut_body, velocity[5]), rest); /* v_5 */
    LANES
    {
        double x = f->point[0][l] - place[0][l], y = f->point[1][l] - place[1][l],
               z = f->point[2][l] - place[2][l];
        w[0][l] += sign * (place[3][l] + (v[3][l] * z - rest[0][l] * y));
        w[1][l] += sign * (v[0][l] + (rest[0][l] * x - v[2][l] * z));
        w[2][l] += sign * (v[1][l] + (v[2][l] * y - v[3][l] * x));
    }
}

/* Does what abuti_bias does. */
static void bias_pass(const void *const *contact, const abuti_frame_chunk *restrict f,
                      const void *const *body_a, const void *const *body_b, double step, double threshold,
                      double *restrict bias)
{
    double bounce[4][ABUTI_LANES], w[3][ABUTI_LANES] = {{0.0}};
    abuti_columns4(contact, offsetof(abut_contact, gap), bounce); /* gap, restitution */
    add_point_velocity(f, body_a, 1.0, w);
    add_point_velocity(f, body_b, -1.0, w);
    LANES
    {
        double gap = bounce[0][l], restitution = bounce[1][l];
        double approach =
            f->axis[0][0][l] * w[0][l] + f->axis[0][1][l] * w[1][l] + f->axis[0][2][l] * w[2][l];
        double b = gap / step, bounced = restitution * approach;
        bounced = gap + step * approach <= 0.0 ? bounced : b;
        bounced = approach < -threshold ? bounced : b;
        bias[l] = restitution > 0.0 ? bounced : b;
    }
}

static void bodies_pass(const void *const *row, const double *restrict sign, abuti_body_chunk *restrict side)
{
    double part[3][4][ABUTI_LANES];
    for (size_t k = 0; k < 3; ++k)
        abuti_columns4(row, offsetof(abuti_factor, com) + 4 * k * sizeof(double), part[k]);
    memcpy(side->com, part[0], sizeof side->com);
    LANES
    {
        side->root[l] = sign[l] * part[0][3][l];
        for (int c = 0; c < 4; ++c) side->inverse[c][l] = sign[l] * part[1][c][l];
        side->inverse[4][l] = sign[l] * part[2][0][l];
        side->inverse[5][l] = sign[l] * part[2][1][l];
    }
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
static inline void choose_scale(double square[3][ABUTI_LANES], const abuti_row_lanes *out,
                                double *restrict scale)
{
    double base[ABUTI_LANES];
    uint64_t bits[ABUTI_LANES];
    if (out->spatial) {
        LANES square[2][l] *= out->spatial[l];
    }
    LANES
    {
        double tangent = square[1][l] > square[2][l] ? square[1][l] : square[2][l];
        square[1][l] = tangent;
        double either = square[0][l] > 0.0 ? square[0][l] : tangent;
        base[l] = either > 0.0 && either <= 0x1p1022 ? either : 1.0;
    }
    memcpy(bits, base, sizeof bits);
    LANES bits[l] = (1534u - (bits[l] >> 53)) << 52;
    memcpy(scale, bits, sizeof bits);
    double *restrict size0 = out->size[0], *restrict size1 = out->size[1], *restrict scales = out->scale;
    LANES
    {
        scales[l] = scale[l];
        size0[l] = abuti_root(square[0][l]) * scale[l];
        size1[l] = abuti_root(square[1][l]) * scale[l];
    }
}

static void rows_pass(const abuti_frame_chunk *restrict frames, const abuti_body_chunk *restrict first,
                      const abuti_body_chunk *restrict second, const abuti_row_lanes *out)
{
    double row[2][3][6][ABUTI_LANES], square[3][ABUTI_LANES], scale[ABUTI_LANES];
    for (size_t axis = 0; axis < 3; ++axis) {
        LANES square[axis][l] = 0.0;
    }
    side_rows(frames, first, row[0], square);
    if (second) side_rows(frames, second, row[1], square);
    choose_scale(square, out, scale);
    size_t sides = second ? 2 : 1, lanes = out->lanes;
    double *restrict rows = out->rows;
    for (size_t axis = 0; axis < 3; ++axis) {
        for (size_t side = 0; side < sides; ++side) {
            double *at = rows + (axis * sides + side) * 6 * lanes;
            for (size_t c = 0; c < 6; ++c) {
                LANES at[c * lanes + (size_t)l] = row[side][axis][c][l] * scale[l];
            }
        }
    }
}

/* a b + c with two roundings, as everywhere here. */
static inline lanes add_product(lanes a, lanes b, lanes c)
{
    return lanes_add(lanes_mul(a, b), c);
}

static void velocity_pass(const double *rows, size_t count, size_t axis, const void *const *block,
                          const double *const from[3], double *const u[3])
{
    double v[2][4][ABUTI_LANES];
    abuti_columns4(block, 0, v[0]);
    abuti_columns4(block, 4 * sizeof(double), v[1]);
    for (size_t a = 0; a < 3; ++a) {
        const double *row = rows + a * axis;
        lanes sum = lanes_load_any(from[a]);
        for (size_t c = 0; c < 6; ++c)
            sum = add_product(lanes_load_any(row + c * count), lanes_load_any(v[c / 4][c % 4]), sum);
        lanes_store_any(u[a], sum);
    }
}

static void velocities_pass(const double *rows, size_t count, const double *v, const double *const from[3],
                            double *const u[3])
{
    for (size_t axis = 0; axis < 3; ++axis) {
        for (size_t first = 0; first < count; first += ABUTI_LANES) {
            const double *row = rows + 6 * axis * count + first;
            lanes sum = lanes_load_any(from[axis] + first);
            for (size_t c = 0; c < 6; ++c)
                sum = add_product(lanes_load_any(row + c * count), lanes_all(v[c]), sum);
            lanes_store_any(u[axis] + first, sum);
        }
    }
}

static void impulse_pass(const double *rows, size_t count, const double *const p[3], double *sum)
{
    lanes part[6];
    for (size_t c = 0; c < 6; ++c) part[c] = lanes_all(0.0);
    for (size_t axis = 0; axis < 3; ++axis) {
        for (size_t first = 0; first < count; first += ABUTI_LANES) {
            const double *row = rows + 6 * axis * count + first;
            lanes at = lanes_load_any(p[axis] + first);
            for (size_t c = 0; c < 6; ++c)
                part[c] = add_product(lanes_load_any(row + c * count), at, part[c]);
        }
    }
    /* The sums are transposed, so that the eight partial sums of each component stand in one column. */
    double lane[ABUTI_LANES][ABUTI_LANES] = {{0.0}}, column[2][4][ABUTI_LANES], total[ABUTI_LANES];
    const void *at[ABUTI_LANES];
    for (size_t c = 0; c < 6; ++c) lanes_store_any(lane[c], part[c]);
    for (size_t c = 0; c < ABUTI_LANES; ++c) at[c] = lane[c];
    abuti_columns4(at, 0, column[0]);
    abuti_columns4(at, 4 * sizeof(double), column[1]);
    LANES total[l] = ((column[0][0][l] + column[1][0][l]) + (column[0][2][l] + column[1][2][l])) +
                     ((column[0][1][l] + column[1][1][l]) + (column[0][3][l] + column[1][3][l]));
    for (int c = 0; c < 6; ++c) sum[c] += total[c];
}

/* A polygon whose d is a multiple of four is the same in all quadrants, bit by bit, so the first quadrant is enough for
 * the magnitudes of x and y. */
static void slip_pass(int d, const double *directions, int count, const double *x, const double *y,
                      double *slip)
{
    const lanes zero = lanes_all(0.0);
    const int quarter = d % 4 == 0, last = quarter ? d / 4 : d - 1;
    for (int first = 0; first < count; first += ABUTI_LANES) {
        lanes ux = lanes_load_any(x + first), uy = lanes_load_any(y + first), most = zero;
        ux = quarter ? lanes_abs(ux) : lanes_sub(zero, ux);
        uy = quarter ? lanes_abs(uy) : lanes_sub(zero, uy);
        for (int j = 0; j <= last; ++j) {
            lanes against = add_product(lanes_all(directions[2 * j]), ux,
                                        lanes_mul(lanes_all(directions[2 * j + 1]), uy));
            most = lanes_max(against, most);
        }
        lanes_store_any(slip + first, lanes_mul(most, lanes_load_any(slip + first)));
    }
}

static double largest_pass(const double *offset, const double *scale, const double *size, int count)
{
    const lanes zero = lanes_all(0.0), one = lanes_all(1.0);
    lanes most = zero;
    for (int first = 0; first < count; first += ABUTI_LANES) {
        lanes scaled = lanes_mul(lanes_abs(lanes_load_any(offset + first)), lanes_load_any(scale + first));
        lanes by = lanes_load_any(size + first);
        lane_mask counts = lanes_less(zero, by);
        lanes ratio = lanes_div(scaled, lanes_select(counts, by, one));
        most = lanes_max(lanes_select(counts, ratio, zero), most);
    }
    return lanes_most(most);
}

static void unscale_pass(double unit, const double *scale, int count, const double *const from[3],
                         double *const to[3])
{
    for (int first = 0; first < count; first += ABUTI_LANES) {
        lanes by = lanes_mul(lanes_all(unit), lanes_load_any(scale + first));
        for (int axis = 0; axis < 3; ++axis)
            lanes_store_any(to[axis] + first, lanes_mul(lanes_load_any(from[axis] + first), by));
    }
}

/* unit / row_scale. Row scales are powers of two, and so are their reciprocals: exponents change their sign. */
static inline lanes over_scale(double unit, const double *row_scale)
{
    uint64_t bits[ABUTI_LANES];
    double over[ABUTI_LANES];
    memcpy(bits, row_scale, sizeof bits);
    LANES bits[l] = ((uint64_t)2046 << 52) - bits[l];
    memcpy(over, bits, sizeof over);
    return lanes_mul(lanes_all(unit), lanes_load_any(over));
}

static void answers_pass(const abuti_answer_lanes *in, void *const *answer)
{
    double push[4][ABUTI_LANES], slide[4][ABUTI_LANES], frame[4][ABUTI_LANES];
    lanes by = over_scale(in->unit, in->row_scale), normal = lanes_mul(lanes_load_any(in->u[0]), by);
    for (int axis = 0; axis < 3; ++axis) {
        lanes_store_any(push[axis], lanes_load_any(in->impulse[axis]));
        lanes_store_any(frame[1 + axis], lanes_load_any(in->axis[axis]));
    }
    memcpy(push[3], in->mark, sizeof push[3]);
    lanes_store_any(slide[0], lanes_mul(lanes_load_any(in->slip), by));
    lanes_store_any(slide[1], normal);
    lanes_store_any(slide[2], lanes_sub(normal, lanes_load_any(in->bias)));
    lanes_store_any(slide[3], lanes_mul(lanes_load_any(in->u[1]), by));
    lanes_store_any(frame[0], lanes_mul(lanes_load_any(in->u[2]), by));
    /* The fields come in fours that lie side by side in the struct. */
    _Static_assert(sizeof(abuti_mark) == sizeof(double), "a mark is one lane");
    _Static_assert(offsetof(abut_contact_answer, face) - offsetof(abut_contact_answer, state) ==
                       offsetof(abuti_mark, face),
                   "marks lie as in the answer");
    abuti_rows4(push, answer, offsetof(abut_contact_answer, normal));
    abuti_rows4(slide, answer, offsetof(abut_contact_answer, slip));
    abuti_rows4(frame, answer, offsetof(abut_contact_answer, velocity[2]));
}

const abuti_lane_kernel LANE_KERNEL = {.contacts = contacts_pass,
                                       .bias = bias_pass,
                                       .largest = largest_pass,
                                       .bodies = bodies_pass,
                                       .rows = rows_pass,
                                       .velocity = velocity_pass,
                                       .velocities = velocities_pass,
                                       .impulse = impulse_pass,
                                       .slip = slip_pass,
                                       .unscale = unscale_pass,
                                       .answers = answers_pass};
