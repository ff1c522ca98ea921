/* The verifier through the generalised door: M = L L' block by block, with rows as given. A problem without blocks is
 * one block, on which every row acts. */
#include "contact/verify/parts.h"
#include <string.h>

/* The scratch holds L of all blocks, the sum J'p, one vector and, where there are blocks, where everything begins. */
size_t abuti_verify_generalised_size(const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    size_t nv = (size_t)g->nv, squares = nv * nv;
    if (g->block_count == 0 || !g->block_sizes) return squares + 2 * nv;
    squares = 0;
    for (int b = 0; b < g->block_count; ++b) squares += (size_t)g->block_sizes[b] * (size_t)g->block_sizes[b];
    return squares + 2 * nv + abuti_verify_starts_size(problem);
}

/* Doubles that hold this many places. */
static size_t doubles_for(size_t places)
{
    return (places * sizeof(size_t) + sizeof(double) - 1) / sizeof(double);
}

size_t abuti_verify_starts_size(const abut_contact_problem *problem)
{
    size_t blocks = (size_t)problem->generalised->block_count;
    return doubles_for(2 * (blocks + 1) + (size_t)problem->contact_count + (size_t)problem->joint_count);
}

/* Where blocks begin among the velocities and in M (and so in L), and where rows begin in their arrays. */
typedef struct starts {
    size_t *velocity, *mass; /* [block], and the end of all */
    size_t *contact, *joint;
} starts;

static starts starts_in(const abut_contact_problem *problem, double *scratch)
{
    size_t blocks = (size_t)problem->generalised->block_count;
    starts s = {.velocity = (size_t *)(void *)scratch};
    s.mass = s.velocity + blocks + 1;
    s.contact = s.mass + blocks + 1;
    s.joint = s.contact + problem->contact_count;
    return s;
}

void abuti_verify_prepare(const abut_contact_problem *problem, double *scratch)
{
    const abut_generalised *g = problem->generalised;
    if (!g || g->block_count == 0) return;
    starts s = starts_in(problem, scratch);
    s.velocity[0] = s.mass[0] = 0;
    for (int b = 0; b < g->block_count; ++b) {
        size_t size = (size_t)g->block_sizes[b];
        s.velocity[b + 1] = s.velocity[b] + size;
        s.mass[b + 1] = s.mass[b] + size * size;
    }
    size_t at = 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        const int *pair = problem->contacts[i].bodies;
        s.contact[i] = at;
        for (int side = 0; side < 2; ++side)
            if (pair[side] >= 0) at += (size_t)g->block_sizes[pair[side]];
    }
    at = 0;
    for (int j = 0; j < problem->joint_count; ++j) {
        const int *pair = problem->joints[j].bodies;
        s.joint[j] = at;
        for (int side = 0; side < 2; ++side)
            if (pair[side] >= 0) at += (size_t)g->block_sizes[pair[side]];
    }
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

abuti_verify_door abuti_verify_door_open(const abuti_verification *v, const abuti_island *island)
{
    const abut_contact_problem *problem = v->problem;
    const abut_generalised *g = problem->generalised;
    abuti_verify_door d = {.g = g, .blocks = 1, .block = NULL, .lower = v->scratch};
    size_t squares = (size_t)g->nv * (size_t)g->nv;
    if (g->block_count > 0) {
        starts s = starts_in(problem, v->scratch);
        d.lower += abuti_verify_starts_size(problem);
        d.velocity = s.velocity;
        d.mass = s.mass;
        d.contact = s.contact;
        d.joint = s.joint;
        d.blocks = island->bodies;
        d.block = island->body;
        squares = s.mass[g->block_count];
    }
    d.push = d.lower + squares;
    d.y = d.push + g->nv;
    for (int k = 0; k < d.blocks; ++k) {
        abuti_verify_block b = abuti_verify_block_of(&d, d.block ? d.block[k] : 0);
        abuti_verify_mass_factor(b.size, b.mass, b.lower);
    }
    return d;
}

abuti_verify_block abuti_verify_block_of(const abuti_verify_door *d, int index)
{
    if (!d->block) return (abuti_verify_block){d->g->nv, 0, d->g->mass_matrix, d->lower};
    size_t at = d->velocity[index], mass = d->mass[index];
    return (abuti_verify_block){(int)(d->velocity[index + 1] - at), at, d->g->mass_matrix + mass,
                                d->lower + mass};
}

/* The block on one side of a row; its size is 0 where there is none. */
static abuti_verify_block side_of(const abuti_verify_door *d, const int pair[2], int side)
{
    bool there = !d->block ? side == 0 : pair[side] >= 0;
    return there ? abuti_verify_block_of(d, !d->block ? 0 : pair[side]) : (abuti_verify_block){0};
}

