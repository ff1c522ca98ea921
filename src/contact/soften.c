/* The point that `limit` returns: one to go on from.
 *
 * A call whose budget is spent has no answer, but the bodies must move all the same, and a simulation must survive it.
 * What is returned lies within the friction cones, gives no energy, and keeps bodies apart as far as the time allows:
 *
 *     start from the best point of the stages if it is near an answer; there are no sweeps then
 *     else from the impulses of the last step, else from that point, else from none
 *     sweeps: contact by contact, theta and f take back the local velocity and go to the nearest point of the cone
 *     scale all impulses so that they do no work on the motion that follows from them
 *
 * The last step is what makes it safe. With v = k + s J'p the work of the impulses is
 *
 *     s p.(J v + offset) = s (p.(J k + offset) + s |J'p|^2),
 *
 * which is not positive for s from 0 to -p.(J k + offset) / |J'p|^2; and then (the energy identity of the step) the
 * kinetic energy after it is at most that before it plus the work of forces, moving bodies and gaps. */
#include "contact/soften.h"
#include "base/clock.h"
#include "contact/system/classify.h"
#include <math.h>
#include <string.h>

#define SWEEPS_LEAST 4 /* however late it is */
#define SWEEPS_MOST 60 /* more gain little */

static double *block_of(const abuti_system *s, double *v, int side, int i)
{
    return v + (size_t)s->body[side][i] * (size_t)s->stride;
}

/* v += p times a row of contact i */
static void push(const abuti_system *s, int i, int axis, double p, double *v)
{
    for (int side = 0; side < s->sides && p != 0.0; ++side) {
        if (s->body[side][i] >= s->bodies) continue;
        double *at = block_of(s, v, side, i);
        const double *row = abuti_row(s, axis, side, 0) + i;
        for (int c = 0; c < s->dim; ++c) at[c] += row[(size_t)c * (size_t)s->lanes] * p;
    }
}

static double along(const abuti_system *s, int i, int axis, const double *v)
{
    double sum = s->offset[axis][i];
    for (int side = 0; side < s->sides; ++side) {
        const double *at = v + (size_t)s->body[side][i] * (size_t)s->stride;
        const double *row = abuti_row(s, axis, side, 0) + i;
        for (int c = 0; c < s->dim; ++c) sum += row[(size_t)c * (size_t)s->lanes] * at[c];
    }
    return sum;
}

static const double *joint_row(const abuti_system *s, int j, int side)
{
    return s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
}

static double joint_along(const abuti_system *s, int j, const double *v)
{
    double sum = s->joint_offset[j];
    for (int side = 0; side < s->sides; ++side) {
        const double *at = v + (size_t)s->joint_body[side][j] * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c) sum += joint_row(s, j, side)[c] * at[c];
    }
    return sum;
}

static void push_joint(const abuti_system *s, int j, double p, double *v)
{
    for (int side = 0; side < s->sides; ++side) {
        if (s->joint_body[side][j] >= s->bodies) continue;
        double *at = v + (size_t)s->joint_body[side][j] * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c) at[c] += joint_row(s, j, side)[c] * p;
    }
}

/* |f| in the norm of the polygon: f lies in r P exactly when this is at most r. */
static double polygon_norm(int d, const double f[2])
{
    double most = 0.0;
    if (d == ABUT_DIRECTIONS_MIN) return fabs(f[0]);
    for (int l = 0; l < d; ++l) {
        const double *a = abuti_direction(d, l), *b = abuti_direction(d, (l + 1) % d);
        double x = a[0] + b[0], y = a[1] + b[1];
        most = fmax(most, 2.0 * (x * f[0] + y * f[1]) / (x * x + y * y));
    }
    return most;
}

/* |f| in the norm of the contact's cone. */
static double cone_norm(const abuti_system *s, int i, const double f[2])
{
    bool round = s->round && s->round[i];
    return round ? sqrt(f[0] * f[0] + f[1] * f[1]) : polygon_norm(s->directions[i], f);
}

/* Into the cone: friction that is too large is shortened. */
static void into_cone(const abuti_system *s, int i, double p[3])
{
    double mu = s->model == ABUT_FRICTIONLESS ? 0.0 : s->mu[i];
    p[0] = p[0] > 0.0 ? p[0] : 0.0;
    if (s->directions[i] == ABUT_DIRECTIONS_MIN) p[2] = 0.0;
    double limit = mu * p[0], norm = limit > 0.0 ? cone_norm(s, i, p + 1) : 0.0;
    double share = !(limit > 0.0) ? 0.0 : norm > limit ? limit / norm * (1.0 - 1e-15) : 1.0;
    p[1] *= share;
    p[2] *= share;
}

