/* Face states: what the files of the solver `faces` share.
 *
 * Contact i has a local velocity u = (u_n, u_t) and a friction impulse f that must lie in mu theta P, where P
 * is the polygon of its directions. The state of the contact says on which part of P its friction lies:
 *
 *     OPEN     nothing acts           u_n >= 0
 *     SLIDE j  f = mu theta d_j       theta >= 0,  e_j.u >= 0,  -e_(j-1).u >= 0
 *     EDGE k   f on edge k of P       mu h theta - s >= 0,  mu h theta + s >= 0,  -a_k.u >= 0     (s = e_k.f)
 *     STICK    f anywhere in P        mu kap theta - a_l.f >= 0 for every l
 *
 * Here d_j are the vertices of P, a_k and e_k are the normal and the tangent of the edge from d_k to d_(k+1),
 * kap = cos(pi/d) and h = sin(pi/d). The number j or k is called the face of the contact. These are all the
 * inequalities of the LCP that matter; the convexity of P gives the others. A contact moves only along
 * OPEN <-> SLIDE <-> EDGE <-> STICK.
 *
 * An active contact owns up to three slots. A slot is one row R, one column C and one unknown x:
 *
 *     kind     row    column         unknown
 *     slot 0   n      n + mu fhat    theta     fhat = d_j (SLIDE), kap a_k (EDGE), 0 (STICK)
 *     slot 1   e_k    e_k            s         EDGE, STICK
 *     slot 2   a_k    a_k            p         STICK
 *
 * A joint row owns one slot for good. With A = R'C and B = A^-1, everything is linear in t of the path:
 *
 *     x = x0 + t x1,    x0 = -B (R'k + o_R),    x1 = -B c_R
 *     v = v0 + t v1,    v  = k + C x
 *
 * Each change of state is one or two of the operations ADD, DEL, COL and ROT on the slots
 * (faces/inverse.inl). There are at most six slots for each body.
 *
 * A stuck contact may lack tangential slots. Their rows depend on those of other contacts (four corners hold
 * a body in place), or hold by themselves (a stack under gravity) and are added when they stop holding. With
 * d = 2 the polygon is a segment and EDGE is its inside: there is no third state, kap = 0, and the answer
 * calls the contact stuck.
 *
 * A bounded row is a contact with d = 2 whose theta is given (faces/given.inl): it is never open and has no slot 0. At
 * a bound (SLIDE) it has no slot at all, and what it pushes is part of k; between its bounds (EDGE) it has slot 1.
 *
 * Files
 *
 *     faces.h, basis.h, numbers.h    words and parts; tables of operations; every tolerance with its reason
 *     faces.c                        memory, and the stages in order of attack
 *     kept.c                         slots of several bodies from step to step, for each island
 *     core.inl                       everything below, compiled once for each vector width
 *     stages.inl                     the five stages: check, greedy, interior, path, cover
 *
 *     vectors.inl, rows.inl          small vectors; rows and columns in the space of v, through either door
 *     inverse.inl, refresh.inl       a basis as the inverse of R'C: its operations, its accuracy
 *     eight.inl                      the same for one body, in vectors of eight
 *     tableau.inl                    few bodies: a basis with the velocities of all contacts at hand
 *     order.inl, band.inl            many bodies: a basis as factors of R'C
 *
 *     slack.inl, events.inl          all slacks in one pass; changes of state
 *     begin.inl, start.inl           taking in a system; given states
 *     given.inl, bounds.inl          bounded rows; how their bases begin
 *     block.inl                      their rows, with zeros left out
 *     finish.inl                     the answer
 *     greedy.inl, path.inl           flips; the parametric path
 *
 *     one.inl, one_flips.inl,        one body: its basis in the space of v, flips on it, given states and
 *     one_states.inl, one_kept.inl   answers, what is kept from step to step for each island
 *     mend.inl, homotopy.inl         many bodies: given states on factors; a homotopy from them
 *     springs.inl, interior.inl,     many bodies: contacts as springs, cold solves through the inside, the
 *     settle.inl                     answer that belongs to given states */
#ifndef ABUTI_CONTACT_FACES_FACES_H
#define ABUTI_CONTACT_FACES_FACES_H

#include "contact/faces/basis.h"
#include "contact/faces/numbers.h"
#include "contact/system/system.h"
#include <stdbool.h>
#include <stdint.h>

