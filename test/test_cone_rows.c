/* Circles and ellipses where there is more than contacts of bodies: bounded rows, compliance, blocks, dampers; cones as
 * wide as 1e9 and inertias 1e10 apart; energy, which never rises; and the states of bodies that rest. */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"

/* Ellipses up to three times as long as wide, or circles. */
static void make_round(abut_contact *contacts, int count, abut_contact_cone cone, bench_random *random)
{
    for (int i = 0; i < count; ++i) {
        contacts[i].cone = contacts[i].friction > 0 ? cone : ABUT_CONE_CIRCLE;
        contacts[i].friction_across = contacts[i].friction * bench_uniform(random, 1.0 / 3, 3);
    }
}

/* The friction of each contact lies on its disc, and against the slip as far as it slips; in units of the largest impulse. */
static double off_circle(const abut_contact_problem *problem, const abut_contact_result *result)
{
    double most = 0, worst = 0;
    for (int i = 0; i < problem->contact_count; ++i) most = fmax(most, result->contacts[i].normal);
    for (int i = 0; i < problem->contact_count && most > 0; ++i) {
        const abut_contact *c = &problem->contacts[i];
        const abut_contact_answer *a = &result->contacts[i];
        if (c->cone != ABUT_CONE_CIRCLE || c->directions == 2 || c->viscous > 0) continue;
        double limit = c->friction * a->normal, f = hypot(a->tangent[0], a->tangent[1]);
        worst = fmax(worst, (f - limit) / ((1 + c->friction) * most));
        if (a->state == ABUT_SLIDE && a->slip > 1e-6)
            worst = fmax(worst, fabs(f - limit) / ((1 + c->friction) * most));
    }
    return worst;
}

static void expect(const contact_trial *trial, const abut_contact_problem *problem, bool none_allowed,
                   const char *name, int number)
{
    bool none = none_allowed && (trial->result.outcome == ABUT_RAY || trial->proven);
    CHECK_MSG(none || (trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9),
              "%s %d: %s by %s, residual %g", name, number, abut_outcome_name(trial->result.outcome),
              trial->result.stage, trial->check.residual);
    if (trial->result.outcome == ABUT_SOLVED) CHECK(off_circle(problem, &trial->result) <= 1e-9);
}

/* Motors, brakes, ropes, soft fingers, in blocks and in maximal coordinates. */
static void test_robots(void)
{
    robot_scene *scene = robot_scene_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(20261117);
    for (int f = 0; f < robot_family_count; ++f) {
        const robot_family *family = &robot_families[f];
        int sizes = 0;
        while (sizes < CONTACT_SIZES_MAX && family->sizes[sizes] != 0 && family->sizes[sizes] <= 10) sizes++;
        for (int i = 0; i < 24 && sizes > 0; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            CHECK(robot_family_make(family, family->sizes[i % sizes], &random, scene));
            abut_contact_cone cone = i % 3 == 2 ? ABUT_CONE_ELLIPSE : ABUT_CONE_CIRCLE;
            const abut_contact_problem *problem = i % 4 == 3 ? &scene->maximal->problem : &scene->reduced;
            make_round(i % 4 == 3 ? scene->maximal->contacts : scene->contacts, problem->contact_count, cone,
                       &random);
            CHECK(contact_trial_run(trial, problem));
            expect(trial, problem, family->none_allowed, family->name, i);
        }
    }
    contact_trial_destroy(trial);
    robot_scene_destroy(scene);
}

/* Robots from step to step: what is remembered of circles among bounded rows. */
static void test_robots_warm(void)
{
    robot_scene *scene = robot_scene_create();
    uint64_t seed = check_seed(20261118);
    static const char *const names[] = {"motors", "holding", "soft"};
    for (int f = 0; f < 3; ++f) {
        const robot_family *family = robot_family_find(names[f]);
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        trial->options.warm = true;
        bench_random random = bench_random_stream(seed, (uint64_t)f);
        CHECK(robot_family_make(family, family->sizes[0], &random, scene));
        make_round(scene->contacts, scene->reduced.contact_count, ABUT_CONE_CIRCLE, &random);
        for (int step = 0; step < 20; ++step) {
            CHECK(contact_trial_run(trial, &scene->reduced));
            expect(trial, &scene->reduced, family->none_allowed, names[f], step);
            if (trial->result.outcome != ABUT_SOLVED) break;
            memcpy((double *)scene->generalised.velocity, trial->result.velocity,
                   (size_t)scene->generalised.nv * sizeof(double));
        }
        contact_trial_destroy(trial);
    }
    robot_scene_destroy(scene);
}

/* Friction up to 1e9, and inertias up to 1e10 apart, whose impulses are much larger than the motion. */
static void test_wide(void)
{
    static const char *const names[] = {"rough", "inertias", "masses"};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int f = 0; f < 3; ++f) {
        const contact_family *family = contact_family_find(names[f]);
        int sizes = 0, solved = 0, count = 300;
        while (sizes < CONTACT_SIZES_MAX && family->sizes[sizes] != 0) sizes++;
        for (int i = 0; i < count; ++i) {
            bench_random random = bench_random_stream(1, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[bench_below(&random, sizes)], &random, c));
            make_round(c->contacts, c->problem.contact_count, ABUT_CONE_CIRCLE, &random);
            CHECK(contact_trial_run(trial, &c->problem));
            solved += trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        }
        CHECK_MSG(solved == count, "%s: %d of %d", names[f], solved, count);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* Needles in stacks of four, problems of the campaign `circle`: in doubles rounding of their impulses moves the loads about
 * that redundant contacts share, and the last has rows so singular that their ridge has to grow. */
