/* Other people's solvers on our piles, for `abut bench peers`: the same bodies and contacts, and the same judge.
 *
 * Siconos' fc3d_nsgs gets W and q of the true cone as blocks of three by three. MuJoCo's Newton gets free bodies and
 * our contacts in place of its own, and solves its regularised problem. Each library is loaded when a benchmark asks
 * for it, as LAPACK is. */
#ifndef ABUT_BENCH_PEERS_H
#define ABUT_BENCH_PEERS_H

#include "abut/contact.h"

#include <stdbool.h>
#include <stddef.h>

/* What both start from: free bodies and contacts without joints. */
typedef struct peer_pile {
    const abut_contact_problem *problem;
    double (*frames)[3][3];  /* a contact: n, t, n x t */
    double (*rows)[2][3][6]; /* a contact: the rows of n, t, n x t on the velocities of A and of B */
    double (*inverse)
        [6]; /* a body: the inverse of its inertia, xx, yy, zz, xy, xz, yz; zero where nothing moves it */
    double *free_velocity; /* 6 a body: after the step without any contact */
} peer_pile;

/* NULL when memory has run out. The problem stays the caller's, and every contact of it has its tangent. */
peer_pile *peer_pile_create(const abut_contact_problem *problem);
void peer_pile_destroy(peer_pile *pile);
/* out (6) = M^-1 row' of a body. */
void peer_pile_mobility(const peer_pile *pile, int body, const double row[6], double out[6]);
/* Velocities (6 a body) after the step under these impulses (normal, tangent x, tangent y a contact). */
void peer_pile_velocity(const peer_pile *pile, const double *impulses, double *velocity);

/* When a peer may stop. */
typedef struct peer_limits {
    double tolerance; /* the peer's own measure */
    int iterations;
} peer_limits;

/* A peer: impulses of all contacts, and the time of its solver alone. */
typedef struct peer {
    const char *name;
    /* Whether its library is there. */
    bool (*load)(void);
    /* False when memory has run out or the peer refuses the problem. */
    bool (*solve)(const peer_pile *pile, const peer_limits *limits, double *impulses, double *us);
} peer;

extern const peer peer_siconos, peer_mujoco;

/* The functions of a peer that was left out of the build: it is never there, and solves nothing. */
bool peer_absent(void);
bool peer_refuses(const peer_pile *pile, const peer_limits *limits, double *impulses, double *us);

#endif
