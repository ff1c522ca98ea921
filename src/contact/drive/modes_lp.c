/* The revised simplex method on a kept inverse (modes_lp.h). */
#include "contact/drive/modes_lp.h"
#include "base/clock.h"
#include "base/length.h"
#include "contact/system/system.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Numbers are of order one: rows of A have length one, and b is in units of its own size. */

/* Where the columns that may not be used carry together at most this, it is not worth going on. */
#define EXACT 1e-13
/* A column improves when its price exceeds this, relative to the largest price. */
#define IMPROVES 1e-11
/* A pivot is not rounding above this part of its column. */
#define PIVOT 1e-9
/* Ratios are compared as if each value were larger by this (Harris), so that the larger pivot can be chosen. */
#define SLACK 1e-12
/* A proof of infeasibility excludes all forces and accelerations whose sum is below this times |b|. */
#define PROOF_REACH 1e6
/* The inverse is made anew after so many pivots. */
enum { PIVOTS_BETWEEN = 50 };
/* After so many pivots that gain next to nothing, the rule that cannot cycle (Bland's) takes over. After so many
 * pivots in all, some times what the largest programs take, a program is left undecided. */
enum { STALLS_MAX = 24, PIVOTS_A_PROGRAM = 4000 };

enum { NONE = 0, UNIT, FORCE, MIDDLE, LIFT, SLIP };

void abuti_lp_layout(abuti_lp *lp, abuti_arena *arena)
{
    lp->A = abuti_take(arena, ABUTI_LP_ROWS * ABUTI_LP_ROWS, double);
    double **vectors[] = {&lp->b, &lp->x, &lp->cost, &lp->prices, &lp->column, &lp->rate};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
        *vectors[i] = abuti_take(arena, ABUTI_LP_ROWS, double);
    lp->corners = abuti_take(arena, 4 * ABUT_DIRECTIONS_MAX, double);
    abuti_inverse_layout(&lp->inverse, arena, ABUTI_LP_ROWS);
    abuti_lu_layout(&lp->lu, arena, ABUTI_LP_ROWS);
}

bool abuti_lp_is_late(const abuti_lp *lp)
{
    return abuti_clock_passed(lp->deadline);
}

void abuti_lp_polygon(abuti_lp *lp, int directions)
{
    double *side = lp->corners + 2 * ABUT_DIRECTIONS_MAX;
    for (int k = 0; k < directions; ++k) {
        const double *u = abuti_direction(directions, k),
                     *v = abuti_direction(directions, (k + 1) % directions);
        double x = u[0] + v[0], y = u[1] + v[1], length = abuti_length(x, y);
        memcpy(lp->corners + 2 * k, u, 2 * sizeof(double));
        side[2 * k] = x / length;
        side[2 * k + 1] = y / length;
    }
}

/* Corner or side k of a contact's polygon. In the plane both are +t and -t. */
static const double *direction_of(const abuti_lp *lp, const abuti_lp_contact *c, int k, bool side)
{
    static const double plane[4] = {1.0, 0.0, -1.0, 0.0};
    return c->tangents == 1 ? plane + 2 * k : lp->corners + 2 * (k + (side ? ABUT_DIRECTIONS_MAX : 0));
}

static const double *base_column(const abuti_lp *lp, int row)
{
    return lp->A + (size_t)row * ABUTI_LP_ROWS;
}

/* The factor s of the columns `force`. */
static double scale_of(const abuti_lp_contact *c)
{
    return 1.0 / fmax(1.0, c->mu);
}

static void write_column(const abuti_lp *lp, abuti_lp_column which, double *out)
{
    memset(out, 0, (size_t)abuti_padded(lp->rows) * sizeof(double));
    if (which.kind == UNIT) { /* of row `contact` */
        out[which.contact] = which.which;
        return;
    }
    const abuti_lp_contact *c = &lp->contact[which.contact];
    if (which.kind == LIFT) {
        out[c->at] = -1.0;
        return;
    }
    const double *u = c->tangents ? direction_of(lp, c, which.which, which.kind == SLIP) : NULL;
    if (which.kind == SLIP) {
        for (int t = 0; t < c->tangents; ++t) out[c->at + 1 + t] = u[t];
        return;
    }
    const double *normal = base_column(lp, c->at);
    double along = which.kind == MIDDLE ? 1.0 : scale_of(c),
           across = which.kind == MIDDLE ? 0.0 : c->mu * along;
    for (int i = 0; i < lp->rows; ++i) {
        out[i] = along * normal[i];
        for (int t = 0; t < c->tangents; ++t) out[i] += across * u[t] * normal[(1 + t) * ABUTI_LP_ROWS + i];
    }
}

