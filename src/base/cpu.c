/* The choice asks the processor each time (the compiler's run-time support has looked once, before main), so
 * there is nothing to initialise and nothing for two threads to race for. */
#include "base/cpu.h"

bool abuti_cpu_runs(abuti_width width)
{
    switch (width) {
    case ABUTI_WIDTH_PLAIN: return true;
    case ABUTI_WIDTH_AVX2:
#ifdef ABUT_HAVE_AVX2
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
        return false;
#endif
    case ABUTI_WIDTH_AVX512:
#ifdef ABUT_HAVE_AVX512
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
#else
        return false;
#endif
    default: return false;
    }
}

abuti_width abuti_cpu_width(void)
{
    if (abuti_cpu_runs(ABUTI_WIDTH_AVX512)) return ABUTI_WIDTH_AVX512;
    return abuti_cpu_runs(ABUTI_WIDTH_AVX2) ? ABUTI_WIDTH_AVX2 : ABUTI_WIDTH_PLAIN;
}
