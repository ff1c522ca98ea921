/* What callers read out of a world (read.c). */
#ifndef ABUTI_WORLD_READ_H
#define ABUTI_WORLD_READ_H

#include "world/state.h"

/* Poses and motions for a call that reads, after coordinates were set; false when there is no memory. */
bool abuti_refresh(abut_world *world);

#endif
