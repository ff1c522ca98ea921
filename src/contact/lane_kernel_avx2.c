/* The passes, compiled for AVX2. */
#define LANE_KERNEL abuti_lane_kernel_avx2
#include "contact/lane_kernel_body.h"
