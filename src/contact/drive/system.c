/* a = A f + b from the contact system: one row for each normal, for each tangent that can carry friction, and
 * for each joint; and the way back. Everything stays in the system's scaled units, where rows have length one
 * and right-hand sides are of order one. */
#include "base/clock.h"
#include "base/length.h"
#include "contact/drive/drive.h"
#include "contact/faces/faces.h"
#include <math.h>
#include <string.h>

/* Rows of the LCP of one body on polygons, where the limits do not name the solver. */
enum { ONE_BODY = 64 };

static int least(long long a, long long b)
{
    return (int)(a < b ? a : b);
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

int abuti_drive_directions(const abut_contact_limits *limits)
{
    return largest(limits->directions, abut_contact_default_options().accel.directions);
}

/* Rows of the LCP on polygons, which is a last resort here, too. */
static int rows_of_lemke(const abut_contact_limits *limits)
{
    int most = abuti_dense_most(limits, ABUT_SOLVER_DRIVE);
    return limits->bodies <= 1 && limits->nv <= 6 ? least(most, most < ABUT_DENSE_MAX ? ONE_BODY : most)
                                                  : most;
}

void *abuti_drive_layout(abuti_arena *arena, const abut_contact_limits *limits)
{
    abuti_drive *taken = abuti_take(arena, 1, abuti_drive), plan = {0};
    abuti_drive *d = &plan;
    size_t lanes = (size_t)abuti_padded(limits->contacts);
    d->rows_max = least(3LL * limits->contacts + limits->joints + 1, ABUT_DENSE_MAX);
    size_t rows = (size_t)d->rows_max, ld = (size_t)abuti_leading_dimension(d->rows_max);
    d->kernels = abuti_kernels_get();
    d->ld = (int)ld;
    d->A = abuti_take(arena, rows * ld, double);
    d->pushes = abuti_take(arena, rows * ld, double);
    double **vectors[] = {&d->b, &d->f, &d->a, &d->df, &d->da, &d->gathered, &d->solved, &d->across, &d->ray};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) *vectors[i] = abuti_take(arena, ld, double);
    d->held = abuti_take(arena, rows, abuti_held);
    d->spare = abuti_take(arena, rows, int);
    d->contact = abuti_take(arena, lanes, abuti_drive_contact);
    d->motions = abuti_take(arena, ABUT_ACCEL_ALL_MAX * ld, double);
    d->spread_width = largest(limits->bodies > 0 ? 16 : 0, abuti_padded(limits->nv));
    d->spread = abuti_take(arena, rows * (size_t)d->spread_width, double);
    for (int side = 0; side < 2; ++side) d->moves[side] = abuti_take(arena, rows, int);
    d->head = abuti_take(arena, largest(limits->bodies, 1), int);
    d->next = abuti_take(arena, 2 * rows, int);
    abuti_inverse_layout(&d->inverse, arena, d->rows_max);
    abuti_lu_layout(&d->lu, arena, d->rows_max);

    d->modes = abuti_modes_layout(arena);
    abut_contact_limits polygons = *limits;
    polygons.directions = abuti_drive_directions(limits);
    d->W = abuti_take(arena, rows * rows, double);
    d->mu = abuti_take(arena, lanes, double);
    d->directions = abuti_take(arena, lanes, int);
    d->joint_offset = abuti_take(arena, limits->joints, double);
    for (int axis = 0; axis < 3; ++axis) d->offset[axis] = abuti_take(arena, lanes, double);
    d->dense = abuti_dense_layout(arena, &polygons, ABUT_LCP_LEMKE, rows_of_lemke(limits));
    d->faces = abuti_faces_family.layout(arena, &polygons);
    if (taken) *taken = plan;
    return taken;
}

bool abuti_drive_is_late(const abuti_drive *d)
{
    return abuti_clock_passed(d->deadline);
}

/* ------------------------------------------------------------------------------------------------
 * Contacts */

/* Decides between static and dynamic friction by the tangential velocity before (contact.h: slide_threshold). */
static void classify(abuti_drive_contact *c, const double before[2], double threshold)
{
    double speed = c->tangents == 2 ? abuti_length(before[0], before[1]) : fabs(before[0]);
    if (c->tangents == 0 || !(speed > threshold)) return;
    c->friction = ABUTI_FRICTION_DYNAMIC;
    c->u[0] = -before[0] / speed;
    c->u[1] = c->tangents == 2 ? -before[1] / speed : 0.0;
}

