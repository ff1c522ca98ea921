#include "contact/rest/matrix.h"
#include <math.h>
#include <string.h>

/* The numbers of a free body. Loops that know them are unrolled. */
enum { BODY = 6 };

/* The most blocks for each body, on average: as far as the envelope of a heap of some hundred bodies reaches. */
#define BLOCKS_A_BODY 64

void abuti_rest_matrix_layout(rest_matrix *m, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t bodies = (size_t)limits->bodies + 1, contacts = (size_t)limits->contacts, nv = (size_t)limits->nv;
    size_t pairs = contacts + (size_t)limits->joints, reach = bodies < BLOCKS_A_BODY ? bodies : BLOCKS_A_BODY;
    size_t rows = limits->bodies > 0 ? 36 * contacts : 0, room = 36 * bodies * reach;
    if (nv * nv > room) room = nv * nv;
    if (3 * contacts * nv > rows) rows = 3 * contacts * nv;
    size_t numbers = 6 * bodies > nv ? 6 * bodies : nv;
    m->room = room;
    m->rank = abuti_take(arena, bodies, int);
    m->body_at = abuti_take(arena, bodies, int);
    m->first = abuti_take(arena, bodies, int);
    m->begin = abuti_take(arena, bodies, size_t);
    m->next = abuti_take(arena, bodies, int);
    m->link = abuti_take(arena, 4 * pairs + 1, int);
    m->blocks = abuti_take(arena, room, double);
    m->rows = abuti_take(arena, rows, double);
    m->solved = abuti_take(arena, numbers, double);
    m->low = abuti_take(arena, contacts, int);
    m->high = abuti_take(arena, contacts, int);
    m->from = abuti_take(arena, nv, int);
}

/* ---- the order of the bodies ---- */

/* The two blocks of contact i, or of joint row i - n. */
static void pair_of(const abuti_system *s, int i, int *a, int *b)
{
    bool contact = i < s->n;
    *a = contact ? s->body[0][i] : s->joint_body[0][i - s->n];
    *b = s->sides < 2 ? s->bodies : contact ? s->body[1][i] : s->joint_body[1][i - s->n];
}

/* Lists of neighbours: link[2 e] is a body, link[2 e + 1] the next entry of the list, -1 at its end. */
static void link_bodies(rest_matrix *m, const abuti_system *s)
{
    int used = 0, a, b;
    for (int i = 0; i < s->bodies; ++i) m->next[i] = -1;
    for (int i = 0; i < s->n + s->joints; ++i) {
        pair_of(s, i, &a, &b);
        if (a == s->bodies || b == s->bodies || a == b) continue;
        int last = m->next[a];
        if (last >= 0 && m->link[2 * last] == b) continue; /* contacts of a pair stand together */
        int from[2] = {a, b}, to[2] = {b, a};
        for (int k = 0; k < 2; ++k, ++used) {
            m->link[2 * used] = to[k];
            m->link[2 * used + 1] = m->next[from[k]];
            m->next[from[k]] = used;
        }
    }
}

/* Walks breadth first from `from` and gives ranks from `rank` on. Returns the rank after the last. */
static int walk(rest_matrix *m, int from, int rank)
{
    int at = rank;
    m->rank[from] = rank;
    m->body_at[rank++] = from;
    for (; at < rank; ++at) {
        for (int e = m->next[m->body_at[at]]; e >= 0; e = m->link[2 * e + 1]) {
            int other = m->link[2 * e];
            if (m->rank[other] >= 0) continue;
            m->rank[other] = rank;
            m->body_at[rank++] = other;
        }
    }
    return rank;
}

/* Walks begin at an end of the graph: the body that a first walk comes to last. */
static void order_bodies(rest_matrix *m, const abuti_system *s)
{
    link_bodies(m, s);
    for (int i = 0; i < s->bodies; ++i) m->rank[i] = -1;
    int rank = 0;
    for (int i = 0; i < s->bodies; ++i) {
        if (m->rank[i] >= 0) continue;
        int end = walk(m, i, rank), last = m->body_at[end - 1];
        for (int k = rank; k < end; ++k) m->rank[m->body_at[k]] = -1;
        rank = walk(m, last, rank);
    }
}

