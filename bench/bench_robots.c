/* `abut bench robots`: problems of robots through the second door, cold and warm. Times are CPU times of whole calls,
 * which build, solve and verify; solve_us is the time of the stages alone, until one believes that it has an answer. */
#include "bench.h"
#include "contact/call.h"
#include "contact_trial.h"
#include "family_robots.h"
#include "timer.h"

#include <stdlib.h>

/* A body on four legs of three links each; so many contacts at every foot. */
static void make_quadruped(robot_scene *s, int feet, bench_random *r)
{
    const double trunk[3] = {0.4, 0.2, 0.1}, limb[3] = {0.04, 0.04, 0.2}, up[3] = {0, 0, 1};
    int body = robot_add_link(s, ROBOT_FREE, 8, trunk, (double[]){0, 0, 0.45}, NULL, NULL);
    for (int leg = 0; leg < 4; ++leg) {
        double x = leg & 1 ? 0.2 : -0.2, y = leg & 2 ? 0.12 : -0.12;
        int hip = robot_add_link(s, body, 0.5, limb, (double[]){x, y, 0.45}, (double[]){x, y, 0.45},
                                 (double[]){1, 0, 0});
        int thigh = robot_add_link(s, hip, 0.8, limb, (double[]){x, y, 0.33}, (double[]){x, y, 0.45},
                                   (double[]){0, 1, 0});
        int shin = robot_add_link(s, thigh, 0.3, limb, (double[]){x, y, 0.1}, (double[]){x, y, 0.22},
                                  (double[]){0, 1, 0});
        for (int i = 0; i < feet; ++i)
            contact_case_add(s->maximal, shin, ABUT_WORLD, 0.6,
                             (double[]){x + (i & 1 ? 0.02 : -0.02), y + (i & 2 ? 0.02 : -0.02), 0}, up);
        const int links[3] = {hip, thigh, shin};
        for (int k = 0; k < 3; ++k) {
            abut_joint *motor = robot_add_hinge_row(s, links[k], bench_uniform(r, -2, 2));
            motor->bounded = true;
            motor->upper = CONTACT_STEP * bench_uniform(r, 2, 25);
            motor->lower = -motor->upper;
            motor->key = (uint64_t)(3 * leg + k) + 1;
        }
    }
    contact_random_wrench(s->maximal, body, 40, 0.2, r);
}

/* A hand of six fingers with four hinges each, closed on a cube that it touches at 30 points. */
static void make_hand(robot_scene *s, int contacts, bench_random *r)
{
    const double side[3] = {0.06, 0.06, 0.06}, limb[3] = {0.015, 0.015, 0.04};
    int cube = robot_add_link(s, ROBOT_FREE, 0.3, side, (double[]){0, 0, 0}, NULL, NULL), tip[6];
    for (int f = 0; f < 6; ++f) {
        double x = f % 2 ? 0.04 : -0.04, y = 0.02 * (f / 2 - 1);
        int parent = ROBOT_WORLD;
        for (int k = 0; k < 4; ++k) {
            double at[3] = {x, y, 0.1 - 0.03 * k}, com[3] = {x, y, 0.085 - 0.03 * k};
            parent = robot_add_link(s, parent, 0.05, limb, com, at,
                                    k == 0 ? (double[]){1, 0, 0} : (double[]){0, 1, 0});
            abut_joint *motor = robot_add_hinge_row(s, parent, (x < 0 ? 1 : -1) * bench_uniform(r, 0, 2));
            motor->bounded = true;
            motor->upper = CONTACT_STEP * bench_uniform(r, 0.05, 0.4);
            motor->lower = -motor->upper;
            motor->key = (uint64_t)(4 * f + k) + 1;
        }
        tip[f] = parent;
    }
    for (int i = 0; i < contacts; ++i) {
        int f = i % 6;
        double x = f % 2 ? 0.03 : -0.03, normal[3] = {f % 2 ? -1 : 1, 0, 0};
        contact_case_add(s->maximal, cube, tip[f], 0.7,
                         (double[]){x, 0.02 * (f / 2 - 1) + 0.004 * (i / 6 % 2), -0.01 + 0.006 * (i / 6)},
                         normal);
    }
}

