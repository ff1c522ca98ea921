/* One island with unions (unions.h): the search asks here for the solutions of reduced problems, and what it
 * finds becomes the island's answer. */
#include "contact/call.h"
#include "contact/verify/verify.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* The families that answer beside the usual stages: Lemke on the summation's LCP, and branch and bound. */
static const abuti_family sum_family = {.solver = ABUT_SOLVER_LEMKE},
                          branch_family = {.solver = ABUT_SOLVER_ENUMERATE};
static const abuti_stage sum_stage = {.name = "union-sum", .family = &sum_family},
                         branch_stage = {.name = "union-branch", .family = &branch_family};

/* Builds the system of the whole island, for the search and the report; it is NULL where its joint rows contradict each
 * other. */
static abut_status build_whole(abuti_call *c, const abuti_island *island)
{
    return abuti_prepare_island(c, island, &c->work->unions.whole);
}

/* Solves one choice of sides, as lanes of the whole system. The first stage that comes to a belief has the word. */
static abut_outcome guess_reduced(void *context)
{
    abuti_call *c = context;
    abut_contact_workspace *work = c->work;
    const abuti_unions *u = &work->unions;
    abut_outcome belief = ABUT_FAILED;
    work->systems++;
    c->context.start = u->warm ? u->start : NULL;
    if (u->system.n + u->system.joints == 0) {
        abuti_clear_answer(&work->answer, &u->system);
        belief = ABUT_SOLVED;
    }
    for (int k = 0; k < c->plan->count && (belief == ABUT_FAILED || belief == ABUT_LIMIT); ++k) {
        if (abuti_out_of_budget(c)) return ABUT_LIMIT;
        belief = abuti_run_stage(c, c->plan->stage[k], &u->system, &c->union_verdict);
        c->union_verdict.stage = c->plan->stage[k];
    }
    if (belief != ABUT_SOLVED) return ABUT_FAILED;
    abuti_unions_scatter(u, &work->answer, &work->best);
    abuti_unscale(&work->build, &work->joint_space, u->whole, &work->best, c->problem, c->union_island,
                  &work->outputs);
    return ABUT_SOLVED;
}

/* Branch and bound on the problem as it is (unions->reduced has all sides). */
static abuti_verdict attack_exactly(abuti_call *c, const abuti_unions *u, const abuti_system *system,
                                    abuti_union_way way, bool *proved)
{
    abut_contact_workspace *work = c->work;
    abuti_verdict verdict = {.outcome = ABUT_FAILED, .stage = &branch_stage};
    if (way != ABUTI_NEXT && !abuti_branch_begin(u->branch, u, system, c->options, way == ABUTI_FIRST))
        return verdict;
    while (verdict.outcome == ABUT_FAILED) {
        if (abuti_out_of_budget(c)) {
            verdict.outcome = ABUT_LIMIT;
            break;
        }
        abuti_clear_answer(&work->answer, system);
        work->answer.pivots = 0;
        abuti_branch_step step =
            abuti_branch_next(u->branch, u, system, c->context.pivots_left, &work->answer);
        verdict.pivots += work->answer.pivots;
        if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
        if (step == ABUTI_BRANCH_END) break;
        if (step == ABUTI_BRANCH_PAUSE) continue;
        if (system->round) (void)abuti_round_refine(c, system, &verdict);
        abuti_call_judge(c, &u->island, system, &work->answer, &verdict.check);
        if (!(verdict.check.residual <= c->options->tolerance)) {
            u->branch->exhausted = false; /* rounding, or a contact that just touches, has spoilt an answer */
            continue;
        }
        verdict.outcome = ABUT_SOLVED;
        verdict.point = &work->answer;
    }
    *proved =
        verdict.outcome == ABUT_FAILED && u->branch->exhausted && !system->round; /* it knows polygons only */
    return verdict;
}

