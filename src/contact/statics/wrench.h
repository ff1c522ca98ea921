/* The force of a contact on one of its bodies, with its moment about the centre of mass. */
#ifndef ABUTI_CONTACT_STATICS_WRENCH_H
#define ABUTI_CONTACT_STATICS_WRENCH_H

#include "abut/contact.h"

void abuti_contact_wrench(const abut_contact *contact, int side, const abut_contact_answer *answer,
                          const double com[3], double out[6]);

#endif
