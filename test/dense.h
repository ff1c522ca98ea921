/* Small dense matrices for tests, written out naively so that they share nothing with src/linalg. */
#ifndef ABUT_TEST_DENSE_H
#define ABUT_TEST_DENSE_H

#include "base/arena.h"
#include "random.h"
#include <math.h>
#include <stdlib.h>

/* n x n normal numbers, plus `diagonal` on the diagonal. */
static inline void dense_random(bench_random *random, int n, double diagonal, double *A)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) A[i * n + j] = bench_normal(random) + (i == j ? diagonal : 0);
    }
}

static inline double dense_max_abs(int count, const double *x)
{
    double most = 0;
    for (int i = 0; i < count; ++i) {
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    }
    return most;
}

/* Gives memory of the default allocator back. */
static inline void dense_free(void *memory)
{
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    abuti_release(&allocator, memory, 0);
}

/* Runs a layout twice, as a workspace does: counts, then hands out zeroed memory, for dense_free. */
#define DENSE_LAYOUT(layout_call, arena)                                                                     \
    do {                                                                                                     \
        (arena) = (abuti_arena){0};                                                                          \
        layout_call;                                                                                         \
        size_t dense_bytes = (arena).used;                                                                   \
        abut_allocator dense_allocator = abuti_allocator_or_default(NULL);                                   \
        (arena) =                                                                                            \
            (abuti_arena){.base = abuti_allocate(&dense_allocator, dense_bytes), .capacity = dense_bytes};   \
        layout_call;                                                                                         \
    } while (0)

#endif
