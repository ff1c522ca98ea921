/* What the motion of a tree over a step must keep (flight.c). */
#ifndef ABUTI_WORLD_FLIGHT_H
#define ABUTI_WORLD_FLIGHT_H

#include "world/state.h"

/* Whether nothing holds a tree to the ground: its first body moves freely, and it has no other root. */
bool abuti_tree_floats(const abut_world *world, int tree);

/* The spatial inertia and momentum of a tree about a point, at the present poses and motions (abuti_pose,
 * abuti_move). */
void abuti_tree_inertia(const abut_world *world, int tree, const double point[3], double inertia[10]);
void abuti_tree_momentum(const abut_world *world, int tree, const double point[3], double momentum[6]);
/* The motion with which an inertia has this momentum. */
void abuti_motion_of(const double inertia[10], const double momentum[6], double motion[6]);
/* Adds a rigid motion about a point to a tree that floats. */
void abuti_add_motion(abut_world *world, int tree, const double point[3], const double motion[6]);
/* Scales the motion of a floating tree relative to a rigid motion about a point by `share`. Where `motion` is NULL it
 * is the motion relative to rest, of any tree. */
void abuti_scale_motion(abut_world *world, int tree, const double point[3], const double motion[6],
                        double share);

/* To be called before the solve, when mass and bias are known. */
bool abuti_begin_flight(abut_world *world);
/* The first is called before positions advance, with the velocities of the solve; the second after. */
bool abuti_expect_flight(abut_world *world);
bool abuti_end_flight(abut_world *world);

#endif
