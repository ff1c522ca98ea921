/* Unions of contacts: the paper's examples with their corrections (b_1 and b_2 swapped, velocity and position
 * of z_a swapped, position of z_b2 (-.01, -.01), velocity of z_b3 (-.5, -.87), (35) with -(eps / h) e), the
 * published LCPs, both rules, the verifier, random problems. */
#include "abut/lcp.h"
#include "abut/union.h"
#include "check.h"
#include "contact_trial.h"
#include "family_unions.h"
#include "golden_union.h"

enum { ROWS = 400 };

static double B[ROWS * ROWS], b[ROWS], z[ROWS], w[ROWS], scratch[3 * ROWS];

/* A point mass near the corner of the third quadrant: Fig. 3. */
typedef struct corner {
    abut_body body;
    abut_contact side[3];
    abut_contact_problem problem;
} corner;

static void corner_make(corner *c, double vx, double vy)
{
    *c = (corner){.body = {.mass = 1, .inertia = {1, 1, 1}, .com = {1, 1, 0}, .velocity = {vx, vy, 0}}};
    for (int i = 0; i < 2; ++i)
        c->side[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                    .point = {1, 1, 0},
                                    .normal = {i == 0, i == 1, 0},
                                    .gap = 1,
                                    .directions = 2,
                                    .group = 7};
    c->problem = (abut_contact_problem){.model = ABUT_FRICTIONLESS,
                                        .step = 2,
                                        .contact_count = 2,
                                        .contacts = c->side,
                                        .body_count = 1,
                                        .bodies = &c->body};
}

