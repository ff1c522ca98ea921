/* Inputs of actuators over time, from a CSV file: on each line a time in seconds and one number for each actuator; each line
 * holds until the next one's time. A first line of names is passed over, and so are lines that begin with #. */
#ifndef ABUT_IO_CONTROL_FILE_H
#define ABUT_IO_CONTROL_FILE_H

#include "abut/base.h"

#include <stdbool.h>

typedef struct abuti_control {
    int columns; /* actuators */
    long rows, at;
    double *numbers; /* rows x (1 + columns) */
} abuti_control;

/* False, with the file, the line and what was expected. */
bool abuti_control_read(abuti_control *control, const char *path, int actuators, abut_error *error);
/* Sets the inputs of this time. */
void abuti_control_apply(abuti_control *control, double time, double *ctrl);
void abuti_control_release(abuti_control *control);

#endif
