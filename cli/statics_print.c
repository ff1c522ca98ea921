#include "statics_print.h"

#include <math.h>
#include <stdlib.h>

bool statics_find(const contact_report *report, abut_statics *out)
{
    const abut_contact_problem *problem = report->problem;
    size_t n = (size_t)problem->contact_count, numbers = 6 * (size_t)problem->body_count;
    *out = (abut_statics){.margin = calloc(n + 1, sizeof(double)),
                          .used = calloc(n + 1, sizeof(double)),
                          .net_wrench = calloc(numbers + 1, sizeof(double))};
    return out->margin != NULL && out->used != NULL && out->net_wrench != NULL &&
           abut_statics_find(problem, &report->result, out) == ABUT_OK;
}

void statics_release(abut_statics *s)
{
    free(s->margin);
    free(s->used);
    free(s->net_wrench);
    *s = (abut_statics){0};
}

static double cleaned(double value, double largest)
{
    return fabs(value) <= 1e-12 * largest ? 0 : value;
}

void statics_print_table(FILE *file, const contact_report *report, const abut_statics *s)
{
    const abut_contact_problem *problem = report->problem;
    double largest = 0;
    for (int i = 0; i < problem->contact_count; i++)
        largest = fmax(largest, report->result.contacts[i].normal);
    fprintf(file, "\nstatics: %s\n",
            s->equilibrium ? "in equilibrium" : "not in equilibrium: something accelerates");
    if (problem->contact_count > 0)
        fprintf(file, "\n%7s %14s %14s %14s %8s\n", "contact", "normal N", "friction N", "margin N", "used");
    for (int i = 0; i < problem->contact_count; i++) {
        const abut_contact_answer *a = &report->result.contacts[i];
        fprintf(file, "%7d %14.6g %14.6g ", i, cleaned(a->normal, largest),
                cleaned(hypot(a->tangent[0], a->tangent[1]), largest));
        if (isnan(s->margin[i]))
            fprintf(file, "%14s ", "-");
        else
            fprintf(file, "%14.6g ", cleaned(s->margin[i], largest));
        if (isnan(s->used[i]))
            fprintf(file, "%8s\n", "-");
        else
            fprintf(file, "%7.1f%%\n", 100 * s->used[i]);
    }
    if (problem->body_count > 0)
        fprintf(file, "\n%7s  net wrench: force N, moment N m at the centre of mass\n", "body");
    for (int b = 0; b < problem->body_count; b++) {
        fprintf(file, "%7d ", b);
        for (int c = 0; c < 6; c++)
            fprintf(file, "%s%12.5g", c == 3 ? "  " : "", cleaned(s->net_wrench[6 * b + c], largest));
        fputc('\n', file);
    }
}

void statics_print_json(abuti_json *json, const contact_report *report, const abut_statics *s)
{
    const abut_contact_problem *problem = report->problem;
    abuti_json_open(json, "statics", '{', true);
    abuti_json_bool(json, "equilibrium", s->equilibrium);
    abuti_json_numbers(json, "margins", s->margin, problem->contact_count);
    abuti_json_open(json, "used", '[', false);
    for (int i = 0; i < problem->contact_count; i++) {
        if (isnan(s->used[i]))
            abuti_json_null(json, NULL);
        else
            abuti_json_number(json, NULL, s->used[i]);
    }
    abuti_json_close(json, ']');
    if (problem->body_count > 0) {
        abuti_json_open(json, "net_wrench", '[', true);
        for (int b = 0; b < problem->body_count; b++)
            abuti_json_numbers(json, NULL, s->net_wrench + 6 * b, 6);
        abuti_json_close(json, ']');
    } else {
        abuti_json_null(json, "net_wrench");
    }
    abuti_json_close(json, '}');
}
