/* Changes of the basis, each one rank-one change of the small system's inverse.
 *
 * Let F be the inverse of the full basis matrix: rows are basic z, columns are nonbasic w. The small system's
 * inverse H is F without the rows (phi_X, lambda) and columns (sigma_X, gamma) of every eliminated contact.
 * Exchanging a pair of variables changes F by a matrix of rank one, hence every submatrix of F too. So a
 * pivot that touches an eliminated phi_X or lambda first restores its quadruple (two rows and two columns
 * more), then exchanges as usual, and afterwards every contact that can be eliminated is forgotten again. */
#include "contact/lloyd/lloyd.h"
#include <math.h>
#include <string.h>

/* A row counts as dependent on those present when elimination leaves at most this part of it. Rows are of order one, so
 * what is left of a dependent one is rounding, far below this. */
#define DEPENDENT 1e-10

/* A pivot this small beside the numbers it came from has no correct digits. */
#define PIVOT_NOISE 1e-13

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void set_basic(abuti_lloyd *l, int pair, bool basic)
{
    if (l->basic[pair] == basic) return;
    l->basic[pair] = basic;
    l->hash ^= mix((uint64_t)pair + 1);
}

void abuti_lloyd_clear(abuti_lloyd *l)
{
    const abuti_system *s = l->s;
    size_t lanes = (size_t)s->lanes;
    l->pairs = 2 * s->lanes;
    l->expanded_count = 0;
    l->size = 0;
    l->inverse.m = 0;
    l->z0_slot = -1;
    l->odd = -1;
    l->hash = 0;
    l->since_rebuild = 0;
    memset(l->basic, 0, 2 * lanes);
    memset(l->cover, 0, 2 * lanes * sizeof(double));
    memset(l->dx, 0, 2 * lanes * sizeof(double));
    memset(l->dy, 0, 2 * lanes * sizeof(double));
    memset(l->reach, 0, lanes * sizeof(double));
    memset(l->cover_column, 0, (size_t)(s->bodies + 1) * (size_t)s->stride * sizeof(double));
    if (s->joints > 0) memset(l->joint_cover, 0, (size_t)s->joints * sizeof(double));
    for (int i = 0; i < s->lanes; ++i) l->block[i] = l->eliminated[i] = -1;
    for (int p = 0; p < l->pairs; ++p) {
        l->contact[p] = p % s->lanes;
        l->unknown_of[p] = l->equation_of[p] = -1;
    }
}

void abuti_lloyd_expand(abuti_lloyd *l, int contact, double cover_tangent, double cover_cone)
{
    int d = l->s->directions[contact], first = l->pairs, width = abuti_padded(d);
    const double *direction = abuti_direction(d, 0);
    for (int j = 0; j < width; ++j) {
        int p = first + j;
        bool real = j < d;
        l->contact[p] = contact;
        l->basic[p] = 0;
        l->real[p] = real ? 1 : 0;
        l->cover[p] = real ? cover_tangent : 0;
        l->dx[p] = real ? direction[2 * j] : 0;
        l->dy[p] = real ? direction[2 * j + 1] : 0;
        l->unknown_of[p] = l->equation_of[p] = -1;
    }
    l->cover[abuti_lloyd_cone(l, contact)] = cover_cone;
    l->block[contact] = first;
    l->pairs += width;
    l->expanded[l->expanded_count++] = contact;
}

/* ------------------------------------------------------------------------------------------------
 * Slots */

static double *column_at(abuti_lloyd *l, int slot)
{
    return l->columns + (size_t)slot * (size_t)l->vector;
}

static double *row_at(abuti_lloyd *l, int slot)
{
    return l->rows + (size_t)slot * (size_t)l->vector;
}

static void put_unknown(abuti_lloyd *l, int at, const abuti_lloyd_slot *slot, const double *vector)
{
    l->unknowns[at] = *slot;
    memmove(column_at(l, at), vector, (size_t)l->vector * sizeof(double));
    if (slot->kind == LLOYD_COVER)
        l->z0_slot = at;
    else if (slot->kind != LLOYD_JOINT)
        l->unknown_of[slot->index] = at;
}

static void put_equation(abuti_lloyd *l, int at, const abuti_lloyd_slot *slot, const double *vector,
                         double constant)
{
    l->equations[at] = *slot;
    memmove(row_at(l, at), vector, (size_t)l->vector * sizeof(double));
    l->constants[at] = constant;
    if (slot->kind != LLOYD_JOINT) l->equation_of[slot->index] = at;
}

