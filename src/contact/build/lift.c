#include "contact/build/lift.h"
#include "contact/build/build.h"
#include <math.h>
#include <string.h>

bool abuti_lift_needed(const abut_contact_problem *problem, const abuti_island *island)
{
    for (int i = 0; i < island->joints; ++i) {
        const abut_joint *joint = &problem->joints[island->joint[i]];
        if (joint->bounded || joint->compliance > 0.0) return true;
    }
    for (int i = 0; i < island->contacts; ++i)
        if (problem->contacts[island->contact[i]].compliance > 0.0) return true;
    return false;
}

void abuti_lift_unpack(const abuti_lift *lift, const double *lifted, double *blocks)
{
    const abuti_system *s = &lift->plain;
    memset(blocks, 0, (size_t)(s->bodies * s->stride) * sizeof(double));
    for (int b = 0; b < s->bodies; ++b)
        memcpy(blocks + (size_t)(b * s->stride), lifted + (size_t)(b * s->dim),
               (size_t)s->dim * sizeof(double));
}

void abuti_lift_layout(abuti_lift *lift, abuti_arena *arena, const abut_contact_limits *limits)
{
    bool used = limits->bounded + limits->compliant > 0;
    lift->wanted = lift->used = false;
    lift->lane = abuti_take(arena, limits->bounded, abuti_bound_lane);
    size_t width = (size_t)abuti_padded(limits->nv), lanes = (size_t)abuti_padded(limits->contacts);
    size_t boxed = limits->bounded > 0 ? width : 0;
    lift->row = abuti_take(arena, used ? width : 0, double);
    lift->given = abuti_take(arena, limits->bounded > 0 ? lanes : 0, double);
    lift->rows = abuti_take(arena, 3 * boxed * lanes, double);
    lift->k = abuti_take(arena, 2 * boxed, double);
    lift->joint_rows = abuti_take(arena, boxed * (size_t)limits->joints, double);
}

const abuti_system *abuti_lift_expand(abuti_lift *lift, const abuti_system *s)
{
    abuti_system *out = &lift->expanded;
    if (!s->given) return s;
    size_t lanes = (size_t)s->lanes, more = (size_t)s->boxed * lanes, axis = (size_t)s->dim * lanes;
    *out = *s;
    out->given = NULL;
    out->boxed = 0;
    out->dim = s->dim + s->boxed;
    out->stride = abuti_padded(out->dim);
    out->rows = lift->rows;
    out->k = lift->k;
    out->joint_rows = lift->joint_rows;
    if (lift->is_expanded) return out; /* of the same rows, whatever its directions */
    for (size_t t = 0; t < 3; ++t) {
        double *to = lift->rows + t * (axis + more);
        memcpy(to, s->rows + t * axis, axis * sizeof(double));
        memset(to + axis, 0, more * sizeof(double));
    }
    memset(lift->k, 0, 2 * (size_t)out->stride * sizeof(double));
    memcpy(lift->k, s->k, (size_t)s->dim * sizeof(double));
    for (int lane = 0, private = s->dim; lane < s->n; ++lane) {
        if (s->given[lane] == 0.0) continue;
        lift->rows[(size_t) private * lanes + (size_t)lane] = 1.0;
        lift->k[private ++] = -s->given[lane];
    }
    for (size_t j = 0; j < (size_t)s->joints; ++j) {
        double *to = lift->joint_rows + j * (size_t)out->stride;
        memset(to, 0, (size_t)out->stride * sizeof(double));
        memcpy(to, s->joint_rows + j * (size_t)s->stride, (size_t)s->dim * sizeof(double));
    }
    lift->is_expanded = true;
    return out;
}

abuti_bounds abuti_bounds_of(const abut_joint *joint, double unit)
{
    abuti_bounds b = {-INFINITY, INFINITY};
    if (!joint->bounded) return b;
    if (joint->lower > -LIFT_FAR * unit) b.lower = joint->lower / unit;
    if (joint->upper < LIFT_FAR * unit) b.upper = joint->upper / unit;
    return b;
}

