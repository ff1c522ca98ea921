/* Finds keys that name two contacts of one problem, by an open hash table in O(contacts). */
#include "base/arena.h"
#include "contact/build/validate.h"
#include <string.h>

/* A table of this many slots stands on the stack; a larger one is asked of the C library's allocator. */
enum { SMALL_TABLE = 1024 };

/* Finds the first pair, in the order of its second contact; false when all keys differ. `table` comes filled with
 * -1. */
static bool find_pair(const abut_contact_problem *problem, int *table, size_t slots, int pair[2])
{
    uint64_t mask = slots - 1;
    for (int i = 0; i < problem->contact_count; ++i) {
        uint64_t key = problem->contacts[i].key, mixed = key * 0x9E3779B97F4A7C15u;
        uint64_t slot = (mixed ^ (mixed >> 32)) & mask;
        if (key == 0) continue; /* has no name */
        while (table[slot] >= 0 && problem->contacts[table[slot]].key != key) slot = (slot + 1) & mask;
        if (table[slot] >= 0) {
            pair[0] = table[slot];
            pair[1] = i;
            return true;
        }
        table[slot] = i;
    }
    return false;
}

abut_status abuti_find_equal_keys(const abut_contact_problem *problem, int pair[2])
{
    int small[SMALL_TABLE], *table = small;
    const abut_allocator allocator = abuti_allocator_or_default(NULL);
    size_t slots = SMALL_TABLE;
    pair[0] = pair[1] = -1;
    while (slots < 2 * (size_t)problem->contact_count) slots *= 2;
    size_t size = slots * sizeof *table;
    if (slots > SMALL_TABLE) table = abuti_allocate(&allocator, size);
    if (!table) return ABUT_OUT_OF_MEMORY;
    memset(table, 0xff, size);
    (void)find_pair(problem, table, slots, pair);
    if (slots > SMALL_TABLE) abuti_release(&allocator, table, size);
    return ABUT_OK;
}
