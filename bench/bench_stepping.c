/* `abut bench stepping`: closed loops, where each answer makes the next problem. A world runs a scene. Every contact
 * problem that it meets is also solved twice outside of it: from what the last step left (warm) and from nothing
 * (cold). */
#include "bench.h"
#include "contact_trial.h"
#include "family_keyed.h"
#include "world_scene.h"

#include <math.h>
#include <string.h>

void bench_run_stepping(bench *b);

#define DENSITY 1000.0
#define FRICTION 0.5
#define STEP (1.0 / 240.0)

/* ---- scenes that world_scenes.c does not have ---- */

/* Rows of boxes, each row one shorter than that below. */
static void pyramid(world_scene *s, int size)
{
    int base = 1;
    while (base * (base + 1) / 2 < size) base++;
    for (int row = 0, i = 0; i < size; ++row) {
        for (int k = 0; k < base - row && i < size; k++, ++i)
            world_scene_box(s, 0.1, 0.1, 0.1, 0.22 * k + 0.11 * row, 0, 0.1 + 0.2 * row, DENSITY, FRICTION);
    }
}

/* Boxes one behind the other; gravity leans (below). */
static void slope(world_scene *s, int size)
{
    for (int i = 0; i < size; ++i) world_scene_box(s, 0.1, 0.1, 0.1, 0.2 * i, 0, 0.1, DENSITY, FRICTION);
}

/* A row of tiles, the first of which leans over its edge and falls on the next. */
static void dominoes(world_scene *s, int size)
{
    const double half[3] = {0.02, 0.1, 0.2}, lean = 0.25;
    for (int i = 0; i < size; ++i) {
        double angle = i == 0 ? lean : 0.0, c = cos(angle), n = sin(angle);
        double rotation[4] = {cos(0.5 * angle), 0, sin(0.5 * angle), 0};
        /* The lower right edge of the leaning tile lies where it would lie if the tile stood upright. */
        double position[3] = {0.15 * i + half[0] - half[0] * c + half[2] * n, 0, half[0] * n + half[2] * c};
        abut_shape tile = {.kind = ABUT_BOX, .half = {half[0], half[1], half[2]}};
        world_scene_add(s, &tile, position, rotation, DENSITY, FRICTION);
    }
}

typedef struct stepping_scene {
    const char *name;
    const char *ready;                 /* a scene of world_scene_fill, or NULL: */
    void (*build)(world_scene *, int); /* a scene of this file */
    double lean;                       /* the tangent of gravity's angle */
    int sizes[4];                      /* ends with 0 */
} stepping_scene;

static const stepping_scene scenes[] = {
    {"stack", "stack", NULL, 0, {5, 10, 20, 0}},   {"wall", "wall", NULL, 0, {5, 10, 20, 0}},
    {"pyramid", NULL, pyramid, 0, {6, 10, 21, 0}}, {"arch", "arch", NULL, 0, {5, 9, 15, 0}},
    {"grasp", "grasp", NULL, 0, {1, 3, 5, 0}},     {"slope", NULL, slope, 0.3, {5, 10, 20, 0}},
    {"dominoes", NULL, dominoes, 0, {5, 10, 0}},   {"pile", "drops", NULL, 0, {10, 20, 0}},
};

static world_scene *make(const stepping_scene *scene, int size, uint64_t seed)
{
    double cosine = 1.0 / sqrt(1.0 + scene->lean * scene->lean);
    double gravity[3] = {9.81 * scene->lean * cosine, 0, -9.81 * cosine};
    world_scene *s = world_scene_create(STEP, gravity);
    if (!s) return NULL;
    if (scene->ready) {
        (void)world_scene_fill(s, scene->ready, size, (unsigned)seed);
    } else {
        world_scene_plane(s, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}, FRICTION);
        scene->build(s, size);
    }
    return s;
}

/* ---- what stages took ---- */

