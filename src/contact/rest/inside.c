/* The associated convex problem by an interior point (Mehrotra's predictor and corrector).
 *
 *     v = k + sum J' p + sum j y,   p = sum of x c,   s = c.(J v + offset),   x >= 0, s >= 0, x s = 0
 *
 * There is one weight x and one slack s for each generator c of a contact's cone. Newton's step for products equal to a
 * target makes every contact a spring K = sum of (x / s) c c', so a round is one factorisation of matrix.h and two
 * solves. The problem is convex: the rounds end, and redundant contacts are as regular as others.
 *
 * Whether all can stand still (offsets zero) is mostly known long before the end. If a velocity with k.v > 0 opens
 * or keeps every generator, c.J v >= 0, no impulses p* can hold k: 0 = v.(k + J'p*) > 0. And once the weights
 * are positive and the velocities small, stiff springs in proportion to the weights make v zero, and the weights stay
 * positive: that is tried as soon as the predictor could go its whole way. */
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

#define REACH 0.995 /* how far a step goes towards the first weight or slack that would vanish */
#define WHOLE 0.999 /* a predictor this long says that the end is near */
#define NEARLY 1e-2 /* ... if the mean product is below this already, in squared sizes */
#define NEARBY 1e-7 /* mean product from which the end is tried, in squared sizes */
#define AGAIN 0.03  /* if that failed, the next try comes when the products are this much less */
#define DONE 1e-22  /* mean product at which there is nothing left to gain */
#define STALL 1e-6  /* a step shorter than this leads nowhere */
#define SLIPS 1e-6  /* slacks of a contact that carries, in units of the size: it slips */

typedef struct scan {
    double mean;   /* product x s */
    double owed;   /* largest |c.(J v + offset) - s| */
    double closed; /* largest -c.(J v + offset): a generator that v closes */
    double across; /* largest error of a joint row */
    int pairs;
} scan;

static void begin(rest *r, const abuti_system *s)
{
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            r->x[at] = r->size / (s->size[0][i] * r->count[i]);
            r->s[at] = r->size * s->size[0][i];
        }
    }
    for (int j = 0; j < s->joints; ++j) r->y[j] = 0.0;
}

/* Finds p and v, and what one pass over all pairs sees. The local velocities stay in h. */
static scan look(rest *r, const abuti_system *s)
{
    scan found = {0};
    double c[3];
    for (int i = 0; i < s->n; ++i) {
        double *p = r->p + 3 * i;
        p[0] = p[1] = p[2] = 0.0;
        for (int j = 0; j < r->count[i]; ++j) {
            double x = r->x[(size_t)i * (size_t)r->width + (size_t)j];
            rest_generator(r, i, j, c);
            for (int axis = 0; axis < 3; ++axis) p[axis] += x * c[axis];
        }
    }
    abuti_rest_move(r, s, r->p, r->y, s->k);
    for (int i = 0; i < s->n; ++i) {
        double *u = r->h + 3 * i;
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->v, u);
        for (int axis = 0; axis < 3; ++axis) u[axis] += r->offset[3 * i + axis];
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            rest_generator(r, i, j, c);
            double slack = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
            found.mean += r->x[at] * r->s[at];
            found.owed = rest_larger(found.owed, fabs(slack - r->s[at]) / s->size[0][i]);
            found.closed = rest_larger(found.closed, -slack / s->size[0][i]);
            found.pairs++;
        }
    }
    for (int j = 0; j < s->joints; ++j)
        found.across =
            rest_larger(found.across, fabs(abuti_rest_joint_velocity(s, j, r->v) + s->joint_offset[j]));
    found.mean /= found.pairs > 0 ? found.pairs : 1;
    return found;
}

/* Whether v proves that no impulses below REST_LARGEST hold k; or that none at all do, if a lift opens what v
 * closes. */
static bool proves_motion(const rest *r, const abuti_system *s, const scan *found, double opens)
{
    double power = abuti_rest_power(s, r->v);
    double allowance = fmax(found->closed, found->across) + REST_STILL * r->size;
    if (power > REST_LARGEST * r->size * allowance) return true;
    if (!(opens > 0.0)) return false;
    double amount = allowance / opens;
    return power + amount * abuti_rest_power(s, r->lift) > REST_PROOF * r->size * r->size;
}

static void springs(rest *r, const abuti_system *s)
{
    double c[3];
    memset(r->K, 0, REST_K * (size_t)s->n * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double *K = r->K + REST_K * i;
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            double weight = r->x[at] / r->s[at];
            rest_generator(r, i, j, c);
            rest_add_spring(K, weight, c);
        }
    }
}

/* The part of dx = (target - correction) / s - x - (x / s) ds of a pair that does not depend on the rate, where
 * ds = rate + owed. */
static double pull_of(const rest *r, size_t at, double slack, double target, bool corrected)
{
    double wanted = target - (corrected ? r->dx[at] * r->ds[at] : 0.0);
    return wanted / r->s[at] - r->x[at] - r->x[at] / r->s[at] * (slack - r->s[at]);
}

/* The step towards products equal to the target; with `corrected`, including the second-order terms of the step at
 * hand. Returns the share of it that keeps everything positive, at most 1. */
