/* Lemke's algorithm for dense LCPs, in the efficient form Sargent asked for: the inverse of the small
 * part of the basis that is not trivial is kept up to date (lemke_basis.h), so a pivot costs O(n^2) at
 * most and O(n m) with m basic z.
 *
 *     q >= 0: z = 0.  Else z0 enters for the row with the least q_i / c_i; its z drives.
 *     repeat: ratio test; what blocks leaves the basis; its complement drives.
 *     until z0 leaves (solution) or nothing blocks (ray).
 *
 * Near ties go to the largest pivot. That rule takes the fewest pivots and keeps the basis well
 * conditioned, but it may cycle; the (basis, driving variable) pair determines all that follows, so a
 * pair that comes back proves a cycle, and the path is walked again with the lexicographic rule. The
 * same happens when the arithmetic breaks down. After a ray that proves nothing, other covering vectors
 * are tried; they lead along other paths.
 *
 * Nothing is believed before it is checked: at the end the basis is factored afresh from M, the
 * solution refined, and its residual measured; the verifier in the caller's units then decides. */
#include "lcp/lemke_basis.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* A q_i this little below zero, relative to max |q|, is a zero that was rounded. */
#define ZERO (2 * DBL_EPSILON)
/* The lines below which a path takes a number for rounding. Where noise ends depends on the condition of bases
 * not yet seen, so later tries draw the lines elsewhere. Narrow lines come first: where masses lie 1e6 apart some
 * z are 1e6 times q, and an allowance relative to these z would hide the errors of the small ones. */
static const abuti_lemke_lines lines[] = {
    {.pivot = 1e-9, .q = 1e-12, .z = 1e-15},
    {.pivot = 1e-8, .q = 1e-11, .z = 1e-14},
    {.pivot = 1e-10, .q = 1e-13, .z = 1e-15},
    {.pivot = 1e-11, .q = 1e-10, .z = 1e-12},
};
#define LINE_COUNT 4
/* A residual above this part of the tolerance is not good enough while other tries are left: the verifier
 * scales in its own way and may see a little more. */
#define SAFELY 0.01
/* A witness this strong ends the search at once. True infeasibility shows 1e12 and more; a weaker one may
 * belong to a problem whose solution is merely large, so the other tries go first. */
#define CLEAR_PROOF 1e10
/* Refinement of the final point stops gaining after this many steps. */
#define REFINEMENTS 3
/* The final set is given up after this many changes. Mostly one or two mend what the allowances of a path let
 * pass. */
#define REPAIRS 8
/* The default pivot budget: the longest path known for small n (Murty's 2^n), linear growth for large. */
#define LONGEST_EXPONENT 20
#define PIVOTS_PER_VARIABLE 200

typedef enum path_end { PATH_SOLVED, PATH_RAY, PATH_LIMIT, PATH_CYCLE, PATH_BROKEN } path_end;

/* Brent's cycle detection: one remembered pair, renewed after 1, 2, 4, ... pivots. */
typedef struct cycle_watch {
    uint64_t remembered;
    int pivots, renewal;
} cycle_watch;

typedef struct scratch {
    abuti_lemke basis;
    const abut_lcp_options *options;
    abuti_lcp_answer *answer;
    int max_pivots;
    double *z;       /* n: the point under test */
    double *traced;  /* n: the point in the caller's units */
    double best;     /* residual of answer->z */
    double proof;    /* strength of answer->witness; below zero while there is no ray */
    double *nearest; /* n: the point with the least z0 on the present path */
    double least_z0;
} scratch;

static void *layout(abuti_arena *arena, int n)
{
    scratch *self = abuti_take(arena, 1, scratch);
    scratch counted, *s = self ? self : &counted;
    abuti_lemke_basis_layout(&s->basis, arena, n);
    s->z = abuti_take(arena, abuti_padded(n), double);
    s->nearest = abuti_take(arena, n, double);
    s->traced = abuti_take(arena, n, double);
    return self;
}

/* ------------------------------------------------------------------------------------------------
 * Points */