/* Makes the vectors of a contact's slots anew, which depend on its phi_X. */
static void refresh(abuti_lloyd *l, int contact)
{
    for (int i = 0; i < l->size; ++i) {
        abuti_lloyd_slot slot;
        if (l->unknowns[i].contact == contact)
            abuti_lloyd_unknown(l, l->unknowns[i].index, &slot, column_at(l, i));
        if (l->equations[i].contact == contact)
            l->constants[i] = abuti_lloyd_equation(l, l->equations[i].index, &slot, row_at(l, i));
    }
}

/* c* of (39) gains or loses c_gamma d_X. */
static void shift_cover(abuti_lloyd *l, int contact, double sign)
{
    const abuti_system *s = l->s;
    int x = l->eliminated[contact];
    double c = sign * l->cover[abuti_lloyd_cone(l, contact)];
    double *vector = l->vectors;
    abuti_lloyd_combine(l, contact, 0, c * l->dx[x], c * l->dy[x], vector);
    for (int side = 0; side < s->sides; ++side) {
        int body = s->body[side][contact];
        if (body >= s->bodies) continue;
        double *at = l->cover_column + (size_t)body * (size_t)s->stride;
        for (int i = 0; i < s->dim; ++i) at[i] += vector[side * s->stride + i];
    }
}

void abuti_lloyd_sum_covers(abuti_lloyd *l)
{
    memset(l->cover_column, 0, (size_t)(l->s->bodies + 1) * (size_t)l->s->stride * sizeof(double));
    for (int e = 0; e < l->expanded_count; ++e) {
        if (l->eliminated[l->expanded[e]] >= 0) shift_cover(l, l->expanded[e], 1);
    }
}

void abuti_lloyd_eliminate(abuti_lloyd *l, int tangent_pair)
{
    int contact = l->contact[tangent_pair];
    l->eliminated[contact] = tangent_pair;
    set_basic(l, tangent_pair, true);
    set_basic(l, abuti_lloyd_cone(l, contact), true);
    shift_cover(l, contact, 1);
}

static double *inverse_row(abuti_lloyd *l, int i)
{
    return l->inverse.H + (size_t)i * (size_t)l->inverse.ld;
}

/* Gives slots to phi_X, lambda, sigma_X and gamma of an eliminated contact: the rows and columns of F that were
 * left out. P is the block of the full matrix with rows (sigma_X, gamma) and columns (phi_X, lambda), and
 * a = d_X . d_X:
 *
 *     P = [a 1; -1 0],  P^-1 = [0 -1; 1 a],   U = M_.P P^-1,  L = P^-1 M_P.,
 *     F = [H, -H U; -L H, P^-1 + L H U]. */
static void restore(abuti_lloyd *l, int contact)
{
    int m = l->size, x = l->eliminated[contact], cone = abuti_lloyd_cone(l, contact);
    int width = abuti_padded(m + 2);
    abuti_lloyd_slot phi, lambda, sigma, gamma;
    double *vector = l->vectors + l->vector;
    shift_cover(l, contact, -1);
    l->eliminated[contact] = -1;
    refresh(l, contact);

    /* U and L; row and column of the cone kind have zero vectors */
    double *a1 = l->entering, *b1 = l->leaving, *a2 = l->solved[0], *b2 = l->solved[1];
    abuti_lloyd_unknown(l, x, &phi, vector);
    abuti_lloyd_column(l, &phi, vector, a1);
    put_unknown(l, m, &phi, vector);
    double constant = abuti_lloyd_equation(l, x, &sigma, vector);
    double a = abuti_lloyd_entry(l, &sigma, vector, &phi, column_at(l, m));
    abuti_lloyd_row(l, &sigma, vector, b1);
    put_equation(l, m, &sigma, vector, constant);
    abuti_lloyd_unknown(l, cone, &lambda, vector);
    abuti_lloyd_column(l, &lambda, vector, a2);
    put_unknown(l, m + 1, &lambda, vector);
    abuti_lloyd_equation(l, cone, &gamma, vector);
    abuti_lloyd_row(l, &gamma, vector, b2);
    put_equation(l, m + 1, &gamma, vector, 0);
    for (int i = 0; i < m; ++i) {
        a1[i] = a * a2[i] - a1[i]; /* second column of U; the first is a2 */
        b1[i] = b1[i] + a * b2[i]; /* second row of L; the first is -b2 */
    }

    /* -H U in two new columns, -L H in two new rows */
    double *first = inverse_row(l, m), *second = inverse_row(l, m + 1);
    memset(first, 0, (size_t)width * sizeof(double));
    memset(second, 0, (size_t)width * sizeof(double));
    l->kernels->add_transposed(m, m, l->inverse.H, l->inverse.ld, b2, first); /* minus -b2 H */
    double corner[2][2] = {{0, -1}, {1, a}};
    for (int i = 0; i < m; ++i) {
        double *row = inverse_row(l, i);
        l->kernels->axpy(m, -b1[i], row, second);
        double hu1 = l->kernels->dot(m, row, a2), hu2 = l->kernels->dot(m, row, a1);
        corner[0][0] -= b2[i] * hu1;
        corner[0][1] -= b2[i] * hu2;
        corner[1][0] += b1[i] * hu1;
        corner[1][1] += b1[i] * hu2;
        for (int j = m; j < width; ++j) row[j] = 0;
        row[m] = -hu1;
        row[m + 1] = -hu2;
    }
    first[m] = corner[0][0];
    first[m + 1] = corner[0][1];
    second[m] = corner[1][0];
    second[m + 1] = corner[1][1];
    l->size = l->inverse.m = m + 2;
}

