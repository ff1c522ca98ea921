/* Is the glue of a no-slip answer wrong? It is wrong where another answer does without glue.
 *
 * In an answer without glue every contact of the island touches without slip (then its rows hold as equations) or
 * separates and carries nothing. With u = u0 + W p over all rows, W = row M^-1 row', a set H of contacts that
 * touch has the impulses
 *
 *     W_HH p_H = -u0_H       and is right when      normal p_H >= 0,   u of H vanishes,   w of all others > 0.
 *
 * (w is the normal component of u.) Of a union one side must hold: w >= 0 at one side, and where sides touch,
 * w <= 0 at all others.
 *
 * All sets are gone through, with a Cholesky factor that grows with them, in islands of at most GLUE_CONTACTS contacts
 * and GLUE_JOINTS joint rows, through the bodies' door. A row that depends on those before it (up to a hundredth, which
 * is noise of the geometry) gets no impulse. So an answer with redundant contacts that needs its impulses shared in
 * another way is missed, but what is found is always an answer. u0 follows from the answer at hand, whose dynamics are
 * judged elsewhere: u0 = u - W p. */
#include "contact/verify/parts.h"
#include <string.h>

enum { GLUE_CONTACTS = 12, GLUE_JOINTS = 12, GLUE_ROWS = 3 * GLUE_CONTACTS + GLUE_JOINTS };

/* A row depends on those before it when less than this part of its diagonal is left: a hundredth of the row. */
#define GLUE_DEPENDENT 1e-4
/* Another answer counts when its errors are at most this part of the tolerance: solvers need not find answers that are
 * right by a hair. */
#define GLUE_RIGHT 0.5
/* A contact separates clearly when its velocity is this many times the error that still counts as none. */
#define GLUE_CLEARLY 200.0

/* One scalar row on at most two dynamic bodies. */
typedef struct line {
    const abut_body *body[2];
    double wrench[2][6];
    double impulse, velocity;
} line;

typedef struct search {
    int contacts, rows, rank;
    int axes[GLUE_CONTACTS];
    int group[GLUE_CONTACTS]; /* -1: an ordinary contact */
    double W[GLUE_ROWS][GLUE_ROWS], free[GLUE_ROWS], size[GLUE_ROWS];
    double factor[GLUE_ROWS][GLUE_ROWS];
    int kept[GLUE_ROWS]; /* [rank] */
    bool held[GLUE_CONTACTS];
    double small; /* an error of this size is none, in the unit of G'v */
} search;

static void cross(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

static double product(const double *a, const double *b)
{
    double sum = 0.0;
    for (int c = 0; c < 6; ++c) sum += a[c] * b[c];
    return sum;
}

/* Adds one side of a row: its velocity in any case, its wrench where impulses move the body. */
static void add_side(const abuti_verification *v, line *row, int side, int index, const double *wrench)
{
    const abut_body *body = &v->problem->bodies[index];
    row->velocity += product(wrench, v->velocity + 6 * (size_t)index);
    if (body->kind != ABUT_DYNAMIC) return;
    row->body[side] = body;
    memcpy(row->wrench[side], wrench, 6 * sizeof *wrench);
}

/* The three rows of a contact; the velocity of the normal row includes b. */
static void contact_lines(const abuti_verification *v, int index, line *rows)
{
    const abut_contact *contact = &v->problem->contacts[index];
    double axis[3][3], before = 0.0;
    abuti_verify_frame(contact, axis[0], axis[1]);
    cross(axis[0], axis[1], axis[2]);
    for (int a = 0; a < 3; ++a) {
        rows[a] = (line){.impulse = v->impulses[3 * (size_t)index + (size_t)a]};
        for (int side = 0; side < 2; ++side) {
            int body = contact->bodies[side];
            if (body < 0) continue;
            const abut_body *b = &v->problem->bodies[body];
            double wrench[6], arm[3];
            for (int c = 0; c < 3; ++c) {
                wrench[c] = side == 0 ? axis[a][c] : -axis[a][c];
                arm[c] = abuti_verify_point(contact, side)[c] - b->com[c];
            }
            cross(arm, wrench, wrench + 3);
            add_side(v, &rows[a], side, body, wrench);
            if (a == 0 && b->kind != ABUT_STATIC) before += product(wrench, b->velocity);
        }
    }
    rows[0].velocity += abuti_verify_bias(v, contact, before);
}

static void joint_line(const abuti_verification *v, int index, line *row)
{
    const abut_joint *joint = &v->problem->joints[index];
    *row = (line){.impulse = v->joints[index], .velocity = -abuti_verify_target(v, joint)};
    for (int side = 0; side < 2; ++side)
        if (joint->bodies[side] >= 0) add_side(v, row, side, joint->bodies[side], joint->jacobian[side]);
}

/* a M^-1 b' = (|a + b|^2 - |a - b|^2) / 4 over the bodies that both have. */
static double coupling(const line *a, const line *b)
{
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            if (!a->body[i] || a->body[i] != b->body[j]) continue;
            double plus[6], minus[6];
            for (int c = 0; c < 6; ++c) {
                plus[c] = a->wrench[i][c] + b->wrench[j][c];
                minus[c] = a->wrench[i][c] - b->wrench[j][c];
            }
            sum += 0.25 * (abuti_verify_wrench_square(a->body[i], plus) -
                           abuti_verify_wrench_square(a->body[i], minus));
        }
    }
    return sum;
}

