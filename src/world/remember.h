/* What a step leaves behind for the next one (remember.c). */
#ifndef ABUTI_WORLD_REMEMBER_H
#define ABUTI_WORLD_REMEMBER_H

#include "world/state.h"

/* The state that a key had after the last step; ABUT_NEW where it is not known. */
abut_contact_face abuti_recall_face(const abuti_known *known, int count, uint64_t key);

/* After a solve: keeps its contacts and rows with their impulses and their states by key, and finds the events. */
bool abuti_remember(abut_world *world);

#endif
