/* The verifier's entrance for one island. It does for the contacts, joint rows and dynamic bodies of one island what
 * abut_contact_verify does for the whole problem, so that each stage's answer is judged without looking at the rest.
 * Everything is recomputed from the problem; the island's lists only say where to look. */
#ifndef ABUTI_CONTACT_VERIFY_VERIFY_H
#define ABUTI_CONTACT_VERIFY_VERIFY_H

#include "abut/contact.h"
#include "contact/system/island.h"

/* Called once before the islands of a problem with blocks: notes in the scratch where each block and row begins. */
void abuti_verify_prepare(const abut_contact_problem *problem, double *scratch);
/* Doubles of scratch that are enough for a problem with as many velocities, contacts, joint rows and blocks as this
 * one, whose blocks are not larger than `largest`. */
size_t abuti_verify_blocks_room(const abut_contact_problem *problem, int largest);

/* Arrays and scratch are those of abut_contact_verify. They are indexed by the whole problem; only the island's entries
 * are read. */
void abuti_verify_island(const abut_contact_problem *problem, const abut_contact_options *options,
                         const abuti_island *island, const double *impulses, const double *joints,
                         const double *velocity, double *scratch, abut_contact_check *check);

/* abut_contact_verify_witness for one island: whether the weights prove that its contacts and joint rows exclude each
 * other. There is one weight for each contact and each joint row of the whole problem. */
bool abuti_verify_witness_island(const abut_contact_problem *problem, const abut_contact_options *options,
                                 const abuti_island *island, const double *contacts, const double *joints,
                                 double *scratch);

#endif
