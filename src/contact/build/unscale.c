/* The way back: impulse = impulse_s * unit * row_scale, velocity = v_s * unit (system.h), and what follows from
 * them. */
#include "contact/build/unscale.h"
#include "base/length.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

void abuti_outputs_layout(abuti_outputs *out, abuti_arena *arena, const abut_contact_limits *limits)
{
    abut_contact_limits stages = abuti_limits_of_stages(limits);
    size_t contacts = (size_t)limits->contacts + (limits->bounded > 0 ? (size_t)limits->joints : 0);
    size_t lanes = (size_t)abuti_padded(stages.contacts);
    size_t velocities = 6 * (size_t)limits->bodies, blocks = (size_t)stages.bodies * 8;
    if ((size_t)limits->nv > velocities) velocities = (size_t)limits->nv;
    if ((size_t)abuti_padded(stages.nv) > blocks) blocks = (size_t)abuti_padded(stages.nv);
    out->contacts = abuti_take(arena, contacts, abut_contact_answer);
    out->faces = abuti_take(arena, contacts, abut_contact_face);
    out->impulses = abuti_take(arena, 3 * contacts, double);
    out->joints = abuti_take(arena, limits->joints, double);
    out->velocity = abuti_take(arena, velocities, double);
    out->ray = abuti_take(arena, 3 * contacts, double);
    out->witness = abuti_take(arena, contacts, double);
    out->witness_joints = abuti_take(arena, limits->joints, double);
    out->v = abuti_take(arena, 2 * blocks + 8, double);
    out->plain = abuti_take(arena, 2 * blocks + 8, double);
    out->blocks = abuti_take(arena, limits->bounded + limits->compliant > 0 ? blocks : 0, double);
    out->joint = abuti_take(arena, limits->joints, double);
    for (int axis = 0; axis < 3; ++axis) {
        out->p[axis] = abuti_take(arena, lanes, double);
        out->u[axis] = abuti_take(arena, lanes, double);
    }
    out->slip = abuti_take(arena, lanes, double);
    out->mark = abuti_take(arena, lanes, abuti_mark);
}

/* Systems of rigid bodies have blocks of six numbers, for which the lane kernel has its passes. */
static bool rigid(const abuti_system *s)
{
    return s->rows && s->dim == 6;
}

/* Whether rows are zero but on one or two blocks each (build/parts.h). */
static bool falls_apart(const abuti_build *build, const abuti_system *s)
{
    return s->rows && build->partition.count > 0 && s->rows == build->system.rows;
}

/* v += row * impulse of one lane, on the components from first on. */
static void add_numbers(const double *row, size_t lanes, double p, int first, int count, double *v)
{
    for (int c = first; c < first + count; ++c) v[c] += row[(size_t)c * lanes] * p;
}

/* v = k + sum of rows * impulses, in the system's blocks (contacts only). */
static void add_contacts(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                         double *v)
{
    const abuti_lane_kernel *kernel = build->kernel;
    const abuti_part_store *parts = &build->partition;
    bool fall_apart = falls_apart(build, s);
    memcpy(v, s->k, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    const double *impulse[3] = {answer->theta, answer->f[0], answer->f[1]};
    if (rigid(s) && s->bodies == 1 && s->sides == 1) {
        kernel->impulse(s->rows, (size_t)s->lanes, impulse, v);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < s->sides; ++side) {
            const double *rows = abuti_row(s, axis, side, 0);
            for (int lane = 0; lane < s->n; ++lane) {
                double p = impulse[axis][lane];
                if (p == 0.0) continue;
                double *at = v + (size_t)s->body[side][lane] * (size_t)s->stride;
                for (int part = 0; part < 2 && fall_apart; ++part) {
                    int block = parts->body[part][lane];
                    if (block < parts->count)
                        add_numbers(rows + lane, (size_t)s->lanes, p, parts->first[block], parts->size[block],
                                    at);
                }
                int from = fall_apart && build->lift.used ? build->lift.numbers : 0;
                if (!fall_apart || build->lift.used)
                    add_numbers(rows + lane, (size_t)s->lanes, p, from, s->dim - from, at);
            }
        }
    }
    memset(v + (size_t)(s->bodies * s->stride), 0, (size_t)s->stride * sizeof(double));
}

static void add_joints(const abuti_system *s, const double *joint, double *v)
{
    for (int j = 0; j < s->joints; ++j) {
        for (int side = 0; side < s->sides; ++side) {
            int block = s->joint_body[side][j];
            if (block >= s->bodies) continue;
            const double *row = s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride;
            double *at = v + (size_t)block * (size_t)s->stride;
            for (int c = 0; c < s->dim; ++c) at[c] += row[c] * joint[j];
        }
    }
}

