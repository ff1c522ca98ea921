/* Included by sparse/core.inl.
 *
 * L and U of a matrix with the pattern of sparse/shape.c, supernode by supernode.
 *
 * A supernode has two arrays, U and the transpose of L, of `pivots` rows and `width` columns. Its pivots are taken
 * eight at a time: their panel is factored in place (in U), its rows of L and U follow, and the later pivots' rows are
 * updated. What is left is the update of the rows below, -L U, a dense square that waits on a stack
 * until the supernode's parent takes it in. No rows are exchanged: the pattern stays, and what is lost in accuracy
 * is for refinement to mend. */

/* Rows and vectors of one tile of an update. */
#if defined(__AVX512F__)
enum { TILE_ROWS = 8, TILE_VECTORS = 2 };
#else
enum { TILE_ROWS = 4, TILE_VECTORS = 1 };
#endif
enum { TILE_WIDTH = TILE_VECTORS * ABUTI_LANES };
/* So many pivots together update those after them; their rows stay in the nearest cache. */
enum { GROUP = 48 };

/* Factors eight by eight numbers, whose rows lie `ld` apart, into L and U in place; the diagonal gets the reciprocals
 * of the pivots. An inverse would take fewer steps, but it loses the digits that a stiff spring in the panel takes.
 * Returns whether the determinant is negative. */
HOT bool panel_factor(double *D, size_t ld)
{
    bool negative = false;
    double a[8][8];
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) a[i][j] = D[(size_t)i * ld + (size_t)j];
    for (int j = 0; j < 8; ++j) {
        double inverse = 1.0 / a[j][j];
        negative ^= inverse < 0.0;
        for (int i = j + 1; i < 8; ++i) {
            a[i][j] *= inverse;
            for (int k = j + 1; k < 8; ++k) a[i][k] = abuti_madd(-a[i][j], a[j][k], a[i][k]);
        }
        a[j][j] = inverse;
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) D[(size_t)i * ld + (size_t)j] = a[i][j];
    return negative;
}

/* The panel's rows of U and L right of it, from column `from` on. */
HOT void panel_rows(double *U, double *L, const double *D, size_t ld, int from, int width)
{
    for (int j = from; j < width; j += 8) {
        lanes u[8], l[8];
        for (int q = 0; q < 8; ++q) {
            u[q] = lanes_load(U + (size_t)q * ld + j);
            l[q] = lanes_load(L + (size_t)q * ld + j);
            for (int k = 0; k < q; ++k) {
                u[q] = lanes_msub(lanes_all(D[(size_t)q * ld + (size_t)k]), u[k], u[q]);
                l[q] = lanes_msub(lanes_all(D[(size_t)k * ld + (size_t)q]), l[k], l[q]);
            }
            l[q] = lanes_mul(lanes_all(D[(size_t)q * (ld + 1)]), l[q]);
            lanes_store(U + (size_t)q * ld + j, u[q]);
            lanes_store(L + (size_t)q * ld + j, l[q]);
        }
    }
}

/* to[c] -= sum over the panel's rows q of factor[q][c] from[q], for the eight rows c of a later panel. */
HOT void panel_update(double *to, const double *factor, const double *from, size_t ld, int begin, int width)
{
    for (int j = begin; j < width; j += 8) {
        lanes a[8];
        for (int q = 0; q < 8; ++q) a[q] = lanes_load(from + (size_t)q * ld + j);
        for (int c = 0; c < 8; ++c) {
            lanes sum = lanes_load(to + (size_t)c * ld + j);
            for (int q = 0; q < 8; ++q)
                sum = lanes_msub(lanes_all(factor[(size_t)q * ld + (size_t)c]), a[q], sum);
            lanes_store(to + (size_t)c * ld + j, sum);
        }
    }
}

