/* The local (Delassus) form of a contact problem: velocities at contacts and joints are u = W p + q. */
#ifndef ABUTI_DELASSUS_H
#define ABUTI_DELASSUS_H

#include "abut/contact.h"

typedef struct abuti_delassus {
    int dimension; /* components a contact: 2 or 3 */
    int n;         /* rows: dimension * contacts + joints */
    double *W;     /* n x n */
    double *q;     /* n; gaps, restitution and joint targets are part of it */
} abuti_delassus;

/* Makes the local form from bodies, or copies what is local already. The generalised door is refused. Of `options`
 * (NULL: the defaults) the restitution threshold is read. */
bool abuti_delassus_form(const abut_contact_problem *problem, const abut_contact_options *options,
                         abuti_delassus *local, abut_error *error);
void abuti_delassus_release(abuti_delassus *local);

/* W = H M^-1 H' and q = H M^-1 k + w, for a symmetric positive definite M (dof x dof) and H (n x dof). Both
 * are overwritten. False when M is not positive definite. Zeros left of a row's first entry cost nothing, so
 * block-diagonal M is cheap. */
bool abuti_reduce_to_local(int dof, double *M, const double *k, int n, double *H, const double *w, double *W,
                           double *q);

#endif
