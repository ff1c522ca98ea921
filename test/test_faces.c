/* The default solver: every family of problems, every stage alone, given states, budgets, sequences of steps,
 * doors. Each answer is judged by the verifier. */
#include "alloc_count.h"
#include "lloyd_case.h"

static contact_trial *trial;

static void test_golden(void)
{
    run_golden(trial);
}

static void test_without_friction(void)
{
    run_without_friction(trial, check_seed(4));
}

static void test_ray(void)
{
    run_squeezed(trial);
}

static void test_limit(void)
{
    run_limited(trial, check_seed(5));
}

static void test_restart(void)
{
    uint64_t seed = check_seed(6);
    run_restarted(trial, "pegs", 16, seed);
    run_restarted(trial, "jittered", 16, seed);
    run_restarted(trial, "gaps", 8, seed);
    run_restarted(trial, "stacks", 8, seed);
    run_restarted(trial, "towers", 6, seed);
    run_restarted(trial, "walls", 4, seed);
}

static void test_tower(void)
{
    run_tower(trial);
}

/* The paper's families, and more of that kind: the residual that is promised. */
static void test_families(void)
{
    static const char *const families[] = {
        "pegs",       "jittered", "single",         "stacks",           "towers", "walls", "gaps",
        "units",      "chains",   "symmetric-pegs", "symmetric-stacks", "loops",  "belts", "clutter",
        "directions", "friction", "masses",         "rebound",          "driven"};
    uint64_t seed = check_seed(1);
    for (size_t k = 0; k < sizeof families / sizeof *families; ++k) {
        const contact_family *family = contact_family_find(families[k]);
        contact_case *c = contact_case_create();
        int sizes = 0;
        while (family->sizes[sizes]) sizes++;
        for (int i = 0; i < 200; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[i % sizes], &random, c));
            CHECK(contact_trial_run(trial, &c->problem));
            bool unsolvable = trial->result.outcome == ABUT_RAY || trial->result.outcome == ABUT_INFEASIBLE;
            if (unsolvable && family->ray_allowed) continue;
            expect_solved(trial, RESIDUAL_PAPER, families[k], i);
        }
        contact_case_destroy(c);
    }
}

/* Contacts that nearly coincide, 1e-7 or less apart, may be left to the solvers that come to help. */
static void test_duplicates(void)
{
    contact_trial *helped = contact_trial_create(ABUT_SOLVER_FACES, false);
    run_family(helped, "duplicates", 100, 200, RESIDUAL_NASTY, check_seed(2));
    contact_trial_destroy(helped);
}

/* Alone it solves nearly all of them: the inverse of nearly dependent rows is made from orthogonal ones. */
static void test_duplicates_alone(void)
{
    enum { PROBLEMS = 2000 };
    uint64_t seed = check_seed(7);
    const contact_family *family = contact_family_find("duplicates");
    contact_trial *alone = contact_trial_create(ABUT_SOLVER_FACES, true);
    contact_case *c = contact_case_create();
    int solved = 0;
    for (int i = 0; i < PROBLEMS; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(family, family->sizes[i % 2], &random, c));
        CHECK(contact_trial_run(alone, &c->problem));
        if (alone->result.outcome != ABUT_SOLVED) continue;
        solved++;
        expect_solved(alone, RESIDUAL_NASTY, "duplicates", i);
    }
    CHECK_MSG(solved >= PROBLEMS - PROBLEMS / 200, "%d of %d", solved, PROBLEMS);
    contact_case_destroy(c);
    contact_trial_destroy(alone);
}

/* ---- stages ---- */

