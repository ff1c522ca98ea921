/* abut bench lloyd: the experiments of Lloyd 2005, section 5.4, and beyond.
 *
 *     peg      Fig. 5, 6: a peg in a hole, n = 8 .. 32; beyond the paper to n = 256
 *     single   Fig. 7, 8: ten situations of one body, n = 1 .. 16
 *     stack    Fig. 10: ten stacks, m = 1 .. 5 blocks, n = 4 .. 32
 *     tower    beyond: stacks of m blocks with four contacts each, to m = 50
 *
 * 20 random wrenches each, d = 8, friction 0.2 .. 0.3; `lemke` is the paper's standard method, `structural`
 * and `reduced` its own two, `faces` ours. Each solver stands alone. Times are those of the whole call,
 * building and verifying included; all problems of a row are made first and each is solved once a round, in an
 * order that starts elsewhere in each round, so that no call finds its own problem in the caches. Every answer
 * is judged by an own call of the verifier. */
#include "bench.h"
#include "contact_families.h"
#include "contact_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_lloyd(bench *b);

/* Every answer must be this good. */
static const double residual_wanted = 1e-10;

/* The problems of a row are solved in so many rounds, or in as many as fit into this time. */
enum { ROUNDS = 5 };
static const double patience_us = 4e6;

/* A row has the paper's 20 problems, or fewer where one call takes a second or more. */
enum { USUAL_COUNT = 20, SLOW_COUNT = 3 };

static const abut_contact_solver methods[] = {ABUT_SOLVER_LEMKE, ABUT_SOLVER_STRUCTURAL, ABUT_SOLVER_REDUCED,
                                              ABUT_SOLVER_FACES};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct experiment {
    bench *b;
    void (*make)(contact_case *c, int parameter, bench_random *random);
    const char *name;
    int parameter; /* of make */
    int size;      /* of the row */
    int bodies;    /* a further column */
} experiment;

/* The problems of a row. */
static contact_case **make_all(const experiment *e, int count)
{
    contact_case **all = calloc((size_t)count, sizeof *all);
    for (int i = 0; i < count && all; ++i) {
        bench_random random = bench_random_stream(e->b->seed, (uint64_t)(1000 * e->parameter + i));
        all[i] = contact_case_create();
        if (!all[i]) break;
        e->make(all[i], e->parameter, &random);
        e->b->failed |= all[i]->failed;
    }
    return all && all[count - 1] ? all : NULL;
}

static void one_row(experiment *e, abut_contact_solver solver, int usual)
{
    bench *b = e->b;
    int count = bench_count(b, usual);
    contact_trial *trial = contact_trial_create(solver, true);
    contact_case **all = make_all(e, count);
    if (!trial || !all) {
        b->failed = true;
        return;
    }
    trial->options.tolerance = residual_wanted;
    bench_series series = bench_begin(b, e->name, e->size, abut_contact_solver_name(solver));
    double spent = 0;
    for (int at = 0; at < ROUNDS * count && (at % count != 0 || spent < patience_us); ++at) {
        bool right = contact_trial_run(trial, &all[bench_rotated(at, count, ROUNDS)]->problem) &&
                     trial->result.outcome == ABUT_SOLVED && trial->check.residual <= residual_wanted;
        bench_add(&series, trial->us, right, trial->check.residual, trial->result.pivots);
        spent += trial->us;
    }
    bench_row *row = bench_end(b, &series);
    bench_extra(row, "bodies", e->bodies);
    for (int i = 0; i < count; ++i) contact_case_destroy(all[i]);
    free(all);
    contact_trial_destroy(trial);
}

/* All methods on one problem size; the dense one as far as it is asked to go. */
static void all_methods(experiment *e, int contacts)
{
    int rows = contacts * (2 + ABUT_DIRECTIONS_DEFAULT);
    for (int k = 0; k < METHODS; ++k) {
        bool dense = methods[k] == ABUT_SOLVER_LEMKE;
        if (dense && rows > ABUT_DENSE_MAX) continue;
        bool slow = (dense && rows > 700) || (methods[k] != ABUT_SOLVER_FACES && e->bodies > 14);
        one_row(e, methods[k], slow ? SLOW_COUNT : USUAL_COUNT);
    }
}

