/* Included by faces/core.inl.
 *
 * Slots and their inverse: ADD, DEL, COL and ROT, each O(r^2), each carrying x and v along.
 *
 *     ADD(rho, chi)   beta = B R'chi, eta = C'rho B, S = rho.chi - C'rho beta; y = -(rho.v + o) / S
 *                     B += beta eta / S, bordered by -beta / S, -eta / S, 1 / S;  x -= beta y, append y;  v
 * += (chi - C beta) y DEL(s)          q = B[:,s] / B_ss;  x -= q x_s;  v -= C q x_s;  B -= q B[s,:] COL(th,
 * b, tau) C_th += tau C_b;  x_b -= tau x_th;  B[b,:] -= tau B[th,:]      (v does not change) ROT turns the
 * two tangential slots of a contact                      (v does not change)
 *
 * A slot keeps its number while it lives. Free slots have zero rows and columns in B, so ADD is one rank-one
 * update: put chi into its free slot, -1 into the slot's place of beta and eta, and B += beta eta / S, x -=
 * beta y, v -= C beta y. DEL is the same with q, B[s,:] and S = -1.
 *
 * Systems of one block (`single`) keep R, C and B in registers' width: eight slots, eight components. */

static inline int round_up8(int n)
{
    return (n + 7) & ~7;
}

/* ---- vectors in the space of v ---- */

static inline double dot_blocks(const double *a, const double *b, int length)
{
    lanes sum = lanes_mul(lanes_load(a), lanes_load(b));
    for (int c = ABUTI_LANES; c < length; c += ABUTI_LANES)
        sum = lanes_madd(lanes_load(a + c), lanes_load(b + c), sum);
    return lanes_sum(sum);
}

/* out += factor * a */
static inline void axpy(double factor, const double *a, double *out, int length)
{
    lanes k = lanes_all(factor);
    for (int c = 0; c < length; c += ABUTI_LANES) {
        lanes_store(out + c, lanes_madd(k, lanes_load(a + c), lanes_load(out + c)));
    }
}

static inline void fill(double *out, double value, int count)
{
    for (int i = 0; i < count; i += 8) lanes_store(out + i, lanes_all(value));
}

static double largest_of(const double *a, int count)
{
    lanes most = lanes_all(0.0);
    for (int i = 0; i < count; i += 8) most = lanes_max(lanes_abs(lanes_load(a + i)), most);
    return lanes_most(most);
}

/* What a slot's row or column touches: a contact's or a joint's blocks, or its place in u. */
typedef struct slot_place {
    int body[2];
    int first; /* W + q door: first component of u */
} slot_place;

HOT slot_place place_of(const faces *f, int code)
{
    const abuti_system *s = f->system;
    slot_place place = {{0, 0}, 0};
    if (f->local) {
        place.first = code >= 0 ? 3 * code : 3 * s->n - 2 - code;
    } else if (!f->single) {
        for (int side = 0; side < s->sides; ++side)
            place.body[side] = code >= 0 ? s->body[side][code] : s->joint_body[side][-2 - code];
        if (s->sides == 1) place.body[1] = s->bodies;
    }
    return place;
}

/* row . v for a row of `width` numbers at its place. */
HOT double row_dot(const faces *f, const double *row, slot_place at, const double *v)
{
    if (f->local) {
        const double *u = v + at.first;
        return abuti_madd(row[0], u[0], abuti_madd(row[1], u[1], row[2] * u[2]));
    }
    int stride = f->system->stride;
    double sum = dot_blocks(row, v + (size_t)at.body[0] * (size_t)stride, stride);
    if (f->width > stride) sum += dot_blocks(row + stride, v + (size_t)at.body[1] * (size_t)stride, stride);
    return sum;
}

/* v += factor * column */
static inline void column_add(const faces *f, double factor, const double *column, slot_place at, double *v)
{
    if (f->local) {
        axpy(factor, column, v, f->width);
        return;
    }
    int stride = f->system->stride;
    axpy(factor, column, v + (size_t)at.body[0] * (size_t)stride, stride);
    if (f->width > stride) axpy(factor, column + stride, v + (size_t)at.body[1] * (size_t)stride, stride);
}

