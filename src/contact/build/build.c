/* What the three doors share: memory, padding, scaling. */
#include "contact/build/build.h"
#include <math.h>
#include <string.h>

static int largest(int a, int b)
{
    return a > b ? a : b;
}

abut_contact_limits abuti_limits_of_doors(const abut_contact_limits *limits)
{
    abut_contact_limits doors = *limits;
    if (limits->blocks == 0) return doors;
    doors.bodies = largest(limits->bodies, limits->blocks);
    if (abuti_block_size(limits) <= 6 && limits->bounded + limits->compliant == 0) {
        doors.nv = 6;
    } else if (limits->dense > 0 && limits->dense < limits->nv) {
        doors.nv = limits->dense;
    }
    return doors;
}

abut_contact_limits abuti_limits_of_stages(const abut_contact_limits *limits)
{
    abut_contact_limits stages = abuti_limits_of_doors(limits);
    int privates = limits->bounded + limits->compliant;
    if (privates == 0) return stages;
    int all = largest(limits->nv, 6 * limits->bodies) + privates;
    stages.contacts += limits->bounded;
    if (limits->bounded > 0 && limits->directions > 0) /* as rows with one bound have (lift.c) */
        stages.directions = largest(limits->directions, ABUT_DIRECTIONS_DEFAULT);
    stages.nv = largest(stages.nv, limits->dense > 0 && limits->dense < all ? limits->dense : all);
    return stages;
}

static void layout_store(abuti_system_store *s, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t lanes = (size_t)abuti_padded(limits->contacts), joints = (size_t)limits->joints;
    size_t row_numbers = (size_t)largest(2 * 6 * (limits->bodies > 0), limits->nv);
    size_t k_numbers =
        (size_t)largest((limits->bodies + 1) * 8, limits->nv ? 2 * abuti_padded(limits->nv) : 0);
    size_t joint_numbers = (size_t)largest(limits->bodies > 0 ? 16 : 0, abuti_padded(limits->nv));
    for (int side = 0; side < 2; ++side) {
        s->body[side] = abuti_take(arena, lanes, int);
        s->size[side] = abuti_take(arena, lanes, double);
        s->joint_body[side] = abuti_take(arena, joints, int);
    }
    s->rows = abuti_take(arena, 3 * row_numbers * lanes, double);
    s->k = abuti_take(arena, k_numbers, double);
    s->mu = abuti_take(arena, lanes, double);
    s->row_scale = abuti_take(arena, lanes, double);
    s->directions = abuti_take(arena, lanes, int);
    s->index = abuti_take(arena, lanes, int);
    s->joint_index = abuti_take(arena, joints, int);
    s->joint_rows = abuti_take(arena, joints * joint_numbers, double);
    s->joint_offset = abuti_take(arena, joints, double);
    s->joint_scale = abuti_take(arena, joints, double);
    for (int axis = 0; axis < 3; ++axis) s->offset[axis] = abuti_take(arena, lanes, double);
}

void abuti_build_layout(abuti_build *build, abuti_arena *arena, const abut_contact_limits *limits)
{
    abut_contact_limits doors = abuti_limits_of_doors(limits), lifted = abuti_limits_of_stages(limits);
    bool lifts = limits->bounded + limits->compliant > 0;
    size_t lanes = (size_t)abuti_padded(lifted.contacts), nv = (size_t)abuti_block_size(limits);
    size_t W_size = limits->local ? 3 * (size_t)lifted.contacts + (size_t)limits->joints : 0;
    build->system = (abuti_system){0};
    build->implicit = false;
    layout_store(&build->store, arena, &lifted);
    build->door = (abuti_system_store){0};
    if (lifts) layout_store(&build->door, arena, &doors);
    build->dense = lifted.nv;
    abuti_lift_layout(&build->lift, arena, &lifted);
    abuti_blocks_layout(&build->blocks, arena, limits);
    abuti_parts_layout(&build->partition, arena, limits);
    build->store.W = abuti_take(arena, W_size * W_size, double);
    build->door.W = abuti_take(arena, lifts ? W_size * W_size : 0, double);
    build->factor = abuti_take(arena, doors.bodies, abuti_factor);
    build->bias = abuti_take(arena, lanes, double);
    size_t alone = 36 * (size_t)limits->bodies, wide = (size_t)largest(abuti_block_size(limits), doors.nv),
           column = 3 * (size_t)limits->contacts + (size_t)limits->joints;
    size_t apart = limits->nv > 0 && limits->bodies > 0 ? 36 * lanes : 0;
    build->damping = abuti_take(arena, lanes, double);
    build->damper = abuti_take(arena, wide * wide > alone ? wide * wide : alone, double);
    build->apart = abuti_take(arena, limits->local && column > apart ? column : apart, double);
    build->viscous[0] = abuti_take(arena, lanes, double);
    build->viscous[1] = abuti_take(arena, lanes, double);
    size_t round_lanes = limits->cones ? lanes : 0;
    build->round = abuti_take(arena, round_lanes, bool);
    build->ratio[0] = abuti_take(arena, round_lanes, double);
    build->ratio[1] = abuti_take(arena, round_lanes, double);
    build->cholesky = abuti_take(arena, nv * nv, double);
    build->column = abuti_take(arena, nv, double);
    for (int axis = 0; axis < 3; ++axis) build->before[axis] = abuti_take(arena, lanes, double);
    build->frames = abuti_take(arena, lanes / ABUTI_LANES, abuti_frame_chunk);
    build->kernel = abuti_lane_kernel_choose();
}