static void run_experiments(experiment *e)
{
    e->name = "peg";
    e->make = contact_make_peg;
    e->bodies = 1;
    static const int pegs[] = {8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128, 192, 256};
    for (size_t i = 0; i < sizeof pegs / sizeof pegs[0]; ++i) {
        e->parameter = e->size = pegs[i];
        all_methods(e, pegs[i]);
    }
    e->name = "single";
    e->make = contact_make_single;
    for (int k = 1; k <= CONTACT_SITUATIONS; ++k) {
        e->parameter = k;
        e->size = contact_situation_contacts(k);
        all_methods(e, e->size);
    }
    e->name = "stack";
    e->make = contact_make_stack_lloyd;
    for (int k = 1; k <= CONTACT_STACKS; ++k) {
        e->parameter = k;
        e->size = contact_stack_contacts(k);
        e->bodies = contact_stack_bodies(k);
        all_methods(e, e->size);
    }
    e->name = "tower";
    e->make = contact_make_stack;
    static const int towers[] = {1, 2, 3, 5, 7, 10, 14, 20, 30, 50};
    for (size_t i = 0; i < sizeof towers / sizeof towers[0]; ++i) {
        e->parameter = e->size = e->bodies = towers[i];
        all_methods(e, 4 * towers[i]);
    }
}

/* ------------------------------------------------------------------------------------------------
 * What the paper printed, and what we promised */

static double p50_of(const bench *b, const char *family, int size, int bodies, const char *solver)
{
    for (int i = 0; i < b->row_count; ++i) {
        const bench_row *row = &b->rows[i];
        if (strcmp(row->family, family) == 0 && strcmp(row->solver, solver) == 0 && row->size == size &&
            (int)row->extra[0].value == bodies)
            return row->p50_us;
    }
    return NAN;
}

static const char *met(bool yes)
{
    return yes ? "met" : "not met";
}

static void compare_with_paper(bench *b)
{
    static const struct {
        const char *solver;
        double peg[2], single[2], stack[2]; /* ms on a 1 GHz Pentium III-M */
    } paper[] = {{"lemke", {6.18, 400.75}, {5.2, 50.9}, {2.1, 2136}},
                 {"structural", {2.55, 26.63}, {2.1, 12.5}, {1.45, 224}},
                 {"reduced", {1.08, 4.58}, {0.57, 1.34}, {1.32, 96}}};
    bench_note(b, "us here | ms in the paper (Java, 1 GHz Pentium III-M); means there, medians here");
    for (size_t k = 0; k < sizeof paper / sizeof paper[0]; ++k) {
        const char *s = paper[k].solver;
        bench_note(
            b,
            "%-10s peg 8 to 32: %.1f to %.1f | %.2f to %.2f; single 8 to 16: %.1f to %.1f | %.2f to %.2f; "
            "stack 1 to 5: %.1f to %.1f | %.2f to %.0f",
            s, p50_of(b, "peg", 8, 1, s), p50_of(b, "peg", 32, 1, s), paper[k].peg[0], paper[k].peg[1],
            p50_of(b, "single", 8, 1, s), p50_of(b, "single", 16, 1, s), paper[k].single[0],
            paper[k].single[1], p50_of(b, "stack", 4, 1, s), p50_of(b, "stack", 32, 5, s), paper[k].stack[0],
            paper[k].stack[1]);
    }
}

static void compare_with_goals(bench *b)
{
    static const struct {
        const char *solver;
        double exponent, yardsticks;
    } goals[] = {{"lemke", 3.1, 270}, {"structural", 2.0, 40}, {"reduced", 1.0, 2.4}};
    for (size_t k = 0; k < sizeof goals / sizeof goals[0]; ++k) {
        const char *s = goals[k].solver;
        double e = bench_exponent(b, "peg", s, 8, 32), y = p50_of(b, "peg", 32, 1, s) / b->yardstick_us;
        bench_note(
            b, "goal %-10s exponent 8 to 32 at most %.1f: %.2f, %s; peg 32 at most %g yardsticks: %.3g, %s",
            s, goals[k].exponent, e, met(e <= goals[k].exponent), goals[k].yardsticks, y,
            met(y <= goals[k].yardsticks));
    }
    double y = p50_of(b, "tower", 5, 5, "reduced") / b->yardstick_us;
    bench_note(b, "goal reduced    tower of 5 at most 20 yardsticks: %.3g, %s", y, met(y <= 20));
    bench_note(b, "faces      exponent 8 to 64: %.2f; peg 32 %.3g yardsticks; tower of 5 %.3g yardsticks",
               bench_exponent(b, "peg", "faces", 8, 64), p50_of(b, "peg", 32, 1, "faces") / b->yardstick_us,
               p50_of(b, "tower", 5, 5, "faces") / b->yardstick_us);
}

void bench_run_lloyd(bench *b)
{
    experiment e = {.b = b};
    run_experiments(&e);
    compare_with_paper(b);
    compare_with_goals(b);
}
