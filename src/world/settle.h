/* What displacements must not change, and what they cost (settle.c). */
#ifndef ABUTI_WORLD_SETTLE_H
#define ABUTI_WORLD_SETTLE_H

#include "world/state.h"

/* Notes momentum and energy of every tree before positions are displaced. */
bool abuti_note_before(abut_world *world);
/* Restores momentum and takes gained energy from the motion, where they have been displaced. Where some have too little
 * motion to pay with, *poor is set, their parts of displacements (world->shares) are made smaller, and nothing is taken:
 * displacements have to be tried anew. With `last` they get none. */
bool abuti_settle(abut_world *world, bool last, bool *poor);

#endif
