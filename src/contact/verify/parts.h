/* How the verifier is cut up.
 *
 *     verify.c               the entrances; units are taken out at the end
 *     verify/islands.c       which bodies, contacts and joints belong together
 *     verify/bodies.c        door 1: rows from points and normals, eight contacts at a time
 *     verify/single.c        ... and one contact at a time, where it has more than friction, gap and restitution
 *     verify/generalised.c   door 2: rows as given, M factored block by block
 *     verify/rows.c          joint rows, whatever the door: targets, bounds, compliance
 *     verify/local.c         door 3: u = W p + q
 *     verify/union.c         unions of contacts: what becomes of the normal condition
 *     verify/glue.c          does another no-slip answer hold no contact that separates?
 *     verify/witness.c       is it proven that there is no answer?
 *     verify/models.c        one judge a model, over chunks of eight contacts
 *     verify/circle.c        chunks with circles and ellipses
 *     verify/kernel.inl      the passes over a chunk, compiled once for each vector width; it includes
 *     verify/lanes.inl       ... one register,
 *     verify/contact.inl     ... contacts in registers,
 *     verify/run.inl         ... and many contacts in one go
 *
 * A door turns contacts into *chunks*: impulse, velocity after the step and sizes s, lane by lane. A judge
 * looks at chunks only and knows no door. Both add to the *findings*: maxima of errors, all in one unit, that of
 * G'v (velocity times root of mass). At the end they are divided by K of the island.
 *
 * Nothing here is shared with the builders and solvers: no rows, no directions, no islands, no factorisation.
 * (base/columns.h, which they use too, moves numbers and computes none.)
 *
 * An error that is not finite (a NaN, say) becomes infinity where it is recorded, and infinity stays the largest.
 */
#ifndef ABUTI_CONTACT_VERIFY_PARTS_H
#define ABUTI_CONTACT_VERIFY_PARTS_H

#include "abut/contact.h"
#include "contact/system/island.h"
#include <float.h>
#include <math.h>

enum { ABUTI_LANES = 8 };

/* Eight lanes are one cache line; arrays of lanes start on one. */
#define ABUTI_ALIGNED _Alignas(64)

/* How far from exact a frame may be for the vector pass to make it exact by a short series, whose error is the cube of
 * the first number. That number bounds how far the squares of both lengths are from 1; the second bounds the cosine
 * between normal and tangent, of which the square counts. */
#define ABUTI_NEARLY_ONE 1e-6
#define ABUTI_NEARLY_ACROSS 1e-3

/* Eight contacts as a judge sees them. Lanes past `count` have zero impulse and velocity, size 1, and the
 * directions of lane 0: nothing is wrong there. */
typedef struct abuti_chunk {
    ABUTI_ALIGNED double directions[ABUTI_LANES]; /* d */
    double mu[ABUTI_LANES];
    double impulse[3][ABUTI_LANES];  /* normal, tangents */
    double velocity[3][ABUTI_LANES]; /* u+ along n, t, n x t; the normal one with b added */
    /* What of `velocity` no impulse can change: b, and moving kinematic bodies. */
    double offset[3][ABUTI_LANES];
    double square[3][ABUTI_LANES]; /* s^2 of the three rows; s of both tangents is the larger one */
    double before[3][ABUTI_LANES]; /* u before the step; 0 unless the model or the contact asks for it */
    /* s of normal and tangents, and 1/s, from `square` by the kernel's `sizes`. */
    double size[2][ABUTI_LANES], inverse_size[2][ABUTI_LANES];
    int count;
    int index[ABUTI_LANES];    /* of the contact in the problem */
    double place;              /* of the first contact among those of the island */
    double round[ABUTI_LANES]; /* 1: a circle or an ellipse, 0: a polygon; set where `rounds` */
    bool rounds;               /* some lane is round */
    bool plain;                /* nothing but contact and friction: no offsets, no viscosity */
    bool alike;                /* all have the same number of directions */
} abuti_chunk;

