#include "io/delassus.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void abuti_delassus_release(abuti_delassus *local)
{
    free(local->W);
    free(local->q);
    *local = (abuti_delassus){0};
}

static int first_nonzero(const double *row, int count)
{
    int first = 0;
    while (first < count && row[first] == 0) first++;
    return first;
}

/* Cholesky within the envelope: M = L L', where L replaces the lower triangle of M, and first[i] is the first entry of
 * row i. */
static bool factor(int dof, double *M, int *first)
{
    for (int i = 0; i < dof; ++i) {
        double *row = M + (size_t)i * (size_t)dof;
        first[i] = first_nonzero(row, i);
        for (int j = first[i]; j <= i; ++j) {
            const double *other = M + (size_t)j * (size_t)dof;
            double sum = row[j];
            for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; ++k) sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (!(sum > 0))
                return false;
            else
                row[i] = sqrt(sum);
        }
    }
    return true;
}

/* x := L^-1 x; returns the first index that is not zero. */
static int forward(int dof, const double *L, const int *first, double *x)
{
    int start = first_nonzero(x, dof);
    for (int i = start; i < dof; ++i) {
        const double *row = L + (size_t)i * (size_t)dof;
        double sum = x[i];
        for (int k = first[i] > start ? first[i] : start; k < i; ++k) sum -= row[k] * x[k];
        x[i] = sum / row[i];
    }
    return start;
}

static int last_nonzero(const double *row, int count)
{
    while (count > 0 && row[count - 1] == 0) count--;
    return count;
}

bool abuti_reduce_to_local(int dof, double *M, const double *k, int n, double *H, const double *w, double *W,
                           double *q)
{
    /* For each row of M its first entry; for each row of L^-1 H' the range of its entries. */
    int *first = malloc(((size_t)dof + 2 * (size_t)n) * sizeof(int));
    double *y = malloc((size_t)dof * sizeof(double));
    bool fine = first && y && factor(dof, M, first);
    if (fine) {
        int *from = first + dof, *to = from + n;
        memcpy(y, k, (size_t)dof * sizeof(double));
        forward(dof, M, first, y);
        for (int i = 0; i < n; ++i) {
            double *row = H + (size_t)i * (size_t)dof;
            from[i] = forward(dof, M, first, row);
            to[i] = last_nonzero(row, dof);
            q[i] = w[i];
            for (int c = from[i]; c < to[i]; ++c) q[i] += row[c] * y[c];
            for (int j = 0; j <= i; ++j) {
                const double *other = H + (size_t)j * (size_t)dof;
                int low = from[i] > from[j] ? from[i] : from[j], high = to[i] < to[j] ? to[i] : to[j];
                double sum = 0;
                for (int c = low; c < high; ++c) sum += row[c] * other[c];
                W[(size_t)i * (size_t)n + (size_t)j] = W[(size_t)j * (size_t)n + (size_t)i] = sum;
            }
        }
    }
    free(first);
    free(y);
    return fine;
}

/* ---- bodies ---- */

/* The problem in generalised form: M, k, H, w, with six coordinates for each dynamic body. */
typedef struct assembly {
    const abut_contact_problem *problem;
    double restitution_threshold;
    int dof, n;
    int *slot; /* of each body: its first coordinate, or -1 */
    double *M, *k, *H, *w;
} assembly;

static void place_body(assembly *a, int body)
{
    const abut_body *b = &a->problem->bodies[body];
    int s = a->slot[body];
    if (s < 0) return;
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}; /* of xx yy zz xy xz yz */
    size_t dof = (size_t)a->dof;
    for (int i = 0; i < 3; ++i) {
        a->M[((size_t)(s + i)) * dof + (size_t)(s + i)] = b->mass;
        a->k[s + i] = b->mass * b->velocity[i] + a->problem->step * b->force[i];
        a->k[s + 3 + i] = a->problem->step * b->force[3 + i];
        for (int j = 0; j < 3; ++j) {
            a->M[((size_t)(s + 3 + i)) * dof + (size_t)(s + 3 + j)] = b->inertia[entry[i][j]];
            a->k[s + 3 + i] += b->inertia[entry[i][j]] * b->velocity[3 + j];
        }
    }
}

/* Adds a row on a body's velocity: to H when the body moves freely, to w when its velocity is given. Returns
 * the row's value at the velocity before the step. */
static double place_row(assembly *a, int row, int body, const double jacobian[6], double sign)
{
    if (body == ABUT_WORLD || a->problem->bodies[body].kind == ABUT_STATIC) return 0;
    double before = 0;
    for (int c = 0; c < 6; ++c) before += sign * jacobian[c] * a->problem->bodies[body].velocity[c];
    if (a->slot[body] < 0)
        a->w[row] += before;
    else
        for (int c = 0; c < 6; ++c)
            a->H[(size_t)row * (size_t)a->dof + (size_t)(a->slot[body] + c)] += sign * jacobian[c];
    return before;
}

