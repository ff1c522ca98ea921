/* The verifier through the generalised door: M = L L', rows as given. */
#include "contact/verify/parts.h"
#include <string.h>

/* Scratch: L, the sum J'p, and one vector. */
size_t abuti_verify_generalised_size(const abut_contact_problem *problem)
{
    size_t nv = (size_t)problem->generalised->nv;
    return nv * nv + 2 * nv;
}

void abuti_verify_mass_factor(int n, const double *m, double *lower)
{
    for (int i = 0; i < n; ++i) {
        double *li = lower + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; ++j) {
            const double *lj = lower + (size_t)j * (size_t)n;
            double sum = m[(size_t)i * (size_t)n + (size_t)j];
            for (int k = 0; k < j; ++k) sum -= li[k] * lj[k];
            li[j] = j == i ? sqrt(sum) : sum / lj[j];
        }
    }
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* row M^-1 row' = |L^-1 row|^2. */
double abuti_verify_mass_square(int n, const double *lower, const double *row, double *y)
{
    for (int i = 0; i < n; ++i)
        y[i] = (row[i] - dot(i, lower + (size_t)i * (size_t)n, y)) / lower[(size_t)i * (size_t)n + (size_t)i];
    return dot(n, y, y);
}

typedef struct door {
    int nv;
    const abut_generalised *g;
    double *lower, *push, *y;
} door;

/* One row of a contact or joint: its velocity, its size, its push. */
static double one_row(const abuti_verification *v, const door *d, const double *row, double impulse,
                      double *square)
{
    *square = abuti_verify_mass_square(d->nv, d->lower, row, d->y);
    for (int c = 0; c < d->nv; ++c) d->push[c] += impulse * row[c];
    return dot(d->nv, row, v->velocity);
}

static void one_chunk(abuti_verification *v, const door *d, const int *list, int first, int count,
                      abuti_judge *judge)
{
    abuti_chunk chunk;
    const abut_contact_problem *problem = v->problem;
    abuti_chunk_begin(&chunk, v, list, first, count);
    memset(chunk.velocity, 0, sizeof chunk.velocity);
    memset(chunk.offset, 0, sizeof chunk.offset);
    memset(chunk.before, 0, sizeof chunk.before);
    for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < ABUTI_LANES; ++l) chunk.square[axis][l] = 1.0;
    for (int l = 0; l < count; ++l) {
        size_t i = (size_t)chunk.index[l], nv = (size_t)d->nv;
        const double *normal = d->g->normal_rows + i * nv;
        const abut_contact *contact = &problem->contacts[i];
        chunk.before[0][l] = dot(d->nv, normal, d->g->velocity);
        double b = abuti_verify_bias(v, contact, chunk.before[0][l]);
        chunk.velocity[0][l] = one_row(v, d, normal, chunk.impulse[0][l], &chunk.square[0][l]) + b;
        chunk.offset[0][l] = b;
        chunk.square[1][l] = chunk.square[2][l] = 0.0;
        for (int axis = 1; axis < 3 && d->g->tangent_rows != NULL; ++axis) {
            const double *row = d->g->tangent_rows + (2 * i + (size_t)axis - 1) * nv;
            chunk.before[axis][l] = dot(d->nv, row, d->g->velocity);
            chunk.offset[axis][l] = v->accelerations ? contact->drift[axis] : 0.0;
            chunk.velocity[axis][l] =
                one_row(v, d, row, chunk.impulse[axis][l], &chunk.square[axis][l]) + chunk.offset[axis][l];
        }
    }
    v->kernel->sizes(&chunk, v->findings);
    abuti_chunk_take_viscous(&chunk, v);
    judge(v, &chunk);
}

static void one_joint(abuti_verification *v, const door *d, int index)
{
    double square, target = abuti_verify_target(v, &v->problem->joints[index]);
    double rate = one_row(v, d, d->g->joint_rows + (size_t)index * (size_t)d->nv, v->joints[index], &square);
    double size = square > 0.0 ? sqrt(square) : 1.0;
    abuti_raise(&v->findings->joint, fabs(rate - target) / size);
    abuti_raise(&v->findings->offset[0], fabs(target) / size);
    abuti_raise(&v->findings->impulse[0], fabs(v->joints[index]) * size);
}

void abuti_verify_generalised(abuti_verification *v, const int *contact, int contacts, abuti_judge *judge)
{
    const abut_generalised *g = v->problem->generalised;
    int nv = g->nv;
    door d = {.nv = nv, .g = g, .lower = v->scratch};
    d.push = d.lower + (size_t)nv * (size_t)nv;
    d.y = d.push + nv;
    abuti_verify_mass_factor(nv, g->mass_matrix, d.lower);
    for (int c = 0; c < nv; ++c) /* k = M v + step force */
        d.push[c] =
            v->carry * dot(nv, g->mass_matrix + (size_t)c * (size_t)nv, g->velocity) + v->time * g->force[c];
    v->findings->free2 = abuti_verify_mass_square(nv, d.lower, d.push, d.y);

    memset(d.push, 0, (size_t)nv * sizeof *d.push);
    for (int first = 0; first < contacts; first += ABUTI_LANES) {
        int left = contacts - first;
        one_chunk(v, &d, contact, first, left < ABUTI_LANES ? left : ABUTI_LANES, judge);
    }
    for (int i = 0; i < v->problem->joint_count; ++i) one_joint(v, &d, i);

    /* M (v+ - v) - step force - J'p */
    for (int c = 0; c < nv; ++c) {
        double sum = -v->time * g->force[c] - d.push[c];
        const double *row = g->mass_matrix + (size_t)c * (size_t)nv;
        for (int k = 0; k < nv; ++k) sum += row[k] * (v->velocity[k] - v->carry * g->velocity[k]);
        v->findings->after2 += v->velocity[c] * dot(nv, row, v->velocity);
        d.push[c] = sum;
    }
    abuti_raise(&v->findings->dynamics, sqrt(abuti_verify_mass_square(nv, d.lower, d.push, d.y)));
}
