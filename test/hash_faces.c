/* Prints one hash a stage of `faces` of everything it returns on a block on a rough floor and on stacks, cold
 * and over a few warm steps: equal bits whatever compiler, optimisation and vector width made the core
 * (test/hashes). */
#include "abut/contact.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 6, STEPS = 8, EACH = 4 };

static uint64_t hash;

static void add(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Uniform in [-1, 1). */
static double next(uint64_t *state)
{
    *state = *state * UINT64_C(2862933555777941757) + UINT64_C(3037000493);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* A stack of blocks, each on four corners, pushed a little harder with every step. */
static void make(abut_body *body, abut_contact *contact, int blocks, int directions, int step)
{
    uint64_t state = (uint64_t)(blocks + 100 * directions);
    for (int b = 0; b < blocks; ++b) {
        body[b] = (abut_body){
            .mass = 1.5 + 0.5 * next(&state), .inertia = {0.25, 0.25, 0.25}, .com = {0, 0, b + 0.5}};
        for (int k = 0; k < 6; ++k) body[b].force[k] = (3 + 0.02 * step) * next(&state);
        body[b].force[2] -= 9.75;
        for (int k = 0; k < EACH; ++k) {
            contact[EACH * b + k] = (abut_contact){.bodies = {b, b - 1},
                                                   .point = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, b},
                                                   .normal = {0, 0, 1},
                                                   .friction = 0.25 + 0.125 * next(&state),
                                                   .directions = directions,
                                                   .key = (uint64_t)(EACH * b + k + 1)};
            contact[EACH * b + k].point[0] += 0.0625 * next(&state) + 0.0009765625 * step;
        }
    }
}

static void run(const char *stage, int blocks, int directions)
{
    static abut_body body[MOST];
    static abut_contact contact[EACH * MOST];
    abut_contact_limits limits = {
        .bodies = MOST, .contacts = EACH * MOST, .directions = 16, .solvers = 1u << ABUT_SOLVER_FACES};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_workspace *work = NULL;
    if (abut_contact_workspace_create(&limits, NULL, &work) != ABUT_OK) return;
    options.solver = ABUT_SOLVER_FACES;
    options.alone = true;
    options.stage = stage;
    options.warm = !stage;
    hash = UINT64_C(0xcbf29ce484222325);
    for (int step = 0; step < STEPS; ++step) {
        make(body, contact, blocks, directions, step);
        abut_contact_problem problem = {.step = 0.0625,
                                        .contact_count = EACH * blocks,
                                        .contacts = contact,
                                        .body_count = blocks,
                                        .bodies = body};
        abut_contact_result result;
        if (abut_contact_solve(work, &problem, &options, &result) != ABUT_OK) continue;
        int head[2] = {(int)result.outcome, result.pivots};
        add(head, sizeof head);
        for (int i = 0; result.velocity && i < 6 * blocks; ++i) {
            double v = result.velocity[i] + 0.0; /* one zero */
            add(&v, sizeof v);
        }
        for (int i = 0; result.faces && i < EACH * blocks; ++i) add(&result.faces[i], sizeof result.faces[i]);
    }
    printf("%-14s blocks %d directions %2d %016" PRIx64 "\n", stage ? stage : "warm", blocks, directions,
           hash);
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    static const char *const stages[] = {NULL, "faces-greedy", "faces-interior", "faces-path", "faces-cover"};
    static const int directions[] = {2, 8, 13};
    for (int k = 0; k < 5; ++k) {
        for (int d = 0; d < 3; ++d) {
            for (int blocks = 1; blocks <= MOST; blocks += blocks == 1 ? 2 : 3)
                run(stages[k], blocks, directions[d]);
        }
    }
    return 0;
}
