/* Enumeration: the oracle.
 *
 * A solution of an LCP that is a corner of the solution set lies at a complementary basis: a set S with
 *
 *     z_S = -M_SS^-1 q_S >= 0,   z = 0 elsewhere,   w = M_:S z_S + q >= 0.
 *
 * All 2^n sets are tried. A singular M_SS belongs to a continuum of solutions or to none; its system
 * is solved with the dependent variables at zero, which gives the corner where it has one. Degenerate
 * points appear at several bases. They are recognised without a list of all points seen (there may be
 * 2^n of them): points with the same support S are equal when M_SS is regular, and for the rare
 * singular support the earlier bases that could give the point are solved again and compared. */
#include "lcp/enumerate.h"
#include "linalg/complete.h"
#include <math.h>
#include <string.h>

#define MAX ABUT_LCP_ENUMERATE_MAX

/* Relative to the largest entry: a pivot of complete pivoting below this is zero. Rounding leaves at most
 * 16 * 16 * 2^-52 = 6e-14. */
#define PIVOT_ZERO 1e-12

/* A candidate may miss z >= 0 and w >= 0 by this, relative to max(|q|, |z|) = O(1) or more; the judge
 * looks closer. */
#define CANDIDATE_SLACK 1e-7

/* Components of z up to this, relative to the largest, are zero; two points that differ by less are
 * one. Well above the error of a basis of condition 1e6, far below what the eye tells apart. */
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

/* Factorises M_SS. */
static void factorise(small_system *s, const abuti_lcp *problem, int count, const int *set)
{
    for (int i = 0; i < count; i++) {
        const double *row = problem->M + (ptrdiff_t)set[i] * problem->ld;
        for (int j = 0; j < count; j++) s->entries[i * MAX + j] = row[set[j]];
    }
    s->factors = (abuti_complete){
        .n = count, .ld = MAX, .LU = s->entries, .row = s->row, .column = s->column, .work = s->work};
    abuti_complete_factor(&s->factors, PIVOT_ZERO);
}

static int members(unsigned basis, int n, int *set)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (basis >> i & 1) set[count++] = i;
    }
    return count;
}

/* w_i at the point z of a basis */
static double slack(const abuti_lcp *problem, int i, int count, const int *set, const double *x)
{
    double w = problem->q[i];
    for (int j = 0; j < count; j++) w += problem->M[(ptrdiff_t)i * problem->ld + set[j]] * x[j];
    return w;
}

/* The point of a basis, solved and refined once, with tiny negatives cut off; false when it is clearly
 * none of a solution. */
static bool candidate(const abuti_lcp *problem, unsigned basis, double *z, bool *regular)
{
    int set[MAX], n = problem->n, count = members(basis, n, set);
    small_system system;
    factorise(&system, problem, count, set);
    *regular = system.factors.rank == count;
    double x[MAX] = {0}, step[MAX];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) step[i] = -slack(problem, set[i], count, set, x);
        /* An equation that depends on others and contradicts them shows in w below. */
        abuti_complete_solve(&system.factors, step, step, INFINITY);
        for (int i = 0; i < count; i++) x[i] += step[i];
    }
    double size = 1;
    for (int j = 0; j < count; j++) size = fabs(x[j]) > size ? fabs(x[j]) : size;
    for (int j = 0; j < count; j++) {
        if (!(x[j] >= -CANDIDATE_SLACK * size)) return false;
    }
    for (int i = 0; i < n; i++) {
        double w = slack(problem, i, count, set, x);
        if (!(w >= -CANDIDATE_SLACK * size)) return false;
        if ((basis >> i & 1) && !(w <= CANDIDATE_SLACK * size)) return false;
    }
    memset(z, 0, (size_t)n * sizeof *z);
    for (int j = 0; j < count; j++) z[set[j]] = x[j] > 0 ? x[j] : 0;
    return true;
}

static double largest(int n, const double *z)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = z[i] > most ? z[i] : most;
    return most;
}

static unsigned support(int n, const double *z)
{
    double zero = SAME_POINT * largest(n, z);
    unsigned set = 0;
    for (int i = 0; i < n; i++) set |= (unsigned)(z[i] > zero) << i;
    return set;
}

static bool same_point(int n, const double *a, const double *b)
{
    double most = fmax(largest(n, a), largest(n, b));
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= SAME_POINT * most)) return false;
    }
    return true;
}

/* Was this point shown at an earlier basis? Such a basis contains the support of z. */
static bool shown_before(const abuti_lcp *problem, const enumeration *e, unsigned basis, bool regular)
{
    int n = problem->n;
    unsigned set = support(n, e->z);
    if (!(e->seen[set / 8] >> set % 8 & 1)) return false;
    double z[MAX];
    bool support_regular = regular && set == basis;
    if (!support_regular) candidate(problem, set, z, &support_regular);
    if (support_regular) return true;
    bool earlier_regular;
    for (unsigned earlier = set; earlier < basis; earlier = (earlier + 1) | set) {
        if (candidate(problem, earlier, z, &earlier_regular) && same_point(n, z, e->z)) return true;
    }
    return false;
}

int abuti_enumerate(const abuti_lcp *problem, void *scratch, abuti_judge judge, void *context)
{
    enumeration *e = scratch;
    unsigned bases = 1u << problem->n;
    memset(e->seen, 0, bases / 8 + 1);
    for (unsigned basis = 0; basis < bases; basis++) {
        bool regular;
        if (!candidate(problem, basis, e->z, &regular)) continue;
        if (shown_before(problem, e, basis, regular)) continue;
        abuti_verdict verdict = judge(e->z, context);
        if (verdict == ABUTI_STOP) return (int)basis + 1;
        if (verdict == ABUTI_REJECTED) continue;
        unsigned set = support(problem->n, e->z);
        e->seen[set / 8] |= (unsigned char)(1u << set % 8);
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
    for (int i = 0; i < n; i++) {
        double w = s->problem->q[i];
        for (int j = 0; j < n; j++) w += s->problem->M[(ptrdiff_t)i * s->problem->ld + j] * z[j];
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
