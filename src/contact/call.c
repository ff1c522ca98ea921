/* One island: stages in order, the verifier judging each. */
#include "contact/call.h"
#include "base/clock.h"
#include "contact/drive/drive.h"
#include "contact/verify/verify.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Driving may stop where its own conditions just hold and Coulomb's law is off by more than rounding. Within
 * this part of the tolerance its answer is taken; else the next stages may do better. */
#define DRIVE_ENOUGH 0.1

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

void abuti_clear_answer(abuti_answer *answer, const abuti_system *system)
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
void abuti_call_judge(abuti_call *c, const abuti_island *island, const abuti_system *system,
                      const abuti_answer *answer, abut_contact_check *check)
{
    abut_contact_workspace *work = c->work;
    abuti_outputs *out = &work->outputs;
    abuti_unscale(&work->build, &work->joint_space, system, answer, c->problem, island, out);
    abuti_verify_island(c->problem, c->options, island, out->impulses, out->joints, out->velocity,
                        work->verify_scratch, check);
}

bool abuti_out_of_budget(const abuti_call *c)
{
    return c->context.pivots_left <= 0 ||
           (c->context.deadline < INFINITY && abuti_clock() >= c->context.deadline);
}

/* Runs one stage on the system, and takes its pivots from the budget. */
abut_outcome abuti_run_stage(abuti_call *c, const abuti_stage *stage, const abuti_system *system,
                             abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    int family = abuti_workspace_family(work, stage);
    c->context.continued = work->seen[family] == work->systems;
    c->context.same_geometry = c->same_geometry && work->seen[family] == work->systems - 1;
    work->seen[family] = work->systems;
    abuti_clear_answer(&work->answer, system);
    work->answer.pivots = 0;
    work->answer.exhausted = work->answer.too_large = false;
    abut_outcome belief = stage->run(system, work->scratch[family], &c->context, &work->answer);
    verdict->pivots += work->answer.pivots;
    verdict->exhausted = verdict->exhausted || work->answer.exhausted;
    if (work->answer.too_large)
        verdict->too_large = true;
    else
        verdict->tried = true;
    if (c->context.pivots_left < INT_MAX) c->context.pivots_left -= work->answer.pivots;
    return belief;
}

/* Keeps the direction of the first ray that has one. */
static void take_ray(abuti_call *c, const abuti_system *system, abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    if (verdict->directed ||
        (system->model == ABUT_COULOMB_ACCEL && !abuti_drive_is_impulse(system, work->answer.ray)))
        return;
    if (!c->has_ray) memset(work->outputs.ray, 0, 3 * (size_t)c->problem->contact_count * sizeof(double));
    abuti_unscale_ray(system, work->answer.ray, &work->outputs);
    verdict->directed = c->has_ray = true;
}

/* Runs the plan until the verifier accepts. What earlier stages said counts only when no later one is right:
 * a spent budget before a proof or a ray, and those before a stage's own limit. `best` keeps the point with
 * the least residual. */
void abuti_attack(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    abut_contact_check least = {.residual = INFINITY, .worst_contact = -1};
    bool said[ABUT_FAILED + 1] = {false}, spent = false;
    const abuti_answer *best = NULL;
    const abuti_stage *on_ray = NULL, *best_stage = NULL;
    double enough = c->options->tolerance * (system->model == ABUT_COULOMB_ACCEL ? DRIVE_ENOUGH : 1.0);
    *verdict = (abuti_verdict){.outcome = ABUT_FAILED};
    for (int k = 0; k < c->plan->count && !(spent = abuti_out_of_budget(c)); ++k) {
        const abuti_stage *stage = c->plan->stage[k];
        if (stage->needs_start && !c->context.start) continue;
        abut_outcome belief = abuti_run_stage(c, stage, system, verdict);
        if (belief == ABUT_RAY) {
            take_ray(c, system, verdict);
            bool first = !on_ray;
            if (first) on_ray = stage;
            if (first && c->proves && abuti_proven_impossible(c, island)) {
                verdict->outcome = ABUT_INFEASIBLE;
                verdict->stage = stage;
                verdict->check = least;
                return;
            }
        }
        if (!said[belief]) verdict->stage = stage;
        said[belief] = true;
        if (verdict->exhausted && verdict->directed) break; /* there is nothing left to find */
        if (belief != ABUT_SOLVED && belief != ABUT_LIMIT) continue;
        abuti_call_judge(c, island, system, &work->answer, &verdict->check);
        if (verdict->check.residual <= enough) {
            verdict->outcome = ABUT_SOLVED;
            verdict->stage = stage;
            verdict->point = &work->answer;
            verdict->exhausted = verdict->too_large = verdict->directed = false;
            return;
        }
        if (!best || verdict->check.residual < least.residual) {
            least = verdict->check;
            best_stage = stage;
            swap_answers(work);
            best = &work->best;
        }
    }
    verdict->check = least;
    spent = spent || abuti_out_of_budget(c);
    if (best && verdict->check.residual <= c->options->tolerance) {
        abuti_call_judge(c, island, system, best, &verdict->check);
        verdict->outcome = ABUT_SOLVED;
        verdict->stage = best_stage;
        verdict->point = best;
    } else if (!spent && said[ABUT_RAY]) {
        verdict->outcome = ABUT_RAY;
        verdict->stage = on_ray;
    } else if (spent || said[ABUT_LIMIT]) {
        if (!best) abuti_clear_answer(&work->best, system); /* no point so far: no impulses at all */
        abuti_call_judge(c, island, system, &work->best, &verdict->check);
        verdict->outcome = verdict->check.residual <= c->options->tolerance ? ABUT_SOLVED : ABUT_LIMIT;
        verdict->point = &work->best;
    }
}

abut_status abuti_build_island(abuti_call *c, const abuti_island *island)
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
void abuti_report(abuti_call *c, const abuti_system *system, const abuti_verdict *verdict, int *longest)
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

/* No weights, before the first island that may have some. */
static void begin_witness(abuti_call *c)
{
    const abut_contact_problem *problem = c->problem;
    abuti_outputs *out = &c->work->outputs;
    if (c->has_weights) return;
    memset(out->witness, 0, (size_t)problem->contact_count * sizeof(double));
    if (problem->joint_count) memset(out->witness_joints, 0, (size_t)problem->joint_count * sizeof(double));
    c->has_weights = true;
}

/* Whether contacts and joint rows of the island that was built last exclude each other: proven by weights
 * that the verifier accepts, which then stand in the outputs. What a stage believes about it does not count.
 */
bool abuti_proven_impossible(abuti_call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    const abuti_system *system = &work->build.system;
    abuti_outputs *out = &work->outputs;
    double *contact = work->answer.theta, *joint = work->answer.joint;
    begin_witness(c);
    for (int i = 0; i < system->n; ++i) {
        bool separates =
            system->model == ABUT_COULOMB_ACCEL && system->before[0][i] > c->options->slide_threshold;
        work->farkas.idle[i] = separates || abut_union_is_side(c->problem, system->index[i]);
    }
    if (!abuti_farkas_find(&work->farkas, system, contact, joint)) return false;
    abuti_unscale_witness(system, contact, joint, out);
    if (abuti_verify_witness_island(c->problem, c->options, island, out->witness, out->witness_joints,
                                    work->verify_scratch))
        return true;
    for (int i = 0; i < system->n; ++i) out->witness[system->index[i]] = 0.0;
    for (int j = 0; j < system->joints; ++j) out->witness_joints[system->joint_index[j]] = 0.0;
    return false;
}
