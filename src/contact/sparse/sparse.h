/* Large islands: contacts are springs, whose matrix is factored on the sparse pattern of the bodies. Several methods
 * stand on that.
 *
 * Every contact is given a linear law between its local velocity and its impulse, dx = r - K du, K three by three.
 * With du = J dv and dv = J'dx what is left has one block for each pair of bodies that touch,
 *
 *     (I + J'K J) dv = J'r,
 *
 * however many contacts there are and however many of them are redundant; joint rows are stiff springs of one row.
 * K is not symmetric where friction follows the normal impulse; the pattern is, so L and U lie on the pattern of a
 * Cholesky factor (sparse/graph.h). */
#ifndef ABUTI_CONTACT_SPARSE_SPARSE_H
#define ABUTI_CONTACT_SPARSE_SPARSE_H

#include "contact/faces/faces.h"
#include "contact/sparse/graph.h"
#include "contact/system/system.h"
#include <stdint.h>

/* Entries of K. The first letter names the impulse, the second the velocity that drives it. */
enum { K_NN, K_NX, K_NY, K_XN, K_YN, K_XX, K_XY, K_YY, K_COUNT };

/* The matrix of the bodies, and its factors. */
typedef struct sparse_matrix {
    sparse_graph graph;
    sparse_shape shape;
    sparse_scratch scratch;
    bool shaped;     /* the shape belongs to the graph */
    int *order;      /* [node] */
    double *numbers; /* factors */
    double *aside;   /* updates that wait for their parents, then packed panels */
    size_t *place;   /* [contact, then joint]: where the block of its two bodies lies in U */
    uint8_t *upper;  /* likewise: the side whose body is eliminated first */
    size_t *own;     /* [body]: where its own block lies in U */
    double *local;   /* the numbers of one supernode in a solve */
    size_t *update;  /* [supernode]: where its update lies */
    bool turned;     /* its determinant is negative */
} sparse_matrix;

/* What is kept of an island: a matrix with its order and factors, and the states whose springs were factored. */
typedef struct sparse_kept {
    sparse_matrix matrix;
    bool held;                       /* the factors are those of the springs of these states: */
    uint8_t *held_state, *held_face; /* by lane */
    double held_rows;                /* the velocity of rows that the last springs left */
} sparse_kept;

/* Where that lies (sparse/kept.c). All islands share one place, until another one comes: then what is kept of the last
 * moves to its home, and the next steps of that island work there. So a single island stays where it is, and an island
 * for which there is no room at home has the shared place to itself when all others have moved out. */
typedef struct sparse_lodging {
    sparse_kept shared, *own; /* `own` is that of the island at hand */
    abuti_holder holder;      /* whose the shared place is */
    abuti_home *home;         /* of the island at hand, or NULL */
    abuti_keeper keeper;      /* factors, or the order alone */
} sparse_lodging;

/* Contacts and joints as springs. */
typedef struct sparse_springs {
    double *K[K_COUNT], *r[3]; /* by lane */
    double *soft[K_COUNT];     /* by lane: K where contacts give way (sparse/wide.inl) */
    double *x[3], *dx[3];      /* by lane: impulses; the springs' answer to a step */
    double joint_stiffness;
    double *joint_r, *joint_x;    /* by joint */
    double *from[3], *joint_from; /* impulses from which states are tried */
} sparse_springs;

/* A step from a point: of velocities, joint impulses and pairs. */
typedef struct sparse_step {
    double *v, *u[3], *joint;
    double *single[4];   /* by lane: theta, nu, lambda, gamma */
    double *phi, *sigma; /* by direction and lane */
} sparse_step;

/* A point inside: pairs that are positive, by lane, and by direction and lane. */
typedef struct sparse_interior {
    double *single[4]; /* theta, nu, lambda, gamma */
    double *phi, *sigma, *joint;
    /* The products of the pairs on the path: theta nu, lambda gamma; phi sigma. */
    double *share[2], *phi_share;
    double *direction[2];
    double *count, *live; /* directions of the contact, 0 without friction; 1 for contacts, 0 for padding */
    int *most;            /* by eight lanes: their largest count */
    double *gx, *gy, *pull, *base, *follow; /* by lane: of the last springs, for their steps */
    int pairs;
    double lift; /* 1: the associated convex problem, 0: Coulomb's law */
} sparse_interior;

/* The most contacts in doubt in one local problem. */
enum { MEND_MOST = 128 };

/* An edge of a regular polygon with vertices at 1, from one vertex to the next: the normal, its distance from the middle,
 * half its length. */
