/* A sample of the campaign `worlds` (`abut stress worlds` runs all of it): drops into a box, rings with limits, squeezes. */
#include "check.h"
#include "stress.h"

static void test_sample(void)
{
    uint64_t seed = check_seed(3);
    for (const stress_family *f = stress_families; f->campaign; ++f) {
        if (strcmp(f->campaign, "worlds") != 0) continue;
        void *state = f->open_named(f);
        CHECK(state);
        for (uint64_t i = 0; state && i < 4; ++i) {
            bench_random random = bench_random_stream(seed, i);
            CHECK_MSG(f->one(state, &random).accepted, "worlds/%s, number %d", f->name, (int)i);
        }
        f->close(state);
    }
}

int main(void)
{
    RUN(test_sample);
    return check_report();
}
