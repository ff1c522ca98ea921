#include "linalg/kernels_variants.h"
#define KERNELS_TABLE abuti_kernels_plain
#define KERNELS_NAME "plain"
#include "linalg/kernels.inl"
