/* Newton's method for one body: the start, the iteration, changes of state, the answer; see one.h. */
#include "contact/cone/one.h"
#include "base/length.h"
#include "contact/cone/cone.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* Contacts of the largest system that is taken. */
#define MOST 512

void abuti_cone_one_layout(cone_one *o, abuti_arena *arena, int contacts)
{
    size_t lanes = (size_t)abuti_padded(contacts < MOST ? contacts : MOST);
    for (int k = 0; k < 3; ++k) {
        o->p[k] = abuti_take(arena, lanes, double);
        o->u[k] = abuti_take(arena, lanes, double);
        o->h[k] = abuti_take(arena, lanes, double);
    }
    for (int k = 0; k < 2; ++k) {
        o->e[k] = abuti_take(arena, lanes, double);
        o->shift[k] = abuti_take(arena, lanes, double);
        o->aimed[k] = abuti_take(arena, lanes, double);
        o->column[k] = abuti_take(arena, lanes, double);
    }
    o->closed = abuti_take(arena, lanes, double);
    o->sticks = abuti_take(arena, lanes, double);
    o->s = abuti_take(arena, lanes, double);
    o->over = abuti_take(arena, lanes, double);
    o->own = abuti_take(arena, lanes, double);
    o->over_own = abuti_take(arena, lanes, double);
    o->gives = abuti_take(arena, lanes, double);
    o->moved = abuti_take(arena, lanes, double);
    o->normal = abuti_take(arena, lanes, double);
    o->across = abuti_take(arena, lanes, double);
    o->side = abuti_take(arena, lanes, double);
    o->lack = abuti_take(arena, lanes, double);
    o->since = abuti_take(arena, lanes, int);
    o->capacity = (int)lanes;
}

bool abuti_cone_one_serves(const cone_one *o, const abuti_system *s)
{
    if (!s->rows || s->bodies != 1 || s->sides != 1 || s->dim != CONE_SIX || s->stride != CONE_EIGHT ||
        s->joints > 0 || s->given || s->before[0] || s->lanes > o->capacity)
        return false;
    for (int i = 0; i < s->n; ++i)
        if (s->mu[i] > 0.0 && (!s->round[i] || s->directions[i] == ABUT_DIRECTIONS_MIN || !(s->mu[i] <= 1.0)))
            return false;
    return true;
}

/* ---- the start ---- */

/* Sets a lane to a state and an impulse; an edge of a polygon slides on its circle. Friction has its own direction,
 * or that which is given. */
static void place(cone_one *o, int i, uint8_t state, const double p[3], const double *direction)
{
    bool rough = o->system->mu[i] > 0.0, closed = state != ABUT_OPEN && state <= ABUT_STICK;
    double length = closed ? sqrt(p[1] * p[1] + p[2] * p[2]) : 0.0;
    for (int k = 0; k < 3; ++k) o->p[k][i] = closed ? p[k] : 0.0;
    for (int k = 0; k < 2; ++k)
        o->e[k][i] = length > 0.0 ? p[1 + k] / length : direction && rough ? direction[k] : 0.0;
    o->closed[i] = closed ? 1.0 : 0.0;
    o->sticks[i] = state == ABUT_STICK && rough ? 1.0 : 0.0;
    o->since[i] = -2;
}

static void clear_padding(cone_one *o)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    for (int i = o->system->n; i < o->system->lanes; ++i) place(o, i, ABUT_OPEN, none, NULL);
}

void abuti_cone_one_from_point(cone_one *o, const abuti_answer *point)
{
    for (int i = 0; i < o->system->n; ++i) {
        const double p[3] = {point->theta[i], point->f[0][i], point->f[1][i]};
        place(o, i, point->face[i].state, p, NULL);
    }
    clear_padding(o);
}

