/* impulse = impulse_s * unit * row_scale, velocity = v_s * unit (system.h), and what follows from them. */
#include "contact/unscale.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

void abuti_outputs_layout(abuti_outputs *out, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t contacts = (size_t)limits->contacts, lanes = (size_t)abuti_padded(limits->contacts);
    size_t velocities = 6 * (size_t)limits->bodies, blocks = (size_t)limits->bodies * 8;
    if ((size_t)limits->nv > velocities) velocities = (size_t)limits->nv;
    if ((size_t)abuti_padded(limits->nv) > blocks) blocks = (size_t)abuti_padded(limits->nv);
    out->contacts = abuti_take(arena, contacts, abut_contact_answer);
    out->faces = abuti_take(arena, contacts, abut_contact_face);
    out->impulses = abuti_take(arena, 3 * contacts, double);
    out->joints = abuti_take(arena, limits->joints, double);
    out->velocity = abuti_take(arena, velocities, double);
    out->ray = abuti_take(arena, 3 * contacts, double);
    out->v = abuti_take(arena, 2 * blocks + 8, double);
    out->plain = abuti_take(arena, blocks + 8, double);
    out->joint = abuti_take(arena, limits->joints, double);
    for (int axis = 0; axis < 3; ++axis) out->u[axis] = abuti_take(arena, lanes, double);
}

/* v = k + sum of rows * impulses, in the system's blocks (contacts only). */
static void add_contacts(const abuti_system *s, const abuti_answer *answer, double *v)
{
    memcpy(v, s->k, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
    const double *impulse[3] = {answer->theta, answer->f[0], answer->f[1]};
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < s->sides; ++side) {
            const double *rows = abuti_row(s, axis, side, 0);
            for (int lane = 0; lane < s->n; ++lane) {
                double p = impulse[axis][lane];
                if (p == 0.0) continue;
                double *at = v + (size_t)s->body[side][lane] * (size_t)s->stride;
                for (int c = 0; c < s->dim; ++c)
                    at[c] += rows[(size_t)c * (size_t)s->lanes + (size_t)lane] * p;
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

void abuti_unscale(const abuti_build *build, const abuti_joint_space *space, const abuti_system *s,
                   const abuti_answer *answer, const abut_contact_problem *problem,
                   const abuti_island *island, abuti_outputs *out)
{
    for (int lane = 0; lane < s->n; ++lane) {
        double *impulse = out->impulses + 3 * (size_t)s->index[lane], by = s->unit * s->row_scale[lane];
        impulse[0] = answer->theta[lane] * by;
        impulse[1] = answer->f[0][lane] * by;
        impulse[2] = answer->f[1][lane] * by;
    }
    /* The viscous part is known and stands in k; the tangential impulses that are reported contain it. */
    for (int lane = 0; lane < s->n && build->has_viscous; ++lane) {
        double *impulse = out->impulses + 3 * (size_t)s->index[lane];
        for (int t = 0; t < 2; ++t) impulse[1 + t] += build->viscous[t][lane];
    }
    const double *joint = answer->joint;
    if (s->rows) {
        add_contacts(s, answer, out->v);
        add_joints(s, joint, out->v);
        if (space->projected) {
            add_contacts(&build->system, answer, out->plain);
            abuti_joints_recover(space, out->plain, out->joint);
            joint = out->joint;
        }
    }
    for (int i = 0; i < island->joints; ++i) out->joints[island->joint[i]] = 0.0;
    for (int j = 0; j < build->system.joints; ++j) {
        out->joints[build->system.joint_index[j]] = joint[j] * s->unit * build->system.joint_scale[j];
    }
    const double *v = out->v;
    if (space->projected) {
        abuti_joints_unpack(build, out->v, out->plain);
        v = out->plain;
    }
    if (problem->generalised) {
        abuti_unbuild_generalised(build, v, out->velocity);
    } else if (!problem->local) {
        abuti_unbuild_bodies(build, island, v, out->velocity);
    }
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

/* u_s = rows.v + offset, or W p + offset. */
static void local_velocities(const abuti_system *s, const abuti_answer *answer, abuti_outputs *out)
{
    const double *impulse[3] = {answer->theta, answer->f[0], answer->f[1]};
    for (int axis = 0; axis < 3; ++axis) {
        double *u = out->u[axis];
        memcpy(u, s->offset[axis], (size_t)s->lanes * sizeof(double));
        for (int side = 0; side < s->sides && s->rows; ++side) {
            for (int c = 0; c < s->dim; ++c) {
                const double *row = abuti_row(s, axis, side, c);
                for (int lane = 0; lane < s->n; ++lane) {
                    u[lane] +=
                        row[lane] * out->v[(size_t)s->body[side][lane] * (size_t)s->stride + (size_t)c];
                }
            }
        }
        for (int lane = 0; lane < s->n && !s->rows; ++lane) {
            const double *row = s->W + (size_t)(3 * lane + axis) * (size_t)s->W_ld;
            for (int j = 0; j < 3 * s->n; ++j) u[lane] += row[j] * impulse[j % 3][j / 3];
            for (int j = 0; j < s->joints; ++j) u[lane] += row[3 * s->n + j] * answer->joint[j];
        }
    }
}

/* lambda: the largest -d_j.u, at least 0. */
static double slip_of(int directions, double x, double y)
{
    const double *d = abuti_direction(directions, 0);
    double slip = 0.0;
    for (int j = 0; j < directions; ++j) slip = fmax(slip, -(d[2 * j] * x + d[2 * j + 1] * y));
    return slip;
}

void abuti_describe(const abuti_build *build, const abuti_system *s, const abuti_answer *answer,
                    const abut_contact_problem *problem, abuti_outputs *out)
{
    local_velocities(s, answer, out);
    bool bodies = problem->body_count > 0;
    for (int lane = 0; lane < s->n; ++lane) {
        size_t i = (size_t)s->index[lane];
        double by = s->unit / s->row_scale[lane];
        double u[3] = {out->u[0][lane] * by, out->u[1][lane] * by, out->u[2][lane] * by};
        const double *impulse = out->impulses + 3 * i;
        abut_contact_face face = answer->face[lane];
        abut_contact_answer *at = &out->contacts[i];
        *at = (abut_contact_answer){.normal = impulse[0],
                                    .tangent = {impulse[1], impulse[2]},
                                    .state = (abut_contact_state)face.state,
                                    .face = face.face,
                                    .gap_velocity = u[0],
                                    .velocity = {u[0] - build->bias[lane], u[1], u[2]},
                                    .glued = answer->glued[lane]};
        at->slip = face.state == ABUT_STICK ? 0.0 : slip_of(s->directions[lane], u[1], u[2]);
        const abuti_frame_chunk *frames = &build->frames[lane / ABUTI_LANES];
        for (int c = 0; c < 3 && bodies; ++c) at->axis[c] = frames->axis[1][c][lane % ABUTI_LANES];
        out->faces[i] = face;
    }
}
