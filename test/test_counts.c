/* Counts that no problem has are refused before an array is read: the arrays here are addresses where nothing
 * is, so that reading one ends the program. */
#include "abut/contact.h"
#include "abut/lcp.h"
#include "abut/statics.h"
#include "abut/union.h"
#include "check.h"

#include <limits.h>

#define NOWHERE(type) ((type *)(uintptr_t)64)

static const int huge[] = {ABUT_COUNT_MAX + 1, INT_MAX - 7, INT_MAX - 1, INT_MAX};
enum { HUGE_COUNT = sizeof huge / sizeof *huge };

static bool never(const double *z, const double *w, double residual, void *context)
{
    (void)z, (void)w, (void)residual, (void)context;
    return false;
}

/* With a count beyond all limits, and with one beyond the workspace only. */
static void test_lcp(void)
{
    double z = 0, w = 0, scratch[3], bound;
    abut_lcp_limits limits = {.n = 4};
    abut_lcp_options options = abut_lcp_default_options();
    abut_lcp_workspace *work = NULL;
    abut_lcp_result result;
    abut_lcp_check check;
    abut_error error;
    CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &work), ABUT_OK);
    abut_lcp_problem problem = {.M = NOWHERE(double), .q = NOWHERE(double)};
    for (int k = 0; k < HUGE_COUNT; ++k) {
        int count = 0;
        problem.n = problem.ld = huge[k];
        CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
        CHECK_EQ_INT(abut_lcp_enumerate(work, &problem, &options, never, NULL, &count), ABUT_TOO_LARGE);
        CHECK_EQ_INT(abut_lcp_validate(&problem, &error), ABUT_INVALID_ARGUMENT);
        CHECK(strstr(error.text, "expected at most 10000000"));
        CHECK_EQ_INT(abut_lcp_verify(&problem, &z, &w, scratch, &check), ABUT_INVALID_ARGUMENT);
        CHECK(!abut_lcp_verify_witness(&problem, &z, &bound));
        abut_lcp_workspace *none = NULL;
        for (unsigned method = 0; method < ABUT_LCP_METHOD_COUNT; ++method) {
            limits = (abut_lcp_limits){.n = huge[k], .methods = 1u << method};
            CHECK_EQ_INT(abut_lcp_workspace_create(&limits, NULL, &none), ABUT_INVALID_ARGUMENT);
            CHECK(!none);
        }
    }
    problem.n = problem.ld = 5;
    CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    problem.n = 4;
    problem.free_count = INT_MAX;
    problem.free = NOWHERE(int);
    problem.M = (double[16]){0};
    problem.q = (double[4]){0};
    problem.ld = 4;
    CHECK_EQ_INT(abut_lcp_solve(work, &problem, &options, &result), ABUT_INVALID_ARGUMENT);
    abut_lcp_workspace_destroy(work);
}

/* One count of the problem, or nv, is huge; the door is `door`. */
static abut_contact_problem problem_of(int door, int which, int count, abut_generalised *generalised,
                                       abut_local *local)
{
    *generalised = (abut_generalised){.nv = which == 2 ? count : 6,
                                      .mass_matrix = NOWHERE(double),
                                      .velocity = NOWHERE(double),
                                      .force = NOWHERE(double),
                                      .normal_rows = NOWHERE(double),
                                      .tangent_rows = NOWHERE(double),
                                      .joint_rows = NOWHERE(double)};
    *local = (abut_local){.dimension = 3, .W = NOWHERE(double), .q = NOWHERE(double)};
    abut_contact_problem problem = {
        .step = 0.01, .contacts = NOWHERE(abut_contact), .joints = NOWHERE(abut_joint)};
    problem.contact_count = which == 0 ? count : 1;
    problem.joint_count = which == 1 ? count : 1;
    if (door == 0) {
        problem.body_count = which == 2 ? count : 1;
        problem.bodies = NOWHERE(abut_body);
    }
    if (door == 1) problem.generalised = generalised;
    if (door == 2) problem.local = local;
    return problem;
}

