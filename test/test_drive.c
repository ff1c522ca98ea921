/* Baraff's algorithm: golden problems through the W + q door, scenes through the bodies' door, what the
 * published conditions get wrong, random problems with more contacts than needed. */
#include "abut/lcp.h"
#include "contact_case.h"
#include "golden_baraff.h"
#include "golden_contacts.h"
#include "painleve.h"

/* A golden problem as a contact problem; its arrays live in the case. */
typedef struct local_case {
    abut_contact contact[16];
    abut_joint joint[4];
    abut_local local;
    abut_contact_problem problem;
} local_case;

static void make_local(local_case *c, const golden_baraff *g)
{
    *c = (local_case){.local = {.dimension = g->dimension, .W = g->A, .q = g->b, .velocity = g->velocity}};
    for (int i = 0; i < g->contacts; ++i)
        c->contact[i] = (abut_contact){.friction = g->mu, .directions = g->dimension == 2 ? 2 : 0};
    c->problem = (abut_contact_problem){.model = ABUT_COULOMB_ACCEL,
                                        .contact_count = g->contacts,
                                        .contacts = c->contact,
                                        .local = &c->local};
}

static void check_solved(const abut_contact_problem *problem, const abut_contact_options *options,
                         const abut_contact_result *result, const char *name)
{
    abut_contact_check check = case_verify(problem, options, result);
    CHECK_MSG(result->outcome == ABUT_SOLVED && check.residual <= 1e-10, "%s: %s by %s, residual %g", name,
              abut_outcome_name(result->outcome), result->stage, check.residual);
}

/* Accelerations are unique where the golden data gives them; forces need not be. */
static void test_golden_problems(void)
{
    abut_contact_options options = abut_contact_default_options();
    for (size_t k = 0; k < sizeof golden_baraff_cases / sizeof *golden_baraff_cases; ++k) {
        const golden_baraff *g = &golden_baraff_cases[k];
        local_case c;
        make_local(&c, g);
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&c.problem, &options, &result);
        if (!g->a) {
            CHECK_MSG(result.outcome == ABUT_RAY && result.ray, "%s: %s", g->name,
                      abut_outcome_name(result.outcome));
            /* The impulse pushes the tip up and against its sliding: (1, -mu). */
            if (result.ray) {
                CHECK(result.ray[0] > 0.0);
                CHECK_NEAR(result.ray[1] / result.ray[0], -g->mu, 1e-12);
            }
        } else {
            check_solved(&c.problem, &options, &result, g->name);
            for (int i = 0; i < g->contacts && result.contacts; ++i)
                for (int t = 0; t < g->dimension; ++t) {
                    double a = result.contacts[i].velocity[t], wanted = g->a[g->dimension * i + t];
                    CHECK_MSG(fabs(a - wanted) <= 1e-9, "%s: a[%d][%d] = %.12g, not %.12g", g->name, i, t, a,
                              wanted);
                }
        }
        abut_contact_workspace_destroy(work);
    }
}

/* Two masses joined by a bilateral rod: 1 kg on the ground under 2 kg, at rest and lifted. */
static void test_bilateral_rod(void)
{
    const double W[9] = {1, 0, -1, 0, 0, 0, -1, 0, 1.5};
    const double q[2][3] = {{-9.81, 0, 0}, {-9.81, 0, 24.525}};
    const double expected[2][3] = {{29.43, 19.62, 0.0}, {0.0, -16.35, 6.54}};
    abut_contact_options options = abut_contact_default_options();
    abut_contact contact = {.directions = 2};
    abut_joint joint = {.target = 0.0};
    for (int k = 0; k < 2; ++k) {
        abut_local local = {.dimension = 2, .W = W, .q = q[k]};
        abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                        .contact_count = 1,
                                        .contacts = &contact,
                                        .joint_count = 1,
                                        .joints = &joint,
                                        .local = &local};
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        check_solved(&problem, &options, &result, "bilateral rod");
        if (result.contacts) {
            CHECK_NEAR(result.contacts[0].normal, expected[k][0], 1e-12);
            CHECK_NEAR(result.joints[0], expected[k][1], 1e-12);
            CHECK_NEAR(result.contacts[0].gap_velocity, expected[k][2], 1e-12);
        }
        abut_contact_workspace_destroy(work);
    }
}

/* Where the rod has no forces a step of the velocity level has an answer: an impulse that stops the tip, of
 * order one however short the step. */
