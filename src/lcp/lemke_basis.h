/* The basis of Lemke's algorithm, and the numbers that belong to it.
 *
 * Lemke works on  w = q + M z + c z0  with a covering vector c > 0. Away from the ends of its path the
 * basis holds z0, some z_j, and the w_i of all other rows but one: for exactly one index, the missing
 * one, neither z nor w is basic. The w of the rows R = {basic z} + {missing} are zero, so the basic
 * values x = (z, z0) solve the small system
 *
 *     B x = -q_R,     B = [M_Rj for every basic z_j | c_R],     order m = 1 + number of basic z,
 *
 * and all other w follow from w = q + [M_j | c] x. Only H = B^-1 is kept (linalg/inverse.h), and the m
 * columns of M that x multiplies. So a pivot costs O(m^2) for H and O(n m) for w and its direction,
 * which is O(n^2) at worst; no tableau is ever formed. In Lloyd's numbering these are eqs. (13) to (21)
 * of his paper with the border of z0 and the missing row taken into the inverse.
 *
 * The driving variable is z_r or w_r of the missing index r. Changing the basis changes B thus:
 *
 *     entering   leaving w_s              leaving z_s
 *     z_r        row s, column r added    column s becomes column r
 *     w_r        row r becomes row s      row r, column s removed
 *
 * after which s is the missing index. */
#ifndef ABUTI_LCP_LEMKE_BASIS_H
#define ABUTI_LCP_LEMKE_BASIS_H

#include "lcp/solver.h"
#include "linalg/inverse.h"
#include "linalg/lu.h"
#include <stdint.h>

/* H is rebuilt from M when the residual of B x = -q_R, relative to the row's own terms, exceeds this. Below it
 * lies rounding noise (1e-15 times a moderate condition number), above it true drift. */
#define ABUTI_LEMKE_DRIFT 1e-12
/* After a rebuild an ill-conditioned B may still show more than that; H is then kept until the
 * residual has grown by this factor, else every pivot would rebuild in vain. */
#define ABUTI_LEMKE_DRIFT_GROWTH 10.0

/* z0 enters first and is never moved: its column of B. */
#define ABUTI_LEMKE_Z0 0

/* Where rounding ends, for one path. */
typedef struct abuti_lemke_lines {
    double pivot; /* a rate below this part of its own terms is noise, not a pivot */
    double q, z;  /* how far below zero a value may fall in a tie: parts of max |q| and of max |z| */
} abuti_lemke_lines;

typedef struct abuti_lemke {
    const abuti_lcp *problem;
    int n;
    double *cover;     /* n: c of the present try */
    double q_size;     /* max |q|: the unit of w */
    double cover_size; /* max c */
    abuti_lemke_lines lines;

    int *column;      /* n + 1: which variable a column of B belongs to: j is z_j, n is z0 */
    int *row;         /* n + 1: which row of M a row of B is */
    int *column_slot; /* n + 1: the column of B of a variable, or -1 */
    int *row_slot;    /* n + 1: the row of B of a row of M, or -1 */
    int missing;      /* r */
    bool driving_w;   /* w_r drives, else z_r */
    uint64_t key;     /* a hash of the set of basic z and z0 */

    double *columns; /* n + 1 rows of `ld`: the columns of M (and c) in B's order, then the driving one */
    int ld;
    abuti_inverse inverse; /* H, of order m */
    abuti_lu lu;
    double drift_allowed; /* see ABUTI_LEMKE_DRIFT_GROWTH */
    int age;              /* pivots since H was built from M */

    double *x, *dx;         /* basic z and z0, and their rate in the driving variable; padded */
    double *w, *dw;         /* all w, likewise; those of R are zero */
    double z_size, dz_size; /* max |z|, max |dz| (1 for the driving z itself) */
    double *rhs, *drhs;     /* right-hand sides of order m, then what is left of them; padded */
    double *scratch;        /* two padded vectors of order m */
} abuti_lemke;

void abuti_lemke_basis_layout(abuti_lemke *s, abuti_arena *arena, int n);

/* z0 enters, w_r leaves: B = [c_r]. */
void abuti_lemke_start(abuti_lemke *s, int r);

/* x, w and their rates dx, dw at the present basis, checked and if need be rebuilt and refined. False
 * when B is singular to working precision. */
bool abuti_lemke_evaluate(abuti_lemke *s);

/* What leaves: a column of B (z or z0), or a row of M (w). */
typedef struct abuti_lemke_leaving {
    enum { ABUTI_LEMKE_NONE, ABUTI_LEMKE_Z, ABUTI_LEMKE_W } kind;
    int index;   /* Z: the column slot; W: the row of M */
    double step; /* of the driving variable */
} abuti_lemke_leaving;

static inline bool abuti_lemke_is_z0(abuti_lemke_leaving leaving)
{
    return leaving.kind == ABUTI_LEMKE_Z && leaving.index == ABUTI_LEMKE_Z0;
}

/* Changes the basis; what leaves is not z0. */
void abuti_lemke_pivot(abuti_lemke *s, abuti_lemke_leaving leaving);

/* z0 leaves: B becomes M_aa for the final set of basic z, factored in s->lu (false: singular), with
 * s->row and s->column both listing that set and *count its size. H is no longer valid. */
bool abuti_lemke_final_basis(abuti_lemke *s, int *count);

/* Takes variable i into that set, or out of it, and factors again. */
bool abuti_lemke_change_final_set(abuti_lemke *s, int i, int *count);

/* b_j = M_sj (or c_s) over the columns of B: row s of the basis matrix, padded. */
void abuti_lemke_gather_row(const abuti_lemke *s, int row, double *b);

/* The z of the basis moved by `step` along the driving variable, as n numbers, none below zero. */
void abuti_lemke_point(const abuti_lemke *s, double step, double *z);

/* w = q + M z at the point `step` along the driving variable, without the term c z0, so that rows with a
 * huge cover lose no digits to it; n numbers, padded. */
void abuti_lemke_uncovered(abuti_lemke *s, double step, double *w);

/* The ratio test (lemke_ratio.c). */
abuti_lemke_leaving abuti_lemke_ratio_test(abuti_lemke *s, bool lexicographic);

/* The direction of the unbounded edge as n numbers. */
void abuti_lemke_ray(const abuti_lemke *s, double *ray);

/* How well u proves that there is no solution: with u >= 0 cleaned of noise and its largest entry brought to
 * 1, the factor by which -q'u |M| / |q| exceeds max(M'u, 0). No solution has a 1-norm below that factor
 * times |q| / |M|. 0 when u proves nothing. */
double abuti_lemke_strength(abuti_lemke *s, double *u);

/* A Farkas vector u >= 0 with M'u <= 0, q'u < 0 from the ray, or by a linear program from the present basis,
 * which it may change: the path is over. Returns its strength. */
double abuti_lemke_witness(abuti_lemke *s, const double *ray, double *u);

/* The verifier asks for this strength in the caller's units. */
#define ABUTI_LEMKE_PROOF 1e6

#endif