/* Solves unions->reduced through the usual stages, each judged, or exactly. Leaves the whole system behind. */
static abut_status solve_reduced(void *context, abuti_union_way way, abut_outcome *outcome, bool *proved)
{
    abuti_call *c = context;
    abut_contact_workspace *work = c->work;
    abuti_unions *u = &work->unions;
    const abuti_island *island = &u->island;
    abuti_call inner = *c;
    inner.problem = &u->reduced;
    abuti_outputs whole = work->outputs;
    work->outputs = u->outputs;
    abuti_verdict verdict = {.outcome = ABUT_FAILED};
    const abuti_system *system;
    abut_status status = abuti_prepare_island(&inner, island, &system);
    if (system && way != ABUTI_BY_STAGES) {
        verdict = attack_exactly(&inner, u, system, way, proved);
    } else if (system) {
        inner.context.start = u->warm ? u->start : NULL;
        abuti_attack(&inner, island, system, &verdict);
        if (verdict.outcome == ABUT_INFEASIBLE ||
            (verdict.outcome == ABUT_LIMIT && !abuti_out_of_budget(&inner)))
            verdict.outcome = ABUT_FAILED; /* that holds for this choice alone */
    }
    for (int i = 0; i < island->contacts && verdict.point; ++i) u->outputs.faces[i] = verdict.point->face[i];
    work->outputs = whole;
    c->context.pivots_left = inner.context.pivots_left;
    c->union_verdict.pivots += verdict.pivots;
    if (verdict.stage) c->union_verdict.stage = verdict.stage;
    c->union_verdict.too_large |= verdict.too_large;
    c->union_verdict.tried |= verdict.tried;
    *outcome = verdict.outcome;
    return status == ABUT_OK ? build_whole(c, c->union_island) : status;
}

/* Reports the search's answer in unions.best (at a limit there may be none) as the answer of the whole island. */
static void report_unions(abuti_call *c, const abuti_island *island, abut_outcome outcome)
{
    abut_contact_workspace *work = c->work;
    const abuti_system *system = work->unions.whole;
    abuti_verdict verdict = c->union_verdict;
    verdict.outcome =
        outcome == ABUT_INFEASIBLE ? ABUT_FAILED : outcome; /* infeasible needs a proof that is shown: */
    if (outcome != ABUT_SOLVED && !abuti_out_of_budget(c) && abuti_proven_impossible(c, island))
        verdict.outcome = ABUT_INFEASIBLE;
    if (outcome == ABUT_INFEASIBLE && system) c->result->exhausted = true;
    verdict.check = (abut_contact_check){.residual = INFINITY, .worst_contact = -1};
    if (verdict.outcome == ABUT_SOLVED || verdict.outcome == ABUT_LIMIT) {
        abuti_clear_answer(&work->answer, system);
        if (outcome == ABUT_SOLVED) abuti_unions_answer(&work->unions, &work->build, system, &work->answer);
        abuti_call_judge(c, island, system, &work->answer, &verdict.check);
        verdict.point = &work->answer;
        if (outcome == ABUT_SOLVED && !(verdict.check.residual <= c->options->tolerance))
            verdict.outcome = ABUT_FAILED;
    }
    abuti_report(c, island, system, &verdict);
}

static void report_shown(void *context)
{
    abuti_call *c = context;
    report_unions(c, c->union_island, ABUT_SOLVED);
}

/* Shows one of all answers to the caller. */
static bool show_answer(void *context)
{
    return abuti_show(context, report_shown, context);
}

/* Keeps an answer of the reduced problem, which the verifier took, as the island's answer. */
static void keep_reduced(abuti_call *c, const abuti_island *island, const abuti_answer *answer)
{
    abuti_unions *u = &c->work->unions;
    for (int i = 0; i < island->contacts; ++i) {
        memset(u->best.impulses + 3 * (size_t)island->contact[i], 0, 3 * sizeof(double));
        u->best.faces[island->contact[i]] = (abut_contact_face){0};
    }
    for (int i = 0; i < u->reduced.contact_count; ++i) {
        memcpy(u->best.impulses + 3 * (size_t)u->index[i], u->outputs.impulses + 3 * (size_t)i,
               3 * sizeof(double));
        u->best.faces[u->index[i]] = answer->face[i];
    }
    for (int i = 0; i < island->joints; ++i)
        u->best.joints[island->joint[i]] = u->outputs.joints[island->joint[i]];
}

