/* The contact problem of a step, from contacts and rows (problem.c). */
#ifndef ABUTI_WORLD_PROBLEM_H
#define ABUTI_WORLD_PROBLEM_H

#include "world/state.h"

/* What a problem asks: new velocities over a step, or displacements that undo overlaps and open loops. */
typedef enum abuti_question { ABUTI_VELOCITIES, ABUTI_DISPLACEMENTS } abuti_question;

/* Fills `p` from the world's touches, rows, matrices and forces; false when there is no memory. Worlds of free bodies go
 * through the first door, all others through blocks. Displacements hold sticking contacts where they are if `hold`. */
bool abuti_build_problem(abut_world *world, abuti_question question, bool hold, abuti_world_problem *p);

/* The answer's velocities in the order and meaning of world->velocities. */
void abuti_take_velocities(const abut_world *world, const double *answer, double *velocities);

#endif
