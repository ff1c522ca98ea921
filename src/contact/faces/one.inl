/* Included by faces/core.inl.
 *
 * One body: its basis, in the space of v.
 *
 * All rows and columns of one body lie in R^6. So the inverse B of R'C is not kept itself; the matrices that it is
 * used for there are kept instead:
 *
 *     P = I - C B R'    w = P chi: how v moves when the column chi acts and the active rows answer
 *     D = B R'          beta = D chi: how the unknowns answer, x -= beta
 *     E = C B           v moves by -E_s when row s is off by one;  B = D E
 *
 * A slot comes and goes by one rank-one change each, without a product of two matrices one after the other:
 * ADD waits for w, then for S, then for the division.
 *
 *     ADD(rho, chi)   w = P chi, q = P'rho, beta = D chi, eta = E'rho, with -1 at the slot's own place of both;
 *                     S = q.chi, factor = 1 / S, y = -(rho.v + o) / S
 *     DEL(s)          w = E_s, q = D_s, beta = -D w, eta = -E'q;  factor = -1 / B_ss, y = -x_s / B_ss
 *     both            P -= factor w q',  D -= factor beta q',  E -= factor w eta',  x -= beta y,  v += w y
 *
 * The velocities of all contacts move along: u += (J w) y, where J w is ready before y is.
 *
 * The friction that theta brings along, fhat, stays what it was when the contact closed or was loosened. The
 * impulse is theta (n + fhat) + s e_k + p a_k, so turning onto an edge and sticking are one ADD each, and the
 * way back is one DEL.
 *
 * Nearly dependent rows, joints and numbers of components other than six are left to faces/eight.inl. */

enum { SIX = 6 };

HOT lanes combine6(const double *matrix, const double *k)
{
    return combine_rows(matrix, k, SIX);
}

/* start + a.b, in two chains */
HOT double dot6(double start, const double *a, const double *b)
{
    double even = abuti_madd(a[0], b[0], start), odd = a[1] * b[1];
    for (int c = 2; c < SIX; c += 2) {
        even = abuti_madd(a[c], b[c], even);
        odd = abuti_madd(a[c + 1], b[c + 1], odd);
    }
    return even + odd;
}

/* Whether this file takes the system. */
static bool one_serves(const abuti_system *s)
{
    return !s->W && s->bodies == 1 && s->sides == 1 && s->dim == SIX && s->stride == ABUTI_LANES &&
           s->joints == 0 && !s->given;
}

/* One bit for each seat that is taken. */
HOT unsigned one_seats(const faces_one *o)
{
    return ((1u << SIX) - 1u) & ~o->free_seats;
}

/* A contact's row on an axis, read from two places so that no load waits for the address of the last. */
HOT void contact_row(const abuti_system *s, int contact, int axis, double row[SIX])
{
    ptrdiff_t n = s->lanes;
    const double *low = s->rows + axis * SIX * n + contact, *high = s->rows + (axis * SIX + 3) * n + contact;
    for (int c = 0; c < 3; ++c) {
        row[c] = low[c * n];
        row[c + 3] = high[c * n];
    }
}

/* ---- velocities ---- */

/* row.k of eight contacts, their components `apart` from each other, in two chains */
HOT lanes along_six(const double *row, int apart, const lanes k[SIX])
{
    lanes even = lanes_mul(lanes_load(row), k[0]), odd = lanes_mul(lanes_load(row + apart), k[1]);
    for (int c = 2; c < SIX; c += 2) {
        even = lanes_madd(lanes_load(row + c * apart), k[c], even);
        odd = lanes_madd(lanes_load(row + (c + 1) * apart), k[c + 1], odd);
    }
    return lanes_add(even, odd);
}

/* Whether nothing drives the contacts sideways before any has closed: gravity on a level body. */
static bool one_at_rest(const faces *f)
{
    const abuti_system *s = f->system;
    lanes k[SIX], limit = lanes_all(FACES_FLAT * f->size);
    for (int c = 0; c < SIX; ++c) k[c] = lanes_all(s->k[c]);
    for (int g = 0; g < f->lanes; g += ABUTI_LANES) {
        lanes most = lanes_all(0.0);
        for (int axis = 1; axis < 3; ++axis) {
            lanes along = along_six(abuti_row(s, axis, 0, 0) + g, f->lanes, k);
            most = lanes_max(lanes_abs(lanes_add(along, lanes_load(s->offset[axis] + g))), most);
        }
        if (lanes_any(lanes_less(limit, most))) return false;
    }
    return true;
}