/* Drops one unknown and one equation from slots and inverse; the last ones take their places. */
static void drop(abuti_lloyd *l, int unknown, int equation)
{
    int last = l->size - 1;
    l->unknown_of[l->unknowns[unknown].index] = -1;
    l->equation_of[l->equations[equation].index] = -1;
    if (unknown != last) {
        put_unknown(l, unknown, &l->unknowns[last], column_at(l, last));
        memcpy(inverse_row(l, unknown), inverse_row(l, last), (size_t)abuti_padded(l->size) * sizeof(double));
    }
    if (equation != last) put_equation(l, equation, &l->equations[last], row_at(l, last), l->constants[last]);
    for (int i = 0; i < last; ++i) {
        double *row = inverse_row(l, i);
        row[equation] = row[last];
        row[last] = 0;
    }
    l->size = l->inverse.m = last;
}

/* Eliminates a contact whose lambda and some phi are basic; the largest phi becomes phi_X. */
static void settle(abuti_lloyd *l, int contact)
{
    int first = l->block[contact];
    if (first < 0 || l->eliminated[contact] >= 0) return;
    int cone = abuti_lloyd_cone(l, contact), x = -1;
    if (l->unknown_of[cone] < 0 || l->equation_of[cone] < 0) return;
    for (int p = first; p < first + l->s->directions[contact]; ++p) {
        if (l->unknown_of[p] < 0 || l->equation_of[p] < 0) continue;
        if (x < 0 || l->point.pairs[p] > l->point.pairs[x]) x = p;
    }
    if (x < 0) return;
    drop(l, l->unknown_of[x], l->equation_of[cone]);
    drop(l, l->unknown_of[cone], l->equation_of[x]);
    l->eliminated[contact] = x;
    shift_cover(l, contact, 1);
    refresh(l, contact);
}

/* ------------------------------------------------------------------------------------------------
 * Exchanges */

/* Adds an unknown and an equation (their vectors in l->vectors, one after the other) to the small system. */
static bool border(abuti_lloyd *l, const abuti_lloyd_slot *unknown, const abuti_lloyd_slot *equation,
                   double constant, double threshold)
{
    const double *column = l->vectors, *row = l->vectors + l->vector;
    abuti_lloyd_column(l, unknown, column, l->entering);
    abuti_lloyd_row(l, equation, row, l->leaving);
    abuti_inverse_solve(&l->inverse, l->entering, l->solved[0]);
    double entry = abuti_lloyd_entry(l, equation, row, unknown, column), pivot = entry, size = fabs(entry);
    for (int i = 0; i < l->size; ++i) {
        double term = l->leaving[i] * l->solved[0][i];
        pivot -= term;
        size += fabs(term);
    }
    if (!(fabs(pivot) > threshold * size) || l->size + 3 > l->slot_capacity) return false;
    abuti_inverse_solve_transposed(&l->inverse, l->leaving, l->solved[1]);
    abuti_inverse_border(&l->inverse, l->solved[0], l->solved[1], pivot);
    put_unknown(l, l->size, unknown, column);
    put_equation(l, l->size, equation, row, constant);
    l->size++;
    return true;
}

