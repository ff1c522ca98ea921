/* The matrix of a system whose contacts are springs, I + J'K J, by blocks of the bodies, and its Cholesky factor.
 *
 * K is symmetric, three by three for each contact; a joint row is a spring of its own. The blocks are kept in an
 * envelope: bodies stand in the order of a walk through the graph of contacts, and each row is stored from its first
 * neighbour to the diagonal. */
#ifndef ABUTI_CONTACT_REST_MATRIX_H
#define ABUTI_CONTACT_REST_MATRIX_H

#include "contact/system/system.h"

/* Places in K of a contact. */
enum { REST_NN, REST_NX, REST_NY, REST_XX, REST_XY, REST_YY, REST_K };

typedef struct rest_matrix {
    size_t room;   /* numbers that `blocks` holds */
    int dim;       /* of a block */
    int bodies;    /* of the system at hand */
    int *rank;     /* [body] */
    int *body_at;  /* [rank] */
    int *first;    /* [rank]: the lowest rank in its row */
    size_t *begin; /* [rank]: where the blocks of its row are */
    double *blocks;
    double *rows;     /* [contact][axis][side][dim]: J, gathered from the lanes */
    int *next, *link; /* of the walk: heads by body and 2 a pair */
    double *solved;   /* [rank][dim] */
    /* One block of many numbers, on few of which a row acts: */
    int *low, *high; /* [contact]: its rows are zero before and from these numbers on */
    int *from;       /* [number]: the first number that the matrix joins it to */
} rest_matrix;

void abuti_rest_matrix_layout(rest_matrix *m, abuti_arena *arena, const abut_contact_limits *limits);
/* Takes the rows of a system, and finds the order of its bodies. False: the matrix does not fit. */
bool abuti_rest_matrix_begin(rest_matrix *m, const abuti_system *system);
/* The same without the rows. */
bool abuti_rest_matrix_order(rest_matrix *m, const abuti_system *system);
/* Takes the rows alone. */
void abuti_rest_matrix_rows(rest_matrix *m, const abuti_system *system);
/* Factors I times `unit` plus the springs: K[contact][REST_K], and `joint` for every joint row. */
bool abuti_rest_matrix_factor(rest_matrix *m, const abuti_system *system, double unit, const double *K,
                              double joint);
/* v = matrix^-1 v, in the blocks of the system (stride numbers each). */
void abuti_rest_matrix_solve(const rest_matrix *m, const abuti_system *system, double *v);

/* One contact's row on one side, and whether that side moves. */
static inline const double *rest_row(const rest_matrix *m, const abuti_system *s, int contact, int axis,
                                     int side)
{
    return m->rows +
           ((size_t)contact * 3 * (size_t)s->sides + (size_t)(axis * s->sides + side)) * (size_t)m->dim;
}

/* v += J'p, p[3] of one contact. */
void abuti_rest_push(const rest_matrix *m, const abuti_system *system, int contact, const double p[3],
                     double *v);
/* u = J v of one contact. */
void abuti_rest_velocity(const rest_matrix *m, const abuti_system *system, int contact, const double *v,
                         double u[3]);
/* The same for joint rows, by number. */
void abuti_rest_push_joint(const abuti_system *system, int joint, double y, double *v);
double abuti_rest_joint_velocity(const abuti_system *system, int joint, const double *v);

#endif
