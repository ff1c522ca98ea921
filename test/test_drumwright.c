/* Viscous and no-slip contact: the golden cases, which contacts no-slip holds, and all solvers against each
 * other. */
#include "abut/contact.h"
#include "check.h"
#include "contact_families.h"
#include "golden/viscous.h"

#include <stdlib.h>

static const abut_contact_solver solvers[] = {ABUT_SOLVER_PPM, ABUT_SOLVER_DANTZIG, ABUT_SOLVER_ACTIVE_SET,
                                              ABUT_SOLVER_LEMKE};
enum { solver_count = sizeof solvers / sizeof *solvers, most_contacts = 64, most_bodies = 4 };

/* A result that outlives its workspace. */
typedef struct answer {
    abut_outcome outcome;
    int glued, pivots;
    const char *stage;
    abut_contact_answer contacts[most_contacts];
    double joints[8], velocity[24];
} answer;

/* Solves and verifies anew, with a fresh workspace. */
static answer solve(const abut_contact_problem *problem, abut_contact_solver solver)
{
    answer a = {.outcome = ABUT_FAILED};
    abut_contact_options options = abut_contact_default_options();
    options.solver = solver;
    options.alone = true;
    abut_contact_limits limits = abut_contact_limits_for(problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result r;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, problem, &options, &r), ABUT_OK);
    a.outcome = r.outcome;
    a.glued = r.glued;
    a.pivots = r.pivots;
    a.stage = r.stage;
    if (r.outcome == ABUT_SOLVED) {
        int nv = problem->generalised ? problem->generalised->nv : 6 * problem->body_count;
        double impulses[3 * most_contacts],
            *scratch = malloc((abut_contact_verify_size(problem) + 1) * sizeof *scratch);
        for (int i = 0; i < problem->contact_count; ++i) {
            a.contacts[i] = r.contacts[i];
            impulses[3 * i] = r.contacts[i].normal;
            impulses[3 * i + 1] = r.contacts[i].tangent[0];
            impulses[3 * i + 2] = r.contacts[i].tangent[1];
        }
        for (int j = 0; j < problem->joint_count; ++j) a.joints[j] = r.joints[j];
        for (int c = 0; c < nv; ++c) a.velocity[c] = r.velocity[c];
        abut_contact_check check;
        CHECK_EQ_INT(abut_contact_verify(problem, &options, impulses, a.joints, a.velocity, scratch, &check),
                     ABUT_OK);
        CHECK_MSG(check.residual <= 1e-10, "%s: residual %g", abut_contact_solver_name(solver),
                  check.residual);
        free(scratch);
    }
    abut_contact_workspace_destroy(work);
    return a;
}

static double sum_of_normals(const answer *a, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += a->contacts[i].normal;
    return sum;
}

/* 8 degrees of freedom, 2 joint rows, 4 contacts, every term of the model. */
static void test_viscous_mlcp(void)
{
    double tangents[4 * 2 * 8];
    abut_contact contacts[4] = {0};
    abut_joint joints[2] = {0};
    for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < 8; ++c) {
            tangents[(2 * i) * 8 + c] = golden_viscous_S[8 * i + c];
            tangents[(2 * i + 1) * 8 + c] = golden_viscous_T[8 * i + c];
        }
        contacts[i].viscous = golden_viscous_viscous[i];
        contacts[i].drift[0] = golden_viscous_drift[i];
    }
    for (int j = 0; j < 2; ++j) joints[j].drift = golden_viscous_joint_drift[j];
    abut_generalised door = {.nv = 8,
                             .mass_matrix = golden_viscous_M,
                             .velocity = golden_viscous_velocity,
                             .force = golden_viscous_force,
                             .normal_rows = golden_viscous_N,
                             .tangent_rows = tangents,
                             .joint_rows = golden_viscous_J};
    abut_contact_problem problem = {.model = ABUT_VISCOUS,
                                    .contact_count = 4,
                                    .contacts = contacts,
                                    .joint_count = 2,
                                    .joints = joints,
                                    .generalised = &door};
    for (int k = 0; k < solver_count; ++k) {
        answer a = solve(&problem, solvers[k]);
        CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
        for (int i = 0; i < 4; ++i) CHECK_NEAR(a.contacts[i].normal, golden_viscous_normal[i], 1e-10);
        for (int j = 0; j < 2; ++j) CHECK_NEAR(a.joints[j], golden_viscous_joint[j], 1e-10);
        for (int c = 0; c < 8; ++c) CHECK_NEAR(a.velocity[c], golden_viscous_acceleration[c], 1e-11);
    }
}

