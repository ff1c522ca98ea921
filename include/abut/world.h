/* abut/world.h: a world of bodies that move and touch, stepped with exact contact.
 *
 *     abut_world_def def = abut_world_default_def();
 *     abut_world *world = NULL;
 *     abut_world_create(&def, NULL, &world, NULL);
 *     abut_body_def box = abut_body_default_def();
 *     box.position[2] = 1;
 *     abut_body_id body;
 *     abut_world_add_body(world, &box, &body, NULL);
 *     abut_joint_def free = abut_joint_default_def(ABUT_JOINT_FREE);
 *     abut_world_add_joint(world, body, &free, NULL, NULL);
 *     abut_collider_def cube = abut_collider_default_def();
 *     cube.shape = ...;                                      // abut/shape.h
 *     abut_world_add_collider(world, body, &cube, NULL, NULL);
 *     abut_step_report report;
 *     for (int i = 0; i < 1000; i++) abut_world_step(world, &report);
 *     abut_world_destroy(world);
 *
 * Bodies hang in trees. A body has a parent, which is the ground if none is named, and any number of joints, one after
 * the other, through which it moves against its parent. A body without joints is fixed to its parent. The unknowns of a
 * tree are the coordinates of its joints, so joints cannot drift. What closes a loop is a row (abut_loop_def).
 *
 * +-- Coordinates --------------------
 * |
 * |  joint    positions                                    velocities
 * |  free     3 of the body's frame, world axes; 4 of a    3 of the frame's origin, world axes; 3 angular, body axes
 * |           quaternion (w, x, y, z)
 * |  ball     4 of a quaternion                            3 angular, axes of the body
 * |  hinge    1, rad                                       1, rad/s
 * |  slide    1, m                                         1, m/s
 * |
 * |  They stand in the order in which joints were added, and mean what MJCF's qpos and qvel mean.
 * |
 * |  dynamics   M(q) (v+ - v) = step (forces - bias) + impulses of contacts, limits, loops, dry friction
 * |  positions  q+ = q + step v+  (rotations on the group), then projected where gaps or loops are worse than `slop`
 * +--------------------
 *
 * Springs, dampers and servos are linear in q and v and are taken at the end of the step, so they are stable however
 * stiff. A step allocates nothing once it has seen its sizes, prints nothing, and has the same bits on every machine.
 * Worlds share nothing: two of them may be stepped in two threads. SI units, z up.
 */
#ifndef ABUT_WORLD_H
#define ABUT_WORLD_H

#include "abut/base.h"
#include "abut/contact.h"
#include "abut/shape.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Ids. Bodies, joints, colliders, tendons, motors and loops are counted apart, each from 1, in the order in which they
 * were added. The index 0 names nothing; of bodies it names the ground. */

typedef struct abut_body_id {
    /* 1 .. the number of bodies; 0: the ground. */
    int32_t index;
} abut_body_id;
typedef struct abut_joint_id {
    /* 1 .. the number of joints; 0: none. */
    int32_t index;
} abut_joint_id;
typedef struct abut_collider_id {
    /* 1 .. the number of colliders; 0: none. */
    int32_t index;
} abut_collider_id;
typedef struct abut_tendon_id {
    /* 1 .. the number of tendons; 0: none. */
    int32_t index;
} abut_tendon_id;
typedef struct abut_motor_id {
    /* 1 .. the number of motors; 0: none. */
    int32_t index;
} abut_motor_id;
typedef struct abut_loop_id {
    /* 1 .. the number of loops; 0: none. */
    int32_t index;
} abut_loop_id;

/* ------------------------------------------------------------------------------------------------
 * The world */

/* How velocities and positions follow from forces, for the models at the acceleration level (ABUT_COULOMB_ACCEL and
 * ABUT_VISCOUS); the others have steps of their own. */
typedef enum abut_integrator {
    /* Velocities first, then positions with them; springs and dampers at the end of the step. First order. What would
     * overlap after the step lands exactly. */
    ABUT_SEMI_IMPLICIT_EULER = 0,
    /* Runge and Kutta's fourth-order rule between events. Springs, dampers and motors are explicit. The instant of a
     * first touch, and that at which sliding ends, is found to rounding, and the step goes on from there. */
    ABUT_RUNGE_KUTTA,
} abut_integrator;

#define ABUT_THREADS_MAX 64

