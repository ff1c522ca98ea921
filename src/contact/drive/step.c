/* fdirection and maxstep (Baraff 1994, sections 4 and 5). */
#include "base/length.h"
#include "contact/drive/drive.h"
#include <math.h>
#include <string.h>

/* Rates are measured against the largest |df|: rows of A have length one, so |A df| is of that size. Below the next
 * three parts a rate is rounding. The first is for the rate of a force. */
#define FORCE_NOISE 1e-12
/* The second is for the rate of an acceleration, a sum that mostly cancels where contacts are redundant. */
#define ACCELERATION_NOISE 1e-11
/* The third is for the driven acceleration, whose rate along a self-stress of redundant contacts is nothing but
 * noise. */
#define DRIVEN_NOISE 1e-10
/* Held accelerations that move by more than this part are a sign of a worn-out factor. */
#define HELD_DRIFT 1e-9
/* A factor made anew that is not better than this is worthless. */
#define HELD_WORST 1e-7

/* Sets df and da of the driver's own push. */
static void push_driver(abuti_drive *d, const abuti_driver *driver)
{
    const abuti_drive_contact *c = &d->contact[driver->contact];
    double push[3] = {0.0, 0.0, 0.0};
    memset(d->df, 0, (size_t)abuti_padded(d->rows) * sizeof(double));
    memset(d->da, 0, (size_t)abuti_padded(d->rows) * sizeof(double));
    if (driver->goal == ABUTI_DRIVE_NORMAL_UP || driver->goal == ABUTI_DRIVE_NORMAL_DOWN) {
        double sign = driver->goal == ABUTI_DRIVE_NORMAL_UP ? 1.0 : -1.0;
        bool along = c->friction == ABUTI_FRICTION_DYNAMIC;
        push[0] = sign;
        for (int t = 0; t < 2 && along; ++t) push[1 + t] = sign * c->mu * c->u[t];
    } else {
        push[1] = driver->direction[0];
        push[2] = driver->direction[1];
    }
    for (int t = 0; t <= c->tangents; ++t) {
        if (push[t] == 0.0) continue;
        d->df[c->at + t] = push[t];
        d->kernels->axpy(d->rows, push[t], d->A + (size_t)(c->at + t) * (size_t)d->ld, d->da);
    }
}

static double held_rate(const abuti_held *h, const double *da)
{
    double sum = 0.0;
    for (int t = 0; t < h->count; ++t) sum += h->row[t] * da[h->at + t];
    return sum;
}

/* Answers the push so that held accelerations stay. */
static void answer_push(abuti_drive *d)
{
    for (int k = 0; k < d->held_count; ++k) d->gathered[k] = -held_rate(&d->held[k], d->da);
    abuti_held_solve(d);
    for (int k = 0; k < d->held_count; ++k) {
        const abuti_held *h = &d->held[k];
        double x = d->solved[k];
        if (x == 0.0) continue;
        for (int t = 0; t < h->count; ++t) d->df[h->at + t] += h->column[t] * x;
        d->kernels->axpy(d->rows, x, h->push, d->da);
    }
    d->reach = d->kernels->max_abs(d->rows, d->df);
}

/* The largest motion of what must not move: the held equations, and those said to depend on them. */
static double drift(const abuti_drive *d)
{
    double most = 0.0;
    for (int k = 0; k < d->held_count; ++k) most = fmax(most, fabs(held_rate(&d->held[k], d->da)));
    for (int i = 0; i < d->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        if (c->normal != ABUTI_SET_C) continue;
        if (c->place[0] < 0) most = fmax(most, fabs(d->da[c->at]));
        if (c->friction == ABUTI_FRICTION_C && (c->place[1] < 0 || (c->tangents == 2 && c->place[2] < 0)))
            for (int t = 1; t <= c->tangents; ++t) most = fmax(most, fabs(d->da[c->at + t]));
    }
    return most;
}

bool abuti_fdirection(abuti_drive *d, const abuti_driver *driver)
{
    push_driver(d, driver);
    answer_push(d);
    if (drift(d) <= HELD_DRIFT * d->reach) return true;
    answer_push(d); /* what is left is answered once more */
    if (drift(d) <= HELD_DRIFT * d->reach) return true;
    abuti_held_refactor(d);
    push_driver(d, driver);
    answer_push(d);
    answer_push(d);
    return drift(d) <= HELD_WORST * d->reach;
}

/* ------------------------------------------------------------------------------------------------
 * maxstep */

typedef struct rates {
    double force, acceleration, driven; /* a rate below these is noise */
} rates;

/* Steps closer than this part are a tie. */
#define TIE 1e-11

/* Keeps the earlier event; on a tie it keeps the one that was there first, so that rounding does not choose. */
static void consider(abuti_event *first, double step, abuti_event_kind kind, int contact)
{
    step = fmax(step, 0.0);
    if (first->kind == ABUTI_EVENT_NONE || step < first->step * (1.0 - TIE))
        *first = (abuti_event){.step = step, .kind = kind, .contact = contact};
}

