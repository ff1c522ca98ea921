/* Included by sparse/core.inl.
 *
 * Takes in a system, and assembles the springs of its contacts and joints into the blocks of the bodies. */

/* How many numbers a row of rigid bodies has on both sides, padded. */
#define AXIS 16

static const double *contact_rows(const sparse *p, int i, int axis, int side)
{
    return p->rows + (size_t)i * 48 + (size_t)(axis * AXIS + side * 8);
}

/* ---- structure ---- */

static sparse_matrix *matrix_of(const sparse *p)
{
    return &p->at.own->matrix;
}

/* Finds the order and the shape of the factors, anew only when other bodies touch. */
static bool find_structure(sparse *p)
{
    return abuti_sparse_structure(&p->at, p->system);
}

static double largest_of(const abuti_system *s)
{
    double most = 0.0;
    for (int c = 0; c < (s->parts ? s->parts->space : s->bodies * s->stride); ++c)
        most = fmax(most, fabs(s->k[c]));
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < s->n; ++i) most = fmax(most, fabs(s->offset[axis][i]));
    }
    for (int j = 0; j < s->joints; ++j) most = fmax(most, fabs(s->joint_offset[j]));
    return most;
}

static double length_of_k(const abuti_system *s)
{
    double square = 0.0;
    for (int c = 0; c < (s->parts ? s->parts->space : s->bodies * s->stride); ++c)
        square += s->k[c] * s->k[c];
    return sqrt(square);
}

/* Borrows a system, without finding its structure. False when springs do not take such a system, or there is no
 * room. */
static bool borrow(sparse *p, const abuti_system *s)
{
    if (s->W || s->bodies < 2 || s->sides != 2 || (!s->parts && s->stride != ABUTI_LANES)) return false;
    p->space = s->parts ? s->parts->space : (s->bodies + 1) * s->stride;
    if (s->bodies > p->room_bodies || s->lanes > p->room_lanes || s->joints > p->room_joints ||
        p->space > p->room_space)
        return false;
    abuti_sparse_lodge(&p->at);
    p->system = s;
    p->lanes = s->lanes;
    p->mu = abuti_model_of(s->model)->friction == ABUT_LAW_NONE ? p->still : s->mu;
    p->size = largest_of(s);
    p->zero = SPARSE_ZERO * p->size * (1.0 + 0.2 * s->bodies);
    p->scale = fmax(p->size, length_of_k(s));
    p->enough = SPARSE_ENOUGH * p->scale;
    p->rounds = 0;
    for (int i = 0; i < s->n && !s->parts; ++i)
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                abuti_row_gather(s, i, axis, side, p->rows + (size_t)i * 48 + (size_t)(axis * 16 + side * 8));
    return true;
}

/* Borrows a system and finds its structure, where there is room to mend states. */
static bool begin(sparse *p, const abuti_system *s)
{
    return p->doubt.W && borrow(p, s) && find_structure(p);
}

/* ---- I + J'K J ---- */

/* Three rows of springs times J, whose rows are `apart`: w[axis][8]. `turned`: with the transpose of K. */
HOT void spring_rows(double *const K[K_COUNT], int i, const double *J, size_t apart, bool turned, lanes w[3])
{
    lanes n = lanes_load(J), x = lanes_load(J + apart), y = lanes_load(J + 2 * apart);
    lanes xy = lanes_all(K[K_XY][i]);
    w[0] = lanes_mul(lanes_all(K[K_NN][i]), n);
    w[0] = lanes_madd(lanes_all(K[turned ? K_XN : K_NX][i]), x, w[0]);
    w[0] = lanes_madd(lanes_all(K[turned ? K_YN : K_NY][i]), y, w[0]);
    w[1] = lanes_mul(lanes_all(K[turned ? K_NX : K_XN][i]), n);
    w[1] = lanes_madd(lanes_all(K[K_XX][i]), x, lanes_madd(xy, y, w[1]));
    w[2] = lanes_mul(lanes_all(K[turned ? K_NY : K_YN][i]), n);
    w[2] = lanes_madd(lanes_all(K[K_YY][i]), y, lanes_madd(xy, x, w[2]));
}

/* block += J'w. The numbers behind a row that is no multiple of eight are added zeros. */
HOT void block_add(double *block, size_t ld, const double *J, size_t apart, const lanes w[3], int dim)
{
    for (int c = 0; c < dim; ++c, block += ld) {
        lanes row = lanes_madd(lanes_all(J[c]), w[0], lanes_load_any(block));
        row = lanes_madd(lanes_all(J[apart + (size_t)c]), w[1], row);
        lanes_store_any(block, lanes_madd(lanes_all(J[2 * apart + (size_t)c]), w[2], row));
    }
}

