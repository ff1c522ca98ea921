#include "family_keyed.h"

#include <math.h>

#define HALF 0.1
#define FRICTION 0.5

enum { FOUR = 4, EIGHT = 8 };

/* Corners first, then the middles of the edges. */
static const double points[EIGHT][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};

/* A tower that is pushed to and fro, at some moments so hard that boxes slide. */
static void make_tower(contact_case *c, int size, int step, int count, uint64_t seed)
{
    const double up[3] = {0, 0, 1};
    double inertia[3], phase = 0.1 * (double)(seed % 64);
    contact_block_inertia(1.0, 2 * HALF, 2 * HALF, 2 * HALF, inertia);
    contact_case_clear(c);
    for (int b = 0; b < size; ++b) {
        const double com[3] = {0, 0, HALF * (2 * b + 1)}, t = 0.05 * step + phase;
        int body = contact_case_body(c, 1.0, inertia, com);
        c->bodies[body].force[0] = 3.5 * sin(t + 0.7 * b);
        c->bodies[body].force[1] = 2.5 * sin(1.3 * t + 0.4 * b);
        c->bodies[body].force[2] = -CONTACT_GRAVITY;
        c->bodies[body].velocity[0] = 0.01 * sin(0.8 * t + b);
        for (int q = 0; q < count; ++q) {
            const double at[3] = {HALF * points[q][0], HALF * points[q][1], 2 * HALF * b};
            int i = contact_case_add(c, body, b - 1, FRICTION, at, up);
            c->contacts[i].key = (uint64_t)(1 + EIGHT * b + q);
        }
    }
}

static void four(contact_case *c, int size, int step, uint64_t seed)
{
    make_tower(c, size, step, FOUR, seed);
}

static void eight(contact_case *c, int size, int step, uint64_t seed)
{
    make_tower(c, size, step, EIGHT, seed);
}

/* In every third step a manifold is new. */
static void fresh(contact_case *c, int size, int step, uint64_t seed)
{
    make_tower(c, size, step, FOUR, seed);
    if (step % 3 != 0) return;
    for (int q = 0, b = step / 3 % size; q < FOUR; ++q)
        c->contacts[FOUR * b + q].key += (uint64_t)(1000 * (step + 1));
}

/* The contacts of a manifold have one key. */
static void duplicate(contact_case *c, int size, int step, uint64_t seed)
{
    make_tower(c, size, step, FOUR, seed);
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].key = (uint64_t)(1 + i / FOUR);
}

/* Keys wander: what a key named in the last step is another contact now. */
static void stale(contact_case *c, int size, int step, uint64_t seed)
{
    make_tower(c, size, step, FOUR, seed);
    int count = c->problem.contact_count, shift = 3 * step;
    for (int i = 0; i < count; ++i) c->contacts[i].key = (uint64_t)(1 + (i + shift) % count);
}

const contact_sequence contact_keyed_sequences[] = {
    {"four-points", four, {1, 3, 10, 30, 100}},    {"eight-points", eight, {1, 3, 10, 30, 100}},
    {"new-manifolds", fresh, {1, 3, 10, 30, 100}}, {"duplicate-keys", duplicate, {1, 3, 10, 30, 100}},
    {"stale-keys", stale, {1, 3, 10, 30, 100}},
};
const int contact_keyed_count = (int)(sizeof contact_keyed_sequences / sizeof *contact_keyed_sequences);
