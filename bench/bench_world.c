/* `abut bench world`: closed loops. It measures whether things that must rest do rest, and whether things that must
 * move do so as mechanics says; and the microseconds of a step, by stage, with p50, p99 and max. */
#include "bench.h"
#include "world_mechanics.h"
#include "world_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_world(bench *b);

static const char *const stage_names[ABUT_STEP_STAGES] = {
    [ABUT_STEP_FORCES] = "forces_us",  [ABUT_STEP_BROAD] = "broad_us",
    [ABUT_STEP_NARROW] = "narrow_us",  [ABUT_STEP_PROBLEM] = "problem_us",
    [ABUT_STEP_SOLVE] = "solve_us",    [ABUT_STEP_INTEGRATE] = "integrate_us",
    [ABUT_STEP_PROJECT] = "project_us"};

/* What the runs of one row came to, one world after the other. */
typedef struct tally {
    int steps, lost;
    double longest, drift, turn, overlap, rise, contacts, seconds[ABUT_STEP_STAGES];
    int outside; /* for drops: bodies that at the end are not in their box, or whose position is not a number */
} tally;

/* Runs a scene, adds it to the row and ends it. */
static void run_one(bench *b, world_scene *scene, double seconds, bench_series *series, tally *t)
{
    int steps = scene ? (int)lround(seconds / scene->step) : 0;
    double *us = steps > 0 ? malloc((size_t)steps * sizeof *us) : NULL;
    if (us) {
        world_scene_run(scene, steps, us);
        int lost = scene->unsolved + scene->failures;
        for (int i = 0; i < steps; ++i) {
            bench_add(series, us[i], i >= lost, scene->residual, (int)(scene->pivots / steps));
            t->longest = fmax(t->longest, us[i]);
        }
        t->steps += steps;
        t->lost += lost;
        t->drift = fmax(t->drift, world_scene_drift(scene));
        t->turn = fmax(t->turn, world_scene_turn(scene));
        t->outside += world_scene_outside(scene);
        t->overlap = fmax(t->overlap, scene->penetration);
        t->rise = fmax(t->rise, scene->rise);
        t->contacts += (double)scene->contacts;
        for (int k = 0; k < ABUT_STEP_STAGES; ++k) t->seconds[k] += scene->seconds[k];
    } else {
        b->failed = true;
    }
    free(us);
    world_scene_destroy(scene);
}

static void file_row(bench *b, bench_series *series, const tally *t)
{
    bench_row *row = bench_end(b, series);
    bench_extra(row, "max_us", t->longest);
    bench_extra(row, "contacts", t->contacts / t->steps);
    bench_extra(row, "unsolved", t->lost);
    bench_extra(row, "drift_m", t->drift);
    bench_extra(row, "turn_rad", t->turn);
    bench_extra(row, "overlap_m", t->overlap);
    bench_extra(row, "rise_J", t->rise);
    bench_extra(row, "outside", t->outside);
    for (int k = 0; k < ABUT_STEP_STAGES; ++k)
        bench_extra(row, stage_names[k], 1e6 * t->seconds[k] / t->steps);
}

static void run_scene(bench *b, world_scene *scene, const char *name, int size, double seconds)
{
    bench_series series = bench_begin(b, name, size, "world");
    tally t = {0};
    run_one(b, scene, seconds, &series, &t);
    file_row(b, &series, &t);
}

/* Mixed shapes fall into a box, many times over. */
static void run_drops(bench *b, int size)
{
    bench_series series = bench_begin(b, "drops", size, "world");
    tally t = {0};
    for (int i = 0; i < bench_count(b, 20); ++i) {
        run_one(b, world_scene_make("drops", size, 1.0 / 240, (unsigned)(b->seed + (uint64_t)i)), 4, &series,
                &t);
    }
    file_row(b, &series, &t);
}

/* A box on a slope whose tangent is `share` of its friction. */
static void run_slope(bench *b, const char *name, double share, double seconds)
{
    double mu = 0.5, tangent = mu * share, cosine = 1 / sqrt(1 + tangent * tangent);
    double gravity[3] = {9.81 * tangent * cosine, 0, -9.81 * cosine};
    world_scene *scene = world_scene_create(0.004, gravity);
    if (scene) {
        world_scene_plane(scene, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, 0);
        world_scene_box(scene, 0.2, 0.2, 0.1, 0, 0, 0.1, 1000, mu);
    }
    run_scene(b, scene, name, 1, seconds);
}

void bench_run_world(bench *b)
{
    double step = 1.0 / 240;
    run_slope(b, "slope-holds", 1 - 1e-6, 10);
    run_slope(b, "slope-slides", 1 + 1e-3, 2);
    static const struct {
        const char *name;
        int size;
        double seconds;
    } rests[] = {{"stack", 10, 60}, {"arch", 9, 60},           {"cards", 2, 60},
                 {"grasp", 2, 60},  {"heavy-on-light", 2, 10}, {"wall", 20, 10}};
    for (size_t i = 0; i < sizeof rests / sizeof *rests; ++i) {
        run_scene(b, world_scene_make(rests[i].name, rests[i].size, step, 0), rests[i].name, rests[i].size,
                  rests[i].seconds);
    }
    bench_world_mechanics(b);
    run_drops(b, 10);
    run_drops(b, 20);
    for (int size = 1; size <= 1000; size *= 10) {
        run_scene(b, world_scene_make("spread", size, step, 0), "spread", size, size < 1000 ? 2 : 0.5);
    }
    bench_note(b, "drops: --count is the number of worlds (1000 for the campaign); rise_J is the most that a "
                  "step gained");
    bench_note(b, "drift_m and turn_rad of stack, arch, cards, grasp, heavy-on-light and wall must be below "
                  "1e-8: they rest");
    bench_note(b, "slope-slides: 2 s at mu (1 + 1e-3) come to %.6g m by mechanics",
               0.5 * 4 * 9.81 / sqrt(1 + 0.25 * 1.001 * 1.001) * 0.0005);
}
