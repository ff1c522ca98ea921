/* The tables behind kernels.h, one an instruction set; only kernels.c chooses among them. */
#ifndef ABUTI_LINALG_KERNELS_VARIANTS_H
#define ABUTI_LINALG_KERNELS_VARIANTS_H

#include "linalg/kernels.h"

extern const abuti_kernels abuti_kernels_plain;
extern const abuti_kernels abuti_kernels_avx2, abuti_kernels_avx512;

#endif
