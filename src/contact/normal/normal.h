/* Models in which only the normal impulses are unknown with a sign: frictionless, viscous, no-slip.
 *
 * Equations come first (joint rows; for no-slip the tangent rows of the contacts that are held),
 * then an LCP in the normal impulses remains (Drumwright, sections IV and V, as corrected):
 *
 *     v = v0 + P N' z,   w = N v + offset = F z + q,   F = N P N',   0 <= z perp w >= 0.
 *
 * In mass-scaled coordinates P = I - Q'Q with Q an orthonormal basis of the independent equation rows
 * (Algorithm 2), and v0 is the velocity that satisfies the equations without any normal impulse. F is
 * never formed here: everything a pivoting method asks of it are products with the projected rows
 * N P, of which at most `dof` are independent.
 *
 * A row with two bounds (build/lift.h) is a lane without tangents: its row stands among the normals, its z lies between
 * -half and half, and
 *
 *     w >= 0 at -half,   w = 0 between them,   w <= 0 at half.
 *
 * What such rows push at their bounds is part of v0 and q, so that z of the others means what it meant. Algorithm 1 leaves
 * them to driving.
 *
 * The method that answers the LCP is a parameter: Algorithm 1 (ppm.c) on the rows, or one of the
 * dense ones of the LCP room (normal/lcp.c). */
#ifndef ABUTI_CONTACT_NORMAL_NORMAL_H
#define ABUTI_CONTACT_NORMAL_NORMAL_H

#include "base/clock.h"
#include "contact/system/system.h"
#include "lcp/solver.h"
#include "linalg/cholesky.h"
#include "linalg/kernels.h"
#include <math.h>

/* Degrees of freedom up to which redundant contacts share their impulses evenly (normal/spread.c). */
enum { ABUTI_SPREAD_DOF = 96 };
/* Contacts and joint rows of an island up to which all choices of held contacts are gone through
 * (no_slip_search.c). */
enum { ABUTI_SEARCH_CONTACTS = 64, ABUTI_SEARCH_JOINTS = 64 };

typedef struct abuti_normal {
    const abuti_kernels *kernels;
    int n;
    int dof;      /* bodies * dim, */
    int dof_room; /* and at most */
    int ld;       /* dof rounded up to a multiple of 8 */

    /* Equations (normal/equations.c): row.v + offset = 0 */
    int kept;       /* independent ones */
    double *E;      /* (joints + 2 n) x ld: equation rows, then what the kept ones leave of them */
    double *E_size; /* [equation]: |row| */
    int *E_id;      /* [equation]: see kept_id */
    int E_count;
    bool moving; /* some equation has a right-hand side */
    int *faint;  /* [equation]: ids of those left out until a velocity shows that they are needed */
    int faint_count;
    /* A faint equation is violated when its velocity, per size of its row, exceeds this part of the motion. */
    double violated;
    bool strict;  /* a faint equation was violated, and was kept */
    int *kept_id; /* [kept]: joint j is j; tangent axis a of contact i is joints + 2 i + (a - 1) */
    double *Q;    /* (dof + 1) x ld: orthonormal rows, and one for intermediate results */
    double *R;    /* dof x dof_ld: row k holds kept equation k in terms of Q (lower triangular) */
    int R_ld;
    double *level; /* [kept]: Q v of every velocity that satisfies the equations */

    /* The LCP */
    double *N;  /* n x ld: projected normal rows */
    double *v0; /* ld */
    double *q;  /* n */
    double *
        half; /* n: half the width of a row with two bounds; INFINITY for contacts, whose z has no upper bound */
    double *pushed; /* n: what of z is part of v0 and q */
    bool boxed;     /* some lane is such a row */
    double *length; /* n: |n_i|^2 before projection */
    double *left;   /* n: |n_i|^2 after it */
    /* n: nothing of row i is left by the projection, or too little to push against unless a velocity shows that it is
     * needed. */
    bool *immobile;
    bool *blurred;    /* n: driving found that no force of a size that leaves digits lifts it (ppm_drive.c) */
    double scale;     /* size of the motion before anything is projected away */
    bool ready;       /* everything above belongs to the present equations */
    double tolerance; /* below this a normal velocity is rounding, see normal/equations.c */

    /* The answer of the method */
    double *z; /* n */
    double *w; /* n */
    double *v; /* ld */
    int *set;  /* contacts whose z is solved for */
    int set_count;
    double *ray; /* n, when the method ends on one */
    int pivots;  /* of this call of the method */

    /* The budget of the stage. */
    int pivots_left;
    double deadline;

    /* Algorithm 1 (ppm.c, ppm_drive.c) */
    abuti_cholesky F; /* of the set */
    double *column;   /* dof + 1 */
    double *unknowns; /* dof + 1 */
    double *rest;     /* ld: what of a row the set leaves */
    uint64_t *seen;   /* hashes of the sets so far */
    int seen_room;

    /* No-slip (no_slip.c, no_slip_search.c, normal/spread.c) */
    bool *held;   /* n: its tangent rows are equations */
    bool *locked; /* n: may not be dropped any more */
    bool *later;  /* n: its rows come after those of the others */
    struct abuti_hold_search *search;
    double *columns; /* dof x (3 n + joints) padded: up to ABUTI_SPREAD_DOF, else NULL */
    double *spread;  /* 2 x (3 n + joints) padded */
    int *spread_id;  /* 3 n + joints */

    /* Dense methods (normal/lcp.c); NULL and 0 when the family is ppm's */
    const abuti_lcp_solver *lcp;
    void *lcp_scratch;
    int lcp_room;  /* contacts at most */
    double *dense; /* F, lcp_room x lcp_room padded */
    double *ones;  /* lcp_room */
    double *start; /* lcp_room */
} abuti_normal;

