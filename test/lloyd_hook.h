/* Lloyd's path with a witness at every vertex: the pivot loop is compiled into the test with its hook on, and
 * each time it is about to choose what leaves, the full basis of (8) is set up densely from the contact
 * system and solved by plain Gaussian elimination. Vertex and edge must agree with what the structural solve
 * found. */
#ifndef ABUT_TEST_LLOYD_HOOK_H
#define ABUT_TEST_LLOYD_HOOK_H

#define ABUT_DEBUG_HOOKS
#include "contact/lloyd/pivot.c"

#include "check.h"

typedef struct lloyd_witness {
    long vertices;
    long kinds[3];       /* vertices whose odd variable is a nu, a sigma, a gamma: A.1, A.2, A.3 */
    double vertex_error; /* beside the size of k */
    double edge_error;   /* beside the size of the edge */
    double worst_value;  /* most negative value of a vertex */
    long ties;           /* pairs of basic variables between which the lexicographic rule had to choose */
    long wrong_ties;     /* of these, choices that the full inverse does not confirm */
    int oversize;        /* vertices whose small system was larger than its rank can be */
    int zero_columns;    /* vertices with a basic lambda and no basic phi (appendix C) */
    int fewest, most;    /* contacts whose friction rows take part, over the vertices that were seen */
} lloyd_witness;

static lloyd_witness witness;
static bool witness_looks;         /* off for large problems: a dense solve a pivot */
static bool witness_lexicographic; /* asks for that rule from the first pivot on */

/* A cycle, staged: every basis is put down as seen before the path looks it up. From then on the path must break
 * ties lexicographically. */
static struct {
    bool on;
    long vertices;          /* since the staging began */
    int expected;           /* what should have left at the vertex before */
    long followed, strayed; /* whether it did, once the path looks for cycles */
} staged;

/* The row of M (8) that belongs to pair p, in the order of the pairs: what z_q adds to w_p. */
static double dense_entry(const abuti_lloyd *l, int p, int q)
{
    const abuti_system *s = l->s;
    abuti_lloyd_kind row = abuti_lloyd_kind_of(l, p), column = abuti_lloyd_kind_of(l, q);
    int i = l->contact[p], j = l->contact[q];
    if (row == LLOYD_CONE) return i != j || column == LLOYD_CONE ? 0 : column == LLOYD_NORMAL ? s->mu[i] : -1;
    if (column == LLOYD_CONE) return row == LLOYD_TANGENT && i == j ? 1 : 0;
    double sum = 0;
    for (int a = 0; a < s->sides; ++a) {
        for (int b = 0; b < s->sides; ++b) {
            if (s->body[a][i] != s->body[b][j] || s->body[a][i] == s->bodies) continue;
            for (int c = 0; c < s->dim; ++c) {
                double x = row == LLOYD_NORMAL
                               ? abuti_row(s, 0, a, c)[i]
                               : l->dx[p] * abuti_row(s, 1, a, c)[i] + l->dy[p] * abuti_row(s, 2, a, c)[i];
                double y = column == LLOYD_NORMAL
                               ? abuti_row(s, 0, b, c)[j]
                               : l->dx[q] * abuti_row(s, 1, b, c)[j] + l->dy[q] * abuti_row(s, 2, b, c)[j];
                sum += x * y;
            }
        }
    }
    return sum;
}

static double dense_constant(const abuti_lloyd *l, int p)
{
    const abuti_system *s = l->s;
    abuti_lloyd_kind kind = abuti_lloyd_kind_of(l, p);
    int i = l->contact[p];
    if (kind == LLOYD_CONE) return 0;
    const double weight[3] = {kind == LLOYD_NORMAL, l->dx[p], l->dy[p]};
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double u = s->offset[axis][i];
        for (int side = 0; side < s->sides; ++side) {
            for (int c = 0; c < s->dim; ++c)
                u += abuti_row(s, axis, side, c)[i] * s->k[s->body[side][i] * s->stride + c];
        }
        sum += weight[axis] * u;
    }
    return sum;
}

