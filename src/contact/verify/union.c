/* The verifier's part for unions (Egan, Berard, Trinkle): contacts of one group, of which at least one must
 * hold.
 *
 * First a = n.u+ + b of every side is taken down; then the sides that push, and all ordinary contacts, are
 * judged. With m the largest a of a group, the normal condition of side i becomes, by rows (20) to (22) of
 * the max formulation,
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
 * Conditions of side i are measured with its own s_i, the union property with s of the side with the largest
 * a. Friction is judged as ever on sides with a force. Under no-slip, too, which has no cone, such a side must be
 * touched, unless there is no such answer and the side is glued (verify.c decides about side_glue). A side without
 * a force asks for nothing else, and does not count in K either: the distance of a wall that nobody touches says
 * nothing about the size of the numbers. A group with one side in the island is an ordinary
 * contact. Of sides with the very same row (numbers equal bit by bit) the summation counts the one with the
 * largest a alone: twice the same half-space is that half-space. */
#include "base/length.h"
#include "contact/verify/parts.h"
#include <math.h>
#include <string.h>

/* epsilon / step relative to the largest normal speed that the free motion gives a side. It lies in the middle of the
 * range that solvers can deal with, 1e-6 to 1e-2. */
#define CAP 1e-4

static size_t table_size(int contacts)
{
    size_t slots = 8;
    while (slots < 2 * (size_t)contacts) slots *= 2;
    return slots;
}

static size_t velocities(const abut_contact_problem *problem)
{
    if (problem->generalised) return (size_t)problem->generalised->nv;
    return 6 * (size_t)problem->body_count;
}

static size_t factor_size(const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    return g && g->block_count == 0 ? velocities(problem) * velocities(problem) : 0;
}

size_t abuti_verify_unions_size(const abut_contact_problem *problem)
{
    size_t n = (size_t)problem->contact_count, integers = 4 * n + 2 * table_size(problem->contact_count);
    if (n == 0) return 0;
    return 3 * n + velocities(problem) + factor_size(problem) + integers;
}

/* Lays the arrays out; each integer takes the place of a double. */
static void lay_out(abuti_verify_unions *u, const abut_contact_problem *problem, double *memory)
{
    size_t n = (size_t)problem->contact_count;
    u->slots = (int)table_size(problem->contact_count);
    u->gap = memory;
    u->highest = u->gap + n;
    u->total = u->highest + n;
    u->free = u->total + n;
    u->factor = u->free + velocities(problem);
    u->group = (int *)(void *)(u->factor + factor_size(problem));
    u->sides = u->group + n;
    u->top = u->sides + n;
    u->visit = u->top + n;
    u->key = u->visit + n;
    u->number = u->key + u->slots;
}

static int contacts_of(const abuti_verification *v, const abuti_island *island)
{
    return island ? island->contacts : v->problem->contact_count;
}

static int contact_at(const abuti_island *island, int i)
{
    return island ? island->contact[i] : i;
}

/* Whether there may be unions at all. */
static bool has_groups(const abuti_verification *v, const abuti_island *island)
{
    if (v->accelerations || v->problem->local) return false;
    const abut_contact *contacts = v->problem->contacts;
    int n = contacts_of(v, island), any = 0;
    for (int i = 0; i < n && !island; ++i) any |= contacts[i].group;
    for (int i = 0; i < n && island; ++i) any |= contacts[island->contact[i]].group;
    return any != 0;
}

/* Numbers the groups of the island. Returns how many there are, 0 when none has two sides. */
static int number_groups(abuti_verify_unions *u, const abuti_verification *v, const abuti_island *island)
{
    int count = 0, n = contacts_of(v, island), unions = 0, last = 0, group = -1;
    memset(u->key, 0, (size_t)u->slots * sizeof *u->key);
    for (int i = 0; i < n; ++i) {
        int contact = contact_at(island, i), name = v->problem->contacts[contact].group;
        u->group[contact] = -1;
        if (name <= 0) continue;
        if (name != last) {
            unsigned mask = (unsigned)u->slots - 1u, slot = ((unsigned)name * 40503u) & mask;
            while (u->key[slot] != 0 && u->key[slot] != name) slot = (slot + 1) & mask;
            if (u->key[slot] == 0) {
                u->key[slot] = name;
                u->number[slot] = count;
                u->sides[count++] = 0;
            }
            last = name;
            group = u->number[slot];
        }
        u->group[contact] = group;
        unions += ++u->sides[group] == 2;
    }
    for (int i = 0; i < n; ++i) {
        int contact = contact_at(island, i);
        if (u->group[contact] >= 0 && u->sides[u->group[contact]] < 2) u->group[contact] = -1;
    }
    return unions > 0 ? count : 0;
}

