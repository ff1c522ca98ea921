/* The front of the contact room.
 *
 *     validate -> islands -> for each island: build -> stages in order, the verifier judging each -> result
 *
 * All islands share one set of arrays: an island's answer is carried over into the result before the next is
 * built. */
#include "base/clock.h"
#include "contact/drive.h"
#include "contact/validate.h"
#include "contact/verify.h"
#include "contact/workspace.h"
#include <limits.h>
#include <math.h>
#include <string.h>

abut_contact_options abut_contact_default_options(void)
{
    return (abut_contact_options){
        .solver = ABUT_SOLVER_AUTO, .tolerance = 1e-9, .slide_threshold = 1e-6, .accel_directions = 32};
}

/* ------------------------------------------------------------------------------------------------
 * One solve */

/* Driving may stop where its own conditions just hold and Coulomb's law is off by more than rounding. Within
 * this part of the tolerance its answer is taken; else the next stages may do better. */
#define DRIVE_ENOUGH 0.1

/* What the stages of one island came to. */
typedef struct island_verdict {
    abut_outcome outcome;
    abut_contact_check check;
    const abuti_stage *stage;
    int pivots;
    const abuti_answer *point; /* the answer that was judged last; solved and limit */
    bool exhausted;            /* a stage has gone through all modes and found no answer */
    bool too_large;            /* for some stage */
    bool directed;             /* a ray whose direction stands in the outputs */
} island_verdict;

/* What a call carries along. */
typedef struct call {
    abut_contact_workspace *work;
    const abut_contact_problem *problem;
    const abut_contact_options *options;
    abuti_plan plan;
    abuti_stage_context context;
    bool same_geometry; /* the island's system differs from the last one in its right-hand sides only */
    abut_contact_result *result;
    abut_union_visit visit; /* NULL: one answer is wanted */
    void *visit_context;
    const abuti_island *union_island; /* whose unions are searched, or, with `visit`, will be */
    int shown;                        /* of `visit` */
    const abuti_system *system;       /* of `visit`, all modes */
    bool stopped;                     /* the caller has seen enough */
    bool cut_short;                   /* there may be more answers than were shown */
    int rays;                         /* islands that ended on one */
    bool has_ray;                     /* a stage ended on a ray whose direction stands in the outputs */
    island_verdict union_verdict;     /* pivots and last stage of all trials of an island */
} call;

/* From best to worst: with the first two every island has an answer; with the last the whole has none. */
static int severity(abut_outcome outcome)
{
    static const int rank[] = {
        [ABUT_SOLVED] = 0, [ABUT_LIMIT] = 1, [ABUT_RAY] = 2, [ABUT_FAILED] = 3, [ABUT_INFEASIBLE] = 4};
    return rank[outcome];
}

static void swap_answers(abut_contact_workspace *work)
{
    abuti_answer best = work->best;
    work->best = work->answer;
    work->answer = best;
}

static void clear_answer(abuti_answer *answer, const abuti_system *system)
{
    size_t lanes = (size_t)system->lanes;
    memset(answer->theta, 0, lanes * sizeof(double));
    memset(answer->f[0], 0, lanes * sizeof(double));
    memset(answer->f[1], 0, lanes * sizeof(double));
    memset(answer->face, 0, lanes * sizeof(abut_contact_face));
    memset(answer->glued, 0, lanes * sizeof(bool));
    if (system->joints) memset(answer->joint, 0, (size_t)system->joints * sizeof(double));
}

/* Carries an answer to the caller's units and lets the verifier judge it. */
static abut_contact_check judge(call *c, const abuti_island *island, const abuti_system *system,
                                const abuti_answer *answer)
{
    abut_contact_workspace *work = c->work;
    abuti_outputs *out = &work->outputs;
    abuti_unscale(&work->build, &work->joint_space, system, answer, c->problem, island, out);
    abut_contact_check check;
    abuti_verify_island(c->problem, c->options, island, out->impulses, out->joints, out->velocity,
                        work->verify_scratch, &check);
    return check;
}

static bool out_of_budget(const call *c)
{
    return c->context.pivots_left <= 0 ||
           (c->context.deadline < INFINITY && abuti_clock() >= c->context.deadline);
}

