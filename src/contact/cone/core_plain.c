/* The linear step for any machine, and the choice among the widths. */
#define CONE_KERNEL abuti_cone_plain
#include "base/cpu.h"
#include "contact/cone/core.inl"

const cone_kernel *abuti_cone_kernel_choose(void)
{
    static const cone_kernel *const by_width[ABUTI_WIDTHS] = {
        &abuti_cone_plain, ABUTI_IF_AVX2(&abuti_cone_avx2), ABUTI_IF_AVX512(&abuti_cone_avx512)};
    return by_width[abuti_cpu_width()];
}
