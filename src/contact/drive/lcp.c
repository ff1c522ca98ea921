/* The LCP of the acceleration level: static friction on polygons (options.accel.directions directions in
 * space, a segment in the plane), dynamic friction carried along by the normal force.
 *
 * It is Lloyd's problem on another matrix: where a contact slides already, the column of its normal force
 * becomes A_N + mu (u_x A_x + u_y A_y), and no friction is left to be found; a contact that separates is left out.
 * So a system is derived in which such contacts have no friction, and the velocity level's solvers answer it:
 * faces where all contacts are static, Lemke otherwise. Faces need no A, so islands at rest may be larger
 * than what Baraff's algorithm itself takes. */
#include "contact/drive/drive.h"
#include "contact/faces/faces.h"
#include <string.h>

static bool has_dynamic(const abuti_drive *d)
{
    for (int i = 0; i < d->n; ++i)
        if (d->contact[i].friction == ABUTI_FRICTION_DYNAMIC) return true;
    return false;
}

static bool has_parting(const abuti_drive *d)
{
    for (int i = 0; i < d->n; ++i)
        if (d->contact[i].parts) return true;
    return false;
}

static bool has_static_in_space(const abuti_drive *d)
{
    for (int i = 0; i < d->n; ++i)
        if (d->contact[i].tangents == 2 && d->contact[i].friction != ABUTI_FRICTION_DYNAMIC) return true;
    return false;
}

/* Whether the derived system differs from the given one in more than its friction. */
static bool needs_W(const abuti_drive *d)
{
    return has_dynamic(d) || has_parting(d);
}

/* The row of A that stands for row `row` of a full W; -1 where A has none. */
static int row_of(const abuti_drive *d, int row)
{
    if (row >= 3 * d->n) return d->rows - d->joints + row - 3 * d->n;
    const abuti_drive_contact *c = &d->contact[row / 3];
    return row % 3 <= c->tangents && !c->parts ? c->at + row % 3 : -1;
}

/* Derives W with the columns of sliding contacts combined; its offsets are all of b. False: too large. */
static bool derive_W(abuti_drive *d, abuti_system *out)
{
    int size = 3 * d->n + d->joints;
    if (size > d->rows_max) return false;
    for (int column = 0; column < size; ++column) {
        int from = row_of(d, column);
        const abuti_drive_contact *c = column < 3 * d->n ? &d->contact[column / 3] : NULL;
        bool combined = c && column % 3 == 0 && c->friction == ABUTI_FRICTION_DYNAMIC;
        for (int row = 0; row < size; ++row) {
            int to = row_of(d, row);
            double value = 0.0;
            if (from >= 0 && to >= 0) value = d->A[(size_t)from * (size_t)d->ld + (size_t)to];
            for (int t = 0; combined && to >= 0 && t < c->tangents; ++t)
                value += c->mu * c->u[t] * d->A[(size_t)(from + 1 + t) * (size_t)d->ld + (size_t)to];
            d->W[(size_t)row * (size_t)size + (size_t)column] = value;
        }
    }
    for (int row = 0; row < size; ++row) {
        int from = row_of(d, row);
        double *to = row < 3 * d->n ? &d->offset[row % 3][row / 3] : &d->joint_offset[row - 3 * d->n];
        bool parts = row < 3 * d->n && row % 3 == 0 && d->contact[row / 3].parts;
        *to = from >= 0 ? d->b[from] : parts ? 1.0 : 0.0; /* contacts that separate stay open */
    }
    out->W = d->W;
    out->W_ld = size;
    out->rows = NULL;
    out->bodies = 0;
    out->sides = 1;
    for (int axis = 0; axis < 3; ++axis) out->offset[axis] = d->offset[axis];
    out->joint_offset = d->joint_offset;
    return true;
}

static bool derive(abuti_drive *d, const abuti_system *s)
{
    abuti_system *out = &d->derived;
    *out = *s;
    out->model = ABUT_COULOMB;
    for (int i = 0; i < s->lanes; ++i) {
        bool planar = s->directions[i] == ABUT_DIRECTIONS_MIN;
        bool dynamic = i < s->n && d->contact[i].friction == ABUTI_FRICTION_DYNAMIC;
        d->directions[i] = planar ? ABUT_DIRECTIONS_MIN : d->polygon;
        bool parts = i < s->n && d->contact[i].parts;
        d->mu[i] = dynamic || parts ? 0.0 : s->mu[i];
    }
    out->directions = d->directions;
    out->mu = d->mu;
    return !needs_W(d) || derive_W(d, out);
}