/* Solves the summation rule by Lemke on its LCP (unions/sum.c). *solved: an answer stands in unions.best. */
static abut_status solve_sum(abuti_call *c, const abuti_island *island, bool *solved)
{
    abut_contact_workspace *work = c->work;
    abuti_unions *u = &work->unions;
    *solved = false;
    if (!abuti_union_has_lcp(c->problem)) return ABUT_OK; /* it has no LCP of this form */
    abuti_unions_reduce_duplicates(u, c->problem, island);
    abuti_call inner = *c;
    inner.problem = &u->reduced;
    const abuti_system *system;
    abut_status status = abuti_prepare_island(&inner, &u->island, &system);
    if (status != ABUT_OK) return status;
    if (!system || !abuti_sum_form(u->sum, system, &u->reduced, c->options, u->place)) return ABUT_OK;
    abuti_outputs whole = work->outputs;
    work->outputs = u->outputs;
    for (int level = 0; level < ABUTI_SUM_SLACKS && !*solved && !abuti_out_of_budget(c); ++level) {
        abuti_clear_answer(&work->answer, system);
        work->answer.pivots = 0;
        abut_outcome belief = abuti_sum_run(u->sum, system, &u->reduced, u->place, level,
                                            c->context.pivots_left, &work->answer);
        c->union_verdict.pivots += work->answer.pivots;
        if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
        if (belief != ABUT_SOLVED) continue;
        abut_contact_check check;
        abuti_call_judge(&inner, &u->island, system, &work->answer, &check);
        *solved = check.residual <= c->options->tolerance;
    }
    work->outputs = whole;
    if (*solved) keep_reduced(c, island, &work->answer);
    if (*solved) c->union_verdict.stage = &sum_stage;
    return ABUT_OK;
}

abut_status abuti_solve_unions(abuti_call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    bool solved = false;
    abut_status status = ABUT_OK;
    c->union_island = island;
    c->union_verdict = (abuti_verdict){.outcome = ABUT_FAILED};
    abuti_unions_remember(&work->unions, c->problem, &work->warm, c->options);
    if (c->options->unions.rule == ABUT_UNION_SUM) status = solve_sum(c, island, &solved);
    if (status == ABUT_OK) status = build_whole(c, island);
    if (status != ABUT_OK) return status;
    bool enough = solved && !c->visit && c->options->unions.prefer == ABUT_PREFER_FIRST;
    if (!work->unions.whole || enough) {
        report_unions(c, island, solved ? ABUT_SOLVED : ABUT_INFEASIBLE);
        return ABUT_OK;
    }
    abuti_union_search search = {.unions = &work->unions,
                                 .problem = c->problem,
                                 .island = island,
                                 .options = c->options,
                                 .out = &work->outputs,
                                 .guessed = &work->best,
                                 .verify_scratch = work->verify_scratch,
                                 .guess = guess_reduced,
                                 .solve = solve_reduced,
                                 .visit = c->visit ? show_answer : NULL,
                                 .context = c};
    if (solved) abuti_union_search_begin(&search, work->unions.outputs.velocity); /* Lemke's answer */
    if (!c->stopped) status = abuti_union_search_run(&search);
    work->systems++; /* what the stages saw last is not what was built last */
    c->cut_short = search.limited;
    if (status != ABUT_OK || c->visit) return status;
    if (search.outcome == ABUT_FAILED && c->union_verdict.too_large && !c->union_verdict.tried)
        return ABUT_TOO_LARGE;
    if (search.standing) {
        abuti_verdict verdict = c->union_verdict;
        verdict.outcome = ABUT_SOLVED;
        verdict.check = search.check;
        verdict.point = &work->best;
        abuti_report(c, island, work->unions.whole, &verdict);
    } else {
        report_unions(c, island, search.outcome);
    }
    return ABUT_OK;
}
