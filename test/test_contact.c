/* The front end to end: golden scenes through every solver of the table, and the edges of what a problem may
 * be. */
#include "contact_case.h"
#include "golden_contacts.h"
#include <string.h>

static void test_golden_scenes(void)
{
    for (int s = 0; s < GOLDEN_SCENE_COUNT; ++s) {
        const golden_scene *scene = &golden_scenes[s];
        abut_contact_problem problem = {.model = ABUT_COULOMB,
                                        .step = scene->step,
                                        .contact_count = scene->contact_count,
                                        .contacts = scene->contacts,
                                        .body_count = scene->body_count,
                                        .bodies = scene->bodies};
        for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
            if (!abut_contact_supports(ABUT_COULOMB, (abut_contact_solver)solver, false)) continue;
            if (solver == ABUT_SOLVER_ENUMERATE) continue; /* tiny problems only */
            abut_contact_options options = abut_contact_default_options();
            options.solver = (abut_contact_solver)solver;
            options.alone = true;
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-12, "%s, %s: %s, residual %g",
                      scene->name, abut_contact_solver_name(options.solver),
                      abut_outcome_name(result.outcome), result.residual);
            CHECK_EQ_INT(result.islands, 1);
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

/* A box of side 1 and mass 1 whose four lower corners touch z = 0 under gravity, step 0.01. */
static void box_on_floor(contact_case *c, double friction)
{
    *c = (contact_case){.bodies = 1, .contacts = 4};
    c->body[0] = (abut_body){
        .mass = 1.0, .inertia = {1.0 / 6, 1.0 / 6, 1.0 / 6}, .com = {0, 0, 0.5}, .force = {0, 0, -10.0}};
    for (int i = 0; i < 4; ++i) {
        c->contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                       .point = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.0},
                                       .normal = {0, 0, 1},
                                       .tangent = {1, 0, 0},
                                       .friction = friction};
    }
}

/* Each solver of the model, with all its fallbacks off. */
#define FOR_EACH_SOLVER(model, options)                                                                      \
    for (int solver_ = 0; solver_ < ABUT_SOLVER_COUNT; ++solver_)                                            \
        if (solver_ != ABUT_SOLVER_ENUMERATE &&                                                              \
            abut_contact_supports(model, (abut_contact_solver)solver_, false))                               \
            if (options = abut_contact_default_options(), options.solver = (abut_contact_solver)solver_,     \
                options.alone = true, true)

static void expect_solved(const abut_contact_result *result)
{
    CHECK_MSG(result->outcome == ABUT_SOLVED && result->residual <= 1e-10, "%s by %s (%s), residual %g",
              abut_outcome_name(result->outcome), abut_contact_solver_name(result->solver), result->stage,
              result->residual);
}

static void test_nothing_touches(void)
{
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    contact_case c = {.bodies = 3};
    c.body[0] = (abut_body){
        .mass = 2.0, .inertia = {1, 1, 1}, .velocity = {1, 2, 3, 4, 5, 6}, .force = {200, 0, 0, 100, 0, 0}};
    c.body[1] = (abut_body){.kind = ABUT_KINEMATIC, .velocity = {7, 0, 0, 0, 0, 8}};
    c.body[2] = (abut_body){.kind = ABUT_STATIC, .velocity = {9, 9, 9, 9, 9, 9}};
    abut_contact_problem problem = case_problem(&c);
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    expect_solved(&result);
    CHECK_EQ_INT(result.islands, 0);
    const double expected[18] = {2, 2, 3, 5, 5, 6, 7, 0, 0, 0, 0, 8};
    for (int i = 0; i < 18 && result.velocity; ++i) CHECK_NEAR(result.velocity[i], expected[i], 1e-14);
    abut_contact_workspace_destroy(work);
}

/* Two bodies that no impulse moves approach each other: nothing to be done, and no contradiction; a body that
 * nothing touches flies on beside them. */
