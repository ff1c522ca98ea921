/* Proofs that an island has no answer. */
#include "contact/call.h"
#include "contact/verify/verify.h"
#include <string.h>

/* No weights, before the first island that may have some. */
static void begin_witness(abuti_call *c)
{
    const abut_contact_problem *problem = c->problem;
    abuti_outputs *out = &c->work->outputs;
    if (c->has_weights) return;
    memset(out->witness, 0, (size_t)problem->contact_count * sizeof(double));
    if (problem->joint_count) memset(out->witness_joints, 0, (size_t)problem->joint_count * sizeof(double));
    c->has_weights = true;
}

/* Whether contacts and joint rows of the island that was built last exclude each other: proven by weights
 * that the verifier accepts, which then stand in the outputs. What a stage believes about it does not count.
 */
bool abuti_proven_impossible(abuti_call *c, const abuti_island *island)
{
    abut_contact_workspace *work = c->work;
    const abuti_system *system = &work->build.system;
    abuti_outputs *out = &work->outputs;
    double *contact = work->answer.theta, *joint = work->answer.joint;
    begin_witness(c);
    for (int i = 0; i < system->n; ++i) {
        bool separates = abuti_model_of(system->model)->ray_is_answer &&
                         system->before[0][i] > c->options->accel.slide_threshold;
        work->farkas.idle[i] = separates || abut_union_is_side(c->problem, system->index[i]);
    }
    if (!abuti_farkas_find(&work->farkas, system, contact, joint)) return false;
    abuti_unscale_witness(system, contact, joint, out);
    if (abuti_verify_witness_island(c->problem, c->options, island, out->witness, out->witness_joints,
                                    work->verify_scratch))
        return true;
    for (int i = 0; i < system->n; ++i) out->witness[system->index[i]] = 0.0;
    for (int j = 0; j < system->joints; ++j) out->witness_joints[system->joint_index[j]] = 0.0;
    return false;
}
