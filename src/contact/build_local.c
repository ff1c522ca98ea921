/* The third door: u = W p + q, as FCLIB and Siconos have it. W is taken as given, only scaled; a
 * two-dimensional problem gets rows and columns of zeros for n x t. */
#include "contact/build.h"
#include "contact/validate.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* The index in the problem's W of row `row` of the system's, -1 for n x t in the plane. */
static int given_row(const abut_contact_problem *problem, int row)
{
    int n = problem->contact_count, dimension = problem->local->dimension;
    if (row >= 3 * n) return dimension * n + row - 3 * n;
    return row % 3 < dimension ? dimension * (row / 3) + row % 3 : -1;
}

static int given_size(const abut_contact_problem *problem)
{
    return problem->local->dimension * problem->contact_count + problem->joint_count;
}

static double given_entry(const abut_contact_problem *problem, int row, int column)
{
    int i = given_row(problem, row), j = given_row(problem, column);
    return i < 0 || j < 0 ? 0.0 : problem->local->W[(size_t)i * (size_t)given_size(problem) + (size_t)j];
}

/* sqrt(W_ii), 0 where W has no positive diagonal. */
static double size_of(const abut_contact_problem *problem, int row)
{
    double diagonal = given_entry(problem, row, row);
    return diagonal > 0.0 ? sqrt(diagonal) : 0.0;
}

static void make_contact(abuti_build *build, const abut_contact_problem *problem, int lane)
{
    abuti_system_store *store = &build->store;
    const abut_local *local = problem->local;
    const abut_contact *contact = &problem->contacts[lane];
    bool acceleration = abuti_acceleration_level(problem->model);
    abuti_lane_of_contact(build, contact, lane, lane);
    store->body[0][lane] = store->body[1][lane] = 0;
    build->bias[lane] = acceleration ? contact->drift[0] : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        int at = given_row(problem, 3 * lane + axis);
        store->offset[axis][lane] = at < 0 ? 0.0 : local->q[at] + (acceleration ? contact->drift[axis] : 0.0);
        build->before[axis][lane] = at < 0 || !local->velocity ? 0.0 : local->velocity[at];
    }
    bool planar = store->directions[lane] == ABUT_DIRECTIONS_MIN;
    store->size[0][lane] = size_of(problem, 3 * lane);
    double x = size_of(problem, 3 * lane + 1), y = planar ? 0.0 : size_of(problem, 3 * lane + 2);
    store->size[1][lane] = x > y ? x : y;
}

/* Offsets += W times the known viscous impulses. */
static void add_viscous(abuti_build *build, const abut_contact_problem *problem)
{
    const abuti_system *s = &build->system;
    for (int lane = 0; lane < s->n; ++lane) {
        if (!abuti_take_viscous(build, problem, &problem->contacts[lane], lane)) continue;
        for (int row = 0; row < 3 * s->n + s->joints; ++row) {
            bool contact = row < 3 * s->n;
            double *offset =
                contact ? &build->store.offset[row % 3][row / 3] : &build->store.joint_offset[row - 3 * s->n];
            for (int t = 0; t < 2; ++t)
                *offset += given_entry(problem, row, 3 * lane + 1 + t) * build->viscous[t][lane];
        }
    }
}

/* W_s = scale W scale. */
static void scale_W(abuti_build *build, const abut_contact_problem *problem)
{
    const abuti_system *s = &build->system;
    const abuti_system_store *store = &build->store;
    int rows = 3 * s->n + s->joints;
    for (int i = 0; i < rows; ++i) {
        double left = i < 3 * s->n ? store->row_scale[i / 3] : store->joint_scale[i - 3 * s->n];
        for (int j = 0; j < rows; ++j) {
            double right = j < 3 * s->n ? store->row_scale[j / 3] : store->joint_scale[j - 3 * s->n];
            store->W[(size_t)i * (size_t)s->W_ld + (size_t)j] = left * given_entry(problem, i, j) * right;
        }
    }
}

abut_status abuti_build_local(abuti_build *build, const abut_contact_problem *problem)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    *s = (abuti_system){.model = problem->model,
                        .n = problem->contact_count,
                        .lanes = abuti_padded(problem->contact_count),
                        .sides = 1,
                        .joints = problem->joint_count};
    if (!abuti_valid_local(problem)) return ABUT_INVALID_ARGUMENT;
    abuti_point_system(build);
    s->rows = NULL;
    s->W = store->W;
    s->W_ld = 3 * s->n + s->joints;
    abuti_pad_lanes(build);
    for (int lane = 0; lane < s->n; ++lane) make_contact(build, problem, lane);
    if (problem->model == ABUT_FRICTIONLESS) memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    bool acceleration = abuti_acceleration_level(problem->model);
    for (int j = 0; j < s->joints; ++j) {
        double size = size_of(problem, 3 * s->n + j);
        store->joint_scale[j] = abuti_scale_of_square(size * size);
        store->joint_offset[j] = problem->local->q[given_row(problem, 3 * s->n + j)] -
                                 problem->joints[j].target + (acceleration ? problem->joints[j].drift : 0.0);
        store->joint_index[j] = j;
        store->joint_body[0][j] = store->joint_body[1][j] = 0;
    }
    add_viscous(build, problem);
    build->has_offsets = true;
    abuti_scale_rows(build);
    abuti_scale_right_sides(build);
    scale_W(build, problem);
    return ABUT_OK;
}