/* Runs one stage on the system, and takes its pivots from the budget. */
static abut_outcome run_stage(call *c, const abuti_stage *stage, const abuti_system *system,
                              island_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    int family = abuti_workspace_family(work, stage);
    c->context.continued = work->seen[family] == work->systems;
    c->context.same_geometry = c->same_geometry && work->seen[family] == work->systems - 1;
    work->seen[family] = work->systems;
    clear_answer(&work->answer, system);
    work->answer.pivots = 0;
    work->answer.exhausted = work->answer.too_large = false;
    abut_outcome belief = stage->run(system, work->scratch[family], &c->context, &work->answer);
    verdict->pivots += work->answer.pivots;
    verdict->exhausted = verdict->exhausted || work->answer.exhausted;
    verdict->too_large = verdict->too_large || work->answer.too_large;
    if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
    return belief;
}

/* Keeps the direction of the first ray that has one. */
static void take_ray(call *c, const abuti_system *system, island_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    if (verdict->directed ||
        (system->model == ABUT_COULOMB_ACCEL && !abuti_drive_is_impulse(system, work->answer.ray)))
        return;
    abuti_unscale_ray(system, work->answer.ray, &work->outputs);
    verdict->directed = c->has_ray = true;
}

/* Runs the plan until the verifier accepts. What earlier stages said counts only when no later one is right:
 * a spent budget before a proof or a ray, and those before a stage's own limit. `best` keeps the point with
 * the least residual. */
static island_verdict attack(call *c, const abuti_island *island, const abuti_system *system)
{
    abut_contact_workspace *work = c->work;
    island_verdict verdict = {.outcome = ABUT_FAILED, .check = {.residual = INFINITY, .worst_contact = -1}};
    bool said[ABUT_FAILED + 1] = {false}, spent = false;
    const abuti_answer *best = NULL;
    const abuti_stage *on_ray = NULL, *best_stage = NULL;
    double enough = c->options->tolerance * (system->model == ABUT_COULOMB_ACCEL ? DRIVE_ENOUGH : 1.0);
    for (int k = 0; k < c->plan.count && !(spent = out_of_budget(c)); ++k) {
        const abuti_stage *stage = c->plan.stage[k];
        abut_outcome belief = run_stage(c, stage, system, &verdict);
        if (belief == ABUT_RAY) {
            take_ray(c, system, &verdict);
            if (!on_ray) on_ray = stage;
        }
        if (!said[belief]) verdict.stage = stage;
        said[belief] = true;
        if (verdict.exhausted && verdict.directed) break; /* there is nothing left to find */
        if (belief != ABUT_SOLVED && belief != ABUT_LIMIT) continue;
        abut_contact_check check = judge(c, island, system, &work->answer);
        if (check.residual <= enough) {
            return (island_verdict){ABUT_SOLVED, check, stage, verdict.pivots, .point = &work->answer};
        }
        if (!best || check.residual < verdict.check.residual) {
            verdict.check = check;
            best_stage = stage;
            swap_answers(work);
            best = &work->best;
        }
    }
    spent = spent || out_of_budget(c);
    if (best && verdict.check.residual <= c->options->tolerance) {
        verdict.check = judge(c, island, system, best);
        verdict.outcome = ABUT_SOLVED;
        verdict.stage = best_stage;
        verdict.point = best;
    } else if (!spent && said[ABUT_RAY]) {
        verdict.outcome = ABUT_RAY;
        verdict.stage = on_ray;
    } else if (spent || said[ABUT_LIMIT]) {
        if (!best) clear_answer(&work->best, system); /* no point so far: no impulses at all */
        verdict.check = judge(c, island, system, &work->best);
        verdict.outcome = verdict.check.residual <= c->options->tolerance ? ABUT_SOLVED : ABUT_LIMIT;
        verdict.point = &work->best;
    }
    return verdict;
}

static abut_status build_island(call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    work->systems++;
    if (c->options->warm) abuti_build_keep_last(&work->build);
    if (c->problem->generalised) return abuti_build_generalised(&work->build, c->problem);
    if (c->problem->local) return abuti_build_local(&work->build, c->problem, island);
    return abuti_build_bodies(&work->build, c->problem, &work->islands, island);
}

static void worst_of(abut_contact_check *all, const abut_contact_check *one)
{
    if (!(one->residual <= all->residual)) all->worst_contact = one->worst_contact;
    double *mine[] = {&all->residual, &all->dynamics, &all->normal, &all->cone,         &all->direction,
                      &all->joint,    &all->momentum, &all->work,   &all->cone_residual};
    const double *theirs[] = {&one->residual, &one->dynamics,  &one->normal,
                              &one->cone,     &one->direction, &one->joint,
                              &one->momentum, &one->work,      &one->cone_residual};
    for (int i = 0; i < 9; ++i) {
        if (!(*theirs[i] <= *mine[i])) *mine[i] = *theirs[i];
    }
}