/* Who runs tasks in threads. `abut/threads.h` has one; an engine will give its own. */
typedef struct abut_runner {
    /* Calls task(data, 0) .. task(data, count - 1), each once, in any order and at the same time, and returns when
     * all of them have. */
    void (*run)(void *context, void (*task)(void *data, int index), void *data, int count);
    /* Handed to `run`. */
    void *context;
} abut_runner;

typedef struct abut_world_def {
    /* m/s^2. Default (0, 0, -9.81). */
    double gravity[3];
    /* s, > 0. Default 0.002. */
    double step;
    /* Default ABUT_COULOMB. The two models of the acceleration level have an impact at first touch and forces
     * afterwards. The impacts of ABUT_COULOMB_ACCEL have Coulomb friction; those of ABUT_VISCOUS have none, or that
     * of contact.accel.impact_seconds. Viscous forces are taken at the velocity before the step: the coefficients at
     * a body, summed, must stay below its mass / step. ABUT_NO_SLIP knows no rows with two bounds: with dry friction,
     * or with a motor that gives way and has a bounded force, steps are ABUT_UNSUPPORTED. */
    abut_contact_model model;
    /* Default ABUT_SEMI_IMPLICIT_EULER; the velocity level knows no other. */
    abut_integrator integrator;
    /* What every solve is given: solver, tolerance, budgets, restitution threshold. The world sets the states to start
     * from. */
    abut_contact_options contact;
    /* Friction directions of every contact, 2 .. 64. Default 8. */
    int directions;
    /* ABUT_CONE_POLYGON, or ABUT_CONE_CIRCLE, which is Coulomb's law itself: under the model coulomb with the solvers
     * auto and faces, under coulomb-accel for forces at contacts that do not slide. Default ABUT_CONE_POLYGON
     * (docs/cone.md tells why). */
    abut_contact_cone cone;
    /* Islands are solved in so many parts at a time, 1 .. ABUT_THREADS_MAX. The answers are the same, bit by bit, for
     * every number. Default 1. */
    int threads;
    /* Who runs the parts. Default {NULL, NULL}: one after the other, in the thread that steps. */
    abut_runner runner;
    /* m, >= 0: overlaps and open loops below this are left alone; what is worse is projected after the step. Among
     * small things it is less: 1e-8 of the size of the smallest collider (half the diagonal of its bounds). Default
     * 1e-9. */
    double slop;
    /* m, > 0: the most that one step moves a point of contact, or a coordinate in a loop, to undo overlaps and open
     * loops. What is deeper leaves in several steps. Default 0.05. */
    double projection_max;
    /* s, >= 0. Default 0: nothing sleeps. Trees that touch each other, or are joined by loops, fall asleep together
     * when all of them have moved slower than sleep_speed for this time. Their velocities become 0, and they are not
     * solved any more. They wake together when something awake comes so near that contacts are made, when a body among
     * them is pushed, moved or woken (abut_body_wake), and when a motor among them is told something else. All wake
     * when anything is added, a kinematic body is moved, or a loop is switched. What a belt or a moving kinematic
     * body touches does not sleep. */
    double sleep_seconds;
    /* m/s, >= 0: the speed of a tree is the root of twice its kinetic energy over its mass. Default 1e-4. */
    double sleep_speed;
    /* m, >= 0: contacts are made up to this distance beyond what the motion of a step needs. Default 1e-3. */
    double margin;
} abut_world_def;

typedef struct abut_world abut_world;

ABUT_API abut_world_def abut_world_default_def(void);
ABUT_API abut_status abut_world_create(const abut_world_def *def, const abut_allocator *allocator,
                                       abut_world **world, abut_error *error);
ABUT_API void abut_world_destroy(abut_world *world);

/* ------------------------------------------------------------------------------------------------
 * Bodies */