/* The row of a direction at a contact's point on both bodies. */
static double place_direction(assembly *a, int row, const abut_contact *contact, const double direction[3])
{
    double before = 0;
    for (int side = 0; side < 2; ++side) {
        int body = contact->bodies[side];
        if (body == ABUT_WORLD) continue;
        double arm[3], jacobian[6];
        for (int i = 0; i < 3; ++i) arm[i] = contact->point[i] - a->problem->bodies[body].com[i];
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            jacobian[i] = direction[i];
            jacobian[3 + i] = arm[j] * direction[k] - arm[k] * direction[j];
        }
        before += place_row(a, row, body, jacobian, side == 0 ? 1 : -1);
    }
    return before;
}

static void place_contact(assembly *a, int index)
{
    const abut_contact *c = &a->problem->contacts[index];
    double n[3], t[3], s[3], step = a->problem->step;
    abuti_contact_frame(c, n, t);
    for (int i = 0; i < 3; ++i) s[i] = n[(i + 1) % 3] * t[(i + 2) % 3] - n[(i + 2) % 3] * t[(i + 1) % 3];
    double approach = place_direction(a, 3 * index, c, n);
    place_direction(a, 3 * index + 1, c, t);
    place_direction(a, 3 * index + 2, c, s);
    bool bounces =
        c->restitution > 0 && approach < -a->restitution_threshold && c->gap + step * approach <= 0;
    a->w[3 * index] += bounces ? c->restitution * approach : c->gap / step;
}

static void assemble(assembly *a)
{
    const abut_contact_problem *p = a->problem;
    for (int i = 0; i < p->body_count; ++i) place_body(a, i);
    for (int i = 0; i < p->contact_count; ++i) place_contact(a, i);
    for (int i = 0; i < p->joint_count; ++i) {
        int row = 3 * p->contact_count + i;
        place_row(a, row, p->joints[i].bodies[0], p->joints[i].jacobian[0], 1);
        place_row(a, row, p->joints[i].bodies[1], p->joints[i].jacobian[1], 1);
        a->w[row] -= p->joints[i].target;
    }
}

static bool say(abut_error *error, const char *text)
{
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

static bool form_from_bodies(const abut_contact_problem *problem, double restitution_threshold,
                             abuti_delassus *local, abut_error *error)
{
    assembly a = {.problem = problem, .restitution_threshold = restitution_threshold, .n = local->n};
    a.slot = malloc((size_t)problem->body_count * sizeof(int));
    if (!a.slot) return say(error, "out of memory");
    for (int i = 0; i < problem->body_count; ++i) {
        bool moves = problem->bodies[i].kind == ABUT_DYNAMIC;
        a.slot[i] = moves ? a.dof : -1;
        a.dof += moves ? 6 : 0;
    }
    size_t dof = (size_t)a.dof, n = (size_t)a.n;
    bool fine =
        a.dof <= ABUTI_DENSE_MAX_N || say(error, "too many bodies for the local form, which is dense");
    if (fine) {
        a.M = calloc(dof * dof + dof + n * dof + n + 1, sizeof(double));
        fine = a.M || say(error, "out of memory");
    }
    if (fine) {
        a.k = a.M + dof * dof;
        a.H = a.k + dof;
        a.w = a.H + n * dof;
        assemble(&a);
        fine = abuti_reduce_to_local(a.dof, a.M, a.k, a.n, a.H, a.w, local->W, local->q) ||
               say(error, "the mass matrix is not positive definite");
    }
    free(a.slot);
    free(a.M);
    return fine;
}

static bool gives_way(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].compliance != 0 || problem->contacts[i].two_points) return true;
    for (int i = 0; i < problem->joint_count; ++i)
        if (problem->joints[i].bounded || problem->joints[i].compliance != 0) return true;
    return false;
}

bool abuti_delassus_form(const abut_contact_problem *problem, const abut_contact_options *options,
                         abuti_delassus *local, abut_error *error)
{
    const abut_contact_options defaults = abut_contact_default_options();
    *local = (abuti_delassus){.dimension = problem->local ? problem->local->dimension : 3};
    if (problem->generalised) return say(error, "blocks are told in capsules only");
    if (!problem->local && problem->body_count == 0) return say(error, "expected bodies or the local form");
    if (problem->model != ABUT_COULOMB)
        return say(error, "the local form of this format is that of the coulomb model");
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].viscous != 0 || problem->contacts[i].group != 0)
            return say(error, "the local form of this format holds no viscous coefficients and no groups");
    long long rows = (long long)local->dimension * problem->contact_count + problem->joint_count;
    if (gives_way(problem))
        return say(error,
                   "the local form of this format holds no bounds, no compliance and no second points");
    if (rows < 1 || rows > ABUTI_DENSE_MAX_N) return say(error, "the local form holds 1 to 10000 rows");
    local->n = (int)rows;
    size_t n = (size_t)rows;
    local->W = malloc(n * n * sizeof(double));
    local->q = malloc(n * sizeof(double));
    bool fine = (local->W && local->q) || say(error, "out of memory");
    if (fine && problem->local) {
        memcpy(local->W, problem->local->W, n * n * sizeof(double));
        memcpy(local->q, problem->local->q, n * sizeof(double));
        for (int i = 0; i < problem->joint_count; ++i)
            local->q[local->dimension * problem->contact_count + i] -= problem->joints[i].target;
    } else if (fine) {
        fine = form_from_bodies(
            problem, options ? options->restitution_threshold : defaults.restitution_threshold, local, error);
    }
    if (!fine) abuti_delassus_release(local);
    return fine;
}
