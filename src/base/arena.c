#include "base/arena.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void *abuti_arena_take(abuti_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4 - ABUTI_ALIGNMENT ||
        arena->used > SIZE_MAX / 4) {
        arena->overflow = 1;
        return NULL;
    }
    size_t start = (arena->used + ABUTI_ALIGNMENT - 1) & ~(size_t)(ABUTI_ALIGNMENT - 1);
    arena->used = start + bytes;
    if (!arena->base) {
        return NULL;
    }
    if (arena->used > arena->capacity) {
        arena->overflow = 1;
        return NULL;
    }
    return arena->base + start;
}

/* Takes memory from calloc, because large blocks of it cost nothing until they are touched, and a workspace
 * holds matrices for methods of last resort that most callers never reach. The pointer that calloc gave is
 * stored in front of the aligned block. */
static void *default_allocate(void *context, size_t size, size_t alignment)
{
    (void)context;
    size_t spare = alignment + sizeof(void *);
    if (size > SIZE_MAX - spare) return NULL;
    unsigned char *block = calloc(1, size + spare);
    if (!block) return NULL;
    uintptr_t first = (uintptr_t)block + sizeof(void *);
    size_t skip = sizeof(void *) + (size_t)(-first & (alignment - 1));
    memcpy(block + skip - sizeof(void *), &block, sizeof(void *));
    return block + skip;
}

static void default_release(void *context, void *pointer, size_t size)
{
    (void)context;
    (void)size;
    void *block;
    memcpy(&block, (unsigned char *)pointer - sizeof(void *), sizeof(void *));
    free(block);
}

static void *arena_allocate(void *context, size_t size, size_t alignment)
{
    (void)alignment; /* pieces of an arena have the largest alignment that is asked for */
    return abuti_arena_take(context, size, 1);
}

static void arena_release(void *context, void *pointer, size_t size)
{
    (void)context; /* the arena's owner releases it as a whole */
    (void)pointer;
    (void)size;
}

abut_allocator abuti_arena_allocator(abuti_arena *arena)
{
    return (abut_allocator){arena_allocate, arena_release, arena};
}

bool abuti_valid_allocator(const abut_allocator *allocator)
{
    return !allocator || (allocator->allocate && allocator->release);
}

abut_allocator abuti_allocator_or_default(const abut_allocator *allocator)
{
    if (allocator) {
        return *allocator;
    }
    return (abut_allocator){default_allocate, default_release, NULL};
}

void *abuti_allocate(const abut_allocator *allocator, size_t size)
{
    void *pointer = allocator->allocate(allocator->context, size, ABUTI_ALIGNMENT);
    bool zeroed = allocator->allocate == default_allocate || allocator->allocate == arena_allocate;
    if (pointer && !zeroed) memset(pointer, 0, size);
    return pointer;
}

void abuti_release(const abut_allocator *allocator, void *pointer, size_t size)
{
    if (pointer) {
        allocator->release(allocator->context, pointer, size);
    }
}
