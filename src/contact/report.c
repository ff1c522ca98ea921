/* What an island came to becomes part of the result. */
#include "contact/call.h"
#include <math.h>
#include <string.h>

int abuti_severity(abut_outcome outcome)
{
    static const int rank[] = {
        [ABUT_SOLVED] = 0, [ABUT_LIMIT] = 1, [ABUT_RAY] = 2, [ABUT_FAILED] = 3, [ABUT_INFEASIBLE] = 4};
    return rank[outcome];
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

/* An island without an answer: nothing acts there, its bodies keep their velocities (at the acceleration level:
 * they do not accelerate), and a later step knows nothing of its contacts. */
static void leave_alone(const abut_contact_problem *problem, const abuti_island *island,
                        const abuti_blocks *blocks, bool bounded, abuti_outputs *out)
{
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    for (int i = 0; i < island->contacts; ++i) {
        out->contacts[island->contact[i]] = (abut_contact_answer){0};
        out->faces[island->contact[i]] = (abut_contact_face){.state = ABUT_NEW};
    }
    for (int i = 0; i < island->joints; ++i) {
        out->joints[island->joint[i]] = 0.0;
        if (bounded)
            out->faces[abuti_lift_index(problem, island->joint[i])] = (abut_contact_face){.state = ABUT_NEW};
    }
    for (int i = 0; i < island->bodies && problem->bodies; ++i) {
        size_t body = (size_t)island->body[i];
        for (size_t c = 0; c < 6; ++c)
            out->velocity[6 * body + c] = acceleration ? 0.0 : problem->bodies[body].velocity[c];
    }
    const abut_generalised *g = problem->generalised;
    for (int b = 0; g && b < island->bodies; ++b) {
        const abuti_block *block = &blocks->block[island->body[b]];
        for (int i = block->at; i < block->at + block->size; ++i)
            out->velocity[i] = acceleration ? 0.0 : g->velocity[i];
    }
    for (int i = 0; g && g->block_count == 0 && i < g->nv; ++i)
        out->velocity[i] = acceleration ? 0.0 : g->velocity[i];
}

/* Whether there is a point, or all that it would tell stands in the outputs already. */
static bool has_answer(const abuti_verdict *verdict)
{
    return verdict->point || verdict->described;
}

/* The island's own line in the result; none for what nothing touches. */
static void report_island(abuti_call *c, const abuti_island *island, const abuti_verdict *verdict)
{
    const abuti_islands *all = &c->work->islands;
    if (island < all->island || island >= all->island + all->count) return;
    c->work->island_result[island - all->island] = (abut_island_result){
        .outcome = verdict->outcome,
        .residual = has_answer(verdict) ? verdict->check.residual : INFINITY,
        .solver = verdict->stage ? verdict->stage->family->solver : c->plan->solver,
        .stage = verdict->stage ? verdict->stage->name : c->result->stage,
        .pivots = verdict->pivots,
        .others = verdict->others,
        .no_room = verdict->cramped && verdict->outcome != ABUT_SOLVED ? verdict->cramped->name : NULL,
        .body_count = island->bodies,
        .bodies = island->body,
        .contact_count = island->contacts,
        .contacts = island->contact,
        .joint_count = island->joints,
        .joints = island->joint,
    };
}

void abuti_report(abuti_call *c, const abuti_island *island, const abuti_system *system,
                  const abuti_verdict *verdict)
{
    abut_contact_workspace *work = c->work;
    abut_contact_result *result = c->result;
    if (has_answer(verdict)) {
        if (!verdict->described)
            abuti_describe(&work->build, system, verdict->point, c->problem, &work->outputs);
        c->answered = true;
    } else {
        leave_alone(c->problem, island, &work->build.blocks, c->survey.bounded > 0, &work->outputs);
    }
    report_island(c, island, verdict);
    for (int i = 0; verdict->point && !verdict->glue_proven && i < system->n; ++i)
        c->glue_open = c->glue_open || verdict->point->glued[i];
    result->pivots += verdict->pivots;
    result->others += verdict->others;
    if (abuti_severity(verdict->outcome) > abuti_severity(result->outcome))
        result->outcome = verdict->outcome;
    if (verdict->outcome == ABUT_RAY) {
        result->exhausted = verdict->exhausted && (result->exhausted || c->rays == 0);
        c->rays++;
    }
    worst_of(&result->check, &verdict->check);
    if (verdict->stage && verdict->pivots > c->longest) {
        c->longest = verdict->pivots;
        result->stage = verdict->stage->name;
        result->solver = verdict->stage->family->solver;
    }
}

bool abuti_show(abuti_call *c, void (*report)(void *context), void *context)
{
    abut_contact_result so_far = *c->result;
    bool answered = c->answered;
    int longest = c->longest;
    report(context);
    if (c->result->outcome == ABUT_SOLVED) {
        abuti_call_finish(c);
        c->shown++;
        if (!c->visit(c->result, c->visit_context)) c->stopped = true;
    }
    *c->result = so_far;
    c->answered = answered;
    c->longest = longest;
    return !c->stopped;
}