/* How many of 60 problems a stage solves by itself; what it gives is right. */
static int stage_alone(const char *stage, const char *name, uint64_t seed)
{
    const contact_family *family = contact_family_find(name);
    contact_trial *alone = contact_trial_create(ABUT_SOLVER_FACES, true);
    contact_case *c = contact_case_create();
    int solved = 0, sizes = 0;
    alone->options.stage = stage;
    while (family->sizes[sizes]) sizes++;
    for (int i = 0; i < 60; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(family, family->sizes[i % sizes], &random, c));
        CHECK(contact_trial_run(alone, &c->problem));
        if (alone->result.outcome != ABUT_SOLVED) continue;
        solved++;
        CHECK_STR(alone->result.stage, stage);
        expect_solved(alone, RESIDUAL_PAPER, name, i);
    }
    contact_case_destroy(c);
    contact_trial_destroy(alone);
    return solved;
}

static void test_stages_alone(void)
{
    static const char *const easy[] = {"pegs",  "single", "stacks", "symmetric-pegs",
                                       "units", "chains", "belts"};
    static const char *const hard[] = {"jittered", "directions", "friction", "gaps", "symmetric-stacks",
                                       "towers",   "walls",      "masses",   "loops"};
    uint64_t seed = check_seed(3);
    for (size_t k = 0; k < sizeof easy / sizeof *easy; ++k) {
        CHECK(stage_alone("faces-greedy", easy[k], seed) >= 48);
        CHECK_EQ_INT(stage_alone("faces-path", easy[k], seed), 60);
        CHECK_EQ_INT(stage_alone("faces-cover", easy[k], seed), 60);
    }
    for (size_t k = 0; k < sizeof hard / sizeof *hard; ++k) {
        CHECK(stage_alone("faces-greedy", hard[k], seed) >= 15);
        CHECK(stage_alone("faces-path", hard[k], seed) >= 58);
        CHECK(stage_alone("faces-cover", hard[k], seed) >= 58);
    }
}

/* Two bodies and more, whatever the contacts are like, from the inside alone; one body is not its affair. */
static void test_interior_alone(void)
{
    static const struct {
        const char *family;
        int least;
    } runs[] = {{"towers", 60},           {"walls", 60},  {"stacks", 48},
                {"symmetric-stacks", 50}, {"masses", 40}, {"pegs", 0}};
    uint64_t seed = check_seed(13);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        int solved = stage_alone("faces-interior", runs[r].family, seed);
        CHECK_MSG(solved >= runs[r].least, "%s: %d of 60", runs[r].family, solved);
    }
    CHECK_EQ_INT(stage_alone("faces-interior", "pegs", seed), 0);
}

/* Large islands that are narrow go through the inside of faces, wide ones through sparse factors. */
static void test_narrow(void)
{
    static const struct {
        void (*make)(contact_case *c, int size, bench_random *random);
        int bodies;
        const char *stage;
    } runs[] = {{contact_make_stack, 24, "faces-interior"},
                {contact_make_stack, 30, "faces-narrow"},
                {contact_make_wall, 30, "faces-narrow"},
                {contact_make_wall, 100, "sparse-interior"}};
    uint64_t seed = check_seed(14);
    contact_case *c = contact_case_create();
    contact_trial *fresh = contact_trial_create(ABUT_SOLVER_AUTO, false);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        bench_random random = bench_random_stream(seed, r);
        contact_case_clear(c);
        runs[r].make(c, runs[r].bodies, &random);
        CHECK(contact_trial_run(fresh, &c->problem) && fresh->result.outcome == ABUT_SOLVED);
        CHECK(fresh->check.residual <= 1e-9);
        CHECK_STR(fresh->result.stage, runs[r].stage);
    }
    contact_trial_destroy(fresh);
    contact_case_destroy(c);
}

/* The states of an answer are right for its problem: a check says so without a pivot. (Where contacts are
 * redundant the first warm answer may share the friction out in another way than the cold one.) */