/* Numbers below the diagonal lie in L. Those inside a panel are wanted in U, and are copied there. */
static void fill_panels(double *U, const double *L, int pivots, int width)
{
    size_t ld = (size_t)width;
    for (int i = 0; i < pivots; ++i) {
        for (int j = i / 8 * 8; j < i; ++j) U[(size_t)i * ld + (size_t)j] = L[(size_t)j * ld + (size_t)i];
    }
}

/* ---- tiles ---- */

/* One tile: C -= A'B over k rows, A packed TILE_ROWS wide, B packed TILE_WIDTH wide. */
HOT void tile_update(double *C, size_t ld, const double *A, const double *B, int k)
{
    lanes sum[TILE_ROWS][TILE_VECTORS];
    for (int i = 0; i < TILE_ROWS; ++i)
        for (int v = 0; v < TILE_VECTORS; ++v) sum[i][v] = lanes_load(C + (size_t)i * ld + 8 * v);
    for (int q = 0; q < k; ++q) {
        lanes b[TILE_VECTORS];
        for (int v = 0; v < TILE_VECTORS; ++v) b[v] = lanes_load(B + q * TILE_WIDTH + 8 * v);
        for (int i = 0; i < TILE_ROWS; ++i) {
            lanes a = lanes_all(A[q * TILE_ROWS + i]);
            for (int v = 0; v < TILE_VECTORS; ++v) sum[i][v] = lanes_msub(a, b[v], sum[i][v]);
        }
    }
    for (int i = 0; i < TILE_ROWS; ++i)
        for (int v = 0; v < TILE_VECTORS; ++v) lanes_store(C + (size_t)i * ld + 8 * v, sum[i][v]);
}

/* The last columns, when they are no whole tile. */
HOT void strip_update(double *C, size_t ld, const double *A, const double *B, size_t b_ld, int k)
{
    lanes sum[TILE_ROWS];
    for (int i = 0; i < TILE_ROWS; ++i) sum[i] = lanes_load(C + (size_t)i * ld);
    for (int q = 0; q < k; ++q) {
        lanes b = lanes_load(B + (size_t)q * b_ld);
        for (int i = 0; i < TILE_ROWS; ++i) sum[i] = lanes_msub(lanes_all(A[q * TILE_ROWS + i]), b, sum[i]);
    }
    for (int i = 0; i < TILE_ROWS; ++i) lanes_store(C + (size_t)i * ld, sum[i]);
}

/* ---- the pivots ---- */

/* to[i] -= sum over some rows q of factor[q][i] from[q], for the rows i from `begin` on. `to`, `factor` and `from` are
 * arrays of one supernode. Numbers to the left of a row's own panel are not read later, and may be changed. */
static void group_update(double *to, const double *factor, const double *from, int rows, int begin,
                         int pivots, int width, double *pack)
{
    size_t ld = (size_t)width;
    double *strip = pack + (size_t)rows * (size_t)(pivots - begin);
    for (int i = begin; i < pivots; i += TILE_ROWS) {
        double *at = pack + (size_t)(i - begin) * (size_t)rows;
        for (int q = 0; q < rows; ++q)
            for (int r = 0; r < TILE_ROWS; ++r)
                at[q * TILE_ROWS + r] = factor[(size_t)q * ld + (size_t)(i + r)];
    }
    int j = begin;
    for (; j + TILE_WIDTH <= width; j += TILE_WIDTH) {
        for (int q = 0; q < rows; ++q)
            for (int v = 0; v < TILE_VECTORS; ++v)
                lanes_store(strip + q * TILE_WIDTH + 8 * v,
                            lanes_load(from + (size_t)q * ld + (size_t)(j + 8 * v)));
        for (int i = begin; i < pivots && i < j + TILE_WIDTH; i += TILE_ROWS)
            tile_update(to + (size_t)i * ld + (size_t)j, ld, pack + (size_t)(i - begin) * (size_t)rows, strip,
                        rows);
    }
    for (; j < width; j += 8) {
        for (int i = begin; i < pivots && i < j + 8; i += TILE_ROWS)
            strip_update(to + (size_t)i * ld + (size_t)j, ld, pack + (size_t)(i - begin) * (size_t)rows,
                         from + j, ld, rows);
    }
}

