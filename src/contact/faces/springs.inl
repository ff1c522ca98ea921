/* Included by faces/core.inl.
 *
 * Many bodies, one system for their velocities: every contact is a spring.
 *
 * Stages that change many contacts at once give each contact a linear law between its local velocity and its
 * impulse, dx = r - K du, with K three by three. With du = J dv and dv = J'dx, what is left is a system with
 * one block for each pair of bodies that touch,
 *
 *     (I + J'K J) dv = J'r,
 *
 * however many contacts there are and however many of them are redundant. A body that stands on four corners
 * has twice as many impulses as freedoms, and is as regular as any other here. Joint rows are stiff springs
 * of one row.
 *
 * Bodies are eliminated in the order of faces/order.inl. Blocks lie as in faces/band.inl: column by column,
 * one vector each. Row i of the blocks reaches from the first body that body i is coupled with, and so does
 * what elimination fills in: a stack costs O(m), a wall O(m) times the square of its width. */

/* Entries of K: a normal velocity drives all three impulses, a tangential one drives those in the plane. */
enum { K_NN, K_XN, K_YN, K_XX, K_XY, K_YY };

static inline double *spring_block(const faces_springs *g, double *blocks, int i, int j)
{
    return blocks + (size_t)(g->begin[i] + j - g->first[i]) * BLOCK;
}

/* ---- shape ---- */

/* Finds the ranks, the reach of every row, and room for its blocks; false when there is not enough room. */
static bool springs_shape(faces *f)
{
    const abuti_system *s = f->system;
    faces_springs *g = &f->springs;
    int used = 0, a, b;
    find_order(f);
    for (int i = 0; i < s->bodies; ++i) {
        if (f->order.rank[i] == FACES_NONE) return false;
        g->body_at[f->order.rank[i]] = i;
        g->first[i] = i;
    }
    for (int i = 0; i < s->n + s->joints; ++i) {
        coupled(s, i, &a, &b);
        if (a == s->bodies || b == s->bodies) continue;
        int low = f->order.rank[a] < f->order.rank[b] ? f->order.rank[a] : f->order.rank[b],
            high = f->order.rank[a] + f->order.rank[b] - low;
        if (low < g->first[high]) g->first[high] = low;
    }
    for (int i = 0; i < s->bodies; ++i) {
        g->begin[i] = used;
        used += i - g->first[i];
        if (used > g->block_capacity) return false;
    }
    g->blocks = used;
    return true;
}

/* Opens all contacts, gathers their rows, and ranks the bodies. */
static bool springs_begin(faces *f)
{
    const abuti_system *s = f->system;
    f->parts = 1;
    f->memory.ready = FACES_LEFT_NOTHING;
    clear(f, &basis_of_band);
    make_polygons(f);
    const double *const still[3] = {f->still, f->still, f->still};
    set_shift(f, s->offset, still);
    if (!springs_shape(f)) return false;
    for (int i = 0; i < s->n; ++i) {
        for (int axis = 0; axis < 3; ++axis) bodies_gather(f, i, axis, seat_row(f, i, axis));
    }
    return true;
}

/* ---- I + J'K J ---- */

/* block += J'w: three rows of J that lie `width` apart, three of w. */
HOT void block_add(double *block, const double *J, const double *w, int width, int dim)
{
    lanes n = lanes_load(J), x = lanes_load(J + width), y = lanes_load(J + 2 * width);
    for (int c = 0; c < dim; ++c) {
        lanes column = lanes_madd(n, lanes_all(w[c]), lanes_load(block + 8 * c));
        column = lanes_madd(x, lanes_all(w[8 + c]), column);
        lanes_store(block + 8 * c, lanes_madd(y, lanes_all(w[16 + c]), column));
    }
}

/* w = K J for one side of a contact. */
HOT void spring_force(const faces_springs *g, int i, const double *J, int width, double *w)
{
    lanes n = lanes_load(J), x = lanes_load(J + width), y = lanes_load(J + 2 * width);
    lanes xy = lanes_all(g->K[K_XY][i]);
    lanes_store(w, lanes_mul(lanes_all(g->K[K_NN][i]), n));
    lanes along = lanes_madd(lanes_all(g->K[K_XX][i]), x, lanes_mul(lanes_all(g->K[K_XN][i]), n));
    lanes_store(w + 8, lanes_madd(xy, y, along));
    lanes across = lanes_madd(lanes_all(g->K[K_YY][i]), y, lanes_mul(lanes_all(g->K[K_YN][i]), n));
    lanes_store(w + 16, lanes_madd(xy, x, across));
}