static void begin(search *s, const abuti_verification *v, const abuti_island *island, const int *group,
                  double small)
{
    line rows[GLUE_ROWS];
    s->contacts = island->contacts;
    s->rows = 3 * island->contacts + island->joints;
    s->rank = 0;
    s->small = small;
    for (int i = 0; i < island->contacts; ++i) {
        contact_lines(v, island->contact[i], &rows[3 * i]);
        s->axes[i] = v->problem->contacts[island->contact[i]].directions == 2 ? 2 : 3;
        s->group[i] = group ? group[island->contact[i]] : -1;
    }
    for (int j = 0; j < island->joints; ++j) joint_line(v, island->joint[j], &rows[3 * island->contacts + j]);
    for (int a = 0; a < s->rows; ++a) {
        s->free[a] = rows[a].velocity;
        for (int b = 0; b < s->rows; ++b) {
            s->W[a][b] = coupling(&rows[a], &rows[b]);
            s->free[a] -= s->W[a][b] * rows[b].impulse;
        }
        s->size[a] = sqrt(s->W[a][a]);
    }
}

static void hold(search *s, int row)
{
    double *l = s->factor[s->rank], left = s->W[row][row];
    for (int k = 0; k < s->rank; ++k) {
        l[k] = s->W[row][s->kept[k]];
        for (int j = 0; j < k; ++j) l[k] -= l[j] * s->factor[k][j];
        l[k] /= s->factor[k][k];
        left -= l[k] * l[k];
    }
    if (!(left > GLUE_DEPENDENT * s->W[row][row])) return;
    l[s->rank] = sqrt(left);
    s->kept[s->rank++] = row;
}

/* Finds u of all rows for the impulses of the kept rows; false when a normal impulse is negative. */
static bool motion(const search *s, double *u)
{
    double p[GLUE_ROWS];
    for (int k = 0; k < s->rank; ++k) {
        p[k] = -s->free[s->kept[k]];
        for (int j = 0; j < k; ++j) p[k] -= s->factor[k][j] * p[j];
        p[k] /= s->factor[k][k];
    }
    for (int k = s->rank - 1; k >= 0; --k) {
        for (int j = k + 1; j < s->rank; ++j) p[k] -= s->factor[j][k] * p[j];
        p[k] /= s->factor[k][k];
        int row = s->kept[k];
        if (row < 3 * s->contacts && row % 3 == 0 && !(p[k] * s->size[row] >= -s->small)) return false;
    }
    for (int a = 0; a < s->rows; ++a) {
        u[a] = s->free[a];
        for (int k = 0; k < s->rank; ++k) u[a] += s->W[a][s->kept[k]] * p[k];
    }
    return true;
}

/* Whether a contact may be let go. An ordinary contact must separate clearly. Of a union in which no side is
 * touched, one side must hold; where a side is touched, no other may separate. */
static bool may_be_free(const search *s, const double *u, int contact)
{
    const double own = u[3 * contact] / s->size[3 * contact];
    if (s->group[contact] < 0) return own > GLUE_CLEARLY * s->small;
    double highest = own;
    for (int i = 0; i < s->contacts; ++i) {
        if (s->group[i] != s->group[contact]) continue;
        if (s->held[i]) return own <= s->small;
        highest = fmax(highest, u[3 * i] / s->size[3 * i]);
    }
    return highest >= -s->small;
}

static bool is_answer(const search *s)
{
    double u[GLUE_ROWS];
    if (!motion(s, u)) return false;
    for (int a = 3 * s->contacts; a < s->rows; ++a)
        if (!(fabs(u[a]) <= s->small * s->size[a])) return false;
    for (int i = 0; i < s->contacts; ++i) {
        const int row = 3 * i;
        if (!s->held[i] && !may_be_free(s, u, i)) return false;
        for (int a = row; s->held[i] && a < row + s->axes[i]; ++a)
            if (!(fabs(u[a]) <= s->small * s->size[a])) return false;
    }
    return true;
}

/* Whether some choice for the contacts from `next` on gives an answer. */
static bool some_answer(search *s, int next)
{
    if (next == s->contacts) return is_answer(s);
    const int rank = s->rank;
    s->held[next] = false;
    if (some_answer(s, next + 1)) return true;
    s->held[next] = true;
    for (int a = 0; a < s->axes[next]; ++a) hold(s, 3 * next + a);
    const bool found = some_answer(s, next + 1);
    s->rank = rank;
    return found;
}

/* Whether some row is bounded or compliant, and so no equation. */
static bool gives_way(const abut_contact_problem *problem, const abuti_island *island)
{
    for (int i = 0; i < island->joints; ++i) {
        const abut_joint *joint = &problem->joints[island->joint[i]];
        if (joint->bounded || joint->compliance > 0.0) return true;
    }
    for (int i = 0; i < island->contacts; ++i)
        if (problem->contacts[island->contact[i]].compliance > 0.0) return true;
    return false;
}

abuti_glue abuti_verify_glue(const abuti_verification *v, const abuti_island *island, const int *group,
                             double small)
{
    search s;
    if (v->problem->body_count == 0 || !island || (group && v->options->unions.rule != ABUT_UNION_MAX) ||
        island->contacts > GLUE_CONTACTS || island->joints > GLUE_JOINTS || gives_way(v->problem, island))
        return ABUTI_GLUE_UNKNOWN;
    begin(&s, v, island, group, GLUE_RIGHT * small);
    for (int j = 3 * s.contacts; j < s.rows; ++j) hold(&s, j);
    return some_answer(&s, 0) ? ABUTI_GLUE_AVOIDABLE : ABUTI_GLUE_NEEDED;
}
