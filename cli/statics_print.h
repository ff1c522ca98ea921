/* What people ask of forces at rest: how far is each contact from slipping, is the pose in equilibrium, what
 * pushes each body? (`abut solve --report statics`) */
#ifndef ABUT_CLI_STATICS_PRINT_H
#define ABUT_CLI_STATICS_PRINT_H

#include "abut/statics.h"
#include "contact_print.h"
#include "io/json_write.h"

/* False when memory is short. Release also what was not found. */
bool statics_find(const contact_report *report, abut_statics *out);
void statics_release(abut_statics *s);
void statics_print_table(FILE *file, const contact_report *report, const abut_statics *s);
/* The member "statics" of an open object. */
void statics_print_json(abuti_json *json, const contact_report *report, const abut_statics *s);

#endif
