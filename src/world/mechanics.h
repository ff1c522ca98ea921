/* Mass matrices, bias and forces of trees (mass.c, bias.c, forces.c). All are by freedom, tree after tree. */
#ifndef ABUTI_WORLD_MECHANICS_H
#define ABUTI_WORLD_MECHANICS_H

#include "world/state.h"

/* world->mass: the mass matrix of each tree, armature included, by composite bodies (Featherstone, ch. 6). */
bool abuti_find_mass(abut_world *world);

/* The inertia of one body about its tree's reference (spatial.h). */
void abuti_body_inertia(const abut_world *world, const abuti_world_body *body, double inertia[10]);

/* world->bias: forces that the motion and gravity ask for, by recursive Newton-Euler (Featherstone, ch. 5). */
bool abuti_find_bias(abut_world *world);

/* Finds world->force: everything that acts at the present state except contacts and rows, which is -bias, springs,
 * dampers, motors without a row of their own, and what was applied. With `implicit`, world->implicit = M + h D + h^2 K
 * and the force goes with it, so that springs and dampers act at the end of the step. Otherwise they act at its
 * beginning, and world->implicit = M. */
bool abuti_find_forces(abut_world *world, bool implicit);

/* How far a freedom of a joint is from where the joint's spring pulls it. */
double abuti_joint_stretch(const abut_world *world, const abuti_world_joint *joint, int dof);

/* The control of a motor, cut to its range. */
double abuti_motor_control(const abuti_world_motor *motor);

/* Appends the row of a motor's velocity, which is also its force on freedoms, to world->entries from *first on, and
 * tells the motor's length. */
bool abuti_motor_row(abut_world *world, int motor, int *first, double *length);

/* Whether a motor is a row of the contact problem: it gives way (bias against length or velocity) and its force is
 * bounded. `give`: -(d force / d velocity), the step included. */
bool abuti_motor_is_row(const abut_world *world, const abuti_world_motor *motor, double *give);

/* The length of a tendon at present, and with all joints at their references. */
double abuti_tendon_length(const abut_world *world, int tendon);
double abuti_tendon_reference(const abut_world *world, int tendon);

/* Appends the row of a tendon's velocity, times `scale`, to world->entries. */
bool abuti_push_tendon_row(abut_world *world, int tendon, double scale);

#endif
