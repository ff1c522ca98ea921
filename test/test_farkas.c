/* Proofs that contacts and joint rows exclude each other: found where there is one, through every door,
 * accepted by the verifier and by nobody else's word; none where a motion satisfies everything; wrong weights
 * are refused. */
#include "contact_case.h"

static bool accepted(const abut_contact_problem *problem, const double *contacts, const double *joints,
                     double *factor)
{
    double *scratch = calloc(abut_contact_verify_size(problem) + 1, sizeof(double));
    bool right = abut_contact_verify_witness(problem, NULL, contacts, joints, scratch, factor);
    free(scratch);
    return right;
}

/* A box between two walls that want it apart at 1 m/s each. */
static void between_walls(contact_case *c)
{
    *c = (contact_case){.bodies = 1, .contacts = 2};
    c->body[0] = (abut_body){.mass = 2, .inertia = {1, 1, 1}, .velocity = {0.3, 0.2, 0, 0, 0, 1}};
    for (int i = 0; i < 2; ++i) {
        double side = i ? 1 : -1;
        c->contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                       .point = {side, 0.5, 0},
                                       .normal = {-side, 0, 0},
                                       .friction = 0.5,
                                       .gap = -0.01};
    }
}

static void test_walls_exclude_each_other(void)
{
    contact_case c;
    between_walls(&c);
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    CHECK_EQ_INT(result.outcome, ABUT_INFEASIBLE);
    CHECK(result.witness && result.witness_joints);
    double factor = 0;
    CHECK(accepted(&problem, result.witness, result.witness_joints, &factor));
    CHECK(factor >= 1e12);
    CHECK_NEAR(result.witness[0] / result.witness[1], 1, 1e-12);
    abut_contact_workspace_destroy(work);
}

/* What is no proof: unequal weights (a motion makes up for it), negative ones, none, no numbers; and the
 * right weights of another problem, in which the walls are far enough. */
