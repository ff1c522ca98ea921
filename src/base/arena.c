#include "base/arena.h"
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

static void *default_allocate(void *context, size_t size, size_t alignment)
{
    (void)context;
    size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return aligned_alloc(alignment, rounded);
}

static void default_release(void *context, void *pointer, size_t size)
{
    (void)context;
    (void)size;
    free(pointer);
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
    if (pointer) {
        memset(pointer, 0, size);
    }
    return pointer;
}

void abuti_release(const abut_allocator *allocator, void *pointer, size_t size)
{
    if (pointer) {
        allocator->release(allocator->context, pointer, size);
    }
}
