/* What the tests of Lloyd's two methods share: families of problems and special scenes, each answer judged by
 * the verifier. */
#ifndef ABUT_TEST_LLOYD_CASE_H
#define ABUT_TEST_LLOYD_CASE_H

#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "golden_lloyd.h"

/* The residual asked on the paper's own families, and on the nasty ones. */
#define RESIDUAL_PAPER 1e-10
#define RESIDUAL_NASTY 1e-9

static inline void expect_solved(const contact_trial *trial, double residual, const char *name, int number)
{
    CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= residual,
              "%s %d: %s, residual %g", name, number, abut_outcome_name(trial->result.outcome),
              trial->check.residual);
}

static inline void run_problem(contact_trial *trial, const abut_contact_problem *problem, double residual,
                               const char *name, int number)
{
    CHECK(contact_trial_run(trial, problem));
    expect_solved(trial, residual, name, number);
}

/* `count` problems of a family, sizes in turn. */
static inline void run_family(contact_trial *trial, const char *name, int count, int largest, double residual,
                              uint64_t seed)
{
    const contact_family *family = contact_family_find(name);
    contact_case *c = contact_case_create();
    CHECK(family && c);
    int sizes = 0;
    while (sizes < CONTACT_SIZES_MAX && family->sizes[sizes] != 0 &&
           (sizes == 0 || family->sizes[sizes] <= largest))
        sizes++;
    for (int i = 0; i < count; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(family, family->sizes[i % sizes], &random, c));
        CHECK(contact_trial_run(trial, &c->problem));
        if (trial->result.outcome == ABUT_RAY && family->ray_allowed) continue;
        expect_solved(trial, residual, name, i);
    }
    contact_case_destroy(c);
}

/* The golden problems, through the door of generalised coordinates. */
static inline void run_golden(contact_trial *trial)
{
    static const double identity[36] = {[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1},
                        zero[6] = {0};
    for (int g = 0; g < GOLDEN_LLOYD_COUNT; ++g) {
        const golden_lloyd *golden = &golden_lloyds[g];
        abut_contact contacts[16] = {{.friction = 0}};
        for (int i = 0; i < golden->n; ++i) {
            contacts[i].friction = golden->mu[i];
            contacts[i].directions = golden->d;
        }
        abut_generalised door = {.nv = 6,
                                 .mass_matrix = identity,
                                 .velocity = golden->k,
                                 .force = zero,
                                 .normal_rows = golden->normal,
                                 .tangent_rows = golden->tangent};
        abut_contact_problem problem = {
            .step = 1, .contact_count = golden->n, .contacts = contacts, .generalised = &door};
        run_problem(trial, &problem, 1e-14, golden->name, g);

        /* the published answer passes the verifier too */
        abut_contact_check check;
        double velocity[6], *scratch = calloc(abut_contact_verify_size(&problem) + 1, sizeof *scratch);
        for (int c = 0; c < 6; ++c) {
            velocity[c] = golden->k[c];
            for (int i = 0; i < golden->n; ++i) {
                const double *p = golden->impulse + 3 * i, *t = golden->tangent + 12 * i;
                velocity[c] += p[0] * golden->normal[6 * i + c] + p[1] * t[c] + p[2] * t[6 + c];
            }
        }
        CHECK(abut_contact_verify(&problem, NULL, golden->impulse, NULL, velocity, scratch, &check) ==
              ABUT_OK);
        CHECK_MSG(check.residual <= 1e-14, "%s as published: %g", golden->name, check.residual);
        free(scratch);

        if (golden->n == 1 && trial->result.contacts) { /* the trap: unique, and friction must be there */
            CHECK_NEAR(trial->result.contacts[0].normal, golden->impulse[0], 1e-15);
            CHECK_NEAR(trial->result.contacts[0].tangent[0], golden->impulse[1], 1e-15);
            CHECK_NEAR(trial->result.contacts[0].slip, 2, 1e-15);
            CHECK_EQ_INT(trial->result.contacts[0].state, ABUT_SLIDE);
        }
    }
}

/* Frictionless and mu = 0 pegs have the same answer. */
static inline void run_without_friction(contact_trial *trial, uint64_t seed)
{
    const contact_family *pegs = contact_family_find("pegs");
    contact_case *c = contact_case_create();
    for (int i = 0; i < 40; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(pegs, 8 + 4 * (i % 7), &random, c));
        double first[6] = {0};
        for (int pass = 0; pass < 2; ++pass) {
            c->problem.model = pass == 0 ? ABUT_FRICTIONLESS : ABUT_COULOMB;
            for (int k = 0; k < c->problem.contact_count; ++k) c->contacts[k].friction = 0;
            run_problem(trial, &c->problem, RESIDUAL_PAPER, "without friction", i);
            for (int v = 0; v < 6 && trial->result.velocity; ++v) {
                if (pass == 0)
                    first[v] = trial->result.velocity[v];
                else
                    CHECK_NEAR(trial->result.velocity[v], first[v], 1e-12);
            }
        }
    }
    contact_case_destroy(c);
}

