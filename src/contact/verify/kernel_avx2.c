/* The verifier's passes, compiled for AVX2. */
#define VERIFY_KERNEL abuti_verify_kernel_avx2
#define VERIFY_WIDTH 4
#include "contact/verify/kernel.inl"