/* max |min(z, w)| / max |q| with w = q + M z from the rows of M. */
static double natural_residual(const abuti_lemke *b, const double *z)
{
    const abuti_lcp *p = b->problem;
    double worst = 0;
    for (int i = 0; i < p->n; ++i) {
        double w = p->q[i] + b->inverse.kernels->dot(p->n, p->M + (size_t)i * (size_t)p->ld, z);
        double violation = fabs(fmin(z[i], w));
        if (!(violation <= worst)) worst = violation;
    }
    return worst / b->q_size;
}

/* Keeps z as the answer if it is the best point so far; true when the answer safely solves the problem. */
static bool offer_point(scratch *s, const double *z)
{
    double residual = natural_residual(&s->basis, z);
    if (residual < s->best) {
        s->best = residual;
        memmove(s->answer->z, z, (size_t)s->basis.n * sizeof(double));
    }
    return s->best <= SAFELY * s->options->tolerance;
}

/* Keeps a witness and the ray it came from, if it is the strongest so far. */
static void take_proof(scratch *s, const double *ray, const double *u, double strength)
{
    size_t bytes = (size_t)s->basis.n * sizeof(double);
    if (!(strength > s->proof)) return;
    s->proof = strength;
    s->answer->has_witness = strength >= ABUTI_LEMKE_PROOF;
    memmove(s->answer->ray, ray, bytes);
    memmove(s->answer->witness, u, bytes);
}

/* Solves M_aa z_a = -q_a with the fresh factorisation, refined, into s->z. */
static void solve_final_basis(scratch *s, int count)
{
    abuti_lemke *b = &s->basis;
    const abuti_lcp *p = b->problem;
    double *x = b->x, *residual = b->rhs, *correction = b->dx;
    memset(x, 0, (size_t)count * sizeof(double));
    for (int pass = 0; pass <= REFINEMENTS; ++pass) {
        memcpy(b->w, p->q, (size_t)p->n * sizeof(double));
        b->inverse.kernels->add_transposed(count, p->n, b->columns, b->ld, x, b->w);
        for (int t = 0; t < count; ++t) residual[t] = -b->w[b->row[t]];
        abuti_lu_solve(&b->lu, residual, correction);
        for (int t = 0; t < count; ++t) x[t] += correction[t];
    }
    memset(s->z, 0, (size_t)p->n * sizeof(double));
    for (int t = 0; t < count; ++t) s->z[b->column[t]] = fmax(x[t], 0);
}

/* The variable whose sign is the most wrong at the point of the final set: z in it, w outside; -1 when none is. */
static int most_wrong(scratch *s, int count)
{
    abuti_lemke *b = &s->basis;
    int worst = -1;
    double least = -DBL_EPSILON * b->q_size;
    memcpy(b->w, b->problem->q, (size_t)b->n * sizeof(double));
    b->inverse.kernels->add_transposed(count, b->n, b->columns, b->ld, b->x, b->w);
    for (int i = 0; i < b->n; ++i) {
        int slot = b->column_slot[i];
        double value = slot >= 0 ? b->x[slot] : b->w[i];
        if (!(value < least)) continue;
        least = value;
        worst = i;
    }
    return worst;
}

/* Solves the final set and, while its point is no answer, changes the set by its most wrong variable, a few times.
 * Redundant rows can share their impulses in many ways, and the path may end on a way in which one impulse is a hair
 * below zero. */
static bool solve_final_set(scratch *s, int count)
{
    for (int repairs = 0; repairs <= REPAIRS; ++repairs) {
        solve_final_basis(s, count);
        if (offer_point(s, s->z)) return true;
        int wrong = most_wrong(s, count);
        if (wrong < 0 || !abuti_lemke_change_final_set(&s->basis, wrong, &count)) return false;
    }
    return false;
}

/* z0 has left. The answer is the point of the final basis or, where that basis is too close to singular, the
 * point that the path itself has reached. */
static path_end finish(scratch *s, double step)
{
    abuti_lemke *b = &s->basis;
    int count = 0;
    abuti_lemke_point(b, step, s->nearest);
    if (abuti_lemke_final_basis(b, &count) && solve_final_set(s, count)) return PATH_SOLVED;
    if (offer_point(s, s->nearest)) return PATH_SOLVED;
    /* Rounding may hide the residual of a point far out; its direction is nearly a ray. */
    double strength = abuti_lemke_strength(b, s->nearest);
    if (strength >= ABUTI_LEMKE_PROOF) take_proof(s, s->nearest, s->nearest, strength);
    return PATH_BROKEN;
}

