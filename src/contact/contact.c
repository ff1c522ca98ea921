/* The front of the contact room.
 *
 *     begin -> islands -> for each: prepare -> attack (stages in order, the verifier judging each) -> report
 *           -> what nothing touches -> finish
 *
 * call.c begins and finishes, prepare.c builds an island's system, attack.c runs the stages on it, proof.c looks
 * for a proof that there is no answer, report.c writes the island's part of the result. All islands share one
 * set of arrays: an island's answer is carried over into the result before the next is built. */
#include "base/clock.h"
#include "contact/again.h"
#include "contact/call.h"
#include "contact/share.h"
#include <math.h>

abut_contact_options abut_contact_default_options(void)
{
    return (abut_contact_options){.solver = ABUT_SOLVER_AUTO,
                                  .tolerance = 1e-9,
                                  .restitution_threshold = 0.01,
                                  .accel = {.slide_threshold = 1e-6, .directions = 32}};
}

/* No answer yet. */
static abuti_verdict nothing_found(void)
{
    return (abuti_verdict){.outcome = ABUT_FAILED, .check = {.residual = INFINITY, .worst_contact = -1}};
}

/* The home of one of the call's islands. */
static abuti_home *home_of(const abuti_call *c, const abuti_island *island)
{
    abuti_homes *homes = &c->work->homes;
    return &homes->home[homes->of_island[island - c->work->islands.island]];
}

abut_status abuti_solve_island(abuti_call *c, const abuti_island *island)
{
    c->proves = false;
    c->context.impulse[0] = NULL;
    c->home = home_of(c, island);
    if (c->survey.sides > 0 && abuti_unions_find(&c->work->unions, c->problem, island) > 0)
        return abuti_union_block_serves(c, island) ? abuti_solve_union_block(c, island)
                                                   : abuti_solve_unions(c, island);
    abuti_verdict verdict = nothing_found();
    if (abuti_rest_again(c, island, &verdict)) {
        abuti_report(c, island, NULL, &verdict);
        return ABUT_OK;
    }
    const abuti_system *system;
    abut_status status = abuti_prepare_island(c, island, &system);
    if (status != ABUT_OK) return status;
    if (system) {
        abuti_take_start(c, system);
        abuti_round_start(c, system);
        c->proves = !abuti_model_of(system->model)->ray_is_answer;
        abuti_attack(c, island, system, &verdict);
    }
    bool decided = verdict.outcome == ABUT_SOLVED || verdict.outcome == ABUT_INFEASIBLE;
    if (!decided && !abuti_out_of_budget(c) && abuti_proven_impossible(c, island))
        verdict.outcome = ABUT_INFEASIBLE;
    if (verdict.outcome == ABUT_FAILED && verdict.too_large && !verdict.tried) return ABUT_TOO_LARGE;
    abuti_report(c, island, system, &verdict);
    return ABUT_OK;
}

/* Judges the answer zero, which is all that is needed where no contact has a dynamic body. */
static abut_status settle(abuti_call *c, const abuti_island *loose)
{
    abut_contact_workspace *work = c->work;
    if (loose->bodies + loose->contacts + loose->joints == 0) return ABUT_OK;
    c->home = NULL;
    const abuti_system *system;
    abut_status status = abuti_prepare_island(c, loose, &system);
    if (status != ABUT_OK) return status;
    abuti_verdict verdict = nothing_found();
    if (system) {
        abuti_clear_answer(&work->answer, system);
        abuti_call_judge(c, loose, system, &work->answer, &verdict.check);
        verdict.outcome = verdict.check.residual <= c->options->tolerance ? ABUT_SOLVED : ABUT_FAILED;
        verdict.point = &work->answer;
    }
    if (verdict.outcome != ABUT_SOLVED && abuti_proven_impossible(c, loose))
        verdict.outcome = ABUT_INFEASIBLE;
    abuti_report(c, loose, system, &verdict);
    return ABUT_OK;
}

/* Bodies that nothing touches move freely; contacts between bodies that no impulse moves carry none and are
 * satisfied whatever those bodies do; a joint row between such bodies holds or contradicts them. The two
 * kinds have nothing to do with each other, and are judged apart. */
static abut_status settle_loose(abuti_call *c)
{
    abuti_island free = c->work->islands.loose, unmoved = free;
    free.contacts = free.joints = 0;
    unmoved.bodies = 0;
    abut_status status = settle(c, &free);
    return status != ABUT_OK ? status : settle(c, &unmoved);
}

abut_status abuti_solve_islands(abuti_call *c, const abuti_island *left_out)
{
    const abuti_islands *islands = &c->work->islands;
    abut_status status = ABUT_OK;
    for (int k = 0; k < islands->count && status == ABUT_OK; ++k) {
        if (!abuti_is_mine(c, k)) continue;
        if (&islands->island[k] != left_out) status = abuti_solve_island(c, &islands->island[k]);
    }
    return status == ABUT_OK && c->part == 0 ? settle_loose(c) : status;
}

bool abuti_is_mine(const abuti_call *c, int island)
{
    return c->parts == 0 || c->work->owner[island] == c->part;
}

abut_status abuti_contact_solve_share(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                      const abut_contact_options *options, int part, int parts,
                                      abut_contact_result *result)
{
    abuti_call c = {.work = workspace,
                    .problem = problem,
                    .options = options,
                    .result = result,
                    .part = part,
                    .parts = parts};
    abut_status status = abuti_call_begin(&c);
    if (status != ABUT_OK) return status;
    status = abuti_solve_islands(&c, NULL);
    if (status == ABUT_OK) abuti_call_finish(&c);
    return status;
}

static abut_status solve_once(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                              const abut_contact_options *options, abut_contact_result *result)
{
    abuti_call c = {.work = workspace, .problem = problem, .options = options, .result = result};
    abut_status status = abuti_call_begin(&c);
    if (status == ABUT_OK) status = abuti_solve_islands(&c, NULL);
    if (status == ABUT_OK) abuti_call_finish(&c);
    return status;
}

abut_status abut_contact_solve(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                               const abut_contact_options *options, abut_contact_result *result)
{
    if (!workspace || !problem || !options || !result) return ABUT_INVALID_ARGUMENT;
    double deadline = options->max_seconds > 0.0 ? abuti_clock() + options->max_seconds : INFINITY;
    abut_status status = solve_once(workspace, problem, options, result);
    if (status != ABUT_OK || !abuti_model_of(problem->model)->acceleration) return status;
    return abuti_impact_follow(&workspace->impact, solve_once, workspace, problem, options, deadline, result);
}
