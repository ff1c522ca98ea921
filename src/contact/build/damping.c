/* Implicit viscous friction at the velocity level: the impulse is -h c u+ along the tangents, with u+ after the step.
 *
 * In the system's coordinates (system.h) the dampers of all contacts that touch make
 *
 *     v = k + R'p - sum d t (t.v + offset),     d = h c / row_scale^2,
 *
 * so with B = I + sum d t t' = L L' and x = L'v
 *
 *     x = L^-1 (k - sum d t offset) + (L^-1 R')' p :
 *
 * which is again a contact system, with the rows L^-1 R' and the same velocities u = R v + offset. Solvers see nothing
 * but that.
 * The way back is v = L^-T x, and the impulses of the dampers follow from u. B has a block for each body as long as
 * no damper joins two of them; where one does, the island becomes one block.
 *
 * Through the W + q door the same is a change of W and q, one damper after the other:
 * W - w w' g / (1 + g w_r), w = column r of W, g = h c. */
#include "contact/build/build.h"
#include <math.h>
#include <string.h>

static int tangents_of(const abuti_system *s, int lane)
{
    return s->directions[lane] == ABUT_DIRECTIONS_MIN ? 1 : 2;
}

bool abuti_damped(const abut_contact *contact)
{
    return contact->viscous > 0.0 && contact->gap <= 0.0;
}

int abuti_damping_numbers(const abut_contact_problem *problem, const abut_contact_options *options)
{
    const abut_accel_options *accel = options ? &options->accel : NULL;
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    bool implicit = acceleration ? abuti_model_of(problem->model)->friction == ABUT_LAW_GIVEN && accel &&
                                       accel->apply_impulse && accel->impact_seconds > 0.0
                                 : !options || options->viscous == ABUT_VISCOUS_IMPLICIT;
    if (problem->body_count == 0 || !implicit) return 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *contact = &problem->contacts[i];
        if (!(acceleration ? contact->viscous > 0.0 : abuti_damped(contact))) continue;
        const int *body = contact->bodies;
        bool inside =
            body[0] >= 0 && body[0] < problem->body_count && body[1] >= 0 && body[1] < problem->body_count;
        if (inside && problem->bodies && problem->bodies[body[0]].kind == ABUT_DYNAMIC &&
            problem->bodies[body[1]].kind == ABUT_DYNAMIC)
            return 6 * problem->body_count;
    }
    return 0;
}

/* Finds d of each lane. Returns whether there is any damper. */
static bool find_dampers(abuti_build *build, const abut_contact_problem *problem)
{
    const abuti_system *s = &build->system;
    bool any = false;
    for (int lane = 0; lane < s->n; ++lane) {
        const abut_contact *contact = &problem->contacts[s->index[lane]];
        double scale = s->row_scale[lane];
        build->damping[lane] =
            abuti_damped(contact) ? problem->step * contact->viscous / (scale * scale) : 0.0;
        any = any || build->damping[lane] > 0.0;
    }
    return any;
}

/* ------------------------------------------------------------------------------------------------
 * One block instead of several */

static bool joins_two(const abuti_build *build)
{
    const abuti_system *s = &build->system;
    for (int lane = 0; lane < s->n && s->sides == 2; ++lane)
        if (build->damping[lane] > 0.0 && s->body[0][lane] < s->bodies && s->body[1][lane] < s->bodies)
            return true;
    return false;
}

static void merge_contacts(abuti_build *build, int whole)
{
    const abuti_system *s = &build->system;
    const size_t lanes = (size_t)s->lanes, numbers = (size_t)(3 * s->sides * s->dim);
    double *rows = build->store.rows;
    memcpy(build->apart, rows, numbers * lanes * sizeof *rows);
    memset(rows, 0, 3 * (size_t)whole * lanes * sizeof *rows);
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < s->sides; ++side) {
            const double *from = build->apart + (size_t)((axis * s->sides + side) * s->dim) * lanes;
            for (int lane = 0; lane < s->n; ++lane) {
                int block = s->body[side][lane];
                if (block >= s->bodies) continue;
                double *to = rows + (size_t)(axis * whole + block * s->dim) * lanes + (size_t)lane;
                for (size_t c = 0; c < (size_t)s->dim; ++c) to[c * lanes] += from[c * lanes + (size_t)lane];
            }
        }
    }
    for (int lane = 0; lane < s->lanes; ++lane) {
        build->store.body[0][lane] = lane < s->n ? 0 : 1;
        build->store.body[1][lane] = 1;
    }
}