/* ------------------------------------------------------------------------------------------------
 * Velocities along the normals of sides */

/* The part of a side's n.u that comes from bodies of one kind. Dynamic bodies move as `velocity` says (NULL: as before
 * the step). */
static double along_normal(const abuti_verification *v, int index, abut_body_kind kind,
                           const double *velocity)
{
    const abut_contact *contact = &v->problem->contacts[index];
    const double *n = contact->normal;
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = contact->bodies[side];
        if (body < 0 || v->problem->bodies[body].kind != kind) continue;
        const abut_body *b = &v->problem->bodies[body];
        const double *at = velocity ? velocity + 6 * (size_t)body : b->velocity, *w = at + 3;
        double r[3], normal = 0.0;
        for (int c = 0; c < 3; ++c) r[c] = abuti_verify_point(contact, side)[c] - b->com[c];
        normal += n[0] * (at[0] + w[1] * r[2] - w[2] * r[1]);
        normal += n[1] * (at[1] + w[2] * r[0] - w[0] * r[2]);
        normal += n[2] * (at[2] + w[0] * r[1] - w[1] * r[0]);
        sum += side == 0 ? normal : -normal;
    }
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (fabs(square - 1.0) <= 1e-8) return sum * (1.5 - 0.5 * square); /* 1 / sqrt(square) to 16 digits */
    return sum / sqrt(square);
}

/* The part of n.u that moves with `velocity` (NULL: before the step). */
static double moving_part(const abuti_verification *v, int index, const double *velocity)
{
    const abut_generalised *g = v->problem->generalised;
    if (!g) return along_normal(v, index, ABUT_DYNAMIC, velocity);
    return abuti_verify_normal_along(v, index, velocity ? velocity : g->velocity);
}

/* The rest of a: what kinematic bodies and surfaces do, and b. */
static double given_part(const abuti_verification *v, int index)
{
    const abut_contact *contact = &v->problem->contacts[index];
    double given =
               v->problem->generalised ? contact->surface[0] : along_normal(v, index, ABUT_KINEMATIC, NULL),
           before = 0.0;
    if (contact->restitution != 0.0) before = given + moving_part(v, index, NULL);
    return given + abuti_verify_bias(v, contact, before);
}

/* ------------------------------------------------------------------------------------------------
 * The cap of the summation formulation */

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
    if (v->options->unions.epsilon > 0.0) return v->options->unions.epsilon / v->time;
    const abut_generalised *g = v->problem->generalised;
    if (g && g->block_count > 0) {
        abuti_verify_free_blocks(v, island, u->free);
    } else if (g) {
        free_generalised(v, u->factor, u->free);
    } else {
        for (int i = 0; i < island->bodies; ++i)
            free_body(v, island->body[i], u->free + 6 * (size_t)island->body[i]);
    }
    double motion = 0.0, rest = 0.0;
    for (int i = 0; i < contacts_of(v, island); ++i) {
        int contact = contact_at(island, i);
        if (v->problem->contacts[contact].group <= 0) continue;
        motion = fmax(motion, fabs(moving_part(v, contact, u->free)));
        rest = fmax(rest, fabs(given_part(v, contact)));
    }
    return CAP * (motion > 0.0 ? motion : rest);
}

/* ------------------------------------------------------------------------------------------------
 * First: gaps */

