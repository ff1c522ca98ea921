/* What a problem must satisfy: the quick checks. abut_contact_validate explains. */
#ifndef ABUTI_CONTACT_VALIDATE_H
#define ABUTI_CONTACT_VALIDATE_H

#include "contact/build.h"
#include "contact/thresholds.h"

/* Counts, pointers, doors, step, model, indices, kinds, directions: what must hold before any array is
 * followed. */
bool abuti_valid_shape(const abut_contact_problem *problem);
/* Numbers of one body; of one contact apart from its frame (normal, tangent); of one joint row. */
bool abuti_valid_body(const abut_body *body, abuti_factor *factor); /* factors a dynamic one on the way */
bool abuti_valid_contact(const abut_contact *contact);
bool abuti_valid_joint(const abut_joint *joint);
/* Numbers of the other two doors. */
bool abuti_valid_generalised(const abut_contact_problem *problem);
bool abuti_valid_local(const abut_contact_problem *problem);

#endif
