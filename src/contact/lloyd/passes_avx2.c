/* The passes of Lloyd's methods, compiled for AVX2. */
#define LLOYD_PASSES abuti_lloyd_passes_avx2
#define LLOYD_WIDTH 4
#include "contact/lloyd/passes.inl"
