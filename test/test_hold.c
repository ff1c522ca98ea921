/* Steps that go on as the last one did, and steps that are cut short.
 *
 * A resting structure whose gaps, velocities and normals change from step to step by rounding alone is held by its states or its
 * impulses: no state flips, nothing is pivoted, and the answer is verified as every answer is. A call whose budget is spent returns a
 * point to go on from. */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "family_piles.h"

#include <math.h>
#include <string.h>

/* What rounding does to a step: gaps, velocities and normals in their last digits, the normals' tangents with them. */
static void shake(contact_case *c, double size, bench_random *random)
{
    for (int i = 0; i < c->problem.contact_count; ++i) {
        c->contacts[i].gap += bench_uniform(random, -size, size);
        for (int axis = 0; axis < 3; ++axis)
            if (c->contacts[i].normal[axis] == 0.0)
                c->contacts[i].normal[axis] = bench_uniform(random, -1e-17, 1e-17);
    }
    for (int b = 0; b < c->problem.body_count; ++b)
        for (int axis = 0; axis < 6; ++axis) c->bodies[b].velocity[axis] = bench_uniform(random, 0.0, size);
}

static void test_rounding_is_held(void)
{
    static const struct {
        const char *family;
        int size;
    } runs[] = {{"stacks", 3}, {"symmetric-stacks", 10}, {"towers", 8}, {"walls", 8}};
    uint64_t seed = check_seed(14);
    contact_case *c = contact_case_create();
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        int held = 0;
        trial->options.warm = true;
        for (int step = 0; step < 60; ++step) {
            bench_random make = bench_random_stream(seed, 1),
                         noise = bench_random_stream(seed, 100 + (uint64_t)step);
            CHECK(contact_family_make(contact_family_find(runs[r].family), runs[r].size, &make, c));
            for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].key = 1 + (uint64_t)i;
            for (int b = 0; b < c->problem.body_count; ++b)
                memset(c->bodies[b].velocity, 0, sizeof c->bodies[b].velocity);
            shake(c, 1e-15, &noise);
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9);
            bool stays = strcmp(trial->result.stage, "rest-again") == 0 ||
                         strcmp(trial->result.stage, "sparse-hold") == 0 ||
                         strcmp(trial->result.stage, "faces-check") == 0;
            held += stays && trial->result.pivots == 0;
        }
        CHECK_MSG(held >= 50, "%s: %d of 60 held", runs[r].family, held);
        contact_trial_destroy(trial);
    }
    contact_case_destroy(c);
}

/* v'M v of what was solved, or (NULL) of bodies that no contact pushes: after the step with their forces alone, which turn none. */
static double energy(const contact_case *c, const double *velocity)
{
    double sum = 0.0;
    for (int b = 0; b < c->problem.body_count; ++b) {
        const abut_body *body = &c->bodies[b];
        double v[6];
        for (int axis = 0; axis < 6; ++axis)
            v[axis] = velocity ? velocity[6 * b + axis] : body->velocity[axis];
        if (!velocity)
            for (int axis = 0; axis < 3; ++axis) v[axis] += c->problem.step * body->force[axis] / body->mass;
        const double *I = body->inertia, *w = v + 3;
        sum += body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + I[0] * w[0] * w[0] +
               I[1] * w[1] * w[1] + I[2] * w[2] * w[2] +
               2.0 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
    }
    return sum;
}

static void test_cut_short(void)
{
    uint64_t seed = check_seed(15);
    contact_case *c = contact_case_create();
    int cut = 0;
    for (int f = 0; f < pile_family_count; ++f) {
        bench_random random = bench_random_stream(seed, (uint64_t)f);
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        contact_case_clear(c);
        pile_families[f].make(c, 40, &random);
        trial->options.max_seconds = 1e-9;
        CHECK(contact_trial_run(trial, &c->problem));
        if (trial->result.outcome != ABUT_LIMIT) {
            contact_trial_destroy(trial);
            continue;
        }
        cut++;
        bool gaps = false;
        for (int i = 0; i < c->problem.contact_count; ++i) {
            const abut_contact_answer *a = &trial->result.contacts[i];
            double friction = hypot(a->tangent[0], a->tangent[1]);
            gaps = gaps || c->contacts[i].gap < 0.0;
            CHECK_MSG(a->normal >= 0.0 && friction <= c->contacts[i].friction * a->normal * (1.0 + 1e-12),
                      "%s %d: %g %g", pile_families[f].name, i, a->normal, friction);
        }
        double before = energy(c, NULL), after = energy(c, trial->result.velocity);
        CHECK_MSG(gaps || after <= before * (1.0 + 1e-12), "%s: %g became %g", pile_families[f].name, before,
                  after);
        contact_trial_destroy(trial);
    }
    CHECK_MSG(cut >= 5, "%d cut short", cut);
    contact_case_destroy(c);
}

