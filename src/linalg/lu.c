#include "linalg/lu.h"
#include <math.h>
#include <string.h>

void abuti_lu_layout(abuti_lu *lu, abuti_arena *arena, int capacity)
{
    int ld = abuti_leading_dimension(capacity);
    lu->kernels = abuti_kernels_get();
    lu->n = 0;
    lu->ld = ld;
    lu->A = abuti_take(arena, (size_t)capacity * (size_t)ld, double);
    lu->permutation = abuti_take(arena, capacity, int);
    lu->work = abuti_take(arena, ld, double);
}

void abuti_lu_start(abuti_lu *lu, int n)
{
    lu->n = n;
    for (int i = 0; i < n; ++i) memset(abuti_lu_row(lu, i), 0, (size_t)abuti_padded(n) * sizeof(double));
}

static const double *row_of(const abuti_lu *lu, int i)
{
    return lu->A + (size_t)i * (size_t)lu->ld;
}

/* The row at or below k with the largest entry in column k. */
static int find_pivot(const abuti_lu *lu, int k)
{
    int best = k;
    double size = fabs(row_of(lu, k)[k]);
    for (int i = k + 1; i < lu->n; ++i) {
        double candidate = fabs(row_of(lu, i)[k]);
        if (candidate > size) best = i, size = candidate;
    }
    return best;
}

static void swap_rows(abuti_lu *lu, int i, int j)
{
    if (i == j) return;
    size_t bytes = (size_t)lu->n * sizeof(double);
    memcpy(lu->work, abuti_lu_row(lu, i), bytes);
    memcpy(abuti_lu_row(lu, i), abuti_lu_row(lu, j), bytes);
    memcpy(abuti_lu_row(lu, j), lu->work, bytes);
    int index = lu->permutation[i];
    lu->permutation[i] = lu->permutation[j];
    lu->permutation[j] = index;
}

bool abuti_lu_factor(abuti_lu *lu)
{
    int n = lu->n;
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = fmax(largest, lu->kernels->max_abs(n, row_of(lu, i)));
    for (int i = 0; i < n; ++i) lu->permutation[i] = i;

    for (int k = 0; k < n; ++k) {
        swap_rows(lu, k, find_pivot(lu, k));
        const double *pivot_row = row_of(lu, k);
        if (!(fabs(pivot_row[k]) > ABUTI_LU_SINGULAR * n * largest)) return false;
        for (int i = k + 1; i < n; ++i) {
            double *row = abuti_lu_row(lu, i);
            row[k] /= pivot_row[k];
            if (row[k] != 0) lu->kernels->axpy(n - k - 1, -row[k], pivot_row + k + 1, row + k + 1);
        }
    }
    return true;
}

void abuti_lu_solve(const abuti_lu *lu, const double *b, double *x)
{
    int n = lu->n;
    for (int i = 0; i < n; ++i) x[i] = b[lu->permutation[i]] - lu->kernels->dot(i, row_of(lu, i), x);
    for (int i = n - 1; i >= 0; --i) {
        const double *row = row_of(lu, i);
        x[i] = (x[i] - lu->kernels->dot(n - i - 1, row + i + 1, x + i + 1)) / row[i];
    }
}

void abuti_lu_invert(abuti_lu *lu, double *H, int ldh)
{
    int n = lu->n, width = abuti_padded(n);
    double *factor = lu->work;
    /* H = L^-1 P, from the first row down. */
    for (int i = 0; i < n; ++i) {
        double *row = H + (size_t)i * (size_t)ldh;
        memset(row, 0, (size_t)width * sizeof(double));
        row[lu->permutation[i]] = 1;
        lu->kernels->scaled_copy(i, -1, row_of(lu, i), factor);
        lu->kernels->add_transposed(i, width, H, ldh, factor, row);
    }
    /* H = U^-1 H, from the last row up. */
    for (int i = n - 1; i >= 0; --i) {
        double *row = H + (size_t)i * (size_t)ldh, diagonal = row_of(lu, i)[i];
        lu->kernels->scaled_copy(n - i - 1, -1, row_of(lu, i) + i + 1, factor);
        lu->kernels->add_transposed(n - i - 1, width, H + (size_t)(i + 1) * (size_t)ldh, ldh, factor, row);
        for (int j = 0; j < n; ++j) row[j] /= diagonal;
    }
}
