/* An interior point on second-order cones, for large islands and where nothing else helps. With
 *
 *     X = (mu theta, f) s,     Y = (u_n / mu + |u_t|, u_t) / s,     X, Y in the Lorentz cone, X.Y = 0  (De Saxce)
 *
 * each step is a linear system in the velocities, as in rows.c: Nesterov and Todd's scaling N (N X = N^-1 Y) makes a
 * contact a spring, and the derivative of |u_t| makes its matrix unsymmetric:
 *
 *     (W + (I - mu n g') V) dp = (I - mu n g') h,     V = S N^2 S,  S = diag(mu, 1, 1) s,  g = u_t / |u_t|,
 *
 * or, with B = V^-1 (I + mu n g') and W = J J',   (I + J'B J) dx = J'V^-1 h,   dp = V^-1 h - B J dx.
 *
 * It need not go to the end: from 1e-5 on Newton's method tries the states that the point suggests. Contacts without
 * friction are cones of one dimension, polygons are taken for circles. */
#include "base/length.h"
#include "contact/cone/cone.h"
#include "contact/cone/inner.h"
#include <math.h>
#include <string.h>

#define ROUNDS 60
#define FIRST_TRY 1e-5 /* natural map at which Newton's method is tried first; then at each tenth of it */
#define LAST_TRY 1e-10
#define TO_BOUNDARY 0.995 /* of the way to the boundary of the cones */
#define SHORT 0.3         /* steps that the boundary makes shorter are taken towards the middle instead */
#define STUCK 1e-3        /* and where even those are shorter it is Newton's turn */
#define SMALLEST 1e-12    /* friction below this is none */

static bool has_friction(const cone_touch *t)
{
    return t->kind != CONE_NONE && t->mu > SMALLEST;
}

/* X of an impulse. */
static void to_X(const cone_touch *t, const double p[3], double X[3])
{
    bool rough = has_friction(t);
    X[0] = (rough ? t->mu : 1.0) * p[0] * t->s;
    X[1] = rough ? p[1] * t->s : 0.0;
    X[2] = rough && t->kind != CONE_PLANE ? p[2] * t->s : 0.0;
}

/* Y of a velocity; g gets u_t / |u_t|. */
static void to_Y(const cone_touch *t, double Y[3], double g[2])
{
    g[0] = g[1] = 0.0;
    Y[1] = Y[2] = 0.0;
    Y[0] = t->u[0] * t->over;
    if (!has_friction(t)) return;
    double y = t->kind == CONE_PLANE ? 0.0 : t->u[2], slip = abuti_length(t->u[1], y);
    if (slip > 0.0) {
        g[0] = t->u[1] / slip;
        g[1] = y / slip;
    }
    Y[0] = (t->u[0] / t->mu + slip) * t->over;
    Y[1] = t->u[1] * t->over;
    Y[2] = y * t->over;
}

static double determinant(const double a[3])
{
    double side = abuti_length(a[1], a[2]);
    return (a[0] - side) * (a[0] + side);
}

/* Nesterov and Todd's scaling: N = beta (2 v v' - J), J = diag(1, -1, -1); false where X or Y has left its cone. */
static bool scale(cone_inner *in)
{
    double dx = determinant(in->X), dy = determinant(in->Y);
    if (!(dx > 0.0 && dy > 0.0 && in->X[0] > 0.0 && in->Y[0] > 0.0)) return false;
    double rx = 1.0 / sqrt(dx), ry = 1.0 / sqrt(dy), dot = 0.0;
    for (int k = 0; k < 3; ++k) dot += in->X[k] * in->Y[k];
    double gamma = sqrt(0.5 * (1.0 + dot * rx * ry));
    in->w[0] = (in->Y[0] * ry + in->X[0] * rx) / (2.0 * gamma);
    for (int k = 1; k < 3; ++k) in->w[k] = (in->Y[k] * ry - in->X[k] * rx) / (2.0 * gamma);
    double by = 1.0 / sqrt(2.0 * (in->w[0] + 1.0));
    in->v[0] = (in->w[0] + 1.0) * by;
    in->v[1] = in->w[1] * by;
    in->v[2] = in->w[2] * by;
    in->beta = sqrt(sqrt(dy / dx));
    return true;
}

/* N a, or N^-1 a. */
static void times_N(const cone_inner *in, const double a[3], bool inverse, double out[3])
{
    const double sign = inverse ? -1.0 : 1.0, v[3] = {in->v[0], sign * in->v[1], sign * in->v[2]};
    double dot = v[0] * a[0] + v[1] * a[1] + v[2] * a[2], beta = inverse ? 1.0 / in->beta : in->beta;
    out[0] = beta * (2.0 * v[0] * dot - a[0]);
    out[1] = beta * (2.0 * v[1] * dot + a[1]);
    out[2] = beta * (2.0 * v[2] * dot + a[2]);
}

