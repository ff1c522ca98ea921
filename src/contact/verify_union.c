/* The verifier's part for unions (Egan, Berard, Trinkle): contacts of one group, of which at least one must
 * hold.
 *
 * A first pass over the contacts takes down a = n.u+ + b of every side; the second judges. With m the largest
 * a_j / s_j of a group, the normal condition of side i becomes, by rows (20) to (22) of the max formulation,
 *
 *     m >= 0                                         the union property
 *     0 <= theta_i perp max(0, -a_i) + m >= 0        force only on a side that is touched, and none while
 *                                                    another side of the group is open (a phantom contact)
 *
 * and, by (30) with c_j = max(-e, a_j) + e, e = epsilon / step, in the summation formulation
 *
 *     0 <= theta_i perp sum c_j - e >= 0             the union with its corner capped; force on any side
 *
 * (where all a_j lie below -e, the sum knows the violation no longer and the largest a_j stands for it).
 * Friction is judged as ever on sides with a force; a side without one asks for nothing else. A group with
 * one side in the island is an ordinary contact. Of sides with the very same row (numbers equal bit by bit)
 * the summation counts the one with the largest a alone: twice the same half-space is that half-space. */
#include "contact/verify_parts.h"
#include <string.h>

/* epsilon / step over the largest normal speed that the free motion gives a side: in the middle of what
 * solvers stand, 1e-6 to 1e-2. */
#define CAP 1e-4

static size_t table_size(int contacts)
{
    size_t slots = 8;
    while (slots < 2 * (size_t)contacts) slots *= 2;
    return slots;
}

static size_t velocities(const abut_contact_problem *problem)
{
    if (problem->generalised != NULL) return (size_t)problem->generalised->nv;
    return 6 * (size_t)problem->body_count;
}

static size_t factor_size(const abut_contact_problem *problem)
{
    return problem->generalised != NULL ? velocities(problem) * velocities(problem) : 0;
}

size_t abuti_verify_unions_size(const abut_contact_problem *problem)
{
    size_t n = (size_t)problem->contact_count, integers = 2 * n + 2 * table_size(problem->contact_count);
    if (n == 0) return 0;
    return 4 * n + velocities(problem) + factor_size(problem) + integers;
}

/* Lays the arrays out; integers take a double's place each. */
static void lay_out(abuti_verify_unions *u, const abut_contact_problem *problem, double *memory)
{
    size_t n = (size_t)problem->contact_count;
    u->slots = (int)table_size(problem->contact_count);
    u->gap = memory;
    u->largest = u->gap + n;
    u->highest = u->largest + n;
    u->total = u->highest + n;
    u->free = u->total + n;
    u->factor = u->free + velocities(problem);
    u->group = (int *)(void *)(u->factor + factor_size(problem));
    u->sides = u->group + n;
    u->key = u->sides + n;
    u->number = u->key + u->slots;
}

static int contacts_of(const abuti_verification *v, const abuti_island *island)
{
    return island != NULL ? island->contacts : v->problem->contact_count;
}

static int contact_at(const abuti_island *island, int i)
{
    return island != NULL ? island->contact[i] : i;
}

/* Numbers the groups of the island; their count, 0 when none has two sides. */
static int number_groups(abuti_verify_unions *u, const abuti_verification *v, const abuti_island *island)
{
    int count = 0, n = contacts_of(v, island), unions = 0;
    for (int i = 0; i < n && count == 0; ++i) count = v->problem->contacts[contact_at(island, i)].group > 0;
    if (count == 0) return 0;
    count = 0;
    memset(u->key, 0, (size_t)u->slots * sizeof *u->key);
    for (int i = 0; i < n; ++i) {
        int contact = contact_at(island, i), name = v->problem->contacts[contact].group;
        u->group[contact] = -1;
        if (name <= 0) continue;
        unsigned mask = (unsigned)u->slots - 1u, slot = ((unsigned)name * 40503u) & mask;
        while (u->key[slot] != 0 && u->key[slot] != name) slot = (slot + 1) & mask;
        if (u->key[slot] == 0) {
            u->key[slot] = name;
            u->number[slot] = count;
            u->sides[count++] = 0;
        }
        u->group[contact] = u->number[slot];
        unions += ++u->sides[u->number[slot]] == 2;
    }
    for (int i = 0; i < n; ++i) {
        int contact = contact_at(island, i);
        if (u->group[contact] >= 0 && u->sides[u->group[contact]] < 2) u->group[contact] = -1;
    }
    return unions > 0 ? count : 0;
}

