/* The springs of many bodies, with their matrix on the sparse factors of sparse/graph.h.
 *
 * K is symmetric here, so the block of two bodies is the same in U and, transposed, in L. The order of the bodies and
 * the places of the blocks are kept while the same bodies touch. */
#include "contact/rest/rest.h"
#include "linalg/kernels.h"
#include <string.h>

/* The room in numbers is this for each body times the cube root of the number of bodies, which is what walls and flat
 * heaps of some thousand bodies take. Few bodies get some more, but no more than four dense matrices. */
#define NUMBERS_A_BODY 400
#define FEW_NUMBERS 20000
#define ROWS_A_BODY 100

enum { BODY = 6, ROWS = 3 };

void abuti_rest_many_layout(rest *r, abuti_arena *arena, const abut_contact_limits *limits)
{
    sparse_matrix *a = &r->at.shared.matrix;
    bool used = limits->bodies >= REST_MANY;
    int bodies = used ? limits->bodies : 0, pairs = used ? limits->contacts + limits->joints : 0;
    int rows = bodies < 2 * ROWS_A_BODY ? bodies * (bodies + 1) / 2 + 1 : ROWS_A_BODY * bodies;
    size_t side = (size_t)(BODY * bodies + 2 * ABUTI_LANES), root = 1;
    while (root * root * root < (size_t)bodies) ++root;
    size_t numbers = NUMBERS_A_BODY * (size_t)bodies * root + FEW_NUMBERS;
    if (numbers > 4 * side * side) numbers = 4 * side * side;
    r->kernels = abuti_sparse_kernels();
    r->at.own = &r->at.shared;
    r->at.keeper = ABUTI_KEPT_ORDER;
    abuti_sparse_graph_layout(&a->graph, arena, bodies, pairs);
    abuti_sparse_scratch_layout(&a->scratch, arena, bodies, pairs);
    abuti_sparse_shape_layout(&a->shape, arena, bodies, rows, numbers);
    a->order = abuti_take(arena, bodies, int);
    a->numbers = abuti_take(arena, numbers + ABUTI_LANES, double);
    a->place = abuti_take(arena, pairs, size_t);
    a->upper = abuti_take(arena, pairs, uint8_t);
    a->own = abuti_take(arena, bodies, size_t);
    a->local = abuti_take(arena, ABUTI_LANES * (size_t)bodies + 2 * ABUTI_LANES, double);
    a->update = abuti_take(arena, bodies, size_t);
}

bool abuti_rest_take(rest *r, const abuti_system *s)
{
    r->sparse = s->bodies >= REST_MANY;
    if (!r->sparse) return abuti_rest_matrix_begin(&r->matrix, s);
    if (s->dim != BODY || s->sides != 2) return false;
    abuti_rest_matrix_rows(&r->matrix, s);
    abuti_sparse_lodge(&r->at);
    return abuti_sparse_structure(&r->at, s);
}

/* Adds left'right, with `count` rows of each, to a block that begins at `at`, and to its counterpart in L. `row` is the
 * body whose rows these are. */
static void add_block(sparse_matrix *a, int row, size_t at, const double *left, const double *right,
                      int count)
{
    const sparse_shape *h = &a->shape;
    int super = h->super_of[h->position[row]];
    size_t width = (size_t)h->width[super], apart = (size_t)h->pivots[super] * width;
    double *to = a->numbers + at;
    for (int p = 0; p < BODY; ++p, to += width) {
        double sum[BODY] = {0.0};
        for (int k = 0; k < count; ++k)
            for (int q = 0; q < BODY; ++q) sum[q] += left[k * BODY + p] * right[k * BODY + q];
        for (int q = 0; q < BODY; ++q) {
            to[q] += sum[q];
            to[apart + (size_t)q] += sum[q];
        }
    }
}

/* Adds a spring with rows J on two sides, and K J, to the own blocks of its bodies and to the block between them. */
static void add_spring(sparse_matrix *a, const int body[2], int place, const double *const J[2],
                       const double *const KJ[2], int count)
{
    int none = a->graph.nodes, low = a->upper[place];
    for (int side = 0; side < 2; ++side) {
        if (body[side] < none) add_block(a, body[side], a->own[body[side]], J[side], KJ[side], count);
    }
    if (body[0] < none && body[1] < none)
        add_block(a, body[low], a->place[place], J[low], KJ[1 - low], count);
}

static void add_contact(rest *r, const abuti_system *s, int i)
{
    const double *K = r->K + (size_t)REST_K * (size_t)i;
    const double full[ROWS][ROWS] = {{K[REST_NN], K[REST_NX], K[REST_NY]},
                                     {K[REST_NX], K[REST_XX], K[REST_XY]},
                                     {K[REST_NY], K[REST_XY], K[REST_YY]}};
    double J[2][ROWS * BODY], KJ[2][ROWS * BODY];
    for (int side = 0; side < 2; ++side) {
        for (int axis = 0; axis < ROWS; ++axis)
            memcpy(J[side] + axis * BODY, rest_row(&r->matrix, s, i, axis, side), BODY * sizeof(double));
        for (int axis = 0; axis < ROWS; ++axis) {
            const double *k = full[axis];
            for (int c = 0; c < BODY; ++c)
                KJ[side][axis * BODY + c] =
                    k[0] * J[side][c] + k[1] * J[side][BODY + c] + k[2] * J[side][2 * BODY + c];
        }
    }
    add_spring(&r->at.own->matrix, (const int[2]){s->body[0][i], s->body[1][i]}, i,
               (const double *const[2]){J[0], J[1]}, (const double *const[2]){KJ[0], KJ[1]}, ROWS);
}

static void add_joint(rest *r, const abuti_system *s, int j)
{
    const double *J[2];
    double KJ[2][BODY];
    for (int side = 0; side < 2; ++side) {
        J[side] = s->joint_rows + (size_t)(2 * j + side) * (size_t)s->stride;
        for (int c = 0; c < BODY; ++c) KJ[side][c] = REST_STIFF * J[side][c];
    }
    add_spring(&r->at.own->matrix, (const int[2]){s->joint_body[0][j], s->joint_body[1][j]}, s->n + j, J,
               (const double *const[2]){KJ[0], KJ[1]}, 1);
}

/* Sets the matrix to the identity, also in the padding. */
static void begin_with_identity(sparse_matrix *a)
{
    const sparse_shape *h = &a->shape;
    memset(a->numbers, 0, h->numbers * sizeof(double));
    for (int k = 0; k < h->supernodes; ++k) {
        double *U = a->numbers + h->begin[k];
        for (int c = 0; c < h->pivots[k]; ++c) U[(size_t)c * (size_t)(h->width[k] + 1)] = 1.0;
    }
}

bool abuti_rest_factor(rest *r, const abuti_system *s)
{
    if (!r->sparse) return abuti_rest_matrix_factor(&r->matrix, s, 1.0, r->K, REST_STIFF);
    begin_with_identity(&r->at.own->matrix);
    for (int i = 0; i < s->n; ++i) {
        if (r->K[(size_t)REST_K * (size_t)i] != 0.0) add_contact(r, s, i);
    }
    for (int j = 0; j < s->joints; ++j) add_joint(r, s, j);
    r->kernels->factor(&r->at.own->matrix);
    return true;
}

void abuti_rest_solve(const rest *r, const abuti_system *s, double *v)
{
    if (r->sparse)
        r->kernels->solve(&r->at.own->matrix, v);
    else
        abuti_rest_matrix_solve(&r->matrix, s, v);
}
