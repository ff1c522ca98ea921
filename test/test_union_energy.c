/* Which of several answers of unions is given: one that adds no energy, where there is one. */
#include "abut/planar.h"
#include "check.h"
#include "contact_trial.h"
#include "random.h"
#include <math.h>

static double energy_of(const abut_body *body, const double *v)
{
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia[2] * v[5] * v[5]);
}

static bool is_inside(const abut_polygon *p, const double *q)
{
    bool in = false;
    for (int i = 0; i < p->count; ++i) {
        const double *a = p->at[i], *e = p->at[(i + 1) % p->count];
        if ((a[1] > q[1]) == (e[1] > q[1])) continue;
        double right = (e[0] - a[0]) * (q[1] - a[1]) - (q[0] - a[0]) * (e[1] - a[1]);
        if ((e[1] > a[1]) == (right > 0.0)) in = !in;
    }
    return in;
}

/* A vertex of one lies in the other. */
static bool overlap(const abut_polygon *a, const abut_polygon *b)
{
    for (int i = 0; i < a->count; ++i)
        if (is_inside(b, a->at[i])) return true;
    for (int i = 0; i < b->count; ++i)
        if (is_inside(a, b->at[i])) return true;
    return false;
}

/* A box thrown at a star, step 0.01: wherever an answer adds no energy to the free motion (those of `energy` tell),
 * the first one adds none either. */
static void test_star(void)
{
    uint64_t seed = check_seed(74);
    const double pi = acos(-1), step = 0.01, gravity = 9.81;
    double star[10][2];
    for (int i = 0; i < 10; ++i) {
        star[i][0] = (i % 2 ? 0.4 : 1) * cos(pi * i / 5);
        star[i][1] = (i % 2 ? 0.4 : 1) * sin(pi * i / 5);
    }
    abut_polygon obstacle = {10, (const double(*)[2])star};
    int touched = 0;
    for (int k = 0; touched < 250; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        double r = bench_uniform(&random, 0.05, 0.25), turn = bench_uniform(&random, -pi, pi), box[4][2];
        abut_body body = {.mass = 1, .inertia = {1, 1, r * r / 3}, .force = {0, -gravity}};
        for (int i = 0; i < 2; ++i) body.com[i] = bench_uniform(&random, -1.3, 1.3);
        for (int i = 0; i < 2; ++i) body.velocity[i] = bench_uniform(&random, -20, 20);
        body.velocity[5] = bench_uniform(&random, -5, 5);
        for (int i = 0; i < 4; ++i) {
            box[i][0] = body.com[0] + r * cos(turn + (i + 0.5) * pi / 2);
            box[i][1] = body.com[1] + r * sin(turn + (i + 0.5) * pi / 2);
        }
        abut_polygon moving = {4, (const double(*)[2])box};
        abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.2, .first_group = 1};
        abut_contact contacts[64];
        abut_contact_problem problem = {
            .model = ABUT_FRICTIONLESS, .step = step, .contacts = contacts, .body_count = 1, .bodies = &body};
        CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, contacts, 64, &problem.contact_count),
                     ABUT_OK);
        if (problem.contact_count == 0 || overlap(&moving, &obstacle)) continue;
        double energy[2], all = 0;
        for (int prefer = 0; prefer < 2; ++prefer) {
            contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
            trial->options.unions.prefer = (abut_union_prefer)prefer;
            CHECK(contact_trial_run(trial, &problem));
            CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
            CHECK(trial->check.residual <= 1e-9);
            energy[prefer] = trial->result.velocity ? energy_of(&body, trial->result.velocity) : NAN;
            for (int i = 0; i < problem.contact_count && trial->result.contacts; ++i)
                all += trial->result.contacts[i].normal;
            contact_trial_destroy(trial);
        }
        body.velocity[1] -= step * gravity;
        double most = energy_of(&body, body.velocity) * (1 + 1e-9);
        touched += all > 0;
        CHECK_MSG(energy[1] <= energy[0] * (1 + 1e-9) && (energy[0] <= most || energy[1] > most),
                  "throw %d: %g J before, %g J by the first answer, %g J by the least", k, most, energy[0],
                  energy[1]);
    }
}

int main(void)
{
    RUN(test_star);
    return check_report();
}
