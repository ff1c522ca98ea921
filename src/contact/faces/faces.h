/* Face states: what the files of the solver `faces` share.
 *
 * Contact i has a local velocity u = (u_n, u_t) and a friction impulse f that must lie in mu theta P, P the
 * polygon of its directions. The state of the contact is the face of P on which f lies:
 *
 *     OPEN     nothing acts           u_n >= 0
 *     SLIDE j  f = mu theta d_j       theta >= 0,  e_j.u >= 0,  -e_(j-1).u >= 0
 *     EDGE k   f on edge k of P       mu h theta - s >= 0,  mu h theta + s >= 0,  -a_k.u >= 0     (s = e_k.f)
 *     STICK    f anywhere in P        mu kap theta - a_l.f >= 0 for every l
 *
 * with d_j the vertices of P, a_k the normal and e_k the tangent of the edge from d_k to d_(k+1), kap =
 * cos(pi/d), h = sin(pi/d). These are all the inequalities of the LCP that matter; convexity of P gives the
 * others. A contact moves only along OPEN <-> SLIDE <-> EDGE <-> STICK.
 *
 * An active contact owns up to three slots; a slot is one row R, one column C and one unknown x:
 *
 *     slot 0   n      n + mu fhat    theta     fhat = d_j (SLIDE), kap a_k (EDGE), 0 (STICK)
 *     slot 1   e_k    e_k            s         EDGE, STICK
 *     slot 2   a_k    a_k            p         STICK
 *
 * A joint row owns one slot for good. With A = R'C and B = A^-1, everything is linear in the path's parameter
 * t: x = x0 + t x1 and v = v0 + t v1, where x0 = -B (R'k + o_R), x1 = -B c_R, v = k + C x. Each change of
 * state is one or two of the operations ADD, DEL, COL, ROT on the slots (faces/basis.inl), at most 6 for each
 * body.
 *
 * A stuck contact may lack tangential slots: those rows depend on the others (face on face), or hold by
 * themselves (a stack under gravity) and are added when they stop holding. With d = 2 the polygon is a
 * segment and EDGE is its inside: there is no third state, kap = 0, and the answer calls it stuck.
 *
 * Files: faces.c stages and memory; faces/core.inl what is compiled once for each vector width: faces/basis.inl
 * slots and inverse, faces/slack.inl all slacks in one pass, faces/events.inl changes of state, faces/path.inl the
 * parametric path, faces/greedy.inl flips, faces/start.inl given states, faces/finish.inl refinement and answer;
 * one body: faces/one.inl its basis in the space of v, faces/one_flips.inl flips on that, faces/one_states.inl
 * given states and answers; few bodies: faces/tableau.inl the same changes with all local velocities at hand;
 * many bodies: faces/order.inl and faces/band.inl factors, faces/block.inl given states on them, faces/home.inl a
 * homotopy from them, faces/springs.inl contacts as springs, faces/interior.inl cold solves through the inside,
 * faces/settle.inl the answer on given faces.
 */
#ifndef ABUTI_CONTACT_FACES_FACES_H
#define ABUTI_CONTACT_FACES_FACES_H

#include "contact/system/system.h"
#include <stdbool.h>
#include <stdint.h>

/* Tolerances. Rows are of size one and velocities in units of the problem's own size, so plain numbers will
 * do. */
#define FACES_ZERO                                                                                           \
    1e-12 /* a slack above -FACES_ZERO * size is not violated: rounding of a few hundred operations */
#define FACES_ACCEPT                                                                                         \
    1e-10 /* what a finished basis may be off after refinement; the verifier has its own word */
#define FACES_POLISH 1e-7 /* an error that one refinement takes to rounding */
#define FACES_SINGULAR                                                                                       \
    1e-11 /* |S| of ADD below this, relative to its row and to what is new of its column: dependent */
#define FACES_NEARBY 1e-9 /* the part of a column that others do not explain, below this: rounding */
#define FACES_PIVOT 1e-12 /* |B_ss| of DEL below this, relative to its row: the rest would be singular */
#define FACES_SHAKY                                                                                          \
    1e-6 /* pivots below this, likewise: correct, but the inverse is made anew before it is trusted */
