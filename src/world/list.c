/* Arrays of a world that grow: list.h. */
#include "world/list.h"
#include "base/arena.h"
#include <string.h>

bool abuti_reserve(abut_world *world, void **items, int *capacity, int count, size_t size)
{
    if (count <= *capacity) return true;
    if (count > ABUT_COUNT_MAX) return false;
    int room = *capacity < 16 ? 16 : *capacity;
    while (room < count) room += room / 2;
    void *fresh = abuti_allocate(&world->allocator, (size_t)room * size);
    if (!fresh) return false;
    if (*items) {
        memcpy(fresh, *items, (size_t)*capacity * size);
        abuti_release(&world->allocator, *items, (size_t)*capacity * size);
    }
    *items = fresh;
    *capacity = room;
    return true;
}

void abuti_release_items(abut_world *world, void *items, int capacity, size_t size)
{
    if (items) abuti_release(&world->allocator, items, (size_t)capacity * size);
}
