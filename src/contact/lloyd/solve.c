/* The structural linear solve: equations (24) to (33) of the paper, with the bordered cases of its
 * appendix A.
 *
 * The small system has one equation for each nonbasic w outside the eliminated quadruples and one unknown for
 * each basic z outside them. In velocity space (see lloyd.h for the words) they are
 *
 *     unknown     column, contact eliminated                   column, not eliminated
 *     theta_i     n_i + mu d_X                    (N* of 28)   n_i
 *     phi_ij      d_j - d_X                       (D* of 28)   d_j
 *     z0          sum of c_gamma d_X over the eliminated contacts (39)
 *     joint       its row
 *
 *     equation    row, contact eliminated                      row, not eliminated
 *     nu_i        n_i                                          n_i
 *     sigma_ij    d_j - d_X                                    d_j
 *     joint       its row
 *
 * An entry is row . column; the column of z0 has the cover added (c' of (42), (44)). Two kinds live outside
 * velocity space:
 *
 *     equation gamma_i, not eliminated    mu, -1 and c_gamma in the columns theta_i, phi_ij and z0 (47)
 *     unknown lambda_i, not eliminated    1 in the rows sigma_ij
 *
 * Appendix C excludes the second kind, but rounding does not. The three cases of the appendix differ only in
 * the kind of the odd equation w_r. */
#include "contact/lloyd/lloyd.h"
#include <math.h>
#include <string.h>

/* Equation errors above this share of the equation's size are refined. Well-conditioned systems stay below
 * it. */
#define REFINE 1e-14

static void place(const abuti_lloyd *l, int pair, abuti_lloyd_slot *slot)
{
    int contact = l->contact[pair];
    slot->kind = abuti_lloyd_kind_of(l, pair);
    slot->index = pair;
    slot->contact = contact;
    slot->body[0] = l->s->body[0][contact];
    slot->body[1] = l->s->sides == 2 ? l->s->body[1][contact] : l->s->bodies;
}

void abuti_lloyd_unknown(abuti_lloyd *l, int pair, abuti_lloyd_slot *slot, double *vector)
{
    place(l, pair, slot);
    int contact = slot->contact, x = l->eliminated[contact];
    double ex = x >= 0 ? l->dx[x] : 0, ey = x >= 0 ? l->dy[x] : 0, mu = l->s->mu[contact];
    switch (slot->kind) {
    case LLOYD_NORMAL: abuti_lloyd_combine(l, contact, 1, mu * ex, mu * ey, vector); break;
    case LLOYD_TANGENT: abuti_lloyd_combine(l, contact, 0, l->dx[pair] - ex, l->dy[pair] - ey, vector); break;
    default: memset(vector, 0, (size_t)l->vector * sizeof(double)); break;
    }
}

/* row . (velocity spread over all bodies) */
static double dot_spread(const abuti_lloyd *l, const abuti_lloyd_slot *slot, const double *row,
                         const double *v)
{
    const abuti_system *s = l->s;
    double sum = 0;
    for (int side = 0; side < s->sides; ++side) {
        const double *at = v + (size_t)slot->body[side] * (size_t)s->stride, *r = row + side * s->stride;
        for (int c = 0; c < s->dim; ++c) sum += r[c] * at[c];
    }
    return sum;
}

double abuti_lloyd_equation(abuti_lloyd *l, int pair, abuti_lloyd_slot *slot, double *vector)
{
    const abuti_system *s = l->s;
    place(l, pair, slot);
    int contact = slot->contact, x = l->eliminated[contact];
    double ex = x >= 0 ? l->dx[x] : 0, ey = x >= 0 ? l->dy[x] : 0;
    if (slot->kind == LLOYD_CONE) {
        memset(vector, 0, (size_t)l->vector * sizeof(double));
        return 0;
    }
    double n = slot->kind == LLOYD_NORMAL, tx = l->dx[pair] - ex, ty = l->dy[pair] - ey;
    if (slot->kind == LLOYD_NORMAL) tx = ty = 0;
    abuti_lloyd_combine(l, contact, n, tx, ty, vector);
    double offset = n * s->offset[0][contact] + tx * s->offset[1][contact] + ty * s->offset[2][contact];
    return offset + dot_spread(l, slot, vector, s->k);
}

