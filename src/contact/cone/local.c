/* The linear step by elimination of the held rows, R W C + D, as a dense matrix. It serves the W + q door, and, with
 * W = J J', small systems of bodies for which springs are not exact enough (masses and inertias many decades apart). */
#include "contact/cone/cone.h"
#include <math.h>
#include <string.h>

#define STIFFER 10.0 /* the ridge grows by this factor where rows are singular all the same */

static const double *row_of_W(const cone *c, int row)
{
    return c->W + (size_t)row * (size_t)c->ld;
}

/* The first gives J x of one row of W, with x in the blocks of the system; the second goes back with J'. */
static double row_velocity(const cone *c, int row, const double *x)
{
    double u[3];
    if (row >= 3 * c->system->n) return abuti_rest_joint_velocity(c->system, row - 3 * c->system->n, x);
    abuti_rest_velocity(&c->matrix, c->system, row / 3, x, u);
    return u[row % 3];
}

bool abuti_cone_form(cone *c)
{
    const abuti_system *s = c->system;
    int rows = 3 * s->n + s->joints;
    if (c->W || rows > c->formed_rows) return false;
    abuti_cone_need_rows(c);
    for (int column = 0; column < rows; ++column) {
        memset(c->dx, 0, (size_t)((s->bodies + 1) * s->stride) * sizeof(double));
        double unit[3] = {0.0, 0.0, 0.0};
        unit[column % 3] = 1.0;
        if (column < 3 * s->n) {
            abuti_rest_push(&c->matrix, s, column / 3, unit, c->dx);
        } else {
            abuti_rest_push_joint(s, column - 3 * s->n, 1.0, c->dx);
        }
        for (int row = 0; row < rows; ++row)
            c->formed[(size_t)row * (size_t)rows + (size_t)column] = row_velocity(c, row, c->dx);
        bool contact = column < 3 * s->n;
        c->free[column] = row_velocity(c, column, s->k) +
                          (contact ? s->offset[column % 3][column / 3] : s->joint_offset[column - 3 * s->n]);
    }
    c->W = c->formed;
    c->ld = rows;
    return true;
}

static void gather(cone *c)
{
    const abuti_system *s = c->system;
    for (int i = 0; i < s->n; ++i) memcpy(c->pushed + 3 * (size_t)i, c->touch[i].p, 3 * sizeof(double));
    for (int j = 0; j < s->joints; ++j) c->pushed[3 * s->n + j] = c->joint[j];
}

static double times_W(const cone *c, int row)
{
    const double *w = row_of_W(c, row);
    double sum = 0.0;
    for (int k = 0; k < 3 * c->system->n + c->system->joints; ++k) sum += w[k] * c->pushed[k];
    return sum;
}

void abuti_cone_move_local(cone *c)
{
    const abuti_system *s = c->system;
    if (s->rows) {
        abuti_cone_move_exact(c);
        return;
    }
    gather(c);
    for (int i = 0; i < s->n; ++i) {
        cone_touch *t = &c->touch[i];
        double prox = c->prox * t->s * t->s;
        for (int axis = 0; axis < 3; ++axis)
            t->u[axis] =
                times_W(c, 3 * i + axis) + c->free[3 * i + axis] + prox * (t->p[axis] - t->center.p[axis]);
    }
    for (int j = 0; j < s->joints; ++j) c->joint_rho[j] = times_W(c, 3 * s->n + j) + c->free[3 * s->n + j];
}

/* Lists the rows that are held, contact by contact, then joints. Returns their number. */
static int list_rows(cone *c)
{
    int count = 0;
    for (int i = 0; i < c->system->n; ++i) {
        int held = cone_rows_of(c, &c->touch[i]).count;
        for (int k = 0; k < held; ++k, ++count) {
            c->row_contact[count] = i;
            c->row_part[count] = k;
        }
    }
    return count;
}

/* Row `row` (of contact i, or of a joint where `mine` is NULL) of R W C + D. */
static void fill_row(cone *c, const double *mine, int at, int count, double *to)
{
    const abuti_system *s = c->system;
    for (int l = 0; l < count;) {
        int j = c->row_contact[l];
        cone_rows r = cone_rows_of(c, &c->touch[j]);
        double w[3] = {0.0, 0.0, 0.0};
        for (int axis = 0; axis < 3; ++axis) {
            if (!mine) {
                w[axis] = row_of_W(c, 3 * s->n + at)[3 * j + axis];
                continue;
            }
            for (int a = 0; a < 3; ++a)
                if (mine[a] != 0.0) w[axis] += mine[a] * row_of_W(c, 3 * at + a)[3 * j + axis];
        }
        for (int k = 0; k < r.count; ++k, ++l)
            to[l] = w[0] * r.column[k][0] + w[1] * r.column[k][1] + w[2] * r.column[k][2];
    }
    for (int j = 0; j < s->joints; ++j) {
        double sum = 0.0;
        for (int a = 0; a < 3 && mine; ++a) sum += mine[a] * row_of_W(c, 3 * at + a)[3 * s->n + j];
        to[count + j] = mine ? sum : row_of_W(c, 3 * s->n + at)[3 * s->n + j];
    }
}

