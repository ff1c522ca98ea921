/* Where a solve starts: states from the caller, or those this workspace solved last. */
#ifndef ABUTI_CONTACT_SYSTEM_WARM_H
#define ABUTI_CONTACT_SYSTEM_WARM_H

#include "contact/system/system.h"

/* States by contact key (by index when no contact had a key), of the last problem that was solved. */
typedef struct abuti_warm {
    int capacity, slots;
    bool cones;               /* circles are served */
    int count;                /* contacts of the last problem; 0: nothing to start from */
    int rows;                 /* its joint rows, where some were bounded; they stand after the contacts */
    bool keyed;               /* some contact had a key, */
    bool rows_keyed;          /* some joint row */
    uint64_t *key;            /* [contact, then joint row] */
    abut_contact_face *face;  /* likewise */
    bool hashed;              /* the table below has been made */
    int *slot;                /* open hash table of contacts by key, -1 is free */
    abut_contact_face *start; /* [lane]: what the stage gets; slides of circles at the nearest vertex, */
    uint8_t *turn;            /* [lane]: and their direction in 256ths of a turn */
    double *impulse; /* [contact][3]: of the last problem, in the caller's units, where circles are served */
    double *pushed[3]; /* [lane]: the same for the island at hand */
    bool pushes;       /* `pushed` is filled */
    bool *fresh;       /* [lane]: nothing is known of it */
} abuti_warm;

void abuti_warm_layout(abuti_warm *warm, abuti_arena *arena, const abut_contact_limits *limits);
/* Whether this workspace has states for the problem, and the caller wants them. */
bool abuti_warm_remembers(const abuti_warm *warm, const abut_contact_problem *problem,
                          const abut_contact_options *options);
/* The state of one contact: the caller's (options->start), or what is remembered. */
abut_contact_face abuti_warm_face(abuti_warm *warm, const abut_contact_options *options,
                                  const abut_contact *contact, int index);
/* The states to start this island from, or NULL: cold. */
const abut_contact_face *abuti_warm_start(abuti_warm *warm, const abuti_system *system,
                                          const abut_contact_problem *problem,
                                          const abut_contact_options *options);
/* Remembers the states and impulses (three a contact) of a solved problem; `faces` NULL: forgets; `rows` NULL: no joint row
 * is bounded. */
void abuti_warm_keep(abuti_warm *warm, const abut_contact_problem *problem, const abut_contact_face *faces,
                     const abut_contact_face *rows, const double *impulses);

#endif
