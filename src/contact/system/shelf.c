/* The shelf of the homes: pieces in order of their places. Pieces never move. */
#include "contact/system/homes.h"

/* A piece is known by its home and its keeper. */
static abuti_piece *piece_at(const abuti_homes *homes, int number)
{
    return &homes->home[number / ABUTI_KEEPERS].piece[number % ABUTI_KEEPERS];
}

static int number_of(const abuti_home *home, abuti_keeper keeper)
{
    return (int)(home - home->all->home) * ABUTI_KEEPERS + (int)keeper;
}

/* Makes `number` follow `before` and precede `after`; -1 stands for the ends of the shelf. */
static void link_to(abuti_homes *homes, int before, int number, int after)
{
    int *left = before >= 0 ? &piece_at(homes, before)->after : &homes->first;
    int *right = after >= 0 ? &piece_at(homes, after)->before : &homes->last;
    *left = number >= 0 ? number : after;
    *right = number >= 0 ? number : before;
}

void abuti_home_return(abuti_home *home, abuti_keeper keeper)
{
    abuti_piece *piece = &home->piece[keeper];
    if (piece->size == 0) return;
    link_to(home->all, piece->before, -1, piece->after);
    piece->size = 0;
}

void abuti_homes_clear(abuti_homes *homes)
{
    for (int number = homes->first; number >= 0; number = piece_at(homes, number)->after)
        piece_at(homes, number)->size = 0;
    homes->first = homes->last = -1;
}

/* Where a piece ends; -1: the shelf's front. */
static size_t end_of(const abuti_homes *homes, int number)
{
    const abuti_piece *piece = number >= 0 ? piece_at(homes, number) : NULL;
    return piece ? piece->begin + piece->size : 0;
}

/* Puts a piece behind all others, or if there is no room into the first gap that is large enough. */
static bool put(abuti_homes *homes, int number, size_t size)
{
    int before = homes->last, after = -1;
    if (homes->shelf_size - end_of(homes, before) < size) {
        before = -1;
        after = homes->first;
        while (after >= 0 && piece_at(homes, after)->begin - end_of(homes, before) < size) {
            before = after;
            after = piece_at(homes, after)->after;
        }
        if (after < 0) return false;
    }
    *piece_at(homes, number) =
        (abuti_piece){.begin = end_of(homes, before), .size = size, .before = before, .after = after};
    link_to(homes, before, number, after);
    return true;
}

/* Takes back all pieces of the island that is gone longest. False: no island that is gone has any. */
static bool make_room(abuti_homes *homes)
{
    abuti_home *gone = NULL;
    for (int number = homes->first; number >= 0; number = piece_at(homes, number)->after) {
        abuti_home *home = &homes->home[number / ABUTI_KEEPERS];
        if (home->seen < homes->calls && (!gone || home->seen < gone->seen)) gone = home;
    }
    for (int keeper = 0; keeper < ABUTI_KEEPERS && gone; ++keeper)
        abuti_home_return(gone, (abuti_keeper)keeper);
    return gone;
}

void *abuti_home_lend(abuti_home *home, abuti_keeper keeper, size_t size)
{
    abuti_homes *homes = home->all;
    size = abuti_aligned(size);
    if (size > 0 && home->piece[keeper].size == size) return abuti_home_kept(home, keeper);
    abuti_home_return(home, keeper);
    if (size > homes->shelf_size) return NULL;
    while (!put(homes, number_of(home, keeper), size)) {
        if (!make_room(homes)) return NULL;
    }
    return abuti_home_kept(home, keeper);
}
