/* `abut stress lcp`: every family of LCPs through `auto`. What is solvable by construction must be solved,
 * what theory decides must be solved or proved infeasible; of the rest any outcome is fine that an own call
 * of the verifier confirms. */
#include "campaign_lcp.h"
#include "abut/lcp.h"
#include "io/lcp_file.h"
#include "lcp_families.h"

#include <math.h>
#include <stdlib.h>

static const double residual_limit = 1e-9;
enum { LARGEST_N = 40 };

typedef struct state {
    const lcp_family *family;
    abut_lcp_workspace *work;
    int n;
    double M[LARGEST_N * LARGEST_N], q[LARGEST_N];
    double scratch[2 * LARGEST_N * LARGEST_N + 4 * LARGEST_N];
} state;

void lcp_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    abut_lcp_workspace_destroy(s->work);
    free(s);
}

void *lcp_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    abut_lcp_limits limits = {.n = LARGEST_N};
    if (!s) return NULL;
    s->family = lcp_family_find(family->name);
    if (s->family && abut_lcp_workspace_create(&limits, NULL, &s->work) == ABUT_OK) return s;
    lcp_campaign_close(s);
    return NULL;
}

stress_verdict lcp_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    /* Half the problems are tiny, where every combination of signs and ties turns up. */
    s->n = 1 + bench_below(random, bench_below(random, 2) == 0 ? 6 : LARGEST_N);
    s->family->make(random, s->n, s->M, s->q, s->scratch);
    abut_lcp_problem problem = {.n = s->n, .M = s->M, .ld = s->n, .q = s->q};
    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_result result;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    if (abut_lcp_solve(s->work, &problem, &options, &result) != ABUT_OK) return verdict;
    verdict.outcome = result.outcome;
    if (result.outcome == ABUT_SOLVED) {
        abut_lcp_check check = {.residual = INFINITY};
        abut_lcp_verify(&problem, result.z, s->scratch, s->scratch + s->n, &check);
        verdict.residual = check.residual;
        verdict.accepted = check.residual <= residual_limit;
    } else if (!s->family->solvable) {
        double bound;
        verdict.accepted =
            (result.outcome == ABUT_RAY && !s->family->decided) ||
            (result.outcome == ABUT_INFEASIBLE && abut_lcp_verify_witness(&problem, result.witness, &bound));
    }
    return verdict;
}

bool lcp_campaign_dump(void *opened, FILE *file)
{
    const state *s = opened;
    abut_lcp_problem problem = {.n = s->n, .M = s->M, .ld = s->n, .q = s->q};
    return abuti_lcp_write_json(file, &problem);
}
