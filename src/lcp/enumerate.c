/* Enumeration: the oracle.
 *
 * A corner of the solution set has a support U, the z that are not zero, and
 *
 *     M_UU z_U = -q_U,   z_U >= 0,   z = 0 elsewhere,   w = M_:U z_U + q >= 0.
 *
 * All 2^n sets U are tried. A regular M_UU gives one point. A singular one belongs to a continuum of
 * solutions or to none. Its corners with support U are the points where further w vanish: as many as M_UU
 * lacks in rank, in rows X such that M_XU under M_UU has full column rank and so determines z_U. All such X
 * are tried.
 *
 * Degenerate points appear at several U when some z_U come out as zero. Each is shown once, without a list of
 * all points (there may be 2^n of them): points with the same support are equal when M_UU is regular, and for
 * the rare singular support the earlier sets that could give the point are solved again and compared. */
#include "lcp/enumerate.h"
#include "linalg/complete.h"
#include <math.h>
#include <string.h>

#define MAX ABUT_LCP_ENUMERATE_MAX

/* A pivot of complete pivoting below this part of the largest entry is zero. Rounding leaves at most
 * 16 * 16 * 2^-52 = 6e-14. */
#define PIVOT_ZERO 1e-12

/* A candidate may miss z >= 0 and w >= 0 by this, relative to max(|q|, |z|) = O(1) or more; the judge
 * looks closer. */
#define CANDIDATE_SLACK 1e-7

/* Components of z up to this, relative to the largest, are zero, and two points that differ by less are the
 * same. The number lies well above the error of a basis of condition 1e6, and far below what the eye tells
 * apart. */
#define SAME_POINT 1e-9

typedef struct enumeration {
    unsigned char *seen; /* one bit a support: a point with this support was accepted */
    double *z;           /* n */
    void *lemke;         /* scratch of the solver that is asked for a witness when there is no solution */
} enumeration;

static void *layout(abuti_arena *arena, int n)
{
    enumeration *e = abuti_take(arena, 1, enumeration);
    int bits = n < MAX ? n : MAX;
    unsigned char *seen = abuti_take(arena, ((size_t)1 << bits) / 8 + 1, unsigned char);
    double *z = abuti_take(arena, bits, double);
    void *lemke = abuti_lcp_lemke.layout(arena, bits);
    if (e) *e = (enumeration){seen, z, lemke};
    return e;
}

/* One dense system of at most 16 equations. */
typedef struct small_system {
    double entries[MAX * MAX], work[MAX];
    int row[MAX], column[MAX];
    abuti_complete factors;
} small_system;

/* The solution of the rows U and X for z_U, with what it makes of all w. */
typedef struct basic_point {
    int count, set[MAX]; /* U */
    double x[MAX];       /* z_U */
    double w[MAX];       /* n */
    double slack;        /* how far below zero z and w may be */
    int lack;            /* columns that depend on others; their x are 0 */
    bool consistent;     /* the equations agree with each other */
} basic_point;

static int members(unsigned basis, int n, int *set)
{
    int count = 0;
    for (int i = 0; i < n; ++i) {
        if (basis >> i & 1) set[count++] = i;
    }
    return count;
}

/* Factorises columns `set` of the given rows; columns of zeros make the matrix square. */
static void factorise(small_system *s, const abuti_lcp *problem, int row_count, const int *rows, int count,
                      const int *set)
{
    for (int i = 0; i < row_count; ++i) {
        const double *row = problem->M + (ptrdiff_t)rows[i] * problem->ld;
        for (int j = 0; j < row_count; ++j) s->entries[i * MAX + j] = j < count ? row[set[j]] : 0;
    }
    s->factors = (abuti_complete){
        .n = row_count, .ld = MAX, .LU = s->entries, .row = s->row, .column = s->column, .work = s->work};
    abuti_complete_factor(&s->factors, PIVOT_ZERO);
}

/* w_i at a point with z_U = x */
static double slack(const abuti_lcp *problem, int i, int count, const int *set, const double *x)
{
    double w = problem->q[i];
    for (int j = 0; j < count; ++j) w += problem->M[(ptrdiff_t)i * problem->ld + set[j]] * x[j];
    return w;
}

