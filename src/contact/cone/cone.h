/* Coulomb's law on circles: Newton's method from the answer on polygons, and what comes to help where it does not
 * converge. docs/cone.md tells the method with its figures.
 *
 *     0 <= theta  perp  u_n >= 0,     |f| <= mu theta,     f = -mu theta u_t / |u_t|  where u_t != 0
 *
 * Each contact is open, slides or sticks. A contact that slides has the unknowns theta and the angle of its friction
 * f = mu theta e; with e_perp = e turned by a right angle, lambda = -e.u_t >= 0 and s = mu theta d(angle), the
 * linearised law for the new values is
 *
 *     slides   n.u = 0                                     column of theta: n + mu e
 *              e_perp.u + lambda / (mu theta) s = 0        column of s: e_perp
 *     sticks   n.u = t1.u = t2.u = 0                       columns n, t1, t2
 *
 * so it is an edge of a polygon with a spring along the edge: no slip is a rigid edge, and slow slip no singularity.
 *
 *     cone.c       memory, stages
 *     start.c      a system comes in, points to go on from; the answer goes out
 *     newton.c     the iteration: directions, one change of state a step
 *     law.c        the natural map, and what of a state is violated
 *     core.inl     in three widths of vectors: rows.inl the linear step on the rows of bodies, matrix.inl its matrix
 *     local.c      the linear step by elimination: at the W + q door, and for small systems; exact.c its velocities
 *     one.c        the iteration for one body, in lanes (one.h); core.inl: one.inl
 *     proximal.c   the proximal point;  interior.c an interior point on second-order cones, inner.c its systems
 */
#ifndef ABUTI_CONTACT_CONE_CONE_H
#define ABUTI_CONTACT_CONE_CONE_H

#include "contact/cone/one.h"
#include "contact/rest/matrix.h"
#include "contact/system/system.h"
#include "linalg/lu.h"

/* The most steps of Newton's method; 99 % of all problems end within ten. */
#define CONE_STEPS 25
/* The same from the states of the last step, where another start is at hand; and after so many of these steps all
 * violated states change. */
#define CONE_STEPS_WARM 20
#define CONE_EAGER 1
/* An iterate is taken at this part of the tolerance, if Newton's method comes no further. */
#define CONE_ENOUGH 0.1
/* Newton's method stops when the natural map is below this, in units of the island. */
#define CONE_TARGET 1e-12
/* In the linear model a violation is more than rounding above this, in units of the island, and above this part of the
 * largest impulse; the last number is for velocities that are computed in twice the digits. */
#define CONE_VIOLATED 1e-13
#define CONE_NOISE 2e-15
#define CONE_NOISE_EXACT 1e-16
#define CONE_LARGEST_TURN                                                                                    \
    0.70710678118654752 /* cosine of the angle by which a direction may turn in a step */
#define CONE_TINY 1e-14 /* normal impulses, in units of the island, that have no friction worth a row */
#define CONE_LIMIT 1e-9 /* part of its limit that friction may lack and be at it */
/* Held normals that move by more than this after a step contradict each other. */
#define CONE_CONTRADICTS 1e-7
/* The compliance of held rows, in units of their size; refinement takes out what it leaves. */
#define CONE_RIDGE 1e-8
/* The most solutions with one factor, the first and its refinements; and the least number of refinements. */
#define CONE_PASSES 20
#define CONE_PASSES_LEAST 2
/* How far held rows may move, in units of the island; far from an answer, as a part of the natural map; and where rows
 * are solved by elimination. */
#define CONE_HELD 1e-13
#define CONE_HELD_PART 1e-6
#define CONE_HELD_DENSE 1e-15
/* The compliance of held rows where they are solved by elimination. The second is for large impulses, whose rounding,
 * divided by the compliance, would shift loads between redundant contacts. */
#define CONE_RIDGE_DENSE 1e-13
#define CONE_RIDGE_FIRM 1e-11
#define CONE_DENSE 96  /* contacts of the largest system of bodies whose J J' is formed where springs fail */
#define CONE_REPEATS 3 /* a set of states may come back so often before the lowest index decides */
#define CONE_SETS 64   /* sets of states that are remembered */

