/* Included by cone/core.inl.
 *
 * I + J'B J by blocks of the bodies, B three by three for each contact and not symmetric, in the envelope of
 * rest/matrix.h; rows of blocks are padded to whole lanes. A = L U with unit blocks on the diagonal of U. L is in
 * `lower`, with the blocks of its diagonal factored; U above the diagonal is in `upper`. There is pivoting only inside
 * the diagonal blocks, since they are I plus something that is nearly definite. */

/* The block (i, j). */
static double *block_at(const cone *c, int i, int j)
{
    int high = i >= j ? i : j, low = i + j - high;
    size_t at = c->row_begin[high] + (size_t)(low - c->matrix.first[high]) * c->block;
    return (i >= j ? c->lower : c->upper) + at;
}

/* Rows of a contact on one side: three of them, padded. */
static inline const double *rows_on(const cone *c, int contact, int side)
{
    return c->rows + (size_t)(3 * (contact * c->system->sides + side)) * (size_t)c->system->stride;
}

/* to = B J, three rows. */
static inline void times_B(const double *B, const double *J, double *to, int chunks)
{
    int stride = ABUTI_LANES * chunks;
    for (int at = 0; at < stride; at += ABUTI_LANES) {
        lanes n = lanes_load(J + at), x = lanes_load(J + stride + at), y = lanes_load(J + 2 * stride + at);
        for (int axis = 0; axis < 3; ++axis) {
            lanes sum = lanes_mul(lanes_all(B[3 * axis]), n);
            sum = lanes_madd(lanes_all(B[3 * axis + 1]), x, sum);
            lanes_store(to + axis * stride + at, lanes_madd(lanes_all(B[3 * axis + 2]), y, sum));
        }
    }
}

/* block += J'(B J), three rows each. */
static inline void add_product(double *block, const double *J, const double *BJ, int dim, int chunks)
{
    int stride = ABUTI_LANES * chunks;
    for (int at = 0; at < stride; at += ABUTI_LANES) {
        lanes n = lanes_load(BJ + at), x = lanes_load(BJ + stride + at), y = lanes_load(BJ + 2 * stride + at);
        for (int row = 0; row < dim; ++row) {
            double *to = block + row * stride + at;
            lanes sum = lanes_madd(lanes_all(J[row]), n, lanes_load(to));
            sum = lanes_madd(lanes_all(J[stride + row]), x, sum);
            lanes_store(to, lanes_madd(lanes_all(J[2 * stride + row]), y, sum));
        }
    }
}

static inline void add_contact(cone *c, int contact, int dim, int chunks)
{
    const abuti_system *s = c->system;
    const double *J[2] = {NULL, NULL};
    double *BJ[2] = {c->room, c->room + 3 * ABUTI_LANES * chunks};
    int rank[2] = {-1, -1};
    for (int side = 0; side < s->sides; ++side) {
        if (s->body[side][contact] == s->bodies) continue;
        rank[side] = c->matrix.rank[s->body[side][contact]];
        J[side] = rows_on(c, contact, side);
        times_B(c->touch[contact].B, J[side], BJ[side], chunks);
    }
    for (int p = 0; p < s->sides; ++p)
        for (int q = 0; q < s->sides; ++q)
            if (rank[p] >= 0 && rank[q] >= 0)
                add_product(block_at(c, rank[p], rank[q]), J[p], BJ[q], dim, chunks);
}

static void add_joint(cone *c, int joint, double stiffness)
{
    const abuti_system *s = c->system;
    const rest_matrix *m = &c->matrix;
    for (int p = 0; p < s->sides; ++p) {
        for (int q = 0; q < s->sides; ++q) {
            int a = s->joint_body[p][joint], b = s->joint_body[q][joint];
            if (a == s->bodies || b == s->bodies) continue;
            const double *left = s->joint_rows + (size_t)(joint * s->sides + p) * (size_t)s->stride;
            const double *right = s->joint_rows + (size_t)(joint * s->sides + q) * (size_t)s->stride;
            double *block = block_at(c, m->rank[a], m->rank[b]);
            for (int row = 0; row < m->dim; ++row) {
                double by = stiffness * left[row];
                for (int k = 0; k < m->dim; ++k)
                    block[(size_t)row * (size_t)s->stride + (size_t)k] += by * right[k];
            }
        }
    }
}

