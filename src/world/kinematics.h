/* Where bodies are and how they move, from the coordinates of their joints (kinematics.c). */
#ifndef ABUTI_WORLD_KINEMATICS_H
#define ABUTI_WORLD_KINEMATICS_H

#include "world/state.h"

/* Poses of bodies and colliders, and the motion of each freedom, at the present positions. */
void abuti_pose(abut_world *world);

/* Velocities of all bodies at the present velocities, and how the motions of freedoms change with them. */
void abuti_move(abut_world *world);

/* m/s: the velocity of a point that is fixed to a body; ABUTI_GROUND does not move. */
void abuti_point_velocity(const abut_world *world, int body, const double point[3], double velocity[3]);

/* The row of a velocity on the freedoms that move a body, times `scale`, added at the end of world->entries: that of
 * the body's point along `direction`, or of its rotation about it. False when there is no memory. */
bool abuti_push_point_row(abut_world *world, int body, const double point[3], const double direction[3],
                          double scale);
bool abuti_push_turn_row(abut_world *world, int body, const double direction[3], double scale);

/* The same on a dense row of a tree, by local number. */
void abuti_add_point_row(const abut_world *world, int body, const double point[3], const double direction[3],
                         double scale, double *row);

/* Turns velocities of a free joint, as callers see them (origin in world axes, turn in body axes), into those of the
 * centre of mass in world axes, and back. `out` may be `in`. */
void abuti_velocity_to_com(const abut_world *world, const abuti_world_joint *joint, const double in[6],
                           double out[6]);
void abuti_velocity_from_com(const abut_world *world, const abuti_world_joint *joint, const double in[6],
                             double out[6]);

/* out = cay(seconds * velocity) q: the turn of the midpoint rule, in world axes; it differs from the exponential by the
 * third power of the angle. */
void abuti_turn_by_cayley(double out[4], const double q[4], const double velocity[3], double seconds);

/* Moves positions by `seconds` times velocities, which are ordered as world->velocities. Free bodies turn by their
 * velocity and `spin` of their tree times `spin_scale`. */
void abuti_advance(abut_world *world, const double *velocities, double seconds, double spin_scale);
/* Moves the positions of one tree that is no free body. */
void abuti_advance_tree(abut_world *world, int tree, const double *velocities, double seconds);

#endif
