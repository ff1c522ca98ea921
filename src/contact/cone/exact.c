/* Velocities of impulses in twice the digits, for small systems of bodies whose rows are solved by elimination.
 *
 * Masses and moments of inertia many decades apart make impulses that are 1e4 times as large as the motion. In doubles
 * what is left of them in the velocities is rounding, and rounding differs between redundant contacts whose rows agree:
 * a step would shift the loads that they share, by the rounding divided by the ridge. Here x = k + J'p and u = J x are
 * sums of two doubles (Dekker 1971), rounded at the end. Whatever the impulses are, held rows that depend on each other
 * then agree on what they lack. */
#include "contact/cone/cone.h"

/* A sum of two doubles. */
typedef struct two {
    double hi, lo;
} two;

static two product(double a, double b)
{
    static const double splitter = 134217729.0; /* 2^27 + 1 */
    double p = a * b, x = splitter * a, y = splitter * b;
    double a_hi = x - (x - a), a_lo = a - a_hi, b_hi = y - (y - b), b_lo = b - b_hi;
    return (two){p, ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

static void add(double *hi, double *lo, two by)
{
    double sum = *hi + by.hi, part = sum - *hi;
    double rest = (*hi - (sum - part)) + (by.hi - part) + (*lo + by.lo);
    *hi = sum + rest;
    *lo = rest - (*hi - sum);
}

/* x += row p, in the block of a body; the low parts of x stand in `low`. */
static void push(double *x, double *low, const double *row, int dim, double p)
{
    for (int k = 0; k < dim && p != 0.0; ++k) add(&x[k], &low[k], product(row[k], p));
}

/* sum += row . x */
static void along(two *sum, const double *row, const double *x, const double *low, int dim)
{
    for (int k = 0; k < dim; ++k) {
        add(&sum->hi, &sum->lo, product(row[k], x[k]));
        add(&sum->hi, &sum->lo, (two){row[k] * low[k], 0.0});
    }
}

static const double *joint_row(const abuti_system *s, int j, int side)
{
    return s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
}

static void place_x(cone *c)
{
    const abuti_system *s = c->system;
    size_t numbers = (size_t)((s->bodies + 1) * s->stride);
    for (size_t k = 0; k < numbers; ++k) {
        c->x[k] = s->k[k];
        c->dx[k] = 0.0;
    }
    for (int side = 0; side < s->sides; ++side) {
        for (int i = 0; i < s->n; ++i) {
            size_t at = (size_t)(s->body[side][i] * s->stride);
            for (int axis = 0; axis < 3 && s->body[side][i] != s->bodies; ++axis)
                push(c->x + at, c->dx + at, rest_row(&c->matrix, s, i, axis, side), s->dim,
                     c->touch[i].p[axis]);
        }
        for (int j = 0; j < s->joints; ++j) {
            size_t at = (size_t)(s->joint_body[side][j] * s->stride);
            if (s->joint_body[side][j] != s->bodies)
                push(c->x + at, c->dx + at, joint_row(s, j, side), s->dim, c->joint[j]);
        }
    }
}

void abuti_cone_move_exact(cone *c)
{
    const abuti_system *s = c->system;
    place_x(c);
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        double prox = c->prox * t->s * t->s;
        for (int axis = 0; axis < 3; ++axis) {
            two sum = {s->offset[axis][i], 0.0};
            for (int side = 0; side < s->sides; ++side) {
                size_t at = (size_t)(s->body[side][i] * s->stride);
                along(&sum, rest_row(&c->matrix, s, i, axis, side), c->x + at, c->dx + at, s->dim);
            }
            t->u[axis] = sum.hi + prox * (t->p[axis] - t->center.p[axis]);
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        two sum = {s->joint_offset[j], 0.0};
        for (int side = 0; side < s->sides; ++side) {
            size_t at = (size_t)(s->joint_body[side][j] * s->stride);
            along(&sum, joint_row(s, j, side), c->x + at, c->dx + at, s->dim);
        }
        c->joint_rho[j] = sum.hi;
    }
}
