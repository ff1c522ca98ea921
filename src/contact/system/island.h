/* One island: what the solvers and the verifier both call a part of a problem that is solved apart. This file
 * has a type and nothing else, because the type is all that the verifier takes from the rest of the contact room. */
#ifndef ABUTI_CONTACT_SYSTEM_ISLAND_H
#define ABUTI_CONTACT_SYSTEM_ISLAND_H

#include "abut/contact.h"

/* The lists are indices into the problem, in ascending order. */
typedef struct abuti_island {
    int bodies, contacts, joints;
    const int *body, *contact, *joint;
} abuti_island;

#endif