#define FACES_REGULAR 1e-13  /* smallest pivot of a new inverse */
#define FACES_DRIFT 1e-9     /* what x and v may be off after a refinement, before the inverse is made anew */
#define FACES_ROUNDING 1e-14 /* likewise, relative to the largest unknown */
#define FACES_ASIDE 1e-8     /* pivots of L U below this, relative to the row's size: the slot is set aside */
#define FACES_SLIP 1e-9      /* slip of a stuck contact that its slots should have stopped */
#define FACES_RATE 1e-11     /* a slack that falls more slowly than this along the path does not block */
#define FACES_STALL 1e-13    /* a driving variable that changes more slowly than this does not drive */
#define FACES_FLAT 1e-10     /* a contact that closes with less slip than this may stick without friction */
#define FACES_VERTICAL                                                                                       \
    1e-10              /* pivots below this while a vertical step looks for a regular basis: still singular */
#define FACES_TIE 1e-9 /* t below this: the point may be right already, see faces/path.inl */
#define FACES_NEAR                                                                                           \
    1e-6 /* slacks this close to zero at the end of the path are looked at with fresh numbers */
#define FACES_VERTICAL_MAX 50 /* edges without change of t in a row */
#define FACES_FLIPS 30        /* greedy flips for each body, from all open */
#define FACES_FLIPS_MANY 12   /* likewise, from FACES_MANY bodies on: who needs more will not get there */
#define FACES_FEW 6           /* bodies from which the interior point comes before flips from all open */
#define FACES_MANY 9
#define FACES_TOO_MANY 24    /* bodies that flips seldom sort out */
#define FACES_MEND 12        /* greedy flips from given states */
#define FACES_ROUNDS 3       /* rounds of flips on factors, before the homotopy */
#define FACES_COVERS 4       /* further covers that are tried */
#define FACES_HOME 0.1       /* homotopy: impulses and speeds that a violated contact is given */
#define FACES_WITHIN 0.9     /* homotopy: friction that is too large becomes this share of its limit */
#define FACES_HOME_EVENTS 40 /* events of the homotopy */
#define FACES_REFINEMENTS 3  /* of a factored solve at most */
#define FACES_TABLEAU 64     /* contacts that a tableau is kept for */
#define FACES_TABLE 16       /* bodies of a tableau, the world among them */
#define FACES_URGENCY                                                                                        \
    2.0 /* slacks of seats beside those of open contacts, on a tableau: 1.4 % get stuck, not 6.6 */
#define FACES_REFRESH 32 /* events between two recomputations of x and v */

/* The interior point (faces/interior.inl) and what follows it (faces/settle.inl). */
#define FACES_INSIDE 2.0       /* all pairs at first, in units of the problem's size */
#define FACES_INSIDE_ROUNDS 50 /* ten are usual, twenty happen */
#define FACES_INSIDE_NEAR 1e-7 /* mean product of the pairs from which the faces are tried; squared sizes */
#define FACES_INSIDE_AGAIN                                                                                   \
    0.03 /* if they were wrong, the next try comes when the products are this much less */
#define FACES_INSIDE_OWED 1e-6 /* share of the equations' first error that may be left then */
#define FACES_INSIDE_LEAST                                                                                   \
    0.01 /* cube root of the least share of the mean product that a corrector aims at */
#define FACES_INSIDE_REACH 0.99 /* how far a step goes towards the first pair that would vanish */
#define FACES_INSIDE_STALL 1e-8 /* a step shorter than this leads nowhere */
#define FACES_INSIDE_JOINT 1e6  /* stiffness of joint rows, which are of size one */
#define FACES_SPRING                                                                                         \
    1e-4 /* 1 / stiffness where rows must be still, in units of the row's size squared: soft                 \
            enough that rounding, 1e-16 / 1e-4, stays below FACES_ZERO */
