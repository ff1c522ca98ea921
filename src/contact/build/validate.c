/* What a problem must satisfy: quick yes or no for the solver, and words for people.
 *
 * The quick checks follow the explaining ones field by field; test_validate.c holds them together by breaking
 * every field in every way and asking both. Comparisons are written so that NaN fails. */
#include "contact/build/validate.h"
#include "abut/union.h"
#include "contact/build/build.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Quick checks */

static bool finite_all(const double *x, int count)
{
    bool good = true;
    for (int i = 0; i < count; ++i) good &= fabs(x[i]) <= ABUTI_LARGEST;
    return good;
}

/* The principal moments satisfy the triangle inequality exactly when trace / 2 - inertia is positive
 * semidefinite: its eigenvalues are (b + c - a) / 2 and so on. A small multiple of the trace is the
 * allowance. */
static bool triangle_holds(const double I[6])
{
    double half = 0.5 * (I[0] + I[1] + I[2]), allowance = half * ABUTI_TRIANGLE;
    double a = half - I[0] + allowance, b = half - I[1] + allowance, c = half - I[2] + allowance;
    if (I[3] == 0.0 && I[4] == 0.0 && I[5] == 0.0) return a > 0.0 && b > 0.0 && c > 0.0;
    double l10 = -I[3] / a, l20 = -I[4] / a;
    double d1 = b + I[3] * l10;
    double l21 = (-I[5] + I[4] * l10) / d1;
    double d2 = c + I[4] * l20 - l21 * l21 * d1;
    return a > 0.0 && d1 > 0.0 && d2 > 0.0;
}

bool abuti_valid_body(const abut_body *body, abuti_factor *factor)
{
    bool good = finite_all(body->com, 3);
    if (body->kind == ABUT_STATIC) return good;
    good &= finite_all(body->velocity, 6);
    if (body->kind == ABUT_KINEMATIC) return good;
    good &= finite_all(body->force, 6);
    good &= finite_all(body->inertia, 6);
    good &= (body->mass > 0.0) & (body->mass <= ABUTI_LARGEST) & (1.0 / body->mass <= ABUTI_LARGEST);
    good &= abuti_factor_body(body, factor);
    good &= triangle_holds(body->inertia);
    return good;
}

static bool valid_right_side(const abut_joint *joint)
{
    return fabs(joint->target) <= ABUTI_LARGEST && fabs(joint->drift) <= ABUTI_LARGEST;
}

/* Whether the answer for a contact depends on its tangent rows. */
static bool needs_tangents(const abut_contact_problem *problem, const abut_contact *contact)
{
    abuti_friction_law kind = abuti_model_of(problem->model)->friction;
    bool friction = contact->friction > 0.0 && kind == ABUTI_LAW_COULOMB;
    return friction || contact->viscous > 0.0 || kind == ABUTI_LAW_HELD;
}

bool abuti_valid_joint(const abut_joint *joint)
{
    bool good = valid_right_side(joint);
    good &= finite_all(joint->jacobian[0], 6);
    return good && (joint->bodies[1] < 0 || finite_all(joint->jacobian[1], 6));
}

static bool valid_pair(const int pair[2], int bodies)
{
    return pair[0] >= 0 && pair[0] < bodies && pair[1] >= ABUT_WORLD && pair[1] < bodies &&
           pair[0] != pair[1];
}

bool abuti_valid_generalised(const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    int nv = g->nv, n = problem->contact_count, nj = problem->joint_count;
    bool good = finite_all(g->velocity, nv) && finite_all(g->force, nv);
    for (int i = 0; i < n; ++i) {
        good &= abuti_valid_contact(&problem->contacts[i]) &&
                finite_all(g->normal_rows + (size_t)i * (size_t)nv, nv);
        good &= !g->tangent_rows || finite_all(g->tangent_rows + 2 * (size_t)i * (size_t)nv, 2 * nv);
        good &= g->tangent_rows || !needs_tangents(problem, &problem->contacts[i]);
    }
    for (int j = 0; j < nj; ++j) {
        good &=
            valid_right_side(&problem->joints[j]) && finite_all(g->joint_rows + (size_t)j * (size_t)nv, nv);
    }
    return good;
}

