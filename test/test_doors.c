/* The same problem through two doors gives the same answer: bodies against mass matrix and Jacobians against
 * W and q. */
#include "contact_case.h"

enum { NV = 6 * CASE_BODIES, ROWS = 3 * CASE_CONTACTS + CASE_JOINTS };

/* A problem of bodies written out for the other doors. */
typedef struct other_doors {
    double M[NV * NV], velocity[NV], force[NV];
    double normal[CASE_CONTACTS * NV], tangent[2 * CASE_CONTACTS * NV], joint[CASE_JOINTS * NV];
    double W[ROWS * ROWS], q[ROWS], before[ROWS];
    abut_contact contacts[CASE_CONTACTS]; /* for W + q: gap and restitution are part of q */
    abut_joint joints[CASE_JOINTS];
    abut_generalised generalised;
    abut_local local;
} other_doors;

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; ++c) out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* Row of a unit impulse `axis` at the contact's point, on all bodies. */
static void jacobian_row(const contact_case *c, const abut_contact *contact, const double axis[3], int nv,
                         double *row)
{
    memset(row, 0, (size_t)nv * sizeof(double));
    for (int side = 0; side < 2; ++side) {
        int body = contact->bodies[side];
        if (body < 0) continue;
        double arm[3], moment[3], sign = side ? -1.0 : 1.0;
        for (int k = 0; k < 3; ++k) arm[k] = contact->point[k] - c->body[body].com[k];
        cross(arm, axis, moment);
        for (int k = 0; k < 3; ++k) {
            row[6 * body + k] += sign * axis[k];
            row[6 * body + 3 + k] += sign * moment[k];
        }
    }
}

static void write_mass(const abut_body *body, int at, int nv, double *M)
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int i = 0; i < 3; ++i) {
        M[(at + i) * nv + at + i] = body->mass;
        for (int j = 0; j < 3; ++j) M[(at + 3 + i) * nv + at + 3 + j] = body->inertia[place[i][j]];
    }
}

static void open_generalised(other_doors *d, const contact_case *c)
{
    int nv = 6 * c->bodies;
    memset(d->M, 0, sizeof d->M);
    for (int b = 0; b < c->bodies; ++b) {
        write_mass(&c->body[b], 6 * b, nv, d->M);
        memcpy(d->velocity + 6 * b, c->body[b].velocity, 6 * sizeof(double));
        memcpy(d->force + 6 * b, c->body[b].force, 6 * sizeof(double));
    }
    for (int i = 0; i < c->contacts; ++i) {
        const abut_contact *contact = &c->contact[i];
        double other[3];
        cross(contact->normal, contact->tangent, other);
        jacobian_row(c, contact, contact->normal, nv, d->normal + i * nv);
        jacobian_row(c, contact, contact->tangent, nv, d->tangent + 2 * i * nv);
        jacobian_row(c, contact, other, nv, d->tangent + (2 * i + 1) * nv);
    }
    memset(d->joint, 0, sizeof d->joint);
    for (int j = 0; j < c->joints; ++j) {
        for (int side = 0; side < 2; ++side) {
            int body = c->joint[j].bodies[side];
            for (int k = 0; k < 6 && body >= 0; ++k)
                d->joint[j * nv + 6 * body + k] += c->joint[j].jacobian[side][k];
        }
    }
    d->generalised = (abut_generalised){.nv = nv,
                                        .mass_matrix = d->M,
                                        .velocity = d->velocity,
                                        .force = d->force,
                                        .normal_rows = d->normal,
                                        .tangent_rows = d->tangent,
                                        .joint_rows = d->joint};
}

/* x := M^-1 x by plain elimination. */
static void solve_mass(const double *M, int nv, double *x)
{
    static double A[NV * NV];
    memcpy(A, M, (size_t)(nv * nv) * sizeof(double));
    for (int k = 0; k < nv; ++k) {
        for (int i = k + 1; i < nv; ++i) {
            double by = A[i * nv + k] / A[k * nv + k];
            for (int j = k; j < nv; ++j) A[i * nv + j] -= by * A[k * nv + j];
            x[i] -= by * x[k];
        }
    }
    for (int k = nv - 1; k >= 0; --k) {
        for (int j = k + 1; j < nv; ++j) x[k] -= A[k * nv + j] * x[j];
        x[k] /= A[k * nv + k];
    }
}

