/* What a problem must satisfy: words for people. validate.c has the same questions without words. */
#include "base/invalid.h"
#include "contact/build/blocks.h"
#include "contact/build/validate.h"
#include <math.h>

static abut_status want_finite(abut_error *error, const char *list, int i, const char *field, const double *x,
                               int count)
{
    for (int k = 0; k < count; ++k) {
        if (!(fabs(x[k]) <= ABUTI_LARGEST)) {
            if (count == 1) {
                return abuti_invalid(error, "%s[%d].%s: %g; expected a number of magnitude at most 1e100",
                                     list, i, field, x[k]);
            }
            return abuti_invalid(error, "%s[%d].%s[%d]: %g; expected a number of magnitude at most 1e100",
                                 list, i, field, k, x[k]);
        }
    }
    return ABUT_OK;
}

static abut_status want_vector(abut_error *error, const char *name, const double *x, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        if (!(fabs(x[k]) <= ABUTI_LARGEST)) {
            return abuti_invalid(error, "%s[%zu]: %g; expected a number of magnitude at most 1e100", name, k,
                                 x[k]);
        }
    }
    return ABUT_OK;
}

static abut_status want_not_negative(abut_error *error, const char *list, int i, const char *field, double x)
{
    if (x >= 0.0 && x <= ABUTI_LARGEST) return ABUT_OK;
    return abuti_invalid(error, "%s[%d].%s: %g; expected a number from 0 to 1e100", list, i, field, x);
}

