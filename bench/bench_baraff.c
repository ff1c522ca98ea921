/* `abut bench baraff`: what forces at the acceleration level cost.
 *
 * Frictionless: the paper's own yardstick is one Gaussian elimination of the size of the problem. Here the
 * stage `drive` alone, on a system that is already built, and that elimination on the same A are timed in turn.
 * The best of some runs counts for each (both take a few microseconds at n = 20, and a first run measures the
 * caches).
 * Friction: whole calls are timed, for blocks with redundant contacts and for mechanisms with joints. Where
 * contacts slide, a ray is a right answer and counts as solved (column rays).
 * modes: the search through all modes is timed alone.
 * warm: blocks are at rest in space under loads that change by 2 % a step; each step starts from the states of
 * the last. */
#include "bench.h"
#include "contact/build/build.h"
#include "contact/drive/drive.h"
#include "contact_trial.h"
#include "family_accel.h"
#include "timer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_baraff(bench *b);

/* ------------------------------------------------------------------------------------------------
 * Frictionless: A = J J'. Full rank: J is random, n x 2n, and b of both signs, so that about half of the
 * contacts carry. A stack of blocks: many contacts, few motions, b = J k in the range of A. Redundant: J is
 * random, n x n / 2, the number at which such contacts begin to stop every motion, and b = J k: as hard as it
 * gets. */

typedef struct plain {
    int n;
    double *J, *A, *b, *copy, *x, *zero;
    int *directions;
    double *mu, *ones;
    abuti_system system;
    unsigned char *memory;
    abuti_drive *drive;
    double *answer;
    abut_contact_face *face;
} plain;

static void plain_close(plain *p)
{
    void *all[] = {p->J,          p->A,  p->b,    p->copy,   p->x,      p->zero,
                   p->directions, p->mu, p->ones, p->memory, p->answer, p->face};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

static bool plain_open(plain *p, int n)
{
    size_t rows = (size_t)n, lanes = (size_t)abuti_padded(n), full = 3 * rows;
    *p = (plain){.n = n};
    p->J = malloc(rows * 2 * rows * sizeof(double));
    p->A = calloc(full * full, sizeof(double));
    p->b = malloc(lanes * sizeof(double));
    p->copy = malloc(rows * rows * sizeof(double));
    p->x = malloc(rows * sizeof(double));
    p->zero = calloc(lanes, sizeof(double));
    p->mu = calloc(lanes, sizeof(double));
    p->ones = malloc(lanes * sizeof(double));
    p->directions = malloc(lanes * sizeof(int));
    p->answer = calloc(6 * lanes, sizeof(double));
    p->face = calloc(lanes, sizeof *p->face);
    abut_contact_limits limits = {.contacts = n, .local = true};
    abuti_arena counting = {0};
    (void)abuti_drive_layout(&counting, &limits);
    p->memory = aligned_alloc(64, (counting.used + 63) & ~(size_t)63);
    if (!p->J || !p->A || !p->b || !p->copy || !p->x || !p->zero || !p->mu || !p->ones || !p->directions ||
        !p->answer || !p->face || !p->memory)
        return false;
    memset(p->memory, 0, counting.used);
    abuti_arena arena = {.base = p->memory, .capacity = counting.used};
    p->drive = abuti_drive_layout(&arena, &limits);
    for (size_t i = 0; i < lanes; ++i) {
        p->ones[i] = 1.0;
        p->directions[i] = ABUT_DIRECTIONS_MIN;
    }
    p->system = (abuti_system){.model = ABUT_COULOMB_ACCEL,
                               .n = n,
                               .lanes = (int)lanes,
                               .sides = 1,
                               .W = p->A,
                               .W_ld = (int)full,
                               .offset = {p->b, p->zero, p->zero},
                               .before = {p->zero, p->zero, p->zero},
                               .mu = p->mu,
                               .directions = p->directions,
                               .unit = 1.0,
                               .row_scale = p->ones};
    return true;
}

typedef enum plain_kind { FULL_RANK, STACK, REDUNDANT, PLAIN_KINDS } plain_kind;

static const char *const plain_names[] = {"frictionless", "frictionless-stack", "frictionless-redundant"};

/* Contacts on a grid of the lower faces of n / 6 + 1 blocks that stand on each other: J has n rows and at
 * most n / 2 columns that count. */
static size_t make_stack(plain *p, bench_random *random)
{
    size_t n = (size_t)p->n, blocks = n / 6 + 1, columns = 3 * blocks;
    memset(p->J, 0, n * columns * sizeof(double));
    for (size_t i = 0; i < n; ++i) {
        size_t block = i % blocks;
        double x = 0.5 * (bench_below(random, 5) - 2), y = 0.5 * (bench_below(random, 5) - 2);
        for (int side = 0; side < 2; ++side) {
            if (side && block == 0) break;
            double *row = p->J + i * columns + 3 * (block - (size_t)side), sign = side ? -1.0 : 1.0;
            row[0] = sign;
            row[1] = sign * y;
            row[2] = -sign * x;
        }
    }
    return columns;
}

static void plain_make(plain *p, plain_kind kind, bench_random *random)
{
    size_t n = (size_t)p->n, full = 3 * n, columns = kind == FULL_RANK ? 2 * n : n / 2;
    if (kind == STACK)
        columns = make_stack(p, random);
    else
        for (size_t i = 0; i < columns * n; ++i) p->J[i] = bench_normal(random) / sqrt((double)columns);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < columns; ++k) sum += p->J[i * columns + k] * p->J[j * columns + k];
            p->A[3 * i * full + 3 * j] = p->A[3 * j * full + 3 * i] = sum;
        }
    for (size_t i = 0; i < n; ++i) p->b[i] = kind == FULL_RANK ? bench_normal(random) - 0.3 : 0.0;
    for (size_t k = 0; k < columns && kind != FULL_RANK; ++k) {
        double moves = bench_normal(random) - (kind == STACK && k % 3 == 0 ? 3.0 : 0.0); /* weight */
        for (size_t i = 0; i < n; ++i) p->b[i] += p->J[i * columns + k] * moves;
    }
}

