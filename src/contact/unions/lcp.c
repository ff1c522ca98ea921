/* The published LCPs (32), (33) of the max formulation and (34), (35 corrected) of the summation, from a
 * contact system, in the caller's units.
 *
 * Every row of B that holds velocities is a sum of products of Jacobian rows. So the products of all pairs of
 * the system's rows (normal, two tangents, joints) are formed once, and each is spread over the equations and
 * variables that its rows stand for: a side's normal row over the equations of c and h (max) or, negated, of
 * c (sum); a tangent over its contact's directions. */
#include "contact/unions/lcp.h"
#include "contact/system/classify.h"
#include "contact/system/models.h"
#include <math.h>
#include <string.h>

static int directions_of(const abut_contact *contact)
{
    return contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT;
}

/* Tangential variables of a contact. */
static int tangential(const abuti_union_shape *shape, const abut_contact *contact)
{
    int d = directions_of(contact);
    return !shape->held ? d : d == ABUT_DIRECTIONS_MIN ? 1 : 2;
}

/* The first contact of the same group. */
static int first_of_group(const abut_contact_problem *problem, int contact)
{
    int i = 0;
    while (problem->contacts[i].group != problem->contacts[contact].group) ++i;
    return i;
}

abuti_union_shape abuti_union_shape_of(const abut_contact_problem *problem, abuti_union_kind kind)
{
    bool held = kind == ABUTI_LCP_HELD || kind == ABUTI_LCP_SUM_HELD;
    abuti_union_shape s = {.sum = kind == ABUTI_LCP_SUM || kind == ABUTI_LCP_SUM_HELD,
                           .plain = kind == ABUTI_LCP_PLAIN || kind == ABUTI_LCP_HELD,
                           .held = held,
                           .friction = abuti_model_of(problem->model)->friction == ABUT_LAW_COULOMB && !held};
    int directions = 0, n = problem->contact_count;
    for (int i = 0; i < n; ++i) {
        bool side = problem->contacts[i].group > 0 && !s.plain;
        s.y += side;
        s.g += side && first_of_group(problem, i) == i;
        directions += tangential(&s, &problem->contacts[i]);
    }
    s.x = n - s.y;
    s.joints = problem->joint_count;
    s.d = s.pick = s.h = s.p = s.normal = s.y;
    if (kind == ABUTI_LCP_MAX) {
        s.pick = s.d + s.g;
        s.h = s.pick + s.y;
        s.p = s.h + s.y;
        s.normal = s.p + s.g;
    }
    s.direction = s.normal + n;
    s.slip = s.direction + (s.friction || s.held ? directions : 0);
    s.free = s.slip + (s.friction ? n : 0);
    s.rows = s.free + s.joints;
    return s;
}

void abuti_union_places(const abut_contact_problem *problem, const abuti_union_shape *shape,
                        abuti_union_place *place)
{
    int number = 0, groups = 0, direction = shape->direction;
    for (int sides = 1; sides >= 0; --sides) {
        for (int i = 0; i < problem->contact_count; ++i) {
            const abut_contact *contact = &problem->contacts[i];
            if ((contact->group > 0 && !shape->plain) != (sides == 1)) continue;
            place[i] = (abuti_union_place){.number = number++, .group = -1, .direction = direction};
            direction += tangential(shape, contact);
            if (!sides) continue;
            int first = first_of_group(problem, i);
            place[i].group = first == i ? groups++ : place[first].group;
        }
    }
}

/* ------------------------------------------------------------------------------------------------
 * Products */

static const double *joint_row(const abuti_system *s, int joint, int side)
{
    return s->joint_rows + (size_t)(joint * s->sides + side) * (size_t)s->stride;
}

/* The block and the numbers of one side of a row; NULL where it touches none. */
static const double *row_part(const abuti_system *s, int row, int side, int *block, size_t *apart)
{
    bool contact = row < 3 * s->n;
    *block = contact ? s->body[side][row / 3] : s->joint_body[side][row - 3 * s->n];
    *apart = contact ? (size_t)s->lanes : 1;
    if (*block >= s->bodies) return NULL;
    return contact ? abuti_row(s, row % 3, side, 0) + row / 3 : joint_row(s, row - 3 * s->n, side);
}