static void test_contact_of_unmoved_bodies(void)
{
    contact_case c;
    box_on_floor(&c, 0.5);
    c.bodies = 4;
    c.body[3] = c.body[0];
    c.body[1] = (abut_body){.kind = ABUT_STATIC};
    c.body[2] = (abut_body){.kind = ABUT_KINEMATIC, .velocity = {0, 0, -1, 0, 0, 3}};
    c.contact[c.contacts++] = (abut_contact){
        .bodies = {2, 1}, .point = {0, 1, 0}, .normal = {0, 0, 1}, .friction = 0.5, .viscous = 2};
    c.contact[c.contacts++] =
        (abut_contact){.bodies = {1, ABUT_WORLD}, .normal = {0, 0, 1}, .friction = 0.5, .gap = -0.01};
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options;
    FOR_EACH_SOLVER(ABUT_COULOMB, options)
    {
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        CHECK_EQ_INT(result.islands, 1);
        for (int i = 4; i < 6 && result.contacts; ++i) {
            const abut_contact_answer *a = &result.contacts[i];
            CHECK(a->normal == 0.0 && a->tangent[0] == 0.0 && a->tangent[1] == 0.0 && a->state == ABUT_OPEN);
        }
        if (result.contacts) CHECK_NEAR(result.contacts[4].velocity[0], -1.0, 1e-15);
        abut_contact_workspace_destroy(work);
    }
}

/* A box on a belt: it takes up the belt's speed as fast as friction allows, whichever body is called A. */
static void test_belt(void)
{
    for (int swapped = 0; swapped < 2; ++swapped) {
        for (int fast = 0; fast < 2; ++fast) {
            contact_case c;
            box_on_floor(&c, 0.5);
            double speed = fast ? 2.0 : 0.02, gained = fast ? 0.05 : 0.02; /* mu g step = 0.05 */
            c.bodies = 2;
            c.body[1] = (abut_body){.kind = ABUT_KINEMATIC, .velocity = {speed, 0, 0, 0, 0, 0}};
            for (int i = 0; i < 4; ++i) {
                c.contact[i].bodies[0] = swapped ? 1 : 0;
                c.contact[i].bodies[1] = swapped ? 0 : 1;
                c.contact[i].normal[2] = swapped ? -1 : 1;
            }
            abut_contact_problem problem = case_problem(&c);
            abut_contact_options options;
            FOR_EACH_SOLVER(ABUT_COULOMB, options)
            {
                abut_contact_result result;
                abut_contact_workspace *work = case_solve(&problem, &options, &result);
                expect_solved(&result);
                if (result.velocity) {
                    CHECK_NEAR(result.velocity[0], gained, 1e-12);
                    CHECK_NEAR(result.velocity[6], speed, 0.0);
                    double normal = 0.0;
                    for (int i = 0; i < 4; ++i) normal += result.contacts[i].normal;
                    CHECK_NEAR(normal, 0.1, 1e-12);
                    CHECK_NEAR(result.contacts[0].velocity[1], swapped ? speed - gained : gained - speed,
                               1e-12);
                }
                abut_contact_workspace_destroy(work);
            }
        }
    }
}

/* With two directions friction acts along t alone; across it the box slides freely. */
static void test_planar(void)
{
    contact_case c;
    box_on_floor(&c, 0.5);
    c.body[0].velocity[0] = 0.02;
    c.body[0].velocity[1] = 0.03;
    for (int i = 0; i < 4; ++i) c.contact[i].directions = 2;
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options;
    FOR_EACH_SOLVER(ABUT_COULOMB, options)
    {
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        if (result.velocity) {
            CHECK_NEAR(result.velocity[0], 0.0, 1e-12);
            CHECK_NEAR(result.velocity[1], 0.03, 1e-12);
            for (int i = 0; i < 4; ++i) CHECK(result.contacts[i].tangent[1] == 0.0);
        }
        abut_contact_workspace_destroy(work);
    }
}