static bool pushes(const abuti_verification *v, int contact)
{
    const double *p = v->impulses + 3 * (size_t)contact;
    return !(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
}

static void take_gaps(const abuti_verification *v, const abuti_island *island)
{
    abuti_verify_unions *u = v->unions;
    for (int i = 0; i < contacts_of(v, island); ++i) {
        int contact = contact_at(island, i), group = u->group[contact];
        if (group < 0) continue;
        double a = moving_part(v, contact, v->velocity) + given_part(v, contact);
        a += v->problem->contacts[contact].compliance * v->impulses[3 * (size_t)contact];
        u->gap[contact] = a;
        if (u->top[group] >= 0 && !(a > u->highest[group])) continue;
        u->top[group] = contact;
        u->highest[group] = a;
    }
}

/* Lists what the judge must see: ordinary contacts, sides that push and, where a union is violated, its best side. */
static void list_visits(const abuti_verification *v, const abuti_island *island)
{
    abuti_verify_unions *u = v->unions;
    u->visits = 0;
    for (int i = 0; i < contacts_of(v, island); ++i) {
        int contact = contact_at(island, i), group = u->group[contact];
        bool wanted = group < 0 || pushes(v, contact);
        if (!wanted && u->top[group] == contact)
            wanted = u->sum ? !(u->total[group] >= u->e) : !(u->highest[group] >= 0.0);
        if (wanted) u->visit[u->visits++] = contact;
    }
}

static bool same_row(const abuti_verification *v, int i, int j)
{
    const abut_contact_problem *problem = v->problem;
    const abut_contact *a = &problem->contacts[i], *b = &problem->contacts[j];
    const abut_generalised *g = problem->generalised;
    bool bodies = a->bodies[0] == b->bodies[0] && a->bodies[1] == b->bodies[1];
    if (g && g->block_count > 0 && !bodies) return false;
    if (g) {
        size_t width = 0;
        const double *first = abuti_verify_normal_row(v, i, &width),
                     *second = abuti_verify_normal_row(v, j, &width);
        return memcmp(first, second, width * sizeof *first) == 0;
    }
    return bodies && memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(abuti_verify_point(a, 1), abuti_verify_point(b, 1), sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

/* Whether another side of the group has the same row and a larger a (or the same a and a lower index). */
static bool is_duplicate(const abuti_verification *v, const abuti_island *island, int contact)
{
    const abuti_verify_unions *u = v->unions;
    for (int i = 0; i < contacts_of(v, island); ++i) {
        int other = contact_at(island, i);
        if (other == contact || u->group[other] != u->group[contact]) continue;
        bool more = u->gap[other] > u->gap[contact] || (u->gap[other] == u->gap[contact] && other < contact);
        if (more && same_row(v, contact, other)) return true;
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

bool abuti_verify_unions_begin(abuti_verification *v, const abuti_island *island, abuti_verify_unions *u,
                               abuti_judge *judge)
{
    if (!has_groups(v, island)) return false;
    v->unions = u;
    lay_out(u, v->problem, abuti_verify_unions_memory(v));
    u->judge = judge;
    u->sum = v->options->unions.rule == ABUT_UNION_SUM;
    int groups = number_groups(u, v, island);
    if (groups == 0) return false;
    for (int g = 0; g < groups; ++g) {
        u->highest[g] = -INFINITY;
        u->top[g] = -1;
        u->total[g] = 0.0;
    }
    u->e = u->sum ? cap(v, island) : 0.0;
    take_gaps(v, island);
    if (u->sum) add_up(v, island);
    list_visits(v, island);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Then: the judgement */

/* What the impulse of side l of a chunk must be complementary to, and by how much its union is violated, in units of
 * s. */
static double partner(const abuti_verify_unions *u, const abuti_chunk *chunk, int l, int group,
                      double *missing)
{
    double inverse = chunk->inverse_size[0][l], m = u->highest[group];
    if (!u->sum) {
        *missing = fmax(0.0, -m * inverse);
        return fmax(0.0, -chunk->velocity[0][l]) + m;
    }
    double w = u->total[group] - u->e;
    *missing = m < -u->e ? -m * inverse : fmax(0.0, -w * inverse);
    return w;
}

void abuti_judge_union(abuti_verification *v, const abuti_chunk *chunk)
{
    const abuti_verify_unions *u = v->unions;
    abuti_chunk seen = *chunk;
    for (int l = 0; l < chunk->count; ++l) {
        int contact = chunk->index[l], group = u->group[contact];
        if (group < 0) continue;
        double missing = 0.0, w = partner(u, chunk, l, group, &missing);
        bool idle = !pushes(v, contact);
        seen.velocity[0][l] = idle ? 0.0 : w;
        if (v->model->untied) { /* no cone ties tangential forces to the normal one */
            double f = abuti_length(chunk->impulse[1][l], chunk->impulse[2][l]) * chunk->size[1][l];
            abuti_raise(&v->findings->side_glue, fmin(f, fmax(0.0, w) * chunk->inverse_size[0][l]));
        }
        for (int axis = 1; axis < 3 && idle; ++axis) seen.velocity[axis][l] = 0.0;
        if (u->top[group] != contact) continue;
        abuti_raise(&v->findings->normal[l], missing);
        if (missing > v->findings->worst[l]) {
            v->findings->worst[l] = missing;
            v->findings->worst_place[l] = chunk->place;
        }
    }
    u->judge(v, &seen);
}
