/* The verifier: is this the answer?
 *
 * It recomputes everything from the problem alone and shares no code with what builds and solves. With
 * s = sqrt(row M^-1 row') it asks, island by island, in the unit of G'v and then divided by the island's K:
 *
 *     dynamics    |G^-1 (M (v+ - v) - step force - impulses)| of each body
 *     normal      |min(theta s, (n.u+ + b) / s)|
 *     direction   |min(phi_j s_t, sigma_j / s_t)|, the friction impulse written with the two vertices of its
 *                 polygon between which it points; so it must lie on the face that the slip selects
 *     cone        |min(lambda / s_t, gamma s_t)| with gamma = mu theta - sum phi
 *     ... circle  |f s - P(f s - u_t / s)|, where P is the nearest point of the disc of radius mu theta s, and s is
 *                 the contact's largest; the part along f - u_t is an error of the cone, the part across it an
 *                 error of direction
 *     joint       |row velocity - target| / s
 *     momentum    the island as a whole: change of momentum against impulses from outside
 *     work        positive work of friction over K max(K, |friction impulse| s_t); growth of energy likewise
 *
 * K is the largest of |G^-1 k| and |offset| / s over the rows. The offset is the part of a row's velocity that
 * impulses cannot change: b, kinematic bodies, joint targets. K = 0 asks for zero impulses. Both tangents are
 * measured with the same s_t, the larger of their two s: with one s for each direction, an impulse along a
 * tangent that can hardly move would weigh nothing, yet fill the cone.
 */
#include "contact/verify/verify.h"
#include "contact/verify/parts.h"
#include <string.h>

double abuti_verify_bias(const abuti_verification *v, const abut_contact *contact, double approach)
{
    if (v->accelerations) return contact->drift[0];
    bool lands = !(contact->restitution > 0.0) || approach >= -v->options->restitution_threshold ||
                 contact->gap + v->time * approach > 0.0;
    return lands ? contact->gap / v->time : contact->restitution * approach;
}

/* Whether viscous impulses follow the velocity after the step. */
static bool follows(const abuti_verification *v)
{
    if (v->accelerations || v->options->viscous != ABUT_VISCOUS_IMPLICIT) return false;
    for (int i = 0; i < v->problem->contact_count; ++i)
        if (v->problem->contacts[i].group > 0) return false;
    return true;
}

void abuti_chunk_take_viscous(abuti_chunk *chunk, const abuti_verification *v)
{
    int after = -1; /* not known yet: it is asked only where it matters */
    for (int l = 0; l < chunk->count; ++l) {
        const abut_contact *contact = &v->problem->contacts[chunk->index[l]];
        if (!(contact->viscous > 0.0) || !(v->accelerations || contact->gap <= 0.0)) continue;
        if (after < 0) after = follows(v);
        for (int axis = 1; axis < (chunk->directions[l] == 2 ? 2 : 3); ++axis) {
            double u = after ? chunk->velocity[axis][l] : chunk->before[axis][l];
            double viscous = -v->time * contact->viscous * u;
            chunk->impulse[axis][l] -= viscous;
            /* A known force is part of k, and so of K. */
            if (!after) abuti_raise(&v->findings->offset[l], fabs(viscous) * chunk->size[1][l]);
        }
    }
}

