/* A first LCP: one workspace, several problems, each answer checked by the verifier.
 *
 *     w = M z + q,   z >= 0,   w >= 0,   z'w = 0
 */

#include <abut/lcp.h>

#include <stdio.h>

#define N 3

int main(void)
{
    /* A chain of three: neighbours push against each other. */
    const double M[N][N] = {{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}};
    const double loads[3][N] = {{-1, -1, -1}, {-1, 3, -1}, {1, 2, 3}};

    /* Made once, for the largest problem; solving then allocates nothing. */
    abut_lcp_limits limits = {.n = N};
    abut_lcp_workspace *work = NULL;
    abut_status status = abut_lcp_workspace_create(&limits, NULL, &work);
    if (status != ABUT_OK) {
        fprintf(stderr, "workspace: %s\n", abut_status_text(status));
        return 1;
    }

    abut_lcp_options options = abut_lcp_default_options();
    int unsolved = 0;
    for (int k = 0; k < 3; ++k) {
        abut_lcp_problem problem = {.n = N, .M = &M[0][0], .ld = N, .q = loads[k]};
        abut_lcp_result result;
        status = abut_lcp_solve(work, &problem, &options, &result);
        if (status != ABUT_OK) { /* the call was wrong, and this says how */
            abut_error error;
            abut_lcp_validate(&problem, &error);
            fprintf(stderr, "problem %d: %s (%s)\n", k, abut_status_text(status), error.text);
            unsolved++;
            continue;
        }
        printf("problem %d: %s by %s, %d pivots, residual %.1e\n", k, abut_outcome_name(result.outcome),
               abut_lcp_method_name(result.method), result.pivots, result.residual);
        if (result.outcome != ABUT_SOLVED) {
            unsolved++;
            continue;
        }
        for (int i = 0; i < N; ++i) printf("    z%d = %-8.6g w%d = %.6g\n", i, result.z[i], i, result.w[i]);
    }
    abut_lcp_workspace_destroy(work);
    return unsolved;
}