/* target -= left right */
static inline void subtract(double *target, const double *left, const double *right, int dim, int chunks)
{
    int stride = ABUTI_LANES * chunks;
    for (int at = 0; at < stride; at += ABUTI_LANES) {
        for (int a = 0; a < dim; ++a) {
            lanes sum = lanes_load(target + a * stride + at);
            for (int k = 0; k < dim; ++k)
                sum = lanes_msub(lanes_all(left[a * stride + k]), lanes_load(right + k * stride + at), sum);
            lanes_store(target + a * stride + at, sum);
        }
    }
}

/* Exchanges two rows of a block. */
static inline void exchange(double *a, double *b, int stride)
{
    for (int at = 0; at < stride; at += ABUTI_LANES) {
        lanes kept = lanes_load(a + at);
        lanes_store(a + at, lanes_load(b + at));
        lanes_store(b + at, kept);
    }
}

/* What is right of column k of eight numbers of a row, which begin at `at`; zeros before it. */
static inline lanes right_of(const double *row, int k, int at)
{
    lane_mask right = lanes_less(lanes_all((double)k), lanes_count_from((double)at));
    return lanes_select(right, lanes_load(row + at), lanes_all(0.0));
}

/* P D = L U in place, with partial pivoting: row k of L U is row perm[k] of D; the diagonal of U holds its inverses. An
 * explicit inverse is not exact enough: what it leaves along stiff springs is as large as the impulses. `room` holds a
 * row. */
static inline bool factor_diagonal(double *D, int *perm, double *room, int dim, int chunks)
{
    int stride = ABUTI_LANES * chunks;
    for (int k = 0; k < dim; ++k) perm[k] = k;
    for (int k = 0; k < dim; ++k) {
        int best = k;
        for (int i = k + 1; i < dim; ++i)
            if (fabs(D[i * stride + k]) > fabs(D[best * stride + k])) best = i;
        if (best != k) exchange(D + k * stride, D + best * stride, stride);
        int moved = perm[k];
        perm[k] = perm[best];
        perm[best] = moved;
        double over = 1.0 / D[k * stride + k];
        if (!(fabs(over) < INFINITY)) return false;
        for (int i = k + 1; i < dim; ++i) room[i] = D[i * stride + k] * over;
        for (int at = k / ABUTI_LANES * ABUTI_LANES; at < stride; at += ABUTI_LANES) {
            lanes pivot = right_of(D + k * stride, k, at);
            for (int i = k + 1; i < dim; ++i) {
                double *row = D + i * stride + at;
                lanes left = lanes_msub(lanes_all(room[i]), pivot, lanes_load(row));
                lanes_store(row, at <= k ? lanes_with(left, k - at, room[i]) : left);
            }
        }
        D[k * stride + k] = over;
    }
    return true;
}

/* block = D^-1 block, with room for as much again. */
static inline void divide_block(double *block, const double *D, const int *perm, double *room, int dim,
                                int chunks)
{
    int stride = ABUTI_LANES * chunks;
    for (int at = 0; at < stride; at += ABUTI_LANES) {
        for (int k = 0; k < dim; ++k) {
            lanes sum = lanes_load(block + perm[k] * stride + at);
            for (int j = 0; j < k; ++j)
                sum = lanes_msub(lanes_all(D[k * stride + j]), lanes_load(room + j * stride + at), sum);
            lanes_store(room + k * stride + at, sum);
        }
        for (int k = dim - 1; k >= 0; --k) {
            lanes sum = lanes_load(room + k * stride + at);
            for (int j = k + 1; j < dim; ++j)
                sum = lanes_msub(lanes_all(D[k * stride + j]), lanes_load(block + j * stride + at), sum);
            lanes_store(block + k * stride + at, lanes_mul(sum, lanes_all(D[k * stride + k])));
        }
    }
}

