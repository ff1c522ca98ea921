/* `abut stress active-set`: positive semidefinite LCPs of every class, each answer verified again. */
#include "campaign_active_set.h"
#include "abut/lcp.h"
#include "io/lcp_file.h"
#include "psd_classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What counts as solved in this campaign. */
static const double residual_limit = 1e-10;
/* Half the problems are tiny, where every combination of signs turns up; the rest go up to this. */
enum { largest_n = 40 };

typedef struct state {
    psd_class class;
    psd_problem problem;
    abut_lcp_workspace *work;
    double scratch[4 * largest_n];
} state;

void active_set_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    psd_close(&s->problem);
    abut_lcp_workspace_destroy(s->work);
    free(s);
}

void *active_set_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    abut_lcp_limits limits = {.n = largest_n};
    if (!s) return NULL;
    for (psd_class c = 0; c < PSD_CLASS_COUNT; ++c)
        if (strcmp(family->name, psd_class_name(c)) == 0) s->class = c;
    if (psd_open(&s->problem, largest_n) && abut_lcp_workspace_create(&limits, NULL, &s->work) == ABUT_OK)
        return s;
    active_set_close(s);
    return NULL;
}

stress_verdict active_set_one(void *opened, bench_random *random)
{
    state *s = opened;
    psd_problem *p = &s->problem;
    int n = 1 + bench_below(random, bench_below(random, 2) ? 8 : largest_n);
    psd_make(p, s->class, n, random);
    abut_lcp_problem problem = {.n = n, .M = p->M, .ld = n, .q = p->q};
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_ACTIVE_SET;
    abut_lcp_result result;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    if (abut_lcp_solve(s->work, &problem, &options, &result) != ABUT_OK) return verdict;
    verdict.outcome = result.outcome;
    if (result.outcome != ABUT_SOLVED) return verdict; /* every problem of these classes has a solution */
    abut_lcp_check check;
    abut_lcp_verify(&problem, result.z, s->scratch, s->scratch + n, &check);
    verdict.residual = check.residual;
    verdict.accepted = check.residual <= residual_limit;
    return verdict;
}

bool active_set_dump(void *opened, FILE *file)
{
    const psd_problem *p = &((state *)opened)->problem;
    abut_lcp_problem problem = {.n = p->n, .M = p->M, .ld = p->n, .q = p->q};
    return abuti_lcp_write_json(file, &problem);
}