static void test_no_friction(void)
{
    for (int model = ABUT_COULOMB; model <= ABUT_FRICTIONLESS; ++model) {
        contact_case c;
        box_on_floor(&c, model == ABUT_COULOMB ? 0.0 : 0.7); /* the frictionless model looks away */
        c.body[0].velocity[0] = 0.02;
        abut_contact_problem problem = case_problem(&c);
        problem.model = (abut_contact_model)model;
        abut_contact_options options;
        FOR_EACH_SOLVER(problem.model, options)
        {
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            expect_solved(&result);
            if (result.velocity) {
                CHECK_NEAR(result.velocity[0], 0.02, 1e-15);
                CHECK_NEAR(result.velocity[2], 0.0, 1e-15);
            }
            abut_contact_workspace_destroy(work);
        }
    }
}

/* The normal condition, step 0.01: a gap that lets the ball come closer, one it would cross, and a bounce; as
 * an ordinary contact and as the side of a union whose other side, far behind the ball, does not hold. */
static void test_gap_and_restitution(void)
{
    const struct {
        double gap, restitution, speed, after;
    } cases[] = {
        {0.1, 0.0, -5.0, -5.0},  /* out of reach within the step */
        {0.01, 0.0, -0.5, -0.5}, /* half way */
        {0.01, 0.0, -2.0, -1.0}, /* would cross: lands, -gap / step = -0.01 / 0.01 */
        {0.01, 0.5, -2.0, 1.0},  /* would cross: bounces, 0.5 * 2 */
        {0.03, 0.5, -2.0, -2.0}, /* would not touch: 0.03 - 0.01 * 2 > 0 */
        {0.0, 0.8, -2.0, 1.6},        {0.0, 0.8, 2.0, 2.0}, /* leaves */
        {-0.001, 0.0, 0.0, 0.1},                            /* pushed out: -gap / step */
        {-0.001, 1.0, -2.0, 2.0},                           /* bounces */
        {-0.01, 0.1, -1.0, 0.1},                            /* bounces, instead of 1.0 */
        {0.0, 0.8, -0.02, 0.016},                           /* faster than the threshold of 0.01 */
        {0.0, 0.8, -0.009, 0.0},                            /* slower: comes to rest */
        {-0.0001, 0.8, -0.009, 0.01},                       /* slower: pushed out */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        contact_case c = {.bodies = 1, .contacts = 1};
        c.body[0] = (abut_body){
            .mass = 3.0, .inertia = {1, 1, 1}, .com = {0, 0, 1}, .velocity = {0, 0, cases[k].speed}};
        c.contact[0] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                      .normal = {0, 0, 1},
                                      .friction = 0.3,
                                      .gap = cases[k].gap,
                                      .restitution = cases[k].restitution};
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options;
        FOR_EACH_SOLVER(ABUT_COULOMB, options)
        {
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            expect_solved(&result);
            if (result.velocity) CHECK_NEAR(result.velocity[2], cases[k].after, 1e-13);
            if (result.velocity) CHECK_NEAR(result.contacts[0].velocity[0], cases[k].after, 1e-13);
            abut_contact_workspace_destroy(work);
        }
        /* The side of a union follows the same rule: its other side, 10 cm behind the ball, does not hold. */
        c.contacts = 2;
        c.contact[1] = c.contact[0];
        c.contact[1].gap = -0.1;
        c.contact[1].restitution = 0.0;
        c.contact[0].group = c.contact[1].group = 1;
        problem = case_problem(&c);
        options = abut_contact_default_options();
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        if (result.velocity) CHECK_NEAR(result.velocity[2], cases[k].after, 1e-13);
        abut_contact_workspace_destroy(work);
    }
}

/* restitution_threshold, with restitution 0.5: what approaches faster bounces, and the verifier reads the
 * same option. */
