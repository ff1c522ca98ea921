/* Islands: groups of dynamic bodies that impulses connect, solved apart.
 *
 * Contacts, joint rows and groups of contacts connect the dynamic bodies they touch; kinematic and static
 * bodies and the world do not. Through the W + q door contacts and joints are connected where W has an entry.
 * The blocks of a generalised problem are its bodies; without blocks it is one island. */
#ifndef ABUTI_CONTACT_SYSTEM_ISLANDS_H
#define ABUTI_CONTACT_SYSTEM_ISLANDS_H

#include "base/arena.h"
#include "contact/system/island.h"

typedef struct abuti_islands {
    int capacity;
    int count; /* islands with at least one contact or joint row, in the order of their first bodies */
    abuti_island *island;
    /* Dynamic bodies that nothing touches; contacts and joints that touch no dynamic body. */
    abuti_island loose;
    int *block; /* [body]: its place in its island, -1 when it is not dynamic */

    int *parent, *number; /* scratch */
    int *body, *contact, *joint;
    int *first[3], *island_of[3];
    int group_slots;
    int *group_key, *group_body; /* an open hash table: group number -> a body of the group */
} abuti_islands;

void abuti_islands_layout(abuti_islands *islands, abuti_arena *arena, const abut_contact_limits *limits);
/* The problem's indices have been checked. */
void abuti_islands_find(abuti_islands *islands, const abut_contact_problem *problem);
/* Makes one island of everything that moves, whatever connects it. */
void abuti_islands_whole(abuti_islands *islands, const abut_contact_problem *problem);

#endif
