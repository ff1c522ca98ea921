/* The front end to end: golden scenes through every solver of the table, the edges of the problem, budgets.
 */
#include "abut/contact.h"
#include "check.h"
#include "golden_contacts.h"

static abut_contact_problem golden_problem(const golden_scene *scene)
{
    return (abut_contact_problem){.model = ABUT_COULOMB,
                                  .step = scene->step,
                                  .contact_count = scene->contact_count,
                                  .contacts = scene->contacts,
                                  .body_count = scene->body_count,
                                  .bodies = scene->bodies};
}

/* Solves in a workspace of exactly the right size, and lets the public verifier judge the result once more.
 */
static abut_contact_workspace *solve(const abut_contact_problem *problem, const abut_contact_options *options,
                                     abut_contact_result *result)
{
    abut_contact_limits limits = abut_contact_limits_for(problem, options);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, problem, options, result), ABUT_OK);
    if (result->contacts) {
        double *impulses = calloc((size_t)problem->contact_count * 3 + 1, sizeof(double));
        double *scratch = calloc(abut_contact_verify_size(problem) + 1, sizeof(double));
        for (int i = 0; i < problem->contact_count; ++i) {
            impulses[3 * i] = result->contacts[i].normal;
            impulses[3 * i + 1] = result->contacts[i].tangent[0];
            impulses[3 * i + 2] = result->contacts[i].tangent[1];
        }
        abut_contact_check check;
        CHECK_EQ_INT(abut_contact_verify(problem, options, impulses, result->joints, result->velocity,
                                         scratch, &check),
                     ABUT_OK);
        CHECK_MSG(fabs(check.residual - result->residual) <= 1e-14, "%g against %g", check.residual,
                  result->residual);
        free(impulses);
        free(scratch);
    }
    return work;
}

static void test_golden_scenes(void)
{
    for (int s = 0; s < GOLDEN_SCENE_COUNT; ++s) {
        const golden_scene *scene = &golden_scenes[s];
        abut_contact_problem problem = golden_problem(scene);
        for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
            if (!abut_contact_supports(ABUT_COULOMB, (abut_contact_solver)solver, false)) continue;
            if (solver == ABUT_SOLVER_ENUMERATE) continue; /* tiny problems only: its own test */
            abut_contact_options options = abut_contact_default_options();
            options.solver = (abut_contact_solver)solver;
            options.alone = true;
            abut_contact_result result;
            abut_contact_workspace *work = solve(&problem, &options, &result);
            CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-12, "%s, %s: %s, residual %g",
                      scene->name, abut_contact_solver_name(options.solver),
                      abut_outcome_name(result.outcome), result.residual);
            if (result.contacts) {
                double sum = 0.0;
                for (int i = 0; i < problem.contact_count; ++i) sum += result.contacts[i].normal;
                if (scene->normal_sum != 0.0) CHECK_NEAR(sum, scene->normal_sum, 1e-12);
                for (int i = 0; i < 6 * problem.body_count; ++i)
                    CHECK_NEAR(result.velocity[i], scene->v[i], 1e-12);
            }
            abut_contact_workspace_destroy(work);
        }
    }
}

int main(void)
{
    RUN(test_golden_scenes);
    return check_report();
}