void abuti_cone_one_from_states(cone_one *o, const abuti_stage_context *context)
{
    const abuti_system *s = o->system;
    for (int i = 0; i < s->n; ++i) {
        double by = 1.0 / (s->unit * s->row_scale[i]), p[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3 && context->pushed[0]; ++k) p[k] = context->pushed[k][i] * by;
        uint8_t state = context->start[i].state;
        if (state == ABUT_STICK && p[1] * p[1] + p[2] * p[2] > 0.0 &&
            abuti_length(p[1], p[2]) >= (1.0 - CONE_LIMIT) * s->mu[i] * p[0])
            state = ABUT_SLIDE; /* it was at its limit */
        place(o, i, state, p,
              abuti_direction(ABUT_DIRECTIONS_MAX, (context->turn[i] + 2) / 4 % ABUT_DIRECTIONS_MAX));
    }
    clear_padding(o);
}

/* ---- changes of state ---- */

/* Changes the state of a lane to what it should become; see abuti_cone_flip. */
static void flip(cone_one *o, int i, int step)
{
    bool rough = o->system->mu[i] > 0.0;
    if (o->closed[i] == 0.0) {
        double x = -o->u[1][i], y = -o->u[2][i], length = abuti_length(x, y);
        bool slides = rough && length > 0.0;
        o->e[0][i] = slides ? x / length : 0.0;
        o->e[1][i] = slides ? y / length : 0.0;
        o->closed[i] = 1.0;
        o->sticks[i] = rough && !slides ? 1.0 : 0.0;
        o->since[i] = slides ? step : -2;
    } else if (-o->p[0][i] * o->s[i] >= cone_one_violation(o, i)) {
        bool again = o->sticks[i] == 0.0 && o->since[i] == step - 1;
        o->closed[i] = o->sticks[i] = again ? 1.0 : 0.0;
        o->p[0][i] = o->p[1][i] = o->p[2][i] = 0.0;
    } else if (o->sticks[i] != 0.0) {
        double length = abuti_length(o->p[1][i], o->p[2][i]);
        for (int k = 0; k < 2; ++k) o->e[k][i] = o->p[1 + k][i] / length;
        o->sticks[i] = 0.0;
        o->since[i] = step - 2;
    } else {
        o->sticks[i] = 1.0;
    }
}

/* Changes all states that are violated, or the worst of them. False: nothing is violated. */
static bool change(cone_one *o, const cone_one_judgement *is, double least, bool all, int step)
{
    if (!(is->violated > least)) return false;
    for (int i = 0; i < o->system->n && all; ++i)
        if (cone_one_violation(o, i) > least) flip(o, i, step);
    if (!all) flip(o, is->worst, step);
    return true;
}

/* ---- the iteration ---- */

bool abuti_cone_one_newton(cone_one *o, const cone_kernel *kernel, bool asserted, int eager, double enough,
                           int *steps)
{
    double left = 0.0;
    bool changed = true;
    kernel->one_begin(o);
    kernel->one_move(o);
    cone_one_judgement is = kernel->one_judge(o);
    for (int step = 0; step < CONE_STEPS_WARM && (is.residual > enough || (asserted && step == 0)); ++step) {
        ++*steps;
        kernel->one_prepare(o);
        bool kept = !changed && abuti_cone_factor_serves(is.residual, enough, kernel->one_change(o));
        double hold = kept ? INFINITY : fmax(CONE_HELD, CONE_HELD_PART * fmin(is.residual, 1.0));
        if (!kernel->one_step(o, kept, hold, &left)) return false;
        is = kernel->one_judge(o);
        if (!(is.moving <= CONE_CONTRADICTS * o->unit)) return false;
        if (is.residual <= enough) break;
        double least = fmax(fmax(CONE_VIOLATED, 2.0 * left) * o->unit, CONE_NOISE * is.largest);
        changed = change(o, &is, least, step < eager, step);
    }
    return is.residual <= enough;
}

/* ---- the answer ---- */

void abuti_cone_one_finish(const cone_one *o, abuti_answer *answer)
{
    const abuti_system *s = o->system;
    for (int i = 0; i < s->n; ++i) {
        double p[3] = {o->p[0][i], o->p[1][i], o->p[2][i]};
        const double slip[2] = {o->u[1][i], o->u[2][i]};
        answer->face[i] = abuti_cone_end(p, slip, s->mu[i], o->s[i], o->unit, o->sticks[i] != 0.0);
        answer->theta[i] = p[0];
        answer->f[0][i] = p[1];
        answer->f[1][i] = p[2];
    }
}