static void test_needles(void)
{
    static const int problems[] = {709, 868, 1945, 1959, 3010};
    const contact_family *family = contact_family_find("inertias");
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    int sizes = 0;
    while (sizes < CONTACT_SIZES_MAX && family->sizes[sizes] != 0) sizes++;
    for (int k = 0; k < 5; ++k) {
        bench_random random = bench_random_stream(0x4a4f6d004efb6a3fu, (uint64_t)problems[k]);
        CHECK(contact_family_make(family, family->sizes[bench_below(&random, sizes)], &random, c));
        for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].cone = ABUT_CONE_CIRCLE;
        CHECK(contact_trial_run(trial, &c->problem));
        expect(trial, &c->problem, false, "needles", problems[k]);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

static double energy(const contact_case *c)
{
    double sum = 0;
    for (int i = 0; i < c->problem.body_count; ++i)
        for (int k = 0; k < 6; ++k) {
            const abut_body *b = &c->bodies[i];
            sum += (k < 3 ? b->mass : b->inertia[k - 3]) * b->velocity[k] * b->velocity[k];
        }
    return sum;
}

/* Bodies that nothing pushes slide, spin and roll until they are still: the energy of no step is above that before. */
static void test_energy(void)
{
    static const char *const names[] = {"single", "pegs", "stacks", "walls"};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    trial->options.warm = true;
    for (int i = 0; i < 80; ++i) {
        const contact_family *family = contact_family_find(names[i % 4]);
        bench_random random = bench_random_stream(41, (uint64_t)i);
        CHECK(contact_family_make(family, family->sizes[i / 4 % 2], &random, c));
        make_round(c->contacts, c->problem.contact_count, i % 2 ? ABUT_CONE_ELLIPSE : ABUT_CONE_CIRCLE,
                   &random);
        for (int b = 0; b < c->problem.body_count; ++b)
            for (int k = 0; k < 6; ++k) {
                c->bodies[b].force[k] = 0;
                c->bodies[b].velocity[k] = bench_uniform(&random, -1, 1) * (k < 3 ? 1 : 10);
            }
        double first = energy(c);
        for (int step = 0; step < 20; ++step) {
            double before = energy(c);
            if (before <= 1e-20 * first) break; /* still */
            CHECK(contact_trial_run(trial, &c->problem));
            expect(trial, &c->problem, false, names[i % 4], i);
            if (trial->result.outcome != ABUT_SOLVED) break;
            for (int b = 0; b < c->problem.body_count; ++b)
                memcpy(c->bodies[b].velocity, trial->result.velocity + 6 * b, sizeof c->bodies[b].velocity);
            CHECK_MSG(energy(c) <= before * (1 + 1e-12), "%s %d, step %d: %.17g after %.17g", names[i % 4], i,
                      step, energy(c), before);
        }
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* A block that stood and stands, its contacts said to slide: the states that come back are directions of circles. */
static void test_rest_again(void)
{
    double inertia[3];
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    contact_block_inertia(1, 1, 1, 1, inertia);
    int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, 0});
    c->bodies[body].force[0] = 2;
    c->bodies[body].force[2] = -CONTACT_GRAVITY;
    for (int k = 0; k < 4; ++k) {
        int i =
            contact_case_add(c, body, ABUT_WORLD, 0.4, (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0},
                             (double[3]){0, 0, 1});
        c->contacts[i].cone = ABUT_CONE_CIRCLE;
    }
    CHECK(contact_trial_run(trial, &c->problem) && trial->result.outcome == ABUT_SOLVED);
    double impulses[12];
    abut_contact_face start[4];
    for (int i = 0; i < 4; ++i) {
        const abut_contact_answer *a = &trial->result.contacts[i];
        impulses[3 * i] = a->normal;
        impulses[3 * i + 1] = a->tangent[0];
        impulses[3 * i + 2] = a->tangent[1];
        start[i] = (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)(203 + i)};
    }
    start[3] = (abut_contact_face){.state = ABUT_EDGE, .face = 2};
    trial->options.start = start;
    trial->options.start_impulses = impulses;
    CHECK(contact_trial_run(trial, &c->problem) && trial->result.outcome == ABUT_SOLVED);
    CHECK_MSG(strcmp(trial->result.stage, "rest-again") == 0, "%s", trial->result.stage);
    for (int i = 0; i < 3; ++i) {
        CHECK(trial->result.faces[i].state == ABUT_SLIDE && trial->result.faces[i].face == 203 + i);
        CHECK(trial->result.contacts[i].face == 203 + i);
    }
    CHECK(trial->result.faces[3].state == ABUT_SLIDE && trial->result.faces[3].face == 80);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

/* Dampers along the tangents of ellipses, implicit and explicit. */
static void test_viscous(void)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int i = 0; i < 120; ++i) {
        const contact_family *family = contact_family_find(i % 2 ? "single" : "stacks");
        bench_random random = bench_random_stream(51, (uint64_t)i);
        CHECK(contact_family_make(family, family->sizes[i / 2 % 3], &random, c));
        make_round(c->contacts, c->problem.contact_count, i % 3 ? ABUT_CONE_ELLIPSE : ABUT_CONE_CIRCLE,
                   &random);
        for (int k = 0; k < c->problem.contact_count; ++k)
            c->contacts[k].viscous = bench_uniform(&random, 0, 3);
        trial->options.viscous = i % 5 ? ABUT_VISCOUS_IMPLICIT : ABUT_VISCOUS_EXPLICIT;
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9,
                  "viscous %d: %s, residual %g", i, abut_outcome_name(trial->result.outcome),
                  trial->check.residual);
    }
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

int main(void)
{
    RUN(test_robots);
    RUN(test_robots_warm);
    RUN(test_wide);
    RUN(test_needles);
    RUN(test_energy);
    RUN(test_rest_again);
    RUN(test_viscous);
    return check_report();
}