typedef struct abut_body_def {
    /* The body it hangs on. Default {0}: the ground. */
    abut_body_id parent;
    /* m: the origin of its frame in the frame of its parent, while all of its joints are at their reference. Default
     * 0. */
    double position[3];
    /* Its axes in the frame of its parent, likewise: a quaternion of any length > 0. Default (1, 0, 0, 0): the
     * parent's axes. */
    double rotation[4];
    /* ABUT_DYNAMIC: moved by its joints. ABUT_KINEMATIC: no joints, on the ground; moves as it is told
     * (abut_body_set_motion). ABUT_STATIC: no joints, on the ground. Default ABUT_DYNAMIC. */
    abut_body_kind kind;
    /* kg. Default 0: mass, com and inertia are the sum of its colliders (density, or their own mass). */
    double mass;
    /* m: the centre of mass in the body's frame. */
    double com[3];
    /* kg m^2 about the centre of mass, in the body's axes: xx, yy, zz, xy, xz, yz. Beside a mass it is positive
     * definite, and no principal moment is larger than the sum of the other two. */
    double inertia[6];
    /* How much of gravity it feels. Default 1; MJCF's gravcomp is 1 - gravity_scale. */
    double gravity_scale;
} abut_body_def;

ABUT_API abut_body_def abut_body_default_def(void);
ABUT_API abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, abut_body_id *id,
                                         abut_error *error);

typedef struct abut_body_state {
    /* m, and a unit quaternion: the body's frame in the world. */
    double position[3], rotation[4];
    /* m: the centre of mass. */
    double com[3];
    /* m/s and rad/s at the centre of mass, world axes. */
    double velocity[6];
    /* kg, and kg m^2 about the centre of mass, world axes. */
    double mass, inertia[6];
} abut_body_state;

ABUT_API abut_status abut_body_get_state(abut_world *world, abut_body_id id, abut_body_state *state);
/* The motion of a kinematic body: where it is now, and the velocity of its frame's origin in m/s and rad/s, which it
 * keeps until told otherwise. */
ABUT_API abut_status abut_body_set_motion(abut_world *world, abut_body_id id, const double position[3],
                                          const double rotation[4], const double velocity[6]);
/* A force in N at a point of the world, and a torque in N m (either may be NULL). They act in the next step alone; the
 * forces of several calls add up. */
ABUT_API abut_status abut_body_apply_force(abut_world *world, abut_body_id id, const double force[3],
                                           const double point[3], const double torque[3]);
/* An impulse in N s at a point of the world, which acts at once. */
ABUT_API abut_status abut_body_apply_impulse(abut_world *world, abut_body_id id, const double impulse[3],
                                             const double point[3]);

/* Whether a body sleeps; bodies that no force can move never do. Waking takes effect in the next step. */
ABUT_API abut_status abut_body_is_asleep(abut_world *world, abut_body_id id, bool *asleep);
ABUT_API abut_status abut_body_wake(abut_world *world, abut_body_id id);

/* ------------------------------------------------------------------------------------------------
 * Joints */

typedef enum abut_joint_kind {
    ABUT_JOINT_FREE = 0, /* six freedoms; the only joint of a body on the ground */
    ABUT_JOINT_BALL,     /* turns about its anchor */
    ABUT_JOINT_HINGE,    /* turns about its axis through the anchor */
    ABUT_JOINT_SLIDE,    /* moves along its axis */
} abut_joint_kind;

typedef struct abut_joint_def {
    /* As abut_joint_default_def was asked. */
    abut_joint_kind kind;
    /* m: a point of its axis, in the body's frame. Default 0. */
    double anchor[3];
    /* Of any length > 0, in the body's frame. Default z. */
    double axis[3];
    /* rad or m: the value of the coordinate in the pose that the body's definition gives. Default 0. */
    double reference;
    /* Whether the coordinate stays within lower .. upper. For a ball the coordinate is the angle of its rotation, and
     * lower is 0. Default false. */
    bool limited;
    /* rad or m, lower <= upper; read with `limited` alone. Default 0. */
    double lower, upper;
    /* N m/rad or N/m, >= 0, and rad or m: a spring towards spring_reference. Ball and free joints spring back to their
     * definition. Default 0. */
    double stiffness, spring_reference;
    /* N m s/rad or N s/m, >= 0. Default 0. */
    double damping;
    /* kg m^2 or kg, >= 0: the inertia of a rotor, added to the coordinate's own. Default 0. */
    double armature;
    /* N m or N, >= 0: dry friction, on each freedom. Default 0. */
    double dry_friction;
} abut_joint_def;

ABUT_API abut_joint_def abut_joint_default_def(abut_joint_kind kind);
/* `id` may be NULL. */
ABUT_API abut_status abut_world_add_joint(abut_world *world, abut_body_id body, const abut_joint_def *def,
                                          abut_joint_id *id, abut_error *error);

