/* The workspace: limits, memory, options, budgets, and what it remembers. */
#include "alloc_count.h"
#include "contact_case.h"

static void test_memory(void)
{
    bench_random random = bench_random_stream(11, 0);
    contact_case c;
    case_random(&c, 3, 12, &random);
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = {.bodies = 3, .contacts = 12, .directions = 12};
    alloc_count count = {0};
    abut_allocator allocator = alloc_counting(&count);
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, &allocator, &work), ABUT_OK);
    CHECK_EQ_INT(count.requests, 1);
    abut_contact_result result;
    for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
        options.solver = (abut_contact_solver)solver;
        if (!abut_contact_supports(ABUT_COULOMB, options.solver, false)) continue;
        abut_status status = abut_contact_solve(work, &problem, &options, &result);
        CHECK(status == ABUT_OK || status == ABUT_TOO_LARGE); /* solvers that this workspace does not serve */
        if (status == ABUT_OK) CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    }
    CHECK_EQ_INT(count.requests, 1);
    abut_contact_workspace_destroy(work);
    CHECK(alloc_balanced(&count));

    abut_allocator halves[2] = {allocator, allocator};
    halves[0].allocate = NULL;
    halves[1].release = NULL;
    for (int k = 0; k < 2; ++k) {
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, &halves[k], &work), ABUT_INVALID_ARGUMENT);
        CHECK(!work);
    }

    for (long k = 1;; ++k) {
        alloc_count failing = {.fail_at = k};
        abut_allocator refusing = alloc_counting(&failing);
        work = NULL;
        abut_status status = abut_contact_workspace_create(&limits, &refusing, &work);
        if (failing.refused == 0) {
            abut_contact_workspace_destroy(work);
            break;
        }
        CHECK_EQ_INT(status, ABUT_OUT_OF_MEMORY);
        CHECK(!work && alloc_balanced(&failing));
    }
    abut_contact_workspace_destroy(NULL);
}

static void test_limits(void)
{
    bench_random random = bench_random_stream(12, 0);
    contact_case c;
    case_random(&c, 3, 12, &random);
    c.joints = 1;
    c.joint[0] = (abut_joint){.bodies = {0, 1}, .jacobian = {{1}, {-1}}};
    for (int i = 0; i < 12; ++i) c.contact[i].directions = 6;
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits fits = abut_contact_limits_for(&problem, &options);
    CHECK_EQ_INT(fits.bodies, 3);
    CHECK_EQ_INT(fits.contacts, 12);
    CHECK_EQ_INT(fits.joints, 1);
    CHECK_EQ_INT(fits.directions, 6);
    /* Nothing to fit: limits that are refused. */
    abut_contact_problem nowhere = {.contact_count = 3};
    abut_contact_options nobody = {.solver = (abut_contact_solver)77};
    abut_contact_workspace *none = NULL;
    abut_contact_limits unfit[3] = {abut_contact_limits_for(NULL, NULL),
                                    abut_contact_limits_for(&nowhere, NULL),
                                    abut_contact_limits_for(&problem, &nobody)};
    for (int k = 0; k < 3; ++k)
        CHECK_EQ_INT(abut_contact_workspace_create(&unfit[k], NULL, &none), ABUT_INVALID_ARGUMENT);
    for (int k = 0; k < 5; ++k) {
        abut_contact_limits limits = fits;
        limits.bodies -= k == 1;
        limits.contacts -= k == 2;
        limits.joints -= k == 3;
        limits.directions -= k == 4;
        abut_contact_workspace *work = NULL;
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result),
                     k == 0 ? ABUT_OK : ABUT_TOO_LARGE);
        abut_contact_workspace_destroy(work);
    }
    /* A workspace serves the solvers that its limits name. */
    abut_contact_limits limits = fits;
    limits.solvers = 1u << ABUT_SOLVER_LEMKE;
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    options.solver = ABUT_SOLVER_LEMKE;
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    CHECK_STR(result.stage, "lemke");
    options.solver = ABUT_SOLVER_STRUCTURAL;
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
    abut_contact_workspace_destroy(work);
    /* Limits that fit a stage serve it, even one of a solver that `auto` never asks. */
    options = abut_contact_default_options();
    options.stage = "structural";
    limits = abut_contact_limits_for(&problem, &options);
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
    CHECK_STR(result.stage, "structural");
    abut_contact_workspace_destroy(work);

    const abut_contact_limits bad[] = {{.bodies = -1},   {.contacts = -1},       {.joints = -1},
                                       {.nv = -1},       {.directions = 1},      {.directions = 65},
                                       {.solvers = ~0u}, {.contacts = INT32_MAX}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        CHECK_EQ_INT(abut_contact_workspace_create(&bad[k], NULL, &work), ABUT_INVALID_ARGUMENT);
        CHECK(!work);
    }
    CHECK_EQ_INT(abut_contact_workspace_create(NULL, NULL, &work), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_workspace_create(&fits, NULL, NULL), ABUT_INVALID_ARGUMENT);
    limits = (abut_contact_limits){0};
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    abut_contact_workspace_destroy(work);
}

