/* Lemke on the dense LCP of contact problems, alone: what bad scaling and redundancy do to it. */
#include "lloyd_case.h"

static contact_trial *trial;

/* Masses up to 1e6 apart: some impulses are as much larger than others, and the dense matrix squares that. */
static void test_masses(void)
{
    run_family(trial, "masses", 400, 200, RESIDUAL_PAPER, check_seed(21));
}

/* Contacts a little off each other or given many times over: bases that are nearly singular. */
static void test_redundant(void)
{
    uint64_t seed = check_seed(22);
    run_family(trial, "jittered", 60, 16, RESIDUAL_PAPER, seed);
    run_family(trial, "duplicates", 60, 20, RESIDUAL_PAPER, seed);
    run_family(trial, "symmetric-stacks", 60, 5, RESIDUAL_PAPER, seed);
}

int main(void)
{
    trial = contact_trial_create(ABUT_SOLVER_LEMKE, true);
    if (!trial) return 1;
    RUN(test_masses);
    RUN(test_redundant);
    contact_trial_destroy(trial);
    return check_report();
}
