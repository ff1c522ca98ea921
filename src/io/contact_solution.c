/* What `abut solve --json` printed, read for `abut check`. */
#include "io/contact_file.h"
#include "io/json_read.h"

#include <stdlib.h>
#include <string.h>

static void release_point(abuti_contact_point *point)
{
    free(point->impulses);
    free(point->joints);
    free(point->velocity);
}

void abuti_contact_solution_release(abuti_contact_solution *solution)
{
    release_point(&solution->answer);
    for (int k = 0; k < solution->listed; ++k) release_point(&solution->list[k]);
    free(solution->list);
    free(solution->witness);
    free(solution->witness_joints);
    free(solution->impact);
    free(solution->impact_joints);
    free(solution->impact_velocity);
    *solution = (abuti_contact_solution){0};
}

#ifdef ABUT_HAVE_JSON

/* The value under either of two names: at the acceleration level impulses and velocity are called forces and
 * acceleration. */
static const json_t *either(const json_t *root, const char *name, const char *other, const char **found)
{
    const json_t *value = json_object_get(root, name);
    *found = value ? name : other;
    return value ? value : json_object_get(root, other);
}

static bool read_vector(abuti_text *text, const char *path, const json_t *value, int count, double **out)
{
    if (!value || json_is_null(value)) return true;
    *out = malloc((size_t)(count > 0 ? count : 1) * sizeof(double));
    if (!*out) return abuti_text_out_of_memory(text);
    return abuti_json_get_numbers(text, path, value, count, *out);
}

/* Three numbers a contact. */
static bool read_triples(abuti_text *text, const char *name, const json_t *list, int contacts, double **out)
{
    if (!list || json_is_null(list)) return true;
    if (!json_is_array(list) || json_array_size(list) != (size_t)contacts) {
        char expected[64];
        snprintf(expected, sizeof expected, "a list of %d impulses", contacts);
        return abuti_json_wrong(text, name, expected, list);
    }
    *out = malloc((size_t)(contacts > 0 ? contacts : 1) * 3 * sizeof(double));
    if (!*out) return abuti_text_out_of_memory(text);
    for (int i = 0; i < contacts; ++i) {
        char path[ABUTI_LABEL_MAX];
        snprintf(path, sizeof path, "%s[%d]", name, i);
        if (!abuti_json_get_numbers(text, path, json_array_get(list, (size_t)i), 3, *out + 3 * i))
            return false;
    }
    return true;
}

/* Impulses, joint impulses and velocities of the answer that stands in `object`; `prefix` is its path. */
static bool read_point(abuti_text *text, const char *prefix, const json_t *object,
                       const abut_contact_problem *problem, abuti_contact_point *point)
{
    const char *name, *forces;
    char path[3][ABUTI_LABEL_MAX];
    const json_t *velocity = either(object, "velocity", "acceleration", &name);
    const json_t *impulses = either(object, "impulses", "forces", &forces);
    snprintf(path[0], sizeof path[0], "%s%s", prefix, forces);
    snprintf(path[1], sizeof path[1], "%sjoints", prefix);
    snprintf(path[2], sizeof path[2], "%s%s", prefix, name);
    return read_triples(text, path[0], impulses, problem->contact_count, &point->impulses) &&
           read_vector(text, path[1], json_object_get(object, "joints"), problem->joint_count,
                       &point->joints) &&
           (problem->local ||
            read_vector(text, path[2], velocity, abuti_contact_numbers(problem), &point->velocity));
}

/* The answers of --all. */
static bool read_list(abuti_text *text, const json_t *list, const abut_contact_problem *problem,
                      abuti_contact_solution *solution)
{
    if (!list || json_is_null(list)) return true;
    if (!json_is_array(list)) return abuti_json_wrong(text, "solutions", "a list of answers", list);
    size_t count = json_array_size(list);
    solution->list = calloc(count + 1, sizeof *solution->list);
    if (!solution->list) return abuti_text_out_of_memory(text);
    solution->listed = (int)count;
    for (size_t k = 0; k < count; ++k) {
        char prefix[ABUTI_LABEL_MAX];
        snprintf(prefix, sizeof prefix, "solutions[%zu].", k);
        if (!read_point(text, prefix, json_array_get(list, k), problem, &solution->list[k])) return false;
    }
    return true;
}

