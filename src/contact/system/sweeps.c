#include "contact/system/sweeps.h"
#include "base/length.h"
#include "contact/system/classify.h"
#include <math.h>
#include <string.h>

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

double abuti_along(const abuti_system *s, int i, int axis, const double *v)
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

double abuti_joint_along(const abuti_system *s, int j, const double *v)
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
double abuti_cone_norm(const abuti_system *s, int i, const double f[2])
{
    bool round = s->round && s->round[i];
    return round ? sqrt(f[0] * f[0] + f[1] * f[1]) : polygon_norm(s->directions[i], f);
}

/* Whether friction is found here. It is not without friction, nor where it is given, which is then among the forces. */
static bool rubs(const abuti_system *s, int i)
{
    abut_friction_law law = abuti_model_of(s->model)->friction;
    return law == ABUT_LAW_HELD || (law == ABUT_LAW_COULOMB && s->mu[i] > 0.0);
}

/* How far friction reaches at theta: as far as a contact that is held needs it, or to mu theta. */
static double reach_of(const abuti_system *s, int i, double theta)
{
    if (!rubs(s, i) || !(theta > 0.0)) return 0.0;
    return abuti_model_of(s->model)->friction == ABUT_LAW_HELD ? INFINITY : s->mu[i] * theta;
}

/* Brings an impulse into the cone: friction that is too large is shortened. */
void abuti_into_cone(const abuti_system *s, int i, double p[3])
{
    p[0] = p[0] > 0.0 ? p[0] : 0.0;
    if (s->directions[i] == ABUT_DIRECTIONS_MIN) p[2] = 0.0;
    double limit = reach_of(s, i, p[0]), norm = limit > 0.0 ? abuti_cone_norm(s, i, p + 1) : 0.0;
    double share = !(limit > 0.0) ? 0.0 : norm > limit ? limit / norm * (1.0 - 1e-15) : 1.0;
    p[1] *= share;
    p[2] *= share;
}

/* To the nearest point of r times the polygon. */
static void onto_polygon(int d, double r, double f[2])
{
    double least = INFINITY, to[2] = {0.0, 0.0};
    if (d == ABUT_DIRECTIONS_MIN) {
        f[0] = fmax(-r, fmin(r, f[0]));
        f[1] = 0.0;
        return;
    }
    if (polygon_norm(d, f) <= r) return;
    for (int l = 0; l < d; ++l) {
        const double *a = abuti_direction(d, l), *b = abuti_direction(d, (l + 1) % d);
        double ex = b[0] - a[0], ey = b[1] - a[1];
        double share = ((f[0] - r * a[0]) * ex + (f[1] - r * a[1]) * ey) / (r * (ex * ex + ey * ey));
        share = fmax(0.0, fmin(1.0, share));
        double x = r * (a[0] + share * ex), y = r * (a[1] + share * ey);
        double square = (f[0] - x) * (f[0] - x) + (f[1] - y) * (f[1] - y);
        if (square >= least) continue;
        least = square;
        to[0] = x;
        to[1] = y;
    }
    f[0] = to[0];
    f[1] = to[1];
}

/* To the nearest point of the cone's section at theta. */
static void onto_section(const abuti_system *s, int i, double p[3])
{
    double reach = reach_of(s, i, p[0]);
    p[0] = p[0] > 0.0 ? p[0] : 0.0;
    if (reach > 0.0 && reach < INFINITY && !(s->round && s->round[i]))
        onto_polygon(s->directions[i], reach, p + 1);
    /* On circles this is the nearest point; on polygons it takes in what rounding leaves outside. */
    abuti_into_cone(s, i, p);
}

/* At the acceleration level friction opposes the slip that there is before, and a contact that separates faster than
 * slow carries nothing. False: the contact does not slip. */
static bool oppose_slip(const abuti_system *s, int i, double p[3])
{
    if (!s->before[0]) return false;
    double slow = s->slide_threshold,
           across = s->directions[i] == ABUT_DIRECTIONS_MIN ? 0.0 : s->before[2][i];
    double speed = abuti_length(s->before[1][i], across);
    if (s->before[0][i] > slow) p[0] = 0.0;
    if (!(speed > slow) || !rubs(s, i)) return false;
    double reach = reach_of(s, i, p[0]);
    p[1] = -reach * s->before[1][i] / speed;
    p[2] = -reach * across / speed;
    return true;
}

