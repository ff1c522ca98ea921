/* Lloyd's methods (J. E. Lloyd, "Fast implementation of Lemke's algorithm for rigid body contact simulation",
 * 2005). They follow Lemke's path through the LCP (8) and never form its matrix.
 *
 *     nu    = N'N theta + N'D phi            + N'k + offset   perp theta        one row a contact
 *     sigma = D'N theta + D'D phi + E lambda + D'k + offset   perp phi          d rows a contact      (8)
 *     gamma = mu theta  - E' phi                              perp lambda       one row a contact
 *
 * Words used in these files
 *
 *   pair        one complementary pair (z, w): (theta, nu), (phi_j, sigma_j) or (lambda, gamma).
 *               Pair i < lanes is the normal pair of contact i, pair lanes + i its cone pair. A contact with
 *               friction also has a block of d tangent pairs, padded to a multiple of eight. `reduced` makes
 *               the block when the contact is first about to press (section 5.3); `structural` makes all
 *               blocks at the start (section 5.1).
 *   basis       which member of each pair is basic: basic[p] says that z_p is. One pair, r of the paper, may
 *               have none.
 *   z0          the variable of the covering vector (17): w = M z + q + cover z0.
 *   slot        one unknown or one equation of the small dense system (31), (42), (44), (47). Unknowns are
 *               the basic z and z0, equations are the nonbasic w = 0; a joint row is both.
 *   eliminated  a contact whose lambda and some phi_X are both basic. The equations gamma = 0 and
 *               sigma_X = 0 then give phi_X and lambda by (27) and (30), and none of the four has a slot.
 *
 * The updates are simple for one reason: the small system is the Schur complement of the full basis matrix
 * with respect to the eliminated quadruples, so its inverse is a submatrix of the inverse of the full one.
 * Every pivot is one rank-one change of that inverse (linalg/inverse.h), whatever variables it exchanges. A
 * quadruple is eliminated by forgetting its rows and columns, and restored by computing them (lloyd/basis.c).
 */
#ifndef ABUTI_CONTACT_LLOYD_LLOYD_H
#define ABUTI_CONTACT_LLOYD_LLOYD_H

#include "contact/lloyd/passes.h"
#include "contact/system/system.h"
#include "linalg/inverse.h"
#include "linalg/kernels.h"
#include "linalg/lu.h"

typedef enum abuti_lloyd_kind {
    LLOYD_NORMAL,  /* theta, nu */
    LLOYD_TANGENT, /* phi, sigma */
    LLOYD_CONE,    /* lambda, gamma */
    LLOYD_COVER,   /* z0, as an unknown only */
    LLOYD_JOINT,   /* a joint's impulse and its row */
} abuti_lloyd_kind;

/* An unknown or an equation of the small system. */
typedef struct abuti_lloyd_slot {
    abuti_lloyd_kind kind;
    int index;   /* its pair; for a joint the joint */
    int contact; /* lane; -1 for z0 and joints */
    int body[2];
} abuti_lloyd_slot;

/* What moves along an edge of the path: the driving variable. */
typedef enum abuti_lloyd_move {
    LLOYD_NOTHING, /* evaluates the vertex itself */
    LLOYD_Z,
    LLOYD_W,
    LLOYD_Z0,
} abuti_lloyd_move;

typedef struct abuti_lloyd_drive {
    abuti_lloyd_move move;
    int pair;
} abuti_lloyd_drive;

/* A point or a direction in all variables. */
typedef struct abuti_lloyd_point {
    double *slots; /* unknowns of the small system, padded */
    double *pairs; /* the basic variable of every pair; 0 for the pair that has none */
    double *theta; /* [lane] normal impulse */
    double *f[2];  /* [lane] friction impulse along the two tangents */
    double *u[3];  /* [lane] local velocity */
    double *v;     /* velocity of the bodies */
    double z0;
    double residual; /* largest equation error that was seen on the way */
} abuti_lloyd_point;

