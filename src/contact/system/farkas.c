/* The weights of farkas.h as a least-squares problem with signs (Lawson and Hanson's NNLS):
 *
 *     minimise | sum of y_i (row_i, b_i) - (0, -1) |,     y_i >= 0 for contacts, any sign for joint rows.
 *
 * At the minimum either nothing is left, and y is the proof; or what is left is (w, -r) with r > 0 and
 * n_i.w - r b_i <= 0: then v = -w / r satisfies every contact and joint row, and there is no proof. As w is
 * minus the sum of y_i row_i, and y_i > 0 only where that is an equation, v = sum of (y_i / r) row_i is then the
 * least motion that satisfies them, and y / r are the impulses that make it (their "least distance
 * programming").
 *
 * Rows enter the set one by one, the one that promises most first; a contact whose weight would become
 * negative leaves. The set's rows are kept orthonormal (Gram-Schmidt, twice), so it never holds more rows
 * than there are numbers in one. */
#include "contact/system/farkas.h"
#include "base/clock.h"
#include <math.h>
#include <string.h>

/* A row enters the set only if more than this part of its length lies outside of what the set spans: ten digits. */
#define INDEPENDENT 1e-10
/* Less than this left of the target (of length 1) counts as nothing: it is the rounding of some hundred rows. */
#define NOTHING_LEFT 1e-12
/* With this much left, and no row that would take more of it away, a motion would still have to be 1e8 times
 * faster than what the system asks for: the verifier decides. */
#define LITTLE_LEFT 1e-8

static int least(long long a, long long b)
{
    return (int)(a < b ? a : b);
}

void abuti_farkas_layout(abuti_farkas *farkas, abuti_arena *arena, const abut_contact_limits *limits)
{
    long long rows = (long long)limits->contacts + limits->joints, width = 6LL * limits->bodies;
    if (limits->nv > width) width = limits->nv;
    long long local = 3LL * limits->contacts + limits->joints;
    if (limits->local && local > width) width = local;
    farkas->width = least(width, ABUT_DENSE_MAX) + 1;
    farkas->columns = least(rows, farkas->width);
    size_t w = (size_t)farkas->width, k = (size_t)farkas->columns;
    farkas->Q = abuti_take(arena, w * k, double);
    farkas->R = abuti_take(arena, k * k, double);
    farkas->row = abuti_take(arena, w, double);
    farkas->left = abuti_take(arena, w, double);
    farkas->set = abuti_take(arena, k, int);
    farkas->y = abuti_take(arena, k, double);
    farkas->old = abuti_take(arena, k, double);
    farkas->along = abuti_take(arena, k, double);
    farkas->in = abuti_take(arena, rows, bool);
    farkas->idle = abuti_take(arena, limits->contacts, bool);
}

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    abuti_farkas plan = {0}, *farkas = abuti_take(arena, 1, abuti_farkas);
    abuti_farkas_layout(&plan, arena, limits);
    if (farkas) *farkas = plan;
    return farkas;
}

const abuti_family abuti_farkas_family = {.layout = layout, .late = true};

/* ---- rows ---- */

typedef struct search {
    abuti_farkas *f;
    const abuti_system *s;
    int numbers; /* of a row, without its offset */
    int count;   /* rows in the set */
    int rounds;
} search;

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* (row, b) of contact `which`, or of joint row `which` - n, into f->row. */
static void load_row(const search *at, int which)
{
    const abuti_system *s = at->s;
    double *row = at->f->row;
    bool contact = which < s->n;
    int j = which - s->n;
    memset(row, 0, (size_t)at->numbers * sizeof *row);
    row[at->numbers] = contact ? s->offset[ABUTI_NORMAL][which] : s->joint_offset[j];
    if (s->W) {
        const double *from = s->W + (size_t)(contact ? 3 * which : 3 * s->n + j) * (size_t)s->W_ld;
        memcpy(row, from, (size_t)at->numbers * sizeof *row);
        return;
    }
    for (int side = 0; side < s->sides; ++side) {
        int block = contact ? s->body[side][which] : s->joint_body[side][j];
        if (block >= s->bodies) continue;
        double *out = row + (size_t)block * (size_t)s->dim;
        const double *joint = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c)
            out[c] = contact ? abuti_row(s, ABUTI_NORMAL, side, c)[which] : joint[c];
    }
}

