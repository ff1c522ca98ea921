/* What a problem must satisfy: quick yes or no for the solver.
 *
 * The quick checks follow the explaining ones (explain.c) field by field; test_validate.c holds them together by
 * breaking every field in every way and asking both. Comparisons are written so that NaN fails. */
#include "contact/build/validate.h"
#include "abut/union.h"
#include "contact/build/build.h"
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Quick checks */

static bool finite_all(const double *x, int count)
{
    bool good = true;
    for (int i = 0; i < count; ++i) good &= fabs(x[i]) <= ABUTI_LARGEST;
    return good;
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
    good &= abuti_triangle_holds(body->inertia);
    return good;
}

/* Whether lower <= upper, where each is finite and of an allowed size, or infinite outwards. */
bool abuti_valid_bounds(double lower, double upper)
{
    return lower <= upper && lower <= ABUTI_LARGEST && upper >= -ABUTI_LARGEST &&
           (lower >= -ABUTI_LARGEST || lower == -INFINITY) && (upper <= ABUTI_LARGEST || upper == INFINITY);
}

bool abuti_valid_right_side(const abut_joint *joint)
{
    return fabs(joint->target) <= ABUTI_LARGEST && fabs(joint->drift) <= ABUTI_LARGEST &&
           joint->compliance >= 0.0 && joint->compliance <= ABUTI_LARGEST &&
           (!joint->bounded || abuti_valid_bounds(joint->lower, joint->upper));
}

bool abuti_needs_tangents(const abut_contact_problem *problem, const abut_contact *contact)
{
    abut_friction_law kind = abuti_model_of(problem->model)->friction;
    bool friction = contact->friction > 0.0 && kind == ABUT_LAW_COULOMB;
    return friction || contact->viscous > 0.0 || kind == ABUT_LAW_HELD;
}

bool abuti_valid_joint(const abut_joint *joint)
{
    bool good = abuti_valid_right_side(joint);
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
        good &= g->tangent_rows || !abuti_needs_tangents(problem, &problem->contacts[i]);
    }
    for (int j = 0; j < nj; ++j) {
        good &= abuti_valid_right_side(&problem->joints[j]) &&
                finite_all(g->joint_rows + (size_t)j * (size_t)nv, nv);
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
    for (int j = 0; j < problem->joint_count; ++j) good &= abuti_valid_right_side(&problem->joints[j]);
    return good;
}

/* Whether the sizes of blocks sum to nv, and every number hangs on one before it in its block. */
static bool valid_blocks(const abut_generalised *g)
{
    if (g->block_count == 0) return true;
    if (g->block_count < 0 || g->block_count > g->nv || !g->block_sizes) return false;
    int at = 0;
    for (int b = 0; b < g->block_count; ++b) {
        int size = g->block_sizes[b];
        if (size < 1 || size > g->nv - at) return false;
        for (int c = 0; c < size && g->parents; ++c) {
            if (g->parents[at + c] < -1 || g->parents[at + c] >= c) return false;
        }
        at += size;
    }
    return at == g->nv;
}

/* Sizes and pointers of the generalised and the local door. */
bool abuti_valid_arrays(const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    const abut_local *local = problem->local;
    if (g) {
        return g->nv >= 1 && g->mass_matrix && g->velocity && g->force &&
               (problem->contact_count == 0 || g->normal_rows) &&
               (problem->joint_count == 0 || g->joint_rows) && valid_blocks(g);
    }
    return !local || ((local->dimension == 2 || local->dimension == 3) &&
                      ((local->W && local->q) || problem->contact_count + problem->joint_count == 0));
}

int abuti_doors(const abut_contact_problem *problem)
{
    return (problem->body_count > 0) + (problem->generalised ? 1 : 0) + (problem->local ? 1 : 0);
}

/* How many things `bodies` of contacts and joints may name; 0: it is not read. */
int abuti_movers(const abut_contact_problem *problem)
{
    return problem->generalised ? problem->generalised->block_count : problem->body_count;
}

static bool valid_directions(int d)
{
    return d == 0 || (d >= ABUT_DIRECTIONS_MIN && d <= ABUT_DIRECTIONS_MAX);
}

/* Whether a contact has nothing to be asked or counted that was not asked of another one. */
static bool is_like(const abut_contact *contact, const abut_contact *other)
{
    int differs = (contact->bodies[0] ^ other->bodies[0]) | (contact->bodies[1] ^ other->bodies[1]) |
                  (contact->directions ^ other->directions) | contact->group | contact->two_points |
                  (int)(contact->cone ^ other->cone) | (contact->cone == ABUT_CONE_ELLIPSE);
    return differs == 0 && contact->compliance == 0.0;
}

/* Whether the point at which B is touched, and the compliance of a contact, are right. */
static bool valid_extras(const abut_contact *contact)
{
    return contact->compliance >= 0.0 && contact->compliance <= ABUTI_LARGEST &&
           (!contact->two_points || finite_all(contact->second_point, 3));
}

/* Whether indices, directions, cones and groups of all contacts are right. Neighbours mostly share bodies and
 * directions, so only what changes is looked at. */
static bool valid_contacts(const abut_contact_problem *problem, abuti_survey *survey)
{
    int bodies = abuti_movers(problem), most = 0, sides = 0, compliant = 0;
    bool good = true, cones = false, viscous = false, forces = abuti_is_coulomb_accel(problem->model);
    for (const abut_contact *c = problem->contacts, *end = c + problem->contact_count; c != end;) {
        int d = c->directions, used = d == 0 ? ABUT_DIRECTIONS_DEFAULT : d;
        good &= bodies == 0 || valid_pair(c->bodies, bodies);
        good &= valid_directions(d);
        good &= abuti_valid_cone(c);
        good &= c->cone != ABUT_CONE_ELLIPSE || !forces || d == ABUT_DIRECTIONS_MIN;
        cones |= c->cone != ABUT_CONE_POLYGON && d != ABUT_DIRECTIONS_MIN;
        good &= c->group == 0 || (c->group > 0 && c->viscous == 0.0);
        most = used > most ? used : most;
        sides += c->group != 0;
        compliant += c->compliance != 0.0;
        good &= valid_extras(c);
        const abut_contact *head = c;
        do viscous |= c->viscous != 0.0;
        while (++c != end && is_like(c, head));
    }
    *survey = (abuti_survey){.directions = most,
                             .sides = sides,
                             .compliant = compliant,
                             .viscous = viscous,
                             .cones = cones && (forces || abuti_is_coulomb(problem->model))};
    return good;
}

static void survey_joints(const abut_contact_problem *problem, abuti_survey *survey)
{
    for (int i = 0; i < problem->joint_count; ++i) {
        const abut_joint *joint = &problem->joints[i];
        survey->bounded += joint->bounded;
        survey->boxed += joint->bounded && joint->lower > -INFINITY && joint->upper < INFINITY;
        survey->compliant += joint->compliance != 0.0;
    }
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
    int entered = good ? abuti_doors(problem) : 0;
    if (!good || entered != 1 || !abuti_valid_arrays(problem)) return false;
    int bodies = abuti_movers(problem);
    for (int i = 0; i < problem->body_count; ++i) good &= (unsigned)problem->bodies[i].kind <= ABUT_STATIC;
    for (int i = 0; i < problem->joint_count && bodies > 0; ++i)
        good &= valid_pair(problem->joints[i].bodies, bodies);
    good &= valid_contacts(problem, survey);
    survey_joints(problem, survey);
    return good;
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