/* All coordinates of the world, in the order of its joints. */
ABUT_API int abut_world_position_count(const abut_world *world);
ABUT_API int abut_world_velocity_count(const abut_world *world);
ABUT_API void abut_world_get_positions(const abut_world *world, double *positions);
ABUT_API void abut_world_get_velocities(const abut_world *world, double *velocities);
/* Quaternions are normalised. Every number must be finite and every quaternion longer than 0: else
 * ABUT_INVALID_ARGUMENT, and nothing has changed. */
ABUT_API abut_status abut_world_set_positions(abut_world *world, const double *positions);
ABUT_API abut_status abut_world_set_velocities(abut_world *world, const double *velocities);
/* Forces on the coordinates themselves, velocity_count; for the next step alone. */
ABUT_API abut_status abut_world_apply_forces(abut_world *world, const double *forces);
/* Where the coordinates of a joint begin in these arrays. */
ABUT_API abut_status abut_joint_get_offsets(const abut_world *world, abut_joint_id id, int *position,
                                            int *velocity);

/* ------------------------------------------------------------------------------------------------
 * Colliders: shapes that a body carries */

typedef struct abut_collider_def {
    /* See shape.h. What it points at (convex, mesh, heightfield) is borrowed as long as the world lives. */
    abut_shape shape;
    /* m, and a quaternion of any length > 0: its frame in the body's frame. Default: the body's frame. */
    double position[3], rotation[4];
    /* kg/m^3. Default 1000. Used where the body's mass is 0. */
    double density;
    /* kg, in place of density if > 0. Default 0. */
    double mass;
    /* Coulomb's coefficient, >= 0; a contact takes the larger of its two. Default 1. */
    double friction;
    /* 0 .. 1; a contact takes the larger of its two. Default 0. */
    double restitution;
    /* N s/m, >= 0; a contact takes the sum of its two. Default 0. */
    double viscous;
    /* m/s per N s, >= 0: how far contacts give way (contact.h, compliance); a contact takes the sum of its two. Default
     * 0: rigid. */
    double compliance;
    /* Two colliders may touch when one's category has a bit of the other's mask, either way round (MJCF's contype and
     * conaffinity). Default 1 and 1. */
    uint32_t category, mask;
    /* m: what comes closer than this counts as touching. Default 0. */
    double margin;
    /* Near corners that jut out, its contacts with boxes and convex polyhedra are unions (union.h). The collider
     * then slides over seams of things that are made of several shapes, and past their corners, without being held by
     * faces that it passes beside. It is enough that one of the two colliders asks for it. The field is read
     * in worlds of free bodies alone, without belts and compliance, and with the models coulomb and frictionless.
     * Default false. */
    bool unions;
    /* When priorities differ, friction, restitution, viscous and compliance are those of the collider with the
     * higher one. Default 0. */
    int priority;
    /* m/s and rad/s: the velocity of its surface in the collider's frame, as of a conveyor belt; linear, then angular.
     * Default 0. */
    double surface_velocity[6];
} abut_collider_def;

ABUT_API abut_collider_def abut_collider_default_def(void);
ABUT_API abut_status abut_world_add_collider(abut_world *world, abut_body_id body,
                                             const abut_collider_def *def, abut_collider_id *id,
                                             abut_error *error);
/* Makes that these two bodies never touch. Parent and child never do, nor do bodies that are fixed to each other. */
ABUT_API abut_status abut_world_exclude(abut_world *world, abut_body_id a, abut_body_id b);
/* Makes that these two colliders touch, whatever categories, parents and exclusions say, unless their bodies are fixed
 * to each other. */
ABUT_API abut_status abut_world_include(abut_world *world, abut_collider_id a, abut_collider_id b);
/* Sets the friction (>= 0) of these two colliders with each other, whatever their friction with others is. The
 * last call counts. */
ABUT_API abut_status abut_world_set_pair_friction(abut_world *world, abut_collider_id a, abut_collider_id b,
                                                  double friction);

/* ------------------------------------------------------------------------------------------------
 * Tendons: sums of joint coordinates; motors and loops may act on them */

/* length = sum over i of coefficients[i] * coordinate of joints[i]. It is in m or rad, as the coefficients make it, and
 * forces are in N or N m likewise. */
