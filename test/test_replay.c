/* A step of a sequence is solved again from a capsule that carries the states of the step before, in a
 * workspace that knows nothing else: the impulses are the same, bit by bit, whichever stage found them. The
 * contacts of most of these scenes are redundant, so that their impulses are not unique.
 *
 * Two stages go by more than states: sparse-hold, and sparse-interior, which resumes from the impulses of the step
 * before. A caller who hands these on as well gets the same bits in any workspace (test_handed_on); without them another
 * of several right answers may come. */
#include "contact_families.h"
#include "contact_io_case.h"
#include "contact_trial.h"
#include <math.h>
#include <string.h>

enum { STEPS = 240, MOST = 256 };

static const double RESIDUAL = 1e-9;

static struct {
    abut_contact_face face[MOST];
    uint64_t key[MOST];
    double impulse[3 * MOST];
    int count;
} before;

/* The states and impulses of the step before, contact by contact as a caller would hand them on. */
static abut_contact_face start[MOST];
static double impulses[3 * MOST];

static void recall(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i) {
        uint64_t key = problem->contacts[i].key;
        int from = key == 0 && i < before.count ? i : -1;
        for (int k = 0; k < before.count && key != 0; ++k)
            if (before.key[k] == key) from = k;
        start[i] = from >= 0 ? before.face[from] : (abut_contact_face){.state = ABUT_NEW};
        for (int axis = 0; axis < 3; ++axis)
            impulses[3 * i + axis] = from >= 0 ? before.impulse[3 * from + axis] : 0.0;
    }
}

static void keep(const contact_case *c, const abut_contact_result *result)
{
    before.count = c->problem.contact_count;
    for (int i = 0; i < before.count; ++i) {
        before.face[i] = result->faces[i];
        before.key[i] = c->contacts[i].key;
        before.impulse[3 * i] = result->contacts[i].normal;
        memcpy(before.impulse + 3 * i + 1, result->contacts[i].tangent, 2 * sizeof(double));
    }
}

static bool same_impulses(const abut_contact_result *a, const abut_contact_result *b, int n)
{
    for (int i = 0; i < n; ++i)
        if (memcmp(&a->contacts[i].normal, &b->contacts[i].normal, sizeof(double)) != 0 ||
            memcmp(a->contacts[i].tangent, b->contacts[i].tangent, 2 * sizeof(double)) != 0)
            return false;
    return true;
}

static bool goes_by_impulses(const char *stage)
{
    return strcmp(stage, "sparse-hold") == 0 || strcmp(stage, "sparse-interior") == 0;
}

/* Problem and states through a capsule (without JSON: as they are) and a new workspace. */
static contact_trial *solve_capsule(const abut_contact_problem *problem)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
#ifdef ABUT_HAVE_JSON
    abut_error error;
    abuti_contact_data data;
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    trial->options.start = start;
    CHECK(abuti_contact_write_capsule(file, problem, &trial->options, &error));
    fclose(file);
    CHECK_MSG(read_contact_string(abuti_contact_read_capsule, bytes, &data, &error), "%s", error.text);
    abut_contact_problem again = abuti_contact_data_problem(&data);
    trial->options.start = data.start;
    CHECK(contact_trial_run(trial, &again));
    abuti_contact_data_release(&data);
    free(bytes);
#else
    trial->options.start = start;
    CHECK(contact_trial_run(trial, problem));
#endif
    trial->options.start = NULL;
    return trial;
}

typedef void (*maker)(contact_case *c, int size, int step, uint64_t seed);

static void replay(const char *name, maker make, int size, uint64_t seed)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    trial->options.warm = true;
    before.count = 0;
    for (int step = 0; step < STEPS; ++step) { /* a workspace that grows later would forget */
        contact_case_clear(c);
        make(c, size, step, seed);
        CHECK(contact_trial_run(trial, &c->problem));
    }
    int checked = 0, mended = 0;
    for (int step = 0; step < STEPS; ++step) {
        contact_case_clear(c);
        make(c, size, step, seed);
        int n = c->problem.contact_count;
        CHECK(!c->failed && n <= MOST && contact_trial_run(trial, &c->problem));
        CHECK(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= RESIDUAL);
        if (step > 0) {
            recall(&c->problem);
            contact_trial *again = solve_capsule(&c->problem);
            CHECK(again->result.outcome == ABUT_SOLVED && again->check.residual <= RESIDUAL);
            bool held = strcmp(trial->result.stage, "sparse-hold") == 0;
            bool free = goes_by_impulses(trial->result.stage);
            CHECK_MSG(held || strcmp(again->result.stage, trial->result.stage) == 0, "%s %d step %d: %s, %s",
                      name, size, step, trial->result.stage, again->result.stage);
            CHECK_MSG(free || same_impulses(&trial->result, &again->result, n),
                      "%s %d step %d by %s: other impulses", name, size, step, trial->result.stage);
            bool kept = held || strcmp(trial->result.stage, "faces-check") == 0 ||
                        strcmp(trial->result.stage, "rest") == 0;
            checked += kept;
            mended += !kept;
            contact_trial_destroy(again);
        }
        keep(c, &trial->result);
    }
    printf("       %-14s %2d: %d steps checked, %d mended\n", name, size, checked, mended);
    CHECK(checked > 0);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

