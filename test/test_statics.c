/* Statics of answers: margins to the cone, equilibrium, net wrenches, through all three doors. */
#include "abut/statics.h"
#include "check.h"
#include "contact_trial.h"
#include "family_accel.h"

#include <math.h>
#include <stdlib.h>

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

/* ------------------------------------------------------------------------------------------------
 * All forces that hold everything at rest */

static abut_statics_ranges ranges_of(const abut_contact_problem *problem, double *least, double *most)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(contact_trial_run(trial, problem));
    abut_statics_ranges ranges = {.least = least, .most = most};
    double *scratch = malloc(abut_statics_ranges_size(problem) * sizeof *scratch);
    CHECK_EQ_INT(abut_statics_find_ranges(problem, &trial->result, scratch, &ranges), ABUT_OK);
    free(scratch);
    contact_trial_destroy(trial);
    return ranges;
}

/* A square box on a slope of 20 degrees: weight W = 20 N, half side 0.5 m, centre of mass 0.2 m above the
 * slope. All four corners may share alike, so that each uses tan 20 / mu of its friction. Normal forces: they
 * add up to W cos 20, the lower two carry (1/2 + 0.2 tan 20) of that (moments about the axis across the
 * slope), and left and right half each unless friction across the slope twists: forces along y do not move
 * that balance, since they act at the ground, 0.2 m below the centre: sum of y f_n = 0.2 * sum of f_y, and the
 * sum of f_y is 0. So of the lower pair one corner may carry nothing if the upper pair makes up for it: with
 * lower L = W cos 20 (1/2 + 0.2 tan 20) and upper U = W cos 20 (1/2 - 0.2 tan 20), left l + u = right =
 * W cos 20 / 2; a lower corner carries between W cos 20 / 2 - U and L, but at most W cos 20 / 2; an upper one
 * between 0 and U. Friction must allow it too: mu = 2 is plenty. */
static void test_box_on_slope(void)
{
    const double pi = 3.14159265358979323846;
    double angle = 20 * pi / 180, least[CONTACTS], most[CONTACTS];
    box b;
    for (int k = 0; k < 2; ++k) {
        double mu = k ? 2.0 : 0.5, across = 20 * cos(angle);
        box_make(&b, 20 * sin(angle), mu);
        b.body.force[2] = -across;
        abut_statics_ranges r = ranges_of(&b.problem, least, most);
        CHECK(r.possible);
        CHECK_NEAR(r.used, tan(angle) / mu, 1e-8);
        double lower = across * (0.5 + 0.2 * tan(angle)), upper = across * (0.5 - 0.2 * tan(angle));
        for (int i = 0; i < CONTACTS && k == 1; ++i) {
            bool low = i % 2; /* x = 0.5: the push is along x */
            CHECK_NEAR(most[i], low ? across / 2 : upper, 1e-6);
            CHECK_NEAR(least[i], low ? lower - across / 2 : 0.0, 1e-6);
        }
        for (int i = 0; i < CONTACTS; ++i) CHECK(least[i] >= 0.0 && least[i] <= most[i]);
    }
    box_make(&b, 20 * sin(angle), 0.2); /* slides: 1.82 times the friction would be needed */
    b.body.force[2] = -20 * cos(angle);
    abut_statics_ranges r = ranges_of(&b.problem, least, most);
    CHECK(!r.possible && isnan(least[0]) && isnan(most[3]));
    CHECK_NEAR(r.used, tan(angle) / 0.2, 1e-8);
}

/* Friction along a diagonal: the cone is round, so that no direction needs more than another. */
static void test_round_cone(void)
{
    double least[CONTACTS], most[CONTACTS];
    for (int k = 0; k < 16; ++k) {
        box b;
        double angle = 0.1 + 0.39 * k;
        box_make(&b, 6 * cos(angle), 0.5);
        b.body.force[1] = 6 * sin(angle);
        b.body.com[2] = 0.0; /* at the ground: no tipping */
        abut_statics_ranges r = ranges_of(&b.problem, least, most);
        CHECK_NEAR(r.used, 0.6, 1e-8);
        /* A corner carries at most half of the weight: the opposite one carries as much then. */
        for (int i = 0; i < CONTACTS; ++i) CHECK(least[i] <= 1e-6 && most[i] <= 10.0 + 1e-6 && most[i] > 9.0);
    }
}