/* Impulses in the caller's units, lane by lane and contact by contact. The viscous part is known and contained in k, or
 * it is that of the dampers; the tangential impulses that are reported contain it. */
static void unscale_impulses(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                             abuti_outputs *out)
{
    const double *scaled[3] = {answer->theta, answer->f[0], answer->f[1]};
    build->kernel->unscale(s->unit, s->row_scale, s->lanes, scaled, out->p);
    for (int axis = 1; axis < 3 && build->flattened; ++axis) {
        for (int lane = 0; lane < s->n; ++lane) out->p[axis][lane] *= build->ratio[axis - 1][lane];
    }
    for (int axis = 1; axis < 3 && (build->has_viscous || build->damps); ++axis) {
        for (int lane = 0; lane < s->n; ++lane) out->p[axis][lane] += build->viscous[axis - 1][lane];
    }
    for (int lane = 0; lane < s->n; ++lane) {
        double *impulse = out->impulses + 3 * (size_t)s->index[lane];
        impulse[0] = out->p[0][lane];
        impulse[1] = out->p[1][lane];
        impulse[2] = out->p[2][lane];
    }
}

/* Bounded rows are lanes: their impulses are written to those of joint rows. */
static void unscale_bounded(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                            abuti_outputs *out)
{
    const abuti_lift *lift = &build->lift;
    for (int l = 0; l < lift->lanes; ++l) {
        const abuti_bound_lane *row = &lift->lane[l];
        int lane = lift->plain.n + l;
        double p = row->given + (row->boxed ? answer->f[0][lane] : row->sign * answer->theta[lane]);
        bool moves = lift->plain.bodies > 0 || s->W; /* else no impulse moves anything, and none is given */
        out->joints[row->joint] = moves ? p * s->unit * s->row_scale[lane] : 0.0;
    }
}

/* The velocities of a system's blocks, as its door has them. */
static void unbuild(const abuti_build *build, const abut_contact_problem *problem, const abuti_island *island,
                    const double *v, double *velocity)
{
    const abut_generalised *g = problem->generalised;
    if (g && g->block_count > 0) {
        abuti_unbuild_blocks(build, island, v, velocity);
    } else if (g) {
        abuti_unbuild_generalised(build, g->nv, v, velocity);
    } else if (!problem->local) {
        abuti_unbuild_bodies(build, island, v, velocity);
    }
}

void abuti_unscale(const abuti_build *build, const abuti_joint_space *space, const abuti_system *s,
                   const abuti_answer *answer, const abut_contact_problem *problem,
                   const abuti_island *island, abuti_outputs *out)
{
    const double *joint = answer->joint;
    if (s->rows) {
        add_contacts(build, s, answer, out->v);
        add_joints(s, joint, out->v);
        if (space->projected) {
            add_contacts(build, &build->system, answer, out->plain);
            abuti_joints_recover(space, out->plain, out->joint);
            joint = out->joint;
        }
    }
    if (build->damps) abuti_damper_impulses(build, s, answer, out->v);
    unscale_impulses(build, s, answer, out);
    for (int i = 0; i < island->joints; ++i) out->joints[island->joint[i]] = 0.0;
    for (int j = 0; j < build->system.joints; ++j) {
        out->joints[build->system.joint_index[j]] = joint[j] * s->unit * build->system.joint_scale[j];
    }
    const double *v = out->v;
    if (space->projected) {
        abuti_joints_unpack(build, out->v, out->plain);
        v = out->plain;
    }
    if (build->lift.used) {
        unscale_bounded(build, s, answer, out);
        abuti_lift_unpack(&build->lift, v, out->blocks);
        v = out->blocks;
    }
    if (build->damps && s->rows) {
        double *undamped = build->lift.used ? out->blocks : out->plain;
        if (v == out->v) memcpy(undamped, v, (size_t)(s->bodies * s->stride) * sizeof *v);
        v = abuti_undamp(build, undamped);
    }
    unbuild(build, problem, island, v, out->velocity);
}

