/* abut check: the verifier alone. It reads a problem and what --json printed, and believes neither. */

#include "check_impact.h"
#include "cmd.h"
#include "options.h"
#include "verdict.h"

#include "abut/contact.h"
#include "abut/lcp.h"
#include "io/contact_file.h"
#include "io/json_write.h"
#include "io/kind.h"
#include "io/lcp_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *problem, *solution, *q_path;
    long long index;
    double tolerance;
    double restitution_threshold; /* or NOT_GIVEN */
    bool json;
} request;

static int report(const request *r, const verdict *v)
{
    if (r->json)
        verdict_json(stdout, v);
    else
        verdict_print(stdout, v, r->tolerance);
    return v->right ? EXIT_SOLVED : EXIT_NOT_SOLVED;
}

static int nothing_to_judge(const request *r, const char *outcome)
{
    if (outcome[0] == '\0')
        return cmd_error("check", "%s: neither outcome nor answer; expected what --json printed",
                         r->solution);
    char claim[160];
    snprintf(claim, sizeof claim,
             "outcome '%s' comes without an answer and without a proof: nothing shows that it holds",
             outcome);
    return report(r, &(verdict){.claim = claim, .worst = -1});
}

#define WITNESS_CLAIM "the witness proves that there is no solution"

/* ---- LCPs ---- */

/* The worst of all claimed points decides. */
static int check_points(const request *r, const abut_lcp_problem *problem, const abuti_lcp_solution *solution)
{
    size_t n = (size_t)problem->n;
    double *w = malloc(4 * n * sizeof(double));
    bool *fails = calloc((size_t)solution->count + 1, sizeof *fails);
    if (!w || !fails) {
        free(w);
        free(fails);
        return cmd_error("check", "out of memory");
    }
    abut_lcp_check worst = {.residual = -1};
    abut_status status = ABUT_OK;
    for (int k = 0; k < solution->count && status == ABUT_OK; ++k) {
        abut_lcp_check check;
        status = abut_lcp_verify(problem, solution->z + (size_t)k * n, w, w + n, &check);
        if (status == ABUT_OK && !(check.residual <= worst.residual)) worst = check;
        fails[k] = status != ABUT_OK || !(check.residual <= r->tolerance);
    }
    free(w);
    if (status != ABUT_OK) free(fails);
    if (status != ABUT_OK) return cmd_error("check", "%s: %s", r->problem, abut_status_text(status));
    const finding findings[] = {
        {"residual", "residual", worst.residual},
        {"min_z", "smallest z", worst.min_z},
        {"min_w", "smallest w", worst.min_w},
        {"complementarity", "largest |z w|", worst.complementarity},
        {"equation", "largest |w| of free variables", worst.equation},
    };
    verdict v = {.right = worst.residual <= r->tolerance,
                 .claim = solution->count > 1 ? "every z listed solves the problem" : "z solves the problem",
                 .findings = findings,
                 .count = problem->free_count > 0 ? 5 : 4,
                 .worst = worst.worst,
                 .listed = solution->count > 1 ? solution->count : 0,
                 .fails = fails};
    int verdict_status = report(r, &v);
    free(fails);
    return verdict_status;
}

static int check_lcp_solution(const request *r, const abut_lcp_problem *problem,
                              const abuti_lcp_solution *solution)
{
    if (strcmp(solution->outcome, "infeasible") == 0 && solution->witness) {
        double bound = 0;
        bool right = abut_lcp_verify_witness(problem, solution->witness, &bound);
        const finding findings[] = {{"witness_bound", "no solution has a 1-norm below", bound}};
        return report(r, &(verdict){right, WITNESS_CLAIM, findings, 1, -1, 0, NULL});
    }
    if (solution->z) return check_points(r, problem, solution);
    return nothing_to_judge(r, solution->outcome);
}

static int check_lcp(const request *r)
{
    abuti_lcp_data data;
    abut_error error;
    if (!abuti_lcp_read(r->problem, r->q_path, &data, &error)) return cmd_error("check", "%s", error.text);
    abuti_text text;
    abuti_lcp_solution solution = {0};
    int status;
    if (abuti_text_open(&text, r->solution, &error) && abuti_lcp_solution_read(&text, data.n, &solution)) {
        abut_lcp_problem problem = abuti_lcp_data_problem(&data);
        status = check_lcp_solution(r, &problem, &solution);
    } else {
        status = cmd_error("check", "%s", error.text);
    }
    abuti_text_close(&text);
    abuti_lcp_solution_release(&solution);
    abuti_lcp_data_release(&data);
    return status;
}

/* ---- contact problems ---- */

