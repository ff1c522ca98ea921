/* Bounded rows and compliance at the W + q door.
 *
 * W is there itself, so nothing has to stand for it: a compliance is added to its diagonal, a row with one bound becomes
 * the normal of a contact without friction, and a row with two bounds the tangent of a planar contact whose normal is
 * joined to nothing, has 1 on the diagonal, and comes in with the speed r, so that r is the impulse that stops it
 * (lift.h). What bounds give at least is part of the offsets. */
#include "contact/build/build.h"
#include <math.h>
#include <string.h>

/* Where a row of the lifted W comes from. */
typedef struct source {
    int row;     /* of the plain W; -1: none */
    double sign; /* its sense */
    bool own;    /* joined to nothing, with 1 on the diagonal */
} source;

typedef struct lifting {
    abuti_build *build;
    const abut_contact_problem *problem;
    const abuti_system *plain;
} lifting;

static double give_of(const lifting *l, int row)
{
    const abuti_system *plain = l->plain;
    int j = row - 3 * plain->n;
    double scale = j < 0 ? plain->row_scale[row / 3] : plain->joint_scale[j];
    if (j < 0 && row % 3 != ABUTI_NORMAL) return 0.0;
    double c = j < 0 ? l->problem->contacts[plain->index[row / 3]].compliance
                     : l->problem->joints[plain->joint_index[j]].compliance;
    return c * scale * scale;
}

/* An entry of the plain W, with the compliance on its diagonal. */
static double entry(const lifting *l, int row, int column)
{
    double value = l->plain->W[(size_t)row * (size_t)l->plain->W_ld + (size_t)column];
    return row == column ? value + give_of(l, row) : value;
}

/* Row r of the lifted W. */
static source source_of(const lifting *l, int r)
{
    const abuti_system *s = &l->build->system, *plain = l->plain;
    const abuti_lift *lift = &l->build->lift;
    int lane = r / 3, axis = r % 3;
    if (r >= 3 * s->n) {
        int j = 0;
        while (plain->joint_index[j] != s->joint_index[r - 3 * s->n]) ++j;
        return (source){.row = 3 * plain->n + j, .sign = 1.0};
    }
    if (lane < plain->n) return (source){.row = r, .sign = 1.0};
    const abuti_bound_lane *bound = &lift->lane[lane - plain->n];
    if (bound->boxed && axis == ABUTI_NORMAL) return (source){.row = -1, .own = true};
    if (axis != (bound->boxed ? ABUTI_TANGENT_X : ABUTI_NORMAL)) return (source){.row = -1};
    int j = 0;
    while (plain->joint_index[j] != bound->joint) ++j;
    return (source){.row = 3 * plain->n + j, .sign = bound->sign};
}

/* What impulses that bounds give at least do to a row of the plain W. */
static double given_motion(const lifting *l, int row)
{
    const abuti_lift *lift = &l->build->lift;
    double sum = 0.0;
    for (int k = 0; k < lift->lanes; ++k) {
        int j = 0;
        while (l->plain->joint_index[j] != lift->lane[k].joint) ++j;
        sum += entry(l, row, 3 * l->plain->n + j) * lift->lane[k].given;
    }
    return sum;
}

/* A bounded row becomes the next lane. */
static void bound_row(const lifting *l, int j, abuti_bounds b)
{
    abuti_build *build = l->build;
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    bool boxed = b.lower > -INFINITY && b.upper < INFINITY;
    double sign = b.lower > -INFINITY ? 1.0 : -1.0, half = boxed ? 0.5 * (b.upper - b.lower) : 0.0;
    double speed = half > 1.0 ? sqrt(half) : 1.0,
           diagonal = entry(l, 3 * l->plain->n + j, 3 * l->plain->n + j);
    double size = diagonal > 0.0 ? sqrt(diagonal) : 0.0;
    int lane = s->n++;
    store->size[0][lane] = boxed ? 1.0 : size;
    store->size[1][lane] = boxed ? size : 0.0;
    store->mu[lane] = half / speed;
    store->directions[lane] = boxed ? ABUT_DIRECTIONS_MIN : ABUT_DIRECTIONS_DEFAULT;
    store->row_scale[lane] = l->plain->joint_scale[j];
    store->index[lane] = abuti_lift_index(l->problem, l->plain->joint_index[j]);
    store->body[0][lane] = store->body[1][lane] = 0;
    for (int axis = 0; axis < 3; ++axis) store->offset[axis][lane] = build->before[axis][lane] = 0.0;
    if (boxed) store->offset[ABUTI_NORMAL][lane] = -speed;
    build->bias[lane] = 0.0;
    for (int t = 0; t < 2 && build->has_viscous; ++t) build->viscous[t][lane] = 0.0;
    if (build->damps) build->damping[lane] = 0.0;
    if (s->round) {
        build->round[lane] = false;
        build->ratio[0][lane] = build->ratio[1][lane] = 1.0;
    }
    double given = boxed ? 0.5 * (b.lower + b.upper) : sign > 0.0 ? b.lower : b.upper;
    build->lift.lane[build->lift.lanes++] =
        (abuti_bound_lane){.joint = l->plain->joint_index[j], .boxed = boxed, .sign = sign, .given = given};
}

