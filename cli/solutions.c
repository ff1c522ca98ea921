#include "solutions.h"
#include "models.h"

#include "abut/union.h"
#include "io/contact_file.h"

#include <stdlib.h>
#include <string.h>

static size_t stride(const solutions *s)
{
    return 1 + 3 * (size_t)s->contacts + (size_t)s->numbers + (size_t)s->joints;
}

static bool take(const abut_contact_result *result, void *context)
{
    solutions *s = context;
    double *grown = realloc(s->values, (size_t)(s->count + 1) * stride(s) * sizeof *grown);
    if (!grown) {
        s->failed = true;
        return false;
    }
    s->values = grown;
    double *at = grown + (size_t)s->count * stride(s);
    at[0] = result->residual;
    for (int i = 0; i < s->contacts; ++i) {
        at[1 + 3 * i] = result->contacts[i].normal;
        at[2 + 3 * i] = result->contacts[i].tangent[0];
        at[3 + 3 * i] = result->contacts[i].tangent[1];
    }
    if (s->numbers > 0)
        memcpy(at + 1 + 3 * s->contacts, result->velocity, (size_t)s->numbers * sizeof(double));
    if (s->joints > 0)
        memcpy(at + 1 + 3 * s->contacts + s->numbers, result->joints, (size_t)s->joints * sizeof(double));
    s->count++;
    return true;
}

abut_status solutions_find(abut_contact_workspace *work, const abut_contact_problem *problem,
                           const abut_contact_options *options, solutions *out)
{
    int count = 0;
    *out = (solutions){.accelerates = model_is_coulomb_accel(problem->model),
                       .contacts = problem->contact_count,
                       .joints = problem->joint_count,
                       .numbers = abuti_contact_numbers(problem)};
    abut_status status = out->accelerates ? abut_accel_all(work, problem, options, take, out, &count)
                                          : abut_union_all(work, problem, options, take, out, &count);
    out->cut_short = status != ABUT_OK || (out->accelerates && out->count == ABUT_ACCEL_ALL_MAX);
    /* The answers that are found for capped unions are not all that there are (union.h). */
    bool several = !out->accelerates && options->unions.rule == ABUT_UNION_SUM;
    out->complete = !out->cut_short && !several;
    if (out->failed) return ABUT_OUT_OF_MEMORY;
    return status == ABUT_TOO_LARGE ? ABUT_OK : status; /* what was found is right all the same */
}

void solutions_release(solutions *s)
{
    free(s->values);
    *s = (solutions){0};
}

void solutions_print(FILE *file, const solutions *s)
{
    const char *what = s->accelerates ? "motion" : "answer";
    fprintf(file, "\n%d %s%s %s\n", s->count, what, s->count == 1 ? "" : "s",
            s->complete    ? "in all"
            : s->cut_short ? "found; the search was cut short, there may be more"
                           : "found, one for each choice of sides that has one");
    for (int k = 0; k < s->count; ++k) {
        const double *at = s->values + (size_t)k * stride(s);
        fprintf(file, "%3d: normal %s", k + 1, s->accelerates ? "forces N" : "impulses N s");
        for (int i = 0; i < s->contacts; ++i) fprintf(file, " %.6g", at[1 + 3 * i]);
        fprintf(file, " (residual %.1g)\n", at[0]);
    }
}

void solutions_json(abuti_json *json, const solutions *s)
{
    abuti_json_bool(json, "complete", s->complete);
    abuti_json_open(json, "solutions", '[', true);
    for (int k = 0; k < s->count; ++k) {
        const double *at = s->values + (size_t)k * stride(s);
        abuti_json_open(json, NULL, '{', true);
        abuti_json_number(json, "residual", at[0]);
        abuti_json_open(json, s->accelerates ? "forces" : "impulses", '[', true);
        for (int i = 0; i < s->contacts; ++i) abuti_json_numbers(json, NULL, at + 1 + 3 * i, 3);
        abuti_json_close(json, ']');
        abuti_json_numbers(json, s->accelerates ? "acceleration" : "velocity",
                           s->numbers > 0 ? at + 1 + 3 * s->contacts : NULL, s->numbers);
        abuti_json_numbers(json, "joints", at + 1 + 3 * s->contacts + s->numbers, s->joints);
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}
