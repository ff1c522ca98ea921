/* The law of one contact: the natural map that says how far an impulse and a velocity are from it, and by how much the
 * state that a step assumed is violated. All three axes of a contact have one unit: p s and u / s. */
#include "base/length.h"
#include "contact/cone/cone.h"
#include <math.h>

/* The friction polygon's edge that a vector reaches furthest beyond: its normal, and how far it reaches. */
static int furthest_edge(int d, const double f[2], double normal[2], double *reach)
{
    int best = 0;
    *reach = -INFINITY;
    for (int k = 0; k < d; ++k) {
        const double *a = abuti_direction(d, k), *b = abuti_direction(d, (k + 1) % d);
        double x = a[0] + b[0], y = a[1] + b[1], length = abuti_length(x, y);
        double along = (x * f[0] + y * f[1]) / length;
        if (along > *reach) {
            *reach = along;
            normal[0] = x / length;
            normal[1] = y / length;
            best = k;
        }
    }
    return best;
}

static double kappa_of(int d)
{
    const double *a = abuti_direction(d, 0), *b = abuti_direction(d, 1);
    return 0.5 * abuti_length(a[0] + b[0], a[1] + b[1]);
}

static double half_of(int d)
{
    const double *a = abuti_direction(d, 0), *b = abuti_direction(d, 1);
    return 0.5 * abuti_length(a[0] - b[0], a[1] - b[1]);
}

/* The larger of two numbers, without the call that fmax would be, since it has to look for NaN. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* |f - P(f - u_t)| with P onto the disc of radius mu theta. */
static double round_error(const cone_touch *t)
{
    double radius = t->mu * larger(t->p[0], 0.0) * t->s;
    double fx = t->p[1] * t->s, fy = t->p[2] * t->s, gx = fx - t->u[1] * t->over, gy = fy - t->u[2] * t->over;
    double length = abuti_length(gx, gy);
    if (length > radius) {
        gx *= radius / length;
        gy *= radius / length;
    }
    return abuti_length(fx - gx, fy - gy);
}

/* The same on the segment along t. */
static double plane_error(const cone_touch *t)
{
    double radius = t->mu * fmax(t->p[0], 0.0) * t->s, f = t->p[1] * t->s, g = f - t->u[1] * t->over;
    return fabs(f - fmin(fmax(g, -radius), radius));
}

/* For polygons only the violation of the state counts. */
static double polygon_error(const cone_touch *t, int d)
{
    double slip = abuti_length(t->u[1], t->u[2]) * t->over;
    double wrong = fmax(abuti_cone_violation(t, d), 0.0);
    if (t->state == ABUT_OPEN) return abuti_length(t->p[1], t->p[2]) * t->s;
    if (t->state == ABUT_STICK) return fmax(wrong, slip);
    double x = t->p[1] - t->mu * t->p[0] * t->reach * t->e[0],
           y = t->p[2] - t->mu * t->p[0] * t->reach * t->e[1];
    if (t->state == ABUT_SLIDE) return fmax(wrong, abuti_length(x, y) * t->s);
    double along = fabs(t->e[0] * t->u[2] - t->e[1] * t->u[1]) * t->over;
    return fmax(fmax(wrong, along), fabs(t->e[0] * x + t->e[1] * y) * t->s);
}

/* |f - mu theta e| where the direction is given. */
static double aimed_error(const cone_touch *t)
{
    double limit = t->mu * larger(t->p[0], 0.0);
    return abuti_length(t->p[1] - limit * t->aim[0], t->p[2] - limit * t->aim[1]) * t->s;
}

double abuti_cone_residual(const cone *c)
{
    double most = 0.0;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        double theta = t->p[0], u = t->u[0], friction = 0.0;
        double normal = fabs(theta * t->s < u * t->over ? theta * t->s : u * t->over);
        normal = larger(normal, fabs(theta * t->own < u * t->over_own ? theta * t->own : u * t->over_own));
        switch ((cone_kind)t->kind) {
        case CONE_ROUND: friction = round_error(t); break;
        case CONE_PLANE: friction = plane_error(t); break;
        case CONE_POLYGON: friction = polygon_error(t, c->system->directions[i]); break;
        case CONE_AIMED: friction = aimed_error(t); break;
        case CONE_NONE: break;
        case CONE_PARTED: normal = fabs(theta) * t->s; break;
        }
        if (!(normal <= most)) most = normal;
        if (!(friction <= most)) most = friction;
    }
    return most / c->unit;
}

double abuti_cone_largest(const cone *c)
{
    double most = 0.0;
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        most = larger(most, (fabs(t->p[0]) + fabs(t->p[1]) + fabs(t->p[2])) * t->s);
    }
    return most;
}

/* A polygon's contact at a vertex or on an edge: what its neighbours say. */
static double polygon_violation(const cone_touch *t, int d)
{
    double lambda = -(t->e[0] * t->u[1] + t->e[1] * t->u[2]) / t->reach, most = -lambda;
    if (t->state == ABUT_EDGE) {
        double along = fabs(t->e[0] * t->p[2] - t->e[1] * t->p[1]);
        return fmax(most * t->over, (along - half_of(d) * t->mu * t->p[0]) * t->s);
    }
    for (int turn = 1; turn<d; turn += d - 2> 0 ? d - 2 : 1) {
        const double *next = abuti_direction(d, (t->face + turn) % d);
        most = fmax(most, -(next[0] * t->u[1] + next[1] * t->u[2]) - lambda);
    }
    return most * t->over;
}

