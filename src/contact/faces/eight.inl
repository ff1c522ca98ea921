/* Included by faces/core.inl.
 *
 * A basis of eight: one body, or one tree with at most eight numbers, whose slots, components and seats all
 * fit vectors of eight. The operations are those of faces/inverse.inl with R, C and B in registers' width.
 *
 * This file serves rows that nearly depend on each other, joints, numbers of components other than six, and the
 * path; all other problems of one body are solved in the space of v (faces/one.inl). */

static bool eight_serves(const abuti_system *s)
{
    return !s->W && s->bodies == 1 && s->sides == 1 && s->stride == ABUTI_LANES && !s->given;
}

/* ---- slots ---- */

HOT void eight_fill(faces *f, int slot, int code, int kind, slot_place at, const faces_terms *terms)
{
    slot_fill(f, slot, code, kind, at, terms);
    f->eight.free_slots &= ~(1u << slot);
    for (int c = 0; c < ABUTI_LANES; ++c) {
        f->eight.RT[c * ABUTI_LANES + slot] = f->work.row[c];
        f->eight.CT[c * ABUTI_LANES + slot] = f->work.column[c];
    }
}

HOT int eight_free_slot(const faces *f)
{
    return f->eight.free_slots ? __builtin_ctz(f->eight.free_slots) : FACES_NONE;
}

static bool eight_put(faces *f, int code, int kind, const faces_terms *terms)
{
    int slot = eight_free_slot(f);
    if (slot == FACES_NONE) return false;
    eight_fill(f, slot, code, kind, bodies_place(f, code), terms);
    return true;
}

/* ---- ADD and DEL ---- */

HOT border eight_border(faces *f)
{
    lanes_store(f->work.b, combine8(f->eight.RT, f->work.column));
    lanes g = combine8(f->eight.CT, f->work.row);
    lanes_store(f->work.g, g);
    lanes beta = combine8(f->inverse.BT, f->work.b);
    lanes_store(f->work.beta, beta);
    lanes_store(f->work.eta, combine8(f->inverse.B, f->work.g));
    lanes diagonal = lanes_mul(lanes_load(f->work.row), lanes_load(f->work.column));
    return (border){lanes_sum(lanes_msub(g, beta, diagonal)), lanes_sum(lanes_abs(lanes_mul(g, beta)))};
}

/* B += factor beta eta', x -= beta y, v -= C beta y; beta also lies in work.beta. */
HOT void eight_update(faces *f, lanes beta, lanes eta, double factor, const double y[2])
{
    lanes k = lanes_all(factor);
    lanes scaled_beta = lanes_mul(beta, k), scaled_eta = lanes_mul(eta, k);
    _Alignas(64) double sb[8], se[8];
    lanes_store(sb, scaled_beta);
    lanes_store(se, scaled_eta);
    for (int s = 0; s < ABUTI_LANES; ++s) {
        double *row = f->inverse.B + 8 * s, *transposed = f->inverse.BT + 8 * s;
        lanes_store(row, lanes_madd(lanes_all(sb[s]), eta, lanes_load(row)));
        lanes_store(transposed, lanes_madd(lanes_all(se[s]), beta, lanes_load(transposed)));
    }
    lanes w = combine8(f->slots.C, f->work.beta);
    for (int part = 0; part < f->parts; ++part) {
        lanes_store(f->x[part], lanes_msub(beta, lanes_all(y[part]), lanes_load(f->x[part])));
        lanes_store(f->v[part], lanes_msub(w, lanes_all(y[part]), lanes_load(f->v[part])));
    }
}

static bool eight_join(faces *f, int code, int kind, const faces_terms *terms)
{
    slot_place at = bodies_place(f, code);
    int slot = eight_free_slot(f);
    double S, y[2];
    if (slot == FACES_NONE || f->slots.used == f->inverse.most) return false;
    if (!pivot_of(f, at, eight_border(f), terms->scale, &S)) return false;
    unknown_of(f, at, terms, 1.0 / S, bodies_dot, y);
    eight_fill(f, slot, code, kind, at, terms);
    lanes beta = lanes_with(lanes_load(f->work.beta), slot, -1.0);
    lanes eta = lanes_with(lanes_load(f->work.eta), slot, -1.0);
    lanes_store(f->work.beta, beta);
    eight_update(f, beta, eta, 1.0 / S, y);
    return true;
}

