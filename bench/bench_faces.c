/* abut bench faces: the default solver on the problems of `bench lloyd`, cold and over sequences of steps.
 *
 *     peg, tower         cold: time against contacts and against bodies
 *     wall, gravity      walls of bricks; stacks under gravity alone
 *     directions         the same pegs with 8 and with 32 directions
 *     turning-peg, ...   10,000 steps at 1 kHz with moving geometry, started from the states of the last step
 *
 * Cold: all problems of a row are made first, and each is solved once a round, in an order that starts elsewhere
 * in each round; so no call finds its own problem in the caches.
 *
 * Columns: the time of the whole call (p50_us, p99_us); the times of its three parts, which are building the
 * system, solving, and verifying (impulses and velocities in the caller's units, and the judgement), each run apart
 * under its own clock; all four in yardsticks; and the share of problems that each stage answered. Every answer is
 * judged by an own call of the verifier. Every goal of the solver has its line under the table. */
#include "base/arena.h"
#include "bench.h"
#include "contact/build/build.h"
#include "contact/build/unscale.h"
#include "contact/faces/faces.h"
#include "contact/rest/rest.h"
#include "contact/verify/verify.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "timer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_faces(bench *b);

static const double residual_wanted = 1e-10;

enum { USUAL_COUNT = 200, ROUNDS = 3, SEQUENCE_STEPS = 10000 };

/* The parts of a call, run apart: what the front does for a problem that is one island. */
typedef struct parts {
    abuti_islands islands;
    abuti_build build;
    abuti_joint_space joint_space;
    abuti_answer answer;
    abuti_outputs outputs;
    double *verify_scratch;
    void *scratch, *rest_scratch;
    void *memory;
    size_t size;
    abut_contact_limits limits;
    abut_contact_face *start; /* [contact]: where a warm step starts */
    abut_contact_face *last;  /* [lane]: the states in which the step before ended */
    uint64_t *last_key;       /* [lane]: the names of their contacts (name_of) */
    int last_count;
} parts;

static void lay_out(parts *p, abuti_arena *arena)
{
    size_t lanes = (size_t)abuti_padded(p->limits.contacts);
    abuti_islands_layout(&p->islands, arena, &p->limits);
    abuti_build_layout(&p->build, arena, &p->limits);
    abuti_joint_space_layout(&p->joint_space, arena, &p->limits, false);
    abuti_outputs_layout(&p->outputs, arena, &p->limits);
    abut_contact_problem largest = {
        .contact_count = p->limits.contacts, .joint_count = p->limits.joints, .body_count = p->limits.bodies};
    p->verify_scratch = abuti_take(arena, abut_contact_verify_size(&largest), double);
    p->answer.theta = abuti_take(arena, lanes, double);
    p->answer.f[0] = abuti_take(arena, lanes, double);
    p->answer.f[1] = abuti_take(arena, lanes, double);
    p->answer.joint = abuti_take(arena, p->limits.joints + 1, double);
    p->answer.face = abuti_take(arena, lanes, abut_contact_face);
    p->answer.ray = abuti_take(arena, 3 * lanes, double);
    p->answer.glued = abuti_take(arena, lanes, bool);
    p->scratch = abuti_faces_family.layout(arena, &p->limits);
    p->rest_scratch = abuti_rest_family.layout(arena, &p->limits);
    p->start = abuti_take(arena, lanes, abut_contact_face);
    p->last = abuti_take(arena, lanes, abut_contact_face);
    p->last_key = abuti_take(arena, lanes, uint64_t);
}

static bool parts_open(parts *p, const abut_contact_limits *limits)
{
    *p = (parts){.limits = *limits};
    abuti_arena arena = {0};
    lay_out(p, &arena);
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    p->size = arena.used;
    p->memory = abuti_allocate(&allocator, p->size);
    if (!p->memory) return false;
    arena = (abuti_arena){.base = p->memory, .capacity = p->size};
    lay_out(p, &arena);
    return true;
}

static void parts_close(parts *p)
{
    abut_allocator allocator = abuti_allocator_or_default(NULL);
    if (p->memory) abuti_release(&allocator, p->memory, p->size);
}

