/* One contact problem solved and verified, for tests, benchmarks and campaigns: keeps a workspace that grows
 * with the problems, and judges every answer by its own call of the verifier. */
#ifndef ABUT_BENCH_CONTACT_TRIAL_H
#define ABUT_BENCH_CONTACT_TRIAL_H

#include "abut/contact.h"

#include <stdbool.h>

typedef struct contact_trial {
    abut_contact_options options; /* set what is wanted before a run */
    abut_contact_limits limits;
    abut_contact_workspace *work;
    double *memory; /* impulses, and the verifier's scratch */
    size_t memory_size;

    /* What the last run gave. */
    abut_status status; /* of abut_contact_solve */
    abut_contact_result result;
    abut_contact_check check; /* the own verifier's; residual infinite where there is no answer */
    bool proven;              /* outcome infeasible, with a witness that its verifier accepts */
    double us;                /* time of abut_contact_solve alone, */
    double cpu_us;            /* and how long this thread was at work in it */
} contact_trial;

contact_trial *contact_trial_create(abut_contact_solver solver, bool alone);
void contact_trial_destroy(contact_trial *trial);
/* False when memory is short or the problem is refused; trial->result is valid otherwise. */
bool contact_trial_run(contact_trial *trial, const abut_contact_problem *problem);

#endif
