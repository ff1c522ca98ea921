/* The table of benchmarks: one row each. */
#include "bench.h"

void bench_run_lcp(bench *b);

const bench_entry bench_entries[] = {
    {"lcp", "dense LCPs: Lloyd's pegs by lemke, positive definite M by dantzig", bench_run_lcp},
    {0},
};
