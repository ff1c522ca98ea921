/* Impulses at the acceleration level (impact.c): where no forces exist, and on a viscous contact's first
 * touch.
 */
#include "as_blocks.h"
#include "contact_case.h"
#include "painleve.h"

static void check_solved(const abut_contact_problem *problem, const abut_contact_options *options,
                         const abut_contact_result *result, const char *name)
{
    abut_contact_check check = case_verify(problem, options, result);
    CHECK_MSG(result->outcome == ABUT_SOLVED && check.residual <= 1e-10, "%s: %s by %s, residual %g", name,
              abut_outcome_name(result->outcome), result->stage, check.residual);
}

/* The impulse stops the tip: normal 0.3, friction -0.4 (Routh's construction ends in sticking); then forces
 * exist. */
static void test_impulse_on_a_ray(void)
{
    abut_body rod = painleve_rod();
    abut_contact tip = painleve_tip();
    abut_contact_problem problem = {
        .model = ABUT_COULOMB_ACCEL, .body_count = 1, .bodies = &rod, .contact_count = 1, .contacts = &tip};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    CHECK_EQ_INT(result.outcome, ABUT_RAY);
    CHECK(!result.impact);
    CHECK(result.ray && result.ray[0] > 0.0 &&
          fabs(result.ray[1] + 2.0 * result.ray[0]) <= 1e-12 * result.ray[0]);
    abut_contact_workspace_destroy(work);

    options.accel.apply_impulse = true;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    CHECK(result.impact && result.impact_velocity);
    if (result.impact && result.impact_velocity) {
        CHECK_NEAR(result.impact[0], 0.3, 1e-12);
        CHECK_NEAR(result.impact[1], -0.4, 1e-12);
        abut_body after = rod;
        memcpy(after.velocity, result.impact_velocity, sizeof after.velocity);
        CHECK_NEAR(after.velocity[0], 0.6, 1e-12);
        CHECK_NEAR(after.velocity[2], 0.3, 1e-12);
        problem.bodies = &after;
        check_solved(&problem, &options, &result, "after the impulse");
    }
    abut_contact_workspace_destroy(work);
}

/* The same through the W + q door. */
static void test_impulse_in_local_form(void)
{
    const double W[4] = {1.6, 1.2, 1.2, 3.4}, q[2] = {-9.81, 0.0}, v[2] = {0.0, 1.0};
    abut_local local = {.dimension = 2, .W = W, .q = q, .velocity = v};
    abut_contact contact = {.friction = 2.0, .directions = 2};
    abut_contact_problem problem = {
        .model = ABUT_COULOMB_ACCEL, .contact_count = 1, .contacts = &contact, .local = &local};
    abut_contact_options options = abut_contact_default_options();
    options.accel.apply_impulse = true;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    CHECK(result.impact && result.impact_velocity);
    if (result.impact && result.impact_velocity) {
        CHECK_NEAR(result.impact[0], 0.3, 1e-12);
        CHECK_NEAR(result.impact[1], -0.4, 1e-12);
        CHECK_NEAR(result.impact_velocity[0], 0.0, 1e-12);
        CHECK_NEAR(result.impact_velocity[1], 0.0, 1e-12);
        double after[2] = {result.impact_velocity[0], result.impact_velocity[1]};
        local.velocity = after;
        check_solved(&problem, &options, &result, "after the impulse");
    }
    abut_contact_workspace_destroy(work);
}

/* The rod with a row on its turning (bounded or compliant) by the first door, and as a block of six: the impulse at its
 * tip must be the same by both, and is that of p_n, p_t. */
static void check_rod_with(abut_joint row, double normal, double tangent, double push, const char *name)
{
    abut_body rod = painleve_rod();
    abut_contact tip = painleve_tip();
    const abut_contact_answer axis = {.axis = {1, 0, 0}};
    abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                    .step = 1.0,
                                    .body_count = 1,
                                    .bodies = &rod,
                                    .contact_count = 1,
                                    .contacts = &tip,
                                    .joint_count = 1,
                                    .joints = &row};
    as_blocks other;
    CHECK(as_blocks_make(&problem, &axis, &other));
    abut_contact_options options = abut_contact_default_options();
    options.accel.apply_impulse = true;
    for (int door = 0; door < 2; ++door) {
        abut_contact_problem *of = door ? &other.problem : &problem;
        abut_contact_result result;
        abut_contact_workspace *work = NULL;
        abut_contact_limits limits = abut_contact_limits_for(of, &options);
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        CHECK_EQ_INT(abut_contact_solve(work, of, &options, &result), ABUT_OK);
        CHECK_MSG(result.outcome == ABUT_SOLVED && result.impacts > 0, "%s: %s", name,
                  abut_outcome_name(result.outcome));
        if (result.impacts > 0) {
            CHECK_NEAR(result.impact[0], normal, 1e-9);
            CHECK_NEAR(result.impact[1], tangent, 1e-9);
            CHECK_NEAR(result.impact_joints[0], push, 1e-9);
            abut_body after = rod;
            abut_generalised moved = other.generalised;
            memcpy(after.velocity, result.impact_velocity, sizeof after.velocity);
            moved.velocity = after.velocity;
            if (door) of->generalised = &moved;
            if (!door) of->bodies = &after;
            check_solved(of, &options, &result, name);
        }
        problem.bodies = &rod;
        abut_contact_workspace_destroy(work);
    }
    as_blocks_free(&other);
}