typedef struct abut_tendon_def {
    /* How many joints, >= 1. */
    int count;
    /* count hinges and slides; copied. */
    const abut_joint_id *joints;
    /* count; copied. */
    const double *coefficients;
    /* Whether the length stays within lower .. upper. Default false. */
    bool limited;
    /* lower <= upper; read with `limited` alone. Default 0. */
    double lower, upper;
    /* Force per length, >= 0, and lengths, spring_lower <= spring_upper: a spring that pulls the length back into this
     * interval, and is slack within it. Default 0. */
    double stiffness, spring_lower, spring_upper;
    /* Force per velocity of the length, >= 0. Default 0. */
    double damping;
    /* Force, >= 0: dry friction against a change of the length. Default 0. */
    double dry_friction;
    /* kg (or kg m^2, as its length is), >= 0: inertia that moves as its length does. Default 0. */
    double armature;
} abut_tendon_def;

ABUT_API abut_tendon_def abut_tendon_default_def(void);
ABUT_API abut_status abut_world_add_tendon(abut_world *world, const abut_tendon_def *def, abut_tendon_id *id,
                                           abut_error *error);

/* ------------------------------------------------------------------------------------------------
 * Motors */

typedef enum abut_motor_target {
    ABUT_MOTOR_JOINT = 0, /* a joint's coordinates; gear[0] scales hinges and slides */
    ABUT_MOTOR_TENDON,    /* a tendon's length */
    ABUT_MOTOR_SITE,      /* a wrench on a body, gear[6] in the frame `position`, `rotation` of the body */
} abut_motor_target;

/*     force = gain * control + bias[0] + bias[1] * length + bias[2] * velocity
 *
 * Length and velocity are those of gear times the coordinate, at the end of the step (bias[1], bias[2] <= 0 are taken
 * implicitly). A plain motor has gain 1 and no bias, a position servo gain kp and bias (0, -kp, -kv), a velocity servo
 * gain kv and bias (0, 0, -kv). */
typedef struct abut_motor_def {
    /* What it acts on, and so which of the next fields are read. Default ABUT_MOTOR_JOINT. */
    abut_motor_target target;
    /* ABUT_MOTOR_JOINT: the joint. */
    abut_joint_id joint;
    /* ABUT_MOTOR_TENDON: the tendon. */
    abut_tendon_id tendon;
    /* ABUT_MOTOR_SITE: the body that receives the wrench, and the one that receives its opposite ({0}: none). */
    abut_body_id body, reference_body;
    /* ABUT_MOTOR_SITE: m, and a quaternion of any length > 0: the site in the body's frame. Default: that frame. */
    double position[3], rotation[4];
    /* What a force of 1 does: gear[0] on a hinge, slide or tendon; one number for each freedom of a ball or free joint;
     * of a site the force and the torque in its frame. Default (1, 0, 0, 0, 0, 0). */
    double gear[6];
    /* The coefficients of the force, above. Default 1 and 0. */
    double gain, bias[3];
    /* Whether the control is cut to its range, and the force to its bounds. Default false. */
    bool control_limited, force_limited;
    /* The range and the bounds (N or N m), lower <= upper; read where limited. Default 0. */
    double control_lower, control_upper, force_lower, force_upper;
} abut_motor_def;

ABUT_API abut_motor_def abut_motor_default_def(void);
ABUT_API abut_status abut_world_add_motor(abut_world *world, const abut_motor_def *def, abut_motor_id *id,
                                          abut_error *error);
ABUT_API abut_status abut_motor_set_control(abut_world *world, abut_motor_id id, double control);
/* N or N m: what it applied in the last step. */
ABUT_API abut_status abut_motor_get_force(const abut_world *world, abut_motor_id id, double *force);

/* ------------------------------------------------------------------------------------------------
 * Loops: what holds two bodies or coordinates together beside the tree */

typedef enum abut_loop_kind {
    ABUT_LOOP_CONNECT = 0, /* one point of A and one of B stay together: 3 rows */
    ABUT_LOOP_WELD,        /* the frames stay as they are to each other: 6 rows */
    ABUT_LOOP_DISTANCE,    /* two points keep their distance: 1 row */
    ABUT_LOOP_COUPLE,      /* first = polynomial of second, joints or tendons: 1 row */
} abut_loop_kind;

