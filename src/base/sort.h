/* Sorting by a key, in place, without memory, in the same order everywhere. */
#ifndef ABUTI_BASE_SORT_H
#define ABUTI_BASE_SORT_H

#include <stddef.h>

/* Items of `size` bytes (8 .. ABUTI_SORT_SIZE), each of which begins with a uint64_t, ascending by it. */
#define ABUTI_SORT_SIZE 64
void abuti_sort_by_key(void *items, int count, size_t size);

#endif