/* Adds one island's verdict to the result. */
static void report(call *c, const abuti_system *system, const island_verdict *verdict, int *longest)
{
    abut_contact_workspace *work = c->work;
    abut_contact_result *result = c->result;
    if (verdict->point) abuti_describe(&work->build, system, verdict->point, c->problem, &work->outputs);
    result->pivots += verdict->pivots;
    if (severity(verdict->outcome) > severity(result->outcome)) result->outcome = verdict->outcome;
    if (verdict->outcome == ABUT_RAY) {
        result->exhausted = verdict->exhausted && (result->exhausted || c->rays == 0);
        c->rays++;
    }
    worst_of(&result->check, &verdict->check);
    if (verdict->stage && verdict->pivots > *longest) {
        *longest = verdict->pivots;
        result->stage = verdict->stage->name;
        result->solver = verdict->stage->family->solver;
    }
}

/* Whether contacts and joint rows of the island that was built last exclude each other: proven by weights
 * that the verifier accepts, which then stand in the outputs. What a stage believes about it does not count.
 */
static bool proven_impossible(call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    const abuti_system *system = &work->build.system;
    abuti_outputs *out = &work->outputs;
    double *contact = work->answer.theta, *joint = work->answer.joint;
    for (int i = 0; i < system->n && system->model == ABUT_COULOMB_ACCEL; ++i)
        if (system->before[0][i] > c->options->slide_threshold) return false; /* asks for nothing */
    if (!abuti_farkas_find(&work->farkas, system, contact, joint)) return false;
    abuti_unscale_witness(system, contact, joint, out);
    if (abuti_verify_witness_island(c->problem, c->options, island, out->witness, out->witness_joints,
                                    work->verify_scratch))
        return true;
    for (int i = 0; i < system->n; ++i) out->witness[system->index[i]] = 0.0;
    for (int j = 0; j < system->joints; ++j) out->witness_joints[system->joint_index[j]] = 0.0;
    return false;
}

static abut_status solve_unions(call *c, const abuti_island *island, int *longest);

static abut_status solve_island(call *c, const abuti_island *island, int *longest)
{
    if (abuti_unions_find(&c->work->unions, c->problem, island) > 0) return solve_unions(c, island, longest);
    abut_contact_workspace *work = c->work;
    abut_status status = build_island(c, island);
    if (status != ABUT_OK) return status;
    island_verdict verdict = {.outcome = ABUT_FAILED, .check = {.residual = INFINITY, .worst_contact = -1}};
    const abuti_system *system =
        abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    if (system) {
        c->same_geometry = c->options->warm && abuti_build_same_geometry(&work->build) &&
                           work->projected == work->joint_space.projected;
        work->projected = work->joint_space.projected;
        c->context.start = abuti_warm_start(&work->warm, system, c->problem, c->options);
        verdict = attack(c, island, system);
    }
    if (verdict.outcome != ABUT_SOLVED && !out_of_budget(c) && proven_impossible(c, island))
        verdict.outcome = ABUT_INFEASIBLE;
    if (verdict.outcome == ABUT_FAILED && verdict.too_large) return ABUT_TOO_LARGE;
    report(c, system, &verdict, longest);
    return ABUT_OK;
}

/* ------------------------------------------------------------------------------------------------
 * Islands with unions (unions.h) */

/* What answers beside the usual stages: Lemke on the summation's LCP, branch and bound. */
static const abuti_family sum_family = {ABUT_SOLVER_LEMKE, NULL},
                          branch_family = {ABUT_SOLVER_ENUMERATE, NULL};
static const abuti_stage sum_stage = {.name = "union-sum", .family = &sum_family},
                         branch_stage = {.name = "union-branch", .family = &branch_family};

/* The system of the whole island, for the search and the report. False: its joint rows contradict each other.
 */
static abut_status build_whole(call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    abut_status status = build_island(c, island);
    if (status != ABUT_OK) return status;
    work->unions.whole = abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    work->projected = work->joint_space.projected;
    return ABUT_OK;
}

