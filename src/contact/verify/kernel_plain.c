/* The verifier's passes for any machine, and the choice among the widths. */
#define VERIFY_KERNEL abuti_verify_kernel_plain
#define VERIFY_WIDTH 2
#include "contact/verify/kernel.inl"

const abuti_verify_kernel *abuti_verify_kernel_choose(void)
{
#ifdef ABUT_HAVE_AVX512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return &abuti_verify_kernel_avx512;
#endif
#ifdef ABUT_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &abuti_verify_kernel_avx2;
#endif
    return &abuti_verify_kernel_plain;
}
