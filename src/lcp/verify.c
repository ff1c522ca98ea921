/* The verifier: the judge of every answer.
 *
 * It knows the problem and the claim. It shares no code with the solvers nor with equilibrate.c, so
 * that one mistake cannot both produce and approve a wrong answer: it finds its own scales, forms
 * its own w with compensated sums (Ogita, Rump, Oishi, "Accurate sum and dot product", 2005: as if
 * computed in twice the working precision), and never divides by what it was told. Comparisons are
 * written so that a NaN always condemns. */
#include "abut/lcp.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Rows and columns are balanced by square roots of their largest entries (Ruiz 2001), rounded to
 * powers of two; every pass halves the excess, and the widest excess a double can hold is 2^2098. */
#define BALANCE_PASSES 16

/* A scale and its reciprocal are normal numbers. */
#define SCALE_EXPONENT_MAX 1000

/* The witness u of abut_lcp_verify_witness proves that every solution has a 1-norm of at least rho. When rho is at
 * least this factor times |q| / |M|, a solution would lose six digits of w = M z + q by cancellation, and the
 * problem counts as one without a solution. */
#define WITNESS_FACTOR 1e6

/* ---- compensated arithmetic -------------------------------------------------------------------- */

/* Independent partial sums: short dependency chains, one fixed order. */
#define SUMS 8

typedef struct long_sum {
    double high[SUMS], low[SUMS];
} long_sum;

/* sum += a b, with the rounding errors of product and sum collected in `low` (Dekker's product and
 * Knuth's sum; |a|, |b| stay below 2^500 here, so splitting cannot overflow). */
static inline void add_product(long_sum *sum, int k, double a, double b)
{
    const double splitter = 134217729.0; /* 2^27 + 1 */
    double product = a * b;
    double ca = splitter * a, cb = splitter * b;
    double a1 = ca - (ca - a), b1 = cb - (cb - b);
    double a2 = a - a1, b2 = b - b1;
    double product_error = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
    double total = sum->high[k] + product;
    double back = total - sum->high[k];
    double sum_error = (sum->high[k] - (total - back)) + (product - back);
    sum->high[k] = total;
    sum->low[k] += product_error + sum_error;
}

static double fold(const long_sum *sum)
{
    long_sum all = {{0}, {0}};
    for (int k = 0; k < SUMS; ++k) {
        add_product(&all, 0, sum->high[k], 1);
        all.low[0] += sum->low[k];
    }
    return all.high[0] + all.low[0];
}

/* Rounding bound of a compensated sum of n products whose absolute values add up to `size`. */
static double compensated_bound(int n, double value, double size)
{
    double count = n + 2.0;
    return DBL_EPSILON * fabs(value) + 4 * count * count * DBL_EPSILON * DBL_EPSILON * size;
}

/* ---- scales ------------------------------------------------------------------------------------ */

