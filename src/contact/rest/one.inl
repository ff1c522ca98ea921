/* Included by rest/one.c, rest/one_avx2.c and rest/one_avx512.c.
 *
 * With springs W = diag(1, w, w), w = mu^2 / 2, at every contact, the impulses p = W J z with A z = -k, A = J'W J, hold
 * the body. Normal impulses of 1 everywhere, made to add up to nothing by springs of the same kind, are the squeeze: 1
 * + W J y with A y = -J_n'1. One factorisation of six by six does both. A contact is within its cone when
 * mu kap theta >= |f|, the circle inside its polygon; |f| is taken as a little more than it is. */
#include "contact/rest/one.h"
#include "linalg/lanes.h"

#define DIM 6
#define ENTRIES 21         /* of the lower triangle of A */
#define SINGULAR 1e-9      /* pivots below this share of their diagonal: contacts do not hold the body */
#define ROUNDED (1 + 1e-9) /* squeeze is rounded up by this */
#define MOST 1e3           /* squeeze at most; velocities are in units of the problem's size */
#define LITTLE 8.0         /* a squeeze whose rounding needs no refinement, */
#define WELL 1e-3          /* nor do pivots above this share */
#define NEAR 5e-11         /* offsets below this are rounding */
#define SURROUNDED 0.0625  /* square of the sum of normals, as a share of what it is when all agree */
#define NOTHING 1e-300     /* keeps divisions by zero out of lanes that hold no contact */

/* Where row i, column j <= i of the triangle is. */
#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

typedef struct sides {
    double A[ENTRIES], k[DIM], normals[DIM];
    double offset; /* the largest */
} sides;

/* A and J_n'1. */
static void assemble(const abuti_system *s, sides *e)
{
    lanes A[ENTRIES], normals[DIM], offset = lanes_all(0.0);
    for (int i = 0; i < ENTRIES; ++i) A[i] = lanes_all(0.0);
    for (int i = 0; i < DIM; ++i) normals[i] = lanes_all(0.0);
    for (int g = 0; g < s->lanes; g += ABUTI_LANES) {
        lanes mu = lanes_load(s->mu + g), w = lanes_mul(lanes_all(0.5), lanes_mul(mu, mu));
        for (int axis = 0; axis < 3; ++axis) {
            lanes row[DIM];
            offset = lanes_max(offset, lanes_abs(lanes_load(s->offset[axis] + g)));
            for (int c = 0; c < DIM; ++c) row[c] = lanes_load(abuti_row(s, axis, 0, c) + g);
            for (int c = 0; axis == 0 && c < DIM; ++c) normals[c] = lanes_add(normals[c], row[c]);
            for (int i = 0; i < DIM; ++i) {
                lanes weighted = axis == 0 ? row[i] : lanes_mul(w, row[i]);
                for (int j = 0; j <= i; ++j) A[AT(i, j)] = lanes_madd(weighted, row[j], A[AT(i, j)]);
            }
        }
    }
    e->offset = lanes_most(offset);
    for (int i = 0; i < ENTRIES; ++i) e->A[i] = lanes_sum(A[i]);
    for (int i = 0; i < DIM; ++i) {
        e->normals[i] = lanes_sum(normals[i]);
        e->k[i] = s->k[i];
    }
}

/* L D L' in place: L below the diagonal, 1 / D on it. Returns the smallest share of its diagonal that a pivot has, or 0
 * where the contacts do not hold the body. */
static double factor(double *A)
{
    double column[DIM], least = 1.0;
    for (int j = 0; j < DIM; ++j) {
        double whole = A[AT(j, j)], pivot = whole;
        for (int k = 0; k < j; ++k) {
            column[k] = A[AT(j, k)];
            A[AT(j, k)] *= A[AT(k, k)];
            pivot = abuti_madd(-column[k], A[AT(j, k)], pivot);
        }
        if (!(pivot > SINGULAR * whole)) return 0.0;
        least = pivot < least * whole ? pivot / whole : least;
        A[AT(j, j)] = 1.0 / pivot;
        for (int i = j + 1; i < DIM; ++i) {
            double sum = A[AT(i, j)];
            for (int k = 0; k < j; ++k) sum = abuti_madd(-A[AT(i, k)], A[AT(j, k)], sum);
            A[AT(i, j)] = sum;
        }
    }
    return least;
}

