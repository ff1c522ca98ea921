/* drive_to_zero and the outer loop (Baraff 1994, sections 4 to 6).
 *
 * The loop takes the contact that violates its normal condition most, or else the first whose friction
 * condition is violated, and drives it to zero; on the way other contacts move between the sets. What the
 * paper says never happens does happen with redundant contacts: a contact that moves back and forth in steps
 * of length zero is given up, taken out of all sets, and comes back when the outer loop scans again. The
 * number of scans and steps is limited; beyond it the next stage takes over. */
#include "contact/drive/drive.h"
#include "base/length.h"
#include <math.h>
#include <string.h>

/* The largest number of steps. A row of A takes part in about two steps on average (measured), so only loops meet this
 * limit. */
enum { STEPS_A_ROW = 10, STEPS_AT_LEAST = 200 };
/* Forces that exceed the largest |b| by so much are a run along a self-stress, not an answer. */
#define FORCE_CAP 1e12

static double friction_size(const abuti_drive_contact *c, const double *vector)
{
    if (c->tangents == 0) return 0.0;
    return c->tangents == 2 ? abuti_length(vector[c->at + 1], vector[c->at + 2]) : fabs(vector[c->at + 1]);
}

bool abuti_normal_holds(const abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    double f = d->f[c->at], a = d->a[c->at];
    if (c->parts) return true;
    return a >= -d->satisfied && f >= -d->satisfied && !(f > d->satisfied && a > d->satisfied);
}

bool abuti_friction_holds(const abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    if (c->tangents == 0 || c->friction == ABUTI_FRICTION_DYNAMIC) return true;
    const double *f = d->f + c->at, *a = d->a + c->at;
    double force = friction_size(c, d->f), slip = friction_size(c, d->a), cone = c->mu * f[0];
    double product = f[1] * a[1] + (c->tangents == 2 ? f[2] * a[2] : 0.0);
    if (force > cone + d->satisfied) return false;
    if (slip <= d->satisfied) return true;
    return force >= cone - d->satisfied && product <= d->satisfied * fmax(force, slip);
}

/* ------------------------------------------------------------------------------------------------
 * Moves between the sets */

/* Takes contact i out of C. Without friction steps do not stop at it from then on: driving then is a dual active-set
 * method, in which each drive brings the forces nearer to the least that hold all contacts apart. A contact that sinks
 * in again is driven again, which takes half as many steps as stopping wherever a contact begins to touch. */
static void to_nc(abuti_drive *d, int i)
{
    abuti_drive_contact *c = &d->contact[i];
    for (int t = 0; t <= c->tangents; ++t) d->f[c->at + t] = 0.0;
    abuti_set_normal(d, i, d->frictionless ? ABUTI_SET_NONE : ABUTI_SET_NC);
}

/* Puts contact i on its cone, with friction along u. */
static void to_sliding(abuti_drive *d, int i, const double u[2])
{
    abuti_drive_contact *c = &d->contact[i];
    abuti_friction_set set = c->tangents == 2 ? ABUTI_FRICTION_NC
                             : u[0] > 0.0     ? ABUTI_FRICTION_NC_PLUS
                                              : ABUTI_FRICTION_NC_MINUS;
    for (int t = 0; t < c->tangents; ++t) d->f[c->at + 1 + t] = c->mu * d->f[c->at] * u[t];
    abuti_set_friction(d, i, set, u);
}

/* Puts contact i, which comes to touch, into C. It slides if it accelerates along the surface; else it does not
 * slip. */
static void to_c(abuti_drive *d, int i)
{
    abuti_drive_contact *c = &d->contact[i];
    double slip = friction_size(c, d->a);
    d->a[c->at] = 0.0;
    abuti_set_normal(d, i, ABUTI_SET_C);
    if (c->tangents == 0 || c->friction == ABUTI_FRICTION_DYNAMIC) return;
    if (slip > d->satisfied) {
        double u[2] = {-d->a[c->at + 1] / slip, c->tangents == 2 ? -d->a[c->at + 2] / slip : 0.0};
        to_sliding(d, i, u);
    } else {
        abuti_set_friction(d, i, ABUTI_FRICTION_C, NULL);
    }
}

