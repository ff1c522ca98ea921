/* Equilibration by powers of two.
 *
 * Scaling must not cost a bit of accuracy, must never overflow, and must make the solvers blind to
 * units: (2^a M, 2^b q) has to become the very same scaled problem as (M, q). Hence
 *
 *   1. everything happens on integer exponents, floor(log2 |M_ij|), kept as 16-bit integers;
 *   2. the largest exponent of M is subtracted first, so a common factor of M is gone;
 *   3. rows and columns are balanced at the same time, each by half of what it lacks (Ruiz's
 *      iteration); row and column of a symmetric matrix lack the same, so r = c there;
 *   4. at last the largest exponent of r q is subtracted, so a common factor of q is gone too.
 *
 * A zero row or column lacks nothing: its scale is 1 before steps 2 and 4. */
#include "lcp/equilibrate.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exponent that stands for zero: below every sum of an exponent and two scales, within 16 bits. */
#define EXPONENT_OF_ZERO (-16000)
#define EXPONENT_SEEN (-8000)

/* Halving shrinks any excess (at most 2^12) to the final range in fewer passes than this. */
#define MAX_PASSES 20

/* Up to these exponents a row is scaled by two multiplications: (M_ij 2^row) 2^column, where the first
 * product is M'_ij / 2^column and cannot overflow. Other rows go entry by entry through ldexp. */
#define PLAIN_COLUMN 400
#define PLAIN_ROW 1000

void abuti_scales_layout(abuti_scales *scales, abuti_arena *arena, int n)
{
    scales->row = abuti_take(arena, n, int);
    scales->column = abuti_take(arena, n, int);
    scales->exponent = abuti_take(arena, (size_t)n * (size_t)n, int16_t);
    scales->most = abuti_take(arena, 3 * (size_t)n, int16_t);
}

/* floor(log2 |x|) */
static int16_t exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff);
    if (field == 0) return (int16_t)(x == 0 ? EXPONENT_OF_ZERO : ilogb(x)); /* zero or subnormal */
    return (int16_t)(field - 1023);
}

/* Fills the table of exponents and returns the largest. */
static int16_t read_exponents(int n, const double *M, int ld, int16_t *exponent)
{
    int16_t largest = EXPONENT_OF_ZERO;
    for (int i = 0; i < n; ++i) {
        const double *row = M + (ptrdiff_t)i * ld;
        int16_t *out = exponent + (ptrdiff_t)i * n;
        for (int j = 0; j < n; ++j) out[j] = exponent_of(row[j]);
        for (int j = 0; j < n; ++j) largest = out[j] > largest ? out[j] : largest;
    }
    return largest;
}

/* What a row or column whose largest exponent is `most` lacks, halved: 0 once it lies in [1/2, 4). */
static int16_t half_lack(int16_t most)
{
    return (int16_t)(most < EXPONENT_SEEN ? 0 : -(most / 2));
}

/* One simultaneous pass; false when nothing changed. */
static bool balance_once(int n, const int16_t *exponent, int16_t *row, int16_t *column, int16_t *column_most)
{
    bool changed = false;
    for (int j = 0; j < n; ++j) column_most[j] = EXPONENT_OF_ZERO;
    for (int i = 0; i < n; ++i) {
        const int16_t *e = exponent + (ptrdiff_t)i * n;
        int16_t shift = row[i], row_most = EXPONENT_OF_ZERO;
        for (int j = 0; j < n; ++j) {
            int16_t scaled = (int16_t)(e[j] + shift + column[j]);
            row_most = scaled > row_most ? scaled : row_most;
            column_most[j] = scaled > column_most[j] ? scaled : column_most[j];
        }
        int16_t step = half_lack(row_most);
        row[i] = (int16_t)(row[i] + step);
        changed |= step != 0;
    }
    for (int j = 0; j < n; ++j) {
        int16_t step = half_lack(column_most[j]);
        column[j] = (int16_t)(column[j] + step);
        changed |= step != 0;
    }
    return changed;
}

