/* Included by faces/core.inl.
 *
 * Many bodies: R'C is factored, not inverted, in the order of faces/order.inl, in blocks of eight by eight.
 *
 * Block by block it is the elimination of the textbook, with the inverse of what is left on the diagonal:
 *
 *     factor     for h < g:   L_gh = A_gh D_h,   A_gk -= L_gh A_hk for all k > h
 *                D_g = A_gg^-1
 *     solve      y_g = b_g - sum over h < g of L_gh y_h
 *                x_g = D_g (y_g - sum over k > g of A_gk x_k)
 *
 * All blocks lie column by column, one vector each, so that every step is a sum of vectors times numbers. D_g
 * is made by elimination in place, slot after slot. A slot's pivot is the S of ADD. When it vanishes, the
 * slot depends on those before it and is set aside: row and column of D_g are zero, so its unknown is 0, and
 * its row either holds by itself or is violated and changes the states. Pivots are not searched for.
 * Refinement makes up for it, and the path, which has an inverse, comes after. */

enum { BLOCK = ABUTI_LANES * ABUTI_LANES };

static inline double *diagonal_block(const faces *f, int g)
{
    return f->band.blocks + (size_t)g * BLOCK;
}

/* h < g: the block below the diagonal; the one above the diagonal follows it */
static inline double *lower_block(const faces *f, int g, int h)
{
    return f->band.blocks + (size_t)(f->band.chunks + 2 * block_number(f, g, h)) * BLOCK;
}

static inline double *block_at(const faces *f, int g, int h)
{
    return h < g ? lower_block(f, g, h) : h > g ? lower_block(f, h, g) + BLOCK : diagonal_block(f, g);
}

/* ---- rows and columns of slots ---- */

/* out[] = a x + b y, a row of `width` numbers */
static inline void weigh_rows(const double *x, double a, const double *y, double b, double *out, int width)
{
    for (int c = 0; c < width; c += ABUTI_LANES) {
        lanes sum = lanes_mul(lanes_load(x + c), lanes_all(a));
        lanes_store(out + c, lanes_madd(lanes_load(y + c), lanes_all(b), sum));
    }
}

/* Writes a slot's row into the panels of its chunk, component by component. */
static inline void put_row(faces *f, int slot, const double *row)
{
    const abuti_system *s = f->system;
    for (int side = 0; side < s->sides; ++side) {
        if (f->slots.body[side][slot] == s->bodies) continue;
        double *panel = f->band.panels +
                        (size_t)f->band.slot_panel[side][slot] * (size_t)(ABUTI_LANES * s->stride) +
                        slot % ABUTI_LANES;
        for (int c = 0; c < s->dim; ++c) panel[c * ABUTI_LANES] = row[side * s->stride + c];
    }
}

/* What is added to J v along the row (n, x, y) of a contact's slot: offset, and cover of a homotopy. */
static inline void set_base(faces *f, int contact, int slot, double n, double x, double y)
{
    for (int part = 0; part < f->parts; ++part) {
        const double *const *shift = f->path.shift[part];
        double sum = abuti_madd(x, shift[1][contact], n * shift[0][contact]);
        f->slots.base[part][slot] = abuti_madd(y, shift[2][contact], sum);
    }
}

/* Row, column and base of the slots of one contact. */
static void fill_contact(faces *f, int i)
{
    const abuti_system *s = f->system;
    const faces_polygon *p = &f->polygon[s->directions[i]];
    double *n = seat_row(f, i, 0), *tx = seat_row(f, i, 1), *ty = seat_row(f, i, 2);
    int width = f->width, normal = f->seats.slot[0][i], along = f->seats.slot[1][i],
        outward = f->seats.slot[2][i];
    double ax = p->ax[f->face[i]], ay = p->ay[f->face[i]];
    double mu = f->mu[i], fx = 0.0, fy = 0.0;
    bodies_gather(f, i, 0, n);
    if (mu > 0.0) {
        bodies_gather(f, i, 1, tx);
        bodies_gather(f, i, 2, ty);
    }
    if (f->state[i] == ABUT_SLIDE) {
        fx = mu * p->dx[f->face[i]];
        fy = mu * p->dy[f->face[i]];
    } else if (f->state[i] == ABUT_EDGE) {
        fx = mu * p->kap * ax;
        fy = mu * p->kap * ay;
    }
    double *column = slot_column(f, normal);
    if (fx != 0.0 || fy != 0.0) {
        weigh_rows(tx, fx, ty, fy, column, width);
        axpy(1.0, n, column, width);
    } else {
        for (int c = 0; c < width; c += ABUTI_LANES) lanes_store(column + c, lanes_load(n + c));
    }
    put_row(f, normal, n);
    set_base(f, i, normal, 1.0, 0.0, 0.0);
    if (along != FACES_NONE) {
        weigh_rows(tx, -ay, ty, ax, slot_column(f, along), width);
        put_row(f, along, slot_column(f, along));
        set_base(f, i, along, 0.0, -ay, ax);
    }
    if (outward != FACES_NONE) {
        weigh_rows(tx, ax, ty, ay, slot_column(f, outward), width);
        put_row(f, outward, slot_column(f, outward));
        set_base(f, i, outward, 0.0, ax, ay);
    }
}