/* The direction in which friction stands when it meets its cone; at the tip, the direction in which it is going. */
static void cone_direction(const abuti_drive *d, const abuti_drive_contact *c, double u[2])
{
    const double *from = friction_size(c, d->f) > d->satisfied ? d->f : d->df;
    double size = friction_size(c, from);
    u[0] = size > 0.0 ? from[c->at + 1] / size : 1.0;
    u[1] = size > 0.0 && c->tangents == 2 ? from[c->at + 2] / size : 0.0;
}

/* In space a contact may stop along its friction and still move across it. Its friction is then left to the outer
 * loop. */
static void to_sticking(abuti_drive *d, int i)
{
    bool stops = friction_size(&d->contact[i], d->a) <= 100.0 * d->satisfied;
    abuti_set_friction(d, i, stops ? ABUTI_FRICTION_C : ABUTI_FRICTION_NONE, NULL);
}

static void move(abuti_drive *d, const abuti_event *event)
{
    double u[2];
    switch (event->kind) {
    case ABUTI_EVENT_C_TO_NC: to_nc(d, event->contact); break;
    case ABUTI_EVENT_NC_TO_C: to_c(d, event->contact); break;
    case ABUTI_EVENT_TO_SLIDING:
        cone_direction(d, &d->contact[event->contact], u);
        to_sliding(d, event->contact, u);
        break;
    case ABUTI_EVENT_TO_STICKING: to_sticking(d, event->contact); break;
    default: break;
    }
}

/* ------------------------------------------------------------------------------------------------
 * drive_to_zero */

/* How driving ended. */
typedef enum drive_end {
    END_A_ZERO,
    END_F_ZERO,
    END_CONE,
    END_LEFT,     /* the driven contact has left C: there is nothing to drive any more */
    END_INFINITE, /* nothing blocks */
    END_STUCK,    /* the factor is worthless */
    END_SPENT,    /* the budget has no more steps, or no more time */
} drive_end;

/* The move that undoes this one. */
static abuti_event_kind opposite(abuti_event_kind kind)
{
    switch (kind) {
    case ABUTI_EVENT_C_TO_NC: return ABUTI_EVENT_NC_TO_C;
    case ABUTI_EVENT_NC_TO_C: return ABUTI_EVENT_C_TO_NC;
    case ABUTI_EVENT_TO_SLIDING: return ABUTI_EVENT_TO_STICKING;
    case ABUTI_EVENT_TO_STICKING: return ABUTI_EVENT_TO_SLIDING;
    default: return ABUTI_EVENT_NONE;
    }
}

static void take_step(abuti_drive *d, double step)
{
    d->kernels->axpy(d->rows, step, d->df, d->f);
    d->kernels->axpy(d->rows, step, d->da, d->a);
    d->steps++;
}

static void give_up(abuti_drive *d, int i)
{
    abuti_set_normal(d, i, ABUTI_SET_NONE);
}

static bool is_spent(const abuti_drive *d)
{
    return d->steps >= d->steps_max || abuti_drive_is_late(d);
}

static drive_end drive_to_zero(abuti_drive *d, const abuti_driver *driver)
{
    abuti_event last = {.kind = ABUTI_EVENT_NONE};
    d->drives++;
    for (;;) {
        if (is_spent(d)) return END_SPENT;
        if (!abuti_fdirection(d, driver)) return END_STUCK;
        abuti_event event = abuti_maxstep(d, driver);
        if (event.kind == ABUTI_EVENT_NONE) return END_INFINITE;
        take_step(d, event.step);
        switch (event.kind) {
        case ABUTI_EVENT_A_ZERO: return END_A_ZERO;
        case ABUTI_EVENT_F_ZERO: return END_F_ZERO;
        case ABUTI_EVENT_CONE: return END_CONE;
        default: break;
        }
        /* A contact that wants to move back at once is given up. */
        bool back = event.step * d->reach <= d->satisfied && event.contact == last.contact &&
                    event.kind == opposite(last.kind);
        if (back) {
            give_up(d, event.contact);
        } else {
            move(d, &event);
        }
        last = event;
        if (event.contact == driver->contact && d->contact[event.contact].normal != ABUTI_SET_C)
            return END_LEFT;
    }
}