/* One choice of sides, as lanes of the whole system: the word of the first stage that has one. */
static abut_outcome guess_reduced(void *context)
{
    call *c = context;
    abut_contact_workspace *work = c->work;
    const abuti_unions *u = &work->unions;
    abut_outcome belief = ABUT_FAILED;
    work->systems++;
    c->same_geometry = false;
    c->context.start = u->warm ? u->start : NULL;
    if (u->system.n + u->system.joints == 0) {
        clear_answer(&work->answer, &u->system);
        belief = ABUT_SOLVED;
    }
    for (int k = 0; k < c->plan.count && (belief == ABUT_FAILED || belief == ABUT_LIMIT); ++k) {
        if (out_of_budget(c)) return ABUT_LIMIT;
        belief = run_stage(c, c->plan.stage[k], &u->system, &c->union_verdict);
        c->union_verdict.stage = c->plan.stage[k];
    }
    if (belief != ABUT_SOLVED) return ABUT_FAILED;
    abuti_unions_scatter(u, &work->answer, &work->best);
    abuti_unscale(&work->build, &work->joint_space, u->whole, &work->best, c->problem, c->union_island,
                  &work->outputs);
    return ABUT_SOLVED;
}

/* Branch and bound on the problem as it is (unions->reduced has all sides). */
static island_verdict attack_exactly(call *c, const abuti_unions *u, const abuti_system *system,
                                     abuti_union_way way, bool *proved)
{
    abut_contact_workspace *work = c->work;
    island_verdict verdict = {.outcome = ABUT_FAILED, .stage = &branch_stage};
    if (way != ABUTI_NEXT &&
        !abuti_branch_begin(u->branch, u, system, c->options->tolerance, way == ABUTI_FIRST))
        return verdict;
    for (bool more = true; more && verdict.outcome == ABUT_FAILED;) {
        if (out_of_budget(c)) {
            verdict.outcome = ABUT_LIMIT;
            break;
        }
        clear_answer(&work->answer, system);
        work->answer.pivots = 0;
        more = abuti_branch_next(u->branch, u, system, c->context.pivots_left, &work->answer);
        verdict.pivots += work->answer.pivots;
        if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
        if (!more) break;
        verdict.check = judge(c, &u->island, system, &work->answer);
        if (!(verdict.check.residual <= c->options->tolerance)) {
            u->branch->exhausted = false; /* what rounding, or a contact that just touches, has spoilt */
            continue;
        }
        verdict.outcome = ABUT_SOLVED;
        verdict.point = &work->answer;
    }
    *proved = verdict.outcome == ABUT_FAILED && u->branch->exhausted;
    return verdict;
}

/* unions->reduced through the usual stages, each judged, or exactly; leaves the whole system behind. */
static abut_status solve_reduced(void *context, abuti_union_way way, abut_outcome *outcome, bool *proved)
{
    call *c = context;
    abut_contact_workspace *work = c->work;
    abuti_unions *u = &work->unions;
    const abuti_island *island = &u->island;
    call inner = *c;
    inner.problem = &u->reduced;
    abuti_outputs whole = work->outputs;
    work->outputs = u->outputs;
    island_verdict verdict = {.outcome = ABUT_FAILED};
    abut_status status = build_island(&inner, island);
    const abuti_system *system = NULL;
    if (status == ABUT_OK)
        system = abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    if (system && way != ABUTI_BY_STAGES) {
        verdict = attack_exactly(&inner, u, system, way, proved);
    } else if (system) {
        inner.same_geometry = false;
        inner.context.start = u->warm ? u->start : NULL;
        verdict = attack(&inner, island, system);
        if (verdict.outcome == ABUT_INFEASIBLE || (verdict.outcome == ABUT_LIMIT && !out_of_budget(&inner)))
            verdict.outcome = ABUT_FAILED; /* of this choice alone */
    }
    for (int i = 0; i < island->contacts && verdict.point; ++i) u->outputs.faces[i] = verdict.point->face[i];
    work->outputs = whole;
    c->context.pivots_left = inner.context.pivots_left;
    c->union_verdict.pivots += verdict.pivots;
    if (verdict.stage) c->union_verdict.stage = verdict.stage;
    *outcome = verdict.outcome;
    return status == ABUT_OK ? build_whole(c, c->union_island) : status;
}

