/* The files that a run leaves: a recording, a page, capsules. */
#ifndef ABUT_CLI_RUN_OUTPUT_H
#define ABUT_CLI_RUN_OUTPUT_H

#include "run_capsules.h"
#include "run_record.h"

/* What the command line asks for; NULL: not asked for. */
typedef struct run_files {
    const char *recording, *page, *capsules;
} run_files;

typedef struct run_output {
    run_files files;
    abut_contact_options options;
    run_record record;
    run_capsules capsules;
    bool records;
    char name[128];    /* the scene's, without folders and extension */
    char folder[1024]; /* where a recording lies that only the page needs, or "" */
    char recording[1024 + 160];
} run_output;

/* Finds out, before the run, whether all that is asked for can be written. `scene` and `control` (NULL: none) are the
 * paths of the files that are read; no output may replace them. False with the reason, and nothing is left open. */
bool run_output_open(run_output *o, const run_files *files, const char *scene, const char *control,
                     abut_simulation *simulation, const abut_world_def *def, abut_error *error);

/* Adds the step that the world just took, the run's `number`th from 0. False with the reason. */
bool run_output_add(run_output *o, const abut_step_report *report, long number, double microseconds,
                    const abut_world *world, abut_error *error);

/* Ends the recording, marked as complete or not, and writes the page of what there is. False with the reason. */
bool run_output_close(run_output *o, bool complete, abut_error *error);

/* Prints a line about each file that was written, and one about steps that no capsule holds. */
void run_output_tell(const run_output *o, FILE *out);

#endif
