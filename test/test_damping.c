/* Viscous coefficients at the velocity level (damping.c): implicit ones never turn a motion round, explicit ones as
 * published; between bodies, on belts, beside joints; in the impact of a first touch. */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"

static abut_contact_problem problem_of(const abut_body *bodies, int body_count, const abut_contact *contacts,
                                       int contact_count)
{
    return (abut_contact_problem){.step = 0.01,
                                  .body_count = body_count,
                                  .bodies = bodies,
                                  .contact_count = contact_count,
                                  .contacts = contacts};
}

static void expect(contact_trial *trial, const abut_contact_problem *problem, double velocity)
{
    CHECK(contact_trial_run(trial, problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(trial->check.residual <= 1e-12);
    if (trial->result.velocity) CHECK_NEAR(trial->result.velocity[0], velocity, 1e-12);
}

/* 1 kg at 1 m/s, h = 0.01 s, 1000 N s/m: 1 / (1 + h c / m), or 1 - h c / m. */
static void test_large_coefficient(void)
{
    abut_body body = {.mass = 1, .inertia = {1, 1, 1}, .velocity = {1}, .force = {0, 0, -10}};
    abut_contact contact = {.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .viscous = 1e3};
    abut_contact_problem problem = problem_of(&body, 1, &contact, 1);
    static const abut_contact_model models[] = {ABUT_COULOMB, ABUT_FRICTIONLESS};
    for (int m = 0; m < 2; ++m) {
        problem.model = models[m];
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        expect(trial, &problem, 1 / 11.0);
        if (trial->result.contacts) CHECK_NEAR(trial->result.contacts[0].tangent[0], -10 / 11.0, 1e-12);
        trial->options.viscous = ABUT_VISCOUS_EXPLICIT;
        expect(trial, &problem, -9);
        contact.gap = 0.001; /* apart: no force */
        trial->options.viscous = ABUT_VISCOUS_IMPLICIT;
        expect(trial, &problem, 1);
        contact.gap = 0;
        contact_trial_destroy(trial);
    }
}

/* Beside Coulomb's: m v+ = m v - mu m g h - 4 h c v+. */
static void test_beside_coulomb(void)
{
    abut_body body = {.mass = 2, .inertia = {1, 1, 1}, .velocity = {1}, .force = {0, 0, -20}};
    abut_contact contacts[4];
    for (int i = 0; i < 4; ++i)
        contacts[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                     .point = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0},
                                     .normal = {0, 0, 1},
                                     .tangent = {1},
                                     .friction = 0.1,
                                     .viscous = 50};
    abut_contact_problem problem = problem_of(&body, 1, contacts, 4);
    static const abut_contact_solver solvers[] = {ABUT_SOLVER_FACES, ABUT_SOLVER_REDUCED,
                                                  ABUT_SOLVER_STRUCTURAL, ABUT_SOLVER_LEMKE};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; ++k) {
        contact_trial *trial = contact_trial_create(solvers[k], true);
        expect(trial, &problem, (2 - 0.1 * 20 * 0.01) / (2 + 4 * 0.01 * 50));
        contact_trial_destroy(trial);
    }
}

/* A belt of 3 m/s carries the block along: (m v + h c 3) / (m + h c). */
static void test_belt(void)
{
    abut_body bodies[2] = {{.mass = 1, .inertia = {1, 1, 1}, .velocity = {1}, .force = {0, 0, -10}},
                           {.kind = ABUT_KINEMATIC, .velocity = {3}}};
    abut_contact contact = {.bodies = {0, 1}, .normal = {0, 0, 1}, .viscous = 200};
    abut_contact_problem problem = problem_of(bodies, 2, &contact, 1);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    expect(trial, &problem, (1 + 2 * 3.0) / (1 + 2));
    contact_trial_destroy(trial);
}

/* Two bodies that slide on each other: momentum stays, the slip u+ = u / (1 + h c (1 / m1 + 1 / m2)). A workspace
 * that knows nothing of a common block says that it is too small. */
