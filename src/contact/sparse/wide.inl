/* Included by sparse/core.inl.
 *
 * Rows of blocks of unlike sizes (build/parts.h), in pieces of eight numbers; and springs that give way.
 *
 * Where a contact gives way, u = J v + C x with C diagonal, its spring x = r - K u is that of another one on J v alone,
 *
 *     x = s - S J v,     S = (I + K C)^-1 K,     s = (I + K C)^-1 r,
 *
 * so that only S is assembled. How far each contact gives way is found contact by contact, and the determinant of the
 * whole is that of the factors times those of all I + K C. */

/* One side of a row: a block and the row's numbers on it. */
typedef struct wide_side {
    int block, numbers; /* padded; 0: nothing acts there */
    const double *row;
} wide_side;

/* A contact's rows on one side: those of the other axes are `apart` from the first. */
HOT wide_side wide_contact(const sparse *p, int i, int side, size_t *apart)
{
    const abuti_system *s = p->system;
    const abuti_parts *w = s->parts;
    int at[2] = {s->body[0][i], s->body[1][i]}, numbers[2];
    for (int k = 0; k < 2; ++k) numbers[k] = at[k] < s->bodies ? abuti_padded(w->size[at[k]]) : 0;
    *apart = (size_t)(numbers[0] + numbers[1]);
    return (wide_side){at[side], numbers[side], w->rows + w->row[i] + (side ? numbers[0] : 0)};
}

HOT wide_side wide_joint(const sparse *p, int j, int side)
{
    const abuti_system *s = p->system;
    const abuti_parts *w = s->parts;
    int at[2] = {s->joint_body[0][j], s->joint_body[1][j]}, numbers[2];
    for (int k = 0; k < 2; ++k) numbers[k] = at[k] < s->bodies ? abuti_padded(w->size[at[k]]) : 0;
    return (wide_side){at[side], numbers[side], w->joint_rows + w->joint_row[j] + (side ? numbers[0] : 0)};
}

/* ---- what gives way ---- */

/* I + K C of a contact, factored in place. */
typedef struct given_way {
    double a[3][3];
    bool turned; /* its determinant is negative */
} given_way;

static given_way give_way(const sparse *p, int i)
{
    double *const *K = p->springs.K;
    const double *const *c = p->system->parts->give;
    const double k[3][3] = {{K[K_NN][i], K[K_NX][i], K[K_NY][i]},
                            {K[K_XN][i], K[K_XX][i], K[K_XY][i]},
                            {K[K_YN][i], K[K_XY][i], K[K_YY][i]}};
    given_way g = {.turned = false};
    for (int r = 0; r < 3; ++r)
        for (int q = 0; q < 3; ++q) g.a[r][q] = (r == q ? 1.0 : 0.0) + k[r][q] * c[q][i];
    for (int q = 0; q < 3; ++q) {
        g.turned ^= g.a[q][q] < 0.0;
        for (int r = q + 1; r < 3; ++r) {
            g.a[r][q] /= g.a[q][q];
            for (int t = q + 1; t < 3; ++t) g.a[r][t] -= g.a[r][q] * g.a[q][t];
        }
    }
    return g;
}

/* x := (I + K C)^-1 x */
static void after_giving(const given_way *g, double x[3])
{
    for (int r = 1; r < 3; ++r)
        for (int q = 0; q < r; ++q) x[r] -= g->a[r][q] * x[q];
    for (int r = 2; r >= 0; --r) {
        for (int q = r + 1; q < 3; ++q) x[r] -= g->a[r][q] * x[q];
        x[r] /= g->a[r][r];
    }
}

static bool gives(const sparse *p, int i)
{
    const double *const *c = p->system->parts->give;
    return c[0][i] > 0.0 || c[1][i] > 0.0 || c[2][i] > 0.0;
}

/* Finds S of all contacts, into `soft`. Each S is as symmetric as its K, since only normals give way, and the tangent
 * of planar contacts. Returns whether the determinants of I + K C have a negative product. */