static void clear_answer(parts *p)
{
    size_t lanes = (size_t)abuti_padded(p->limits.contacts);
    memset(p->answer.theta, 0, lanes * sizeof(double));
    memset(p->answer.f[0], 0, lanes * sizeof(double));
    memset(p->answer.f[1], 0, lanes * sizeof(double));
    memset(p->answer.face, 0, lanes * sizeof(abut_contact_face));
    p->answer.pivots = 0;
}

/* The name of a contact of the system: its key, or its index when it has none. */
static uint64_t name_of(const parts *p, const abut_contact_problem *problem, int lane)
{
    int index = p->build.system.index[lane];
    return problem->contacts[index].key ? problem->contacts[index].key : (uint64_t)index;
}

/* The states of the step before, by key; those of one island are in the order of its contacts. */
static const abut_contact_face *states_before(parts *p, const abut_contact_problem *problem)
{
    const abuti_system *s = &p->build.system;
    for (int i = 0; i < s->lanes; ++i) {
        p->start[i] = (abut_contact_face){0};
        for (int k = 0; i < s->n && k < p->last_count; ++k) {
            int at = (i + k) % p->last_count;
            if (p->last_key[at] != name_of(p, problem, i)) continue;
            p->start[i] = p->last[at];
            break;
        }
    }
    return p->last_count > 0 ? p->start : NULL;
}

/* What each part took. */
typedef struct part_times {
    double build, solve, verify;
} part_times;

/* Builds, solves and verifies as the front would, each under its own clock. */
static part_times run_parts(parts *p, const abut_contact_problem *problem, bool warm)
{
    part_times us;
    static const abuti_stage *const stages[] = {&abuti_faces_check,    &abuti_faces_mend, &abuti_faces_greedy,
                                                &abuti_faces_interior, &abuti_faces_path, &abuti_faces_cover};
    abut_contact_options options = abut_contact_default_options();
    abuti_stage_context context = {.options = &options, .pivots_left = INT_MAX, .deadline = INFINITY};
    double begin = bench_now_us();
    abuti_islands_find(&p->islands, problem);
    abuti_build_bodies(&p->build, problem, &p->islands, &p->islands.island[0]);
    us.build = bench_now_us() - begin;
    options.warm = warm;
    context.start = warm ? states_before(p, problem) : NULL;
    abut_outcome outcome = ABUT_FAILED;
    bool ran = false;
    begin = bench_now_us();
    if (!context.start && abuti_rest_one_surrounded(&p->build.system)) {
        clear_answer(p);
        outcome = abuti_stage_rest_quick.run(&p->build.system, p->rest_scratch, &context, &p->answer);
    }
    for (int k = 0; k < 5 && outcome != ABUT_SOLVED; ++k) {
        if (stages[k]->needs_start && !context.start) continue;
        clear_answer(p);
        context.continued = ran;
        ran = true;
        outcome = stages[k]->run(&p->build.system, p->scratch, &context, &p->answer);
    }
    us.solve = bench_now_us() - begin;
    abut_contact_check check;
    const abuti_system *system =
        abuti_joints_prepare(&p->joint_space, &p->build, options.joint_rows); /* without joints: the same */
    begin = bench_now_us();
    abuti_unscale(&p->build, &p->joint_space, system, &p->answer, problem, &p->islands.island[0],
                  &p->outputs);
    abuti_verify_island(problem, &options, &p->islands.island[0], p->outputs.impulses, p->outputs.joints,
                        p->outputs.velocity, p->verify_scratch, &check);
    us.verify = bench_now_us() - begin;
    p->last_count = outcome == ABUT_SOLVED ? p->build.system.n : 0;
    for (int i = 0; i < p->last_count; ++i) {
        p->last[i] = p->answer.face[i];
        p->last_key[i] = name_of(p, problem, i);
    }
    return us;
}

static double median(double *values, int count)
{
    return bench_quantile(values, count, 0.5);
}

/* The stages, and the columns of their shares; the last are those that faces leaves the rest to. */
enum { STAGES = 9 };
static const struct {
    const char *stage, *column;
} stage_names[STAGES] = {
    {"faces-check", "check_share"},       {"faces-mend", "mend_share"}, {"faces-greedy", "greedy_share"},
    {"faces-interior", "interior_share"}, {"faces-path", "path_share"}, {"faces-cover", "cover_share"},
    {"rest-quick", "rest_quick_share"},   {"rest", "rest_share"},       {"", "others_share"}};

/* What one row collects beside the series. */
typedef struct columns {
    double *build, *solve, *verify;
    int count, answered[STAGES]; /* in the order of stage_names */
    parts parts;
    bool open;
} columns;