/* What a contact's friction is confined to. */
typedef enum cone_kind {
    CONE_ROUND,   /* a circle */
    CONE_PLANE,   /* a segment along t */
    CONE_POLYGON, /* a polygon, among contacts that have circles */
    CONE_NONE,    /* no friction */
    CONE_AIMED, /* at the acceleration level: it slides already, so friction has the direction of its velocity */
    CONE_PARTED, /* likewise: it separates already and carries nothing */
} cone_kind;

/* Rows of a contact that are held: `row`.u + compliance y = 0 with the impulse `column` y. */
typedef struct cone_rows {
    int count;
    double row[3][3], column[3][3];
    double compliance[3]; /* of the law, and of the proximal point */
    double own[3];        /* of the law alone */
} cone_rows;

/* The rows as springs, for the direction of friction for which the matrix was factored. */
typedef struct cone_springs {
    double column[3]; /* of theta, where it slides */
    double e[2];      /* the direction */
    /* Of the normal row, and of all rows where the contact sticks; of the row across e, 0: there is none. */
    double stiffness[2];
} cone_springs;

/* Where a contact is: impulse, direction, state. */
typedef struct cone_place {
    double p[3], e[2];
    uint8_t state;
    int face;
} cone_place;

typedef struct cone_touch {
    double p[3], u[3];  /* impulse; velocity at it, offsets included */
    double base[3];     /* the impulse that a step starts from */
    double e[2];        /* slides: direction of friction; on an edge of a polygon: its normal */
    double aim[2];      /* the direction of one that slides already */
    double mu, s, over; /* s the largest size of its three rows, and 1 / s */
    /* The size of the normal row alone, by which the verifier judges it, too; and 1 / own. */
    double own, over_own;
    double reach;      /* friction along e over mu theta: 1, or cos(pi / d) on an edge of a polygon */
    double compliance; /* of the row across e; < 0: there is none */
    double moved;      /* along it, in this step */
    cone_springs held; /* its rows on the rows of bodies, */
    double B[9];       /* columns times stiffness times rows, three by three */
    cone_place best;   /* the best iterate of Newton's method */
    cone_place center; /* of the proximal point, */
    cone_place found;  /* the best of its rounds */
    uint8_t kind, state;
    int face;   /* of a polygon */
    int closed; /* the step in which it closed as one that slides, else < -1 */
} cone_touch;

struct cone;

/* What is compiled for several widths of vectors. */
typedef struct cone_kernel {
    /* Factors I + the contacts' J'B J + joint rows of this stiffness; and v = matrix^-1 v. */
    bool (*factor)(struct cone *c, double joint_stiffness);
    void (*divide)(const struct cone *c, double *v);
    /* x and all u from the impulses; the linear step. */
    void (*move)(struct cone *c);
    bool (*solve)(struct cone *c);
    /* The same for one body, see one.h: sizes and unit; x and all u from the impulses; directions, compliances and
     * where the step starts; by how much the law has changed since the factor was made; the linear step; what of the
     * law is violated. */
    void (*one_begin)(cone_one *o);
    void (*one_move)(cone_one *o);
    void (*one_prepare)(cone_one *o);
    double (*one_change)(const cone_one *o);
    bool (*one_step)(cone_one *o, bool kept, double hold, double *left);
    cone_one_judgement (*one_judge)(const cone_one *o);
} cone_kernel;

extern const cone_kernel abuti_cone_plain, abuti_cone_avx2, abuti_cone_avx512;
/* The kernel for this machine. */
const cone_kernel *abuti_cone_kernel_choose(void);

