#include "run_record.h"
#include "models.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool to_file(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

static bool fail(const run_record *r, const char *why, abut_error *error)
{
    snprintf(error->text, sizeof error->text, "%.120s: %.120s", r->path, why);
    return false;
}

static bool fail_file(const run_record *r, abut_error *error)
{
    return fail(r, errno != 0 ? strerror(errno) : "cannot be written", error);
}

static void release(run_record *r)
{
    abut_record_writer_destroy(r->writer);
    run_scene_release(&r->scene);
    free(r->positions);
    free(r->poses);
    free(r->joints);
    free(r->contacts);
    *r = (run_record){0};
}

/* ---- the scene ---- */

static bool prepare(run_record *r, const abut_world_def *def, const char *title)
{
    const abut_scene *scene = r->simulation->scene;
    r->positions = calloc((size_t)scene->nq + 1, sizeof *r->positions);
    r->poses = calloc((size_t)scene->body_count + 1, sizeof *r->poses);
    r->joints = calloc((size_t)scene->joint_count + 1, sizeof *r->joints);
    return run_scene_make(&r->scene, scene, def, title) && r->positions && r->poses && r->joints;
}

static bool to_nowhere(void *context, const void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return true;
}

static bool make_writer(run_record *r, abut_record_sink sink, abut_error *error)
{
    abut_error why = {""};
    return abut_record_writer_create(&r->scene.record, &sink, ABUT_RECORD_CONTACTS_MAX, NULL, &r->writer,
                                     &why) == ABUT_OK ||
           fail(r, why.text, error);
}

/* A scene that cannot be recorded is refused before the file is opened, so that it costs no older file. */
static bool begin(run_record *r, abut_error *error)
{
    if (!make_writer(r, (abut_record_sink){.write = to_nowhere}, error)) return false;
    abut_record_writer_destroy(r->writer);
    r->writer = NULL;
    errno = 0;
    r->file = fopen(r->path, "wb");
    if (!r->file) return fail_file(r, error);
    bool fine = make_writer(r, (abut_record_sink){.write = to_file, .context = r->file}, error);
    if (fine && fflush(r->file) != 0) fine = fail_file(r, error);
    if (!fine) fclose(r->file);
    return fine;
}

bool run_record_open(run_record *r, const char *path, abut_simulation *simulation, const abut_world_def *def,
                     const char *title, abut_error *error)
{
    bool round = def->cone == ABUT_CONE_CIRCLE && model_is_coulomb(def->model) &&
                 def->directions != ABUT_DIRECTIONS_MIN;
    *r = (run_record){.path = path, .simulation = simulation, .directions = round ? 0 : def->directions};
    bool fine = prepare(r, def, title) ? begin(r, error) : fail(r, "out of memory", error);
    if (!fine) release(r);
    return fine;
}

/* ---- a step ---- */

/* Ids of bodies are given in the order of the scene's, of which the first, the ground, is index 0. */
static int body_of(abut_body_id id)
{
    return id.index > 0 ? id.index - 1 : ABUT_RECORD_WORLD;
}

static bool take_poses(run_record *r)
{
    for (int i = 0; i < r->scene.record.body_count; ++i) {
        abut_body_state state;
        if (abut_body_get_state(r->simulation->world, r->simulation->bodies[i + 1], &state) != ABUT_OK)
            return false;
        memcpy(r->poses[i].position, state.position, sizeof state.position);
        memcpy(r->poses[i].orientation, state.rotation, sizeof state.rotation);
    }
    return true;
}

static bool take_joints(run_record *r)
{
    const abut_simulation *simulation = r->simulation;
    abut_world_get_positions(simulation->world, r->positions);
    for (int j = 0; j < r->scene.record.joint_count; ++j) {
        int index = r->scene.joint_of[j];
        const abut_scene_joint *joint = &simulation->scene->joints[index];
        bool single = joint->type == ABUT_SCENE_HINGE || joint->type == ABUT_SCENE_SLIDE;
        double f[3];
        if (abut_joint_get_reaction(simulation->world, simulation->joints[index], f) != ABUT_OK) return false;
        r->joints[j].position = single ? r->positions[joint->qpos] : 0;
        r->joints[j].impulse = r->scene.record.step * sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    return true;
}

static bool make_room(run_record *r, int count)
{
    if (count <= r->contact_room) return true;
    abut_record_contact *more = realloc(r->contacts, 2 * (size_t)count * sizeof *more);
    if (!more) return false;
    r->contacts = more;
    r->contact_room = 2 * count;
    return true;
}

static bool take_contacts(run_record *r, int count)
{
    for (int i = 0; i < count; ++i) {
        abut_world_contact from;
        if (abut_world_get_contact(r->simulation->world, i, &from) != ABUT_OK) return false;
        abut_record_contact *c = &r->contacts[i];
        *c = (abut_record_contact){.bodies = {body_of(from.bodies[0]), body_of(from.bodies[1])},
                                   .friction = from.friction,
                                   .directions = r->directions,
                                   .state = (abut_record_contact_state)from.state,
                                   .gap = from.gap};
        memcpy(c->point, from.point, sizeof c->point);
        memcpy(c->normal, from.normal, sizeof c->normal);
        memcpy(c->tangent, from.tangent, sizeof c->tangent);
        memcpy(c->impulse, from.impulse, sizeof c->impulse);
    }
    return true;
}

bool run_record_add(run_record *r, const abut_step_report *report, double microseconds, abut_error *error)
{
    int count = abut_world_contact_count(r->simulation->world);
    if (!make_room(r, count)) return fail(r, "out of memory", error);
    if (!take_contacts(r, count) || !take_poses(r) || !take_joints(r))
        return fail(r, "the world does not tell its state", error);
    /* Where an island took the safe step, the answer that the scene asked for was not found, even if that step is
     * solved. */
    bool safe = report->outcome == ABUT_SOLVED && report->unsolved > 0;
    abut_record_step step = {.time = report->time,
                             .outcome = safe ? ABUT_FAILED : report->outcome,
                             .stage = report->solver_stage,
                             .pivots = report->pivots,
                             .islands = report->islands,
                             .residual = report->residual,
                             .microseconds = microseconds,
                             .kinetic = report->kinetic,
                             .potential = report->potential,
                             .poses = r->poses,
                             .contact_count = count,
                             .contacts = r->contacts,
                             .joints = r->joints};
    abut_error why = {""};
    errno = 0;
    abut_status status = abut_record_writer_add(r->writer, &step, &why);
    if (errno != 0 && ferror(r->file)) return fail_file(r, error);
    if (status != ABUT_OK) return fail(r, why.text, error);
    return fflush(r->file) == 0 || fail_file(r, error);
}

bool run_record_close(run_record *r, bool complete, abut_error *error)
{
    errno = 0;
    bool fine = !complete || abut_record_writer_finish(r->writer) == ABUT_OK;
    fine = fclose(r->file) == 0 && fine;
    if (!fine) fail_file(r, error);
    release(r);
    return fine;
}