/* Goes from the last row to the first, since rows grow longer in place. */
static void merge_joints(abuti_build *build, int whole)
{
    const abuti_system *s = &build->system;
    const int stride = abuti_padded(whole);
    for (int j = s->joints - 1; j >= 0; --j) {
        double apart[16] = {0.0};
        double *row = build->store.joint_rows + (size_t)j * (size_t)stride;
        memcpy(apart, build->store.joint_rows + (size_t)(j * s->sides * s->stride),
               (size_t)(s->sides * s->stride) * sizeof *apart);
        memset(row, 0, (size_t)stride * sizeof *row);
        for (int side = 0; side < s->sides; ++side) {
            int block = s->joint_body[side][j];
            for (int c = 0; c < s->dim && block < s->bodies; ++c)
                row[block * s->dim + c] += apart[side * s->stride + c];
        }
        build->store.joint_body[0][j] = 0;
        build->store.joint_body[1][j] = 1;
    }
}

static void merge(abuti_build *build)
{
    abuti_system *s = &build->system;
    const int whole = s->bodies * s->dim, stride = abuti_padded(whole);
    merge_contacts(build, whole);
    merge_joints(build, whole);
    double *k = build->store.k;
    for (int b = 0; b < s->bodies; ++b)
        memmove(k + (size_t)(b * s->dim), k + (size_t)(b * s->stride), (size_t)s->dim * sizeof *k);
    memset(k + whole, 0, (size_t)(2 * stride - whole) * sizeof *k);
    s->bodies = s->sides = 1;
    s->dim = whole;
    s->stride = stride;
    build->merged = true;
}

/* ------------------------------------------------------------------------------------------------
 * L, and what it makes of the system */

/* The system as its door has built it, whatever has become of it since. */
static const abuti_system *of_door(const abuti_build *build)
{
    return build->lift.used ? &build->lift.plain : &build->system;
}

static double *factor_of(const abuti_build *build, int block)
{
    size_t dim = (size_t)of_door(build)->dim;
    return build->damper + (size_t)block * dim * dim;
}

/* The numbers of a block that dampers join to number i. For trees in one block they are the numbers of its cluster
 * (blocks.h); otherwise they are all numbers. */
static abuti_range joined_to(const abuti_build *build, int dim, int i)
{
    const abuti_blocks *blocks = &build->blocks;
    return blocks->clusters > 0 ? blocks->around[i] : (abuti_range){0, dim};
}

/* x := L^-1 x on some of its numbers, which have a stride between them. The other numbers are zero, or not joined to
 * these. */
static void forward(const abuti_build *build, const double *L, int dim, abuti_range of, double *x,
                    size_t stride)
{
    for (int i = of.first; i < of.first + of.size; ++i) {
        abuti_range to = joined_to(build, dim, i);
        double sum = x[(size_t)i * stride];
        for (int j = to.first; j < i; ++j) sum -= L[i * dim + j] * x[(size_t)j * stride];
        x[(size_t)i * stride] = sum / L[i * dim + i];
    }
}

/* x := L^-T x. */
static void backward(const abuti_build *build, const double *L, int dim, double *x)
{
    for (int i = dim - 1; i >= 0; --i) {
        abuti_range to = joined_to(build, dim, i);
        double sum = x[i];
        for (int j = i + 1; j < to.first + to.size; ++j) sum -= L[j * dim + i] * x[j];
        x[i] = sum / L[i * dim + i];
    }
}

