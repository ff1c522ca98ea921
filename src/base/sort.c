/* Sorting by a key: sort.h. A heap, so that the worst case is n log n. */
#include "base/sort.h"
#include <stdint.h>
#include <string.h>

static uint64_t key_at(const unsigned char *items, int i, size_t size)
{
    uint64_t key;
    memcpy(&key, items + (size_t)i * size, sizeof key);
    return key;
}

/* Lets the item at the root sink until both of its children are smaller. */
static void sift(unsigned char *items, int root, int count, size_t size)
{
    unsigned char moved[ABUTI_SORT_SIZE];
    memcpy(moved, items + (size_t)root * size, size);
    uint64_t key = key_at(moved, 0, size);
    for (int child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && key_at(items, child, size) < key_at(items, child + 1, size)) child++;
        if (key_at(items, child, size) <= key) break;
        memcpy(items + (size_t)root * size, items + (size_t)child * size, size);
        root = child;
    }
    memcpy(items + (size_t)root * size, moved, size);
}

static int is_sorted(const unsigned char *items, int count, size_t size)
{
    for (int i = 1; i < count; ++i) {
        if (key_at(items, i - 1, size) > key_at(items, i, size)) return 0;
    }
    return 1;
}

void abuti_sort_by_key(void *items, int count, size_t size)
{
    unsigned char *all = items, largest[ABUTI_SORT_SIZE];
    if (is_sorted(all, count, size)) return;
    for (int root = count / 2 - 1; root >= 0; --root) sift(all, root, count, size);
    for (int end = count - 1; end > 0; --end) {
        memcpy(largest, all, size);
        memcpy(all, all + (size_t)end * size, size);
        memcpy(all + (size_t)end * size, largest, size);
        sift(all, 0, end, size);
    }
}