#define FACES_SPRING_STIFF 1e-7 /* likewise, for rows that hardly become still */
#define FACES_SETTLE_SLOW 0.2   /* rows that are left with more than this share of their error after a step */
#define FACES_NO_SIZE 1e-300    /* a contact without tangents has rows of size 0 */
#define FACES_SETTLE_ROUNDS 8   /* changes of faces, each of many contacts */
#define FACES_SETTLE_STEPS 8    /* steps with the same springs */
#define FACES_SETTLE_FAR 1e-2   /* inequalities that fail by more are no matter of a few contacts */
#define FACES_CORNER 12        /* rounds of flips on factors that look for an answer without redundant rows */
#define FACES_SPRING_BLOCKS 64 /* blocks for each body: the reach of a wall of a thousand bricks */

enum { FACES_KINDS = 3, FACES_NONE = -1, FACES_ALL_SLOTS = 7 };

/* A regular polygon with d vertices, padded by repetition to whole vectors. */
typedef struct faces_polygon {
    double kap, h;
    double *dx, *dy; /* vertices */
    double *ax, *ay; /* normals of the edges; the tangents are (-ay, ax) */
    int padded;      /* d rounded up to a multiple of 8 */
} faces_polygon;

/* What blocks, and so what happens next to a contact. */
typedef enum faces_change {
    FACES_CLOSE,       /* OPEN -> SLIDE: u_n */
    FACES_LIFT,        /* SLIDE -> OPEN: theta */
    FACES_TURN_UP,     /* SLIDE j -> EDGE j: e_j.u */
    FACES_TURN_DOWN,   /* SLIDE j -> EDGE j-1: -e_(j-1).u */
    FACES_VERTEX_UP,   /* EDGE k -> SLIDE k+1: mu h theta - s */
    FACES_VERTEX_DOWN, /* EDGE k -> SLIDE k: mu h theta + s */
    FACES_HALT,        /* EDGE -> STICK: -a_k.u */
    FACES_LOOSEN,      /* STICK -> EDGE l: mu kap theta - a_l.f */
    FACES_HOLD_E,      /* STICK without slot 1 whose row no longer holds: add it */
    FACES_HOLD_A,      /* likewise slot 2 */
} faces_change;

typedef struct faces_event {
    bool found;
    faces_change change;
    int contact;
    int face;    /* FACES_LOOSEN: the edge; else set when it is applied: the edge that was entered or left */
    double side; /* set when it is applied: +1 or -1, the end of that edge */
    double step; /* path: distance in t; greedy: the slack */
    double at_zero; /* path: the slack's value at t = 0 */
} faces_event;

/* Bodies coupled by springs (faces/springs.inl). */
typedef struct faces_springs {
    int block_capacity, blocks;
    int *body_at;           /* by rank */
    int *first, *begin;     /* by rank: the lowest rank in its row, and where its blocks are */
    double *lower, *upper;  /* blocks of L and U */
    double *diagonal;       /* by rank: those of U, inverted */
    double *K[6], *r[3];    /* by lane: dx = r - K du */
    double *x[3];           /* by lane: impulses */
    double joint_stiffness; /* likewise for joint rows: */
    double *joint_r, *joint_x, *joint_dx;
} faces_springs;

/* A point inside (faces/interior.inl): pairs that are positive, by lane, and by direction and lane. */
typedef struct faces_interior {
    double *theta, *nu, *lambda, *gamma, *step[4];
    double *phi, *sigma, *dphi, *dsigma, *direction[2];
    double *joint;
    double *count, *live; /* directions of the contact, 0 without friction; 1 for contacts, 0 for padding */
    int *most;            /* by eight lanes: their largest count */
    double *gx, *gy, *pull, *base; /* of the last springs, for their steps */
    int pairs;
} faces_interior;

/* One body, its basis in the space of v (faces/one.inl). Vectors of eight: components (six, then zeros), slots
 * or seats. */
