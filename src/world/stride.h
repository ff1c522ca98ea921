/* A stride is one stretch of time, world->span, at the velocity level: forces, the contact problem, its impulses, new
 * velocities, new positions (stride.c). A step of the models at the velocity level is one stride. */
#ifndef ABUTI_WORLD_STRIDE_H
#define ABUTI_WORLD_STRIDE_H

#include "world/state.h"

/* Takes a stride from contacts that fit the positions; contacts keep their places and get their impulses. Adds to the
 * report `told`. */
abut_status abuti_stride(abut_world *world, abut_step_report *told);

/* Finds mass matrices, everything that acts, and the rows of joints. */
abut_status abuti_find_step_forces(abut_world *world);

/* Advances positions over world->span, with the present velocities. */
abut_status abuti_advance_all(abut_world *world);

/* Lets kinematic bodies go on as they were told. */
void abuti_advance_told(abut_world *world, double seconds);

/* Adds the time since the last mark to a stage. */
void abuti_mark(double *seconds, double *last);

/* The worst outcome and residual, and sums, over the solves of a step. */
void abuti_note_result(const abut_contact_result *result, abut_step_report *told);

#endif
