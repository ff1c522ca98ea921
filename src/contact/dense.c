/* Stage "lemke": the standard method of Lloyd's comparison, Lemke's algorithm on the dense LCP of eq. (8). */
#include "contact/dense_lcp.h"

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    return abuti_dense_layout(arena, limits, ABUT_LCP_LEMKE);
}

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    return abuti_dense_run(system, scratch, ABUT_LCP_LEMKE, context, answer);
}

static const abuti_family family = {ABUT_SOLVER_LEMKE, layout};

const abuti_stage abuti_stage_lemke = {
    .name = "lemke",
    .family = &family,
    .models = 1u << ABUT_COULOMB | 1u << ABUT_FRICTIONLESS,
    .rows = true,
    .local = true,
    .run = run,
};
