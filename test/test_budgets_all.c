/* max_seconds and max_pivots: kept by every model and solver, and by every stage, on problems that take far longer. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "check.h"
#include "contact_families.h"
#include "contact_trial.h"
#include "world_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* CPU time of this thread: others on the machine do not count. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A crowd: bodies that push each other through many contacts with much friction. */
static void make_crowd(contact_case *c, int bodies, int contacts, double friction, bench_random *random)
{
    contact_case_clear(c);
    for (int b = 0; b < bodies; ++b) {
        const double inertia[3] = {0.1, 0.2, 0.15},
                     com[3] = {0.5 * (b % 5), 0.5 * (b / 5 % 5), 0.5 * (b / 25)};
        int body = contact_case_body(c, bench_uniform(random, 0.5, 3.0), inertia, com);
        contact_random_wrench(c, body, 50.0, 0.3, random);
        for (int k = 0; k < 6; ++k) c->bodies[body].velocity[k] = bench_uniform(random, -1.0, 1.0);
    }
    for (int i = 0; i < contacts; ++i) {
        int a = i < bodies ? i : bench_below(random, bodies),
            b = i < bodies ? i - 1 : bench_below(random, bodies + 1) - 1;
        double point[3], normal[3], square = 0.0;
        if (b == a) b = ABUT_WORLD;
        for (int k = 0; k < 3; ++k) {
            point[k] = c->bodies[a].com[k] + bench_uniform(random, -0.5, 0.5);
            normal[k] = bench_uniform(random, -1.0, 1.0);
            square += normal[k] * normal[k];
        }
        for (int k = 0; k < 3; ++k) normal[k] /= sqrt(square);
        contact_case_add(c, a, b, friction, point, normal);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { TIMES = 3 };

/* The median CPU time of a call. */
static double time_of(contact_trial *trial, const abut_contact_problem *problem)
{
    double spent[TIMES];
    for (int k = 0; k < TIMES; ++k) {
        double start = cpu_seconds();
        abut_status status = abut_contact_solve(trial->work, problem, &trial->options, &trial->result);
        spent[k] = cpu_seconds() - start;
        CHECK(status == ABUT_OK || status == ABUT_TOO_LARGE);
        trial->status = status;
    }
    qsort(spent, TIMES, sizeof *spent, by_value);
    return spent[TIMES / 2];
}

/* A call in a workspace that was made for it. */
static void prepare(contact_trial *trial, const abut_contact_problem *problem)
{
    abut_contact_limits limits = abut_contact_limits_for(problem, &trial->options);
    abut_contact_workspace_destroy(trial->work);
    trial->work = NULL;
    CHECK_EQ_INT(abut_contact_workspace_create(&limits, NULL, &trial->work), ABUT_OK);
}

/* What lies between two looks at the clock takes longer under a sanitizer: ten times, and half as much again where another test
 * has the other half of the caches. How long it takes is a matter of the release build. */
#if defined(__SANITIZE_ADDRESS__)
#define SLOWER 16.0
#else
#define SLOWER 1.0
#endif

/* 4 ms beside the tenth: the sweeps that end every call (soften.h), the verifier, the clock's own steps. */
static void check_seconds(contact_trial *trial, const abut_contact_problem *problem, const char *name)
{
    const double seconds = 0.02;
    prepare(trial, problem);
    if (!trial->work) return;
    trial->options.max_seconds = seconds;
    double spent = time_of(trial, problem);
    CHECK_MSG(spent <= 1.1 * seconds + SLOWER * 0.004, "%s, %s by %s, %s: %g s of %g", name,
              abut_contact_model_name(problem->model), abut_contact_solver_name(trial->options.solver),
              trial->options.stage ? trial->options.stage : "all stages", spent, seconds);
    trial->options.max_seconds = 0.0;
}

static void check_pivots(contact_trial *trial, const abut_contact_problem *problem, const char *name)
{
    static const int budgets[] = {1, 7, 50};
    prepare(trial, problem);
    for (size_t k = 0; k < sizeof budgets / sizeof *budgets && trial->work; ++k) {
        trial->options.max_pivots = budgets[k];
        abut_status status = abut_contact_solve(trial->work, problem, &trial->options, &trial->result);
        CHECK(status == ABUT_OK || status == ABUT_TOO_LARGE);
        int most = budgets[k] + budgets[k] / 10;
        CHECK_MSG(status != ABUT_OK || trial->result.pivots <= most, "%s, %s by %s: %d pivots of %d", name,
                  abut_contact_model_name(problem->model), abut_contact_solver_name(trial->options.solver),
                  trial->result.pivots, budgets[k]);
    }
    trial->options.max_pivots = 0;
}

typedef void (*check_of)(contact_trial *trial, const abut_contact_problem *problem, const char *name);

/* Every stage of a solver by itself. */
static void by_stages(contact_trial *trial, const abut_contact_problem *problem, const char *name,
                      check_of check)
{
    const char *stage;
    for (int k = 0; (stage = abut_contact_stage_name(problem->model, trial->options.solver, k)); ++k) {
        if (strncmp(stage, "cone", 4) == 0) continue; /* there are no circles here */
        trial->options.stage = stage;
        check(trial, problem, name);
    }
    trial->options.stage = NULL;
}

/* Every model by every solver. */
static void by_all(contact_trial *trial, abut_contact_problem *problem, const char *name, bool stages,
                   check_of check)
{
    for (int model = 0; model < ABUT_MODEL_COUNT; ++model) {
        problem->model = (abut_contact_model)model;
        for (int solver = 0; solver < ABUT_SOLVER_COUNT; ++solver) {
            trial->options.solver = (abut_contact_solver)solver;
            if (!abut_contact_supports(problem->model, trial->options.solver, false)) continue;
            check(trial, problem, name);
            if (stages && solver != ABUT_SOLVER_AUTO) by_stages(trial, problem, name, check);
        }
    }
}

static void test_all(void)
{
    static const struct {
        const char *name;
        int bodies, contacts;
        double friction;
        bool stages;
    } crowds[] = {{"crowd", 20, 120, 2.0, false},
                  {"large crowd", 80, 500, 1.0, true},
                  {"one body", 1, 190, 1.5, false}};
    uint64_t seed = check_seed(17);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(c && trial);
    for (size_t k = 0; k < sizeof crowds / sizeof *crowds && c && trial; ++k) {
        bench_random random = bench_random_stream(seed, (uint64_t)k);
        make_crowd(c, crowds[k].bodies, crowds[k].contacts, crowds[k].friction, &random);
        by_all(trial, &c->problem, crowds[k].name, crowds[k].stages, check_seconds);
        if (!crowds[k].stages) by_all(trial, &c->problem, crowds[k].name, false, check_pivots);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* v'M v of what was solved, or (NULL) of bodies that forces alone move. Inertia is diagonal here. */
static double energy(const contact_case *c, const double *velocity)
{
    double sum = 0.0;
    for (int b = 0; b < c->problem.body_count; ++b) {
        const abut_body *body = &c->bodies[b];
        for (int k = 0; k < 6; ++k) {
            double mass = k < 3 ? body->mass : body->inertia[k - 3];
            double v =
                velocity ? velocity[6 * b + k] : body->velocity[k] + c->problem.step * body->force[k] / mass;
            sum += mass * v * v;
        }
    }
    return sum;
}

/* Circles that are cut short: within their cones, and no energy is given. */
static void test_circles(void)
{
    bench_random random = bench_random_stream(check_seed(18), 0);
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(c && trial);
    make_crowd(c, 12, 60, 0.7, &random);
    for (int i = 0; i < c->problem.contact_count; ++i) c->contacts[i].cone = ABUT_CONE_CIRCLE;
    trial->options.max_seconds = 1e-9;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_LIMIT);
    double pushed = 0.0;
    for (int i = 0; i < c->problem.contact_count && trial->result.contacts; ++i) {
        const abut_contact_answer *a = &trial->result.contacts[i];
        double friction = sqrt(a->tangent[0] * a->tangent[0] + a->tangent[1] * a->tangent[1]);
        CHECK_MSG(a->normal >= 0.0 && friction <= 0.7 * a->normal * (1.0 + 1e-12), "%d: %g %g", i, a->normal,
                  friction);
        pushed += a->normal;
    }
    CHECK(pushed > 0.0);
    double free = energy(c, NULL),
           after = trial->result.velocity ? energy(c, trial->result.velocity) : INFINITY;
    CHECK_MSG(after <= free * (1.0 + 1e-12), "%g became %g", free, after);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Every model that is cut short has a point to go on from: within its cones, with something that pushes, and without
 * energy of its own. Forces at rest have nothing to give energy to. */
static void test_models(void)
{
    static const abut_contact_model models[] = {ABUT_COULOMB, ABUT_FRICTIONLESS, ABUT_NO_SLIP, ABUT_VISCOUS,
                                                ABUT_COULOMB_ACCEL};
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(c && trial);
    for (size_t k = 0; k < sizeof models / sizeof *models && c && trial; ++k) {
        const abut_model_info *info = abut_contact_model_info(models[k]);
        bench_random random = bench_random_stream(check_seed(19), (uint64_t)k);
        make_crowd(c, 12, 60, 0.7, &random);
        for (int b = 0; b < 12 && info->acceleration; ++b)
            memset(c->bodies[b].velocity, 0, sizeof c->bodies[b].velocity);
        c->problem.model = models[k];
        trial->options.max_seconds = 1e-9;
        CHECK(contact_trial_run(trial, &c->problem));
        CHECK_MSG(trial->result.outcome == ABUT_LIMIT, "%s: %s", info->name,
                  abut_outcome_name(trial->result.outcome));
        CHECK_MSG(trial->result.contacts && trial->result.velocity, "%s has no point", info->name);
        if (!trial->result.contacts || !trial->result.velocity) continue;
        double pushed = 0.0, mu = info->friction == ABUT_LAW_COULOMB ? 0.7 : 0.0;
        for (int i = 0; i < c->problem.contact_count; ++i) {
            const abut_contact_answer *a = &trial->result.contacts[i];
            double friction = sqrt(a->tangent[0] * a->tangent[0] + a->tangent[1] * a->tangent[1]);
            bool within = info->friction == ABUT_LAW_HELD ? a->normal > 0.0 || friction == 0.0
                                                          : friction <= mu * a->normal * (1.0 + 1e-12);
            CHECK_MSG(a->normal >= 0.0 && within, "%s, %d: %g %g", info->name, i, a->normal, friction);
            pushed += a->normal;
        }
        CHECK_MSG(pushed > 0.0, "%s: nothing pushes", info->name);
        if (info->acceleration) continue;
        double free = energy(c, NULL), after = energy(c, trial->result.velocity);
        CHECK_MSG(after <= free * (1.0 + 1e-12), "%s: %g became %g", info->name, free, after);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* A box that slides: forces that are cut short oppose its slip and no more. */
static void test_sliding_forces(void)
{
    const double inertia[3] = {0.1, 0.1, 0.1}, com[3] = {0.0, 0.0, 0.5}, up[3] = {0.0, 0.0, 1.0};
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    CHECK(c && trial);
    contact_case_clear(c);
    int box = contact_case_body(c, 1.0, inertia, com);
    c->bodies[box].velocity[0] = 2.0;
    c->bodies[box].force[2] = -9.81;
    for (int i = 0; i < 4; ++i) {
        const double point[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.0};
        contact_case_add(c, box, ABUT_WORLD, 0.3, point, up);
    }
    c->problem.model = ABUT_COULOMB_ACCEL;
    trial->options.max_seconds = 1e-9;
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_LIMIT);
    const double *a = trial->result.velocity;
    CHECK(a);
    if (a)
        CHECK_MSG(a[0] < 0.0 && a[0] >= -0.3 * 9.81 * (1.0 + 1e-9) && fabs(a[1]) < 1e-9, "%g %g", a[0], a[1]);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* A hundred bricks whose solves are cut short at every step stay a wall, or sink a little; they do not explode. */
static void run_wall(abut_contact_model model, double seconds, int steps)
{
    abut_world_def def = abut_world_default_def();
    def.step = 1.0 / 240.0;
    def.model = model;
    def.contact.max_seconds = seconds;
    world_scene *scene = world_scene_create_from(&def);
    CHECK(scene);
    if (!scene) return;
    CHECK(world_scene_fill(scene, "wall", 100, 1));
    world_scene_run(scene, steps, NULL);
    CHECK_EQ_INT(scene->failures, 0);
    printf("       %s: %d of %d steps were cut short; drift %g m, overlap %g m, rise %g J\n",
           abut_contact_model_name(model), scene->unsolved, scene->steps, world_scene_drift(scene),
           scene->penetration, scene->rise);
    CHECK_MSG(world_scene_drift(scene) < 0.1, "drift %g m", world_scene_drift(scene));
    CHECK_MSG(scene->rise < 1.0, "rise %g J", scene->rise);
    world_scene_destroy(scene);
}

static void test_closed_loop(void)
{
    run_wall(ABUT_COULOMB, 1e-3, 120);
    run_wall(ABUT_NO_SLIP, 1e-3, 40);
    run_wall(ABUT_COULOMB_ACCEL, 1e-3, 40);
    run_wall(ABUT_VISCOUS, 1e-3, 40);
}

int main(void)
{
    RUN(test_all);
    RUN(test_circles);
    RUN(test_models);
    RUN(test_sliding_forces);
    RUN(test_closed_loop);
    return check_report();
}