/* Gaussian elimination with partial pivoting on n x (n + sides): the right-hand sides are solved in place. */
static void eliminate(int n, int sides, double *A)
{
    int w = n + sides;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(A[i * w + k]) > fabs(A[pivot * w + k])) pivot = i;
        }
        for (int j = 0; j < w; ++j) {
            double swap = A[k * w + j];
            A[k * w + j] = A[pivot * w + j];
            A[pivot * w + j] = swap;
        }
        for (int i = 0; i < n; ++i) {
            if (i == k || A[i * w + k] == 0) continue;
            double factor = A[i * w + k] / A[k * w + k];
            for (int j = k; j < w; ++j) A[i * w + j] -= factor * A[k * w + j];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = n; j < w; ++j) A[i * w + j] /= A[i * w + i];
    }
}

/* Pairs that mean something: those of contacts, and of blocks that exist; without padding. */
static int real_pairs(const abuti_lloyd *l, int *pairs)
{
    int count = 0, lanes = l->s->lanes;
    for (int p = 0; p < l->pairs; ++p) {
        int i = l->contact[p];
        if (i >= l->s->n || (p >= 2 * lanes && l->real[p] == 0)) continue;
        if (p >= lanes && l->block[i] < 0) continue;
        pairs[count++] = p;
    }
    return count;
}

/* One equation w_p - M z - cover z0 = q for each pair. Column c holds the basic variable of pair c; the odd
 * pair has none, so its column is that of z0. */
static void set_up_basis(const abuti_lloyd *l, int n, int w, const int *pairs, double *A)
{
    for (int r = 0; r < n; ++r) {
        int p = pairs[r];
        for (int c = 0; c < n; ++c) {
            int q = pairs[c];
            A[r * w + c] = q == l->odd ? -l->cover[p] : l->basic[q] ? -dense_entry(l, p, q) : p == q ? 1 : 0;
        }
    }
}

/* Its right-hand sides: the constants, and the column of what drives. */
static void set_up_sides(const abuti_lloyd *l, abuti_lloyd_drive drive, int n, const int *pairs, double *A)
{
    int w = n + 2;
    for (int r = 0; r < n; ++r) {
        int p = pairs[r];
        A[r * w + n] = dense_constant(l, p);
        A[r * w + n + 1] = drive.move == LLOYD_Z ? dense_entry(l, p, drive.pair) : p == drive.pair ? -1 : 0;
    }
}

static void compare(const abuti_lloyd *l, int n, const int *pairs, const double *A)
{
    double vertex = 0, edge = 0, size = 0;
    for (int c = 0; c < n; ++c) {
        bool odd = pairs[c] == l->odd;
        double value = odd ? l->point.z0 : l->point.pairs[pairs[c]],
               rate = odd ? l->edge.z0 : l->edge.pairs[pairs[c]];
        vertex = fmax(vertex, fabs(value - A[c * (n + 2) + n]));
        edge = fmax(edge, fabs(rate - A[c * (n + 2) + n + 1]));
        size = fmax(size, fabs(A[c * (n + 2) + n + 1]));
        witness.worst_value = fmin(witness.worst_value, value / l->scale);
    }
    witness.vertex_error = fmax(witness.vertex_error, vertex / l->scale);
    witness.edge_error = fmax(witness.edge_error, edge / fmax(size, 1));
}

/* Whether the first of two rows, divided by their falls, is the lexicographically smaller one; 0 where they cannot
 * be told apart, or hardly. */
static int compare_rows(int n, const double *a, double fall_a, const double *b, double fall_b)
{
    for (int j = 0; j < n; ++j) {
        double difference = a[j] / fall_a - b[j] / fall_b, size = 1 + fabs(a[j] / fall_a);
        if (fabs(difference) > 1e-7 * size) return difference < 0 ? 1 : -1;
        if (fabs(difference) > 1e-11 * size) return 0;
    }
    return 0;
}

/* Covers tell contacts apart, so ties are rare; here all that falls is made to tie. What the lexicographic rule lets
 * leave must be the one whose row of the inverse of the full basis is the least. */