static double entry(const abut_lcp_problem *problem, int i, int j)
{
    return problem->M[(ptrdiff_t)i * problem->ld + j];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double largest(int n, const double *x)
{
    double most[SUMS] = {0};
    int i = 0;
    for (; i + SUMS <= n; i += SUMS) {
        for (int k = 0; k < SUMS; ++k) most[k] = larger(fabs(x[i + k]), most[k]);
    }
    for (; i < n; ++i) most[0] = larger(fabs(x[i]), most[0]);
    for (int k = 1; k < SUMS; ++k) most[0] = larger(most[k], most[0]);
    return most[0];
}

static double largest_entry(const abut_lcp_problem *problem)
{
    double most = 0;
    for (int i = 0; i < problem->n; ++i)
        most = larger(largest(problem->n, problem->M + (ptrdiff_t)i * problem->ld), most);
    return most;
}

/* The largest power of two that is not above x, but at least 2^-1022, so that it has a reciprocal; 1 for x = 0. */
static double power_below(double x)
{
    if (x == 0) return 1;
    int exponent = ilogb(x);
    return ldexp(1, exponent < -1022 ? -1022 : exponent);
}

/* Multiplies a scale by 1 / sqrt(most), as a power of two; false when that is 1, for most in [1/2, 4), or
 * when the scale would leave the range in which it has a reciprocal (matrices of subnormal numbers). */
static bool correct(double *scale, double most)
{
    int excess = most > 0 && most <= DBL_MAX ? ilogb(most) / 2 : 0;
    if (excess == 0 || abs(ilogb(*scale) - excess) > SCALE_EXPONENT_MAX) return false;
    *scale = ldexp(*scale, -excess);
    return true;
}

/* The largest |row_j| r c_j of one row, which also goes into the maxima of the columns. */
static double scaled_maxima(int n, const double *restrict row, double r, const double *restrict c,
                            double *restrict column_most)
{
    double most[SUMS] = {0};
    int j = 0;
    for (; j + SUMS <= n; j += SUMS) {
        for (int k = 0; k < SUMS; ++k) {
            double size = fabs(row[j + k]) * (r * c[j + k]);
            most[k] = larger(size, most[k]);
            column_most[j + k] = larger(size, column_most[j + k]);
        }
    }
    for (; j < n; ++j) {
        double size = fabs(row[j]) * (r * c[j]);
        most[0] = larger(size, most[0]);
        column_most[j] = larger(size, column_most[j]);
    }
    return largest(SUMS, most);
}

/* floor(log2 x), or `otherwise` for 0 */
static int exponent_or(double x, int otherwise)
{
    return x == 0 ? otherwise : ilogb(x);
}

/* The first pass, on exponents alone, for entries as far apart as doubles allow: every row and column takes
 * half of what it lacks beside the largest entry, 2^top. A zero row or column lacks nothing. Which of r and
 * c carries the common factor 2^-top does not matter to the residual; half each stays in range. */
static void first_scales(const abut_lcp_problem *problem, double *r, double *c, double *column_most)
{
    int n = problem->n, top = INT_MIN;
    for (int j = 0; j < n; ++j) {
        c[j] = 1;
        column_most[j] = 0;
    }
    for (int i = 0; i < n; ++i) {
        r[i] = scaled_maxima(n, problem->M + (ptrdiff_t)i * problem->ld, 1, c, column_most);
        if (exponent_or(r[i], INT_MIN) > top) top = ilogb(r[i]);
    }
    if (top == INT_MIN) top = 0; /* M = 0 */
    for (int i = 0; i < n; ++i) {
        r[i] = ldexp(1, (top - exponent_or(r[i], top)) / 2 - (top - top / 2));
        c[i] = ldexp(1, (top - exponent_or(column_most[i], top)) / 2 - top / 2);
    }
}

/* r and c of lcp.h. The product r_i c_j is formed first: it stays in range wherever M_ij is not
 * negligible, whereas M_ij r_i need not. `column_most` is scratch. */
static void find_scales(const abut_lcp_problem *problem, double *r, double *c, double *column_most)
{
    int n = problem->n;
    first_scales(problem, r, c, column_most);
    bool changed = true;
    for (int pass = 0; changed && pass < BALANCE_PASSES; ++pass) {
        changed = false;
        for (int j = 0; j < n; ++j) column_most[j] = 0;
        for (int i = 0; i < n; ++i) {
            double most = scaled_maxima(n, problem->M + (ptrdiff_t)i * problem->ld, r[i], c, column_most);
            changed |= correct(&r[i], most);
        }
        for (int j = 0; j < n; ++j) changed |= correct(&c[j], column_most[j]);
    }
}

/* ---- solutions --------------------------------------------------------------------------------- */

/* w'_i = q'_i + sum_j (M_ij r_i c_j) z'_j, compensated */
static double exact_row(int n, const double *restrict row, double q, double r, const double *restrict c,
                        const double *restrict z)
{
    long_sum sum = {{q}, {0}};
    int j = 0;
    for (; j + SUMS <= n; j += SUMS) {
        for (int k = 0; k < SUMS; ++k) add_product(&sum, k, row[j + k] * (r * c[j + k]), z[j + k]);
    }
    for (; j < n; ++j) add_product(&sum, 0, row[j] * (r * c[j]), z[j]);
    return fold(&sum);
}

/* The same by plain sums, and a bound of its rounding error. */
static double plain_row(int n, const double *restrict row, double q, double r, const double *restrict c,
                        const double *restrict z, double *bound)
{
    double sums[SUMS] = {q}, sizes[SUMS] = {fabs(q)};
    int j = 0;
    for (; j + SUMS <= n; j += SUMS) {
        for (int k = 0; k < SUMS; ++k) {
            double product = row[j + k] * (r * c[j + k]) * z[j + k];
            sums[k] += product;
            sizes[k] += fabs(product);
        }
    }
    for (; j < n; ++j) {
        double product = row[j] * (r * c[j]) * z[j];
        sums[0] += product;
        sizes[0] += fabs(product);
    }
    double sum = 0, size = 0;
    for (int k = 0; k < SUMS; ++k) {
        sum += sums[k];
        size += sizes[k];
    }
    *bound = (n + 2.0) * DBL_EPSILON * size;
    return sum;
}

/* Where z_i = 0 and w_i is clearly positive the row is right whatever the last bits of w_i are; everywhere
 * else they decide, and the sum is compensated. */
static double scaled_row(const abut_lcp_problem *problem, int i, double q, double r, const double *c,
                         const double *z)
{
    const double *row = problem->M + (ptrdiff_t)i * problem->ld;
    if (z[i] == 0) {
        double bound, w = plain_row(problem->n, row, q, r, c, z, &bound);
        if (w > 2 * bound) return w;
    }
    return exact_row(problem->n, row, q, r, c, z);
}

/* The exponent k of the largest |q_i| r_i; 0 for q = 0. Everything is judged in the unit 2^k, so that
 * no tiny or huge problem leaves the range of doubles. */
static int exponent_of_q(int n, const double *q, const double *r)
{
    int most = INT_MIN;
    for (int i = 0; i < n; ++i) {
        int exponent = q[i] == 0 ? INT_MIN : ilogb(q[i]) + ilogb(r[i]);
        most = exponent > most ? exponent : most;
    }
    return most == INT_MIN ? 0 : most;
}

/* True for a NaN too. */
static bool exceeds(double value, double bound)
{
    return !(value <= bound);
}

static bool next_is_free(const abut_lcp_problem *problem, int i, int *cursor)
{
    if (*cursor < problem->free_count && problem->free[*cursor] == i) {
        ++*cursor;
        return true;
    }
    return false;
}

/* Takes variable i into account: `z`, `w` in the caller's units, `error` its share of the residual. */
static void judge(abut_lcp_check *check, int i, bool is_free, double z, double w, double error)
{
    if (exceeds(error, check->residual)) {
        check->residual = isnan(error) ? INFINITY : error;
        check->worst = i;
    }
    if (is_free) {
        if (exceeds(fabs(w), check->equation)) check->equation = fabs(w);
        return;
    }
    if (!(z >= check->min_z)) check->min_z = z;
    if (!(w >= check->min_w)) check->min_w = w;
    if (exceeds(fabs(z * w), check->complementarity)) check->complementarity = fabs(z * w);
}

abut_status abut_lcp_verify(const abut_lcp_problem *problem, const double *z, double *w, double *scratch,
                            abut_lcp_check *check)
{
    if (!z || !w || !scratch || !check) return ABUT_INVALID_ARGUMENT;
    abut_status status = abut_lcp_validate(problem, NULL);
    if (status != ABUT_OK) return status;

    int n = problem->n;
    double *r = scratch, *c = scratch + n, *scaled_z = scratch + 2 * (ptrdiff_t)n;
    find_scales(problem, r, c, scaled_z);

    int unit = exponent_of_q(n, problem->q, r);
    double most_q = 0;
    for (int i = 0; i < n; ++i) {
        most_q = larger(fabs(ldexp(problem->q[i], ilogb(r[i]) - unit)), most_q);
        scaled_z[i] = ldexp(z[i], -ilogb(c[i]) - unit);
    }

    *check = (abut_lcp_check){.residual = 0, .worst = -1, .min_z = INFINITY, .min_w = INFINITY};
    for (int i = 0, cursor = 0; i < n; ++i) {
        bool is_free = next_is_free(problem, i, &cursor);
        int shift = ilogb(r[i]) - unit;
        double scaled_w = scaled_row(problem, i, ldexp(problem->q[i], shift), r[i], c, scaled_z);
        w[i] = ldexp(scaled_w, -shift);
        double error = is_free ? fabs(scaled_w) : fabs(scaled_w < scaled_z[i] ? scaled_w : scaled_z[i]);
        if (!isfinite(scaled_w) || !isfinite(scaled_z[i])) error = INFINITY;
        if (most_q > 0) {
            error /= most_q;
        } else {
            error = z[i] == 0 ? 0 : INFINITY; /* q = 0: the answer asked for is z = 0 */
        }
        judge(check, i, is_free, z[i], w[i], error);
    }
    return ABUT_OK;
}

/* ---- witnesses --------------------------------------------------------------------------------- */

/* An upper bound of what column j of M'u can reach, in the units m of M and 1 of u. */
static double column_reach(const abut_lcp_problem *problem, int j, bool is_free, const double *u,
                           double u_unit, double m_unit)
{
    long_sum sum = {{0}, {0}};
    double size = 0;
    for (int i = 0; i < problem->n; ++i) {
        double a = entry(problem, i, j) / m_unit, b = u[i] / u_unit;
        add_product(&sum, 0, a, b);
        size += fabs(a * b);
    }
    double value = fold(&sum);
    double bound = compensated_bound(problem->n, value, size);
    /* A free variable can have either sign, so its column must vanish. */
    return is_free ? fabs(value) + bound : larger(value + bound, 0);
}

bool abut_lcp_verify_witness(const abut_lcp_problem *problem, const double *u, double *bound)
{
    double ignored;
    if (!bound) bound = &ignored;
    *bound = 0;
    if (!u || abut_lcp_validate(problem, NULL) != ABUT_OK) return false;

    int n = problem->n;
    for (int i = 0, cursor = 0; i < n; ++i) {
        bool is_free = next_is_free(problem, i, &cursor);
        if (!isfinite(u[i]) || (!is_free && u[i] < 0)) return false;
    }
    /* Everything is brought near 1 first; rho gets its unit back at the end. */
    double most_u = largest(n, u), most_q = largest(n, problem->q), most_m = largest_entry(problem);
    if (most_u == 0 || most_q == 0) return false;
    double u_unit = power_below(most_u), q_unit = power_below(most_q), m_unit = power_below(most_m);

    /* -q'u, rounded towards zero */
    long_sum sum = {{0}, {0}};
    double size = 0;
    for (int i = 0; i < n; ++i) {
        double a = problem->q[i] / q_unit, b = u[i] / u_unit;
        add_product(&sum, 0, a, b);
        size += fabs(a * b);
    }
    double descent = -fold(&sum);
    descent -= compensated_bound(n, descent, size);
    if (!(descent > 0)) return false;

    /* max(M'u, 0), rounded upwards */
    double reach = 0;
    for (int j = 0, cursor = 0; j < n; ++j) {
        bool is_free = next_is_free(problem, j, &cursor);
        double column = column_reach(problem, j, is_free, u, u_unit, m_unit);
        if (isnan(column)) return false;
        reach = larger(column, reach);
    }
    double rho = descent / reach; /* infinity when reach is 0 */
    *bound = rho * (q_unit / m_unit);
    return most_m == 0 || rho >= WITNESS_FACTOR * (most_q / q_unit) / (most_m / m_unit);
}
