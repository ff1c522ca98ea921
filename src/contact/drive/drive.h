/* Baraff 1994, "Fast contact force computation for nonpenetrating rigid bodies": forces and accelerations at
 * contacts with static and dynamic friction, found by driving one violated condition at a time to zero while
 * all conditions that were met before stay met.
 *
 *     a = A f + b        normal     f_N >= 0, a_N >= 0, f_N a_N = 0
 *                        static     |f_F| <= mu f_N, f_F.a_F <= 0, and a_F = 0 unless |f_F| = mu f_N
 *                        dynamic    f_F = -mu f_N v_t / |v_t|
 *                        bilateral  a = 0
 *
 * Every contact is in one normal set (C: a_N = 0 is held; NC: f_N = 0; none: not looked at yet, or given up)
 * and, with static friction, in one friction set (C_F: a_F = 0 is held; NC+, NC-, in space NC_F with the
 * direction that was recorded: f_F stays on the cone).
 *
 *     drive/system.c   A and b from the contact system
 *     drive/sets.c     the sets, and the factor of the equations that are held
 *     drive/step.c     fdirection and maxstep
 *     drive.c          drive_to_zero, the outer loop, the stage
 *     drive/modes.c    a search through all combinations of sets, for some contacts: the oracle
 *     modes_lp.c       its linear program
 *     drive/lcp.c      the acceleration-level LCP with polygons, for what the published conditions get wrong
 */
#ifndef ABUTI_CONTACT_DRIVE_DRIVE_H
#define ABUTI_CONTACT_DRIVE_DRIVE_H

#include "contact/dense/lcp.h"
#include "contact/drive/modes_lp.h"
#include "contact/system/system.h"
#include "linalg/inverse.h"
#include "linalg/kernels.h"
#include "linalg/lu.h"

typedef enum abuti_normal_set { ABUTI_SET_NONE = 0, ABUTI_SET_C, ABUTI_SET_NC } abuti_normal_set;

typedef enum abuti_friction_set {
    ABUTI_FRICTION_NONE = 0, /* no friction, or not driven yet */
    ABUTI_FRICTION_C,        /* C_F: does not slip */
    ABUTI_FRICTION_NC_PLUS,  /* f_F = +mu f_N (plane) */
    ABUTI_FRICTION_NC_MINUS, /* f_F = -mu f_N (plane) */
    ABUTI_FRICTION_NC,       /* NC_F: f_F = mu f_N u (space) */
    ABUTI_FRICTION_DYNAMIC,  /* slides already: f_F = mu f_N u with u = -v_t / |v_t|, for good */
} abuti_friction_set;

/* One contact as the algorithm sees it. */
typedef struct abuti_drive_contact {
    double mu;
    int tangents; /* rows of friction: 0 (no friction), 1 (plane), 2 (space) */
    int at;       /* its normal row in A; the tangents follow */
    abuti_normal_set normal;
    abuti_friction_set friction;
    double u[2];    /* of NC+, NC-, NC_F and dynamic */
    double axis[2]; /* first tangent axis of C_F, unit; the second stands across */
    bool parts;     /* it separates already (contact.h): it carries no force, and its acceleration is free */
    int place[3];   /* of normal, first and second friction axis among the held equations; -1: not held */
    bool dependent; /* its a_N = 0 follows from the held equations, so it is not held itself */
} abuti_drive_contact;

/* One held equation and the unknown that belongs to it. Both are combinations of a contact's three rows. */
typedef struct abuti_held {
    int contact;        /* or -1: a bilateral row */
    int which;          /* 0 normal, 1 and 2 friction axes */
    int at;             /* first row in A */
    int count;          /* rows, 1 to 3 */
    double row[3];      /* equation: row . a = 0 */
    double column[3];   /* unknown: f += column * x */
    const double *push; /* A column: in A itself, or in `pushes` */
} abuti_held;