/* Whether the system has one block that is larger than a body. */
static bool is_wide(const rest_matrix *m)
{
    return m->dim > BODY;
}

/* Extends the range low .. high to the numbers at which a row is not zero. */
static void span_row(const double *row, int dim, int *low, int *high)
{
    int first = 0, end = dim;
    while (first < dim && row[first] == 0.0) ++first;
    while (end > first && row[end - 1] == 0.0) --end;
    if (first == dim) return;
    if (*high == 0 || first < *low) *low = first;
    if (end > *high) *high = end;
}

/* Joins the numbers of a row to the first of them. */
static void join_numbers(rest_matrix *m, const double *row, int low, int high)
{
    for (int c = low; c < high; ++c)
        if (row[c] != 0.0 && low < m->from[c]) m->from[c] = low;
}

/* Where the rows of one large block, and its matrix, are not zero. */
static void find_spans(rest_matrix *m, const abuti_system *s)
{
    for (int c = 0; c < m->dim; ++c) m->from[c] = c;
    for (int i = 0; i < s->n; ++i) {
        m->low[i] = m->high[i] = 0;
        for (int axis = 0; axis < 3; ++axis)
            span_row(rest_row(m, s, i, axis, 0), m->dim, &m->low[i], &m->high[i]);
        for (int axis = 0; axis < 3; ++axis)
            join_numbers(m, rest_row(m, s, i, axis, 0), m->low[i], m->high[i]);
    }
    for (int j = 0; j < s->joints; ++j) {
        const double *row = s->joint_rows + (size_t)j * (size_t)s->stride;
        int low = 0, high = 0;
        span_row(row, m->dim, &low, &high);
        join_numbers(m, row, low, high);
    }
}

void abuti_rest_matrix_rows(rest_matrix *m, const abuti_system *s)
{
    m->dim = s->dim;
    m->bodies = s->bodies;
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < s->sides; ++side) {
            for (int c = 0; c < s->dim; ++c) {
                const double *from = abuti_row(s, axis, side, c);
                double *to = m->rows + (size_t)((axis * s->sides + side) * s->dim + c);
                size_t step = (size_t)(3 * s->sides * s->dim);
                for (int i = 0; i < s->n; ++i) to[(size_t)i * step] = from[i];
            }
        }
    }
    if (is_wide(m)) find_spans(m, s);
}

bool abuti_rest_matrix_order(rest_matrix *m, const abuti_system *s)
{
    int a, b;
    size_t used = 0, block = (size_t)s->dim * (size_t)s->dim;
    m->dim = s->dim;
    m->bodies = s->bodies;
    order_bodies(m, s);
    for (int i = 0; i < s->bodies; ++i) m->first[i] = i;
    for (int i = 0; i < s->n + s->joints; ++i) {
        pair_of(s, i, &a, &b);
        if (a == s->bodies || b == s->bodies) continue;
        int low = m->rank[a] < m->rank[b] ? m->rank[a] : m->rank[b], high = m->rank[a] + m->rank[b] - low;
        if (low < m->first[high]) m->first[high] = low;
    }
    for (int i = 0; i < s->bodies; ++i) {
        m->begin[i] = used;
        used += block * (size_t)(i - m->first[i] + 1);
        if (used > m->room) return false;
    }
    return true;
}

bool abuti_rest_matrix_begin(rest_matrix *m, const abuti_system *s)
{
    if (!abuti_rest_matrix_order(m, s)) return false;
    abuti_rest_matrix_rows(m, s);
    return true;
}

/* ---- products with J ---- */

/* at += n p[0] + x p[1] + y p[2], rows of `dim` numbers */
static inline void push_rows(double *restrict at, const double *restrict n, const double *restrict x,
                             const double *restrict y, const double p[3], int dim)
{
    double a = p[0], b = p[1], c = p[2];
    for (int k = 0; k < dim; ++k) at[k] += n[k] * a + x[k] * b + y[k] * c;
}

