/* Joint rows j.v + offset = 0 of one island.
 *
 * The rows are made orthonormal one after the other (Gram-Schmidt, twice, which is enough). A row that leaves
 * nothing depends on those before it: if its offset agrees it is dropped, else the rows contradict each other
 * and no velocity satisfies them. So stages only ever see independent rows.
 *
 * Projection (lloyd.md 4.6 in the papers' words: N := (I - QQ') G^-1 N~): with Q the orthonormal basis and
 * v_p = Q level the velocity of least norm that satisfies the rows,
 *
 *     v = v_p + (I - QQ') (k + sum rows impulses),        u = (I - QQ') rows . v + (offset + rows.v_p),
 *
 * the N'N form survives, and the system has no joints any more. Its rows are dense, so it has one block. */
#include "contact/build/joints.h"
#include "linalg/cholesky.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* A row of unit size is independent when more than this is left of it: ten digits. Below, its own impulse would be
 * amplified by more than 1e10. */
#define INDEPENDENT 1e-10
/* A dependent row contradicts the others when its offset disagrees by more than this part of the terms that make it. It
 * is far above their rounding, and of the order that the verifier tolerates. */
#define CONTRADICTION 1e-9

void abuti_joint_space_layout(abuti_joint_space *space, abuti_arena *arena, const abut_contact_limits *limits,
                              bool few)
{
    size_t joints = (size_t)limits->joints, lanes = (size_t)abuti_padded(limits->contacts);
    int bodies = few && limits->bodies > ABUTI_PROJECTED_BODIES ? ABUTI_PROJECTED_BODIES : limits->bodies;
    size_t width = (size_t)bodies * 8;
    if ((size_t)abuti_padded(limits->nv) > width) width = (size_t)abuti_padded(limits->nv);
    size_t projected =
        (size_t)(limits->bodies < ABUTI_PROJECTED_BODIES ? limits->bodies : ABUTI_PROJECTED_BODIES) * 8;
    if ((size_t)abuti_padded(limits->nv) > projected) projected = (size_t)abuti_padded(limits->nv);
    bool used = joints > 0;
    size_t rank = width + 1 < joints && few ? width + 1 : joints; /* and the row that is looked at */
    space->ld = (int)rank;
    space->Q = abuti_take(arena, rank * width, double);
    space->R = abuti_take(arena, rank * rank, double);
    space->level = abuti_take(arena, rank, double);
    space->work = abuti_take(arena, used ? 2 * width + joints : 0, double);
    space->rows = abuti_take(arena, used ? 3 * projected * lanes : 0, double);
    space->k = abuti_take(arena, used ? 2 * width : 0, double);
    for (int axis = 0; axis < 3; ++axis) space->offset[axis] = abuti_take(arena, used ? lanes : 0, double);
    for (int side = 0; side < 2; ++side) space->body[side] = abuti_take(arena, used ? lanes : 0, int);
}

/* Moves joint row `from` to the place `to` <= from. */
static void move_row(abuti_build *build, int from, int to)
{
    abuti_system_store *s = &build->store;
    size_t numbers = (size_t)(build->system.sides * build->system.stride);
    if (from == to) return;
    for (int side = 0; side < 2; ++side) s->joint_body[side][to] = s->joint_body[side][from];
    memcpy(s->joint_rows + (size_t)to * numbers, s->joint_rows + (size_t)from * numbers,
           numbers * sizeof(double));
    s->joint_offset[to] = s->joint_offset[from];
    s->joint_scale[to] = s->joint_scale[from];
    s->joint_index[to] = s->joint_index[from];
}

static void scatter_joint(const abuti_system *s, int j, double *out, int width)
{
    memset(out, 0, (size_t)width * sizeof(double));
    for (int side = 0; side < s->sides; ++side) {
        int block = s->joint_body[side][j];
        if (block >= s->bodies) continue;
        memcpy(out + (size_t)block * (size_t)s->stride,
               s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride,
               (size_t)s->stride * sizeof(double));
    }
}

