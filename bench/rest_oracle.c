#include "rest_oracle.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Right-hand sides are of size one. When phase one leaves less than NOTHING, the problem can rest (unless its impulses
 * are too large to tell); when it leaves more than SOMETHING, it cannot. */
static const double NOTHING = 1e-10, SOMETHING = 1e-6;
/* Impulses above this, in units of the free motion's momentum, are no honest rest. */
static const double TOO_LARGE = 1e5;
static const double PIVOT = 1e-9;
/* What rounding may leave of the equations. */
static const double MISFIT = 1e-9;
/* Where there is room, forces may change by this share of themselves. */
static const double ROOM = 1e-6;

typedef struct tableau {
    /* Without the right-hand side, which is the last column; the last row is the objective. */
    int rows, columns;
    double *entry;
    int *basis;
} tableau;

static double *at(tableau *t, int row, int column)
{
    return t->entry + (size_t)row * (size_t)(t->columns + 1) + (size_t)column;
}

/* ---- wrenches ---- */

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A force at a point on both bodies of a pair, as a column; torques in units of `arm`. */
static void put_force(tableau *t, const abut_contact_problem *problem, const int bodies[2],
                      const double point[3], const double force[3], double arm, int column)
{
    for (int side = 0; side < 2; ++side) {
        int body = bodies[side];
        double sign = side == 0 ? 1 : -1, lever[3], torque[3];
        if (body < 0 || problem->bodies[body].kind != ABUT_DYNAMIC) continue;
        for (int k = 0; k < 3; ++k) lever[k] = point[k] - problem->bodies[body].com[k];
        cross(lever, force, torque);
        for (int k = 0; k < 3; ++k) {
            *at(t, 6 * body + k, column) += sign * force[k];
            *at(t, 6 * body + 3 + k, column) += sign * torque[k] / arm;
        }
    }
}

/* The same tangent as contact.h describes where none is given. */
static void frame_of(const abut_contact *contact, double t[3], double b[3])
{
    const double *n = contact->normal;
    memcpy(t, contact->tangent, 3 * sizeof *t);
    if (t[0] == 0 && t[1] == 0 && t[2] == 0) {
        int k = 0;
        for (int i = 1; i < 3; ++i)
            if (fabs(n[i]) < fabs(n[k])) k = i;
        t[k] = 1;
    }
    double along = t[0] * n[0] + t[1] * n[1] + t[2] * n[2], length = 0;
    for (int i = 0; i < 3; ++i) {
        t[i] -= along * n[i];
        length += t[i] * t[i];
    }
    for (int i = 0; i < 3; ++i) t[i] /= sqrt(length);
    cross(n, t, b);
}

static int put_contact(tableau *t, const abut_contact_problem *problem, const abut_contact *contact,
                       double arm, int column)
{
    double x[3], y[3];
    int d = contact->friction > 0 ? contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT : 1;
    frame_of(contact, x, y);
    for (int j = 0; j < d; j++, ++column) {
        double angle = 2 * acos(-1) * j / d, force[3];
        for (int k = 0; k < 3; ++k)
            force[k] = contact->normal[k] + contact->friction * (cos(angle) * x[k] + sin(angle) * y[k]);
        put_force(t, problem, contact->bodies, contact->point, force, arm, column);
    }
    return column;
}

/* A joint row and its opposite. */
static int put_joint(tableau *t, const abut_contact_problem *problem, const abut_joint *joint, double arm,
                     int column)
{
    for (int sign = 1; sign >= -1; sign -= 2, ++column)
        for (int side = 0; side < 2; ++side) {
            int body = joint->bodies[side];
            if (body < 0 || problem->bodies[body].kind != ABUT_DYNAMIC) continue;
            for (int k = 0; k < 6; ++k)
                *at(t, 6 * body + k, column) += sign * joint->jacobian[side][k] / (k < 3 ? 1 : arm);
        }
    return column;
}

/* M v + step force of a body. */
static void momentum(const abut_contact_problem *problem, const abut_body *body, double out[6])
{
    const double *I = body->inertia, *w = body->velocity + 3;
    const double spin[3] = {I[0] * w[0] + I[3] * w[1] + I[4] * w[2], I[3] * w[0] + I[1] * w[1] + I[5] * w[2],
                            I[4] * w[0] + I[5] * w[1] + I[2] * w[2]};
    for (int k = 0; k < 3; ++k) {
        out[k] = body->mass * body->velocity[k] + problem->step * body->force[k];
        out[3 + k] = spin[k] + problem->step * body->force[3 + k];
    }
}

