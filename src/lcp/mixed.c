/* Mixed problems: free variables with equality rows.
 *
 * Drumwright, section II (corrected). With free x and complementary y the problem is
 *
 *     A x + C y + g = 0,   w = D x + B y + h,   0 <= y perp w >= 0,
 *
 * and where A is regular x = -A^-1 (C y + g) leaves the plain LCP
 *
 *     w = (B - D A^-1 C) y + (h - D A^-1 g).                                               (9), (10)
 *
 * That is a sequence of exchanges on the table  basic = table * nonbasic + constant,  which starts as
 * w = M z + q: exchanging equation w_i with free x_k solves that equation for x_k. Nothing is thrown
 * away, so the rows of x recover it at the end, and the columns of the equations carry a Farkas witness
 * of the reduced problem back to the whole one.
 *
 * A need not be regular. Pivots are the largest entries left in the free block (complete pivoting).
 * When that block is used up, an equation and a free variable that remain are exchanged with a
 * complementary pair j, which they determine (as multipliers of  C y + g = 0  do):
 *
 *           x_s  z_j                    the equation gives z_j, the row of w_j gives x_s; the pair
 *     w_r    0    c     c, d != 0       (z_j, w_j) lives on with z_j basic and w_j nonbasic
 *     w_j    d    b
 *
 * An equation without any coefficient left is either satisfied (it depends on the others) or proves
 * the problem infeasible. A free variable that is still left is set to zero. Nothing is lost by that when the
 * variable acts on no w_j and the equation that is left binds no z_j. An equation and a variable that do so, but
 * that no common j connects, have no place in the reduced problem; the verifier then judges what that problem
 * gives. */
#include "lcp/mixed.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* The problem is equilibrated, so coefficients are of order one: elimination of n rows leaves about
 * n 2^-52 where there should be zero. */
#define COEFFICIENT_ZERO 1e-11

/* Where entries of order one cancel, elimination leaves rests of n 2^-52 and some growth; so it does of constants,
 * relative to their terms. Such rests are set to zero, because the reduced problem is equilibrated again, which
 * would turn pure rounding into full rows or a full q. */
#define ELIMINATION_ROUNDING 1e-13

/* A satisfied equation may miss by this, relative to max |q| = 1: a tenth of the default tolerance. */
#define CONSISTENT 1e-10

/* Rounding explains an asymmetry of a reduced matrix up to this part of its largest entry. Such a matrix is made
 * symmetric, so that the solvers for symmetric problems apply. */
#define ASYMMETRY_ROUNDING 1e-12

void abuti_mixed_layout(abuti_mixed *mixed, abuti_arena *arena, int n)
{
    mixed->ld = abuti_padded(n);
    mixed->table = abuti_take(arena, (size_t)n * (size_t)mixed->ld, double);
    mixed->constant = abuti_take(arena, n, double);
    mixed->size = abuti_take(arena, n, double);
    mixed->row_variable = abuti_take(arena, n, int);
    mixed->column_variable = abuti_take(arena, n, int);
    mixed->is_free = abuti_take(arena, n, bool);
    abuti_scales_layout(&mixed->scales, arena, n);
    mixed->pairs = abuti_take(arena, n, abuti_pair);
    mixed->q = abuti_take(arena, n, double);
    mixed->values = abuti_take(arena, n, double);
    mixed->correction = abuti_take(arena, n, double);
}

static double *row_of(const abuti_mixed *mixed, int i)
{
    return mixed->table + (ptrdiff_t)i * mixed->ld;
}

/* Row i still stands for an equation that is not used; column j for a free variable not solved for. */
static bool is_open_equation(const abuti_mixed *mixed, int i)
{
    int variable = mixed->row_variable[i];
    return variable >= mixed->n && mixed->is_free[variable - mixed->n];
}

static bool is_open_variable(const abuti_mixed *mixed, int j)
{
    int variable = mixed->column_variable[j];
    return variable < mixed->n && mixed->is_free[variable];
}

