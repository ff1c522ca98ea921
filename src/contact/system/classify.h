#ifndef ABUTI_CONTACT_SYSTEM_CLASSIFY_H
#define ABUTI_CONTACT_SYSTEM_CLASSIFY_H

#include "abut/contact.h"

/* The direction with the least d_j.u, which is that of friction that opposes u; the first one on a tie. */
int abuti_opposing(int directions, const double u[2]);

/* The face of the friction polygon on which an answer lies. The normal impulse is theta, friction is f within mu theta,
 * and u is the local tangential velocity. `slip` says that the contact's lambda is basic, so that it slips; otherwise
 * it sticks. */
abut_contact_face abuti_classify(int directions, double mu, double theta, const double f[2],
                                 const double u[2], bool slip);

#endif
