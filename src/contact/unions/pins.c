/* All motions that contacts which do not slip can bring about.
 *
 * A contact that touches and does not slip holds its point still: three equations on the motion, two in the
 * plane. Whatever impulses do that, the motion is the one nearest to the free motion (in the norm of the mass
 * matrix) among those that fulfil the equations of all contacts that are held. So an answer is known by the
 * flat that its equations cut out, and flats are few: a body has six freedoms, one point that is held takes
 * three of them, and where points have gaps to close most pairs of them contradict each other. A tree over
 * complementary pairs goes through 2^contacts cases and sees a contradiction late; here it shows at once.
 *
 * Sets of pins are gone through depth first in the order of their numbers, each pin adding an equation that
 * does not follow from those before. Many sets cut out one flat; the first of them in that order counts. The
 * flat of a set is known already if, with its last pin, an earlier pin that was not chosen comes to hold too: that pin
 * should have been chosen, and whatever is added later changes nothing about it.
 *
 * Motions are w = A x + b, the velocities of all rows, with w = 0 on the rows of the set and x among the
 * combinations of those; an orthonormal basis of them grows with the set. Rows are scaled by the mass matrix, so
 * that x is measured in its norm. */
#include "contact/unions/pins.h"
#include <math.h>
#include <string.h>

/* A row follows from those before if at most the part `follows` of its length is left. Up to the part `in_doubt` it
 * is in doubt. So is a row that follows while its velocity is not zero but below `nearly` times what counts as zero.
 * With a row in doubt nothing is proved. Rows need no closer look if `left` is more than the part `clearly` of their
 * squared length. */
static const double follows = 1e-9, in_doubt = 1e-8, nearly = 1e4, clearly = 1e-6;

void abuti_pins_layout(abuti_pins *p, abuti_arena *arena, int rows, int contacts)
{
    enum { DEPTH = ABUTI_PINS_RANK + 1 };
    size_t n = (size_t)rows;
    p->A = abuti_take(arena, n * ABUTI_PINS_RANK, double);
    p->size2 = abuti_take(arena, n, double);
    p->pin = abuti_take(arena, 2 * (size_t)contacts, abuti_pin);
    p->row = abuti_take(arena, 6 * (size_t)contacts, int);
    p->Q = abuti_take(arena, ABUTI_PINS_RANK * ABUTI_PINS_RANK, double);
    p->w = abuti_take(arena, DEPTH * n, double);
    p->left = abuti_take(arena, DEPTH * n, double);
    p->chosen = abuti_take(arena, DEPTH, int);
    p->next = abuti_take(arena, DEPTH, int);
    p->rank = abuti_take(arena, DEPTH, int);
}

static double *motion(const abuti_pins *p, int depth)
{
    return p->w + (size_t)depth * (size_t)p->n;
}

static double *rest(const abuti_pins *p, int depth)
{
    return p->left + (size_t)depth * (size_t)p->n;
}

static double product(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int c = 0; c < count; ++c) sum += a[c] * b[c];
    return sum;
}

/* The part of a row along vector k of the basis. */
static double along(const abuti_pins *p, int k, int row)
{
    return product(p->Q + (size_t)k * (size_t)p->dof, p->A + (size_t)row * (size_t)p->dof, p->dof);
}

/* What is left of a row across the set at this depth, and its length against the row's. */
static double across(const abuti_pins *p, int depth, int row, double *out)
{
    static const double short_part = 1e-2; /* of the square of the length */
    double left = p->size2[row];
    memcpy(out, p->A + (size_t)row * (size_t)p->dof, (size_t)p->dof * sizeof *out);
    /* Where little was left, a second pass takes out the rounding of the first. */
    for (int time = 0; time < 2 && (time == 0 || left < short_part * p->size2[row]); ++time) {
        for (int k = 0; k < p->rank[depth]; ++k) {
            const double *q = p->Q + (size_t)k * (size_t)p->dof;
            double much = product(q, out, p->dof);
            for (int c = 0; c < p->dof; ++c) out[c] -= much * q[c];
        }
        left = product(out, out, p->dof);
    }
    return sqrt(left / p->size2[row]);
}

/* Makes row `row`, whose velocity is w, 0 at this depth by a further vector of the basis. *by is how much of that
 * vector the motion loses. False: the row contradicts the others. */
static bool hold_row(abuti_pins *p, int depth, int row, double w, double *by)
{
    double *q = p->Q + (size_t)p->rank[depth] * (size_t)p->dof, spare[ABUTI_PINS_RANK];
    bool full = p->rank[depth] == p->dof;
    double part = across(p, depth, row, full ? spare : q);
    if (full || !(part > follows)) {
        if (fabs(w) > p->zero && fabs(w) < nearly * p->zero) p->exhausted = false;
        return fabs(w) <= p->zero;
    }
    if (part <= in_doubt) p->exhausted = false;
    double length = sqrt(product(q, q, p->dof));
    for (int c = 0; c < p->dof; ++c) q[c] /= length;
    *by = w / length;
    p->rank[depth]++;
    return true;
}