bool abuti_valid_local(const abut_contact_problem *problem)
{
    const abut_local *local = problem->local;
    int size = local->dimension * problem->contact_count + problem->joint_count;
    bool good = true;
    for (int i = 0; i < size; ++i) good &= finite_all(local->W + (size_t)i * (size_t)size, size);
    good = good && (size == 0 || finite_all(local->q, size)) &&
           (!local->velocity || finite_all(local->velocity, size));
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *contact = &problem->contacts[i];
        good &= abuti_valid_contact(contact) && contact->gap == 0.0 && contact->restitution == 0.0 &&
                contact->group == 0;
        good &= local->dimension == 3 || contact->directions == ABUT_DIRECTIONS_MIN;
    }
    for (int j = 0; j < problem->joint_count; ++j) good &= valid_right_side(&problem->joints[j]);
    return good;
}

/* Sizes and pointers of the generalised and the local door. */
static bool valid_arrays(const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    const abut_local *local = problem->local;
    if (g) {
        return g->nv >= 1 && g->mass_matrix && g->velocity && g->force &&
               (problem->contact_count == 0 || g->normal_rows) &&
               (problem->joint_count == 0 || g->joint_rows);
    }
    return !local || ((local->dimension == 2 || local->dimension == 3) &&
                      ((local->W && local->q) || problem->contact_count + problem->joint_count == 0));
}

static int doors(const abut_contact_problem *problem)
{
    return (problem->body_count > 0) + (problem->generalised != NULL) + (problem->local != NULL);
}

static bool valid_directions(int d)
{
    return d == 0 || (d >= ABUT_DIRECTIONS_MIN && d <= ABUT_DIRECTIONS_MAX);
}

/* Whether there is nothing to ask of a contact, and to count, that was not asked of another. */
static bool is_like(const abut_contact *contact, const abut_contact *other)
{
    return ((contact->bodies[0] ^ other->bodies[0]) | (contact->bodies[1] ^ other->bodies[1]) |
            (contact->directions ^ other->directions) | contact->group) == 0 &&
           contact->cone == other->cone && contact->cone != ABUT_CONE_ELLIPSE;
}

/* Indices, directions, cones and groups of all contacts. Neighbours mostly share bodies and directions: only what
 * changes is looked at. */
static bool valid_contacts(const abut_contact_problem *problem, abuti_survey *survey)
{
    int bodies = problem->body_count, most = 0, sides = 0;
    bool good = true, cones = false;
    for (const abut_contact *c = problem->contacts, *end = c + problem->contact_count; c != end;) {
        int d = c->directions, used = d == 0 ? ABUT_DIRECTIONS_DEFAULT : d;
        good &= bodies == 0 || valid_pair(c->bodies, bodies);
        good &= valid_directions(d);
        good &= abuti_valid_cone(c);
        cones |= c->cone != ABUT_CONE_POLYGON && d != ABUT_DIRECTIONS_MIN;
        good &= c->group == 0 || (c->group > 0 && c->viscous == 0.0);
        most = used > most ? used : most;
        sides += c->group != 0;
        const abut_contact *head = c++;
        while (c != end && is_like(c, head)) ++c;
    }
    *survey =
        (abuti_survey){.directions = most, .sides = sides, .cones = cones && problem->model == ABUT_COULOMB};
    return good;
}

bool abuti_valid_shape(const abut_contact_problem *problem, abuti_survey *survey)
{
    bool good = (unsigned)problem->model < ABUT_MODEL_COUNT && abuti_countable(problem) &&
                (problem->contact_count == 0 || problem->contacts) &&
                (problem->joint_count == 0 || problem->joints) &&
                (problem->body_count == 0 || problem->bodies);
    good = good &&
           (abuti_model_of(problem->model)->acceleration ||
            (problem->step > 0.0 && problem->step <= ABUTI_LARGEST && 1.0 / problem->step <= ABUTI_LARGEST));
    int entered = good ? doors(problem) : 0;
    if (!good || entered != 1 || !valid_arrays(problem)) return false;
    int bodies = problem->body_count;
    for (int i = 0; i < bodies; ++i) good &= (unsigned)problem->bodies[i].kind <= ABUT_STATIC;
    for (int i = 0; i < problem->joint_count && bodies > 0; ++i)
        good &= valid_pair(problem->joints[i].bodies, bodies);
    return valid_contacts(problem, survey) && good;
}

