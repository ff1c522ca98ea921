/* Time for budgets (options.max_seconds), never for results. */
#ifndef ABUTI_CLOCK_H
#define ABUTI_CLOCK_H

#include <math.h>
#include <stdbool.h>

/* Seconds since some fixed moment; never runs backwards where the system has such a clock. */
double abuti_clock(void);

/* Whether a deadline has come. INFINITY stands for no deadline; then the clock is not read. */
static inline bool abuti_clock_passed(double deadline)
{
    return deadline < INFINITY && abuti_clock() >= deadline;
}

/* Whether a budget is used up: `pivots` have reached `most`, or the deadline has come. */
static inline bool abuti_budget_spent(int pivots, int most, double deadline)
{
    return pivots >= most || abuti_clock_passed(deadline);
}

#endif
