/* The tables behind kernels.h, one an instruction set; only kernels.c chooses among them. */
#ifndef ABUTI_LINALG_KERNELS_VARIANTS_H
#define ABUTI_LINALG_KERNELS_VARIANTS_H

#include "linalg/kernels.h"

extern const abuti_kernels abuti_kernels_plain;
#ifdef ABUT_HAVE_AVX2
extern const abuti_kernels abuti_kernels_avx2;
#endif
#ifdef ABUT_HAVE_AVX512
extern const abuti_kernels abuti_kernels_avx512;
#endif

#endif