typedef struct abut_loop_def {
    /* As abut_loop_default_def was asked. */
    abut_loop_kind kind;
    /* Connect, weld, distance: A and B. B may be the ground ({0}). */
    abut_body_id bodies[2];
    /* m: the two points, in the frames of A and B. Default 0. */
    double points[2][3];
    /* Weld: the rotation of B in the frame of A that is to be kept. Default (1, 0, 0, 0). */
    double rotation[4];
    /* Distance: m, > 0. */
    double distance;
    /* Couple: first and second, each a joint (here) or a tendon (below): the one whose index is not 0. The second may
     * be none. */
    abut_joint_id joints[2];
    /* Couple: first and second, where they are tendons. */
    abut_tendon_id tendons[2];
    /* Couple: first - its reference = c0 + c1 x + .. + c4 x^4, x = second - its reference. Default (0, 1, 0, 0, 0). */
    double polynomial[5];
    /* Velocity per impulse, >= 0. Default 0: rigid. */
    double compliance;
    /* Whether it is in force (abut_loop_set_active). Default true. */
    bool active;
} abut_loop_def;

ABUT_API abut_loop_def abut_loop_default_def(abut_loop_kind kind);
ABUT_API abut_status abut_world_add_loop(abut_world *world, const abut_loop_def *def, abut_loop_id *id,
                                         abut_error *error);
ABUT_API abut_status abut_loop_set_active(abut_world *world, abut_loop_id id, bool active);

/* ------------------------------------------------------------------------------------------------
 * The step */

typedef enum abut_stage_of_step {
    ABUT_STEP_FORCES = 0, /* poses, mass matrices, forces */
    ABUT_STEP_BROAD,      /* pairs of colliders that may touch */
    ABUT_STEP_NARROW,     /* their contacts */
    ABUT_STEP_PROBLEM,    /* the contact problem */
    ABUT_STEP_SOLVE,      /* its islands */
    ABUT_STEP_INTEGRATE,  /* new positions */
    ABUT_STEP_PROJECT,    /* overlaps and open loops undone */
    ABUT_STEP_STAGES
} abut_stage_of_step;

typedef struct abut_step_report {
    /* s: the world's time at the end of the step. */
    double time;
    /* Steps since the world was made. */
    long steps;
    /* Contacts, joint rows and islands of the contact problem, and the pivots that it took. */
    int contacts, rows, islands, pivots;
    /* The worst outcome of an island. */
    abut_outcome outcome;
    /* The worst residual of what was taken. */
    double residual;
    /* Islands without an accepted answer. They took the safe step: compliance was added until the verifier accepted. */
    int unsolved;
    /* Acceleration level: impacts, and instants at which sliding ended, within the step. */
    int events;
    /* Acceleration level: the rest of the step was taken at the velocity level, by impulses, because forces had no
     * answer (Painleve's rod) or there were too many events. */
    bool by_impulses;
    /* Trees that sleep. */
    int asleep;
    /* m: the deepest overlap, and the most open loop, after the step. */
    double penetration, loop_error;
    /* J, after the step. */
    double kinetic, potential;
    /* s: how long each stage of the step took. */
    double seconds[ABUT_STEP_STAGES];
    /* The stage of the solver that answered the island that took longest. */
    const char *solver_stage;
} abut_step_report;

/* `report` may be NULL. ABUT_INVALID_ARGUMENT: a body that moves has no mass, or numbers have become so large that they
 * are not finite, as with springs too stiff for ABUT_RUNGE_KUTTA. ABUT_UNSUPPORTED: see abut_world_def.model. */
ABUT_API abut_status abut_world_step(abut_world *world, abut_step_report *report);

/* The contact problem of the last step as it was asked, also where the safe step was taken instead, and the result that
 * was taken: for capsules. At the acceleration level they are those of the forces after the last event. Both are valid
 * until the world is used again. */
ABUT_API const abut_contact_problem *abut_world_last_problem(const abut_world *world);
ABUT_API const abut_contact_result *abut_world_last_result(const abut_world *world);

/* One contact of the last step. */
typedef struct abut_world_contact {
    /* A and B. */
    abut_collider_id colliders[2];
    /* The bodies of A and B; the ground is {0}. */
    abut_body_id bodies[2];
    /* m, in the world: where they touch; unit vectors: from B towards A, and across that. */
    double point[3], normal[3], tangent[3];
    /* m, negative where they overlap; and Coulomb's coefficient. */
    double gap, friction;
    /* N s along normal, tangent, normal x tangent, on the body of A. */
    double impulse[3];
    /* Where the friction lies on its polygon. */
    abut_contact_state state;
    /* Names the contact from step to step. */
    uint64_t key;
} abut_world_contact;

