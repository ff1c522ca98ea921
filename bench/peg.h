/* Lloyd's peg in a hole: a cylinder that touches the wall of its hole at n points, in two rings of n / 2, and
 * is pushed by a random wrench (Lloyd 2005, section 5.4). */
#ifndef ABUT_BENCH_PEG_H
#define ABUT_BENCH_PEG_H

#include "abut/contact.h"
#include "random.h"

enum { BENCH_PEG_MAX = 256 };

typedef struct bench_peg {
    int n; /* contacts, even */
    abut_body body;
    abut_contact contacts[BENCH_PEG_MAX];
} bench_peg;

/* Radius 0.5, length 2, mass 1; the rings stand at +-0.5; friction 0.2 .. 0.3; d directions a contact. The
 * force is that of a step of one second, so that it is the impulse of the wrench. */
void bench_peg_make(bench_peg *peg, int n, int d, bench_random *random);
/* The problem, borrowing the peg. */
abut_contact_problem bench_peg_problem(const bench_peg *peg);

/* Rows of the LCP of eq. (8): n (2 + d). */
int bench_peg_lcp_size(const bench_peg *peg);
/* Writes M (size x size) and q of eq. (8), variables ordered (theta, phi, lambda). `rows` holds 6 n (1 + d)
 * doubles. */
void bench_peg_lcp(const bench_peg *peg, double *M, double *q, double *rows);

#endif