/* Panels are taken by groups: inside a group each panel updates those after it, and the group as a whole updates all
 * panels behind it. */
static bool factor_pivots(double *U, double *L, int pivots, int width, double *pack)
{
    size_t ld = (size_t)width;
    bool negative = false;
    fill_panels(U, L, pivots, width);
    for (int group = 0; group < pivots; group += GROUP) {
        int end = group + GROUP < pivots ? group + GROUP : pivots;
        for (int b = group; b < end; b += 8) {
            double *Ub = U + (size_t)b * ld, *Lb = L + (size_t)b * ld;
            negative ^= panel_factor(Ub + b, ld);
            panel_rows(Ub, Lb, Ub + b, ld, b + 8, width);
            for (int c = b + 8; c < end; c += 8) {
                panel_update(U + (size_t)c * ld, Lb + c, Ub, ld, c, width);
                panel_update(L + (size_t)c * ld, Ub + c, Lb, ld, c + 8, width);
            }
        }
        const double *Ug = U + (size_t)group * ld, *Lg = L + (size_t)group * ld;
        if (end < pivots) group_update(U, Lg, Ug, end - group, end, pivots, width, pack);
        if (end < pivots) group_update(L, Ug, Lg, end - group, end, pivots, width, pack);
    }
    return negative;
}

/* ---- the update ---- */

/* C -= L U on the rows below: L and U from column `pivots` on. `pack` holds L in tiles, then one strip of U. */
static void rows_update(double *C, const double *U, const double *L, int pivots, int width, double *pack)
{
    int rest = width - pivots;
    size_t ld = (size_t)rest, from = (size_t)width;
    double *strip = pack + (size_t)pivots * (size_t)rest;
    for (int i = 0; i < rest; i += TILE_ROWS) {
        double *to = pack + (size_t)i * (size_t)pivots;
        for (int q = 0; q < pivots; ++q)
            for (int r = 0; r < TILE_ROWS; ++r)
                to[q * TILE_ROWS + r] = L[(size_t)q * from + (size_t)(pivots + i + r)];
    }
    int j = 0;
    for (; j + TILE_WIDTH <= rest; j += TILE_WIDTH) {
        for (int q = 0; q < pivots; ++q)
            for (int v = 0; v < TILE_VECTORS; ++v)
                lanes_store(strip + q * TILE_WIDTH + 8 * v,
                            lanes_load(U + (size_t)q * from + (size_t)(pivots + j + 8 * v)));
        for (int i = 0; i < rest; i += TILE_ROWS)
            tile_update(C + (size_t)i * ld + (size_t)j, ld, pack + (size_t)i * (size_t)pivots, strip, pivots);
    }
    for (; j < rest; j += 8) {
        for (int i = 0; i < rest; i += TILE_ROWS)
            strip_update(C + (size_t)i * ld + (size_t)j, ld, pack + (size_t)i * (size_t)pivots,
                         U + (size_t)(pivots + j), from, pivots);
    }
}

/* ---- taking in the updates of children ---- */

/* A run of columns of a child that are neighbours in the parent too. */
typedef struct column_run {
    int from, to, count;
} column_run;

static void add_run(double *to, const double *from, int count)
{
    int c = 0;
    for (; c + 8 <= count; c += 8)
        lanes_store_any(to + c, lanes_add(lanes_load_any(to + c), lanes_load_any(from + c)));
    for (; c < count; ++c) to[c] += from[c];
}

/* Finds where the columns of the child's rows are in the parent, as runs of neighbours. */
static int find_runs(const sparse_matrix *a, int child, int parent, column_run *run)
{
    const sparse_shape *h = &a->shape;
    int runs = 0;
    for (int q = h->row_first[child]; q < h->row_first[child + 1]; ++q) {
        int from = h->row_column[q] - h->pivots[child], count = a->graph.size[h->node_at[h->row[q]]];
        int to = abuti_sparse_column(h, parent, h->row[q]);
        if (runs > 0 && run[runs - 1].to + run[runs - 1].count == to && to != h->pivots[parent]) {
            run[runs - 1].count += count;
        } else {
            run[runs++] = (column_run){from, to, count};
        }
    }
    return runs;
}