static void test_options(void)
{
    bench_random random = bench_random_stream(13, 0);
    contact_case c;
    case_random(&c, 2, 6, &random);
    abut_contact_problem problem = case_problem(&c);
    abut_contact_options good = abut_contact_default_options(), options = good;
    abut_contact_limits limits = abut_contact_limits_for(&problem, &good);
    abut_contact_workspace *work = NULL;
    abut_contact_result result;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
#define REFUSED(change, status)                                                                              \
    do {                                                                                                     \
        options = good;                                                                                      \
        change;                                                                                              \
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), status);                         \
    } while (0)
    REFUSED(options.tolerance = 0.0, ABUT_INVALID_ARGUMENT);
    REFUSED(options.tolerance = NAN, ABUT_INVALID_ARGUMENT);
    REFUSED(options.tolerance = 0.1, ABUT_INVALID_ARGUMENT);
    REFUSED(options.max_pivots = -1, ABUT_INVALID_ARGUMENT);
    REFUSED(options.max_seconds = -1.0, ABUT_INVALID_ARGUMENT);
    REFUSED(options.max_seconds = INFINITY, ABUT_INVALID_ARGUMENT);
    REFUSED(options.solver = (abut_contact_solver)77, ABUT_INVALID_ARGUMENT);
    REFUSED(options.solver = ABUT_SOLVER_PPM, ABUT_UNSUPPORTED); /* answers other models */
    REFUSED(options.stage = "no such stage", ABUT_UNSUPPORTED);
    CHECK_EQ_INT(abut_contact_solve(NULL, &problem, &good, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_solve(work, NULL, &good, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, NULL, &result), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_contact_solve(work, &problem, &good, NULL), ABUT_INVALID_ARGUMENT);
    /* Each stage of the default by its name: it answers or says so, and never lies. */
    options = good;
    for (int k = 0; (options.stage = abut_contact_stage_name(ABUT_COULOMB, ABUT_SOLVER_AUTO, k)); ++k) {
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        CHECK_STR(result.stage, options.stage);
        CHECK(result.outcome != ABUT_SOLVED || result.residual <= good.tolerance);
    }
    abut_contact_workspace_destroy(work);
}

static void test_names(void)
{
    for (int model = 0; model < ABUT_MODEL_COUNT; ++model) {
        abut_contact_model found = ABUT_MODEL_COUNT;
        CHECK(abut_contact_model_from_name(abut_contact_model_name((abut_contact_model)model), &found));
        CHECK_EQ_INT(found, model);
    }
    for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
        abut_contact_solver found = ABUT_SOLVER_COUNT;
        CHECK(abut_contact_solver_from_name(abut_contact_solver_name((abut_contact_solver)solver), &found));
        CHECK_EQ_INT(found, solver);
    }
    abut_contact_model model;
    abut_contact_solver solver;
    CHECK(!abut_contact_model_from_name("coulombs", &model) && !abut_contact_model_from_name(NULL, &model));
    CHECK(!abut_contact_solver_from_name("", &solver) && !abut_contact_solver_from_name(NULL, &solver));
    CHECK_STR(abut_contact_model_name((abut_contact_model)99), "unknown");
    CHECK_STR(abut_contact_solver_name((abut_contact_solver)-1), "unknown");
    CHECK_STR(abut_contact_state_name(ABUT_EDGE), "edge");
    CHECK(!abut_contact_supports((abut_contact_model)99, ABUT_SOLVER_LEMKE, false));
    CHECK(!abut_contact_supports(ABUT_COULOMB, ABUT_SOLVER_STRUCTURAL, true)); /* needs rows */
    CHECK(abut_contact_supports(ABUT_COULOMB, ABUT_SOLVER_LEMKE, true));
    CHECK(abut_contact_stage_name(ABUT_COULOMB, ABUT_SOLVER_LEMKE, 0));
    CHECK(!abut_contact_stage_name(ABUT_COULOMB, ABUT_SOLVER_LEMKE, 99));
}