/* The cover of an equation, with c' = c - E c_X (42), (45). */
static double cover_of(const abuti_lloyd *l, const abuti_lloyd_slot *equation)
{
    if (equation->kind == LLOYD_JOINT) return l->joint_cover[equation->index];
    double cover = l->cover[equation->index];
    int x = l->eliminated[equation->contact];
    return equation->kind == LLOYD_TANGENT && x >= 0 ? cover - l->cover[x] : cover;
}

double abuti_lloyd_entry(const abuti_lloyd *l, const abuti_lloyd_slot *equation, const double *row,
                         const abuti_lloyd_slot *unknown, const double *column)
{
    const abuti_system *s = l->s;
    if (unknown->kind == LLOYD_COVER) {
        double sum = equation->kind == LLOYD_CONE ? 0 : dot_spread(l, equation, row, l->cover_column);
        return sum + cover_of(l, equation);
    }
    if (equation->kind == LLOYD_CONE) {
        if (unknown->contact != equation->contact) return 0;
        return unknown->kind == LLOYD_NORMAL    ? s->mu[equation->contact]
               : unknown->kind == LLOYD_TANGENT ? -1
                                                : 0;
    }
    if (unknown->kind == LLOYD_CONE)
        return equation->kind == LLOYD_TANGENT && unknown->contact == equation->contact ? 1 : 0;
    double sum = 0;
    for (int a = 0; a < s->sides; ++a) {
        if (equation->body[a] == s->bodies) continue;
        for (int b = 0; b < s->sides; ++b) {
            if (equation->body[a] != unknown->body[b]) continue;
            const double *x = row + a * s->stride, *y = column + b * s->stride;
            for (int c = 0; c < s->dim; ++c) sum += x[c] * y[c];
        }
    }
    return sum;
}

static void clear_padding(int size, double *x)
{
    for (int i = size; i < abuti_padded(size); ++i) x[i] = 0;
}

void abuti_lloyd_column(abuti_lloyd *l, const abuti_lloyd_slot *unknown, const double *vector, double *out)
{
    for (int i = 0; i < l->size; ++i)
        out[i] =
            abuti_lloyd_entry(l, &l->equations[i], l->rows + (size_t)i * (size_t)l->vector, unknown, vector);
    clear_padding(l->size, out);
}

void abuti_lloyd_row(abuti_lloyd *l, const abuti_lloyd_slot *equation, const double *vector, double *out)
{
    for (int i = 0; i < l->size; ++i)
        out[i] = abuti_lloyd_entry(l, equation, vector, &l->unknowns[i],
                                   l->columns + (size_t)i * (size_t)l->vector);
    clear_padding(l->size, out);
}

