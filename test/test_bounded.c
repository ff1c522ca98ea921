/* Bounded and compliant rows and two points, on problems small enough to know the answer, and what the verifier makes
 * of answers that are wrong. */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"
#include <math.h>
#include <string.h>

static const double H = 0.01, NEAR = 1e-12;

/* One body of 2 kg on a rail (the other five numbers are held by being alone): a block of one number. */
typedef struct rail {
    double mass, velocity, force, row;
    int size;
    abut_generalised generalised;
    abut_joint joint;
    abut_contact contact;
    abut_contact_problem problem;
} rail;

static void rail_make(rail *r, double velocity, double force)
{
    *r = (rail){.mass = 2, .velocity = velocity, .force = force, .row = 1, .size = 1};
    r->generalised = (abut_generalised){.nv = 1,
                                        .mass_matrix = &r->mass,
                                        .velocity = &r->velocity,
                                        .force = &r->force,
                                        .normal_rows = &r->row,
                                        .joint_rows = &r->row,
                                        .block_count = 1,
                                        .block_sizes = &r->size};
    r->joint = (abut_joint){.bodies = {0, ABUT_WORLD}};
    r->contact = (abut_contact){.bodies = {0, ABUT_WORLD}};
    r->problem = (abut_contact_problem){.step = H,
                                        .joint_count = 1,
                                        .joints = &r->joint,
                                        .contacts = &r->contact,
                                        .generalised = &r->generalised};
}

/* Solves by every solver that can and expects this impulse and velocity. */
static void expect(rail *r, double impulse, double velocity, const char *what)
{
    static const abut_contact_solver solvers[] = {ABUT_SOLVER_AUTO,    ABUT_SOLVER_FACES,
                                                  ABUT_SOLVER_REDUCED, ABUT_SOLVER_STRUCTURAL,
                                                  ABUT_SOLVER_LEMKE,   ABUT_SOLVER_ENUMERATE};
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; ++k) {
        contact_trial *t = contact_trial_create(solvers[k], k > 0);
        const char *name = abut_contact_solver_name(solvers[k]);
        CHECK(contact_trial_run(t, &r->problem));
        CHECK_MSG(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-12, "%s by %s: %s, %g", what,
                  name, abut_outcome_name(t->result.outcome), t->check.residual);
        if (t->result.outcome == ABUT_SOLVED) {
            double p = r->problem.joint_count ? t->result.joints[0] : t->result.contacts[0].normal;
            CHECK_MSG(fabs(p - impulse) <= NEAR && fabs(t->result.velocity[0] - velocity) <= NEAR,
                      "%s by %s: impulse %.15g, velocity %.15g; expected %.15g, %.15g", what, name, p,
                      t->result.velocity[0], impulse, velocity);
        }
        contact_trial_destroy(t);
    }
}

static void bound(rail *r, double target, double lower, double upper)
{
    r->joint = (abut_joint){
        .bodies = {0, ABUT_WORLD}, .target = target, .bounded = true, .lower = lower, .upper = upper};
}

static void test_rows(void)
{
    rail r;
    rail_make(&r, 1, 0);
    bound(&r, 3, -10, 10);
    expect(&r, 4, 3, "a motor that is strong enough");
    bound(&r, 3, -1, 1);
    expect(&r, 1, 1.5, "a motor that is too weak");
    bound(&r, -3, -1, 5);
    expect(&r, -1, 0.5, "the same backwards");
    bound(&r, 0, -0.5, 0.5);
    expect(&r, -0.5, 0.75, "a brake that slips");
    bound(&r, 0, -5, 5);
    expect(&r, -2, 0, "a brake that holds");
    bound(&r, 0.5, 0, INFINITY);
    expect(&r, 0, 1, "a limit that is not reached");
    bound(&r, 1.5, 0, INFINITY);
    expect(&r, 1, 1.5, "a limit that is");
    bound(&r, 0.5, -INFINITY, 0);
    expect(&r, -1, 0.5, "a rope that is tight");
    bound(&r, 7, 0.25, 0.25);
    expect(&r, 0.25, 1.125, "a given impulse");
    bound(&r, 0, 1, INFINITY);
    expect(&r, 1, 1.5, "pushed by 1 at least");
    bound(&r, 0, -INFINITY, INFINITY);
    expect(&r, -2, 0, "bounds that are none");
    rail_make(&r, 0, 0);
    bound(&r, 0, 1e-7, 2e-7);
    expect(&r, 1e-7, 0.5e-7, "nothing but a given impulse");
}

