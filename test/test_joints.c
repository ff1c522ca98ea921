/* Joint rows: known answers, dependent rows, contradictions, both ways of treating them. */
#include "contact_case.h"

/* A dumbbell: two balls of mass 1 and 3 on a rod along x; the first is pushed. */
static void dumbbell(contact_case *c)
{
    *c = (contact_case){.bodies = 2, .joints = 1};
    c->body[0] = (abut_body){.mass = 1.0, .inertia = {1, 1, 1}, .force = {4.0, 0, 0}};
    c->body[1] = (abut_body){.mass = 3.0, .inertia = {1, 1, 1}, .com = {1, 0, 0}};
    c->joint[0] = (abut_joint){.bodies = {0, 1}, .jacobian = {{1, 0, 0, 0, 0, 0}, {-1, 0, 0, 0, 0, 0}}};
}

static abut_contact_result solve_with(const contact_case *c, abut_contact_model model,
                                      abut_contact_solver solver, abut_joint_rows mode,
                                      abut_contact_workspace **work)
{
    abut_contact_problem problem = case_problem(c);
    problem.model = model;
    abut_contact_options options = abut_contact_default_options();
    options.solver = solver;
    options.alone = true;
    options.joint_rows = mode;
    abut_contact_result result;
    *work = case_solve(&problem, &options, &result);
    return result;
}

#define FOR_EACH(solver, mode)                                                                               \
    for (abut_contact_solver solver = 0; solver < ABUT_SOLVER_COUNT; ++solver)                               \
        if (solver != ABUT_SOLVER_ENUMERATE && abut_contact_supports(ABUT_COULOMB, solver, false))           \
            for (abut_joint_rows mode = ABUT_JOINTS_PERMANENT; mode <= ABUT_JOINTS_PROJECTED; ++mode)

static void test_rod(void)
{
    contact_case c;
    dumbbell(&c);
    FOR_EACH(solver, mode)
    {
        abut_contact_workspace *work;
        abut_contact_result result = solve_with(&c, ABUT_COULOMB, solver, mode, &work);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(result.islands, 1);
        if (result.velocity) {
            CHECK_NEAR(result.velocity[0], 0.01, 1e-15); /* 4 N on 4 kg for 0.01 s */
            CHECK_NEAR(result.velocity[6], 0.01, 1e-15);
            CHECK_NEAR(result.joints[0], -0.03, 1e-15);
        }
        abut_contact_workspace_destroy(work);
    }
}

/* The same row three times, once negated and scaled: one of them carries, the answer does not change. */
static void test_dependent_rows(void)
{
    contact_case c;
    dumbbell(&c);
    c.joints = 4;
    for (int j = 1; j < 4; ++j) {
        c.joint[j] = c.joint[0];
        double by = j == 1 ? 1.0 : j == 2 ? -1e3 : 1e-3;
        for (int k = 0; k < 12; ++k) c.joint[j].jacobian[k / 6][k % 6] *= by;
    }
    c.joint[3].jacobian[0][4] = 1.0; /* a row of its own: the first ball does not turn about y */
    c.joint[3].jacobian[0][0] = c.joint[3].jacobian[1][0] = 0.0;
    FOR_EACH(solver, mode)
    {
        abut_contact_workspace *work;
        abut_contact_result result = solve_with(&c, ABUT_COULOMB, solver, mode, &work);
        CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-14, "%s %g",
                  abut_outcome_name(result.outcome), result.residual);
        if (result.velocity) {
            CHECK_NEAR(result.velocity[0], 0.01, 1e-15);
            CHECK_NEAR(result.joints[0] + result.joints[1] - 1e3 * result.joints[2], -0.03, 1e-15);
        }
        abut_contact_workspace_destroy(work);
    }
}

static void test_contradiction(void)
{
    contact_case c;
    dumbbell(&c);
    c.joints = 2;
    c.joint[1] = c.joint[0];
    c.joint[1].target = 0.5;
    FOR_EACH(solver, mode)
    {
        abut_contact_workspace *work;
        abut_contact_result result = solve_with(&c, ABUT_COULOMB, solver, mode, &work);
        CHECK_EQ_INT(result.outcome, ABUT_INFEASIBLE);
        CHECK(!result.velocity && !result.joints && result.residual == INFINITY);
        abut_contact_workspace_destroy(work);
    }
    /* A row of zeros holds or it does not; so does a row between bodies that no impulse moves. */
    c.joint[1] = (abut_joint){.bodies = {0, 1}};
    for (int k = 0; k < 2; ++k) {
        c.joint[1].target = k;
        abut_contact_workspace *work;
        abut_contact_result result =
            solve_with(&c, ABUT_COULOMB, ABUT_SOLVER_LEMKE, ABUT_JOINTS_PERMANENT, &work);
        CHECK_EQ_INT(result.outcome, k ? ABUT_INFEASIBLE : ABUT_SOLVED);
        abut_contact_workspace_destroy(work);
    }
    c.bodies = 3;
    c.body[2] = (abut_body){.kind = ABUT_KINEMATIC, .velocity = {2.0}};
    c.joint[1] = (abut_joint){.bodies = {2, ABUT_WORLD}, .jacobian = {{1}}};
    for (int k = 0; k < 2; ++k) {
        c.joint[1].target = k ? 1.0 : 2.0;
        abut_contact_workspace *work;
        abut_contact_result result =
            solve_with(&c, ABUT_COULOMB, ABUT_SOLVER_LEMKE, ABUT_JOINTS_PERMANENT, &work);
        CHECK_EQ_INT(result.outcome, k ? ABUT_INFEASIBLE : ABUT_SOLVED);
        abut_contact_workspace_destroy(work);
    }
}

