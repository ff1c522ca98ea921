/* `abut bench grasp`: Drumwright's section VII-A, and how the time of `ppm` grows with the contacts. */
#include "bench.h"
#include "contact_trial.h"
#include "grasp.h"

#include <math.h>
#include <string.h>

void bench_run_grasp(bench *b);

/* One way to answer the grasp. */
typedef struct method {
    abut_contact_model model;
    abut_contact_solver solver;
    double paper; /* the paper's time against its Stewart-Trinkle by Lemke; 0: not in the paper */
} method;

static const method methods[] = {
    {ABUT_COULOMB, ABUT_SOLVER_LEMKE, 1.0},   {ABUT_COULOMB, ABUT_SOLVER_REDUCED, 0.0},
    {ABUT_COULOMB, ABUT_SOLVER_FACES, 0.0},   {ABUT_NO_SLIP, ABUT_SOLVER_PPM, 10.9681 / 1.6680},
    {ABUT_NO_SLIP, ABUT_SOLVER_DANTZIG, 0.0}, {ABUT_NO_SLIP, ABUT_SOLVER_ACTIVE_SET, 10.9681 / 1.9892},
};

/* Largest distance a box has moved. */
static double drift(const contact_case *now, const contact_case *start)
{
    double most = 0.0;
    for (int b = GRASP_FIRST_BOX; b < GRASP_FIRST_BOX + GRASP_BOXES; ++b)
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(now->bodies[b].com[k] - start->bodies[b].com[k]));
    return most;
}

/* `steps` steps from rest; adds each solve to the series. Returns the time of all solves. */
static double simulate(contact_case *c, contact_trial *trial, int steps, bench_series *series,
                       int *most_pivots)
{
    double total = 0.0;
    for (int i = 0; i < steps; ++i) {
        if (!contact_trial_run(trial, &c->problem)) return NAN;
        total += trial->us;
        bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-10;
        bench_add(series, trial->us, solved, trial->check.residual, trial->result.pivots);
        if (trial->result.pivots > *most_pivots) *most_pivots = trial->result.pivots;
        if (!trial->result.velocity) return NAN;
        grasp_advance(c, trial->result.velocity);
    }
    return total;
}

/* Ten steps, ten times, as the paper's table; then a hundred steps for the drift. Returns the median of a
 * solve. */
static double run_method(bench *b, const method *m, grasp_contacts contacts, double lemke_p50)
{
    contact_case *c = contact_case_create(), *start = contact_case_create();
    contact_trial *trial = contact_trial_create(m->solver, false);
    char name[BENCH_NAME_MAX];
    snprintf(name, sizeof name, "%s %s", abut_contact_model_name(m->model),
             abut_contact_solver_name(m->solver));
    const char *family = contacts == GRASP_CORNERS ? "grasp-corners" : "grasp-points";
    bench_series series = bench_begin(b, family, 36, name);
    double median = NAN;
    if (c && start && trial) {
        const int trials = bench_count(b, 10);
        double sum = 0.0, squares = 0.0;
        int most_pivots = 0;
        for (int i = 0; i < trials; ++i) {
            grasp_make(c, contacts, m->model);
            double us = simulate(c, trial, 10, &series, &most_pivots);
            sum += us;
            squares += us * us;
        }
        const double mean = sum / trials;
        grasp_make(c, contacts, m->model);
        grasp_make(start, contacts, m->model);
        simulate(c, trial, 100, &series, &most_pivots);
        bench_row *row = bench_end(b, &series);
        bench_extra(row, "ten_steps_us", mean);
        bench_extra(row, "sigma_us", sqrt(fmax(squares / trials - mean * mean, 0.0)));
        median = row->p50_us;
        bench_extra(row, "times_faster", (isnan(lemke_p50) ? median : lemke_p50) / median);
        bench_extra(row, "paper_times_faster", m->paper > 0.0 ? m->paper : NAN);
        bench_extra(row, "most_pivots", most_pivots);
        bench_extra(row, "drift_m", drift(c, start));
    } else {
        b->failed = true;
        bench_end(b, &series);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
    contact_case_destroy(start);
    return median;
}

/* n contacts on one or two bodies: ppm against the dense methods. */
static void run_scaling(bench *b, int bodies, int n, abut_contact_solver solver)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(solver, false);
    bench_series series =
        bench_begin(b, bodies == 1 ? "one-body" : "two-bodies", n, abut_contact_solver_name(solver));
    if (c && trial) {
        for (int i = 0; i < bench_count(b, n > 256 && solver != ABUT_SOLVER_PPM ? 3 : 20); ++i) {
            bench_random random = bench_random_stream(b->seed, (uint64_t)(i + 1000 * n + bodies));
            grasp_pile(c, bodies, n, &random);
            c->problem.model = ABUT_NO_SLIP;
            if (!contact_trial_run(trial, &c->problem)) continue;
            bool solved = trial->result.outcome == ABUT_SOLVED && trial->check.residual <= 1e-10;
            bench_add(&series, trial->us, solved, trial->check.residual, trial->result.pivots);
        }
    } else {
        b->failed = true;
    }
    bench_end(b, &series);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

void bench_run_grasp(bench *b)
{
    for (grasp_contacts contacts = GRASP_CORNERS; contacts <= GRASP_POINTS; ++contacts) {
        double lemke_p50 = NAN;
        for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
            double median = run_method(b, &methods[k], contacts, lemke_p50);
            if (k == 0) lemke_p50 = median;
        }
    }
    static const abut_contact_solver solvers[] = {ABUT_SOLVER_PPM, ABUT_SOLVER_DANTZIG, ABUT_SOLVER_LEMKE};
    for (int bodies = 1; bodies <= 2; ++bodies)
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; ++k)
            for (int n = 8; n <= (solvers[k] == ABUT_SOLVER_PPM ? 2048 : 512); n *= 2)
                run_scaling(b, bodies, n, solvers[k]);
    for (int bodies = 1; bodies <= 2; ++bodies) {
        const char *family = bodies == 1 ? "one-body" : "two-bodies";
        bench_note(
            b, "%s: time grows as n^%.2f (ppm, n = 8 to 2048), n^%.2f (dantzig, 64 to 512), n^%.2f (lemke)",
            family, bench_exponent(b, family, "ppm", 8, 2048), bench_exponent(b, family, "dantzig", 64, 512),
            bench_exponent(b, family, "lemke", 64, 512));
    }
    bench_note(b, "times_faster: median against coulomb lemke's median in this run; the paper's own ratio of "
                  "means beside it");
}