static contact_trial *solve(const abut_contact_problem *problem, abut_union_rule rule,
                            abut_union_prefer prefer)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    trial->options.unions.rule = rule;
    trial->options.unions.prefer = prefer;
    CHECK(contact_trial_run(trial, problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK(trial->check.residual <= 1e-9);
    return trial;
}

static double lcp_residual(int n, const double *point)
{
    abut_lcp_problem lcp = {.n = n, .M = B, .ld = n, .q = b};
    abut_lcp_check check = {.residual = INFINITY};
    CHECK_EQ_INT(abut_lcp_verify(&lcp, point, w, scratch, &check), ABUT_OK);
    return check.residual;
}

static void near_all(const double *actual, const double *expected, int count, double tolerance)
{
    for (int i = 0; i < count; ++i)
        if (!(fabs(actual[i] - expected[i]) <= tolerance))
            CHECK_MSG(0, "entry %d is %.17g, expected %.17g", i, actual[i], expected[i]);
    CHECK(count > 0);
}

/* ---- the printed examples ---- */

static void test_no_contact(void)
{
    corner c;
    corner_make(&c, -2, 0);
    for (int rule = 0; rule < 2; ++rule) {
        contact_trial *trial = solve(&c.problem, (abut_union_rule)rule, ABUT_PREFER_FIRST);
        CHECK_NEAR(trial->result.velocity[0], -2, 1e-14);
        CHECK_NEAR(trial->result.velocity[1], 0, 1e-14);
        CHECK_NEAR(trial->result.contacts[0].gap_velocity, -1.5, 1e-14);
        CHECK_NEAR(trial->result.contacts[1].gap_velocity, 0.5, 1e-14);
        contact_trial_destroy(trial);
    }
}

typedef struct gathered {
    int count;
    double impulse[8][2];
} gathered;

static bool gather(const abut_contact_result *result, void *context)
{
    gathered *g = context;
    CHECK(result->residual <= 1e-12);
    if (g->count == 8) return false;
    g->impulse[g->count][0] = result->contacts[0].normal;
    g->impulse[g->count++][1] = result->contacts[1].normal;
    return true;
}

static void test_three_answers(void)
{
    corner c;
    corner_make(&c, -2, -1);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&c.problem, &options);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    gathered g = {0};
    int count = 0;
    CHECK_EQ_INT(abut_union_all(work, &c.problem, &options, gather, &g, &count), ABUT_OK);
    /* Without sides v = (-2, -1). The first side alone makes it (-0.5, -1), with (0.25 + 1) / 2 = 0.625 J; the
     * second (-2, -0.5), with (4 + 0.25) / 2 = 2.125 J: the first comes first. */
    static const double expected[3][2] = {{1.5, 0}, {0, 0.5}, {1.5, 0.5}};
    CHECK_EQ_INT(count, 3);
    CHECK_EQ_INT(g.count, 3);
    for (int i = 0; i < g.count; ++i) near_all(g.impulse[i], expected[i], 2, 1e-14);
    abut_contact_workspace_destroy(work);

    contact_trial *first = solve(&c.problem, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
    CHECK_NEAR(first->result.velocity[0], -0.5, 1e-14); /* the side with the least energy: q = (0, -1) */
    CHECK_NEAR(first->result.velocity[1], -1, 1e-14);
    contact_trial_destroy(first);
    contact_trial *least = solve(&c.problem, ABUT_UNION_MAX, ABUT_PREFER_ENERGY);
    CHECK_NEAR(least->result.velocity[0], -0.5, 1e-14); /* in the corner: q = (0, 0) */
    CHECK_NEAR(least->result.velocity[1], -0.5, 1e-14);
    contact_trial_destroy(least);
}

/* The published LCP of the problem, checked against printed numbers. */
static void published(const corner *c, abut_union_rule rule, double constant, const double *expected_B,
                      const double *expected_b, contact_trial *trial, double *used)
{
    abut_union_size size;
    trial->options.unions.rule = rule;
    trial->options.unions.epsilon = 0.02;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(abut_union_lcp_size(&c->problem, &trial->options, &size), ABUT_OK);
    CHECK_EQ_INT(size.rows, rule == ABUT_UNION_MAX ? 4 * 2 + 2 * 1 : 2 * 2);
    *used = constant;
    CHECK_EQ_INT(abut_union_lcp_build(trial->work, &c->problem, &trial->options, used, B, b), ABUT_OK);
    near_all(B, expected_B, size.rows * size.rows, 1e-15);
    near_all(b, expected_b, size.rows, 1e-14);
    CHECK_EQ_INT(abut_union_lift(&c->problem, &trial->options, *used, trial->result.contacts, NULL, z),
                 ABUT_OK);
    CHECK(lcp_residual(size.rows, z) <= 1e-14);
}

static void test_published_max(void)
{
    corner c;
    double gamma = 0;
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    corner_make(&c, -2, 0);
    published(&c, ABUT_UNION_MAX, 100, golden_max_B, golden_max_b_a, trial, &gamma);
    CHECK_NEAR(gamma, 100, 0);
    near_all(z, golden_max_z_a, 10, 1e-13);
    corner_make(&c, -2, -1);
    published(&c, ABUT_UNION_MAX, 100, golden_max_B, golden_max_b_b, trial, &gamma);
    for (int k = 0; k < 3; ++k) {
        double impulses[6], velocity[6] = {0}, verify[400];
        const double *printed = golden_max_z_b + 10 * k;
        CHECK(lcp_residual(10, printed) <= 1e-15);
        CHECK_EQ_INT(abut_union_unlift(&c.problem, &trial->options, printed, impulses, NULL), ABUT_OK);
        velocity[0] = -2 + impulses[0];
        velocity[1] = -1 + impulses[3];
        abut_contact_check check;
        CHECK(abut_contact_verify_size(&c.problem) <= 400);
        abut_contact_verify(&c.problem, &trial->options, impulses, NULL, velocity, verify, &check);
        CHECK(check.residual <= 1e-15);
    }
    contact_trial_destroy(trial);
}

/* Why max is not left to Lemke: on both published examples, and on the mixed one, it ends on rays with every
 * covering vector, though each has answers. */
static void test_lemke_cannot(void)
{
    enum { MIXED = 36 };
    const struct {
        int n;
        const double *B, *b;
    } published[] = {{10, golden_max_B, golden_max_b_a},
                     {10, golden_max_B, golden_max_b_b},
                     {MIXED, golden_mixed_B_max, golden_mixed_b_max}};
    abut_lcp_limits limits = {.n = MIXED, .methods = 1u << ABUT_LCP_LEMKE};
    abut_lcp_workspace *work = NULL;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    for (int k = 0; k < 3; ++k) {
        int n = published[k].n;
        abut_lcp_problem lcp = {.n = n, .M = published[k].B, .ld = n, .q = published[k].b};
        abut_lcp_options options = abut_lcp_default_options();
        options.method = ABUT_LCP_LEMKE;
        options.max_covers = 200;
        abut_lcp_result result;
        CHECK_EQ_INT(abut_lcp_solve(work, &lcp, &options, &result), ABUT_OK);
        CHECK_EQ_INT(result.outcome, ABUT_RAY);
    }
    abut_lcp_workspace_destroy(work);
}

static void test_published_sum(void)
{
    corner c;
    double e = 0;
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    corner_make(&c, -2, 0);
    published(&c, ABUT_UNION_SUM, 0, golden_sum_B, golden_sum_b_a, trial, &e);
    CHECK_NEAR(e, 0.01, 1e-16);
    near_all(z, golden_sum_z_a, 4, 1e-14);
    corner_make(&c, -2, -1);
    published(&c, ABUT_UNION_SUM, 0, golden_sum_B, golden_sum_b_b, trial, &e);
    for (int k = 0; k < 5; ++k) {
        const double *printed = golden_sum_z_b + 4 * k;
        double impulses[6], velocity[6] = {0}, verify[400];
        CHECK(lcp_residual(4, printed) <= 1e-15);
        CHECK_EQ_INT(abut_union_unlift(&c.problem, &trial->options, printed, impulses, NULL), ABUT_OK);
        velocity[0] = -2 + impulses[0];
        velocity[1] = -1 + impulses[3];
        abut_contact_check check;
        abut_contact_verify(&c.problem, &trial->options, impulses, NULL, velocity, verify, &check);
        CHECK_MSG(check.residual <= 1e-15, "printed answer %d: %g", k, check.residual);
        if (k == 0 || k == 2) { /* a force on a side that is not touched: no answer of the exact union */
            abut_contact_options exact = trial->options;
            exact.unions.rule = ABUT_UNION_MAX;
            abut_contact_verify(&c.problem, &exact, impulses, NULL, velocity, verify, &check);
            CHECK(check.residual >= 0.01);
        }
    }
    contact_trial_destroy(trial);
}

/* Three sides and one: where the printed (35) leaves a phantom gap, or lets the point through. */
static void test_corrected_cap(void)
{
    corner c;
    corner_make(&c, -2, -3);
    c.problem.step = 1;
    c.side[2] = c.side[0];
    c.side[2].normal[0] = 0.6;
    c.side[2].normal[1] = 0.8;
    c.side[2].gap = 1.2;
    c.problem.contact_count = 3;
    contact_trial *three = contact_trial_create(ABUT_SOLVER_AUTO, false);
    three->options.unions.rule = ABUT_UNION_SUM;
    three->options.unions.epsilon = 0.1;
    CHECK(contact_trial_run(three, &c.problem));
    CHECK_EQ_INT(three->result.outcome, ABUT_SOLVED);
    double total = 0;
    for (int i = 0; i < 3; ++i) total += fmax(-0.1, three->result.contacts[i].gap_velocity) + 0.1;
    CHECK_NEAR(total, 0.1, 1e-12); /* touched: no gap stays open */
    contact_trial_destroy(three);

    corner_make(&c, -2, 0);
    c.problem.step = 1;
    c.problem.contact_count = 1;
    for (int rule = 0; rule < 2; ++rule) {
        contact_trial *one = solve(&c.problem, (abut_union_rule)rule, ABUT_PREFER_FIRST);
        CHECK_NEAR(one->result.contacts[0].normal, 1, 1e-14);
        contact_trial_destroy(one);
    }
}

/* Two unions of two sides, an ordinary contact, friction: 36 and 24 rows. Generalised coordinates. */
static void test_mixed(void)
{
    static const double mass[4] = {1, 0, 0, 1}, force[2] = {0, 0};
    double normal[10], tangent[20] = {0};
    abut_contact contacts[5];
    for (int i = 0; i < 5; ++i) {
        const double *n = i < 4 ? golden_mixed_sides + 2 * i : golden_mixed_ordinary;
        normal[2 * i] = n[0];
        normal[2 * i + 1] = n[1];
        tangent[4 * i] = -n[1];
        tangent[4 * i + 1] = n[0];
        contacts[i] = (abut_contact){.friction = 0.4, .directions = 2, .group = i < 4 ? 1 + i / 2 : 0};
        contacts[i].gap = i < 4 ? golden_mixed_gap_sides[i] : golden_mixed_gap_ordinary[0];
    }
    abut_generalised generalised = {.nv = 2,
                                    .mass_matrix = mass,
                                    .velocity = golden_mixed_velocity,
                                    .force = force,
                                    .normal_rows = normal,
                                    .tangent_rows = tangent};
    abut_contact_problem problem = {
        .step = 1, .contact_count = 5, .contacts = contacts, .generalised = &generalised};
    static const int rows[2] = {36, 24};
    for (int rule = 0; rule < 2; ++rule) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.unions.rule = (abut_union_rule)rule;
        trial->options.unions.epsilon = 0.02;
        CHECK(contact_trial_run(trial, &problem));
        CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
        abut_union_size size;
        CHECK_EQ_INT(abut_union_lcp_size(&problem, &trial->options, &size), ABUT_OK);
        CHECK_EQ_INT(size.rows, rows[rule]);
        double constant = 0;
        CHECK_EQ_INT(abut_union_lcp_build(trial->work, &problem, &trial->options, &constant, B, b), ABUT_OK);
        near_all(B, rule ? golden_mixed_B_sum : golden_mixed_B_max, size.rows * size.rows, 1e-14);
        abut_union_lift(&problem, &trial->options, constant, trial->result.contacts, NULL, z);
        CHECK(lcp_residual(size.rows, z) <= 1e-9);
        near_all(b, rule ? golden_mixed_b_sum : golden_mixed_b_max, size.rows, 1e-14);
        CHECK(lcp_residual(size.rows, rule ? golden_mixed_z_sum : golden_mixed_z_max) <= 1e-14);
        contact_trial_destroy(trial);
    }
}