typedef struct cone {
    const abuti_system *system;
    const cone_kernel *kernel;
    int capacity;      /* contacts at most; 0: the workspace serves no circles */
    cone_touch *touch; /* [contact] */
    double *joint;     /* [joint]: impulses, */
    double *joint_best, *joint_base, *joint_rho, *joint_inner, *joint_step, *joint_center, *joint_found;
    double *x, *dx; /* blocks of the system */
    double unit;    /* K: the island's largest of |k| and |offset| / s */
    double ridge;   /* compliance of held rows where they are solved by elimination, in units of their size */
    double prox;    /* weight of the proximal point over s^2; 0: none */
    double hold;  /* what held rows may move after this step on the rows of bodies, in units of the island; */
    double left;  /* what they moved after the last one */
    double gives; /* compliance of held rows on the rows of bodies, in units of their size */
    double least; /* natural map of the best iterate */
    double enough; /* at which an iterate is taken */
    int eager;     /* first steps after which all violated states change; then it is one a step */
    int steps;     /* of Newton's method so far, over all starts */
    bool
        asserted; /* states are given without impulses: a step with them comes first, whatever none would say */
    bool kept;    /* the last step's factor may serve once more, on the rows of bodies */
    uint64_t sets[CONE_SETS];
    rest_matrix matrix;
    bool has_rows;         /* `matrix` has its rows */
    double *rows;          /* [contact][side][axis][stride]: J */
    double *lower, *upper; /* blocks of dim rows of stride numbers, in the envelope of `matrix` */
    size_t block;          /* numbers of one, */
    size_t *row_begin;     /* [rank]: where those of a row begin */
    size_t block_room;     /* numbers of all at most */
    double *room;          /* a block, or six rows */
    int *perm;             /* [rank][dim]: order of the rows of the blocks on the diagonal */
    /* u = W p + offset, and the leading dimension of W: the system's, or J J' of a small system, or NULL. */
    const double *W;
    int ld;
    double *formed; /* room for J J' */
    int formed_rows;
    double *free; /* [row of W]: velocities without impulses */
    abuti_lu lu;
    double *rhs, *solution, *pushed, *row_scale, *column_scale;
    int *row_contact, *row_part;
    const abuti_stage_context *context;
    struct cone_inner *inner; /* of interior.c */
    cone_one one;             /* of one.c */
} cone;

/* The longer side of a unit step along a contact's cone: friction over theta where that is more than one, else one.
 * Where a cone is so wide, friction is the number that is exact, and theta follows from it. */
static inline double cone_width(const cone_touch *t)
{
    double along = t->mu * t->reach;
    return t->kind != CONE_NONE && along > 1.0 ? along : 1.0;
}

static inline cone_rows cone_rows_of(const cone *c, const cone_touch *t)
{
    cone_rows r = {.count = 0};
    if (t->state == ABUT_OPEN) return r;
    double prox = c->prox * t->s * t->s;
    if (t->state == ABUT_STICK) {
        r.count = t->kind == CONE_PLANE ? 2 : 3;
        for (int k = 0; k < r.count; ++k) {
            r.row[k][k] = r.column[k][k] = 1.0;
            r.compliance[k] = prox;
        }
        return r;
    }
    double wide = cone_width(t), along = t->kind == CONE_NONE ? 0.0 : t->mu * t->reach / wide;
    r.count = 1;
    r.row[0][0] = 1.0;
    r.column[0][0] = 1.0 / wide;
    r.column[0][1] = along * t->e[0];
    r.column[0][2] = along * t->e[1];
    r.compliance[0] = prox / wide;
    if (t->compliance < 0.0) return r;
    r.count = 2;
    r.row[1][1] = r.column[1][1] = -t->e[1];
    r.row[1][2] = r.column[1][2] = t->e[0];
    r.own[1] = t->compliance;
    r.compliance[1] = t->compliance + prox;
    return r;
}

/* start.c */
bool abuti_cone_begin(cone *c, const abuti_system *system, const abuti_stage_context *context);
/* Fills the rows of `matrix`, which elimination and the interior point read. */
void abuti_cone_need_rows(cone *c);
void abuti_cone_from_point(cone *c, const abuti_answer *point);
/* Takes the states and directions of a point, but no impulses, so that a step finds the least impulses that hold.
 * Contacts that slide on wide cones are held. */