/* Adds a child's update to the arrays of its parent and to the parent's own update. A number at (row, column) goes
 * to U when its row is a pivot, else, transposed, to L when its column is, else to the update. */
static void take_child(const sparse_matrix *a, int child, int parent, double *U, double *L, double *update,
                       column_run *run)
{
    const sparse_shape *h = &a->shape;
    int pivots = h->pivots[parent], runs = find_runs(a, child, parent, run);
    size_t ld = (size_t)h->width[parent], rest = ld - (size_t)pivots;
    size_t from_ld = (size_t)(h->width[child] - h->pivots[child]);
    const double *from = a->aside + a->update[child];
    for (int r = 0; r < runs; ++r) {
        for (int i = 0; i < run[r].count; ++i) {
            const double *row = from + (size_t)(run[r].from + i) * from_ld;
            int at = run[r].to + i;
            for (int k = 0; k < runs; ++k) {
                int to = run[k].to;
                if (at < pivots) {
                    add_run(U + (size_t)at * ld + (size_t)to, row + run[k].from, run[k].count);
                } else if (to >= pivots) {
                    add_run(update + (size_t)(at - pivots) * rest + (size_t)(to - pivots), row + run[k].from,
                            run[k].count);
                } else {
                    for (int c = 0; c < run[k].count; ++c)
                        L[(size_t)(to + c) * ld + (size_t)at] += row[run[k].from + c];
                }
            }
            if (at < pivots) { /* the transpose of the pivots' own block stands in L as well */
                for (int k = 0; k < runs && run[k].to < pivots; ++k)
                    for (int c = 0; c < run[k].count; ++c)
                        L[(size_t)(run[k].to + c) * ld + (size_t)at] += row[run[k].from + c];
            }
        }
    }
}

/* ---- all supernodes ---- */

/* Factors the matrix whose numbers have been assembled in place. */
static void factor(sparse_matrix *a)
{
    const sparse_shape *h = &a->shape;
    column_run *run = (column_run *)(void *)a->scratch.pool[0];
    int *waiting = a->scratch.pool[1], top = 0;
    size_t used = 0;
    double *pack = a->aside + h->stack;
    a->turned = false;
    for (int s = 0; s < h->supernodes; ++s) {
        int pivots = h->pivots[s], width = h->width[s];
        double *U = a->numbers + h->begin[s], *L = U + (size_t)pivots * (size_t)width;
        size_t rest = (size_t)(width - pivots), own = used;
        double *update = a->aside + own;
        memset(update, 0, rest * rest * sizeof(double));
        used += rest * rest;
        int first = top;
        while (first > 0 && h->parent[waiting[first - 1]] == s) --first;
        for (int c = first; c < top; ++c) take_child(a, waiting[c], s, U, L, update, run);
        a->turned ^= factor_pivots(U, L, pivots, width, pack);
        rows_update(update, U, L, pivots, width, pack);
        if (first < top) {
            size_t below = a->update[waiting[first]];
            memmove(a->aside + below, update, rest * rest * sizeof(double));
            used = below + rest * rest;
            own = below;
        }
        a->update[s] = own;
        top = first;
        waiting[top++] = s;
        if (rest == 0) --top;
    }
}

/* ---- solves ---- */

/* Finds the panel's own numbers y; then local[j] -= the panel's rows of L times y, for the columns from `from` on. */
HOT void panel_forward(double *local, const double *L, const double *D, size_t ld, double *y, int from,
                       int width)
{
    lanes each[8];
    for (int q = 1; q < 8; ++q)
        for (int k = 0; k < q; ++k) y[q] = abuti_madd(-D[(size_t)q * ld + (size_t)k], y[k], y[q]);
    for (int q = 0; q < 8; ++q) each[q] = lanes_all(y[q]);
    for (int j = from; j < width; j += 8) {
        lanes sum = lanes_load(local + j);
        for (int q = 0; q < 8; ++q) sum = lanes_msub(each[q], lanes_load(L + (size_t)q * ld + j), sum);
        lanes_store(local + j, sum);
    }
}

