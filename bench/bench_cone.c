/* abut bench cone: circles against polygons.
 *
 *     pegs, single, stacks, towers, walls   cold: the same problems with polygons of 8 directions and with circles
 *     turning-peg, ...                      sequences of steps, each started from the last, likewise
 *     motion                                how far the motion on polygons of d directions (the size) is from that on
 *                                           circles
 *     block                                 a block that is pushed, or slides, at an angle (the size, degrees): the
 *                                           push at which it starts, and its friction against and across the slip,
 *                                           each over mu times its weight; 8 and 16 directions, circle
 *
 * Times are the least of a few calls of each problem (of sequences CPU times); every answer is judged by an own call of
 * the verifier. */
#include "bench.h"
#include "contact_families.h"
#include "contact_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_cone(bench *b);

enum { USUAL_COUNT = 200, REPEATS = 5, SEQUENCE_STEPS = 500, SEQUENCE_RUNS = 3, ANGLES = 3 };
static const double residual_wanted = 1e-9;

static void set_cones(contact_case *c, abut_contact_cone cone)
{
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].cone = cone;
}

/* The least time of a few runs, into the series. */
static double time_of(contact_trial *trial, const abut_contact_problem *problem, bench_series *series,
                      int repeats)
{
    double least = INFINITY;
    for (int k = 0; k < repeats; ++k) {
        if (!contact_trial_run(trial, problem)) return INFINITY;
        least = fmin(least, trial->us);
    }
    bench_add(series, least, trial->result.outcome == ABUT_SOLVED && trial->check.residual <= residual_wanted,
              trial->check.residual, trial->result.pivots);
    return least;
}

static void cold(bench *b, contact_case *c, const char *family, int size)
{
    const contact_family *of = contact_family_find(family);
    contact_trial *trial[2] = {contact_trial_create(ABUT_SOLVER_AUTO, false),
                               contact_trial_create(ABUT_SOLVER_AUTO, false)};
    bench_series series[2] = {bench_begin(b, family, size, "polygon"),
                              bench_begin(b, family, size, "circle")};
    int count = bench_count(b, USUAL_COUNT);
    double *more = calloc((size_t)count + 1, sizeof *more), *times = calloc((size_t)count + 1, sizeof *times);
    b->failed = b->failed || !trial[0] || !trial[1] || !more || !times;
    for (int i = 0; i < count && !b->failed; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)i);
        double us[2];
        b->failed = !contact_family_make(of, size, &random, c);
        for (int k = 0; k < 2 && !b->failed; ++k) {
            set_cones(c, k ? ABUT_CONE_CIRCLE : ABUT_CONE_POLYGON);
            us[k] = time_of(trial[k], &c->problem, &series[k], REPEATS);
        }
        if (b->failed) break;
        more[i] = us[1] - us[0];
        times[i] = us[1] / us[0];
    }
    (void)bench_end(b, &series[0]);
    bench_row *row = bench_end(b, &series[1]);
    if (!b->failed) {
        bench_extra(row, "more_us", bench_quantile(more, count, 0.5));
        bench_extra(row, "times", bench_quantile(times, count, 0.5));
    }
    free(more);
    free(times);
    contact_trial_destroy(trial[0]);
    contact_trial_destroy(trial[1]);
}

/* One run through a sequence. Steps that took less than ever before are noted; the last run goes into the series. Returns
 * how many steps cone-check solved. */
static int run_sequence(bench *b, contact_case *c, const contact_sequence *sequence, abut_contact_cone cone,
                        double *least, bench_series *series)
{
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int checked = 0, steps = bench_count(b, SEQUENCE_STEPS);
    b->failed = b->failed || !trial;
    if (trial) trial->options.warm = true;
    for (int step = 0; step < steps && !b->failed; ++step) {
        contact_case_clear(c);
        sequence->make(c, sequence->sizes[0], step, b->seed);
        set_cones(c, cone);
        b->failed = !contact_trial_run(trial, &c->problem);
        least[step] = fmin(least[step], trial->cpu_us);
        checked += strcmp(trial->result.stage, "cone-check") == 0;
        double residual = trial->check.residual;
        bool solved = trial->result.outcome == ABUT_SOLVED && residual <= residual_wanted;
        if (series) bench_add(series, least[step], solved, residual, trial->result.pivots);
    }
    contact_trial_destroy(trial);
    return checked;
}