/* ---- what must not matter ---- */

static void test_order_of_sides(void)
{
    bench_random random = bench_random_stream(check_seed(71), 0);
    contact_case *c = contact_case_create();
    for (int k = 0; k < 200; ++k) {
        CHECK(family_unions_make(c, &random));
        contact_trial *trial = solve(&c->problem, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
        double velocity[12];
        memcpy(velocity, trial->result.velocity, 6 * (size_t)c->problem.body_count * sizeof(double));
        for (int i = 0; i + 1 < c->problem.contact_count; ++i) { /* swaps neighbours within their union */
            if (c->contacts[i].group == 0 || c->contacts[i].group != c->contacts[i + 1].group) continue;
            abut_contact swap = c->contacts[i];
            c->contacts[i] = c->contacts[i + 1];
            c->contacts[i + 1] = swap;
        }
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
        near_all(trial->result.velocity, velocity, 6 * c->problem.body_count, 1e-8);
        contact_trial_destroy(trial);
    }
    contact_case_destroy(c);
}

static void test_cap_vanishes(void)
{
    corner c;
    corner_make(&c, -2, -1);
    for (double epsilon = 0.1; epsilon > 1e-7; epsilon *= 0.1) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.unions.rule = ABUT_UNION_SUM;
        trial->options.unions.epsilon = epsilon;
        CHECK(contact_trial_run(trial, &c.problem));
        const abut_contact_answer *a = trial->result.contacts;
        CHECK(trial->check.residual <= 1e-9);
        CHECK(fmax(a[0].gap_velocity, a[1].gap_velocity) >= -epsilon / 2 - 1e-12);
        contact_trial_destroy(trial);
    }
}

