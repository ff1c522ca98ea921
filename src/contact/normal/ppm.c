/* Drumwright's Algorithm 1: modified principal pivoting, with N P N' never formed.
 *
 * `set` (the paper's B bar) holds the contacts whose z is solved for, at most rank(N) of them. Each
 * turn solves for it, adds the contact with the most negative w and drops the one with the most negative z.
 * That rule has no anti-cycling proof (five contacts on three degrees of freedom already repeat a set), so
 * sets are remembered, and a repetition or a dependent row hands over to driving (ppm_drive.c). */
#include "contact/normal/normal.h"
#include <math.h>
#include <string.h>

/* A contact whose row keeps less than this part of its square beyond the set depends on it: it could be
 * lifted at an angle below 3e-7 only, which would take forces that leave no digits to the answer. */
static const double dependent = 1e-13;
/* A force that pulls by less than this part of the largest is zero but for rounding. */
static const double pulls = 1e-13;

/* The factor alone would lose a remainder below 1e-8 of the row to the rounding of its square. So the remainder is
 * formed as a vector, and the combination is corrected once by what that vector still has along the set. */
double abuti_ppm_remainder(abuti_normal *s, int contact)
{
    const double *row = abuti_normal_row(s, contact);
    memcpy(s->rest, row, (size_t)s->ld * sizeof *s->rest);
    for (int j = 0; j < s->set_count; ++j) s->unknowns[j] = 0.0;
    for (int pass = 0; pass < 2 && s->set_count > 0; ++pass) {
        for (int j = 0; j < s->set_count; ++j)
            s->column[j] = abuti_normal_dot(s, abuti_normal_row(s, s->set[j]), s->rest);
        abuti_cholesky_solve(&s->F, s->column);
        for (int j = 0; j < s->set_count; ++j) {
            s->unknowns[j] += s->column[j];
            s->kernels->axpy(s->ld, -s->column[j], abuti_normal_row(s, s->set[j]), s->rest);
        }
    }
    for (int j = 0; j < s->set_count; ++j)
        s->column[j] = abuti_normal_dot(s, abuti_normal_row(s, s->set[j]), row);
    abuti_cholesky_forward(&s->F, s->column);
    double left = abuti_normal_dot(s, s->rest, s->rest);
    return left > dependent * abuti_normal_dot(s, row, row) ? left : 0.0;
}

bool abuti_ppm_insert(abuti_normal *s, int contact)
{
    if (s->set_count == s->dof) return false;
    double left = abuti_ppm_remainder(s, contact);
    if (!(left > 0.0)) return false;
    abuti_cholesky_extend(&s->F, s->column, sqrt(left));
    s->set[s->set_count++] = contact;
    return true;
}

void abuti_ppm_remove(abuti_normal *s, int place, double to)
{
    const int contact = s->set[place];
    abuti_cholesky_delete(&s->F, place);
    s->set_count--;
    for (int j = place; j < s->set_count; ++j) s->set[j] = s->set[j + 1];
    s->z[contact] = to;
    abuti_normal_push(s, contact, to);
}

/* z_S = -F_SS^-1 q_S, refined once through the velocities, which know F better than its factor does. */
void abuti_ppm_solve(abuti_normal *s)
{
    for (int j = 0; j < s->set_count; ++j) s->unknowns[j] = -s->q[s->set[j]];
    abuti_cholesky_solve(&s->F, s->unknowns);
    for (int j = 0; j < s->set_count; ++j) s->z[s->set[j]] = s->unknowns[j];
    memset(s->v, 0, (size_t)s->ld * sizeof *s->v);
    for (int j = 0; j < s->set_count; ++j)
        s->kernels->axpy(s->ld, s->unknowns[j], abuti_normal_row(s, s->set[j]), s->v);
    for (int j = 0; j < s->set_count; ++j)
        s->unknowns[j] = -(s->q[s->set[j]] + abuti_normal_dot(s, abuti_normal_row(s, s->set[j]), s->v));
    abuti_cholesky_solve(&s->F, s->unknowns);
    for (int j = 0; j < s->set_count; ++j) s->z[s->set[j]] += s->unknowns[j];
}

