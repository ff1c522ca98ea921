/* abut lcp: reads an LCP, solves it, and prints the answer as a table or as JSON. */

#include "clock.h"
#include "cmd.h"
#include "lcp_print.h"
#include "options.h"

#include "abut/lcp.h"
#include "bench.h"
#include "io/kind.h"
#include "io/lcp_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
typedef struct request {
    const char *path, *q_path;
    long long method;
    double tolerance;
    long long cut, max_cuts;
    double radius;
    bool all, trace, json, alone;
} request;

static int refuse(const char *path, abut_status status, const abut_error *error)
{
    if (status == ABUT_INVALID_ARGUMENT && error->text[0] != '\0')
        return cmd_error("lcp", "%s: %s", path, error->text);
    return cmd_error("lcp", "%s: %s", path, abut_status_text(status));
}

/* One solve under the clock; the first call pays for cold caches, so the time is what one call takes. */
static int solve(const request *r, abut_lcp_workspace *work, const abut_lcp_problem *problem,
                 const abut_lcp_options *options, lcp_report *report)
{
    double start = cmd_now_us();
    abut_status status = abut_lcp_solve(work, problem, options, &report->result);
    report->time_us = cmd_now_us() - start;
    if (status == ABUT_UNSUPPORTED) {
        if (options->method == ABUT_LCP_ENUMERATE)
            return cmd_error("lcp", "%s: n = %d; method enumerate takes at most %d variables", r->path,
                             problem->n, ABUT_LCP_ENUMERATE_MAX);
        return cmd_error("lcp", "%s: method %s does not answer this kind of problem (M must be symmetric)",
                         r->path, abut_lcp_method_name(options->method));
    }
    if (status != ABUT_OK) {
        abut_error error = {""};
        abut_lcp_validate(problem, &error);
        return refuse(r->path, status, &error);
    }
    return EXIT_SOLVED;
}

/* ---- --all ---- */

static bool keep_point(const double *z, const double *w, double residual, void *context)
{
    lcp_points *points = context;
    size_t n = (size_t)points->n, used = (size_t)points->count;
    if (points->count == points->capacity) {
        int capacity = points->capacity == 0 ? 16 : 2 * points->capacity;
        double *grown = realloc(points->values, (size_t)capacity * (2 * n + 1) * sizeof(double));
        if (!grown) {
            points->out_of_memory = true;
            return false;
        }
        points->values = grown;
        points->capacity = capacity;
    }
    double *point = points->values + used * (2 * n + 1);
    memcpy(point, z, n * sizeof(double));
    memcpy(point + n, w, n * sizeof(double));
    point[2 * n] = residual;
    points->count++;
    return true;
}

static int solve_all(const request *r, abut_lcp_workspace *work, const abut_lcp_problem *problem,
                     const abut_lcp_options *options, lcp_points *points)
{
    int count = 0;
    points->n = problem->n;
    abut_status status = abut_lcp_enumerate(work, problem, options, keep_point, points, &count);
    if (points->out_of_memory) status = ABUT_OUT_OF_MEMORY;
    return status == ABUT_OK ? EXIT_SOLVED : refuse(r->path, status, &(abut_error){""});
}

/* ---- the verb ---- */

static int run(const request *r, const abut_lcp_problem *problem, const double *start)
{
    if (r->all && problem->n > ABUT_LCP_ENUMERATE_MAX)
        return cmd_error("lcp", "%s: n = %d; --all takes at most %d variables", r->path, problem->n,
                         ABUT_LCP_ENUMERATE_MAX);
    abut_lcp_options options = abut_lcp_default_options();
    options.method = (abut_lcp_method)r->method;
    options.tolerance = r->tolerance;
    options.start = start;
    options.active_set.alone = r->alone;
    options.active_set.radius = r->radius;
    options.active_set.max_cuts = (int)r->max_cuts;
    if (r->cut != NOT_GIVEN) options.active_set.cut = (abut_lcp_cut)r->cut;
    lcp_trace trace = {.file = r->json ? stderr : stdout, .n = problem->n};
    if (r->trace) {
        options.trace = lcp_print_trace;
        options.trace_context = &trace;
    }
    abut_lcp_limits limits = {.n = problem->n, .methods = 1u << options.method};
    if (r->all) limits.methods |= 1u << ABUT_LCP_ENUMERATE;
    abut_lcp_workspace *work = NULL;
    abut_status created = abut_lcp_workspace_create(&limits, NULL, &work);
    if (created != ABUT_OK) return refuse(r->path, created, &(abut_error){""});

    lcp_report report = {.path = r->path, .problem = problem, .tolerance = r->tolerance};
    lcp_points points = {0};
    int status = r->all ? solve_all(r, work, problem, &options, &points) : EXIT_SOLVED;
    if (status == EXIT_SOLVED) status = solve(r, work, problem, &options, &report);
    if (status == EXIT_SOLVED) {
        if (r->json)
            lcp_print_json(stdout, &report, r->all ? &points : NULL);
        else
            lcp_print_table(stdout, &report, r->all ? &points : NULL);
        if (report.result.outcome != ABUT_SOLVED) status = EXIT_NOT_SOLVED;
    }
    free(points.values);
    abut_lcp_workspace_destroy(work);
    return status;
}

