/* All modes of a few contacts: the oracle behind the algorithm.
 *
 * A mode gives every contact a support, the forces that may be nonzero there:
 *
 *     open                   none                             normal only            f_N
 *     sticking               f_N and all of f_F               sliding (plane)        f_N, f_F = +-mu f_N
 *     sliding (space)        f_N, f_F = mu f_N d_j            edge (space)           f_N, f_F between d_j and
 * d_j+1
 *
 * where in space friction lies in the polygon of accel_directions directions. A support determines
 * its forces by as many equations a = 0. Every corner of the set of solutions has linearly independent
 * columns, so supports that are singular can be passed over with all that contain them; what is left is
 * walked depth first, with the kept inverse of drive_sets.c. */
#include "contact/drive.h"
#include <math.h>
#include <string.h>

/* Modes at most: 5 supports each for 8 contacts in the plane. */
enum { CONTACTS_MAX = 8 };
#define MODES_MAX 390625.0

/* Supports 0 to 2 are open, normal only, sticking; then sliding along direction (k - 3), then edges. */
enum { OPEN = 0, NORMAL_ONLY, STICKING, FIRST_SLIDING };

static bool is_static(const abuti_drive_contact *c)
{
    return c->tangents > 0 && c->friction != ABUTI_FRICTION_DYNAMIC;
}

static int supports_of(const abuti_drive *d, const abuti_drive_contact *c)
{
    if (!is_static(c)) return 2;
    return c->tangents == 1 ? FIRST_SLIDING + 2 : FIRST_SLIDING + 2 * d->polygon;
}

static int directions_of(const abuti_drive *d, const abuti_drive_contact *c)
{
    return c->tangents == 1 ? ABUT_DIRECTIONS_MIN : d->polygon;
}

/* Holds the equations of a support. False: they are singular. */
static bool take_support(abuti_drive *d, int i, int support)
{
    abuti_drive_contact *c = &d->contact[i];
    d->support[i] = support;
    if (support == OPEN) return true;
    int count = directions_of(d, c), which = support - FIRST_SLIDING;
    if (which >= 0) {
        const double *u = abuti_direction(count, which % count);
        c->friction = c->tangents == 2 ? ABUTI_FRICTION_NC
                      : which          ? ABUTI_FRICTION_NC_MINUS
                                       : ABUTI_FRICTION_NC_PLUS;
        memcpy(c->u, u, sizeof c->u);
    }
    abuti_set_normal(d, i, ABUTI_SET_C);
    if (c->place[0] < 0) return false;
    if (which >= count) { /* an edge */
        const double *u = abuti_direction(count, which - count),
                     *v = abuti_direction(count, (which - count + 1) % count);
        double x = v[0] - u[0], y = v[1] - u[1], length = hypot(x, y);
        c->axis[0] = x / length;
        c->axis[1] = y / length;
        abuti_hold_axis(d, i, 1);
        return c->place[1] >= 0;
    }
    if (support != STICKING) return true;
    c->axis[0] = 1.0;
    c->axis[1] = 0.0;
    abuti_set_friction(d, i, ABUTI_FRICTION_C, NULL);
    return c->place[1] >= 0 && (c->tangents == 1 || c->place[2] >= 0);
}

static void leave_support(abuti_drive *d, int i)
{
    d->contact[i].dependent = false;
    if (d->contact[i].normal == ABUTI_SET_C) abuti_set_normal(d, i, ABUTI_SET_NONE);
}

/* |f| in the polygon's norm: 1 on its boundary for mu f_N = 1. */
static double polygon_norm(int count, const double f[2])
{
    if (count == ABUT_DIRECTIONS_MIN) return fabs(f[0]);
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        const double *u = abuti_direction(count, k), *v = abuti_direction(count, (k + 1) % count);
        double x = u[0] + v[0], y = u[1] + v[1]; /* the edge's normal; its product with u is 1 + u.v */
        most = fmax(most, (f[0] * x + f[1] * y) / (1.0 + u[0] * v[0] + u[1] * v[1]));
    }
    return most;
}

/* Coulomb's law on the polygon says: of all forces in it, f does the least work on a. */
static bool friction_agrees(const abuti_drive *d, const abuti_drive_contact *c, double tolerance)
{
    int count = directions_of(d, c);
    double f[2] = {d->f[c->at + 1], c->tangents == 2 ? d->f[c->at + 2] : 0.0};
    double a[2] = {d->a[c->at + 1], c->tangents == 2 ? d->a[c->at + 2] : 0.0};
    double cone = c->mu * d->f[c->at], slip = 0.0;
    if (!(polygon_norm(count, f) <= cone + tolerance)) return false;
    for (int k = 0; k < count; ++k) {
        const double *u = abuti_direction(count, k);
        slip = fmax(slip, -(u[0] * a[0] + u[1] * a[1]));
    }
    return cone * slip + f[0] * a[0] + f[1] * a[1] <= tolerance * fmax(fmax(cone, slip), tolerance);
}

