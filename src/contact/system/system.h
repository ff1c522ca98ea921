/* The contact system: the one form in which the three doors meet, and all that solvers know.
 *
 * A system is one island in mass-scaled coordinates: with M = G G' and v_s = G' v, a Jacobian row J of
 * the problem becomes the row J G^-T, and the dynamics become plain
 *
 *     v = k + sum over contacts (n theta + t_x f_x + t_y f_y) + sum over joints j eta,
 *     u = (n.v, t_x.v, t_y.v) + offset,         k = G^-1 (M v_before + step force).
 *
 * Dynamic bodies are blocks of `dim` numbers (6; a generalised problem is one block of nv), padded
 * to `stride`. A contact touches at most two blocks: side 0 always exists, side 1 may be `bodies`,
 * the block of zeros that stands for everything that is not moved by impulses. The offsets contain the
 * velocities of kinematic bodies, gaps, restitution, joint targets and drifts.
 *
 * Numbers are scaled to order one before any solver looks at them, by powers of two: the rows of contact i
 * (all three alike, so that cones stay cones) by row_scale[i], joint row j by joint_scale[j], and k and all
 * offsets by 1 / unit. The way back: impulse = impulse_s * unit * row_scale, velocity = v_s * unit.
 *
 * Layout: structure of arrays with one lane a contact, lanes padded to a multiple of 8, so that one
 * pass over all contacts is straight vector code. Padding lanes have zero rows, offset 0, mu 0,
 * directions 8, bodies {bodies, bodies}.
 *
 * An ellipse is a circle once its tangent rows are scaled: with the coefficient mu_a of axis a and mu the larger of
 * both, row a is multiplied and its friction impulse divided by mu_a / mu (build/cones.c); nobody else knows of
 * ellipses.
 *
 * Without rows (the W + q door): rows is NULL, bodies is 0, and u = W p + offset with W scaled like the rows
 * (on both sides).
 */
#ifndef ABUTI_CONTACT_SYSTEM_SYSTEM_H
#define ABUTI_CONTACT_SYSTEM_SYSTEM_H

#include "abut/contact.h"
#include "base/arena.h"
#include "contact/system/homes.h"
#include "contact/system/models.h"
#include "contact/system/parts.h"

/* Islands of at least ABUTI_LARGE_ISLAND bodies are large: they are solved by the room contact/sparse, and pivoting
 * stages do not follow it. Where states are given, ABUTI_LARGE_WARM bodies are enough: flips and paths that start from
 * states which no longer hold wander over thousands of events in walls and pyramids of 10 to 24 bodies, where settling
 * on these states takes a few factorisations. Islands of parts (parts.h) have no other sparse form: they, too, begin in
 * contact/sparse from ABUTI_LARGE_WARM bodies on, and pivoting may follow up to ABUTI_LARGE_PARTS bodies.
 *
 * From ABUTI_FEW_INSIDE bodies on, where a few flips do not mend given states, the interior point of contact/sparse
 * comes before flips from all open and paths: it ends in the time of some thirty flips, which in collisions of six to
 * nine bodies become hundreds. */
enum { ABUTI_LARGE_ISLAND = 25, ABUTI_LARGE_WARM = 10, ABUTI_LARGE_PARTS = 100, ABUTI_FEW_INSIDE = 6 };

enum { ABUTI_NORMAL = 0, ABUTI_TANGENT_X = 1, ABUTI_TANGENT_Y = 2 };

typedef struct abuti_system {
    abut_contact_model model;
    int n;      /* contacts */
    int lanes;  /* n rounded up to a multiple of 8 */
    int bodies; /* blocks that move */
    int dim;    /* numbers a block */
    int stride; /* dim rounded up to a multiple of 8 */
    int sides;  /* 1 when no contact and no joint touches two blocks: side 1 is then not stored */

    const int *body[2];      /* [side][lane]: block, or `bodies` for none */
    const double *rows;      /* ((axis * sides + side) * dim + component) * lanes + lane */
    const double *offset[3]; /* [axis][lane] */
    const double *mu;        /* [lane] */
    const int *directions;   /* [lane] */
    const bool *round;       /* [lane]: a circle in place of the polygon; NULL: no lane is */
    const double *size[2];   /* [lane]: s of the normal row, and of the tangent rows (the larger) */
    /* [axis][lane]: u before the step in the caller's units; NULL at the velocity level. */
    const double *before[3];
    double slide_threshold; /* with `before`: contacts that slip or separate faster do so */
    const double *k;        /* (bodies + 1) * stride; padding and the last block are zero */
    /* [lane]: the normal impulse that a bounded row has whatever happens (build/lift.h); 0: an ordinary lane. NULL: no
     * lane is bounded. A bounded lane has no normal row. Stages that do not know of it get a system in which it has
     * one. */
    const double *given;
    int boxed;                /* how many lanes are bounded */
    const abuti_parts *parts; /* NULL: blocks are alike */

    int joints;
    const int *joint_body[2];   /* [side][joint] */
    const double *joint_rows;   /* (joint * sides + side) * stride + component; rows of unit size */
    const double *joint_offset; /* [joint]: j.v + offset = 0 */

    /* Local door: (3 n + joints) x W_ld, contact-major (n, t_x, t_y), joints last; else NULL. */
    const double *W;
    int W_ld;

    double unit;               /* velocities are in units of this (a power of two), see above */
    const double *row_scale;   /* [lane], powers of two */
    const double *joint_scale; /* [joint], powers of two */
    const int *index;          /* [lane]: the contact's index in the problem */
    const int *joint_index;    /* [joint]: likewise */
} abuti_system;

