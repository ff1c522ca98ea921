/* The dense LCP of a contact system, Lloyd 2005 eq. (8) with the errata's signs:
 *
 *     | nu    |   | N'N   N'D   0 | | theta  |   | N'k + o_n |
 *     | sigma | = | D'N   D'D   E | | phi    | + | D'k + o_D |
 *     | gamma |   | mu   -E'    0 | | lambda |   | 0         |
 *
 * All variables are >= 0 and complementary by pairs. Joint rows stand beside N and D, with free variables. A
 * contact without friction has no phi and no lambda. At the W + q door the products N'N, N'D, ... are the
 * entries of W as they are given. */
#include "contact/dense/lcp.h"
#include "base/clock.h"
#include "contact/system/classify.h"
#include "linalg/kernels.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static int least(long long a, long long b)
{
    return (int)(a < b ? a : b);
}

int abuti_dense_most(const abut_contact_limits *limits, abut_contact_solver solver)
{
    int numbers = limits->nv > 6 * limits->bodies ? limits->nv : 6 * limits->bodies;
    if (limits->solvers & 1u << solver) return ABUT_DENSE_MAX;
    if (limits->local) return ABUTI_DENSE_HELP;
    return least((long long)ABUTI_DENSE_A_BODY * ((numbers + 5) / 6), ABUTI_DENSE_HELP);
}

abuti_dense *abuti_dense_layout(abuti_arena *arena, const abut_contact_limits *limits, abut_lcp_method method,
                                int most)
{
    bool normal_only = method == ABUT_LCP_DANTZIG || method == ABUT_LCP_ACTIVE_SET;
    int directions = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    long long wanted = (long long)limits->contacts * (normal_only ? 1 : 2 + directions) + limits->joints;
    int capacity = least(wanted > 0 ? wanted : 1, most > 0 ? most : 1);
    int contacts = least(limits->contacts, capacity), joints = least(limits->joints, capacity);
    /* An island has at most one body more than contacts and joint rows. */
    int width =
        abuti_padded(6 * (wanted > capacity ? least(limits->bodies, capacity + 1LL) : limits->bodies));
    if (abuti_padded(limits->nv) > width) width = abuti_padded(limits->nv);

    abuti_dense *dense = abuti_take(arena, 1, abuti_dense);
    abuti_dense counting;
    abuti_dense *at = dense ? dense : &counting;
    at->capacity = capacity;
    at->width = width;
    at->M = abuti_take(arena, (size_t)capacity * (size_t)capacity, double);
    at->q = abuti_take(arena, capacity, double);
    at->phi = abuti_take(arena, contacts, int);
    at->lambda = abuti_take(arena, contacts, int);
    at->free = abuti_take(arena, joints, int);
    at->block = abuti_take(arena, (size_t)(3 * contacts + joints) * (size_t)width, double);
    at->work = NULL;
    abut_lcp_limits lcp_limits = {.n = capacity, .methods = 1u << method};
    abut_allocator in_arena = abuti_arena_allocator(arena);
    (void)abut_lcp_workspace_create(&lcp_limits, &in_arena, &at->work);
    return dense;
}

/* ------------------------------------------------------------------------------------------------
 * The matrix */

int abuti_dense_rows(const abuti_system *system)
{
    long long rows = system->n + system->joints;
    for (int i = 0; i < system->n; ++i) rows += system->mu[i] > 0.0 ? 1 + system->directions[i] : 0;
    return rows > INT_MAX ? INT_MAX : (int)rows;
}

/* Sets where each contact's variables stand, and returns the number of variables. */
int abuti_dense_number(const abuti_system *s, abuti_dense *dense)
{
    int next = s->n;
    for (int i = 0; i < s->n; ++i) {
        dense->phi[i] = s->mu[i] > 0.0 ? next : -1;
        next += s->mu[i] > 0.0 ? s->directions[i] : 0;
    }
    for (int i = 0; i < s->n; ++i) dense->lambda[i] = s->mu[i] > 0.0 ? next++ : -1;
    for (int j = 0; j < s->joints; ++j) dense->free[j] = next++;
    return next;
}

