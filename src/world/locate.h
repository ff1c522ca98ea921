/* Poses, velocities and contacts at the present positions (locate.c). */
#ifndef ABUTI_WORLD_LOCATE_H
#define ABUTI_WORLD_LOCATE_H

#include "world/state.h"

/* Makes poses, motions, pairs and contacts fit the present positions; contacts know the states of the last step by
 * key. */
abut_status abuti_locate(abut_world *world);

/* The same for positions that are only tried: pairs remember nothing of it. */
abut_status abuti_glance(abut_world *world);

#endif
