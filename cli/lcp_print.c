#include "lcp_print.h"

#include "io/json_write.h"

#include <math.h>
#include <string.h>

/* ---- active-set's own words ---- */

static const char *phase_name(abut_lcp_phase phase)
{
    static const char *const names[] = {"none", "ellipsoid", "threshold", "fallback"};
    return names[phase];
}

static const char *stall_name(abut_lcp_stall stall)
{
    static const char *const names[] = {"none",         "zero-step",    "empty-set",
                                        "inconsistent", "not-feasible", "inexact"};
    return names[stall];
}

static bool tells_phases(const abut_lcp_result *r)
{
    return r->phase != ABUT_LCP_PHASE_NONE || r->method == ABUT_LCP_ACTIVE_SET;
}

/* ---- the table ---- */

static bool is_free(const abut_lcp_problem *problem, int i)
{
    for (int k = 0; k < problem->free_count; ++k)
        if (problem->free[k] == i) return true;
    return false;
}

static void print_point(FILE *file, const abut_lcp_problem *problem, const double *z, const double *w)
{
    fprintf(file, "%6s %16s %16s\n", "i", "z", "w");
    for (int i = 0; i < problem->n; ++i)
        fprintf(file, "%6d %16.9g %16.9g%s\n", i, z[i], w[i], is_free(problem, i) ? "   free" : "");
}

static void print_vector(FILE *file, const char *title, const double *values, int n)
{
    fprintf(file, "\n%6s %16s\n", "i", title);
    for (int i = 0; i < n; ++i) fprintf(file, "%6d %16.9g\n", i, values[i]);
}

static void print_ray(FILE *file, const lcp_report *report)
{
    const abut_lcp_result *r = &report->result;
    fprintf(file,
            "no solution was found: every path of Lemke's method that was tried (%d) ran off along a ray.\n",
            r->covers + 1);
    if (report->problem->n <= ABUT_LCP_ENUMERATE_MAX)
        fprintf(file, "One may still exist; --all looks at every basis of a problem this small.\n");
    else
        fprintf(file, "One may still exist.\n");
    print_vector(file, "ray", r->ray, r->n);
}

static void print_witness(FILE *file, const abut_lcp_result *r)
{
    fprintf(file,
            "no solution exists: the witness u below has u >= 0, M'u <= 0 and q'u < 0, so that no z >= 0\n"
            "makes w >= 0. The verifier checked it");
    if (isfinite(r->witness_bound))
        fprintf(file, ": any solution would have |z|_1 >= %.3g", r->witness_bound);
    fputs(".\n", file);
    print_vector(file, "witness", r->witness, r->n);
}

static void print_meaning(FILE *file, const lcp_report *report)
{
    const abut_lcp_result *r = &report->result;
    switch (r->outcome) {
    case ABUT_SOLVED:
        fprintf(file, "verified: residual %.2g (tolerance %.0e)\n", r->residual, report->tolerance);
        break;
    case ABUT_RAY: print_ray(file, report); break;
    case ABUT_INFEASIBLE: print_witness(file, r); break;
    case ABUT_LIMIT:
        fprintf(file, "the budget of pivots is spent; below is the best point so far, residual %.2g\n",
                r->residual);
        break;
    case ABUT_FAILED:
        if (r->method == ABUT_LCP_ACTIVE_SET && r->phase != ABUT_LCP_PHASE_FALLBACK) {
            fprintf(file,
                    "the two phases ended without an answer (%s); without --alone the fallback finishes\n",
                    stall_name(r->stall));
            break;
        }
        fprintf(file,
                "no method gave an answer that the verifier accepts; this problem is worth a bug report\n");
        break;
    }
}

void lcp_print_table(FILE *file, const lcp_report *report, const lcp_points *points)
{
    const abut_lcp_result *r = &report->result;
    fprintf(file, "%s: %d variable%s", report->path, r->n, r->n == 1 ? "" : "s");
    if (report->problem->free_count > 0) fprintf(file, ", %d of them free", report->problem->free_count);
    fprintf(file, "\n%s by %s: %d pivot%s, %.1f us\n", abut_outcome_name(r->outcome),
            abut_lcp_method_name(r->method), r->pivots, r->pivots == 1 ? "" : "s", report->time_us);
    print_meaning(file, report);
    if (tells_phases(r))
        fprintf(file, "active-set: ended in phase %s after %d cut%s and %d working-set step%s\n",
                phase_name(r->phase), r->cuts, r->cuts == 1 ? "" : "s", r->steps, r->steps == 1 ? "" : "s");
    if (!points) {
        if (r->z) {
            fputc('\n', file);
            print_point(file, report->problem, r->z, r->w);
        }
        return;
    }
    fprintf(file, "\n%d solution%s at complementary bases\n", points->count, points->count == 1 ? "" : "s");
    size_t n = (size_t)points->n;
    for (int k = 0; k < points->count; ++k) {
        const double *point = points->values + (size_t)k * (2 * n + 1);
        fprintf(file, "\nsolution %d, residual %.2g\n", k, point[2 * n]);
        print_point(file, report->problem, point, point + n);
    }
}

