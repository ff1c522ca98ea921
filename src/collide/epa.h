/* The direction of least penetration of two cores that overlap: the expanding polytope algorithm. */
#ifndef ABUTI_COLLIDE_EPA_H
#define ABUTI_COLLIDE_EPA_H

#include "collide/core.h"

/* Writes a unit vector from B to A along which little more than the depth of penetration parts them; round shapes leave
 * an error of about 1e-3 in it. */
void abuti_epa_run(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double normal[3]);

#endif