/* Reads the impacts that came before the forces; there is one when the file does not say how many. */
static bool read_impact(abuti_text *text, const json_t *root, const abut_contact_problem *problem,
                        abuti_contact_solution *solution)
{
    const json_t *directions = json_object_get(root, "accel_directions");
    const json_t *impacts = json_object_get(root, "impacts");
    const json_t *threshold = json_object_get(root, "slide_threshold");
    solution->slide_threshold = -1;
    if (threshold && !json_is_null(threshold)) {
        solution->slide_threshold = json_number_value(threshold);
        if (!json_is_number(threshold) || !(solution->slide_threshold >= 0))
            return abuti_json_wrong(text, "slide_threshold", "a number >= 0", threshold);
    }
    bool given = false;
    if (!abuti_json_get_optional(text, "impact_seconds", json_object_get(root, "impact_seconds"), &given,
                                 &solution->impact_seconds))
        return false;
    solution->impacts = 1;
    if (impacts && !json_is_null(impacts) &&
        !abuti_json_get_integer(text, "impacts", impacts, 0, ABUT_IMPACTS_MAX, &solution->impacts))
        return false;
    int contacts = solution->impacts * problem->contact_count,
        joints = solution->impacts * problem->joint_count;
    return (!directions || json_is_null(directions) ||
            abuti_json_get_integer(text, "accel_directions", directions, 3, ABUT_DIRECTIONS_MAX,
                                   &solution->accel_directions)) &&
           read_triples(text, "impact", json_object_get(root, "impact"), contacts, &solution->impact) &&
           read_vector(text, "impact_joints", json_object_get(root, "impact_joints"), joints,
                       &solution->impact_joints) &&
           (problem->body_count == 0 ||
            read_vector(text, "impact_velocity", json_object_get(root, "impact_velocity"),
                        6 * solution->impacts * problem->body_count, &solution->impact_velocity));
}

/* Reads the rule for unions: "max" unless the file says otherwise. */
static bool read_unions(abuti_text *text, const json_t *root, abuti_contact_solution *solution)
{
    const json_t *rule = json_object_get(root, "union"), *epsilon = json_object_get(root, "epsilon");
    const char *name = json_is_string(rule) ? json_string_value(rule) : "";
    solution->rule = strcmp(name, "sum") == 0 ? ABUT_UNION_SUM : ABUT_UNION_MAX;
    if (rule && solution->rule == ABUT_UNION_MAX && strcmp(name, "max") != 0)
        return abuti_json_wrong(text, "union", "\"max\" or \"sum\"", rule);
    if (!epsilon || json_is_null(epsilon)) return true;
    solution->epsilon = json_number_value(epsilon);
    return (json_is_number(epsilon) && solution->epsilon > 0 && solution->epsilon <= 1e100) ||
           abuti_json_wrong(text, "epsilon", "a number > 0", epsilon);
}

/* Reads at which velocity viscous coefficients acted: "implicit" unless the file says otherwise. */
static bool read_viscous(abuti_text *text, const json_t *root, abuti_contact_solution *solution)
{
    const json_t *rule = json_object_get(root, "viscous");
    const char *name = json_is_string(rule) ? json_string_value(rule) : "";
    solution->viscous = strcmp(name, "explicit") == 0 ? ABUT_VISCOUS_EXPLICIT : ABUT_VISCOUS_IMPLICIT;
    return !rule || solution->viscous == ABUT_VISCOUS_EXPLICIT || strcmp(name, "implicit") == 0 ||
           abuti_json_wrong(text, "viscous", "\"implicit\" or \"explicit\"", rule);
}

bool abuti_contact_solution_read(abuti_text *text, const abut_contact_problem *problem,
                                 abuti_contact_solution *solution)
{
    *solution = (abuti_contact_solution){.model = problem->model};
    json_t *root = abuti_json_parse(text, ABUTI_JSON_WHOLE_AS_DOUBLE);
    if (!root) return false;
    const json_t *outcome = json_object_get(root, "outcome"), *model = json_object_get(root, "model");
    if (json_is_string(outcome))
        snprintf(solution->outcome, sizeof solution->outcome, "%s", json_string_value(outcome));
    bool fine =
        !model ||
        (json_is_string(model) && abut_contact_model_from_name(json_string_value(model), &solution->model)) ||
        abuti_json_wrong(text, "model", "the name of a model", model);
    const json_t *directions = json_object_get(root, "directions");
    fine = fine && (!directions || json_is_null(directions) ||
                    abuti_json_get_integer(text, "directions", directions, ABUT_DIRECTIONS_MIN,
                                           ABUT_DIRECTIONS_MAX, &solution->directions));
    const json_t *cone = json_object_get(root, "cone");
    solution->has_cone = cone && !json_is_null(cone);
    fine = fine &&
           (!solution->has_cone ||
            (json_is_string(cone) && abut_contact_cone_from_name(json_string_value(cone), &solution->cone)) ||
            abuti_json_wrong(text, "cone", "\"polygon\" or \"circle\"", cone));
    fine =
        fine && read_unions(text, root, solution) && read_viscous(text, root, solution) &&
        abuti_json_get_optional(text, "restitution_threshold", json_object_get(root, "restitution_threshold"),
                                &solution->has_threshold, &solution->restitution_threshold) &&
        read_point(text, "", root, problem, &solution->answer) &&
        read_list(text, json_object_get(root, "solutions"), problem, solution) &&
        read_impact(text, root, problem, solution) &&
        read_vector(text, "witness", json_object_get(root, "witness"), problem->contact_count,
                    &solution->witness) &&
        read_vector(text, "witness_joints", json_object_get(root, "witness_joints"), problem->joint_count,
                    &solution->witness_joints);
    json_decref(root);
    if (!fine) abuti_contact_solution_release(solution);
    return fine;
}

#else

bool abuti_contact_solution_read(abuti_text *text, const abut_contact_problem *problem,
                                 abuti_contact_solution *solution)
{
    *solution = (abuti_contact_solution){.model = problem->model};
    return abuti_json_left_out(text);
}

#endif