/* K = V^-1 of a contact, three by three. */
static void stiffness(const cone_touch *t, const cone_inner *in, double K[9])
{
    memset(K, 0, 9 * sizeof(double));
    if (!has_friction(t)) {
        K[0] = in->X[0] / in->Y[0] * t->over * t->over;
        return;
    }
    const double w[3] = {in->w[0], -in->w[1], -in->w[2]};
    double by = t->over * t->over / (in->beta * in->beta), over[3] = {1.0 / t->mu, 1.0, 1.0};
    int rows = t->kind == CONE_PLANE ? 2 : 3;
    for (int a = 0; a < rows; ++a)
        for (int b = 0; b < rows; ++b)
            K[3 * a + b] =
                by * over[a] * over[b] * (2.0 * w[a] * w[b] - (a == b ? (a == 0 ? 1.0 : -1.0) : 0.0));
}

/* a with a o b = target (Lorentz's product). */
static void divide(const double b[3], const double target[3], double a[3])
{
    double det = determinant(b), dot = b[1] * target[1] + b[2] * target[2];
    a[0] = (b[0] * target[0] - dot) / det;
    for (int k = 1; k < 3; ++k) a[k] = (target[k] - a[0] * b[k]) / b[0];
}

/* Right-hand side h of a contact: towards X o Y = center, `second` with the second-order term of the step before. */
static void right_side(const cone_touch *t, cone_inner *in, double center, bool second)
{
    double towards[3], Y[3], g[2];
    to_Y(t, Y, g);
    if (!has_friction(t)) {
        double cross = second ? in->dX[0] * in->dY[0] : 0.0;
        in->h[0] = t->s * ((center - cross - in->X[0] * in->Y[0]) / in->X[0] - (Y[0] - in->Y[0]));
        in->h[1] = in->h[2] = 0.0;
        return;
    }
    double lambda[3], target[3], a[3], b[3], scaled[3];
    times_N(in, in->X, false, lambda);
    target[0] = center - (lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]);
    for (int k = 1; k < 3; ++k) target[k] = -2.0 * lambda[0] * lambda[k];
    if (second) {
        times_N(in, in->dX, false, a);
        times_N(in, in->dY, true, b);
        target[0] -= a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for (int k = 1; k < 3; ++k) target[k] -= a[0] * b[k] + b[0] * a[k];
    }
    divide(lambda, target, towards);
    times_N(in, towards, false, scaled);
    for (int k = 0; k < 3; ++k) in->h[k] = (k == 0 ? t->mu : 1.0) * t->s * (scaled[k] - (Y[k] - in->Y[k]));
    if (t->kind == CONE_PLANE) in->h[2] = 0.0;
}

/* The change of X, and of Y: dY = N r - N^2 dX = (h / S + Y(u) - Y) - N^2 dX. */
static void changes(const cone_touch *t, cone_inner *in)
{
    double Y[3], g[2], once[3], twice[3];
    to_X(t, in->dp, in->dX);
    to_Y(t, Y, g);
    if (!has_friction(t)) {
        in->dY[0] = in->h[0] * t->over + (Y[0] - in->Y[0]) - in->Y[0] / in->X[0] * in->dX[0];
        in->dY[1] = in->dY[2] = 0.0;
        return;
    }
    times_N(in, in->dX, false, once);
    times_N(in, once, false, twice);
    for (int k = 0; k < 3; ++k)
        in->dY[k] = in->h[k] * t->over / (k == 0 ? t->mu : 1.0) + (Y[k] - in->Y[k]) - twice[k];
    if (t->kind == CONE_PLANE) in->dY[2] = 0.0;
}

/* How far a may go along d within its cone, 1 at most. */
static double reach(const double a[3], const double d[3])
{
    double A = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], B = a[0] * d[0] - a[1] * d[1] - a[2] * d[2];
    double C = determinant(a), best = 1.0, root = B * B - A * C;
    if (d[0] < 0.0) best = fmin(best, -a[0] / d[0]);
    if (root >= 0.0) {
        double q = -(B + (B < 0.0 ? -sqrt(root) : sqrt(root)));
        double first = A != 0.0 ? q / A : INFINITY, second = q != 0.0 ? C / q : INFINITY;
        if (first > 0.0) best = fmin(best, first);
        if (second > 0.0) best = fmin(best, second);
    }
    return best;
}