/* How far contact i reaches towards what is left, per length of its row. */
static double promise(const search *at, int i)
{
    load_row(at, i);
    int width = at->numbers + 1;
    double length = sqrt(dot(width, at->f->row, at->f->row));
    return length > 0.0 ? dot(width, at->f->row, at->f->left) / length : 0.0;
}

/* ---- the set ---- */

/* Makes row `which` the last of the set; false when no more than a share `dependent` of its length lies
 * outside what the others span. */
static bool append(search *at, int which, double dependent)
{
    abuti_farkas *f = at->f;
    int width = at->numbers + 1, k = at->count;
    if (k >= f->columns) return false;
    load_row(at, which);
    double *q = f->Q + (size_t)k * (size_t)f->width, *R = f->R + (size_t)k * (size_t)f->columns;
    memcpy(q, f->row, (size_t)width * sizeof *q);
    double length = sqrt(dot(width, q, q));
    for (int l = 0; l < k; ++l) R[l] = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int l = 0; l < k; ++l) {
            const double *other = f->Q + (size_t)l * (size_t)f->width;
            double part = dot(width, other, q);
            for (int c = 0; c < width; ++c) q[c] -= part * other[c];
            R[l] += part;
        }
    }
    double rest = sqrt(dot(width, q, q));
    if (!(rest > dependent * length)) return false;
    for (int c = 0; c < width; ++c) q[c] /= rest;
    R[k] = rest;
    f->set[k] = which;
    f->y[k] = 0.0;
    f->in[which] = true;
    at->count++;
    return true;
}

/* Takes row p out; those behind it are orthonormalised again. */
static void take_out(search *at, int p)
{
    abuti_farkas *f = at->f;
    int end = at->count;
    f->in[f->set[p]] = false;
    at->count = p;
    for (int k = p + 1; k < end; ++k) {
        double y = f->y[k];
        int which = f->set[k];
        f->in[which] = false;
        if (append(at, which, INDEPENDENT)) f->y[at->count - 1] = y;
    }
}

/* x = R^-1 x. */
static void back_substitute(const search *at, double *x)
{
    const abuti_farkas *f = at->f;
    for (int k = at->count - 1; k >= 0; --k) {
        const double *R = f->R + (size_t)k * (size_t)f->columns;
        x[k] /= R[k];
        for (int l = 0; l < k; ++l) x[l] -= R[l] * x[k];
    }
}

/* The set's best weights into y, and what they leave of the target, whose only number is -1 at the end. */
static void fit(search *at)
{
    abuti_farkas *f = at->f;
    int numbers = at->numbers, width = numbers + 1;
    memset(f->left, 0, (size_t)width * sizeof *f->left);
    memset(f->y, 0, (size_t)at->count * sizeof *f->y);
    f->left[numbers] = -1.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < at->count; ++k) {
            const double *q = f->Q + (size_t)k * (size_t)f->width;
            double part = dot(width, q, f->left);
            for (int c = 0; c < width; ++c) f->left[c] -= part * q[c];
            f->along[k] = part;
        }
        back_substitute(at, f->along);
        for (int k = 0; k < at->count; ++k) f->y[k] += f->along[k];
    }
}

/* Walks from the old weights to the new ones only as far as those of contacts stay positive; the first contact whose
 * weight does not leaves the set. False when all weights are positive. */
static bool one_leaves(search *at)
{
    abuti_farkas *f = at->f;
    double step = 1.0;
    int first = -1;
    for (int k = 0; k < at->count; ++k) {
        if (f->set[k] >= at->s->n || f->y[k] > 0.0) continue;
        double reach = f->old[k] > 0.0 ? f->old[k] / (f->old[k] - f->y[k]) : 0.0;
        if (first >= 0 && reach >= step) continue;
        step = reach;
        first = k;
    }
    if (first < 0) return false;
    for (int k = 0; k < at->count; ++k) f->y[k] = f->old[k] + step * (f->y[k] - f->old[k]);
    take_out(at, first);
    memcpy(f->old, f->y, (size_t)at->count * sizeof *f->y);
    fit(at);
    return true;
}

