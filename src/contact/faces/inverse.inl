/* Included by faces/core.inl.
 *
 * Slots and their inverse: ADD, DEL, COL and ROT, each O(r^2), each carrying x and v along.
 *
 *     ADD(rho, chi)    beta = B R'chi,  eta = C'rho B,  S = rho.chi - C'rho beta,  y = -(rho.v + o) / S
 *                      B += beta eta / S, bordered by -beta / S, -eta / S and 1 / S
 *                      x -= beta y, append y;   v += (chi - C beta) y
 *     DEL(s)           q = B[:,s] / B_ss;   x -= q x_s;   v -= C q x_s;   B -= q B[s,:]
 *     COL(th, b, tau)  C_th += tau C_b;   x_b -= tau x_th;   B[b,:] -= tau B[th,:]       v does not change
 *     ROT              turns the two tangential slots of a contact                       v does not change
 *
 * A slot keeps its number while it lives. Free slots have zero rows and columns in B, so ADD is one rank-one
 * update. The column chi goes into its free slot, -1 goes into the slot's place of beta and eta, and then
 * B += beta eta / S, x -= beta y and v -= C beta y. DEL is the same with q, B[s,:] and S = -1.
 *
 * When a row turns out to depend on the others, or a slot cannot go without leaving such rows behind, the
 * slots change all the same, but f->regular says that B is no longer their inverse: the path then takes a
 * vertical step. */

/* ---- slots ---- */

HOT int inverse_free_slot(const faces *f)
{
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) return s;
    }
    return f->slots.top < f->inverse.ld ? f->slots.top : FACES_NONE;
}

/* Gives work.row and work.column to a slot. */
HOT void slot_fill(faces *f, int slot, int code, int kind, slot_place at, const faces_terms *terms)
{
    f->slots.contact[slot] = code;
    f->slots.kind[slot] = kind;
    f->slots.body[0][slot] = at.body[0];
    f->slots.body[1][slot] = at.body[1];
    f->slots.base[0][slot] = terms->offset;
    f->slots.base[1][slot] = terms->cover;
    copy(f->work.row, slot_row(f, slot), f->width);
    copy(f->work.column, slot_column(f, slot), f->width);
    f->slots.used++;
    if (slot >= f->slots.top) f->slots.top = slot + 1;
    if (code >= 0) f->seats.slot[kind][f->seats.of[code]] = slot;
}

/* Frees a slot, whose row and column of B become zero. */
HOT void slot_free(faces *f, int slot)
{
    size_t ld = (size_t)f->inverse.ld, begin = (size_t)slot * ld;
    int columns = abuti_padded(f->slots.top);
    fill(f->inverse.B + begin, 0.0, columns);
    fill(f->inverse.BT + begin, 0.0, columns);
    for (int s = 0; s < f->slots.top; ++s)
        f->inverse.B[(size_t)s * ld + (size_t)slot] = f->inverse.BT[(size_t)s * ld + (size_t)slot] = 0.0;
    int code = f->slots.contact[slot], kind = f->slots.kind[slot];
    int seat = f->seats.of[code];
    f->seats.slot[kind][seat] = FACES_NONE;
    f->value[0][kind][seat] = f->value[1][kind][seat] = 0.0;
    f->slots.contact[slot] = FACES_NONE;
    f->x[0][slot] = f->x[1][slot] = 0.0;
    f->slots.used--;
    while (f->slots.top > 0 && f->slots.contact[f->slots.top - 1] == FACES_NONE) f->slots.top--;
}

static bool inverse_put(faces *f, int code, int kind, const faces_terms *terms)
{
    int slot = inverse_free_slot(f);
    if (slot == FACES_NONE) return false;
    slot_fill(f, slot, code, kind, f->door->place(f, code), terms);
    return true;
}

/* ---- ADD ---- */

/* S of ADD, and the size of the terms that make it up. */
typedef struct border {
    double S, terms;
} border;

