/* A problem without a solution, and a reason that anyone can check.
 *
 *     w_0 =  z_0 - z_1 - 1 >= 0
 *     w_1 = -z_0 + z_1 - 1 >= 0
 *
 * Adding the rows gives -2 >= 0 whatever z is. The witness u = (1, 1) says just that:
 *
 *     u >= 0,   M'u <= 0,   q'u < 0
 */

#include <abut/lcp.h>

#include <stdio.h>

int main(void)
{
    const double M[4] = {1, -1, -1, 1}, q[2] = {-1, -1};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};

    abut_lcp_limits limits = {.n = 2};
    abut_lcp_workspace *work = NULL;
    if (abut_lcp_workspace_create(&limits, NULL, &work) != ABUT_OK) return 1;

    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_result result;
    abut_status status = abut_lcp_solve(work, &problem, &options, &result);
    int proved = 0;
    if (status == ABUT_OK && result.outcome == ABUT_INFEASIBLE) {
        /* The verifier can be asked again, by itself: it sees the problem and the claim only. */
        double bound = 0;
        proved = abut_lcp_verify_witness(&problem, result.witness, &bound);
        printf("infeasible; witness u = (%g, %g), no solution has a 1-norm below %.3g\n", result.witness[0],
               result.witness[1], bound);
    } else {
        fprintf(stderr, "%s, %s; expected infeasible\n", abut_status_text(status),
                abut_outcome_name(result.outcome));
    }
    abut_lcp_workspace_destroy(work);
    return !proved;
}