/* A block between two walls, 10 N of weight, mu = 0.5 at each: squeezed as hard as one likes, and at least with
 * 10 N from both sides. With mu = 0, or walls on one side only, nothing holds it. */
static void test_squeezed(void)
{
    abut_body block = {.mass = 1, .inertia = {0.1, 0.1, 0.1}, .force = {0, 0, -10}};
    abut_contact walls[2];
    for (int i = 0; i < 2; ++i)
        walls[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                  .point = {i ? 0.5 : -0.5, 0, 0},
                                  .normal = {i ? -1 : 1, 0, 0},
                                  .tangent = {0, 0, 1},
                                  .friction = 0.5};
    abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                    .body_count = 1,
                                    .bodies = &block,
                                    .contact_count = 2,
                                    .contacts = walls};
    double least[2], most[2];
    abut_statics_ranges r = ranges_of(&problem, least, most);
    CHECK(r.possible && r.used >= 0.0 &&
          r.used < 3e-6); /* pressed harder and harder it needs less and less */
    for (int i = 0; i < 2; ++i) {
        CHECK_NEAR(least[i], 10.0, 1e-6);
        CHECK(most[i] == INFINITY);
    }
    walls[0].friction = walls[1].friction = 0.0;
    r = ranges_of(&problem, least, most);
    CHECK(!r.possible && r.used == INFINITY);
    walls[0].friction = walls[1].friction = 0.5;
    problem.contact_count = 1;
    r = ranges_of(&problem, least, most);
    CHECK(!r.possible && r.used == INFINITY);
}

/* A beam on two supports, a quarter and three quarters of the way from the load: no choice, 7.5 N and 2.5 N.
 * The same through the other doors. */
static void test_beam(void)
{
    abut_body beam = {.mass = 1, .inertia = {0.1, 0.1, 0.1}, .force = {0, 0, -10}};
    abut_contact ends[2];
    for (int i = 0; i < 2; ++i)
        ends[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                 .point = {i ? 0.75 : -0.25, 0, 0},
                                 .normal = {0, 0, 1},
                                 .tangent = {1, 0, 0},
                                 .friction = 0.5,
                                 .directions = ABUT_DIRECTIONS_MIN};
    abut_contact_problem problem = {
        .model = ABUT_COULOMB_ACCEL, .body_count = 1, .bodies = &beam, .contact_count = 2, .contacts = ends};
    double least[2], most[2];
    double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.1}, velocity[3] = {0}, force[3] = {0, -10, 0};
    double normal[6] = {0, 1, 0.25, 0, 1, -0.75}, tangent[12] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    abut_generalised g = {.nv = 3,
                          .mass_matrix = mass,
                          .velocity = velocity,
                          .force = force,
                          .normal_rows = normal,
                          .tangent_rows = tangent};
    /* W = J M^-1 J', q = J M^-1 force; rows: normal and tangent of each end. */
    double W[16] = {1.625, 0, -0.875, 0, 0, 1, 0, 1, -0.875, 0, 6.625, 0, 0, 1, 0, 1},
           q[4] = {-10, 0, -10, 0};
    abut_local local = {.dimension = 2, .W = W, .q = q};
    for (int door = 0; door < 3; ++door) {
        abut_contact_problem given = problem;
        if (door > 0) given.body_count = 0, given.bodies = NULL;
        if (door == 1) given.generalised = &g;
        if (door == 2) given.local = &local;
        abut_statics_ranges r = ranges_of(&given, least, most);
        CHECK(r.possible);
        CHECK_NEAR(r.used, 0.0, 1e-9);
        for (int i = 0; i < 2; ++i) {
            CHECK_NEAR(least[i], i ? 2.5 : 7.5, 1e-6);
            CHECK_NEAR(most[i], i ? 2.5 : 7.5, 1e-6);
        }
    }
}

