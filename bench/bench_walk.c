/* `abut bench walk`: Drumwright, section VII-B. A quadruped goes over a heightfield with a gait that knows nothing of
 * the ground, under one model of friction after the other. The rows say how far it comes, how far it drifts, how its
 * feet slide, its energy, and the time of a step. */
#include "bench.h"
#include "scene_run.h"
#include "timer.h"

#include <math.h>
#include <string.h>

void bench_run_walk(bench *b);

enum { TRUNK = 0 }; /* the first body of the scene */

static abut_body_state trunk_of(const scene_run *r)
{
    abut_body_state state;
    memset(&state, 0, sizeof state);
    abut_body_get_state(r->simulation->world, r->simulation->bodies[TRUNK + 1], &state);
    return state;
}

/* Degrees about z. */
static double heading_of(const abut_body_state *s)
{
    const double *q = s->rotation;
    return atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3])) * 180 /
           3.14159265358979;
}

static void walk(bench *b, const char *model)
{
    scene_run r;
    if (!scene_run_open(&r, "quadruped", model)) {
        bench_note(b, "%s: %s", model, r.error.text);
        scene_run_close(&r);
        return;
    }
    bench_series series = bench_begin(b, "quadruped", scene_run_bodies(&r), model);
    abut_body_state before = trunk_of(&r);
    double slip = 0, kinetic = 0, energy = 0, overlap = 0;
    long done = 0;
    for (; done < r.steps; ++done) {
        double start = bench_now_us();
        if (!scene_run_step(&r)) break;
        double us = bench_now_us() - start;
        bench_add(&series, us, r.report.outcome == ABUT_SOLVED && r.report.unsolved == 0, r.report.residual,
                  (int)r.report.pivots);
        slip += scene_run_slip(&r);
        kinetic += r.report.kinetic;
        energy += r.report.kinetic + r.report.potential;
        overlap = fmax(overlap, r.report.penetration);
    }
    abut_body_state after = trunk_of(&r);
    bench_row *row = bench_end(b, &series);
    bench_extra(row, "x_m", after.position[0] - before.position[0]);
    bench_extra(row, "y_m", after.position[1] - before.position[1]);
    bench_extra(row, "turned_deg", heading_of(&after) - heading_of(&before));
    bench_extra(row, "slip_m_s", slip / (double)done);
    bench_extra(row, "kinetic_J", kinetic / (double)done);
    bench_extra(row, "energy_J", energy / (double)done);
    bench_extra(row, "overlap_m", overlap);
    scene_run_close(&r);
}

void bench_run_walk(bench *b)
{
    static const char *const models[] = {"no-slip", "viscous", "coulomb", "coulomb-accel", "frictionless"};
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) walk(b, models[i]);
    bench_note(
        b,
        "x_m, y_m, turned_deg: where the trunk went; its way is along -x, so y_m and turned_deg are drift");
    bench_note(b, "slip_m_s: the fastest foot that carries; kinetic_J, energy_J: means over the walk");
}
