/* No-slip on geometry as it comes: with noise, rounded to single precision, redundant; and the search for the
 * contacts that are held. */
#include "abut/contact.h"
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "golden/glued.h"

#include <time.h>

static const abut_contact_solver solvers[] = {ABUT_SOLVER_PPM, ABUT_SOLVER_DANTZIG, ABUT_SOLVER_ACTIVE_SET,
                                              ABUT_SOLVER_LEMKE};
enum { solver_count = sizeof solvers / sizeof *solvers };

/* A cube of 1 kg and 1 m at rest on four corners. */
typedef struct cube {
    abut_body body;
    abut_contact contacts[4];
    abut_contact_problem problem;
} cube;

static void make_cube(cube *c)
{
    *c = (cube){.body = {.mass = 1, .inertia = {1.0 / 6, 1.0 / 6, 1.0 / 6}, .com = {0, 0, 0.5}}};
    c->body.force[2] = -9.81;
    for (int i = 0; i < 4; ++i)
        c->contacts[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                        .point = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0},
                                        .normal = {0, 0, 1}};
    c->problem = (abut_contact_problem){.model = ABUT_NO_SLIP,
                                        .step = 0.01,
                                        .body_count = 1,
                                        .bodies = &c->body,
                                        .contact_count = 4,
                                        .contacts = c->contacts};
}

static double largest_impulse(const contact_trial *trial, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        const abut_contact_answer *a = &trial->result.contacts[i];
        largest = fmax(largest, fmax(a->normal, hypot(a->tangent[0], a->tangent[1])));
    }
    return largest;
}

static double fastest(const double *velocity, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(velocity[i]));
    return most;
}

/* At rest with moderate impulses: none larger than what arrives. */
static void check_rest(contact_trial *trial, const cube *c, const char *what)
{
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_MSG(trial->result.outcome == ABUT_SOLVED, "%s: outcome %d", what, (int)trial->result.outcome);
    if (trial->result.outcome != ABUT_SOLVED) return;
    CHECK_MSG(trial->check.residual <= 1e-10, "%s: residual %g", what, trial->check.residual);
    CHECK_MSG(fastest(trial->result.velocity, 6) <= 1e-10, "%s: moves by %g", what,
              fastest(trial->result.velocity, 6));
    CHECK_MSG(largest_impulse(trial, 4) <= 0.2, "%s: impulse %g", what, largest_impulse(trial, 4));
}

/* One corner is from 1e-12 to 1e-2 m high, the cube is pushed or slides at first; so is every solver's. */
static void test_high_corner(void)
{
    for (int k = 0; k < solver_count; ++k) {
        contact_trial *trial = contact_trial_create(solvers[k], true);
        for (int digit = -12; digit <= -2; ++digit) {
            cube c;
            char what[64];
            make_cube(&c);
            snprintf(what, sizeof what, "%s, 1e%d m", abut_contact_solver_name(solvers[k]), digit);
            for (double part = 1.0; part < 10.0; part += 2.0) {
                c.contacts[3].point[2] = part * pow(10, digit);
                c.body.force[0] = 3.0;
                c.body.velocity[1] = 0.02;
                check_rest(trial, &c, what);
            }
        }
        contact_trial_destroy(trial);
    }
}

/* Two corners in the plane land within a step, the second one later: it may not slip, so the body may not turn, so it
 * cannot land. Up to 0.4 um of height the slip that lands it is within the tolerance, and the answer; above, the
 * second corner is glued. There is an answer at every height. */
static void test_landing(void)
{
    for (int s = 0; s < solver_count; ++s) {
        contact_trial *trial = contact_trial_create(solvers[s], false);
        for (int k = 0; k <= 1200; ++k) {
            double height = pow(10, -9 + 0.005 * k);
            abut_body body = {.mass = 1,
                              .inertia = {0.035, 0.035, 0.058},
                              .com = {0, 0.3},
                              .velocity = {0.009, -0.004, 0, 0, 0, -0.03},
                              .force = {0, -9.81}};
            abut_contact contacts[2] = {{.point = {-0.13, 1e-8}, .gap = 1e-8},
                                        {.point = {0.13, height}, .gap = height}};
            for (int i = 0; i < 2; ++i) {
                contacts[i].bodies[1] = ABUT_WORLD;
                contacts[i].normal[1] = 1;
                contacts[i].tangent[0] = -1;
                contacts[i].directions = 2;
            }
            abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                            .step = 0.01,
                                            .body_count = 1,
                                            .bodies = &body,
                                            .contact_count = 2,
                                            .contacts = contacts};
            CHECK(contact_trial_run(trial, &problem));
            CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9, "height %g: %s",
                      height, abut_outcome_name(trial->result.outcome));
        }
        contact_trial_destroy(trial);
    }
}

