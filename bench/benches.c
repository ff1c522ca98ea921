/* The table of benchmarks: one row each. */
#include "bench.h"

const bench_entry bench_entries[] = {
    {0},
};
