/* From an island of the problem to the contact system that the stages see. */
#include "contact/admit.h"
#include "contact/call.h"
#include "contact/sparse/sparse.h"
#include "linalg/lanes.h"
#include <string.h>

static abut_status build_door(abuti_build *build, const abut_contact_problem *problem,
                              const abuti_islands *islands, const abuti_island *island)
{
    const abut_generalised *g = problem->generalised;
    if (g && g->block_count > 0) return abuti_build_blocks(build, problem, island);
    if (g) return abuti_build_generalised(build, problem);
    if (problem->local) return abuti_build_local(build, problem, island);
    return abuti_build_bodies(build, problem, islands, island);
}

static void swap_stores(abuti_build *build)
{
    abuti_system_store store = build->store;
    build->store = build->door;
    build->door = store;
}

/* Makes a system of a model without friction one of Coulomb's: its coefficients are zero, and it has no velocities of
 * before. */
static void solve_as(abuti_build *build, abut_contact_model model)
{
    abuti_system *s = &build->system;
    if (s->model == model) return;
    s->model = model;
    memset(build->store.mu, 0, (size_t)s->lanes * sizeof(double));
    for (int axis = 0; axis < 3; ++axis) s->before[axis] = NULL;
}

abut_status abuti_build_island(abuti_call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    abuti_build *build = &work->build;
    work->systems++;
    work->room.home = c->home;
    build->restitution_threshold = c->options->restitution_threshold;
    build->implicit = c->survey.viscous && c->options->viscous == ABUT_VISCOUS_IMPLICIT &&
                      c->survey.sides == 0 && !abuti_model_of(c->problem->model)->acceleration;
    bool lifts = c->survey.bounded + c->survey.compliant > 0 && abuti_lift_needed(c->problem, island);
    build->lift.used = false;
    build->blocks.clusters = 0;
    build->lift.wanted = lifts;
    if (lifts) swap_stores(build);
    abut_status status = build_door(build, c->problem, &work->islands, island);
    if (status == ABUT_OK && c->survey.cones) abuti_build_cones(build, c->problem);
    if (status == ABUT_OK) solve_as(build, abuti_solved_as(c->problem->model, &c->survey));
    if (lifts) swap_stores(build);
    if (lifts && status == ABUT_OK && c->problem->local) {
        abuti_lift_local(build, c->problem);
    } else if (lifts && status == ABUT_OK) {
        status = abuti_lift_system(build, c->problem);
    }
    if (status == ABUT_OK) abuti_parts_find(build, c->problem, &work->islands, island);
    return status;
}

/* Makes joint rows independent, densely or, with many bodies, on their sparse pattern. Where the sparse way has no
 * room to tell which rows depend on others, all count as independent, which stages and verifier may contradict. */
static const abuti_system *prepare_joints(abuti_call *c)
{
    abut_contact_workspace *work = c->work;
    abuti_system *s = &work->build.system;
    /* The rows of many trees would be dense once projected. */
    bool blocks = c->problem->generalised && c->problem->generalised->block_count > 0;
    bool apart = (blocks && !work->build.blocks.bodies) || work->build.partition.bodies >= ABUTI_LARGE_WARM;
    bool many = s->rows && s->bodies > ABUTI_PROJECTED_BODIES && s->joints > 0 && s->sides == 2 &&
                s->stride == ABUTI_LANES;
    if (!many || abuti_room_find(&work->room, &abuti_sparse_family) < 0)
        return abuti_joints_prepare(&work->joint_space, &work->build,
                                    apart ? ABUT_JOINTS_PERMANENT : c->options->joint_rows);
    const uint8_t *keep;
    void *scratch = abuti_workspace_enter(work, &abuti_sparse_interior, s);
    abuti_rank rank = abuti_sparse_rank(scratch, s, &keep);
    work->joint_space.projected = false;
    if (rank == ABUTI_RANK_UNKNOWN) return s;
    return rank == ABUTI_RANK_KNOWN ? abuti_joints_keep(&work->joint_space, &work->build, keep) : NULL;
}

abut_status abuti_prepare_island(abuti_call *c, const abuti_island *island, const abuti_system **system)
{
    *system = NULL;
    abut_status status = abuti_build_island(c, island);
    if (status != ABUT_OK) return status;
    c->work->build.system.slide_threshold = c->options->accel.slide_threshold;
    *system = prepare_joints(c);
    return ABUT_OK;
}