/* The numbers of all slots. */
static void fill_slots(faces *f)
{
    const abuti_system *s = f->system;
    fill(f->band.panels, 0.0, f->band.panel_first[f->band.chunks] * ABUTI_LANES * s->stride);
    for (int part = 0; part < f->parts; ++part) fill(f->slots.base[part], 0.0, f->slots.top);
    for (int t = 0; t < f->slots.top; ++t) {
        int code = f->slots.contact[t];
        if (code >= 0 && f->slots.kind[t] == 0) fill_contact(f, code);
        if (code > -2) continue;
        int j = -2 - code;
        const double *row = s->joint_rows + (size_t)j * (size_t)f->width;
        double *column = slot_column(f, t);
        for (int c = 0; c < f->width; c += ABUTI_LANES) lanes_store(column + c, lanes_load(row + c));
        put_row(f, t, row);
        f->slots.base[0][t] = s->joint_offset[j];
    }
}

/* ---- blocks of R'C ---- */

/* Adds what one body contributes to the rows of chunk g. */
HOT void assemble_panel(faces *f, int g, int panel, int dim)
{
    const abuti_system *s = f->system;
    const double *rows = f->band.panels + (size_t)panel * (size_t)(ABUTI_LANES * s->stride);
    int body = f->band.panel_body[panel];
    for (int e = f->band.entry_first[body]; e < f->band.entry_first[body + 1]; ++e) {
        int slot = f->band.entry[e] >> 1, side = f->band.entry[e] & 1;
        const double *column = slot_column(f, slot) + side * s->stride;
        double *out = block_at(f, g, slot / ABUTI_LANES) + slot % ABUTI_LANES * ABUTI_LANES;
        lanes sum = lanes_load(out);
        for (int c = 0; c < dim; ++c)
            sum = lanes_madd(lanes_load(rows + c * ABUTI_LANES), lanes_all(column[c]), sum);
        lanes_store(out, sum);
    }
}

/* The blocks in the rows of chunk g. Blocks (g, k), k > g, are cleared before they are first added to. */
static void assemble(faces *f, int g)
{
    fill(diagonal_block(f, g), 0.0, BLOCK);
    for (int h = f->band.low[g]; h < g; ++h) {
        if (linked(f, g, h)) fill(lower_block(f, g, h), 0.0, BLOCK);
    }
    for (int k = g + 1; k <= f->band.high[g]; ++k) {
        if (linked(f, k, g)) fill(lower_block(f, k, g) + BLOCK, 0.0, BLOCK);
    }
    for (int p = f->band.panel_first[g]; p < f->band.panel_first[g + 1]; ++p) {
        if (f->system->dim == 6) {
            assemble_panel(f, g, p, 6);
        } else {
            assemble_panel(f, g, p, f->system->dim);
        }
    }
}

/* ---- factors ---- */

/* A := A D; `r` columns of A are not zero. */
HOT void times_right(double *A, const double *D, int r)
{
    lanes a[ABUTI_LANES];
    for (int c = 0; c < r; ++c) a[c] = lanes_load(A + c * ABUTI_LANES);
    for (int j = 0; j < r; ++j) {
        lanes sum = lanes_mul(a[0], lanes_all(D[j * ABUTI_LANES]));
        for (int c = 1; c < r; ++c) sum = lanes_madd(a[c], lanes_all(D[j * ABUTI_LANES + c]), sum);
        lanes_store(A + j * ABUTI_LANES, sum);
    }
}

/* A -= L U; L has r columns, U and A have `columns`. */
HOT void subtract_product(const double *L, const double *U, double *A, int r, int columns)
{
    lanes l[ABUTI_LANES];
    for (int c = 0; c < r; ++c) l[c] = lanes_load(L + c * ABUTI_LANES);
    for (int j = 0; j < columns; ++j) {
        lanes sum = lanes_load(A + j * ABUTI_LANES);
        for (int c = 0; c < r; ++c) sum = lanes_msub(l[c], lanes_all(U[j * ABUTI_LANES + c]), sum);
        lanes_store(A + j * ABUTI_LANES, sum);
    }
}