static const double *row_of(const other_doors *d, const contact_case *c, int row)
{
    int nv = 6 * c->bodies, contact = row / 3, axis = row % 3;
    if (row >= 3 * c->contacts) return d->joint + (row - 3 * c->contacts) * nv;
    return axis == 0 ? d->normal + contact * nv : d->tangent + (2 * contact + axis - 1) * nv;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* W = J M^-1 J', q = J (v + step M^-1 force) + b. After open_generalised. */
static void open_local(other_doors *d, const contact_case *c, double step)
{
    int nv = 6 * c->bodies, rows = 3 * c->contacts + c->joints;
    double free_motion[NV], column[NV];
    memcpy(free_motion, d->force, (size_t)nv * sizeof(double));
    solve_mass(d->M, nv, free_motion);
    for (int i = 0; i < nv; ++i) free_motion[i] = d->velocity[i] + step * free_motion[i];
    for (int j = 0; j < rows; ++j) {
        memcpy(column, row_of(d, c, j), (size_t)nv * sizeof(double));
        solve_mass(d->M, nv, column);
        for (int i = 0; i < rows; ++i) d->W[i * rows + j] = dot(row_of(d, c, i), column, nv);
        d->q[j] = dot(row_of(d, c, j), free_motion, nv);
        d->before[j] = dot(row_of(d, c, j), d->velocity, nv);
    }
    for (int i = 0; i < c->contacts; ++i) {
        const abut_contact *contact = &c->contact[i];
        double approach = d->before[3 * i], threshold = abut_contact_default_options().restitution_threshold;
        bool bounces =
            contact->restitution > 0.0 && approach < -threshold && contact->gap + step * approach <= 0.0;
        d->q[3 * i] += bounces ? contact->restitution * approach : contact->gap / step;
        d->contacts[i] = *contact;
        d->contacts[i].gap = 0.0;
        d->contacts[i].restitution = 0.0;
    }
    for (int j = 0; j < c->joints; ++j) d->joints[j] = c->joint[j];
    d->local = (abut_local){.dimension = 3, .W = d->W, .q = d->q, .velocity = d->before};
}

/* Explicit tangents, so that the Jacobians can be written down. */
static void add_tangents(contact_case *c)
{
    for (int i = 0; i < c->contacts; ++i) {
        double *n = c->contact[i].normal, *t = c->contact[i].tangent;
        double other[3] = {0.3, -0.5, 0.8};
        cross(n, other, t);
        double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        for (int k = 0; k < 3; ++k) t[k] /= length;
    }
}

static void compare(const abut_contact_problem *problem, abut_contact_solver solver, abut_joint_rows mode,
                    int number, const double *velocity, const double *u, int contacts)
{
    abut_contact_options options = abut_contact_default_options();
    options.solver = solver;
    options.joint_rows = mode;
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(problem, &options, &result);
    CHECK_MSG(result.outcome == ABUT_SOLVED, "problem %d: %s", number, abut_outcome_name(result.outcome));
    for (int i = 0; i < 6 * CASE_BODIES && velocity && result.velocity && i < problem->generalised->nv; ++i) {
        CHECK_MSG(fabs(result.velocity[i] - velocity[i]) <= 1e-9, "problem %d, velocity %d: %g against %g",
                  number, i, result.velocity[i], velocity[i]);
    }
    for (int i = 0; i < contacts && result.contacts; ++i) {
        CHECK_MSG(fabs(result.contacts[i].gap_velocity - u[i]) <= 1e-9, "problem %d, contact %d", number, i);
    }
    abut_contact_workspace_destroy(work);
}

/* Few contacts on many bodies: with so many degrees of freedom v is unique in practice. */
static void test_three_doors(void)
{
    uint64_t seed = check_seed(7);
    static other_doors d;
    for (int k = 0; k < 40; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c;
        case_random(&c, 1 + k % 4, 1 + k % 4, &random);
        add_tangents(&c);
        for (int i = 0; i < c.contacts; ++i) {
            c.contact[i].friction *= 0.3;
            c.contact[i].gap = k % 3 ? bench_uniform(&random, 0.0, 0.01) : 0.0;
            c.contact[i].viscous = k % 5 == 0 ? bench_uniform(&random, 0.0, 2.0) : 0.0;
        }
        if (k % 5 == 0) {
            for (int i = 0; i < c.contacts; ++i) c.contact[i].gap = 0.0;
        }
        c.joints = k % 3;
        for (int j = 0; j < c.joints; ++j) {
            c.joint[j] = (abut_joint){.bodies = {0, c.bodies > 1 ? 1 : ABUT_WORLD}, .target = 0.1 * j};
            for (int i = 0; i < 12; ++i)
                c.joint[j].jacobian[i / 6][i % 6] = bench_uniform(&random, -1.0, 1.0);
        }
        abut_contact_problem bodies = case_problem(&c), generalised = bodies, local = bodies;
        open_generalised(&d, &c);
        open_local(&d, &c, bodies.step);
        generalised.body_count = local.body_count = 0;
        generalised.bodies = local.bodies = NULL;
        generalised.generalised = &d.generalised;
        local.local = &d.local;
        local.contacts = d.contacts;
        local.joints = d.joints;

        abut_contact_options options = abut_contact_default_options();
        options.solver = ABUT_SOLVER_LEMKE;
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&bodies, &options, &result);
        CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-10, "problem %d: %s %g", k,
                  abut_outcome_name(result.outcome), result.residual);
        if (result.contacts) {
            double u[CASE_CONTACTS];
            for (int i = 0; i < c.contacts; ++i) u[i] = result.contacts[i].gap_velocity;
            for (int mode = ABUT_JOINTS_PERMANENT; mode <= ABUT_JOINTS_PROJECTED; ++mode) {
                for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
                    if (solver == ABUT_SOLVER_ENUMERATE) continue;
                    if (abut_contact_supports(ABUT_COULOMB, (abut_contact_solver)solver, false)) {
                        compare(&generalised, (abut_contact_solver)solver, (abut_joint_rows)mode, k,
                                result.velocity, u, c.contacts);
                    }
                    if (abut_contact_supports(ABUT_COULOMB, (abut_contact_solver)solver, true)) {
                        compare(&local, (abut_contact_solver)solver, (abut_joint_rows)mode, k, NULL, u,
                                c.contacts);
                    }
                }
            }
        }
        abut_contact_workspace_destroy(work);
    }
}