/* The least energy is looked for with both rules. */
static void test_least_energy_of_sum(void)
{
    corner c;
    corner_make(&c, -2, -1);
    contact_trial *least = solve(&c.problem, ABUT_UNION_SUM, ABUT_PREFER_ENERGY);
    CHECK_NEAR(least->result.velocity[0], -0.5,
               1e-3); /* Lemke's answer slides over the top, this one stops */
    contact_trial_destroy(least);
}

static void test_is_side(void)
{
    corner c;
    corner_make(&c, -2, -1);
    c.side[2] = c.side[1];
    c.side[2].group = 8;
    c.problem.contact_count = 3;
    CHECK(abut_union_is_side(&c.problem, 0));
    CHECK(abut_union_is_side(&c.problem, 1));
    CHECK(!abut_union_is_side(&c.problem, 2)); /* alone in its group */
    c.side[1].group = 0;
    CHECK(!abut_union_is_side(&c.problem, 0));
    CHECK(!abut_union_is_side(&c.problem, 1));
}

static void test_one_side_is_a_contact(void)
{
    bench_random random = bench_random_stream(check_seed(72), 0);
    contact_case *c = contact_case_create();
    for (int k = 0; k < 100; ++k) {
        CHECK(family_unions_make(c, &random));
        for (int i = 0; i < c->problem.contact_count; ++i) {
            c->contacts[i].group = 0;
            c->contacts[i].gap = 0;
        }
        contact_trial *plain = solve(&c->problem, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
        for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].group = 1 + i;
        for (int rule = 0; rule < 2; ++rule) {
            contact_trial *single = solve(&c->problem, (abut_union_rule)rule, ABUT_PREFER_FIRST);
            near_all(single->result.velocity, plain->result.velocity, 6 * c->problem.body_count, 0);
            contact_trial_destroy(single);
        }
        contact_trial_destroy(plain);
    }
    contact_case_destroy(c);
}

