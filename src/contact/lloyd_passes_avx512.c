/* The passes of Lloyd's methods, compiled for AVX-512. */
#define LLOYD_PASSES abuti_lloyd_passes_avx512
#include "contact/lloyd_passes_body.h"