/* The forces of the present supports; whether they are an answer. */
static bool is_answer(abuti_drive *d)
{
    memset(d->f, 0, (size_t)abuti_padded(d->rows) * sizeof(double));
    for (int k = 0; k < d->held_count; ++k) {
        const abuti_held *h = &d->held[k];
        d->gathered[k] = 0.0;
        for (int t = 0; t < h->count; ++t) d->gathered[k] -= h->row[t] * d->b[h->at + t];
    }
    abuti_held_solve(d);
    for (int k = 0; k < d->held_count; ++k) {
        const abuti_held *h = &d->held[k];
        for (int t = 0; t < h->count; ++t) d->f[h->at + t] += h->column[t] * d->solved[k];
    }
    double tolerance = d->satisfied * fmax(1.0, d->kernels->max_abs(d->rows, d->f));
    for (int i = 0; i < d->n; ++i)
        if (!(d->f[d->contact[i].at] >= -tolerance)) return false;
    abuti_drive_accelerations(d, d->f, d->a);
    for (int i = 0; i < d->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        bool touches = d->support[i] != OPEN;
        if (!(touches ? fabs(d->a[c->at]) <= tolerance : d->a[c->at] >= -tolerance)) return false;
        if (touches && is_static(c) && !friction_agrees(d, c, tolerance)) return false;
    }
    for (int j = d->rows - d->joints; j < d->rows; ++j)
        if (!(fabs(d->a[j]) <= tolerance)) return false;
    return true;
}

/* Contacts from i on; false: `visit` has seen enough. */
static bool walk(abuti_drive *d, int i, abuti_modes_visit visit, void *context)
{
    if (i == d->n) {
        d->steps++;
        return !is_answer(d) || visit(d, context);
    }
    int count = supports_of(d, &d->contact[i]);
    for (int support = 0; support < count; ++support) {
        bool go_on = !take_support(d, i, support) || walk(d, i + 1, visit, context);
        leave_support(d, i);
        if (!go_on) return false;
    }
    return true;
}

bool abuti_drive_walk_modes(abuti_drive *d, abuti_modes_visit visit, void *context)
{
    double modes = 1.0;
    for (int i = 0; i < d->n; ++i) modes *= supports_of(d, &d->contact[i]);
    if (d->n > CONTACTS_MAX || !(modes <= MODES_MAX)) return false;
    for (int j = 0; j < d->joints; ++j) (void)abuti_hold_joint(d, j);
    (void)walk(d, 0, visit, context);
    return true;
}

/* Accelerations that differ by less than this part of the largest |b| are the same motion. */
#define SAME_MOTION 1e-7

bool abuti_drive_is_new_motion(const abuti_drive *d, int count)
{
    double allowed = SAME_MOTION * fmax(1.0, d->kernels->max_abs(d->rows, d->b));
    for (int k = 0; k < count; ++k) {
        const double *kept = d->motions + (size_t)k * (size_t)d->ld;
        double most = 0.0;
        for (int i = 0; i < d->rows; ++i) most = fmax(most, fabs(d->a[i] - kept[i]));
        if (most <= allowed) return false;
    }
    return true;
}

void abuti_drive_keep_motion(abuti_drive *d, int place)
{
    memcpy(d->motions + (size_t)place * (size_t)d->ld, d->a, (size_t)d->rows * sizeof(double));
}

/* The first answer is enough for a stage. */
typedef struct catch
{
    const abuti_system *system;
    abuti_answer *answer;
    bool caught;
}
catch;

static bool catch_first(abuti_drive *d, void *context)
{
    catch *c = context;
    abuti_drive_answer(d, c->system, c->answer);
    c->caught = true;
    return false;
}

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    abuti_drive *d = scratch;
    if (!abuti_drive_load(d, system, context)) return ABUT_FAILED;
    catch c = {.system = system, .answer = answer};
    (void)abuti_drive_walk_modes(d, catch_first, &c);
    answer->pivots += d->steps;
    return c.caught ? ABUT_SOLVED : ABUT_FAILED;
}

const abuti_stage abuti_stage_drive_modes = {
    .name = "drive-modes",
    .family = &abuti_drive_family,
    .models = 1u << ABUT_COULOMB_ACCEL,
    .rows = true,
    .local = true,
    .run = run,
};
