/* Rows of `abut bench world` that mechanics knows the answer of. */
#ifndef ABUT_BENCH_WORLD_MECHANICS_H
#define ABUT_BENCH_WORLD_MECHANICS_H

#include "bench.h"
#include "world_scene.h"

void bench_world_mechanics(bench *b);

#endif
