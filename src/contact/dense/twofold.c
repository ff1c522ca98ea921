/* Lemke's method on the LCP of eq. (8) in twice the digits, for bodies whose moments of inertia lie far apart.
 *
 * The contacts of a needle see mostly its spin: its other motions are a small part of their rows. The LCP's matrix,
 * which consists of products of rows, keeps only the square of that part. With moments 1e10 apart six digits of sixteen
 * are left to tell one basis from another, and every path in doubles is lost. There is an answer all the same, whose
 * impulses are of ordinary size. So here the products, and everything after them, are sums of two doubles
 * (Dekker 1971); the answer is rounded at the end, and the verifier decides about it as ever.
 *
 * The tableau holds the basic variables as rhs + T nonbasic, in place, without unit columns. Ties are broken by a
 * second right-hand side, an infinitely small multiple of which is added to the first: one level of the lexicographic
 * rule, with numbers without order in the place of the unit matrix. It costs n^2 a pivot in slow arithmetic, and is
 * asked last. */
#include "base/clock.h"
#include "contact/dense/lcp.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* The largest number of rows: with so many the tableau takes a megabyte, and a pivot about a millisecond. */
enum {
    TWOFOLD_ROWS = 256,
    TWOFOLD_ONE = 160 /* of one body, where the limits do not name the solver */
};
/* Covering vectors that are tried. */
enum { COVERS = 3 };
/* Columns of one body, in the norm of its mass matrix, that lie further apart than this make it stiff: with moments
 * 1e6 apart doubles are left with ten digits. */
static const double stiff_ratio = 1e3;
/* Ratios that differ by less than this part are equal. */
static const double rounding = 1e-20;
/* Entries that are smaller than this part of the largest of their column count as zero. */
static const double least_pivot = 1e-17;

typedef struct twofold {
    double hi, lo;
} twofold;

typedef struct scratch {
    abuti_dense dense; /* numbers of the variables, rows, */
    int width;         /* which have so many numbers at most */
    twofold *T;        /* n x (n + 3): columns of the nonbasic variables, right-hand side, what breaks ties */
    int *basic, *nonbasic; /* variables: w_i is i, z_i is n + i, z0 is 2 n */
    double *z, *w;
} scratch;

/* ------------------------------------------------------------------------------------------------
 * Arithmetic */

static twofold quick_sum(double a, double b)
{
    double sum = a + b;
    return (twofold){sum, b - (sum - a)};
}

static twofold sum_of(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (twofold){sum, (a - (sum - part)) + (b - part)};
}

