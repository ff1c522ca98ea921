/* What a world is made of, for the files of this room.
 *
 * Bodies, joints and all else live in arrays that grow; an id is an index + 1. Bodies come after their parents.
 * `topology` divides what moves into trees and numbers their freedoms; it is made anew when something was added.
 * Spatial vectors are 6 numbers, angular then linear, in world axes about the reference point of their tree. */
#ifndef ABUTI_WORLD_STATE_H
#define ABUTI_WORLD_STATE_H

#include "abut/world.h"
#include "collide/tree.h"
#include <stdbool.h>
#include <stdint.h>

#define ABUTI_GROUND (-1) /* as an index of a body or tree: does not move */

/* An array that grows; world/list.h. */
#define ABUTI_LIST(type)                                                                                     \
    struct {                                                                                                 \
        type *items;                                                                                         \
        int count, capacity;                                                                                 \
    }

typedef struct abuti_world_body {
    abut_body_def def; /* rotation of length 1 */
    int parent;        /* index, or ABUTI_GROUND */
    int first_joint;   /* or -1; the others follow by `next` */
    /* Mass properties in the body's frame: of the definition, or the sum of its colliders. */
    double mass, com[3], inertia[6];
    /* By topology. */
    int tree;     /* index, or ABUTI_GROUND */
    int last_dof; /* the deepest freedom that moves it, or -1 */
    int anchor;   /* the body it is fixed to, itself where it has joints; ABUTI_GROUND */
    /* By kinematics, in the world. */
    double position[3], rotation[4], frame[9], world_com[3], world_inertia[6];
    double velocity[6]; /* spatial, about the tree's reference (kinematic bodies: about their origin) */
    /* For the next step: force, then torque at the centre of mass. */
    double applied[6];
    /* Bodies in trees of joints (reaction.c): the velocity of the centre of mass before the step, the force that was
     * applied in the step, and the force on the body that its joints carried, in world axes. */
    double before[3], pushed[3], reaction[3];
    /* Free bodies: the angular momentum that flight comes to, and the velocity that goes with it (free.c). */
    double momentum[3], flown[3];
} abuti_world_body;

typedef struct abuti_world_joint {
    abut_joint_def def;     /* axis of length 1 */
    int body, next;         /* the next joint of the same body, or -1 */
    int position, velocity; /* where its coordinates begin in the arrays that callers see */
    int dof;                /* the first of its freedoms, by topology */
    bool at_com; /* its velocity is kept at the centre of mass, world axes (trees of one free body) */
} abuti_world_joint;

/* One freedom. They are numbered tree by tree, in each tree parents first. */
typedef struct abuti_dof {
    int joint, body, tree;
    int parent;           /* the freedom it hangs on, or -1 */
    int velocity;         /* its place in the arrays that callers see */
    double motion[6];     /* the spatial velocity of one unit */
    double motion_dot[6]; /* how that changes with the motion of what it hangs on */
} abuti_dof;

typedef struct abuti_world_tree {
    int first_dof, dof_count;
    bool asleep;         /* it has no part in steps (sleep.c) */
    double still;        /* s: how long it has hardly moved */
    double owed;         /* J: what its motion has too much of, to be taken off (flight.c) */
    int matrix;          /* where its block begins in the packed mass matrices */
    int body, last_body; /* its first body and its last; those of others may stand between them */
    /* One body with one free joint and nothing on it: its freedoms are those of its centre of mass, in world axes. */
    bool free_body;
    bool coupled; /* tendons fill its matrix beyond the branches */
    double reference[3];
    /* free_body: rad/s, how much the turn over a step differs from the velocity after it (free.c). */
    double spin[3];
} abuti_world_tree;

typedef struct abuti_world_collider {
    abut_collider_def def;
    int body;                        /* or ABUTI_GROUND */
    double position[3], rotation[4]; /* in the world, by kinematics */
    int proxy;                       /* in the broad phase */
} abuti_world_collider;

typedef struct abuti_world_tendon {
    abut_tendon_def def; /* joints and coefficients are not kept here but in tendon_terms */
    int first, count;
} abuti_world_tendon;

typedef struct abuti_world_motor {
    abut_motor_def def;
    double control, force;
} abuti_world_motor;

/* A number on one freedom, of a row; of a tendon, on one joint. */
typedef struct abuti_entry {
    int index;
    double value;
} abuti_entry;

/* One contact between two colliders at the present positions. A moves: its tree is not the ground. */
typedef struct abuti_touch {
    int colliders[2], bodies[2];
    double points[2][3]; /* on A and on B */
    double normal[3], tangent[3];
    double gap, friction, restitution, viscous, compliance;
    double surface[3]; /* m/s along n, t, n x t: what belts and kinematic bodies add to u */
    uint64_t key;
    int group; /* of the union whose side it is; sides of one stand together. 0: none */
    double impulse[3];
    double approach; /* m/s: how fast the two came together before the step */
    bool acts;       /* acceleration level: it touches, and a force may act */
    bool carries;    /* Runge-Kutta: a force acted at the end of the stretch */
    int sides;       /* drift.c: on which sides it was found again; the sum of 1 and 2 */
    double drift[3]; /* m/s^2 along n, t, n x t: how u changes while no freedom accelerates (drift.c) */
    abut_contact_face face; /* of the last step, by key; after a solve, of this one */
} abuti_touch;

