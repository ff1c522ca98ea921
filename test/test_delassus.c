/* The local form of bodies, and the LCP of eq. (8): the same problem in another dress has the same answer. */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "io/contact_lcp.h"
#include "io/delassus.h"

static const double accepted = 1e-9;

/* u = W p + q from the impulses of the body form must be the velocities that the bodies have after the step.
 */
static void check_local_form(const abut_contact_problem *problem, const contact_trial *trial,
                             const char *name, int size)
{
    abuti_delassus local;
    abut_error error;
    CHECK_MSG(abuti_delassus_form(problem, NULL, &local, &error), "%s %d: %s", name, size, error.text);
    if (!local.W) return;
    const abut_contact_result *r = &trial->result;
    double worst = 0, scale = 0;
    for (int i = 0; i < local.n; ++i) {
        double u = local.q[i];
        scale = fmax(scale, fabs(local.q[i]));
        for (int j = 0; j < local.n; ++j) {
            int c = j / 3, joint = j - 3 * problem->contact_count;
            double p = joint >= 0   ? r->joints[joint]
                       : j % 3 == 0 ? r->contacts[c].normal
                                    : r->contacts[c].tangent[j % 3 - 1];
            u += local.W[(size_t)i * (size_t)local.n + (size_t)j] * p;
        }
        /* The normal rows carry b too, as gap_velocity does; joint rows vanish. */
        double expected = i >= 3 * problem->contact_count ? 0
                          : i % 3 == 0                    ? r->contacts[i / 3].gap_velocity
                                                          : r->contacts[i / 3].velocity[i % 3];
        worst = fmax(worst, fabs(u - expected));
    }
    CHECK_MSG(worst <= 1e-9 * scale, "%s %d: off by %g of %g", name, size, worst, scale);
    abuti_delassus_release(&local);
}

/* Lemke on the LCP must reach an answer that the LCP's own verifier accepts. */
static void check_lcp_form(const abut_contact_problem *problem, const char *name, int size)
{
    abuti_lcp_data lcp;
    abut_error error;
    CHECK_MSG(abuti_contact_lcp(problem, NULL, &lcp, &error), "%s %d: %s", name, size, error.text);
    if (!lcp.M) return;
    abut_lcp_problem plain = abuti_lcp_data_problem(&lcp);
    CHECK_MSG(abut_lcp_validate(&plain, &error) == ABUT_OK, "%s", error.text);
    abut_lcp_limits limits = {.n = lcp.n, .methods = 1u << ABUT_LCP_LEMKE};
    abut_lcp_options options = abut_lcp_default_options();
    options.method = ABUT_LCP_LEMKE;
    abut_lcp_workspace *work = NULL;
    abut_lcp_result result = {.outcome = ABUT_FAILED};
    CHECK(abut_lcp_workspace_create(&limits, NULL, &work) == ABUT_OK);
    CHECK(abut_lcp_solve(work, &plain, &options, &result) == ABUT_OK);
    CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= accepted, "%s %d: %s, residual %g", name,
              size, abut_outcome_name(result.outcome), result.residual);
    abut_lcp_workspace_destroy(work);
    abuti_lcp_data_release(&lcp);
}

static void test_families(void)
{
    static const struct {
        const char *name;
        int size;
    } cases[] = {{"pegs", 8}, {"stacks", 3}, {"gaps", 6}, {"chains", 3}, {"belts", 3}, {"clutter", 3}};
    uint64_t seed = check_seed(20);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const contact_family *family = contact_family_find(cases[i].name);
        CHECK_MSG(family, "%s", cases[i].name);
        if (!family) continue;
        for (int k = 0; k < 10; ++k) {
            bench_random random = bench_random_stream(seed, (uint64_t)k);
            CHECK(contact_family_make(family, cases[i].size, &random, c));
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= accepted, "%s %d",
                      cases[i].name, k);
            if (!trial->result.contacts) continue;
            check_local_form(&c->problem, trial, cases[i].name, cases[i].size);
            check_lcp_form(&c->problem, cases[i].name, cases[i].size);
        }
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Restitution and gaps enter q as contact.h says. */
static void test_normal_offsets(void)
{
    abut_body ball = {.mass = 2, .inertia = {1, 1, 1}, .velocity = {0, 0, -3}};
    abut_contact contact = {.bodies = {0, ABUT_WORLD}, .point = {0, 0, -1}, .normal = {0, 0, 1}};
    abut_contact_problem problem = {
        .step = 0.1, .body_count = 1, .bodies = &ball, .contact_count = 1, .contacts = &contact};
    abuti_delassus local;
    abut_error error;
    contact.gap = 0.5; /* would not touch within the step */
    contact.restitution = 0.5;
    CHECK(abuti_delassus_form(&problem, NULL, &local, &error));
    CHECK_NEAR(local.W[0], 0.5, 1e-15);
    CHECK_NEAR(local.q[0], -3 + 5, 1e-14);
    abuti_delassus_release(&local);
    contact.gap = 0;
    CHECK(abuti_delassus_form(&problem, NULL, &local, &error));
    CHECK_NEAR(local.q[0], -3 - 1.5, 1e-14);
    abuti_delassus_release(&local);
    contact.gap = 0.1;
    abut_contact_options options = abut_contact_default_options();
    options.restitution_threshold = 4; /* too slow to bounce: lands, b = 0.1 / 0.1 */
    CHECK(abuti_delassus_form(&problem, &options, &local, &error));
    CHECK_NEAR(local.q[0], -3 + 1, 1e-14);
    abuti_delassus_release(&local);
    contact.restitution = 0; /* never bounces */
    CHECK(abuti_delassus_form(&problem, NULL, &local, &error));
    CHECK_NEAR(local.q[0], -3 + 1, 1e-14);
    abuti_delassus_release(&local);
    contact.bodies[0] = 0;
    ball.mass = -1;
    CHECK(!abuti_delassus_form(&problem, NULL, &local, &error));
    CHECK_STR(error.text, "the mass matrix is not positive definite");
}

/* Bodies with given velocities leave W and stand in q. */
static void test_kinematic(void)
{
    abut_body bodies[2] = {{.mass = 1, .inertia = {1, 1, 1}},
                           {.velocity = {0.5, 0, 0.25, 0, 0, 0}, .kind = ABUT_KINEMATIC}};
    abut_contact contact = {.bodies = {0, 1}, .normal = {0, 0, 1}, .tangent = {1, 0, 0}};
    abut_contact_problem problem = {
        .step = 1, .body_count = 2, .bodies = bodies, .contact_count = 1, .contacts = &contact};
    abuti_delassus local;
    abut_error error;
    CHECK(abuti_delassus_form(&problem, NULL, &local, &error));
    CHECK_NEAR(local.q[0], -0.25, 0);
    CHECK_NEAR(local.q[1], -0.5, 0);
    CHECK_NEAR(local.W[0], 1, 1e-15);
    abuti_delassus_release(&local);
}

int main(void)
{
    RUN(test_families);
    RUN(test_normal_offsets);
    RUN(test_kinematic);
    return check_report();
}
