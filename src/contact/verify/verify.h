/* The verifier's entrance for one island: what abut_contact_verify does for the whole problem, for the
 * contacts, joint rows and dynamic bodies of one island only, so that each stage's answer is judged without
 * looking at the rest. Everything is recomputed from the problem; the island's lists only say where to look.
 */
#ifndef ABUTI_CONTACT_VERIFY_VERIFY_H
#define ABUTI_CONTACT_VERIFY_VERIFY_H

#include "abut/contact.h"
#include "contact/system/island.h"

/* Once before the islands of a problem with blocks: finds its way about the problem, in the scratch. */
void abuti_verify_prepare(const abut_contact_problem *problem, double *scratch);
/* Scratch that is enough for a problem of so many velocities, contacts, joint rows and blocks, none larger than
 * `largest`. */
size_t abuti_verify_blocks_room(const abut_contact_problem *problem, int largest);

/* Arrays as in abut_contact_verify: whole-problem indexing, only the island's entries are read. `scratch` as
 * there. */
void abuti_verify_island(const abut_contact_problem *problem, const abut_contact_options *options,
                         const abuti_island *island, const double *impulses, const double *joints,
                         const double *velocity, double *scratch, abut_contact_check *check);

/* Whether the weights (whole-problem indexing, one a contact, one a joint row) prove that this island's
 * contacts and joint rows exclude each other: abut_contact_verify_witness for one island. */
bool abuti_verify_witness_island(const abut_contact_problem *problem, const abut_contact_options *options,
                                 const abuti_island *island, const double *contacts, const double *joints,
                                 double *scratch);

#endif
