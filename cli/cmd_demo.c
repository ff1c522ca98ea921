/* abut demo: what `make run` shows. A peg in a hole, solved, verified and explained. */

#include "clock.h"
#include "cmd.h"
#include "options.h"

#include "abut/contact.h"
#include "contact_families.h"

#include <math.h>
#include <stdio.h>

enum { CONTACTS = 16 };

/* A peg that a robot's hand pushes down and sideways and twists a little: some points slide, some stick, some
 * are free. */
static void make_scene(contact_case *c)
{
    bench_random random = bench_random_stream(1, 0);
    contact_case_clear(c);
    contact_make_peg(c, CONTACTS, &random);
    const double wrench[6] = {6, 2.5, -8, 0.05, 0.3, 0.02};
    for (int k = 0; k < 6; ++k) c->bodies[0].force[k] = wrench[k];
}

/* What rounds to zero shall not print a minus. */
static double tidy(double value)
{
    return fabs(value) < 5e-4 ? 0 : value;
}

static void print_answer(const abut_contact_problem *problem, const abut_contact_result *result, double us)
{
    static const char *const words[] = {"free", "slides", "slides", "sticks"};
    const double degree = 180 / 3.14159265358979323846;
    printf("  contact  ring    angle    pushes N  friction N  slips mm/s\n");
    for (int i = 0; i < problem->contact_count; ++i) {
        const abut_contact *c = &problem->contacts[i];
        const abut_contact_answer *a = &result->contacts[i];
        double angle = atan2(c->point[1], c->point[0]) * degree;
        printf("  %7d  %-6s %6.1f  %10.3f  %10.3f  %10.3f   %s\n", i, c->point[2] > 0 ? "upper" : "lower",
               angle < -1e-9 ? angle + 360 : fabs(angle), a->normal / problem->step,
               hypot(a->tangent[0], a->tangent[1]) / problem->step, 1000 * a->slip, words[a->state]);
    }
    const double *v = result->velocity;
    printf("\nAfter %g ms the peg moves at (%.3f, %.3f, %.3f) mm/s and turns at (%.3f, %.3f, %.3f) rad/s.\n",
           1000 * problem->step, tidy(1000 * v[0]), tidy(1000 * v[1]), tidy(1000 * v[2]), tidy(v[3]),
           tidy(v[4]), tidy(v[5]));
    printf("%s by %s in %d pivots and %.0f us; the verifier, which shares no code with it, found a "
           "residual\nof %.1e.\n",
           abut_outcome_name(result->outcome), abut_contact_solver_name(result->solver), result->pivots, us,
           result->residual);
    printf("\nNext:  abut solve --help    your own bodies and contacts\n"
           "       abut lcp --help      your own M and q\n"
           "       abut bench           how fast it is here\n"
           "       abut --help          everything else\n");
}

static int solve_and_show(const abut_contact_problem *problem)
{
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    double us = 0;
    abut_status called = abut_contact_workspace_create(&limits, NULL, &work);
    if (called == ABUT_OK) {
        double start = cmd_now_us();
        called = abut_contact_solve(work, problem, &options, &result);
        us = cmd_now_us() - start;
    }
    int status = called == ABUT_OK && result.outcome == ABUT_SOLVED ? EXIT_SOLVED : EXIT_NOT_SOLVED;
    if (called != ABUT_OK)
        status = cmd_error("demo", "%s", abut_status_text(called));
    else if (result.contacts)
        print_answer(problem, &result, us);
    abut_contact_workspace_destroy(work);
    return status;
}

int cmd_demo(int argc, char **argv)
{
    const option table[] = {{0}};
    static const usage help = {"demo", "Solves a built-in contact problem and shows the forces.",
                               "  abut demo\n"};
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    contact_case *c = contact_case_create();
    if (!c) return cmd_error("demo", "out of memory");
    make_scene(c);
    printf("A peg sits in a hole and touches its wall at %d points, in two rings. A hand pushes it down, "
           "sideways\n"
           "and twists it. Which points carry, which stick, which slide?\n\n",
           CONTACTS);
    status = c->failed ? cmd_error("demo", "out of memory") : solve_and_show(&c->problem);
    contact_case_destroy(c);
    return status;
}
