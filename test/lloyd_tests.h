/* The tests of Lloyd's two methods, which are the same: against a dense solve at every pivot, on golden
 * problems, and on families of problems. test_structural.c and test_reduced.c say which method. */
#ifndef ABUT_TEST_LLOYD_TESTS_H
#define ABUT_TEST_LLOYD_TESTS_H

#include "lloyd_case.h"
#include "lloyd_hook.h"

static contact_trial *trial;
static abut_contact_solver method;

static void test_golden(void)
{
    run_golden(trial);
}

/* Every vertex and edge of well-conditioned problems, in all three cases of appendix A. */
static void test_every_pivot(void)
{
    static const struct {
        const char *family;
        int count, largest;
    } runs[] = {{"pegs", 12, 16}, {"symmetric-pegs", 12, 16},
                {"stacks", 8, 2}, {"directions", 10, 8},
                {"gaps", 10, 8},  {"belts", 10, 8}};
    uint64_t seed = check_seed(3);
    witness_looks = true;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        witness = (lloyd_witness){0};
        run_family(trial, runs[r].family, runs[r].count, runs[r].largest, RESIDUAL_PAPER, seed);
        check_witness(runs[r].family);
        if (r == 0)
            CHECK(witness.kinds[LLOYD_NORMAL] > 0 && witness.kinds[LLOYD_TANGENT] > 0 &&
                  witness.kinds[LLOYD_CONE] > 0);
    }
    witness_looks = false;
}

static void test_without_friction(void)
{
    run_without_friction(trial, check_seed(4));
}

static void test_ray(void)
{
    run_squeezed(trial);
}

static void test_limit(void)
{
    run_limited(trial, check_seed(5));
}

static void test_restart(void)
{
    uint64_t seed = check_seed(6);
    run_restarted(trial, "pegs", 8, seed);
    run_restarted(trial, "gaps", 8, seed);
    run_restarted(trial, "stacks", 2, seed);
}

/* The rule that has a proof: it chooses as the inverse of the full basis has it, and solves them too, ties
 * included. */
static void test_lexicographic(void)
{
    static const char *const families[] = {"pegs", "symmetric-pegs", "stacks", "gaps"};
    uint64_t seed = check_seed(8);
    witness_lexicographic = true;
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f)
        run_family(trial, families[f], 24, 16, RESIDUAL_PAPER, seed);
    witness_looks = true;
    witness = (lloyd_witness){0};
    run_family(trial, "symmetric-pegs", 12, 16, RESIDUAL_PAPER, seed);
    run_family(trial, "symmetric-stacks", 12, 2, RESIDUAL_PAPER, seed);
    printf("       %ld ties\n", witness.ties);
    CHECK(witness.ties > 100);
    CHECK_EQ_INT(witness.wrong_ties, 0);
    witness_looks = witness_lexicographic = false;
}

/* A basis that comes back is noticed, and ties go by the rule that cannot cycle from then on. No problem we know
 * makes a path come back, so the test says that it did. */
static void test_repeated_basis(void)
{
    const contact_family *family = contact_family_find("walls");
    contact_case *c = contact_case_create();
    uint64_t seed = check_seed(9);
    long followed = 0;
    for (int i = 0; i < 12; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(family, 12, &random, c));
        memset(&staged, 0, sizeof staged);
        staged.on = true;
        CHECK(contact_trial_run(trial, &c->problem));
        staged.on = false;
        expect_solved(trial, RESIDUAL_PAPER, "repeated basis", i);
        if (trial->result.pivots > staged.vertices + 2) continue; /* a second path began, which counts anew */
        CHECK_EQ_INT(staged.strayed, 0);
        followed += staged.followed;
    }
    printf("       %ld vertices after a repeated basis\n", followed);
    CHECK(followed > 100);
    contact_case_destroy(c);
}

static void test_tower(void)
{
    run_tower(trial);
}

/* Contacts given many times over, masses far apart, units, joints: what redundancy and bad scaling do to a
 * path. */
static void test_nasty(void)
{
    static const char *const families[] = {"duplicates", "masses", "symmetric-stacks", "friction",
                                           "units",      "loops",  "clutter"};
    uint64_t seed = check_seed(7);
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f)
        run_family(trial, families[f], 24, 200, RESIDUAL_NASTY, seed);
}

/* Where the two methods differ: a box slides on four corners, and has twelve contacts far away from what they
 * could touch. `structural` carries the friction rows of all from the start; `reduced` starts without, and
 * those of contacts that never press never join. */
static void test_who_takes_part(void)
{
    enum { CORNERS = 4, COUNT = 16 };
    abut_contact contacts[COUNT];
    abut_body box = {.mass = 1, .inertia = {1, 1, 1}, .com = {0, 0, 0.5}, .velocity = {1, 0.5, -1}};
    for (int i = 0; i < COUNT; ++i) {
        contacts[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                     .point = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.05 * (i / CORNERS)},
                                     .normal = {0, 0, 1},
                                     .friction = 0.25,
                                     .gap = i < CORNERS ? 0 : 1};
    }
    abut_contact_problem problem = {
        .step = 0.01, .body_count = 1, .bodies = &box, .contact_count = COUNT, .contacts = contacts};
    witness = (lloyd_witness){0};
    witness_looks = true;
    run_problem(trial, &problem, RESIDUAL_PAPER, "who takes part", 0);
    witness_looks = false;
    CHECK(witness.vertices > 1);
    bool reduced = method == ABUT_SOLVER_REDUCED;
    CHECK_MSG(reduced ? witness.fewest <= 1 : witness.fewest == COUNT,
              "friction rows of %d contacts at least", witness.fewest);
    CHECK_MSG(reduced ? witness.most >= 1 && witness.most <= CORNERS : witness.most == COUNT,
              "friction rows of up to %d contacts", witness.most);
}

static int lloyd_tests(abut_contact_solver solver)
{
    method = solver;
    trial = contact_trial_create(solver, true);
    if (!trial) return 1;
    RUN(test_golden);
    RUN(test_every_pivot);
    RUN(test_without_friction);
    RUN(test_ray);
    RUN(test_limit);
    RUN(test_restart);
    RUN(test_lexicographic);
    RUN(test_repeated_basis);
    RUN(test_tower);
    RUN(test_nasty);
    RUN(test_who_takes_part);
    contact_trial_destroy(trial);
    return check_report();
}

#endif
