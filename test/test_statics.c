/* Statics of answers: margins to the cone, equilibrium, net wrenches, through all three doors. */
#include "abut/statics.h"
#include "check.h"
#include "contact_trial.h"

enum { CONTACTS = 4 };

/* A box of 2 kg on the ground, pushed along x by `push` at its centre. */
typedef struct box {
    abut_body body;
    abut_contact contact[CONTACTS];
    abut_contact_problem problem;
} box;

static void box_make(box *b, double push, double mu)
{
    *b = (box){.body = {.mass = 2, .inertia = {0.1, 0.1, 0.1}, .com = {0, 0, 0.2}, .force = {push, 0, -20}}};
    for (int i = 0; i < CONTACTS; ++i)
        b->contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                       .point = {i % 2 ? 0.5 : -0.5, i / 2 ? 0.5 : -0.5, 0},
                                       .normal = {0, 0, 1},
                                       .tangent = {1, 0, 0},
                                       .friction = mu};
    b->problem = (abut_contact_problem){.model = ABUT_COULOMB_ACCEL,
                                        .body_count = 1,
                                        .bodies = &b->body,
                                        .contact_count = CONTACTS,
                                        .contacts = b->contact};
}

static abut_statics solve(const abut_contact_problem *problem, double margin[CONTACTS], double used[CONTACTS],
                          double net[6], double *friction)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(contact_trial_run(trial, problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(trial->check.residual <= 1e-9);
    abut_statics statics = {.margin = margin, .used = used, .net_wrench = net};
    CHECK_EQ_INT(abut_statics_find(problem, &trial->result, &statics), ABUT_OK);
    *friction = 0;
    for (int i = 0; i < problem->contact_count; ++i) *friction += trial->result.contacts[i].tangent[0];
    contact_trial_destroy(trial);
    return statics;
}

/* 20 N of weight and mu = 0.5 hold 10 N. */
static void test_box(void)
{
    box b;
    double margin[CONTACTS], used[CONTACTS], net[6], friction;
    box_make(&b, 6, 0.5);
    abut_statics rest = solve(&b.problem, margin, used, net, &friction);
    CHECK(rest.equilibrium);
    CHECK_NEAR(friction, -6, 1e-9);
    double sum = 0;
    for (int i = 0; i < CONTACTS; ++i) {
        CHECK(margin[i] >= -1e-9 && !(used[i] < 0 || used[i] > 1 + 1e-9)); /* NaN where nothing presses */
        sum += margin[i];
    }
    CHECK(sum <= 4 + 1e-9); /* 10 - 6 where all friction points one way, else less */
    for (int c = 0; c < 6; ++c) CHECK_NEAR(net[c], 0, 1e-8);

    box_make(&b, 15, 0.5); /* slips: 15 - 10 N are left, along x */
    abut_statics slips = solve(&b.problem, margin, used, net, &friction);
    CHECK(!slips.equilibrium);
    for (int i = 0; i < CONTACTS; ++i) CHECK_NEAR(margin[i], 0, 1e-8);
    CHECK_NEAR(net[0], 5, 1e-8);
    for (int c = 1; c < 6; ++c) CHECK_NEAR(net[c], 0, 1e-8);

    box_make(&b, 0, 0); /* no friction: no cone, and nothing to hold */
    abut_statics smooth = solve(&b.problem, margin, used, net, &friction);
    CHECK(smooth.equilibrium);
    for (int i = 0; i < CONTACTS; ++i) CHECK(margin[i] == 0 && isnan(used[i]));
}

/* A joint row that holds the box along x takes the push. The ground is a body of its own here: what presses
 * on it is listed, and it need not be in equilibrium. */
static void test_joint_and_ground(void)
{
    box b;
    double margin[CONTACTS], used[CONTACTS], net[12], friction;
    box_make(&b, 15, 0.0);
    abut_body bodies[2] = {b.body, {.kind = ABUT_STATIC, .com = {0, 0, -1}}};
    abut_joint joint = {.bodies = {0, ABUT_WORLD}, .jacobian = {{1, 0, 0, 0, 0, 0}}};
    for (int i = 0; i < CONTACTS; ++i) b.contact[i].bodies[1] = 1;
    b.problem.bodies = bodies;
    b.problem.body_count = 2;
    b.problem.joints = &joint;
    b.problem.joint_count = 1;
    CHECK(solve(&b.problem, margin, used, net, &friction).equilibrium);
    for (int c = 0; c < 6; ++c) CHECK_NEAR(net[c], 0, 1e-8);
    CHECK_NEAR(net[8], -20, 1e-8);
}

/* The same box through the other doors. */
static void test_doors(void)
{
    box b;
    double margin[CONTACTS], used[CONTACTS], net[6], friction;
    double mass[36] = {0}, velocity[6] = {0}, normal[CONTACTS * 6] = {0}, tangent[2 * CONTACTS * 6] = {0};
    for (int push = 6; push <= 15; push += 9) {
        box_make(&b, push, 0.5);
        for (int c = 0; c < 6; ++c) mass[7 * c] = c < 3 ? 2 : 0.1;
        for (int i = 0; i < CONTACTS; ++i) {
            double x = b.contact[i].point[0], y = b.contact[i].point[1], z = -0.2;
            const double rows[3][6] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
            memcpy(normal + 6 * i, rows[0], sizeof rows[0]);
            memcpy(tangent + 12 * i, rows[1], 2 * sizeof rows[1]);
        }
        abut_generalised g = {.nv = 6,
                              .mass_matrix = mass,
                              .velocity = velocity,
                              .force = b.body.force,
                              .normal_rows = normal,
                              .tangent_rows = tangent};
        abut_contact_problem problem = b.problem;
        problem.body_count = 0;
        problem.bodies = NULL;
        problem.generalised = &g;
        CHECK_EQ_INT(solve(&problem, margin, used, net, &friction).equilibrium, push < 10);
        CHECK_NEAR(net[0], push < 10 ? 0 : 5, 1e-8);
        for (int c = 1; c < 6; ++c) CHECK_NEAR(net[c], 0, 1e-8);
    }
    double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {-10, 3, 0};
    abut_local local = {.dimension = 3, .W = W, .q = q};
    abut_contact point = {.friction = 0.5};
    abut_contact_problem problem = {
        .model = ABUT_COULOMB_ACCEL, .contact_count = 1, .contacts = &point, .local = &local};
    CHECK(solve(&problem, margin, used, NULL, &friction).equilibrium);
    CHECK_NEAR(margin[0], 10 - 6, 1e-9);
    CHECK_NEAR(used[0], 0.6, 1e-9);
    q[1] = 30;
    CHECK(!solve(&problem, margin, used, NULL, &friction).equilibrium);
}

static void test_refusals(void)
{
    box b;
    box_make(&b, 6, 0.5);
    double net[6];
    abut_statics statics = {.net_wrench = net};
    abut_contact_result none = {.outcome = ABUT_RAY};
    CHECK_EQ_INT(abut_statics_find(&b.problem, &none, &statics), ABUT_INVALID_ARGUMENT);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(contact_trial_run(trial, &b.problem));
    CHECK(trial->check.residual <= 1e-9);
    statics.net_wrench = NULL;
    CHECK_EQ_INT(abut_statics_find(&b.problem, &trial->result, &statics), ABUT_INVALID_ARGUMENT);
    statics.net_wrench = net;
    CHECK_EQ_INT(abut_statics_find(&b.problem, &trial->result, &statics), ABUT_OK);
    b.problem.model = ABUT_COULOMB;
    CHECK_EQ_INT(abut_statics_find(&b.problem, &trial->result, &statics), ABUT_UNSUPPORTED);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_box);
    RUN(test_joint_and_ground);
    RUN(test_doors);
    RUN(test_refusals);
    return check_report();
}