static void make_family(robot_scene *s, int size, bench_random *r)
{
    robot_family_find("mixed")->make(s, size, r);
}

/* The wrenches of a problem a little later. */
static void move_on(robot_scene *s, bench_random *r)
{
    double *force = s->numbers + (s->generalised.force - s->numbers);
    for (int i = 0; i < s->generalised.nv; ++i) force[i] *= 1 + bench_uniform(r, -0.01, 0.01);
}

/* The stages of the first island as the front runs them, under a clock of their own; the best of a few times. */
static double time_stages(contact_trial *t, const abut_contact_problem *problem)
{
    enum { TIMES = 3 };
    double best = INFINITY;
    for (int i = 0; i < TIMES; ++i) {
        abut_contact_result result;
        abuti_call c = {.work = t->work, .problem = problem, .options = &t->options, .result = &result};
        abuti_verdict verdict = {0};
        const abuti_system *system = NULL;
        if (abuti_call_begin(&c) != ABUT_OK ||
            abuti_prepare_island(&c, &t->work->islands.island[0], &system) != ABUT_OK || !system)
            return NAN;
        abuti_take_start(&c, system);
        int parts = t->work->build.partition.bodies, bodies = parts > system->bodies ? parts : system->bodies;
        double begin = bench_now_us();
        abut_outcome belief = ABUT_FAILED;
        for (int k = 0; k < c.plan->count && belief != ABUT_SOLVED; ++k) {
            const abuti_stage *stage = c.plan->stage[k];
            if (stage->needs_start && !c.context.start) continue;
            if (stage->most_bodies > 0 && bodies > stage->most_bodies) continue;
            belief = abuti_run_stage(&c, stage, system, &verdict);
        }
        best = fmin(best, bench_now_us() - begin);
    }
    return best;
}

static void run(bench *b, const char *name, int size, int usual, bool warm,
                void (*make)(robot_scene *, int, bench_random *))
{
    bench_series series = bench_begin(b, name, size, warm ? "warm" : "cold");
    robot_scene *s = robot_scene_create();
    contact_trial *t = contact_trial_create(ABUT_SOLVER_AUTO, false);
    int count = bench_count(b, usual);
    double *solve = calloc((size_t)count, sizeof *solve);
    b->failed |= !s || !t || !solve;
    if (!b->failed) t->options.warm = warm;
    for (int i = 0; i < count && !b->failed; ++i) {
        bench_random r = bench_random_stream(b->seed, (uint64_t)(i + 100000 * size));
        robot_scene_clear(s);
        make(s, size, &r);
        b->failed |= !robot_scene_reduce(s, false) || !contact_trial_run(t, &s->reduced);
        /* The first run has warmed the caches and grown the workspace; the time of the second run counts. */
        if (warm) move_on(s, &r);
        if (!b->failed) solve[i] = time_stages(t, &s->reduced);
        b->failed |= b->failed || !contact_trial_run(t, &s->reduced);
        if (b->failed) break;
        bench_add(&series, t->cpu_us, t->result.outcome == ABUT_SOLVED && t->check.residual <= 1e-9,
                  t->check.residual, t->result.pivots);
    }
    bench_row *row = bench_end(b, &series);
    if (!b->failed) {
        double median = bench_quantile(solve, count, 0.5);
        bench_extra(row, "solve_us", median);
        bench_extra(row, "solve_yardsticks", median / b->yardstick_us);
    }
    free(solve);
    robot_scene_destroy(s);
    contact_trial_destroy(t);
}

void bench_run_robots(bench *b);

void bench_run_robots(bench *b)
{
    for (int warm = 0; warm < 2; ++warm) {
        run(b, "quadruped", 1, 200, warm, make_quadruped);
        run(b, "quadruped", 4, 200, warm, make_quadruped);
        run(b, "hand", 30, 200, warm, make_hand);
        for (int boxes = 0; boxes <= 40; boxes += boxes < 10 ? 5 : 10)
            run(b, "robot-boxes", boxes, boxes < 20 ? 50 : 20, warm, make_family);
    }
    bench_note(b, "quadruped: contacts a foot; hand: contacts; robot-boxes: boxes. CPU time of whole calls; "
                  "solve_us: the "
                  "stages alone.");
}
