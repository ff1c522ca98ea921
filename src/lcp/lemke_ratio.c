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

/* A product may exceed its bound by this factor, for its rounding, before a quotient is formed that decides. */
#define PREFILTER (1 + 1e-14)
/* Entries of two lexicographic rows closer than this part of the larger row are equal. */
#define LEXICOGRAPHIC 1e-10

/* The tolerances of one test. A w is summed from q, M z and c z0. The last term can be of any size, since c is the
 * caller's cover in the units of the rows. So each tolerance has a part that counts row by row: slack[0] + slack[1]
 * c_i, and likewise for floor. */
typedef struct tolerances {
    double slack[2]; /* how far below zero a value may fall */
    double floor[2]; /* a value falls only when its rate is below minus this; less is noise */
} tolerances;

static tolerances set_tolerances(const abuti_lemke *s)
{
    double z0 = fabs(s->x[ABUTI_LEMKE_Z0]), dz0 = fabs(s->dx[ABUTI_LEMKE_Z0]);
    const abuti_lemke_lines *at = &s->lines;
    return (tolerances){.slack = {at->q * s->q_size + at->z * s->z_size, at->q * z0},
                        .floor = {at->pivot * s->dz_size, at->pivot * dz0}};
}

static double positive_part(double x)
{
    return x > 0 ? x : 0;
}

/* The ratio of a value that falls faster than `floor`; infinity for others. */
static double ratio(double value, double rate, double floor)
{
    return -rate > floor ? positive_part(value) / -rate : INFINITY;
}

static double z_ratio(const abuti_lemke *s, const tolerances *tol, int slot)
{
    return ratio(s->x[slot], s->dx[slot], tol->floor[0]);
}

/* z0 shows in w multiplied by c, so its floor is divided by the size of c. */
static double z0_ratio(const abuti_lemke *s, const tolerances *tol)
{
    return ratio(s->x[ABUTI_LEMKE_Z0], s->dx[ABUTI_LEMKE_Z0], tol->floor[0] / s->cover_size);
}

/* Rows of B do not move: their rate is zero. */
static double w_ratio(const abuti_lemke *s, const tolerances *tol, int row)
{
    return ratio(s->w[row], s->dw[row], tol->floor[0] + tol->floor[1] * s->cover[row]);
}

/* The longest step that leaves no z or w below zero by more than its slack. */
static double longest_step(const abuti_lemke *s, const tolerances *tol)
{
    const double z_floor[2] = {tol->floor[0], 0}, z_slack[2] = {tol->slack[0], 0};
    const abuti_kernels *k = s->inverse.kernels;
    const double *x = s->x + 1, *dx = s->dx + 1; /* without z0 */
    double by_z = k->least_ratio(s->inverse.m - 1, x, dx, x, z_floor, z_slack);
    double by_w = k->least_ratio(abuti_padded(s->n), s->w, s->dw, s->cover, tol->floor, tol->slack);
    return by_z < by_w ? by_z : by_w;
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
    for (int t = 0; t < m; ++t) entries[s->row[t]] = -u[t] / fall;
}

static bool lexicographically_less(int n, const double *a, const double *b)
{
    double size = 0;
    for (int i = 0; i < n; ++i) size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    for (int i = 0; i < n; ++i) {
        if (fabs(a[i] - b[i]) > LEXICOGRAPHIC * size) return a[i] < b[i];
    }
    return false;
}

/* The better of two near ties. */
static bool is_better(abuti_lemke *s, abuti_lemke_leaving next, double fall, abuti_lemke_leaving best,
                      double best_fall, bool lexicographic)
{
    if (best.kind == ABUTI_LEMKE_NONE) return true;
    if (!lexicographic) return fall >= best_fall;
    /* No factorisation is alive between two rebuilds: its first two rows serve as scratch. */
    double *held = s->lu.A, *challenger = s->lu.A + s->ld;
    lexicographic_row(s, best, best_fall, held);
    lexicographic_row(s, next, fall, challenger);
    return lexicographically_less(s->n, challenger, held);
}

/* Chooses what leaves among all z and w whose ratio is at most `longest`. */
static abuti_lemke_leaving choose_among_ties(abuti_lemke *s, const tolerances *tol, double longest,
                                             bool lexicographic)
{
    abuti_lemke_leaving best = {.kind = ABUTI_LEMKE_NONE};
    double best_fall = 0;
    for (int k = 1; k < s->inverse.m + s->n; ++k) {
        bool is_z = k < s->inverse.m;
        int index = is_z ? k : k - s->inverse.m;
        double value = is_z ? s->x[index] : s->w[index], fall = is_z ? -s->dx[index] : -s->dw[index];
        if (!(value <= PREFILTER * longest * fall)) continue; /* most end here, without a division */
        double step = is_z ? z_ratio(s, tol, index) : w_ratio(s, tol, index);
        abuti_lemke_leaving next = {is_z ? ABUTI_LEMKE_Z : ABUTI_LEMKE_W, index, step};
        if (step <= longest && step < INFINITY && is_better(s, next, fall, best, best_fall, lexicographic)) {
            best = next;
            best_fall = fall;
        }
    }
    return best;
}

/* Where a cover c_i is so large that c_i z0 hides the rest of w_i, the slacks let z0 reach zero at `step` although
 * row i would stop the growth before. Such rows are judged by the w that they would end with; the worst of them is
 * what leaves. */
static abuti_lemke_leaving hidden_by_cover(abuti_lemke *s, const tolerances *tol, double step)
{
    double *end = s->lu.A, worst = tol->slack[0];
    abuti_lemke_uncovered(s, step, end);
    abuti_lemke_leaving hidden = {.kind = ABUTI_LEMKE_NONE};
    for (int i = 0; i < s->n; ++i) {
        double own = w_ratio(s, tol, i);
        if (!(-end[i] > worst && own < INFINITY)) continue;
        worst = -end[i];
        hidden = (abuti_lemke_leaving){ABUTI_LEMKE_W, i, own < step ? own : step};
    }
    return hidden;
}

abuti_lemke_leaving abuti_lemke_ratio_test(abuti_lemke *s, bool lexicographic)
{
    tolerances tol = set_tolerances(s);
    double longest = longest_step(s, &tol), by_z0 = z0_ratio(s, &tol);
    if (by_z0 <= longest && by_z0 < INFINITY) {
        abuti_lemke_leaving hidden = hidden_by_cover(s, &tol, by_z0);
        return hidden.kind != ABUTI_LEMKE_NONE ? hidden
                                               : (abuti_lemke_leaving){ABUTI_LEMKE_Z, ABUTI_LEMKE_Z0, by_z0};
    }
    return choose_among_ties(s, &tol, longest, lexicographic);
}
