/* Many bodies: R'C is sparse, since only slots that share a body meet. Here it is factored, not inverted.
 *
 * Bodies are ranked by a breadth-first walk from the far end of the island, contacts follow their last body,
 * and a slot's number is its place in that order. Rows then reach only as far as their bodies do: a stack
 * gives a narrow band, a wall a wider one, and a factorisation costs O(m) for either. L and U are made row by
 * row, each from the rows above it:
 *
 *     for c < i:  L_ic = a_ic / U_cc,  a_i -= L_ic U_c          U_i = what is left
 *
 * so the rows above the first change can stay. The pivot of row i is the S of ADD: when it vanishes the slot
 * depends on those before it and is set aside (its unknown is 0, its row holds by itself or is violated and
 * changes the states). Pivots are not searched for; refinement makes up for it, and the path, which has an
 * inverse, comes after. */

/* ---- order ---- */

/* Bodies in breadth-first order from `from`, in f->queue; returns the last one. */
static int walk(faces *f, int from)
{
    int bodies = f->system->bodies, head = 0, tail = 0;
    for (int b = 0; b <= bodies; ++b) f->rank[b] = FACES_NONE;
    f->rank[from] = 0;
    f->queue[tail++] = from;
    while (head < tail) {
        int body = f->queue[head++];
        for (int i = f->link_first[body]; i < f->link_first[body + 1]; ++i) {
            int next = f->link[i];
            if (f->rank[next] != FACES_NONE) continue;
            f->rank[next] = tail;
            f->queue[tail++] = next;
        }
    }
    return f->queue[tail - 1];
}

/* The bodies that contact or joint i (joints after contacts) couples; `bodies` stands for none. */
static inline void coupled(const abuti_system *s, int i, int *a, int *b)
{
    const int *const *body = i < s->n ? s->body : s->joint_body;
    int at = i < s->n ? i : i - s->n;
    *a = body[0][at];
    *b = s->sides == 2 ? body[1][at] : s->bodies;
}

/* f->order: contacts and joints (n + j) by the larger rank of their bodies. */
static void find_order(faces *f)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    int *first = f->link_first;
    for (int i = 0; i <= s->bodies + 1; ++i) first[i] = 0;
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        if (a < s->bodies && b < s->bodies) first[a + 1]++, first[b + 1]++;
    }
    for (int i = 0; i < s->bodies; ++i) first[i + 1] += first[i];
    for (int i = 0; i < s->bodies; ++i) f->queue[i] = first[i];
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        if (a < s->bodies && b < s->bodies) f->link[f->queue[a]++] = b, f->link[f->queue[b]++] = a;
    }
    walk(f, walk(f, 0));
    f->rank[s->bodies] = FACES_NONE;
    int *place = f->link_first;
    for (int i = 0; i <= s->bodies + 1; ++i) place[i] = 0;
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        place[(f->rank[a] > f->rank[b] ? f->rank[a] : f->rank[b]) + 2]++;
    }
    for (int i = 0; i <= s->bodies; ++i) place[i + 1] += place[i];
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        f->order[place[(f->rank[a] > f->rank[b] ? f->rank[a] : f->rank[b]) + 1]++] = i;
    }
}

/* ---- rows of R'C ---- */

/* Each body's slots: their numbers, and their columns component by component. */
static void sort_columns(faces *f)
{
    const abuti_system *s = f->system;
    int *first = f->link_first;
    for (int b = 0; b <= s->bodies + 1; ++b) first[b] = 0;
    for (int t = 0; t < f->top; ++t) {
        for (int side = 0; side < s->sides; ++side) first[f->slot_body[side][t] + 1]++;
    }
    for (int b = 0; b <= s->bodies; ++b) first[b + 1] = first[b] + round_up8(first[b + 1]);
    for (int b = 0; b <= s->bodies; ++b) f->queue[b] = first[b];
    for (int t = 0; t < f->top; ++t) {
        for (int side = 0; side < s->sides; ++side) {
            int body = f->slot_body[side][t];
            if (body == s->bodies) continue;
            int k = f->queue[body]++, length = first[body + 1] - first[body];
            const double *column = f->C + (size_t)t * (size_t)f->width + (size_t)(side * s->stride);
            double *out = f->columns + (size_t)first[body] * (size_t)s->stride + (size_t)(k - first[body]);
            f->column_slot[k] = t;
            for (int c = 0; c < s->dim; ++c) out[(size_t)c * (size_t)length] = column[c];
        }
    }
}

/* Row i of R'C into f->dense, zero elsewhere between its first and last column; returns the first, sets the
 * last. */
