/* abut solve: reads a contact problem, solves it, and prints the answer as a table or as JSON. */

#include "clock.h"
#include "cmd.h"
#include "contact_print.h"
#include "models.h"
#include "options.h"
#include "others.h"
#include "solutions.h"
#include "solve_request.h"
#include "statics_print.h"

#include "abut/lcp.h"
#include "abut/union.h"
#include "io/contact_file.h"
#include "io/contact_warm.h"
#include "io/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --directions, --cone and --model replace what the file says. */
static int apply_choices(const solve_request *r, abuti_contact_data *data)
{
    if (r->model != MODEL_OF_FILE) data->model = (abut_contact_model)(r->model - 1);
    int refused = solve_refuse_directions(r, data);
    if (refused != EXIT_SOLVED) return refused;
    refused = solve_refuse_cone(r, data);
    if (refused != EXIT_SOLVED) return refused;
    for (int i = 0; r->directions > 0 && i < data->contact_count; ++i)
        data->contacts[i].directions = (int)r->directions;
    for (int i = 0; r->cone != CONE_OF_FILE && i < data->contact_count; ++i)
        data->contacts[i].cone = (abut_contact_cone)(r->cone - 1);
    /* The states to start from name faces of the old polygons, so they are dropped with these. */
    if ((r->directions > 0 || r->cone != CONE_OF_FILE) && data->start)
        memset(data->start, 0, (size_t)data->contact_count * sizeof *data->start);
    return EXIT_SOLVED;
}

/* --warm-from replaces the states of the file. */
static int start_from(const solve_request *r, abuti_contact_data *data)
{
    abut_error error = {""};
    abuti_text text;
    abut_contact_problem problem = abuti_contact_data_problem(data);
    int refused = solve_refuse_warm(r, &problem);
    if (refused != EXIT_SOLVED) return refused;
    if (!data->start) data->start = calloc((size_t)data->contact_count, sizeof *data->start);
    if (!data->start) return cmd_error("solve", "out of memory");
    bool fine =
        abuti_text_open(&text, r->warm_from, &error) && abuti_contact_warm_from(&text, &problem, data->start);
    abuti_text_close(&text);
    return fine ? EXIT_SOLVED : cmd_error("solve", "--warm-from: %s", error.text);
}

/* What was asked for beyond the answer, and the printing of it all. False: memory is short. */
static bool print(const solve_request *r, const abut_contact_options *options, contact_report *report,
                  const solutions *all)
{
    statics_report found = {0};
    bool wanted = r->report == REPORT_STATICS && report->result.contacts;
    others other = {0};
    bool fine = !wanted || statics_find(report, &found);
    bool answered = report->result.outcome == ABUT_SOLVED && r->others > 0;
    if (fine && answered) {
        fine = others_find(report->problem, options, &report->result, (int)r->others, &other);
        report->others = &other;
    }
    if (wanted && fine) report->statics = &found;
    if (r->all) report->solutions = all;
    if (fine && r->json) contact_print_json(stdout, report);
    if (fine && !r->json) contact_print_table(stdout, report);
    statics_release(&found);
    others_release(&other);
    return fine;
}

/* The workspace was made for this very problem, so `too large` means that an island is too large for the solver. */
static void explain(const solve_request *r, const abut_contact_problem *problem, abut_status status)
{
    if (status == ABUT_TOO_LARGE && model_is_coulomb_accel(problem->model))
        cmd_error(
            "solve",
            "%s: bodies that touch each other and slide have more than %d rows (1 a contact, 2 in the plane "
            "and 3 in space with friction, 1 a joint row); coulomb-accel takes so many only at rest",
            r->path, ABUT_DENSE_MAX);
    else if (status == ABUT_TOO_LARGE)
        cmd_error("solve",
                  "%s: bodies that touch each other have more rows than solver %s takes (dense matrices: %d, "
                  "enumerate: %d); expected another solver%s",
                  r->path, abut_contact_solver_name((abut_contact_solver)r->solver), ABUT_DENSE_MAX,
                  ABUT_LCP_ENUMERATE_MAX, r->alone ? ", or no --alone" : "");
    else if (status == ABUT_UNSUPPORTED && r->stage)
        cmd_error("solve", "%s: --stage %s: does not answer a problem in local form (W + q)", r->path,
                  r->stage);
    else
        cmd_error("solve", "%s: %s", r->path, abut_status_text(status));
}

