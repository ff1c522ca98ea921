/* max_pivots and max_seconds at the acceleration level: kept by every stage, within the work of a pivot. */
#include "check.h"
#include "contact_trial.h"
#include "family_accel.h"

#include <time.h>

typedef struct scene {
    const char *name;
    bool planar;
    int bodies, contacts;
    accel_motion motion;
    double friction;
    bool impulse;
} scene;

static void make(contact_case *c, const scene *s, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, 1);
    if (s->contacts > 0)
        accel_make(c, s->planar, s->bodies, s->contacts, s->motion, s->friction, &random);
    else
        accel_make_mechanism(c, s->planar, s->bodies, s->motion, &random);
}

/* No stage, and no sequence of impacts, takes more pivots than it is given. */
static void test_pivots(void)
{
    static const scene scenes[] = {
        {"frictionless", false, 10, 60, ACCEL_AT_REST, 0.0, false},
        {"plane at rest", true, 4, 24, ACCEL_AT_REST, 0.8, false},
        {"plane, sliding", true, 3, 16, ACCEL_SLIDING, 2.0, true},
        {"space at rest", false, 2, 8, ACCEL_AT_REST, 0.8, false},
        {"space, some slide", false, 3, 12, ACCEL_MIXED, 2.0, true},
        {"mechanism", true, 6, 0, ACCEL_SLIDING, 0.0, true},
    };
    static const int budgets[] = {1, 2, 5, 20, 100};
    uint64_t seed = check_seed(14);
    contact_case *c = contact_case_create();
    CHECK(c);
    int cut_short = 0;
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes && c; ++k) {
        for (int i = 0; i < 40; ++i) {
            make(c, &scenes[k], seed + (uint64_t)i);
            contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
            CHECK(trial);
            if (!trial) break;
            trial->options.accel.apply_impulse = scenes[k].impulse;
            trial->options.stage = abut_contact_stage_name(ABUT_COULOMB_ACCEL, ABUT_SOLVER_AUTO, i % 6);
            trial->options.max_pivots = budgets[i % 5];
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK_MSG(trial->result.pivots <= budgets[i % 5], "%s, stage %s: %d pivots of %d", scenes[k].name,
                      trial->options.stage ? trial->options.stage : "all", trial->result.pivots,
                      budgets[i % 5]);
            cut_short += trial->result.outcome == ABUT_LIMIT;
            contact_trial_destroy(trial);
        }
    }
    CHECK_MSG(cut_short > 20, "%d cut short", cut_short);
    contact_case_destroy(c);
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Problems that take seconds, given 20 ms. The time is that of this process alone, and generous: it is the
 * work between two looks at the clock that must stay small, the guess of a frictionless start (2.4 s
 * before), the search through modes, Lemke's path, impacts one after the other. */
static void test_seconds(void)
{
    static const scene scenes[] = {
        {"frictionless", false, 150, 1500, ACCEL_AT_REST, 0.0, false},
        {"plane, sliding", true, 60, 700, ACCEL_SLIDING, 2.0, true},
        {"space at rest", false, 100, 650, ACCEL_AT_REST, 0.6, false},
        {"mechanism", false, 60, 0, ACCEL_AT_REST, 0.0, true},
    };
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(c && trial);
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes && c && trial; ++k) {
        make(c, &scenes[k], 7);
        trial->options.accel.apply_impulse = scenes[k].impulse;
        for (int stage = -1; stage < 5; ++stage) {
            trial->options.stage =
                stage < 0 ? NULL : abut_contact_stage_name(ABUT_COULOMB_ACCEL, ABUT_SOLVER_AUTO, stage);
            trial->options.max_seconds = 1e-9; /* makes the room */
            CHECK(contact_trial_run(trial, &c->problem));
            trial->options.max_seconds = 0.02;
            double start = cpu_seconds();
            /* A stage by itself may find out in time that it has no room for so many contacts. */
            CHECK(contact_trial_run(trial, &c->problem) || (stage >= 0 && trial->status == ABUT_TOO_LARGE));
            double spent = cpu_seconds() - start;
            CHECK_MSG(spent < 1.0, "%s, stage %s: %g s", scenes[k].name,
                      trial->options.stage ? trial->options.stage : "all", spent);
        }
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_pivots);
    RUN(test_seconds);
    return check_report();
}