static void test_check_alone(void)
{
    static const struct {
        const char *family;
        int size;
    } runs[] = {{"single", 7}, {"stacks", 9}, {"towers", 8}, {"walls", 8}, {"directions", 9}, {"gaps", 8}};
    uint64_t seed = check_seed(8);
    contact_trial *alone = contact_trial_create(ABUT_SOLVER_FACES, true);
    contact_case *c = contact_case_create();
    for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
        int right = 0;
        for (int i = 0; i < 40; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            CHECK(contact_family_make(contact_family_find(runs[r].family), runs[r].size, &random, c));
            for (int warm = 0; warm < 2; ++warm) {
                alone->options.warm = warm;
                CHECK(contact_trial_run(alone, &c->problem));
            }
            bool held = alone->result.stage && strcmp(alone->result.stage, "sparse-hold") == 0;
            alone->options.stage = held ? "sparse-hold" : "faces-check";
            CHECK(contact_trial_run(alone, &c->problem));
            alone->options.stage = NULL;
            if (alone->result.outcome != ABUT_SOLVED) continue;
            right++;
            CHECK_EQ_INT(alone->result.pivots, 0);
            expect_solved(alone, RESIDUAL_PAPER, runs[r].family, i);
        }
        CHECK_MSG(right >= 36, "%s: %d of 40", runs[r].family, right);
    }
    contact_case_destroy(c);
    contact_trial_destroy(alone);
}

/* Without friction v is unique: the one that `reduced` finds. */
static void test_same_velocity(void)
{
    static const char *const families[] = {"pegs", "stacks", "towers", "walls", "gaps", "masses", "loops"};
    uint64_t seed = check_seed(9);
    contact_trial *reduced = contact_trial_create(ABUT_SOLVER_REDUCED, true);
    contact_case *c = contact_case_create();
    for (size_t k = 0; k < sizeof families / sizeof *families; ++k) {
        const contact_family *family = contact_family_find(families[k]);
        for (int i = 0; i < 20; ++i) {
            bench_random random = bench_random_stream(seed, (uint64_t)i);
            CHECK(contact_family_make(family, family->sizes[0], &random, c));
            for (int n = 0; n < c->problem.contact_count; ++n) c->contacts[n].friction = 0;
            run_problem(trial, &c->problem, RESIDUAL_PAPER, families[k], i);
            run_problem(reduced, &c->problem, RESIDUAL_PAPER, families[k], i);
            double largest = 0, off = 0;
            for (int v = 0; v < 6 * c->problem.body_count; ++v) {
                largest = fmax(largest, fabs(reduced->result.velocity[v]));
                off = fmax(off, fabs(reduced->result.velocity[v] - trial->result.velocity[v]));
            }
            CHECK_MSG(off <= 1e-8 * largest, "%s %d: %g of %g", families[k], i, off, largest);
        }
    }
    contact_case_destroy(c);
    contact_trial_destroy(reduced);
}

/* Gravity alone, everything symmetric: no more pivots than `reduced` needs. */
static void test_symmetric_pivots(void)
{
    contact_trial *reduced = contact_trial_create(ABUT_SOLVER_REDUCED, true);
    contact_case *c = contact_case_create();
    for (int m = 1; m <= 20; ++m) {
        contact_case_clear(c);
        double inertia[3];
        contact_block_inertia(1, 1, 1, 1, inertia);
        for (int b = 0; b < m; ++b) {
            int body = contact_case_body(c, 1, inertia, (double[3]){0, 0, b + 0.5});
            c->bodies[body].force[2] = -CONTACT_GRAVITY;
            for (int k = 0; k < 4; ++k)
                contact_case_add(c, body, b - 1, 0.25, (double[3]){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, b},
                                 (double[3]){0, 0, 1});
        }
        c->problem.step = CONTACT_STEP;
        run_problem(trial, &c->problem, RESIDUAL_PAPER, "gravity", m);
        run_problem(reduced, &c->problem, RESIDUAL_PAPER, "gravity", m);
        CHECK_MSG(trial->result.pivots <= reduced->result.pivots, "m = %d: %d pivots, reduced %d", m,
                  trial->result.pivots, reduced->result.pivots);
    }
    contact_case_destroy(c);
    contact_trial_destroy(reduced);
}

