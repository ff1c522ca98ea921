/* The verifier through the local door: u = W p + q with W as given; s of a row is the root of its diagonal
 * entry. There are no velocities to check: the dynamics are W itself. Contacts and joints whose rows W
 * connects form an island, found here by a walk over its entries. */
#include "contact/verify/parts.h"
#include <string.h>

static size_t row_count(const abut_contact_problem *problem)
{
    return (size_t)problem->local->dimension * (size_t)problem->contact_count + (size_t)problem->joint_count;
}

static size_t unit_count(const abut_contact_problem *problem)
{
    return (size_t)problem->contact_count + (size_t)problem->joint_count;
}

/* The scratch holds the impulses in the order of W, and three integers for each contact and joint. */
size_t abuti_verify_local_size(const abut_contact_problem *problem)
{
    return row_count(problem) + (3 * unit_count(problem) * sizeof(int) + sizeof(double) - 1) / sizeof(double);
}

static double row_velocity(const abut_local *local, size_t rows, size_t row, const double *p)
{
    const double *w = local->W + row * rows;
    double sum = local->q[row];
    for (size_t i = 0; i < rows; ++i) sum += w[i] * p[i];
    return sum;
}

static void one_chunk(abuti_verification *v, const abuti_island *island, size_t rows, const double *p,
                      int first, abuti_judge *judge)
{
    abuti_chunk chunk;
    const abut_local *local = v->problem->local;
    int left = island->contacts - first, count = left < ABUTI_LANES ? left : ABUTI_LANES;
    abuti_chunk_begin(&chunk, v, island->contact, first, count);
    memset(chunk.velocity, 0, sizeof chunk.velocity);
    memset(chunk.offset, 0, sizeof chunk.offset);
    memset(chunk.before, 0, sizeof chunk.before);
    for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < ABUTI_LANES; ++l) chunk.square[axis][l] = l < count ? 0.0 : 1.0;
    for (int l = 0; l < count; ++l)
        for (int axis = 0; axis < local->dimension; ++axis) {
            size_t row = (size_t)local->dimension * (size_t)island->contact[first + l] + (size_t)axis;
            double drift =
                v->accelerations ? v->problem->contacts[island->contact[first + l]].drift[axis] : 0.0;
            chunk.velocity[axis][l] = row_velocity(local, rows, row, p) + drift;
            chunk.offset[axis][l] = local->q[row] + drift;
            chunk.square[axis][l] = local->W[row * rows + row];
            if (local->velocity) chunk.before[axis][l] = local->velocity[row];
        }
    for (int l = 0; l < count; ++l)
        abuti_verify_give_way(&v->problem->contacts[island->contact[first + l]], &chunk, l);
    v->kernel->sizes(&chunk, v->findings);
    abuti_chunk_take_viscous(&chunk, v);
    judge(v, &chunk);
}

void abuti_verify_local(abuti_verification *v, const abuti_island *island, abuti_judge *judge)
{
    const abut_local *local = v->problem->local;
    size_t rows = row_count(v->problem), dimension = (size_t)local->dimension;
    size_t contacts = (size_t)v->problem->contact_count;
    double *p = v->scratch;
    memset(p, 0, rows * sizeof *p);
    for (int i = 0; i < island->contacts; ++i) {
        size_t contact = (size_t)island->contact[i];
        for (size_t axis = 0; axis < dimension; ++axis)
            p[dimension * contact + axis] = v->impulses[3 * contact + axis];
    }
    for (int i = 0; i < island->joints; ++i)
        p[dimension * contacts + (size_t)island->joint[i]] = v->joints[island->joint[i]];

    for (int first = 0; first < island->contacts; first += ABUTI_LANES)
        one_chunk(v, island, rows, p, first, judge);
    for (int i = 0; i < island->joints; ++i) {
        size_t row = dimension * contacts + (size_t)island->joint[i];
        abuti_verify_joint(v, island->joint[i], row_velocity(local, rows, row, p), local->q[row],
                           local->W[row * rows + row]);
    }
}

/* ------------------------------------------------------------------------------------------------
 * Islands: units are contacts, then joints. */

static void rows_of(const abut_contact_problem *problem, int unit, size_t *first, size_t *end)
{
    size_t dimension = (size_t)problem->local->dimension, contacts = (size_t)problem->contact_count;
    bool contact = unit < problem->contact_count;
    *first = contact ? dimension * (size_t)unit : dimension * contacts + (size_t)unit - contacts;
    *end = *first + (contact ? dimension : 1);
}

static bool connected(const abut_contact_problem *problem, int a, int b)
{
    const double *W = problem->local->W;
    size_t rows = row_count(problem), first_a, end_a, first_b, end_b;
    rows_of(problem, a, &first_a, &end_a);
    rows_of(problem, b, &first_b, &end_b);
    for (size_t i = first_a; i < end_a; ++i)
        for (size_t j = first_b; j < end_b; ++j)
            if (W[i * rows + j] != 0.0 || W[j * rows + i] != 0.0) return true;
    if (a >= problem->contact_count || b >= problem->contact_count) return false;
    return problem->contacts[a].group > 0 && problem->contacts[a].group == problem->contacts[b].group;
}

void abuti_verify_local_islands(abuti_verification *v, abuti_local_visit *visit, void *context)
{
    const abut_contact_problem *problem = v->problem;
    int units = (int)unit_count(problem);
    int *left = (int *)(void *)(v->scratch + row_count(problem)); /* units that no island has yet */
    int *queue = left + units, *joints = queue + units;
    for (int u = 0; u < units; ++u) left[u] = u;
    while (units > 0) {
        int found = 1, contacts = 0, joint_count = 0;
        queue[0] = left[0];
        left[0] = left[--units];
        for (int at = 0; at < found; ++at) {
            for (int u = 0; u < units;) {
                if (connected(problem, queue[at], left[u])) {
                    queue[found++] = left[u];
                    left[u] = left[--units];
                } else {
                    ++u;
                }
            }
        }
        for (int at = 0; at < found; ++at) {
            if (queue[at] < problem->contact_count) {
                queue[contacts++] = queue[at];
            } else {
                joints[joint_count++] = queue[at] - problem->contact_count;
            }
        }
        abuti_island island = {
            .contacts = contacts, .joints = joint_count, .contact = queue, .joint = joints};
        visit(v, &island, context);
    }
}
