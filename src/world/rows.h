/* The joint rows of a step: loops, limits, dry friction, bounded motors (rows.c). */
#ifndef ABUTI_WORLD_ROWS_H
#define ABUTI_WORLD_ROWS_H

#include "world/state.h"

/* Fills world->rows and world->entries at the present positions and velocities; false when there is no memory. */
bool abuti_find_rows(abut_world *world);

/* m or rad: the largest |error| of a loop, or overshoot of a limit, among the rows. */
double abuti_worst_row(const abut_world *world);

/* The name of a row: loops number their parts 0 .. 5 (points, then turns), limits have 0 (lower) and 1 (upper),
 * friction one for each freedom. */
uint64_t abuti_row_key(abuti_row_kind kind, int owner, int part);
int abuti_row_part(uint64_t key);

/* Of a distance: from the second point to the first, of length 1. Returns how far that is. */
double abuti_loop_direction(const abut_world *world, const abut_loop_def *loop, double direction[3]);

#endif
