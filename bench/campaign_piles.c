#include "campaign_piles.h"
#include "contact_trial.h"
#include "family_piles.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double residual_limit = 1e-9;
/* A problem may take so many seconds for each body: some thousand times what an easy one takes, so that a busy machine
 * does not decide. */
static const double seconds_a_body = 0.2;

typedef struct state {
    const pile_family *family;
    int bodies;
    contact_case *problem;
    contact_trial *trial;
} state;

void piles_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    contact_case_destroy(s->problem);
    contact_trial_destroy(s->trial);
    free(s);
}

/* A row is named FAMILY-BODIES. */
void *piles_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    const char *dash = strchr(family->name, '-');
    size_t length = dash ? (size_t)(dash - family->name) : 0;
    for (int k = 0; k < pile_family_count && dash; ++k) {
        const char *name = pile_families[k].name;
        if (strlen(name) == length && strncmp(name, family->name, length) == 0) s->family = &pile_families[k];
    }
    s->bodies = dash ? (int)strtol(dash + 1, NULL, 10) : 0;
    s->problem = contact_case_create();
    s->trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    if (s->family && s->problem && s->trial) return s;
    piles_campaign_close(s);
    return NULL;
}

stress_verdict piles_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    contact_case_clear(s->problem);
    s->family->make(s->problem, s->bodies, random);
    s->trial->options.max_seconds = seconds_a_body * s->bodies;
    if (s->problem->failed || !contact_trial_run(s->trial, &s->problem->problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    verdict.residual = s->trial->check.residual;
    verdict.accepted = verdict.outcome == ABUT_SOLVED && verdict.residual <= residual_limit;
    return verdict;
}

bool piles_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, &s->problem->problem, &s->trial->options, &error);
}