/* A contact that carries forces until the next event (accel.c), and how it slid when that began. */
typedef struct abuti_hold {
    uint64_t key;
    double slip[2]; /* m/s along t and n x t; 0 where it does not slide */
} abuti_hold;

typedef ABUTI_LIST(abuti_touch) abuti_touches;

/* The state of a contact or row after the last step, by its key. */
typedef struct abuti_known {
    uint64_t key;
    double impulse[3];
    abut_contact_face face;
} abuti_known;

/* Two colliders that are near each other, and what their manifold remembers. */
typedef struct abuti_pair {
    int colliders[2]; /* ascending */
    abut_pair_memory memory;
    bool touches; /* an impulse acted in the last step */
} abuti_pair;

/* J. */
typedef struct abuti_energy {
    double kinetic, potential;
} abuti_energy;

/* What the motion of a tree over a step must come to (flight.c). */
typedef struct abuti_flight {
    double point[3];    /* m: where momentum is taken about */
    double momentum[6]; /* spatial */
    double course[3];   /* m: where the centre of mass of a tree that floats gets to, seen from that point */
    double loops;       /* J: what loops have added */
    double kinetic, potential; /* J */
} abuti_flight;

/* Trees that settle together after a displacement (settle.c). */
typedef struct abuti_party {
    bool held;       /* by the ground; the momentum is then none of theirs, and not known */
    double point[3]; /* m: where momentum and inertia are taken about */
    double inertia[10], momentum[6], lack[6];
    double gain, kinetic; /* J */
    double motion[6];     /* the rigid one that has their momentum */
    double beside; /* J: kinetic energy without that of the rigid motion; all of it where they are held */
} abuti_party;

/* What a scalar row is for. */
typedef enum abuti_row_kind {
    ABUTI_ROW_LOOP,
    ABUTI_ROW_LIMIT,
    ABUTI_ROW_FRICTION,
    ABUTI_ROW_MOTOR
} abuti_row_kind;

/* One joint row of a step: entries on freedoms of at most two trees. */
typedef struct abuti_row {
    abuti_row_kind kind;
    int owner; /* joint or tendon, motor, loop */
    int first, count;
    double target; /* of the velocity problem */
    double error;  /* m or rad: limits, the distance that is left; loops, how far open */
    int sides;     /* drift.c, as of a contact */
    double drift;  /* acceleration level: how row.v - target changes while no freedom accelerates */
    bool bounded;
    double lower, upper, compliance;
    uint64_t key;
    double impulse;
    abut_contact_face face;
} abuti_row;

typedef ABUTI_LIST(abuti_row) abuti_rows;

/* N s along n, t and n x t of a contact. */
typedef struct abuti_impulse {
    double along[3];
} abuti_impulse;

/* The contact problem of a step and what holds its numbers (problem.c). */
typedef struct abuti_world_problem {
    abut_contact_problem problem;
    abut_generalised blocks;
    ABUTI_LIST(abut_contact) contacts;
    ABUTI_LIST(abut_joint) joints;
    ABUTI_LIST(abut_contact_face) faces, joint_faces; /* where the solver starts: states, */
    ABUTI_LIST(abuti_impulse) impulses;               /* and what acted at contacts, */
    ABUTI_LIST(double) joint_impulses;                /* and at joint rows */
    ABUTI_LIST(int) touch_of;                         /* which contact of the world a contact is */
    ABUTI_LIST(int) row_of; /* which row of the world a joint row is; those that hold contacts stand behind */
    ABUTI_LIST(abut_body) bodies;
    ABUTI_LIST(int) sizes, parents;
    ABUTI_LIST(double) mass, velocity, force, normal_rows, tangent_rows, joint_rows;
} abuti_world_problem;

/* Workspaces for one kind of problem, one for each thread, and what they have been large enough for so far. */
typedef struct abuti_crew {
    abut_contact_limits limits;
    abut_contact_workspace *work[ABUT_THREADS_MAX];
    abut_contact_result results[ABUT_THREADS_MAX]; /* what each said in the last solve */
    abut_status statuses[ABUT_THREADS_MAX];
} abuti_crew;

/* Pairs of bodies or of colliders, sorted (abuti_pair_of_bodies). */
typedef ABUTI_LIST(uint64_t) abuti_pairs;

/* The friction of two colliders with each other. */
typedef struct abuti_pair_friction {
    uint64_t pair;
    double friction;
} abuti_pair_friction;

struct abut_world {
    abut_world_def def;
    abut_allocator allocator;
    bool built; /* topology fits what was added */
    bool posed; /* poses and contacts fit the positions */
    double time;
    long steps;
    double span; /* s: what is being stepped over: def.step, or a part of it between events (accel.c) */

