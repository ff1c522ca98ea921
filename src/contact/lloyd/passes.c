/* The passes for any machine, and the choice among the widths. */
#define LLOYD_PASSES abuti_lloyd_passes_plain
#define LLOYD_WIDTH 2
#include "contact/lloyd/passes.inl"
#include <string.h>

const abuti_lloyd_passes *abuti_lloyd_passes_choose(void)
{
    const char *widest = abuti_kernels_get()->name;
    (void)widest;
#ifdef ABUT_HAVE_AVX512
    if (strcmp(widest, "avx512") == 0) return &abuti_lloyd_passes_avx512;
#endif
#ifdef ABUT_HAVE_AVX2
    if (strcmp(widest, "avx2") == 0) return &abuti_lloyd_passes_avx2;
#endif
    return &abuti_lloyd_passes_plain;
}