static void test_sequences(void)
{
    uint64_t seed = check_seed(20261115);
    for (int s = 0; s < contact_sequence_count; ++s)
        for (int k = 0; contact_sequences[s].sizes[k] != 0; ++k)
            replay(contact_sequences[s].name, contact_sequences[s].make, contact_sequences[s].sizes[k], seed);
}

/* Nothing but the push changes: what a workspace keeps of the last step must not show. */
static void pushed_stack(contact_case *c, int m, int step, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, 0);
    contact_make_stack(c, m, &random);
    double *force = c->bodies[m - 1].force;
    force[0] = 1.5 * sin(0.02 * step);
    force[1] = 0.8 * sin(0.013 * step);
    force[5] = 0.02 * sin(0.05 * step);
}

static void test_still_geometry(void)
{
    uint64_t seed = check_seed(5);
    for (int m = 1; m <= 4; ++m) replay("pushed-stack", pushed_stack, m, seed);
}

/* Two contacts of the four between bodies: their slots leave gaps, for which a workspace without spare room
 * has no place. */
static void half_a_stack(contact_case *c, int m, int step, uint64_t seed)
{
    pushed_stack(c, m, step, seed);
    int kept = 0;
    for (int i = 0; i < c->problem.contact_count; ++i)
        if (i % 4 < 2) c->contacts[kept++] = c->contacts[i];
    c->problem.contact_count = kept;
}

/* A capsule is read into a workspace of its size; the step was solved in one with room for more. */
static void test_spare_room(void)
{
    uint64_t seed = check_seed(6);
    for (int m = 2; m <= 12; ++m) {
        contact_case *c = contact_case_create();
        contact_trial *first = contact_trial_create(ABUT_SOLVER_AUTO, false), *again[2];
        first->options.warm = true;
        half_a_stack(c, m, 0, seed);
        CHECK(!c->failed && contact_trial_run(first, &c->problem));
        CHECK(first->result.outcome == ABUT_SOLVED && first->check.residual <= RESIDUAL);
        contact_case_clear(c);
        half_a_stack(c, m, 1, seed);
        for (int k = 0; k < 2; ++k) {
            again[k] = contact_trial_create(ABUT_SOLVER_AUTO, false);
            if (k == 1) again[k]->limits.contacts = MOST;
            again[k]->options.start = first->result.faces;
            CHECK(contact_trial_run(again[k], &c->problem));
            CHECK(again[k]->result.outcome == ABUT_SOLVED && again[k]->check.residual <= RESIDUAL);
        }
        CHECK_MSG(
            memcmp(again[0]->result.velocity, again[1]->result.velocity, 6 * (size_t)m * sizeof(double)) == 0,
            "%d bodies: spare room shows in the answer", m);
        for (int k = 0; k < 2; ++k) contact_trial_destroy(again[k]);
        contact_trial_destroy(first);
        contact_case_destroy(c);
    }
}

/* States and impulses handed on by the caller: a workspace that has seen all steps and one that has seen none come to the
 * same bits. */
static void hand_on(const contact_sequence *sequence, int size, uint64_t seed)
{
    contact_case *c = contact_case_create();
    contact_trial *long_lived = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int held = 0;
    before.count = 0;
    for (int step = 0; step < 60; ++step) {
        contact_trial *fresh = contact_trial_create(ABUT_SOLVER_AUTO, false);
        contact_case_clear(c);
        sequence->make(c, size, step, seed);
        int n = c->problem.contact_count;
        recall(&c->problem);
        contact_trial *both[2] = {long_lived, fresh};
        for (int k = 0; k < 2; ++k) {
            both[k]->options.start = step > 0 ? start : NULL;
            both[k]->options.start_impulses = step > 0 ? impulses : NULL;
            CHECK(n <= MOST && contact_trial_run(both[k], &c->problem));
            CHECK(both[k]->result.outcome == ABUT_SOLVED && both[k]->check.residual <= RESIDUAL);
        }
        CHECK_MSG(same_impulses(&fresh->result, &long_lived->result, n), "%s %d step %d by %s and %s",
                  sequence->name, size, step, fresh->result.stage, long_lived->result.stage);
        held += strcmp(fresh->result.stage, "sparse-hold") == 0;
        keep(c, &fresh->result);
        contact_trial_destroy(fresh);
    }
    printf("       %-14s %2d: %d steps held\n", sequence->name, size, held);
    contact_trial_destroy(long_lived);
    contact_case_destroy(c);
}

static void test_handed_on(void)
{
    uint64_t seed = check_seed(7);
    for (int s = 0; s < contact_sequence_count; ++s)
        for (int k = 0; contact_sequences[s].sizes[k] != 0; ++k)
            hand_on(&contact_sequences[s], contact_sequences[s].sizes[k], seed);
}

int main(void)
{
    RUN(test_sequences);
    RUN(test_handed_on);
    RUN(test_still_geometry);
    RUN(test_spare_room);
    return check_report();
}
