/* The step at the acceleration level: impacts first, then forces, from event to event (accel.c, runge.c). */
#ifndef ABUTI_WORLD_ACCEL_H
#define ABUTI_WORLD_ACCEL_H

#include "world/state.h"

/* Takes the whole step, and remembers its contacts and events. Adds to the report `told`. */
abut_status abuti_step_by_forces(abut_world *world, abut_step_report *told);

/* ---- for runge.c ---- */

/* What holds at the contact of this key; NULL where nothing does. */
const abuti_hold *abuti_find_hold(const abut_world *world, uint64_t key);

/* The contact of this key in a list, or NULL. */
abuti_touch *abuti_find_among(const abuti_touches *list, uint64_t key);

/* Marks the contacts that act: those among world->holds. */
void abuti_mark_holds(abut_world *world);

/* Finds accelerations at the present positions and velocities, by forces of contacts that act, into
 * world->force_result. Mass matrices and forces must fit positions and velocities. `answered` says whether there are
 * such accelerations. Their share, in s, is noted among `fresh`. */
abut_status abuti_find_accelerations(abut_world *world, abut_step_report *told, bool *answered);
bool abuti_note_forces(abut_world *world, double seconds);

/* Steps by up to `*seconds` from the present state, until the first event, and says how many seconds it took. */
abut_status abuti_runge_kutta(abut_world *world, double *seconds, abut_step_report *told, bool *answered);

#endif
