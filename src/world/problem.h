/* The contact problem of a step, from contacts and rows (problem.c). */
#ifndef ABUTI_WORLD_PROBLEM_H
#define ABUTI_WORLD_PROBLEM_H

#include "world/state.h"

/* What a problem asks. */
typedef enum abuti_question {
    ABUTI_VELOCITIES,    /* new velocities over a step */
    ABUTI_DISPLACEMENTS, /* displacements that undo overlaps and open loops */
    ABUTI_FORCES,        /* accelerations while the contacts that act touch */
    ABUTI_IMPACTS,  /* velocities after an impact at the contacts that act; no time passes, no force acts */
    ABUTI_LANDINGS, /* the same at all contacts; what would overlap after the step lands exactly */
    ABUTI_KEPT,     /* the nearest velocities that keep loops, and contacts that carry a force */
} abuti_question;

/* Fills `p` from the world's touches, rows, matrices and forces; false when there is no memory. Worlds of free bodies
 * go through the first door, all others through blocks. Displacements hold sticking contacts where they are if
 * `hold`. */
bool abuti_build_problem(abut_world *world, abuti_question question, bool hold, abuti_world_problem *p);

/* Whether every tree is a free body, and no surface moves by itself. */
bool abuti_goes_through_first_door(const abut_world *world);

/* The model of contact at the velocity level that goes with the world's. */
abut_contact_model abuti_velocity_model(const abut_world *world);

/* row.v at the present velocities. */
double abuti_row_velocity(const abut_world *world, const abuti_row *row);

/* The answer's velocities in the order and meaning of world->velocities. */
void abuti_take_velocities(const abut_world *world, const double *answer, double *velocities);

/* How many faces have contacts that stick; each face takes three rows to hold. */
int abuti_faces_that_hold(const abut_world *world);

#endif
