/* The roll: which contacts and joint rows the last problem had, by key. What is carried over from step to step (states
 * in warm.h, homes of islands in homes.h) is found by the place that a contact or row had on it. */
#ifndef ABUTI_CONTACT_SYSTEM_ROLL_H
#define ABUTI_CONTACT_SYSTEM_ROLL_H

#include "abut/contact.h"
#include "base/arena.h"

typedef struct abuti_roll {
    int count, rows;  /* contacts and joint rows of the last problem */
    bool keyed;       /* some contact had a key, */
    bool rows_keyed;  /* some joint row */
    uint64_t *key;    /* [contact, then joint row] */
    bool hashed;      /* the table below has been made */
    int slots, *slot; /* open hash table of places by key, -1 is free */
} abuti_roll;

void abuti_roll_layout(abuti_roll *roll, abuti_arena *arena, const abut_contact_limits *limits);
/* Writes the keys of a problem down. */
void abuti_roll_call(abuti_roll *roll, const abut_contact_problem *problem);
/* Takes over what another workspace has written down, for which there must be room. */
void abuti_roll_move(abuti_roll *roll, const abuti_roll *from);

/* Places by key alone, from a table that is made when somebody asks; -1: there is no such key. */
int abuti_roll_seek(abuti_roll *roll, uint64_t key);
int abuti_roll_seek_row(abuti_roll *roll, uint64_t key);

/* Where the contact that is now at `index` and has this key was in the last step; -1: it is new. */
static inline int abuti_roll_place(abuti_roll *roll, uint64_t key, int index)
{
    return index < roll->count && roll->key[index] == key ? index : abuti_roll_seek(roll, key);
}

/* The same for joint row j, among the rows. */
static inline int abuti_roll_row(abuti_roll *roll, uint64_t key, int j)
{
    return j < roll->rows && roll->key[roll->count + j] == key ? j : abuti_roll_seek_row(roll, key);
}

#endif
