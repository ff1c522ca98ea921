/* The direction of least penetration of two cores that overlap: the expanding polytope algorithm. */
#ifndef ABUTI_COLLIDE_EPA_H
#define ABUTI_COLLIDE_EPA_H

#include "collide/core.h"

/* Writes a unit vector from B to A. A move along it by little more than the depth of penetration separates the cores.
 * For round shapes the vector has an error of about 1e-3. */
void abuti_epa_run(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double normal[3]);

#endif