/* M' from M; `factors` (n numbers) is scratch for the powers of two of the columns. */
static void scale_matrix(int n, const double *M, int ld, const int *row, const int *column, double *factors,
                         double *out, int ld_out)
{
    int widest = 0;
    for (int j = 0; j < n; ++j) widest = abs(column[j]) > widest ? abs(column[j]) : widest;
    for (int j = 0; widest <= PLAIN_COLUMN && j < n; ++j) factors[j] = ldexp(1, column[j]);
    for (int i = 0; i < n; ++i) {
        const double *from = M + (ptrdiff_t)i * ld;
        double *to = out + (ptrdiff_t)i * ld_out;
        if (widest <= PLAIN_COLUMN && abs(row[i]) <= PLAIN_ROW) {
            double factor = ldexp(1, row[i]);
            for (int j = 0; j < n; ++j) to[j] = from[j] * factor * factors[j];
        } else {
            for (int j = 0; j < n; ++j) to[j] = ldexp(from[j], row[i] + column[j]);
        }
        for (int j = n; j < ld_out; ++j) to[j] = 0;
    }
}

/* Subtracts the largest exponent of r q from the rows and gives it to the columns. */
static void normalise_q(int n, const double *q, int *row, int *column)
{
    int largest = EXPONENT_OF_ZERO;
    for (int i = 0; i < n; ++i) {
        int e = exponent_of(q[i]) + row[i];
        largest = e > largest ? e : largest;
    }
    if (largest < EXPONENT_SEEN) return;
    for (int i = 0; i < n; ++i) {
        row[i] -= largest;
        column[i] += largest;
    }
}

/* Exactly equal to its transpose; walked in tiles so that neither side misses the cache. */
static bool is_symmetric(int n, const double *M, int ld)
{
    enum { TILE = 16 };
    for (int a = 0; a < n; a += TILE) {
        for (int b = 0; b <= a; b += TILE) {
            int end_i = a + TILE < n ? a + TILE : n, end_j = b + TILE < n ? b + TILE : n;
            for (int i = a; i < end_i; ++i) {
                for (int j = b; j < end_j; ++j) {
                    if (M[(ptrdiff_t)i * ld + j] != M[(ptrdiff_t)j * ld + i]) return false;
                }
            }
        }
    }
    return true;
}

bool abuti_equilibrate(abuti_scales *scales, int n, const double *M, int ld, const double *q, double *M_out,
                       int ld_out, double *q_out)
{
    int16_t *row = scales->most, *column = row + n, *column_most = column + n;
    int16_t largest = read_exponents(n, M, ld, scales->exponent);
    int16_t common = (int16_t)(largest < EXPONENT_SEEN ? 0 : largest);
    for (int i = 0; i < n; ++i) row[i] = (int16_t)-common;
    for (int j = 0; j < n; ++j) column[j] = 0;
    for (int pass = 0; pass < MAX_PASSES; ++pass) {
        if (!balance_once(n, scales->exponent, row, column, column_most)) break;
    }
    for (int i = 0; i < n; ++i) scales->row[i] = row[i];
    for (int j = 0; j < n; ++j) scales->column[j] = column[j];
    scale_matrix(n, M, ld, scales->row, scales->column, q_out, M_out, ld_out);
    normalise_q(n, q, scales->row, scales->column);
    abuti_apply_scale(n, scales->row, 1, q, q_out);
    return is_symmetric(n, M_out, ld_out);
}

void abuti_apply_scale(int n, const int *exponent, int sign, const double *x, double *x_out)
{
    for (int i = 0; i < n; ++i) x_out[i] = ldexp(x[i], sign * exponent[i]);
}

void abuti_apply_direction(int n, const int *exponent, const double *x, double *x_out)
{
    int largest = INT_MIN;
    for (int i = 0; i < n; ++i) {
        if (x[i] != 0 && ilogb(x[i]) + exponent[i] > largest) largest = ilogb(x[i]) + exponent[i];
    }
    for (int i = 0; i < n; ++i) x_out[i] = x[i] == 0 ? 0 : ldexp(x[i], exponent[i] - largest);
}