static void columns_free(columns *k)
{
    free(k->build);
    free(k->solve);
    free(k->verify);
    if (k->open) parts_close(&k->parts);
}

static bool columns_begin(columns *k, int count)
{
    *k = (columns){.build = calloc((size_t)count, sizeof(double)),
                   .solve = calloc((size_t)count, sizeof(double)),
                   .verify = calloc((size_t)count, sizeof(double))};
    return k->build && k->solve && k->verify;
}

/* Adds one problem: the parts apart. */
static bool columns_add(columns *k, const abut_contact_problem *problem, const contact_trial *trial,
                        bool warm)
{
    abut_contact_limits limits = trial->limits;
    bool fits = k->open && k->parts.limits.contacts >= problem->contact_count &&
                k->parts.limits.bodies >= problem->body_count;
    if (!fits) {
        if (k->open) parts_close(&k->parts);
        k->open = parts_open(&k->parts, &limits);
        if (!k->open) return false;
    }
    part_times us = run_parts(&k->parts, problem, warm);
    k->build[k->count] = us.build;
    k->solve[k->count] = us.solve;
    k->verify[k->count++] = us.verify;
    const char *stage = trial->result.stage ? trial->result.stage : "";
    int at = 0;
    while (at < STAGES - 1 && strncmp(stage, stage_names[at].stage, strlen(stage_names[at].stage)) != 0) at++;
    k->answered[at]++;
    return true;
}

static void columns_end(columns *k, bench *b, bench_row *row, int bodies)
{
    double build = median(k->build, k->count), verify = median(k->verify, k->count);
    double solve = median(k->solve, k->count); /* sorts them */
    bench_extra(row, "bodies", bodies);
    bench_extra(row, "build_us", build);
    bench_extra(row, "solve_us", solve);
    bench_extra(row, "solve_p99_us", k->count > 0 ? k->solve[(int)ceil(0.99 * k->count) - 1] : NAN);
    bench_extra(row, "verify_us", verify);
    bench_extra(row, "build_yardsticks", build / b->yardstick_us);
    bench_extra(row, "solve_yardsticks", solve / b->yardstick_us);
    bench_extra(row, "verify_yardsticks", verify / b->yardstick_us);
    bench_extra(row, "p50_yardsticks", row->p50_us / b->yardstick_us);
    for (int at = 0; at < STAGES; ++at)
        bench_extra(row, stage_names[at].column, (double)k->answered[at] / fmax(k->count, 1));
    columns_free(k);
}

typedef void (*maker)(contact_case *c, int size, bench_random *random);

/* All problems of a row; directions 0: as the family has them. NULL: memory is short. */
static contact_case **make_all(bench *b, maker make, int size, int count, int directions)
{
    contact_case **all = calloc((size_t)count, sizeof *all);
    for (int i = 0; i < count && all; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(1000 * size + i));
        all[i] = contact_case_create();
        if (!all[i]) break;
        make(all[i], size, &random);
        for (int n = 0; directions && n < all[i]->problem.contact_count; ++n)
            all[i]->contacts[n].directions = directions;
        b->failed |= all[i]->failed;
    }
    return all && all[count - 1] ? all : NULL;
}

/* One row, cold. */
static void cold_row(bench *b, const char *name, maker make, int size, int bodies, int usual, int directions)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_FACES, true);
    int count = bench_count(b, usual);
    contact_case **all = make_all(b, make, size, count, directions);
    columns k;
    if (!trial || !all || !columns_begin(&k, ROUNDS * count)) {
        b->failed = true;
        return;
    }
    trial->options.tolerance = residual_wanted;
    bench_series series = bench_begin(b, name, size, "faces");
    for (int at = 0; at < ROUNDS * count; ++at) {
        const abut_contact_problem *problem = &all[bench_rotated(at, count, ROUNDS)]->problem;
        bool right = contact_trial_run(trial, problem) && trial->result.outcome == ABUT_SOLVED;
        bench_add(&series, trial->us, right && trial->check.residual <= residual_wanted,
                  trial->check.residual, trial->result.pivots);
        b->failed |= !columns_add(&k, problem, trial, false);
    }
    columns_end(&k, b, bench_end(b, &series), bodies);
    for (int i = 0; i < count; ++i) contact_case_destroy(all[i]);
    free(all);
    contact_trial_destroy(trial);
}

