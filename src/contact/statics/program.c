/* The revised simplex method on round cones (program.h). Numbers are of order one after scaling. */
#include "contact/statics/program.h"
#include "base/length.h"
#include <math.h>
#include <string.h>

/* Loads are moved by this much, each equation by another amount, so that ratios do not tie. */
#define NUDGE 1e-12
/* The most that the equations' unit columns may carry at a point: some nudges, and rounding. */
#define HELD 1e-9
/* A column that gains less than this, relative to the largest price, does not improve. The gap to the best
 * direction closes as its square. */
#define IMPROVES 1e-10
/* A rate below this part of the largest is rounding. */
#define PIVOT 1e-9
/* Among ratios that differ by less, the largest pivot is taken. */
#define TIE 1e-12
/* Forces that balance each other raise a normal force without end if they gain more than this part of the largest
 * price. */
#define ENDLESS 1e-9
/* A proof that there are no forces excludes all forces whose sum is below so many loads. */
#define PROOF_REACH 1e4
/* A result is told if it is known to this part of the load. */
#define GAP 1e-6
/* Forces beyond this many loads count as unbounded: a direction that opens only in the limit. */
#define FAR 1e9

enum { PIVOTS_BETWEEN = 40, PIVOTS_A_ROW = 60, PIVOTS_AT_LEAST = 2000 };

size_t abuti_statics_program_size(int rows, int contacts, int joints)
{
    size_t m = (size_t)rows, vectors = 3 * (size_t)contacts + (size_t)joints;
    return m * vectors + (size_t)contacts + m * m + 6 * m +
           2 * m * (sizeof(abuti_statics_column) / sizeof(double));
}

static double *take(double **scratch, size_t count)
{
    double *out = *scratch;
    *scratch += count;
    return out;
}

abuti_statics_program abuti_statics_program_make(int rows, int contacts, int joints, double *scratch)
{
    abuti_statics_program p = {.rows = rows, .contacts = contacts, .joints = joints, .share = 1.0};
    size_t m = (size_t)rows;
    memset(scratch, 0, abuti_statics_program_size(rows, contacts, joints) * sizeof(double));
    p.columns = take(&scratch, m * (3 * (size_t)contacts + (size_t)joints));
    p.mu = take(&scratch, (size_t)contacts);
    p.inverse = take(&scratch, m * m);
    double **vectors[] = {&p.load, &p.x, &p.cost, &p.prices, &p.column, &p.rate};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) *vectors[i] = take(&scratch, m);
    p.basis = (abuti_statics_column *)take(&scratch, m * (sizeof *p.basis / sizeof(double)));
    p.copy = (abuti_statics_column *)take(&scratch, m * (sizeof *p.basis / sizeof(double)));
    return p;
}

static double *vector_of(const abuti_statics_program *p, int k)
{
    return p->columns + (size_t)k * (size_t)p->rows;
}

/* Divides equations by their largest coefficient, then all loads by the largest load. */
void abuti_statics_program_scale(abuti_statics_program *p)
{
    int vectors = 3 * p->contacts + p->joints;
    p->unit = 0.0;
    for (int r = 0; r < p->rows; ++r) {
        double largest = 0.0;
        for (int k = 0; k < vectors; ++k) largest = fmax(largest, fabs(vector_of(p, k)[r]));
        for (int k = 0; k < vectors && largest > 0.0; ++k) vector_of(p, k)[r] /= largest;
        if (largest > 0.0) p->load[r] /= largest;
        p->unit = fmax(p->unit, fabs(p->load[r]));
    }
    for (int r = 0; r < p->rows && p->unit > 0.0; ++r) p->load[r] /= p->unit;
}

/* ------------------------------------------------------------------------------------------------
 * The basis */

/* Writes the column of a contact or a joint row. */
static void write_column(const abuti_statics_program *p, const abuti_statics_column *which, double *out)
{
    size_t m = (size_t)p->rows;
    int owner = (int)which->owner;
    if (owner >= p->contacts) {
        const double *joint = vector_of(p, 2 * p->contacts + owner);
        for (size_t r = 0; r < m; ++r) out[r] = which->along * joint[r];
        return;
    }
    const double *n = vector_of(p, 3 * owner), *x = n + m, *y = x + m;
    double cone = p->share * p->mu[owner];
    for (size_t r = 0; r < m; ++r) out[r] = n[r] + cone * (which->c * x[r] + which->s * y[r]);
}

static double nudged(const abuti_statics_program *p, int r)
{
    double golden = 0.6180339887498949 * (r + 1), spread = 1.0 + (golden - floor(golden));
    return p->load[r] < 0.0 ? p->load[r] - NUDGE * spread : p->load[r] + NUDGE * spread;
}

static void take_units(abuti_statics_program *p)
{
    size_t m = (size_t)p->rows;
    memset(p->inverse, 0, m * m * sizeof(double));
    for (size_t r = 0; r < m; ++r) {
        double load = nudged(p, (int)r), sign = load < 0.0 ? -1.0 : 1.0;
        p->basis[r] = (abuti_statics_column){.owner = -1.0, .along = sign};
        p->x[r] = fabs(load);
        p->inverse[r * m + r] = sign;
    }
    p->fresh = 0;
}

