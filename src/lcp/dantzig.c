/* Dantzig: symmetric positive semidefinite M by principal pivoting.
 *
 * The state is a set S of basic z, kept such that M_SS is regular, with the Cholesky factor of M_SS:
 *
 *     z_S = -M_SS^-1 q_S,   z = 0 elsewhere,   w = M_:S z_S + q.
 *
 * S is right when z_S >= 0 and w >= 0. Two ways lead there.
 *
 * 1. Blocks (Judice and Pires 1994). Start from the rows with q < 0, or from the caller's start, and let
 *    every violated index change sides at once. On well-behaved problems a handful of rounds is enough.
 *    Each round factorises M_SS only, which costs (|S| / n)^3 / 2 of an elimination of M. Nothing proves
 *    that the rounds end: when the number of violations stops falling, or M_SS is singular, the second
 *    way takes over from the present S without its negative z.
 *
 * 2. Driving (Dantzig; Baraff 1994, section 4; as a dual active set, Goldfarb and Idnani 1983). Take the
 *    most violated row d and raise z_d while w_S = 0 is held:
 *
 *        dz_d = 1,  dz_S = -M_SS^-1 M_Sd,  dw_d = M_dd - M_dS M_SS^-1 M_Sd >= 0,
 *
 *    until w_d = 0 (d joins S) or some z_j = 0 first (j leaves S, and d is driven on). When dw_d = 0, row d
 *    depends on S: nothing but a z_j can stop the step, j and d change places, and redundant rows never
 *    meet in S. When nothing stops it, u = (dz_S, 1) >= 0 has M u = 0 and q'u = w_d < 0: a Farkas
 *    witness. z'Mz / 2 + q'z falls with every row that joins, and at most |S| indices leave in between, so
 *    ties and redundancy cannot make it cycle.
 *
 * A negative dw_d shows that M is not semidefinite: the method gives up. */
#include "lcp/solver.h"
#include "linalg/cholesky.h"
#include "linalg/kernels.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Row d depends on S when dw_d <= RANK_ZERO M_dd + RANK_NOISE max |dz_S|^2. The first term is the rounding in
 * a factor of some hundred rows, the second what an ill-conditioned M_SS makes of it. */
#define RANK_ZERO 1e-12
#define RANK_NOISE 1e-14
/* When dw_d lies below zero by so many times that bound, rounding does not explain it: M is indefinite. */
#define INDEFINITE 100

/* z_j blocks only where dz_j < -BLOCKING max(1, |dz|): a smaller |dz_j| is a zero that was rounded. */
#define BLOCKING 1e-11
/* Blocking ratios this close, relatively, tie; the largest |dz_j| of them leaves. */
#define TIE 1e-10

/* A violation up to VIOLATION (1 + |z|_1) is rounding of w = M z + q, whose terms are of order one, as long as
 * it stays below UNREPAIRED times the tolerance. A violation that nothing can repair may be as large as that
 * second bound. */
#define VIOLATION (64 * DBL_EPSILON)
#define UNREPAIRED 0.1

/* Driving takes over after this many block rounds without a new least number of violations. */
#define PATIENCE 4
/* The final point is refined at most REFINEMENTS times. A refinement that changes it by less than REFINED,
 * relatively, is the last. */
#define REFINEMENTS 3
#define REFINED (64 * DBL_EPSILON)
/* The default budget. Driving needs about 2 n steps, blocks a few n. */
#define PIVOTS_PER_VARIABLE 100

typedef struct dantzig {
    const abuti_kernels *kernels;
    const abuti_lcp *problem;
    const abut_lcp_options *options;
    abuti_lcp_answer *answer;
    int max_pivots, iteration;

    abuti_cholesky factor; /* of M_SS, rows in the order of `set` */
    int *set;              /* S: factor.k indices */
    bool *member;          /* n: i is in S */
    bool *given_up;        /* n: violated a little, and nothing can repair it */
    double *z, *w;         /* n, padded with zeros */
    double *x;             /* n: M_SS^-1 M_Sd, or any vector over S */
    double *row;           /* n: a row of the factor */
    double *traced;        /* n */
} dantzig;

typedef enum drive_end { DRIVE_DONE, DRIVE_RAY, DRIVE_INDEFINITE, DRIVE_LIMIT } drive_end;

