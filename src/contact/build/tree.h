/* One block of the second door: its mass matrix factored, and what the factor does to rows and velocities.
 *
 * M = G G'. A dense block has G = L, the factor of Cholesky. A block of six whose matrix is that of a free body at its
 * centre of mass goes through the arithmetic of the first door (mass.c), so that the same bodies make the same system,
 * bit by bit, by both doors. A tree has G = L' with M = L'L. When M is eliminated from
 * the leaves, L has entries only where M has them, between a number and those it hangs on (Featherstone, "Efficient
 * factorization of the joint-space inertia matrix for branched kinematic trees", 2005). So a row costs numbers times
 * depth. */
#ifndef ABUTI_CONTACT_BUILD_TREE_H
#define ABUTI_CONTACT_BUILD_TREE_H

#include "contact/build/lanes.h"
#include <stdbool.h>

typedef struct abuti_block {
    int size;           /* its numbers */
    int at;             /* the place of its first number in the problem's velocity */
    int place;          /* of the block in its island */
    int first;          /* the place of its first number in the one block of a dense island */
    const int *parent;  /* [size]: what each hangs on; NULL: dense */
    const double *mass; /* size x size */
    double *factor;     /* likewise: L, its lower half */
    abuti_factor *body; /* the factor of a free body, where the block is one; else NULL */
} abuti_block;

/* Whether the mass matrix is that of a free body: diag(m, m, m, inertia). */
bool abuti_block_is_body(const abuti_block *block);
/* Such a block as a body of the first door, whose centre of mass is the origin. */
void abuti_block_body(const abuti_block *block, const abut_generalised *generalised, abut_body *body);
/* Factors the mass matrix; false unless it is symmetric up to rounding, positive definite, and zero where that of a
 * tree must be. */
bool abuti_block_factor(const abuti_block *block);
/* x := G^-1 x, of a row or a force. */
void abuti_block_scale(const abuti_block *block, double *x);
/* |x|^2, summed in the order in which the first door sums the rows of bodies. */
double abuti_block_square(const abuti_block *block, const double *x);
/* v = G^-T x unit: the velocity that x stands for. x is not changed. */
void abuti_block_velocity(const abuti_block *block, const double *x, double unit, double *v);
/* k = keep G' v + time G^-1 force. */
void abuti_block_k(const abuti_block *block, const double *velocity, const double *force, double keep,
                   double time, double *k);

#endif
