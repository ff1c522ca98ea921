/* A program outside the project: it knows the installed headers only. Solves a small LCP with a known answer.
 */

#include <abut/contact.h>
#include <abut/lcp.h>
#include <abut/planar.h>
#include <abut/statics.h>
#include <abut/union.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int solve(void)
{
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
    abut_lcp_problem problem = {.n = 2, .M = M, .ld = 2, .q = q};
    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_limits limits = {.n = 2};
    abut_lcp_workspace *work = NULL;
    if (abut_lcp_workspace_create(&limits, NULL, &work) != ABUT_OK) return 1;

    abut_lcp_result result;
    abut_status status = abut_lcp_solve(work, &problem, &options, &result);
    int right = status == ABUT_OK && result.outcome == ABUT_SOLVED && fabs(result.z[0] - 4.0 / 3) <= 1e-12 &&
                fabs(result.z[1] - 7.0 / 3) <= 1e-12;
    printf("%s, %s\n", abut_status_text(status), abut_outcome_name(result.outcome));
    abut_lcp_workspace_destroy(work);
    return !right;
}

int main(void)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", ABUT_VERSION_MAJOR, ABUT_VERSION_MINOR,
             ABUT_VERSION_PATCH);
    if (strcmp(abut_version(), expected) != 0) {
        fprintf(stderr, "headers %s, library %s\n", expected, abut_version());
        return 1;
    }
    printf("abut %s\n", abut_version());
    return solve();
}
