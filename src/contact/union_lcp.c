/* The published LCPs of a problem with unions, from its contact system (unions/lcp.h). */
#include "contact/admit.h"
#include "contact/call.h"

abut_status abut_union_lcp_build(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                 const abut_contact_options *options, double *constant, double *B, double *b)
{
    if (!workspace || !problem || !options || !constant || !B || !b) return ABUT_INVALID_ARGUMENT;
    abuti_survey survey = {0}; /* stays so where counts alone are too large */
    abut_status status = abuti_admit(workspace, problem, options, &survey);
    if (status == ABUT_INVALID_ARGUMENT) return status;
    bool blocks = problem->generalised && problem->generalised->block_count > 0;
    if (!abuti_union_has_lcp(problem) || blocks || survey.bounded + survey.compliant > 0)
        return ABUT_UNSUPPORTED;
    if (status != ABUT_OK || workspace->limits.sides == 0) return ABUT_TOO_LARGE;
    abuti_call c = {.work = workspace, .problem = problem, .options = options};
    abuti_islands_whole(&workspace->islands, problem);
    status = abuti_build_island(&c, &workspace->islands.island[0]);
    if (status != ABUT_OK) return status;
    const abuti_system *system = &workspace->build.system;
    bool sum = options->unions.rule == ABUT_UNION_SUM;
    abuti_union_shape shape = abuti_union_shape_of(problem, sum ? ABUTI_LCP_SUM : ABUTI_LCP_MAX);
    if (sum) *constant = abuti_union_cap(system, problem, options);
    if (!sum && !(*constant > 1.0)) *constant = ABUT_UNION_GAMMA;
    abuti_union_places(problem, &shape, workspace->unions.place);
    abuti_union_form(system, problem, &shape, workspace->unions.place, *constant, B, b);
    return ABUT_OK;
}