/* Eliminates chunk h from the rows of g; `r` is the number of its slots, or more. */
HOT void eliminate_chunk(faces *f, int g, int h, int r)
{
    double *L = lower_block(f, g, h);
    times_right(L, diagonal_block(f, h), r);
    for (int k = h + 1; k <= f->band.high[h]; ++k) {
        if (linked(f, k, h)) subtract_product(L, block_at(f, h, k), block_at(f, g, k), r, f->band.count[k]);
    }
}

/* D := D^-1 by elimination in place; dependent slots are set aside. */
static void invert_diagonal(faces *f, int g)
{
    double *D = diagonal_block(f, g), *inverse = f->band.reciprocal + (size_t)g * ABUTI_LANES;
    int r = f->band.count[g];
    bool aside = false;
    lanes_store(inverse, lanes_all(0.0));
    for (int p = 0; p < r; ++p) {
        int slot = g * ABUTI_LANES + p, contact = f->slots.contact[slot];
        double size = contact < 0 ? 1.0 : f->system->size[f->slots.kind[slot] > 0][contact];
        double pivot = D[p * ABUTI_LANES + p];
        if (!(fabs(pivot) > FACES_ASIDE * size * size)) {
            aside = true;
            f->band.set_aside++;
            continue;
        }
        double reciprocal = inverse[p] = 1.0 / pivot;
        lanes column = lanes_load(D + p * ABUTI_LANES);
        for (int j = 0; j < r; ++j) {
            if (j == p) continue;
            double factor = D[j * ABUTI_LANES + p] * reciprocal;
            lanes rest = lanes_msub(column, lanes_all(factor), lanes_load(D + j * ABUTI_LANES));
            lanes_store(D + j * ABUTI_LANES, lanes_with(rest, p, factor));
        }
        lanes scaled = lanes_mul(column, lanes_all(-reciprocal));
        lanes_store(D + p * ABUTI_LANES, lanes_with(scaled, p, reciprocal));
    }
    if (!aside) return;
    lanes zero = lanes_all(0.0);
    for (int j = 0; j < r; ++j) {
        lanes column = inverse[j] == 0.0 ? zero : lanes_load(D + j * ABUTI_LANES);
        for (int p = 0; p < r; ++p) column = inverse[p] == 0.0 ? lanes_with(column, p, 0.0) : column;
        lanes_store(D + j * ABUTI_LANES, column);
    }
}

static void factor(faces *f)
{
    f->band.set_aside = 0;
    for (int g = 0; g < f->band.chunks; ++g) {
        assemble(f, g);
        for (int h = f->band.low[g]; h < g; ++h) {
            if (!linked(f, g, h)) continue;
            if (f->band.count[h] <= 6) {
                eliminate_chunk(f, g, h, 6);
            } else {
                eliminate_chunk(f, g, h, ABUTI_LANES);
            }
        }
        invert_diagonal(f, g);
    }
}

/* ---- solving ---- */

/* from - A x, the columns of A in two chains */
HOT lanes minus_product(lanes from, const double *A, const double *x, int columns)
{
    lanes other = lanes_all(0.0);
    int j = 0;
    for (; j + 1 < columns; j += 2) {
        from = lanes_msub(lanes_load(A + j * ABUTI_LANES), lanes_all(x[j]), from);
        other = lanes_msub(lanes_load(A + (j + 1) * ABUTI_LANES), lanes_all(x[j + 1]), other);
    }
    if (j < columns) from = lanes_msub(lanes_load(A + j * ABUTI_LANES), lanes_all(x[j]), from);
    return lanes_add(from, other);
}

/* x -= (R'C)^-1 g for the slots that are not set aside; x of the others stays 0. */
static void solve_factored(faces *f, int part)
{
    double *y = f->work.beta;
    for (int g = 0; g < f->band.chunks; ++g) {
        lanes sum = lanes_load(f->work.g + g * ABUTI_LANES);
        for (int h = f->band.low[g]; h < g; ++h) {
            if (linked(f, g, h))
                sum = minus_product(sum, lower_block(f, g, h), y + h * ABUTI_LANES, f->band.count[h]);
        }
        lanes_store(y + g * ABUTI_LANES, sum);
    }
    for (int g = f->band.chunks - 1; g >= 0; --g) {
        double *mine = y + g * ABUTI_LANES, *x = f->x[part] + g * ABUTI_LANES;
        lanes sum = lanes_load(mine);
        for (int k = g + 1; k <= f->band.high[g]; ++k) {
            if (linked(f, k, g))
                sum = minus_product(sum, block_at(f, g, k), y + k * ABUTI_LANES, f->band.count[k]);
        }
        lanes_store(mine, sum);
        lanes minus = minus_product(lanes_all(0.0), diagonal_block(f, g), mine, f->band.count[g]);
        lanes_store(mine, lanes_sub(lanes_all(0.0), minus));
        lanes_store(x, lanes_add(lanes_load(x), minus));
    }
}