bool abuti_drive_number(abuti_drive *d, const abuti_system *s, const abuti_stage_context *context)
{
    int next = 0;
    bool moving = s->before[0]; /* at the velocity level all contacts may stick */
    d->polygon = moving ? context->options->accel.directions : s->n > 0 ? s->directions[0] : 0;
    d->deadline = context->deadline;
    for (int i = 0; i < s->n; ++i) {
        abuti_drive_contact *c = &d->contact[i];
        int tangents = s->directions[i] == ABUT_DIRECTIONS_MIN ? 1 : 2;
        bool parts = moving && s->before[0][i] > context->options->accel.slide_threshold;
        *c = (abuti_drive_contact){.mu = s->mu[i],
                                   .parts = parts,
                                   .tangents = s->mu[i] > 0.0 && !parts ? tangents : 0,
                                   .at = next,
                                   .axis = {1.0, 0.0},
                                   .place = {-1, -1, -1}};
        next += 1 + c->tangents;
        if (!moving) continue;
        const double before[2] = {s->before[1][i], s->before[2][i]};
        classify(c, before, context->options->accel.slide_threshold);
    }
    d->n = s->n;
    d->joints = s->joints;
    d->rows = next + s->joints;
    return d->rows <= d->rows_max;
}

/* ------------------------------------------------------------------------------------------------
 * A and b */

/* The row of A for an axis of a contact, or for joint `contact - n`, from the system's rows. */
static void spread_row(abuti_drive *d, const abuti_system *s, int row, int contact, int axis)
{
    for (int side = 0; side < s->sides; ++side) {
        double *out = d->spread + (size_t)(row * s->sides + side) * (size_t)s->stride;
        if (contact < s->n) {
            abuti_row_gather(s, contact, axis, side, out);
            d->moves[side][row] = s->body[side][contact];
        } else {
            int j = contact - s->n;
            memcpy(out, s->joint_rows + (size_t)(j * s->sides + side) * (size_t)s->stride,
                   (size_t)s->stride * sizeof(double));
            d->moves[side][row] = s->joint_body[side][j];
        }
    }
}

static const double *spread_of(const abuti_drive *d, const abuti_system *s, int row, int side)
{
    return d->spread + (size_t)(row * s->sides + side) * (size_t)s->stride;
}

/* Adds the products of row i with itself and with those rows before it that move one of its blocks. Each block has a
 * list of its rows so far. */
static void add_products(abuti_drive *d, const abuti_system *s, int i)
{
    double *out = d->A + (size_t)i * (size_t)d->ld;
    for (int side = 0; side < s->sides; ++side) {
        int block = d->moves[side][i], entry = 2 * i + side;
        if (block >= s->bodies) continue;
        d->next[entry] = d->head[block];
        d->head[block] = entry;
    }
    for (int side = 0; side < s->sides; ++side) {
        const double *row = spread_of(d, s, i, side);
        int block = d->moves[side][i];
        if (block >= s->bodies) continue;
        for (int entry = d->head[block]; entry >= 0; entry = d->next[entry])
            out[entry / 2] += d->kernels->dot(s->stride, row, spread_of(d, s, entry / 2, entry % 2));
        d->b[i] += d->kernels->dot(s->stride, row, s->k + (size_t)block * (size_t)s->stride);
    }
}

static void form_from_rows(abuti_drive *d, const abuti_system *s)
{
    for (int i = 0; i < s->n; ++i)
        for (int axis = 0; axis <= d->contact[i].tangents; ++axis)
            spread_row(d, s, d->contact[i].at + axis, i, axis);
    for (int j = 0; j < s->joints; ++j) spread_row(d, s, d->rows - s->joints + j, s->n + j, 0);
    for (int b = 0; b < s->bodies; ++b) d->head[b] = -1;
    for (int i = 0; i < d->rows; ++i) {
        double *row = d->A + (size_t)i * (size_t)d->ld;
        memset(row, 0, (size_t)(i + 1) * sizeof(double));
        add_products(d, s, i);
        for (int j = 0; j < i; ++j) d->A[(size_t)j * (size_t)d->ld + (size_t)i] = row[j];
    }
    d->symmetric = true;
}

/* Where row `row` of A stands in the system's W. */
static int row_in_W(const abuti_drive *d, int contact, int axis)
{
    return contact < d->n ? 3 * contact + axis : 3 * d->n + contact - d->n;
}

static void form_from_W(abuti_drive *d, const abuti_system *s)
{
    bool symmetric = true;
    int *index = d->moves[0];
    for (int i = 0; i < s->n; ++i)
        for (int axis = 0; axis <= d->contact[i].tangents; ++axis)
            index[d->contact[i].at + axis] = row_in_W(d, i, axis);
    for (int j = 0; j < s->joints; ++j) index[d->rows - s->joints + j] = row_in_W(d, s->n + j, 0);
    for (int i = 0; i < d->rows; ++i) {
        const double *row = s->W + (size_t)index[i] * (size_t)s->W_ld;
        for (int j = 0; j < d->rows; ++j) {
            d->A[(size_t)j * (size_t)d->ld + (size_t)i] = row[index[j]];
            symmetric =
                symmetric && row[index[j]] == s->W[(size_t)index[j] * (size_t)s->W_ld + (size_t)index[i]];
        }
    }
    d->symmetric = symmetric;
}

/* Numbers below this part of the largest |b| count as zero: a tenth of what the verifier allows. */
#define SATISFIED 1e-10

