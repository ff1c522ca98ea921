/* The first door's right-hand sides: what gaps, restitution, drifts, kinematic bodies and viscous forces put
 * into the offsets of contacts, and joint rows. */
#include "contact/build/build.h"
#include <math.h>
#include <string.h>

/* Velocity of a body's point; zero for what does not move. */
static void point_velocity(const abut_contact_problem *problem, int body, const double point[3],
                           double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    if (body < 0 || problem->bodies[body].kind == ABUT_STATIC) return;
    const double *v = problem->bodies[body].velocity, *com = problem->bodies[body].com;
    double x = point[0] - com[0], y = point[1] - com[1], z = point[2] - com[2];
    out[0] = v[0] + (v[4] * z - v[5] * y);
    out[1] = v[1] + (v[5] * x - v[3] * z);
    out[2] = v[2] + (v[3] * y - v[4] * x);
}

static bool kinematic(const abut_contact_problem *problem, int body)
{
    return body >= 0 && problem->bodies[body].kind == ABUT_KINEMATIC;
}

/* u along the three axes: of both bodies, or of the kinematic ones alone. */
static void relative_velocity(const abuti_build *build, const abut_contact_problem *problem,
                              const abut_contact *contact, int lane, bool kinematic_only, double u[3])
{
    double w[3] = {0.0, 0.0, 0.0};
    for (int side = 0; side < 2; ++side) {
        double v[3];
        if (kinematic_only && !kinematic(problem, contact->bodies[side])) continue;
        point_velocity(problem, contact->bodies[side], abuti_point_of(contact, side), v);
        for (int c = 0; c < 3; ++c) w[c] += side ? -v[c] : v[c];
    }
    const abuti_frame_chunk *f = &build->frames[lane / ABUTI_LANES];
    int l = lane % ABUTI_LANES;
    for (int axis = 0; axis < 3; ++axis) {
        u[axis] = f->axis[axis][0][l] * w[0] + f->axis[axis][1][l] * w[1] + f->axis[axis][2][l] * w[2];
    }
}

/* One contact of any kind. */
static void one_offset(abuti_build *build, const abut_contact_problem *problem, int lane, int index,
                       bool moves)
{
    abuti_system_store *store = &build->store;
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    const abut_contact *contact = &problem->contacts[index];
    double u[3] = {0.0, 0.0, 0.0}, moving[3] = {0.0, 0.0, 0.0};
    if (acceleration || contact->restitution > 0.0 || contact->viscous > 0.0)
        relative_velocity(build, problem, contact, lane, false, u);
    build->bias[lane] = acceleration ? contact->drift[0]
                                     : abuti_bias(contact, problem->step, build->restitution_threshold, u[0]);
    if (!acceleration && (kinematic(problem, contact->bodies[0]) || kinematic(problem, contact->bodies[1])))
        relative_velocity(build, problem, contact, lane, true, moving);
    for (int axis = 0; axis < 3; ++axis) {
        build->before[axis][lane] = u[axis];
        store->offset[axis][lane] = acceleration ? contact->drift[axis] : moving[axis];
    }
    if (!acceleration) store->offset[0][lane] += build->bias[lane];
    if (moves && abuti_take_viscous(build, problem, contact, lane)) abuti_add_viscous(build, lane);
}

/* Does eight contacts from `first` on that have nothing but gaps and restitution. False, and nothing is done, when some
 * have more. */
static bool eight_gaps(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island,
                       int first)
{
    static const abut_body still = {.mass = 1.0};
    abuti_system_store *store = &build->store;
    const void *contact[ABUTI_LANES], *body[2][ABUTI_LANES];
    int count = island->contacts - first < ABUTI_LANES ? island->contacts - first : ABUTI_LANES;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        const abut_contact *c = &problem->contacts[island->contact[first + (l < count ? l : 0)]];
        if (c->viscous > 0.0 || c->two_points) return false;
        contact[l] = c;
        for (int side = 0; side < 2; ++side) {
            const abut_body *at = c->bodies[side] < 0 ? &still : &problem->bodies[c->bodies[side]];
            if (at->kind == ABUT_KINEMATIC) return false;
            body[side][l] = at->kind == ABUT_STATIC ? &still : at;
        }
    }
    double bias[ABUTI_LANES];
    build->kernel->bias(contact, &build->frames[first / ABUTI_LANES], body[0], body[1], problem->step,
                        build->restitution_threshold, bias);
    for (int l = 0; l < count; ++l) {
        build->bias[first + l] = store->offset[0][first + l] = bias[l];
        store->offset[1][first + l] = store->offset[2][first + l] = 0.0;
    }
    return true;
}

void abuti_body_offsets(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island)
{
    bool gaps = !abuti_model_of(problem->model)->acceleration;
    bool moves = island->bodies > 0; /* else no impulse moves anything, and none is given */
    abuti_offsets_begin(build);
    for (int first = 0; first < island->contacts; first += ABUTI_LANES) {
        if (gaps && eight_gaps(build, problem, island, first)) continue;
        for (int lane = first; lane < island->contacts && lane < first + ABUTI_LANES; ++lane)
            one_offset(build, problem, lane, island->contact[lane], moves);
    }
}

void abuti_body_joint(abuti_build *build, const abut_contact_problem *problem, const abuti_islands *islands,
                      int j, int index)
{
    abuti_system_store *store = &build->store;
    const abuti_system *s = &build->system;
    const abut_joint *joint = &problem->joints[index];
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    double offset = (acceleration ? joint->drift : 0.0) - joint->target, square = 0.0;
    double *rows = store->joint_rows + (size_t)(j * s->sides) * 8;
    memset(rows, 0, (size_t)s->sides * 8 * sizeof *rows);
    int filled = 0;
    store->joint_body[0][j] = store->joint_body[1][j] = s->bodies;
    for (int side = 0; side < 2; ++side) {
        int body = joint->bodies[side];
        if (body < 0) continue;
        const double *J = joint->jacobian[side];
        int block = islands->block[body];
        if (block < 0) {
            if (!acceleration && kinematic(problem, body)) {
                for (int c = 0; c < 6; ++c) offset += J[c] * problem->bodies[body].velocity[c];
            }
            continue;
        }
        double *row = rows + 8 * filled;
        abuti_body_row(&build->factor[block], J, row);
        for (int c = 0; c < 6; ++c) square += row[c] * row[c];
        store->joint_body[filled++][j] = block;
    }
    double scale = abuti_scale_of_square(square);
    for (int c = 0; c < s->sides * 8; ++c) rows[c] *= scale;
    store->joint_scale[j] = scale;
    store->joint_offset[j] = offset;
    store->joint_index[j] = index;
}