/* ------------------------------------------------------------------------------------------------
 * One path */

static void trace(scratch *s, int entering, abuti_lemke_leaving leaving)
{
    const abuti_lemke *b = &s->basis;
    const abuti_lcp *p = b->problem;
    if (!s->options->trace) return;
    bool w_leaves = leaving.kind == ABUTI_LEMKE_W;
    int left = w_leaves ? b->n + leaving.index : b->column[leaving.index];
    bool first = entering == 2 * b->n;
    abuti_lemke_point(b, leaving.step, s->traced);
    for (int i = 0; i < b->n; ++i) s->traced[i] = first ? 0 : s->traced[i] * p->column_scale[i];
    abut_lcp_trace record = {
        .method = ABUT_LCP_LEMKE,
        .step = "pivot",
        .iteration = s->answer->pivots - 1,
        .entering = entering,
        .leaving = left == b->n && !w_leaves ? 2 * b->n : left,
        .z0 = first ? leaving.step : fmax(0, b->x[ABUTI_LEMKE_Z0] + leaving.step * b->dx[ABUTI_LEMKE_Z0]),
        .objective = NAN,
        .threshold = NAN,
        .length = leaving.step,
        .set_count = -1,
        .z = s->traced,
    };
    s->options->trace(&record, s->options->trace_context);
}

/* The row that z0 enters for: the one with the least q_i / c_i, and of several such rows the last, as the
 * lexicographic rule has it. */
static int first_row(const abuti_lemke *b)
{
    const double *q = b->problem->q;
    int row = 0;
    for (int i = 1; i < b->n; ++i) {
        if (q[i] / b->cover[i] <= q[row] / b->cover[row]) row = i;
    }
    return row;
}

static bool repeats(cycle_watch *watch, const abuti_lemke *b)
{
    uint64_t pair = b->key + (uint64_t)(2 * b->missing + b->driving_w + 1) * 0x9e3779b97f4a7c15u;
    if (watch->pivots > 0 && pair == watch->remembered) return true;
    if (watch->pivots++ == watch->renewal) {
        watch->remembered = pair;
        watch->renewal = 2 * watch->renewal + 1;
    }
    return false;
}

/* The value of z0 is how far a point of the path is from a solution. */
static void remember_nearest(scratch *s)
{
    double z0 = s->basis.x[ABUTI_LEMKE_Z0];
    if (!(z0 < s->least_z0)) return;
    s->least_z0 = z0;
    abuti_lemke_point(&s->basis, 0, s->nearest);
}

static bool is_spent(const scratch *s)
{
    return s->answer->pivots == s->max_pivots || abuti_lcp_late(s->basis.problem);
}

static path_end follow_path(scratch *s, bool lexicographic)
{
    abuti_lemke *b = &s->basis;
    cycle_watch watch = {0};
    int r = first_row(b);
    if (is_spent(s)) return PATH_LIMIT;
    abuti_lemke_start(b, r);
    s->least_z0 = INFINITY;
    s->answer->pivots++;
    trace(s, 2 * b->n, (abuti_lemke_leaving){ABUTI_LEMKE_W, r, -b->problem->q[r] / b->cover[r]});
    for (;;) {
        if (!abuti_lemke_evaluate(b)) return PATH_BROKEN;
        abuti_lemke_leaving leaving = abuti_lemke_ratio_test(b, lexicographic);
        if (leaving.kind == ABUTI_LEMKE_NONE) return PATH_RAY;
        remember_nearest(s);
        if (is_spent(s)) return offer_point(s, s->nearest) ? PATH_SOLVED : PATH_LIMIT;
        s->answer->pivots++;
        trace(s, b->driving_w ? b->n + b->missing : b->missing, leaving);
        if (abuti_lemke_is_z0(leaving)) return finish(s, leaving.step);
        abuti_lemke_pivot(b, leaving);
        if (repeats(&watch, b)) return PATH_CYCLE;
    }
}

/* ------------------------------------------------------------------------------------------------
 * Tries */