/* A finite torque has no impulse in no time, whether a motor pushes or a torque is given; nor has a stop that the rod
 * turns away from. */
static void test_impulse_beside_rows(void)
{
    abut_joint row = {.bodies = {0, ABUT_WORLD}, .jacobian = {{0, 0, 0, 0, 1, 0}}, .bounded = true};
    row.lower = -0.5, row.upper = 0.5;
    check_rod_with(row, 0.3, -0.4, 0.0, "a weak motor");
    row.lower = row.upper = 0.1;
    check_rod_with(row, 0.3, -0.4, 0.0, "a given torque");
    row.lower = -0.5, row.upper = INFINITY;
    check_rod_with(row, 0.3, -0.4, 0.0, "a stop on the side to which it does not turn");
}

/* A viscous block falls on the ground: it stops at once, without friction, and then slides on. */
static void test_viscous_first_touch(void)
{
    abut_body body = {.mass = 2.0, .inertia = {1, 1, 1}, .velocity = {3, 0, -1}, .force = {0, 0, -19.62}};
    abut_contact contact = {
        .bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .tangent = {1, 0, 0}, .viscous = 0.5};
    abut_contact_problem problem = {
        .model = ABUT_VISCOUS, .body_count = 1, .bodies = &body, .contact_count = 1, .contacts = &contact};
    abut_contact_options options = abut_contact_default_options();
    options.accel.apply_impulse = true;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    CHECK(result.impact && result.impact_velocity);
    if (result.impact && result.impact_velocity) {
        CHECK_NEAR(result.impact[0], 2.0, 1e-14);
        CHECK_NEAR(result.impact[1], 0.0, 1e-14);
        CHECK_NEAR(result.impact_velocity[0], 3.0, 1e-14);
        CHECK_NEAR(result.impact_velocity[2], 0.0, 1e-14);
        CHECK_NEAR(result.contacts[0].normal, 19.62, 1e-12);
        CHECK_NEAR(result.contacts[0].tangent[0], -1.5, 1e-12);
        abut_body after = body;
        memcpy(after.velocity, result.impact_velocity, sizeof after.velocity);
        problem.bodies = &after;
        check_solved(&problem, &options, &result, "after first touch");
        /* Nothing approaches any more: no second impact. */
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        CHECK(!result.impact && !result.impact_velocity);
    }
    abut_contact_workspace_destroy(work);
}

/* ------------------------------------------------------------------------------------------------
 * Random blocks that slide: rays, and impulses one after the other */

enum { BLOCKS = 3, TOUCHES = 7 };

typedef struct pile {
    abut_body body[BLOCKS], sudden_body[BLOCKS];
    abut_contact contact[TOUCHES], sudden_contact[TOUCHES];
    abut_contact_problem problem;
} pile;

/* Blocks on top of each other that slide along x or spin, friction up to 3. */
static void make_pile(pile *p, bench_random *random)
{
    int bodies = 1 + bench_below(random, BLOCKS),
        contacts = bodies + bench_below(random, TOUCHES - BLOCKS + 1);
    for (int b = 0; b < bodies; ++b) {
        p->body[b] = (abut_body){.mass = bench_uniform(random, 0.5, 3.0),
                                 .inertia = {0.2, 0.2, 0.2},
                                 .com = {0, 0, b + 0.5},
                                 .velocity = {bench_uniform(random, -1, 1), 0, 0}};
        p->body[b].force[2] = -9.81 * p->body[b].mass;
    }
    for (int i = 0; i < contacts; ++i) {
        int b = i % bodies;
        p->contact[i] = (abut_contact){.bodies = {b, b - 1},
                                       .point = {bench_uniform(random, -0.5, 0.5), 0, b},
                                       .normal = {0, 0, 1},
                                       .tangent = {1, 0, 0},
                                       .friction = bench_uniform(random, 0.5, 3.0),
                                       .directions = 2};
    }
    p->problem = (abut_contact_problem){.model = ABUT_COULOMB_ACCEL,
                                        .body_count = bodies,
                                        .bodies = p->body,
                                        .contact_count = contacts,
                                        .contacts = p->contact};
}

