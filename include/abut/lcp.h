/* abut/lcp.h: linear complementarity problems.
 *
 * Given a square matrix M and a vector q, find z and w with
 *
 *     w = M z + q,   z >= 0,   w >= 0,   z_i w_i = 0 for every i.                            (LCP)
 *
 * In a mixed problem some variables are free: z_i has no sign, and its row is an equation w_i = 0. The block of the
 * free variables may be singular, as it is where equations depend on each other, or where free variables are
 * multipliers of equations among the other z. There is one exception: it leaves over an equation that binds other z,
 * or a free variable that acts on other w, and no row of M connects the two. Then no LCP is equivalent, and the
 * outcome may be `ray` or `failed` although there is a solution.
 *
 *     double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
 *     abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
 *     abut_lcp_options options = abut_lcp_default_options();
 *     abut_lcp_limits limits = {.n = 2};
 *     abut_lcp_workspace *work = NULL;
 *     if (abut_lcp_workspace_create(&limits, NULL, &work) != ABUT_OK) ...
 *     abut_lcp_result result;
 *     abut_status status = abut_lcp_solve(work, &problem, &options, &result);
 *     if (status == ABUT_OK && result.outcome == ABUT_SOLVED) ... result.z[0], result.residual ...
 *     abut_lcp_workspace_destroy(work);
 *
 * +-- Residual --------------------
 * |
 * |  scales     M'_ij = r_i M_ij c_j,   q'_i = r_i q_i,   z'_j = z_j / c_j,   w'_i = r_i w_i
 * |             r_i and c_j are powers of two that bring the largest entry of every nonzero row and column of M'
 * |             near 1; for symmetric M, r = c up to one common factor
 * |  residual   max_i |min(z'_i, w'_i)| / max_i |q'_i|          (free i: |w'_i| in place of the min)
 * |             q = 0 asks for z = 0: the residual is then 0 or infinity
 * |  solved     means residual <= options.tolerance
 * +--------------------
 *
 * Every answer is measured by a verifier that shares no code with the solvers and knows only M, q and z. The residual
 * does not change when the problem is multiplied by a constant (unless M = 0, which relates no z to any w).
 */
#ifndef ABUT_LCP_H
#define ABUT_LCP_H

#include "abut/base.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The problem. All arrays are borrowed for the time of the call and never written. */
typedef struct abut_lcp_problem {
    /* Number of variables, 1 .. ABUT_COUNT_MAX. */
    int n;
    /* n x n, row-major: M[i * ld + j] is row i, column j; all finite. */
    const double *M;
    /* Leading dimension of M, >= n. */
    int ld;
    /* n; all finite. */
    const double *q;
    /* Number of free variables, 0 .. n; 0 by default. */
    int free_count;
    /* free_count distinct indices in 0 .. n-1, ascending; NULL when free_count is 0. */
    const int *free;
} abut_lcp_problem;

typedef enum abut_lcp_method {
    ABUT_LCP_AUTO = 0,   /* chooses by structure, falls back; the result says who answered */
    ABUT_LCP_LEMKE,      /* any M; exact pivoting along Lemke's path, O(n^2) a pivot */
    ABUT_LCP_DANTZIG,    /* symmetric positive semidefinite M; principal pivoting by driving */
    ABUT_LCP_ENUMERATE,  /* any M, at most ABUT_LCP_ENUMERATE_MAX variables; every complementary basis */
    ABUT_LCP_ACTIVE_SET, /* positive semidefinite M; Sharaf's ellipsoid and threshold phases */
    ABUT_LCP_METHOD_COUNT
} abut_lcp_method;

#define ABUT_LCP_ENUMERATE_MAX 16

/* "auto", "lemke", "dantzig", "enumerate", "active-set". Never NULL. */
ABUT_API const char *abut_lcp_method_name(abut_lcp_method method);
/* The method of that name; false when there is none. */
ABUT_API bool abut_lcp_method_from_name(const char *name, abut_lcp_method *method);

/* One line of a method's story, for people who study it. A field that a method does not have is NaN, -1 or NULL.
 * Pointers are valid during the callback only. */