/* Fills Q, R, level; drops dependent rows; false on a contradiction. */
static bool orthonormalise(abuti_joint_space *space, abuti_build *build)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    abuti_system *s = &build->system;
    int width = s->bodies * s->stride, ld = space->ld;
    space->width = width;
    space->rank = 0;
    for (int j = 0; j < s->joints; ++j) {
        int r = space->rank;
        double *q = space->Q + (size_t)r * (size_t)width, *R = space->R + r;
        scatter_joint(s, j, q, width);
        double size = sqrt(kernels->dot(width, q, q));
        double level = -s->joint_offset[j], terms = 1.0 + fabs(level);
        for (int l = 0; l < r; ++l) R[l * ld] = 0.0;
        for (int pass = 0; pass < 2; ++pass) {
            for (int l = 0; l < r; ++l) {
                const double *at = space->Q + (size_t)l * (size_t)width;
                double part = kernels->dot(width, at, q);
                kernels->axpy(width, -part, at, q);
                R[l * ld] += part;
            }
        }
        for (int l = 0; l < r; ++l) {
            level -= R[l * ld] * space->level[l];
            terms += fabs(R[l * ld] * space->level[l]);
        }
        double left = sqrt(kernels->dot(width, q, q));
        if (left > INDEPENDENT * size) {
            kernels->scaled_copy(width, 1.0 / left, q, space->work);
            memcpy(q, space->work, (size_t)width * sizeof(double));
            R[r * ld] = left;
            space->level[r] = level / left;
            move_row(build, j, r);
            space->rank++;
        } else if (!(fabs(level) <= CONTRADICTION * terms)) {
            return false;
        }
    }
    s->joints = space->rank;
    return true;
}

/* x := (I - QQ') x. */
static void project(const abuti_joint_space *space, double *x)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    for (int pass = 0; pass < 2; ++pass) {
        for (int l = 0; l < space->rank; ++l) {
            const double *q = space->Q + (size_t)l * (size_t)space->width;
            kernels->axpy(space->width, -kernels->dot(space->width, q, x), q, x);
        }
    }
}

/* Number c of the one block of a projected system, in the padded blocks of the built one. */
static int unpacked(const abuti_system *built, int c)
{
    return c / built->dim * built->stride + c % built->dim;
}

void abuti_joints_unpack(const abuti_build *build, const double *packed, double *blocks)
{
    const abuti_system *s = &build->system;
    memset(blocks, 0, (size_t)(s->bodies * s->stride) * sizeof(double));
    for (int c = 0; c < s->bodies * s->dim; ++c) blocks[unpacked(s, c)] = packed[c];
}

static const abuti_system *project_system(abuti_joint_space *space, const abuti_build *build)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    const abuti_system *s = &build->system;
    int width = space->width, lanes = s->lanes, dim = s->bodies * s->dim, stride = abuti_padded(dim);
    double *particular = space->work + width;
    memset(particular, 0, (size_t)width * sizeof(double));
    kernels->add_transposed(space->rank, width, space->Q, width, space->level, particular);

    memcpy(space->work, s->k, (size_t)width * sizeof(double));
    project(space, space->work);
    kernels->axpy(width, 1.0, particular, space->work);
    memset(space->k, 0, 2 * (size_t)stride * sizeof(double));
    for (int c = 0; c < dim; ++c) space->k[c] = space->work[unpacked(s, c)];

    memset(space->rows, 0, 3 * (size_t)dim * (size_t)lanes * sizeof(double));
    for (int lane = 0; lane < lanes; ++lane) {
        for (int axis = 0; axis < 3; ++axis) {
            space->offset[axis][lane] = s->offset[axis][lane];
            if (lane >= s->n) continue;
            double *row = space->work;
            memset(row, 0, (size_t)width * sizeof(double));
            for (int side = 0; side < s->sides; ++side) {
                int block = s->body[side][lane];
                if (block < s->bodies)
                    abuti_row_gather(s, lane, axis, side, row + (size_t)block * (size_t)s->stride);
            }
            space->offset[axis][lane] += kernels->dot(width, row, particular);
            project(space, row);
            for (int c = 0; c < dim; ++c) {
                space->rows[(size_t)(axis * dim + c) * (size_t)lanes + (size_t)lane] = row[unpacked(s, c)];
            }
        }
        space->body[0][lane] = lane < s->n ? 0 : 1;
        space->body[1][lane] = 1;
    }
    abuti_system *out = &space->system;
    *out = *s;
    out->bodies = 1;
    out->sides = 1;
    out->dim = dim;
    out->stride = stride;
    out->joints = 0;
    out->rows = space->rows;
    out->k = space->k;
    for (int axis = 0; axis < 3; ++axis) out->offset[axis] = space->offset[axis];
    for (int side = 0; side < 2; ++side) out->body[side] = space->body[side];
    return out;
}