/* The covering vector of try k. The first is the caller's. The later ones are by turns e, in the units of the
 * equilibrated rows, and the caller's, with every entry multiplied by a number between 1/9 and 9. With e no row
 * is hidden behind its share of z0, whereas the caller's cover may span any range in these units. The numbers
 * depend on k and i alone and are made of sums, products and quotients, so that they are the same everywhere. */
static void choose_cover(abuti_lemke *b, int k)
{
    b->cover_size = 0;
    for (int i = 0; i < b->n; ++i) {
        uint64_t bits = ((uint64_t)k << 32) + (uint64_t)i + 0x9e3779b97f4a7c15u;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
        double unit = (double)((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
        double varied = k == 0 ? 1 : (0.125 + unit) / (1.125 - unit);
        b->cover[i] = k % 2 ? varied : varied * b->problem->cover[i];
        b->cover_size = fmax(b->cover_size, b->cover[i]);
    }
}

/* A ray: the present point may yet solve the problem (z0 at rounding level); else the ray may prove that
 * there is no solution. */
static void take_ray(scratch *s)
{
    abuti_lemke *b = &s->basis;
    abuti_lemke_point(b, 0, s->z);
    if (offer_point(s, s->z)) return;
    abuti_lemke_ray(b, s->z);
    double strength = s->proof < ABUTI_LEMKE_PROOF ? abuti_lemke_witness(b, s->z, s->nearest) : 0;
    take_proof(s, s->z, s->nearest, strength);
}

/* Follows the path of one cover by the largest pivots and, where these lead nowhere, by the lexicographic rule. A ray
 * of the first cover ends its try, as in the textbook. Further covers are tried because a ray proved nothing; a ray of
 * theirs may be the work of rounding too, so it ends its try only when it proves something. */
static path_end try_cover(scratch *s, int k)
{
    path_end end = PATH_BROKEN;
    for (int rule = 0; rule < 2; ++rule) {
        s->basis.lines = lines[(k + rule) % LINE_COUNT];
        end = follow_path(s, rule == 1);
        if (end == PATH_RAY) take_ray(s);
        bool settled = end == PATH_SOLVED || end == PATH_LIMIT || s->best <= SAFELY * s->options->tolerance;
        if (settled || (end == PATH_RAY && (k == 0 || s->proof >= ABUTI_LEMKE_PROOF))) break;
    }
    return end;
}

static int pivot_budget(int n)
{
    int exponent = n + 1 < LONGEST_EXPONENT ? n + 1 : LONGEST_EXPONENT;
    return (1 << exponent) + PIVOTS_PER_VARIABLE * (n < 1000000 ? n : 1000000);
}

static bool trivial(const abuti_lemke *b)
{
    for (int i = 0; i < b->n; ++i) {
        if (b->problem->q[i] < -ZERO * b->q_size) return false;
    }
    return true;
}

static abut_outcome run(const abuti_lcp *problem, void *memory, const abut_lcp_options *options,
                        abuti_lcp_answer *answer)
{
    scratch *s = memory;
    abuti_lemke *b = &s->basis;
    b->problem = problem;
    b->n = problem->n;
    b->q_size = b->inverse.kernels->max_abs(problem->n, problem->q);
    s->options = options;
    s->answer = answer;
    s->max_pivots = options->max_pivots > 0 ? options->max_pivots : pivot_budget(problem->n);
    s->best = INFINITY;
    s->proof = -1;
    answer->pivots = answer->covers = 0;
    answer->has_witness = false;
    memset(answer->z, 0, (size_t)problem->n * sizeof(double));
    if (trivial(b)) return ABUT_SOLVED;
    offer_point(s, answer->z);

    for (int k = 0; k <= options->max_covers && s->proof < CLEAR_PROOF; ++k) {
        answer->covers = k;
        choose_cover(b, k);
        if (try_cover(s, k) == PATH_LIMIT) return ABUT_LIMIT;
        if (s->best <= SAFELY * options->tolerance) break;
    }
    answer->has_witness &= s->best > options->tolerance;
    if (s->best <= options->tolerance) return ABUT_SOLVED;
    return s->proof >= 0 ? ABUT_RAY : ABUT_FAILED;
}

const abuti_lcp_solver abuti_lcp_lemke = {
    .method = ABUT_LCP_LEMKE,
    .name = "lemke",
    .needs_symmetric = false,
    .max_n = 0,
    .layout = layout,
    .run = run,
};
