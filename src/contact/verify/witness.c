/* The verifier on "no solution exists": do these weights prove it?
 *
 * The weights are y_i >= 0 of contacts and y_j of joint rows. For every motion v
 *
 *     sum y_i (n_i.v + b_i) + sum y_j (row_j.v - target_j) = g.v + c,      g = sum of y * rows,
 *
 * and for a motion that satisfies everything the left side is not negative. With c < 0 such a motion
 * therefore has |G'v| >= -c / |G^-1 g|: none at all when g = 0, and none that counts when the bound is beyond
 * anything that K, the size of the motion asked for, would explain. Both c and g are rounded against the
 * proof.
 *
 * At the acceleration level a contact that separates already asks for nothing, and has no weight.
 *
 * Through the W + q door the motion is W p + q, and g = W'y must vanish but for normal columns, which may be
 * negative: a push there only makes it worse. */
#include "contact/verify/parts.h"
#include "contact/verify/verify.h"
#include <string.h>

/* A motion that would have to be faster by this factor counts as none: six digits would cancel. */
#define WITNESS_FACTOR 1e6

/* Sums over the rows of one island. */
typedef struct tally {
    double constant; /* c */
    double terms;    /* |terms| of c: its rounding */
    double pushes;   /* |y| s: the rounding of g, in the unit of G^-1 g */
    double offset;   /* largest |b| / s: part of K */
    int rows;
} tally;

/* Whether a contact need not hold, because it is one side of a union with others; such a side proves nothing. */
static bool may_fail(const abut_contact_problem *problem, int contact)
{
    int group = problem->contacts[contact].group, sides = 0;
    for (int i = 0; i < problem->contact_count && group > 0; ++i)
        sides += problem->contacts[i].group == group;
    return sides > 1;
}

/* Whether a contact of coulomb-accel separates faster than slide_threshold, and so asks for nothing. */
static bool parts(const abuti_verification *v, double before)
{
    return v->model->before_decides && before > v->options->accel.slide_threshold;
}

/* Counts one weighted row: b is its constant part, made of numbers of size `terms`, and `size` is its s. */
static void count_row(tally *t, double weight, double b, double terms, double size)
{
    t->constant += weight * b;
    t->terms += fabs(weight) * terms;
    t->pushes += fabs(weight) * size;
    if (size > 0.0) abuti_raise(&t->offset, fabs(b) / size);
    if (!(size > 0.0)) abuti_raise(&t->offset, fabs(b));
    t->rows++;
}

/* How many times faster than K a motion of the island would have to be; 0 without a proof. */
static double factor_of(const tally *t, double reach, double free_motion)
{
    double rounding = 4.0 * DBL_EPSILON * (t->rows + 8.0);
    double descent = -t->constant - rounding * t->terms, scale = fmax(t->offset, free_motion);
    reach += rounding * t->pushes;
    if (!(descent > 0.0) || !(scale > 0.0) || !isfinite(descent) || !isfinite(reach)) return 0.0;
    return reach > 0.0 ? descent / reach / scale : INFINITY;
}

/* ------------------------------------------------------------------------------------------------
 * Bodies */

typedef struct arm {
    double wrench[6]; /* the row on one side */
} arm;

static arm arm_of(const abut_contact *contact, int side, const abut_body *body, const double *n)
{
    const double *point = abuti_verify_point(contact, side);
    double r[3], sign = side == 0 ? 1.0 : -1.0;
    arm a;
    for (int c = 0; c < 3; ++c) r[c] = point[c] - body->com[c];
    for (int c = 0; c < 3; ++c) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        a.wrench[c] = sign * n[c];
        a.wrench[3 + c] = sign * (r[d] * n[e] - r[e] * n[d]);
    }
    return a;
}

static double along(const double *row, const double *velocity)
{
    double sum = 0.0;
    for (int c = 0; c < 6; ++c) sum += row[c] * velocity[c];
    return sum;
}