/* A joint row that keeps v_x leaves the upper side alone; one that keeps v_y the other. Both ways to treat
 * joint rows, all answers. */
static void test_joint(void)
{
    for (int axis = 0; axis < 2; ++axis) {
        for (int mode = 0; mode <= ABUT_JOINTS_PROJECTED; ++mode) {
            corner c;
            corner_make(&c, -2, -1);
            abut_joint joint = {.bodies = {0, ABUT_WORLD}, .target = axis ? -1 : -2};
            joint.jacobian[0][axis] = 1;
            c.problem.joint_count = 1;
            c.problem.joints = &joint;
            contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
            trial->options.joint_rows = (abut_joint_rows)mode;
            for (int rule = 0; rule < 2; ++rule) {
                trial->options.unions.rule = (abut_union_rule)rule;
                trial->options.unions.epsilon = 1e-3;
                CHECK(contact_trial_run(trial, &c.problem));
                CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
                CHECK(trial->check.residual <= 1e-12);
                CHECK_NEAR(trial->result.contacts[1 - axis].normal, axis ? 1.5 : 0.5, 1e-12);
                CHECK_NEAR(trial->result.contacts[axis].normal, 0, 0);
            }
            gathered g = {0};
            int count = 0;
            trial->options.unions.rule = ABUT_UNION_MAX;
            CHECK_EQ_INT(abut_union_all(trial->work, &c.problem, &trial->options, gather, &g, &count),
                         ABUT_OK);
            CHECK_EQ_INT(count, 1);
            contact_trial_destroy(trial);
        }
    }
}

