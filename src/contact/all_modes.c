/* All answers of a problem of the acceleration level: a walk through all modes, each corner judged and shown. */
#include "contact/call.h"
#include "contact/drive/drive.h"

/* A corner of the solution set is judged like any answer, and shown if it moves otherwise than those before. */
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
        c->cut_short = true; /* an answer that rounding has spoilt does not count, and proves nothing */
        return true;
    }
    abuti_describe(&work->build, system, &work->answer, c->problem, &work->outputs);
    c->answered = true;
    c->result->check = check;
    c->result->outcome = ABUT_SOLVED;
    c->result->stage = abuti_stage_drive_modes.name;
    c->result->islands = 0;
    c->result->island = NULL;
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
    if (!abuti_is_coulomb_accel(problem->model)) return ABUT_UNSUPPORTED;
    abut_contact_result result;
    abuti_call c = {.work = workspace, .problem = problem, .options = options, .result = &result};
    abut_status status = abuti_call_begin(&c);
    if (status == ABUT_OK) status = abuti_solve_islands(&c, NULL); /* refuses what no solve takes */
    if (status != ABUT_OK) return status;
    bool none_found = result.exhausted || result.outcome == ABUT_INFEASIBLE;
    c.visit = visit;
    c.visit_context = context;
    abuti_islands_whole(&workspace->islands, problem);
    status = abuti_prepare_island(&c, &workspace->islands.island[0], &c.system);
    if (status != ABUT_OK || !c.system) return status;
    abuti_drive *d = abuti_workspace_enter(workspace, &abuti_stage_drive, c.system);
    if (!d || !abuti_drive_load(d, c.system, &c.context)) return ABUT_TOO_LARGE;
    abuti_modes_end end = abuti_drive_walk_modes(d, true, &c.context, show_mode, &c);
    *count = c.shown;
    /* If no answer was shown, the solve must have found none, too. */
    bool agreed = c.shown > 0 || none_found;
    return end == ABUTI_MODES_COMPLETE && !c.cut_short && agreed ? ABUT_OK : ABUT_TOO_LARGE;
}