/* One row on one or two bodies. Its b gains what kinematic bodies do, and g gains what dynamic bodies would feel. */
typedef struct row_sum {
    double given, before, terms, square;
} row_sum;

static void one_side(const abuti_verification *v, int index, const double *row, double weight, double *g,
                     row_sum *sum)
{
    const abut_body *body = &v->problem->bodies[index];
    if (body->kind == ABUT_STATIC) return;
    double rate = along(row, body->velocity);
    sum->before += rate;
    if (body->kind == ABUT_KINEMATIC) {
        sum->given += v->carry * rate;
        for (int c = 0; c < 6; ++c) sum->terms += v->carry * fabs(row[c] * body->velocity[c]);
        return;
    }
    sum->square += abuti_verify_wrench_square(body, row);
    for (int c = 0; c < 6; ++c) g[6 * (size_t)index + (size_t)c] += weight * row[c];
}

static bool contact_row(const abuti_verification *v, int i, double weight, double *g, tally *t)
{
    const abut_contact *contact = &v->problem->contacts[i];
    if (weight == 0.0) return true;
    if (!(weight > 0.0) || may_fail(v->problem, i) || contact->compliance > 0.0) return false;
    double length = 0.0, n[3];
    for (int c = 0; c < 3; ++c) length += contact->normal[c] * contact->normal[c];
    for (int c = 0; c < 3; ++c) n[c] = contact->normal[c] / sqrt(length);
    row_sum sum = {0};
    for (int side = 0; side < 2; ++side) {
        int index = contact->bodies[side];
        if (index < 0) continue;
        arm a = arm_of(contact, side, &v->problem->bodies[index], n);
        one_side(v, index, a.wrench, weight, g, &sum);
    }
    if (!(sum.square > 0.0)) return false; /* no impulse moves it: it asks for nothing */
    if (parts(v, sum.before)) return false;
    double b = abuti_verify_bias(v, contact, sum.before);
    count_row(t, weight, sum.given + b, sum.terms + fabs(b), sqrt(sum.square));
    return true;
}

static bool joint_row(const abuti_verification *v, int i, double weight, double *g, tally *t)
{
    const abut_joint *joint = &v->problem->joints[i];
    double target = abuti_verify_target(v, joint);
    row_sum sum = {0};
    if (!abuti_verify_weight(joint, weight)) return false;
    if (weight == 0.0) return true;
    for (int side = 0; side < 2; ++side)
        if (joint->bodies[side] >= 0)
            one_side(v, joint->bodies[side], joint->jacobian[side], weight, g, &sum);
    count_row(t, weight, sum.given - target, sum.terms + fabs(target), sqrt(sum.square));
    return true;
}

/* k = M v + step force. */
static double free_square(const abuti_verification *v, const abut_body *body)
{
    double k[6];
    abuti_verify_momentum(body, body->velocity, k);
    for (int c = 0; c < 6; ++c) k[c] = v->carry * k[c] + v->time * body->force[c];
    return abuti_verify_wrench_square(body, k);
}

static double factor_of_island(const abuti_verification *v, const abuti_island *island, double *g)
{
    tally t = {0};
    double reach2 = 0.0, free2 = 0.0;
    for (int i = 0; i < island->bodies; ++i) memset(g + 6 * (size_t)island->body[i], 0, 6 * sizeof *g);
    for (int i = 0; i < island->contacts; ++i) {
        int index = island->contact[i];
        if (!contact_row(v, index, v->impulses[index], g, &t)) return 0.0;
    }
    for (int i = 0; i < island->joints; ++i)
        if (!joint_row(v, island->joint[i], v->joints[island->joint[i]], g, &t)) return 0.0;
    for (int i = 0; i < island->bodies; ++i) {
        const abut_body *body = &v->problem->bodies[island->body[i]];
        if (body->kind != ABUT_DYNAMIC) continue;
        reach2 += abuti_verify_wrench_square(body, g + 6 * (size_t)island->body[i]);
        free2 += free_square(v, body);
    }
    return factor_of(&t, sqrt(reach2), sqrt(free2));
}