typedef struct faces_one {
    double P_row[6][8], P_column[6][8]; /* I - C B R' */
    double D[6][8], E[6][8];            /* B R' and C B, by component and slot */
    double R[6][8], base[8];            /* rows by component and slot, and what is added to R'v */
    double C[8][8];                     /* columns by slot */
    double x[8], v[8];                  /* unknowns by slot; velocity */
    double low[8];                      /* the lowest u_n, lane by lane */
    double tangent[2][6][8];            /* by axis, component and seat */
    double ut[2][8];                    /* tangential velocity by axis and seat */
    double first[2][8];                 /* slacks by seat: of theta and s, */
    double second[4][8];                /* of theta, s, u_x and u_y, */
    double third[2][8];                 /* of u_x and u_y */
    double w[8], q[8];                  /* of the last change */
    double fhat[8][2];                  /* by seat: the friction that theta brings along */
    int slot[FACES_KINDS][8];           /* by kind and seat */
    int contact[8];                     /* by seat: its lane, FACES_NONE where nobody sits */
    uint8_t state[8], face[8];          /* by seat */
    unsigned free_seats, free_slots;    /* a bit for each */
    unsigned stuck;                     /* seats that stick */
} faces_one;

typedef struct faces {
    const struct faces_kernels *kernels; /* the variant of faces/core.inl for this machine */
    int slot_capacity, lane_capacity, width_capacity, space_capacity;

    /* The system at hand. */
    const abuti_system *system;
    bool single;   /* one block of at most eight numbers: everything fits vectors of eight */
    bool local;    /* the W + q door */
    int tableau;   /* length of its columns where all of W is kept, no slots (faces/tableau.inl); else 0 */
    bool factored; /* slots are factored in order (faces/band.inl), not inverted */
    int lanes, seats;
    int width;              /* numbers of one slot's row: sides * stride, or those of u at the W + q door */
    int ld;                 /* row length of B */
    int space;              /* numbers of v */
    double size;            /* of k and the offsets: the unit of all velocity tolerances */
    double zero;            /* FACES_ZERO * size, grown with the number of bodies */
    faces_polygon *polygon; /* by d */

    /* Contacts. A seat is where an active contact's numbers are: one of eight when single, else its lane. */
    uint8_t *state, *face;  /* by lane */
    double *open;           /* by lane: 1 for OPEN, 0 else */
    const double *mu;       /* by lane: 0 where the model has no friction */
    int *seat;              /* by lane, FACES_NONE when it has none */
    int *seat_contact;      /* by seat */
    int *slot[FACES_KINDS]; /* by seat: FACES_NONE where absent */
    int *active;            /* lanes that are not OPEN, in no order */
    int *active_at;         /* by lane: its place in `active` */
    int active_count;
    unsigned free_seats, free_slots; /* single: a bit for each that is free */
    double *rows;                    /* by seat: n, t_x, t_y of the contact, width numbers each */
    double *tangent[2];              /* single: component by component, eight seats each */
    int *component_at;               /* single: where the components of a row lie in the system's lanes */
    double *component_used;          /* single: 1 for those there are, 0 for the padding */

    /* Slacks of seats: weight[q][0] theta + [1] s + [2] u_x + [3] u_y, q = 0, 1, 2. */
    double *weight[3][4];
    double urgency;                /* a factor of all weights: how much seats count beside open contacts */
    double *value[2][FACES_KINDS]; /* x by kind and seat, parts 0 and 1 */
    double *un[2];                 /* normal velocity by lane */
    double *ut[2][2];              /* tangential velocity by part, axis and seat */

    /* The tableau, which lies in dense; x[0] is its y. */
    double *held[3];                /* by axis and lane: 1 where the impulse stands in y */
    double *frame[2];               /* by lane: the outward direction of the tangential places */
    double *lean[2];                /* by lane: friction along the frame for each normal impulse */
    unsigned touching[FACES_TABLE]; /* by body: a bit for each eight lanes */

    /* Slots. */
    int slots;         /* in use */
    int top;           /* all used slots are below */
    int joint_slots;   /* the first ones: never deleted */
    int *slot_contact; /* by slot: lane, FACES_NONE for a free slot, -2 - joint for a joint row */
    int *slot_kind;
    int *slot_body[2];
    double *R, *C;   /* by slot, width numbers */
    double *RT, *CT; /* single: by component, eight slots each */
    double *B, *BT;  /* inverse of R'C and its transpose: row s, slot_capacity rows of ld */
    int parts;       /* 1: only x0 and v0 are carried along */
    double *x[2], *v[2];
    double *base[2]; /* by slot: o_R and c_R */

    /* The path: u = J v + offset + t cover. */
    const double *cover[3];
    double *cover_table[3];    /* by lane: normal in [1, 1.5], tangents in [-0.3, 0.3] */
    double *cover_made[3];     /* room for other covers */
    const double *shift[2][3]; /* what is added to J v in parts 0 and 1: usually offset and cover */
    double *seat_shift[2][2];  /* single: the tangential ones by part, axis and seat */
    double *moved[3];          /* offset + t cover, along vertical steps */
    double *still;             /* zeros, by lane */
    bool rests;                /* nothing drives the contacts sideways */
    bool regular;              /* B is the inverse of the slots' R'C */
    bool shaky;                /* B should be made anew */
    bool delicate;             /* rows that nearly depend on each other are or were among the slots */
    int since_refresh;
    int pivots;  /* since the last that were added to the answer's, */
    int counted; /* and those: together what this stage has taken from the budget */

    /* Scratch of single operations. */
    double *b, *g, *beta, *eta, *dv, *row, *column;
    int *list;
    double *dense; /* slot_capacity rows of 2 ld: for a new inverse */

    /* Slots in order (faces/order.inl). */
    int *order;      /* contacts, then joints from n on */
    int *order_pair; /* the bodies that the order belongs to, two for each of them */
    int order_n, order_joints, order_bodies;
    int *rank, *queue;             /* by body */
    int *link, *link_first;        /* neighbours by body */
    bool laid_out;                 /* slots, lists and blocks belong to the states */
    int chunks;                    /* eight slots each */
    int *count;                    /* by chunk: its slots */
    int *entry, *entry_first;      /* by body: 2 slot + side */
    int *panel_body, *panel_first; /* bodies by chunk */
    int *slot_panel[2];            /* by side and slot */
    int *low, *high, *first;       /* by chunk: first and last chunk it meets, number of its first block */
    uint8_t *link_used;            /* by block */

    /* Factors of R'C (faces/band.inl); the blocks lie in dense. */
    double *panels;  /* rows by chunk and body: component by component, eight slots each */
    double *inverse; /* by slot: 1 / its pivot, 0 for a slot that is set aside */
    int set_aside;   /* how many are */
    bool standing;   /* slots and states are those of the last answer, */
    bool stood;      /* or were so when this stage began */

    uint8_t
        *mask; /* by lane: bit k for slot k of its state that is wanted; redundant contacts do without some */

    faces_one *one;
    faces_springs springs;
    faces_interior interior;

    /* What is kept for the next call. */
    bool kept;                /* slots, states and B are those of a finished solve */
    bool ready;               /* likewise, of the system at hand, left by an earlier stage of this call */
    bool kept_one, ready_one; /* likewise, the basis of faces/one.inl */
    bool stood_one;           /* kept_one, when this stage began */
    bool fresh;               /* B was made from given states, contact by contact, and nothing else */
    abut_contact_face *told;  /* by lane: the states of that answer */
    double *kept_mu;
    int *kept_directions;
} faces;

/* The solver, compiled once for each vector width. */
typedef struct faces_kernels {
    abut_outcome (*check)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                          abuti_answer *answer);
    abut_outcome (*greedy)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                           abuti_answer *answer);
    abut_outcome (*interior)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                             abuti_answer *answer);
    abut_outcome (*path)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                         abuti_answer *answer);
    abut_outcome (*cover)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                          abuti_answer *answer);
} faces_kernels;

extern const faces_kernels abuti_faces_plain;
extern const faces_kernels abuti_faces_avx2;
extern const faces_kernels abuti_faces_avx512;

extern const abuti_family abuti_faces_family;
extern const abuti_stage abuti_faces_check, abuti_faces_greedy, abuti_faces_interior, abuti_faces_path,
    abuti_faces_cover;

#endif