static bool soften_springs(sparse *p)
{
    double *const *K = p->springs.K, *const *S = p->springs.soft;
    bool turned = false;
    for (int k = 0; k < K_COUNT; ++k) memcpy(S[k], K[k], (size_t)p->lanes * sizeof(double));
    for (int i = 0; i < p->system->n; ++i) {
        if (!gives(p, i)) continue;
        given_way g = give_way(p, i);
        double n[3] = {K[K_NN][i], K[K_XN][i], K[K_YN][i]}, x[3] = {K[K_NX][i], K[K_XX][i], K[K_XY][i]},
               y[3] = {K[K_NY][i], K[K_XY][i], K[K_YY][i]};
        turned ^= g.turned;
        after_giving(&g, n);
        after_giving(&g, x);
        after_giving(&g, y);
        S[K_NN][i] = n[0];
        S[K_XN][i] = n[1];
        S[K_YN][i] = n[2];
        S[K_NX][i] = x[0];
        S[K_XX][i] = x[1];
        S[K_NY][i] = y[0];
        S[K_XY][i] = y[1];
        S[K_YY][i] = y[2];
    }
    return turned;
}

/* out = (I + K C)^-1 (r - K u) of all contacts: the impulses that belong to a motion u of the bodies alone. Where r is
 * NULL it counts as zero. */
static void soft_answer(const sparse *p, double *const u[3], double *const r[3], double *const out[3])
{
    spring_answer(p, u, r, out);
    for (int i = 0; i < p->system->n; ++i) {
        if (!gives(p, i)) continue;
        given_way g = give_way(p, i);
        double x[3] = {out[0][i], out[1][i], out[2][i]};
        after_giving(&g, x);
        for (int axis = 0; axis < 3; ++axis) out[axis][i] = x[axis];
    }
}

/* u += C x */
static void add_given(const sparse *p, double *const x[3], double *const u[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        const double *c = p->system->parts->give[axis];
        for (int i = 0; i < p->system->n; ++i) u[axis][i] += c[i] * x[axis][i];
    }
}

/* ---- I + J'S J ---- */

/* Adds J'S J to the block of the sides `low` and `high`, whose place in U is `at`, and in L the same with the transpose
 * of S. */
static void wide_block(double *const S[K_COUNT], int i, const wide_side *low, const wide_side *high,
                       size_t apart, int dim, double *at, size_t ld, size_t behind)
{
    lanes w[3];
    for (int c = 0; c < high->numbers; c += 8) {
        spring_rows(S, i, high->row + c, apart, false, w);
        block_add(at + c, ld, low->row, apart, w, dim);
        spring_rows(S, i, high->row + c, apart, true, w);
        block_add(at + behind + c, ld, low->row, apart, w, dim);
    }
}

static void add_wide_contact(sparse *p, double *const S[K_COUNT], int i)
{
    const abuti_system *s = p->system;
    sparse_matrix *m = matrix_of(p);
    size_t apart, behind;
    wide_side side[2] = {wide_contact(p, i, 0, &apart), wide_contact(p, i, 1, &apart)};
    for (int k = 0; k < 3; ++k) { /* both blocks' own, then the one between them */
        const wide_side *low = &side[k < 2 ? k : m->upper[i]], *high = k < 2 ? low : &side[1 - m->upper[i]];
        if (low->numbers == 0 || high->numbers == 0) continue;
        size_t ld = length_of(&m->shape, low->block, &behind);
        double *at = m->numbers + (k < 2 ? m->own[low->block] : m->place[i]);
        wide_block(S, i, low, high, apart, s->parts->size[low->block], at, ld, behind);
    }
}

/* The stiffness of a joint row that gives way. */
static double joint_spring(const sparse *p, int j)
{
    double k = p->springs.joint_stiffness;
    return k / (1.0 + k * p->system->parts->joint_give[j]);
}

static void add_wide_joint(sparse *p, int j)
{
    const abuti_system *s = p->system;
    sparse_matrix *m = matrix_of(p);
    wide_side side[2] = {wide_joint(p, j, 0), wide_joint(p, j, 1)};
    int upper = m->upper[s->n + j];
    for (int k = 0; k < 3; ++k) {
        const wide_side *low = &side[k < 2 ? k : upper], *high = k < 2 ? low : &side[1 - upper];
        if (low->numbers == 0 || high->numbers == 0) continue;
        size_t behind, ld = length_of(&m->shape, low->block, &behind);
        double *at = m->numbers + (k < 2 ? m->own[low->block] : m->place[s->n + j]);
        for (int c = 0; c < s->parts->size[low->block]; ++c, at += ld) {
            lanes pull = lanes_all(joint_spring(p, j) * low->row[c]);
            for (int q = 0; q < high->numbers; q += 8) {
                lanes part = lanes_mul(pull, lanes_load(high->row + q));
                lanes_store_any(at + q, lanes_add(part, lanes_load_any(at + q)));
                lanes_store_any(at + behind + q, lanes_add(part, lanes_load_any(at + behind + q)));
            }
        }
    }
}

