/* What displacements must not change, and what they cost (settle.c). */
#ifndef ABUTI_WORLD_SETTLE_H
#define ABUTI_WORLD_SETTLE_H

#include "world/state.h"

/* Notes momentum and energy of every tree before positions are displaced. */
bool abuti_note_before(abut_world *world);
/* Restores momentum and takes gained energy from the motion, where they have been displaced. */
bool abuti_settle(abut_world *world);

#endif
