#include "linalg/complete.h"
#include <math.h>
#include <stddef.h>

static double *row_of(const abuti_complete *c, int i)
{
    return c->LU + (size_t)i * (size_t)c->ld;
}

/* Brings the largest entry of the block that remains after k steps to place (k, k). */
static double bring_pivot(abuti_complete *c, int k)
{
    int best_row = k, best_column = k;
    double best = -1.0;
    for (int i = k; i < c->n; ++i) {
        const double *row = row_of(c, i);
        for (int j = k; j < c->n; ++j) {
            if (fabs(row[j]) > best) {
                best = fabs(row[j]);
                best_row = i;
                best_column = j;
            }
        }
    }
    if (best_row != k) {
        double *a = row_of(c, k), *b = row_of(c, best_row);
        for (int j = 0; j < c->n; ++j) {
            double swap = a[j];
            a[j] = b[j];
            b[j] = swap;
        }
        int swap = c->row[k];
        c->row[k] = c->row[best_row];
        c->row[best_row] = swap;
    }
    if (best_column != k) {
        for (int i = 0; i < c->n; ++i) {
            double *row = row_of(c, i);
            double swap = row[k];
            row[k] = row[best_column];
            row[best_column] = swap;
        }
        int swap = c->column[k];
        c->column[k] = c->column[best_column];
        c->column[best_column] = swap;
    }
    return best;
}

int abuti_complete_factor(abuti_complete *c, double tolerance)
{
    for (int i = 0; i < c->n; ++i) {
        c->row[i] = c->column[i] = i;
    }
    double first = 0.0;
    c->rank = 0;
    for (int k = 0; k < c->n; ++k) {
        double pivot = bring_pivot(c, k);
        if (k == 0) {
            first = pivot;
        }
        if (!(pivot > tolerance * first)) {
            break;
        }
        const double *top = row_of(c, k);
        for (int i = k + 1; i < c->n; ++i) {
            double *row = row_of(c, i);
            double factor = row[k] / top[k];
            row[k] = factor;
            for (int j = k + 1; j < c->n; ++j) {
                row[j] -= factor * top[j];
            }
        }
        c->rank = k + 1;
    }
    return c->rank;
}

bool abuti_complete_solve(const abuti_complete *c, const double *b, double *x, double tolerance)
{
    double largest = 0.0;
    double *y = c->work;
    for (int i = 0; i < c->n; ++i) {
        y[i] = b[c->row[i]];
        largest = fmax(largest, fabs(y[i]));
    }
    /* Forward through L; what is left of the equations beyond the rank says whether they agree. */
    bool consistent = true;
    for (int i = 0; i < c->n; ++i) {
        const double *row = row_of(c, i);
        int steps = i < c->rank ? i : c->rank;
        for (int j = 0; j < steps; ++j) {
            y[i] -= row[j] * y[j];
        }
        if (i >= c->rank && !(fabs(y[i]) <= tolerance * largest)) {
            consistent = false;
        }
    }
    for (int i = c->rank - 1; i >= 0; --i) {
        const double *row = row_of(c, i);
        for (int j = i + 1; j < c->rank; ++j) {
            y[i] -= row[j] * y[j];
        }
        y[i] /= row[i];
    }
    for (int j = 0; j < c->n; ++j) {
        x[c->column[j]] = j < c->rank ? y[j] : 0.0;
    }
    return consistent;
}
