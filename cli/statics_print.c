#include "statics_print.h"
#include "models.h"

#include <math.h>
#include <stdlib.h>

static bool find_ranges(const contact_report *report, statics_report *out)
{
    const abut_contact_problem *problem = report->problem;
    size_t n = (size_t)problem->contact_count, size = abut_statics_ranges_size(problem);
    if (size == 0 || !model_is_coulomb_accel(problem->model)) return true;
    double *scratch = malloc(size * sizeof *scratch);
    out->ranges.least = calloc(n + 1, sizeof(double));
    out->ranges.most = calloc(n + 1, sizeof(double));
    out->ranged = scratch && out->ranges.least && out->ranges.most &&
                  abut_statics_find_ranges(problem, &report->result, scratch, &out->ranges) == ABUT_OK;
    free(scratch);
    return out->ranged;
}

bool statics_find(const contact_report *report, statics_report *out)
{
    const abut_contact_problem *problem = report->problem;
    size_t n = (size_t)problem->contact_count, numbers = 6 * (size_t)problem->body_count;
    *out = (statics_report){.now = {.margin = calloc(n + 1, sizeof(double)),
                                    .used = calloc(n + 1, sizeof(double)),
                                    .net_wrench = calloc(numbers + 1, sizeof(double))}};
    return out->now.margin && out->now.used && out->now.net_wrench &&
           abut_statics_find(problem, &report->result, &out->now) == ABUT_OK && find_ranges(report, out);
}

void statics_release(statics_report *s)
{
    double *all[] = {s->now.margin, s->now.used, s->now.net_wrench, s->ranges.least, s->ranges.most};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
    *s = (statics_report){0};
}

static double cleaned(double value, double largest)
{
    return fabs(value) <= 1e-12 * largest ? 0 : value;
}

/* The best margin beside that of the answer: redundant contacts may share the load in other ways. */
static void print_best(FILE *file, const contact_report *report, const statics_report *s)
{
    double worst = NAN, best = s->ranges.used;
    int at = -1;
    for (int i = 0; i < report->problem->contact_count; ++i) {
        if (!(s->now.used[i] > worst || (at < 0 && !isnan(s->now.used[i])))) continue;
        worst = s->now.used[i];
        at = i;
    }
    if (at >= 0)
        fprintf(file, "friction used: at most %.1f %% in these forces (contact %d)", 100 * worst, at);
    if (at >= 0 && s->ranged) fputs("; ", file);
    if (!s->ranged) {
        if (at >= 0) fputc('\n', file);
    } else if (best <= 1) {
        fprintf(file, "of all forces that hold it at rest the best use %.1f %%\n", 100 * best);
    } else if (best < INFINITY) {
        fprintf(file, "no forces hold it at rest, %.4g times the friction would\n", best);
    } else {
        fputs("no forces hold it at rest, whatever the friction\n", file);
    }
}

static void print_number(FILE *file, int width, double value)
{
    if (isnan(value))
        fprintf(file, " %*s", width, "-");
    else
        fprintf(file, " %*.6g", width, value);
}

void statics_print_table(FILE *file, const contact_report *report, const statics_report *s)
{
    const abut_contact_problem *problem = report->problem;
    double largest = 0;
    for (int i = 0; i < problem->contact_count; ++i)
        largest = fmax(largest, report->result.contacts[i].normal);
    fprintf(file, "\nstatics: %s\n",
            s->now.equilibrium ? "in equilibrium" : "not in equilibrium: something accelerates");
    print_best(file, report, s);
    if (problem->contact_count > 0)
        fprintf(file, "\n%7s %12s %12s %12s %8s%s\n", "contact", "normal N", "friction N", "margin N", "used",
                s->ranged ? "  normal N at rest: least, most" : "");
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact_answer *a = &report->result.contacts[i];
        fprintf(file, "%7d", i);
        print_number(file, 12, cleaned(a->normal, largest));
        print_number(file, 12, cleaned(hypot(a->tangent[0], a->tangent[1]), largest));
        print_number(file, 12, cleaned(s->now.margin[i], largest));
        if (isnan(s->now.used[i]))
            fprintf(file, " %8s", "-");
        else
            fprintf(file, " %7.1f%%", 100 * s->now.used[i]);
        if (s->ranged) {
            print_number(file, 12, s->ranges.least[i] <= 1e-9 * largest ? 0 : s->ranges.least[i]);
            print_number(file, 12, s->ranges.most[i] <= 1e-9 * largest ? 0 : s->ranges.most[i]);
        }
        fputc('\n', file);
    }
    if (problem->body_count > 0)
        fprintf(file, "\n%7s  net wrench: force N, moment N m at the centre of mass\n", "body");
    for (int b = 0; b < problem->body_count; ++b) {
        fprintf(file, "%7d ", b);
        for (int c = 0; c < 6; ++c)
            fprintf(file, "%s%12.5g", c == 3 ? "  " : "", cleaned(s->now.net_wrench[6 * b + c], largest));
        fputc('\n', file);
    }
}

/* Null for what is no number: none, or without end. */
static void json_number(abuti_json *json, const char *name, double value)
{
    if (isfinite(value))
        abuti_json_number(json, name, value);
    else
        abuti_json_null(json, name);
}

static void json_ranges(abuti_json *json, const contact_report *report, const statics_report *s)
{
    if (!s->ranged) {
        abuti_json_null(json, "possible");
        abuti_json_null(json, "best_used");
        abuti_json_null(json, "normal_ranges");
        return;
    }
    abuti_json_bool(json, "possible", s->ranges.possible);
    json_number(json, "best_used", s->ranges.used);
    abuti_json_open(json, "normal_ranges", '[', true);
    for (int i = 0; i < report->problem->contact_count; ++i) {
        abuti_json_open(json, NULL, '[', false);
        json_number(json, NULL, s->ranges.least[i]);
        json_number(json, NULL, s->ranges.most[i]);
        abuti_json_close(json, ']');
    }
    abuti_json_close(json, ']');
}

void statics_print_json(abuti_json *json, const contact_report *report, const statics_report *s)
{
    const abut_contact_problem *problem = report->problem;
    abuti_json_open(json, "statics", '{', true);
    abuti_json_bool(json, "equilibrium", s->now.equilibrium);
    abuti_json_numbers(json, "margins", s->now.margin, problem->contact_count);
    abuti_json_open(json, "used", '[', false);
    for (int i = 0; i < problem->contact_count; ++i) json_number(json, NULL, s->now.used[i]);
    abuti_json_close(json, ']');
    json_ranges(json, report, s);
    if (problem->body_count > 0) {
        abuti_json_open(json, "net_wrench", '[', true);
        for (int b = 0; b < problem->body_count; ++b)
            abuti_json_numbers(json, NULL, s->now.net_wrench + 6 * b, 6);
        abuti_json_close(json, ']');
    } else {
        abuti_json_null(json, "net_wrench");
    }
    abuti_json_close(json, '}');
}