void abuti_chunk_begin(abuti_chunk *chunk, const abuti_verification *v, const int *contact, int first,
                       int count)
{
    chunk->count = count;
    chunk->place = first;
    chunk->alike = chunk->rounds = false;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        int index = contact ? contact[first + (l < count ? l : 0)] : first + (l < count ? l : 0);
        const abut_contact *c = &v->problem->contacts[index];
        const double *p = v->impulses + 3 * (size_t)index;
        chunk->index[l] = index;
        chunk->directions[l] = c->directions != 0 ? c->directions : ABUT_DIRECTIONS_DEFAULT;
        chunk->mu[l] = c->friction;
        chunk->rounds |= abuti_verify_is_round(c);
        for (int axis = 0; axis < 3; ++axis) chunk->impulse[axis][l] = l < count ? p[axis] : 0.0;
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* An error in units of K. With K = 0 every error but 0 is infinite. */
static double relative(double error, double k)
{
    if (error == 0.0) return 0.0;
    return k > 0.0 ? abuti_finite_or_infinite(error / k) : INFINITY;
}

/* How much energy has grown where nothing moves by itself (no gap, bounce, belt, target or drift). There impulses
 * only take energy out: |G'v+| <= |G^-1 k|, which at the acceleration level is Gauss's principle. Friction whose
 * direction was fixed by the velocity before the step may add some. The unit is that of work over
 * K max(K, largest impulse s). */
static double energy_growth(const abuti_findings *f, const double *largest, const abuti_verify_model *model,
                            double k)
{
    if (model->before_decides || largest[ABUTI_OF_OFFSET] > 0.0) return 0.0;
    double growth = f->after2 - f->free2;
    return growth > 0.0 || isnan(growth) ? relative(growth, k * larger(k, largest[ABUTI_OF_IMPULSE])) : 0.0;
}

/* Takes the units out of an island's findings and adds them to the check. */
static void conclude(const abuti_verification *v, const abuti_island *island, const abuti_findings *f,
                     abut_contact_check *check, double *worst)
{
    ABUTI_ALIGNED double largest[ABUTI_BY_LANE];
    v->kernel->largest(f, largest);
    double k = largest[ABUTI_OF_OFFSET];
    abuti_raise(&k, sqrt(f->free2));
    double impulse = k > 0.0 ? 0.0 : relative(largest[ABUTI_OF_IMPULSE], k);
    double normal = larger(relative(largest[ABUTI_OF_NORMAL], k), impulse);
    double work = relative(largest[ABUTI_OF_WORK], k * k), power = relative(largest[ABUTI_OF_POWER], k);
    work = larger(work < power ? work : power, energy_growth(f, largest, v->model, k));
    double dynamics = larger(relative(f->dynamics, k), f->given), joint = relative(f->joint, k);
    double momentum = relative(f->momentum, k), true_cone = relative(largest[ABUTI_OF_TRUE_CONE], k);
    /* K itself may be no number. */
    if (!(k <= DBL_MAX)) dynamics = INFINITY;
    abuti_raise(&check->dynamics, dynamics);
    abuti_raise(&check->normal, normal);
    abuti_raise(&check->cone, relative(largest[ABUTI_OF_CONE], k));
    abuti_raise(&check->direction, relative(largest[ABUTI_OF_DIRECTION], k));
    abuti_raise(&check->joint, joint);
    abuti_raise(&check->momentum, momentum);
    abuti_raise(&check->work, work);
    abuti_raise(&check->cone_residual,
                larger(larger(larger(dynamics, normal), larger(joint, momentum)), true_cone));
    int lane = 0;
    for (int l = 1; l < ABUTI_LANES; ++l) lane = f->worst[l] > f->worst[lane] ? l : lane;
    double error = relative(f->worst[lane], k);
    if (error > *worst) {
        int place = (int)f->worst_place[lane] + lane;
        check->worst_contact = island ? island->contact[place] : place;
        *worst = error;
    }
    const double parts[] = {check->dynamics, check->normal,   check->cone, check->direction,
                            check->joint,    check->momentum, check->work};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) abuti_raise(&check->residual, parts[i]);
}

/* Judges contacts and joints that touch no dynamic body. Impulses there move nothing and must be zero; a joint's row
 * contains given velocities only and must hold by itself. */
static void verify_loose(abuti_verification *v, const abuti_island *island)
{
    const abut_contact_problem *problem = v->problem;
    for (int i = 0; i < island->contacts; ++i)
        for (int axis = 0; axis < 3; ++axis)
            if (!(v->impulses[3 * (size_t)island->contact[i] + (size_t)axis] == 0.0))
                v->findings->given = INFINITY;
    for (int i = 0; i < island->joints; ++i) {
        const abut_joint *joint = &problem->joints[island->joint[i]];
        if (!(v->joints[island->joint[i]] == 0.0)) v->findings->given = INFINITY;
        if (joint->bounded || joint->compliance > 0.0) continue; /* it gives way */
        double rate = -abuti_verify_target(v, joint), size = fabs(rate);
        for (int side = 0; side < 2; ++side) {
            int body = joint->bodies[side];
            if (body < 0 || problem->bodies[body].kind == ABUT_STATIC) continue;
            for (int c = 0; c < 6; ++c) {
                double term = v->carry * joint->jacobian[side][c] * problem->bodies[body].velocity[c];
                rate += term;
                size += fabs(term);
            }
        }
        abuti_raise(&v->findings->given, relative(fabs(rate), size));
    }
}

