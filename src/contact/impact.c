/* Impulses at the acceleration level.
 *
 * Forces change velocities in time, impulses at once. Two questions need an impulse before forces can be
 * found; it is applied on request (options.accel.apply_impulse):
 *
 *   viscous         a contact that approaches (n.u < -slide_threshold) touches for the first time and would
 *                   have to stop in no time: an inelastic impact, without friction, as viscous forces have no
 *                   impulse in zero time, or with viscous friction that acts for a given time (Drumwright VII-B).
 *   coulomb-accel   a ray: no forces satisfy the conditions (Painleve), and an impulse must change who slides
 *                   (Baraff section 6).
 *
 * Both are one problem of the velocity level in which no time passes: M (v+ - v) = J'p, no gap, no bounce,
 * and joint rows keep their velocities. A finite force has no impulse in no time, so rows with finite bounds push
 * nothing; bounds at infinity stay, and a row gives way as it does under forces (both are 1 / kg). For the ray that problem alone is not enough, since doing nothing
 * answers it: the contacts do not approach. What distinguishes the impulse is that forces push into them. So
 * a step with the forces comes first, which is short against the time in which they change the velocities. The
 * problem without time is then solved from the states in which that step ends. After the impulse forces are asked
 * for again; where that ends on another ray, the next impulse follows, up to ABUT_IMPACTS_MAX. */
#include "contact/impact.h"
#include "base/clock.h"
#include "contact/build/build.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The short step, as a part of the time in which forces would change the velocities wholly. */
#define SHORT_STEP 1e-6

void abuti_impact_layout(abuti_impact *impact, abuti_arena *arena, const abut_contact_limits *limits)
{
    size_t rows = limits->local ? 3 * (size_t)limits->contacts + (size_t)limits->joints : 0;
    size_t numbers = 6 * (size_t)limits->bodies;
    if ((size_t)limits->nv > numbers) numbers = (size_t)limits->nv;
    if (rows > numbers) numbers = rows;
    impact->bodies = abuti_take(arena, limits->bodies, abut_body);
    impact->after = abuti_take(arena, limits->bodies, abut_body);
    impact->contacts = abuti_take(arena, limits->contacts, abut_contact);
    impact->joints = abuti_take(arena, limits->joints, abut_joint);
    impact->directions = limits->directions ? limits->directions : ABUT_DIRECTIONS_DEFAULT;
    impact->force = abuti_take(arena, numbers, double);
    impact->before = abuti_take(arena, numbers, double);
    impact->velocity = abuti_take(arena, ABUT_IMPACTS_MAX * numbers, double);
    impact->impulses = abuti_take(arena, 3 * ABUT_IMPACTS_MAX * (size_t)limits->contacts, double);
    impact->joint_impulses = abuti_take(arena, ABUT_IMPACTS_MAX * (size_t)limits->joints, double);
    impact->ray = abuti_take(arena, 3 * (size_t)limits->contacts, double);
    impact->faces = abuti_take(arena, limits->contacts, abut_contact_face);
}

static size_t rows_of(const abut_contact_problem *problem)
{
    return (size_t)problem->local->dimension * (size_t)problem->contact_count + (size_t)problem->joint_count;
}

static double product(const double *row, const double *v, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += row[i] * v[i];
    return sum;
}

/* ------------------------------------------------------------------------------------------------
 * Velocities before */

