/* The passes of Lloyd's methods, compiled for AVX-512. */
#define LLOYD_PASSES abuti_lloyd_passes_avx512
#define LLOYD_WIDTH 8
#include "contact/lloyd/passes.inl"
