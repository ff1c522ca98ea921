/* The stages of `faces` for machines with AVX-512. */
#define FACES_VARIANT abuti_faces_avx512
#include "contact/faces/core.inl"
