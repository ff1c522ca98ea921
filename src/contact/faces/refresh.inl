/* Included by faces/core.inl.
 *
 * x and v from the inverse, and the inverse from the slots: what keeps rounding at bay. */

/* v = k + C x (part 0) or C x (part 1) */
static void inverse_move(faces *f, int part)
{
    copy(part == 0 ? f->k : f->still, f->v[part], f->space);
    f->door->push(f, 1.0, f->x[part], f->v[part]);
}

/* work.g = R'v + base, the errors of the slots' equations; returns the largest. */
static double inverse_errors(faces *f, int part)
{
    double largest = 0.0, *g = f->work.g;
    f->door->dots(f, f->v[part], g);
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) continue;
        g[s] += f->slots.base[part][s];
        if (!(fabs(g[s]) <= largest)) largest = fabs(g[s]);
    }
    return largest;
}

/* x -= B g */
static void inverse_correct(faces *f, int part)
{
    int count = 0, columns = abuti_padded(f->slots.top), *list = f->work.list;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->work.g[s] != 0.0) list[count++] = s;
    }
    combine(f->inverse.BT, f->inverse.ld, columns, list, count, f->work.g, f->work.beta);
    axpy(-1.0, f->work.beta, f->x[part], columns);
}

/* One step of iterative refinement: x -= B (R'v + base), v from x. Returns the error before it. */
static double refine(faces *f, int part)
{
    f->basis->move(f, part);
    double error = f->basis->errors(f, part);
    f->basis->correct(f, part);
    f->basis->move(f, part);
    return error;
}

/* One refinement of part 0. Errors shrink to their square, so what is small before is rounding after. */
static bool inverse_polish(faces *f)
{
    double error = refine(f, 0);
    for (int again = 0; f->inverse.delicate && again < 2; ++again) error = refine(f, 0);
    return error <= FACES_POLISH * f->size;
}

/* The same where all slots act on one block: eight columns at a time, which lie component by component in
 * band.panels. */
static void gather_block(faces *f, const int *list, int r)
{
    int dim = f->system->dim, columns = abuti_padded(r);
    double *turned = f->band.panels;
    for (int c = 0; c < dim; ++c) {
        double *to = turned + (size_t)c * (size_t)columns;
        for (int j = 0; j < r; ++j) to[j] = slot_column(f, list[j])[c];
        for (int j = r; j < columns; ++j) to[j] = 0.0;
    }
    for (int i = 0; i < r; ++i) {
        const double *row = slot_row(f, list[i]);
        double *out = f->work.dense + (size_t)i * (size_t)f->inverse.ld;
        for (int j = 0; j < columns; j += 8) {
            lanes even = lanes_all(0.0), odd = even;
            const double *at = turned + j;
            int c = 0;
            for (; c + 1 < dim; c += 2, at += 2 * columns) {
                even = lanes_madd(lanes_all(row[c]), lanes_load(at), even);
                odd = lanes_madd(lanes_all(row[c + 1]), lanes_load(at + columns), odd);
            }
            if (c < dim) even = lanes_madd(lanes_all(row[c]), lanes_load(at), even);
            lanes_store(out + j, lanes_add(even, odd));
        }
    }
}

/* work.dense = R'C over the used slots, which `list` names; returns their number. */
static int gather_matrix(faces *f, int *list)
{
    int r = 0;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] != FACES_NONE) list[r++] = s;
    }
    if (f->system->given) {
        gather_block(f, list, r);
        return r;
    }
    for (int i = 0; i < r; ++i) {
        double *row = f->work.dense + (size_t)i * (size_t)f->inverse.ld;
        for (int j = 0; j < r; ++j) {
            row[j] = f->door->product(f, slot_row(f, list[i]), slot_at(f, list[i]), slot_column(f, list[j]),
                                      slot_at(f, list[j]));
        }
        for (int j = r; j < abuti_padded(r); ++j) row[j] = 0.0;
    }
    return r;
}

/* Makes B anew from the slots. When they are dependent, within `least`, it returns false, and work.b holds a
 * null vector: R'C b = 0. */
static bool slots_invert(faces *f, double least)
{
    int *list = f->work.list, *swapped = f->work.list + f->room.slots;
    int r = gather_matrix(f, list);
    size_t ld = (size_t)f->inverse.ld;
    double *dense = f->work.dense, *B = f->inverse.B, *BT = f->inverse.BT;
    f->inverse.fresh = false;
    int done = invert_in_place(dense, f->inverse.ld, r, least, swapped), columns = abuti_padded(f->slots.top);
    if (done < r) {
        for (int s = 0; s < columns; ++s) f->work.b[s] = 0.0;
        for (int i = 0; i < done; ++i) f->work.b[list[i]] = -dense[(size_t)i * ld + (size_t)done];
        f->work.b[list[done]] = 1.0;
        return false;
    }
    for (size_t s = 0; s < (size_t)f->slots.top; ++s) {
        if (r == f->slots.top) { /* no slot is free, and `list` counts them */
            copy(dense + s * ld, B + s * ld, columns);
            for (size_t j = 0; j < (size_t)r; ++j) BT[j * ld + s] = dense[s * ld + j];
        } else {
            fill(B + s * ld, 0.0, columns);
            fill(BT + s * ld, 0.0, columns);
        }
    }
    for (int i = 0; i < r && r < f->slots.top; ++i) {
        for (int j = 0; j < r; ++j) {
            double entry = dense[(size_t)i * ld + (size_t)j];
            B[(size_t)list[i] * ld + (size_t)list[j]] = entry;
            BT[(size_t)list[j] * ld + (size_t)list[i]] = entry;
        }
    }
    f->inverse.shaky = false;
    return true;
}

/* REFRESH of the parts 0 .. parts-1: x and v to full accuracy. The inverse is made anew if it is shaky or
 * inaccurate. */
static bool inverse_refresh(faces *f, int parts)
{
    f->since_refresh = 0;
    /* Where rows nearly depend on each other R'C knows less than the inverse that has grown with them. */
    if (f->inverse.shaky) f->basis->invert(f, FACES_REGULAR);
    f->inverse.shaky = false;
    for (int part = 0; part < parts; ++part) {
        double unit = part == 0 ? f->size : 1.0;
        refine(f, part);
        double allowed =
            FACES_DRIFT * unit + FACES_ROUNDING * largest_of(f->x[part], abuti_padded(f->slots.top));
        if (refine(f, part) <= allowed) continue;
        if (!f->basis->invert(f, FACES_REGULAR)) return false;
        refine(f, part);
        if (!(refine(f, part) <= allowed)) return false;
    }
    return true;
}
