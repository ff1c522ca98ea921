/* The LCP that a contact problem of the coulomb model amounts to: Lloyd's eq. (8). */
#ifndef ABUTI_CONTACT_LCP_H
#define ABUTI_CONTACT_LCP_H

#include "abut/contact.h"
#include "io/lcp_file.h"

/* Makes the LCP from bodies or from the local form. Its variables are the normal impulses theta, the friction impulses
 * phi (d for each contact), the slips lambda, and the joint impulses, which are free. `options` is as in
 * abuti_delassus_form. */
bool abuti_contact_lcp(const abut_contact_problem *problem, const abut_contact_options *options,
                       abuti_lcp_data *lcp, abut_error *error);

#endif
