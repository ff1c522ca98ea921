#include "campaign_accel.h"
#include "contact_trial.h"
#include "family_accel.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What counts as solved in this campaign. */
static const double residual_limit = 1e-9;

typedef struct state {
    bool planar, still, mechanism;
    contact_case *problem;
    contact_trial *trial;
} state;

void accel_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    contact_case_destroy(s->problem);
    contact_trial_destroy(s->trial);
    free(s);
}

void *accel_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->planar = strncmp(family->name, "plane", 5) == 0;
    s->still = strstr(family->name, "static");
    s->mechanism = strcmp(family->name, "mechanisms") == 0;
    s->problem = contact_case_create();
    s->trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    if (s->problem && s->trial) return s;
    accel_campaign_close(s);
    return NULL;
}

static void make(state *s, bench_random *random)
{
    static const accel_motion motions[] = {ACCEL_MIXED, ACCEL_MIXED, ACCEL_SLIDING, ACCEL_AT_REST};
    accel_motion motion = s->still ? ACCEL_AT_REST : motions[bench_below(random, 4)];
    double friction = bench_below(random, 4) ? 0.8 : 2.0;
    if (s->mechanism) {
        accel_make_mechanism(s->problem, bench_below(random, 2), 1 + bench_below(random, 4), motion, random);
        return;
    }
    int bodies = 1 + bench_below(random, 3), contacts = bodies + bench_below(random, 12);
    accel_make(s->problem, s->planar, bodies, contacts, motion, friction, random);
}

/* Whether all modes of a problem are searched, whichever of its contacts slide. */
static bool is_searched(const abut_contact_problem *problem)
{
    int spatial = 0;
    for (int i = 0; i < problem->contact_count; ++i)
        spatial += problem->contacts[i].directions != ABUT_DIRECTIONS_MIN;
    return problem->contact_count <= ABUT_ACCEL_CONTACTS_MAX && spatial <= ABUT_ACCEL_SPATIAL_MAX;
}

stress_verdict accel_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    make(s, random);
    if (s->problem->failed || !contact_trial_run(s->trial, &s->problem->problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    verdict.residual = s->trial->check.residual;
    /* Where contacts are so few that all modes can be searched, a ray must be proven by that search. */
    bool small = is_searched(&s->problem->problem);
    bool ray = !s->still && verdict.outcome == ABUT_RAY && (s->trial->result.exhausted || !small);
    verdict.accepted = verdict.outcome == ABUT_SOLVED ? verdict.residual <= residual_limit : ray;
    return verdict;
}

bool accel_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, &s->problem->problem, &s->trial->options, &error);
}