/* Row i and column i hold w_i and z_i of a pair that took part in no exchange. */
static bool is_untouched_pair(const abuti_mixed *mixed, int i)
{
    return !mixed->is_free[i] && mixed->row_variable[i] == mixed->n + i && mixed->column_variable[i] == i;
}

/* The basic variable of row r and the nonbasic one of column s change places. */
static void exchange(abuti_mixed *mixed, int r, int s)
{
    int n = mixed->n;
    double *pivot_row = row_of(mixed, r);
    double pivot = pivot_row[s];
    for (int j = 0; j < n; ++j) pivot_row[j] /= -pivot;
    pivot_row[s] = 1 / pivot;
    mixed->constant[r] /= -pivot;
    mixed->size[r] /= fabs(pivot);
    for (int i = 0; i < n; ++i) {
        double *row = row_of(mixed, i), factor = row[s];
        if (i == r || factor == 0) continue;
        row[s] = 0;
        for (int j = 0; j < n; ++j) row[j] += factor * pivot_row[j];
        mixed->constant[i] += factor * mixed->constant[r];
        mixed->size[i] = fmax(mixed->size[i], fabs(factor) * mixed->size[r]);
    }
    int variable = mixed->row_variable[r];
    mixed->row_variable[r] = mixed->column_variable[s];
    mixed->column_variable[s] = variable;
}

/* The largest entry of the open equations and variables; false when all are zero. */
static bool exchange_largest(abuti_mixed *mixed)
{
    int best_i = -1, best_j = -1;
    double best = COEFFICIENT_ZERO;
    for (int i = 0; i < mixed->n; ++i) {
        if (!is_open_equation(mixed, i)) continue;
        const double *row = row_of(mixed, i);
        for (int j = 0; j < mixed->n; ++j) {
            if (fabs(row[j]) > best && is_open_variable(mixed, j)) {
                best = fabs(row[j]);
                best_i = i;
                best_j = j;
            }
        }
    }
    if (best_i < 0) return false;
    exchange(mixed, best_i, best_j);
    return true;
}

/* The pair j that an open equation r and an open variable s determine best; false when there is none. */
static bool exchange_with_pair(abuti_mixed *mixed)
{
    int best_r = -1, best_s = -1, best_j = -1;
    double best = COEFFICIENT_ZERO;
    for (int r = 0; r < mixed->n; ++r) {
        if (!is_open_equation(mixed, r)) continue;
        for (int j = 0; j < mixed->n; ++j) {
            double c = fabs(row_of(mixed, r)[j]);
            if (!(c > best) || !is_untouched_pair(mixed, j)) continue;
            for (int s = 0; s < mixed->n; ++s) {
                double d = fabs(row_of(mixed, j)[s]);
                if (!(fmin(c, d) > best) || !is_open_variable(mixed, s)) continue;
                best = fmin(c, d);
                best_r = r;
                best_s = s;
                best_j = j;
            }
        }
    }
    if (best_r < 0) return false;
    row_of(mixed, best_r)[best_s] = 0; /* what rounding left there */
    exchange(mixed, best_r, best_j);
    exchange(mixed, best_j, best_s);
    return true;
}

/* For any combination of rows,  sum combination_r basic_r = coefficients . nonbasic + constant.  With
 * combination >= 0, coefficients <= 0 and constant < 0 that is a contradiction; read as a combination
 * of the w alone it is the caller's witness. */
static void witness_of(abuti_mixed *mixed, const double *combination, double *witness)
{
    int n = mixed->n;
    double *coefficients = mixed->correction;
    memset(coefficients, 0, (size_t)n * sizeof *coefficients);
    for (int i = 0; i < n; ++i) {
        const double *row = row_of(mixed, i);
        for (int j = 0; combination[i] != 0 && j < n; ++j) coefficients[j] += combination[i] * row[j];
    }
    memset(witness, 0, (size_t)n * sizeof *witness);
    for (int i = 0; i < n; ++i) {
        if (mixed->row_variable[i] >= n) witness[mixed->row_variable[i] - n] += combination[i];
        if (mixed->column_variable[i] >= n) witness[mixed->column_variable[i] - n] -= coefficients[i];
    }
    for (int i = 0; i < n; ++i) {
        if (!mixed->is_free[i] && witness[i] < 0) witness[i] = 0;
    }
    abuti_apply_direction(n, mixed->scales.row, witness, witness);
}

