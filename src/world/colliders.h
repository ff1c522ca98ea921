/* Shapes that bodies carry (colliders.c). */
#ifndef ABUTI_WORLD_COLLIDERS_H
#define ABUTI_WORLD_COLLIDERS_H

#include "world/state.h"

abut_pose abuti_collider_pose(const abuti_world_collider *collider);

/* One number for two bodies, or two colliders, in either order. */
uint64_t abuti_pair_of_bodies(int a, int b);

/* Whether a caller has named this pair: two bodies that never touch, or two colliders that touch whatever else is
 * said. */
bool abuti_has_pair(const abuti_pairs *pairs, int a, int b);

/* The friction that a caller has given to these two colliders; NULL where there is none. */
const double *abuti_friction_of_pair(const abut_world *world, int a, int b);

#endif
