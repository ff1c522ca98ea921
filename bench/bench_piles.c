/* abut bench piles: one island of 30 to 1,000 bodies, solved cold by default options; abut bench piles-large: 3,000 and
 * 10,000.
 *
 * Columns besides those of every benchmark: bodies, contacts and joint rows of the last problem; the median time for
 * each body in microseconds and in yardsticks, and the same for a second call that starts from the states of the first;
 * the bytes of the workspace, in millions; and the exponent with which time has grown from the size before, where both
 * are solved, else 0. A problem may take LIMIT_S seconds, a large one LARGE_LIMIT_S; one that takes longer counts as
 * not solved. */
#include "bench.h"
#include "contact_trial.h"
#include "family_piles.h"
#include <math.h>

void bench_run_piles(bench *b);
void bench_run_piles_large(bench *b);

enum { LIMIT_S = 20, LARGE_LIMIT_S = 60, MOST = 64 };

typedef struct pile_size {
    int bodies, count, limit_s;
} pile_size;

static const pile_size usual[] = {{30, 20, LIMIT_S},
                                  {100, 10, LIMIT_S},
                                  {300, 4, LIMIT_S},
                                  {1000, 2, LIMIT_S},
                                  {0}},
                       large[] = {{3000, 1, LARGE_LIMIT_S}, {10000, 1, LARGE_LIMIT_S}, {0}};

/* Bodies and median time of the last size that was solved. */
typedef struct solved_size {
    double bodies, us;
} solved_size;

static void run_size(bench *b, const pile_family *family, const pile_size *size, int count, contact_case *c,
                     solved_size *last)
{
    bench_series series = bench_begin(b, family->name, size->bodies, "auto");
    double again[MOST];
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (int i = 0; i < count && trial; ++i) {
        bench_random random = bench_random_stream(b->seed, (uint64_t)i);
        contact_case_clear(c);
        family->make(c, size->bodies, &random);
        trial->options.max_seconds = size->limit_s;
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
        bench_extra(row, "workspace_mb", 1e-6 * (double)abut_contact_workspace_bytes(&trial->limits));
        bool solved = row->solved == row->count;
        double growth = log(row->p50_us / last->us) / log(c->problem.body_count / last->bodies);
        bench_extra(row, "growth", solved && last->us > 0.0 ? growth : 0.0);
        *last = solved ? (solved_size){c->problem.body_count, row->p50_us} : (solved_size){0};
    }
    contact_trial_destroy(trial);
}

static void run_sizes(bench *b, const pile_size *sizes)
{
    contact_case *c = contact_case_create();
    b->failed = b->failed || !c;
    for (int f = 0; f < pile_family_count && !b->failed; ++f) {
        solved_size last = {0};
        for (const pile_size *size = sizes; size->bodies > 0 && !b->failed; ++size) {
            int count = bench_count(b, size->count);
            if (count > size->count && size->bodies > 100) count = size->count;
            run_size(b, &pile_families[f], size, count < MOST ? count : MOST, c, &last);
        }
    }
    contact_case_destroy(c);
}

void bench_run_piles(bench *b)
{
    run_sizes(b, usual);
}

void bench_run_piles_large(bench *b)
{
    run_sizes(b, large);
}