/* Writes all rows out over all blocks, so that a product of two rows is one dot product. */
void abuti_dense_spread_rows(const abuti_system *s, abuti_dense *dense, int width)
{
    memset(dense->block, 0, (size_t)(3 * s->n + s->joints) * (size_t)width * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            double *out = dense->block + (size_t)(3 * i + axis) * (size_t)width;
            for (int side = 0; side < s->sides; ++side) {
                int block = s->body[side][i];
                if (block >= s->bodies) continue;
                for (int c = 0; c < s->dim; ++c) out[block * s->dim + c] = abuti_row(s, axis, side, c)[i];
            }
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        double *out = dense->block + (size_t)(3 * s->n + j) * (size_t)width;
        for (int side = 0; side < s->sides; ++side) {
            int block = s->joint_body[side][j];
            if (block >= s->bodies) continue;
            const double *row = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) out[block * s->dim + c] = row[c];
        }
    }
}

void abuti_dense_spread_of(const abuti_system *s, const abuti_dense *dense, int row, abuti_dense_spread *out)
{
    int contact = row / 3, axis = row % 3;
    if (row >= 3 * s->n) {
        *out = (abuti_dense_spread){.count = 1, .at = {dense->free[row - 3 * s->n]}, .by = {1.0}};
    } else if (axis == ABUTI_NORMAL) {
        *out = (abuti_dense_spread){.count = 1, .at = {contact}, .by = {1.0}};
    } else {
        int d = s->directions[contact];
        out->count = dense->phi[contact] < 0 ? 0 : d;
        for (int j = 0; j < out->count; ++j) {
            out->at[j] = dense->phi[contact] + j;
            out->by[j] = abuti_direction(d, j)[axis - 1];
        }
    }
}

/* Adds rows a, b of the system, whose product is `value`, to M: M += spread_a value spread_b'. */
static void add_product(double *M, int n, const abuti_dense_spread *a, const abuti_dense_spread *b,
                        double value)
{
    for (int i = 0; i < a->count; ++i) {
        double *row = M + (size_t)a->at[i] * (size_t)n, by = a->by[i] * value;
        for (int j = 0; j < b->count; ++j) row[b->at[j]] += by * b->by[j];
    }
}

/* The block that a row of the system moves on one side; s->bodies: none. */
static int block_of(const abuti_system *s, int row, int side)
{
    return row < 3 * s->n ? s->body[side][row / 3] : s->joint_body[side][row - 3 * s->n];
}

/* Whether rows a and b move a common block; if not, their product is zero. With W any two rows may. */
static bool meet(const abuti_system *s, int a, int b)
{
    if (!s->rows) return true;
    for (int i = 0; i < s->sides; ++i)
        for (int j = 0; j < s->sides; ++j)
            if (block_of(s, a, i) < s->bodies && block_of(s, a, i) == block_of(s, b, j)) return true;
    return false;
}