static void *layout(abuti_arena *arena, int n)
{
    dantzig *self = abuti_take(arena, 1, dantzig);
    dantzig counted, *s = self ? self : &counted;
    int padded = abuti_padded(n);
    s->factor.ld = abuti_leading_dimension(n);
    s->factor.L = abuti_take(arena, (size_t)n * (size_t)s->factor.ld, double);
    s->set = abuti_take(arena, n, int);
    s->member = abuti_take(arena, n, bool);
    s->given_up = abuti_take(arena, n, bool);
    s->z = abuti_take(arena, padded, double);
    s->w = abuti_take(arena, padded, double);
    s->x = abuti_take(arena, padded, double);
    s->row = abuti_take(arena, padded, double);
    s->traced = abuti_take(arena, n, double);
    return self;
}

static const double *row_of_M(const dantzig *s, int i)
{
    return s->problem->M + (ptrdiff_t)i * s->problem->ld;
}

static void trace(dantzig *s, const char *step, int entering, int leaving, double length)
{
    int iteration = s->iteration++;
    if (!s->options->trace) return;
    for (int i = 0; i < s->problem->n; ++i) s->traced[i] = s->z[i] * s->problem->column_scale[i];
    abut_lcp_trace record = {
        .method = ABUT_LCP_DANTZIG,
        .step = step,
        .iteration = iteration,
        .entering = entering,
        .leaving = leaving,
        .z0 = NAN,
        .objective = NAN,
        .threshold = NAN,
        .length = length,
        .set_count = s->factor.k,
        .set = s->set,
        .z = s->traced,
    };
    s->options->trace(&record, s->options->trace_context);
}

/* ---- the set S and its factor ------------------------------------------------------------------ */

/* Appends i to S; false when row i depends on S. */
static bool join(dantzig *s, int i)
{
    const double *row = row_of_M(s, i);
    for (int k = 0; k < s->factor.k; ++k) s->row[k] = row[s->set[k]];
    if (!abuti_cholesky_insert(&s->factor, s->row, row[i], RANK_ZERO)) return false;
    s->set[s->factor.k - 1] = i;
    s->member[i] = true;
    return true;
}

/* Takes the k-th of S out. */
static void leave(dantzig *s, int k)
{
    s->member[s->set[k]] = false;
    abuti_cholesky_delete(&s->factor, k);
    memmove(s->set + k, s->set + k + 1, (size_t)(s->factor.k - k) * sizeof *s->set);
}

/* Makes S the first `count` indices in `set`, of which the first `kept` are factorised. False when some
 * depended on others; they are out. */
static bool extend(dantzig *s, int kept, int count)
{
    const abuti_lcp *p = s->problem;
    s->factor.k = kept;
    int accepted = abuti_cholesky_append(&s->factor, p->M, p->ld, s->set, count, RANK_ZERO, s->row);
    for (int i = 0; i < p->n; ++i) s->member[i] = false;
    for (int k = 0; k < accepted; ++k) s->member[s->set[k]] = true;
    return accepted == count;
}

/* Takes the indices whose `member` was cleared out of `set`; *count is the number left. Returns how many
 * indices stand before the first that was taken out: the factor of these stays as it is. */
static int close_gaps(dantzig *s, int *count)
{
    int before = s->factor.k;
    *count = 0;
    for (int k = 0; k < s->factor.k; ++k) {
        if (s->member[s->set[k]]) {
            s->set[(*count)++] = s->set[k];
        } else if (*count == k) {
            before = k;
        }
    }
    return before;
}

/* z_S = -M_SS^-1 q_S, z = 0 elsewhere */
static void solve_z(dantzig *s)
{
    int count = s->factor.k;
    for (int k = 0; k < count; ++k) s->x[k] = -s->problem->q[s->set[k]];
    abuti_cholesky_solve(&s->factor, s->x);
    memset(s->z, 0, (size_t)s->problem->n * sizeof *s->z);
    for (int k = 0; k < count; ++k) s->z[s->set[k]] = s->x[k];
}

/* w = M z + q; returns the violation that is rounding. */
static double compute_w(dantzig *s)
{
    const abuti_lcp *p = s->problem;
    s->kernels->multiply(p->n, abuti_padded(p->n), p->M, p->ld, s->z, s->w);
    double size = 1;
    for (int i = 0; i < p->n; ++i) {
        s->w[i] += p->q[i];
        size += fabs(s->z[i]);
    }
    return fmin(VIOLATION * size, UNREPAIRED * s->options->tolerance);
}

/* ---- 1. blocks --------------------------------------------------------------------------------- */