/* A spring k and a damper d at the end of the step, and a servo, as the header has them. */
static void test_compliance(void)
{
    const double k = 500, d = 3, x = 0.002;
    rail r;
    rail_make(&r, -0.1, -20);
    r.problem.joint_count = 0;
    r.problem.contact_count = 1;
    r.contact.compliance = 1 / (H * (H * k + d));
    r.contact.gap = -x * H * k / (H * k + d);
    /* m (v - v0) = h f + h (k (x - h v) - d v) */
    double velocity = (r.mass * r.velocity + H * r.force + H * k * x) / (r.mass + H * H * k + H * d);
    expect(&r, H * (k * (x - H * velocity) - d * velocity), velocity, "a spring and a damper");

    rail_make(&r, 0.3, 5);
    double wanted = 0.05, speed = 0.2, at = 0.01;
    r.joint.compliance = 1 / (H * (H * k + d));
    r.joint.target = (k * (wanted - at) + d * speed) / (H * k + d);
    velocity = (r.mass * r.velocity + H * r.force + H * k * (wanted - at) + H * d * speed) /
               (r.mass + H * H * k + H * d);
    double push = H * (k * (wanted - at - H * velocity) + d * (speed - velocity));
    expect(&r, push, velocity, "a servo");
    r.joint.bounded = true;
    r.joint.lower = -0.1;
    r.joint.upper = 0.1;
    expect(&r, 0.1, r.velocity + (H * r.force + 0.1) / r.mass, "a servo with a limit");
}

/* What the verifier finds of right and wrong impulses. */
static double residual_of(const rail *r, double impulse)
{
    double scratch[64], velocity = r->velocity + (H * r->force + impulse) / r->mass;
    abut_contact_check check;
    CHECK(abut_contact_verify_size(&r->problem) <= 64);
    CHECK(abut_contact_verify(&r->problem, NULL, NULL, &impulse, &velocity, scratch, &check) == ABUT_OK);
    return check.residual;
}

static void test_verifier(void)
{
    rail r;
    rail_make(&r, 1, 0);
    bound(&r, 3, -1, 1);
    CHECK(residual_of(&r, 1) <= 1e-15);
    CHECK(residual_of(&r, 0.999) > 1e-4); /* inside, and not at its target */
    CHECK(residual_of(&r, -1) > 0.1);     /* at the wrong bound */
    CHECK(residual_of(&r, 4) > 0.1);      /* at its target by more than it has */
    CHECK(residual_of(&r, NAN) == INFINITY);
    bound(&r, 0.5, 0, INFINITY);
    CHECK(residual_of(&r, 0) <= 1e-15);
    CHECK(residual_of(&r, -1) > 0.1); /* pulls where it can only push */
    r.joint = (abut_joint){.bodies = {0, ABUT_WORLD}, .target = 3, .compliance = 0.5};
    CHECK(residual_of(&r, 2) <= 1e-15); /* 1 + p / 2 + p / 2 = 3 */
    CHECK(residual_of(&r, 4) > 0.1);    /* as if it were rigid */
}

/* Two fingers that are driven together, rigid, on a block that is in their way: infeasible. With soft fingers there
 * is an answer. */