void abuti_unscale_witness(const abuti_build *build, const double *contact, const double *joint,
                           abuti_outputs *out)
{
    const abuti_system *s = &build->system;
    const abuti_lift *lift = &build->lift;
    int contacts = lift->used ? lift->plain.n : s->n;
    for (int i = 0; i < contacts; ++i) out->witness[s->index[i]] += contact[i] * s->row_scale[i];
    for (int j = 0; j < s->joints; ++j)
        out->witness_joints[s->joint_index[j]] += joint[j] * s->joint_scale[j];
    for (int l = 0; l < (lift->used ? lift->lanes : 0); ++l)
        out->witness_joints[lift->lane[l].joint] +=
            lift->lane[l].sign * contact[contacts + l] * s->row_scale[contacts + l];
}

void abuti_unscale_ray(const abuti_system *s, const double *ray, abuti_outputs *out)
{
    for (int lane = 0; lane < s->n; ++lane) {
        for (int axis = 0; axis < 3; ++axis) {
            out->ray[3 * (size_t)s->index[lane] + (size_t)axis] =
                ray[(size_t)axis * (size_t)s->lanes + (size_t)lane] * s->unit * s->row_scale[lane];
        }
    }
}

/* u_s of a system of rigid bodies, eight contacts at a time. */
static void rigid_velocities(const abuti_lane_kernel *kernel, const abuti_system *s, const double *v,
                             double *const u[3])
{
    size_t lanes = (size_t)s->lanes, axis = (size_t)(6 * s->sides) * lanes;
    const void *block[ABUTI_LANES];
    if (s->bodies == 1 && s->sides == 1) {
        kernel->velocities(s->rows, lanes, v, s->offset, u);
        return;
    }
    for (int side = 0; side < s->sides; ++side) {
        for (int first = 0; first < s->lanes; first += ABUTI_LANES) {
            for (int l = 0; l < ABUTI_LANES; ++l)
                block[l] = v + (size_t)s->body[side][first + l] * (size_t)s->stride;
            double *const to[3] = {u[0] + first, u[1] + first, u[2] + first};
            const double *const offset[3] = {s->offset[0] + first, s->offset[1] + first,
                                             s->offset[2] + first};
            const double *const before[3] = {to[0], to[1], to[2]};
            kernel->velocity(abuti_row(s, 0, side, 0) + first, lanes, axis, block,
                             side == 0 ? offset : before, to);
        }
    }
}

/* u_s = rows.v + offset, or W p + offset. */
static void general_velocities(const abuti_system *s, const abuti_answer *answer, const double *v,
                               double *const u[3])
{
    const double *impulse[3] = {answer->theta, answer->f[0], answer->f[1]};
    for (int axis = 0; axis < 3; ++axis) {
        double *out = u[axis];
        memcpy(out, s->offset[axis], (size_t)s->lanes * sizeof(double));
        for (int side = 0; side < s->sides && s->rows; ++side) {
            for (int c = 0; c < s->dim; ++c) {
                const double *row = abuti_row(s, axis, side, c);
                for (int lane = 0; lane < s->n; ++lane) {
                    out[lane] += row[lane] * v[(size_t)s->body[side][lane] * (size_t)s->stride + (size_t)c];
                }
            }
        }
        for (int lane = 0; lane < s->n && !s->rows; ++lane) {
            const double *row = s->W + (size_t)(3 * lane + axis) * (size_t)s->W_ld;
            for (int j = 0; j < 3 * s->n; ++j) out[lane] += row[j] * impulse[j % 3][j / 3];
            for (int j = 0; j < s->joints; ++j) out[lane] += row[3 * s->n + j] * answer->joint[j];
        }
    }
}

/* u_s of a system that falls into parts, lane by lane. */
static void apart_velocities(const abuti_build *build, const abuti_system *s, const double *v,
                             double *const u[3])
{
    const abuti_part_store *parts = &build->partition;
    size_t lanes = (size_t)s->lanes;
    int privates = build->lift.used ? build->lift.numbers : s->dim;
    for (int axis = 0; axis < 3; ++axis) {
        const double *rows = abuti_row(s, axis, 0, 0);
        for (int lane = 0; lane < s->lanes; ++lane) {
            double sum = s->offset[axis][lane];
            for (int part = 0; part < 2 && lane < s->n; ++part) {
                int block = parts->body[part][lane], first = block < parts->count ? parts->first[block] : 0,
                    size = block < parts->count ? parts->size[block] : 0;
                for (int c = first; c < first + size; ++c)
                    sum += rows[(size_t)c * lanes + (size_t)lane] * v[c];
            }
            for (int c = privates; c < s->dim && lane < s->n; ++c)
                sum += rows[(size_t)c * lanes + (size_t)lane] * v[c];
            u[axis][lane] = sum;
        }
    }
}

