/* The arena: counting and handing out agree, pieces are aligned and apart, absurd sizes are noticed; and the
 * allocator of the tests notices what it should. */

#include "alloc_count.h"
#include "check.h"

#include "base/arena.h"

typedef struct pieces {
    double *x;
    char *y;
    double *z;
} pieces;

static pieces lay_out(abuti_arena *arena)
{
    pieces p;
    p.x = abuti_take(arena, 5, double);
    p.y = abuti_take(arena, 3, char);
    p.z = abuti_take(arena, 9, double);
    return p;
}

static void test_counting_finds_the_size_that_the_layout_needs(void)
{
    abuti_arena counting = {0};
    pieces none = lay_out(&counting);
    CHECK(!none.x && !none.y && !none.z);
    CHECK(!counting.overflow);

    alloc_count count = {0};
    abut_allocator allocator = alloc_counting(&count);
    unsigned char *block = abuti_allocate(&allocator, counting.used);
    CHECK(block);
    if (!block) return;
    for (size_t i = 0; i < counting.used; ++i) CHECK_EQ_INT(block[i], 0);

    abuti_arena arena = {.base = block, .capacity = counting.used};
    pieces p = lay_out(&arena);
    CHECK(!arena.overflow);
    CHECK_EQ_INT(arena.used, counting.used);
    CHECK_EQ_INT((uintptr_t)p.x % ABUTI_ALIGNMENT, 0);
    CHECK_EQ_INT((uintptr_t)p.y % ABUTI_ALIGNMENT, 0);
    CHECK_EQ_INT((uintptr_t)p.z % ABUTI_ALIGNMENT, 0);
    CHECK((char *)(p.x + 5) <= p.y && p.y + 3 <= (char *)p.z);
    CHECK((unsigned char *)(p.z + 9) <= block + counting.used);

    CHECK(!abuti_take(&arena, 1, double));
    CHECK(arena.overflow);
    abuti_release(&allocator, block, counting.used);
    CHECK_EQ_INT(count.allocations, 1);
    CHECK_EQ_INT(count.peak, counting.used);
    CHECK(alloc_balanced(&count));
}

static void test_absurd_sizes_overflow(void)
{
    abuti_arena arena = {0};
    CHECK(!abuti_take(&arena, SIZE_MAX / 4, double));
    CHECK(arena.overflow);

    arena = (abuti_arena){0};
    for (int i = 0; i < 8; ++i) abuti_arena_take(&arena, SIZE_MAX / 16, 2);
    CHECK(arena.overflow);
}

static void test_default_allocator_serves_when_none_is_given(void)
{
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    void *block = abuti_allocate(&allocator, 100);
    CHECK(block);
    CHECK_EQ_INT((uintptr_t)block % ABUTI_ALIGNMENT, 0);
    for (size_t i = 0; block && i < 100; ++i) CHECK_EQ_INT(((unsigned char *)block)[i], 0);
    abuti_release(&allocator, block, 100);
    CHECK(!abuti_allocate(&allocator, SIZE_MAX - 8));
    abuti_release(&allocator, NULL, 0);
}

static void test_a_workspace_inside_a_workspace_takes_pieces_of_its_arena(void)
{
    abuti_arena counting = {0};
    abut_allocator inside = abuti_arena_allocator(&counting);
    CHECK(!abuti_allocate(&inside, 100));
    CHECK(counting.used >= 100 && !counting.overflow);

    abut_allocator allocator = abuti_allocator_or_default(NULL);
    unsigned char *block = abuti_allocate(&allocator, counting.used);
    CHECK(block);
    if (!block) return;
    abuti_arena arena = {.base = block, .capacity = counting.used};
    inside = abuti_arena_allocator(&arena);
    CHECK(abuti_allocate(&inside, 100) == block);
    abuti_release(&inside, block, 100);
    CHECK(!abuti_allocate(&inside, 100));
    abuti_release(&allocator, block, counting.used);
}

static void test_the_counting_allocator_refuses_and_notices(void)
{
    alloc_count count = {.fail_at = 2};
    abut_allocator allocator = alloc_counting(&count);
    void *first = abuti_allocate(&allocator, 10);
    CHECK(first);
    CHECK(!abuti_allocate(&allocator, 10));
    CHECK_EQ_INT(count.refused, 1);
    CHECK(!alloc_balanced(&count));
    abuti_release(&allocator, first, 10);
    CHECK(alloc_balanced(&count));

    void *block = abuti_allocate(&allocator, 10);
    abuti_release(&allocator, block, 11);
    CHECK_EQ_INT(count.misuses, 1);
    abuti_release(&allocator, block, 10);
    CHECK_EQ_INT(count.live, 0);
}

int main(void)
{
    RUN(test_counting_finds_the_size_that_the_layout_needs);
    RUN(test_absurd_sizes_overflow);
    RUN(test_default_allocator_serves_when_none_is_given);
    RUN(test_a_workspace_inside_a_workspace_takes_pieces_of_its_arena);
    RUN(test_the_counting_allocator_refuses_and_notices);
    return check_report();
}
