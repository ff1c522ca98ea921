/* The third door: u = W p + q, as FCLIB and Siconos have it. W is taken as given, only scaled; a
 * two-dimensional problem gets rows and columns of zeros for n x t. */
#include "contact/build/build.h"
#include "contact/build/validate.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* One island of a local problem. */
typedef struct view {
    const abut_contact_problem *problem;
    const abuti_island *island;
    int size; /* rows of the problem's W */
} view;

/* The index in the problem's W of row `row` of the system's, -1 for n x t in the plane. */
static int given_row(const view *w, int row)
{
    int n = w->island->contacts, dimension = w->problem->local->dimension;
    if (row >= 3 * n) return dimension * w->problem->contact_count + w->island->joint[row - 3 * n];
    return row % 3 < dimension ? dimension * w->island->contact[row / 3] + row % 3 : -1;
}

static double given_entry(const view *w, int row, int column)
{
    int i = given_row(w, row), j = given_row(w, column);
    return i < 0 || j < 0 ? 0.0 : w->problem->local->W[(size_t)i * (size_t)w->size + (size_t)j];
}

/* sqrt(W_ii), 0 where W has no positive diagonal. */
static double size_of(const view *w, int row)
{
    double diagonal = given_entry(w, row, row);
    return diagonal > 0.0 ? sqrt(diagonal) : 0.0;
}

static void make_contact(abuti_build *build, const view *w, int lane)
{
    const abut_contact_problem *problem = w->problem;
    int index = w->island->contact[lane];
    abuti_system_store *store = &build->store;
    const abut_local *local = problem->local;
    const abut_contact *contact = &problem->contacts[index];
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    abuti_lane_of_contact(build, contact, lane, index);
    store->body[0][lane] = store->body[1][lane] = 0;
    build->bias[lane] = acceleration ? contact->drift[0] : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        int at = given_row(w, 3 * lane + axis);
        store->offset[axis][lane] = at < 0 ? 0.0 : local->q[at] + (acceleration ? contact->drift[axis] : 0.0);
        build->before[axis][lane] = at < 0 || !local->velocity ? 0.0 : local->velocity[at];
    }
    bool planar = store->directions[lane] == ABUT_DIRECTIONS_MIN;
    store->size[0][lane] = size_of(w, 3 * lane);
    double x = size_of(w, 3 * lane + 1), y = planar ? 0.0 : size_of(w, 3 * lane + 2);
    store->size[1][lane] = x > y ? x : y;
}

/* Offsets += W times the known viscous impulses. */
static void add_viscous(abuti_build *build, const view *w)
{
    const abuti_system *s = &build->system;
    for (int lane = 0; lane < s->n; ++lane) {
        if (!abuti_take_viscous(build, w->problem, &w->problem->contacts[s->index[lane]], lane)) continue;
        for (int row = 0; row < 3 * s->n + s->joints; ++row) {
            bool contact = row < 3 * s->n;
            double *offset =
                contact ? &build->store.offset[row % 3][row / 3] : &build->store.joint_offset[row - 3 * s->n];
            for (int t = 0; t < 2; ++t)
                *offset += given_entry(w, row, 3 * lane + 1 + t) * build->viscous[t][lane];
        }
    }
}

/* W_s = scale W scale. */
static void scale_W(abuti_build *build, const view *w)
{
    const abuti_system *s = &build->system;
    const abuti_system_store *store = &build->store;
    int rows = 3 * s->n + s->joints;
    for (int i = 0; i < rows; ++i) {
        double left = i < 3 * s->n ? store->row_scale[i / 3] : store->joint_scale[i - 3 * s->n];
        for (int j = 0; j < rows; ++j) {
            double right = j < 3 * s->n ? store->row_scale[j / 3] : store->joint_scale[j - 3 * s->n];
            store->W[(size_t)i * (size_t)s->W_ld + (size_t)j] = left * given_entry(w, i, j) * right;
        }
    }
}

abut_status abuti_build_local(abuti_build *build, const abut_contact_problem *problem,
                              const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    int dimension = problem->local->dimension;
    view whole = {problem, island, dimension * problem->contact_count + problem->joint_count}, *w = &whole;
    *s = (abuti_system){.model = problem->model,
                        .n = island->contacts,
                        .lanes = abuti_padded(island->contacts),
                        .sides = 1,
                        .joints = island->joints};
    abuti_point_system(build);
    s->rows = NULL;
    s->W = store->W;
    s->W_ld = 3 * s->n + s->joints;
    abuti_pad_lanes(build);
    abuti_offsets_begin(build);
    for (int lane = 0; lane < s->n; ++lane) make_contact(build, w, lane);
    if (abuti_model_of(problem->model)->friction == ABUT_LAW_NONE)
        memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    bool acceleration = abuti_model_of(problem->model)->acceleration;
    for (int j = 0; j < s->joints; ++j) {
        const abut_joint *joint = &problem->joints[island->joint[j]];
        double size = size_of(w, 3 * s->n + j);
        store->joint_scale[j] = abuti_scale_of_square(size * size);
        store->joint_offset[j] = problem->local->q[given_row(w, 3 * s->n + j)] - joint->target +
                                 (acceleration ? joint->drift : 0.0);
        store->joint_index[j] = island->joint[j];
        store->joint_body[0][j] = store->joint_body[1][j] = 0;
    }
    add_viscous(build, w);
    abuti_scale_rows(build);
    abuti_scale_right_sides(build);
    scale_W(build, w);
    abuti_damp_local(build, problem);
    return ABUT_OK;
}
