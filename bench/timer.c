/* clock_gettime is POSIX, not C. */
#define _POSIX_C_SOURCE 200809L
#include "timer.h"

#include "base/clock.h"

#include <time.h>

double bench_now_us(void)
{
    return abuti_clock() * 1e6;
}

double bench_cpu_us(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
#endif
    return bench_now_us();
}
