/* Brings a plain LCP to one scale by powers of two, exactly and reversibly (lcp.h, "Residual"). */
#ifndef ABUTI_LCP_EQUILIBRATE_H
#define ABUTI_LCP_EQUILIBRATE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* M'_ij = 2^(row_i + column_j) M_ij,  q'_i = 2^row_i q_i,  z_j = 2^column_j z'_j,  w_i = w'_i / 2^row_i.
 * The largest |q'_i| lies in [1, 2). */
typedef struct abuti_scales {
    int *row, *column; /* exponents */
    int16_t *exponent; /* scratch: n x n exponents of M */
    int16_t *most;     /* scratch: 3 n */
} abuti_scales;

void abuti_scales_layout(abuti_scales *scales, abuti_arena *arena, int n);

/* Finds the scales of (M, q) and writes the scaled copies; M' has leading dimension ld_out, its
 * padding is set to zero. Returns whether M' is exactly symmetric, as it is
 * whenever M is. */
bool abuti_equilibrate(abuti_scales *scales, int n, const double *M, int ld, const double *q, double *M_out,
                       int ld_out, double *q_out);

/* x_out_i = 2^(sign exponent_i) x_i; x_out may be x */
void abuti_apply_scale(int n, const int *exponent, int sign, const double *x, double *x_out);
/* Likewise for a direction, up to a common power of two that keeps it in range. */
void abuti_apply_direction(int n, const int *exponent, const double *x, double *x_out);

#endif
