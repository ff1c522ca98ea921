/* A step of a sequence is solved again from a capsule that carries the states of the step before, in a
 * workspace that knows nothing else: the impulses are the same, bit by bit, whichever stage found them. The
 * contacts of most of these scenes are redundant, so that their impulses are not unique. */
#include "contact_families.h"
#include "contact_io_case.h"
#include "contact_trial.h"
#include <string.h>

enum { STEPS = 240, MOST = 256 };

static const double RESIDUAL = 1e-9;

static struct {
    abut_contact_face face[MOST];
    uint64_t key[MOST];
    int count;
} before;

/* The states of the step before, contact by contact as a caller would hand them on. */
static const abut_contact_face *states_before(const abut_contact_problem *problem)
{
    static abut_contact_face start[MOST];
    for (int i = 0; i < problem->contact_count; i++) {
        start[i] = (abut_contact_face){.state = ABUT_NEW};
        uint64_t key = problem->contacts[i].key;
        if (key == 0 && i < before.count) start[i] = before.face[i];
        for (int k = 0; k < before.count && key != 0; k++)
            if (before.key[k] == key) start[i] = before.face[k];
    }
    return start;
}

/* Problem and states through a capsule (without JSON: as they are) and a new workspace. */
static contact_trial *solve_capsule(const abut_contact_problem *problem, const abut_contact_face *start)
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
    for (int step = 0; step < STEPS; step++) { /* a workspace that grows later would forget */
        contact_case_clear(c);
        make(c, size, step, seed);
        CHECK(contact_trial_run(trial, &c->problem));
    }
    int checked = 0, mended = 0;
    for (int step = 0; step < STEPS; step++) {
        contact_case_clear(c);
        make(c, size, step, seed);
        int n = c->problem.contact_count;
        CHECK(!c->failed && n <= MOST && contact_trial_run(trial, &c->problem));
        CHECK(trial->result.outcome == ABUT_SOLVED && trial->check.residual <= RESIDUAL);
        if (step > 0) {
            contact_trial *again = solve_capsule(&c->problem, states_before(&c->problem));
            CHECK(again->result.outcome == ABUT_SOLVED && again->check.residual <= RESIDUAL);
            CHECK_MSG(strcmp(again->result.stage, trial->result.stage) == 0, "%s %d step %d: %s, %s", name,
                      size, step, trial->result.stage, again->result.stage);
            bool same = true;
            for (int i = 0; i < n; i++) {
                const abut_contact_answer *a = &trial->result.contacts[i], *b = &again->result.contacts[i];
                same = same && memcmp(&a->normal, &b->normal, sizeof(double)) == 0 &&
                       memcmp(a->tangent, b->tangent, sizeof a->tangent) == 0;
            }
            CHECK_MSG(same, "%s %d step %d by %s: other impulses", name, size, step, trial->result.stage);
            bool kept =
                strcmp(trial->result.stage, "faces-check") == 0 || strcmp(trial->result.stage, "rest") == 0;
            checked += kept;
            mended += !kept;
            contact_trial_destroy(again);
        }
        for (int i = 0; i < n; i++) {
            before.face[i] = trial->result.faces[i];
            before.key[i] = c->contacts[i].key;
        }
        before.count = n;
    }
    printf("       %-14s %2d: %d steps checked, %d mended\n", name, size, checked, mended);
    CHECK(checked > 0);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

static void test_sequences(void)
{
    uint64_t seed = check_seed(20261115);
    for (int s = 0; s < contact_sequence_count; s++)
        for (int k = 0; contact_sequences[s].sizes[k] != 0; k++)
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
    for (int m = 1; m <= 4; m++) replay("pushed-stack", pushed_stack, m, seed);
}

/* Two contacts of the four between bodies: their slots leave gaps, for which a workspace without spare room
 * has no place. */
static void half_a_stack(contact_case *c, int m, int step, uint64_t seed)
{
    pushed_stack(c, m, step, seed);
    int kept = 0;
    for (int i = 0; i < c->problem.contact_count; i++)
        if (i % 4 < 2) c->contacts[kept++] = c->contacts[i];
    c->problem.contact_count = kept;
}

/* A capsule is read into a workspace of its size; the step was solved in one with room for more. */
static void test_spare_room(void)
{
    uint64_t seed = check_seed(6);
    for (int m = 2; m <= 12; m++) {
        contact_case *c = contact_case_create();
        contact_trial *first = contact_trial_create(ABUT_SOLVER_AUTO, false), *again[2];
        first->options.warm = true;
        half_a_stack(c, m, 0, seed);
        CHECK(!c->failed && contact_trial_run(first, &c->problem));
        CHECK(first->result.outcome == ABUT_SOLVED && first->check.residual <= RESIDUAL);
        contact_case_clear(c);
        half_a_stack(c, m, 1, seed);
        for (int k = 0; k < 2; k++) {
            again[k] = contact_trial_create(ABUT_SOLVER_AUTO, false);
            if (k == 1) again[k]->limits.contacts = MOST;
            again[k]->options.start = first->result.faces;
            CHECK(contact_trial_run(again[k], &c->problem));
            CHECK(again[k]->result.outcome == ABUT_SOLVED && again[k]->check.residual <= RESIDUAL);
        }
        CHECK_MSG(
            memcmp(again[0]->result.velocity, again[1]->result.velocity, 6 * (size_t)m * sizeof(double)) == 0,
            "%d bodies: spare room shows in the answer", m);
        for (int k = 0; k < 2; k++) contact_trial_destroy(again[k]);
        contact_trial_destroy(first);
        contact_case_destroy(c);
    }
}

int main(void)
{
    RUN(test_sequences);
    RUN(test_still_geometry);
    RUN(test_spare_room);
    return check_report();
}
