/* Islands of trees, boxes, motors and compliance as blocks of unlike sizes (build/parts.h, sparse/wide.inl), against the same
 * problem as one dense block. */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"

static uint64_t seed_of_all;

typedef enum rubbing { SMOOTH, ROUGH } rubbing;

/* A robot among boxes; with `gives` some contacts and motors are compliant, and some contacts are damped. Without friction there
 * is one velocity that answers. */
static void make(robot_scene *s, int boxes, rubbing rubs, bool gives, uint64_t seed)
{
    bench_random r = bench_random_stream(seed_of_all, seed);
    robot_scene_clear(s);
    robot_family_find("mixed")->make(s, boxes, &r);
    contact_case *c = s->maximal;
    for (int i = 0; i < c->problem.contact_count; ++i) {
        abut_contact *contact = &c->contacts[i];
        if (rubs == SMOOTH) contact->friction = 0.0;
        if (!gives) contact->viscous = 0.0;
        if (gives && bench_below(&r, 3) == 0) contact->compliance = pow(10, bench_uniform(&r, -4, 0));
        if (gives && bench_below(&r, 12) == 0) contact->viscous = bench_uniform(&r, 0, 5);
    }
    for (int j = 0; j < s->rows; ++j) {
        c->joints[j].key = (uint64_t)j + 1;
        if (gives && bench_below(&r, 2)) c->joints[j].compliance = pow(10, bench_uniform(&r, -3, 0));
        if (bench_below(&r, 4) == 0) c->joints[j].lower = -INFINITY;
        if (bench_below(&r, 5) == 0) c->joints[j].bounded = false;
    }
}

static bool by(const contact_trial *t, const char *room)
{
    return strncmp(t->result.stage, room, strlen(room)) == 0;
}

static double difference(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Blocks by the stage of large islands, the same in one dense block by pivoting: the same velocities. */
static void test_parts_agree_with_one_block(void)
{
    const int sizes[] = {7, 8, 14}; /* all in one island */
    robot_scene *s = robot_scene_create();
    contact_trial *parts = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *dense = contact_trial_create(ABUT_SOLVER_AUTO, false);
    parts->options.stage = "sparse-interior";
    dense->options.stage = "faces-path";
    for (int k = 0; k < 24; ++k) {
        make(s, sizes[k % 3], SMOOTH, k % 2 == 1, (uint64_t)k);
        CHECK(robot_scene_reduce(s, false) && contact_trial_run(parts, &s->reduced));
        int nv = s->generalised.nv;
        double *kept = calloc((size_t)nv, sizeof *kept);
        CHECK(parts->result.outcome == ABUT_SOLVED && parts->check.residual <= 1e-9);
        if (parts->result.outcome == ABUT_SOLVED)
            memcpy(kept, parts->result.velocity, (size_t)nv * sizeof *kept);
        make(s, sizes[k % 3], SMOOTH, k % 2 == 1, (uint64_t)k);
        CHECK(robot_scene_reduce(s, true) && contact_trial_run(dense, &s->reduced));
        CHECK(dense->result.outcome == ABUT_SOLVED && dense->check.residual <= 1e-9);
        if (dense->result.outcome == ABUT_SOLVED)
            CHECK(difference(kept, dense->result.velocity, nv) <=
                  1e-8); /* beside speeds of metres a second */
        free(kept);
    }
    contact_trial_destroy(parts);
    contact_trial_destroy(dense);
    robot_scene_destroy(s);
}

/* With friction: large islands are answered by the sparse room, from nothing and from the step before. */
static void test_large_islands_of_parts(void)
{
    robot_scene *s = robot_scene_create();
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int sparse = 0;
    t->options.warm = true;
    for (int k = 0; k < 8; ++k) {
        make(s, k < 6 ? 16 : 40, ROUGH, k % 2 == 1, (uint64_t)(100 + k));
        CHECK(robot_scene_reduce(s, false) && contact_trial_run(t, &s->reduced));
        CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-9);
        sparse += by(t, "sparse");
        double *force = s->numbers + (s->generalised.force - s->numbers);
        for (int i = 0; i < s->generalised.nv; ++i) force[i] *= 1.0 + 1e-3 * (i % 3);
        CHECK(contact_trial_run(t, &s->reduced));
        CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-9);
        sparse += by(t, "sparse");
        CHECK(contact_trial_run(t, &s->reduced)); /* once more, with nothing changed: held, mostly */
        CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-9);
        sparse += strcmp(t->result.stage, "sparse-hold") == 0;
    }
    CHECK(sparse >= 20); /* of 24; pivoting answers the others */
    contact_trial_destroy(t);
    robot_scene_destroy(s);
}