void abuti_verification_begin(abuti_verification *v, const abut_contact_problem *problem,
                              const abut_contact_options *options, const double *impulses,
                              const double *joints, const double *velocity, double *scratch)
{
    v->problem = problem;
    v->options = options;
    v->impulses = impulses;
    v->joints = joints;
    v->velocity = velocity;
    v->kernel = abuti_verify_kernel_choose();
    v->polygon.d = 0;
    v->scratch = scratch;
    v->want_true_cone = 1;
    v->unions = NULL;
    v->model = abuti_verify_model_of(problem->model);
    v->accelerations = v->model->accelerations;
    v->time = v->accelerations ? 1.0 : problem->step;
    v->carry = v->accelerations ? 0.0 : 1.0;
}

/* Takes all contacts of the island through their door, and so in chunks to the judge. */
static void verify_door(abuti_verification *v, const abuti_island *island, abuti_judge *judge)
{
    if (v->problem->generalised) {
        bool blocks = v->problem->generalised->block_count > 0;
        abuti_verify_generalised(v, island, blocks ? island->contact : NULL,
                                 blocks ? island->contacts : v->problem->contact_count, judge);
    } else if (v->problem->local) {
        abuti_verify_local(v, island, judge);
    } else {
        abuti_verify_bodies(v, island, judge);
    }
}

/* Judges contacts that separate and are held all the same. An ordinary contact that is held so is wrong where another
 * answer is known to do without; a side of a union is wrong unless it is known that no answer does without. */
static void verify_glue(const abuti_verification *v, const abuti_island *island, const int *group)
{
    ABUTI_ALIGNED double largest[ABUTI_BY_LANE];
    abuti_findings *findings = v->findings;
    if (findings->glue == 0.0 && findings->side_glue == 0.0) return;
    v->kernel->largest(findings, largest);
    double small = v->options->tolerance * larger(largest[ABUTI_OF_OFFSET], sqrt(findings->free2));
    if (!(findings->glue > small) && !(findings->side_glue > small)) {
        abuti_raise(&findings->normal[0], findings->side_glue);
        return;
    }
    abuti_glue found = abuti_verify_glue(v, island, group, small);
    if (found == ABUTI_GLUE_AVOIDABLE) abuti_raise(&findings->cone[0], findings->glue);
    if (found != ABUTI_GLUE_NEEDED) abuti_raise(&findings->normal[0], findings->side_glue);
}

/* Where there are unions, the judge does not see sides without a force (verify/union.c). */
static void verify_contacts(abuti_verification *v, const abuti_island *island, abuti_judge *judge)
{
    abuti_verify_unions unions;
    if (!abuti_verify_unions_begin(v, island, &unions, judge)) {
        verify_door(v, island, judge);
        verify_glue(v, island, NULL);
    } else if (v->problem->generalised) {
        abuti_verify_generalised(v, island, unions.visit, unions.visits, abuti_judge_union);
        verify_glue(v, island, unions.group);
    } else {
        abuti_island seen = *island;
        seen.contacts = unions.visits;
        seen.contact = unions.visit;
        verify_door(v, &seen, abuti_judge_union);
        verify_glue(v, island, unions.group);
    }
}

static void verify_island(abuti_verification *v, const abuti_island *island, abut_contact_check *check,
                          double *worst)
{
    abuti_findings findings = {0};
    v->findings = &findings;
    abuti_judge *judge = v->model->judge;
    if (!judge) {
        findings.given = INFINITY;
    } else if (v->problem->body_count > 0 && island->bodies == 0) {
        verify_loose(v, island);
    } else {
        verify_contacts(v, island, judge);
    }
    conclude(v, island, &findings, check, worst);
}