/* ---- steps in time, memory, doors ---- */

static void test_sequences(void)
{
    uint64_t seed = check_seed(10);
    for (int k = 0; k < contact_sequence_count; ++k) {
        const contact_sequence *sequence = &contact_sequences[k];
        for (int size = 0; size < CONTACT_SIZES_MAX && sequence->sizes[size]; ++size) {
            contact_trial *warm = contact_trial_create(ABUT_SOLVER_FACES, true);
            contact_case *c = contact_case_create();
            int checked = 0;
            warm->options.warm = true;
            for (int step = 0; step < 400; ++step) {
                contact_case_clear(c);
                sequence->make(c, sequence->sizes[size], step, seed);
                run_problem(warm, &c->problem, RESIDUAL_PAPER, sequence->name, step);
                const char *stage = warm->result.stage ? warm->result.stage : "";
                checked += strcmp(stage, "sparse-hold") == 0 || strcmp(stage, "faces-check") == 0 ||
                           strncmp(stage, "rest", 4) == 0;
            }
            printf("       %-14s %2d: %d of 400 steps kept their states or their rest\n", sequence->name,
                   sequence->sizes[size], checked);
            CHECK(checked >= 200);
            contact_case_destroy(c);
            contact_trial_destroy(warm);
        }
    }
}

/* The budget is kept, and what is left is an answer with its true residual. */
static void test_budgets(void)
{
    contact_trial *limited = contact_trial_create(ABUT_SOLVER_FACES, true);
    contact_case *c = contact_case_create();
    uint64_t seed = check_seed(11);
    static const char *const stages[] = {NULL, "faces-greedy", "faces-path", "faces-cover", "faces-interior"};
    for (int i = 0; i < 50; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(contact_family_find("towers"), 6, &random, c));
        limited->options.stage = stages[i % 5];
        limited->options.max_pivots = 1 + i / 10;
        limited->options.max_seconds = 0;
        CHECK(contact_trial_run(limited, &c->problem));
        CHECK_EQ_INT(limited->result.outcome, ABUT_LIMIT);
        CHECK(limited->result.pivots <= 1 + i / 10 && limited->result.contacts);
        CHECK(limited->check.residual > 0 && limited->check.residual < INFINITY);
        limited->options.max_pivots = 0;
        limited->options.max_seconds = 1e-9;
        CHECK(contact_trial_run(limited, &c->problem));
        CHECK_EQ_INT(limited->result.outcome, ABUT_LIMIT);
    }
    contact_case_destroy(c);
    contact_trial_destroy(limited);
}

/* Mending given states, and what follows when that fails, share one budget. A round moves each contact once
 * at most, and the last one may end beyond it. Returns how many of the towers ran out of it. */
static int spend_on_given_states(int bodies, int pivots, int trials, uint64_t seed)
{
    contact_case *c = contact_case_create();
    int limits = 0;
    for (int i = 0; i < trials; ++i) {
        contact_trial *free = contact_trial_create(ABUT_SOLVER_FACES, true);
        contact_trial *limited = contact_trial_create(ABUT_SOLVER_FACES, true);
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        CHECK(contact_family_make(contact_family_find("towers"), bodies, &random, c));
        run_problem(free, &c->problem, RESIDUAL_PAPER, "towers", i);
        CHECK(contact_family_make(contact_family_find("towers"), bodies, &random, c));
        limited->options.start = free->result.faces; /* of another tower */
        limited->options.max_pivots = pivots;
        CHECK(contact_trial_run(limited, &c->problem));
        limits += limited->result.outcome == ABUT_LIMIT;
        CHECK_MSG(limited->result.pivots <= pivots + c->problem.contact_count, "tower %d of %d: %d pivots", i,
                  bodies, limited->result.pivots);
        contact_trial_destroy(free);
        contact_trial_destroy(limited);
    }
    contact_case_destroy(c);
    return limits;
}

