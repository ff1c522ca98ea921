/* A scene given as text, ready to be played. */
#ifndef SCENE_CASE_H
#define SCENE_CASE_H

#include "abut/scene.h"
#include "check.h"
#include <string.h>

/* False: a check has failed, with the reader's words. What exists is the caller's to destroy either way. */
static inline bool scene_from_text(const char *text, abut_scene **scene, abut_simulation **simulation)
{
    abut_error error = {""};
    abut_world_def def;
    *scene = NULL;
    *simulation = NULL;
    bool good = abut_scene_parse(text, strlen(text), NULL, NULL, scene, &error) == ABUT_OK &&
                abut_scene_world_def(*scene, &def, &error) == ABUT_OK &&
                abut_simulation_create(*scene, &def, simulation, &error) == ABUT_OK;
    CHECK_MSG(good, "%s", error.text);
    return good;
}

#endif