/* Solves the equations w_i = 0 of U = `basis` and X = `extra` for z_U, refined once. */
static void solve_basis(const abuti_lcp *problem, unsigned basis, unsigned extra, basic_point *p)
{
    int rows[MAX], n = problem->n;
    p->count = members(basis, n, p->set);
    int row_count = members(basis | extra, n, rows);
    small_system system;
    factorise(&system, problem, row_count, rows, p->count, p->set);
    p->lack = p->count - system.factors.rank;
    double step[MAX];
    memset(p->x, 0, sizeof p->x);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < row_count; ++i) step[i] = -slack(problem, rows[i], p->count, p->set, p->x);
        /* Equations that contradict each other show in w below. */
        abuti_complete_solve(&system.factors, step, step, INFINITY);
        for (int j = 0; j < p->count; ++j) p->x[j] += step[j];
    }
    double size = 1;
    for (int j = 0; j < p->count; ++j) size = fabs(p->x[j]) > size ? fabs(p->x[j]) : size;
    p->slack = CANDIDATE_SLACK * size;
    for (int i = 0; i < n; ++i) p->w[i] = slack(problem, i, p->count, p->set, p->x);
    p->consistent = true;
    for (int i = 0; i < row_count; ++i) p->consistent &= fabs(p->w[rows[i]]) <= p->slack;
}

/* Writes the point, its tiny negatives set to zero, to z; false when it is clearly no solution. */
static bool is_candidate(const abuti_lcp *problem, const basic_point *p, double *z)
{
    if (p->lack > 0 || !p->consistent) return false;
    for (int j = 0; j < p->count; ++j) {
        if (!(p->x[j] >= -p->slack)) return false;
    }
    for (int i = 0; i < problem->n; ++i) {
        if (!(p->w[i] >= -p->slack)) return false;
    }
    memset(z, 0, (size_t)problem->n * sizeof *z);
    for (int j = 0; j < p->count; ++j) z[p->set[j]] = p->x[j] > 0 ? p->x[j] : 0;
    return true;
}

/* A walk over the candidates of one U: the point of a regular M_UU, or one for every X. */
typedef struct walk {
    const abuti_lcp *problem;
    unsigned basis;
    basic_point point;           /* of U alone */
    int other_count, other[MAX]; /* the rows X is taken from */
    unsigned chosen;             /* X, as bits over `other` */
    int tried;
    bool ended;
} walk;

static void start(walk *k, const abuti_lcp *problem, unsigned basis)
{
    unsigned others = ~basis & ((1u << problem->n) - 1);
    k->problem = problem;
    k->basis = basis;
    k->tried = 0;
    solve_basis(problem, basis, 0, &k->point);
    k->other_count = members(others, problem->n, k->other);
    k->chosen = (1u << k->point.lack) - 1;
    k->ended = !k->point.consistent || k->point.lack > k->other_count;
    if (k->ended || k->point.lack == 0) return;
    basic_point all;
    solve_basis(problem, basis, others, &all);
    k->ended = all.lack > 0; /* no X can determine z_U */
}

/* The next larger number with as many bits (Gosper); the walk ends after the last, and after the empty set.
 */
static void advance(walk *k)
{
    unsigned lowest = k->chosen & -k->chosen, carried = k->chosen + lowest;
    k->tried++;
    if (lowest > 0) k->chosen = ((carried ^ k->chosen) >> 2) / lowest | carried;
    k->ended = lowest == 0 || k->chosen >> k->other_count != 0;
}

/* The next candidate, into z. */
static bool next(walk *k, double *z)
{
    while (!k->ended) {
        basic_point with_rows;
        const basic_point *p = &k->point;
        if (p->lack > 0) {
            unsigned extra = 0;
            for (int b = 0; b < k->other_count; ++b) extra |= (k->chosen >> b & 1) << k->other[b];
            solve_basis(k->problem, k->basis, extra, &with_rows);
            p = &with_rows;
        }
        advance(k);
        if (is_candidate(k->problem, p, z)) return true;
    }
    return false;
}

static double largest(int n, const double *z)
{
    double most = 0;
    for (int i = 0; i < n; ++i) most = z[i] > most ? z[i] : most;
    return most;
}

