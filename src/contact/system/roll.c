/* Keys and places. The open hash table is made when the first contact asks that is not where it was in the last step,
 * so that a step costs O(contacts) whatever the keys are. */
#include "contact/system/roll.h"
#include <string.h>

void abuti_roll_layout(abuti_roll *roll, abuti_arena *arena, const abut_contact_limits *limits)
{
    int places = limits->contacts + limits->joints;
    roll->count = roll->rows = 0;
    roll->keyed = roll->rows_keyed = roll->hashed = false;
    roll->slots = 8;
    while (roll->slots < 2 * places) roll->slots *= 2;
    roll->key = abuti_take(arena, places, uint64_t);
    roll->slot = abuti_take(arena, roll->slots, int);
}

void abuti_roll_call(abuti_roll *roll, const abut_contact_problem *problem)
{
    uint64_t any = 0;
    roll->count = problem->contact_count;
    roll->rows = problem->joint_count;
    roll->hashed = false;
    for (int i = 0; i < roll->count; ++i) any |= roll->key[i] = problem->contacts[i].key;
    roll->keyed = any != 0;
    any = 0;
    for (int j = 0; j < roll->rows; ++j) any |= roll->key[roll->count + j] = problem->joints[j].key;
    roll->rows_keyed = any != 0;
}

void abuti_roll_move(abuti_roll *roll, const abuti_roll *from)
{
    size_t places = (size_t)from->count + (size_t)from->rows;
    roll->count = from->count;
    roll->rows = from->rows;
    roll->keyed = from->keyed;
    roll->rows_keyed = from->rows_keyed;
    roll->hashed = false;
    if (places > 0) memcpy(roll->key, from->key, places * sizeof *roll->key);
}

/* Whether this is the place of the contact, or joint row, with this key. */
static bool holds(const abuti_roll *roll, int place, uint64_t key, bool row)
{
    return roll->key[place] == key && (place >= roll->count) == row;
}

/* The slot that holds the key of a contact, or of a joint row, or the free one where it belongs. */
static int *slot_of(const abuti_roll *roll, uint64_t key, bool row)
{
    uint64_t mask = (uint64_t)roll->slots - 1u, mixed = key * 0x9E3779B97F4A7C15u;
    uint64_t slot = (mixed ^ (mixed >> 32)) & mask;
    while (roll->slot[slot] >= 0 && !holds(roll, roll->slot[slot], key, row)) slot = (slot + 1) & mask;
    return &roll->slot[slot];
}

static void hash(abuti_roll *roll)
{
    memset(roll->slot, 0xff, (size_t)roll->slots * sizeof *roll->slot); /* -1 */
    for (int i = 0; i < roll->count + roll->rows; ++i) {
        if (roll->key[i] != 0) *slot_of(roll, roll->key[i], i >= roll->count) = i;
    }
    roll->hashed = true;
}

int abuti_roll_seek(abuti_roll *roll, uint64_t key)
{
    if (!roll->hashed) hash(roll);
    return *slot_of(roll, key, false);
}

int abuti_roll_seek_row(abuti_roll *roll, uint64_t key)
{
    if (!roll->hashed) hash(roll);
    int place = *slot_of(roll, key, true);
    return place >= 0 ? place - roll->count : -1;
}