/* The search's answer in unions.best (or, at a limit, none) as the answer of the whole island. */
static void report_unions(call *c, const abuti_island *island, abut_outcome outcome, int *longest)
{
    abut_contact_workspace *work = c->work;
    const abuti_system *system = work->unions.whole;
    island_verdict verdict = c->union_verdict;
    verdict.outcome =
        outcome == ABUT_INFEASIBLE ? ABUT_FAILED : outcome; /* that needs a proof that is shown: */
    if (outcome != ABUT_SOLVED && !out_of_budget(c) && proven_impossible(c, island))
        verdict.outcome = ABUT_INFEASIBLE;
    if (outcome == ABUT_INFEASIBLE && system) c->result->exhausted = true;
    verdict.check = (abut_contact_check){.residual = INFINITY, .worst_contact = -1};
    if (verdict.outcome == ABUT_SOLVED || verdict.outcome == ABUT_LIMIT) {
        clear_answer(&work->answer, system);
        if (outcome == ABUT_SOLVED) abuti_unions_answer(&work->unions, &work->build, system, &work->answer);
        verdict.check = judge(c, island, system, &work->answer);
        verdict.point = &work->answer;
        if (outcome == ABUT_SOLVED && !(verdict.check.residual <= c->options->tolerance))
            verdict.outcome = ABUT_FAILED;
    }
    report(c, system, &verdict, longest);
}

static void finish(call *c);

/* Shows one of all answers to the caller: the result so far, with this island's part. */
static bool show_answer(void *context)
{
    call *c = context;
    abut_contact_result so_far = *c->result;
    int longest = -1;
    report_unions(c, c->union_island, ABUT_SOLVED, &longest);
    if (c->result->outcome == ABUT_SOLVED) {
        finish(c);
        c->shown++;
        if (!c->visit(c->result, c->visit_context)) c->stopped = true;
    }
    *c->result = so_far;
    return !c->stopped;
}

/* An answer of the reduced problem that the verifier took, as the island's. */
static void keep_reduced(call *c, const abuti_island *island, const abuti_answer *answer)
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

/* The summation rule by Lemke on its LCP (union_sum.c); *solved: an answer stands in unions.best. */
static abut_status solve_sum(call *c, const abuti_island *island, bool *solved)
{
    abut_contact_workspace *work = c->work;
    abuti_unions *u = &work->unions;
    *solved = false;
    if (c->problem->model == ABUT_NO_SLIP) return ABUT_OK; /* has no LCP of this form */
    abuti_unions_reduce_duplicates(u, c->problem, island);
    call inner = *c;
    inner.problem = &u->reduced;
    abut_status status = build_island(&inner, &u->island);
    if (status != ABUT_OK) return status;
    const abuti_system *system =
        abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    if (!system || !abuti_sum_form(u->sum, system, &u->reduced, c->options, u->place)) return ABUT_OK;
    abuti_outputs whole = work->outputs;
    work->outputs = u->outputs;
    for (int level = 0; level < ABUTI_SUM_SLACKS && !*solved && !out_of_budget(c); ++level) {
        clear_answer(&work->answer, system);
        work->answer.pivots = 0;
        abut_outcome belief = abuti_sum_run(u->sum, system, &u->reduced, u->place, level,
                                            c->context.pivots_left, &work->answer);
        c->union_verdict.pivots += work->answer.pivots;
        if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
        if (belief != ABUT_SOLVED) continue;
        *solved = judge(&inner, &u->island, system, &work->answer).residual <= c->options->tolerance;
    }
    work->outputs = whole;
    if (*solved) keep_reduced(c, island, &work->answer);
    if (*solved) c->union_verdict.stage = &sum_stage;
    return ABUT_OK;
}

