/* The normal LCP: what the equations leave of the normal rows, and the way back to impulses. */
#include "contact/normal/normal.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* A projection that leaves less than this part of the square has cancelled digits and is repeated. */
static const double cancels = 0.25;
/* Below this part of a normal row, what the equations leave of it is noise: they hold this contact still. */
static const double held_still = 1e-10;
/* Below this part of a normal row, what is left of it is faint, as in normal/equations.c: the contact is pushed against
 * only when the motion without it penetrates by more than `penetrates` of the motion per size of the row. */
static const double faint = 1e-2;
static const double penetrates = 2e-11;
/* So many rows between two looks at the clock. */
enum { clock_period = 8 };
/* Normal velocities below this part of the free motion (before projection) are rounding: the projected q
 * may be nothing but that. */
static const double rounding = 1e-12;
/* A contact that the equations move against its sense by more than this part of the motion has no solution.
 */
static const double violated = 1e-9;

static double *row_of(double *A, int ld, int i)
{
    return A + (size_t)i * (size_t)ld;
}

/* Row `axis` of a contact over all degrees of freedom. The normal of a row with two bounds is the row itself. */
void abuti_normal_contact_row(const abuti_normal *s, const abuti_system *system, int contact, int axis,
                              double *out)
{
    memset(out, 0, (size_t)s->ld * sizeof *out);
    if (axis == ABUTI_NORMAL && abuti_is_boxed(system, contact)) axis = ABUTI_TANGENT_X;
    for (int side = 0; side < system->sides; ++side) {
        int body = system->body[side][contact];
        if (body == system->bodies) continue;
        const double *from = abuti_row(system, axis, side, 0) + contact;
        double *to = out + (size_t)body * (size_t)system->dim;
        for (int c = 0; c < system->dim; ++c) to[c] = from[(size_t)c * (size_t)system->lanes];
    }
}

void abuti_normal_joint_row(const abuti_normal *s, const abuti_system *system, int joint, double *out)
{
    memset(out, 0, (size_t)s->ld * sizeof *out);
    for (int side = 0; side < system->sides; ++side) {
        int body = system->joint_body[side][joint];
        if (body == system->bodies) continue;
        const double *from =
            system->joint_rows + (size_t)(joint * system->sides + side) * (size_t)system->stride;
        memcpy(out + (size_t)body * (size_t)system->dim, from, (size_t)system->dim * sizeof *out);
    }
}

/* Takes the part of `row` along Q out of it; adds its coordinates to `along`. What is left is orthogonal to Q
 * to working precision after one more pass when the first one cancelled digits (Kahan's "twice is enough").
 */
void abuti_normal_project(const abuti_normal *s, double *row, double *along)
{
    double *part = s->unknowns;
    memset(along, 0, (size_t)(s->kept + 1) * sizeof *along);
    double before = abuti_normal_dot(s, row, row);
    for (int pass = 0; pass < 2 && s->kept > 0; ++pass) {
        s->kernels->multiply(s->kept, s->ld, s->Q, s->ld, row, part);
        for (int k = 0; k < s->kept; ++k) {
            along[k] += part[k];
            part[k] = -part[k];
        }
        s->kernels->add_transposed(s->kept, s->ld, s->Q, s->ld, part, row);
        double after = abuti_normal_dot(s, row, row);
        if (after > cancels * before) return;
        before = after;
    }
}

/* |k| and the offsets: the size of the motion before anything is projected away. */
static double free_motion(const abuti_system *system, const abuti_normal *s)
{
    double scale = 0.0;
    for (int b = 0; b < system->bodies; ++b) {
        const double *k = system->k + (size_t)b * (size_t)system->stride;
        memcpy(s->v0 + (size_t)b * (size_t)system->dim, k, (size_t)system->dim * sizeof *k);
    }
    scale = sqrt(abuti_normal_dot(s, s->v0, s->v0));
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < system->n; ++i) scale = fmax(scale, fabs(system->offset[axis][i]));
    for (int j = 0; j < system->joints; ++j) scale = fmax(scale, fabs(system->joint_offset[j]));
    return scale;
}

/* Finds q and the projected row of each contact, from v0 and Q. */
static abut_outcome project_normals(abuti_normal *s, const abuti_system *system)
{
    s->boxed = false;
    for (int i = 0; i < s->n; ++i) {
        double *row = row_of(s->N, s->ld, i);
        if (i % clock_period == 0 && abuti_normal_spent(s)) return ABUT_LIMIT;
        abuti_normal_contact_row(s, system, i, ABUTI_NORMAL, row);
        bool boxed = abuti_is_boxed(system, i);
        s->q[i] = abuti_normal_dot(s, row, s->v0) + system->offset[boxed ? ABUTI_TANGENT_X : ABUTI_NORMAL][i];
        s->length[i] = abuti_normal_dot(s, row, row);
        if (s->kept) abuti_normal_project(s, row, s->column);
        s->left[i] = s->kept ? abuti_normal_dot(s, row, row) : s->length[i];
        s->pushed[i] = 0.0;
        s->half[i] = boxed ? system->mu[i] * system->given[i] : INFINITY;
        s->boxed = s->boxed || boxed;
        const double little = boxed ? held_still : faint;
        s->immobile[i] = !(s->left[i] > little * little * s->length[i]);
        s->blurred[i] = false;
        if (fabs(s->q[i]) <= s->tolerance) s->q[i] = 0.0;
        if (boxed) continue;
        /* The equations move this contact, and they move it the wrong way. */
        if (!(s->left[i] > held_still * held_still * s->length[i]) && s->q[i] < -violated * s->scale)
            return ABUT_INFEASIBLE;
    }
    s->ready = true;
    return ABUT_SOLVED;
}

