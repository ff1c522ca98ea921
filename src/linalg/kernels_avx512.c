#include "linalg/kernels_variants.h"
#define KERNELS_TABLE abuti_kernels_avx512
#define KERNELS_NAME "avx512"
#include "linalg/kernels.inl"
