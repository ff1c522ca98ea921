/* A free body is the same thing by the first door and as a block of six by the second: the same answer to rounding, also
 * where Coulomb's law has several, since both take the same path to it. */
#include "as_blocks.h"
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "family_rest.h"
#include "family_robots.h"

static const double SAME = 1e-9; /* as_blocks_apart */

typedef struct tally {
    int solved, same, exactly;
} tally;

/* One problem by both doors, which go on from their last steps if their options say so. */
static void compare(contact_case *c, contact_trial *bodies, contact_trial *blocks, const char *name,
                    int number, tally *t)
{
    as_blocks other;
    CHECK(contact_trial_run(bodies, &c->problem));
    if (bodies->result.outcome != ABUT_SOLVED) return;
    if (as_blocks_make(&c->problem, bodies->result.contacts, &other)) {
        CHECK(contact_trial_run(blocks, &other.problem));
        bool solved = blocks->result.outcome == ABUT_SOLVED && blocks->check.residual <= 1e-9;
        CHECK_MSG(solved, "%s number %d: %s", name, number, abut_outcome_name(blocks->result.outcome));
        double apart =
            solved ? as_blocks_apart(&other, bodies->result.velocity, blocks->result.velocity) : INFINITY;
        t->solved++;
        t->same += apart <= SAME;
        t->exactly += apart == 0.0;
        CHECK_MSG(apart <= SAME, "%s number %d: %d bodies, %s and %s, apart by %g, residuals %g and %g", name,
                  number, c->problem.body_count, bodies->result.stage, blocks->result.stage, apart,
                  bodies->check.residual, blocks->check.residual);
    }
    as_blocks_free(&other);
}

static int asked(int usual)
{
    const char *more = getenv("ABUT_SAME_DOORS");
    return more ? atoi(more) : usual;
}

static void test_families(void)
{
    contact_case *c = contact_case_create();
    contact_trial *bodies = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *blocks = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(11);
    int count = asked(20);
    for (int f = 0; f < contact_family_count; ++f) {
        const contact_family *family = &contact_families[f];
        tally t = {0};
        int sizes = 0;
        while (family->sizes[sizes] != 0) ++sizes;
        for (int i = 0; i < count; ++i) {
            bench_random r = bench_random_stream(seed + (uint64_t)f, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[i % sizes], &r, c));
            compare(c, bodies, blocks, family->name, i, &t);
        }
        printf("       %-18s %d of %d the same, %d to the last bit\n", family->name, t.same, t.solved,
               t.exactly);
    }
    contact_case_destroy(c);
    contact_trial_destroy(bodies);
    contact_trial_destroy(blocks);
}

static void test_rests(void)
{
    static const struct {
        const char *name;
        void (*make)(contact_case *, int, bench_random *);
        int sizes;
    } made[] = {{"grasps", contact_make_grasp, 6}, {"wedges", contact_make_wedge, 5}};
    contact_case *c = contact_case_create();
    contact_trial *bodies = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *blocks = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(12);
    int count = asked(40);
    for (size_t f = 0; f < sizeof made / sizeof *made; ++f) {
        tally t = {0};
        for (int i = 0; i < count; ++i) {
            bench_random r = bench_random_stream(seed + f, (uint64_t)i);
            contact_case_clear(c);
            made[f].make(c, 2 + i % made[f].sizes, &r);
            compare(c, bodies, blocks, made[f].name, i, &t);
        }
        printf("       %-18s %d of %d the same, %d to the last bit\n", made[f].name, t.same, t.solved,
               t.exactly);
    }
    contact_case_destroy(c);
    contact_trial_destroy(bodies);
    contact_trial_destroy(blocks);
}

/* Robots in maximal coordinates, with motors, brakes, ropes and soft contacts. */
static void test_robots(void)
{
    robot_scene *s = robot_scene_create();
    contact_trial *bodies = contact_trial_create(ABUT_SOLVER_AUTO, false),
                  *blocks = contact_trial_create(ABUT_SOLVER_AUTO, false);
    uint64_t seed = check_seed(13);
    int count = asked(20);
    for (int f = 0; f < robot_family_count; ++f) {
        const robot_family *family = &robot_families[f];
        tally t = {0};
        for (int i = 0; i < count; ++i) {
            bench_random r = bench_random_stream(seed + (uint64_t)f, (uint64_t)i);
            robot_scene_clear(s);
            family->make(s, family->sizes[i % 3], &r);
            /* Dampers between two bodies make the first door take the island as one block. */
            for (int k = 0; k < s->maximal->problem.contact_count; ++k) s->maximal->contacts[k].viscous = 0;
            compare(s->maximal, bodies, blocks, family->name, i, &t);
        }
        printf("       %-18s %d of %d the same, %d to the last bit\n", family->name, t.same, t.solved,
               t.exactly);
    }
    robot_scene_destroy(s);
    contact_trial_destroy(bodies);
    contact_trial_destroy(blocks);
}

/* Step after step, each door going on from its own last step. */
static void test_sequences(void)
{
    contact_case *c = contact_case_create();
    uint64_t seed = check_seed(14);
    int steps = asked(40);
    for (int f = 0; f < contact_sequence_count; ++f) {
        const contact_sequence *sequence = &contact_sequences[f];
        tally t = {0};
        for (int k = 0; sequence->sizes[k] != 0; ++k) {
            contact_trial *bodies = contact_trial_create(ABUT_SOLVER_AUTO, false),
                          *blocks = contact_trial_create(ABUT_SOLVER_AUTO, false);
            bodies->options.warm = blocks->options.warm = true;
            for (int i = 0; i < steps; ++i) {
                contact_case_clear(c);
                sequence->make(c, sequence->sizes[k], i, seed);
                compare(c, bodies, blocks, sequence->name, i, &t);
            }
            contact_trial_destroy(bodies);
            contact_trial_destroy(blocks);
        }
        printf("       %-18s %d of %d the same, %d to the last bit\n", sequence->name, t.same, t.solved,
               t.exactly);
    }
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_families);
    RUN(test_rests);
    RUN(test_robots);
    RUN(test_sequences);
    return check_report();
}
