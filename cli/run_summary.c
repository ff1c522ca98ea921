#include "run_summary.h"

#include "io/json_write.h"

#include <math.h>
#include <stdlib.h>

static const char *const stage_names[ABUT_STEP_STAGES] = {"forces", "broad",     "narrow", "problem",
                                                          "solve",  "integrate", "project"};

bool run_summary_add(run_summary *s, const abut_step_report *report, double seconds)
{
    if (s->steps == s->capacity) {
        long capacity = s->capacity > 0 ? 2 * s->capacity : 1024;
        double *more = realloc(s->seconds, (size_t)capacity * sizeof *more);
        if (!more) return false;
        s->seconds = more;
        s->capacity = capacity;
    }
    double energy = report->kinetic + report->potential;
    if (s->steps == 0) s->energy_first = s->energy_max = energy;
    s->seconds[s->steps++] = seconds;
    s->time = report->time;
    s->unverified += report->outcome != ABUT_SOLVED || report->unsolved > 0;
    s->unsolved += report->unsolved;
    s->contacts += report->contacts;
    s->islands += report->islands;
    if (report->contacts > s->contacts_max) s->contacts_max = report->contacts;
    if (report->islands > s->islands_max) s->islands_max = report->islands;
    s->pivots += report->pivots;
    s->residual = fmax(s->residual, report->residual);
    s->penetration = fmax(s->penetration, report->penetration);
    s->loop_error = fmax(s->loop_error, report->loop_error);
    s->energy_last = energy;
    s->energy_max = fmax(s->energy_max, energy);
    s->kinetic = report->kinetic;
    for (int k = 0; k < ABUT_STEP_STAGES; ++k) s->stages[k] += report->seconds[k];
    return true;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds a step, at this part of the sorted times. */
static double quantile(const run_summary *s, double part)
{
    if (s->steps == 0) return 0;
    long at = (long)(part * (double)s->steps);
    return 1e6 * s->seconds[at < s->steps ? at : s->steps - 1];
}

static double total(const run_summary *s)
{
    double sum = 0;
    for (long i = 0; i < s->steps; ++i) sum += s->seconds[i];
    return sum;
}

static double mean(const run_summary *s, double sum)
{
    return s->steps > 0 ? sum / (double)s->steps : 0;
}

void run_summary_print(FILE *out, run_summary *s)
{
    double all = total(s), staged = 0;
    if (s->steps > 0) qsort(s->seconds, (size_t)s->steps, sizeof *s->seconds, compare);
    for (int k = 0; k < ABUT_STEP_STAGES; ++k) staged += s->stages[k];
    fprintf(out, "%s: %ld steps of %g s, %g s%s\n", s->scene, s->steps, s->step, s->time,
            s->interrupted ? ", interrupted" : "");
    if (s->see) fprintf(out, "to see        %s\n", s->see);
    fprintf(out, "model         %s, solver %s\n", s->model, s->solver);
    fprintf(out, "verified      %ld of %ld steps, worst residual %.1e\n", s->steps - s->unverified, s->steps,
            s->residual);
    if (s->unsolved > 0) fprintf(out, "unsolved      %ld islands took the safe step\n", s->unsolved);
    fprintf(out, "contacts      %.1f mean, %d max;  islands %.1f mean, %d max;  pivots %lld\n",
            mean(s, s->contacts), s->contacts_max, mean(s, s->islands), s->islands_max, s->pivots);
    fprintf(out, "penetration   %.1e m at most;  loops open by %.1e at most\n", s->penetration,
            s->loop_error);
    fprintf(out, "energy        %.6g J at first, %.6g J at last (%.3g J of motion), %.6g J at most\n",
            s->energy_first, s->energy_last, s->kinetic, s->energy_max);
    fprintf(out, "time a step   %.1f us p50, %.1f us p99, %.1f us max;  %.1f times real time\n",
            quantile(s, 0.5), quantile(s, 0.99), quantile(s, 1), all > 0 ? s->time / all : 0);
    fprintf(out, "stages       ");
    for (int k = 0; k < ABUT_STEP_STAGES; ++k)
        fprintf(out, " %s %.0f%%", stage_names[k], staged > 0 ? 100 * s->stages[k] / staged : 0);
    fputc('\n', out);
}

void run_summary_json(FILE *out, run_summary *s)
{
    double all = total(s), staged = 0;
    if (s->steps > 0) qsort(s->seconds, (size_t)s->steps, sizeof *s->seconds, compare);
    for (int k = 0; k < ABUT_STEP_STAGES; ++k) staged += s->stages[k];
    abuti_json json = abuti_json_on(out);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_string(&json, "scene", s->scene);
    abuti_json_string(&json, "model", s->model);
    abuti_json_string(&json, "solver", s->solver);
    abuti_json_integer(&json, "steps", s->steps);
    abuti_json_number(&json, "step", s->step);
    abuti_json_number(&json, "time", s->time);
    abuti_json_bool(&json, "interrupted", s->interrupted);
    abuti_json_integer(&json, "unverified", s->unverified);
    abuti_json_integer(&json, "unsolved", s->unsolved);
    abuti_json_number(&json, "residual", s->residual);
    abuti_json_number(&json, "contacts_mean", mean(s, s->contacts));
    abuti_json_integer(&json, "contacts_max", s->contacts_max);
    abuti_json_number(&json, "islands_mean", mean(s, s->islands));
    abuti_json_integer(&json, "islands_max", s->islands_max);
    abuti_json_integer(&json, "pivots", s->pivots);
    abuti_json_number(&json, "penetration", s->penetration);
    abuti_json_number(&json, "loop_error", s->loop_error);
    abuti_json_number(&json, "energy_first", s->energy_first);
    abuti_json_number(&json, "energy_last", s->energy_last);
    abuti_json_number(&json, "energy_max", s->energy_max);
    abuti_json_number(&json, "kinetic", s->kinetic);
    abuti_json_number(&json, "p50_us", quantile(s, 0.5));
    abuti_json_number(&json, "p99_us", quantile(s, 0.99));
    abuti_json_number(&json, "max_us", quantile(s, 1));
    abuti_json_number(&json, "real_time_factor", all > 0 ? s->time / all : 0);
    abuti_json_open(&json, "stages", '{', false);
    for (int k = 0; k < ABUT_STEP_STAGES; ++k)
        abuti_json_number(&json, stage_names[k], staged > 0 ? s->stages[k] / staged : 0);
    abuti_json_close(&json, '}');
    abuti_json_close(&json, '}');
    fputc('\n', out);
}

void run_summary_release(run_summary *s)
{
    free(s->seconds);
    s->seconds = NULL;
}