/* ------------------------------------------------------------------------------------------------
 * Words */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static abut_status
refuse(abut_error *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return ABUT_INVALID_ARGUMENT;
}

static abut_status want_finite(abut_error *error, const char *list, int i, const char *field, const double *x,
                               int count)
{
    for (int k = 0; k < count; ++k) {
        if (!(fabs(x[k]) <= ABUTI_LARGEST)) {
            if (count == 1) {
                return refuse(error, "%s[%d].%s: %g; expected a number of magnitude at most 1e100", list, i,
                              field, x[k]);
            }
            return refuse(error, "%s[%d].%s[%d]: %g; expected a number of magnitude at most 1e100", list, i,
                          field, k, x[k]);
        }
    }
    return ABUT_OK;
}

static abut_status want_vector(abut_error *error, const char *name, const double *x, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        if (!(fabs(x[k]) <= ABUTI_LARGEST)) {
            return refuse(error, "%s[%zu]: %g; expected a number of magnitude at most 1e100", name, k, x[k]);
        }
    }
    return ABUT_OK;
}

static abut_status want_not_negative(abut_error *error, int i, const char *field, double x)
{
    if (x >= 0.0 && x <= ABUTI_LARGEST) return ABUT_OK;
    return refuse(error, "contacts[%d].%s: %g; expected a number from 0 to 1e100", i, field, x);
}

static abut_status explain_body(const abut_body *body, int i, abut_error *error)
{
    abuti_factor factor;
    abut_status status = ABUT_OK;
    if ((unsigned)body->kind > ABUT_STATIC) {
        return refuse(error, "bodies[%d].kind: %d; expected dynamic, kinematic or static", i,
                      (int)body->kind);
    }
    if ((status = want_finite(error, "bodies", i, "com", body->com, 3))) return status;
    if (body->kind == ABUT_STATIC) return ABUT_OK;
    if ((status = want_finite(error, "bodies", i, "velocity", body->velocity, 6))) return status;
    if (body->kind == ABUT_KINEMATIC) return ABUT_OK;
    if ((status = want_finite(error, "bodies", i, "force", body->force, 6))) return status;
    if ((status = want_finite(error, "bodies", i, "inertia", body->inertia, 6))) return status;
    if (!(body->mass > 0.0 && body->mass <= ABUTI_LARGEST && 1.0 / body->mass <= ABUTI_LARGEST)) {
        return refuse(error, "bodies[%d].mass: %g; expected a number from 1e-100 to 1e100", i, body->mass);
    }
    if (!abuti_factor_body(body, &factor)) {
        return refuse(error, "bodies[%d].inertia: not positive definite", i);
    }
    if (!triangle_holds(body->inertia)) {
        return refuse(error,
                      "bodies[%d].inertia: no rigid body has it; expected principal moments of which none "
                      "exceeds the sum "
                      "of the other two",
                      i);
    }
    return ABUT_OK;
}

static abut_status explain_frame(const abut_contact *contact, int i, abut_error *error)
{
    const double *n = contact->normal, *t = contact->tangent;
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (!(fabs(square - 1.0) <= 2.0 * ABUTI_UNIT_NORMAL)) {
        return refuse(error, "contacts[%d].normal: length %.9g; expected a unit vector", i, sqrt(square));
    }
    double given = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
    if (given == 0.0) return ABUT_OK;
    double along = (t[0] * n[0] + t[1] * n[1] + t[2] * n[2]) / sqrt(square), left = 0.0;
    for (int c = 0; c < 3; ++c) {
        double part = t[c] - along * n[c] / sqrt(square);
        left += part * part;
    }
    if (!(given <= ABUTI_LARGEST)) return refuse(error, "contacts[%d].tangent: expected a unit vector", i);
    if (!(left > ABUTI_TANGENT_LEFT * given)) {
        return refuse(error, "contacts[%d].tangent: along the normal; expected a vector orthogonal to it", i);
    }
    return ABUT_OK;
}

