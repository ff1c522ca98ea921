/* The front of the contact room.
 *
 *     validate -> islands -> for each island: build -> stages in order, the verifier judging each -> result
 *
 * All islands share one set of arrays: an island's answer is carried over into the result before the next is
 * built. */
#include "base/clock.h"
#include "contact/admit.h"
#include "contact/build/validate.h"
#include "contact/call.h"
#include "contact/drive/drive.h"
#include "contact/verify/verify.h"
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

static abut_status solve_island(abuti_call *c, const abuti_island *island, int *longest)
{
    c->proves = false;
    if (c->survey.sides > 0 && abuti_unions_find(&c->work->unions, c->problem, island) > 0)
        return abuti_solve_unions(c, island, longest);
    abut_contact_workspace *work = c->work;
    abut_status status = abuti_build_island(c, island);
    if (status != ABUT_OK) return status;
    abuti_verdict verdict = {.outcome = ABUT_FAILED, .check = {.residual = INFINITY, .worst_contact = -1}};
    const abuti_system *system =
        abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    if (system) {
        c->same_geometry = c->options->warm && abuti_build_same_geometry(&work->build) &&
                           work->projected == work->joint_space.projected;
        work->projected = work->joint_space.projected;
        c->context.start = abuti_warm_start(&work->warm, system, c->problem, c->options);
        c->proves = system->model != ABUT_COULOMB_ACCEL; /* there a ray is an answer of its own */
        abuti_attack(c, island, system, &verdict);
    }
    bool decided = verdict.outcome == ABUT_SOLVED || verdict.outcome == ABUT_INFEASIBLE;
    if (!decided && !abuti_out_of_budget(c) && abuti_proven_impossible(c, island))
        verdict.outcome = ABUT_INFEASIBLE;
    if (verdict.outcome == ABUT_FAILED && verdict.too_large && !verdict.tried) return ABUT_TOO_LARGE;
    abuti_report(c, system, &verdict, longest);
    return ABUT_OK;
}

/* The answer zero, judged: all that an island without a pair of contact and dynamic body needs. */
static abut_status settle(abuti_call *c, const abuti_island *loose)
{
    abut_contact_workspace *work = c->work;
    int none = -1;
    if (loose->bodies + loose->contacts + loose->joints == 0) return ABUT_OK;
    abut_status status = abuti_build_island(c, loose);
    if (status != ABUT_OK) return status;
    abuti_verdict verdict = {.outcome = ABUT_FAILED, .check = {.residual = INFINITY, .worst_contact = -1}};
    const abuti_system *system =
        abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    if (system) {
        abuti_clear_answer(&work->answer, system);
        abuti_call_judge(c, loose, system, &work->answer, &verdict.check);
        verdict.outcome = verdict.check.residual <= c->options->tolerance ? ABUT_SOLVED : ABUT_FAILED;
        verdict.point = &work->answer;
    }
    if (verdict.outcome != ABUT_SOLVED && abuti_proven_impossible(c, loose))
        verdict.outcome = ABUT_INFEASIBLE;
    abuti_report(c, system, &verdict, &none);
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

void abuti_call_finish(abuti_call *c)
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
        for (int i = 0; i < c->problem->contact_count && c->problem->model == ABUT_NO_SLIP; ++i)
            result->glued += out->contacts[i].glued;
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
static abut_status solve_islands(abuti_call *c)
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
static abut_status begin_and_solve(abuti_call *c)
{
    abut_contact_workspace *work = c->work;
    const abut_contact_problem *problem = c->problem;
    const abut_contact_options *options = c->options;
    abut_status status = abuti_admit(work, problem, options, &c->survey);
    if (status == ABUT_OK) status = abuti_admit_plan(work, problem, options, &c->survey, &c->plan);
    if (status != ABUT_OK) return status;
    *c->result = (abut_contact_result){.outcome = ABUT_SOLVED,
                                       .model = problem->model,
                                       .solver = c->plan->solver,
                                       .stage = abuti_first_stage(c->plan, options)->name,
                                       .check = {.worst_contact = -1}};
    c->context.options = options;
    c->context.pivots_left = options->max_pivots ? options->max_pivots : INT_MAX;
    c->context.deadline = options->max_seconds > 0.0 ? abuti_clock() + options->max_seconds : INFINITY;

    if (problem->local && !abuti_valid_local(problem)) return ABUT_INVALID_ARGUMENT;
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *body = &problem->bodies[i];
        if (body->kind != ABUT_DYNAMIC && !abuti_valid_body(body, NULL)) return ABUT_INVALID_ARGUMENT;
    }
    keep_given_velocities(problem, work->outputs.velocity);
    abuti_islands_find(&work->islands, problem);
    c->result->islands = work->islands.count;
    return solve_islands(c);
}

