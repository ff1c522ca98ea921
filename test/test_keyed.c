/* Warm steps whatever keys tell: of four and eight points, of new manifolds, with keys that several contacts have or
 * that name other contacts than in the last step. Every step is solved, and warm takes few more pivots than cold. (`abut
 * bench stepping` has the times.) */
#include "check.h"
#include "contact_trial.h"
#include "family_keyed.h"

#include <math.h>

enum { STEPS = 40 };

/* A fifth more than cold, and some pivots a step: rounds inside, flips and events cost more and less. */
#define SHARE 1.2
#define FEW 8

static void run_sequence(const contact_sequence *sequence, int size)
{
    contact_case *c = contact_case_create();
    contact_trial *warm = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *cold = contact_trial_create(ABUT_SOLVER_AUTO, false);
    long warm_pivots = 0, cold_pivots = 0;
    CHECK(c && warm && cold);
    if (warm) warm->options.warm = true;
    for (int step = 0; step < STEPS && c && warm && cold; ++step) {
        sequence->make(c, size, step, 1);
        CHECK(contact_trial_run(warm, &c->problem) && contact_trial_run(cold, &c->problem));
        CHECK_MSG(warm->result.outcome == ABUT_SOLVED && cold->result.outcome == ABUT_SOLVED,
                  "%s %d, step %d: %s and %s", sequence->name, size, step,
                  abut_outcome_name(warm->result.outcome), abut_outcome_name(cold->result.outcome));
        CHECK_MSG(warm->check.residual <= warm->options.tolerance, "%s %d, step %d: %g", sequence->name, size,
                  step, warm->check.residual);
        warm_pivots += warm->result.pivots;
        cold_pivots += cold->result.pivots;
    }
    CHECK_MSG((double)warm_pivots <= SHARE * (double)cold_pivots + FEW * STEPS, "%s %d: %ld and %ld pivots",
              sequence->name, size, warm_pivots, cold_pivots);
    contact_trial_destroy(warm);
    contact_trial_destroy(cold);
    contact_case_destroy(c);
}

static void test_all(void)
{
    for (int k = 0; k < contact_keyed_count; ++k) {
        const contact_sequence *sequence = &contact_keyed_sequences[k];
        for (int i = 0; i < CONTACT_SIZES_MAX && sequence->sizes[i] > 0 && sequence->sizes[i] <= 30; ++i)
            run_sequence(sequence, sequence->sizes[i]);
    }
}

int main(void)
{
    RUN(test_all);
    return check_report();
}
