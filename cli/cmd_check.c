/* abut check: the verifier alone. It reads a problem and what --json printed, and believes neither. */

#include "check_impact.h"
#include "cmd.h"
#include "options.h"

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
    bool json;
} request;

/* One measured number of the verdict. */
typedef struct finding {
    const char *name, *words;
    double value;
} finding;

/* Says right or wrong, with the findings. */
static int report(const request *r, bool right, const char *claim, const finding *findings, int count,
                  int worst)
{
    if (r->json) {
        abuti_json json = abuti_json_on(stdout);
        abuti_json_open(&json, NULL, '{', true);
        abuti_json_bool(&json, "right", right);
        abuti_json_string(&json, "claim", claim);
        for (int i = 0; i < count; i++) abuti_json_number(&json, findings[i].name, findings[i].value);
        if (count > 0) abuti_json_integer(&json, "worst", worst);
        abuti_json_close(&json, '}');
        return right ? EXIT_SOLVED : EXIT_NOT_SOLVED;
    }
    printf("%s: %s\n", right ? "right" : "wrong", claim);
    for (int i = 0; i < count; i++) {
        printf("  %-38s %.3g", findings[i].words, findings[i].value);
        bool residual = strcmp(findings[i].name, "residual") == 0;
        if (residual) printf(" (tolerance %.0e)", r->tolerance);
        if (residual && worst >= 0) printf(", worst at index %d", worst);
        putchar('\n');
    }
    return right ? EXIT_SOLVED : EXIT_NOT_SOLVED;
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
    return report(r, false, claim, NULL, 0, -1);
}

/* ---- LCPs ---- */

/* The worst of all claimed points decides. */
static int check_points(const request *r, const abut_lcp_problem *problem, const abuti_lcp_solution *solution)
{
    size_t n = (size_t)problem->n;
    double *w = malloc(4 * n * sizeof(double));
    if (w == NULL) return cmd_error("check", "out of memory");
    abut_lcp_check worst = {.residual = -1};
    abut_status status = ABUT_OK;
    for (int k = 0; k < solution->count && status == ABUT_OK; k++) {
        abut_lcp_check check;
        status = abut_lcp_verify(problem, solution->z + (size_t)k * n, w, w + n, &check);
        if (status == ABUT_OK && !(check.residual <= worst.residual)) worst = check;
    }
    free(w);
    if (status != ABUT_OK) return cmd_error("check", "%s: %s", r->problem, abut_status_text(status));
    const finding findings[] = {
        {"residual", "residual", worst.residual},
        {"min_z", "smallest z", worst.min_z},
        {"min_w", "smallest w", worst.min_w},
        {"complementarity", "largest |z w|", worst.complementarity},
        {"equation", "largest |w| of free variables", worst.equation},
    };
    int count = problem->free_count > 0 ? 5 : 4;
    return report(r, worst.residual <= r->tolerance, "z solves the problem", findings, count, worst.worst);
}

static int check_lcp_solution(const request *r, const abut_lcp_problem *problem,
                              const abuti_lcp_solution *solution)
{
    if (strcmp(solution->outcome, "infeasible") == 0 && solution->witness != NULL) {
        double bound = 0;
        bool right = abut_lcp_verify_witness(problem, solution->witness, &bound);
        const finding findings[] = {{"witness_bound", "no solution has a 1-norm below", bound}};
        return report(r, right, "the witness proves that there is no solution", findings, 1, -1);
    }
    if (solution->z != NULL) return check_points(r, problem, solution);
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
                         const abuti_contact_solution *solution)
{
    if (problem->joint_count > 0 && solution->witness_joints == NULL)
        return cmd_error("check", "%s: witness_joints is missing", r->solution);
    double *scratch = malloc((abut_contact_verify_size(problem) + 1) * sizeof(double)), factor = 0;
    if (scratch == NULL) return cmd_error("check", "out of memory");
    bool right =
        abut_contact_verify_witness(problem, solution->witness, solution->witness_joints, scratch, &factor);
    free(scratch);
    const finding findings[] = {{"witness_factor", "how much faster than asked a motion must be", factor}};
    return report(r, right, "the witness proves that there is no solution", findings, 1, -1);
}

