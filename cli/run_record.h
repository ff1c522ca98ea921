/* The recording that a run writes as it goes. */
#ifndef ABUT_CLI_RUN_RECORD_H
#define ABUT_CLI_RUN_RECORD_H

#include "run_scene.h"

#include <stdio.h>

typedef struct run_record {
    const char *path;
    FILE *file;
    abut_simulation *simulation;
    run_scene scene;
    abut_record_writer *writer;
    int directions;
    /* One step, filled anew each time. */
    double *positions;
    abut_record_pose *poses;
    abut_record_joint_state *joints;
    abut_record_contact *contacts;
    int contact_room;
} run_record;

/* Writes the scene to a new file. False with "FILE: the reason". */
bool run_record_open(run_record *r, const char *path, abut_simulation *simulation, const abut_world_def *def,
                     const char *title, abut_error *error);

/* Appends the step that the simulation just took; it is in the file when this returns. False with the reason. */
bool run_record_add(run_record *r, const abut_step_report *report, double microseconds, abut_error *error);

/* Ends the recording, marked as complete or left as one that was cut off, and releases all. False with the reason. */
bool run_record_close(run_record *r, bool complete, abut_error *error);

#endif