/* ---- JSON ---- */

void lcp_print_json(FILE *file, const lcp_report *report, const lcp_points *points)
{
    const abut_lcp_result *r = &report->result;
    abuti_json json = abuti_json_on(file);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_string(&json, "outcome", abut_outcome_name(r->outcome));
    abuti_json_string(&json, "method", abut_lcp_method_name(r->method));
    abuti_json_integer(&json, "n", r->n);
    abuti_json_integer(&json, "pivots", r->pivots);
    abuti_json_number(&json, "residual", r->residual);
    abuti_json_number(&json, "time_us", report->time_us);
    if (tells_phases(r)) {
        abuti_json_string(&json, "phase", phase_name(r->phase));
        abuti_json_string(&json, "stall", stall_name(r->stall));
        abuti_json_integer(&json, "cuts", r->cuts);
        abuti_json_integer(&json, "steps", r->steps);
    }
    abuti_json_numbers(&json, "z", r->z, r->n);
    abuti_json_numbers(&json, "w", r->w, r->n);
    abuti_json_numbers(&json, "ray", r->ray, r->n);
    abuti_json_numbers(&json, "witness", r->witness, r->n);
    if (r->witness) abuti_json_number(&json, "witness_bound", r->witness_bound);
    if (points) {
        size_t n = (size_t)points->n;
        abuti_json_open(&json, "solutions", '[', true);
        for (int k = 0; k < points->count; ++k) {
            const double *point = points->values + (size_t)k * (2 * n + 1);
            abuti_json_open(&json, NULL, '{', false);
            abuti_json_numbers(&json, "z", point, points->n);
            abuti_json_numbers(&json, "w", point + n, points->n);
            abuti_json_number(&json, "residual", point[2 * n]);
            abuti_json_close(&json, '}');
        }
        abuti_json_close(&json, ']');
    }
    abuti_json_close(&json, '}');
}

/* ---- the trace ---- */

static void print_field(FILE *file, double value)
{
    if (isnan(value))
        fprintf(file, " %12s", "");
    else
        fprintf(file, " %12.5g", value);
}

/* Variables as lcp.h numbers them: z_i is i, w_i is n + i, z0 is 2n. */
static void print_variable(const lcp_trace *trace, int index)
{
    char name[16] = "";
    int n = trace->n;
    if (index == 2 * n)
        snprintf(name, sizeof name, "z0");
    else if (index >= 0)
        snprintf(name, sizeof name, "%c[%d]", index < n ? 'z' : 'w', index < n ? index : index - n);
    fprintf(trace->file, " %9s", name);
}

/* Sets and points are written out up to this many variables. */
enum { SHOWN = 8 };

/* Sharaf's numbers as the paper prints them: f, V_th, the working set and the point. */
static void print_active_set(const abut_lcp_trace *record, const lcp_trace *trace)
{
    FILE *file = trace->file;
    if (record->iteration == 0)
        fprintf(file, "%4s %-12s %12s %12s %12s  %s\n", "step", "", "f", "V_th", "length", "set and z");
    fprintf(file, "%4d %-12s", record->iteration, record->step);
    print_field(file, record->objective);
    print_field(file, record->threshold);
    print_field(file, record->length);
    if (trace->n > SHOWN) {
        fprintf(file, "  %d of %d\n", record->set_count, trace->n);
        return;
    }
    fputs("  {", file);
    for (int i = 0; i < record->set_count; ++i) fprintf(file, "%s%d", i > 0 ? ", " : "", record->set[i]);
    fputs("}  (", file);
    for (int i = 0; i < trace->n; ++i) fprintf(file, "%s%.5g", i > 0 ? ", " : "", record->z[i]);
    fputs(")\n", file);
}

void lcp_print_trace(const abut_lcp_trace *record, void *context)
{
    const lcp_trace *trace = context;
    FILE *file = trace->file;
    if (record->method == ABUT_LCP_ACTIVE_SET) {
        print_active_set(record, trace);
        return;
    }
    if (record->iteration == 0)
        fprintf(file, "%-12s %5s %-12s %9s %9s %12s %12s %12s %12s %6s\n", "method", "step", "", "entering",
                "leaving", "artificial", "objective", "threshold", "length", "set");
    fprintf(file, "%-12s %5d %-12s", abut_lcp_method_name(record->method), record->iteration,
            record->step ? record->step : "");
    print_variable(trace, record->entering);
    print_variable(trace, record->leaving);
    print_field(file, record->z0);
    print_field(file, record->objective);
    print_field(file, record->threshold);
    print_field(file, record->length);
    if (record->set_count >= 0) fprintf(file, " %6d", record->set_count);
    fputc('\n', file);
}
