#include "contact_trial.h"
#include "timer.h"

#include <math.h>
#include <stdlib.h>

contact_trial *contact_trial_create(abut_contact_solver solver, bool alone)
{
    contact_trial *trial = calloc(1, sizeof *trial);
    if (!trial) return NULL;
    trial->options = abut_contact_default_options();
    trial->options.solver = solver;
    trial->options.alone = alone;
    return trial;
}

void contact_trial_destroy(contact_trial *trial)
{
    if (!trial) return;
    abut_contact_workspace_destroy(trial->work);
    free(trial->memory);
    free(trial);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Makes the workspace large enough for this problem and all that came before. */
static bool make_room(contact_trial *trial, const abut_contact_problem *problem)
{
    abut_contact_limits need = abut_contact_limits_for(problem, &trial->options), *have = &trial->limits;
    size_t size = 3 * (size_t)problem->contact_count + abut_contact_verify_size(problem) + 1;
    if (size > trial->memory_size) {
        double *grown = realloc(trial->memory, size * sizeof *grown);
        if (!grown) return false;
        trial->memory = grown;
        trial->memory_size = size;
    }
    if (trial->work && need.bodies <= have->bodies && need.contacts <= have->contacts &&
        need.joints <= have->joints && need.directions <= have->directions && need.nv <= have->nv &&
        need.blocks <= have->blocks && need.block_size <= have->block_size && need.bounded <= have->bounded &&
        need.compliant <= have->compliant && need.local <= have->local && need.sides <= have->sides &&
        need.summation <= have->summation && need.cones <= have->cones &&
        (need.solvers & ~have->solvers) == 0)
        return true;
    need.bodies = larger(need.bodies, have->bodies);
    need.contacts = larger(need.contacts, have->contacts);
    need.joints = larger(need.joints, have->joints);
    need.directions = larger(need.directions, have->directions);
    need.nv = larger(need.nv, have->nv);
    need.blocks = larger(need.blocks, have->blocks);
    need.block_size = larger(need.block_size, have->block_size);
    need.bounded = larger(need.bounded, have->bounded);
    need.compliant = larger(need.compliant, have->compliant);
    need.local |= have->local;
    need.sides = larger(need.sides, have->sides);
    need.summation |= have->summation;
    need.cones |= have->cones;
    need.solvers |= have->solvers;
    abut_contact_workspace_destroy(trial->work);
    trial->work = NULL;
    *have = need;
    return abut_contact_workspace_create(have, NULL, &trial->work) == ABUT_OK;
}

bool contact_trial_run(contact_trial *trial, const abut_contact_problem *problem)
{
    trial->check = (abut_contact_check){.residual = INFINITY};
    trial->proven = false;
    trial->status = ABUT_OUT_OF_MEMORY;
    if (!make_room(trial, problem)) return false;
    /* Reading the CPU time takes a system call, which is longer than a peg's solve; so it stays outside the other
     * clock. */
    double cpu = bench_cpu_us(), start = bench_now_us();
    trial->status = abut_contact_solve(trial->work, problem, &trial->options, &trial->result);
    trial->us = bench_now_us() - start;
    trial->cpu_us = bench_cpu_us() - cpu;
    if (trial->status != ABUT_OK) return false;
    if (trial->result.outcome == ABUT_INFEASIBLE)
        trial->proven = abut_contact_verify_witness(problem, &trial->options, trial->result.witness,
                                                    trial->result.witness_joints, trial->memory, NULL);
    if (!trial->result.contacts && !trial->result.velocity) return true;
    double *impulses = trial->memory, *scratch = impulses + 3 * (size_t)problem->contact_count;
    for (int i = 0; i < problem->contact_count; ++i) {
        impulses[3 * i] = trial->result.contacts[i].normal;
        impulses[3 * i + 1] = trial->result.contacts[i].tangent[0];
        impulses[3 * i + 2] = trial->result.contacts[i].tangent[1];
    }
    return abut_contact_verify(problem, &trial->options, impulses, trial->result.joints,
                               trial->result.velocity, scratch, &trial->check) == ABUT_OK;
}
