/* Which colliders are near each other (near.c). */
#ifndef ABUTI_WORLD_NEAR_H
#define ABUTI_WORLD_NEAR_H

#include "world/state.h"

/* m: how far around a collider others count as near. */
typedef double (*abuti_margin)(const abut_world *world, const abuti_world_collider *collider);

/* Fills world->near with the pairs of colliders whose boxes, grown by their margins, meet: the lower number first,
 * sorted. */
bool abuti_find_near(abut_world *world, abuti_margin margin);

#endif