/* Puts back the friction of sliding contacts, and sets the states to what the contacts do. */
static void finish(abuti_drive *d, const abuti_system *s, abuti_answer *answer, abut_outcome outcome)
{
    for (int i = 0; i < s->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        if (c->friction != ABUTI_FRICTION_DYNAMIC) continue;
        for (int t = 0; t < c->tangents; ++t) {
            answer->f[t][i] = c->mu * c->u[t] * answer->theta[i];
            if (outcome == ABUT_RAY)
                answer->ray[(size_t)(1 + t) * (size_t)s->lanes + (size_t)i] =
                    c->mu * c->u[t] * answer->ray[i];
        }
    }
    if (outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) abuti_drive_states(d, s, answer);
}

/* Runs Lemke on the derived LCP. A proof that the LCP has no solution is reported as a ray, because it means that
 * only an impulse can answer. The ray's direction is that of the infinite step, where driving ended on one. */
static abut_outcome run_lemke(abuti_drive *d, const abuti_system *system, const abuti_stage_context *context,
                              abuti_answer *answer)
{
    d->lemke_ran = true;
    abut_outcome outcome = abuti_dense_run(&d->derived, d->dense, ABUT_LCP_LEMKE, context, answer);
    if (outcome != ABUT_INFEASIBLE) {
        finish(d, system, answer, outcome);
        return outcome;
    }
    if (!d->has_ray) memset(d->ray, 0, (size_t)d->ld * sizeof(double));
    abuti_drive_ray(d, system, d->ray, answer);
    return ABUT_RAY;
}

static abut_outcome run_polygon(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                                abuti_answer *answer)
{
    abuti_drive *d = scratch;
    bool small = abuti_drive_load(d, system, context);
    answer->too_large = !small;
    if (!small && needs_W(d)) return ABUT_FAILED;
    if ((small && !has_static_in_space(d)) || !derive(d, system)) return ABUT_FAILED;
    abuti_stage_context fresh = *context;
    fresh.start = NULL;
    fresh.continued = false;
    abut_outcome outcome = ABUT_FAILED;
    if (!needs_W(d)) {
        outcome = abuti_faces_path.run(&d->derived, d->faces, &fresh, answer);
        if (outcome != ABUT_SOLVED && outcome != ABUT_LIMIT)
            outcome = abuti_faces_cover.run(&d->derived, d->faces, &fresh, answer);
    }
    /* Faces are kept as they are, on polygons of accel.directions: the next call may start from them. */
    if (!small || outcome == ABUT_SOLVED || outcome == ABUT_LIMIT) return outcome;
    return run_lemke(d, system, &fresh, answer);
}

/* For bodies at rest in space, tries the states of the last call on the polygons before any driving: they may still be
 * right, or a few flips may mend them. (In the plane driving is quicker than that.) */
static abut_outcome run_warm(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                             abuti_answer *answer)
{
    abuti_drive *d = scratch;
    d->lemke_ran = d->has_ray = false;
    if (!context->start) return ABUT_FAILED;
    answer->too_large = !abuti_drive_number(d, system, context);
    if (!has_static_in_space(d) || needs_W(d) || !derive(d, system)) return ABUT_FAILED;
    abuti_stage_context fresh = *context;
    fresh.continued = false;
    if (abuti_faces_check.run(&d->derived, d->faces, &fresh, answer) == ABUT_SOLVED) return ABUT_SOLVED;
    fresh.continued = true;
    return abuti_faces_greedy.run(&d->derived, d->faces, &fresh, answer) == ABUT_SOLVED ? ABUT_SOLVED
                                                                                        : ABUT_FAILED;
}

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    abuti_drive *d = scratch;
    if (context->continued && d->lemke_ran) return ABUT_FAILED;
    answer->too_large = !abuti_drive_load(d, system, context);
    if (answer->too_large || !derive(d, system)) return ABUT_FAILED;
    return run_lemke(d, system, context, answer);
}

const abuti_stage abuti_stage_drive_warm = {
    .name = "drive-warm",
    .family = &abuti_drive_family,
    .answers = ABUTI_ON_FORCES(ABUT_LAW_COULOMB),
    .rows = true,
    .local = true,
    .needs_start = true,
    .run = run_warm,
};

const abuti_stage abuti_stage_drive_polygon = {
    .name = "drive-polygon",
    .family = &abuti_drive_family,
    .answers = ABUTI_ON_FORCES(ABUT_LAW_COULOMB),
    .rows = true,
    .local = true,
    .run = run_polygon,
};

const abuti_stage abuti_stage_drive_lemke = {
    .name = "drive-lemke",
    .family = &abuti_drive_family,
    .answers = ABUTI_ON_FORCES(ABUT_LAW_COULOMB),
    .rows = true,
    .local = true,
    .run = run,
};