static abut_status solve_unions(call *c, const abuti_island *island, int *longest)
{
    abut_contact_workspace *work = c->work;
    bool solved = false;
    abut_status status = ABUT_OK;
    c->union_island = island;
    c->union_verdict = (island_verdict){.outcome = ABUT_FAILED};
    abuti_unions_remember(&work->unions, c->problem, &work->warm, c->options);
    if (c->options->union_rule == ABUT_UNION_SUM) status = solve_sum(c, island, &solved);
    if (status == ABUT_OK) status = build_whole(c, island);
    if (status != ABUT_OK) return status;
    if (!work->unions.whole || (solved && !c->visit)) {
        report_unions(c, island, solved ? ABUT_SOLVED : ABUT_INFEASIBLE, longest);
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
    if (solved) abuti_union_search_show(&search); /* Lemke's answer comes first */
    if (!c->stopped) status = abuti_union_search_run(&search);
    work->systems++; /* what the stages saw last is not what was built last */
    c->cut_short = search.limited;
    if (status != ABUT_OK || c->visit) return status;
    if (search.standing) {
        island_verdict verdict = c->union_verdict;
        verdict.outcome = ABUT_SOLVED;
        verdict.check = search.check;
        verdict.point = &work->best;
        report(c, work->unions.whole, &verdict, longest);
    } else {
        report_unions(c, island, search.outcome, longest);
    }
    return ABUT_OK;
}

/* The answer zero, judged: all that an island without a pair of contact and dynamic body needs. */
static abut_status settle(call *c, const abuti_island *loose)
{
    abut_contact_workspace *work = c->work;
    int none = -1;
    if (loose->bodies + loose->contacts + loose->joints == 0) return ABUT_OK;
    abut_status status = build_island(c, loose);
    if (status != ABUT_OK) return status;
    island_verdict verdict = {.outcome = ABUT_FAILED, .check = {.residual = INFINITY, .worst_contact = -1}};
    const abuti_system *system =
        abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    if (system) {
        clear_answer(&work->answer, system);
        verdict.check = judge(c, loose, system, &work->answer);
        verdict.outcome = verdict.check.residual <= c->options->tolerance ? ABUT_SOLVED : ABUT_FAILED;
        verdict.point = &work->answer;
    }
    if (verdict.outcome != ABUT_SOLVED && proven_impossible(c, loose)) verdict.outcome = ABUT_INFEASIBLE;
    report(c, system, &verdict, &none);
    return ABUT_OK;
}

/* Bodies that nothing touches move freely; contacts between bodies that no impulse moves carry none and are
 * satisfied whatever those bodies do; a joint row between such bodies holds or contradicts them. The two
 * kinds have nothing to do with each other, and are judged apart. */
static abut_status settle_loose(call *c)
{
    abuti_island free = c->work->islands.loose, unmoved = free;
    free.contacts = free.joints = 0;
    unmoved.bodies = 0;
    abut_status status = settle(c, &free);
    return status != ABUT_OK ? status : settle(c, &unmoved);
}

static bool within(const abut_contact_problem *problem, const abut_contact_options *options,
                   const abut_contact_limits *limits)
{
    bool fits = problem->body_count <= limits->bodies && problem->contact_count <= limits->contacts &&
                problem->joint_count <= limits->joints && (!problem->local || limits->local) &&
                (!problem->generalised || problem->generalised->nv <= limits->nv);
    int most = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT, used = 0, sides = 0;
    for (int i = 0; i < problem->contact_count && fits; ++i) {
        int d = problem->contacts[i].directions ? problem->contacts[i].directions : ABUT_DIRECTIONS_DEFAULT;
        used = d > used ? d : used;
        sides += problem->contacts[i].group > 0;
    }
    if (problem->model == ABUT_COULOMB_ACCEL && options->accel_directions > abuti_drive_directions(limits))
        return false;
    return fits && used <= most && sides <= limits->sides &&
           (sides == 0 || options->union_rule == ABUT_UNION_MAX || limits->summation);
}

/* The stages to try, or why there are none. */
static abut_status make_plan(call *c)
{
    const abut_contact_options *o = c->options;
    bool local = c->problem->local != NULL;
    abut_contact_model model = c->problem->model;
    if (!abut_contact_supports(model, o->solver, local) || abuti_has_accelerated_union(c->problem))
        return ABUT_UNSUPPORTED;
    if (o->stage) {
        const abuti_stage *stage = abuti_stage_find(model, local, o->stage);
        if (!stage) return ABUT_UNSUPPORTED;
        c->plan = (abuti_plan){.count = 1, .stage = {stage}};
        return abuti_workspace_family(c->work, stage) >= 0 ? ABUT_OK : ABUT_TOO_LARGE;
    }
    c->plan = abuti_plan_make(model, o->solver, local, !o->alone, c->work->served);
    abut_contact_solver first = abuti_solver_resolve(model, o->solver, local);
    return c->work->served & (1u << first) ? ABUT_OK : ABUT_TOO_LARGE;
}

static void finish(call *c)
{
    abut_contact_result *result = c->result;
    abuti_outputs *out = &c->work->outputs;
    result->residual = result->check.residual;
    bool answered = result->outcome == ABUT_SOLVED || result->outcome == ABUT_LIMIT;
    if (answered) {
        result->contacts = out->contacts;
        result->joints = out->joints;
        result->velocity = c->problem->local ? NULL : out->velocity;
        result->faces = out->faces;
        for (int i = 0; i < c->problem->contact_count; ++i) result->glued += out->contacts[i].glued;
    } else {
        result->residual = result->check.residual = INFINITY;
    }
    bool impossible = result->outcome == ABUT_INFEASIBLE;
    if ((result->outcome == ABUT_RAY || impossible) && c->has_ray) result->ray = out->ray;
    if (impossible) {
        result->witness = out->witness;
        result->witness_joints = out->witness_joints;
    }
    if (result->outcome != ABUT_RAY && result->outcome != ABUT_FAILED) result->exhausted = false;
    abuti_warm_keep(&c->work->warm, c->problem, answered ? out->faces : NULL);
}

/* Bodies whose velocity is given keep it. */
static void keep_given_velocities(const abut_contact_problem *problem, double *velocity)
{
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *body = &problem->bodies[i];
        if (body->kind == ABUT_DYNAMIC) continue;
        bool moves = body->kind == ABUT_KINEMATIC && !abuti_acceleration_level(problem->model);
        for (int c = 0; c < 6; ++c) velocity[6 * (size_t)i + (size_t)c] = moves ? body->velocity[c] : 0.0;
    }
}

