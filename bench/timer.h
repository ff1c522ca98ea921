/* The monotonic clock, in microseconds. */
#ifndef ABUT_BENCH_TIMER_H
#define ABUT_BENCH_TIMER_H

double bench_now_us(void);

#endif