/* A row at `at` times a column at `other`: only blocks that both touch count. */
static double row_column(const faces *f, const double *row, slot_place at, const double *column,
                         slot_place other)
{
    if (f->local) {
        const double *u = column + at.first;
        return abuti_madd(row[0], u[0], abuti_madd(row[1], u[1], row[2] * u[2]));
    }
    const abuti_system *s = f->system;
    double sum = 0.0;
    for (int i = 0; i < s->sides; ++i) {
        for (int j = 0; j < s->sides; ++j) {
            if (at.body[i] == other.body[j] && at.body[i] < s->bodies)
                sum += dot_blocks(row + i * s->stride, column + j * s->stride, s->stride);
        }
    }
    return sum;
}

static inline slot_place slot_at(const faces *f, int slot)
{
    return (slot_place){{f->slots.body[0][slot], f->slots.body[1][slot]}, f->slots.body[0][slot]};
}

/* ---- slots without their inverse ---- */

HOT int free_slot(const faces *f)
{
    if (f->single) return f->eight.free_slots ? __builtin_ctz(f->eight.free_slots) : FACES_NONE;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) return s;
    }
    return f->slots.top < f->inverse.ld ? f->slots.top : FACES_NONE;
}

/* Gives f->work.row and f->work.column to a slot. */
HOT void slot_put(faces *f, int slot, int code, int kind, slot_place at, double offset, double cover)
{
    f->slots.contact[slot] = code;
    f->slots.kind[slot] = kind;
    f->slots.body[0][slot] = f->local ? at.first : at.body[0];
    f->slots.body[1][slot] = at.body[1];
    f->slots.base[0][slot] = offset;
    f->slots.base[1][slot] = cover;
    double *row = f->slots.R + (size_t)slot * (size_t)f->width,
           *column = f->slots.C + (size_t)slot * (size_t)f->width;
    for (int c = 0; c < f->width; c += ABUTI_LANES) {
        lanes_store(row + c, lanes_load(f->work.row + c));
        lanes_store(column + c, lanes_load(f->work.column + c));
    }
    if (f->single) {
        f->eight.free_slots &= ~(1u << slot);
        for (int c = 0; c < ABUTI_LANES; ++c) {
            f->eight.RT[c * ABUTI_LANES + slot] = row[c];
            f->eight.CT[c * ABUTI_LANES + slot] = column[c];
        }
    }
    f->slots.used++;
    if (slot >= f->slots.top) f->slots.top = slot + 1;
    if (code >= 0) f->seats.slot[kind][f->seats.of[code]] = slot;
}

/* Frees a slot, whose row and column of B become zero. */
HOT void slot_drop(faces *f, int slot)
{
    size_t ld = (size_t)f->inverse.ld, begin = (size_t)slot * ld;
    int columns = round_up8(f->slots.top);
    for (int c = 0; c < columns; c += 8) {
        lanes_store(f->inverse.B + begin + c, lanes_all(0.0));
        lanes_store(f->inverse.BT + begin + c, lanes_all(0.0));
    }
    for (int s = 0; s < f->slots.top; ++s)
        f->inverse.B[(size_t)s * ld + (size_t)slot] = f->inverse.BT[(size_t)s * ld + (size_t)slot] = 0.0;
    int code = f->slots.contact[slot], kind = f->slots.kind[slot];
    int seat = f->seats.of[code];
    f->seats.slot[kind][seat] = FACES_NONE;
    f->value[0][kind][seat] = f->value[1][kind][seat] = 0.0;
    f->slots.contact[slot] = FACES_NONE;
    if (f->single) f->eight.free_slots |= 1u << slot;
    f->x[0][slot] = f->x[1][slot] = 0.0;
    f->slots.used--;
    while (f->slots.top > 0 && f->slots.contact[f->slots.top - 1] == FACES_NONE) f->slots.top--;
}

/* ---- one block of eight ---- */

/* sum over rows of coefficient[i] * matrix[i], an even number of rows of eight, in two chains */
HOT lanes combine_rows(const double *matrix, const double *coefficient, int rows)
{
    lanes even = lanes_mul(lanes_load(matrix), lanes_all(coefficient[0]));
    lanes odd = lanes_mul(lanes_load(matrix + 8), lanes_all(coefficient[1]));
    for (int i = 2; i < rows; i += 2) {
        even = lanes_madd(lanes_load(matrix + 8 * i), lanes_all(coefficient[i]), even);
        odd = lanes_madd(lanes_load(matrix + 8 * i + 8), lanes_all(coefficient[i + 1]), odd);
    }
    return lanes_add(even, odd);
}

HOT lanes combine8(const double *matrix, const double *coefficient)
{
    return combine_rows(matrix, coefficient, ABUTI_LANES);
}