static double point_speed(const abut_contact_problem *problem, int body, const double point[3],
                          const double axis[3])
{
    if (body < 0 || problem->bodies[body].kind == ABUT_STATIC) return 0.0;
    const double *v = problem->bodies[body].velocity, *com = problem->bodies[body].com;
    double r[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
    double u[3] = {v[0] + v[4] * r[2] - v[5] * r[1], v[1] + v[5] * r[0] - v[3] * r[2],
                   v[2] + v[3] * r[1] - v[4] * r[0]};
    return product(axis, u, 3);
}

/* How many numbers a row has: all, or those of its blocks. */
static size_t row_width(const abut_generalised *g, const int pair[2])
{
    if (g->block_count == 0) return (size_t)g->nv;
    return (size_t)g->block_sizes[pair[0]] + (pair[1] >= 0 ? (size_t)g->block_sizes[pair[1]] : 0);
}

/* Its product with the velocity. */
static double row_speed(const abut_generalised *g, const int pair[2], const double *row)
{
    if (g->block_count == 0) return product(row, g->velocity, (size_t)g->nv);
    double sum = 0.0;
    for (int side = 0; side < 2 && pair[side] >= 0; ++side) {
        size_t at = 0, size = (size_t)g->block_sizes[pair[side]];
        for (int b = 0; b < pair[side]; ++b) at += (size_t)g->block_sizes[b];
        sum += product(row, g->velocity + at, size);
        row += size;
    }
    return sum;
}

/* The normal velocity n.u of contact i before the impact. */
static double approach(const abut_contact_problem *problem, int i)
{
    const abut_contact *c = &problem->contacts[i];
    if (problem->generalised) {
        size_t at = 0;
        for (int k = 0; k < i; ++k) at += row_width(problem->generalised, problem->contacts[k].bodies);
        return row_speed(problem->generalised, c->bodies, problem->generalised->normal_rows + at);
    }
    if (problem->local) {
        const double *v = problem->local->velocity;
        return v ? v[(size_t)problem->local->dimension * (size_t)i] : 0.0;
    }
    return point_speed(problem, c->bodies[0], c->point, c->normal) -
           point_speed(problem, c->bodies[1], c->point, c->normal);
}

/* The velocity J v of joint row j before the impact, which the row keeps. */
static double joint_rate(const abut_contact_problem *problem, int j)
{
    if (problem->generalised) {
        size_t at = 0;
        for (int k = 0; k < j; ++k) at += row_width(problem->generalised, problem->joints[k].bodies);
        return row_speed(problem->generalised, problem->joints[j].bodies,
                         problem->generalised->joint_rows + at);
    }
    if (problem->local)
        return problem->local->velocity[rows_of(problem) - (size_t)(problem->joint_count - j)];
    const abut_joint *joint = &problem->joints[j];
    double rate = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = joint->bodies[side];
        if (body < 0 || problem->bodies[body].kind == ABUT_STATIC) continue;
        rate += product(joint->jacobian[side], problem->bodies[body].velocity, 6);
    }
    return rate;
}

/* Roughly the time in which forces change velocities by their own size; 0 without velocities. */
static double time_scale(const abut_contact_problem *problem)
{
    double energy = 0.0, push = 0.0;
    for (int b = 0; b < problem->body_count; ++b) {
        const abut_body *body = &problem->bodies[b];
        if (body->kind == ABUT_STATIC) continue;
        energy = fmax(energy, product(body->velocity, body->velocity, 3));
        if (body->kind == ABUT_DYNAMIC)
            push = fmax(push, product(body->force, body->force, 3) / (body->mass * body->mass));
    }
    const abut_generalised *g = problem->generalised;
    const double *M = g ? g->mass_matrix : NULL;
    for (int b = 0, i = 0; g && i < g->nv; ++b) {
        size_t size = (size_t)(g->block_count > 0 ? g->block_sizes[b] : g->nv);
        for (size_t c = 0; c < size; ++c, ++i) {
            double m = M[c * size + c];
            energy = fmax(energy, g->velocity[i] * g->velocity[i]);
            push = fmax(push, g->force[i] * g->force[i] / (m * m));
        }
        M += size * size;
    }
    for (size_t i = 0; problem->local && problem->local->velocity && i < rows_of(problem); ++i) {
        energy = fmax(energy, problem->local->velocity[i] * problem->local->velocity[i]);
        push = fmax(push, problem->local->q[i] * problem->local->q[i]);
    }
    return push > 0.0 ? sqrt(energy / push) : 0.0;
}

/* ------------------------------------------------------------------------------------------------
 * The problem without time */

/* The impulse of a bound of force that acts for so long. */
static double bound_within(double force, double time)
{
    return isinf(force) ? force : time * force;
}

