/* Baraff's algorithm on random problems of the acceleration level. */
#include "check.h"
#include "contact_trial.h"
#include "family_accel.h"

#include <string.h>

static bool count_one(const abut_contact_result *result, void *context)
{
    (void)result;
    (void)context;
    return true;
}

/* Random problems with redundant contacts: solved and verified, or a ray where something slides; and where
 * modes can be gone through, a ray is right: there is no answer. */
static void test_random_problems(void)
{
    uint64_t seed = check_seed(11);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    CHECK(trial && c);
    for (int i = 0; i < 1200 && trial && c; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int bodies = 1 + bench_below(&random, 3), contacts = bodies + bench_below(&random, 8);
        accel_motion motion = (accel_motion)bench_below(&random, 3);
        if (i % 3 == 2)
            accel_make_mechanism(c, i % 2, bodies, motion, &random);
        else
            accel_make(c, i % 2, bodies, contacts, motion, 1.5, &random);
        CHECK(contact_trial_run(trial, &c->problem));
        bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        bool ray = trial->result.outcome == ABUT_RAY && motion != ACCEL_AT_REST && trial->result.ray;
        CHECK_MSG(solved || ray, "problem %d: %s, residual %g", i, abut_outcome_name(trial->result.outcome),
                  trial->check.residual);
        if (!ray || i % 2 == 0) continue;
        int count = -1;
        abut_status status =
            abut_accel_all(trial->work, &c->problem, &trial->options, count_one, NULL, &count);
        CHECK_MSG(status == ABUT_TOO_LARGE || count == 0, "problem %d: a ray, but %d answers", i, count);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Redundant contacts make steps of length zero, on which a contact can go back and forth without end. Giving
 * it up for a while ends that: in the plane, at rest, driving alone solves them all (without it 5 of these
 * loop). */
static void test_driving_alone_ends(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_DRIVE, true);
    contact_case *c = contact_case_create();
    CHECK(trial && c);
    if (trial) trial->options.stage = "drive";
    for (int i = 0; i < 1000 && trial && c; ++i) {
        bench_random random = bench_random_stream(11, (uint64_t)i);
        int bodies = 1 + bench_below(&random, 3), contacts = bodies + bench_below(&random, 12);
        accel_make(c, true, bodies, contacts, ACCEL_AT_REST, 0.8, &random);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-10,
                  "problem %d: %s after %d steps", i, abut_outcome_name(trial->result.outcome),
                  trial->result.pivots);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* In the plane all modes of up to 24 contacts are searched before a ray is told: each is proven, so that no
 * impulse is applied where forces would do. */
static void test_planar_rays_are_proven(void)
{
    uint64_t seed = check_seed(13);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    CHECK(trial && c);
    int rays = 0, searched = 0;
    for (int i = 0; i < 1600 && trial && c; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int bodies = 1 + bench_below(&random, 4), contacts = 9 + i % 16;
        accel_make(c, true, bodies, contacts, i % 2 ? ACCEL_MIXED : ACCEL_SLIDING, i % 4 ? 0.8 : 2.0,
                   &random);
        CHECK(contact_trial_run(trial, &c->problem));
        bool solved = trial->result.outcome == ABUT_SOLVED;
        if (solved) CHECK(trial->check.residual <= 1e-9);
        CHECK_MSG(solved || (trial->result.outcome == ABUT_RAY && trial->result.exhausted),
                  "problem %d: %s, no proof", i, abut_outcome_name(trial->result.outcome));
        rays += !solved;
        searched += solved && strcmp(trial->result.stage, "drive-modes") == 0;
    }
    CHECK_MSG(rays > 5 && searched > 5, "%d rays, %d answers by the search", rays, searched);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_random_problems);
    RUN(test_driving_alone_ends);
    RUN(test_planar_rays_are_proven);
    return check_report();
}
