#include "linalg/inverse.h"
#include <string.h>

void abuti_inverse_layout(abuti_inverse *inverse, abuti_arena *arena, int capacity)
{
    int ld = abuti_leading_dimension(capacity);
    inverse->kernels = abuti_kernels_get();
    inverse->m = 0;
    inverse->ld = ld;
    inverse->H = abuti_take(arena, (size_t)capacity * (size_t)ld, double);
    inverse->work = abuti_take(arena, 2 * (size_t)ld, double);
}

static double *row_of(abuti_inverse *inverse, int j)
{
    return inverse->H + (size_t)j * (size_t)inverse->ld;
}

void abuti_inverse_start(abuti_inverse *inverse, double b)
{
    inverse->m = 1;
    memset(inverse->H, 0, ABUTI_LANES * sizeof(double));
    inverse->H[0] = 1 / b;
}

void abuti_inverse_rebuild(abuti_inverse *inverse, abuti_lu *factored)
{
    inverse->m = factored->n;
    abuti_lu_invert(factored, inverse->H, inverse->ld);
}

void abuti_inverse_solve(const abuti_inverse *inverse, const double *b, double *x)
{
    int m = inverse->m, width = abuti_padded(m);
    inverse->kernels->multiply(m, width, inverse->H, inverse->ld, b, x);
    for (int j = m; j < width; ++j) x[j] = 0;
}

void abuti_inverse_solve_two(const abuti_inverse *inverse, const double *b1, const double *b2, double *x1,
                             double *x2)
{
    int m = inverse->m, width = abuti_padded(m);
    inverse->kernels->multiply_two(m, width, inverse->H, inverse->ld, b1, b2, x1, x2);
    for (int j = m; j < width; ++j) x1[j] = x2[j] = 0;
}

void abuti_inverse_solve_transposed(const abuti_inverse *inverse, const double *b, double *x)
{
    int m = inverse->m, width = abuti_padded(m);
    memset(x, 0, (size_t)width * sizeof(double));
    inverse->kernels->add_transposed(m, width, inverse->H, inverse->ld, b, x);
}

/* [B a; b' d]^-1 = [H + v u'/s, -v/s; -u'/s, 1/s] with the Schur complement s = d - b'v. */
void abuti_inverse_border(abuti_inverse *inverse, const double *v, const double *u, double pivot)
{
    int m = inverse->m, width = abuti_padded(m);
    double *scaled = inverse->work;
    inverse->kernels->scaled_copy(width, 1 / pivot, v, scaled);
    inverse->kernels->rank_one(m, width, inverse->H, inverse->ld, scaled, u);
    if (width == m) { /* a new block of lanes */
        for (int j = 0; j < m; ++j) memset(row_of(inverse, j) + m, 0, ABUTI_LANES * sizeof(double));
    }
    for (int j = 0; j < m; ++j) row_of(inverse, j)[m] = -scaled[j];
    double *last = row_of(inverse, m);
    memset(last, 0, (size_t)abuti_padded(m + 1) * sizeof(double));
    inverse->kernels->scaled_copy(m, -1 / pivot, u, last);
    last[m] = 1 / pivot;
    inverse->m = m + 1;
}

/* Row j of H is divided by v[j]; every other row i loses v[i] times the new one. */
void abuti_inverse_replace_column(abuti_inverse *inverse, int j, const double *v)
{
    int m = inverse->m, width = abuti_padded(m);
    double *pivot_row = inverse->work, *factor = inverse->work + inverse->ld;
    inverse->kernels->scaled_copy(width, 1 / v[j], row_of(inverse, j), pivot_row);
    inverse->kernels->scaled_copy(width, -1, v, factor);
    factor[j] = 0;
    inverse->kernels->rank_one(m, width, inverse->H, inverse->ld, factor, pivot_row);
    memcpy(row_of(inverse, j), pivot_row, (size_t)width * sizeof(double));
}

/* Column i of H is divided by u[i]; every other column j loses u[j] times the new one. */
void abuti_inverse_replace_row(abuti_inverse *inverse, int i, const double *u)
{
    int m = inverse->m, width = abuti_padded(m);
    double *column = inverse->work, *factor = inverse->work + inverse->ld;
    for (int j = 0; j < m; ++j) column[j] = row_of(inverse, j)[i] / u[i];
    inverse->kernels->scaled_copy(width, -1, u, factor);
    factor[i] = 0;
    inverse->kernels->rank_one(m, width, inverse->H, inverse->ld, column, factor);
    for (int j = 0; j < m; ++j) row_of(inverse, j)[i] = column[j];
}

/* The inverse of what is left: H minus (column i) (row j) / H[j][i], without row j and column i. */
void abuti_inverse_remove(abuti_inverse *inverse, int i, int j)
{
    int m = inverse->m, width = abuti_padded(m), last = m - 1;
    double *row = inverse->work, *factor = inverse->work + inverse->ld;
    double pivot = row_of(inverse, j)[i];
    memcpy(row, row_of(inverse, j), (size_t)width * sizeof(double));
    for (int p = 0; p < m; ++p) factor[p] = -row_of(inverse, p)[i] / pivot;
    memcpy(row_of(inverse, j), row_of(inverse, last), (size_t)width * sizeof(double));
    factor[j] = factor[last];
    inverse->kernels->rank_one(last, width, inverse->H, inverse->ld, factor, row);
    for (int p = 0; p < last; ++p) {
        double *kept = row_of(inverse, p);
        kept[i] = kept[last];
        kept[last] = 0;
    }
    inverse->m = last;
}