/* Finds v0, which satisfies every equation: it is the free motion across Q, and the required level along Q. */
static abut_outcome project_all(abuti_normal *s, const abuti_system *system)
{
    s->ready = false;
    memset(s->v0, 0, (size_t)s->ld * sizeof *s->v0);
    free_motion(system, s);
    abuti_normal_project(s, s->v0, s->column);
    s->kernels->add_transposed(s->kept, s->ld, s->Q, s->ld, s->level, s->v0);
    return project_normals(s, system);
}

abut_outcome abuti_normal_prepare(abuti_normal *s, const abuti_system *system)
{
    s->n = system->n;
    s->dof = system->bodies * system->dim;
    s->ld = abuti_padded(s->dof);
    memset(s->v0, 0, (size_t)s->ld * sizeof *s->v0);
    s->scale = free_motion(system, s);
    s->tolerance = rounding * s->scale * (1.0 + s->dof);
    s->ready = false;
    abut_outcome outcome = abuti_normal_equations(s, system);
    return outcome == ABUT_SOLVED ? project_all(s, system) : outcome;
}

bool abuti_normal_complete(abuti_normal *s, const abuti_system *system, abut_outcome *outcome)
{
    bool whole = true;
    for (int i = 0; i < s->n; ++i) {
        if (abuti_normal_is_row(s, i) || !s->immobile[i] || s->blurred[i] ||
            s->w[i] >= -penetrates * s->scale * sqrt(s->length[i]))
            continue;
        if (!(s->left[i] > held_still * held_still * s->length[i])) continue;
        s->immobile[i] = whole = false;
    }
    bool any = false;
    *outcome = abuti_normal_keep_violated(s, system, &any);
    if (!any && *outcome == ABUT_SOLVED) return whole;
    if (*outcome == ABUT_SOLVED) *outcome = project_all(s, system);
    return false;
}

void abuti_normal_push(abuti_normal *s, int i, double to)
{
    const double *row = abuti_normal_row(s, i), more = to - s->pushed[i];
    if (more == 0.0) return;
    s->pushed[i] = to;
    s->kernels->axpy(s->ld, more, row, s->v0);
    for (int j = 0; j < s->n; ++j) s->q[j] += more * abuti_normal_dot(s, row, abuti_normal_row(s, j));
}

void abuti_normal_velocities(abuti_normal *s)
{
    memcpy(s->v, s->v0, (size_t)s->ld * sizeof *s->v);
    for (int j = 0; j < s->set_count; ++j) {
        s->kernels->axpy(s->ld, s->z[s->set[j]], abuti_normal_row(s, s->set[j]), s->v);
    }
    /* The equations hold along Q, so only the change since v0 matters: w = N P (v - v0) + q. */
    double *change = s->Q + (size_t)s->dof * (size_t)s->ld;
    for (int c = 0; c < s->ld; ++c) change[c] = s->v[c] - s->v0[c];
    s->kernels->multiply(s->n, s->ld, s->N, s->ld, change, s->w);
    for (int i = 0; i < s->n; ++i) s->w[i] += s->q[i];
}

void abuti_normal_recover(abuti_normal *s, const abuti_system *system, abuti_answer *answer)
{
    /* What the equations contribute: v - k - N' z, all of it along Q; R' eta = its coordinates. */
    double *rest = s->v0, *row = s->Q + (size_t)s->dof * (size_t)s->ld;
    for (int b = 0; b < system->bodies; ++b) {
        const double *k = system->k + (size_t)b * (size_t)system->stride;
        for (int c = 0; c < system->dim; ++c) rest[b * system->dim + c] = s->v[b * system->dim + c] - k[c];
    }
    for (int i = 0; i < s->n; ++i) {
        const bool boxed = abuti_is_boxed(system, i);
        answer->theta[i] = boxed ? system->given[i] : s->z[i];
        answer->f[0][i] = boxed ? s->z[i] : 0.0;
        answer->f[1][i] = 0.0;
        if (s->z[i] == 0.0) continue;
        abuti_normal_contact_row(s, system, i, ABUTI_NORMAL, row);
        s->kernels->axpy(s->ld, -s->z[i], row, rest);
    }
    double *eta = s->column;
    for (int k = 0; k < s->kept; ++k) eta[k] = abuti_normal_dot(s, row_of(s->Q, s->ld, k), rest);
    for (int k = s->kept - 1; k >= 0; --k) {
        const double *r = row_of(s->R, s->R_ld, k);
        eta[k] /= r[k];
        for (int j = 0; j < k; ++j) eta[j] -= r[j] * eta[k];
    }
    for (int j = 0; j < system->joints; ++j) answer->joint[j] = 0.0;
    for (int k = 0; k < s->kept; ++k) {
        int id = s->kept_id[k];
        if (id < system->joints) {
            answer->joint[id] = eta[k];
        } else {
            id -= system->joints;
            answer->f[id % 2][id / 2] = eta[k];
        }
    }
}
