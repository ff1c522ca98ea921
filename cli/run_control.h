/* Inputs of actuators over time, from a CSV file: on each line a time in seconds and one number for each actuator; each line
 * holds until the next one's time. A first line of names is passed over, and so are lines that begin with #. */
#ifndef ABUT_CLI_RUN_CONTROL_H
#define ABUT_CLI_RUN_CONTROL_H

#include "abut/base.h"

#include <stdbool.h>

typedef struct run_control {
    int columns; /* actuators */
    long rows, at;
    double *numbers; /* rows x (1 + columns) */
} run_control;

/* False, with the file, the line and what was expected. */
bool run_control_read(run_control *control, const char *path, int actuators, abut_error *error);
/* Sets the inputs of this time. */
void run_control_apply(run_control *control, double time, double *ctrl);
void run_control_release(run_control *control);

#endif
