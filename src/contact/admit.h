/* Whether a call can be answered: what it asks, whether the workspace has room for it, and by which stages.
 */
#ifndef ABUTI_CONTACT_ADMIT_H
#define ABUTI_CONTACT_ADMIT_H

#include "contact/build/validate.h"
#include "contact/workspace.h"

/* Checks the options, the shape of the problem and the limits. `survey` gets what the walk over the contacts found. */
abut_status abuti_admit(const abut_contact_workspace *work, const abut_contact_problem *problem,
                        const abut_contact_options *options, abuti_survey *survey);

/* Finds the stages to try, or says by its status why there are none. The plan lies in the workspace. */
abut_status abuti_admit_plan(abut_contact_workspace *work, const abut_contact_problem *problem,
                             const abut_contact_options *options, const abuti_survey *survey,
                             const abuti_plan **plan);

/* The stage that begins. Stages that need states to start from are passed over in a call that brings none. */
const abuti_stage *abuti_first_stage(const abuti_plan *plan, const abut_contact_options *options);

/* The model that the solvers see. They treat a row with two bounds as friction (lift.h), so where there are such
 * rows, a model without friction is solved as Coulomb's with coefficients of 0. */
abut_contact_model abuti_solved_as(abut_contact_model model, const abuti_survey *survey);

#endif
