/* Newton's method on the law of the circle: one linear step, then one change of state, until the natural map vanishes.
 *
 * The new impulses are not put back onto their cones: the next step takes away what friction is too long. States are
 * decided in the linear model, where held rows do not move at all, so that contacts which just touch do not close
 * because of rounding. */
#include "base/clock.h"
#include "base/length.h"
#include "contact/cone/cone.h"
#include <math.h>
#include <string.h>

/* Natural map from which on the factor of a step before may serve again; what a step with it leaves, as a part of the
 * change of the law, and at most; and the number of such steps that cost less than a new factor. */
#define CHORD_NEAR 1e-3
#define CHORD_PART 0.4
#define CHORD_LEAVES 0.02
#define CHORD_STEPS 3
/* A step that leaves more than this part of the natural map has not brought it down. */
#define STALLS 0.5
/* Where the map stalls below DAMPED_NEAR, contacts that share a load hardly tell how: small velocities move large
 * impulses, and these turn directions. From then on held rows give way, at first by DAMPED_FIRST in units of their size,
 * less whenever the map falls to DAMPED_FALLS, else more, up to DAMPED_MOST. */
#define DAMPED_NEAR 1e-3
#define DAMPED_FIRST 1e-4
#define DAMPED_FALLS 0.7
#define DAMPED_LESS 0.25
#define DAMPED_MORE 8.0
#define DAMPED_MOST 1e-1
#define JUMP 4.0 /* growth of the largest impulse in one step that is not believed */

/* Sets the direction along which the natural map projects: that of f in slow slip, that against u_t in fast slip. */
static void aim(cone_touch *t)
{
    double s2 = t->s * t->s, x = t->p[1] * s2 - t->u[1], y = t->p[2] * s2 - t->u[2],
           length = abuti_length(x, y);
    if (!(length > 0.0)) return;
    x /= length;
    y /= length;
    double turned = t->e[0] * x + t->e[1] * y, side = t->e[0] * y - t->e[1] * x;
    if (turned < CONE_LARGEST_TURN && (t->e[0] != 0.0 || t->e[1] != 0.0)) {
        double sine = side < 0.0 ? -CONE_LARGEST_TURN : CONE_LARGEST_TURN;
        x = CONE_LARGEST_TURN * t->e[0] - sine * t->e[1];
        y = CONE_LARGEST_TURN * t->e[1] + sine * t->e[0];
    }
    t->e[0] = x;
    t->e[1] = y;
}

/* Directions, compliances, and the impulses that the step starts from: on the cone where it slides. */
static void prepare(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) {
        cone_touch *t = &c->touch[i];
        t->moved = 0.0;
        t->compliance = -1.0;
        if (t->state == ABUT_SLIDE && t->kind != CONE_NONE) {
            if (t->kind == CONE_ROUND) aim(t);
            double along = t->e[0] * t->p[1] + t->e[1] * t->p[2];
            if (cone_width(t) > 1.0 && along > 0.0) t->p[0] = along / t->mu;
            double against = -(t->e[0] * t->u[1] + t->e[1] * t->u[2]), limit = t->mu * t->p[0];
            double lambda = against > 0.0 ? against : 0.0;
            if (t->kind == CONE_ROUND && limit * t->s > CONE_TINY * c->unit) t->compliance = lambda / limit;
            t->p[1] = limit * t->e[0];
            t->p[2] = limit * t->e[1];
        } else if (t->state == ABUT_EDGE) {
            double along = t->e[0] * t->p[2] - t->e[1] * t->p[1], limit = t->mu * t->p[0] * t->reach;
            t->p[1] = limit * t->e[0] - along * t->e[1];
            t->p[2] = limit * t->e[1] + along * t->e[0];
            t->compliance = 0.0;
        }
        for (int k = 0; k < 3; ++k) t->base[k] = t->p[k];
    }
    for (int j = 0; j < c->system->joints; ++j) c->joint_base[j] = c->joint[j];
}

