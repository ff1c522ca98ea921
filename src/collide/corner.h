/* Outer corners: pairs of polytopes that several of their faces separate. */
#ifndef ABUTI_COLLIDE_CORNER_H
#define ABUTI_COLLIDE_CORNER_H

#include "collide/manifold.h"

/* Finds the sides of the union that stands for the pair, and returns how many there are: 0 where fewer than two faces
 * separate the two, where they are further apart than margin, and for round shapes. */
int abuti_corner_sides(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                       abuti_touch sides[ABUT_CORNER_SIDES]);

#endif