static abut_status explain_pair(const int pair[2], int bodies, const char *list, int i, abut_error *error)
{
    if (pair[0] == ABUT_WORLD) {
        return refuse(error, "%s[%d].bodies[0]: -1; the world stands second, expected an index from 0 to %d",
                      list, i, bodies - 1);
    }
    if (pair[0] < 0 || pair[0] >= bodies) {
        return refuse(error, "%s[%d].bodies[0]: %d; expected an index from 0 to %d", list, i, pair[0],
                      bodies - 1);
    }
    if (pair[1] < ABUT_WORLD || pair[1] >= bodies) {
        return refuse(error, "%s[%d].bodies[1]: %d; expected an index from 0 to %d, or -1 for the world",
                      list, i, pair[1], bodies - 1);
    }
    if (pair[0] == pair[1]) {
        return refuse(error, "%s[%d].bodies: %d twice; expected two different bodies", list, i, pair[0]);
    }
    return ABUT_OK;
}

static abut_status explain_contact(const abut_contact_problem *problem, int i, abut_error *error)
{
    const abut_contact *contact = &problem->contacts[i];
    abut_status status = ABUT_OK;
    if (problem->body_count > 0) {
        if ((status = explain_pair(contact->bodies, problem->body_count, "contacts", i, error)))
            return status;
        if ((status = want_finite(error, "contacts", i, "point", contact->point, 3))) return status;
        if ((status = explain_frame(contact, i, error))) return status;
    }
    if ((status = want_not_negative(error, i, "friction", contact->friction))) return status;
    int d = contact->directions;
    if (d != 0 && (d < ABUT_DIRECTIONS_MIN || d > ABUT_DIRECTIONS_MAX)) {
        return refuse(error, "contacts[%d].directions: %d; expected a number from 2 to 64", i, d);
    }
    if ((unsigned)contact->cone >= ABUT_CONE_COUNT) {
        return refuse(error, "contacts[%d].cone: %d; expected polygon, circle or ellipse", i,
                      (int)contact->cone);
    }
    if (contact->cone == ABUT_CONE_ELLIPSE && contact->viscous != 0.0) {
        return refuse(error, "contacts[%d].viscous: %g; expected 0 on an ellipse", i, contact->viscous);
    }
    if (!abuti_valid_cone(contact)) {
        return refuse(
            error,
            "contacts[%d].friction_across: %g beside friction %g; expected two coefficients > 0 for "
            "an ellipse, neither more than 1e6 times the other",
            i, contact->friction_across, contact->friction);
    }
    if ((status = want_finite(error, "contacts", i, "gap", &contact->gap, 1))) return status;
    if (!(contact->restitution >= 0.0 && contact->restitution <= 1.0)) {
        return refuse(error, "contacts[%d].restitution: %g; expected a number from 0 to 1", i,
                      contact->restitution);
    }
    if ((status = want_not_negative(error, i, "viscous", contact->viscous))) return status;
    if (contact->group < 0) {
        return refuse(error, "contacts[%d].group: %d; expected 0 for none, or a number > 0", i,
                      contact->group);
    }
    if (contact->group > 0 && contact->viscous != 0.0) {
        return refuse(error, "contacts[%d].viscous: %g; expected 0 on a side of a union", i,
                      contact->viscous);
    }
    return want_finite(error, "contacts", i, "drift", contact->drift, 3);
}

static abut_status explain_keys(const abut_contact_problem *problem, abut_error *error)
{
    int pair[2];
    abut_status status = abuti_find_equal_keys(problem, pair);
    if (status != ABUT_OK || pair[0] < 0) return status;
    return refuse(error,
                  "contacts[%d].key: %llu, as contacts[%d] has; expected one that no other contact has",
                  pair[1], (unsigned long long)problem->contacts[pair[1]].key, pair[0]);
}

