/* The stages of large islands for machines with AVX2. */
#define SPARSE_VARIANT abuti_sparse_avx2
#include "contact/sparse/core.inl"
