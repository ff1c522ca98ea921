/* abut bench piles: one island of 30 to 1,000 bodies, solved cold by default options.
 *
 * Columns besides those of every benchmark: bodies, contacts and joint rows of the last problem, the median time for each
 * body in microseconds and in yardsticks, and the same for a second call that starts from the states of the first. A
 * problem may take LIMIT_S seconds; what is not solved by then counts as not solved. */
#include "bench.h"
#include "contact_trial.h"
#include "family_piles.h"

void bench_run_piles(bench *b);

enum { LIMIT_S = 20, MOST = 64 };

static const struct {
    int bodies, count;
} sizes[] = {{30, 20}, {100, 10}, {300, 4}, {1000, 2}};

static void run_size(bench *b, const pile_family *family, int bodies, int count, contact_case *c)
{
    bench_series series = bench_begin(b, family->name, bodies, "auto");
    double again[MOST];
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int i = 0; i < count && trial; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)i);
        contact_case_clear(c);
        family->make(c, bodies, &random);
        trial->options.max_seconds = LIMIT_S;
        trial->options.warm = false;
        b->failed = b->failed || c->failed || !contact_trial_run(trial, &c->problem);
        if (b->failed) break;
        bool right = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-9;
        bench_add(&series, trial->us, right, trial->check.residual, trial->result.pivots);
        trial->options.warm = true;
        contact_trial_run(trial, &c->problem);
        contact_trial_run(trial, &c->problem);
        again[i] = trial->us;
    }
    bench_row *row = bench_end(b, &series);
    if (row && count > 0 && !b->failed) {
        double each = row->p50_us / c->problem.body_count;
        bench_extra(row, "bodies", c->problem.body_count);
        bench_extra(row, "contacts", c->problem.contact_count);
        bench_extra(row, "joints", c->problem.joint_count);
        bench_extra(row, "us_a_body", each);
        bench_extra(row, "yardsticks_a_body", each / b->yardstick_us);
        bench_extra(row, "again_us_a_body", bench_quantile(again, count, 0.5) / c->problem.body_count);
    }
    contact_trial_destroy(trial);
}

void bench_run_piles(bench *b)
{
    contact_case *c = contact_case_create();
    b->failed = b->failed || !c;
    for (int f = 0; f < pile_family_count && !b->failed; ++f) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !b->failed; ++k) {
            int count = bench_count(b, sizes[k].count);
            if (count > sizes[k].count && sizes[k].bodies > 100) count = sizes[k].count;
            run_size(b, &pile_families[f], sizes[k].bodies, count < MOST ? count : MOST, c);
        }
    }
    contact_case_destroy(c);
}