/* S from the caller's start, or from the rows that are violated at z = 0. False when M_SS is singular. */
static bool first_set(dantzig *s)
{
    const abuti_lcp *p = s->problem;
    int count = 0;
    for (int i = 0; i < p->n; ++i) {
        s->given_up[i] = false;
        if (count < s->max_pivots && (p->start ? p->start[i] > 0 : p->q[i] < 0)) s->set[count++] = i;
    }
    bool regular = extend(s, 0, count);
    s->answer->pivots = s->factor.k;
    return regular;
}

/* Every violated index changes sides. False when M_SS became singular. */
static bool change_sides(dantzig *s, double slack)
{
    int n = s->problem->n, count;
    for (int k = 0; k < s->factor.k; ++k) {
        int i = s->set[k];
        s->member[i] = s->z[i] >= -slack || s->answer->pivots >= s->max_pivots;
        s->answer->pivots += !s->member[i];
    }
    int kept = close_gaps(s, &count);
    for (int i = 0; i < n; ++i) {
        /* z_i = 0 only outside the old set, or where i stays in */
        if (s->member[i] || s->z[i] != 0 || s->w[i] >= -slack || s->answer->pivots >= s->max_pivots) continue;
        s->set[count++] = i;
        s->answer->pivots++;
    }
    return extend(s, kept, count);
}

static int violations(const dantzig *s, double slack)
{
    int count = 0;
    for (int i = 0; i < s->problem->n; ++i) count += s->member[i] ? s->z[i] < -slack : s->w[i] < -slack;
    return count;
}

/* True when S is right. */
static bool try_blocks(dantzig *s)
{
    bool regular = first_set(s);
    int least = s->problem->n + 1, patience = PATIENCE;
    while (regular && s->answer->pivots < s->max_pivots && !abuti_lcp_late(s->problem)) {
        solve_z(s);
        double slack = compute_w(s);
        int count = violations(s, slack);
        trace(s, "block", -1, -1, NAN);
        if (count == 0) return true;
        patience = count < least ? PATIENCE : patience - 1;
        least = count < least ? count : least;
        if (patience == 0) return false;
        regular = change_sides(s, slack);
    }
    return false;
}

/* ---- 2. driving -------------------------------------------------------------------------------- */

/* Makes z_S >= 0 by taking negative z out of S until none is left. Once the pivots are spent the remaining negative
 * z stay in S. */
static void drop_negatives(dantzig *s)
{
    for (;;) {
        solve_z(s);
        int before = s->factor.k, count;
        for (int k = 0; k < before; ++k) {
            s->member[s->set[k]] = s->z[s->set[k]] >= 0 || s->answer->pivots >= s->max_pivots;
            s->answer->pivots += !s->member[s->set[k]];
        }
        int kept = close_gaps(s, &count);
        if (count == before) return;
        extend(s, kept, count); /* what turns out to depend on others stays out */
    }
}

static int most_violated(const dantzig *s, double slack)
{
    int worst = -1;
    double least = -slack;
    for (int i = 0; i < s->problem->n; ++i) {
        if (!s->member[i] && !s->given_up[i] && s->w[i] < least) {
            least = s->w[i];
            worst = i;
        }
    }
    return worst;
}

/* x = M_SS^-1 M_Sd = -dz_S; returns dw_d. */
static double direction(dantzig *s, int d)
{
    const double *row = row_of_M(s, d);
    int count = s->factor.k;
    for (int k = 0; k < count; ++k) s->x[k] = row[s->set[k]];
    abuti_cholesky_forward(&s->factor, s->x);
    double rise = row[d] - s->kernels->dot(count, s->x, s->x);
    abuti_cholesky_backward(&s->factor, s->x);
    return rise;
}

/* The place in S whose z reaches zero first, or -1. */
static int first_blocking(const dantzig *s, double size, double *step)
{
    int best = -1, count = s->factor.k;
    double least = INFINITY, threshold = BLOCKING * fmax(1, size);
    for (int k = 0; k < count; ++k) {
        if (s->x[k] > threshold) least = fmin(least, s->z[s->set[k]] / s->x[k]);
    }
    for (int k = 0; k < count; ++k) {
        if (!(s->x[k] > threshold) || s->z[s->set[k]] / s->x[k] > least * (1 + TIE)) continue;
        if (best < 0 || s->x[k] > s->x[best]) best = k;
    }
    *step = least;
    return best;
}