static void test_wrong_weights_are_refused(void)
{
    contact_case c;
    between_walls(&c);
    abut_contact_problem problem = case_problem(&c);
    const double wrong[][2] = {{1, 1.001}, {-1, -1}, {0, 0}, {1, 0}, {NAN, 1}, {INFINITY, INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        CHECK(!accepted(&problem, wrong[i], NULL, NULL));
    const double right[2] = {1, 1};
    CHECK(accepted(&problem, right, NULL, NULL));
    c.contact[0].gap = 0.01;
    CHECK(!accepted(&problem, right, NULL, NULL));
    c.contact[0].gap = 0.0100001;
    c.contact[1].gap = -0.01;
    CHECK(!accepted(&problem, right, NULL, NULL));
    c.contact[0].gap = -0.01;
    c.contact[0].group = 1;
    CHECK(accepted(&problem, right, NULL, NULL)); /* the only side of its union must hold */
    c.contact[1].group = 1;
    CHECK(!accepted(&problem, right, NULL, NULL));
    CHECK(!abut_contact_verify_witness(&problem, NULL, right, NULL, NULL, NULL));
    CHECK(!abut_contact_verify_witness(NULL, NULL, right, NULL, NULL, NULL));
}

/* A joint row drives the box into a wall; the weights name both, and the kinematic body that the wall is. */
static void test_a_driven_joint_against_a_moving_wall(void)
{
    contact_case c = {.bodies = 2, .contacts = 1, .joints = 1};
    c.body[0] = (abut_body){.mass = 2, .inertia = {1, 2, 2.5, 0.1, 0.2, 0.1}};
    c.body[1] = (abut_body){.kind = ABUT_KINEMATIC, .velocity = {-1, 0, 0}};
    c.contact[0] =
        (abut_contact){.bodies = {0, 1}, .point = {1, 0, 0}, .normal = {-1, 0, 0}, .friction = 0.3};
    c.joint[0] = (abut_joint){.bodies = {0, ABUT_WORLD}, .jacobian = {{1, 0, 0, 0, 0, 0}}, .target = 0.5};
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options = abut_contact_default_options();
    for (int mode = 0; mode < 2; ++mode) {
        options.joint_rows = mode ? ABUT_JOINTS_PROJECTED : ABUT_JOINTS_PERMANENT;
        for (int k = 0; k < 2; ++k) {
            c.joint[0].target = k ? -1.5 : 0.5;
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            CHECK_EQ_INT(result.outcome, k ? ABUT_SOLVED : ABUT_INFEASIBLE);
            CHECK((result.witness != NULL) == !k);
            if (result.witness) {
                CHECK(accepted(&problem, result.witness, result.witness_joints, NULL));
                CHECK_NEAR(result.witness_joints[0] / result.witness[0], 1, 1e-12);
            } else {
                CHECK(case_verify(&problem, &options, &result).residual <= 1e-12);
            }
            abut_contact_workspace_destroy(work);
        }
    }
}

/* Joint rows that say the same twice, first with targets that differ by a millionth, then with others that have
 * nothing in common: either is a contradiction, and where both are there the clear one is the proof. */
static void test_joint_rows_that_nearly_agree(void)
{
    for (int clear = 0; clear < 2; ++clear) {
        contact_case c = {.bodies = 1, .joints = clear ? 4 : 2};
        c.body[0] = (abut_body){.mass = 2, .inertia = {1, 2, 2.5, 0.1, 0.2, 0.1}};
        for (int j = 0; j < 4; ++j) {
            c.joint[j] = (abut_joint){.bodies = {0, ABUT_WORLD}, .target = j == 0 ? 0.05 : 0.05 * (1 + 1e-6)};
            c.joint[j].jacobian[0][j / 2] = 1;
            c.joint[j].jacobian[0][5] = 0.3;
            if (j >= 2) c.joint[j].target = j == 2 ? 0 : 0.04;
        }
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options = abut_contact_default_options();
        for (int mode = 0; mode < 2; ++mode) {
            options.joint_rows = mode ? ABUT_JOINTS_PROJECTED : ABUT_JOINTS_PERMANENT;
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            CHECK_EQ_INT(result.outcome, ABUT_INFEASIBLE);
            double factor = 0;
            CHECK(result.witness_joints &&
                  accepted(&problem, result.witness, result.witness_joints, &factor));
            if (clear && result.witness_joints) {
                CHECK(factor >= 1e12);
                CHECK_NEAR(result.witness_joints[3] / result.witness_joints[2], -1, 1e-12);
            }
            abut_contact_workspace_destroy(work);
        }
    }
}

/* The box between walls through the other two doors: nv = 1, and W with equal and opposite rows. */
static void test_the_other_doors(void)
{
    const double mass = 2, velocity = 0.3, force = 0, normals[2] = {1, -1}, tangents[4] = {0};
    abut_generalised generalised = {.nv = 1,
                                    .mass_matrix = &mass,
                                    .velocity = &velocity,
                                    .force = &force,
                                    .normal_rows = normals,
                                    .tangent_rows = tangents};
    const double W[16] = {0.5, 0, -0.5, 0, 0, 1, 0, 0, -0.5, 0, 0.5, 0, 0, 0, 0, 1}, q[4] = {-1, 0, -1, 0};
    abut_local local = {.dimension = 2, .W = W, .q = q};
    abut_contact contacts[2] = {{.gap = -0.01, .directions = 2}, {.gap = -0.01, .directions = 2}};
    abut_contact_problem problem = {.step = 0.01, .contact_count = 2, .contacts = contacts};
    abut_contact_options options = abut_contact_default_options();
    for (int door = 0; door < 2; ++door) {
        problem.generalised = door ? NULL : &generalised;
        problem.local = door ? &local : NULL;
        contacts[0].gap = contacts[1].gap = door ? 0 : -0.01; /* it is part of q */
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        CHECK_EQ_INT(result.outcome, ABUT_INFEASIBLE);
        if (result.witness) {
            CHECK(accepted(&problem, result.witness, result.witness_joints, NULL));
            CHECK_NEAR(result.witness[0] / result.witness[1], 1, 1e-12);
        }
        const double wrong[2] = {1, 2};
        CHECK(!accepted(&problem, wrong, NULL, NULL));
        abut_contact_workspace_destroy(work);
    }
}

/* Acceleration level: a joint row pulls the box into the ground. At rest that is impossible; while the box
 * leaves the ground the contact asks for nothing, and the same weights prove nothing. Rows that contradict
 * each other do so all the same. */
static void test_a_contact_that_separates_has_no_weight(void)
{
    contact_case c = {.bodies = 1, .contacts = 1, .joints = 2};
    c.body[0] = (abut_body){.mass = 2, .inertia = {1, 1, 1}, .force = {0, 0, -20}};
    c.contact[0] = (abut_contact){.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}, .friction = 0.5};
    for (int j = 0; j < 2; ++j)
        c.joint[j] = (abut_joint){.bodies = {0, ABUT_WORLD}, .jacobian = {{0, 0, 1}}, .target = -1};
    abut_contact_problem problem = case_problem(&c);
    problem.model = ABUT_COULOMB_ACCEL;
    const double one = 1, rows[2] = {1, 1}, tangents[2] = {0}, force = -20, mass = 2;
    const double W[16] = {0.5, 0, 0.5, 0.5, 0, 1, 0, 0, 0.5, 0, 0.5, 0.5, 0.5, 0, 0.5, 0.5};
    const double q[4] = {-10, 0, -10, -10}, weight = 1, joints[2] = {-0.5, -0.5};
    double velocity[4] = {0};
    abut_generalised generalised = {.nv = 1,
                                    .mass_matrix = &mass,
                                    .velocity = velocity,
                                    .force = &force,
                                    .normal_rows = &one,
                                    .tangent_rows = tangents,
                                    .joint_rows = rows};
    abut_local local = {.dimension = 2, .W = W, .q = q, .velocity = velocity};
    abut_contact_options options = abut_contact_default_options();
    for (int door = 0; door < 3; ++door) {
        problem.body_count = door == 0;
        problem.generalised = door == 1 ? &generalised : NULL;
        problem.local = door == 2 ? &local : NULL;
        c.contact[0].directions = door == 2 ? 2 : 0;
        for (int k = 0; k < 3; ++k) {
            static const abut_outcome expected[] = {ABUT_INFEASIBLE, ABUT_SOLVED, ABUT_INFEASIBLE};
            velocity[0] = c.body[0].velocity[2] = k > 0;
            c.joint[1].target = k == 2 ? -2 : -1;
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            CHECK_EQ_INT(result.outcome, expected[k]);
            CHECK_EQ_INT(accepted(&problem, &weight, joints, NULL), k == 0);
            if (result.witness) CHECK(accepted(&problem, result.witness, result.witness_joints, NULL));
            abut_contact_workspace_destroy(work);
        }
    }
}

/* Walls that exclude each other beside a union that could be satisfied: the weights leave its sides alone. */
static void test_beside_a_union(void)
{
    contact_case c;
    between_walls(&c);
    c.contacts = 4;
    for (int i = 2; i < 4; ++i) {
        c.contact[i] = c.contact[0];
        c.contact[i].group = 1;
        c.contact[i].normal[0] = i == 2 ? 1 : 0;
        c.contact[i].normal[1] = i == 2 ? 0 : 1;
    }
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    CHECK_EQ_INT(result.outcome, ABUT_INFEASIBLE);
    if (result.witness) {
        CHECK(accepted(&problem, result.witness, result.witness_joints, NULL));
        CHECK(result.witness[0] > 0 && result.witness[2] == 0 && result.witness[3] == 0);
    }
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    RUN(test_walls_exclude_each_other);
    RUN(test_wrong_weights_are_refused);
    RUN(test_a_driven_joint_against_a_moving_wall);
    RUN(test_joint_rows_that_nearly_agree);
    RUN(test_the_other_doors);
    RUN(test_a_contact_that_separates_has_no_weight);
    RUN(test_beside_a_union);
    return check_report();
}
