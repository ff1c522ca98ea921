/* The sets, and the equations they hold: a_N = 0 for every contact in C, a_F = 0 for those in C_F, a = 0 for
 * bilaterals. To each equation belongs one unknown: the contact's normal force (with friction along, when the
 * contact is on its cone: the column A_N + mu (u_x A_x + u_y A_y)), or a friction force. The inverse of that
 * square block is kept, one rank-one change for each move between sets, and made anew when a change would
 * divide by a pivot that is mostly rounding.
 *
 * Redundant contacts make the block singular. An equation that follows from those already held is
 * not held itself: its acceleration stays zero without it, and its force stays what it is. It is looked at
 * again whenever an equation is dropped. */
#include "contact/drive/drive.h"
#include <math.h>
#include <string.h>

/* A pivot is a difference of terms. Below this part of them it means that the equation depends on others. */
#define DEPENDENT 1e-10
/* A pivot between DEPENDENT and this part is not believed before the inverse is made anew. */
#define DOUBTFUL 1e-6
#define ROUNDING 1e-13
/* A change of the inverse is made by factoring anew if its pivot is below this part of the largest number beside it. */
#define WEAK_PIVOT 1e-8

static double along_row(const abuti_held *h, const double *vector)
{
    double sum = 0.0;
    for (int t = 0; t < h->count; ++t) sum += h->row[t] * vector[h->at + t];
    return sum;
}

static bool is_combined(const abuti_held *h)
{
    int terms = 0;
    for (int t = 0; t < h->count; ++t) terms += h->column[t] != 0.0;
    return terms != 1 || !(h->column[0] == 1.0 || h->column[h->count - 1] == 1.0);
}

/* Whether the entry is unsymmetric, that is, unknown and equation differ. */
static bool is_sliding(const abuti_held *h)
{
    return h->which == 0 && h->count > 1;
}

/* Free slots stand behind the used ones: slot numbers are permuted, never lost. */
static double *slot_at(const abuti_drive *d, int place)
{
    return d->pushes + (size_t)d->spare[place] * (size_t)d->ld;
}

/* Forms A times the unknown's column; `place` is where the unknown will stand. */
static void make_push(abuti_drive *d, abuti_held *h, int place)
{
    if (!is_combined(h)) {
        int t = h->count == 1 || h->column[0] == 1.0 ? 0 : h->count - 1;
        h->push = d->A + (size_t)(h->at + t) * (size_t)d->ld;
        return;
    }
    double *push = slot_at(d, place);
    d->kernels->scaled_copy(d->rows, h->column[0], d->A + (size_t)h->at * (size_t)d->ld, push);
    for (int t = 1; t < h->count; ++t)
        d->kernels->axpy(d->rows, h->column[t], d->A + (size_t)(h->at + t) * (size_t)d->ld, push);
    h->push = push;
}

static void gather(abuti_drive *d, const double *vector, double *out)
{
    for (int k = 0; k < d->held_count; ++k) out[k] = along_row(&d->held[k], vector);
    for (int k = d->held_count; k < abuti_padded(d->held_count); ++k) out[k] = 0.0;
}

void abuti_held_solve(abuti_drive *d)
{
    for (int k = d->held_count; k < abuti_padded(d->held_count); ++k) d->gathered[k] = 0.0;
    if (d->held_count > 0) abuti_inverse_solve(&d->inverse, d->gathered, d->solved);
}

static void note_place(abuti_drive *d, int place)
{
    const abuti_held *h = &d->held[place];
    if (h->contact >= 0) d->contact[h->contact].place[h->which] = place;
}

/* The pivot of bordering the inverse by h, and the size of the terms whose difference it is. d->solved is H a,
 * d->across is b of inverse.h. */
static double border_pivot(abuti_drive *d, const abuti_held *h, double *terms)
{
    int m = d->held_count;
    double pivot = along_row(h, h->push), *back = d->across;
    *terms = fabs(pivot);
    gather(d, h->push, d->gathered);
    if (m > 0) abuti_inverse_solve(&d->inverse, d->gathered, d->solved);
    bool symmetric = d->symmetric && d->sliding == 0 && !is_sliding(h);
    for (int k = 0; k < m; ++k) {
        back[k] = symmetric ? d->gathered[k] : along_row(h, d->held[k].push);
        pivot -= back[k] * d->solved[k];
        *terms += fabs(back[k] * d->solved[k]);
    }
    for (int k = m; k < abuti_padded(m); ++k) back[k] = 0.0;
    return pivot;
}