static void test_restitution_threshold(void)
{
    const struct {
        double threshold, speed, after;
    } cases[] = {{0.0, -1e-5, 5e-6}, {1.0, -1.0, 0.0}, {1.0, -1.25, 0.625}, {0.0, 0.0, 0.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        contact_case c = {.bodies = 1, .contacts = 1};
        c.body[0] = (abut_body){
            .mass = 3.0, .inertia = {1, 1, 1}, .com = {0, 0, 1}, .velocity = {0, 0, cases[k].speed}};
        c.contact[0] = (abut_contact){.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .restitution = 0.5};
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options = abut_contact_default_options();
        options.restitution_threshold = cases[k].threshold;
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        if (result.velocity) CHECK_NEAR(result.velocity[2], cases[k].after, 1e-15);
        CHECK(case_verify(&problem, &options, &result).residual <= 1e-12);
        bool same = (cases[k].speed < -0.01) == (cases[k].speed < -cases[k].threshold);
        double impulses[3] = {result.contacts ? result.contacts[0].normal : NAN}, *scratch = NULL;
        abut_contact_check check = {.residual = NAN};
        scratch = calloc(abut_contact_verify_size(&problem) + 1, sizeof(double));
        CHECK_EQ_INT(abut_contact_verify(&problem, NULL, impulses, NULL, result.velocity, scratch, &check),
                     ABUT_OK);
        CHECK((check.residual <= 1e-9) == same);
        free(scratch);
        abut_contact_workspace_destroy(work);
    }
    abut_contact_options options = abut_contact_default_options();
    const double wrong[] = {-1e-3, INFINITY, NAN};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        contact_case c;
        box_on_floor(&c, 0.1);
        abut_contact_problem problem = case_problem(&c);
        abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
        abut_contact_workspace *work = NULL;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        options.restitution_threshold = wrong[k];
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_INVALID_ARGUMENT);
        options.restitution_threshold = 0.01;
        abut_contact_workspace_destroy(work);
    }
}

/* Viscous and Coulomb friction together: the impulse -step viscous u_t of the velocity after, or before. */
static void test_viscous_with_coulomb(void)
{
    contact_case c;
    box_on_floor(&c, 0.1);
    c.body[0].velocity[0] = 1.0;
    c.body[0].com[2] = 0.0; /* no lever: the four corners share alike */
    for (int i = 0; i < 4; ++i) c.contact[i].viscous = 5.0;
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options;
    FOR_EACH_SOLVER(ABUT_COULOMB, options)
    {
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        /* (1 - mu g step) / (1 + 4 * 0.01 * 5) */
        if (result.velocity) {
            CHECK_NEAR(result.velocity[0], 0.99 / 1.2, 1e-12);
            double tangent = 0.0;
            for (int i = 0; i < 4; ++i) tangent += result.contacts[i].tangent[0];
            CHECK_NEAR(tangent, 0.99 / 1.2 - 1.0, 1e-12);
        }
        abut_contact_workspace_destroy(work);
        options.viscous = ABUT_VISCOUS_EXPLICIT;
        work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        /* 1 - 4 * 0.01 * 5 * 1 - mu g step */
        if (result.velocity) CHECK_NEAR(result.velocity[0], 1.0 - 0.2 - 0.01, 1e-12);
        abut_contact_workspace_destroy(work);
    }
}

/* A slot narrower than the body that sits in it: no velocity satisfies both walls. */
static void test_ray(void)
{
    contact_case c = {.bodies = 1, .contacts = 2};
    c.body[0] = (abut_body){.mass = 1.0, .inertia = {1, 1, 1}};
    for (int i = 0; i < 2; ++i) {
        double side = i ? 1.0 : -1.0;
        c.contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                      .point = {side, 0, 0},
                                      .normal = {-side, 0, 0},
                                      .friction = 0.5,
                                      .gap = -0.01};
    }
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options;
    FOR_EACH_SOLVER(ABUT_COULOMB, options)
    {
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        CHECK_MSG(result.outcome == ABUT_INFEASIBLE && result.witness, "%s by %s",
                  abut_outcome_name(result.outcome), abut_contact_solver_name(options.solver));
        CHECK(!result.contacts && !result.velocity && !result.faces);
        CHECK(result.residual == INFINITY);
        /* Both walls push alike. */
        if (result.ray)
            CHECK(result.ray[0] > 0.0 && fabs(result.ray[0] - result.ray[3]) <= 1e-12 * result.ray[0]);
        abut_contact_workspace_destroy(work);
    }
}