/* A cube of 2 kg and side 1 on four corners of its lower face. */
typedef struct cube {
    abut_body body;
    abut_contact contacts[4];
    abut_contact_problem problem;
} cube;

static void make_cube(cube *c, abut_contact_model model)
{
    *c = (cube){.body = {.mass = 2.0, .inertia = {1.0 / 3, 1.0 / 3, 1.0 / 3}, .com = {0, 0, 0.5}}};
    for (int i = 0; i < 4; ++i)
        c->contacts[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                        .point = {i < 2 ? -0.5 : 0.5, i % 2 ? 0.5 : -0.5, 0},
                                        .normal = {0, 0, 1}};
    c->problem = (abut_contact_problem){.model = model,
                                        .step = 0.01,
                                        .body_count = 1,
                                        .bodies = &c->body,
                                        .contact_count = 4,
                                        .contacts = c->contacts};
}

static void test_viscous_box(void)
{
    cube c;
    make_cube(&c, ABUT_VISCOUS);
    c.body.velocity[0] = 2.0;
    c.body.force[2] = -2.0 * 9.81;
    for (int i = 0; i < 4; ++i) c.contacts[i].viscous = 0.1;
    for (int k = 0; k < solver_count; ++k) {
        answer a = solve(&c.problem, solvers[k]);
        CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
        CHECK_NEAR(a.velocity[0], -0.4, 1e-12);
        for (int j = 1; j < 6; ++j) CHECK_NEAR(a.velocity[j], 0.0, 1e-12);
        CHECK_NEAR(sum_of_normals(&a, 4), 19.62, 1e-10);
        CHECK_NEAR(a.contacts[2].normal + a.contacts[3].normal, 10.21, 1e-10);
        CHECK_NEAR(a.contacts[0].normal + a.contacts[1].normal, 9.41, 1e-10);
    }
}

/* No-slip holds on any slope, and tips when pushed beyond m g at the centre of mass. */
static void test_no_slip_cube(void)
{
    const struct {
        double force[3], tilt, normals;
    } cases[] = {
        {{12.611492902049902, 0.0, -15.029791973994353}, 0.0, 15.029791973994353},
        {{15.0, 0.0, -19.62}, 0.0, 19.62},
        {{30.0, 0.0, -19.62}, 3.8925, 23.5125},
    };
    for (int n = 0; n < 3; ++n) {
        for (int k = 0; k < solver_count; ++k) {
            cube c;
            make_cube(&c, ABUT_NO_SLIP);
            for (int j = 0; j < 3; ++j) c.body.force[j] = cases[n].force[j];
            answer a = solve(&c.problem, solvers[k]);
            CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
            CHECK_EQ_INT(a.glued, 0);
            CHECK_NEAR(a.velocity[4] / 0.01, cases[n].tilt, 1e-9);
            CHECK_NEAR(sum_of_normals(&a, 4) / 0.01, cases[n].normals, 1e-8);
        }
    }
}

/* A rod of half length 1 and mass 1, tan of its slope 2, its lower end on the floor: f_n = m g (1 - 3/4
 * cos^2). */
