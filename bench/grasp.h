/* Drumwright's grasp (section VII-A): two grippers press two boxes between them, gravity pulls the boxes
 * down.
 *
 * The grippers slide along x only (five joint rows each) and push inward with a given force; the boxes are
 * held by friction alone. Each of the three interfaces has 12 contacts: `corners`, where the simulator of the
 * paper gave every corner of the common face three times, once with the normal along each axis; or `points`,
 * a grid of 3 x 4. */
#ifndef ABUT_BENCH_GRASP_H
#define ABUT_BENCH_GRASP_H

#include "contact_families.h"

typedef enum grasp_contacts { GRASP_CORNERS, GRASP_POINTS } grasp_contacts;

enum { GRASP_BOXES = 2, GRASP_FIRST_BOX = 2 };

/* The scene at rest; d = 4 and mu = 100 as in the paper. */
void grasp_make(contact_case *c, grasp_contacts contacts, abut_contact_model model);

/* Moves bodies and contacts by a step with these velocities, and takes them as the next step's. */
void grasp_advance(contact_case *c, const double *velocity);

/* n contacts spread over the lower faces of a pile of one or two blocks, for the scaling in n. */
void grasp_pile(contact_case *c, int bodies, int n, bench_random *random);

#endif
