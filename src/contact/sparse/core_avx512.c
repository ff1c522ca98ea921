/* The stages of large islands for machines with AVX-512. */
#define SPARSE_VARIANT abuti_sparse_avx512
#include "contact/sparse/core.inl"
