/* Capsules of the steps of a run that were not verified as asked. */
#ifndef ABUT_CLI_RUN_CAPSULES_H
#define ABUT_CLI_RUN_CAPSULES_H

#include "abut/scene.h"

#include <stdbool.h>

enum { RUN_CAPSULES_MAX = 10 };

typedef struct run_capsules {
    const char *folder, *name;
    /* The number of steps that were not verified, of capsules that were written, and of steps that a capsule cannot
     * hold; `why` is the reason for the first of the last. */
    long steps, written, left_out;
    abut_error why;
} run_capsules;

/* Makes the folder where it is missing; files are named FOLDER/NAME-STEP.json. False with the reason when they could
 * not be written there. */
bool run_capsules_open(run_capsules *c, const char *folder, const char *name, abut_error *error);

/* Writes the problem of the step that the world just took, which was not verified. False with the reason when the file
 * could not be written. */
bool run_capsules_add(run_capsules *c, const abut_world *world, const abut_contact_options *options,
                      long step, abut_error *error);

#endif