/* A stack under gravity alone: everything symmetric, nothing slips. */
static void make_gravity(contact_case *c, int m, bench_random *random)
{
    double inertia[3];
    (void)random;
    contact_block_inertia(1, 1, 1, 1, inertia);
    for (int i = 0; i < m; ++i) {
        int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, i + 0.5});
        c->bodies[body].force[2] = -CONTACT_GRAVITY;
        for (int k = 0; k < 4; ++k)
            contact_case_add(c, body, i - 1, 0.25, (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, i},
                             (double[3]){0, 0, 1});
    }
    c->problem.step = CONTACT_STEP;
}

/* A sequence of steps, each from the states of the one before. */
static void warm_row(bench *b, const contact_sequence *sequence, int size, int bodies)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_FACES, true);
    contact_case *c = contact_case_create();
    int count = bench_count(b, SEQUENCE_STEPS);
    columns k;
    if (!trial || !c || !columns_begin(&k, count)) {
        b->failed = true;
        return;
    }
    trial->options.tolerance = residual_wanted;
    trial->options.warm = true;
    bench_series series = bench_begin(b, sequence->name, size, "faces");
    for (int step = 0; step < count; ++step) {
        contact_case_clear(c);
        sequence->make(c, size, step, b->seed);
        bool right = contact_trial_run(trial, &c->problem) && trial->result.outcome == ABUT_SOLVED;
        bench_add(&series, trial->us, right && trial->check.residual <= residual_wanted,
                  trial->check.residual, trial->result.pivots);
        b->failed |= c->failed || !columns_add(&k, &c->problem, trial, true);
    }
    columns_end(&k, b, bench_end(b, &series), bodies);
    contact_case_destroy(c);
    contact_trial_destroy(trial);
}

static const bench_row *row_of(const bench *b, const char *family, int size)
{
    for (int i = 0; i < b->row_count; ++i)
        if (strcmp(b->rows[i].family, family) == 0 && b->rows[i].size == size) return &b->rows[i];
    return NULL;
}

static double column(const bench *b, const char *family, int size, const char *name)
{
    const bench_row *row = row_of(b, family, size);
    for (int e = 0; row && e < row->extra_count; ++e)
        if (strcmp(row->extra[e].name, name) == 0) return row->extra[e].value;
    return NAN;
}

static const char *verdict(double value, double goal)
{
    return value <= goal ? "met" : "not met";
}

/* Slope of log(solve) over log(contacts) of the pegs from 8 to 64, by least squares. */
static double solve_exponent(const bench *b)
{
    bench solves = {.row_count = 0};
    for (int i = 0; i < b->row_count; ++i) {
        if (strcmp(b->rows[i].family, "peg") != 0) continue;
        bench_series series = bench_begin(&solves, "peg", b->rows[i].size, "faces");
        bench_add(&series, column(b, "peg", b->rows[i].size, "solve_us"), true, 0, 0);
        bench_end(&solves, &series);
    }
    double slope = bench_exponent(&solves, "peg", "faces", 8, 64);
    bench_free(&solves);
    return slope;
}

static void compare_solves(bench *b)
{
    static const struct {
        const char *family;
        int size;
        double us, yardsticks;
    } goals[] = {{"peg", 16, 0.8, 0.055}, {"peg", 64, 1.4, 0.095}, {"tower", 5, 20, 1.4},
                 {"tower", 10, 100, 7},   {"tower", 20, 800, 55},  {"tower", 50, 8000, 550}};
    for (size_t g = 0; g < sizeof goals / sizeof goals[0]; ++g) {
        double us = column(b, goals[g].family, goals[g].size, "solve_us");
        double y = column(b, goals[g].family, goals[g].size, "solve_yardsticks");
        bench_note(b, "goal %s %d: solve at most %g us, %g yardsticks: %.3g us (%s), %.3g yardsticks (%s)",
                   goals[g].family, goals[g].size, goals[g].us, goals[g].yardsticks, us,
                   verdict(us, goals[g].us), y, verdict(y, goals[g].yardsticks));
    }
}