static void take_back(const abuti_system *s, int i, abuti_answer *x, double *v)
{
    double *const at[3] = {x->theta + i, x->f[0] + i, x->f[1] + i};
    double normal = s->size[0][i] * s->size[0][i], tangent = fmax(s->size[1][i] * s->size[1][i], 1e-300);
    double p[3] = {*at[0] - along(s, i, 0, v) / normal, *at[1], *at[2]};
    if (s->mu[i] > 0.0) {
        for (int axis = 1; axis < 3; ++axis) p[axis] -= along(s, i, axis, v) / tangent;
    }
    into_cone(s, i, p);
    for (int axis = 0; axis < 3; ++axis) {
        push(s, i, axis, p[axis] - *at[axis], v);
        *at[axis] = p[axis];
    }
}

static void sweep(const abuti_system *s, abuti_answer *x, double *v)
{
    for (int j = 0; j < s->joints; ++j) { /* rows of size one */
        double square = 0.0;
        for (int side = 0; side < s->sides; ++side) {
            for (int c = 0; c < s->dim && s->joint_body[side][j] < s->bodies; ++c)
                square += joint_row(s, j, side)[c] * joint_row(s, j, side)[c];
        }
        double change = square > 0.0 ? -joint_along(s, j, v) / square : 0.0;
        x->joint[j] += change;
        push_joint(s, j, change, v);
    }
    for (int i = 0; i < s->n; ++i) take_back(s, i, x, v);
}

/* Scales all impulses so that they do no work. `v` becomes the velocity that belongs to them. */
static void take_no_energy(const abuti_system *s, abuti_answer *x, double *v)
{
    size_t space = (size_t)((s->bodies + 1) * s->stride);
    double before = 0.0, square = 0.0; /* p.(J k + offset), |J'p|^2 */
    double *const p[3] = {x->theta, x->f[0], x->f[1]};
    for (size_t c = 0; c < space; ++c) square += (v[c] - s->k[c]) * (v[c] - s->k[c]);
    for (int i = 0; i < s->n; ++i) {
        for (int axis = 0; axis < 3; ++axis)
            if (p[axis][i] != 0.0) before += p[axis][i] * along(s, i, axis, s->k);
    }
    for (int j = 0; j < s->joints; ++j) before += x->joint[j] * joint_along(s, j, s->k);
    if (before + square <= 0.0) return;
    double share = square > 0.0 && before < 0.0 ? -before / square : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < s->n; ++i) p[axis][i] *= share;
    }
    for (int j = 0; j < s->joints; ++j) x->joint[j] *= share;
    for (size_t c = 0; c < space; ++c) v[c] = s->k[c] + share * (v[c] - s->k[c]);
}

/* The states that a next step starts from. */
static void name_states(const abuti_system *s, abuti_answer *x)
{
    for (int i = 0; i < s->n; ++i) {
        const double f[2] = {x->f[0][i], x->f[1][i]}, back[2] = {-f[0], -f[1]};
        double limit = s->model == ABUT_FRICTIONLESS ? 0.0 : s->mu[i] * x->theta[i];
        bool slides = !(cone_norm(s, i, f) < limit * (1.0 - 1e-9)), round = s->round && s->round[i];
        uint8_t state = !(x->theta[i] > 0.0) ? ABUT_OPEN : slides ? ABUT_SLIDE : ABUT_STICK;
        int face = state != ABUT_SLIDE ? 0
                   : round             ? 256 / ABUT_DIRECTIONS_MAX * abuti_opposing(ABUT_DIRECTIONS_MAX, back)
                                       : abuti_opposing(s->directions[i], back);
        x->face[i] = (abut_contact_face){.state = state, .face = (uint8_t)face};
    }
}

bool abuti_soften_serves(const abuti_system *s)
{
    return s->rows && (s->model == ABUT_COULOMB || s->model == ABUT_FRICTIONLESS);
}

void abuti_soften(const abuti_system *s, const abuti_stage_context *context, double deadline, bool near,
                  double *v, abuti_answer *x)
{
    if (!near && context->impulse[0]) {
        double *const to[3] = {x->theta, x->f[0], x->f[1]};
        for (int axis = 0; axis < 3; ++axis)
            memcpy(to[axis], context->impulse[axis], (size_t)s->n * sizeof(double));
        if (s->joints) memcpy(x->joint, context->joint_impulse, (size_t)s->joints * sizeof(double));
    }
    memcpy(v, s->k, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double p[3] = {x->theta[i], x->f[0][i], x->f[1][i]};
        into_cone(s, i, p);
        for (int axis = 0; axis < 3; ++axis) push(s, i, axis, p[axis], v);
        x->theta[i] = p[0];
        x->f[0][i] = p[1];
        x->f[1][i] = p[2];
    }
    for (int j = 0; j < s->joints; ++j) push_joint(s, j, x->joint[j], v);
    for (int k = 0; k < SWEEPS_MOST && !near; ++k) {
        if (k >= SWEEPS_LEAST && deadline < INFINITY && abuti_clock() >= deadline) break;
        sweep(s, x, v);
    }
    take_no_energy(s, x, v);
    name_states(s, x);
}
