/* Sequences: scenes that change a little from step to step at 1 kHz. A step is a function of its number
 * alone. */
#include "contact_families.h"

/* A number in -1 .. 1 that wanders with a period of about a second; each index its own way. */
static double wander(uint64_t seed, int index, int step)
{
    bench_random random = bench_random_stream(seed, (uint64_t)index);
    double rate = bench_uniform(&random, 2, 9), phase = bench_uniform(&random, 0, 6.283185307179586);
    return sin(phase + rate * 1e-3 * step);
}

static void wandering_wrench(contact_case *c, int body, double size, double arm, uint64_t seed, int step)
{
    for (int k = 0; k < 6; ++k)
        c->bodies[body].force[k] += size * (k < 3 ? 1 : arm) * wander(seed, 100 + k, step);
}

/* A peg that turns in its hole: the rings walk round, and some contacts come and go. */
static void turning_peg(contact_case *c, int n, int step, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, 0);
    contact_make_peg(c, n, &random);
    for (int k = 0; k < 6; ++k) c->bodies[0].force[k] = 0;
    wandering_wrench(c, 0, 10, 0.06, seed, step);
    double angle = 0.3 * wander(seed, 1, step), x = cos(angle), y = sin(angle);
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        abut_contact contact = c->contacts[i];
        if (wander(seed, 200 + i, step) > 0.95) continue;
        for (double *v = contact.point;; v = v == contact.point ? contact.normal : contact.tangent) {
            double old = v[0];
            v[0] = x * old - y * v[1];
            v[1] = y * old + x * v[1];
            if (v == contact.tangent) break;
        }
        c->contacts[kept++] = contact;
    }
    c->problem.contact_count = kept;
}

/* A stack under a wandering push at its top; the faces slide over each other, so that contact points move. */
static void swaying_stack(contact_case *c, int m, int step, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, 0);
    contact_make_stack(c, m, &random);
    for (int k = 0; k < 6; ++k)
        c->bodies[m - 1].force[k] = k == 2 ? -CONTACT_GRAVITY * c->bodies[m - 1].mass : 0;
    wandering_wrench(c, m - 1, 3, 0.05, seed, step);
    for (int i = 0; i < c->problem.contact_count; ++i)
        for (int k = 0; k < 2; ++k)
            c->contacts[i].point[k] += 0.004 * wander(seed, 300 + i / 4 * 2 + k, step);
}

/* The same, but in every third step the contacts between two of its bodies are new: their keys change. */
static void restacked(contact_case *c, int m, int step, uint64_t seed)
{
    swaying_stack(c, m, step, seed);
    int renewals = step / 3 + 1; /* so far, bottom to top and over again */
    for (int i = 0; i < c->problem.contact_count; ++i) {
        int layer = i / 4;
        c->contacts[i].key = (uint64_t)(i + 1 + 1000 * ((renewals + m - 1 - layer) / m));
    }
}

/* A wall that is shaken. */
static void shaken_wall(contact_case *c, int m, int step, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, 0);
    contact_make_wall(c, m, &random);
    for (int i = 0; i < m; ++i) {
        c->bodies[i].force[0] += 0.8 * wander(seed, 1, step);
        c->bodies[i].force[1] += 0.8 * wander(seed, 2, step);
    }
}

const contact_sequence contact_sequences[] = {
    {"turning-peg", turning_peg, {8, 16, 32}},
    {"swaying-stack", swaying_stack, {1, 2, 3, 5}},
    {"restacked", restacked, {3, 5}},
    {"shaken-wall", shaken_wall, {6}},
};

const int contact_sequence_count = sizeof contact_sequences / sizeof contact_sequences[0];