enum { FACES_KINDS = 3, FACES_NONE = -1, FACES_ALL_SLOTS = 7 };

/* A regular polygon with d vertices. The arrays are padded by repetition to whole vectors. */
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
    FACES_HOLD_A,      /* the same for slot 2 */
} faces_change;

typedef struct faces_event {
    bool found;
    faces_change change;
    int contact;
    int face;    /* FACES_LOOSEN: the edge; else set when it is applied: the edge that was entered or left */
    double end;  /* set when it is applied: +1 or -1, the end of that edge */
    double step; /* path: distance in t; greedy: the slack */
    double at_zero; /* path: the slack's value at t = 0 */
} faces_event;

/* Bodies coupled by springs (faces/springs.inl). */
typedef struct faces_springs {
    int block_capacity, blocks;
    int *body_at;                         /* by rank */
    int *first, *begin;                   /* by rank: the lowest rank in its row, and where its blocks are */
    double *lower, *upper;                /* blocks of L and U */
    double *diagonal;                     /* by rank: those of U, inverted */
    double *K[6], *r[3];                  /* by lane: dx = r - K du */
    double *x[3];                         /* by lane: impulses */
    double joint_stiffness;               /* of all joint rows */
    double *joint_r, *joint_x, *joint_dx; /* by joint */
} faces_springs;

/* A point inside (faces/interior.inl): pairs that are positive, by lane, and by direction and lane. */
typedef struct faces_interior {
    double *theta, *nu, *lambda, *gamma, *step[4];
    double *phi, *sigma, *dphi, *dsigma, *direction[2];
    double *joint;
    double *count, *live; /* directions of the contact, 0 without friction; 1 for contacts, 0 for padding */
    int *most;            /* by eight lanes: their largest count */
    double *gx, *gy, *pull, *base; /* by lane: of the last springs, for their steps */
    int pairs;
} faces_interior;

/* One body, its basis in the space of v (faces/one.inl). Vectors of eight: components (six, then zeros),
 * slots or seats. */
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

    /* Of a basis that is kept for the next step (faces/one_kept.inl), by seat: what it was made for. */
    abut_contact_face told[8];
    double mu[8];
    int directions[8];
} faces_one;

/* Where the numbers of contacts are. A seat is the place of an active contact: one of eight with a basis of
 * eight, else the contact's own lane. */
typedef struct faces_seats {
    int count;              /* a multiple of eight */
    int *of;                /* by lane: the contact's seat, FACES_NONE when it has none */
    int *contact;           /* by seat: its lane */
    int *slot[FACES_KINDS]; /* by seat: the slots of its contact, FACES_NONE where absent */
    double *rows;           /* by seat: n, t_x, t_y of the contact, `width` numbers each */
    int *active;            /* lanes that are not OPEN, in no order */
    int *active_at;         /* by lane: its place in `active` */
    int active_count;
} faces_seats;

/* Slacks: those of a seat are weight[q][0] theta + [1] s + [2] u_x + [3] u_y, q = 0, 1, 2. */
typedef struct faces_slacks {
    double *weight[3][4]; /* by seat */
    double urgency;       /* a factor of all weights: how much active contacts count beside open ones */
    double *open;         /* by lane: 1 for OPEN, 0 else */
} faces_slacks;

/* Where the rows of one block have numbers (faces/block.inl). */
typedef struct faces_block {
    int *low, *high; /* by lane: the part of the block */
    /* By eight lanes: the components that some of them have, `dim` places each; and how many there are. */
    int *component, *count;
} faces_block;

/* Slots: a row R, a column C, an unknown x. A slot keeps its number while it lives. */
typedef struct faces_slots {
    int used;        /* how many are in use */
    int top;         /* all of them are below */
    int *contact;    /* by slot: lane, FACES_NONE for a free slot, -2 - joint for a joint row */
    int *kind;       /* by slot: 0, 1, 2 as in the table above */
    int *body[2];    /* by slot: see slot_place in faces/rows.inl */
    double *R, *C;   /* by slot, `width` numbers */
    double *base[2]; /* by slot: o_R and c_R */
} faces_slots;

