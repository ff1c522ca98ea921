/* Outer corners: pairs of polytopes that several of their faces part. */
#ifndef ABUTI_COLLIDE_CORNER_H
#define ABUTI_COLLIDE_CORNER_H

#include "collide/manifold.h"

/* The sides of the union that stands for the pair; 0 where fewer than two faces part the two, where they are further apart than
 * margin, and for round shapes. */
int abuti_corner_sides(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                       abuti_touch sides[ABUT_CORNER_SIDES]);

#endif