/* Every open equation must hold by itself, unless some complementary variable still enters it. */
static bool is_consistent(abuti_mixed *mixed, double *witness)
{
    int n = mixed->n;
    for (int r = 0; r < n; ++r) {
        if (!is_open_equation(mixed, r) || fabs(mixed->constant[r]) <= CONSISTENT) continue;
        double most = 0;
        for (int j = 0; j < n; ++j) {
            bool equation = mixed->column_variable[j] >= n && mixed->is_free[mixed->column_variable[j] - n];
            if (!equation) most = fmax(most, fabs(row_of(mixed, r)[j]));
        }
        if (most > COEFFICIENT_ZERO) continue;
        memset(mixed->values, 0, (size_t)n * sizeof *mixed->values);
        mixed->values[r] = mixed->constant[r] > 0 ? -1 : 1;
        witness_of(mixed, mixed->values, witness);
        return false;
    }
    return true;
}

static void find_pairs(abuti_mixed *mixed)
{
    int n = mixed->n;
    mixed->count = 0;
    for (int i = 0; i < n; ++i) {
        if (mixed->is_free[i]) continue;
        abuti_pair pair = {.index = i, .row = i, .column = i, .swapped = false};
        for (int k = 0; !is_untouched_pair(mixed, i) && k < n; ++k) {
            if (mixed->row_variable[k] == i) pair.row = k;
            if (mixed->column_variable[k] == n + i) pair.column = k;
            pair.swapped = true;
        }
        mixed->pairs[mixed->count++] = pair;
    }
}

/* Averages M and its transpose when they differ by rounding only. */
static void make_symmetric(int n, double *M, int ld)
{
    double most = 0, difference = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            most = fmax(most, fabs(M[(ptrdiff_t)i * ld + j]));
            difference = fmax(difference, fabs(M[(ptrdiff_t)i * ld + j] - M[(ptrdiff_t)j * ld + i]));
        }
    }
    if (!(difference <= ASYMMETRY_ROUNDING * most)) return;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            double mean = 0.5 * (M[(ptrdiff_t)i * ld + j] + M[(ptrdiff_t)j * ld + i]);
            M[(ptrdiff_t)i * ld + j] = M[(ptrdiff_t)j * ld + i] = mean;
        }
    }
}

bool abuti_mixed_reduce(abuti_mixed *mixed, const abut_lcp_problem *problem, double *M, int ld,
                        double *witness)
{
    int n = mixed->n = problem->n;
    mixed->ld = abuti_padded(n);
    abuti_equilibrate(&mixed->scales, n, problem->M, problem->ld, problem->q, mixed->table, mixed->ld,
                      mixed->constant);
    for (int i = 0; i < n; ++i) {
        mixed->row_variable[i] = n + i;
        mixed->column_variable[i] = i;
        mixed->is_free[i] = false;
        mixed->size[i] = fabs(mixed->constant[i]);
    }
    for (int k = 0; k < problem->free_count; ++k) mixed->is_free[problem->free[k]] = true;

    while (exchange_largest(mixed)) {
    }
    while (exchange_with_pair(mixed)) {
    }
    if (!is_consistent(mixed, witness)) return false;

    find_pairs(mixed);
    for (int a = 0; a < mixed->count; ++a) {
        const double *row = row_of(mixed, mixed->pairs[a].row);
        for (int b = 0; b < mixed->count; ++b) {
            double entry = row[mixed->pairs[b].column];
            M[(ptrdiff_t)a * ld + b] = fabs(entry) <= ELIMINATION_ROUNDING ? 0 : entry;
        }
        double constant = mixed->constant[mixed->pairs[a].row];
        double rounding = ELIMINATION_ROUNDING * mixed->size[mixed->pairs[a].row];
        mixed->q[a] = fabs(constant) <= rounding ? 0 : constant;
    }
    make_symmetric(mixed->count, M, ld);
    return true;
}