/* Points and normals of a slope in single precision. */
static void test_single_precision_slope(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    bench_random random = bench_random_stream(check_seed(11), 0);
    for (int turn = 0; turn < 100; ++turn) {
        cube c;
        make_cube(&c);
        double angle = bench_uniform(&random, 0.01, 0.5), cosine = cos(angle), sine = sin(angle);
        for (int i = 0; i < 4; ++i) {
            double *p = c.contacts[i].point, *n = c.contacts[i].normal, y = p[1];
            p[1] = (double)(float)(cosine * y);
            p[2] = (double)(float)(sine * y);
            p[0] = (double)(float)p[0];
            n[1] = (double)(float)-sine;
            n[2] = (double)(float)cosine;
        }
        c.body.com[1] = -0.5 * sine;
        c.body.com[2] = 0.5 * cosine;
        check_rest(trial, &c, "single precision");
    }
    contact_trial_destroy(trial);
}

/* Four corners alike share what they carry alike, whichever three would do. */
static void test_least_norm(void)
{
    for (int k = 0; k < solver_count; ++k) {
        contact_trial *trial = contact_trial_create(solvers[k], true);
        cube c;
        make_cube(&c);
        c.body.velocity[0] = 0.04;
        c.contacts[2].point[2] = 1e-9;
        check_rest(trial, &c, "least norm");
        for (int i = 0; i < 4; ++i) {
            /* The push at half the height loads the corners in front, 0.04 * 0.5 / 1 in all. */
            double share = (9.81 * 0.01 + (i & 1 ? 0.04 : -0.04)) / 4;
            CHECK_NEAR(trial->result.contacts[i].normal, share, 1e-8);
            CHECK_NEAR(hypot(trial->result.contacts[i].tangent[0], trial->result.contacts[i].tangent[1]),
                       0.01, 1e-8);
        }
        contact_trial_destroy(trial);
    }
}

/* The family of the campaign: all are solved, and no impulse exceeds a hundred times the momentum at hand. */
static void test_noise(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    uint64_t seed = check_seed(3);
    for (int i = 0; i < 600; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(&contact_noisy_family, contact_noisy_family.sizes[i % 12], &random, c));
        c->problem.model = ABUT_NO_SLIP;
        double momentum = 0.0;
        for (int b = 0; b < c->problem.body_count; ++b) {
            for (int k = 0; k < 6; ++k) {
                c->bodies[b].velocity[k] += bench_uniform(&random, -0.1, 0.1);
                momentum += fabs(c->bodies[b].mass * c->bodies[b].velocity[k]) +
                            fabs(c->problem.step * c->bodies[b].force[k]);
            }
        }
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.outcome == ABUT_SOLVED, "problem %d: outcome %d", i,
                  (int)trial->result.outcome);
        if (trial->result.outcome != ABUT_SOLVED) continue;
        CHECK_MSG(trial->check.residual <= 1e-10, "problem %d: residual %g", i, trial->check.residual);
        CHECK(largest_impulse(trial, c->problem.contact_count) <= 100.0 * momentum);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* The paper's answer to the same problem glues six contacts that another answer sets free: the verifier finds
 * that answer. */
static void test_wrong_glue(void)
{
    abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                    .step = 0.01,
                                    .body_count = 4,
                                    .bodies = golden_glued_bodies,
                                    .contact_count = 8,
                                    .contacts = golden_glued_contacts};
    double *scratch = malloc((abut_contact_verify_size(&problem) + 1) * sizeof *scratch);
    abut_contact_check check;
    CHECK_EQ_INT(abut_contact_verify(&problem, NULL, golden_glued_held_impulses, NULL,
                                     golden_glued_held_velocity, scratch, &check),
                 ABUT_OK);
    CHECK(check.dynamics <= 1e-12 && check.normal <= 1e-12);
    CHECK_MSG(check.cone > 1e-3 && check.residual > 1e-3, "glue counts as %g", check.cone);
    free(scratch);
}

