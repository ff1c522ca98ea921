/* Takes in a system, with a point or with states to go on from, and hands out the answer. */
#include "base/length.h"
#include "contact/cone/cone.h"
#include <math.h>
#include <string.h>

#define WIDE 100.0  /* friction over theta of cones so wide that hardly any friction leaves them */
#define JAMMED 1e4  /* impulses, in units of the island, whose rounding is felt */
#define STILL 1e-11 /* slip, in units of the island, that is none in the report */

/* K of the verifier: the largest of |k| and |offset| / s. */
static double unit_of(const cone *c)
{
    const abuti_system *s = c->system;
    double square = 0.0, most = 0.0;
    for (int i = 0; i < s->bodies * s->stride; ++i) square += s->k[i] * s->k[i];
    for (int i = 0; i < s->n; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double moves = fabs(s->offset[axis][i]) * c->touch[i].over;
            most = moves > most ? moves : most;
        }
    for (int j = 0; j < s->joints; ++j) most = fmax(most, fabs(s->joint_offset[j]));
    most = fmax(most, sqrt(square));
    return most > 0.0 ? most : 1.0;
}

/* Fills padded rows, one contact after the other, from the system's, in which one number of all contacts follows the
 * other. */
static void pad_rows(cone *c)
{
    const abuti_system *s = c->system;
    size_t stride = (size_t)s->stride, dim = (size_t)s->dim, step = 3 * (size_t)s->sides * stride;
    for (int side = 0; side < s->sides; ++side) {
        for (int axis = 0; axis < 3; ++axis) {
            double *to = c->rows + (size_t)(3 * side + axis) * stride;
            for (size_t k = 0; k < dim; ++k) {
                const double *from = abuti_row(s, axis, side, (int)k);
                for (int i = 0; i < s->n; ++i) to[(size_t)i * step + k] = from[i];
            }
            for (int i = 0; i < s->n && dim < stride; ++i)
                memset(to + (size_t)i * step + dim, 0, (stride - dim) * sizeof(double));
        }
    }
}

/* Finds the order of the bodies, where their blocks are, and padded rows. False: the system does not fit. */
static bool take_rows(cone *c)
{
    const abuti_system *s = c->system;
    if (!abuti_rest_matrix_order(&c->matrix, s)) return false;
    c->has_rows = false;
    size_t used = 0;
    c->block = (size_t)s->dim * (size_t)s->stride;
    for (int i = 0; i < s->bodies; ++i) {
        c->row_begin[i] = used;
        used += (size_t)(i - c->matrix.first[i] + 1) * c->block;
        if (used > c->block_room) return false;
    }
    pad_rows(c);
    return true;
}

void abuti_cone_need_rows(cone *c)
{
    if (c->has_rows || !c->system->rows || c->system->bodies == 0) return;
    abuti_rest_matrix_rows(&c->matrix, c->system);
    c->has_rows = true;
}

/* What a contact's friction is confined to. At the acceleration level the velocity before says who slides already, and
 * who separates; there what rests in space obeys the circle, which satisfies those that ask for a polygon, too. */
static cone_kind kind_of(const abuti_system *s, int i, double threshold, double aim[2])
{
    bool plane = s->directions[i] == ABUT_DIRECTIONS_MIN, round = s->round && s->round[i];
    if (s->before[0] && s->before[0][i] > threshold) return CONE_PARTED;
    if (!(s->mu[i] > 0.0)) return CONE_NONE;
    if (s->before[0]) {
        double x = s->before[1][i], y = plane ? 0.0 : s->before[2][i], speed = abuti_length(x, y);
        aim[0] = speed > 0.0 ? -x / speed : 0.0;
        aim[1] = speed > 0.0 ? -y / speed : 0.0;
        if (speed > threshold) return CONE_AIMED;
        return plane ? CONE_PLANE : CONE_ROUND;
    }
    return plane ? CONE_PLANE : round ? CONE_ROUND : CONE_POLYGON;
}

bool abuti_cone_begin(cone *c, const abuti_system *s, const abuti_stage_context *context)
{
    if (s->n > c->capacity) return false;
    c->system = s;
    c->context = context;
    c->prox = 0.0;
    c->ridge = s->rows ? CONE_RIDGE_DENSE : CONE_RIDGE;
    c->steps = c->eager = 0;
    c->asserted = false;
    c->enough = CONE_ENOUGH * context->options->tolerance;
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        double size = s->size[0][i] > s->size[1][i] ? s->size[0][i] : s->size[1][i];
        t->mu = s->mu[i];
        t->s = size > 0.0 ? size : 1.0;
        t->reach = 1.0;
        t->closed = -2;
        t->face = 0;
        t->compliance = t->moved = 0.0;
        t->p[0] = t->p[1] = t->p[2] = t->e[0] = t->e[1] = t->aim[0] = t->aim[1] = 0.0;
        t->state = ABUT_OPEN;
        t->over = 1.0 / t->s;
        t->own = s->size[0][i] > 0.0 ? s->size[0][i] : t->s;
        t->over_own = 1.0 / t->own;
        t->kind = (uint8_t)kind_of(s, i, context->options->accel.slide_threshold, t->aim);
    }
    for (int j = 0; j < s->joints; ++j) c->joint[j] = 0.0;
    c->unit = unit_of(c);
    c->W = s->rows ? NULL : s->W;
    c->ld = s->W_ld;
    for (int i = 0; i < s->n && !s->rows; ++i)
        for (int axis = 0; axis < 3; ++axis) c->free[3 * i + axis] = s->offset[axis][i];
    for (int j = 0; j < s->joints && !s->rows; ++j) c->free[3 * s->n + j] = s->joint_offset[j];
    return !s->rows || s->bodies == 0 || take_rows(c);
}