static void test_painleve_at_the_velocity_level(void)
{
    abut_local local = {.dimension = 2, .W = painleve_step_W, .q = painleve_step_q};
    abut_contact contact = {.friction = 2.0, .directions = 2};
    abut_contact_problem problem = {
        .model = ABUT_COULOMB, .step = 0.01, .contact_count = 1, .contacts = &contact, .local = &local};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    check_solved(&problem, &options, &result, "rod, one step");
    if (result.contacts) {
        CHECK_NEAR(result.contacts[0].normal, painleve_step_theta, 1e-12);
        CHECK_NEAR(result.contacts[0].tangent[0], painleve_step_friction, 1e-12);
        CHECK_NEAR(result.contacts[0].slip, 0.0, 1e-12);
        CHECK_EQ_INT(result.contacts[0].state, ABUT_STICK);
    }
    abut_contact_workspace_destroy(work);

    abut_lcp_problem lcp = {.n = 4, .M = painleve_step_M, .ld = 4, .q = painleve_step_lcp_q};
    abut_lcp_options lcp_options = abut_lcp_default_options();
    abut_lcp_limits limits = {.n = 4};
    abut_lcp_workspace *lcp_work = NULL;
    abut_lcp_result solved;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &lcp_work), ABUT_OK);
    CHECK_EQ_INT(abut_lcp_solve(lcp_work, &lcp, &lcp_options, &solved), ABUT_OK);
    CHECK(solved.outcome == ABUT_SOLVED && solved.residual <= 1e-12);
    if (solved.z) {
        CHECK_NEAR(solved.z[0], painleve_step_theta, 1e-12);
        CHECK_NEAR(solved.z[1] - solved.z[2], painleve_step_friction, 1e-12);
        CHECK_NEAR(solved.z[3], 0.0, 1e-12);
    }
    abut_lcp_workspace_destroy(lcp_work);

    /* The same through the bodies' door. */
    abut_body rod = painleve_rod();
    abut_contact tip = painleve_tip();
    problem = (abut_contact_problem){.model = ABUT_COULOMB,
                                     .step = 0.01,
                                     .body_count = 1,
                                     .bodies = &rod,
                                     .contact_count = 1,
                                     .contacts = &tip};
    work = case_solve(&problem, &options, &result);
    check_solved(&problem, &options, &result, "rod, one step, bodies");
    if (result.contacts) {
        CHECK_NEAR(result.contacts[0].normal, painleve_step_theta, 1e-12);
        CHECK_NEAR(result.contacts[0].tangent[0], painleve_step_friction, 1e-12);
    }
    abut_contact_workspace_destroy(work);
}

/* Drift is an acceleration that is there already: through the W + q door it adds to q, and joint rows hold
 * a + drift = target. */
static void test_drift_and_target(void)
{
    const double W[9] = {1.6, 1.2, 0.3, 1.2, 3.4, -0.2, 0.3, -0.2, 1.5}, q[3] = {-9.81, 2.0, 0.5};
    const double drift[2] = {3.5, -1.25}, joint_drift = 0.75, target = -2.0;
    double moved[3] = {q[0] + drift[0], q[1] + drift[1], q[2] + joint_drift - target};
    abut_contact_options options = abut_contact_default_options();
    double normal[2] = {0.0}, tangent[2] = {1.0};
    for (int k = 0; k < 2; ++k) {
        abut_local local = {.dimension = 2, .W = W, .q = k ? moved : q};
        abut_contact contact = {.friction = 0.3, .directions = 2};
        abut_joint joint = {.target = k ? 0.0 : target, .drift = k ? 0.0 : joint_drift};
        for (int t = 0; t < 2 && !k; ++t) contact.drift[t] = drift[t];
        abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                        .contact_count = 1,
                                        .contacts = &contact,
                                        .joint_count = 1,
                                        .joints = &joint,
                                        .local = &local};
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        check_solved(&problem, &options, &result, k ? "in q" : "as drift");
        if (result.contacts) {
            normal[k] = result.contacts[0].normal;
            tangent[k] = result.contacts[0].tangent[0];
            CHECK_NEAR(result.contacts[0].gap_velocity, 0.0, 1e-12);
        }
        abut_contact_workspace_destroy(work);
    }
    CHECK(normal[0] > 1.0);
    CHECK_NEAR(normal[0], normal[1], 1e-12);
    CHECK_NEAR(tangent[0], tangent[1], 1e-12);
}

