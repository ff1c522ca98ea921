/* The memory of a workspace: how much it asks for, what late stages do in the room of early ones, what a change of its size
 * keeps. */
#include "alloc_count.h"
#include "contact/room.h"
#include "contact_case.h"
#include <string.h>

/* What the header promises, and that the allocator is asked for just that. */
static void test_bytes(void)
{
    static const struct {
        abut_contact_limits limits;
        double most;
    } sizes[] = {
        {{.bodies = 1, .contacts = 4}, 0.6e6},
        {{.bodies = 1, .contacts = 100}, 1e6},
        {{.bodies = 100, .contacts = 500}, 30e6},
        {{.bodies = 1000, .contacts = 5000}, 250e6},
        {{.nv = 12, .contacts = 30}, 16e6},
        {{.contacts = 20, .local = true}, 20e6},
        {{.bodies = 5, .contacts = 20, .joints = 9, .bounded = 3, .compliant = 2}, 20e6},
        {{.bodies = 5, .contacts = 20, .cones = true, .sides = 4, .summation = true}, 60e6},
        {{.bodies = 2, .contacts = 8, .solvers = 1u << ABUT_SOLVER_LEMKE | 1u << ABUT_SOLVER_ENUMERATE},
         10e6},
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        alloc_count count = {0};
        abut_allocator allocator = alloc_counting(&count);
        abut_contact_workspace *work = NULL;
        size_t bytes = abut_contact_workspace_bytes(&sizes[k].limits);
        CHECK_MSG(bytes > 0 && (double)bytes <= sizes[k].most, "%zu: %zu bytes", k, bytes);
        if (bytes > 50000000) continue; /* counting allocators touch what they give */
        CHECK_EQ_INT(abut_contact_workspace_create(&sizes[k].limits, &allocator, &work), ABUT_OK);
        CHECK_MSG(count.live == bytes, "%zu: %zu bytes, told %zu", k, count.live, bytes);
        abut_contact_workspace_destroy(work);
        CHECK(alloc_balanced(&count));
    }
    CHECK(abut_contact_workspace_bytes(NULL) == 0);
    CHECK(abut_contact_workspace_bytes(&(abut_contact_limits){.bodies = -1}) == 0);
}

static size_t size_for(const abuti_family *family, const abut_contact_limits *limits)
{
    abuti_arena arena = {0};
    (void)family->layout(&arena, limits);
    return arena.used;
}

/* An island within the limits needs no more than the limits do: what was counted at first is enough for every island. */
static void test_more_takes_no_less(void)
{
    const abuti_family *families[ABUTI_FAMILIES_MAX];
    int count = abuti_families(abuti_solvers_served(0), families);
    bench_random random = bench_random_stream(check_seed(5), 0);
    for (int k = 0; k < 2000; ++k) {
        abut_contact_limits large = {.bodies = 1 + bench_below(&random, k % 2 ? 8 : 200),
                                     .contacts = bench_below(&random, k % 3 ? 50 : 800),
                                     .joints = k % 4 == 0 ? bench_below(&random, 60) : 0,
                                     .directions = 2 + 2 * bench_below(&random, 8)};
        abut_contact_limits small = {.bodies = 1 + bench_below(&random, large.bodies),
                                     .contacts = bench_below(&random, large.contacts + 1),
                                     .joints = bench_below(&random, large.joints + 1),
                                     .directions = 2 + bench_below(&random, large.directions - 1)};
        if (small.bodies > small.contacts + small.joints + 1)
            small.bodies = small.contacts + small.joints + 1;
        for (int f = 0; f < count; ++f) {
            CHECK_MSG(size_for(families[f], &small) <= size_for(families[f], &large),
                      "family %d of %s: %d bodies %d contacts %d joints within %d, %d, %d", f,
                      abut_contact_solver_name(families[f]->solver), small.bodies, small.contacts,
                      small.joints, large.bodies, large.contacts, large.joints);
        }
    }
}

