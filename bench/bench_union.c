/* `abut bench union`: what the search costs. One union is active; the same problem with the right side chosen
 * by hand, as an ordinary contact, is the measure: at most 4 times its time is allowed. */
#include "abut/union.h"
#include "bench.h"
#include "contact_trial.h"
#include "family_unions.h"

#include <math.h>
#include <stdlib.h>

void bench_run_union(bench *b);

/* Copies the problem and keeps, of each union, only the sides that push. False unless exactly one union of two sides
 * or more pushes, and does so with one side. */
static bool choose_by_hand(const contact_case *from, const abut_contact_result *answer, contact_case *to)
{
    contact_case_clear(to);
    int pushing = 0;
    for (int i = 0; i < from->problem.body_count; ++i) {
        const abut_body *body = &from->bodies[i];
        int copy = contact_case_body(to, body->mass, body->inertia, body->com);
        if (!to->failed) to->bodies[copy] = *body;
    }
    for (int i = 0; i < from->problem.contact_count; ++i) {
        const abut_contact *c = &from->contacts[i];
        bool side = abut_union_is_side(&from->problem, i);
        if (side && !(answer->contacts[i].normal > 0)) continue;
        pushing += side;
        int copy = contact_case_add(to, c->bodies[0], c->bodies[1], c->friction, c->point, c->normal);
        if (!to->failed) to->contacts[copy] = *c;
    }
    to->problem.step = from->problem.step;
    return pushing == 1 && !to->failed;
}

/* The least of a few runs: the clock is coarse and the machine busy. */
static double least_time(contact_trial *trial, const abut_contact_problem *problem, bool *fine)
{
    double least = INFINITY;
    for (int k = 0; k < 5 && *fine; ++k) {
        *fine = contact_trial_run(trial, problem) && trial->result.outcome == ABUT_SOLVED;
        least = fmin(least, trial->us);
    }
    return least;
}

void bench_run_union(bench *b)
{
    contact_case *c = contact_case_create(), *hand = contact_case_create();
    contact_trial *searched = contact_trial_create(ABUT_SOLVER_AUTO, false);
    contact_trial *chosen = contact_trial_create(ABUT_SOLVER_AUTO, false);
    bench_series search = bench_begin(b, "union", 1, "search"),
                 by_hand = bench_begin(b, "union", 1, "by hand");
    b->failed = !c || !hand || !searched || !chosen;
    int wanted = bench_count(b, 1000), found = 0;
    double *times = calloc((size_t)wanted + 1, sizeof *times); /* search / by hand, of each problem */
    b->failed = b->failed || !times;
    for (int i = 0; i < 40 * wanted && found < wanted && !b->failed; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)i);
        b->failed = !family_unions_make(c, &random) || !contact_trial_run(searched, &c->problem);
        if (b->failed || searched->result.outcome != ABUT_SOLVED ||
            !choose_by_hand(c, &searched->result, hand))
            continue;
        bool fine = true;
        double ours = least_time(searched, &c->problem, &fine),
               theirs = least_time(chosen, &hand->problem, &fine);
        if (!fine) continue;
        times[found++] = ours / theirs;
        bench_add(&search, ours, searched->check.residual <= 1e-9, searched->check.residual,
                  searched->result.pivots);
        bench_add(&by_hand, theirs, chosen->check.residual <= 1e-9, chosen->check.residual,
                  chosen->result.pivots);
    }
    (void)bench_end(b, &search);
    (void)bench_end(b, &by_hand);
    if (found > 0)
        bench_note(b,
                   "one active union, problem by problem: the search takes %.2f times the right side by hand "
                   "(p50; limit 4), %.2f at p90, %.2f at p95, %.2f at p99",
                   bench_quantile(times, found, 0.5), bench_quantile(times, found, 0.9),
                   bench_quantile(times, found, 0.95), bench_quantile(times, found, 0.99));
    free(times);
    contact_case_destroy(c);
    contact_case_destroy(hand);
    contact_trial_destroy(searched);
    contact_trial_destroy(chosen);
}
