#include "campaign_union.h"
#include "abut/lcp.h"
#include "abut/union.h"
#include "contact_trial.h"
#include "family_unions.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What counts as solved: of the contact problem, and of the published LCP. */
static const double residual_limit = 1e-9;

typedef struct state {
    abut_contact_model model;
    int groups; /* 0: 1 to 4 */
    contact_case *problem;
    contact_trial *trial;
    double *memory; /* B, b, z, w, scratch of the published LCP */
    size_t size;
} state;

void union_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    contact_case_destroy(s->problem);
    contact_trial_destroy(s->trial);
    free(s->memory);
    free(s);
}

void *union_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->problem = contact_case_create();
    s->trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    if (!s->problem || !s->trial) {
        union_campaign_close(s);
        return NULL;
    }
    if (strncmp(family->name, "sum", 3) == 0) s->trial->options.unions.rule = ABUT_UNION_SUM;
    if (strstr(family->name, "frictionless")) s->model = ABUT_FRICTIONLESS;
    if (strstr(family->name, "no-slip")) s->model = ABUT_NO_SLIP;
    s->groups = atoi(family->name + strcspn(family->name, "0123456789"));
    return s;
}

/* The residual of the lifted answer on the published LCP; infinite when it cannot be formed. No-slip has no
 * LCP of this form. */
static double lifted_residual(state *s)
{
    const abut_contact_problem *problem = &s->problem->problem;
    if (s->model == ABUT_NO_SLIP) return 0;
    const abut_contact_options *options = &s->trial->options;
    const abut_contact_result *result = &s->trial->result;
    abut_union_size size;
    if (abut_union_lcp_size(problem, options, &size) != ABUT_OK) return INFINITY;
    size_t n = (size_t)size.rows, wanted = n * n + 6 * n;
    if (wanted > s->size) {
        double *grown = realloc(s->memory, wanted * sizeof *grown);
        if (!grown) return INFINITY;
        s->memory = grown;
        s->size = wanted;
    }
    double *B = s->memory, *b = B + n * n, *z = b + n, *w = z + n, *scratch = w + n, constant = 0;
    if (abut_union_lcp_build(s->trial->work, problem, options, &constant, B, b) != ABUT_OK ||
        abut_union_lift(problem, options, constant, result->contacts, result->joints, z) != ABUT_OK)
        return INFINITY;
    abut_lcp_problem lcp = {.n = (int)n, .M = B, .ld = (int)n, .q = b};
    abut_lcp_check check = {.residual = INFINITY};
    (void)abut_lcp_verify(&lcp, z, w, scratch, &check);
    return check.residual;
}

static void reverse_contacts(contact_case *c)
{
    for (int i = 0, j = c->problem.contact_count - 1; i < j; i++, j--) {
        abut_contact swap = c->contacts[i];
        c->contacts[i] = c->contacts[j];
        c->contacts[j] = swap;
    }
}

/* Whether the problem has no answer; unions with friction, or that must not slip, need not have one. The problem is
 * solved again with its contacts in the opposite order, in which the search decides everything the other way. It has
 * no answer when neither order gives one, and the search of one of them has shown that there is none. */
static bool has_none(state *s)
{
    bool shown = s->trial->result.exhausted;
    if (s->model == ABUT_FRICTIONLESS) return false;
    reverse_contacts(s->problem);
    bool ran = contact_trial_run(s->trial, &s->problem->problem);
    reverse_contacts(s->problem);
    return ran && s->trial->result.outcome != ABUT_SOLVED && (shown || s->trial->result.exhausted);
}

stress_verdict union_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    bool made = s->groups ? family_unions_many(s->problem, s->groups, random)
                          : family_unions_make(s->problem, random);
    if (!made) return verdict;
    s->problem->problem.model = s->model;
    if (!contact_trial_run(s->trial, &s->problem->problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    if (verdict.outcome == ABUT_SOLVED) {
        verdict.residual = fmax(s->trial->check.residual, lifted_residual(s));
        verdict.accepted = verdict.residual <= residual_limit;
    } else {
        verdict.accepted = has_none(s);
    }
    return verdict;
}

bool union_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, &s->problem->problem, &s->trial->options, &error);
}