/* The findings that are kept lane by lane, in their order. */
enum {
    ABUTI_OF_NORMAL,
    ABUTI_OF_CONE,
    ABUTI_OF_DIRECTION,
    ABUTI_OF_TRUE_CONE,
    ABUTI_OF_WORK,
    ABUTI_OF_POWER,
    ABUTI_OF_IMPULSE,
    ABUTI_OF_OFFSET,
    ABUTI_BY_LANE
};

/* What the contacts of an island have shown so far: maxima lane by lane, in the unit of G'v (work: its square). */
typedef struct abuti_findings {
    ABUTI_ALIGNED double normal[ABUTI_LANES], cone[ABUTI_LANES], direction[ABUTI_LANES];
    double true_cone[ABUTI_LANES];   /* cone and direction with circles everywhere, if asked for */
    double work[ABUTI_LANES];        /* positive work of friction */
    double power[ABUTI_LANES];       /* the same divided by |friction impulse| s */
    double impulse[ABUTI_LANES];     /* largest impulse times s: what K = 0 forbids */
    double offset[ABUTI_LANES];      /* largest |offset| / s: part of K */
    double worst[ABUTI_LANES];       /* the largest error of a contact ... */
    double worst_place[ABUTI_LANES]; /* ... and the place of the chunk it was in */
    /* Not of contacts. */
    double free2;     /* |G^-1 k|^2: the other part of K */
    double after2;    /* |G'v+|^2: twice the kinetic energy after the step */
    double dynamics;  /* largest |G^-1 (M (v+ - v) - step force - impulses)| of a body */
    double joint;     /* largest |row velocity - target| / s */
    double momentum;  /* of the island as a whole */
    double glue;      /* no-slip: how clearly a contact separates and is held all the same, at the most */
    double side_glue; /* the same of sides of unions that are not touched */
    double given;     /* a kinematic or static body that does not move as given: relative, has no unit */
} abuti_findings;

/* The edges of a friction polygon with d >= 3 vertices: edge k has the outward normal (x[k], y[k]) at angle
 * 2 pi (k + 1/2) / d, its vertices lie at kappa * normal +- half * edge direction. */
typedef struct abuti_polygon {
    int d;
    double kappa, half; /* cos(pi / d), sin(pi / d) */
    double over_kappa, over_half;
    double x[ABUT_DIRECTIONS_MAX], y[ABUT_DIRECTIONS_MAX];
    double vertex_x[ABUT_DIRECTIONS_MAX], vertex_y[ABUT_DIRECTIONS_MAX];
} abuti_polygon;

void abuti_polygon_set(abuti_polygon *polygon, int d);
/* The polygon of d vertices: a constant one, or `made`, which is computed anew when it is that of another d. */
const abuti_polygon *abuti_polygon_of(int d, abuti_polygon *made);

/* Geometry of a chunk through the bodies' door, and one side's bodies lane by lane. */
typedef struct abuti_frames {
    ABUTI_ALIGNED double point[3][ABUTI_LANES], normal[3][ABUTI_LANES], tangent[3][ABUTI_LANES],
        binormal[3][ABUTI_LANES];
    double push[3][ABUTI_LANES]; /* the impulse on A as a vector */
} abuti_frames;

/* One body in scratch. */
typedef struct abuti_body_record {
    double inverse_mass, lower[3], inverse_pivot[3];
    double com[3], velocity[6]; /* of the answer; what is given for a kinematic body, 0 for a static one */
    double wrench[6];           /* linear, then moment about com */
    double before[6];           /* velocity before the step, as far as it is kept */
} abuti_body_record;