double abuti_verify_row_along(const abuti_verify_door *d, const int pair[2], const double *row,
                              const double *velocity)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        abuti_verify_block b = side_of(d, pair, side);
        sum = side == 0 ? dot(b.size, row, velocity + b.at) : sum + dot(b.size, row, velocity + b.at);
        row += b.size;
    }
    return sum;
}

double abuti_verify_row_push(const abuti_verify_door *d, const int pair[2], const double *row, double impulse)
{
    double square = 0.0;
    for (int side = 0; side < 2; ++side) {
        abuti_verify_block b = side_of(d, pair, side);
        square += abuti_verify_mass_square(b.size, b.lower, row, d->y);
        for (int c = 0; c < b.size; ++c) d->push[b.at + (size_t)c] += impulse * row[c];
        row += b.size;
    }
    return square;
}

const double *abuti_verify_contact_row(const abuti_verify_door *d, const abut_contact_problem *problem,
                                       int index, int axis)
{
    const abut_generalised *g = d->g;
    size_t width = (size_t)g->nv, at = (size_t)index * width;
    if (d->block) {
        at = d->contact[index];
        width = 0;
        for (int side = 0; side < 2; ++side)
            width += (size_t)side_of(d, problem->contacts[index].bodies, side).size;
    }
    if (axis == 0) return g->normal_rows + at;
    return g->tangent_rows ? g->tangent_rows + 2 * at + (size_t)(axis - 1) * width : NULL;
}

const double *abuti_verify_joint_row(const abuti_verify_door *d, int index)
{
    return d->g->joint_rows + (d->block ? d->joint[index] : (size_t)index * (size_t)d->g->nv);
}

const double *abuti_verify_normal_row(const abuti_verification *v, int index, size_t *width)
{
    const abut_generalised *g = v->problem->generalised;
    const int *pair = v->problem->contacts[index].bodies;
    *width = (size_t)g->nv;
    if (g->block_count == 0) return g->normal_rows + (size_t)index * *width;
    *width = 0;
    for (int side = 0; side < 2 && pair[side] >= 0; ++side) *width += (size_t)g->block_sizes[pair[side]];
    return g->normal_rows + starts_in(v->problem, v->scratch).contact[index];
}

double abuti_verify_normal_along(const abuti_verification *v, int index, const double *velocity)
{
    const abut_generalised *g = v->problem->generalised;
    const int *pair = v->problem->contacts[index].bodies;
    size_t width;
    const double *row = abuti_verify_normal_row(v, index, &width);
    if (g->block_count == 0) return dot(g->nv, row, velocity);
    starts s = starts_in(v->problem, v->scratch);
    double sum = 0.0;
    for (int side = 0; side < 2 && pair[side] >= 0; ++side) {
        int size = g->block_sizes[pair[side]];
        sum += dot(size, row, velocity + s.velocity[pair[side]]);
        row += size;
    }
    return sum;
}

void abuti_verify_free_blocks(const abuti_verification *v, const abuti_island *island, double *velocity)
{
    abuti_verify_door d = abuti_verify_door_open(v, island);
    for (int k = 0; k < d.blocks; ++k) {
        abuti_verify_block b = abuti_verify_block_of(&d, d.block[k]);
        size_t n = (size_t)b.size;
        double *x = velocity + b.at;
        for (size_t i = 0; i < n; ++i) { /* L y = time force */
            x[i] = v->time * d.g->force[b.at + i];
            for (size_t j = 0; j < i; ++j) x[i] -= b.lower[i * n + j] * x[j];
            x[i] /= b.lower[i * n + i];
        }
        for (size_t i = n; i-- > 0;) { /* L' x = y */
            for (size_t j = i + 1; j < n; ++j) x[i] -= b.lower[j * n + i] * x[j];
            x[i] /= b.lower[i * n + i];
        }
        for (size_t i = 0; i < n; ++i) x[i] += d.g->velocity[b.at + i];
    }
}