static void keep_ray(abuti_drive *d)
{
    memcpy(d->ray, d->df, (size_t)abuti_padded(d->rows) * sizeof(double));
    d->has_ray = true;
}

/* ------------------------------------------------------------------------------------------------
 * One contact */

static drive_end drive_friction_off(abuti_drive *d, int i)
{
    abuti_drive_contact *c = &d->contact[i];
    double size = friction_size(c, d->f);
    if (c->friction != ABUTI_FRICTION_DYNAMIC) abuti_set_friction(d, i, ABUTI_FRICTION_NONE, NULL);
    abuti_driver driver = {ABUTI_DRIVE_FRICTION_OFF, i, {0.0, 0.0}};
    for (int t = 0; t < c->tangents; ++t) driver.direction[t] = -d->f[c->at + 1 + t] / size;
    drive_end end = drive_to_zero(d, &driver);
    for (int t = 0; t < c->tangents && end == END_F_ZERO; ++t) d->f[c->at + 1 + t] = 0.0;
    return end;
}

static bool has_loose_friction(const abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    return c->friction == ABUTI_FRICTION_NONE && friction_size(c, d->f) > 0.0;
}

static drive_end drive_normal(abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    abuti_set_normal(d, i, ABUTI_SET_NONE);
    if (has_loose_friction(d, i)) {
        drive_end end = drive_friction_off(d, i);
        if (end != END_F_ZERO) return end;
    }
    bool up = d->a[c->at] < 0.0;
    abuti_driver driver = {up ? ABUTI_DRIVE_NORMAL_UP : ABUTI_DRIVE_NORMAL_DOWN, i, {0.0, 0.0}};
    drive_end end = drive_to_zero(d, &driver);
    if (end == END_A_ZERO) {
        d->a[c->at] = 0.0;
        abuti_set_normal(d, i, ABUTI_SET_C);
    } else if (end == END_F_ZERO) {
        to_nc(d, i);
    }
    return end;
}

/* Pushes f_F of contact i against its tangential acceleration: in the plane along -sign(a_F), in space first
 * along -a_F / |a_F|, then, with that component held at zero, across. */
static drive_end drive_friction(abuti_drive *d, int i)
{
    abuti_drive_contact *c = &d->contact[i];
    abuti_set_normal(d, i, ABUTI_SET_C);
    abuti_set_friction(d, i, ABUTI_FRICTION_NONE, NULL);
    if (has_loose_friction(d, i)) {
        drive_end end = drive_friction_off(d, i);
        if (end != END_F_ZERO) return end;
    }
    double slip = friction_size(c, d->a);
    if (c->tangents == 2 && slip > d->satisfied)
        for (int t = 0; t < 2; ++t) c->axis[t] = d->a[c->at + 1 + t] / slip;
    for (int which = 1; which <= c->tangents; ++which) {
        double axis[2] = {which == 1 ? c->axis[0] : -c->axis[1], which == 1 ? c->axis[1] : c->axis[0]};
        double along = axis[0] * d->a[c->at + 1] + (c->tangents == 2 ? axis[1] * d->a[c->at + 2] : 0.0);
        if (fabs(along) > d->satisfied) {
            double sign = along > 0.0 ? -1.0 : 1.0;
            abuti_driver driver = {ABUTI_DRIVE_FRICTION, i, {sign * axis[0], sign * axis[1]}};
            drive_end end = drive_to_zero(d, &driver);
            if (end == END_CONE) {
                double u[2];
                cone_direction(d, c, u);
                to_sliding(d, i, u);
            }
            if (end != END_A_ZERO) return end;
        }
        abuti_hold_axis(d, i, which);
    }
    abuti_set_friction(d, i, ABUTI_FRICTION_C, NULL);
    return END_A_ZERO;
}

/* ------------------------------------------------------------------------------------------------
 * The outer loop */

