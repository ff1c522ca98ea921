/* What the oracles of bounded and compliant rows share: random bounds, and a small linear system. */
#ifndef ABUT_TEST_ROW_ORACLE_H
#define ABUT_TEST_ROW_ORACLE_H

#include "abut/contact.h"
#include "random.h"
#include <math.h>

enum { ORACLE_ROWS = 16 };

/* Numbers between -size and size. */
static inline void row_oracle_fill(double *x, int count, double size, bench_random *r)
{
    for (int i = 0; i < count; ++i) x[i] = bench_uniform(r, -size, size);
}

/* A row of some kind: unbounded, bounded on one side or both, a given impulse; it may give way. */
static inline void row_oracle_bounds(abut_joint *joint, bench_random *r)
{
    joint->target = bench_below(r, 2) ? bench_uniform(r, -1, 1) : 0;
    joint->compliance = bench_below(r, 3) ? 0 : bench_uniform(r, 0, 2);
    joint->bounded = bench_below(r, 5) != 0;
    double a = bench_uniform(r, -0.3, 0.3), b = bench_uniform(r, -0.3, 0.3);
    joint->lower = fmin(a, b);
    joint->upper = fmax(a, b);
    switch (bench_below(r, 6)) {
    case 0: joint->lower = -INFINITY; break;
    case 1: joint->upper = INFINITY; break;
    case 2: joint->upper = joint->lower; break;
    default: break;
    }
}

/* Solves A x = b (n x n, in place) by complete pivoting; what depends on others is zero. */
static inline void row_oracle_solve(int n, double A[ORACLE_ROWS][ORACLE_ROWS], double *b, double *x)
{
    int column[ORACLE_ROWS], rank = 0;
    for (int i = 0; i < n; ++i) column[i] = i;
    for (; rank < n; ++rank) {
        int p = rank, q = rank;
        for (int i = rank; i < n; ++i)
            for (int j = rank; j < n; ++j)
                if (fabs(A[i][column[j]]) > fabs(A[p][column[q]])) p = i, q = j;
        if (fabs(A[p][column[q]]) < 1e-9) break;
        for (int j = 0; j < n; ++j) {
            double a = A[p][j];
            A[p][j] = A[rank][j], A[rank][j] = a;
        }
        double a = b[p];
        int c = column[q];
        b[p] = b[rank], b[rank] = a;
        column[q] = column[rank], column[rank] = c;
        for (int i = rank + 1; i < n; ++i) {
            double by = A[i][c] / A[rank][c];
            for (int j = 0; j < n; ++j) A[i][j] -= by * A[rank][j];
            b[i] -= by * b[rank];
        }
    }
    for (int i = 0; i < n; ++i) x[i] = 0;
    for (int k = rank - 1; k >= 0; --k) {
        double sum = b[k];
        for (int j = k + 1; j < rank; ++j) sum -= A[k][column[j]] * x[column[j]];
        x[column[k]] = sum / A[k][column[k]];
    }
}

/* The problem of an oracle in its rows: W = J M^-1 J', and the velocities J (v + step M^-1 f) that the rows would have
 * without impulses are added to `free`. `row` has `rows` rows of nv numbers, `mass` is dense. */
static inline void row_oracle_delassus(int nv, double mass[ORACLE_ROWS][ORACLE_ROWS], const double *velocity,
                                       const double *force, double step, int rows, const double *const *row,
                                       double W[ORACLE_ROWS][ORACLE_ROWS], double *free)
{
    double next[ORACLE_ROWS] = {0}, back[ORACLE_ROWS][ORACLE_ROWS];
    for (int a = -1; a < rows; ++a) {
        double A[ORACLE_ROWS][ORACLE_ROWS], b[ORACLE_ROWS];
        for (int i = 0; i < nv; ++i) {
            for (int j = 0; j < nv; ++j) A[i][j] = mass[i][j];
            b[i] = a < 0 ? force[i] : row[a][i];
        }
        row_oracle_solve(nv, A, b, a < 0 ? next : back[a]);
    }
    for (int a = 0; a < rows; ++a) {
        for (int i = 0; i < nv; ++i) free[a] += row[a][i] * (velocity[i] + step * next[i]);
        for (int c = 0; c < rows; ++c) {
            W[a][c] = 0;
            for (int i = 0; i < nv; ++i) W[a][c] += row[a][i] * back[c][i];
        }
    }
}

#endif
