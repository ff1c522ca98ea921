/* Sequences of 1,000 slowly changing problems, warm-started from step to step by contact key: every answer is
 * verified, and warm starts are worth it. */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include <string.h>

enum { STEPS = 1000 };

static const double RESIDUAL = 1e-9;

/* Pivots of the whole sequence. */
static long run_sequence(const contact_sequence *sequence, int size, abut_contact_solver solver, bool warm,
                         uint64_t seed)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(solver, false);
    trial->options.warm = warm;
    long pivots = 0;
    double worst = 0;
    for (int step = 0; step < STEPS; ++step) {
        contact_case_clear(c);
        sequence->make(c, size, step, seed);
        CHECK(!c->failed);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= RESIDUAL,
                  "%s size %d step %d by %s: %s, residual %g", sequence->name, size, step,
                  abut_contact_solver_name(solver), abut_outcome_name(trial->result.outcome),
                  trial->check.residual);
        if (!(trial->check.residual <= worst)) worst = trial->check.residual;
        pivots += trial->result.pivots;
    }
    printf("       %-14s %2d %-10s %-5s %7.2f pivots a step, worst residual %.1e\n", sequence->name, size,
           abut_contact_solver_name(solver), warm ? "warm" : "cold", (double)pivots / STEPS, worst);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
    return pivots;
}

static void all_sequences(abut_contact_solver solver, int largest)
{
    uint64_t seed = check_seed(20261115);
    for (int s = 0; s < contact_sequence_count; ++s)
        for (int k = 0; contact_sequences[s].sizes[k] != 0 && k < largest; ++k) {
            int size = contact_sequences[s].sizes[k];
            long cold = run_sequence(&contact_sequences[s], size, solver, false, seed);
            long warm = run_sequence(&contact_sequences[s], size, solver, true, seed);
            /* What rests takes one pivot a step, warm or cold. */
            CHECK_MSG(warm < cold || (cold == STEPS && warm <= cold), "%s size %d: %ld pivots warm, %ld cold",
                      contact_sequences[s].name, size, warm, cold);
        }
}

static void test_faces(void)
{
    all_sequences(ABUT_SOLVER_FACES, CONTACT_SIZES_MAX);
}

static void test_reduced(void)
{
    all_sequences(ABUT_SOLVER_REDUCED, 3);
}

static void test_structural(void)
{
    all_sequences(ABUT_SOLVER_STRUCTURAL, 2);
}

/* Contacts between two bodies that are all new start from a crash basis, which is worth more than to open
 * them. */
static void test_fresh_manifolds(void)
{
    uint64_t seed = check_seed(20261116);
    const contact_sequence *sequence = contact_sequences;
    while (strcmp(sequence->name, "restacked") != 0) sequence++;
    contact_case *c = contact_case_create();
    contact_trial *crash = contact_trial_create(ABUT_SOLVER_FACES, false),
                  *open = contact_trial_create(ABUT_SOLVER_FACES, false);
    abut_contact_face start[20] = {{0}};
    uint64_t key[20] = {0};
    long crash_pivots = 0, open_pivots = 0;
    int fresh = 0;
    crash->options.warm = true;
    for (int step = 0; step < STEPS; ++step) {
        contact_case_clear(c);
        sequence->make(c, 5, step, seed);
        CHECK(!c->failed && c->problem.contact_count == 20);
        for (int i = 0; i < 20; ++i) {
            if (key[i] != c->contacts[i].key) start[i] = (abut_contact_face){0};
            fresh += key[i] != c->contacts[i].key;
            key[i] = c->contacts[i].key;
        }
        open->options.start = step > 0 ? start : NULL;
        CHECK(contact_trial_run(crash, &c->problem) && contact_trial_run(open, &c->problem));
        CHECK(crash->result.outcome == ABUT_SOLVED && crash->check.residual <= RESIDUAL);
        CHECK(open->result.outcome == ABUT_SOLVED && open->check.residual <= RESIDUAL);
        for (int i = 0; i < 20; ++i) start[i] = crash->result.faces[i];
        crash_pivots += step > 0 ? crash->result.pivots : 0;
        open_pivots += step > 0 ? open->result.pivots : 0;
    }
    printf("       fresh manifolds: %ld pivots from crash bases, %ld from open contacts\n", crash_pivots,
           open_pivots);
    CHECK(fresh > 4 * STEPS / 3 - 20);
    CHECK(crash_pivots < open_pivots);
    contact_case_destroy(c);
    contact_trial_destroy(crash);
    contact_trial_destroy(open);
}

int main(void)
{
    RUN(test_faces);
    RUN(test_fresh_manifolds);
    RUN(test_reduced);
    RUN(test_structural);
    return check_report();
}
