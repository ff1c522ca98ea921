/* The linear step, compiled for AVX2. */
#define CONE_KERNEL abuti_cone_avx2
#include "contact/cone/core.inl"