typedef struct abuti_side {
    ABUTI_ALIGNED double com[3][ABUTI_LANES], linear[3][ABUTI_LANES], angular[3][ABUTI_LANES];
    double inverse_mass[ABUTI_LANES];
    double lower[3][ABUTI_LANES], inverse_pivot[3][ABUTI_LANES]; /* inertia = L D L': l21, l31, l32; 1/D */
    double moment[3][ABUTI_LANES];                               /* out: (point - com) x push */
    double sum[6][ABUTI_LANES]; /* of one body: pushes and moments so far, lane by lane */
    int body;                   /* that all lanes show, or < 0 */
} abuti_side;

/* Contacts of an island of which many may go through everything at once. */
typedef struct abuti_run {
    const abut_contact *contacts; /* of the problem */
    const double *impulses;       /* likewise */
    const int *contact;           /* [count]: which of them */
    int count;
    double pair, directions; /* the bits that all must have: bodies, and directions and cone, as given */
    const abuti_body_record *body[2]; /* of the pair; NULL: does not move at all */
    const abuti_polygon *polygon;     /* of the directions; NULL: circles */
    double step, restitution_threshold;
    bool true_cone; /* whether true_cone of the findings is asked for */
} abuti_run;

/* What the pass over the frames meets. */
typedef struct abuti_frames_seen {
    bool far;     /* a frame that is too far from exact for it: not unit, not across */
    bool special; /* gap, restitution or viscosity */
} abuti_frames_seen;

/* The passes of verify/kernel.inl for one vector width. */
typedef struct abuti_verify_kernel {
    /* Both are arrays of eight pointers: to contacts, to three numbers. */
    abuti_frames_seen (*frames)(const void *const *contact, const void *const *impulse, abuti_chunk *chunk,
                                abuti_frames *frames);
    /* One body into all lanes of a side whose sums are zero: its centre of mass, velocity, mass and inertia
     * as in abuti_side. */
    void (*body)(const abuti_body_record *record, abuti_side *side);
    void (*side)(abuti_chunk *chunk, const abuti_frames *frames, abuti_side *side, double sign);
    void (*sizes)(abuti_chunk *chunk, abuti_findings *findings);
    void (*normal)(const abuti_chunk *chunk, abuti_findings *findings, double *error);
    void (*polygon)(const abuti_chunk *chunk, const abuti_polygon *polygon, abuti_findings *findings,
                    double *error);
    void (*work)(const abuti_chunk *chunk, abuti_findings *findings);
    /* The round lanes. */
    void (*circle)(const abuti_chunk *chunk, abuti_findings *findings, double *error);
    void (*true_cone)(const abuti_chunk *chunk, abuti_findings *findings);
    void (*record)(const abuti_chunk *chunk, const double *error, abuti_findings *findings);
    /* normal, polygon, work and record of contacts that all have that polygon */
    void (*coulomb)(const abuti_chunk *chunk, const abuti_polygon *polygon, abuti_findings *findings);
    /* Does for the contacts of a run from the place `first` on, eight by eight, everything that frames, side, sizes,
     * coulomb and true_cone do. It stops at the first eight that do not all belong to the run, or have inexact frames,
     * or more than friction, gap and restitution, and returns their place. `pushed` gets the forces and moments on the
     * sides that move. */
    int (*run)(const abuti_run *run, int first, abuti_findings *findings, double pushed[2][ABUTI_LANES]);
    /* The largest of each of the first eight findings. */
    void (*largest)(const abuti_findings *findings, double *largest);
} abuti_verify_kernel;

extern const abuti_verify_kernel abuti_verify_kernel_plain, abuti_verify_kernel_avx2,
    abuti_verify_kernel_avx512;
const abuti_verify_kernel *abuti_verify_kernel_choose(void);

typedef struct abuti_verification abuti_verification;
/* A model's judge: looks at one chunk. */
typedef void abuti_judge(abuti_verification *v, const abuti_chunk *chunk);

/* What the verifier knows of a model: a row of its own table (verify/models.c). */
typedef struct abuti_verify_model {
    abuti_judge *judge;  /* NULL: this model is not verified here */
    bool accelerations;  /* the unknowns are forces and accelerations */
    bool before_decides; /* the velocity before says who slides; contacts that separate ask for nothing */
    bool untied;         /* no cone ties tangential impulses to the normal one */
    bool runs;           /* contacts of one pair of bodies may be judged in one go (verify/run.inl) */
} abuti_verify_model;

