/* Runge and Kutta's fourth-order rule between events.
 *
 *     q' = rates(q, v),  v' = a(q, v)            quaternions as four numbers, made of length 1 wherever they are used
 *
 * In every stage contacts are found where the bodies are then; those that held when the stretch began act, whatever
 * their gap has become by errors of high order. If something touches that did not, or sliding turns round, the stretch
 * is taken anew, shorter, until it ends where that begins. */
#include "base/clock.h"
#include "base/length.h"
#include "base/space.h"
#include "world/accel.h"
#include "world/drift.h"
#include "world/kinematics.h"
#include "world/list.h"
#include "world/locate.h"
#include "world/mechanics.h"
#include "world/problem.h"
#include "world/project.h"
#include "world/rows.h"
#include "world/stride.h"
#include <math.h>
#include <string.h>

/* Each trial costs four solves; the secant rule needs about eight. */
#define TRIALS_MOST 60

/* Where the stretch began, its weighted sums and the rates of a stage, all in world->stages. */
typedef struct stage_numbers {
    double *q, *v, *told;    /* the beginning */
    double *q_sum, *v_sum;   /* sixths of the four stages */
    double *q_rate, *v_rate; /* of the present stage */
} stage_numbers;

static bool lay_out(abut_world *world, stage_numbers *n)
{
    int nq = world->positions.count, nv = world->velocities.count, told = 7 * world->bodies.count;
    if (!abuti_list_resize(world, &world->stages, 3 * nq + 3 * nv + told)) return false;
    double *at = world->stages.items;
    *n = (stage_numbers){.q = at,
                         .v = at + nq,
                         .told = at + nq + nv,
                         .q_sum = at + nq + nv + told,
                         .v_sum = at + 2 * nq + nv + told,
                         .q_rate = at + 2 * nq + 2 * nv + told,
                         .v_rate = at + 3 * nq + 2 * nv + told};
    return true;
}

static void keep(const abut_world *world, const stage_numbers *n)
{
    for (int i = 0; i < world->positions.count; ++i) n->q[i] = world->positions.items[i];
    for (int i = 0; i < world->velocities.count; ++i) n->v[i] = world->velocities.items[i];
    for (int i = 0; i < world->bodies.count; ++i) {
        memcpy(n->told + 7 * i, world->bodies.items[i].def.position, 3 * sizeof(double));
        memcpy(n->told + 7 * i + 3, world->bodies.items[i].def.rotation, 4 * sizeof(double));
    }
}

/* ------------------------------------------------------------------------------------------------
 * Rates of positions */

/* q' = q (0, w) / 2 for w in the axes of the body; (0, w) q / 2 in world axes. */
static void quaternion_rate(const double q[4], const double w[3], bool world_axes, double rate[4])
{
    double turn[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    if (world_axes)
        abuti_quat_multiply(rate, turn, q);
    else
        abuti_quat_multiply(rate, q, turn);
}

static void position_rates(const abut_world *world, double *rates)
{
    for (int j = 0; j < world->joints.count; ++j) {
        const abuti_world_joint *joint = &world->joints.items[j];
        const double *q = world->positions.items + joint->position,
                     *v = world->velocities.items + joint->velocity;
        double *rate = rates + joint->position, arm[3], extra[3];
        switch (joint->def.kind) {
        case ABUT_JOINT_FREE:
            abuti_v3_copy(rate, v);
            quaternion_rate(q + 3, v + 3, joint->at_com, rate + 3);
            if (!joint->at_com) break;
            abuti_quat_apply(arm, q + 3, world->bodies.items[joint->body].com);
            abuti_v3_cross(extra, v + 3, arm);
            abuti_v3_sub(rate, rate, extra);
            break;
        case ABUT_JOINT_BALL: quaternion_rate(q, v, false, rate); break;
        case ABUT_JOINT_HINGE:
        case ABUT_JOINT_SLIDE: rate[0] = v[0]; break;
        }
    }
}

static void normalise_quaternions(abut_world *world)
{
    for (int j = 0; j < world->joints.count; ++j) {
        const abuti_world_joint *joint = &world->joints.items[j];
        double *q = world->positions.items + joint->position;
        if (joint->def.kind == ABUT_JOINT_FREE) abuti_quat_normalise(q + 3);
        if (joint->def.kind == ABUT_JOINT_BALL) abuti_quat_normalise(q);
    }
}

/* The state `seconds` after the beginning, at constant rates. */
static void place(abut_world *world, const stage_numbers *n, const double *q_rate, const double *v_rate,
                  double seconds)
{
    for (int i = 0; i < world->positions.count; ++i)
        world->positions.items[i] = n->q[i] + (q_rate ? seconds * q_rate[i] : 0);
    for (int i = 0; i < world->velocities.count; ++i)
        world->velocities.items[i] = n->v[i] + (v_rate ? seconds * v_rate[i] : 0);
    for (int i = 0; i < world->bodies.count; ++i) {
        memcpy(world->bodies.items[i].def.position, n->told + 7 * i, 3 * sizeof(double));
        memcpy(world->bodies.items[i].def.rotation, n->told + 7 * i + 3, 4 * sizeof(double));
    }
    normalise_quaternions(world);
    abuti_advance_told(world, seconds);
}

/* ------------------------------------------------------------------------------------------------
 * Stages */

static abut_status find_rates(abut_world *world, const stage_numbers *n, abut_step_report *told,
                              bool *answered)
{
    double last = abuti_clock();
    abut_status status = abuti_locate(world);
    told->seconds[ABUT_STEP_BROAD] += world->broad_seconds;
    abuti_mark(&told->seconds[ABUT_STEP_NARROW], &last);
    if (status != ABUT_OK) return status;
    abuti_mark_holds(world);
    bool fine = abuti_find_mass(world) && abuti_find_bias(world) && abuti_find_forces(world, false) &&
                abuti_find_rows(world);
    abuti_mark(&told->seconds[ABUT_STEP_FORCES], &last);
    if (!fine) return ABUT_OUT_OF_MEMORY;
    status = abuti_find_accelerations(world, told, answered);
    if (status != ABUT_OK || !*answered) return status;
    memset(n->v_rate, 0, (size_t)world->velocities.count * sizeof(double));
    abuti_take_velocities(world, world->force_result.velocity, n->v_rate);
    position_rates(world, n->q_rate);
    return ABUT_OK;
}

/* The state `seconds` after the beginning, with contacts there. */
static abut_status try_stretch(abut_world *world, const stage_numbers *n, double seconds,
                               abut_step_report *told, bool *answered)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    int nq = world->positions.count, nv = world->velocities.count;
    world->fresh.count = world->fresh_rows.count = 0;
    world->span = seconds;
    memset(n->q_sum, 0, (size_t)nq * sizeof(double));
    memset(n->v_sum, 0, (size_t)nv * sizeof(double));
    for (int stage = 0; stage < 4; ++stage) {
        place(world, n, stage ? n->q_rate : NULL, stage ? n->v_rate : NULL, seconds * at[stage]);
        abut_status status = find_rates(world, n, told, answered);
        if (status != ABUT_OK || !*answered) return status;
        if (!abuti_note_forces(world, seconds * weight[stage])) return ABUT_OUT_OF_MEMORY;
        for (int i = 0; i < nq; ++i) n->q_sum[i] += weight[stage] * n->q_rate[i];
        for (int i = 0; i < nv; ++i) n->v_sum[i] += weight[stage] * n->v_rate[i];
    }
    place(world, n, n->q_sum, n->v_sum, seconds);
    return abuti_locate(world);
}

