/* The verifier's passes, compiled for AVX-512. */
#define VERIFY_KERNEL abuti_verify_kernel_avx512
#define VERIFY_WIDTH 8
#include "contact/verify/kernel.inl"