/* The product of rows a and b, scaled. */
static double product(const abuti_system *s, int a, int b)
{
    if (!s->rows) return s->W[(size_t)a * (size_t)s->W_ld + (size_t)b];
    double sum = 0.0;
    for (int i = 0; i < s->sides; ++i) {
        for (int j = 0; j < s->sides; ++j) {
            int block_a, block_b;
            size_t apart_a, apart_b;
            const double *x = row_part(s, a, i, &block_a, &apart_a);
            const double *y = row_part(s, b, j, &block_b, &apart_b);
            if (!x || !y || block_a != block_b) continue;
            for (size_t c = 0; c < (size_t)s->dim; ++c) sum += x[c * apart_a] * y[c * apart_b];
        }
    }
    return sum;
}

/* A row's velocity under the free motion, scaled, without its offset. */
static double free_velocity(const abuti_system *s, int row)
{
    double sum = 0.0;
    for (int side = 0; side < s->sides && s->rows; ++side) {
        int block;
        size_t apart;
        const double *x = row_part(s, row, side, &block, &apart);
        if (!x) continue;
        const double *k = s->k + (size_t)block * (size_t)s->stride;
        for (size_t c = 0; c < (size_t)s->dim; ++c) sum += x[c * apart] * k[c];
    }
    return sum;
}

static double offset_of(const abuti_system *s, int row)
{
    return row < 3 * s->n ? s->offset[row % 3][row / 3] : s->joint_offset[row - 3 * s->n];
}

/* The scale of a row: the caller's row is the scaled row / scale. */
static double scale_of(const abuti_system *s, int row)
{
    return row < 3 * s->n ? s->row_scale[row / 3] : s->joint_scale[row - 3 * s->n];
}

double abuti_union_cap(const abuti_system *s, const abut_contact_problem *problem,
                       const abut_contact_options *options)
{
    static const double part = 1e-4; /* between the 1e-6 and 1e-2 that solvers stand */
    if (options->unions.epsilon > 0.0) return options->unions.epsilon / problem->step;
    double motion = 0.0, rest = 0.0;
    for (int lane = 0; lane < s->n; ++lane) {
        if (problem->contacts[s->index[lane]].group <= 0) continue;
        double unit = s->unit / s->row_scale[lane];
        motion = fmax(motion, fabs(free_velocity(s, 3 * lane)) * unit);
        rest = fmax(rest, fabs(s->offset[0][lane]) * unit);
    }
    return part * (motion > 0.0 ? motion : rest);
}

/* ------------------------------------------------------------------------------------------------
 * The matrix */

/* Equations, or variables, that one row of the system stands for. */
typedef struct spread {
    int count;
    int at[ABUT_DIRECTIONS_MAX];
    double by[ABUT_DIRECTIONS_MAX];
} spread;

static void spread_of(const abuti_system *s, const abuti_union_shape *shape, const abuti_union_place *place,
                      int row, bool equations, spread *out)
{
    int lane = row / 3, axis = row % 3;
    out->count = 0;
    if (row >= 3 * s->n) {
        *out = (spread){.count = 1, .at = {shape->free + row - 3 * s->n}, .by = {1.0}};
    } else if (axis == ABUTI_NORMAL) {
        int number = place[lane].number;
        bool side = place[lane].group >= 0;
        *out = (spread){.count = 1, .at = {shape->normal + number}, .by = {1.0}};
        if (equations && side && shape->sum)
            *out = (spread){.count = 1, .at = {shape->c + number}, .by = {-1.0}};
        if (equations && side && !shape->sum)
            *out = (spread){.count = 2, .at = {shape->c + number, shape->h + number}, .by = {1.0, 1.0}};
    } else if (shape->held) {
        bool planar = s->directions[lane] == ABUT_DIRECTIONS_MIN;
        if (axis == ABUTI_TANGENT_X || !planar)
            *out = (spread){.count = 1, .at = {place[lane].direction + axis - 1}, .by = {1.0}};
    } else if (shape->friction) {
        out->count = s->directions[lane];
        for (int j = 0; j < out->count; ++j) {
            out->at[j] = place[lane].direction + j;
            out->by[j] = abuti_direction(out->count, j)[axis - 1];
        }
    }
}