/* ------------------------------------------------------------------------------------------------
 * The cap of the summation formulation */

/* The free motion's normal speed of all sides, without what impulses cannot change. */
static void watch_free_motion(abuti_verification *v, const abuti_chunk *chunk)
{
    abuti_verify_unions *u = v->unions;
    for (int l = 0; l < chunk->count; ++l) {
        if (v->problem->contacts[chunk->index[l]].group <= 0) continue;
        double moved = fabs(chunk->velocity[0][l] - chunk->offset[0][l]);
        u->motion = fmax(u->motion, moved);
        u->rest = fmax(u->rest, fabs(chunk->offset[0][l]));
    }
}

/* v + time I^-1 torque by Cramer's rule. */
static void free_body(const abuti_verification *v, int index, double *out)
{
    const abut_body *b = &v->problem->bodies[index];
    const double *I = b->inertia, *t = b->force + 3;
    double a = I[1] * I[2] - I[5] * I[5], d = I[4] * I[5] - I[3] * I[2], e = I[3] * I[5] - I[4] * I[1];
    double det = I[0] * a + I[3] * d + I[4] * e;
    double f = I[0] * I[2] - I[4] * I[4], g = I[3] * I[4] - I[0] * I[5], h = I[0] * I[1] - I[3] * I[3];
    double turn[3] = {a * t[0] + d * t[1] + e * t[2], d * t[0] + f * t[1] + g * t[2],
                      e * t[0] + g * t[1] + h * t[2]};
    for (int c = 0; c < 3; ++c) {
        out[c] = b->velocity[c] + v->time * b->force[c] / b->mass;
        out[3 + c] = b->velocity[3 + c] + v->time * turn[c] / det;
    }
}

/* velocity + time M^-1 force by Gaussian elimination (M is positive definite). */
static void free_generalised(const abuti_verification *v, double *m, double *x)
{
    const abut_generalised *g = v->problem->generalised;
    size_t n = (size_t)g->nv;
    memcpy(m, g->mass_matrix, n * n * sizeof *m);
    for (size_t i = 0; i < n; ++i) x[i] = v->time * g->force[i];
    for (size_t k = 0; k < n; ++k)
        for (size_t i = k + 1; i < n; ++i) {
            double by = m[i * n + k] / m[k * n + k];
            for (size_t j = k; j < n; ++j) m[i * n + j] -= by * m[k * n + j];
            x[i] -= by * x[k];
        }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; ++j) x[k] -= m[k * n + j] * x[j];
        x[k] /= m[k * n + k];
    }
    for (size_t i = 0; i < n; ++i) x[i] += g->velocity[i];
}

/* e = epsilon / step. */
static double cap(abuti_verification *v, const abuti_island *island)
{
    abuti_verify_unions *u = v->unions;
    if (v->options->union_epsilon > 0.0) return v->options->union_epsilon / v->time;
    const double *answer = v->velocity;
    if (v->problem->generalised != NULL) {
        free_generalised(v, u->factor, u->free);
    } else {
        for (int i = 0; i < island->bodies; ++i)
            free_body(v, island->body[i], u->free + 6 * (size_t)island->body[i]);
    }
    abuti_findings unused = {0}, *findings = v->findings;
    u->motion = u->rest = 0.0;
    v->velocity = u->free;
    v->findings = &unused;
    abuti_verify_door(v, island, watch_free_motion);
    v->velocity = answer;
    v->findings = findings;
    return CAP * (u->motion > 0.0 ? u->motion : u->rest);
}

/* ------------------------------------------------------------------------------------------------
 * First pass */

static void take_gaps(abuti_verification *v, const abuti_chunk *chunk)
{
    abuti_verify_unions *u = v->unions;
    for (int l = 0; l < chunk->count; ++l) {
        int contact = chunk->index[l], group = u->group[contact];
        if (group < 0) continue;
        double a = chunk->velocity[0][l];
        u->gap[contact] = a;
        u->largest[group] = fmax(u->largest[group], a * chunk->inverse_size[0][l]);
        u->highest[group] = fmax(u->highest[group], a);
    }
}

