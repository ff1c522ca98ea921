/* Free flight of a body: the turn of a step that keeps angular momentum (free.c). */
#ifndef ABUTI_WORLD_FREE_H
#define ABUTI_WORLD_FREE_H

#include "world/state.h"

/* Finds the force on each tree that is a free body: gravity and what is applied. How the body turns is left to
 * abuti_turn_free_bodies. */
void abuti_find_free_forces(abut_world *world);

/* Finds the turn of free bodies over the coming step, and their velocities after it; `spin` of their trees gets the
 * difference. */
void abuti_turn_free_bodies(abut_world *world);

/* To be called after something else than their flight has turned free bodies: displacements, in the order of velocities
 * (where they are 0 nothing is turned), or the caller (NULL). The momentum of these bodies is then that of their
 * velocity where they are. */
void abuti_forget_flight(abut_world *world, const double *displacements);

#endif
