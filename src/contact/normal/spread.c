/* The impulses of least norm that give the same motion.
 *
 * More contacts touch than are needed, and many impulses p give one motion: all with the same sum J'p, J being
 * the rows of what may push (normals that touch, tangents that are held, joint rows). Algorithm 1 ends with
 * few of them and leaves it to chance which. The least norm, in the caller's units, is the part of p in the
 * range of J: with an orthonormal basis U of the columns of J
 *
 *     p <- U U' p,
 *
 * which asks for no solve, so that columns that are independent by a hair (noise of the geometry) cost no
 * digits. Where a normal impulse would become negative, the way towards the least norm stops; that contact stays
 * without impulse, and the others go on. */
#include "contact/normal/normal.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* A column of which less than this part is left depends on those before it: leaving it out changes the sum of
 * the impulses by no more than this part of them. */
static const double dependent = 1e-13;
/* Contacts that may lose their impulse on the way. */
enum { most_turns = 12 };

/* The rows that may push and their impulses in the caller's units but for `unit`. */
typedef struct pushing {
    int count;
    int *id;        /* normal of contact i: i; tangent axis a: (1 + a) n + i; joint j: 3 n + j */
    double *p;      /* [count] */
    double *target; /* [count] */
    double *U;      /* rank x stride */
    int rank, stride;
} pushing;

static double *impulse_of(const abuti_normal *s, abuti_answer *answer, int id)
{
    if (id >= 3 * s->n) return &answer->joint[id - 3 * s->n];
    return id < s->n ? &answer->theta[id] : &answer->f[id / s->n - 1][id % s->n];
}

static double unit_of(const abuti_normal *s, const abuti_system *system, int id)
{
    return id >= 3 * s->n ? system->joint_scale[id - 3 * s->n] : system->row_scale[id % s->n];
}

static void add(pushing *x, const abuti_normal *s, const abuti_system *system, abuti_answer *answer, int id)
{
    x->id[x->count] = id;
    x->p[x->count++] = *impulse_of(s, answer, id) * unit_of(s, system, id);
}

static void gather(pushing *x, const abuti_normal *s, const abuti_system *system, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        if (abuti_normal_is_row(s, i)) continue; /* it pushes as it does */
        const int tangents = !s->held[i] ? 0 : system->directions[i] == ABUT_DIRECTIONS_MIN ? 1 : 2;
        const bool parts = abuti_normal_separates(s, i);
        if (!parts) add(x, s, system, answer, i);
        /* A glued contact pushes only along the rows that hold it. */
        for (int a = 0; a < tangents; ++a)
            if (!parts || answer->f[a][i] != 0.0) add(x, s, system, answer, (1 + a) * s->n + i);
    }
    for (int j = 0; j < system->joints; ++j) add(x, s, system, answer, 3 * s->n + j);
}

/* The columns of J, one a degree of freedom. */
static void fill_columns(pushing *x, abuti_normal *s, const abuti_system *system)
{
    double *row = s->rest;
    for (int e = 0; e < x->count; ++e) {
        const int id = x->id[e];
        if (id >= 3 * s->n)
            abuti_normal_joint_row(s, system, id - 3 * s->n, row);
        else
            abuti_normal_contact_row(s, system, id % s->n, id / s->n, row);
        const double scale = 1.0 / unit_of(s, system, id);
        for (int c = 0; c < s->dof; ++c) x->U[(size_t)c * (size_t)x->stride + (size_t)e] = scale * row[c];
    }
    for (int c = 0; c < s->dof; ++c)
        for (int e = x->count; e < x->stride; ++e) x->U[(size_t)c * (size_t)x->stride + (size_t)e] = 0.0;
}

/* Gram-Schmidt on the columns, each twice. */
static void orthonormalise(pushing *x, abuti_normal *s)
{
    x->rank = 0;
    for (int c = 0; c < s->dof; ++c) {
        double *column = x->U + (size_t)c * (size_t)x->stride,
               *to = x->U + (size_t)x->rank * (size_t)x->stride;
        const double before = sqrt(s->kernels->dot(x->stride, column, column));
        for (int pass = 0; pass < 2; ++pass) {
            for (int k = 0; k < x->rank; ++k) {
                const double *u = x->U + (size_t)k * (size_t)x->stride;
                s->kernels->axpy(x->stride, -s->kernels->dot(x->stride, u, column), u, column);
            }
        }
        const double left = sqrt(s->kernels->dot(x->stride, column, column));
        if (!(left > dependent * before)) continue;
        for (int e = 0; e < x->stride; ++e) to[e] = column[e] / left;
        x->rank++;
    }
}

static void project(pushing *x, const abuti_normal *s)
{
    memset(x->target, 0, (size_t)x->stride * sizeof *x->target);
    for (int k = 0; k < x->rank; ++k) {
        const double *u = x->U + (size_t)k * (size_t)x->stride;
        s->kernels->axpy(x->stride, s->kernels->dot(x->stride, u, x->p), u, x->target);
    }
}

/* Goes towards the target as long as no normal impulse becomes negative. Returns the place of the one that ends the
 * way, or -1. */
static int advance(pushing *x, const abuti_normal *s)
{
    double step = 1.0;
    int blocking = -1;
    for (int e = 0; e < x->count; ++e) {
        if (x->id[e] >= s->n || !(x->target[e] < 0.0)) continue;
        const double limit = x->p[e] / (x->p[e] - x->target[e]);
        if (blocking >= 0 && !(limit < step)) continue;
        step = limit;
        blocking = e;
    }
    for (int e = 0; e < x->count; ++e) {
        x->p[e] = step < 1.0 ? x->p[e] + step * (x->target[e] - x->p[e]) : x->target[e];
        if (x->id[e] < s->n) x->p[e] = fmax(x->p[e], 0.0);
    }
    return blocking;
}

void abuti_normal_spread(abuti_normal *s, const abuti_system *system, abuti_answer *answer)
{
    if (s->dof > ABUTI_SPREAD_DOF) return;
    pushing x = {.id = s->spread_id, .p = s->spread, .U = s->columns};
    gather(&x, s, system, answer);
    x.stride = abuti_padded(x.count);
    x.target = x.p + x.stride;
    for (int turn = 0; turn < most_turns && !abuti_normal_spent(s); ++turn) {
        for (int e = x.count; e < x.stride; ++e) x.p[e] = 0.0;
        fill_columns(&x, s, system);
        orthonormalise(&x, s);
        project(&x, s);
        const int blocking = advance(&x, s);
        for (int e = 0; e < x.count; ++e)
            *impulse_of(s, answer, x.id[e]) = x.p[e] / unit_of(s, system, x.id[e]);
        if (blocking < 0) return;
        *impulse_of(s, answer, x.id[blocking]) = 0.0;
        x.count--;
        for (int e = blocking; e < x.count; ++e) {
            x.id[e] = x.id[e + 1];
            x.p[e] = x.p[e + 1];
        }
    }
}