/* x = -A^-1 b */
static void solve(const double *A, const double *b, double *x)
{
    for (int i = 0; i < DIM; ++i) {
        x[i] = -b[i];
        for (int k = 0; k < i; ++k) x[i] = abuti_madd(-A[AT(i, k)], x[k], x[i]);
    }
    for (int i = DIM - 1; i >= 0; --i) {
        x[i] *= A[AT(i, i)];
        for (int k = i + 1; k < DIM; ++k) x[i] = abuti_madd(-A[AT(k, i)], x[k], x[i]);
    }
}

typedef struct impulse {
    lanes n, x, y;
} impulse;

/* W J z of eight contacts, for `count` of them at once. */
static inline void springs(const abuti_system *s, int g, int count, const double (*z)[DIM], impulse *out)
{
    lanes u[2][3], mu = lanes_load(s->mu + g), w = lanes_mul(lanes_all(0.5), lanes_mul(mu, mu));
    size_t step = (size_t)s->lanes;
    const double *at = s->rows + g; /* one side: rows stand one after the other */
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < count; ++k) u[k][axis] = lanes_all(0.0);
        for (int c = 0; c < DIM; ++c, at += step) {
            lanes row = lanes_load(at);
            for (int k = 0; k < count; ++k) u[k][axis] = lanes_madd(lanes_all(z[k][c]), row, u[k][axis]);
        }
    }
    for (int k = 0; k < count; ++k) out[k] = (impulse){u[k][0], lanes_mul(w, u[k][1]), lanes_mul(w, u[k][2])};
}

/* A little more than the length of the friction, at most 8 %. */
static lanes length(impulse p)
{
    lanes x = lanes_abs(p.x), y = lanes_abs(p.y);
    return lanes_madd(lanes_all(0.41422), lanes_min(x, y), lanes_max(x, y));
}

/* The squeeze that eight contacts need, by lane: -slack / gain where the slack is negative, infinite where nothing is
 * gained. */
static lanes need(lanes slack, lanes gain)
{
    lanes amount = lanes_div(lanes_sub(lanes_all(0.0), slack), lanes_max(gain, lanes_all(NOTHING)));
    return lanes_select(lanes_less(slack, lanes_all(0.0)), amount, lanes_all(0.0));
}

/* k + J'p */
static void velocity(const abuti_system *s, const double *theta, const double *fx, const double *fy,
                     double *v)
{
    lanes sum[DIM];
    const double *p[3] = {theta, fx, fy};
    for (int c = 0; c < DIM; ++c) sum[c] = lanes_all(0.0);
    for (int g = 0; g < s->lanes; g += ABUTI_LANES) {
        for (int axis = 0; axis < 3; ++axis) {
            lanes along = lanes_load(p[axis] + g);
            for (int c = 0; c < DIM; ++c)
                sum[c] = lanes_madd(along, lanes_load(abuti_row(s, axis, 0, c) + g), sum[c]);
        }
    }
    for (int c = 0; c < DIM; ++c) {
        v[c] = s->k[c] + lanes_sum(sum[c]);
    }
}

/* Finds load and squeeze of every contact, the load in p. Returns how much squeeze is needed; infinite: none is
 * enough. */