/* Warm starts take the side of the last step. */
static void test_last_side(void)
{
    corner c;
    corner_make(&c, -2, -1);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    static const abut_contact_face start[2] = {{.state = ABUT_SLIDE}, {.state = ABUT_OPEN}};
    trial->options.start = start;
    CHECK(contact_trial_run(trial, &c.problem));
    CHECK_NEAR(trial->result.contacts[0].normal, 1.5, 1e-14);
    trial->options.start = NULL;
    trial->options.warm = true;
    CHECK(contact_trial_run(trial, &c.problem));
    CHECK_NEAR(trial->result.contacts[0].normal, 1.5, 1e-14);
    CHECK(trial->check.residual <= 1e-12);
    contact_trial_destroy(trial);
}

/* Sides with the very same row count once, by the largest gap: a copy, or a wall behind the wall, changes
 * nothing, though the plain sum (30) would count it. */
static void test_duplicates(void)
{
    for (int behind = 0; behind < 2; ++behind) {
        for (int rule = 0; rule < 2; ++rule) {
            corner c;
            corner_make(&c, -2, -1);
            contact_trial *two = solve(&c.problem, (abut_union_rule)rule, ABUT_PREFER_FIRST);
            c.side[2] = c.side[1];
            c.side[2].gap -= behind ? 1e-5 : 0;
            c.problem.contact_count = 3;
            contact_trial *three = solve(&c.problem, (abut_union_rule)rule, ABUT_PREFER_FIRST);
            near_all(three->result.velocity, two->result.velocity, 6, 1e-12);
            contact_trial_destroy(two);
            contact_trial_destroy(three);
        }
    }
}

/* Without an epsilon: 1e-4 of the largest normal speed of a side under the free motion, a step long. */
static void test_chosen_epsilon(void)
{
    corner c;
    corner_make(&c, -2, -1);
    c.body.force[0] = -0.5; /* free motion (-3, -1) */
    contact_trial *trial = solve(&c.problem, ABUT_UNION_SUM, ABUT_PREFER_FIRST);
    double e = 0;
    CHECK_EQ_INT(abut_union_lcp_build(trial->work, &c.problem, &trial->options, &e, B, b), ABUT_OK);
    CHECK_NEAR(e, 3e-4, 1e-18);
    contact_trial_destroy(trial);
}

static double residual_of(const corner *c, const double *impulses, const double *velocity)
{
    double scratch_memory[400];
    abut_contact_check check = {.residual = INFINITY};
    CHECK(abut_contact_verify_size(&c->problem) <= 400);
    CHECK_EQ_INT(abut_contact_verify(&c->problem, NULL, impulses, NULL, velocity, scratch_memory, &check),
                 ABUT_OK);
    return check.residual;
}

/* K, which errors are measured by, does not grow with a wall that nobody touches. */
static void test_far_wall(void)
{
    for (int far = 0; far < 2; ++far) {
        corner c;
        corner_make(&c, -2, -1);
        if (far) c.side[0].gap = -1e9;
        double right[6] = {0, 0, 0, 0.5}, wrong[6] = {0, 0, 0, 0.5 + 1e-6};
        double velocity[6] = {-2, -0.5}, off[6] = {-2, -0.5 + 1e-6};
        CHECK(residual_of(&c, right, velocity) <= 1e-15);
        CHECK(residual_of(&c, wrong, off) >= 1e-7); /* not touched by 1e-6 m/s, of some m/s */
    }
}

/* No force without contact, also where no cone ties friction to a normal force. */
static void test_no_slip_needs_touch(void)
{
    corner c;
    corner_make(&c, -2, 0);
    c.problem.model = ABUT_NO_SLIP;
    double none[6] = {0}, held[6] = {0, 0, 0, 0, -2, 0}; /* holds the point along side 1, which is open */
    double free[6] = {-2, 0}, stopped[6] = {0, 0};
    c.side[1].tangent[0] = -1;
    CHECK(residual_of(&c, none, free) <= 1e-15);
    CHECK(residual_of(&c, held, stopped) >= 0.1);
}

