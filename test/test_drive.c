/* Baraff's algorithm: golden problems through the W + q door, scenes through the bodies' door, what the
 * published conditions get wrong, random problems with more contacts than needed. */
#include "contact_case.h"
#include "golden_baraff.h"
#include "golden_contacts.h"

/* A golden problem as a contact problem; its arrays live in the case. */
typedef struct local_case {
    abut_contact contact[16];
    abut_joint joint[4];
    abut_local local;
    abut_contact_problem problem;
} local_case;

static void make_local(local_case *c, const golden_baraff *g)
{
    *c = (local_case){.local = {.dimension = g->dimension, .W = g->A, .q = g->b, .velocity = g->velocity}};
    for (int i = 0; i < g->contacts; ++i)
        c->contact[i] = (abut_contact){.friction = g->mu, .directions = g->dimension == 2 ? 2 : 0};
    c->problem = (abut_contact_problem){.model = ABUT_COULOMB_ACCEL,
                                        .contact_count = g->contacts,
                                        .contacts = c->contact,
                                        .local = &c->local};
}

static void check_solved(const abut_contact_problem *problem, const abut_contact_options *options,
                         const abut_contact_result *result, const char *name)
{
    abut_contact_check check = case_verify(problem, options, result);
    CHECK_MSG(result->outcome == ABUT_SOLVED && check.residual <= 1e-10, "%s: %s by %s, residual %g", name,
              abut_outcome_name(result->outcome), result->stage, check.residual);
}

/* Accelerations are unique where the golden data gives them; forces need not be. */
static void test_golden_problems(void)
{
    abut_contact_options options = abut_contact_default_options();
    for (size_t k = 0; k < sizeof golden_baraff_cases / sizeof *golden_baraff_cases; ++k) {
        const golden_baraff *g = &golden_baraff_cases[k];
        local_case c;
        make_local(&c, g);
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&c.problem, &options, &result);
        if (!g->a) {
            CHECK_MSG(result.outcome == ABUT_RAY && result.ray, "%s: %s", g->name,
                      abut_outcome_name(result.outcome));
            /* The impulse pushes the tip up and against its sliding: (1, -mu). */
            if (result.ray) {
                CHECK(result.ray[0] > 0.0);
                CHECK_NEAR(result.ray[1] / result.ray[0], -g->mu, 1e-12);
            }
        } else {
            check_solved(&c.problem, &options, &result, g->name);
            for (int i = 0; i < g->contacts && result.contacts; ++i)
                for (int t = 0; t < g->dimension; ++t) {
                    double a = result.contacts[i].velocity[t], wanted = g->a[g->dimension * i + t];
                    CHECK_MSG(fabs(a - wanted) <= 1e-9, "%s: a[%d][%d] = %.12g, not %.12g", g->name, i, t, a,
                              wanted);
                }
        }
        abut_contact_workspace_destroy(work);
    }
}

/* Two masses joined by a bilateral rod: 1 kg on the ground under 2 kg, at rest and lifted. */
static void test_bilateral_rod(void)
{
    const double W[9] = {1, 0, -1, 0, 0, 0, -1, 0, 1.5};
    const double q[2][3] = {{-9.81, 0, 0}, {-9.81, 0, 24.525}};
    const double expected[2][3] = {{29.43, 19.62, 0.0}, {0.0, -16.35, 6.54}};
    abut_contact_options options = abut_contact_default_options();
    abut_contact contact = {.directions = 2};
    abut_joint joint = {.target = 0.0};
    for (int k = 0; k < 2; ++k) {
        abut_local local = {.dimension = 2, .W = W, .q = q[k]};
        abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                        .contact_count = 1,
                                        .contacts = &contact,
                                        .joint_count = 1,
                                        .joints = &joint,
                                        .local = &local};
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        check_solved(&problem, &options, &result, "bilateral rod");
        if (result.contacts) {
            CHECK_NEAR(result.contacts[0].normal, expected[k][0], 1e-12);
            CHECK_NEAR(result.joints[0], expected[k][1], 1e-12);
            CHECK_NEAR(result.contacts[0].gap_velocity, expected[k][2], 1e-12);
        }
        abut_contact_workspace_destroy(work);
    }
}

/* The published conditions let a spinning box through: the verifier does not, and the answer is rest. */
static void test_weak_answers_are_refused(void)
{
    abut_contact_options options = abut_contact_default_options();
    for (size_t k = 0; k < sizeof golden_baraff_weak / sizeof *golden_baraff_weak; ++k) {
        const golden_baraff *g = &golden_baraff_weak[k];
        local_case c;
        make_local(&c, g);
        double scratch[64];
        abut_contact_check check;
        CHECK(abut_contact_verify_size(&c.problem) <= 64);
        CHECK_EQ_INT(abut_contact_verify(&c.problem, &options, g->f, NULL, NULL, scratch, &check), ABUT_OK);
        CHECK(!(check.residual <= 1e-3));
        CHECK(check.normal <= 1e-10);

        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&c.problem, &options, &result);
        check_solved(&c.problem, &options, &result, g->name);
        for (int i = 0; i < g->contacts && result.contacts; ++i)
            for (int t = 0; t < 3; ++t) CHECK_NEAR(result.contacts[i].velocity[t], 0.0, 1e-9);
        abut_contact_workspace_destroy(work);
    }
}

/* From rest the velocity after a step is the step times the acceleration. */
static void test_scenes(void)
{
    for (int k = 0; k < GOLDEN_SCENE_COUNT; ++k) {
        const golden_scene *scene = &golden_scenes[k];
        abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                        .body_count = scene->body_count,
                                        .bodies = scene->bodies,
                                        .contact_count = scene->contact_count,
                                        .contacts = scene->contacts};
        abut_contact_options options = abut_contact_default_options();
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        check_solved(&problem, &options, &result, scene->name);
        for (int i = 0; i < 6 * scene->body_count && result.velocity; ++i) {
            double wanted = scene->v[i] / scene->step;
            CHECK_MSG(fabs(result.velocity[i] - wanted) <= 1e-8, "%s by %s: a[%d] = %.10g, not %.10g",
                      scene->name, result.stage, i, result.velocity[i], wanted);
        }
        abut_contact_workspace_destroy(work);
    }
}

int main(void)
{
    RUN(test_golden_problems);
    RUN(test_bilateral_rod);
    RUN(test_weak_answers_are_refused);
    RUN(test_scenes);
    return check_report();
}
