/* The verifier's passes for any machine, and the choice among the widths. */
#define VERIFY_KERNEL abuti_verify_kernel_plain
#define VERIFY_WIDTH 2
#include "base/cpu.h"
#include "contact/verify/kernel.inl"

const abuti_verify_kernel *abuti_verify_kernel_choose(void)
{
    static const abuti_verify_kernel *const by_width[ABUTI_WIDTHS] = {
        &abuti_verify_kernel_plain, ABUTI_IF_AVX2(&abuti_verify_kernel_avx2),
        ABUTI_IF_AVX512(&abuti_verify_kernel_avx512)};
    return by_width[abuti_cpu_width()];
}
