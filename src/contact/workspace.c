/* The contact workspace: one block of memory for everything within the limits, and the limits of a problem.
 */
#include "contact/workspace.h"
#include "contact/build/validate.h"
#include "contact/verify/verify.h"
#include "linalg/kernels.h"
#include <string.h>

static void layout_answer(abuti_answer *answer, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t lanes = (size_t)abuti_padded(limits->contacts);
    answer->theta = abuti_take(arena, lanes, double);
    answer->f[0] = abuti_take(arena, lanes, double);
    answer->f[1] = abuti_take(arena, lanes, double);
    answer->joint = abuti_take(arena, limits->joints, double);
    answer->face = abuti_take(arena, lanes, abut_contact_face);
    answer->ray = abuti_take(arena, 3 * lanes, double);
    answer->glued = abuti_take(arena, lanes, bool);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* A problem of the size of the limits, for parts that size themselves by a problem. */
static size_t verify_size(const abut_contact_limits *limits)
{
    size_t most = 0;
    for (int door = 0; door < 3; ++door) {
        abut_generalised generalised = {.nv = limits->nv, .block_count = limits->blocks};
        abut_local local = {.dimension = 3};
        abut_contact_problem problem = {.contact_count = limits->contacts, .joint_count = limits->joints};
        if (door == 0) problem.body_count = limits->bodies;
        if (door == 1) problem.generalised = &generalised;
        if (door == 2) problem.local = &local;
        bool used = door == 0 ? limits->bodies > 0 : door == 1 ? limits->nv > 0 : limits->local;
        bool blocks = door == 1 && limits->blocks > 0;
        size_t size = used && !blocks ? abut_contact_verify_size(&problem) : 0;
        if (used && blocks) size = abuti_verify_blocks_room(&problem, abuti_block_size(limits));
        if (size > most) most = size;
    }
    return most;
}

static abut_contact_workspace *layout(abut_contact_workspace *counting, abuti_arena *arena,
                                      const abut_contact_limits *limits)
{
    abut_contact_workspace *taken = abuti_take(arena, 1, abut_contact_workspace);
    abut_contact_workspace *work = taken ? taken : counting;
    work->limits = *limits;
    work->served = abuti_solvers_served(limits->solvers);
    abut_contact_limits stage_limits = abuti_limits_of_stages(limits);
    abuti_islands_layout(&work->islands, arena, limits);
    work->island_result = abuti_take(arena, work->islands.capacity, abut_island_result);
    work->owner = abuti_take(arena, work->islands.capacity, int);
    abuti_build_layout(&work->build, arena, limits);
    bool few = limits->blocks == 0 &&
               work->served & 1u << ABUT_SOLVER_FACES; /* the room sparse/ ranks the rows of others */
    abuti_joint_space_layout(&work->joint_space, arena, &stage_limits, few && !limits->local);
    layout_answer(&work->answer, arena, &stage_limits);
    layout_answer(&work->best, arena, &stage_limits);
    abuti_roll_layout(&work->roll, arena, limits);
    abuti_homes_layout(&work->homes, arena, limits, work->islands.capacity);
    abuti_warm_layout(&work->warm, arena, limits, &work->roll);
    abuti_outputs_layout(&work->outputs, arena, limits);
    abuti_unions_layout(&work->unions, arena, limits);
    abuti_union_block_layout(&work->union_block, arena, limits);
    if (abuti_union_block_used(limits)) {
        abut_contact_workspace inner_counting;
        abut_contact_limits inner = abuti_union_block_limits(limits);
        abut_contact_workspace *inside = layout(&inner_counting, arena, &inner);
        work->union_block.work = taken ? inside : NULL;
    }
    abuti_impact_layout(&work->impact, arena, limits);
    work->finer = abuti_take(arena, limits->cones ? abuti_padded(stage_limits.contacts) : 0, int);
    work->verify_scratch = abuti_take(arena, verify_size(limits), double);
    /* Projecting joints out turns the bodies of an island into one block, as a generalised problem has it. */
    int bodies = stage_limits.bodies;
    int projected = 6 * (bodies < ABUTI_PROJECTED_BODIES ? bodies : ABUTI_PROJECTED_BODIES);
    if (limits->joints > 0 && stage_limits.nv < projected) stage_limits.nv = projected;
    work->room.finest = limits->cones ? ABUTI_FINEST : 0;
    abuti_room_layout(&work->room, arena, &stage_limits, work->served, &work->homes);
    return work;
}

void *abuti_workspace_enter(abut_contact_workspace *work, const abuti_stage *stage,
                            const abuti_system *system)
{
    return abuti_room_enter(&work->room, abuti_room_find(&work->room, stage->family), system);
}

static bool valid_limits(const abut_contact_limits *limits)
{
    return limits->bodies >= 0 && limits->contacts >= 0 && limits->sides >= 0 &&
           limits->sides <= limits->contacts && limits->joints >= 0 && limits->nv >= 0 &&
           (limits->directions == 0 ||
            (limits->directions >= ABUT_DIRECTIONS_MIN && limits->directions <= ABUT_DIRECTIONS_MAX)) &&
           limits->bodies <= ABUT_COUNT_MAX && limits->contacts <= ABUT_COUNT_MAX &&
           limits->joints <= ABUT_COUNT_MAX && limits->nv <= ABUT_COUNT_MAX && limits->blocks >= 0 &&
           limits->blocks <= limits->nv && limits->block_size >= 0 && limits->block_size <= limits->nv &&
           limits->bounded >= 0 && limits->bounded <= limits->joints && limits->compliant >= 0 &&
           limits->compliant <= limits->contacts + limits->joints && limits->dense >= 0 &&
           (limits->dense == 0 || limits->dense >= limits->block_size) &&
           limits->solvers < 1u << ABUT_SOLVER_COUNT;
}

size_t abut_contact_workspace_bytes(const abut_contact_limits *limits)
{
    if (!limits || !valid_limits(limits)) return 0;
    abut_contact_workspace counting;
    abuti_arena arena = {0};
    (void)layout(&counting, &arena, limits);
    return arena.overflow ? 0 : arena.used;
}

abut_status abut_contact_workspace_create(const abut_contact_limits *limits, const abut_allocator *allocator,
                                          abut_contact_workspace **workspace)
{
    if (workspace) *workspace = NULL;
    if (!limits || !workspace || !valid_limits(limits) || !abuti_valid_allocator(allocator))
        return ABUT_INVALID_ARGUMENT;
    size_t size = abut_contact_workspace_bytes(limits);
    if (size == 0) return ABUT_OUT_OF_MEMORY;
    abut_allocator from = abuti_allocator_or_default(allocator);
    unsigned char *memory = abuti_allocate(&from, size);
    if (!memory) return ABUT_OUT_OF_MEMORY;
    abuti_arena arena = {.base = memory, .capacity = size};
    abut_contact_workspace *work = layout(NULL, &arena, limits);
    work->allocator = from;
    work->size = size;
    *workspace = work;
    return ABUT_OK;
}

abut_status abut_contact_workspace_resize(abut_contact_workspace **workspace,
                                          const abut_contact_limits *limits)
{
    if (!workspace || !*workspace) return ABUT_INVALID_ARGUMENT;
    abut_contact_workspace *old = *workspace, *work;
    abut_status status = abut_contact_workspace_create(limits, &old->allocator, &work);
    if (status != ABUT_OK) return status;
    abuti_warm_move(&work->warm, &old->warm);
    abut_contact_workspace_destroy(old);
    *workspace = work;
    return ABUT_OK;
}

void abut_contact_workspace_destroy(abut_contact_workspace *workspace)
{
    if (!workspace) return;
    abut_allocator allocator = workspace->allocator;
    abuti_release(&allocator, workspace, workspace->size);
}

abut_contact_limits abut_contact_limits_for(const abut_contact_problem *problem,
                                            const abut_contact_options *options)
{
    if (!problem || !abuti_countable(problem) || (problem->contact_count > 0 && !problem->contacts) ||
        (options && (unsigned)options->solver >= ABUT_SOLVER_COUNT)) {
        return (abut_contact_limits){.contacts = -1};
    }
    abut_contact_limits limits = {.bodies = problem->body_count,
                                  .contacts = problem->contact_count,
                                  .joints = problem->joint_count,
                                  .nv = problem->generalised ? problem->generalised->nv : 0,
                                  .block_size = problem->generalised ? problem->generalised->nv : 0,
                                  .local = problem->local};
    for (int i = 0; i < problem->contact_count; ++i) {
        int d = problem->contacts[i].directions;
        if (d == 0) d = ABUT_DIRECTIONS_DEFAULT;
        if (d > limits.directions) limits.directions = d;
        limits.sides += problem->contacts[i].group > 0;
        limits.cones =
            limits.cones || (problem->contacts[i].cone != ABUT_CONE_POLYGON && d != ABUT_DIRECTIONS_MIN);
        limits.compliant += problem->contacts[i].compliance > 0.0;
    }
    for (int i = 0; i < problem->joint_count && problem->joints; ++i) {
        limits.bounded += problem->joints[i].bounded;
        limits.compliant += problem->joints[i].compliance > 0.0;
    }
    const abut_generalised *g = problem->generalised;
    if (g && g->block_sizes && g->block_count > 0 && g->block_count <= g->nv) {
        limits.blocks = g->block_count;
        limits.block_size = 0;
        for (int b = 0; b < g->block_count; ++b)
            limits.block_size = larger(limits.block_size, g->block_sizes[b]);
        for (int i = 0; i < problem->contact_count; ++i) /* dampers join blocks */
            limits.compliant +=
                problem->contacts[i].viscous > 0.0 && !(problem->contacts[i].compliance > 0.0);
    }
    if (limits.sides == 0 && (unsigned)problem->model < ABUT_MODEL_COUNT &&
        abuti_damping_numbers(problem, options) > limits.nv)
        limits.nv = abuti_damping_numbers(problem, options);
    limits.summation = limits.sides > 0 && options && options->unions.rule == ABUT_UNION_SUM;
    if (abuti_is_coulomb_accel(problem->model)) {
        int polygon = options ? options->accel.directions : abut_contact_default_options().accel.directions;
        if (polygon > limits.directions) limits.directions = polygon;
        limits.solvers = 1u << abuti_models[problem->model].automatic[0];
        if (limits.cones) limits.solvers |= 1u << ABUT_SOLVER_FACES;
        if (options && options->accel.apply_impulse) limits.solvers |= 1u << ABUT_SOLVER_AUTO;
    } else if (options && options->solver != ABUT_SOLVER_AUTO) {
        abuti_plan plan =
            abuti_plan_make(problem->model, options->solver, limits.local, !options->alone, ~0u);
        limits.solvers = 1u << options->solver;
        for (int k = 0; k < plan.count; ++k) limits.solvers |= 1u << plan.stage[k]->family->solver;
    }
    /* A solver that answers a model by itself is given room for the whole problem as one island. */
    if (limits.solvers == 0 && abuti_question_of(problem->model) &&
        !abuti_has_cones_of_impulses(problem->model))
        limits.solvers = 1u << ABUT_SOLVER_AUTO | 1u << abuti_models[problem->model].automatic[0];
    const abuti_stage *only = options && options->stage && (unsigned)problem->model < ABUT_MODEL_COUNT
                                  ? abuti_stage_find(problem->model, limits.local, options->stage)
                                  : NULL;
    if (only) limits.solvers = (limits.solvers & 1u << ABUT_SOLVER_AUTO) | 1u << only->family->solver;
    return limits;
}