typedef struct abut_lcp_trace {
    /* Whose story it is; never AUTO. */
    abut_lcp_method method;
    /* What happened: "enter", "cut", "boundary", "working-set", "fallback", ... */
    const char *step;
    /* Counts from 0. */
    int iteration;
    /* Index of the entering variable: z_i is i, w_i is n + i, z0 is 2n; or -1. */
    int entering;
    /* Index of the leaving variable, likewise. */
    int leaving;
    /* Lemke: value of the artificial variable. */
    double z0;
    /* Active-set: f = z'(Mz + q). */
    double objective;
    /* Active-set: V_th. */
    double threshold;
    /* Step length, or depth alpha of an ellipsoid cut. */
    double length;
    /* Size of the working set (active-set) or of the basis (others); or -1. */
    int set_count;
    /* set_count indices, or NULL. */
    const int *set;
    /* n: the point, in the caller's units, or NULL. */
    const double *z;
} abut_lcp_trace;

typedef void (*abut_lcp_trace_function)(const abut_lcp_trace *record, void *context);

/* How Sharaf's method chooses an ellipsoid cut. */
typedef enum abut_lcp_cut {
    ABUT_LCP_CUT_VIOLATION = 0, /* the row that is violated most: what the paper's example does */
    ABUT_LCP_CUT_DEPTH,         /* the row with the largest alpha: what the paper's text says */
} abut_lcp_cut;

/* Knobs of `active-set` only. */
typedef struct abut_lcp_active_set_options {
    /* The paper's two phases and nothing more, to study them: there is one ellipsoid, which does not grow, there is no
     * fallback, and of `start` only the point is taken. Default false. */
    bool alone;
    /* Default ABUT_LCP_CUT_VIOLATION. */
    abut_lcp_cut cut;
    /* > 0: the radius of the first ellipsoid, in the caller's units. Unless `alone`, it is grown tenfold where it
     * proves too small, up to six times. Default 0: chosen from the data. */
    double radius;
    /* > 0: cuts of an ellipsoid at most. Default 0: 40 (n + 1); with `alone` the paper's k*, which is astronomic. */
    int max_cuts;
} abut_lcp_active_set_options;

typedef struct abut_lcp_options {
    /* Default ABUT_LCP_AUTO. */
    abut_lcp_method method;
    /* The residual that still counts as solved, 1e-15 .. 1e-3. Default 1e-9. */
    double tolerance;
    /* > 0: pivots at most; beyond them the outcome is `limit`. Default 0: chosen by the method so that only true
     * cycling meets it. */
    int max_pivots;
    /* s, > 0: time budget of abut_lcp_solve; beyond it the outcome is `limit`. Default 0: none. */
    double max_seconds;
    /* Lemke tries this many further covering vectors after a ray, >= 0. Default 8. */
    int max_covers;
    /* n positive numbers: Lemke's covering vector. Default NULL: all ones. */
    const double *cover;
    /* n numbers: the z of a similar problem, to start from. dantzig takes its support, active-set the point or its
     * support. Default NULL. */
    const double *start;
    /* Knobs of `active-set`. */
    abut_lcp_active_set_options active_set;
    /* Called once an iteration. Default NULL. */
    abut_lcp_trace_function trace;
    /* Handed to trace. Default NULL. */
    void *trace_context;
} abut_lcp_options;

ABUT_API abut_lcp_options abut_lcp_default_options(void);

/* What `active-set` says about its own way. */
typedef enum abut_lcp_phase {
    ABUT_LCP_PHASE_NONE = 0,  /* another method answered, or q >= 0 */
    ABUT_LCP_PHASE_ELLIPSOID, /* phase 1 ended it */
    ABUT_LCP_PHASE_THRESHOLD, /* phase 2 ended it */
    ABUT_LCP_PHASE_FALLBACK,  /* driving or Lemke, started from the current set */
} abut_lcp_phase;

typedef enum abut_lcp_stall {
    ABUT_LCP_STALL_NONE = 0,     /* they finished */
    ABUT_LCP_STALL_ZERO_STEP,    /* a blocking row allowed no step towards the subproblem's point */
    ABUT_LCP_STALL_EMPTY_SET,    /* no rho gave a working set */
    ABUT_LCP_STALL_INCONSISTENT, /* the reduced system has no solution */
    ABUT_LCP_STALL_NOT_FEASIBLE, /* no feasible point was found within the ellipsoid and the cuts allowed */
    ABUT_LCP_STALL_INEXACT,      /* the phases ended, but their point misses the tolerance */
} abut_lcp_stall;