/* N and N m, in the last step: what a loop did to its first body.
 *
 *   connect   [0..2]: the force along the axes of the world
 *   weld      the same, and [3..5]: torques against a turn of the second body about the axes of the frame to be kept
 *   distance  [0]: the force away from the second point
 *   couple    [0]: the force on the first coordinate */
ABUT_API abut_status abut_loop_get_force(const abut_world *world, abut_loop_id id, double force[6]);
/* N or N m, in the last step: what a joint's limits did to its coordinate (ball: to its angle), and what dry friction
 * did to each of its freedoms; 0 where there is none. For motors see abut_motor_get_force. */
ABUT_API abut_status abut_joint_get_forces(const abut_world *world, abut_joint_id id, double *limit,
                                           double friction[6]);
/* N, along the axes of the world, on average over the last step: the force that the joints of a body, taken together,
 * put on it and on what hangs on it. For a pendulum at rest it is its weight, upwards. Springs, motors, limits and
 * friction of the joints are part of it. The joint of a body that moves freely by itself carries nothing; a joint
 * that sleeps carries what it carried before. */
ABUT_API abut_status abut_joint_get_reaction(const abut_world *world, abut_joint_id id, double force[3]);

typedef enum abut_event_kind {
    ABUT_EVENT_BEGIN = 0, /* an impulse acts between two colliders where none acted in the step before */
    ABUT_EVENT_END,       /* none acts any more */
    ABUT_EVENT_HIT,       /* they begin, and approached faster than the restitution threshold */
} abut_event_kind;

typedef struct abut_contact_event {
    /* What happened. */
    abut_event_kind kind;
    /* The two colliders. */
    abut_collider_id colliders[2];
    /* m/s: the fastest approach of their contacts before the step; 0 for ABUT_EVENT_END. */
    double speed;
} abut_contact_event;

/* Events of the last step. */
ABUT_API int abut_world_event_count(const abut_world *world);
ABUT_API const abut_contact_event *abut_world_events(const abut_world *world);

ABUT_API int abut_world_contact_count(const abut_world *world);
ABUT_API abut_status abut_world_get_contact(const abut_world *world, int index, abut_world_contact *contact);

/* ------------------------------------------------------------------------------------------------
 * Questions */

typedef struct abut_world_hit {
    /* What was hit. */
    abut_collider_id collider;
    /* Where (shape.h). */
    abut_ray_hit hit;
} abut_world_hit;

/* The first collider that a ray meets, if any. */
ABUT_API bool abut_world_cast_ray(abut_world *world, const abut_ray *ray, abut_world_hit *hit);
/* Where a collider is. */
ABUT_API abut_status abut_collider_get_pose(abut_world *world, abut_collider_id id, abut_pose *pose);
/* Closest points of two colliders, up to `reach` (shape.h). */
ABUT_API abut_status abut_world_get_closest(abut_world *world, abut_collider_id a, abut_collider_id b,
                                            double reach, abut_closest *closest);
/* All colliders that overlap a shape: writes up to `capacity` ids, returns how many there are. */
ABUT_API int abut_world_find_overlaps(abut_world *world, const abut_shape *shape, const abut_pose *pose,
                                      abut_collider_id *ids, int capacity);

/* ------------------------------------------------------------------------------------------------
 * Snapshots: the whole state, bit by bit. A snapshot becomes unusable when anything is added to the world. */

ABUT_API size_t abut_world_snapshot_size(const abut_world *world);
ABUT_API abut_status abut_world_save(const abut_world *world, void *snapshot);
ABUT_API abut_status abut_world_restore(abut_world *world, const void *snapshot);

/* ------------------------------------------------------------------------------------------------
 * Mechanics at the present state, for tests and for controllers */

/* velocity_count squared: M(q) with armature, without springs and dampers. */
ABUT_API abut_status abut_world_get_mass_matrix(abut_world *world, double *matrix);
/* velocity_count: M dv/dt + bias = forces; gravity, Coriolis and centrifugal terms. */
ABUT_API abut_status abut_world_get_bias(abut_world *world, double *bias);
/* velocity_count: accelerations if nothing touched: springs, dampers, motors, gravity, applied forces. */
ABUT_API abut_status abut_world_get_free_acceleration(abut_world *world, double *acceleration);

#ifdef __cplusplus
}
#endif

#endif
