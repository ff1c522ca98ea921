/* Regular polygons thrown at an L, step by step: every step of every run is answered, by each model. Some fall flat
 * onto a face, where two corners land one after the other within a step and less than a micrometre apart. */
#include "abut/planar.h"
#include "check.h"
#include "contact_trial.h"
#include "random.h"

enum { RUNS = 40, STEPS = 250, CONTACTS = 64, CORNERS = 8 };

static const double ell[6][2] = {{-1, -1}, {2, -1}, {2, 0}, {0, 0}, {0, 1.5}, {-1, 1.5}};
static const double step = 0.01;

typedef struct thrown {
    int corners;
    double radius, friction;
    double pose[3], velocity[3]; /* x, y, angle */
} thrown;

/* Speed, direction and place at random; every fourth has a face below and does not turn. */
static thrown throw_one(int corners, int run, bench_random *random)
{
    const double pi = acos(-1.0);
    thrown t = {.corners = corners};
    t.pose[0] = bench_uniform(random, -1.5, 2.8);
    t.pose[1] = bench_uniform(random, 2, 3);
    t.pose[2] = run % 4 ? bench_uniform(random, 0, 2 * pi) : pi / corners;
    double angle = bench_uniform(random, -2.4, -0.7), speed = bench_uniform(random, 0.5, 8);
    t.velocity[0] = speed * cos(angle);
    t.velocity[1] = speed * sin(angle);
    t.velocity[2] = run % 4 ? bench_uniform(random, -8, 8) : 0;
    t.friction = bench_uniform(random, 0, 1);
    t.radius = bench_uniform(random, 0.2, 0.5);
    return t;
}

static int touch(const thrown *t, abut_contact *contacts)
{
    double at[CORNERS][2];
    int count = 0;
    for (int i = 0; i < t->corners; ++i) {
        double angle = t->pose[2] + 2 * acos(-1.0) * i / t->corners;
        at[i][0] = t->pose[0] + t->radius * cos(angle);
        at[i][1] = t->pose[1] + t->radius * sin(angle);
    }
    abut_polygon moving = {t->corners, (const double(*)[2])at}, obstacle = {6, ell};
    abut_planar_options options = {
        .bodies = {0, ABUT_WORLD}, .reach = 0.12, .friction = t->friction, .first_group = 1};
    CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, contacts, CONTACTS, &count), ABUT_OK);
    return count;
}

/* How many steps were answered, until it has fallen past the L. */
static int run_one(contact_trial *trial, thrown *t, abut_contact_model model, int *sides)
{
    int k = 0;
    for (; k < STEPS && t->pose[1] > -3; ++k) {
        abut_contact contacts[CONTACTS];
        double spin = 0.5 * t->radius * t->radius;
        abut_body body = {.mass = 1,
                          .inertia = {0.6 * spin, 0.6 * spin, spin},
                          .com = {t->pose[0], t->pose[1]},
                          .velocity = {t->velocity[0], t->velocity[1], 0, 0, 0, t->velocity[2]},
                          .force = {0, -9.81}};
        abut_contact_problem problem = {.model = model,
                                        .step = step,
                                        .body_count = 1,
                                        .bodies = &body,
                                        .contact_count = touch(t, contacts),
                                        .contacts = contacts};
        for (int i = 1; i < problem.contact_count; ++i) *sides += contacts[i].group == contacts[i - 1].group;
        CHECK(contact_trial_run(trial, &problem));
        CHECK(trial->result.outcome != ABUT_SOLVED || trial->check.residual <= 1e-9);
        if (trial->result.outcome != ABUT_SOLVED) return -k;
        t->velocity[0] = trial->result.velocity[0];
        t->velocity[1] = trial->result.velocity[1];
        t->velocity[2] = trial->result.velocity[5];
        for (int c = 0; c < 3; ++c) t->pose[c] += step * t->velocity[c];
    }
    return k;
}

static void throw_at_an_ell(int corners, uint64_t seed)
{
    static const abut_contact_model models[] = {ABUT_COULOMB, ABUT_FRICTIONLESS, ABUT_NO_SLIP};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int m = 0; m < 3; ++m) {
        int steps = 0, sides = 0;
        for (int run = 0; run < RUNS; ++run) {
            bench_random random = bench_random_stream(seed, (uint64_t)run);
            thrown t = throw_one(corners, run, &random);
            int answered = run_one(trial, &t, models[m], &sides);
            CHECK_MSG(answered > 0, "%d corners, %s, run %d stops at step %d: %s", corners,
                      abut_contact_model_name(models[m]), run, -answered,
                      abut_outcome_name(trial->result.outcome));
            steps += answered;
        }
        CHECK_MSG(steps > 4000 && sides > 100, "%d steps, %d sides of unions", steps, sides);
    }
    contact_trial_destroy(trial);
}

static void test_octagons(void)
{
    throw_at_an_ell(CORNERS, check_seed(90));
    for (uint64_t seed = 2; seed < 7; ++seed) throw_at_an_ell(CORNERS, seed);
}

static void test_others(void)
{
    for (int corners = 3; corners < CORNERS; ++corners) throw_at_an_ell(corners, 91);
}

int main(void)
{
    RUN(test_octagons);
    RUN(test_others);
    return check_report();
}
