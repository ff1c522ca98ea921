/* abut check: the verifier alone. It reads a problem and what --json printed, and believes neither. */

#include "cmd.h"
#include "options.h"

#include "abut/lcp.h"
#include "io/json_write.h"
#include "io/lcp_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *problem, *solution, *q_path;
    double tolerance;
    bool json;
} request;

static int report(const request *r, bool right, const char *claim, double residual,
                  const abut_lcp_check *check)
{
    if (r->json) {
        abuti_json json = abuti_json_on(stdout);
        abuti_json_open(&json, NULL, '{', true);
        abuti_json_bool(&json, "right", right);
        abuti_json_string(&json, "claim", claim);
        abuti_json_number(&json, "residual", residual);
        if (check != NULL) {
            abuti_json_integer(&json, "worst", check->worst);
            abuti_json_number(&json, "min_z", check->min_z);
            abuti_json_number(&json, "min_w", check->min_w);
            abuti_json_number(&json, "complementarity", check->complementarity);
            abuti_json_number(&json, "equation", check->equation);
        }
        abuti_json_close(&json, '}');
    } else {
        printf("%s: %s\n", right ? "right" : "wrong", claim);
        if (check != NULL) {
            printf("  residual         %.3g (tolerance %.0e)", residual, r->tolerance);
            if (check->worst >= 0) printf(", worst at variable %d", check->worst);
            printf("\n  smallest z       %.3g\n  smallest w       %.3g\n  largest |z w|    %.3g\n",
                   check->min_z, check->min_w, check->complementarity);
            if (check->equation > 0) printf("  largest |w| of free variables %.3g\n", check->equation);
        }
    }
    return right ? EXIT_SOLVED : EXIT_NOT_SOLVED;
}

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
    return report(r, worst.residual <= r->tolerance, "z solves the problem", worst.residual, &worst);
}

static int check_solution(const request *r, const abut_lcp_problem *problem,
                          const abuti_lcp_solution *solution)
{
    if (strcmp(solution->outcome, "infeasible") == 0 && solution->witness != NULL) {
        double bound = 0;
        bool right = abut_lcp_verify_witness(problem, solution->witness, &bound);
        char claim[160];
        snprintf(claim, sizeof claim, "the witness proves that no solution has a 1-norm below %.3g", bound);
        return report(r, right, claim, 0, NULL);
    }
    if (solution->z != NULL) return check_points(r, problem, solution);
    char claim[160];
    snprintf(claim, sizeof claim,
             "outcome '%s' comes without z and without witness: nothing shows that it holds",
             solution->outcome);
    return report(r, false, claim, 0, NULL);
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
        {.name = "--q",
         .value = "FILE",
         .help = "q, when PROBLEM is a Matrix Market file",
         .kind = OPTION_TEXT,
         .text = &r.q_path},
        {.name = "--tolerance",
         .value = "T",
         .help = "residual that still counts as right; 1e-9",
         .kind = OPTION_NUMBER,
         .low = 1e-15,
         .high = 1e-3,
         .number = &r.tolerance},
        {.name = "--json",
         .help = "one JSON object on standard output",
         .kind = OPTION_FLAG,
         .flag = &r.json},
        {0},
    };
    static const usage help = {
        "check",
        "Judges a solution from the problem alone, with code that no solver shares. Of SOLUTION only z (or "
        "the\n"
        "witness, when it says infeasible) is read: its own residual is not believed.\n"
        "Exit status: 0 right, 1 not so, 2 bad input.",
        "  abut lcp two.json --json > answer.json\n  abut check two.json answer.json\n"
        "  abut lcp two.json --json | abut check two.json -\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    abuti_lcp_data data;
    abut_error error;
    if (!abuti_lcp_read(r.problem, r.q_path, &data, &error)) return cmd_error("check", "%s", error.text);
    abuti_text text;
    abuti_lcp_solution solution = {0};
    if (abuti_text_open(&text, r.solution, &error) && abuti_lcp_solution_read(&text, data.n, &solution)) {
        abut_lcp_problem problem = abuti_lcp_data_problem(&data);
        status = check_solution(&r, &problem, &solution);
    } else {
        status = cmd_error("check", "%s", error.text);
    }
    abuti_text_close(&text);
    abuti_lcp_solution_release(&solution);
    abuti_lcp_data_release(&data);
    return status;
}
