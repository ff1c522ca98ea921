/* Impulses at the acceleration level, for problems that forces alone cannot answer. */
#ifndef ABUTI_CONTACT_IMPACT_H
#define ABUTI_CONTACT_IMPACT_H

#include "base/arena.h"
#include "contact/system/system.h"

typedef struct abuti_impact {
    int directions;    /* of polygons, at most */
    abut_body *bodies; /* of the problem without time ... */
    abut_body *after;  /* ... and with the velocities after it */
    abut_contact *contacts;
    abut_joint *joints;
    abut_generalised generalised;
    abut_local local;
    double *force;          /* nv, or rows of W */
    double *before;         /* rows of W */
    double *velocity;       /* after each impact: 6 a body, nv, or rows of W */
    double *impulses;       /* of each: 3 a contact */
    double *joint_impulses; /* of each */
    double *ray;            /* 3 a contact: the ray to leave */
    abut_contact_face *faces;
    int count; /* impacts so far */

    /* What all solves together have left of the caller's budget. */
    double deadline; /* of abuti_clock(), infinity: none */
    int pivots_left; /* INT_MAX: no budget */
} abuti_impact;

void abuti_impact_layout(abuti_impact *impact, abuti_arena *arena, const abut_contact_limits *limits);

typedef abut_status (*abuti_solve)(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                   const abut_contact_options *options, abut_contact_result *result);

/* Follows a `solve` that has given `result`, in a call that has to end at `deadline` (of abuti_clock()). As long as the
 * model asks for an impact (contact.h), this resolves it and solves again from the new velocities; then it adds the
 * impacts to the result. */
abut_status abuti_impact_follow(abuti_impact *impact, abuti_solve solve, abut_contact_workspace *workspace,
                                const abut_contact_problem *problem, const abut_contact_options *options,
                                double deadline, abut_contact_result *result);

#endif
