/* The stages of `faces` for machines with AVX2 and FMA. */
#define FACES_VARIANT abuti_faces_avx2
#include "contact/faces/core.inl"
