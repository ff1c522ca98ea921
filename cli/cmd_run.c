/* abut run: simulates a scene and says what it came to. */

#include "clock.h"
#include "cmd.h"
#include "io/control_file.h"
#include "io/kind.h"
#include "models.h"
#include "options.h"
#include "run_output.h"
#include "run_summary.h"

#include "abut/scene.h"
#include "abut/threads.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run_request {
    const char *path, *keyframe, *control;
    long long model, solver, integrator, cone; /* NOT_GIVEN: the scene's */
    double seconds, step, budget;
    long long directions, seed, threads;
    char control_beside[4096]; /* the file that the scene names, in the scene's folder */
    bool json, lenient, verbose;
    run_files files;
} run_request;

static const double seconds_default = 5, seconds_most = 1e6;
/* s of computing for one solve of a step: a hundred times what the longest of scenes/ takes. */
static const double budget_default = 5;

/* Ctrl-C: the run ends after this step, with what there is; a second one ends it at once. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

static void note(void *context, int warning, const char *line)
{
    const run_request *r = context;
    if (warning || r->verbose) fprintf(stderr, "abut run: %s%s\n", warning ? "warning: " : "", line);
}

/* What the scene says about its run, where the command line says nothing. */
static int ask_scene(run_request *r, const abut_scene *scene)
{
    const abut_scene_custom *seconds = abut_scene_find_custom(scene, "abut_seconds"),
                            *keyframe = abut_scene_find_custom(scene, "abut_keyframe"),
                            *control = abut_scene_find_custom(scene, "abut_control");
    if (r->seconds < 0 && seconds) {
        if (seconds->count != 1 || !(seconds->numbers[0] >= 0 && seconds->numbers[0] <= seconds_most))
            return cmd_error("run", "%s: custom 'abut_seconds': expected a number from 0 to %g", r->path,
                             seconds_most);
        r->seconds = seconds->numbers[0];
    }
    if (r->seconds < 0) r->seconds = seconds_default;
    if (keyframe && !keyframe->text)
        return cmd_error("run", "%s: custom 'abut_keyframe': expected a text", r->path);
    if (control && !control->text)
        return cmd_error("run", "%s: custom 'abut_control': expected a text", r->path);
    if (!r->keyframe && keyframe) r->keyframe = keyframe->text;
    if (!r->control && control) {
        const char *slash = strrchr(r->path, '/');
        int folder = control->text[0] == '/' || !slash ? 0 : (int)(slash - r->path) + 1;
        snprintf(r->control_beside, sizeof r->control_beside, "%.*s%s", folder, r->path, control->text);
        r->control = r->control_beside;
    }
    return EXIT_SOLVED;
}

/* Options of the command line stand above what the scene says. */
static void choose(const run_request *r, abut_world_def *def)
{
    if (r->step > 0) def->step = r->step;
    if (r->directions > 0) def->directions = (int)r->directions;
    if (r->seed >= 0) def->contact.seed = (uint32_t)r->seed;
    def->threads = (int)r->threads;
    def->contact.max_seconds = r->budget;
    if (r->model != NOT_GIVEN) def->model = (abut_contact_model)r->model;
    if (r->solver != NOT_GIVEN) def->contact.solver = (abut_contact_solver)r->solver;
    if (r->integrator != NOT_GIVEN) def->integrator = (abut_integrator)r->integrator;
    if (r->cone != NOT_GIVEN) def->cone = (abut_contact_cone)r->cone;
    /* Viscous friction acts on a contact that lands as on one that touches: a foot on rough ground lands in every
     * step. */
    if (model_has_law(def->model, ABUT_LAW_GIVEN)) def->contact.accel.impact_seconds = def->step;
}

/* A keyframe by its name or number. */
static int find_keyframe(const abut_scene *scene, const char *name)
{
    char *end;
    for (int i = 0; i < scene->keyframe_count; ++i)
        if (strcmp(scene->keyframes[i].name, name) == 0) return i;
    long number = strtol(name, &end, 10);
    return *name != '\0' && *end == '\0' && number >= 0 && number < scene->keyframe_count ? (int)number : -1;
}

static void show_progress(const run_summary *summary, double seconds)
{
    fprintf(stderr, "\r%s: %.2f of %g s, %ld steps ", summary->scene, summary->time, seconds, summary->steps);
}

