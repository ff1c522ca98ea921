/* The summation formulation's LCP by itself: every level of the paper's slack leads to answers that the
 * verifier, who knows no slack, accepts; some problems need more than one covering vector; branch and bound
 * on it is complete. */
#include "check.h"
#include "contact/call.h"
#include "contact/unions/sum.h"
#include "contact_trial.h"
#include "family_unions.h"
#include <limits.h>

enum { PROBLEMS = 600 };

/* The LCP of the problem that the trial has solved, formed again in its workspace; NULL when it has several
 * islands or none with unions. */
static const abuti_system *form_again(abuti_call *c, const abut_contact_problem *problem)
{
    abut_contact_workspace *work = c->work;
    abuti_unions *u = &work->unions;
    if (work->islands.count != 1) return NULL;
    const abuti_island *island = &work->islands.island[0];
    c->problem = problem;
    if (abuti_unions_find(u, problem, island) == 0) return NULL;
    abuti_unions_reduce_duplicates(u, problem, island);
    c->problem = &u->reduced;
    if (abuti_build_island(c, &u->island) != ABUT_OK) return NULL;
    const abuti_system *system = &work->build.system;
    return abuti_sum_form(u->sum, system, &u->reduced, c->options, u->place) ? system : NULL;
}

/* Whether the verifier takes the answer of that LCP. */
static bool is_right(abuti_call *c, const abuti_system *system, const abuti_answer *answer)
{
    abut_contact_check check;
    abuti_call_judge(c, &c->work->unions.island, system, answer, &check);
    return check.residual <= c->options->tolerance;
}

/* Slack is more in every row, by up to the level's share of the largest entry of b, from half of it on. */
static void expect_slack(const abuti_sum *sum, double share)
{
    double largest = 0;
    for (int i = 0; i < sum->shape.rows; ++i) largest = fmax(largest, fabs(sum->b[i]));
    double rounding = 1e-15 * largest;
    for (int i = 0; i < sum->shape.free; ++i) {
        double slack = sum->slacked[i] - sum->b[i];
        CHECK(slack >= 0.5 * share * largest - rounding && slack <= share * largest + rounding);
    }
}

static bool solved_with_covers(const abuti_sum *sum, int covers)
{
    abut_lcp_problem lcp = {.n = sum->shape.rows, .M = sum->B, .ld = sum->shape.rows, .q = sum->b};
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_LEMKE;
    options.max_covers = covers;
    abut_lcp_result result;
    CHECK_EQ_INT(abut_lcp_solve(sum->work, &lcp, &options, &result), ABUT_OK);
    return result.outcome == ABUT_SOLVED;
}

static void test_levels_and_covers(void)
{
    static const double share[ABUTI_SUM_SLACKS] = {0, 1e-13, 1e-12, 1e-11, 1e-10};
    uint64_t seed = check_seed(79);
    contact_case *problem = contact_case_create();
    int formed = 0, accepted[ABUTI_SUM_SLACKS] = {0}, at_first = 0, in_the_end = 0;
    for (int k = 0; k < PROBLEMS; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        CHECK(family_unions_make(problem, &random));
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.unions.rule = ABUT_UNION_SUM;
        CHECK(contact_trial_run(trial, &problem->problem));
        abuti_call c = {.work = trial->work, .options = &trial->options};
        const abuti_system *system = form_again(&c, &problem->problem);
        abuti_unions *u = &trial->work->unions;
        for (int level = 0; system && level < ABUTI_SUM_SLACKS; ++level) {
            abuti_answer *answer = &trial->work->answer;
            abuti_clear_answer(answer, system);
            abut_outcome belief =
                abuti_sum_run(u->sum, system, &u->reduced, u->place, level, INT_MAX, answer);
            expect_slack(u->sum, share[level]);
            accepted[level] += belief == ABUT_SOLVED && is_right(&c, system, answer);
        }
        formed += system != NULL;
        at_first += system && solved_with_covers(u->sum, 0);
        in_the_end += system && solved_with_covers(u->sum, 40);
        contact_trial_destroy(trial);
    }
    printf("%d LCPs: accepted with slack 0 to 1e-10 %d %d %d %d %d; solved with one cover %d, with more %d\n",
           formed, accepted[0], accepted[1], accepted[2], accepted[3], accepted[4], at_first, in_the_end);
    CHECK(formed >= PROBLEMS / 2);
    /* The last level, 1e-10 of the largest entry of b, may show beyond a tolerance of 1e-9 K. */
    for (int level = 0; level < ABUTI_SUM_SLACKS; ++level)
        CHECK(accepted[level] >= (level < ABUTI_SUM_SLACKS - 1 ? 0.99 : 0.7) * formed);
    CHECK(in_the_end > at_first);
    contact_case_destroy(problem);
}

/* Branch and bound by itself finds an answer of the summation wherever the whole call has one, whatever the
 * model, and shows that there is none where that says so. */
static void test_branch(void)
{
    static const abut_contact_model models[] = {ABUT_COULOMB, ABUT_FRICTIONLESS, ABUT_NO_SLIP};
    uint64_t seed = check_seed(80);
    contact_case *problem = contact_case_create();
    for (int m = 0; m < 3; ++m) {
        int formed = 0, found = 0, none = 0;
        for (int k = 0; k < PROBLEMS / 20; ++k) {
            bench_random random = bench_random_stream(seed, (uint64_t)k);
            CHECK(family_unions_make(problem, &random));
            problem->problem.model = models[m];
            contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
            trial->options.unions.rule = ABUT_UNION_SUM;
            CHECK(contact_trial_run(trial, &problem->problem));
            abut_outcome outcome = trial->result.outcome;
            abuti_call c = {.work = trial->work, .options = &trial->options};
            const abuti_system *system = form_again(&c, &problem->problem);
            abuti_unions *u = &trial->work->unions;
            if (system && abuti_branch_begin(u->branch, u, system, &trial->options, false)) {
                abuti_answer *answer = &trial->work->answer;
                bool accepted = false;
                abuti_clear_answer(answer, system);
                abuti_branch_step step = ABUTI_BRANCH_PAUSE;
                while (!accepted && step != ABUTI_BRANCH_END) {
                    step = abuti_branch_next(u->branch, u, system, INT_MAX, answer);
                    accepted = step == ABUTI_BRANCH_POINT && is_right(&c, system, answer);
                }
                CHECK(accepted || u->branch->exhausted);
                CHECK_EQ_INT(accepted, outcome == ABUT_SOLVED);
                formed++;
                found += accepted;
                none += !accepted;
            }
            contact_trial_destroy(trial);
        }
        printf("%s: %d trees, %d answers, %d without one\n", abut_contact_model_name(models[m]), formed,
               found, none);
        CHECK(formed >= PROBLEMS / 60);
        CHECK(none == 0 || models[m] == ABUT_NO_SLIP);
    }
    contact_case_destroy(problem);
}

int main(void)
{
    RUN(test_levels_and_covers);
    RUN(test_branch);
    return check_report();
}
