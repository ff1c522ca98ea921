/* Time in microseconds. */
#ifndef ABUT_BENCH_TIMER_H
#define ABUT_BENCH_TIMER_H

/* The monotonic clock. */
double bench_now_us(void);
/* The CPU time of this thread, so that others on the machine do not count; the monotonic clock where there is no such
 * clock. */
double bench_cpu_us(void);

#endif
