/* Passes over eight contacts at a time, between the problem and the system: frames, rows, scales on the way
 * in; velocities, impulses and slip on the way out. Lane-wise arithmetic and sums in one fixed order, no
 * fused operations: every vector width gives the same bits. */
#ifndef ABUTI_CONTACT_LANE_KERNEL_H
#define ABUTI_CONTACT_LANE_KERNEL_H

#include "linalg/kernels.h"
#include <stdbool.h>
#include <stddef.h>

/* Eight contacts. axis: n, t, n x t; on entry n and t as given, t = 0 for none. */
typedef struct abuti_frame_chunk {
    double point[3][ABUTI_LANES];
    double axis[3][3][ABUTI_LANES];
} abuti_frame_chunk;

/* The bodies on one side of eight contacts. The constants carry the sign with which the contact's impulse
 * acts: +1 for A, -1 for B, 0 for a side that nothing moves. */
typedef struct abuti_body_chunk {
    double com[3][ABUTI_LANES];
    double root[ABUTI_LANES];       /* sign / sqrt(mass) */
    double inverse[6][ABUTI_LANES]; /* sign * L^-1, lower triangle by rows */
} abuti_body_chunk;

/* What scaling needs to know, and what it decides. */
typedef struct abuti_scale_chunk {
    double spatial[ABUTI_LANES]; /* in: 1, or 0 for planar contacts, whose n x t row does not count */
    double
        scale[ABUTI_LANES]; /* a power of two: scale times the size of the normal row lies in [0.7, 1.42) */
    double size[2][ABUTI_LANES]; /* of the scaled normal row; of the scaled tangent rows, the larger */
} abuti_scale_chunk;

typedef struct abuti_lane_kernel {
    /* Makes the frames exact; false when a normal is not unit or a tangent lies along it. */
    bool (*frames)(abuti_frame_chunk *frames, int chunks);
    /* Scaled rows of both sides (`second` NULL: one side) into rows + ((axis * sides + side) * 6 + c) *
     * lanes. */
    void (*rows)(const abuti_frame_chunk *frames, const abuti_body_chunk *first,
                 const abuti_body_chunk *second, double *rows, size_t lanes, abuti_scale_chunk *scale);
    /* u += row.v for eight contacts and the six numbers of one axis and side; v is [6][8]. */
    void (*velocity)(const double *row, size_t lanes, const double *v, double *u);
    /* sum[c] += row_c . p over all lanes (a multiple of eight), c = 0 .. 5. */
    void (*impulse)(const double *row, size_t lanes, const double *p, double *sum);
    /* slip = max(0, max_j -d_j.(x, y)) for `count` contacts (a multiple of eight) with the same d directions.
     */
    void (*slip)(int d, const double *directions, int count, const double *x, const double *y, double *slip);
} abuti_lane_kernel;

extern const abuti_lane_kernel abuti_lane_kernel_plain;
extern const abuti_lane_kernel abuti_lane_kernel_avx2;
extern const abuti_lane_kernel abuti_lane_kernel_avx512;

/* The widest that this processor runs. */
const abuti_lane_kernel *abuti_lane_kernel_choose(void);

#endif
