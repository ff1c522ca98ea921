/* Whether a call can be answered: what it asks, whether the workspace has room for it, and by which stages.
 */
#ifndef ABUTI_CONTACT_ADMIT_H
#define ABUTI_CONTACT_ADMIT_H

#include "contact/build/validate.h"
#include "contact/workspace.h"

/* Shape of the problem, options, limits; `survey` gets what the walk over the contacts has told. */
abut_status abuti_admit(const abut_contact_workspace *work, const abut_contact_problem *problem,
                        const abut_contact_options *options, abuti_survey *survey);

/* The stages to try, or why there are none; the plan lies in the workspace. */
abut_status abuti_admit_plan(abut_contact_workspace *work, const abut_contact_problem *problem,
                             const abut_contact_options *options, const abuti_survey *survey,
                             const abuti_plan **plan);

/* The stage that begins: those that need states to start from are passed over where none can be. */
const abuti_stage *abuti_first_stage(const abuti_plan *plan, const abut_contact_options *options);

/* Two bounds of a row are friction to the solvers (lift.h): where there are some, models without friction are solved
 * as Coulomb's with coefficients of 0. */
abut_contact_model abuti_solved_as(abut_contact_model model, const abuti_survey *survey);

#endif
