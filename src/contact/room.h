/* The room that the families of stages share: one block of memory, in which late stages stand where early ones stood.
 *
 *     | shelf | faces | sparse | rest | cone |               tail |
 *                             | a late family, for one island     |
 *
 * Early families (those of `faces`, with which nearly every island begins and ends) are laid out from the front for all
 * of the limits, and keep their memory from call to call: kept bases, factors and orders are what makes warm steps
 * cheap. A late family is laid out at the end of the block when an island comes to it, for that island alone. It may
 * cover early ones; these are laid out anew, as in a new workspace, when they are entered next. The tail belongs to no
 * early family, so that late stages of small islands cover nothing. The shelf, on which the homes of islands keep their
 * own (system/homes.h), is covered last. */
#ifndef ABUTI_CONTACT_ROOM_H
#define ABUTI_CONTACT_ROOM_H

#include "contact/solvers.h"

/* Bytes of the shelf, for each body or block, and besides. One body keeps 5 kB, a body of a tower 3 kB of factors and up
 * to 2 kB of slots, that of a wall 12 kB. */
#define ABUTI_SHELF_A_BODY 9408
#define ABUTI_SHELF_LEAST 16384
/* Bytes between early families and the end of the block. */
#define ABUTI_ROOM_TAIL 131072
/* Bytes for late families that answer by themselves (coulomb-accel, no-slip), for one body and for several. A block is
 * not made smaller than this merely because the early families are smaller. */
#define ABUTI_ROOM_ONE 830000
#define ABUTI_ROOM_SEVERAL 16000000

/* One family's place. */
typedef struct abuti_place {
    const abuti_family *family;
    void *scratch;
    uint64_t seen;     /* the system that it has worked on last */
    size_t begin, end; /* early: where it lies in the block */
    bool covered;      /* early: a late family has been there since */
    abuti_holder host; /* the island that it was told of last */
} abuti_place;

typedef struct abuti_room {
    unsigned char *block;
    size_t size;
    abut_contact_limits limits; /* of early families, */
    int finest;                 /* with so many directions where circles are served, else 0 */
    int families;
    abuti_place place[ABUTI_FAMILIES_MAX + 1]; /* the last one: proofs */
    int guest;                                 /* the late family that is there, -1: none */
    size_t guest_begin;
    abut_contact_limits guest_limits;
    abuti_homes *homes; /* whose shelf is in front, */
    size_t shelf;       /* so many bytes */
    abuti_home *home;   /* that of the island at hand; NULL: it has none */
} abuti_room;

/* Takes the block for these limits of stages and the families of the solvers in `served`, with the shelf of `homes`. */
void abuti_room_layout(abuti_room *room, abuti_arena *arena, const abut_contact_limits *limits,
                       unsigned served, abuti_homes *homes);
/* Where a family stands; -1 when it is not served. */
int abuti_room_find(const abuti_room *room, const abuti_family *family);
/* The least number of seconds that entering takes, because memory must be cleared. 0: it can be entered as it is. */
double abuti_room_delay(const abuti_room *room, int place, const abuti_system *system);
/* The scratch of the family at `place`, fit for the system; NULL: there is no room for an island of this size. */
void *abuti_room_enter(abuti_room *room, int place, const abuti_system *system);

#endif
