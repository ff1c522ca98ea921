/* The simplex method on the sum of infeasibilities: composite phase one, from any basis.
 *
 * The entering variable makes the sum fall fastest; the first basic variable that reaches 0, from within its
 * bounds or from outside, leaves. After as many steps without gain as there are rows Bland's rule takes over
 * (lowest variable enters, lowest leaves), which cannot cycle, until the sum has fallen again. Where no
 * variable lets the sum fall, the sum itself is the proof that there is no point within the bounds. */
#include "contact/unions/relax.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Entries of the tableau below `least_pivot` are too small to pivot on. Where all slopes are smaller than that, a sum
 * above `large_sum` proves that no point is within the bounds, unless it is 1e9 times further away. A smaller sum is
 * rounding, and the point is taken: the verifier sees it before anybody believes it. */
static const double least_pivot = 1e-9, large_sum = 1e-8;

void abuti_relax_layout(abuti_relax *relax, abuti_arena *arena, int rows)
{
    size_t n = (size_t)rows;
    relax->T = abuti_take(arena, n * n, double);
    relax->beta = abuti_take(arena, n, double);
    relax->basic = abuti_take(arena, n, int);
    relax->nonbasic = abuti_take(arena, n, int);
    relax->row = abuti_take(arena, 2 * n, int);
    relax->may_be = abuti_take(arena, 2 * n, unsigned char);
    relax->slope = abuti_take(arena, n, double);
    relax->side = abuti_take(arena, n, double);
}

void abuti_relax_start(abuti_relax *relax, int n, const double *B, const double *b)
{
    relax->n = n;
    relax->pivots = 0;
    memcpy(relax->T, B, (size_t)n * (size_t)n * sizeof(double));
    memcpy(relax->beta, b, (size_t)n * sizeof(double));
    for (int k = 0; k < n; ++k) {
        relax->nonbasic[k] = k;
        relax->basic[k] = n + k;
        relax->row[k] = -1;
        relax->row[n + k] = k;
    }
}

/* Basic variable of row r and nonbasic variable of column c change places. */
static void pivot(abuti_relax *t, int r, int c)
{
    size_t n = (size_t)t->n;
    double *at = t->T + (size_t)r * n, by = 1.0 / at[c];
    for (size_t j = 0; j < n; ++j) at[j] *= -by;
    at[c] = by;
    t->beta[r] *= -by;
    for (size_t i = 0; i < n; ++i) {
        double *row = t->T + i * n, factor = row[c];
        if (i == (size_t)r || factor == 0.0) continue;
        row[c] = 0.0;
        for (size_t j = 0; j < n; ++j) row[j] += factor * at[j];
        t->beta[i] += factor * t->beta[r];
    }
    int leaving = t->basic[r], entering = t->nonbasic[c];
    t->basic[r] = entering;
    t->nonbasic[c] = leaving;
    t->row[entering] = r;
    t->row[leaving] = -1;
    t->pivots++;
    t->total++;
}

void abuti_relax_refresh(abuti_relax *t, const double *B, const double *b)
{
    /* side marks the rows whose w stays basic, slope the columns whose z becomes basic. */
    int n = t->n, wanted = 0;
    for (int k = 0; k < n; ++k) {
        t->slope[k] = t->row[k] >= 0;
        t->side[k] = t->row[n + k] >= 0;
        wanted += t->row[k] >= 0;
    }
    abuti_relax_start(t, n, B, b);
    for (; wanted > 0; --wanted) {
        int r = -1, c = -1;
        double largest = 0.0;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n && t->side[i] == 0.0; ++j) {
                double size = t->slope[j] != 0.0 ? fabs(t->T[(size_t)i * (size_t)n + (size_t)j]) : 0.0;
                if (size <= largest) continue;
                largest = size;
                r = i;
                c = j;
            }
        }
        if (r < 0) return; /* the basis is singular to rounding: what was reached serves as well */
        t->side[r] = 1.0;
        t->slope[c] = 0.0;
        pivot(t, r, c);
    }
}

