/* Free flight of a body: the turn of a step that keeps angular momentum (free.c). */
#ifndef ABUTI_WORLD_FREE_H
#define ABUTI_WORLD_FREE_H

#include "world/state.h"

/* The force on each tree that is a free body: gravity and what is applied. How it turns is for abuti_turn_free_bodies. */
void abuti_find_free_forces(abut_world *world);

/* The turn of free bodies over the coming step, and their velocities after it: `spin` of their trees is the difference. */
void abuti_turn_free_bodies(abut_world *world);

/* After free bodies were turned by something else than their flight: by displacements (as velocities stand; those that are 0 turn
 * nothing), or by the caller (NULL). Their momentum then is that of their velocity where they are. */
void abuti_forget_flight(abut_world *world, const double *displacements);

#endif