/* A scene that was read without error and then cannot be stepped has numbers beyond what can be computed with. */
static const char *why_it_stopped(abut_status status)
{
    if (status != ABUT_INVALID_ARGUMENT) return abut_status_text(status);
    return "forces, speeds or positions are beyond what can be computed with, or joints without inertia move "
           "the same "
           "way; look at control values, stiff servos (a shorter --step may help) and armature";
}

/* Steps until the time is over, or Ctrl-C. */
static int take_steps(const run_request *r, abut_simulation *simulation, abuti_control *control,
                      run_output *output, run_summary *summary)
{
    abut_error error = {""};
    bool shows = isatty(STDERR_FILENO) && !r->json;
    long steps = (long)(r->seconds / summary->step + 0.5);
    double shown = cmd_now_us();
    for (long i = 0; i < steps && !interrupted; ++i) {
        abut_step_report report;
        abuti_control_apply(control, (double)i * summary->step, simulation->ctrl);
        double before = cmd_now_us();
        abut_status status = abut_simulation_step(simulation, &report);
        double after = cmd_now_us();
        if (status != ABUT_OK)
            return cmd_error("run", "%s: step %ld: %s", r->path, i, why_it_stopped(status));
        if (!run_summary_add(summary, &report, 1e-6 * (after - before)))
            return cmd_error("run", "out of memory");
        if (!run_output_add(output, &report, i, after - before, simulation->world, &error))
            return cmd_error("run", "step %ld: %s", i, error.text);
        if (shows && after - shown > 2e5) {
            show_progress(summary, r->seconds);
            shown = after;
        }
    }
    if (shows) fprintf(stderr, "\r%*s\r", 79, "");
    summary->interrupted = interrupted;
    return EXIT_SOLVED;
}

static int run(const run_request *r, abut_simulation *simulation, const abut_world_def *def,
               abuti_control *control, run_summary *summary)
{
    abut_error error = {""};
    run_output output;
    if (!run_output_open(&output, &r->files, r->path, r->control, simulation, def, &error))
        return cmd_error("run", "%s", error.text);
    int status = take_steps(r, simulation, control, &output, summary);
    bool whole = status == EXIT_SOLVED && !interrupted;
    if (!run_output_close(&output, whole, &error)) status = cmd_error("run", "%s", error.text);
    if (status != EXIT_SOLVED) return status;
    if (r->json)
        run_summary_json(stdout, summary);
    else
        run_summary_print(stdout, summary);
    run_output_tell(&output, r->json ? stderr : stdout);
    return summary->unverified == 0 ? EXIT_SOLVED : EXIT_NOT_SOLVED;
}

static int simulate(const run_request *r, const abut_scene *scene)
{
    abut_error error = {""};
    abut_world_def def;
    if (abut_scene_world_def(scene, &def, &error) != ABUT_OK)
        return cmd_error("run", "%s: %s", r->path, error.text);
    choose(r, &def);
    abut_threads *threads = NULL;
    abut_status made = def.threads > 1 ? abut_threads_create(def.threads, &threads) : ABUT_OK;
    if (made != ABUT_OK) return cmd_error("run", "--threads: %s", abut_status_text(made));
    def.runner = abut_threads_runner(threads);
    abut_simulation *simulation = NULL;
    if (abut_simulation_create(scene, &def, &simulation, &error) != ABUT_OK) {
        abut_threads_destroy(threads);
        return cmd_error("run", "%s: %s", r->path, error.text);
    }
    int status = EXIT_SOLVED;
    abuti_control control = {0};
    int key = r->keyframe ? find_keyframe(scene, r->keyframe) : -1;
    if (r->keyframe && key < 0)
        status = cmd_error("run", "%s: --keyframe: there is no keyframe '%s'", r->path, r->keyframe);
    if (status == EXIT_SOLVED && key >= 0 && abut_simulation_reset(simulation, key) != ABUT_OK)
        status = cmd_error("run", "%s: --keyframe %s: its positions are not valid", r->path, r->keyframe);
    if (status == EXIT_SOLVED && r->control &&
        !abuti_control_read(&control, r->control, scene->actuator_count, &error))
        status = cmd_error("run", "--control: %s", error.text);
    const abut_scene_custom *see = abut_scene_find_custom(scene, "abut_see");
    run_summary summary = {.scene = r->path,
                           .see = see ? see->text : NULL,
                           .model = abut_contact_model_name(def.model),
                           .solver = abut_contact_solver_name(def.contact.solver),
                           .step = def.step};
    if (status == EXIT_SOLVED) status = run(r, simulation, &def, &control, &summary);
    run_summary_release(&summary);
    abuti_control_release(&control);
    abut_simulation_destroy(simulation);
    abut_threads_destroy(threads);
    return status;
}