static abut_status explain_body(const abut_body *body, int i, abut_error *error)
{
    abuti_factor factor;
    abut_status status = ABUT_OK;
    if ((unsigned)body->kind > ABUT_STATIC) {
        return abuti_invalid(error, "bodies[%d].kind: %d; expected dynamic, kinematic or static", i,
                             (int)body->kind);
    }
    if ((status = want_finite(error, "bodies", i, "com", body->com, 3))) return status;
    if (body->kind == ABUT_STATIC) return ABUT_OK;
    if ((status = want_finite(error, "bodies", i, "velocity", body->velocity, 6))) return status;
    if (body->kind == ABUT_KINEMATIC) return ABUT_OK;
    if ((status = want_finite(error, "bodies", i, "force", body->force, 6))) return status;
    if ((status = want_finite(error, "bodies", i, "inertia", body->inertia, 6))) return status;
    if (!(body->mass > 0.0 && body->mass <= ABUTI_LARGEST && 1.0 / body->mass <= ABUTI_LARGEST)) {
        return abuti_invalid(error, "bodies[%d].mass: %g; expected a number from 1e-100 to 1e100", i,
                             body->mass);
    }
    if (!abuti_factor_body(body, &factor)) {
        return abuti_invalid(error, "bodies[%d].inertia: not positive definite", i);
    }
    if (!abuti_triangle_holds(body->inertia)) {
        return abuti_invalid(
            error,
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
        return abuti_invalid(error, "contacts[%d].normal: length %.9g; expected a unit vector", i,
                             sqrt(square));
    }
    double given = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
    if (given == 0.0) return ABUT_OK;
    double along = (t[0] * n[0] + t[1] * n[1] + t[2] * n[2]) / sqrt(square), left = 0.0;
    for (int c = 0; c < 3; ++c) {
        double part = t[c] - along * n[c] / sqrt(square);
        left += part * part;
    }
    if (!(given <= ABUTI_LARGEST))
        return abuti_invalid(error, "contacts[%d].tangent: expected a unit vector", i);
    if (!(left > ABUTI_TANGENT_LEFT * given)) {
        return abuti_invalid(error,
                             "contacts[%d].tangent: along the normal; expected a vector orthogonal to it", i);
    }
    return ABUT_OK;
}

static abut_status explain_pair(const int pair[2], int bodies, const char *list, int i, abut_error *error)
{
    if (pair[0] == ABUT_WORLD) {
        return abuti_invalid(error,
                             "%s[%d].bodies[0]: -1; the world stands second, expected an index from 0 to %d",
                             list, i, bodies - 1);
    }
    if (pair[0] < 0 || pair[0] >= bodies) {
        return abuti_invalid(error, "%s[%d].bodies[0]: %d; expected an index from 0 to %d", list, i, pair[0],
                             bodies - 1);
    }
    if (pair[1] < ABUT_WORLD || pair[1] >= bodies) {
        return abuti_invalid(error,
                             "%s[%d].bodies[1]: %d; expected an index from 0 to %d, or -1 for the world",
                             list, i, pair[1], bodies - 1);
    }
    if (pair[0] == pair[1]) {
        return abuti_invalid(error, "%s[%d].bodies: %d twice; expected two different bodies", list, i,
                             pair[0]);
    }
    return ABUT_OK;
}

static abut_status explain_cone(const abut_contact_problem *problem, int i, abut_error *error)
{
    const abut_contact *contact = &problem->contacts[i];
    if ((unsigned)contact->cone >= ABUT_CONE_COUNT) {
        return abuti_invalid(error, "contacts[%d].cone: %d; expected polygon, circle or ellipse", i,
                             (int)contact->cone);
    }
    if (!abuti_valid_cone(contact)) {
        return abuti_invalid(
            error,
            "contacts[%d].friction_across: %g beside friction %g; expected two coefficients > 0 for "
            "an ellipse, neither more than 1e6 times the other",
            i, contact->friction_across, contact->friction);
    }
    if (contact->cone == ABUT_CONE_ELLIPSE && abuti_is_coulomb_accel(problem->model) &&
        contact->directions != ABUT_DIRECTIONS_MIN) {
        return abuti_invalid(
            error, "contacts[%d].cone: ellipse; expected polygon or circle in the model coulomb-accel", i);
    }
    return ABUT_OK;
}

static abut_status explain_contact(const abut_contact_problem *problem, int i, abut_error *error)
{
    const abut_contact *contact = &problem->contacts[i];
    abut_status status = ABUT_OK;
    int movers = abuti_movers(problem);
    if (movers > 0 && (status = explain_pair(contact->bodies, movers, "contacts", i, error))) return status;
    if (problem->body_count > 0) {
        if ((status = want_finite(error, "contacts", i, "point", contact->point, 3))) return status;
        if ((status = explain_frame(contact, i, error))) return status;
    }
    if ((status = want_not_negative(error, "contacts", i, "friction", contact->friction))) return status;
    int d = contact->directions;
    if (d != 0 && (d < ABUT_DIRECTIONS_MIN || d > ABUT_DIRECTIONS_MAX)) {
        return abuti_invalid(error, "contacts[%d].directions: %d; expected a number from 2 to 64", i, d);
    }
    if ((status = explain_cone(problem, i, error))) return status;
    if ((status = want_finite(error, "contacts", i, "gap", &contact->gap, 1))) return status;
    if (!(contact->restitution >= 0.0 && contact->restitution <= 1.0)) {
        return abuti_invalid(error, "contacts[%d].restitution: %g; expected a number from 0 to 1", i,
                             contact->restitution);
    }
    if ((status = want_not_negative(error, "contacts", i, "viscous", contact->viscous))) return status;
    if (contact->group < 0) {
        return abuti_invalid(error, "contacts[%d].group: %d; expected 0 for none, or a number > 0", i,
                             contact->group);
    }
    if (contact->group > 0 && contact->viscous != 0.0) {
        return abuti_invalid(error, "contacts[%d].viscous: %g; expected 0 on a side of a union", i,
                             contact->viscous);
    }
    if ((status = want_not_negative(error, "contacts", i, "compliance", contact->compliance))) return status;
    if (contact->two_points &&
        (status = want_finite(error, "contacts", i, "second_point", contact->second_point, 3)))
        return status;
    if (problem->generalised && (status = want_finite(error, "contacts", i, "surface", contact->surface, 3)))
        return status;
    return want_finite(error, "contacts", i, "drift", contact->drift, 3);
}

static abut_status explain_keys(const abut_contact_problem *problem, abut_error *error)
{
    int pair[2];
    abut_status status = abuti_find_equal_keys(problem, ABUTI_KEYS_OF_CONTACTS, pair);
    if (status != ABUT_OK) return status;
    if (pair[0] >= 0)
        return abuti_invalid(
            error, "contacts[%d].key: %llu, as contacts[%d] has; expected one that no other contact has",
            pair[1], (unsigned long long)problem->contacts[pair[1]].key, pair[0]);
    status = abuti_find_equal_keys(problem, ABUTI_KEYS_OF_JOINTS, pair);
    if (status != ABUT_OK || pair[0] < 0) return status;
    return abuti_invalid(error, "joints[%d].key: %llu, as joints[%d] has; expected one that no other row has",
                         pair[1], (unsigned long long)problem->joints[pair[1]].key, pair[0]);
}

static abut_status explain_joint(const abut_contact_problem *problem, int i, abut_error *error)
{
    const abut_joint *joint = &problem->joints[i];
    abut_status status = ABUT_OK;
    int movers = abuti_movers(problem);
    if (movers > 0 && (status = explain_pair(joint->bodies, movers, "joints", i, error))) return status;
    if (problem->body_count > 0) {
        if ((status = want_finite(error, "joints", i, "jacobian[0]", joint->jacobian[0], 6))) return status;
        if (joint->bodies[1] >= 0 &&
            (status = want_finite(error, "joints", i, "jacobian[1]", joint->jacobian[1], 6))) {
            return status;
        }
    }
    if ((status = want_finite(error, "joints", i, "target", &joint->target, 1))) return status;
    if ((status = want_finite(error, "joints", i, "drift", &joint->drift, 1))) return status;
    if ((status = want_not_negative(error, "joints", i, "compliance", joint->compliance))) return status;
    if (joint->bounded && !abuti_valid_bounds(joint->lower, joint->upper)) {
        return abuti_invalid(
            error,
            "joints[%d]: bounds %g .. %g; expected lower <= upper, each of magnitude at most 1e100 or "
            "infinite outwards",
            i, joint->lower, joint->upper);
    }
    return ABUT_OK;
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
            return abuti_invalid(error, "%s: %d; expected >= 0", counts[k].name, counts[k].count);
        if (counts[k].count > ABUT_COUNT_MAX)
            return abuti_invalid(error, "%s: %d; expected at most %d", counts[k].name, counts[k].count,
                                 ABUT_COUNT_MAX);
    }
    return abuti_invalid(error, "generalised.nv: %d; expected at most %d", problem->generalised->nv,
                         ABUT_COUNT_MAX);
}

