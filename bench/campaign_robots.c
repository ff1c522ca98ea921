#include "campaign_robots.h"
#include "contact_trial.h"
#include "family_robots.h"
#include "io/contact_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double residual_limit = 1e-9;
/* Problems with at most so many contacts and joint rows are given to an exhaustive search, which itself refuses more
 * than 16 rows of the LCP. */
enum { EXHAUSTIVE = 3 };

typedef struct state {
    const robot_family *family;
    robot_scene *scene;
    contact_trial *trial, *oracle;
    abut_contact_cone cone;
    const abut_contact_problem *problem; /* the last one, in the form that was solved */
} state;

void robots_campaign_close(void *opened)
{
    state *s = opened;
    if (!s) return;
    robot_scene_destroy(s->scene);
    contact_trial_destroy(s->trial);
    contact_trial_destroy(s->oracle);
    free(s);
}

void *robots_campaign_open(const stress_family *family)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    const char *after = strchr(family->campaign, '-');
    if (after) (void)abut_contact_cone_from_name(after + 1, &s->cone);
    s->family = robot_family_find(family->name);
    s->scene = robot_scene_create();
    s->trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    s->oracle = contact_trial_create(ABUT_SOLVER_ENUMERATE, true);
    if (s->family && s->scene && s->trial && s->oracle) return s;
    robots_campaign_close(s);
    return NULL;
}

/* Whether a problem that ended without an answer may have none: its family allows that, and the search, where it is
 * asked, has found none either. */
static bool none_exists(state *s, const abut_contact_problem *problem)
{
    if (!s->family->none_allowed) return false;
    if (s->cone != ABUT_CONE_POLYGON) return true;
    if (problem->contact_count + problem->joint_count > EXHAUSTIVE) return true;
    return !contact_trial_run(s->oracle, problem) || s->oracle->result.outcome != ABUT_SOLVED;
}

/* Circles in place of polygons, or ellipses up to three times as long as wide, in both forms. */
static void make_round(state *s, bench_random *random)
{
    abut_contact *forms[2] = {s->scene->maximal->contacts, s->scene->contacts};
    for (int i = 0; i < s->scene->maximal->problem.contact_count; ++i) {
        double across = s->cone == ABUT_CONE_ELLIPSE ? bench_uniform(random, 1.0 / 3, 3) : 0;
        for (int k = 0; k < 2; ++k) {
            forms[k][i].cone = forms[k][i].friction > 0 ? s->cone : ABUT_CONE_CIRCLE;
            forms[k][i].friction_across = across * forms[k][i].friction;
        }
    }
}

stress_verdict robots_campaign_one(void *opened, bench_random *random)
{
    state *s = opened;
    int count = 0;
    while (count < CONTACT_SIZES_MAX && s->family->sizes[count] != 0) count++;
    stress_verdict verdict = {.outcome = ABUT_FAILED, .residual = INFINITY};
    if (!robot_family_make(s->family, s->family->sizes[bench_below(random, count)], random, s->scene))
        return verdict;
    if (s->cone != ABUT_CONE_POLYGON) make_round(s, random);
    if (bench_below(random, 2)) s->scene->generalised.parents = s->scene->parents;
    const abut_contact_problem *problem =
        bench_below(random, 4) == 0 ? &s->scene->maximal->problem : &s->scene->reduced;
    s->problem = problem;
    if (!contact_trial_run(s->trial, problem)) return verdict;
    verdict.outcome = s->trial->result.outcome;
    verdict.residual = s->trial->check.residual;
    verdict.accepted = verdict.outcome == ABUT_SOLVED
                           ? verdict.residual <= residual_limit
                           : (verdict.outcome == ABUT_RAY || s->trial->proven) && none_exists(s, problem);
    return verdict;
}

bool robots_campaign_dump(void *opened, FILE *file)
{
    state *s = opened;
    abut_error error;
    return abuti_contact_write_capsule(file, s->problem, &s->trial->options, &error);
}
