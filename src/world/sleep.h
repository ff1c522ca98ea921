/* Trees that rest fall asleep, and wake (sleep.c). */
#ifndef ABUTI_WORLD_SLEEP_H
#define ABUTI_WORLD_SLEEP_H

#include "world/state.h"

/* Finds for each tree, in world->joined, the lowest tree that contacts and rows join it with. */
bool abuti_find_groups(abut_world *world);

/* Before a step: wakes what touches something awake, with all that it sleeps with. */
bool abuti_wake_touched(abut_world *world);

/* After a step of which the energies are known: what has been still for long enough falls asleep. Counts the
 * sleepers. */
bool abuti_fall_asleep(abut_world *world, int *asleep);

/* The first wakes the tree of a body; the trees that it sleeps with follow before the next step. The second wakes
 * all. */
void abuti_wake_body(abut_world *world, int body);
void abuti_wake_all(abut_world *world);
/* Wakes what a motor acts on. */
void abuti_wake_motor(abut_world *world, const abut_motor_def *def);

#endif