static void spread_products(const abuti_system *s, const abuti_union_shape *shape,
                            const abuti_union_place *place, double *B, double *b)
{
    size_t n = (size_t)shape->rows;
    spread equations, variables;
    for (int row = 0; row < 3 * s->n + s->joints; ++row) {
        spread_of(s, shape, place, row, true, &equations);
        double q = (free_velocity(s, row) + offset_of(s, row)) * s->unit / scale_of(s, row);
        for (int i = 0; i < equations.count; ++i) b[equations.at[i]] += equations.by[i] * q;
        for (int column = 0; column < 3 * s->n + s->joints && equations.count > 0; ++column) {
            spread_of(s, shape, place, column, false, &variables);
            double value =
                variables.count == 0 ? 0.0 : product(s, row, column) / scale_of(s, row) / scale_of(s, column);
            for (int i = 0; i < equations.count && value != 0.0; ++i) {
                double *at = B + (size_t)equations.at[i] * n;
                for (int j = 0; j < variables.count; ++j)
                    at[variables.at[j]] += equations.by[i] * value * variables.by[j];
            }
        }
    }
}

void abuti_union_rows(const abuti_system *s, const abuti_union_shape *shape, const abuti_union_place *place,
                      double *A)
{
    size_t dof = (size_t)s->bodies * (size_t)s->dim;
    memset(A, 0, (size_t)shape->rows * dof * sizeof *A);
    spread equations;
    for (int row = 0; row < 3 * s->n + s->joints; ++row) {
        spread_of(s, shape, place, row, true, &equations);
        for (int side = 0; side < s->sides && equations.count > 0; ++side) {
            int block;
            size_t apart;
            const double *x = row_part(s, row, side, &block, &apart);
            double *at = A + (size_t)equations.at[0] * dof + (size_t)block * (size_t)s->dim;
            for (size_t c = 0; c < (size_t)s->dim && x; ++c) at[c] += x[c * apart] / scale_of(s, row);
        }
    }
}

/* Rows (13) to (22) of one side, without its velocity. */
static void form_max_side(const abuti_union_shape *s, abuti_union_place at, double gamma, double *B,
                          double *b)
{
    size_t n = (size_t)s->rows;
    size_t c = (size_t)(s->c + at.number), pick = (size_t)(s->pick + at.number),
           h = (size_t)(s->h + at.number), normal = (size_t)(s->normal + at.number),
           d = (size_t)(s->d + at.group), p = (size_t)(s->p + at.group);
    B[c * n + c] = 1.0; /* (13): c + a - 1 */
    b[c] -= 1.0;
    B[d * n + pick] = 1.0; /* (15): sum g - 1 */
    b[d] = -1.0;
    B[pick * n + c] = B[pick * n + d] = 1.0; /* (16): c + d - gamma */
    b[pick] = -gamma;
    B[h * n + h] = 1.0; /* (18): h + a */
    B[p * n + d] = 1.0; /* (20): d - gamma + 1 */
    b[p] = 1.0 - gamma;
    B[normal * n + h] = B[normal * n + d] = 1.0; /* (21): h + d - gamma + 1 */
    b[normal] = 1.0 - gamma;
}