/* ------------------------------------------------------------------------------------------------
 * The other doors */

static bool generalised_contact(const abuti_verification *v, const abuti_verify_door *d, int i, tally *t)
{
    const abut_contact *contact = &v->problem->contacts[i];
    double weight = v->impulses[i];
    if (weight == 0.0) return true;
    if (!(weight > 0.0) || may_fail(v->problem, i) || contact->compliance > 0.0) return false;
    const double *row = abuti_verify_contact_row(d, v->problem, i, 0);
    double before = abuti_verify_row_along(d, contact->bodies, row, d->g->velocity) + contact->surface[0];
    if (parts(v, before)) return false;
    double b = abuti_verify_bias(v, contact, before), given = v->accelerations ? 0.0 : contact->surface[0];
    count_row(t, weight, b + given, fabs(b) + fabs(given),
              sqrt(abuti_verify_row_push(d, contact->bodies, row, weight)));
    return true;
}

static bool generalised_joint(const abuti_verification *v, const abuti_verify_door *d, int i, tally *t)
{
    const abut_joint *joint = &v->problem->joints[i];
    double weight = v->joints[i], target = abuti_verify_target(v, joint);
    if (!abuti_verify_weight(joint, weight)) return false;
    if (weight == 0.0) return true;
    const double *row = abuti_verify_joint_row(d, i);
    count_row(t, weight, -target, fabs(target), sqrt(abuti_verify_row_push(d, joint->bodies, row, weight)));
    return true;
}

/* `island` is read only where there are blocks. */
static double factor_of_generalised(const abuti_verification *v, const abuti_island *island)
{
    const abut_contact_problem *problem = v->problem;
    abuti_verify_door d = abuti_verify_door_open(v, island);
    bool all = !d.block;
    tally t = {0};
    double reach2 = 0.0, free2 = 0.0;
    memset(d.push, 0, (size_t)d.g->nv * sizeof *d.push);
    for (int i = 0; i < (all ? problem->contact_count : island->contacts); ++i)
        if (!generalised_contact(v, &d, all ? i : island->contact[i], &t)) return 0.0;
    for (int i = 0; i < (all ? problem->joint_count : island->joints); ++i)
        if (!generalised_joint(v, &d, all ? i : island->joint[i], &t)) return 0.0;
    for (int k = 0; k < d.blocks; ++k) {
        abuti_verify_block b = abuti_verify_block_of(&d, all ? 0 : d.block[k]);
        reach2 += abuti_verify_mass_square(b.size, b.lower, d.push + b.at, d.y);
        free2 += abuti_verify_free_square(v, &d, &b);
    }
    return factor_of(&t, sqrt(reach2), sqrt(free2));
}

/* What a push through column c does to the sum, in the unit of s of that column. Normal impulses push one way; friction
 * and joints push either way. */
static double local_reach(const double *weights, const double *W, size_t rows, size_t c, bool one_way)
{
    double sum = 0.0, terms = 0.0, diagonal = W[c * rows + c];
    for (size_t r = 0; r < rows; ++r) {
        sum += weights[r] * W[r * rows + c];
        terms += fabs(weights[r] * W[r * rows + c]);
    }
    double rounding = DBL_EPSILON * (double)(rows + 8) * terms, size = diagonal > 0.0 ? sqrt(diagonal) : 1.0;
    return (one_way ? fmax(sum, 0.0) : fabs(sum)) / size + rounding / size;
}

