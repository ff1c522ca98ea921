#include "linalg/kernels.h"
#include "base/cpu.h"
#include "linalg/kernels_variants.h"

static const abuti_kernels *const by_width[ABUTI_WIDTHS] = {
    &abuti_kernels_plain, ABUTI_IF_AVX2(&abuti_kernels_avx2), ABUTI_IF_AVX512(&abuti_kernels_avx512)};

const abuti_kernels *abuti_kernels_variant(int index)
{
    for (int width = 0; width < ABUTI_WIDTHS; ++width) {
        if (abuti_cpu_runs((abuti_width)width) && index-- == 0) return by_width[width];
    }
    return NULL;
}

const abuti_kernels *abuti_kernels_get(void)
{
    return by_width[abuti_cpu_width()];
}