bool abuti_lloyd_admit(abuti_lloyd *l, int pair)
{
    abuti_lloyd_slot unknown, equation;
    abuti_lloyd_unknown(l, pair, &unknown, l->vectors);
    double constant = abuti_lloyd_equation(l, pair, &equation, l->vectors + l->vector);
    if (!border(l, &unknown, &equation, constant, DEPENDENT)) return false;
    set_basic(l, pair, true);
    return true;
}

bool abuti_lloyd_admit_joint(abuti_lloyd *l, int joint)
{
    const abuti_system *s = l->s;
    const double *row = s->joint_rows + (size_t)joint * (size_t)l->vector;
    abuti_lloyd_slot slot = {LLOYD_JOINT, joint, -1, {s->joint_body[0][joint], s->bodies}};
    if (s->sides == 2) slot.body[1] = s->joint_body[1][joint];
    double constant = s->joint_offset[joint];
    for (int side = 0; side < s->sides; ++side) {
        const double *k = s->k + (size_t)slot.body[side] * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c) constant += row[side * s->stride + c] * k[c];
    }
    memcpy(l->vectors, row, (size_t)l->vector * sizeof(double));
    memcpy(l->vectors + l->vector, row, (size_t)l->vector * sizeof(double));
    return border(l, &slot, &slot, constant, DEPENDENT);
}

bool abuti_lloyd_exchange(abuti_lloyd *l, abuti_lloyd_drive in, int out)
{
    bool z_enters = in.move != LLOYD_W, z_leaves = out < 0 || l->basic[out];
    if (out >= 0 && z_leaves && l->unknown_of[out] < 0) {
        if (l->size + 3 > l->slot_capacity) return false;
        restore(l, l->contact[out]);
    }
    int leaving_slot = !z_leaves ? -1 : out < 0 ? l->z0_slot : l->unknown_of[out];
    int entering_slot = z_enters ? -1 : l->equation_of[in.pair];

    abuti_lloyd_slot unknown = {LLOYD_COVER, -1, -1, {l->s->bodies, l->s->bodies}}, equation;
    double *column = l->vectors, *row = l->vectors + l->vector, constant = 0;
    if (in.move == LLOYD_Z) abuti_lloyd_unknown(l, in.pair, &unknown, column);
    if (in.move == LLOYD_Z0) memset(column, 0, (size_t)l->vector * sizeof(double));
    if (!z_leaves) constant = abuti_lloyd_equation(l, out, &equation, row);

    if (z_enters && !z_leaves) {
        if (!border(l, &unknown, &equation, constant, PIVOT_NOISE)) return false;
    } else if (z_enters) {
        abuti_lloyd_column(l, &unknown, column, l->entering);
        abuti_inverse_solve(&l->inverse, l->entering, l->solved[0]);
        if (!(fabs(l->solved[0][leaving_slot]) > PIVOT_NOISE)) return false;
        abuti_inverse_replace_column(&l->inverse, leaving_slot, l->solved[0]);
        if (out >= 0)
            l->unknown_of[out] = -1;
        else
            l->z0_slot = -1;
        put_unknown(l, leaving_slot, &unknown, column);
    } else if (!z_leaves) {
        abuti_lloyd_row(l, &equation, row, l->leaving);
        abuti_inverse_solve_transposed(&l->inverse, l->leaving, l->solved[1]);
        if (!(fabs(l->solved[1][entering_slot]) > PIVOT_NOISE)) return false;
        abuti_inverse_replace_row(&l->inverse, entering_slot, l->solved[1]);
        l->equation_of[in.pair] = -1;
        put_equation(l, entering_slot, &equation, row, constant);
    } else {
        if (!(fabs(inverse_row(l, leaving_slot)[entering_slot]) > PIVOT_NOISE)) return false;
        abuti_inverse_remove(&l->inverse, entering_slot, leaving_slot);
        int last = l->size - 1;
        if (out >= 0)
            l->unknown_of[out] = -1;
        else
            l->z0_slot = -1;
        l->equation_of[in.pair] = -1;
        if (leaving_slot != last) put_unknown(l, leaving_slot, &l->unknowns[last], column_at(l, last));
        if (entering_slot != last)
            put_equation(l, entering_slot, &l->equations[last], row_at(l, last), l->constants[last]);
        l->size = last;
    }

    if (in.move != LLOYD_Z0) set_basic(l, in.pair, z_enters);
    if (out >= 0) set_basic(l, out, false);
    l->odd = out;
    if (in.move != LLOYD_Z0) settle(l, l->contact[in.pair]);
    if (out >= 0) settle(l, l->contact[out]);
    l->since_rebuild++;
    return true;
}