/* A pyramid of boxes that has stood still for a step, its contacts with keys. */
static void stand_still(contact_case *c, contact_trial *trial, bench_random random)
{
    int family = 0;
    while (strcmp(pile_families[family].name, "pyramid") != 0) family++;
    contact_case_clear(c);
    pile_families[family].make(c, 5, &random);
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].key = 1 + (uint64_t)i;
    for (int b = 0; b < c->problem.body_count; ++b)
        memset(c->bodies[b].velocity, 0, sizeof c->bodies[b].velocity);
    trial->options.warm = true;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK(trial->result.outcome == ABUT_SOLVED && energy(c, trial->result.velocity) < 1e-18);
}

static bool is_again(const contact_trial *trial)
{
    return strcmp(trial->result.stage, "rest-again") == 0;
}

/* Nothing changes: the last answer once more, no velocity at all, and the verifier (contact_trial_run) agrees. */
static void test_rest_again(void)
{
    bench_random random = bench_random_stream(check_seed(16), 0);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    stand_still(c, trial, random);
    double held[64];
    CHECK(c->problem.contact_count <= 64);
    for (int i = 0; i < c->problem.contact_count; ++i) held[i] = trial->result.contacts[i].normal;
    for (int step = 0; step < 5; ++step) {
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK(trial->result.outcome == ABUT_SOLVED && is_again(trial) && trial->result.pivots == 0);
        CHECK(trial->check.residual <= 1e-10 && trial->result.residual <= 1e-10);
        CHECK(energy(c, trial->result.velocity) == 0.0);
        for (int i = 0; i < c->problem.contact_count; ++i)
            CHECK(trial->result.contacts[i].normal == held[i] && trial->result.contacts[i].slip == 0.0);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Anything that changes more than rounding is solved; bad numbers are refused as ever. */
static void test_rest_disturbed(void)
{
    bench_random random = bench_random_stream(check_seed(17), 0);
    contact_case *c = contact_case_create();
    for (int change = 0; change < 7; ++change) {
        contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
        stand_still(c, trial, random);
        abut_body *top = &c->bodies[c->problem.body_count - 1];
        bool bad = change >= 4;
        if (change == 0) top->force[2] *= 1.0 + 1e-8;
        if (change == 1) top->velocity[0] = 1e-9;
        if (change == 2) c->contacts[0].gap = -1e-11;
        if (change == 3) c->contacts[1].key = 0;
        if (change == 4) c->contacts[0].normal[0] = NAN;
        if (change == 5) top->mass = -1.0;
        if (change == 6) c->contacts[0].friction = INFINITY;
        abut_contact_result result;
        abut_status status = abut_contact_solve(trial->work, &c->problem, &trial->options, &result);
        CHECK_MSG(status == (bad ? ABUT_INVALID_ARGUMENT : ABUT_OK), "change %d: %d", change, (int)status);
        if (!bad) {
            CHECK_MSG(result.outcome == ABUT_SOLVED && strcmp(result.stage, "rest-again") != 0, "change %d",
                      change);
            CHECK(contact_trial_run(trial, &c->problem));
            CHECK(trial->check.residual <= 1e-9);
        }
        contact_trial_destroy(trial);
    }
    contact_case_destroy(c);
}

/* A row of boxes that two walls squeeze, which come nearer whatever happens: there is no answer. In a sequence the next step
 * looks for the proof first. */
static void test_squeezed(void)
{
    enum { BOXES = 6 };
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int b = 0; b < BOXES + 2; ++b)
        contact_case_body(c, 1, (double[3]){0.1, 0.1, 0.1}, (double[3]){b, 0, 0});
    c->bodies[0].kind = c->bodies[BOXES + 1].kind = ABUT_KINEMATIC;
    c->bodies[0].velocity[0] = 1e-3;
    for (int b = 0; b <= BOXES; ++b) {
        for (int corner = 0; corner < 4; ++corner) {
            double point[3] = {b + 0.5, corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5};
            int contact = contact_case_add(c, b + 1, b, 0.5, point, (double[3]){1, 0, 0});
            c->contacts[contact].key = 1 + (uint64_t)contact;
        }
    }
    trial->options.warm = true;
    for (int step = 0; step < 4; ++step) {
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK(trial->result.outcome == ABUT_INFEASIBLE && trial->proven);
        CHECK_MSG(step == 0 || trial->result.pivots == 0, "step %d: %d pivots", step, trial->result.pivots);
    }
    c->bodies[0].velocity[0] = -1e-3; /* and lets go */
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_squeezed);
    RUN(test_rest_again);
    RUN(test_rest_disturbed);
    RUN(test_rounding_is_held);
    RUN(test_cut_short);
    return check_report();
}
