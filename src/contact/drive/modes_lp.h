/* A small linear program: do forces exist for a choice of modes, or for a part of one?
 *
 * a = A f + b is written with unknowns x >= 0 alone: the sum of column * x is -b. Contact i owns the columns
 *
 *     force j   A (n + mu d_j) s   a force along edge j of its friction cone; s = 1 / max(1, mu) keeps the
 *                                  columns of order one
 *     middle    A n                a force along the cone's axis, where all edges may be used: without it a
 *                                  large mu would make a normal force of edges that cancel
 *     lift      -n                 it separates: a_n = x
 *     slip k    N_k                it slips against side k of its polygon: a_t = -N_k x
 *
 * A mode is the set of columns that may be used (abuti_mode): all of them for a contact of which nothing is
 * decided, lift and slips for one that is open, forces for one that sticks, one force and two slips for one
 * that slides at a corner. Every mode's set is a polyhedron, so the program decides exactly, and a partial
 * choice that it refuses needs no refining.
 *
 * The method is phase one of the revised simplex method. The cost is what the columns carry that may not be
 * used, so the basis of one choice can start any other. Joint rows have been eliminated
 * before.
 *
 * (unions/relax.c is the other small program of this folder. That one is a square tableau whose variables may
 * have either sign; here up to a thousand columns are never written down, and the prices are proofs.) */
#ifndef ABUTI_CONTACT_DRIVE_MODES_LP_H
#define ABUTI_CONTACT_DRIVE_MODES_LP_H

#include "abut/contact.h"
#include "base/arena.h"
#include "linalg/inverse.h"
#include "linalg/lu.h"
#include <stdbool.h>
#include <stdint.h>

enum { ABUTI_LP_CONTACTS = ABUT_ACCEL_CONTACTS_MAX, ABUTI_LP_ROWS = 2 * ABUTI_LP_CONTACTS };
_Static_assert(ABUTI_LP_ROWS >= ABUTI_LP_CONTACTS + 2 * ABUT_ACCEL_SPATIAL_MAX, "two tangents in space");

/* A choice counts as feasible if the columns that may not be used carry together at most this, relative to `size`: a
 * tenth of what the verifier allows. */
#define ABUTI_LP_ZERO 1e-10

/* Columns of a contact that may be used. */
typedef struct abuti_mode {
    uint64_t forces, slips;
    bool lift;
} abuti_mode;

typedef struct abuti_lp_contact {
    int at;         /* its normal row; tangents follow */
    int tangents;   /* rows of static friction: 0, 1 (plane), 2 (space) */
    int directions; /* corners of its polygon, and sides: 1 without static friction (no side then), 2, d */
    double mu;      /* 0 or more; of a contact that slides already, friction is part of A n */
} abuti_lp_contact;

typedef struct abuti_lp_column {
    int kind, contact, which;
} abuti_lp_column;

typedef struct abuti_lp {
    int contacts, rows;
    abuti_lp_contact contact[ABUTI_LP_CONTACTS];
    double *A;       /* column-major, ABUTI_LP_ROWS apart: one column a row */
    double *b;       /* rows */
    double *corners; /* directions of the polygon, then the normals of its sides: 2 numbers each */

    abuti_lp_column basis[ABUTI_LP_ROWS];
    abuti_inverse inverse;
    abuti_lu lu;
    double *x;                             /* values of the basis */
    double *cost, *prices, *column, *rate; /* of the present pivot */
    double size;                           /* max(1, |b|) */
    int pivots, fresh;                     /* all; since the inverse was made anew */
    int pivots_max;
    double deadline;     /* of abuti_clock(), infinity: none */
    abuti_lp_column ray; /* an unbounded direction that maximise met, kind none otherwise */
    bool cut_short;      /* maximise ended before its maximum */
} abuti_lp;

void abuti_lp_layout(abuti_lp *lp, abuti_arena *arena);
bool abuti_lp_is_late(const abuti_lp *lp);
/* Directions of the polygon of static contacts in space. */
void abuti_lp_polygon(abuti_lp *lp, int directions);
/* Makes a first basis, once contacts, A and b are set. */
void abuti_lp_start(abuti_lp *lp);

typedef enum abuti_lp_verdict {
    ABUTI_LP_FEASIBLE,
    ABUTI_LP_INFEASIBLE, /* lp->prices proves it: no allowed column has a positive product with it, -b has */
    ABUTI_LP_UNDECIDED,  /* the budget is spent, or rounding leaves it open */
} abuti_lp_verdict;

abuti_lp_verdict abuti_lp_find(abuti_lp *lp, const abuti_mode *mode);
/* The columns of contact i that lp->prices does not refuse, of all. */
abuti_mode abuti_lp_accused(const abuti_lp *lp, int i);
/* Raises, from a feasible point, the sum of the columns `target` of contact i until it is at least `enough`, while
 * `mode` stays what it is. Returns the value reached, which is less than the maximum if lp->cut_short. */
double abuti_lp_maximise(abuti_lp *lp, const abuti_mode *mode, int i, const abuti_mode *target,
                         double enough);
/* The forces of the present point, row by row. */
void abuti_lp_forces(const abuti_lp *lp, double *f);

#endif
