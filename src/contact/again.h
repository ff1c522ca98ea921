/* Bodies that rested go on resting, held by the same impulses as in the last step (again.c). */
#ifndef ABUTI_CONTACT_AGAIN_H
#define ABUTI_CONTACT_AGAIN_H

#include "contact/call.h"

/* Whether the island is made of free bodies: by the first door, or as blocks that are bodies. */
bool abuti_has_bodies(const abuti_call *c, const abuti_island *island);
/* Body b of an island of bodies: mass, inertia, velocity and force. `store` is written where there is none to point
 * to. */
const abut_body *abuti_body_of(const abuti_call *c, const abuti_island *island, int b, abut_body *store);
/* Twice the kinetic energy of a body before the step. */
double abuti_twice_energy(const abut_body *body);
/* Tries the answer of the last step once more, at rest. True: the verifier accepts it; it is the verdict and stands in
 * the outputs. */
bool abuti_rest_again(abuti_call *c, const abuti_island *island, abuti_verdict *verdict);

/* Whether no body of the island is faster than its forces would make a resting body in so many steps. */
bool abuti_slower_than(const abuti_call *c, const abuti_island *island, double steps);

#endif
