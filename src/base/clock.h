/* Time for budgets (options.max_seconds), never for results. */
#ifndef ABUTI_CLOCK_H
#define ABUTI_CLOCK_H

/* Seconds since some fixed moment; never runs backwards where the system has such a clock. */
double abuti_clock(void);

#endif