HOT void assemble_contact(faces *f, int i, int dim)
{
    const abuti_system *s = f->system;
    faces_springs *g = &f->springs;
    int width = f->width, a = s->body[0][i], b = s->body[1][i];
    const double *Ja = seat_row(f, i, 0), *Jb = Ja + s->stride;
    _Alignas(64) double wa[24], wb[24];
    if (a < s->bodies) {
        spring_force(g, i, Ja, width, wa);
        block_add(g->diagonal + (size_t)f->order.rank[a] * BLOCK, Ja, wa, width, dim);
    }
    if (b == s->bodies) return;
    spring_force(g, i, Jb, width, wb);
    block_add(g->diagonal + (size_t)f->order.rank[b] * BLOCK, Jb, wb, width, dim);
    if (a == s->bodies) return;
    bool upward = f->order.rank[a] > f->order.rank[b];
    int high = upward ? f->order.rank[a] : f->order.rank[b],
        low = upward ? f->order.rank[b] : f->order.rank[a];
    block_add(spring_block(g, g->lower, high, low), upward ? Ja : Jb, upward ? wb : wa, width, dim);
    block_add(spring_block(g, g->upper, high, low), upward ? Jb : Ja, upward ? wa : wb, width, dim);
}

/* A joint's row is a contact's normal row without tangents. */
static void assemble_joint(faces *f, int j, int dim)
{
    const abuti_system *s = f->system;
    faces_springs *g = &f->springs;
    const double *row = s->joint_rows + (size_t)j * (size_t)f->width;
    for (int p = 0; p < 2; ++p) {
        for (int q = 0; q < 2; ++q) {
            int a = s->joint_body[p][j], b = s->joint_body[q][j];
            if (a == s->bodies || b == s->bodies) continue;
            int i = f->order.rank[a], k = f->order.rank[b];
            double *block = i == k  ? g->diagonal + (size_t)i * BLOCK
                            : i > k ? spring_block(g, g->lower, i, k)
                                    : spring_block(g, g->upper, k, i);
            for (int r = 0; r < dim; ++r)
                axpy(g->joint_stiffness * row[q * s->stride + r], row + p * s->stride, block + 8 * r, 8);
        }
    }
}

HOT void assemble_dim(faces *f, int dim)
{
    const abuti_system *s = f->system;
    faces_springs *g = &f->springs;
    fill(g->lower, 0.0, g->blocks * BLOCK);
    fill(g->upper, 0.0, g->blocks * BLOCK);
    fill(g->diagonal, 0.0, s->bodies * BLOCK);
    for (int i = 0; i < s->bodies; ++i) {
        for (int c = 0; c < dim; ++c) g->diagonal[(size_t)i * BLOCK + (size_t)(9 * c)] = 1.0;
    }
    for (int i = 0; i < s->n; ++i) assemble_contact(f, i, dim);
    for (int j = 0; j < s->joints; ++j) assemble_joint(f, j, dim);
}

/* ---- L and U by blocks ---- */

/* Gauss-Jordan in place. Single numbers are replaced in registers, since a narrow store would hold up the
 * load of its row. */
HOT void block_invert(double *D, int dim)
{
    for (int j = 0; j < dim; ++j) {
        double *pivot = D + 8 * j, inverse = 1.0 / pivot[j];
        lanes row = lanes_mul(lanes_all(inverse), lanes_with(lanes_load(pivot), j, 1.0));
        lanes_store(pivot, row);
        for (int i = 0; i < dim; ++i) {
            if (i == j) continue;
            lanes factor = lanes_all(D[8 * i + j]);
            lanes_store(D + 8 * i, lanes_msub(factor, row, lanes_with(lanes_load(D + 8 * i), j, 0.0)));
        }
    }
}