/* Letting go and taking hold come to no end here; going through the choices finds the one that glues none. */
static void test_search(void)
{
    abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                    .step = 0.01,
                                    .body_count = 4,
                                    .bodies = golden_glued_bodies,
                                    .contact_count = 8,
                                    .contacts = golden_glued_contacts};
    for (int k = 0; k < solver_count; ++k) {
        contact_trial *trial = contact_trial_create(solvers[k], true);
        CHECK(contact_trial_run(trial, &problem));
        CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
        CHECK(trial->check.residual <= 1e-10);
        CHECK_EQ_INT(trial->result.glued, 0);
        for (int i = 0; i < 8; ++i)
            CHECK_EQ_INT(trial->result.contacts[i].state == ABUT_OPEN, golden_glued_free[i]);
        for (int i = 0; i < 24; ++i) CHECK_NEAR(trial->result.velocity[i], golden_glued_velocity[i], 1e-10);
        contact_trial_destroy(trial);
    }
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Processor seconds of one solve of a wall of bricks that are thrown about, within so many seconds. Processor time
 * may go on in jumps of some milliseconds, so it is measured over many solves: *count of them, or, where that is 0,
 * as many as fill a quarter of a second. */
static double cost(contact_trial *trial, const contact_case *c, double max_seconds, int *count)
{
    double start = cpu_seconds(), spent = 0;
    int solves = 0;
    trial->options.max_seconds = max_seconds;
    while (*count > 0 ? solves < *count : spent < 0.25) {
        CHECK(contact_trial_run(trial, &c->problem));
        spent = cpu_seconds() - start;
        solves++;
    }
    *count = solves;
    return spent / solves;
}

/* A tenth of the time that a large problem needs is kept to: at most half of it is used, by every solver that
 * looks at the clock only where it is told to. (The clock that counts is the wall's, which is never slower.) */
static void test_max_seconds(void)
{
    static const abut_contact_model models[] = {ABUT_NO_SLIP, ABUT_VISCOUS};
    contact_case *c = contact_case_create();
    bench_random random = bench_random_stream(check_seed(5), 0);
    contact_make_wall(c, 30, &random);
    for (int b = 0; b < c->problem.body_count; ++b)
        for (int k = 0; k < 6; ++k) c->bodies[b].velocity[k] = bench_uniform(&random, -0.1, 0.1);
    for (int m = 0; m < 2; ++m) {
        for (int k = 0; k < solver_count; ++k) {
            contact_trial *trial = contact_trial_create(solvers[k], true);
            int count = 0;
            c->problem.model = models[m];
            double whole = cost(trial, c, 0.0, &count);
            CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
            double part = cost(trial, c, 0.1 * whole, &count);
            CHECK(trial->result.outcome == ABUT_LIMIT || trial->check.residual <= 1e-9);
            CHECK_MSG(part <= 0.5 * whole, "%s, %s: %g of %g s", abut_contact_model_name(models[m]),
                      abut_contact_solver_name(solvers[k]), part, whole);
            contact_trial_destroy(trial);
        }
    }
    contact_case_destroy(c);
}

/* The same for pivots, one by one. */
static void test_max_pivots(void)
{
    contact_case *c = contact_case_create();
    bench_random random = bench_random_stream(check_seed(6), 0);
    contact_make_wall(c, 12, &random);
    c->problem.model = ABUT_NO_SLIP;
    for (int b = 0; b < c->problem.body_count; ++b)
        for (int k = 0; k < 6; ++k) c->bodies[b].velocity[k] = bench_uniform(&random, -0.1, 0.1);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_PPM, true);
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    int whole = trial->result.pivots;
    CHECK(whole > 20);
    for (int budget = 1; budget < whole; budget += 1 + whole / 17) {
        trial->options.max_pivots = budget;
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.pivots <= budget, "%d pivots of %d", trial->result.pivots, budget);
        CHECK(trial->result.outcome == ABUT_LIMIT || trial->check.residual <= 1e-9);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_high_corner);
    RUN(test_landing);
    RUN(test_single_precision_slope);
    RUN(test_least_norm);
    RUN(test_noise);
    RUN(test_search);
    RUN(test_wrong_glue);
    RUN(test_max_seconds);
    RUN(test_max_pivots);
    return check_report();
}
