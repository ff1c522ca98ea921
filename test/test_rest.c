/* Where rest is an answer, rest is the answer (contact.h, "Several answers"): random grasps, wedges, arches, stacks
 * and heaps that a linear program of our own says can rest; grasps over many steps; belts and lifts; starts from
 * states that lead elsewhere; what is not taken. */
#include "check.h"
#include "contact_trial.h"
#include "family_rest.h"
#include "rest_oracle.h"

#include <math.h>
#include <string.h>

/* The square of what the verifier lets pass: of the free motion's energy. */
static const double STILL = 1e-18, RESIDUAL = 1e-9;

static bool at_rest(const abut_contact_problem *problem, const abut_contact_result *result)
{
    return result->outcome == ABUT_SOLVED &&
           rest_energy(problem, result->velocity) <= STILL * rest_energy(problem, NULL);
}

static void random_structures_that_can_rest_do(void)
{
    uint64_t seed = check_seed(11);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (const rest_family *family = rest_families; family->name; ++family) {
        int possible = 0, made = 0, others = 0;
        for (; possible < 60 && made < 4000; ++made) {
            bench_random random = bench_random_stream(seed, (uint64_t)made);
            int sizes = 0;
            while (sizes < CONTACT_SIZES_MAX && family->sizes[sizes] != 0) sizes++;
            contact_case_clear(c);
            family->make(c, family->sizes[made % sizes], &random);
            rest_finding finding = rest_oracle(&c->problem);
            if (finding == REST_UNCLEAR) continue;
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK_MSG(trial->check.residual <= RESIDUAL, "%s %d: %g", family->name, made,
                      trial->check.residual);
            CHECK_MSG(at_rest(&c->problem, &trial->result) == (finding == REST_POSSIBLE),
                      "%s %d: rest is %spossible, stage %s", family->name, made,
                      finding == REST_POSSIBLE ? "" : "im", trial->result.stage);
            possible += finding == REST_POSSIBLE;
            others += trial->result.others;
        }
        printf("%s: %d of %d can rest, other answers seen in %d\n", family->name, possible, made, others);
        CHECK_EQ_INT(possible, 60);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Whatever states a solve starts from, and with every solver that promises it. */
static void rest_is_found_from_any_states(void)
{
    uint64_t seed = check_seed(12);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_trial *faces = contact_trial_create(ABUT_SOLVER_FACES, true);
    abut_contact_face start[1000];
    for (int i = 0; i < 150; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        const rest_family *family = &rest_families[i % 5];
        contact_case_clear(c);
        family->make(c, family->sizes[bench_below(&random, 3)], &random);
        if (rest_oracle(&c->problem) != REST_POSSIBLE || c->problem.contact_count > 1000) continue;
        for (int k = 0; k < c->problem.contact_count; ++k)
            start[k] = (abut_contact_face){.state = (uint8_t)bench_below(&random, 5),
                                           .face = (uint8_t)bench_below(&random, 8)};
        trial->options.start = start;
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(at_rest(&c->problem, &trial->result), "%s %d by %s", family->name, i, trial->result.stage);
        CHECK(contact_trial_run(faces, &c->problem));
        CHECK_MSG(at_rest(&c->problem, &faces->result), "%s %d by faces alone", family->name, i);
    }
    contact_trial_destroy(faces);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* A block held with twice the force it needs, over five seconds: bodies that do not move make the same problem again,
 * so what may change from step to step are the states alone. */
static void a_grasp_holds(void)
{
    for (int blocks = 1; blocks <= 5; ++blocks)
        for (int warm = 0; warm < 2; ++warm) {
            contact_case *c = contact_case_create();
            contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
            double half = 0.05, mass = 0.4, push = 2.5 * mass * CONTACT_GRAVITY * blocks;
            double inertia = mass * 2 * half * half * 4 / 12, moved = 0;
            int left = -1;
            for (int i = 0; i < blocks + 2; ++i) {
                int body = contact_case_body(c, mass, (double[3]){inertia, inertia, inertia},
                                             (double[3]){half * 2 * i, 0, 0});
                bool finger = i == 0 || i == blocks + 1;
                c->bodies[body].force[2] = finger ? 0 : -mass * CONTACT_GRAVITY;
                c->bodies[body].force[0] = !finger ? 0 : i == 0 ? push : -push;
                for (int k = 1; finger && k < 6; ++k) {
                    double row[6] = {0}, none[6] = {0};
                    row[k] = 1;
                    contact_case_joint(c, body, ABUT_WORLD, row, none, 0);
                }
                for (int k = 0; k < 4 && left >= 0; ++k) {
                    int contact = contact_case_add(
                        c, body, left, 0.5,
                        (double[3]){half * (2 * i - 1), k & 1 ? half : -half, k & 2 ? half : -half},
                        (double[3]){1, 0, 0});
                    c->contacts[contact].key = (uint64_t)(10 * i + k + 1);
                }
                left = body;
            }
            c->problem.step = 1.0 / 240;
            trial->options.warm = warm != 0;
            for (int step = 0; step < 1200; ++step) {
                CHECK(contact_trial_run(trial, &c->problem));
                if (!(trial->check.residual <= RESIDUAL))
                    CHECK_MSG(false, "%d blocks, step %d", blocks, step);
                for (int b = 0; b < c->problem.body_count; ++b)
                    for (int k = 0; k < 6; ++k) {
                        c->bodies[b].velocity[k] = trial->result.velocity[6 * b + k];
                        moved = fmax(moved, fabs(c->bodies[b].velocity[k]));
                    }
            }
            CHECK_MSG(moved < 1e-10, "%d blocks, %s: moves at %g", blocks, warm ? "warm" : "cold", moved);
            contact_trial_destroy(trial);
            contact_case_destroy(c);
        }
}

static int add_box(contact_case *c, double x, double z)
{
    int box = contact_case_body(c, 1, (double[3]){0.1, 0.1, 0.1}, (double[3]){x, 0, z});
    c->bodies[box].force[2] = -CONTACT_GRAVITY;
    return box;
}

static void add_corners(contact_case *c, int a, int b, double mu, const double centre[3],
                        const double normal[3])
{
    for (int k = 0; k < 4; ++k) {
        double p = k & 1 ? 0.5 : -0.5, q = k & 2 ? 0.5 : -0.5,
               point[3] = {centre[0], centre[1] + p, centre[2]};
        point[normal[2] != 0 ? 0 : 2] += q;
        contact_case_add(c, a, b, mu, point, normal);
    }
}

/* A box on a belt, held back by a wall: it stands still while the belt slides along under it. */
static void a_belt_slides_under_what_rests(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int box = add_box(c, 0, 0.5);
    int belt = contact_case_body(c, 1, (double[3]){1, 1, 1}, (double[3]){0, 0, -1});
    c->bodies[belt].kind = ABUT_KINEMATIC;
    c->bodies[belt].velocity[0] = 2;
    add_corners(c, box, belt, 0.4, (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
    add_corners(c, box, ABUT_WORLD, 0.1, (double[3]){0.5, 0, 0.5}, (double[3]){-1, 0, 0});
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK(trial->check.residual <= RESIDUAL);
    for (int k = 0; k < 6; ++k) CHECK(fabs(trial->result.velocity[k]) < 1e-12);
    double friction = 0;
    for (int i = 0; i < 4; ++i) friction += trial->result.contacts[4 + i].normal;
    CHECK_NEAR(friction, 0.4 * CONTACT_GRAVITY * CONTACT_STEP, 0.1 * 0.4 * CONTACT_GRAVITY * CONTACT_STEP);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* What a lift carries moves with it, and nothing slips. */
static void a_lift_carries_a_stack(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int lift = contact_case_body(c, 1, (double[3]){1, 1, 1}, (double[3]){0, 0, -1}), below = lift;
    c->bodies[lift].kind = ABUT_KINEMATIC;
    c->bodies[lift].velocity[2] = 0.5;
    c->bodies[lift].velocity[0] = 0.01;
    for (int i = 0; i < 4; ++i) {
        int box = add_box(c, 0, i + 0.5);
        memcpy(c->bodies[box].velocity, c->bodies[lift].velocity, sizeof c->bodies[box].velocity);
        add_corners(c, box, below, 0.5, (double[3]){0, 0, i}, (double[3]){0, 0, 1});
        below = box;
    }
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK(trial->check.residual <= RESIDUAL);
    for (int b = 0; b < 5; ++b)
        for (int k = 0; k < 6; ++k)
            CHECK_NEAR(trial->result.velocity[6 * b + k], c->bodies[lift].velocity[k], 1e-11);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* The old answer of a grasp that tumbles is still one: told by a stage alone; the call says that it has seen another. */
static void the_answer_that_tumbles_is_told(void)
{
    uint64_t seed = check_seed(13);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_trial *greedy = contact_trial_create(ABUT_SOLVER_AUTO, false);
    greedy->options.stage = "faces-greedy";
    int several = 0;
    for (int i = 0; i < 300; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        contact_case_clear(c);
        contact_make_grasp(c, 1 + i % 3, &random);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK(contact_trial_run(greedy, &c->problem));
        if (greedy->result.outcome != ABUT_SOLVED || trial->result.outcome != ABUT_SOLVED) continue;
        double old = rest_energy(&c->problem, greedy->result.velocity);
        double now = rest_energy(&c->problem, trial->result.velocity), all = rest_energy(&c->problem, NULL);
        CHECK_MSG(now <= old + STILL * all, "grasp %d: %g J, and %g by faces-greedy", i, now, old);
        bool moved = old > STILL * all, rests = now <= STILL * all;
        several += moved && rests;
        if (moved && rests) CHECK_EQ_INT(trial->result.others, 1);
    }
    printf("%d of 300 grasps rest and tumble\n", several);
    CHECK(several > 4);
    contact_trial_destroy(greedy);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Two blocks in a row between two fingers. Each finger is led along x, by five rows, and a motor of bounded force drives it towards
 * the blocks at a speed that it does not reach. */
static void make_motor_grasp(contact_case *c, double force, bench_random *random)
{
    static const double step = 0.01, inertia[3] = {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0}, along[3] = {1, 0, 0};
    enum { BODIES = 4 }; /* finger, block, block, finger */
    contact_case_clear(c);
    for (int b = 0; b < BODIES; ++b) {
        contact_case_body(c, 1, inertia, (double[3]){b, 0, 0});
        bool finger = b == 0 || b == BODIES - 1;
        if (!finger) c->bodies[b].force[2] = -CONTACT_GRAVITY;
        for (int corner = 0; corner < 4 && b > 0; ++corner) {
            double y = corner & 1 ? 0.5 : -0.5, z = corner & 2 ? 0.5 : -0.5;
            y += bench_uniform(random, -0.1, 0.1);
            z += bench_uniform(random, -0.1, 0.1);
            contact_case_add(c, b, b - 1, 0.5, (double[3]){b - 0.5, y, z}, along);
        }
        for (int k = 0; k < 6 && finger; ++k) {
            double row[6] = {0}, none[6] = {0}, speed = b == 0 ? 0.2 : -0.2;
            row[k] = 1;
            int at = contact_case_joint(c, b, ABUT_WORLD, row, none, k == 0 ? speed : 0);
            abut_joint *joint = &c->joints[at];
            joint->bounded = k == 0;
            joint->lower = -force * step;
            joint->upper = force * step;
        }
    }
    c->problem.step = step;
}

static void fingers_with_motors_hold(void)
{
    uint64_t seed = check_seed(17);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int i = 0; i < 200; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        make_motor_grasp(c, bench_uniform(&random, 40.0, 80.0), &random);
        trial->options.warm = i % 2 == 1;
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->check.residual <= RESIDUAL, "%d: %g", i, trial->check.residual);
        CHECK_MSG(at_rest(&c->problem, &trial->result), "%d: moves, stage %s", i, trial->result.stage);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* ---- structures that springs alone hold ---- */

/* The four corners of a face between a and b, `x` and `y` off its centre. */
static void add_face(contact_case *c, int a, int b, const double centre[3], const double normal[3],
                     const double x[3], const double y[3])
{
    for (int corner = 0; corner < 4; ++corner) {
        double point[3], sx = corner & 1 ? 1.0 : -1.0, sy = corner & 2 ? 1.0 : -1.0;
        for (int k = 0; k < 3; ++k) point[k] = centre[k] + sx * x[k] + sy * y[k];
        contact_case_add(c, a, b, 0.5, point, normal);
    }
}

static int add_cube(contact_case *c, double mass, double x, double y, double z)
{
    double inertia[3];
    contact_block_inertia(mass, 1.0, 1.0, 1.0, inertia);
    int body = contact_case_body(c, mass, inertia, (double[3]){x, y, z});
    c->bodies[body].force[2] = -mass * CONTACT_GRAVITY;
    return body;
}

/* Cubes on each other, each a little aside, the last one of another mass. */
static void make_tower(contact_case *c, int size, double top, bench_random *random)
{
    static const double up[3] = {0, 0, 1};
    contact_case_clear(c);
    for (int i = 0; i < size; ++i) {
        double x = bench_uniform(random, -0.01, 0.01), y = bench_uniform(random, -0.01, 0.01);
        add_cube(c, i + 1 < size ? 1.0 : top, x, y, i + 0.5);
        add_face(c, i, i > 0 ? i - 1 : ABUT_WORLD, (double[3]){0, 0, i}, up, (double[3]){0.48, 0, 0},
                 (double[3]){0, 0.48, 0});
    }
    c->problem.step = 0.01;
}

/* Cubes in a row that touch, on a plane at the angle of friction less a millionth: gravity leans instead. */
static void make_slope(contact_case *c, int size)
{
    static const double up[3] = {0, 0, 1}, along[3] = {1, 0, 0};
    const double angle = atan(0.5) * (1.0 - 1e-6);
    contact_case_clear(c);
    for (int i = 0; i < size; ++i) {
        int body = add_cube(c, 1.0, i, 0, 0.5);
        c->bodies[body].force[0] = CONTACT_GRAVITY * sin(angle);
        c->bodies[body].force[2] = -CONTACT_GRAVITY * cos(angle);
        add_face(c, i, ABUT_WORLD, (double[3]){i, 0, 0}, up, (double[3]){0.5, 0, 0}, (double[3]){0, 0.5, 0});
        if (i > 0)
            add_face(c, i, i - 1, (double[3]){i - 0.5, 0, 0.5}, along, (double[3]){0, 0.5, 0},
                     (double[3]){0, 0, 0.5});
    }
    c->problem.step = 0.01;
}

/* Bricks in running bond, whose side joints touch. */
static void make_bond(contact_case *c, int courses, int length)
{
    static const double up[3] = {0, 0, 1}, along[3] = {1, 0, 0};
    contact_case_clear(c);
    for (int row = 0; row < courses; ++row) {
        for (int k = 0; k < length; ++k) {
            double x = k + 0.5 * (row % 2), z = row;
            int body = add_cube(c, 1.0, x, 0, z + 0.5);
            for (int half = -1; half <= 1; half += 2) {
                double centre[3] = {x + 0.25 * half, 0, z};
                int below = (row - 1) * length + k + (row % 2 ? half > 0 : -(half < 0));
                bool there = k + (row % 2 ? half > 0 : -(half < 0)) >= 0 &&
                             k + (row % 2 ? half > 0 : -(half < 0)) < length;
                if (row == 0 || there)
                    add_face(c, body, row == 0 ? ABUT_WORLD : below, centre, up, (double[3]){0.25, 0, 0},
                             (double[3]){0, 0.5, 0});
            }
            if (k > 0)
                add_face(c, body, body - 1, (double[3]){x - 0.5, 0, z + 0.5}, along, (double[3]){0, 0.5, 0},
                         (double[3]){0, 0, 0.5});
        }
    }
    c->problem.step = 0.01;
}

/* High towers sway, heavy ones press soft springs; slopes and bonds need contacts that let go: one stage does, without the
 * interior point. */
static void springs_hold_what_stands(void)
{
    bench_random random = bench_random_stream(check_seed(18), 0);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    trial->options.stage = "rest-quick";
    for (int kind = 0; kind < 12; ++kind) {
        int size = 10 + 10 * (kind % 3);
        if (kind < 3) make_tower(c, size, 1.0, &random);
        if (kind >= 3 && kind < 6) make_tower(c, size, 1000.0, &random);
        if (kind >= 6 && kind < 9) make_slope(c, size);
        if (kind >= 9) make_bond(c, size / 5, 5);
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->check.residual <= RESIDUAL, "%d: %g", kind, trial->check.residual);
        CHECK_MSG(at_rest(&c->problem, &trial->result), "%d: moves", kind);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Normals that rounding turns make the default tangents jump by a quarter turn. What held a leaning box in the last step
 * holds it in this one: the same vector, told by other numbers. */
static void friction_is_carried_over_a_jump_of_tangents(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    trial->options.warm = true;
    make_slope(c, 3);
    for (int b = 0; b < 3; ++b)
        c->bodies[b].force[1] = 0.3; /* across, so that friction has both components */
    for (int b = 0; b < 3; ++b) c->bodies[b].force[0] *= 0.8;
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].key = (uint64_t)i + 1;
    for (int step = 0; step < 6; ++step) {
        for (int i = 0; i < c->problem.contact_count; ++i) {
            if (c->contacts[i].normal[2] == 1.0) c->contacts[i].normal[step % 2] = 1e-17;
            if (c->contacts[i].normal[2] == 1.0) c->contacts[i].normal[1 - step % 2] = 0.0;
        }
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK(trial->check.residual <= RESIDUAL);
        CHECK_MSG(at_rest(&c->problem, &trial->result), "step %d", step);
        if (step > 0)
            CHECK_MSG(strcmp(trial->result.stage, "rest-again") == 0, "step %d: %s", step,
                      trial->result.stage);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(random_structures_that_can_rest_do);
    RUN(rest_is_found_from_any_states);
    RUN(a_grasp_holds);
    RUN(fingers_with_motors_hold);
    RUN(springs_hold_what_stands);
    RUN(friction_is_carried_over_a_jump_of_tangents);
    RUN(a_belt_slides_under_what_rests);
    RUN(a_lift_carries_a_stack);
    RUN(the_answer_that_tumbles_is_told);
    return check_report();
}