/* The impulse nearest to 0 within the bounds, which acts at least. */
static double least(abuti_bounds b)
{
    return b.lower > 0.0 ? b.lower : b.upper < 0.0 ? b.upper : 0.0;
}

void abuti_lift_scale(abuti_build *build, const abut_contact_problem *problem, const abuti_system_store *from)
{
    abuti_system *s = &build->system;
    double most = 0.0, given = 0.0;
    for (int j = 0; j < s->joints; ++j)
        given = fmax(given, fabs(least(abuti_bounds_of(&problem->joints[s->joint_index[j]],
                                                       s->unit * s->joint_scale[j]))));
    if (given == 0.0) return;
    for (int i = 0; i < s->bodies * s->stride; ++i) most = fmax(most, fabs(s->k[i]));
    for (int axis = 0; axis < 3 && build->has_offsets; ++axis)
        for (int lane = 0; lane < s->n; ++lane) most = fmax(most, fabs(s->offset[axis][lane]));
    for (int j = 0; j < s->joints; ++j) most = fmax(most, fabs(s->joint_offset[j]));
    double larger = abuti_power_below(fmax(most, given)), inverse = 1.0 / larger;
    if (most >= given || larger == 1.0) return;
    for (int i = 0; i < s->bodies * s->stride; ++i) from->k[i] *= inverse;
    for (int axis = 0; axis < 3 && build->has_offsets; ++axis)
        for (int lane = 0; lane < s->n; ++lane) from->offset[axis][lane] *= inverse;
    for (int j = 0; j < s->joints; ++j) from->joint_offset[j] *= inverse;
    s->unit *= larger;
}

/* Number c of lane `lane` along an axis of the lifted rows. */
static double *at(const abuti_build *build, int axis, int c, int lane)
{
    const abuti_system *s = &build->system;
    return build->store.rows + (size_t)(axis * s->dim + c) * (size_t)s->lanes + (size_t)lane;
}

static void lift_contact(abuti_build *build, const abut_contact_problem *problem, int lane, int *private)
{
    const abuti_system *plain = &build->lift.plain;
    abuti_system_store *store = &build->store;
    abuti_range range[2];
    int ranges =
        abuti_block_ranges(&build->blocks, problem->contacts[plain->index[lane]].bodies, plain->dim, range);
    for (int side = 0; side < plain->sides; ++side) {
        int block = plain->body[side][lane];
        for (int axis = 0; axis < 3 && block < plain->bodies; ++axis)
            for (int k = 0; k < ranges; ++k)
                for (int c = range[k].first; c < range[k].first + range[k].size; ++c)
                    *at(build, axis, block * plain->dim + c, lane) = abuti_row(plain, axis, side, c)[lane];
    }
    for (int axis = 0; axis < 3; ++axis)
        store->offset[axis][lane] = build->has_offsets ? plain->offset[axis][lane] : 0.0;
    store->mu[lane] = plain->mu[lane];
    store->directions[lane] = plain->directions[lane];
    store->row_scale[lane] = plain->row_scale[lane];
    store->index[lane] = plain->index[lane];
    for (int side = 0; side < 2; ++side) store->size[side][lane] = plain->size[side][lane];
    double scale = plain->row_scale[lane],
           c = problem->contacts[plain->index[lane]].compliance * scale * scale;
    if (!(c > 0.0)) return;
    *at(build, ABUTI_NORMAL, (*private)++, lane) = sqrt(c);
    store->size[0][lane] = sqrt(store->size[0][lane] * store->size[0][lane] + c);
}

/* Writes joint row j of the plain system as one dense row, with its private number, and moves on the place of the next
 * private number. */