static uint64_t hash_of(int contact)
{
    uint64_t x = (uint64_t)contact * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Remembers the present set; true when it was there before (or there is no room to tell). */
static bool repeats(abuti_normal *s, int *count)
{
    uint64_t hash = 0;
    for (int j = 0; j < s->set_count; ++j) hash ^= hash_of(s->set[j]);
    for (int j = 0; j < *count; ++j)
        if (s->seen[j] == hash) return true;
    if (*count == s->seen_room) return true;
    s->seen[(*count)++] = hash;
    return false;
}

static int most_negative_velocity(const abuti_normal *s)
{
    int best = -1;
    double least = -s->tolerance;
    for (int i = 0; i < s->n; ++i) {
        if (s->w[i] < least && !s->immobile[i]) {
            least = s->w[i];
            best = i;
        }
    }
    return best;
}

/* The place in the set of the most negative impulse, or -1. An impulse that is negative by rounding counts as zero. */
static int most_negative_impulse(const abuti_normal *s)
{
    int best = -1;
    double largest = 0.0, least = 0.0;
    for (int j = 0; j < s->set_count; ++j) largest = fmax(largest, fabs(s->z[s->set[j]]));
    least = -pulls * largest;
    for (int j = 0; j < s->set_count; ++j) {
        if (s->z[s->set[j]] < least) {
            least = s->z[s->set[j]];
            best = j;
        }
    }
    return best;
}

/* Whether a contact had a normal impulse in the state it starts from. */
static bool carries(abut_contact_face start)
{
    return start.state != ABUT_OPEN && !(start.state == ABUT_STICK && start.face != 0);
}

/* Starts bounded rows at the bounds where they were, and all others between theirs, as far as they are independent. A
 * row that equations hold still, or that may not push at all, is not solved for. */
static void first_rows(abuti_normal *s, const abuti_stage_context *context)
{
    for (int i = 0; i < s->n; ++i) {
        if (!abuti_normal_is_row(s, i)) continue;
        abuti_normal_push(s, i, 0.0);
        const abut_contact_face start =
            context->start ? context->start[i] : (abut_contact_face){.state = ABUT_STICK};
        const double sign = start.face == 0 ? 1.0 : -1.0;
        if (s->immobile[i]) {
            s->z[i] = s->q[i] > 0.0 ? -s->half[i] : s->q[i] < 0.0 ? s->half[i] : 0.0;
        } else if (start.state == ABUT_SLIDE) {
            s->z[i] = sign * s->half[i];
            abuti_normal_push(s, i, s->z[i]);
        } else if (s->half[i] > 0.0) {
            abuti_ppm_insert(s, i);
        }
    }
}

/* Starts with the previous set, as far as its rows are still independent, or else with the contact that approaches
 * fastest. */
static void first_set(abuti_normal *s, const abuti_stage_context *context)
{
    s->set_count = 0;
    s->F.k = 0;
    if (s->boxed) first_rows(s, context);
    if (context->start) {
        for (int i = 0; i < s->n; ++i)
            if (carries(context->start[i]) && !s->immobile[i] && !abuti_normal_is_row(s, i))
                abuti_ppm_insert(s, i);
        return;
    }
    if (s->boxed) return;
    memcpy(s->w, s->q, (size_t)s->n * sizeof *s->w);
    int first = most_negative_velocity(s);
    if (first >= 0) abuti_ppm_insert(s, first);
}

abut_outcome abuti_ppm(abuti_normal *s, const abuti_stage_context *context)
{
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    s->pivots = 0;
    first_set(s, context);
    if (s->boxed) return abuti_ppm_drive(s);
    for (int count = 0; !repeats(s, &count);) {
        if (abuti_normal_spent(s)) return ABUT_LIMIT;
        abuti_ppm_solve(s);
        abuti_normal_velocities(s);
        for (int j = 0; j < s->set_count; ++j) s->w[s->set[j]] = 0.0;
        int i = most_negative_velocity(s), k = most_negative_impulse(s);
        if (i < 0 && k < 0) return ABUT_SOLVED;
        s->pivots++;
        if (k >= 0) abuti_ppm_remove(s, k, 0.0);
        if (i >= 0 && !abuti_ppm_insert(s, i)) break;
    }
    return abuti_ppm_drive(s);
}