void abuti_cone_move(cone *c)
{
    if (!c->W) {
        c->kernel->move(c);
    } else {
        abuti_cone_move_local(c);
    }
}

bool abuti_cone_solve(cone *c)
{
    return c->W ? abuti_cone_solve_local(c) : c->kernel->solve(c);
}

/* Whether impulses have become much larger in this step, as where rows that contradict each other by little are held by
 * stiff springs. */
static bool has_jumped(const cone *c)
{
    double most = 0.0, before = 0.0;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        most = fmax(most, (fabs(t->p[0]) + fabs(t->p[1]) + fabs(t->p[2])) * t->s);
        before = fmax(before, (fabs(t->base[0]) + fabs(t->base[1]) + fabs(t->base[2])) * t->s);
    }
    return most > JUMP * before && before > 0.0;
}

/* Whether held normals move all the same, which means that their rows contradict each other. */
static bool contradicts(const cone *c)
{
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        if (t->state != ABUT_OPEN && !(fabs(t->u[0]) * t->over <= CONE_CONTRADICTS * c->unit)) return true;
    }
    return false;
}

/* The part of the step after which the friction of a contact that sticks leaves its circle; INFINITY if it does not. */
static double leaves_circle(const cone_touch *t)
{
    if (t->state != ABUT_STICK || t->kind == CONE_NONE || t->kind == CONE_POLYGON) return INFINITY;
    double fx = t->base[1], fy = t->kind == CONE_PLANE ? 0.0 : t->base[2], limit = t->mu * t->base[0];
    double dx = t->p[1] - t->base[1], dy = t->kind == CONE_PLANE ? 0.0 : t->p[2] - t->base[2];
    double grows = t->mu * (t->p[0] - t->base[0]);
    double A = dx * dx + dy * dy - grows * grows, B = fx * dx + fy * dy - limit * grows;
    double C = fx * fx + fy * fy - limit * limit, root = B * B - A * C;
    if (C >= 0.0) return B > 0.0 || C > 0.0 ? 0.0 : INFINITY;
    if (root < 0.0) return INFINITY;
    double q = -(B + (B < 0.0 ? -sqrt(root) : sqrt(root))), best = INFINITY;
    double first = A != 0.0 ? q / A : INFINITY, second = q != 0.0 ? C / q : INFINITY;
    if (first >= 0.0) best = first;
    if (second >= 0.0) best = fmin(best, second);
    return best;
}

/* Goes along the step only up to the first normal impulse that vanishes, or the first friction that leaves its circle;
 * that contact opens, or slides. False: none does. */
static bool ratio_test(cone *c, int step)
{
    double part = 1.0;
    int first = -1;
    bool opens = false;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        if (t->state == ABUT_OPEN) continue;
        double here = t->base[0] > 0.0 ? t->base[0] / (t->base[0] - t->p[0]) : 0.0, slides = leaves_circle(t);
        bool vanishes = t->p[0] < 0.0 && here <= slides;
        if (!vanishes) here = slides;
        if (here < part) {
            part = here;
            first = i;
            opens = vanishes;
        }
    }
    if (first < 0) return false;
    for (int i = 0; i < c->system->n; ++i) {
        cone_touch *t = &c->touch[i];
        for (int k = 0; k < 3; ++k) t->p[k] = t->base[k] + part * (t->p[k] - t->base[k]);
    }
    for (int j = 0; j < c->system->joints; ++j)
        c->joint[j] = c->joint_base[j] + part * (c->joint[j] - c->joint_base[j]);
    cone_touch *t = &c->touch[first];
    if (opens) {
        t->state = ABUT_OPEN;
        t->p[0] = t->p[1] = t->p[2] = 0.0;
    } else {
        abuti_cone_slide(t, c->system->directions[first], step);
    }
    abuti_cone_move(c);
    return true;
}

