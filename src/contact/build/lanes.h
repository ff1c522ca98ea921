/* Passes over eight contacts at a time, between the problem and the system: frames, rows and scales on the way in;
 * velocities, impulses and slip on the way out. Arithmetic goes lane by lane, sums have one fixed order, and no
 * operation is fused, so that every vector width gives the same bits. */
#ifndef ABUTI_CONTACT_BUILD_LANES_H
#define ABUTI_CONTACT_BUILD_LANES_H

#include "abut/contact.h"
#include "linalg/kernels.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One dynamic body: M = G G' with G = diag(root I, L). The first ten numbers are what rows are made of. */
typedef struct abuti_factor {
    double com[3];
    double inverse_root; /* 1 / sqrt(mass) */
    double inverse[6];   /* L^-1, lower triangle by rows: 00, 10, 11, 20, 21, 22 */
    double root;         /* sqrt(mass) */
    double L[6];
} abuti_factor;

/* sqrt(x), 0 <= x <= 2^1022, by Newton's iteration for 1 / sqrt(x) from a guess by the exponent. It takes multiplications only,
 * and a fraction of a root's time. Four steps from an error of 3.5 percent end at rounding; 0 stays 0. */
static inline double abuti_root(double x)
{
    union {
        double value;
        uint64_t bits;
    } guess = {.value = x};
    guess.bits = 0x5fe6eb50c7b537a9u - (guess.bits >> 1);
    double y = guess.value, half = 0.5 * x;
    for (int i = 0; i < 4; ++i) y = y * (1.5 - half * y * y);
    return x * y;
}

/* Eight contacts. axis: n, t, n x t. */
typedef struct abuti_frame_chunk {
    double point[3][ABUTI_LANES];
    double axis[3][3][ABUTI_LANES];
} abuti_frame_chunk;

/* What a walk over contacts has met so far, counted lane by lane. */
typedef struct abuti_contact_walk {
    double bad[ABUTI_LANES];     /* numbers that are not what they should be */
    double offsets[ABUTI_LANES]; /* gaps, restitution, viscosity */
} abuti_contact_walk;

/* The bodies on one side of eight contacts. The constants carry the sign with which the contact's impulse
 * acts: +1 for A, -1 for B, 0 for a side that nothing moves. */
typedef struct abuti_body_chunk {
    double com[3][ABUTI_LANES];
    double root[ABUTI_LANES];       /* sign / sqrt(mass) */
    double inverse[6][ABUTI_LANES]; /* sign * L^-1, lower triangle by rows */
} abuti_body_chunk;

/* Where the rows of eight contacts go, and what scaling them needs to know and decides. */
typedef struct abuti_row_lanes {
    /* Input: 0 for planar contacts, whose n x t row does not count, else 1; NULL: all 1. */
    const double *spatial;
    double *rows; /* + ((axis * sides + side) * 6 + component) * lanes */
    size_t lanes;
    double *scale;   /* a power of two: scale times the size of the normal row lies in [0.7, 1.42) */
    double *size[2]; /* of the scaled normal row; of the scaled tangent rows, the larger */
} abuti_row_lanes;

/* State and face of a contact, side by side as in abut_contact_answer: one lane of eight bytes. */
typedef struct abuti_mark {
    abut_contact_state state;
    int face;
} abuti_mark;

/* The part of the answers of eight contacts that is made lane by lane. */
typedef struct abuti_answer_lanes {
    double unit;
    const double *row_scale;
    const double *impulse[3];  /* in the caller's units, as `bias` is */
    const double *u[3], *slip; /* in the system's */
    const double *bias;
    const double *axis[3];
    const abuti_mark *mark;
} abuti_answer_lanes;

typedef struct abuti_lane_kernel {
    /* Takes eight contacts out of their structs (abut_contact) and makes their frames exact. Bad is a normal that is
     * not unit, a tangent along it, and what abuti_valid_contact refuses. */
    void (*contacts)(const void *const *contact, abuti_frame_chunk *frames, double *mu,
                     abuti_contact_walk *walk);
    /* b of the normal condition of eight contacts without viscosity and union, from the velocities before the
     * step of the bodies (abut_body) on either side. */
    void (*bias)(const void *const *contact, const abuti_frame_chunk *frames, const void *const *body_a,
                 const void *const *body_b, double step, double threshold, double *bias);
    /* Takes eight bodies out of their structs (abuti_factor), each with its sign. */
    void (*bodies)(const void *const *factor, const double *sign, abuti_body_chunk *side);
    /* Scaled rows of both sides (`second` NULL: one side). */
    void (*rows)(const abuti_frame_chunk *frames, const abuti_body_chunk *first,
                 const abuti_body_chunk *second, const abuti_row_lanes *lanes);
    /* u[axis] = from[axis] + row.v for eight contacts, along all three axes, with the six numbers of one side. Axes of
     * `rows` are `axis` numbers apart; each contact has its block of v. */
    void (*velocity)(const double *rows, size_t lanes, size_t axis, const void *const *block,
                     const double *const from[3], double *const u[3]);
    /* u = from + row.v likewise for all `lanes` contacts (a multiple of eight) of one block on one side. */
    void (*velocities)(const double *rows, size_t lanes, const double *v, const double *const from[3],
                       double *const u[3]);
    /* sum[c] += row_c . p over all lanes (a multiple of eight) and axes, c = 0 .. 5. */
    void (*impulse)(const double *rows, size_t lanes, const double *const p[3], double *sum);
    /* slip *= max(0, max_j -d_j.(x, y)) for `count` contacts (a multiple of eight) with the same d directions. On entry
     * slip is 0 where a contact sticks, and 1 where it does not. */
    void (*slip)(int d, const double *directions, int count, const double *x, const double *y, double *slip);
    /* The largest of |offset| scale / size, where both are not zero, over `count` contacts (a multiple of
     * eight); at least 0. */
    double (*largest)(const double *offset, const double *scale, const double *size, int count);
    /* to[axis] = from[axis] unit scale, lane by lane, for `count` contacts (a multiple of eight). */
    void (*unscale)(double unit, const double *scale, int count, const double *const from[3],
                    double *const to[3]);
    /* Impulses, marks, velocities and axes of eight contacts into their structs (abut_contact_answer). */
    void (*answers)(const abuti_answer_lanes *lanes, void *const *answer);
} abuti_lane_kernel;

extern const abuti_lane_kernel abuti_lane_kernel_plain;
extern const abuti_lane_kernel abuti_lane_kernel_avx2;
extern const abuti_lane_kernel abuti_lane_kernel_avx512;

/* The widest kernel that this processor runs. */
const abuti_lane_kernel *abuti_lane_kernel_choose(void);

#endif