/* ------------------------------------------------------------------------------------------------
 * Events */

/* How far it is to the next event; negative when an event lies behind. `met` tells whether one lies within its
 * tolerance. */
static double clearance(abut_world *world, bool *met)
{
    double least = INFINITY, slop = world->def.slop, slow = world->def.contact.accel.slide_threshold;
    *met = false;
    abuti_mark_holds(world);
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *touch = &world->touches.items[i];
        double u[3];
        abuti_contact_velocity(world, touch, u);
        if (!touch->acts && u[0] >= 0) continue; /* comes apart */
        if (!touch->acts) {
            least = fmin(least, touch->gap / (slop + 1e-15));
            if (touch->gap <= slop) *met = true;
            continue;
        }
        const abuti_hold *hold = abuti_find_hold(world, touch->key);
        double size = abuti_length(hold->slip[0], hold->slip[1]);
        if (size == 0) continue;
        double along = (hold->slip[0] * u[1] + hold->slip[1] * u[2]) / size;
        least = fmin(least, along / slow);
        if (along <= slow) *met = true;
    }
    return least;
}

/* A clearance above this, in units of the tolerances, is not past an event. */
#define NOT_PAST (-1.0)

/* A bracket of the event: not past it at `low`, past it at `high`. */
typedef struct bracket {
    double low, high, below, above;
    int side; /* of the last trial */
} bracket;

/* Where to look next, by the secant through both ends; an end that stays twice counts half (the Illinois rule). */
static double narrow(bracket *b, double time, double left)
{
    int side = left >= NOT_PAST ? -1 : 1;
    if (side < 0) {
        b->low = time;
        b->below = left;
        if (b->side == side) b->above *= 0.5;
    } else {
        b->high = time;
        b->above = left;
        if (b->side == side) b->below *= 0.5;
    }
    b->side = side;
    double share = b->below > 0 && isfinite(b->below) ? b->below / (b->below - b->above) : 0.5;
    if (!(share > 1e-9 && share < 1 - 1e-9)) share = 0.5;
    return b->low + share * (b->high - b->low);
}

/* Events that are nearer to each other than this part of the step are not told apart. A feature that takes the place of
 * another within a touch begins at once, so stretches of no length would find it for ever. What overlaps after so short
 * a stretch is projected. */
#define SHORTEST 1e-4

/* An event that is known to this part of the step, and is no crossing of zero, is a jump, and is taken as it is. */
#define TOGETHER 1e-9

abut_status abuti_runge_kutta(abut_world *world, double *seconds, abut_step_report *told, bool *answered)
{
    stage_numbers n;
    if (!lay_out(world, &n)) return ABUT_OUT_OF_MEMORY;
    keep(world, &n);
    bool met;
    bracket b = {.below = clearance(world, &met)};
    double time = *seconds, taken = 0, shortest = fmin(*seconds, SHORTEST * world->def.step);
    for (int trial = 0; trial < TRIALS_MOST; ++trial) {
        taken = time;
        abut_status status = try_stretch(world, &n, taken, told, answered);
        if (status == ABUT_OK && !*answered) {
            place(world, &n, NULL, NULL, 0); /* back to where it began */
            status = abuti_locate(world);
        }
        if (status != ABUT_OK || !*answered) return status;
        double left = clearance(world, &met);
        if (left >= NOT_PAST && (trial == 0 || met)) break;
        if (left < NOT_PAST && taken <= shortest) break;
        time = fmax(narrow(&b, taken, left), shortest);
        if (b.high > 0 && b.high - b.low <= TOGETHER * world->def.step) shortest = time = b.high;
    }
    if (taken < *seconds) told->events++;
    *seconds = taken;
    for (int i = 0; i < world->touches.count; ++i) {
        const abuti_touch *acted = abuti_find_among(&world->fresh, world->touches.items[i].key);
        world->touches.items[i].carries = acted && acted->carries;
    }
    return abuti_keep_velocities(world);
}