static void hold_joints(abuti_drive *d)
{
    for (int j = 0; j < d->joints && !abuti_drive_is_late(d); ++j) (void)abuti_hold_joint(d, j);
    for (int k = 0; k < d->held_count; ++k) d->gathered[k] = -d->a[d->held[k].at];
    abuti_held_solve(d);
    for (int k = 0; k < d->held_count; ++k) d->f[d->held[k].at] += d->solved[k];
    abuti_drive_accelerations(d, d->f, d->a);
}

/* Held accelerations below this part of `satisfied` need no further correction. */
#define POLISHED 1e-4

/* Takes out the rounding of many steps: computes a from f, and brings the held accelerations back to zero. */
static void polish(abuti_drive *d)
{
    double left = INFINITY;
    for (int pass = 0; pass < 4 && !abuti_drive_is_late(d); ++pass) {
        abuti_drive_accelerations(d, d->f, d->a);
        for (int k = 0; k < d->held_count; ++k) {
            const abuti_held *h = &d->held[k];
            d->gathered[k] = 0.0;
            for (int t = 0; t < h->count; ++t) d->gathered[k] -= h->row[t] * d->a[h->at + t];
        }
        double now = d->kernels->max_abs(d->held_count, d->gathered);
        if (now <= POLISHED * d->satisfied) return;
        if (now > 0.1 * left) { /* the kept inverse does not help any more */
            abuti_held_refactor(d);
            left = INFINITY;
            continue;
        }
        left = now;
        abuti_held_solve(d);
        for (int k = 0; k < d->held_count; ++k) {
            const abuti_held *h = &d->held[k];
            for (int t = 0; t < h->count; ++t) d->f[h->at + t] += h->column[t] * d->solved[k];
        }
    }
    abuti_drive_accelerations(d, d->f, d->a);
}

/* Without friction a guess saves most of the driving: all contacts that would sink in carry together, those
 * that would have to pull are let go until none does, and contacts that sink in then join. What is violated after
 * some rounds is driven as always. */
enum { ROUNDS_MAX = 3, PATIENCE = 1 };

/* Lets contacts that sink in join, and returns their number. Those that depend on others stay out. */
static int join(abuti_drive *d)
{
    int joined = 0;
    for (int i = 0; i < d->n && !abuti_drive_is_late(d); ++i) {
        if (d->contact[i].normal == ABUTI_SET_C || d->contact[i].parts ||
            !(d->a[d->contact[i].at] < -d->satisfied))
            continue;
        joined += abuti_try_normal(d, i);
    }
    return joined;
}

/* Finds forces that hold the accelerations of C at zero. Contacts that would have to pull leave, until none does. */
static void let_go(abuti_drive *d)
{
    for (bool pulls = true; pulls && !is_spent(d);) {
        for (int k = 0; k < d->held_count; ++k) d->gathered[k] = -d->b[d->held[k].at];
        abuti_held_solve(d);
        memset(d->f, 0, (size_t)abuti_padded(d->rows) * sizeof(double));
        for (int k = 0; k < d->held_count; ++k) d->f[d->held[k].at] = d->solved[k];
        pulls = false;
        for (int i = 0; i < d->n && !is_spent(d); ++i) {
            if (!(d->f[d->contact[i].at] < -d->satisfied)) continue;
            to_nc(d, i);
            d->steps++;
            pulls = true;
        }
    }
    abuti_drive_accelerations(d, d->f, d->a);
}

static void start_together(abuti_drive *d)
{
    if (!d->frictionless) return;
    for (int round = 0, least = d->n + 1, patience = PATIENCE; round < ROUNDS_MAX && patience > 0; ++round) {
        int joined = join(d);
        if (joined == 0) break;
        patience = joined < least ? PATIENCE : patience - 1;
        if (joined < least) least = joined;
        let_go(d);
    }
    let_go(d);
}

/* A violation below this multiple of what counts as zero may be what many steps have left of rounding. */
#define WORN 1e4

/* How far contact i is from its normal condition. */
static double violation(const abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    return fabs(fmin(d->f[c->at], d->a[c->at]));
}

/* Violations that differ by less than this part are a tie, which the first contact wins, so that rounding does not
 * choose. */
#define TIE 1e-9

/* The contact that violates its normal condition most; -1: none does. Taking it needs a third fewer steps than taking
 * the first. */