static bool no_result(const abut_contact_result *result, void *context)
{
    (void)result, (void)context;
    return false;
}

/* Every call that takes a problem. `beyond`: the count exceeds all limits, not those of the workspace alone.
 */
static void check_refused(abut_contact_workspace *work, abut_contact_problem problem, bool beyond)
{
    abut_contact_options options = abut_contact_default_options();
    abut_contact_result result = {.contacts = NOWHERE(abut_contact_answer), .joints = NOWHERE(double)};
    int count = 0;
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &(abut_contact_result){0}), ABUT_TOO_LARGE);
    CHECK_EQ_INT(abut_union_all(work, &problem, &options, no_result, NULL, &count), ABUT_TOO_LARGE);
    CHECK_EQ_INT(
        abut_union_lcp_build(work, &problem, &options, NOWHERE(double), NOWHERE(double), NOWHERE(double)),
        ABUT_TOO_LARGE);
    if (beyond) {
        double *here = NOWHERE(double), factor;
        abut_contact_check check;
        abut_error error;
        abut_union_size size;
        abut_statics statics = {.net_wrench = here};
        CHECK_EQ_INT(abut_contact_validate(&problem, &error), ABUT_INVALID_ARGUMENT);
        CHECK_MSG(strstr(error.text, "expected at most 10000000"), "%s", error.text);
        CHECK_EQ_INT(abut_contact_limits_for(&problem, &options).contacts, -1);
        CHECK(abut_contact_verify_size(&problem) == 0);
        CHECK_EQ_INT(abut_contact_verify(&problem, &options, here, here, here, here, &check),
                     ABUT_INVALID_ARGUMENT);
        CHECK(!abut_contact_verify_witness(&problem, &options, here, here, here, &factor));
        CHECK_EQ_INT(abut_union_lcp_size(&problem, &options, &size), ABUT_INVALID_ARGUMENT);
        CHECK_EQ_INT(abut_union_lift(&problem, &options, 2, result.contacts, here, here),
                     ABUT_INVALID_ARGUMENT);
        CHECK_EQ_INT(abut_union_unlift(&problem, &options, here, here, here), ABUT_INVALID_ARGUMENT);
        problem.model = ABUT_COULOMB_ACCEL;
        CHECK_EQ_INT(abut_statics_find(&problem, &result, &statics), ABUT_INVALID_ARGUMENT);
    }
    problem.model = ABUT_COULOMB_ACCEL;
    CHECK_EQ_INT(abut_accel_all(work, &problem, &options, no_result, NULL, &count), ABUT_TOO_LARGE);
}

static void test_contact(void)
{
    abut_contact_limits limits = {
        .bodies = 2, .contacts = 4, .joints = 2, .nv = 6, .local = true, .sides = 4};
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    abut_generalised generalised;
    abut_local local;
    for (int door = 0; door < 3; ++door) {
        for (int which = 0; which < (door == 2 ? 2 : 3); ++which) {
            for (int k = 0; k < HUGE_COUNT; ++k)
                check_refused(work, problem_of(door, which, huge[k], &generalised, &local), true);
            check_refused(work, problem_of(door, which, 7, &generalised, &local), false);
        }
    }
    abut_contact_workspace_destroy(work);
    for (int k = 0; k < HUGE_COUNT; ++k) {
        abut_contact_workspace *none = NULL;
        int h = huge[k];
        const abut_contact_limits wrong[] = {
            {.bodies = h}, {.contacts = h}, {.joints = h}, {.nv = h}, {.contacts = h, .sides = h}};
        for (int i = 0; i < 5; ++i)
            CHECK_EQ_INT(abut_contact_workspace_create(&wrong[i], NULL, &none), ABUT_INVALID_ARGUMENT);
    }
}

int main(void)
{
    RUN(test_lcp);
    RUN(test_contact);
    return check_report();
}