/* A motor (target) and a row to a kinematic body, which moves. */
static void test_targets(void)
{
    contact_case c;
    dumbbell(&c);
    c.joint[0].target = 0.2; /* the first ball runs ahead */
    c.bodies = 3;
    c.body[2] = (abut_body){.kind = ABUT_KINEMATIC, .velocity = {0, 0.7, 0, 0, 0, 0}};
    c.joints = 2;
    c.joint[1] = (abut_joint){.bodies = {1, 2}, .jacobian = {{0, 1, 0, 0, 0, 0}, {0, -1, 0, 0, 0, 0}}};
    FOR_EACH(solver, mode)
    {
        abut_contact_workspace *work;
        abut_contact_result result = solve_with(&c, ABUT_COULOMB, solver, mode, &work);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        if (result.velocity) {
            CHECK_NEAR(result.velocity[0] - result.velocity[6], 0.2, 1e-15);
            CHECK_NEAR(result.velocity[0] + 3 * result.velocity[6], 0.04, 1e-15);
            CHECK_NEAR(result.velocity[7], 0.7, 1e-15);
            CHECK_NEAR(result.joints[1], 2.1, 1e-14);
        }
        abut_contact_workspace_destroy(work);
    }
}

/* Random contacts and random rows, some dependent, both ways and every solver: same velocities where few
 * contacts leave them unique, verified everywhere. */
static void test_random(void)
{
    uint64_t seed = check_seed(41);
    for (int k = 0; k < 60; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c;
        case_random(&c, 2 + k % 4, 1 + k % 9, &random);
        c.joints = 1 + k % 6;
        for (int j = 0; j < c.joints; ++j) {
            int a = bench_below(&random, c.bodies), b = bench_below(&random, c.bodies + 1) - 1;
            c.joint[j] = (abut_joint){.bodies = {a, b == a ? ABUT_WORLD : b}};
            for (int i = 0; i < 12; ++i)
                c.joint[j].jacobian[i / 6][i % 6] = bench_uniform(&random, -1.0, 1.0);
            if (j > 0 && k % 2) c.joint[j] = c.joint[j - 1]; /* duplicated */
        }
        FOR_EACH(solver, mode)
        {
            abut_contact_workspace *work;
            abut_contact_result result = solve_with(&c, ABUT_COULOMB, solver, mode, &work);
            CHECK_MSG(result.outcome == ABUT_SOLVED && result.residual <= 1e-9, "problem %d, %s, %s: %s %g",
                      k, abut_contact_solver_name(solver), mode ? "projected" : "permanent",
                      abut_outcome_name(result.outcome), result.residual);
            abut_contact_workspace_destroy(work);
        }
    }
}

/* Projection takes the joint rows out of what the stages see: an LCP that has ten rows without its seven joint
 * rows is one that `enumerate` answers (up to 16), and otherwise not. Two welded balls, the lower on the floor
 * and not turning about z, thrown forwards and down. */
static void test_projection_takes_rows_out(void)
{
    contact_case c = {.bodies = 2, .contacts = 1, .joints = 7};
    for (int b = 0; b < 2; ++b) {
        c.body[b] = (abut_body){.mass = 1.0 + b,
                                .inertia = {1, 1, 1},
                                .com = {0, 0, 1.0 + b},
                                .velocity = {1, 0.5, -1, 0, 0, 0},
                                .force = {0, 0, -10.0 * (1 + b)}};
    }
    c.contact[0] = (abut_contact){.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .friction = 0.3};
    for (int j = 0; j < 6; ++j) { /* velocities agree at the middle (0, 0, 1.5) */
        c.joint[j] = (abut_joint){.bodies = {0, 1}};
        c.joint[j].jacobian[0][j] = 1;
        c.joint[j].jacobian[1][j] = -1;
    }
    c.joint[0].jacobian[0][4] = c.joint[0].jacobian[1][4] = 0.5;
    c.joint[1].jacobian[0][3] = c.joint[1].jacobian[1][3] = -0.5;
    c.joint[6] = (abut_joint){.bodies = {0, ABUT_WORLD}, .jacobian = {{0, 0, 0, 0, 0, 1}}};
    abut_contact_problem problem = case_problem(&c);
    for (abut_joint_rows mode = ABUT_JOINTS_PERMANENT; mode <= ABUT_JOINTS_PROJECTED; ++mode) {
        abut_contact_options options = abut_contact_default_options();
        options.solver = ABUT_SOLVER_ENUMERATE;
        options.alone = true;
        options.joint_rows = mode;
        abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
        abut_contact_workspace *work = NULL;
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        abut_status status = abut_contact_solve(work, &problem, &options, &result);
        CHECK_EQ_INT(status, mode == ABUT_JOINTS_PROJECTED ? ABUT_OK : ABUT_TOO_LARGE);
        if (status == ABUT_OK) {
            CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
            abut_contact_check check = case_verify(&problem, &options, &result);
            CHECK_MSG(check.residual <= 1e-12, "%g", check.residual);
        }
        abut_contact_workspace_destroy(work);
    }
}

int main(void)
{
    RUN(test_rod);
    RUN(test_dependent_rows);
    RUN(test_contradiction);
    RUN(test_targets);
    RUN(test_random);
    RUN(test_projection_takes_rows_out);
    return check_report();
}
