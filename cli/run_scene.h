/* A scene as recordings have it: bodies, shapes with their colours, joints. */
#ifndef ABUT_CLI_RUN_SCENE_H
#define ABUT_CLI_RUN_SCENE_H

#include "abut/record.h"
#include "abut/scene.h"

#include <stdbool.h>

/* Body b of the scene is body b - 1 of the recording, since the scene's first body is the world. The recording has all
 * joints of the scene but the free ones: its joint j is the scene's joint joint_of[j]. */
typedef struct run_scene {
    abut_record_scene record;
    abut_record_body *bodies;
    abut_record_shape *shapes;
    abut_record_joint *joints;
    int *joint_of;
    /* Vertices of the scene's meshes and heights of its fields, by their index. */
    float **vertices, **heights;
    int mesh_count, field_count;
} run_scene;

/* Texts are borrowed from the scene. False: out of memory; release it in any case. */
bool run_scene_make(run_scene *s, const abut_scene *scene, const abut_world_def *def, const char *title);
void run_scene_release(run_scene *s);

#endif