static int check_contact_solution(const request *r, abuti_contact_data *data,
                                  const abuti_contact_solution *solution)
{
    /* The question that was answered: --model, --directions, --union and --epsilon of the solve stand in its
     * output. */
    data->model = solution->model;
    for (int i = 0; solution->directions > 0 && i < data->contact_count; i++)
        data->contacts[i].directions = solution->directions;
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abut_error error = {""};
    if (abut_contact_validate(&problem, &error) != ABUT_OK)
        return cmd_error("check", "%s: %s", r->problem, error.text);
    if (solution->witness != NULL) return check_witness(r, &problem, solution);
    if (solution->impulses == NULL) return nothing_to_judge(r, solution->outcome);
    if (problem.body_count > 0 && solution->velocity == NULL)
        return cmd_error("check", "%s: velocity is missing", r->solution);
    if (problem.joint_count > 0 && solution->joints == NULL)
        return cmd_error("check", "%s: joints is missing", r->solution);
    abut_contact_options options = abut_contact_default_options();
    options.union_rule = solution->rule;
    options.union_epsilon = solution->epsilon;
    if (solution->accel_directions > 0) options.accel_directions = solution->accel_directions;
    double *scratch = malloc((abut_contact_verify_size(&problem) + 1) * sizeof(double));
    if (scratch == NULL) return cmd_error("check", "out of memory");
    abut_contact_check check, impact = {.residual = 0};
    if (solution->impact != NULL && solution->impact_velocity != NULL) {
        for (int k = 0; k < solution->impacts; k++) {
            abut_contact_check one;
            if (!check_impact(data, solution, k, &options, scratch, &one)) {
                free(scratch);
                return cmd_error("check", "%s: the impact cannot be judged", r->solution);
            }
            if (!(one.residual <= impact.residual)) impact = one;
        }
        problem = abuti_contact_data_problem(data);
    }
    abut_status status = abut_contact_verify(&problem, &options, solution->impulses, solution->joints,
                                             solution->velocity, scratch, &check);
    free(scratch);
    if (status != ABUT_OK) return cmd_error("check", "%s: %s", r->problem, abut_status_text(status));
    const finding findings[] = {
        {"residual", "residual", check.residual},
        {"dynamics", "momentum before and after", check.dynamics},
        {"normal", "normal impulses and gaps", check.normal},
        {"cone", "friction within its polygon", check.cone},
        {"direction", "friction against slip", check.direction},
        {"joint", "joint rows", check.joint},
        {"momentum", "action and reaction", check.momentum},
        {"work", "work done by friction", check.work},
        {"cone_residual", "against the round cone (for information)", check.cone_residual},
        {"impact", "residual of impacts before", impact.residual},
    };
    bool right = check.residual <= r->tolerance && impact.residual <= r->tolerance;
    return report(r, right, "the impulses and velocities solve the problem", findings,
                  solution->impact != NULL ? 10 : 9, check.worst_contact);
}

static int check_contact(const request *r)
{
    abuti_contact_data data;
    abut_error error;
    if (!abuti_contact_read(r->problem, (int)r->index, &data, &error))
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
    request r = {.tolerance = abut_lcp_default_options().tolerance};
    const option table[] = {
        {.name = "PROBLEM",
         .help = "the problem, in any format that is read",
         .kind = OPTION_ARGUMENT,
         .text = &r.problem},
        {.name = "SOLUTION",
         .help = "what --json printed for it; - is standard input",
         .kind = OPTION_ARGUMENT,
         .text = &r.solution},
        option_q(&r.q_path),
        option_index(&r.index),
        option_tolerance(&r.tolerance),
        option_json(&r.json),
        {0},
    };
    static const usage help = {
        "check",
        "Judges a solution from the problem alone, with code that no solver shares. Of SOLUTION only z is\n"
        "read (or the witness when it says infeasible, or the impulses and velocities of a contact\n"
        "problem): its own residual is not believed.\n"
        "Exit status: 0 right, 1 not so, 2 bad input.",
        "  abut lcp two.json --json > answer.json\n  abut check two.json answer.json\n"
        "  abut lcp two.json --json | abut check two.json -\n"
        "  abut solve pegs.txt --index 3 --json | abut check pegs.txt - --index 3\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    return abuti_kind_of(r.problem) == ABUTI_KIND_LCP ? check_lcp(&r) : check_contact(&r);
}