static abut_status solve_once(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                              const abut_contact_options *options, abut_contact_result *result)
{
    if (!workspace || !problem || !options || !result) return ABUT_INVALID_ARGUMENT;
    abuti_call c = {.work = workspace, .problem = problem, .options = options, .result = result};
    abut_status status = begin_and_solve(&c);
    if (status == ABUT_OK) abuti_call_finish(&c);
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
    abuti_call *c = context;
    abut_contact_workspace *work = c->work;
    const abuti_system *system = c->system;
    if (!abuti_drive_is_new_motion(d, c->shown)) return true;
    abuti_clear_answer(&work->answer, system);
    abuti_drive_answer(d, system, &work->answer);
    abut_contact_check check;
    abuti_call_judge(c, &work->islands.island[0], system, &work->answer, &check);
    if (!(check.residual <= c->options->tolerance)) {
        c->cut_short = true; /* an answer that rounding has spoilt is none, and no proof */
        return true;
    }
    abuti_describe(&work->build, system, &work->answer, c->problem, &work->outputs);
    c->result->check = check;
    c->result->outcome = ABUT_SOLVED;
    c->result->stage = abuti_stage_drive_modes.name;
    c->result->glued = 0;
    abuti_call_finish(c);
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
    abuti_call c = {.work = workspace, .problem = problem, .options = options, .result = &result};
    abut_status status = begin_and_solve(&c); /* refuses what no solve takes */
    if (status != ABUT_OK) return status;
    c.visit = visit;
    c.visit_context = context;
    abuti_islands_whole(&workspace->islands, problem);
    status = abuti_build_island(&c, &workspace->islands.island[0]);
    if (status != ABUT_OK) return status;
    c.system = abuti_joints_prepare(&workspace->joint_space, &workspace->build, options->joint_rows);
    if (!c.system) return ABUT_OK;
    abuti_drive *d = workspace->scratch[abuti_workspace_family(workspace, &abuti_stage_drive)];
    if (!abuti_drive_load(d, c.system, &c.context)) return ABUT_TOO_LARGE;
    abuti_modes_end end = abuti_drive_walk_modes(d, true, &c.context, show_mode, &c);
    *count = c.shown;
    /* That there is none must be what the solve has found, too. */
    bool agreed = c.shown > 0 || result.exhausted || result.outcome == ABUT_INFEASIBLE;
    return end == ABUTI_MODES_COMPLETE && !c.cut_short && agreed ? ABUT_OK : ABUT_TOO_LARGE;
}

/* Friction and sticking have solutions of their own; without them the velocities after the step are unique.
 */
static bool may_have_several(const abut_contact_problem *problem)
{
    if (problem->model == ABUT_FRICTIONLESS) return false;
    if (problem->model != ABUT_COULOMB) return true;
    for (int i = 0; i < problem->contact_count; i++)
        if (problem->contacts[i].friction > 0) return true;
    return false;
}

abut_status abut_union_all(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                           const abut_contact_options *options, abut_union_visit visit, void *context,
                           int *count)
{
    if (!workspace || !problem || !options || !visit || !count) return ABUT_INVALID_ARGUMENT;
    abut_contact_result result;
    abuti_call c = {.work = workspace,
                    .problem = problem,
                    .options = options,
                    .result = &result,
                    .visit = visit,
                    .visit_context = context};
    *count = 0;
    if (workspace->limits.sides > ABUT_UNION_ALL_MAX) return ABUT_TOO_LARGE;
    abut_status status = begin_and_solve(&c);
    if (status == ABUT_OK && !c.union_island) { /* no unions: one answer, of several that friction may have */
        abuti_call_finish(&c);
        c.cut_short = result.outcome != ABUT_INFEASIBLE && may_have_several(problem);
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
    abuti_survey survey;
    abut_status status = abuti_admit(workspace, problem, options, &survey);
    if (status == ABUT_INVALID_ARGUMENT) return status;
    if (problem->model != ABUT_COULOMB && problem->model != ABUT_FRICTIONLESS) return ABUT_UNSUPPORTED;
    if (status != ABUT_OK || workspace->limits.sides == 0) return ABUT_TOO_LARGE;
    abuti_call c = {.work = workspace, .problem = problem, .options = options};
    abuti_islands_whole(&workspace->islands, problem);
    status = abuti_build_island(&c, &workspace->islands.island[0]);
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