/* Finds the panel's numbers from what the columns from `from` on leave of them. */
HOT void panel_backward(double *y, const double *U, const double *D, size_t ld, const double *local, int from,
                        int width)
{
    lanes sum[8];
    double left[8];
    for (int q = 0; q < 8; ++q) sum[q] = lanes_all(0.0);
    for (int j = from; j < width; j += 8) {
        lanes x = lanes_load(local + j);
        for (int q = 0; q < 8; ++q) sum[q] = lanes_madd(lanes_load(U + (size_t)q * ld + j), x, sum[q]);
    }
    for (int q = 0; q < 8; ++q) left[q] = y[q] - lanes_sum(sum[q]);
    for (int q = 7; q >= 0; --q) {
        for (int k = q + 1; k < 8; ++k) left[q] = abuti_madd(-D[(size_t)q * ld + (size_t)k], y[k], left[q]);
        y[q] = left[q] * D[(size_t)q * (ld + 1)];
    }
}

/* v = matrix^-1 v */
static void solve(const sparse_matrix *a, double *v)
{
    const sparse_shape *h = &a->shape;
    double *local = a->local;
    for (int s = 0; s < h->supernodes; ++s) {
        int pivots = h->pivots[s], width = h->width[s];
        size_t ld = (size_t)width;
        const double *U = a->numbers + h->begin[s], *L = U + (size_t)pivots * ld;
        memset(local, 0, ld * sizeof(double));
        for (int k = h->first[s]; k < h->first[s + 1]; ++k)
            memcpy(local + h->column[k], v + a->graph.at[h->node_at[k]],
                   (size_t)a->graph.size[h->node_at[k]] * sizeof(double));
        for (int b = 0; b < pivots; b += 8)
            panel_forward(local, L + (size_t)b * ld, U + (size_t)b * ld + b, ld, local + b, b + 8, width);
        for (int k = h->first[s]; k < h->first[s + 1]; ++k)
            memcpy(v + a->graph.at[h->node_at[k]], local + h->column[k],
                   (size_t)a->graph.size[h->node_at[k]] * sizeof(double));
        for (int q = h->row_first[s]; q < h->row_first[s + 1]; ++q) {
            int node = h->node_at[h->row[q]];
            double *to = v + a->graph.at[node];
            const double *from = local + h->row_column[q];
            for (int c = 0; c < a->graph.size[node]; ++c) to[c] += from[c];
        }
    }
    for (int s = h->supernodes - 1; s >= 0; --s) {
        int pivots = h->pivots[s], width = h->width[s];
        size_t ld = (size_t)width;
        const double *U = a->numbers + h->begin[s];
        memset(local, 0, ld * sizeof(double));
        for (int k = h->first[s]; k < h->first[s + 1]; ++k)
            memcpy(local + h->column[k], v + a->graph.at[h->node_at[k]],
                   (size_t)a->graph.size[h->node_at[k]] * sizeof(double));
        for (int q = h->row_first[s]; q < h->row_first[s + 1]; ++q) {
            int node = h->node_at[h->row[q]];
            memcpy(local + h->row_column[q], v + a->graph.at[node],
                   (size_t)a->graph.size[node] * sizeof(double));
        }
        for (int b = pivots - 8; b >= 0; b -= 8)
            panel_backward(local + b, U + (size_t)b * ld, U + (size_t)b * ld + b, ld, local, b + 8, width);
        for (int k = h->first[s]; k < h->first[s + 1]; ++k)
            memcpy(v + a->graph.at[h->node_at[k]], local + h->column[k],
                   (size_t)a->graph.size[h->node_at[k]] * sizeof(double));
    }
}
