/* The passes, compiled for AVX-512. */
#define LANE_KERNEL abuti_lane_kernel_avx512
#include "contact/build/lanes.inl"