/* v'W v of a contact's own three rows; 1 where nothing moves. */
static double own_size(const cone *c, int contact, const double v[3])
{
    double square = 0.0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) square += v[a] * row_of_W(c, 3 * contact + a)[3 * contact + b] * v[b];
    return square > 0.0 ? sqrt(square) : 1.0;
}

/* Factors the matrix in units of the sizes of its rows and columns, since rows of a needle or of a light body stand
 * beside others that are many decades smaller. */
static bool factor(cone *c, int count, double ridge)
{
    int joints = c->system->joints;
    abuti_lu_start(&c->lu, count + joints);
    for (int l = 0; l < count; ++l) {
        int at = c->row_contact[l], k = c->row_part[l];
        cone_rows r = cone_rows_of(c, &c->touch[at]);
        double *row = abuti_lu_row(&c->lu, l);
        fill_row(c, r.row[k], at, count, row);
        row[l] += r.compliance[k];
        c->row_scale[l] = 1.0 / own_size(c, at, r.row[k]);
        c->column_scale[l] = 1.0 / own_size(c, at, r.column[k]);
    }
    for (int j = 0; j < joints; ++j) {
        fill_row(c, NULL, j, count, abuti_lu_row(&c->lu, count + j));
        c->row_scale[count + j] = c->column_scale[count + j] = 1.0;
    }
    for (int l = 0; l < count + joints; ++l) {
        double *row = abuti_lu_row(&c->lu, l);
        for (int k = 0; k < count + joints; ++k) row[k] *= c->row_scale[l] * c->column_scale[k];
        row[l] += ridge;
    }
    return count + joints == 0 || abuti_lu_factor(&c->lu);
}

/* Finds what the held rows lack, in rhs. Returns the largest of it, in units of the island. What is rounding of the
 * impulses counts as nothing: divided by the ridge, it would shift loads between redundant contacts. */
static double lack(cone *c, int count)
{
    double most = 0.0, noise = (c->system->rows ? CONE_NOISE_EXACT : CONE_NOISE) * abuti_cone_largest(c);
    for (int l = 0; l < count; ++l) {
        const cone_touch *t = &c->touch[c->row_contact[l]];
        cone_rows r = cone_rows_of(c, t);
        int k = c->row_part[l];
        double rho =
            r.row[k][0] * t->u[0] + r.row[k][1] * t->u[1] + r.row[k][2] * t->u[2] + r.own[k] * t->moved;
        c->rhs[l] = fabs(rho * c->row_scale[l]) > noise ? -rho * c->row_scale[l] : 0.0;
        most = fmax(most, fabs(c->rhs[l]));
    }
    for (int j = 0; j < c->system->joints; ++j) {
        c->rhs[count + j] = -c->joint_rho[j];
        most = fmax(most, fabs(c->joint_rho[j]));
    }
    return most / c->unit;
}

/* One solution with the factor at hand. */
static void correct(cone *c, int count)
{
    abuti_lu_solve(&c->lu, c->rhs, c->solution);
    for (int l = 0; l < count; ++l) {
        cone_touch *t = &c->touch[c->row_contact[l]];
        cone_rows r = cone_rows_of(c, t);
        int k = c->row_part[l];
        double y = c->solution[l] * c->column_scale[l];
        for (int a = 0; a < 3; ++a) t->p[a] += y * r.column[k][a];
        if (k == 1 && t->state != ABUT_STICK) t->moved += y;
    }
    for (int j = 0; j < c->system->joints; ++j) c->joint[j] += c->solution[count + j];
    abuti_cone_move_local(c);
}

bool abuti_cone_solve_local(cone *c)
{
    int count = list_rows(c);
    double ridge = c->ridge;
    while (!factor(c, count, ridge)) { /* rows that depend on each other, and rounding that hides the ridge */
        ridge *= STIFFER;
        if (!(ridge <= CONE_RIDGE)) return false;
    }
    abuti_cone_move_local(c);
    double before = INFINITY;
    for (int k = 0; k < CONE_PASSES && count + c->system->joints > 0; ++k) {
        double rho = lack(c, count);
        if (!(rho < INFINITY)) return false;
        if (rho == 0.0 || (k > 0 && rho <= CONE_HELD_DENSE) || (k > CONE_PASSES_LEAST && rho > 0.5 * before))
            break;
        correct(c, count);
        before = rho;
    }
    return true;
}