static void same_answer(const abut_contact_problem *problem, const abut_contact_result *a,
                        const abut_contact_result *b, const char *what)
{
    CHECK_EQ_INT(a->outcome, b->outcome);
    CHECK_STR(a->stage, b->stage);
    if (!a->contacts || !b->contacts) return;
    size_t velocities = 6 * (size_t)problem->body_count * sizeof(double);
    CHECK_MSG(memcmp(a->velocity, b->velocity, velocities) == 0, "%s: other velocities", what);
    for (int i = 0; i < problem->contact_count; ++i)
        CHECK_MSG(a->contacts[i].normal == b->contacts[i].normal, "%s: contact %d", what, i);
}

/* In one workspace early and late stages take turns, with islands of all sizes; every answer is that of a new workspace. */
static void test_turns(void)
{
    static const struct {
        abut_contact_model model;
        const char *stage;
    } turns[] = {{ABUT_COULOMB, NULL},       {ABUT_COULOMB, "reduced"},
                 {ABUT_COULOMB, "lemke"},    {ABUT_NO_SLIP, NULL},
                 {ABUT_COULOMB_ACCEL, NULL}, {ABUT_COULOMB, "faces-path"},
                 {ABUT_FRICTIONLESS, NULL},  {ABUT_FRICTIONLESS, "least-distance"},
                 {ABUT_VISCOUS, NULL},       {ABUT_COULOMB, "lemke-twofold"}};
    enum { TURNS = sizeof turns / sizeof *turns };
    abut_contact_limits limits = {.bodies = 3, .contacts = 14, .directions = 12};
    abut_contact_workspace *busy = NULL;
    bench_random random = bench_random_stream(check_seed(6), 0);
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &busy), ABUT_OK);
    for (int k = 0; k < 400 && busy; ++k) {
        contact_case c;
        int bodies = 1 + bench_below(&random, 3), turn = bench_below(&random, TURNS);
        case_random(&c, bodies, 1 + bench_below(&random, 5 * bodies - 2), &random);
        abut_contact_problem problem = case_problem(&c);
        problem.model = turns[turn].model;
        abut_contact_options options = abut_contact_default_options();
        options.stage = turns[turn].stage;
        abut_contact_workspace *fresh = NULL;
        abut_contact_result here, there;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &fresh), ABUT_OK);
        abut_status status = abut_contact_solve(busy, &problem, &options, &here);
        CHECK_EQ_INT(abut_contact_solve(fresh, &problem, &options, &there), status);
        if (status == ABUT_OK) {
            const char *what = options.stage ? options.stage : abut_contact_model_name(problem.model);
            same_answer(&problem, &here, &there, what);
            if (here.outcome == ABUT_SOLVED)
                CHECK(case_verify(&problem, &options, &here).residual <= options.tolerance);
        } else {
            CHECK_EQ_INT(status, ABUT_TOO_LARGE); /* an LCP of more rows than a helper has */
        }
        abut_contact_workspace_destroy(fresh);
    }
    abut_contact_workspace_destroy(busy);
}

/* A box on the ground, warm, that a late stage has come between. */
static void make_box(contact_case *c, int step)
{
    *c = (contact_case){.bodies = 1, .contacts = 4};
    c->body[0] = (abut_body){
        .mass = 1, .inertia = {0.1, 0.1, 0.1}, .com = {0, 0, 0.5}, .force = {3 + 1e-3 * step, 0, -9.81}};
    for (int i = 0; i < 4; ++i)
        c->contact[i] = (abut_contact){.bodies = {0, ABUT_WORLD},
                                       .point = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0},
                                       .normal = {0, 0, 1},
                                       .friction = 0.5,
                                       .key = (uint64_t)(i + 1)};
}