/* The forces act for `time`; 0: they do not act. */
static abut_contact_problem impact_problem(abuti_impact *impact, const abut_contact_problem *problem,
                                           abut_contact_model model, int polygon, double time)
{
    abut_contact_problem out = *problem;
    out.model = model;
    out.step = 1.0;
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        impact->contacts[i] = *c;
        impact->contacts[i].gap = impact->contacts[i].restitution = impact->contacts[i].viscous = 0.0;
        if (c->directions != ABUT_DIRECTIONS_MIN && polygon > 0) impact->contacts[i].directions = polygon;
    }
    for (int j = 0; j < problem->joint_count; ++j) {
        impact->joints[j] = problem->joints[j];
        impact->joints[j].target = joint_rate(problem, j);
        impact->joints[j].lower = bound_within(problem->joints[j].lower, time);
        impact->joints[j].upper = bound_within(problem->joints[j].upper, time);
    }
    for (int b = 0; b < problem->body_count; ++b) {
        impact->bodies[b] = problem->bodies[b];
        for (int c = 0; c < 6; ++c) impact->bodies[b].force[c] *= time;
    }
    if (problem->generalised) {
        impact->generalised = *problem->generalised;
        for (int i = 0; i < impact->generalised.nv; ++i)
            impact->force[i] = time * problem->generalised->force[i];
        impact->generalised.force = impact->force;
        out.generalised = &impact->generalised;
    }
    if (problem->local) {
        impact->local = *problem->local;
        for (size_t i = 0; i < rows_of(problem); ++i)
            impact->force[i] = problem->local->velocity[i] + time * problem->local->q[i];
        impact->local.q = impact->force;
        out.local = &impact->local;
    }
    out.contacts = impact->contacts;
    out.joints = impact->joints;
    out.bodies = problem->body_count > 0 ? impact->bodies : NULL;
    return out;
}

/* How many numbers one velocity has. */
static size_t numbers_of(const abut_contact_problem *problem)
{
    if (problem->local) return rows_of(problem);
    return problem->generalised ? (size_t)problem->generalised->nv : 6 * (size_t)problem->body_count;
}

static double *last_velocity(const abuti_impact *impact, const abut_contact_problem *problem)
{
    return impact->velocity + (size_t)(impact->count - 1) * numbers_of(problem);
}

/* Keeps impulses and velocities of a solved impact. */
static void keep(abuti_impact *impact, const abut_contact_problem *problem, const abut_contact_result *result)
{
    double *impulses = impact->impulses + 3 * (size_t)impact->count * (size_t)problem->contact_count;
    double *joints = impact->joint_impulses + (size_t)impact->count * (size_t)problem->joint_count;
    impact->count++;
    for (int i = 0; i < problem->contact_count; ++i) {
        impulses[3 * (size_t)i] = result->contacts[i].normal;
        impulses[3 * (size_t)i + 1] = result->contacts[i].tangent[0];
        impulses[3 * (size_t)i + 2] = result->contacts[i].tangent[1];
    }
    for (int j = 0; j < problem->joint_count; ++j) joints[j] = result->joints[j];
    double *velocity = last_velocity(impact, problem);
    if (!problem->local) {
        memcpy(velocity, result->velocity, numbers_of(problem) * sizeof(double));
        return;
    }
    /* v + W p */
    size_t rows = rows_of(problem), dimension = (size_t)problem->local->dimension;
    size_t contact_rows = dimension * (size_t)problem->contact_count;
    for (size_t i = 0; i < contact_rows; ++i)
        impact->before[i] = impulses[3 * (i / dimension) + i % dimension];
    for (size_t i = contact_rows; i < rows; ++i) impact->before[i] = joints[i - contact_rows];
    for (size_t i = 0; i < rows; ++i)
        velocity[i] =
            problem->local->velocity[i] + product(problem->local->W + i * rows, impact->before, rows);
}

/* Where the problem with new velocities lives: the impact's own arrays serve the problems without time. */
typedef struct renewed {
    abut_generalised generalised;
    abut_local local;
} renewed;