static void test_no_slip_rod(void)
{
    const double cosine = 1.0 / sqrt(5.0), sine = 2.0 / sqrt(5.0);
    abut_body rod = {
        .mass = 1.0, .inertia = {1.0 / 3, 1.0 / 3, 1.0 / 3}, .com = {0, 0, sine}, .force = {0, 0, -9.81}};
    abut_contact tip = {.bodies = {0, ABUT_WORLD}, .point = {cosine, 0, 0}, .normal = {0, 0, 1}};
    abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                    .step = 0.01,
                                    .body_count = 1,
                                    .bodies = &rod,
                                    .contact_count = 1,
                                    .contacts = &tip};
    for (int k = 0; k < solver_count; ++k) {
        answer a = solve(&problem, solvers[k]);
        CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
        CHECK_NEAR(a.contacts[0].normal / 0.01, 8.3385, 1e-9);
        CHECK_NEAR(fabs(a.velocity[4]) / 0.01, 3.290374, 1e-6);
    }
}

/* A particle that leaves the floor keeps its tangential velocity; the paper's rows would stop it. */
static void test_separating_particle(void)
{
    abut_body particle = {.mass = 1.0, .inertia = {1, 1, 1}, .velocity = {1, 0, 1}};
    abut_contact contact = {.bodies = {0, ABUT_WORLD}, .normal = {0, 0, 1}};
    abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                    .step = 0.01,
                                    .body_count = 1,
                                    .bodies = &particle,
                                    .contact_count = 1,
                                    .contacts = &contact};
    for (int k = 0; k < solver_count; ++k) {
        answer a = solve(&problem, solvers[k]);
        CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(a.glued, 0);
        CHECK_NEAR(a.velocity[0], 1.0, 1e-15);
        CHECK_NEAR(a.velocity[1], 0.0, 1e-15);
        CHECK_NEAR(a.velocity[2], 1.0, 1e-15);
        CHECK_EQ_INT(a.contacts[0].state, ABUT_OPEN);
    }
}

/* A rod whose tip slides so that holding it lifts it, and letting it go presses it down: neither choice is
 * consistent, the paper's model stands and says so. */
static void test_glued_contact(void)
{
    abut_body rod = {.mass = 1.0, .inertia = {1.0 / 3, 1.0 / 3, 1.0 / 3}, .com = {0, 0, 2.0 / sqrt(5.0)}};
    abut_contact tip = {.bodies = {0, ABUT_WORLD}, .point = {1.0 / sqrt(5.0), 0, 0}, .normal = {0, 0, 1}};
    rod.velocity[0] = -1.0;
    rod.velocity[2] = -0.1;
    abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                    .step = 0.01,
                                    .body_count = 1,
                                    .bodies = &rod,
                                    .contact_count = 1,
                                    .contacts = &tip};
    for (int k = 0; k < solver_count; ++k) {
        answer a = solve(&problem, solvers[k]);
        CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
        CHECK_EQ_INT(a.glued, 1);
        CHECK(a.contacts[0].glued);
        CHECK(a.contacts[0].gap_velocity > 0.0);
        CHECK_NEAR(a.contacts[0].normal, 0.0, 0.0);
        CHECK_NEAR(a.contacts[0].velocity[1], 0.0, 1e-12);
    }
}

/* A box on the floor under a belt. Touching both, it has no answer, and nobody calls that a failure;
 * lifted off, the belt lets go and the floor holds. */
static void test_no_slip_belt(void)
{
    for (int lifted = 0; lifted < 2; ++lifted) {
        abut_body bodies[2] = {{.mass = 1, .inertia = {1, 1, 1}, .com = {0, 0, 0.5}, .force = {1, 0, -10}},
                               {.kind = ABUT_KINEMATIC, .velocity = {0.3, 0, lifted ? 0.2 : 0.0}}};
        abut_contact contacts[8];
        for (int i = 0; i < 8; ++i) {
            bool top = i >= 4;
            contacts[i] = (abut_contact){.bodies = {0, top ? 1 : ABUT_WORLD},
                                         .point = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, top ? 1 : 0},
                                         .normal = {0, 0, top ? -1 : 1}};
        }
        abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                        .step = 0.01,
                                        .contact_count = 8,
                                        .contacts = contacts,
                                        .body_count = 2,
                                        .bodies = bodies};
        for (int k = 0; k < solver_count; ++k) {
            answer a = solve(&problem, solvers[k]);
            CHECK_EQ_INT(a.outcome, lifted ? ABUT_SOLVED : ABUT_RAY);
            if (a.outcome != ABUT_SOLVED) continue;
            for (int c = 0; c < 6; ++c) CHECK_NEAR(a.velocity[c], 0, 1e-12);
            CHECK_EQ_INT(a.glued, 0);
            for (int i = 0; i < 8; ++i) CHECK_EQ_INT(a.contacts[i].state, i < 4 ? ABUT_STICK : ABUT_OPEN);
        }
    }
}