static border inverse_border(faces *f, slot_place at)
{
    int columns = abuti_padded(f->slots.top + 1);
    double *b = f->work.b, *g = f->work.g;
    for (int s = 0; s < columns; ++s) b[s] = g[s] = 0.0;
    int count = f->door->meet(f, at);
    const int *list = f->work.list;
    combine(f->inverse.BT, f->inverse.ld, columns, list, count, b, f->work.beta);
    combine(f->inverse.B, f->inverse.ld, columns, list, count, g, f->work.eta);
    border sum = {f->door->product(f, f->work.row, at, f->work.column, at), 0.0};
    for (int i = 0; i < count; ++i) {
        double term = g[list[i]] * f->work.beta[list[i]];
        sum.S -= term;
        sum.terms += fabs(term);
    }
    return sum;
}

/* Computes S once more, for rows that nearly depend on others. In rho.chi - C'rho beta everything cancels;
 * here beta is refined until w = chi - C beta is accurate relative to itself, and S = rho.w. Returns false
 * when the column depends on the others (w is mere rounding), or the row does (it is orthogonal to w). */
static bool border_again(faces *f, slot_place at, double *S)
{
    double *w = f->work.dv, *beta = f->work.beta, *error = f->work.g;
    int columns = abuti_padded(f->slots.top);
    for (int step = 0; step < 3; ++step) {
        fill(w, 0.0, f->space);
        f->door->add(f, 1.0, f->work.column, at, w);
        f->door->push(f, -1.0, beta, w);
        if (step == 2) break;
        f->door->dots(f, w, error);
        for (int s = 0; s < f->slots.top; ++s) {
            if (error[s] != 0.0)
                axpy(error[s], f->inverse.BT + (size_t)s * (size_t)f->inverse.ld, beta, columns);
        }
    }
    double largest = largest_of(w, f->space);
    *S = f->door->dot(f, f->work.row, at, w);
    return largest > FACES_NEARBY * largest_of(f->work.column, f->width) &&
           fabs(*S) > FACES_SINGULAR * largest * largest_of(f->work.row, f->width);
}

/* The pivot of ADD, looked at again when it is small. False: the row depends on those present. */
HOT bool pivot_of(faces *f, slot_place at, border sum, double scale, double *S)
{
    *S = sum.S;
    if (fabs(*S) > FACES_SHAKY * (scale + sum.terms)) return true;
    f->inverse.shaky = true;
    if (!border_again(f, at, S)) return false;
    f->inverse.delicate = true;
    return true;
}

/* The new unknown of ADD, y = -(rho.v + o) / S, in the parts that are carried along. */
HOT void unknown_of(const faces *f, slot_place at, const faces_terms *terms, double inverse,
                    dot_function *dot, double y[2])
{
    y[0] = -(dot(f, f->work.row, at, f->v[0]) + terms->offset) * inverse;
    y[1] = f->parts == 2 ? -(dot(f, f->work.row, at, f->v[1]) + terms->cover) * inverse : 0.0;
}

/* B += factor beta eta', x -= beta y, v -= C beta y */
static void inverse_update(faces *f, double factor, const double y[2])
{
    int columns = abuti_padded(f->slots.top);
    const double *beta = f->work.beta, *eta = f->work.eta;
    double *dv = f->work.dv;
    for (int s = 0; s < f->slots.top; ++s) {
        size_t row = (size_t)s * (size_t)f->inverse.ld;
        if (beta[s] != 0.0) axpy(beta[s] * factor, eta, f->inverse.B + row, columns);
        if (eta[s] != 0.0) axpy(eta[s] * factor, beta, f->inverse.BT + row, columns);
    }
    fill(dv, 0.0, f->space);
    f->door->push(f, 1.0, beta, dv);
    for (int part = 0; part < f->parts; ++part) {
        axpy(-y[part], beta, f->x[part], columns);
        axpy(-y[part], dv, f->v[part], f->space);
    }
}

/* ADD of work.row and work.column for a contact or joint. False: the row depends on those present, and
 * nothing has changed. */
static bool inverse_join(faces *f, int code, int kind, const faces_terms *terms)
{
    slot_place at = f->door->place(f, code);
    int slot = inverse_free_slot(f);
    double S, y[2];
    if (slot == FACES_NONE || f->slots.used == f->inverse.most) return false;
    if (!pivot_of(f, at, inverse_border(f, at), terms->scale, &S)) return false;
    unknown_of(f, at, terms, 1.0 / S, f->door->dot, y);
    slot_fill(f, slot, code, kind, at, terms);
    f->work.beta[slot] = f->work.eta[slot] = -1.0;
    inverse_update(f, 1.0 / S, y);
    return true;
}