/* Which size, or which parent, is wrong; one of them is. */
static abut_status explain_blocks(const abut_generalised *g, abut_error *error)
{
    int at = 0;
    for (int b = 0; b < g->block_count; ++b) {
        int size = g->block_sizes[b], left = g->nv - at;
        if (size < 1 || size > left)
            return abuti_invalid(error,
                                 "generalised.block_sizes[%d]: %d; expected at least 1, and a sum of nv = %d",
                                 b, size, g->nv);
        for (int c = 0; c < size && g->parents; ++c) {
            int parent = g->parents[at + c];
            if (parent < -1 || parent >= c)
                return abuti_invalid(
                    error,
                    "generalised.parents[%d]: %d; expected -1, or a number of block %d below its "
                    "own, which is %d",
                    at + c, parent, b, c);
        }
        at += size;
    }
    return abuti_invalid(error, "generalised.block_sizes: a sum of %d; expected nv = %d", at, g->nv);
}

/* What the second door lacks; it lacks something. */
static abut_status explain_second_door(const abut_contact_problem *problem, abut_error *error)
{
    const abut_generalised *g = problem->generalised;
    const char *missing = !g->mass_matrix                                 ? "mass_matrix"
                          : !g->velocity                                  ? "velocity"
                          : !g->force                                     ? "force"
                          : problem->contact_count > 0 && !g->normal_rows ? "normal_rows"
                          : problem->joint_count > 0 && !g->joint_rows    ? "joint_rows"
                          : g->block_count > 0 && !g->block_sizes         ? "block_sizes"
                                                                          : NULL;
    if (g->nv < 1) return abuti_invalid(error, "generalised.nv: %d; expected at least 1", g->nv);
    if (missing) return abuti_invalid(error, "generalised.%s: NULL; expected an array", missing);
    if (g->block_count < 0 || g->block_count > g->nv)
        return abuti_invalid(error, "generalised.block_count: %d; expected a number from 0 to nv = %d",
                             g->block_count, g->nv);
    return explain_blocks(g, error);
}

static abut_status explain_shape(const abut_contact_problem *problem, abut_error *error)
{
    if ((unsigned)problem->model >= ABUT_MODEL_COUNT) {
        return abuti_invalid(error, "model: %d; expected one of abut_contact_model", (int)problem->model);
    }
    if (!abuti_model_of(problem->model)->acceleration &&
        !(problem->step > 0.0 && problem->step <= ABUTI_LARGEST && 1.0 / problem->step <= ABUTI_LARGEST)) {
        return abuti_invalid(error, "step: %g; expected a number from 1e-100 to 1e100", problem->step);
    }
    if (!abuti_countable(problem)) return explain_counts(problem, error);
    if (problem->contact_count > 0 && !problem->contacts)
        return abuti_invalid(error, "contacts: NULL; expected an array");
    if (problem->joint_count > 0 && !problem->joints)
        return abuti_invalid(error, "joints: NULL; expected an array");
    if (problem->body_count > 0 && !problem->bodies)
        return abuti_invalid(error, "bodies: NULL; expected an array");
    int entered = abuti_doors(problem);
    if (entered > 1)
        return abuti_invalid(error, "bodies, generalised and local: expected only one of the three doors");
    if (entered == 0) {
        return abuti_invalid(error, "body_count: 0; expected bodies, generalised or local");
    }
    if (!abuti_valid_arrays(problem)) {
        return problem->local ? abuti_invalid(error, "local: expected dimension 2 or 3, and W and q")
                              : explain_second_door(problem, error);
    }
    return ABUT_OK;
}