/* The published conditions let a spinning box through: the verifier does not, and the answer is rest. */
static void test_weak_answers_are_refused(void)
{
    abut_contact_options options = abut_contact_default_options();
    for (size_t k = 0; k < sizeof golden_baraff_weak / sizeof *golden_baraff_weak; ++k) {
        const golden_baraff *g = &golden_baraff_weak[k];
        local_case c;
        make_local(&c, g);
        double scratch[64];
        abut_contact_check check;
        CHECK(abut_contact_verify_size(&c.problem) <= 64);
        CHECK_EQ_INT(abut_contact_verify(&c.problem, &options, g->f, NULL, NULL, scratch, &check), ABUT_OK);
        CHECK(!(check.residual <= 1e-3));
        CHECK(check.normal <= 1e-10);

        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&c.problem, &options, &result);
        check_solved(&c.problem, &options, &result, g->name);
        for (int i = 0; i < g->contacts && result.contacts; ++i)
            for (int t = 0; t < 3; ++t) CHECK_NEAR(result.contacts[i].velocity[t], 0.0, 1e-9);
        abut_contact_workspace_destroy(work);
    }
}

/* From rest the velocity after a step is the step times the acceleration. */
static void test_scenes(void)
{
    for (int k = 0; k < GOLDEN_SCENE_COUNT; ++k) {
        const golden_scene *scene = &golden_scenes[k];
        abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                        .body_count = scene->body_count,
                                        .bodies = scene->bodies,
                                        .contact_count = scene->contact_count,
                                        .contacts = scene->contacts};
        abut_contact_options options = abut_contact_default_options();
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        check_solved(&problem, &options, &result, scene->name);
        for (int i = 0; i < 6 * scene->body_count && result.velocity; ++i) {
            double wanted = scene->v[i] / scene->step;
            CHECK_MSG(fabs(result.velocity[i] - wanted) <= 1e-8, "%s by %s: a[%d] = %.10g, not %.10g",
                      scene->name, result.stage, i, result.velocity[i], wanted);
        }
        abut_contact_workspace_destroy(work);
    }
}

/* What abut_accel_all has shown. */
typedef struct seen {
    int count;
    double normal[8];
    double worst;
} seen;

static bool see(const abut_contact_result *result, void *context)
{
    seen *s = context;
    if (s->count < 8) s->normal[s->count] = result->contacts[0].normal;
    s->worst = fmax(s->worst, result->residual);
    s->count++;
    return true;
}

/* Painleve's rod has one, no, two answers; a stack has one motion, whatever its many forces. */
static void test_all_answers(void)
{
    static const struct {
        const char *name;
        int count;
    } expected[] = {{"painleve_mu0.5_omega0.0", 1},
                    {"painleve_mu2.0_omega0.0", 0},
                    {"painleve_mu2.0_omega5.0", 2},
                    {"painleve_mu0.5_omega5.0", 1},
                    {"stack3_2d", 1},
                    {"box_incline_2d_20_mu0.5_static", 1}};
    abut_contact_options options = abut_contact_default_options();
    for (size_t e = 0; e < sizeof expected / sizeof *expected; ++e)
        for (size_t k = 0; k < sizeof golden_baraff_cases / sizeof *golden_baraff_cases; ++k) {
            if (strcmp(golden_baraff_cases[k].name, expected[e].name) != 0) continue;
            local_case c;
            make_local(&c, &golden_baraff_cases[k]);
            abut_contact_limits limits = abut_contact_limits_for(&c.problem, &options);
            abut_contact_workspace *work = NULL;
            seen s = {0};
            int count = -1;
            CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
            CHECK_EQ_INT(abut_accel_all(work, &c.problem, &options, see, &s, &count), ABUT_OK);
            CHECK_MSG(count == expected[e].count && s.count == count && s.worst <= 1e-10, "%s: %d answers",
                      expected[e].name, count);
            if (expected[e].count == 2) {
                CHECK_NEAR(fmin(s.normal[0], s.normal[1]), 0.0, 1e-12);
                CHECK_NEAR(fmax(s.normal[0], s.normal[1]), 15.688349718747371, 1e-10);
            }
            abut_contact_workspace_destroy(work);
        }
}

/* A random frictionless problem in local form with redundant contacts: A = J J' with J of n rows in `dof`
 * dimensions, b = J k in its range. */
enum { FREE_CONTACTS = 12, FREE_ROWS = 2 * FREE_CONTACTS };