/* States outlive a workspace of other limits, larger and smaller, and failure leaves all as it was. */
static void test_resize(void)
{
    static const abut_contact_limits sizes[] = {{.bodies = 1, .contacts = 4},
                                                {.bodies = 9, .contacts = 90},
                                                {.bodies = 2, .contacts = 8, .joints = 3, .bounded = 1},
                                                {.bodies = 1, .contacts = 4}};
    alloc_count count = {0};
    abut_allocator allocator = alloc_counting(&count);
    abut_contact_workspace *work[2] = {NULL, NULL}; /* the second one keeps its size */
    abut_contact_options options = abut_contact_default_options();
    options.warm = true;
    for (int k = 0; k < 2; ++k)
        CHECK_EQ_INT(abut_contact_workspace_create(&sizes[0], &allocator, &work[k]), ABUT_OK);
    for (int step = 0; step < 12; ++step) {
        contact_case c;
        abut_contact_result result[2];
        make_box(&c, step);
        abut_contact_problem problem = case_problem(&c);
        if (step % 3 == 2)
            CHECK_EQ_INT(abut_contact_workspace_resize(&work[0], &sizes[(size_t)(step / 3) % 4]), ABUT_OK);
        for (int k = 0; k < 2; ++k)
            CHECK_EQ_INT(abut_contact_solve(work[k], &problem, &options, &result[k]), ABUT_OK);
        same_answer(&problem, &result[0], &result[1], "resized");
        CHECK_EQ_INT(result[0].pivots, result[1].pivots);
        if (step > 0) CHECK_EQ_INT(result[0].pivots, 0); /* states are right */
    }
    abut_contact_workspace *before = work[0];
    CHECK_EQ_INT(abut_contact_workspace_resize(&work[0], &(abut_contact_limits){.bodies = -1}),
                 ABUT_INVALID_ARGUMENT);
    count.fail_at = count.requests + 1;
    CHECK_EQ_INT(abut_contact_workspace_resize(&work[0], &sizes[1]), ABUT_OUT_OF_MEMORY);
    CHECK(work[0] == before);
    CHECK_EQ_INT(abut_contact_workspace_resize(NULL, &sizes[1]), ABUT_INVALID_ARGUMENT);
    /* States of more contacts than there is room for are forgotten, not written. */
    abut_contact_limits few = {.bodies = 1, .contacts = 3};
    CHECK_EQ_INT(abut_contact_workspace_resize(&work[0], &few), ABUT_OK);
    contact_case c;
    abut_contact_result result;
    make_box(&c, 0);
    c.contacts = 3;
    abut_contact_problem problem = case_problem(&c);
    CHECK_EQ_INT(abut_contact_solve(work[0], &problem, &options, &result), ABUT_OK);
    CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
    for (int k = 0; k < 2; ++k) abut_contact_workspace_destroy(work[k]);
    CHECK(alloc_balanced(&count));
}

/* A helper that has no room for an island says so, and has it where the limits name its solver. */
static void test_no_room(void)
{
    bench_random random = bench_random_stream(check_seed(7), 0);
    int told = 0;
    for (int k = 0; k < 4; ++k) {
        contact_case c;
        case_random(&c, 4, 48, &random);
        for (int b = 0; b < 4; ++b) { /* heavy on light: rounding is more than the tolerance below */
            double times = pow(300.0, b);
            c.body[b].mass *= times;
            for (int i = 0; i < 6; ++i) c.body[b].inertia[i] *= times;
        }
        for (int i = 0; i < 48; ++i) {
            c.contact[i].friction += 0.1;
            c.contact[i].directions = 12;
        }
        abut_contact_problem problem = case_problem(&c);
        abut_contact_options options = abut_contact_default_options();
        abut_contact_limits limits = {.bodies = 4, .contacts = 48, .directions = 12};
        abut_contact_workspace *work = NULL;
        abut_contact_result result;
        CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &work), ABUT_OK);
        options.tolerance = 1e-15;
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        if (result.outcome == ABUT_SOLVED) CHECK(!result.island[0].no_room);
        if (result.island[0].no_room) {
            CHECK_STR(result.island[0].no_room, "lemke");
            told++;
        }
        options = abut_contact_default_options();
        options.stage = "lemke";
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_TOO_LARGE);
        limits.solvers = 1u << ABUT_SOLVER_LEMKE;
        CHECK_EQ_INT(abut_contact_workspace_resize(&work, &limits), ABUT_OK);
        options.solver = ABUT_SOLVER_LEMKE;
        CHECK_EQ_INT(abut_contact_solve(work, &problem, &options, &result), ABUT_OK);
        CHECK_EQ_INT(result.outcome, ABUT_SOLVED);
        abut_contact_workspace_destroy(work);
    }
    CHECK_MSG(told > 0, "%d told", told);
}

int main(void)
{
    RUN(test_bytes);
    RUN(test_more_takes_no_less);
    RUN(test_turns);
    RUN(test_resize);
    RUN(test_no_room);
    return check_report();
}