static unsigned support(int n, const double *z)
{
    double zero = SAME_POINT * largest(n, z);
    unsigned set = 0;
    for (int i = 0; i < n; ++i) set |= (unsigned)(z[i] > zero) << i;
    return set;
}

static bool same_point(int n, const double *a, const double *b)
{
    double most = fmax(largest(n, a), largest(n, b));
    for (int i = 0; i < n; ++i) {
        if (!(fabs(a[i] - b[i]) <= SAME_POINT * most)) return false;
    }
    return true;
}

/* Whether the point in e->z, which walk k has just found, was shown before. If so, that was at a set that
 * contains its support. */
static bool shown_before(const abuti_lcp *problem, const enumeration *e, const walk *k)
{
    int n = problem->n;
    unsigned set = support(n, e->z);
    if (!(e->seen[set / 8] >> set % 8 & 1)) return false;
    walk past;
    start(&past, problem, set);
    if (past.point.lack == 0) return true;
    for (unsigned earlier = set; earlier <= k->basis; earlier = (earlier + 1) | set) {
        double z[MAX];
        start(&past, problem, earlier);
        while (next(&past, z) && (earlier < k->basis || past.tried < k->tried)) {
            if (same_point(n, z, e->z)) return true;
        }
    }
    return false;
}

int abuti_enumerate(const abuti_lcp *problem, void *scratch, abuti_judge judge, void *context)
{
    enumeration *e = scratch;
    unsigned bases = 1u << problem->n;
    memset(e->seen, 0, bases / 8 + 1);
    for (unsigned basis = 0; basis < bases; ++basis) {
        if (abuti_lcp_late(problem)) return (int)basis;
        walk k;
        start(&k, problem, basis);
        while (next(&k, e->z)) {
            if (shown_before(problem, e, &k)) continue;
            abuti_verdict verdict = judge(e->z, context);
            if (verdict == ABUTI_STOP) return (int)basis + 1;
            if (verdict == ABUTI_REJECTED) continue;
            unsigned set = support(problem->n, e->z);
            e->seen[set / 8] |= (unsigned char)(1u << set % 8);
        }
    }
    return (int)bases;
}

/* As a method: the first candidate whose natural residual, in equilibrated units, is small enough. */
typedef struct search {
    const abuti_lcp *problem;
    double tolerance;
    double *z;
    bool found;
} search;

static abuti_verdict take_first(const double *z, void *context)
{
    search *s = context;
    int n = s->problem->n;
    for (int i = 0; i < n; ++i) {
        double w = s->problem->q[i];
        for (int j = 0; j < n; ++j) w += s->problem->M[(ptrdiff_t)i * s->problem->ld + j] * z[j];
        if (!(fabs(fmin(z[i], w)) <= s->tolerance)) return ABUTI_REJECTED;
    }
    memcpy(s->z, z, (size_t)n * sizeof *z);
    s->found = true;
    return ABUTI_STOP;
}

static abut_outcome run(const abuti_lcp *problem, void *scratch, const abut_lcp_options *options,
                        abuti_lcp_answer *answer)
{
    search s = {.problem = problem, .tolerance = options->tolerance, .z = answer->z};
    answer->pivots = abuti_enumerate(problem, scratch, take_first, &s);
    if (s.found) return ABUT_SOLVED;
    if (abuti_lcp_late(problem)) return ABUT_LIMIT;

    /* No solution at any basis. Whether the inequalities alone are infeasible is a linear programme, which
     * Lemke's method solves where its path ends. */
    const enumeration *e = scratch;
    abut_lcp_options silent = *options;
    abuti_lcp_answer proof = {.z = answer->z, .ray = answer->ray, .witness = answer->witness};
    silent.trace = NULL;
    abuti_lcp_lemke.run(problem, e->lemke, &silent, &proof);
    answer->has_witness = proof.has_witness;
    return proof.has_witness ? ABUT_INFEASIBLE : ABUT_FAILED;
}

const abuti_lcp_solver abuti_lcp_enumeration = {
    .method = ABUT_LCP_ENUMERATE,
    .name = "enumerate",
    .max_n = ABUT_LCP_ENUMERATE_MAX,
    .layout = layout,
    .run = run,
};
