/* Weights that show why a contact problem has no solution; and, where it has one, the least motion that satisfies all
 * contacts and joint rows, which is what frictionless contacts do.
 *
 * Contacts ask n_i.v + b_i >= 0 and joint rows j.v + b_j = 0. No velocity does all of that exactly when there
 * are weights y_i >= 0 for contacts and any y_j for joint rows with (Farkas)
 *
 *     sum of y * rows = 0,     sum of y * b < 0.
 *
 * Friction changes nothing about that: it pushes, but it asks for no motion. The weights are looked for on the
 * built system; the verifier judges them on the problem itself (verify/witness.c). */
#ifndef ABUTI_CONTACT_SYSTEM_FARKAS_H
#define ABUTI_CONTACT_SYSTEM_FARKAS_H

#include "contact/system/system.h"

typedef struct abuti_farkas {
    int width;     /* numbers a row at most, the offset among them */
    int columns;   /* of the set at most */
    double *Q;     /* columns x width: the set's rows, orthonormal */
    double *R;     /* columns x columns: row = sum of R Q, column-major */
    double *row;   /* width */
    double *left;  /* width: what the set leaves of the target */
    int *set;      /* columns: contact i, or n + j */
    double *y;     /* columns: weights of the set now ... */
    double *old;   /* ... and before the last entry */
    double *along; /* columns */
    bool *in;      /* contacts and joint rows at most: in the set */
    bool *idle;    /* contacts at most: ask for nothing */
    /* A time of abuti_clock(), set by the caller; infinity: none. A search that is late ends without weights. */
    double deadline;
} abuti_farkas;

void abuti_farkas_layout(abuti_farkas *farkas, abuti_arena *arena, const abut_contact_limits *limits);
/* The family of proofs: an abuti_farkas, without stages. */
extern const abuti_family abuti_farkas_family;

/* Weights of contacts and joint rows in the system's scale, into contact[n] and joint[joints]; contacts that
 * the caller has set in farkas->idle[n] ask for nothing and get none. False: there are no such weights, or
 * the system is larger than ABUT_DENSE_MAX. */
bool abuti_farkas_find(abuti_farkas *farkas, const abuti_system *system, double *contact, double *joint);

/* The impulses of contacts and joint rows that from rest (whatever system->k says) make the least motion with
 * n_i.v + b_i >= 0 and j.v + b_j = 0, in `rounds` changes of the set. The rows themselves are factored, not their
 * products, so that rows which differ by 1e-8 still count as different. For systems with rows. False: there is no such
 * motion, or the system is larger than ABUT_DENSE_MAX. */
bool abuti_farkas_least_motion(abuti_farkas *farkas, const abuti_system *system, double *contact,
                               double *joint, int *rounds);

#endif