/* Writes what the answer says of each contact into marks and faces, and the 0 or 1 that `slips` starts from. */
static void take_states(const abuti_system *s, const abuti_answer *answer, abuti_outputs *out)
{
    for (int lane = 0; lane < s->n; ++lane) {
        abut_contact_face face = answer->face[lane];
        int index = s->index[lane];
        out->mark[lane] = (abuti_mark){(abut_contact_state)face.state, face.face};
        out->slip[lane] = face.state == ABUT_STICK ? 0.0 : 1.0;
        out->faces[index] = face;
        out->contacts[index].glued = answer->glued[lane];
    }
}

static bool same_directions(const abuti_system *s)
{
    int differ = 0;
    for (int lane = 1; lane < s->n; ++lane) differ |= s->directions[lane] ^ s->directions[0];
    return differ == 0;
}

/* lambda of all contacts, scaled: the largest -d_j.u, at least 0; 0 where they stick. */
static void slips(const abuti_lane_kernel *kernel, const abuti_system *s, const double *x, const double *y,
                  double *slip)
{
    if (s->n > 0 && same_directions(s)) {
        kernel->slip(s->directions[0], abuti_direction(s->directions[0], 0), s->lanes, x, y, slip);
        return;
    }
    for (int lane = 0; lane < s->n; ++lane) {
        const double *d = abuti_direction(s->directions[lane], 0);
        double most = 0.0;
        for (int j = 0; j < s->directions[lane]; ++j)
            most = fmax(most, -(d[2 * j] * x[lane] + d[2 * j + 1] * y[lane]));
        slip[lane] *= most;
    }
}

/* Circles slip by |u_t|; and the velocities of ellipses are brought back (cones.c). */
static void round_slips(const abuti_build *build, const abuti_system *s, abuti_outputs *out)
{
    for (int lane = 0; lane < s->n; ++lane) {
        bool sticks = out->mark[lane].state == ABUT_STICK;
        if (s->round[lane]) out->slip[lane] = sticks ? 0.0 : abuti_length(out->u[1][lane], out->u[2][lane]);
        for (int t = 0; t < 2 && build->flattened; ++t) out->u[1 + t][lane] /= build->ratio[t][lane];
    }
}

/* Eight contacts from `first` on. */
static void describe_eight(const abuti_build *build, const abuti_system *s, int first, bool bodies,
                           abuti_outputs *out)
{
    static const double none[ABUTI_LANES] = {0.0};
    const abuti_frame_chunk *frames = &build->frames[first / ABUTI_LANES];
    abut_contact_answer nowhere;
    void *to[ABUTI_LANES];
    abuti_answer_lanes in = {.unit = s->unit,
                             .row_scale = s->row_scale + first,
                             .slip = out->slip + first,
                             .bias = build->bias + first,
                             .mark = out->mark + first};
    for (int c = 0; c < 3; ++c) {
        in.impulse[c] = out->p[c] + first;
        in.u[c] = out->u[c] + first;
        in.axis[c] = bodies ? frames->axis[1][c] : none;
    }
    int count = s->n - first < ABUTI_LANES ? s->n - first : ABUTI_LANES;
    for (int l = 0; l < count; ++l) to[l] = &out->contacts[s->index[first + l]];
    for (int l = count; l < ABUTI_LANES; ++l) to[l] = &nowhere;
    build->kernel->answers(&in, to);
}

/* Takes out of velocities how fast contacts give way, which is no velocity of their bodies. */
static void take_compliance(const abuti_lift *lift, const abut_contact_problem *problem, abuti_outputs *out)
{
    for (int lane = 0; lane < lift->plain.n; ++lane) {
        int index = lift->plain.index[lane];
        abut_contact_answer *contact = &out->contacts[index];
        contact->velocity[0] -= problem->contacts[index].compliance * contact->normal;
    }
}

void abuti_describe(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                    const abut_contact_problem *problem, abuti_outputs *out)
{
    take_states(s, answer, out);
    if (rigid(s)) {
        rigid_velocities(build->kernel, s, out->v, out->u);
    } else if (falls_apart(build, s)) {
        apart_velocities(build, s, out->v, out->u);
    } else {
        general_velocities(s, answer, out->v, out->u);
    }
    slips(build->kernel, s, out->u[1], out->u[2], out->slip);
    if (s->round) round_slips(build, s, out);
    for (int first = 0; first < s->n; first += ABUTI_LANES)
        describe_eight(build, s, first, problem->body_count > 0, out);
    if (build->lift.used) take_compliance(&build->lift, problem, out);
}
