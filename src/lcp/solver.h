/* The contract between the front of the LCP room (lcp.c) and its solvers, one a file.
 *
 * lcp.c validates, eliminates free variables (mixed.c), equilibrates (equilibrate.c), calls one or
 * several solvers from the table in solvers.c, maps the answer back and lets verify.c judge it. A solver
 * therefore sees a plain dense LCP whose rows and columns are of order one, and answers in the same units. */
#ifndef ABUTI_LCP_SOLVER_H
#define ABUTI_LCP_SOLVER_H

#include "abut/lcp.h"
#include "base/arena.h"
#include "base/clock.h"

/* An equilibrated plain LCP: w = M z + q, max |row| and max |column| near 1, max |q| near 1. */
typedef struct abuti_lcp {
    int n;
    int ld; /* n rounded up to a multiple of 8; the padding is zero */
    const double *M;
    const double *q;
    const double *cover;     /* n positive numbers: the caller's covering vector times the row scales */
    const double *start;     /* n numbers or NULL: options.start in these units */
    const double *row_scale; /* r_i and c_i of lcp.h: caller's w_i = w_i / r_i, z_i = z_i * c_i */
    const double *column_scale;
    bool symmetric;  /* M equals its transpose exactly */
    double deadline; /* a time of abuti_clock(); infinity: none */
} abuti_lcp;

/* Whether the time is up: a solver asks before each pivot and ends with ABUT_LIMIT. */
static inline bool abuti_lcp_late(const abuti_lcp *problem)
{
    return abuti_clock_passed(problem->deadline);
}

/* What a solver found. lcp.c has set the arrays; the solver fills what its outcome needs. */
typedef struct abuti_lcp_answer {
    double *z;       /* n: solved, limit */
    double *ray;     /* n: ray */
    double *witness; /* n: u >= 0 with M'u <= 0, q'u < 0; for ray (when it can) and infeasible */
    bool has_witness;
    int pivots;
    int covers;
    abut_lcp_phase phase;
    abut_lcp_stall stall;
    int cuts;
    int steps;
} abuti_lcp_answer;

typedef struct abuti_lcp_solver {
    abut_lcp_method method;
    const char *name;
    bool needs_symmetric; /* refuses other matrices */
    int max_n;            /* 0: no limit */
    /* Lays out the scratch for problems up to n; called on a counting arena first (arena.h).
     * Returns the scratch (its struct is the first piece taken), NULL while counting. */
    void *(*layout)(abuti_arena *arena, int n);
    /* Runs. `solved` is the solver's belief; only the verifier makes it an outcome. */
    abut_outcome (*run)(const abuti_lcp *problem, void *scratch, const abut_lcp_options *options,
                        abuti_lcp_answer *answer);
} abuti_lcp_solver;

/* The table, in solvers.c: one row a method. */
const abuti_lcp_solver *abuti_lcp_solver_for(abut_lcp_method method);

extern const abuti_lcp_solver abuti_lcp_lemke;
extern const abuti_lcp_solver abuti_lcp_dantzig;
extern const abuti_lcp_solver abuti_lcp_enumeration;
extern const abuti_lcp_solver abuti_lcp_active_set;

#endif
