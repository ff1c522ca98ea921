/* Scenes beside MuJoCo's own reading of the same files, to nine digits: ABUT_MUJOCO names the folder of the npm package
 * @mujoco/mujoco, ABUT_EXTERNAL_DATA a folder with mjcf/ *.xml; without the first the test is skipped. Files can be named
 * as arguments. */
#include "abut/scene.h"
#include "check.h"
#include "scene/simulation.h"

#include <dirent.h>
#include <stdbool.h>

enum { NUMBERS_MAX = 4096 };

/* Relative to the size of the row, since sums of large terms leave small ones uncertain. */
#define TOLERANCE 1e-9

typedef struct row {
    char key[32];
    int index, count;
    double numbers[NUMBERS_MAX];
} row;

static void rotation(double *out, const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(out, m, sizeof m);
}

static int put(double *out, int at, const double *numbers, int count)
{
    memcpy(out + at, numbers, (size_t)count * sizeof *out);
    return at + count;
}

static int put_pose(double *out, int at, const abut_scene_pose *pose)
{
    at = put(out, at, pose->pos, 3);
    rotation(out + at, pose->quat);
    return at + 9;
}

/* What we have for a row of MuJoCo's, in the same order; returns how many numbers. */
static int ours(const abut_scene *scene, const row *theirs, double *out)
{
    int i = theirs->index;
    const char *key = theirs->key;
    if (strcmp(key, "counts") == 0) {
        const int counts[] = {
            scene->body_count,     scene->joint_count,   scene->geom_count, scene->actuator_count,
            scene->equality_count, scene->tendon_count,  scene->nq,         scene->nv,
            scene->pair_count,     scene->keyframe_count};
        for (int k = 0; k < 10; ++k) out[k] = counts[k];
        return 10;
    }
    if (strcmp(key, "body") == 0) {
        const abut_scene_body *body = &scene->bodies[i];
        out[0] = body->parent < 0 ? 0 : body->parent;
        out[1] = body->mass;
        return put(out, 2, body->com, 3);
    }
    if (strcmp(key, "inertia") == 0) return put(out, 0, scene->bodies[i].inertia, 6);
    if (strcmp(key, "pose") == 0) return put_pose(out, 0, &scene->bodies[i].pose);
    if (strcmp(key, "joint") == 0) {
        const abut_scene_joint *joint = &scene->joints[i];
        out[0] = joint->body;
        out[1] = joint->type;
        return put(out, put(out, 2, joint->pos, 3), joint->axis, 3);
    }
    if (strcmp(key, "spring") == 0) {
        const abut_scene_joint *joint = &scene->joints[i];
        out[0] = joint->stiffness[0];
        out[1] = joint->damping[0];
        out[2] = joint->armature;
        out[3] = joint->frictionloss;
        return put(out, 4, joint->range, 2);
    }
    if (strcmp(key, "geom") == 0) {
        const abut_scene_geom *geom = &scene->geoms[i];
        const int integers[] = {geom->body, (int)geom->type, geom->contype, geom->conaffinity, geom->condim};
        for (int k = 0; k < 5; ++k) out[k] = integers[k];
        int at = put(out, 5, geom->friction, 3);
        out[at] = geom->priority;
        out[at + 1] = geom->margin;
        out[at + 2] = geom->gap;
        return at + 3;
    }
    if (strcmp(key, "shape") == 0)
        return put_pose(out, put(out, 0, scene->geoms[i].size, 3), &scene->geoms[i].pose);
    if (strcmp(key, "gain") == 0) {
        const abut_scene_actuator *actuator = &scene->actuators[i];
        int at = put(out, put(out, 0, actuator->gear, 6),
                     actuator->muscle_gain ? actuator->muscle_active : actuator->gain, 3);
        /* Whether there is a bias; if not, its numbers there are left from defaults. */
        bool bias = theirs->numbers[at] != 0;
        out[at] = theirs->numbers[at];
        at = put(out, at + 1, bias ? actuator->bias : theirs->numbers + at + 1, 3);
        out[at] = actuator->dynamics;
        return at + 1;
    }
    if (strcmp(key, "qpos0") == 0) return put(out, 0, scene->qpos0, scene->nq);
    return -1;
}

/* Equalities have other numbers there: anchors and the relative rotation. */
static int our_equality(const abut_scene_equality *equality, const row *theirs, double *out)
{
    memcpy(out, theirs->numbers, (size_t)theirs->count * sizeof *out);
    const abut_scene_pose *frames = equality->frames;
    static const int types[] = {0, 1, 2, 3};
    out[0] = types[equality->type];
    if (equality->type == ABUT_SCENE_CONNECT) {
        put(out, put(out, 1, frames[0].pos, 3), frames[1].pos, 3);
    } else if (equality->type == ABUT_SCENE_WELD) {
        put(out, put(out, 1, frames[1].pos, 3), frames[0].pos, 3);
    } else {
        put(out, 1, equality->coefs, 5);
    }
    return theirs->count;
}

static void compare(const char *file, const row *theirs, const double *mine, int count)
{
    CHECK_MSG(count == theirs->count, "%s: %s %d has %d numbers, ours %d", file, theirs->key, theirs->index,
              theirs->count, count);
    double scale = 0;
    for (int k = 0; k < count && k < theirs->count; ++k) scale = fmax(scale, fabs(theirs->numbers[k]));
    for (int k = 0; k < count && k < theirs->count; ++k)
        CHECK_MSG(fabs(mine[k] - theirs->numbers[k]) <= TOLERANCE * fmax(scale, 1e-12),
                  "%s: %s %d, number %d: %.17g, MuJoCo's %.17g", file, theirs->key, theirs->index, k, mine[k],
                  theirs->numbers[k]);
}

