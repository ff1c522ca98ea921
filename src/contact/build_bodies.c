/* The first door: bodies and contacts in maximal coordinates, six numbers a body.
 *
 * With M = G G', G = diag(sqrt(m) I, L) and inertia = L L', the Jacobian row of a unit impulse a at the arm r
 * becomes
 *
 *     (a / sqrt(m), L^-1 (r x a)),        k = (sqrt(m) v + step f / sqrt(m), L' w + step L^-1 torque),
 *
 * for the body that receives +a, and its negative for the other (Lloyd 2005, section 3, in the coordinates of
 * eq. (22)). */
#include "contact/build.h"
#include "contact/validate.h"
#include <math.h>
#include <string.h>

/* inertia is stored xx, yy, zz, xy, xz, yz. */
static bool factor_inertia(const double I[6], double L[6], double inverse[6])
{
    double l00 = sqrt(I[0]);
    double l10 = I[3] / l00, l20 = I[4] / l00;
    double d1 = I[1] - l10 * l10;
    double l11 = sqrt(d1);
    double l21 = (I[5] - l20 * l10) / l11;
    double d2 = I[2] - l20 * l20 - l21 * l21;
    double l22 = sqrt(d2);
    L[0] = l00, L[1] = l10, L[2] = l11, L[3] = l20, L[4] = l21, L[5] = l22;
    inverse[0] = 1.0 / l00;
    inverse[2] = 1.0 / l11;
    inverse[5] = 1.0 / l22;
    inverse[1] = -l10 * inverse[0] * inverse[2];
    inverse[4] = -l21 * inverse[2] * inverse[5];
    inverse[3] = -(l20 * inverse[0] + l21 * inverse[1]) * inverse[5];
    return I[0] > 0.0 && d1 > ABUTI_DEFINITE * I[1] && d2 > ABUTI_DEFINITE * I[2];
}

bool abuti_factor_body(const abut_body *body, abuti_factor *factor)
{
    factor->root = sqrt(body->mass);
    factor->inverse_root = 1.0 / factor->root;
    memcpy(factor->com, body->com, sizeof factor->com);
    return body->mass > 0.0 && factor_inertia(body->inertia, factor->L, factor->inverse);
}

/* k of one block, in the caller's units. */
static void body_k(const abut_body *body, const abuti_factor *g, double step, bool acceleration, double *k)
{
    const double *v = body->velocity, *f = body->force, *L = g->L, *inverse = g->inverse;
    double h = acceleration ? 1.0 : step;
    double keep = acceleration ? 0.0 : 1.0;
    for (int c = 0; c < 3; ++c) k[c] = keep * g->root * v[c] + h * g->inverse_root * f[c];
    k[3] = keep * (L[0] * v[3] + L[1] * v[4] + L[3] * v[5]) + h * inverse[0] * f[3];
    k[4] = keep * (L[2] * v[4] + L[4] * v[5]) + h * (inverse[1] * f[3] + inverse[2] * f[4]);
    k[5] = keep * L[5] * v[5] + h * (inverse[3] * f[3] + inverse[4] * f[4] + inverse[5] * f[5]);
    k[6] = k[7] = 0.0;
}

void abuti_unbuild_bodies(const abuti_build *build, const abuti_island *island, const double *v_scaled,
                          double *velocity)
{
    double unit = build->system.unit;
    for (int b = 0; b < island->bodies; ++b) {
        const double *s = v_scaled + (size_t)b * 8, *inverse = build->factor[b].inverse;
        double *v = velocity + 6 * (size_t)island->body[b];
        for (int c = 0; c < 3; ++c) v[c] = s[c] * build->factor[b].inverse_root * unit;
        v[3] = (inverse[0] * s[3] + inverse[1] * s[4] + inverse[3] * s[5]) * unit;
        v[4] = (inverse[2] * s[4] + inverse[4] * s[5]) * unit;
        v[5] = inverse[5] * s[5] * unit;
    }
}

/* The blocks that a pair of bodies moves: side 0 is A if it moves, else B. Side 1 is B when both move. */
static void sides_of(const int *block, const int pair[2], int none, int side[2], double sign[2])
{
    int a = pair[0] >= 0 ? block[pair[0]] : -1, b = pair[1] >= 0 ? block[pair[1]] : -1;
    side[0] = a >= 0 ? a : b >= 0 ? b : none;
    sign[0] = a >= 0 ? 1.0 : -1.0;
    side[1] = a >= 0 && b >= 0 ? b : none;
    sign[1] = -1.0;
}

