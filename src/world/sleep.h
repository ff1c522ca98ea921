/* Trees that rest fall asleep, and wake (sleep.c). */
#ifndef ABUTI_WORLD_SLEEP_H
#define ABUTI_WORLD_SLEEP_H

#include "world/state.h"

/* For each tree, in world->joined, the lowest one that contacts and rows join it with. */
bool abuti_find_groups(abut_world *world);

/* Before a step: what touches something awake wakes, with all that it sleeps with. */
bool abuti_wake_touched(abut_world *world);

/* After a step of which the energies are known: what has been still for long enough falls asleep. Counts the sleepers. */
bool abuti_fall_asleep(abut_world *world, int *asleep);

/* Wakes one tree, by one of its bodies; the others follow before the next step. Wakes all. */
void abuti_wake_body(abut_world *world, int body);
void abuti_wake_all(abut_world *world);
/* Wakes what a motor acts on. */
void abuti_wake_motor(abut_world *world, const abut_motor_def *def);

#endif
