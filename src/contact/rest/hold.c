/* Springs that hold: impulses that make contacts and joint rows still.
 *
 * Wanted are impulses p near those at hand with J v + offset = 0, v = k + J'p. Stiff springs K answer
 * (K^-1 + J J')^-1 u, which is the answer except for what finite stiffness leaves. Soft modes (a high stack that sways,
 * a heavy box on light ones) would take many repetitions. So the springs are the preconditioner of conjugate gradients
 * on J J' p = -u, and each direction takes one such mode away. */
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

void abuti_rest_move(rest *r, const abuti_system *s, const double *p, const double *y, const double *k)
{
    size_t space = (size_t)((s->bodies + 1) * s->stride);
    if (k) memcpy(r->v, k, space * sizeof(double));
    if (!k) memset(r->v, 0, space * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, p + 3 * i, r->v);
    }
    for (int j = 0; j < s->joints; ++j) abuti_rest_push_joint(s, j, y[j], r->v);
}

static void times_spring(const double *K, const double u[3], double out[3])
{
    out[0] = K[REST_NN] * u[0] + K[REST_NX] * u[1] + K[REST_NY] * u[2];
    out[1] = K[REST_NX] * u[0] + K[REST_XX] * u[1] + K[REST_XY] * u[2];
    out[2] = K[REST_NY] * u[0] + K[REST_XY] * u[1] + K[REST_YY] * u[2];
}

/* The largest velocity of what is to be still: of all of v, or of the contacts with springs and the joint rows. */
static double unrest(const rest *r, const abuti_system *s, bool moved)
{
    double worst = 0.0;
    if (r->still) {
        for (int c = 0; c < s->bodies * s->stride; ++c) worst = rest_larger(worst, fabs(r->v[c]));
        return worst;
    }
    for (int i = 0; i < s->n; ++i) {
        double u[3];
        if (r->count[i] == 0 || r->K[REST_K * i] == 0.0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->v, u);
        for (int axis = 0; axis < 3; ++axis)
            worst = rest_larger(worst, fabs(u[axis] + (moved ? r->offset[3 * i + axis] : 0.0)));
    }
    for (int j = 0; j < s->joints; ++j)
        worst = rest_larger(worst,
                            fabs(abuti_rest_joint_velocity(s, j, r->v) + (moved ? s->joint_offset[j] : 0.0)));
    return worst;
}

/* How the springs answer v: what contacts and joint rows would add to their impulses goes into step and dy. Returns
 * u.step, summed over contacts and rows, which is what v owes along this step. */
static double pull(rest *r, const abuti_system *s, bool moved)
{
    double u[3], push[3], owed = 0.0;
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->v, u);
        for (int axis = 0; axis < 3; ++axis) u[axis] += moved ? r->offset[3 * i + axis] : 0.0;
        times_spring(r->K + REST_K * i, u, push);
        for (int axis = 0; axis < 3; ++axis) {
            r->h[3 * i + axis] = u[axis];
            push[axis] = -push[axis];
        }
        abuti_rest_push(&r->matrix, s, i, push, r->dv);
    }
    for (int j = 0; j < s->joints; ++j) {
        r->joint_h[j] = abuti_rest_joint_velocity(s, j, r->v) + (moved ? s->joint_offset[j] : 0.0);
        abuti_rest_push_joint(s, j, -REST_STIFF * r->joint_h[j], r->dv);
    }
    abuti_rest_solve(r, s, r->dv);
    for (int i = 0; i < s->n; ++i) {
        double *step = r->step + 3 * i;
        if (r->count[i] == 0) continue;
        abuti_rest_velocity(&r->matrix, s, i, r->dv, u);
        for (int axis = 0; axis < 3; ++axis) u[axis] += r->h[3 * i + axis];
        times_spring(r->K + REST_K * i, u, step);
        for (int axis = 0; axis < 3; ++axis) {
            step[axis] = -step[axis];
            owed -= step[axis] * r->h[3 * i + axis];
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        r->dy[j] = -REST_STIFF * (r->joint_h[j] + abuti_rest_joint_velocity(s, j, r->dv));
        owed -= r->dy[j] * r->joint_h[j];
    }
    return owed;
}

/* The next of the conjugate directions: the springs' answer plus `share` of the last direction. */
static void turn(rest *r, const abuti_system *s, double share)
{
    for (int c = 0; c < 3 * s->n; ++c) r->way[c] = share > 0.0 ? r->step[c] + share * r->way[c] : r->step[c];
    for (int j = 0; j < s->joints; ++j)
        r->joint_way[j] = share > 0.0 ? r->dy[j] + share * r->joint_way[j] : r->dy[j];
}

/* How far to go along the way: to the least |v|; v does not follow yet. */
static double length_of_way(rest *r, const abuti_system *s, double owed)
{
    double square = 0.0;
    memset(r->dv, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        if (r->count[i] > 0) abuti_rest_push(&r->matrix, s, i, r->way + 3 * i, r->dv);
    }
    for (int j = 0; j < s->joints; ++j) abuti_rest_push_joint(s, j, r->joint_way[j], r->dv);
    for (int c = 0; c < s->bodies * s->stride; ++c) square += r->dv[c] * r->dv[c];
    return square > 0.0 ? owed / square : 0.0;
}

bool abuti_rest_hold(rest *r, const abuti_system *s, double *p, double *y, const double *k, double still)
{
    double least = INFINITY, owed_before = 0.0;
    for (int step = 0, idle = 0; step <= REST_STEPS; ++step) {
        abuti_rest_move(r, s, p, y, k);
        double now = unrest(r, s, k);
        if (now <= still * r->size) return true;
        idle = now < REST_FALLS * least ? 0 : idle + 1;
        if (step == REST_STEPS || idle > REST_IDLE || (idle > 0 && now <= REST_LOOSE * r->size))
            return now <= REST_LOOSE * r->size;
        least = now < least ? now : least;
        double owed = pull(r, s, k);
        turn(r, s, step > 0 && owed_before > 0.0 ? owed / owed_before : 0.0);
        double length = length_of_way(r, s, owed);
        for (int i = 0; i < s->n; ++i) {
            for (int c = 3 * i; c < 3 * i + 3 && r->count[i] > 0; ++c) p[c] += length * r->way[c];
        }
        for (int j = 0; j < s->joints; ++j) y[j] += length * r->joint_way[j];
        owed_before = owed;
    }
    return false;
}
