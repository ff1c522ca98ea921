/* I + J'B J by blocks of the bodies, B three by three for each contact and not symmetric, in the envelope of
 * rest/matrix.h: blocks below the diagonal and the factors of those on it in matrix.blocks, those above it in
 * `upper`. L has unit blocks on its diagonal; no pivoting but inside of the diagonal blocks, since they are I plus
 * something that is nearly definite. */
#include "contact/cone/cone.h"
#include <math.h>
#include <string.h>

static size_t place(const rest_matrix *m, int i, int j)
{
    return m->begin[i] + (size_t)(m->dim * m->dim) * (size_t)(j - m->first[i]);
}

/* The block (i, j). */
static double *block_at(const cone *c, int i, int j)
{
    return i >= j ? c->matrix.blocks + place(&c->matrix, i, j) : c->upper + place(&c->matrix, j, i);
}

/* block += J'(B J) of two sides of a contact, J and B J three rows each. */
static inline void add_product(double *block, const double *J, const double *BJ, int dim)
{
    for (int row = 0; row < dim; ++row) {
        double *at = block + (size_t)row * (size_t)dim;
        double x = J[row], y = J[dim + row], z = J[2 * dim + row];
        for (int k = 0; k < dim; ++k) at[k] += x * BJ[k] + y * BJ[dim + k] + z * BJ[2 * dim + k];
    }
}

static inline void times_B(const double *B, const double *J, double *BJ, int dim)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < dim; ++k)
            BJ[axis * dim + k] =
                B[3 * axis] * J[k] + B[3 * axis + 1] * J[dim + k] + B[3 * axis + 2] * J[2 * dim + k];
}

/* Where the rows of a contact on one side lie: three of them, as rest/matrix.h keeps them. */
static const double *rows_on(const cone *c, int contact, int side, double *room)
{
    const abuti_system *s = c->system;
    if (s->sides == 1) return rest_row(&c->matrix, s, contact, 0, 0);
    for (int axis = 0; axis < 3; ++axis)
        memcpy(room + axis * c->matrix.dim, rest_row(&c->matrix, s, contact, axis, side),
               (size_t)c->matrix.dim * sizeof(double));
    return room;
}

static void add_contact(cone *c, int contact)
{
    const abuti_system *s = c->system;
    const rest_matrix *m = &c->matrix;
    size_t rows = 3 * (size_t)m->dim;
    const double *J[2], *B = c->touch[contact].B;
    double *BJ[2] = {c->room, c->room + rows};
    int rank[2] = {-1, -1};
    for (int side = 0; side < s->sides; ++side) {
        if (s->body[side][contact] == s->bodies) continue;
        rank[side] = m->rank[s->body[side][contact]];
        J[side] = rows_on(c, contact, side, c->room + (2 + (size_t)side) * rows);
        if (m->dim == 6) {
            times_B(B, J[side], BJ[side], 6);
        } else {
            times_B(B, J[side], BJ[side], m->dim);
        }
    }
    for (int p = 0; p < s->sides; ++p) {
        for (int q = 0; q < s->sides; ++q) {
            if (rank[p] < 0 || rank[q] < 0) continue;
            double *block = block_at(c, rank[p], rank[q]);
            if (m->dim == 6) {
                add_product(block, J[p], BJ[q], 6);
            } else {
                add_product(block, J[p], BJ[q], m->dim);
            }
        }
    }
}

static void add_joint(cone *c, int joint, double stiffness)
{
    const abuti_system *s = c->system;
    const rest_matrix *m = &c->matrix;
    for (int p = 0; p < s->sides; ++p) {
        for (int q = 0; q < s->sides; ++q) {
            int a = s->joint_body[p][joint], b = s->joint_body[q][joint];
            if (a == s->bodies || b == s->bodies) continue;
            const double *left = s->joint_rows + (size_t)(joint * s->sides + p) * (size_t)s->stride;
            const double *right = s->joint_rows + (size_t)(joint * s->sides + q) * (size_t)s->stride;
            double *block = block_at(c, m->rank[a], m->rank[b]);
            for (int row = 0; row < m->dim; ++row) {
                double by = stiffness * left[row];
                for (int k = 0; k < m->dim; ++k)
                    block[(size_t)row * (size_t)m->dim + (size_t)k] += by * right[k];
            }
        }
    }
}

/* target -= left right */
static inline void subtract(double *target, const double *left, const double *right, int dim)
{
    for (int a = 0; a < dim; ++a) {
        double *row = target + (size_t)a * (size_t)dim;
        for (int k = 0; k < dim; ++k) {
            double by = left[(size_t)a * (size_t)dim + (size_t)k];
            const double *other = right + (size_t)k * (size_t)dim;
            for (int b = 0; b < dim; ++b) row[b] -= by * other[b];
        }
    }
}

static void subtract_product(double *target, const double *left, const double *right, int dim)
{
    if (dim == 6) {
        subtract(target, left, right, 6);
    } else {
        subtract(target, left, right, dim);
    }
}

/* P D = L U in place, with partial pivoting: row k of L U is row perm[k] of D; the diagonal of U holds its inverses. An
 * explicit inverse would not do: what it leaves along stiff springs is as large as the impulses. */
static inline bool lu_of(double *D, int dim, int *perm)
{
    for (int k = 0; k < dim; ++k) perm[k] = k;
    for (int k = 0; k < dim; ++k) {
        int best = k;
        for (int i = k + 1; i < dim; ++i)
            if (fabs(D[i * dim + k]) > fabs(D[best * dim + k])) best = i;
        for (int j = 0; j < dim && best != k; ++j) {
            double kept = D[k * dim + j];
            D[k * dim + j] = D[best * dim + j];
            D[best * dim + j] = kept;
        }
        int moved = perm[k];
        perm[k] = perm[best];
        perm[best] = moved;
        double over = 1.0 / D[k * dim + k];
        if (!(fabs(over) < INFINITY)) return false;
        for (int i = k + 1; i < dim; ++i) {
            double by = D[i * dim + k] *= over;
            for (int j = k + 1; j < dim; ++j) D[i * dim + j] -= by * D[k * dim + j];
        }
        D[k * dim + k] = over;
    }
    return true;
}