typedef struct abuti_drive {
    const abuti_kernels *kernels;
    int rows_max; /* rows of A at most */
    int n, joints;
    int rows; /* of A: those contacts and axes that can carry a force, then the joints */
    int ld;
    double *A; /* transposed, so that columns are contiguous: A[j * ld + i] = A_ij */
    double *b;
    bool symmetric;
    bool frictionless;
    int sliding; /* contacts in C whose column is a combination: the held block is unsymmetric then */
    abuti_drive_contact *contact;
    double *f, *a;   /* rows: forces and accelerations */
    double *df, *da; /* rows: the direction of a step ... */
    double reach;    /* ... and the largest |df| */

    int held_count;
    abuti_held *held;
    int *spare;     /* free slots of `pushes` */
    double *pushes; /* rows_max x ld: combined columns */
    abuti_inverse inverse;
    abuti_lu lu;
    bool fresh;                         /* the inverse was made anew and not changed since */
    double *gathered, *solved, *across; /* vectors in the order of the held equations */

    double deadline;  /* of abuti_clock(), infinity: none; work that is late stops where it is */
    double satisfied; /* |a| and |f| below this are zero */
    int steps, steps_max;
    int drives;
    double *ray;  /* rows: direction of an infinite step ... */
    bool has_ray; /* ... if driving ended on one */

    double *spread;   /* the system's rows behind those of A, to form it: [row][side][stride] */
    int spread_width; /* numbers a row at most */
    int *moves[2];    /* [side][row]: block */
    /* Lists of the rows that move a block: head[block] is the last of its list, next[2 * row + side] the one before. */
    int *head, *next;

    int polygon; /* directions of static contacts in space, for the two below */
    /* drive/modes.c */
    struct abuti_modes *modes;
    double *motions; /* ABUT_ACCEL_ALL_MAX x ld: accelerations of all answers */
    /* drive/lcp.c */
    abuti_dense *dense;
    void *faces;
    abuti_system derived;
    double *W, *mu, *offset[3], *joint_offset;
    int *directions;
    bool lemke_ran; /* on the present system */
} abuti_drive;

/* Directions of the polygon that the scratch has room for. */
int abuti_drive_directions(const abut_contact_limits *limits);
/* Scratch of the family. */
void *abuti_drive_layout(abuti_arena *arena, const abut_contact_limits *limits);

/* Whether the deadline has passed. This is asked wherever work of some microseconds begins. */
bool abuti_drive_is_late(const abuti_drive *d);
/* Finds which rows the contacts of a system have, and which contacts slide. False: more rows than A can have. */
bool abuti_drive_number(abuti_drive *d, const abuti_system *system, const abuti_stage_context *context);
/* Loads A, b and the contacts from a system; all sets are empty. False: too large for the scratch. */
bool abuti_drive_load(abuti_drive *d, const abuti_system *system, const abuti_stage_context *context);
/* Writes f (rows of A) as an answer, with states; abuti_drive_ray writes a direction as the answer's ray. */
void abuti_drive_answer(const abuti_drive *d, const abuti_system *system, abuti_answer *answer);
/* Finds the states of an answer that was found elsewhere. */
void abuti_drive_states(abuti_drive *d, const abuti_system *system, abuti_answer *answer);
void abuti_drive_ray(const abuti_drive *d, const abuti_system *system, const double *direction,
                     abuti_answer *answer);
/* Whether a ray's direction is that of an impulse, as it has to be at the acceleration level: it is not zero, and lies
 * within the cones of friction. A ray of the LCP is none when only its slip grows. */
bool abuti_drive_is_impulse(const abuti_system *system, const double *ray);
/* a = A f + b. */
void abuti_drive_accelerations(const abuti_drive *d, const double *f, double *a);

/* Sets (drive/sets.c). Each keeps the factor up to date. */
bool abuti_hold_joint(abuti_drive *d, int joint);
void abuti_set_normal(abuti_drive *d, int contact, abuti_normal_set set);
/* Moves a contact into C, if its equation does not depend on those that are held. False: it stays where it is. */
bool abuti_try_normal(abuti_drive *d, int contact);
void abuti_set_friction(abuti_drive *d, int contact, abuti_friction_set set, const double u[2]);
/* Holds a friction axis of a contact before it is in C_F. */
void abuti_hold_axis(abuti_drive *d, int contact, int which);
/* Solves (held rows) (A column x) = right-hand side for x. The right-hand side is in d->gathered, x goes to
 * d->solved. */
