/* Included by faces/core.inl.
 *
 * x and v from the inverse, and the inverse from the slots: what keeps rounding at bay. */

/* v = k + C x (part 0) or C x (part 1) */
static void velocity_from_x(faces *f, int part)
{
    double *v = f->v[part];
    const double *k = part == 0 && !f->local ? f->system->k : NULL;
    if (f->single) {
        lanes w = combine8(f->slots.C, f->x[part]);
        lanes_store(v, k ? lanes_add(lanes_load(k), w) : w);
        return;
    }
    for (int c = 0; c < f->space; c += 8) lanes_store(v + c, k ? lanes_load(k + c) : lanes_all(0.0));
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->x[part][s] != 0.0)
            column_add(f, f->x[part][s], f->slots.C + (size_t)s * (size_t)f->width, slot_at(f, s), v);
    }
}

/* g = R'v + base, the error of the slots' equations; its largest entry. */
static double slot_errors(faces *f, int part)
{
    const double *base = f->slots.base[part];
    double largest = 0.0;
    if (f->single) lanes_store(f->work.g, lanes_add(combine8(f->eight.RT, f->v[part]), lanes_load(base)));
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) {
            f->work.g[s] = 0.0;
            continue;
        }
        if (!f->single) {
            const double *row = f->slots.R + (size_t)s * (size_t)f->width;
            f->work.g[s] = row_dot(f, row, slot_at(f, s), f->v[part]) + base[s];
        }
        double error = fabs(f->work.g[s]);
        if (!(error <= largest)) largest = error;
    }
    return largest;
}

/* One step of iterative refinement: x -= B (R'v + base), v from x. Returns the error before it. */
static double refine(faces *f, int part)
{
    velocity_from_x(f, part);
    double error = slot_errors(f, part);
    if (f->single) {
        lanes_store(f->x[part], lanes_sub(lanes_load(f->x[part]), combine8(f->inverse.BT, f->work.g)));
    } else {
        int count = 0;
        for (int s = 0; s < f->slots.top; ++s) {
            if (f->work.g[s] != 0.0) f->work.list[count++] = s;
        }
        combine(f->inverse.BT, f->inverse.ld, round_up8(f->slots.top), f->work.list, count, f->work.g,
                f->work.beta);
        axpy(-1.0, f->work.beta, f->x[part], round_up8(f->slots.top));
    }
    velocity_from_x(f, part);
    return error;
}

/* f->work.dense = R'C over the used slots, which f->work.list names; their number. */
static int gather_matrix(faces *f, int *list)
{
    int r = 0;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] != FACES_NONE) list[r++] = s;
    }
    for (int i = 0; i < r; ++i) {
        double *row = f->work.dense + (size_t)i * (size_t)f->inverse.ld;
        for (int j = 0; j < r; ++j) {
            row[j] = row_column(f, f->slots.R + (size_t)list[i] * (size_t)f->width, slot_at(f, list[i]),
                                f->slots.C + (size_t)list[j] * (size_t)f->width, slot_at(f, list[j]));
        }
        for (int j = r; j < round_up8(r); ++j) row[j] = 0.0;
    }
    return r;
}

static void swap_rows(double *a, double *b, int length)
{
    for (int c = 0; c < length; c += 8) {
        lanes p = lanes_load(a + c);
        lanes_store(a + c, lanes_load(b + c));
        lanes_store(b + c, p);
    }
}

/* Gauss-Jordan with row pivoting, in place. Returns r, or the first column without a pivot above `least`. */
static int invert_in_place(double *A, int ld, int r, double least, int *swapped)
{
    int columns = round_up8(r);
    for (int j = 0; j < r; ++j) {
        int best = j;
        for (int i = j + 1; i < r; ++i) {
            if (fabs(A[(size_t)i * (size_t)ld + (size_t)j]) > fabs(A[(size_t)best * (size_t)ld + (size_t)j]))
                best = i;
        }
        double *pivot_row = A + (size_t)j * (size_t)ld;
        swapped[j] = best;
        if (!(fabs(A[(size_t)best * (size_t)ld + (size_t)j]) > least)) return j;
        if (best != j) swap_rows(pivot_row, A + (size_t)best * (size_t)ld, columns);
        lanes inverse = lanes_all(1.0 / pivot_row[j]);
        pivot_row[j] = 1.0;
        for (int c = 0; c < columns; c += 8)
            lanes_store(pivot_row + c, lanes_mul(inverse, lanes_load(pivot_row + c)));
        for (int i = 0; i < r; ++i) {
            double *row = A + (size_t)i * (size_t)ld, factor = row[j];
            if (i == j || factor == 0.0) continue;
            row[j] = 0.0;
            axpy(-factor, pivot_row, row, columns);
        }
    }
    for (int j = r - 1; j >= 0; --j) {
        if (swapped[j] == j) continue;
        for (int i = 0; i < r; ++i) {
            double *row = A + (size_t)i * (size_t)ld, keep = row[j];
            row[j] = row[swapped[j]];
            row[swapped[j]] = keep;
        }
    }
    return r;
}

