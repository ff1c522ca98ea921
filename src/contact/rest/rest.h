/* Where the bodies of an island can rest, they rest: the stage `rest`.
 *
 * Coulomb's law often has several answers. Whether standing still is one of them is a convex question: with v = 0 the
 * velocity of every contact is known. Contacts that touch and do not slip may push anywhere within their cones, those
 * that slip (on a belt) along one face of them, and those that are apart not at all. The question is whether
 *
 *     k + sum over contacts J' p = 0,     p = sum of x_j c_j,  x_j >= 0,     c_j = (1, mu d_j)
 *
 * has a solution, which is a linear program in x. Where the bodies cannot stand still because something carries or
 * pushes them (a lift, a gap that closes, a driven joint) the same is asked of the motion without slip: the associated
 * convex problem
 *
 *     minimise |v - k|^2  so that  c_j.(J v + offset) >= 0 for every c_j of every contact, joint rows hold
 *
 * has one velocity, and if no contact that carries slips there, it is an answer of Coulomb's law, too.
 *
 * First all contacts that touch are springs of one kind, which share the load evenly, with as much squeeze added as
 * keeps all of them in their cones, if that is possible: one factorisation. Where it is not, an interior point
 * (inside.c) decides: it ends with impulses inside the cones, or with a velocity that proves that there are
 * none below REST_LARGEST times the impulses at hand. */
#ifndef ABUTI_CONTACT_REST_H
#define ABUTI_CONTACT_REST_H

#include "contact/rest/matrix.h"
#include "contact/rest/one.h"
#include "contact/sparse/sparse.h"

/* Offsets below this, in units of the island's largest, are rounding: a tenth of what the verifier's default lets
 * pass. */
#define REST_NEAR 1e-10
/* The stiffness of springs and joint rows, for rows of size one; what it leaves is taken out again. */
#define REST_STIFF 1e6
/* So many bodies have sparse factors (many.c); fewer have an envelope (matrix.c), which needs no order. */
#define REST_MANY 12
#define REST_STEPS 16 /* repetitions that take out what stiff springs leave; two are usual */
/* So many repetitions in a row may leave more than the second share of the least velocities so far, since the largest
 * velocity does not fall in each repetition. Where there are more, they lead nowhere. */
#define REST_IDLE 2
#define REST_FALLS 0.5
#define REST_STILL 1e-13 /* velocities below this are zero, likewise */
#define REST_CALM 1e-8   /* ... and so small that it can be told which contacts leave their cones */
#define REST_LOOSE 1e-10 /* ... and are still good enough when the repetitions are used up */
#define REST_CONE 1e-11  /* how far outside its cone an impulse may be, in units of the largest impulse */
#define REST_SQUEEZE 1e4 /* largest squeeze that is added, in units of the island's largest velocity */
#define REST_ROUNDS 60   /* of the interior point; ten are usual */
#define REST_PROOF 1e-9  /* power that is more than rounding, in squared sizes */
/* Rest by larger impulses than this counts as none, in units of the island's largest velocity. */
#define REST_LARGEST 1e6

/* The part of a cone that springs act on: `count` of its generators from `first` on. A soft part carries only where
 * nothing else does. */
typedef struct rest_part {
    int first, count;
    bool soft;
} rest_part;

typedef struct rest {
    rest_matrix matrix; /* the rows of all contacts, and the blocks of few bodies; */
    sparse_lodging at;  /* those of many, whose order is kept for each island: */
    bool sparse;        /* the island at hand has many, */
    const sparse_kernels *kernels;
    const rest_one_kernel *one;
    int width;               /* generators a contact at most */
    bool still;              /* asked: v = 0; else: no slip */
    double size;             /* the largest of k and the offsets */
    int *from, *count;       /* [contact]: its first generator and how many, 0: takes no part */
    rest_part *part;         /* [contact] */
    double *offset;          /* [contact][3] */
    double *p, *squeeze;     /* [contact][3]: impulses, and those that add up to nothing */
    double *K;               /* [contact][REST_K] */
    double *h, *joint_h;     /* [contact][3], [joint]: velocities, or right-hand sides of springs */
    double *step;            /* [contact][3]: what springs would add */
    double *way, *joint_way; /* [contact][3], [joint]: the direction in which impulses change */
    double *y, *dy, *kept;   /* [joint]: impulses, their steps, those to go back to */
    double *v, *dv;          /* in the blocks of the system */
    double *side[2];         /* [contact][width]: the generators but for their 1, mu d_j */
    double *lift;            /* in the blocks of the system: opens all contacts, if there is such a motion */
    double *x, *s, *dx, *ds; /* [contact][width]: weights of the generators, slacks, their steps */
} rest;