static void test_gripper(void)
{
    abut_body bodies[3] = {{.mass = 1, .inertia = {1, 1, 1}},
                           {.mass = 1, .inertia = {1, 1, 1}, .com = {-1, 0, 0}},
                           {.mass = 1, .inertia = {1, 1, 1}, .com = {1, 0, 0}}};
    abut_contact contacts[2] = {
        {.bodies = {0, 1}, .point = {-0.5, 0, 0}, .normal = {1, 0, 0}, .friction = 0.5},
        {.bodies = {0, 2}, .point = {0.5, 0, 0}, .normal = {-1, 0, 0}, .friction = 0.5}};
    abut_joint joints[2] = {{.bodies = {1, ABUT_WORLD}, .jacobian = {{1}}, .target = 0.1},
                            {.bodies = {2, ABUT_WORLD}, .jacobian = {{1}}, .target = -0.1}};
    abut_contact_problem p = {.step = H,
                              .body_count = 3,
                              .bodies = bodies,
                              .contact_count = 2,
                              .contacts = contacts,
                              .joint_count = 2,
                              .joints = joints};
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(contact_trial_run(t, &p));
    CHECK(t->result.outcome == ABUT_INFEASIBLE && t->proven);
    contacts[0].compliance = contacts[1].compliance = 0.01;
    CHECK(contact_trial_run(t, &p));
    CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-12);
    CHECK(fabs(t->result.contacts[0].normal - 10) <= 1e-9 &&
          fabs(t->result.contacts[0].velocity[0] + 0.1) <= 1e-9 &&
          fabs(t->result.contacts[0].gap_velocity) <= 1e-9);
    contacts[0].compliance = contacts[1].compliance = 0;
    for (int j = 0; j < 2; ++j) {
        joints[j].bounded = true;
        joints[j].lower = -3;
        joints[j].upper = 3;
    }
    CHECK(contact_trial_run(t, &p));
    CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-12);
    CHECK(fabs(t->result.joints[0] - 3) <= 1e-9 && fabs(t->result.joints[1] + 3) <= 1e-9);
    /* One-sided rows may prove that there is no answer; weights of the wrong sign do not. */
    for (int j = 0; j < 2; ++j) {
        joints[j].lower = j == 0 ? 0 : -INFINITY;
        joints[j].upper = j == 0 ? INFINITY : 0;
    }
    CHECK(contact_trial_run(t, &p));
    CHECK(t->result.outcome == ABUT_INFEASIBLE && t->proven);
    contact_trial_destroy(t);
}

/* A gap is open: A is touched at its own surface, B at its own. Friction then has the arms of both. */
static void test_two_points(void)
{
    abut_body bodies[2] = {{.mass = 1, .inertia = {1, 1, 1}, .com = {0, 0, 1}, .velocity = {1, 0, -10}},
                           {.mass = 3, .inertia = {2, 2, 2}, .com = {0, 0, -1}}};
    abut_contact contact = {.bodies = {0, 1},
                            .point = {0, 0, 0.05},
                            .normal = {0, 0, 1},
                            .friction = 10,
                            .gap = 0.05,
                            .two_points = true,
                            .second_point = {0, 0, 0}};
    abut_contact_problem p = {
        .step = H, .body_count = 2, .bodies = bodies, .contact_count = 1, .contacts = &contact};
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int order = 0; order < 2; ++order) {
        CHECK(contact_trial_run(t, &p));
        CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-12);
        const double *v = t->result.velocity;
        /* Friction on A, backwards, and what it does to both: 0.95 below one, 1 above the other. */
        double f = 1 - v[0];
        CHECK(fabs(v[4] - 0.95 * f) <= 1e-12 && fabs(v[6] - f / 3) <= 1e-12 && fabs(v[10] - f / 2) <= 1e-12);
        CHECK(fabs((v[0] - 0.95 * v[4]) - (v[6] + v[10])) <= 1e-12); /* they stick */
        /* A kinematic second body has an arm, too. */
        if (order == 0) {
            contact.two_points = false;
            CHECK(contact_trial_run(t, &p));
            CHECK(fabs(t->result.velocity[4] - v[4]) > 0 || t->result.velocity == v);
            contact.two_points = true;
        }
    }
    bodies[1].kind = ABUT_KINEMATIC;
    bodies[1].velocity[4] = 1;
    CHECK(contact_trial_run(t, &p));
    CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-12);
    CHECK(fabs(t->result.contacts[0].velocity[1]) <= 1e-12 ||
          fabs(t->result.contacts[0].velocity[2]) <= 1e-12);
    contact_trial_destroy(t);
}

