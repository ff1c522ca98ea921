#include "linalg/cholesky.h"
#include "base/length.h"
#include "linalg/kernels.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static double *row_of(const abuti_cholesky *c, int i)
{
    return c->L + (size_t)i * (size_t)c->ld;
}

void abuti_cholesky_forward(const abuti_cholesky *c, double *x)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    for (int i = 0; i < c->k; ++i) {
        const double *row = row_of(c, i);
        x[i] = (x[i] - kernels->dot(i, row, x)) / row[i];
    }
}

void abuti_cholesky_backward(const abuti_cholesky *c, double *x)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    for (int i = c->k - 1; i >= 0; --i) {
        const double *row = row_of(c, i);
        x[i] /= row[i];
        kernels->axpy(i, -x[i], row, x);
    }
}

void abuti_cholesky_solve(const abuti_cholesky *c, double *x)
{
    abuti_cholesky_forward(c, x);
    abuti_cholesky_backward(c, x);
}

bool abuti_cholesky_insert(abuti_cholesky *c, double *row, double diagonal, double tolerance)
{
    abuti_cholesky_forward(c, row);
    double left = diagonal - abuti_kernels_get()->dot(c->k, row, row);
    if (c->k == c->ld || !(left > tolerance * diagonal)) return false;
    abuti_cholesky_extend(c, row, sqrt(left));
    return true;
}

void abuti_cholesky_extend(abuti_cholesky *c, const double *row, double pivot)
{
    double *last = row_of(c, c->k);
    memcpy(last, row, (size_t)c->k * sizeof *last);
    last[c->k++] = pivot;
}

/* The rounding in what is left of a diagonal entry, relative to that entry, for rows of some hundred entries.
 * Earlier rows that are nearly dependent have a small pivot and magnify the rounding by its reciprocal. */
#define PIVOT_NOISE 1e-14

/* Column j of the rows from `first` on: L_ij = (A_ij - L_i . L_j) / L_jj over the columns before j. */
static void fill_column(abuti_cholesky *c, const double *A, int lda, const int *index, int j, int first,
                        int count, double *work)
{
    const double *row = A + (ptrdiff_t)index[j] * lda;
    abuti_kernels_get()->multiply(count - first, j, row_of(c, first), c->ld, row_of(c, j), work);
    double diagonal = row_of(c, j)[j];
    for (int i = first; i < count; ++i) row_of(c, i)[j] = (row[index[i]] - work[i - first]) / diagonal;
}

int abuti_cholesky_append(abuti_cholesky *c, const double *A, int lda, int *index, int count,
                          double tolerance, double *work)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    int old = c->k, j = old;
    double least = 1; /* pivot so far, relative to its diagonal */
    for (int k = 0; k < old; ++k) {
        double pivot = row_of(c, k)[k], diagonal = A[(ptrdiff_t)index[k] * lda + index[k]];
        least = fmin(least, pivot * pivot / diagonal);
    }
    for (int column = 0; column < old; ++column) fill_column(c, A, lda, index, column, old, count, work);
    while (j < count) {
        double *row = row_of(c, j);
        double diagonal = A[(ptrdiff_t)index[j] * lda + index[j]];
        double left = diagonal - kernels->dot(j, row, row);
        if (!(left > (tolerance + PIVOT_NOISE / least) * diagonal)) {
            --count;
            memcpy(row, row_of(c, count), (size_t)j * sizeof *row);
            index[j] = index[count];
            continue;
        }
        row[j] = sqrt(left);
        least = fmin(least, left / diagonal);
        fill_column(c, A, lda, index, j, j + 1, count, work);
        ++j;
    }
    c->k = count;
    return count;
}

void abuti_cholesky_delete(abuti_cholesky *c, int p)
{
    /* Without row p the rows below reach one column past the diagonal; rotations of neighbouring
     * columns bring them back. */
    for (int i = p; i < c->k - 1; ++i)
        memcpy(row_of(c, i), row_of(c, i + 1), (size_t)(i + 2) * sizeof(double));
    c->k--;
    for (int j = p; j < c->k; ++j) {
        double *top = row_of(c, j);
        const double radius = abuti_length(top[j], top[j + 1]);
        const double cosine = top[j] / radius, sine = top[j + 1] / radius;
        top[j] = radius;
        for (int i = j + 1; i < c->k; ++i) {
            double *row = row_of(c, i);
            const double a = row[j], b = row[j + 1];
            row[j] = cosine * a + sine * b;
            row[j + 1] = cosine * b - sine * a;
        }
    }
}