void abuti_verify_island(const abut_contact_problem *problem, const abut_contact_options *options,
                         const abuti_island *island, const double *impulses, const double *joints,
                         const double *velocity, double *scratch, abut_contact_check *check)
{
    double worst = 0.0;
    *check = (abut_contact_check){.worst_contact = -1};
    abuti_verification v;
    abuti_verification_begin(&v, problem, options, impulses, joints, velocity, scratch);
    v.want_true_cone = problem->local;
    verify_island(&v, island, check, &worst);
    if (!v.want_true_cone) check->cone_residual = NAN;
}

/* ------------------------------------------------------------------------------------------------
 * The whole problem */

/* Doubles that hold this many integers. */
static size_t doubles_for(size_t integers)
{
    return (integers * sizeof(int) + sizeof(double) - 1) / sizeof(double);
}

static size_t size_without_unions(const abut_contact_problem *problem)
{
    const abut_generalised *g = problem->generalised;
    if (g && g->block_count > 0)
        return abuti_verify_generalised_size(problem) + doubles_for(abuti_partition_size(problem));
    if (g) return abuti_verify_generalised_size(problem);
    if (problem->local) return abuti_verify_local_size(problem);
    return abuti_verify_bodies_size(problem) + doubles_for(abuti_partition_size(problem));
}

double *abuti_verify_unions_memory(const abuti_verification *v)
{
    return v->scratch + size_without_unions(v->problem);
}

/* Whether the counts are in range, which is asked before an array is read. */
static bool counts_in_range(const abut_contact_problem *problem)
{
    const int counts[] = {problem->contact_count, problem->joint_count, problem->body_count,
                          problem->generalised ? problem->generalised->nv : 0,
                          problem->generalised ? problem->generalised->block_count : 0};
    const abut_generalised *g = problem->generalised;
    bool right = !g || g->block_count == 0 || (g->block_sizes && g->block_count <= g->nv);
    for (int k = 0; k < 5; ++k) right &= counts[k] >= 0 && counts[k] <= ABUT_COUNT_MAX;
    return right;
}

size_t abuti_verify_blocks_room(const abut_contact_problem *problem, int largest)
{
    size_t nv = (size_t)problem->generalised->nv;
    return nv * (size_t)largest + 2 * nv + abuti_verify_starts_size(problem) +
           doubles_for(abuti_partition_size(problem)) + abuti_verify_unions_size(problem);
}

size_t abut_contact_verify_size(const abut_contact_problem *problem)
{
    if (!problem || !counts_in_range(problem)) return 0;
    return size_without_unions(problem) + abuti_verify_unions_size(problem);
}

static int pairs_in_range(const abut_contact_problem *problem)
{
    int bodies = problem->generalised ? problem->generalised->block_count : problem->body_count, right = 1;
    for (int i = 0; i < problem->contact_count; ++i) {
        const int *pair = problem->contacts[i].bodies;
        right &= pair[0] >= 0 && pair[0] < bodies && pair[1] >= ABUT_WORLD && pair[1] < bodies;
    }
    for (int i = 0; i < problem->joint_count; ++i) {
        const int *pair = problem->joints[i].bodies;
        right &= pair[0] >= 0 && pair[0] < bodies && pair[1] >= ABUT_WORLD && pair[1] < bodies;
    }
    return right;
}

/* Whether the sizes of the blocks add up to all velocities. */
static bool sizes_in_range(const abut_generalised *g)
{
    int left = g->nv;
    for (int b = 0; b < g->block_count; ++b) {
        if (g->block_sizes[b] < 1 || g->block_sizes[b] > left) return false;
        left -= g->block_sizes[b];
    }
    return left == 0;
}

