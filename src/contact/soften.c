/* The point that `limit` returns: one to go on from.
 *
 * A call whose budget is spent has no answer, but the bodies must move all the same, and a simulation must survive it.
 * What is returned lies within the friction cones, gives no energy, and keeps bodies apart as far as the time allows:
 *
 *     start from the best point of the stages if it is near an answer; there are no sweeps then
 *     else from the impulses of the last step, else from that point, else from none
 *     sweeps (system/sweeps.h): contact by contact, theta and f take back the local velocity and go to the
 *         nearest point of the cone
 *     scale all impulses so that they do no work on the motion that follows from them
 *
 * The last step is what makes it safe. With v = k + s J'p the work of the impulses is
 *
 *     s p.(J v + offset) = s (p.(J k + offset) + s |J'p|^2),
 *
 * which is not positive for s from 0 to -p.(J k + offset) / |J'p|^2; and then (the energy identity of the step) the
 * kinetic energy after it is at most that before it plus the work of forces, moving bodies and gaps.
 *
 * At the acceleration level forces are to be found. They give no energy as they are: friction opposes the slip before,
 * and normal forces meet contacts that approach or stay. Contacts that are held have cones without bounds. */
#include "contact/soften.h"
#include "base/clock.h"
#include "contact/system/sweeps.h"
#include <math.h>
#include <string.h>

#define SWEEPS_LEAST 4 /* sweeps that are made however late it is */
#define SWEEPS_MOST 60 /* more sweeps gain little */

#define POLISH_MOST 300 /* sweeps from a point that is near an answer; one to three hundred are usual */
#define POLISH_LOOK 10  /* sweeps between two looks at the clock */
#define POLISH_SPAN 50  /* in so many sweeps changes must fall to this share, or more sweeps are in vain */
#define POLISH_FALLS 0.7
#define POLISH_STILL 1e-13 /* changes below this, in units of the largest velocity, are none */

/* Scales all impulses so that they do no work. `v` becomes the velocity that belongs to them. */
static void take_no_energy(const abuti_system *s, abuti_answer *x, double *v)
{
    size_t space = (size_t)((s->bodies + 1) * s->stride);
    double before = 0.0, square = 0.0; /* p.(J k + offset), |J'p|^2 */
    double *const p[3] = {x->theta, x->f[0], x->f[1]};
    for (size_t c = 0; c < space; ++c) square += (v[c] - s->k[c]) * (v[c] - s->k[c]);
    for (int i = 0; i < s->n; ++i) {
        for (int axis = 0; axis < 3; ++axis)
            if (p[axis][i] != 0.0) before += p[axis][i] * abuti_along(s, i, axis, s->k);
    }
    for (int j = 0; j < s->joints; ++j) before += x->joint[j] * abuti_joint_along(s, j, s->k);
    if (before + square <= 0.0) return;
    double share = square > 0.0 && before < 0.0 ? -before / square : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < s->n; ++i) p[axis][i] *= share;
    }
    for (int j = 0; j < s->joints; ++j) x->joint[j] *= share;
    for (size_t c = 0; c < space; ++c) v[c] = s->k[c] + share * (v[c] - s->k[c]);
}

bool abuti_soften_serves(const abuti_system *s)
{
    return s->rows;
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
    abuti_sweeps_begin(s, x, v);
    for (int k = 0; k < SWEEPS_MOST && !near; ++k) {
        if (k >= SWEEPS_LEAST && abuti_clock_passed(deadline)) break;
        (void)abuti_sweep(s, x, v);
    }
    if (!s->before[0]) take_no_energy(s, x, v);
    abuti_sweeps_name_states(s, x);
}

bool abuti_polish(const abuti_system *s, const abuti_stage_context *context, double *v, abuti_answer *x)
{
    double size = 0.0, before = INFINITY;
    for (int b = 0; b < s->bodies * s->stride; ++b) size = fmax(size, fabs(s->k[b]));
    abuti_sweeps_begin(s, x, v);
    for (int k = 0; k < POLISH_MOST; ++k) {
        double change = abuti_sweep(s, x, v);
        if (change <= POLISH_STILL * size) break;
        if (k % POLISH_SPAN == 0) {
            if (!(change <= POLISH_FALLS * before)) break;
            before = change;
        }
        if (k % POLISH_LOOK == 0 && abuti_clock_passed(context->deadline)) return false;
    }
    abuti_sweeps_name_states(s, x);
    return true;
}