static twofold product_of(double a, double b)
{
    static const double splitter = 134217729.0; /* 2^27 + 1 */
    double p = a * b, x = splitter * a, y = splitter * b;
    double a_hi = x - (x - a), a_lo = a - a_hi, b_hi = y - (y - b), b_lo = b - b_hi;
    return (twofold){p, ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

static twofold add(twofold a, twofold b)
{
    twofold s = sum_of(a.hi, b.hi), t = sum_of(a.lo, b.lo);
    s = quick_sum(s.hi, s.lo + t.hi);
    return quick_sum(s.hi, s.lo + t.lo);
}

static twofold times(twofold a, twofold b)
{
    twofold p = product_of(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static twofold minus(twofold a)
{
    return (twofold){-a.hi, -a.lo};
}

/* The quotient, found in three digits, each as wide as a double. */
static twofold over(twofold a, twofold b)
{
    double first = a.hi / b.hi;
    twofold rest = add(a, minus(times((twofold){first, 0.0}, b)));
    double second = rest.hi / b.hi;
    rest = add(rest, minus(times((twofold){second, 0.0}, b)));
    return add(quick_sum(first, second), (twofold){rest.hi / b.hi, 0.0});
}

/* ------------------------------------------------------------------------------------------------
 * The tableau */

static void *layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    int directions = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    long long wanted = (long long)limits->contacts * (2 + directions);
    bool named = limits->solvers & 1u << ABUT_SOLVER_LEMKE;
    int most = limits->bodies > 1 || named ? TWOFOLD_ROWS : TWOFOLD_ONE;
    size_t n = (size_t)(wanted < most ? wanted : most);
    size_t contacts = (size_t)limits->contacts < n ? (size_t)limits->contacts : n;
    /* An island has at most one body more than contacts. */
    int bodies = limits->bodies <= (int)contacts ? limits->bodies : (int)contacts + 1;
    int width = abuti_padded(6 * bodies);
    if (abuti_padded(limits->nv) > width) width = abuti_padded(limits->nv);
    scratch *taken = abuti_take(arena, 1, scratch), counting, *at = taken ? taken : &counting;
    at->dense = (abuti_dense){.capacity = (int)n};
    at->width = width;
    at->dense.phi = abuti_take(arena, contacts, int);
    at->dense.lambda = abuti_take(arena, contacts, int);
    at->dense.block = abuti_take(arena, 3 * contacts * (size_t)width, double);
    at->T = abuti_take(arena, n * (n + 3), twofold);
    at->basic = abuti_take(arena, n, int);
    at->nonbasic = abuti_take(arena, n + 1, int);
    at->z = abuti_take(arena, n, double);
    at->w = abuti_take(arena, n, double);
    return taken;
}

static twofold *row_of(const scratch *t, int n, int row)
{
    return t->T + (size_t)row * (size_t)(n + 3);
}

static twofold row_product(const double *a, const double *b, int count)
{
    twofold sum = {0.0, 0.0};
    for (int c = 0; c < count; ++c)
        if (a[c] != 0.0 && b[c] != 0.0) sum = add(sum, product_of(a[c], b[c]));
    return sum;
}

/* Adds value * by * other to *at. */
static void add_times(twofold *at, twofold value, double by, double other)
{
    *at = add(*at, times(times(value, (twofold){by, 0.0}), (twofold){other, 0.0}));
}

/* Forms the rows of w = q + M z that are velocities. */
static void form_velocities(const abuti_system *s, scratch *t, int n)
{
    int rows = 3 * s->n, width = abuti_padded(s->bodies * s->dim);
    abuti_dense_spread from, to;
    for (int a = 0; a < rows; ++a) {
        const double *row = t->dense.block + (size_t)a * (size_t)width;
        abuti_dense_spread_of(s, &t->dense, a, &from);
        if (from.count == 0) continue;
        twofold q = {s->offset[a % 3][a / 3], 0.0};
        for (int b = 0; b < s->bodies; ++b)
            q = add(q, row_product(row + (size_t)b * (size_t)s->dim, s->k + (size_t)b * (size_t)s->stride,
                                   s->dim));
        for (int i = 0; i < from.count; ++i) add_times(row_of(t, n, from.at[i]) + n + 1, q, from.by[i], 1.0);
        for (int b = 0; b < rows; ++b) {
            abuti_dense_spread_of(s, &t->dense, b, &to);
            if (to.count == 0) continue;
            twofold value = row_product(row, t->dense.block + (size_t)b * (size_t)width, width);
            if (value.hi == 0.0) continue;
            for (int i = 0; i < from.count; ++i)
                for (int j = 0; j < to.count; ++j)
                    add_times(row_of(t, n, from.at[i]) + to.at[j], value, from.by[i], to.by[j]);
        }
    }
}

/* A scattered number in [1, 2), from multiples of the golden section; `which` names one of several sequences. */
static double scattered(int i, int which)
{
    double x = (double)(i + 1) * (0.6180339887498949 + 0.1234567891234567 * which);
    return 1.0 + (x - floor(x));
}

/* Forms the tableau of w = q + M z + cover z0. */
static void form(const abuti_system *s, scratch *t, int n, int cover)
{
    memset(t->T, 0, (size_t)n * (size_t)(n + 3) * sizeof *t->T);
    form_velocities(s, t, n);
    for (int i = 0; i < s->n; ++i) {
        int phi = t->dense.phi[i], lambda = t->dense.lambda[i];
        if (phi < 0) continue;
        row_of(t, n, lambda)[i].hi = s->mu[i];
        for (int j = 0; j < s->directions[i]; ++j) {
            row_of(t, n, lambda)[phi + j].hi = -1.0;
            row_of(t, n, phi + j)[lambda].hi = 1.0;
        }
    }
    for (int i = 0; i < n; ++i) {
        t->basic[i] = i;
        t->nonbasic[i] = n + i;
        row_of(t, n, i)[n].hi = cover == 0 ? 1.0 : scattered(i, cover);
        row_of(t, n, i)[n + 2].hi = scattered(i, 7);
    }
    t->nonbasic[n] = 2 * n;
}

/* The basic variable of row r and the nonbasic one of column c change places. */
static void pivot(scratch *t, int n, int r, int c)
{
    twofold *at = row_of(t, n, r), by = over((twofold){1.0, 0.0}, at[c]);
    at[c] = (twofold){-1.0, 0.0};
    for (int j = 0; j < n + 3; ++j) at[j] = minus(times(at[j], by));
    for (int i = 0; i < n; ++i) {
        twofold *row = row_of(t, n, i), factor = row[c];
        if (i == r || factor.hi == 0.0) continue;
        row[c] = (twofold){0.0, 0.0};
        for (int j = 0; j < n + 3; ++j)
            if (at[j].hi != 0.0) row[j] = add(row[j], times(factor, at[j]));
    }
    int leaving = t->basic[r];
    t->basic[r] = t->nonbasic[c];
    t->nonbasic[c] = leaving;
}

/* ------------------------------------------------------------------------------------------------
 * The path */

/* Whether row a ends the way before row b does: by the right-hand side, then by what breaks ties. */
static bool ends_before(const scratch *t, int n, int a, int b, int c)
{
    const twofold *x = row_of(t, n, a), *y = row_of(t, n, b);
    twofold mine = over(x[n + 1], minus(x[c])), other = over(y[n + 1], minus(y[c]));
    double apart = add(mine, minus(other)).hi;
    if (fabs(apart) > rounding * (1.0 + fabs(other.hi))) return apart < 0.0;
    if (t->basic[a] == 2 * n || t->basic[b] == 2 * n) return t->basic[a] == 2 * n;
    return x[n + 2].hi / -x[c].hi < y[n + 2].hi / -y[c].hi;
}

/* The row that leaves for column c; -1: none, a ray. */
static int leaving_row(const scratch *t, int n, int c)
{
    int best = -1;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(row_of(t, n, i)[c].hi));
    for (int i = 0; i < n; ++i)
        if (row_of(t, n, i)[c].hi < -least_pivot * largest && (best < 0 || ends_before(t, n, i, best, c)))
            best = i;
    return best;
}

/* The row that z0 lifts to zero last: the most negative one, and of several the one whose tie-breaking number is least.
 * -1: none is negative. */
static int first_row(const scratch *t, int n)
{
    int best = -1;
    for (int i = 0; i < n; ++i) {
        const twofold *x = row_of(t, n, i);
        if (!(x[n + 1].hi < 0.0)) continue;
        if (best < 0) best = i;
        const twofold *y = row_of(t, n, best);
        double apart = add(over(x[n + 1], x[n]), minus(over(y[n + 1], y[n]))).hi;
        bool tie = fabs(apart) <= rounding * (1.0 + fabs(y[n + 1].hi));
        if (tie ? x[n + 2].hi / x[n].hi < y[n + 2].hi / y[n].hi : apart < 0.0) best = i;
    }
    return best;
}

static int column_of(const scratch *t, int n, int variable)
{
    int c = 0;
    while (c <= n && t->nonbasic[c] != variable) ++c;
    return c;
}

static abut_outcome walk(scratch *t, int n, const abuti_stage_context *context, abuti_answer *answer)
{
    int most = 20 * n + 50;
    if (context->pivots_left - answer->pivots < most) most = context->pivots_left - answer->pivots;
    int row = first_row(t, n), column = n;
    for (int k = 0; row >= 0; ++k) {
        if (k >= most || abuti_clock_passed(context->deadline)) return ABUT_LIMIT;
        int leaving = t->basic[row];
        pivot(t, n, row, column);
        answer->pivots++;
        if (leaving == 2 * n) break;
        column = column_of(t, n, leaving < n ? leaving + n : leaving - n);
        row = leaving_row(t, n, column);
        if (row < 0) return ABUT_RAY;
    }
    return ABUT_SOLVED;
}

/* ------------------------------------------------------------------------------------------------
 * The stage */

/* The largest entry of column c of a body. */
static double column_size(const abuti_system *s, int body, int c)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < s->sides; ++side)
            for (int i = 0; i < s->n; ++i)
                if (s->body[side][i] == body) largest = fmax(largest, fabs(abuti_row(s, axis, side, c)[i]));
    return largest;
}

