/* The answer to a contact problem as JSON (docs/formats.md). */
#include "contact_print.h"
#include "islands_print.h"
#include "models.h"
#include "others.h"
#include "solutions.h"
#include "statics_print.h"

#include "io/contact_file.h"
#include "io/contact_warm.h"
#include "io/json_write.h"

#include <math.h>
#include <string.h>

/* A list with three numbers for each contact, or null without an answer. */
static void write_triples(abuti_json *json, const char *key, const contact_report *report,
                          void (*triple)(const abut_contact_answer *, double out[3]))
{
    if (!report->result.contacts) {
        abuti_json_null(json, key);
        return;
    }
    abuti_json_open(json, key, '[', true);
    for (int i = 0; i < report->problem->contact_count; ++i) {
        double values[3];
        triple(&report->result.contacts[i], values);
        abuti_json_numbers(json, NULL, values, 3);
    }
    abuti_json_close(json, ']');
}

static void impulse_of(const abut_contact_answer *a, double out[3])
{
    out[0] = a->normal;
    out[1] = a->tangent[0];
    out[2] = a->tangent[1];
}

static void axis_of(const abut_contact_answer *a, double out[3])
{
    memcpy(out, a->axis, 3 * sizeof(double));
}

static void velocity_of(const abut_contact_answer *a, double out[3])
{
    memcpy(out, a->velocity, 3 * sizeof(double));
}

static void write_states(abuti_json *json, const contact_report *report)
{
    const abut_contact_answer *answers = report->result.contacts;
    int count = report->problem->contact_count;
    if (!answers) {
        abuti_json_null(json, "states");
        abuti_json_null(json, "faces");
        return;
    }
    abuti_json_open(json, "states", '[', false);
    for (int i = 0; i < count; ++i) abuti_json_string(json, NULL, abut_contact_state_name(answers[i].state));
    abuti_json_close(json, ']');
    abuti_json_open(json, "faces", '[', false);
    for (int i = 0; i < count; ++i) abuti_json_integer(json, NULL, answers[i].face);
    abuti_json_close(json, ']');
}

/* The states that the next problem may start from (--warm-from), with the keys by which it finds them. */
static void write_warm(abuti_json *json, const contact_report *report)
{
    const abut_contact_problem *problem = report->problem;
    bool keyed = false;
    if (!report->result.faces) {
        abuti_json_null(json, "warm");
        return;
    }
    abuti_json_open(json, "warm", '{', false);
    abuti_contact_warm_write(json, problem->contact_count, report->result.faces);
    for (int i = 0; i < problem->contact_count; ++i) keyed = keyed || problem->contacts[i].key != 0;
    if (keyed) {
        abuti_json_open(json, "keys", '[', false);
        for (int i = 0; i < problem->contact_count; ++i)
            abuti_json_integer(json, NULL, (long long)problem->contacts[i].key);
        abuti_json_close(json, ']');
    }
    abuti_json_close(json, '}');
}

/* No-slip: the contacts that its rows hold though they separate. */
static void write_glued(abuti_json *json, const contact_report *report)
{
    if (!report->result.contacts || !model_has_law(report->result.model, ABUT_LAW_HELD)) return;
    abuti_json_open(json, "glued", '[', false);
    for (int i = 0; i < report->problem->contact_count; ++i)
        if (report->result.contacts[i].glued) abuti_json_integer(json, NULL, i);
    abuti_json_close(json, ']');
}

/* Three numbers a contact, or null. */
static void write_vectors(abuti_json *json, const char *key, int count, const double *values)
{
    if (!values) {
        abuti_json_null(json, key);
        return;
    }
    abuti_json_open(json, key, '[', true);
    for (int i = 0; i < count; ++i) abuti_json_numbers(json, NULL, values + 3 * i, 3);
    abuti_json_close(json, ']');
}

/* What only the acceleration level has. */
static void write_acceleration_level(abuti_json *json, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    if (model_is_coulomb_accel(r->model))
        abuti_json_integer(json, "accel_directions", report->accel_directions);
    if (report->slide_threshold >= 0) abuti_json_number(json, "slide_threshold", report->slide_threshold);
    if (report->impact_seconds > 0) abuti_json_number(json, "impact_seconds", report->impact_seconds);
    abuti_json_integer(json, "impacts", r->impacts);
    write_vectors(json, "impact", r->impacts * report->problem->contact_count, r->impact);
    abuti_json_numbers(json, "impact_joints", r->impact_joints, r->impacts * report->problem->joint_count);
    abuti_json_numbers(json, "impact_velocity", report->problem->local ? NULL : r->impact_velocity,
                       6 * r->impacts * report->problem->body_count);
    if (report->statics) statics_print_json(json, report, report->statics);
}

