/* The linear step, compiled for AVX-512. */
#define CONE_KERNEL abuti_cone_avx512
#include "contact/cone/core.inl"