/* Two fingers of 10 kg press two boxes of 1 kg, four corners an interface; with `copies` 3 each corner counts
 * three times, with the normals along all axes, as in the paper's grasp. */
static void test_no_slip_grasp(void)
{
    for (int copies = 1; copies <= 3; copies += 2) {
        abut_body bodies[4] = {0};
        abut_contact contacts[36] = {0};
        const double com[4] = {-1, 2, 0, 1}, mass[4] = {10, 10, 1, 1}, plane[3] = {-0.5, 0.5, 1.5};
        const int pair[3][2] = {{2, 0}, {3, 2}, {1, 3}};
        for (int b = 0; b < 4; ++b) {
            bodies[b] = (abut_body){.mass = mass[b], .com = {com[b], 0, 0}};
            for (int j = 0; j < 3; ++j) bodies[b].inertia[j] = mass[b] / 6;
        }
        bodies[0].force[0] = 30;
        bodies[1].force[0] = -30;
        bodies[2].force[2] = bodies[3].force[2] = -9.81;
        int count = 0;
        for (int f = 0; f < 3; ++f)
            for (int corner = 0; corner < 4; ++corner)
                for (int axis = 0; axis < copies; ++axis) {
                    abut_contact *c = &contacts[count++];
                    c->bodies[0] = pair[f][0];
                    c->bodies[1] = pair[f][1];
                    c->point[0] = plane[f];
                    c->point[1] = corner < 2 ? -0.5 : 0.5;
                    c->point[2] = corner % 2 ? 0.5 : -0.5;
                    c->normal[axis] = 1.0;
                }
        abut_contact_problem problem = {.model = ABUT_NO_SLIP,
                                        .step = 0.01,
                                        .body_count = 4,
                                        .bodies = bodies,
                                        .contact_count = count,
                                        .contacts = contacts};
        for (int k = 0; k < solver_count; ++k) {
            answer a = solve(&problem, solvers[k]);
            CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
            CHECK_EQ_INT(a.glued, 0);
            for (int b = 0; b < 4; ++b) CHECK_NEAR(a.velocity[6 * b + 2] / 0.01, -0.8918181818181818, 1e-9);
            if (copies == 1) CHECK_NEAR(sum_of_normals(&a, 4) / 0.01, 30.0, 1e-8);
        }
    }
}

/* Algorithm 1 repeats a set on these integers; the driving phase finishes. */
static void test_cycle(void)
{
    const double N[] = {-2, 0, 3, 3, -3, -3, -1, -2, -2, 2, -3, 3, -3, -3, -1};
    const double identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, still[] = {0, 0, 0}, force[] = {3, 2, 4};
    const double expected[] = {0, 0, 1.52, 0, 0.12};
    abut_contact contacts[5] = {0};
    abut_generalised door = {
        .nv = 3, .mass_matrix = identity, .velocity = still, .force = force, .normal_rows = N};
    abut_contact_problem problem = {
        .model = ABUT_VISCOUS, .contact_count = 5, .contacts = contacts, .generalised = &door};
    for (int k = 0; k < solver_count; ++k) {
        answer a = solve(&problem, solvers[k]);
        CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
        for (int i = 0; i < 5; ++i) CHECK_NEAR(a.contacts[i].normal, expected[i], 1e-12);
    }
}