static int check_witness(const request *r, const abut_contact_problem *problem,
                         const abut_contact_options *options, const abuti_contact_solution *solution)
{
    if (problem->joint_count > 0 && !solution->witness_joints)
        return cmd_error("check", "%s: witness_joints is missing", r->solution);
    double *scratch = malloc((abut_contact_verify_size(problem) + 1) * sizeof(double)), factor = 0;
    if (!scratch) return cmd_error("check", "out of memory");
    bool right = abut_contact_verify_witness(problem, options, solution->witness, solution->witness_joints,
                                             scratch, &factor);
    free(scratch);
    const finding findings[] = {{"witness_factor", "how much faster than asked a motion must be", factor}};
    return report(r, &(verdict){right, WITNESS_CLAIM, findings, 1, -1, 0, NULL});
}

/* The part that an answer lacks, or NULL. */
static const char *missing_part(const abut_contact_problem *problem, const abuti_contact_point *point)
{
    if (!point->impulses) return "impulses";
    if (!problem->local && !point->velocity) return "velocity";
    return problem->joint_count > 0 && !point->joints ? "joints" : NULL;
}

static int refuse_missing(const request *r, const abut_contact_problem *problem,
                          const abuti_contact_solution *solution)
{
    const char *missing = solution->answer.impulses ? missing_part(problem, &solution->answer) : NULL;
    if (missing) return cmd_error("check", "%s: %s is missing", r->solution, missing);
    for (int k = 0; k < solution->listed; ++k) {
        missing = missing_part(problem, &solution->list[k]);
        if (missing) return cmd_error("check", "%s: solutions[%d].%s is missing", r->solution, k, missing);
    }
    return EXIT_SOLVED;
}

/* One contact problem under judgement. */
typedef struct judgement {
    const request *r;
    abuti_contact_data *data;
    const abuti_contact_solution *solution;
    abut_contact_options options;
    double *scratch;
    abut_contact_check worst; /* of all answers */
    double impact;            /* the worst residual of impacts that came before */
    bool *fails;              /* [listed], then that of the answer beside them */
    abut_status status;
} judgement;

/* Asks the verifier about one answer; true when the answer fails. */
static bool judge(judgement *j, const abuti_contact_point *point)
{
    abut_contact_problem problem = abuti_contact_data_problem(j->data);
    abut_contact_check check;
    abut_status status = abut_contact_verify(&problem, &j->options, point->impulses, point->joints,
                                             point->velocity, j->scratch, &check);
    if (status != ABUT_OK) j->status = status;
    if (status == ABUT_OK && !(check.residual <= j->worst.residual)) j->worst = check;
    return status != ABUT_OK || !(check.residual <= j->r->tolerance);
}

/* Judges every answer that was claimed. The answers of --all belong to the problem as it stands in the file; the
 * answer itself belongs to the velocities after the impacts, if any came before. */
static int judge_all(judgement *j)
{
    const abuti_contact_solution *solution = j->solution;
    for (int k = 0; k < solution->listed; ++k) j->fails[k] = judge(j, &solution->list[k]);
    for (int k = 0; k < solution->impacts && solution->impact && solution->impact_velocity; ++k) {
        abut_contact_check one;
        if (!check_impact(j->data, solution, k, &j->options, j->scratch, &one))
            return cmd_error("check", "%s: the impact cannot be judged", j->r->solution);
        if (!(one.residual <= j->impact)) j->impact = one.residual;
    }
    if (solution->answer.impulses) j->fails[solution->listed] = judge(j, &solution->answer);
    if (j->status != ABUT_OK) return cmd_error("check", "%s: %s", j->r->problem, abut_status_text(j->status));
    const abut_contact_check *check = &j->worst;
    const finding findings[] = {
        {"residual", "residual", check->residual},
        {"dynamics", "momentum before and after", check->dynamics},
        {"normal", "normal impulses and gaps", check->normal},
        {"cone", "friction within its polygon or circle", check->cone},
        {"direction", "friction against slip", check->direction},
        {"joint", "joint rows", check->joint},
        {"momentum", "action and reaction", check->momentum},
        {"work", "work done by friction", check->work},
        {"cone_residual", "with circles for polygons (for information)", check->cone_residual},
        {"impact", "residual of impacts before", j->impact},
    };
    verdict v = {.right = check->residual <= j->r->tolerance && j->impact <= j->r->tolerance,
                 .claim = solution->listed > 0 ? "the answer and all that are listed solve the problem"
                                               : "the impulses and velocities solve the problem",
                 .findings = findings,
                 .count = solution->impact ? 10 : 9,
                 .worst = check->worst_contact,
                 .listed = solution->listed,
                 .fails = j->fails};
    return report(j->r, &v);
}