/* The unions of an island (verify/union.c). */
typedef struct abuti_verify_unions {
    bool sum;  /* the summation formulation */
    double e;  /* its epsilon / step */
    int slots; /* of the hash table key -> number */
    int *key, *number, *sides;
    int *group;         /* [contact]: its union, -1 for ordinary contacts */
    double *gap;        /* [contact]: a */
    double *highest;    /* [union]: the largest a */
    int *top;           /* [union]: the side that has it */
    double *total;      /* [union]: sum of max(-e, a) + e */
    double *free;       /* velocities of the free motion */
    double *factor;     /* scratch for them */
    int *visit, visits; /* contacts that the judge must see */
    abuti_judge *judge; /* of the model */
} abuti_verify_unions;

/* Everything a part needs to know. */
struct abuti_verification {
    const abut_contact_problem *problem;
    const abut_contact_options *options;
    const double *impulses, *joints, *velocity; /* the answer, as in abut_contact_verify */
    const abuti_verify_model *model;
    /* The level: velocities after a step, M (v+ - v) = step force + ..., or accelerations, M a = force + ... */
    bool accelerations;
    double time;  /* step, or 1 */
    double carry; /* how much of the velocity before is kept: 1, or 0 */
    const abuti_verify_kernel *kernel;
    abuti_polygon polygon; /* the last one that was needed */
    double *scratch;
    abuti_findings *findings;
    bool want_true_cone; /* whether true_cone of the findings is asked for; it costs something */
    abuti_verify_unions *unions;
};

/* Whether the arrays can be read at all. Wrong numbers in them are let through; they show as an infinite residual. */
bool abuti_verify_readable(const abut_contact_problem *problem, const double *impulses, const double *joints,
                           const double *scratch);
void abuti_verification_begin(abuti_verification *v, const abut_contact_problem *problem,
                              const abut_contact_options *options, const double *impulses,
                              const double *joints, const double *velocity, double *scratch);

/* The frame that a contact means: its normal, and its tangent without the part along the normal, both of length one.
 * Where the contact gives no tangent, the axis with the least |n_k| takes its place. */
void abuti_verify_frame(const abut_contact *contact, double *n, double *t);
/* Fills lane l of the chunk with a contact's b, its velocity before the step, and what kinematic bodies do. */
void abuti_verify_offset(const abuti_verification *v, abuti_chunk *chunk, const abuti_frames *frames, int l);

/* Of a dynamic body: w M^-1 w' of a wrench (or row), and M velocity. */
double abuti_verify_wrench_square(const abut_body *body, const double *w);
void abuti_verify_momentum(const abut_body *body, const double *velocity, double *out);
/* Of a mass matrix: M = L L', and w M^-1 w' with nv numbers of scratch in y. */
void abuti_verify_mass_factor(int nv, const double *M, double *lower);
double abuti_verify_mass_square(int nv, const double *lower, const double *w, double *y);

/* The row of a model; an empty one, if there is no such model. */
const abuti_verify_model *abuti_verify_model_of(abut_contact_model model);
/* No-slip (glue.c): whether another answer of the island lets all separating contacts go. Errors below `small`, in the
 * unit of the findings, count as none. `group` is the union of each contact of the problem, -1 for none; it is NULL
 * where there are no unions. */
typedef enum abuti_glue { ABUTI_GLUE_NEEDED, ABUTI_GLUE_AVOIDABLE, ABUTI_GLUE_UNKNOWN } abuti_glue;
abuti_glue abuti_verify_glue(const abuti_verification *v, const abuti_island *island, const int *group,
                             double small);
abuti_judge abuti_judge_no_slip; /* verify/no_slip.c */
/* verify/circle.c: makes, of a chunk that has circles or ellipses, a copy for the judges in which ellipses are circles
 * and round lanes have no directions. */
