#include "lcp/lemke_basis.h"
#include <math.h>
#include <string.h>

void abuti_lemke_basis_layout(abuti_lemke *s, abuti_arena *arena, int n)
{
    int order = n + 1, ld = abuti_leading_dimension(order);
    s->ld = ld;
    s->cover = abuti_take(arena, ld, double);
    s->column = abuti_take(arena, order, int);
    s->row = abuti_take(arena, order, int);
    s->column_slot = abuti_take(arena, order, int);
    s->row_slot = abuti_take(arena, order, int);
    s->columns = abuti_take(arena, (size_t)(order + 1) * (size_t)ld, double);
    abuti_inverse_layout(&s->inverse, arena, order);
    abuti_lu_layout(&s->lu, arena, order);
    s->x = abuti_take(arena, ld, double);
    s->dx = abuti_take(arena, ld, double);
    s->w = abuti_take(arena, ld, double);
    s->dw = abuti_take(arena, ld, double);
    s->rhs = abuti_take(arena, ld, double);
    s->drhs = abuti_take(arena, ld, double);
    s->scratch = abuti_take(arena, 2 * (size_t)ld, double);
}

/* ------------------------------------------------------------------------------------------------
 * The index lists and the columns of M */

/* A 64-bit mixer (Steele, Lea, Flood 2014): gives each variable its random key. */
static uint64_t variable_key(int variable)
{
    uint64_t z = (uint64_t)(variable + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double *column_data(const abuti_lemke *s, int slot)
{
    return s->columns + (size_t)slot * (size_t)s->ld;
}

/* Column j of M (c for j = n), padded, into place `slot`. */
static void load_column(abuti_lemke *s, int j, int slot)
{
    const abuti_lcp *p = s->problem;
    double *data = column_data(s, slot);
    if (j == s->n) {
        memcpy(data, s->cover, (size_t)s->n * sizeof(double));
    } else if (p->symmetric) {
        memcpy(data, p->M + (size_t)j * (size_t)p->ld, (size_t)s->n * sizeof(double));
    } else {
        for (int i = 0; i < s->n; ++i) data[i] = p->M[(size_t)i * (size_t)p->ld + (size_t)j];
    }
    for (int i = s->n; i < abuti_padded(s->n); ++i) data[i] = 0;
}

static void set_column(abuti_lemke *s, int slot, int variable)
{
    s->column[slot] = variable;
    s->column_slot[variable] = slot;
    s->key ^= variable_key(variable);
}

static void set_row(abuti_lemke *s, int slot, int row)
{
    s->row[slot] = row;
    s->row_slot[row] = slot;
}

/* Forgets the variable of a column; the last column (of `count`) moves into its place. */
static void drop_column(abuti_lemke *s, int slot, int count)
{
    int last = count - 1;
    s->key ^= variable_key(s->column[slot]);
    s->column_slot[s->column[slot]] = -1;
    if (slot == last) return;
    s->column[slot] = s->column[last];
    s->column_slot[s->column[slot]] = slot;
    memcpy(column_data(s, slot), column_data(s, last), (size_t)s->ld * sizeof(double));
}

static void drop_row(abuti_lemke *s, int slot, int count)
{
    int last = count - 1;
    s->row_slot[s->row[slot]] = -1;
    if (slot != last) set_row(s, slot, s->row[last]);
}

void abuti_lemke_gather_row(const abuti_lemke *s, int row, double *b)
{
    const double *M = s->problem->M + (size_t)row * (size_t)s->problem->ld;
    int m = s->inverse.m;
    for (int j = 0; j < m; ++j) b[j] = s->column[j] == s->n ? s->cover[row] : M[s->column[j]];
    for (int j = m; j < abuti_padded(m); ++j) b[j] = 0;
}

void abuti_lemke_start(abuti_lemke *s, int r)
{
    for (int i = 0; i <= s->n; ++i) s->column_slot[i] = s->row_slot[i] = -1;
    for (int i = s->n; i < abuti_padded(s->n); ++i) s->w[i] = 0;
    s->key = 0;
    abuti_inverse_start(&s->inverse, s->cover[r]);
    set_column(s, 0, s->n);
    set_row(s, 0, r);
    load_column(s, s->n, 0);
    s->missing = r;
    s->driving_w = false;
    s->drift_allowed = ABUTI_LEMKE_DRIFT;
    s->age = 0;
}

/* ------------------------------------------------------------------------------------------------
 * Values and rates */

/* w += [M_j | c] x over the columns of B. */
static void add_columns(const abuti_lemke *s, const double *x, double *w)
{
    s->inverse.kernels->add_transposed(s->inverse.m, abuti_padded(s->n), s->columns, s->ld, x, w);
}

/* Takes what is left in the rows R of w, negated, into `left`; returns its size relative to the terms of
 * each row. `target` is what row r should hold, `own` the size of the terms besides x. */
static double take_leftover(const abuti_lemke *s, double *w, double target, double own, double x0,
                            double *left)
{
    double worst = 0;
    for (int t = 0; t < s->inverse.m; ++t) {
        int i = s->row[t];
        left[t] = (i == s->missing ? target : 0) - w[i];
        double relative = fabs(left[t]) / (own + s->cover[i] * fabs(x0));
        if (relative > worst || isnan(relative)) worst = relative;
        w[i] = 0;
    }
    return worst;
}

/* The right-hand sides of B x = -q_R and, for driving z_r, B dx = -M_Rr. */
static void gather_right_sides(abuti_lemke *s)
{
    const double *q = s->problem->q, *driving = column_data(s, s->inverse.m);
    int m = s->inverse.m, width = abuti_padded(m);
    for (int t = 0; t < m; ++t) s->rhs[t] = -q[s->row[t]];
    for (int t = m; t < width; ++t) s->rhs[t] = s->drhs[t] = 0;
    if (s->driving_w) return;
    for (int t = 0; t < m; ++t) s->drhs[t] = -driving[s->row[t]];
}

/* Point and direction with H as it is:
 *
 *     x = -H q_R,                        w  = q + [M_j | c] x
 *     dx = -H M_Rr  (driving z_r),       dw = M_r + [M_j | c] dx
 *     dx = H e_r    (driving w_r),       dw = [M_j | c] dx
 *
 * Returns the relative residual of both systems; rhs and drhs keep what is left of their rows. */
static double evaluate_with_inverse(abuti_lemke *s)
{
    const abuti_kernels *k = s->inverse.kernels;
    int m = s->inverse.m, width = abuti_padded(s->n);
    gather_right_sides(s);
    memcpy(s->w, s->problem->q, (size_t)s->n * sizeof(double));
    if (s->driving_w) {
        int r = s->row_slot[s->missing];
        abuti_inverse_solve(&s->inverse, s->rhs, s->x);
        for (int j = 0; j < m; ++j) s->dx[j] = abuti_inverse_row(&s->inverse, j)[r];
        for (int j = m; j < abuti_padded(m); ++j) s->dx[j] = 0;
        memset(s->dw, 0, (size_t)width * sizeof(double));
    } else {
        abuti_inverse_solve_two(&s->inverse, s->rhs, s->drhs, s->x, s->dx);
        memcpy(s->dw, column_data(s, m), (size_t)width * sizeof(double));
    }
    k->add_transposed_two(m, width, s->columns, s->ld, s->x, s->dx, s->w, s->dw);

    s->z_size = k->max_abs(m - 1, s->x + 1); /* without z0 */
    s->dz_size = k->max_abs(m - 1, s->dx + 1);
    double target = s->driving_w ? 1 : 0;
    double point = take_leftover(s, s->w, 0, s->q_size + s->z_size, s->x[ABUTI_LEMKE_Z0], s->rhs);
    double direction = take_leftover(s, s->dw, target, 1 + s->dz_size, s->dx[ABUTI_LEMKE_Z0], s->drhs);
    if (!s->driving_w && !(s->dz_size > 1)) s->dz_size = 1;
    return point + direction;
}

/* One step of iterative refinement of x and w, or dx and dw, with what is left. */
static void refine(abuti_lemke *s, const double *left, double *x, double *w)
{
    double *correction = s->scratch;
    int m = s->inverse.m;
    abuti_inverse_solve(&s->inverse, left, correction);
    for (int j = 0; j < m; ++j) x[j] += correction[j];
    add_columns(s, correction, w);
    for (int t = 0; t < m; ++t) w[s->row[t]] = 0;
}

static bool rebuild(abuti_lemke *s)
{
    int m = s->inverse.m;
    abuti_lu_start(&s->lu, m);
    for (int t = 0; t < m; ++t) abuti_lemke_gather_row(s, s->row[t], abuti_lu_row(&s->lu, t));
    if (!abuti_lu_factor(&s->lu)) return false;
    abuti_inverse_rebuild(&s->inverse, &s->lu);
    s->age = 0;
    return true;
}

bool abuti_lemke_evaluate(abuti_lemke *s)
{
    if (!s->driving_w) load_column(s, s->missing, s->inverse.m);
    double drift = evaluate_with_inverse(s);
    if (drift <= s->drift_allowed) return true;
    if (s->age > 0) {
        if (!rebuild(s)) return false;
        drift = evaluate_with_inverse(s);
        s->drift_allowed = fmax(ABUTI_LEMKE_DRIFT, ABUTI_LEMKE_DRIFT_GROWTH * drift);
        if (drift <= ABUTI_LEMKE_DRIFT) return true;
    }
    refine(s, s->rhs, s->x, s->w);
    refine(s, s->drhs, s->dx, s->dw);
    return isfinite(drift);
}

/* ------------------------------------------------------------------------------------------------
 * Changes of the basis: the table at the head of lemke_basis.h */

static void add_row_and_column(abuti_lemke *s, int leaving)
{
    int m = s->inverse.m, width = abuti_padded(m);
    double *v = s->dx, *b = s->rhs, *u = s->scratch;
    abuti_lemke_gather_row(s, leaving, b);
    abuti_inverse_solve_transposed(&s->inverse, b, u);
    for (int j = 0; j < width; ++j) v[j] = -v[j]; /* H a = -dx */
    abuti_inverse_border(&s->inverse, v, u, s->dw[leaving]);
    set_column(s, m, s->missing);
    set_row(s, m, leaving);
}

static void replace_row(abuti_lemke *s, int leaving)
{
    double *b = s->rhs, *u = s->scratch;
    int slot = s->row_slot[s->missing];
    abuti_lemke_gather_row(s, leaving, b);
    abuti_inverse_solve_transposed(&s->inverse, b, u);
    abuti_inverse_replace_row(&s->inverse, slot, u);
    s->row_slot[s->missing] = -1;
    set_row(s, slot, leaving);
}

static void replace_column(abuti_lemke *s, int slot)
{
    int m = s->inverse.m, width = abuti_padded(m);
    for (int j = 0; j < width; ++j) s->dx[j] = -s->dx[j];
    abuti_inverse_replace_column(&s->inverse, slot, s->dx);
    set_column(s, m, s->missing); /* the driving column waits behind the last one */
    drop_column(s, slot, m + 1);
}

static void remove_row_and_column(abuti_lemke *s, int slot)
{
    int m = s->inverse.m, row = s->row_slot[s->missing];
    abuti_inverse_remove(&s->inverse, row, slot);
    drop_row(s, row, m);
    drop_column(s, slot, m);
}

void abuti_lemke_pivot(abuti_lemke *s, abuti_lemke_leaving leaving)
{
    bool w_leaves = leaving.kind == ABUTI_LEMKE_W;
    int next = w_leaves ? leaving.index : s->column[leaving.index];
    if (w_leaves && !s->driving_w) add_row_and_column(s, next);
    if (w_leaves && s->driving_w) replace_row(s, next);
    if (!w_leaves && !s->driving_w) replace_column(s, leaving.index);
    if (!w_leaves && s->driving_w) remove_row_and_column(s, leaving.index);
    s->missing = next;
    s->driving_w = !w_leaves;
    s->age++;
}

/* B = M_aa for the set of the first m columns, factored. */
static bool factor_final_set(abuti_lemke *s, int m)
{
    s->inverse.m = m;
    for (int t = 0; t < m; ++t) s->row[t] = s->column[t];
    abuti_lu_start(&s->lu, m);
    for (int t = 0; t < m; ++t) abuti_lemke_gather_row(s, s->row[t], abuti_lu_row(&s->lu, t));
    return abuti_lu_factor(&s->lu);
}

bool abuti_lemke_final_basis(abuti_lemke *s, int *count)
{
    int m = s->inverse.m;
    if (!s->driving_w) set_column(s, m++, s->missing);
    drop_column(s, ABUTI_LEMKE_Z0, m--);
    *count = m;
    return factor_final_set(s, m);
}

bool abuti_lemke_change_final_set(abuti_lemke *s, int i, int *count)
{
    int slot = s->column_slot[i];
    if (slot >= 0) {
        drop_column(s, slot, (*count)--);
    } else {
        load_column(s, i, *count);
        set_column(s, (*count)++, i);
    }
    return factor_final_set(s, *count);
}

void abuti_lemke_point(const abuti_lemke *s, double step, double *z)
{
    memset(z, 0, (size_t)s->n * sizeof(double));
    for (int j = 0; j < s->inverse.m; ++j) {
        if (s->column[j] < s->n) z[s->column[j]] = fmax(0, s->x[j] + step * s->dx[j]);
    }
    if (!s->driving_w) z[s->missing] = step;
}

void abuti_lemke_uncovered(abuti_lemke *s, double step, double *w)
{
    int m = s->inverse.m, width = abuti_padded(s->n);
    double *x = s->scratch;
    for (int j = 0; j < m; ++j) x[j] = s->column[j] < s->n ? s->x[j] + step * s->dx[j] : 0;
    memcpy(w, s->problem->q, (size_t)s->n * sizeof(double));
    for (int i = s->n; i < width; ++i) w[i] = 0;
    add_columns(s, x, w);
    if (!s->driving_w) s->inverse.kernels->axpy(width, step, column_data(s, m), w);
}