/* Mass matrices up to this size are factored here, on the stack. Larger ones are factored when the problem is
 * solved. */
enum { EXPLAIN_NV = 48 };

/* How many numbers the rows of all contacts, or of all joints, have: nv each, or as many as their blocks. */
static size_t row_numbers(const abut_contact_problem *problem, bool joints)
{
    const abut_generalised *g = problem->generalised;
    int count = joints ? problem->joint_count : problem->contact_count;
    if (g->block_count == 0) return (size_t)g->nv * (size_t)count;
    size_t sum = 0;
    for (int i = 0; i < count; ++i) {
        const int *pair = joints ? problem->joints[i].bodies : problem->contacts[i].bodies;
        sum += (size_t)g->block_sizes[pair[0]];
        if (pair[1] >= 0) sum += (size_t)g->block_sizes[pair[1]];
    }
    return sum;
}

/* Asks that every block, or the one there is, has a mass matrix that can be factored. */
static abut_status explain_mass(const abut_generalised *g, abut_error *error)
{
    double L[EXPLAIN_NV * EXPLAIN_NV];
    abuti_block block = {.size = g->nv, .mass = g->mass_matrix, .factor = L};
    for (int b = 0, at = 0; b < (g->block_count > 0 ? g->block_count : 1); ++b) {
        if (g->block_count > 0) {
            block.size = g->block_sizes[b];
            block.parent = g->parents ? g->parents + at : NULL;
        }
        abut_status status = want_vector(error, "generalised.mass_matrix", block.mass,
                                         (size_t)block.size * (size_t)block.size);
        if (status) return status;
        if (block.size <= EXPLAIN_NV && !abuti_block_factor(&block)) {
            if (g->block_count == 0)
                return abuti_invalid(error, "generalised.mass_matrix: not symmetric positive definite");
            return abuti_invalid(error,
                                 "generalised.mass_matrix: block %d is not symmetric positive definite%s", b,
                                 block.parent ? ", or not zero where parents say so" : "");
        }
        at += block.size;
        block.mass += (size_t)block.size * (size_t)block.size;
    }
    return ABUT_OK;
}

static abut_status explain_generalised(const abut_contact_problem *problem, abut_error *error)
{
    const abut_generalised *g = problem->generalised;
    size_t nv = (size_t)g->nv, numbers = row_numbers(problem, false);
    abut_status status = want_vector(error, "generalised.velocity", g->velocity, nv);
    if (!status) status = want_vector(error, "generalised.force", g->force, nv);
    if (!status) status = want_vector(error, "generalised.normal_rows", g->normal_rows, numbers);
    if (!status && g->tangent_rows)
        status = want_vector(error, "generalised.tangent_rows", g->tangent_rows, 2 * numbers);
    if (!status)
        status = want_vector(error, "generalised.joint_rows", g->joint_rows, row_numbers(problem, true));
    for (int i = 0; i < problem->contact_count && !status && !g->tangent_rows; ++i) {
        if (abuti_needs_tangents(problem, &problem->contacts[i])) {
            status = abuti_invalid(
                error, "generalised.tangent_rows: NULL; contacts[%d] has tangential forces and needs them",
                i);
        }
    }
    return status ? status : explain_mass(g, error);
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
            status =
                abuti_invalid(error, "contacts[%d].gap: %g; expected 0, it is part of q", i, contact->gap);
        if (!status && contact->restitution != 0.0) {
            status = abuti_invalid(error, "contacts[%d].restitution: %g; expected 0, it is part of q", i,
                                   contact->restitution);
        }
        if (!status && contact->group != 0) {
            status = abuti_invalid(error,
                                   "contacts[%d].group: %d; expected 0, unions need bodies or generalised "
                                   "coordinates",
                                   i, contact->group);
        }
        if (!status && local->dimension == 2 && contact->directions != ABUT_DIRECTIONS_MIN) {
            status = abuti_invalid(error, "contacts[%d].directions: %d; expected 2 in two dimensions", i,
                                   contact->directions);
        }
    }
    return status;
}

abut_status abut_contact_validate(const abut_contact_problem *problem, abut_error *error)
{
    if (error) error->text[0] = '\0';
    if (!problem) return abuti_invalid(error, "problem: NULL");
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