void abuti_rest_push(const rest_matrix *m, const abuti_system *s, int contact, const double p[3], double *v)
{
    for (int side = 0; side < s->sides; ++side) {
        int body = s->body[side][contact];
        if (body == s->bodies) continue;
        double *at = v + (size_t)body * (size_t)s->stride;
        const double *n = rest_row(m, s, contact, 0, side), *x = rest_row(m, s, contact, 1, side),
                     *y = rest_row(m, s, contact, 2, side);
        int low = is_wide(m) ? m->low[contact] : 0;
        if (m->dim == BODY)
            push_rows(at, n, x, y, p, BODY);
        else
            push_rows(at + low, n + low, x + low, y + low, p, is_wide(m) ? m->high[contact] - low : m->dim);
    }
}

/* The sum of products over six numbers, two at a time, in a fixed order. */
static inline double six_along(const double *restrict row, const double *restrict at)
{
    double even = row[0] * at[0], odd = row[1] * at[1];
    even += row[2] * at[2], odd += row[3] * at[3];
    even += row[4] * at[4], odd += row[5] * at[5];
    return even + odd;
}

void abuti_rest_velocity(const rest_matrix *m, const abuti_system *s, int contact, const double *v,
                         double u[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int side = 0; side < s->sides; ++side) {
        int body = s->body[side][contact];
        if (body == s->bodies) continue;
        const double *at = v + (size_t)body * (size_t)s->stride;
        for (int axis = 0; axis < 3; ++axis) {
            const double *row = rest_row(m, s, contact, axis, side);
            double part = m->dim == BODY ? six_along(row, at) : 0.0;
            int low = is_wide(m) ? m->low[contact] : 0, high = is_wide(m) ? m->high[contact] : m->dim;
            for (int c = low; c < high && m->dim != BODY; ++c) part += row[c] * at[c];
            sum[axis] += part;
        }
    }
    for (int axis = 0; axis < 3; ++axis) u[axis] = sum[axis];
}

static const double *joint_row(const abuti_system *s, int joint, int side)
{
    return s->joint_rows + (size_t)(joint * s->sides + side) * (size_t)s->stride;
}

void abuti_rest_push_joint(const abuti_system *s, int joint, double y, double *v)
{
    for (int side = 0; side < s->sides; ++side) {
        int body = s->joint_body[side][joint];
        if (body == s->bodies) continue;
        const double *row = joint_row(s, joint, side);
        double *at = v + (size_t)body * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c) at[c] += row[c] * y;
    }
}

double abuti_rest_joint_velocity(const abuti_system *s, int joint, const double *v)
{
    double sum = 0.0;
    for (int side = 0; side < s->sides; ++side) {
        int body = s->joint_body[side][joint];
        if (body == s->bodies) continue;
        const double *row = joint_row(s, joint, side), *at = v + (size_t)body * (size_t)s->stride;
        for (int c = 0; c < s->dim; ++c) sum += row[c] * at[c];
    }
    return sum;
}

/* ---- the matrix ---- */

static double *block_of(const rest_matrix *m, int i, int j)
{
    return m->blocks + m->begin[i] + (size_t)(m->dim * m->dim) * (size_t)(j - m->first[i]);
}

/* block += left' right, `count` rows of each. */
static inline void add_rows(double *restrict block, const double *restrict left, const double *restrict right,
                            int count, int dim)
{
    for (int row = 0; row < count; ++row) {
        const double *l = left + row * dim, *r = right + row * dim;
        for (int a = 0; a < dim; ++a) {
            for (int b = 0; b < dim; ++b) block[a * dim + b] += l[a] * r[b];
        }
    }
}

static void add_product(double *block, const double *left, const double *right, int count, int dim)
{
    if (dim == BODY)
        add_rows(block, left, right, count, BODY);
    else
        add_rows(block, left, right, count, dim);
}

/* Adds a spring: `count` rows J of two sides, and K J; lower blocks only. */
static void add_spring(rest_matrix *m, const int body[2], int sides, const double *const J[2],
                       const double *const KJ[2], int count)
{
    for (int p = 0; p < sides; ++p) {
        for (int q = 0; q < sides; ++q) {
            if (body[p] == m->bodies || body[q] == m->bodies) continue;
            int i = m->rank[body[p]], j = m->rank[body[q]];
            if (j <= i) add_product(block_of(m, i, j), J[p], KJ[q], count, m->dim);
        }
    }
}

