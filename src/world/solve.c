/* Solving the contact problem of a step.
 *
 * An island without an accepted answer (fingers that close on each other, Painleve's rod) takes the safe step: contacts
 * and rows of that island give way, a little at first and a hundred times more in each round, until the verifier
 * accepts. Such an answer is dissipative, for a compliant row only takes energy. */
#include "world/solve.h"
#include "contact/share.h"
#include "world/list.h"
#include <math.h>

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Whether `have` holds what `need` asks for. If not, it is widened, with room to grow. */
static bool widen(abut_contact_limits *have, const abut_contact_limits *need)
{
    bool fits =
        need->bodies <= have->bodies && need->contacts <= have->contacts && need->joints <= have->joints &&
        need->directions <= have->directions && need->nv <= have->nv && need->blocks <= have->blocks &&
        need->block_size <= have->block_size && need->bounded <= have->bounded &&
        need->compliant <= have->compliant && need->sides <= have->sides && (have->cones || !need->cones);
    if (fits) return false;
    have->bodies = larger(have->bodies, need->bodies);
    have->contacts = larger(have->contacts, need->contacts + need->contacts / 2);
    have->joints = larger(have->joints, need->joints + need->joints / 4);
    have->directions = larger(have->directions, need->directions);
    have->nv = larger(have->nv, need->nv);
    have->blocks = larger(have->blocks, need->blocks);
    have->block_size = larger(have->block_size, need->block_size);
    have->bounded = larger(have->bounded, need->bounded);
    have->compliant = larger(have->compliant, need->compliant);
    have->sides = larger(have->sides, need->sides);
    have->cones = have->cones || need->cones;
    have->solvers |= need->solvers;
    return true;
}