/* The options under which the question was asked. The command line overrides the solution, and that the file. */
static abut_contact_options asked(const request *r, const abuti_contact_data *data,
                                  const abuti_contact_solution *solution)
{
    abut_contact_options options = abuti_contact_data_options(data);
    options.unions.rule = solution->rule;
    options.unions.epsilon = solution->epsilon;
    if (solution->slide_threshold >= 0) options.accel.slide_threshold = solution->slide_threshold;
    options.accel.impact_seconds = solution->impact_seconds;
    options.viscous = solution->viscous;
    if (solution->accel_directions > 0) options.accel.directions = solution->accel_directions;
    if (solution->has_threshold) options.restitution_threshold = solution->restitution_threshold;
    if (r->restitution_threshold != NOT_GIVEN) options.restitution_threshold = r->restitution_threshold;
    return options;
}

static int check_contact_solution(const request *r, abuti_contact_data *data,
                                  const abuti_contact_solution *solution)
{
    /* The question that was answered: --model, --directions, --cone, --union, --epsilon and --restitution-threshold
     * of the solve stand in its output. */
    data->model = solution->model;
    for (int i = 0; solution->directions > 0 && i < data->contact_count; ++i)
        data->contacts[i].directions = solution->directions;
    for (int i = 0; solution->has_cone && i < data->contact_count; ++i)
        data->contacts[i].cone = solution->cone;
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abut_error error = {""};
    if (abut_contact_validate(&problem, &error) != ABUT_OK)
        return cmd_error("check", "%s: %s", r->problem, error.text);
    abut_contact_options options = asked(r, data, solution);
    if (solution->witness) return check_witness(r, &problem, &options, solution);
    if (!solution->answer.impulses && solution->listed == 0) return nothing_to_judge(r, solution->outcome);
    int refused = refuse_missing(r, &problem, solution);
    if (refused != EXIT_SOLVED) return refused;
    judgement j = {.r = r,
                   .data = data,
                   .solution = solution,
                   .options = options,
                   .scratch = malloc((abut_contact_verify_size(&problem) + 1) * sizeof(double)),
                   .worst = {.residual = -1},
                   .fails = calloc((size_t)solution->listed + 1, sizeof(bool))};
    int status = j.scratch && j.fails ? judge_all(&j) : cmd_error("check", "out of memory");
    free(j.scratch);
    free(j.fails);
    return status;
}

static int check_contact(const request *r)
{
    abuti_contact_data data;
    abut_error error;
    if (!abuti_contact_read(r->problem, r->index == NOT_GIVEN ? 0 : (int)r->index, &data, &error))
        return cmd_error("check", "%s", error.text);
    abuti_text text;
    abuti_contact_solution solution = {0};
    abut_contact_problem problem = abuti_contact_data_problem(&data);
    int status;
    if (abuti_text_open(&text, r->solution, &error) &&
        abuti_contact_solution_read(&text, &problem, &solution))
        status = check_contact_solution(r, &data, &solution);
    else
        status = cmd_error("check", "%s", error.text);
    abuti_text_close(&text);
    abuti_contact_solution_release(&solution);
    abuti_contact_data_release(&data);
    return status;
}

int cmd_check(int argc, char **argv)
{
    request r = {.index = NOT_GIVEN,
                 .tolerance = abut_lcp_default_options().tolerance,
                 .restitution_threshold = NOT_GIVEN};
    const option table[] = {
        option_argument("PROBLEM", "the problem, in any format that is read", &r.problem),
        option_argument("SOLUTION", "what --json printed for it; - is standard input", &r.solution),
        option_q(&r.q_path),
        option_index(&r.index),
        option_tolerance(&r.tolerance),
        option_restitution_threshold(&r.restitution_threshold),
        option_json(&r.json),
        {0},
    };
    static const usage help = {
        "check",
        "Judges a solution from the problem alone, with code that no solver shares. Of SOLUTION only z is\n"
        "read (or the witness when it says infeasible, or the impulses and velocities of a contact\n"
        "problem; of every answer that --all listed): its own residual is not believed.\n"
        "Exit status: 0 right, 1 not so, 2 bad input.",
        "  abut lcp two.json --json > answer.json\n  abut check two.json answer.json\n"
        "  abut lcp two.json --json | abut check two.json -\n"
        "  abut solve pegs.txt --index 3 --json | abut check pegs.txt - --index 3\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    bool lcp = abuti_kind_of(r.problem) == ABUTI_KIND_LCP;
    if (lcp && r.index != NOT_GIVEN)
        return cmd_error("check", "--index: %s is an LCP; expected a contactset", r.problem);
    if (lcp && r.restitution_threshold != NOT_GIVEN)
        return cmd_error("check", "--restitution-threshold: %s is an LCP; expected a contact problem",
                         r.problem);
    if (!lcp && r.q_path)
        return cmd_error("check", "--q: %s is a contact problem; expected an LCP in Matrix Market form",
                         r.problem);
    return lcp ? check_lcp(&r) : check_contact(&r);
}
