/* One body, compiled for AVX2. */
#define REST_ONE abuti_rest_one_avx2
#include "contact/rest/one.inl"
