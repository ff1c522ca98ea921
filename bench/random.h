/* Random numbers for benchmarks, campaigns and tests: the same on every machine.
 * xoshiro256++ of Blackman and Vigna, seeded by splitmix64. */
#ifndef ABUT_BENCH_RANDOM_H
#define ABUT_BENCH_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct bench_random {
    uint64_t s[4];
} bench_random;

static inline uint64_t bench_splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The stream of a seed and an index: every problem of a family has its own, so that number 4711 can
 * be made again without the 4710 before it. */
static inline bench_random bench_random_stream(uint64_t seed, uint64_t index)
{
    bench_random random;
    uint64_t state = seed ^ (index * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du);
    for (int i = 0; i < 4; ++i) random.s[i] = bench_splitmix(&state);
    return random;
}

static inline uint64_t bench_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t bench_random_bits(bench_random *r)
{
    uint64_t result = bench_rotate(r->s[0] + r->s[3], 23) + r->s[0];
    uint64_t t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = bench_rotate(r->s[3], 45);
    return result;
}

/* Uniform in [low, high). */
static inline double bench_uniform(bench_random *r, double low, double high)
{
    return low + (high - low) * ((double)(bench_random_bits(r) >> 11) * 0x1p-53);
}

/* Uniform in 0 .. count - 1. */
static inline int bench_below(bench_random *r, int count)
{
    return (int)(bench_random_bits(r) % (uint64_t)count);
}

/* Standard normal, by the polar method. */
static inline double bench_normal(bench_random *r)
{
    for (;;) {
        double x = bench_uniform(r, -1, 1), y = bench_uniform(r, -1, 1), s = x * x + y * y;
        if (s > 0 && s < 1) return x * sqrt(-2 * log(s) / s);
    }
}

#endif