void abuti_mixed_take_rows(const abuti_mixed *mixed, const double *full, double *reduced)
{
    for (int a = 0; a < mixed->count; ++a) {
        const abuti_pair *pair = &mixed->pairs[a];
        reduced[a] = pair->swapped ? 1 : ldexp(full[pair->index], mixed->scales.row[pair->index]);
    }
}

void abuti_mixed_take_variables(const abuti_mixed *mixed, const double *full, double *reduced)
{
    for (int a = 0; a < mixed->count; ++a) {
        const abuti_pair *pair = &mixed->pairs[a];
        reduced[a] = pair->swapped ? 0 : ldexp(full[pair->index], -mixed->scales.column[pair->index]);
    }
}

/* Computes all z, in scaled units, from the nonbasic variables of the pairs; the other nonbasic ones are zero. */
static void evaluate(abuti_mixed *mixed, const double *reduced, bool with_constants, double *z)
{
    int n = mixed->n;
    double *nonbasic = mixed->values;
    memset(nonbasic, 0, (size_t)n * sizeof *nonbasic);
    for (int a = 0; a < mixed->count; ++a) nonbasic[mixed->pairs[a].column] = reduced[a];
    for (int j = 0; j < n; ++j) {
        if (mixed->column_variable[j] < n) z[mixed->column_variable[j]] = nonbasic[j];
    }
    for (int i = 0; i < n; ++i) {
        int variable = mixed->row_variable[i];
        if (variable >= n) continue;
        const double *row = row_of(mixed, i);
        double value = with_constants ? mixed->constant[i] : 0;
        for (int j = 0; j < n; ++j) value += row[j] * nonbasic[j];
        z[variable] = mixed->is_free[variable] || value > 0 ? value : 0;
    }
}

/* The equations miss by w_f. The columns of the table that stand for these equations say how to correct the
 * variables that were solved from them. */
static void refine(abuti_mixed *mixed, const abut_lcp_problem *problem, double *z)
{
    int n = mixed->n;
    double *miss = mixed->correction;
    for (int j = 0; j < n; ++j) {
        int f = mixed->column_variable[j] - n;
        miss[j] = 0;
        if (f < 0 || !mixed->is_free[f]) continue;
        const double *row = problem->M + (ptrdiff_t)f * problem->ld;
        double w = problem->q[f];
        for (int k = 0; k < n; ++k) w += row[k] * z[k];
        miss[j] = ldexp(w, mixed->scales.row[f]);
    }
    for (int i = 0; i < n; ++i) {
        int variable = mixed->row_variable[i];
        if (variable >= n) continue;
        const double *row = row_of(mixed, i);
        double step = 0;
        for (int j = 0; j < n; ++j) step -= row[j] * miss[j];
        double value = z[variable] + ldexp(step, mixed->scales.column[variable]);
        z[variable] = mixed->is_free[variable] || value > 0 ? value : 0;
    }
}

void abuti_mixed_restore(abuti_mixed *mixed, const abut_lcp_problem *problem, const double *reduced,
                         double *z)
{
    evaluate(mixed, reduced, true, z);
    abuti_apply_scale(mixed->n, mixed->scales.column, 1, z, z);
    refine(mixed, problem, z);
}

void abuti_mixed_restore_ray(abuti_mixed *mixed, const double *reduced, double *ray)
{
    evaluate(mixed, reduced, false, ray);
    abuti_apply_direction(mixed->n, mixed->scales.column, ray, ray);
}

void abuti_mixed_restore_witness(abuti_mixed *mixed, const double *reduced, double *witness)
{
    memset(mixed->values, 0, (size_t)mixed->n * sizeof *mixed->values);
    for (int a = 0; a < mixed->count; ++a) mixed->values[mixed->pairs[a].row] = reduced[a];
    witness_of(mixed, mixed->values, witness);
}
