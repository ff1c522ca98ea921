/* Time in microseconds. */
#ifndef ABUT_BENCH_TIMER_H
#define ABUT_BENCH_TIMER_H

/* The monotonic clock. */
double bench_now_us(void);
/* What this thread has been at work: others on the machine do not count. The monotonic clock where there is no such clock. */
double bench_cpu_us(void);

#endif
