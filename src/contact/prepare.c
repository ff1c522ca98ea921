/* From an island of the problem to the contact system that the stages see. */
#include "contact/call.h"

abut_status abuti_build_island(abuti_call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    work->systems++;
    if (c->options->warm) abuti_build_keep_last(&work->build);
    work->build.restitution_threshold = c->options->restitution_threshold;
    work->build.implicit = c->options->viscous == ABUT_VISCOUS_IMPLICIT && c->survey.sides == 0 &&
                           !abuti_model_of(c->problem->model)->acceleration;
    abut_status status = c->problem->generalised ? abuti_build_generalised(&work->build, c->problem)
                         : c->problem->local
                             ? abuti_build_local(&work->build, c->problem, island)
                             : abuti_build_bodies(&work->build, c->problem, &work->islands, island);
    if (status == ABUT_OK && c->survey.cones) abuti_build_cones(&work->build, c->problem);
    return status;
}

abut_status abuti_prepare_island(abuti_call *c, const abuti_island *island, const abuti_system **system)
{
    abut_contact_workspace *work = c->work;
    *system = NULL;
    abut_status status = abuti_build_island(c, island);
    if (status != ABUT_OK) return status;
    *system = abuti_joints_prepare(&work->joint_space, &work->build, c->options->joint_rows);
    c->same_geometry = c->options->warm && *system && abuti_build_same_geometry(&work->build) &&
                       work->projected == work->joint_space.projected;
    work->projected = work->joint_space.projected;
    return ABUT_OK;
}