static double longest_step(const cone *c)
{
    double step = 1.0;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_inner *in = &c->inner[i];
        step = fmin(step, reach(in->X, in->dX));
        step = fmin(step, reach(in->Y, in->dY));
    }
    return step;
}

/* Mean of X.Y after a part of the step. */
static double gap_after(const cone *c, double step)
{
    double sum = 0.0;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_inner *in = &c->inner[i];
        for (int k = 0; k < 3; ++k) sum += (in->X[k] + step * in->dX[k]) * (in->Y[k] + step * in->dY[k]);
    }
    return sum / (c->system->n > 0 ? c->system->n : 1);
}

/* Scalings, springs, factor. */
static bool prepare(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) {
        cone_touch *t = &c->touch[i];
        cone_inner *in = &c->inner[i];
        double Y[3], g[2];
        if (!scale(in)) return false;
        stiffness(t, in, in->K);
        to_Y(t, Y, g);
        for (int k = 0; k < 2; ++k) in->g[k] = has_friction(t) ? t->mu * g[k] : 0.0;
        memcpy(t->B, in->K, sizeof t->B);
        for (int a = 0; a < 3; ++a)
            for (int b = 1; b < 3; ++b) t->B[3 * a + b] += in->K[3 * a] * in->g[b - 1];
    }
    return !c->W ? c->kernel->factor(c, 1.0 / CONE_RIDGE) : abuti_inner_factor_local(c);
}

static void solve_for(cone *c, double center, bool second)
{
    for (int i = 0; i < c->system->n; ++i) right_side(&c->touch[i], &c->inner[i], center, second);
    if (!c->W) {
        abuti_inner_solve_rows(c);
    } else {
        abuti_inner_solve_local(c);
    }
    for (int i = 0; i < c->system->n; ++i) changes(&c->touch[i], &c->inner[i]);
}

/* X and Y of one size, in the middle of their cones. */
static void begin(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) {
        cone_touch *t = &c->touch[i];
        cone_inner *in = &c->inner[i];
        double mu = has_friction(t) ? t->mu : 1.0;
        *in = (cone_inner){.X = {mu * c->unit}, .Y = {c->unit / mu}};
        t->state = ABUT_STICK; /* all contacts are springs */
        in->p[0] = c->unit * t->over;
    }
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = 0.0;
}

static void take_impulses(cone *c)
{
    for (int i = 0; i < c->system->n; ++i) memcpy(c->touch[i].p, c->inner[i].p, sizeof c->touch[i].p);
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = c->joint_inner[j];
    abuti_cone_move(c);
}

static void advance(cone *c, double step)
{
    for (int i = 0; i < c->system->n; ++i) {
        cone_inner *in = &c->inner[i];
        for (int k = 0; k < 3; ++k) {
            in->p[k] += step * in->dp[k];
            in->X[k] += step * in->dX[k];
            in->Y[k] += step * in->dY[k];
        }
        c->touch[i].state = ABUT_STICK;
    }
    for (int j = 0; j < c->system->joints; ++j) c->joint_inner[j] += step * c->joint_step[j];
}

bool abuti_cone_interior(cone *c)
{
    double next = FIRST_TRY;
    abuti_cone_need_rows(c);
    begin(c);
    for (int j = 0; j < c->system->joints; ++j) c->joint_inner[j] = 0.0;
    for (int round = 0; round < ROUNDS && !abuti_cone_spent(c); ++round) {
        take_impulses(c);
        double residual = abuti_cone_residual(c);
        if (!(residual < INFINITY)) return false;
        if (residual <= next && next >= LAST_TRY) {
            abuti_cone_from_impulses(c);
            if (abuti_cone_newton(c, CONE_STEPS)) return true;
            while (residual <= next) next *= 0.1;
            for (int i = 0; i < c->system->n; ++i) c->touch[i].state = ABUT_STICK;
            take_impulses(c);
        }
        c->steps++;
        if (!prepare(c)) return false;
        solve_for(c, 0.0, false);
        double gap = gap_after(c, 0.0), affine = gap_after(c, longest_step(c));
        double sigma = affine / gap, center = gap * sigma * sigma * sigma;
        solve_for(c, fmin(fmax(center, 1e-3 * fmin(gap, affine > 0.0 ? affine : gap)), gap), true);
        double step = longest_step(c);
        if (step < SHORT) { /* away from the boundary first */
            solve_for(c, gap, false);
            step = longest_step(c);
        }
        bool stuck = step < STUCK;
        advance(c, step < 1.0 ? TO_BOUNDARY * step : 1.0);
        if (!stuck) continue;
        take_impulses(c);
        abuti_cone_from_impulses(c);
        return abuti_cone_newton(c, CONE_STEPS);
    }
    return false;
}