/* B += beta eta' * factor, x -= beta y, v -= C beta y; beta also lies in f->work.beta. */
HOT void update_single(faces *f, lanes beta, lanes eta, double factor, double y0, double y1)
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
    lanes_store(f->x[0], lanes_msub(beta, lanes_all(y0), lanes_load(f->x[0])));
    lanes_store(f->v[0], lanes_msub(w, lanes_all(y0), lanes_load(f->v[0])));
    if (f->parts == 1) return;
    lanes_store(f->x[1], lanes_msub(beta, lanes_all(y1), lanes_load(f->x[1])));
    lanes_store(f->v[1], lanes_msub(w, lanes_all(y1), lanes_load(f->v[1])));
}

/* S of ADD, and the size of the terms that make it up. */
typedef struct border {
    double S, terms;
} border;

HOT border border_single(faces *f)
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

/* ---- many blocks ---- */

/* out = sum of coefficient[list[i]] * row list[i] of a matrix; `columns` is a multiple of eight */
static void combine(const double *matrix, int ld, int columns, const int *list, int count,
                    const double *coefficient, double *out)
{
    int c = 0;
    for (; c + 32 <= columns; c += 32) {
        lanes s0 = lanes_all(0.0), s1 = s0, s2 = s0, s3 = s0;
        for (int i = 0; i < count; ++i) {
            const double *row = matrix + (size_t)list[i] * (size_t)ld + c;
            lanes k = lanes_all(coefficient[list[i]]);
            s0 = lanes_madd(k, lanes_load(row), s0);
            s1 = lanes_madd(k, lanes_load(row + 8), s1);
            s2 = lanes_madd(k, lanes_load(row + 16), s2);
            s3 = lanes_madd(k, lanes_load(row + 24), s3);
        }
        lanes_store(out + c, s0);
        lanes_store(out + c + 8, s1);
        lanes_store(out + c + 16, s2);
        lanes_store(out + c + 24, s3);
    }
    for (; c < columns; c += 8) {
        lanes s0 = lanes_all(0.0);
        for (int i = 0; i < count; ++i)
            s0 = lanes_madd(lanes_all(coefficient[list[i]]),
                            lanes_load(matrix + (size_t)list[i] * (size_t)ld + c), s0);
        lanes_store(out + c, s0);
    }
}

static border border_many(faces *f, slot_place at)
{
    int columns = round_up8(f->slots.top + 1), count = 0;
    for (int s = 0; s < columns; ++s) f->work.b[s] = f->work.g[s] = 0.0;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) continue;
        slot_place other = slot_at(f, s);
        if (!f->local && at.body[0] != other.body[0] && at.body[0] != other.body[1] &&
            at.body[1] != other.body[0] && at.body[1] != other.body[1])
            continue;
        size_t begin = (size_t)s * (size_t)f->width;
        f->work.b[s] = row_column(f, f->slots.R + begin, other, f->work.column, at);
        f->work.g[s] = row_column(f, f->work.row, at, f->slots.C + begin, other);
        f->work.list[count++] = s;
    }
    combine(f->inverse.BT, f->inverse.ld, columns, f->work.list, count, f->work.b, f->work.beta);
    combine(f->inverse.B, f->inverse.ld, columns, f->work.list, count, f->work.g, f->work.eta);
    border sum = {row_column(f, f->work.row, at, f->work.column, at), 0.0};
    for (int i = 0; i < count; ++i) {
        double term = f->work.g[f->work.list[i]] * f->work.beta[f->work.list[i]];
        sum.S -= term;
        sum.terms += fabs(term);
    }
    return sum;
}

static void update_many(faces *f, double factor, double y0, double y1)
{
    int columns = round_up8(f->slots.top);
    for (int c = 0; c < f->space; c += 8) lanes_store(f->work.dv + c, lanes_all(0.0));
    for (int s = 0; s < f->slots.top; ++s) {
        size_t row = (size_t)s * (size_t)f->inverse.ld;
        if (f->work.beta[s] != 0.0) {
            axpy(f->work.beta[s] * factor, f->work.eta, f->inverse.B + row, columns);
            column_add(f, f->work.beta[s], f->slots.C + (size_t)s * (size_t)f->width, slot_at(f, s),
                       f->work.dv);
        }
        if (f->work.eta[s] != 0.0) axpy(f->work.eta[s] * factor, f->work.beta, f->inverse.BT + row, columns);
    }
    axpy(-y0, f->work.beta, f->x[0], columns);
    axpy(-y0, f->work.dv, f->v[0], f->space);
    if (f->parts == 2) {
        axpy(-y1, f->work.beta, f->x[1], columns);
        axpy(-y1, f->work.dv, f->v[1], f->space);
    }
}