static double share_load(const abuti_system *s, const double z[2][DIM], double *const p[3],
                         double *const more[3])
{
    const double *d = abuti_direction(s->directions[0], 1); /* kap = cos(pi / d), of cos(2 pi / d) */
    lanes kap = lanes_all(sqrt(0.5 + 0.5 * d[0])), most = lanes_all(0.0), least = lanes_all(0.0);
    for (int g = 0; g < s->lanes; g += ABUTI_LANES) {
        impulse both[2];
        springs(s, g, 2, z, both);
        impulse load = both[0], squeeze = both[1];
        lanes limit = lanes_mul(kap, lanes_load(s->mu + g));
        lane_mask contact = lanes_less(lanes_count_from(g), lanes_all(s->n));
        squeeze.n = lanes_add(squeeze.n, lanes_select(contact, lanes_all(1.0), lanes_all(0.0)));
        lanes slack = lanes_sub(lanes_mul(limit, load.n), length(load));
        lanes gain = lanes_sub(lanes_mul(limit, squeeze.n), length(squeeze));
        most = lanes_max(most, lanes_max(need(slack, gain), need(load.n, squeeze.n)));
        least = lanes_min(least, lanes_min(gain, squeeze.n));
        const lanes loads[3] = {load.n, load.x, load.y}, squeezes[3] = {squeeze.n, squeeze.x, squeeze.y};
        for (int axis = 0; axis < 3; ++axis) {
            lanes_store(p[axis] + g, loads[axis]);
            lanes_store(more[axis] + g, squeezes[axis]);
        }
    }
    double amount = lanes_most(most);
    return amount > 0.0 && lanes_least(least) < 0.0 ? INFINITY : amount;
}

/* p += amount times `more`, both by axis and lane. */
static void add(const abuti_system *s, double amount, double *const more[3], double *const p[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int g = 0; g < s->lanes; g += ABUTI_LANES)
            lanes_store(p[axis] + g,
                        lanes_madd(lanes_all(amount), lanes_load(more[axis] + g), lanes_load(p[axis] + g)));
    }
}

/* Takes out what rounding has left of the velocity. */
static void refine(const abuti_system *s, const double *A, double *const p[3])
{
    double v[DIM], z[1][DIM];
    impulse dp;
    velocity(s, p[0], p[1], p[2], v);
    solve(A, v, z[0]);
    for (int g = 0; g < s->lanes; g += ABUTI_LANES) {
        springs(s, g, 1, (const double(*)[DIM])z, &dp);
        lanes_store(p[0] + g, lanes_add(lanes_load(p[0] + g), dp.n));
        lanes_store(p[1] + g, lanes_add(lanes_load(p[1] + g), dp.x));
        lanes_store(p[2] + g, lanes_add(lanes_load(p[2] + g), dp.y));
    }
}

static bool hold(const abuti_system *s, double *const p[3], double *scratch)
{
    sides e;
    double z[2][DIM];
    assemble(s, &e);
    double regular = e.offset <= NEAR ? factor(e.A) : 0.0;
    if (!(regular > 0.0)) return false;
    solve(e.A, e.k, z[0]);
    solve(e.A, e.normals, z[1]);
    double *const more[3] = {scratch, scratch + s->lanes, scratch + 2 * s->lanes};
    double amount = share_load(s, (const double(*)[DIM])z, p, more) * ROUNDED;
    if (!(amount <= MOST)) return false;
    if (amount > 0.0) add(s, amount, more, p);
    if (amount > LITTLE || regular < WELL) refine(s, e.A, p);
    return true;
}

static bool surrounded(const abuti_system *s)
{
    lanes sum[3] = {lanes_all(0.0), lanes_all(0.0), lanes_all(0.0)}, squares = lanes_all(0.0);
    for (int g = 0; g < s->lanes; g += ABUTI_LANES) {
        for (int c = 0; c < 3; ++c) {
            lanes row = lanes_load(abuti_row(s, ABUTI_NORMAL, 0, c) + g);
            sum[c] = lanes_add(sum[c], row);
            squares = lanes_madd(row, row, squares);
        }
    }
    double x = lanes_sum(sum[0]), y = lanes_sum(sum[1]), z = lanes_sum(sum[2]);
    return x * x + y * y + z * z <= SURROUNDED * s->n * lanes_sum(squares);
}

const rest_one_kernel REST_ONE = {hold, surrounded};
