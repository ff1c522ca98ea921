#include "timer.h"

#include "base/clock.h"

double bench_now_us(void)
{
    return abuti_clock() * 1e6;
}