static void dense_row(const abuti_build *build, const abut_contact_problem *problem, int j, double *row,
                      int *private)
{
    const abuti_system *plain = &build->lift.plain;
    memset(row, 0, (size_t)build->system.stride * sizeof(double));
    for (int side = 0; side < plain->sides; ++side) {
        int block = plain->joint_body[side][j];
        if (block >= plain->bodies) continue;
        memcpy(row + (size_t)(block * plain->dim),
               plain->joint_rows + (size_t)(j * plain->sides + side) * (size_t)plain->stride,
               (size_t)plain->dim * sizeof(double));
    }
    double scale = plain->joint_scale[j],
           c = problem->joints[plain->joint_index[j]].compliance * scale * scale;
    if (c > 0.0) row[(*private)++] = sqrt(c);
}

/* A row without bounds stays a joint row. */
static void keep_row(abuti_build *build, int j, const double *row)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    const abuti_system *plain = &build->lift.plain;
    int to = s->joints++;
    memcpy(store->joint_rows + (size_t)to * (size_t)s->stride, row, (size_t)s->stride * sizeof(double));
    store->joint_offset[to] = plain->joint_offset[j];
    store->joint_scale[to] = plain->joint_scale[j];
    store->joint_index[to] = plain->joint_index[j];
    store->joint_body[0][to] = 0;
    store->joint_body[1][to] = 1;
}

/* A bounded row becomes the next lane. */
static void bound_row(abuti_build *build, const abut_contact_problem *problem, int j, const double *row,
                      abuti_bounds b)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    abuti_lift *lift = &build->lift;
    const abuti_system *plain = &build->lift.plain;
    bool boxed = b.lower > -INFINITY && b.upper < INFINITY;
    double sign = b.lower > -INFINITY ? 1.0 : -1.0, square = 0.0;
    double given = boxed ? 0.5 * (b.lower + b.upper) : sign > 0.0 ? b.lower : b.upper;
    double half = boxed ? 0.5 * (b.upper - b.lower) : 0.0, speed = half > 1.0 ? sqrt(half) : 1.0;
    int lane = s->n++, axis = boxed ? ABUTI_TANGENT_X : ABUTI_NORMAL;
    for (int c = 0; c < s->dim; ++c) {
        *at(build, axis, c, lane) = sign * row[c];
        store->k[c] += row[c] * given;
        square += row[c] * row[c];
    }
    for (int i = 0; i < 3; ++i) store->offset[i][lane] = 0.0;
    store->offset[axis][lane] = sign * plain->joint_offset[j];
    store->size[0][lane] = boxed ? 1.0 : sqrt(square);
    store->size[1][lane] = boxed ? sqrt(square) : 0.0;
    lift->given[lane] = boxed ? speed : 0.0;
    s->boxed += boxed;
    lift->stands = lift->stands && (!boxed || fabs(plain->joint_offset[j]) <= LIFT_STILL);
    store->mu[lane] = half / speed;
    store->directions[lane] = boxed ? ABUT_DIRECTIONS_MIN : ABUT_DIRECTIONS_DEFAULT;
    store->row_scale[lane] = plain->joint_scale[j];
    store->index[lane] = abuti_lift_index(problem, plain->joint_index[j]);
    build->bias[lane] = 0.0;
    for (int i = 0; i < 3; ++i) build->before[i][lane] = 0.0;
    for (int i = 0; i < 2 && build->has_viscous; ++i) build->viscous[i][lane] = 0.0;
    if (build->damps) build->damping[lane] = 0.0;
    if (s->round) {
        build->round[lane] = false;
        build->ratio[0][lane] = build->ratio[1][lane] = 1.0;
    }
    lift->lane[lift->lanes++] =
        (abuti_bound_lane){.joint = plain->joint_index[j], .boxed = boxed, .sign = sign, .given = given};
}

/* Counts lanes (contacts and bounded rows) and private numbers of all rows, as they are and as they would be when
 * expanded. */
static void count(const abuti_system *plain, const abut_contact_problem *problem, int *lanes, int *private,
                  int *expanded)
{
    for (int i = 0; i < plain->n; ++i) *private += problem->contacts[plain->index[i]].compliance > 0.0;
    for (int j = 0; j < plain->joints; ++j) {
        const abut_joint *joint = &problem->joints[plain->joint_index[j]];
        abuti_bounds b = abuti_bounds_of(joint, plain->unit * plain->joint_scale[j]);
        *private += joint->compliance > 0.0;
        *expanded += b.lower > -INFINITY && b.upper < INFINITY;
        *lanes += abuti_is_bounded(b);
    }
    *expanded += *private;
}