/* The row length of the arrays in which a body's block lies, and how far L is behind U. */
static size_t length_of(const sparse_shape *h, int body, size_t *apart)
{
    int s = h->super_of[h->position[body]];
    *apart = (size_t)h->pivots[s] * (size_t)h->width[s];
    return (size_t)h->width[s];
}

/* Adds to a body's own block, in U and, transposed, in L, where blocks of eight may cut it. */
static void add_own(sparse *p, int i, int side)
{
    const abuti_system *s = p->system;
    int body = s->body[side][i];
    if (body == s->bodies) return;
    const double *J = contact_rows(p, i, 0, side);
    lanes w[3];
    size_t apart, ld = length_of(&matrix_of(p)->shape, body, &apart);
    double *at = matrix_of(p)->numbers + matrix_of(p)->own[body];
    spring_rows(p->springs.K, i, J, AXIS, false, w);
    block_add(at, ld, J, AXIS, w, s->dim);
    spring_rows(p->springs.K, i, J, AXIS, true, w);
    block_add(at + apart, ld, J, AXIS, w, s->dim);
}

static void add_contact(sparse *p, int i)
{
    const abuti_system *s = p->system;
    sparse_matrix *m = matrix_of(p);
    add_own(p, i, 0);
    add_own(p, i, 1);
    if (s->body[0][i] == s->bodies || s->body[1][i] == s->bodies) return;
    int low = m->upper[i];
    const double *J = contact_rows(p, i, 0, low), *other = contact_rows(p, i, 0, 1 - low);
    lanes w[3];
    size_t apart, ld = length_of(&m->shape, s->body[low][i], &apart);
    spring_rows(p->springs.K, i, other, AXIS, false, w);
    block_add(m->numbers + m->place[i], ld, J, AXIS, w, s->dim);
    spring_rows(p->springs.K, i, other, AXIS, true, w);
    block_add(m->numbers + m->place[i] + apart, ld, J, AXIS, w, s->dim);
}

/* A joint's row on one side. */
static const double *joint_row(const sparse *p, int j, int side)
{
    return p->system->joint_rows + (size_t)(2 * j + side) * 8;
}

static void add_joint(sparse *p, int j)
{
    const abuti_system *s = p->system;
    sparse_matrix *m = matrix_of(p);
    double k = p->springs.joint_stiffness;
    for (int side = 0; side < 3; ++side) { /* both bodies' own blocks, then the one between them */
        int low = side < 2 ? side : m->upper[s->n + j], high = side < 2 ? side : 1 - low;
        if (s->joint_body[low][j] == s->bodies || s->joint_body[high][j] == s->bodies) continue;
        const double *J = joint_row(p, j, low);
        lanes w = lanes_mul(lanes_all(k), lanes_load(joint_row(p, j, high)));
        size_t apart, ld = length_of(&m->shape, s->joint_body[low][j], &apart);
        double *at = m->numbers + (side < 2 ? m->own[s->joint_body[low][j]] : m->place[s->n + j]);
        for (int c = 0; c < s->dim; ++c, at += ld) {
            lanes_store_any(at, lanes_madd(lanes_all(J[c]), w, lanes_load_any(at)));
            lanes_store_any(at + apart, lanes_madd(lanes_all(J[c]), w, lanes_load_any(at + apart)));
        }
    }
}

/* out = r - K u of all contacts; without r, out = -K u. */
static void spring_answer(const sparse *p, double *const u[3], double *const r[3], double *const out[3])
{
    double *const *K = p->springs.K;
    for (int g = 0; g < p->lanes; g += 8) {
        lanes un = lanes_load(u[0] + g), ux = lanes_load(u[1] + g), uy = lanes_load(u[2] + g);
        lanes xy = lanes_load(K[K_XY] + g), each[3];
        for (int axis = 0; axis < 3; ++axis) each[axis] = r ? lanes_load(r[axis] + g) : lanes_all(0.0);
        each[0] = lanes_msub(lanes_load(K[K_NN] + g), un, each[0]);
        each[0] = lanes_msub(lanes_load(K[K_NX] + g), ux, lanes_msub(lanes_load(K[K_NY] + g), uy, each[0]));
        each[1] = lanes_msub(lanes_load(K[K_XX] + g), ux, lanes_msub(xy, uy, each[1]));
        each[1] = lanes_msub(lanes_load(K[K_XN] + g), un, each[1]);
        each[2] = lanes_msub(lanes_load(K[K_YY] + g), uy, lanes_msub(xy, ux, each[2]));
        each[2] = lanes_msub(lanes_load(K[K_YN] + g), un, each[2]);
        for (int axis = 0; axis < 3; ++axis) lanes_store(out[axis] + g, each[axis]);
    }
}

/* y += a x */
static void add_scaled(double a, const double *x, double *y, int count)
{
    lanes all = lanes_all(a);
    for (int c = 0; c < count; c += 8)
        lanes_store(y + c, lanes_madd(all, lanes_load(x + c), lanes_load(y + c)));
}
