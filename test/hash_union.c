/* Prints one hash a rule and model of everything that is returned for random unions, by the search, by branch
 * and bound, by Lemke's method on the summation, and for the least energy: equal bits whatever compiler,
 * optimisation and vector width made the core (test/hashes). */
#include "abut/union.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

enum { SIDES = 4, GROUPS = 3, ORDINARY = 2, CONTACTS = SIDES * GROUPS + ORDINARY, PROBLEMS = 60 };

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

/* A body in the plane among corners; normals are on a grid of Pythagorean triples, so that they are exact. */
static void make(abut_body *body, abut_contact *contact, uint64_t state)
{
    static const double normal[8][2] = {{0.6, 0.8}, {-0.6, 0.8}, {0.8, -0.6}, {-0.8, -0.6},
                                        {1, 0},     {0, 1},      {-1, 0},     {0, -1}};
    *body = (abut_body){.mass = 1.5 + 0.5 * next(&state), .inertia = {0.25, 0.25, 0.25}};
    for (int k = 0; k < 6; ++k) {
        bool moves = k < 2 || k == 5;
        body->velocity[k] = moves ? 3 * next(&state) : 0;
        body->force[k] = moves ? 20 * next(&state) : 0;
    }
    for (int i = 0; i < CONTACTS; ++i) {
        const double *n = normal[(int)(4 + 4 * next(&state)) & 7];
        bool side = i >= ORDINARY;
        contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                    .point = {0.5 * next(&state), 0.5 * next(&state), 0},
                                    .normal = {n[0], n[1], 0},
                                    .tangent = {-n[1], n[0], 0},
                                    .friction = 0.6 + 0.6 * next(&state),
                                    .directions = 2,
                                    .gap = side ? 0.1 * next(&state) : 0,
                                    .group = side ? 1 + (i - ORDINARY) / SIDES : 0};
        if (side && (i - ORDINARY) % SIDES == 0) contact[i].gap = 0;
    }
}

static void run(const char *name, abut_contact_model model, abut_union_rule rule, abut_union_prefer prefer)
{
    static abut_body body;
    static abut_contact contact[CONTACTS];
    abut_contact_problem problem = {.model = model,
                                    .step = 0.125,
                                    .contact_count = CONTACTS,
                                    .contacts = contact,
                                    .body_count = 1,
                                    .bodies = &body};
    abut_contact_options options = abut_contact_default_options();
    options.unions.rule = rule;
    options.unions.prefer = prefer;
    make(&body, contact, 1);
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    if (abut_contact_workspace_create(&limits, NULL, &work) != ABUT_OK) return;
    hash = UINT64_C(0xcbf29ce484222325);
    int solved = 0;
    for (int k = 0; k < PROBLEMS; ++k) {
        make(&body, contact, (uint64_t)k);
        abut_contact_result result;
        if (abut_contact_solve(work, &problem, &options, &result) != ABUT_OK) continue;
        add(&result.outcome, sizeof result.outcome);
        add(&result.pivots, sizeof result.pivots);
        if (result.outcome != ABUT_SOLVED) continue;
        solved++;
        add(result.velocity, 6 * sizeof(double));
        for (int i = 0; i < CONTACTS; ++i) {
            add(&result.contacts[i].normal, sizeof(double));
            add(result.contacts[i].tangent, 2 * sizeof(double));
        }
    }
    printf("%-22s %2d solved %016" PRIx64 "\n", name, solved, hash);
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    run("max coulomb", ABUT_COULOMB, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
    run("max frictionless", ABUT_FRICTIONLESS, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
    run("max no-slip", ABUT_NO_SLIP, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
    run("sum coulomb", ABUT_COULOMB, ABUT_UNION_SUM, ABUT_PREFER_FIRST);
    run("energy frictionless", ABUT_FRICTIONLESS, ABUT_UNION_MAX, ABUT_PREFER_ENERGY);
    return 0;
}