/* Makes all rows 0 at this depth, where the motion is still that of `before`. False: they contradict the others. Most
 * do, so the motion of all other rows waits until they are known not to. */
static bool hold_rows(abuti_pins *p, int depth, const double *before, const int *row, int count)
{
    int first = p->rank[depth];
    double by[ABUTI_PINS_RANK];
    for (int k = 0; k < count; ++k) {
        double w = before[row[k]];
        for (int j = first; j < p->rank[depth]; ++j) w -= by[j] * along(p, j, row[k]);
        if (!hold_row(p, depth, row[k], w, &by[p->rank[depth]])) return false;
    }
    double *w = motion(p, depth), *left = rest(p, depth);
    for (int j = first; j < p->rank[depth]; ++j) {
        for (int i = 0; i < p->n; ++i) {
            double l = along(p, j, i);
            w[i] -= by[j] * l;
            left[i] -= l * l;
        }
    }
    for (int k = 0; k < count; ++k) w[row[k]] = left[row[k]] = 0.0;
    return true;
}

void abuti_pins_begin(abuti_pins *p, int n, int joints, int dof, const double *b, double zero)
{
    p->n = n;
    p->joints = joints;
    p->dof = dof;
    p->b = b;
    p->zero = zero;
    p->count = p->depth = p->sets = 0;
    p->started = false;
    p->exhausted = true;
}

void abuti_pins_extend(abuti_pins *p, int row)
{
    abuti_pin *last = &p->pin[p->count - 1];
    p->row[last->first + last->rows++] = row;
}

void abuti_pins_add(abuti_pins *p, int contact, int row)
{
    int first = p->count > 0 ? p->pin[p->count - 1].first + p->pin[p->count - 1].rows : 0;
    p->pin[p->count++] = (abuti_pin){.contact = contact, .first = first};
    abuti_pins_extend(p, row);
}

/* Whether the pin's equations follow from those of the set at this depth. */
static bool holds(const abuti_pins *p, int pin, int depth)
{
    const double *w = motion(p, depth), *left = rest(p, depth);
    const int *row = p->row + p->pin[pin].first;
    double spare[ABUTI_PINS_RANK];
    for (int k = 0; k < p->pin[pin].rows; ++k)
        if (left[row[k]] > clearly * p->size2[row[k]] || fabs(w[row[k]]) > p->zero) return false;
    for (int k = 0; k < p->pin[pin].rows; ++k)
        if (across(p, depth, row[k], spare) > follows) return false;
    return true;
}

/* Whether the flat of the set at depth + 1, which has `pin` last, belongs to an earlier set. */
static bool seen_before(const abuti_pins *p, int pin)
{
    for (int e = 0; e < pin; ++e)
        if (holds(p, e, p->depth + 1) && !holds(p, e, p->depth)) return true;
    return false;
}

/* Adds a pin to the set; false: it follows from the set, contradicts it, or the flat is known. */
static bool push(abuti_pins *p, int pin)
{
    size_t bytes = (size_t)p->n * sizeof(double);
    const abuti_pin *added = &p->pin[pin];
    int depth = p->depth + 1;
    if (p->rank[p->depth] == p->dof) return false; /* nothing moves any more */
    memcpy(motion(p, depth), motion(p, p->depth), bytes);
    memcpy(rest(p, depth), rest(p, p->depth), bytes);
    p->rank[depth] = p->rank[p->depth];
    if (!hold_rows(p, depth, motion(p, p->depth), p->row + added->first, added->rows)) return false;
    if (p->rank[depth] == p->rank[p->depth] || seen_before(p, pin)) return false;
    p->depth = depth;
    p->chosen[depth] = pin;
    p->next[depth] = pin + 1;
    return true;
}

/* Starts with the set without pins: what joints do to the free motion. False: the joints contradict each other. */
static bool start(abuti_pins *p)
{
    memcpy(motion(p, 0), p->b, (size_t)p->n * sizeof(double));
    for (int i = 0; i < p->n; ++i) {
        const double *row = p->A + (size_t)i * (size_t)p->dof;
        rest(p, 0)[i] = p->size2[i] = product(row, row, p->dof);
    }
    p->rank[0] = p->next[0] = 0;
    p->started = true;
    for (int j = p->n - p->joints; j < p->n; ++j)
        if (!hold_rows(p, 0, motion(p, 0), &j, 1)) return p->exhausted = false;
    return true;
}

abuti_pins_step abuti_pins_next(abuti_pins *p)
{
    if (!p->started) return start(p) ? ABUTI_PINS_SET : ABUTI_PINS_END;
    while (p->depth > 0 && p->next[p->depth] == p->count) p->depth--;
    if (p->next[p->depth] == p->count) return ABUTI_PINS_END;
    if (p->sets++ == ABUTI_PINS_SETS) {
        p->exhausted = false;
        return ABUTI_PINS_END;
    }
    return push(p, p->next[p->depth]++) ? ABUTI_PINS_SET : ABUTI_PINS_NONE;
}