/* On a tableau, and on factors. */
static void test_budget_of_given_states(void)
{
    uint64_t seed = check_seed(13);
    CHECK(spend_on_given_states(5, 20, 100, seed) > 0);
    CHECK(spend_on_given_states(18, 4, 20, seed) > 0);
}

static void test_no_allocation(void)
{
    alloc_count count = {0};
    abut_allocator allocator = alloc_counting(&count);
    abut_contact_limits limits = {.bodies = 12, .contacts = 200, .joints = 64, .directions = 64};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_workspace *work = NULL;
    contact_case *c = contact_case_create();
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, &allocator, &work), ABUT_OK);
    long before = count.requests;
    options.warm = true;
    for (int k = 0; k < contact_family_count; ++k) {
        bench_random random = bench_random_stream(check_seed(12), (uint64_t)k);
        CHECK(contact_family_make(&contact_families[k], contact_families[k].sizes[0], &random, c));
        abut_contact_result result;
        for (int again = 0; again < 3; ++again)
            CHECK_EQ_INT(abut_contact_solve(work, &c->problem, &options, &result), ABUT_OK);
    }
    CHECK_EQ_INT(count.requests, before);
    contact_case_destroy(c);
    abut_contact_workspace_destroy(work);
    CHECK(alloc_balanced(&count));
}

/* The same pegs through the W + q door: the entries of W are all that faces needs. */
static void test_local_door(void)
{
    for (int g = 0; g < GOLDEN_LLOYD_COUNT; ++g) {
        const golden_lloyd *golden = &golden_lloyds[g];
        int n = golden->n, size = 3 * n;
        double *W = calloc((size_t)(size * size), sizeof *W), *q = calloc((size_t)size, sizeof *q);
        abut_contact contacts[16] = {{.friction = 0}};
        for (int i = 0; i < size; ++i) {
            const double *row =
                i % 3 ? golden->tangent + 12 * (i / 3) + 6 * (i % 3 - 1) : golden->normal + 6 * (i / 3);
            for (int c = 0; c < 6; ++c) q[i] += row[c] * golden->k[c];
            for (int j = 0; j < size; ++j) {
                const double *other =
                    j % 3 ? golden->tangent + 12 * (j / 3) + 6 * (j % 3 - 1) : golden->normal + 6 * (j / 3);
                for (int c = 0; c < 6; ++c) W[i * size + j] += row[c] * other[c];
            }
        }
        for (int i = 0; i < n; ++i)
            contacts[i] = (abut_contact){.friction = golden->mu[i], .directions = golden->d};
        abut_local door = {.dimension = 3, .W = W, .q = q};
        abut_contact_problem problem = {.step = 1, .contact_count = n, .contacts = contacts, .local = &door};
        static const char *const stages[] = {NULL, "faces-path", "faces-cover"};
        for (int k = 0; k < 3; ++k) {
            trial->options.stage = stages[k];
            run_problem(trial, &problem, RESIDUAL_PAPER, golden->name, g);
        }
        trial->options.stage = NULL;
        free(W);
        free(q);
    }
}

int main(void)
{
    trial = contact_trial_create(ABUT_SOLVER_FACES, true);
    if (!trial) return 1;
    RUN(test_golden);
    RUN(test_without_friction);
    RUN(test_ray);
    RUN(test_limit);
    RUN(test_restart);
    RUN(test_tower);
    RUN(test_families);
    RUN(test_duplicates);
    RUN(test_duplicates_alone);
    RUN(test_stages_alone);
    RUN(test_interior_alone);
    RUN(test_narrow);
    RUN(test_check_alone);
    RUN(test_same_velocity);
    RUN(test_symmetric_pivots);
    RUN(test_sequences);
    RUN(test_budgets);
    RUN(test_budget_of_given_states);
    RUN(test_no_allocation);
    RUN(test_local_door);
    contact_trial_destroy(trial);
    return check_report();
}