/* Whether the axis of the cone may be used: it has one, and all edges may. */
static bool allows_middle(const abuti_lp_contact *c, const abuti_mode *mode)
{
    uint64_t all = c->directions >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << c->directions) - 1;
    return c->tangents > 0 && mode->forces == all;
}

static bool allowed(const abuti_lp *lp, const abuti_mode *mode, abuti_lp_column which)
{
    switch (which.kind) {
    case MIDDLE: return allows_middle(&lp->contact[which.contact], &mode[which.contact]);
    case FORCE: return mode[which.contact].forces >> which.which & 1u;
    case LIFT: return mode[which.contact].lift;
    case SLIP: return mode[which.contact].slips >> which.which & 1u;
    default: return false;
    }
}

/* ------------------------------------------------------------------------------------------------
 * The basis */

/* Takes one unit column a row, of the sign that makes its value positive, as the basis. */
static void take_units(abuti_lp *lp)
{
    lp->fresh = 0;
    abuti_lu_start(&lp->lu, lp->rows);
    for (int i = 0; i < lp->rows; ++i) {
        int sign = lp->b[i] > 0.0 ? -1 : 1;
        lp->basis[i] = (abuti_lp_column){UNIT, i, sign};
        lp->x[i] = fabs(lp->b[i]);
        abuti_lu_row(&lp->lu, i)[i] = sign;
    }
    if (abuti_lu_factor(&lp->lu)) abuti_inverse_rebuild(&lp->inverse, &lp->lu);
}

void abuti_lp_start(abuti_lp *lp)
{
    lp->size = fmax(1.0, lp->inverse.kernels->max_abs(lp->rows, lp->b));
    lp->pivots = 0;
    lp->ray.kind = NONE;
    take_units(lp);
}

