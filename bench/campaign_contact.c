#include "campaign_contact.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What counts as solved in these campaigns. */
static const double residual_limit = 1e-9;

typedef struct state {
    const contact_family *family;
    contact_case *problem;
    contact_trial *trial;
    abut_contact_model model;
} state;

void contact_campaign_close(void *opened)
{
    state *s = opened;
    if (s == NULL) return;
    contact_case_destroy(s->problem);
    contact_trial_destroy(s->trial);
    free(s);
}

void *contact_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    const char *after = strchr(family->campaign, '-');
    abut_contact_solver solver = ABUT_SOLVER_AUTO;
    bool alone = after != NULL && abut_contact_solver_from_name(after + 1, &solver);
    s->model = after != NULL && !alone ? ABUT_FRICTIONLESS : ABUT_COULOMB;
    s->family = contact_family_find(family->name);
    s->problem = contact_case_create();
    s->trial = contact_trial_create(solver, alone);
    if (s->family != NULL && s->problem != NULL && s->trial != NULL) return s;
    contact_campaign_close(s);
    return NULL;
}

stress_verdict contact_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    int count = 0;
    while (count < CONTACT_SIZES_MAX && s->family->sizes[count] != 0) count++;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    if (!contact_family_make(s->family, s->family->sizes[bench_below(random, count)], random, s->problem))
        return verdict;
    s->problem->problem.model = s->model;
    if (!contact_trial_run(s->trial, &s->problem->problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    verdict.residual = s->trial->check.residual;
    if (verdict.outcome == ABUT_SOLVED) {
        verdict.accepted = verdict.residual <= residual_limit;
    } else {
        verdict.accepted =
            s->family->ray_allowed && (verdict.outcome == ABUT_RAY || verdict.outcome == ABUT_INFEASIBLE);
    }
    return verdict;
}

bool contact_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, &s->problem->problem, NULL, s->trial->options.seed, &error);
}