/* Clears the frames of lanes past the contacts, in case somebody reads them. */
static void clear_frames(abuti_build *build, int contacts)
{
    for (int chunk = abuti_padded(contacts) / ABUTI_LANES; chunk < build->system.lanes / ABUTI_LANES; ++chunk)
        memset(&build->frames[chunk], 0, sizeof build->frames[chunk]);
}

bool abuti_lift_gives_up(const abuti_lift *lift, const abuti_system *s, const abuti_answer *answer)
{
    for (int i = lift->plain.n; i < s->n && !lift->gives; ++i) {
        bool asks = s->given && s->given[i] > 0.0 && fabs(s->offset[ABUTI_TANGENT_X][i]) > LIFT_STILL;
        if (asks && answer->face[i].state == ABUT_STICK) return false;
    }
    return !lift->gives;
}

abut_status abuti_lift_system(abuti_build *build, const abut_contact_problem *problem)
{
    abuti_system *s = &build->system;
    abuti_lift *lift = &build->lift;
    bool offsets = build->has_offsets, viscous = build->has_viscous, flattened = build->flattened;
    abuti_lift_scale(build, problem, &build->door);
    lift->plain = *s;
    lift->used = true;
    lift->lanes = 0;
    lift->numbers = s->bodies * s->dim;
    lift->is_expanded = false;
    int lanes = s->n, privates = 0, expanded = 0, private = lift->numbers;
    count(s, problem, &lanes, &privates, &expanded);
    if (lift->numbers + expanded > build->dense) return ABUT_TOO_LARGE;
    lift->gives = privates > 0;
    lift->stands = !lift->gives;
    s->lanes = abuti_padded(lanes);
    s->bodies = s->sides = 1;
    s->dim = lift->numbers + privates;
    s->stride = abuti_padded(s->dim);
    s->n = lanes;
    s->joints = 0;
    abuti_point_system(build);
    abuti_pad_lanes(build);
    s->n = lift->plain.n;
    s->boxed = 0;
    build->has_viscous = viscous;
    build->has_offsets = offsets;
    build->flattened = flattened;
    abuti_system_store *store = &build->store;
    memset(store->rows, 0, (size_t)(3 * s->dim) * (size_t)s->lanes * sizeof(double));
    memset(store->k, 0, 2 * (size_t)s->stride * sizeof(double));
    for (int b = 0; b < lift->plain.bodies; ++b)
        memcpy(store->k + (size_t)(b * lift->plain.dim), lift->plain.k + (size_t)(b * lift->plain.stride),
               (size_t)lift->plain.dim * sizeof(double));
    for (int lane = 0; lane < lift->plain.n; ++lane) lift_contact(build, problem, lane, &private);
    for (int j = 0; j < lift->plain.joints; ++j) {
        const abut_joint *joint = &problem->joints[lift->plain.joint_index[j]];
        abuti_bounds b = abuti_bounds_of(joint, s->unit * lift->plain.joint_scale[j]);
        dense_row(build, problem, j, lift->row, &private);
        if (abuti_is_bounded(b)) {
            bound_row(build, problem, j, lift->row, b);
        } else {
            keep_row(build, j, lift->row);
        }
    }
    for (int lane = 0; lane < s->lanes; ++lane) {
        store->body[0][lane] = lane < s->n ? 0 : 1;
        store->body[1][lane] = 1;
        if (lane >= s->n) store->row_scale[lane] = 1.0;
    }
    if (s->boxed > 0) {
        memset(lift->given, 0, (size_t)lift->plain.n * sizeof(double));
        for (int lane = s->n; lane < s->lanes; ++lane) lift->given[lane] = 0.0;
        s->given = lift->given;
    }
    abuti_offsets_begin(build);
    clear_frames(build, lift->plain.n);
    return ABUT_OK;
}
