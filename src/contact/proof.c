/* Proofs that an island has no answer. */
#include "contact/call.h"
#include "contact/system/farkas.h"
#include "contact/system/sweeps.h"
#include "contact/verify/verify.h"
#include <math.h>
#include <string.h>

/* Velocities that violate contacts and joint rows by no more than this, in units of the largest offset or velocity,
 * show that these do not exclude each other: proofs speak of larger contradictions. */
#define POSSIBLE 1e-10

bool abuti_shown_possible(abuti_call *c, const abuti_system *system, const abuti_answer *point)
{
    double *v = c->work->outputs.v, size = 0.0, worst = 0.0;
    if (!system->rows || c->work->build.lift.used) return false;
    for (int b = 0; b < system->bodies * system->stride; ++b) size = fmax(size, fabs(system->k[b]));
    abuti_velocity_after(system, point, v);
    for (int i = 0; i < system->n; ++i) {
        size = fmax(size, fabs(system->offset[0][i]));
        worst = fmax(worst, -abuti_along(system, i, 0, v));
    }
    for (int j = 0; j < system->joints; ++j) {
        size = fmax(size, fabs(system->joint_offset[j]));
        worst = fmax(worst, fabs(abuti_joint_along(system, j, v)));
    }
    return worst <= POSSIBLE * size;
}

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

/* Whether a lane cannot contradict anything: it gives way because it is compliant or has two bounds. */
static bool gives_way(const abuti_call *c, int lane)
{
    const abuti_lift *lift = &c->work->build.lift;
    if (!lift->used) return false;
    if (lane < lift->plain.n) return c->problem->contacts[lift->plain.index[lane]].compliance > 0.0;
    const abuti_bound_lane *row = &lift->lane[lane - lift->plain.n];
    return row->boxed || c->problem->joints[row->joint].compliance > 0.0;
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
    abuti_room *room = &work->room;
    abuti_farkas *farkas = abuti_room_enter(room, abuti_room_find(room, &abuti_farkas_family), system);
    begin_witness(c);
    if (!farkas) return false;
    farkas->deadline = c->context.deadline;
    for (int i = 0; i < system->n; ++i) {
        bool separates = abuti_model_of(system->model)->ray_is_answer &&
                         system->before[0][i] > c->options->accel.slide_threshold;
        bool contact = system->index[i] < c->problem->contact_count;
        farkas->idle[i] =
            separates || gives_way(c, i) || (contact && abut_union_is_side(c->problem, system->index[i]));
    }
    if (!abuti_farkas_find(farkas, system, contact, joint)) return false;
    abuti_unscale_witness(&work->build, contact, joint, out);
    if (abuti_verify_witness_island(c->problem, c->options, island, out->witness, out->witness_joints,
                                    work->verify_scratch))
        return true;
    for (int i = 0; i < island->contacts; ++i) out->witness[island->contact[i]] = 0.0;
    for (int j = 0; j < island->joints; ++j) out->witness_joints[island->joint[j]] = 0.0;
    return false;
}
