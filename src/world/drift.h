/* How contacts and rows change while no freedom accelerates: the velocity-product terms of the acceleration level
 * (drift.c). */
#ifndef ABUTI_WORLD_DRIFT_H
#define ABUTI_WORLD_DRIFT_H

#include "world/state.h"

/* Fills `drift` of contacts that act and of rows of loops and limits, at the present positions and velocities. */
abut_status abuti_find_drift(abut_world *world);

/* m/s along n, t, n x t: the velocity of A against B at a contact, belts and kinematic bodies included. */
void abuti_contact_velocity(const abut_world *world, const abuti_touch *touch, double u[3]);

#endif