typedef struct frictionless {
    double J[FREE_CONTACTS][6], k[6], W[FREE_ROWS * FREE_ROWS], q[FREE_ROWS];
    int order[FREE_CONTACTS];
    abut_contact contact[FREE_CONTACTS];
    abut_local local;
    abut_contact_problem problem;
} frictionless;

static void make_frictionless(frictionless *c, bench_random *random)
{
    *c = (frictionless){.local = {.dimension = 2}};
    for (int i = 0; i < FREE_CONTACTS; ++i) {
        c->order[i] = i;
        c->contact[i].directions = 2;
        for (int t = 0; t < 6; ++t) c->J[i][t] = t < 4 ? bench_below(random, 5) - 2 : 0.0;
    }
    for (int t = 0; t < 4; ++t) c->k[t] = bench_uniform(random, -5.0, 5.0);
}

/* W and q in the present order, A times `scale`. */
static void form_frictionless(frictionless *c, double scale)
{
    memset(c->W, 0, sizeof c->W);
    memset(c->q, 0, sizeof c->q);
    for (int i = 0; i < FREE_CONTACTS; ++i)
        for (int t = 0; t < 6; ++t) {
            c->q[2 * i] += c->J[c->order[i]][t] * c->k[t];
            for (int j = 0; j < FREE_CONTACTS; ++j)
                c->W[2 * i * FREE_ROWS + 2 * j] += scale * c->J[c->order[i]][t] * c->J[c->order[j]][t];
        }
    c->local.W = c->W;
    c->local.q = c->q;
    c->problem = (abut_contact_problem){.model = ABUT_COULOMB_ACCEL,
                                        .contact_count = FREE_CONTACTS,
                                        .contacts = c->contact,
                                        .local = &c->local};
}

/* Accelerations are unique without friction: another order of the contacts gives the same ones, and A times
 * a million the same contacts that carry. */
static void test_order_and_scale(void)
{
    uint64_t seed = check_seed(11);
    abut_contact_options options = abut_contact_default_options();
    for (int trial = 0; trial < 200; ++trial) {
        bench_random random = bench_random_stream(seed, (uint64_t)trial);
        frictionless c;
        double a[FREE_CONTACTS];
        bool carries[FREE_CONTACTS];
        make_frictionless(&c, &random);
        for (int pass = 0; pass < 3; ++pass) {
            if (pass == 2)
                for (int i = FREE_CONTACTS - 1; i > 0; --i) {
                    int j = bench_below(&random, i + 1), swap = c.order[i];
                    c.order[i] = c.order[j];
                    c.order[j] = swap;
                }
            form_frictionless(&c, pass == 1 ? 1e6 : 1.0);
            abut_contact_result result;
            abut_contact_workspace *work = case_solve(&c.problem, &options, &result);
            check_solved(&c.problem, &options, &result, "frictionless");
            for (int i = 0; i < FREE_CONTACTS && result.contacts; ++i) {
                double now = result.contacts[i].gap_velocity;
                bool loaded = result.contacts[i].normal * (pass == 1 ? 1e6 : 1.0) > 1e-9;
                if (pass == 0) {
                    a[i] = now;
                    carries[i] = loaded;
                } else {
                    CHECK_NEAR(now, a[c.order[i]], 1e-9);
                }
                if (pass == 1) CHECK_EQ_INT(loaded, carries[i]);
            }
            abut_contact_workspace_destroy(work);
        }
    }
}

/* Every stage that answers alone gives an answer the verifier accepts; the public name of each stage runs it.
 */
static void test_stages_alone(void)
{
    static const char *const names[] = {"drive-warm", "drive", "drive-polygon", "drive-modes", "drive-lemke"};
    for (int k = 0; k < 5; ++k)
        CHECK(strcmp(abut_contact_stage_name(ABUT_COULOMB_ACCEL, ABUT_SOLVER_DRIVE, k), names[k]) == 0);
    CHECK(!abut_contact_stage_name(ABUT_COULOMB_ACCEL, ABUT_SOLVER_DRIVE, 5));
    const golden_scene *ladder = NULL;
    for (int k = 0; k < GOLDEN_SCENE_COUNT; ++k)
        if (strncmp(golden_scenes[k].name, "ladder", 6) == 0) ladder = &golden_scenes[k];
    CHECK(ladder);
    for (int k = 1; k < 5 && ladder; ++k) { /* the first needs states to start from */
        abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                        .body_count = ladder->body_count,
                                        .bodies = ladder->bodies,
                                        .contact_count = ladder->contact_count,
                                        .contacts = ladder->contacts};
        abut_contact_options options = abut_contact_default_options();
        options.stage = names[k];
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        check_solved(&problem, &options, &result, names[k]);
        CHECK(result.stage && strcmp(result.stage, names[k]) == 0);
        abut_contact_workspace_destroy(work);
    }
}