/* Borders the inverse by h. False when h depends on what is held. */
static bool insert(abuti_drive *d, abuti_held h)
{
    make_push(d, &h, d->held_count);
    double terms, pivot = border_pivot(d, &h, &terms);
    bool doubtful = fabs(pivot) > ROUNDING * terms && !(fabs(pivot) > DOUBTFUL * terms);
    if (doubtful && !d->fresh && d->held_count > 0) {
        abuti_held_refactor(d);
        make_push(d, &h, d->held_count);
        pivot = border_pivot(d, &h, &terms);
    }
    if (!(fabs(pivot) > DEPENDENT * terms)) return false;
    int m = d->held_count;
    d->fresh = false;
    if (m == 0) {
        abuti_inverse_start(&d->inverse, pivot);
    } else if (d->symmetric && d->sliding == 0 && !is_sliding(&h)) {
        abuti_inverse_border(&d->inverse, d->solved, d->solved, pivot);
    } else {
        abuti_inverse_solve_transposed(&d->inverse, d->across, d->gathered);
        abuti_inverse_border(&d->inverse, d->solved, d->gathered, pivot);
    }
    d->sliding += is_sliding(&h);
    d->held[m] = h;
    d->held_count = m + 1;
    note_place(d, m);
    return true;
}

/* Takes `place` out of the list; the last entry takes its place. The inverse is the caller's business. */
static void unlist(abuti_drive *d, int place)
{
    int last = d->held_count - 1, slot = d->spare[place];
    abuti_held *h = &d->held[place];
    d->sliding -= is_sliding(h);
    if (h->contact >= 0) d->contact[h->contact].place[h->which] = -1;
    d->spare[place] = d->spare[last];
    d->spare[last] = slot;
    d->held_count = last;
    if (place == last) return;
    d->held[place] = d->held[last];
    note_place(d, place);
}

void abuti_held_refactor(abuti_drive *d)
{
    int m = d->held_count;
    d->inverse.m = 0;
    d->fresh = true;
    if (m == 0) return;
    abuti_lu_start(&d->lu, m);
    for (int i = 0; i < m; ++i) {
        double *row = abuti_lu_row(&d->lu, i);
        for (int j = 0; j < m; ++j) row[j] = along_row(&d->held[i], d->held[j].push);
    }
    if (abuti_lu_factor(&d->lu)) {
        abuti_inverse_rebuild(&d->inverse, &d->lu);
        return;
    }
    /* The block is singular: its equations enter one by one, and those that depend on others are left out. The slots
     * are dealt anew, so that no push is overwritten before it is made. */
    d->held_count = d->sliding = 0;
    for (int i = 0; i < m; ++i) {
        abuti_held h = d->held[i];
        d->fresh = true; /* as good as it gets */
        if (h.contact >= 0) d->contact[h.contact].place[h.which] = -1;
        if (!insert(d, h) && h.contact >= 0 && h.which == 0) d->contact[h.contact].dependent = true;
    }
}

/* Largest number of row p and column p of the inverse. */
static double beside(const abuti_drive *d, int p)
{
    double most = d->kernels->max_abs(d->inverse.m, abuti_inverse_row(&d->inverse, p));
    if (d->symmetric && d->sliding == 0) return most;
    for (int k = 0; k < d->inverse.m; ++k) most = fmax(most, fabs(abuti_inverse_row(&d->inverse, k)[p]));
    return most;
}

static void retry_dependent(abuti_drive *d);

static void drop(abuti_drive *d, int place)
{
    if (place < 0) return;
    double pivot = fabs(abuti_inverse_row(&d->inverse, place)[place]);
    bool weak = !(pivot > WEAK_PIVOT * beside(d, place));
    if (!weak) abuti_inverse_remove(&d->inverse, place, place);
    d->fresh = false;
    unlist(d, place);
    if (weak) abuti_held_refactor(d);
}

/* ------------------------------------------------------------------------------------------------
 * Equations of contacts */

static bool slides(abuti_friction_set set)
{
    return set >= ABUTI_FRICTION_NC_PLUS;
}