/* Projected normal row of a contact. */
static inline const double *abuti_normal_row(const abuti_normal *s, int contact)
{
    return s->N + (size_t)contact * (size_t)s->ld;
}

/* The product of two vectors over all degrees of freedom; their padding is zero. */
static inline double abuti_normal_dot(const abuti_normal *s, const double *a, const double *b)
{
    return s->kernels->dot(s->ld, a, b);
}

/* Sets up the LCP for the contacts in s->held. ABUT_SOLVED: it is ready; ABUT_INFEASIBLE: equations
 * contradict each other; ABUT_LIMIT: the budget is spent, and nothing is ready. */
abut_outcome abuti_normal_prepare(abuti_normal *s, const abuti_system *system);

/* Algorithm 2: keeps the independent equations. ABUT_INFEASIBLE: they contradict each other by more than
 * rounding of velocities of size s->scale; ABUT_LIMIT: the budget is spent. */
abut_outcome abuti_normal_equations(abuti_normal *s, const abuti_system *system);
/* Keeps those of the left-out equations that v does not satisfy; v follows each one that is kept. *any is set when
 * there is one. ABUT_INFEASIBLE: one contradicts the equations that are kept. */
abut_outcome abuti_normal_keep_violated(abuti_normal *s, const abuti_system *system, bool *any);

/* Looks at the answer: false when it moves against something that was left out, which is then put in. The
 * method must run again, unless *outcome is not ABUT_SOLVED any more. */
bool abuti_normal_complete(abuti_normal *s, const abuti_system *system, abut_outcome *outcome);

/* Whether the budget of the stage is spent; looks at the clock. */
static inline bool abuti_normal_spent(const abuti_normal *s)
{
    return abuti_budget_spent(s->pivots, s->pivots_left, s->deadline);
}

/* Whether lane i is a row with two bounds. */
static inline bool abuti_normal_is_row(const abuti_normal *s, int i)
{
    return s->half[i] < INFINITY;
}

/* The least z of lane i. */
static inline double abuti_normal_least(const abuti_normal *s, int i)
{
    return abuti_normal_is_row(s, i) ? -s->half[i] : 0.0;
}

