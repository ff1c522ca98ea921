/* The first and the last step of a call: what it asks and may spend, and what its result points to. */
#include "contact/call.h"
#include "base/clock.h"
#include "contact/admit.h"
#include "contact/share.h"
#include "contact/verify/verify.h"
#include <limits.h>
#include <math.h>

/* The share of max_seconds that stages have; the rest is for a point to go on from, where the model has one. */
#define FOR_STAGES 0.7
/* A call that sets no number of pivots has so many, and so many more for each contact and joint row. The longest call
 * that needed its pivots (dominoes that fall on each other, 116 contacts) took 12,000. */
#define PIVOTS_LEAST 10000
#define PIVOTS_A_ROW 200

bool abuti_out_of_budget(const abuti_call *c)
{
    return abuti_budget_spent(0, c->context.pivots_left, c->context.deadline);
}

/* The pivots that a call may take. A call that sets no number is bounded by a count and not by a clock, so that
 * answers do not depend on the machine. Stages have bounds of their own beside this one; the searches of unions,
 * forces and held contacts have those alone. */
static int pivots_of(const abuti_call *c)
{
    const abut_contact_problem *problem = c->problem;
    bool plain = abuti_has_cones_of_impulses(problem->model);
    if (c->options->max_pivots > 0) return c->options->max_pivots;
    if (!plain || c->survey.sides > 0) return INT_MAX;
    long long rows = (long long)problem->contact_count + problem->joint_count;
    return (int)fmin((double)(INT_MAX - 1), (double)(PIVOTS_LEAST + PIVOTS_A_ROW * rows));
}

/* Bodies whose velocity is given keep it. */
static void keep_given_velocities(const abut_contact_problem *problem, double *velocity)
{
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *body = &problem->bodies[i];
        if (body->kind == ABUT_DYNAMIC) continue;
        bool moves = body->kind == ABUT_KINEMATIC && !abuti_model_of(problem->model)->acceleration;
        for (int c = 0; c < 6; ++c) velocity[6 * (size_t)i + (size_t)c] = moves ? body->velocity[c] : 0.0;
    }
}

abut_status abuti_call_begin(abuti_call *c)
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
                                       .check = {.worst_contact = -1},
                                       .island = work->island_result};
    c->held = abuti_model_of(problem->model)->friction == ABUT_LAW_HELD;
    c->longest = -1;
    c->context.options = options;
    c->context.pivots_left = pivots_of(c);
    bool relaxes = !problem->local;
    double begin = options->max_seconds > 0.0 ? abuti_clock() : INFINITY;
    c->deadline = begin + options->max_seconds;
    c->context.deadline = begin + (relaxes ? FOR_STAGES : 1.0) * options->max_seconds;

    if (problem->local && !abuti_valid_local(problem)) return ABUT_INVALID_ARGUMENT;
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *body = &problem->bodies[i];
        if (body->kind != ABUT_DYNAMIC && !abuti_valid_body(body, NULL)) return ABUT_INVALID_ARGUMENT;
    }
    keep_given_velocities(problem, work->outputs.velocity);
    if (problem->generalised && problem->generalised->block_count > 0)
        abuti_blocks_find(&work->build.blocks, problem);
    abuti_verify_prepare(problem, work->verify_scratch);
    for (int i = 0; i < problem->joint_count && c->survey.bounded > 0; ++i)
        work->outputs.faces[abuti_lift_index(problem, i)] = (abut_contact_face){.state = ABUT_NEW};
    abuti_islands_find(&work->islands, problem);
    if (c->parts > 0) abuti_share_islands(work, c->parts);
    abuti_homes_find(&work->homes, &work->islands, &work->roll, problem, c->parts > 0 ? work->owner : NULL,
                     c->part);
    c->result->islands = work->islands.count;
    c->answered = work->islands.count == 0;
    return ABUT_OK;
}

/* Contacts that are glued, in the islands that this call has solved. */
static int count_glued(const abuti_call *c)
{
    int glued = 0;
    for (int k = 0; k < c->work->islands.count; ++k) {
        const abuti_island *island = &c->work->islands.island[k];
        if (!abuti_is_mine(c, k)) continue;
        for (int i = 0; i < island->contacts; ++i)
            glued += c->work->outputs.contacts[island->contact[i]].glued;
    }
    return glued;
}

void abuti_call_finish(abuti_call *c)
{
    abut_contact_result *result = c->result;
    abuti_outputs *out = &c->work->outputs;
    result->residual = result->check.residual;
    if (c->answered) {
        result->contacts = out->contacts;
        result->joints = out->joints;
        result->velocity = c->problem->local ? NULL : out->velocity;
        result->faces = out->faces;
        if (c->survey.bounded > 0) result->joint_faces = out->faces + c->problem->contact_count;
        if (c->held) result->glued = count_glued(c);
    }
    result->glue_proven = result->glued > 0 && !c->glue_open;
    if (result->outcome == ABUT_RAY || result->outcome == ABUT_INFEASIBLE)
        result->residual = result->check.residual = INFINITY;
    bool impossible = result->outcome == ABUT_INFEASIBLE;
    if ((result->outcome == ABUT_RAY || impossible) && c->has_ray) result->ray = out->ray;
    if (impossible) {
        result->witness = out->witness;
        result->witness_joints = out->witness_joints;
    }
    if (result->outcome != ABUT_RAY && result->outcome != ABUT_FAILED) result->exhausted = false;
    bool all = c->answered && c->parts == 0; /* nobody has the states of all parts */
    abuti_warm_keep(&c->work->warm, c->problem, all ? out->faces : NULL, result->joint_faces, out->contacts,
                    out->joints);
    abuti_roll_call(&c->work->roll, c->problem);
    abuti_homes_note(&c->work->homes, &c->work->islands, c->problem);
}