static void form_sum_side(const abut_contact_problem *problem, const abuti_union_shape *s,
                          const abuti_union_place *place, int contact, double e, double *B, double *b)
{
    size_t n = (size_t)s->rows, c = (size_t)(s->c + place[contact].number);
    size_t normal = (size_t)(s->normal + place[contact].number);
    B[c * n + c] = 1.0; /* (25): c - a - e */
    b[c] -= e;
    for (int i = 0; i < problem->contact_count; ++i) /* (27): sum c - e */
        if (place[i].group == place[contact].group) B[normal * n + (size_t)(s->c + place[i].number)] = 1.0;
    b[normal] = -e;
}

void abuti_union_form(const abuti_system *s, const abut_contact_problem *problem,
                      const abuti_union_shape *shape, const abuti_union_place *place, double constant,
                      double *B, double *b)
{
    size_t n = (size_t)shape->rows;
    memset(B, 0, n * n * sizeof(double));
    memset(b, 0, n * sizeof(double));
    spread_products(s, shape, place, B, b);
    for (int i = 0; i < problem->contact_count; ++i) {
        if (place[i].group >= 0 && shape->sum) form_sum_side(problem, shape, place, i, constant, B, b);
        if (place[i].group >= 0 && !shape->sum) form_max_side(shape, place[i], constant, B, b);
        if (!shape->friction) continue;
        size_t slip = (size_t)(shape->slip + place[i].number);
        B[slip * n + (size_t)(shape->normal + place[i].number)] = problem->contacts[i].friction;
        for (int j = 0; j < directions_of(&problem->contacts[i]); ++j) {
            size_t direction = (size_t)(place[i].direction + j);
            B[slip * n + direction] = -1.0;
            B[direction * n + slip] = 1.0;
        }
    }
}

void abuti_union_gather(const abut_contact_problem *problem, const abuti_union_shape *shape, int contact,
                        abuti_union_place place, const double *z, double out[3])
{
    int d = directions_of(&problem->contacts[contact]);
    out[0] = z[shape->normal + place.number];
    out[1] = out[2] = 0.0;
    for (int t = 0; shape->held && t < tangential(shape, &problem->contacts[contact]); ++t)
        out[1 + t] = z[place.direction + t];
    for (int j = 0; j < d && shape->friction; ++j) {
        out[1] += z[place.direction + j] * abuti_direction(d, j)[0];
        out[2] += z[place.direction + j] * abuti_direction(d, j)[1];
    }
}

/* The tangential velocity of a contact as w of its directions shows it: w_j = slip + d_j.u. */
static void tangential_velocity(const double *w, double slip, int d, double u[2])
{
    u[0] = u[1] = 0.0;
    for (int j = 0; j < d; ++j) {
        const double *at = abuti_direction(d, j);
        u[0] += (w[j] - slip) * at[0] * (d == 2 ? 1.0 : 2.0) / (double)d;
        u[1] += (w[j] - slip) * at[1] * 2.0 / (double)d;
    }
}

void abuti_union_answer(const abuti_union_shape *shape, const abuti_system *s,
                        const abut_contact_problem *problem, const abuti_union_place *place, const double *z,
                        const double *w, abuti_answer *answer)
{
    for (int i = 0; i < s->n; ++i) {
        double impulse[3], u[2] = {0.0, 0.0}, slip = 0.0, by = 1.0 / (s->unit * s->row_scale[i]);
        abuti_union_gather(problem, shape, i, place[i], z, impulse);
        if (shape->friction) {
            slip = z[shape->slip + place[i].number];
            tangential_velocity(w + place[i].direction, slip, s->directions[i], u);
        }
        double f[2] = {impulse[1] * by, impulse[2] * by};
        answer->theta[i] = impulse[0] * by;
        answer->f[0][i] = f[0];
        answer->f[1][i] = f[1];
        bool pushes = f[0] != 0.0 || f[1] != 0.0 || impulse[0] > 0.0;
        answer->face[i] =
            shape->held ? (abut_contact_face){.state = pushes ? ABUT_STICK : ABUT_OPEN}
                        : abuti_classify(s->directions[i], s->mu[i], answer->theta[i], f, u, slip > 0.0);
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = z[shape->free + j] / (s->unit * s->joint_scale[j]);
}