/* u = (dz_S, 1), which is a Farkas witness when nothing stops the step */
static void take_witness(dantzig *s, int d)
{
    double *u = s->answer->witness;
    memset(u, 0, (size_t)s->problem->n * sizeof *u);
    for (int k = 0; k < s->factor.k; ++k) u[s->set[k]] = fmax(-s->x[k], 0);
    u[d] = 1;
    s->answer->has_witness = true;
}

/* Raises z_d until w_d = 0. */
static drive_end drive(dantzig *s, int d)
{
    double diagonal = row_of_M(s, d)[d];
    for (;;) {
        if (s->answer->pivots >= s->max_pivots || abuti_lcp_late(s->problem)) return DRIVE_LIMIT;
        double rise = direction(s, d);
        double size = s->kernels->max_abs(s->factor.k, s->x);
        double rounding = RANK_ZERO * diagonal + RANK_NOISE * size * size;
        if (!(rise >= -INDEFINITE * rounding) || diagonal < 0) return DRIVE_INDEFINITE;
        double whole = rise > rounding ? -s->w[d] / rise : INFINITY, step;
        int blocking = first_blocking(s, size, &step);
        bool joins = whole <= step && whole < INFINITY && join(s, d);
        if (!joins && blocking < 0) {
            take_witness(s, d);
            return DRIVE_RAY;
        }
        s->answer->pivots++;
        if (joins) {
            trace(s, "drive", d, s->problem->n + d, whole);
            return DRIVE_DONE;
        }
        for (int k = 0; k < s->factor.k; ++k) s->z[s->set[k]] -= step * s->x[k];
        s->z[d] += step;
        s->w[d] += step * fmax(rise, 0);
        s->z[s->set[blocking]] = 0;
        trace(s, "swap", d, s->set[blocking], step);
        leave(s, blocking);
    }
}

static abut_outcome drive_all(dantzig *s)
{
    if (s->answer->pivots >= s->max_pivots) return ABUT_LIMIT;
    drop_negatives(s);
    for (;;) {
        int d = most_violated(s, compute_w(s));
        if (d < 0) return ABUT_SOLVED;
        double violation = -s->w[d];
        switch (drive(s, d)) {
        case DRIVE_DONE: break;
        case DRIVE_RAY:
            if (violation > UNREPAIRED * s->options->tolerance) return ABUT_INFEASIBLE;
            s->answer->has_witness = false;
            s->given_up[d] = true;
            break;
        case DRIVE_INDEFINITE: return ABUT_FAILED;
        case DRIVE_LIMIT: return ABUT_LIMIT;
        }
        drop_negatives(s); /* solves afresh, so that errors do not add up */
    }
}

/* ---- the method -------------------------------------------------------------------------------- */

/* Refines the point of the final set against M itself. On entry w must be that of z. */
static void finish(dantzig *s)
{
    int n = s->problem->n, count = s->factor.k;
    for (int pass = 0; pass < REFINEMENTS; ++pass) {
        if (pass > 0) compute_w(s);
        for (int k = 0; k < count; ++k) s->x[k] = -s->w[s->set[k]];
        abuti_cholesky_solve(&s->factor, s->x);
        for (int k = 0; k < count; ++k) s->z[s->set[k]] += s->x[k];
        double size = s->kernels->max_abs(n, s->z), change = s->kernels->max_abs(count, s->x);
        if (change <= REFINED * size) break;
    }
    for (int i = 0; i < n; ++i) s->answer->z[i] = fmax(s->z[i], 0);
}

static abut_outcome run(const abuti_lcp *problem, void *scratch, const abut_lcp_options *options,
                        abuti_lcp_answer *answer)
{
    dantzig *s = scratch;
    s->kernels = abuti_kernels_get();
    s->problem = problem;
    s->options = options;
    s->answer = answer;
    s->iteration = 0;
    s->max_pivots = options->max_pivots ? options->max_pivots : PIVOTS_PER_VARIABLE * (problem->n + 10);
    memset(s->z, 0, (size_t)abuti_padded(problem->n) * sizeof *s->z);
    abut_outcome outcome = try_blocks(s) ? ABUT_SOLVED : drive_all(s);
    if (outcome == ABUT_SOLVED) finish(s);
    if (outcome == ABUT_LIMIT) {
        for (int i = 0; i < problem->n; ++i) answer->z[i] = fmax(s->z[i], 0);
    }
    return outcome;
}

const abuti_lcp_solver abuti_lcp_dantzig = {
    .method = ABUT_LCP_DANTZIG,
    .name = "dantzig",
    .needs_symmetric = true,
    .layout = layout,
    .run = run,
};