static int solve(const solve_request *r, const abut_contact_problem *problem,
                 const abut_contact_options *options, contact_report *report)
{
    abut_error error = {""};
    if (abut_contact_validate(problem, &error) != ABUT_OK)
        return cmd_error("solve", "%s: %s", r->path, error.text);
    int refused = solve_refuse(r, problem);
    if (refused != EXIT_SOLVED) return refused;
    solutions all = {0};
    abut_contact_limits limits = abut_contact_limits_for(problem, options);
    abut_contact_workspace *work = NULL;
    int exit_status = EXIT_BAD_INPUT;
    abut_status status = abut_contact_workspace_create(&limits, NULL, &work);
    if (status == ABUT_OK && r->all) status = solutions_find(work, problem, options, &all);
    if (status == ABUT_UNSUPPORTED && r->all) {
        abut_contact_workspace_destroy(work);
        return cmd_error("solve",
                         "%s: --all: unions of bodies that do not touch; expected one island with unions",
                         r->path);
    }
    if (status == ABUT_OK) {
        double start = cmd_now_us();
        status = abut_contact_solve(work, problem, options, &report->result);
        report->time_us = cmd_now_us() - start;
    }
    if (status != ABUT_OK) {
        explain(r, problem, status);
    } else {
        exit_status = report->result.outcome == ABUT_SOLVED ? EXIT_SOLVED : EXIT_NOT_SOLVED;
        if (!print(r, options, report, &all)) exit_status = cmd_error("solve", "out of memory");
    }
    solutions_release(&all);
    abut_contact_workspace_destroy(work);
    return exit_status;
}

static int run(const solve_request *r)
{
    abuti_contact_data data;
    abut_error error;
    if (!abuti_contact_read(r->path, (int)r->index, &data, &error)) {
        bool lcp = abuti_kind_of_content(r->path) == ABUTI_KIND_LCP;
        return cmd_error("solve", "%s%s", error.text, lcp ? " (an LCP? 'abut lcp' reads those)" : "");
    }
    int status = apply_choices(r, &data);
    if (status == EXIT_SOLVED && r->warm_from) status = start_from(r, &data);
    if (status == EXIT_SOLVED) {
        abut_contact_problem problem = abuti_contact_data_problem(&data);
        abut_contact_options options = abuti_contact_data_options(&data);
        options.solver = (abut_contact_solver)r->solver;
        options.alone = r->alone;
        options.stage = r->stage;
        options.max_pivots = (int)r->max_pivots;
        options.max_seconds = r->max_seconds;
        options.joint_rows =
            (abut_joint_rows)(r->joint_rows == NOT_GIVEN ? ABUT_JOINTS_PERMANENT : r->joint_rows);
        if (r->slide_threshold != NOT_GIVEN) options.accel.slide_threshold = r->slide_threshold;
        if (r->impact_seconds != NOT_GIVEN) options.accel.impact_seconds = r->impact_seconds;
        if (r->viscous != NOT_GIVEN) options.viscous = (abut_viscous_rule)r->viscous;
        options.tolerance = r->tolerance;
        if (r->rule != NOT_GIVEN) options.unions.rule = (abut_union_rule)r->rule;
        if (r->prefer != NOT_GIVEN) options.unions.prefer = (abut_union_prefer)r->prefer;
        if (r->epsilon != NOT_GIVEN) options.unions.epsilon = r->epsilon;
        if (r->restitution_threshold != NOT_GIVEN) options.restitution_threshold = r->restitution_threshold;
        if (r->accel_directions != NOT_GIVEN) options.accel.directions = (int)r->accel_directions;
        options.accel.apply_impulse = r->impulse;
        contact_report report = {
            .title = r->path,
            .problem = &problem,
            .tolerance = r->tolerance,
            .directions = (int)r->directions,
            .cone = r->cone == CONE_OF_FILE ? NULL : abut_contact_cone_name((abut_contact_cone)(r->cone - 1)),
            .accel_directions = options.accel.directions,
            .asked_impulse = r->impulse,
            .alone = r->alone,
            .only_stage = r->stage,
            .slide_threshold = r->slide_threshold,
            .impact_seconds = options.accel.impact_seconds,
            .viscous = options.viscous,
            .union_rule = options.unions.rule,
            .union_epsilon = options.unions.epsilon,
            .restitution_threshold = options.restitution_threshold};
        status = solve(r, &problem, &options, &report);
    }
    abuti_contact_data_release(&data);
    return status;
}

int cmd_solve(int argc, char **argv)
{
    solve_request r;
    int status;
    return solve_request_parse(argc, argv, &r, &status) ? run(&r) : status;
}
