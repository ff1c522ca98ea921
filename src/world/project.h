/* Overlaps and open loops are undone after a step (project.c). */
#ifndef ABUTI_WORLD_PROJECT_H
#define ABUTI_WORLD_PROJECT_H

#include "world/state.h"

/* m: the deepest overlap at the present positions. */
double abuti_penetration(const abut_world *world);

/* Where an overlap or an open loop is worse than the world's slop, moves positions by the least displacement that
 * undoes it (in the metric of the mass matrix), at most projection_max. Poses, contacts and rows fit the positions
 * before and after. */
abut_status abuti_project(abut_world *world);

/* The nearest velocities (in the metric of the mass matrix) that keep loops, and contacts that carry a force: what
 * errors of high order have added over a Runge-Kutta step is taken away. */
abut_status abuti_keep_velocities(abut_world *world);

#endif