static int matrix_row(faces *f, int i, int *last)
{
    const abuti_system *s = f->system;
    double *row = f->dense + (size_t)i * (size_t)f->ld;
    int low = i, high = i;
    for (int side = 0; side < s->sides; ++side) {
        int body = f->slot_body[side][i];
        if (body == s->bodies) continue;
        int from = f->column_slot[f->link_first[body]], to = f->column_slot[f->queue[body] - 1];
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    for (int c = low & ~7; c <= high; c += 8) lanes_store(row + c, lanes_all(0.0));
    for (int side = 0; side < s->sides; ++side) {
        int body = f->slot_body[side][i];
        if (body == s->bodies) continue;
        int begin = f->link_first[body], end = f->queue[body], length = f->link_first[body + 1] - begin;
        const double *mine = f->R + (size_t)i * (size_t)f->width + (size_t)(side * s->stride);
        const double *columns = f->columns + (size_t)begin * (size_t)s->stride;
        for (int k = 0; k < end - begin; k += 8) {
            lanes sum = lanes_mul(lanes_all(mine[0]), lanes_load(columns + k));
            for (int c = 1; c < s->dim; ++c)
                sum =
                    lanes_madd(lanes_all(mine[c]), lanes_load(columns + (size_t)c * (size_t)length + k), sum);
            _Alignas(64) double product[8];
            lanes_store(product, sum);
            int count = end - begin - k < 8 ? end - begin - k : 8;
            for (int l = 0; l < count; ++l) row[f->column_slot[begin + k + l]] += product[l];
        }
    }
    *last = high;
    return low;
}

/* ---- L and U ---- */

/* L and U of R'C over all slots in order, from row `from` on; dependent slots are set aside. */
static void factor(faces *f, int from)
{
    size_t ld = (size_t)f->ld;
    for (int i = from; i < f->top; ++i) {
        double *row = f->dense + (size_t)i * ld, *lower = f->B + (size_t)i * ld;
        int low = matrix_row(f, i, &f->high[i]), high = f->high[i];
        int contact = f->slot_contact[i];
        double size = contact < 0 ? 1.0 : f->system->size[f->slot_kind[i] > 0][contact];
        f->low[i] = low;
        for (int c = low & ~7; c < i; c += 8) lanes_store(lower + c, lanes_all(0.0));
        for (int c = low; c < i; ++c) {
            if (row[c] == 0.0 || f->inverse[c] == 0.0) continue;
            double k = row[c] * f->inverse[c];
            lower[c] = k;
            for (int z = (high & ~7) + 8; z <= f->high[c]; z += 8) lanes_store(row + z, lanes_all(0.0));
            high = f->high[c] > high ? f->high[c] : high;
            int begin = c & ~7;
            axpy(-k, f->dense + (size_t)c * ld + begin, row + begin, f->high[c] - begin + 1);
        }
        for (int c = low & ~7; c < i; ++c) row[c] = 0.0;
        f->high[i] = high;
        bool regular = fabs(row[i]) > FACES_ASIDE * size * size;
        f->inverse[i] = regular ? 1.0 / row[i] : 0.0;
    }
}

/* f->beta = (R'C)^-1 f->g over the slots that are not set aside; 0 for those that are. */
static void solve_factored(faces *f)
{
    size_t ld = (size_t)f->ld;
    double *y = f->beta;
    for (int c = 0; c < f->top; c += 8) lanes_store(y + c, lanes_all(0.0));
    for (int i = 0; i < f->top; ++i) {
        if (f->inverse[i] == 0.0) continue;
        int begin = f->low[i] & ~7;
        y[i] =
            i == begin ? f->g[i] : f->g[i] - dot_blocks(f->B + (size_t)i * ld + begin, y + begin, i - begin);
    }
    for (int i = f->top - 1; i >= 0; --i) {
        if (f->inverse[i] == 0.0) continue;
        int begin = i & ~7;
        double mine = y[i];
        y[i] = 0.0;
        y[i] = (mine - dot_blocks(f->dense + (size_t)i * ld + begin, y + begin, f->high[i] - begin + 1)) *
               f->inverse[i];
    }
}

/* One refinement of part 0 with the factors: x -= (R'C)^-1 (R'v + base). Returns the error before it. */
static double refine_factored(faces *f)
{
    velocity_from_x(f, 0);
    slot_errors(f, 0);
    double error = 0.0;
    for (int i = 0; i < f->top; ++i) {
        if (f->inverse[i] != 0.0 && !(fabs(f->g[i]) <= error)) error = fabs(f->g[i]);
    }
    solve_factored(f);
    axpy(-1.0, f->beta, f->x[0], round_up8(f->top));
    velocity_from_x(f, 0);
    return error;
}