/* u_n of all contacts and u_t of the seated ones = normal and tangent + y times what w does to them. */
HOT void one_move(faces *f, const double *w, lanes y, const double *normal, const double *const tangent[2])
{
    faces_one *o = f->one;
    const double *rows = f->system->rows;
    int n = f->lanes;
    lanes k[SIX], low = lanes_all(0.0);
    for (int c = 0; c < SIX; ++c) k[c] = lanes_all(w[c]);
    for (int g = 0; g < n; g += ABUTI_LANES) {
        lanes u = lanes_madd(along_six(rows + g, n, k), y, lanes_load(normal + g));
        lanes_store(f->un[0] + g, u);
        low = lanes_min(u, low);
    }
    lanes_store(o->low, low);
    for (int axis = 0; axis < 2; ++axis)
        lanes_store(o->ut[axis], lanes_madd(combine6(o->tangent[axis][0], w), y, lanes_load(tangent[axis])));
}

/* ---- slots ---- */

/* A slot that comes or goes. */
typedef struct one_change {
    lanes w, q, beta, eta;
    double factor, y;
    int freed; /* the slot that goes, or FACES_NONE */
} one_change;

/* A free slot's numbers are zero, whatever rounding has left. */
HOT void one_slot_clear(faces_one *o, int slot)
{
    lanes_store(o->x, lanes_with(lanes_load(o->x), slot, 0.0));
    for (int c = 0; c < SIX; ++c) {
        lanes_store(o->D[c], lanes_with(lanes_load(o->D[c]), slot, 0.0));
        lanes_store(o->E[c], lanes_with(lanes_load(o->E[c]), slot, 0.0));
    }
}

/* P, D and E of the slots that are left. */
HOT void one_change_basis(faces_one *o, const one_change *change)
{
    lanes factor = lanes_all(change->factor);
    lanes w = lanes_mul(change->w, factor), q = lanes_mul(change->q, factor);
    lanes beta = lanes_mul(change->beta, factor), eta = lanes_mul(change->eta, factor);
    lanes_store(o->w, change->w);
    lanes_store(o->q, change->q);
    for (int c = 0; c < SIX; ++c) {
        lanes wc = lanes_all(o->w[c]), qc = lanes_all(o->q[c]);
        lanes_store(o->P_row[c], lanes_msub(wc, q, lanes_load(o->P_row[c])));
        lanes_store(o->P_column[c], lanes_msub(qc, w, lanes_load(o->P_column[c])));
        lanes_store(o->D[c], lanes_msub(qc, beta, lanes_load(o->D[c])));
        lanes_store(o->E[c], lanes_msub(wc, eta, lanes_load(o->E[c])));
    }
    if (change->freed != FACES_NONE) one_slot_clear(o, change->freed);
}

/* Makes a change: x, v and the velocities of contacts first, since the next change waits for them. */
HOT void one_update(faces *f, const one_change *change)
{
    faces_one *o = f->one;
    lanes y = lanes_all(change->y);
    lanes_store(o->w, change->w);
    lanes_store(o->x, lanes_msub(change->beta, y, lanes_load(o->x)));
    lanes_store(o->v, lanes_madd(change->w, y, lanes_load(o->v)));
    one_move(f, o->w, y, f->un[0], (const double *const[2]){o->ut[0], o->ut[1]});
    one_change_basis(o, change);
}

/* Takes a slot for a row rho and column chi of a seat. */
HOT int one_slot_take(faces_one *o, int seat, int kind, const double *rho, double base)
{
    int slot = __builtin_ctz(o->free_slots);
    o->free_slots &= o->free_slots - 1u;
    o->slot[kind][seat] = slot;
    o->base[slot] = base;
    for (int c = 0; c < SIX; ++c) o->R[c][slot] = rho[c];
    return slot;
}

/* The rest of ADD, from S and the velocity u of the row. False: the row depends on the others, nearly or
 * wholly. */
HOT bool one_border(one_change *change, int slot, double S, double scale, double u)
{
    change->beta = lanes_with(change->beta, slot, -1.0);
    change->eta = lanes_with(change->eta, slot, -1.0);
    change->factor = 1.0 / S;
    change->y = -u * change->factor;
    change->freed = FACES_NONE;
    return fabs(S) > FACES_SHAKY * scale;
}