/* Stages by what they are: a column of the result each. */
static const struct {
    const char *column, *begins[4];
} kinds[] = {
    {"hold_share", {"sparse-hold", "rest-again"}},
    {"check_share", {"faces-check", "sparse-check"}},
    {"greedy_share", {"faces-mend", "faces-greedy"}},
    {"interior_share", {"faces-interior", "sparse-interior", "faces-narrow"}},
    {"path_share", {"faces-path", "faces-cover"}},
    {"rest_share", {"rest"}},
    {"late_share", {"reduced", "lemke"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The first kind with a name that the stage's name begins with. */
static int kind_of(const char *stage)
{
    for (int k = 0; k < KINDS; ++k) {
        for (int i = 0; i < 4 && kinds[k].begins[i]; ++i)
            if (strncmp(stage, kinds[k].begins[i], strlen(kinds[k].begins[i])) == 0) return k;
    }
    return KINDS - 1;
}

/* One way to solve the steps of a scene. */
typedef struct way {
    bench_series series;
    contact_trial *trial;
    double us, longest, us_of[KINDS];
    long contacts;
} way;

static bool begin(way *w, bench *b, const char *name, int size, bool warm)
{
    *w = (way){.series = bench_begin(b, name, size, warm ? "warm" : "cold"),
               .trial = contact_trial_create(ABUT_SOLVER_AUTO, false)};
    if (w->trial) w->trial->options.warm = warm;
    return w->trial;
}

static void solve(bench *b, way *w, const abut_contact_problem *problem)
{
    if (!contact_trial_run(w->trial, problem)) {
        b->failed = true;
        return;
    }
    const abut_contact_result *r = &w->trial->result;
    double us = w->trial->cpu_us;
    bool solved = r->outcome == ABUT_SOLVED && w->trial->check.residual <= w->trial->options.tolerance;
    bench_add(&w->series, us, solved, r->residual, r->pivots);
    w->us += us;
    w->us_of[kind_of(r->stage)] += us;
    w->longest = fmax(w->longest, us);
    w->contacts += problem->contact_count;
}

static void end(bench *b, way *w, int steps)
{
    bench_row *row = bench_end(b, &w->series);
    bench_extra(row, "max_us", w->longest);
    bench_extra(row, "contacts", steps > 0 ? (double)w->contacts / steps : 0.0);
    for (int k = 0; k < KINDS; ++k)
        bench_extra(row, kinds[k].column, w->us > 0.0 ? w->us_of[k] / w->us : 0.0);
    contact_trial_destroy(w->trial);
}

static void run(bench *b, const stepping_scene *scene, int size)
{
    world_scene *s = make(scene, size, b->seed);
    way warm, cold;
    bool fine = begin(&warm, b, scene->name, size, true);
    fine = begin(&cold, b, scene->name, size, false) && fine && s && s->failures == 0;
    int steps = 0;
    for (; fine && steps < bench_count(b, 480); ++steps) {
        if (abut_world_step(s->world, NULL) != ABUT_OK) break;
        const abut_contact_problem *problem = abut_world_last_problem(s->world);
        if (!problem || problem->contact_count == 0) continue; /* nothing touches yet */
        solve(b, &warm, problem);
        solve(b, &cold, problem);
    }
    b->failed = b->failed || !fine;
    end(b, &warm, steps);
    end(b, &cold, steps);
    world_scene_destroy(s);
}

/* What keys tell of the last step: warm must not be slower than cold even where they tell nothing, or what is wrong. */
static void run_keyed(bench *b, const contact_sequence *sequence, int size, double *worst)
{
    contact_case *c = contact_case_create();
    way warm, cold;
    bool fine = begin(&warm, b, sequence->name, size, true);
    fine = begin(&cold, b, sequence->name, size, false) && fine && c;
    int steps = 0;
    for (; fine && steps < bench_count(b, 120); ++steps) {
        sequence->make(c, size, steps, b->seed);
        solve(b, &warm, &c->problem);
        solve(b, &cold, &c->problem);
    }
    b->failed = b->failed || !fine;
    double ratio = cold.us > 0.0 ? warm.us / cold.us : 0.0;
    *worst = fmax(*worst, ratio);
    bench_note(b, "%s, %d bodies: warm takes %.2f of cold", sequence->name, size, ratio);
    end(b, &warm, steps);
    end(b, &cold, steps);
    contact_case_destroy(c);
}

void bench_run_stepping(bench *b)
{
    double worst = 0.0;
    for (int k = 0; k < contact_keyed_count; ++k) {
        const contact_sequence *sequence = &contact_keyed_sequences[k];
        for (int i = 0; i < CONTACT_SIZES_MAX && sequence->sizes[i] > 0; ++i)
            run_keyed(b, sequence, sequence->sizes[i], &worst);
    }
    bench_note(b, "goal warm at most 1.2 of cold, whatever keys tell: %.2f at most (%s)", worst,
               worst <= 1.2 ? "met" : "not met");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) {
        for (int i = 0; i < 4 && scenes[k].sizes[i] > 0; ++i) run(b, &scenes[k], scenes[k].sizes[i]);
    }
    bench_note(b, "2 s of each scene at 240 Hz (--count: the steps), each problem that the world met warm "
                  "and cold; CPU time");
    bench_note(b, "..._share: the share of all time in steps that stages of this kind answered");
}