typedef struct abuti_lloyd {
    const abuti_system *s;
    const abuti_kernels *kernels;
    const abuti_lloyd_passes *passes;
    bool reduced;

    /* capacities of the layout */
    int lane_capacity, pair_capacity, slot_capacity, velocity_capacity, vector_capacity;

    /* pairs */
    int pairs;           /* those that exist now, padding included */
    int pair_count;      /* of the whole problem (8) */
    int *contact;        /* [pair] */
    uint8_t *basic;      /* [pair]: z is basic */
    double *cover;       /* [pair] */
    double *joint_cover; /* [joint]; 0 on a cold path */
    double *dx, *dy;     /* [pair] friction direction; 0 for other kinds and padding */
    double *real;        /* [pair] 1, or 0 for padding */
    int *unknown_of;     /* [pair] slot of z, or -1 */
    int *equation_of;    /* [pair] slot of w, or -1 */
    int odd;             /* the pair without a basic variable (r of the paper), or -1 */

    /* contacts */
    int *block;      /* [lane] its first tangent pair, or -1: none yet */
    int *eliminated; /* [lane] the pair of phi_X, or -1 */
    int *expanded;   /* contacts that have a block */
    int expanded_count;
    uint8_t *early;    /* [lane] reduced: gets its block at the start, since an earlier path needed it */
    double *reach;     /* [lane] reduced: largest (|u_t| / z0)^2 so far */
    double *axes;      /* [lane][axis][side][stride]: rows of contacts, gathered */
    uint8_t *gathered; /* [lane] */
    double *lane_work; /* two arrays of lanes: sums of phi, and lambda */
    double *spread;    /* dim arrays of lanes: velocities spread over the lanes */

    /* the small system */
    abuti_inverse inverse;
    abuti_lu lu;
    int size;                   /* unknowns and equations */
    int z0_slot;                /* or -1: z0 is not basic */
    int vector;                 /* sides * stride */
    abuti_lloyd_slot *unknowns; /* [slot] */
    abuti_lloyd_slot *equations;
    double *columns;      /* [slot][vector] the column of an unknown in velocity space: N*, D* of (28) */
    double *rows;         /* [slot][vector] the row of an equation: N, D* of (28) */
    double *constants;    /* [slot] q of the equation */
    double *cover_column; /* c* of (39) */
    double *entering, *leaving; /* scratch: column of the entering unknown, row of the leaving equation */
    double *solved[2];          /* scratch: their products with the inverse */
    double *vectors;            /* scratch: two vectors */

    abuti_lloyd_point point; /* the present vertex: q' of (19) */
    abuti_lloyd_point edge;  /* the present direction: m' of (20), (21) */
    abuti_lloyd_point spare; /* scratch of the lexicographic rule */

    double scale;      /* size of k and offsets: what a velocity error is compared with */
    uint64_t hash;     /* of the basis */
    uint64_t *seen;    /* recent hashes of (basis, driving variable) */
    int *ties;         /* [pair] scratch of the lexicographic rule */
    int since_rebuild; /* pivots since the inverse was computed afresh */
} abuti_lloyd;

/* The size of the largest small system that a workspace makes room for. The inverse of a larger one would fit no
 * cache. */
#define ABUTI_LLOYD_MAX_SIZE 1536

/* Bases that are remembered to notice a cycle, a power of two. */
#define ABUTI_LLOYD_SEEN 1024

static inline abuti_lloyd_kind abuti_lloyd_kind_of(const abuti_lloyd *l, int pair)
{
    int lanes = l->s->lanes;
    return pair < lanes ? LLOYD_NORMAL : pair < 2 * lanes ? LLOYD_CONE : LLOYD_TANGENT;
}

/* The pair (lambda, gamma) of a contact. */
static inline int abuti_lloyd_cone(const abuti_lloyd *l, int contact)
{
    return l->s->lanes + contact;
}

void *abuti_lloyd_layout(abuti_arena *arena, const abut_contact_limits *limits);

/* lloyd/lanes.c: passes over all contacts */
void abuti_lloyd_local_velocity(abuti_lloyd *l, const double *v, bool offsets, double *const u[3]);
void abuti_lloyd_add_impulses(abuti_lloyd *l, const double *theta, double *const f[2], double *v);
void abuti_lloyd_gather(abuti_lloyd *l, int contact);
/* out = normal n + x t_x + y t_y of one contact, as a vector of both sides. */
void abuti_lloyd_combine(abuti_lloyd *l, int contact, double normal, double x, double y, double *out);

