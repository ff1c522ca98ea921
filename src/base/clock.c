#if defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/clock.h"
#include <time.h>

double abuti_clock(void)
{
    struct timespec now = {0};
#ifdef CLOCK_MONOTONIC
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
#else
    (void)timespec_get(&now, TIME_UTC);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
