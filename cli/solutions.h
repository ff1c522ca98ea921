/* All answers of a small problem (`abut solve --all`): at the acceleration level, or with unions. */
#ifndef ABUT_CLI_SOLUTIONS_H
#define ABUT_CLI_SOLUTIONS_H

#include "abut/contact.h"
#include "io/json_write.h"

#include <stdio.h>

typedef struct solutions {
    bool accelerates;              /* forces and accelerations, else impulses and velocities */
    int contacts, joints, numbers; /* numbers: 6 a body, or 0 in local form */
    int count;
    double *values; /* of each: residual, 3 forces a contact, accelerations, forces of joint rows */
    bool failed;    /* memory is short */
    bool complete;  /* there are no others */
    bool cut_short; /* the search did not go to its end */
} solutions;

/* By abut_accel_all, or abut_union_all. */
abut_status solutions_find(abut_contact_workspace *work, const abut_contact_problem *problem,
                           const abut_contact_options *options, solutions *out);
void solutions_release(solutions *s);
void solutions_print(FILE *file, const solutions *s);
/* The members "complete" and "solutions" of an open object. */
void solutions_json(abuti_json *json, const solutions *s);

#endif