/* Islands that have one answer, then what nothing moves; with a visitor the island with unions comes last and
 * shows all of its answers. */
static abut_status solve_islands(call *c)
{
    abut_contact_workspace *work = c->work;
    abut_status status = ABUT_OK;
    int longest = -1;
    c->union_island = NULL;
    for (int k = 0; k < work->islands.count && status == ABUT_OK; ++k) {
        const abuti_island *island = &work->islands.island[k];
        if (c->visit && abuti_unions_find(&work->unions, c->problem, island) > 0) {
            if (c->union_island) return ABUT_UNSUPPORTED;
            c->union_island = island;
        } else {
            status = solve_island(c, island, &longest);
        }
    }
    if (status == ABUT_OK) status = settle_loose(c);
    if (status == ABUT_OK && c->visit && c->union_island && c->result->outcome == ABUT_SOLVED)
        status = solve_island(c, c->union_island, &longest);
    return status;
}

/* Everything but the last step of a call. */
static abut_status begin_and_solve(call *c)
{
    abut_contact_workspace *work = c->work;
    const abut_contact_problem *problem = c->problem;
    const abut_contact_options *options = c->options;
    if (!abuti_valid_shape(problem) || !abuti_valid_options(options)) return ABUT_INVALID_ARGUMENT;
    if (!within(problem, options, &work->limits)) return ABUT_TOO_LARGE;
    abut_status status = make_plan(c);
    if (status != ABUT_OK) return status;
    *c->result = (abut_contact_result){
        .outcome = ABUT_SOLVED,
        .model = problem->model,
        .solver = abuti_solver_resolve(problem->model, options->solver, problem->local != NULL),
        .stage = c->plan.stage[0]->name,
        .check = {.worst_contact = -1}};
    c->context.options = options;
    c->context.pivots_left = options->max_pivots ? options->max_pivots : INT_MAX;
    c->context.deadline = options->max_seconds > 0.0 ? abuti_clock() + options->max_seconds : INFINITY;

    if (problem->local && !abuti_valid_local(problem)) return ABUT_INVALID_ARGUMENT;
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *body = &problem->bodies[i];
        if (body->kind != ABUT_DYNAMIC && !abuti_valid_body(body, NULL)) return ABUT_INVALID_ARGUMENT;
    }
    memset(work->outputs.ray, 0, 3 * (size_t)problem->contact_count * sizeof(double));
    memset(work->outputs.witness, 0, (size_t)problem->contact_count * sizeof(double));
    if (problem->joint_count)
        memset(work->outputs.witness_joints, 0, (size_t)problem->joint_count * sizeof(double));
    keep_given_velocities(problem, work->outputs.velocity);
    abuti_islands_find(&work->islands, problem);
    c->result->islands = work->islands.count;
    return solve_islands(c);
}

static abut_status solve_once(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                              const abut_contact_options *options, abut_contact_result *result)
{
    if (!workspace || !problem || !options || !result) return ABUT_INVALID_ARGUMENT;
    call c = {.work = workspace, .problem = problem, .options = options, .result = result};
    abut_status status = begin_and_solve(&c);
    if (status == ABUT_OK) finish(&c);
    return status;
}

abut_status abut_contact_solve(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                               const abut_contact_options *options, abut_contact_result *result)
{
    abut_status status = solve_once(workspace, problem, options, result);
    if (status != ABUT_OK || !abuti_acceleration_level(problem->model)) return status;
    return abuti_impact_follow(&workspace->impact, solve_once, workspace, problem, options, result);
}

/* A corner of the solution set is judged like any answer, and shown if it moves otherwise than those before.
 */