static bool factor_diagonal(double *D, int dim, int *perm)
{
    return dim == 6 ? lu_of(D, 6, perm) : lu_of(D, dim, perm);
}

/* x = D^-1 b */
static inline void solve_with(const double *D, const int *perm, const double *b, double *x, int dim)
{
    for (int k = 0; k < dim; ++k) {
        double sum = b[perm[k]];
        for (int j = 0; j < k; ++j) sum -= D[k * dim + j] * x[j];
        x[k] = sum;
    }
    for (int k = dim - 1; k >= 0; --k) {
        double sum = x[k];
        for (int j = k + 1; j < dim; ++j) sum -= D[k * dim + j] * x[j];
        x[k] = sum * D[k * dim + k];
    }
}

static void solve_diagonal(const double *D, const int *perm, const double *b, double *x, int dim)
{
    if (dim == 6) {
        solve_with(D, perm, b, x, 6);
    } else {
        solve_with(D, perm, b, x, dim);
    }
}

/* block = block D^-1, row by row, with a row of scratch: y U = b, z L = y, x = z P. */
static inline void divide_rows(double *block, const double *D, const int *perm, int dim, double *z)
{
    for (int a = 0; a < dim; ++a) {
        double *row = block + (size_t)a * (size_t)dim;
        memcpy(z, row, (size_t)dim * sizeof(double));
        for (int k = 0; k < dim; ++k) {
            z[k] *= D[k * dim + k];
            for (int j = k + 1; j < dim; ++j) z[j] -= z[k] * D[k * dim + j];
        }
        for (int k = dim - 1; k > 0; --k)
            for (int j = 0; j < k; ++j) z[j] -= z[k] * D[k * dim + j];
        for (int k = 0; k < dim; ++k) row[perm[k]] = z[k];
    }
}

static void divide_block(double *block, const double *D, const int *perm, int dim, double *z)
{
    if (dim == 6) {
        divide_rows(block, D, perm, 6, z);
    } else {
        divide_rows(block, D, perm, dim, z);
    }
}

static bool factor(cone *c)
{
    rest_matrix *m = &c->matrix;
    int dim = m->dim;
    for (int i = 0; i < m->bodies; ++i) {
        double *diagonal = block_at(c, i, i);
        for (int j = m->first[i]; j < i; ++j) {
            double *lower = block_at(c, i, j), *upper = block_at(c, j, i);
            int k = m->first[i] > m->first[j] ? m->first[i] : m->first[j];
            for (; k < j; ++k) {
                subtract_product(upper, block_at(c, j, k), block_at(c, k, i), dim);
                subtract_product(lower, block_at(c, i, k), block_at(c, k, j), dim);
            }
            divide_block(lower, block_at(c, j, j), c->perm + (size_t)j * (size_t)dim, dim, m->solved);
            subtract_product(diagonal, lower, upper, dim);
        }
        if (!factor_diagonal(diagonal, dim, c->perm + (size_t)i * (size_t)dim)) return false;
    }
    return true;
}

bool abuti_cone_factor(cone *c, double joint_stiffness)
{
    const abuti_system *s = c->system;
    rest_matrix *m = &c->matrix;
    int last = s->bodies - 1;
    size_t numbers = place(m, last, last) + (size_t)(m->dim * m->dim);
    memset(m->blocks, 0, numbers * sizeof(double));
    if (s->bodies > 1) memset(c->upper, 0, numbers * sizeof(double));
    for (int i = 0; i < s->bodies; ++i) {
        double *diagonal = block_at(c, i, i);
        for (int k = 0; k < m->dim; ++k) diagonal[(size_t)k * (size_t)(m->dim + 1)] = 1.0;
    }
    for (int i = 0; i < s->n; ++i)
        if (c->touch[i].state != ABUT_OPEN) add_contact(c, i);
    for (int j = 0; j < s->joints; ++j) add_joint(c, j, joint_stiffness);
    return factor(c);
}

/* y -= block x */
static void subtract_from(const double *block, const double *x, double *y, int dim)
{
    for (int a = 0; a < dim; ++a) {
        const double *row = block + (size_t)a * (size_t)dim;
        double sum = 0.0;
        for (int k = 0; k < dim; ++k) sum += row[k] * x[k];
        y[a] -= sum;
    }
}

void abuti_cone_divide(const cone *c, double *v)
{
    const rest_matrix *m = &c->matrix;
    size_t dim = (size_t)m->dim, stride = (size_t)c->system->stride;
    double *z = m->solved;
    for (int i = 0; i < m->bodies; ++i) {
        double *mine = z + (size_t)i * dim;
        memcpy(mine, v + (size_t)m->body_at[i] * stride, dim * sizeof(double));
        for (int j = m->first[i]; j < i; ++j)
            subtract_from(block_at(c, i, j), z + (size_t)j * dim, mine, m->dim);
    }
    for (int i = m->bodies - 1; i >= 0; --i) {
        double *to = v + (size_t)m->body_at[i] * stride;
        solve_diagonal(block_at(c, i, i), c->perm + (size_t)i * dim, z + (size_t)i * dim, to, m->dim);
        for (int j = m->first[i]; j < i; ++j)
            subtract_from(block_at(c, j, i), to, z + (size_t)j * dim, m->dim);
    }
}