static double step(rest *r, const abuti_system *s, double target, bool corrected)
{
    double c[3], longest = 1.0 / REACH;
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double push[3] = {0.0, 0.0, 0.0};
        const double *u = r->h + 3 * i;
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            rest_generator(r, i, j, c);
            double slack = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
            double x = pull_of(r, at, slack, target, corrected);
            r->dx[at] = x;
            for (int axis = 0; axis < 3; ++axis) push[axis] += x * c[axis];
        }
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, push, r->dv);
    }
    for (int j = 0; j < s->joints; ++j) {
        r->dy[j] = abuti_rest_joint_velocity(s, j, r->v) + s->joint_offset[j];
        abuti_rest_push_joint(s, j, -REST_STIFF * r->dy[j], r->dv);
    }
    abuti_rest_solve(r, s, r->dv);
    for (int j = 0; j < s->joints; ++j)
        r->dy[j] = -REST_STIFF * (r->dy[j] + abuti_rest_joint_velocity(s, j, r->dv));
    for (int i = 0; i < s->n; ++i) {
        double du[3];
        const double *u = r->h + 3 * i;
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->dv, du);
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            rest_generator(r, i, j, c);
            double slack = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
            double rate = c[0] * du[0] + c[1] * du[1] + c[2] * du[2];
            r->ds[at] = rate + slack - r->s[at];
            r->dx[at] -= r->x[at] / r->s[at] * rate;
            if (-r->dx[at] * longest > r->x[at]) longest = r->x[at] / -r->dx[at];
            if (-r->ds[at] * longest > r->s[at]) longest = r->s[at] / -r->ds[at];
        }
    }
    return REACH * longest;
}

/* The mean product after a share of the step. */
static double mean_after(const rest *r, const abuti_system *s, double share, int pairs)
{
    double sum = 0.0;
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            sum += (r->x[at] + share * r->dx[at]) * (r->s[at] + share * r->ds[at]);
        }
    }
    return sum / pairs;
}

static void advance(rest *r, const abuti_system *s, double share)
{
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            r->x[at] += share * r->dx[at];
            r->s[at] += share * r->ds[at];
        }
    }
    for (int j = 0; j < s->joints; ++j) r->y[j] += share * r->dy[j];
}

/* The contact's impulse, and how stiff it is to become: in proportion to the squares of its weights, so that all
 * weights change by the same share, or to the weights themselves, which asks more of the small ones. */
static void stiffen_contact(rest *r, int i, double most, bool squares)
{
    double *K = r->K + REST_K * i, *p = r->p + 3 * i, c[3];
    for (int j = 0; j < r->count[i]; ++j) {
        double x = r->x[(size_t)i * (size_t)r->width + (size_t)j], share = x / most;
        double weight = REST_STIFF * r->count[i] * (squares ? share * share : share);
        rest_generator(r, i, j, c);
        for (int axis = 0; axis < 3; ++axis) p[axis] += x * c[axis];
        rest_add_spring(K, weight, c);
    }
}

/* Puts stiff springs at the contacts that carry; the others let go. False when a contact that carries slips. */
static bool stiffen(rest *r, const abuti_system *s, bool squares)
{
    double most = 0.0;
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < r->count[i]; ++j)
            most = rest_larger(most, r->x[(size_t)i * (size_t)r->width + (size_t)j]);
    }
    memset(r->K, 0, REST_K * (size_t)s->n * sizeof(double));
    memset(r->p, 0, 3 * (size_t)s->n * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double slips = 0.0, carries = 0.0;
        for (int j = 0; j < r->count[i]; ++j) {
            size_t at = (size_t)i * (size_t)r->width + (size_t)j;
            slips = rest_larger(slips, r->s[at] / s->size[0][i]);
            carries = rest_larger(carries, r->x[at] * s->size[0][i]);
        }
        if (carries <= slips) continue;
        if (!r->still && slips > SLIPS * r->size) return false;
        stiffen_contact(r, i, most, squares);
    }
    return most > 0.0;
}

/* Whether the point leads to an answer, which p and y then are. */
static bool try_end(rest *r, const abuti_system *s)
{
    for (int j = 0; j < s->joints; ++j) r->kept[j] = r->y[j];
    for (int squares = 1; squares >= 0; --squares) {
        if (stiffen(r, s, squares) && abuti_rest_factor(r, s) &&
            abuti_rest_hold(r, s, r->p, r->y, s->k, REST_STILL) && abuti_rest_in_cones(r, s, r->p))
            return true;
        for (int j = 0; j < s->joints; ++j) r->y[j] = r->kept[j];
    }
    return false;
}

/* The predictor of a round. */
static double predict(rest *r, const abuti_system *s)
{
    springs(r, s);
    return abuti_rest_factor(r, s) ? step(r, s, 0.0, false) : 0.0;
}

bool abuti_rest_inside(rest *r, const abuti_system *s, const abuti_stage_context *context, int *rounds)
{
    double square = r->size * r->size, next_try = NEARBY * square, opens = 0.0;
    if (r->still && s->joints == 0 && abuti_rest_spring_alike(r, s)) {
        abuti_rest_lift(r, s);
        opens = abuti_rest_opening(r, s);
    }
    begin(r, s);
    for (int round = 0; round < REST_ROUNDS && !abuti_rest_spent(context, *rounds); ++round, ++*rounds) {
        scan found = look(r, s);
        if (found.pairs == 0 || !isfinite(found.mean)) return false;
        if (r->still && proves_motion(r, s, &found, opens)) return false;
        double share = predict(r, s);
        bool whole = r->still && share >= WHOLE && found.mean < NEARLY * square;
        if (whole || found.mean < next_try) {
            if (try_end(r, s)) return true;
            if (found.mean < DONE * square) return false;
            next_try = AGAIN * found.mean;
            look(r, s);
            share = predict(r, s);
        }
        double reached = mean_after(r, s, share, found.pairs) / found.mean;
        share = step(r, s, found.mean * reached * reached * reached, true);
        if (!(share > STALL)) return false;
        advance(r, s, share);
    }
    return false;
}