static bool same_row(const abut_contact_problem *problem, int i, int j)
{
    const abut_contact *a = &problem->contacts[i], *b = &problem->contacts[j];
    const double *rows = NULL;
    size_t width = 0;
    if (problem->generalised != NULL) {
        width = (size_t)problem->generalised->nv;
        rows = problem->generalised->normal_rows;
    }
    if (rows != NULL)
        return memcmp(rows + (size_t)i * width, rows + (size_t)j * width, width * sizeof *rows) == 0;
    return a->bodies[0] == b->bodies[0] && a->bodies[1] == b->bodies[1] &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

/* Whether another side of the group is the same half-space or more. */
static bool is_duplicate(const abuti_verification *v, const abuti_island *island, int contact)
{
    const abuti_verify_unions *u = v->unions;
    for (int i = 0; i < contacts_of(v, island); ++i) {
        int other = contact_at(island, i);
        if (other == contact || u->group[other] != u->group[contact]) continue;
        bool more = u->gap[other] > u->gap[contact] || (u->gap[other] == u->gap[contact] && other < contact);
        if (more && same_row(v->problem, contact, other)) return true;
    }
    return false;
}

static void add_up(abuti_verification *v, const abuti_island *island)
{
    abuti_verify_unions *u = v->unions;
    for (int i = 0; i < contacts_of(v, island); ++i) {
        int contact = contact_at(island, i), group = u->group[contact];
        if (group < 0 || is_duplicate(v, island, contact)) continue;
        u->total[group] += fmax(-u->e, u->gap[contact]) + u->e;
    }
}

bool abuti_verify_unions_begin(abuti_verification *v, const abuti_island *island, double *memory,
                               abuti_verify_unions *u, abuti_judge *judge)
{
    if (v->problem->contact_count == 0) return false;
    v->unions = u;
    lay_out(u, v->problem, memory);
    u->judge = judge;
    u->sum = v->options->union_rule == ABUT_UNION_SUM;
    int groups = v->accelerations || v->problem->local != NULL ? 0 : number_groups(u, v, island);
    if (groups == 0) return false;
    for (int g = 0; g < groups; ++g) {
        u->largest[g] = u->highest[g] = -INFINITY;
        u->total[g] = 0.0;
    }
    u->e = u->sum ? cap(v, island) : 0.0;
    abuti_findings unused = {0}, *findings = v->findings;
    v->findings = &unused;
    abuti_verify_door(v, island, take_gaps);
    v->findings = findings;
    if (u->sum) add_up(v, island);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Second pass */

/* What side l of a chunk must be complementary to, in units of s, and by how much its union is violated. */
static double partner(const abuti_verify_unions *u, const abuti_chunk *chunk, int l, int group,
                      double *missing)
{
    double inverse = chunk->inverse_size[0][l];
    if (!u->sum) {
        double m = u->largest[group];
        *missing = fmax(0.0, -m);
        return fmax(0.0, -chunk->velocity[0][l] * inverse) + m;
    }
    double w = (u->total[group] - u->e) * inverse;
    *missing = u->highest[group] < -u->e ? -u->highest[group] * inverse : fmax(0.0, -w);
    return w;
}

void abuti_judge_union(abuti_verification *v, const abuti_chunk *chunk)
{
    const abuti_verify_unions *u = v->unions;
    abuti_chunk seen = *chunk;
    for (int l = 0; l < chunk->count; ++l) {
        int group = u->group[chunk->index[l]];
        if (group < 0) continue;
        double missing = 0.0, w = partner(u, chunk, l, group, &missing);
        bool pushes = false;
        for (int axis = 0; axis < 3; ++axis) pushes |= !(chunk->impulse[axis][l] == 0.0);
        seen.velocity[0][l] = pushes ? w * chunk->size[0][l] : 0.0;
        for (int axis = 1; axis < 3 && !pushes; ++axis) seen.velocity[axis][l] = 0.0;
        abuti_raise(&v->findings->normal[l], missing);
        if (missing > v->findings->worst[l]) {
            v->findings->worst[l] = missing;
            v->findings->worst_contact[l] = chunk->index[l];
        }
    }
    u->judge(v, &seen);
}
