/* The stage "structural": section 5.1 and appendix A of Lloyd's paper. All friction rows take part from the
 * start. */
#include "contact/lloyd/lloyd.h"

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    abuti_lloyd *l = scratch;
    l->s = system;
    l->reduced = false;
    return abuti_lloyd_run(l, context, answer);
}

static const abuti_family family = {
    .solver = ABUT_SOLVER_STRUCTURAL, .layout = abuti_lloyd_layout, .late = true};

const abuti_stage abuti_stage_structural = {
    .name = "structural",
    .family = &family,
    .answers = ABUTI_CONES_OF_IMPULSES,
    .rows = true,
    .local = false,
    .run = run,
};