/* ---- phase one ---- */

static void pivot(tableau *t, int row, int column)
{
    int width = t->columns + 1;
    double *mine = at(t, row, 0), scale = 1 / mine[column];
    for (int k = 0; k < width; ++k) mine[k] *= scale;
    for (int i = 0; i <= t->rows; ++i) {
        double *other = at(t, i, 0), factor = other[column];
        if (i == row || factor == 0) continue;
        for (int k = 0; k < width; ++k) other[k] -= factor * mine[k];
        other[column] = 0;
    }
    t->basis[row] = column;
}

/* The steepest column, or, when nothing was gained for long, the first that helps (Bland). */
static int entering(tableau *t, int real_columns, int idle)
{
    int best = -1;
    double least = -1e-11;
    for (int k = 0; k < real_columns; ++k) {
        double cost = *at(t, t->rows, k);
        if (cost >= least) continue;
        best = k;
        if (idle > 50) break;
        least = cost;
    }
    return best;
}

static int leaving(tableau *t, int column, int idle)
{
    int best = -1;
    double least = INFINITY, size = 0;
    for (int i = 0; i < t->rows; ++i) {
        double rate = *at(t, i, column);
        if (rate <= PIVOT) continue;
        double ratio = fmax(*at(t, i, t->columns), 0) / rate;
        bool tie = fabs(ratio - least) <= 1e-13 * (1 + least);
        bool better = idle > 50 ? t->basis[i] < (best < 0 ? 0 : t->basis[best]) : rate > size;
        if (best >= 0 && !(tie ? better : ratio < least)) continue;
        best = i;
        least = tie && best >= 0 ? fmin(ratio, least) : ratio;
        size = rate;
    }
    return best;
}

static rest_finding phase_one(tableau *t, int real_columns)
{
    int idle = 0;
    bool ended = false;
    for (int round = 0; round < 200 * (t->rows + 10) && !ended; ++round) {
        double before = -*at(t, t->rows, t->columns);
        int column = before < NOTHING ? -1 : entering(t, real_columns, idle);
        ended = column < 0;
        if (ended) break;
        int row = leaving(t, column, idle);
        if (row < 0) return REST_UNCLEAR;
        pivot(t, row, column);
        idle = -*at(t, t->rows, t->columns) < before - 1e-13 ? 0 : idle + 1;
    }
    double left = -*at(t, t->rows, t->columns), largest = 0;
    for (int i = 0; i < t->rows; ++i) largest = fmax(largest, *at(t, i, t->columns));
    if (!ended) return REST_UNCLEAR;
    if (left > SOMETHING) return REST_IMPOSSIBLE;
    return left < NOTHING && largest < TOO_LARGE ? REST_POSSIBLE : REST_UNCLEAR;
}

/* Right-hand sides made positive, an artificial unknown a row, the objective their sum. */
static void begin_phase_one(tableau *t, int real_columns)
{
    for (int i = 0; i < t->rows; ++i) {
        double *row = at(t, i, 0);
        bool turn = row[t->columns] < 0;
        for (int k = 0; turn && k <= t->columns; ++k) row[k] = -row[k];
        row[real_columns + i] = 1;
        t->basis[i] = real_columns + i;
        for (int k = 0; k <= t->columns; ++k)
            if (k < real_columns || k == t->columns) *at(t, t->rows, k) -= row[k];
    }
}

static double longest_arm(const abut_contact_problem *problem)
{
    double arm = 0;
    for (int i = 0; i < problem->contact_count; ++i)
        for (int side = 0; side < 2; ++side) {
            int body = problem->contacts[i].bodies[side];
            for (int k = 0; body >= 0 && k < 3; ++k)
                arm = fmax(arm, fabs(problem->contacts[i].point[k] - problem->bodies[body].com[k]));
        }
    return arm > 0 ? arm : 1;
}

/* By how much the unknowns of the last basis miss the equations as they were written down, since pivots round. */
static double misfit(tableau *t, tableau *written, int real_columns)
{
    double worst = 0;
    for (int i = 0; i < t->rows; ++i) {
        double left = *at(written, i, t->columns);
        for (int k = 0; k < t->rows; ++k)
            if (t->basis[k] < real_columns)
                left -= *at(written, i, t->basis[k]) * fmax(*at(t, k, t->columns), 0);
        worst = fmax(worst, fabs(left));
    }
    return worst;
}

