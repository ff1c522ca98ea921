/* A workspace is one block of memory, handed out front to back.
 *
 * Sizes are found by running the very same layout code twice: first on an arena without memory,
 * which only counts, then on the real block. So size and layout cannot disagree:
 *
 *     static void layout(workspace *ws, abuti_arena *arena) { ws->x = abuti_take(arena, n, double); ... }
 */
#ifndef ABUTI_ARENA_H
#define ABUTI_ARENA_H

#include "abut/base.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every piece starts on its own cache line, so vector loads are aligned and rows never share lines. */
#define ABUTI_ALIGNMENT 64

typedef struct abuti_arena {
    unsigned char *base; /* NULL: counting only */
    size_t used;
    size_t capacity; /* meaningless while counting */
    int overflow;    /* the requested sizes left size_t, or the block was too small */
} abuti_arena;

/* A piece of count * size bytes, zeroed by the allocator's owner; NULL while counting. */
void *abuti_arena_take(abuti_arena *arena, size_t count, size_t size);

/* A size, rounded up to where the next piece begins. */
static inline size_t abuti_aligned(size_t size)
{
    return (size + ABUTI_ALIGNMENT - 1) & ~(size_t)(ABUTI_ALIGNMENT - 1);
}

#define abuti_take(arena, count, type) ((type *)abuti_arena_take((arena), (size_t)(count), sizeof(type)))

/* The arena's block: allocated, zeroed, aligned. Returns NULL when the allocator does. */
void *abuti_allocate(const abut_allocator *allocator, size_t size);
void abuti_release(const abut_allocator *allocator, void *pointer, size_t size);

/* An allocator that hands out pieces of the arena, for a workspace inside a workspace. While the arena counts
 * it gives NULL, and only the size remains. */
abut_allocator abuti_arena_allocator(abuti_arena *arena);

/* The allocator a caller gave, or the C library's when it gave none. */
/* Whether an allocator that a caller gave can be used: none (NULL), or one with both of its functions. */
bool abuti_valid_allocator(const abut_allocator *allocator);
abut_allocator abuti_allocator_or_default(const abut_allocator *allocator);

#endif