/* Contact i takes back its velocity. Returns the change of its impulse times the size of its row. */
static double take_back(const abuti_system *s, int i, abuti_answer *x, double *v)
{
    double *const at[3] = {x->theta + i, x->f[0] + i, x->f[1] + i};
    double normal = s->size[0][i] * s->size[0][i], tangent = fmax(s->size[1][i] * s->size[1][i], 1e-300);
    double p[3] = {*at[0] - abuti_along(s, i, 0, v) / normal, *at[1], *at[2]}, most = 0.0;
    if (!oppose_slip(s, i, p) && rubs(s, i)) {
        for (int axis = 1; axis < 3; ++axis) p[axis] -= abuti_along(s, i, axis, v) / tangent;
    }
    onto_section(s, i, p);
    for (int axis = 0; axis < 3; ++axis) {
        most = fmax(most, fabs(p[axis] - *at[axis]) * s->size[axis > 0][i]);
        push(s, i, axis, p[axis] - *at[axis], v);
        *at[axis] = p[axis];
    }
    return most;
}

/* A joint row, whose size is one, does the same. */
static double take_back_joint(const abuti_system *s, int j, abuti_answer *x, double *v)
{
    double square = 0.0;
    for (int side = 0; side < s->sides; ++side) {
        for (int c = 0; c < s->dim && s->joint_body[side][j] < s->bodies; ++c)
            square += joint_row(s, j, side)[c] * joint_row(s, j, side)[c];
    }
    double change = square > 0.0 ? -abuti_joint_along(s, j, v) / square : 0.0;
    x->joint[j] += change;
    push_joint(s, j, change, v);
    return fabs(change);
}

void abuti_velocity_after(const abuti_system *s, const abuti_answer *x, double *v)
{
    memcpy(v, s->k, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    for (int i = 0; i < s->n; ++i) {
        double p[3] = {x->theta[i], x->f[0][i], x->f[1][i]};
        for (int axis = 0; axis < 3; ++axis) push(s, i, axis, p[axis], v);
    }
    for (int j = 0; j < s->joints; ++j) push_joint(s, j, x->joint[j], v);
}

void abuti_sweeps_begin(const abuti_system *s, abuti_answer *x, double *v)
{
    for (int i = 0; i < s->n; ++i) {
        double p[3] = {x->theta[i], x->f[0][i], x->f[1][i]};
        abuti_into_cone(s, i, p);
        x->theta[i] = p[0];
        x->f[0][i] = p[1];
        x->f[1][i] = p[2];
    }
    abuti_velocity_after(s, x, v);
}

double abuti_sweep(const abuti_system *s, abuti_answer *x, double *v)
{
    double most = 0.0;
    for (int j = 0; j < s->joints; ++j) most = fmax(most, take_back_joint(s, j, x, v));
    for (int i = 0; i < s->n; ++i) most = fmax(most, take_back(s, i, x, v));
    return most;
}

void abuti_sweeps_name_states(const abuti_system *s, abuti_answer *x)
{
    for (int i = 0; i < s->n; ++i) {
        const double f[2] = {x->f[0][i], x->f[1][i]}, back[2] = {-f[0], -f[1]};
        double limit = reach_of(s, i, x->theta[i]);
        bool slides = !(abuti_cone_norm(s, i, f) < limit * (1.0 - 1e-9)), round = s->round && s->round[i];
        uint8_t state = !(x->theta[i] > 0.0) ? ABUT_OPEN : slides ? ABUT_SLIDE : ABUT_STICK;
        int face = state != ABUT_SLIDE ? 0
                   : round             ? 256 / ABUT_DIRECTIONS_MAX * abuti_opposing(ABUT_DIRECTIONS_MAX, back)
                                       : abuti_opposing(s->directions[i], back);
        x->face[i] = (abut_contact_face){.state = state, .face = (uint8_t)face};
    }
}