/* Turns a state of the polygon into one of the contact. */
static void take_state(cone_touch *t, abut_contact_face face, int d)
{
    t->state = face.state > ABUT_STICK ? ABUT_OPEN : face.state;
    t->face = face.face;
    t->reach = 1.0;
    t->e[0] = t->e[1] = 0.0;
    if (t->kind == CONE_PARTED) t->state = ABUT_OPEN;
    if (t->state == ABUT_OPEN) return;
    if (t->kind == CONE_AIMED) {
        t->state = ABUT_SLIDE;
        t->e[0] = t->aim[0];
        t->e[1] = t->aim[1];
        return;
    }
    if (t->kind == CONE_NONE || (t->kind == CONE_ROUND && t->state == ABUT_EDGE)) t->state = ABUT_SLIDE;
    if (t->state == ABUT_STICK || t->kind == CONE_NONE) return;
    if (t->kind == CONE_PLANE) {
        t->state = ABUT_SLIDE;
        t->e[0] = t->face == 0 ? 1.0 : -1.0;
        t->face = 0;
    } else if (t->kind == CONE_POLYGON) {
        const double *a = abuti_direction(d, t->face % d), *b = abuti_direction(d, (t->face + 1) % d);
        t->e[0] = a[0];
        t->e[1] = a[1];
        if (t->state == ABUT_SLIDE) return;
        double length = abuti_length(a[0] + b[0], a[1] + b[1]);
        t->e[0] = (a[0] + b[0]) / length;
        t->e[1] = (a[1] + b[1]) / length;
        t->reach = 0.5 * length;
    } else {
        t->face = 0;
    }
}

void abuti_cone_from_point(cone *c, const abuti_answer *point)
{
    const abuti_system *s = c->system;
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        take_state(t, point->face[i], s->directions[i]);
        bool open = t->state == ABUT_OPEN;
        t->p[0] = open ? 0.0 : point->theta[i];
        t->p[1] = open ? 0.0 : point->f[0][i];
        t->p[2] = open ? 0.0 : point->f[1][i];
    }
    for (int j = 0; j < s->joints; ++j) c->joint[j] = point->joint[j];
}

bool abuti_cone_jammed(const cone *c)
{
    for (int i = 0; i < c->system->n; ++i) {
        const cone_touch *t = &c->touch[i];
        if (fmax(t->p[0], abuti_length(t->p[1], t->p[2])) * t->s > JAMMED * c->unit) return true;
    }
    return false;
}

void abuti_cone_from_faces(cone *c, const abuti_answer *point)
{
    abuti_cone_from_point(c, point);
    for (int i = 0; i < c->system->n; ++i) {
        cone_touch *t = &c->touch[i];
        double length = abuti_length(t->p[1], t->p[2]);
        for (int k = 0; k < 2 && t->kind == CONE_ROUND && length > 0.0; ++k) t->e[k] = t->p[1 + k] / length;
        if (t->state == ABUT_SLIDE && cone_width(t) > WIDE) t->state = ABUT_STICK;
        t->p[0] = t->p[1] = t->p[2] = 0.0;
    }
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] = 0.0;
}

/* Whether a contact that was reported to stick, because it does not slip, has all the friction it can have: then it
 * goes on at its limit. */
static bool at_limit(cone_touch *t)
{
    double length = abuti_length(t->p[1], t->p[2]);
    if (t->kind != CONE_ROUND || t->state != ABUT_STICK || !(length > 0.0) ||
        length < (1.0 - CONE_LIMIT) * t->mu * t->p[0])
        return false;
    t->state = ABUT_SLIDE;
    t->e[0] = t->p[1] / length;
    t->e[1] = t->p[2] / length;
    return true;
}

void abuti_cone_from_states(cone *c, const abuti_stage_context *context)
{
    const abuti_system *s = c->system;
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        take_state(t, context->start[i], s->directions[i]);
        double by = 1.0 / (s->unit * s->row_scale[i]);
        for (int axis = 0; axis < 3 && context->pushed[0] && t->state != ABUT_OPEN; ++axis)
            t->p[axis] = context->pushed[axis][i] * by;
        if (t->kind != CONE_ROUND || at_limit(t) || t->state != ABUT_SLIDE) continue;
        const double *e =
            abuti_direction(ABUT_DIRECTIONS_MAX, (context->turn[i] + 2) / 4 % ABUT_DIRECTIONS_MAX);
        t->e[0] = e[0];
        t->e[1] = e[1];
    }
}