    ABUTI_LIST(abuti_world_body) bodies;
    ABUTI_LIST(abuti_world_joint) joints;
    ABUTI_LIST(abuti_world_collider) colliders;
    ABUTI_LIST(abuti_world_tendon) tendons;
    ABUTI_LIST(abuti_entry) tendon_terms;
    ABUTI_LIST(abuti_world_motor) motors;
    ABUTI_LIST(abut_loop_def) loops;
    abuti_pairs excluded;                           /* of bodies */
    abuti_pairs included;                           /* of colliders */
    ABUTI_LIST(abuti_pair_friction) pair_frictions; /* by pair, sorted */

    /* Coordinates as callers see them. */
    ABUTI_LIST(double) positions, velocities;
    ABUTI_LIST(double) applied; /* forces on coordinates, for the next step */

    /* Topology. */
    ABUTI_LIST(abuti_world_tree) trees;
    ABUTI_LIST(abuti_dof) dofs;
    ABUTI_LIST(int) groups; /* scratch of topology, by body */
    ABUTI_LIST(int) joined; /* by tree: the lowest one it is joined with (sleep.c) */

    /* Mechanics, by freedom: M and M + h D + h^2 K in blocks, bias, forces. */
    ABUTI_LIST(double) mass, implicit, bias, force, free_motion, scratch;
    ABUTI_LIST(double) turning, begun; /* bias without gravity, velocities before the solve (flight.c) */
    ABUTI_LIST(abuti_energy) energy;   /* by tree */
    ABUTI_LIST(abuti_flight) flights;  /* by tree */
    ABUTI_LIST(abuti_party) parties;   /* by tree: of the group it is the lowest one of */
    ABUTI_LIST(double) composite;      /* 10 numbers a body */
    ABUTI_LIST(double) wrench;         /* 6 numbers a body */

    /* Collision and the step. */
    abuti_touches touches;                     /* at the present positions */
    abuti_touches solved;                      /* of the last step, with their impulses */
    ABUTI_LIST(abuti_known) known, known_rows; /* states of the last step, sorted by key */
    ABUTI_LIST(abuti_pair) pairs;              /* colliders that were near each other, sorted */
    ABUTI_LIST(abuti_pair) next_pairs;
    abuti_tree broad; /* boxes of colliders */
    bool broad_begun;
    ABUTI_LIST(double) boxes; /* 6 numbers a collider: low, high */
    /* Pairs of colliders whose boxes meet, sorted: the lower number stands in the upper half. */
    ABUTI_LIST(uint64_t) near;
    ABUTI_LIST(abut_manifold_point) points; /* of one pair */
    ABUTI_LIST(abut_contact_event) events;
    double broad_seconds;
    int unions;      /* how many there are at the present positions */
    abuti_rows rows; /* at the present positions */
    abuti_rows solved_rows;
    ABUTI_LIST(abuti_entry) entries;
    abuti_world_problem velocity_problem, position_problem;
    abuti_crew contact_crew, position_crew;
    abut_contact_result result;

    /* The acceleration level. */
    abuti_world_problem force_problem;
    abuti_crew force_crew;
    abut_contact_result force_result;
    bool by_forces;               /* the last step ended with forces, not with impulses */
    ABUTI_LIST(abuti_hold) holds; /* contacts that act until the next event, sorted by key */
    abuti_touches fresh;          /* what acted since the last event */
    abuti_touches gathered;       /* what acted since the step began */
    abuti_touches displaced;      /* contacts and rows at displaced positions (drift.c) */
    abuti_rows displaced_rows;
    abuti_rows fresh_rows, gathered_rows; /* as of contacts */
    ABUTI_LIST(abuti_entry) displaced_entries;
    ABUTI_LIST(double) kept_positions, kept_told; /* where all was before it was displaced */
    ABUTI_LIST(double) stages;                    /* numbers of a Runge-Kutta step */

    double smallest; /* m: the size of the smallest collider */
    /* Projection of positions: what part of its displacement each tree takes; where all was, and how it moved. */
    ABUTI_LIST(double) shares, unmoved_positions, unmoved_velocities;
};

/* Whether forces move a body: it hangs on a joint. */
static inline bool abuti_body_moves(const abut_world *world, int body)
{
    return body != ABUTI_GROUND && world->bodies.items[body].tree != ABUTI_GROUND;
}

/* Whether a body sleeps, or is none that forces move. */
static inline bool abuti_body_idles(const abut_world *world, int body)
{
    return !abuti_body_moves(world, body) || world->trees.items[world->bodies.items[body].tree].asleep;
}

/* Whether a contact has no part in the step: none of its bodies moves, or those that do sleep. */
static inline bool abuti_touch_idles(const abut_world *world, const abuti_touch *touch)
{
    return abuti_body_idles(world, touch->bodies[0]) && abuti_body_idles(world, touch->bodies[1]);
}

#endif