static void one_contact(abuti_verification *v, const abuti_verify_door *d, abuti_chunk *chunk, int l)
{
    const abut_contact *contact = &v->problem->contacts[chunk->index[l]];
    const double *normal = abuti_verify_contact_row(d, v->problem, chunk->index[l], 0);
    chunk->before[0][l] =
        abuti_verify_row_along(d, contact->bodies, normal, d->g->velocity) + contact->surface[0];
    double b = abuti_verify_bias(v, contact, chunk->before[0][l]);
    if (!v->accelerations) b += contact->surface[0];
    chunk->velocity[0][l] = abuti_verify_row_along(d, contact->bodies, normal, v->velocity) + b;
    chunk->square[0][l] = abuti_verify_row_push(d, contact->bodies, normal, chunk->impulse[0][l]);
    chunk->offset[0][l] = b;
    chunk->square[1][l] = chunk->square[2][l] = 0.0;
    abuti_verify_give_way(contact, chunk, l);
    for (int axis = 1; axis < 3 && d->g->tangent_rows; ++axis) {
        const double *row = abuti_verify_contact_row(d, v->problem, chunk->index[l], axis);
        chunk->before[axis][l] =
            abuti_verify_row_along(d, contact->bodies, row, d->g->velocity) + contact->surface[axis];
        chunk->offset[axis][l] = v->accelerations ? contact->drift[axis] : contact->surface[axis];
        chunk->velocity[axis][l] =
            abuti_verify_row_along(d, contact->bodies, row, v->velocity) + chunk->offset[axis][l];
        chunk->square[axis][l] = abuti_verify_row_push(d, contact->bodies, row, chunk->impulse[axis][l]);
    }
}

static void one_chunk(abuti_verification *v, const abuti_verify_door *d, const int *list, int first,
                      int count, abuti_judge *judge)
{
    abuti_chunk chunk;
    abuti_chunk_begin(&chunk, v, list, first, count);
    memset(chunk.velocity, 0, sizeof chunk.velocity);
    memset(chunk.offset, 0, sizeof chunk.offset);
    memset(chunk.before, 0, sizeof chunk.before);
    for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < ABUTI_LANES; ++l) chunk.square[axis][l] = 1.0;
    for (int l = 0; l < count; ++l) one_contact(v, d, &chunk, l);
    v->kernel->sizes(&chunk, v->findings);
    abuti_chunk_take_viscous(&chunk, v);
    judge(v, &chunk);
}

static void one_joint(abuti_verification *v, const abuti_verify_door *d, int index)
{
    const int *pair = v->problem->joints[index].bodies;
    const double *row = abuti_verify_joint_row(d, index);
    double rate = abuti_verify_row_along(d, pair, row, v->velocity);
    abuti_verify_joint(v, index, rate, 0.0, abuti_verify_row_push(d, pair, row, v->joints[index]));
}

double abuti_verify_free_square(const abuti_verification *v, const abuti_verify_door *d,
                                const abuti_verify_block *b)
{
    const double *before = d->g->velocity + b->at, *force = d->g->force + b->at;
    double *push = d->push + b->at;
    for (int c = 0; c < b->size; ++c) /* k = M v + step force */
        push[c] = v->carry * dot(b->size, b->mass + (size_t)c * (size_t)b->size, before) + v->time * force[c];
    return abuti_verify_mass_square(b->size, b->lower, push, d->y);
}

/* M (v+ - v) - step force - J'p of one block. */
static void close_block(abuti_verification *v, const abuti_verify_door *d, const abuti_verify_block *b)
{
    const double *before = d->g->velocity + b->at, *after = v->velocity + b->at;
    double *push = d->push + b->at;
    for (int c = 0; c < b->size; ++c) {
        double sum = -v->time * d->g->force[b->at + (size_t)c] - push[c];
        const double *row = b->mass + (size_t)c * (size_t)b->size;
        for (int k = 0; k < b->size; ++k) sum += row[k] * (after[k] - v->carry * before[k]);
        v->findings->after2 += after[c] * dot(b->size, row, after);
        push[c] = sum;
    }
    abuti_raise(&v->findings->dynamics, sqrt(abuti_verify_mass_square(b->size, b->lower, push, d->y)));
}

void abuti_verify_generalised(abuti_verification *v, const abuti_island *island, const int *contact,
                              int contacts, abuti_judge *judge)
{
    abuti_verify_door d = abuti_verify_door_open(v, island);
    for (int k = 0; k < d.blocks; ++k) {
        abuti_verify_block b = abuti_verify_block_of(&d, d.block ? d.block[k] : 0);
        v->findings->free2 += abuti_verify_free_square(v, &d, &b);
        memset(d.push + b.at, 0, (size_t)b.size * sizeof *d.push);
    }
    for (int first = 0; first < contacts; first += ABUTI_LANES) {
        int left = contacts - first;
        one_chunk(v, &d, contact, first, left < ABUTI_LANES ? left : ABUTI_LANES, judge);
    }
    int joints = d.block ? island->joints : v->problem->joint_count;
    for (int i = 0; i < joints; ++i) one_joint(v, &d, d.block ? island->joint[i] : i);
    for (int k = 0; k < d.blocks; ++k) {
        abuti_verify_block b = abuti_verify_block_of(&d, d.block ? d.block[k] : 0);
        close_block(v, &d, &b);
    }
}