void abuti_chunk_round(const abuti_verification *v, const abuti_chunk *chunk, abuti_chunk *copy);
/* Whether the cone of a contact is no polygon; in the plane all cones are segments. */
static inline bool abuti_verify_is_round(const abut_contact *contact)
{
    return contact->cone != ABUT_CONE_POLYGON && contact->directions != ABUT_DIRECTIONS_MIN;
}
abuti_judge abuti_judge_accel; /* verify/accel.c */
/* Friction on a segment of two directions, +t and -t: one lane of a chunk. */
void abuti_judge_planar(const abuti_chunk *chunk, int lane, abuti_findings *findings, double *error);

/* Unions: how many doubles they need, and where these lie in the scratch, behind those of the door and the
 * partition. */
size_t abuti_verify_unions_size(const abut_contact_problem *problem);
double *abuti_verify_unions_memory(const abuti_verification *v);
/* Returns whether the island has unions. If so, the gaps of all their sides are known now, unions->visit lists the
 * contacts to be judged, and the judge must be abuti_judge_union, which asks `judge`. */
bool abuti_verify_unions_begin(abuti_verification *v, const abuti_island *island, abuti_verify_unions *unions,
                               abuti_judge *judge);
abuti_judge abuti_judge_union;
/* The doors: each takes all chunks of the island to the judge and looks at dynamics, joints and momentum. */
void abuti_verify_bodies(abuti_verification *v, const abuti_island *island, abuti_judge *judge);
/* Judges the contacts that `contact` lists, or all where it is NULL. Where the problem has blocks, the island's blocks
 * and joint rows are read. */
void abuti_verify_generalised(abuti_verification *v, const abuti_island *island, const int *contact,
                              int contacts, abuti_judge *judge);
void abuti_verify_local(abuti_verification *v, const abuti_island *island, abuti_judge *judge);
/* Calls `visit` for each island of a local problem. */
typedef void abuti_local_visit(abuti_verification *v, const abuti_island *island, void *context);
void abuti_verify_local_islands(abuti_verification *v, abuti_local_visit *visit, void *context);
/* Doubles of scratch that they need. */
size_t abuti_verify_bodies_size(const abut_contact_problem *problem);
size_t abuti_verify_generalised_size(const abut_contact_problem *problem);
size_t abuti_verify_local_size(const abut_contact_problem *problem);

/* The second door: one island of blocks, or the one block there is. */
typedef struct abuti_verify_door {
    const abut_generalised *g;
    int blocks;
    const int *block;              /* [blocks]: indices; NULL: the problem has no blocks */
    const size_t *velocity, *mass; /* [block]: where it begins; with blocks */
    const size_t *contact, *joint; /* [contact], [joint]: where their rows begin; with blocks */
    double *lower;                 /* L of all blocks */
    double *push;                  /* nv */
    double *y;                     /* scratch */
} abuti_verify_door;

/* The normal row of a contact as it is given, and how many numbers it has. */
const double *abuti_verify_normal_row(const abuti_verification *v, int index, size_t *width);
/* Its product with a velocity of all numbers. */
double abuti_verify_normal_along(const abuti_verification *v, int index, const double *velocity);
/* velocity + time M^-1 force of the island's blocks. */
void abuti_verify_free_blocks(const abuti_verification *v, const abuti_island *island, double *velocity);

typedef struct abuti_verify_block {
    int size;
    size_t at; /* of its first velocity */
    const double *mass;
    double *lower;
} abuti_verify_block;

/* Called once for each problem with blocks, before all else: notes in the scratch where things begin in the packed
 * arrays. */
