/* The stages of the models with normal unknowns only: one front (normal/equations.c, no_slip.c), several
 * methods. */
#include "contact/normal/normal.h"

static int largest(int a, int b)
{
    return a > b ? a : b;
}

/* Contacts and velocities of the largest island that a dense LCP helps with where the limits do not name its solver. */
enum { HELP_CONTACTS = 300, HELP_DOF = 1200 };

static void clip(int *value, int most)
{
    if (*value > most) *value = most;
}

/* The largest island within the limits that the dense LCP of a solver takes. */
static abut_contact_limits helped(const abut_contact_limits *limits, abut_contact_solver solver)
{
    abut_contact_limits most = *limits;
    if (limits->solvers & 1u << solver) return most;
    clip(&most.contacts, HELP_CONTACTS);
    clip(&most.bodies, HELP_DOF / 6);
    clip(&most.nv, HELP_DOF);
    return most;
}

static abuti_normal *layout(abuti_arena *arena, const abut_contact_limits *limits,
                            const abuti_lcp_solver *lcp)
{
    abuti_normal plan = {0};
    abuti_normal *s = abuti_take(arena, 1, abuti_normal);
    const size_t n = (size_t)limits->contacts;
    const int dof = largest(6 * limits->bodies, limits->nv);
    plan.dof_room = dof;
    const size_t ld = (size_t)abuti_padded(dof), rank = (size_t)dof + 1;
    const size_t equations = 2 * n + (size_t)limits->joints;
    plan.E = abuti_take(arena, equations * ld, double);
    plan.E_size = abuti_take(arena, equations, double);
    plan.E_id = abuti_take(arena, equations, int);
    plan.faint = abuti_take(arena, equations, int);
    plan.rest = abuti_take(arena, ld, double);
    plan.kept_id = abuti_take(arena, rank, int);
    plan.Q = abuti_take(arena, rank * ld, double);
    plan.R_ld = (int)ld;
    plan.R = abuti_take(arena, rank * ld, double);
    plan.level = abuti_take(arena, rank, double);
    plan.N = abuti_take(arena, n * ld, double);
    plan.v0 = abuti_take(arena, ld, double);
    plan.q = abuti_take(arena, n, double);
    plan.half = abuti_take(arena, n, double);
    plan.pushed = abuti_take(arena, n, double);
    plan.length = abuti_take(arena, n, double);
    plan.left = abuti_take(arena, n, double);
    plan.immobile = abuti_take(arena, n, bool);
    plan.blurred = abuti_take(arena, n, bool);
    plan.z = abuti_take(arena, n, double);
    plan.w = abuti_take(arena, n, double);
    plan.v = abuti_take(arena, n > ld ? n : ld, double);
    plan.set = abuti_take(arena, n > rank ? n : rank, int);
    plan.ray = abuti_take(arena, n, double);
    plan.F.ld = (int)ld;
    plan.F.L = abuti_take(arena, ld * ld, double);
    plan.column = abuti_take(arena, rank, double);
    plan.unknowns = abuti_take(arena, rank, double);
    plan.seen_room = 4 * dof + 64;
    plan.seen = abuti_take(arena, plan.seen_room, uint64_t);
    plan.held = abuti_take(arena, n, bool);
    plan.locked = abuti_take(arena, n, bool);
    plan.later = abuti_take(arena, n, bool);
    const size_t pushing = (size_t)abuti_padded(3 * limits->contacts + limits->joints);
    const size_t columns = dof < ABUTI_SPREAD_DOF ? (size_t)dof : ABUTI_SPREAD_DOF;
    plan.columns = abuti_take(arena, columns * pushing, double);
    plan.spread = abuti_take(arena, 2 * pushing, double);
    plan.spread_id = abuti_take(arena, pushing, int);
    plan.search = abuti_hold_search_layout(arena, limits, dof);
    if (lcp) {
        plan.lcp = lcp;
        plan.lcp_room = limits->contacts < ABUT_DENSE_MAX ? limits->contacts : ABUT_DENSE_MAX;
        const size_t room = (size_t)abuti_padded(plan.lcp_room);
        plan.dense = abuti_take(arena, room * room, double);
        plan.ones = abuti_take(arena, room, double);
        plan.start = abuti_take(arena, room, double);
        plan.lcp_scratch = lcp->layout(arena, largest(plan.lcp_room, 1));
    }
    if (s) *s = plan;
    return s;
}

static void *layout_ppm(abuti_arena *arena, const abut_contact_limits *limits)
{
    return layout(arena, limits, NULL);
}

static void *layout_dantzig(abuti_arena *arena, const abut_contact_limits *limits)
{
    return layout(arena, limits, &abuti_lcp_dantzig);
}

static void *layout_active_set(abuti_arena *arena, const abut_contact_limits *limits)
{
    return layout(arena, limits, &abuti_lcp_active_set);
}

static void *layout_lemke(abuti_arena *arena, const abut_contact_limits *limits)
{
    abut_contact_limits most = helped(limits, ABUT_SOLVER_LEMKE);
    return layout(arena, &most, &abuti_lcp_lemke);
}

static abut_outcome run_ppm(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                            abuti_answer *answer)
{
    return abuti_normal_run(scratch, system, context, answer, abuti_ppm);
}

static abut_outcome run_dense(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    const abuti_normal *s = scratch;
    answer->too_large = system->n > s->lcp_room || system->bodies * system->dim > s->dof_room;
    if (answer->too_large || system->given) return ABUT_FAILED; /* rows with two bounds are left to ppm */
    return abuti_normal_run(scratch, system, context, answer, abuti_normal_lcp);
}

enum {
    laws =
        ABUTI_ON_IMPULSES(ABUT_LAW_NONE) | ABUTI_ON_FORCES(ABUT_LAW_GIVEN) | ABUTI_ON_IMPULSES(ABUT_LAW_HELD)
};

static const abuti_family ppm_family = {
    .solver = ABUT_SOLVER_PPM, .layout = layout_ppm, .late = true, .answers = true};
static const abuti_family dantzig_family = {
    .solver = ABUT_SOLVER_DANTZIG, .layout = layout_dantzig, .late = true};
static const abuti_family active_set_family = {
    .solver = ABUT_SOLVER_ACTIVE_SET, .layout = layout_active_set, .late = true};
static const abuti_family lemke_family = {.solver = ABUT_SOLVER_LEMKE, .layout = layout_lemke, .late = true};

const abuti_stage abuti_stage_ppm = {
    .name = "ppm", .family = &ppm_family, .answers = laws, .rows = true, .bounded = true, .run = run_ppm};
const abuti_stage abuti_stage_normal_dantzig = {.name = "dantzig",
                                                .family = &dantzig_family,
                                                .answers = laws,
                                                .rows = true,
                                                .bounded = true,
                                                .run = run_dense};
const abuti_stage abuti_stage_normal_active_set = {.name = "active-set",
                                                   .family = &active_set_family,
                                                   .answers = laws,
                                                   .rows = true,
                                                   .bounded = true,
                                                   .run = run_dense};
const abuti_stage abuti_stage_normal_lemke = {.name = "normal-lemke",
                                              .family = &lemke_family,
                                              .answers = laws,
                                              .rows = true,
                                              .bounded = true,
                                              .run = run_dense};
