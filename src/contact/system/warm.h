/* Where a solve starts: states from the caller, or those this workspace solved last. */
#ifndef ABUTI_CONTACT_SYSTEM_WARM_H
#define ABUTI_CONTACT_SYSTEM_WARM_H

#include "contact/system/roll.h"
#include "contact/system/system.h"

/* States by contact key (by index when no contact had a key), of the last problem that was solved. */
typedef struct abuti_warm {
    abuti_roll *roll;             /* the keys of the last problem, */
    int capacity;                 /* states at most */
    int contact_room, joint_room; /* contacts and joint rows at most */
    bool cones;                   /* circles are served */
    int count;                    /* contacts of the last problem; 0: nothing to start from */
    int rows;                     /* its joint rows, where some were bounded; they stand after the contacts */
    abut_contact_face *face;      /* [contact, then joint row] */
    double *impulse;              /* [contact][3]: what acted, in the caller's units */
    double *drift;                /* [contact][3]: its change from the step before; circles only */
    bool *steady;             /* [contact]: it has changed like that twice, and may be expected to go on */
    double *axis;             /* [contact][3]: its tangent then; zero where none was given */
    double *pull;             /* [contact]: what pulled at its first body then, in one number */
    double *joint;            /* [joint]: likewise */
    int joints;               /* joint rows of the last problem */
    abut_contact_face *start; /* [lane]: what the stage gets; slides of circles at the nearest vertex, */
    uint8_t *turn;            /* [lane]: and their direction in 256ths of a turn */
    double *pushed[3];   /* [lane]: `impulse` and `drift` for the island at hand, where circles are served */
    bool pushes;         /* `pushed` is filled */
    bool *fresh;         /* [lane]: nothing is known of it */
    int *place;          /* [lane]: where it was in the last step, -1: nowhere */
    double *again[3];    /* [lane]: the impulses of the last step, in the system's units */
    double *joint_again; /* [joint]: likewise */
} abuti_warm;

/* `roll` is called for the same problem after each abuti_warm_keep. */
void abuti_warm_layout(abuti_warm *warm, abuti_arena *arena, const abut_contact_limits *limits,
                       abuti_roll *roll);
/* Takes over what another workspace remembers, if there is room for it; else nothing is remembered. */
void abuti_warm_move(abuti_warm *warm, const abuti_warm *from);
/* Whether this workspace has states for the problem, and the caller wants them. */
bool abuti_warm_remembers(const abuti_warm *warm, const abut_contact_problem *problem,
                          const abut_contact_options *options);
/* The state of one contact: the caller's (options->start), or what is remembered. */
abut_contact_face abuti_warm_face(abuti_warm *warm, const abut_contact_options *options,
                                  const abut_contact *contact, int index);
/* The states to start this island from, or NULL: cold. */
const abut_contact_face *abuti_warm_start(abuti_warm *warm, const abuti_system *system,
                                          const abut_contact_problem *problem,
                                          const abut_contact_options *options);
/* Writes what acted on the contacts of this island in the last step into again and joint_again; new contacts carry
 * nothing. False when nothing is known, or when the caller has given states without impulses. To be called after
 * abuti_warm_start. */
bool abuti_warm_impulses(abuti_warm *warm, const abuti_system *system, const abut_contact_problem *problem,
                         const abut_contact_options *options);
/* What is known of one contact: its state; what acted, three numbers in the caller's units (NULL: nothing is known);
 * along which tangent (NULL: along that of now); and whether other forces pulled at its first body then. */
typedef struct abuti_known {
    abut_contact_face face;
    const double *impulse, *axis;
    bool pulled_anew;
} abuti_known;
abuti_known abuti_warm_known(abuti_warm *warm, const abut_contact_problem *problem,
                             const abut_contact_options *options, int index);
/* Whether impulses are known for an island with so many joint rows. */
bool abuti_warm_knows(const abuti_warm *warm, const abut_contact_problem *problem,
                      const abut_contact_options *options, int joints);
/* Remembers the states and impulses of a solved problem. Where `faces` is NULL it forgets everything; where `rows` is
 * NULL no joint row is bounded. */
void abuti_warm_keep(abuti_warm *warm, const abut_contact_problem *problem, const abut_contact_face *faces,
                     const abut_contact_face *rows, const abut_contact_answer *answers, const double *joints);

#endif