static int load_and_simulate(run_request *r)
{
    abut_scene_options options = abut_scene_default_options();
    options.lenient = r->lenient;
    options.note = note;
    options.context = r;
    abut_error error = {""};
    abut_scene *scene = NULL;
    if (abut_scene_load(r->path, &options, &scene, &error) != ABUT_OK) {
        bool contact = abuti_kind_of_content(r->path) == ABUTI_KIND_CONTACT;
        return cmd_error("run", "%s%s", error.text,
                         contact ? " (a contact problem? 'abut solve' reads those)" : "");
    }
    int status = ask_scene(r, scene);
    if (status == EXIT_SOLVED) status = simulate(r, scene);
    abut_scene_destroy(scene);
    return status;
}

static const usage help = {
    "run",
    "Simulates a scene (MJCF, docs/mjcf.md) with exact contact, and tells what it came to.\n"
    "Exit status: 0 every step was verified, 1 some were not, 2 bad input.",
    "  abut run scenes/peg.xml\n"
    "  abut run scenes/stack_3.xml --seconds 2 --json\n"
    "  abut run scenes/peg.xml --out peg.abr --html peg.html\n",
};

int cmd_run(int argc, char **argv)
{
    static const char *const integrators[] = {"euler", "runge-kutta", NULL};
    static const char *const cones[] = {"polygon", "circle", NULL};
    const char *models[ABUT_MODEL_COUNT + 1] = {NULL}, *solvers[ABUT_SOLVER_COUNT + 1] = {NULL};
    for (int m = 0; m < ABUT_MODEL_COUNT; ++m) models[m] = abut_contact_model_name((abut_contact_model)m);
    for (int s = 0; s < ABUT_SOLVER_COUNT; ++s) solvers[s] = abut_contact_solver_name((abut_contact_solver)s);
    run_request r = {.model = NOT_GIVEN,
                     .solver = NOT_GIVEN,
                     .integrator = NOT_GIVEN,
                     .cone = NOT_GIVEN,
                     .seconds = NOT_GIVEN,
                     .seed = NOT_GIVEN,
                     .threads = 1,
                     .budget = budget_default};
    const option table[] = {
        option_argument("SCENE", "MJCF file", &r.path),
        option_number("--seconds", "T", "how long (default: what the scene says, else 5)", 0, seconds_most,
                      &r.seconds),
        option_number("--step", "H", "step in s, in place of the scene's", 1e-9, 10, &r.step),
        option_choice("--model", "M", "contact model, in place of the scene's", models, &r.model),
        option_choice("--integrator", "I", "of coulomb-accel and viscous", integrators, &r.integrator),
        option_choice("--solver", "S", "how contact problems are answered", solvers, &r.solver),
        option_integer("--directions", "D", "friction directions, 2 to 64", 2, 64, &r.directions),
        option_choice("--cone", "CONE", "friction of every contact: on its polygon, or on the circle itself",
                      cones, &r.cone),
        option_integer("--threads", "N",
                       "solve islands in so many threads; the result is the same (default 1)", 1,
                       ABUT_THREADS_MAX, &r.threads),
        option_number("--budget", "S",
                      "s of computing for one solve; a step that needs more counts as not verified (default "
                      "5; 0: no bound)",
                      0, 1e9, &r.budget),
        option_text("--keyframe", "K", "begin there: a name or a number from 0 (default: the scene's)",
                    &r.keyframe),
        option_text("--control", "FILE",
                    "CSV: time and inputs of all actuators, line by line (default: the scene's)", &r.control),
        option_integer("--seed", "N", "seed of the solvers that try at random, as in a capsule (default 0)",
                       0, UINT32_MAX, &r.seed),
        option_text("--out", "FILE", "write a recording (.abr) while it runs, for abut view and abut record",
                    &r.files.recording),
        option_text("--html", "FILE", "write a page that shows the run in a browser, offline", &r.files.page),
        option_text("--capsules", "DIR",
                    "write the contact problems of steps that were not verified, 10 at most",
                    &r.files.capsules),
        option_flag("--lenient", "leave out what is not supported, with warnings", &r.lenient),
        option_flag("--verbose", "say what was skipped in the file", &r.verbose),
        option_json(&r.json),
        {0},
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    signal(SIGINT, on_interrupt);
    return load_and_simulate(&r);
}