/* B >= I, so that no pivot is below 1. */
static void factor(const abuti_build *build, double *B, int dim)
{
    for (int i = 0; i < dim; ++i) {
        abuti_range to = joined_to(build, dim, i);
        for (int j = to.first; j <= i; ++j) {
            double sum = B[i * dim + j];
            for (int c = to.first; c < j; ++c) sum -= B[i * dim + c] * B[j * dim + c];
            B[i * dim + j] = i == j ? sqrt(fmax(sum, 1.0)) : sum / B[j * dim + j];
        }
    }
}

/* B += d t t' and k -= d t offset, for one tangent of one lane. */
static void add_damper(abuti_build *build, int lane, int axis)
{
    const abuti_system *s = &build->system;
    const size_t lanes = (size_t)s->lanes;
    double d = build->damping[lane], known = d * s->offset[axis][lane];
    for (int side = 0; side < s->sides; ++side) {
        int block = s->body[side][lane];
        if (block >= s->bodies) continue;
        const double *t = abuti_row(s, axis, side, 0) + lane;
        double *B = factor_of(build, block), *k = build->store.k + (size_t)(block * s->stride);
        for (int i = 0; i < s->dim; ++i) {
            double ti = t[(size_t)i * lanes];
            if (ti == 0.0) continue;
            for (int j = joined_to(build, s->dim, i).first; j <= i; ++j)
                B[i * s->dim + j] += d * ti * t[(size_t)j * lanes];
            k[i] -= known * ti;
        }
    }
}

/* A contact's row along one axis. Returns its square. */
static double transform_row(abuti_build *build, const int bodies[2], int axis, int lane)
{
    const abuti_system *s = &build->system;
    const size_t lanes = (size_t)s->lanes;
    abuti_range range[2];
    int ranges = abuti_block_ranges(&build->blocks, bodies, s->dim, range);
    double square = 0.0;
    for (int side = 0; side < s->sides; ++side) {
        double *row = build->store.rows + (size_t)((axis * s->sides + side) * s->dim) * lanes + (size_t)lane;
        int block = s->body[side][lane];
        for (int k = 0; k < ranges; ++k) {
            if (block < s->bodies) forward(build, factor_of(build, block), s->dim, range[k], row, lanes);
            for (int c = range[k].first; c < range[k].first + range[k].size; ++c)
                square += row[(size_t)c * lanes] * row[(size_t)c * lanes];
        }
    }
    return square;
}

static void transform_rows(abuti_build *build, const abut_contact_problem *problem)
{
    const abuti_system *s = &build->system;
    for (int lane = 0; lane < s->n; ++lane) {
        double square[3];
        for (int axis = 0; axis < 3; ++axis)
            square[axis] = transform_row(build, problem->contacts[s->index[lane]].bodies, axis, lane);
        build->store.size[0][lane] = sqrt(square[0]);
        build->store.size[1][lane] = sqrt(tangents_of(s, lane) == 1 ? square[1] : fmax(square[1], square[2]));
    }
    for (int j = 0; j < s->joints; ++j) {
        abuti_range range[2];
        int ranges =
            abuti_block_ranges(&build->blocks, problem->joints[s->joint_index[j]].bodies, s->dim, range);
        for (int side = 0; side < s->sides; ++side) {
            int block = s->joint_body[side][j];
            double *row = build->store.joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
            for (int k = 0; k < ranges && block < s->bodies; ++k)
                forward(build, factor_of(build, block), s->dim, range[k], row, 1);
        }
    }
}

void abuti_damp_rows(abuti_build *build, const abut_contact_problem *problem)
{
    abuti_system *s = &build->system;
    build->merged = build->damps = false;
    if (!build->implicit || s->bodies == 0 || !find_dampers(build, problem)) return;
    build->damps = true;
    if (joins_two(build)) merge(build);
    for (int b = 0; b < s->bodies; ++b) {
        double *B = factor_of(build, b);
        for (int i = 0; i < s->dim; ++i, B += s->dim) {
            abuti_range to = joined_to(build, s->dim, i);
            memset(B + to.first, 0, (size_t)to.size * sizeof *B);
            B[i] = 1.0;
        }
    }
    for (int lane = 0; lane < s->n; ++lane)
        for (int t = 0; t < tangents_of(s, lane) && build->damping[lane] > 0.0; ++t)
            add_damper(build, lane, 1 + t);
    for (int b = 0; b < s->bodies; ++b) {
        factor(build, factor_of(build, b), s->dim);
        forward(build, factor_of(build, b), s->dim, (abuti_range){0, s->dim},
                build->store.k + (size_t)(b * s->stride), 1);
    }
    transform_rows(build, problem);
}

