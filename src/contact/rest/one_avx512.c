/* One body, compiled for AVX-512. */
#define REST_ONE abuti_rest_one_avx512
#include "contact/rest/one.inl"
