/* Finds keys that name two contacts, or two joint rows, of one problem, by an open hash table in linear time. */
#include "base/arena.h"
#include "contact/build/validate.h"
#include <string.h>

/* A table of this many slots stands on the stack; a larger one is asked of the C library's allocator. */
enum { SMALL_TABLE = 1024 };

static uint64_t key_of(const abut_contact_problem *problem, abuti_keyed of, int i)
{
    return of == ABUTI_KEYS_OF_JOINTS ? problem->joints[i].key : problem->contacts[i].key;
}

static int count_of(const abut_contact_problem *problem, abuti_keyed of)
{
    return of == ABUTI_KEYS_OF_JOINTS ? problem->joint_count : problem->contact_count;
}

/* Finds the first pair, in the order of its second one; false when all keys differ. `table` comes filled with -1. */
static bool find_pair(const abut_contact_problem *problem, abuti_keyed of, int *table, size_t slots,
                      int pair[2])
{
    uint64_t mask = slots - 1;
    for (int i = 0; i < count_of(problem, of); ++i) {
        uint64_t key = key_of(problem, of, i), mixed = key * 0x9E3779B97F4A7C15u;
        uint64_t slot = (mixed ^ (mixed >> 32)) & mask;
        if (key == 0) continue; /* has no name */
        while (table[slot] >= 0 && key_of(problem, of, table[slot]) != key) slot = (slot + 1) & mask;
        if (table[slot] >= 0) {
            pair[0] = table[slot];
            pair[1] = i;
            return true;
        }
        table[slot] = i;
    }
    return false;
}

abut_status abuti_find_equal_keys(const abut_contact_problem *problem, abuti_keyed of, int pair[2])
{
    int small[SMALL_TABLE], *table = small;
    const abut_allocator allocator = abuti_allocator_or_default(NULL);
    size_t slots = SMALL_TABLE;
    pair[0] = pair[1] = -1;
    while (slots < 2 * (size_t)count_of(problem, of)) slots *= 2;
    size_t size = slots * sizeof *table;
    if (slots > SMALL_TABLE) table = abuti_allocate(&allocator, size);
    if (!table) return ABUT_OUT_OF_MEMORY;
    memset(table, 0xff, size);
    (void)find_pair(problem, of, table, slots, pair);
    if (slots > SMALL_TABLE) abuti_release(&allocator, table, size);
    return ABUT_OK;
}
