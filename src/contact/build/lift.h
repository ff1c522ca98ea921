/* Bounded rows and compliance, in a form that every solver knows.
 *
 * A system that has some is *lifted*: all its blocks become one block with dense rows, and private numbers stand
 * after those of the blocks, each moved by one row alone, with unit mass.
 *
 *   compliance c     a private number with the entry sqrt(c) in the row: it moves by sqrt(c) p, and the row by c p.
 *   one bound        a contact without friction: p = lower + theta, theta >= 0 perp row.v + offset >= 0, or the same
 *                    of the negated row for p = upper - theta. lower (upper) times the row is part of k.
 *   two bounds       a contact whose cone does not grow. It is planar, has the row as its tangent, and its normal
 *                    impulse is r whatever else happens (`given` in system.h). With mu r = (upper - lower) / 2 the
 *                    friction f of p = (lower + upper) / 2 + f has just the range it should have: it slides at a
 *                    bound and sticks between them.
 *
 * `faces` knows such contacts. For all other stages the system is *expanded*: the normal of such a contact is a private
 * number that comes in with the speed r, so that r is the impulse that stops it.
 *
 * Bounds beyond LIFT_FAR, in units of the problem's own size, are not reached and count as none. */
#ifndef ABUTI_CONTACT_BUILD_LIFT_H
#define ABUTI_CONTACT_BUILD_LIFT_H

#include "contact/system/island.h"
#include "contact/system/system.h"
#include <math.h>

#define LIFT_FAR 1e7
/* Speeds below this, in units of the problem's own size, ask for no motion. */
#define LIFT_STILL 1e-10

/* One bounded row as a lane. */
typedef struct abuti_bound_lane {
    int joint;    /* the row's index in the problem */
    bool boxed;   /* two bounds: the row is the lane's tangent, else its normal */
    double sign;  /* -1: the normal is the negated row */
    double given; /* p when the lane's impulse is 0; scaled */
} abuti_bound_lane;

/* Bounds of a row in the system's units; bounds that are too far away to be reached are infinite. */
typedef struct abuti_bounds {
    double lower, upper;
} abuti_bounds;

abuti_bounds abuti_bounds_of(const abut_joint *joint, double unit);

static inline bool abuti_is_bounded(abuti_bounds b)
{
    return b.lower > -INFINITY || b.upper < INFINITY;
}

typedef struct abuti_lift {
    bool wanted;        /* what the door builds will be lifted */
    bool used;          /* the system at hand is lifted */
    bool gives;         /* compliant rows give way */
    bool stands;        /* at rest no bounded row asks for a motion, and nothing gives way */
    abuti_system plain; /* the system before it was lifted, in a store of its own */
    int numbers;        /* of all blocks */
    int lanes;          /* bounded rows among the lanes, which come after the contacts */
    abuti_bound_lane *lane;
    double *row;   /* scratch: one dense row */
    double *given; /* by lane: as in the system */

    /* The expanded system, made when it is asked for. */
    abuti_system expanded;
    bool is_expanded;
    double *rows, *k, *joint_rows;
} abuti_lift;

void abuti_lift_layout(abuti_lift *lift, abuti_arena *arena, const abut_contact_limits *limits);

/* Whether an island has a row to lift for. */
bool abuti_lift_needed(const abut_contact_problem *problem, const abuti_island *island);
/* The lifted system (or what projection has made of it) for stages that do not know of given normal impulses. A system
 * without such impulses is returned as it is. The result is valid until the next system is built. */
const abuti_system *abuti_lift_expand(abuti_lift *lift, const abuti_system *system);
/* Whether, in an answer to the lifted system, all rows with two bounds that ask for a motion are at a bound, and
 * nothing gives way. */
bool abuti_lift_gives_up(const abuti_lift *lift, const abuti_system *system, const abuti_answer *answer);
/* The velocity of a lifted system in the blocks of the plain one. */
void abuti_lift_unpack(const abuti_lift *lift, const double *lifted, double *blocks);

/* Where a bounded row stands among contacts, in the outputs and in `index` of its lane: after them all. */
static inline int abuti_lift_index(const abut_contact_problem *problem, int joint)
{
    return problem->contact_count + joint;
}

#endif
