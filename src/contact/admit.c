/* The first questions of a call; see admit.h. */
#include "contact/admit.h"
#include "contact/drive/drive.h"

/* Compares sizes alone, so it can be asked before an array is read. */
static bool counts_fit(const abut_contact_problem *problem, const abut_contact_limits *limits)
{
    const abut_generalised *g = problem->generalised;
    return problem->body_count <= limits->bodies && problem->contact_count <= limits->contacts &&
           problem->joint_count <= limits->joints && (!problem->local || limits->local) &&
           (!g || (g->nv <= limits->nv && g->block_count <= limits->blocks)) &&
           (!g || g->block_count > 0 || g->nv <= abuti_block_size(limits));
}

static bool within(const abut_contact_problem *problem, const abuti_survey *survey,
                   const abut_contact_options *options, const abut_contact_limits *limits)
{
    int most = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    if (abuti_is_coulomb_accel(problem->model) && options->accel.directions > abuti_drive_directions(limits))
        return false;
    if (survey->viscous && survey->sides == 0 && abuti_damping_numbers(problem, options) > limits->nv)
        return false;
    if (survey->bounded > limits->bounded || survey->compliant > limits->compliant) return false;
    const abut_generalised *g = problem->generalised;
    for (int b = 0; g && b < g->block_count; ++b)
        if (g->block_sizes[b] > abuti_block_size(limits)) return false;
    return survey->directions <= most && (!survey->cones || limits->cones) &&
           survey->sides <= limits->sides &&
           (survey->sides == 0 || options->unions.rule == ABUT_UNION_MAX || limits->summation);
}

abut_status abuti_admit(const abut_contact_workspace *work, const abut_contact_problem *problem,
                        const abut_contact_options *options, abuti_survey *survey)
{
    if (!abuti_valid_options(options)) return ABUT_INVALID_ARGUMENT;
    if (!counts_fit(problem, &work->limits)) return ABUT_TOO_LARGE;
    if (!abuti_valid_shape(problem, survey)) return ABUT_INVALID_ARGUMENT;
    return within(problem, survey, options, &work->limits) ? ABUT_OK : ABUT_TOO_LARGE;
}

abut_contact_model abuti_solved_as(abut_contact_model model, const abuti_survey *survey)
{
    abut_friction_law law = abuti_model_of(model)->friction;
    bool none = law == ABUT_LAW_NONE || law == ABUT_LAW_GIVEN;
    return survey->boxed > 0 && none ? ABUT_COULOMB : model;
}

static bool same_question(const abuti_question *a, const abuti_question *b)
{
    return a->model == b->model && a->solver == b->solver && a->local == b->local && a->alone == b->alone;
}

/* Circles belong to the solver `faces`. At the acceleration level they belong to `drive`, whose answer they start
 * from. */
static bool serves_cones(const abuti_question *asked)
{
    abut_contact_solver own = abuti_is_coulomb_accel(asked->model) ? ABUT_SOLVER_DRIVE : ABUT_SOLVER_FACES;
    return asked->solver == ABUT_SOLVER_AUTO || asked->solver == own;
}

abut_status abuti_admit_plan(abut_contact_workspace *work, const abut_contact_problem *problem,
                             const abut_contact_options *options, const abuti_survey *survey,
                             const abuti_plan **plan)
{
    abuti_question asked = {abuti_solved_as(problem->model, survey), options->solver, problem->local,
                            options->alone};
    /* The plan of the last call will do if that call asked the same question. */
    bool again = !options->stage && work->plan.count > 0 && same_question(&asked, &work->planned);
    if ((!again && !abut_contact_supports(asked.model, asked.solver, asked.local)) ||
        (survey->sides > 0 && abuti_has_accelerated_union(problem)) ||
        (survey->cones && !serves_cones(&asked)))
        return ABUT_UNSUPPORTED;
    *plan = &work->plan;
    if (options->stage) {
        const abuti_stage *stage = abuti_stage_find(asked.model, asked.local, options->stage);
        if (!stage) return ABUT_UNSUPPORTED;
        work->plan =
            (abuti_plan){.solver = abuti_solver_resolve(asked.model, asked.solver, asked.local), 1, {stage}};
        work->planned = (abuti_question){.solver = ABUT_SOLVER_COUNT}; /* nobody asks this */
        return abuti_room_find(&work->room, stage->family) >= 0 ? ABUT_OK : ABUT_TOO_LARGE;
    }
    if (!again) {
        work->plan = abuti_plan_make(asked.model, asked.solver, asked.local, !asked.alone, work->served);
        work->planned = asked;
    }
    unsigned needed = 1u << work->plan.solver | (survey->cones ? 1u << ABUT_SOLVER_FACES : 0u);
    return (work->served & needed) == needed ? ABUT_OK : ABUT_TOO_LARGE;
}

const abuti_stage *abuti_first_stage(const abuti_plan *plan, const abut_contact_options *options)
{
    int k = 0;
    while (k + 1 < plan->count && plan->stage[k]->needs_start && !options->warm && !options->start) ++k;
    return plan->stage[k];
}