void abuti_verify_prepare(const abut_contact_problem *problem, double *scratch);
size_t abuti_verify_starts_size(const abut_contact_problem *problem);
/* Factors the island's blocks. */
abuti_verify_door abuti_verify_door_open(const abuti_verification *v, const abuti_island *island);
abuti_verify_block abuti_verify_block_of(const abuti_verify_door *door, int index);
/* The rows of a contact (NULL: it has none along this axis) and of a joint. */
const double *abuti_verify_contact_row(const abuti_verify_door *door, const abut_contact_problem *problem,
                                       int index, int axis);
const double *abuti_verify_joint_row(const abuti_verify_door *door, int index);
/* The first gives row.v. The second gives row M^-1 row' and adds impulse * row to the door's push. */
double abuti_verify_row_along(const abuti_verify_door *door, const int pair[2], const double *row,
                              const double *velocity);
double abuti_verify_row_push(const abuti_verify_door *door, const int pair[2], const double *row,
                             double impulse);
/* |G^-1 k|^2 of a block; k stands in its part of the door's push. */
double abuti_verify_free_square(const abuti_verification *v, const abuti_verify_door *door,
                                const abuti_verify_block *block);

/* rows.c: judges a joint row. `rate` is its velocity, `given` the part of that which no impulse changes, `square` its
 * row M^-1 row'. */
void abuti_verify_joint(const abuti_verification *v, int index, double rate, double given, double square);
/* The impulse nearest to 0 that the bounds allow. */
double abuti_verify_least(const abut_joint *joint);
/* Whether a row may have this weight in a proof that there is no answer; a row that gives way may have none. */
bool abuti_verify_weight(const abut_joint *joint, double weight);

/* A compliant contact in lane l: its row gives way by compliance times its impulse. */
static inline void abuti_verify_give_way(const abut_contact *contact, abuti_chunk *chunk, int l)
{
    if (!(contact->compliance > 0.0)) return;
    chunk->velocity[0][l] += contact->compliance * chunk->impulse[0][l];
    chunk->square[0][l] += contact->compliance;
}

/* The point at which body A (side 0) or B (side 1) of a contact is touched. */
static inline const double *abuti_verify_point(const abut_contact *contact, int side)
{
    return side == 1 && contact->two_points ? contact->second_point : contact->point;
}

/* Islands as the verifier finds them: lists of bodies, contacts and joints, sorted by island. After all islands, under
 * the number `islands`, comes what touches no dynamic body. */
typedef struct abuti_partition {
    int islands;
    int *parent, *number; /* [body] */
    /* Of bodies, contacts and joints: the sorted items, and where each island's begin [islands + 2]. */
    int *item[3], *first[3];
} abuti_partition;

/* Integers that a partition needs. */
size_t abuti_partition_size(const abut_contact_problem *problem);
void abuti_partition_find(abuti_partition *partition, const abut_contact_problem *problem, int *memory);
abuti_island abuti_partition_island(const abuti_partition *partition, int k);

/* b of the normal condition: gap / step, or restitution times the approach where the contact bounces, or, at the
 * acceleration level, the drift. */
double abuti_verify_bias(const abuti_verification *v, const abut_contact *contact, double approach);

/* Takes the viscous part, -viscous * u * time with u after the step or before it (options.viscous), out of the
 * tangential impulses: what is left is what the judge may call friction. */
void abuti_chunk_take_viscous(abuti_chunk *chunk, const abuti_verification *v);

/* Right-hand side of a joint row at this level. */
static inline double abuti_verify_target(const abuti_verification *v, const abut_joint *joint)
{
    return v->accelerations ? joint->target - joint->drift : joint->target;
}

/* Sets the chunk's index, friction, directions and impulses; lanes past count are as the chunk's comment says. */
void abuti_chunk_begin(abuti_chunk *chunk, const abuti_verification *v, const int *contact, int first,
                       int count);

/* An error that is not a number is the largest error. */
static inline double abuti_finite_or_infinite(double error)
{
    return error <= DBL_MAX ? error : INFINITY;
}

static inline void abuti_raise(double *maximum, double error)
{
    error = abuti_finite_or_infinite(error);
    if (error > *maximum) *maximum = error;
}

#endif