/* Warm starts find bounded rows by their keys, whatever their order. */
static void test_keys(void)
{
    robot_scene *s = robot_scene_create();
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    t->options.warm = true;
    bench_random r = bench_random_stream(check_seed(5), 0);
    CHECK(robot_family_make(robot_family_find("motors"), 13, &r, s));
    CHECK(contact_trial_run(t, &s->reduced) && t->result.outcome == ABUT_SOLVED);
    int cold = t->result.pivots, bounded = 0;
    for (int j = 0; j < s->reduced.joint_count; ++j) bounded += t->result.joint_faces[j].state == ABUT_SLIDE;
    CHECK(cold > 5 && bounded > 0);
    for (int turn = 0; turn < 2; ++turn) {
        CHECK(contact_trial_run(t, &s->reduced) && t->result.outcome == ABUT_SOLVED);
        CHECK_MSG(t->result.pivots <= cold / 2, "%d pivots, %d cold", t->result.pivots, cold);
        CHECK(strcmp(t->result.stage, "faces-check") == 0);
        /* The rows the other way round: packed rows move with them. */
        int n = s->reduced.joint_count, nv = s->generalised.nv;
        double *rows = s->numbers + (s->generalised.joint_rows - s->numbers);
        for (int j = 0; j < n / 2; ++j) {
            abut_joint other = s->joints[j];
            s->joints[j] = s->joints[n - 1 - j];
            s->joints[n - 1 - j] = other;
            for (int c = 0; c < nv; ++c) {
                double x = rows[j * nv + c];
                rows[j * nv + c] = rows[(n - 1 - j) * nv + c];
                rows[(n - 1 - j) * nv + c] = x;
            }
        }
    }
    robot_scene_destroy(s);
    contact_trial_destroy(t);
}

static void expect_refused(const abut_contact_problem *p, const char *words)
{
    abut_error error;
    CHECK(abut_contact_validate(p, &error) == ABUT_INVALID_ARGUMENT);
    CHECK_MSG(strstr(error.text, words), "%s", error.text);
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(!contact_trial_run(t, p) && t->status != ABUT_OK);
    contact_trial_destroy(t);
}

/* A rope in the plane: nothing in the problem, nor in its workspace, has more than two directions. */
static void test_planar(void)
{
    for (int contacts = 0; contacts < 2; ++contacts) {
        rail r;
        rail_make(&r, -1, 0);
        r.joint.bounded = true;
        r.joint.upper = INFINITY;
        r.contact.directions = ABUT_DIRECTIONS_MIN;
        r.contact.gap = 1;
        r.problem.contact_count = contacts;
        abut_contact_limits limits = abut_contact_limits_for(&r.problem, NULL);
        abut_contact_options options = abut_contact_default_options();
        abut_contact_workspace *work = NULL;
        abut_contact_result result = {.outcome = ABUT_FAILED};
        limits.directions = ABUT_DIRECTIONS_MIN;
        CHECK(abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK);
        CHECK(abut_contact_solve(work, &r.problem, &options, &result) == ABUT_OK);
        CHECK(result.outcome == ABUT_SOLVED);
        if (result.outcome == ABUT_SOLVED)
            CHECK(fabs(result.joints[0] - 2) <= NEAR && fabs(result.velocity[0]) <= NEAR);
        r.velocity = 1; /* it is slack, and found so again */
        options.warm = true;
        for (int step = 0; step < 2; ++step)
            CHECK(abut_contact_solve(work, &r.problem, &options, &result) == ABUT_OK &&
                  result.outcome == ABUT_SOLVED);
        CHECK(result.joints[0] == 0 && fabs(result.velocity[0] - 1) <= NEAR && result.pivots == 0);
        abut_contact_workspace_destroy(work);
    }
}