/* R eta = level - Q'(k + contact impulses), backwards. */
void abuti_joints_recover(const abuti_joint_space *space, const double *without_joints, double *joint)
{
    const abuti_kernels *kernels = abuti_kernels_get();
    for (int r = space->rank - 1; r >= 0; --r) {
        const double *q = space->Q + (size_t)r * (size_t)space->width;
        double left = space->level[r] - kernels->dot(space->width, q, without_joints);
        for (int c = r + 1; c < space->rank; ++c) left -= space->R[r * space->ld + c] * joint[c];
        joint[r] = left / space->R[r * space->ld + r];
    }
}

/* The local door: the joint block of W stands for the products of rows. A dependent row is taken out of W. */
static bool reduce_local(abuti_joint_space *space, abuti_build *build)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    int first = 3 * s->n, ld = s->W_ld, kept = 0;
    double *W = store->W, *combination = space->work;
    abuti_cholesky factor = {.k = 0, .ld = space->ld, .L = space->R};
    for (int j = 0; j < s->joints; ++j) {
        int row = first + j;
        for (int l = 0; l < kept; ++l) combination[l] = W[(size_t)row * (size_t)ld + (size_t)(first + l)];
        double diagonal = W[(size_t)row * (size_t)ld + (size_t)row];
        if (diagonal > 0.0 &&
            abuti_cholesky_insert(&factor, combination, diagonal, INDEPENDENT * INDEPENDENT)) {
            for (int c = 0; c < first + s->joints; ++c)
                W[(size_t)(first + kept) * (size_t)ld + (size_t)c] = W[(size_t)row * (size_t)ld + (size_t)c];
            for (int c = 0; c < first + s->joints; ++c)
                W[(size_t)c * (size_t)ld + (size_t)(first + kept)] = W[(size_t)c * (size_t)ld + (size_t)row];
            move_row(build, j, kept);
            kept++;
            continue;
        }
        for (int l = 0; l < kept; ++l) combination[l] = W[(size_t)row * (size_t)ld + (size_t)(first + l)];
        abuti_cholesky_solve(&factor, combination);
        double left = s->joint_offset[j], terms = 1.0 + fabs(left);
        for (int l = 0; l < kept; ++l) {
            left -= combination[l] * s->joint_offset[l];
            terms += fabs(combination[l] * s->joint_offset[l]);
        }
        if (!(fabs(left) <= CONTRADICTION * terms)) return false;
    }
    s->joints = kept;
    return true;
}

const abuti_system *abuti_joints_keep(abuti_joint_space *space, abuti_build *build, const uint8_t *keep)
{
    int kept = 0;
    space->projected = false;
    for (int j = 0; j < build->system.joints; ++j)
        if (keep[j]) move_row(build, j, kept++);
    build->system.joints = kept;
    return &build->system;
}

const abuti_system *abuti_joints_prepare(abuti_joint_space *space, abuti_build *build, abut_joint_rows mode)
{
    space->projected = false;
    if (build->system.joints == 0) return &build->system;
    if (build->system.W) return reduce_local(space, build) ? &build->system : NULL;
    if (!orthonormalise(space, build)) return NULL;
    if (mode != ABUT_JOINTS_PROJECTED || space->rank == 0 || build->system.bodies > ABUTI_PROJECTED_BODIES)
        return &build->system;
    space->projected = true;
    return project_system(space, build);
}