static void judge_tie(abuti_lloyd *l, int n, const int *pairs)
{
    const abuti_lloyd_limits limits = {.noise = 1e-6};
    int w = 2 * n, at = -1;
    double *A = calloc((size_t)n * (size_t)w, sizeof *A), *held = calloc((size_t)l->pairs, sizeof *held);
    memcpy(held, l->point.pairs, (size_t)l->pairs * sizeof *held);
    for (int p = 0; p < l->pairs; ++p) l->point.pairs[p] = fmax(0, -l->edge.pairs[p]);
    int out = lexicographic(l, &limits, &l->spare);
    memcpy(l->point.pairs, held, (size_t)l->pairs * sizeof *held);
    for (int c = 0; c < n; ++c) at = pairs[c] == out ? c : at;
    set_up_basis(l, n, w, pairs, A);
    for (int r = 0; r < n; ++r) A[r * w + n + r] = 1;
    eliminate(n, n, A);
    for (int c = 0; c < n && at >= 0; ++c) {
        int p = pairs[c];
        if (c == at || p == l->odd || !falls(l, &limits, p)) continue;
        int order = compare_rows(n, A + at * w + n, -l->edge.pairs[out], A + c * w + n, -l->edge.pairs[p]);
        witness.ties += order != 0;
        witness.wrong_ties += order < 0;
    }
    free(held);
    free(A);
}

static void stage_cycle(abuti_lloyd *l, abuti_lloyd_drive drive)
{
    if (staged.vertices > WATCH_FROM + 1) {
        staged.followed += drive.pair == staged.expected;
        staged.strayed += drive.pair != staged.expected;
    }
    staged.vertices++;
    (void)repeated(l, drive);
    staged.expected = leaving(l, drive, true, 1e-12);
}

bool abuti_lloyd_hook(const abuti_lloyd *l, abuti_lloyd_drive drive)
{
    if (staged.on) stage_cycle((abuti_lloyd *)l, drive);
    if (!witness_looks) return witness_lexicographic;
    if (witness.vertices == 0 || l->expanded_count < witness.fewest) witness.fewest = l->expanded_count;
    if (l->expanded_count > witness.most) witness.most = l->expanded_count;
    const abuti_system *s = l->s;
    int *pairs = calloc((size_t)l->pairs, sizeof *pairs), n = real_pairs(l, pairs);
    double *A = calloc((size_t)n * (size_t)(n + 2), sizeof *A);
    if (s->joints == 0) {
        set_up_basis(l, n, n + 2, pairs, A);
        set_up_sides(l, drive, n, pairs, A);
        eliminate(n, 2, A);
        compare(l, n, pairs, A);
    }
    if (s->joints == 0 && witness_lexicographic) judge_tie((abuti_lloyd *)l, n, pairs);
    witness.vertices++;
    witness.kinds[abuti_lloyd_kind_of(l, l->odd)]++;
    /* rows in velocity space have rank 6 m; the column of z0 adds one, and an odd gamma row (47) another */
    bool gamma = abuti_lloyd_kind_of(l, l->odd) == LLOYD_CONE;
    if (l->size > s->bodies * s->dim + (gamma ? 2 : 1)) witness.oversize++;
    for (int i = 0; i < s->n; ++i) {
        int cone = abuti_lloyd_cone(l, i), phi = 0;
        if (l->block[i] < 0 || !l->basic[cone]) continue;
        for (int p = l->block[i]; p < l->block[i] + s->directions[i]; ++p) phi += l->basic[p];
        if (phi == 0) witness.zero_columns++;
    }
    free(pairs);
    free(A);
    return witness_lexicographic;
}

/* What every run of a well-conditioned family must show. */
static inline void check_witness(const char *name)
{
    printf(
        "       %-16s %6ld vertices (%ld nu, %ld sigma, %ld gamma), errors %.1e and %.1e, least value %.1e\n",
        name, witness.vertices, witness.kinds[LLOYD_NORMAL], witness.kinds[LLOYD_TANGENT],
        witness.kinds[LLOYD_CONE], witness.vertex_error, witness.edge_error, witness.worst_value);
    CHECK(witness.vertices > 0);
    CHECK_MSG(witness.vertex_error <= 1e-10, "%s: %g", name, witness.vertex_error);
    CHECK_MSG(witness.edge_error <= 1e-10, "%s: %g", name, witness.edge_error);
    CHECK_MSG(witness.worst_value >= -1e-11, "%s: %g", name, witness.worst_value);
    CHECK_EQ_INT(witness.oversize, 0);
    CHECK_EQ_INT(witness.zero_columns, 0);
}

#endif