/* Random problems with one and several bodies: every solver, and every stage run alone through the fallbacks'
 * names. */
static void test_random(void)
{
    uint64_t seed = check_seed(20260307);
    for (int k = 0; k < 60; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c;
        case_random(&c, 1 + k % 5, 1 + k % 17, &random);
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options;
        FOR_EACH_SOLVER(ABUT_COULOMB, options)
        {
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-9,
                      "problem %d, %s: %s, residual %g", k, abut_contact_solver_name(options.solver),
                      abut_outcome_name(result.outcome), result.residual);
            abut_contact_workspace_destroy(work);
        }
    }
}

/* The oracle on problems of at most sixteen rows, joints among them. */
static void test_enumerate(void)
{
    uint64_t seed = check_seed(17);
    for (int k = 0; k < 40; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c;
        case_random(&c, 1 + k % 2, 1 + k % 2, &random);
        for (int i = 0; i < c.contacts; ++i) c.contact[i].directions = 2 + bench_below(&random, 4);
        if (k % 3 == 0) {
            c.joints = 1;
            c.joint[0] = (abut_joint){.bodies = {0, ABUT_WORLD}, .jacobian = {{1, 0.5, 0.25, 0.1, 0.2, 0.3}}};
        }
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options = abut_contact_default_options();
        options.solver = ABUT_SOLVER_ENUMERATE;
        options.alone = true;
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        expect_solved(&result);
        CHECK_STR(result.stage, "enumerate");
        abut_contact_workspace_destroy(work);
    }
}

/* A solver that cannot take so many rows says so; it has not failed. With helpers it is answered. */
static void test_too_large(void)
{
    enum { COUNT = ABUT_DENSE_MAX + 1 };
    static const struct {
        abut_contact_model model;
        abut_contact_solver solver;
    } pairs[] = {
        {ABUT_COULOMB, ABUT_SOLVER_LEMKE},       {ABUT_COULOMB, ABUT_SOLVER_ENUMERATE},
        {ABUT_FRICTIONLESS, ABUT_SOLVER_LEMKE},  {ABUT_FRICTIONLESS, ABUT_SOLVER_DANTZIG},
        {ABUT_NO_SLIP, ABUT_SOLVER_ACTIVE_SET},  {ABUT_VISCOUS, ABUT_SOLVER_LEMKE},
        {ABUT_COULOMB_ACCEL, ABUT_SOLVER_DRIVE},
    };
    contact_case c;
    box_on_floor(&c, 0.3);
    c.body[0].velocity[0] = 1;
    abut_contact *many = calloc(COUNT, sizeof *many);
    for (int i = 0; i < COUNT; ++i) {
        many[i] = c.contact[i % 4];
        many[i].point[0] *= (double)(i + 1) / COUNT;
    }
    abut_contact_problem problem = case_problem(&c);
    problem.contacts = many;
    problem.contact_count = COUNT;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        abut_contact_options options = abut_contact_default_options();
        options.solver = pairs[k].solver;
        options.alone = true;
        problem.model = pairs[k].model;
        abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
        abut_contact_workspace *work = NULL;
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
        abut_contact_workspace_destroy(work);
    }
    abut_contact_options options = abut_contact_default_options();
    options.solver = ABUT_SOLVER_LEMKE;
    problem.model = ABUT_COULOMB;
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    expect_solved(&result);
    abut_contact_workspace_destroy(work);
    free(many);
}

/* Two bodies pinched by normals that are opposed but for 1e-8 rad, without friction: what must stop takes
 * impulses of 1e7 N s and more, whose rounding alone is worth 1e-9. There always is an answer, so that no outcome
 * may say otherwise; at 1e-7 it is found. */
