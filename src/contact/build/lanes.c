/* The passes for any machine, and the choice among the widths. */
#define LANE_KERNEL abuti_lane_kernel_plain
#include "contact/build/lanes.inl"

const abuti_lane_kernel *abuti_lane_kernel_choose(void)
{
#ifdef ABUT_HAVE_AVX512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return &abuti_lane_kernel_avx512;
#endif
#ifdef ABUT_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) return &abuti_lane_kernel_avx2;
#endif
    return &abuti_lane_kernel_plain;
}