static abut_status explain_joint(const abut_contact_problem *problem, int i, abut_error *error)
{
    const abut_joint *joint = &problem->joints[i];
    abut_status status = ABUT_OK;
    if (problem->body_count > 0) {
        if ((status = explain_pair(joint->bodies, problem->body_count, "joints", i, error))) return status;
        if ((status = want_finite(error, "joints", i, "jacobian[0]", joint->jacobian[0], 6))) return status;
        if (joint->bodies[1] >= 0 &&
            (status = want_finite(error, "joints", i, "jacobian[1]", joint->jacobian[1], 6))) {
            return status;
        }
    }
    if ((status = want_finite(error, "joints", i, "target", &joint->target, 1))) return status;
    return want_finite(error, "joints", i, "drift", &joint->drift, 1);
}

static abut_status explain_counts(const abut_contact_problem *problem, abut_error *error)
{
    const struct {
        const char *name;
        int count;
    } counts[] = {{"contact_count", problem->contact_count},
                  {"joint_count", problem->joint_count},
                  {"body_count", problem->body_count}};
    for (int k = 0; k < 3; ++k) {
        if (counts[k].count < 0)
            return refuse(error, "%s: %d; expected >= 0", counts[k].name, counts[k].count);
        if (counts[k].count > ABUT_COUNT_MAX)
            return refuse(error, "%s: %d; expected at most %d", counts[k].name, counts[k].count,
                          ABUT_COUNT_MAX);
    }
    return refuse(error, "generalised.nv: %d; expected at most %d", problem->generalised->nv, ABUT_COUNT_MAX);
}

static abut_status explain_shape(const abut_contact_problem *problem, abut_error *error)
{
    if ((unsigned)problem->model >= ABUT_MODEL_COUNT) {
        return refuse(error, "model: %d; expected one of abut_contact_model", (int)problem->model);
    }
    if (!abuti_model_of(problem->model)->acceleration &&
        !(problem->step > 0.0 && problem->step <= ABUTI_LARGEST && 1.0 / problem->step <= ABUTI_LARGEST)) {
        return refuse(error, "step: %g; expected a number from 1e-100 to 1e100", problem->step);
    }
    if (!abuti_countable(problem)) return explain_counts(problem, error);
    if (problem->contact_count > 0 && !problem->contacts)
        return refuse(error, "contacts: NULL; expected an array");
    if (problem->joint_count > 0 && !problem->joints) return refuse(error, "joints: NULL; expected an array");
    if (problem->body_count > 0 && !problem->bodies) return refuse(error, "bodies: NULL; expected an array");
    int entered = doors(problem);
    if (entered > 1)
        return refuse(error, "bodies, generalised and local: expected only one of the three doors");
    if (entered == 0) {
        return refuse(error, "body_count: 0; expected bodies, generalised or local");
    }
    if (!valid_arrays(problem)) {
        return problem->local
                   ? refuse(error, "local: expected dimension 2 or 3, and W and q")
                   : refuse(error, "generalised: expected nv >= 1, and every array that is not optional");
    }
    return ABUT_OK;
}

/* Mass matrices up to this size are factored here, on the stack; larger ones when they are solved with. */
enum { EXPLAIN_NV = 48 };

static abut_status explain_generalised(const abut_contact_problem *problem, abut_error *error)
{
    const abut_generalised *g = problem->generalised;
    size_t nv = (size_t)g->nv;
    double L[EXPLAIN_NV * EXPLAIN_NV];
    abut_status status = want_vector(error, "generalised.velocity", g->velocity, nv);
    if (!status) status = want_vector(error, "generalised.force", g->force, nv);
    if (!status) status = want_vector(error, "generalised.mass_matrix", g->mass_matrix, nv * nv);
    if (!status)
        status = want_vector(error, "generalised.normal_rows", g->normal_rows,
                             nv * (size_t)problem->contact_count);
    if (!status && g->tangent_rows) {
        status = want_vector(error, "generalised.tangent_rows", g->tangent_rows,
                             2 * nv * (size_t)problem->contact_count);
    }
    if (!status)
        status =
            want_vector(error, "generalised.joint_rows", g->joint_rows, nv * (size_t)problem->joint_count);
    for (int i = 0; i < problem->contact_count && !status && !g->tangent_rows; ++i) {
        if (needs_tangents(problem, &problem->contacts[i])) {
            status = refuse(
                error, "generalised.tangent_rows: NULL; contacts[%d] has tangential forces and needs them",
                i);
        }
    }
    if (!status && nv <= EXPLAIN_NV && !abuti_factor_mass(g->mass_matrix, g->nv, L)) {
        status = refuse(error, "generalised.mass_matrix: not symmetric positive definite");
    }
    return status;
}