void abuti_held_solve(abuti_drive *d);
/* Factors the held equations anew; those that depend on others are let go. */
void abuti_held_refactor(abuti_drive *d);

/* What is being driven. */
typedef enum abuti_goal {
    ABUTI_DRIVE_NORMAL_UP,    /* f_N grows until a_N = 0 */
    ABUTI_DRIVE_NORMAL_DOWN,  /* f_N shrinks until f_N = 0 or a_N = 0 */
    ABUTI_DRIVE_FRICTION,     /* f_F goes along `direction` until a_F along it is 0 or the cone is met */
    ABUTI_DRIVE_FRICTION_OFF, /* f_F shrinks to 0 */
} abuti_goal;

typedef struct abuti_driver {
    abuti_goal goal;
    int contact;
    double direction[2]; /* friction */
} abuti_driver;

typedef enum abuti_event_kind {
    ABUTI_EVENT_NONE = 0,    /* nothing blocks: the step is infinite */
    ABUTI_EVENT_A_ZERO,      /* the driven acceleration is 0 */
    ABUTI_EVENT_F_ZERO,      /* the driven force is 0 */
    ABUTI_EVENT_CONE,        /* the driven friction force meets its cone */
    ABUTI_EVENT_C_TO_NC,     /* a normal force falls to 0 */
    ABUTI_EVENT_NC_TO_C,     /* a normal acceleration falls to 0 */
    ABUTI_EVENT_TO_SLIDING,  /* C_F: friction meets its cone */
    ABUTI_EVENT_TO_STICKING, /* NC+, NC-, NC_F: the contact stops */
} abuti_event_kind;

typedef struct abuti_event {
    double step;
    abuti_event_kind kind;
    int contact;
} abuti_event;

/* Finds df and da of a unit push of the driver, while everything held stays at zero. False: the factor is worthless. */
bool abuti_fdirection(abuti_drive *d, const abuti_driver *driver);
/* The largest step along df and da that keeps all conditions, and what ends it. */
abuti_event abuti_maxstep(const abuti_drive *d, const abuti_driver *driver);

/* Whether contact i meets its conditions (published ones in space) at f, a. */
bool abuti_normal_holds(const abuti_drive *d, int contact);
bool abuti_friction_holds(const abuti_drive *d, int contact);

/* Runs Baraff's algorithm on what was loaded. */
abut_outcome abuti_compute_forces(abuti_drive *d, const abuti_stage_context *context);

/* Walks through all modes of a few contacts (drive/modes.c), on what was loaded. Forces and accelerations stand in d->f
 * and d->a while `visit` is called, which ends the search by returning false. With `every` it shows one answer of each
 * mode that has some; else it shows answers as they come, the same ones many times. */
typedef struct abuti_modes abuti_modes;
typedef bool (*abuti_modes_visit)(abuti_drive *d, void *context);
typedef enum abuti_modes_end {
    ABUTI_MODES_COMPLETE,  /* there are no other answers than those shown (or `visit` had enough) */
    ABUTI_MODES_UNDECIDED, /* the budget was spent, or rounding left something open */
    ABUTI_MODES_TOO_MANY,  /* there are too many contacts: nothing was done */
} abuti_modes_end;
abuti_modes *abuti_modes_layout(abuti_arena *arena);
abuti_modes_end abuti_drive_walk_modes(abuti_drive *d, bool every, const abuti_stage_context *context,
                                       abuti_modes_visit visit, void *visit_context);
/* Whether the accelerations in d->a differ from the first `count` kept ones; the second function keeps them as number
 * `place`. */
bool abuti_drive_is_new_motion(const abuti_drive *d, int count);
void abuti_drive_keep_motion(abuti_drive *d, int place);

extern const abuti_family abuti_drive_family;
extern const abuti_stage abuti_stage_drive_warm, abuti_stage_drive, abuti_stage_drive_polygon,
    abuti_stage_drive_modes, abuti_stage_drive_lemke;

#endif