/* Where no impulse vanishes on the way, friction jams what slides, and the slowest contact that slides becomes one that
 * sticks. False: none slides. */
static bool jam(cone *c)
{
    double least = INFINITY;
    int slowest = -1;
    for (int i = 0; i < c->system->n; ++i) {
        cone_touch *t = &c->touch[i];
        memcpy(t->p, t->base, sizeof t->p);
        if (t->state != ABUT_SLIDE || t->kind == CONE_NONE || t->kind == CONE_AIMED) continue;
        double slip = -(t->e[0] * t->u[1] + t->e[1] * t->u[2]) * t->over;
        if (slip < least) {
            least = slip;
            slowest = i;
        }
    }
    if (slowest < 0) return false;
    c->touch[slowest].state = ABUT_STICK;
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = c->joint_base[j];
    abuti_cone_move(c);
    return true;
}

/* Whether this set of states has come often enough for the lowest index to decide. */
static bool came_back(cone *c, int step)
{
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < c->system->n; ++i)
        hash = (hash ^ (uint64_t)(4 * c->touch[i].face + c->touch[i].state)) * 0x100000001B3u;
    int seen = 0;
    for (int k = 0; k < step && k < CONE_SETS; ++k) seen += c->sets[k] == hash;
    if (step < CONE_SETS) c->sets[step] = hash;
    return seen + 1 >= CONE_REPEATS;
}

/* What is more than rounding, and more than the held rows are off. */
static double least_violation(const cone *c)
{
    return fmax(fmax(CONE_VIOLATED, 2.0 * c->left) * c->unit, CONE_NOISE * abuti_cone_largest(c));
}

/* Changes one state: that with the largest violation, or the first violated one. False: nothing is violated. */
static bool flip_one(cone *c, int step, bool lowest)
{
    double most = least_violation(c);
    int which = -1;
    for (int i = 0; i < c->system->n && !(lowest && which >= 0); ++i) {
        double wrong = abuti_cone_violation(&c->touch[i], c->system->directions[i]);
        if (wrong > most) {
            most = wrong;
            which = i;
        }
    }
    if (which >= 0) abuti_cone_flip(&c->touch[which], c->system->directions[which], step);
    return which >= 0;
}

/* Changes all states that are violated. False: nothing is violated. */
static bool flip_all(cone *c, int step)
{
    double most = least_violation(c);
    bool any = false;
    for (int i = 0; i < c->system->n; ++i) {
        if (!(abuti_cone_violation(&c->touch[i], c->system->directions[i]) > most)) continue;
        abuti_cone_flip(&c->touch[i], c->system->directions[i], step);
        any = true;
    }
    return any;
}

/* The natural map of the present iterate, which is kept if it is the best so far. */
static double note(cone *c)
{
    double residual = abuti_cone_residual(c);
    if (!(residual < c->least)) return residual;
    c->least = residual;
    for (int i = 0; i < c->system->n; ++i) c->touch[i].best = cone_where(&c->touch[i]);
    for (int j = 0; j < c->system->joints; ++j) c->joint_best[j] = c->joint[j];
    return residual;
}

/* Goes back to the best iterate. */
static void go_back(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) cone_return(&c->touch[i], &c->touch[i].best);
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = c->joint_best[j];
    abuti_cone_move(c);
}

bool abuti_cone_spent(const cone *c)
{
    return abuti_budget_spent(c->steps, c->context->pivots_left, c->context->deadline);
}

/* How much of the law has changed since the factor at hand was made: directions have turned, rows across them become
 * stiffer or softer. INFINITY: other rows are held. */