HOT void factor_dim(faces *f, int dim)
{
    faces_springs *g = &f->springs;
    for (int i = 0; i < f->system->bodies; ++i) {
        double *diagonal = g->diagonal + (size_t)i * BLOCK;
        for (int j = g->first[i]; j < i; ++j) {
            double *lower = spring_block(g, g->lower, i, j), *upper = spring_block(g, g->upper, i, j);
            int k = g->first[i] > g->first[j] ? g->first[i] : g->first[j];
            for (; k < j; ++k) {
                subtract_product(spring_block(g, g->lower, i, k), spring_block(g, g->upper, j, k), lower, dim,
                                 dim);
                subtract_product(spring_block(g, g->lower, j, k), spring_block(g, g->upper, i, k), upper, dim,
                                 dim);
            }
            times_right(lower, g->diagonal + (size_t)j * BLOCK, dim);
            subtract_product(lower, upper, diagonal, dim, dim);
        }
        block_invert(diagonal, dim);
    }
}

/* Assembles and factors the matrix of the springs at hand. */
static void springs_factor(faces *f)
{
    if (f->system->dim == 6) {
        assemble_dim(f, 6);
        factor_dim(f, 6);
    } else {
        assemble_dim(f, f->system->dim);
        factor_dim(f, f->system->dim);
    }
}

/* ---- solves ---- */

/* v += J'x over contacts and joints. */
static void push_bodies(const faces *f, double *const x[3], const double *joint, double *v)
{
    const abuti_system *s = f->system;
    int width = f->width;
    for (int i = 0; i < s->n; ++i) {
        const double *J = seat_row(f, i, 0);
        lanes n = lanes_all(x[0][i]), tx = lanes_all(x[1][i]), ty = lanes_all(x[2][i]);
        for (int side = 0; side < 2; ++side, J += s->stride) {
            double *at = v + (size_t)s->body[side][i] * (size_t)s->stride;
            lanes sum = lanes_madd(n, lanes_load(J), lanes_load(at));
            sum = lanes_madd(tx, lanes_load(J + width), sum);
            lanes_store(at, lanes_madd(ty, lanes_load(J + 2 * width), sum));
        }
    }
    for (int j = 0; j < s->joints; ++j)
        bodies_add(f, joint[j], s->joint_rows + (size_t)j * (size_t)width, bodies_place(f, -2 - j), v);
    lanes_store(v + (size_t)s->bodies * (size_t)s->stride, lanes_all(0.0));
}

HOT void solve_dim(const faces *f, double *v, int dim)
{
    const faces_springs *g = &f->springs;
    int bodies = f->system->bodies;
    for (int i = 0; i < bodies; ++i) {
        double *mine = v + 8 * (size_t)g->body_at[i];
        lanes sum = lanes_load(mine);
        for (int j = g->first[i]; j < i; ++j)
            sum = minus_product(sum, spring_block(g, g->lower, i, j), v + 8 * (size_t)g->body_at[j], dim);
        lanes_store(mine, sum);
    }
    for (int i = bodies - 1; i >= 0; --i) {
        double *mine = v + 8 * (size_t)g->body_at[i];
        lanes minus = minus_product(lanes_all(0.0), g->diagonal + (size_t)i * BLOCK, mine, dim);
        lanes_store(mine, lanes_sub(lanes_all(0.0), minus));
        for (int j = g->first[i]; j < i; ++j) {
            double *other = v + 8 * (size_t)g->body_at[j];
            lanes_store(other, minus_product(lanes_load(other), spring_block(g, g->upper, i, j), mine, dim));
        }
    }
}

/* dv of the springs at hand and their r goes into part 1: v[1], and with it the local velocities. */
static void springs_solve(faces *f)
{
    faces_springs *g = &f->springs;
    fill(f->v[1], 0.0, f->space);
    push_bodies(f, g->r, g->joint_r, f->v[1]);
    if (f->system->dim == 6) {
        solve_dim(f, f->v[1], 6);
    } else {
        solve_dim(f, f->v[1], f->system->dim);
    }
    bodies_velocities(f, 1);
}

/* The error of a joint's row at v: row.v, and its offset in part 0. */
static double joint_velocity(const faces *f, int j, int part)
{
    const abuti_system *s = f->system;
    double along =
        bodies_dot(f, s->joint_rows + (size_t)j * (size_t)f->width, bodies_place(f, -2 - j), f->v[part]);
    return part == 0 ? along + s->joint_offset[j] : along;
}