static abuti_held normal_equation(const abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    abuti_held h = {.contact = i, .which = 0, .at = c->at, .count = 1, .row = {1.0}, .column = {1.0}};
    if (slides(c->friction)) {
        h.count = 1 + c->tangents;
        h.column[1] = c->mu * c->u[0];
        h.column[2] = c->mu * c->u[1];
    }
    return h;
}

/* Friction axis 1 is c->axis, axis 2 stands across. */
static abuti_held friction_equation(const abuti_drive *d, int i, int which)
{
    const abuti_drive_contact *c = &d->contact[i];
    double x = which == 1 ? c->axis[0] : -c->axis[1], y = which == 1 ? c->axis[1] : c->axis[0];
    return (abuti_held){
        .contact = i, .which = which, .at = c->at + 1, .count = c->tangents, .row = {x, y}, .column = {x, y}};
}

void abuti_hold_axis(abuti_drive *d, int i, int which)
{
    if (d->contact[i].place[which] < 0) (void)insert(d, friction_equation(d, i, which));
}

/* Tries dependent equations again: after one was dropped, those that depended on it may stand on their own. */
static void retry_dependent(abuti_drive *d)
{
    for (int i = 0; i < d->n && !abuti_drive_is_late(d); ++i) {
        abuti_drive_contact *c = &d->contact[i];
        if (c->normal != ABUTI_SET_C) continue;
        if (c->dependent && insert(d, normal_equation(d, i))) c->dependent = false;
        for (int which = 1; which <= c->tangents && c->friction == ABUTI_FRICTION_C; ++which)
            abuti_hold_axis(d, i, which);
    }
}

bool abuti_hold_joint(abuti_drive *d, int joint)
{
    return insert(
        d, (abuti_held){
               .contact = -1, .at = d->rows - d->joints + joint, .count = 1, .row = {1.0}, .column = {1.0}});
}

bool abuti_try_normal(abuti_drive *d, int i)
{
    if (!insert(d, normal_equation(d, i))) return false;
    d->contact[i].normal = ABUTI_SET_C;
    d->contact[i].dependent = false;
    return true;
}

void abuti_set_normal(abuti_drive *d, int i, abuti_normal_set set)
{
    abuti_drive_contact *c = &d->contact[i];
    if (set == c->normal) return;
    bool dropped = c->normal == ABUTI_SET_C;
    c->normal = set;
    c->dependent = false;
    for (int which = 2; which >= 0 && dropped; --which) drop(d, c->place[which]);
    if (c->friction != ABUTI_FRICTION_DYNAMIC && set != ABUTI_SET_C) c->friction = ABUTI_FRICTION_NONE;
    if (set == ABUTI_SET_C && !insert(d, normal_equation(d, i))) c->dependent = true;
    if (dropped) retry_dependent(d);
}

/* The contact's normal unknown takes friction along, or no longer does. */
static void recombine(abuti_drive *d, int i)
{
    abuti_drive_contact *c = &d->contact[i];
    int p = c->place[0];
    if (p < 0) return;
    abuti_held h = normal_equation(d, i);
    d->sliding += is_sliding(&h) - is_sliding(&d->held[p]);
    make_push(d, &h, p);
    d->held[p] = h;
    gather(d, h.push, d->gathered);
    abuti_inverse_solve(&d->inverse, d->gathered, d->solved);
    if (fabs(d->solved[p]) > WEAK_PIVOT * d->kernels->max_abs(d->held_count, d->solved)) {
        abuti_inverse_replace_column(&d->inverse, p, d->solved);
        d->fresh = false;
    } else {
        abuti_held_refactor(d);
    }
}

void abuti_set_friction(abuti_drive *d, int i, abuti_friction_set set, const double u[2])
{
    abuti_drive_contact *c = &d->contact[i];
    bool recombined = slides(c->friction) || slides(set), dropped = false;
    c->friction = set;
    for (int which = 2; which >= 1 && set != ABUTI_FRICTION_C; --which) {
        dropped = dropped || c->place[which] >= 0;
        drop(d, c->place[which]);
    }
    if (u) memcpy(c->u, u, sizeof c->u);
    if (recombined) recombine(d, i);
    for (int which = 1; which <= c->tangents && set == ABUTI_FRICTION_C; ++which)
        abuti_hold_axis(d, i, which);
    if (dropped) retry_dependent(d);
}
