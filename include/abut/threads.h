/* abut/threads.h: POSIX threads for worlds. It is a component that can be left out: the core needs the C library and
 * libm alone.
 *
 *     abut_threads *threads = NULL;
 *     if (abut_threads_create(4, &threads) == ABUT_OK) {
 *         def.threads = 4;
 *         def.runner = abut_threads_runner(threads);
 *     }
 *     ... abut_world_create(&def, ...), steps, abut_world_destroy ...
 *     abut_threads_destroy(threads);
 *
 * One set of threads serves one world at a time; two worlds that are stepped at once have one each. */
#ifndef ABUT_THREADS_H
#define ABUT_THREADS_H

#include "abut/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_threads abut_threads;

/* Makes a set of `count` threads, 1 .. ABUT_THREADS_MAX: the one that steps the world, and count - 1 that wait for its
 * work. Returns ABUT_UNSUPPORTED where the build has no threads, and ABUT_OUT_OF_MEMORY where the system has none to
 * give. */
abut_status abut_threads_create(int count, abut_threads **threads);
/* NULL is fine. */
void abut_threads_destroy(abut_threads *threads);
/* The runner to be put into abut_world_def.runner. */
abut_runner abut_threads_runner(abut_threads *threads);

#ifdef __cplusplus
}
#endif

#endif