/* Makes work.row and work.column of a seated contact, and what ADD takes besides. */
HOT faces_terms make_terms(faces *f, int contact, int kind, const double row[3], const double column[3],
                           row_function *make_row)
{
    const abuti_system *s = f->system;
    make_row(f, f->seats.of[contact], row, f->work.row);
    weigh_axes(f, f->seats.of[contact], column, f->work.column);
    faces_terms terms = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis) {
        terms.offset = abuti_madd(row[axis], s->offset[axis][contact], terms.offset);
        terms.cover = abuti_madd(row[axis], f->path.cover[axis][contact], terms.cover);
    }
    double size = kind == 0 ? s->size[0][contact] : s->size[1][contact];
    terms.scale = kind == 0 ? size * (size + f->mu[contact] * s->size[1][contact]) : size * size;
    return terms;
}

static bool inverse_add(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    faces_terms terms = make_terms(f, contact, kind, row, column, f->door->row);
    return inverse_join(f, contact, kind, &terms);
}

static bool inverse_take(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    faces_terms terms = make_terms(f, contact, kind, row, column, f->door->row);
    if (f->regular && inverse_join(f, contact, kind, &terms)) return true;
    if (!inverse_put(f, contact, kind, &terms)) return false;
    f->regular = false;
    return true;
}

/* ---- DEL ---- */

/* Whether DEL of a slot leaves a regular basis. */
HOT bool may_delete(const faces *f, int slot)
{
    const double *row = f->inverse.B + (size_t)slot * (size_t)f->inverse.ld;
    return fabs(row[slot]) > FACES_PIVOT * largest_of(row, abuti_padded(f->slots.top));
}

/* work.beta = q and work.eta = B[s,:] of DEL. */
HOT void delete_terms(faces *f, int slot)
{
    size_t begin = (size_t)slot * (size_t)f->inverse.ld;
    int columns = abuti_padded(f->slots.top);
    double pivot = f->inverse.B[begin + (size_t)slot];
    lanes inverse = lanes_all(1.0 / pivot), most = lanes_all(0.0);
    for (int c = 0; c < columns; c += 8) {
        lanes eta = lanes_load(f->inverse.B + begin + c);
        most = lanes_max(most, lanes_abs(eta));
        lanes_store(f->work.beta + c, lanes_mul(inverse, lanes_load(f->inverse.BT + begin + c)));
        lanes_store(f->work.eta + c, eta);
    }
    if (fabs(pivot) < FACES_SHAKY * lanes_most(most)) f->inverse.shaky = true;
}

static void inverse_drop(faces *f, int slot)
{
    f->regular = f->regular && may_delete(f, slot);
    if (f->regular) {
        delete_terms(f, slot);
        f->work.beta[slot] = 1.0;
        inverse_update(f, -1.0, (const double[2]){f->x[0][slot], f->x[1][slot]});
    }
    slot_free(f, slot);
}

/* ---- COL and ROT ---- */

static void inverse_shear(faces *f, int th, int b, double tau)
{
    f->x[0][b] = abuti_madd(-tau, f->x[0][th], f->x[0][b]);
    f->x[1][b] = abuti_madd(-tau, f->x[1][th], f->x[1][b]);
    axpy(tau, slot_column(f, b), slot_column(f, th), f->width);
    if (!f->regular) return;
    double *B = f->inverse.B;
    size_t ld = (size_t)f->inverse.ld;
    axpy(-tau, B + (size_t)th * ld, B + (size_t)b * ld, abuti_padded(f->slots.top));
    for (int s = 0; s < f->slots.top; ++s) {
        double *row = f->inverse.BT + (size_t)s * ld;
        row[b] = abuti_madd(-tau, row[th], row[b]);
    }
}