/* Adds all springs. Returns whether what gives way makes the determinant change its sign. */
static bool add_wide(sparse *p)
{
    bool turned = p->system->parts->gives && soften_springs(p);
    double *const *S = p->system->parts->gives ? p->springs.soft : p->springs.K;
    for (int i = 0; i < p->system->n; ++i) add_wide_contact(p, S, i);
    for (int j = 0; j < p->system->joints; ++j) add_wide_joint(p, j);
    return turned;
}

/* ---- impulses and velocities ---- */

/* v += J'x of all contacts and joints. */
static void push_wide(const sparse *p, double *const x[3], const double *joint, double *v)
{
    const abuti_system *s = p->system;
    for (int i = 0; i < s->n; ++i) {
        lanes n = lanes_all(x[0][i]), tx = lanes_all(x[1][i]), ty = lanes_all(x[2][i]);
        for (int side = 0; side < 2; ++side) {
            size_t apart;
            wide_side to = wide_contact(p, i, side, &apart);
            for (int c = 0; c < to.numbers; c += 8) {
                double *at = v + s->parts->at[to.block] + c;
                const double *J = to.row + c;
                lanes sum = lanes_madd(n, lanes_load(J), lanes_load(at));
                sum = lanes_madd(tx, lanes_load(J + apart), sum);
                lanes_store(at, lanes_madd(ty, lanes_load(J + 2 * apart), sum));
            }
        }
    }
    for (int j = 0; j < s->joints; ++j) {
        for (int side = 0; side < 2; ++side) {
            wide_side to = wide_joint(p, j, side);
            for (int c = 0; c < to.numbers; c += 8) {
                double *at = v + s->parts->at[to.block] + c;
                lanes_store(at, lanes_madd(lanes_all(joint[j]), lanes_load(to.row + c), lanes_load(at)));
            }
        }
    }
}

/* u = J v of all contacts, with their offsets or without. */
static void tell_wide(const sparse *p, const double *v, bool offsets, double *const u[3])
{
    const abuti_system *s = p->system;
    for (int i = 0; i < s->lanes; ++i) {
        lanes sum[3] = {lanes_all(0.0), lanes_all(0.0), lanes_all(0.0)};
        for (int side = 0; side < 2 && i < s->n; ++side) {
            size_t apart;
            wide_side from = wide_contact(p, i, side, &apart);
            for (int c = 0; c < from.numbers; c += 8) {
                lanes at = lanes_load(v + s->parts->at[from.block] + c);
                for (size_t axis = 0; axis < 3; ++axis)
                    sum[axis] = lanes_madd(lanes_load(from.row + axis * apart + c), at, sum[axis]);
            }
        }
        for (int axis = 0; axis < 3; ++axis)
            u[axis][i] = lanes_sum(sum[axis]) + (offsets ? s->offset[axis][i] : 0.0);
    }
}

static double joint_along_wide(const sparse *p, int j, const double *v)
{
    lanes sum = lanes_all(0.0);
    for (int side = 0; side < 2; ++side) {
        wide_side from = wide_joint(p, j, side);
        for (int c = 0; c < from.numbers; c += 8)
            sum = lanes_madd(lanes_load(from.row + c), lanes_load(v + p->system->parts->at[from.block] + c),
                             sum);
    }
    return lanes_sum(sum);
}

/* The first puts one row of a contact into v, which is zero; the second multiplies the row by v. */
static void take_wide_row(const sparse *p, int i, int axis, double *v)
{
    for (int side = 0; side < 2; ++side) {
        size_t apart;
        wide_side to = wide_contact(p, i, side, &apart);
        const double *row = to.row + (size_t)axis * apart;
        for (int c = 0; c < to.numbers; ++c) v[p->system->parts->at[to.block] + c] = row[c];
    }
}

static double wide_row_along(const sparse *p, int i, int axis, const double *v)
{
    lanes sum = lanes_all(0.0);
    for (int side = 0; side < 2; ++side) {
        size_t apart;
        wide_side from = wide_contact(p, i, side, &apart);
        const double *row = from.row + (size_t)axis * apart;
        for (int c = 0; c < from.numbers; c += 8)
            sum = lanes_madd(lanes_load(row + c), lanes_load(v + p->system->parts->at[from.block] + c), sum);
    }
    return lanes_sum(sum);
}