typedef struct abut_lcp_result {
    /* What the mathematics said. */
    abut_outcome outcome;
    /* The one that answered; never AUTO. */
    abut_lcp_method method;
    /* The problem's number of variables. */
    int n;
    /* Basis changes over all tries; Lemke counts the first z0 pivot too. */
    int pivots;
    /* Covering vectors tried beyond the first. */
    int covers;
    /* The verifier's; infinity when there is no z. */
    double residual;

    /* The arrays have n numbers; they are in the workspace, valid until its next use.
     *
     * Solved and limit: the point; else NULL. */
    const double *z;
    /* M z + q as the verifier computed it; NULL where z is. */
    const double *w;
    /* Ray: direction r >= 0 of the unbounded edge (its z part); else NULL. */
    const double *ray;
    /* Infeasible: Farkas vector u, see abut_lcp_verify_witness; else NULL. */
    const double *witness;
    /* Infeasible: rho; no solution has a 1-norm below it. */
    double witness_bound;

    /* active-set: where it ended. */
    abut_lcp_phase phase;
    /* active-set: why phases 1 and 2 could not finish. */
    abut_lcp_stall stall;
    /* active-set: ellipsoid cuts. */
    int cuts;
    /* active-set: working-set steps. */
    int steps;
} abut_lcp_result;

/* What a workspace must hold. */
typedef struct abut_lcp_limits {
    /* The largest number of variables, 1 .. ABUT_COUNT_MAX. */
    int n;
    /* 0: all; else an OR of 1u << method; AUTO stands for the methods it uses. */
    unsigned methods;
} abut_lcp_limits;

typedef struct abut_lcp_workspace abut_lcp_workspace;

/* Makes a workspace; `allocator` NULL means the C library's. One allocation. */
ABUT_API abut_status abut_lcp_workspace_create(const abut_lcp_limits *limits, const abut_allocator *allocator,
                                               abut_lcp_workspace **workspace);
/* NULL is fine. */
ABUT_API void abut_lcp_workspace_destroy(abut_lcp_workspace *workspace);

/* Solves. Allocates nothing, prints nothing, keeps nothing between calls: the same problem gives
 * the same bits whatever was solved before. */
ABUT_API abut_status abut_lcp_solve(abut_lcp_workspace *workspace, const abut_lcp_problem *problem,
                                    const abut_lcp_options *options, abut_lcp_result *result);

/* Why abut_lcp_solve would return ABUT_INVALID_ARGUMENT, in words ("M[2][0] is not finite"). */
ABUT_API abut_status abut_lcp_validate(const abut_lcp_problem *problem, abut_error *error);

/* Shows every solution, in the order of the complementary bases read as binary numbers (bit i set: z_i is basic), and
 * equal points once. A continuum of solutions shows all its corner points, and those only. n is at most
 * ABUT_LCP_ENUMERATE_MAX. `visit` may stop the walk by returning false; `count` gets the number of solutions. */
typedef bool (*abut_lcp_visit)(const double *z, const double *w, double residual, void *context);
ABUT_API abut_status abut_lcp_enumerate(abut_lcp_workspace *workspace, const abut_lcp_problem *problem,
                                        const abut_lcp_options *options, abut_lcp_visit visit, void *context,
                                        int *count);

/* ------------------------------------------------------------------------------------------------
 * The verifier: it knows the problem and the claim, nothing else. */

typedef struct abut_lcp_check {
    /* Scaled natural residual, defined at the head of this file. */
    double residual;
    /* The index i of the largest, or -1 for n = 0 and residual 0. */
    int worst;
    /* Smallest z_i over the variables that are not free (infinity if none). */
    double min_z;
    /* Likewise w_i. */
    double min_w;
    /* Largest |z_i w_i|. */
    double complementarity;
    /* Largest |w_i| over the free variables. */
    double equation;
} abut_lcp_check;

/* Computes w = M z + q into `w` (n numbers) and judges z. `scratch` holds 3 n doubles. */
ABUT_API abut_status abut_lcp_verify(const abut_lcp_problem *problem, const double *z, double *w,
                                     double *scratch, abut_lcp_check *check);

/* Judges a Farkas witness u: n numbers with u_i >= 0 unless i is free, M'u <= 0 (zero at free columns), and q'u < 0. It
 * proves that no solution has a 1-norm below
 *
 *     rho = -q'u / max(M'u, 0, rounding),
 *
 * which *bound gets. Returns whether the witness proves the problem infeasible for all practical purposes: u >= 0 and
 * rho >= 1e6 max|q| / max|M|. */
ABUT_API bool abut_lcp_verify_witness(const abut_lcp_problem *problem, const double *u, double *bound);

#ifdef __cplusplus
}
#endif

#endif