/* The inverse B of R'C (faces/inverse.inl). */
typedef struct faces_inverse {
    double *B, *BT; /* B and its transpose, row by row */
    int ld;         /* the length of a row */
    int most;       /* slots that can be independent: the freedoms of the system */
    bool shaky;     /* B should be made anew */
    bool delicate;  /* rows that nearly depend on each other are or were among the slots */
    bool fresh;     /* B was made from given states, contact by contact, and nothing else */
} faces_inverse;

/* What a basis of eight slots has beside its inverse (faces/eight.inl). */
typedef struct faces_eight {
    unsigned free_seats, free_slots; /* a bit for each that is free */
    double *RT, *CT;                 /* R and C by component, eight slots each */
    double *tangent[2];              /* by axis: component by component, eight seats each */
    double *shift[2][2];             /* by part, axis and seat: path.shift along the tangents */
    int *component_at;               /* where the components of a row lie in the system's lanes */
    double *component_used;          /* 1 for those there are, 0 for the padding */
} faces_eight;

/* The tableau (faces/tableau.inl); y lies in x[0]. */
typedef struct faces_tableau {
    int length;                     /* of a column: three places for each lane */
    double *columns;                /* by place; those of held places are kept */
    int *places;                    /* the held places; slots.used is their number */
    double *held[3];                /* by axis and lane: 1 where the impulse stands in y */
    double *frame[2];               /* by lane: the outward direction of the tangential places */
    double *lean[2];                /* by lane: friction along the frame for each normal impulse */
    unsigned touching[FACES_TABLE]; /* by body: a bit for each eight lanes */
} faces_tableau;

/* The path: u = J v + offset + t cover. */
typedef struct faces_path {
    const double *cover[3];    /* by lane */
    double *table[3];          /* by lane: normal in [1, 1.5], tangents in [-0.3, 0.3] */
    double *made[3];           /* room for other covers */
    const double *shift[2][3]; /* what is added to J v in parts 0 and 1: usually offset and cover */
    double *moved[3];          /* offset + t cover, along vertical steps; u* of the homotopy */
} faces_path;

/* Contacts and joints in an order that keeps neighbours together (faces/order.inl). */
typedef struct faces_order {
    int *at;                /* contacts, then joints from n on */
    int *pair;              /* the bodies that the order belongs to, two for each of them */
    int n, joints, bodies;  /* and how many there were */
    int *rank, *queue;      /* by body */
    int *link, *link_first; /* neighbours by body */
} faces_order;

/* Factors of R'C (faces/band.inl). A chunk is eight slots in a row; a panel is a chunk's rows on one body. */
typedef struct faces_band {
    /* By lane: bit k for slot k that its state should have. Redundant contacts do without some. */
    uint8_t *wanted;
    bool laid_out; /* slots, lists and blocks belong to the states */
    int chunks;
    int *count;                    /* by chunk: its slots */
    int *entry, *entry_first;      /* by body: 2 slot + side */
    int *panel_body, *panel_first; /* bodies by chunk */
    int *slot_panel[2];            /* by side and slot */
    int *low, *high, *first;       /* by chunk: first and last chunk it meets, number of its first block */
    uint8_t *linked;               /* by block: whether it is not zero */
    double *blocks;                /* eight by eight */
    double *panels;                /* component by component, eight slots each */
    double *reciprocal;            /* by slot: 1 / its pivot, 0 for a slot that is set aside */
    int set_aside;                 /* how many are */
} faces_band;

/* Whose slots have been left for later. */
typedef enum faces_left {
    FACES_LEFT_NOTHING,
    FACES_LEFT_ONE,
    FACES_LEFT_INVERSE,
    FACES_LEFT_BAND
} faces_left;

/* What is kept at the home of an island of one body. */
typedef struct faces_place {
    faces_one one;
    bool kept;   /* that is the basis of the last answer */
    double mark; /* of the geometry when it was asked for last */
} faces_place;

/* What is kept from stage to stage and from call to call. */
typedef struct faces_memory {
    faces_left kept;         /* what belongs to the last answer, */
    faces_left stood;        /* and what did so when this stage began */
    faces_left ready;        /* what an earlier stage of this call has left for the system at hand */
    bool mended;             /* whether flips from the given states have been tried on it */
    int n, dim;              /* of the system that this belongs to */
    abut_contact_face *told; /* by lane: the states of the last answer */
    double *mu;              /* by lane: its friction */
    int *directions;         /* by lane: and its directions */
    double *rows;            /* of one block: the system's */
    abuti_home *home;        /* of the island at hand, or NULL */
    abuti_holder holder;     /* whose slots these are */
    /* One body: where bases are made, and the place that the one at hand is to be laid into, or NULL. */
    faces_one *common;
    faces_place *at;
} faces_memory;