/* The caller's problem with the velocities after the last impact. */
static abut_contact_problem problem_after(abuti_impact *impact, const abut_contact_problem *problem,
                                          renewed *store)
{
    abut_contact_problem out = *problem;
    const double *velocity = last_velocity(impact, problem);
    for (int b = 0; b < problem->body_count; ++b) {
        impact->after[b] = problem->bodies[b];
        if (problem->bodies[b].kind == ABUT_DYNAMIC)
            memcpy(impact->after[b].velocity, velocity + 6 * (size_t)b, 6 * sizeof(double));
    }
    if (problem->body_count > 0) out.bodies = impact->after;
    if (problem->generalised) {
        store->generalised = *problem->generalised;
        store->generalised.velocity = velocity;
        out.generalised = &store->generalised;
    }
    if (problem->local) {
        store->local = *problem->local;
        store->local.velocity = velocity;
        out.local = &store->local;
    }
    return out;
}

/* ------------------------------------------------------------------------------------------------
 * The two questions */

static bool touches_first(const abut_contact_problem *problem, double threshold)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (approach(problem, i) < -threshold) return true;
    return false;
}

/* A change of the velocities by less than this part of them is rounding, not an impulse. */
#define LEAST_CHANGE 1e-9

static const double *velocity_before(const abut_contact_problem *problem, size_t i)
{
    if (problem->local) return &problem->local->velocity[i];
    return problem->generalised ? &problem->generalised->velocity[i]
                                : &problem->bodies[i / 6].velocity[i % 6];
}

/* Whether the impact that was kept last has changed anything that moves. */
static bool has_changed(const abuti_impact *impact, const abut_contact_problem *problem)
{
    const double *after = last_velocity(impact, problem);
    double change = 0.0, size = 0.0;
    for (size_t i = 0; i < numbers_of(problem); ++i) {
        if (problem->body_count > 0 && problem->bodies[i / 6].kind != ABUT_DYNAMIC) continue;
        double before = *velocity_before(problem, i);
        change = fmax(change, fabs(after[i] - before));
        size = fmax(size, fabs(before));
    }
    return change > LEAST_CHANGE * size;
}

/* The caller's options without those that hold for the caller's own problem only. */
static abut_contact_options cold(const abut_contact_options *options)
{
    abut_contact_options own = *options;
    own.stage = NULL;
    own.start = NULL;
    own.warm = false;
    return own;
}

/* One solve within what is left of the budget. Where nothing is left, the solve ends at its limit at once. */
static abut_status solve_within(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                                const abut_contact_problem *problem, const abut_contact_options *options,
                                abut_contact_result *result)
{
    abut_contact_options own = *options;
    if (impact->deadline < INFINITY) own.max_seconds = fmax(impact->deadline - abuti_clock(), DBL_MIN);
    if (impact->pivots_left < INT_MAX) own.max_pivots = impact->pivots_left > 0 ? impact->pivots_left : 1;
    abut_status status = solve(workspace, problem, &own, result);
    if (impact->pivots_left < INT_MAX && status == ABUT_OK) impact->pivots_left -= result->pivots;
    return status;
}

static bool is_spent(const abuti_impact *impact)
{
    return abuti_budget_spent(0, impact->pivots_left, impact->deadline);
}

/* An inelastic impact, with no friction but the viscous one that acts for impact_seconds. */
static abut_status first_touch(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                               const abut_contact_problem *problem, const abut_contact_options *options,
                               bool *resolved)
{
    abut_contact_options own = cold(options);
    abut_contact_result result;
    abut_contact_model model = abuti_model_of(problem->model)->impact;
    abut_contact_problem sudden = impact_problem(impact, problem, model, 0, 0.0);
    own.viscous = ABUT_VISCOUS_IMPLICIT;
    for (int i = 0; i < problem->contact_count; ++i)
        impact->contacts[i].viscous = options->accel.impact_seconds * problem->contacts[i].viscous;
    if (!abut_contact_supports(model, own.solver, problem->local)) own.solver = ABUT_SOLVER_AUTO;
    abut_status status = solve_within(impact, solve, workspace, &sudden, &own, &result);
    *resolved = status == ABUT_OK && result.outcome == ABUT_SOLVED;
    if (*resolved) keep(impact, problem, &result);
    return status;
}