/* v = k + C x (part 0) or C x (part 1), body by body */
static void velocity_factored(faces *f, int part)
{
    const abuti_system *s = f->system;
    for (int body = 0; body < s->bodies; ++body) {
        for (int c = 0; c < s->stride; c += ABUTI_LANES) {
            size_t at = (size_t)body * (size_t)s->stride + (size_t)c;
            lanes even = part == 0 ? lanes_load(s->k + at) : lanes_all(0.0), odd = lanes_all(0.0);
            int e = f->band.entry_first[body], end = f->band.entry_first[body + 1];
            for (; e < end; ++e) {
                int slot = f->band.entry[e] >> 1, side = f->band.entry[e] & 1;
                lanes term = lanes_load(slot_column(f, slot) + side * s->stride + c);
                lanes sum = lanes_madd(term, lanes_all(f->x[part][slot]), even);
                even = odd;
                odd = sum;
            }
            lanes_store(f->v[part] + at, lanes_add(even, odd));
        }
    }
}

HOT lanes chunk_error(const faces *f, int part, int g, int dim)
{
    const abuti_system *s = f->system;
    lanes sum = lanes_load(f->slots.base[part] + g * ABUTI_LANES);
    for (int p = f->band.panel_first[g]; p < f->band.panel_first[g + 1]; ++p) {
        const double *rows = f->band.panels + (size_t)p * (size_t)(ABUTI_LANES * s->stride);
        const double *v = f->v[part] + (size_t)f->band.panel_body[p] * (size_t)s->stride;
        lanes one = lanes_mul(lanes_load(rows), lanes_all(v[0]));
        for (int c = 1; c < dim; ++c)
            one = lanes_madd(lanes_load(rows + c * ABUTI_LANES), lanes_all(v[c]), one);
        sum = lanes_add(sum, one);
    }
    return sum;
}

/* g = R'v + base. True: all errors are within `allowed`, but for those of slots that are set aside. */
static bool errors_within(faces *f, int part, double allowed)
{
    lanes limit = lanes_all(allowed), none = lanes_all(0.0), one = lanes_all(1.0), bad = none;
    for (int g = 0; g < f->band.chunks; ++g) {
        lanes error =
            f->system->dim == 6 ? chunk_error(f, part, g, 6) : chunk_error(f, part, g, f->system->dim);
        lane_mask used = lanes_less(none, lanes_abs(lanes_load(f->band.reciprocal + g * ABUTI_LANES)));
        lane_mask small = lanes_less(lanes_abs(error), limit);
        lanes_store(f->work.g + g * ABUTI_LANES, error);
        bad = lanes_add(bad, lanes_select(small, none, lanes_select(used, one, none)));
    }
    return lanes_sum(bad) == 0.0;
}

/* x and v of the slots as they are filled and factored: one solve, and a refinement or two. */
static void solve_slots(faces *f, int part)
{
    double unit = part == 0 ? f->size : 1.0;
    fill(f->x[part], 0.0, f->slots.top);
    for (int c = 0; c < f->space; c += ABUTI_LANES)
        lanes_store(f->v[part] + c, part == 0 ? lanes_load(f->system->k + c) : lanes_all(0.0));
    errors_within(f, part, INFINITY);
    solve_factored(f, part);
    velocity_factored(f, part);
    bool close = false;
    for (int step = 0; step < FACES_REFINEMENTS && !close; ++step) {
        close = errors_within(f, part, FACES_POLISH * unit);
        solve_factored(f, part);
        velocity_factored(f, part);
    }
}

/* ---- the representation ---- */

static bool band_holds(const faces *f, int slot)
{
    return f->band.reciprocal[slot] != 0.0;
}

static const faces_basis basis_of_band = {
    .open = seats_in_lanes,
    .clear = slots_clear,
    .sit = sit_in_lane,
    .rise = rise_from_lane,
    .shift = shift_nothing,
    .spread = spread_lanes,
    .holds = band_holds,
};
