/* Many unions at once. No-slip: sets of pins and the tree of branch and bound, two programs for one question, agree;
 * crowds of 8 and 12 unions end with an answer or with every case gone through. Choices of sides are gone through
 * without idle ones in between; budgets are kept. */
#include "check.h"
#include "contact/call.h"
#include "contact_trial.h"
#include "family_unions.h"
#include <limits.h>
#include <time.h>

/* The problem that the trial has solved, built again in its workspace with all sides; NULL when it has several
 * islands or none with unions. */
static const abuti_system *form_again(abuti_call *c, const abut_contact_problem *problem)
{
    abut_contact_workspace *work = c->work;
    abuti_unions *u = &work->unions;
    if (work->islands.count != 1) return NULL;
    const abuti_island *island = &work->islands.island[0];
    c->problem = problem;
    if (abuti_unions_find(u, problem, island) == 0) return NULL;
    for (int g = 0; g < u->groups; ++g) u->chosen[g] = -1;
    abuti_unions_reduce_nothing(u, problem, island);
    c->problem = &u->reduced;
    return abuti_build_island(c, &u->island) == ABUT_OK ? &work->build.system : NULL;
}

/* Whether branch and bound finds an answer that the verifier takes, by sets of pins or by its tree. */
static bool finds(abuti_call *c, const abuti_system *system, bool by_pins)
{
    abuti_unions *u = &c->work->unions;
    abuti_branch *branch = u->branch;
    abuti_answer *answer = &c->work->answer;
    CHECK(abuti_branch_begin(branch, u, system, c->options, false));
    CHECK(branch->by_pins);
    branch->by_pins = by_pins;
    for (abuti_branch_step step = ABUTI_BRANCH_PAUSE;
         step != ABUTI_BRANCH_END && branch->by_pins == by_pins;) {
        abut_contact_check check;
        abuti_clear_answer(answer, system);
        step = abuti_branch_next(branch, u, system, INT_MAX, answer);
        if (step != ABUTI_BRANCH_POINT) continue;
        abuti_call_judge(c, &u->island, system, answer, &check);
        if (check.residual <= c->options->tolerance) return true;
        branch->exhausted = false;
    }
    return false;
}

/* Where one finds an answer so does the other; only sets of pins know glued sides. */
static void test_pins_and_tree(void)
{
    uint64_t seed = check_seed(81);
    contact_case *problem = contact_case_create();
    int both = 0, none = 0, glued = 0, doubtful_pins = 0, doubtful_tree = 0;
    for (int k = 0; k < 600; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        CHECK(family_unions_many(problem, 1 + k % 6, &random));
        problem->problem.model = ABUT_NO_SLIP;
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        CHECK(contact_trial_run(trial, &problem->problem));
        abuti_call c = {.work = trial->work, .options = &trial->options};
        const abuti_system *system = form_again(&c, &problem->problem);
        if (system) {
            const abuti_branch *branch = trial->work->unions.branch;
            bool pins = finds(&c, system, true), sure = branch->exhausted && branch->pins.exhausted;
            bool glue = branch->glue == ABUTI_GLUE_OF_ALL;
            bool tree = finds(&c, system, false), done = branch->exhausted;
            CHECK_MSG(pins || !tree || !sure, "problem %d: pins find nothing", k);
            CHECK_MSG(tree || !pins || glue || !done, "problem %d: the tree finds nothing", k);
            both += pins && tree;
            none += !pins && !tree;
            glued += pins && !tree;
            doubtful_pins += !pins && !sure;
            doubtful_tree += !tree && !done;
        }
        contact_trial_destroy(trial);
    }
    printf("both %d, none %d, glued sides %d, in doubt: %d sets, %d trees\n", both, none, glued,
           doubtful_pins, doubtful_tree);
    CHECK(both > 100 && none > 3 && doubtful_pins <= 2);
    contact_case_destroy(problem);
}

/* Everything is decided, within a work that is some tenths of a second at most. */
static void test_crowds(void)
{
    enum { COUNT = 100, PIVOTS = 400000 };
    uint64_t seed = check_seed(82);
    contact_case *problem = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int unions = 8; unions <= 12; unions += 4) {
        int solved = 0, none = 0, most = 0;
        for (int k = 0; k < COUNT; ++k) {
            bench_random random = bench_random_stream(seed, (uint64_t)(1000 * unions + k));
            CHECK(family_unions_many(problem, unions, &random));
            problem->problem.model = ABUT_NO_SLIP;
            CHECK(contact_trial_run(trial, &problem->problem));
            const abut_contact_result *r = &trial->result;
            bool right = r->outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
            CHECK_MSG(right || (r->outcome == ABUT_FAILED && r->exhausted), "%d unions, problem %d: %s",
                      unions, k, abut_outcome_name(r->outcome));
            solved += right;
            none += !right;
            most = r->pivots > most ? r->pivots : most;
        }
        printf("%d unions: %d solved, %d without an answer, at most %d pivots\n", unions, solved, none, most);
        CHECK(most <= PIVOTS);
        CHECK(solved >= COUNT * 9 / 10);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(problem);
}

/* A union of five sides before fifteen of two: the choices in which some union has five sides are few, and those
 * without, 3^15 times as many as with four, are passed over. The answer with the least energy looks at every
 * choice. */
static void test_levels(void)
{
    contact_case *problem = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    double inertia[3] = {0.1, 0.1, 0.1}, com[3] = {0, 0, 0};
    contact_case_clear(problem);
    problem->problem.model = ABUT_FRICTIONLESS;
    problem->problem.step = 0.01;
    int body = contact_case_body(problem, 1.0, inertia, com);
    problem->bodies[body].velocity[2] = -1.0;
    for (int g = 0; g < 16; ++g) {
        for (int side = 0; side < (g == 0 ? 5 : 2); ++side) {
            double tilt = 0.1 * side + 0.03 * g;
            double point[3] = {0.1 * g, 0.02 * side, 0}, normal[3] = {sin(tilt), 0, cos(tilt)};
            int i = contact_case_add(problem, body, ABUT_WORLD, 0, point, normal);
            problem->contacts[i].group = g + 1;
        }
    }
    trial->options.unions.prefer = ABUT_PREFER_ENERGY;
    CHECK(contact_trial_run(trial, &problem->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(trial->check.residual <= 1e-9);
    contact_trial_destroy(trial);
    contact_case_destroy(problem);
}

/* Problems of up to a second, given 10 ms of time, or few pivots. */
static void test_budget(void)
{
    contact_case *problem = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int cut = 0;
    for (int k = 0; k < 40; ++k) {
        bench_random random = bench_random_stream(83, (uint64_t)k);
        CHECK(family_unions_many(problem, 16, &random));
        problem->problem.model = ABUT_NO_SLIP;
        trial->options.unions.rule = k % 2 ? ABUT_UNION_SUM : ABUT_UNION_MAX;
        trial->options.max_seconds = 0.01;
        clock_t start = clock();
        CHECK(contact_trial_run(trial, &problem->problem));
        double spent = (double)(clock() - start) / CLOCKS_PER_SEC;
        CHECK_MSG(spent < 0.5, "problem %d: %g s", k, spent);
        cut += trial->result.outcome == ABUT_LIMIT;
    }
    CHECK_MSG(cut > 2, "%d cut short", cut);
    contact_trial_destroy(trial);
    contact_case_destroy(problem);
}

int main(void)
{
    RUN(test_pins_and_tree);
    RUN(test_crowds);
    RUN(test_levels);
    RUN(test_budget);
    return check_report();
}