/* Makes workspaces that hold the problem. */
static abut_status fit_crew(abut_world *world, const abut_contact_problem *problem,
                            const abut_contact_options *options, abuti_crew *crew)
{
    abut_contact_limits need = abut_contact_limits_for(problem, options);
    bool wider = widen(&crew->limits, &need);
    for (int t = 0; t < world->def.threads; ++t) {
        if (crew->work[t] && !wider) continue;
        abut_contact_workspace_destroy(crew->work[t]);
        crew->work[t] = NULL;
        abut_status status = abut_contact_workspace_create(&crew->limits, &world->allocator, &crew->work[t]);
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

void abuti_release_crew(abuti_crew *crew)
{
    for (int t = 0; t < ABUT_THREADS_MAX; ++t) abut_contact_workspace_destroy(crew->work[t]);
}

/* What the threads of one solve have in common. */
typedef struct solve_task {
    abuti_crew *crew;
    const abut_contact_problem *problem;
    const abut_contact_options *options;
    int parts;
} solve_task;

static void solve_part(void *data, int part)
{
    solve_task *task = data;
    abuti_crew *crew = task->crew;
    crew->statuses[part] = abuti_contact_solve_share(crew->work[part], task->problem, task->options, part,
                                                     task->parts, &crew->results[part]);
}

abut_status abuti_solve(abut_world *world, const abut_contact_problem *problem,
                        const abut_contact_options *options, abuti_crew *crew, abut_contact_result *result)
{
    abut_status status = fit_crew(world, problem, options, crew);
    if (status != ABUT_OK) return status;
    int parts = world->def.threads;
    if (parts == 1) return abut_contact_solve(crew->work[0], problem, options, result);
    solve_task task = {.crew = crew, .problem = problem, .options = options, .parts = parts};
    if (world->def.runner.run) {
        world->def.runner.run(world->def.runner.context, solve_part, &task, parts);
    } else {
        for (int part = 0; part < parts; ++part) solve_part(&task, part);
    }
    for (int part = 0; part < parts; ++part) {
        if (crew->statuses[part] != ABUT_OK) return crew->statuses[part];
    }
    abuti_contact_gather(crew->work, crew->results, parts, problem);
    *result = crew->results[0];
    return ABUT_OK;
}

/* How easily a contact's normal moves by itself: the masses of the two bodies, in series. */
static double ease_of_contact(const abut_world *world, int contact)
{
    const abuti_touch *touch = &world->touches.items[contact];
    double ease = 0;
    for (int side = 0; side < 2; ++side) {
        int body = touch->bodies[side];
        if (!abuti_body_moves(world, body)) continue;
        ease += 1 / world->bodies.items[body].mass;
    }
    return ease;
}

static double ease_of_row(const abut_world *world, const abuti_row *row)
{
    double ease = 0;
    for (int k = row->first; k < row->first + row->count; ++k) {
        const abuti_entry *entry = &world->entries.items[k];
        const abuti_world_tree *tree = &world->trees.items[world->dofs.items[entry->index].tree];
        int local = entry->index - tree->first_dof;
        double inertia = world->implicit.items[tree->matrix + local * tree->dof_count + local];
        if (inertia > 0) ease += entry->value * entry->value / inertia;
    }
    return ease;
}

/* m: a gap that nothing closes. */
#define FAR 1e6

/* Problems that give way know no unions. In place of each union stands the side that is open most. */
static void part_unions(abuti_world_problem *p)
{
    abut_contact *c = p->contacts.items;
    for (int i = 0, end; i < p->contacts.count; i = end) {
        int open = i, group = c[i].group;
        for (end = i + 1; group > 0 && end < p->contacts.count && c[end].group == group; ++end) {
            if (c[end].gap > c[open].gap) open = end;
        }
        for (int k = i; group > 0 && k < end; ++k) {
            c[k].group = 0;
            if (k != open) c[k].gap = FAR;
        }
    }
}

/* Adds compliance to what belongs to islands without an answer; returns how many there are. */
static int soften(abut_world *world, double share)
{
    abuti_world_problem *p = &world->velocity_problem;
    int islands = 0;
    for (int i = 0; i < world->result.islands; ++i) {
        const abut_island_result *island = &world->result.island[i];
        if (island->outcome == ABUT_SOLVED || island->outcome == ABUT_LIMIT) continue;
        islands++;
        for (int k = 0; k < island->contact_count; ++k) {
            int contact = island->contacts[k];
            p->contacts.items[contact].compliance +=
                share * ease_of_contact(world, p->touch_of.items[contact]);
        }
        for (int k = 0; k < island->joint_count; ++k) {
            int joint = island->joints[k];
            p->joints.items[joint].compliance +=
                share * ease_of_row(world, &world->rows.items[p->row_of.items[joint]]);
        }
    }
    return islands;
}

/* Takes the added compliance away, so that the problem stands as it was asked. */
static void harden(abut_world *world)
{
    abuti_world_problem *p = &world->velocity_problem;
    for (int i = 0; i < p->contacts.count; ++i) {
        const abuti_touch *touch = &world->touches.items[p->touch_of.items[i]];
        p->contacts.items[i].compliance = touch->compliance;
        p->contacts.items[i].group = touch->group;
        p->contacts.items[i].gap = fmax(touch->gap, 0);
    }
    for (int j = 0; j < p->row_of.count; ++j)
        p->joints.items[j].compliance = world->rows.items[p->row_of.items[j]].compliance;
}

abut_contact_options abuti_options_for(const abut_world *world, abut_contact_model model)
{
    abut_contact_options options = world->def.contact;
    if (!abut_contact_supports(model, options.solver, false)) options.solver = ABUT_SOLVER_AUTO;
    options.accel.apply_impulse = false; /* impacts are problems of their own */
    return options;
}

static abut_status solve_once(abut_world *world)
{
    const abut_contact_problem *problem = &world->velocity_problem.problem;
    abut_contact_options options = abuti_options_for(world, problem->model);
    options.start = world->velocity_problem.faces.items;
    options.start_joints = world->velocity_problem.joint_faces.items;
    if (world->velocity_problem.impulses.count > 0)
        options.start_impulses = world->velocity_problem.impulses.items[0].along;
    options.start_joint_impulses = world->velocity_problem.joint_impulses.items;
    return abuti_solve(world, problem, &options, &world->contact_crew, &world->result);
}

/* Compliance in shares of how easily a contact's normal moves by itself. It goes from where a resting body sinks by a
 * hundredth of what gravity does in a step, to where hardly anything is held. Stiffer rows would spread what has no
 * answer by impulses so much larger than all others that a solve takes tens of milliseconds, and they give way by the
 * same amount: all that the movers ask for. */
#define SOFTEST 1e4
#define STIFFEST 1e-2

abut_status abuti_solve_step(abut_world *world, int *unsolved)
{
    *unsolved = 0;
    world->result = (abut_contact_result){.outcome = ABUT_SOLVED};
    if (world->trees.count == 0) return ABUT_OK; /* nothing moves by forces */
    abut_status status = solve_once(world);
    for (double share = STIFFEST; status == ABUT_OK && share <= SOFTEST; share *= 100) {
        int left = soften(world, share);
        if (share == STIFFEST) *unsolved = left;
        if (left == 0) break;
        part_unions(&world->velocity_problem);
        status = solve_once(world);
    }
    if (*unsolved > 0) harden(world);
    return status;
}