/* lloyd/solve.c: the small system */
bool abuti_lloyd_rebuild(abuti_lloyd *l);
void abuti_lloyd_advance(abuti_lloyd *l, abuti_lloyd_drive in, int out);
void abuti_lloyd_block_values(abuti_lloyd *l, int contact);
/* Each of the two fills a slot and its vector. The second returns the constant term of the equation. */
void abuti_lloyd_unknown(abuti_lloyd *l, int pair, abuti_lloyd_slot *slot, double *vector);
double abuti_lloyd_equation(abuti_lloyd *l, int pair, abuti_lloyd_slot *slot, double *vector);
double abuti_lloyd_entry(const abuti_lloyd *l, const abuti_lloyd_slot *equation, const double *row,
                         const abuti_lloyd_slot *unknown, const double *column);
void abuti_lloyd_column(abuti_lloyd *l, const abuti_lloyd_slot *unknown, const double *vector, double *out);
void abuti_lloyd_row(abuti_lloyd *l, const abuti_lloyd_slot *equation, const double *vector, double *out);
/* The vertex (19), and the edge of a driving variable (20), (21). */
void abuti_lloyd_vertex(abuti_lloyd *l);
void abuti_lloyd_edge(abuti_lloyd *l, abuti_lloyd_drive drive, abuti_lloyd_point *edge);
void abuti_lloyd_refine(abuti_lloyd *l);

/* lloyd/basis.c: changes of the basis */
void abuti_lloyd_clear(abuti_lloyd *l);
void abuti_lloyd_expand(abuti_lloyd *l, int contact, double cover_tangent, double cover_cone);
/* Makes z of the pair basic in place of its w, unless the row depends on those already there. */
bool abuti_lloyd_admit(abuti_lloyd *l, int pair);
bool abuti_lloyd_admit_joint(abuti_lloyd *l, int joint);
/* Makes lambda and phi of this tangent pair basic: the contact slides along it. */
void abuti_lloyd_eliminate(abuti_lloyd *l, int tangent_pair);
/* Computes c* of (39) afresh. */
void abuti_lloyd_sum_covers(abuti_lloyd *l);
/* Exchanges the driving variable with the basic variable of pair `out` (-1: z0). Returns false when the pivot
 * is too small. */
bool abuti_lloyd_exchange(abuti_lloyd *l, abuti_lloyd_drive in, int out);

/* lloyd/pivot.c: Lemke's path from the present basis. lloyd/start.c: where it starts. */
typedef struct abuti_lloyd_rules {
    bool lexicographic; /* from the first pivot on, not only after a repeated basis */
    int rebuild_every;  /* pivots between fresh inverses */
    double slack;       /* how far below zero a variable may be taken, in units of the scale */
} abuti_lloyd_rules;
abut_outcome abuti_lloyd_path(abuti_lloyd *l, abuti_lloyd_rules rules, const abuti_stage_context *context,
                              int *pivots);
double abuti_lloyd_worst(const abuti_lloyd *l);

abut_outcome abuti_lloyd_run(abuti_lloyd *l, const abuti_stage_context *context, abuti_answer *answer);
double abuti_lloyd_cover_number(uint32_t seed, int attempt, int index);
bool abuti_lloyd_has_friction(const abuti_system *s, int contact);
bool abuti_lloyd_start_joints(abuti_lloyd *l);
bool abuti_lloyd_start_cold(abuti_lloyd *l, int cover, uint32_t seed);
bool abuti_lloyd_start_warm(abuti_lloyd *l, const abut_contact_face *start, uint32_t seed);

/* lloyd/answer.c */
void abuti_lloyd_answer(abuti_lloyd *l, abuti_answer *answer);
void abuti_lloyd_answer_ray(abuti_lloyd *l, abuti_answer *answer);

#ifdef ABUT_DEBUG_HOOKS
/* Tests define this function. It is called at every vertex with its edge, before the ratio test; true asks for the
 * lexicographic rule. */
bool abuti_lloyd_hook(const abuti_lloyd *l, abuti_lloyd_drive drive);
#endif

extern const abuti_stage abuti_stage_structural;
extern const abuti_stage abuti_stage_reduced;

#endif
