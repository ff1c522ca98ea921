/* Inputs of actuators over time, from a CSV file. Each line has a time in seconds and one number for each actuator, and
 * holds until the time of the next line. A first line of names is skipped, and so are lines that begin with #. */
#ifndef ABUT_IO_CONTROL_FILE_H
#define ABUT_IO_CONTROL_FILE_H

#include "abut/base.h"

#include <stdbool.h>

typedef struct abuti_control {
    int columns; /* actuators */
    long rows, at;
    double *numbers; /* rows x (1 + columns) */
} abuti_control;

/* Reads the file. On failure it returns false, and `error` names the file, the line and what was expected. */
bool abuti_control_read(abuti_control *control, const char *path, int actuators, abut_error *error);
/* Sets the inputs of this time. */
void abuti_control_apply(abuti_control *control, double time, double *ctrl);
void abuti_control_release(abuti_control *control);

#endif