bool abuti_verify_readable(const abut_contact_problem *problem, const double *impulses, const double *joints,
                           const double *scratch)
{
    if (!counts_in_range(problem)) return false;
    if (problem->contact_count > 0 && (!problem->contacts || !impulses)) return false;
    if (problem->joint_count > 0 && (!problem->joints || !joints)) return false;
    for (int i = 0; i < problem->contact_count; ++i) {
        int d = problem->contacts[i].directions;
        if (d != 0 && (d < ABUT_DIRECTIONS_MIN || d > ABUT_DIRECTIONS_MAX)) return false;
        if ((unsigned)problem->contacts[i].cone >= ABUT_CONE_COUNT) return false;
    }
    if (!scratch && abut_contact_verify_size(problem) > 0) return false;
    if (problem->local)
        return !problem->generalised && problem->body_count == 0 && problem->local->W && problem->local->q &&
               (problem->local->dimension == 2 || problem->local->dimension == 3);
    const abut_generalised *g = problem->generalised;
    if (g)
        return problem->body_count == 0 && g->nv > 0 && g->mass_matrix && g->velocity && g->force &&
               (problem->contact_count == 0 || g->normal_rows) &&
               (problem->joint_count == 0 || g->joint_rows) &&
               (g->block_count == 0 || (sizes_in_range(g) && pairs_in_range(problem)));
    return problem->body_count > 0 && problem->bodies && pairs_in_range(problem);
}

/* Kinematic bodies keep their velocity, static ones have none. */
static double given_velocities(const abuti_verification *v)
{
    const abut_contact_problem *problem = v->problem;
    const double *velocity = v->velocity;
    double error = 0.0;
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *body = &problem->bodies[i];
        if (body->kind == ABUT_DYNAMIC) continue;
        for (int part = 0; part < 6; part += 3) {
            double difference = 0.0, size = 0.0;
            for (int c = part; c < part + 3; ++c) {
                double given = body->kind == ABUT_KINEMATIC ? v->carry * body->velocity[c] : 0.0;
                difference = fmax(difference, abuti_finite_or_infinite(fabs(velocity[6 * i + c] - given)));
                size = fmax(size, fabs(given));
            }
            abuti_raise(&error, relative(difference, size));
        }
    }
    return error;
}

static void verify_islands(abuti_verification *v, abut_contact_check *check)
{
    const abut_contact_problem *problem = v->problem;
    abuti_partition partition;
    double *memory = v->scratch + (problem->generalised ? abuti_verify_generalised_size(problem)
                                                        : abuti_verify_bodies_size(problem));
    abuti_partition_find(&partition, problem, (int *)(void *)memory);
    double worst = 0.0;
    /* All blocks move: there is no island of things that do not. */
    int last = problem->generalised ? partition.islands - 1 : partition.islands;
    for (int k = 0; k <= last; ++k) {
        abuti_island island = abuti_partition_island(&partition, k);
        verify_island(v, &island, check, &worst);
    }
    abuti_raise(&check->dynamics, given_velocities(v));
    abuti_raise(&check->residual, check->dynamics);
    abuti_raise(&check->cone_residual, check->dynamics);
}

/* A walk over the islands of a local problem, and what it has found so far. */
typedef struct local_walk {
    abut_contact_check *check;
    double worst;
} local_walk;

static void visit_local(abuti_verification *v, const abuti_island *island, void *context)
{
    local_walk *walk = context;
    verify_island(v, island, walk->check, &walk->worst);
}

abut_status abut_contact_verify(const abut_contact_problem *problem, const abut_contact_options *options,
                                const double *impulses, const double *joints, const double *velocity,
                                double *scratch, abut_contact_check *check)
{
    if (!problem || !check || !abuti_verify_readable(problem, impulses, joints, scratch) ||
        (!velocity && !problem->local))
        return ABUT_INVALID_ARGUMENT;
    if (!abuti_verify_model_of(problem->model)->judge) return ABUT_UNSUPPORTED;
    abut_contact_options defaults = abut_contact_default_options();
    *check = (abut_contact_check){.worst_contact = -1};
    abuti_verification v;
    abuti_verification_begin(&v, problem, options ? options : &defaults, impulses, joints, velocity, scratch);
    double worst = 0.0;
    abuti_verify_prepare(problem, scratch);
    if (problem->body_count > 0 || (problem->generalised && problem->generalised->block_count > 0)) {
        verify_islands(&v, check);
    } else if (problem->local) {
        local_walk walk = {.check = check};
        abuti_verify_local_islands(&v, visit_local, &walk);
    } else {
        verify_island(&v, NULL, check, &worst);
    }
    return ABUT_OK;
}