/* A row that pushes nothing goes and comes again: keys find the impulses of the others. */
static void test_rows_that_come_and_go(void)
{
    robot_scene *s = robot_scene_create();
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int held = 0;
    t->options.warm = true;
    for (int k = 0; k < 6; ++k) {
        make(s, 16, ROUGH, false, (uint64_t)(300 + k));
        CHECK(robot_scene_reduce(s, false) && s->reduced.joint_count > 2);
        int last = s->reduced.joint_count - 1;
        abut_joint *joints = s->joints; /* of the reduced problem */
        joints[last].bounded = true;
        joints[last].lower = joints[last].upper = 0.0;
        for (int step = 0; step < 3; ++step) {
            CHECK(contact_trial_run(t, &s->reduced));
            CHECK(t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-9);
            s->reduced.joint_count = step == 0 ? last : last + 1;
            held += step > 0 && (strcmp(t->result.stage, "sparse-hold") == 0 || by(t, "sparse-check"));
        }
    }
    CHECK_MSG(held >= 10, "%d of 12 steps found their impulses again", held);
    contact_trial_destroy(t);
    robot_scene_destroy(s);
}

/* Free bodies with a motor between two of them, and feet that give way, through the first door. */
static void test_bodies_with_a_motor(void)
{
    enum { BOXES = 14 };
    contact_trial *parts = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *dense = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_case *c = contact_case_create();
    for (int k = 0; k < 6; ++k) {
        bench_random r = bench_random_stream(seed_of_all, (uint64_t)(200 + k));
        contact_case_clear(c);
        for (int b = 0; b < BOXES; ++b) {
            const double at[3] = {0.0, 0.0, 0.05 + 0.1 * b}, inertia[3] = {2e-3, 2e-3, 2e-3};
            int box = contact_case_body(c, 1.0, inertia, at);
            contact_random_wrench(c, box, 20, 0.5, &r);
            for (int i = 0; i < 4; ++i) {
                double point[3] = {i & 1 ? 0.05 : -0.05, i & 2 ? 0.05 : -0.05, 0.1 * b}, up[3] = {0, 0, 1};
                contact_case_add(c, box, b > 0 ? box - 1 : ABUT_WORLD, k % 2 ? 0.5 : 0.0, point, up);
                if (b == 0) c->contacts[c->problem.contact_count - 1].compliance = 1e-3;
            }
        }
        const double along[6] = {1}, back[6] = {-1};
        int row = contact_case_joint(c, 3, 2, along, back, 0.2);
        abut_joint *motor = &c->joints[row];
        motor->bounded = true;
        motor->lower = -0.05;
        motor->upper = 0.05;
        CHECK(contact_trial_run(parts, &c->problem));
        CHECK(parts->result.outcome == ABUT_SOLVED && parts->check.residual <= 1e-9 && by(parts, "sparse"));
        dense->options.stage = "faces-path";
        CHECK(contact_trial_run(dense, &c->problem));
        CHECK(dense->result.outcome == ABUT_SOLVED);
        if (k % 2 == 0) CHECK(difference(parts->result.velocity, dense->result.velocity, 6 * BOXES) <= 1e-8);
    }
    contact_case_destroy(c);
    contact_trial_destroy(parts);
    contact_trial_destroy(dense);
}

int main(void)
{
    seed_of_all = check_seed(16);
    RUN(test_parts_agree_with_one_block);
    RUN(test_large_islands_of_parts);
    RUN(test_rows_that_come_and_go);
    RUN(test_bodies_with_a_motor);
    return check_report();
}