static void lane_constants(abuti_lanes *lanes, int side, int lane, const abuti_factor *factor, double sign)
{
    for (int c = 0; c < 3; ++c) lanes->com[side][c][lane] = factor->com[c];
    lanes->root[side][lane] = sign * factor->inverse_root;
    for (int c = 0; c < 6; ++c) lanes->inverse[side][c][lane] = sign * factor->inverse[c];
}

static void clear_lane(abuti_lanes *lanes, int side, int lane)
{
    for (int c = 0; c < 3; ++c) lanes->com[side][c][lane] = 0.0;
    lanes->root[side][lane] = 0.0;
    for (int c = 0; c < 6; ++c) lanes->inverse[side][c][lane] = 0.0;
}

static void spread_contact(abuti_build *build, const abut_contact *contact, int lane, int index,
                           const int *block)
{
    abuti_system_store *store = &build->store;
    abuti_lanes *lanes = &build->lanes;
    const abuti_system *s = &build->system;
    int side[2] = {0, 0};
    double sign[2] = {1.0, -1.0};
    sides_of(block, contact->bodies, s->bodies, side, sign);
    for (int k = 0; k < 2; ++k) {
        store->body[k][lane] = side[k];
        if (k >= s->sides) continue;
        if (side[k] < s->bodies) {
            lane_constants(lanes, k, lane, &build->factor[side[k]], sign[k]);
        } else {
            clear_lane(lanes, k, lane);
        }
    }
    for (int c = 0; c < 3; ++c) {
        lanes->point[c][lane] = contact->point[c];
        lanes->axis[0][c][lane] = contact->normal[c];
        lanes->axis[1][c][lane] = contact->tangent[c];
    }
    abuti_lane_of_contact(build, contact, lane, index);
}

/* Padding lanes have a valid frame and touch nothing. */
static void pad_frames(abuti_build *build)
{
    abuti_lanes *lanes = &build->lanes;
    for (int lane = build->system.n; lane < build->system.lanes; ++lane) {
        for (int c = 0; c < 3; ++c) {
            lanes->point[c][lane] = 0.0;
            lanes->axis[0][c][lane] = c == 2 ? 1.0 : 0.0;
            lanes->axis[1][c][lane] = c == 0 ? 1.0 : 0.0;
        }
        for (int side = 0; side < build->system.sides; ++side) clear_lane(lanes, side, lane);
    }
}

/* Unit normal, unit tangent orthogonal to it, and their cross product; false when an input is no such thing.
 */
static bool make_frames(abuti_lanes *lanes, int count)
{
    double *nx = lanes->axis[0][0], *ny = lanes->axis[0][1], *nz = lanes->axis[0][2];
    double *tx = lanes->axis[1][0], *ty = lanes->axis[1][1], *tz = lanes->axis[1][2];
    double *bx = lanes->axis[2][0], *by = lanes->axis[2][1], *bz = lanes->axis[2][2];
    long bad = 0;
    for (int i = 0; i < count; ++i) {
        double square = nx[i] * nx[i] + ny[i] * ny[i] + nz[i] * nz[i];
        bad |= !(fabs(square - 1.0) <= 2.0 * ABUTI_UNIT_NORMAL);
        double scale = 1.0 / sqrt(square);
        double x = nx[i] * scale, y = ny[i] * scale, z = nz[i] * scale;
        /* An absent tangent is the axis with the least |n_k|, the lowest k on a tie. */
        double ax = fabs(x), ay = fabs(y), az = fabs(z);
        double given = tx[i] * tx[i] + ty[i] * ty[i] + tz[i] * tz[i];
        bool absent = given == 0.0;
        bool is_x = ax <= ay && ax <= az;
        bool is_y = !is_x && ay <= az;
        double gx = absent ? (is_x ? 1.0 : 0.0) : tx[i];
        double gy = absent ? (is_y ? 1.0 : 0.0) : ty[i];
        double gz = absent ? (is_x || is_y ? 0.0 : 1.0) : tz[i];
        given = absent ? 1.0 : given;
        double along = gx * x + gy * y + gz * z;
        gx -= along * x, gy -= along * y, gz -= along * z;
        double left = gx * gx + gy * gy + gz * gz;
        bad |= !(left > ABUTI_TANGENT_LEFT * given) | !(given <= ABUTI_LARGEST);
        double shrink = 1.0 / sqrt(left);
        gx *= shrink, gy *= shrink, gz *= shrink;
        nx[i] = x, ny[i] = y, nz[i] = z;
        tx[i] = gx, ty[i] = gy, tz[i] = gz;
        bx[i] = y * gz - z * gy, by[i] = z * gx - x * gz, bz[i] = x * gy - y * gx;
    }
    return bad == 0;
}