/* A planar W + q problem, two numbers a contact: a block that is pushed sticks or slides. */
static void test_planar_local(void)
{
    for (int slides = 0; slides < 2; ++slides) {
        double W[4] = {1, 0, 0, 1}, q[2] = {-1.0, slides ? 0.8 : 0.3};
        abut_local local = {.dimension = 2, .W = W, .q = q};
        abut_contact contact = {.friction = 0.5, .directions = 2};
        abut_contact_problem problem = {
            .model = ABUT_COULOMB, .step = 1.0, .contact_count = 1, .contacts = &contact, .local = &local};
        abut_contact_options options = abut_contact_default_options();
        options.solver = ABUT_SOLVER_LEMKE;
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        CHECK(!result.velocity);
        if (result.contacts) {
            CHECK_NEAR(result.contacts[0].normal, 1.0, 1e-15);
            CHECK_NEAR(result.contacts[0].tangent[0], slides ? -0.5 : -0.3, 1e-15);
            CHECK_EQ_INT(result.contacts[0].state, slides ? ABUT_SLIDE : ABUT_STICK);
            CHECK_NEAR(result.contacts[0].slip, slides ? 0.3 : 0.0, 1e-15);
        }
        abut_contact_workspace_destroy(work);
    }
}

int main(void)
{
    RUN(test_three_doors);
    RUN(test_planar_local);
    return check_report();
}