/* The step at which |F + s dF| = mu (N + s dN), leaving the cone; negative: never. */
static double cone_step(const abuti_drive *d, const abuti_drive_contact *c, const rates *noise)
{
    const double *f = d->f + c->at, *df = d->df + c->at;
    if (c->tangents == 1) { /* linear, for either side */
        double best = -1.0;
        for (int side = 0; side < 2; ++side) {
            double sign = side ? -1.0 : 1.0, rate = sign * df[1] - c->mu * df[0];
            if (!(rate > noise->force)) continue;
            double step = fmax((c->mu * f[0] - sign * f[1]) / rate, 0.0);
            if (best < 0.0 || step < best) best = step;
        }
        return best;
    }
    double m2 = c->mu * c->mu;
    double qa = df[1] * df[1] + df[2] * df[2] - m2 * df[0] * df[0];
    double qb = f[1] * df[1] + f[2] * df[2] - m2 * f[0] * df[0];
    double qc = f[1] * f[1] + f[2] * f[2] - m2 * f[0] * f[0];
    double size = c->mu * f[0] + abuti_length(f[1], f[2]),
           speed = abuti_length(df[1], df[2]) + c->mu * fabs(df[0]);
    if (!(speed > noise->force)) return -1.0;
    if (qc >= -2.0 * d->satisfied * size) { /* on the cone already */
        if (qb > noise->force * fmax(size, d->satisfied)) return 0.0;
        if (size <= d->satisfied && qa > 0.0) return 0.0; /* at its tip */
    }
    if (qc > 0.0) qc = 0.0;
    double root = qb * qb - qa * qc;
    if (qa > 0.0) return (-qb + sqrt(fmax(root, 0.0))) / qa;
    /* The ray stays within, or leaves where the normal force still grows less. */
    if (qb > 0.0 && root >= 0.0) return -qc / (qb + sqrt(root));
    return -1.0;
}

static void driver_events(const abuti_drive *d, const abuti_driver *driver, const rates *noise,
                          abuti_event *first)
{
    const abuti_drive_contact *c = &d->contact[driver->contact];
    const double *f = d->f + c->at, *a = d->a + c->at, *df = d->df + c->at, *da = d->da + c->at;
    int i = driver->contact;
    switch (driver->goal) {
    case ABUTI_DRIVE_NORMAL_UP:
        if (da[0] > noise->driven) consider(first, -a[0] / da[0], ABUTI_EVENT_A_ZERO, i);
        break;
    case ABUTI_DRIVE_NORMAL_DOWN:
        consider(first, f[0], ABUTI_EVENT_F_ZERO, i);
        if (da[0] < -noise->driven) consider(first, -a[0] / da[0], ABUTI_EVENT_A_ZERO, i);
        break;
    case ABUTI_DRIVE_FRICTION: {
        /* The acceleration along the push is negative and must rise. */
        double along = 0.0, rate = 0.0;
        for (int t = 0; t < c->tangents; ++t) {
            along += driver->direction[t] * a[1 + t];
            rate += driver->direction[t] * da[1 + t];
        }
        if (rate > noise->driven) consider(first, -along / rate, ABUTI_EVENT_A_ZERO, i);
        double step = cone_step(d, c, noise);
        if (step >= 0.0) consider(first, step, ABUTI_EVENT_CONE, i);
        break;
    }
    case ABUTI_DRIVE_FRICTION_OFF: {
        double size = c->tangents == 2 ? abuti_length(f[1], f[2]) : fabs(f[1]);
        (void)df;
        consider(first, size, ABUTI_EVENT_F_ZERO, i);
        break;
    }
    }
}

static void contact_events(const abuti_drive *d, int i, bool driven, const rates *noise, abuti_event *first)
{
    const abuti_drive_contact *c = &d->contact[i];
    const double *f = d->f + c->at, *a = d->a + c->at, *df = d->df + c->at, *da = d->da + c->at;
    if (c->normal == ABUTI_SET_NC) {
        if (da[0] < -noise->acceleration) consider(first, -a[0] / da[0], ABUTI_EVENT_NC_TO_C, i);
        return;
    }
    if (c->normal != ABUTI_SET_C) return;
    if (df[0] < -noise->force) consider(first, -f[0] / df[0], ABUTI_EVENT_C_TO_NC, i);
    if (driven) return;
    if (c->friction == ABUTI_FRICTION_C) {
        double step = cone_step(d, c, noise);
        if (step >= 0.0) consider(first, step, ABUTI_EVENT_TO_SLIDING, i);
    } else if (c->friction >= ABUTI_FRICTION_NC_PLUS && c->friction <= ABUTI_FRICTION_NC) {
        /* It slips against its friction: u.a_F < 0, and stops when that has risen to 0. */
        double along = c->u[0] * a[1], rate = c->u[0] * da[1];
        if (c->tangents == 2) {
            along += c->u[1] * a[2];
            rate += c->u[1] * da[2];
        }
        if (rate > noise->acceleration) consider(first, -along / rate, ABUTI_EVENT_TO_STICKING, i);
    }
}

abuti_event abuti_maxstep(const abuti_drive *d, const abuti_driver *driver)
{
    abuti_event first = {.step = INFINITY, .kind = ABUTI_EVENT_NONE, .contact = -1};
    rates noise = {FORCE_NOISE * d->reach, ACCELERATION_NOISE * d->reach, DRIVEN_NOISE * d->reach};
    driver_events(d, driver, &noise, &first);
    for (int i = 0; i < d->n; ++i) contact_events(d, i, i == driver->contact, &noise, &first);
    return first;
}