double abuti_bias(const abut_contact *contact, double step, double threshold, double approach)
{
    bool bounces =
        contact->restitution > 0.0 && approach < -threshold && contact->gap + step * approach <= 0.0;
    return bounces ? contact->restitution * approach : contact->gap / step;
}

/* The biased exponent of a finite positive x is read from its bits: e in [2^e, 2^(e+1)). */
static uint64_t biased_exponent(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 52;
}

static double power_of_biased(uint64_t biased)
{
    uint64_t bits = biased << 52;
    double x = 0.0;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double abuti_scale_of_square(double square)
{
    /* h = floor((e + 1) / 2) = floor(biased / 2) - 511, and 2^-h has the biased exponent 1023 - h. */
    if (!(square > 0.0 && square <= 0x1p1022)) return 1.0;
    return power_of_biased(1534 - (biased_exponent(square) >> 1));
}

double abuti_power_below(double x)
{
    if (!(x >= 0x1p-1022 && x <= 0x1p1022)) return 1.0;
    return power_of_biased(biased_exponent(x));
}

void abuti_pad_lanes(abuti_build *build)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    size_t bytes = (size_t)s->lanes * sizeof(double);
    for (int axis = 0; axis < 3 && store->zero_lanes < s->lanes; ++axis)
        memset(store->offset[axis], 0, bytes);
    if (build->zero_biases < s->lanes) memset(build->bias, 0, bytes);
    if (store->zero_lanes < s->lanes) store->zero_lanes = s->lanes;
    if (build->zero_biases < s->lanes) build->zero_biases = s->lanes;
    for (int lane = s->n; lane < s->lanes; ++lane) {
        for (int side = 0; side < 2; ++side) {
            store->size[side][lane] = 0.0;
            store->body[side][lane] = s->bodies;
        }
        for (int axis = 0; axis < 3; ++axis) build->before[axis][lane] = 0.0;
        store->mu[lane] = 0.0;
        store->directions[lane] = ABUT_DIRECTIONS_DEFAULT;
        store->index[lane] = -1;
    }
}

void abuti_offsets_begin(abuti_build *build)
{
    build->has_offsets = true;
    build->store.zero_lanes = build->zero_biases = 0;
}

void abuti_scale_rows(abuti_build *build)
{
    abuti_system_store *store = &build->store;
    for (int lane = 0; lane < build->system.lanes; ++lane) {
        double normal = store->size[0][lane], tangent = store->size[1][lane];
        double size = normal > 0.0 ? normal : tangent;
        store->row_scale[lane] = abuti_scale_of_square(size * size);
    }
    abuti_apply_row_scales(build);
}

void abuti_apply_row_scales(abuti_build *build)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    for (int lane = 0; lane < s->lanes; ++lane) {
        store->size[0][lane] *= store->row_scale[lane];
        store->size[1][lane] *= store->row_scale[lane];
    }
    size_t streams = s->rows ? (size_t)(3 * s->sides * s->dim) : 0, lanes = (size_t)s->lanes;
    for (size_t row = 0; row < streams; ++row) {
        double *at = store->rows + row * lanes;
        for (size_t lane = 0; lane < lanes; ++lane) at[lane] *= store->row_scale[lane];
    }
}