/* ADD of a seated contact's normal row, its column n + fhat; u is its velocity. */
HOT bool one_add_normal(faces *f, int seat, double (*rows)[SIX], double u, one_change *change)
{
    faces_one *o = f->one;
    const abuti_system *s = f->system;
    int contact = o->contact[seat], slot = one_slot_take(o, seat, 0, rows[0], s->offset[0][contact]);
    double chi[SIX], fx = o->fhat[seat][0], fy = o->fhat[seat][1];
    for (int c = 0; c < SIX; ++c)
        o->C[slot][c] = chi[c] = abuti_madd(fx, rows[1][c], abuti_madd(fy, rows[2][c], rows[0][c]));
    change->q = combine6(o->P_row[0], rows[0]);
    change->w = combine6(o->P_column[0], chi);
    lanes_store(o->q, change->q);
    double S = dot6(0.0, o->q, chi), size = s->size[0][contact];
    change->beta = combine6(o->D[0], chi);
    change->eta = combine6(o->E[0], rows[0]);
    return one_border(change, slot, S, size * (size + f->mu[contact] * s->size[1][contact]), u);
}

/* (ex, ey).(x, y) */
HOT double one_along(double ex, double ey, double x, double y)
{
    return abuti_madd(ex, x, ey * y);
}

/* ADD of the tangential row e_k (kind 1) or a_k (kind 2) of the seat's face, its own column. */
HOT bool one_add(faces *f, int seat, int kind, one_change *change)
{
    faces_one *o = f->one;
    const abuti_system *s = f->system;
    int contact = o->contact[seat], face = o->face[seat];
    const faces_polygon *p = &f->polygon[s->directions[contact]];
    if (!o->free_slots) return false;
    double ex = kind == 1 ? -p->ay[face] : p->ax[face], ey = kind == 1 ? p->ax[face] : p->ay[face];
    double tx[SIX], ty[SIX], e[SIX], size = s->size[1][contact];
    contact_row(s, contact, 1, tx);
    contact_row(s, contact, 2, ty);
    for (int c = 0; c < SIX; ++c) e[c] = one_along(ex, ey, tx[c], ty[c]);
    change->w = combine6(o->P_column[0], e);
    change->q = combine6(o->P_row[0], e);
    change->beta = combine6(o->D[0], e);
    change->eta = combine6(o->E[0], e);
    int slot =
        one_slot_take(o, seat, kind, e, one_along(ex, ey, s->offset[1][contact], s->offset[2][contact]));
    for (int c = 0; c < SIX; ++c) o->C[slot][c] = e[c];
    lanes_store(o->q, change->q);
    return one_border(change, slot, dot6(0.0, o->q, e), size * size,
                      one_along(ex, ey, o->ut[0][seat], o->ut[1][seat]));
}

/* DEL of a seat's slot. False: the rest would depend on each other. */
HOT bool one_delete(faces *f, int seat, int kind, one_change *change)
{
    static _Alignas(64) const int component_at[ABUTI_LANES] = {0, 8, 16, 24, 32, 40, 0, 0};
    static _Alignas(64) const double used[ABUTI_LANES] = {1, 1, 1, 1, 1, 1, 0, 0};
    faces_one *o = f->one;
    int slot = o->slot[kind][seat];
    change->w = lanes_mul(lanes_load(used), lanes_gather(o->E[0] + slot, component_at));
    change->q = lanes_mul(lanes_load(used), lanes_gather(o->D[0] + slot, component_at));
    double w[SIX], q[SIX];
    for (int c = 0; c < SIX; ++c) {
        w[c] = o->E[c][slot];
        q[c] = o->D[c][slot];
    }
    lanes beta = combine6(o->D[0], w), eta = combine6(o->E[0], q);
    lanes none = lanes_all(0.0);
    double pivot = dot6(0.0, w, q), most = lanes_most(lanes_max(lanes_abs(beta), lanes_abs(eta)));
    change->beta = lanes_sub(none, beta);
    change->eta = lanes_sub(none, eta);
    change->factor = -1.0 / pivot;
    change->y = o->x[slot] * change->factor;
    change->freed = slot;
    o->slot[kind][seat] = FACES_NONE;
    o->free_slots |= 1u << slot;
    o->base[slot] = 0.0;
    for (int c = 0; c < SIX; ++c) o->R[c][slot] = 0.0;
    return fabs(pivot) > FACES_SHAKY * most;
}

/* COL: slot th brings tau of slot b along. */
static void one_shear(faces_one *o, int th, int b, double tau)
{
    lanes_store(o->C[th], lanes_madd(lanes_all(tau), lanes_load(o->C[b]), lanes_load(o->C[th])));
    lanes_store(o->x, lanes_with(lanes_load(o->x), b, abuti_madd(-tau, o->x[th], o->x[b])));
    for (int c = 0; c < SIX; ++c)
        lanes_store(o->D[c], lanes_with(lanes_load(o->D[c]), b, abuti_madd(-tau, o->D[c][th], o->D[c][b])));
}