static bool eight_add(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    faces_terms terms = make_terms(f, contact, kind, row, column, weigh_axes);
    return eight_join(f, contact, kind, &terms);
}

static bool eight_take(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    faces_terms terms = make_terms(f, contact, kind, row, column, weigh_axes);
    if (f->regular && eight_join(f, contact, kind, &terms)) return true;
    if (!eight_put(f, contact, kind, &terms)) return false;
    f->regular = false;
    return true;
}

static void eight_drop(faces *f, int slot)
{
    f->regular = f->regular && may_delete(f, slot);
    if (f->regular) {
        delete_terms(f, slot);
        /* What has grown with nearly dependent rows cancels when one of them goes. */
        if (f->inverse.delicate) f->inverse.shaky = true;
        lanes beta = lanes_with(lanes_load(f->work.beta), slot, 1.0);
        lanes_store(f->work.beta, beta);
        eight_update(f, beta, lanes_load(f->work.eta), -1.0, (const double[2]){f->x[0][slot], f->x[1][slot]});
    }
    slot_free(f, slot);
    f->eight.free_slots |= 1u << slot;
}

/* ---- COL and ROT ---- */

static void eight_shear(faces *f, int th, int b, double tau)
{
    inverse_shear(f, th, b, tau);
    for (int c = 0; c < ABUTI_LANES; ++c) f->eight.CT[8 * c + th] = f->slots.C[8 * th + c];
}

static void eight_rotate(faces *f, int e, int a, double cosine, double sine)
{
    inverse_rotate(f, e, a, cosine, sine);
    for (int c = 0; c < ABUTI_LANES; ++c) {
        rotate_pair(cosine, sine, f->eight.RT + 8 * c + e, f->eight.RT + 8 * c + a);
        rotate_pair(cosine, sine, f->eight.CT + 8 * c + e, f->eight.CT + 8 * c + a);
    }
}

/* ---- accuracy ---- */

static void eight_move(faces *f, int part)
{
    lanes w = combine8(f->slots.C, f->x[part]);
    lanes_store(f->v[part], part == 0 ? lanes_add(lanes_load(f->k), w) : w);
}

static double eight_errors(faces *f, int part)
{
    double largest = 0.0, *g = f->work.g;
    lanes_store(g, lanes_add(combine8(f->eight.RT, f->v[part]), lanes_load(f->slots.base[part])));
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) g[s] = 0.0;
        if (!(fabs(g[s]) <= largest)) largest = fabs(g[s]);
    }
    return largest;
}

static void eight_correct(faces *f, int part)
{
    lanes_store(f->x[part], lanes_sub(lanes_load(f->x[part]), combine8(f->inverse.BT, f->work.g)));
}

/* Rows that nearly depend on each other. In R'C their distance is squared, and lost at 1e-8. With R = Q U and
 * C = P W (Q and P orthonormal, U and W triangular) it is not:
 *
 *     R'C = U' (Q'P) W,     B = W^-1 (Q'P)^-1 U^-T. */

/* Makes orthonormal columns Q from those of `from` (slots in `list`), and U by columns. It goes over them
 * twice, so that what is left of a column that nearly depends on the others is orthogonal too. Returns r, or
 * the first column that depends on those before it. */
static int orthogonalise(const double *from, const int *list, int r, double *Q, double *U)
{
    for (int j = 0; j < r; ++j) {
        lanes column = lanes_load(from + 8 * list[j]);
        double before = sqrt(lanes_sum(lanes_mul(column, column)));
        fill(U + 8 * j, 0.0, 8);
        for (int again = 0; again < 2; ++again) {
            for (int i = 0; i < j; ++i) {
                lanes q = lanes_load(Q + 8 * i);
                double along = lanes_sum(lanes_mul(q, column));
                U[8 * j + i] += along;
                column = lanes_msub(q, lanes_all(along), column);
            }
        }
        double left = sqrt(lanes_sum(lanes_mul(column, column)));
        if (!(left > FACES_NEARBY * before)) return j;
        U[8 * j + j] = left;
        lanes_store(Q + 8 * j, lanes_mul(column, lanes_all(1.0 / left)));
    }
    return r;
}

/* work.b = the combination of columns, W by columns, in which column j is the sum of those before it. */
static void columns_null(faces *f, const int *list, int j, const double *W)
{
    double *b = f->work.b;
    fill(b, 0.0, 8);
    b[list[j]] = 1.0;
    for (int i = j - 1; i >= 0; --i) {
        double sum = -W[8 * j + i];
        for (int k = i + 1; k < j; ++k) sum = abuti_madd(-W[8 * k + i], b[list[k]], sum);
        b[list[i]] = sum / W[8 * i + i];
    }
}