static double change_of_law(const cone *c)
{
    double most = 0.0;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        if (t->state != ABUT_SLIDE || t->kind != CONE_ROUND) continue;
        double K = t->held.stiffness[1], gives = t->compliance + (c->prox + CONE_RIDGE) * t->s * t->s;
        if ((t->compliance >= 0.0) != (K > 0.0)) return INFINITY;
        double turned = abuti_length(t->e[0] - t->held.e[0], t->e[1] - t->held.e[1]);
        most = fmax(most, fmax(turned, K > 0.0 ? fabs(gives * K - 1.0) : 0.0));
    }
    return most;
}

bool abuti_cone_factor_serves(double residual, double enough, double change)
{
    double leaves = CHORD_PART * change;
    if (!(residual <= CHORD_NEAR) || !(leaves <= CHORD_LEAVES)) return false;
    for (int k = 0; k < CHORD_STEPS && residual > enough; ++k) residual *= leaves;
    return residual <= enough;
}

/* Changes states after the step, where a change is due. False: none is. `stuck` is set where rows contradict each other
 * and nothing gives way. */
static bool change_states(cone *c, int step, bool lowest, bool grew, bool *stuck)
{
    if (contradicts(c) || (grew && has_jumped(c))) {
        *stuck = !ratio_test(c, step) && !jam(c);
        return true;
    }
    return step < c->eager ? flip_all(c, step) : flip_one(c, step, lowest);
}

/* How the map has come down so far. */
typedef struct course {
    double residual, before; /* now, and before the last step */
    bool changed;            /* states have changed after the step before */
    bool chords;             /* old factors may serve again */
    bool damped;             /* held rows give way */
} course;

/* Takes back a step that an old factor, or stiff springs, have led astray, and chooses other springs. False: the step is
 * as it should be. */
static bool take_back(cone *c, course *is)
{
    bool stalls = is->residual > STALLS * is->before, misled = c->kept && stalls;
    if (is->damped) {
        bool falls = is->residual <= DAMPED_FALLS * is->before;
        c->gives =
            falls ? fmax(DAMPED_LESS * c->gives, CONE_RIDGE) : fmin(DAMPED_MORE * c->gives, DAMPED_MOST);
        misled = !falls && is->residual > is->before;
    } else if (stalls && !misled && !is->changed && !c->W && is->residual <= DAMPED_NEAR) {
        is->damped = misled = true;
        c->gives = DAMPED_FIRST;
    }
    if (!misled || is->changed || !(c->least < is->residual)) return false;
    is->chords = false;
    go_back(c);
    is->residual = c->least;
    return true;
}

bool abuti_cone_newton(cone *c, int steps)
{
    bool lowest = false, stuck = false;
    course is = {.changed = true, .chords = !c->W};
    double enough = fmin(CONE_TARGET, c->enough);
    c->least = INFINITY;
    c->gives = CONE_RIDGE;
    for (int i = 0; i < c->system->n; ++i) c->touch[i].closed = -2;
    abuti_cone_move(c);
    is.residual = c->asserted ? abuti_cone_residual(c) : note(c);
    if (is.residual <= enough && !c->asserted) return true;
    for (int step = 0; step < steps && !stuck && !abuti_cone_spent(c); ++step) {
        is.before = is.residual;
        c->steps++;
        lowest = lowest || came_back(c, step);
        prepare(c);
        c->kept = is.chords && !is.damped && !is.changed &&
                  abuti_cone_factor_serves(is.residual, enough, change_of_law(c));
        c->hold = c->kept || is.damped ? INFINITY : fmax(CONE_HELD, CONE_HELD_PART * fmin(is.residual, 1.0));
        c->left = 0.0;
        if (!abuti_cone_solve(c)) break;
        is.residual = note(c);
        if (is.residual <= enough) return true;
        if (!(is.residual < INFINITY)) break;
        if (is.residual > STALLS * is.before && c->least <= c->enough) break; /* rounding allows no less */
        if (take_back(c, &is)) continue;
        is.changed = change_states(c, step, lowest, is.residual > is.before, &stuck);
    }
    if (c->least < INFINITY) go_back(c);
    return c->least <= c->enough;
}