/* max |min(f, a)|. */
static double plain_residual(const plain *p)
{
    size_t full = 3 * (size_t)p->n;
    double most = 0.0;
    for (size_t i = 0; i < (size_t)p->n; ++i) {
        double a = p->b[i];
        for (size_t j = 0; j < (size_t)p->n; ++j) a += p->A[3 * i * full + 3 * j] * p->answer[j];
        most = fmax(most, fabs(fmin(p->answer[i], a)));
    }
    return most;
}

/* The time of an elimination of A + I, which is regular also where A is not. */
static double elimination_us(plain *p)
{
    size_t n = (size_t)p->n, full = 3 * n;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) p->copy[i * n + j] = p->A[3 * i * full + 3 * j] + (i == j);
    memcpy(p->x, p->b, n * sizeof(double));
    double start = bench_now_us();
    (void)bench_gaussian_elimination(p->n, p->copy, p->x);
    return bench_now_us() - start;
}

/* The best of so many runs counts. */
enum { RUNS = 5 };

static void run_frictionless(bench *b, plain_kind kind, int n)
{
    plain p;
    int count = bench_count(b, n <= 100 ? 60 : 20);
    double *eliminations = malloc((size_t)count * sizeof *eliminations), drives = 0.0;
    bench_series series = bench_begin(b, plain_names[kind], n, "drive");
    bool fine = plain_open(&p, n) && eliminations;
    abut_contact_options options = abut_contact_default_options();
    abuti_stage_context context = {.options = &options, .pivots_left = INT_MAX, .deadline = INFINITY};
    for (int i = 0; i < count && fine; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(i + 1000 * n));
        size_t lanes = (size_t)p.system.lanes;
        plain_make(&p, kind, &random);
        abuti_answer answer = {.theta = p.answer,
                               .f = {p.answer + lanes, p.answer + 2 * lanes},
                               .ray = p.answer + 3 * lanes,
                               .face = p.face};
        abut_outcome outcome = ABUT_FAILED;
        double us = INFINITY;
        eliminations[i] = INFINITY;
        for (int run = 0; run < RUNS && fine; ++run) {
            eliminations[i] = fmin(eliminations[i], elimination_us(&p));
            fine = abuti_drive_load(p.drive, &p.system, &context);
            double start = bench_now_us();
            outcome = abuti_compute_forces(p.drive, &context);
            us = fmin(us, bench_now_us() - start);
        }
        abuti_drive_answer(p.drive, &p.system, &answer);
        double residual = plain_residual(&p);
        bench_add(&series, us, outcome == ABUT_SOLVED && residual <= 1e-10, residual, p.drive->steps);
        drives += p.drive->drives;
    }
    bench_row *row = bench_end(b, &series);
    if (fine) {
        double median = bench_quantile(eliminations, count, 0.5);
        bench_extra(row, "elimination_us", median);
        bench_extra(row, "times_elimination", row->p50_us / median);
        bench_extra(row, "drives", drives / count);
    }
    b->failed = b->failed || !fine;
    plain_close(&p);
    free(eliminations);
}

