/* Lemke's ratio test.
 *
 * The driving variable grows until a basic variable would fall below zero. In exact arithmetic the
 * least ratio value / -rate decides; contact problems are full of exact ties, which rounding turns into
 * near ties, and then the least ratio is an accident and its pivot may be tiny. So, after Harris:
 *
 *   1. every candidate may fall below zero by a small allowance; the least ratio with allowance is the
 *      longest step we accept;
 *   2. among the candidates whose own ratio is within that step: z0, if it is one of them (the path
 *      then ends, and no value is below zero by more than the allowance), else the largest pivot.
 *
 * The lexicographic rule, which cannot cycle in exact arithmetic, takes the place of "the largest
 * pivot" when the caller asks for it. */
#include "lcp/lemke_basis.h"
#include <math.h>
#include <string.h>

/* Allowance, relative to the sizes of the terms a value is summed from: well above rounding noise,
 * well below the accuracy asked of an answer. */
#define TIE 1e-10
/* Entries of two lexicographic rows closer than this part of the larger row are equal. */
#define LEXICOGRAPHIC 1e-10

typedef struct candidate {
    double value, fall, allowance; /* value >= 0, fall = -rate > 0 */
} candidate;

/* Column `slot` of B as a candidate; false when it does not fall. */
static bool z_candidate(const abuti_lemke *s, int slot, candidate *c)
{
    c->fall = -s->dx[slot];
    c->value = fmax(s->x[slot], 0);
    if (s->column[slot] == s->n) { /* z0: it counts where it is multiplied by c */
        c->allowance = 0;
        return c->fall * s->cover_size > s->least_pivot * s->dz_size;
    }
    c->allowance = TIE * (s->q_size + s->z_size);
    return c->fall > s->least_pivot * s->dz_size;
}

static bool w_candidate(const abuti_lemke *s, int row, candidate *c)
{
    int z0 = abuti_lemke_z0_slot(s);
    c->fall = -s->dw[row];
    if (!(c->fall > s->least_pivot * (s->dz_size + s->cover[row] * fabs(s->dx[z0])))) return false;
    c->value = fmax(s->w[row], 0);
    c->allowance = TIE * (s->q_size + s->z_size + s->cover[row] * fabs(s->x[z0]));
    return s->row_slot[row] < 0;
}

static double longest_step(const abuti_lemke *s)
{
    double longest = INFINITY;
    candidate c;
    for (int j = 0; j < s->inverse.m; j++) {
        if (z_candidate(s, j, &c)) longest = fmin(longest, (c.value + c.allowance) / c.fall);
    }
    for (int i = 0; i < s->n; i++) {
        if (w_candidate(s, i, &c)) longest = fmin(longest, (c.value + c.allowance) / c.fall);
    }
    return longest;
}

/* The row of a basic variable in the inverse of the full basis, divided by its fall: what multiplies
 * (e, e^2, ..., e^n) when q is perturbed by these powers. */
static void lexicographic_row(abuti_lemke *s, abuti_lemke_leaving of, double fall, double *entries)
{
    int m = s->inverse.m;
    double *b = s->rhs, *u = s->scratch;
    memset(entries, 0, (size_t)s->n * sizeof(double));
    if (of.kind == ABUTI_LEMKE_Z) {
        memcpy(u, abuti_inverse_row(&s->inverse, of.index), (size_t)m * sizeof(double));
    } else {
        abuti_lemke_gather_row(s, of.index, b);
        abuti_inverse_solve_transposed(&s->inverse, b, u);
        entries[of.index] = 1 / fall;
    }
    for (int t = 0; t < m; t++) entries[s->row[t]] = -u[t] / fall;
}

static bool lexicographically_less(int n, const double *a, const double *b)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    for (int i = 0; i < n; i++) {
        if (fabs(a[i] - b[i]) > LEXICOGRAPHIC * size) return a[i] < b[i];
    }
    return false;
}

/* The running choice among the near ties. */
typedef struct choice {
    abuti_lemke_leaving leaving;
    double fall;
} choice;

static void consider(abuti_lemke *s, choice *best, abuti_lemke_leaving next, double fall, bool lexicographic)
{
    bool better = best->leaving.kind == ABUTI_LEMKE_NONE;
    if (!better && lexicographic) {
        /* No factorisation is alive between two rebuilds: its first two rows serve as scratch. */
        double *held = s->lu.A, *challenger = s->lu.A + s->ld;
        lexicographic_row(s, best->leaving, best->fall, held);
        lexicographic_row(s, next, fall, challenger);
        better = lexicographically_less(s->n, challenger, held);
    } else if (!better) {
        better = fall >= best->fall;
    }
    if (better) *best = (choice){next, fall};
}

/* What stops the growth before z0 reaches zero at `step`, although the allowances say otherwise: rows whose
 * cover is so large that c_i z0 hides the rest of w_i. They are judged by the w they would end with. */
static abuti_lemke_leaving hidden_by_cover(abuti_lemke *s, double step)
{
    double *end = s->lu.A; /* no factorisation is alive between two rebuilds */
    abuti_lemke_uncovered(s, step, end);
    choice worst = {.leaving = {.kind = ABUTI_LEMKE_NONE}, .fall = TIE * (s->q_size + s->z_size)};
    candidate c;
    for (int i = 0; i < s->n; i++) {
        if (-end[i] > worst.fall && w_candidate(s, i, &c))
            worst = (choice){{ABUTI_LEMKE_W, i, fmin(c.value / c.fall, step)}, -end[i]};
    }
    return worst.leaving;
}

abuti_lemke_leaving abuti_lemke_ratio_test(abuti_lemke *s, bool lexicographic)
{
    double longest = longest_step(s);
    choice best = {.leaving = {.kind = ABUTI_LEMKE_NONE}};
    candidate c;
    int z0 = abuti_lemke_z0_slot(s);
    if (z_candidate(s, z0, &c) && c.value / c.fall <= longest) {
        double step = c.value / c.fall;
        abuti_lemke_leaving hidden = hidden_by_cover(s, step);
        if (hidden.kind != ABUTI_LEMKE_NONE) return hidden;
        return (abuti_lemke_leaving){ABUTI_LEMKE_Z, z0, step};
    }
    for (int j = 0; j < s->inverse.m; j++) {
        if (j != z0 && z_candidate(s, j, &c) && c.value / c.fall <= longest)
            consider(s, &best, (abuti_lemke_leaving){ABUTI_LEMKE_Z, j, c.value / c.fall}, c.fall,
                     lexicographic);
    }
    for (int i = 0; i < s->n; i++) {
        if (w_candidate(s, i, &c) && c.value / c.fall <= longest)
            consider(s, &best, (abuti_lemke_leaving){ABUTI_LEMKE_W, i, c.value / c.fall}, c.fall,
                     lexicographic);
    }
    return best.leaving;
}