/* Mechanics at a state: the rows qpos, qvel and act set it, the others are compared. Returns how many numbers, -1: none. */
static int our_mechanics(abut_simulation *simulation, const row *theirs, double *out)
{
    abut_world *world = simulation->world;
    const abut_scene *scene = simulation->scene;
    static double matrix[NUMBERS_MAX * 64];
    if (strcmp(theirs->key, "qpos") == 0)
        CHECK_EQ_INT(abut_world_set_positions(world, theirs->numbers), ABUT_OK);
    if (strcmp(theirs->key, "qvel") == 0)
        CHECK_EQ_INT(abut_world_set_velocities(world, theirs->numbers), ABUT_OK);
    if (strcmp(theirs->key, "act") == 0)
        for (int i = 0, at = 0; i < scene->actuator_count; ++i)
            if (scene->actuators[i].dynamics != ABUT_SCENE_DIRECT) simulation->act[i] = theirs->numbers[at++];
    if (strcmp(theirs->key, "mass") == 0 && scene->nv * scene->nv <= NUMBERS_MAX * 64) {
        if (theirs->index == 0) CHECK_EQ_INT(abut_world_get_mass_matrix(world, matrix), ABUT_OK);
        return put(out, 0, matrix + (size_t)theirs->index * (size_t)scene->nv, scene->nv);
    }
    if (strcmp(theirs->key, "bias") == 0) {
        CHECK_EQ_INT(abut_world_get_bias(world, out), ABUT_OK);
        return scene->nv;
    }
    if (strcmp(theirs->key, "acceleration") == 0) {
        for (int i = 0; i < scene->actuator_count; ++i) simulation->ctrl[i] = 0.2 * sin(1 + i);
        CHECK_EQ_INT(abuti_drive(simulation, 1e-30), ABUT_OK);
        CHECK_EQ_INT(abut_world_get_free_acceleration(world, out), ABUT_OK);
        return scene->nv;
    }
    return -1;
}

static bool read_row(FILE *pipe, row *into)
{
    if (fscanf(pipe, "%31s %d", into->key, &into->index) != 2) return false;
    into->count = 0;
    int c;
    while ((c = fgetc(pipe)) == ' ' && into->count < NUMBERS_MAX)
        if (fscanf(pipe, "%lf", &into->numbers[into->count]) == 1) into->count++;
    return true;
}

static void compare_file(const char *package, const char *file)
{
    static row theirs;
    static double mine[NUMBERS_MAX];
    abut_scene *scene = NULL;
    abut_error error;
    char command[2048];
    abut_status status = abut_scene_load(file, NULL, &scene, &error);
    if (status == ABUT_UNSUPPORTED) {
        printf("refused: %s\n", error.text);
        return;
    }
    CHECK_MSG(status == ABUT_OK, "%s", error.text);
    snprintf(command, sizeof command, "node '%s/../mujoco/read.mjs' '%s' '%s'", ABUT_TEST_GOLDEN, package,
             file);
    abut_simulation *simulation = NULL;
    abut_world_def def;
    if (scene && abut_scene_world_def(scene, &def, &error) == ABUT_OK)
        status = abut_simulation_create(scene, &def, &simulation, &error);
    CHECK_MSG(simulation || status == ABUT_UNSUPPORTED, "%s: %s", file, error.text);
    FILE *pipe = popen(command, "r");
    CHECK(pipe);
    int rows = 0;
    while (scene && pipe && read_row(pipe, &theirs)) {
        rows++;
        if (strcmp(theirs.key, "refused") == 0) CHECK_MSG(false, "MuJoCo refuses %s", file);
        int mechanics = simulation ? our_mechanics(simulation, &theirs, mine) : -1;
        if (mechanics >= 0) compare(file, &theirs, mine, mechanics);
        int count = mechanics >= 0 ? -1
                    : strcmp(theirs.key, "equality") == 0
                        ? our_equality(&scene->equalities[theirs.index], &theirs, mine)
                        : ours(scene, &theirs, mine);
        if (count >= 0) compare(file, &theirs, mine, count);
    }
    CHECK_MSG(rows > 0, "%s: MuJoCo said nothing", file);
    if (pipe) pclose(pipe);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void compare_folder(const char *package, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    CHECK_MSG(count > 0, "%s", folder);
    for (int i = 0; i < count; ++i) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        /* Parts of scenes are no scenes. */
        bool part = strstr(entries[i]->d_name, "_part") || strstr(entries[i]->d_name, "_sections");
        if (dot && strcmp(dot, ".xml") == 0 && !part) compare_file(package, path);
        free(entries[i]);
    }
    free(entries);
}

/* With arguments: these files alone. */
int main(int argc, char **argv)
{
    const char *package = getenv("ABUT_MUJOCO"), *data = getenv("ABUT_EXTERNAL_DATA");
    if (!package) return CHECK_SKIPPED;
    check_counts.test = "mujoco";
    for (int i = 1; i < argc; ++i) compare_file(package, argv[i]);
    if (argc > 1) return check_report();
    compare_folder(package, ABUT_TEST_GOLDEN "/mjcf");
    compare_folder(package, ABUT_TEST_GOLDEN "/robots");
    compare_folder(package, ABUT_TEST_GOLDEN "/../../scenes");
    if (data) {
        char folder[1024];
        snprintf(folder, sizeof folder, "%s/mjcf", data);
        compare_folder(package, folder);
    }
    return check_report();
}