static void inverse_rotate(faces *f, int e, int a, double cosine, double sine)
{
    rotate_rows(cosine, sine, slot_row(f, e), slot_row(f, a), f->width);
    rotate_rows(cosine, sine, slot_column(f, e), slot_column(f, a), f->width);
    for (int part = 0; part < 2; ++part) {
        rotate_pair(cosine, sine, f->slots.base[part] + e, f->slots.base[part] + a);
        rotate_pair(cosine, sine, f->x[part] + e, f->x[part] + a);
    }
    if (!f->regular) return;
    double *B = f->inverse.B, *BT = f->inverse.BT;
    size_t ld = (size_t)f->inverse.ld;
    int columns = abuti_padded(f->slots.top);
    rotate_rows(cosine, sine, B + (size_t)e * ld, B + (size_t)a * ld, columns);
    rotate_rows(cosine, sine, BT + (size_t)e * ld, BT + (size_t)a * ld, columns);
    for (int s = 0; s < f->slots.top; ++s) {
        rotate_pair(cosine, sine, B + (size_t)s * ld + e, B + (size_t)s * ld + a);
        rotate_pair(cosine, sine, BT + (size_t)s * ld + e, BT + (size_t)s * ld + a);
    }
}

/* ---- contacts ---- */

/* A contact's seat is its lane; its rows are gathered there. */
static int inverse_sit(faces *f, int contact)
{
    for (int axis = 0; axis < 3; ++axis) f->door->gather(f, contact, axis, seat_row(f, contact, axis));
    return contact;
}

static void inverse_slip(const faces *f, int contact, double t, double u[2])
{
    slip_at(f, contact, t, f->door->seated_velocity, u);
}

/* Local velocities by lane and the unknowns by seat, which are the lanes. */
static void spread_lanes(faces *f, int parts)
{
    for (int part = 0; part < parts; ++part) f->door->velocities(f, part);
    for (int s = 0; s < f->slots.top; ++s) {
        int contact = f->slots.contact[s];
        if (contact < 0) continue;
        int kind = f->slots.kind[s], seat = f->seats.of[contact];
        f->value[0][kind][seat] = f->x[0][s];
        f->value[1][kind][seat] = f->x[1][s];
    }
}

/* Whether nothing moves the contacts sideways: gravity on a level stack. */
static bool rows_at_rest(const faces *f)
{
    for (int i = 0; i < f->system->n; ++i) {
        for (int axis = 1; axis < 3 && !is_given(f, i); ++axis) {
            if (!(fabs(f->door->velocity(f, i, axis, 0)) <= FACES_FLAT * f->size)) return false;
        }
    }
    return true;
}

static void seats_in_lanes(faces *f)
{
    f->seats.count = f->lanes;
    for (int l = 0; l < f->lanes; ++l) f->seats.contact[l] = l;
}

/* The freedoms of the system: no more slots can be independent. */
static int freedoms(const abuti_system *s)
{
    return s->W ? 3 * s->n + s->joints : s->bodies * s->dim;
}

/* Makes rows of B no longer than they must be. */
static void inverse_open(faces *f)
{
    int length = abuti_padded(freedoms(f->system) + 2);
    f->inverse.most = freedoms(f->system);
    f->inverse.ld = length < f->room.inverse ? length : f->room.inverse;
    seats_in_lanes(f);
}

/* Frees all slots with their unknowns. */
static void slots_clear(faces *f)
{
    for (int t = 0; t < f->slots.top; ++t) f->slots.contact[t] = FACES_NONE;
    for (int part = 0; part < 2; ++part) fill(f->x[part], 0.0, abuti_padded(f->slots.top));
    f->slots.used = f->slots.top = 0;
}

static void inverse_clear(faces *f)
{
    int columns = abuti_padded(f->slots.top);
    for (size_t t = 0; t < (size_t)f->slots.top; ++t) {
        fill(f->inverse.B + t * (size_t)f->inverse.ld, 0.0, columns);
        fill(f->inverse.BT + t * (size_t)f->inverse.ld, 0.0, columns);
    }
    slots_clear(f);
}

/* The operation of representations that have nothing of their own to do. */
static void rise_from_lane(faces *f, int seat)
{
    (void)f;
    (void)seat;
}

static void shift_nothing(faces *f)
{
    (void)f;
}

static bool always_holds(const faces *f, int slot)
{
    (void)f;
    (void)slot;
    return true;
}
