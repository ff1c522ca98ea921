#include "verdict.h"

#include "io/json_write.h"

#include <math.h>
#include <string.h>

void verdict_print(FILE *file, const verdict *v, double tolerance)
{
    fprintf(file, "%s: %s\n", v->right ? "right" : "wrong", v->claim);
    for (int i = 0; i < v->count; ++i) {
        fprintf(file, "  %-38s ", v->findings[i].words);
        if (isfinite(v->findings[i].value))
            fprintf(file, "%.3g", v->findings[i].value);
        else
            fputs("not measurable", file);
        bool residual = strcmp(v->findings[i].name, "residual") == 0;
        if (residual) fprintf(file, " (tolerance %.0e)", tolerance);
        if (residual && v->worst >= 0) fprintf(file, ", worst at index %d", v->worst);
        fputc('\n', file);
    }
    if (v->listed > 0) fprintf(file, "  %-38s %d\n", "answers listed", v->listed);
    for (int k = 0; k < v->listed; ++k)
        if (v->fails[k]) fprintf(file, "  wrong: solutions[%d]\n", k);
    if (v->listed > 0 && v->fails[v->listed]) fprintf(file, "  wrong: the answer beside them\n");
}

void verdict_json(FILE *file, const verdict *v)
{
    abuti_json json = abuti_json_on(file);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_bool(&json, "right", v->right);
    abuti_json_string(&json, "claim", v->claim);
    for (int i = 0; i < v->count; ++i) abuti_json_number(&json, v->findings[i].name, v->findings[i].value);
    if (v->count > 0) abuti_json_integer(&json, "worst", v->worst);
    if (v->listed > 0) {
        abuti_json_integer(&json, "solutions", v->listed);
        abuti_json_open(&json, "failing", '[', false);
        for (int k = 0; k < v->listed; ++k)
            if (v->fails[k]) abuti_json_integer(&json, NULL, k);
        abuti_json_close(&json, ']');
        abuti_json_bool(&json, "answer_fails", v->fails[v->listed]);
    }
    abuti_json_close(&json, '}');
}
