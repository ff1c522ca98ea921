/* The stage "reduced": section 5.3 and appendix D of Lloyd's paper. The path starts without friction; the
 * friction rows of a contact join when its normal impulse is about to grow.
 *
 * The paper adds them after theta has entered the basis. That is too late when z0 leaves in the same pivot:
 * the path would end with the frictionless answer. Here they join while theta is still the driving variable,
 * before its ratio test (lloyd/pivot.c). */
#include "contact/lloyd/lloyd.h"

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    abuti_lloyd *l = scratch;
    l->s = system;
    l->reduced = true;
    return abuti_lloyd_run(l, context, answer);
}

static const abuti_family family = {
    .solver = ABUT_SOLVER_REDUCED, .layout = abuti_lloyd_layout, .late = true};

const abuti_stage abuti_stage_reduced = {
    .name = "reduced",
    .family = &family,
    .answers = ABUTI_CONES_OF_IMPULSES,
    .rows = true,
    .local = false,
    .run = run,
};
