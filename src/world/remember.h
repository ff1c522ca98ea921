/* What a step leaves behind for the next one (remember.c). */
#ifndef ABUTI_WORLD_REMEMBER_H
#define ABUTI_WORLD_REMEMBER_H

#include "world/state.h"

/* The state that a joint row had after the last step, and its impulse; ABUT_NEW and 0 where it is not known. */
abut_contact_face abuti_recall_row(const abut_world *world, uint64_t key, double *impulse);

/* The state and the impulse that a contact had in the last step, by its key: what sleeps keeps them. */
void abuti_recall(const abut_world *world, abuti_touch *touch);

/* m/s: how fast the two sides of a contact come together. */
double abuti_approach(const abut_world *world, const abuti_touch *touch);

/* After a solve: keeps contacts, pair by pair in the order of pairs, and rows, with their impulses and their states by
 * key, and finds the events. */
bool abuti_remember(abut_world *world, const abuti_touches *touches, const abuti_rows *rows);

#endif
