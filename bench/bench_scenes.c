/* `abut bench scenes`: the files of scenes/, stepped as `abut run` steps them. Where ABUT_MUJOCO names the folder of
 * MuJoCo's npm package, MuJoCo steps the same files in the same run. For both it reports the time of a step, and what
 * the answers are worth: overlap, slip, creep. */
#include "bench.h"
#include "scene_run.h"
#include "timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_run_scenes(bench *b);

/* What is measured for abut and for MuJoCo. */
typedef struct findings {
    double p50, p99, longest, overlap, slip, creep;
} findings;

/* The mean speed, in m/s, of the body that goes farthest between two moments. */
static double creep_of(const double *from, const double *to, int bodies, double seconds)
{
    double most = 0;
    for (int i = 0; i < bodies; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) square += pow(to[3 * i + k] - from[3 * i + k], 2);
        most = fmax(most, sqrt(square));
    }
    return most / seconds;
}

static void note_findings(bench_row *row, const findings *f)
{
    bench_extra(row, "max_us", f->longest);
    bench_extra(row, "overlap_m", f->overlap);
    bench_extra(row, "slip_m_s", f->slip);
    bench_extra(row, "creep_m_s", f->creep);
}

/* The second half of the run counts for overlap, its end for slip and creep. */
static void run_ours(bench *b, scene_run *r, int bodies, double *places)
{
    bench_series series = bench_begin(b, r->scene->model, bodies, "abut");
    findings f = {0};
    long half = r->steps / 2;
    double until = bench_now_us() + 20e6;
    long done = 0;
    for (; done < r->steps && bench_now_us() < until; ++done) {
        if (done == half) scene_run_places(r, places);
        double start = bench_now_us();
        if (!scene_run_step(r)) break;
        double us = bench_now_us() - start;
        bool verified = r->report.outcome == ABUT_SOLVED && r->report.unsolved == 0;
        bench_add(&series, us, verified, r->report.residual, (int)r->report.pivots);
        f.longest = fmax(f.longest, us);
        if (done >= half) f.overlap = fmax(f.overlap, r->report.penetration);
    }
    scene_run_places(r, places + 3 * bodies);
    f.slip = scene_run_slip(r);
    f.creep = creep_of(places, places + 3 * bodies, bodies, (double)(r->steps - half) * r->step);
    note_findings(bench_end(b, &series), &f);
    if (done < r->steps)
        bench_note(b, "%s: ended after 20 s at step %ld of %ld", r->scene->model, done, r->steps);
}

/* MuJoCo's step on the same file, by node; its answer is a line of numbers. */
static bool run_theirs(bench *b, const scene_run *r, int bodies, const char *package)
{
    char command[4096];
    snprintf(command, sizeof command, "node '%s/mujoco_scene.mjs' '%s' '%s' %ld %.17g '%s' '%s'",
             ABUT_BENCH_DIR, package, r->path, r->steps, r->step, r->keyframe ? r->keyframe : "",
             r->control_path);
    FILE *pipe = popen(command, "r");
    findings f;
    long steps = 0;
    bool read = pipe && fscanf(pipe, "%ld %lf %lf %lf %lf %lf %lf", &steps, &f.p50, &f.p99, &f.longest,
                               &f.overlap, &f.slip, &f.creep) == 7;
    if (pipe) pclose(pipe);
    if (!read) return false;
    bench_series series = bench_begin(b, r->scene->model, bodies, "mujoco");
    bench_row *row = bench_end(b, &series);
    row->count = row->solved = (int)steps; /* it took them; nobody verified them */
    row->p50_us = f.p50;
    row->p99_us = f.p99;
    row->worst_residual = NAN;
    row->pivots = NAN;
    note_findings(row, &f);
    return true;
}

void bench_run_scenes(bench *b)
{
    static const char *const names[] = {"stack_1", "stack_5",     "stack_10",   "tower",     "arch",
                                        "cards",   "slope_stick", "slope_slip", "ladder",    "face",
                                        "grasp",   "gripper",     "release",    "insertion", "jack",
                                        "linkage", "cradle",      "dominoes",   "quadruped"};
    const char *package = getenv("ABUT_MUJOCO");
    bool theirs = package;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        scene_run r;
        if (!scene_run_open(&r, names[i], NULL)) {
            bench_note(b, "%s", r.error.text);
            scene_run_close(&r);
            continue;
        }
        int bodies = scene_run_bodies(&r);
        double *places = calloc(6 * (size_t)bodies + 1, sizeof *places);
        if (places)
            run_ours(b, &r, bodies, places);
        else
            b->failed = true;
        if (theirs && !run_theirs(b, &r, bodies, package))
            bench_note(b, "%s: MuJoCo said nothing (ABUT_MUJOCO=%.100s)", names[i], package);
        free(places);
        scene_run_close(&r);
    }
    bench_note(b,
               "size: bodies; overlap_m: the deepest in the second half; slip_m_s: the fastest contact with "
               "a force at the end");
    bench_note(
        b, "creep_m_s: the body that went farthest in the second half; what stands should have 0 of both");
    if (theirs)
        bench_note(
            b, "mujoco: the npm package in node (WebAssembly), same files, step and inputs, its own solver "
               "settings, nobody verifies its answers; abut is native");
    else
        bench_note(b, "beside MuJoCo: npm install @mujoco/mujoco, and its folder in ABUT_MUJOCO");
}