static bool has_unions(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].group > 0) return true;
    return false;
}

static bool has_restitution(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].restitution > 0) return true;
    return false;
}

static bool has_viscous(const abut_contact_problem *problem)
{
    for (int i = 0; i < problem->contact_count; ++i)
        if (problem->contacts[i].viscous > 0) return true;
    return false;
}

/* The question that was asked of unions, for `abut check`. */
static void write_unions(abuti_json *json, const contact_report *report)
{
    abuti_json_string(json, "union", report->union_rule == ABUT_UNION_SUM ? "sum" : "max");
    if (report->union_epsilon > 0) abuti_json_number(json, "epsilon", report->union_epsilon);
}

void contact_print_json(FILE *file, const contact_report *report)
{
    const abut_contact_result *r = &report->result;
    const abut_contact_problem *problem = report->problem;
    bool accelerates = model_accelerates(report->result.model), local = problem->local;
    abuti_json json = abuti_json_on(file);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_string(&json, "outcome", abut_outcome_name(r->outcome));
    abuti_json_string(&json, "model", abut_contact_model_name(r->model));
    abuti_json_string(&json, "solver", abut_contact_solver_name(r->solver));
    if (r->stage)
        abuti_json_string(&json, "stage", r->stage);
    else
        abuti_json_null(&json, "stage");
    if (report->directions > 0) abuti_json_integer(&json, "directions", report->directions);
    if (report->cone) abuti_json_string(&json, "cone", report->cone);
    if (has_unions(problem)) write_unions(&json, report);
    if (!accelerates && has_viscous(problem))
        abuti_json_string(&json, "viscous",
                          report->viscous == ABUT_VISCOUS_EXPLICIT ? "explicit" : "implicit");
    if (!accelerates && has_restitution(problem))
        abuti_json_number(&json, "restitution_threshold", report->restitution_threshold);
    abuti_json_integer(&json, "bodies", problem->body_count);
    if (problem->generalised) abuti_json_integer(&json, "blocks", problem->generalised->block_count);
    abuti_json_integer(&json, "contacts", problem->contact_count);
    abuti_json_integer(&json, "islands", r->islands);
    islands_print_json(&json, r);
    abuti_json_integer(&json, "pivots", r->pivots);
    abuti_json_integer(&json, "others", r->others);
    abuti_json_number(&json, "residual", r->residual);
    if (local) abuti_json_number(&json, "cone_residual", r->contacts ? r->check.cone_residual : INFINITY);
    abuti_json_number(&json, "time_us", report->time_us);
    write_triples(&json, accelerates ? "forces" : "impulses", report, impulse_of);
    if (local) write_triples(&json, "local_velocity", report, velocity_of);
    if (local)
        abuti_json_null(&json, "tangents");
    else
        write_triples(&json, "tangents", report, axis_of);
    write_states(&json, report);
    write_warm(&json, report);
    write_glued(&json, report);
    abuti_json_numbers(&json, accelerates ? "acceleration" : "velocity", local ? NULL : r->velocity,
                       abuti_contact_numbers(problem));
    abuti_json_numbers(&json, "joints", r->joints, problem->joint_count);
    write_vectors(&json, "ray", problem->contact_count, r->ray);
    abuti_json_numbers(&json, "witness", r->witness, problem->contact_count);
    if (problem->joint_count > 0)
        abuti_json_numbers(&json, "witness_joints", r->witness_joints, problem->joint_count);
    if (model_has_law(r->model, ABUT_LAW_HELD)) abuti_json_bool(&json, "glue_proven", r->glue_proven);
    if (accelerates || has_unions(problem)) abuti_json_bool(&json, "exhausted", r->exhausted);
    if (accelerates) write_acceleration_level(&json, report);
    if (report->solutions) solutions_json(&json, report->solutions);
    if (report->others) others_json(&json, report->others);
    abuti_json_close(&json, '}');
}