/* A contact separates when its normal velocity is more than rounding. A bounded row never does. */
static inline bool abuti_normal_separates(const abuti_normal *s, int i)
{
    return !abuti_normal_is_row(s, i) && s->z[i] == 0.0 && s->w[i] > 100.0 * s->tolerance;
}

/* A contact's or joint's row over all degrees of freedom, into out[ld]. */
void abuti_normal_contact_row(const abuti_normal *s, const abuti_system *system, int contact, int axis,
                              double *out);
void abuti_normal_joint_row(const abuti_normal *s, const abuti_system *system, int joint, double *out);
/* Takes what lies along Q out of a row; the coordinates of that part go into along[kept + 1]. */
void abuti_normal_project(const abuti_normal *s, double *row, double *along);

/* Finds w and v of the present z and set: v = v0 + sum over the set, w = N v + offset. */
void abuti_normal_velocities(abuti_normal *s);

/* Recovers the normal, tangent and joint impulses from v and z. */
void abuti_normal_recover(abuti_normal *s, const abuti_system *system, abuti_answer *answer);

/* What lane i pushes as part of v0 and q is `to` from now on. */
void abuti_normal_push(abuti_normal *s, int i, double to);

/* Answers the prepared LCP in z, w, v, set. */
typedef abut_outcome (*abuti_normal_method)(abuti_normal *s, const abuti_stage_context *context);

abut_outcome abuti_normal_lcp(abuti_normal *s, const abuti_stage_context *context);
abut_outcome abuti_ppm(abuti_normal *s, const abuti_stage_context *context);
abut_outcome abuti_ppm_drive(abuti_normal *s);

/* Both methods share the kept factor of the set. abuti_ppm_solve finds z of the set from q, abuti_ppm_remainder finds
 * what a contact's row keeps beyond the set, and abuti_ppm_insert returns false when the contact is dependent. */
void abuti_ppm_solve(abuti_normal *s);
/* The square of what the set leaves of the row, 0 when it depends on the set. The combination of the set's
 * rows that makes up the rest stands in `unknowns`, its coordinates in the factor in `column`. */
double abuti_ppm_remainder(abuti_normal *s, int contact);
bool abuti_ppm_insert(abuti_normal *s, int contact);
/* The contact or row at a place of the set leaves it, with z = to: 0, or a bound of a bounded row. */
void abuti_ppm_remove(abuti_normal *s, int place, double to);

/* Replaces the impulses by those of least norm among all that give the motion of the answer. */
void abuti_normal_spread(abuti_normal *s, const abuti_system *system, abuti_answer *answer);

/* Solves for the contacts in s->held. */
typedef abut_outcome abuti_hold_try(void *context);
/* Goes through the choices of held contacts that may be consistent, sets s->held to each and calls `attempt`
 * until it returns something else than ABUT_FAILED. ABUT_INFEASIBLE: there is none; ABUT_FAILED: none was
 * found, and the search did not go through all. */
abut_outcome abuti_hold_search_run(abuti_normal *s, const abuti_system *system, abuti_hold_try *attempt,
                                   void *context);
struct abuti_hold_search *abuti_hold_search_layout(abuti_arena *arena, const abut_contact_limits *limits,
                                                   int dof);

/* The whole stage: prepares, answers, lets go of separating contacts (no-slip), recovers. */
abut_outcome abuti_normal_run(abuti_normal *s, const abuti_system *system, const abuti_stage_context *context,
                              abuti_answer *answer, abuti_normal_method method);

/* The stages (normal/stages.c), for the table in solvers.c. */
extern const abuti_stage abuti_stage_ppm;
extern const abuti_stage abuti_stage_normal_dantzig;
extern const abuti_stage abuti_stage_normal_active_set;
extern const abuti_stage abuti_stage_normal_lemke;
extern const abuti_stage abuti_stage_distance; /* normal/distance.c */

#endif
