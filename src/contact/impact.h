/* Impulses at the acceleration level: where forces alone cannot answer. */
#ifndef ABUTI_CONTACT_IMPACT_H
#define ABUTI_CONTACT_IMPACT_H

#include "base/arena.h"
#include "contact/system.h"

typedef struct abuti_impact {
    abut_body *bodies;
    abut_contact *contacts;
    abut_joint *joints;
    abut_generalised generalised;
    abut_local local;
    double *force;    /* nv, or rows of W */
    double *velocity; /* after the impact: 6 a body, nv, or rows of W */
    double *before;   /* rows of W */
    double *impulses; /* 3 a contact */
    double *joint_impulses;
    abut_contact_face *faces;
} abuti_impact;

void abuti_impact_layout(abuti_impact *impact, abuti_arena *arena, const abut_contact_limits *limits);

typedef abut_status (*abuti_solve)(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                   const abut_contact_options *options, abut_contact_result *result);

/* After `solve` has given `result`: when the model asks for an impact (contact.h), resolves it, solves again
 * from the new velocities and adds the impact to the result. */
abut_status abuti_impact_follow(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                                const abut_contact_problem *problem, const abut_contact_options *options,
                                abut_contact_result *result);

#endif