/* Polygons and circles in turn, a few runs of each: whatever else the machine does, both meet it. */
static void warm(bench *b, contact_case *c, const contact_sequence *sequence)
{
    int steps = bench_count(b, SEQUENCE_STEPS), checked = 0;
    double *least[2] = {calloc((size_t)steps + 1, sizeof **least), calloc((size_t)steps + 1, sizeof **least)};
    bench_series series[2] = {bench_begin(b, sequence->name, sequence->sizes[0], "polygon warm"),
                              bench_begin(b, sequence->name, sequence->sizes[0], "circle warm")};
    b->failed = b->failed || !least[0] || !least[1];
    for (int step = 0; step < steps && !b->failed; ++step) least[0][step] = least[1][step] = INFINITY;
    for (int run = 0; run < SEQUENCE_RUNS && !b->failed; ++run)
        for (int k = 0; k < 2; ++k)
            checked = run_sequence(b, c, sequence, k ? ABUT_CONE_CIRCLE : ABUT_CONE_POLYGON, least[k],
                                   run == SEQUENCE_RUNS - 1 ? &series[k] : NULL);
    (void)bench_end(b, &series[0]);
    bench_row *row = bench_end(b, &series[1]);
    if (!b->failed) {
        double total[2] = {0, 0};
        for (int step = 0; step < steps; ++step)
            for (int k = 0; k < 2; ++k) total[k] += least[k][step];
        bench_extra(row, "checked_percent", 100.0 * checked / steps);
        bench_extra(row, "times", total[1] / total[0]);
    }
    free(least[0]);
    free(least[1]);
}

/* |difference of the motions| / |the motion without contacts|, both measured by the square root of the energy. */
static double difference(const contact_case *c, const double *a, const double *v)
{
    double change = 0, size = 0;
    for (int i = 0; i < c->problem.body_count; ++i) {
        const abut_body *body = &c->bodies[i];
        for (int k = 0; k < 6; ++k) {
            double mass = k < 3 ? body->mass : body->inertia[k - 3], d = a[6 * i + k] - v[6 * i + k];
            double free = body->velocity[k] + c->problem.step * body->force[k] / mass;
            change += mass * d * d;
            size += mass * free * free;
        }
    }
    return size > 0 ? sqrt(change / size) : 0;
}

/* The third situation of one body, a box with room to move. */
static void motion(bench *b, contact_case *c)
{
    int count = bench_count(b, USUAL_COUNT);
    double *off = calloc((size_t)count + 1, sizeof *off);
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    b->failed = b->failed || !off || !trial;
    for (int d = 4; d <= 64 && !b->failed; d *= 2) {
        bench_series series = bench_begin(b, "motion", d, "polygon");
        int found = 0;
        for (int i = 0; i < count && !b->failed; ++i) {
            bench_random random = bench_random_stream(b->seed, (uint64_t)i);
            double velocity[6];
            contact_case_clear(c);
            contact_make_single(c, 3, &random);
            set_cones(c, ABUT_CONE_CIRCLE);
            if (!contact_trial_run(trial, &c->problem) || trial->result.outcome != ABUT_SOLVED) continue;
            memcpy(velocity, trial->result.velocity, sizeof velocity);
            for (int k = 0; k < c->problem.contact_count; ++k) c->contacts[k].directions = d;
            set_cones(c, ABUT_CONE_POLYGON);
            time_of(trial, &c->problem, &series, 1);
            if (trial->result.outcome == ABUT_SOLVED)
                off[found++] = difference(c, velocity, trial->result.velocity);
        }
        bench_row *row = bench_end(b, &series);
        bench_extra(row, "off_p50", bench_quantile(off, found, 0.5));
        bench_extra(row, "off_p90", bench_quantile(off, found, 0.9));
        bench_extra(row, "off_most", bench_quantile(off, found, 1));
    }
    free(off);
    contact_trial_destroy(trial);
}

