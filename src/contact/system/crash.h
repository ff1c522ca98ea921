/* States for contacts that nobody has seen before. */
#ifndef ABUTI_CONTACT_SYSTEM_CRASH_H
#define ABUTI_CONTACT_SYSTEM_CRASH_H

#include "contact/system/system.h"

/* Gives states in start[lane] to the fresh manifolds of a system with rows: contacts between the same two
 * bodies, one after the other, all of them fresh. The others keep theirs. */
void abuti_crash(const abuti_system *system, const bool *fresh, abut_contact_face *start);

#endif