/* Solves the problem without time from the states in impact->faces. The answer is kept if it is an impulse. */
static abut_status resolve(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                           const abut_contact_problem *problem, const abut_contact_options *options,
                           bool *resolved)
{
    abut_contact_options own = *options;
    abut_contact_result result;
    own.start = impact->faces;
    abut_contact_problem sudden = impact_problem(impact, problem, abuti_model_of(problem->model)->impact,
                                                 options->accel.directions, 0.0);
    abut_status status = solve_within(impact, solve, workspace, &sudden, &own, &result);
    if (status != ABUT_OK || result.outcome != ABUT_SOLVED) return status;
    keep(impact, problem, &result);
    *resolved = has_changed(impact, problem);
    if (!*resolved) impact->count--;
    return status;
}

/* An impact with Coulomb friction. A short step shows which contacts stick and slide, then the problem without time is
 * solved from these states. Where that gives no impulse, the contacts that the ray pushes are tried as jammed. */
static abut_status leave_ray(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                             const abut_contact_problem *problem, const abut_contact_options *options,
                             bool has_ray, bool *resolved)
{
    abut_contact_options own = cold(options);
    abut_contact_result result;
    own.solver = ABUT_SOLVER_AUTO;
    if (own.accel.directions > impact->directions) own.accel.directions = impact->directions;
    *resolved = false;
    if (problem->local && !problem->local->velocity) return ABUT_OK;
    double time = SHORT_STEP * time_scale(problem);
    abut_contact_problem brief =
        impact_problem(impact, problem, abuti_model_of(problem->model)->impact, own.accel.directions, time);
    abut_status status = solve_within(impact, solve, workspace, &brief, &own, &result);
    if (status != ABUT_OK) return status;
    if (result.outcome == ABUT_SOLVED) {
        memcpy(impact->faces, result.faces, (size_t)problem->contact_count * sizeof *impact->faces);
        status = resolve(impact, solve, workspace, problem, &own, resolved);
    }
    if (status != ABUT_OK || *resolved || !has_ray) return status;
    for (int i = 0; i < problem->contact_count; ++i)
        impact->faces[i] =
            (abut_contact_face){.state = impact->ray[3 * (size_t)i] > 0.0 ? ABUT_STICK : ABUT_OPEN};
    return resolve(impact, solve, workspace, problem, &own, resolved);
}

/* Whether the impact comes before the forces: in models whose friction is known beforehand, a contact that touches for
 * the first time has no impulse of friction to speak of. */
static bool lands_before(const abut_contact_problem *problem)
{
    return abuti_model_of(problem->model)->friction == ABUT_LAW_GIVEN;
}

/* Whether the model asks for an impact before forces. */
static bool asks_for_impact(const abut_contact_problem *problem, const abut_contact_options *options,
                            const abut_contact_result *result)
{
    return lands_before(problem) ? touches_first(problem, options->accel.slide_threshold)
                                 : result->outcome == ABUT_RAY;
}

abut_status abuti_impact_follow(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                                const abut_contact_problem *problem, const abut_contact_options *options,
                                double deadline, abut_contact_result *result)
{
    if (!options->accel.apply_impulse) return ABUT_OK;
    abut_contact_problem now = *problem;
    renewed store;
    abut_status status = ABUT_OK;
    impact->count = 0;
    impact->deadline = deadline;
    impact->pivots_left = options->max_pivots > 0 ? options->max_pivots - result->pivots : INT_MAX;
    for (bool resolved = true; status == ABUT_OK && resolved && impact->count < ABUT_IMPACTS_MAX &&
                               !is_spent(impact) && asks_for_impact(&now, options, result);) {
        int pivots = result->pivots;
        bool has_ray = result->ray;
        if (has_ray) memcpy(impact->ray, result->ray, 3 * (size_t)problem->contact_count * sizeof(double));
        status = lands_before(problem)
                     ? first_touch(impact, solve, workspace, &now, options, &resolved)
                     : leave_ray(impact, solve, workspace, &now, options, has_ray, &resolved);
        if (status != ABUT_OK) return status;
        if (resolved) now = problem_after(impact, problem, &store);
        status = solve_within(impact, solve, workspace, &now, options, result);
        result->pivots += pivots;
    }
    if (impact->count == 0 || status != ABUT_OK) return status;
    result->impacts = impact->count;
    result->impact = impact->impulses;
    result->impact_joints = impact->joint_impulses;
    result->impact_velocity = impact->velocity;
    return ABUT_OK;
}
