/* All answers of a small problem at the acceleration level (`abut solve --all`). */
#ifndef ABUT_CLI_ACCEL_SOLUTIONS_H
#define ABUT_CLI_ACCEL_SOLUTIONS_H

#include "abut/contact.h"
#include "io/json_write.h"

#include <stdio.h>

typedef struct accel_solutions {
    int contacts, numbers; /* numbers: 6 a body, or 0 in local form */
    int count;
    double *values; /* of each: residual, 3 forces a contact, accelerations */
    bool failed;    /* memory is short */
    bool complete;  /* the search went to its end: there are no others */
} accel_solutions;

abut_status accel_solutions_find(abut_contact_workspace *work, const abut_contact_problem *problem,
                                 const abut_contact_options *options, accel_solutions *out);
void accel_solutions_release(accel_solutions *s);
void accel_solutions_print(FILE *file, const accel_solutions *s);
/* The members "complete" and "solutions" of an open object. */
void accel_solutions_json(abuti_json *json, const accel_solutions *s);

#endif
