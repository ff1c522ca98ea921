/* An allocator for tests: counts, checks every release against its allocation, and can refuse the k-th
 * request.
 *
 *     alloc_count count = {0};
 *     abut_allocator allocator = alloc_counting(&count);
 *     ... create, solve, destroy with &allocator ...
 *     CHECK_EQ_INT(count.allocations, 1);
 *     CHECK(alloc_balanced(&count));
 *
 * Every allocation made to fail once, with nothing leaked:
 *
 *     for (long k = 1;; ++k) {
 *         alloc_count count = {.fail_at = k};
 *         abut_allocator allocator = alloc_counting(&count);
 *         status = create(..., &allocator, &work);
 *         if (count.refused == 0) break;                    // fewer than k requests: all have failed once
 *         CHECK_EQ_INT(status, ABUT_OUT_OF_MEMORY);
 *         CHECK(alloc_balanced(&count));
 *     }
 */

#ifndef ABUT_TEST_ALLOC_COUNT_H
#define ABUT_TEST_ALLOC_COUNT_H

#include "abut/base.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct alloc_count {
    long fail_at;     /* the request that is refused, counted from 1; 0: none */
    long requests;    /* calls of allocate, refused ones too */
    long allocations; /* requests that were granted */
    long refused;
    long releases;
    long misuses; /* releases with another size than was asked for, of NULL, or twice; odd alignments */
    size_t live;  /* bytes allocated and not yet released */
    size_t peak;  /* the largest `live` so far */
} alloc_count;

/* What stands before each block. */
typedef struct alloc_header {
    size_t size;
    uint64_t mark;
} alloc_header;

#define ALLOC_LIVE UINT64_C(0x616275746c697665)
#define ALLOC_LARGEST_ALIGNMENT 64

static inline void *alloc_count_allocate(void *context, size_t size, size_t alignment)
{
    alloc_count *count = context;
    count->requests++;
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > ALLOC_LARGEST_ALIGNMENT)
        count->misuses++;
    if (count->requests == count->fail_at || size > SIZE_MAX / 2) {
        count->refused++;
        return NULL;
    }
    /* The header fills one block of the largest alignment, so that what follows it is aligned too. */
    size_t rounded = (size + ALLOC_LARGEST_ALIGNMENT - 1) & ~(size_t)(ALLOC_LARGEST_ALIGNMENT - 1);
    unsigned char *block = aligned_alloc(ALLOC_LARGEST_ALIGNMENT, ALLOC_LARGEST_ALIGNMENT + rounded);
    if (!block) {
        count->refused++;
        return NULL;
    }
    *(alloc_header *)block = (alloc_header){size, ALLOC_LIVE};
    count->allocations++;
    count->live += size;
    if (count->live > count->peak) count->peak = count->live;
    return block + ALLOC_LARGEST_ALIGNMENT;
}

static inline void alloc_count_release(void *context, void *pointer, size_t size)
{
    alloc_count *count = context;
    count->releases++;
    if (!pointer) {
        count->misuses++;
        return;
    }
    unsigned char *block = (unsigned char *)pointer - ALLOC_LARGEST_ALIGNMENT;
    alloc_header *header = (alloc_header *)block;
    if (header->mark != ALLOC_LIVE || header->size != size) {
        count->misuses++;
        return;
    }
    header->mark = 0;
    count->live -= size;
    free(block);
}

/* An allocator that counts in `count`, which must outlive it. */
static inline abut_allocator alloc_counting(alloc_count *count)
{
    return (abut_allocator){alloc_count_allocate, alloc_count_release, count};
}

/* Everything that was allocated has been released, rightly. */
static inline int alloc_balanced(const alloc_count *count)
{
    return count->allocations == count->releases && count->live == 0 && count->misuses == 0;
}

#endif
