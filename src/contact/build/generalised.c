/* The second door: generalised coordinates, what a robot has.
 *
 * With M = L L' (Cholesky) a row J becomes L^-1 J', and k = L' v + step L^-1 force. All contacts touch one
 * block of nv numbers. */
#include "contact/build/build.h"
#include "contact/build/validate.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

bool abuti_factor_mass(const double *M, int nv, double *L)
{
    size_t n = (size_t)nv;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double a = M[i * n + j], mirror = M[j * n + i], sum = a;
            double size = sqrt(M[i * n + i]) * sqrt(M[j * n + j]);
            if (!(fabs(a) <= ABUTI_LARGEST && fabs(a - mirror) <= ABUTI_SYMMETRIC * size)) return false;
            for (size_t c = 0; c < j; ++c) sum -= L[i * n + c] * L[j * n + c];
            if (i != j) {
                L[i * n + j] = sum / L[j * n + j];
            } else {
                if (!(sum > ABUTI_DEFINITE * a)) return false;
                L[i * n + i] = sqrt(sum);
            }
        }
    }
    return true;
}

/* x := L^-1 x. */
static void forward(const double *L, int nv, double *x)
{
    for (int i = 0; i < nv; ++i) {
        for (int j = 0; j < i; ++j) x[i] -= L[(size_t)i * (size_t)nv + (size_t)j] * x[j];
        x[i] /= L[(size_t)i * (size_t)nv + (size_t)i];
    }
}

void abuti_unbuild_generalised(const abuti_build *build, int nv, const double *v_scaled, double *velocity)
{
    const double *L = build->cholesky;
    for (int i = nv - 1; i >= 0; --i) {
        double sum = v_scaled[i] * build->system.unit;
        for (int j = i + 1; j < nv; ++j) sum -= L[(size_t)j * (size_t)nv + (size_t)i] * velocity[j];
        velocity[i] = sum / L[(size_t)i * (size_t)nv + (size_t)i];
    }
}

static double product(const double *row, const double *v, int nv)
{
    double sum = 0.0;
    for (int c = 0; c < nv; ++c) sum += row[c] * v[c];
    return sum;
}

/* Puts one row of the problem into a lane (or nothing where there is none). Returns the square of its scaled length;
 * J v before the step is written, too. */
static double spread_row(abuti_build *build, const abut_generalised *g, const double *J, int axis, int lane,
                         double *before)
{
    const abuti_system *s = &build->system;
    double square = 0.0, *row = build->column;
    *before = J ? product(J, g->velocity, g->nv) : 0.0;
    if (J) {
        memcpy(row, J, (size_t)g->nv * sizeof(double));
        forward(build->cholesky, g->nv, row);
    }
    for (int c = 0; c < g->nv; ++c) {
        double value = J ? row[c] : 0.0;
        build->store.rows[(size_t)(axis * s->dim + c) * (size_t)s->lanes + (size_t)lane] = value;
        square += value * value;
    }
    return square;
}

static void make_contact(abuti_build *build, const abut_contact_problem *problem, int lane)
{
    abuti_system_store *store = &build->store;
    const abut_generalised *g = problem->generalised;
    const abut_contact *contact = &problem->contacts[lane];
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    size_t nv = (size_t)g->nv, i = (size_t)lane;
    const double *J[3] = {g->normal_rows + i * nv, g->tangent_rows ? g->tangent_rows + 2 * i * nv : NULL,
                          g->tangent_rows ? g->tangent_rows + (2 * i + 1) * nv : NULL};
    double square[3], u[3];
    for (int axis = 0; axis < 3; ++axis) {
        square[axis] = spread_row(build, g, J[axis], axis, lane, &u[axis]);
        u[axis] += contact->surface[axis];
    }
    abuti_lane_of_contact(build, contact, lane, lane);
    store->body[0][lane] = 0;
    store->body[1][lane] = 1;
    bool planar = store->directions[lane] == ABUT_DIRECTIONS_MIN;
    store->size[0][lane] = sqrt(square[0]);
    store->size[1][lane] = sqrt(planar ? square[1] : fmax(square[1], square[2]));
    build->bias[lane] = acceleration ? contact->drift[0]
                                     : abuti_bias(contact, problem->step, build->restitution_threshold, u[0]);
    for (int axis = 0; axis < 3; ++axis) {
        build->before[axis][lane] = u[axis];
        store->offset[axis][lane] = acceleration ? contact->drift[axis] : contact->surface[axis];
    }
    if (!acceleration) store->offset[0][lane] += build->bias[lane];
}

static void make_joint(abuti_build *build, const abut_contact_problem *problem, int j)
{
    abuti_system_store *store = &build->store;
    const abuti_system *s = &build->system;
    int nv = s->dim;
    double *row = store->joint_rows + (size_t)j * (size_t)s->stride, square = 0.0;
    memset(row, 0, (size_t)s->stride * sizeof(double));
    memcpy(row, problem->generalised->joint_rows + (size_t)j * (size_t)nv, (size_t)nv * sizeof(double));
    forward(build->cholesky, nv, row);
    for (int c = 0; c < nv; ++c) square += row[c] * row[c];
    double scale = abuti_scale_of_square(square);
    for (int c = 0; c < nv; ++c) row[c] *= scale;
    store->joint_scale[j] = scale;
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    store->joint_offset[j] = (acceleration ? problem->joints[j].drift : 0.0) - problem->joints[j].target;
    store->joint_index[j] = j;
    store->joint_body[0][j] = 0;
    store->joint_body[1][j] = 1;
}

abut_status abuti_build_generalised(abuti_build *build, const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    int nv = g->nv;
    *s = (abuti_system){.model = problem->model,
                        .n = problem->contact_count,
                        .lanes = abuti_padded(problem->contact_count),
                        .bodies = 1,
                        .dim = nv,
                        .stride = abuti_padded(nv),
                        .sides = 1,
                        .joints = problem->joint_count};
    abuti_point_system(build);
    if (!abuti_valid_generalised(problem) || !abuti_factor_mass(g->mass_matrix, nv, build->cholesky)) {
        return ABUT_INVALID_ARGUMENT;
    }
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    memset(store->k, 0, 2 * (size_t)s->stride * sizeof(double));
    for (int i = 0; i < nv; ++i) store->k[i] = g->force[i];
    forward(build->cholesky, nv, store->k);
    for (int i = 0; i < nv && !acceleration; ++i) {
        store->k[i] *= problem->step;
        for (int j = i; j < nv; ++j)
            store->k[i] += build->cholesky[(size_t)j * (size_t)nv + (size_t)i] * g->velocity[j];
    }
    abuti_pad_lanes(build);
    abuti_offsets_begin(build);
    memset(store->rows, 0, 3 * (size_t)nv * (size_t)s->lanes * sizeof(double));
    for (int lane = 0; lane < s->n; ++lane) make_contact(build, problem, lane);
    if (abuti_model_of(problem->model)->friction == ABUT_LAW_NONE)
        memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    for (int j = 0; j < s->joints; ++j) make_joint(build, problem, j);
    abuti_scale_rows(build);
    for (int lane = 0; lane < s->n; ++lane) {
        if (abuti_take_viscous(build, problem, &problem->contacts[lane], lane))
            abuti_add_viscous(build, lane);
    }
    abuti_scale_right_sides(build);
    abuti_damp_rows(build, problem);
    return ABUT_OK;
}
