/* Stages on the dense LCP of eq. (8). "lemke" is the standard method of Lloyd's comparison. "enumerate" goes through
 * every complementary basis of problems of at most ABUT_LCP_ENUMERATE_MAX rows; it is the oracle of tests. */
#include "contact/dense/lcp.h"

static void *layout_lemke(abuti_arena *arena, const abut_contact_limits *limits)
{
    return abuti_dense_layout(arena, limits, ABUT_LCP_LEMKE, abuti_dense_most(limits, ABUT_SOLVER_LEMKE));
}

static void *layout_enumerate(abuti_arena *arena, const abut_contact_limits *limits)
{
    return abuti_dense_layout(arena, limits, ABUT_LCP_ENUMERATE, ABUT_LCP_ENUMERATE_MAX);
}

static abut_outcome run_lemke(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    return abuti_dense_run(system, scratch, ABUT_LCP_LEMKE, context, answer);
}

static abut_outcome run_enumerate(const abuti_system *system, void *scratch,
                                  const abuti_stage_context *context, abuti_answer *answer)
{
    return abuti_dense_run(system, scratch, ABUT_LCP_ENUMERATE, context, answer);
}

static const abuti_family lemke_family = {.solver = ABUT_SOLVER_LEMKE, .layout = layout_lemke, .late = true};
static const abuti_family enumerate_family = {
    .solver = ABUT_SOLVER_ENUMERATE, .layout = layout_enumerate, .late = true};

const abuti_stage abuti_stage_lemke = {.name = "lemke",
                                       .family = &lemke_family,
                                       .answers = ABUTI_CONES_OF_IMPULSES,
                                       .rows = true,
                                       .local = true,
                                       .run = run_lemke};
const abuti_stage abuti_stage_enumerate = {.name = "enumerate",
                                           .family = &enumerate_family,
                                           .answers = ABUTI_CONES_OF_IMPULSES,
                                           .rows = true,
                                           .local = true,
                                           .run = run_enumerate};