typedef enum near_end { NEAR_DONE, NEAR_COLUMNS, NEAR_OTHER } near_end;

/* Makes B anew from the slots, accurate where slots_invert is not. NEAR_COLUMNS says that the columns depend
 * on each other: R'C b = 0. NEAR_OTHER says that the rows do, or that rows and columns are orthogonal. B is
 * as it was then. */
static near_end invert_nearly_dependent(faces *f)
{
    _Alignas(64) double Q[64], U[64], P[64], W[64], M[64], row[8];
    int *list = f->work.list, *swapped = f->work.list + f->room.slots, r = 0;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] != FACES_NONE) list[r++] = s;
    }
    int columns = orthogonalise(f->slots.C, list, r, P, W);
    if (columns < r) {
        columns_null(f, list, columns, W);
        return NEAR_COLUMNS;
    }
    if (orthogonalise(f->slots.R, list, r, Q, U) < r) return NEAR_OTHER;
    for (int i = 0; i < r; ++i) {
        fill(M + 8 * i, 0.0, 8);
        for (int j = 0; j < r; ++j) M[8 * i + j] = dot(Q + 8 * i, P + 8 * j, 8);
    }
    if (invert_in_place(M, 8, r, FACES_REGULAR, swapped) < r) return NEAR_OTHER;
    for (int i = r - 1; i >= 0; --i) { /* M := W^-1 M, row by row from the last */
        for (int k = i + 1; k < r; ++k) axpy(-W[8 * k + i], M + 8 * k, M + 8 * i, 8);
        lanes_store(M + 8 * i, lanes_mul(lanes_load(M + 8 * i), lanes_all(1.0 / W[8 * i + i])));
    }
    fill(f->inverse.B, 0.0, 64);
    fill(f->inverse.BT, 0.0, 64);
    for (int i = 0; i < r; ++i) { /* rows of M U^-T, column by column from the last */
        for (int j = r - 1; j >= 0; --j) {
            double sum = M[8 * i + j];
            for (int k = j + 1; k < r; ++k) sum = abuti_madd(-row[k], U[8 * k + j], sum);
            row[j] = sum / U[8 * j + j];
            f->inverse.B[8 * list[i] + list[j]] = f->inverse.BT[8 * list[j] + list[i]] = row[j];
        }
    }
    f->inverse.fresh = f->inverse.shaky = false;
    return NEAR_DONE;
}

static bool eight_invert(faces *f, double least)
{
    near_end end = f->inverse.delicate ? invert_nearly_dependent(f) : NEAR_OTHER;
    return end == NEAR_OTHER ? slots_invert(f, least) : end == NEAR_DONE;
}

static bool eight_polish(faces *f)
{
    if (f->inverse.delicate) invert_nearly_dependent(f);
    return inverse_polish(f);
}

/* ---- contacts ---- */

HOT void shift_seat(faces *f, int seat, int contact)
{
    for (int part = 0; part < 2; ++part) {
        for (int axis = 0; axis < 2; ++axis)
            f->eight.shift[part][axis][seat] = f->path.shift[part][axis + 1][contact];
    }
}

static void eight_shift(faces *f)
{
    for (int i = 0; i < f->seats.active_count; ++i) {
        int contact = f->seats.active[i];
        shift_seat(f, f->seats.of[contact], contact);
    }
}

/* One of eight seats, and the contact's rows there: whole, and the tangents also component by component. */
static int eight_sit(faces *f, int contact)
{
    if (!f->eight.free_seats) return FACES_NONE;
    int seat = __builtin_ctz(f->eight.free_seats);
    f->eight.free_seats &= ~(1u << seat);
    shift_seat(f, seat, contact);
    lanes used = lanes_load(f->eight.component_used);
    for (int axis = 0; axis < 3; ++axis) {
        const double *at = abuti_row(f->system, axis, 0, 0) + contact;
        double *row = seat_row(f, seat, axis);
        lanes_store(row, lanes_mul(used, lanes_gather(at, f->eight.component_at)));
        if (axis == 0) continue;
        double *tangent = f->eight.tangent[axis - 1] + seat;
        for (int c = 0; c < ABUTI_LANES; ++c) tangent[8 * c] = row[c];
    }
    return seat;
}