/* Random blocks at rest: whatever forces a solver finds, they lie within the ranges, and use no less friction
 * than the best. */
static void test_answers_lie_within(void)
{
    uint64_t seed = check_seed(15);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    CHECK(trial && c);
    int still = 0, unknown = 0;
    for (int i = 0; i < 300 && trial && c; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        int bodies = 1 + bench_below(&random, 3), contacts = 3 * bodies + bench_below(&random, 6);
        accel_make(c, i % 2, bodies, contacts, ACCEL_AT_REST, 1.5, &random);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9);
        double net[18], used[16], least[16], most[16], worst = 0.0, size = 0.0;
        abut_statics statics = {.used = used, .net_wrench = net};
        CHECK_EQ_INT(abut_statics_find(&c->problem, &trial->result, &statics), ABUT_OK);
        abut_statics_ranges r = {.least = least, .most = most};
        double *scratch = malloc(abut_statics_ranges_size(&c->problem) * sizeof *scratch);
        CHECK_EQ_INT(abut_statics_find_ranges(&c->problem, &trial->result, scratch, &r), ABUT_OK);
        free(scratch);
        if (!statics.equilibrium) continue;
        still++;
        CHECK_MSG(r.possible, "problem %d rests, but needs %g of its friction", i, r.used);
        for (int k = 0; k < c->problem.contact_count; ++k) {
            size = fmax(size, trial->result.contacts[k].normal);
            if (!isnan(used[k])) worst = fmax(worst, used[k]);
        }
        CHECK_MSG(r.used <= worst + 1e-6, "problem %d: best %g, found %g", i, r.used, worst);
        for (int k = 0; k < c->problem.contact_count; ++k) {
            double f = trial->result.contacts[k].normal;
            unknown += isnan(least[k]) + isnan(most[k]);
            if (isnan(least[k]) || isnan(most[k])) continue;
            CHECK_MSG(f >= least[k] - 1e-5 * size && f <= most[k] + 1e-5 * size,
                      "problem %d, contact %d: %g, not in %g to %g", i, k, f, least[k], most[k]);
        }
    }
    CHECK_MSG(still > 50 && unknown <= 20, "%d at rest, %d numbers not found", still, unknown);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
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
    double *scratch = malloc(abut_statics_ranges_size(&b.problem) * sizeof *scratch);
    abut_statics_ranges ranges = {0};
    CHECK_EQ_INT(abut_statics_find_ranges(&b.problem, &trial->result, scratch, &ranges), ABUT_OK);
    CHECK_EQ_INT(abut_statics_find_ranges(&b.problem, &trial->result, NULL, &ranges), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_statics_find_ranges(&b.problem, &none, scratch, &ranges), ABUT_INVALID_ARGUMENT);
    b.problem.model = ABUT_COULOMB;
    CHECK_EQ_INT(abut_statics_find(&b.problem, &trial->result, &statics), ABUT_UNSUPPORTED);
    CHECK_EQ_INT(abut_statics_find_ranges(&b.problem, &trial->result, scratch, &ranges), ABUT_UNSUPPORTED);
    b.problem.model = ABUT_COULOMB_ACCEL;
    b.problem.contact_count = ABUT_STATICS_CONTACTS_MAX + 1;
    CHECK_EQ_INT(abut_statics_find_ranges(&b.problem, &trial->result, scratch, &ranges), ABUT_TOO_LARGE);
    CHECK_EQ_INT((int)abut_statics_ranges_size(&b.problem), 0);
    free(scratch);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_box);
    RUN(test_joint_and_ground);
    RUN(test_doors);
    RUN(test_box_on_slope);
    RUN(test_round_cone);
    RUN(test_squeezed);
    RUN(test_beam);
    RUN(test_answers_lie_within);
    RUN(test_refusals);
    return check_report();
}