/* ------------------------------------------------------------------------------------------------
 * Friction: whole calls */

typedef struct scene {
    const char *name;
    bool planar, mechanism;
    accel_motion motion;
} scene;

static const scene scenes[] = {
    {"plane-at-rest", true, false, ACCEL_AT_REST},  {"plane-sliding", true, false, ACCEL_SLIDING},
    {"space-at-rest", false, false, ACCEL_AT_REST}, {"space-sliding", false, false, ACCEL_SLIDING},
    {"mechanism-plane", true, true, ACCEL_AT_REST}, {"mechanism-space", false, true, ACCEL_AT_REST},
};

static void run_scene(bench *b, const scene *s, int n)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_DRIVE, false);
    bench_series series = bench_begin(b, s->name, n, "drive");
    int published = 0, rays = 0, count = bench_count(b, 20);
    for (int i = 0; i < count && c && trial; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(i + 1000 * n));
        if (s->mechanism)
            accel_make_mechanism(c, s->planar, (n + 2) / 3, s->motion, &random);
        else
            accel_make(c, s->planar, 1 + n / 6, n, s->motion, 0.6, &random);
        if (c->failed || !contact_trial_run(trial, &c->problem)) {
            b->failed = true;
            break;
        }
        bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        bool ray = trial->result.outcome == ABUT_RAY && s->motion != ACCEL_AT_REST; /* a right answer, too */
        published += solved && strcmp(trial->result.stage, "drive") == 0;
        rays += ray;
        bench_add(&series, trial->us, solved || ray, solved ? trial->check.residual : 0.0,
                  trial->result.pivots);
    }
    bench_row *row = bench_end(b, &series);
    bench_extra(row, "published_share", (double)published / count);
    bench_extra(row, "rays", rays);
    if (s->mechanism && c) bench_extra(row, "joints", c->problem.joint_count);
    b->failed = b->failed || !c || !trial;
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* The search through all modes alone: 8 contacts in space, 24 in the plane. */
static void run_modes(bench *b, const char *name, bool planar, int n, accel_motion motion)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_DRIVE, false);
    bench_series series = bench_begin(b, name, n, "drive-modes");
    int rays = 0;
    for (int i = 0, count = bench_count(b, 100); i < count && c && trial; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(i + 1000 * n));
        accel_make(c, planar, 1 + bench_below(&random, 3), n, motion, 0.8, &random);
        trial->options.stage = "drive-modes";
        if (c->failed || !contact_trial_run(trial, &c->problem)) {
            b->failed = true;
            break;
        }
        bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        bool ray = trial->result.exhausted && motion != ACCEL_AT_REST;
        rays += ray;
        bench_add(&series, trial->us, solved || ray, solved ? trial->check.residual : 0.0,
                  trial->result.pivots);
    }
    bench_extra(bench_end(b, &series), "rays", rays);
    b->failed = b->failed || !c || !trial;
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Blocks at rest in space whose loads change by 2 % a step. */
static void run_loads(bench *b, int n, bool warm)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_DRIVE, false);
    bench_series series = bench_begin(b, warm ? "loads-warm" : "loads-cold", n, "drive");
    for (int i = 0, count = bench_count(b, 10); i < count && c && trial; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(i + 1000 * n));
        accel_make(c, false, 1 + n / 6, n, ACCEL_AT_REST, 0.6, &random);
        trial->options.warm = warm;
        for (int step = 0; step < 20 && !c->failed; ++step) {
            for (int k = 0; k < c->problem.body_count && step > 0; ++k)
                for (int a = 0; a < 6; ++a) c->bodies[k].force[a] *= bench_uniform(&random, 0.98, 1.02);
            if (!contact_trial_run(trial, &c->problem)) {
                b->failed = true;
                break;
            }
            bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
            if (step > 0) /* the first has no step before it */
                bench_add(&series, trial->us, solved, trial->check.residual, trial->result.pivots);
        }
    }
    bench_end(b, &series);
    b->failed = b->failed || !c || !trial;
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Frictionless, the whole call: A is built from blocks with redundant contacts, and the answer verified. */
static void run_call(bench *b, int n)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_DRIVE, false);
    bench_series series = bench_begin(b, "frictionless-call", n, "drive");
    for (int i = 0, count = bench_count(b, n <= 100 ? 60 : 20); i < count && c && trial; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)(i + 1000 * n));
        accel_make(c, false, 1 + n / 6, n, ACCEL_AT_REST, 0.0, &random);
        if (c->failed || !contact_trial_run(trial, &c->problem)) {
            b->failed = true;
            break;
        }
        bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        bench_add(&series, trial->us, solved, trial->check.residual, trial->result.pivots);
    }
    bench_row *row = bench_end(b, &series);
    double elimination = bench_yardstick_us(n, 21);
    bench_extra(row, "elimination_us", elimination);
    bench_extra(row, "times_elimination", row->p50_us / elimination);
    b->failed = b->failed || !c || !trial;
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