rest_finding rest_oracle(const abut_contact_problem *problem)
{
    double arm = longest_arm(problem), size = 0, p[6];
    int real_columns = 2 * problem->joint_count;
    for (int i = 0; i < problem->contact_count; ++i) {
        int d = problem->contacts[i].directions ? problem->contacts[i].directions : ABUT_DIRECTIONS_DEFAULT;
        real_columns += problem->contacts[i].friction > 0 ? d : 1;
    }
    tableau t = {.rows = 6 * problem->body_count};
    t.columns = real_columns + t.rows;
    t.entry = calloc((size_t)(t.rows + 1) * (size_t)(t.columns + 1), sizeof *t.entry);
    t.basis = calloc((size_t)t.rows + 1, sizeof *t.basis);
    tableau written = t;
    size_t bytes = (size_t)(t.rows + 1) * (size_t)(t.columns + 1) * sizeof *t.entry;
    written.entry = malloc(bytes);
    rest_finding found = REST_UNCLEAR;
    if (t.entry && t.basis && written.entry) {
        int column = 0;
        for (int i = 0; i < problem->contact_count; ++i)
            column = put_contact(&t, problem, &problem->contacts[i], arm, column);
        for (int j = 0; j < problem->joint_count; ++j)
            column = put_joint(&t, problem, &problem->joints[j], arm, column);
        for (int b = 0; b < problem->body_count; ++b) {
            momentum(problem, &problem->bodies[b], p);
            for (int k = 0; k < 6; ++k) {
                *at(&t, 6 * b + k, t.columns) = -p[k] / (k < 3 ? 1 : arm);
                size = fmax(size, fabs(p[k]) / (k < 3 ? 1 : arm));
            }
        }
        for (int i = 0; i < t.rows && size > 0; ++i) *at(&t, i, t.columns) /= size;
        memcpy(written.entry, t.entry, bytes);
        begin_phase_one(&t, real_columns);
        found = phase_one(&t, real_columns);
        if (found == REST_POSSIBLE && misfit(&t, &written, real_columns) > MISFIT) found = REST_UNCLEAR;
    }
    free(written.entry);
    free(t.entry);
    free(t.basis);
    return found;
}

bool rest_has_room(const abut_contact_problem *problem)
{
    abut_body *mine = malloc(((size_t)problem->body_count + 1) * sizeof *mine);
    abut_contact_problem pushed = *problem;
    bool room = mine;
    pushed.bodies = mine;
    for (int sign = -1; sign <= 1 && room; sign += 2) {
        bench_random random = bench_random_stream(1, 0);
        for (int b = 0; b < problem->body_count; ++b) {
            mine[b] = problem->bodies[b];
            double *f = mine[b].force, most = fmax(fmax(fabs(f[0]), fabs(f[1])), fabs(f[2]));
            for (int k = 0; k < 3; ++k) f[k] += sign * ROOM * most * bench_uniform(&random, -1, 1);
        }
        room = rest_oracle(&pushed) == REST_POSSIBLE;
    }
    free(mine);
    return room;
}

/* ---- energies ---- */

/* x with I x = b, I symmetric of order three, by Cramer's rule. */
static void divide_by_inertia(const double I[6], const double b[3], double x[3])
{
    const double row[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    double c[3][3], determinant = 0;
    for (int k = 0; k < 3; ++k) cross(row[(k + 1) % 3], row[(k + 2) % 3], c[k]);
    for (int k = 0; k < 3; ++k) determinant += row[0][k] * c[0][k];
    for (int i = 0; i < 3; ++i) {
        x[i] = 0;
        for (int k = 0; k < 3; ++k) x[i] += c[k][i] * b[k] / determinant;
    }
}

double rest_energy(const abut_contact_problem *problem, const double *velocity)
{
    double sum = 0;
    for (int b = 0; b < problem->body_count; ++b) {
        abut_body body = problem->bodies[b];
        double p[6], v[6];
        if (body.kind != ABUT_DYNAMIC) continue;
        momentum(problem, &body, p);
        for (int k = 0; k < 3; ++k) v[k] = p[k] / body.mass;
        divide_by_inertia(body.inertia, p + 3, v + 3);
        if (velocity) {
            abut_contact_problem still = {.step = 0};
            memcpy(body.velocity, velocity + 6 * b, sizeof body.velocity);
            memcpy(v, body.velocity, sizeof v);
            momentum(&still, &body, p);
        }
        for (int k = 0; k < 6; ++k) sum += 0.5 * p[k] * v[k];
    }
    return sum;
}