/* The larger of two numbers, without a call; x where x is NaN. */
static inline double rest_larger(double x, double y)
{
    return y > x ? y : x;
}

/* Generator j of a contact: (1, mu d_j). */
static inline void rest_generator(const rest *r, int contact, int j, double c[3])
{
    size_t at = (size_t)contact * (size_t)r->width + (size_t)j;
    c[0] = 1.0;
    c[1] = r->side[0][at];
    c[2] = r->side[1][at];
}

/* K += weight c c': a spring along one generator. */
static inline void rest_add_spring(double *K, double weight, const double c[3])
{
    K[REST_NN] += weight;
    K[REST_NX] += weight * c[1];
    K[REST_NY] += weight * c[2];
    K[REST_XX] += weight * c[1] * c[1];
    K[REST_XY] += weight * c[1] * c[2];
    K[REST_YY] += weight * c[2] * c[2];
}

/* Finds the motion that stiff springs at all contacts make when each is to open at speed 1, into `lift`. Springs of one
 * kind must have been factored. */
void abuti_rest_lift(rest *r, const abuti_system *system);
/* The least opening of a generator along the lift, per size of its row: positive where there is such a motion. */
double abuti_rest_opening(const rest *r, const abuti_system *system);
/* k.v: what the forces gain along a motion. */
double abuti_rest_power(const abuti_system *system, const double *v);
/* Takes a system and finds what can be asked of it. False: it does not fit. */
bool abuti_rest_begin(rest *r, const abuti_system *system);
/* many.c: takes the rows of a system and finds the order of its bodies (false: it does not fit); factors I + J'K J with
 * the springs K; and solves v = (I + J'K J)^-1 v. */
void abuti_rest_many_layout(rest *r, abuti_arena *arena, const abut_contact_limits *limits);
bool abuti_rest_take(rest *r, const abuti_system *system);
bool abuti_rest_factor(rest *r, const abuti_system *system);
void abuti_rest_solve(const rest *r, const abuti_system *system, double *v);
/* Puts springs of one kind at all contacts that touch, and factors their matrix. */
bool abuti_rest_spring_alike(rest *r, const abuti_system *system);
/* v from p and y. */
void abuti_rest_move(rest *r, const abuti_system *system, const double *p, const double *y, const double *k);
/* Changes p and y, as little as K says, until contacts with springs K and joint rows are still. True when they are:
 * velocities are below `still`, in units of the size. */
bool abuti_rest_hold(rest *r, const abuti_system *system, double *p, double *y, const double *k,
                     double still);

/* cones.c: whether all impulses are in their cones. */
bool abuti_rest_in_cones(const rest *r, const abuti_system *system, const double *p);
/* The largest impulse, measured by theta times the size of its row, or the island's largest velocity if that is
 * larger. */
double abuti_rest_largest(const rest *r, const abuti_system *system, const double *p);
/* Whether a contact slips, and may push along one face of its cone alone. */
bool abuti_rest_on_face(const rest *r, const abuti_system *system, int contact);
/* How many slacks the cone of a contact has, and slack l of the impulse p: positive inside. */
int abuti_rest_slacks(const rest *r, const abuti_system *system, int contact);
double abuti_rest_slack(const rest *r, const abuti_system *system, int contact, int l, const double *p);

/* quick.c: finds p and y that share the load evenly, or are squeezed, or are shared by those contacts that can
 * (narrow.c, which begins with an even p that leaves the cones). */
bool abuti_rest_quick(rest *r, const abuti_system *system, const abuti_stage_context *context);
bool abuti_rest_narrowed(rest *r, const abuti_system *system, const abuti_stage_context *context);

/* Whether the budget of the call is used up after so many rounds. */
bool abuti_rest_spent(const abuti_stage_context *context, int rounds);
/* The interior point: finds p and y of an answer. False when there is none, or the rounds do not end. */
bool abuti_rest_inside(rest *r, const abuti_system *system, const abuti_stage_context *context, int *rounds);

/* Whether standing still contradicts no contact and no joint row, whatever forces it takes. */
bool abuti_rest_conceivable(const abuti_system *system);
/* Whether the velocity v of an answer proves that there is no rest (refute.c); false says nothing. */
bool abuti_rest_refuted(void *scratch, const abuti_system *system, const double *v);

extern const abuti_family abuti_rest_family;
/* The first is the name of answers that are those of the last step (contact/again.c); it runs on no system. The second
 * is the springs of one kind alone; the third has the interior point behind them. The last asks for
 * motion without slip though standing still contradicts no contact: the forces of motors carry the bodies. */
extern const abuti_stage abuti_stage_rest_again, abuti_stage_rest_quick, abuti_stage_rest,
    abuti_stage_rest_carried;

#endif
