/* Random shapes and poses for tests of src/collide. */
#ifndef ABUT_TEST_COLLIDE_RANDOM_H
#define ABUT_TEST_COLLIDE_RANDOM_H

#include "abut/shape.h"
#include "base/space.h"

#include <stdint.h>

/* Uniform in [0, 1). */
static inline double random_unit(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (double)((x ^ x >> 32) >> 11) * 0x1p-53;
}

static inline double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * random_unit(state);
}

static inline void random_direction(uint64_t *state, double out[3])
{
    do {
        for (int k = 0; k < 3; ++k) out[k] = random_between(state, -1, 1);
    } while (abuti_v3_dot(out, out) > 1 || abuti_v3_dot(out, out) < 0.01);
    abuti_v3_normalise(out);
}

static inline void random_rotation(uint64_t *state, double q[4])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 4; ++k) {
            q[k] = random_between(state, -1, 1);
            square += q[k] * q[k];
        }
    } while (square > 1 || square < 0.01);
    abuti_quat_normalise(q);
}

/* A shape of a kind that is a few numbers, with sizes 0.2 .. 1. */
static inline abut_shape random_shape(uint64_t *state, abut_shape_kind kind)
{
    abut_shape s = {.kind = kind};
    s.radius = random_between(state, 0.2, 1);
    s.half_length = random_between(state, 0.2, 1);
    for (int k = 0; k < 3; ++k) s.half[k] = random_between(state, 0.2, 1);
    return s;
}

/* out = first turn and move by `inner`, then by `outer`. */
static inline abut_pose pose_after(const abut_pose *outer, const abut_pose *inner)
{
    abut_pose out;
    abuti_quat_apply(out.position, outer->rotation, inner->position);
    abuti_v3_add(out.position, out.position, outer->position);
    abuti_quat_multiply(out.rotation, outer->rotation, inner->rotation);
    abuti_quat_normalise(out.rotation);
    return out;
}

#endif