/* Whether a lane is a row with two bounds, which is its tangent and has a given normal impulse. */
static inline bool abuti_is_boxed(const abuti_system *s, int lane)
{
    return s->given && s->given[lane] > 0.0;
}

/* The lanes of one component of one row of all contacts. */
static inline const double *abuti_row(const abuti_system *s, int axis, int side, int component)
{
    return s->rows + (size_t)((axis * s->sides + side) * s->dim + component) * (size_t)s->lanes;
}

/* One contact's row on one side, gathered into out[stride] (padding zeroed). */
static inline void abuti_row_gather(const abuti_system *s, int contact, int axis, int side, double *out)
{
    const double *at = abuti_row(s, axis, side, 0) + contact;
    for (int c = 0; c < s->dim; ++c) {
        out[c] = at[(size_t)c * (size_t)s->lanes];
    }
    for (int c = s->dim; c < s->stride; ++c) {
        out[c] = 0.0;
    }
}

/* Direction j of d as (cos, sin) of 2 pi j / d, from a table made without libm; the polygon is exactly
 * symmetric: direction j + d/2 is the negative of direction j, and so on. */
const double *abuti_direction(int d, int j);

/* What a stage found, in the system's units, lane by lane. The front has made the arrays and set them to zero. */
typedef struct abuti_answer {
    double *theta;           /* [lane] normal impulse */
    double *f[2];            /* [lane] friction impulse along t_x, t_y */
    double *joint;           /* [joint] */
    abut_contact_face *face; /* [lane] */
    double *ray;             /* 3 * lanes: theta, f_x, f_y of a ray's direction; for outcome ray */
    bool *glued;             /* [lane], no-slip */
    bool glue_proven;        /* no-slip: no choice of held contacts does without glue */
    int pivots;              /* added to, not set */
    bool exhausted;          /* a stage has gone through all modes: there is no answer */
    bool too_large;          /* the system has more rows than the stage can take */
    bool rough;              /* `solved` is said of a point near an answer, as the context allows */
} abuti_answer;

/* Budget of the call and knobs, as a stage sees them. */
typedef struct abuti_stage_context {
    const abut_contact_options *options;
    int pivots_left;                /* INT_MAX: no limit */
    double deadline;                /* of abuti_clock(), infinity: none */
    const abut_contact_face *start; /* [lane] states to start from, or NULL: cold */
    const abuti_answer *point;      /* stages of circles: what to go on from, or NULL */
    bool rough;          /* stages of polygons: circles go on from the answer, and a point near one will do */
    const uint8_t *turn; /* [lane], with `start`: directions of slip of circles, in 256ths of a turn */
    /* [lane], with `start`: impulses of the last step in the caller's units, or NULL. */
    const double *pushed[3];
    /* [lane] and [joint]: what acted in the last step, beside `start`; NULL: not known. */
    const double *impulse[3], *joint_impulse;
    /* An earlier stage of the same family has just run on this very system, in this call; what it left in the shared
     * scratch may be continued. */
    bool continued;
} abuti_stage_context;

/* Whether the call is a step of a sequence: it starts from states, or a later call will start from its states. */
static inline bool abuti_in_sequence(const abut_contact_options *options)
{
    return options->warm || options->start;
}

/* A solver family owns scratch memory that its stages share. Early families keep it between calls, for warm starts. The
 * scratch of late families is laid out for one island, in memory that other families use, too (contact/room.h): what is
 * not in the answer may be lost as soon as a stage has ended, and `continued` says whether it is still there. */
typedef struct abuti_family {
    abut_contact_solver solver;
    /* Lays out its scratch for problems within the limits; it is called once to count and once to lay out (arena.h). A
     * helper takes no more than it needs for the largest island that it is tried on: its own number of rows, unless
     * limits.solvers names its solver. Larger limits never take less memory. */
    void *(*layout)(abuti_arena *arena, const abut_contact_limits *limits);
    bool late;
    bool answers; /* it is late, and the `auto` of some model; it is given all the room there is */
    /* Tells the home of the island that comes next (NULL: it has none), before any of its stages runs. Early families
     * that keep something of an island lay aside what they have of the last one. NULL: nothing is kept. */
    void (*host)(void *scratch, abuti_home *home);
} abuti_family;

/* A stage: one function, one contract. `solved` is its belief; the verifier decides. */
typedef struct abuti_stage {
    const char *name; /* "faces-path" */
    const abuti_family *family;
    unsigned answers; /* laws of friction at a level: OR of ABUTI_ON_IMPULSES(law), ABUTI_ON_FORCES(law) */
    bool rows;        /* works on rows */
    bool local;       /* works on W */
    bool needs_start; /* only looks at states to start from: passed over where there are none */
    int least_bodies; /* islands of fewer are left to other stages, unless it is asked for by name */
    int most_bodies;  /* islands of more likewise; 0: any number */
    bool last;        /* where its word on a large island is limit, no stage after it is worth its time */
    bool round;       /* goes on from a polygon's answer to that of circles; no part of a plan for polygons */
    bool bounded;     /* knows lanes whose normal impulse is given */
    bool parts;       /* knows blocks of unlike sizes, and gets an island that has them in that form */
    abut_outcome (*run)(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer);
} abuti_stage;

#endif