static double factor_of_local(const abuti_verification *v)
{
    const abut_contact_problem *problem = v->problem;
    const abut_local *local = problem->local;
    size_t d = (size_t)local->dimension, n = (size_t)problem->contact_count, joints = d * n;
    size_t rows = joints + (size_t)problem->joint_count;
    double *weights = v->scratch, reach = 0.0;
    tally t = {0};
    memset(weights, 0, rows * sizeof *weights);
    for (size_t i = 0; i < n; ++i) {
        weights[d * i] = v->impulses[i];
        if (weights[d * i] == 0.0) continue;
        if (!(weights[d * i] > 0.0) || may_fail(problem, (int)i) || problem->contacts[i].compliance > 0.0)
            return 0.0;
        if (local->velocity && parts(v, local->velocity[d * i])) return 0.0;
    }
    for (size_t j = joints; j < rows; ++j) {
        weights[j] = v->joints[j - joints];
        if (!abuti_verify_weight(&problem->joints[j - joints], weights[j])) return 0.0;
    }
    for (size_t r = 0; r < rows; ++r) {
        double target = r < joints ? 0.0 : abuti_verify_target(v, &problem->joints[r - joints]);
        double diagonal = local->W[r * rows + r];
        if (weights[r] == 0.0) continue;
        count_row(&t, weights[r], local->q[r] - target, fabs(local->q[r]) + fabs(target),
                  diagonal > 0.0 ? sqrt(diagonal) : 0.0);
    }
    t.pushes = 0.0; /* local_reach rounds for itself */
    for (size_t c = 0; c < rows; ++c)
        abuti_raise(&reach, local_reach(weights, local->W, rows, c, c < joints && c % d == 0));
    return factor_of(&t, reach, 0.0);
}

/* ------------------------------------------------------------------------------------------------
 * Entrances */

static bool finite_weights(const abut_contact_problem *problem, const double *contacts, const double *joints)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (!isfinite(contacts[i])) return false;
    for (int i = 0; i < problem->joint_count; ++i)
        if (!isfinite(joints[i])) return false;
    return true;
}

bool abuti_verify_witness_island(const abut_contact_problem *problem, const abut_contact_options *options,
                                 const abuti_island *island, const double *contacts, const double *joints,
                                 double *scratch)
{
    abuti_verification v;
    abuti_verification_begin(&v, problem, options, contacts, joints, NULL, scratch);
    if (!finite_weights(problem, contacts, joints)) return false;
    double factor = problem->generalised ? factor_of_generalised(&v, island)
                    : problem->local     ? factor_of_local(&v)
                                         : factor_of_island(&v, island, scratch);
    return factor >= WITNESS_FACTOR;
}

/* The largest factor of all islands, of bodies or of blocks. */
static double factor_of_islands(abuti_verification *v)
{
    const abut_contact_problem *problem = v->problem;
    abuti_partition partition;
    bool blocks = problem->generalised;
    size_t room = blocks ? abuti_verify_generalised_size(problem) : abuti_verify_bodies_size(problem);
    abuti_partition_find(&partition, problem, (int *)(void *)(v->scratch + room));
    double most = 0.0;
    for (int k = 0; k < partition.islands + !blocks; ++k) {
        abuti_island island = abuti_partition_island(&partition, k);
        most =
            fmax(most, blocks ? factor_of_generalised(v, &island) : factor_of_island(v, &island, v->scratch));
    }
    return most;
}

bool abut_contact_verify_witness(const abut_contact_problem *problem, const abut_contact_options *options,
                                 const double *contacts, const double *joints, double *scratch,
                                 double *factor)
{
    double ignored;
    if (!factor) factor = &ignored;
    *factor = 0.0;
    if (!problem || !abuti_verify_readable(problem, contacts, joints, scratch) ||
        !finite_weights(problem, contacts, joints))
        return false;
    abut_contact_options defaults = abut_contact_default_options();
    abuti_verification v;
    abuti_verification_begin(&v, problem, options ? options : &defaults, contacts, joints, NULL, scratch);
    abuti_verify_prepare(problem, scratch);
    bool one_block = problem->generalised && problem->generalised->block_count == 0;
    *factor = one_block        ? factor_of_generalised(&v, NULL)
              : problem->local ? factor_of_local(&v)
                               : factor_of_islands(&v);
    return *factor >= WITNESS_FACTOR;
}