void abuti_damp_local(abuti_build *build, const abut_contact_problem *problem)
{
    const abuti_system *s = &build->system;
    const int rows = 3 * s->n + s->joints;
    const size_t ld = (size_t)s->W_ld;
    double *W = build->store.W, *column = build->apart;
    build->merged = build->damps = false;
    if (!build->implicit || !find_dampers(build, problem)) return;
    build->damps = true;
    for (int r = 0; r < 3 * s->n; ++r) {
        int axis = r % 3, lane = r / 3;
        if (axis == 0 || axis > tangents_of(s, lane) || !(build->damping[lane] > 0.0)) continue;
        double d = build->damping[lane], part = d / (1.0 + d * W[(size_t)r * ld + (size_t)r]);
        for (int i = 0; i < rows; ++i) column[i] = part * W[(size_t)i * ld + (size_t)r];
        double known = s->offset[axis][lane];
        for (int i = 0; i < rows; ++i) {
            double *offset =
                i < 3 * s->n ? &build->store.offset[i % 3][i / 3] : &build->store.joint_offset[i - 3 * s->n];
            *offset -= column[i] * known;
        }
        for (int j = 0; j < rows; ++j) {
            double across = W[(size_t)r * ld + (size_t)j];
            for (int i = 0; i < rows; ++i)
                if (i != r) W[(size_t)i * ld + (size_t)j] -= column[i] * across;
            W[(size_t)r * ld + (size_t)j] -= column[r] * across;
        }
    }
}

/* ------------------------------------------------------------------------------------------------
 * The way back */

const double *abuti_undamp(const abuti_build *build, double *v)
{
    const abuti_system *s = of_door(build);
    if (!build->damps) return v;
    for (int b = 0; b < s->bodies; ++b)
        backward(build, factor_of(build, b), s->dim, v + (size_t)(b * s->stride));
    if (!build->merged) return v;
    for (int b = s->dim / 6 - 1; b >= 0; --b) /* blocks of eight again, the last first */
        memmove(v + (size_t)b * 8, v + (size_t)b * 6, 6 * sizeof *v);
    return v;
}

/* u_s along a tangent. */
static double velocity_along(const abuti_system *s, const abuti_answer *answer, const double *v, int axis,
                             int lane)
{
    double u = s->offset[axis][lane];
    for (int side = 0; side < s->sides && s->rows; ++side) {
        const double *row = abuti_row(s, axis, side, 0) + lane,
                     *at = v + (size_t)(s->body[side][lane] * s->stride);
        for (int c = 0; c < s->dim; ++c) u += row[(size_t)c * (size_t)s->lanes] * at[c];
    }
    const double *impulse[3] = {answer->theta, answer->f[0], answer->f[1]};
    const double *W = s->W + (s->rows ? 0 : (size_t)(3 * lane + axis) * (size_t)s->W_ld);
    for (int j = 0; j < 3 * s->n && !s->rows; ++j) u += W[j] * impulse[j % 3][j / 3];
    for (int j = 0; j < s->joints && !s->rows; ++j) u += W[3 * s->n + j] * answer->joint[j];
    return u;
}

void abuti_damper_impulses(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                           const double *v)
{
    for (int lane = 0; lane < s->n; ++lane) {
        double way_back = s->unit * s->row_scale[lane];
        for (int t = 0; t < 2; ++t) {
            bool acts = build->damping[lane] > 0.0 && t < tangents_of(s, lane);
            double back = build->flattened ? way_back / build->ratio[t][lane] : way_back; /* cones.c */
            build->viscous[t][lane] =
                acts ? -build->damping[lane] * velocity_along(s, answer, v, 1 + t, lane) * back : 0.0;
        }
    }
}
