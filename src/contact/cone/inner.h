/* What the interior point keeps of a contact, and its linear systems at the two doors. */
#ifndef ABUTI_CONTACT_CONE_INNER_H
#define ABUTI_CONTACT_CONE_INNER_H

#include "contact/cone/cone.h"

typedef struct cone_inner {
    double p[3], dp[3];      /* impulse and its step */
    double X[3], Y[3];       /* in the interior of the cone */
    double dX[3], dY[3];     /* their steps */
    double w[3], v[3], beta; /* Nesterov and Todd's scaling */
    double h[3], K[9], g[2]; /* right-hand side; V^-1; mu u_t / |u_t| */
} cone_inner;

/* dp of all contacts, and joint_step, from h with the factor at hand. */
void abuti_inner_solve_rows(cone *c);
bool abuti_inner_factor_local(cone *c);
void abuti_inner_solve_local(cone *c);

#endif