void abuti_cone_from_impulses(cone *c)
{
    const abuti_system *s = c->system;
    abuti_cone_move(c);
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        double limit = t->mu * t->p[0] * t->s, f = abuti_length(t->p[1], t->p[2]) * t->s;
        double slip = abuti_length(t->u[1], t->u[2]) * t->over;
        bool open = t->p[0] * t->s <= t->u[0] * t->over, sticks = limit - f > slip;
        abut_contact_face face = {.state = open ? ABUT_OPEN : sticks ? ABUT_STICK : ABUT_SLIDE};
        if (t->kind == CONE_PLANE) face.face = t->p[1] < 0.0;
        if (t->kind == CONE_POLYGON && face.state == ABUT_SLIDE) {
            int d = s->directions[i];
            double most = -INFINITY;
            for (int k = 0; k < d; ++k) {
                const double *a = abuti_direction(d, k);
                double along = a[0] * t->p[1] + a[1] * t->p[2];
                if (along > most) {
                    most = along;
                    face.face = (uint8_t)k;
                }
            }
        }
        take_state(t, face, s->directions[i]);
        if (open) t->p[0] = t->p[1] = t->p[2] = 0.0;
    }
}

/* The angle of a vector in 256ths of a turn. The arc tangent of the lesser over the larger component is a polynomial
 * that is off by 1e-5, so that all machines find the same bits. */
static uint8_t turn_of(double x, double y)
{
    double a = fabs(x), b = fabs(y), most = a > b ? a : b, t = most > 0.0 ? (a > b ? b : a) / most : 0.0;
    double t2 = t * t, sum = 0.0208351 * t2 - 0.0851330;
    sum = sum * t2 + 0.1801410;
    sum = sum * t2 - 0.3302995;
    double turns = t * (sum * t2 + 0.9998660) * (256.0 / 6.283185307179586);
    if (b > a) turns = 64.0 - turns;
    if (x < 0.0) turns = 128.0 - turns;
    if (y < 0.0) turns = 256.0 - turns;
    return (uint8_t)((int)(turns + 0.5) % 256);
}

abut_contact_face abuti_cone_end(double p[3], const double slip[2], double mu, double s, double unit,
                                 bool sticks)
{
    abut_contact_face face = {.state = ABUT_OPEN};
    if (!(p[0] > 0.0)) {
        p[0] = p[1] = p[2] = 0.0;
        return face;
    }
    double limit = mu * p[0], length = abuti_length(p[1], p[2]), speed = abuti_length(slip[0], slip[1]) / s;
    bool slips = speed > STILL * unit && (limit - length) * s<speed, wide = mu> 1.0;
    double x = slips ? p[1] * s - slip[0] / s : p[1], y = slips ? p[2] * s - slip[1] / s : p[2];
    double along = abuti_length(x, y);
    if ((slips || length > limit) && along > 0.0) {
        double friction = wide ? length : limit;
        p[1] = x * (friction / along);
        p[2] = y * (friction / along);
        if (wide) p[0] = length / mu;
    }
    face.state = mu > 0.0 && (sticks || speed <= STILL * unit) ? ABUT_STICK : ABUT_SLIDE;
    if (mu > 0.0 && face.state == ABUT_SLIDE) face.face = turn_of(p[1], p[2]);
    return face;
}

static abut_contact_face plain_face(const cone_touch *t)
{
    abut_contact_face face = {.state = t->state};
    if (t->state == ABUT_SLIDE || t->state == ABUT_EDGE) face.face = (uint8_t)t->face;
    if (t->kind == CONE_PLANE && t->state == ABUT_SLIDE) face.face = t->e[0] < 0.0;
    return face;
}

/* One that slides already has friction along its velocity. */
static abut_contact_face aimed_face(const cone_touch *t)
{
    if (!(t->p[0] > 0.0)) return (abut_contact_face){.state = ABUT_OPEN};
    return (abut_contact_face){.state = ABUT_SLIDE, .face = turn_of(t->p[1], t->p[2])};
}

void abuti_cone_finish(cone *c, abuti_answer *answer)
{
    const abuti_system *s = c->system;
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = c->joint[j];
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        bool plain = t->kind == CONE_PLANE || t->kind == CONE_POLYGON || !(s->round && s->round[i]);
        abut_contact_face face = plain_face(t);
        if (t->kind == CONE_ROUND || t->kind == CONE_NONE) {
            abut_contact_face circle =
                abuti_cone_end(t->p, t->u + 1, t->mu, t->s, c->unit, t->state == ABUT_STICK);
            if (!plain) face = circle;
        }
        if (t->p[0] <= 0.0) t->p[0] = 0.0;
        for (int a = 1; a < 3 && t->kind == CONE_AIMED; ++a) t->p[a] = t->mu * t->p[0] * t->aim[a - 1];
        if (t->kind == CONE_AIMED && !plain) face = aimed_face(t);
        answer->face[i] = face;
        answer->theta[i] = t->p[0];
        answer->f[0][i] = t->p[1];
        answer->f[1][i] = t->p[2];
    }
}