static void test_nearly_opposed_normals(void)
{
    uint64_t seed = check_seed(31);
    for (int k = 0; k < 400; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c = {.bodies = 2, .contacts = 6};
        for (int b = 0; b < 2; ++b) {
            c.body[b] = (abut_body){.mass = 1, .inertia = {1.0 / 6, 1.0 / 6, 1.0 / 6}};
            for (int i = 0; i < 6; ++i) c.body[b].velocity[i] = bench_uniform(&random, -1, 1);
        }
        for (int i = 0; i < 6; ++i) {
            int a = bench_below(&random, 2), other = bench_below(&random, 3) ? 1 - a : ABUT_WORLD;
            c.contact[i] = (abut_contact){.bodies = {a, other}, .normal = {0, 0, 1}};
            for (int j = 0; j < 2; ++j) c.contact[i].normal[j] = bench_uniform(&random, -1e-8, 1e-8);
            for (int j = 0; j < 3; ++j) c.contact[i].point[j] = bench_uniform(&random, -1, 1);
        }
        abut_contact_problem problem = case_problem(&c);
        problem.model = ABUT_FRICTIONLESS;
        abut_contact_options options = abut_contact_default_options();
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        CHECK_MSG(result.outcome == ABUT_SOLVED || (result.outcome == ABUT_FAILED && result.residual <= 1e-7),
                  "problem %d: %s, residual %g", k, abut_outcome_name(result.outcome), result.residual);
        abut_contact_workspace_destroy(work);
        options.tolerance = 1e-7;
        work = case_solve(&problem, &options, &result);
        CHECK_MSG(result.outcome == ABUT_SOLVED, "problem %d: %s", k, abut_outcome_name(result.outcome));
        CHECK(case_verify(&problem, &options, &result).residual <= 1e-7);
        abut_contact_workspace_destroy(work);
    }
}

/* The table of models: a row for each, found by its name, with impacts at the velocity level. */
static void test_models_tell_what_they_ask(void)
{
    for (int m = 0; m < ABUT_MODEL_COUNT; ++m) {
        const abut_model_info *info = abut_contact_model_info((abut_contact_model)m);
        abut_contact_model found = ABUT_MODEL_COUNT;
        CHECK(info && strcmp(info->name, abut_contact_model_name((abut_contact_model)m)) == 0);
        CHECK(abut_contact_model_from_name(info->name, &found) && (int)found == m);
        CHECK(!abut_contact_model_info(info->impact)->acceleration);
        CHECK(info->acceleration || (int)info->impact == m);
        CHECK(!info->ray_is_answer || info->acceleration);
        CHECK(!info->unions || !info->acceleration);
        CHECK(abut_contact_supports((abut_contact_model)m, ABUT_SOLVER_AUTO, false));
    }
    CHECK(abut_contact_model_info(ABUT_COULOMB_ACCEL)->impact == ABUT_COULOMB);
    CHECK(abut_contact_model_info(ABUT_VISCOUS)->impact == ABUT_FRICTIONLESS);
    CHECK(abut_contact_model_info(ABUT_NO_SLIP)->friction == ABUT_LAW_HELD);
    CHECK(!abut_contact_model_info(ABUT_MODEL_COUNT) && !abut_contact_model_info((abut_contact_model)-1));
}

int main(void)
{
    RUN(test_models_tell_what_they_ask);
    RUN(test_golden_scenes);
    RUN(test_nothing_touches);
    RUN(test_contact_of_unmoved_bodies);
    RUN(test_belt);
    RUN(test_planar);
    RUN(test_no_friction);
    RUN(test_gap_and_restitution);
    RUN(test_restitution_threshold);
    RUN(test_nearly_opposed_normals);
    RUN(test_viscous_with_coulomb);
    RUN(test_ray);
    RUN(test_random);
    RUN(test_enumerate);
    RUN(test_too_large);
    return check_report();
}
