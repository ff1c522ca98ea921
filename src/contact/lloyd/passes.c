/* The passes for any machine, and the choice among the widths. */
#define LLOYD_PASSES abuti_lloyd_passes_plain
#define LLOYD_WIDTH 2
#include "contact/lloyd/passes.inl"
#include "base/cpu.h"

const abuti_lloyd_passes *abuti_lloyd_passes_choose(void)
{
    static const abuti_lloyd_passes *const by_width[ABUTI_WIDTHS] = {
        &abuti_lloyd_passes_plain, ABUTI_IF_AVX2(&abuti_lloyd_passes_avx2),
        ABUTI_IF_AVX512(&abuti_lloyd_passes_avx512)};
    return by_width[abuti_cpu_width()];
}