/* Two rails, each an island with a motor: limits.dense is for the larger island alone, one number and one bounded row. */
static void test_dense_limit(void)
{
    const double mass[2] = {2, 2}, velocity[2] = {1, -1}, force[2] = {0}, rows[2] = {1, 1};
    const int sizes[2] = {1, 1};
    abut_generalised generalised = {.nv = 2,
                                    .mass_matrix = mass,
                                    .velocity = velocity,
                                    .force = force,
                                    .joint_rows = rows,
                                    .block_count = 2,
                                    .block_sizes = sizes};
    abut_joint motors[2];
    for (int b = 0; b < 2; ++b)
        motors[b] =
            (abut_joint){.bodies = {b, ABUT_WORLD}, .bounded = true, .lower = -3 + 2 * b, .upper = 3 - 2 * b};
    abut_contact_problem problem = {
        .step = H, .joint_count = 2, .joints = motors, .generalised = &generalised};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    for (int dense = 1; dense <= 2; ++dense) {
        abut_contact_workspace *work = NULL;
        abut_contact_result result;
        limits.dense = dense;
        CHECK(abut_contact_workspace_create(&limits, NULL, &work) == ABUT_OK);
        abut_status status = abut_contact_solve(work, &problem, &options, &result);
        CHECK(status == (dense == 2 ? ABUT_OK : ABUT_TOO_LARGE));
        if (status == ABUT_OK)
            CHECK(result.outcome == ABUT_SOLVED && result.islands == 2 && fabs(result.velocity[0]) <= NEAR &&
                  fabs(result.velocity[1] + 0.5) <= NEAR);
        abut_contact_workspace_destroy(work);
    }
}

static void test_refused(void)
{
    rail r;
    rail_make(&r, 1, 0);
    bound(&r, 0, 1, -1);
    expect_refused(&r.problem, "joints[0]: bounds 1 .. -1; expected lower <= upper");
    bound(&r, 0, INFINITY, INFINITY);
    expect_refused(&r.problem, "joints[0]: bounds");
    bound(&r, 0, 0, NAN);
    expect_refused(&r.problem, "joints[0]: bounds");
    bound(&r, 0, 0, 1);
    r.joint.compliance = -1;
    expect_refused(&r.problem, "joints[0].compliance: -1");
    bound(&r, 0, 0, 1);
    r.joint.bodies[0] = 1;
    expect_refused(&r.problem, "joints[0].bodies[0]: 1; expected an index from 0 to 0");
    bound(&r, 0, 0, 1);
    r.size = 2;
    expect_refused(&r.problem, "generalised.block_sizes[0]: 2; expected at least 1, and a sum of nv = 1");
    r.size = 1;
    int parent = 0;
    r.generalised.parents = &parent;
    expect_refused(&r.problem, "generalised.parents[0]: 0; expected -1");
    r.generalised.parents = NULL;
    r.generalised.joint_rows = NULL;
    expect_refused(&r.problem, "generalised.joint_rows: NULL; expected an array");
    r.generalised.joint_rows = &r.row;
    r.problem.contact_count = 1;
    r.contact.compliance = NAN;
    expect_refused(&r.problem, "contacts[0].compliance");
    r.contact.compliance = 0;
    r.mass = 0;
    expect_refused(&r.problem, "block 0 is not symmetric positive definite");
}

int main(void)
{
    RUN(test_rows);
    RUN(test_compliance);
    RUN(test_verifier);
    RUN(test_gripper);
    RUN(test_two_points);
    RUN(test_keys);
    RUN(test_planar);
    RUN(test_dense_limit);
    RUN(test_refused);
    return check_report();
}