/* Scratch of single operations. */
typedef struct faces_work {
    double *b, *g, *beta, *eta, *dv, *row, *column;
    int *list;
    double *dense; /* as many numbers as the inverse has: for a new one */
} faces_work;

/* Blocks of eight by eight that a band of so many chunks has room for: all up to 64 chunks, then 24 a chunk. */
static inline int faces_band_room(int chunks)
{
    int all = chunks * chunks, few = 24 * chunks > 64 * 64 ? 24 * chunks : 64 * 64;
    return all < few ? all : few;
}

struct faces {
    const struct faces_kernels *kernels; /* the variant of faces/core.inl for this machine */
    struct {
        int slots, lanes, width, space;
        int inverse; /* slots of the dense inverse */
    } room;          /* the largest system that fits */

    /* The system at hand. */
    const abuti_system *system;
    const faces_door *door;
    const faces_basis *basis; /* the representation that the stage has chosen */
    int lanes;                /* contacts, rounded up to eight */
    int width;                /* numbers of one slot's row: sides * stride, or those of u at the W + q door */
    int space;                /* numbers of v */
    double size;              /* of k and the offsets: the unit of all velocity tolerances */
    double zero;              /* FACES_ZERO * size, grown with the number of bodies */
    const double *mu;         /* by lane: 0 where the model has no friction */
    const double *k;          /* the velocity without impulses; zeros at the W + q door */
    double *loaded;           /* k with what bounded rows at their bounds push, where there are some */
    double *still;            /* zeros, by lane and by number of v */
    faces_polygon *polygon;   /* by d */
    int pivots;               /* since the last that were added to the answer's, */
    int counted;              /* and those: together what this stage has taken from the budget */

    /* The states, and the point that belongs to them: part 0 + t part 1. */
    uint8_t *state, *face;         /* by lane */
    int parts;                     /* 1: only part 0 is carried along */
    double *x[2], *v[2];           /* unknowns by slot; velocity */
    double *un[2];                 /* normal velocity by lane */
    double *ut[2][2];              /* tangential velocity by part, axis and seat */
    double *value[2][FACES_KINDS]; /* x by part, kind and seat */
    bool rests;                    /* nothing drives the contacts sideways */
    bool regular;                  /* the representation of the basis is that of the slots */
    int since_refresh;             /* events since x and v were computed afresh */

    faces_seats seats;
    faces_slacks slack;
    faces_slots slots;
    faces_inverse inverse;
    faces_block block;
    faces_eight eight;
    faces_tableau tableau;
    faces_path path;
    faces_order order;
    faces_band band;
    faces_one *one; /* that of the island at hand */
    faces_springs springs;
    faces_interior interior;
    faces_work work;

    faces_memory memory;
};

/* The solver, compiled once for each vector width. */
typedef struct faces_kernels {
    abut_outcome (*check)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                          abuti_answer *answer);
    abut_outcome (*mend)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                         abuti_answer *answer);
    abut_outcome (*greedy)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                           abuti_answer *answer);
    abut_outcome (*interior)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                             abuti_answer *answer);
    abut_outcome (*narrow)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                           abuti_answer *answer);
    abut_outcome (*path)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                         abuti_answer *answer);
    abut_outcome (*cover)(faces *f, const abuti_system *system, const abuti_stage_context *context,
                          abuti_answer *answer);
} faces_kernels;

extern const faces_kernels abuti_faces_plain;
extern const faces_kernels abuti_faces_avx2;
extern const faces_kernels abuti_faces_avx512;

/* kept.c: the island of this home comes next. Slots that the last island may go on from are laid aside at its home, and
 * those of this one are taken up. */
void abuti_faces_host(void *scratch, abuti_home *home);

extern const abuti_family abuti_faces_family;
extern const abuti_stage abuti_faces_check, abuti_faces_mend, abuti_faces_greedy, abuti_faces_interior,
    abuti_faces_narrow, abuti_faces_path, abuti_faces_cover;

#endif