/* Finds which rows are outside their bounds, and returns by how much in all. */
static double infeasibility(abuti_relax *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->n; ++i) {
        unsigned char may = t->may_be[t->basic[i]];
        double x = t->beta[i];
        t->side[i] = x > t->tolerance && !(may & ABUTI_POSITIVE)    ? 1.0
                     : x < -t->tolerance && !(may & ABUTI_NEGATIVE) ? -1.0
                                                                    : 0.0;
        sum += t->side[i] * x;
    }
    return sum;
}

/* The column to enter, or -1; its slope is the fall of the sum. */
static int entering(abuti_relax *t, bool bland)
{
    size_t n = (size_t)t->n;
    double steepest = least_pivot;
    int best = -1;
    memset(t->slope, 0, n * sizeof(double));
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n && t->side[i] != 0.0; ++j) t->slope[j] += t->side[i] * t->T[i * n + j];
    }
    for (int j = 0; j < t->n; ++j) {
        unsigned char may = t->may_be[t->nonbasic[j]];
        double fall = t->slope[j] < 0.0 ? -t->slope[j] : t->slope[j];
        if (!(may & (t->slope[j] < 0.0 ? ABUTI_POSITIVE : ABUTI_NEGATIVE)) || !(fall > least_pivot)) continue;
        bool better = bland ? best < 0 || t->nonbasic[j] < t->nonbasic[best] : fall > steepest;
        if (!better) continue;
        best = j;
        steepest = fmax(steepest, fall);
    }
    return best;
}

/* How far column c may go until basic variable i stands at 0; infinite when it never does. */
static double reach(const abuti_relax *t, int i, double rate)
{
    unsigned char may = t->may_be[t->basic[i]];
    double x = t->beta[i];
    if (t->side[i] != 0.0) return rate * t->side[i] < 0.0 ? -x / rate : INFINITY;
    if (rate < 0.0 && !(may & ABUTI_NEGATIVE)) return fmax(x, 0.0) / -rate;
    if (rate > 0.0 && !(may & ABUTI_POSITIVE)) return fmax(-x, 0.0) / rate;
    return INFINITY;
}

/* The row that leaves: the first to reach 0; among those that are as near, the largest pivot (or, by Bland,
 * the lowest variable). */
static int leaving(const abuti_relax *t, int c, bool bland)
{
    double direction = t->slope[c] < 0.0 ? 1.0 : -1.0, nearest = INFINITY;
    size_t n = (size_t)t->n;
    for (int i = 0; i < t->n; ++i) {
        double rate = direction * t->T[(size_t)i * n + (size_t)c];
        if (fabs(rate) > least_pivot) nearest = fmin(nearest, reach(t, i, rate));
    }
    int best = -1;
    for (int i = 0; i < t->n; ++i) {
        double rate = direction * t->T[(size_t)i * n + (size_t)c];
        if (!(fabs(rate) > least_pivot)) continue;
        if (!(reach(t, i, rate) <= nearest + t->tolerance * (bland ? 0.0 : 1.0)) || nearest == INFINITY)
            continue;
        bool better = best < 0 || (bland ? t->basic[i] < t->basic[best]
                                         : fabs(rate) > fabs(t->T[(size_t)best * n + (size_t)c]));
        if (better) best = i;
    }
    return best;
}

abuti_relax_verdict abuti_relax_run(abuti_relax *t, int most)
{
    double least = DBL_MAX;
    int idle = 0;
    for (int k = 0; k <= most; ++k) {
        double sum = infeasibility(t);
        if (sum == 0.0) return ABUTI_FEASIBLE;
        idle = sum < least - t->tolerance ? 0 : idle + 1;
        least = fmin(least, sum);
        bool bland = idle > t->n;
        int c = entering(t, bland);
        if (c < 0) return sum > large_sum ? ABUTI_EMPTY : ABUTI_FEASIBLE;
        int r = leaving(t, c, bland);
        if (r < 0) return ABUTI_UNDECIDED; /* rounding: the sum falls without end, which it cannot */
        pivot(t, r, c);
    }
    return ABUTI_UNDECIDED;
}