/* A body squeezed between two walls closer to each other than it is wide: the stage ends on a ray with a
 * direction, and weights prove that there is no solution. */
static inline void run_squeezed(contact_trial *trial)
{
    contact_case *c = contact_case_create();
    const double inertia[3] = {1, 1, 1}, com[3] = {0, 0, 0};
    int body = contact_case_body(c, 1, inertia, com);
    for (int side = 0; side < 2; ++side) {
        double x = side ? 1 : -1;
        int k = contact_case_add(c, body, ABUT_WORLD, 0.5, (double[3]){x, 0, 0}, (double[3]){-x, 0, 0});
        c->contacts[k].gap = -0.01;
    }
    c->problem.step = CONTACT_STEP;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_INFEASIBLE);
    CHECK_NEAR(trial->result.witness[0] / trial->result.witness[1], 1, 1e-12);
    CHECK(trial->result.ray);
    if (trial->result.ray) { /* both walls push, against each other */
        CHECK(trial->result.ray[0] > 0);
        CHECK_NEAR(trial->result.ray[3] / trial->result.ray[0], 1, 1e-12);
    }
    contact_case_destroy(c);
}

/* A budget of pivots ends a solve with `limit`. (A tower: a peg may be at rest, which one factorisation tells.) */
static inline void run_limited(contact_trial *trial, uint64_t seed)
{
    contact_case *c = contact_case_create();
    bench_random random = bench_random_stream(seed, 0);
    CHECK(contact_family_make(contact_family_find("towers"), 10, &random, c));
    trial->options.max_pivots = 5;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_LIMIT);
    CHECK(trial->result.pivots <= 5);
    trial->options.max_pivots = 0;
    run_problem(trial, &c->problem, RESIDUAL_PAPER, "unlimited", 0);
    contact_case_destroy(c);
}

/* From the states of the last answer the same problem needs no pivot when its basis is one of the table's,
 * and few otherwise, unless all of them rest, which takes one pivot each anyway; states that are nonsense do no
 * harm. */
static inline void run_restarted(contact_trial *trial, const char *name, int size, uint64_t seed)
{
    contact_case *c = contact_case_create();
    abut_contact_face *start = NULL;
    long cold = 0, again = 0;
    const int problems = 40;
    for (int i = 0; i < problems; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(contact_family_find(name), size, &random, c));
        trial->options.start = NULL;
        run_problem(trial, &c->problem, RESIDUAL_PAPER, name, i);
        cold += trial->result.pivots;
        int n = c->problem.contact_count;
        start = realloc(start, (size_t)n * sizeof *start);
        for (int k = 0; k < n && trial->result.faces; ++k) start[k] = trial->result.faces[k];
        trial->options.start = start;
        run_problem(trial, &c->problem, RESIDUAL_PAPER, name, i);
        again += trial->result.pivots;
        for (int k = 0; k < n; ++k)
            start[k] = (abut_contact_face){.state = (uint8_t)bench_below(&random, 4),
                                           .face = (uint8_t)bench_below(&random, 8)};
        run_problem(trial, &c->problem, RESIDUAL_PAPER, name, i);
    }
    trial->options.start = NULL;
    printf("       %-16s %ld pivots cold, %ld again\n", name, cold, again);
    CHECK_MSG(2 * again < cold || (cold == problems && again <= cold), "%s: %ld pivots cold, %ld again", name,
              cold, again);
    free(start);
    contact_case_destroy(c);
}

/* Fifty blocks one on the other under gravity, the uppermost pushed. */
static inline void run_tower(contact_trial *trial)
{
    contact_case *c = contact_case_create();
    double inertia[3];
    contact_block_inertia(1, 1, 1, 1, inertia);
    for (int b = 0; b < 50; ++b) {
        int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, b + 0.5});
        c->bodies[body].force[2] = -CONTACT_GRAVITY;
        for (int k = 0; k < 4; ++k) {
            double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5;
            contact_case_add(c, body, b - 1, 0.25, (double[3]){x, y, b}, (double[3]){0, 0, 1});
        }
    }
    c->bodies[49].force[0] += 3;
    c->bodies[49].force[4] -= 1;
    c->problem.step = CONTACT_STEP;
    run_problem(trial, &c->problem, RESIDUAL_PAPER, "tower", 50);
    contact_case_destroy(c);
}

#endif
