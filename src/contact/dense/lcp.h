/* The dense LCP of a contact system (Lloyd 2005, eq. (8) with the errata's signs), and the way back. */
#ifndef ABUTI_CONTACT_DENSE_LCP_H
#define ABUTI_CONTACT_DENSE_LCP_H

#include "abut/lcp.h"
#include "contact/system/system.h"

/* Variables in order: theta of every contact; phi of every direction of every contact with friction; lambda
 * of those contacts; joint impulses, which are free. */
typedef struct abuti_dense {
    int capacity; /* rows at most, */
    int width;    /* and numbers of a row of the system, over all blocks */
    double *M, *q;
    int *phi;    /* [lane]: its first phi, or -1 without friction */
    int *lambda; /* [lane] */
    int *free;
    double *block; /* contiguous rows: [3 n + joints][width] */
    abut_lcp_workspace *work;
} abuti_dense;

/* Rows of the largest LCP that is formed where limits.solvers does not name the solver: 100 a body, and no more than
 * 500. The solver is then a helper of last resort; it takes 7 numbers a pair of rows. */
enum { ABUTI_DENSE_A_BODY = 100, ABUTI_DENSE_HELP = 500 };
int abuti_dense_most(const abut_contact_limits *limits, abut_contact_solver solver);
/* Scratch for limits, serving one method of the LCP room, for LCPs of at most so many rows. */
abuti_dense *abuti_dense_layout(abuti_arena *arena, const abut_contact_limits *limits, abut_lcp_method method,
                                int most);
/* Rows that the LCP of this system has. */
int abuti_dense_rows(const abuti_system *system);
/* Forms the LCP, solves it by the method, maps the answer back. */
abut_outcome abuti_dense_run(const abuti_system *system, abuti_dense *dense, abut_lcp_method method,
                             const abuti_stage_context *context, abuti_answer *answer);

/* The parts of abuti_dense_run, for twofold.c. This one sets where each contact's variables stand, and returns their
 * number. */
int abuti_dense_number(const abuti_system *system, abuti_dense *dense);
/* Writes all rows out over all blocks into dense->block, so that a product of two rows is one dot product. */
void abuti_dense_spread_rows(const abuti_system *system, abuti_dense *dense, int width);
/* The variables that one row of the system (axis of a contact, or a joint) contributes to, with their
 * coefficients: theta for a normal, every phi for a tangent. */
typedef struct abuti_dense_spread {
    int count;
    int at[ABUT_DIRECTIONS_MAX];
    double by[ABUT_DIRECTIONS_MAX];
} abuti_dense_spread;
void abuti_dense_spread_of(const abuti_system *system, const abuti_dense *dense, int row,
                           abuti_dense_spread *out);
/* The answer of the contacts from a solution of the LCP. */
void abuti_dense_take(const abuti_system *system, const abuti_dense *dense, const double *z, const double *w,
                      abuti_answer *answer);

/* The stages on it (dense.c, twofold.c), for the table in solvers.c. */
extern const abuti_stage abuti_stage_lemke;
extern const abuti_stage abuti_stage_twofold;
extern const abuti_stage abuti_stage_enumerate;

#endif
