/* What people ask of forces at rest: how far is each contact from slipping, is the pose in equilibrium, what
 * pushes each body? (`abut solve --report statics`) */
#ifndef ABUT_CLI_STATICS_PRINT_H
#define ABUT_CLI_STATICS_PRINT_H

#include "abut/statics.h"
#include "contact_print.h"
#include "io/json_write.h"

typedef struct statics_report {
    abut_statics now;           /* of the answer */
    abut_statics_ranges ranges; /* of all forces at rest ... */
    bool ranged;                /* ... where they were looked at: coulomb-accel, not too large */
} statics_report;

/* False when memory is short. Release `out` in either case. */
bool statics_find(const contact_report *report, statics_report *out);
void statics_release(statics_report *s);
void statics_print_table(FILE *file, const contact_report *report, const statics_report *s);
/* The member "statics" of an open object. */
void statics_print_json(abuti_json *json, const contact_report *report, const statics_report *s);

#endif
