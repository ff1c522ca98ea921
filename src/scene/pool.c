#include "scene/pool.h"

#include "abut/scene.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 1 << 16, ALIGNMENT = 16 };

struct abuti_pool_block {
    abuti_pool_block *next;
    size_t size, used;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void *abuti_pool_take(abuti_pool *pool, size_t size)
{
    if (size > ABUT_SCENE_BYTES_MAX || pool->total + size > ABUT_SCENE_BYTES_MAX) {
        pool->full = true;
        return NULL;
    }
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    abuti_pool_block *block = pool->blocks;
    if (!block || block->size - block->used < size) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = calloc(1, sizeof *block + room);
        if (!block) return NULL;
        block->size = room;
        block->next = pool->blocks;
        pool->blocks = block;
    }
    void *taken = block->bytes + block->used;
    block->used += size;
    pool->total += size;
    return taken;
}

char *abuti_pool_join(abuti_pool *pool, const char *a, const char *b, const char *c)
{
    size_t na = strlen(a), nb = strlen(b), nc = strlen(c);
    char *joined = abuti_pool_take(pool, na + nb + nc + 1);
    if (!joined) return NULL;
    memcpy(joined, a, na);
    memcpy(joined + na, b, nb);
    memcpy(joined + na + nb, c, nc);
    return joined;
}

char *abuti_pool_text(abuti_pool *pool, const char *text)
{
    return abuti_pool_join(pool, text, "", "");
}

void abuti_pool_release(abuti_pool *pool)
{
    for (abuti_pool_block *block = pool->blocks; block;) {
        abuti_pool_block *next = block->next;
        free(block);
        block = next;
    }
    *pool = (abuti_pool){0};
}

void *abuti_list_add(abuti_pool *pool, abuti_list *list, size_t size)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity > 0 ? 2 * list->capacity : 8;
        void *items = abuti_pool_take(pool, (size_t)capacity * size);
        if (!items) return NULL;
        if (list->count > 0) memcpy(items, list->items, (size_t)list->count * size);
        list->items = items;
        list->capacity = capacity;
    }
    return (unsigned char *)list->items + (size_t)list->count++ * size;
}