bool abuti_lloyd_rebuild(abuti_lloyd *l)
{
    l->since_rebuild = 0;
    abuti_lloyd_sum_covers(l);
    if (l->size == 0) {
        l->inverse.m = 0;
        return true;
    }
    abuti_lu_start(&l->lu, l->size);
    for (int i = 0; i < l->size; ++i)
        abuti_lloyd_row(l, &l->equations[i], l->rows + (size_t)i * (size_t)l->vector,
                        abuti_lu_row(&l->lu, i));
    if (!abuti_lu_factor(&l->lu)) return false;
    abuti_inverse_rebuild(&l->inverse, &l->lu);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * From the unknowns of the small system to every basic variable: (27), (30), (33), (36) */

/* Collects the impulses of all contacts, z0 and the joints' part of v from the slots, and on the way the sums of phi
 * and the free lambdas. */
static void collect(abuti_lloyd *l, abuti_lloyd_drive drive, abuti_lloyd_point *p, double *phi_sum,
                    double *lambda)
{
    const abuti_system *s = l->s;
    p->z0 = drive.move == LLOYD_Z0 ? 1 : 0;
    for (int i = 0; i <= l->size; ++i) {
        double x = i < l->size ? p->slots[i] : 1;
        abuti_lloyd_slot moved = {LLOYD_COVER, 0, -1, {0, 0}};
        const abuti_lloyd_slot *slot = &l->unknowns[i];
        if (i == l->size) {
            if (drive.move != LLOYD_Z) break;
            place(l, drive.pair, &moved);
            slot = &moved;
        }
        int contact = slot->contact;
        switch (slot->kind) {
        case LLOYD_NORMAL: p->theta[contact] = x; break;
        case LLOYD_TANGENT:
            p->f[0][contact] += x * l->dx[slot->index];
            p->f[1][contact] += x * l->dy[slot->index];
            phi_sum[contact] += x;
            break;
        case LLOYD_CONE: lambda[contact] = x; break;
        case LLOYD_COVER: p->z0 = x; break;
        case LLOYD_JOINT:
            for (int side = 0; side < s->sides; ++side) {
                if (slot->body[side] >= s->bodies) continue;
                double *at = p->v + (size_t)slot->body[side] * (size_t)s->stride;
                const double *row = l->columns + (size_t)i * (size_t)l->vector + side * s->stride;
                for (int c = 0; c < s->dim; ++c) at[c] += x * row[c];
            }
            break;
        }
    }
}

static inline bool moves(abuti_lloyd_drive drive, abuti_lloyd_move move, int pair)
{
    return drive.move == move && drive.pair == pair;
}

/* Basic z stand in place of their w. The value of such a w should be zero: it is the error of the solve. */
static void take_basic(const abuti_lloyd *l, abuti_lloyd_point *p)
{
    p->residual = 0;
    for (int i = 0; i < l->size; ++i) {
        const abuti_lloyd_slot *slot = &l->unknowns[i];
        if (slot->kind > LLOYD_TANGENT) continue;
        double error = fabs(p->pairs[slot->index]);
        if (!(error <= p->residual)) p->residual = error;
        p->pairs[slot->index] = p->slots[i];
    }
    if (l->odd >= 0) p->pairs[l->odd] = 0;
}

/* Computes everything that follows from p->slots. `constant`: p is a point, with k and offsets; else a direction. */
static void complete(abuti_lloyd *l, abuti_lloyd_drive drive, bool constant, abuti_lloyd_point *p)
{
    const abuti_system *s = l->s;
    size_t lane_bytes = (size_t)s->lanes * sizeof(double);
    double *phi_sum = l->lane_work, *lambda = l->lane_work + s->lanes;
    memset(p->theta, 0, lane_bytes);
    memset(p->f[0], 0, lane_bytes);
    memset(p->f[1], 0, lane_bytes);
    memset(l->lane_work, 0, 2 * lane_bytes);
    size_t velocity_bytes = (size_t)(s->bodies + 1) * (size_t)s->stride * sizeof(double);
    if (constant)
        memcpy(p->v, s->k, velocity_bytes);
    else
        memset(p->v, 0, velocity_bytes);

    collect(l, drive, p, phi_sum, lambda);

    /* (27), (38): phi_X from gamma = 0 */
    for (int e = 0; e < l->expanded_count; ++e) {
        int i = l->expanded[e], x = l->eliminated[i];
        if (x < 0) continue;
        int cone = abuti_lloyd_cone(l, i);
        double phi = s->mu[i] * p->theta[i] - phi_sum[i] + l->cover[cone] * p->z0;
        if (moves(drive, LLOYD_W, cone)) phi -= 1;
        p->f[0][i] += phi * l->dx[x];
        p->f[1][i] += phi * l->dy[x];
        p->pairs[x] = phi;
    }

    /* (29), (40): the velocity, and (33), (36): every row times it */
    abuti_lloyd_add_impulses(l, p->theta, p->f, p->v);
    abuti_lloyd_local_velocity(l, p->v, constant, p->u);
    double *gamma = p->pairs + s->lanes;
    l->passes->normals(s->lanes, p->u[0], l->cover, p->z0, p->pairs);
    if (l->expanded_count > 0)
        l->passes->cones(s->lanes, s->mu, p->theta, phi_sum, l->cover + s->lanes, p->z0, gamma);
    else
        memset(gamma, 0, lane_bytes);

    for (int e = 0; e < l->expanded_count; ++e) {
        int i = l->expanded[e], first = l->block[i], x = l->eliminated[i];
        double u[2] = {p->u[1][i], p->u[2][i]}, shift = lambda[i], phi = 0;
        if (x >= 0) { /* (30), (41): lambda from sigma_X = 0 */
            shift = -(l->dx[x] * u[0] + l->dy[x] * u[1] + l->cover[x] * p->z0);
            if (moves(drive, LLOYD_W, x)) shift += 1;
            phi = p->pairs[x];
        }
        l->passes->tangents(abuti_padded(s->directions[i]), l->dx + first, l->dy + first, l->cover + first,
                            l->real + first, u, p->z0, shift, p->pairs + first);
        if (x >= 0) p->pairs[x] = phi;
        if (l->basic[abuti_lloyd_cone(l, i)]) gamma[i] = shift;
    }

    take_basic(l, p);
}

/* The error of an equation at a point (`constant`) or along an edge: what rounding leaves of (24), which
 * should be zero. */
static double remainder_at(abuti_lloyd *l, abuti_lloyd_drive drive, bool constant, const abuti_lloyd_point *p,
                           int equation)
{
    const abuti_lloyd_slot *slot = &l->equations[equation];
    const double *row = l->rows + (size_t)equation * (size_t)l->vector;
    double sum = slot->kind == LLOYD_JOINT || !moves(drive, LLOYD_W, slot->index) ? 0 : -1;
    if (slot->kind == LLOYD_CONE) {
        for (int t = 0; t < l->size; ++t)
            sum += p->slots[t] * abuti_lloyd_entry(l, slot, row, &l->unknowns[t], NULL);
        if (drive.move == LLOYD_Z) {
            abuti_lloyd_slot moved;
            place(l, drive.pair, &moved);
            sum += abuti_lloyd_entry(l, slot, row, &moved, NULL);
        }
        return sum;
    }
    sum += dot_spread(l, slot, row, p->v) + cover_of(l, slot) * p->z0;
    if (constant) sum += l->constants[equation] - dot_spread(l, slot, row, l->s->k);
    if (slot->kind != LLOYD_TANGENT || l->eliminated[slot->contact] >= 0) return sum;
    int cone = abuti_lloyd_cone(l, slot->contact); /* lambda, when it has a slot or drives */
    if (l->unknown_of[cone] >= 0) sum += p->slots[l->unknown_of[cone]];
    return moves(drive, LLOYD_Z, cone) ? sum + 1 : sum;
}

/* One step of iterative refinement. Ties need it, above all with light bodies between heavy ones. */
static void refine(abuti_lloyd *l, abuti_lloyd_drive drive, bool constant, abuti_lloyd_point *p)
{
    for (int i = 0; i < l->size; ++i) l->entering[i] = remainder_at(l, drive, constant, p, i);
    clear_padding(l->size, l->entering);
    abuti_inverse_solve(&l->inverse, l->entering, l->solved[0]);
    for (int i = 0; i < l->size; ++i) p->slots[i] -= l->solved[0][i];
    complete(l, drive, constant, p);
}

void abuti_lloyd_vertex(abuti_lloyd *l)
{
    const abuti_lloyd_drive none = {LLOYD_NOTHING, -1};
    abuti_lloyd_point *p = &l->point;
    clear_padding(l->size, l->constants);
    abuti_inverse_solve(&l->inverse, l->constants, p->slots);
    for (int i = 0; i < l->size; ++i) p->slots[i] = -p->slots[i];
    complete(l, none, true, p);
    if (!(p->residual <= REFINE * l->scale)) refine(l, none, true, p);
}

void abuti_lloyd_refine(abuti_lloyd *l)
{
    refine(l, (abuti_lloyd_drive){LLOYD_NOTHING, -1}, true, &l->point);
}

/* The values of a block that has just appeared: theta, phi and lambda of its contact are zero. */
void abuti_lloyd_block_values(abuti_lloyd *l, int contact)
{
    abuti_lloyd_point *p = &l->point;
    int first = l->block[contact], cone = abuti_lloyd_cone(l, contact);
    double u[2] = {p->u[1][contact], p->u[2][contact]};
    l->passes->tangents(abuti_padded(l->s->directions[contact]), l->dx + first, l->dy + first,
                        l->cover + first, l->real + first, u, p->z0, 0, p->pairs + first);
    p->pairs[cone] = l->cover[cone] * p->z0;
}

/* Moves the point to the other end of the present edge. Only what the path needs is moved: pairs, z0 and the
 * local velocities. */
void abuti_lloyd_advance(abuti_lloyd *l, abuti_lloyd_drive in, int out)
{
    const abuti_lloyd_point *e = &l->edge;
    abuti_lloyd_point *p = &l->point;
    double value = out < 0 ? p->z0 : p->pairs[out], rate = out < 0 ? e->z0 : e->pairs[out];
    double step = value > 0 || in.move == LLOYD_Z0 ? -value / rate : 0;
    l->kernels->axpy(l->pairs, step, e->pairs, p->pairs);
    for (int axis = 1; axis < 3; ++axis) l->kernels->axpy(l->s->lanes, step, e->u[axis], p->u[axis]);
    p->z0 = out < 0 ? 0 : p->z0 + step * e->z0;
    p->residual += fabs(step) * e->residual;
    if (out >= 0) p->pairs[out] = 0;
    if (in.move == LLOYD_Z0)
        p->z0 = step;
    else
        p->pairs[in.pair] = step;
}

/* The column of a driving w whose equation is eliminated. Its right-hand side after (27) and (30) reaches the
 * other equations through b_* of (28). Only the lexicographic rule asks for it. */
static void eliminated_column(abuti_lloyd *l, int pair, double *out)
{
    int contact = l->contact[pair], x = l->eliminated[contact];
    if (pair == x) { /* sigma_X = 1 is subtracted from the other sigma of the contact */
        for (int i = 0; i < l->size; ++i) {
            const abuti_lloyd_slot *slot = &l->equations[i];
            out[i] = slot->kind == LLOYD_TANGENT && slot->contact == contact ? -1 : 0;
        }
    } else { /* gamma = 1 takes 1 from phi_X */
        abuti_lloyd_slot slot = {LLOYD_TANGENT, x, contact, {0, 0}};
        place(l, x, &slot);
        abuti_lloyd_combine(l, contact, 0, l->dx[x], l->dy[x], l->vectors);
        abuti_lloyd_column(l, &slot, l->vectors, out);
        for (int i = 0; i < l->size; ++i) {
            if (l->equations[i].kind == LLOYD_CONE) out[i] = 0;
        }
    }
    clear_padding(l->size, out);
}

void abuti_lloyd_edge(abuti_lloyd *l, abuti_lloyd_drive drive, abuti_lloyd_point *edge)
{
    if (drive.move == LLOYD_W && l->equation_of[drive.pair] >= 0) { /* (21) */
        int at = l->equation_of[drive.pair];
        for (int i = 0; i < l->size; ++i) edge->slots[i] = abuti_inverse_row(&l->inverse, i)[at];
    } else if (drive.move == LLOYD_W) {
        eliminated_column(l, drive.pair, l->entering);
        abuti_inverse_solve(&l->inverse, l->entering, edge->slots);
    } else { /* (20) */
        abuti_lloyd_slot slot = {LLOYD_COVER, -1, -1, {l->s->bodies, l->s->bodies}};
        if (drive.move == LLOYD_Z) abuti_lloyd_unknown(l, drive.pair, &slot, l->vectors);
        abuti_lloyd_column(l, &slot, l->vectors, l->entering);
        abuti_inverse_solve(&l->inverse, l->entering, edge->slots);
        for (int i = 0; i < l->size; ++i) edge->slots[i] = -edge->slots[i];
    }
    complete(l, drive, false, edge);
    if (!(edge->residual <= REFINE)) refine(l, drive, false, edge);
}