/* The column whose rate stands in p->rate takes the place of basic column `at`. */
static void replace(abuti_statics_program *p, int at)
{
    size_t m = (size_t)p->rows;
    double *pivot_row = p->inverse + (size_t)at * m;
    for (size_t c = 0; c < m; ++c) pivot_row[c] /= p->rate[at];
    for (size_t r = 0; r < m; ++r) {
        if ((int)r == at || p->rate[r] == 0.0) continue;
        double by = p->rate[r], *row = p->inverse + r * m;
        for (size_t c = 0; c < m; ++c) row[c] -= by * pivot_row[c];
    }
}

static void find_rate(abuti_statics_program *p)
{
    size_t m = (size_t)p->rows;
    for (size_t r = 0; r < m; ++r) {
        double sum = 0.0;
        for (size_t c = 0; c < m; ++c) sum += p->inverse[r * m + c] * p->column[c];
        p->rate[r] = sum;
    }
}

/* Makes the inverse anew. Starting from unit columns, the columns of the basis enter one by one, each where its rate is
 * largest among the places that no unit of the basis keeps. Then the values follow. */
static bool refresh(abuti_statics_program *p)
{
    size_t m = (size_t)p->rows;
    memcpy(p->copy, p->basis, m * sizeof *p->basis);
    take_units(p);
    for (size_t k = 0; k < m; ++k) p->cost[k] = p->copy[k].owner < 0.0; /* taken, or kept */
    for (size_t k = 0; k < m; ++k) {
        if (p->copy[k].owner < 0.0) continue;
        write_column(p, &p->copy[k], p->column);
        find_rate(p);
        int at = -1;
        for (int r = 0; r < p->rows; ++r)
            if (p->cost[r] == 0.0 && (at < 0 || fabs(p->rate[r]) > fabs(p->rate[at]))) at = r;
        if (at < 0 || !(fabs(p->rate[at]) > PIVOT * PIVOT)) return false;
        replace(p, at);
        p->cost[at] = 1.0;
        p->basis[at] = p->copy[k];
    }
    for (size_t r = 0; r < m; ++r) p->column[r] = nudged(p, (int)r);
    find_rate(p);
    for (size_t r = 0; r < m; ++r) p->x[r] = fmax(p->rate[r], 0.0);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Pivots */

static double along(const abuti_statics_program *p, int vector)
{
    const double *column = vector_of(p, vector);
    double sum = 0.0;
    for (int r = 0; r < p->rows; ++r) sum += p->prices[r] * column[r];
    return sum;
}

static void find_prices(abuti_statics_program *p)
{
    size_t m = (size_t)p->rows;
    memset(p->prices, 0, m * sizeof(double));
    for (size_t r = 0; r < m; ++r)
        for (size_t c = 0; c < m && p->cost[r] != 0.0; ++c)
            p->prices[c] += p->cost[r] * p->inverse[r * m + c];
}

/* What is maximised: `sign` times the normal force of `contact`, or, with contact -1, minus what the units
 * carry. */
typedef struct goal {
    int contact;
    double sign;
} goal;

static double cost_of(const goal *g, const abuti_statics_column *which)
{
    if (g->contact < 0) return which->owner < 0.0 ? -1.0 : 0.0;
    return which->owner == g->contact ? g->sign : 0.0;
}

static double largest_price(const abuti_statics_program *p)
{
    double largest = 1.0;
    for (int r = 0; r < p->rows; ++r) largest = fmax(largest, fabs(p->prices[r]));
    return largest;
}

/* The column that gains most, and its gain; 0: none gains. */
static double find_entering(const abuti_statics_program *p, const goal *g, abuti_statics_column *out)
{
    double best = IMPROVES * largest_price(p);
    bool found = false;
    for (int i = 0; i < p->contacts; ++i) {
        double x = 0.0, y = 0.0, size = 0.0, cone = p->share * p->mu[i];
        if (cone > 0.0) {
            x = -along(p, 3 * i + 1);
            y = -along(p, 3 * i + 2);
            size = abuti_length(x, y);
        }
        double own = i == g->contact ? g->sign : 0.0, gain = own - along(p, 3 * i) + cone * size;
        if (!(gain > best)) continue;
        best = gain;
        found = true;
        *out = (abuti_statics_column){i, 1.0, size > 0.0 ? x / size : 0.0, size > 0.0 ? y / size : 0.0};
    }
    for (int j = 0; j < p->joints; ++j) {
        double gain = -along(p, 3 * p->contacts + j);
        if (!(fabs(gain) > best)) continue;
        best = fabs(gain);
        found = true;
        *out = (abuti_statics_column){p->contacts + j, gain > 0.0 ? 1.0 : -1.0, 0.0, 0.0};
    }
    return found ? best : 0.0;
}

/* Which column leaves when p->rate enters; -1: none. With `hold` units stay at zero, so they leave at any rate. */
static int find_leaving(const abuti_statics_program *p, bool hold)
{
    double largest = 0.0, least = INFINITY, pivot = 0.0;
    int leaving = -1;
    for (int r = 0; r < p->rows; ++r) largest = fmax(largest, fabs(p->rate[r]));
    for (int pass = 0; pass < 2; ++pass) {
        for (int r = 0; r < p->rows; ++r) {
            double rate = p->rate[r];
            bool held = hold && p->basis[r].owner < 0.0 && fabs(rate) > PIVOT * largest;
            if (!held && !(rate > PIVOT * largest)) continue;
            double ratio = held ? 0.0 : p->x[r] / rate;
            if (pass == 0) {
                least = fmin(least, ratio + (held ? 0.0 : TIE / rate));
            } else if (ratio <= least && fabs(rate) > pivot) {
                pivot = fabs(rate);
                leaving = r;
            }
        }
    }
    return leaving;
}

/* How it ends when no column gains more than `gain`. The best of all points is then better by at most that gain for
 * each unit of force in it. Where prices are so large that this is not small (the cones leave next to no room), the
 * best value is not known. */
static abuti_statics_end end_at(const abuti_statics_program *p, const goal *g, double gain)
{
    double sum = 1.0;
    for (int r = 0; r < p->rows; ++r) sum += p->x[r];
    return g->contact < 0 || gain * sum <= GAP ? ABUTI_STATICS_FOUND : ABUTI_STATICS_OPEN;
}

static abuti_statics_end maximise(abuti_statics_program *p, goal g)
{
    int pivots = PIVOTS_AT_LEAST + PIVOTS_A_ROW * p->rows;
    for (bool looked_again = false; pivots > 0; --pivots) {
        for (int r = 0; r < p->rows; ++r) p->cost[r] = cost_of(&g, &p->basis[r]);
        find_prices(p);
        abuti_statics_column entering;
        double gain = find_entering(p, &g, &entering);
        if (gain == 0.0) {
            if (looked_again || p->fresh == 0 || !refresh(p))
                return end_at(p, &g, IMPROVES * largest_price(p));
            looked_again = true;
            continue;
        }
        write_column(p, &entering, p->column);
        find_rate(p);
        int leaving = find_leaving(p, g.contact >= 0);
        double step = leaving < 0 ? INFINITY : fmax(p->x[leaving] / p->rate[leaving], 0.0);
        if (leaving < 0 ||
            (g.contact >= 0 &&
             step > FAR)) { /* along forces that balance each other; does that gain, or is it rounding? */
            bool gains = g.sign > 0.0 && gain > ENDLESS * largest_price(p);
            return gains ? ABUTI_STATICS_UNBOUNDED : end_at(p, &g, gain);
        }
        for (int r = 0; r < p->rows; ++r) p->x[r] = fmax(p->x[r] - step * p->rate[r], 0.0);
        replace(p, leaving);
        p->x[leaving] = step;
        p->basis[leaving] = entering;
        if (++p->fresh >= PIVOTS_BETWEEN && !refresh(p)) return ABUTI_STATICS_OPEN;
    }
    return ABUTI_STATICS_OPEN;
}

static double units_carry(const abuti_statics_program *p)
{
    double sum = 0.0;
    for (int r = 0; r < p->rows; ++r)
        if (p->basis[r].owner < 0.0) sum += p->x[r];
    return sum;
}

abuti_statics_end abuti_statics_feasible(abuti_statics_program *p)
{
    take_units(p);
    (void)maximise(p, (goal){-1, 0.0});
    double carried = units_carry(p);
    if (carried <= HELD) return ABUTI_STATICS_FOUND;
    abuti_statics_column any;
    for (int r = 0; r < p->rows; ++r) p->cost[r] = p->basis[r].owner < 0.0 ? -1.0 : 0.0;
    find_prices(p);
    double gain = fmax(find_entering(p, &(goal){-1, 0.0}, &any), IMPROVES * largest_price(p));
    return carried > PROOF_REACH * gain ? ABUTI_STATICS_NONE : ABUTI_STATICS_OPEN;
}

/* The prices prove that there are no forces as long as no column gains: along(N) >= share mu |along(X, Y)|. */
double abuti_statics_next_share(const abuti_statics_program *p)
{
    double next = INFINITY;
    for (int i = 0; i < p->contacts; ++i) {
        double size = abuti_length(along(p, 3 * i + 1), along(p, 3 * i + 2)), cone = p->mu[i] * size;
        if (cone > IMPROVES) next = fmin(next, along(p, 3 * i) / cone);
    }
    return next;
}

abuti_statics_end abuti_statics_extreme(abuti_statics_program *p, int contact, double sign, double *force)
{
    abuti_statics_end end = maximise(p, (goal){contact, sign});
    *force = 0.0;
    for (int r = 0; r < p->rows; ++r)
        if (p->basis[r].owner == contact) *force += p->unit * p->x[r];
    if (end == ABUTI_STATICS_UNBOUNDED) *force = INFINITY;
    return end;
}