/* S once more, for rows that nearly depend on others. In rho.chi - C'rho beta everything cancels; here beta
 * is refined until w = chi - C beta is accurate relative to itself, and S = rho.w. False: the column depends
 * on the others (w is nothing but rounding), or the row does (it is orthogonal to w). */
static bool border_again(faces *f, slot_place at, double *S)
{
    double *w = f->work.dv, largest = 0.0;
    int columns = round_up8(f->slots.top);
    for (int step = 0; step < 3; ++step) {
        fill(w, 0.0, f->space);
        column_add(f, 1.0, f->work.column, at, w);
        for (int s = 0; s < f->slots.top; ++s) {
            if (f->slots.contact[s] != FACES_NONE && f->work.beta[s] != 0.0)
                column_add(f, -f->work.beta[s], f->slots.C + (size_t)s * (size_t)f->width, slot_at(f, s), w);
        }
        if (step == 2) break;
        for (int s = 0; s < f->slots.top; ++s) {
            bool used = f->slots.contact[s] != FACES_NONE;
            double error =
                used ? row_dot(f, f->slots.R + (size_t)s * (size_t)f->width, slot_at(f, s), w) : 0.0;
            if (error != 0.0)
                axpy(error, f->inverse.BT + (size_t)s * (size_t)f->inverse.ld, f->work.beta, columns);
        }
    }
    largest = largest_of(w, f->space);
    *S = row_dot(f, f->work.row, at, w);
    return largest > FACES_NEARBY * largest_of(f->work.column, f->width) &&
           fabs(*S) > FACES_SINGULAR * largest * largest_of(f->work.row, f->width);
}

/* ---- the four operations ---- */

/* ADD of f->work.row, f->work.column for a contact or joint; `scale` is |row||column|. Returns the slot, or FACES_NONE
 * when the row depends on those present (nothing has changed then). */
HOT int basis_add(faces *f, int code, int kind, double offset, double cover, double scale)
{
    slot_place at = place_of(f, code);
    int slot = free_slot(f);
    if (slot == FACES_NONE) return FACES_NONE;
    if (!f->local && f->slots.used == f->system->bodies * f->system->dim) return FACES_NONE;
    border sum = f->single ? border_single(f) : border_many(f, at);
    double S = sum.S;
    if (!(fabs(S) > FACES_SHAKY * (scale + sum.terms))) {
        f->inverse.shaky = true;
        if (!border_again(f, at, &S)) return FACES_NONE;
        f->inverse.delicate = true;
    }
    double u0 = row_dot(f, f->work.row, at, f->v[0]),
           u1 = f->parts == 2 ? row_dot(f, f->work.row, at, f->v[1]) : 0.0;
    double inverse = 1.0 / S, y0 = -(u0 + offset) * inverse, y1 = -(u1 + cover) * inverse;
    slot_put(f, slot, code, kind, at, offset, cover);
    if (f->single) {
        lanes beta = lanes_with(lanes_load(f->work.beta), slot, -1.0),
              eta = lanes_with(lanes_load(f->work.eta), slot, -1.0);
        lanes_store(f->work.beta, beta);
        update_single(f, beta, eta, inverse, y0, y1);
    } else {
        f->work.beta[slot] = f->work.eta[slot] = -1.0;
        update_many(f, inverse, y0, y1);
    }
    return slot;
}

/* Whether DEL of a slot leaves a regular basis. */
HOT bool basis_may_delete(const faces *f, int slot)
{
    const double *row = f->inverse.B + (size_t)slot * (size_t)f->inverse.ld;
    return fabs(row[slot]) > FACES_PIVOT * largest_of(row, round_up8(f->slots.top));
}

HOT void basis_delete(faces *f, int slot)
{
    size_t begin = (size_t)slot * (size_t)f->inverse.ld;
    int columns = round_up8(f->slots.top);
    double pivot = f->inverse.B[begin + (size_t)slot];
    lanes inverse = lanes_all(1.0 / pivot), most = lanes_all(0.0);
    for (int c = 0; c < columns; c += 8) {
        lanes eta = lanes_load(f->inverse.B + begin + c);
        most = lanes_max(most, lanes_abs(eta));
        lanes_store(f->work.beta + c, lanes_mul(inverse, lanes_load(f->inverse.BT + begin + c)));
        lanes_store(f->work.eta + c, eta);
    }
    /* What has grown with nearly dependent rows cancels when one of them goes. */
    if (fabs(pivot) < FACES_SHAKY * lanes_most(most) || (f->single && f->inverse.delicate))
        f->inverse.shaky = true;
    if (f->single) {
        lanes beta = lanes_with(lanes_load(f->work.beta), slot, 1.0);
        lanes_store(f->work.beta, beta);
        update_single(f, beta, lanes_load(f->work.eta), -1.0, f->x[0][slot], f->x[1][slot]);
    } else {
        f->work.beta[slot] = 1.0;
        update_many(f, -1.0, f->x[0][slot], f->x[1][slot]);
    }
    slot_drop(f, slot);
}

