#ifndef ABUTI_CONTACT_SYSTEM_CLASSIFY_H
#define ABUTI_CONTACT_SYSTEM_CLASSIFY_H

#include "abut/contact.h"

/* The direction with the least d_j.u: where friction goes that opposes u; the first on a tie. */
int abuti_opposing(int directions, const double u[2]);

/* The face of the friction polygon on which an answer lies: normal impulse theta, friction f within mu theta,
 * local tangential velocity u. slip: the contact's lambda is basic (it slips); else it sticks. */
abut_contact_face abuti_classify(int directions, double mu, double theta, const double f[2],
                                 const double u[2], bool slip);

#endif