/* A viscous coefficient beside Coulomb friction at the velocity level: (v - mu g h) / (1 + h c / m). */
static void test_viscous_beside_coulomb(void)
{
    cube c;
    make_cube(&c, ABUT_COULOMB);
    c.body.velocity[0] = 2.0;
    c.body.force[2] = -2.0 * 9.81;
    for (int i = 0; i < 4; ++i) {
        c.contacts[i].viscous = 0.1;
        c.contacts[i].friction = 0.2;
    }
    answer a = solve(&c.problem, ABUT_SOLVER_LEMKE);
    CHECK_EQ_INT(a.outcome, ABUT_SOLVED);
    CHECK_NEAR(a.velocity[0], (2.0 - 0.01 * 0.2 * 9.81) / (1.0 + 0.01 * 0.4 / 2.0), 1e-12);
}

/* All solvers agree in w and v on random problems, whose normal impulses need not be unique; duplicating
 * every contact changes neither; without viscosity the viscous model is the frictionless one at the
 * acceleration level. */
static void test_solvers_agree(void)
{
    static const char *const families[] = {"single", "pegs", "stacks", "chains"};
    contact_case *c = contact_case_create();
    uint64_t seed = check_seed(5);
    for (int f = 0; f < 4; ++f) {
        const contact_family *family = contact_family_find(families[f]);
        for (int i = 0; i < 60; ++i) {
            bench_random random = bench_random_stream(seed + (uint64_t)f, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[i % 3], &random, c));
            if (c->problem.body_count > most_bodies || 2 * c->problem.contact_count > most_contacts ||
                c->problem.joint_count > 8)
                continue;
            c->problem.model = i % 2 ? ABUT_NO_SLIP : ABUT_VISCOUS;
            answer first = solve(&c->problem, solvers[0]);
            CHECK_EQ_INT(first.outcome, ABUT_SOLVED);
            double scale = 0.0;
            for (int k = 0; k < 6 * c->problem.body_count; ++k) scale = fmax(scale, fabs(first.velocity[k]));
            for (int k = 1; k < solver_count; ++k) {
                answer other = solve(&c->problem, solvers[k]);
                CHECK_EQ_INT(other.outcome, ABUT_SOLVED);
                for (int j = 0; j < 6 * c->problem.body_count; ++j)
                    CHECK_NEAR(other.velocity[j], first.velocity[j], 1e-8 * (1.0 + scale));
            }
            const int count = c->problem.contact_count;
            for (int j = 0; j < count; ++j) {
                const abut_contact from = c->contacts[j];
                int copy = contact_case_add(c, from.bodies[0], from.bodies[1], 0.0, from.point, from.normal);
                c->contacts[copy] = from;
            }
            answer twice = solve(&c->problem, solvers[0]);
            CHECK_EQ_INT(twice.outcome, ABUT_SOLVED);
            for (int j = 0; j < 6 * c->problem.body_count; ++j)
                CHECK_NEAR(twice.velocity[j], first.velocity[j], 1e-8 * (1.0 + scale));
        }
    }
    contact_case_destroy(c);
}

/* Warm start from the previous set: the answer is there at once. */
static void test_warm_start(void)
{
    cube c;
    make_cube(&c, ABUT_NO_SLIP);
    c.body.force[0] = 15.0;
    c.body.force[2] = -19.62;
    abut_contact_options options = abut_contact_default_options();
    options.warm = true;
    abut_contact_limits limits = abut_contact_limits_for(&c.problem, &options);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    for (int step = 0; step < 20; ++step) {
        abut_contact_result r;
        c.body.force[0] = 15.0 - 0.1 * step;
        CHECK_EQ_INT(abut_contact_solve(work, &c.problem, &options, &r), ABUT_OK);
        CHECK_EQ_INT(r.outcome, ABUT_SOLVED);
        CHECK(r.residual <= 1e-10);
        if (step > 0) CHECK_EQ_INT(r.pivots, 0);
    }
    abut_contact_workspace_destroy(work);
}

int main(void)
{
    RUN(test_viscous_mlcp);
    RUN(test_viscous_box);
    RUN(test_no_slip_cube);
    RUN(test_no_slip_rod);
    RUN(test_separating_particle);
    RUN(test_glued_contact);
    RUN(test_no_slip_belt);
    RUN(test_no_slip_grasp);
    RUN(test_cycle);
    RUN(test_viscous_beside_coulomb);
    RUN(test_solvers_agree);
    RUN(test_warm_start);
    return check_report();
}