/* Pegs: spread, growth, the whole call, directions. */
static void compare_pegs(bench *b)
{
    static const int sizes[] = {8, 16, 32, 64};
    double widest = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        widest =
            fmax(widest, column(b, "peg", sizes[i], "solve_p99_us") / column(b, "peg", sizes[i], "solve_us"));
    bench_note(b, "goal p99 of the solve within 3 medians, pegs of 8 to 64: %.2f at most (%s)", widest,
               verdict(widest, 3));
    double solve = solve_exponent(b);
    bench_note(b, "goal exponent in n from 8 to 64 at most 0.4: solve %.2f (%s); whole call %.2f", solve,
               verdict(solve, 0.4), bench_exponent(b, "peg", "faces", 8, 64));
    const bench_row *small = row_of(b, "peg", 16), *large = row_of(b, "peg", 64);
    double us[] = {small ? small->p50_us : NAN, large ? large->p50_us : NAN};
    bench_note(b, "goal whole call: peg 16 at most 1.6 us: %.2f us (%s); peg 64 at most 4 us: %.2f us (%s)",
               us[0], verdict(us[0], 1.6), us[1], verdict(us[1], 4));
    double more = column(b, "directions", 32, "solve_us") / column(b, "directions", 8, "solve_us");
    bench_note(b, "goal 32 directions at most 4 times 8: %.2f times (%s)", more, verdict(more, 4));
}

static void compare_with_goals(bench *b)
{
    compare_solves(b);
    compare_pegs(b);
    double stack = 0, peg = column(b, "turning-peg", 16, "solve_us");
    for (int m = 5; m <= 20; m *= 2) stack = fmax(stack, column(b, "swaying-stack", m, "solve_us") / m);
    bench_note(
        b,
        "goal warm steps, solve at most 1 us a body: peg of 16 %.2f us (%s); stacks of 5, 10, 20 %.2f, "
        "%.2f, %.2f us a body (%s)",
        peg, verdict(peg, 1), column(b, "swaying-stack", 5, "solve_us") / 5,
        column(b, "swaying-stack", 10, "solve_us") / 10, column(b, "swaying-stack", 20, "solve_us") / 20,
        verdict(stack, 1));
    int count = 0, solved = 0;
    double worst = 0;
    for (int i = 0; i < b->row_count; ++i) {
        count += b->rows[i].count;
        solved += b->rows[i].solved;
        worst = fmax(worst, b->rows[i].worst_residual);
    }
    bench_note(b, "goal no failures, residual at most 1e-10: %d of %d, %.1e (%s)", solved, count, worst,
               solved == count && worst <= residual_wanted ? "met" : "not met");
}

static void make_peg16(contact_case *c, int size, bench_random *random)
{
    (void)size;
    contact_make_peg(c, 16, random);
}

void bench_run_faces(bench *b)
{
    static const int pegs[] = {8, 12, 16, 24, 32, 48, 64, 96, 128, 256};
    static const int towers[] = {1, 2, 3, 5, 7, 10, 14, 20, 30, 50};
    static const int walls[] = {4, 8, 12, 20};
    for (size_t i = 0; i < sizeof pegs / sizeof pegs[0]; ++i)
        cold_row(b, "peg", contact_make_peg, pegs[i], 1, USUAL_COUNT, 0);
    for (size_t i = 0; i < sizeof towers / sizeof towers[0]; ++i)
        cold_row(b, "tower", contact_make_stack, towers[i], towers[i], towers[i] > 20 ? 20 : USUAL_COUNT / 4,
                 0);
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; ++i)
        cold_row(b, "wall", contact_make_wall, walls[i], walls[i], 20, 0);
    for (int m = 1; m <= 20; m += m < 5 ? 2 : 5) cold_row(b, "gravity", make_gravity, m, m, 5, 0);
    cold_row(b, "directions", make_peg16, 8, 1, USUAL_COUNT, 8);
    cold_row(b, "directions", make_peg16, 32, 1, USUAL_COUNT, 32);
    for (int k = 0; k < contact_sequence_count; ++k) {
        const contact_sequence *sequence = &contact_sequences[k];
        bool peg = strcmp(sequence->name, "turning-peg") == 0;
        for (int i = 0; i < CONTACT_SIZES_MAX && sequence->sizes[i]; ++i)
            warm_row(b, sequence, sequence->sizes[i], peg ? 1 : sequence->sizes[i]);
        if (strcmp(sequence->name, "swaying-stack") == 0) {
            warm_row(b, sequence, 10, 10);
            warm_row(b, sequence, 20, 20);
        }
    }
    compare_with_goals(b);
}