/* Forms M and q. False: the deadline has passed. */
static bool form(const abuti_system *s, abuti_dense *dense, int n, double deadline)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    int rows = 3 * s->n + s->joints, width = abuti_padded(s->bodies * s->dim);
    memset(dense->M, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(dense->q, 0, (size_t)n * sizeof(double));
    if (s->rows) abuti_dense_spread_rows(s, dense, width);
    abuti_dense_spread from, to;
    for (int a = 0; a < rows; ++a) {
        if (abuti_clock_passed(deadline)) return false;
        abuti_dense_spread_of(s, dense, a, &from);
        if (from.count == 0) continue;
        double q = a < 3 * s->n ? s->offset[a % 3][a / 3] : s->joint_offset[a - 3 * s->n];
        const double *row = dense->block + (size_t)a * (size_t)width;
        for (int b = 0; b < s->bodies && s->rows; ++b) {
            for (int c = 0; c < s->dim; ++c)
                q += row[b * s->dim + c] * s->k[(size_t)b * (size_t)s->stride + (size_t)c];
        }
        for (int i = 0; i < from.count; ++i) dense->q[from.at[i]] += from.by[i] * q;
        for (int b = 0; b < rows; ++b) {
            if (!meet(s, a, b)) continue;
            double value = s->rows ? kernels->dot(width, row, dense->block + (size_t)b * (size_t)width)
                                   : s->W[(size_t)a * (size_t)s->W_ld + (size_t)b];
            if (value == 0.0) continue;
            abuti_dense_spread_of(s, dense, b, &to);
            add_product(dense->M, n, &from, &to, value);
        }
    }
    for (int i = 0; i < s->n; ++i) {
        if (dense->phi[i] < 0) continue;
        double *gamma = dense->M + (size_t)dense->lambda[i] * (size_t)n;
        gamma[i] = s->mu[i];
        for (int j = 0; j < s->directions[i]; ++j) {
            gamma[dense->phi[i] + j] = -1.0;
            dense->M[(size_t)(dense->phi[i] + j) * (size_t)n + (size_t)dense->lambda[i]] = 1.0;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * The way back */

static void gather_friction(const abuti_system *s, const abuti_dense *dense, const double *z, int i,
                            double f[2])
{
    f[0] = f[1] = 0.0;
    for (int j = 0; j < s->directions[i] && dense->phi[i] >= 0; ++j) {
        const double *d = abuti_direction(s->directions[i], j);
        f[0] += z[dense->phi[i] + j] * d[0];
        f[1] += z[dense->phi[i] + j] * d[1];
    }
}

/* The tangential velocity of contact i as the LCP's w shows it: w of direction j is lambda + d_j.u. */
static void local_velocity(const abuti_system *s, const abuti_dense *dense, const double *z, const double *w,
                           int i, double u[2])
{
    u[0] = u[1] = 0.0;
    int d = s->directions[i];
    if (dense->phi[i] < 0) return;
    for (int j = 0; j < d; ++j) {
        const double *at = abuti_direction(d, j);
        double along = w[dense->phi[i] + j] - z[dense->lambda[i]];
        u[0] += along * at[0] * (d == 2 ? 1.0 : 2.0) / (double)d;
        u[1] += along * at[1] * 2.0 / (double)d;
    }
}

void abuti_dense_take(const abuti_system *s, const abuti_dense *dense, const double *z, const double *w,
                      abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        double f[2], u[2];
        gather_friction(s, dense, z, i, f);
        local_velocity(s, dense, z, w, i, u);
        answer->theta[i] = z[i];
        answer->f[0][i] = f[0];
        answer->f[1][i] = f[1];
        bool slip = dense->lambda[i] >= 0 && z[dense->lambda[i]] > 0.0;
        answer->face[i] = abuti_classify(s->directions[i], s->mu[i], z[i], f, u, slip);
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = z[dense->free[j]];
}

static void take_ray(const abuti_system *s, const abuti_dense *dense, const double *ray, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        double f[2];
        gather_friction(s, dense, ray, i, f);
        answer->ray[i] = ray[i];
        answer->ray[s->lanes + i] = f[0];
        answer->ray[2 * s->lanes + i] = f[1];
    }
}

abut_outcome abuti_dense_run(const abuti_system *s, abuti_dense *dense, abut_lcp_method method,
                             const abuti_stage_context *context, abuti_answer *answer)
{
    answer->too_large =
        abuti_dense_rows(s) > dense->capacity || (s->rows && s->bodies * s->dim > dense->width);
    if (answer->too_large) return ABUT_FAILED;
    int n = abuti_dense_number(s, dense);
    if (n == 0) return ABUT_SOLVED; /* nothing touches: k is the answer */
    bool timed = context->deadline < INFINITY;
    double begun = timed ? abuti_clock() : 0.0;
    if (!form(s, dense, n, context->deadline)) return ABUT_LIMIT;
    /* Scaling and judging the LCP take about as long as forming it did, before any pivot. */
    if (timed && 2.0 * abuti_clock() - begun >= context->deadline) return ABUT_LIMIT;
    abut_lcp_problem problem = {
        .n = n, .M = dense->M, .ld = n, .q = dense->q, .free_count = s->joints, .free = dense->free};
    abut_lcp_options options = abut_lcp_default_options();
    options.method = method;
    if (context->options && context->options->max_pivots > 0) options.max_pivots = context->pivots_left;
    if (context->deadline < INFINITY) options.max_seconds = fmax(context->deadline - abuti_clock(), DBL_MIN);
    abut_lcp_result result;
    if (abut_lcp_solve(dense->work, &problem, &options, &result) != ABUT_OK) return ABUT_FAILED;
    answer->pivots += result.pivots;
    if (result.z) abuti_dense_take(s, dense, result.z, result.w, answer);
    if (result.outcome == ABUT_RAY && result.ray) take_ray(s, dense, result.ray, answer);
    return result.outcome;
}
