/* What people ask of forces at rest: how far is each contact from slipping, is the pose in equilibrium, what
 * pushes each body? (`abut solve --report statics`) */
#ifndef ABUT_CLI_STATICS_PRINT_H
#define ABUT_CLI_STATICS_PRINT_H

#include "contact_print.h"
#include "io/json_write.h"

typedef struct statics {
    bool equilibrium;   /* no body accelerates (local form: no contact does) */
    double *margin;     /* [contact]: mu * normal - |friction|, N */
    double *used;       /* [contact]: |friction| / (mu * normal), 0 .. 1; NaN without a cone */
    double *net_wrench; /* 6 a body: external force, contacts and joints together, at its centre of mass */
} statics;

/* False when memory is short. Release also what was not found. */
bool statics_find(const contact_report *report, statics *out);
void statics_release(statics *s);
void statics_print_table(FILE *file, const contact_report *report, const statics *s);
/* The member "statics" of an open object. */
void statics_print_json(abuti_json *json, const contact_report *report, const statics *s);

#endif