double abuti_cone_violation(const cone_touch *t, int d)
{
    double opens = -t->p[0] * t->s, slips = 0.0, wide = cone_width(t);
    if (t->kind == CONE_PARTED) return 0.0;
    if (t->state == ABUT_OPEN) return -t->u[0] * t->over;
    if (t->kind == CONE_NONE) return opens;
    if (t->kind == CONE_AIMED) return opens * wide;
    if (t->state != ABUT_STICK) {
        opens *= wide;
        slips = t->kind == CONE_POLYGON ? polygon_violation(t, d)
                                        : (t->e[0] * t->u[1] + t->e[1] * t->u[2]) * t->over;
    } else if (t->kind == CONE_POLYGON) {
        double normal[2], reach;
        (void)furthest_edge(d, t->p + 1, normal, &reach);
        slips = (reach / kappa_of(d) - t->mu * t->p[0]) * t->s / wide;
    } else {
        double f = t->kind == CONE_PLANE ? fabs(t->p[1]) : abuti_length(t->p[1], t->p[2]);
        slips = (f - t->mu * t->p[0]) * t->s / wide;
    }
    return larger(opens, slips);
}

/* ---- changes of state ---- */

static void set_edge(cone_touch *t, int d, int face, const double normal[2])
{
    t->state = ABUT_EDGE;
    t->face = face;
    t->e[0] = normal[0];
    t->e[1] = normal[1];
    t->reach = kappa_of(d);
}

static void set_vertex(cone_touch *t, int d, int face)
{
    const double *v = abuti_direction(d, face);
    t->state = ABUT_SLIDE;
    t->face = face;
    t->e[0] = v[0];
    t->e[1] = v[1];
    t->reach = 1.0;
}

/* Lets the contact slide with friction along a vector. */
static void slide_along(cone_touch *t, int d, double x, double y)
{
    double length = abuti_length(x, y);
    if (t->kind == CONE_NONE || t->kind == CONE_AIMED) {
        t->state = ABUT_SLIDE;
        t->e[0] = t->aim[0];
        t->e[1] = t->aim[1];
    } else if (!(length > 0.0)) {
        t->state = ABUT_STICK;
    } else if (t->kind == CONE_POLYGON) {
        double normal[2], reach;
        const double f[2] = {x, y};
        int face = furthest_edge(d, f, normal, &reach);
        set_edge(t, d, face, normal);
    } else {
        bool plane = t->kind == CONE_PLANE;
        t->state = ABUT_SLIDE;
        t->e[0] = plane ? (x < 0.0 ? -1.0 : 1.0) : x / length;
        t->e[1] = plane ? 0.0 : y / length;
    }
}

/* A polygon's contact leaves its vertex for the edge, or its edge for the vertex, that is violated most. */
static void turn_polygon(cone_touch *t, int d)
{
    double lambda = -(t->e[0] * t->u[1] + t->e[1] * t->u[2]) / t->reach;
    if (t->state == ABUT_EDGE) {
        double along = t->e[0] * t->p[2] - t->e[1] * t->p[1];
        double beyond = (fabs(along) - half_of(d) * t->mu * t->p[0]) * t->s;
        if (beyond > -lambda * t->over) {
            set_vertex(t, d, along > 0.0 ? (t->face + 1) % d : t->face);
        } else {
            t->state = ABUT_STICK;
        }
        return;
    }
    const double *after = abuti_direction(d, (t->face + 1) % d),
                 *before = abuti_direction(d, (t->face + d - 1) % d);
    double high = -(after[0] * t->u[1] + after[1] * t->u[2]) - lambda;
    double low = -(before[0] * t->u[1] + before[1] * t->u[2]) - lambda;
    if (-lambda >= high && -lambda >= low) {
        t->state = ABUT_STICK;
        return;
    }
    const double *other = high >= low ? after : before;
    double x = t->e[0] + other[0], y = t->e[1] + other[1], length = abuti_length(x, y);
    const double normal[2] = {x / length, y / length};
    set_edge(t, d, high >= low ? t->face : (t->face + d - 1) % d, normal);
}

void abuti_cone_slide(cone_touch *t, int d, int step)
{
    slide_along(t, d, t->p[1], t->kind == CONE_PLANE ? 0.0 : t->p[2]);
    t->closed = step - 2; /* it has not just closed */
}

void abuti_cone_flip(cone_touch *t, int d, int step)
{
    double opens = -t->p[0] * t->s * (t->state == ABUT_STICK ? 1.0 : cone_width(t));
    if (t->state == ABUT_OPEN) {
        t->p[0] = t->p[1] = t->p[2] = 0.0;
        slide_along(t, d, -t->u[1], -t->u[2]);
        t->closed = t->state == ABUT_SLIDE && t->kind == CONE_ROUND ? step : -2;
    } else if (opens >= abuti_cone_violation(t, d)) {
        bool again = t->state == ABUT_SLIDE && t->closed == step - 1;
        t->state = again ? ABUT_STICK : ABUT_OPEN;
        t->p[0] = t->p[1] = t->p[2] = 0.0;
    } else if (t->state == ABUT_STICK) {
        abuti_cone_slide(t, d, step);
    } else if (t->kind == CONE_POLYGON) {
        turn_polygon(t, d);
    } else {
        t->state = ABUT_STICK;
    }
}
