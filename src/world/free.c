/* Free flight of a body, by the midpoint rule on the group. With W = R'w in the axes of the body and I its inertia
 * there,
 *
 *     R+ I W+ = R I W,     R+ = R cay(h (W + W+) / 2),     cay(a) = (1 - a/2)^-1 (1 + a/2), a as a cross product
 *
 * This is I W+ = cay(-h (W + W+) / 2) I W, the implicit midpoint rule on Euler's equations: it keeps angular momentum
 * and energy to rounding, for both are quadratic. A step first changes velocities where the body is, by forces and
 * contacts, which gain no energy there, and then lets the body turn in this way. Neither half gains energy. */
#include "world/free.h"
#include "world/kinematics.h"
#include "world/spatial.h"
#include <math.h>
#include <string.h>

/* Each round gains a factor of about h W / 2. */
#define MIDPOINT_ROUNDS 60

/* Rounds have converged when the last one changes less than this part of the velocity. */
#define CONVERGED 1e-12

/* Where a body spins by radians in a step, the step is taken in parts. This is the most parts. */
#define PARTS_MOST 4096

/* Velocities that differ by less than this part came through the solver untouched. */
#define SAME_VELOCITY 1e-14

/* Finds the angular momentum before the step. Where nothing has changed the velocity that the flight came to, it is
 * that of the flight so far, so that rounding does not add up; otherwise it is that of the velocity. */
static void find_momentum(abuti_world_body *body, const double w[3])
{
    double change[3];
    abuti_v3_sub(change, w, body->flown);
    if (abuti_v3_length(change) <= SAME_VELOCITY * abuti_v3_length(w)) return;
    abuti_symmetric_apply(body->momentum, body->world_inertia, w);
}

/* Takes one midpoint step from a rotation, and gives the turn (world axes, rad/s), and the rotation and the velocity
 * (world axes) after it. False where the rounds do not converge, because the body spins too fast for the step. */
static bool turn_once(const abuti_world_body *body, const double start[4], double step, double turn[3],
                      double rotation[4], double after[3])
{
    double before[3], spin[3], middle[3], frame[9], seen[3], change[3];
    abuti_m3_from_quat(frame, start);
    abuti_m3_apply_transposed(seen, frame, body->momentum);
    abuti_symmetric_solve(before, body->inertia, seen);
    abuti_v3_copy(spin, before);
    double first[9];
    for (int k = 0; k < 9; ++k) first[k] = frame[k];
    for (int round = 0; round < MIDPOINT_ROUNDS; ++round) {
        abuti_v3_add(middle, before, spin);
        abuti_v3_scale(middle, 0.5, middle);
        abuti_m3_apply(turn, first, middle);
        abuti_turn_by_cayley(rotation, start, turn, step);
        abuti_m3_from_quat(frame, rotation);
        abuti_m3_apply_transposed(seen, frame, body->momentum);
        abuti_v3_copy(change, spin);
        abuti_symmetric_solve(spin, body->inertia, seen);
        abuti_v3_sub(change, change, spin);
        if (abuti_v3_length(change) <= 4e-16 * abuti_v3_length(spin)) break;
    }
    abuti_m3_apply(after, frame, spin);
    return abuti_v3_length(change) <= CONVERGED * abuti_v3_length(spin);
}

/* The same over the whole step, in as many parts as it takes. Each part keeps momentum and energy. */
static void fly(abuti_world_body *body, double step, const double w[3], double turn[3], double after[3])
{
    double rotation[4], next[4];
    bool fine = false;
    find_momentum(body, w);
    for (int parts = 1; !fine && parts <= PARTS_MOST; parts *= 2) {
        memcpy(rotation, body->rotation, sizeof rotation);
        fine = true;
        for (int k = 0; k < parts && fine; ++k) {
            fine = turn_once(body, rotation, step / parts, turn, next, after);
            memcpy(rotation, next, sizeof rotation);
        }
        if (parts == 1 || !fine) continue;
        /* All parts as one turn: abuti_turn_by_cayley makes (1, step turn / 2) of it again. */
        double back[4], whole[4];
        abuti_quat_conjugate(back, body->rotation);
        abuti_quat_multiply(whole, rotation, back);
        abuti_v3_scale(turn, 2 / (step * (whole[0] != 0 ? whole[0] : 1e-300)), whole + 1);
    }
    abuti_v3_copy(body->flown, after);
}

void abuti_forget_flight(abut_world *world, const double *displacements)
{
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_world_tree *tree = &world->trees.items[t];
        abuti_world_body *body = &world->bodies.items[tree->body];
        if (!tree->free_body) continue;
        const double *turn =
            displacements ? displacements + world->joints.items[body->first_joint].velocity + 3 : NULL;
        if (!turn || abuti_v3_length(turn) > 0) abuti_v3_set(body->flown, INFINITY, INFINITY, INFINITY);
    }
}

void abuti_find_free_forces(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        const abuti_world_tree *tree = &world->trees.items[t];
        if (!tree->free_body) continue;
        double *force = world->force.items + tree->first_dof;
        for (int k = 0; k < 6; ++k) force[k] += world->bias.items[tree->first_dof + k];
        abuti_v3_add_scaled(force, force, world->bodies.items[tree->body].mass, world->def.gravity);
    }
}

void abuti_turn_free_bodies(abut_world *world)
{
    for (int t = 0; t < world->trees.count; ++t) {
        abuti_world_tree *tree = &world->trees.items[t];
        if (!tree->free_body || tree->asleep) continue;
        abuti_world_body *body = &world->bodies.items[tree->body];
        double *w = world->velocities.items + world->joints.items[body->first_joint].velocity + 3, turn[3],
               after[3];
        fly(body, world->span, w, turn, after);
        abuti_v3_sub(tree->spin, turn, after);
        abuti_v3_copy(w, after);
    }
}