static void test_refusals(void)
{
    corner c;
    corner_make(&c, -2, -1);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&c.problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    abut_error error;
    CHECK(!abut_union_is_side(NULL, 0));
    CHECK(!abut_union_is_side(&c.problem, -1) && !abut_union_is_side(&c.problem, 2));
    CHECK(abut_union_is_side(&c.problem, 0) && abut_union_is_side(&c.problem, 1));
    CHECK_EQ_INT(limits.sides, 2);
    limits.sides = 1;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &c.problem, &options, &result), ABUT_TOO_LARGE);
    abut_contact_workspace_destroy(work);
    limits.sides = 2;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    options.unions.rule = ABUT_UNION_SUM; /* the workspace was not made for it */
    CHECK_EQ_INT(abut_contact_solve(work, &c.problem, &options, &result), ABUT_TOO_LARGE);
    options.unions.rule = ABUT_UNION_MAX;
    c.problem.model = ABUT_VISCOUS;
    CHECK_EQ_INT(abut_contact_solve(work, &c.problem, &options, &result), ABUT_UNSUPPORTED);
    c.problem.model = ABUT_COULOMB;
    c.side[0].viscous = 1;
    CHECK_EQ_INT(abut_contact_solve(work, &c.problem, &options, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_validate(&c.problem, &error), ABUT_INVALID_ARGUMENT);
    CHECK_STR(error.text, "contacts[0].viscous: 1; expected 0 on a side of a union");
    abut_contact_workspace_destroy(work);
}

/* No-slip: the chosen side does not slip. */
static void test_no_slip(void)
{
    corner c;
    corner_make(&c, -2, -1);
    c.problem.model = ABUT_NO_SLIP;
    c.side[0].gap = -1; /* above the corner's upper side */
    contact_trial *trial = solve(&c.problem, ABUT_UNION_MAX, ABUT_PREFER_FIRST);
    CHECK_NEAR(trial->result.contacts[1].gap_velocity, 0, 1e-12);
    CHECK_NEAR(trial->result.velocity[0], 0, 1e-12);
    contact_trial_destroy(trial);
}

static void test_random(void)
{
    uint64_t seed = check_seed(73);
    contact_case *c = contact_case_create();
    for (int k = 0; k < 300; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        CHECK(family_unions_make(c, &random));
        for (int rule = 0; rule < 2; ++rule) {
            contact_trial *trial = solve(&c->problem, (abut_union_rule)rule, ABUT_PREFER_FIRST);
            abut_union_size size;
            double constant = 0;
            abut_union_lcp_size(&c->problem, &trial->options, &size);
            CHECK(size.rows <= ROWS);
            if (trial->result.outcome == ABUT_SOLVED && size.rows <= ROWS) {
                abut_union_lcp_build(trial->work, &c->problem, &trial->options, &constant, B, b);
                abut_union_lift(&c->problem, &trial->options, constant, trial->result.contacts, NULL, z);
                CHECK(lcp_residual(size.rows, z) <= 1e-9);
            }
            contact_trial_destroy(trial);
        }
    }
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_no_contact);
    RUN(test_three_answers);
    RUN(test_published_max);
    RUN(test_lemke_cannot);
    RUN(test_published_sum);
    RUN(test_corrected_cap);
    RUN(test_mixed);
    RUN(test_order_of_sides);
    RUN(test_cap_vanishes);
    RUN(test_least_energy_of_sum);
    RUN(test_is_side);
    RUN(test_one_side_is_a_contact);
    RUN(test_joint);
    RUN(test_last_side);
    RUN(test_no_slip);
    RUN(test_duplicates);
    RUN(test_chosen_epsilon);
    RUN(test_far_wall);
    RUN(test_no_slip_needs_touch);
    RUN(test_refusals);
    RUN(test_random);
    return check_report();
}