void abuti_cone_from_faces(cone *c, const abuti_answer *point);
void abuti_cone_from_states(cone *c, const abuti_stage_context *context);
/* Finds states from impulses and velocities alone. */
void abuti_cone_from_impulses(cone *c);
/* Whether contacts push against each other with impulses much larger than the motion. */
bool abuti_cone_jammed(const cone *c);
/* Writes the best iterate as an answer: contacts that slide are put exactly on their cones, and states are named. */
void abuti_cone_finish(cone *c, abuti_answer *answer);

/* Puts the impulse of a circle that slips, or whose friction is too long, onto its cone, along the direction of the
 * natural map, and names its state. */
abut_contact_face abuti_cone_end(double p[3], const double slip[2], double mu, double s, double unit,
                                 bool sticks);

/* The first remembers where a contact is; the second goes back there. */
static inline cone_place cone_where(const cone_touch *t)
{
    return (cone_place){{t->p[0], t->p[1], t->p[2]}, {t->e[0], t->e[1]}, t->state, t->face};
}
static inline void cone_return(cone_touch *t, const cone_place *to)
{
    for (int k = 0; k < 3; ++k) t->p[k] = to->p[k];
    for (int k = 0; k < 2; ++k) t->e[k] = to->e[k];
    t->state = to->state;
    t->face = to->face;
}

/* newton.c: true when the natural map came down to `enough`. */
bool abuti_cone_newton(cone *c, int steps);
/* Whether the factor at hand brings the natural map down to `enough` in a few steps, each of which leaves a part of
 * what the law has changed by since the factor was made. */
bool abuti_cone_factor_serves(double residual, double enough, double change);
/* Whether the call's budget is spent. */
bool abuti_cone_spent(const cone *c);

/* one.c: lays out; tells whether it takes a system; takes states from a point, or from the last step; iterates, true
 * when the natural map came down to `enough`, adding to `steps` (`asserted` as below); writes the answer. */
void abuti_cone_one_layout(cone_one *o, abuti_arena *arena, int contacts);
bool abuti_cone_one_serves(const cone_one *o, const abuti_system *system);
void abuti_cone_one_from_point(cone_one *o, const abuti_answer *point);
void abuti_cone_one_from_states(cone_one *o, const abuti_stage_context *context);
bool abuti_cone_one_newton(cone_one *o, const cone_kernel *kernel, bool asserted, int eager, double enough,
                           int *steps);
void abuti_cone_one_finish(const cone_one *o, abuti_answer *answer);

/* law.c */
double abuti_cone_residual(const cone *c);
/* The largest impulse, in the units of the map. */
double abuti_cone_largest(const cone *c);
/* The first tells by how much the state of a contact is violated, in the units of the map; the second changes the state
 * to what it should then become. */
double abuti_cone_violation(const cone_touch *t, int directions);
void abuti_cone_flip(cone_touch *t, int directions, int step);
/* Changes a contact from stick to slide, along its friction. */
void abuti_cone_slide(cone_touch *t, int directions, int step);

/* Finds x and all u from the impulses. */
void abuti_cone_move(cone *c);
/* Takes the linear step from `base`, which p is at first, too; then p and u are the new values. */
bool abuti_cone_solve(cone *c);
void abuti_cone_move_local(cone *c);
/* exact.c: finds x and all u of a system of bodies in twice the digits. */
void abuti_cone_move_exact(cone *c);
bool abuti_cone_solve_local(cone *c);

/* Forms W = J J' of a system of bodies, so that rows are solved by elimination from now on; false: it is too large. */
bool abuti_cone_form(cone *c);

/* proximal.c begins with the best iterate so far, interior.c with nothing. */
bool abuti_cone_proximal(cone *c);
bool abuti_cone_interior(cone *c);

extern const abuti_stage abuti_cone_check_stage, abuti_cone_newton_stage, abuti_cone_proximal_stage,
    abuti_cone_interior_stage;

#endif
