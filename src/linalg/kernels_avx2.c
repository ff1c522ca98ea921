#include "linalg/kernels_variants.h"
#define KERNELS_TABLE abuti_kernels_avx2
#define KERNELS_NAME "avx2"
#include "linalg/kernels.inl"
