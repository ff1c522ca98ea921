/* Scenes: whatever the bytes, one error or a scene whose indices point at something. */
#include "abut/scene.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
    if (!good) abort();
}

static void look_at(const abut_scene *scene)
{
    for (int i = 1; i < scene->body_count; ++i)
        require(scene->bodies[i].parent >= 0 && scene->bodies[i].parent < i);
    for (int i = 0; i < scene->geom_count; ++i)
        require(scene->geoms[i].body >= 0 && scene->geoms[i].body < scene->body_count &&
                scene->geoms[i].asset >= -1);
    for (int i = 0; i < scene->joint_count; ++i)
        require(scene->joints[i].body > 0 && scene->joints[i].qpos < scene->nq &&
                scene->joints[i].qvel < scene->nv);
    for (int i = 0; i < scene->actuator_count; ++i) require(scene->actuators[i].target >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int lenient = 0; lenient < 2; ++lenient) {
        abut_scene_options options = abut_scene_default_options();
        options.lenient = lenient;
        abut_scene *scene = NULL;
        abut_error error;
        abut_status status = abut_scene_parse((const char *)data, size, NULL, &options, &scene, &error);
        require((status == ABUT_OK) == (scene != NULL));
        require(status == ABUT_OK || error.text[0] != '\0');
        if (scene) look_at(scene);
        abut_scene_destroy(scene);
    }
    return 0;
}