static int most_violated(const abuti_drive *d)
{
    int best = -1;
    double worst = 0.0;
    for (int i = 0; i < d->n; ++i) {
        if (abuti_normal_holds(d, i)) continue;
        int at = d->contact[i].at;
        double length =
            sqrt(d->A[(size_t)at * (size_t)d->ld + (size_t)at]); /* near one; exactly, units fall out */
        double size = fabs(fmin(d->f[at] * length, d->a[at] / length));
        if (best >= 0 && !(size > worst * (1.0 + TIE))) continue;
        best = i;
        worst = size;
    }
    return best;
}

static int first_slipping(const abuti_drive *d)
{
    for (int i = 0; i < d->n; ++i)
        if (!abuti_friction_holds(d, i)) return i;
    return -1;
}

static bool has_dynamic(const abuti_drive *d)
{
    for (int i = 0; i < d->n; ++i)
        if (d->contact[i].friction == ABUTI_FRICTION_DYNAMIC) return true;
    return false;
}

/* The outcome after too many steps: either the caller's budget (`given`) was met, or the algorithm's own, which only
 * loops meet. */
static abut_outcome spent(const abuti_drive *d, bool given)
{
    return given || abuti_drive_is_late(d) ? ABUT_LIMIT : ABUT_FAILED;
}

abut_outcome abuti_compute_forces(abuti_drive *d, const abuti_stage_context *context)
{
    int wanted = STEPS_AT_LEAST + STEPS_A_ROW * d->rows;
    bool budget = context->pivots_left < wanted;
    d->steps_max = budget ? context->pivots_left : wanted;
    int polished = -1, stressed = -1; /* at this step */
    d->frictionless = true;
    for (int i = 0; i < d->n; ++i) d->frictionless = d->frictionless && d->contact[i].tangents == 0;
    hold_joints(d);
    start_together(d);
    for (int drives = 0; drives < d->steps_max; ++drives) {
        if (is_spent(d)) return spent(d, budget);
        int i = most_violated(d), normal = i >= 0;
        if (!normal) i = first_slipping(d);
        if (i < 0 && d->steps == polished) return ABUT_SOLVED;
        if (i < 0 || (d->steps > polished && normal && violation(d, i) <= WORN * d->satisfied)) {
            polish(d);
            polished = d->steps;
            continue;
        }
        drive_end end = normal ? drive_normal(d, i) : drive_friction(d, i);
        if (end == END_STUCK) return ABUT_FAILED;
        if (end == END_SPENT) return spent(d, budget);
        if (end == END_INFINITE) {
            /* Without dynamic friction theory forbids this, so it was a self-stress, and the contact is given up. If
             * it happens twice without a step in between, nothing else is left to drive: a small violation then is
             * rounding, which the verifier judges. */
            if (!has_dynamic(d)) {
                give_up(d, i);
                if (d->steps == stressed)
                    return normal && violation(d, i) <= WORN * d->satisfied ? ABUT_SOLVED : ABUT_FAILED;
                stressed = d->steps;
                continue;
            }
            keep_ray(d);
            return ABUT_RAY;
        }
        if (!(d->kernels->max_abs(d->rows, d->f) <= FORCE_CAP)) return ABUT_FAILED;
    }
    return ABUT_FAILED;
}

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    abuti_drive *d = scratch;
    d->lemke_ran = d->has_ray = false;
    answer->too_large = !abuti_drive_load(d, system, context);
    if (answer->too_large) return ABUT_FAILED;
    abut_outcome outcome = abuti_compute_forces(d, context);
    answer->pivots += d->steps;
    if (outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) abuti_drive_answer(d, system, answer);
    if (outcome == ABUT_RAY) abuti_drive_ray(d, system, d->ray, answer);
    return outcome;
}

const abuti_family abuti_drive_family = {
    .solver = ABUT_SOLVER_DRIVE, .layout = abuti_drive_layout, .late = true, .answers = true};

const abuti_stage abuti_stage_drive = {
    .name = "drive",
    .family = &abuti_drive_family,
    .answers = ABUTI_ON_FORCES(ABUT_LAW_COULOMB),
    .rows = true,
    .local = true,
    .run = run,
};
