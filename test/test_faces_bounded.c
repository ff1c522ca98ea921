/* Bounded rows in `faces`: its stages alone on systems in which the normal impulse of a bounded row is given, against solvers
 * that see them expanded; and steps that go on from the last one. */
#include "check.h"
#include "contact_trial.h"
#include "family_robots.h"
#include <math.h>
#include <string.h>

static const double RESIDUAL = 1e-9;
static const char *const FAMILIES[] = {"motors", "brakes", "holding", "loops"};
enum { FAMILY_COUNT = 4, PROBLEMS = 40 };

typedef struct bed {
    uint64_t seed;
    robot_scene *scene;
    contact_trial *trial, *other;
} bed;

static bed bed_make(abut_contact_solver other)
{
    return (bed){check_seed(20261117), robot_scene_create(), contact_trial_create(ABUT_SOLVER_FACES, true),
                 contact_trial_create(other, true)};
}

static void bed_end(bed *b)
{
    robot_scene_destroy(b->scene);
    contact_trial_destroy(b->trial);
    contact_trial_destroy(b->other);
}

/* Problem `number` of a family in blocks; friction is left out with `frictionless`. */
static const abut_contact_problem *make(bed *b, const char *family, int number, bool frictionless)
{
    const robot_family *of = robot_family_find(family);
    bench_random r = bench_random_stream(b->seed, (uint64_t)number);
    CHECK(robot_family_make(of, of->sizes[number % 3], &r, b->scene));
    for (int i = 0; i < b->scene->reduced.contact_count && frictionless; ++i)
        b->scene->contacts[i].friction = b->scene->contacts[i].viscous = 0.0;
    return &b->scene->reduced;
}

static bool solved(const contact_trial *t)
{
    return t->result.outcome == ABUT_SOLVED && t->check.residual <= RESIDUAL;
}

/* The path alone answers what Lemke's method answers on the expanded system. */
static void test_path(void)
{
    bed b = bed_make(ABUT_SOLVER_LEMKE);
    b.trial->options.stage = "faces-path";
    int missed = 0, found = 0;
    for (int f = 0; f < FAMILY_COUNT; ++f)
        for (int i = 0; i < PROBLEMS; ++i) {
            const abut_contact_problem *p = make(&b, FAMILIES[f], i, false);
            CHECK(contact_trial_run(b.trial, p) && contact_trial_run(b.other, p));
            CHECK(b.trial->result.outcome != ABUT_SOLVED || b.trial->check.residual <= RESIDUAL);
            found += solved(b.trial);
            missed += solved(b.other) && !solved(b.trial);
        }
    printf("       the path solves %d of %d, and misses %d that Lemke's method solves\n", found,
           FAMILY_COUNT * PROBLEMS, missed);
    CHECK_MSG(missed == 0, "%d missed", missed);
    bed_end(&b);
}

/* Without friction there is one velocity, whoever finds it. */
static void test_convex(void)
{
    bed b = bed_make(ABUT_SOLVER_REDUCED);
    int compared = 0;
    for (int f = 0; f < FAMILY_COUNT; ++f)
        for (int i = 0; i < PROBLEMS; ++i) {
            const abut_contact_problem *p = make(&b, FAMILIES[f], i, true);
            CHECK(contact_trial_run(b.trial, p) && contact_trial_run(b.other, p));
            if (!solved(b.trial) || !solved(b.other)) continue;
            int nv = p->generalised->nv;
            double size = 1.0, apart = 0.0;
            for (int c = 0; c < nv; ++c) {
                size = fmax(size, fabs(b.trial->result.velocity[c]));
                apart = fmax(apart, fabs(b.trial->result.velocity[c] - b.other->result.velocity[c]));
            }
            CHECK_MSG(apart <= 1e-8 * size, "%s number %d: %g apart", FAMILIES[f], i, apart / size);
            compared++;
        }
    CHECK_MSG(compared >= FAMILY_COUNT * PROBLEMS * 3 / 4, "only %d compared", compared);
    bed_end(&b);
}

/* Forces a little larger: the states of the last step hold mostly, and are then found right without an event. (Where all motors are
 * at their bounds rest is asked for behind it, in rounds of its own.) */
static void test_warm(void)
{
    bed b = bed_make(ABUT_SOLVER_LEMKE);
    b.trial->options.warm = true;
    int checked = 0, alone = 0, steps = 0;
    for (int f = 0; f < FAMILY_COUNT; ++f)
        for (int i = 0; i < PROBLEMS; ++i) {
            const abut_contact_problem *p = make(&b, FAMILIES[f], i, false);
            for (int j = 0; j < p->joint_count; ++j) b.scene->joints[j].key = (uint64_t)j + 1;
            CHECK(contact_trial_run(b.trial, p));
            double *force = b.scene->numbers + (p->generalised->force - b.scene->numbers);
            for (int c = 0; c < p->generalised->nv; ++c) force[c] *= 1.0 + 1e-6;
            if (!solved(b.trial)) continue;
            CHECK(contact_trial_run(b.trial, p));
            CHECK(solved(b.trial));
            steps++;
            bool held = strcmp(b.trial->result.stage, "faces-check") == 0;
            checked += held;
            alone += held && b.trial->result.pivots == 0;
        }
    printf("       %d of %d steps kept their states, %d needed a look only\n", checked, steps, alone);
    CHECK_MSG(checked >= steps * 9 / 10, "%d of %d", checked, steps);
    CHECK_MSG(alone >= steps * 7 / 10, "%d of %d", alone, steps);
    bed_end(&b);
}

int main(void)
{
    RUN(test_path);
    RUN(test_convex);
    RUN(test_warm);
    return check_report();
}
