/* The passes for any machine, and the choice among the widths. */
#define LANE_KERNEL abuti_lane_kernel_plain
#include "contact/build/lanes.inl"
#include "base/cpu.h"

const abuti_lane_kernel *abuti_lane_kernel_choose(void)
{
    static const abuti_lane_kernel *const by_width[ABUTI_WIDTHS] = {
        &abuti_lane_kernel_plain, ABUTI_IF_AVX2(&abuti_lane_kernel_avx2),
        ABUTI_IF_AVX512(&abuti_lane_kernel_avx512)};
    return by_width[abuti_cpu_width()];
}
