/* The length of a vector in the plane: right to two units in the last place, at every size. */
#include "base/length.h"
#include "check.h"
#include "random.h"

#include <float.h>

/* Against a sum that is rounded to more digits; the power of two keeps its squares in range. */
static void check_pair(double x, double y, int exponent)
{
    long double wide = sqrtl((long double)x * x + (long double)y * y);
    double expected = ldexp((double)wide, exponent),
           got = abuti_length(ldexp(x, exponent), ldexp(y, exponent));
    CHECK_MSG(fabs(got - expected) <= 2 * DBL_EPSILON * expected, "%.17g, %.17g, 2^%d: %.17g, expected %.17g",
              x, y, exponent, got, expected);
}

static void test_sizes(void)
{
    uint64_t seed = check_seed(5);
    for (int i = 0; i < 20000; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        double x = bench_uniform(&random, -1, 1), y = bench_uniform(&random, -1, 1);
        check_pair(x, ldexp(y, -bench_below(&random, 60)), bench_below(&random, 1900) - 900);
    }
}

static void test_limits(void)
{
    CHECK(abuti_length(0, -0.0) == 0 && abuti_length(3, -4) == 5);
    CHECK(abuti_length(0x1p-1074, 0) == 0x1p-1074 && abuti_length(0, -DBL_MAX) == DBL_MAX);
    CHECK(abuti_length(3e300, 4e300) == 5e300);
    CHECK(isinf(abuti_length(DBL_MAX, DBL_MAX)) && isinf(abuti_length(-INFINITY, 1)));
    CHECK(isnan(abuti_length(NAN, 1)));
}

int main(void)
{
    RUN(test_sizes);
    RUN(test_limits);
    return check_report();
}