typedef struct sparse_edge {
    double ax, ay, kap, h;
} sparse_edge;

/* A point that is kept for what comes next, with the states at it. */
typedef struct sparse_place {
    double *x[3], *joint;
    uint8_t *state, *face;
} sparse_place;

/* A few contacts whose states are in doubt, as a problem of their own (sparse/mend.inl). */
typedef struct sparse_doubt {
    int count, most, contact[MEND_MOST]; /* how many, and how many there may be */
    int pivots_left;                     /* of all local problems of one call */
    uint8_t *in;                         /* by lane: whether it is one of them */
    double *W;                           /* 3 count x 3 count */
    double *offset[3], *mu, *size[2];
    int *directions, *body;
    abuti_answer answer;
    void *faces; /* scratch of the stages that solve it */
} sparse_doubt;

typedef struct sparse {
    const struct sparse_kernels *kernels;
    int room_bodies, room_lanes, room_joints, room_directions, room_space;
    const abuti_system *system;
    const double *mu;
    double *still; /* zeros, by lane */
    /* The largest of k and the offsets; what counts as nothing; how far an answer may be off. */
    double size, zero, enough;
    double scale; /* the larger of `size` and |k|, which the verifier measures by */
    int lanes, space, rounds;
    double *rows;              /* [contact][axis][side][8] */
    double *v, *u[3];          /* velocities of bodies; by axis and lane those of contacts */
    double *error;             /* by body: of a solve */
    double *first;             /* by body: where a step begins */
    sparse_edge *edges;        /* of polygons with 2, 3, ... room_directions edges (sparse/settle.inl) */
    sparse_step step[2], kept; /* two steps from the point; a point to go back to */
    sparse_lodging at;
    sparse_springs springs;
    sparse_interior inside;
    uint8_t *state, *face; /* by lane */
    sparse_doubt doubt;
    sparse_place near;    /* the best point so far of those that are nearly answers, */
    double near_error;    /* and how far it is off */
    double reached;       /* the mean product of the point that the last walk inside has kept */
    uint8_t *independent; /* by joint row */
} sparse;

/* What is known of joint rows: which of them depend on others; that they contradict each other; or nothing, since there
 * was no room. */
typedef enum abuti_rank { ABUTI_RANK_KNOWN, ABUTI_RANK_CONTRADICTED, ABUTI_RANK_UNKNOWN } abuti_rank;

typedef struct sparse_kernels {
    abut_outcome (*hold)(sparse *p, const abuti_system *system, const abuti_stage_context *context,
                         abuti_answer *answer);
    abut_outcome (*check)(sparse *p, const abuti_system *system, const abuti_stage_context *context,
                          abuti_answer *answer);
    abut_outcome (*interior)(sparse *p, const abuti_system *system, const abuti_stage_context *context,
                             abuti_answer *answer);
    abut_outcome (*path)(sparse *p, const abuti_system *system, const abuti_stage_context *context,
                         abuti_answer *answer);
    abuti_rank (*rank)(sparse *p, const abuti_system *system, const uint8_t **keep);
    /* The numbers of a matrix, assembled in place, become its factors; v = matrix^-1 v. */
    void (*factor)(sparse_matrix *matrix);
    void (*solve)(const sparse_matrix *matrix, double *v);
} sparse_kernels;

/* The variant for this machine. */
const sparse_kernels *abuti_sparse_kernels(void);
/* What a matrix has room for. */
typedef struct sparse_extent {
    int bodies, pairs;
    int numbers, largest; /* of all blocks together, and of the largest */
} sparse_extent;

void abuti_sparse_matrix_layout(sparse_matrix *matrix, abuti_arena *arena, const sparse_extent *extent);

/* Finds what is kept of the island at hand: to be called before a system of it is looked at. */
void abuti_sparse_lodge(sparse_lodging *at);
/* Finds the order and the shape of the factors of a system, anew only when other bodies touch. False: there is no
 * room. */
bool abuti_sparse_structure(sparse_lodging *at, const abuti_system *system);

/* Finds which joint rows of a system are independent of those before them, in the scratch of the family: keep[j] is 0
 * for rows that are not. */
abuti_rank abuti_sparse_rank(void *scratch, const abuti_system *system, const uint8_t **keep);

extern const sparse_kernels abuti_sparse_plain, abuti_sparse_avx2, abuti_sparse_avx512;

extern const abuti_family abuti_sparse_family;
extern const abuti_stage abuti_sparse_hold, abuti_sparse_check, abuti_sparse_interior, abuti_sparse_path;

#endif