/* A ball in the air that has just left a wedge: no force, whatever its weight; one that still rests on one
 * side of it is carried by that side alone. */
static void test_parting_contacts(void)
{
    const double s = sqrt(0.5);
    abut_body ball = {.mass = 1.0, .inertia = {1, 1, 1}, .velocity = {0, 0, 1}, .force = {0, 0, -9.81}};
    abut_contact contact[2] = {{.bodies = {0, ABUT_WORLD}, .normal = {s, 0, s}, .friction = 0.2},
                               {.bodies = {0, ABUT_WORLD}, .normal = {-s, 0, s}, .friction = 0.2}};
    abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                    .body_count = 1,
                                    .bodies = &ball,
                                    .contact_count = 2,
                                    .contacts = contact};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    const char *const stages[] = {NULL, "drive", "drive-modes", "drive-lemke"};
    for (size_t k = 0; k < sizeof stages / sizeof *stages; ++k) {
        options.stage = stages[k];
        for (int side = 0; side < 2; ++side) {
            double u = side ? s : 0.0; /* up, or up along the first side */
            ball.velocity[0] = side ? -u : 0.0;
            ball.velocity[2] = side ? u : 1.0;
            abut_contact_workspace *work = case_solve(&problem, &options, &result);
            check_solved(&problem, &options, &result, stages[k] ? stages[k] : "parting");
            if (result.contacts) {
                CHECK_NEAR(result.contacts[0].normal, side ? 9.81 * s : 0.0, 1e-9);
                CHECK_NEAR(result.contacts[1].normal, 0.0, 1e-12);
                if (!side) CHECK_NEAR(result.velocity[2], -9.81, 1e-9);
            }
            abut_contact_workspace_destroy(work);
        }
    }
    /* A force there would be wrong. */
    ball.velocity[0] = 0.0;
    ball.velocity[2] = 1.0;
    const double forces[6] = {9.81 * s, 0, 0, 9.81 * s, 0, 0}, rest[6] = {0};
    double scratch[256];
    abut_contact_check check;
    CHECK(abut_contact_verify_size(&problem) <= 256);
    CHECK_EQ_INT(abut_contact_verify(&problem, NULL, forces, NULL, rest, scratch, &check), ABUT_OK);
    CHECK(!(check.residual <= 1e-3));
}

/* More rows than A may have: at rest the polygons answer, and a sliding island is refused. */
static void test_many_contacts(void)
{
    enum { SIDE = 27, MANY = SIDE * SIDE };
    static abut_contact contact[MANY];
    abut_body box = {.mass = 2.0, .inertia = {1, 1, 1}, .com = {0, 0, 0.5}, .force = {3, 1, -19.62}};
    for (int i = 0; i < MANY; ++i)
        contact[i] =
            (abut_contact){.bodies = {0, ABUT_WORLD},
                           .point = {(i % SIDE) / (SIDE - 1.0) - 0.5, (i / SIDE) / (SIDE - 1.0) - 0.5, 0},
                           .normal = {0, 0, 1},
                           .friction = 0.5};
    abut_contact_problem problem = {.model = ABUT_COULOMB_ACCEL,
                                    .body_count = 1,
                                    .bodies = &box,
                                    .contact_count = MANY,
                                    .contacts = contact};
    CHECK(3 * MANY > ABUT_DENSE_MAX);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result;
    abut_contact_workspace *work = case_solve(&problem, &options, &result);
    check_solved(&problem, &options, &result, "many contacts");
    for (int c = 0; c < 6 && result.velocity; ++c) CHECK_NEAR(result.velocity[c], 0.0, 1e-9);
    box.velocity[0] = 1.0;
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    options.accel.directions = 64; /* the workspace was made for 32 */
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    RUN(test_golden_problems);
    RUN(test_painleve_at_the_velocity_level);
    RUN(test_drift_and_target);
    RUN(test_bilateral_rod);
    RUN(test_weak_answers_are_refused);
    RUN(test_scenes);
    RUN(test_all_answers);
    RUN(test_order_and_scale);
    RUN(test_stages_alone);
    RUN(test_parting_contacts);
    RUN(test_many_contacts);
    return check_report();
}