/* K of the residual, as far as scaling needs it: the largest of |k| and |offset| / size. */
static double magnitude(const abuti_build *build)
{
    const abuti_system *s = &build->system;
    const abuti_system_store *store = &build->store;
    double most = 0.0;
    for (int i = 0; i < s->bodies * s->stride; ++i)
        most = fabs(store->k[i]) > most ? fabs(store->k[i]) : most;
    for (int axis = 0; axis < 3 && build->has_offsets; ++axis) {
        most = fmax(most, build->kernel->largest(store->offset[axis], store->row_scale,
                                                 store->size[axis ? 1 : 0], s->lanes));
    }
    for (int j = 0; j < s->joints; ++j) {
        most = fmax(most, fabs(store->joint_offset[j] * store->joint_scale[j]));
    }
    return most;
}

void abuti_scale_right_sides(abuti_build *build)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    double unit = abuti_power_below(magnitude(build)), inverse = 1.0 / unit; /* powers of two: exact */
    s->unit = unit;
    for (int axis = 0; axis < 3 && build->has_offsets; ++axis) {
        for (int lane = 0; lane < s->lanes; ++lane)
            store->offset[axis][lane] *= store->row_scale[lane] * inverse;
    }
    for (int i = 0; i < s->bodies * s->stride; ++i) store->k[i] *= inverse;
    for (int j = 0; j < s->joints; ++j) store->joint_offset[j] *= store->joint_scale[j] * inverse;
}

void abuti_point_system(abuti_build *build)
{
    abuti_system *s = &build->system;
    const abuti_system_store *store = &build->store;
    build->has_viscous = build->has_offsets = build->flattened = false;
    for (int side = 0; side < 2; ++side) {
        s->body[side] = store->body[side];
        s->size[side] = store->size[side];
        s->joint_body[side] = store->joint_body[side];
    }
    bool acceleration = abuti_model_of(s->model)->acceleration;
    for (int axis = 0; axis < 3; ++axis) {
        s->offset[axis] = store->offset[axis];
        s->before[axis] = acceleration ? build->before[axis] : NULL;
    }
    s->rows = store->rows;
    s->mu = store->mu;
    s->directions = store->directions;
    s->k = store->k;
    s->joint_rows = store->joint_rows;
    s->joint_offset = store->joint_offset;
    s->row_scale = store->row_scale;
    s->joint_scale = store->joint_scale;
    s->index = store->index;
    s->joint_index = store->joint_index;
}

bool abuti_take_viscous(abuti_build *build, const abut_contact_problem *problem, const abut_contact *contact,
                        int lane)
{
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    bool acts = acceleration ? contact->viscous > 0.0 : !build->implicit && abuti_damped(contact);
    if (acts && !build->has_viscous) {
        build->has_viscous = true;
        for (int t = 0; t < 2; ++t)
            memset(build->viscous[t], 0, (size_t)build->system.lanes * sizeof(double));
    }
    double h = acceleration ? 1.0 : problem->step;
    int tangents = build->store.directions[lane] == ABUT_DIRECTIONS_MIN ? 1 : 2;
    for (int t = 0; t < tangents && acts; ++t)
        build->viscous[t][lane] = -h * contact->viscous * build->before[1 + t][lane];
    return acts;
}

void abuti_add_viscous(abuti_build *build, int lane)
{
    const abuti_system *s = &build->system;
    for (int t = 0; t < 2; ++t) {
        for (int side = 0; side < s->sides; ++side) {
            int block = s->body[side][lane];
            if (block >= s->bodies) continue;
            double *k = build->store.k + (size_t)block * (size_t)s->stride;
            double impulse = build->viscous[t][lane] / s->row_scale[lane];
            for (int c = 0; c < s->dim; ++c) k[c] += abuti_row(s, 1 + t, side, c)[lane] * impulse;
        }
    }
}

void abuti_lane_of_contact(abuti_build *build, const abut_contact *contact, int lane, int index)
{
    abuti_system_store *store = &build->store;
    store->mu[lane] = contact->friction;
    store->directions[lane] = contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT;
    store->index[lane] = index;
}
