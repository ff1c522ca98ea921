/* Sweeps (system/sweeps.h) against answers that the verifier has accepted: what is an answer does not change, and what lies
 * near one comes nearer, whatever the states are. */
#include "check.h"
#include "contact/build/build.h"
#include "contact/system/sweeps.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "dense.h"
#include <math.h>

enum { BODIES = 16, CONTACTS = 160, LANES = 160, SPACE = 8 * (BODIES + 1) };

static struct {
    abuti_islands islands;
    abuti_build build;
    double theta[LANES], f[2][LANES], v[SPACE];
    abut_contact_face face[LANES];
} bed;

static void lay_out(abuti_arena *arena)
{
    static const abut_contact_limits limits = {.bodies = BODIES, .contacts = CONTACTS, .directions = 8};
    abuti_islands_layout(&bed.islands, arena, &limits);
    abuti_build_layout(&bed.build, arena, &limits);
}

/* The impulses of an answer in the system's units, each off by a share of at most `off`. */
static abuti_answer take(const abut_contact_result *result, double off, bench_random *random)
{
    const abuti_system *s = &bed.build.system;
    for (int lane = 0; lane < s->n; ++lane) {
        const abut_contact_answer *a = &result->contacts[s->index[lane]];
        double by = (1.0 + bench_uniform(random, -off, off)) / (s->unit * s->row_scale[lane]);
        bed.theta[lane] = a->normal * by;
        bed.f[0][lane] = a->tangent[0] * by;
        bed.f[1][lane] = a->tangent[1] * by;
    }
    return (abuti_answer){.theta = bed.theta, .f = {bed.f[0], bed.f[1]}, .face = bed.face};
}

static void test_answers_stay(void)
{
    static const char *const families[] = {"pegs", "stacks", "towers", "walls"};
    uint64_t seed = check_seed(15);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    abuti_arena arena;
    DENSE_LAYOUT(lay_out(&arena), arena);
    int tried = 0;
    for (int i = 0; i < 200; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(contact_family_find(families[i % 4]), 4, &random, c));
        abuti_islands_find(&bed.islands, &c->problem);
        if (bed.islands.count != 1 || c->problem.contact_count > CONTACTS || c->problem.body_count > BODIES)
            continue;
        CHECK_EQ_INT(abuti_build_bodies(&bed.build, &c->problem, &bed.islands, bed.islands.island), ABUT_OK);
        CHECK(contact_trial_run(trial, &c->problem));
        if (trial->result.outcome != ABUT_SOLVED) continue;
        tried++;
        abuti_answer x = take(&trial->result, 0.0, &random);
        abuti_sweeps_begin(&bed.build.system, &x, bed.v);
        CHECK_NEAR(abuti_sweep(&bed.build.system, &x, bed.v), 0.0, 1e-9);
        x = take(&trial->result, 1e-6, &random);
        abuti_sweeps_begin(&bed.build.system, &x, bed.v);
        double first = abuti_sweep(&bed.build.system, &x, bed.v), last = first;
        for (int k = 0; k < 400; ++k) last = abuti_sweep(&bed.build.system, &x, bed.v);
        CHECK_MSG(last <= 0.1 * first + 1e-12, "%s %d: %g became %g", families[i % 4], i, first, last);
        abuti_sweeps_name_states(&bed.build.system, &x);
        for (int lane = 0; lane < bed.build.system.n; ++lane) {
            const double f[2] = {bed.f[0][lane], bed.f[1][lane]};
            double limit = bed.build.system.mu[lane] * bed.theta[lane];
            CHECK(bed.theta[lane] >= 0.0 &&
                  abuti_cone_norm(&bed.build.system, lane, f) <= limit * (1.0 + 1e-12));
            CHECK((bed.face[lane].state == ABUT_OPEN) == (bed.theta[lane] == 0.0));
        }
    }
    CHECK_MSG(tried >= 150, "%d tried", tried);
    dense_free(arena.base);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_answers_stay);
    return check_report();
}
