/* Robots: blocks, bounded rows, compliance, two points. Every answer goes through the verifier; a tree moves in its own
 * coordinates as it does in maximal ones, and what an exhaustive search solves is solved. */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"
#include <stdlib.h>
#include <string.h>

static const double RESIDUAL = 1e-9;

typedef struct bed {
    uint64_t seed;
    robot_scene *scene;
    contact_trial *trial;
} bed;

static bed bed_make(abut_contact_solver solver, bool alone)
{
    return (bed){check_seed(20261116), robot_scene_create(), contact_trial_create(solver, alone)};
}

static void bed_end(bed *b)
{
    robot_scene_destroy(b->scene);
    contact_trial_destroy(b->trial);
}

static void make(bed *b, const robot_family *family, int size, int number)
{
    bench_random r = bench_random_stream(b->seed + (uint64_t)size, (uint64_t)number);
    CHECK(robot_family_make(family, size, &r, b->scene));
}

/* Solved and verified; or, where the family has problems without an answer, said to have none. */
static bool run(bed *b, const abut_contact_problem *p, const robot_family *family, int size, int number)
{
    CHECK_MSG(contact_trial_run(b->trial, p), "%s size %d number %d: refused", family->name, size, number);
    bool solved = b->trial->result.outcome == ABUT_SOLVED && b->trial->check.residual <= RESIDUAL;
    CHECK_MSG(solved || family->none_allowed, "%s size %d number %d: %s by %s, residual %g", family->name,
              size, number, abut_outcome_name(b->trial->result.outcome), b->trial->result.stage,
              b->trial->check.residual);
    return solved;
}

/* Every size of every family, up to `largest`. */
static void all_families(abut_contact_solver solver, bool alone, abut_contact_model model, int count,
                         int largest)
{
    bed b = bed_make(solver, alone);
    for (int f = 0; f < robot_family_count; ++f) {
        const robot_family *family = &robot_families[f];
        int solved = 0, total = 0;
        for (int k = 0; family->sizes[k] != 0 && family->sizes[k] <= largest; ++k)
            for (int i = 0; i < count; i++, ++total) {
                make(&b, family, family->sizes[k], i);
                b.scene->reduced.model = model;
                solved += run(&b, &b.scene->reduced, family, family->sizes[k], i);
            }
        printf("       %-8s %-10s %-13s %4d of %4d solved\n", family->name, abut_contact_solver_name(solver),
               abut_contact_model_name(model), solved, total);
    }
    bed_end(&b);
}

static void test_auto(void)
{
    all_families(ABUT_SOLVER_AUTO, false, ABUT_COULOMB, 40, 40);
}

static void test_solvers(void)
{
    all_families(ABUT_SOLVER_FACES, true, ABUT_COULOMB, 10, 13);
    all_families(ABUT_SOLVER_REDUCED, true, ABUT_COULOMB, 10, 8);
    all_families(ABUT_SOLVER_STRUCTURAL, true, ABUT_COULOMB, 10, 8);
    all_families(ABUT_SOLVER_LEMKE, true, ABUT_COULOMB, 10, 8);
}

static void test_models(void)
{
    all_families(ABUT_SOLVER_AUTO, false, ABUT_FRICTIONLESS, 10, 13);
    all_families(ABUT_SOLVER_AUTO, false, ABUT_VISCOUS, 10, 8);
    all_families(ABUT_SOLVER_AUTO, false, ABUT_COULOMB_ACCEL, 10, 3);
}

/* Answers to which no path leads: the modes of a few contacts are gone through. */
static void test_modes_are_searched(void)
{
    static const uint64_t numbers[] = {18018, 7954};
    const robot_family *family = robot_family_find("bounces");
    bed b = bed_make(ABUT_SOLVER_AUTO, false);
    int sizes = 0;
    while (family->sizes[sizes] != 0) ++sizes;
    for (int k = 0; k < 2; ++k) {
        bench_random r = bench_random_stream(1, numbers[k]); /* as in the campaign of seed 1 */
        CHECK(robot_family_make(family, family->sizes[bench_below(&r, sizes)], &r, b.scene));
        const abut_contact_problem *forms[2] = {&b.scene->reduced, &b.scene->maximal->problem};
        for (int form = 0; form < 2; ++form) {
            CHECK(contact_trial_run(b.trial, forms[form]));
            CHECK(b.trial->result.outcome == ABUT_SOLVED && b.trial->check.residual <= RESIDUAL);
        }
    }
    bed_end(&b);
}

int main(void)
{
    RUN(test_auto);
    RUN(test_solvers);
    RUN(test_models);
    RUN(test_modes_are_searched);
    return check_report();
}
