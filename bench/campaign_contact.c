#include "campaign_contact.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What counts as solved in these campaigns: Lloyd's and the face states' problems, and Drumwright's. */
static const double residual_limit = 1e-9, normal_residual_limit = 1e-10;

typedef struct state {
    const contact_family *family;
    contact_case *problem;
    contact_trial *trial;
    abut_contact_model model;
    abut_contact_cone cone;
} state;

/* Drumwright's models, and the one they extend. */
static bool normal_only(abut_contact_model model)
{
    return model == ABUT_VISCOUS || model == ABUT_NO_SLIP;
}

void contact_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    contact_case_destroy(s->problem);
    contact_trial_destroy(s->trial);
    free(s);
}

void *contact_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    abut_contact_solver solver = ABUT_SOLVER_AUTO;
    bool alone = false;
    if (!abut_contact_model_from_name(family->campaign, &s->model)) {
        const char *after = strchr(family->campaign, '-');
        alone = after && abut_contact_solver_from_name(after + 1, &solver);
        s->model = after && !alone ? ABUT_FRICTIONLESS : ABUT_COULOMB;
    }
    (void)abut_contact_cone_from_name(family->campaign, &s->cone);
    bool noisy = strcmp(family->name, contact_noisy_family.name) == 0 && normal_only(s->model);
    s->family = noisy ? &contact_noisy_family : contact_family_find(family->name);
    s->problem = contact_case_create();
    s->trial = contact_trial_create(solver, alone);
    if (s->family && s->problem && s->trial) return s;
    contact_campaign_close(s);
    return NULL;
}

/* Makes the problem one for Drumwright's models: bodies move, contacts of the model viscous get coefficients and, with
 * `duplicate`, as many copies of contacts are added as there are contacts. */
static void disturb(contact_case *c, abut_contact_model model, bool duplicate, bench_random *random)
{
    for (int b = 0; b < c->problem.body_count; ++b)
        for (int k = 0; k < 6; ++k) c->bodies[b].velocity[k] += bench_uniform(random, -0.1, 0.1);
    const int count = c->problem.contact_count, copies = duplicate ? count : 0;
    for (int i = 0; i < copies; ++i) {
        const abut_contact from = c->contacts[bench_below(random, count)];
        int copy =
            contact_case_add(c, from.bodies[0], from.bodies[1], from.friction, from.point, from.normal);
        if (c->failed) continue;
        uint64_t key = c->contacts[copy].key; /* a name of its own */
        c->contacts[copy] = from;
        c->contacts[copy].key = key;
    }
    for (int i = 0; i < c->problem.contact_count && model == ABUT_VISCOUS; ++i)
        c->contacts[i].viscous = bench_uniform(random, 0, 10) * c->bodies[c->contacts[i].bodies[0]].mass;
}

/* Circles in place of polygons, or ellipses up to ten times as long as wide. */
static void make_round(contact_case *c, abut_contact_cone cone, bench_random *random)
{
    for (int i = 0; i < c->problem.contact_count; ++i) {
        abut_contact *contact = &c->contacts[i];
        contact->cone = cone;
        if (cone != ABUT_CONE_ELLIPSE) continue;
        contact->friction_across = contact->friction * pow(10.0, bench_uniform(random, -1, 1));
        if (!(contact->friction > 0)) contact->cone = ABUT_CONE_CIRCLE;
    }
}

/* An answer is moderate when no impulse is larger than this many times all momentum that there is. */
static const double moderate_impulse = 100.0;

static bool moderate(const state *s)
{
    const abut_contact_problem *problem = &s->problem->problem;
    double momentum = 0.0, largest = 0.0;
    for (int b = 0; b < problem->body_count; ++b)
        for (int k = 0; k < 6; ++k)
            momentum += fabs(problem->bodies[b].mass * problem->bodies[b].velocity[k]) +
                        fabs(problem->step * problem->bodies[b].force[k]);
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *answer = &s->trial->result.contacts[i];
        largest = fmax(largest, answer->normal + hypot(answer->tangent[0], answer->tangent[1]));
    }
    return largest <= moderate_impulse * momentum;
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
    if (s->cone != ABUT_CONE_POLYGON) make_round(s->problem, s->cone, random);
    if (normal_only(s->model)) disturb(s->problem, s->model, bench_below(random, 3) == 0, random);
    if (!contact_trial_run(s->trial, &s->problem->problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    verdict.residual = s->trial->check.residual;
    if (verdict.outcome == ABUT_SOLVED) {
        verdict.accepted =
            verdict.residual <= (normal_only(s->model) ? normal_residual_limit : residual_limit);
        verdict.accepted = verdict.accepted && (s->family != &contact_noisy_family || moderate(s));
    } else {
        verdict.accepted = s->family->ray_allowed && (verdict.outcome == ABUT_RAY || s->trial->proven);
    }
    return verdict;
}

bool contact_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, &s->problem->problem, &s->trial->options, &error);
}