static void test_two_bodies(void)
{
    abut_body bodies[2] = {{.mass = 1, .inertia = {1, 1, 1}, .velocity = {4}},
                           {.mass = 3, .inertia = {1, 1, 1}, .velocity = {0}}};
    abut_contact contact = {.bodies = {0, 1}, .normal = {0, 0, 1}, .viscous = 1500};
    abut_contact_problem problem = problem_of(bodies, 2, &contact, 1);
    double slip = 4 / (1 + 15 * (1 + 1 / 3.0));
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    expect(trial, &problem, 1 + slip * 0.75);
    if (trial->result.velocity) CHECK_NEAR(trial->result.velocity[6], 1 - slip * 0.25, 1e-12);
    CHECK_EQ_INT(trial->limits.nv, 12);
    contact_trial_destroy(trial);

    abut_contact_limits limits = {.bodies = 2, .contacts = 1};
    abut_contact_workspace *work = NULL;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    options.viscous = ABUT_VISCOUS_EXPLICIT;
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    abut_contact_workspace_destroy(work);
}

/* Every family, coefficients over twelve decades of mass / step at some or all contacts, every model of the velocity
 * level: what is solved without them is solved with them. */
static void test_families(void)
{
    static const char *const families[] = {"pegs",   "single", "stacks", "walls",
                                           "chains", "loops",  "belts",  "clutter"};
    static const abut_contact_model models[] = {ABUT_COULOMB, ABUT_FRICTIONLESS, ABUT_NO_SLIP};
    uint64_t seed = check_seed(12);
    contact_case *c = contact_case_create();
    int solved = 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f) {
        const contact_family *family = contact_family_find(families[f]);
        for (int i = 0; i < 24; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[i % 2], &random, c));
            c->problem.model = models[i % 3];
            contact_trial *plain = contact_trial_create(ABUT_SOLVER_AUTO, false);
            CHECK(contact_trial_run(plain, &c->problem));
            bool solvable = plain->result.outcome == ABUT_SOLVED; /* no-slip on two belts may not be */
            contact_trial_destroy(plain);
            if (!solvable) continue;
            solved++;
            for (int n = 0; n < c->problem.contact_count; ++n) {
                double mass = c->bodies[c->contacts[n].bodies[0]].mass;
                if (!(mass > 0)) mass = 1;
                double size = pow(10, bench_uniform(&random, -6, 5));
                c->contacts[n].viscous = i % 2 && bench_below(&random, 2) ? 0 : size * mass / c->problem.step;
            }
            contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
            trial->options.joint_rows = i % 4 == 0 ? ABUT_JOINTS_PROJECTED : ABUT_JOINTS_PERMANENT;
            for (int warm = 0; warm < 2; ++warm) {
                trial->options.warm = warm;
                CHECK(contact_trial_run(trial, &c->problem));
                CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9,
                          "%s %d, model %s: %s, residual %g", families[f], i,
                          abut_contact_model_name(c->problem.model), abut_outcome_name(trial->result.outcome),
                          trial->check.residual);
            }
            contact_trial_destroy(trial);
        }
    }
    CHECK_MSG(solved >= 180, "%d of 192", solved);
    contact_case_destroy(c);
}

/* The impact of a first touch: without friction, and with viscous friction that acts for 0.02 s. */
static void test_first_touch(void)
{
    abut_body body = {.mass = 2, .inertia = {1, 1, 1}, .velocity = {3, 0, -1}, .force = {0, 0, -20}};
    abut_contact contact = {.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .tangent = {1}, .viscous = 50};
    abut_contact_problem problem = problem_of(&body, 1, &contact, 1);
    problem.model = ABUT_VISCOUS;
    static const double seconds[] = {0, 0.02}, after[] = {3, 2};
    for (int k = 0; k < 2; ++k) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.accel.apply_impulse = true;
        trial->options.accel.impact_seconds = seconds[k];
        CHECK(contact_trial_run(trial, &problem));
        CHECK_EQ_INT(trial->result.impacts, 1);
        if (trial->result.impacts == 1) {
            CHECK_NEAR(trial->result.impact_velocity[0], after[k], 1e-12);
            CHECK_NEAR(trial->result.impact_velocity[2], 0, 1e-12);
            CHECK_NEAR(trial->result.impact[1], 2 * (after[k] - 3), 1e-12);
            CHECK_NEAR(trial->result.contacts[0].tangent[0], -50 * after[k], 1e-10);
        }
        contact_trial_destroy(trial);
    }
}

int main(void)
{
    RUN(test_large_coefficient);
    RUN(test_beside_coulomb);
    RUN(test_belt);
    RUN(test_two_bodies);
    RUN(test_families);
    RUN(test_first_touch);
    return check_report();
}