/* Whether some body's columns lie far apart. A free body whose contacts lie in one line with its centre hardly turns
 * about that line, whatever its moments are. So of its angular columns only the largest, compared with the linear ones,
 * tells of moments. */
static bool is_stiff(const abuti_system *s)
{
    for (int b = 0; b < s->bodies; ++b) {
        double most = 0.0, least = INFINITY;
        int parts = s->dim == 6 ? 2 : s->dim, columns = s->dim / (parts > 0 ? parts : 1);
        for (int part = 0; part < parts; ++part) {
            double size = 0.0;
            for (int c = 0; c < columns; ++c) size = fmax(size, column_size(s, b, part * columns + c));
            most = fmax(most, size);
            if (size > 0.0) least = fmin(least, size);
        }
        if (most > stiff_ratio * least) return true;
    }
    return false;
}

static abut_outcome run(const abuti_system *s, void *memory, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    scratch *t = memory;
    answer->too_large = abuti_dense_rows(s) > t->dense.capacity;
    int width = abuti_padded(s->bodies * s->dim);
    if (answer->too_large || width > t->width || s->joints > 0 || !is_stiff(s)) return ABUT_FAILED;
    int n = abuti_dense_number(s, &t->dense);
    abuti_dense_spread_rows(s, &t->dense, width);
    abut_outcome outcome = ABUT_RAY;
    for (int cover = 0; cover < COVERS && outcome == ABUT_RAY; ++cover) {
        form(s, t, n, cover);
        outcome = walk(t, n, context, answer);
    }
    if (outcome != ABUT_SOLVED) return ABUT_FAILED;
    memset(t->z, 0, (size_t)n * sizeof *t->z);
    memset(t->w, 0, (size_t)n * sizeof *t->w);
    for (int i = 0; i < n; ++i) {
        double value = fmax(row_of(t, n, i)[n + 1].hi, 0.0);
        if (t->basic[i] < n) t->w[t->basic[i]] = value;
        if (t->basic[i] >= n && t->basic[i] < 2 * n) t->z[t->basic[i] - n] = value;
    }
    abuti_dense_take(s, &t->dense, t->z, t->w, answer);
    return ABUT_SOLVED;
}

static const abuti_family family = {.solver = ABUT_SOLVER_LEMKE, .layout = layout, .late = true};
const abuti_stage abuti_stage_twofold = {.name = "lemke-twofold",
                                         .family = &family,
                                         .answers = ABUTI_ON_IMPULSES(ABUT_LAW_COULOMB),
                                         .rows = true,
                                         .run = run};
