/* Included by sparse/core.inl.
 *
 * Finds joint rows that depend on rows before them, without a dense basis.
 *
 * The rows are taken one after the other into a triangle R with R'R = J'J (George and Heath, "Solution of sparse linear
 * least squares problems using Givens rotations", 1980). A row meets, column by column in the order of elimination, the
 * rows of R that begin there, and each rotation takes away its first number. In a column where no row of R begins, the
 * row stays; it is independent of all before it. A row of which nothing is left depends on those before it; then
 * nothing may be left of its offset either.
 *
 * R lies on the pattern of the factors, in U; what the offsets have become lies in the first numbers of L. */

/* A row on its way through the supernodes. */
typedef struct joint_merge {
    /* Its numbers in the columns of the supernode at hand, and room for those of the one above. */
    double *local, *next;
    double level, size; /* what it is to be equal to; its length at first */
    double cosines;     /* their product over all rotations: how much of the row itself is in what is left */
} joint_merge;

/* Puts the numbers of joint row j into the columns of the supernode that eliminates the first of its bodies. Returns
 * this supernode, or -1. */
static int scatter_joint(const sparse *p, const abuti_system *s, int j, joint_merge *row)
{
    const sparse_shape *h = &matrix_of(p)->shape;
    int first = s->bodies;
    double square = 0.0;
    row->level = -s->joint_offset[j];
    row->cosines = 1.0;
    for (int side = 0; side < 2; ++side) {
        int body = s->joint_body[side][j];
        if (body < s->bodies && h->position[body] < first) first = h->position[body];
    }
    if (first == s->bodies) return -1;
    int super = h->super_of[first];
    memset(row->local, 0, (size_t)h->width[super] * sizeof(double));
    for (int side = 0; side < 2; ++side) {
        int body = s->joint_body[side][j];
        if (body == s->bodies) continue;
        const double *from = s->joint_rows + (size_t)(2 * j + side) * 8;
        double *to = row->local + abuti_sparse_column(h, super, h->position[body]);
        for (int c = 0; c < s->dim; ++c) {
            to[c] += from[c];
            square += from[c] * from[c];
        }
    }
    row->size = sqrt(square);
    return super;
}

/* Turns row c of R and the row in their plane until the row's number c is gone. */
static void rotate_rows(double *R, double *level, joint_merge *row, int c, int width)
{
    double x = row->local[c], length = sqrt(R[c] * R[c] + x * x), cosine = R[c] / length, sine = x / length;
    lanes co = lanes_all(cosine), si = lanes_all(sine);
    for (int j = c / 8 * 8; j < width; j += 8) {
        lanes r = lanes_load(R + j), from = lanes_load(row->local + j);
        lanes_store(R + j, lanes_madd(co, r, lanes_mul(si, from)));
        lanes_store(row->local + j, lanes_msub(si, r, lanes_mul(co, from)));
    }
    double before = *level;
    *level = cosine * before + sine * row->level;
    row->level = cosine * row->level - sine * before;
    row->cosines *= cosine;
    row->local[c] = 0.0;
}

/* Rotates the row with all rows of R that begin in a supernode. True when it has become one of them. */
static bool merge_here(sparse *p, int super, joint_merge *row)
{
    const sparse_shape *h = &matrix_of(p)->shape;
    int pivots = h->pivots[super], width = h->width[super];
    double *U = matrix_of(p)->numbers + h->begin[super], *L = U + (size_t)pivots * (size_t)width;
    for (int c = 0; c < pivots; ++c, U += width, L += width) {
        if (!(fabs(row->local[c]) > RANK_INDEPENDENT * row->size)) {
            row->local[c] = 0.0;
        } else if (U[c] != 0.0) {
            rotate_rows(U, L, row, c, width);
        } else {
            memcpy(U, row->local, (size_t)width * sizeof(double));
            *L = row->level;
            return true;
        }
    }
    return false;
}

/* What is left of the row goes to the supernode above. False: there is none, or nothing is left. */
static bool rise(sparse *p, int *super, joint_merge *row)
{
    const sparse_shape *h = &matrix_of(p)->shape;
    int above = h->parent[*super];
    double most = 0.0, *swap = row->local;
    if (above < 0) return false;
    memset(row->next, 0, (size_t)h->width[above] * sizeof(double));
    for (int q = h->row_first[*super]; q < h->row_first[*super + 1]; ++q) {
        const double *from = row->local + h->row_column[q];
        double *to = row->next + abuti_sparse_column(h, above, h->row[q]);
        for (int c = 0; c < matrix_of(p)->graph.size[h->node_at[h->row[q]]]; ++c) {
            to[c] = from[c];
            most = fmax(most, fabs(from[c]));
        }
    }
    row->local = row->next;
    row->next = swap;
    *super = above;
    return most > RANK_INDEPENDENT * row->size;
}

/* keep[j]: whether joint row j is independent of those before it. False: rows contradict each other. */
static bool rank_rows(sparse *p, const abuti_system *s, uint8_t *keep)
{
    sparse_matrix *m = matrix_of(p);
    joint_merge row = {.local = m->aside};
    row.next = row.local + abuti_padded(m->shape.widest);
    memset(m->numbers, 0, m->shape.numbers * sizeof(double));
    for (int j = 0; j < s->joints; ++j) {
        int super = scatter_joint(p, s, j, &row);
        keep[j] = super >= 0 && merge_here(p, super, &row);
        while (super >= 0 && !keep[j] && rise(p, &super, &row)) keep[j] = merge_here(p, super, &row);
        double level = -s->joint_offset[j], left = row.level / row.cosines;
        double terms = 1.0 + fabs(level) + fabs(level - left);
        if (!keep[j] && !(fabs(left) <= RANK_CONTRADICTION * terms)) return false;
    }
    return true;
}

static abuti_rank rank(sparse *p, const abuti_system *s, const uint8_t **keep)
{
    if (s->bodies > p->room_bodies || s->n > p->room_lanes || s->joints > p->room_joints)
        return ABUTI_RANK_UNKNOWN;
    abuti_sparse_lodge(&p->at);
    p->system = s;
    p->at.own->held = false;
    if (!find_structure(p)) return ABUTI_RANK_UNKNOWN;
    *keep = p->independent;
    return rank_rows(p, s, p->independent) ? ABUTI_RANK_KNOWN : ABUTI_RANK_CONTRADICTED;
}
