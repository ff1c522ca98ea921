/* All answers of a problem with unions: the islands without unions are solved as usual, and the search of the
 * one that has them shows every answer it comes upon. */
#include "contact/call.h"

/* Whether the problem may have several answers even without unions. Friction and sticking may bring some; without them
 * the velocities after the step are unique. */
static bool may_have_several(const abut_contact_problem *problem)
{
    abut_friction_law friction = abuti_model_of(problem->model)->friction;
    if (friction != ABUT_LAW_COULOMB) return friction != ABUT_LAW_NONE;
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].friction > 0) return true;
    return false;
}

/* Finds the island with unions; NULL: there is none. Returns false when there are several. */
static bool find_union_island(abuti_call *c)
{
    abut_contact_workspace *work = c->work;
    for (int k = 0; k < work->islands.count; ++k) {
        const abuti_island *island = &work->islands.island[k];
        if (abuti_unions_find(&work->unions, c->problem, island) == 0) continue;
        if (c->union_island) return false;
        c->union_island = island;
    }
    return true;
}

/* Shows the one answer of a problem without unions. Friction may have others, which are not looked for. */
static void show_only_answer(abuti_call *c)
{
    abuti_call_finish(c);
    c->cut_short = c->result->outcome != ABUT_INFEASIBLE && may_have_several(c->problem);
    c->shown = c->result->outcome == ABUT_SOLVED;
    if (c->shown) (void)c->visit(c->result, c->visit_context);
}

static abut_status show_all(abuti_call *c)
{
    abut_status status = abuti_call_begin(c);
    if (status != ABUT_OK) return status;
    if (!find_union_island(c)) return ABUT_UNSUPPORTED;
    status = abuti_solve_islands(c, c->union_island);
    if (status != ABUT_OK) return status;
    if (!c->union_island) {
        show_only_answer(c);
    } else if (c->result->outcome == ABUT_SOLVED) {
        status = abuti_solve_island(c, c->union_island);
    }
    return status;
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
    abut_status status = show_all(&c);
    *count = c.shown;
    return status == ABUT_OK && c.cut_short && !c.stopped ? ABUT_TOO_LARGE : status;
}