static const usage help = {
    "lcp",
    "Finds z and w with w = M z + q, z >= 0, w >= 0, z_i w_i = 0, and lets an independent verifier\n"
    "judge them. In JSON a problem is {\"M\": [[2, 1], [1, 2]], \"q\": [-5, -6]}; a mixed one also names "
    "its\n"
    "free variables: \"free\": [0]. \"start\": [...] gives the z of a similar problem to start from.\n"
    "Exit status: 0 solved, 1 not solved, 2 bad input.",
    "  echo '{\"M\": [[2, 1], [1, 2]], \"q\": [-5, -6]}' > two.json\n"
    "  abut lcp two.json\n"
    "  abut lcp two.json --method lemke --trace\n"
    "  abut lcp two.json --json > answer.json && abut check two.json answer.json\n"
    "  abut lcp stiffness.mtx --q load.mtx\n"
    "  abut lcp two.json --method active-set --alone --radius 10 --trace\n",
};

/* Options of active-set beside another method would change nothing. */
static int refuse_idle(const request *r)
{
    const char *idle = r->alone              ? "--alone"
                       : r->radius > 0       ? "--radius"
                       : r->cut != NOT_GIVEN ? "--cut"
                       : r->max_cuts > 0     ? "--max-cuts"
                                             : NULL;
    if (!idle || r->method == ABUT_LCP_ACTIVE_SET) return EXIT_SOLVED;
    return cmd_error("lcp", "%s: method %s; expected --method active-set", idle,
                     abut_lcp_method_name((abut_lcp_method)r->method));
}

static int read_and_run(const request *r)
{
    abuti_lcp_data data;
    abut_error error;
    int status = refuse_idle(r);
    if (status != EXIT_SOLVED) return status;
    if (!abuti_lcp_read(r->path, r->q_path, &data, &error)) {
        bool contact = abuti_kind_of_content(r->path) == ABUTI_KIND_CONTACT;
        return cmd_error("lcp", "%s%s", error.text,
                         contact ? " (a contact problem? 'abut solve' reads those)" : "");
    }
    abut_lcp_problem problem = abuti_lcp_data_problem(&data);
    status = run(r, &problem, data.start);
    abuti_lcp_data_release(&data);
    return status;
}

int cmd_lcp(int argc, char **argv)
{
    const char *methods[ABUT_LCP_METHOD_COUNT + 1] = {NULL};
    for (int m = 0; m < ABUT_LCP_METHOD_COUNT; ++m) methods[m] = abut_lcp_method_name((abut_lcp_method)m);
    static const char *const cuts[] = {"violation", "depth", NULL};
    request r = {
        .method = ABUT_LCP_AUTO, .tolerance = abut_lcp_default_options().tolerance, .cut = NOT_GIVEN};
    const option table[] = {
        option_argument("FILE", "the problem: .json, .mtx (with --q), Siconos .dat; - is standard input",
                        &r.path),
        option_q(&r.q_path),
        option_choice("--method", "M", "how it is solved", methods, &r.method),
        option_tolerance(&r.tolerance),
        option_flag("--all", "list every solution, up to 16 variables", &r.all),
        option_flag("--trace", "show every pivot", &r.trace),
        option_flag("--alone", "active-set: the two phases of the paper and nothing more", &r.alone),
        option_number("--radius", "R", "active-set: radius of the first ellipsoid (default: from the data)",
                      1e-300, 1e300, &r.radius),
        option_choice("--cut", "RULE", "active-set: how an ellipsoid is cut", cuts, &r.cut),
        option_integer("--max-cuts", "N",
                       "active-set: cuts of an ellipsoid at most (default 40 (n + 1), alone the paper's k*)",
                       1, 2147483647, &r.max_cuts),
        option_json(&r.json),
        {0},
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    return read_and_run(&r);
}
