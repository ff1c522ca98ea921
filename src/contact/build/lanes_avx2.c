/* The passes, compiled for AVX2. */
#define LANE_KERNEL abuti_lane_kernel_avx2
#include "contact/build/lanes.inl"