/* Makes inverse and values anew from the columns; false when these have become dependent. */
static bool refresh(abuti_lp *lp)
{
    lp->fresh = 0;
    abuti_lu_start(&lp->lu, lp->rows);
    for (int k = 0; k < lp->rows; ++k) {
        write_column(lp, lp->basis[k], lp->column);
        for (int i = 0; i < lp->rows; ++i) abuti_lu_row(&lp->lu, i)[k] = lp->column[i];
    }
    if (!abuti_lu_factor(&lp->lu)) return false;
    abuti_inverse_rebuild(&lp->inverse, &lp->lu);
    for (int i = 0; i < abuti_padded(lp->rows); ++i) lp->column[i] = i < lp->rows ? -lp->b[i] : 0.0;
    abuti_inverse_solve(&lp->inverse, lp->column, lp->x);
    for (int k = 0; k < lp->rows; ++k) lp->x[k] = fmax(lp->x[k], 0.0);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Prices */

/* The best column so far. */
typedef struct offer {
    double gain;
    abuti_lp_column column;
    bool first; /* Bland: the first that improves is the best */
    double least;
} offer;

static void bid(offer *best, double gain, int kind, int contact, int which)
{
    if (!(gain > (best->first ? best->least : best->gain))) return;
    if (best->first && best->column.kind != NONE) return;
    best->gain = gain;
    best->column = (abuti_lp_column){kind, contact, which};
}

/* Prices all allowed columns of contact i: a price is `sign` prices . column, and one more for columns in `target`. */
static void price_contact(const abuti_lp *lp, int i, const abuti_mode *mode, double sign,
                          const abuti_mode *target, offer *best)
{
    const abuti_lp_contact *c = &lp->contact[i];
    const double *y = lp->prices;
    double base[3] = {0.0, 0.0, 0.0};
    for (int t = 0; t <= c->tangents && mode->forces; ++t)
        base[t] = sign * lp->inverse.kernels->dot(lp->rows, y, base_column(lp, c->at + t));
    if (allows_middle(c, mode)) bid(best, base[0] + (target && allows_middle(c, target)), MIDDLE, i, 0);
    if (mode->lift) bid(best, -sign * y[c->at] + (target && target->lift), LIFT, i, 0);
    double yx = c->tangents > 0 ? sign * y[c->at + 1] : 0.0, yy = c->tangents > 1 ? sign * y[c->at + 2] : 0.0;
    for (int k = 0; k < c->directions; ++k) {
        uint64_t bit = (uint64_t)1 << k;
        if (mode->forces & bit) {
            double gain = scale_of(c) * base[0];
            if (c->tangents > 0) {
                const double *u = direction_of(lp, c, k, false);
                gain += scale_of(c) * c->mu * (u[0] * base[1] + u[1] * base[2]);
            }
            bid(best, gain + (target && (target->forces & bit)), FORCE, i, k);
        }
        if (mode->slips & bit) {
            const double *u = direction_of(lp, c, k, true);
            bid(best, u[0] * yx + u[1] * yy + (target && (target->slips & bit)), SLIP, i, k);
        }
    }
}

/* prices = cost B^-1. */
static void find_prices(abuti_lp *lp)
{
    for (int k = lp->rows; k < abuti_padded(lp->rows); ++k) lp->cost[k] = 0.0;
    abuti_inverse_solve_transposed(&lp->inverse, lp->cost, lp->prices);
}

static double improves(const abuti_lp *lp)
{
    return IMPROVES * fmax(1.0, lp->inverse.kernels->max_abs(lp->rows, lp->prices));
}

abuti_mode abuti_lp_accused(const abuti_lp *lp, int i)
{
    const abuti_lp_contact *c = &lp->contact[i];
    abuti_mode out = {0};
    double least = improves(lp);
    for (int k = 0; k < c->directions; ++k) {
        abuti_mode one = {.forces = (uint64_t)1 << k};
        offer force = {.gain = least}, slip = {.gain = least};
        price_contact(lp, i, &one, 1.0, NULL, &force);
        if (force.column.kind != NONE) out.forces |= one.forces;
        if (c->tangents == 0) continue;
        one = (abuti_mode){.slips = (uint64_t)1 << k};
        price_contact(lp, i, &one, 1.0, NULL, &slip);
        if (slip.column.kind != NONE) out.slips |= one.slips;
    }
    out.lift = -lp->prices[c->at] > least;
    return out;
}

/* ------------------------------------------------------------------------------------------------
 * Pivots */

/* The place of a column in the order in which columns are offered; those of no contact come last. */
static int order_of(abuti_lp_column which)
{
    if (which.kind == UNIT) return INT_MAX;
    int within = which.kind == MIDDLE ? 0
                 : which.kind == LIFT ? 1
                                      : 2 + 2 * which.which + (which.kind == SLIP);
    return which.contact * (2 + 2 * ABUT_DIRECTIONS_MAX) + within;
}

/* Whether basic column k may not be used, and must stay at zero. */
static bool is_fixed(const abuti_lp *lp, const abuti_mode *mode, int k)
{
    return lp->x[k] <= ABUTI_LP_ZERO * lp->size && !allowed(lp, mode, lp->basis[k]);
}

/* The column that leaves when lp->rate enters: the largest pivot among the least ratios; -1: none. Where `fixed`,
 * columns that may not be used stay at zero. With `first` the earliest column leaves (Bland). */
static int find_leaving(const abuti_lp *lp, const abuti_mode *mode, bool fixed, bool first)
{
    double least = INFINITY, largest = 0.0;
    double floor = PIVOT * lp->inverse.kernels->max_abs(lp->rows, lp->rate);
    int leaving = -1;
    for (int k = 0; k < lp->rows; ++k) {
        double rate = lp->rate[k];
        if (fixed && fabs(rate) > floor && is_fixed(lp, mode, k)) {
            least = 0.0;
        } else if (rate > floor) {
            least = fmin(least, (lp->x[k] + (first ? 0.0 : SLACK)) / rate);
        }
    }
    for (int k = 0; k < lp->rows; ++k) {
        double rate = lp->rate[k];
        bool held = fixed && fabs(rate) > floor && is_fixed(lp, mode, k);
        if (!held && !(rate > floor && lp->x[k] <= least * rate)) continue;
        bool better = first ? leaving < 0 || order_of(lp->basis[k]) < order_of(lp->basis[leaving])
                            : fabs(rate) > largest;
        if (!better) continue;
        leaving = k;
        largest = fabs(rate);
    }
    return leaving;
}

/* Puts a column in the place of a basic one, and returns the step it makes. Negative: the basis has become singular. */
static double pivot(abuti_lp *lp, abuti_lp_column entering, int leaving)
{
    double step = fmax(lp->x[leaving] / lp->rate[leaving], 0.0);
    for (int k = 0; k < lp->rows; ++k) lp->x[k] = fmax(lp->x[k] - step * lp->rate[k], 0.0);
    lp->x[leaving] = step;
    lp->basis[leaving] = entering;
    abuti_inverse_replace_column(&lp->inverse, leaving, lp->rate);
    lp->pivots++;
    return ++lp->fresh < PIVOTS_BETWEEN || refresh(lp) ? step : -1.0;
}

static void find_rate(abuti_lp *lp, abuti_lp_column entering)
{
    write_column(lp, entering, lp->column);
    abuti_inverse_solve(&lp->inverse, lp->column, lp->rate);
}

/* How much the columns that may not be used carry together. */
static double misplaced(abuti_lp *lp, const abuti_mode *mode)
{
    double sum = 0.0;
    for (int k = 0; k < lp->rows; ++k) {
        lp->cost[k] = allowed(lp, mode, lp->basis[k]) ? 0.0 : 1.0;
        sum += lp->cost[k] * lp->x[k];
    }
    return sum;
}

static offer best_offer(const abuti_lp *lp, const abuti_mode *mode, int target_contact,
                        const abuti_mode *target, bool first)
{
    double least = improves(lp);
    offer best = {.gain = least, .least = least, .first = first};
    for (int i = 0; i < lp->contacts; ++i)
        price_contact(lp, i, &mode[i], target ? -1.0 : 1.0, i == target_contact ? target : NULL, &best);
    return best;
}

/* The largest price of an allowed column, which a proof would have at zero. */
static double proof_error(const abuti_lp *lp, const abuti_mode *mode)
{
    offer worst = {.gain = 0.0};
    for (int i = 0; i < lp->contacts; ++i) price_contact(lp, i, &mode[i], 1.0, NULL, &worst);
    return worst.gain;
}

/* Whether the values still solve sum of column * x = -b: pivots wear the inverse out. */
static bool holds(abuti_lp *lp)
{
    double largest = lp->inverse.kernels->max_abs(lp->rows, lp->x), sum[ABUTI_LP_ROWS] = {0.0};
    memcpy(sum, lp->b, (size_t)lp->rows * sizeof(double));
    for (int k = 0; k < lp->rows; ++k) {
        if (lp->x[k] == 0.0) continue;
        write_column(lp, lp->basis[k], lp->column);
        for (int i = 0; i < lp->rows; ++i) sum[i] += lp->x[k] * lp->column[i];
    }
    return lp->inverse.kernels->max_abs(lp->rows, sum) <= ABUTI_LP_ZERO * lp->size + EXACT * largest;
}

/* A worn-out inverse is made anew, once; then, or where the basis has become singular, everything begins
 * anew, once. */
typedef struct renewal {
    bool refreshed, restarted;
} renewal;

static bool renew(abuti_lp *lp, renewal *done)
{
    if (lp->fresh > 0 && !done->refreshed) {
        done->refreshed = true;
        if (refresh(lp)) return true;
    }
    if (done->restarted) return false;
    done->restarted = true;
    take_units(lp);
    return true;
}

abuti_lp_verdict abuti_lp_find(abuti_lp *lp, const abuti_mode *mode)
{
    renewal done = {false, false};
    int last = lp->pivots + PIVOTS_A_PROGRAM;
    lp->ray.kind = NONE;
    for (int stalls = 0; lp->pivots < lp->pivots_max && lp->pivots < last && !abuti_lp_is_late(lp);) {
        double left = misplaced(lp, mode);
        if (left <= EXACT * lp->size) {
            if (holds(lp)) return ABUTI_LP_FEASIBLE;
            if (renew(lp, &done)) continue;
            return ABUTI_LP_UNDECIDED;
        }
        find_prices(lp);
        offer best = best_offer(lp, mode, -1, NULL, stalls > STALLS_MAX);
        int leaving = -1;
        if (best.column.kind != NONE) {
            find_rate(lp, best.column);
            leaving = find_leaving(lp, mode, false, best.first);
        }
        if (leaving < 0) { /* nothing improves, or without end; believed unless the inverse is worn out */
            bool worn = lp->fresh > 0 && !done.refreshed;
            if ((worn || best.column.kind != NONE) && renew(lp, &done)) continue;
            if (left <= ABUTI_LP_ZERO * lp->size && holds(lp)) return ABUTI_LP_FEASIBLE;
            bool proven = left > PROOF_REACH * lp->size * proof_error(lp, mode);
            return proven ? ABUTI_LP_INFEASIBLE : ABUTI_LP_UNDECIDED;
        }
        double step = pivot(lp, best.column, leaving);
        if (step < 0.0 && !renew(lp, &done)) return ABUTI_LP_UNDECIDED;
        stalls = step * best.gain > EXACT * lp->size ? 0 : stalls + 1;
    }
    return ABUTI_LP_UNDECIDED;
}

/* Whether the point can be believed, or cannot be made better; else it is looked at once more, on an inverse
 * made anew. */
static bool is_last_word(abuti_lp *lp)
{
    if (holds(lp)) return true;
    lp->cut_short = !(lp->fresh > 0 && refresh(lp));
    return lp->cut_short;
}

double abuti_lp_maximise(abuti_lp *lp, const abuti_mode *mode, int i, const abuti_mode *target, double enough)
{
    abuti_mode only[ABUTI_LP_CONTACTS] = {{0}};
    only[i] = *target;
    int last = lp->pivots + PIVOTS_A_PROGRAM;
    lp->ray.kind = NONE;
    for (int stalls = 0;;) {
        double value = 0.0;
        for (int k = 0; k < lp->rows; ++k) {
            lp->cost[k] = allowed(lp, only, lp->basis[k]) ? 1.0 : 0.0;
            value += lp->cost[k] * lp->x[k];
        }
        lp->cut_short = lp->pivots >= lp->pivots_max || lp->pivots >= last || abuti_lp_is_late(lp);
        if (lp->cut_short) return value;
        find_prices(lp);
        offer best = best_offer(lp, mode, i, target, stalls > STALLS_MAX);
        if (value >= enough || best.column.kind == NONE) {
            if (is_last_word(lp)) return value;
            continue;
        }
        find_rate(lp, best.column);
        int leaving = find_leaving(lp, mode, true, best.first);
        if (leaving < 0) {
            if (lp->fresh > 0 && refresh(lp)) continue; /* the direction must be as good as can be */
            lp->ray = best.column;
            return INFINITY;
        }
        double step = pivot(lp, best.column, leaving);
        if (step < 0.0) {
            lp->cut_short = true; /* the basis has become singular */
            return value;
        }
        stalls = step * best.gain > EXACT * lp->size ? 0 : stalls + 1;
    }
}

static void add_force(const abuti_lp *lp, abuti_lp_column which, double x, double *f)
{
    if (which.kind != FORCE && which.kind != MIDDLE) return;
    const abuti_lp_contact *c = &lp->contact[which.contact];
    if (which.kind == FORCE) x *= scale_of(c);
    f[c->at] += x;
    if (c->tangents == 0 || which.kind == MIDDLE) return;
    const double *u = direction_of(lp, c, which.which, false);
    for (int t = 0; t < c->tangents; ++t) f[c->at + 1 + t] += c->mu * u[t] * x;
}

void abuti_lp_forces(const abuti_lp *lp, double *f)
{
    memset(f, 0, (size_t)lp->rows * sizeof(double));
    /* Goes along a ray so far that no value changes by more than one: what counts as no rate then stays small. */
    double far = 0.0;
    if (lp->ray.kind != NONE) far = 1.0 / fmax(1.0, lp->inverse.kernels->max_abs(lp->rows, lp->rate));
    for (int k = 0; k < lp->rows; ++k)
        add_force(lp, lp->basis[k], fmax(lp->x[k] - far * lp->rate[k], 0.0), f);
    if (far > 0.0) add_force(lp, lp->ray, far, f);
}
