/* The stages of large islands for any machine. */
#define SPARSE_VARIANT abuti_sparse_plain
#include "contact/sparse/core.inl"
