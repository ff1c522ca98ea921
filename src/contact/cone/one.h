/* Newton's method for one body, eight contacts at a time.
 *
 * The same iteration as in newton.c, for the usual small island: one body against the world, circles or no friction,
 * cones of at most 45 degrees. All numbers of the contacts lie in lanes, in the order of the system's, and the rows are
 * read where the system keeps them, so that a step costs about as much as the check of a polygon's states. What is out
 * of the ordinary (rows that contradict each other, states that come and go) is left to newton.c, which begins anew.
 *
 *     one.c     the start, the iteration, changes of state, the answer
 *     one.inl   what goes over all lanes: velocities, the law, the linear step */
#ifndef ABUTI_CONTACT_CONE_ONE_H
#define ABUTI_CONTACT_CONE_ONE_H

#include "contact/system/system.h"
#include <math.h>

/* Components of the body, and numbers of its padded vectors. */
enum { CONE_SIX = 6, CONE_EIGHT = 8 };

typedef struct cone_one {
    const abuti_system *system;
    int capacity;            /* lanes at most */
    double unit;             /* K, as in cone.h */
    double *p[3], *u[3];     /* [lane]: impulse; velocity at it, offsets included */
    double *e[2];            /* slides: direction of friction */
    double *closed, *sticks; /* 1 or 0; one that is closed and does not stick slides */
    double *s, *over;        /* the largest size of the three rows, and 1 / s */
    double *own, *over_own;  /* likewise of the normal row alone */
    double *gives;           /* compliance of the row across e; < 0: there is none */
    double *shift[2];        /* by which friction is changed beside the unknowns */
    double *moved;           /* along it, in this step */
    /* The springs for which the matrix was factored: stiffness of the normal row, of the row across the direction, of
     * the tangents of one that sticks; the direction; and friction along the column of theta. */
    double *normal, *across, *side, *aimed[2], *column[2];
    double *h[3]; /* columns times stiffness times what the rows lack */
    double *lack; /* what the row across e lacks */
    int *since;   /* [lane]: the step in which it closed as one that slides, else < -1 */
    _Alignas(64) double x[CONE_EIGHT], dx[CONE_EIGHT];
    _Alignas(64) double matrix[CONE_SIX * CONE_EIGHT], room[CONE_EIGHT];
    int perm[CONE_SIX];
} cone_one;

/* What one pass over the lanes says of a point. */
typedef struct cone_one_judgement {
    double residual; /* the natural map, in units of the island */
    double moving;   /* the fastest held normal, */
    double largest;  /* the largest impulse, */
    double violated; /* the largest violation of a state, all in the units of the map */
    int worst;       /* its lane */
} cone_one_judgement;

/* By how much the state of a lane is violated. */
static inline double cone_one_violation(const cone_one *o, int i)
{
    double theta = o->p[0][i], opens = -theta * o->s[i], beyond;
    if (o->closed[i] == 0.0) return -o->u[0][i] * o->over[i];
    if (!(o->system->mu[i] > 0.0)) return opens;
    if (o->sticks[i] != 0.0) {
        double f = sqrt(o->p[1][i] * o->p[1][i] + o->p[2][i] * o->p[2][i]);
        beyond = (f - o->system->mu[i] * theta) * o->s[i];
    } else {
        beyond = (o->e[0][i] * o->u[1][i] + o->e[1][i] * o->u[2][i]) * o->over[i];
    }
    return beyond > opens ? beyond : opens;
}

#endif
