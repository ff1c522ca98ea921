/* An LCP in JSON: {"M": [[...], ...], "q": [...]}. A mixed LCP also has "free": [indices], and "start": [...] may give
 * the z of a similar problem. */
#include "io/json_read.h"
#include "io/json_write.h"
#include "io/lcp_file.h"

#include <stdlib.h>
#include <string.h>

#ifdef ABUT_HAVE_JSON

static bool read_matrix(abuti_text *text, const json_t *rows, abuti_lcp_data *data)
{
    char path[ABUTI_LABEL_MAX];
    if (!json_is_array(rows)) return abuti_json_wrong(text, "M", "a list of rows", rows);
    size_t n = json_array_size(rows);
    if (n < 1 || n > ABUTI_DENSE_MAX_N)
        return abuti_text_fail_whole(text, "M: %zu rows; expected 1 to %d", n, ABUTI_DENSE_MAX_N);
    /* Every row must have n numbers before n x n of them get room. */
    for (size_t i = 0; i < n; ++i) {
        const json_t *row = json_array_get(rows, i);
        if (json_is_array(row) && json_array_size(row) == n) continue;
        snprintf(path, sizeof path, "M[%zu]", i);
        return abuti_json_get_numbers(text, path, row, (int)n, NULL);
    }
    data->n = (int)n;
    data->M = malloc(n * n * sizeof(double));
    if (!data->M) return abuti_text_out_of_memory(text);
    for (size_t i = 0; i < n; ++i) {
        snprintf(path, sizeof path, "M[%zu]", i);
        if (!abuti_json_get_numbers(text, path, json_array_get(rows, i), (int)n, data->M + i * n))
            return false;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool read_free(abuti_text *text, const json_t *list, abuti_lcp_data *data)
{
    if (!list || json_is_null(list)) return true;
    if (!json_is_array(list)) return abuti_json_wrong(text, "free", "a list of indices", list);
    size_t count = json_array_size(list);
    if (count > (size_t)data->n)
        return abuti_text_fail_whole(text, "free: %zu indices; expected at most n = %d", count, data->n);
    if (count == 0) return true;
    data->free_indices = malloc(count * sizeof(int));
    if (!data->free_indices) return abuti_text_out_of_memory(text);
    for (size_t i = 0; i < count; ++i) {
        char path[ABUTI_LABEL_MAX];
        snprintf(path, sizeof path, "free[%zu]", i);
        if (!abuti_json_get_integer(text, path, json_array_get(list, i), 0, data->n - 1,
                                    &data->free_indices[i]))
            return false;
    }
    qsort(data->free_indices, count, sizeof(int), ascending);
    for (size_t i = 1; i < count; ++i)
        if (data->free_indices[i] == data->free_indices[i - 1])
            return abuti_text_fail_whole(text, "free: index %d twice; expected distinct indices",
                                         data->free_indices[i]);
    data->free_count = (int)count;
    return true;
}

static bool read_q(abuti_text *text, const json_t *q, abuti_lcp_data *data)
{
    data->q = malloc((size_t)data->n * sizeof(double));
    if (!data->q) return abuti_text_out_of_memory(text);
    return abuti_json_get_numbers(text, "q", q, data->n, data->q);
}

static bool read_start(abuti_text *text, const json_t *start, abuti_lcp_data *data)
{
    if (!start || json_is_null(start)) return true;
    data->start = malloc((size_t)data->n * sizeof(double));
    if (!data->start) return abuti_text_out_of_memory(text);
    return abuti_json_get_numbers(text, "start", start, data->n, data->start);
}

bool abuti_lcp_read_json(abuti_text *text, abuti_lcp_data *data)
{
    *data = (abuti_lcp_data){0};
    json_t *root = abuti_json_parse(text, ABUTI_JSON_WHOLE_AS_DOUBLE);
    if (!root) return false;
    static const char *const names[] = {"M", "q", "free", "start", NULL};
    bool fine = abuti_json_check_slips(text, "", root, names) &&
                read_matrix(text, json_object_get(root, "M"), data) &&
                read_q(text, json_object_get(root, "q"), data) &&
                read_free(text, json_object_get(root, "free"), data) &&
                read_start(text, json_object_get(root, "start"), data);
    json_decref(root);
    if (!fine) abuti_lcp_data_release(data);
    return fine;
}

/* ---- what `abut lcp --json` printed ---- */

/* The points of "solutions", or the one in "z". */
static bool read_points(abuti_text *text, const json_t *root, int n, abuti_lcp_solution *solution)
{
    const json_t *z = json_object_get(root, "z"), *all = json_object_get(root, "solutions");
    if (!json_is_array(all) && !json_is_array(z)) return true;
    size_t count = json_is_array(all) ? json_array_size(all) : 1;
    if (count == 0) return true;
    solution->z = malloc(count * (size_t)n * sizeof(double));
    if (!solution->z) return abuti_text_out_of_memory(text);
    solution->count = (int)count;
    if (!json_is_array(all)) return abuti_json_get_numbers(text, "z", z, n, solution->z);
    for (size_t i = 0; i < count; ++i) {
        char path[ABUTI_LABEL_MAX];
        snprintf(path, sizeof path, "solutions[%zu].z", i);
        const json_t *point = json_object_get(json_array_get(all, i), "z");
        if (!abuti_json_get_numbers(text, path, point, n, solution->z + i * (size_t)n)) return false;
    }
    return true;
}

static bool read_witness(abuti_text *text, const json_t *witness, int n, abuti_lcp_solution *solution)
{
    if (!witness || json_is_null(witness)) return true;
    solution->witness = malloc((size_t)n * sizeof(double));
    if (!solution->witness) return abuti_text_out_of_memory(text);
    return abuti_json_get_numbers(text, "witness", witness, n, solution->witness);
}

bool abuti_lcp_solution_read(abuti_text *text, int n, abuti_lcp_solution *solution)
{
    *solution = (abuti_lcp_solution){.n = n};
    json_t *root = abuti_json_parse(text, ABUTI_JSON_WHOLE_AS_DOUBLE);
    if (!root) return false;
    const json_t *outcome = json_object_get(root, "outcome");
    bool fine = json_is_string(outcome) || !outcome || abuti_json_wrong(text, "outcome", "text", outcome);
    if (fine && outcome)
        snprintf(solution->outcome, sizeof solution->outcome, "%s", json_string_value(outcome));
    fine = fine && read_points(text, root, n, solution) &&
           read_witness(text, json_object_get(root, "witness"), n, solution);
    json_decref(root);
    if (!fine) abuti_lcp_solution_release(solution);
    return fine;
}

#else

bool abuti_lcp_read_json(abuti_text *text, abuti_lcp_data *data)
{
    *data = (abuti_lcp_data){0};
    return abuti_json_left_out(text);
}

bool abuti_lcp_solution_read(abuti_text *text, int n, abuti_lcp_solution *solution)
{
    *solution = (abuti_lcp_solution){.n = n};
    return abuti_json_left_out(text);
}

#endif

void abuti_lcp_solution_release(abuti_lcp_solution *solution)
{
    free(solution->z);
    free(solution->witness);
    *solution = (abuti_lcp_solution){0};
}

bool abuti_lcp_write_json(FILE *file, const abut_lcp_problem *problem)
{
    abuti_json json = abuti_json_on(file);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_open(&json, "M", '[', true);
    for (int i = 0; i < problem->n; ++i)
        abuti_json_numbers(&json, NULL, problem->M + (size_t)i * (size_t)problem->ld, problem->n);
    abuti_json_close(&json, ']');
    abuti_json_numbers(&json, "q", problem->q, problem->n);
    if (problem->free_count > 0) {
        abuti_json_open(&json, "free", '[', false);
        for (int i = 0; i < problem->free_count; ++i) abuti_json_integer(&json, NULL, problem->free[i]);
        abuti_json_close(&json, ']');
    }
    abuti_json_close(&json, '}');
    return !ferror(file);
}