static double times_elimination(const bench_row *row)
{
    for (int k = 0; k < row->extra_count; ++k)
        if (strcmp(row->extra[k].name, "times_elimination") == 0) return row->extra[k].value;
    return 0.0;
}

void bench_run_baraff(bench *b)
{
    static const int sizes[] = {20, 30, 40, 50, 75, 100, 150, 200}, contacts[] = {6, 12, 24, 48};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    double worst[PLAIN_KINDS + 1] = {0.0};
    for (int kind = 0; kind <= PLAIN_KINDS; ++kind)
        for (int i = 0; i < SIZES; ++i) {
            if (kind == PLAIN_KINDS)
                run_call(b, sizes[i]);
            else
                run_frictionless(b, (plain_kind)kind, sizes[i]);
            worst[kind] = fmax(worst[kind], times_elimination(&b->rows[b->row_count - 1]));
        }
    bench_note(b,
               "frictionless, the algorithm: at most %.2f times one plain Gaussian elimination of the same "
               "size (n = 20 to 200); %.2f on a stack, %.2f with as many redundant contacts as can be",
               worst[FULL_RANK], worst[STACK], worst[REDUNDANT]);
    bench_note(b, "frictionless, whole calls (A built from bodies, answer verified): at most %.2f times",
               worst[PLAIN_KINDS]);
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; ++s)
        for (size_t i = 0; i < sizeof contacts / sizeof *contacts; ++i) run_scene(b, &scenes[s], contacts[i]);
    run_modes(b, "modes-space-at-rest", false, ABUT_ACCEL_SPATIAL_MAX, ACCEL_AT_REST);
    run_modes(b, "modes-space-mixed", false, ABUT_ACCEL_SPATIAL_MAX, ACCEL_MIXED);
    run_modes(b, "modes-plane-at-rest", true, ABUT_ACCEL_CONTACTS_MAX, ACCEL_AT_REST);
    run_modes(b, "modes-plane-mixed", true, ABUT_ACCEL_CONTACTS_MAX, ACCEL_MIXED);
    for (size_t i = 0; i < sizeof contacts / sizeof *contacts; ++i)
        for (int warm = 0; warm < 2; ++warm) run_loads(b, contacts[i], warm != 0);
    bench_note(
        b, "published_share: answered by the published conditions; the others by polygons, modes or Lemke");
}