static inline bool factor_blocks(cone *c, int dim, int chunks)
{
    rest_matrix *m = &c->matrix;
    for (int i = 0; i < m->bodies; ++i) {
        double *diagonal = block_at(c, i, i);
        for (int j = m->first[i]; j < i; ++j) {
            double *lower = block_at(c, i, j), *upper = block_at(c, j, i);
            int k = m->first[i] > m->first[j] ? m->first[i] : m->first[j];
            for (; k < j; ++k) {
                subtract(upper, block_at(c, j, k), block_at(c, k, i), dim, chunks);
                subtract(lower, block_at(c, i, k), block_at(c, k, j), dim, chunks);
            }
            divide_block(upper, block_at(c, j, j), c->perm + (size_t)j * (size_t)dim, c->room, dim, chunks);
            subtract(diagonal, lower, upper, dim, chunks);
        }
        if (!factor_diagonal(diagonal, c->perm + (size_t)i * (size_t)dim, c->room, dim, chunks)) return false;
    }
    return true;
}

static bool factor(cone *c, double joint_stiffness)
{
    const abuti_system *s = c->system;
    int last = s->bodies - 1, dim = s->dim, chunks = s->stride / ABUTI_LANES;
    size_t numbers = c->row_begin[last] + (size_t)(last - c->matrix.first[last] + 1) * c->block;
    memset(c->lower, 0, numbers * sizeof(double));
    if (s->bodies > 1) memset(c->upper, 0, numbers * sizeof(double));
    for (int i = 0; i < s->bodies; ++i) {
        double *diagonal = block_at(c, i, i);
        for (int k = 0; k < dim; ++k) diagonal[(size_t)k * (size_t)(s->stride + 1)] = 1.0;
    }
    for (int i = 0; i < s->n; ++i) {
        if (c->touch[i].state == ABUT_OPEN) continue;
        if (dim == 6) {
            add_contact(c, i, 6, 1);
        } else {
            add_contact(c, i, dim, chunks);
        }
    }
    for (int j = 0; j < s->joints; ++j) add_joint(c, j, joint_stiffness);
    return dim == 6 ? factor_blocks(c, 6, 1) : factor_blocks(c, dim, chunks);
}

/* y -= block x */
static inline void subtract_from(const double *block, const double *x, double *y, int dim, int stride)
{
    for (int a = 0; a < dim; ++a) {
        const double *row = block + (size_t)a * (size_t)stride;
        double sum = 0.0;
        for (int k = 0; k < dim; ++k) sum += row[k] * x[k];
        y[a] -= sum;
    }
}

/* x = D^-1 b */
static inline void solve_diagonal(const double *D, const int *perm, const double *b, double *x, int dim,
                                  int stride)
{
    for (int k = 0; k < dim; ++k) {
        double sum = b[perm[k]];
        for (int j = 0; j < k; ++j) sum -= D[k * stride + j] * x[j];
        x[k] = sum;
    }
    for (int k = dim - 1; k >= 0; --k) {
        double sum = x[k];
        for (int j = k + 1; j < dim; ++j) sum -= D[k * stride + j] * x[j];
        x[k] = sum * D[k * stride + k];
    }
}

static inline void divide_with(const cone *c, double *v, int dim, int stride)
{
    const rest_matrix *m = &c->matrix;
    double *b = c->room;
    for (int i = 0; i < m->bodies; ++i) {
        double *mine = v + (size_t)m->body_at[i] * (size_t)stride;
        for (int j = m->first[i]; j < i; ++j)
            subtract_from(block_at(c, i, j), v + (size_t)m->body_at[j] * (size_t)stride, mine, dim, stride);
        memcpy(b, mine, (size_t)dim * sizeof(double));
        solve_diagonal(block_at(c, i, i), c->perm + (size_t)i * (size_t)dim, b, mine, dim, stride);
    }
    for (int i = m->bodies - 1; i >= 0; --i) {
        const double *mine = v + (size_t)m->body_at[i] * (size_t)stride;
        for (int j = m->first[i]; j < i; ++j)
            subtract_from(block_at(c, j, i), mine, v + (size_t)m->body_at[j] * (size_t)stride, dim, stride);
    }
}

static void divide(const cone *c, double *v)
{
    if (c->system->dim == 6) {
        divide_with(c, v, 6, ABUTI_LANES);
    } else {
        divide_with(c, v, c->system->dim, c->system->stride);
    }
}
