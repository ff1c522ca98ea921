#include "run_output.h"

#include "draft.h"
#include "page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(abut_error *error, const char *path, const char *why)
{
    snprintf(error->text, sizeof error->text, "%.120s: %.120s", path, why);
    return false;
}

static void take_name(run_output *o, const char *scene)
{
    const char *slash = strrchr(scene, '/');
    snprintf(o->name, sizeof o->name, "%s", slash ? slash + 1 : scene);
    char *dot = strrchr(o->name, '.');
    if (dot && dot != o->name) *dot = '\0';
}

static bool check_names(const run_files *files, const char *scene, const char *control, abut_error *error)
{
    if (draft_same_file(files->recording, scene))
        return fail(error, files->recording, "--out would replace the scene");
    if (draft_same_file(files->page, scene))
        return fail(error, files->page, "--html would replace the scene");
    if (draft_same_file(files->recording, files->page))
        return fail(error, files->page, "--out and --html name the same file");
    if (draft_same_file(files->recording, control))
        return fail(error, files->recording, "--out would replace the control file");
    if (draft_same_file(files->page, control))
        return fail(error, files->page, "--html would replace the control file");
    return true;
}

/* ---- a recording that only the page needs ---- */

static bool choose_recording(run_output *o, abut_error *error)
{
    if (o->files.recording) return true;
    const char *base = getenv("TMPDIR");
    if (!base || base[0] == '\0') base = "/tmp";
    int length = snprintf(o->folder, sizeof o->folder, "%s/abut-XXXXXX", base);
    errno = ENAMETOOLONG;
    if (length >= (int)sizeof o->folder || !mkdtemp(o->folder)) {
        o->folder[0] = '\0';
        return fail(error, base, strerror(errno));
    }
    snprintf(o->recording, sizeof o->recording, "%s/%s.abr", o->folder, o->name);
    return true;
}

static const char *recording_of(const run_output *o)
{
    return o->files.recording ? o->files.recording : o->recording;
}

static void remove_recording(run_output *o)
{
    if (o->folder[0] == '\0') return;
    unlink(o->recording);
    rmdir(o->folder);
    o->folder[0] = '\0';
}

/* ---- the run ---- */

bool run_output_open(run_output *o, const run_files *files, const char *scene, const char *control,
                     abut_simulation *simulation, const abut_world_def *def, abut_error *error)
{
    *o = (run_output){.files = *files, .options = def->contact};
    take_name(o, scene);
    const char *model = simulation->scene->model;
    const char *title = model && model[0] != '\0' ? model : o->name;
    if (!check_names(files, scene, control, error)) return false;
    if (files->page && !page_ready(files->page, error)) return false;
    if (files->capsules && !run_capsules_open(&o->capsules, files->capsules, o->name, error)) return false;
    if (!files->recording && !files->page) return true;
    o->records = choose_recording(o, error) &&
                 run_record_open(&o->record, recording_of(o), simulation, def, title, error);
    if (!o->records) remove_recording(o);
    return o->records;
}

bool run_output_add(run_output *o, const abut_step_report *report, long number, double microseconds,
                    const abut_world *world, abut_error *error)
{
    /* Capsules come first: the problem is valid until the world is used again. */
    bool verified = report->outcome == ABUT_SOLVED && report->unsolved == 0;
    if (o->files.capsules && !verified && !run_capsules_add(&o->capsules, world, &o->options, number, error))
        return false;
    return !o->records || run_record_add(&o->record, report, microseconds, error);
}

bool run_output_close(run_output *o, bool complete, abut_error *error)
{
    if (!o->records) return true;
    o->records = false;
    const char *path = recording_of(o);
    abut_error warning; /* says that the run was interrupted, which is known already */
    bool fine = run_record_close(&o->record, complete, error);
    if (fine && o->files.page) fine = page_write(&path, 1, o->files.page, &warning, error);
    remove_recording(o);
    return fine;
}

void run_output_tell(const run_output *o, FILE *out)
{
    const run_capsules *c = &o->capsules;
    if (o->files.recording) fprintf(out, "recording     %s\n", o->files.recording);
    if (o->files.page) fprintf(out, "page          %s: open it in a browser\n", o->files.page);
    if (!o->files.capsules) return;
    fprintf(out, "capsules      %ld of %ld unverified steps, in %s\n", c->written, c->steps, c->folder);
    if (c->left_out > 0)
        fprintf(out, "no capsule    of %ld steps; the first, %s\n", c->left_out, c->why.text);
}
