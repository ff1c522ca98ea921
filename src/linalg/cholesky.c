#include "linalg/cholesky.h"
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
    double *last = row_of(c, c->k);
    memcpy(last, row, (size_t)c->k * sizeof *last);
    last[c->k++] = sqrt(left);
    return true;
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
        const double radius = hypot(top[j], top[j + 1]);
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