/* The rows of one axis on one side for all lanes; adds their squares. */
static void make_rows(const abuti_lanes *lanes, int axis, int side, int count, double *restrict rows,
                      double *restrict square)
{
    const double *px = lanes->point[0], *py = lanes->point[1], *pz = lanes->point[2];
    const double *cx = lanes->com[side][0], *cy = lanes->com[side][1], *cz = lanes->com[side][2];
    const double *ax = lanes->axis[axis][0], *ay = lanes->axis[axis][1], *az = lanes->axis[axis][2];
    const double *root = lanes->root[side];
    double *const *g = (double *const *)lanes->inverse[side];
    const double *g0 = g[0], *g1 = g[1], *g2 = g[2], *g3 = g[3], *g4 = g[4], *g5 = g[5];
    for (int i = 0; i < count; ++i) {
        double x = px[i] - cx[i], y = py[i] - cy[i], z = pz[i] - cz[i];
        double mx = y * az[i] - z * ay[i], my = z * ax[i] - x * az[i], mz = x * ay[i] - y * ax[i];
        double r0 = ax[i] * root[i], r1 = ay[i] * root[i], r2 = az[i] * root[i];
        double r3 = g0[i] * mx;
        double r4 = g1[i] * mx + g2[i] * my;
        double r5 = g3[i] * mx + g4[i] * my + g5[i] * mz;
        rows[i] = r0;
        rows[count + i] = r1;
        rows[2 * count + i] = r2;
        rows[3 * count + i] = r3;
        rows[4 * count + i] = r4;
        rows[5 * count + i] = r5;
        square[i] += r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3 + r4 * r4 + r5 * r5;
    }
}

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
        point_velocity(problem, contact->bodies[side], contact->point, v);
        for (int c = 0; c < 3; ++c) w[c] += side ? -v[c] : v[c];
    }
    for (int axis = 0; axis < 3; ++axis) {
        double *const *a = (double *const *)build->lanes.axis[axis];
        u[axis] = a[0][lane] * w[0] + a[1][lane] * w[1] + a[2][lane] * w[2];
    }
}

static void make_offsets(abuti_build *build, const abut_contact_problem *problem, const abuti_island *island)
{
    abuti_system_store *store = &build->store;
    bool acceleration = abuti_acceleration_level(problem->model);
    for (int lane = 0; lane < island->contacts; ++lane) {
        const abut_contact *contact = &problem->contacts[island->contact[lane]];
        double u[3] = {0.0, 0.0, 0.0}, moving[3] = {0.0, 0.0, 0.0};
        if (acceleration || contact->gap > 0.0 || contact->restitution > 0.0 || contact->viscous > 0.0) {
            relative_velocity(build, problem, contact, lane, false, u);
        }
        build->bias[lane] = acceleration ? contact->drift[0] : abuti_bias(contact, problem->step, u[0]);
        if (!acceleration &&
            (kinematic(problem, contact->bodies[0]) || kinematic(problem, contact->bodies[1]))) {
            relative_velocity(build, problem, contact, lane, true, moving);
        }
        for (int axis = 0; axis < 3; ++axis) {
            build->before[axis][lane] = u[axis];
            store->offset[axis][lane] = acceleration ? contact->drift[axis] : moving[axis];
        }
        if (!acceleration) store->offset[0][lane] += build->bias[lane];
        if (abuti_take_viscous(build, problem, contact, lane)) abuti_add_viscous(build, lane);
    }
}