HOT double eight_velocity(const faces *f, int contact, int axis, int part)
{
    const double *row = seat_row(f, f->seats.of[contact], axis);
    return dot(row, f->v[part], ABUTI_LANES) + f->path.shift[part][axis][contact];
}

static void eight_slip(const faces *f, int contact, double t, double u[2])
{
    slip_at(f, contact, t, eight_velocity, u);
}

static void eight_rise(faces *f, int seat)
{
    f->seats.contact[seat] = FACES_NONE;
    f->eight.free_seats |= 1u << seat;
}

/* shift + row.v for eight rows, their numbers `apart` from each other, in two chains */
HOT lanes along_rows(const double *row, size_t apart, const lanes *v, const double *shift, int dim)
{
    lanes even = lanes_load(shift), odd = lanes_mul(lanes_load(row), v[0]);
    for (int c = 1; c < dim; ++c) {
        lanes at = lanes_load(row + (size_t)c * apart);
        if (c & 1) {
            even = lanes_madd(at, v[c], even);
        } else {
            odd = lanes_madd(at, v[c], odd);
        }
    }
    return lanes_add(even, odd);
}

/* One pass with `dim` numbers a row; a constant where it is inlined. */
HOT void eight_velocities(faces *f, int part, int dim)
{
    int n = f->lanes;
    lanes v[ABUTI_LANES];
    for (int c = 0; c < dim; ++c) v[c] = lanes_all(f->v[part][c]);
    for (int g = 0; g < n; g += 8)
        lanes_store(f->un[part] + g,
                    along_rows(f->system->rows + g, (size_t)n, v, f->path.shift[part][0] + g, dim));
    for (int axis = 0; axis < 2; ++axis)
        lanes_store(f->ut[part][axis],
                    along_rows(f->eight.tangent[axis], 8, v, f->eight.shift[part][axis], dim));
}

static void eight_spread(faces *f, int parts)
{
    for (int part = 0; part < parts; ++part) {
        if (f->system->dim == 6) {
            eight_velocities(f, part, 6);
        } else {
            eight_velocities(f, part, f->system->dim);
        }
        for (int kind = 0; kind < FACES_KINDS; ++kind)
            lanes_store(f->value[part][kind], lanes_pick(f->x[part], f->seats.slot[kind]));
    }
}

static void eight_open(faces *f)
{
    f->inverse.most = freedoms(f->system);
    f->inverse.ld = f->seats.count = ABUTI_LANES;
    f->eight.free_seats = f->eight.free_slots = (1u << ABUTI_LANES) - 1u;
    fill_none(f->seats.contact, ABUTI_LANES);
    for (int c = 0; c < ABUTI_LANES; ++c) {
        bool used = c < f->system->dim;
        f->eight.component_at[c] = used ? c * f->lanes : 0;
        f->eight.component_used[c] = used ? 1.0 : 0.0;
    }
}

/* ---- the two representations with an inverse ---- */

static const faces_basis basis_of_eight = {
    .accurate = FACES_REFRESH,
    .open = eight_open,
    .clear = inverse_clear,
    .sit = eight_sit,
    .rise = eight_rise,
    .shift = eight_shift,
    .add = eight_add,
    .take = eight_take,
    .drop = eight_drop,
    .shear = eight_shear,
    .rotate = eight_rotate,
    .spread = eight_spread,
    .slip = eight_slip,
    .at_rest = rows_at_rest,
    .holds = always_holds,
    .refresh = inverse_refresh,
    .polish = eight_polish,
    .join = eight_join,
    .move = eight_move,
    .errors = eight_errors,
    .correct = eight_correct,
    .invert = eight_invert,
};

static const faces_basis basis_of_inverse = {
    .open = inverse_open,
    .clear = inverse_clear,
    .sit = inverse_sit,
    .rise = rise_from_lane,
    .shift = shift_nothing,
    .add = inverse_add,
    .take = inverse_take,
    .drop = inverse_drop,
    .shear = inverse_shear,
    .rotate = inverse_rotate,
    .spread = spread_lanes,
    .slip = inverse_slip,
    .at_rest = rows_at_rest,
    .holds = always_holds,
    .refresh = inverse_refresh,
    .polish = inverse_polish,
    .join = inverse_join,
    .move = inverse_move,
    .errors = inverse_errors,
    .correct = inverse_correct,
    .invert = slots_invert,
};
