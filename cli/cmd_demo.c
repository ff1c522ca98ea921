/* abut demo: what `make run` shows. A small problem with a meaning, solved, verified and drawn. */

#include "cmd.h"
#include "options.h"

#include "abut/lcp.h"

#include <math.h>
#include <stdio.h>

/* A heavy string is stretched between two hooks above a floor with a bump. Its height h over the floor and
 * the force f of the floor on it are complementary at each of its points: h >= 0, f >= 0, h f = 0. Balance of
 * tension and weight makes the rest linear: f = K h + (K floor + weight), with K = tridiag(-1, 2, -1). */
enum { POINTS = 15 };
static const double weight = 0.06;

static double floor_height(int i)
{
    double x = (i - 7) / 3.0;
    return -1.0 + 0.55 / (1 + x * x);
}

static void make_problem(double *M, double *q)
{
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < POINTS; j++) M[i * POINTS + j] = i == j ? 2 : (i - j == 1 || j - i == 1) ? -1 : 0;
        double left = i > 0 ? floor_height(i - 1) : 0, right = i < POINTS - 1 ? floor_height(i + 1) : 0;
        q[i] = 2 * floor_height(i) - left - right + weight;
    }
}

static void print_answer(const abut_lcp_result *result)
{
    printf("  point   height   over floor   floor pushes\n");
    for (int i = 0; i < POINTS; i++)
        printf("  %5d  %7.4f  %11.4f  %13.4f   %s\n", i, result->z[i] + floor_height(i), result->z[i],
               result->w[i], result->w[i] > result->z[i] ? "touches" : "hangs free");
    printf("\n%s by %s in %d pivots; the verifier found a residual of %.1e.\n",
           abut_outcome_name(result->outcome), abut_lcp_method_name(result->method), result->pivots,
           result->residual);
    printf("\nNext:  abut lcp --help      solve your own M and q\n"
           "       abut --help          everything else\n");
}

int cmd_demo(int argc, char **argv)
{
    const option table[] = {{0}};
    static const usage help = {"demo", "Solves a built-in problem and shows the answer.", "  abut demo\n"};
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    double M[POINTS * POINTS], q[POINTS];
    make_problem(M, q);
    abut_lcp_problem problem = {.n = POINTS, .M = M, .ld = POINTS, .q = q};
    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_limits limits = {.n = POINTS};
    abut_lcp_workspace *work = NULL;
    abut_lcp_result result;
    printf("A heavy string hangs between two hooks, above a floor with a bump. Where does it touch?\n\n");
    abut_status called = abut_lcp_workspace_create(&limits, NULL, &work);
    if (called == ABUT_OK) called = abut_lcp_solve(work, &problem, &options, &result);
    if (called == ABUT_OK && result.z != NULL) print_answer(&result);
    status = called == ABUT_OK && result.outcome == ABUT_SOLVED ? EXIT_SOLVED : EXIT_NOT_SOLVED;
    if (called != ABUT_OK) status = cmd_error("demo", "%s", abut_status_text(called));
    abut_lcp_workspace_destroy(work);
    return status;
}