static void add_contact(rest_matrix *m, const abuti_system *s, int contact, const double *K)
{
    /* Generalised blocks are as wide as they are; their rows are taken component by component. */
    enum { AT_ONCE = 6 };
    int dim = m->dim, body[2] = {s->body[0][contact], s->sides > 1 ? s->body[1][contact] : m->bodies};
    const double full[9] = {K[REST_NN], K[REST_NX], K[REST_NY], K[REST_NX], K[REST_XX],
                            K[REST_XY], K[REST_NY], K[REST_XY], K[REST_YY]};
    if (dim <= AT_ONCE) {
        double J[2][3 * AT_ONCE], KJ[2][3 * AT_ONCE];
        for (int side = 0; side < s->sides; ++side) {
            for (int axis = 0; axis < 3; ++axis)
                memcpy(J[side] + axis * dim, rest_row(m, s, contact, axis, side),
                       (size_t)dim * sizeof(double));
            for (int axis = 0; axis < 3; ++axis) {
                const double *k = full + 3 * axis;
                for (int c = 0; c < dim; ++c)
                    KJ[side][axis * dim + c] =
                        k[0] * J[side][c] + k[1] * J[side][dim + c] + k[2] * J[side][2 * dim + c];
            }
        }
        add_spring(m, body, s->sides, (const double *const[2]){J[0], J[1]},
                   (const double *const[2]){KJ[0], KJ[1]}, 3);
        return;
    }
    double *block = block_of(m, 0, 0); /* one block, one side */
    for (int p = 0; p < 3; ++p) {
        for (int q = 0; q < 3; ++q) {
            const double *left = rest_row(m, s, contact, p, 0), *right = rest_row(m, s, contact, q, 0);
            for (int a = m->low[contact]; a < m->high[contact]; ++a) {
                double scale = full[3 * p + q] * left[a];
                if (scale == 0.0) continue;
                for (int b = m->low[contact]; b <= a; ++b)
                    block[(size_t)a * (size_t)dim + (size_t)b] += scale * right[b];
            }
        }
    }
}

static void add_joint(rest_matrix *m, const abuti_system *s, int joint, double stiffness)
{
    for (int p = 0; p < s->sides; ++p) {
        for (int q = 0; q < s->sides; ++q) {
            int a = s->joint_body[p][joint], b = s->joint_body[q][joint];
            if (a == s->bodies || b == s->bodies || m->rank[b] > m->rank[a]) continue;
            double *block = block_of(m, m->rank[a], m->rank[b]);
            const double *left = joint_row(s, joint, p), *right = joint_row(s, joint, q);
            for (int i = 0; i < m->dim; ++i) {
                for (int j = 0; j < m->dim; ++j)
                    block[(size_t)i * (size_t)m->dim + (size_t)j] += stiffness * left[i] * right[j];
            }
        }
    }
}

/* ---- its factor L, L L' = matrix; the diagonals of L hold their inverses ---- */

/* target -= left right' */
static inline void subtract_rows(double *restrict target, const double *restrict left,
                                 const double *restrict right, int dim)
{
    for (int a = 0; a < dim; ++a) {
        for (int b = 0; b < dim; ++b) {
            double sum = 0.0;
            for (int c = 0; c < dim; ++c) sum += left[a * dim + c] * right[b * dim + c];
            target[a * dim + b] -= sum;
        }
    }
}

static void subtract_product(double *target, const double *left, const double *right, int dim)
{
    if (dim == BODY)
        subtract_rows(target, left, right, BODY);
    else
        subtract_rows(target, left, right, dim);
}

/* `from` is that of the matrix; where it is NULL the block may be full. */
static bool factor_diagonal(double *D, int dim, const int *from)
{
    for (int i = 0; i < dim; ++i) {
        double *row = D + (size_t)i * (size_t)dim;
        for (int j = from ? from[i] : 0; j <= i; ++j) {
            const double *other = D + (size_t)j * (size_t)dim;
            double sum = row[j];
            for (int k = !from ? 0 : from[i] > from[j] ? from[i] : from[j]; k < j; ++k)
                sum -= row[k] * other[k];
            if (j < i) {
                row[j] = sum * other[j];
            } else if (sum > 0.0) {
                row[i] = 1.0 / sqrt(sum);
            } else {
                return false;
            }
        }
    }
    return true;
}