static void keep_row(const lifting *l, int j)
{
    abuti_system *s = &l->build->system;
    abuti_system_store *store = &l->build->store;
    int to = s->joints++;
    store->joint_scale[to] = l->plain->joint_scale[j];
    store->joint_index[to] = l->plain->joint_index[j];
    store->joint_offset[to] = l->plain->joint_offset[j];
    store->joint_body[0][to] = store->joint_body[1][to] = 0;
}

static void take_contact(const lifting *l, int lane)
{
    const abuti_system *plain = l->plain;
    abuti_system_store *store = &l->build->store;
    double give = give_of(l, 3 * lane);
    for (int axis = 0; axis < 3; ++axis) store->offset[axis][lane] = plain->offset[axis][lane];
    store->mu[lane] = plain->mu[lane];
    store->directions[lane] = plain->directions[lane];
    store->row_scale[lane] = plain->row_scale[lane];
    store->index[lane] = plain->index[lane];
    store->body[0][lane] = store->body[1][lane] = 0;
    store->size[1][lane] = plain->size[1][lane];
    store->size[0][lane] =
        give > 0.0 ? sqrt(plain->size[0][lane] * plain->size[0][lane] + give) : plain->size[0][lane];
}

/* W of all lanes and joint rows, and what given impulses do to the offsets. */
static void fill_W(const lifting *l)
{
    abuti_system *s = &l->build->system;
    abuti_system_store *store = &l->build->store;
    int rows = 3 * s->n + s->joints;
    for (int r = 0; r < rows; ++r) {
        source from = source_of(l, r);
        double *to = store->W + (size_t)r * (size_t)s->W_ld;
        for (int c = 0; c < rows; ++c) {
            source other = source_of(l, c);
            bool joined = from.row >= 0 && other.row >= 0;
            to[c] = joined ? from.sign * other.sign * entry(l, from.row, other.row) : 0.0;
        }
        if (from.own) to[r] = 1.0;
        if (from.row < 0) continue;
        double *offset = r < 3 * s->n ? &store->offset[r % 3][r / 3] : &store->joint_offset[r - 3 * s->n];
        if (from.row >= 3 * l->plain->n && r < 3 * s->n)
            *offset = from.sign * l->plain->joint_offset[from.row - 3 * l->plain->n];
        *offset += from.sign * given_motion(l, from.row);
    }
}

void abuti_lift_local(abuti_build *build, const abut_contact_problem *problem)
{
    abuti_system *s = &build->system;
    abuti_lift *lift = &build->lift;
    bool viscous = build->has_viscous, flattened = build->flattened;
    abuti_lift_scale(build, problem, &build->door);
    lift->plain = *s;
    lift->used = lift->gives = true;
    lift->stands = false;
    lift->lanes = lift->numbers = 0;
    lifting l = {build, problem, &lift->plain};
    int lanes = s->n;
    for (int j = 0; j < lift->plain.joints; ++j)
        lanes += abuti_is_bounded(
            abuti_bounds_of(&problem->joints[s->joint_index[j]], s->unit * s->joint_scale[j]));
    s->lanes = abuti_padded(lanes);
    s->n = lanes;
    s->joints = 0;
    abuti_point_system(build);
    s->rows = NULL;
    s->W = build->store.W;
    abuti_pad_lanes(build);
    s->n = lift->plain.n;
    build->has_viscous = viscous;
    build->has_offsets = true;
    build->flattened = flattened;
    for (int lane = 0; lane < lift->plain.n; ++lane) take_contact(&l, lane);
    for (int j = 0; j < lift->plain.joints; ++j) {
        const abut_joint *joint = &problem->joints[lift->plain.joint_index[j]];
        abuti_bounds b = abuti_bounds_of(joint, s->unit * lift->plain.joint_scale[j]);
        if (abuti_is_bounded(b)) {
            bound_row(&l, j, b);
        } else {
            keep_row(&l, j);
        }
    }
    for (int lane = s->n; lane < s->lanes; ++lane) build->store.row_scale[lane] = 1.0;
    s->W_ld = 3 * s->n + s->joints;
    fill_W(&l);
    abuti_offsets_begin(build);
}
