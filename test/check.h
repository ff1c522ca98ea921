/* A small harness for tests: checks that say where and what, and one line at the end.
 *
 *     static void test_sum(void) { CHECK_EQ_INT(1 + 1, 2); }
 *
 *     int main(void) {
 *         RUN(test_sum);
 *         return check_report();
 *     }
 *
 * A failed check prints file, line and values, is counted, and the test goes on. Random tests take their seed
 * from check_seed(), which prints it; ABUT_SEED in the environment replays one.
 */

#ifndef ABUT_TEST_CHECK_H
#define ABUT_TEST_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test program that cannot run here (its component was left out) returns this. */
#define CHECK_SKIPPED 77

/* After so many failures a test only counts them. */
#define CHECK_FAILURES_SHOWN 50

typedef struct check_counters {
    long checks, failures, tests, failed_tests;
    const char *test; /* the one that runs now */
} check_counters;

static check_counters check_counts;

/* Counts one check; true when its failure should be printed. */
static inline int check_fails(int passed)
{
    check_counts.checks++;
    if (passed) return 0;
    check_counts.failures++;
    if (check_counts.failures == CHECK_FAILURES_SHOWN + 1)
        fprintf(stderr, "further failures are only counted\n");
    return check_counts.failures <= CHECK_FAILURES_SHOWN;
}

#define CHECK_FAIL(...)                                                                                      \
    do {                                                                                                     \
        fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, check_counts.test ? check_counts.test : "main");  \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
    } while (0)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (check_fails((condition) ? 1 : 0)) CHECK_FAIL("%s", #condition);                                  \
    } while (0)

/* As CHECK, with a printf message that says which case it was. */
#define CHECK_MSG(condition, ...)                                                                            \
    do {                                                                                                     \
        if (check_fails((condition) ? 1 : 0)) {                                                              \
            CHECK_FAIL("%s", #condition);                                                                    \
            fprintf(stderr, "    " __VA_ARGS__);                                                             \
            fputc('\n', stderr);                                                                             \
        }                                                                                                    \
    } while (0)

#define CHECK_EQ_INT(actual, expected)                                                                       \
    do {                                                                                                     \
        long long check_a = (long long)(actual), check_e = (long long)(expected);                            \
        if (check_fails(check_a == check_e))                                                                 \
            CHECK_FAIL("%s is %lld, expected %lld", #actual, check_a, check_e);                              \
    } while (0)

/* |actual - expected| <= tolerance; a NaN fails. */
#define CHECK_NEAR(actual, expected, tolerance)                                                              \
    do {                                                                                                     \
        double check_a = (actual), check_e = (expected), check_t = (tolerance);                              \
        if (check_fails(fabs(check_a - check_e) <= check_t))                                                 \
            CHECK_FAIL("%s is %.17g, expected %.17g within %.3g", #actual, check_a, check_e, check_t);       \
    } while (0)

#define CHECK_STR(actual, expected)                                                                          \
    do {                                                                                                     \
        const char *check_a = (actual), *check_e = (expected);                                               \
        if (check_fails(check_a && check_e ? strcmp(check_a, check_e) == 0 : check_a == check_e))            \
            CHECK_FAIL("%s is \"%s\", expected \"%s\"", #actual, check_a ? check_a : "(null)",               \
                       check_e ? check_e : "(null)");                                                        \
    } while (0)

#define RUN(test_fn)                                                                                         \
    do {                                                                                                     \
        long check_before = check_counts.failures;                                                           \
        check_counts.test = #test_fn;                                                                        \
        check_counts.tests++;                                                                                \
        test_fn();                                                                                           \
        if (check_counts.failures > check_before) {                                                          \
            check_counts.failed_tests++;                                                                     \
            printf("FAILED %s: %ld failures\n", #test_fn, check_counts.failures - check_before);             \
        } else {                                                                                             \
            printf("ok     %s\n", #test_fn);                                                                 \
        }                                                                                                    \
        fflush(stdout);                                                                                      \
        check_counts.test = NULL;                                                                            \
    } while (0)

/* The seed of a random test: the given one, or ABUT_SEED from the environment. Printed either way. */
static inline uint64_t check_seed(uint64_t seed)
{
    const char *text = getenv("ABUT_SEED");
    if (text) seed = strtoull(text, NULL, 0);
    printf("seed   %llu (%s)\n", (unsigned long long)seed, check_counts.test ? check_counts.test : "main");
    return seed;
}

/* The closing line; what main returns. A program that checked nothing has failed. */
static inline int check_report(void)
{
    printf("%ld tests, %ld checks, %ld failures in %ld tests\n", check_counts.tests, check_counts.checks,
           check_counts.failures, check_counts.failed_tests);
    return check_counts.failures > 0 || check_counts.checks == 0;
}

#endif
