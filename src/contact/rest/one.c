/* One body for any machine, and the choice among the widths. */
#define REST_ONE abuti_rest_one_plain
#include "contact/rest/one.inl"
#include "base/cpu.h"

const rest_one_kernel *abuti_rest_one_choose(void)
{
    static const rest_one_kernel *const by_width[ABUTI_WIDTHS] = {
        &abuti_rest_one_plain, ABUTI_IF_AVX2(&abuti_rest_one_avx2), ABUTI_IF_AVX512(&abuti_rest_one_avx512)};
    return by_width[abuti_cpu_width()];
}

bool abuti_rest_one_serves(const abuti_system *s)
{
    if (s->bodies != 1 || s->dim != DIM || s->sides != 1 || s->joints != 0 || s->n == 0) return false;
    int differ = s->directions[0] > ABUT_DIRECTIONS_MIN ? 0 : 1;
    for (int i = 1; i < s->n; ++i) differ |= s->directions[i] ^ s->directions[0];
    return differ == 0;
}

bool abuti_rest_one_surrounded(const abuti_system *s)
{
    return s->bodies == 1 && s->dim == DIM && s->sides == 1 && s->joints == 0 &&
           abuti_rest_one_choose()->surrounded(s);
}
