/* Islands shared among workspaces; see share.h. */
#include "contact/share.h"
#include "contact/call.h"
#include <math.h>
#include <string.h>

void abuti_share_islands(abut_contact_workspace *workspace, int parts)
{
    double load[ABUTI_SHARES_MAX] = {0};
    for (int k = 0; k < workspace->islands.count; ++k) {
        const abuti_island *island = &workspace->islands.island[k];
        double rows = 1.0 + island->contacts + island->joints;
        int least = 0;
        for (int p = 1; p < parts; ++p)
            if (load[p] < load[least]) least = p;
        workspace->owner[k] = least;
        load[least] += rows * rows; /* between the cost of small islands and that of large ones */
    }
}

/* One island's answer, from one workspace into another. */
static void carry_island(abut_contact_workspace *to, const abut_contact_workspace *from, int k,
                         const abut_contact_problem *problem, bool bounded)
{
    const abuti_island *island = &to->islands.island[k];
    abuti_outputs *out = &to->outputs;
    const abuti_outputs *in = &from->outputs;
    for (int i = 0; i < island->contacts; ++i) {
        int contact = island->contact[i];
        out->contacts[contact] = in->contacts[contact];
        out->faces[contact] = in->faces[contact];
    }
    for (int j = 0; j < island->joints; ++j) {
        int joint = island->joint[j];
        out->joints[joint] = in->joints[joint];
        int face = bounded ? abuti_lift_index(problem, joint) : 0;
        if (bounded) out->faces[face] = in->faces[face];
    }
    const abut_generalised *g = problem->generalised;
    for (int b = 0; b < island->bodies; ++b) {
        int body = island->body[b];
        size_t at = g ? (size_t)to->build.blocks.block[body].at : 6 * (size_t)body;
        size_t size = g ? (size_t)to->build.blocks.block[body].size : 6;
        memcpy(out->velocity + at, in->velocity + at, size * sizeof(double));
    }
    abut_island_result told = from->island_result[k];
    told.bodies = island->body;
    told.contacts = island->contact;
    told.joints = island->joint;
    to->island_result[k] = told;
}

/* What the results of two parts come to together. */
static void join_results(abut_contact_result *all, const abut_contact_result *one)
{
    if (abuti_severity(one->outcome) > abuti_severity(all->outcome)) all->outcome = one->outcome;
    all->pivots += one->pivots;
    all->others += one->others;
    if (one->glued > 0) all->glue_proven = one->glue_proven && (all->glue_proven || all->glued == 0);
    all->glued += one->glued;
    if (one->residual > all->residual) {
        all->residual = one->residual;
        all->check = one->check;
    }
}

/* The stage of the island that took longest. */
static void find_stage(const abut_contact_workspace *work, abut_contact_result *result)
{
    int longest = -1;
    for (int k = 0; k < work->islands.count; ++k) {
        const abut_island_result *island = &work->island_result[k];
        if (island->pivots <= longest) continue;
        longest = island->pivots;
        result->stage = island->stage;
        result->solver = island->solver;
    }
}

void abuti_contact_gather(abut_contact_workspace *const *work, abut_contact_result *result, int parts,
                          const abut_contact_problem *problem)
{
    abut_contact_workspace *to = work[0];
    bool bounded = false;
    for (int j = 0; j < problem->joint_count; ++j) bounded = bounded || problem->joints[j].bounded;
    for (int k = 0; k < to->islands.count; ++k) {
        if (to->owner[k] > 0) carry_island(to, work[to->owner[k]], k, problem, bounded);
    }
    for (int p = 1; p < parts; ++p) join_results(&result[0], &result[p]);
    bool answered = to->islands.count == 0;
    for (int p = 0; p < parts; ++p) answered = answered || result[p].velocity;
    find_stage(to, result);
    if (!answered) return;
    result->contacts = to->outputs.contacts;
    result->joints = to->outputs.joints;
    result->velocity = to->outputs.velocity;
    result->faces = to->outputs.faces;
    result->joint_faces = bounded ? to->outputs.faces + problem->contact_count : NULL;
}