/* Every budget ends solved, or at the limit with a point and the residual that point has. */
static void test_budgets(void)
{
    uint64_t seed = check_seed(14);
    int limited = 0;
    for (int k = 0; k < 20; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c;
        case_random(&c, 1 + k % 4, 4 + k, &random);
        abut_contact_problem problem = case_problem(&c);
        for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
            if (solver == ABUT_SOLVER_ENUMERATE) continue;
            if (!abut_contact_supports(ABUT_COULOMB, (abut_contact_solver)solver, false)) continue;
            for (int budget = 1; budget <= 64; budget *= 4) {
                abut_contact_options options = abut_contact_default_options();
                options.solver = (abut_contact_solver)solver;
                options.max_pivots = budget;
                abut_contact_result result;
                abut_contact_workspace *work = case_solve(&problem, &options, &result);
                CHECK_MSG(result.outcome == ABUT_SOLVED || result.outcome == ABUT_LIMIT,
                          "problem %d, %s, %d pivots: %s", k, abut_contact_solver_name(options.solver),
                          budget, abut_outcome_name(result.outcome));
                CHECK(result.contacts && result.velocity && isfinite(result.residual));
                CHECK((result.outcome == ABUT_SOLVED) == (result.residual <= options.tolerance));
                limited += result.outcome == ABUT_LIMIT;
                abut_contact_workspace_destroy(work);
            }
        }
        abut_contact_options options = abut_contact_default_options();
        options.max_seconds = 1e-9; /* over before it begins */
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        CHECK(result.outcome == ABUT_LIMIT || result.outcome == ABUT_SOLVED);
        CHECK(result.contacts && isfinite(result.residual));
        abut_contact_workspace_destroy(work);
    }
    CHECK(limited > 0);
}

/* The same problem gives the same bits whatever the workspace solved before, unless it is asked to start
 * warm. */
static void test_forgets(void)
{
    bench_random random = bench_random_stream(15, 0);
    contact_case c, other;
    case_random(&c, 3, 14, &random);
    case_random(&other, 4, 20, &random);
    abut_contact_problem problem = case_problem(&c), between = case_problem(&other);
    abut_contact_limits limits = {.bodies = 4, .contacts = 20, .directions = 12};
    abut_contact_workspace *work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
    abut_contact_options options = abut_contact_default_options();
    double velocity[18] = {0};
    for (int round = 0; round < 3; ++round) {
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        if (round > 0) CHECK(memcmp(velocity, result.velocity, sizeof velocity) == 0);
        memcpy(velocity, result.velocity, sizeof velocity);
        CHECK_EQ_INT(abut_contact_solve(work, &between, &options, &result), ABUT_OK);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    }
    abut_contact_workspace_destroy(work);
}

/* States given by the caller, sensible or not, and those remembered by key through a change of order. */
static void test_starts(void)
{
    uint64_t seed = check_seed(16);
    for (int k = 0; k < 20; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        contact_case c;
        case_random(&c, 1 + k % 3, 3 + k, &random);
        for (int i = 0; i < c.contacts; ++i) c.contact[i].key = (uint64_t)(i + 1) * 0x100000001u;
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options = abut_contact_default_options();
        abut_contact_face start[CASE_CONTACTS];
        for (int i = 0; i < CASE_CONTACTS; ++i) {
            start[i] = (abut_contact_face){.state = (uint8_t)bench_below(&random, 6),
                                           .face = (uint8_t)bench_below(&random, 20)};
        }
        options.start = start;
        abut_contact_result result;
        abut_contact_workspace *work = case_solve(&problem, &options, &result);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        /* Again, warm, with the contacts in the opposite order. */
        options.start = NULL;
        options.warm = true;
        for (int i = 0; i < c.contacts / 2; ++i) {
            abut_contact kept = c.contact[i];
            c.contact[i] = c.contact[c.contacts - 1 - i];
            c.contact[c.contacts - 1 - i] = kept;
        }
        int cold = result.pivots;
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        (void)case_verify(&problem, &options, &result);
        CHECK_MSG(result.pivots <= cold, "problem %d: %d pivots warm, %d before", k, result.pivots, cold);
        abut_contact_workspace_destroy(work);
    }
}

int main(void)
{
    RUN(test_memory);
    RUN(test_limits);
    RUN(test_options);
    RUN(test_names);
    RUN(test_budgets);
    RUN(test_forgets);
    RUN(test_starts);
    return check_report();
}
