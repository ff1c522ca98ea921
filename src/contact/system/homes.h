/* Islands as things: every island has a home, in which the rooms keep what makes its next step cheap.
 *
 * An island is found again by its contacts: each remembers the home that it belonged to in the last step (roll.h finds
 * it by key; contacts without keys, by index), and the home of most contacts is that of the island. Islands
 * that merge move into the home of most of their contacts; of the parts of an island that splits the largest stays, and
 * the others are new. An island that is gone for a step is new, too, as its states are. A problem that is one island,
 * as the last one was, needs no search: it has that one's home. Nothing that lies at a home is believed without a look.
 *
 * What a room keeps lies on a shelf, one block of memory that is lent in pieces: a home has at most one piece for
 * each kind of thing. Where there is no room left, pieces of islands that are gone are taken back, those first that
 * are gone longest. Pieces of islands that are there are never taken from them, so that islands for which there is no
 * room do not drive each other out in turn: they have nothing kept, and cost what a new island costs. */
#ifndef ABUTI_CONTACT_SYSTEM_HOMES_H
#define ABUTI_CONTACT_SYSTEM_HOMES_H

#include "base/arena.h"
#include "contact/system/islands.h"
#include "contact/system/roll.h"

/* What is kept: the basis of one body and the slots of several (faces/), factors (sparse/), an order (rest/). */
typedef enum abuti_keeper {
    ABUTI_KEPT_ONE,
    ABUTI_KEPT_SLOTS,
    ABUTI_KEPT_FACTORS,
    ABUTI_KEPT_ORDER,
    ABUTI_KEEPERS
} abuti_keeper;

/* A piece of the shelf. */
typedef struct abuti_piece {
    size_t begin, size; /* size 0: none is lent */
    int before, after;  /* its neighbours in order of their places; -1: none */
} abuti_piece;

typedef struct abuti_home {
    struct abuti_homes *all;
    uint64_t tenant; /* the island that lives here, by a number that none had before; 0: nobody */
    uint64_t seen;   /* the last call that had it */
    int claimant;    /* in that call: the island */
    abuti_piece piece[ABUTI_KEEPERS];
} abuti_home;

typedef struct abuti_homes {
    int count, used; /* homes; how many of them have been lived in */
    abuti_home *home;
    int *of_island;             /* [island]: its home in this call, -1: another workspace solves it */
    int *of_contact, *of_joint; /* in the last step; -1: none */
    uint64_t calls, tenants;    /* so far */
    unsigned char *shelf;
    size_t shelf_size;
    int first, last; /* the pieces at both ends; -1: all is free */
    int whole; /* the last problem was one island, which had this home; -1: of_contact and of_joint tell */
} abuti_homes;

void abuti_homes_layout(abuti_homes *homes, abuti_arena *arena, const abut_contact_limits *limits,
                        int islands);
/* Gives them the shelf's memory, which is theirs until they are told that it is not. */
void abuti_homes_furnish(abuti_homes *homes, unsigned char *shelf, size_t size);
/* Finds the home of every island, or (owner given) of those whose owner is `part`. */
void abuti_homes_find(abuti_homes *homes, const abuti_islands *islands, abuti_roll *roll,
                      const abut_contact_problem *problem, const int *owner, int part);
/* Notes where contacts and joint rows live, for the next call; to be called together with abuti_roll_call. */
void abuti_homes_note(abuti_homes *homes, const abuti_islands *islands, const abut_contact_problem *problem);
/* Takes all pieces back: their memory was used for something else. */
void abuti_homes_clear(abuti_homes *homes);

/* What is kept at home, or NULL. */
static inline void *abuti_home_kept(const abuti_home *home, abuti_keeper keeper)
{
    return home->piece[keeper].size > 0 ? home->all->shelf + home->piece[keeper].begin : NULL;
}

/* Lends a piece of so many bytes, in place of what was kept; what lies in it is lost unless it had this size before.
 * NULL: there is no room, and nothing is kept. */
void *abuti_home_lend(abuti_home *home, abuti_keeper keeper, size_t size);
/* Takes the piece back. */
void abuti_home_return(abuti_home *home, abuti_keeper keeper);

/* Whose something is that all islands share. */
typedef struct abuti_holder {
    abuti_home *home; /* NULL: nobody's */
    uint64_t tenant;
} abuti_holder;

static inline abuti_holder abuti_holder_of(abuti_home *home)
{
    return (abuti_holder){home, home ? home->tenant : 0};
}

static inline bool abuti_holds(const abuti_holder *holder, const abuti_home *home)
{
    return holder->home == home && (!home || holder->tenant == home->tenant);
}

/* The holder's home, if the holder still lives there and was there in this call or the last; else NULL. */
static inline abuti_home *abuti_holder_home(const abuti_holder *holder)
{
    abuti_home *home = holder->home;
    return home && home->tenant == holder->tenant && home->seen + 1 >= home->all->calls ? home : NULL;
}

#endif
