/* Arrays of a world that grow and never shrink, so that a step allocates nothing once it has seen its sizes. */
#ifndef ABUTI_WORLD_LIST_H
#define ABUTI_WORLD_LIST_H

#include "world/state.h"
#include <stddef.h>

/* Room for `count` items of `size` bytes: false when there is no memory; what is there stays. */
bool abuti_reserve(abut_world *world, void **items, int *capacity, int count, size_t size);
void abuti_release_items(abut_world *world, void *items, int capacity, size_t size);

/* Makes a list `n` long; false when there is no memory. New items are not initialised. */
#define abuti_list_resize(world, list, n)                                                                    \
    (abuti_reserve((world), (void **)&(list)->items, &(list)->capacity, (n), sizeof *(list)->items) &&       \
     ((list)->count = (n), true))

/* One more item at the end, which the caller fills: false when there is no memory. */
#define abuti_list_push(world, list) abuti_list_resize((world), (list), (list)->count + 1)

#define abuti_list_last(list) (&(list)->items[(list)->count - 1])

#define abuti_list_release(world, list)                                                                      \
    abuti_release_items((world), (list)->items, (list)->capacity, sizeof *(list)->items)

#endif