/* Impact k is a Coulomb impact in which no time passes, from the velocities before it. */
static void check_impact(pile *p, const abut_contact_result *result, int k)
{
    int bodies = p->problem.body_count, contacts = p->problem.contact_count;
    abut_contact_problem sudden = p->problem;
    sudden.model = ABUT_COULOMB;
    sudden.step = 1.0;
    sudden.bodies = p->sudden_body;
    for (int b = 0; b < bodies; ++b) {
        p->sudden_body[b] = p->body[b];
        memset(p->sudden_body[b].force, 0, sizeof p->sudden_body[b].force);
        if (k > 0)
            memcpy(p->sudden_body[b].velocity, result->impact_velocity + 6 * ((k - 1) * bodies + b),
                   6 * sizeof(double));
    }
    double scratch[512];
    abut_contact_check check;
    CHECK(abut_contact_verify_size(&sudden) <= 512);
    CHECK_EQ_INT(abut_contact_verify(&sudden, NULL, result->impact + 3 * k * contacts, NULL,
                                     result->impact_velocity + 6 * k * bodies, scratch, &check),
                 ABUT_OK);
    CHECK_MSG(check.residual <= 1e-9, "impact %d: %g", k, check.residual);
}

static void test_impulses_in_turn(void)
{
    uint64_t seed = check_seed(3);
    int rays = 0, left = 0, several = 0;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = {.bodies = BLOCKS, .contacts = TOUCHES}; /* the default solvers */
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    for (int i = 0; i < 3000 && work; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        pile p = {0};
        abut_contact_result result;
        make_pile(&p, &random);
        options.accel.apply_impulse = false;
        CHECK_EQ_INT(abut_contact_solve(work, &p.problem, &options, &result), ABUT_OK);
        CHECK(result.impacts == 0 && !result.impact);
        if (result.outcome == ABUT_SOLVED) continue;
        rays++;
        CHECK(result.outcome == ABUT_RAY && result.exhausted && result.ray);
        options.accel.apply_impulse = true;
        CHECK_EQ_INT(abut_contact_solve(work, &p.problem, &options, &result), ABUT_OK);
        CHECK(result.impacts >= 0 && result.impacts <= ABUT_IMPACTS_MAX);
        for (int k = 0; k < result.impacts; ++k) check_impact(&p, &result, k);
        several += result.impacts > 1;
        CHECK(result.outcome == ABUT_SOLVED || result.outcome == ABUT_RAY);
        if (result.outcome != ABUT_SOLVED) continue;
        left++;
        abut_body after[BLOCKS];
        for (int b = 0; b < p.problem.body_count; ++b) {
            after[b] = p.body[b];
            memcpy(after[b].velocity,
                   result.impact_velocity + 6 * ((result.impacts - 1) * p.problem.body_count + b),
                   sizeof after[b].velocity);
        }
        p.problem.bodies = after;
        check_solved(&p.problem, &options, &result, "after the impulses");
    }
    CHECK_MSG(rays > 20 && left > rays / 2 && several > 0, "%d rays, %d left, %d by several", rays, left,
              several);
    abut_contact_workspace_destroy(work);
}

/* The same in space, on circles: every impact obeys Coulomb's law itself. */
static void test_round_impulses(void)
{
    uint64_t seed = check_seed(5);
    int rays = 0, left = 0;
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = {.bodies = BLOCKS, .contacts = TOUCHES, .cones = true};
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    options.accel.apply_impulse = true;
    for (int i = 0; i < 400 && work; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        pile p = {0};
        abut_contact_result result;
        make_pile(&p, &random);
        for (int b = 0; b < p.problem.body_count; ++b) p.body[b].velocity[1] = bench_uniform(&random, -1, 1);
        for (int k = 0; k < p.problem.contact_count; ++k) {
            p.contact[k].cone = ABUT_CONE_CIRCLE;
            p.contact[k].directions = 0;
            p.contact[k].point[1] = bench_uniform(&random, -0.5, 0.5);
        }
        CHECK_EQ_INT(abut_contact_solve(work, &p.problem, &options, &result), ABUT_OK);
        rays += result.outcome == ABUT_RAY || result.impacts > 0;
        left += result.outcome == ABUT_SOLVED && result.impacts > 0;
        for (int k = 0; k < result.impacts; ++k) check_impact(&p, &result, k);
    }
    CHECK_MSG(rays > 10 && 2 * left > rays, "%d rays, %d left", rays, left);
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    RUN(test_impulse_on_a_ray);
    RUN(test_impulse_in_local_form);
    RUN(test_viscous_first_touch);
    RUN(test_impulses_in_turn);
    RUN(test_round_impulses);
    RUN(test_impulse_beside_rows);
    return check_report();
}