/* The contact outside the set that promises most, -1 when none does. */
static int most_promising(const search *at, double least_promise)
{
    int best = -1;
    for (int i = 0; i < at->s->n; ++i) {
        if (at->f->in[i] || at->f->idle[i]) continue;
        double p = promise(at, i);
        if (!(p > least_promise)) continue;
        least_promise = p;
        best = i;
    }
    return best;
}

static double what_is_left(const search *at)
{
    return sqrt(dot(at->numbers + 1, at->f->left, at->f->left));
}

/* Appends all joint rows, the clearly independent ones first. Of several rows that contradict those in the set, the one
 * that contradicts most decides, since weights and their errors grow as contradictions shrink. */
static void append_joints(search *at)
{
    static const double dependent[] = {1e-2, 1e-4, 1e-7, INDEPENDENT};
    for (size_t pass = 0; pass < sizeof dependent / sizeof *dependent; ++pass)
        for (int j = at->s->n; j < at->s->n + at->s->joints; ++j)
            if (!at->f->in[j]) (void)append(at, j, dependent[pass]);
}

/* Lawson and Hanson's NNLS, as told above. */
static void run(search *at)
{
    abuti_farkas *f = at->f;
    const abuti_system *s = at->s;
    /* Contacts between bodies that no impulse moves ask for nothing. */
    int contacts = s->W || s->bodies > 0 ? s->n : 0;
    memset(f->in, 0, (size_t)(s->n + s->joints) * sizeof *f->in);
    append_joints(at);
    fit(at);
    for (at->rounds = 0; what_is_left(at) > NOTHING_LEFT; ++at->rounds) {
        int enters = contacts > 0 ? most_promising(at, INDEPENDENT * what_is_left(at)) : -1;
        if (enters < 0 || at->rounds > 3 * (s->n + 10) || abuti_clock_passed(f->deadline)) break;
        memcpy(f->old, f->y, (size_t)at->count * sizeof *f->y);
        if (!append(at, enters, INDEPENDENT)) break;
        f->old[at->count - 1] = 0.0;
        fit(at);
        while (one_leaves(at) && !abuti_clock_passed(f->deadline)) continue;
    }
}

/* The set's weights times `factor`; 0 for all others. */
static void write_weights(const search *at, double factor, double *contact, double *joint)
{
    const abuti_farkas *f = at->f;
    int n = at->s->n;
    memset(contact, 0, (size_t)n * sizeof *contact);
    memset(joint, 0, (size_t)at->s->joints * sizeof *joint);
    for (int k = 0; k < at->count; ++k)
        *(f->set[k] < n ? &contact[f->set[k]] : &joint[f->set[k] - n]) = factor * f->y[k];
}

bool abuti_farkas_find(abuti_farkas *f, const abuti_system *s, double *contact, double *joint)
{
    search at = {.f = f, .s = s, .numbers = s->W ? 3 * s->n + s->joints : s->bodies * s->dim};
    if (at.numbers + 1 > f->width) return false;
    run(&at);
    if (!(what_is_left(&at) <= LITTLE_LEFT)) return false;
    write_weights(&at, 1.0, contact, joint);
    return true;
}

bool abuti_farkas_least_motion(abuti_farkas *f, const abuti_system *s, double *contact, double *joint,
                               int *rounds)
{
    search at = {.f = f, .s = s, .numbers = s->bodies * s->dim};
    if (at.numbers + 1 > f->width) return false;
    memset(f->idle, 0, (size_t)s->n * sizeof *f->idle);
    run(&at);
    *rounds = at.rounds;
    if (!(what_is_left(&at) > LITTLE_LEFT)) return false;
    write_weights(&at, -1.0 / f->left[at.numbers], contact, joint);
    return true;
}