/* COL without the inverse. */
HOT void column_shear(faces *f, int th, int b, double tau)
{
    f->x[0][b] = abuti_madd(-tau, f->x[0][th], f->x[0][b]);
    f->x[1][b] = abuti_madd(-tau, f->x[1][th], f->x[1][b]);
    axpy(tau, f->slots.C + (size_t)b * (size_t)f->width, f->slots.C + (size_t)th * (size_t)f->width,
         f->width);
    if (f->single) {
        for (int c = 0; c < ABUTI_LANES; ++c) f->eight.CT[8 * c + th] = f->slots.C[8 * th + c];
    }
}

HOT void basis_shear(faces *f, int th, int b, double tau)
{
    column_shear(f, th, b, tau);
    axpy(-tau, f->inverse.B + (size_t)th * (size_t)f->inverse.ld,
         f->inverse.B + (size_t)b * (size_t)f->inverse.ld, round_up8(f->slots.top));
    for (int s = 0; s < f->slots.top; ++s) {
        double *row = f->inverse.BT + (size_t)s * (size_t)f->inverse.ld;
        row[b] = abuti_madd(-tau, row[th], row[b]);
    }
}

/* (a, b) := (cos a - sin b, sin a + cos b) on whole rows */
static void rotate_rows(double cosine, double sine, double *a, double *b, int length)
{
    lanes co = lanes_all(cosine), si = lanes_all(sine);
    for (int c = 0; c < length; c += 8) {
        lanes p = lanes_load(a + c), q = lanes_load(b + c);
        lanes_store(a + c, lanes_msub(si, q, lanes_mul(co, p)));
        lanes_store(b + c, lanes_madd(si, p, lanes_mul(co, q)));
    }
}

static inline void rotate_pair(double cosine, double sine, double *a, double *b)
{
    double p = *a, q = *b;
    *a = abuti_madd(-sine, q, cosine * p);
    *b = abuti_madd(sine, p, cosine * q);
}

/* ROT without the inverse. */
static void slots_rotate(faces *f, int e, int a, double cosine, double sine)
{
    size_t at_e = (size_t)e * (size_t)f->width, at_a = (size_t)a * (size_t)f->width;
    rotate_rows(cosine, sine, f->slots.R + at_e, f->slots.R + at_a, f->width);
    rotate_rows(cosine, sine, f->slots.C + at_e, f->slots.C + at_a, f->width);
    for (int part = 0; part < 2; ++part) {
        rotate_pair(cosine, sine, f->slots.base[part] + e, f->slots.base[part] + a);
        rotate_pair(cosine, sine, f->x[part] + e, f->x[part] + a);
    }
    if (f->single) {
        for (int c = 0; c < 8; ++c) {
            rotate_pair(cosine, sine, f->eight.RT + 8 * c + e, f->eight.RT + 8 * c + a);
            rotate_pair(cosine, sine, f->eight.CT + 8 * c + e, f->eight.CT + 8 * c + a);
        }
    }
}

static void basis_rotate(faces *f, int e, int a, double cosine, double sine)
{
    slots_rotate(f, e, a, cosine, sine);
    size_t ld = (size_t)f->inverse.ld;
    int columns = round_up8(f->slots.top);
    rotate_rows(cosine, sine, f->inverse.B + (size_t)e * ld, f->inverse.B + (size_t)a * ld, columns);
    rotate_rows(cosine, sine, f->inverse.BT + (size_t)e * ld, f->inverse.BT + (size_t)a * ld, columns);
    for (int s = 0; s < f->slots.top; ++s) {
        rotate_pair(cosine, sine, f->inverse.B + (size_t)s * ld + e, f->inverse.B + (size_t)s * ld + a);
        rotate_pair(cosine, sine, f->inverse.BT + (size_t)s * ld + e, f->inverse.BT + (size_t)s * ld + a);
    }
}