static bool show_mode(abuti_drive *d, void *context)
{
    call *c = context;
    abut_contact_workspace *work = c->work;
    const abuti_system *system = c->system;
    if (!abuti_drive_is_new_motion(d, c->shown)) return true;
    clear_answer(&work->answer, system);
    abuti_drive_answer(d, system, &work->answer);
    abut_contact_check check = judge(c, &work->islands.island[0], system, &work->answer);
    if (!(check.residual <= c->options->tolerance)) return true;
    abuti_describe(&work->build, system, &work->answer, c->problem, &work->outputs);
    c->result->check = check;
    c->result->outcome = ABUT_SOLVED;
    c->result->stage = abuti_stage_drive_modes.name;
    c->result->glued = 0;
    finish(c);
    abuti_drive_keep_motion(d, c->shown++);
    return c->visit(c->result, c->visit_context) && c->shown < ABUT_ACCEL_ALL_MAX;
}

abut_status abut_accel_all(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                           const abut_contact_options *options, abut_accel_visit visit, void *context,
                           int *count)
{
    if (!workspace || !problem || !options || !visit || !count) return ABUT_INVALID_ARGUMENT;
    *count = 0;
    if (problem->model != ABUT_COULOMB_ACCEL) return ABUT_UNSUPPORTED;
    abut_contact_result result;
    call c = {.work = workspace, .problem = problem, .options = options, .result = &result};
    abut_status status = begin_and_solve(&c); /* refuses what no solve takes */
    if (status != ABUT_OK) return status;
    c.visit = visit;
    c.visit_context = context;
    abuti_islands_whole(&workspace->islands, problem);
    status = build_island(&c, &workspace->islands.island[0]);
    if (status != ABUT_OK) return status;
    c.system = abuti_joints_prepare(&workspace->joint_space, &workspace->build, options->joint_rows);
    if (!c.system) return ABUT_OK;
    abuti_drive *d = workspace->scratch[abuti_workspace_family(workspace, &abuti_stage_drive)];
    if (!abuti_drive_load(d, c.system, &c.context)) return ABUT_TOO_LARGE;
    abuti_modes_end end = abuti_drive_walk_modes(d, true, &c.context, show_mode, &c);
    *count = c.shown;
    return end == ABUTI_MODES_COMPLETE ? ABUT_OK : ABUT_TOO_LARGE;
}

abut_status abut_union_all(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                           const abut_contact_options *options, abut_union_visit visit, void *context,
                           int *count)
{
    if (!workspace || !problem || !options || !visit || !count) return ABUT_INVALID_ARGUMENT;
    abut_contact_result result;
    call c = {.work = workspace,
              .problem = problem,
              .options = options,
              .result = &result,
              .visit = visit,
              .visit_context = context};
    *count = 0;
    if (workspace->limits.sides > ABUT_UNION_ALL_MAX) return ABUT_TOO_LARGE;
    abut_status status = begin_and_solve(&c);
    if (status == ABUT_OK && !c.union_island) { /* no unions: the answer is the only one */
        finish(&c);
        c.shown = result.outcome == ABUT_SOLVED;
        if (c.shown) (void)visit(&result, context);
    }
    *count = c.shown;
    return status == ABUT_OK && c.cut_short && !c.stopped ? ABUT_TOO_LARGE : status;
}

abut_status abut_union_lcp_build(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                 const abut_contact_options *options, double *constant, double *B, double *b)
{
    if (!workspace || !problem || !options || !constant || !B || !b) return ABUT_INVALID_ARGUMENT;
    if (!abuti_valid_shape(problem) || !abuti_valid_options(options)) return ABUT_INVALID_ARGUMENT;
    if (problem->model != ABUT_COULOMB && problem->model != ABUT_FRICTIONLESS) return ABUT_UNSUPPORTED;
    if (!within(problem, options, &workspace->limits) || workspace->limits.sides == 0) return ABUT_TOO_LARGE;
    call c = {.work = workspace, .problem = problem, .options = options};
    abuti_islands_whole(&workspace->islands, problem);
    abut_status status = build_island(&c, &workspace->islands.island[0]);
    if (status != ABUT_OK) return status;
    const abuti_system *system = &workspace->build.system;
    bool sum = options->union_rule == ABUT_UNION_SUM;
    abuti_union_shape shape = abuti_union_shape_of(problem, sum ? ABUTI_LCP_SUM : ABUTI_LCP_MAX);
    if (sum) *constant = abuti_union_cap(system, problem, options);
    if (!sum && !(*constant > 1.0)) *constant = ABUT_UNION_GAMMA;
    abuti_union_places(problem, &shape, workspace->unions.place);
    abuti_union_form(system, problem, &shape, workspace->unions.place, *constant, B, b);
    return ABUT_OK;
}