/* B anew from the slots. When they are dependent, within `least`, false, and f->work.b holds a null vector: R'C b
 * = 0. */
static bool basis_invert(faces *f, double least)
{
    int *list = f->work.list, *swapped = f->work.list + f->room.slots;
    int r = gather_matrix(f, list), ld = f->inverse.ld;
    f->inverse.fresh = false;
    int done = invert_in_place(f->work.dense, ld, r, least, swapped);
    if (done < r) {
        for (int s = 0; s < round_up8(f->slots.top); ++s) f->work.b[s] = 0.0;
        for (int i = 0; i < done; ++i)
            f->work.b[list[i]] = -f->work.dense[(size_t)i * (size_t)ld + (size_t)done];
        f->work.b[list[done]] = 1.0;
        return false;
    }
    int columns = round_up8(f->slots.top);
    for (int s = 0; s < f->slots.top; ++s) {
        for (int c = 0; c < columns; ++c)
            f->inverse.B[(size_t)s * (size_t)ld + (size_t)c] =
                f->inverse.BT[(size_t)s * (size_t)ld + (size_t)c] = 0.0;
    }
    for (int i = 0; i < r; ++i) {
        for (int j = 0; j < r; ++j) {
            double entry = f->work.dense[(size_t)i * (size_t)ld + (size_t)j];
            f->inverse.B[(size_t)list[i] * (size_t)ld + (size_t)list[j]] = entry;
            f->inverse.BT[(size_t)list[j] * (size_t)ld + (size_t)list[i]] = entry;
        }
    }
    f->inverse.shaky = false;
    return true;
}

/* ---- one block, rows that nearly depend on each other ---- */

/* In R'C the distance of such rows is squared, and lost at 1e-8. With R = Q U and C = P W (Q and P
 * orthonormal, U and W triangular) it is not: R'C = U' (Q'P) W, and B = W^-1 (Q'P)^-1 U^-T. */

/* Orthonormal columns from those of `from` (slots in `list`), and U by columns; twice, so that what is left
 * of a column that nearly depends on the others is orthogonal too. Returns r, or the first column that
 * depends on those before it. */
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

/* f->work.b = the combination of columns, W by columns, in which column j is the sum of those before it. */
static void columns_null(faces *f, const int *list, int j, const double *W)
{
    fill(f->work.b, 0.0, 8);
    f->work.b[list[j]] = 1.0;
    for (int i = j - 1; i >= 0; --i) {
        double sum = -W[8 * j + i];
        for (int k = i + 1; k < j; ++k) sum = abuti_madd(-W[8 * k + i], f->work.b[list[k]], sum);
        f->work.b[list[i]] = sum / W[8 * i + i];
    }
}

typedef enum near_end { NEAR_DONE, NEAR_COLUMNS, NEAR_OTHER } near_end;

/* B anew from the slots of one block, accurate where basis_invert is not. NEAR_COLUMNS: the columns depend on
 * each other, R'C b = 0; NEAR_OTHER: the rows do, or rows and columns are orthogonal. B is as it was then. */
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
        for (int j = 0; j < r; ++j) M[8 * i + j] = dot_blocks(Q + 8 * i, P + 8 * j, 8);
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

/* A new inverse, in the way that suits the slots; or, when they are dependent, false and f->work.b likewise. */
static bool remake_inverse(faces *f, double least)
{
    near_end end = f->single && f->inverse.delicate ? invert_nearly_dependent(f) : NEAR_OTHER;
    if (end == NEAR_OTHER) return basis_invert(f, least);
    return end == NEAR_DONE;
}

/* REFRESH of the parts 0 .. parts-1: x and v to full accuracy; a new inverse if this one is shaky or
 * inaccurate. */
static bool refresh(faces *f, int parts)
{
    f->since_refresh = 0;
    /* Where rows nearly depend on each other R'C knows less than the inverse that has grown with them. */
    if (f->inverse.shaky) remake_inverse(f, FACES_REGULAR);
    f->inverse.shaky = false;
    for (int part = 0; part < parts; ++part) {
        double unit = part == 0 ? f->size : 1.0;
        refine(f, part);
        double allowed =
            FACES_DRIFT * unit + FACES_ROUNDING * largest_of(f->x[part], round_up8(f->slots.top));
        if (refine(f, part) <= allowed) continue;
        if (!remake_inverse(f, FACES_REGULAR)) return false;
        refine(f, part);
        if (!(refine(f, part) <= allowed)) return false;
    }
    return true;
}