/* block = block L^-T */
static void divide_by_diagonal(double *block, const double *L, int dim)
{
    for (int a = 0; a < dim; ++a) {
        double *row = block + (size_t)a * (size_t)dim;
        for (int j = 0; j < dim; ++j) {
            const double *other = L + (size_t)j * (size_t)dim;
            double sum = row[j];
            for (int k = 0; k < j; ++k) sum -= row[k] * other[k];
            row[j] = sum * other[j];
        }
    }
}

bool abuti_rest_matrix_factor(rest_matrix *m, const abuti_system *s, double unit, const double *K,
                              double joint)
{
    int dim = m->dim, last = s->bodies - 1;
    size_t block = (size_t)dim * (size_t)dim;
    memset(m->blocks, 0, (m->begin[last] + block * (size_t)(last - m->first[last] + 1)) * sizeof(double));
    for (int i = 0; i < s->bodies; ++i) {
        double *diagonal = block_of(m, i, i);
        for (int c = 0; c < dim; ++c) diagonal[(size_t)c * (size_t)dim + (size_t)c] = unit;
    }
    for (int i = 0; i < s->n; ++i) add_contact(m, s, i, K + (size_t)REST_K * (size_t)i);
    for (int j = 0; j < s->joints; ++j) add_joint(m, s, j, joint);
    for (int i = 0; i < s->bodies; ++i) {
        double *diagonal = block_of(m, i, i);
        for (int j = m->first[i]; j < i; ++j) {
            double *mine = block_of(m, i, j);
            int k = m->first[i] > m->first[j] ? m->first[i] : m->first[j];
            for (; k < j; ++k) subtract_product(mine, block_of(m, i, k), block_of(m, j, k), dim);
            divide_by_diagonal(mine, block_of(m, j, j), dim);
            subtract_product(diagonal, mine, mine, dim);
        }
        if (!factor_diagonal(diagonal, dim, is_wide(m) ? m->from : NULL)) return false;
    }
    return true;
}

void abuti_rest_matrix_solve(const rest_matrix *m, const abuti_system *s, double *v)
{
    int dim = m->dim;
    for (int i = 0; i < s->bodies; ++i) {
        double *mine = m->solved + (size_t)i * (size_t)dim;
        memcpy(mine, v + (size_t)m->body_at[i] * (size_t)s->stride, (size_t)dim * sizeof(double));
        for (int j = m->first[i]; j < i; ++j) {
            const double *block = block_of(m, i, j), *other = m->solved + (size_t)j * (size_t)dim;
            for (int a = 0; a < dim; ++a) {
                double sum = 0.0;
                for (int c = 0; c < dim; ++c) sum += block[a * dim + c] * other[c];
                mine[a] -= sum;
            }
        }
        const double *L = block_of(m, i, i);
        for (int a = 0; a < dim; ++a) {
            const double *row = L + (size_t)a * (size_t)dim;
            for (int c = is_wide(m) ? m->from[a] : 0; c < a; ++c) mine[a] -= row[c] * mine[c];
            mine[a] *= row[a];
        }
    }
    for (int i = s->bodies - 1; i >= 0; --i) {
        double *mine = m->solved + (size_t)i * (size_t)dim;
        const double *L = block_of(m, i, i);
        for (int a = dim - 1; a >= 0; --a) {
            mine[a] *= L[(size_t)a * (size_t)dim + (size_t)a];
            for (int c = is_wide(m) ? m->from[a] : 0; c < a; ++c)
                mine[c] -= L[(size_t)a * (size_t)dim + (size_t)c] * mine[a];
        }
        for (int j = m->first[i]; j < i; ++j) {
            const double *block = block_of(m, i, j);
            double *other = m->solved + (size_t)j * (size_t)dim;
            for (int a = 0; a < dim; ++a) {
                for (int c = 0; c < dim; ++c) other[c] -= block[a * dim + c] * mine[a];
            }
        }
        memcpy(v + (size_t)m->body_at[i] * (size_t)s->stride, mine, (size_t)dim * sizeof(double));
    }
}