static abut_status explain_local(const abut_contact_problem *problem, abut_error *error)
{
    const abut_local *local = problem->local;
    size_t size = (size_t)local->dimension * (size_t)problem->contact_count + (size_t)problem->joint_count;
    abut_status status = want_vector(error, "local.W", local->W, size * size);
    if (!status) status = want_vector(error, "local.q", local->q, size);
    if (!status && local->velocity) status = want_vector(error, "local.velocity", local->velocity, size);
    for (int i = 0; i < problem->contact_count && !status; ++i) {
        const abut_contact *contact = &problem->contacts[i];
        if (contact->gap != 0.0)
            status = refuse(error, "contacts[%d].gap: %g; expected 0, it is part of q", i, contact->gap);
        if (!status && contact->restitution != 0.0) {
            status = refuse(error, "contacts[%d].restitution: %g; expected 0, it is part of q", i,
                            contact->restitution);
        }
        if (!status && contact->group != 0) {
            status = refuse(error,
                            "contacts[%d].group: %d; expected 0, unions need bodies or generalised "
                            "coordinates",
                            i, contact->group);
        }
        if (!status && local->dimension == 2 && contact->directions != ABUT_DIRECTIONS_MIN) {
            status = refuse(error, "contacts[%d].directions: %d; expected 2 in two dimensions", i,
                            contact->directions);
        }
    }
    return status;
}

abut_status abut_contact_validate(const abut_contact_problem *problem, abut_error *error)
{
    if (error) error->text[0] = '\0';
    if (!problem) return refuse(error, "problem: NULL");
    abut_status status = explain_shape(problem, error);
    for (int i = 0; i < problem->body_count && !status; ++i)
        status = explain_body(&problem->bodies[i], i, error);
    for (int i = 0; i < problem->contact_count && !status; ++i) status = explain_contact(problem, i, error);
    if (!status) status = explain_keys(problem, error);
    for (int i = 0; i < problem->joint_count && !status; ++i) status = explain_joint(problem, i, error);
    if (!status && problem->generalised) status = explain_generalised(problem, error);
    if (!status && problem->local) status = explain_local(problem, error);
    return status;
}

bool abuti_valid_options(const abut_contact_options *o)
{
    return (unsigned)o->solver < ABUT_SOLVER_COUNT && o->tolerance >= 1e-15 && o->tolerance <= 1e-3 &&
           o->max_pivots >= 0 && o->max_seconds >= 0.0 && o->max_seconds < INFINITY &&
           (unsigned)o->joint_rows <= ABUT_JOINTS_PROJECTED &&
           (unsigned)o->viscous <= ABUT_VISCOUS_EXPLICIT && o->accel.slide_threshold >= 0.0 &&
           o->accel.slide_threshold < INFINITY && o->accel.impact_seconds >= 0.0 &&
           o->accel.impact_seconds <= 1e100 && o->restitution_threshold >= 0.0 &&
           o->restitution_threshold < INFINITY && o->accel.directions >= 3 &&
           o->accel.directions <= ABUT_DIRECTIONS_MAX && (unsigned)o->unions.rule <= ABUT_UNION_SUM &&
           (unsigned)o->unions.prefer <= ABUT_PREFER_ENERGY && o->unions.epsilon >= 0.0 &&
           o->unions.epsilon <= 1e100;
}

bool abuti_has_accelerated_union(const abut_contact_problem *problem)
{
    if (abuti_model_of(problem->model)->unions) return false;
    for (int i = 0; i < problem->contact_count; ++i)
        if (abut_union_is_side(problem, i)) return true;
    return false;
}