static const double block_mu = 0.4;

/* A block of unit mass that is pushed, or slides, at an angle. */
static void block(contact_case *c, double angle, double push, double speed)
{
    double inertia[3];
    contact_case_clear(c);
    contact_block_inertia(1, 1, 1, 1, inertia);
    int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, 0});
    c->bodies[body].force[0] = push * cos(angle);
    c->bodies[body].force[1] = push * sin(angle);
    c->bodies[body].force[2] = -CONTACT_GRAVITY;
    c->bodies[body].velocity[0] = speed * cos(angle);
    c->bodies[body].velocity[1] = speed * sin(angle);
    for (int k = 0; k < 4; ++k)
        contact_case_add(c, body, ABUT_WORLD, block_mu,
                         (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0}, (double[3]){0, 0, 1});
}

/* The cones of the block's contacts. */
typedef struct block_cone {
    const char *name;
    int directions;
    abut_contact_cone cone;
} block_cone;

static void set_block_cones(contact_case *c, const block_cone *cone)
{
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].directions = cone->directions;
    set_cones(c, cone->cone);
}

/* The push at which the block starts, over mu times its weight, found by bisection. */
static double starts_at(contact_trial *trial, contact_case *c, double angle, const block_cone *cone)
{
    static const double moves = 1e-9; /* m/s */
    double low = 0.5, high = 1.5;
    for (int k = 0; k < 30; ++k) {
        double middle = 0.5 * (low + high);
        block(c, angle, middle * block_mu * CONTACT_GRAVITY, 0);
        set_block_cones(c, cone);
        if (!contact_trial_run(trial, &c->problem) || trial->result.outcome != ABUT_SOLVED) return NAN;
        if (hypot(trial->result.velocity[0], trial->result.velocity[1]) > moves) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return 0.5 * (low + high);
}

static void angles(bench *b, contact_case *c)
{
    static const double to_radians = 0.017453292519943295, slides = 1; /* m/s */
    static const block_cone cones[] = {{"octagon", 8, ABUT_CONE_POLYGON},
                                       {"16-gon", 16, ABUT_CONE_POLYGON},
                                       {"circle", 8, ABUT_CONE_CIRCLE}};
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    b->failed = b->failed || !trial;
    for (int k = 0; k < 3 && !b->failed; ++k) {
        for (int degree = 0; degree <= 360; degree += ANGLES) {
            double angle = degree * to_radians, x = cos(angle), y = sin(angle);
            double starts = starts_at(trial, c, angle, &cones[k]);
            bench_series series = bench_begin(b, "block", degree, cones[k].name);
            block(c, angle, 0, slides);
            set_block_cones(c, &cones[k]);
            (void)time_of(trial, &c->problem, &series, 1);
            const double *v = trial->result.velocity;
            double scale = block_mu * CONTACT_GRAVITY * c->problem.step;
            bench_row *row = bench_end(b, &series);
            bench_extra(row, "starts", starts);
            bench_extra(row, "against",
                        v ? (x * (slides * x - v[0]) + y * (slides * y - v[1])) / scale : NAN);
            bench_extra(row, "across", v ? (x * (slides * y - v[1]) - y * (slides * x - v[0])) / scale : NAN);
        }
    }
    contact_trial_destroy(trial);
}

void bench_run_cone(bench *b)
{
    static const struct {
        const char *family;
        int size;
    } rows[] = {{"pegs", 16}, {"jittered", 16}, {"single", 3}, {"stacks", 5}, {"towers", 10}, {"walls", 10}};
    contact_case *c = contact_case_create();
    b->failed = !c;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0] && !b->failed; ++k)
        cold(b, c, rows[k].family, rows[k].size);
    for (int k = 0; k < contact_sequence_count && !b->failed; ++k) warm(b, c, &contact_sequences[k]);
    if (!b->failed) motion(b, c);
    if (!b->failed) angles(b, c);
    contact_case_destroy(c);
}
