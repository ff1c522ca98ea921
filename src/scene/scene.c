/* The public face: a file in, a scene out. */
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>

abut_scene_options abut_scene_default_options(void)
{
    return (abut_scene_options){0};
}

/* The lists of the reader become the arrays of the scene. */
static void hand_over(abuti_reader *reader)
{
    abut_scene *scene = reader->scene;
#define TAKE(array, number, list) scene->array = reader->list.items, scene->number = reader->list.count
    TAKE(bodies, body_count, bodies);
    TAKE(joints, joint_count, joints);
    TAKE(geoms, geom_count, geoms);
    TAKE(sites, site_count, sites);
    TAKE(meshes, mesh_count, meshes);
    TAKE(hfields, hfield_count, hfields);
    TAKE(pairs, pair_count, pairs);
    TAKE(excludes, exclude_count, excludes);
    TAKE(tendons, tendon_count, tendons);
    TAKE(equalities, equality_count, equalities);
    TAKE(actuators, actuator_count, actuators);
    TAKE(keyframes, keyframe_count, keyframes);
    TAKE(customs, custom_count, customs);
#undef TAKE
}

static bool read_scene(abuti_reader *reader, abuti_model *model)
{
    abuti_instance root = {.model = model, .prefix = "", .suffix = ""};
    abuti_instance **listed = abuti_list_add(&reader->scratch, &reader->instances, sizeof *listed);
    if (!listed) return abuti_fail_memory(&reader->source);
    *listed = &root;
    if (!abuti_model_open(reader, model) || !abuti_model_options(reader, model) ||
        !abuti_world_read(reader, &root) || !abuti_inertia_finish(reader, &model->compiler) ||
        !abuti_reference_configuration(reader) || !abuti_sections_read(reader) ||
        !abuti_keyframes_read(reader, model) || !abuti_customs_read(reader, model))
        return false;
    hand_over(reader);
    abuti_report_skipped(&reader->source);
    return true;
}

static abut_status load(const char *path, const char *bytes, size_t size, const char *directory,
                        const abut_scene_options *options, abut_scene **scene, abut_error *error)
{
    abut_scene_options defaults = abut_scene_default_options();
    abuti_pool *pool = calloc(1, sizeof *pool);
    if (error) error->text[0] = '\0';
    *scene = NULL;
    abuti_reader reader = {
        .source = {.pool = pool, .options = options ? options : &defaults, .error = error}};
    if (!pool) return ABUT_OUT_OF_MEMORY;
    abuti_model model = {0};
    reader.scene = abuti_pool_take(pool, sizeof *reader.scene);
    model.directory = bytes ? directory : abuti_folder(&reader.source, path);
    bool good = reader.scene && (bytes || model.directory) &&
                abuti_tree_read(&reader.source, NULL, path, bytes, size, model.directory, &model.root) &&
                read_scene(&reader, &model);
    abuti_pool_release(&reader.scratch);
    if (good) {
        reader.scene->memory = pool;
        *scene = reader.scene;
        return ABUT_OK;
    }
    abut_status status = reader.source.status != ABUT_OK ? reader.source.status : ABUT_OUT_OF_MEMORY;
    abuti_pool_release(pool);
    free(pool);
    return status;
}

abut_status abut_scene_load(const char *path, const abut_scene_options *options, abut_scene **scene,
                            abut_error *error)
{
    if (!path || !scene) return ABUT_INVALID_ARGUMENT;
    return load(path, NULL, 0, NULL, options, scene, error);
}

abut_status abut_scene_parse(const char *text, size_t size, const char *directory,
                             const abut_scene_options *options, abut_scene **scene, abut_error *error)
{
    if (!text || !scene) return ABUT_INVALID_ARGUMENT;
    return load("scene", text, size, directory, options, scene, error);
}

void abut_scene_destroy(abut_scene *scene)
{
    if (!scene) return;
    abuti_pool *pool = scene->memory;
    abuti_pool_release(pool);
    free(pool);
}

const abut_scene_custom *abut_scene_find_custom(const abut_scene *scene, const char *name)
{
    for (int i = 0; i < scene->custom_count; ++i)
        if (strcmp(scene->customs[i].name, name) == 0) return &scene->customs[i];
    return NULL;
}
