/* A file of scenes/ that is run step by step as it asks to be (abut_seconds, abut_keyframe, abut_control), with what a
 * person would measure of it. */
#ifndef ABUT_BENCH_SCENE_RUN_H
#define ABUT_BENCH_SCENE_RUN_H

#include "abut/scene.h"
#include "io/control_file.h"

#include <stdbool.h>

typedef struct scene_run {
    char path[1024], control_path[1024];
    const char *keyframe; /* NULL: none */
    abut_scene *scene;
    abut_simulation *simulation;
    abuti_control control;
    double step, seconds;
    long steps, at; /* steps of the run, steps taken */
    abut_step_report report;
    abut_error error; /* why it could not be opened */
} scene_run;

/* Opens NAME.xml in the folder that ABUT_SCENES names in the environment, or in that of the sources. `model` NULL: the
 * scene's. False, with a reason. */
bool scene_run_open(scene_run *r, const char *name, const char *model);
/* False when the step could not be taken. */
bool scene_run_step(scene_run *r);
/* m/s: the fastest that a contact with an impulse slides. */
double scene_run_slip(const scene_run *r);
/* Positions of all bodies but the world, three numbers each; room for them is 3 (body_count - 1). */
void scene_run_places(const scene_run *r, double *places);
int scene_run_bodies(const scene_run *r);
void scene_run_close(scene_run *r);

#endif
