#include "campaign_rest.h"
#include "contact_trial.h"
#include "family_rest.h"
#include "io/contact_file.h"
#include "rest_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is left of the free motion's energy when things rest: the square of what the verifier lets pass. */
static const double residual_limit = 1e-9, energy_limit = 1e-18;
/* Problems that are made before one can rest. */
enum { TRIES = 200 };

typedef struct state {
    const rest_family *family;
    contact_case *problem;
    contact_trial *trial;
} state;

void rest_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    contact_case_destroy(s->problem);
    contact_trial_destroy(s->trial);
    free(s);
}

void *rest_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    for (s->family = rest_families; s->family->name && strcmp(s->family->name, family->name) != 0;)
        s->family++;
    s->problem = contact_case_create();
    s->trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    if (s->family->name && s->problem && s->trial) return s;
    rest_campaign_close(s);
    return NULL;
}

stress_verdict rest_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    rest_finding found = REST_IMPOSSIBLE;
    int sizes = 0;
    while (sizes < CONTACT_SIZES_MAX && s->family->sizes[sizes] != 0) sizes++;
    for (int k = 0; k < TRIES && found != REST_POSSIBLE; ++k) {
        contact_case_clear(s->problem);
        s->family->make(s->problem, s->family->sizes[bench_below(random, sizes)], random);
        if (s->problem->failed) return verdict;
        found = rest_oracle(&s->problem->problem);
    }
    const abut_contact_problem *problem = &s->problem->problem;
    if (found != REST_POSSIBLE || !contact_trial_run(s->trial, problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    verdict.residual = s->trial->check.residual;
    if (verdict.outcome != ABUT_SOLVED) return verdict;
    double after = rest_energy(problem, s->trial->result.velocity), free_motion = rest_energy(problem, NULL);
    bool rests = after <= energy_limit * free_motion || !rest_has_room(problem);
    verdict.accepted = verdict.residual <= residual_limit && rests;
    return verdict;
}

bool rest_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, &s->problem->problem, &s->trial->options, &error);
}
