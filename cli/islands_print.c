#include "islands_print.h"

static bool differ(const abut_contact_result *result)
{
    for (int k = 1; k < result->islands; ++k)
        if (result->island[k].outcome != result->island[0].outcome) return true;
    return false;
}

void islands_print_table(FILE *file, const abut_contact_result *result)
{
    if (!result->island || !differ(result)) return;
    fputs(" island  outcome     residual  bodies  contacts  first contact\n", file);
    for (int k = 0; k < result->islands; ++k) {
        const abut_island_result *island = &result->island[k];
        fprintf(file, "%7d  %-10s ", k, abut_outcome_name(island->outcome));
        if (island->outcome == ABUT_SOLVED || island->outcome == ABUT_LIMIT)
            fprintf(file, "%9.2g", island->residual);
        else
            fprintf(file, "%9s", "-");
        fprintf(file, "  %6d  %8d", island->body_count, island->contact_count);
        if (island->contact_count > 0) fprintf(file, "  %13d", island->contacts[0]);
        fputc('\n', file);
    }
}

static void write_indices(abuti_json *json, const char *key, const int *indices, int count)
{
    abuti_json_open(json, key, '[', false);
    for (int i = 0; i < count; ++i) abuti_json_integer(json, NULL, indices[i]);
    abuti_json_close(json, ']');
}

void islands_print_json(abuti_json *json, const abut_contact_result *result)
{
    abuti_json_open(json, "island_results", '[', true);
    for (int k = 0; k < result->islands && result->island; ++k) {
        const abut_island_result *island = &result->island[k];
        abuti_json_open(json, NULL, '{', false);
        abuti_json_string(json, "outcome", abut_outcome_name(island->outcome));
        abuti_json_number(json, "residual", island->residual);
        abuti_json_string(json, "solver", abut_contact_solver_name(island->solver));
        abuti_json_string(json, "stage", island->stage);
        abuti_json_integer(json, "pivots", island->pivots);
        abuti_json_bool(json, "others", island->others);
        write_indices(json, "bodies", island->bodies, island->body_count);
        write_indices(json, "contacts", island->contacts, island->contact_count);
        write_indices(json, "joints", island->joints, island->joint_count);
        abuti_json_close(json, '}');
    }
    abuti_json_close(json, ']');
}