static void make_joint(abuti_build *build, const abut_contact_problem *problem, const abuti_islands *islands,
                       int j, int index)
{
    abuti_system_store *store = &build->store;
    const abuti_system *s = &build->system;
    const abut_joint *joint = &problem->joints[index];
    bool acceleration = abuti_acceleration_level(problem->model);
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
        const abuti_factor *g = &build->factor[block];
        double *row = rows + 8 * filled;
        for (int c = 0; c < 3; ++c) row[c] = J[c] * g->inverse_root;
        row[3] = g->inverse[0] * J[3];
        row[4] = g->inverse[1] * J[3] + g->inverse[2] * J[4];
        row[5] = g->inverse[3] * J[3] + g->inverse[4] * J[4] + g->inverse[5] * J[5];
        for (int c = 0; c < 6; ++c) square += row[c] * row[c];
        store->joint_body[filled++][j] = block;
    }
    double scale = abuti_scale_of_square(square);
    for (int c = 0; c < s->sides * 8; ++c) rows[c] *= scale;
    store->joint_scale[j] = scale;
    store->joint_offset[j] = offset;
    store->joint_index[j] = index;
}

/* Whether some contact or joint of the island moves two blocks. */
static int sides_needed(const abut_contact_problem *problem, const abuti_islands *islands,
                        const abuti_island *island)
{
    for (int i = 0; i < island->contacts && island->bodies > 1; ++i) {
        const int *pair = problem->contacts[island->contact[i]].bodies;
        if (pair[0] >= 0 && pair[1] >= 0 && islands->block[pair[0]] >= 0 && islands->block[pair[1]] >= 0)
            return 2;
    }
    for (int i = 0; i < island->joints && island->bodies > 1; ++i) {
        const int *pair = problem->joints[island->joint[i]].bodies;
        if (pair[0] >= 0 && pair[1] >= 0 && islands->block[pair[0]] >= 0 && islands->block[pair[1]] >= 0)
            return 2;
    }
    return 1;
}

abut_status abuti_build_bodies(abuti_build *build, const abut_contact_problem *problem,
                               const abuti_islands *islands, const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    *s = (abuti_system){.model = problem->model,
                        .n = island->contacts,
                        .lanes = (island->contacts + 7) / 8 * 8,
                        .bodies = island->bodies,
                        .dim = 6,
                        .stride = 8,
                        .sides = sides_needed(problem, islands, island),
                        .joints = island->joints};
    abuti_point_system(build);

    bool acceleration = abuti_acceleration_level(problem->model), valid = true;
    for (int b = 0; b < s->bodies; ++b) {
        const abut_body *body = &problem->bodies[island->body[b]];
        valid = valid && abuti_valid_body(body) && abuti_factor_body(body, &build->factor[b]);
        if (!valid) return ABUT_INVALID_ARGUMENT;
        body_k(body, &build->factor[b], problem->step, acceleration, store->k + (size_t)b * 8);
    }
    memset(store->k + (size_t)s->bodies * 8, 0, 8 * sizeof(double));

    for (int lane = 0; lane < s->n; ++lane) {
        const abut_contact *contact = &problem->contacts[island->contact[lane]];
        valid &= abuti_valid_contact(contact);
        spread_contact(build, contact, lane, island->contact[lane], islands->block);
    }
    abuti_pad_lanes(build);
    pad_frames(build);
    valid &= make_frames(&build->lanes, s->lanes);
    if (!valid) return ABUT_INVALID_ARGUMENT;

    double *square[3] = {store->size[0], store->size[1], build->before[0]};
    for (int axis = 0; axis < 3; ++axis) {
        memset(square[axis], 0, (size_t)s->lanes * sizeof(double));
        for (int side = 0; side < s->sides; ++side) {
            make_rows(&build->lanes, axis, side, s->lanes, (double *)abuti_row(s, axis, side, 0),
                      square[axis]);
        }
    }
    for (int lane = 0; lane < s->lanes; ++lane) {
        bool planar = store->directions[lane] == ABUT_DIRECTIONS_MIN;
        double tangent = planar || square[1][lane] > square[2][lane] ? square[1][lane] : square[2][lane];
        store->size[0][lane] = sqrt(square[0][lane]);
        store->size[1][lane] = sqrt(tangent);
    }
    if (problem->model == ABUT_FRICTIONLESS) memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    make_offsets(build, problem, island);
    for (int j = 0; j < s->joints; ++j) {
        if (!abuti_valid_joint(&problem->joints[island->joint[j]])) return ABUT_INVALID_ARGUMENT;
        make_joint(build, problem, islands, j, island->joint[j]);
    }
    abuti_scale_system(build);
    return ABUT_OK;
}