bool abuti_drive_load(abuti_drive *d, const abuti_system *s, const abuti_stage_context *context)
{
    if (!abuti_drive_number(d, s, context)) return false;
    int padded = abuti_padded(d->rows);
    size_t bytes = (size_t)padded * sizeof(double);
    for (int i = 0; i < d->rows; ++i)
        for (int j = d->rows; j < padded; ++j) d->A[(size_t)i * (size_t)d->ld + (size_t)j] = 0.0;
    memset(d->b, 0, bytes);
    memset(d->f, 0, bytes);
    for (int i = 0; i < s->n; ++i)
        for (int axis = 0; axis <= d->contact[i].tangents; ++axis)
            d->b[d->contact[i].at + axis] = s->offset[axis][i];
    for (int j = 0; j < s->joints; ++j) d->b[d->rows - s->joints + j] = s->joint_offset[j];
    if (s->rows) {
        form_from_rows(d, s);
    } else {
        form_from_W(d, s);
    }
    memcpy(d->a, d->b, bytes);
    d->satisfied =
        fmin(SATISFIED, 0.1 * context->options->tolerance) * fmax(1.0, d->kernels->max_abs(d->rows, d->b));
    d->held_count = d->sliding = d->steps = d->drives = 0;
    d->inverse.m = 0;
    d->fresh = true;
    for (int i = 0; i < d->rows; ++i) d->spare[i] = i;
    return true;
}

void abuti_drive_accelerations(const abuti_drive *d, const double *f, double *a)
{
    memcpy(a, d->b, (size_t)abuti_padded(d->rows) * sizeof(double));
    for (int j = 0; j < d->rows; ++j)
        if (f[j] != 0.0) d->kernels->axpy(d->rows, f[j], d->A + (size_t)j * (size_t)d->ld, a);
}

/* ------------------------------------------------------------------------------------------------
 * The way back */

/* The state that a reader sees: a contact that carries nothing is open, and one that is on its cone and moves
 * slides. */
static abut_contact_state state_of(const abuti_drive *d, const abuti_drive_contact *c)
{
    if (!(d->f[c->at] > d->satisfied)) return ABUT_OPEN;
    if (c->tangents == 0 || c->friction == ABUTI_FRICTION_DYNAMIC) return ABUT_SLIDE;
    double x = d->a[c->at + 1], y = c->tangents == 2 ? d->a[c->at + 2] : 0.0;
    return abuti_length(x, y) > 100.0 * d->satisfied ? ABUT_SLIDE : ABUT_STICK;
}

/* In the plane a sliding contact is at one of two corners. */
static abut_contact_face face_of(const abuti_drive *d, const abuti_drive_contact *c)
{
    abut_contact_state state = state_of(d, c);
    bool second = state == ABUT_SLIDE && c->tangents == 1 && d->f[c->at + 1] < 0.0;
    return (abut_contact_face){.state = (uint8_t)state, .face = second};
}

void abuti_drive_answer(const abuti_drive *d, const abuti_system *s, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        answer->theta[i] = fmax(d->f[c->at], 0.0);
        for (int t = 0; t < 2; ++t) answer->f[t][i] = t < c->tangents ? d->f[c->at + 1 + t] : 0.0;
        answer->face[i] = face_of(d, c);
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = d->f[d->rows - s->joints + j];
}

void abuti_drive_states(abuti_drive *d, const abuti_system *s, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        d->f[c->at] = answer->theta[i];
        for (int t = 0; t < c->tangents; ++t) d->f[c->at + 1 + t] = answer->f[t][i];
    }
    for (int j = 0; j < s->joints; ++j) d->f[d->rows - s->joints + j] = answer->joint[j];
    abuti_drive_accelerations(d, d->f, d->a);
    for (int i = 0; i < s->n; ++i) answer->face[i] = face_of(d, &d->contact[i]);
}

void abuti_drive_ray(const abuti_drive *d, const abuti_system *s, const double *direction,
                     abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        for (int axis = 0; axis < 3; ++axis)
            answer->ray[(size_t)axis * (size_t)s->lanes + (size_t)i] =
                axis <= c->tangents ? direction[c->at + axis] : 0.0;
    }
}

/* A ray may leave its cones by this part of its largest number: rounding of some hundred operations. */
#define RAY_ROUNDING 1e-9

bool abuti_drive_is_impulse(const abuti_system *s, const double *ray)
{
    double largest = 0.0;
    for (int i = 0; i < s->n; ++i) largest = fmax(largest, ray[i]);
    bool within = largest > 0.0 && largest < INFINITY;
    for (int i = 0; i < s->n && within; ++i) {
        double tangent = abuti_length(ray[s->lanes + i], ray[2 * s->lanes + i]),
               allowed = RAY_ROUNDING * largest;
        within = ray[i] >= -allowed && tangent <= s->mu[i] * ray[i] + allowed;
    }
    return within;
}
