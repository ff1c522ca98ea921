/* The verifier through the local door: u = W p + q with W as given; s of a row is the root of its diagonal
 * entry. There are no velocities to check: the dynamics are W itself. */
#include "contact/verify_parts.h"
#include <string.h>

/* Scratch: the impulses in the order of W. */
size_t abuti_verify_local_size(const abut_contact_problem *problem)
{
    return (size_t)problem->local->dimension * (size_t)problem->contact_count + (size_t)problem->joint_count;
}

static double row_velocity(const abut_local *local, size_t rows, size_t row, const double *p)
{
    const double *w = local->W + row * rows;
    double sum = local->q[row];
    for (size_t i = 0; i < rows; ++i) sum += w[i] * p[i];
    return sum;
}

static void one_chunk(abuti_verification *v, size_t rows, const double *p, int first, abuti_judge *judge)
{
    abuti_chunk chunk;
    const abut_local *local = v->problem->local;
    int left = v->problem->contact_count - first, count = left < ABUTI_LANES ? left : ABUTI_LANES;
    abuti_chunk_begin(&chunk, v, NULL, first, count);
    memset(chunk.velocity, 0, sizeof chunk.velocity);
    memset(chunk.offset, 0, sizeof chunk.offset);
    memset(chunk.before, 0, sizeof chunk.before);
    for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < ABUTI_LANES; ++l) chunk.square[axis][l] = l < count ? 0.0 : 1.0;
    for (int l = 0; l < count; ++l)
        for (int axis = 0; axis < local->dimension; ++axis) {
            size_t row = (size_t)local->dimension * (size_t)(first + l) + (size_t)axis;
            chunk.velocity[axis][l] = row_velocity(local, rows, row, p);
            chunk.offset[axis][l] = local->q[row];
            chunk.square[axis][l] = local->W[row * rows + row];
            if (local->velocity != NULL) chunk.before[axis][l] = local->velocity[row];
        }
    v->kernel->sizes(&chunk, v->findings);
    abuti_chunk_take_viscous(&chunk, v);
    judge(v, &chunk);
}

void abuti_verify_local(abuti_verification *v, abuti_judge *judge)
{
    const abut_local *local = v->problem->local;
    size_t rows = abuti_verify_local_size(v->problem), dimension = (size_t)local->dimension;
    size_t contacts = (size_t)v->problem->contact_count;
    double *p = v->scratch;
    for (size_t i = 0; i < contacts; ++i)
        for (size_t axis = 0; axis < dimension; ++axis) p[dimension * i + axis] = v->impulses[3 * i + axis];
    for (size_t i = 0; i < (size_t)v->problem->joint_count; ++i) p[dimension * contacts + i] = v->joints[i];

    for (size_t first = 0; first < contacts; first += ABUTI_LANES) one_chunk(v, rows, p, (int)first, judge);
    for (size_t row = dimension * contacts; row < rows; ++row) {
        double square = local->W[row * rows + row], size = square > 0.0 ? sqrt(square) : 1.0;
        double target = abuti_verify_target(v, &v->problem->joints[row - dimension * contacts]);
        abuti_raise(&v->findings->joint, fabs(row_velocity(local, rows, row, p) - target) / size);
        abuti_raise(&v->findings->offset[0], fabs(local->q[row] - target) / size);
        abuti_raise(&v->findings->impulse[0], fabs(p[row]) * size);
    }
}
