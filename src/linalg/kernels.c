#include "linalg/kernels.h"
#include "linalg/kernels_variants.h"
#include <stddef.h>

/* The choice asks the processor each time (the compiler's run-time support has looked once, before
 * main), so there is nothing to initialise and nothing for two threads to race for. */

#ifdef ABUT_HAVE_AVX2
static int runs_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

#ifdef ABUT_HAVE_AVX512
static int runs_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}
#endif

const abuti_kernels *abuti_kernels_variant(int index)
{
    const abuti_kernels *variants[4] = {NULL};
    int count = 0;
    variants[count++] = &abuti_kernels_plain;
#ifdef ABUT_HAVE_AVX2
    if (runs_avx2()) variants[count++] = &abuti_kernels_avx2;
#endif
#ifdef ABUT_HAVE_AVX512
    if (runs_avx512()) variants[count++] = &abuti_kernels_avx512;
#endif
    return index >= 0 && index < count ? variants[index] : NULL;
}

const abuti_kernels *abuti_kernels_get(void)
{
    const abuti_kernels *widest = abuti_kernels_variant(0);
    for (int i = 1; abuti_kernels_variant(i); i++) widest = abuti_kernels_variant(i);
    return widest;
}
